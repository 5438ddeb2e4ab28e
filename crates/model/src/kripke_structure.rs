//! The narrow trait between models that are explored state by state and the explicit checkers.
//!
//! Idea: a state is a fixed number of bytes, whatever the model; the checkers store, hash and
//! compare bytes and know nothing else. Successors are handed out through a callback, so that
//! neither side allocates in the hot path.
//!
//! Invariants: the same state yields the same successors in the same order (a trace is replayed
//! by its choices); labels depend on the state alone.

/// The valuation of the atoms in a state: bit `i` is atom `i`.
pub type Labels = u64;

/// A number by which a model names what led from a state to its successor (an instruction, an input,
/// an interrupt); only the model can say what it means.
pub type Choice = u32;

/// A model that is explored state by state.
pub trait KripkeStructure {
    /// The size of every state in bytes.
    fn state_size(&self) -> usize;

    /// Hands out the initial states.
    fn initial_states(&mut self, emit: &mut impl FnMut(&[u8]));

    /// Hands out the successors of a state, each with its choice. A state without successors is the end of
    /// a run; the checkers let it repeat for ever, as temporal logic demands infinite paths.
    fn successors(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]));

    /// Which atoms hold in a state.
    fn labels(&mut self, state: &[u8]) -> Labels;
}
