//! What tells the abstract state of a state.
//!
//! Idea: states of one form, whose threads stand at the same places and in which the same parts hold the same
//! constants, have one abstract state; parts that hold more than a few constants do not count.
//!
//! Invariant: two states with the same key differ in parts only that vary.

use std::collections::BTreeSet;

use kripke_elts::{Id, Type, VariableId};
use kripke_smt::{Op, Sort, TermId};
use kripke_value::BitVec;

use super::slots::set_cell;
use super::{Cover, Hub, MANY_STATES, MOST_STATES, Slot};
use crate::contents::{Cell, Contents, Initialised, MAX_CELL};
use crate::engine::Engine;
use crate::object::{ObjectId, ObjectKind};
use crate::parting::Held;
use crate::persistent::PersistentMap;
use crate::state::State;
use crate::value::{Target, Value};

impl Engine<'_> {
    /// Makes a state at which a thread is chosen one of a form.
    pub(super) fn settle(&mut self, hub: &Hub, cover: &mut Cover, state: &mut State) {
        self.forget_what_is_over(hub, state);
        self.count_no_switches(state);
        self.add_cells(cover, state);
        self.decide_truths(state);
    }

    /// Variables that nothing reads any more, and dead objects to which nothing points.
    fn forget_what_is_over(&mut self, hub: &Hub, state: &mut State) {
        let head = hub.graph.loops[hub.of as usize].head;
        let live = &hub.graph.live[head.index()];
        let mut over = Vec::new();
        let mut targets = BTreeSet::new();
        state.frame.for_each(&mut |variable, value| match value {
            _ if !live.contains(variable) => over.push(variable),
            Value::Pointer(pointer) => targets.extend(pointer.cases.iter().map(|case| case.target)),
            Value::Term(_) => {}
        });
        over.into_iter().for_each(|variable| state.frame.remove(variable));
        let mut dead = Vec::new();
        state.memory.for_each(&mut |key, entry| {
            let object = ObjectId::of_key(key);
            let is_global = matches!(self.run.objects[object].kind, ObjectKind::Global(_));
            if self.terms.as_bool(entry.freed) == Some(true) {
                dead.extend((!is_global).then_some(object));
            } else if let Contents::Cells(cells) = &entry.contents {
                cells.for_each(&mut |_, cell| {
                    if let Value::Pointer(pointer) = &cell.value {
                        targets.extend(pointer.cases.iter().map(|case| case.target));
                    }
                });
            }
        });
        for object in dead {
            if targets.contains(&Target::Object(object)) {
                if let Some(mut entry) = state.memory.get(object.key()).cloned() {
                    entry.contents = Contents::Cells(PersistentMap::default());
                    state.memory.set(object.key(), entry);
                }
            } else {
                state.memory.remove(object.key());
            }
        }
    }

    /// No thread is the one that ran last, so that no switch is counted, and no run is cut off that a larger
    /// bound would follow.
    fn count_no_switches(&mut self, state: &mut State) {
        for variable in self.parting.threads.switched().to_vec() {
            if let Type::Int(width) = self.type_of(variable) {
                let nobody = self.terms.bv(BitVec::ones(width));
                state.frame.set(variable.index() as u64, Value::Term(nobody));
            }
        }
    }

    /// Truths of which only one is possible are constants.
    pub(super) fn decide_truths(&mut self, state: &mut State) {
        let mut open = Vec::new();
        state.frame.for_each(&mut |variable, value| {
            if let Value::Term(truth) = value
                && self.terms.sort(*truth) == Sort::Bool
                && !self.terms.is_const(*truth)
                && !matches!(self.terms.op(*truth), Op::Variable(_))
            {
                open.push((variable, *truth));
            }
        });
        for (variable, truth) in open {
            for holds in [true, false] {
                let case = match holds {
                    true => truth,
                    false => self.terms.not(truth),
                };
                let path = self.run.paths.extend(&mut self.terms, state.path, case);
                if path.is_none_or(|path| self.is_excluded(path)) {
                    let other = match holds {
                        true => self.terms.false_(),
                        false => self.terms.true_(),
                    };
                    state.frame.set(variable, Value::Term(other));
                    break;
                }
            }
        }
    }

    /// Gives a state all the cells that some state has.
    pub(super) fn add_cells(&mut self, cover: &mut Cover, state: &mut State) {
        let mut objects = Vec::new();
        state.memory.for_each(&mut |number, entry| {
            let object = ObjectId::of_key(number);
            let Contents::Cells(cells) = &entry.contents else {
                return;
            };
            if self.run.objects[object].constant || self.terms.as_bool(entry.freed) == Some(true) {
                return;
            }
            cells.for_each(&mut |offset, cell| {
                let ty = self.cell_type(&cell.value);
                cover.cells.entry((object, offset)).or_insert(ty);
            });
            objects.push((object, cells.clone()));
        });
        for (object, cells) in objects {
            for (&(_, offset), &ty) in cover.cells.range((object, 0)..=(object, u64::MAX)) {
                let bytes = self.bytes_of(ty);
                let mut overlaps = false;
                cells.for_range(
                    offset.saturating_sub(MAX_CELL),
                    offset + bytes,
                    &mut |at, cell| {
                        overlaps |= at + u64::from(cell.bytes) > offset && at < offset + bytes;
                    },
                );
                if !overlaps {
                    let (value, initialised) = self.read_cells(state, object, &cells, offset, ty);
                    let value = self.encode_cell(&value, ty);
                    let bytes = bytes as u32;
                    set_cell(
                        state,
                        object,
                        offset,
                        Cell {
                            value,
                            bytes,
                            initialised,
                        },
                    );
                }
            }
        }
    }

    /// What tells the abstract state of a state: its form, and what holds one of few constants. And what does
    /// not.
    pub(super) fn key_of(
        &mut self,
        cover: &mut Cover,
        state: &State,
    ) -> Result<(Vec<Held>, Vec<Slot>), String> {
        let mut parts = Parts {
            engine: self,
            cover,
            key: Vec::new(),
            slots: Vec::new(),
        };
        if !parts.engine.terms.is_const(state.rounding) {
            return Err("the rounding mode depends on inputs".to_string());
        }
        parts.key.push(Held::Number(state.rounding));
        state.frame.for_each(&mut |variable, value| {
            parts.key.push(Held::At(variable));
            parts.add_value(Slot::Variable(variable), value);
        });
        parts.key.push(Held::Nothing);
        state.memory.for_each(&mut |number, entry| {
            let object = ObjectId::of_key(number);
            if parts.engine.run.objects[object].constant {
                return;
            }
            parts.key.push(Held::At(number));
            parts.add_truth(Slot::Freed(object), entry.freed);
            parts.add_truth(Slot::Exists(object), entry.exists);
            match &entry.contents {
                Contents::Cells(cells) => cells.for_each(&mut |offset, cell| {
                    parts.key.push(Held::At(offset));
                    parts.key.push(Held::At(u64::from(cell.bytes)));
                    match parts.is_unwritten(cell) {
                        true => parts.add_unwritten(Slot::Cell(object, offset), &cell.value),
                        false => parts.add_value(Slot::Cell(object, offset), &cell.value),
                    }
                    let slot = Slot::Written(object, offset);
                    match &cell.initialised {
                        Initialised::Whole(term) => parts.add_truth(slot, *term),
                        Initialised::Bytes(bytes) => parts.add_truths(slot, bytes),
                    }
                }),
                Contents::Array(array) => {
                    let has_map = u64::from(array.initialised.is_some());
                    for form in [
                        u64::from(array.element_bytes),
                        u64::from(array.index_bits),
                        has_map,
                    ] {
                        parts.key.push(Held::At(form));
                    }
                    parts.add_any(Slot::Array(object));
                }
                Contents::Summary(_) => unreachable!("threads have no summaries"),
            }
            parts.key.push(Held::Nothing);
        });
        Ok((parts.key, parts.slots))
    }

    /// Does it say where a thread or a monitor stands?
    pub(super) fn is_place(&self, slot: Slot) -> bool {
        match slot {
            Slot::Variable(variable) => self.parting.threads.is_place(VariableId::new(variable as usize)),
            Slot::Cell(object, _) => {
                let mut monitors = self.monitors.values.iter();
                monitors.any(|(memory, _)| ObjectId::global(*memory) == object)
            }
            _ => false,
        }
    }
}

