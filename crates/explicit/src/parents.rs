//! Which state each state was first reached from.
//!
//! Idea: breadth-first search expands states in the order of their numbers, and numbers those that are new.
//! So parents never decrease, and it is enough to know how many new states each expansion brought: two bits a
//! state, written one behind the other as a 0 for each new state and a 1 at the end of each expansion. The
//! parent of a state is how many ones stand before its zero. Depth-first search keeps each parent's number.
//!
//! What leads from the parent to the state is not kept: the model says it again.
//!
//! Invariant: the first zeros, before the first one, are the initial states.
//!
//! Source: unary codes of monotone sequences, Elias 1974.

use kripke_limits::{Account, Exhausted};

use crate::pieces::Pieces;
use crate::state_store::StateId;

/// Zeros between two places that are noted.
const SAMPLE: usize = 4096;

/// The parents of all states.
pub(crate) enum Parents {
    /// Of states that are expanded in their order.
    InOrder(Unary),
    /// Of states that are expanded in any order; an initial state is its own parent.
    Any(Pieces<StateId>),
}

/// Counts in unary.
pub(crate) struct Unary {
    bits: Pieces<u64>,
    len: usize,
    zeros: usize,
    /// Where every so many zeros have been written: at how many bits.
    samples: Pieces<u64>,
}

impl Unary {
    fn new(account: &Account) -> Self {
        Unary {
            bits: Pieces::new(account),
            len: 0,
            zeros: 0,
            samples: Pieces::new(account),
        }
    }

    fn push(&mut self, bit: bool) -> Result<(), Exhausted> {
        let (word, place) = (self.len / 64, self.len % 64);
        if !bit && self.zeros.is_multiple_of(SAMPLE) && self.samples.len() == self.zeros / SAMPLE {
            self.samples.push(self.len as u64)?;
        }
        if word == self.bits.len() {
            self.bits.push(0)?;
        }
        if bit {
            self.bits.set(word, self.bits.at(word) | 1 << place);
        } else {
            self.zeros += 1;
        }
        self.len += 1;
        Ok(())
    }

    /// How many ones stand before a zero.
    fn ones_before(&self, zero: usize) -> usize {
        let start = self.samples.at(zero / SAMPLE) as usize;
        // From the zero that was noted on, this one is the next but so many.
        let mut left = zero % SAMPLE;
        let mut word = start / 64;
        let mut zeros = !self.bits.at(word) & (u64::MAX << (start % 64));
        while left >= zeros.count_ones() as usize {
            left -= zeros.count_ones() as usize;
            word += 1;
            zeros = !self.bits.at(word);
        }
        for _ in 0..left {
            zeros &= zeros - 1;
        }
        word * 64 + zeros.trailing_zeros() as usize - zero
    }
}

impl Parents {
    pub(crate) fn in_order(account: &Account) -> Self {
        Parents::InOrder(Unary::new(account))
    }

    pub(crate) fn any(account: &Account) -> Self {
        Parents::Any(Pieces::new(account))
    }

    /// How many states have a parent or are initial.
    pub(crate) fn len(&self) -> usize {
        match self {
            Parents::InOrder(unary) => unary.zeros,
            Parents::Any(parents) => parents.len(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        match self {
            Parents::InOrder(unary) => unary.bits.memory() + unary.samples.memory(),
            Parents::Any(parents) => parents.memory(),
        }
    }

    /// The next states are initial, up to so many.
    pub(crate) fn add_initial(&mut self, count: usize) -> Result<(), Exhausted> {
        while self.len() < count {
            match self {
                Parents::InOrder(unary) => unary.push(false)?,
                Parents::Any(parents) => parents.push(StateId::new(parents.len()))?,
            }
        }
        self.end()
    }

    /// The next states are those that an expansion brought, up to so many.
    pub(crate) fn add(&mut self, parent: StateId, count: usize) -> Result<(), Exhausted> {
        while self.len() < count {
            match self {
                Parents::InOrder(unary) => unary.push(false)?,
                Parents::Any(parents) => parents.push(parent)?,
            }
        }
        self.end()
    }

    fn end(&mut self) -> Result<(), Exhausted> {
        match self {
            Parents::InOrder(unary) => unary.push(true),
            Parents::Any(_) => Ok(()),
        }
    }

    /// The parent of a state; none of an initial one.
    pub(crate) fn of(&self, state: StateId) -> Option<StateId> {
        match self {
            Parents::InOrder(unary) => {
                let expansions = unary.ones_before(state.index());
                expansions.checked_sub(1).map(StateId::new)
            }
            Parents::Any(parents) => Some(parents.at(state.index())).filter(|&parent| parent != state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_in_order_and_in_any_order_agree() {
        let account = Account::default();
        let mut both = [Parents::in_order(&account), Parents::any(&account)];
        let mut expected = vec![None; 5];
        for parents in &mut both {
            parents.add_initial(5).expect("there is no limit");
        }
        // Long rows of expansions without new states, and expansions with many.
        for parent in 0..30_000_usize {
            let new = [0, 0, 0, 1, 2, 0, 6][parent % 7] + 9_000 * usize::from(parent % 10_000 == 5);
            let new = if (10_000..14_000).contains(&parent) {
                0
            } else {
                new
            };
            expected.extend(std::iter::repeat_n(Some(parent), new));
            for parents in &mut both {
                let added = parents.add(StateId::new(parent), expected.len());
                added.expect("there is no limit");
            }
        }
        for (state, parent) in expected.iter().enumerate() {
            for parents in &both {
                let found = parents.of(StateId::new(state)).map(StateId::index);
                assert_eq!(found, *parent, "of {state}");
            }
        }
        assert!(both[0].len() == expected.len() && both[1].len() == expected.len());
    }
}
