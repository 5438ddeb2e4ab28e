//! Bytes of which some bits are unknown.
//!
//! Idea: the semantics of the instructions is written once over [`AbstractByte`]. With `u8` it is the
//! concrete chip; with [`Bits`] a bit may be 0, 1 or unknown, and every operation gives the bits that do not
//! depend on unknown ones.
//!
//! Invariant: each operation over-approximates: for all concrete bytes that its operands stand for, the
//! concrete result is one that the abstract result stands for (a test tries all pairs of bytes with few
//! unknown bits).
//!
//! Source: the three-valued bits of section 5.7 of Schlich's thesis.

/// A byte, as the semantics of the instructions needs it.
pub trait AbstractByte: Copy {
    /// The byte whose bits are all known.
    fn known(value: u8) -> Self;
    /// The value, if all bits are known.
    fn value(self) -> Option<u8>;
    /// The bits that are certainly 0.
    fn zeros(self) -> u8;
    /// The bits that are certainly 1.
    fn ones(self) -> u8;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn eor(self, other: Self) -> Self;
    /// Bitwise complement.
    fn not(self) -> Self;
    /// The bits shifted up, zeros coming in.
    fn up(self, distance: u8) -> Self;
    /// The bits shifted down, zeros coming in.
    fn down(self, distance: u8) -> Self;
    /// The sum of two bytes and bit 0 of `carry`, modulo 256.
    fn plus(self, other: Self, carry: Self) -> Self;
    /// The product with 16 bits, low byte first; the flags say which operands are signed.
    fn times(self, other: Self, signed: (bool, bool)) -> (Self, Self);
    /// 1 in bit 0 if all bits are 0.
    fn is_zero(self) -> Self;
    /// High and low half exchanged.
    fn swapped(self) -> Self;
}

fn product(a: u8, b: u8, signed: (bool, bool)) -> [u8; 2] {
    let wide = |value: u8, signed: bool| {
        if signed {
            i32::from(value as i8)
        } else {
            i32::from(value)
        }
    };
    ((wide(a, signed.0) * wide(b, signed.1)) as u16).to_le_bytes()
}

impl AbstractByte for u8 {
    #[inline(always)]
    fn known(value: u8) -> Self {
        value
    }
    #[inline(always)]
    fn value(self) -> Option<u8> {
        Some(self)
    }
    #[inline(always)]
    fn zeros(self) -> u8 {
        !self
    }
    #[inline(always)]
    fn ones(self) -> u8 {
        self
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn eor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn up(self, distance: u8) -> Self {
        self << distance
    }
    #[inline(always)]
    fn down(self, distance: u8) -> Self {
        self >> distance
    }
    #[inline(always)]
    fn plus(self, other: Self, carry: Self) -> Self {
        self.wrapping_add(other).wrapping_add(carry & 1)
    }
    #[inline(always)]
    fn times(self, other: Self, signed: (bool, bool)) -> (Self, Self) {
        let [low, high] = product(self, other, signed);
        (low, high)
    }
    #[inline(always)]
    fn is_zero(self) -> Self {
        u8::from(self == 0)
    }
    #[inline(always)]
    fn swapped(self) -> Self {
        self.rotate_left(4)
    }
}

/// A byte with unknown bits.
///
/// Where the origin of an unknown byte matters (a counterexample that is made concrete), `origin` names it:
/// the number of the read that brought it, doubled, plus one if the halves have changed places since. 0 names
/// none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bits {
    /// The known bits' values. Below an unknown bit, 1 marks a bit that has had no value since power-on, 0 an
    /// input.
    pub value: u8,
    /// The unknown bits.
    pub unknown: u8,
    /// Where unknown bits come from.
    pub origin: u32,
}

impl Bits {
    /// A byte of which the bits of `unknown` are inputs.
    #[must_use]
    pub fn input(value: u8, unknown: u8, origin: u32) -> Self {
        Self {
            value: value & !unknown,
            unknown,
            origin,
        }
    }

    fn computed(value: u8, unknown: u8) -> Self {
        Self::input(value, unknown, 0)
    }

    /// The result of a bitwise operation, whose unknown bits are those of one operand if the other is known.
    fn combined(self, other: Self, value: u8, unknown: u8) -> Self {
        let marks = (self.value & self.unknown | other.value & other.unknown) & unknown;
        let origin = match (self.unknown, other.unknown) {
            (_, 0) => self.origin,
            (0, _) => other.origin,
            _ => 0,
        };
        Self {
            value: value & !unknown | marks,
            unknown,
            origin,
        }
    }
}

