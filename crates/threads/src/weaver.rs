//! The function that the threads are woven into, while it is written.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kripke_elts::threads::{HARDWARE, HELD, MASKER, OF_THREAD, OWNER, PLACE, SUSPENDER, SWITCHED, WOVEN};
use kripke_elts::{
    Callee, Expr, Function, FunctionId, GlobalId, Id, IdVec, Location, LocationId, Position, Program,
    PropertyId, PropertySite, Statement, StatementKind, Transition, Type, Variable, VariableId, VariableKind,
};
use kripke_interrupts::terms::{assign, int, truth};
use kripke_model::PropertyKind;

use crate::atomicity::Pair;
use crate::inline::is_section;
use crate::marks::{Mark, Marks, Wait};
use crate::pairs::{Event, Noted};
use crate::places::Faults;
use crate::races::Access;
use crate::torn::Torn;
use crate::{Wanted, Woven};

/// How many threads there are at the most, the program's own included.
const MOST_THREADS: usize = 17;
/// How many threads a place that is come to again and again may start.
pub const STARTED_IN_A_LOOP: usize = 8;

/// The type of the variables that say where a thread stands.
pub const PLACE_TYPE: Type = Type::Int(16);
/// A thread that was not started yet, and one that has ended, stand here.
pub const NOT_STARTED: usize = 0;
pub const ENDED: usize = 1;
/// The number of the first place.
pub const FIRST_PLACE: usize = 2;

/// The thread that has to go on, as it is in the middle of something: its number and one, or 0.
pub const OWNER_TYPE: Type = Type::Int(8);

/// The type of the variables that say whether a thread is kept from going on.
pub const HELD_TYPE: Type = Type::Int(32);

/// A thread.
pub struct Thread {
    /// Where it stands.
    pub place: VariableId,
    /// What its first function is called with.
    pub argument: VariableId,
    /// The word that it waits for.
    pub word: VariableId,
    /// Where it begins.
    pub root: LocationId,
    /// The functions that it begins in and ends with; none of the program's own.
    pub begins: Option<(FunctionId, FunctionId)>,
}

/// Why a thread stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Others may run; what follows is a write that they can tell, or not.
    Gap { writes: bool },
    /// It waits for its word.
    Wait(Wait),
}

/// Where a thread may stand: whoever comes to the location stops there.
pub struct Place {
    pub thread: usize,
    pub at: LocationId,
    pub stop: Stop,
}

/// Where a thread starts others.
pub struct Site {
    /// The ways go on from here, to there.
    pub at: LocationId,
    pub then: LocationId,
    pub function: Expr,
    pub argument: Expr,
    pub finish: FunctionId,
    pub result: Option<VariableId>,
    pub position: Position,
}

