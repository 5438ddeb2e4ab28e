//! The symbolic execution of a program up to a bound.
//!
//! Idea: one merged state per location and loop iteration. Each call is an activation with its own queue
//! of pending states; the smallest key is executed first (see [`crate::graph`]), so paths meet before
//! they go on, and a call returns as one state. The stack of activations is explicit: deep recursion
//! of the program is no recursion here.
//!
//! Invariant: the paths of all states that wait anywhere, and of everything recorded as cut, exclude
//! each other and cover every run of the program that violates nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use kripke_elts::{
    FunctionId, Id, LocationId, NondetSource, ObjectSiteId, Position, Program, Type, VariableId,
};
use kripke_model::Reason;
use kripke_smt::{Sort, TermId, Terms};
use kripke_value::RoundingMode;
use rustc_hash::FxHashMap;

use crate::addresses::AddressSpace;
use crate::graph::{Graph, Graphs};
use crate::kinduction::Induction;
use crate::limits;
use crate::ltl::Monitors;
use crate::names::Names;
use crate::object::{ObjectId, ObjectInfo};
use crate::options::Options;
use crate::path::{PathId, Paths};
use crate::persistent::PersistentMap;
use crate::range::Facts;
use crate::record::{Event, Record};
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value, sort_of};

/// Where a state waits in its activation: for each loop around the location the position of its head and
/// the iteration, then the position of the location.
pub type Key = Vec<u32>;

/// Where execution stands, for names and messages.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    pub location: LocationId,
    pub transition: u32,
    pub statement: u32,
    pub key: Rc<[u32]>,
    pub position: Position,
}

/// The rest of a transition that is to be executed.
pub(crate) struct Work {
    pub state: State,
    pub location: LocationId,
    pub transition: usize,
    pub statement: usize,
    pub key: Rc<[u32]>,
}

/// A call that waits for its callees.
pub(crate) struct Waiting {
    /// The caller's rest; its state is the one before the call.
    pub work: Work,
    /// Callees still to be executed (of an indirect call), each with its condition.
    pub callees: Vec<(TermId, FunctionId)>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The state after the callees so far.
    pub merged: Option<State>,
}

/// What a loop of an activation has done so far.
#[derive(Clone, Default)]
pub(crate) struct LoopInstance {
    /// Iterations that count towards the bound.
    pub counted: u32,
    /// Iterations whose end was decided by constants.
    pub free: u32,
    /// An exit was taken in the current iteration under a condition that is not constant.
    pub exit_taken: bool,
    /// An exit was excluded in the current iteration.
    pub exit_excluded: bool,
    /// The state at the last start of an iteration.
    pub last: Option<State>,
}

/// A call in progress.
pub(crate) struct Activation {
    pub function: FunctionId,
    pub graph: Rc<Graph>,
    pub context: u32,
    pub pending: BTreeMap<Key, State>,
    pub work: Vec<Work>,
    pub waiting: Option<Waiting>,
    pub exit: Option<State>,
    pub loops: FxHashMap<Vec<u32>, LoopInstance>,
    pub stack_objects: Vec<ObjectId>,
    pub uninitialised: FxHashMap<VariableId, Value>,
    /// Decisions on the path when it was entered, to see whether a recursion is decided by constants.
    pub branches: u32,
    /// How many counted activations of the same function lie below.
    pub recursion: u32,
    /// Its caller is in an iteration whose properties are assumed (k-induction).
    pub assuming: bool,
    /// The loop of which this activation executes one iteration (k-induction).
    pub plain_loop: Option<u32>,
}

/// The engine.
pub struct Engine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    /// All terms of all runs.
    pub terms: Terms,
    pub(crate) paths: Paths,
    pub(crate) objects: Vec<ObjectInfo>,
    pub(crate) observed: Vec<ObjectId>,
    /// What the last run recorded.
    pub record: Record,
    pub(crate) graphs: Graphs,
    pub(crate) names: Names,
    pub(crate) stack: Vec<Activation>,
    pub(crate) cursor: Cursor,
    pub(crate) pointer_width: u32,
    pub(crate) bound: u32,
    pub(crate) checked: Vec<bool>,
    /// The loops treated by induction in this run.
    pub(crate) induction: Option<Induction>,
    /// Properties are assumed, not checked, where execution stands.
    pub(crate) assuming: bool,
    pub(crate) address_space: AddressSpace,
    facts_cache: Option<(PathId, Rc<Facts>)>,
    /// The monitors of temporal formulas in the program.
    pub(crate) monitors: Monitors,
}

impl<'a> Engine<'a> {
    /// An engine that has run nothing.
    pub fn new(program: &'a Program, options: &'a Options) -> Self {
        let mut terms = Terms::new();
        let paths = Paths::new(&mut terms);
        let checked = program.properties.ids().map(|id| options.checks(id)).collect();
        Engine {
            program,
            options,
            terms,
            paths,
            objects: Vec::new(),
            observed: Vec::new(),
            record: Record::default(),
            graphs: Graphs::new(program),
            names: Names::default(),
            stack: Vec::new(),
            cursor: Cursor {
                location: LocationId::new(0),
                transition: 0,
                statement: 0,
                key: Rc::from([]),
                position: Position::default(),
            },
            pointer_width: program.data_model.pointer_width,
            bound: 1,
            checked,
            induction: None,
            assuming: false,
            address_space: AddressSpace::new(program),
            facts_cache: None,
            monitors: Monitors::default(),
        }
    }

