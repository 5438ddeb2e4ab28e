//! A Bloom filter: which hashes were surely never added.
//!
//! Idea: four bits of one word for each hash, so that a question reads one place in memory. What the filter
//! does not know is new without a look at the disk; a filter that is too full says so less often and is never
//! wrong.
//!
//! Source: Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970; one word for each,
//! Putze, Sanders and Singler, 2007.

use kripke_limits::{Account, Exhausted};

use crate::state_store::mixed;

/// The filter.
pub(crate) struct Filter {
    words: Vec<u64>,
}

impl Filter {
    /// A filter of about so many bytes.
    pub(crate) fn new(account: &Account, bytes: usize) -> Result<Self, Exhausted> {
        let count = (bytes / 8).max(1);
        account.charge(8 * count)?;
        Ok(Filter {
            words: vec![0; count],
        })
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let hash = mixed(hash, 0x5851_F42D_4C95_7F2D);
        let word = ((u128::from(hash) * self.words.len() as u128) >> 64) as usize;
        // The product took the upper bits.
        let bits = (0..4).fold(0, |bits, part| bits | 1 << (hash >> (6 * part) & 63));
        (word, bits)
    }

    pub(crate) fn add(&mut self, hash: u64) {
        let (word, bits) = self.place(hash);
        self.words[word] |= bits;
    }

    /// Whether a hash may have been added.
    pub(crate) fn may_have(&self, hash: u64) -> bool {
        let (word, bits) = self.place(hash);
        self.words[word] & bits == bits
    }

    pub(crate) fn memory(&self) -> usize {
        8 * self.words.len()
    }
}
