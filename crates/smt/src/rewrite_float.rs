//! Builders of float terms.
//!
//! A float value here keeps the payload of a NaN, as the machine does: reading bits as a float,
//! if-then-else, negation and magnitude pass it on, every arithmetic operation yields the canonical
//! NaN. Only [`Terms::fp_to_bits`] can tell, so it is defined by structure and reaches the solver
//! on operation results only; everywhere else SMT-LIB's single NaN says the same.
//!
//! Rewrites are exact: they give the same bits for every operand and rounding mode.

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};
use smallvec::SmallVec;

use crate::op::{Op, Sort};
use crate::rules::Rule;
use crate::terms::{TermId, Terms};

/// True when every value of one format is a value of the other.
pub(crate) fn widens(from: FloatFormat, to: FloatFormat) -> bool {
    from.exponent_bits() <= to.exponent_bits() && from.significand_bits() <= to.significand_bits()
}

/// The reciprocal of a power of two, when both are normal numbers.
fn exact_reciprocal(value: Float) -> Option<Float> {
    let one = Float::one(value.format());
    let reciprocal = one.div(value, RoundingMode::TowardZero);
    let back = reciprocal.mul(value, RoundingMode::TowardZero);
    let power = reciprocal == one.div(value, RoundingMode::Upward)
        && reciprocal == one.div(value, RoundingMode::Downward);
    (power && back == one && value.is_normal() && reciprocal.is_normal()).then_some(reciprocal)
}

impl Terms {
    /// True when the term can only be NaN as the canonical one.
    fn has_canonical_nan(&self, term: TermId) -> bool {
        match self.op(term) {
            Op::Float(_) => self
                .as_float(term)
                .is_some_and(|value| value.canonical() == *value),
            Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRem
            | Op::FpRound => true,
            Op::FpConvert(_) | Op::FpFromSigned(_) | Op::FpFromUnsigned(_) => true,
            _ => false,
        }
    }

    fn fp_application(&mut self, op: Op, operands: &[TermId]) -> TermId {
        self.mk(op, operands)
    }

    fn fp_commutative(&mut self, op: Op, mode: TermId, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.rewriting {
            self.ordered(a, b)
        } else {
            (a, b)
        };
        self.fp_application(op, &[mode, a, b])
    }

    /// Addition.
    pub fn fp_add(&mut self, mode: TermId, a: TermId, b: TermId) -> TermId {
        self.fp_commutative(Op::FpAdd, mode, a, b)
    }

    /// Subtraction.
    pub fn fp_sub(&mut self, mode: TermId, a: TermId, b: TermId) -> TermId {
        if self.rewriting
            && !self.is_const(a)
            && let Some(value) = self.as_float(b).filter(|value| !value.is_nan())
        {
            let negated = value.neg();
            self.fired(Rule::FpSubNegated);
            let negated = self.float(negated);
            return self.fp_add(mode, a, negated);
        }
        self.fp_application(Op::FpSub, &[mode, a, b])
    }

    /// Multiplication.
    pub fn fp_mul(&mut self, mode: TermId, a: TermId, b: TermId) -> TermId {
        if self.rewriting {
            let (a, b) = self.ordered(a, b);
            if self.is_float_one(b) && self.has_canonical_nan(a) {
                self.fired(Rule::FpMulOne);
                return a;
            }
        }
        self.fp_commutative(Op::FpMul, mode, a, b)
    }

    fn is_float_one(&self, term: TermId) -> bool {
        self.as_float(term)
            .is_some_and(|value| *value == Float::one(value.format()))
    }

