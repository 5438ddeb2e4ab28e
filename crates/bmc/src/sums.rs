//! Comparisons of sums, decided by what bounds their summands.
//!
//! Idea: a sum of bounded numbers that cannot wrap around is a sum of integers. So the difference of two of
//! them is one, too, in which common summands vanish, and its bounds tell which of them is smaller: eight
//! samples of twelve bits are at most eight times the largest, and no smaller than one of them.
//!
//! Invariant: on every model of the conditions that the bounds are from, a comparison has the truth found.

use std::collections::BTreeMap;

use kripke_smt::{Op, Sort, TermId, Terms};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

/// How many summands a sum may have, shared ones counted as often as they are used.
const MAX_SUMMANDS: usize = 256;

/// A sum of terms, each times a factor, and a constant.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    pub summands: BTreeMap<TermId, i128>,
    constant: i128,
}

impl Sum {
    fn add(&mut self, other: &Sum, factor: i128) {
        self.constant += factor * other.constant;
        for (term, of_term) in &other.summands {
            *self.summands.entry(*term).or_default() += factor * of_term;
        }
    }

    /// Without all of a summand.
    pub fn less(&self, term: TermId) -> Sum {
        let mut rest = self.clone();
        rest.summands.remove(&term);
        rest
    }

    /// The sum as a term of the sort of another, what is added before what is taken away.
    pub fn term(&self, terms: &mut Terms, like: TermId) -> TermId {
        let width = terms.width(like);
        let number = |value: i128| BitVec::new(width, value as u128);
        let mut all: Vec<(TermId, i128)> = self
            .summands
            .iter()
            .map(|(term, factor)| (*term, *factor))
            .collect();
        all.sort_by_key(|(_, factor)| *factor < 0);
        let mut sum = terms.bv(number(0));
        for (term, factor) in all {
            let times = terms.bv(number(factor.abs()));
            let product = terms.bv_mul(term, times);
            sum = match factor < 0 {
                true => terms.bv_sub(sum, product),
                false => terms.bv_add(sum, product),
            };
        }
        let constant = terms.bv(number(self.constant));
        terms.bv_add(sum, constant)
    }
}

/// Is it a sum whose parts are looked at?
pub(crate) fn is_sum(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::BvAdd | Op::BvSub | Op::BvNeg)
}

fn width_of(terms: &Terms, term: TermId) -> Option<u32> {
    match terms.sort(term) {
        Sort::BitVec(width @ 1..=64) => Some(width),
        _ => None,
    }
}

/// The summands of a term, modulo two to the power of its width; constants in the upper half are negative.
pub(crate) fn summands(terms: &Terms, term: TermId) -> Option<Sum> {
    let width = width_of(terms, term)?;
    let mut sum = Sum::default();
    let mut stack = vec![(term, 1i128)];
    for step in 0.. {
        let Some((term, factor)) = stack.pop() else { break };
        if step > MAX_SUMMANDS {
            return None;
        }
        if let Some(value) = terms.as_bv(term).and_then(BitVec::to_u64) {
            let value = i128::from(value);
            let signed = if value >> (width - 1) == 0 {
                value
            } else {
                value - (1 << width)
            };
            sum.constant += factor * signed;
            continue;
        }
        match (terms.op(term), terms.children(term)) {
            (Op::BvAdd, &[x, y]) => stack.extend([(x, factor), (y, factor)]),
            (Op::BvSub, &[x, y]) => stack.extend([(x, factor), (y, -factor)]),
            (Op::BvNeg, &[x]) => stack.push((x, -factor)),
            _ => *sum.summands.entry(term).or_default() += factor,
        }
    }
    Some(sum)
}

/// Are two numbers equal whatever their summands are, or never?
pub(crate) fn are_equal(terms: &Terms, a: TermId, b: TermId) -> Option<bool> {
    if !is_sum(terms, a) && !is_sum(terms, b) {
        return None;
    }
    let modulus = 1i128 << width_of(terms, a)?;
    let mut difference = summands(terms, a)?;
    difference.add(&summands(terms, b)?, -1);
    let vanish = difference.summands.values().all(|factor| factor % modulus == 0);
    vanish.then_some(difference.constant % modulus == 0)
}

/// The largest and smallest values of terms, without sign.
#[derive(Default)]
pub(crate) struct Bounds {
    known: FxHashMap<TermId, (i128, i128)>,
}

