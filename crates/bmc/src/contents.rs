//! What an object holds along a path.
//!
//! Idea: cells that remember the type and value of the last write, keyed by constant offset, so that
//! accesses of one type at one offset never touch bits; or, once an object is accessed at offsets
//! that are too many to list, an SMT array of elements.
//!
//! Invariant: cells do not overlap and are at most [`MAX_CELL`] bytes; bytes without a cell hold
//! what [`crate::object::Rest`] says.

use std::rc::Rc;

use kripke_smt::{TermId, Terms};

use crate::persistent::PersistentMap;
use crate::summary::Summary;
use crate::value::Value;

/// The largest cell in bytes.
pub const MAX_CELL: u64 = 16;

/// Which bytes of a cell have been written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initialised {
    /// All of them when this holds, else none.
    Whole(TermId),
    /// Byte by byte.
    Bytes(Rc<[TermId]>),
}

impl Initialised {
    /// From one condition per byte.
    pub fn from_bytes(bytes: Vec<TermId>) -> Self {
        match bytes.iter().all(|byte| *byte == bytes[0]) {
            true => Initialised::Whole(bytes[0]),
            false => Initialised::Bytes(bytes.into()),
        }
    }

    /// Whether one byte is.
    pub fn byte(&self, index: u64) -> TermId {
        match self {
            Initialised::Whole(term) => *term,
            Initialised::Bytes(bytes) => bytes[index as usize],
        }
    }

    /// Whether all bytes are.
    pub fn all(&self, terms: &mut Terms) -> TermId {
        match self {
            Initialised::Whole(term) => *term,
            Initialised::Bytes(bytes) => terms.and_all(bytes.iter().copied()),
        }
    }

    /// `condition ? self : other`, for cells of that many bytes.
    pub fn select(&self, terms: &mut Terms, condition: TermId, other: &Self, bytes: u64) -> Self {
        match (self, other) {
            (Initialised::Whole(a), Initialised::Whole(b)) => {
                Initialised::Whole(terms.ite(condition, *a, *b))
            }
            _ => {
                let both = (0..bytes).map(|index| terms.ite(condition, self.byte(index), other.byte(index)));
                Initialised::from_bytes(both.collect())
            }
        }
    }
}

/// One scalar in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// A bit-vector of 8 bits per byte, a float, or a pointer.
    pub value: Value,
    /// Size.
    pub bytes: u32,
    /// Which bytes were written.
    pub initialised: Initialised,
}

/// An object as an SMT array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayContents {
    /// Bytes per element, a power of two.
    pub element_bytes: u32,
    /// Width of the index.
    pub index_bits: u32,
    /// The elements.
    pub data: TermId,
    /// One bit per byte of each element: was it written? `None` when all bytes count as written.
    pub initialised: Option<TermId>,
}

/// What an object holds.
#[derive(Clone)]
pub enum Contents {
    /// Scalars by offset.
    Cells(PersistentMap<Cell>),
    /// An array of elements.
    Array(ArrayContents),
    /// The object stands for many: what each of them holds.
    Summary(Rc<Summary>),
}

impl PartialEq for Contents {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Contents::Cells(a), Contents::Cells(b)) => {
                let mut same = true;
                a.differences(b, &mut |_, x, y| same = same && x == y);
                same
            }
            (Contents::Array(a), Contents::Array(b)) => a == b,
            (Contents::Summary(a), Contents::Summary(b)) => a == b,
            _ => false,
        }
    }
}

/// An object along a path.
#[derive(Clone, PartialEq)]
pub struct ObjectState {
    /// It was freed.
    pub freed: TermId,
    /// It was created (other paths that merged here may not have created it).
    pub exists: TermId,
    /// What it holds.
    pub contents: Contents,
}
