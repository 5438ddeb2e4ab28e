//! Where in an object a pointer may point: a rest and a step.
//!
//! Idea: `rest + k * step` for all whole numbers `k`, in bytes behind the object's beginning; one offset only
//! where the step is 0. So the members of a structure are told apart, also of each element of an array.
//!
//! Invariant: sets only grow where they are joined, and each chain of joins ends, as a step becomes a divisor
//! of itself.
//!
//! Source: Granger: Static analysis of arithmetical congruences (1989). That an index times the size of an
//! element does not go round the address space is assumed, and said in `docs/limits.md`.

/// Offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offsets {
    /// From 0 to below the step, if that is not 0.
    rest: i128,
    step: i128,
}

/// No offset of a program is larger: what is becomes any.
const LARGEST: i128 = 1 << 64;

impl Offsets {
    /// Any offset.
    pub const ANY: Offsets = Offsets { rest: 0, step: 1 };

    /// The beginning.
    pub const FIRST: Offsets = Offsets { rest: 0, step: 0 };

    /// One offset.
    pub fn at(offset: i128) -> Self {
        Offsets::new(offset, 0)
    }

    fn new(rest: i128, step: i128) -> Self {
        let step = step.abs();
        if rest.abs() > LARGEST || step > LARGEST {
            return Offsets::ANY;
        }
        match step {
            0 => Offsets { rest, step },
            _ => Offsets {
                rest: rest.rem_euclid(step),
                step,
            },
        }
    }

    /// The one offset, if it is one.
    pub fn exact(self) -> Option<i128> {
        (self.step == 0).then_some(self.rest)
    }

    pub fn step(self) -> i128 {
        self.step
    }

    /// Those of both.
    pub fn join(self, other: Offsets) -> Self {
        let step = gcd(gcd(self.step, other.step), self.rest - other.rest);
        Offsets::new(self.rest, step)
    }

    /// Are all those of another one among these?
    pub fn includes(self, other: Offsets) -> bool {
        self.join(other) == self
    }

    /// All sums.
    pub fn plus(self, other: Offsets) -> Self {
        Offsets::new(self.rest + other.rest, gcd(self.step, other.step))
    }

    /// All differences.
    pub fn minus(self, other: Offsets) -> Self {
        self.plus(other.times(-1))
    }

    /// All products with a number.
    pub fn times(self, factor: i128) -> Self {
        if factor.abs() > LARGEST {
            return Offsets::ANY;
        }
        Offsets::new(self.rest * factor, self.step * factor)
    }

    /// As numbers with a sign of so many bits: one offset goes round, as addresses do.
    pub fn wrapped(self, bits: u32) -> Self {
        match self.exact() {
            Some(rest) => {
                let half = 1 << (bits - 1);
                Offsets::at((rest + half).rem_euclid(2 * half) - half)
            }
            None => self,
        }
    }

    /// Those that are multiples of an alignment, where that can be said; no less otherwise.
    pub fn aligned(self, align: i128) -> Self {
        let finer = self.step > 0 && align > self.step && align % self.step == 0;
        match finer && self.rest == 0 {
            true => Offsets::new(0, align),
            false => self,
        }
    }

    /// How far may the beginning of another range lie behind that of this one? What is 0 or more, and the
    /// next below, if there are any.
    fn distances(self, other: Offsets) -> (Option<i128>, Option<i128>) {
        let distance = other.rest - self.rest;
        match gcd(self.step, other.step) {
            0 if distance >= 0 => (Some(distance), None),
            0 => (None, Some(distance)),
            step => {
                let behind = distance.rem_euclid(step);
                (Some(behind), Some(behind - step))
            }
        }
    }

    /// May so many bytes here share one with so many bytes there? No length is any.
    pub fn overlap(self, length: Option<u64>, other: Offsets, its: Option<u64>) -> bool {
        let (Some(length), Some(its)) = (length, its) else {
            return true;
        };
        let (behind, before) = self.distances(other);
        behind.is_some_and(|behind| behind < i128::from(length))
            || before.is_some_and(|before| -before < i128::from(its))
    }

    /// Where so many bytes there share one with so many here, do they all lie here?
    pub fn surround(self, length: Option<u64>, other: Offsets, its: Option<u64>) -> bool {
        let (Some(length), Some(its)) = (length.map(i128::from), its.map(i128::from)) else {
            return false;
        };
        let (behind, before) = self.distances(other);
        let ends_inside = |behind: i128| match gcd(self.step, other.step) {
            0 => behind >= length || behind + its <= length,
            step => behind + (length - 1 - behind).div_euclid(step) * step + its <= length,
        };
        behind.is_none_or(ends_inside) && before.is_none_or(|before| -before >= its)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All offsets from -40 to 40 of some sets.
    fn samples() -> Vec<(Offsets, Vec<i128>)> {
        let mut all = Vec::new();
        for (rest, step) in [
            (0, 0),
            (4, 0),
            (-3, 0),
            (7, 0),
            (0, 1),
            (1, 4),
            (0, 8),
            (5, 12),
            (8, 12),
        ] {
            let of = Offsets::new(rest, step);
            let is_one = |n: &i128| match step {
                0 => *n == rest,
                _ => (*n - rest) % step == 0,
            };
            all.push((of, (-40..=40).filter(is_one).collect()));
        }
        all
    }

    #[test]
    fn sets_are_those_of_their_offsets() {
        for (a, in_a) in samples() {
            for (b, in_b) in samples() {
                let joined = a.join(b);
                for offset in in_a.iter().chain(&in_b) {
                    assert!(joined.includes(Offsets::at(*offset)), "{a:?} {b:?} {offset}");
                }
                for (x, y) in in_a.iter().flat_map(|x| in_b.iter().map(move |y| (*x, *y))) {
                    assert!(a.plus(b).includes(Offsets::at(x + y)), "{a:?} + {b:?}");
                    assert!(a.minus(b).includes(Offsets::at(x - y)), "{a:?} - {b:?}");
                    assert!(a.times(-6).includes(Offsets::at(-6 * x)), "{a:?} * -6");
                    overlaps_as_its_offsets((a, x), (b, y));
                }
            }
        }
    }

    fn overlaps_as_its_offsets((a, x): (Offsets, i128), (b, y): (Offsets, i128)) {
        for (length, its) in [(1, 1), (4, 2), (8, 8), (3, 8)] {
            let share = x < y + i128::from(its) && y < x + i128::from(length);
            let inside = x <= y && y + i128::from(its) <= x + i128::from(length);
            if share {
                assert!(
                    a.overlap(Some(length), b, Some(its)),
                    "{a:?} {length} {b:?} {its}"
                );
            }
            if share && !inside {
                assert!(
                    !a.surround(Some(length), b, Some(its)),
                    "{a:?} {length} {b:?} {its}"
                );
            }
        }
    }

    #[test]
    fn members_are_told_apart() {
        let element = Offsets::ANY.times(24);
        let member = element.plus(Offsets::at(8));
        assert!(!element.overlap(Some(8), member, Some(8)));
        assert!(element.overlap(Some(9), member, Some(8)));
        assert!(element.surround(Some(24), member, Some(8)));
        assert_eq!(Offsets::at(60_000).wrapped(16), Offsets::at(-5_536));
        assert_eq!(Offsets::ANY.aligned(8), Offsets::ANY.times(8));
    }
}
