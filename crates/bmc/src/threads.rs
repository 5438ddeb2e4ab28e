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

use kripke_elts::{
    Function, FunctionId, Id, LocationId, NondetSource, Program, Statement, StatementKind, VariableId,
    threads,
};
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::activation::Key;
use crate::contents::{Contents, Initialised};
use crate::engine::Engine;
use crate::execute::same_values;
use crate::graph::Graph;
use crate::interleavings::Interleavings;
use crate::ltl::{EndKind, Guide, Snapshot, StateGraph};
use crate::options::{Explore, Options};
use crate::parting::Held;
use crate::record::Cut;
use crate::reduction::Reduction;
use crate::state::State;
use crate::value::Value;

/// How many states a run may begin steps with while they are told apart by everything, and by variables.
const MOST_STATES: [u64; 2] = [40_000, 20_000];

/// So many states in a step from an abstract one stay apart where they meet: each has its own conditions, of
/// which a merged one says nothing.
const MOST_APART: usize = 4;

/// The length of a key at the head of a loop that no other is around.
const KEY_OF_OUTERMOST: usize = 3;

/// By which constants states are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Places,
    Variables,
    Everything,
}

/// What is told of a thread's loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfLoop {
    /// An iteration begins.
    Begins,
    Left,
}

/// What is known of the threads of a program.
pub(crate) struct ThreadStates {
    woven: Option<FunctionId>,
    /// The variables that say where they stand.
    places: Vec<VariableId>,
    /// The variables that say which of them keeps others from going on.
    owners: Vec<VariableId>,
    /// The variables that say how often threads were switched.
    switched: Vec<VariableId>,
    detail: Detail,
    /// The states that this run has begun steps with.
    count: u64,
    seen: FxHashMap<Vec<Held>, Vec<Seen>>,
    /// Where a thread is chosen.
    choices: Vec<LocationId>,
    /// The functions that tell which thread goes on.
    tellers: FxHashMap<FunctionId, u8>,
    /// The function that is called where a run is cut, as threads were switched as often as they may be, and
    /// what a verdict rests on then.
    cut: Option<(FunctionId, String)>,
    /// The functions that tell that an iteration of a loop of that number begins, or that the loop is left.
    loops: FxHashMap<FunctionId, (OfLoop, u64)>,
    /// How states lead to others, where somebody asks.
    pub graph: Option<StateGraph>,
    /// The schedule that is followed, where there is one.
    pub guide: Option<Guide>,
    /// Where each schedule is explored by itself.
    pub interleavings: Option<Interleavings>,
}

/// A state that was seen.
struct Seen {
    state: State,
    /// Its number in the graph.
    node: u32,
}

impl ThreadStates {
    /// At first everything counts, where states are kept apart at all.
    pub fn new(program: &Program, options: &Options) -> Self {
        let woven = threads::woven(program);
        let variables = |begins: &str| {
            let of = woven
                .into_iter()
                .flat_map(|id| program.functions[id].variables.enumerate());
            let found = of.filter(|(_, variable)| variable.name.starts_with(begins));
            found.map(|(id, _)| id).collect::<Vec<_>>()
        };
        let mut of_threads = ThreadStates {
            places: variables(threads::PLACE),
            owners: variables(threads::OWNER),
            switched: variables(threads::SWITCHED),
            woven,
            detail: match options.parting && options.explore == Explore::Merged {
                true => Detail::Everything,
                false => Detail::Places,
            },
            count: 0,
            seen: FxHashMap::default(),
            choices: woven.map_or_else(Vec::new, |id| choices(&program.functions[id])),
            tellers: tellers(program),
            cut: cut(program),
            loops: tellers_of_loops(program),
            graph: None,
            guide: None,
            interleavings: woven.and(Interleavings::new(options.explore)),
        };
        of_threads.reduce(program, options.explore);
        of_threads
    }

