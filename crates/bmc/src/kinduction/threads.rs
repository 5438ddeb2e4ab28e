//! Induction over what all threads do: one abstract state for each way in which they may stand.
//!
//! Idea: between two choices of a thread a program with threads is at one of finitely many places of each of
//! them. For each such choice of places, and of what else holds one of few constants, an abstract state
//! stands for all states there: what was seen to hold more values than that is any value within bounds, a
//! pointer has the targets that it was seen to have. From each a thread goes on once; a state that comes of
//! that and is not covered makes the abstract state of its places larger, until none does. Then each is run
//! once more, and what this run does not violate, no run of the program violates.
//!
//! Invariant: at the end every state at which a thread is chosen is covered by an abstract state. What was
//! seen only ever makes abstract states larger.
//!
//! Source: P. Cousot, R. Cousot, Abstract interpretation (POPL 1977), widening to thresholds; the thresholds
//! are the program's constants.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use kripke_elts::{Expr, Id, StatementKind, Type, VariableId};
use kripke_smt::{Op, Sort, TermId};
use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Modified;
use super::arbitrary::Created;
use crate::contents::{Cell, Contents, Initialised, MAX_CELL};
use crate::engine::Engine;
use crate::graph::Graph;
use crate::object::{ObjectId, ObjectKind};
use crate::parting::Held;
use crate::path::PathId;
use crate::persistent::PersistentMap;
use crate::range::{Interval, Ranges};
use crate::state::State;
use crate::value::{Target, Value};

/// How many constants a place of a state may hold before it is any value.
const MOST_CONSTANTS: usize = 8;
/// Where there are more abstract states than that, one constant is.
const MANY_STATES: usize = 1500;
/// There are no more abstract states than that.
const MOST_STATES: usize = 6000;
/// How often they do before they have no end.
const THRESHOLDS: u32 = 8;
/// The widest numbers that have bounds.
const WIDEST: u32 = 64;
/// The type of the number that says from which abstract state a run goes on.
const SELECTOR_BITS: u32 = 16;

/// Part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Slot {
    Variable(u64),
    Cell(ObjectId, u64),
    Written(ObjectId, u64),
    Array(ObjectId),
    Freed(ObjectId),
    Exists(ObjectId),
}

/// Bounds of a number, and how often they grew.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bounds {
    low: i128,
    high: i128,
    growths: u32,
}

/// The least and the largest value of a part of states while a thread stands at a place.
type Hulls = FxHashMap<(Slot, (VariableId, TermId)), (i128, i128)>;

struct AbstractState {
    /// Without its bounds.
    state: State,
    /// What it does not fix.
    slots: Vec<Slot>,
    /// What stands for that.
    modified: Modified,
    bounds: BTreeMap<TermId, Bounds>,
}

/// All that is known of the states at which a thread is chosen.
struct Cover {
    states: Vec<AbstractState>,
    of: FxHashMap<Vec<Held>, usize>,
    /// Those that have grown since a thread last went on from them.
    grown: VecDeque<usize>,
    /// What holds more than a few constants.
    varying: FxHashSet<Slot>,
    constants: FxHashMap<Slot, FxHashSet<Held>>,
    /// The cells that some state has: all have them.
    cells: BTreeMap<(ObjectId, u64), Type>,
    /// How many that are.
    most_constants: usize,
    /// What bounds grow to.
    widening: Widening,
}

/// How far the bounds of a part of states grow, in all abstract states together.
#[derive(Default)]
struct Widening {
    /// The numbers at which they stop, with the width in which the program has them, rising.
    thresholds: BTreeSet<(i128, u32)>,
    /// The bounds of all, and how often they grew to a threshold.
    widest: FxHashMap<Slot, Bounds>,
}

/// What is executed after an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    LeaveLoop,
}

/// The loop in which threads are chosen.
struct Hub<'h> {
    graph: &'h Rc<Graph>,
    of: u32,
    key: &'h Rc<[u32]>,
}

