//! The functions that the user says enable or disable interrupts, as they are written: `unlock`, `mask(n)`,
//! `mask(_, n)`, `mask(n, all=-1)`.
//!
//! Idea: the list of parameters says which of them is the handler's number, by its place. It has as many
//! entries as the function has parameters, so that none is miscounted.
//!
//! Invariant: behind [`check`] each number fits the type of the parameter, and no two of them are the same
//! there.

use std::collections::BTreeSet;

use kripke_elts::interrupts::control_by_name;
use kripke_elts::{Function, Program, Type};

use crate::{Interrupts, Known, Problem, named};

/// A function that enables or disables, as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The function.
    pub name: String,
    /// Its parameter that says of which handler; of all without.
    pub number: Option<NumberParameter>,
}

/// The parameter that is a handler's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberParameter {
    /// What the user calls it.
    pub name: String,
    /// Its place, from 0.
    pub place: usize,
    /// How many parameters there are.
    pub count: usize,
    /// The value that means all handlers.
    pub all: Option<i64>,
}

/// `FUNCTION`, or `FUNCTION(PARAMETERS)`.
pub fn parse(text: &str) -> Result<Named, String> {
    let how = "write FUNCTION, or FUNCTION(n) where n is the number of the handler, with _ for other \
               parameters: 'mask(_, n)', 'mask(n, all=-1)'";
    let wrong = |what: &str| Err(format!("{what}; {how}"));
    let text = text.trim();
    let (name, list) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(list) => (name.trim(), Some(list)),
            None => return wrong(&format!("')' is missing at the end of '{text}'")),
        },
    };
    if !is_name(name) {
        return wrong(&format!("'{name}' is no name of a function"));
    }
    let number = match list {
        None => None,
        Some(list) => match parse_list(list) {
            Ok(number) => Some(number),
            Err(what) => return wrong(&what),
        },
    };
    Ok(Named {
        name: name.to_owned(),
        number,
    })
}

fn parse_list(list: &str) -> Result<NumberParameter, String> {
    let mut found: Option<(String, usize)> = None;
    let mut all = None;
    let mut count = 0;
    for entry in list.split(',').map(str::trim) {
        if let Some((word, value)) = entry.split_once('=') {
            if word.trim() != "all" || all.is_some() {
                return Err(format!("'{entry}' is no value that means all, 'all=-1'"));
            }
            let value = value.trim();
            let value = value.parse::<i64>();
            all = Some(value.map_err(|_| format!("'{entry}' gives no number"))?);
        } else if all.is_some() {
            return Err(format!("'{entry}' stands behind 'all=', which is the last entry"));
        } else if !is_name(entry) {
            return Err(format!("'{entry}' is no name of a parameter"));
        } else {
            if entry != "_" && found.is_some() {
                return Err(format!("'{entry}' is a second number"));
            }
            if entry != "_" {
                found = Some((entry.to_owned(), count));
            }
            count += 1;
        }
    }
    let (name, place) = found.ok_or("no parameter is the number")?;
    Ok(NumberParameter {
        name,
        place,
        count,
        all,
    })
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c))
}

/// Refuses functions that the program does not have, or that cannot be what the user says.
pub(crate) fn check(program: &Program, wanted: &Interrupts, handlers: &[Known]) -> Result<(), Problem> {
    let all = { wanted.enabling.iter() }
        .map(|given| (given, true))
        .chain(wanted.disabling.iter().map(|given| (given, false)));
    let all: Vec<(&Named, bool)> = all.collect();
    for (index, (given, enables)) in all.iter().enumerate() {
        let name = &given.name;
        let mut before = all[..index].iter().filter(|(other, _)| other.name == *name);
        if before.any(|(other, other_enables)| (other, other_enables) != (given, enables)) {
            return Err(Problem::Other(format!(
                "`{name}` is given twice: a function either enables or disables interrupts, in one way"
            )));
        }
        if given.number.is_some() && control_by_name(name).is_some() {
            return Err(Problem::Other(format!(
                "what `{name}` does to interrupts is known: leave it out"
            )));
        }
        crate::find(program, name, "a function that enables or disables interrupts")?;
        for function in named(program, name) {
            if let Some(number) = &given.number {
                fits(&program.functions[function], given, number, handlers).map_err(Problem::Other)?;
            }
        }
    }
    Ok(())
}

