//! The visited set: every state once, in the order of arrival.
//!
//! Idea: states are numbered in the order they arrive, and every store gives a number's state back. Breadth-
//! first search needs no queue: the states are the queue. Two stores do that: one keeps the states as they
//! are ([`crate::plain_store`]), one puts them together of shared parts ([`crate::tree_store`]). A search
//! does not know which one it has.
//!
//! A state is looked for in steps, so that the look-ups of several can overlap ([`crate::successors`]): its
//! key, a number that it may have, its number.
//!
//! Invariant: what was handed out as a state's number stays its number.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use kripke_limits::{Account, Exhausted, Limits, Store};

use crate::plain_store::PlainStore;
use crate::state_index::MOST_NUMBERS;
use crate::tree_store::{Folder, TreeStore};

/// A stored state. Its number has 40 bits, in five bytes wherever it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId([u8; 5]);

impl StateId {
    /// The state with this number. A store numbers no more than 2 to the power of 40.
    pub fn new(index: usize) -> Self {
        debug_assert!((index as u64) < MOST_NUMBERS);
        // The highest byte first, so that the order of numbers is the order of bytes.
        let [_, _, _, bytes @ ..] = (index as u64).to_be_bytes();
        StateId(bytes)
    }

    /// Its number, in the order of discovery.
    #[inline]
    pub fn index(self) -> usize {
        let [a, b, c, d, e] = self.0;
        u64::from_be_bytes([0, 0, 0, a, b, c, d, e]) as usize
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.index())
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The set of visited states.
pub struct StateStore {
    state_size: usize,
    kind: Kind,
}

enum Kind {
    Plain(PlainStore),
    Tree(TreeStore),
}

/// What a thread looks states up with in a store that others look into at the same time.
pub(crate) struct Seeker(Option<Folder>);

/// What a state is looked for by: its hash in a plain store, its last pair in a tree.
#[derive(Clone, Copy)]
pub(crate) struct Key(u64);

impl StateStore {
    /// An empty store for states of this many bytes, of the kind that the limits say, whose memory is counted
    /// by the account.
    pub fn new(state_size: usize, limits: &Limits, account: &Account) -> Self {
        let kind = match limits.store {
            Store::Plain => Kind::Plain(PlainStore::new(state_size, account)),
            _ => Kind::Tree(TreeStore::new(state_size, account)),
        };
        StateStore { state_size, kind }
    }

    /// The store where no other thread has it.
    ///
    /// # Panics
    /// When one has: a defect of the search.
    pub(crate) fn alone(store: &mut Arc<Self>) -> &mut Self {
        Arc::get_mut(store).expect("threads have the store in a round only")
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Plain(store) => store.len(),
            Kind::Tree(store) => store.len(),
        }
    }

    /// True before the first state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of a state.
    pub(crate) fn state_size(&self) -> usize {
        self.state_size
    }

    /// Bytes in use, index included.
    pub fn memory(&self) -> usize {
        match &self.kind {
            Kind::Plain(store) => store.memory(),
            Kind::Tree(store) => store.memory(),
        }
    }

