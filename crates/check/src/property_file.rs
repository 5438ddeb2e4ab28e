//! Property files of SV-COMP (`.prp`): which kinds of properties they ask for.
//!
//! Idea: each line `CHECK( init(main()), LTL(…) )` is one of few; one that no kind of Kripke's is the same as
//! is an error, as another kind would give answers to another question.
//!
//! Source: the rules of SV-COMP 2025, "Definition of Verification Tasks".

use kripke_model::PropertyKind;

/// What formulas stand for.
const KNOWN: &[(&str, &[PropertyKind])] = &[
    ("G!call(reach_error())", &[PropertyKind::Assertion]),
    ("G!call(__VERIFIER_error())", &[PropertyKind::Assertion]),
    ("G!overflow", &[PropertyKind::Overflow]),
    ("Gvalid-free", &[PropertyKind::Free]),
    ("Gvalid-deref", &[PropertyKind::Pointer, PropertyKind::Bounds]),
    ("Gvalid-memcleanup", &[PropertyKind::Leak]),
    ("G!data-race", &[PropertyKind::DataRace]),
];

/// All kinds that such files can ask for.
pub fn kinds() -> impl Iterator<Item = PropertyKind> {
    KNOWN.iter().flat_map(|(_, kinds)| kinds.iter().copied())
}

/// The kinds of the properties of a file.
///
/// # Errors
/// A line that is none, or asks for what Kripke does not check.
pub fn parse(text: &str) -> Result<Vec<PropertyKind>, String> {
    let mut kinds = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let plain: String = line
            .chars()
            .filter(|character| !character.is_whitespace())
            .collect();
        if plain.is_empty() {
            continue;
        }
        let formula = plain
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| {
                format!(
                    "line {} is not of the form CHECK( init(main()), LTL(...) )",
                    index + 1
                )
            })?;
        let known = KNOWN.iter().find(|(name, _)| *name == formula);
        let (_, found) = known.ok_or_else(|| {
            format!(
                "line {}: '{}' is not among what can be checked: call(reach_error()), overflow, valid-free, \
                 valid-deref, valid-memcleanup, data-race",
                index + 1,
                line.trim()
            )
        })?;
        kinds.extend(
            found
                .iter()
                .copied()
                .filter(|kind| !kinds.contains(kind))
                .collect::<Vec<_>>(),
        );
    }
    match kinds.is_empty() {
        true => Err("there is no CHECK( init(main()), LTL(...) ) in it".to_owned()),
        false => Ok(kinds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_kinds() {
        let check = |text: &str, expected: &[PropertyKind]| assert_eq!(parse(text).as_deref(), Ok(expected));
        check(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
            &[PropertyKind::Assertion],
        );
        check(
            "\nCHECK( init(main()), LTL(G ! overflow) )",
            &[PropertyKind::Overflow],
        );
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
            &[PropertyKind::Free, PropertyKind::Pointer, PropertyKind::Bounds],
        );
    }

    #[test]
    fn what_is_not_checked_is_refused() {
        let check = |text: &str, expected: &str| {
            let message = parse(text).expect_err("a mistake");
            assert!(message.contains(expected), "{message}");
        };
        check("", "there is no CHECK");
        check("G ! overflow", "line 1 is not of the form");
        check(
            "CHECK( init(main()), LTL(F end) )",
            "not among what can be checked",
        );
        check(
            "CHECK( init(main()), LTL(G valid-memtrack) )",
            "not among what can be checked",
        );
    }
}
