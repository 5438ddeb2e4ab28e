//! Memory is counted before it is asked for.
//!
//! Idea: what is in use is what the system last said, and all that was asked for since. Only when that sum
//! would pass the limit is the system asked again, as some of it may have been given back in between; so a
//! count costs an addition.
//!
//! Invariant: a request that would take the process over its limit is refused before it is made, and one that
//! the system refuses is refused as well: neither ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Exhausted, Limits, memory};

/// Counts what the data structures of one search ask for. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Account(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    limit: Option<u64>,
    /// What the system said.
    resident: AtomicU64,
    /// What was asked for since.
    asked: AtomicU64,
}

impl Count {
    /// Notes what the system said.
    fn said(&self, resident: u64) {
        self.resident.store(resident, Ordering::Relaxed);
        self.asked.store(0, Ordering::Relaxed);
    }

    /// What is in use, as far as is known.
    fn sum(&self) -> u64 {
        let resident = self.resident.load(Ordering::Relaxed);
        resident.saturating_add(self.asked.load(Ordering::Relaxed))
    }
}

impl Account {
    /// An account with the memory limit of these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Account(Arc::new(Count {
            limit: limits.memory,
            resident: AtomicU64::new(memory::resident().unwrap_or(0)),
            asked: AtomicU64::new(0),
        }))
    }

    /// Counts memory that is about to be asked for.
    pub fn charge(&self, bytes: usize) -> Result<(), Exhausted> {
        let count = &*self.0;
        let Some(limit) = count.limit else { return Ok(()) };
        let bytes = bytes as u64;
        if count.sum().saturating_add(bytes) > limit {
            // Where the system does not tell, all that was ever asked for counts.
            if let Some(now) = memory::resident() {
                count.said(now);
            }
            if count.sum().saturating_add(bytes) > limit {
                return Err(Exhausted::Memory);
            }
        }
        count.asked.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Makes room for more elements. A vector that has to grow is twice there for a moment, and that is
    /// counted.
    pub fn reserve<T>(&self, vector: &mut Vec<T>, additional: usize) -> Result<(), Exhausted> {
        let needed = vector.len() + additional;
        if needed <= vector.capacity() {
            return Ok(());
        }
        let capacity = needed.max(2 * vector.capacity()).max(16);
        self.charge(capacity * size_of::<T>())?;
        let more = capacity - vector.len();
        vector.try_reserve_exact(more).map_err(|_| Exhausted::Memory)
    }

    /// Appends one element.
    #[inline]
    pub fn push<T>(&self, vector: &mut Vec<T>, element: T) -> Result<(), Exhausted> {
        if vector.len() == vector.capacity() {
            self.reserve(vector, 1)?;
        }
        vector.push(element);
        Ok(())
    }

    /// Asks the system, for the sake of what was not counted.
    pub fn measure(&self) -> Result<(), Exhausted> {
        let Some(limit) = self.0.limit else { return Ok(()) };
        let Some(now) = memory::resident() else {
            return Ok(());
        };
        if now > limit {
            return Err(Exhausted::Memory);
        }
        // What was asked for and not yet touched is not yet resident, so it stays counted until it would
        // matter.
        if now > self.0.sum() {
            self.0.said(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(mebibytes: u64) -> Account {
        Account::new(&Limits {
            memory: Some(memory::resident().unwrap_or(0) + (mebibytes << 20)),
            ..Limits::default()
        })
    }

    #[test]
    fn what_would_pass_the_limit_is_refused_before_it_is_made() {
        let account = with(256);
        let mut vector: Vec<u8> = Vec::new();
        assert_eq!(account.reserve(&mut vector, 1 << 30), Err(Exhausted::Memory));
        assert_eq!(vector.capacity(), 0);
        assert_eq!(account.reserve(&mut vector, 1 << 20), Ok(()));
    }

    #[test]
    fn what_the_system_refuses_is_no_abort() {
        let mut vector: Vec<u8> = Vec::new();
        let most = isize::MAX as usize - 4096;
        assert_eq!(
            Account::default().reserve(&mut vector, most),
            Err(Exhausted::Memory)
        );
    }

    #[test]
    fn untouched_memory_counts_only_until_the_system_is_asked() {
        // A gibibyte in all, of which no more than one piece is there at once.
        let account = with(256);
        for _ in 0..1024 {
            let mut piece: Vec<u8> = Vec::new();
            assert_eq!(account.reserve(&mut piece, 1 << 20), Ok(()));
        }
    }
}