/// What a state is told apart by, while it is listed.
struct Parts<'p, 'e> {
    engine: &'p mut Engine<'e>,
    cover: &'p mut Cover,
    key: Vec<Held>,
    slots: Vec<Slot>,
}

impl Parts<'_, '_> {
    fn add_value(&mut self, slot: Slot, value: &Value) {
        if let Value::Term(truth) = value
            && self.engine.terms.sort(*truth) == Sort::Bool
        {
            self.add_form(value);
            return self.add_truth(slot, *truth);
        }
        let held = self.engine.held_value(Some(value));
        self.add_form(value);
        self.add(slot, held);
    }

    fn add_form(&mut self, value: &Value) {
        let form = match value {
            Value::Pointer(_) => 0,
            Value::Term(term) => match self.engine.terms.sort(*term) {
                Sort::Bool => 1,
                Sort::Float(format) => 1 << 32 | u64::from(format.bits()),
                sort => 2 << 32 | u64::from(sort.width()),
            },
        };
        self.key.push(Held::At(form));
    }

    /// Nothing was written to a cell, and what it holds is not known.
    fn is_unwritten(&self, cell: &Cell) -> bool {
        let is_never = |truth: &TermId| self.engine.terms.as_bool(*truth) == Some(false);
        let is_unwritten = match &cell.initialised {
            Initialised::Whole(term) => is_never(term),
            Initialised::Bytes(bytes) => bytes.iter().all(is_never),
        };
        is_unwritten && self.engine.held_value(Some(&cell.value)) == Held::Any
    }

