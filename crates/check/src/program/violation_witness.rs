//! A violation in a form that others can check: a violation witness of SV-COMP.
//!
//! Idea: what a validator cannot guess are the inputs, so each call that returned one is a segment, in their
//! order, with the value as constraint on its result; the last segment is the place of the violation. Where a
//! call ends is found in the source's text, as the compiler tells where it begins.
//!
//! A run of several threads or with handlers has none: the format of 2.0 speaks of one thread.
//!
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: Software verification witnesses 2.0 (SPIN
//! 2024).

use std::collections::HashMap;
use std::fmt::Write;

use kripke_model::{Place, PropertyKind, Report, StepKind, Trace, Verdict};

use super::certificate::{Entry, quoted};

/// The witness of the first violation that has one.
pub(super) fn witness(report: &Report, files: &[String], pointer_width: u32) -> Option<String> {
    let mut results = report.results.iter();
    let (specification, trace) = results.find_map(|result| {
        let Verdict::Violated { trace } = &result.verdict else {
            return None;
        };
        let specification = specification(result.property.kind)?;
        let is_of_one = !trace
            .steps
            .iter()
            .any(|step| matches!(step.kind, StepKind::Environment { .. }));
        is_of_one.then_some((specification, trace))
    })?;
    let content = content(trace);
    let entry = Entry {
        kind: "violation_sequence",
        description: None,
        specification,
        pointer_width,
    };
    Some(entry.head(files, &content) + &content)
}

/// What SV-COMP calls a kind of property.
fn specification(kind: PropertyKind) -> Option<&'static str> {
    match kind {
        PropertyKind::Assertion => Some("G ! call(reach_error())"),
        PropertyKind::Overflow => Some("G ! overflow"),
        PropertyKind::Pointer | PropertyKind::Bounds => Some("G valid-deref"),
        PropertyKind::Free => Some("G valid-free"),
        PropertyKind::Leak => Some("G valid-memcleanup"),
        _ => None,
    }
}

fn content(trace: &Trace) -> String {
    let mut text = String::from("  content:\n");
    let mut sources: HashMap<&str, String> = HashMap::new();
    for step in &trace.steps {
        let StepKind::Input {
            source: function,
            category,
            value,
            ..
        } = &step.kind
        else {
            continue;
        };
        let place = &step.place;
        let source = sources
            .entry(&place.file)
            .or_insert_with(|| std::fs::read_to_string(&place.file).unwrap_or_default());
        let end = call_end(source, place, function).filter(|_| category == "input");
        if let (Some((line, column)), Some(value)) = (end, number(&value.text)) {
            segment(
                &mut text,
                "function_return",
                Some(&format!("\\result == {value}")),
                place,
                (line, column),
            );
        }
    }
    if let Some(last) = trace.steps.last() {
        let place = &last.place;
        segment(
            &mut text,
            "target",
            None,
            place,
            (place.line, place.column.max(1)),
        );
    }
    text
}

fn segment(text: &mut String, kind: &str, constraint: Option<&str>, place: &Place, at: (u32, u32)) {
    let _ = writeln!(text, "  - segment:");
    let _ = writeln!(text, "    - waypoint:");
    let _ = writeln!(text, "        type: {kind}");
    let _ = writeln!(text, "        action: follow");
    if let Some(constraint) = constraint {
        let _ = writeln!(text, "        constraint:");
        let _ = writeln!(text, "          value: {}", quoted(constraint));
        let _ = writeln!(text, "          format: ext_c_expression");
    }
    let _ = writeln!(text, "        location:");
    let _ = writeln!(text, "          file_name: {}", quoted(&place.file));
    let _ = writeln!(text, "          line: {}", at.0);
    let _ = writeln!(text, "          column: {}", at.1);
    if !place.function.is_empty() {
        let _ = writeln!(text, "          function: {}", quoted(&place.function));
    }
}

/// A value as every validator reads it; floats and the like have none.
fn number(text: &str) -> Option<i128> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        _ => text.parse().ok(),
    }
}

/// Where the call of a function of no parameters that begins at a place has its closing parenthesis.
fn call_end(source: &str, place: &Place, function: &str) -> Option<(u32, u32)> {
    let line = source.lines().nth(place.line.checked_sub(1)? as usize)?;
    let start = place.column.checked_sub(1)? as usize;
    let rest = line.get(start..)?.strip_prefix(function)?;
    let behind = rest.trim_start().strip_prefix('(')?;
    let end = behind.trim_start().strip_prefix(')')?;
    let column = line.len() - end.len();
    Some((place.line, u32::try_from(column).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_parenthesis_of_a_call() {
        let check = |line: &str, column, expected: Option<u32>| {
            let place = Place {
                file: "a.c".to_owned(),
                line: 2,
                column,
                function: "main".to_owned(),
            };
            let found = call_end(&format!("\n{line}\n"), &place, "nondet");
            assert_eq!(found, expected.map(|column| (2, column)), "{line}");
        };
        check("x = nondet();", 5, Some(12));
        check("x = nondet ( ) ;", 5, Some(14));
        check("x = nondet(1);", 5, None);
        check("x = INPUT;", 5, None);
        check("x", 5, None);
    }

    #[test]
    fn values_that_are_numbers() {
        let check = |text, expected| assert_eq!(number(text), expected);
        check("-3", Some(-3));
        check("true", Some(1));
        check("0.5", None);
        check("'a'", None);
    }
}
