//! Temporal formulas over the variables of a program: compiled into it, checked.

use kripke_bmc::ltl::{self, TemporalError, TemporalOptions, TemporalProperty};
use kripke_bmc::{Options, Progress};
use kripke_elts::{FunctionId, Program};
use kripke_interrupts::Interrupts;
use kripke_llvm::atoms::{self, LoadError};
use kripke_llvm::loader::LoadOptions;
use kripke_llvm::translate::FoundHandler;
use kripke_logic::{Logic, SyntaxError};
use kripke_model::{Property, Report};

use super::conditions;
use super::load::{optimise, tell_messages};
use crate::events::Events;
use crate::failure::Failure;
use crate::formulas::Given;
use crate::job::{Fairness, Form, ProgramJob};

/// Refuses formulas that no C program is checked against.
pub fn refuse_branching(given: &[Given]) -> Result<(), Failure> {
    let branches = |given: &&Given| {
        given.form != Form::Ltl || matches!(given.formula.logic(), Logic::Ctl | Logic::Mixed)
    };
    match given.iter().find(branches) {
        None => Ok(()),
        Some(Given { place, .. }) => Err(Failure::input(format!(
            "{place}: this formula has path quantifiers (A, E); C programs are checked against linear-time \
             formulas, \
             where G, F, X and U stand alone"
        ))),
    }
}

/// A program with its formulas.
pub struct WithFormulas {
    pub program: Program,
    /// The handlers of interrupts in its sources, where they were looked for.
    pub handlers: Vec<FoundHandler>,
    /// The functions that say whether handlers may come.
    pub conditions: Vec<FunctionId>,
    properties: Vec<TemporalProperty>,
    given: Vec<Given>,
}

impl WithFormulas {
    /// The functions that evaluate the atoms of the formulas.
    pub fn atoms(&self) -> Vec<FunctionId> {
        let all = self.properties.iter().flat_map(|property| &property.atoms);
        all.copied().collect()
    }
}

/// Loads a program together with the atoms of its formulas.
pub fn load(
    options: &LoadOptions,
    given: Vec<Given>,
    (interrupts, conditions): (&Interrupts, &[String]),
    events: &mut dyn Events,
) -> Result<WithFormulas, Failure> {
    let mut texts: Vec<String> = Vec::new();
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for formula in &given {
        let atoms = formula.formula.atoms().iter().map(|(_, atom)| {
            let known = texts.iter().position(|text| *text == atom.text);
            known.unwrap_or_else(|| {
                texts.push(atom.text.clone());
                texts.len() - 1
            })
        });
        numbers.push(atoms.collect());
    }
    let first = texts.len();
    texts.extend(conditions.iter().cloned());
    let loaded = atoms::load(options, &texts);
    tell_messages(options, events);
    let (mut loaded, functions) = loaded.map_err(|error| match error {
        LoadError::Program(error) => error.into(),
        LoadError::Atoms(errors) => match conditions::explain(interrupts, &errors, first) {
            Some(message) => Failure::input(message),
            None => Failure::input(explain(&given, &numbers, &errors)),
        },
    })?;
    conditions::name_files(&mut loaded.program, first);
    for warning in loaded.warnings {
        events.warning(&format!("warning: {warning}"));
    }
    let properties = given
        .iter()
        .zip(&numbers)
        .map(|(formula, numbers)| TemporalProperty {
            name: formula.name.clone(),
            text: formula.text.clone(),
            formula: formula.formula.clone(),
            atoms: numbers.iter().map(|number| functions[*number]).collect(),
        });
    Ok(WithFormulas {
        program: loaded.program,
        handlers: loaded.handlers,
        conditions: functions[first..].to_vec(),
        properties: properties.collect(),
        given,
    })
}

/// What clang says of atoms, at their places in the formulas.
fn explain(given: &[Given], numbers: &[Vec<usize>], errors: &[atoms::AtomError]) -> String {
    let mut messages = Vec::new();
    for error in errors {
        let mut users = given.iter().zip(numbers);
        let found = users.find_map(|(formula, numbers)| {
            let index = numbers.iter().position(|number| *number == error.atom)?;
            Some((formula, index))
        });
        let Some((formula, index)) = found else { continue };
        let hint = if error.message.contains("undeclared identifier") {
            Some(
                "atoms are C expressions over global variables, static ones too; locals and parameters have \
                 no meaning outside their function",
            )
        } else {
            None
        };
        messages.push(at_atom(formula, index, error.column, &error.message, hint));
    }
    messages.join("\n")
}

/// A message about an atom of a formula, with the place.
fn at_atom(formula: &Given, index: usize, column: usize, message: &str, hint: Option<&str>) -> String {
    let atom = formula
        .formula
        .atoms()
        .iter()
        .nth(index)
        .map(|(_, atom)| atom.clone());
    let Some(atom) = atom else {
        return message.to_string();
    };
    let text = formula.text.get(atom.offset..).unwrap_or("");
    // The offset is that of the atom's opening brace or quote, where it has one.
    let start = atom.offset + text.find(atom.text.as_str()).unwrap_or(0);
    let at = atom
        .text
        .char_indices()
        .nth(column)
        .map_or(atom.text.len(), |(at, _)| at);
    let width = atom.text[at..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum::<usize>();
    let span = start + at..(start + at + width.max(1)).min(formula.text.len().max(start + at));
    let mut error = SyntaxError::new(&formula.text, span, format!("{}: {message}", formula.name));
    if let Some(hint) = hint {
        error = error.with_hint(hint);
    }
    error.to_string()
}

/// Checks the formulas.
pub fn check(
    program: &WithFormulas,
    job: &ProgramJob,
    options: &Options,
    progress: &mut (dyn Progress + Send),
) -> Result<Report, Failure> {
    let optimise = |program: &mut Program| {
        optimise(program, None);
    };
    let temporal = TemporalOptions {
        options,
        optimise: &optimise,
        lasso: job.lasso,
        is_fair: job.fairness == Fairness::Weak,
        induction: job.bounds.k_induction,
    };
    ltl::check(&program.program, &program.properties, &temporal, progress).map_err(|error| match error {
        TemporalError::Atom(problem) => {
            let formula = &program.given[problem.formula];
            let message = format!("this atom cannot be evaluated at any time: {}", problem.message);
            Failure::input(at_atom(formula, problem.atom, 0, &message, None))
        }
        TemporalError::Formula { formula, message } => {
            Failure::input(format!("{}: {message}", program.given[formula].name))
        }
        TemporalError::Internal(error) => Failure::Internal(error.to_string()),
    })
}

/// One report of both; the temporal formulas come last.
pub fn join(mut report: Report, mut temporal: Report) -> Report {
    report.results.append(&mut temporal.results);
    for assumption in temporal.assumptions {
        if !report.assumptions.contains(&assumption) {
            report.assumptions.push(assumption);
        }
    }
    report.statistics.queries += temporal.statistics.queries;
    report.statistics.solver_seconds += temporal.statistics.solver_seconds;
    report.statistics.bound = report.statistics.bound.max(temporal.statistics.bound);
    report
}

/// Whether a property is the user's: checks of the code that atoms consist of are none of the program's.
pub fn is_of_program(property: &Property) -> bool {
    property.kind.is_formula() || !property.place.file.contains("<atom")
}
