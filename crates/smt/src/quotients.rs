//! Division of integers by constants, for solvers that decide bits.
//!
//! Idea: a divider is as many subtractions as its operands have bits, each with a choice after it. Quotient
//! `q` and remainder `r` of `a` by a constant `d` are also the only numbers with `q * d + r = a` and `r < d`,
//! where the product is the sum of a few shifted quotients: `10 * q` is `8 * q + 2 * q`. So both are fresh
//! variables with that as their side condition, and `a / d` and `a % d` share it.
//!
//! Invariant: for each `a` there is exactly one `q` and one `r`. With `2^k <= d < 2^(k+1)` the quotient has
//! `width - k` bits, so `q * d + r < 2^(width-k) * d < 2^(width + 1)`: in one bit more than `a` has, nothing
//! overflows.
//!
//! Source: Reitwiesner, "Binary Arithmetic" (1960), for the sums of the fewest shifted terms.

use kripke_value::BitVec;

use crate::lower::Backend;
use crate::op::Op;
use crate::terms::{TermId, Terms};

/// Dividends of so few bits are better divided step by step: from such bits a solver sees the quotient's at
/// once, which it has to find here.
const FEW_BITS: u32 = 16;

/// Quotient and remainder, both as wide as the operands.
#[derive(Clone)]
pub(crate) struct Division<T> {
    pub(crate) quotient: T,
    pub(crate) remainder: T,
}

/// Which operations these are: is it of signed numbers, and is the remainder wanted?
pub(crate) fn kind(op: Op) -> Option<(bool, bool)> {
    match op {
        Op::BvUdiv => Some((false, false)),
        Op::BvUrem => Some((false, true)),
        Op::BvSdiv => Some((true, false)),
        Op::BvSrem => Some((true, true)),
        _ => None,
    }
}

/// Has the dividend few bits?
pub(crate) fn is_small(terms: &Terms, dividend: TermId) -> bool {
    terms
        .range(dividend)
        .is_some_and(|range| range.unsigned_max >> FEW_BITS == 0)
}

/// A divisor that this is made for: none that a shift divides by.
pub(crate) fn divisor(value: &BitVec, is_signed: bool) -> Option<u64> {
    let is_negative = is_signed && value.bit(value.width() - 1);
    let size = if is_negative { value.neg() } else { value.clone() };
    size.to_u64().filter(|size| !size.is_power_of_two() && *size > 0)
}

/// The division of a term with so many bits, and its side condition.
pub(crate) fn unsigned<B: Backend>(
    backend: &mut B,
    (a, width): (&B::Term, u32),
    divisor: u64,
) -> (Division<B::Term>, B::Term) {
    let halvings = divisor.ilog2();
    let (short, wide) = (width - halvings, width + 1);
    let (quotient, remainder) = (backend.fresh(short), backend.fresh(halvings + 1));
    let factor = backend.extend(false, short, wide, &quotient);
    let product = multiplied(backend, (&factor, wide), divisor);
    let rest = backend.extend(false, halvings + 1, wide, &remainder);
    let sum = backend.apply(Op::BvAdd, &[product, rest]);
    let dividend = backend.extend(false, width, wide, a);
    let is_whole = backend.apply(Op::Eq, &[sum, dividend]);
    let limit = backend.bv(&BitVec::new(halvings + 1, u128::from(divisor)));
    let is_below = backend.apply(Op::BvUlt, &[remainder.clone(), limit]);
    let side = backend.apply(Op::And, &[is_whole, is_below]);
    let division = Division {
        quotient: extended(backend, (&quotient, short), width),
        remainder: extended(backend, (&remainder, halvings + 1), width),
    };
    (division, side)
}

/// The same of signed numbers: truncated, the remainder with the sign of the dividend.
pub(crate) fn signed<B: Backend>(
    backend: &mut B,
    (a, width): (&B::Term, u32),
    (divisor, is_negative): (u64, bool),
) -> (Division<B::Term>, B::Term) {
    let zero = backend.bv(&BitVec::zero(width));
    let is_below = backend.apply(Op::BvSlt, &[a.clone(), zero]);
    let size = negated_if(backend, &is_below, a);
    let (division, side) = unsigned(backend, (&size, width), divisor);
    let quotient = match is_negative {
        false => negated_if(backend, &is_below, &division.quotient),
        true => {
            let is_not = backend.apply(Op::Not, std::slice::from_ref(&is_below));
            negated_if(backend, &is_not, &division.quotient)
        }
    };
    let remainder = negated_if(backend, &is_below, &division.remainder);
    (Division { quotient, remainder }, side)
}

fn negated_if<B: Backend>(backend: &mut B, condition: &B::Term, a: &B::Term) -> B::Term {
    let negated = backend.apply(Op::BvNeg, std::slice::from_ref(a));
    backend.apply(Op::Ite, &[condition.clone(), negated, a.clone()])
}

fn extended<B: Backend>(backend: &mut B, (a, from): (&B::Term, u32), to: u32) -> B::Term {
    match from == to {
        true => a.clone(),
        false => backend.extend(false, from, to, a),
    }
}

/// A term times a constant: the sum of a few shifted terms, some of them subtracted.
fn multiplied<B: Backend>(backend: &mut B, (a, width): (&B::Term, u32), constant: u64) -> B::Term {
    let mut sum: Option<B::Term> = None;
    // The highest first, which is never subtracted.
    for (shift, is_negative) in signed_digits(constant).into_iter().rev() {
        let by = backend.bv(&BitVec::new(width, u128::from(shift)));
        let shifted = match shift {
            0 => a.clone(),
            _ => backend.apply(Op::BvShl, &[a.clone(), by]),
        };
        sum = Some(match sum {
            None => shifted,
            Some(sum) => {
                let op = if is_negative { Op::BvSub } else { Op::BvAdd };
                backend.apply(op, &[sum, shifted])
            }
        });
    }
    sum.unwrap_or_else(|| backend.bv(&BitVec::zero(width)))
}

/// The powers of two whose sum is a constant, each with whether it is subtracted: as few as there can be.
fn signed_digits(constant: u64) -> Vec<(u32, bool)> {
    let (mut left, mut digits, mut shift) = (u128::from(constant), Vec::new(), 0);
    while left > 0 {
        if left & 1 == 1 {
            let is_negative = left & 3 == 3;
            digits.push((shift, is_negative));
            left = if is_negative { left + 1 } else { left - 1 };
        }
        left >>= 1;
        shift += 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::signed_digits;

    #[test]
    fn digits_sum_up_and_no_two_are_neighbours() {
        for constant in (1..5000).chain([u64::MAX, u64::MAX - 1, 1 << 63, 0xcccc_cccc_cccc_cccd]) {
            let digits = signed_digits(constant);
            let value = |&(shift, is_negative): &(u32, bool)| {
                let power = 1i128 << shift;
                if is_negative { -power } else { power }
            };
            assert_eq!(digits.iter().map(value).sum::<i128>(), i128::from(constant));
            assert!(digits.windows(2).all(|pair| pair[0].0 + 1 < pair[1].0));
            assert!(digits.last().is_some_and(|(_, is_negative)| !is_negative));
        }
    }
}
