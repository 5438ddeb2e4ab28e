//! Finds a state's number by its hash: extendible hashing.
//!
//! Idea: open addressing in pages of a fixed size. The upper bits of a hash select a page through a
//! directory; a page that gets full is split in two by one more bit, and the directory doubles when a page
//! needs more bits than it has. So the index grows by one page at a time and never has to be there twice, as
//! one table that doubles would. A slot holds a state number beside the upper 32 bits of the hash, so that a
//! probe reads a state only where those agree, and a split hashes nothing again.
//!
//! Invariants: a page is never more than three quarters full, so every probe ends; all states of a page agree
//! in as many upper bits of their hashes as the page is deep.
//!
//! Source: Fagin, Nievergelt, Pippenger and Strong, "Extendible hashing", 1979.

use kripke_limits::{Account, Exhausted};

use crate::pieces::new_piece;

/// The part of a slot that comes from the hash.
const TAG: u64 = 0xFFFF_FFFF_0000_0000;
const EMPTY: u64 = 0;
/// Slots of a page are selected by so many bits, the lower ones of the tag.
const SLOT_BITS: u32 = 12;
const SLOTS: usize = 1 << SLOT_BITS;
/// A page is selected by so many bits at the most: the others of the tag.
const MOST_DEPTH: u32 = 32 - SLOT_BITS;
const MOST_USED: u32 = SLOTS as u32 / 4 * 3;

type Slots = [u64; SLOTS];

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry(u64);

impl Entry {
    /// The number of the state, where its hash begins like this one.
    #[inline]
    pub(crate) fn candidate(self, hash: u64) -> Option<u32> {
        (self.0 != EMPTY && self.0 & TAG == hash & TAG).then(|| self.0 as u32 - 1)
    }
}

/// A free slot.
#[derive(Clone, Copy)]
pub(crate) struct Free {
    page: usize,
    slot: usize,
}

#[derive(Clone, Copy)]
struct Fill {
    used: u32,
    depth: u32,
}

/// The index of a state store.
pub(crate) struct StateIndex {
    /// Upper bits of a hash that select a place in the directory.
    depth: u32,
    directory: Vec<u32>,
    pages: Vec<Box<Slots>>,
    fills: Vec<Fill>,
    /// The slots of a page that is being split.
    moved: Vec<u64>,
    account: Account,
}

impl StateIndex {
    /// An index without memory: the first insertion needs [`StateIndex::make_room`].
    pub(crate) fn new(account: &Account) -> Self {
        StateIndex {
            depth: 0,
            directory: Vec::new(),
            pages: Vec::new(),
            fills: Vec::new(),
            moved: Vec::new(),
            account: account.clone(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.pages.len() * size_of::<Slots>() + self.directory.capacity() * size_of::<u32>()
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((hash >> 32) >> (32 - self.depth)) as usize
    }

    #[inline]
    fn slot(hash: u64) -> usize {
        (hash >> 32) as usize & (SLOTS - 1)
    }

    /// What stands in the first slot that a state with this hash may have.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> Entry {
        match self.directory.get(self.place(hash)) {
            Some(&page) => Entry(self.pages[page as usize][Self::slot(hash)]),
            None => Entry(EMPTY),
        }
    }

    /// The number with this hash that is accepted; or else where it would go, if there is any memory yet.
    #[inline]
    pub(crate) fn probe(&self, hash: u64, accept: impl Fn(u32) -> bool) -> Result<u32, Option<Free>> {
        let Some(&page) = self.directory.get(self.place(hash)) else {
            return Err(None);
        };
        let page = page as usize;
        let slots = &self.pages[page];
        let mut slot = Self::slot(hash);
        loop {
            let entry = Entry(slots[slot]);
            if entry.0 == EMPTY {
                return Err(Some(Free { page, slot }));
            }
            match entry.candidate(hash) {
                Some(number) if accept(number) => return Ok(number),
                _ => slot = (slot + 1) & (SLOTS - 1),
            }
        }
    }

    /// Makes sure that the page of a free slot may take one more. True where slots have moved.
    #[inline]
    pub(crate) fn make_room(&mut self, hash: u64, free: Option<Free>) -> Result<bool, Exhausted> {
        match free {
            Some(free) if self.fills[free.page].used < MOST_USED => Ok(false),
            Some(free) => self.split(hash, free.page).map(|()| true),
            None => {
                self.account.reserve(&mut self.directory, 1)?;
                self.add_page(0)?;
                self.directory.push(0);
                Ok(true)
            }
        }
    }

    #[inline]
    pub(crate) fn fill(&mut self, free: Free, hash: u64, number: u32) {
        self.pages[free.page][free.slot] = hash & TAG | (u64::from(number) + 1);
        self.fills[free.page].used += 1;
    }

    fn add_page(&mut self, depth: u32) -> Result<(), Exhausted> {
        let mut slots: Vec<u64> = new_piece(&self.account, SLOTS)?;
        slots.resize(SLOTS, EMPTY);
        let Ok(page) = slots.into_boxed_slice().try_into() else {
            unreachable!("the piece has the size of a page");
        };
        self.account.reserve(&mut self.fills, 1)?;
        self.account.push(&mut self.pages, page)?;
        self.fills.push(Fill { used: 0, depth });
        Ok(())
    }

    #[cold]
    fn split(&mut self, hash: u64, page: usize) -> Result<(), Exhausted> {
        let depth = self.fills[page].depth;
        if depth == MOST_DEPTH {
            return Err(Exhausted::States(self.fills.len() as u64 * u64::from(MOST_USED)));
        }
        if depth == self.depth {
            self.double_directory()?;
        }
        self.account.reserve(&mut self.moved, SLOTS)?;
        let fresh = self.pages.len();
        self.add_page(depth + 1)?;
        self.fills[page].depth = depth + 1;
        // The places that lead to the page begin with the same bits; the second half of them leads to the new
        // one.
        let width = 1 << (self.depth - depth);
        let first = self.place(hash) & !(width - 1);
        self.directory[first + width / 2..first + width].fill(fresh as u32);
        self.redistribute(page, fresh, u64::BITS - 1 - depth);
        Ok(())
    }

    /// Moves those entries of a page whose tag has that bit into a new one.
    fn redistribute(&mut self, page: usize, fresh: usize, bit: u32) {
        self.moved.clear();
        self.moved.extend_from_slice(&self.pages[page][..]);
        self.pages[page].fill(EMPTY);
        self.fills[page].used = 0;
        for index in 0..SLOTS {
            let entry = self.moved[index];
            if entry == EMPTY {
                continue;
            }
            let to = if entry >> bit & 1 == 0 { page } else { fresh };
            let slots = &mut self.pages[to];
            let mut slot = Self::slot(entry);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (SLOTS - 1);
            }
            slots[slot] = entry;
            self.fills[to].used += 1;
        }
    }

    fn double_directory(&mut self) -> Result<(), Exhausted> {
        let mut larger = new_piece(&self.account, 2 * self.directory.len())?;
        larger.extend(self.directory.iter().flat_map(|&page| [page, page]));
        self.directory = larger;
        self.depth += 1;
        Ok(())
    }
}
