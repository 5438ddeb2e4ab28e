//! States on disk, each once, in the order of arrival.
//!
//! Idea: a state and its parent's number are appended to a file, which is the search's queue as well. Whether
//! a state is known is found out late: those that come are collected, and the ones that no quick test decides
//! are looked up together, in the order of their keys ([`DiskStates::settle`]). Three tests are quick: the
//! state is among those collected; among those met of late, which are in memory; or its hash was surely never
//! seen ([`super::filter`]). So memory is bounded, and the disk is asked about old states only.
//!
//! A state's key is its hash, or the next number that no other state has.
//!
//! Invariants: states are compared byte by byte; they get the numbers that a search in memory gives them.
//!
//! Source: Stern and Dill, "Using magnetic disk instead of main memory in the Murphi verifier", CAV 1998,
//! where a level at a time is compared with all that is on disk. Firmware has thousands of levels, so here
//! only what is in doubt is looked up.

use std::io;

use kripke_limits::{Account, Exhausted};
use tempfile::TempDir;

use super::filter::Filter;
use super::sorted_runs::SortedRuns;
use super::spill::Spill;
use crate::limits::Counted;
use crate::state_store::hash_bytes;

/// Bytes of a parent's number behind each state.
const PARENT: usize = 5;
/// The parent of an initial state.
const NO_PARENT: u64 = (1 << (8 * PARENT)) - 1;

/// What came since the last time that doubts were settled.
#[derive(Default)]
struct Pending {
    states: Vec<u8>,
    entries: Vec<Entry>,
    /// Open addressing: places of entries, one more than they are.
    table: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    parent: u64,
    verdict: Doubt,
}

/// Whether a state that came is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    New,
    Known,
    Open,
}

/// The store.
pub(crate) struct DiskStates {
    size: usize,
    count: u64,
    states: Spill,
    index: SortedRuns,
    filter: Filter,
    /// States met of late, each where its hash says.
    recent: Vec<u8>,
    recent_slots: usize,
    pending: Pending,
    most_pending: usize,
    record: Vec<u8>,
    account: Account,
    /// Removed with all files at the end.
    _directory: TempDir,
}

impl Counted for DiskStates {
    fn count(&self) -> usize {
        self.count as usize
    }
}

fn failed(error: io::Error) -> Exhausted {
    Exhausted::Disk(error.kind())
}

impl DiskStates {
    /// A store whose files are in this directory, and that keeps to so many bytes of memory.
    pub(crate) fn new(
        size: usize,
        directory: TempDir,
        memory: usize,
        account: &Account,
    ) -> Result<Self, Exhausted> {
        let slot = size + 1;
        let recent_slots = (memory / 4 / slot).max(1);
        let most_pending = (memory / 8 / (size + size_of::<Entry>() + 8)).clamp(16, 1 << 24);
        account.charge(recent_slots * slot)?;
        Ok(DiskStates {
            size,
            count: 0,
            states: Spill::create(&directory.path().join("states")).map_err(failed)?,
            index: SortedRuns::new(directory.path(), memory / 8),
            filter: Filter::new(account, memory / 4)?,
            recent: vec![0; recent_slots * slot],
            recent_slots,
            pending: Pending {
                table: vec![0; (2 * most_pending).next_power_of_two()],
                ..Pending::default()
            },
            most_pending,
            record: Vec::new(),
            account: account.clone(),
            _directory: directory,
        })
    }

    pub(crate) fn memory(&self) -> usize {
        self.filter.memory()
            + self.recent.len()
            + self.index.memory()
            + self.states.memory()
            + self.pending.states.capacity()
            + self.pending.entries.capacity() * size_of::<Entry>()
            + self.pending.table.len() * 4
    }

    /// Bytes on disk, for each state.
    fn record_size(&self) -> usize {
        self.size + PARENT
    }

    /// Reads a state into a buffer; the number of its parent, if it has one.
    pub(crate) fn read(&mut self, number: u64, state: &mut Vec<u8>) -> Result<Option<u64>, Exhausted> {
        let size = self.record_size();
        self.record.resize(size, 0);
        self.states
            .read(number * size as u64, &mut self.record)
            .map_err(failed)?;
        let (bytes, parent) = self.record.split_at(self.size);
        state.clear();
        state.extend_from_slice(bytes);
        let mut number = [0; 8];
        number[..PARENT].copy_from_slice(parent);
        Ok(Some(u64::from_le_bytes(number)).filter(|&parent| parent != NO_PARENT))
    }

    /// Whether no more should be collected before doubts are settled.
    pub(crate) fn is_full(&self) -> bool {
        self.pending.entries.len() >= self.most_pending
    }

    /// A state comes, of some parent; an initial one has none.
    pub(crate) fn offer(&mut self, state: &[u8], parent: Option<u64>) -> Result<(), Exhausted> {
        let hash = hash_bytes(state);
        if self.is_recent(hash, state) {
            return Ok(());
        }
        let pending = &mut self.pending;
        if 2 * pending.entries.len() >= pending.table.len() {
            self.account.charge(8 * pending.table.len())?;
            pending.grow();
        }
        let Some(free) = pending.place(self.size, hash, state) else {
            return Ok(());
        };
        let verdict = match self.filter.may_have(hash) {
            true => Doubt::Open,
            false => Doubt::New,
        };
        let entry = Entry {
            hash,
            parent: parent.unwrap_or(NO_PARENT),
            verdict,
        };
        self.account.push(&mut pending.entries, entry)?;
        self.account.reserve(&mut pending.states, self.size)?;
        pending.states.extend_from_slice(state);
        pending.table[free] = pending.entries.len() as u32;
        Ok(())
    }

