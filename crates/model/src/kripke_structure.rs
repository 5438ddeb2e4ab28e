//! The narrow trait between models that are explored state by state and the explicit checkers.
//!
//! Idea: a state is a fixed number of bytes, whatever the model; the checkers store, hash and compare bytes
//! and know nothing else. Successors are handed out through a callback, so that neither side allocates in the
//! hot path; the callback can say that it has seen enough, since one state may have more successors than
//! there is time for.
//!
//! Invariants: the same state yields the same successors in the same order (a trace is replayed
//! by its choices); labels depend on the state alone.

use std::ops::ControlFlow;

/// The valuation of the atoms in a state: bit `i` is atom `i`.
pub type Labels = u64;

/// A number by which a model names what led from a state to its successor (an instruction, an input,
/// an interrupt); only the model can say what it means.
pub type Choice = u32;

/// What a callback answers to each state that it is handed: nothing, which is "go on", or whether to go on.
pub trait Visit {
    /// Whether the rest is not wanted.
    fn is_break(&self) -> bool;
}

impl Visit for () {
    fn is_break(&self) -> bool {
        false
    }
}

impl Visit for ControlFlow<()> {
    fn is_break(&self) -> bool {
        ControlFlow::is_break(self)
    }
}

/// A model that is explored state by state.
pub trait KripkeStructure: Send {
    /// The size of every state in bytes.
    fn state_size(&self) -> usize;

    /// Hands out the initial states, until no more is wanted.
    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V);

    /// Hands out the successors of a state, each with its choice, until no more is wanted. A state without
    /// successors is the end of a run; the checkers let it repeat for ever, as temporal logic demands
    /// infinite paths.
    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V);

    /// How much the model has noted beside the states, that answers depend on: a number that changes with
    /// every note, whatever the states are that it was asked about.
    fn noted(&self) -> u64 {
        0
    }

    /// Which atoms hold in a state.
    fn labels(&mut self, state: &[u8]) -> Labels;

    /// Somebody else has made the successors of this state, so many. Nothing that answers depend on.
    fn note_successors(&mut self, _state: &[u8], _count: u64) {}

    /// Another one that gives the same answers, for another thread; none where there can be only one. What it
    /// notes, this one does not know: it has to be asked the same.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}