    /// It is any value here; that does not tell whether it is elsewhere.
    fn add_unwritten(&mut self, slot: Slot, value: &Value) {
        self.add_form(value);
        self.add_any(slot);
    }

    /// What is true or false of an object stays told apart, as it mostly is where threads stand elsewhere.
    fn add_truth(&mut self, slot: Slot, truth: TermId) {
        if self.engine.terms.is_const(truth) && !self.cover.varying.contains(&slot) {
            return self.key.push(Held::Number(truth));
        }
        self.cover.varying.insert(slot);
        self.add_any(slot);
    }

    /// The same of each byte, where they are not all alike.
    fn add_truths(&mut self, slot: Slot, bytes: &[TermId]) {
        self.key.push(Held::At(bytes.len() as u64));
        let are_const = bytes.iter().all(|byte| self.engine.terms.is_const(*byte));
        if are_const && !self.cover.varying.contains(&slot) {
            return self.key.extend(bytes.iter().copied().map(Held::Number));
        }
        self.cover.varying.insert(slot);
        self.add_any(slot);
    }

    fn add(&mut self, slot: Slot, held: Held) {
        let is_fixed = held != Held::Any && self.engine.is_place(slot);
        match is_fixed || !self.cover.is_varying(slot, held) {
            true => self.key.push(held),
            false => self.add_any(slot),
        }
    }

    fn add_any(&mut self, slot: Slot) {
        self.key.push(Held::Any);
        self.slots.push(slot);
    }
}

impl Cover {
    /// How many states there may be: where there are more, fewer constants tell them apart.
    pub(super) fn most_states(&self) -> usize {
        match self.most_constants {
            1 => MOST_STATES,
            _ => MANY_STATES,
        }
    }

    /// By how much states are told apart: it only ever grows.
    pub(super) fn detail(&self) -> usize {
        self.varying.len() + self.cells.len()
    }

    /// Has a part of states more than a few constants?
    pub(super) fn is_varying(&mut self, slot: Slot, held: Held) -> bool {
        if self.varying.contains(&slot) {
            return true;
        }
        let seen = self.constants.entry(slot).or_default();
        seen.insert(held);
        let varies = held == Held::Any || seen.len() > self.most_constants;
        if varies {
            self.constants.remove(&slot);
            self.varying.insert(slot);
        }
        varies
    }
}