/// Is the parameter there, of a type that has the numbers?
fn fits(
    function: &Function,
    given: &Named,
    number: &NumberParameter,
    handlers: &[Known],
) -> Result<(), String> {
    let (name, own) = (&given.name, &number.name);
    let count = function.parameters.len();
    let written = |place: usize| {
        let entries = (0..count).map(|index| if index == place { own.as_str() } else { "_" });
        format!("{name}({})", entries.collect::<Vec<_>>().join(", "))
    };
    let called = |index: usize| &function.variables[function.parameters[index]].name;
    if let Some(place) = (0..count).find(|index| called(*index) == own && *index != number.place) {
        return Err(format!(
            "`{own}` is another parameter of `{name}`: write '{}'",
            written(place)
        ));
    }
    if count != number.count {
        let parameters = match count {
            0 => "no parameters".to_owned(),
            1 => "1 parameter".to_owned(),
            _ => format!("{count} parameters"),
        };
        let hint = match count {
            0 => format!("write '{name}'"),
            _ => format!("'{}' means the first", written(0)),
        };
        return Err(format!(
            "`{name}` has {parameters}, and {} are given; {hint}",
            number.count
        ));
    }
    let Type::Int(width) = function.variables[function.parameters[number.place]].ty else {
        return Err(format!("the parameter `{own}` of `{name}` is no number"));
    };
    let numbers: BTreeSet<i64> = handlers.iter().filter_map(|handler| handler.number).collect();
    let mut seen = BTreeSet::new();
    for value in numbers.into_iter().chain(number.all) {
        if !has(width, value) {
            return Err(format!(
                "the number {value} does not fit the {width} bits of the parameter `{own}` of `{name}`"
            ));
        }
        if !seen.insert(residue(width, value)) {
            return Err(format!(
                "two numbers are {value} in the {width} bits of the parameter `{own}` of `{name}`"
            ));
        }
    }
    Ok(())
}

/// Has a type of so many bits the number, with a sign or without?
fn has(width: u32, value: i64) -> bool {
    width >= 64 || (-(1_i64 << (width - 1))..1_i64 << width).contains(&value)
}

/// The bits by which a type has it.
fn residue(width: u32, value: i64) -> u64 {
    let all = value as u64;
    if width >= 64 {
        all
    } else {
        all & ((1 << width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of the number, how many parameters there are, and what means all.
    type Number = (usize, usize, Option<i64>);

    fn check(text: &str, expected: Result<(&str, Option<Number>), &str>) {
        let parsed = parse(text);
        match expected {
            Ok((name, number)) => {
                let parsed = parsed.expect(text);
                let own = parsed
                    .number
                    .map(|number| (number.place, number.count, number.all));
                assert_eq!((parsed.name.as_str(), own), (name, number), "{text}");
            }
            Err(part) => {
                let message = parsed.expect_err(text);
                assert!(message.contains(part), "{message}");
            }
        }
    }

    #[test]
    fn functions_are_written_with_their_parameters() {
        check("lock", Ok(("lock", None)));
        check("mask(n)", Ok(("mask", Some((0, 1, None)))));
        check(" mask ( _ , irq ) ", Ok(("mask", Some((1, 2, None)))));
        check("mask(n, _, all=-1)", Ok(("mask", Some((0, 2, Some(-1))))));
        check("mask(", Err("')' is missing"));
        check("mask()", Err("'' is no name of a parameter"));
        check("mask(_)", Err("no parameter is the number"));
        check("mask(n, m)", Err("'m' is a second number"));
        check("mask(n, all=x)", Err("'all=x' gives no number"));
        check("mask(n, any=1)", Err("'any=1' is no value"));
        check("mask(all=1, n)", Err("'n' stands behind"));
        check("mask(1)", Err("'1' is no name of a parameter"));
        check("(n)", Err("'' is no name of a function"));
    }

    #[test]
    fn numbers_fit_their_types() {
        for (width, value, fits) in [
            (8, 255, true),
            (8, 256, false),
            (8, -128, true),
            (8, -129, false),
            (64, i64::MIN, true),
        ] {
            assert_eq!(has(width, value), fits, "{value} in {width} bits");
        }
        assert_eq!(residue(8, -1), residue(8, 255));
        assert_ne!(residue(16, -1), residue(16, 255));
    }
}
