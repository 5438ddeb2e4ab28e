//! Handlers of interrupts, as a job gives them, put into the program.

use std::collections::BTreeSet;

use kripke_elts::{FunctionId, Program};
use kripke_interrupts::{Handler, Interrupts, Problem};

use crate::checks::closest;
use crate::failure::Failure;
use crate::job::Job;

/// The functions that enable or disable them, where there are handlers at all.
pub fn functions(wanted: &Interrupts) -> Option<BTreeSet<String>> {
    (!wanted.handlers.is_empty()).then(|| wanted.functions())
}

/// Puts the handlers into a program that was not optimised yet; the atoms of formulas are not interrupted.
pub fn add(program: &mut Program, wanted: &Interrupts, atoms: &[FunctionId]) -> Result<(), Failure> {
    if wanted.handlers.is_empty() {
        program
            .assumptions
            .extend(kripke_interrupts::without_handlers(program));
        return Ok(());
    }
    let added = kripke_interrupts::add(program, wanted, atoms);
    added.map_err(|problem| match problem {
        Problem::NoFunction { name, role } => {
            let own = program
                .functions
                .iter()
                .filter(|function| !function.locations.is_empty() && !program.is_library(function.position));
            let near = closest(&name, own.map(|function| function.name.as_str()));
            let hint = near.map_or_else(
                || "a static function that nothing uses is not compiled".to_owned(),
                |near| format!("did you mean '{near}'?"),
            );
            Failure::input(format!("there is no function '{name}' to be {role}; {hint}"))
        }
        Problem::Other(message) => Failure::input(message),
    })
}

/// What cannot be asked of a program with handlers.
pub fn refuse_options(
    job: &Job,
    wanted: &Interrupts,
    each_function: bool,
    replaced: bool,
) -> Result<(), Failure> {
    let given = [
        ("--each-function", each_function),
        ("--replace-calls", replaced),
        ("--harness", job.wanted.harness.is_some()),
        ("--certificate", job.wanted.certificate),
    ];
    let what = given.iter().find(|(_, given)| *given);
    match what.filter(|_| !wanted.handlers.is_empty()) {
        None => Ok(()),
        Some((what, _)) => Err(Failure::input(format!(
            "{what} does not go together with --interrupt yet: check one without the other"
        ))),
    }
}

/// `HANDLER`, `HANDLER:PRIORITY` or `HANDLER:PRIORITY:NUMBER`.
pub fn parse_handler(text: &str) -> Result<Handler, String> {
    let mut parts = text.split(':').map(str::trim);
    let name = parts.next().unwrap_or_default().to_owned();
    if name.is_empty() {
        return Err("name a function: HANDLER, HANDLER:PRIORITY or HANDLER:PRIORITY:NUMBER".to_owned());
    }
    let priority = match parts.next() {
        None => 1,
        Some(text) => text
            .parse()
            .map_err(|_| format!("'{text}' is no priority: 1 or more, where a larger one interrupts"))?,
    };
    let number = match parts.next() {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| format!("'{text}' is no number of an interrupt"))?,
        ),
    };
    match parts.next() {
        None => Ok(Handler {
            name,
            priority,
            number,
        }),
        Some(rest) => Err(format!("'{rest}' is too much: HANDLER:PRIORITY:NUMBER is all")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&str, u32, Option<i64>), &str>) {
        let parsed = parse_handler(text);
        match expected {
            Ok((name, priority, number)) => {
                let name = name.to_owned();
                let handler = Handler {
                    name,
                    priority,
                    number,
                };
                assert_eq!(parsed, Ok(handler), "{text}");
            }
            Err(part) => {
                let message = parsed.expect_err(text);
                assert!(message.contains(part), "{message}");
            }
        }
    }

    #[test]
    fn handlers_are_named_with_priority_and_number() {
        check("tick", Ok(("tick", 1, None)));
        check("tick:3", Ok(("tick", 3, None)));
        check("tick:3:-1", Ok(("tick", 3, Some(-1))));
        check(":3", Err("name a function"));
        check("tick:high", Err("'high' is no priority"));
        check("tick:1:x", Err("'x' is no number"));
        check("tick:1:2:3", Err("'3' is too much"));
    }
}
