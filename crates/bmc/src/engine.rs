//! The symbolic execution of a program up to a bound.
//!
//! Idea: one merged state per location and loop iteration, or a few ([`crate::parting`]). Each call is an
//! activation with its own queue of pending states; the smallest key is executed first (see
//! [`crate::graph`]), so paths meet before they go on, and mostly a call returns as one state. The stack of
//! activations is explicit: deep recursion of the program is none here.
//!
//! What the engine knows lives as long as one of three things. The program: the model itself, its graphs,
//! its terms and names, which every run adds to. The search: which properties are still open. The [`Run`]: a
//! bound, and all that executing with it found; a larger bound goes on with it ([`crate::continuation`]) or
//! begins with a new one.
//!
//! Invariant: the paths of all states that wait anywhere, and of everything recorded as cut, exclude
//! each other and cover every run of the program that violates nothing.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use kripke_elts::interrupts::ENDLESS_DISPATCHER;
use kripke_elts::{CTypeId, FunctionId, IdVec, ObjectSiteId, Program, PropertyId};
use kripke_model::Reason;
use kripke_smt::{TermId, Terms};
use kripke_value::RoundingMode;

use crate::activation::{Activation, Cursor};
use crate::addresses;
use crate::coarse::{Arithmetic, Coarse};
use crate::continuation::{Continuations, Serial, SetAside, Suspended};
use crate::feasibility::Feasibility;
use crate::graph::Graphs;
use crate::kinduction::{CoverSearch, Induction};
use crate::limits;
use crate::loops;
use crate::ltl::Monitors;
use crate::names::Names;
use crate::object::{ObjectId, ObjectKind, Objects};
use crate::options::{Explore, Options};
use crate::parting::{Learned, Parting};
use crate::path::{PathId, Paths};
use crate::persistent::PersistentMap;
use crate::range::Facts;
use crate::record::Record;
use crate::sample::Sample;
use crate::state::State;

/// After so many steps it is seen whether there is time for more, and after so many whether there is memory:
/// a step at which many pointers meet takes milliseconds.
pub(crate) const STEPS_UNCHECKED: u64 = 8;
const STEPS_UNMEASURED: u64 = 256;

/// The engine.
pub struct Engine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) pointer_width: u32,
    /// How far objects keep from both ends of the address space, in bytes.
    pub(crate) margin: u64,
    pub(crate) graphs: Graphs,
    /// The loops for which the user gives invariants, and those around them.
    pub(crate) contracts: BTreeSet<(FunctionId, u32)>,
    /// All terms of all runs.
    pub terms: Terms,
    pub(crate) names: Names,
    /// The monitors of temporal formulas in the program.
    pub(crate) monitors: Monitors,
    /// Which properties are still looked for.
    pub(crate) checked: IdVec<PropertyId, bool>,
    /// The contracts on which an induction relies: its paths end where one of these is false.
    pub(crate) relied_on: BTreeSet<PropertyId>,
    /// Which paths can be taken.
    pub(crate) feasibility: Feasibility,
    /// Conditions without arithmetic of floats.
    pub(crate) coarse: Coarse,
    pub(crate) coarser: Coarse,
    /// Until when a run that is only an attempt may go on.
    pub(crate) patience: Option<Instant>,
    /// Does a run of threads end where it is certain that a property is violated?
    pub(crate) stops_early: bool,
    /// How many turns threads take where the user bounds their loops; none: any number.
    pub(crate) turns: Option<u32>,
    /// Which states are kept apart.
    pub(crate) parting: Parting,
    /// The last run.
    pub(crate) run: Run,
    /// May abstract states of threads tell apart fewer constants than usual, where that makes few of them?
    pub(crate) tries_coarse_cover: bool,
    /// A run of abstract states of threads that goes on later.
    pub(crate) suspended: Option<Suspended>,
    /// Does the run keep the paths that it cuts, for a larger bound?
    pub(crate) keeps_paths: bool,
    /// A run with a bound that goes on later.
    pub(crate) aside: Option<Box<SetAside>>,
}

