//! Conditions made coarser: what arithmetic gives that costs a solver much is nearly any value.
//!
//! Idea: a division of doubles, or of unknown integers, costs a solver more than all else on most paths, and
//! rarely decides whether one can be taken. So it is asked about conditions in which variables stand for such
//! terms. Of quotients, remainders and products of integers it is told what costs little: a quotient is not
//! above the dividend, and zero where that is below the divisor.
//!
//! Invariant: a condition that can hold can hold with these variables, whatever stands around them: the same
//! term has the same variable, which may have the term's value, and all that is said of it is true of that.

use kripke_smt::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// From how many bits on arithmetic of integers costs much.
const COSTLY_WIDTH: u32 = 16;

/// Which arithmetic gives any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// That of floats.
    Floats,
    /// That of floats, and quotients, remainders and products of integers.
    All,
}

/// Conditions, and what they became.
pub(crate) struct Coarse {
    arithmetic: Arithmetic,
    replaced: FxHashMap<TermId, TermId>,
    /// Terms that were looked into.
    seen: FxHashSet<TermId>,
    /// What is known of the variables that stand for integers.
    facts: FxHashMap<TermId, TermId>,
}

impl Coarse {
    /// Nothing was replaced yet.
    pub fn new(arithmetic: Arithmetic) -> Self {
        Coarse {
            arithmetic,
            replaced: FxHashMap::default(),
            seen: FxHashSet::default(),
            facts: FxHashMap::default(),
        }
    }

    /// The condition without such arithmetic; itself where it has none.
    pub fn of(&mut self, terms: &mut Terms, condition: TermId) -> TermId {
        let mut seen = std::mem::take(&mut self.seen);
        let mut new = self.arithmetic_in(terms, condition, &mut seen);
        self.seen = seen;
        // An operand is made before what is made of it.
        new.sort_unstable_by_key(|term| term.index());
        new.into_iter().for_each(|term| self.replace(terms, term));
        let mut made = vec![terms.substitute(condition, &mut self.replaced)];
        if !self.facts.is_empty() {
            let all = self.arithmetic_in(terms, condition, &mut FxHashSet::default());
            made.extend(all.iter().filter_map(|term| self.facts.get(term)));
        }
        terms.and_all(made)
    }

    /// The terms of such arithmetic in a condition, but for those behind what was seen.
    fn arithmetic_in(&self, terms: &Terms, condition: TermId, seen: &mut FxHashSet<TermId>) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let op = terms.op(term);
            let is_integer = self.arithmetic == Arithmetic::All && is_costly(terms, term);
            if is_integer || is_of_floats(op) {
                found.push(term);
            }
            // What a float is made of does not matter any more.
            if !is_of_floats(op) {
                open.extend(terms.children(term));
            }
        }
        found
    }

    fn replace(&mut self, terms: &mut Terms, term: TermId) {
        let any = terms.variable(&format!("value of {term:?}"), terms.sort(term));
        let op = terms.op(term);
        if let &[a, b] = terms.children(term)
            && !is_of_floats(op)
        {
            let least = terms.range(b).map_or(0, |range| range.unsigned_min);
            let [a, b] = [a, b].map(|operand| terms.substitute(operand, &mut self.replaced));
            let fact = fact(terms, op, (a, b, least), any);
            self.facts.insert(term, fact);
        }
        self.replaced.insert(term, any);
    }
}

/// What costs little of what is true of the value of an operation on integers, of which the second is known
/// to be so large at least.
fn fact(terms: &mut Terms, op: Op, (a, b, least): (TermId, TermId, u64), value: TermId) -> TermId {
    match op {
        Op::BvUdiv => {
            let width = terms.width(value);
            let [zero, halvings] = [0, u64::from(least.max(1).ilog2())].map(|n| terms.bv_u64(width, n));
            let (is_zero, is_less) = (terms.eq(value, zero), terms.bv_ult(a, b));
            let is_known = terms.eq(is_zero, is_less);
            let most = terms.bv_lshr(a, halvings);
            let is_bounded = terms.bv_ule(value, most);
            let is_told = terms.and(is_known, is_bounded);
            unless_zero(terms, (b, least), is_told)
        }
        Op::BvUrem => {
            let is_below = terms.bv_ult(value, b);
            let is_below = unless_zero(terms, (b, least), is_below);
            let (is_less, is_dividend) = (terms.bv_ult(a, b), terms.eq(value, a));
            let is_kept = terms.implies(is_less, is_dividend);
            let is_not_above = terms.bv_ule(value, a);
            terms.and_all([is_below, is_not_above, is_kept])
        }
        _ => terms.true_(),
    }
}

