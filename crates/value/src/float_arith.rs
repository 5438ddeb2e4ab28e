//! Float arithmetic: each operation exactly on integers, then one rounding.
//!
//! Idea: a finite float is an integer times a power of two, so sums and products are exact in
//! integers; quotients and roots are computed to two bits more than the precision, with a sticky
//! bit for the rest. `round` is the only place that knows about precision, subnormals and overflow.
//! For `float` and `double` in round-to-nearest-even the processor computes the same bits, NaN
//! aside, and is used instead.
//!
//! Source: IEEE 754-2019, sections 4.3 (rounding), 5.3 and 5.4 (operations), 6 (special values).

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};

use crate::float::{Class, Float};
use crate::{FloatFormat, RoundingMode};

/// Runs the host operation when format and mode allow it, and canonicalises NaN.
macro_rules! on_host {
    ($rm:expr, $($name:ident = $operand:expr),+ => $result:expr) => {
        if $rm == RoundingMode::NearestEven {
            if let ($(Some($name),)+) = ($($operand.host64(),)+) {
                return Float::from_f64($result).canonical();
            }
            if let ($(Some($name),)+) = ($($operand.host32(),)+) {
                return Float::from_f32($result).canonical();
            }
        }
    };
}

/// The representable number for `(significand + rest) * 2^exponent`, where `rest` is 0, or
/// somewhere between 0 and 1 when `sticky`. With `sticky` the significand must have at least two
/// bits more than the precision.
pub(crate) fn round(
    format: FloatFormat,
    mode: RoundingMode,
    negative: bool,
    significand: u128,
    exponent: i32,
    sticky: bool,
) -> Float {
    if significand == 0 {
        return Float::zero(format, negative);
    }
    let precision = format.significand_bits() as i32;
    let top = exponent + 127 - significand.leading_zeros() as i32;
    let mut last = top.max(format.min_exponent()) - (precision - 1);
    let shift = last - exponent;
    let mut kept = match shift {
        ..=0 => significand << -shift,
        1..=127 => significand >> shift,
        _ => 0,
    };
    if shift > 0 {
        let (rest, half) = match shift {
            1..=127 => {
                let rest = significand & ((1 << shift) - 1);
                (rest, rest.cmp(&(1 << (shift - 1))))
            }
            128 => (significand, significand.cmp(&(1 << 127))),
            _ => (significand, Ordering::Less),
        };
        let half = if half.is_eq() && sticky {
            Ordering::Greater
        } else {
            half
        };
        if mode.rounds_up(negative, kept & 1 == 1, half, rest != 0 || sticky) {
            kept += 1;
            if kept == 1 << precision {
                kept >>= 1;
                last += 1;
            }
        }
    }
    if last + precision - 1 > format.max_exponent() {
        return overflow(format, mode, negative);
    }
    let leading = 1u128 << (precision - 1);
    let biased = if kept & leading == 0 {
        0
    } else {
        (last + precision - 1 + format.max_exponent()) as u32
    };
    let field = if format == FloatFormat::X87Extended {
        kept
    } else {
        kept & !leading
    };
    Float::from_fields(format, negative, biased, field)
}

/// The result of a number too large for the format.
fn overflow(format: FloatFormat, mode: RoundingMode, negative: bool) -> Float {
    let to_infinity = match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::TowardZero => false,
        RoundingMode::Upward => !negative,
        RoundingMode::Downward => negative,
    };
    if to_infinity {
        Float::infinity(format, negative)
    } else {
        Float::max_finite(format, negative)
    }
}

/// `round` for a significand of any length.
pub(crate) fn round_big(
    format: FloatFormat,
    mode: RoundingMode,
    negative: bool,
    significand: &BigUint,
    exponent: i32,
    sticky: bool,
) -> Float {
    let excess = significand.bits().saturating_sub(128);
    let lost = excess > 0 && significand.trailing_zeros().is_some_and(|zeros| zeros < excess);
    let head = (significand >> excess).to_u128().unwrap_or(0);
    // More than 2^31 bits cannot occur: widths end at 2^23 and exponents at 2^15.
    round(
        format,
        mode,
        negative,
        head,
        exponent + excess as i32,
        sticky || lost,
    )
}

