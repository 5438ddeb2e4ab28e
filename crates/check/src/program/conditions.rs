//! Conditions of handlers: C expressions that say when an interrupt may come.
//!
//! Idea: they are compiled as atoms of formulas are, so that clang itself reads them where the names of the
//! program are visible. They may only look at memory; registers that they name become memory.

use kripke_bmc::ltl::only_looks;
use kripke_elts::{FunctionId, Program};
use kripke_interrupts::{Interrupts, keep_registers};
use kripke_llvm::atoms::{self, AtomError, LoadError};
use kripke_llvm::loader::{self, LoadOptions, Loaded};

use crate::failure::Failure;

/// The file in which reports place what is checked of a condition.
const FILE: &str = "<interrupt-if>";

/// The expressions.
pub fn texts(wanted: &Interrupts) -> Vec<String> {
    wanted.conditions.iter().map(|(_, text)| text.clone()).collect()
}

/// Conditions are compiled into C sources.
pub fn refuse(wanted: &Interrupts) -> Result<(), Failure> {
    match wanted.conditions.first() {
        None => Ok(()),
        Some((handler, _)) => Err(Failure::input(format!(
            "--interrupt-if of '{handler}' can only be compiled into C sources"
        ))),
    }
}

/// Loads a program with the functions that evaluate its conditions.
pub fn load(options: &LoadOptions, wanted: &Interrupts) -> Result<(Loaded, Vec<FunctionId>), Failure> {
    let texts = texts(wanted);
    if texts.is_empty() {
        return Ok((loader::load(options)?, Vec::new()));
    }
    let loaded = atoms::load(options, &texts).map_err(|error| match error {
        LoadError::Program(error) => error.into(),
        LoadError::Atoms(errors) => Failure::input(explain(wanted, &errors, 0).unwrap_or_default()),
    });
    let (mut loaded, functions) = loaded?;
    name_files(&mut loaded.program, 0);
    Ok((loaded, functions))
}

/// What clang says of conditions, of which the first has this number among the atoms.
pub fn explain(wanted: &Interrupts, errors: &[AtomError], first: usize) -> Option<String> {
    let said = errors.iter().filter_map(|error| {
        let (handler, text) = wanted.conditions.get(error.atom.checked_sub(first)?)?;
        Some(format!("--interrupt-if '{handler}: {text}': {}", error.message))
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

/// What is checked of a condition is of the program, other than what is checked of atoms of formulas.
pub fn name_files(program: &mut Program, first: usize) {
    for file in program.files.iter_mut() {
        let number = file
            .path
            .strip_prefix("<atom ")
            .and_then(|rest| rest.strip_suffix('>'));
        let number: Option<usize> = number.and_then(|number| number.parse().ok());
        if number.is_some_and(|number| number >= first) {
            FILE.clone_into(&mut file.path);
        }
    }
}

/// Makes memory of registers, and refuses what is more than a look.
pub fn prepare(program: &mut Program, wanted: &Interrupts, conditions: &[FunctionId]) -> Result<(), Failure> {
    if conditions.is_empty() {
        return Ok(());
    }
    let registers = keep_registers(program, conditions);
    let registers = registers.map_err(|message| Failure::input(format!("--interrupt-if: {message}")))?;
    for ((handler, text), function) in wanted.conditions.iter().zip(conditions) {
        only_looks(program, *function).map_err(|message| {
            Failure::input(format!(
                "--interrupt-if '{handler}: {text}' cannot be evaluated at any time: {message}"
            ))
        })?;
    }
    if !registers.is_empty() {
        program.assumptions.push(format!(
            "the registers {} begin with 0 and keep what the program writes, as --interrupt-if reads them",
            registers.join(", ")
        ));
    }
    Ok(())
}

/// `HANDLER: EXPRESSION`.
pub fn parse_condition(text: &str) -> Result<(String, String), String> {
    let (handler, expression) = text.split_once(':').unwrap_or((text, ""));
    match (handler.trim(), expression.trim()) {
        ("", _) | (_, "") => Err(format!("'{text}' is no 'HANDLER: EXPRESSION'")),
        (handler, expression) => Ok((handler.to_owned(), expression.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_condition;

    #[test]
    fn conditions_are_of_a_handler() {
        let expected = ("tick".to_owned(), "on ? 1 : mask & 1".to_owned());
        assert_eq!(parse_condition("tick: on ? 1 : mask & 1"), Ok(expected));
        for wrong in ["tick", "tick:", ": x", ""] {
            assert!(parse_condition(wrong).is_err(), "{wrong}");
        }
    }
}
