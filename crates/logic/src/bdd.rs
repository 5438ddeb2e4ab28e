//! Reduced ordered binary decision diagrams over atoms: the labels of automata while they are computed with.
//!
//! A label is a set of letters, canonical here, so that equality is one comparison and inclusion one cached
//! operation; it leaves as an irredundant sum of cubes (Minato and Morreale, "Fast generation of
//! prime-irredundant covers from binary decision diagrams", 1993). Complement edges were left out: labels are
//! tiny.

use rustc_hash::FxHashMap;

use crate::label::{Cube, Label, Letter};

/// A set of letters inside its [`Bdds`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bdd(u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BddNode {
    atom: u8,
    low: Bdd,
    high: Bdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Difference,
}

/// The store.
pub(crate) struct Bdds {
    nodes: Vec<BddNode>,
    unique: FxHashMap<BddNode, Bdd>,
    cache: FxHashMap<(Operation, Bdd, Bdd), Bdd>,
}

const TERMINAL: u8 = u8::MAX;

impl Bdds {
    pub(crate) fn new() -> Self {
        let terminal = BddNode {
            atom: TERMINAL,
            low: Bdd::FALSE,
            high: Bdd::FALSE,
        };
        Bdds {
            nodes: vec![terminal; 2],
            unique: FxHashMap::default(),
            cache: FxHashMap::default(),
        }
    }

    fn make(&mut self, atom: u8, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = BddNode { atom, low, high };
        let next = Bdd(self.nodes.len() as u32);
        let found = *self.unique.entry(node).or_insert(next);
        if found == next {
            self.nodes.push(node);
        }
        found
    }

    pub(crate) fn literal(&mut self, atom: u8, positive: bool) -> Bdd {
        if positive {
            self.make(atom, Bdd::FALSE, Bdd::TRUE)
        } else {
            self.make(atom, Bdd::TRUE, Bdd::FALSE)
        }
    }