/// One execution of the program, with a bound that may grow.
pub(crate) struct Run {
    pub bound: u32,
    /// The loops that it treats by induction.
    pub induction: Option<Induction>,
    pub paths: Paths,
    pub objects: Objects,
    pub stack: Vec<Activation>,
    pub cursor: Cursor,
    /// How many names letters have been given.
    pub letters: u32,
    /// A property is certainly violated: threads go on no further than in this step.
    pub stops: bool,
    /// Are checks decided by the bounds of what they compare, which many states have?
    pub compares_ranges: bool,
    /// A search for abstract states of threads whose turn is over.
    pub waiting: Option<Box<CoverSearch>>,
    /// What it leaves behind for the solver.
    pub record: Record,
    /// What goes on at a larger bound, and what it has not gone on with yet of that of a smaller one.
    pub continuations: Continuations,
    pub resumed: Continuations,
    /// How many activations there were.
    activations: Serial,
    /// How long it took so far, where larger bounds go on with it.
    pub took: Duration,
    /// What was known of positions when it began.
    pub began_with: Learned,
    /// The facts that were asked for last, and of which path.
    facts: Option<(PathId, Rc<Facts>)>,
}

impl Run {
    pub fn new(terms: &mut Terms, bound: u32, induction: Option<Induction>) -> Self {
        Run {
            bound,
            induction,
            paths: Paths::new(terms),
            objects: Objects::default(),
            stack: Vec::new(),
            cursor: Cursor::start(),
            letters: 0,
            stops: false,
            compares_ranges: false,
            waiting: None,
            record: Record::default(),
            continuations: Continuations::default(),
            resumed: Continuations::default(),
            activations: 0,
            took: Duration::ZERO,
            began_with: Learned::default(),
            facts: None,
        }
    }

    /// The number of another activation.
    pub fn new_serial(&mut self) -> Serial {
        self.activations += 1;
        self.activations - 1
    }

    /// A name for a letter that monitors see.
    pub fn new_letter(&mut self) -> u32 {
        self.letters += 1;
        self.letters
    }
}

impl<'a> Engine<'a> {
    /// An engine that has run nothing.
    pub fn new(program: &'a Program, options: &'a Options) -> Self {
        let mut terms = Terms::new();
        let run = Run::new(&mut terms, 0, None);
        let mut graphs = Graphs::new(program);
        let contracts = loops::with_invariants(program, &mut graphs);
        let checked: Vec<bool> = program.properties.ids().map(|id| options.checks(id)).collect();
        Engine {
            program,
            options,
            pointer_width: program.data_model.pointer_width,
            margin: addresses::margin(program),
            graphs,
            contracts,
            terms,
            names: Names::default(),
            monitors: Monitors::default(),
            checked: checked.into(),
            relied_on: BTreeSet::new(),
            feasibility: Feasibility::new(),
            coarse: Coarse::new(Arithmetic::Floats),
            coarser: Coarse::new(Arithmetic::All),
            patience: None,
            stops_early: !options.all && (options.unwind.is_none() || options.explore == Explore::Merged),
            turns: None,
            parting: Parting::new(program, options),
            run,
            tries_coarse_cover: false,
            suspended: None,
            keeps_paths: false,
            aside: None,
        }
    }

    /// Executes the program with a bound; `Err` when a limit stopped it.
    pub fn unwind(&mut self, bound: u32) -> Result<(), Reason> {
        self.start(bound, None)
    }

    /// Executes the program with a bound, some of its loops treated by induction.
    pub(crate) fn start(&mut self, bound: u32, induction: Option<Induction>) -> Result<(), Reason> {
        loop {
            let apart = self.parting.apart();
            self.begin(bound, induction.clone())?;
            // Where too many states stayed apart, fewer do from now on.
            if apart == self.parting.apart() {
                return Ok(());
            }
        }
    }

    fn begin(&mut self, bound: u32, induction: Option<Induction>) -> Result<(), Reason> {
        match induction {
            Some(_) => self.set_aside(),
            None => self.aside = None,
        }
        self.run = Run::new(&mut self.terms, bound, induction);
        self.feasibility.excluded.clear();
        self.parting.start_run();
        self.run.began_with = self.parting.learned();
        self.names.start_run();
        let mut state = State {
            path: self.run.paths.root(),
            frame: PersistentMap::default(),
            memory: PersistentMap::default(),
            rounding: self.terms.rounding(RoundingMode::NearestEven),
            letter: 0,
            came: 0,
            schedule: 0,
            iterations: PersistentMap::default(),
            sample: self
                .has_threads()
                .then(|| Rc::new(Sample::of_start(self.run.paths.root()))),
        };
        self.create_globals(&mut state);
        let entry = self.program.entry;
        self.run.cursor.position = self.program.functions[entry].position;
        self.enter(state, entry, Vec::new(), 0);
        self.execute()
    }

