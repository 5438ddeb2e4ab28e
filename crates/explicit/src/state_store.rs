//! The visited set: every state once, in the order of arrival.
//!
//! Idea: states are numbered in the order they arrive and lie one behind the other in pieces that never move;
//! the index ([`crate::state_index`]) finds a state's number by its hash. Breadth-first search needs no
//! queue: the states are the queue.
//!
//! Invariant: state `n` lies in piece `n / 2^shift`; what was handed out as a state's number stays its
//! number.

use std::fmt;

use kripke_limits::{Account, Exhausted};

use crate::pieces::new_piece;
use crate::state_index::{Entry, StateIndex};

/// A stored state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);

impl StateId {
    /// The state with this number. A store numbers no more than [`MOST_STATES`].
    pub fn new(index: usize) -> Self {
        debug_assert!(index < MOST_STATES);
        StateId(index as u32)
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

/// States that a store has room for: their numbers have 32 bits, and the index needs some space of its own.
pub(crate) const MOST_STATES: usize = 3_000_000_000;

/// Bytes of a piece, about.
const PIECE: usize = 1 << 20;

/// The set of visited states.
pub struct StateStore {
    state_size: usize,
    pieces: Vec<Vec<u8>>,
    /// A piece has room for 2 to the power of this many states.
    shift: u32,
    index: StateIndex,
    count: usize,
    account: Account,
}

impl StateStore {
    /// An empty store for states of this many bytes, whose memory is counted by the account.
    pub fn new(state_size: usize, account: &Account) -> Self {
        StateStore {
            state_size,
            pieces: Vec::new(),
            shift: (PIECE / state_size.max(1)).max(1).ilog2(),
            index: StateIndex::new(account),
            count: 0,
            account: account.clone(),
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

    /// Bytes of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.state_size
    }

    /// Bytes in use, index included.
    pub fn memory(&self) -> usize {
        self.pieces.len() * (self.state_size << self.shift) + self.index.memory()
    }

    /// The bytes of a state.
    #[inline]
    pub fn state(&self, id: StateId) -> &[u8] {
        let piece = &self.pieces[id.index() >> self.shift];
        let start = (id.index() & ((1 << self.shift) - 1)) * self.state_size;
        &piece[start..start + self.state_size]
    }

    /// Up to so many states, evenly spread in the order of arrival.
    pub(crate) fn sample(&self, most: usize) -> Vec<Box<[u8]>> {
        let step = self.len().div_ceil(most.max(1)).max(1);
        let numbers = (0..self.len()).step_by(step);
        numbers
            .map(|number| self.state(StateId::new(number)).into())
            .collect()
    }

    /// The number of a state, if it is stored.
    pub fn find(&self, state: &[u8]) -> Option<StateId> {
        debug_assert_eq!(state.len(), self.state_size);
        let same = |number| self.state(StateId(number)) == state;
        self.index.probe(Self::hash(state), same).ok().map(StateId)
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> Result<(StateId, bool), Exhausted> {
        self.insert_hashed(Self::hash(state), state)
    }

    /// The hash under which a state is stored.
    #[inline]
    pub(crate) fn hash(state: &[u8]) -> u64 {
        hash_bytes(state)
    }

    /// What stands in the first slot that a state with this hash may have.
    #[inline]
    pub(crate) fn first_slot(&self, hash: u64) -> Entry {
        self.index.first(hash)
    }

    /// Like [`StateStore::insert`], where the hash is known and its first slot was read before. What that
    /// slot held stays true, as states are never moved or removed.
    #[inline]
    pub(crate) fn insert_from(
        &mut self,
        hash: u64,
        first_slot: Entry,
        state: &[u8],
    ) -> Result<(StateId, bool), Exhausted> {
        if let Some(id) = first_slot.candidate(hash).map(StateId)
            && self.state(id) == state
        {
            return Ok((id, false));
        }
        self.insert_hashed(hash, state)
    }

    fn insert_hashed(&mut self, hash: u64, state: &[u8]) -> Result<(StateId, bool), Exhausted> {
        debug_assert_eq!(state.len(), self.state_size);
        loop {
            let probed = self
                .index
                .probe(hash, |number| self.state(StateId(number)) == state);
            let free = match probed {
                Ok(number) => return Ok((StateId(number), false)),
                Err(free) => free,
            };
            let moved = self.index.make_room(hash, free)?;
            if let (Some(free), false) = (free, moved) {
                let id = self.append(state)?;
                self.index.fill(free, hash, id.0);
                return Ok((id, true));
            }
        }
    }

    fn append(&mut self, state: &[u8]) -> Result<StateId, Exhausted> {
        if self.count == MOST_STATES {
            return Err(Exhausted::States(MOST_STATES as u64));
        }
        let piece = self.count >> self.shift;
        if piece == self.pieces.len() {
            let fresh = new_piece(&self.account, self.state_size << self.shift)?;
            self.account.push(&mut self.pieces, fresh)?;
        }
        self.pieces[piece].extend_from_slice(state);
        self.count += 1;
        Ok(StateId::new(self.count - 1))
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
        let mut store = StateStore::new(3, &Account::default());
        for round in 0..2 {
            for n in 0..50_000_u32 {
                let bytes = n.to_le_bytes();
                let (id, new) = store.insert(&bytes[..3]).expect("there is no limit");
                assert_eq!(id.index(), n as usize);
                assert_eq!(new, round == 0);
            }
        }
        assert_eq!(store.len(), 50_000);
        assert_eq!(store.state(StateId::new(258)), [2, 1, 0]);
    }

    #[test]
    fn states_without_bytes_are_one_state() {
        let mut store = StateStore::new(0, &Account::default());
        for new in [true, false] {
            assert_eq!(store.insert(&[]), Ok((StateId::new(0), new)));
        }
        assert_eq!(store.len(), 1);
    }

    #[test]
    fn an_index_of_many_pages_finds_every_state() {
        let mut store = StateStore::new(4, &Account::default());
        for n in 0..300_000_u32 {
            assert_eq!(
                store.insert(&n.to_be_bytes()),
                Ok((StateId::new(n as usize), true))
            );
        }
        for n in 0..300_000_u32 {
            assert_eq!(store.find(&n.to_be_bytes()), Some(StateId::new(n as usize)));
        }
        assert_eq!(store.find(&300_000_u32.to_be_bytes()), None);
    }

    #[test]
    fn states_larger_than_a_piece() {
        let mut store = StateStore::new(PIECE + 1, &Account::default());
        for n in 0..3 {
            let id = store.insert(&vec![n; PIECE + 1]).map(|(id, _)| id.index());
            assert_eq!(id, Ok(usize::from(n)));
        }
        assert_eq!(store.state(StateId::new(2))[PIECE], 2);
    }
}