    /// Division.
    pub fn fp_div(&mut self, mode: TermId, a: TermId, b: TermId) -> TermId {
        if self.rewriting && !self.is_const(a) {
            if self.is_float_one(b) && self.has_canonical_nan(a) {
                self.fired(Rule::FpMulOne);
                return a;
            }
            if let Some(reciprocal) = self.as_float(b).copied().and_then(exact_reciprocal) {
                self.fired(Rule::FpDivPower);
                let reciprocal = self.float(reciprocal);
                return self.fp_mul(mode, a, reciprocal);
            }
        }
        self.fp_application(Op::FpDiv, &[mode, a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, mode: TermId, a: TermId, b: TermId, c: TermId) -> TermId {
        let (a, b) = if self.rewriting {
            self.ordered(a, b)
        } else {
            (a, b)
        };
        self.fp_application(Op::FpFma, &[mode, a, b, c])
    }

    /// Square root.
    pub fn fp_sqrt(&mut self, mode: TermId, a: TermId) -> TermId {
        self.fp_application(Op::FpSqrt, &[mode, a])
    }

    /// IEEE remainder (C's `remainder`).
    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_application(Op::FpRem, &[a, b])
    }

    /// C's `fmod`, from the IEEE remainder of the magnitudes: a negative one lies one divisor too
    /// low, and adding it is exact.
    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        let (dividend, divisor) = (self.fp_abs(a), self.fp_abs(b));
        let remainder = self.fp_rem(dividend, divisor);
        let mode = self.rounding(RoundingMode::NearestEven);
        let raised = self.fp_add(mode, remainder, divisor);
        let zero = self.float(Float::zero(self.sort(a).format(), false));
        let below = self.fp_lt(remainder, zero);
        let magnitude = self.ite(below, raised, remainder);
        let (negative, nan) = (self.fp_is_negative(a), self.fp_is_nan(magnitude));
        let number = self.not(nan);
        let flip = self.and(negative, number);
        let negated = self.fp_neg(magnitude);
        self.ite(flip, negated, magnitude)
    }

    /// Round to an integral value.
    pub fn fp_round(&mut self, mode: TermId, a: TermId) -> TermId {
        self.fp_application(Op::FpRound, &[mode, a])
    }

