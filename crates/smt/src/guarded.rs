//! Ranges of bit-vector terms where a condition is true, or false.
//!
//! Idea: a branch of a conditional matters only where the condition chooses it. What the condition compares
//! has narrower bounds there, and so has what is computed from it: `x <= 9 ? x : 0` is at most 9, and where
//! `x < 0` the negative `-x` is positive. Conditions are looked into, and values evaluated again, a few
//! levels deep; what is known of terms anyway is what is known of the rest.
//!
//! Conditions that hold on the way to a term are not looked at: a term has one range wherever it is used.
//!
//! Invariant: for every assignment for which the condition is as said, the value lies in the intervals.

use smallvec::SmallVec;

use crate::op::Op;
use crate::range::{Range, Wide};
use crate::terms::{TermId, Terms};

/// How deep the conjunctions are that are looked into for what is compared.
const CONDITIONS: u32 = 3;
/// How deep values are evaluated again.
const OPERANDS: u32 = 4;

/// What is known of terms that a condition compares.
type Compared = SmallVec<[(TermId, Wide); 4]>;

impl Terms {
    /// What is known of a value where a condition is true, or false; `None` for a term that has no
    /// range. Where the condition is never so, what is known anyway.
    pub(crate) fn range_where(&self, condition: TermId, is_true: bool, value: TermId) -> Option<Wide> {
        if self.is_const(value) {
            return self.range(value).map(Range::wide);
        }
        let mut compared = Compared::new();
        self.note_compared(condition, is_true, CONDITIONS, &mut compared);
        if compared.iter().any(|(_, range)| range.is_empty()) {
            compared.clear();
        }
        self.range_given(value, &compared, OPERANDS)
    }

    /// Notes what a condition says of the terms that it compares. Rewriting leaves no disjunctions and no
    /// `<=`.
    fn note_compared(&self, condition: TermId, is_true: bool, conditions: u32, compared: &mut Compared) {
        match (self.op(condition), self.children(condition)) {
            (Op::Not, &[negated]) => self.note_compared(negated, !is_true, conditions, compared),
            (Op::And, &[a, b]) if is_true && conditions > 0 => {
                self.note_compared(a, true, conditions - 1, compared);
                self.note_compared(b, true, conditions - 1, compared);
            }
            (op @ (Op::BvUlt | Op::BvSlt | Op::Eq), &[a, b]) => {
                let known = |term| self.range_given(term, compared, 0);
                let (Some(of_a), Some(of_b)) = (known(a), known(b)) else {
                    return;
                };
                let (new_a, new_b) = (
                    narrowed(op, is_true, (of_a, true), of_b),
                    narrowed(op, is_true, (of_b, false), of_a),
                );
                for (term, old, new) in [(a, of_a, new_a), (b, of_b, new_b)] {
                    if new != old {
                        compared.retain(|(other, _)| *other != term);
                        compared.push((term, new.sharpened(self.width(term))));
                    }
                }
            }
            _ => {}
        }
    }

    /// What is known of a value where something is known of others: it is evaluated again so deep.
    fn range_given(&self, value: TermId, given: &Compared, depth: u32) -> Option<Wide> {
        if let Some((_, range)) = given.iter().find(|(term, _)| *term == value) {
            return Some(*range);
        }
        let known = self.range(value).map(Range::wide)?;
        // A term is made after its operands.
        if depth == 0 || given.iter().all(|(term, _)| *term > value) {
            return Some(known);
        }
        let width = self.width(value);
        let operand = |operand| self.range_given(operand, given, depth - 1);
        let found = self.range_from_operands(value, width, &operand);
        let both = found.map(|found| known.within(found).sharpened(width));
        Some(both.filter(|both| !both.is_empty()).unwrap_or(known))
    }
}

/// A value of which a comparison with another is true, or false; it is the first of both, or the second.
fn narrowed(op: Op, is_true: bool, (known, is_first): (Wide, bool), other: Wide) -> Wide {
    let strictly = i128::from(is_true);
    let limited = |(low, high): (i128, i128), (least, most): (i128, i128)| match is_first == is_true {
        true => (low, high.min(most - strictly)),
        false => (low.max(least + strictly), high),
    };
    match op {
        Op::BvUlt => Wide {
            unsigned: limited(known.unsigned, other.unsigned),
            ..known
        },
        Op::BvSlt => Wide {
            signed: limited(known.signed, other.signed),
            ..known
        },
        Op::Eq if is_true => known.within(other),
        _ => known,
    }
}

