//! Which states are kept apart where paths meet.
//!
//! Idea: one state of all paths that meet is cheap to go on with, unless they differ in a position, such as
//! how much of the input was read: then each access at that position is a choice among all places, and so is
//! what is decided by it. So states whose positions ([`crate::positions`]) are constants that differ stay
//! apart ([`crate::choices`]: where paths have met already, they part). The memory cells that are positions
//! show when they are read into one ([`crate::position_cells`]).
//!
//! Invariant: states that are kept apart are what they were; what is decided here costs time or saves it,
//! never a verdict.
//!
//! Source: V. Kuznetsov et al., "Efficient State Merging in Symbolic Execution" (PLDI 2012).

use std::collections::BTreeSet;

use kripke_elts::{Expr, FunctionId, Id, LocationId, Program, VariableId};
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::activation::Key;
use crate::contents::{ArrayContents, Contents};
use crate::engine::Engine;
use crate::graph::Graph;
use crate::object::ObjectId;
use crate::options::Options;
use crate::position_cells::{PositionCells, Slot};
use crate::positions::Positions;
use crate::progress::Advance;
use crate::state::State;
use crate::threads::ThreadStates;
use crate::value::{Case, Pointer, Target, Value};

/// How many states may be apart at one location and iteration. Where they were more, the run begins again and
/// merges all in that function: late, when they differ in much, is the worst time for it.
const MAX_PARTS: usize = 1024;
/// How often a run keeps a state apart from those that it meets, before the same happens to the function in
/// which it did so most often.
const MAX_IN_A_RUN: u64 = 1 << 15;
/// In how many functions that may happen before states are merged everywhere.
const MAX_MERGING: usize = 2;
/// In how many objects of a kind a cell is looked at.
const MAX_OBJECTS: usize = 64;

/// What a state has in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Held {
    /// Nothing.
    Nothing,
    /// No constant.
    Any,
    /// Which variable, object or offset it is that is told of next.
    At(u64),
    /// A constant.
    Number(TermId),
    /// A pointer to one place.
    Place(Target, TermId),
}

/// How much is known of positions: of variables, and of cells.
pub(crate) type Learned = (usize, usize);

/// What is known of positions.
pub(crate) struct Parting {
    positions: Positions,
    /// What is known of threads.
    pub threads: ThreadStates,
    /// The cells that are positions.
    cells: PositionCells,
    /// How often this run has kept a state apart from those that it met, by the function where that was.
    pub kept: FxHashMap<FunctionId, u64>,
    /// The functions in which there were too many: from now on those in them are merged.
    merging: BTreeSet<FunctionId>,
    /// How far loops have come.
    pub advance: Advance,
}

impl Parting {
    /// What the program's text says.
    pub fn new(program: &Program, options: &Options) -> Self {
        Parting {
            positions: Positions::new(program),
            threads: ThreadStates::new(program, options),
            cells: PositionCells::default(),
            kept: FxHashMap::default(),
            merging: BTreeSet::new(),
            advance: Advance::default(),
        }
    }

    /// Another run begins.
    pub fn start_run(&mut self) {
        self.kept.clear();
        self.threads.start_run();
        self.advance.start_run();
    }

    /// How much is known of positions.
    pub fn learned(&self) -> Learned {
        (self.positions.count(), self.cells.slots().count())
    }

    /// Which states are kept apart: a run in which that changes begins again.
    pub fn apart(&self) -> (usize, u8) {
        (self.merging.len(), self.threads.level())
    }

    /// Were there too many in several functions, so that all are merged?
    pub fn gave_up(&self) -> bool {
        self.merging.len() > MAX_MERGING
    }

    /// So many states are kept apart in a function from those that they would have met.
    pub fn keep(&mut self, function: FunctionId, count: u64) {
        *self.kept.entry(function).or_default() += count;
        if self.kept() > MAX_IN_A_RUN {
            let most = self
                .kept
                .iter()
                .max_by_key(|(function, kept)| (**kept, **function));
            self.merging.extend(most.map(|(function, _)| *function));
        }
    }

    /// The cells that are positions.
    pub fn cells(&self) -> impl Iterator<Item = Slot> + '_ {
        self.cells.slots()
    }

    /// How often the run has kept a state apart from those that it met.
    pub fn kept(&self) -> u64 {
        self.kept.values().sum()
    }
}

