//! What a solver is told of all that is assumed.
//!
//! Idea: of hundreds of invariants a proof needs a few. So a question is asked with none of them at first,
//! and where its answer is a state in which one does not hold, it is asked again with that one, until there
//! is no such state or everything holds in it that speaks of what the question is about.
//!
//! Invariant: what is impossible given some of what is assumed is impossible given all of it.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{Evaluator, TermId, Value};
use rustc_hash::FxHashSet;

use crate::decide::Decider;
use crate::engine::Engine;
use crate::invariants::arrivals::Solvers;
use crate::invariants::candidate::Candidate;
use crate::invariants::nearby::Assignment;
use crate::invariants::questions::{Answer, Questions};
use crate::kept::Kept;

/// How much is told at once.
const AT_ONCE: usize = 16;
/// How often a question about several conditions is asked before it is told everything.
const ROUNDS: usize = 6;

/// Something that is assumed: what is told first has a small distance.
pub(super) struct Assumed<'a> {
    pub distance: usize,
    pub condition: TermId,
    pub variables: &'a [TermId],
}

/// What was told.
pub(super) struct Told {
    conditions: FxHashSet<TermId>,
    /// The variables in that and in the question itself.
    mentioned: FxHashSet<TermId>,
}

impl Told {
    /// Nothing yet, for a question about these formulas.
    pub fn about(engine: &Engine<'_>, formulas: &[TermId]) -> Self {
        Told {
            conditions: FxHashSet::default(),
            mentioned: engine.terms.variables_of(formulas).into_iter().collect(),
        }
    }

    pub fn contains(&self, condition: TermId) -> bool {
        self.conditions.contains(&condition)
    }

    /// Adds everything that is assumed.
    pub fn tell_all<'a>(&mut self, assumed: impl Iterator<Item = Assumed<'a>>) {
        self.conditions.extend(assumed.map(|assumed| assumed.condition));
    }

    /// Adds what is assumed, speaks of what the question is about and does not hold in the state, the nearest
    /// first; false when there is nothing of that.
    pub fn tell<'a>(
        &mut self,
        engine: &Engine<'_>,
        assumed: impl Iterator<Item = Assumed<'a>>,
        state: &Assignment,
    ) -> bool {
        let variable = |variable: TermId| match state.get(&variable) {
            Some(value) => value.clone(),
            None => Value::zero(engine.terms.sort(variable)),
        };
        let mut evaluator = Evaluator::new(&engine.terms, &variable);
        let is_mentioned = |variable: &TermId| self.mentioned.contains(variable);
        let is_new = |assumed: &Assumed<'_>| {
            !self.contains(assumed.condition)
                && assumed.variables.iter().any(is_mentioned)
                && evaluator.evaluate(assumed.condition).as_bool() != Some(true)
        };
        let mut new: Vec<Assumed<'a>> = assumed.filter(is_new).collect();
        new.sort_by_key(|assumed| assumed.distance);
        new.truncate(AT_ONCE);
        for assumed in &new {
            self.conditions.insert(assumed.condition);
            self.mentioned.extend(assumed.variables);
        }
        !new.is_empty()
    }
}

/// What was found out of some conditions, given invariants.
pub(crate) struct Impossible {
    /// Which of them were not found possible.
    pub are_left: Vec<bool>,
    /// Those are impossible; else there was no time to see that.
    pub is_proved: bool,
    /// One of those, with the invariants that were told of.
    pub whole: TermId,
}

/// Asks about all conditions at once, and leaves out what is possible, until the others are not.
pub(crate) fn impossible_given(
    engine: &mut Engine<'_>,
    decider: &mut Decider<'_>,
    (conditions, invariants): (&[TermId], &[Candidate]),
    kept: &mut Kept,
    until: Instant,
) -> Result<Impossible, Reason> {
    let facts = engine.address_facts();
    let mut told = Told::about(engine, conditions);
    let mut are_left = vec![true; conditions.len()];
    let mut questions = Questions::with(decider, (std::mem::take(kept), Solvers::default()));
    let mut rounds = 0;
    let (whole, is_proved) = loop {
        let asked = conditions.iter().zip(&are_left).filter(|(_, is_left)| **is_left);
        let any = engine
            .terms
            .or_all(asked.map(|(condition, _)| *condition).collect::<Vec<_>>());
        let assumptions = invariants.iter().map(|candidate| candidate.assumption);
        let assumed: Vec<TermId> = assumptions
            .filter(|assumption| told.contains(*assumption))
            .collect();
        let given = engine.terms.and_all(assumed.iter().copied());
        let whole = engine.terms.and(any, given);
        if engine.terms.as_bool(whole) == Some(false) {
            break (whole, true);
        }
        let question = [&[any, facts], &assumed[..]].concat();
        match questions.ask(engine, &question, conditions, until)? {
            Answer::Impossible => break (whole, true),
            Answer::Open => break (whole, false),
            Answer::Possible(are_possible, state) => {
                let assumed = invariants.iter().map(|candidate| Assumed {
                    distance: 0,
                    condition: candidate.assumption,
                    variables: &candidate.variables,
                });
                if told.tell(engine, assumed.clone(), &state) {
                    rounds += 1;
                    if rounds == ROUNDS {
                        told.tell_all(assumed);
                    }
                    continue;
                }
                let before = are_left.clone();
                for (is_left, is_possible) in are_left.iter_mut().zip(are_possible) {
                    *is_left &= !is_possible;
                }
                if are_left == before {
                    break (whole, false);
                }
            }
        }
    };
    *kept = questions.into_kept().0;
    Ok(Impossible {
        are_left,
        is_proved,
        whole,
    })
}
