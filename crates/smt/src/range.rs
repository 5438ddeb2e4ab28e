//! Unsigned and signed ranges of bit-vector terms, computed once when a term is made.
//!
//! Idea: most checks of a C program (overflow, bounds) are decided by widths and constants alone;
//! an interval per term settles them without a solver. The range of a term follows from those of
//! its operands; the unsigned and the signed view sharpen each other. Only terms of at most 64 bits
//! have one, so everything is exact in 128-bit integers.
//!
//! Invariant: for every assignment the term's value lies in both intervals.

use crate::op::{Op, Sort};
use crate::terms::{TermId, Terms};

/// What is known of a bit-vector term's value: bounds of its unsigned and of its signed reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Smallest unsigned value.
    pub unsigned_min: u64,
    /// Largest unsigned value.
    pub unsigned_max: u64,
    /// Smallest signed value.
    pub signed_min: i64,
    /// Largest signed value.
    pub signed_max: i64,
}

/// Intervals under construction, in integers wide enough for any exact result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wide {
    pub(crate) unsigned: (i128, i128),
    pub(crate) signed: (i128, i128),
}

fn max_unsigned(width: u32) -> i128 {
    (1i128 << width) - 1
}

fn max_signed(width: u32) -> i128 {
    (1i128 << (width - 1)) - 1
}

fn min_signed(width: u32) -> i128 {
    -(1i128 << (width - 1))
}

/// The smallest `2^k - 1` that is not below a value.
fn fill(value: i128) -> i128 {
    (1i128 << (128 - value.leading_zeros())) - 1
}

impl Wide {
    pub(crate) fn full(width: u32) -> Self {
        Wide {
            unsigned: (0, max_unsigned(width)),
            signed: (min_signed(width), max_signed(width)),
        }
    }

    /// Takes an exact interval for the unsigned reading when it fits in the width.
    pub(crate) fn with_unsigned(mut self, width: u32, low: i128, high: i128) -> Self {
        if low >= 0 && high <= max_unsigned(width) {
            self.unsigned = (low.max(self.unsigned.0), high.min(self.unsigned.1));
        }
        self
    }

    /// Takes an exact interval for the signed reading when it fits in the width.
    pub(crate) fn with_signed(mut self, width: u32, low: i128, high: i128) -> Self {
        if low >= min_signed(width) && high <= max_signed(width) {
            self.signed = (low.max(self.signed.0), high.min(self.signed.1));
        }
        self
    }

    /// What lies in both.
    pub(crate) fn within(self, other: Wide) -> Self {
        let both = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
        Wide {
            unsigned: both(self.unsigned, other.unsigned),
            signed: both(self.signed, other.signed),
        }
    }

    /// Is there no such value?
    pub(crate) fn is_empty(self) -> bool {
        self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1
    }

    /// Lets each view sharpen the other where the sign is known.
    pub(crate) fn sharpened(mut self, width: u32) -> Self {
        let modulus = 1i128 << width;
        for _ in 0..2 {
            if self.unsigned.1 <= max_signed(width) {
                self.signed = (
                    self.signed.0.max(self.unsigned.0),
                    self.signed.1.min(self.unsigned.1),
                );
            } else if self.unsigned.0 > max_signed(width) {
                let moved = (self.unsigned.0 - modulus, self.unsigned.1 - modulus);
                self.signed = (self.signed.0.max(moved.0), self.signed.1.min(moved.1));
            }
            if self.signed.0 >= 0 {
                self.unsigned = (
                    self.unsigned.0.max(self.signed.0),
                    self.unsigned.1.min(self.signed.1),
                );
            } else if self.signed.1 < 0 {
                let moved = (self.signed.0 + modulus, self.signed.1 + modulus);
                self.unsigned = (self.unsigned.0.max(moved.0), self.unsigned.1.min(moved.1));
            }
        }
        self
    }
}

impl Range {
    /// Everything a width can hold.
    pub fn full(width: u32) -> Self {
        Range::from_wide(Wide::full(width))
    }

    fn from_wide(wide: Wide) -> Self {
        Range {
            unsigned_min: wide.unsigned.0 as u64,
            unsigned_max: wide.unsigned.1 as u64,
            signed_min: wide.signed.0 as i64,
            signed_max: wide.signed.1 as i64,
        }
    }

