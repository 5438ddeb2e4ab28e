//! Names for what a run creates, the same whenever a run meets the same place in the same context.
//!
//! A nondeterministic value is named by the calls that lead to it, the iterations of the loops around
//! it, and its statement. So a run with a larger bound builds, for what it shares with the last
//! one, the very same terms, and the solver keeps what it learned.

use kripke_elts::{GlobalId, Id};
use rustc_hash::FxHashMap;

/// The table of names; it outlives a run.
#[derive(Default)]
pub struct Names {
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// How often the run has named something by a key, told by the key's number.
    uses: FxHashMap<u32, u32>,
}

/// The names that a run has used.
pub struct NamesUsed(FxHashMap<u32, u32>);

impl Names {
    /// Forgets which names the last run used.
    pub fn start_run(&mut self) {
        self.uses.clear();
    }

    /// Another run begins, and this one goes on later.
    pub fn suspend(&mut self) -> NamesUsed {
        NamesUsed(std::mem::take(&mut self.uses))
    }

    /// The run goes on that has used these.
    pub fn resume(&mut self, used: NamesUsed) {
        self.uses = used.0;
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
        let bare = self.number(key);
        let uses = self.uses.entry(bare).or_default();
        let digit = *uses;
        *uses += 1;
        self.number(&[key, &[digit]].concat())
    }

    /// The name of a global object.
    pub fn global(&mut self, id: GlobalId) -> u32 {
        self.number(&[u32::MAX, id.index() as u32])
    }
}
