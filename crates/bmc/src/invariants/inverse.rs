//! What a place was when an index that is computed from it had a value.
//!
//! Idea: an index is the place itself, wider or narrower, beside or subtracted from what does not change in
//! the loop, or a multiple of a power of two: each of these steps is undone.
//!
//! Invariant: where what has to fit does, the index computed from the position is the value; a wrong position
//! only makes a wrong guess.

use kripke_smt::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::value::resized;

/// What a place was.
pub(super) struct Position {
    pub position: TermId,
    /// What has to hold of the value for that.
    pub fits: Vec<TermId>,
    /// The place is compared with its sign.
    pub signed: bool,
}

/// What the place was when the index was the value, where it is computed from that place and what is stable.
pub(super) fn position(
    terms: &mut Terms,
    stable: &FxHashSet<TermId>,
    (index, place): (TermId, TermId),
    value: TermId,
) -> Option<Position> {
    let mut inversion = Inversion {
        // A place that is wider than an index is far from where it would wrap, unless it goes below zero.
        signed: terms.width(place) > terms.width(index),
        terms,
        stable,
        value,
        fits: Vec::new(),
    };
    let mut term = index;
    while term != place {
        term = inversion.undo(term)?;
    }
    Some(Position {
        position: inversion.value,
        fits: inversion.fits,
        signed: inversion.signed,
    })
}

struct Inversion<'t> {
    terms: &'t mut Terms,
    stable: &'t FxHashSet<TermId>,
    /// What the term has to be that is looked at.
    value: TermId,
    fits: Vec<TermId>,
    signed: bool,
}

impl Inversion<'_> {
    /// The operand of the term from which it is computed; the value becomes that of the operand.
    fn undo(&mut self, term: TermId) -> Option<TermId> {
        let operands = self.terms.children(term).to_vec();
        let value = self.value;
        let (operand, value) = match (self.terms.op(term), &operands[..]) {
            (Op::BvAdd, &[a, b]) if self.is_stable(b) => (a, self.terms.bv_sub(value, b)),
            (Op::BvAdd, &[a, b]) if self.is_stable(a) => (b, self.terms.bv_sub(value, a)),
            (Op::BvSub, &[a, b]) if self.is_stable(b) => (a, self.terms.bv_add(value, b)),
            (Op::BvSub, &[a, b]) if self.is_stable(a) => (b, self.terms.bv_sub(a, value)),
            (Op::BvNeg, &[a]) => (a, self.terms.bv_neg(value)),
            (Op::BvNot, &[a]) => (a, self.terms.bv_not(value)),
            (Op::BvZeroExtend(_), &[inner]) => (inner, self.narrowed(inner, Terms::bv_zext)),
            (Op::BvSignExtend(_), &[inner]) => {
                self.signed = true;
                (inner, self.narrowed(inner, Terms::bv_sext))
            }
            (Op::BvExtract { low: 0, .. }, &[inner]) => {
                let width = self.terms.width(inner);
                (inner, resized(self.terms, value, width))
            }
            (Op::BvConcat, &[high, low]) if self.is_stable(low) => {
                let (top, bits) = (self.terms.width(value) - 1, self.terms.width(low));
                let rest = self.terms.bv_extract(value, bits - 1, 0);
                let is_rest = self.terms.eq(rest, low);
                self.fits.push(is_rest);
                (high, self.terms.bv_extract(value, top, bits))
            }
            _ => return None,
        };
        self.value = value;
        Some(operand)
    }

    /// The value in the width of an operand, of which it has to be the extension.
    fn narrowed(&mut self, operand: TermId, extend: fn(&mut Terms, TermId, u32) -> TermId) -> TermId {
        let (wide, narrow) = (self.terms.width(self.value), self.terms.width(operand));
        let narrowed = resized(self.terms, self.value, narrow);
        let again = extend(self.terms, narrowed, wide);
        let fits = self.terms.eq(again, self.value);
        self.fits.push(fits);
        narrowed
    }

    fn is_stable(&self, term: TermId) -> bool {
        let variables = self.terms.variables_of(&[term]);
        variables.iter().all(|variable| self.stable.contains(variable))
    }
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Sort, Value};
    use kripke_value::BitVec;

    use super::*;

    /// The index of each place, computed with the position of that index, is the index again.
    #[test]
    fn positions_are_where_indices_were_computed() {
        let mut terms = Terms::new();
        let place = terms.variable("place", Sort::BitVec(8));
        let base = terms.variable("base", Sort::BitVec(8));
        let stable = FxHashSet::from_iter([base]);
        let three = terms.bv_u64(8, 3);
        let zero = terms.bv_u64(1, 0);
        let sum = terms.bv_add(place, base);
        let less = terms.bv_sub(base, place);
        let more = terms.bv_add(less, three);
        let doubled = terms.bv_concat(place, zero);
        let (wide, signed) = (terms.bv_zext(sum, 12), terms.bv_sext(place, 12));
        let narrow = terms.bv_extract(place, 4, 0);
        for index in [place, sum, less, more, doubled, wide, signed, narrow] {
            let width = terms.width(index);
            let value = terms.variable(&format!("value{width}"), Sort::BitVec(width));
            let Position { position, fits, .. } =
                position(&mut terms, &stable, (index, place), value).expect("a position");
            let fits = terms.and_all(fits);
            for at in 0..1u128 << width {
                let number = BitVec::new(width, at);
                let given = |variable: TermId| match variable {
                    _ if variable == value => Value::BitVec(number.clone()),
                    _ => Value::BitVec(BitVec::new(8, 200)),
                };
                if terms.evaluate(fits, &given).as_bool() != Some(true) {
                    continue;
                }
                let position = terms.evaluate(position, &given);
                let there = |variable: TermId| match variable {
                    _ if variable == place => position.clone(),
                    _ => given(variable),
                };
                assert_eq!(terms.evaluate(index, &there), Value::BitVec(number.clone()));
            }
        }
    }

    #[test]
    fn what_is_computed_from_something_else_has_no_position() {
        let mut terms = Terms::new();
        let place = terms.variable("place", Sort::BitVec(8));
        let other = terms.variable("other", Sort::BitVec(8));
        let sum = terms.bv_add(place, other);
        let value = terms.variable("value", Sort::BitVec(8));
        for index in [other, sum] {
            let found = position(&mut terms, &FxHashSet::default(), (index, place), value);
            assert!(found.is_none());
        }
    }
}
