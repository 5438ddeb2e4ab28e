//! Arithmetic, logic and rearrangement of bit-vectors, as SMT-LIB 2.6 defines them (division by
//! zero gives all ones, remainder by zero the dividend, shifts by the width or more give zero).
//!
//! Each operation treats the inline form first and goes through big integers otherwise.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::bitvec::{BitVec, Repr, big_mask, mask, sign_extend};

/// The inline values of two operands of one width, when there are any.
fn small_pair(a: &BitVec, b: &BitVec) -> Option<(u32, u128, u128)> {
    debug_assert_eq!(a.width(), b.width(), "operands of different widths");
    match (&a.0, &b.0) {
        (
            Repr::Small { width, low, high },
            Repr::Small {
                low: other_low,
                high: other_high,
                ..
            },
        ) => Some((
            *width,
            (*high as u128) << 64 | *low as u128,
            (*other_high as u128) << 64 | *other_low as u128,
        )),
        _ => None,
    }
}

#[allow(
    clippy::should_implement_trait,
    reason = "these are machine operations on references, with the names the rest of the project uses"
)]
impl BitVec {
    /// Sum, modulo `2^width`.
    pub fn add(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a.wrapping_add(b)),
            None => Self::from_biguint(self.width(), &(self.to_biguint() + other.to_biguint())),
        }
    }

    /// Difference, modulo `2^width`.
    pub fn sub(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a.wrapping_sub(b)),
            None => self.add(&other.neg()),
        }
    }

    /// Product, modulo `2^width`.
    pub fn mul(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a.wrapping_mul(b)),
            None => Self::from_biguint(self.width(), &(self.to_biguint() * other.to_biguint())),
        }
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::ones(self.width());
        }
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a / b),
            None => Self::from_biguint(self.width(), &(self.to_biguint() / other.to_biguint())),
        }
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a % b),
            None => Self::from_biguint(self.width(), &(self.to_biguint() % other.to_biguint())),
        }
    }

    /// Signed quotient, rounded toward zero. Division by zero gives 1 for a negative dividend and
    /// -1 otherwise; the smallest number divided by -1 is itself.
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign_bit() != other.sign_bit() {
            quotient.neg()
        } else {
            quotient
        }
    }

    /// Signed remainder, with the sign of the dividend; the dividend when the divisor is zero.
    pub fn srem(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.sign_bit() {
            remainder.neg()
        } else {
            remainder
        }
    }

    /// The absolute value, read as unsigned.
    fn magnitude(&self) -> Self {
        if self.sign_bit() { self.neg() } else { self.clone() }
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Self {
        match &self.0 {
            Repr::Small { width, .. } => Self::new(*width, self.small().unwrap_or(0).wrapping_neg()),
            Repr::Big { width, value } if value.is_zero() => Self::zero(*width),
            Repr::Big { width, value } => {
                Self::from_biguint(*width, &((BigUint::one() << *width) - &**value))
            }
        }
    }

    /// Bitwise complement.
    pub fn not(&self) -> Self {
        match &self.0 {
            Repr::Small { width, .. } => Self::new(*width, !self.small().unwrap_or(0)),
            Repr::Big { width, value } => Self::from_biguint(*width, &(big_mask(*width) ^ &**value)),
        }
    }

    /// Bitwise and.
    pub fn and(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a & b),
            None => Self::from_biguint(self.width(), &(self.to_biguint() & other.to_biguint())),
        }
    }

    /// Bitwise or.
    pub fn or(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a | b),
            None => Self::from_biguint(self.width(), &(self.to_biguint() | other.to_biguint())),
        }
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Self) -> Self {
        match small_pair(self, other) {
            Some((width, a, b)) => Self::new(width, a ^ b),
            None => Self::from_biguint(self.width(), &(self.to_biguint() ^ other.to_biguint())),
        }
    }

    /// The shift distance that this value asks for: itself, or the width when it is at least that.
    fn distance(&self) -> u32 {
        match self.to_u64() {
            Some(distance) if distance < u64::from(self.width()) => distance as u32,
            _ => self.width(),
        }
    }

    /// Left shift.
    pub fn shl(&self, by: &Self) -> Self {
        debug_assert_eq!(self.width(), by.width(), "operands of different widths");
        let (width, distance) = (self.width(), by.distance());
        match self.small() {
            _ if distance == width => Self::zero(width),
            Some(value) => Self::new(width, value << distance),
            None => Self::from_biguint(width, &(self.to_biguint() << distance)),
        }
    }

    /// Right shift with zeros.
    pub fn lshr(&self, by: &Self) -> Self {
        debug_assert_eq!(self.width(), by.width(), "operands of different widths");
        let (width, distance) = (self.width(), by.distance());
        match self.small() {
            _ if distance == width => Self::zero(width),
            Some(value) => Self::new(width, value >> distance),
            None => Self::from_biguint(width, &(self.to_biguint() >> distance)),
        }
    }

    /// Right shift with copies of the sign bit.
    pub fn ashr(&self, by: &Self) -> Self {
        if self.sign_bit() {
            self.not().lshr(by).not()
        } else {
            self.lshr(by)
        }
    }

    /// Unsigned less than.
    pub fn ult(&self, other: &Self) -> bool {
        self.compare_unsigned(other).is_lt()
    }

    /// Unsigned less than or equal.
    pub fn ule(&self, other: &Self) -> bool {
        self.compare_unsigned(other).is_le()
    }

    /// Signed less than.
    pub fn slt(&self, other: &Self) -> bool {
        self.compare_signed(other).is_lt()
    }

    /// Signed less than or equal.
    pub fn sle(&self, other: &Self) -> bool {
        self.compare_signed(other).is_le()
    }

    /// The signed sum does not fit.
    pub fn saddo(&self, other: &Self) -> bool {
        let sum = self.add(other);
        self.sign_bit() == other.sign_bit() && sum.sign_bit() != self.sign_bit()
    }

    /// The unsigned sum does not fit.
    pub fn uaddo(&self, other: &Self) -> bool {
        self.add(other).ult(self)
    }

    /// The signed difference does not fit.
    pub fn ssubo(&self, other: &Self) -> bool {
        let difference = self.sub(other);
        self.sign_bit() != other.sign_bit() && difference.sign_bit() != self.sign_bit()
    }

    /// The unsigned difference is negative.
    pub fn usubo(&self, other: &Self) -> bool {
        self.ult(other)
    }

    /// The signed product does not fit.
    pub fn smulo(&self, other: &Self) -> bool {
        if let Some((width, a, b)) = small_pair(self, other) {
            let product = sign_extend(a, width).checked_mul(sign_extend(b, width));
            return product.is_none_or(|product| sign_extend(product as u128, width) != product);
        }
        let product = self.to_bigint_signed() * other.to_bigint_signed();
        Self::from_bigint(self.width(), &product).to_bigint_signed() != product
    }

    /// The unsigned product does not fit.
    pub fn umulo(&self, other: &Self) -> bool {
        match small_pair(self, other) {
            Some((width, a, b)) => a.checked_mul(b).is_none_or(|product| product > mask(width)),
            None => (self.to_biguint() * other.to_biguint()).bits() > u64::from(self.width()),
        }
    }

    /// The same number in at least as many bits, zeros above.
    pub fn zext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width(), "extension to a narrower width");
        self.resize(width)
    }

    /// The same signed number in at least as many bits.
    pub fn sext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width(), "extension to a narrower width");
        match self.0 {
            Repr::Small { width: from, .. } if width <= 128 => {
                Self::new(width, sign_extend(self.small().unwrap_or(0), from) as u128)
            }
            _ if self.sign_bit() => self.not().resize(width).not(),
            _ => self.resize(width),
        }
    }

    /// The low bits.
    pub fn trunc(&self, width: u32) -> Self {
        debug_assert!(width <= self.width(), "truncation to a wider width");
        self.resize(width)
    }

    /// Zero extension or truncation, whichever the width asks for.
    pub fn resize(&self, width: u32) -> Self {
        match self.small() {
            Some(value) => Self::new(width, value),
            None => Self::from_biguint(width, &self.to_biguint()),
        }
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(
            low <= high && high < self.width(),
            "extraction outside the bit-vector"
        );
        let width = high - low + 1;
        match self.small() {
            Some(value) => Self::new(width, value >> low),
            None => Self::from_biguint(width, &(self.to_biguint() >> low)),
        }
    }

    /// This value above `low`.
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width() + low.width();
        match (self.small(), low.small()) {
            (Some(a), Some(b)) if width <= 128 => Self::new(width, a << low.width() | b),
            _ => Self::from_biguint(width, &(self.to_biguint() << low.width() | low.to_biguint())),
        }
    }

    /// Number of one bits.
    pub fn popcount(&self) -> u32 {
        match &self.0 {
            Repr::Small { low, high, .. } => low.count_ones() + high.count_ones(),
            Repr::Big { value, .. } => value.count_ones() as u32,
        }
    }

    /// Number of zeros above the highest one; the width for zero.
    pub fn clz(&self) -> u32 {
        match &self.0 {
            Repr::Small { width, .. } => self.small().unwrap_or(0).leading_zeros() - (128 - width),
            Repr::Big { width, value } => width - value.bits() as u32,
        }
    }

    /// Number of zeros below the lowest one; the width for zero.
    pub fn ctz(&self) -> u32 {
        match &self.0 {
            Repr::Small { width, .. } => self.small().unwrap_or(0).trailing_zeros().min(*width),
            Repr::Big { width, value } => value.trailing_zeros().map_or(*width, |zeros| zeros as u32),
        }
    }

    /// The bytes in reverse order; the width must be a multiple of 8.
    pub fn bswap(&self) -> Self {
        let width = self.width();
        debug_assert!(
            width.is_multiple_of(8),
            "byte swap of a width that is no multiple of 8"
        );
        match self.small() {
            Some(value) => Self::new(width, value.swap_bytes() >> (128 - width)),
            None => {
                let mut bytes = self.to_biguint().to_bytes_le();
                bytes.resize((width / 8) as usize, 0);
                Self::from_biguint(width, &BigUint::from_bytes_be(&bytes))
            }
        }
    }

    /// The bits in reverse order.
    pub fn bitreverse(&self) -> Self {
        let width = self.width();
        match self.small() {
            Some(value) => Self::new(width, value.reverse_bits() >> (128 - width)),
            None => {
                let mut bytes = self.to_biguint().to_bytes_le();
                bytes.resize(width.div_ceil(8) as usize, 0);
                bytes.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
                let unused = width.div_ceil(8) * 8 - width;
                Self::from_biguint(width, &(BigUint::from_bytes_be(&bytes) >> unused))
            }
        }
    }
}
