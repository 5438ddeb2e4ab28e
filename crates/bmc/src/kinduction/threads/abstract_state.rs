//! Abstract states: how one is made of a first state, and comes to cover others of its form.
//!
//! Idea: what varies is a variable: of a number within bounds, of a pointer with the targets that were seen.
//!
//! Invariant: an abstract state covers every state that it was made of or made to cover.

use std::collections::BTreeMap;

use kripke_elts::{Id, Type, VariableId};
use kripke_smt::{Op, Sort, TermId};
use kripke_value::BitVec;

use super::slots::{cell_of, number_in, numbers_in, offset_of, set_cell, set_number};
use super::{AbstractState, Bounds, Slot, WIDEST, Widening};
use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::kinduction::Modified;
use crate::kinduction::arbitrary::Created;
use crate::path::PathId;
use crate::range::{Interval, Ranges};
use crate::state::State;
use crate::value::{Pointer, Value};

impl Engine<'_> {
    /// An abstract state with its bounds, on a path; `None` where nothing is within them.
    pub(super) fn within_bounds(&mut self, of: &AbstractState, path: PathId) -> Option<State> {
        let mut state = of.state.clone();
        let mut path = path;
        for (part, number) in of.slots.iter().flat_map(|slot| numbers_in(&of.state, *slot)) {
            let Some(bounds) = of.bounds.get(&number) else {
                continue;
            };
            if self.terms.sort(number) == Sort::Bool {
                if bounds.low == bounds.high {
                    let truth = self.terms.bool_(bounds.low == 1);
                    set_number(&mut state, part, truth);
                }
                continue;
            }
            let width = self.terms.width(number);
            let low = self.terms.bv(BitVec::from_i128(width, bounds.low));
            if bounds.low == bounds.high {
                set_number(&mut state, part, low);
                continue;
            }
            let high = self.terms.bv(BitVec::from_i128(width, bounds.high));
            let above = self.terms.bv_sle(low, number);
            let below = self.terms.bv_sle(number, high);
            for condition in [above, below] {
                path = self.run.paths.extend(&mut self.terms, path, condition)?;
            }
            path = self.without_zeros(number, *bounds, path)?;
        }
        let letter = self.run.new_letter();
        Some(State {
            path,
            letter,
            ..state
        })
    }

    /// Where the low bits of a number are zero, it is said of the others, too, as comparisons speak of them.
    fn without_zeros(&mut self, number: TermId, bounds: Bounds, path: PathId) -> Option<PathId> {
        let (Op::BvConcat, &[part, zeros]) = (self.terms.op(number), self.terms.children(number)) else {
            return Some(path);
        };
        let zeros = self.terms.width(zeros);
        let width = self.terms.width(part);
        let low = BitVec::from_i128(width, bounds.low >> zeros);
        let high = BitVec::from_i128(width, bounds.high >> zeros);
        let (low, high) = (self.terms.bv(low), self.terms.bv(high));
        let above = self.terms.bv_sle(low, part);
        let below = self.terms.bv_sle(part, high);
        let path = self.run.paths.extend(&mut self.terms, path, above)?;
        self.run.paths.extend(&mut self.terms, path, below)
    }

    /// The abstract state of a first one.
    pub(super) fn abstracted(
        &mut self,
        first: &State,
        slots: Vec<Slot>,
        widening: &mut Widening,
    ) -> Result<AbstractState, String> {
        let mut new = AbstractState {
            state: first.clone(),
            slots: slots.clone(),
            modified: Modified::default(),
            bounds: BTreeMap::new(),
        };
        for slot in slots {
            match slot {
                Slot::Variable(variable) => {
                    let value = first.frame.get(variable).cloned();
                    let value = value.ok_or("a variable without a value")?;
                    let ty = self.type_of(VariableId::new(variable as usize));
                    let any = self.arbitrary(first.path, ty, &[value], None, all_known(first))?;
                    let any = self.any_of_type(any)?;
                    new.state.frame.set(variable, any.clone());
                    new.modified.variables.insert(variable, any);
                }
                Slot::Cell(object, offset) => {
                    let cell = cell_of(first, object, offset).ok_or("a cell that is not there")?;
                    let ty = self.cell_type(&cell.value);
                    let any = self.arbitrary(
                        first.path,
                        ty,
                        std::slice::from_ref(&cell.value),
                        None,
                        all_known(first),
                    )?;
                    let any = self.any_of_type(any)?;
                    let value = self.encode_cell(&any, ty);
                    let value = self.any_of_type(Some(value))?;
                    set_cell(&mut new.state, object, offset, Cell { value, ..cell });
                }
                Slot::Written(object, offset) => {
                    let cell = cell_of(&new.state, object, offset).ok_or("a cell that is not there")?;
                    let mut is_written = || self.fresh_variable("written", Sort::Bool);
                    let initialised = match &cell.initialised {
                        Initialised::Whole(_) => Initialised::Whole(is_written()),
                        Initialised::Bytes(bytes) => {
                            Initialised::Bytes(bytes.iter().map(|_| is_written()).collect())
                        }
                    };
                    set_cell(&mut new.state, object, offset, Cell { initialised, ..cell });
                }
                Slot::OffsetOfVariable(..) | Slot::OffsetOfCell(..) => {
                    return Err("a part of a part".to_string());
                }
                Slot::Array(object) | Slot::Freed(object) | Slot::Exists(object) => {
                    let found = new.state.memory.get(object.key()).cloned();
                    let mut entry = found.ok_or("an object that is not there")?;
                    match (slot, &entry.contents) {
                        (Slot::Freed(_), _) => entry.freed = self.fresh_variable("freed", Sort::Bool),
                        (Slot::Exists(_), _) => entry.exists = self.fresh_variable("exists", Sort::Bool),
                        (_, Contents::Array(array)) => {
                            entry.contents = Contents::Array(self.arbitrary_array(&array.clone()));
                        }
                        _ => return Err("an array that is not there".to_string()),
                    }
                    new.state.memory.set(object.key(), entry);
                }
            }
        }
        note_cells(&mut new);
        self.cover_state(&mut new, first, Some(widening))?;
        Ok(new)
    }

    /// A value that a variable stands for, so that it may be any of its type.
    pub(super) fn any_of_type(&self, value: Option<Value>) -> Result<Value, String> {
        let value = value.ok_or("a value that stands for others already")?;
        let is_variable = |term: TermId| matches!(self.terms.op(term), Op::Variable(_));
        let is_any = match &value {
            Value::Pointer(_) => true,
            Value::Term(term) => {
                is_variable(*term)
                    || matches!(self.terms.op(*term), Op::FpFromBits(_))
                        && self.terms.children(*term).iter().all(|bits| is_variable(*bits))
            }
        };
        match is_any {
            true => Ok(value),
            false => Err("a value of which not all are possible".to_string()),
        }
    }

    /// Makes an abstract state cover another state of its form, where bounds may grow to thresholds; true
    /// where it did before. Without thresholds nothing is changed.
    pub(super) fn cover_state(
        &mut self,
        known: &mut AbstractState,
        state: &State,
        mut widening: Option<&mut Widening>,
    ) -> Result<bool, String> {
        let mut is_covered = true;
        for slot in known.slots.clone() {
            let (own, other) = match slot {
                Slot::Variable(variable) => (
                    known.state.frame.get(variable).cloned(),
                    state.frame.get(variable).cloned(),
                ),
                Slot::Cell(object, offset) => {
                    let value = |of: &State| cell_of(of, object, offset).map(|cell| cell.value);
                    (value(&known.state), value(state))
                }
                _ => continue,
            };
            let (Some(own), Some(other)) = (own, other) else {
                return Err("states of one form differ in it".to_string());
            };
            is_covered &= match (&own, &other) {
                (Value::Term(own), Value::Term(other)) => {
                    let widening = widening.as_deref_mut().map(|widening| (slot, widening));
                    self.join_number(&mut known.bounds, (*own, *other), state.path, widening)
                }
                (Value::Pointer(_), Value::Pointer(_)) => {
                    let ty = Type::Pointer;
                    let seen = std::slice::from_ref(&other);
                    let larger = self.arbitrary(state.path, ty, seen, Some(&own), all_known(state))?;
                    let is_larger = larger.is_some();
                    let mut widening = widening.as_deref_mut();
                    if let (Some(larger), Some(_)) = (larger, &widening) {
                        self.keep_bounds(&mut known.bounds, (own.pointer(), larger.pointer()));
                        replace(known, slot, larger);
                    }
                    match is_larger && widening.is_none() {
                        true => false,
                        false => {
                            let other = other.pointer();
                            let are_covered =
                                self.join_offsets(known, slot, other, state.path, &mut widening);
                            are_covered && !is_larger
                        }
                    }
                }
                _ => return Err("a number where others have a pointer".to_string()),
            };
        }
        Ok(is_covered)
    }

    /// The same for the offsets of a pointer.
    fn join_offsets(
        &mut self,
        known: &mut AbstractState,
        slot: Slot,
        other: &Pointer,
        path: PathId,
        widening: &mut Option<&mut Widening>,
    ) -> bool {
        let mut are_covered = true;
        for case in &other.cases {
            let Some(part) = offset_of(slot, case.target) else {
                continue;
            };
            if let Some(own) = number_in(&known.state, part) {
                let widening = widening.as_deref_mut().map(|widening| (part, widening));
                are_covered &= self.join_number(&mut known.bounds, (own, case.offset), path, widening);
            }
        }
        are_covered
    }

    /// Where other variables stand for the offsets of a pointer, they have the bounds of those before.
    fn keep_bounds(&mut self, bounds: &mut BTreeMap<TermId, Bounds>, (before, after): (&Pointer, &Pointer)) {
        for case in &after.cases {
            let Some(earlier) = before.cases.iter().find(|earlier| earlier.target == case.target) else {
                continue;
            };
            let constant = self
                .terms
                .as_bv(earlier.offset)
                .and_then(|offset| offset.to_i128());
            let known = match constant {
                Some(offset) => Some(Bounds {
                    low: offset,
                    high: offset,
                    growths: 0,
                }),
                None => bounds.get(&earlier.offset).copied(),
            };
            if let Some(known) = known {
                bounds.insert(case.offset, known);
            }
        }
    }

    /// The same for a number.
    pub(super) fn join_number(
        &mut self,
        bounds: &mut BTreeMap<TermId, Bounds>,
        (own, other): (TermId, TermId),
        path: PathId,
        widening: Option<(Slot, &mut Widening)>,
    ) -> bool {
        let Some(width) = self.width_of_bounds(own).filter(|_| !self.terms.is_const(own)) else {
            return true;
        };
        let facts = self.facts(path);
        let (low, high) = self.hull(&mut Ranges::careful(&self.terms, &facts), other);
        let known = bounds.get(&own).copied();
        if known.is_some_and(|known| known.low <= low && high <= known.high) {
            return true;
        }
        if let Some((slot, widening)) = widening {
            let grown = match known {
                None => Bounds {
                    low,
                    high,
                    growths: 0,
                },
                Some(known) if width == 1 => Bounds {
                    low: known.low.min(low),
                    high: known.high.max(high),
                    growths: 0,
                },
                Some(known) => widening.grown(slot, known, (low, high), width),
            };
            widening.note(slot, grown);
            bounds.insert(own, grown);
        }
        false
    }

    /// The width of a number that has bounds.
    pub(super) fn width_of_bounds(&self, number: TermId) -> Option<u32> {
        match self.terms.sort(number) {
            Sort::Bool => Some(1),
            Sort::BitVec(width) if width <= WIDEST => Some(width),
            _ => None,
        }
    }

    /// The least and the largest value of a number that has bounds.
    pub(super) fn hull(&self, ranges: &mut Ranges<'_>, number: TermId) -> (i128, i128) {
        if self.terms.sort(number) == Sort::Bool {
            let known = self.terms.as_bool(number).map(i128::from);
            return (known.unwrap_or(0), known.unwrap_or(1));
        }
        let Interval { low, high, .. } = ranges.interval(number);
        (low, high)
    }
}

/// A value of an abstract state becomes another one.
fn replace(of: &mut AbstractState, slot: Slot, value: Value) {
    match slot {
        Slot::Variable(variable) => {
            of.state.frame.set(variable, value.clone());
            of.modified.variables.insert(variable, value);
        }
        Slot::Cell(object, offset) => {
            if let Some(cell) = cell_of(&of.state, object, offset) {
                set_cell(&mut of.state, object, offset, Cell { value, ..cell });
                note_cells(of);
            }
        }
        _ => {}
    }
}

/// Notes the cells that stand for others.
fn note_cells(of: &mut AbstractState) {
    for slot in &of.slots {
        if let Slot::Cell(object, offset) | Slot::Written(object, offset) = *slot
            && let Some(cell) = cell_of(&of.state, object, offset)
        {
            of.modified.cells.insert((object, offset), cell);
        }
    }
}

/// Every object counts as one that was there before.
fn all_known(state: &State) -> Created<'_> {
    Created {
        first: usize::MAX,
        after: &state.memory,
    }
}
