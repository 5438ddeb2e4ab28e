//! What a solver offers, whichever it is.

use std::fmt;

use kripke_limits::Limits;
use rustc_hash::FxHashMap;

use crate::terms::{TermId, Terms};
use crate::value::Value;

/// The answer to a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SatResult {
    /// There is a model; see [`Solver::value`].
    Sat,
    /// There is none.
    Unsat,
    /// Not decided, with the reason (a limit, an interrupt, the solver's own words).
    Unknown(String),
}

/// Why a solver could not be asked or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverError {
    /// Which solver.
    pub solver: String,
    /// What happened, and what to do about it.
    pub message: String,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "solver {}: {}", self.solver, self.message)
    }
}

impl std::error::Error for SolverError {}

/// An incremental solver over the terms of one store.
///
/// Every call of one instance takes the same store. A model is of the last check that answered
/// [`SatResult::Sat`], until the next call that changes the solver.
pub trait Solver {
    /// Adds a constraint to the current level.
    fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SolverError>;
    /// Opens a level.
    fn push(&mut self) -> Result<(), SolverError>;
    /// Closes a level and forgets its constraints.
    fn pop(&mut self) -> Result<(), SolverError>;
    /// Asks whether the constraints and the assumptions have a model.
    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError>;
    /// The same where the answer costs little; `None` where it takes a search ([`Solver::check`]), or the
    /// solver knows no such questions.
    fn check_at_once(
        &mut self,
        _terms: &Terms,
        _assumptions: &[TermId],
        _limits: &Limits,
    ) -> Option<SatResult> {
        None
    }
    /// The model's value of a variable (a default for one the constraints do not mention).
    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError>;
    /// The model's values of all variables that are not zero, where they are at hand.
    fn assignment(&mut self) -> Option<FxHashMap<TermId, Value>> {
        None
    }
    /// Of the assumptions of the last check, which answered [`SatResult::Unsat`], some that have no model
    /// together with the constraints, by their numbers; `None` where the solver does not tell.
    fn excluding(&mut self) -> Result<Option<Vec<usize>>, SolverError> {
        Ok(None)
    }
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// The model's value of any term; `None` when the model cannot be read.
    fn value(&mut self, terms: &Terms, term: TermId) -> Option<Value> {
        self.values(terms, &[term]).ok()?.pop()
    }

    /// The model's values of some terms.
    fn values(&mut self, terms: &Terms, wanted: &[TermId]) -> Result<Vec<Value>, SolverError> {
        let mut model = FxHashMap::default();
        for variable in terms.variables_of(wanted) {
            model.insert(variable, self.variable_value(terms, variable)?);
        }
        let assignment = |variable: TermId| model[&variable].clone();
        let mut evaluator = crate::Evaluator::new(terms, &assignment);
        Ok(wanted.iter().map(|&term| evaluator.evaluate(term)).collect())
    }
}

/// Which solver to use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum SolverChoice {
    /// Decision diagrams and the embedded solver, with interval search beside it where that applies.
    #[default]
    Default,
    /// The embedded solver alone.
    Bitwuzla,
    /// An SMT-LIB 2 solver: a program and its arguments, which reads commands from its input.
    External(Vec<String>),
    /// Two solvers whose answers must agree.
    CrossCheck(Box<SolverChoice>, Box<SolverChoice>),
    /// A solver whose queries are written to files in a directory.
    Dump(Box<SolverChoice>, std::path::PathBuf),
}

impl SolverChoice {
    /// Reads a choice as users write it: `default`, `bitwuzla`, `z3`, `cvc5`, or a command line.
    pub fn parse(text: &str) -> Result<SolverChoice, SolverError> {
        let command =
            |words: &[&str]| SolverChoice::External(words.iter().map(|&word| word.to_owned()).collect());
        Ok(match text.trim() {
            "default" => SolverChoice::Default,
            "bitwuzla" => SolverChoice::Bitwuzla,
            "z3" => command(&["z3", "-in", "-smt2"]),
            "cvc5" => command(&["cvc5", "--lang=smt2", "--incremental", "--fp-exp", "--arrays-exp"]),
            "" => {
                let message = "no solver named; use default, bitwuzla, z3, cvc5 or a command".to_owned();
                return Err(SolverError {
                    solver: String::new(),
                    message,
                });
            }
            other => command(&other.split_whitespace().collect::<Vec<_>>()),
        })
    }

    /// The command an external solver is started with.
    pub fn command(&self) -> Option<&[String]> {
        if let SolverChoice::External(command) = self {
            Some(command)
        } else {
            None
        }
    }
}
