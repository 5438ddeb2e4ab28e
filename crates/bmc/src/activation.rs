//! What a run is in the middle of: calls in progress, and the states that wait in them.
//!
//! Idea: each call is an activation with its own queue of pending states, keyed by loop iterations and
//! positions (see [`crate::graph`]). The activations are a stack of their own, so that deep recursion of the
//! program is none of the engine.

use std::collections::BTreeMap;
use std::rc::Rc;

use kripke_elts::{FunctionId, Id, LocationId, Position, VariableId};
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::continuation::{Later, Serial};
use crate::graph::Graph;
use crate::object::ObjectId;
use crate::progress::Start;
use crate::state::State;
use crate::value::Value;

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
    /// Properties are assumed here, not checked (k-induction).
    pub assuming: bool,
}

impl Cursor {
    /// Before the program.
    pub fn start() -> Self {
        Cursor {
            location: LocationId::new(0),
            transition: 0,
            statement: 0,
            key: Rc::from([]),
            position: Position::default(),
            assuming: false,
        }
    }
}

/// The rest of a transition that is to be executed.
#[derive(Clone)]
pub(crate) struct Work {
    pub state: State,
    pub location: LocationId,
    pub transition: usize,
    pub statement: usize,
    pub key: Rc<[u32]>,
}

/// A call that waits for its callees.
#[derive(Clone)]
pub(crate) struct Waiting {
    /// The caller's rest; its state is the one before the call.
    pub work: Work,
    /// Callees still to be executed (of an indirect call), each with its condition.
    pub callees: Vec<(TermId, FunctionId)>,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// The states after the callees so far.
    pub returned: Vec<State>,
    /// There are several callees: one state goes on.
    pub joins: bool,
}

/// What a loop of an activation has done so far.
#[derive(Clone, Default)]
pub(crate) struct LoopInstance {
    /// Iterations that count towards the bound.
    pub counted: u32,
    /// Iterations whose end was decided by constants.
    pub free: u32,
    /// The current iteration, and whether inputs decided that it is one.
    pub iteration: Option<u32>,
    pub is_decided_by_inputs: bool,
    /// Several states were at the start of an iteration.
    pub parted: bool,
    /// Some state has taken an exit in the current iteration.
    pub exit_possible: bool,
    /// An exit was taken in the current iteration under a condition that is not constant.
    pub exit_taken: bool,
    /// An exit was excluded in the current iteration.
    pub exit_excluded: bool,
    /// The iteration from which on it is asked again whether one is possible.
    pub asked_from: u32,
    /// The states at the start of the current iteration, and of the one before it.
    pub now: Vec<State>,
    pub before: Vec<State>,
    /// The positions with which the loop began, where it began with one state.
    pub start: Start,
    /// Where iterations have no numbers in turn ([`crate::progress`]): those before each one that waits,
    sources: BTreeMap<u32, Vec<u32>>,
    /// and what is counted when each one that began is over, and whether inputs decide what follows it.
    after: FxHashMap<u32, (u32, u32, bool)>,
}

impl LoopInstance {
    /// Another iteration begins, which counts towards the bound where inputs decide that there is one, or
    /// where all are counted.
    pub fn begin(&mut self, iteration: u32, counts_all: bool) {
        if iteration == 0 {
            *self = LoopInstance::default();
        }
        // Which of several states goes on is decided by inputs although each has constants.
        let taken = self.exit_taken || self.parted && self.exit_possible;
        self.is_decided_by_inputs = taken || !self.exit_excluded;
        if iteration > 0 {
            if counts_all || self.is_decided_by_inputs {
                self.counted += 1;
            } else {
                self.free += 1;
            }
        }
        self.count_shortest(iteration);
        self.iteration = Some(iteration);
        self.before = std::mem::take(&mut self.now);
        self.exit_possible = false;
        self.exit_taken = false;
        self.exit_excluded = false;
    }

