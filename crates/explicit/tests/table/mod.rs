//! Random structures given by tables, for the tests.

use kripke_logic::random::Random;
use kripke_model::{Choice, KripkeStructure, Labels};

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
    fn initial_states(&mut self, emit: &mut impl FnMut(&[u8])) {
        for state in 0..self.initial {
            emit(&[state as u8]);
        }
    }
    fn successors(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8])) {
        for (choice, successor) in self.successors[usize::from(state[0])].iter().enumerate() {
            emit(choice as Choice, &[*successor]);
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