    pub(crate) fn wide(self) -> Wide {
        Wide {
            unsigned: (i128::from(self.unsigned_min), i128::from(self.unsigned_max)),
            signed: (i128::from(self.signed_min), i128::from(self.signed_max)),
        }
    }

    /// The unsigned interval in exact integers.
    pub(crate) fn unsigned(self) -> (i128, i128) {
        self.wide().unsigned
    }

    /// The signed interval in exact integers.
    pub(crate) fn signed(self) -> (i128, i128) {
        self.wide().signed
    }

    /// True when the sign bit is known to be clear.
    pub fn is_not_negative(self) -> bool {
        self.signed_min >= 0
    }
}

impl Terms {
    /// What is known of a bit-vector term's value; `None` for other sorts and above 64 bits.
    pub fn range(&self, term: TermId) -> Option<Range> {
        let Sort::BitVec(width @ 1..=64) = self.sort(term) else {
            return None;
        };
        if let Some(value) = self.as_bv(term) {
            let (unsigned, signed) = (value.to_u64()?, value.to_i128()? as i64);
            return Some(Range {
                unsigned_min: unsigned,
                unsigned_max: unsigned,
                signed_min: signed,
                signed_max: signed,
            });
        }
        Some(
            self.ranges
                .get(&term)
                .copied()
                .unwrap_or_else(|| Range::full(width)),
        )
    }

    /// Computes and keeps the range of a new term, unless it says nothing.
    pub(crate) fn note_range(&mut self, term: TermId) {
        let Sort::BitVec(width @ 1..=64) = self.sort(term) else {
            return;
        };
        if let Some(wide) = self.range_of_new(term, width) {
            let range = Range::from_wide(wide.sharpened(width));
            if range != Range::full(width) {
                self.ranges.insert(term, range);
            }
        }
    }

    /// The range of a new term as its operands' tell.
    fn range_of_new(&self, term: TermId, width: u32) -> Option<Wide> {
        match (self.op(term), self.children(term)) {
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = self.range_where(condition, true, then)?;
                Some(union(then, self.range_where(condition, false, otherwise)?))
            }
            _ => self.range_from_operands(term, width, &|operand| self.range(operand).map(Range::wide)),
        }
    }

    /// The range of a term from what is known of its operands; `None` when nothing is known.
    pub(crate) fn range_from_operands(
        &self,
        term: TermId,
        width: u32,
        wide: &dyn Fn(TermId) -> Option<Wide>,
    ) -> Option<Wide> {
        let op = self.op(term);
        match (op, self.children(term)) {
            (Op::Ite, &[_, then, otherwise]) => Some(union(wide(then)?, wide(otherwise)?)),
            (Op::BvConcat, &[high, low]) => {
                Some(concat_range(wide(high)?, wide(low)?, self.width(low), width))
            }
            (_, &[a]) => unary_range(op, wide(a)?, width),
            (_, &[a, b]) => Some(binary_range(op, wide(a)?, wide(b)?, width)),
            _ => None,
        }
    }
}

/// Either of two.
pub(crate) fn union(a: Wide, b: Wide) -> Wide {
    Wide {
        unsigned: (a.unsigned.0.min(b.unsigned.0), a.unsigned.1.max(b.unsigned.1)),
        signed: (a.signed.0.min(b.signed.0), a.signed.1.max(b.signed.1)),
    }
}

/// One above the other.
pub(crate) fn concat_range(high: Wide, low: Wide, low_width: u32, width: u32) -> Wide {
    let (a, b) = (high.unsigned, low.unsigned);
    Wide::full(width).with_unsigned(width, (a.0 << low_width) + b.0, (a.1 << low_width) + b.1)
}

