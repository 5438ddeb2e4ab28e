//! Random structures given by tables, for the tests.

use kripke_logic::random::Random;
use kripke_logic::{Atom, BinaryOperator, FormulaId, Formulas, Quantifier, UnaryOperator};
use kripke_model::{Choice, KripkeStructure, Labels, Visit};

/// How many atoms the labels have.
pub const ATOMS: usize = 3;

/// A structure given by its table; the state is its number in one byte.
#[derive(Clone, Debug)]
pub struct Table {
    /// How many of the first states are initial.
    pub initial: usize,
    /// Per state.
    pub labels: Vec<Labels>,
    /// Per state; the choice is the place in the list.
    pub successors: Vec<Vec<u8>>,
}

impl Table {
    /// The successors, where a state that ends a run is its own.
    #[allow(dead_code, reason = "not every test that includes this module asks")]
    pub fn successors_or_stay(&self, state: u8) -> Vec<u8> {
        match self.successors[usize::from(state)].as_slice() {
            [] => vec![state],
            successors => successors.to_vec(),
        }
    }
}

impl KripkeStructure for Table {
    fn state_size(&self) -> usize {
        1
    }
    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        for state in 0..self.initial {
            if emit(&[state as u8]).is_break() {
                return;
            }
        }
    }
    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        for (choice, successor) in self.successors[usize::from(state[0])].iter().enumerate() {
            if emit(choice as Choice, &[*successor]).is_break() {
                return;
            }
        }
    }
    fn labels(&mut self, state: &[u8]) -> Labels {
        self.labels[usize::from(state[0])]
    }
}

/// A small structure, some of whose states end a run.
pub fn random_table(random: &mut Random) -> Table {
    let size = 1 + random.below(12);
    let successors = (0..size)
        .map(|_| (0..random.below(4)).map(|_| random.below(size) as u8).collect())
        .collect();
    let labels = (0..size).map(|_| random.below(1 << ATOMS) as Labels).collect();
    Table {
        initial: 1 + random.below(size.min(2)),
        labels,
        successors,
    }
}

/// A random CTL formula over the atoms.
#[allow(dead_code, reason = "not every test that includes this module asks")]
pub fn random_formula(random: &mut Random, store: &mut Formulas, depth: usize) -> FormulaId {
    if depth == 0 || random.below(8) == 0 {
        let atom = Atom::named(["p", "q", "r"][random.below(ATOMS)]);
        let atom = store.atoms.intern(atom).expect("three atoms");
        return store.atom(atom);
    }
    let a = random_formula(random, store, depth - 1);
    let quantifier = [Quantifier::ForAll, Quantifier::Exists][random.below(2)];
    let unary = |random: &mut Random| {
        [
            UnaryOperator::Next,
            UnaryOperator::Finally,
            UnaryOperator::Globally,
        ][random.below(3)]
    };
    match random.below(8) {
        0 => store.not(a),
        1..=3 => {
            let path = store.unary(unary(random), a);
            store.path(quantifier, path)
        }
        kind => {
            let b = random_formula(random, store, depth - 1);
            match kind {
                4 => [Formulas::and, Formulas::or][random.below(2)](store, [a, b]),
                5 => [Formulas::implies, Formulas::iff, Formulas::xor][random.below(3)](store, a, b),
                _ => {
                    use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
                    let operator = [Until, WeakUntil, Release, StrongRelease][random.below(4)];
                    let path = store.binary(operator, a, b);
                    store.path(quantifier, path)
                }
            }
        }
    }
}