    /// Orders of independent steps are left out where that is wanted, and switches are not counted: that
    /// makes all steps depend on each other. So are those of handlers, which keep all threads from going on.
    fn reduce(&mut self, program: &Program, explore: Explore) {
        let wanted = matches!(explore, Explore::Interleavings { reduction, .. } if reduction != Some(false));
        if let (Some(woven), Some(all), true) = (self.woven, &mut self.interleavings, wanted)
            && self.switched.is_empty()
            && !program
                .functions
                .iter()
                .any(|function| function.name == threads::HARDWARE)
        {
            let reduction = Reduction::new((program, woven), &self.tellers, &self.places);
            all.reduction = Some(reduction);
        }
    }

    /// The variables that say where threads stand.
    pub fn places(&self) -> &[VariableId] {
        &self.places
    }

    /// The variables that say how often threads were switched.
    pub fn switched(&self) -> &[VariableId] {
        &self.switched
    }

    /// The function that all threads are woven into.
    pub fn woven(&self) -> Option<FunctionId> {
        self.woven
    }

    /// Does the variable say where a thread stands, or which one keeps others from going on?
    pub fn is_place(&self, variable: VariableId) -> bool {
        self.places.contains(&variable) || self.owners.contains(&variable)
    }

    /// Another run begins.
    pub fn start_run(&mut self) {
        self.count = 0;
        self.seen.clear();
        if let Some(interleavings) = &mut self.interleavings {
            interleavings.start_run();
        }
        if let Some(graph) = &mut self.graph {
            *graph = StateGraph::default();
        }
    }

    /// Is it the head of the loop in which threads are chosen?
    pub fn is_hub(&self, graph: &Graph, location: LocationId) -> bool {
        let of = graph.headed_by(location);
        of.is_some_and(|of| self.choices.iter().any(|choice| graph.contains(of, *choice)))
    }

    /// Where the state of two comes from.
    pub fn joined(&mut self, a: u32, b: u32) -> u32 {
        self.graph.as_mut().map_or(0, |graph| graph.join(a, b))
    }

    /// A function is called; some tell which thread goes on.
    pub fn note_call(&mut self, state: &mut State, function: FunctionId) {
        let Some(thread) = self.tellers.get(&function) else {
            return;
        };
        if let Some(graph) = &mut self.graph {
            state.came = graph.goes_on(state.came, *thread);
        }
        if let Some(interleavings) = &mut self.interleavings {
            state.schedule = interleavings.grow(state.schedule, *thread);
        }
    }

    /// Is a function called that tells that a thread goes on which sleeps? Then it does not.
    pub fn is_asleep(&mut self, state: &State, function: FunctionId) -> bool {
        let thread = self.tellers.get(&function);
        let all = thread.zip(self.interleavings.as_mut());
        all.is_some_and(|(thread, all)| all.is_asleep(state.schedule, *thread))
    }

    /// A function is called; some tell of loops. False where an iteration begins past the bound.
    fn count_iteration(&self, state: &mut State, function: FunctionId, bound: u32) -> bool {
        match self.loops.get(&function) {
            None => true,
            Some((OfLoop::Left, number)) => {
                state.iterations.remove(*number);
                true
            }
            Some((OfLoop::Begins, number)) => {
                let begun = state.iterations.get(*number).copied().unwrap_or(0);
                state.iterations.set(*number, begun.saturating_add(1));
                begun < bound
            }
        }
    }

    /// What verdicts rest on where a function is called that cuts a run.
    pub fn cut_by(&self, function: FunctionId) -> Option<String> {
        let (cut, text) = self.cut.as_ref()?;
        (*cut == function).then(|| text.clone())
    }