pub struct Weaver<'p> {
    pub target: &'p mut Program,
    pub program: Program,
    pub marks: Marks,
    /// The functions in which a program's threads may begin.
    pub candidates: Vec<FunctionId>,
    /// The functions whose statements become part of the threads that call them.
    pub inlined: BTreeSet<FunctionId>,
    pub function: Function,
    /// The thread that each location belongs to.
    pub thread_of: Vec<usize>,
    pub threads: Vec<Thread>,
    pub places: Vec<Place>,
    pub sites: VecDeque<Site>,
    /// Each thread's own copies of what is thread-local.
    pub own_globals: BTreeMap<(usize, GlobalId), GlobalId>,
    /// Where threads end: behind the last statement of the last transition of a location.
    pub ends: Vec<(usize, LocationId)>,
    /// Where a thread deletes another one, and where it goes on.
    pub deletions: Vec<(LocationId, LocationId)>,
    /// The functions that traces tell by which function of a thread runs.
    pub tellers: BTreeMap<(usize, FunctionId), (FunctionId, FunctionId)>,
    /// Which threads do not go on, by their numbers, as [`kripke_elts::threads::HOLD`] says; only where
    /// some are held.
    pub held: Vec<VariableId>,
    /// Who has to go on; only where something is done at once over several statements.
    pub owner: Option<VariableId>,
    /// Who keeps other threads from going on, but not handlers: as the scheduler is suspended, or interrupts
    /// are disabled; only where some may be.
    pub suspender: Option<VariableId>,
    pub masker: Option<VariableId>,
    /// No handler comes where interrupts are disabled.
    pub masks_all: bool,
    /// The places where something begins that is done at once, or a handler: threads do not go past them.
    pub section_begins: BTreeSet<usize>,
    pub choice: VariableId,
    /// Where threads are switched so many times at most: that number, the thread that ran last, and how often
    /// they were.
    pub switches: Option<(u32, VariableId, VariableId)>,
    /// Where iterations of loops are counted, calls tell of them; how many loops there are.
    pub counts_iterations: bool,
    pub loops: usize,
    pub hub: LocationId,
    /// The one way back to the hub, so that runs which go round come to it from the same location.
    pub back: LocationId,
    /// The way to it of threads that end.
    pub ended: LocationId,
    /// What may end a run.
    pub faults: Faults,
    /// What a thread waits for is there.
    pub is_there: Option<PropertyId>,
    /// Formulas are checked, so it matters how runs go on for ever.
    pub has_formulas: bool,
    /// It is asked whether threads race.
    pub asks_for_races: bool,
    /// What threads do next at their places, as far as it is asked.
    pub accesses: Vec<Access>,
    /// It is asked whether one comes between the pieces of an access of another; the places there.
    pub asks_for_torn: bool,
    pub torn: Vec<Torn>,
    /// It is asked what comes between two accesses: what is known of them, where something comes that matters
    /// for that, and what is noted of a pair.
    pub asks_for_pairs: bool,
    pub noted: Vec<Noted>,
    pub events: BTreeMap<LocationId, Event>,
    pub pair: Option<Pair>,
    /// The locations of calls that lock what nobody else can tell.
    pub unseen: BTreeSet<usize>,
    /// What follows these relies on that no other thread runs.
    pub alone: Vec<(LocationId, Position)>,
    /// Where it is asked whether the thread of a number could go on, and the variable that says so then.
    pub questions: Vec<(LocationId, Expr, VariableId)>,
}

impl<'p> Weaver<'p> {
    pub fn new(target: &'p mut Program, candidates: Vec<FunctionId>, wanted: Wanted<'_>) -> Self {
        let has_formulas = !wanted.atoms.is_empty();
        let program = target.clone();
        let main = &program.functions[program.entry];
        let function = Function {
            name: WOVEN.to_owned(),
            parameters: Vec::new(),
            results: Vec::new(),
            variables: IdVec::new(),
            locations: IdVec::new(),
            entry: LocationId::new(0),
            exit: LocationId::new(0),
            position: main.position,
            variadic: false,
        };
        let marks = Marks::new(&program);
        let inlined = inlined(&program, &marks);
        let mut weaver = Weaver {
            target,
            inlined,
            function,
            thread_of: Vec::new(),
            threads: Vec::new(),
            places: Vec::new(),
            sites: VecDeque::new(),
            own_globals: BTreeMap::new(),
            ends: Vec::new(),
            deletions: Vec::new(),
            tellers: BTreeMap::new(),
            held: Vec::new(),
            owner: None,
            suspender: None,
            masker: None,
            masks_all: false,
            section_begins: BTreeSet::new(),
            choice: VariableId::new(0),
            switches: None,
            counts_iterations: wanted.counts_iterations,
            loops: 0,
            hub: LocationId::new(0),
            back: LocationId::new(0),
            ended: LocationId::new(0),
            faults: Faults::new(&program),
            is_there: None,
            has_formulas,
            asks_for_races: wanted.races,
            accesses: Vec::new(),
            asks_for_torn: wanted.asked.torn,
            torn: Vec::new(),
            asks_for_pairs: wanted.asked.atomicity,
            noted: Vec::new(),
            events: BTreeMap::new(),
            pair: None,
            unseen: BTreeSet::new(),
            alone: Vec::new(),
            questions: Vec::new(),
            candidates,
            marks,
            program,
        };
        weaver.is_there = weaver.property_of_words();
        weaver.choice = weaver.variable("choice", Type::Int(8));
        weaver.switches = wanted.context_bound.map(|bound| {
            let [last, count] = ["last", "count"].map(|name| format!("{SWITCHED}{name}"));
            let last = weaver.push_variable(last, Type::Int(8));
            (bound, last, weaver.push_variable(count, Type::Int(32)))
        });
        let has_sections = weaver.program.functions.iter().any(is_section);
        if has_sections || weaver.marks.has(Mark::Section { begins: true }) {
            weaver.owner = Some(weaver.push_variable(OWNER.to_owned(), OWNER_TYPE));
        }
        if weaver.marks.has(Mark::Suspension { begins: true }) {
            weaver.suspender = Some(weaver.push_variable(SUSPENDER.to_owned(), OWNER_TYPE));
        }
        weaver.masks_all = weaver.marks.has(Mark::Masks { all: true });
        if weaver.masks_all || weaver.marks.has(Mark::Masks { all: false }) {
            weaver.masker = Some(weaver.push_variable(MASKER.to_owned(), OWNER_TYPE));
        }
        if weaver.marks.has(Mark::Hold) {
            let held = (0..MOST_THREADS).map(|number| format!("{HELD}{number}"));
            weaver.held = held.map(|name| weaver.push_variable(name, HELD_TYPE)).collect();
        }
        weaver.function.entry = weaver.location("start", usize::MAX);
        weaver.function.exit = weaver.location("end", usize::MAX);
        weaver.hub = weaver.location("hub", usize::MAX);
        weaver.back = weaver.location("back", usize::MAX);
        weaver.ended = weaver.location("ended", usize::MAX);
        weaver.leave(weaver.back, Vec::new(), weaver.hub, Position::default());
        weaver
    }