impl Engine<'_> {
    /// Finds what covers all states that come of one at which the first thread is chosen, and runs it once.
    pub(super) fn cover_threads(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        first: &State,
    ) -> Result<(), String> {
        let hub = Hub { graph, of, key };
        let mut cover = Cover {
            states: Vec::new(),
            of: FxHashMap::default(),
            grown: VecDeque::new(),
            varying: FxHashSet::default(),
            constants: FxHashMap::default(),
            cells: BTreeMap::new(),
            most_constants: MOST_CONSTANTS,
            widening: Widening {
                thresholds: self.thresholds(),
                ..Widening::default()
            },
        };
        let record = std::mem::take(&mut self.run.record);
        let found = self.grow(&hub, &mut cover, first);
        let narrow = |engine: &mut Self, cover: &mut Cover| engine.narrow(&hub, cover, first);
        let found = found.and_then(|()| narrow(self, &mut cover));
        let found = found.and_then(|()| narrow(self, &mut cover));
        self.run.record = record;
        found?;
        self.run_cover(&hub, &mut cover, first)
    }

    /// Until all that threads do from abstract states is covered.
    fn grow(&mut self, hub: &Hub<'_>, cover: &mut Cover, first: &State) -> Result<(), String> {
        self.come_to_hub(hub, cover, None, first.clone())?;
        let mut detail = cover.detail();
        loop {
            if detail != cover.detail() || cover.states.len() > cover.most_states() {
                self.tell_apart_again(hub, cover)?;
                detail = cover.detail();
            }
            let Some(index) = cover.grown.pop_front() else {
                return Ok(());
            };
            self.run.record = Default::default();
            let path = self.run.paths.root();
            let Some(state) = self.within_bounds(&cover.states[index], path) else {
                continue;
            };
            let from = Some(state.path);
            for after in self.one_iteration(hub, state, Then::Nothing)? {
                self.come_to_hub(hub, cover, from, after)?;
            }
        }
    }

    /// Bounds that grew too far shrink: while a thread stays at a place, a number is what it was when the
    /// thread came there, or what was written since.
    fn narrow(&mut self, hub: &Hub<'_>, cover: &mut Cover, first: &State) -> Result<(), String> {
        let mut first = first.clone();
        self.add_cells(cover, &mut first);
        let varying = cover.varying.clone();
        let mut hulls = Hulls::default();
        self.note_change(&varying, None, &first, &mut hulls);
        for index in 0..cover.states.len() {
            self.run.record = Default::default();
            let path = self.run.paths.root();
            let Some(state) = self.within_bounds(&cover.states[index], path) else {
                continue;
            };
            for mut after in self.one_iteration(hub, state.clone(), Then::Nothing)? {
                self.forget_what_is_over(hub, &mut after);
                self.add_cells(cover, &mut after);
                self.note_change(&varying, Some(&state), &after, &mut hulls);
            }
        }
        for of in &mut cover.states {
            let places = self.places_in(&of.state);
            for slot in &of.slots {
                let number = number_in(&of.state, *slot);
                let Some(bounds) = number.and_then(|number| of.bounds.get_mut(&number)) else {
                    continue;
                };
                for (low, high) in places.iter().filter_map(|place| hulls.get(&(*slot, *place))) {
                    bounds.low = bounds.low.max(*low);
                    bounds.high = bounds.high.min(*high);
                }
            }
        }
        Ok(())
    }

    /// Where each thread stands.
    fn places_in(&self, state: &State) -> Vec<(VariableId, TermId)> {
        let places = self.parting.threads.places().iter();
        let at = places.filter_map(|place| match state.frame.get(place.index() as u64) {
            Some(Value::Term(at)) => Some((*place, *at)),
            _ => None,
        });
        at.collect()
    }

    /// Notes the numbers that a state has and the one before it had not, where threads stayed; and all where
    /// they came to their places.
    fn note_change(
        &mut self,
        varying: &FxHashSet<Slot>,
        before: Option<&State>,
        after: &State,
        hulls: &mut Hulls,
    ) {
        let facts = self.facts(after.path);
        let mut ranges = Ranges::new(&self.terms, &facts);
        let stood = before.map(|before| self.places_in(before)).unwrap_or_default();
        let places = self.places_in(after);
        for slot in varying {
            let Some(number) = number_in(after, *slot) else {
                continue;
            };
            let Sort::BitVec(..=WIDEST) = self.terms.sort(number) else {
                continue;
            };
            let was_there = before.and_then(|before| number_in(before, *slot)) == Some(number);
            for place in places.iter().filter(|place| !was_there || !stood.contains(place)) {
                let interval = ranges.interval(number);
                let hull = hulls
                    .entry((*slot, *place))
                    .or_insert((interval.low, interval.high));
                *hull = (hull.0.min(interval.low), hull.1.max(interval.high));
            }
        }
    }

    /// Where more turned out to vary: the same states, of which some are covered by one now.
    fn tell_apart_again(&mut self, hub: &Hub<'_>, cover: &mut Cover) -> Result<(), String> {
        if cover.states.len() > cover.most_states() {
            cover.most_constants = 1;
        }
        let states = std::mem::take(&mut cover.states);
        let waiting: BTreeSet<usize> = std::mem::take(&mut cover.grown).into_iter().collect();
        cover.of.clear();
        for (index, of) in states.iter().enumerate() {
            let path = self.run.paths.root();
            let Some(state) = self.within_bounds(of, path) else {
                continue;
            };
            let before = cover.states.len();
            self.come_to_hub(hub, cover, None, state)?;
            // What goes on from one state alone is covered already.
            if before < cover.states.len() && !waiting.contains(&index) {
                cover.grown.retain(|grown| *grown != before);
            }
        }
        Ok(())
    }

    /// A thread goes on once from each abstract state, everything checked; what comes of it must be covered.
    fn run_cover(&mut self, hub: &Hub<'_>, cover: &mut Cover, first: &State) -> Result<(), String> {
        let selector = self.fresh_variable("abstract state", Sort::BitVec(SELECTOR_BITS));
        let mut heads = Vec::new();
        for index in 0..cover.states.len() {
            let number = self.terms.bv_u64(SELECTOR_BITS, index as u64);
            let chosen = self.terms.eq(selector, number);
            let path = self.run.paths.root();
            let path = self.run.paths.extend(&mut self.terms, path, chosen);
            let path = path.ok_or("no path")?;
            let function = self.top().function;
            let modified = &cover.states[index].modified;
            heads.push((
                path,
                self.note_abstract_head(function, hub.of, index as u32, path, modified),
            ));
        }
        let mut arrivals = vec![(None, first.clone())];
        for (index, (path, _)) in heads.iter().enumerate() {
            if let Some(state) = self.within_bounds(&cover.states[index], *path) {
                let from = Some(state.path);
                let after = self.one_iteration(hub, state, Then::LeaveLoop)?.into_iter();
                arrivals.extend(after.map(|state| (from, state)));
            }
        }
        for (from, arrival) in arrivals {
            let Some((index, arrival)) = self.come_to_hub(hub, cover, from, arrival)? else {
                continue;
            };
            if !cover.grown.is_empty() {
                return Err("the abstract states of threads do not cover all".to_string());
            }
            self.note_abstract_arrival(heads[index].1, &arrival);
        }
        Ok(())
    }

    /// The states at the start of the next iteration.
    fn one_iteration(&mut self, hub: &Hub<'_>, state: State, and_then: Then) -> Result<Vec<State>, String> {
        let cursor = self.run.cursor.clone();
        let depth = self.run.stack.len();
        let mut result = self.run_iteration(hub.graph, hub.of, hub.key, state);
        if result.is_ok()
            && and_then == Then::LeaveLoop
            && let Err(why) = self.run_what_left(depth + 1)
        {
            result = Err(why);
        }
        self.run.stack.truncate(depth);
        self.run.cursor = cursor;
        if self.run.record.cuts.iter().any(|path| path.cut.is_unwinding()) {
            return Err("a loop or recursion of a thread goes on past its bound".to_string());
        }
        result
    }

    /// Executes what left the loop: the questions whether threads wait for each other or race, and ends.
    fn run_what_left(&mut self, depth: usize) -> Result<(), String> {
        let mut steps = 0u64;
        loop {
            let is_top = self.run.stack.len() == depth;
            let top = self.top();
            if is_top && top.work.is_empty() && top.pending.is_empty() {
                return Ok(());
            }
            steps += 1;
            if steps.is_multiple_of(64) {
                self.may_go_on(steps).map_err(|reason| format!("{reason:?}"))?;
            }
            self.step();
        }
    }

    /// An abstract state with its bounds, on a path; `None` where nothing is within them.
    fn within_bounds(&mut self, of: &AbstractState, path: PathId) -> Option<State> {
        let mut state = of.state.clone();
        let mut path = path;
        for slot in &of.slots {
            let number = match number_in(&of.state, *slot) {
                Some(number) => number,
                None => continue,
            };
            let Some(bounds) = of.bounds.get(&number) else {
                continue;
            };
            let width = self.terms.width(number);
            let low = self.terms.bv(BitVec::from_i128(width, bounds.low));
            if bounds.low == bounds.high {
                set_number(&mut state, *slot, low);
                continue;
            }
            let high = self.terms.bv(BitVec::from_i128(width, bounds.high));
            let above = self.terms.bv_sle(low, number);
            let below = self.terms.bv_sle(number, high);
            for condition in [above, below] {
                path = self.run.paths.extend(&mut self.terms, path, condition)?;
            }
        }
        state.path = path;
        Some(state)
    }

    /// A state comes to where a thread is chosen: its abstract state covers it from now on. Which one that
    /// is, and the state without what is over; nothing where no run comes there from the path of another.
    fn come_to_hub(
        &mut self,
        hub: &Hub<'_>,
        cover: &mut Cover,
        from: Option<PathId>,
        mut state: State,
    ) -> Result<Option<(usize, State)>, String> {
        self.forget_what_is_over(hub, &mut state);
        self.add_cells(cover, &mut state);
        self.decide_truths(&mut state);
        let (key, slots) = self.key_of(cover, &state)?;
        let known = cover.of.get(&key).copied();
        let is_covered = match known {
            Some(index) => self.cover_state(&mut cover.states[index], &state, None)?,
            None => false,
        };
        if is_covered {
            return Ok(known.map(|index| (index, state)));
        }
        if self.is_in_vain(from, state.path, known.is_none()) {
            return Ok(None);
        }
        let index = match known {
            Some(index) => {
                self.cover_state(&mut cover.states[index], &state, Some(&mut cover.widening))?;
                index
            }
            None => {
                if cover.states.len() > MOST_STATES {
                    return Err(format!("more than {MOST_STATES} abstract states of threads"));
                }
                let new = self.abstracted(&state, slots, &mut cover.widening)?;
                cover.states.push(new);
                cover.of.insert(key, cover.states.len() - 1);
                cover.states.len() - 1
            }
        };
        if !cover.grown.contains(&index) {
            cover.grown.push_back(index);
        }
        Ok(Some((index, state)))
    }

    /// Is it known that no run goes from one path to another? Where that would be something new, the solver is
    /// asked, if numbers that have bounds decide it.
    fn is_in_vain(&mut self, from: Option<PathId>, path: PathId, is_new: bool) -> bool {
        let Some(from) = from else {
            return false;
        };
        if self.facts(path).contradict_each_other() {
            return true;
        }
        let conditions = self.run.paths.since(from, path);
        let variables = self.terms.variables_of(&conditions);
        let facts = self.facts(from);
        is_new && variables.iter().any(|variable| facts.speaks_of(*variable)) && self.is_excluded(path)
    }

    /// Variables that nothing reads any more, and dead objects to which nothing points.
    fn forget_what_is_over(&mut self, hub: &Hub<'_>, state: &mut State) {
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

    /// Truths of which only one is possible are constants.
    fn decide_truths(&mut self, state: &mut State) {
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
    fn add_cells(&mut self, cover: &mut Cover, state: &mut State) {
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
    fn key_of(&mut self, cover: &mut Cover, state: &State) -> Result<(Vec<Held>, Vec<Slot>), String> {
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
                    parts.add_value(Slot::Cell(object, offset), &cell.value);
                    let slot = Slot::Written(object, offset);
                    match &cell.initialised {
                        Initialised::Whole(term) => parts.add_truth(slot, *term),
                        Initialised::Bytes(_) => parts.add_any(slot),
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
            }
            parts.key.push(Held::Nothing);
        });
        Ok((parts.key, parts.slots))
    }

    /// The abstract state of a first one.
    fn abstracted(
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
                    let any = any.ok_or("a value that stands for others already")?;
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
                    let any = any.ok_or("a value that stands for others already")?;
                    let value = self.encode_cell(&any, ty);
                    set_cell(&mut new.state, object, offset, Cell { value, ..cell });
                }
                Slot::Written(object, offset) => {
                    let cell = cell_of(&new.state, object, offset).ok_or("a cell that is not there")?;
                    let initialised = Initialised::Whole(self.fresh_variable("written", Sort::Bool));
                    set_cell(&mut new.state, object, offset, Cell { initialised, ..cell });
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

    /// Makes an abstract state cover another state of its form, where bounds may grow to thresholds; true
    /// where it did before. Without thresholds nothing is changed.
    fn cover_state(
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
                    match self.arbitrary(state.path, ty, seen, Some(&own), all_known(state))? {
                        None => true,
                        Some(larger) => {
                            if widening.is_some() {
                                replace(known, slot, larger);
                            }
                            false
                        }
                    }
                }
                _ => return Err("a number where others have a pointer".to_string()),
            };
        }
        Ok(is_covered)
    }

    /// The same for a number.
    fn join_number(
        &mut self,
        bounds: &mut BTreeMap<TermId, Bounds>,
        (own, other): (TermId, TermId),
        path: PathId,
        widening: Option<(Slot, &mut Widening)>,
    ) -> bool {
        let width = match self.terms.sort(own) {
            Sort::BitVec(width) if width <= WIDEST && matches!(self.terms.op(own), Op::Variable(_)) => width,
            _ => return true,
        };
        let facts = self.facts(path);
        let Interval { low, high, .. } = Ranges::new(&self.terms, &facts).interval(other);
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
                Some(known) => widening.grown(slot, known, (low, high), width),
            };
            widening.note(slot, grown);
            bounds.insert(own, grown);
        }
        false
    }

    /// The constants of the program and their neighbours, but for those that say where threads stand.
    fn thresholds(&self) -> BTreeSet<(i128, u32)> {
        let mut found = BTreeSet::new();
        let is_place = |expr: &Expr| match expr {
            Expr::Variable(variable) => self.parting.threads.is_place(*variable),
            _ => false,
        };
        let woven = self.parting.threads.woven();
        for (id, function) in self.program.functions.enumerate() {
            let in_woven = Some(id) == woven;
            let mut note = |expr: &Expr| {
                expr.walk(&mut |part| {
                    let children = part.children().collect::<Vec<_>>();
                    if in_woven && children.iter().any(|child| is_place(child)) {
                        return;
                    }
                    for child in children.into_iter().chain((part.size() == 1).then_some(part)) {
                        if let Expr::Int(value) = child {
                            let unsigned = value.to_u128().map(|value| value as i128);
                            for constant in value.to_i128().into_iter().chain(unsigned) {
                                let near = [constant.saturating_sub(1), constant, constant.saturating_add(1)];
                                found.extend(near.map(|constant| (constant, value.width())));
                            }
                        }
                    }
                });
            };
            for transition in function.transitions() {
                note(&transition.guard);
                for statement in &transition.statements {
                    let is_move = match &statement.kind {
                        StatementKind::Assign { target, .. } => is_place(&Expr::Variable(*target)),
                        _ => false,
                    };
                    if !in_woven || !is_move {
                        statement.kind.each_expr(&mut note);
                    }
                }
            }
        }
        found
    }
}

