//! Lossless tree compression: a state is a pair of numbers of pairs of numbers … of words.
//!
//! Idea: a state is cut into words of four bytes. Neighbours are put together as a pair, and the pair has a
//! number in a table that holds every pair once; the numbers are put together again until two are left. Those
//! are the state. Most parts of a state are parts of many others, so the tables of parts stay small, and a
//! state costs eight bytes and its place in the index. Whether a state is known is asked of its last pair
//! alone: equal pairs are equal states.
//!
//! A successor differs from its parent in few words. What the parts of the parent are called is known
//! ([`TreeStore::base`]), so a part that is the same is not looked for; how much changed does not matter for
//! the result.
//!
//! Invariants: the tables never forget a pair, so a number stays good; the states are numbered in the order
//! of arrival, the parts in another.
//!
//! Source: Laarman, van de Pol and Weber, "Parallel recursive state compression for free", SPIN 2011. There
//! the place of a state in the table is its number; here the pairs lie in the order of arrival, because
//! breadth-first search takes the store for its queue.

use kripke_limits::{Account, Exhausted};

use crate::pair_table::{Pair, PairTable, hash, pair, parts};
use crate::state_index::MOST_NUMBERS;

/// Numbers of parts have the size of a word; this one is free.
const NO_PART: u32 = u32::MAX;
/// Parts that are found without the table.
const RECENT: usize = 1 << 13;

/// Parts that were looked for of late, by their hashes.
struct Recent(Vec<(Pair, u32)>);

impl Recent {
    fn new() -> Self {
        Recent(vec![(0, NO_PART); RECENT])
    }

    /// The number of a part: one of late, or else what `number` says.
    #[inline]
    fn number<E>(&mut self, part: Pair, number: impl FnOnce(Pair) -> Result<u32, E>) -> Result<u32, E> {
        let place = (hash(part) >> (u64::BITS - RECENT.ilog2())) as usize;
        let (recent, known) = self.0[place];
        if recent == part && known != NO_PART {
            return Ok(known);
        }
        let number = number(part)?;
        self.0[place] = (part, number);
        Ok(number)
    }

    fn memory(&self) -> usize {
        self.0.len() * size_of::<(Pair, u32)>()
    }
}

/// What one thread looks states up with: the words and parts, level by level.
pub(crate) struct Folder {
    recent: Recent,
    /// Of the state whose successors come.
    base: Vec<u32>,
    has_base: bool,
    /// Of a state that comes.
    coming: Vec<u32>,
}

impl Folder {
    fn new(levels: &[usize]) -> Self {
        let nodes = levels.iter().sum();
        Folder {
            recent: Recent::new(),
            base: vec![0; nodes],
            has_base: false,
            coming: vec![0; nodes],
        }
    }

    /// The pair that a state is, where `number` says what parts are called.
    #[inline]
    fn fold<E>(
        &mut self,
        levels: &[usize],
        state: &[u8],
        mut number: impl FnMut(Pair) -> Result<u32, E>,
    ) -> Result<Pair, E> {
        write_words(state, &mut self.coming[..levels[0]]);
        let mut start = 0;
        for level in levels.windows(2) {
            let (from, to) = (start, start + level[0]);
            for at in 0..level[1] {
                let left = from + 2 * at;
                if left + 1 == to {
                    // The last one has no neighbour.
                    self.coming[to + at] = self.coming[left];
                    continue;
                }
                let children = pair(self.coming[left], self.coming[left + 1]);
                let is_like_base = self.has_base && pair(self.base[left], self.base[left + 1]) == children;
                self.coming[to + at] = match is_like_base {
                    true => self.base[to + at],
                    false => self.recent.number(children, &mut number)?,
                };
            }
            start = to;
        }
        Ok(pair(self.coming[start], self.coming[start + 1]))
    }

    /// Makes a state the base.
    fn unfold(&mut self, levels: &[usize], table: &PairTable, top: Pair) {
        let base = &mut self.base;
        let mut start = base.len() - 2;
        (base[start], base[start + 1]) = parts(top);
        for level in (1..levels.len()).rev() {
            let below = start - levels[level - 1];
            for at in 0..levels[level] {
                let part = base[start + at];
                let child = below + 2 * at;
                if child + 1 == start {
                    base[child] = part;
                    continue;
                }
                (base[child], base[child + 1]) = parts(table.at(u64::from(part)));
            }
            start = below;
        }
        self.has_base = true;
    }

    /// Appends so many bytes of the base.
    fn write_base(&self, size: usize, state: &mut Vec<u8>) {
        let end = state.len() + size;
        let words = self.base[..size.div_ceil(4)].iter();
        state.extend(words.flat_map(|word| word.to_le_bytes()));
        state.truncate(end);
    }
}

