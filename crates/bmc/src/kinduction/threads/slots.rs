//! Parts of a state: variables, and what objects hold.

use kripke_smt::TermId;

use super::Slot;
use crate::contents::{Cell, Contents};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::Value;

pub(super) fn cell_of(state: &State, object: ObjectId, offset: u64) -> Option<Cell> {
    match &state.memory.get(object.key())?.contents {
        Contents::Cells(cells) => cells.get(offset).cloned(),
        Contents::Array(_) => None,
    }
}

pub(super) fn set_cell(state: &mut State, object: ObjectId, offset: u64, cell: Cell) {
    let Some(mut entry) = state.memory.get(object.key()).cloned() else {
        return;
    };
    if let Contents::Cells(cells) = &mut entry.contents {
        cells.set(offset, cell);
    }
    state.memory.set(object.key(), entry);
}

/// The number in a part of a state.
pub(super) fn number_in(state: &State, slot: Slot) -> Option<TermId> {
    let value = match slot {
        Slot::Variable(variable) => state.frame.get(variable)?.clone(),
        Slot::Cell(object, offset) => cell_of(state, object, offset)?.value,
        _ => return None,
    };
    match value {
        Value::Term(number) => Some(number),
        Value::Pointer(_) => None,
    }
}

pub(super) fn set_number(state: &mut State, slot: Slot, number: TermId) {
    let value = Value::Term(number);
    match slot {
        Slot::Variable(variable) => state.frame.set(variable, value),
        Slot::Cell(object, offset) => {
            if let Some(cell) = cell_of(state, object, offset) {
                set_cell(state, object, offset, Cell { value, ..cell });
            }
        }
        _ => {}
    }
}
