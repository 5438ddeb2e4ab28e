//! What a verdict takes for granted because the user asked for less than everything.
//!
//! Idea: where a check is left out, a run in which it would have failed has to go on somehow: what it would
//! have found counts as defined, or as not happening. Either is listed with the verdict. (Memory errors need
//! no line: where nobody checks them, a run that makes one is *unknown*.)

use kripke_model::PropertyKind;

/// The lines for kinds that are checked by default and were left out, and for properties that were not
/// selected.
pub(crate) fn assumptions(checked: &[PropertyKind], some_selected: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let left_out: Vec<&str> = PropertyKind::ALL
        .iter()
        .filter(|kind| kind.is_default() && goes_on(**kind) && !checked.contains(kind))
        .map(|kind| kind.name())
        .collect();
    if !checked.is_empty() && !left_out.is_empty() {
        lines.push(format!(
            "not checked: {}; a run in which one of these happens is judged as if it were defined",
            left_out.join(", ")
        ));
    }
    if some_selected {
        lines.push("properties that were not selected hold where a run ends if they fail".to_owned());
    }
    lines
}

/// Does a run go on where nobody checks properties of this kind?
fn goes_on(kind: PropertyKind) -> bool {
    !kind.is_contract()
        && !matches!(
            kind,
            PropertyKind::Assertion
                | PropertyKind::Pointer
                | PropertyKind::Free
                | PropertyKind::FunctionPointer
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_rests_on_nothing() {
        let default = crate::checks::parse_checks(None).expect("the default");
        assert!(assumptions(&default, false).is_empty());
    }

    #[test]
    fn what_is_left_out_is_named() {
        let checked = crate::checks::parse_checks(Some("-overflow,-pointer")).expect("kinds");
        let lines = assumptions(&checked, true);
        assert!(lines[0].starts_with("not checked: overflow;"), "{lines:?}");
        assert_eq!(lines.len(), 2);
        assert!(assumptions(&[], false).is_empty());
    }
}
