//! A vector that grows in pieces.
//!
//! Idea: a table with a row for each state grows to gigabytes. As one vector it would double, and for that be
//! there twice at once and in one block; in pieces of a fixed size it needs what it holds, and growing moves
//! nothing.
//!
//! Invariant: every piece but the last is full, and no piece is ever reallocated; all of it is counted before
//! it is asked for.

use kripke_limits::{Account, Exhausted};

/// Bytes of a piece, about.
const PIECE: usize = 1 << 20;

/// Elements in the order in which they arrived.
pub(crate) struct Pieces<T> {
    pieces: Vec<Vec<T>>,
    account: Account,
    len: usize,
}

impl<T: Copy> Pieces<T> {
    /// Elements of a piece: a power of two, so that an index is split by a shift and a mask.
    const SHIFT: u32 = (PIECE / size_of::<T>()).ilog2();
    const MASK: usize = (1 << Self::SHIFT) - 1;

    pub(crate) fn new(account: &Account) -> Self {
        Pieces {
            pieces: Vec::new(),
            account: account.clone(),
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes that it has.
    pub(crate) fn memory(&self) -> usize {
        self.pieces.len() * (size_of::<T>() << Self::SHIFT)
    }

    pub(crate) fn get(&self, index: usize) -> Option<T> {
        (index < self.len).then(|| self.at(index))
    }

    /// An element that is there.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> T {
        self.pieces[index >> Self::SHIFT][index & Self::MASK]
    }

    #[inline]
    pub(crate) fn set(&mut self, index: usize, element: T) {
        self.pieces[index >> Self::SHIFT][index & Self::MASK] = element;
    }

    #[inline]
    pub(crate) fn push(&mut self, element: T) -> Result<(), Exhausted> {
        if self.len & Self::MASK == 0 {
            self.add_piece()?;
        }
        self.pieces[self.len >> Self::SHIFT].push(element);
        self.len += 1;
        Ok(())
    }

    /// Grows to at least so many elements.
    pub(crate) fn grow(&mut self, len: usize, element: T) -> Result<(), Exhausted> {
        while self.len < len {
            if self.len & Self::MASK == 0 {
                self.add_piece()?;
            }
            let piece = &mut self.pieces[self.len >> Self::SHIFT];
            let more = (len - self.len).min((1 << Self::SHIFT) - piece.len());
            piece.resize(piece.len() + more, element);
            self.len += more;
        }
        Ok(())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.pieces.iter().flatten().copied()
    }

    #[cold]
    fn add_piece(&mut self) -> Result<(), Exhausted> {
        let piece = new_piece(&self.account, 1 << Self::SHIFT)?;
        self.account.push(&mut self.pieces, piece)
    }
}

/// An empty vector with room for exactly so many elements.
pub(crate) fn new_piece<T>(account: &Account, capacity: usize) -> Result<Vec<T>, Exhausted> {
    account.charge(capacity * size_of::<T>())?;
    let mut piece = Vec::new();
    piece.try_reserve_exact(capacity).map_err(|_| Exhausted::Memory)?;
    Ok(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_where_they_are() {
        let mut pieces: Pieces<u64> = Pieces::new(&Account::default());
        let count = 3 * (PIECE / 8) + 5;
        for n in 0..count {
            pieces.push(n as u64).expect("there is no limit");
        }
        let first: *const u64 = &raw const pieces.pieces[0][0];
        pieces.grow(count + PIECE, 7).expect("there is no limit");
        assert_eq!(first, &raw const pieces.pieces[0][0]);
        assert_eq!(pieces.len(), count + PIECE);
        assert_eq!(pieces.get(count - 1), Some(count as u64 - 1));
        assert_eq!((pieces.at(count), pieces.get(count + PIECE)), (7, None));
        assert_eq!(pieces.iter().count(), pieces.len());
        assert!(pieces.memory() - pieces.len() * 8 < PIECE);
    }
}
