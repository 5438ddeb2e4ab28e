//! Which thread holds which lock.
//!
//! Idea: the models of mutexes and locks note in the lock who holds it. A trace does not show those stores,
//! as they are the library's; it tells instead from when to when a thread holds a lock.
//!
//! Invariant: what is told of a lock and a thread alternates, and begins with its taking it.

use kripke_model::LockChange;

use crate::interpreter::View;

use super::{StoreEvent, TraceBuilder};

/// The members of locks that say who holds them (`headers/pthread.h`).
const HOLDER: &str = ".__holder";
const WRITER: &str = ".__writer";
const READERS: &str = ".__readers[";
/// How often a thread reads is that many bits of a word, which is for so many threads.
const READS: u32 = 4;
const THREADS: u32 = 8;

impl TraceBuilder<'_> {
    /// A store of the model of threads: tells whether the thread holds another lock now, or one less.
    pub(super) fn stored_by_threads(&mut self, view: &View<'_>, event: &StoreEvent<'_>) {
        let size = event.value.ty().bytes(&self.program.data_model);
        let Some(value) = event.value.as_int().and_then(|value| value.to_u64()) else {
            return;
        };
        let (target, _) = self.target(view, event.pointer, size);
        let thread = self.threads.running() as u32;
        let (lock, holds) = if let Some((lock, _)) = target.split_once(READERS) {
            (
                lock,
                value >> (thread % THREADS * READS) & ((1 << READS) - 1) != 0,
            )
        } else if let Some(lock) = target.strip_suffix(HOLDER).or(target.strip_suffix(WRITER)) {
            (lock, value == u64::from(thread) + 1)
        } else if self.threads.is_in(self.program, "pthread_spin_") {
            (target.as_str(), value == u64::from(thread) + 1)
        } else {
            return;
        };
        let mut told = self.trace.locks.iter().rev();
        let last = told.find(|change| change.lock == lock && change.thread == thread);
        if last.is_some_and(|change| change.holds) != holds {
            self.trace.locks.push(LockChange {
                step: self.trace.steps.len(),
                thread,
                lock: lock.to_owned(),
                holds,
            });
        }
    }
}
