//! What a loop may modify: found by comparing the state after an iteration with the one before it.
//!
//! Idea: a place that differs becomes arbitrary, and the body is executed again, until nothing else differs.
//!
//! Invariant: the places only become more, and what they hold more arbitrary, so that this comes to an end
//! and each state at the start of an iteration is one of those that [`Modified`] describes.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Id, Type, VariableId};
use kripke_smt::{Sort, TermId};

use super::arbitrary::Created;
use super::fields::ModifiedArray;
use super::summaries::ModifiedSummaries;
use crate::contents::{Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::graph::Graph;
use crate::object::{ObjectId, ObjectKind};
use crate::persistent::PersistentMap;
use crate::state::State;
use crate::value::Value;

/// The places a loop may modify, and what they hold at the start of any iteration.
#[derive(Default)]
pub(crate) struct Modified {
    /// Of the running function, by their number.
    pub(crate) variables: BTreeMap<u64, Value>,
    /// By object and offset.
    pub(crate) cells: BTreeMap<(ObjectId, u64), Cell>,
    pub(super) arrays: BTreeMap<ObjectId, ModifiedArray>,
    freed: BTreeMap<ObjectId, TermId>,
    pub(super) summaries: ModifiedSummaries,
    rounding: Option<TermId>,
}

impl Modified {
    /// The objects that may be freed, and what stands for whether they were.
    pub(crate) fn freed(&self) -> impl Iterator<Item = (ObjectId, TermId)> {
        self.freed.iter().map(|(object, freed)| (*object, *freed))
    }
}

impl Engine<'_> {
    /// The state with arbitrary values in the modified places.
    pub(super) fn apply(&mut self, entry: &State, modified: &Modified) -> State {
        let mut state = entry.clone();
        for (variable, value) in &modified.variables {
            state.frame.set(*variable, value.clone());
        }
        if let Some(rounding) = modified.rounding {
            state.rounding = rounding;
        }
        let objects: BTreeSet<ObjectId> = modified
            .cells
            .keys()
            .map(|(object, _)| *object)
            .chain(modified.arrays.keys().copied())
            .chain(modified.freed.keys().copied())
            .collect();
        let truth = self.terms.true_();
        for object in objects {
            let Some(mut entry) = state.memory.get(object.key()).cloned() else {
                continue;
            };
            if let Some(freed) = modified.freed.get(&object) {
                entry.freed = *freed;
            }
            if let Some(array) = modified.arrays.get(&object) {
                entry.contents = Contents::Array(array.contents);
            } else if let Contents::Cells(cells) = &mut entry.contents {
                for ((_, offset), cell) in modified.cells.range((object, 0)..=(object, u64::MAX)) {
                    self.write_cells(&state, object, cells, *offset, cell, truth);
                }
            }
            state.memory.set(object.key(), entry);
        }
        self.apply_summaries(&mut state, modified);
        state
    }

    /// Adds what differs between the start and the end of an iteration; false when nothing new does.
    pub(super) fn extend(
        &mut self,
        graph: &Graph,
        of: u32,
        modified: &mut Modified,
        before: &State,
        after: &State,
        created: Created<'_>,
    ) -> Result<bool, String> {
        let mut changed = false;
        let live = graph.live[graph.loops[of as usize].head.index()].clone();
        let mut differing = Vec::new();
        before.frame.differences(&after.frame, &mut |key, x, y| {
            if live.contains(key) && x != y {
                differing.push((key, x.cloned(), y.cloned()));
            }
        });
        for (key, x, y) in differing {
            let ty = self.type_of(VariableId::new(key as usize));
            let seen: Vec<Value> = [x, y].into_iter().flatten().collect();
            let known = modified.variables.get(&key).cloned();
            if let Some(value) = self.arbitrary(before.path, ty, &seen, known.as_ref(), created)? {
                modified.variables.insert(key, value);
                changed = true;
            }
        }
        if before.rounding != after.rounding && modified.rounding.is_none() {
            let bits = self.fresh_variable("rounding", Sort::BitVec(2));
            modified.rounding = Some(self.rounding_mode(bits));
            changed = true;
        }
        let mut objects = Vec::new();
        before.memory.differences(&after.memory, &mut |key, x, y| {
            if x != y {
                objects.push((ObjectId::of_key(key), x.cloned(), y.cloned()));
            }
        });
        for (object, x, y) in objects {
            match (x, y) {
                (Some(x), Some(y)) => {
                    if x.freed != y.freed && !modified.freed.contains_key(&object) {
                        let freed = self.fresh_variable("freed", Sort::Bool);
                        modified.freed.insert(object, freed);
                        changed = true;
                    }
                    changed |=
                        self.extend_contents(modified, before, object, (&x.contents, &y.contents), created)?;
                }
                (None, Some(y)) => match &y.contents {
                    Contents::Summary(summary) => {
                        changed |= self.extend_summary(modified, object, None, summary, created)?;
                    }
                    Contents::Cells(_) | Contents::Array(_) => self.created_in_body(object, y.freed)?,
                },
                _ => return Err("an object ends its life in the loop".to_string()),
            }
        }
        changed |= self.introduce_summaries(modified, before);
        Ok(changed)
    }

    /// An object that the body creates and nothing refers to afterwards matters only for leaks.
    fn created_in_body(&mut self, object: ObjectId, freed: TermId) -> Result<(), String> {
        let heap = matches!(self.run.objects[object].kind, ObjectKind::Heap(_));
        let leaks = self
            .program
            .properties
            .iter()
            .any(|site| site.kind == kripke_model::PropertyKind::Leak);
        match heap && leaks && self.terms.as_bool(freed) != Some(true) {
            true => Err("the loop allocates memory that it does not free".to_string()),
            false => Ok(()),
        }
    }

    fn extend_contents(
        &mut self,
        modified: &mut Modified,
        before: &State,
        object: ObjectId,
        (x, y): (&Contents, &Contents),
        created: Created<'_>,
    ) -> Result<bool, String> {
        if x == y {
            return Ok(false);
        }
        if let (Contents::Summary(x), Contents::Summary(y)) = (x, y) {
            return self.extend_summary(modified, object, Some(x), y, created);
        }
        let (Contents::Cells(a), Contents::Cells(b)) = (x, y) else {
            let like = match (x, y) {
                (Contents::Array(array), _) | (_, Contents::Array(array)) => *array,
                _ => return Ok(false),
            };
            return Ok(self.extend_array(modified, before, object, &like, [x, y]));
        };
        if modified.arrays.contains_key(&object) {
            return Ok(false);
        }
        let mut differing = Vec::new();
        a.differences(b, &mut |offset, p, q| {
            if p != q {
                differing.push((offset, p.cloned(), q.cloned()));
            }
        });
        let mut changed = false;
        for (offset, p, q) in differing {
            for cell in [p.as_ref(), q.as_ref()].into_iter().flatten() {
                changed |= self.extend_cell(modified, before, object, offset, cell, (a, b), created)?;
            }
        }
        Ok(changed)
    }

    #[allow(clippy::too_many_arguments, reason = "a cell is compared in two states")]
    fn extend_cell(
        &mut self,
        modified: &mut Modified,
        before: &State,
        object: ObjectId,
        offset: u64,
        cell: &Cell,
        (a, b): (&PersistentMap<Cell>, &PersistentMap<Cell>),
        created: Created<'_>,
    ) -> Result<bool, String> {
        // A cell that overlaps a modified one of another shape: both become bytes.
        let end = offset + u64::from(cell.bytes);
        let clash: Vec<u64> = modified
            .cells
            .range((object, offset.saturating_sub(32))..(object, end))
            .filter(|((_, at), other)| {
                at + u64::from(other.bytes) > offset && !(*at == offset && other.bytes == cell.bytes)
            })
            .map(|((_, at), _)| *at)
            .collect();
        let known = modified
            .cells
            .get(&(object, offset))
            .filter(|known| known.bytes == cell.bytes)
            .cloned();
        if !clash.is_empty() {
            let covered = (offset..end).all(|byte| {
                modified
                    .cells
                    .range((object, byte.saturating_sub(32))..=(object, byte))
                    .any(|((_, at), other)| {
                        at + u64::from(other.bytes) > byte && !matches!(other.value, Value::Pointer(_))
                    })
            });
            if covered && !matches!(cell.value, Value::Pointer(_)) {
                return Ok(false);
            }
            return self.split_modified(modified, object, offset, end, &clash);
        }
        let is_pointer = |map: &PersistentMap<Cell>| {
            map.get(offset)
                .is_some_and(|other| other.bytes == cell.bytes && matches!(other.value, Value::Pointer(_)))
        };
        let float = |map: &PersistentMap<Cell>| {
            let value = map
                .get(offset)
                .filter(|other| other.bytes == cell.bytes)
                .map(|other| other.value.clone());
            match value {
                Some(Value::Term(term)) => match self.terms.sort(term) {
                    Sort::Float(format) => Some(format),
                    _ => None,
                },
                _ => None,
            }
        };
        let ty = match (float(a), float(b)) {
            _ if is_pointer(a) || is_pointer(b) => Type::Pointer,
            (Some(x), Some(y)) if x == y => Type::Float(x),
            _ => Type::Int(cell.bytes * 8),
        };
        let mut seen = Vec::new();
        let mut written = Vec::new();
        for cells in [a, b] {
            let (value, initialised) = self.read_cells(before, object, cells, offset, ty);
            seen.push(value);
            written.push(initialised.all(&mut self.terms));
        }
        let all_written = written.iter().all(|term| self.terms.as_bool(*term) == Some(true));
        let known_value = known
            .as_ref()
            .map(|known| self.decode_cell(before, &known.value, ty));
        let fresh = self.arbitrary(before.path, ty, &seen, known_value.as_ref(), created)?;
        let known_flag = known.as_ref().map(|known| known.initialised.clone());
        let is_written = match &known_flag {
            Some(Initialised::Whole(term)) => self.terms.as_bool(*term) == Some(true),
            _ => false,
        };
        let flag_changes = known_flag.is_none() || !all_written && is_written;
        if fresh.is_none() && !flag_changes {
            return Ok(false);
        }
        let value = match fresh {
            Some(value) => self.encode_cell(&value, ty),
            None => known
                .as_ref()
                .map(|known| known.value.clone())
                .unwrap_or_else(|| self.encode_cell(&seen[0], ty)),
        };
        let initialised = match (known_flag, all_written) {
            (Some(flag), _) if !flag_changes => flag,
            (_, true) => Initialised::Whole(self.terms.true_()),
            (_, false) => Initialised::Whole(self.fresh_variable("written", Sort::Bool)),
        };
        modified.cells.insert(
            (object, offset),
            Cell {
                value,
                bytes: cell.bytes,
                initialised,
            },
        );
        Ok(true)
    }

    /// Replaces overlapping modified cells by one cell per byte.
    fn split_modified(
        &mut self,
        modified: &mut Modified,
        object: ObjectId,
        mut offset: u64,
        mut end: u64,
        clash: &[u64],
    ) -> Result<bool, String> {
        for at in clash {
            if let Some(other) = modified.cells.remove(&(object, *at)) {
                offset = offset.min(*at);
                end = end.max(at + u64::from(other.bytes));
            }
        }
        for at in offset..end {
            let value = Value::Term(self.fresh_variable("any", Sort::BitVec(8)));
            let flag = self.fresh_variable("written", Sort::Bool);
            let cell = Cell {
                value,
                bytes: 1,
                initialised: Initialised::Whole(flag),
            };
            modified.cells.insert((object, at), cell);
        }
        Ok(true)
    }
}
