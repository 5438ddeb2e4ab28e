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
use kripke_smt::{SatResult, Solver, SolverError, TermId};

use crate::decide::{Decider, solver_failed};
use crate::differences::over_differences;
use crate::engine::Engine;
use crate::invariants::arrivals::Solvers;
use crate::invariants::nearby::Assignment;
use crate::kept::{self, Kept};
use crate::replay::Model;

/// The part of its time that a question gets at the solver that is kept.
const PART: u32 = 2;
/// How much longer than the other solver it may be asked in vain.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a question came to.
pub(super) enum Answer {
    /// It cannot be.
    Impossible,
    /// It can: then these of the terms that were asked about are true, where variables have these values.
    Possible(Vec<bool>, Assignment),
    /// There is no answer in time.
    Open,
}

/// The solvers that are asked.
pub(super) struct Questions<'q, 'd> {
    decider: &'q mut Decider<'d>,
    kept: Kept,
    in_vain: Duration,
    /// What the other solver took meanwhile.
    others: Duration,
    /// Only the solver that is kept is asked.
    pub keeps_to_one: bool,
    /// Those of arrivals that are asked one by one.
    pub solvers: Solvers,
}

impl<'q, 'd> Questions<'q, 'd> {
    pub fn new(decider: &'q mut Decider<'d>) -> Self {
        Self::with(decider, (Kept::default(), Solvers::default()))
    }

    /// With solvers that were asked similar questions before.
    pub fn with(decider: &'q mut Decider<'d>, (kept, solvers): (Kept, Solvers)) -> Self {
        Questions {
            decider,
            kept,
            in_vain: Duration::ZERO,
            others: Duration::ZERO,
            keeps_to_one: false,
            solvers,
        }
    }

    /// Keeps that solver instead, and gives back the other.
    pub fn exchange(&mut self, kept: &mut Kept) {
        std::mem::swap(&mut self.kept, kept);
    }

    /// The solvers that are kept.
    pub fn into_kept(self) -> (Kept, Solvers) {
        (self.kept, self.solvers)
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
        let is_simple = simple.is_some();
        let conditions = simple.as_deref().unwrap_or(conditions);
        let is_patient = self.keeps_to_one || self.in_vain < stretched(PATIENCE) + self.others;
        let may_keep = engine.run.record.applications.is_empty();
        if may_keep && is_patient {
            let now = Instant::now();
            let part = if self.keeps_to_one { 1 } else { PART };
            let until = now + (until - now.min(until)) / part;
            let answer = self.ask_kept(engine, (conditions, is_simple), about, until);
            self.decider.queries += 1;
            self.decider.time += now.elapsed();
            match answer {
                Some(answer) => return Ok(answer),
                None if self.keeps_to_one => return Ok(Answer::Open),
                None => self.in_vain += now.elapsed(),
            }
        }
        let now = Instant::now();
        let answer = self.decider.ask_by_cases(engine, conditions, until);
        self.others += now.elapsed();
        match answer {
            Ok(SatResult::Unsat) => Ok(Answer::Impossible),
            Ok(SatResult::Sat) => {
                let found = found(engine, self.decider.solver.as_mut(), conditions, about);
                found.map_err(|error| solver_failed(&error))
            }
            Ok(SatResult::Unknown(_)) | Err(Reason::Time) => Ok(Answer::Open),
            Err(reason) => Err(reason),
        }
    }

    fn ask_kept(
        &mut self,
        engine: &mut Engine<'_>,
        (conditions, are_new): (&[TermId], bool),
        about: &[TermId],
        until: Instant,
    ) -> Option<Answer> {
        let answer = match are_new {
            true => self.kept.ask(&engine.terms, engine.options, conditions, until),
            false => self
                .kept
                .ask_by_name(&mut engine.terms, engine.options, conditions, until),
        };
        match answer {
            kept::Answer::Impossible => Some(Answer::Impossible),
            kept::Answer::Possible(solver) => found(engine, solver, conditions, about).ok(),
            kept::Answer::Open => None,
        }
    }
}

/// What a model says.
fn found(
    engine: &Engine<'_>,
    solver: &mut dyn Solver,
    conditions: &[TermId],
    about: &[TermId],
) -> Result<Answer, SolverError> {
    let model = Model::new(solver);
    let values = model.evaluate(engine, about)?;
    // Looks at the variables on which they depend.
    model.evaluate(engine, conditions)?;
    let truths = values.iter().map(|value| value.as_bool() == Some(true)).collect();
    Ok(Answer::Possible(truths, model.into_values()))
}
