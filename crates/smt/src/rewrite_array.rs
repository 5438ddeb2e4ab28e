//! Builders of array terms: reading over writing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// How many writes a read looks through.
const MAX_WRITES: usize = 4096;
/// How many choices between arrays it looks through.
const MAX_CHOICES: usize = 256;
/// How many elements of an array may be other constants than the rest, for a read to be a choice.
const MAX_OTHERS: usize = 8;
/// The widest index all of whose values are counted.
const MAX_COUNTED: u32 = 12;

/// Constants that were written to an array, the last first.
#[derive(Default)]
struct Written {
    /// Those at unknown indices, all of them after the others.
    unknown: Vec<(TermId, TermId)>,
    /// Those at constant ones, each index once.
    known: Vec<(TermId, TermId)>,
    indices: FxHashSet<TermId>,
    /// How often each constant is there.
    counts: Vec<(TermId, usize)>,
}

impl Written {
    /// Notes one; false where a read of the array is no choice of a few.
    fn note(&mut self, index: TermId, is_const: bool, value: TermId) -> bool {
        if !is_const {
            self.unknown.push((index, value));
            return self.known.is_empty() && self.unknown.len() <= MAX_OTHERS;
        }
        if self.indices.insert(index) {
            self.known.push((index, value));
            match self.counts.iter_mut().find(|(of, _)| *of == value) {
                Some((_, count)) => *count += 1,
                None => self.counts.push((value, 1)),
            }
        }
        let many = self.counts.iter().filter(|(_, count)| *count > MAX_OTHERS);
        self.counts.len() <= MAX_OTHERS + 1 && many.count() <= 1
    }