/// The sign of an exact zero sum of non-zero numbers, or of zeros of different signs.
fn zero_sum(format: FloatFormat, mode: RoundingMode) -> Float {
    Float::zero(format, mode == RoundingMode::Downward)
}

fn signed(negative: bool, magnitude: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude)
}

fn round_signed(format: FloatFormat, mode: RoundingMode, value: &BigInt, exponent: i32) -> Float {
    if value.is_zero() {
        return zero_sum(format, mode);
    }
    round_big(
        format,
        mode,
        value.sign() == Sign::Minus,
        value.magnitude(),
        exponent,
        false,
    )
}

#[allow(
    clippy::should_implement_trait,
    reason = "the operations take a rounding mode and share one naming scheme"
)]
impl Float {
    /// Sum.
    pub fn add(self, other: Self, mode: RoundingMode) -> Self {
        on_host!(mode, a = self, b = other => a + b);
        let format = self.format();
        match (self.unpack(), other.unpack()) {
            (Class::NaN, _) | (_, Class::NaN) => Self::nan(format),
            (Class::Infinity, Class::Infinity) if self.sign_bit() != other.sign_bit() => Self::nan(format),
            (Class::Infinity, _) => self,
            (_, Class::Infinity) => other,
            (Class::Zero, Class::Zero) if self.sign_bit() == other.sign_bit() => self,
            (Class::Zero, Class::Zero) => zero_sum(format, mode),
            (
                Class::Zero,
                Class::Finite {
                    significand,
                    exponent,
                },
            ) => round(format, mode, other.sign_bit(), significand, exponent, false),
            (
                Class::Finite {
                    significand,
                    exponent,
                },
                Class::Zero,
            ) => round(format, mode, self.sign_bit(), significand, exponent, false),
            (
                Class::Finite {
                    significand: a,
                    exponent: a_exponent,
                },
                Class::Finite {
                    significand: b,
                    exponent: b_exponent,
                },
            ) => {
                let a = (self.sign_bit(), BigUint::from(a), a_exponent);
                let b = (other.sign_bit(), BigUint::from(b), b_exponent);
                add_exact(format, mode, a, b)
            }
        }
    }

    /// Difference.
    pub fn sub(self, other: Self, mode: RoundingMode) -> Self {
        self.add(other.neg(), mode)
    }

