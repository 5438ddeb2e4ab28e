//! Names for what a run creates, the same whenever a run meets the same place in the same context.
//!
//! A nondeterministic value is named by the calls that lead to it, the iterations of the loops around
//! it, and its statement. So a run with a larger bound builds, for what it shares with the last
//! one, the very same terms, and the solver keeps what it learned.

use kripke_elts::{GlobalId, Id};
use rustc_hash::{FxHashMap, FxHashSet};

/// The table of names; it outlives a run.
#[derive(Default)]
pub struct Names {
    numbers: FxHashMap<Box<[u32]>, u32>,
    used: FxHashSet<u32>,
}

impl Names {
    /// Forgets which names the last run used.
    pub fn start_run(&mut self) {
        self.used.clear();
    }

    fn number(&mut self, key: &[u32]) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.get(key) {
            Some(number) => *number,
            None => *self.numbers.entry(key.into()).or_insert(next),
        }
    }

    /// The number of a key, with a further digit that makes it new in this run.
    pub fn fresh(&mut self, key: &[u32]) -> u32 {
        let mut key = key.to_vec();
        key.push(0);
        loop {
            let number = self.number(&key);
            if self.used.insert(number) {
                return number;
            }
            if let Some(last) = key.last_mut() {
                *last += 1;
            }
        }
    }

    /// The name of a global object.
    pub fn global(&mut self, id: GlobalId) -> u32 {
        self.number(&[u32::MAX, id.index() as u32])
    }
}
