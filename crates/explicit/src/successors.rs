//! The successors of one state, stored together.
//!
//! Idea: a look-up in a large table waits for memory twice, for the slot and for the state. The successors of
//! a state are collected first, then all their slots are read, then all the states these point to: reads that do not
//! depend on each other overlap in the processor, as explicit prefetching would make them, without its unsafe code.
//!
//! Invariant: after [`Successors::store`] the numbers stand in the order in which the model handed the states out.

use kripke_model::{Choice, KripkeStructure};

use crate::state_store::{StateId, StateStore};

/// A buffer for the successors of one state, used again for the next.
#[derive(Default)]
pub(crate) struct Successors {
    from: Vec<u8>,
    states: Vec<u8>,
    choices: Vec<Choice>,
    hashes: Vec<u64>,
    slots: Vec<u64>,
    ids: Vec<StateId>,
}

impl Successors {
    /// Asks the model for the successors of a state and stores them. New states get the next numbers in order.
    pub(crate) fn store<M: KripkeStructure>(&mut self, model: &mut M, store: &mut StateStore, from: StateId) {
        self.from.clear();
        self.from.extend_from_slice(store.state(from));
        self.states.clear();
        self.choices.clear();
        self.hashes.clear();
        let (states, choices, hashes) = (&mut self.states, &mut self.choices, &mut self.hashes);
        model.successors(&self.from, &mut |choice, state| {
            states.extend_from_slice(state);
            choices.push(choice);
            hashes.push(StateStore::hash(state));
        });
        self.slots.clear();
        self.slots
            .extend(self.hashes.iter().map(|&hash| store.first_slot(hash)));
        self.ids.clear();
        let size = self.from.len();
        for (index, (&hash, &slot)) in self.hashes.iter().zip(&self.slots).enumerate() {
            let state = &self.states[index * size..(index + 1) * size];
            self.ids.push(store.insert_from(hash, slot, state).0);
        }
    }

    /// Their numbers.
    pub(crate) fn ids(&self) -> &[StateId] {
        &self.ids
    }

    /// What leads to each.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }
}