    /// A trace ends, or is followed no further.
    pub fn note_end(&mut self, state: &State) {
        if let Some(graph) = &mut self.graph {
            graph.end(state.came);
        }
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

    /// Is it bounded how many turns threads take, beside the loops that the user bounds?
    pub(crate) fn counts_turns(&self) -> bool {
        self.turns.is_some() && self.options.unwind.is_some() && self.has_threads()
    }

    /// The loop in which threads are chosen.
    pub(crate) fn hub(&mut self) -> Option<(FunctionId, u32)> {
        let of_threads = &self.parting.threads;
        let (woven, choice) = (of_threads.woven?, *of_threads.choices.first()?);
        let graph = self.graphs.get(self.program, woven);
        Some((woven, graph.innermost[choice.index()]?))
    }

    /// A function is called: false where it tells that an iteration of a thread's loop begins that is past
    /// the bound. Nothing is counted in inductions.
    pub(crate) fn begins_iteration(&mut self, state: &mut State, function: FunctionId) -> bool {
        if !self.has_threads()
            || self
                .parting
                .threads
                .count_iteration(state, function, self.run.bound)
        {
            return true;
        }
        let truth = self.terms.true_();
        self.cut(state, truth, Cut::Loop);
        false
    }

    /// States of threads that are kept apart.
    pub(crate) fn parts_of_threads(&mut self, key: &Key, states: Vec<State>) -> Vec<Vec<State>> {
        if !self.is_woven() && !self.covers_threads() {
            return vec![states];
        }
        if self.covers_threads() && states.len() <= MOST_APART {
            return states.into_iter().map(|state| vec![state]).collect();
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
        let detail = match self.covers_threads() {
            true => Detail::Everything,
            false => self.parting.threads.detail,
        };
        let mut held = self.held_as(detail, graph, location, state);
        if self.parting.threads.interleavings.is_some() {
            held.push(Held::At(u64::from(state.schedule)));
        }
        held
    }

    fn held_as(&self, detail: Detail, graph: &Graph, location: usize, state: &State) -> Vec<Held> {
        let of_threads = &self.parting.threads;
        let mut held = Vec::new();
        state.iterations.for_each(&mut |number, begun| {
            held.extend([Held::At(number), Held::At(u64::from(*begun))]);
        });
        if !of_threads.loops.is_empty() {
            held.push(Held::At(u64::MAX));
        }
        let live = &graph.live[location];
        if detail == Detail::Places {
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
        if detail == Detail::Everything {
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
    pub(crate) fn was_seen(&mut self, graph: &Graph, key: &[u32], state: &mut State) -> bool {
        // Inside the hub's loop there are others, which are not looked at.
        if key.len() > KEY_OF_OUTERMOST || !self.is_woven() {
            return false;
        }
        let location = graph.location(key).index();
        // A loop that does not come back to the hub keeps others from going on for ever, which only formulas
        // notice: it is followed.
        if !self.monitors.is_empty() && !self.parting.threads.is_hub(graph, LocationId::new(location)) {
            return false;
        }
        if self.parting.threads.interleavings.is_some() {
            let mut held = self.held_as(Detail::Everything, graph, location, state);
            held.push(Held::At(location as u64));
            return self.is_left(held, state);
        }
        self.parting.threads.note_state();
        if self.parting.threads.detail != Detail::Everything {
            return false;
        }
        let mut held = self.held_by_threads(graph, location, state);
        held.push(Held::At(location as u64));
        if self.parting.threads.guide.is_some() {
            return self.comes_along(key, held, state);
        }
        if held.contains(&Held::Any) {
            if let Some(graph) = &mut self.parting.threads.graph {
                graph.is_blurred = true;
            }
            return false;
        }
        let seen = self.parting.threads.seen.get(&held);
        let same = seen.and_then(|seen| seen.iter().find(|seen| same_values(&seen.state, state)));
        match same.map(|seen| (seen.state.path, seen.state.sample.is_some(), seen.node)) {
            Some((path, has_sample, node)) => {
                self.comes_to(state, node);
                let truth = self.terms.true_();
                let was_seen = has_sample && self.inputs_decide(path, truth) || self.is_possible(path);
                if was_seen {
                    self.trace_ends(state, truth, EndKind::Seen);
                }
                was_seen
            }
            None => {
                let node = self.new_node(state);
                self.has_sample(state);
                self.comes_to(state, node);
                let seen = self.parting.threads.seen.entry(held).or_default();
                seen.push(Seen {
                    state: state.clone(),
                    node,
                });
                false
            }
        }
    }

    /// A property is violated where a condition holds. Where inputs are known that lead there, what threads
    /// do after this step is not followed: the violation is found without it.
    pub(crate) fn note_violation(&mut self, state: &State, wrong: TermId) {
        let may_stop = self.stops_early && !self.run.stops && self.has_threads() && self.monitors.is_empty();
        if may_stop && self.inputs_decide(state.path, wrong) && self.has_sample_of(state, wrong) {
            self.run.stops = true;
        }
    }

    /// A state of its own in the graph.
    fn new_node(&mut self, state: &mut State) -> u32 {
        if self.parting.threads.graph.is_none() {
            return 0;
        }
        let survives = self.survivors_lived(state);
        let is_free = self.may_all_go_on(state);
        let graph = self.parting.threads.graph.as_mut();
        graph.map_or(0, |graph| graph.add(survives, !is_free))
    }

    /// Does no thread keep others from going on?
    pub(crate) fn may_all_go_on(&self, state: &State) -> bool {
        let owners = self.parting.threads.owners.iter();
        let mut owners = owners.filter_map(|owner| state.frame.get(owner.index() as u64));
        owners.all(|value| match value {
            Value::Term(term) => self.terms.as_bv(*term).is_some_and(|bits| bits.is_zero()),
            Value::Pointer(_) => false,
        })
    }

    fn comes_to(&mut self, state: &mut State, node: u32) {
        if let Some(graph) = &mut self.parting.threads.graph {
            graph.arrive(state.came, node);
            state.came = graph.at(node);
        }
    }

    /// A state on the way along a schedule; true when it is followed no further.
    fn comes_along(&mut self, key: &[u32], held: Vec<Held>, state: &State) -> bool {
        let iteration = key[key.len() - 2] as usize;
        let snapshot = Snapshot {
            site: (self.top().context, key[..key.len() - 2].to_vec()),
            state: state.clone(),
            events: self.run.record.events.len(),
            position: self.run.cursor.position,
        };
        let guide = self.parting.threads.guide.as_mut();
        guide.is_some_and(|guide| guide.arrive(iteration, held, || snapshot))
    }
}

/// The locations at which a thread is chosen.
fn choices(function: &Function) -> Vec<LocationId> {
    let chooses = |statement: &Statement| match &statement.kind {
        StatementKind::Nondet {
            source: NondetSource::Library(name),
            ..
        } => name == threads::CHOICE,
        _ => false,
    };
    let locations = function.locations.enumerate();
    let found = locations.filter(|(_, code)| {
        let mut transitions = code.transitions.iter();
        transitions.any(|transition| transition.statements.iter().any(chooses))
    });
    found.map(|(id, _)| id).collect()
}

/// The functions that tell that a thread goes on, with its number.
fn tellers(program: &Program) -> FxHashMap<FunctionId, u8> {
    let functions = program.functions.enumerate();
    let told = functions.filter_map(|(id, function)| {
        let rest = function.name.strip_prefix(threads::RUNS)?;
        Some((id, rest.split(' ').next()?.parse().ok()?))
    });
    told.collect()
}

/// The functions that tell of threads' loops, with the numbers of the loops.
fn tellers_of_loops(program: &Program) -> FxHashMap<FunctionId, (OfLoop, u64)> {
    let kinds = [
        (threads::BEGINS_ITERATION, OfLoop::Begins),
        (threads::LEAVES_LOOP, OfLoop::Left),
    ];
    let functions = program.functions.enumerate();
    let told = functions.filter_map(|(id, function)| {
        let of = |(begins, kind): &(&str, OfLoop)| {
            let number = function.name.strip_prefix(begins)?;
            Some((*kind, number.parse().ok()?))
        };
        Some((id, kinds.iter().find_map(of)?))
    });
    told.collect()
}

/// The function that is called where threads were switched as often as they may be.
fn cut(program: &Program) -> Option<(FunctionId, String)> {
    let mut functions = program.functions.enumerate();
    functions.find_map(|(id, function)| {
        let bound = function.name.strip_prefix(threads::CUTS)?;
        let times = if bound == "1" { "time" } else { "times" };
        let text = format!(
            "another thread goes on {bound} {times} at most before the one that runs waits or ends \
             (--context-bound)"
        );
        Some((id, text))
    })
}
