//! Handlers of interrupts, as a job gives them, put into the program.

use std::collections::BTreeSet;

use kripke_elts::{FunctionId, Program, name_in_its_file};
use kripke_interrupts::{Handler, Interrupts, Problem};
use kripke_llvm::translate::FoundHandler;

use crate::checks::closest;
use crate::failure::Failure;
use crate::job::Job;

/// The functions that enable or disable them, where there are handlers at all.
pub fn functions(wanted: &Interrupts) -> Option<BTreeSet<String>> {
    wanted.are_wanted().then(|| wanted.functions())
}

/// What is wanted, and the handlers that the sources contain. A handler that is named has the priority that
/// is given with the name, and the number, where one is given.
pub fn with_found(wanted: &Interrupts, found: &[FoundHandler]) -> Result<Interrupts, Failure> {
    let mut all = wanted.clone();
    let plain = |handler: &FoundHandler| name_in_its_file(&handler.name).to_owned();
    let is_never = |handler: &&FoundHandler| !wanted.never.contains(&plain(handler));
    for name in &wanted.never {
        if !found.iter().any(|handler| plain(handler) == *name) {
            let names = found.iter().map(|handler| handler.name.as_str());
            let hint = match closest(name, names) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "only what --interrupts finds can be left out".to_owned(),
            };
            return Err(Failure::input(format!(
                "--never: there is no handler '{name}'; {hint}"
            )));
        }
    }
    let highest = { wanted.handlers.iter() }.map(|handler| handler.priority).max();
    let highest = highest.unwrap_or(1).max(1);
    for handler in found.iter().filter(is_never) {
        let name = plain(handler);
        let is_alone = found.iter().filter(|other| plain(other) == name).count() == 1;
        match all
            .handlers
            .iter_mut()
            .find(|given| is_alone && given.name == name)
        {
            Some(given) => {
                given.number = given.number.or(handler.number);
                given.function = Some(handler.function);
            }
            None => all.handlers.push(Handler {
                name: handler.name.clone(),
                priority: match handler.number {
                    Some(NMI) => highest.saturating_add(2),
                    Some(HARD_FAULT) => highest.saturating_add(1),
                    _ => 1,
                },
                number: handler.number,
                function: Some(handler.function),
            }),
        }
    }
    Ok(all)
}

/// The numbers of what interrupts everything else, whatever the program says.
const NMI: i64 = -14;
const HARD_FAULT: i64 = -13;

/// Puts the handlers into a program that was not optimised yet; the atoms of formulas are not interrupted.
pub fn add(
    program: &mut Program,
    wanted: &Interrupts,
    found: &[FoundHandler],
    atoms: &[FunctionId],
) -> Result<(), Failure> {
    let wanted = &with_found(wanted, found)?;
    let never = wanted
        .never
        .iter()
        .map(|name| format!("`{name}` never comes (--never)"));
    program.assumptions.extend(never);
    if wanted.handlers.is_empty() && wanted.find {
        return Ok(());
    }
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
    match what.filter(|_| wanted.are_wanted()) {
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
            function: None,
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
                    function: None,
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
