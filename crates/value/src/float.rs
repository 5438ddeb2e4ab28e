//! IEEE floats as bit patterns: construction, classification, sign operations, comparison.
//!
//! Idea: a [`Float`] is its format and its exact bits, so a NaN keeps its payload through loads,
//! stores and sign operations, and equality (`==` of Rust) is equality of bits; the comparison of
//! the C program is [`Float::ieee_eq`]. Arithmetic unpacks into sign, integer significand and
//! exponent (`unpack`), computes exactly, and rounds once (`round`, in `float_arith`).
//!
//! Invariant: an arithmetic result that is NaN is the canonical one, quiet with sign 0, so that all
//! engines agree bit for bit.
//!
//! x87 stores the leading bit. Patterns that the 80387 and later reject (unnormals,
//! pseudo-infinities, pseudo-NaNs) count as NaN; pseudo-denormals have their value.

use std::cmp::Ordering;
use std::fmt;

use crate::bitvec::mask;
use crate::float_arith::round;
use crate::{BitVec, FloatFormat, RoundingMode};

/// A float of some format.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float {
    format: FloatFormat,
    low: u64,
    high: u64,
}

/// What a pattern stands for; the sign is kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    NaN,
    Infinity,
    Zero,
    /// `significand * 2^exponent`, the significand not 0 and of at most `significand_bits` bits.
    Finite {
        significand: u128,
        exponent: i32,
    },
}

impl Float {
    pub(crate) fn from_raw(format: FloatFormat, bits: u128) -> Self {
        Float {
            format,
            low: bits as u64,
            high: (bits >> 64) as u64,
        }
    }

    /// The pattern in the low bits.
    pub fn raw_bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The float with these bits, which must be as many as the format has.
    pub fn from_bits(format: FloatFormat, bits: &BitVec) -> Self {
        debug_assert_eq!(bits.width(), format.bits(), "wrong number of bits for a float");
        Self::from_raw(format, bits.to_u128().unwrap_or(0) & mask(format.bits()))
    }

    /// The bits.
    pub fn to_bits(self) -> BitVec {
        BitVec::new(self.format.bits(), self.raw_bits())
    }

    /// A `float` of the host.
    pub fn from_f32(value: f32) -> Self {
        Self::from_raw(FloatFormat::Binary32, u128::from(value.to_bits()))
    }

    /// A `double` of the host.
    pub fn from_f64(value: f64) -> Self {
        Self::from_raw(FloatFormat::Binary64, u128::from(value.to_bits()))
    }