    /// The bytes of a state.
    pub fn state(&self, id: StateId) -> Cow<'_, [u8]> {
        match &self.kind {
            Kind::Plain(store) => Cow::Borrowed(store.state(id.index() as u64)),
            Kind::Tree(store) => {
                let mut state = Vec::with_capacity(self.state_size + 3);
                store.read(id.index() as u64, &mut state);
                Cow::Owned(state)
            }
        }
    }

    /// Writes the bytes of a state into a buffer.
    pub(crate) fn read(&self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        match &self.kind {
            Kind::Plain(store) => state.extend_from_slice(store.state(id.index() as u64)),
            Kind::Tree(store) => store.read(id.index() as u64, state),
        }
    }

    /// Writes the bytes of a state into a buffer; what is looked for next is likely to be its successors.
    pub(crate) fn read_parent(&mut self, id: StateId, state: &mut Vec<u8>) {
        state.clear();
        match &mut self.kind {
            Kind::Plain(store) => state.extend_from_slice(store.state(id.index() as u64)),
            Kind::Tree(store) => store.read_base(id.index() as u64, state),
        }
    }

    /// What comes next is likely to be the successors of this state.
    pub(crate) fn prepare(&mut self, parent: StateId) {
        if let Kind::Tree(store) = &mut self.kind {
            store.set_base(parent.index() as u64);
        }
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
        let number = match &self.kind {
            Kind::Plain(store) => store.find(hash_bytes(state), state),
            Kind::Tree(store) => store.find(state),
        };
        number.map(|number| StateId::new(number as usize))
    }

    /// What a thread looks states up with.
    pub(crate) fn seeker(&self) -> Seeker {
        Seeker(match &self.kind {
            Kind::Plain(_) => None,
            Kind::Tree(store) => Some(store.folder()),
        })
    }

    /// Like [`StateStore::read_parent`], for the thread that has the seeker.
    pub(crate) fn read_parent_of(&self, seeker: &mut Seeker, id: StateId, state: &mut Vec<u8>) {
        match (&self.kind, &mut seeker.0) {
            (Kind::Tree(store), Some(folder)) => {
                state.clear();
                store.read_base_of(folder, id.index() as u64, state);
            }
            _ => self.read(id, state),
        }
    }

    /// Like [`StateStore::find`], for the thread that has the seeker.
    #[inline]
    pub(crate) fn seek(&self, seeker: &mut Seeker, state: &[u8]) -> Option<StateId> {
        match (&self.kind, &mut seeker.0) {
            (Kind::Tree(store), Some(folder)) => {
                let number = store.seek(folder, state);
                number.map(|number| StateId::new(number as usize))
            }
            _ => self.find(state),
        }
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> Result<(StateId, bool), Exhausted> {
        let key = self.key(state)?;
        self.insert_from(key, None, state)
    }

    /// What a state is looked for by.
    #[inline]
    pub(crate) fn key(&mut self, state: &[u8]) -> Result<Key, Exhausted> {
        debug_assert_eq!(state.len(), self.state_size);
        match &mut self.kind {
            Kind::Plain(_) => Ok(Key(hash_bytes(state))),
            Kind::Tree(store) => store.fold(state).map(Key),
        }
    }

    /// A number that the state with this key may have, if it has one.
    #[inline]
    pub(crate) fn first(&self, key: Key) -> Option<u64> {
        match &self.kind {
            Kind::Plain(store) => store.first(key.0),
            Kind::Tree(store) => store.first(key.0),
        }
    }

    /// Like [`StateStore::insert`], where the key is known and `first` is a number that the state may have.
    #[inline]
    pub(crate) fn insert_from(
        &mut self,
        key: Key,
        first: Option<u64>,
        state: &[u8],
    ) -> Result<(StateId, bool), Exhausted> {
        if let Some(number) = first {
            let is_it = match &self.kind {
                Kind::Plain(store) => store.state(number) == state,
                Kind::Tree(store) => store.is(number, key.0),
            };
            if is_it {
                return Ok((StateId::new(number as usize), false));
            }
        }
        let (number, is_new) = match &mut self.kind {
            Kind::Plain(store) => store.insert(key.0, state)?,
            Kind::Tree(store) => store.insert(key.0)?,
        };
        Ok((StateId::new(number as usize), is_new))
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// A hash of one word, under a key; every bit of the word reaches every bit of it.
#[inline]
pub(crate) fn mixed(word: u64, key: u64) -> u64 {
    fold(fold(word ^ key, 0xD6E8_FEB8_6659_FD93), 0xA076_1D64_78BD_642F)
}

/// A multiply-fold hash over eight bytes at a time; states differ in few bytes, so every bit of the
/// input has to reach both halves of the result.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    const KEY: u64 = 0x9E37_79B9_7F4A_7C15;
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
    use crate::plain_store::PIECE;

    /// Runs a test on a store of each kind.
    fn on_each(state_size: usize, test: impl Fn(StateStore)) {
        for store in [Store::Plain, Store::Tree] {
            let limits = Limits {
                store,
                ..Limits::default()
            };
            test(StateStore::new(state_size, &limits, &Account::default()));
        }
    }

    #[test]
    fn numbers_states_in_order_of_arrival() {
        on_each(3, |mut store| {
            for round in 0..2 {
                for n in 0..50_000_u32 {
                    let bytes = n.to_le_bytes();
                    let (id, new) = store.insert(&bytes[..3]).expect("there is no limit");
                    assert_eq!((id.index(), new), (n as usize, round == 0));
                }
            }
            assert_eq!(store.len(), 50_000);
            assert_eq!(*store.state(StateId::new(258)), [2, 1, 0]);
        });
    }

    #[test]
    fn states_without_bytes_are_one_state() {
        on_each(0, |mut store| {
            for new in [true, false] {
                assert_eq!(store.insert(&[]), Ok((StateId::new(0), new)));
            }
            assert_eq!(store.len(), 1);
            assert!(store.state(StateId::new(0)).is_empty());
        });
    }

    #[test]
    fn states_larger_than_a_piece() {
        on_each(PIECE + 1, |mut store| {
            for n in 0..3 {
                let id = store.insert(&vec![n; PIECE + 1]).map(|(id, _)| id.index());
                assert_eq!(id, Ok(usize::from(n)));
            }
            assert_eq!(store.state(StateId::new(2))[PIECE], 2);
        });
    }

    #[test]
    fn numbers_have_forty_bits_in_order() {
        let numbers = [0, 1, 255, 256, 1 << 32, (1 << 40) - 1];
        for pair in numbers.windows(2) {
            assert!(StateId::new(pair[0]) < StateId::new(pair[1]));
        }
        assert!(
            numbers
                .iter()
                .all(|&number| StateId::new(number).index() == number)
        );
        assert_eq!(size_of::<StateId>(), 5);
    }
}
