//! States as they are, one behind the other, in pieces that never move.
//!
//! Invariant: state `n` lies in piece `n / 2^shift`.

use kripke_limits::{Account, Exhausted};

use crate::pieces::new_piece;
use crate::state_index::{MOST_NUMBERS, StateIndex};
use crate::state_store::hash_bytes;

/// Bytes of a piece, about.
pub(crate) const PIECE: usize = 1 << 20;

/// The store.
pub(crate) struct PlainStore {
    state_size: usize,
    pieces: Vec<Vec<u8>>,
    /// A piece has room for 2 to the power of this many states.
    shift: u32,
    index: StateIndex,
    count: u64,
    account: Account,
}

impl PlainStore {
    pub(crate) fn new(state_size: usize, account: &Account) -> Self {
        PlainStore {
            state_size,
            pieces: Vec::new(),
            shift: (PIECE / state_size.max(1)).max(1).ilog2(),
            index: StateIndex::new(account),
            count: 0,
            account: account.clone(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count as usize
    }

    pub(crate) fn memory(&self) -> usize {
        self.pieces.len() * (self.state_size << self.shift) + self.index.memory()
    }

    #[inline]
    pub(crate) fn state(&self, number: u64) -> &[u8] {
        let number = number as usize;
        let piece = &self.pieces[number >> self.shift];
        let start = (number & ((1 << self.shift) - 1)) * self.state_size;
        &piece[start..start + self.state_size]
    }

    /// A number that a state with this hash may have, if it has one.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> Option<u64> {
        self.index.first(hash)
    }

    #[inline]
    pub(crate) fn find(&self, hash: u64, state: &[u8]) -> Option<u64> {
        self.index.find(hash, |number| self.state(number) == state)
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, state: &[u8]) -> Result<(u64, bool), Exhausted> {
        if let Some(number) = self.find(hash, state) {
            return Ok((number, false));
        }
        let number = self.count;
        if number == MOST_NUMBERS {
            return Err(Exhausted::States(MOST_NUMBERS));
        }
        let piece = number as usize >> self.shift;
        if piece == self.pieces.len() {
            let fresh = new_piece(&self.account, self.state_size << self.shift)?;
            self.account.push(&mut self.pieces, fresh)?;
        }
        self.pieces[piece].extend_from_slice(state);
        self.count += 1;
        let (pieces, shift, size) = (&self.pieces, self.shift, self.state_size);
        self.index.insert(hash, number, |other| {
            let start = (other as usize & ((1 << shift) - 1)) * size;
            hash_bytes(&pieces[other as usize >> shift][start..start + size])
        })?;
        Ok((number, true))
    }
}