#[cfg(test)]
mod tests {
    use kripke_value::BitVec;

    use crate::op::Sort;
    use crate::range::Range;
    use crate::terms::{TermId, Terms};
    use crate::value::Value;

    const WIDTH: u32 = 4;

    /// All comparisons of a value with a limit, also the other way round and negated.
    fn comparisons(terms: &mut Terms, value: TermId, limit: TermId) -> Vec<TermId> {
        type Comparison = fn(&mut Terms, TermId, TermId) -> TermId;
        let operations: [Comparison; 5] = [
            Terms::bv_ult,
            Terms::bv_ule,
            Terms::bv_slt,
            Terms::bv_sle,
            Terms::eq,
        ];
        let mut all = Vec::new();
        for operation in operations {
            let both = [operation(terms, value, limit), operation(terms, limit, value)];
            all.extend(both);
            all.extend(both.map(|comparison| terms.not(comparison)));
        }
        all
    }

    /// Two variables, and a number beside them.
    fn two_variables(terms: &mut Terms) -> ([TermId; 2], TermId) {
        let variables = ["x", "y"].map(|name| terms.variable(name, Sort::BitVec(WIDTH)));
        (variables, terms.bv_u64(WIDTH, 3))
    }

    /// Is the term's value in its range, whatever the two variables are?
    fn is_sound(terms: &Terms, term: TermId, variables: [TermId; 2]) -> bool {
        let range = terms.range(term).expect("a range");
        (0..1u128 << (2 * WIDTH)).all(|bits| {
            let values = [bits & 15, bits >> WIDTH].map(|bits| Value::BitVec(BitVec::new(WIDTH, bits)));
            let assigned = |variable: TermId| values[usize::from(variable == variables[1])].clone();
            let value = terms.evaluate(term, &assigned);
            let value = value.as_bv().expect("bits");
            let (unsigned, signed) = (value.to_u64().expect("few"), value.to_i128().expect("few") as i64);
            (range.unsigned_min..=range.unsigned_max).contains(&unsigned)
                && (range.signed_min..=range.signed_max).contains(&signed)
        })
    }

    #[test]
    fn what_is_chosen_by_comparisons_is_in_its_range() {
        let mut terms = Terms::new();
        let (variables, three) = two_variables(&mut terms);
        let [x, y] = variables;
        let small = terms.bv_and(y, three);
        let limits: Vec<TermId> = (0..16).map(|n| terms.bv_u64(WIDTH, n)).chain([small]).collect();
        let mut narrowed = 0;
        for &limit in &limits {
            let conditions = comparisons(&mut terms, x, limit);
            let [low, high] = [2, 9].map(|n| terms.bv_u64(WIDTH, n));
            let others = [terms.bv_ule(low, x), terms.bv_slt(x, high), terms.eq(x, small)];
            for &condition in &conditions {
                let joined = others.iter().flat_map(|other| [Some(*other), None]);
                for other in joined.collect::<Vec<_>>() {
                    let both = other.map_or(condition, |other| terms.and(condition, other));
                    let any = other.map_or(condition, |other| terms.or(condition, other));
                    for (guard, then, otherwise) in [(both, x, small), (any, small, x), (both, limit, x)] {
                        let chosen = terms.ite(guard, then, otherwise);
                        assert!(is_sound(&terms, chosen, variables));
                        narrowed += usize::from(terms.range(chosen) != Some(Range::full(WIDTH)));
                    }
                }
            }
        }
        assert!(narrowed > 1000, "{narrowed}");
    }

