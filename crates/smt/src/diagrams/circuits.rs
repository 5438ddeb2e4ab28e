//! Arithmetic on vectors of functions of bits, the lowest bit first.
//!
//! Idea: the circuits that processors have: carries ripple from the lowest bit up, shifts by unknown
//! distances are a step for each bit of the distance.

use smallvec::SmallVec;

use super::effort::Failed;
use super::store::{Edge, Store};

/// The bits of a value, the lowest first; a truth value has one.
pub(super) type Bits = SmallVec<[Edge; 2]>;

type Computed = Result<Bits, Failed>;
type Truth = Result<Edge, Failed>;

impl Store {
    /// Bit by bit.
    pub fn zip(
        &mut self,
        a: &[Edge],
        b: &[Edge],
        operation: fn(&mut Store, Edge, Edge) -> Truth,
    ) -> Computed {
        a.iter().zip(b).map(|(&a, &b)| operation(self, a, b)).collect()
    }

    /// One of two vectors.
    pub fn choose(&mut self, condition: Edge, then: &[Edge], otherwise: &[Edge]) -> Computed {
        let pairs = then.iter().zip(otherwise);
        pairs
            .map(|(&then, &otherwise)| self.ite(condition, then, otherwise))
            .collect()
    }

    /// Are they equal?
    pub fn equal(&mut self, a: &[Edge], b: &[Edge]) -> Truth {
        let mut all = Edge::TRUE;
        for (&a, &b) in a.iter().zip(b).rev() {
            let differs = self.xor(a, b)?;
            all = self.and(all, !differs)?;
            if all == Edge::FALSE {
                break;
            }
        }
        Ok(all)
    }

    /// The sum modulo the width, and the carry out of it.
    pub fn sum(&mut self, a: &[Edge], b: &[Edge], carry: Edge) -> Result<(Bits, Edge), Failed> {
        let mut carry = carry;
        let mut sum = Bits::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let differs = self.xor(a, b)?;
            sum.push(self.xor(differs, carry)?);
            carry = self.ite(differs, carry, a)?;
        }
        Ok((sum, carry))
    }

    /// The difference modulo the width, and whether nothing was borrowed.
    pub fn difference(&mut self, a: &[Edge], b: &[Edge]) -> Result<(Bits, Edge), Failed> {
        let negated: Bits = b.iter().map(|&bit| !bit).collect();
        self.sum(a, &negated, Edge::TRUE)
    }

    /// Is the first one smaller, as numbers without sign?
    pub fn less(&mut self, a: &[Edge], b: &[Edge]) -> Truth {
        let mut less = Edge::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let differs = self.xor(a, b)?;
            less = self.ite(differs, b, less)?;
        }
        Ok(less)
    }

    /// The same as numbers with sign.
    pub fn signed_less(&mut self, a: &[Edge], b: &[Edge]) -> Truth {
        self.less(&flipped(a), &flipped(b))
    }

    /// Whether the signs of summands agree and that of their sum is another one.
    pub fn signed_overflow(&mut self, a: Edge, b: Edge, sum: Edge) -> Truth {
        let differs = self.xor(a, b)?;
        let changed = self.xor(a, sum)?;
        self.and(!differs, changed)
    }

    /// The product with a factor whose bits are known.
    pub fn product(&mut self, a: &[Edge], factor: &[Edge]) -> Computed {
        let mut product: Bits = a.iter().map(|_| Edge::FALSE).collect();
        for (place, _) in factor.iter().enumerate().filter(|(_, bit)| **bit == Edge::TRUE) {
            let shifted = moved_up(a, place, Edge::FALSE);
            product = self.sum(&product, &shifted, Edge::FALSE)?.0;
        }
        Ok(product)
    }

    /// A shift by an unknown distance, where `step` shifts by a known one and `far` is what is left when all
    /// bits are shifted out.
    pub fn shift(
        &mut self,
        a: &[Edge],
        distance: &[Edge],
        far: Edge,
        step: fn(&[Edge], usize, Edge) -> Bits,
    ) -> Computed {
        let mut value: Bits = a.into();
        for (place, &bit) in distance.iter().enumerate() {
            let shifted = match 1usize.checked_shl(place as u32) {
                Some(by) if by < a.len() => step(&value, by, far),
                _ => a.iter().map(|_| far).collect(),
            };
            value = self.choose(bit, &shifted, &value)?;
        }
        Ok(value)
    }
}

/// With the highest bit negated.
fn flipped(bits: &[Edge]) -> Bits {
    let mut flipped: Bits = bits.into();
    if let Some(sign) = flipped.last_mut() {
        *sign = !*sign;
    }
    flipped
}

/// Shifted to higher places.
pub(super) fn moved_up(bits: &[Edge], by: usize, fill: Edge) -> Bits {
    let kept = bits.len().saturating_sub(by);
    let low = std::iter::repeat_n(fill, bits.len() - kept);
    low.chain(bits[..kept].iter().copied()).collect()
}

/// Shifted to lower places.
pub(super) fn moved_down(bits: &[Edge], by: usize, fill: Edge) -> Bits {
    let kept = bits.len().saturating_sub(by);
    let high = std::iter::repeat_n(fill, bits.len() - kept);
    bits[bits.len() - kept..].iter().copied().chain(high).collect()
}