/// The result of a unary operation, `None` when nothing is known.
pub(crate) fn unary_range(op: Op, a: Wide, width: u32) -> Option<Wide> {
    let full = Wide::full(width);
    Some(match op {
        Op::BvZeroExtend(_) => full.with_unsigned(width, a.unsigned.0, a.unsigned.1),
        Op::BvSignExtend(_) => full.with_signed(width, a.signed.0, a.signed.1),
        Op::BvExtract { high, low } if a.unsigned.0 >> (high + 1) == a.unsigned.1 >> (high + 1) => {
            let mask = max_unsigned(width);
            full.with_unsigned(width, (a.unsigned.0 >> low) & mask, (a.unsigned.1 >> low) & mask)
        }
        Op::BvNot => {
            let max = max_unsigned(width);
            full.with_unsigned(width, max - a.unsigned.1, max - a.unsigned.0)
                .with_signed(width, -1 - a.signed.1, -1 - a.signed.0)
        }
        Op::BvNeg => {
            let signed = full.with_signed(width, -a.signed.1, -a.signed.0);
            if a.unsigned.0 == 0 {
                signed
            } else {
                let modulus = 1i128 << width;
                signed.with_unsigned(width, modulus - a.unsigned.1, modulus - a.unsigned.0)
            }
        }
        _ => return None,
    })
}

/// The interval of all products (or quotients) of the ends.
pub(crate) fn corners(a: (i128, i128), b: (i128, i128), f: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    (
        all.into_iter().fold(i128::MAX, i128::min),
        all.into_iter().fold(i128::MIN, i128::max),
    )
}

/// The result of a binary operation.
pub(crate) fn binary_range(op: Op, a: Wide, b: Wide, width: u32) -> Wide {
    let full = Wide::full(width);
    let (au, bu, az, bz) = (a.unsigned, b.unsigned, a.signed, b.signed);
    match op {
        Op::BvAdd => {
            let modulus = 1i128 << width;
            let (low, high) = (au.0 + bu.0, au.1 + bu.1);
            let wrapped = if low >= modulus {
                (low - modulus, high - modulus)
            } else {
                (low, high)
            };
            full.with_unsigned(width, wrapped.0, wrapped.1)
                .with_signed(width, az.0 + bz.0, az.1 + bz.1)
        }
        Op::BvSub => {
            full.with_unsigned(width, au.0 - bu.1, au.1 - bu.0)
                .with_signed(width, az.0 - bz.1, az.1 - bz.0)
        }
        Op::BvMul => {
            let signed = corners(az, bz, |x, y| x * y);
            let full = full.with_signed(width, signed.0, signed.1);
            match au.1.checked_mul(bu.1) {
                Some(high) => full.with_unsigned(width, au.0 * bu.0, high),
                None => full,
            }
        }
        Op::BvUdiv if bu.0 > 0 => full.with_unsigned(width, au.0 / bu.1, au.1 / bu.0),
        Op::BvUrem if bu.0 > 0 => full.with_unsigned(width, 0, au.1.min(bu.1 - 1)),
        Op::BvUrem => full.with_unsigned(width, 0, au.1),
        Op::BvSdiv if bz.0 > 0 || bz.1 < 0 => {
            let signed = corners(az, bz, |x, y| x / y);
            full.with_signed(width, signed.0, signed.1)
        }
        Op::BvSrem => {
            let bound = bz.0.abs().max(bz.1.abs()) - 1;
            let bound = if bz.0 > 0 || bz.1 < 0 { bound } else { i128::MAX };
            full.with_signed(width, az.0.min(0).max(-bound), az.1.max(0).min(bound))
        }
        Op::BvAnd => full.with_unsigned(width, 0, au.1.min(bu.1)),
        Op::BvOr => full.with_unsigned(width, au.0.max(bu.0), fill(au.1.max(bu.1))),
        Op::BvXor => full.with_unsigned(width, 0, fill(au.1.max(bu.1))),
        Op::BvShl if bu.1 < i128::from(width) && au.1 <= max_unsigned(width) >> bu.1 => {
            full.with_unsigned(width, au.0 << bu.0, au.1 << bu.1)
        }
        Op::BvLshr => {
            let least = if bu.1 >= i128::from(width) {
                0
            } else {
                au.0 >> bu.1
            };
            let most = if bu.0 >= i128::from(width) {
                0
            } else {
                au.1 >> bu.0
            };
            full.with_unsigned(width, least, most)
        }
        Op::BvAshr => {
            let (near, far) = (bu.0.min(127) as u32, bu.1.min(127) as u32);
            let low = if az.0 < 0 { az.0 >> near } else { az.0 >> far };
            let high = if az.1 < 0 { az.1 >> far } else { az.1 >> near };
            full.with_signed(width, low, high)
        }
        _ => full,
    }
}