    pub fn run(mut self) -> Woven {
        let main = &self.program.functions[self.program.entry];
        let results = main.results.clone();
        for result in results {
            let variable = self.program.functions[self.program.entry].variables[result].clone();
            let own = self.variable("result", variable.ty);
            self.function.results.push(own);
        }
        self.add_thread(None);
        self.write_thread(0);
        while let Some(site) = self.sites.pop_front() {
            self.start_threads(site);
        }
        self.end_globals();
        for thread in 0..self.threads.len() {
            self.mark_objects(thread);
            self.add_places(thread);
        }
        if self.asks_for_pairs {
            self.write_pairs();
        }
        self.write_questions();
        self.write_alone();
        self.write_hub();
        let woven = Woven {
            threads: self.threads.len() - usize::from(self.hardware().is_some()),
            has_handlers: self.hardware().is_some(),
            places: self.places.len(),
        };
        let id = self.target.functions.push(self.function);
        self.target.entry = id;
        woven
    }

    /// The thread that runs handlers of interrupts.
    pub fn hardware(&self) -> Option<usize> {
        let begins = |thread: &Thread| {
            let (begins, _) = thread.begins?;
            Some(self.program.functions[begins].name == HARDWARE)
        };
        self.threads
            .iter()
            .position(|thread| begins(thread) == Some(true))
    }

    /// The variables that say who keeps others from going on.
    pub fn keepers(&self) -> impl Iterator<Item = VariableId> + use<> {
        [self.owner, self.suspender, self.masker].into_iter().flatten()
    }

    /// Those that keep a thread: handlers come while others are suspended, and where interrupts are disabled
    /// they look themselves.
    pub fn keepers_of(&self, thread: usize) -> impl Iterator<Item = VariableId> + use<> {
        let (owner, is_hardware) = (self.owner, self.hardware() == Some(thread));
        self.keepers()
            .filter(move |keeper| !is_hardware || Some(*keeper) == owner)
    }

    /// What a thread has of its own dies with it.
    fn end_globals(&mut self) {
        for (thread, at) in std::mem::take(&mut self.ends) {
            let own = self.own_globals.iter();
            let dying = own.filter(|((of, _), _)| *of == thread);
            let Some(transition) = self.function.locations[at].transitions.last_mut() else {
                continue;
            };
            for (_, global) in dying {
                transition.statements.push(Statement {
                    kind: StatementKind::EndObject {
                        pointer: Expr::GlobalAddress(*global),
                    },
                    position: transition.position,
                });
            }
        }
    }

    pub fn variable(&mut self, name: &str, ty: Type) -> VariableId {
        let name = format!("{name}{OF_THREAD}.{}", self.function.variables.len());
        self.push_variable(name, ty)
    }

