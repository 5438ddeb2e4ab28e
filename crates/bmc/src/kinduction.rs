//! k-induction for loops that do not end within a bound.
//!
//! Idea: a run of the program in which each such loop is entered twice. Once as it is, for its first `k`
//! iterations, everything checked. And once in a state that stands for the start of any iteration:
//! whatever the loop may modify holds any value. From there `k` iterations run in which the
//! properties are assumed (what leaves the loop meanwhile is dropped), then one more in which they are
//! checked, as is all that follows the loop. Every iteration of a real run is one of the first
//! `k`, or comes after `k` iterations without a violation; so what this run does not violate, no
//! run of the program violates. It needs no base case of its own, works for any number of loops at
//! once, nested ones too, and proves each property by itself.
//!
//! What a loop may modify is found by executing its body, comparing the state after with the state
//! before, making what differs arbitrary, and repeating until nothing else differs.
//!
//! Source: Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver
//! (FMCAD 2000); Donaldson, Haller, Kroening, Rümmer: Software verification using k-induction
//! (SAS 2011) for the split at the loop.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kripke_elts::{FunctionId, Id, LocationId, Type, VariableId};
use kripke_model::Reason;
use kripke_smt::{Sort, TermId};

use crate::contents::{ArrayContents, Cell, Contents, Initialised, ObjectState};
use crate::engine::{Activation, Engine, Key};
use crate::graph::Graph;
use crate::object::{ObjectId, ObjectKind};
use crate::path::PathId;
use crate::persistent::PersistentMap;
use crate::range::Ranges;
use crate::record::{Cut, CutPath};
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value};

/// The number of the first iteration that starts in an arbitrary state.
const ARBITRARY: u32 = 1 << 28;
/// How often the set of modified places may grow.
const MAX_ROUNDS: usize = 60;

/// What the run treats by induction.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    /// How many iterations are assumed.
    pub k: u32,
    /// Which loops.
    pub loops: BTreeSet<(FunctionId, u32)>,
    /// For each place where a loop creates objects that die in its body: one that did.
    pub(crate) dangling: Vec<(ObjectKind, ObjectId)>,
    /// Why it cannot be done.
    pub failed: Option<String>,
}

/// What is to happen to a state at the head of a loop.
pub(crate) enum HeadAction {
    /// The loop is none of those.
    Ordinary,
    /// The iteration runs.
    Run,
    /// The state is covered by another.
    Drop,
}

/// The objects that a loop's body creates, and those that live at its end.
#[derive(Clone, Copy)]
struct Created<'s> {
    first: usize,
    after: &'s PersistentMap<ObjectState>,
}

/// The places a loop may modify, and what they hold at the start of any iteration.
#[derive(Default)]
struct Modified {
    variables: BTreeMap<u64, Value>,
    cells: BTreeMap<(ObjectId, u64), Cell>,
    arrays: BTreeMap<ObjectId, ArrayContents>,
    freed: BTreeMap<ObjectId, TermId>,
    rounding: Option<TermId>,
}

