//! Pairs of numbers, every pair once, numbered in the order of arrival.
//!
//! Invariant: the pair with a number never changes, and no other number has it.

use kripke_limits::{Account, Exhausted};

use crate::pieces::Pieces;
use crate::state_index::StateIndex;
use crate::state_store::mixed;

/// Two numbers in one word.
pub(crate) type Pair = u64;

/// A pair of two numbers.
#[inline]
pub(crate) fn pair(left: u32, right: u32) -> Pair {
    u64::from(left) << 32 | u64::from(right)
}

/// The two numbers of a pair.
#[inline]
pub(crate) fn parts(pair: Pair) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// The hash of a pair.
#[inline]
pub(crate) fn hash(pair: Pair) -> u64 {
    mixed(pair, 0x9E37_79B9_7F4A_7C15)
}

/// The table.
pub(crate) struct PairTable {
    pairs: Pieces<Pair>,
    index: StateIndex,
}

impl PairTable {
    pub(crate) fn new(account: &Account) -> Self {
        PairTable {
            pairs: Pieces::new(account),
            index: StateIndex::new(account),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.pairs.memory() + self.index.memory()
    }

    #[inline]
    pub(crate) fn at(&self, number: u64) -> Pair {
        self.pairs.at(number as usize)
    }

    /// A number that this pair may have, if it has one.
    #[inline]
    pub(crate) fn first(&self, pair: Pair) -> Option<u64> {
        self.index.first(hash(pair))
    }

    #[inline]
    pub(crate) fn find(&self, pair: Pair) -> Option<u64> {
        self.index.find(hash(pair), |number| self.at(number) == pair)
    }

    /// The number of a pair, and whether it is new. There are `most` pairs at the most.
    #[inline]
    pub(crate) fn insert(&mut self, pair: Pair, most: u64) -> Result<(u64, bool), Exhausted> {
        if let Some(number) = self.find(pair) {
            return Ok((number, false));
        }
        let number = self.pairs.len() as u64;
        if number >= most {
            return Err(Exhausted::States(most));
        }
        self.pairs.push(pair)?;
        let pairs = &self.pairs;
        self.index
            .insert(hash(pair), number, |other| hash(pairs.at(other as usize)))?;
        Ok((number, true))
    }
}
