//! Bit-vectors: an unsigned integer modulo `2^width`.
//!
//! Idea: up to 128 bits the value lies inline and no operation allocates; above that it is a
//! boxed big integer. C reaches such widths only by `_BitInt`, so the inline form is the hot one.
//!
//! Invariants: `1 <= width <= MAX_WIDTH`; the value is less than `2^width`; the inline form is used
//! exactly when `width <= 128`, so derived equality and hashing are those of (width, value).
//!
//! Source: the theory FixedSizeBitVectors of SMT-LIB 2.6, for the operations and their names.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// A bit-vector of a fixed width.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec(pub(crate) Repr);

/// The two forms. The inline value is split in halves so that the whole takes 24 bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Repr {
    /// At most 128 bits.
    Small { width: u32, low: u64, high: u64 },
    /// More than 128 bits.
    Big { width: u32, value: Box<BigUint> },
}

/// Ones in the lowest `width` bits; `width` is at most 128.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1u128 << width) - 1
    }
}

impl BitVec {
    /// The widest bit-vector there is: clang's own limit for `_BitInt`.
    pub const MAX_WIDTH: u32 = 1 << 23;

    /// The low `width` bits of `value`.
    ///
    /// # Panics
    /// When the width is 0 or more than [`BitVec::MAX_WIDTH`].
    pub fn new(width: u32, value: u128) -> Self {
        assert!(
            (1..=Self::MAX_WIDTH).contains(&width),
            "bit-vector width {width} is out of range"
        );
        if width <= 128 {
            let value = value & mask(width);
            BitVec(Repr::Small {
                width,
                low: value as u64,
                high: (value >> 64) as u64,
            })
        } else {
            BitVec(Repr::Big {
                width,
                value: Box::new(BigUint::from(value)),
            })
        }
    }

    /// The two's complement of `value` in `width` bits.
    pub fn from_i128(width: u32, value: i128) -> Self {
        if width <= 128 {
            Self::new(width, value as u128)
        } else {
            Self::from_bigint(width, &BigInt::from(value))
        }
    }

    /// The low `width` bits of `value`.
    pub fn from_biguint(width: u32, value: &BigUint) -> Self {
        if width <= 128 {
            let mut digits = value.iter_u64_digits();
            let low = digits.next().unwrap_or(0);
            let high = digits.next().unwrap_or(0);
            return Self::new(width, (high as u128) << 64 | low as u128);
        }
        assert!(
            width <= Self::MAX_WIDTH,
            "bit-vector width {width} is out of range"
        );
        let value = if value.bits() > u64::from(width) {
            value & &big_mask(width)
        } else {
            value.clone()
        };
        BitVec(Repr::Big {
            width,
            value: Box::new(value),
        })
    }

    /// The two's complement of `value` in `width` bits.
    pub fn from_bigint(width: u32, value: &BigInt) -> Self {
        let magnitude = Self::from_biguint(width, value.magnitude());
        if value.sign() == Sign::Minus {
            magnitude.neg()
        } else {
            magnitude
        }
    }

    /// A truth value: one bit.
    pub fn from_bool(value: bool) -> Self {
        Self::new(1, u128::from(value))
    }

    /// Reads a number with an optional sign in the given base (2 to 36); `None` when it is no number.
    pub fn parse(width: u32, text: &str, base: u32) -> Option<Self> {
        BigInt::parse_bytes(text.as_bytes(), base).map(|value| Self::from_bigint(width, &value))
    }

    /// All bits 0.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// The number 1.
    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    /// All bits 1.
    pub fn ones(width: u32) -> Self {
        if width <= 128 {
            Self::new(width, u128::MAX)
        } else {
            Self::from_biguint(width, &big_mask(width))
        }
    }

    /// The smallest signed number: only the sign bit is set.
    pub fn min_signed(width: u32) -> Self {
        if width <= 128 {
            Self::new(width, 1 << (width - 1))
        } else {
            Self::from_biguint(width, &(BigUint::one() << (width - 1)))
        }
    }

    /// The largest signed number: all but the sign bit.
    pub fn max_signed(width: u32) -> Self {
        Self::min_signed(width).not()
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self.0 {
            Repr::Small { width, .. } | Repr::Big { width, .. } => width,
        }
    }

    /// The inline value; `None` for more than 128 bits.
    pub(crate) fn small(&self) -> Option<u128> {
        match self.0 {
            Repr::Small { low, high, .. } => Some((high as u128) << 64 | low as u128),
            Repr::Big { .. } => None,
        }
    }