impl Bounds {
    /// What comparisons with constants among the conditions say of what is no sum.
    pub fn new(terms: &Terms, conditions: &[TermId]) -> Self {
        let mut bounds = Bounds::default();
        for condition in conditions {
            match (terms.op(*condition), terms.children(*condition)) {
                (Op::Not, &[inner]) => match (terms.op(inner), terms.children(inner)) {
                    (Op::BvUlt, &[a, b]) => bounds.note(terms, b, a, 0),
                    (Op::BvUle, &[a, b]) => bounds.note(terms, b, a, 1),
                    _ => {}
                },
                (Op::BvUlt, &[a, b]) => bounds.note(terms, a, b, 1),
                (Op::BvUle, &[a, b]) => bounds.note(terms, a, b, 0),
                _ => {}
            }
        }
        bounds
    }

    /// The first is at most the second, less a distance; one of them is a constant.
    fn note(&mut self, terms: &Terms, a: TermId, b: TermId, distance: i128) {
        let number = |term: TermId| terms.as_bv(term).and_then(BitVec::to_u64).map(i128::from);
        let (low, high) = (number(a), number(b));
        if let (None, Some(high)) = (low, high)
            && !is_sum(terms, a)
            && let Some(known) = self.of_term(terms, a)
        {
            self.known.insert(a, (known.0, known.1.min(high - distance)));
        }
        if let (Some(low), None) = (low, high)
            && !is_sum(terms, b)
            && let Some(known) = self.of_term(terms, b)
        {
            self.known.insert(b, (known.0.max(low + distance), known.1));
        }
    }

    /// Of a term as a whole.
    fn of_term(&self, terms: &Terms, term: TermId) -> Option<(i128, i128)> {
        let width = width_of(terms, term)?;
        if let Some(value) = terms.as_bv(term).and_then(BitVec::to_u64) {
            return Some((i128::from(value), i128::from(value)));
        }
        let full = (0, (1i128 << width) - 1);
        let mut found = self.known.get(&term).copied().unwrap_or(full);
        if let (Op::BvZeroExtend(_), &[inner]) = (terms.op(term), terms.children(term)) {
            let inner = self.of_term(terms, inner)?;
            found = (found.0.max(inner.0), found.1.min(inner.1));
        }
        Some(found)
    }

    fn of_sum(&self, terms: &Terms, sum: &Sum) -> Option<(i128, i128)> {
        let (mut low, mut high) = (sum.constant, sum.constant);
        for (term, factor) in &sum.summands {
            let (least, most) = self.of_term(terms, *term)?;
            let (a, b) = (factor * least, factor * most);
            low += a.min(b);
            high += a.max(b);
        }
        Some((low, high))
    }

    /// A number without sign as a sum of integers.
    fn integers(&self, terms: &Terms, term: TermId) -> Option<Sum> {
        if let (Op::BvZeroExtend(_), &[inner]) = (terms.op(term), terms.children(term)) {
            return self.integers(terms, inner);
        }
        if let Some(value) = terms.as_bv(term).and_then(BitVec::to_u64) {
            return Some(Sum {
                constant: i128::from(value),
                ..Sum::default()
            });
        }
        let (_, largest) = Bounds::default().of_term(terms, term)?;
        if is_sum(terms, term) {
            let parts = summands(terms, term)?;
            let mut sum = Sum {
                constant: parts.constant,
                ..Sum::default()
            };
            for (part, factor) in &parts.summands {
                sum.add(&self.integers(terms, *part)?, *factor);
            }
            let (low, high) = self.of_sum(terms, &sum)?;
            if low >= 0 && high <= largest {
                return Some(sum);
            }
        }
        Some(Sum {
            summands: BTreeMap::from([(term, 1)]),
            constant: 0,
        })
    }