    fn apply(&mut self, operation: Operation, a: Bdd, b: Bdd) -> Bdd {
        use Operation::{And, Difference, Or};
        match (operation, a, b) {
            (And, Bdd::FALSE, _) | (And, _, Bdd::FALSE) => return Bdd::FALSE,
            (And | Or, x, y) if x == y => return x,
            (And, Bdd::TRUE, x) | (And, x, Bdd::TRUE) => return x,
            (Or, Bdd::TRUE, _) | (Or, _, Bdd::TRUE) => return Bdd::TRUE,
            (Or, Bdd::FALSE, x) | (Or, x, Bdd::FALSE) => return x,
            (Difference, x, y) if x == y || x == Bdd::FALSE || y == Bdd::TRUE => return Bdd::FALSE,
            (Difference, x, Bdd::FALSE) => return x,
            _ => {}
        }
        let key = if operation == Difference || a < b {
            (operation, a, b)
        } else {
            (operation, b, a)
        };
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let (na, nb) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
        let atom = na.atom.min(nb.atom);
        let (a0, a1) = if na.atom == atom {
            (na.low, na.high)
        } else {
            (a, a)
        };
        let (b0, b1) = if nb.atom == atom {
            (nb.low, nb.high)
        } else {
            (b, b)
        };
        let low = self.apply(operation, a0, b0);
        let high = self.apply(operation, a1, b1);
        let result = self.make(atom, low, high);
        self.cache.insert(key, result);
        result
    }

    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::And, a, b)
    }

    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::Or, a, b)
    }

    /// The letters of `a` that are not in `b`.
    pub(crate) fn difference(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.apply(Operation::Difference, a, b)
    }

    pub(crate) fn not(&mut self, a: Bdd) -> Bdd {
        self.difference(Bdd::TRUE, a)
    }

    /// Whether every letter of `a` is in `b`.
    pub(crate) fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        a == b || self.difference(a, b) == Bdd::FALSE
    }

    pub(crate) fn cube(&mut self, cube: Cube) -> Bdd {
        let mut result = Bdd::TRUE;
        for atom in (0..64u8).rev() {
            if cube.positive >> atom & 1 == 1 {
                result = self.make(atom, Bdd::FALSE, result);
            } else if cube.negative >> atom & 1 == 1 {
                result = self.make(atom, result, Bdd::FALSE);
            }
        }
        result
    }

    pub(crate) fn label(&mut self, label: &Label) -> Bdd {
        let mut result = Bdd::FALSE;
        for &cube in label.cubes() {
            let cube = self.cube(cube);
            result = self.or(result, cube);
        }
        result
    }

    #[cfg(test)]
    fn contains(&self, set: Bdd, letter: Letter) -> bool {
        let mut at = set;
        while at > Bdd::TRUE {
            let node = self.nodes[at.0 as usize];
            let high = letter.0 >> node.atom & 1 == 1;
            at = if high { node.high } else { node.low };
        }
        at == Bdd::TRUE
    }

    /// Some letter of a non-empty set, with as few atoms true as this walk finds.
    pub(crate) fn pick(&self, set: Bdd) -> Option<Letter> {
        if set == Bdd::FALSE {
            return None;
        }
        let (mut at, mut letter) = (set, 0u64);
        while at > Bdd::TRUE {
            let node = self.nodes[at.0 as usize];
            at = if node.low == Bdd::FALSE {
                letter |= 1 << node.atom;
                node.high
            } else {
                node.low
            };
        }
        Some(Letter(letter))
    }

    /// An irredundant sum of cubes for the set.
    pub(crate) fn sum(&mut self, set: Bdd) -> Label {
        self.sum_between(set, set)
    }

    /// An irredundant sum of cubes for some set between the two.
    pub(crate) fn sum_between(&mut self, lower: Bdd, upper: Bdd) -> Label {
        let mut cubes = Vec::new();
        self.cover(lower, upper, Cube::TRUE, &mut cubes);
        cubes.sort();
        Label::from_cubes(cubes)
    }

    fn cover(&mut self, lower: Bdd, upper: Bdd, prefix: Cube, cubes: &mut Vec<Cube>) -> Bdd {
        if lower == Bdd::FALSE {
            return Bdd::FALSE;
        }
        if upper == Bdd::TRUE {
            cubes.push(prefix);
            return Bdd::TRUE;
        }
        let (nl, nu) = (self.nodes[lower.0 as usize], self.nodes[upper.0 as usize]);
        let atom = nl.atom.min(nu.atom);
        let (l0, l1) = if nl.atom == atom {
            (nl.low, nl.high)
        } else {
            (lower, lower)
        };
        let (u0, u1) = if nu.atom == atom {
            (nu.low, nu.high)
        } else {
            (upper, upper)
        };
        let only_low = self.difference(l0, u1);
        let only_high = self.difference(l1, u0);
        let c0 = self.cover(only_low, u0, prefix.with(atom, false), cubes);
        let c1 = self.cover(only_high, u1, prefix.with(atom, true), cubes);
        let rest0 = self.difference(l0, c0);
        let rest1 = self.difference(l1, c1);
        let rest = self.or(rest0, rest1);
        let both = self.and(u0, u1);
        let shared = self.cover(rest, both, prefix, cubes);
        let low = self.or(c0, shared);
        let high = self.or(c1, shared);
        self.make(atom, low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn sums_of_cubes_are_exact_and_irredundant() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut store = Bdds::new();
            let mut set = Bdd::FALSE;
            for _ in 0..random.below(6) {
                let (positive, negative) = (random.next() & 31, random.next() & 31);
                let cube = store.cube(Cube {
                    positive: positive & !negative,
                    negative: negative & !positive,
                });
                set = store.or(set, cube);
            }
            let sum = store.sum(set);
            assert_eq!(store.label(&sum), set);
            for letter in (0..32).map(Letter) {
                assert_eq!(sum.contains(letter), store.contains(set, letter));
            }
            for skip in 0..sum.cubes().len() {
                let mut fewer = sum.cubes().to_vec();
                fewer.remove(skip);
                assert_ne!(store.label(&Label::from_cubes(fewer)), set);
            }
        }
    }
}