    fn push_variable(&mut self, name: String, ty: Type) -> VariableId {
        self.function.variables.push(Variable {
            name,
            ty,
            kind: VariableKind::Temporary,
            c_type: None,
            position: Position::default(),
        })
    }

    pub fn location(&mut self, name: &str, thread: usize) -> LocationId {
        self.thread_of.push(thread);
        self.function.locations.push(Location {
            name: name.to_owned(),
            transitions: Vec::new(),
            position: self.function.position,
        })
    }

    /// A location that is left in one way.
    pub fn leave(&mut self, from: LocationId, kinds: Vec<StatementKind>, to: LocationId, position: Position) {
        self.way(from, truth(true), kinds, to, position);
    }

    pub fn way(
        &mut self,
        from: LocationId,
        guard: Expr,
        kinds: Vec<StatementKind>,
        to: LocationId,
        position: Position,
    ) {
        let statements = kinds.into_iter().map(|kind| Statement { kind, position });
        let transition = Transition {
            guard,
            statements: statements.collect(),
            target: to,
            position,
        };
        self.function.locations[from].transitions.push(transition);
    }

    /// A thread that begins in such a function, and does nothing yet.
    pub fn add_thread(&mut self, begins: Option<(FunctionId, FunctionId)>) -> usize {
        let number = self.threads.len();
        let place = self.push_variable(format!("{PLACE}{number}"), PLACE_TYPE);
        let argument = self.variable("argument", Type::Pointer);
        let word = self.variable("word", Type::Pointer);
        let root = self.location("begin", number);
        self.threads.push(Thread {
            place,
            argument,
            word,
            root,
            begins,
        });
        number
    }

    /// Whoever comes to the location stops there: its number.
    pub fn add_place(&mut self, thread: usize, at: LocationId, stop: Stop) -> usize {
        self.places.push(Place { thread, at, stop });
        FIRST_PLACE + self.places.len() - 1
    }

    /// The property that what a thread waits for is there, where contracts of the library are checked.
    fn property_of_words(&mut self) -> Option<PropertyId> {
        let mut sites = self.program.properties.iter();
        sites.find(|site| site.kind == PropertyKind::LibraryContract)?;
        let function = self.program.entry;
        Some(self.target.properties.push(PropertySite {
            kind: PropertyKind::LibraryContract,
            description: "what a thread waits for is gone".to_owned(),
            position: self.program.functions[function].position,
            function,
        }))
    }

    /// The places of a thread, with their numbers.
    pub fn places_of(&self, thread: usize) -> impl Iterator<Item = (usize, &Place)> {
        let own = self.places.iter().enumerate();
        own.filter(move |(_, place)| place.thread == thread)
            .map(|(index, place)| (FIRST_PLACE + index, place))
    }

    pub fn deadlock(&self) -> Option<PropertyId> {
        let sites = self.program.properties.enumerate();
        let mut found = sites.filter(|(_, site)| site.kind == PropertyKind::Deadlock);
        found.next().map(|(id, _)| id)
    }

    /// The threads that a place may start, one of each number, and the ways to do it.
    fn start_threads(&mut self, site: Site) {
        let is_repeated = self.comes_again(site.at, site.then);
        let site = Site {
            function: self.resolved(site.function),
            ..site
        };
        let functions = match &site.function {
            Expr::FunctionAddress(function) => vec![*function],
            _ => self.candidates.clone(),
        };
        let mut none = truth(true);
        let count = if is_repeated { STARTED_IN_A_LOOP } else { 1 };
        for function in functions {
            for _ in 0..count {
                if self.threads.len() == MOST_THREADS {
                    break;
                }
                let number = self.add_thread(Some((function, site.finish)));
                self.write_thread(number);
                self.start_thread(&site, function, number, &mut none);
            }
        }
        let what = format!("more than {} threads started at one place", count);
        let what = match self.threads.len() == MOST_THREADS {
            true => format!("more than {} threads", MOST_THREADS - 1),
            false => what,
        };
        self.way(
            site.at,
            none,
            vec![StatementKind::Unsupported { what }],
            site.then,
            site.position,
        );
    }

