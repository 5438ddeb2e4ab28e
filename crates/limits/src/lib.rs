//! What a check may cost, and how every engine keeps to it.
//!
//! Idea: an engine looks at its [`Limits`] often enough that it ends soon after one is reached: a hot loop
//! through a [`Watch`], which counts work and looks at the clock only now and then; a phase between two steps
//! directly ([`Limits::exceeded`]). Memory is counted by an [`Account`] *before* it is asked for, because a
//! process that asks for too much is ended by the system and says nothing. Shares of the time that an engine
//! gives to its parts are [`stretched`] on a busy machine.
//!
//! Invariant: what is [`Exhausted`] makes an answer *unknown*, never *holds*.

mod account;
mod checkpoint;
mod gauge;
mod memory;
mod pace;
mod process;
mod store;
mod watch;

use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub use account::Account;
pub use checkpoint::Checkpoint;
pub use gauge::{Gauge, Reading, Total};
pub use memory::{peak, resident};
pub use pace::stretched;
pub use process::{ChildProcess, end_processes};
pub use store::Store;
pub use watch::Watch;

/// What a check may cost; the default has no limits.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// States to store at the most, where states are stored.
    pub states: Option<usize>,
    /// Bytes that the process may have resident.
    pub memory: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
    /// A second flag of the same effect, for engines that race each other.
    pub cancel: Arc<AtomicBool>,
    /// Where a search says how far it is.
    pub gauge: Arc<Gauge>,
    /// Where states are kept, where states are stored.
    pub store: Store,
    /// Where searches for invariants write down how far they are.
    pub checkpoint: Option<Checkpoint>,
    /// Threads beside the one that searches, where successors are computed by several.
    pub helpers: usize,
}

/// Why something ended before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The deadline has passed.
    Time,
    /// There would be more memory in use than is allowed, or the system has no more.
    Memory,
    /// More states than may be stored.
    States(u64),
    /// Somebody wants it to end.
    Interrupted,
    /// Files could not be written or read.
    Disk(ErrorKind),
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "time limit",
            Exhausted::Memory => "memory limit",
            Exhausted::States(_) => "limit of states",
            Exhausted::Interrupted => "interrupted",
            Exhausted::Disk(_) => "the files of the store",
        })
    }
}

impl std::error::Error for Exhausted {}

impl Limits {
    /// The reason to stop now, if there is one. Memory is asked of the system, so this is not for hot loops.
    #[must_use]
    pub fn exceeded(&self) -> Option<Exhausted> {
        self.stopped().or_else(|| {
            let limit = self.memory?;
            (resident()? > limit).then_some(Exhausted::Memory)
        })
    }

    /// The reason to stop now, memory apart.
    #[must_use]
    pub fn stopped(&self) -> Option<Exhausted> {
        if self.interrupt.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed) {
            return Some(Exhausted::Interrupted);
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some(Exhausted::Time)
    }

    /// The same limits with an earlier deadline.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Limits {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Limits {
            deadline: Some(earlier),
            ..self.clone()
        }
    }
}
