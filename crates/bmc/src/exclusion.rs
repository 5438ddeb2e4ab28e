//! Conditions that the bounds of numbers exclude.
//!
//! Idea: abstract states of threads have bounds, and a path compares with constants; most checks are about
//! less than that. Asked one by one in hundreds of states, they would be one large question for a solver.
//!
//! Invariant: what is excluded has no value within the facts of its path.

use kripke_smt::{Op, Sort, TermId};

use crate::engine::Engine;
use crate::range::{Interval, Ranges};
use crate::state::State;

/// How many conditions inside each other are looked at.
const DEEPEST: u32 = 8;

impl Engine<'_> {
    /// Is it known of a condition that it does not hold, where the run looks at bounds?
    pub(crate) fn is_excluded_by_ranges(&mut self, state: &State, condition: TermId) -> bool {
        if !self.run.compares_ranges {
            return false;
        }
        let facts = self.facts(state.path);
        Ranges::careful(&self.terms, &facts).excludes(condition)
    }
}

impl Ranges<'_> {
    /// Is it known that a condition does not hold?
    pub fn excludes(&mut self, condition: TermId) -> bool {
        self.excludes_truth(condition, true, 0)
    }

    /// Is it known that a condition is not what it is said to be?
    fn excludes_truth(&mut self, condition: TermId, holds: bool, depth: u32) -> bool {
        if depth > DEEPEST {
            return false;
        }
        if let Some(truth) = self.terms().as_bool(condition) {
            return truth != holds;
        }
        let part = |ranges: &mut Self, part: TermId| ranges.excludes_truth(part, holds, depth + 1);
        let operands = self.terms().children(condition);
        match (self.terms().op(condition), operands) {
            (Op::Not, [inner]) => self.excludes_truth(*inner, !holds, depth + 1),
            (Op::And, [a, b]) if holds => part(self, *a) || part(self, *b),
            (Op::And, [a, b]) => part(self, *a) && part(self, *b),
            (Op::Or, [a, b]) if holds => part(self, *a) && part(self, *b),
            (Op::Or, [a, b]) => part(self, *a) || part(self, *b),
            (Op::Eq, [a, b]) if holds => self.numbers(*a, *b).is_some_and(|(a, b)| are_apart(a, b)),
            (op @ (Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle), [a, b]) => {
                let Some((a, b)) = self.numbers(*a, *b) else {
                    return false;
                };
                let is_signed = matches!(op, Op::BvSlt | Op::BvSle);
                let is_strict = matches!(op, Op::BvSlt | Op::BvUlt);
                // Of numbers that are not negative both orders are the same.
                (is_signed || a.low >= 0 && b.low >= 0)
                    && match (holds, is_strict) {
                        (true, true) => a.low >= b.high,
                        (true, false) => a.low > b.high,
                        (false, true) => a.high < b.low,
                        (false, false) => a.high <= b.low,
                    }
            }
            _ => false,
        }
    }

    /// The intervals of two numbers.
    fn numbers(&mut self, a: TermId, b: TermId) -> Option<(Interval, Interval)> {
        let is_number = matches!(self.terms().sort(a), Sort::BitVec(width) if width <= 100);
        is_number.then(|| (self.interval(a), self.interval(b)))
    }
}

fn are_apart(a: Interval, b: Interval) -> bool {
    a.high < b.low || b.high < a.low
}
