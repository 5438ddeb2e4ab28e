//! Reproducible random formulas, letters and lassos, for tests and fuzzing.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood 2014): every failure is named by its seed.

use crate::atom::{Atom, Atoms};
use crate::formula::{BinaryOperator, Formula, FormulaId, Formulas, UnaryOperator};
use crate::label::Letter;
use crate::trace::Lasso;

/// A source of random numbers with a seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random {
            state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d),
        }
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "a number, not an iterator's item")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// What random formulas look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How many atoms may occur.
    pub atoms: usize,
    /// Whether `X` may occur.
    pub next: bool,
    /// Whether only the operators every tool knows occur: `! && || -> <-> F G U R`, and `X` if allowed.
    pub common: bool,
}

/// A random formula that nests at most `depth` operators.
pub fn formula_of_depth(random: &mut Random, shape: Shape, depth: usize) -> Formula {
    let mut store = store(shape);
    let root = by_depth(random, shape, &mut store, depth);
    Formula { store, root }
}

/// A random formula of exactly `size` operators and atoms.
pub fn formula_of_size(random: &mut Random, shape: Shape, size: usize) -> Formula {
    let mut store = store(shape);
    let root = by_size(random, shape, &mut store, size);
    Formula { store, root }
}

/// A random letter.
pub fn letter(random: &mut Random, atoms: usize) -> Letter {
    Letter(random.next() & ((1u128 << atoms) - 1) as u64)
}

/// A random lasso; short loops and repeated letters are likely, for they decide temporal formulas.
pub fn lasso(random: &mut Random, atoms: usize) -> Lasso {
    let word = |random: &mut Random, length: usize| {
        let mut letters: Vec<Letter> = Vec::with_capacity(length);
        for _ in 0..length {
            let next = match letters.last() {
                Some(&last) if random.below(3) == 0 => last,
                _ => letter(random, atoms),
            };
            letters.push(next);
        }
        letters
    };
    let (stem, cycle) = (random.below(5), 1 + random.below(4));
    Lasso {
        stem: word(random, stem),
        cycle: word(random, cycle),
    }
}

fn store(shape: Shape) -> Formulas {
    let mut atoms = Atoms::new();
    for index in 0..shape.atoms {
        atoms.intern(Atom::named(format!("p{index}")));
    }
    Formulas::with_atoms(atoms)
}

fn leaf(random: &mut Random, shape: Shape, store: &mut Formulas) -> FormulaId {
    if random.below(16) == 0 && !shape.common {
        let value = random.below(2) == 0;
        return store.constant(value);
    }
    let atom = crate::atom::AtomId::new(random.below(shape.atoms)).expect("few atoms");
    store.atom(atom)
}

fn unary(random: &mut Random, shape: Shape, store: &mut Formulas, a: FormulaId) -> FormulaId {
    match random.below(if shape.next { 4 } else { 3 }) {
        0 => store.not(a),
        1 => store.unary(UnaryOperator::Finally, a),
        2 => store.unary(UnaryOperator::Globally, a),
        _ => store.unary(UnaryOperator::Next, a),
    }
}

fn binary(random: &mut Random, shape: Shape, store: &mut Formulas, a: FormulaId, b: FormulaId) -> FormulaId {
    match random.below(if shape.common { 8 } else { 11 }) {
        0 | 1 => store.and([a, b]),
        2 | 3 => store.or([a, b]),
        4 | 5 => store.binary(BinaryOperator::Until, a, b),
        6 => store.binary(BinaryOperator::Release, a, b),
        7 => store.implies(a, b),
        8 => store.iff(a, b),
        9 => store.binary(BinaryOperator::WeakUntil, a, b),
        _ if random.below(2) == 0 => store.binary(BinaryOperator::StrongRelease, a, b),
        _ => store.xor(a, b),
    }
}

fn by_depth(random: &mut Random, shape: Shape, store: &mut Formulas, depth: usize) -> FormulaId {
    match random.below(if depth == 0 { 1 } else { 8 }) {
        0 => leaf(random, shape, store),
        1..=3 => {
            let a = by_depth(random, shape, store, depth - 1);
            unary(random, shape, store, a)
        }
        _ => {
            let a = by_depth(random, shape, store, depth - 1);
            let b = by_depth(random, shape, store, depth - 1);
            binary(random, shape, store, a, b)
        }
    }
}

fn by_size(random: &mut Random, shape: Shape, store: &mut Formulas, size: usize) -> FormulaId {
    if size <= 1 {
        return leaf(random, shape, store);
    }
    if size == 2 || random.below(3) == 0 {
        let a = by_size(random, shape, store, size - 1);
        return unary(random, shape, store, a);
    }
    let left = 1 + random.below(size - 2);
    let a = by_size(random, shape, store, left);
    let b = by_size(random, shape, store, size - 1 - left);
    binary(random, shape, store, a, b)
}
