//! Conditions made coarser: what arithmetic of floats gives is any value.
//!
//! Idea: a division of doubles costs a solver more than all else on most paths, and rarely decides whether
//! one can be taken. So it is asked about conditions in which variables stand for such terms.
//!
//! Invariant: a condition that can hold can hold with these variables, whatever stands around them: the same
//! term has the same variable, which may have the term's value.

use kripke_smt::{Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Conditions, and what they became.
#[derive(Default)]
pub(crate) struct Coarse {
    replaced: FxHashMap<TermId, TermId>,
    /// Terms that were looked into.
    seen: FxHashSet<TermId>,
}

impl Coarse {
    /// The condition without arithmetic of floats; itself where it has none.
    pub fn of(&mut self, terms: &mut Terms, condition: TermId) -> TermId {
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            if is_arithmetic(terms.op(term)) {
                let sort = terms.sort(term);
                let any = terms.variable(&format!("value of {term:?}"), sort);
                self.replaced.insert(term, any);
            } else {
                open.extend(terms.children(term));
            }
        }
        terms.substitute(condition, &mut self.replaced)
    }
}

/// Is it arithmetic of floats, or a conversion that rounds?
fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRem
            | Op::FpRound
            | Op::FpConvert(_)
            | Op::FpFromSigned(_)
            | Op::FpFromUnsigned(_)
            | Op::FpToSigned(_)
            | Op::FpToUnsigned(_)
    )
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Sort, Terms};
    use kripke_value::{FloatFormat, RoundingMode};

    use super::Coarse;

    #[test]
    fn arithmetic_of_floats_is_any_value_and_the_same_is_the_same() {
        let mut terms = Terms::new();
        let rounding = terms.rounding(RoundingMode::NearestEven);
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Float(FloatFormat::Binary64)));
        let (quotient, again) = (terms.fp_div(rounding, x, y), terms.fp_div(rounding, x, y));
        let other = terms.fp_mul(rounding, x, y);
        let [below, not_below, unlike] =
            [(quotient, x), (again, x), (other, x)].map(|(a, b)| terms.fp_lt(a, b));
        let not_below = terms.not(not_below);
        let contradiction = terms.and(below, not_below);
        let mut coarse = Coarse::default();
        assert_eq!(coarse.of(&mut terms, contradiction), terms.false_());
        let both = terms.and(below, unlike);
        let made = coarse.of(&mut terms, both);
        assert_ne!(made, both);
        // The variables for the quotient and the product differ.
        assert_eq!(terms.variables_of(&[made]).len(), 3);
        let plain = terms.fp_lt(x, y);
        assert_eq!(coarse.of(&mut terms, plain), plain);
    }
}