    /// Executes until no state waits, or a search for abstract states does.
    pub(crate) fn execute(&mut self) -> Result<(), Reason> {
        let mut steps = 0u64;
        let apart = self.parting.apart();
        while !self.run.stack.is_empty() && apart == self.parting.apart() && self.run.waiting.is_none() {
            steps += 1;
            if steps.is_multiple_of(STEPS_UNCHECKED) {
                self.may_go_on(steps)?;
            }
            self.step();
        }
        debug_assert!(!self.run.stack.is_empty() || self.run.resumed.is_empty());
        match self.run.waiting {
            Some(_) => Err(Reason::Time),
            None => Ok(()),
        }
    }

    /// Does the function let handlers come any number of times?
    pub(crate) fn is_endless_dispatcher(&self, function: FunctionId) -> bool {
        self.program.functions[function]
            .name
            .starts_with(ENDLESS_DISPATCHER)
    }

    /// Is there time and memory for more steps?
    pub(crate) fn may_go_on(&self, steps: u64) -> Result<(), Reason> {
        limits::check(self.options, steps.is_multiple_of(STEPS_UNMEASURED))?;
        match self.patience {
            Some(until) if Instant::now() > until => Err(Reason::Time),
            _ => Ok(()),
        }
    }

    /// Executes the next piece of work of the running activation.
    pub(crate) fn step(&mut self) {
        let top = self.top();
        if let Some(work) = top.work.pop() {
            self.run_transition(work);
        } else if let Some((key, state)) = top.parted.pop() {
            self.run_location(&key, state);
        } else if let Some(kept) = top.next_interrupted() {
            self.go_on_with(kept);
        } else if let Some((key, states)) = top.pending.pop_first() {
            let mut parted = self.part(&key, states);
            parted.reverse();
            let key = Rc::new(key);
            let parted = parted.into_iter().map(|state| (key.clone(), state));
            match self.begins_schedules(&key) {
                true => self.top().schedules.extend(parted),
                false => self.top().parted.extend(parted),
            }
        } else if let Some((key, state)) = top.schedules.pop() {
            // What is known of loops is of another schedule.
            top.loops.clear();
            top.parted.push((key, state));
        } else {
            self.leave();
        }
    }

    /// The activation that runs.
    pub(crate) fn top(&mut self) -> &mut Activation {
        self.run
            .stack
            .last_mut()
            .expect("statements run in an activation")
    }

    /// What the state's path says of terms compared with constants.
    pub(crate) fn facts(&mut self, path: PathId) -> Rc<Facts> {
        if let Some((known, facts)) = &self.run.facts
            && *known == path
        {
            return facts.clone();
        }
        let facts = Rc::new(Facts::new(&self.terms, &self.run.paths, path));
        self.run.facts = Some((path, facts.clone()));
        facts
    }

    /// What the state's path says at sight of a condition.
    pub(crate) fn decide(&mut self, state: &State, condition: TermId) -> Option<bool> {
        self.run.paths.decide(&mut self.terms, state.path, condition)
    }

    /// The state's path and a condition.
    pub(crate) fn here(&mut self, state: &State, condition: TermId) -> TermId {
        let path = self.run.paths.term(state.path);
        self.terms.and(path, condition)
    }

    /// The C type of an object, where it is declared.
    pub(crate) fn c_type_of(&self, object: ObjectId) -> Option<CTypeId> {
        match self.run.objects[object].kind {
            ObjectKind::Global(global) => self.program.globals[global].c_type,
            ObjectKind::Stack(site) => self.program.object_sites[site].c_type,
            ObjectKind::Heap(_) => None,
        }
    }

    /// Alignment of an allocation site.
    pub(crate) fn site_align(&self, site: ObjectSiteId) -> u32 {
        self.program.object_sites[site].align.max(1)
    }
}