    /// The value as `float`, rounded to nearest when the format is another one.
    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.convert(FloatFormat::Binary32, RoundingMode::NearestEven).low as u32)
    }

    /// The value as `double`, rounded to nearest when the format is a wider one.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatFormat::Binary64, RoundingMode::NearestEven).low)
    }

    /// The value as the host's `double` when that is its format.
    pub(crate) fn host64(self) -> Option<f64> {
        (self.format == FloatFormat::Binary64).then(|| f64::from_bits(self.low))
    }

    /// The value as the host's `float` when that is its format.
    pub(crate) fn host32(self) -> Option<f32> {
        (self.format == FloatFormat::Binary32).then(|| f32::from_bits(self.low as u32))
    }

    fn sign_mask(format: FloatFormat) -> u128 {
        1 << (format.bits() - 1)
    }

    fn with_sign(self, negative: bool) -> Self {
        let magnitude = self.raw_bits() & !Self::sign_mask(self.format);
        let sign = if negative { Self::sign_mask(self.format) } else { 0 };
        Self::from_raw(self.format, magnitude | sign)
    }

    /// Builds a pattern from its fields.
    pub(crate) fn from_fields(format: FloatFormat, negative: bool, exponent: u32, field: u128) -> Self {
        Self::from_raw(format, u128::from(exponent) << format.field_bits() | field).with_sign(negative)
    }

    /// The leading bit of the significand, where the format stores it.
    pub(crate) fn stored_leading_bit(format: FloatFormat) -> u128 {
        if format == FloatFormat::X87Extended {
            1 << 63
        } else {
            0
        }
    }

    /// +0 or -0.
    pub fn zero(format: FloatFormat, negative: bool) -> Self {
        Self::from_raw(format, 0).with_sign(negative)
    }

    /// The number 1.
    pub fn one(format: FloatFormat) -> Self {
        Self::from_fields(
            format,
            false,
            format.max_exponent() as u32,
            Self::stored_leading_bit(format),
        )
    }

    /// An infinity.
    pub fn infinity(format: FloatFormat, negative: bool) -> Self {
        Self::from_fields(
            format,
            negative,
            format.special_exponent(),
            Self::stored_leading_bit(format),
        )
    }

    /// The canonical NaN: quiet, sign 0, payload 0.
    pub fn nan(format: FloatFormat) -> Self {
        let quiet = 1 << (format.significand_bits() - 2);
        Self::from_fields(
            format,
            false,
            format.special_exponent(),
            Self::stored_leading_bit(format) | quiet,
        )
    }

    /// The finite number of largest magnitude.
    pub fn max_finite(format: FloatFormat, negative: bool) -> Self {
        Self::from_fields(
            format,
            negative,
            format.special_exponent() - 1,
            mask(format.field_bits()),
        )
    }

    /// The number of smallest magnitude that is not zero.
    pub fn min_subnormal(format: FloatFormat, negative: bool) -> Self {
        Self::from_fields(format, negative, 0, 1)
    }

    /// The normal number of smallest magnitude.
    pub fn min_normal(format: FloatFormat, negative: bool) -> Self {
        Self::from_fields(format, negative, 1, Self::stored_leading_bit(format))
    }

    /// The format.
    pub fn format(self) -> FloatFormat {
        self.format
    }

    /// The exponent field.
    pub(crate) fn exponent_field(self) -> u32 {
        (self.raw_bits() >> self.format.field_bits()) as u32 & self.format.special_exponent()
    }

    /// The significand field.
    pub(crate) fn significand_field(self) -> u128 {
        self.raw_bits() & mask(self.format.field_bits())
    }

    pub(crate) fn unpack(self) -> Class {
        let (exponent, field, format) = (self.exponent_field(), self.significand_field(), self.format);
        let leading = 1u128 << (format.significand_bits() - 1);
        let stored = Self::stored_leading_bit(format);
        let invalid = exponent != 0 && field & stored != stored;
        if exponent == format.special_exponent() {
            let infinite = !invalid && field == stored;
            return if infinite { Class::Infinity } else { Class::NaN };
        }
        if invalid {
            return Class::NaN;
        }
        if exponent == 0 && field == 0 {
            return Class::Zero;
        }
        let significand = if exponent == 0 { field } else { field | leading };
        let lowest = format.min_exponent() - (format.significand_bits() as i32 - 1);
        Class::Finite {
            significand,
            exponent: lowest + exponent.max(1) as i32 - 1,
        }
    }

    /// The sign bit, of zeros and NaNs too.
    pub fn sign_bit(self) -> bool {
        self.raw_bits() & Self::sign_mask(self.format) != 0
    }

    /// Is not a number.
    pub fn is_nan(self) -> bool {
        self.unpack() == Class::NaN
    }

    /// Is plus or minus infinity.
    pub fn is_infinite(self) -> bool {
        self.unpack() == Class::Infinity
    }

    /// Is +0 or -0.
    pub fn is_zero(self) -> bool {
        self.raw_bits() & !Self::sign_mask(self.format) == 0
    }

    /// Is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        matches!(self.unpack(), Class::Zero | Class::Finite { .. })
    }

    /// Is finite and at least as large as the smallest normal number.
    pub fn is_normal(self) -> bool {
        let leading = 1u128 << (self.format.significand_bits() - 1);
        matches!(self.unpack(), Class::Finite { significand, .. } if significand & leading != 0)
    }

    /// Is not zero and smaller than the smallest normal number.
    pub fn is_subnormal(self) -> bool {
        matches!(self.unpack(), Class::Finite { .. }) && !self.is_normal()
    }

    /// Is a NaN that traps.
    pub fn is_signalling(self) -> bool {
        let quiet = 1 << (self.format.significand_bits() - 2);
        self.is_nan() && self.significand_field() & quiet == 0
    }

    /// The sign bit flipped, of NaN too.
    #[allow(
        clippy::should_implement_trait,
        reason = "one naming scheme for all operations"
    )]
    pub fn neg(self) -> Self {
        self.with_sign(!self.sign_bit())
    }

    /// The sign bit cleared, of NaN too.
    pub fn abs(self) -> Self {
        self.with_sign(false)
    }

    /// The magnitude of `self` with the sign of `sign`.
    pub fn copysign(self, sign: Self) -> Self {
        self.with_sign(sign.sign_bit())
    }

    /// The NaN that arithmetic produces where this value is NaN; else the value itself.
    pub fn canonical(self) -> Self {
        if self.is_nan() {
            Self::nan(self.format)
        } else {
            self
        }
    }

    /// Order of the numbers; `None` when one is NaN. Zeros are equal.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        debug_assert_eq!(self.format, other.format, "comparing floats of different formats");
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (a, b) = (self.magnitude_key(), other.magnitude_key());
        Some(match (self.sign_bit() && a != 0, other.sign_bit() && b != 0) {
            (false, false) => a.cmp(&b),
            (true, true) => b.cmp(&a),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        })
    }

    /// An integer that grows with the magnitude.
    fn magnitude_key(self) -> u128 {
        let magnitude = self.abs().raw_bits();
        let pseudo_denormal =
            self.exponent_field() == 0 && magnitude & Self::stored_leading_bit(self.format) != 0;
        magnitude + (u128::from(pseudo_denormal) << self.format.field_bits())
    }

    /// C's `==`: false with NaN, true for the two zeros.
    pub fn ieee_eq(self, other: Self) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// C's `<`.
    pub fn lt(self, other: Self) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// C's `<=`.
    pub fn le(self, other: Self) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// C's `fmin`: the other operand when one is NaN; the first when neither is less.
    pub fn min(self, other: Self) -> Self {
        match self.compare(other) {
            Some(Ordering::Greater) => other,
            Some(_) => self,
            None if self.is_nan() => other.canonical(),
            None => self,
        }
    }

    /// C's `fmax`: the other operand when one is NaN; the first when neither is less.
    pub fn max(self, other: Self) -> Self {
        match self.compare(other) {
            Some(Ordering::Less) => other,
            Some(_) => self,
            None if self.is_nan() => other.canonical(),
            None => self,
        }
    }

    /// The next number above (`up`) or below; infinity and NaN as C's `nextafter` has them.
    pub fn next(self, up: bool) -> Self {
        let (format, negative) = (self.format, self.sign_bit());
        let grow = negative != up;
        match self.unpack() {
            Class::NaN => Self::nan(format),
            Class::Infinity if grow => self,
            Class::Infinity => Self::max_finite(format, negative),
            Class::Zero => Self::min_subnormal(format, !up),
            Class::Finite {
                significand,
                exponent,
            } => {
                let leading = 1u128 << (format.significand_bits() - 1);
                let lowest = format.min_exponent() - (format.significand_bits() as i32 - 1);
                let (significand, exponent) = match grow {
                    true => (significand + 1, exponent),
                    false if significand == leading && exponent > lowest => (2 * leading - 1, exponent - 1),
                    false => (significand - 1, exponent),
                };
                round(
                    format,
                    RoundingMode::NearestEven,
                    negative,
                    significand,
                    exponent,
                    false,
                )
            }
        }
    }
}

/// The decimal value, the bits and the format.
impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{:#x}:{}",
            self.to_decimal(),
            self.raw_bits(),
            self.format.llvm_name()
        )
    }
}

/// The shortest decimal number that reads back as the same float.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_decimal())
    }
}
