//! The successors of one state, stored together.
//!
//! Idea: a look-up in a large table waits for memory twice, for the index and for the state. Some successors
//! of a state are collected first, then the index is asked about all of them, then all the states are read
//! that it names: reads that do not depend on each other overlap in the processor, as explicit prefetching
//! would make them, without its unsafe code.
//!
//! Invariants: after [`Successors::store`] the numbers stand in the order in which the model handed the
//! states out; a state with more successors than there is time or memory for is left in the midst of them.

use std::ops::ControlFlow;

use kripke_limits::Exhausted;
use kripke_model::{Choice, KripkeStructure};

use crate::limits::{Guard, Stopped};
use crate::state_store::{Key, StateId, StateStore};

/// Successors that are stored at once.
const BATCH: usize = 256;

/// A buffer for the successors of one state, used again for the next.
#[derive(Default)]
pub(crate) struct Successors {
    from: Vec<u8>,
    batch: Batch,
    choices: Vec<Choice>,
    ids: Vec<StateId>,
}

/// Successors that are not stored yet.
#[derive(Default)]
struct Batch {
    states: Vec<u8>,
    keys: Vec<Key>,
    /// Numbers that the states may have.
    firsts: Vec<Option<u64>>,
}

impl Batch {
    fn clear(&mut self) {
        self.states.clear();
        self.keys.clear();
    }

    fn store(&mut self, store: &mut StateStore, ids: &mut Vec<StateId>) -> Result<(), Exhausted> {
        self.firsts.clear();
        self.firsts.extend(self.keys.iter().map(|&key| store.first(key)));
        let size = store.state_size();
        for (index, (&key, &first)) in self.keys.iter().zip(&self.firsts).enumerate() {
            let state = &self.states[index * size..(index + 1) * size];
            ids.push(store.insert_from(key, first, state)?.0);
        }
        self.clear();
        Ok(())
    }
}

impl Successors {
    /// Asks the model for the successors of a state and stores them. New states get the next numbers in
    /// order.
    pub(crate) fn store<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        store: &mut StateStore,
        from: StateId,
        guard: &mut Guard,
    ) -> Result<(), Stopped> {
        store.read_parent(from, &mut self.from);
        self.choices.clear();
        self.ids.clear();
        self.batch.clear();
        let (batch, choices, ids) = (&mut self.batch, &mut self.choices, &mut self.ids);
        let mut take = |choice: Choice, state: &[u8]| -> Result<(), Stopped> {
            let key = store.key(state);
            batch
                .keys
                .push(key.map_err(|exhausted| guard.stopped(exhausted, store))?);
            batch.states.extend_from_slice(state);
            choices.push(choice);
            guard.created += 1;
            guard.step(store)?;
            if batch.keys.len() < BATCH {
                return Ok(());
            }
            let stored = batch.store(store, ids);
            let account = guard.account();
            stored
                .and_then(|()| account.reserve(ids, BATCH))
                .and_then(|()| account.reserve(choices, BATCH))
                .map_err(|exhausted| guard.stopped(exhausted, store))?;
            guard.room(store)
        };
        let mut result = Ok(());
        model.successors(&self.from, &mut |choice, state| match take(choice, state) {
            Ok(()) => ControlFlow::Continue(()),
            Err(stopped) => {
                result = Err(stopped);
                ControlFlow::Break(())
            }
        });
        let rest = self.batch.store(store, &mut self.ids);
        result.and(rest.map_err(|exhausted| guard.stopped(exhausted, store)))
    }

    /// Their numbers: of those that were stored, if not all were.
    pub(crate) fn ids(&self) -> &[StateId] {
        &self.ids
    }

    /// What leads to each.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }
}

/// Stores the initial states of a model; the numbers of those that were not there yet.
pub(crate) fn store_initial<M: KripkeStructure>(
    model: &mut M,
    store: &mut StateStore,
    guard: &mut Guard,
) -> Result<Vec<StateId>, Stopped> {
    let mut new = Vec::new();
    let mut take = |state: &[u8]| -> Result<(), Stopped> {
        guard.created += 1;
        guard.step(store)?;
        let stored = store.insert(state).and_then(|(id, is_new)| match is_new {
            true => guard.account().push(&mut new, id),
            false => Ok(()),
        });
        stored.map_err(|exhausted| guard.stopped(exhausted, store))
    };
    let mut result = Ok(());
    model.initial_states(&mut |state| match take(state) {
        Ok(()) => ControlFlow::Continue(()),
        Err(stopped) => {
            result = Err(stopped);
            ControlFlow::Break(())
        }
    });
    // A model may have worked for long to find them, or have given up.
    result.and_then(|()| guard.look_now(store)).map(|()| new)
}
