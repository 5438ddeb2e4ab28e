//! How far a search is, for somebody who looks from another thread.
//!
//! Invariant: numbers only to be shown; nothing is decided by them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Written by a search each time it looks at its limits.
#[derive(Debug, Default)]
pub struct Gauge {
    stored: AtomicU64,
    created: AtomicU64,
    depth: AtomicU64,
    open: AtomicU64,
    ended: AtomicU64,
    stored_by_ended: AtomicU64,
    created_by_ended: AtomicU64,
}

/// What searches that have ended did, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many there were.
    pub searches: u64,
    /// States stored, each in the store of its search.
    pub stored: u64,
    /// Successors computed.
    pub created: u64,
}

/// What a gauge shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// States stored.
    pub stored: u64,
    /// Successors computed.
    pub created: u64,
    /// Steps from an initial state to where the search is.
    pub depth: u64,
    /// States that are stored and still to be expanded; 0 where the search does not know.
    pub open: u64,
}

impl Gauge {
    /// Shows these numbers from now on.
    pub fn show(&self, reading: Reading) {
        self.stored.store(reading.stored, Ordering::Relaxed);
        self.created.store(reading.created, Ordering::Relaxed);
        self.depth.store(reading.depth, Ordering::Relaxed);
        self.open.store(reading.open, Ordering::Relaxed);
    }

    /// A search has ended.
    pub fn add(&self, stored: u64, created: u64) {
        self.ended.fetch_add(1, Ordering::Relaxed);
        self.stored_by_ended.fetch_add(stored, Ordering::Relaxed);
        self.created_by_ended.fetch_add(created, Ordering::Relaxed);
    }

    /// What the searches that have ended did.
    #[must_use]
    pub fn total(&self) -> Total {
        Total {
            searches: self.ended.load(Ordering::Relaxed),
            stored: self.stored_by_ended.load(Ordering::Relaxed),
            created: self.created_by_ended.load(Ordering::Relaxed),
        }
    }

    /// The numbers shown.
    #[must_use]
    pub fn read(&self) -> Reading {
        Reading {
            stored: self.stored.load(Ordering::Relaxed),
            created: self.created.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
            open: self.open.load(Ordering::Relaxed),
        }
    }
}
