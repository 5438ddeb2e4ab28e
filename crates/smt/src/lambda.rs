//! Arrays given by a body: at each index the value of a term in which the index stands for a bound variable.
//!
//! Idea: a range of unknown length that is set or copied changes any number of elements at once. What it
//! leaves behind is told element by element: `inside(i) ? new(i) : old[i]`. Solvers need not know of that:
//! nobody ever looks at a whole array, only at elements, and reading one puts the index into the body. Writes
//! and choices above such an array are read through in the same way.
//!
//! Invariants: no [`Op::Select`] has an array that is made of such a one, so none is left in a term that is
//! no array; a body has no such array, so no bound variable is ever captured. Two of these arrays are never
//! compared.
//!
//! Source: Stump, Barrett, Dill, Levitt: A decision procedure for an extensional theory of arrays (LICS 2001)
//! for reading over writing; Falke, Merz, Sinz: Extending the theory of arrays: memset, memcpy, and beyond
//! (VSTTE 2013) for ranges.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::{Op, Sort};
use crate::terms::{TermId, Terms};

/// What is known of such arrays.
#[derive(Default)]
pub(crate) struct Lambdas {
    /// The arrays that are made of one, each with how many elements of other arrays one of its elements may
    /// be chosen from.
    arrays: FxHashMap<TermId, u32>,
    /// Whether a bound variable is part of a term.
    bound: FxHashMap<TermId, bool>,
    /// The bound variables, by width.
    variables: FxHashMap<u32, TermId>,
    /// Elements that were read.
    elements: FxHashMap<(TermId, TermId), TermId>,
}

impl Terms {
    /// The variable that stands for an index of that width in bodies.
    pub fn bound_index(&mut self, width: u32) -> TermId {
        if let Some(known) = self.lambdas.variables.get(&width) {
            return *known;
        }
        let variable = self.variable(&format!("index!{width}"), Sort::BitVec(width));
        self.lambdas.variables.insert(width, variable);
        self.lambdas.bound.insert(variable, true);
        variable
    }

    /// The array that holds at each index the body's value, where [`Terms::bound_index`] is that index.
    /// `weight` is the sum of the weights of the arrays that the body reads.
    pub fn array_by(&mut self, index_width: u32, body: TermId, weight: u32) -> TermId {
        self.bound_index(index_width);
        let array = self.mk_plain(Op::Lambda(index_width), &[body]);
        self.lambdas.arrays.insert(array, weight);
        array
    }

    /// How many elements of other arrays an element of this one may be chosen from: what reading one costs.
    pub fn array_weight(&self, array: TermId) -> u32 {
        self.lambdas.arrays.get(&array).copied().unwrap_or(1)
    }

    /// Is the array made of one that is given by a body?
    pub(crate) fn is_by_body(&self, array: TermId) -> bool {
        !self.lambdas.arrays.is_empty() && self.lambdas.arrays.contains_key(&array)
    }

    /// Notes what a new array is made of.
    pub(crate) fn note_lambda(&mut self, op: Op, operands: &[TermId], term: TermId) {
        let weight = match (op, operands) {
            (Op::Store, [below, ..]) if self.is_by_body(*below) => {
                self.array_weight(*below).saturating_add(1)
            }
            (Op::Ite, [_, then, otherwise]) if self.is_by_body(*then) || self.is_by_body(*otherwise) => self
                .array_weight(*then)
                .saturating_add(self.array_weight(*otherwise)),
            _ => return,
        };
        self.lambdas.arrays.insert(term, weight);
    }

    /// An element of an array that is made of such a one.
    pub(crate) fn select_of_body(&mut self, array: TermId, index: TermId) -> TermId {
        let mut waiting = vec![array];
        while let Some(&top) = waiting.last() {
            let before = waiting.len();
            let below: SmallVec<[TermId; 2]> = match self.op(top) {
                Op::Store => SmallVec::from_slice(&self.children(top)[..1]),
                Op::Ite => SmallVec::from_slice(&self.children(top)[1..]),
                _ => SmallVec::new(),
            };
            let is_open = |array: &&TermId| {
                self.is_by_body(**array) && !self.lambdas.elements.contains_key(&(**array, index))
            };
            waiting.extend(below.iter().filter(is_open));
            if waiting.len() == before {
                waiting.pop();
                let element = self.element(top, index);
                self.lambdas.elements.insert((top, index), element);
            }
        }
        self.lambdas.elements[&(array, index)]
    }

