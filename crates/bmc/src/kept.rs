//! A solver that keeps what it has learned from one question to the next.
//!
//! Idea: questions that differ little are answered by such a solver at once. One that went on past its limit
//! cannot be asked again, so another takes its place.

use std::time::Instant;

use kripke_smt::{SatResult, Solver, TermId, Terms, create_incremental_solver};

use crate::limits;
use crate::options::Options;

/// Made when it is needed.
#[derive(Default)]
pub(crate) struct Kept {
    solver: Option<Box<dyn Solver>>,
}

/// What all conditions together come to.
pub(crate) enum Answer<'s> {
    /// They exclude each other.
    Impossible,
    /// They can all hold; the solver has a model.
    Possible(&'s mut dyn Solver),
    /// That was not found out in time.
    Open,
}

impl Kept {
    /// Can all conditions hold?
    pub fn ask(
        &mut self,
        terms: &Terms,
        options: &Options,
        conditions: &[TermId],
        until: Instant,
    ) -> Answer<'_> {
        let Some(mut solver) = self.take(options) else {
            return Answer::Open;
        };
        let limits = limits::of(options).until(until);
        match solver.check(terms, conditions, &limits) {
            Ok(SatResult::Sat) => Answer::Possible(self.solver.insert(solver).as_mut()),
            Ok(SatResult::Unsat) => {
                self.solver = Some(solver);
                Answer::Impossible
            }
            Ok(SatResult::Unknown(_)) => {
                self.solver = Some(solver);
                Answer::Open
            }
            Err(_) => Answer::Open,
        }
    }

    fn take(&mut self, options: &Options) -> Option<Box<dyn Solver>> {
        let known = self.solver.take();
        known.or_else(|| create_incremental_solver(&options.solver).ok())
    }
}