    fn slot(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.recent_slots as u128) >> 64) as usize * (self.size + 1)
    }

    fn is_recent(&self, hash: u64, state: &[u8]) -> bool {
        let slot = &self.recent[self.slot(hash)..][..=self.size];
        slot[0] == 1 && slot[1..] == *state
    }

    /// Gives all new states that have come their numbers, in the order in which they came.
    pub(crate) fn settle(&mut self) -> Result<(), Exhausted> {
        let mut open: Vec<u32> = Vec::new();
        for (place, entry) in self.pending.entries.iter().enumerate() {
            if entry.verdict == Doubt::Open {
                self.account.push(&mut open, place as u32)?;
            }
        }
        open.sort_unstable_by_key(|&place| self.pending.entries[place as usize].hash);
        for place in open {
            let known = self.known_on_disk(place as usize)?;
            self.pending.entries[place as usize].verdict = if known { Doubt::Known } else { Doubt::New };
        }
        let pending = std::mem::take(&mut self.pending);
        let states = pending.states.chunks(self.size.max(1));
        // A state may have no bytes.
        let states = states.chain(std::iter::repeat(&[][..]));
        for (entry, state) in pending.entries.iter().zip(states) {
            let slot = self.slot(entry.hash);
            self.recent[slot] = 1;
            self.recent[slot + 1..slot + 1 + self.size].copy_from_slice(state);
            if entry.verdict == Doubt::New {
                self.append(entry, state)?;
            }
        }
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn append(&mut self, entry: &Entry, state: &[u8]) -> Result<(), Exhausted> {
        let mut key = entry.hash;
        while self.filter.may_have(key) && self.index.find(key).map_err(failed)?.is_some() {
            key = key.wrapping_add(1);
        }
        self.record.clear();
        self.record.extend_from_slice(state);
        self.record
            .extend_from_slice(&entry.parent.to_le_bytes()[..PARENT]);
        self.states.append(&self.record).map_err(failed)?;
        self.index.insert(key, self.count).map_err(failed)?;
        self.filter.add(key);
        self.count += 1;
        Ok(())
    }

    fn known_on_disk(&mut self, place: usize) -> Result<bool, Exhausted> {
        let mut key = self.pending.entries[place].hash;
        let mut state = Vec::new();
        while let Some(number) = self.index.find(key).map_err(failed)? {
            self.read(number, &mut state)?;
            if *state == self.pending.states[place * self.size..][..self.size] {
                return Ok(true);
            }
            key = key.wrapping_add(1);
        }
        Ok(false)
    }
}

impl Pending {
    /// A free place in the table; none where the state is there.
    fn place(&self, size: usize, hash: u64, state: &[u8]) -> Option<usize> {
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let Some(at) = (self.table[place] as usize).checked_sub(1) else {
                return Some(place);
            };
            if self.entries[at].hash == hash && self.states[at * size..][..size] == *state {
                return None;
            }
            place = (place + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = 2 * self.table.len() - 1;
        let mut table = vec![0; mask + 1];
        for (at, entry) in self.entries.iter().enumerate() {
            let mut place = entry.hash as usize & mask;
            while table[place] != 0 {
                place = (place + 1) & mask;
            }
            table[place] = at as u32 + 1;
        }
        self.table = table;
    }

    fn clear(&mut self) {
        // A few entries are forgotten one by one, as the table may be large.
        if self.entries.len() < self.table.len() / 16 {
            let mask = self.table.len() - 1;
            for entry in &self.entries {
                let mut place = entry.hash as usize & mask;
                while self.table[place] != 0 {
                    self.table[place] = 0;
                    place = (place + 1) & mask;
                }
            }
        } else {
            self.table.fill(0);
        }
        self.states.clear();
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::state_store::mixed;

    /// So little memory that all is written, read and merged again and again, and that the filter is of no
    /// use; states come again after a while.
    #[test]
    fn states_get_the_numbers_of_their_first_arrival() {
        let directory = tempfile::tempdir().expect("a directory");
        let account = Account::default();
        let mut states = DiskStates::new(10, directory, 1 << 13, &account).expect("there is room");
        let mut expected: HashMap<Vec<u8>, (u64, Option<u64>)> = HashMap::new();
        for step in 0..40_000_u64 {
            let old = mixed(step, 5) % (step / 2 + 1);
            let n = if step % 3 == 0 { step } else { old / 3 * 3 };
            let state = [&n.to_be_bytes()[..], &[7, 7]].concat();
            let parent = (step % 11 != 0).then_some(step);
            let next = expected.len() as u64;
            expected.entry(state.clone()).or_insert((next, parent));
            states.offer(&state, parent).expect("there is room");
            if states.is_full() || step % 97 == 0 {
                states.settle().expect("there is room");
            }
        }
        states.settle().expect("there is room");
        assert_eq!(states.count(), expected.len());
        assert!(states.memory() < 1 << 20);
        let mut state = Vec::new();
        for (wanted, (number, parent)) in expected {
            assert_eq!(states.read(number, &mut state), Ok(parent));
            assert_eq!(state, wanted);
        }
    }
}