    /// Product.
    pub fn mul(self, other: Self, mode: RoundingMode) -> Self {
        on_host!(mode, a = self, b = other => a * b);
        let format = self.format();
        let negative = self.sign_bit() != other.sign_bit();
        match (self.unpack(), other.unpack()) {
            (Class::NaN, _) | (_, Class::NaN) => Self::nan(format),
            (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => Self::nan(format),
            (Class::Infinity, _) | (_, Class::Infinity) => Self::infinity(format, negative),
            (Class::Zero, _) | (_, Class::Zero) => Self::zero(format, negative),
            (
                Class::Finite {
                    significand: a,
                    exponent: a_exponent,
                },
                Class::Finite {
                    significand: b,
                    exponent: b_exponent,
                },
            ) => {
                let exponent = a_exponent + b_exponent;
                match a.checked_mul(b) {
                    Some(product) => round(format, mode, negative, product, exponent, false),
                    None => round_big(format, mode, negative, &(BigUint::from(a) * b), exponent, false),
                }
            }
        }
    }

    /// Quotient.
    pub fn div(self, other: Self, mode: RoundingMode) -> Self {
        on_host!(mode, a = self, b = other => a / b);
        let format = self.format();
        let negative = self.sign_bit() != other.sign_bit();
        match (self.unpack(), other.unpack()) {
            (Class::NaN, _) | (_, Class::NaN) => Self::nan(format),
            (Class::Infinity, Class::Infinity) | (Class::Zero, Class::Zero) => Self::nan(format),
            (Class::Infinity, _) | (_, Class::Zero) => Self::infinity(format, negative),
            (Class::Zero, _) | (_, Class::Infinity) => Self::zero(format, negative),
            (
                Class::Finite {
                    significand: a,
                    exponent: a_exponent,
                },
                Class::Finite {
                    significand: b,
                    exponent: b_exponent,
                },
            ) => {
                // The quotient of numbers of n and m bits has at least n - m bits.
                let wanted = format.significand_bits() + 3 + (128 - b.leading_zeros());
                let shift = wanted.saturating_sub(128 - a.leading_zeros());
                let exponent = a_exponent - b_exponent - shift as i32;
                if a.leading_zeros() >= shift {
                    let dividend = a << shift;
                    return round(
                        format,
                        mode,
                        negative,
                        dividend / b,
                        exponent,
                        !dividend.is_multiple_of(b),
                    );
                }
                let dividend = BigUint::from(a) << shift;
                let (quotient, rest) = (&dividend / b, &dividend % b);
                round_big(format, mode, negative, &quotient, exponent, !rest.is_zero())
            }
        }
    }

    /// `self * factor + addend`, rounded once.
    pub fn fma(self, factor: Self, addend: Self, mode: RoundingMode) -> Self {
        let format = self.format();
        let negative = self.sign_bit() != factor.sign_bit();
        let (a, b, c) = (self.unpack(), factor.unpack(), addend.unpack());
        if [a, b, c].contains(&Class::NaN) {
            return Self::nan(format);
        }
        let product_infinite = a == Class::Infinity || b == Class::Infinity;
        if product_infinite && (a == Class::Zero || b == Class::Zero) {
            return Self::nan(format);
        }
        match (a, b, c) {
            _ if product_infinite && c == Class::Infinity && negative != addend.sign_bit() => {
                Self::nan(format)
            }
            _ if product_infinite => Self::infinity(format, negative),
            (_, _, Class::Infinity) => addend,
            (
                Class::Finite {
                    significand: a,
                    exponent: a_exponent,
                },
                Class::Finite {
                    significand: b,
                    exponent: b_exponent,
                },
                _,
            ) => {
                let product = (negative, BigUint::from(a) * b, a_exponent + b_exponent);
                match c {
                    Class::Finite {
                        significand,
                        exponent,
                    } => add_exact(
                        format,
                        mode,
                        product,
                        (addend.sign_bit(), significand.into(), exponent),
                    ),
                    _ => round_big(format, mode, negative, &product.1, product.2, false),
                }
            }
            // The product is zero: the sum decides about the sign of zero.
            _ => Self::zero(format, negative).add(addend, mode),
        }
    }

    /// Square root.
    pub fn sqrt(self, mode: RoundingMode) -> Self {
        on_host!(mode, a = self => a.sqrt());
        let format = self.format();
        match self.unpack() {
            Class::NaN => Self::nan(format),
            Class::Zero => self,
            _ if self.sign_bit() => Self::nan(format),
            Class::Infinity => self,
            Class::Finite {
                significand,
                exponent,
            } => {
                let length = 128 - significand.leading_zeros();
                let wanted = 2 * (format.significand_bits() + 2);
                let mut shift = wanted.saturating_sub(length);
                shift += (exponent - shift as i32).rem_euclid(2) as u32;
                let half_exponent = (exponent - shift as i32) / 2;
                if significand.leading_zeros() >= shift {
                    let radicand = significand << shift;
                    let root = radicand.isqrt();
                    return round(format, mode, false, root, half_exponent, root * root != radicand);
                }
                let radicand = BigUint::from(significand) << shift;
                let root = radicand.sqrt();
                let inexact = &root * &root != radicand;
                round_big(format, mode, false, &root, half_exponent, inexact)
            }
        }
    }

    /// IEEE remainder (C's `remainder`): `self - n * other` for the integer `n` nearest to the
    /// quotient, the even one of two. Always exact; a zero has the sign of `self`.
    pub fn rem(self, other: Self) -> Self {
        self.remainder(other, true)
    }

    /// C's `fmod`: `self - n * other` for the quotient truncated to an integer. Always exact; a zero
    /// has the sign of `self`.
    pub fn fmod(self, other: Self) -> Self {
        on_host!(RoundingMode::NearestEven, a = self, b = other => a % b);
        self.remainder(other, false)
    }

    fn remainder(self, other: Self, nearest: bool) -> Self {
        let format = self.format();
        let (
            Class::Finite {
                significand: b,
                exponent: b_exponent,
            },
            b_finite,
        ) = (match other.unpack() {
            Class::NaN | Class::Zero => return Self::nan(format),
            Class::Infinity => (
                Class::Finite {
                    significand: 1,
                    exponent: 0,
                },
                false,
            ),
            class => (class, true),
        })
        else {
            return Self::nan(format);
        };
        let (a, a_exponent) = match self.unpack() {
            Class::NaN | Class::Infinity => return Self::nan(format),
            Class::Zero => return self,
            Class::Finite {
                significand,
                exponent,
            } => (significand, exponent),
        };
        if !b_finite {
            return self;
        }
        // |self| far below |other|: the quotient is 0, whatever the rounding.
        let top = |significand: u128, exponent: i32| exponent + 128 - significand.leading_zeros() as i32;
        if top(a, a_exponent) + 1 < top(b, b_exponent) {
            return self;
        }
        let exponent = a_exponent.min(b_exponent);
        let a = BigUint::from(a) << (a_exponent - exponent) as u32;
        let b = BigUint::from(b) << (b_exponent - exponent) as u32;
        let (quotient, rest) = (&a / &b, &a % &b);
        let twice = &rest << 1u32;
        let complement = nearest
            && match twice.cmp(&b) {
                Ordering::Greater => true,
                Ordering::Equal => quotient.bit(0),
                Ordering::Less => false,
            };
        let rest = if complement { &b - rest } else { rest };
        let negative = self.sign_bit() != (complement && !rest.is_zero());
        round_big(format, RoundingMode::TowardZero, negative, &rest, exponent, false)
    }

    /// The integer next to the value as the mode says, as a float; a zero has the sign of the value.
    pub fn round_to_integral(self, mode: RoundingMode) -> Self {
        let Class::Finite {
            significand,
            exponent,
        } = self.unpack()
        else {
            return self.canonical();
        };
        if exponent >= 0 {
            return self;
        }
        let integer = integer_part(significand, exponent, self.sign_bit(), mode);
        round(self.format(), mode, self.sign_bit(), integer, 0, false)
    }
}

/// `significand * 2^exponent` rounded to an integer, for a negative exponent.
pub(crate) fn integer_part(significand: u128, exponent: i32, negative: bool, mode: RoundingMode) -> u128 {
    let shift = -exponent;
    if shift > 127 {
        return u128::from(mode.rounds_up(negative, false, Ordering::Less, true));
    }
    let integer = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = rest.cmp(&(1 << (shift - 1)));
    integer + u128::from(mode.rounds_up(negative, integer & 1 == 1, half, rest != 0))
}

/// The sum of two exact numbers (sign, significand, exponent), rounded.
fn add_exact(
    format: FloatFormat,
    mode: RoundingMode,
    a: (bool, BigUint, i32),
    b: (bool, BigUint, i32),
) -> Float {
    let (a, b) = if a.2 >= b.2 { (a, b) } else { (b, a) };
    // Far apart: the smaller number only tells to which side of the larger one the sum lies.
    let gap = a.2 as i64 - (b.2 as i64 + b.1.bits() as i64);
    let spare = 2 * (format.significand_bits() as i64 + 3);
    if gap > spare {
        let larger = signed(a.0, a.1 << spare as u32);
        let nudge = signed(b.0, BigUint::from(1u32));
        return round_signed(format, mode, &(larger + nudge), a.2 - spare as i32);
    }
    let larger = signed(a.0, a.1 << (a.2 - b.2) as u32);
    round_signed(format, mode, &(larger + signed(b.0, b.1)), b.2)
}
