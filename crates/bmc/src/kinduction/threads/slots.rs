//! Parts of a state: variables, and what objects hold.

use kripke_smt::TermId;

use super::Slot;
use crate::contents::{Cell, Contents};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::{Case, Target, Value};

pub(super) fn cell_of(state: &State, object: ObjectId, offset: u64) -> Option<Cell> {
    match &state.memory.get(object.key())?.contents {
        Contents::Cells(cells) => cells.get(offset).cloned(),
        Contents::Array(_) | Contents::Summary(_) => None,
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

/// The numbers in a part of a state, each with what names it: the part itself, or where in each of its
/// targets a pointer points to.
pub(super) fn numbers_in(state: &State, slot: Slot) -> Vec<(Slot, TermId)> {
    match value_in(state, slot) {
        Some(Value::Term(number)) => vec![(slot, number)],
        Some(Value::Pointer(pointer)) => {
            let offset = |case: &Case| Some((offset_of(slot, case.target)?, case.offset));
            pointer.cases.iter().filter_map(offset).collect()
        }
        None => Vec::new(),
    }
}

/// One of these numbers.
pub(super) fn number_in(state: &State, part: Slot) -> Option<TermId> {
    let (slot, target) = whole(part);
    match (value_in(state, slot)?, target) {
        (Value::Term(number), None) => Some(number),
        (Value::Pointer(pointer), Some(target)) => {
            let found = pointer.cases.iter().find(|case| case.target == target);
            found.map(|case| case.offset)
        }
        _ => None,
    }
}

/// What names the offset that a pointer has in a target.
pub(super) fn offset_of(slot: Slot, target: Target) -> Option<Slot> {
    match slot {
        Slot::Variable(variable) => Some(Slot::OffsetOfVariable(variable, target)),
        Slot::Cell(object, offset) => Some(Slot::OffsetOfCell(object, offset, target)),
        _ => None,
    }
}

/// The part of which that is the offset in a target; or itself.
fn whole(part: Slot) -> (Slot, Option<Target>) {
    match part {
        Slot::OffsetOfVariable(variable, target) => (Slot::Variable(variable), Some(target)),
        Slot::OffsetOfCell(object, offset, target) => (Slot::Cell(object, offset), Some(target)),
        slot => (slot, None),
    }
}

fn value_in(state: &State, slot: Slot) -> Option<Value> {
    match slot {
        Slot::Variable(variable) => state.frame.get(variable).cloned(),
        Slot::Cell(object, offset) => Some(cell_of(state, object, offset)?.value),
        _ => None,
    }
}

pub(super) fn set_number(state: &mut State, part: Slot, number: TermId) {
    let (slot, target) = whole(part);
    let value = match (value_in(state, slot), target) {
        (Some(Value::Pointer(mut pointer)), Some(target)) => {
            let cases = pointer.cases.iter_mut();
            cases
                .filter(|case| case.target == target)
                .for_each(|case| case.offset = number);
            Value::Pointer(pointer)
        }
        (Some(Value::Term(_)), None) => Value::Term(number),
        _ => return,
    };
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
