//! Finds the number of an element by its hash: linear hashing with buckets as large as what they hold.
//!
//! Idea: the lower bits of a hash select a bucket. There is one bucket more for every [`LOAD`] elements: the
//! next in turn is split in two by one more bit, so the index grows by a bucket at a time and never has to be
//! there twice. A bucket is one block of memory with little room to spare: tags (the upper byte of each
//! hash) first, so that one look compares many; then the numbers, in as many bytes as the largest of them
//! needs. An element costs a byte more than its number. What is hashed is asked for again when a bucket is
//! split, on average once for each element.
//!
//! A page with free slots, as an open table has, would take a third more; so would tags from which a split
//! could be done without asking.
//!
//! Invariant: the elements of a bucket agree in `level` lower bits of their hashes, in one more if the bucket
//! was split in this round or came from such a split.
//!
//! Source: Litwin, "Linear hashing: a new tool for file and table addressing", 1980.

use kripke_limits::{Account, Exhausted};
use memchr::{memchr, memchr_iter};

use crate::pieces::new_piece;

/// Elements for each bucket, on average.
const LOAD: usize = 40;
/// Elements by which a block grows, at least.
const GROWTH: usize = 4;
/// Buckets of a piece are selected by so many lower bits of their number.
const PIECE_BITS: u32 = 14;
/// A block begins with the number of its elements and the bytes of a number.
const HEADER: usize = 3;
/// A number is read and written with the bytes before it, so many in all.
const WORD: usize = 8;
/// Bytes that a block costs beside its own: what the allocator notes, and rounding.
const BLOCK: usize = 16;

/// Numbers have up to five bytes.
pub(crate) const MOST_NUMBERS: u64 = 1 << 40;

/// A block: header, tags from the front on, numbers from the back on; nothing where there are no elements. So
/// no place depends on how much room is between them.
#[derive(Clone, Default)]
struct Bucket(Box<[u8]>);

impl Bucket {
    /// Room for so many elements.
    fn with_room(account: &Account, capacity: usize, width: usize) -> Result<Bucket, Exhausted> {
        let bytes = (HEADER + capacity * (1 + width)).max(WORD);
        let mut block = new_piece(account, bytes)?;
        block.resize(bytes, 0);
        block[2] = width as u8;
        Ok(Bucket(block.into_boxed_slice()))
    }

    #[inline]
    fn len(&self) -> usize {
        match self.0.first_chunk() {
            Some(count) => usize::from(u16::from_le_bytes(*count)),
            None => 0,
        }
    }

    #[inline]
    fn width(&self) -> usize {
        self.0.get(2).map_or(0, |&width| usize::from(width))
    }

    /// Is there room for one more?
    fn has_room(&self) -> bool {
        HEADER + (self.len() + 1) * (1 + self.width()) <= self.0.len()
    }

    #[inline]
    fn tags(&self) -> &[u8] {
        match self.len() {
            0 => &[],
            count => &self.0[HEADER..HEADER + count],
        }
    }

    /// The bytes that end with a number, and how far it is shifted in them.
    #[inline]
    fn word(&self, at: usize) -> (std::ops::Range<usize>, u32) {
        let width = self.width();
        let end = self.0.len() - at * width;
        (end - WORD..end, u64::BITS - 8 * width as u32)
    }

    #[inline]
    fn number(&self, at: usize) -> u64 {
        let (range, shift) = self.word(at);
        let word = self.0[range].try_into().expect("so many bytes");
        u64::from_le_bytes(word) >> shift
    }

    /// Appends an element for which there is room.
    #[inline]
    fn append(&mut self, tag: u8, number: u64) {
        let count = self.len();
        let (range, shift) = self.word(count);
        let word = self.0[range.clone()].try_into().expect("so many bytes");
        let before = u64::from_le_bytes(word) & !(u64::MAX << shift);
        self.0[range].copy_from_slice(&(before | number << shift).to_le_bytes());
        self.0[HEADER + count] = tag;
        self.0[..2].copy_from_slice(&(count as u16 + 1).to_le_bytes());
    }