/// The store.
pub(crate) struct TreeStore {
    state_size: usize,
    /// How many words, then how many parts on each level; the last is two.
    levels: Vec<usize>,
    /// What states are put together of.
    parts: PairTable,
    states: PairTable,
    folder: Folder,
}

impl TreeStore {
    pub(crate) fn new(state_size: usize, account: &Account) -> Self {
        let mut levels = vec![state_size.div_ceil(4).max(2)];
        while levels[levels.len() - 1] > 2 {
            levels.push(levels[levels.len() - 1].div_ceil(2));
        }
        TreeStore {
            state_size,
            folder: Folder::new(&levels),
            levels,
            parts: PairTable::new(account),
            states: PairTable::new(account),
        }
    }

    /// What another thread looks states up with.
    pub(crate) fn folder(&self) -> Folder {
        Folder::new(&self.levels)
    }

    /// The number of a state, if it is stored, looked up by another thread.
    #[inline]
    pub(crate) fn seek(&self, folder: &mut Folder, state: &[u8]) -> Option<u64> {
        let number = |part| self.parts.find(part).map(|part| part as u32).ok_or(());
        let state = folder.fold(&self.levels, state, number).ok()?;
        self.states.find(state)
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.parts.memory() + self.folder.recent.memory() + self.states.memory()
    }

    /// The pair that a state is. Parts that are new get numbers.
    #[inline]
    pub(crate) fn fold(&mut self, state: &[u8]) -> Result<Pair, Exhausted> {
        let parts = &mut self.parts;
        let number = |part| {
            parts
                .insert(part, u64::from(NO_PART))
                .map(|(number, _)| number as u32)
        };
        self.folder.fold(&self.levels, state, number)
    }

    /// A number that the state with this pair may have, if it has one.
    #[inline]
    pub(crate) fn first(&self, state: Pair) -> Option<u64> {
        self.states.first(state)
    }

    #[inline]
    pub(crate) fn is(&self, number: u64, state: Pair) -> bool {
        self.states.at(number) == state
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: Pair) -> Result<(u64, bool), Exhausted> {
        self.states.insert(state, MOST_NUMBERS)
    }

    /// The number of a state, if it is stored.
    pub(crate) fn find(&self, state: &[u8]) -> Option<u64> {
        let mut parts = vec![0; self.levels[0]];
        write_words(state, &mut parts);
        while parts.len() > 2 {
            let next = parts.chunks(2).map(|children| match *children {
                [left, right] => self.parts.find(pair(left, right)).map(|part| part as u32),
                _ => Some(children[0]),
            });
            parts = next.collect::<Option<Vec<u32>>>()?;
        }
        self.states.find(pair(parts[0], parts[1]))
    }

    /// Appends the bytes of a state.
    pub(crate) fn read(&self, number: u64, state: &mut Vec<u8>) {
        let end = state.len() + self.state_size;
        let (left, right) = parts(self.states.at(number));
        let top = self.levels.len() - 1;
        self.unfold(left, top, 0, state);
        self.unfold(right, top, 1, state);
        state.truncate(end);
    }

    /// Appends the words below a part, the one at some place of a level.
    fn unfold(&self, part: u32, level: usize, at: usize, state: &mut Vec<u8>) {
        if level == 0 {
            state.extend_from_slice(&part.to_le_bytes());
            return;
        }
        if 2 * at + 1 == self.levels[level - 1] {
            return self.unfold(part, level - 1, 2 * at, state);
        }
        let (left, right) = parts(self.parts.at(u64::from(part)));
        self.unfold(left, level - 1, 2 * at, state);
        self.unfold(right, level - 1, 2 * at + 1, state);
    }

    /// The successors of a state come next.
    pub(crate) fn set_base(&mut self, number: u64) {
        let top = self.states.at(number);
        self.folder.unfold(&self.levels, &self.parts, top);
    }

    /// Appends the bytes of a state, whose successors come next.
    pub(crate) fn read_base(&mut self, number: u64, state: &mut Vec<u8>) {
        self.set_base(number);
        self.folder.write_base(self.state_size, state);
    }

    /// The same for another thread.
    pub(crate) fn read_base_of(&self, folder: &mut Folder, number: u64, state: &mut Vec<u8>) {
        folder.unfold(&self.levels, &self.parts, self.states.at(number));
        folder.write_base(self.state_size, state);
    }
}

/// Cuts a state into words; what is left over is zero.
#[inline]
fn write_words(state: &[u8], words: &mut [u32]) {
    let mut whole = state.chunks_exact(4);
    let mut rest = [0; 4];
    rest[..whole.remainder().len()].copy_from_slice(whole.remainder());
    let mut filled = 0;
    for (word, bytes) in words.iter_mut().zip(&mut whole) {
        *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        filled += 1;
    }
    for word in &mut words[filled..] {
        *word = u32::from_le_bytes(std::mem::take(&mut rest));
    }
}