    /// What an expression is that is assigned in one place only.
    pub fn resolved(&self, mut expr: Expr) -> Expr {
        while let Expr::Variable(variable) = expr {
            let mut assigned = self.function.statements().filter(|statement| {
                let targets = statement.kind.targets();
                targets.contains(&variable)
            });
            match (assigned.next().map(|statement| &statement.kind), assigned.next()) {
                (Some(StatementKind::Assign { value, .. }), None) if *value != expr => expr = value.clone(),
                _ => break,
            }
        }
        expr
    }

    /// The way on which a thread of that number begins, if it has not yet.
    fn start_thread(&mut self, site: &Site, function: FunctionId, number: usize, none: &mut Expr) {
        use kripke_elts::BinaryOp as Op;
        use kripke_interrupts::terms::{and, binary, not};
        let (place, argument, root) = {
            let thread = &self.threads[number];
            (thread.place, thread.argument, thread.root)
        };
        let start = self.place_at(root);
        let is_free = binary(Op::Eq, Expr::Variable(place), int(16, NOT_STARTED as u128));
        let fits = match &site.function {
            Expr::FunctionAddress(_) => is_free,
            pointer => and(
                binary(Op::PEq, pointer.clone(), Expr::FunctionAddress(function)),
                is_free,
            ),
        };
        let mut kinds = vec![
            assign(argument, site.argument.clone()),
            assign(place, int(16, start as u128)),
        ];
        if let Some(result) = site.result {
            kinds.push(assign(result, int(32, number as u128)));
        }
        self.way(
            site.at,
            and(none.clone(), fits.clone()),
            kinds,
            site.then,
            site.position,
        );
        *none = and(none.clone(), not(fits));
    }

    /// The number of the place at a location.
    pub fn place_at(&self, at: LocationId) -> usize {
        let found = self.places.iter().position(|place| place.at == at);
        FIRST_PLACE + found.expect("a thread begins at a place")
    }

    /// Does a thread come to a location again after it?
    fn comes_again(&self, at: LocationId, then: LocationId) -> bool {
        let next = |id: LocationId| {
            let transitions = self.function.locations[id].transitions.iter();
            let found = transitions.map(|transition| transition.target.index());
            // What a place that starts threads leads to is not written yet.
            let started = self.sites.iter().filter(move |site| site.at == id);
            let then = started.map(|site| site.then.index());
            found.chain(then).collect::<Vec<_>>()
        };
        kripke_graph::reachable([then.index()], |index| next(LocationId::new(index))).contains(&at.index())
    }
}

/// The functions whose statements become part of the threads that call them: those in which others may run,
/// or that differ from thread to thread, and those that may never return: states inside are known again.
fn inlined(program: &Program, marks: &Marks) -> BTreeSet<FunctionId> {
    let is_own = |expr: &Expr| {
        let mut found = false;
        expr.each_global(&mut |global| found |= program.globals[global].thread_local);
        found
    };
    let mut callers: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    let mut open = Vec::new();
    for (id, function) in program.functions.enumerate() {
        let mut differs = function.transitions().any(|transition| is_own(&transition.guard));
        differs |= may_not_return(function);
        for statement in function.statements() {
            differs |= marks.of(&statement.kind).is_some();
            differs |= matches!(statement.kind, StatementKind::SetRounding { .. });
            statement.kind.each_expr(&mut |expr| differs |= is_own(expr));
            if let StatementKind::Call {
                callee: Callee::Direct(callee),
                ..
            } = &statement.kind
            {
                callers.entry(*callee).or_default().push(id);
            }
        }
        if differs {
            open.push(id);
        }
    }
    kripke_graph::reachable(open, |id| callers.get(&id).cloned().unwrap_or_default())
}

/// Are there locations from which no way leads to the exit?
fn may_not_return(function: &Function) -> bool {
    if function.locations.is_empty() {
        return false;
    }
    let predecessors = function.predecessors();
    let before = |id: LocationId| predecessors[id].iter().map(|(from, _)| *from).collect::<Vec<_>>();
    let returning = kripke_graph::reachable([function.exit], before);
    let reached = function.reverse_postorder();
    reached.iter().any(|location| !returning.contains(location))
}
