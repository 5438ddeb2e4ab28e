//! What a run can be told, as the page sends it, and the command line that it becomes.
//!
//! Invariant: only options of this table reach a command, each with a value of its type and behind `=`, so
//! that no value can become an option of its own; none writes a file or starts a program.

use std::collections::BTreeMap;

use kripke_check::units::{parse_bound, parse_memory, parse_time};
use serde_json::Value;

use crate::refused::Refused;

/// What a value is.
#[derive(Clone, Copy)]
enum Kind {
    /// Given or not.
    Switch,
    Number,
    Time,
    Memory,
    /// One of these.
    Choice(&'static [&'static str]),
    /// Lines, each an option of its own.
    Texts,
}

/// Options, and what values they take.
const ALL: &[(&str, Kind)] = &[
    ("timeout", Kind::Time),
    ("memory-limit", Kind::Memory),
    // C programs.
    ("unwind", Kind::Number),
    ("max-unwind", Kind::Number),
    ("context-bound", Kind::Number),
    ("interrupt-bound", Kind::Number),
    ("solver", Kind::Choice(&["default", "bitwuzla", "z3", "cvc5"])),
    ("explore", Kind::Choice(&["merged", "interleavings"])),
    ("no-k-induction", Kind::Switch),
    ("no-invariants", Kind::Switch),
    ("no-pdr", Kind::Switch),
    ("no-fuzzing", Kind::Switch),
    ("no-slicing", Kind::Switch),
    ("no-lasso", Kind::Switch),
    ("merge-all", Kind::Switch),
    ("no-feasibility", Kind::Switch),
    ("malloc-may-fail", Kind::Switch),
    ("interrupts", Kind::Switch),
    ("all", Kind::Switch),
    // Firmware.
    ("max-states", Kind::Number),
    ("nesting", Kind::Number),
    ("nondeterminism", Kind::Choice(&["auto", "immediate", "delayed"])),
    ("store", Kind::Choice(&["tree", "plain", "disk", "hash"])),
    ("eeprom", Kind::Choice(&["anything", "image"])),
    ("at", Kind::Choice(&["statements", "instructions"])),
    ("constraint", Kind::Texts),
    ("never", Kind::Texts),
    ("no-abstract-values", Kind::Switch),
    ("no-widening", Kind::Switch),
    ("no-lazy-stack", Kind::Switch),
    ("lazy-interrupts", Kind::Switch),
    ("no-path-reduction", Kind::Switch),
    ("no-interrupt-reduction", Kind::Switch),
    ("no-dead-variable-reduction", Kind::Switch),
    // Both.
    ("fair", Kind::Choice(&["none", "weak"])),
];

/// The words of a command line.
pub fn words(options: &BTreeMap<String, Value>) -> Result<Vec<String>, Refused> {
    let mut words = Vec::new();
    for (name, value) in options {
        let Some((_, kind)) = ALL.iter().find(|(known, _)| known == name) else {
            return Err(Refused::bad(format!("there is no option '{name}'")));
        };
        let text = match value {
            Value::Null | Value::Bool(false) => continue,
            Value::Bool(true) => String::new(),
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return Err(Refused::bad(format!("{name}: this is no value"))),
        };
        let bad = |message: String| Refused::bad(format!("{name}: {message}"));
        match kind {
            Kind::Switch => {
                words.push(format!("--{name}"));
                continue;
            }
            _ if text.is_empty() => continue,
            Kind::Number => drop(parse_bound(&text).map_err(bad)?),
            Kind::Time => drop(parse_time(&text).map_err(bad)?),
            Kind::Memory => drop(parse_memory(&text).map_err(bad)?),
            Kind::Choice(choices) if !choices.contains(&text.as_str()) => {
                return Err(bad(format!("expected one of {}", choices.join(", "))));
            }
            Kind::Choice(_) => {}
            Kind::Texts => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                words.extend(lines.map(|line| format!("--{name}={line}")));
                continue;
            }
        }
        words.push(format!("--{name}={text}"));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_options_become_words() {
        let check = |options: &str, expected: Option<&[&str]>| {
            let options = serde_json::from_str(options).expect("options");
            let words = words(&options).ok();
            assert_eq!(
                words.as_deref(),
                expected
                    .map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>())
                    .as_deref()
            );
        };
        check(
            r#"{"unwind": "20", "all": true, "solver": "", "no-pdr": false}"#,
            Some(&["--all", "--unwind=20"]),
        );
        check(
            r#"{"never": "INT0\n --json=x\n"}"#,
            Some(&["--never=INT0", "--never=--json=x"]),
        );
        check(r#"{"unwind": "--json"}"#, None);
        check(r#"{"json": "x"}"#, None);
        check(r#"{"solver": "sh -c true"}"#, None);
        check(r#"{"timeout": "5 parsecs"}"#, None);
    }
}
