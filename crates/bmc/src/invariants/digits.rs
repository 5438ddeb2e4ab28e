//! Numbers that are read digit by digit.
//!
//! Idea: where a place is multiplied by a base and a digit added in each iteration, and another place counts
//! the iterations, the number is below the base to the power of how many digits there were. So a field of few
//! characters gives a number that does not overflow. Said for each number of digits that the place has room
//! for, that is a conjunction, with no product in it.

use kripke_smt::{Op, TermId, Terms};
use kripke_value::BitVec;

use crate::engine::Engine;
use crate::invariants::steps::Counted;
use crate::invariants::templates::Shapes;
use crate::sums::summands;

/// The bases that are looked for.
const BASES: std::ops::RangeInclusive<u64> = 2..=256;
/// How many digits are spoken of, at most: those of 64 bits.
const MAX_DIGITS: u32 = 20;
/// In how many branches of a value a base is looked for.
const MAX_BRANCHES: usize = 8;

impl Shapes<'_> {
    /// Places that are below the base to the power of how far another has come, or one digit more.
    pub fn digits(&mut self, engine: &mut Engine<'_>) {
        let counted = self.advancing(engine);
        if counted.is_empty() {
            return;
        }
        let [_, next] = &self.head.arrivals[..] else {
            return;
        };
        for (index, place, width) in self.numbers(&engine.terms) {
            let Some(base) = next.values[index].and_then(|value| base(&engine.terms, place, value)) else {
                continue;
            };
            for count in &counted {
                let predicates =
                    [0, 1].map(|more| below_power(&mut engine.terms, (place, width), base, count, more));
                self.add_chain(engine, predicates);
            }
        }
    }
}

/// What the place is multiplied by for its value after an iteration, if that is anything like a base.
fn base(terms: &Terms, place: TermId, value: TermId) -> Option<u64> {
    let mut branches = vec![value];
    for _ in 0..MAX_BRANCHES {
        let branch = branches.pop()?;
        if let (Op::Ite, [_, a, b]) = (terms.op(branch), terms.children(branch)) {
            branches.extend([*a, *b]);
            continue;
        }
        let sum = summands(terms, branch)?;
        let found = sum
            .summands
            .keys()
            .find_map(|summand| factor(terms, place, *summand));
        if let Some(factor) = found.filter(|factor| BASES.contains(factor)) {
            return Some(factor);
        }
    }
    None
}

/// By which constant a term is a place multiplied.
fn factor(terms: &Terms, place: TermId, product: TermId) -> Option<u64> {
    let constant = |term: TermId| terms.as_bv(term).and_then(BitVec::to_u64);
    match (terms.op(product), terms.children(product)) {
        (Op::BvMul, &[a, b]) if a == place => constant(b),
        (Op::BvMul, &[a, b]) if b == place => constant(a),
        (Op::BvShl, &[a, b]) if a == place => constant(b).and_then(|bits| 1u64.checked_shl(bits as u32)),
        _ => None,
    }
}

/// Below the base to the power of the digits that were read and so many more, as far as the place has room.
fn below_power(
    terms: &mut Terms,
    (place, width): (TermId, u32),
    base: u64,
    count: &Counted,
    more: u32,
) -> TermId {
    let (last, first) = match count.rises {
        true => (count.place, count.first),
        false => (count.first, count.place),
    };
    let read = terms.bv_sub(last, first);
    let mut all = terms.true_();
    for digits in 0..MAX_DIGITS {
        let limit = u128::from(base).checked_pow(digits + more);
        let Some(limit) = limit.filter(|limit| limit >> (width - 1) == 0) else {
            break;
        };
        let number = terms.bv_u64(count.width, u64::from(digits));
        let so_many = terms.eq(read, number);
        let limit = terms.bv(BitVec::new(width, limit));
        let is_below = terms.bv_ult(place, limit);
        let holds = terms.implies(so_many, is_below);
        all = terms.and(all, holds);
    }
    all
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Sort, Terms};

    use super::base;

    #[test]
    fn a_base_is_found_behind_branches() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(32));
        let digit = terms.variable("digit", Sort::BitVec(32));
        let is_digit = terms.variable("is digit", Sort::Bool);
        let ten = terms.bv_u64(32, 10);
        let zero = terms.bv_u64(32, 48);
        let shifted = terms.bv_mul(x, ten);
        let sum = terms.bv_add(shifted, digit);
        let read = terms.bv_sub(sum, zero);
        let value = terms.ite(is_digit, read, x);
        assert_eq!(base(&terms, x, value), Some(10));
        assert_eq!(base(&terms, x, sum), Some(10));
        assert_eq!(base(&terms, digit, value), None);
        assert_eq!(base(&terms, x, x), None);
    }
}