/// What holds of divisions by other than zero, where the divisor is known to be so large at least.
fn unless_zero(terms: &mut Terms, (divisor, least): (TermId, u64), holds: TermId) -> TermId {
    if least > 0 {
        return holds;
    }
    let zero = terms.bv_u64(terms.width(divisor), 0);
    let by_zero = terms.eq(divisor, zero);
    terms.or(by_zero, holds)
}

/// Is it arithmetic of integers that costs a solver much?
fn is_costly(terms: &Terms, term: TermId) -> bool {
    let is_unknown = |operand: &TermId| !terms.is_const(*operand);
    let operands = terms.children(term);
    let is_wide = operands
        .first()
        .is_some_and(|operand| match terms.sort(*operand) {
            Sort::BitVec(width) => width >= COSTLY_WIDTH,
            _ => false,
        });
    match terms.op(term) {
        // Those by constants cost less.
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => {
            is_wide && operands.last().is_some_and(is_unknown)
        }
        Op::BvMul | Op::BvSmulo | Op::BvUmulo => is_wide && operands.iter().all(is_unknown),
        _ => false,
    }
}

/// Is it arithmetic of floats, or a conversion that rounds?
fn is_of_floats(op: Op) -> bool {
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
    use std::time::{Duration, Instant};

    use kripke_elts::random::Random;
    use kripke_smt::{Op, Sort, Terms};
    use kripke_value::{FloatFormat, RoundingMode};

    use super::{Arithmetic, Coarse};
    use crate::kept::{Answer, Kept};
    use crate::options::Options;

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
        let mut coarse = Coarse::new(Arithmetic::Floats);
        assert_eq!(coarse.of(&mut terms, contradiction), terms.false_());
        let both = terms.and(below, unlike);
        let made = coarse.of(&mut terms, both);
        assert_ne!(made, both);
        // The variables for the quotient and the product differ.
        assert_eq!(terms.variables_of(&[made]).len(), 3);
        let plain = terms.fp_lt(x, y);
        assert_eq!(coarse.of(&mut terms, plain), plain);
    }

    #[test]
    fn what_is_said_of_integers_is_true() {
        let mut random = Random::new(7);
        let mut terms = Terms::new();
        for round in 0..4000 {
            // Small and large, so that divisors are zero, one, and above the dividend now and then.
            let bits = [random.below(17), random.below(17)];
            let [a, b] = bits.map(|bits| random.below(1 << bits) as u64);
            let least = random.below(b as usize + 1) as u64;
            let [x, y] = [a, b].map(|value| terms.bv_u64(16, value));
            let ops = [Op::BvUdiv, Op::BvUrem];
            let value = match ops[round % 2] {
                Op::BvUdiv => terms.bv_udiv(x, y),
                _ => terms.bv_urem(x, y),
            };
            let fact = super::fact(&mut terms, ops[round % 2], (x, y, least), value);
            assert_eq!(fact, terms.true_(), "{:?} of {a} and {b}", ops[round % 2]);
        }
    }

    #[test]
    fn digits_run_out_whatever_divisions_give() {
        let mut terms = Terms::new();
        let mut coarse = Coarse::new(Arithmetic::All);
        // Eight or more.
        let more = terms.variable("more", Sort::BitVec(3));
        let (more, eight) = (terms.bv_zext(more, 16), terms.bv_u64(16, 8));
        let base = terms.bv_add(more, eight);
        let [zero, hundred] = [0, 100].map(|number| terms.bv_u64(16, number));
        let number = terms.variable("number", Sort::BitVec(16));
        let has_two_digits = terms.bv_ult(number, hundred);
        let mut left = number;
        for digits in 1..=3 {
            left = terms.bv_udiv(left, base);
            let is_zero = terms.eq(left, zero);
            let goes_on = terms.not(is_zero);
            let condition = terms.and(has_two_digits, goes_on);
            let made = coarse.of(&mut terms, condition);
            assert_ne!(made, condition);
            let (options, until) = (Options::default(), Instant::now() + Duration::from_secs(60));
            let mut solver = Kept::default();
            let answer = solver.ask(&terms, &options, &[made], until);
            assert_eq!(matches!(answer, Answer::Impossible), digits == 3);
        }
    }
}
