//! How far a search may go, and what it says when it stops early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kripke_model::Reason;

/// Limits of a search; the default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States to store at the most.
    pub states: Option<usize>,
    /// Bytes to use at the most.
    pub memory: Option<usize>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
}

/// A search that was stopped before it had an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub reason: Reason,
    /// States stored until then.
    pub states: usize,
}

/// Looks at the clock only now and then: that call costs more than a state.
pub(crate) struct Watch<'a> {
    limits: &'a Limits,
    countdown: u32,
}

const INTERVAL: u32 = 4096;

/// State numbers have 32 bits, and one expansion may add many states.
const MOST_STATES: usize = 4_000_000_000;

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Self {
        Watch { limits, countdown: 0 }
    }

    /// Ends the search if it was asked to end.
    pub(crate) fn interrupted(&self, states: usize) -> Result<(), Stopped> {
        match self.limits.interrupt.load(Ordering::Relaxed) {
            true => Err(Stopped {
                reason: Reason::Interrupted,
                states,
            }),
            false => Ok(()),
        }
    }

    /// To be called once a state.
    pub(crate) fn check(&mut self, states: usize, memory: usize) -> Result<(), Stopped> {
        let limit = self.limits.states.unwrap_or(MOST_STATES).min(MOST_STATES);
        if states > limit {
            let limit = limit as u64;
            return Err(Stopped {
                reason: Reason::States { limit },
                states,
            });
        }
        if self.countdown > 0 {
            self.countdown -= 1;
            return Ok(());
        }
        self.countdown = INTERVAL;
        let reason = if self.limits.interrupt.load(Ordering::Relaxed) {
            Reason::Interrupted
        } else if self
            .limits
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            Reason::Time
        } else if self.limits.memory.is_some_and(|limit| memory > limit) {
            Reason::Memory
        } else {
            return Ok(());
        };
        Err(Stopped { reason, states })
    }
}