impl Engine<'_> {
    /// Executes the program with the loops treated by induction; false when that cannot be done.
    pub fn run_induction(
        &mut self,
        bound: u32,
        k: u32,
        loops: &BTreeSet<(FunctionId, u32)>,
    ) -> Result<bool, Reason> {
        self.induction = Some(Induction {
            k,
            loops: loops.clone(),
            dangling: Vec::new(),
            failed: None,
        });
        let result = self.run(bound);
        let induction = self.induction.take().unwrap_or_default();
        self.assuming = false;
        result?;
        Ok(induction.failed.is_none())
    }

    /// The loops at whose heads paths were cut.
    pub fn loops_of(&mut self, cuts: &[CutPath]) -> BTreeSet<(FunctionId, u32)> {
        let mut loops = BTreeSet::new();
        for path in cuts.iter().filter(|path| path.cut == Cut::Loop) {
            let graph = self.graphs.get(self.program, path.function);
            if let Some(of) = graph.innermost[path.location.index()] {
                loops.insert((path.function, of));
            }
        }
        loops
    }

    /// Does the iteration of some loop in a key assume its properties?
    pub(crate) fn assumes(&mut self, key: &[u32]) -> bool {
        let Some(k) = self.induction.as_ref().map(|induction| induction.k) else {
            return false;
        };
        let iterations = key[..key.len() - 1].iter().skip(1).step_by(2);
        let top = self.top();
        top.assuming
            || iterations
                .into_iter()
                .any(|at| (ARBITRARY..ARBITRARY + k).contains(at))
    }

    /// Does the transition leave a loop in an iteration that is only assumed?
    pub(crate) fn leaves_assumed(
        &self,
        graph: &Graph,
        location: LocationId,
        target: LocationId,
        key: &[u32],
    ) -> bool {
        let Some(induction) = &self.induction else {
            return false;
        };
        graph.chain(location).iter().enumerate().any(|(depth, of)| {
            let iteration = key[2 * depth + 1];
            (ARBITRARY..ARBITRARY + induction.k).contains(&iteration) && !graph.contains(*of, target)
        })
    }

    /// What becomes of a state at the head of a loop. At its first iteration, an arbitrary state is put
    /// beside it.
    pub(crate) fn induction_head(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        state: &mut State,
    ) -> HeadAction {
        let top = self.top();
        let (function, plain) = (top.function, top.plain_loop == Some(of));
        let Some(induction) = &self.induction else {
            return HeadAction::Ordinary;
        };
        if plain || !induction.loops.contains(&(function, of)) {
            return HeadAction::Ordinary;
        }
        let k = induction.k;
        let at = key.len() - 2;
        match key[at] {
            0 => {
                let Some(arbitrary) = self.arbitrary_iteration(graph, of, key, state) else {
                    return HeadAction::Drop;
                };
                let real = self.fresh_variable("first iterations", Sort::Bool);
                let other = self.terms.not(real);
                let paths = (
                    self.paths.extend(&mut self.terms, state.path, real),
                    self.paths.extend(&mut self.terms, state.path, other),
                );
                let (Some(first), Some(any)) = paths else {
                    return HeadAction::Drop;
                };
                state.path = first;
                let mut later = key.to_vec();
                later[at] = ARBITRARY;
                self.top().pending.insert(
                    later,
                    State {
                        path: any,
                        ..arbitrary
                    },
                );
                HeadAction::Run
            }
            iteration if iteration < k => HeadAction::Run,
            iteration if (ARBITRARY..=ARBITRARY + k).contains(&iteration) => HeadAction::Run,
            _ => HeadAction::Drop,
        }
    }

    fn give_up(&mut self, why: &str) {
        if let Some(induction) = &mut self.induction {
            induction.failed.get_or_insert_with(|| why.to_string());
        }
    }

    /// A state that stands for the start of any iteration of the loop that the state enters.
    fn arbitrary_iteration(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        entry: &State,
    ) -> Option<State> {
        let mut modified = Modified::default();
        for _ in 0..MAX_ROUNDS {
            if self
                .induction
                .as_ref()
                .is_some_and(|induction| induction.failed.is_some())
            {
                return None;
            }
            let before = self.apply(entry, &modified);
            let known_objects = self.objects.len();
            let after = match self.run_body(graph, of, key, before.clone()) {
                Ok(after) => after,
                Err(why) => {
                    self.give_up(&why);
                    return None;
                }
            };
            let Some(after) = after else { return Some(before) };
            let created = Created {
                first: known_objects,
                after: &after.memory,
            };
            match self.extend(graph, of, &mut modified, &before, &after, created) {
                Ok(false) => return Some(before),
                Ok(true) => {}
                Err(why) => {
                    self.give_up(&why);
                    return None;
                }
            }
        }
        self.give_up("what the loop modifies keeps growing");
        None
    }

    /// Executes one iteration from a state; the merged state at the start of the next one.
    fn run_body(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        state: State,
    ) -> Result<Option<State>, String> {
        let (record, cursor) = (std::mem::take(&mut self.record), self.cursor.clone());
        let number = self.fresh_name();
        let context = self.names.fresh(&[u32::MAX - 2, number]);
        let top = self.top();
        let activation = Activation {
            function: top.function,
            graph: graph.clone(),
            context,
            pending: BTreeMap::from([(key.to_vec(), state)]),
            work: Vec::new(),
            waiting: None,
            exit: None,
            loops: Default::default(),
            stack_objects: Vec::new(),
            uninitialised: top.uninitialised.clone(),
            branches: top.branches,
            recursion: top.recursion,
            assuming: top.assuming,
            plain_loop: Some(of),
        };
        self.stack.push(activation);
        let depth = self.stack.len();
        let at = key.len() - 2;
        let next: Key = [&key[..at], &[key[at] + 1], &key[at + 1..]].concat();
        let mut steps = 0u64;
        let result = loop {
            if self.stack.len() == depth {
                let top = self.top();
                let first = top.pending.first_key_value().map(|(key, _)| key.clone());
                let inside = first.is_some_and(|first| first < next && first.starts_with(&key[..=at]));
                if top.work.is_empty() && !inside {
                    break Ok(top.pending.remove(&next));
                }
            }
            steps += 1;
            if steps.is_multiple_of(64)
                && let Err(reason) = crate::limits::check(self.options, steps.is_multiple_of(1024))
            {
                break Err(format!("{reason:?}"));
            }
            self.step();
        };
        self.stack.truncate(depth - 1);
        self.cursor = cursor;
        let inner = std::mem::replace(&mut self.record, record);
        if inner.cuts.iter().any(|path| path.cut.is_unwinding()) {
            return Err("a loop or recursion inside the loop goes on past its bound".to_string());
        }
        result
    }

    /// The state with arbitrary values in the modified places.
    fn apply(&mut self, entry: &State, modified: &Modified) -> State {
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
                entry.contents = Contents::Array(*array);
            } else if let Contents::Cells(cells) = &mut entry.contents {
                for ((_, offset), cell) in modified.cells.range((object, 0)..=(object, u64::MAX)) {
                    self.write_cells(&state, object, cells, *offset, cell, truth);
                }
            }
            state.memory.set(object.key(), entry);
        }
        state
    }

    /// Adds what differs between the start and the end of an iteration; false when nothing new does.
    fn extend(
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
                objects.push((ObjectId(key as u32), x.cloned(), y.cloned()));
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
                (None, Some(y)) => self.created_in_body(object, y.freed)?,
                _ => return Err("an object ends its life in the loop".to_string()),
            }
        }
        Ok(changed)
    }

    /// An object that the body creates and nothing refers to afterwards matters only for leaks.
    fn created_in_body(&mut self, object: ObjectId, freed: TermId) -> Result<(), String> {
        let heap = matches!(self.objects[object.0 as usize].kind, ObjectKind::Heap(_));
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
        if modified.arrays.contains_key(&object) || x == y {
            return Ok(false);
        }
        let (Contents::Cells(a), Contents::Cells(b)) = (x, y) else {
            let like = match (x, y) {
                (Contents::Array(array), _) | (_, Contents::Array(array)) => *array,
                _ => return Ok(false),
            };
            modified.arrays.insert(object, self.arbitrary_array(&like));
            return Ok(true);
        };
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

    fn arbitrary_array(&mut self, like: &ArrayContents) -> ArrayContents {
        let sort = Sort::Array {
            index: like.index_bits,
            element: like.element_bytes * 8,
        };
        let data = self.fresh_variable("any", sort);
        let initialised = like.initialised.map(|_| {
            let sort = Sort::Array {
                index: like.index_bits,
                element: like.element_bytes,
            };
            self.fresh_variable("written", sort)
        });
        ArrayContents {
            data,
            initialised,
            ..*like
        }
    }

    /// Any value of a type that was seen to change; `None` when `known` covers what was seen already.
    fn arbitrary(
        &mut self,
        path: PathId,
        ty: Type,
        seen: &[Value],
        known: Option<&Value>,
        created: Created<'_>,
    ) -> Result<Option<Value>, String> {
        if ty != Type::Pointer {
            if known.is_some() {
                return Ok(None);
            }
            let number = self.fresh_name();
            return Ok(Some(self.unknown(&format!("any!{number}"), ty).1));
        }
        let mut offsets: BTreeMap<Target, Vec<TermId>> = BTreeMap::new();
        for value in seen.iter().chain(known) {
            for case in value.pointer().cases.clone() {
                let (target, offset) = match case.target {
                    Target::Object(object) if object.0 as usize >= created.first => {
                        self.dangling(object, created)?
                    }
                    target => (target, case.offset),
                };
                let seen = offsets.entry(target).or_default();
                if !seen.contains(&offset) {
                    seen.push(offset);
                }
            }
        }
        if let Some(known) = known
            && self.covers(path, known.pointer(), &offsets)
        {
            return Ok(None);
        }
        let mut rest = self.terms.true_();
        let mut cases = Vec::new();
        let count = offsets.len();
        for (index, (target, seen)) in offsets.into_iter().enumerate() {
            let guard = if index + 1 == count {
                rest
            } else {
                let chosen = self.fresh_variable("target", Sort::Bool);
                let guard = self.terms.and(rest, chosen);
                let other = self.terms.not(chosen);
                rest = self.terms.and(rest, other);
                guard
            };
            let offset = match seen[..] {
                [only] if self.terms.is_const(only) => only,
                _ => self.arbitrary_offset(path, &seen),
            };
            cases.push(Case {
                guard,
                target,
                offset,
            });
        }
        Ok(Some(Value::Pointer(Pointer::from_cases(&mut self.terms, cases))))
    }

    /// What stands for all pointers to objects that the body creates at one place and that die in it: a
    /// pointer to the first of them seen, which is dead, at any offset, so that no two are known to be equal.
    fn dangling(&mut self, object: ObjectId, created: Created<'_>) -> Result<(Target, TermId), String> {
        if created.after.get(object.key()).is_some() {
            return Err("the loop keeps a pointer to an object that it creates".to_string());
        }
        let kind = self.objects[object.0 as usize].kind;
        let number = self.fresh_name();
        let any = Sort::BitVec(self.pointer_width);
        let offset = self.terms.variable(&format!("offset!{number}"), any);
        let induction = self.induction.get_or_insert_default();
        let first = induction.dangling.iter().find(|first| first.0 == kind);
        let first = first.map_or(object, |first| first.1);
        if first == object {
            induction.dangling.push((kind, object));
        }
        Ok((Target::Object(first), offset))
    }

    /// The lowest bits that are zero in all of the offsets.
    fn zero_bits(&mut self, path: PathId, offsets: &[TermId]) -> u32 {
        let facts = self.facts(path);
        let mut ranges = Ranges::new(&self.terms, &facts);
        let bits = offsets.iter().map(|offset| {
            let interval = ranges.interval(*offset);
            (interval.low | interval.stride).trailing_zeros()
        });
        bits.min().unwrap_or(0).min(self.pointer_width - 1)
    }

    fn arbitrary_offset(&mut self, path: PathId, seen: &[TermId]) -> TermId {
        let zeros = self.zero_bits(path, seen);
        let width = self.pointer_width - zeros;
        let high = self.fresh_variable("offset", Sort::BitVec(width));
        if zeros == 0 {
            return high;
        }
        let low = self.terms.bv_u64(zeros, 0);
        self.terms.bv_concat(high, low)
    }

    /// Does a pointer made arbitrary before stand for all these targets and offsets?
    fn covers(&mut self, path: PathId, known: &Pointer, seen: &BTreeMap<Target, Vec<TermId>>) -> bool {
        seen.iter().all(|(target, offsets)| {
            let Some(case) = known.cases.iter().find(|case| case.target == *target) else {
                return false;
            };
            let others: Vec<TermId> = offsets
                .iter()
                .copied()
                .filter(|offset| *offset != case.offset)
                .collect();
            if others.is_empty() {
                return true;
            }
            !self.terms.is_const(case.offset) && {
                let known = self.zero_bits(path, &[case.offset]);
                self.zero_bits(path, &others) >= known
            }
        })
    }
}
