//! If-then-else trees of constants.
//!
//! Idea: where paths merge, a variable that each path sets to a constant becomes such a tree.
//! Operators on it are pushed to the leaves, so its values stay constants: a state machine's
//! state, a pointer's offset, a loop counter after a merge. The store counts leaves when a tree is
//! made; large trees are left alone, and shared subtrees are visited once.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// Trees with more leaves are left to the solver.
const MAX_LEAVES: usize = 32;

impl Terms {
    fn is_small_tree(&self, term: TermId) -> bool {
        self.op(term) == Op::Ite
            && self
                .constant_leaves(term)
                .is_some_and(|leaves| leaves <= MAX_LEAVES)
    }

    /// Applies a unary operator to the leaves.
    pub(crate) fn push_unary(&mut self, op: Op, a: TermId) -> Option<TermId> {
        if !self.is_small_tree(a) {
            return None;
        }
        self.fired(Rule::ConstantTree);
        Some(self.map_leaves(a, &mut FxHashMap::default(), &mut |terms, leaf| {
            terms.mk(op, &[leaf])
        }))
    }

    /// Applies a binary operator with one constant operand to the leaves of the other.
    pub(crate) fn push_binary(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if self.is_small_tree(a) && self.is_const(b) {
            self.fired(Rule::ConstantTree);
            let mut known = FxHashMap::default();
            return Some(self.map_leaves(a, &mut known, &mut |terms, leaf| terms.mk(op, &[leaf, b])));
        }
        if self.is_small_tree(b) && self.is_const(a) {
            self.fired(Rule::ConstantTree);
            let mut known = FxHashMap::default();
            return Some(self.map_leaves(b, &mut known, &mut |terms, leaf| terms.mk(op, &[a, leaf])));
        }
        None
    }

    /// Divides, or takes the remainder, by each leaf of a tree, where all but one are powers of two: shifts
    /// and one divider by a constant are less than one by what is none.
    pub(crate) fn push_divisor(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        if !self.is_small_tree(b) || self.dividers(b, &mut FxHashSet::default()) > 1 {
            return None;
        }
        self.fired(Rule::DivisorTree);
        let mut known = FxHashMap::default();
        Some(self.map_leaves(b, &mut known, &mut |terms, leaf| match op {
            Op::BvUdiv => terms.bv_udiv(a, leaf),
            _ => terms.bv_urem(a, leaf),
        }))
    }

    /// How many leaves of a tree are no power of two and not zero.
    fn dividers(&self, tree: TermId, seen: &mut FxHashSet<TermId>) -> usize {
        if !seen.insert(tree) {
            return 0;
        }
        match self.as_bv(tree) {
            Some(leaf) => usize::from(leaf.popcount() > 1),
            None => {
                let (_, then, otherwise) = self.operands3(tree);
                self.dividers(then, seen) + self.dividers(otherwise, seen)
            }
        }
    }

    fn map_leaves(
        &mut self,
        tree: TermId,
        known: &mut FxHashMap<TermId, TermId>,
        leaf: &mut dyn FnMut(&mut Terms, TermId) -> TermId,
    ) -> TermId {
        if self.op(tree) != Op::Ite {
            return leaf(self, tree);
        }
        if let Some(&mapped) = known.get(&tree) {
            return mapped;
        }
        let (condition, then, otherwise) = self.operands3(tree);
        let then = self.map_leaves(then, known, leaf);
        let otherwise = self.map_leaves(otherwise, known, leaf);
        let mapped = self.ite(condition, then, otherwise);
        known.insert(tree, mapped);
        mapped
    }
}
