//! Builders of bit-vector arithmetic.
//!
//! Normal form: constants stand last and outermost in sums (`(a + b) + k`), so that addresses and
//! loop counters that differ by a constant are seen to; subtraction of a constant is addition;
//! multiplication and division by powers of two are concatenation and extraction.

use kripke_value::BitVec;

use crate::op::Op;
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// The exponent when a constant is a power of two.
fn power_of_two(value: &BitVec) -> Option<u32> {
    (value.popcount() == 1).then(|| value.ctz())
}

impl Terms {
    /// Builds a binary bit-vector operation: order, fold, rewrite, push into constant trees.
    pub(crate) fn binary(
        &mut self,
        op: Op,
        a: TermId,
        b: TermId,
        rewrite: fn(&mut Terms, TermId, TermId) -> Option<TermId>,
    ) -> TermId {
        if !self.rewriting {
            return self.mk_plain(op, &[a, b]);
        }
        let (a, b) = if op.is_commutative() {
            self.ordered(a, b)
        } else {
            (a, b)
        };
        if self.is_const(a) && self.is_const(b) {
            return self.mk(op, &[a, b]);
        }
        if let Some(known) = self.nested(|terms| rewrite(terms, a, b).or_else(|| terms.push_binary(op, a, b)))
        {
            return known;
        }
        self.mk_plain(op, &[a, b])
    }

    /// Builds a unary operation in the same way.
    pub(crate) fn unary(
        &mut self,
        op: Op,
        a: TermId,
        rewrite: fn(&mut Terms, TermId) -> Option<TermId>,
    ) -> TermId {
        if !self.rewriting {
            return self.mk_plain(op, &[a]);
        }
        if self.is_const(a) {
            return self.mk(op, &[a]);
        }
        if let Some(known) = self.nested(|terms| rewrite(terms, a).or_else(|| terms.push_unary(op, a))) {
            return known;
        }
        self.mk_plain(op, &[a])
    }

    pub(crate) fn zero_of(&mut self, like: TermId) -> TermId {
        let width = self.width(like);
        self.bv(BitVec::zero(width))
    }

    pub(crate) fn ones_of(&mut self, like: TermId) -> TermId {
        let width = self.width(like);
        self.bv(BitVec::ones(width))
    }

    /// `x + k` with a constant `k`.
    fn sum_with_constant(&self, term: TermId) -> Option<(TermId, TermId)> {
        if self.op(term) != Op::BvAdd {
            return None;
        }
        let (x, k) = self.operands2(term);
        self.is_const(k).then_some((x, k))
    }