    /// The same elements in a block of another size.
    fn resized(&self, account: &Account, capacity: usize, width: usize) -> Result<Bucket, Exhausted> {
        let mut bucket = Bucket::with_room(account, capacity, width)?;
        if width == self.width() {
            let (count, bytes) = (self.len(), self.len() * width);
            let (from, to) = (self.0.len() - bytes, bucket.0.len() - bytes);
            bucket.0[to..].copy_from_slice(&self.0[from..]);
            bucket.0[..HEADER + count].copy_from_slice(&self.0[..HEADER + count]);
            return Ok(bucket);
        }
        for (at, &tag) in self.tags().iter().enumerate() {
            bucket.append(tag, self.number(at));
        }
        Ok(bucket)
    }

    /// Appends an element.
    fn push(&mut self, account: &Account, tag: u8, number: u64) -> Result<(), Exhausted> {
        let (count, width) = (self.len(), self.width().max(width_of(number)));
        if !self.has_room() || width != self.width() {
            if count == usize::from(u16::MAX) {
                return Err(Exhausted::States(number));
            }
            *self = self.resized(account, count + GROWTH.max(count / 8), width)?;
        }
        self.append(tag, number);
        Ok(())
    }
}

/// Bytes of a number; three at the least, so that few blocks are made anew for wider ones.
fn width_of(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()).div_ceil(8).max(3) as usize
}

/// The index of a table whose elements are numbered.
pub(crate) struct StateIndex {
    pieces: Vec<Vec<Bucket>>,
    buckets: usize,
    /// Lower bits of a hash that select a bucket, for buckets that were not split in this round.
    level: u32,
    len: usize,
    /// Bytes of all blocks.
    memory: usize,
    account: Account,
}

impl StateIndex {
    /// An index without memory.
    pub(crate) fn new(account: &Account) -> Self {
        StateIndex {
            pieces: Vec::new(),
            buckets: 0,
            level: 0,
            len: 0,
            memory: 0,
            account: account.clone(),
        }
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory + self.buckets * BLOCK + self.pieces.len() * (size_of::<Bucket>() << PIECE_BITS)
    }

    #[inline]
    fn bucket(&self, at: usize) -> &Bucket {
        &self.pieces[at >> PIECE_BITS][at & ((1 << PIECE_BITS) - 1)]
    }

    #[inline]
    fn bucket_mut(&mut self, at: usize) -> &mut Bucket {
        &mut self.pieces[at >> PIECE_BITS][at & ((1 << PIECE_BITS) - 1)]
    }