impl Engine<'_> {
    /// Are states kept apart in this run? Temporal formulas look at one state per loop head.
    fn parts_states(&self) -> bool {
        self.options.parting && self.monitors.is_empty() && !self.parting.gave_up()
    }

    /// May they be at a location?
    pub(crate) fn may_part(&mut self, graph: &Graph, location: LocationId) -> bool {
        let function = self.top().function;
        let merges = self.top().merges || self.parting.merging.contains(&function);
        self.parts_states() && !merges && !self.merges_in(graph, location)
    }

    /// Is one state wanted inside the loops around a location? An induction looks at one per loop head, and
    /// in a loop that never ends all positions come together sooner or later.
    pub(crate) fn merges_in(&mut self, graph: &Graph, location: LocationId) -> bool {
        let mut around = graph.chain(location).iter();
        around.any(|of| !graph.loops[*of as usize].has_exit || self.inducts_over(*of))
    }

    /// A value is loaded into a variable: where that is a position, the cells it comes from are, too.
    pub(crate) fn note_load(&mut self, target: VariableId, pointer: &Pointer) {
        let function = self.top().function;
        if !self.parts_states() || !self.parting.positions.contains(function, target) {
            return;
        }
        let bytes = self.bytes_of(self.type_of(target));
        for case in &pointer.cases {
            if let Some(slot) = self.slot(case) {
                self.parting.cells.note((function, target), slot, bytes);
            }
        }
    }

    /// A value is stored: where the cell is a position, what the value is computed from are, too.
    pub(crate) fn note_store(&mut self, pointer: &Pointer, value: &Expr) {
        let is_position = |case: &Case| {
            self.slot(case)
                .is_some_and(|slot| self.parting.cells.contains(&slot))
        };
        if self.parts_states() && pointer.cases.iter().any(is_position) {
            let function = self.top().function;
            self.parting.positions.add(function, value);
        }
    }

    fn slot(&self, case: &Case) -> Option<Slot> {
        match case.target {
            Target::Object(object) => Some((self.run.objects[object].kind, self.constant(case.offset)?)),
            _ => None,
        }
    }

    /// The states that go on from a location of all that came there.
    pub(crate) fn part(&mut self, key: &Key, states: Vec<State>) -> Vec<State> {
        let states = self.split_choices(key, states);
        if states.len() == 1 {
            return states;
        }
        let by_place = self.parts_of_threads(key, states);
        let parts: Vec<Vec<State>> = by_place
            .into_iter()
            .flat_map(|states| self.parts_of(key, states))
            .collect();
        parts
            .into_iter()
            .map(|states| self.meet_at(key, states))
            .collect()
    }

    /// Those that become one state each.
    fn parts_of(&mut self, key: &Key, states: Vec<State>) -> Vec<Vec<State>> {
        if states.len() == 1 {
            return vec![states];
        }
        let top = self.top();
        let graph = top.graph.clone();
        let location = graph.location(key);
        if !self.may_part(&graph, location) {
            return vec![states];
        }
        let variables = self.positions_at(&graph, location);
        let mut parts: FxHashMap<Vec<Held>, usize> = FxHashMap::default();
        let mut of = Vec::with_capacity(states.len());
        let cells = self.parting.cells.with_bytes();
        for state in &states {
            let next = parts.len();
            of.push(*parts.entry(self.held(state, &variables, &cells)).or_insert(next));
        }
        let function = self.top().function;
        self.parting.keep(function, parts.len() as u64 - 1);
        if parts.len() > MAX_PARTS {
            self.parting.merging.insert(function);
        }
        if self.parting.merging.contains(&function) {
            return vec![states];
        }
        let mut parted = vec![Vec::new(); parts.len()];
        for (state, part) in states.into_iter().zip(of) {
            parted[part].push(state);
        }
        parted
    }

    /// The variables of the running function that are positions and matter at a location.
    pub(crate) fn positions_at(&mut self, graph: &Graph, location: LocationId) -> Vec<VariableId> {
        let function = self.top().function;
        let live = &graph.live[location.index()];
        let variables = self.parting.positions.of(function);
        variables
            .filter(|variable| live.contains(variable.index() as u64))
            .collect()
    }

    /// One state of all that came to a location.
    pub(crate) fn meet_at(&mut self, key: &Key, states: Vec<State>) -> State {
        let graph = self.top().graph.clone();
        let live = &graph.live[graph.location(key).index()];
        self.meet_all(states, &|variable| live.contains(variable))
    }

    /// One state of many: those that parted last are merged first, so that paths become simple again.
    fn meet_all(&mut self, mut states: Vec<State>, live: &dyn Fn(u64) -> bool) -> State {
        states.sort_by(|a, b| self.run.paths.compare(a.path, b.path));
        let depth = |engine: &Self, a: &State, b: &State| engine.run.paths.common_depth(a.path, b.path);
        let mut depths: Vec<u32> = states
            .windows(2)
            .map(|pair| depth(self, &pair[0], &pair[1]))
            .collect();
        while states.len() > 1 {
            let deepest = (0..depths.len()).max_by_key(|index| depths[*index]).unwrap_or(0);
            let second = states.remove(deepest + 1);
            let first = states[deepest].clone();
            states[deepest] = self.merge(first, second, live);
            depths.remove(deepest);
            for index in [deepest.wrapping_sub(1), deepest] {
                if index < depths.len() {
                    depths[index] = depth(self, &states[index], &states[index + 1]);
                }
            }
        }
        states.pop().expect("a part has a state")
    }

    /// What a state has in its positions.
    fn held(&mut self, state: &State, variables: &[VariableId], cells: &[(Slot, u64)]) -> Vec<Held> {
        let mut held = Vec::with_capacity(variables.len());
        for variable in variables {
            held.push(self.held_value(state.frame.get(variable.index() as u64)));
        }
        for &((kind, offset), bytes) in cells {
            let objects = self.run.objects.of_kind(kind).iter().take(MAX_OBJECTS);
            for object in objects.copied().collect::<Vec<ObjectId>>() {
                let contents = state.memory.get(object.key()).map(|entry| &entry.contents);
                held.push(match contents {
                    Some(Contents::Cells(cells)) => {
                        self.held_value(cells.get(offset).map(|cell| &cell.value))
                    }
                    Some(Contents::Array(array)) => self.held_in_array(state, array, offset, bytes),
                    Some(Contents::Summary(_)) => Held::Any,
                    None => Held::Nothing,
                });
            }
        }
        held
    }

    fn held_in_array(&mut self, state: &State, array: &ArrayContents, offset: u64, bytes: u64) -> Held {
        let offset = self.terms.bv_u64(self.pointer_width, offset);
        let (bits, _) = self.read_array(state, array, offset, bytes, bytes);
        self.held_value(Some(&Value::Term(bits)))
    }

    pub(crate) fn held_value(&self, value: Option<&Value>) -> Held {
        match value {
            None => Held::Nothing,
            Some(Value::Term(term)) if self.terms.is_const(*term) => Held::Number(*term),
            Some(Value::Pointer(pointer)) => match pointer.cases[..] {
                [
                    Case {
                        target,
                        offset,
                        individual: None,
                        ..
                    },
                ] if self.terms.is_const(offset) => Held::Place(target, offset),
                _ => Held::Any,
            },
            Some(Value::Term(_)) => Held::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_PARTS;
    use crate::engine::Engine;
    use crate::options::Options;

    /// How often a run keeps a state apart where `i` becomes one of so many numbers, all paths meet, and then
    /// this is done; and whether there were too many.
    fn kept(numbers: usize, then: &str, options: &Options) -> (u64, bool) {
        let branches = (0..numbers).map(|number| {
            let guard = match number + 1 == numbers {
                true => format!("{number}i32 <=u x"),
                false => format!("x == {number}i32"),
            };
            format!("when {guard} {{ i = {number}i32; }} goto l3;\n")
        });
        let text = format!(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             site0 \"buffer\" align 4 @1:1\np0 pointer \"access\" in main @1:1\n\
             function main() -> () entry l0 exit l1 @1:1 {{\n\
             local ptr p;\nlocal i32 i;\nlocal i32 x;\nlocal i8 y;\n\
             l0 \"\": when true {{ p = stack(128i32) site0; x = nondet input \"in\"; }} goto l2;\nl1 \"\":\n\
             l2 \"\": {}\
             l3 \"\": when true {{ {then} }} goto l1;\n}}\n",
            branches.collect::<String>()
        );
        let program = kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut engine = Engine::new(&program, options);
        engine.unwind(1).expect("no limit stops it");
        (engine.parting.kept(), !engine.parting.merging.is_empty())
    }

    const ACCESS: &str = "*i8(p +p i) = 1i8 align 1 pointer p0;";

    #[test]
    fn states_that_differ_in_a_position_stay_apart() {
        let options = Options::default();
        assert_eq!(kept(2, ACCESS, &options), (1, false));
        assert_eq!(kept(5, ACCESS, &options), (4, false));
        // What no address is computed from is no position.
        assert_eq!(
            kept(5, "y = trunc<i8>(i); assume(y != 3i8);", &options),
            (0, false)
        );
    }

    #[test]
    fn none_do_where_that_is_not_wanted() {
        let options = Options {
            parting: false,
            ..Options::default()
        };
        assert_eq!(kept(5, ACCESS, &options), (0, false));
    }

    #[test]
    fn none_do_from_then_on_where_they_are_too_many() {
        let options = Options::default();
        assert_eq!(kept(MAX_PARTS, ACCESS, &options), (MAX_PARTS as u64 - 1, false));
        assert_eq!(kept(MAX_PARTS + 1, ACCESS, &options), (0, true));
    }
}
