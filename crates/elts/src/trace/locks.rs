//! Which thread holds which lock.
//!
//! Idea: the models of mutexes and locks note in the lock who holds it. A trace does not show those stores,
//! as they are the library's; it tells instead from when to when a thread holds a lock.
//!
//! Invariant: what is told of a lock and a thread alternates, and begins with its taking it.

use kripke_model::LockChange;

use crate::interpreter::View;

use super::{StoreEvent, TraceBuilder};

/// What the words of locks that say who holds them are called: in the headers of Kripke
/// (`headers/pthread.h`), and where they lie in the types of glibc.
const HOLDER: [&str; 2] = [".__holder", ".__align"];
const WRITER: [&str; 2] = [".__writer", ".__align+4"];
const READERS: [&str; 3] = [
    ".__readers[",
    ".__data.__wrphase_futex",
    ".__data.__writers_futex",
];
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
        let (target, owner) = (target.as_str(), u64::from(thread) + 1);
        let strip = |names: &[&str]| names.iter().find_map(|name| target.strip_suffix(name));
        let is_in = |start| self.threads.is_in(self.program, start);
        let told = if is_in("pthread_rwlock_") {
            let reads = value >> (thread % THREADS * READS) & ((1 << READS) - 1);
            let readers = READERS
                .iter()
                .find_map(|name| Some((target.split_once(name)?.0, reads != 0)));
            readers.or_else(|| Some((strip(&WRITER)?, value == owner)))
        } else if is_in("pthread_spin_") {
            Some((target, value == owner))
        } else {
            strip(&HOLDER).map(|lock| (lock, value == owner))
        };
        let Some((lock, holds)) = told else { return };
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
