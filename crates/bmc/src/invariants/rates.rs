//! Places that advance at most a part as fast as others.
//!
//! Idea: a parser takes an argument for each conversion, and a conversion has two characters at least: twice
//! the arguments taken are at most the characters read. The parser never compares the two, so the pairs and
//! the multiples to try come from concrete runs: a multiple of one place is at most the other, and a little
//! more as long as something is under way.
//!
//! Source: Simon, King, Howe: Two variables per linear inequality as an abstract domain (LOPSTR 2002) for the
//! shape.

use kripke_smt::TermId;

use crate::engine::Engine;
use crate::invariants::samples::number;
use crate::invariants::templates::Shapes;

/// The multiples that are tried.
const FACTORS: [u64; 3] = [2, 3, 4];
/// The largest number that a place shows where a multiple of it is meant to matter.
const LARGEST: u64 = 1 << 16;
/// How many places are combined with each other.
const MAX_COMBINED: usize = 20;
/// In how many samples both places have to be known.
const LEAST_SAMPLES: usize = 8;

/// A place, and what it is in each sample.
struct Advancing {
    place: TermId,
    width: u32,
    values: Vec<Option<u64>>,
}

impl Shapes<'_> {
    /// Multiples of places that are at most another, or a little more.
    pub fn rates(&mut self, engine: &mut Engine<'_>) {
        let samples = self.head.samples.clone();
        let numbers = self.numbers(&engine.terms).into_iter();
        let advancing = numbers.map(|(_, place, width)| Advancing {
            place,
            width,
            values: samples.iter().map(|sample| number(sample.get(&place)?)).collect(),
        });
        let advancing: Vec<Advancing> = advancing.filter(advances).take(MAX_COMBINED).collect();
        for x in &advancing {
            for y in advancing.iter().filter(|y| y.place != x.place) {
                for factor in FACTORS {
                    let Some(least) = distance(x, y, factor) else {
                        continue;
                    };
                    let most = i128::from(factor);
                    let chain: Vec<TermId> = (least..=most)
                        .map(|distance| at_most(engine, (x, factor), (y, distance)))
                        .collect();
                    self.add_chain(engine, chain);
                }
            }
        }
    }
}

/// Does the place show several numbers, none of them large?
fn advances(place: &Advancing) -> bool {
    let known = || place.values.iter().flatten();
    let largest = known().max().copied().unwrap_or(0);
    largest > 1 && largest < LARGEST && known().min() < known().max()
}

/// How far the multiple of one place is above the other at most, where that is about as much as they differ.
fn distance(x: &Advancing, y: &Advancing, factor: u64) -> Option<i128> {
    let both = x.values.iter().zip(&y.values);
    let both = both.filter_map(|(x, y)| Some(((*x)?, (*y)?)));
    let above = both.map(|(x, y)| (x, i128::from(factor * x) - i128::from(y)));
    let above: Vec<(u64, i128)> = above.collect();
    let most = above.iter().map(|(_, above)| *above).max()?;
    let is_near = |(x, above): &(u64, i128)| *x > 1 && *above >= -i128::from(factor);
    let is_tight = above.iter().any(is_near);
    (above.len() >= LEAST_SAMPLES && is_tight && most <= i128::from(factor)).then_some(most)
}

/// A multiple of one place is at most the other and so much more.
fn at_most(
    engine: &mut Engine<'_>,
    (x, factor): (&Advancing, u64),
    (y, distance): (&Advancing, i128),
) -> TermId {
    let terms = &mut engine.terms;
    // Nothing wraps around in so many bits.
    let width = x.width.max(y.width) + 4;
    let (wide_x, wide_y) = (terms.bv_zext(x.place, width), terms.bv_zext(y.place, width));
    let factor = terms.bv_u64(width, factor);
    let multiple = terms.bv_mul(wide_x, factor);
    let more = terms.bv_u64(width, distance.unsigned_abs() as u64);
    match distance < 0 {
        true => {
            let multiple = terms.bv_add(multiple, more);
            terms.bv_ule(multiple, wide_y)
        }
        false => {
            let limit = terms.bv_add(wide_y, more);
            terms.bv_ule(multiple, limit)
        }
    }
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Sort, Terms};

    use super::*;

    fn advancing(terms: &mut Terms, name: &str, values: &[u64]) -> Advancing {
        Advancing {
            place: terms.variable(name, Sort::BitVec(32)),
            width: 32,
            values: values.iter().copied().map(Some).collect(),
        }
    }

    #[test]
    fn the_distance_is_the_largest_that_was_seen_and_only_where_it_is_near() {
        let mut terms = Terms::new();
        let taken = advancing(&mut terms, "taken", &[0, 0, 1, 1, 1, 2, 2, 3, 3]);
        let read = advancing(&mut terms, "read", &[0, 3, 2, 3, 9, 4, 7, 6, 9]);
        assert_eq!(distance(&taken, &read, 2), Some(0));
        assert_eq!(distance(&taken, &read, 3), Some(3));
        assert_eq!(distance(&taken, &read, 4), None, "12 - 6 is more than the factor");
        assert_eq!(distance(&read, &taken, 2), None);
        // Far ahead, and too few samples.
        let ahead = advancing(&mut terms, "ahead", &[50, 50, 50, 50, 50, 50, 50, 50, 60]);
        assert_eq!(distance(&taken, &ahead, 2), None);
        let few = advancing(&mut terms, "few", &[0, 2, 4]);
        assert_eq!(distance(&few, &read, 2), None);
    }

    #[test]
    fn what_stays_or_is_large_does_not_advance() {
        let mut terms = Terms::new();
        assert!(advances(&advancing(&mut terms, "a", &[0, 1, 2])));
        assert!(!advances(&advancing(&mut terms, "b", &[7, 7, 7])));
        assert!(!advances(&advancing(&mut terms, "c", &[0, 1, 1 << 20])));
        assert!(!advances(&advancing(&mut terms, "d", &[0, 1])));
    }
}
