//! What the bytes of objects may hold: cells with sets of targets.
//!
//! Idea: a cell is a range of bytes at some offsets, and what may have been written there at once. A pointer
//! that is read holds what the cells at its place hold. Where it reads parts of several, or what was written
//! as numbers, nobody knows where it points.
//!
//! Invariant: whatever a run writes lies in a cell.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::offsets::Offsets;

/// What a pointer may point to: objects, each with offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// By rising object.
    all: Vec<(usize, Offsets)>,
}

impl Targets {
    /// Stands for every object there is.
    pub const ANY: usize = 0;

    /// Stands for what is at addresses that are numbers of the program: registers of devices.
    pub const FIXED: usize = 1;

    /// Stands for numbers in memory: a pointer that is read where they are may point to anything.
    pub const NUMBERS: usize = 2;

    /// Stands for bytes that were never written.
    pub const UNWRITTEN: usize = 3;

    /// The first that is an object.
    pub const OBJECTS: usize = 4;

    /// An object at some offsets.
    pub(crate) fn one(object: usize, at: Offsets) -> Self {
        Targets {
            all: vec![(object, at)],
        }
    }

    /// Does it point to nothing?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// May it point to an object?
    pub fn contains(&self, object: usize) -> bool {
        self.at(object).is_some()
    }

    /// The offsets in an object.
    pub fn at(&self, object: usize) -> Option<Offsets> {
        let place = self.all.binary_search_by_key(&object, |target| target.0);
        place.ok().map(|place| self.all[place].1)
    }

    /// The objects.
    pub fn objects(&self) -> impl Iterator<Item = usize> + '_ {
        self.all.iter().map(|(object, _)| *object)
    }

    /// One of those that are no objects.
    pub fn only(what: usize) -> Self {
        Targets::one(what, Offsets::ANY)
    }

    /// May it be any object?
    pub fn is_any(&self) -> bool {
        self.contains(Self::ANY)
    }

    /// Adds a target; true when it is new.
    pub fn insert(&mut self, object: usize, at: Offsets) -> bool {
        match self.all.binary_search_by_key(&object, |target| target.0) {
            Err(place) => {
                self.all.insert(place, (object, at));
                true
            }
            Ok(place) => {
                let own = &mut self.all[place].1;
                let joined = own.join(at);
                let is_new = joined != *own;
                *own = joined;
                is_new
            }
        }
    }

    /// Adds all of another set; true when one is new.
    pub fn join(&mut self, other: &Targets) -> bool {
        let mut grown = false;
        for (object, at) in &other.all {
            grown |= self.insert(*object, *at);
        }
        grown
    }

    /// The objects and the offsets in them.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Offsets)> + '_ {
        self.all.iter().copied()
    }

    /// Each with other offsets.
    pub fn map(&self, change: impl Fn(Offsets) -> Offsets) -> Self {
        let changed = |(object, at)| match object {
            ..Self::OBJECTS => (object, at),
            _ => (object, change(at)),
        };
        let all = self.iter().map(changed).collect();
        Targets { all }
    }

    /// Those of a kind.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        self.all.retain(|(object, _)| is_kept(*object));
    }
}

/// A range of bytes that is written at once; to an unknown end where there is no length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub at: Offsets,
    pub length: Option<u64>,
    pub held: Targets,
}

/// So many cells of one length an object has at the most; then some become one.
const CELLS: usize = 32;

/// The cells of an object.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub cells: Vec<Cell>,
}

impl Contents {
    /// Something is written; true when that is new.
    pub fn write(&mut self, cell: Cell) -> bool {
        let same = self.cells.iter_mut().filter(|own| own.length == cell.length);
        let mut count = 0;
        let mut first = None;
        for own in same {
            if own.at.includes(cell.at) {
                return own.held.join(&cell.held);
            }
            count += 1;
            first = first.or(Some(own));
        }
        match first {
            Some(first) if count >= CELLS => {
                first.at = first.at.join(cell.at);
                first.held.join(&cell.held);
            }
            _ => self.cells.push(cell),
        }
        true
    }
}

/// What an object holds at the start.
#[derive(Clone, Debug, Default)]
pub struct Initial {
    /// By rising offset.
    cells: Vec<Cell>,
    /// The length of the longest, in bytes.
    longest: u64,
    /// The same by the rests that offsets leave, for each step of which somebody asked.
    by_rest: RefCell<BTreeMap<i128, Rc<Vec<Cell>>>>,
}

impl Initial {
    /// A cell behind all others.
    pub fn push(&mut self, offset: u64, length: u64, held: Targets) {
        self.longest = self.longest.max(length);
        self.cells.push(Cell {
            at: Offsets::at(i128::from(offset)),
            length: Some(length),
            held,
        });
    }

    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
    }

    /// The cells that may share a byte with a range, and others.
    pub fn near(&self, at: Offsets, length: Option<u64>, visit: &mut impl FnMut(&Cell)) {
        match (at.exact(), length) {
            _ if self.cells.is_empty() => {}
            (Some(from), Some(length)) => {
                let begins = |cell: &Cell| cell.at.exact().unwrap_or(0);
                let (end, longest) = (from + i128::from(length), i128::from(self.longest));
                let first = self.cells.partition_point(|cell| begins(cell) + longest <= from);
                let cells = self.cells[first..].iter();
                cells.take_while(|cell| begins(cell) < end).for_each(visit);
            }
            _ => self.by_rest(at.step()).iter().for_each(visit),
        }
    }

    fn by_rest(&self, step: i128) -> Rc<Vec<Cell>> {
        let mut known = self.by_rest.borrow_mut();
        let reduced = known.entry(step).or_insert_with(|| {
            let mut all: BTreeMap<(Offsets, Option<u64>), Targets> = BTreeMap::new();
            for cell in &self.cells {
                let at = cell.at.plus(Offsets::ANY.times(step));
                all.entry((at, cell.length)).or_default().join(&cell.held);
            }
            let cells = all.into_iter();
            Rc::new(
                cells
                    .map(|((at, length), held)| Cell { at, length, held })
                    .collect(),
            )
        });
        Rc::clone(reduced)
    }
}
