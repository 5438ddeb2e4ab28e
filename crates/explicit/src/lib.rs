//! Explicit-state checkers over the model traits. They know nothing of AVR or C.

mod state_store;

pub use state_store::{StateId, StateStore};