impl AbstractByte for Bits {
    fn known(value: u8) -> Self {
        Self {
            value,
            unknown: 0,
            origin: 0,
        }
    }
    fn value(self) -> Option<u8> {
        (self.unknown == 0).then_some(self.value)
    }
    fn zeros(self) -> u8 {
        !self.value & !self.unknown
    }
    fn ones(self) -> u8 {
        self.value & !self.unknown
    }
    fn and(self, other: Self) -> Self {
        let (ones, zeros) = (self.ones() & other.ones(), self.zeros() | other.zeros());
        self.combined(other, ones, !(ones | zeros))
    }
    fn or(self, other: Self) -> Self {
        let (ones, zeros) = (self.ones() | other.ones(), self.zeros() & other.zeros());
        self.combined(other, ones, !(ones | zeros))
    }
    fn eor(self, other: Self) -> Self {
        Self::computed(self.value ^ other.value, self.unknown | other.unknown)
    }
    fn not(self) -> Self {
        Self::computed(!self.value, self.unknown)
    }
    fn up(self, distance: u8) -> Self {
        Self::computed(self.ones() << distance, self.unknown << distance)
    }
    fn down(self, distance: u8) -> Self {
        Self::computed(self.ones() >> distance, self.unknown >> distance)
    }
    fn plus(self, other: Self, carry: Self) -> Self {
        // The largest and the smallest sum: a carry into a bit is known where both have the same.
        let sum = |a: u8, b: u8, c: u8| a.wrapping_add(b).wrapping_add(c);
        let most = sum(!self.zeros(), !other.zeros(), !carry.zeros() & 1);
        let least = sum(self.ones(), other.ones(), carry.ones() & 1);
        let carries_most = most ^ !self.zeros() ^ !other.zeros();
        let carries_least = least ^ self.ones() ^ other.ones();
        let unknown = self.unknown | other.unknown | (carries_most ^ carries_least);
        Self::computed(least, unknown)
    }
    fn times(self, other: Self, signed: (bool, bool)) -> (Self, Self) {
        match (self.value(), other.value()) {
            (Some(a), Some(b)) => {
                let [low, high] = product(a, b, signed);
                (Self::known(low), Self::known(high))
            }
            _ => (Self::computed(0, 0xFF), Self::computed(0, 0xFF)),
        }
    }
    fn is_zero(self) -> Self {
        match (self.ones(), self.unknown) {
            (0, 0) => Self::known(1),
            (0, _) => Self::computed(0, 1),
            _ => Self::known(0),
        }
    }
    fn swapped(self) -> Self {
        Self {
            value: self.value.rotate_left(4),
            unknown: self.unknown.rotate_left(4),
            origin: if self.origin == 0 { 0 } else { self.origin ^ 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concrete(bits: Bits) -> impl Iterator<Item = u8> {
        (0..=255).filter(move |value| value & !bits.unknown == bits.ones())
    }

    fn covers(bits: Bits, value: u8) -> bool {
        value & !bits.unknown == bits.ones()
    }

    #[test]
    fn operations_over_approximate() {
        let samples: Vec<Bits> = (0..60_u32)
            .map(|n| {
                let mixed = n.wrapping_mul(0x9E37_79B9);
                let (value, unknown) = ((mixed >> 8) as u8, (mixed >> 16 & mixed >> 24) as u8);
                Bits::input(value, unknown, 0)
            })
            .collect();
        for &a in &samples {
            for &b in &samples {
                let carry = Bits::input(b.value >> 3, a.unknown & 1, 0);
                let (sum, low) = (a.plus(b, carry), a.times(b, (true, false)).0);
                for x in concrete(a) {
                    assert!(covers(a.not(), !x) && covers(a.is_zero(), x.is_zero()));
                    assert!(covers(a.up(3), x << 3) && covers(a.down(2), x >> 2));
                    assert!(covers(a.swapped(), x.swapped()));
                    for y in concrete(b) {
                        assert!(covers(a.and(b), x & y) && covers(a.or(b), x | y));
                        assert!(covers(a.eor(b), x ^ y));
                        assert!(covers(low, x.times(y, (true, false)).0));
                        for c in concrete(carry).map(|c| c & 1) {
                            assert!(covers(sum, x.plus(y, c)), "{a:?} + {b:?} + {carry:?} = {sum:?}");
                        }
                    }
                }
            }
        }
    }
}
