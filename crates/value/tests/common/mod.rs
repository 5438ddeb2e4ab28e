//! Deterministic random operands, with the special values mixed in.

#![allow(dead_code, reason = "each test binary uses a part")]

use kripke_value::{Float, FloatFormat};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn next_u128(&mut self) -> u128 {
        (self.next() as u128) << 64 | self.next() as u128
    }

    /// An integer with a random number of significant bits, often near a power of two.
    pub fn integer(&mut self) -> u128 {
        let length = self.below(129) as u32;
        let value = if length == 0 {
            0
        } else {
            self.next_u128() >> (128 - length)
        };
        match self.below(4) {
            0 => value,
            1 => (1u128 << (length % 128))
                .wrapping_add(self.below(3) as u128)
                .wrapping_sub(1),
            2 => value.wrapping_neg(),
            _ => !0 >> (length % 128),
        }
    }

    /// A float: special, subnormal, or with an exponent near that of 1, so that operations interact.
    pub fn float(&mut self, format: FloatFormat) -> Float {
        let negative = self.below(2) == 1;
        match self.below(24) {
            0 => return Float::zero(format, negative),
            1 => return Float::infinity(format, negative),
            2 => return Float::nan(format),
            3 => return Float::max_finite(format, negative),
            4 => return Float::min_normal(format, negative),
            5 => return Float::min_subnormal(format, negative),
            6 => return Float::min_normal(format, negative).next(negative),
            7 => {
                return if negative {
                    Float::one(format).neg()
                } else {
                    Float::one(format)
                };
            }
            _ => {}
        }
        let precision = format.significand_bits();
        let bias = format.max_exponent() as u64;
        let exponent = match self.below(8) {
            0 => self.below(2 * bias + 1),
            1 => 0,
            2 => 1 + self.below(4),
            3 => 2 * bias - self.below(4),
            _ => bias + self.below(2 * u64::from(precision) + 5) - u64::from(precision).min(bias - 1),
        }
        .min(2 * bias);
        let mut fraction = self.next_u128() & ((1 << (precision - 1)) - 1);
        match self.below(4) {
            0 => fraction &= fraction << (precision / 2),
            1 => fraction &= (1 << 4) - 1,
            _ => {}
        }
        if format == FloatFormat::X87Extended {
            fraction |= u128::from(exponent != 0) << 63;
        }
        let field_bits = if format == FloatFormat::X87Extended {
            64
        } else {
            precision - 1
        };
        let bits =
            u128::from(negative) << (format.bits() - 1) | u128::from(exponent) << field_bits | fraction;
        Float::from_bits(format, &kripke_value::BitVec::new(format.bits(), bits))
    }
}
