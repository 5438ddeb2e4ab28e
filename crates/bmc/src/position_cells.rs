//! Which memory cells are positions: those that were read into a variable that is one.
//!
//! Idea: it shows when they are read. What one variable is read from very often at other places is the data
//! that positions lie in, not positions.
//!
//! Invariant: as in [`crate::parting`], what is noted here costs time or saves it, never a verdict.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{FunctionId, VariableId};
use rustc_hash::FxHashMap;

use crate::object::ObjectKind;

/// How many cells are positions at most.
const MAX_CELLS: usize = 256;
/// How many of them one variable is read from at most.
const MAX_OF_ONE: usize = 64;

/// The cell at an offset of the objects of a kind.
pub(crate) type Slot = (ObjectKind, u64);

/// The cells that were read into positions, over all runs.
#[derive(Default)]
pub(crate) struct PositionCells {
    /// They, and how many bytes were read.
    bytes: BTreeMap<Slot, u64>,
    /// Those that each variable was read from.
    of: FxHashMap<(FunctionId, VariableId), BTreeSet<Slot>>,
}

impl PositionCells {
    /// A variable, which is a position, was read from a cell.
    pub fn note(&mut self, variable: (FunctionId, VariableId), slot: Slot, bytes: u64) {
        let read = self.of.entry(variable).or_default();
        if read.len() > MAX_OF_ONE || !read.insert(slot) {
            return;
        }
        if read.len() > MAX_OF_ONE {
            self.forget(variable);
        } else if self.bytes.len() < MAX_CELLS {
            self.bytes.insert(slot, bytes);
        }
    }

    /// What a variable was read from are no positions, as far as no other was.
    fn forget(&mut self, variable: (FunctionId, VariableId)) {
        let read = self.of[&variable].clone();
        for slot in &read {
            let others = self.of.values().filter(|others| others.len() <= MAX_OF_ONE);
            if !{ others }.any(|others| others.contains(slot)) {
                self.bytes.remove(slot);
            }
        }
    }

    /// Is the cell one?
    pub fn contains(&self, slot: &Slot) -> bool {
        self.bytes.contains_key(slot)
    }

    /// They.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.bytes.keys().copied()
    }

    /// They, and how many bytes are read of each.
    pub fn with_bytes(&self) -> Vec<(Slot, u64)> {
        self.bytes.iter().map(|(slot, bytes)| (*slot, *bytes)).collect()
    }
}

#[cfg(test)]
mod tests {
    use kripke_elts::{GlobalId, Id};

    use super::*;

    fn variable(index: usize) -> (FunctionId, VariableId) {
        (FunctionId::new(0), VariableId::new(index))
    }

    fn slot(offset: u64) -> Slot {
        (ObjectKind::Global(GlobalId::new(0)), offset)
    }

    #[test]
    fn what_one_variable_is_read_from_very_often_is_data() {
        let mut cells = PositionCells::default();
        cells.note(variable(1), slot(3), 4);
        for offset in 0..MAX_OF_ONE as u64 {
            cells.note(variable(0), slot(offset), 1);
        }
        assert_eq!(cells.slots().count(), MAX_OF_ONE);
        cells.note(variable(0), slot(1000), 1);
        // The one that another variable is read from stays.
        assert_eq!(cells.slots().collect::<Vec<_>>(), [slot(3)]);
        cells.note(variable(0), slot(1001), 1);
        assert!(!cells.contains(&slot(1001)));
        cells.note(variable(2), slot(1001), 1);
        assert!(cells.contains(&slot(1001)));
    }
}
