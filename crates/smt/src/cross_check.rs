//! Two solvers asked the same questions: a disagreement is an error, never an answer.

use kripke_limits::Limits;

use crate::assertions::Assertions;
use crate::solver::{SatResult, Solver, SolverError};
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// Asks two solvers. Where only one decides, its answer counts; a model of either is checked
/// against the assertions by evaluation.
pub struct CrossCheck {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    name: String,
    assertions: Assertions,
    model_of_second: bool,
}

impl CrossCheck {
    /// A pair of solvers with nothing asserted.
    pub fn new(first: Box<dyn Solver>, second: Box<dyn Solver>) -> Self {
        let name = format!("{}+{}", first.name(), second.name());
        CrossCheck {
            first,
            second,
            name,
            assertions: Assertions::new(),
            model_of_second: false,
        }
    }

    fn error(&self, message: String) -> SolverError {
        SolverError {
            solver: self.name.clone(),
            message,
        }
    }

    /// The model must satisfy everything asserted and assumed.
    fn verify_model(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<(), SolverError> {
        let wanted = self.assertions.with(assumptions);
        let solver = if self.model_of_second {
            &mut self.second
        } else {
            &mut self.first
        };
        let values = solver.values(terms, &wanted)?;
        let name = solver.name().to_owned();
        if values.iter().all(|value| *value == Value::Bool(true)) {
            return Ok(());
        }
        Err(self.error(format!(
            "the model of {name} does not satisfy the formula; report this with --dump-smt2"
        )))
    }
}

impl Solver for CrossCheck {
    fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SolverError> {
        self.assertions.add(term);
        self.first.assert(terms, term)?;
        self.second.assert(terms, term)
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.assertions.push();
        self.first.push()?;
        self.second.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.assertions.pop();
        self.first.pop()?;
        self.second.pop()
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        let first = self.first.check(terms, assumptions, limits)?;
        let second = self.second.check(terms, assumptions, limits)?;
        self.model_of_second = second == SatResult::Sat && first != SatResult::Sat;
        match (&first, &second) {
            (SatResult::Sat, SatResult::Unsat) | (SatResult::Unsat, SatResult::Sat) => {
                Err(self.error(format!(
                    "{} answers {first:?}, {} answers {second:?}; report this with --dump-smt2",
                    self.first.name(),
                    self.second.name()
                )))
            }
            (SatResult::Sat, _) | (_, SatResult::Sat) => {
                self.verify_model(terms, assumptions)?;
                Ok(SatResult::Sat)
            }
            (SatResult::Unknown(_), _) => Ok(second),
            _ => Ok(first),
        }
    }

    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError> {
        let solver = if self.model_of_second {
            &mut self.second
        } else {
            &mut self.first
        };
        solver.variable_value(terms, variable)
    }

    fn name(&self) -> &str {
        &self.name
    }
}