    /// Those that are not the constant that the rest is, where they are few.
    fn others(mut self, rest: TermId) -> Option<Vec<(TermId, TermId)>> {
        self.known.retain(|(_, value)| *value != rest);
        self.unknown.append(&mut self.known);
        (self.unknown.len() <= MAX_OTHERS).then_some(self.unknown)
    }
}

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
        let array = self.below_other_writes(array, index);
        match self.op(array) {
            Op::Store if self.child(array, 1) == index => {
                self.fired(Rule::SelectStoreSame);
                self.child(array, 2)
            }
            Op::ConstArray(_) => {
                self.fired(Rule::SelectConstant);
                self.child(array, 0)
            }
            _ => self
                .choice_of_few(array, index)
                .unwrap_or_else(|| self.mk_plain(Op::Select, &[array, index])),
        }
    }

    /// The element at an unknown index of an array that holds one constant everywhere but at a few indices.
    fn choice_of_few(&mut self, array: TermId, index: TermId) -> Option<TermId> {
        if self.op(array) != Op::Store || self.is_const(index) {
            return None;
        }
        let (others, mut element) = self.few_others(array, index)?;
        self.fired(Rule::SelectFewConstants);
        for (at, value) in others.into_iter().rev() {
            let is_here = self.eq(at, index);
            element = self.ite(is_here, value, element);
        }
        Some(element)
    }

    /// The few constants that an array holds beside one, with where, and that one.
    fn few_others(&self, mut array: TermId, index: TermId) -> Option<(Vec<(TermId, TermId)>, TermId)> {
        let all = match self.width(index) {
            width if width <= MAX_COUNTED => 1 << width,
            _ => usize::MAX,
        };
        let mut written = Written::default();
        for _ in 0..MAX_WRITES {
            match self.op(array) {
                Op::Store => {
                    let (below, at, value) = self.operands3(array);
                    if !self.is_const(value) || !written.note(at, self.is_const(at), value) {
                        return None;
                    }
                    array = below;
                }
                Op::ConstArray(_) if self.is_const(self.child(array, 0)) => {
                    let rest = self.child(array, 0);
                    return Some((written.others(rest)?, rest));
                }
                _ => return None,
            }
            if written.indices.len() == all {
                let (rest, _) = *written.counts.iter().max_by_key(|(_, count)| *count)?;
                return Some((written.others(rest)?, rest));
            }
        }
        None
    }

    /// The array without the last writes to it, as far as these are known to be at other indexes.
    fn below_other_writes(&mut self, mut array: TermId, index: TermId) -> TermId {
        let is_const = self.is_const(index);
        for _ in 0..MAX_WRITES {
            let (Op::Store, &[_, at, _]) = (self.op(array), self.children(array)) else {
                break;
            };
            // Constants are one term each.
            let differs = match is_const && self.is_const(at) {
                true => at != index,
                false => self.indexes_differ(at, index),
            };
            if !differs {
                break;
            }
            self.fired(Rule::SelectStoreOther);
            array = self.child(array, 0);
        }
        array
    }

    /// The element at an index, with choices between arrays as choices between elements, as far as these are
    /// few: what no branch writes is seen to be the same.
    pub fn select_through_choices(&mut self, array: TermId, index: TermId) -> TermId {
        let mut choices = FxHashMap::default();
        let element = match self.rewriting {
            true => self.element_of_choice(array, index, &mut choices),
            false => None,
        };
        element.unwrap_or_else(|| self.select(array, index))
    }

    fn element_of_choice(
        &mut self,
        array: TermId,
        index: TermId,
        choices: &mut FxHashMap<TermId, Option<TermId>>,
    ) -> Option<TermId> {
        let array = self.below_other_writes(array, index);
        if self.op(array) != Op::Ite {
            return Some(self.select(array, index));
        }
        if let Some(element) = choices.get(&array) {
            return *element;
        }
        if choices.len() >= MAX_CHOICES {
            return None;
        }
        let (condition, yes, no) = self.operands3(array);
        // Counts while it is looked into.
        choices.insert(array, None);
        let yes = self.element_of_choice(yes, index, choices)?;
        let no = self.element_of_choice(no, index, choices)?;
        let element = self.ite(condition, yes, no);
        choices.insert(array, Some(element));
        Some(element)
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

#[cfg(test)]
mod tests {
    use kripke_value::BitVec;

    use crate::op::Sort;
    use crate::terms::{TermId, Terms};
    use crate::{Evaluator, Value};

    /// Arrays made of writes at constant and unknown indices, and of choices between those before.
    fn random_arrays(terms: &mut Terms, random: &mut impl FnMut(usize) -> usize) -> Vec<TermId> {
        let sort = Sort::Array { index: 3, element: 8 };
        let mut arrays = vec![terms.variable("a", sort), terms.variable("b", sort)];
        let conditions = ["c", "d", "e"].map(|name| terms.variable(name, Sort::Bool));
        let unknown = terms.variable("i", Sort::BitVec(3));
        let values = ["x", "y"].map(|name| terms.variable(name, Sort::BitVec(8)));
        for _ in 0..12 {
            let (one, other) = (arrays[random(arrays.len())], arrays[random(arrays.len())]);
            let index = match random(5) {
                0 => unknown,
                _ => terms.bv_u64(3, random(8) as u64),
            };
            let array = match random(2) {
                0 => terms.store(one, index, values[random(2)]),
                _ => terms.ite(conditions[random(3)], one, other),
            };
            arrays.push(array);
        }
        arrays
    }

    #[test]
    fn a_read_through_choices_is_the_element() {
        let mut state = 7usize;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut differing = 0;
        for _ in 0..300 {
            let mut terms = Terms::new();
            let arrays = random_arrays(&mut terms, &mut random);
            let array = arrays[arrays.len() - 1];
            let index = terms.bv_u64(3, random(8) as u64);
            let (plain, through) = (
                terms.select(array, index),
                terms.select_through_choices(array, index),
            );
            differing += usize::from(plain != through);
            let salt = random(1000) as u64;
            let value = |variable: TermId| match terms.sort(variable) {
                Sort::Bool => Value::Bool((salt >> (variable.index() % 9)) & 1 == 1),
                Sort::BitVec(width) => Value::BitVec(BitVec::new(
                    width,
                    u128::from(salt) * (variable.index() as u128 + 3),
                )),
                sort => Value::zero(sort),
            };
            let mut evaluator = Evaluator::new(&terms, &value);
            assert_eq!(evaluator.evaluate(plain), evaluator.evaluate(through));
        }
        assert!(differing > 100, "{differing}");
    }

    #[test]
    fn what_no_branch_writes_is_the_same() {
        let mut terms = Terms::new();
        let below = terms.variable("a", Sort::Array { index: 3, element: 8 });
        let (two, five) = (terms.bv_u64(3, 2), terms.bv_u64(3, 5));
        let (x, y) = (
            terms.variable("x", Sort::BitVec(8)),
            terms.variable("y", Sort::BitVec(8)),
        );
        let condition = terms.variable("c", Sort::Bool);
        let before = terms.store(below, five, x);
        let written = terms.store(before, two, y);
        let after = terms.ite(condition, written, before);
        assert_eq!(terms.select_through_choices(after, five), x);
    }
}
