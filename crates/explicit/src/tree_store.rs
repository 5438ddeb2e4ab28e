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

/// What states are put together of.
struct Parts {
    table: PairTable,
    /// Those that were looked for of late, by their hashes.
    recent: Vec<(Pair, u32)>,
}

impl Parts {
    /// The number of a part, which is new where there is none.
    #[inline]
    fn number(&mut self, part: Pair) -> Result<u32, Exhausted> {
        let place = (hash(part) >> (u64::BITS - RECENT.ilog2())) as usize;
        let (recent, number) = self.recent[place];
        if recent == part && number != NO_PART {
            return Ok(number);
        }
        let number = self.table.insert(part, u64::from(NO_PART))?.0 as u32;
        self.recent[place] = (part, number);
        Ok(number)
    }

    #[inline]
    fn at(&self, number: u32) -> (u32, u32) {
        parts(self.table.at(u64::from(number)))
    }
}

/// The store.
pub(crate) struct TreeStore {
    state_size: usize,
    /// How many words, then how many parts on each level; the last is two.
    levels: Vec<usize>,
    parts: Parts,
    states: PairTable,
    /// The words and parts, level by level, of the state whose successors come.
    base: Vec<u32>,
    has_base: bool,
    /// The same of a state that comes.
    coming: Vec<u32>,
}

impl TreeStore {
    pub(crate) fn new(state_size: usize, account: &Account) -> Self {
        let mut levels = vec![state_size.div_ceil(4).max(2)];
        while levels[levels.len() - 1] > 2 {
            levels.push(levels[levels.len() - 1].div_ceil(2));
        }
        let nodes = levels.iter().sum();
        TreeStore {
            state_size,
            levels,
            parts: Parts {
                table: PairTable::new(account),
                recent: vec![(0, NO_PART); RECENT],
            },
            states: PairTable::new(account),
            base: vec![0; nodes],
            has_base: false,
            coming: vec![0; nodes],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.parts.table.memory() + self.parts.recent.len() * size_of::<(Pair, u32)>() + self.states.memory()
    }

    /// The pair that a state is. Parts that are new get numbers.
    #[inline]
    pub(crate) fn fold(&mut self, state: &[u8]) -> Result<Pair, Exhausted> {
        write_words(state, &mut self.coming[..self.levels[0]]);
        let mut start = 0;
        for level in self.levels.windows(2) {
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
                    false => self.parts.number(children)?,
                };
            }
            start = to;
        }
        Ok(pair(self.coming[start], self.coming[start + 1]))
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
                [left, right] => self.parts.table.find(pair(left, right)).map(|part| part as u32),
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
        let (left, right) = self.parts.at(part);
        self.unfold(left, level - 1, 2 * at, state);
        self.unfold(right, level - 1, 2 * at + 1, state);
    }

    /// Appends the bytes of a state, whose successors come next.
    pub(crate) fn read_base(&mut self, number: u64, state: &mut Vec<u8>) {
        let end = state.len() + self.state_size;
        let mut start = self.base.len() - 2;
        let (left, right) = parts(self.states.at(number));
        (self.base[start], self.base[start + 1]) = (left, right);
        for level in (1..self.levels.len()).rev() {
            let below = start - self.levels[level - 1];
            for at in 0..self.levels[level] {
                let part = self.base[start + at];
                let child = below + 2 * at;
                if child + 1 == start {
                    self.base[child] = part;
                    continue;
                }
                let (left, right) = self.parts.at(part);
                (self.base[child], self.base[child + 1]) = (left, right);
            }
            start = below;
        }
        self.has_base = true;
        let words = self.base[..self.levels[0]].iter();
        state.extend(words.flat_map(|word| word.to_le_bytes()));
        state.truncate(end);
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
