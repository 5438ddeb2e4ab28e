//! The visited set: every state once, in one arena, found by open addressing.
//!
//! Idea: states are numbered in the order they arrive and lie one behind the other in a single
//! vector; the table holds state numbers beside 32 bits of the hash, so that a probe reads the arena
//! only where those bits agree. Breadth-first search needs no queue: the arena is the queue.
//!
//! A state's slot is given by the upper bits of its hash, which the slot keeps: when the table grows, no state is hashed
//! again, and the entries move in the order in which they lie, so that growing reads and writes memory in sequence.
//!
//! Invariant: the table is never more than three quarters full, so every probe ends.

use std::fmt;

/// A stored state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);

impl StateId {
    /// The state with this number.
    pub fn new(index: usize) -> Self {
        StateId(u32::try_from(index).expect("more than 2^32 states in one store"))
    }

    /// Its number, in the order of discovery.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

const EMPTY: u64 = 0;
/// The part of a slot that comes from the hash.
const TAG: u64 = 0xFFFF_FFFF_0000_0000;
const INITIAL_SLOTS: usize = 1 << 12;

/// Where a look-up ended.
enum Probe {
    Found(StateId),
    /// The slot where the state would go.
    Free(usize),
}

/// The set of visited states.
pub struct StateStore {
    state_size: usize,
    arena: Vec<u8>,
    /// Hash bits above, state number plus one below.
    slots: Vec<u64>,
    /// A hash shifted by this many bits is a slot.
    shift: u32,
    count: usize,
}

impl StateStore {
    /// An empty store for states of this many bytes.
    pub fn new(state_size: usize) -> Self {
        StateStore {
            state_size,
            arena: Vec::new(),
            slots: vec![EMPTY; INITIAL_SLOTS],
            shift: u64::BITS - INITIAL_SLOTS.ilog2(),
            count: 0,
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True before the first state.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes in use, table included.
    pub fn memory(&self) -> usize {
        self.arena.capacity() + self.slots.len() * size_of::<u64>()
    }

    /// The bytes of a state.
    pub fn state(&self, id: StateId) -> &[u8] {
        let start = id.index() * self.state_size;
        &self.arena[start..start + self.state_size]
    }

    /// The number of a state, if it is stored.
    pub fn find(&self, state: &[u8]) -> Option<StateId> {
        match self.probe(Self::hash(state), state) {
            Probe::Found(id) => Some(id),
            Probe::Free(_) => None,
        }
    }

    fn probe(&self, hash: u64, state: &[u8]) -> Probe {
        debug_assert_eq!(state.len(), self.state_size);
        let tag = hash & TAG;
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                return Probe::Free(slot);
            }
            if entry & TAG == tag {
                let id = StateId((entry as u32) - 1);
                if self.state(id) == state {
                    return Probe::Found(id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> (StateId, bool) {
        let hash = Self::hash(state);
        self.insert_hashed(hash, state)
    }

    /// The hash under which a state is stored.
    pub(crate) fn hash(state: &[u8]) -> u64 {
        hash_bytes(state)
    }

    /// What stands in the first slot that a state with this hash may have.
    pub(crate) fn first_slot(&self, hash: u64) -> u64 {
        self.slots[(hash >> self.shift) as usize]
    }

    /// Like [`StateStore::insert`], where the hash is known and its first slot was read before. What that slot held
    /// stays true, as states are never moved or removed.
    pub(crate) fn insert_from(&mut self, hash: u64, first_slot: u64, state: &[u8]) -> (StateId, bool) {
        if first_slot != EMPTY && first_slot & TAG == hash & TAG {
            let id = StateId((first_slot as u32) - 1);
            if self.state(id) == state {
                return (id, false);
            }
        }
        self.insert_hashed(hash, state)
    }

    fn insert_hashed(&mut self, hash: u64, state: &[u8]) -> (StateId, bool) {
        let slot = match self.probe(hash, state) {
            Probe::Found(id) => return (id, false),
            Probe::Free(slot) => slot,
        };
        let id = StateId::new(self.count);
        self.arena.extend_from_slice(state);
        self.slots[slot] = hash & TAG | (u64::from(id.0) + 1);
        self.count += 1;
        if self.count * 4 > self.slots.len() * 3 {
            self.grow();
        }
        (id, true)
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let (mask, shift) = (size - 1, self.shift - 1);
        let mut slots = vec![EMPTY; size];
        for &entry in self.slots.iter().filter(|&&entry| entry != EMPTY) {
            let mut slot = (entry >> shift) as usize;
            while slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        self.shift = shift;
        self.slots = slots;
    }
}

/// A multiply-fold hash over eight bytes at a time; states differ in few bytes, so every bit of the
/// input has to reach both halves of the result.
fn hash_bytes(bytes: &[u8]) -> u64 {
    const KEY: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product as u64) ^ (product >> 64) as u64
    };
    let mut hash = KEY ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        hash = fold(hash ^ word, KEY | 1);
    }
    let mut rest = [0; 8];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    hash = fold(hash ^ u64::from_le_bytes(rest), 0xD6E8_FEB8_6659_FD93);
    fold(hash, 0xA076_1D64_78BD_642F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_states_in_order_of_arrival() {
        let mut store = StateStore::new(3);
        for round in 0..2 {
            for n in 0..50_000_u32 {
                let bytes = n.to_le_bytes();
                let (id, new) = store.insert(&bytes[..3]);
                assert_eq!(id.index(), n as usize);
                assert_eq!(new, round == 0);
            }
        }
        assert_eq!(store.len(), 50_000);
        assert_eq!(store.state(StateId::new(258)), [2, 1, 0]);
    }

    #[test]
    fn states_without_bytes_are_one_state() {
        let mut store = StateStore::new(0);
        assert!(store.insert(&[]).1);
        assert!(!store.insert(&[]).1);
        assert_eq!(store.len(), 1);
    }
}
