//! Floats as text: shortest decimal, C's hexadecimal form, and reading both.
//!
//! The shortest decimal is found by asking for 1, 2, 3, … correctly rounded digits until the number
//! reads back as the same float; this is slower than the published shortest-digits algorithms and
//! needs no tables. Its cost does not matter: it runs when a value is shown.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::float::{Class, Float};
use crate::float_arith::{round, round_big};
use crate::{FloatFormat, RoundingMode};

impl Float {
    /// The shortest decimal number that reads back as the same float: `0.1`, `-1.0`, `1e+30`, `inf`, `nan`.
    pub fn to_decimal(self) -> String {
        let sign = if self.sign_bit() { "-" } else { "" };
        match self.unpack() {
            Class::NaN => format!("{sign}nan"),
            Class::Infinity => format!("{sign}inf"),
            Class::Zero => format!("{sign}0.0"),
            Class::Finite {
                significand,
                exponent,
            } => {
                let (digits, point) = shortest_digits(self.abs(), significand, exponent);
                format!("{sign}{}", place_point(&digits, point))
            }
        }
    }

    /// C's hexadecimal form (`0x1.8p+1`), exact.
    pub fn to_hex_float(self) -> String {
        let sign = if self.sign_bit() { "-" } else { "" };
        match self.unpack() {
            Class::NaN => format!("{sign}nan"),
            Class::Infinity => format!("{sign}inf"),
            Class::Zero => format!("{sign}0x0p+0"),
            Class::Finite {
                significand,
                exponent,
            } => {
                let top = 127 - significand.leading_zeros();
                let fraction = if top == 0 { 0 } else { significand << (128 - top) };
                let digits = format!("{fraction:032x}");
                let digits = digits.trim_end_matches('0');
                let point = if digits.is_empty() { "" } else { "." };
                format!("{sign}0x1{point}{digits}p{:+}", exponent + top as i32)
            }
        }
    }

    /// Reads a decimal or hexadecimal float, `inf` or `nan`, without suffix; `None` when it is none.
    pub fn parse(text: &str, format: FloatFormat, mode: RoundingMode) -> Option<Self> {
        let (negative, magnitude) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let lower = magnitude.to_ascii_lowercase();
        match lower.as_str() {
            "inf" | "infinity" => return Some(Self::infinity(format, negative)),
            "nan" => return Some(Self::nan(format)),
            _ => {}
        }
        let (digits, base, marker) = match lower.strip_prefix("0x") {
            Some(digits) => (digits, 16, 'p'),
            None => (lower.as_str(), 10, 'e'),
        };
        let (digits, exponent) = match digits.split_once(marker) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (digits, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let number = BigUint::parse_bytes(format!("{whole}{fraction}").as_bytes(), base)?;
        // Beyond these exponents every format overflows or underflows; the digits cannot make up for it.
        let exponent = exponent.clamp(-1_000_000, 1_000_000);
        Some(if base == 16 {
            let exponent = exponent - 4 * fraction.len() as i32;
            round_big(format, mode, negative, &number, exponent, false)
        } else {
            let exponent = exponent.clamp(-20_000, 20_000) - fraction.len() as i32;
            round_decimal(format, mode, negative, &number, exponent)
        })
    }
}

/// `number * 10^exponent`, rounded.
fn round_decimal(
    format: FloatFormat,
    mode: RoundingMode,
    negative: bool,
    number: &BigUint,
    exponent: i32,
) -> Float {
    if number.is_zero() {
        return round(format, mode, negative, 0, 0, false);
    }
    let power = BigUint::from(5u32).pow(exponent.unsigned_abs());
    if exponent >= 0 {
        return round_big(format, mode, negative, &(number * power), exponent, false);
    }
    let wanted = u64::from(format.significand_bits()) + 3 + power.bits();
    let shift = wanted.saturating_sub(number.bits()) as u32;
    let dividend = number << shift;
    let (quotient, rest) = (&dividend / &power, &dividend % &power);
    round_big(
        format,
        mode,
        negative,
        &quotient,
        exponent - shift as i32,
        !rest.is_zero(),
    )
}

/// The fewest decimal digits that identify the number, and the position of the decimal point: the
/// value is `0.DIGITS * 10^point`.
fn shortest_digits(value: Float, significand: u128, exponent: i32) -> (String, i32) {
    let numerator = BigUint::from(significand) << exponent.max(0) as u32;
    let denominator = BigUint::one() << (-exponent).max(0) as u32;
    let mut point = 0i32;
    let top = exponent + 128 - significand.leading_zeros() as i32;
    // log10(2) = 0.30103: an estimate that is at most one too low, corrected below.
    point += ((f64::from(top - 1)) * std::f64::consts::LOG10_2).floor() as i32 + 1;
    if scaled(&numerator, &denominator, -point).0 >= BigUint::one() {
        point += 1;
    }
    let mut count = 1;
    loop {
        let (digits, rest, unit) = scaled_with_rest(&numerator, &denominator, count - point);
        let mut digits = digits;
        if rest << 1u32 >= unit {
            digits += BigUint::one();
        }
        let parsed = round_decimal(
            value.format(),
            RoundingMode::NearestEven,
            false,
            &digits,
            point - count,
        );
        if parsed.ieee_eq(value) {
            let text = digits.to_string();
            let point = point + text.len() as i32 - count;
            return (text.trim_end_matches('0').to_string(), point);
        }
        count += 1;
    }
}

/// The integer part of `numerator / denominator * 10^power`.
fn scaled(numerator: &BigUint, denominator: &BigUint, power: i32) -> (BigUint, BigUint) {
    let (quotient, rest, _) = scaled_with_rest(numerator, denominator, power);
    (quotient, rest)
}

fn scaled_with_rest(numerator: &BigUint, denominator: &BigUint, power: i32) -> (BigUint, BigUint, BigUint) {
    let factor = BigUint::from(10u32).pow(power.unsigned_abs());
    let (numerator, unit) = if power >= 0 {
        (numerator * factor, denominator.clone())
    } else {
        (numerator.clone(), denominator * factor)
    };
    (&numerator / &unit, &numerator % &unit, unit)
}

/// Digits and decimal point in the form that is easiest to read.
fn place_point(digits: &str, point: i32) -> String {
    let count = digits.len() as i32;
    match point {
        -4..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        1..=17 if count <= point => format!("{digits}{}.0", "0".repeat((point - count) as usize)),
        1..=17 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        _ if count == 1 => format!("{digits}e{:+03}", point - 1),
        _ => format!("{}.{}e{:+03}", &digits[..1], &digits[1..], point - 1),
    }
}