    /// The bucket of a hash, where there is any.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let below = |bits: u32| (hash & ((1 << bits) - 1)) as usize;
        match below(self.level + 1) {
            place if place < self.buckets => place,
            _ => below(self.level),
        }
    }

    #[inline]
    fn tag(hash: u64) -> u8 {
        (hash >> 56) as u8
    }

    /// The first number whose hash may be this one.
    #[inline]
    pub(crate) fn first(&self, hash: u64) -> Option<u64> {
        if self.buckets == 0 {
            return None;
        }
        let (bucket, tag) = (self.bucket(self.place(hash)), Self::tag(hash));
        memchr(tag, bucket.tags()).map(|at| bucket.number(at))
    }

    /// The number with this hash that is accepted.
    #[inline]
    pub(crate) fn find(&self, hash: u64, accept: impl Fn(u64) -> bool) -> Option<u64> {
        if self.buckets == 0 {
            return None;
        }
        let (bucket, tag) = (self.bucket(self.place(hash)), Self::tag(hash));
        memchr_iter(tag, bucket.tags())
            .map(|at| bucket.number(at))
            .find(|&number| accept(number))
    }

    /// Adds a number that is not there. `hash_of` tells the hashes of those that are.
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        number: u64,
        hash_of: impl Fn(u64) -> u64,
    ) -> Result<(), Exhausted> {
        if self.len >= self.buckets * LOAD {
            self.split(hash_of)?;
        }
        let place = self.place(hash);
        let bucket = &mut self.pieces[place >> PIECE_BITS][place & ((1 << PIECE_BITS) - 1)];
        let before = bucket.0.len();
        bucket.push(&self.account, Self::tag(hash), number)?;
        self.memory += bucket.0.len() - before;
        self.len += 1;
        Ok(())
    }

    /// Makes a new bucket of what belongs there of the bucket whose turn it is.
    #[cold]
    fn split(&mut self, hash_of: impl Fn(u64) -> u64) -> Result<(), Exhausted> {
        if self.buckets.trailing_zeros() >= PIECE_BITS {
            let piece = new_piece(&self.account, 1 << PIECE_BITS)?;
            self.account.push(&mut self.pieces, piece)?;
        }
        let last = self.pieces.len() - 1;
        self.account.charge(BLOCK)?;
        self.pieces[last].push(Bucket::default());
        self.buckets += 1;
        if self.buckets == 1 {
            return Ok(());
        }
        let fresh = self.buckets - 1;
        let from = fresh - (1 << self.level);
        let bit = 1 << self.level;
        let bucket = self.bucket(from);
        let (mut stay, mut leave) = (Bucket::default(), Bucket::default());
        let hashes = (0..bucket.len()).map(|at| hash_of(bucket.number(at)));
        // All are asked for before the first is used: the reads overlap.
        let hashes: Vec<u64> = hashes.collect();
        let leaving = hashes.iter().filter(|&&hash| hash & bit != 0).count();
        for (to, count) in [(&mut stay, hashes.len() - leaving), (&mut leave, leaving)] {
            if count > 0 {
                *to = Bucket::with_room(&self.account, count + GROWTH / 2, bucket.width())?;
            }
        }
        for (at, &hash) in hashes.iter().enumerate() {
            let to = if hash & bit == 0 { &mut stay } else { &mut leave };
            to.push(&self.account, Self::tag(hash), bucket.number(at))?;
        }
        self.memory = self.memory + stay.0.len() + leave.0.len() - bucket.0.len();
        *self.bucket_mut(from) = stay;
        *self.bucket_mut(fresh) = leave;
        if self.buckets == 2 << self.level {
            self.level += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state_store::mixed;

    #[test]
    fn every_number_is_found_and_no_other() {
        let mut index = StateIndex::new(&Account::default());
        let hash = |number: u64| mixed(number, 0);
        for number in 0..200_000 {
            assert_eq!(index.find(hash(number), |found| found == number), None);
            index
                .insert(hash(number), number, hash)
                .expect("there is no limit");
        }
        for number in 0..200_000 {
            assert_eq!(index.find(hash(number), |found| found == number), Some(number));
        }
        assert_eq!(index.find(hash(200_000), |found| found == 200_000), None);
        assert!(index.memory() < 200_000 * 6);
    }

    /// Numbers of three to five bytes in one bucket.
    #[test]
    fn numbers_of_forty_bits() {
        let mut index = StateIndex::new(&Account::default());
        let numbers: Vec<u64> = (0..30)
            .map(|n| [n, n << 20, (n + 1) << 34][n as usize % 3])
            .collect();
        for &number in &numbers {
            index.insert(7, number, |_| 7).expect("there is no limit");
        }
        for &number in &numbers {
            assert_eq!(index.find(7, |found| found == number), Some(number));
        }
        assert_eq!(index.first(7), Some(0));
        assert_eq!(index.first(1 << 60), None);
    }

    /// Elements that no bit tells apart stay in one bucket.
    #[test]
    fn equal_hashes_are_no_endless_split() {
        let mut index = StateIndex::new(&Account::default());
        for number in 0..5_000 {
            index.insert(0, number, |_| 0).expect("there is no limit");
        }
        assert_eq!(index.find(0, |found| found == 4_999), Some(4_999));
    }
}
