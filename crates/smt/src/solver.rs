//! What a solver offers, whichever it is.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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

/// What a check may cost.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The check ends undecided at this time.
    pub deadline: Option<Instant>,
    /// The check ends undecided soon after this becomes true.
    pub interrupt: Arc<AtomicBool>,
    /// A second flag of the same effect, for solvers that race each other.
    pub cancel: Arc<AtomicBool>,
    /// The check ends undecided when the process has this many bytes resident.
    pub memory: Option<u64>,
}

impl Limits {
    /// The reason to stop now, if there is one. Memory is asked of the system, so not for hot loops.
    pub fn exceeded(&self) -> Option<&'static str> {
        self.stopped().or_else(|| {
            let limit = self.memory?;
            (resident_memory()? > limit).then_some("memory limit")
        })
    }

    /// The reason to stop now, memory apart.
    pub fn stopped(&self) -> Option<&'static str> {
        if self.interrupt.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed) {
            return Some("interrupted");
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some("time limit")
    }

    /// The same limits with an earlier deadline.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Limits {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Limits {
            deadline: Some(earlier),
            ..self.clone()
        }
    }
}

/// Bytes of this process that are resident, where the system tells.
fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
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
    /// The model's value of a variable (a default for one the constraints do not mention).
    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError>;
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// The model's value of any term; `None` when the model cannot be read.
    fn value(&mut self, terms: &Terms, term: TermId) -> Option<Value> {
        self.values(terms, &[term]).ok()?.pop()
    }

    /// The model's values of some terms.
    fn values(&mut self, terms: &Terms, wanted: &[TermId]) -> Result<Vec<Value>, SolverError> {
        let mut model = rustc_hash::FxHashMap::default();
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
    /// The embedded solver, with interval search beside it where that applies.
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
