//! Which states of woven threads are kept apart, and which were seen before.
//!
//! Idea: as long as they are few, states that differ in any constant are kept apart where they meet: then the
//! values of variables and memory stay constants, only paths are formulas, and a state all of whose values
//! are constants needs to be looked at once. That is explicit-state model checking with symbolic inputs.
//! Where they are too many, memory is merged, then variables, and only states whose threads stand at other
//! places stay apart.
//!
//! Invariant: a state that is left because it was seen before has the same future as the one that was seen,
//! which some run comes to.
//!
//! Source: J. Morse, L. Cordeiro, D. Nicole, B. Fischer, "Context-Bounded Model Checking of LTL Properties
//! for ANSI-C Software" (SEFM 2011), section 4: state hashing.

use kripke_elts::{FunctionId, Id, Program, VariableId, threads};
use rustc_hash::FxHashMap;

use crate::activation::Key;
use crate::contents::{Contents, Initialised};
use crate::engine::Engine;
use crate::execute::same_state;
use crate::graph::Graph;
use crate::parting::Held;
use crate::state::State;

/// How many states a run may begin steps with while they are told apart by everything, and by variables.
const MOST_STATES: [u64; 2] = [40_000, 20_000];

/// The length of a key at the head of a loop that no other is around.
const KEY_OF_OUTERMOST: usize = 3;

/// By which constants states are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Places,
    Variables,
    Everything,
}

/// What is known of the threads of a program.
pub(crate) struct ThreadStates {
    woven: Option<FunctionId>,
    /// The variables that say where they stand.
    places: Vec<VariableId>,
    detail: Detail,
    /// The states that this run has begun steps with.
    count: u64,
    seen: FxHashMap<Vec<Held>, Vec<State>>,
}

impl ThreadStates {
    /// At first everything counts, where states are kept apart at all.
    pub fn new(program: &Program, parting: bool) -> Self {
        let woven = threads::woven(program);
        let variables = woven
            .into_iter()
            .flat_map(|id| program.functions[id].variables.enumerate());
        let places = variables.filter(|(_, variable)| variable.name.starts_with(threads::PLACE));
        ThreadStates {
            places: places.map(|(id, _)| id).collect(),
            woven,
            detail: match parting {
                true => Detail::Everything,
                false => Detail::Places,
            },
            count: 0,
            seen: FxHashMap::default(),
        }
    }

    /// Another run begins.
    pub fn start_run(&mut self) {
        self.count = 0;
        self.seen.clear();
    }

    /// How much states are told apart by: a run begins again where that has changed.
    pub fn level(&self) -> u8 {
        self.detail as u8
    }

    fn note_state(&mut self) {
        self.count += 1;
        self.detail = match self.detail {
            Detail::Everything if self.count > MOST_STATES[0] => Detail::Variables,
            Detail::Variables if self.count > MOST_STATES[1] => Detail::Places,
            detail => detail,
        };
    }
}

impl Engine<'_> {
    /// Do threads run, none of them by induction?
    pub(crate) fn has_threads(&self) -> bool {
        self.parting.threads.woven.is_some() && self.run.induction.is_none()
    }

    /// Does the running function hold all threads?
    pub(crate) fn is_woven(&mut self) -> bool {
        let running = self.top().function;
        self.parting.threads.woven == Some(running) && self.run.induction.is_none()
    }

    /// States of threads that are kept apart.
    pub(crate) fn parts_of_threads(&mut self, key: &Key, states: Vec<State>) -> Vec<Vec<State>> {
        if !self.is_woven() {
            return vec![states];
        }
        let graph = self.top().graph.clone();
        let location = graph.location(key);
        let mut of: FxHashMap<Vec<Held>, usize> = FxHashMap::default();
        let mut parts: Vec<Vec<State>> = Vec::new();
        for state in states {
            let held = self.held_by_threads(&graph, location.index(), &state);
            let part = *of.entry(held).or_insert(parts.len());
            if part == parts.len() {
                parts.push(Vec::new());
            }
            parts[part].push(state);
        }
        parts
    }

    fn held_by_threads(&self, graph: &Graph, location: usize, state: &State) -> Vec<Held> {
        let of_threads = &self.parting.threads;
        let mut held = Vec::new();
        let live = &graph.live[location];
        if of_threads.detail == Detail::Places {
            for variable in &of_threads.places {
                held.push(self.held_value(state.frame.get(variable.index() as u64)));
            }
            return held;
        }
        state.frame.for_each(&mut |variable, value| {
            if live.contains(variable) {
                held.push(Held::At(variable));
                held.push(self.held_value(Some(value)));
            }
        });
        if of_threads.detail == Detail::Everything {
            state.memory.for_each(&mut |object, entry| {
                held.push(Held::At(object));
                let Contents::Cells(cells) = &entry.contents else {
                    return held.push(Held::Any);
                };
                cells.for_each(&mut |offset, cell| {
                    held.push(Held::At(offset));
                    held.push(self.held_value(Some(&cell.value)));
                    held.push(match &cell.initialised {
                        Initialised::Whole(term) if self.terms.is_const(*term) => Held::Number(*term),
                        _ => Held::Any,
                    });
                });
            });
        }
        held
    }

    /// Was a state at the start of a step seen before, so that nothing new comes of it?
    pub(crate) fn was_seen(&mut self, graph: &Graph, key: &[u32], state: &State) -> bool {
        // Inside the hub's loop there are others, which are not looked at.
        if key.len() > KEY_OF_OUTERMOST || !self.is_woven() {
            return false;
        }
        let location = graph.location(key).index();
        self.parting.threads.note_state();
        if self.parting.threads.detail != Detail::Everything {
            return false;
        }
        let mut held = self.held_by_threads(graph, location, state);
        held.push(Held::At(location as u64));
        if held.contains(&Held::Any) {
            return false;
        }
        let seen = self.parting.threads.seen.get(&held);
        let same = seen.and_then(|seen| seen.iter().find(|seen| same_state(seen, state)));
        match same.map(|seen| seen.path) {
            Some(path) => self.is_possible(path),
            None => {
                let seen = self.parting.threads.seen.entry(held).or_default();
                seen.push(state.clone());
                false
            }
        }
    }
}