    /// The same where the elements of what it is made of are known.
    fn element(&mut self, array: TermId, index: TermId) -> TermId {
        let below = |terms: &mut Terms, array: TermId| match terms.lambdas.elements.get(&(array, index)) {
            Some(known) => *known,
            None => terms.select(array, index),
        };
        match self.op(array) {
            Op::Lambda(width) => {
                let body = self.children(array)[0];
                let variable = self.bound_index(width);
                self.instantiated(body, variable, index)
            }
            Op::Store => {
                let (rest, at, value) = self.operands3(array);
                let rest = below(self, rest);
                let here = self.eq(at, index);
                self.ite(here, value, rest)
            }
            _ => {
                let (condition, then, otherwise) = self.operands3(array);
                let (then, otherwise) = (below(self, then), below(self, otherwise));
                self.ite(condition, then, otherwise)
            }
        }
    }

    /// The body with a term in the place of the bound variable; parts that do not mention it stay as they are
    /// and are not walked through.
    fn instantiated(&mut self, body: TermId, variable: TermId, index: TermId) -> TermId {
        let mut known = FxHashMap::from_iter([(variable, index)]);
        let mut stack = vec![body];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            if !self.mentions_bound_index(top) {
                known.insert(top, top);
                continue;
            }
            let operands: SmallVec<[TermId; 4]> = self.children(top).into();
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !known.contains_key(operand)));
            if stack.len() == before {
                let replaced: SmallVec<[TermId; 4]> = operands.iter().map(|operand| known[operand]).collect();
                let rebuilt = self.build(self.op(top), &replaced);
                known.insert(top, rebuilt);
            }
        }
        known[&body]
    }

    /// Does the term speak of the index of some body?
    pub fn mentions_bound_index(&mut self, term: TermId) -> bool {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.lambdas.bound.contains_key(&top) {
                stack.pop();
                continue;
            }
            let operands: SmallVec<[TermId; 4]> = self.children(top).into();
            let before = stack.len();
            let is_new = |operand: &&TermId| !self.lambdas.bound.contains_key(*operand);
            stack.extend(operands.iter().filter(is_new));
            if stack.len() == before {
                let mentions = operands.iter().any(|operand| self.lambdas.bound[operand]);
                self.lambdas.bound.insert(top, mentions);
            }
        }
        self.lambdas.bound[&term]
    }
}

#[cfg(test)]
mod tests {
    use kripke_value::BitVec;

    use super::*;
    use crate::value::Value;

    /// `array` with the elements from 2 up to `end` set to 7, and a write and a choice above it.
    #[test]
    fn elements_are_read_through_writes_and_choices() {
        let mut terms = Terms::new();
        let sort = Sort::Array { index: 8, element: 8 };
        let (array, end) = (
            terms.variable("array", sort),
            terms.variable("end", Sort::BitVec(8)),
        );
        let condition = terms.variable("condition", Sort::Bool);
        let index = terms.bound_index(8);
        let (two, five, seven) = (terms.bv_u64(8, 2), terms.bv_u64(8, 5), terms.bv_u64(8, 7));
        let (low, high) = (terms.bv_ule(two, index), terms.bv_ult(index, end));
        let inside = terms.and(low, high);
        let old = terms.select(array, index);
        let body = terms.ite(inside, seven, old);
        let filled = terms.array_by(8, body, 1);
        let written = terms.store(filled, five, two);
        let chosen = terms.ite(condition, written, array);
        for at in 0..8u64 {
            for end_value in 0..8u64 {
                for choice in [false, true] {
                    let position = terms.bv_u64(8, at);
                    let element = terms.select(chosen, position);
                    let assignment = |variable: TermId| match variable {
                        _ if variable == end => Value::BitVec(BitVec::new(8, end_value.into())),
                        _ if variable == condition => Value::Bool(choice),
                        _ => Value::zero(sort),
                    };
                    let expected = match () {
                        () if !choice => 0,
                        () if at == 5 => 2,
                        () if at >= 2 && at < end_value => 7,
                        () => 0,
                    };
                    let value = terms.evaluate(element, &assignment);
                    let expected = Value::BitVec(BitVec::new(8, expected));
                    assert_eq!(value, expected, "[{at}], end {end_value}, {choice}");
                }
            }
        }
    }
}