    /// Addition.
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvAdd, a, b, Self::rewrite_add)
    }

    fn rewrite_add(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(value) = self.as_bv(b) {
            if value.is_zero() {
                self.fired(Rule::AddZero);
                return Some(a);
            }
            if let Some((x, k)) = self.sum_with_constant(a) {
                self.fired(Rule::AddConstants);
                let sum = self.bv_add(k, b);
                return Some(self.bv_add(x, sum));
            }
            if self.op(a) == Op::BvSub && self.is_const(self.child(a, 0)) {
                let (k, x) = self.operands2(a);
                self.fired(Rule::AddConstants);
                let sum = self.bv_add(k, b);
                return Some(self.bv_sub(sum, x));
            }
            return self.join_disjoint(a, b, Rule::AddDisjoint);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((inner, k)) = self.sum_with_constant(x) {
                self.fired(Rule::AddConstantOut);
                let sum = self.bv_add(inner, y);
                return Some(self.bv_add(sum, k));
            }
            if self.op(x) == Op::BvNeg {
                self.fired(Rule::AddNegated);
                let inner = self.child(x, 0);
                return Some(self.bv_sub(y, inner));
            }
            if self.op(x) == Op::BvSub {
                let (minuend, subtrahend) = self.operands2(x);
                if subtrahend == y {
                    self.fired(Rule::AddNegated);
                    return Some(minuend);
                }
                if self.is_const(minuend) {
                    self.fired(Rule::AddConstantOut);
                    let rest = self.bv_sub(y, subtrahend);
                    return Some(self.bv_add(rest, minuend));
                }
            }
        }
        self.join_disjoint(a, b, Rule::AddDisjoint)
    }

    /// Subtraction.
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSub, a, b, Self::rewrite_sub)
    }

    fn rewrite_sub(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            self.fired(Rule::SubSame);
            return Some(self.zero_of(a));
        }
        if self.is_const(b) {
            self.fired(Rule::SubConstant);
            let negated = self.bv_neg(b);
            return Some(self.bv_add(a, negated));
        }
        if let Some(value) = self.as_bv(a) {
            if value.is_zero() {
                self.fired(Rule::SubZero);
                return Some(self.bv_neg(b));
            }
            if let Some((x, k)) = self.sum_with_constant(b) {
                self.fired(Rule::SubConstant);
                let rest = self.bv_sub(a, k);
                return Some(self.bv_sub(rest, x));
            }
        }
        if let Some((x, k)) = self.sum_with_constant(a) {
            self.fired(Rule::SubConstantOut);
            let rest = self.bv_sub(x, b);
            return Some(self.bv_add(rest, k));
        }
        if let Some((x, k)) = self.sum_with_constant(b) {
            self.fired(Rule::SubConstantOut);
            let (rest, k) = (self.bv_sub(a, x), self.bv_neg(k));
            return Some(self.bv_add(rest, k));
        }
        if self.op(b) == Op::BvNeg {
            self.fired(Rule::SubNegated);
            let inner = self.child(b, 0);
            return Some(self.bv_add(a, inner));
        }
        if self.op(a) == Op::BvAdd {
            let (x, y) = self.operands2(a);
            if x == b || y == b {
                self.fired(Rule::SubCancel);
                return Some(if x == b { y } else { x });
            }
        }
        if self.op(b) == Op::BvAdd {
            let (x, y) = self.operands2(b);
            if x == a || y == a {
                self.fired(Rule::SubCancel);
                return Some(self.bv_neg(if x == a { y } else { x }));
            }
        }
        None
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.unary(Op::BvNeg, a, |terms, a| match terms.op(a) {
            Op::BvNeg => {
                terms.fired(Rule::NegNeg);
                Some(terms.child(a, 0))
            }
            Op::BvSub => {
                terms.fired(Rule::NegNeg);
                let (x, y) = terms.operands2(a);
                Some(terms.bv_sub(y, x))
            }
            _ => None,
        })
    }

    /// Multiplication.
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvMul, a, b, Self::rewrite_mul)
    }

    fn rewrite_mul(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let value = self.as_bv(b)?.clone();
        if value.is_zero() || value.is_one() || value.is_ones() {
            self.fired(Rule::MulUnit);
            return Some(match (value.is_zero(), value.is_one()) {
                (true, _) => b,
                (_, true) => a,
                _ => self.bv_neg(a),
            });
        }
        if let Some(exponent) = power_of_two(&value) {
            self.fired(Rule::MulPower);
            return Some(self.shift_left_by(a, exponent));
        }
        if self.op(a) == Op::BvMul && self.is_const(self.child(a, 1)) {
            let (x, k) = self.operands2(a);
            self.fired(Rule::MulConstants);
            let product = self.bv_mul(k, b);
            return Some(self.bv_mul(x, product));
        }
        if let Some((x, k)) = self.sum_with_constant(a) {
            self.fired(Rule::MulDistribute);
            let (product, constant) = (self.bv_mul(x, b), self.bv_mul(k, b));
            return Some(self.bv_add(product, constant));
        }
        None
    }

    /// Unsigned division; by zero all ones.
    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvUdiv, a, b, |terms, a, b| {
            if let Some(value) = terms.as_bv(b).cloned() {
                if value.is_zero() {
                    terms.fired(Rule::UdivPower);
                    return Some(terms.ones_of(a));
                }
                if let Some(exponent) = power_of_two(&value) {
                    terms.fired(Rule::UdivPower);
                    return Some(terms.shift_right_by(a, exponent));
                }
            }
            if terms.is_less_by_range(a, b) {
                terms.fired(Rule::UdivRange);
                return Some(terms.zero_of(a));
            }
            terms.push_divisor(Op::BvUdiv, a, b)
        })
    }

    /// Unsigned remainder; by zero the dividend.
    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvUrem, a, b, |terms, a, b| {
            if let Some(value) = terms.as_bv(b).cloned() {
                if value.is_zero() {
                    terms.fired(Rule::UremPower);
                    return Some(a);
                }
                if let Some(exponent) = power_of_two(&value) {
                    terms.fired(Rule::UremPower);
                    return Some(terms.low_bits(a, exponent));
                }
            }
            if terms.is_less_by_range(a, b) {
                terms.fired(Rule::UremRange);
                return Some(a);
            }
            terms.push_divisor(Op::BvUrem, a, b)
        })
    }

    fn is_less_by_range(&self, a: TermId, b: TermId) -> bool {
        matches!((self.range(a), self.range(b)), (Some(a), Some(b)) if a.unsigned_max < b.unsigned_min)
    }

    pub(crate) fn is_not_negative(&self, term: TermId) -> bool {
        match self.range(term) {
            Some(range) => range.is_not_negative(),
            None => match self.op(term) {
                Op::BvZeroExtend(width) => width > self.width(self.child(term, 0)),
                _ => self.as_bv(term).is_some_and(|value| !value.sign_bit()),
            },
        }
    }

    /// Signed division, truncated; by zero as SMT-LIB: 1 or -1 by the dividend's sign.
    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSdiv, a, b, |terms, a, b| {
            if let Some(value) = terms.as_bv(b).cloned()
                && (value.is_ones() || value.is_one())
            {
                terms.fired(Rule::SdivUnit);
                return Some(if value.is_ones() { terms.bv_neg(a) } else { a });
            }
            if terms.is_not_negative(a) && terms.is_not_negative(b) {
                terms.fired(Rule::SdivUnsigned);
                return Some(terms.bv_udiv(a, b));
            }
            None
        })
    }

    /// Signed remainder with the sign of the dividend; by zero the dividend.
    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::BvSrem, a, b, |terms, a, b| {
            if let Some(value) = terms.as_bv(b).cloned()
                && (value.is_ones() || value.is_one())
            {
                terms.fired(Rule::SdivUnit);
                return Some(terms.zero_of(a));
            }
            if terms.is_not_negative(a) && terms.is_not_negative(b) {
                terms.fired(Rule::SdivUnsigned);
                return Some(terms.bv_urem(a, b));
            }
            if let (Some(x), Some(y)) = (terms.range(a), terms.range(b)) {
                let magnitude = x.signed().0.abs().max(x.signed().1.abs());
                let (low, high) = y.signed();
                if low > magnitude || high < -magnitude {
                    terms.fired(Rule::SdivRange);
                    return Some(a);
                }
            }
            None
        })
    }
}
