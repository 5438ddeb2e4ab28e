//! Builders of bit-vector comparisons and overflow predicates.
//!
//! Normal form: `a <= b` is `not (b < a)`; comparisons of extended terms are those of the narrow
//! ones; an overflow predicate with a constant is a comparison. Ranges decide what they can.

use kripke_value::BitVec;

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

impl Terms {
    /// Unsigned less-than.
    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvUlt, a, b, Self::rewrite_ult)
    }

    fn rewrite_ult(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::CompareSame);
            return Some(self.false_());
        }
        if let (Some(x), Some(y)) = (self.range(a), self.range(b))
            && (x.unsigned_max < y.unsigned_min || x.unsigned_min >= y.unsigned_max)
        {
            self.fired(Rule::CompareRange);
            return Some(self.bool_(x.unsigned_max < y.unsigned_min));
        }
        if let Some(value) = self.as_bv(b).cloned() {
            let width = value.width();
            if value.is_zero() {
                self.fired(Rule::CompareBoundary);
                return Some(self.false_());
            }
            if value.is_one() {
                self.fired(Rule::CompareBoundary);
                let zero = self.bv(BitVec::zero(width));
                return Some(self.eq(a, zero));
            }
            if value.is_ones() {
                self.fired(Rule::CompareBoundary);
                return Some(self.distinct(a, b));
            }
            return self.ult_extended(a, &value, true);
        }
        if let Some(value) = self.as_bv(a).cloned() {
            let width = value.width();
            if value.is_ones() {
                self.fired(Rule::CompareBoundary);
                return Some(self.false_());
            }
            if value.is_zero() {
                self.fired(Rule::CompareBoundary);
                return Some(self.distinct(b, a));
            }
            if value == BitVec::ones(width).sub(&BitVec::one(width)) {
                self.fired(Rule::CompareBoundary);
                let ones = self.bv(BitVec::ones(width));
                return Some(self.eq(b, ones));
            }
            return self.ult_extended(b, &value, false);
        }
        self.compare_structures(a, b, false)
    }

    /// `zext(x) < k` (or `k < zext(x)`) moved to the width of x. Ranges have excluded constants
    /// that do not fit only up to 64 bits, so they are checked again.
    fn ult_extended(&mut self, extended: TermId, value: &BitVec, term_first: bool) -> Option<TermId> {
        let Op::BvZeroExtend(width) = self.op(extended) else {
            return None;
        };
        let inner = self.child(extended, 0);
        let narrow = value.trunc(self.width(inner));
        self.fired(Rule::CompareExtended);
        if narrow.zext(width) != *value {
            return Some(self.bool_(term_first));
        }
        let narrow = self.bv(narrow);
        Some(if term_first {
            self.bv_ult(inner, narrow)
        } else {
            self.bv_ult(narrow, inner)
        })
    }

    /// Comparison with a minimum or maximum of the other side, of two extended terms, or of two
    /// concatenations with the same upper part.
    fn compare_structures(&mut self, a: TermId, b: TermId, signed: bool) -> Option<TermId> {
        if self.not_above(b, a, signed) {
            self.fired(Rule::CompareExtreme);
            return Some(self.false_());
        }
        match (self.op(a), self.op(b)) {
            (Op::BvZeroExtend(_), Op::BvZeroExtend(_)) | (Op::BvSignExtend(_), Op::BvSignExtend(_)) => {
                let (x, y) = (self.child(a, 0), self.child(b, 0));
                if self.sort(x) != self.sort(y) {
                    return None;
                }
                self.fired(Rule::CompareExtended);
                let keeps_sign = signed && matches!(self.op(a), Op::BvSignExtend(_));
                Some(if keeps_sign {
                    self.bv_slt(x, y)
                } else {
                    self.bv_ult(x, y)
                })
            }
            (Op::BvConcat, Op::BvConcat) => {
                let ((a_high, a_low), (b_high, b_low)) = (self.operands2(a), self.operands2(b));
                if a_high == b_high {
                    self.fired(Rule::CompareConcat);
                    return Some(self.bv_ult(a_low, b_low));
                }
                if a_low == b_low {
                    self.fired(Rule::CompareConcat);
                    return Some(if signed {
                        self.bv_slt(a_high, b_high)
                    } else {
                        self.bv_ult(a_high, b_high)
                    });
                }
                None
            }
            _ => None,
        }
    }

    /// Unsigned less-or-equal.
    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::BvUle, &[a, b]);
        }
        let greater = self.bv_ult(b, a);
        self.not(greater)
    }

    /// Signed less-than.
    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSlt, a, b, Self::rewrite_slt)
    }

    fn rewrite_slt(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::CompareSame);
            return Some(self.false_());
        }
        if let (Some(x), Some(y)) = (self.range(a), self.range(b))
            && (x.signed_max < y.signed_min || x.signed_min >= y.signed_max)
        {
            self.fired(Rule::CompareRange);
            return Some(self.bool_(x.signed_max < y.signed_min));
        }
        if self.is_not_negative(a) && self.is_not_negative(b) {
            self.fired(Rule::CompareUnsigned);
            return Some(self.bv_ult(a, b));
        }
        if let Some(value) = self.as_bv(b).cloned() {
            return self
                .slt_boundary(a, &value, true)
                .or_else(|| self.slt_extended(a, &value, true));
        }
        if let Some(value) = self.as_bv(a).cloned() {
            return self
                .slt_boundary(b, &value, false)
                .or_else(|| self.slt_extended(b, &value, false));
        }
        self.compare_structures(a, b, true)
    }

    fn slt_boundary(&mut self, term: TermId, value: &BitVec, term_first: bool) -> Option<TermId> {
        let width = value.width();
        let (min, max) = (BitVec::min_signed(width), BitVec::max_signed(width));
        let one = BitVec::one(width);
        let (impossible, edge, opposite) = if term_first {
            (min.clone(), min.add(&one), max)
        } else {
            (max.clone(), max.sub(&one), min)
        };
        if *value == impossible {
            self.fired(Rule::CompareBoundary);
            return Some(self.false_());
        }
        if *value == edge {
            self.fired(Rule::CompareBoundary);
            let end = self.bv(impossible);
            return Some(self.eq(term, end));
        }
        if *value == opposite {
            self.fired(Rule::CompareBoundary);
            let end = self.bv(opposite);
            return Some(self.distinct(term, end));
        }
        None
    }

    fn slt_extended(&mut self, extended: TermId, value: &BitVec, term_first: bool) -> Option<TermId> {
        let Op::BvSignExtend(width) = self.op(extended) else {
            return None;
        };
        let inner = self.child(extended, 0);
        let narrow = value.trunc(self.width(inner));
        self.fired(Rule::CompareExtended);
        if narrow.sext(width) != *value {
            return Some(self.bool_(value.sign_bit() != term_first));
        }
        let narrow = self.bv(narrow);
        Some(if term_first {
            self.bv_slt(inner, narrow)
        } else {
            self.bv_slt(narrow, inner)
        })
    }

    /// Signed less-or-equal.
    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::BvSle, &[a, b]);
        }
        let greater = self.bv_slt(b, a);
        self.not(greater)
    }

    /// The verdict of exact bounds of a result against what the width can hold.
    fn overflow_by_bounds(&mut self, bounds: (i128, i128), allowed: (i128, i128)) -> Option<TermId> {
        let verdict = if bounds.0 >= allowed.0 && bounds.1 <= allowed.1 {
            false
        } else if bounds.0 > allowed.1 || bounds.1 < allowed.0 {
            true
        } else {
            return None;
        };
        self.fired(Rule::OverflowRange);
        Some(self.bool_(verdict))
    }

    fn signed_limits(&self, term: TermId) -> (i128, i128) {
        let width = self.width(term);
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    }

    /// Signed addition overflows.
    pub fn bv_saddo(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSaddo, a, b, |terms, a, b| {
            if let (Some(x), Some(y)) = (terms.range(a), terms.range(b)) {
                let (x, y, limits) = (x.signed(), y.signed(), terms.signed_limits(a));
                if let Some(known) = terms.overflow_by_bounds((x.0 + y.0, x.1 + y.1), limits) {
                    return Some(known);
                }
            }
            let value = terms.as_bv(b)?.clone();
            terms.fired(Rule::OverflowConstant);
            let width = value.width();
            if value.is_zero() {
                return Some(terms.false_());
            }
            if value.sign_bit() {
                let limit = terms.bv(BitVec::min_signed(width).sub(&value));
                return Some(terms.bv_slt(a, limit));
            }
            let limit = terms.bv(BitVec::max_signed(width).sub(&value));
            Some(terms.bv_slt(limit, a))
        })
    }

    /// Unsigned addition overflows.
    pub fn bv_uaddo(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvUaddo, a, b, |terms, a, b| {
            if let (Some(x), Some(y)) = (terms.range(a), terms.range(b)) {
                let (x, y) = (x.unsigned(), y.unsigned());
                let limits = (0, (1i128 << terms.width(a)) - 1);
                if let Some(known) = terms.overflow_by_bounds((x.0 + y.0, x.1 + y.1), limits) {
                    return Some(known);
                }
            }
            let value = terms.as_bv(b)?.clone();
            terms.fired(Rule::OverflowConstant);
            let limit = terms.bv(value.not());
            Some(terms.bv_ult(limit, a))
        })
    }

    /// Signed subtraction overflows.
    pub fn bv_ssubo(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSsubo, a, b, |terms, a, b| {
            if let (Some(x), Some(y)) = (terms.range(a), terms.range(b)) {
                let (x, y, limits) = (x.signed(), y.signed(), terms.signed_limits(a));
                if let Some(known) = terms.overflow_by_bounds((x.0 - y.1, x.1 - y.0), limits) {
                    return Some(known);
                }
            }
            terms.ssubo_constant(a, b)
        })
    }

    fn ssubo_constant(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.as_bv(b).cloned() {
            self.fired(Rule::OverflowConstant);
            let width = value.width();
            if value.is_zero() {
                return Some(self.false_());
            }
            if value.sign_bit() {
                let limit = self.bv(BitVec::max_signed(width).add(&value));
                return Some(self.bv_slt(limit, a));
            }
            let limit = self.bv(BitVec::min_signed(width).add(&value));
            return Some(self.bv_slt(a, limit));
        }
        let value = self.as_bv(a)?.clone();
        self.fired(Rule::OverflowConstant);
        let width = value.width();
        // k - b > max is b < k - max, and k - b < min is b > k - min; only one can be.
        if value.sign_bit() {
            let limit = self.bv(value.sub(&BitVec::min_signed(width)));
            Some(self.bv_slt(limit, b))
        } else {
            let limit = self.bv(value.sub(&BitVec::max_signed(width)));
            Some(self.bv_slt(b, limit))
        }
    }

    /// Unsigned subtraction overflows.
    pub fn bv_usubo(&mut self, a: TermId, b: TermId) -> TermId {
        if !self.rewriting {
            return self.mk_plain(Op::BvUsubo, &[a, b]);
        }
        self.fired(Rule::UsuboCompare);
        self.bv_ult(a, b)
    }

    /// Signed multiplication overflows.
    pub fn bv_smulo(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSmulo, a, b, |terms, a, b| {
            let (x, y) = (terms.range(a)?.signed(), terms.range(b)?.signed());
            let corners = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
            let bounds = (corners.into_iter().min()?, corners.into_iter().max()?);
            let limits = terms.signed_limits(a);
            if let Some(known) = terms.overflow_by_bounds(bounds, limits) {
                return Some(known);
            }
            let factor = terms.as_bv(b)?.to_i128()?;
            terms.smulo_constant(a, factor, limits)
        })
    }

    /// `a * factor` overflows: `a` is outside the quotients of the limits. Factors 0 and 1 have
    /// been decided by bounds.
    fn smulo_constant(&mut self, a: TermId, factor: i128, limits: (i128, i128)) -> Option<TermId> {
        self.fired(Rule::OverflowConstant);
        let width = self.width(a);
        let ceiling = |n: i128| n.div_euclid(factor) + i128::from(n.rem_euclid(factor) != 0 && factor > 0);
        let floor = |n: i128| n.div_euclid(factor) - i128::from(n.rem_euclid(factor) != 0 && factor < 0);
        let (low, high) = if factor > 0 {
            (ceiling(limits.0), floor(limits.1))
        } else {
            (ceiling(limits.1), floor(limits.0))
        };
        let below = if low <= limits.0 {
            self.false_()
        } else {
            let low = self.bv(BitVec::from_i128(width, low));
            self.bv_slt(a, low)
        };
        let above = if high >= limits.1 {
            self.false_()
        } else {
            let high = self.bv(BitVec::from_i128(width, high));
            self.bv_slt(high, a)
        };
        Some(self.or(below, above))
    }

    /// Unsigned multiplication overflows.
    pub fn bv_umulo(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvUmulo, a, b, |terms, a, b| {
            let width = terms.width(a);
            if let (Some(x), Some(y)) = (terms.range(a), terms.range(b)) {
                let (x, y) = (x.unsigned(), y.unsigned());
                let most = x.1.checked_mul(y.1).unwrap_or(i128::MAX);
                let least = x.0.checked_mul(y.0).unwrap_or(i128::MAX);
                if let Some(known) = terms.overflow_by_bounds((least, most), (0, (1i128 << width) - 1)) {
                    return Some(known);
                }
            }
            let value = terms.as_bv(b)?.clone();
            terms.fired(Rule::OverflowConstant);
            if value.is_zero() {
                return Some(terms.false_());
            }
            let limit = terms.bv(BitVec::ones(width).udiv(&value));
            Some(terms.bv_ult(limit, a))
        })
    }
}
