//! The value of `--check`: which kinds of properties are checked.

use kripke_model::PropertyKind;

/// The kinds the list selects, in the order of [`PropertyKind::ALL`]. A list that begins with `+` or `-`
/// changes the default; any other replaces it.
pub fn parse_checks(list: Option<&str>) -> Result<Vec<PropertyKind>, String> {
    let default: Vec<PropertyKind> = PropertyKind::ALL
        .iter()
        .copied()
        .filter(|kind| kind.is_default())
        .collect();
    let Some(list) = list else { return Ok(default) };
    let starts_relative = list.trim_start().starts_with(['+', '-']);
    let mut selected = if starts_relative { default } else { Vec::new() };
    for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (removes, name) = match item.as_bytes()[0] {
            b'-' => (true, &item[1..]),
            b'+' => (false, &item[1..]),
            _ => (false, item),
        };
        let kinds = kinds_of(name)?;
        selected.retain(|kind| !kinds.contains(kind));
        if !removes {
            selected.extend(kinds);
        }
    }
    selected.sort_unstable();
    Ok(selected)
}

fn kinds_of(name: &str) -> Result<Vec<PropertyKind>, String> {
    match name {
        "all" => Ok(PropertyKind::ALL.to_vec()),
        "default" => parse_checks(None),
        "none" => Ok(Vec::new()),
        // American spelling is no error.
        "uninitialized" => Ok(vec![PropertyKind::Uninitialised]),
        _ => PropertyKind::from_name(name)
            .map(|kind| vec![kind])
            .ok_or_else(|| unknown(name)),
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = PropertyKind::ALL.iter().map(|kind| kind.name()).collect();
    let hint = match closest(name, names.iter().copied().chain(["default", "all", "none"])) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!(
            "the kinds are {}; the groups default, all, none",
            names.join(", ")
        ),
    };
    format!("--check: there is no kind of property called '{name}'; {hint}")
}

/// What is added to a message about an unknown name: `; did you mean 'x'?`, if there is one like it.
pub fn hint<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> String {
    let near = closest(name, candidates);
    near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

/// The candidate most like the name, when one is close enough to be what was meant.
pub fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 2.max(candidate.len() / 4) || candidate.contains(name))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, expected: &str) {
        let text = match parse_checks(Some(list)) {
            Ok(kinds) => kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(","),
            Err(message) => message,
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn lists_replace_the_default() {
        check("overflow,assertion", "assertion,overflow");
        check("none", "");
        check("none,shift", "shift");
    }

    #[test]
    fn signs_change_the_default() {
        let all: Vec<&str> = PropertyKind::ALL.iter().map(|kind| kind.name()).collect();
        check(
            "+leak,pointer-arithmetic,lock-order,priority-inversion,thread-leak,data-race,torn-access,\
             atomicity,handler-call",
            &all.join(","),
        );
        check(
            "all,-leak,-pointer-arithmetic,-lock-order,-priority-inversion,-thread-leak,-data-race,\
             -torn-access,-atomicity,-handler-call",
            &parse_checks(None)
                .unwrap()
                .iter()
                .map(|kind| kind.name())
                .collect::<Vec<_>>()
                .join(","),
        );
        assert!(
            !parse_checks(Some("-overflow"))
                .unwrap()
                .contains(&PropertyKind::Overflow)
        );
    }

    #[test]
    fn misspellings_get_a_suggestion() {
        check(
            "overflw",
            "--check: there is no kind of property called 'overflw'; did you mean 'overflow'?",
        );
        assert!(
            parse_checks(Some("xyzzy"))
                .unwrap_err()
                .contains("the kinds are assertion, ")
        );
    }
}