    /// Is the comparison true, or false, wherever the bounds hold?
    pub fn decide(&self, terms: &Terms, comparison: TermId) -> Option<bool> {
        let (op, &[a, b]) = (terms.op(comparison), terms.children(comparison)) else {
            return None;
        };
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        if !signed && !matches!(op, Op::BvUlt | Op::BvUle) {
            return None;
        }
        let (a_sum, b_sum) = (self.integers(terms, a)?, self.integers(terms, b)?);
        if signed {
            let half = 1i128 << (width_of(terms, a)? - 1);
            let fits = |sum: &Sum| self.of_sum(terms, sum).is_some_and(|(_, high)| high < half);
            if !fits(&a_sum) || !fits(&b_sum) {
                return None;
            }
        }
        let mut difference = a_sum;
        difference.add(&b_sum, -1);
        let (low, high) = self.of_sum(terms, &difference)?;
        let most = match op {
            Op::BvUlt | Op::BvSlt => -1,
            _ => 0,
        };
        match () {
            () if high <= most => Some(true),
            () if low > most => Some(false),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Limits, SatResult, SolverChoice, Sort, TermId, Terms, create_solver};

    use super::{Bounds, are_equal};

    fn is_possible(terms: &Terms, conditions: &[TermId]) -> bool {
        let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let answer = solver.check(terms, conditions, &Limits::default());
        answer.expect("an answer") == SatResult::Sat
    }

    /// Samples of twelve bits, each known to be.
    fn samples(terms: &mut Terms, count: usize) -> (Vec<TermId>, Vec<TermId>) {
        let largest = terms.bv_u64(16, 0xfff);
        let samples: Vec<TermId> = (0..count)
            .map(|number| terms.variable(&format!("sample {number}"), Sort::BitVec(16)))
            .collect();
        let bounded = samples
            .iter()
            .map(|sample| terms.bv_ule(*sample, largest))
            .collect();
        (samples, bounded)
    }

    #[test]
    fn sums_that_fit_are_bounded() {
        let mut terms = Terms::new();
        let (samples, bounded) = samples(&mut terms, 8);
        let bounds = Bounds::new(&terms, &bounded);
        let zero = terms.bv_u64(16, 0);
        let sum = samples
            .iter()
            .fold(zero, |sum, sample| terms.bv_add(sum, *sample));
        let (largest, less) = (terms.bv_u64(16, 8 * 0xfff), terms.bv_u64(16, 8 * 0xfff - 1));
        let fits = terms.bv_ule(sum, largest);
        let is_less = terms.bv_ule(sum, less);
        let smaller = terms.bv_ult(sum, samples[3]);
        let decided = |comparison| bounds.decide(&terms, comparison);
        let within = |terms: &Terms, comparison: TermId| match terms.children(comparison) {
            [inner] => bounds.decide(terms, *inner).map(|truth| !truth),
            _ => bounds.decide(terms, comparison),
        };
        assert_eq!(within(&terms, fits), Some(true));
        assert_eq!(within(&terms, is_less), None);
        assert_eq!(decided(smaller), Some(false));
    }

    #[test]
    fn sums_that_may_wrap_are_not() {
        let mut terms = Terms::new();
        let (samples, bounded) = samples(&mut terms, 17);
        let bounds = Bounds::new(&terms, &bounded);
        let zero = terms.bv_u64(16, 0);
        let sum = samples
            .iter()
            .fold(zero, |sum, sample| terms.bv_add(sum, *sample));
        let smaller = terms.bv_ult(sum, samples[3]);
        assert_eq!(bounds.decide(&terms, smaller), None);
    }

    #[test]
    fn random_comparisons_are_decided_rightly() {
        let mut random = kripke_elts::random::Random::new(11);
        let (mut decided, mut equal) = (0, 0);
        for _ in 0..4000 {
            let mut terms = Terms::new();
            let variables: Vec<TermId> = (0..3)
                .map(|number| terms.variable(&format!("n{number}"), Sort::BitVec(3)))
                .collect();
            let mut conditions = Vec::new();
            for variable in &variables {
                let constant = terms.bv_u64(3, random.below(8) as u64);
                conditions.push(match random.below(4) {
                    0 => terms.bv_ult(*variable, constant),
                    1 => terms.bv_ule(constant, *variable),
                    2 => terms.bv_ult(constant, *variable),
                    _ => terms.bv_ule(*variable, constant),
                });
            }
            let mut numbers: Vec<TermId> = variables
                .iter()
                .map(|variable| match random.below(2) {
                    0 => terms.bv_zext(*variable, 5),
                    _ => terms.bv_sext(*variable, 5),
                })
                .collect();
            for _ in 0..4 {
                let (a, b) = (random.pick(&numbers), random.pick(&numbers));
                numbers.push(match random.below(4) {
                    0 => terms.bv_sub(a, b),
                    1 => terms.bv_u64(5, random.below(32) as u64),
                    _ => terms.bv_add(a, b),
                });
            }
            let bounds = Bounds::new(&terms, &conditions);
            let (a, b) = (random.pick(&numbers), random.pick(&numbers));
            let comparison = match random.below(4) {
                0 => terms.bv_ult(a, b),
                1 => terms.bv_ule(a, b),
                2 => terms.bv_slt(a, b),
                _ => terms.bv_sle(a, b),
            };
            if let Some(truth) = bounds.decide(&terms, comparison) {
                decided += 1;
                let wrong = if truth { terms.not(comparison) } else { comparison };
                conditions.push(wrong);
                assert!(!is_possible(&terms, &conditions));
            }
            if let Some(truth) = are_equal(&terms, a, b) {
                equal += 1;
                let same = terms.eq(a, b);
                let wrong = if truth { terms.not(same) } else { same };
                assert!(!is_possible(&terms, &[wrong]));
            }
        }
        assert!(decided > 50 && equal > 50, "{decided} {equal}");
    }
}