impl Widening {
    /// Bounds that include others: two times of three just so, as what is added to a constant often stops there;
    /// else as far as those of other abstract states or to the next threshold, and where that was in vain some
    /// times, to the end.
    fn grown(&mut self, slot: Slot, known: Bounds, (low, high): (i128, i128), width: u32) -> Bounds {
        let least = -(1i128 << (width - 1));
        let most = -least - 1;
        let mut new = Bounds {
            low: known.low.min(low),
            high: known.high.max(high),
            growths: known.growths + 1,
        };
        if known.growths % 3 != 1 {
            return new;
        }
        let widest = self.widest.get(&slot).copied().unwrap_or(known);
        let fits = |threshold: &&(i128, u32)| threshold.1 >= width;
        let mut steps = widest.growths;
        if low < known.low {
            new.low = match widest.low <= new.low {
                true => widest.low,
                false => {
                    steps += 1;
                    let mut below = self.thresholds.range(..(new.low, u32::MAX)).rev();
                    let next = below.find(fits).map(|threshold| threshold.0);
                    next.filter(|_| steps <= THRESHOLDS).unwrap_or(least).max(least)
                }
            };
        }
        if high > known.high {
            new.high = match widest.high >= new.high {
                true => widest.high,
                false => {
                    steps += 1;
                    let mut above = self.thresholds.range((new.high, 0)..);
                    let next = above.find(fits).map(|threshold| threshold.0);
                    next.filter(|_| steps <= THRESHOLDS).unwrap_or(most).min(most)
                }
            };
        }
        if let Some(widest) = self.widest.get_mut(&slot) {
            widest.growths = steps;
        }
        new
    }

