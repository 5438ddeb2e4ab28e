//! Conversions between float formats, and between floats and integers.

use num_bigint::{BigInt, BigUint, Sign};

use crate::float::{Class, Float};
use crate::float_arith::{integer_part, round, round_big};
use crate::{BitVec, FloatFormat, RoundingMode};

impl Float {
    /// The nearest number of another format, as the mode says.
    pub fn convert(self, format: FloatFormat, mode: RoundingMode) -> Self {
        match self.unpack() {
            Class::NaN if format == self.format() => self,
            Class::NaN => Self::nan(format),
            Class::Infinity => Self::infinity(format, self.sign_bit()),
            Class::Zero => Self::zero(format, self.sign_bit()),
            Class::Finite {
                significand,
                exponent,
            } => round(format, mode, self.sign_bit(), significand, exponent, false),
        }
    }

    /// The value rounded to an integer; `None` for infinities and NaN, and when the magnitude
    /// has more than `limit` bits.
    fn to_integer(self, limit: u32, mode: RoundingMode) -> Option<BigInt> {
        let magnitude = match self.unpack() {
            Class::NaN | Class::Infinity => return None,
            Class::Zero => BigUint::ZERO,
            Class::Finite {
                significand,
                exponent,
            } if exponent < 0 => integer_part(significand, exponent, self.sign_bit(), mode).into(),
            Class::Finite { exponent, .. } if exponent as u32 > limit => return None,
            Class::Finite {
                significand,
                exponent,
            } => BigUint::from(significand) << exponent as u32,
        };
        let sign = if self.sign_bit() { Sign::Minus } else { Sign::Plus };
        Some(BigInt::from_biguint(sign, magnitude))
    }

    /// The value as a signed integer; `None` when it is NaN or does not fit.
    pub fn to_signed(self, width: u32, mode: RoundingMode) -> Option<BitVec> {
        let integer = self.to_integer(width, mode)?;
        let result = BitVec::from_bigint(width, &integer);
        (result.to_bigint_signed() == integer).then_some(result)
    }

    /// The value as an unsigned integer; `None` when it is NaN or does not fit. A negative value that
    /// rounds to zero fits.
    pub fn to_unsigned(self, width: u32, mode: RoundingMode) -> Option<BitVec> {
        let integer = self.to_integer(width, mode)?;
        let fits = integer.sign() != Sign::Minus && integer.bits() <= u64::from(width);
        fits.then(|| BitVec::from_biguint(width, integer.magnitude()))
    }

    /// The nearest float to a signed integer.
    pub fn from_signed(value: &BitVec, format: FloatFormat, mode: RoundingMode) -> Self {
        let negative = value.sign_bit();
        let magnitude = if negative { value.neg() } else { value.clone() };
        Self::from_magnitude(negative, &magnitude, format, mode)
    }

    /// The nearest float to an unsigned integer.
    pub fn from_unsigned(value: &BitVec, format: FloatFormat, mode: RoundingMode) -> Self {
        Self::from_magnitude(false, value, format, mode)
    }

    fn from_magnitude(negative: bool, magnitude: &BitVec, format: FloatFormat, mode: RoundingMode) -> Self {
        match magnitude.to_u128() {
            Some(magnitude) => round(format, mode, negative, magnitude, 0, false),
            None => round_big(format, mode, negative, &magnitude.to_biguint(), 0, false),
        }
    }
}