    /// Executes the program with a bound; `Err` when a limit stopped it.
    pub fn run(&mut self, bound: u32) -> Result<(), Reason> {
        self.bound = bound;
        self.start();
        self.execute()
    }

    fn start(&mut self) {
        self.paths = Paths::new(&mut self.terms);
        self.objects.clear();
        self.observed.clear();
        self.address_space.start_run();
        self.record = Record::default();
        self.names.start_run();
        self.stack.clear();
        self.facts_cache = None;
        self.monitors.start_run();
        let rounding = self.terms.rounding(RoundingMode::NearestEven);
        let mut state = State {
            path: self.paths.root(),
            frame: PersistentMap::default(),
            memory: PersistentMap::default(),
            rounding,
            letter: 0,
        };
        self.create_globals(&mut state);
        let entry = self.program.entry;
        self.cursor.position = self.program.functions[entry].position;
        self.enter(state, entry, Vec::new(), 0);
    }

    /// Executes until no state waits.
    fn execute(&mut self) -> Result<(), Reason> {
        let mut steps = 0u64;
        while !self.stack.is_empty() {
            steps += 1;
            if steps.is_multiple_of(64) {
                limits::check(self.options, steps.is_multiple_of(1024))?;
            }
            self.step();
        }
        Ok(())
    }

    /// Executes the next piece of work of the running activation.
    pub(crate) fn step(&mut self) {
        let top = self.top();
        if let Some(work) = top.work.pop() {
            self.run_transition(work);
        } else if let Some((key, state)) = top.pending.pop_first() {
            self.run_location(key, state);
        } else {
            self.leave();
        }
    }

    /// The activation that runs.
    pub(crate) fn top(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("statements run in an activation")
    }

    /// What the state's path says of terms compared with constants.
    pub(crate) fn facts(&mut self, path: PathId) -> Rc<Facts> {
        if let Some((known, facts)) = &self.facts_cache
            && *known == path
        {
            return facts.clone();
        }
        let facts = Rc::new(Facts::new(&self.terms, &self.paths, path));
        self.facts_cache = Some((path, facts.clone()));
        facts
    }

    /// What the state's path says at sight of a condition.
    pub(crate) fn decide(&mut self, state: &State, condition: TermId) -> Option<bool> {
        self.paths.decide(&mut self.terms, state.path, condition)
    }

    /// The state's path and a condition.
    pub(crate) fn here(&mut self, state: &State, condition: TermId) -> TermId {
        let path = self.paths.term(state.path);
        self.terms.and(path, condition)
    }

    /// A number for something that is created here, the same in every run.
    pub(crate) fn fresh_name(&mut self) -> u32 {
        let context = self.stack.last().map_or(0, |top| top.context);
        let mut key = vec![
            context,
            self.cursor.location.index() as u32,
            self.cursor.transition,
            self.cursor.statement,
        ];
        key.extend_from_slice(&self.cursor.key);
        self.names.fresh(&key)
    }

    /// A variable that is created here, the same in every run. Its name tells its sort: what is created first
    /// at a place in one run may be an array, in a run that knows more a byte.
    pub(crate) fn fresh_variable(&mut self, role: &str, sort: Sort) -> TermId {
        let number = self.fresh_name();
        self.sorted_variable(&format!("{role}!{number}"), sort)
    }

    fn sorted_variable(&mut self, name: &str, sort: Sort) -> TermId {
        let name = match sort {
            Sort::Bool => format!("{name}?"),
            Sort::BitVec(width) => format!("{name}:{width}"),
            Sort::Array { index, element } => format!("{name}:{index}[{element}]"),
            Sort::Float(_) | Sort::RoundingMode => format!("{name}:{sort:?}"),
        };
        self.terms.variable(&name, sort)
    }

    /// A new nondeterministic value that a run reads here where the guard holds.
    pub(crate) fn nondet(&mut self, guard: TermId, source: &NondetSource, ty: Type) -> Value {
        let label = match source {
            NondetSource::Input(name)
            | NondetSource::External(name)
            | NondetSource::Library(name)
            | NondetSource::Device(name) => name.as_str(),
            NondetSource::Uninitialised => "uninitialised",
        };
        let name = format!("{label}!{}", self.fresh_name());
        let (term, value) = self.unknown(&name, ty);
        self.record.events.push(Event::Input {
            guard,
            value: term,
            ty,
        });
        value
    }