    fn note(&mut self, slot: Slot, bounds: Bounds) {
        let none = Bounds { growths: 0, ..bounds };
        let widest = self.widest.entry(slot).or_insert(none);
        widest.low = widest.low.min(bounds.low);
        widest.high = widest.high.max(bounds.high);
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
            self.key.push(Held::At(1));
            return self.add_truth(slot, *truth);
        }
        let held = self.engine.held_value(Some(value));
        let form = match value {
            Value::Pointer(_) => 0,
            Value::Term(term) => match self.engine.terms.sort(*term) {
                Sort::Float(format) => 1 << 32 | u64::from(format.bits()),
                sort => 2 << 32 | u64::from(sort.width()),
            },
        };
        self.key.push(Held::At(form));
        self.add(slot, held);
    }

    /// What is true or false of an object stays told apart, as it mostly is where threads stand elsewhere.
    fn add_truth(&mut self, slot: Slot, truth: TermId) {
        if self.engine.terms.is_const(truth) && !self.cover.varying.contains(&slot) {
            return self.key.push(Held::Number(truth));
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
    fn most_states(&self) -> usize {
        match self.most_constants {
            1 => MOST_STATES,
            _ => MANY_STATES,
        }
    }

    /// By how much states are told apart: it only ever grows.
    fn detail(&self) -> usize {
        self.varying.len() + self.cells.len()
    }

    /// Has a part of states more than a few constants?
    fn is_varying(&mut self, slot: Slot, held: Held) -> bool {
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

impl Engine<'_> {
    /// Does it say where a thread or a monitor stands?
    fn is_place(&self, slot: Slot) -> bool {
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

fn cell_of(state: &State, object: ObjectId, offset: u64) -> Option<Cell> {
    match &state.memory.get(object.key())?.contents {
        Contents::Cells(cells) => cells.get(offset).cloned(),
        Contents::Array(_) => None,
    }
}

fn set_cell(state: &mut State, object: ObjectId, offset: u64, cell: Cell) {
    let Some(mut entry) = state.memory.get(object.key()).cloned() else {
        return;
    };
    if let Contents::Cells(cells) = &mut entry.contents {
        cells.set(offset, cell);
    }
    state.memory.set(object.key(), entry);
}

/// The number in a part of a state.
fn number_in(state: &State, slot: Slot) -> Option<TermId> {
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

fn set_number(state: &mut State, slot: Slot, number: TermId) {
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
