//! The many similar questions of a fixpoint.
//!
//! Idea: one round differs from the next by a few candidates, so a solver that keeps what it has learned
//! answers most of them at once. It only gets a part of the time; the solver that begins anew has the rest,
//! and all of it where values of functions of analysis would have to be refined.
//!
//! Invariant: both are told the same.

use std::time::{Duration, Instant};

use kripke_limits::stretched;
use kripke_model::Reason;
use kripke_smt::{SatResult, TermId};

use crate::decide::{Decider, solver_failed};
use crate::differences::over_differences;
use crate::engine::Engine;
use crate::kept::{self, Kept};
use crate::replay::Model;

/// The part of its time that a question gets at the solver that is kept.
const PART: u32 = 2;
/// After so much that was in vain it is not asked any more.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a question came to.
pub(super) enum Answer {
    /// It cannot be.
    Impossible,
    /// It can, and then these of the terms that were asked about are true.
    Possible(Vec<bool>),
    /// There is no answer in time.
    Open,
}

/// The solvers that are asked.
pub(super) struct Questions<'q, 'd> {
    decider: &'q mut Decider<'d>,
    kept: Kept,
    in_vain: Duration,
}

impl<'q, 'd> Questions<'q, 'd> {
    pub fn new(decider: &'q mut Decider<'d>) -> Self {
        Questions {
            decider,
            kept: Kept::default(),
            in_vain: Duration::ZERO,
        }
    }

    /// Can all conditions hold, and which of the terms are true then?
    pub fn ask(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        about: &[TermId],
        until: Instant,
    ) -> Result<Answer, Reason> {
        let simple = over_differences(&mut engine.terms, conditions);
        let conditions = simple.as_deref().unwrap_or(conditions);
        if engine.run.record.applications.is_empty() && self.in_vain < stretched(PATIENCE) {
            let now = Instant::now();
            let answer = self.ask_kept(engine, conditions, about, now + (until - now.min(until)) / PART);
            self.decider.queries += 1;
            self.decider.time += now.elapsed();
            match answer {
                Some(answer) => return Ok(answer),
                None => self.in_vain += now.elapsed(),
            }
        }
        match self.decider.ask_by_cases(engine, conditions, until) {
            Ok(SatResult::Unsat) => Ok(Answer::Impossible),
            Ok(SatResult::Sat) => {
                let model = Model::new(self.decider.solver.as_mut());
                let values = model.evaluate(engine, about);
                let values = values.map_err(|error| solver_failed(&error))?;
                Ok(Answer::Possible(truths(&values)))
            }
            Ok(SatResult::Unknown(_)) | Err(Reason::Time) => Ok(Answer::Open),
            Err(reason) => Err(reason),
        }
    }

    fn ask_kept(
        &mut self,
        engine: &Engine<'_>,
        conditions: &[TermId],
        about: &[TermId],
        until: Instant,
    ) -> Option<Answer> {
        match self.kept.ask(&engine.terms, engine.options, conditions, until) {
            kept::Answer::Impossible => Some(Answer::Impossible),
            kept::Answer::Possible(solver) => {
                let values = Model::new(solver).evaluate(engine, about).ok()?;
                Some(Answer::Possible(truths(&values)))
            }
            kept::Answer::Open => None,
        }
    }
}

fn truths(values: &[kripke_smt::Value]) -> Vec<bool> {
    values.iter().map(|value| value.as_bool() == Some(true)).collect()
}
