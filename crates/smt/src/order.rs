//! What minima and maxima say about order, without a solver.
//!
//! Idea: `ite(a < b, a, b)` is the minimum of `a` and `b`, and not above either; a maximum is not below
//! either. Along chains and trees of them (searching for the least element, sorting networks) that decides
//! comparisons which a bit-blasting solver has to find out one case distinction at a time.
//!
//! Invariant: `not_above(a, b)` says true only when `a <= b` in every assignment; it may miss some.

use crate::op::Op;
use crate::terms::{TermId, Terms};

/// Pairs of terms looked at before giving up: a chain of N minima needs 2 N.
const BUDGET: u32 = 4096;

/// The smaller or the larger of two terms.
enum Extreme {
    Minimum(TermId, TermId),
    Maximum(TermId, TermId),
}

impl Terms {
    /// Is `a <= b` plain from minima and maxima?
    pub(crate) fn not_above(&self, a: TermId, b: TermId, signed: bool) -> bool {
        let mut budget = BUDGET;
        self.extreme(a, signed)
            .or_else(|| self.extreme(b, signed))
            .is_some()
            && self.search_order(a, b, signed, &mut budget)
    }

    fn search_order(&self, a: TermId, b: TermId, signed: bool, budget: &mut u32) -> bool {
        if a == b {
            return true;
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let through_a = match self.extreme(a, signed) {
            Some(Extreme::Minimum(x, y)) => {
                self.search_order(x, b, signed, budget) || self.search_order(y, b, signed, budget)
            }
            Some(Extreme::Maximum(x, y)) => {
                self.search_order(x, b, signed, budget) && self.search_order(y, b, signed, budget)
            }
            None => false,
        };
        through_a
            || match self.extreme(b, signed) {
                Some(Extreme::Maximum(x, y)) => {
                    self.search_order(a, x, signed, budget) || self.search_order(a, y, signed, budget)
                }
                Some(Extreme::Minimum(x, y)) => {
                    self.search_order(a, x, signed, budget) && self.search_order(a, y, signed, budget)
                }
                None => false,
            }
    }

    fn extreme(&self, term: TermId, signed: bool) -> Option<Extreme> {
        if self.op(term) != Op::Ite {
            return None;
        }
        let (condition, then, otherwise) = (self.child(term, 0), self.child(term, 1), self.child(term, 2));
        let less = if signed { Op::BvSlt } else { Op::BvUlt };
        if self.op(condition) != less {
            return None;
        }
        let (low, high) = self.operands2(condition);
        match (then, otherwise) {
            (x, y) if x == low && y == high => Some(Extreme::Minimum(x, y)),
            (x, y) if x == high && y == low => Some(Extreme::Maximum(x, y)),
            _ => None,
        }
    }
}
