//! Which instructions access which bytes, noted while states are explored.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Sharing;

/// How an instruction accesses a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Manner {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads and writes in one (SBI, CBI): nothing can come in between.
    Both,
}

impl Manner {
    /// Whether it writes.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Manner::Read
    }
}

/// An instruction's access to a byte of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// The instruction's word address.
    pub at: u32,
    /// The byte's data address.
    pub address: u16,
    /// How.
    pub manner: Manner,
    /// Interrupts were enabled.
    pub interruptible: bool,
}

/// All accesses to objects that were seen.
#[derive(Debug, Clone)]
pub struct Accesses {
    sharing: Arc<Sharing>,
    /// For each instruction its last access: most access one byte only.
    last: Vec<Option<Access>>,
    all: BTreeSet<Access>,
}

impl Accesses {
    /// None yet, for a flash of that many words.
    #[must_use]
    pub fn new(sharing: Arc<Sharing>, words: u32) -> Self {
        Self {
            sharing,
            last: vec![None; words as usize],
            all: BTreeSet::new(),
        }
    }

    #[inline]
    pub(crate) fn note(&mut self, access: Access) {
        if self.sharing.objects.at(access.address).is_none() {
            return;
        }
        let Some(last) = self.last.get_mut(access.at as usize) else {
            return;
        };
        if *last != Some(access) {
            *last = Some(access);
            self.all.insert(access);
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True before the first one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All accesses, by instruction.
    pub fn iter(&self) -> impl Iterator<Item = &Access> {
        self.all.iter()
    }

    /// What the accesses are to.
    #[must_use]
    pub fn sharing(&self) -> &Arc<Sharing> {
        &self.sharing
    }
}