    /// C's `fmin`: the other operand when one is NaN, the first when neither is less.
    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        let less = self.fp_lt(b, a);
        self.fp_select(less, a, b)
    }

    /// C's `fmax`: the other operand when one is NaN, the first when neither is greater.
    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.fp_lt(a, b);
        self.fp_select(greater, a, b)
    }

    fn fp_select(&mut self, take_second: TermId, a: TermId, b: TermId) -> TermId {
        let (a_nan, b_nan) = (self.fp_is_nan(a), self.fp_is_nan(b));
        let nan = self.float(Float::nan(self.sort(a).format()));
        let second = self.ite(b_nan, nan, b);
        let otherwise = self.ite(a_nan, second, a);
        self.ite(take_second, b, otherwise)
    }

    /// Magnitude (the sign bit cleared, of NaN too).
    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        self.unary(Op::FpAbs, a, |terms, a| match terms.op(a) {
            Op::FpAbs => {
                terms.fired(Rule::FpAbsAbs);
                Some(a)
            }
            Op::FpNeg => {
                terms.fired(Rule::FpAbsAbs);
                let inner = terms.child(a, 0);
                Some(terms.fp_abs(inner))
            }
            _ => None,
        })
    }

    /// Negation (the sign bit flipped, of NaN too).
    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        self.unary(Op::FpNeg, a, |terms, a| {
            (terms.op(a) == Op::FpNeg).then(|| {
                terms.fired(Rule::FpNegNeg);
                terms.child(a, 0)
            })
        })
    }

    /// The magnitude of one float with the sign bit of another.
    pub fn fp_copysign(&mut self, magnitude: TermId, sign: TermId) -> TermId {
        let negative = self.fp_sign_bit(sign);
        let positive = self.fp_abs(magnitude);
        let negated = self.fp_neg(positive);
        self.ite(negative, negated, positive)
    }

    /// The sign bit, of a NaN too.
    pub fn fp_sign_bit(&mut self, a: TermId) -> TermId {
        if self.has_canonical_nan(a) {
            return self.fp_is_negative(a);
        }
        let bits = self.fp_to_bits(a);
        let zero = self.zero_of(bits);
        self.bv_slt(bits, zero)
    }

    /// IEEE equality.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::FpEq, a, b, |terms, a, b| {
            if a == b {
                terms.fired(Rule::FpCompareSame);
                let nan = terms.fp_is_nan(a);
                return Some(terms.not(nan));
            }
            terms
                .compare_nan(a, b)
                .or_else(|| terms.compare_converted(Op::FpEq, a, b))
        })
    }

    /// IEEE less-than.
    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::FpLt, a, b, |terms, a, b| {
            if a == b {
                terms.fired(Rule::FpCompareSame);
                return Some(terms.false_());
            }
            if let Some(known) = terms.compare_nan(a, b) {
                return Some(known);
            }
            if terms.is_infinity(a, false) || terms.is_infinity(b, true) {
                terms.fired(Rule::FpCompareInfinity);
                return Some(terms.false_());
            }
            terms.compare_converted(Op::FpLt, a, b)
        })
    }

    /// IEEE less-or-equal.
    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Op::FpLe, a, b, |terms, a, b| {
            if a == b {
                terms.fired(Rule::FpCompareSame);
                let nan = terms.fp_is_nan(a);
                return Some(terms.not(nan));
            }
            if let Some(known) = terms.compare_nan(a, b) {
                return Some(known);
            }
            if terms.is_infinity(a, true) || terms.is_infinity(b, false) {
                terms.fired(Rule::FpCompareInfinity);
                let other = if terms.is_const(a) { b } else { a };
                let nan = terms.fp_is_nan(other);
                return Some(terms.not(nan));
            }
            terms.compare_converted(Op::FpLe, a, b)
        })
    }

    fn compare_nan(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let is_nan = |term| self.as_float(term).is_some_and(|value| value.is_nan());
        if is_nan(a) || is_nan(b) {
            self.fired(Rule::FpCompareNan);
            return Some(self.false_());
        }
        None
    }

    fn is_infinity(&self, term: TermId, negative: bool) -> bool {
        self.as_float(term)
            .is_some_and(|value| value.is_infinite() && value.sign_bit() == negative)
    }

    /// The operand of an exact conversion to a wider format.
    fn widened(&self, term: TermId) -> Option<TermId> {
        let Op::FpConvert(to) = self.op(term) else {
            return None;
        };
        let inner = self.child(term, 1);
        widens(self.sort(inner).format(), to).then_some(inner)
    }

    /// Compares in the narrow format what was only widened for the comparison.
    fn compare_converted(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        match (self.widened(a), self.widened(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => {
                self.fired(Rule::FpCompareConverted);
                Some(self.fp_compare(op, x, y))
            }
            (Some(x), None) => {
                let value = *self.as_float(b)?;
                let format = self.sort(x).format();
                // The constant, or the largest narrow number below it.
                let narrow = value.convert(format, RoundingMode::Downward);
                let exact = narrow
                    .convert(value.format(), RoundingMode::NearestEven)
                    .ieee_eq(value);
                self.fired(Rule::FpCompareConvertedConstant);
                let narrow = self.float(narrow);
                Some(match op {
                    Op::FpEq if !exact => self.false_(),
                    Op::FpLt if !exact => self.fp_compare(Op::FpLe, x, narrow),
                    _ => self.fp_compare(op, x, narrow),
                })
            }
            (None, Some(y)) => {
                let value = *self.as_float(a)?;
                let format = self.sort(y).format();
                // The constant, or the smallest narrow number above it.
                let narrow = value.convert(format, RoundingMode::Upward);
                let exact = narrow
                    .convert(value.format(), RoundingMode::NearestEven)
                    .ieee_eq(value);
                self.fired(Rule::FpCompareConvertedConstant);
                let narrow = self.float(narrow);
                Some(match op {
                    Op::FpEq if !exact => self.false_(),
                    Op::FpLt if !exact => self.fp_compare(Op::FpLe, narrow, y),
                    _ => self.fp_compare(op, narrow, y),
                })
            }
            _ => None,
        }
    }

    fn fp_compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        match op {
            Op::FpEq => self.fp_eq(a, b),
            Op::FpLt => self.fp_lt(a, b),
            _ => self.fp_le(a, b),
        }
    }

    fn fp_class(&mut self, op: Op, a: TermId) -> TermId {
        let class = |terms: &mut Terms, a: TermId| -> Option<TermId> {
            let inner_op = terms.op(a);
            let result = match (op, inner_op) {
                (_, Op::FpNeg | Op::FpAbs) if op != Op::FpIsNegative => {
                    let inner = terms.child(a, 0);
                    terms.fp_class(op, inner)
                }
                (Op::FpIsNegative, Op::FpAbs | Op::FpFromUnsigned(_)) => terms.false_(),
                (Op::FpIsNan | Op::FpIsSubnormal, Op::FpFromSigned(_) | Op::FpFromUnsigned(_)) => {
                    terms.false_()
                }
                (Op::FpIsInf, Op::FpFromSigned(format) | Op::FpFromUnsigned(format))
                    if terms.width(terms.child(a, 1)) <= format.max_exponent() as u32 =>
                {
                    terms.false_()
                }
                (Op::FpIsNan, Op::FpConvert(_)) => {
                    let inner = terms.child(a, 1);
                    terms.fp_class(op, inner)
                }
                (Op::FpIsInf | Op::FpIsZero | Op::FpIsNegative, Op::FpConvert(_)) => {
                    let inner = terms.widened(a)?;
                    terms.fp_class(op, inner)
                }
                _ => return None,
            };
            terms.fired(Rule::FpClassKnown);
            Some(result)
        };
        if !self.rewriting || self.is_const(a) {
            return self.mk(op, &[a]);
        }
        if let Some(known) = self.nested(|terms| class(terms, a).or_else(|| terms.push_unary(op, a))) {
            return known;
        }
        self.mk_plain(op, &[a])
    }

    /// Is not a number.
    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsNan, a)
    }

    /// Is an infinity.
    pub fn fp_is_inf(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsInf, a)
    }

    /// Is a zero.
    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsZero, a)
    }

    /// Is a normal number.
    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsNormal, a)
    }

    /// Is a subnormal number.
    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsSubnormal, a)
    }

    /// The sign bit is set and it is not NaN.
    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        self.fp_class(Op::FpIsNegative, a)
    }

    /// The float stored as these bits.
    pub fn fp_from_bits(&mut self, format: FloatFormat, bits: TermId) -> TermId {
        self.read_bits_bounded(format, bits, 64)
    }

    fn read_bits_bounded(&mut self, format: FloatFormat, bits: TermId, depth: u32) -> TermId {
        let op = Op::FpFromBits(format);
        if !self.rewriting || self.is_const(bits) {
            return self.mk(op, &[bits]);
        }
        if self.op(bits) == Op::FpToBits {
            let float = self.child(bits, 0);
            if self.sort(float) == Sort::Float(format) {
                self.fired(Rule::FpFromToBits);
                return float;
            }
        }
        if self.op(bits) == Op::Ite && depth > 0 {
            let (condition, then, otherwise) = self.operands3(bits);
            let known =
                |terms: &Terms, term| matches!(terms.op(term), Op::FpToBits | Op::BitVec(_) | Op::Ite);
            if known(self, then) && known(self, otherwise) {
                self.fired(Rule::FpFromToBits);
                let then = self.read_bits_bounded(format, then, depth - 1);
                let otherwise = self.read_bits_bounded(format, otherwise, depth - 1);
                return self.ite(condition, then, otherwise);
            }
        }
        self.mk_plain(op, &[bits])
    }

    /// The bits a float is stored as. Defined by structure down to operation results, so that a
    /// NaN keeps its payload exactly where the machine keeps it; this happens with rewriting
    /// switched off, too.
    pub fn fp_to_bits(&mut self, float: TermId) -> TermId {
        let mut stack = vec![float];
        while let Some(&term) = stack.last() {
            if self.float_bits.contains_key(&term) {
                stack.pop();
                continue;
            }
            let needed: SmallVec<[TermId; 2]> = match self.op(term) {
                Op::Ite => SmallVec::from_slice(&self.children(term)[1..]),
                Op::FpNeg | Op::FpAbs => SmallVec::from_slice(self.children(term)),
                _ => SmallVec::new(),
            };
            let missing: SmallVec<[TermId; 2]> = needed
                .into_iter()
                .filter(|operand| !self.float_bits.contains_key(operand))
                .collect();
            if missing.is_empty() {
                let bits = self.bits_of(term);
                self.float_bits.insert(term, bits);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.float_bits[&float]
    }

    /// The bits of one term whose operands' bits are known.
    fn bits_of(&mut self, term: TermId) -> TermId {
        let width = self.sort(term).format().bits();
        let known = |terms: &Terms, index: usize| terms.float_bits[&terms.child(term, index)];
        match self.op(term) {
            Op::Float(_) => self.mk_folded_bits(term),
            Op::FpFromBits(_) => {
                self.fired(Rule::FpBitsThrough);
                self.child(term, 0)
            }
            Op::Ite => {
                self.fired(Rule::FpBitsThrough);
                let (then, otherwise) = (known(self, 1), known(self, 2));
                let condition = self.child(term, 0);
                self.ite(condition, then, otherwise)
            }
            Op::FpNeg => {
                self.fired(Rule::FpBitsThrough);
                let bits = known(self, 0);
                let sign = self.bv(BitVec::min_signed(width));
                self.bv_xor(bits, sign)
            }
            Op::FpAbs => {
                self.fired(Rule::FpBitsThrough);
                let bits = known(self, 0);
                let mask = self.bv(BitVec::max_signed(width));
                self.bv_and(bits, mask)
            }
            _ => self.mk_plain(Op::FpToBits, &[term]),
        }
    }

    fn mk_folded_bits(&mut self, term: TermId) -> TermId {
        let bits = self.as_float(term).map(|value| value.to_bits());
        match bits {
            Some(bits) => self.bv(bits),
            None => self.mk_plain(Op::FpToBits, &[term]),
        }
    }

    /// Conversion to another format; to the same format it is the float itself.
    pub fn fp_convert(&mut self, mode: TermId, format: FloatFormat, a: TermId) -> TermId {
        if self.sort(a) == Sort::Float(format) {
            self.fired(Rule::FpConvertSame);
            return a;
        }
        if self.rewriting
            && let Some(inner) = self.widened(a)
        {
            if self.sort(inner) != Sort::Float(format) {
                self.fired(Rule::FpConvertTwice);
                return self.fp_convert(mode, format, inner);
            }
            if self.has_canonical_nan(inner) {
                self.fired(Rule::FpConvertBack);
                return inner;
            }
        }
        self.fp_application(Op::FpConvert(format), &[mode, a])
    }

    /// The float nearest to a signed integer.
    pub fn fp_from_signed(&mut self, mode: TermId, format: FloatFormat, a: TermId) -> TermId {
        if self.rewriting && matches!(self.op(a), Op::BvSignExtend(_) | Op::BvZeroExtend(_)) {
            self.fired(Rule::FpFromExtended);
            let inner = self.child(a, 0);
            return match self.op(a) {
                Op::BvSignExtend(_) => self.fp_from_signed(mode, format, inner),
                _ => self.fp_from_unsigned(mode, format, inner),
            };
        }
        self.fp_application(Op::FpFromSigned(format), &[mode, a])
    }

    /// The float nearest to an unsigned integer.
    pub fn fp_from_unsigned(&mut self, mode: TermId, format: FloatFormat, a: TermId) -> TermId {
        if self.rewriting && matches!(self.op(a), Op::BvZeroExtend(_)) {
            self.fired(Rule::FpFromExtended);
            let inner = self.child(a, 0);
            return self.fp_from_unsigned(mode, format, inner);
        }
        self.fp_application(Op::FpFromUnsigned(format), &[mode, a])
    }

    /// The integer a float was converted from without rounding, widened; `None` when it may not fit.
    fn integer_inside(&mut self, a: TermId, width: u32, signed: bool) -> Option<TermId> {
        let (format, from_signed) = match self.op(a) {
            Op::FpFromSigned(format) => (format, true),
            Op::FpFromUnsigned(format) => (format, false),
            _ => return None,
        };
        let integer = self.child(a, 1);
        let from = self.width(integer);
        let fits = match (from_signed, signed) {
            (true, true) | (false, false) => from <= width,
            (false, true) => from < width,
            (true, false) => false,
        };
        if !self.rewriting || !fits || from > format.significand_bits() {
            return None;
        }
        self.fired(Rule::FpToIntOfInt);
        Some(if from_signed {
            self.bv_sext(integer, width)
        } else {
            self.bv_zext(integer, width)
        })
    }

    /// The signed integer nearest to a float; the smallest one when NaN or out of range.
    pub fn fp_to_signed(&mut self, mode: TermId, width: u32, a: TermId) -> TermId {
        if let Some(integer) = self.integer_inside(a, width, true) {
            return integer;
        }
        self.fp_application(Op::FpToSigned(width), &[mode, a])
    }

    /// The unsigned integer nearest to a float; all ones when NaN or out of range.
    pub fn fp_to_unsigned(&mut self, mode: TermId, width: u32, a: TermId) -> TermId {
        if let Some(integer) = self.integer_inside(a, width, false) {
            return integer;
        }
        self.fp_application(Op::FpToUnsigned(width), &[mode, a])
    }
}
