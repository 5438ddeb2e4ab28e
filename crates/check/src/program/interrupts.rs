//! Handlers of interrupts, as a job gives them, put into the program.

use std::collections::BTreeSet;

use kripke_elts::interrupts::{DISABLES, ENABLES, HARD_FAULT, NMI, is_unmaskable};
use kripke_elts::{FunctionId, Program, name_in_its_file};
use kripke_interrupts::{Asked, Handler, Interrupts, Problem};
use kripke_llvm::translate::FoundHandler;

use crate::checks::closest;
use crate::failure::Failure;
use crate::job::{Job, Sources};

use super::{conditions, harness_turns};

/// The functions that enable or disable them, where there are handlers at all.
pub fn functions(wanted: &Interrupts) -> Option<BTreeSet<String>> {
    wanted.are_wanted().then(|| wanted.functions())
}

/// What is wanted, and the handlers that the sources contain. A handler that is named has the priority that
/// is given with the name, and the number, where one is given.
pub fn with_found(wanted: &Interrupts, found: &[FoundHandler]) -> Result<Interrupts, Failure> {
    let mut all = wanted.clone();
    for name in &wanted.never {
        refuse_never(name, found)?;
    }
    let highest = { wanted.handlers.iter() }.map(|handler| handler.priority).max();
    let highest = highest.unwrap_or(1).max(1);
    let is_never = |handler: &FoundHandler| { wanted.never.iter() }.any(|name| is_called(handler, name));
    for handler in found.iter().filter(|handler| !is_never(handler)) {
        let name = plain(handler);
        let is_alone = functions_called(found, name).len() == 1;
        // What nothing masks, and comes by other numbers, too, keeps its own priority.
        let is_further = handler.number.is_some_and(is_unmaskable) && {
            let mut others = found.iter().filter(|other| other.function == handler.function);
            others.any(|other| !other.number.is_some_and(is_unmaskable))
        };
        let named = |given: &&mut Handler| is_alone && given.name == name;
        match all.handlers.iter_mut().find(named) {
            // The number that is given stands for all of them.
            Some(given) if given.function.is_none() && given.number.is_some() => {
                given.function = Some(handler.function);
            }
            Some(given) if !is_further && given.function.is_none() => {
                given.number = handler.number;
                given.function = Some(handler.function);
            }
            Some(_) if is_number_given(wanted, name) => {}
            _ => all.handlers.push(Handler {
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

fn is_number_given(wanted: &Interrupts, name: &str) -> bool {
    let mut given = wanted.handlers.iter();
    given.any(|given| given.name == name && given.number.is_some())
}

/// The name of a handler, without that of its file.
fn plain(handler: &FoundHandler) -> &str {
    name_in_its_file(&handler.name)
}

/// Does a name mean a handler? Static ones of several files may have it.
fn is_called(handler: &FoundHandler, name: &str) -> bool {
    plain(handler) == name || handler.name == name
}

fn functions_called(found: &[FoundHandler], name: &str) -> BTreeSet<FunctionId> {
    let called = found.iter().filter(|handler| is_called(handler, name));
    called.map(|handler| handler.function).collect()
}

/// What never comes is one of the handlers that are found.
fn refuse_never(name: &str, found: &[FoundHandler]) -> Result<(), Failure> {
    let message = match functions_called(found, name).len() {
        1 => return Ok(()),
        0 => {
            let names = found.iter().map(|handler| handler.name.as_str());
            let hint = match closest(name, names) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "only what --interrupts finds can be left out".to_owned(),
            };
            format!("--never: there is no handler '{name}'; {hint}")
        }
        _ => format!("--never: several files have a handler '{name}': a handler needs a name of its own"),
    };
    Err(Failure::input(message))
}

/// Puts the handlers into a program that was not optimised yet; the atoms of formulas are not interrupted.
pub fn add(
    program: &mut Program,
    wanted: &Interrupts,
    found: &[FoundHandler],
    (atoms, conditions): (&[FunctionId], &[FunctionId]),
    asked: Asked,
) -> Result<(), Failure> {
    conditions::prepare(program, wanted, conditions)?;
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
    let added = kripke_interrupts::add(program, wanted, (atoms, conditions), asked);
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
        Problem::NoHandler(name) => {
            let known = wanted.handlers.iter().map(|handler| handler.name.as_str());
            let hint = match closest(&name, known) {
                Some(near) => format!("did you mean '{near}'?"),
                None => "name it with --interrupt".to_owned(),
            };
            Failure::input(format!("there is no handler '{name}'; {hint}"))
        }
        Problem::Other(message) => Failure::input(message),
    })
}

/// What cannot be asked of a program with handlers.
pub fn refuse_options(
    job: &Job,
    sources: &Sources,
    each_function: bool,
    replaced: bool,
) -> Result<(), Failure> {
    let given = [
        ("--each-function", each_function),
        ("--replace-calls", replaced),
        ("--certificate", job.wanted.certificate),
    ];
    let what = given.iter().find(|(_, given)| *given);
    let are_wanted = sources.interrupts.are_wanted();
    match what.filter(|_| are_wanted) {
        None if are_wanted => harness_turns::refuse(job, sources, "handlers of interrupts"),
        None => Ok(()),
        Some((what, _)) => Err(Failure::input(format!(
            "{what} does not go together with --interrupt yet: check one without the other"
        ))),
    }
}

/// A harness cannot run the instructions that enable and disable interrupts.
pub fn refuse_assembly(job: &Job, wanted: &Interrupts, program: &Program) -> Result<(), Failure> {
    if wanted.are_wanted() {
        harness_turns::refuse_width(job, program, "handlers of interrupts")?;
    }
    let is_marker = |name: &str| name == ENABLES || name == DISABLES;
    let marked = program.functions.iter().any(|function| is_marker(&function.name));
    match marked && wanted.are_wanted() && job.wanted.harness.is_some() {
        false => Ok(()),
        true => Err(Failure::input(
            "--harness runs the program on this machine, but it enables or disables interrupts by inline \
             assembly: give sources that compile for this machine, with functions in its place, and name \
             these by --interrupt-enable and --interrupt-disable",
        )),
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

/// `HANDLER=PRIORITY`, of the registers: a byte, which may be written as 0x40.
pub fn parse_register_priority(text: &str) -> Result<(String, u8), String> {
    let wrong = || format!("'{text}' is no HANDLER=PRIORITY, where the priority is 0 to 255 or 0x00 to 0xff");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = value.trim();
    let priority = match value.strip_prefix("0x") {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => value.parse(),
    };
    let priority = priority.map_err(|_| wrong())?;
    match name.trim() {
        "" => Err(wrong()),
        name => Ok((name.to_owned(), priority)),
    }
}

/// `HANDLER=FUNCTION`.
pub fn parse_once_per(text: &str) -> Result<(String, String), String> {
    let (handler, function) = text.split_once('=').unwrap_or((text, ""));
    match (handler.trim(), function.trim()) {
        ("", _) | (_, "") => Err(format!("'{text}' is no HANDLER=FUNCTION")),
        (handler, function) => Ok((handler.to_owned(), function.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use kripke_elts::Id;

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

    fn found(name: &str, function: usize, number: Option<i64>) -> FoundHandler {
        FoundHandler {
            function: FunctionId::new(function),
            name: name.to_owned(),
            number,
        }
    }

    #[test]
    fn what_never_comes_is_one_function() {
        let handlers = [
            found("one", 1, Some(HARD_FAULT)),
            found("one", 1, Some(6)),
            found("tick", 2, None),
            found("tick.1", 3, None),
        ];
        let check = |name: &str, expected: Option<&str>| {
            let message = refuse_never(name, &handlers)
                .err()
                .map(|failure| failure.to_string());
            match expected {
                None => assert_eq!(message, None, "{name}"),
                Some(part) => assert!(message.is_some_and(|message| message.contains(part)), "{name}"),
            }
        };
        check("one", None);
        check("tick.1", None);
        check("tick", Some("several files have a handler 'tick'"));
        check("two", Some("there is no handler 'two'"));
    }

    #[test]
    fn a_fault_keeps_its_priority() {
        let handlers = [found("one", 1, Some(HARD_FAULT)), found("one", 1, Some(6))];
        let check = |given: &str, expected: &[(u32, Option<i64>)]| {
            let wanted = Interrupts {
                handlers: vec![parse_handler(given).expect("a handler")],
                ..Interrupts::default()
            };
            let all = with_found(&wanted, &handlers).expect("handlers").handlers;
            let said = all.iter().map(|handler| (handler.priority, handler.number));
            let mut said: Vec<(u32, Option<i64>)> = said.collect();
            said.sort_unstable();
            assert_eq!(said, expected, "{given}");
        };
        check("one:3", &[(3, Some(6)), (4, Some(HARD_FAULT))]);
        check("one:3:7", &[(3, Some(7))]);
        check("other", &[(1, None), (1, Some(6)), (2, Some(HARD_FAULT))]);
    }

    #[test]
    fn priorities_of_registers_are_bytes() {
        for (text, expected) in [
            ("tick=0x40", Some(("tick", 64))),
            ("tick = 255", Some(("tick", 255))),
            ("tick=256", None),
            ("=1", None),
            ("tick", None),
        ] {
            let expected = expected.map(|(name, priority): (&str, u8)| (name.to_owned(), priority));
            assert_eq!(parse_register_priority(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn what_lets_a_handler_come_again_is_a_function() {
        let expected = ("tick".to_owned(), "wait".to_owned());
        assert_eq!(parse_once_per("tick = wait"), Ok(expected));
        assert!(parse_once_per("tick").is_err());
        assert!(parse_once_per("=wait").is_err());
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
