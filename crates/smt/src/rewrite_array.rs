//! Builders of array terms: reading over writing.

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// How many writes a read looks through.
const MAX_WRITES: usize = 4096;

impl Terms {
    /// The array that holds one element everywhere.
    pub fn const_array(&mut self, index_width: u32, element: TermId) -> TermId {
        self.mk_plain(Op::ConstArray(index_width), &[element])
    }

    /// True when two indexes differ whatever the variables are: constants, ranges, or one base with
    /// different constants added.
    fn indexes_differ(&self, a: TermId, b: TermId) -> bool {
        if a == b {
            return false;
        }
        if self.is_const(a) && self.is_const(b) || self.ranges_are_disjoint(a, b) {
            return true;
        }
        let split = |term: TermId| match self.op(term) {
            Op::BvAdd if self.is_const(self.child(term, 1)) => {
                (self.child(term, 0), Some(self.child(term, 1)))
            }
            _ => (term, None),
        };
        let ((base_a, k_a), (base_b, k_b)) = (split(a), split(b));
        base_a == base_b && k_a != k_b
    }

    /// The element at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        if self.is_by_body(array) {
            return self.select_of_body(array, index);
        }
        if !self.rewriting {
            return self.mk_plain(Op::Select, &[array, index]);
        }
        let mut array = array;
        for _ in 0..MAX_WRITES {
            match self.op(array) {
                Op::Store => {
                    let (below, at, value) = self.operands3(array);
                    if at == index {
                        self.fired(Rule::SelectStoreSame);
                        return value;
                    }
                    if !self.indexes_differ(at, index) {
                        break;
                    }
                    self.fired(Rule::SelectStoreOther);
                    array = below;
                }
                Op::ConstArray(_) => {
                    self.fired(Rule::SelectConstant);
                    return self.child(array, 0);
                }
                _ => break,
            }
        }
        self.mk_plain(Op::Select, &[array, index])
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        if self.rewriting {
            if self.op(array) == Op::Store && self.child(array, 1) == index {
                self.fired(Rule::StoreStore);
                let below = self.child(array, 0);
                return self.store(below, index, value);
            }
            if self.op(value) == Op::Select && self.operands2(value) == (array, index) {
                self.fired(Rule::StoreSelect);
                return array;
            }
        }
        self.mk_plain(Op::Store, &[array, index, value])
    }
}