    /// The unsigned value, when it fits 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Repr::Small { low, high, .. } => Some((*high as u128) << 64 | *low as u128),
            Repr::Big { value, .. } => value.to_u128(),
        }
    }

    /// The unsigned value, when it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small { low, high: 0, .. } => Some(*low),
            Repr::Small { .. } => None,
            Repr::Big { value, .. } => value.to_u64(),
        }
    }

    /// The signed value, when it fits 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small { width, low, high } => {
                let value = (*high as u128) << 64 | *low as u128;
                Some(sign_extend(value, *width))
            }
            Repr::Big { .. } => self.to_bigint_signed().to_i128(),
        }
    }

    /// The unsigned value.
    pub fn to_biguint(&self) -> BigUint {
        match &self.0 {
            Repr::Small { low, high, .. } => BigUint::from((*high as u128) << 64 | *low as u128),
            Repr::Big { value, .. } => (**value).clone(),
        }
    }

    /// The signed value.
    pub fn to_bigint_signed(&self) -> BigInt {
        if self.sign_bit() {
            -BigInt::from(self.neg().to_biguint())
        } else {
            BigInt::from(self.to_biguint())
        }
    }

    /// Bit `index`, counted from the least significant; false beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        match &self.0 {
            Repr::Small { low, high, .. } => match index {
                0..=63 => low >> index & 1 == 1,
                64..=127 => high >> (index - 64) & 1 == 1,
                _ => false,
            },
            Repr::Big { value, .. } => value.bit(u64::from(index)),
        }
    }

    /// Every bit is 0.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { low, high, .. } => *low == 0 && *high == 0,
            Repr::Big { value, .. } => value.is_zero(),
        }
    }

    /// Every bit is 1.
    pub fn is_ones(&self) -> bool {
        match &self.0 {
            Repr::Small { width, .. } => self.small() == Some(mask(*width)),
            Repr::Big { width, value } => value.count_ones() == u64::from(*width),
        }
    }

    /// The number is 1.
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// The most significant bit.
    pub fn sign_bit(&self) -> bool {
        self.bit(self.width() - 1)
    }

    /// The value as an unsigned decimal number.
    pub fn to_unsigned_decimal(&self) -> String {
        match self.small() {
            Some(value) => value.to_string(),
            None => self.to_biguint().to_string(),
        }
    }

    /// The value as a signed decimal number.
    pub fn to_signed_decimal(&self) -> String {
        match self.0 {
            Repr::Small { width, .. } => sign_extend(self.small().unwrap_or(0), width).to_string(),
            Repr::Big { .. } => self.to_bigint_signed().to_string(),
        }
    }

    /// The value as hexadecimal digits with `0x`, as many as the width needs.
    pub fn to_hex(&self) -> String {
        let digits = self.width().div_ceil(4) as usize;
        match self.small() {
            Some(value) => format!("0x{value:0digits$x}"),
            None => {
                let text = self.to_biguint().to_str_radix(16);
                format!("0x{text:0>digits$}")
            }
        }
    }

    /// The value as binary digits, as many as the width, without prefix.
    pub fn to_binary(&self) -> String {
        (0..self.width())
            .rev()
            .map(|index| if self.bit(index) { '1' } else { '0' })
            .collect()
    }

    /// Order of the unsigned values.
    pub fn compare_unsigned(&self, other: &Self) -> Ordering {
        debug_assert_eq!(
            self.width(),
            other.width(),
            "comparing bit-vectors of different widths"
        );
        match (&self.0, &other.0) {
            (Repr::Big { value: a, .. }, Repr::Big { value: b, .. }) => a.cmp(b),
            _ => self.to_u128().cmp(&other.to_u128()),
        }
    }

    /// Order of the signed values.
    pub fn compare_signed(&self, other: &Self) -> Ordering {
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.compare_unsigned(other),
        }
    }
}

/// By width, then by unsigned value: an order for sorted containers.
impl Ord for BitVec {
    fn cmp(&self, other: &Self) -> Ordering {
        self.width()
            .cmp(&other.width())
            .then_with(|| self.compare_unsigned(other))
    }
}

impl PartialOrd for BitVec {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `0x2a:8`: the value and the width.
impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.small() {
            Some(value) => write!(f, "{value:#x}:{}", self.width()),
            None => write!(f, "{:#x}:{}", self.to_biguint(), self.width()),
        }
    }
}

/// The unsigned value in decimal.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_unsigned_decimal())
    }
}

/// `2^width - 1`.
pub(crate) fn big_mask(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

/// The signed reading of the low `width` bits; `width` is at most 128.
pub(crate) fn sign_extend(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}