    /// The same for a state that goes on later, when others may come to the iteration, too, without what is
    /// known of the order of iterations.
    pub fn interrupted(&self) -> LoopInstance {
        LoopInstance {
            parted: true,
            now: self.now.clone(),
            before: self.before.clone(),
            start: Start::new(),
            sources: BTreeMap::new(),
            after: FxHashMap::default(),
            ..*self
        }
    }

    /// An iteration follows another one, between which there may be others. Is it one more beside others that
    /// wait?
    pub fn follows(&mut self, iteration: u32, last: u32) -> bool {
        let others = self.sources.len();
        let sources = self.sources.entry(iteration).or_default();
        let is_new = sources.is_empty();
        if !sources.contains(&last) {
            sources.push(last);
        }
        is_new && others > 0
    }

    /// Where the iteration does not follow the one that began last, or not only: counts as on the shortest
    /// way to it.
    fn count_shortest(&mut self, iteration: u32) {
        let (Some(last), false) = (self.iteration, self.sources.is_empty()) else {
            return;
        };
        let after = (self.counted, self.free, self.is_decided_by_inputs);
        self.after.insert(last, after);
        let sources = self.sources.remove(&iteration).unwrap_or_default();
        let ways: Vec<_> = sources
            .iter()
            .filter_map(|source| self.after.get(source))
            .collect();
        if let Some((counted, free, _)) = ways.iter().min() {
            (self.counted, self.free) = (*counted, *free);
        }
        self.is_decided_by_inputs = ways.is_empty() || ways.iter().any(|(_, _, decided)| *decided);
        // Other states wait at other numbers.
        self.parted = true;
    }
}

/// A call in progress.
pub(crate) struct Activation {
    pub function: FunctionId,
    pub graph: Rc<Graph>,
    pub context: u32,
    /// Its number in the run.
    pub serial: Serial,
    /// What goes on that was cut at the last bound.
    pub later: Later,
    pub pending: BTreeMap<Key, Vec<State>>,
    /// States of the least key that go on from there one after the other.
    pub parted: Vec<(Rc<Key>, State)>,
    /// States at which a thread is chosen, each of which goes on when those behind it have come to their
    /// ends; only where schedules are explored one by one.
    pub schedules: Vec<(Rc<Key>, State)>,
    pub work: Vec<Work>,
    pub waiting: Option<Waiting>,
    pub exits: Vec<State>,
    pub loops: FxHashMap<Vec<u32>, LoopInstance>,
    pub stack_objects: Vec<ObjectId>,
    pub uninitialised: FxHashMap<VariableId, Value>,
    /// Decisions on the path when it was entered, to see whether a recursion is decided by constants.
    pub branches: u32,
    /// How many counted activations of the same function lie below.
    pub recursion: u32,
    /// Its caller is in an iteration whose properties are assumed (k-induction).
    pub assuming: bool,
    /// It is inside a loop in which states are not kept apart.
    pub merges: bool,
    /// The loop of which this activation executes one iteration (k-induction).
    pub plain_loop: Option<u32>,
}

impl Activation {
    /// Is there nothing left to be executed before another key?
    pub fn rests(&self) -> bool {
        self.work.is_empty() && self.parted.is_empty()
    }

    /// A call before anything waits in it.
    pub fn new(function: FunctionId, graph: Rc<Graph>, context: u32) -> Self {
        Activation {
            function,
            graph,
            context,
            serial: 0,
            later: Later::new(),
            pending: BTreeMap::new(),
            parted: Vec::new(),
            schedules: Vec::new(),
            work: Vec::new(),
            waiting: None,
            exits: Vec::new(),
            loops: FxHashMap::default(),
            stack_objects: Vec::new(),
            uninitialised: FxHashMap::default(),
            branches: 0,
            recursion: 0,
            assuming: false,
            merges: false,
            plain_loop: None,
        }
    }
}
