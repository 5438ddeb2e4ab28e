//! Questions about few bits of input, answered by decision diagrams.
//!
//! Idea: what a program does with a handful of unknown bytes is a small function of their bits, read in the
//! order in which the bytes were: the states of a parser are few, its paths are not. The diagrams of terms
//! are kept, so that the next question about a path that goes on costs what was added.
//!
//! Invariant: *unsatisfiable* is certain, as unknowns that stand for terms may have any value; a model is
//! given only where nothing but variables decides. What it may cost in vain is limited, so it never matters
//! where it does not suit.

mod circuits;
mod functions;
mod store;
mod values;

use kripke_limits::Limits;
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use crate::op::Sort;
use crate::terms::{TermId, Terms};
use crate::value::Value;
use functions::Functions;
use store::Edge;

/// Steps that may be spent in vain in any case; beside them, twice those that led to answers.
const ALLOWANCE: u64 = 1 << 18;
/// Nodes and levels after which everything begins again.
const MOST_NODES: usize = 1 << 24;
const MOST_LEVELS: usize = 1 << 12;
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
    useful: u64,
    /// Questions that were answered.
    pub(crate) answers: u64,
}

impl Diagrams {
    pub(crate) fn new() -> Self {
        Diagrams {
            functions: Functions::new(),
            in_vain: 0,
            useful: 0,
            answers: 0,
        }
    }

    /// Can all of the conditions hold? `None` where that would take too long, or depends on more than bits.
    pub(crate) fn decide(&mut self, terms: &Terms, conditions: &[TermId], limits: &Limits) -> Option<Answer> {
        let patience = (ALLOWANCE + 2 * self.useful).saturating_sub(self.in_vain);
        if patience == 0 {
            return None;
        }
        let before = self.functions.store.work;
        self.functions.store.budget = before + patience;
        let answer = self.answer(terms, conditions, limits);
        let work = self.functions.store.work - before + conditions.len() as u64;
        match answer {
            Some(_) => {
                self.useful += work;
                self.answers += 1;
            }
            None => self.in_vain += work,
        }
        if self.functions.len() > MOST_NODES || self.functions.levels.len() > MOST_LEVELS {
            self.functions = Functions::new();
        }
        answer
    }

    fn answer(&mut self, terms: &Terms, conditions: &[TermId], limits: &Limits) -> Option<Answer> {
        let mut conditions = conditions.to_vec();
        conditions.sort_unstable();
        let levels = self.functions.levels.len();
        self.functions.arrange(terms, &conditions);
        if self.functions.levels.len() > levels + MOST_NEW_LEVELS {
            return None;
        }
        let (mut all, mut all_exact) = (Edge::TRUE, true);
        for condition in conditions {
            limits.stopped().is_none().then_some(())?;
            let (truth, exact) = self.functions.truth(terms, condition).ok()?;
            all = self.functions.store.and(all, truth).ok()?;
            all_exact &= exact;
            if all == Edge::FALSE {
                return Some(Answer::Unsat);
            }
        }
        all_exact.then(|| Answer::Sat(self.model(terms, all)))
    }

    /// The smallest values for which a function is true: earlier variables are made small first.
    fn model(&self, terms: &Terms, function: Edge) -> FxHashMap<TermId, Value> {
        let mut ones: FxHashMap<TermId, u128> = FxHashMap::default();
        let mut at = function;
        while !at.is_constant() {
            let level = self.functions.store.level(at);
            let (high, low) = self.functions.store.cofactors(at, level);
            let takes_high = low == Edge::FALSE;
            if let Some((variable, place)) = self.functions.levels[level as usize] {
                *ones.entry(variable).or_default() |= u128::from(takes_high) << place;
            }
            at = if takes_high { high } else { low };
        }
        let value = |(variable, ones): (TermId, u128)| match terms.sort(variable) {
            Sort::Bool => (variable, Value::Bool(ones != 0)),
            sort => (variable, Value::BitVec(BitVec::new(sort.width(), ones))),
        };
        ones.into_iter().map(value).collect()
    }
}
