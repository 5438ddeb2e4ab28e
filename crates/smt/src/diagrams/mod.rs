//! Questions about few bits of input, answered by decision diagrams.
//!
//! Idea: what a program does with a handful of unknown bytes is a small function of their bits, read in the
//! order in which the bytes were: the states of a parser are few, its paths are not. The diagrams of terms
//! are kept, so that the next question about a path that goes on costs what was added.
//!
//! Invariant: *unsatisfiable* is certain, as unknowns that stand for terms may have any value; a model is
//! given only where nothing but variables decides, or where the conditions were evaluated. What it may cost
//! in vain is limited, so it never matters where it does not suit.

mod circuits;
mod effort;
mod functions;
mod models;
mod store;
mod values;

use std::time::Instant;

use kripke_limits::{Exhausted, Limits};
use rustc_hash::FxHashMap;

use crate::terms::{TermId, Terms};
use crate::value::Value;
use effort::Failed;
use functions::{Functions, MOST_NODES};
use store::Edge;

/// Steps that may be spent in vain: so many in any case, for each term there is, whose making took some
/// microseconds, and for each step that led to an answer.
const ALLOWANCE: u64 = 1 << 18;
const ALLOWANCE_OF_A_TERM: u64 = 1 << 3;
const ALLOWANCE_OF_USEFUL: u64 = 1;
/// Steps to join the conditions of a question.
const STEPS_OF_A_CONDITION: u64 = 1 << 24;
/// The part of the time of a question that diagrams may take.
const PART: u32 = 2;
/// Levels after which everything begins again, as it does when half of the nodes are there.
const MOST_LEVELS: usize = 1 << 14;
/// Bits of new variables in a question that suits: more are no handful of inputs.
const MOST_NEW_LEVELS: usize = 1 << 11;

/// An answer.
pub(crate) enum Answer {
    /// There is no model.
    Unsat,
    /// The values of the variables that matter; others may have any.
    Sat(FxHashMap<TermId, Value>),
}

/// Decides by diagrams.
pub(crate) struct Diagrams {
    functions: Functions,
    in_vain: u64,
    /// The same of guesses.
    guessed_in_vain: u64,
    useful: u64,
    /// Questions that were answered.
    pub(crate) answers: u64,
}

/// Limits that leave a part of the time to other solvers.
fn part_of_the_time(limits: &Limits) -> Limits {
    let Some(deadline) = limits.deadline else {
        return limits.clone();
    };
    let now = Instant::now();
    limits.until(now + deadline.saturating_duration_since(now) / PART)
}

impl Diagrams {
    pub(crate) fn new() -> Self {
        Diagrams {
            functions: Functions::new(),
            in_vain: 0,
            guessed_in_vain: 0,
            useful: 0,
            answers: 0,
        }
    }

    /// Can all of the conditions hold? `None` where that would take too long, or depends on more than bits.
    pub(crate) fn decide(&mut self, terms: &Terms, conditions: &[TermId], limits: &Limits) -> Option<Answer> {
        let allowed =
            ALLOWANCE + ALLOWANCE_OF_A_TERM * terms.len() as u64 + ALLOWANCE_OF_USEFUL * self.useful;
        let patience = allowed.saturating_sub(self.in_vain);
        let may_guess = self.guessed_in_vain < allowed;
        if patience == 0 {
            return None;
        }
        let effort = &mut self.functions.store.effort;
        let before = effort.done();
        effort.begin(patience, &part_of_the_time(limits));
        let guessed = self.guessed_in_vain;
        let answer = self.answer(terms, conditions, may_guess).ok().flatten();
        let guessed = self.guessed_in_vain - guessed;
        let work = self.functions.store.effort.done() - before - guessed;
        match answer {
            Some(_) => {
                self.useful += work;
                self.answers += 1;
            }
            None => self.in_vain += work,
        }
        let no_room = answer.is_none() && limits.exceeded() == Some(Exhausted::Memory);
        if no_room || self.functions.len() > MOST_NODES / 2 || self.functions.levels.len() > MOST_LEVELS {
            self.functions = Functions::new();
        }
        answer
    }

    /// The answer, where it is certain.
    fn answer(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        may_guess: bool,
    ) -> Result<Option<Answer>, Failed> {
        let mut conditions = conditions.to_vec();
        conditions.sort_unstable();
        self.functions.store.effort.steps(conditions.len())?;
        self.functions.arrange(terms, &conditions, MOST_NEW_LEVELS)?;
        let (mut all, mut all_exact) = (Edge::TRUE, true);
        for &condition in &conditions {
            let (truth, exact) = self.functions.truth(terms, condition)?;
            self.functions.store.effort.begin_term(STEPS_OF_A_CONDITION);
            all = self.functions.store.and(all, truth)?;
            all_exact &= exact;
            if all == Edge::FALSE {
                return Ok(Some(Answer::Unsat));
            }
        }
        let model = match all_exact {
            true => Some(self.functions.least_model(terms, all)),
            false if may_guess => self.guess(terms, &conditions, all),
            false => None,
        };
        Ok(model.map(Answer::Sat))
    }

    fn guess(&mut self, terms: &Terms, conditions: &[TermId], all: Edge) -> Option<FxHashMap<TermId, Value>> {
        let before = self.functions.store.effort.done();
        let found = self.functions.guess(terms, conditions, all).ok().flatten();
        if found.is_none() {
            self.guessed_in_vain += self.functions.store.effort.done() - before;
        }
        found
    }
}