    /// A variable as a value of a type: the term a model is asked for, and the value.
    pub(crate) fn unknown(&mut self, name: &str, ty: Type) -> (TermId, Value) {
        match ty {
            Type::Float(format) => {
                let bits = self.sorted_variable(name, Sort::BitVec(format.bits()));
                let value = self.terms.fp_from_bits(format, bits);
                (bits, Value::Term(value))
            }
            Type::Pointer => {
                let address = self.sorted_variable(name, Sort::BitVec(self.pointer_width));
                let zero = self.terms.bv_u64(self.pointer_width, 0);
                let null = self.terms.eq(address, zero);
                let other = self.terms.not(null);
                let cases = [
                    Case {
                        guard: null,
                        target: Target::Null,
                        offset: zero,
                    },
                    Case {
                        guard: other,
                        target: Target::Raw,
                        offset: address,
                    },
                ];
                (
                    address,
                    Value::Pointer(Pointer::from_cases(&mut self.terms, cases)),
                )
            }
            _ => {
                let term = self.sorted_variable(name, sort_of(ty, self.pointer_width));
                (term, Value::Term(term))
            }
        }
    }

    /// The value of a variable of the running function.
    pub(crate) fn read_variable(&mut self, state: &State, variable: VariableId) -> Value {
        match state.frame.get(variable.index() as u64) {
            Some(value) => value.clone(),
            None => self.uninitialised_variable(variable),
        }
    }

    /// What a variable holds before it is assigned: any value, the same for the whole activation.
    pub(crate) fn uninitialised_variable(&mut self, variable: VariableId) -> Value {
        let program = self.program;
        let top = self.top();
        if let Some(value) = top.uninitialised.get(&variable) {
            return value.clone();
        }
        let (function, context) = (top.function, top.context);
        let ty = program.functions[function].variables[variable].ty;
        let number = self.names.fresh(&[context, u32::MAX, variable.index() as u32]);
        let (term, value) = self.unknown(&format!("uninitialised!{number}"), ty);
        self.record.events.push(Event::Local {
            context,
            variable,
            value: term,
            ty,
        });
        self.top().uninitialised.insert(variable, value.clone());
        value
    }

    /// Alignment of an allocation site.
    pub(crate) fn site_align(&self, site: ObjectSiteId) -> u32 {
        self.program.object_sites[site].align.max(1)
    }

    /// One state of two, where `live` tells which variables of the running function matter.
    pub(crate) fn merge(&mut self, a: State, b: State, live: &dyn Fn(u64) -> bool) -> State {
        let (path, first) = self.paths.merge(&mut self.terms, a.path, b.path);
        let frame = self.merge_frames(&a, &b, first, live);
        let memory = self.merge_memory(&a, &b, first);
        let rounding = self.terms.ite(first, a.rounding, b.rounding);
        let letter = match a.letter == b.letter {
            true => a.letter,
            false => self.monitors.new_letter(),
        };
        State {
            path,
            frame,
            memory,
            rounding,
            letter,
        }
    }

    fn merge_frames(
        &mut self,
        a: &State,
        b: &State,
        first: TermId,
        live: &dyn Fn(u64) -> bool,
    ) -> PersistentMap<Value> {
        let mut half = Vec::new();
        let terms = &mut self.terms;
        let mut frame = a.frame.merge(&b.frame, &mut |key, x, y| match (x, y) {
            _ if !live(key) => None,
            (Some(x), Some(y)) if x == y => Some(x.clone()),
            (Some(x), Some(y)) => Some(x.select(terms, first, y)),
            (Some(x), None) => {
                half.push((key, true));
                Some(x.clone())
            }
            (None, y) => {
                half.push((key, false));
                y.cloned()
            }
        });
        for (key, on_left) in half {
            let variable = VariableId::new(key as usize);
            let Some(known) = frame.get(key).cloned() else {
                continue;
            };
            let other = self.uninitialised_variable(variable);
            let value = match on_left {
                true => known.select(&mut self.terms, first, &other),
                false => other.select(&mut self.terms, first, &known),
            };
            frame.set(key, value);
        }
        frame
    }

    fn merge_memory(
        &mut self,
        a: &State,
        b: &State,
        first: TermId,
    ) -> PersistentMap<crate::contents::ObjectState> {
        let mut differing = Vec::new();
        let (no, yes) = (self.terms.false_(), self.terms.true_());
        let (terms, objects) = (&mut self.terms, &self.objects);
        let dies_early = |key: u64| objects[key as usize].dies_early;
        let mut memory = a.memory.merge(&b.memory, &mut |key, x, y| match (x, y) {
            (Some(x), Some(y)) => {
                differing.push((key, x.clone(), y.clone()));
                None
            }
            (Some(x), None) => {
                let mut only = x.clone();
                only.exists = terms.ite(first, x.exists, no);
                if dies_early(key) {
                    only.freed = terms.ite(first, x.freed, yes);
                }
                Some(only)
            }
            (None, Some(y)) => {
                let mut only = y.clone();
                only.exists = terms.ite(first, no, y.exists);
                if dies_early(key) {
                    only.freed = terms.ite(first, yes, y.freed);
                }
                Some(only)
            }
            (None, None) => None,
        });
        for (key, x, y) in differing {
            let merged = crate::contents::ObjectState {
                freed: self.terms.ite(first, x.freed, y.freed),
                exists: self.terms.ite(first, x.exists, y.exists),
                contents: self.merge_contents(a, ObjectId(key as u32), first, &x.contents, &y.contents),
            };
            memory.set(key, merged);
        }
        memory
    }
}