    #[test]
    fn what_is_computed_from_what_is_compared_is_in_its_range() {
        let mut terms = Terms::new();
        let (variables, three) = two_variables(&mut terms);
        let [x, y] = variables;
        let wide = terms.bv_sext(x, 2 * WIDTH);
        let low = terms.bv_and(x, three);
        let computed = [
            terms.bv_neg(x),
            terms.bv_neg(wide),
            terms.bv_sub(x, y),
            terms.bv_mul(x, three),
            terms.bv_udiv(y, x),
            terms.bv_sdiv(y, x),
            terms.bv_urem(y, x),
            terms.bv_srem(y, x),
            terms.bv_lshr(y, x),
            terms.bv_concat(x, y),
            terms.bv_extract(x, 2, 1),
            terms.bv_shl(three, x),
            terms.bv_ashr(y, x),
            terms.bv_or(low, y),
        ];
        let limits: Vec<TermId> = [0, 1, 3, 7, 8, 15]
            .map(|n| terms.bv_u64(WIDTH, n))
            .into_iter()
            .chain([y])
            .collect();
        let mut narrowed = 0;
        for &limit in &limits {
            for condition in comparisons(&mut terms, x, limit) {
                let other = terms.bv_ult(y, three);
                let both = terms.and(condition, other);
                for (guard, value) in computed
                    .iter()
                    .flat_map(|value| [(condition, *value), (both, *value)])
                {
                    let negated = terms.bv_not(value);
                    for (then, otherwise) in [(value, negated), (negated, value)] {
                        let chosen = terms.ite(guard, then, otherwise);
                        assert!(is_sound(&terms, chosen, variables));
                    }
                    let zero = terms.bv_u64(terms.width(value), 0);
                    let chosen = terms.ite(guard, value, zero);
                    assert!(is_sound(&terms, chosen, variables));
                    narrowed += usize::from(terms.range(chosen) != terms.range(value));
                }
            }
        }
        assert!(narrowed > 1000, "{narrowed}");
    }

    #[test]
    fn a_condition_that_is_never_true_bounds_nothing() {
        let mut terms = Terms::new();
        let (variables, _) = two_variables(&mut terms);
        let [x, y] = variables;
        let one = terms.bv_u64(WIDTH, 1);
        let masked = terms.bv_and(x, one);
        let (zero, nine) = (terms.bv_u64(WIDTH, 0), terms.bv_u64(WIDTH, 9));
        // Less than 1 and more than 9, which only ranges know: no divisor that may be zero.
        let (above, not_zero) = (terms.bv_ult(nine, y), terms.bv_ult(zero, y));
        let (less, equal) = (terms.bv_ult(y, masked), terms.eq(y, masked));
        let conditions = [less, equal].map(|one| terms.and_all([not_zero, above, one]));
        assert!(
            conditions
                .iter()
                .any(|condition| terms.as_bool(*condition).is_none())
        );
        for condition in conditions {
            let computed = [
                terms.bv_udiv(x, y),
                terms.bv_sdiv(x, y),
                terms.bv_srem(x, y),
                terms.bv_shl(x, y),
                terms.bv_or(x, y),
            ];
            for value in computed {
                for (then, otherwise) in [(value, zero), (zero, value), (value, x)] {
                    let chosen = terms.ite(condition, then, otherwise);
                    assert!(is_sound(&terms, chosen, variables));
                }
            }
        }
    }

    #[test]
    fn a_magnitude_is_bounded() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(32));
        let (zero, wide) = (terms.bv_u64(32, 0), terms.bv_sext(x, 64));
        let is_negative = terms.bv_slt(x, zero);
        let negated = terms.bv_neg(wide);
        let magnitude = terms.ite(is_negative, negated, wide);
        let range = terms.range(magnitude).expect("a range");
        assert_eq!((range.unsigned_min, range.unsigned_max), (0, 1 << 31));
    }

    #[test]
    fn a_value_that_is_cut_off_is_within_its_limits() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(32));
        let [least, most] = [1, 309].map(|n| terms.bv_u64(32, n));
        let (above, below) = (terms.bv_sle(least, x), terms.bv_sle(x, most));
        let both = terms.and(above, below);
        let chosen = terms.ite(both, x, least);
        let range = terms.range(chosen).expect("a range");
        assert_eq!((range.signed_min, range.signed_max), (1, 309));
        assert_eq!((range.unsigned_min, range.unsigned_max), (1, 309));
    }
}
