//! Which mutexes a thread holds for sure wherever it accesses memory.
//!
//! Idea: a forward analysis of all functions that the program itself has. What a function does to its
//! caller's mutexes is a summary; what it is called with, the least of all its calls. Beside the mutexes it
//! says where no thread was started yet, and where one may have been joined.
//!
//! Invariant: whenever a thread comes to a location with a state, it holds the state's mutexes, as long as
//! none of them is among those that somebody else may give back ([`Locksets::disturbed`]).
//!
//! Source: S. Savage and others, "Eraser: a dynamic data race detector for multithreaded programs" (1997),
//! here as a data-flow analysis.

use std::collections::BTreeSet;

use kripke_elts::{Callee, Expr, FunctionId, IdVec, InitialRest, LocationId, Statement, StatementKind};

use crate::contents::Targets;
use crate::effects::Effects;
use crate::lock_roles::{Role, roles};
use crate::offsets::Offsets;
use crate::sites::Place;

/// A set of mutexes, by their numbers.
pub type Mutexes = u64;

/// How many are told apart.
const MOST_MUTEXES: usize = 64;
/// The bytes of one that say who holds it, and how often.
const BYTES: u64 = 16;
/// The bytes of the largest.
const WHOLE: u64 = 40;

/// What is known where a thread comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// No thread was started yet.
    pub is_first: bool,
    /// A thread may have been joined.
    pub joined: bool,
    /// What it holds.
    pub held: Mutexes,
}

impl State {
    const START: State = State {
        is_first: true,
        joined: false,
        held: 0,
    };

    /// Of a thread that was started, or wherever the library calls the program.
    const ANY: State = State {
        is_first: false,
        ..State::START
    };

    fn join(&mut self, other: State) -> bool {
        let before = *self;
        self.is_first &= other.is_first;
        self.joined |= other.joined;
        self.held &= other.held;
        *self != before
    }
}

/// Adds what comes to a place; true where that is new.
fn come(to: &mut Option<State>, state: State) -> bool {
    match to {
        Some(known) => known.join(state),
        None => {
            *to = Some(state);
            true
        }
    }
}

/// What a function does to the state of its caller.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Summary {
    /// The state it returns in when it begins in [`State::START`]; none where it does not return.
    returns: Option<State>,
    /// What it may give back.
    releases: Mutexes,
}

/// What threads hold.
pub struct Locksets<'e, 'p> {
    effects: &'e Effects<'p>,
    roles: IdVec<FunctionId, Option<Role>>,
    /// The mutexes: globals, with an offset.
    mutexes: Vec<(usize, Offsets)>,
    summaries: IdVec<FunctionId, Summary>,
    entries: IdVec<FunctionId, Option<State>>,
}

impl<'e, 'p> Locksets<'e, 'p> {
    /// Analyses a program. Where it hands mutexes over through pointers to functions, none is followed.
    pub fn new(effects: &'e Effects<'p>, starts: &BTreeSet<FunctionId>) -> Self {
        let program = effects.program;
        let roles = roles(program);
        let mutexes = match takes_hand_over(effects, &roles) {
            true => Vec::new(),
            false => mutexes(effects, &roles),
        };
        let nothing = Summary {
            returns: None,
            releases: 0,
        };
        let mut locksets = Locksets {
            effects,
            summaries: vec![nothing; program.functions.len()].into(),
            entries: vec![None; program.functions.len()].into(),
            roles,
            mutexes,
        };
        locksets.summarise();
        locksets.enter(starts);
        locksets
    }

    fn own_functions(&self) -> Vec<FunctionId> {
        let ids = self.effects.program.functions.ids();
        ids.filter(|id| self.roles[*id].is_none()).collect()
    }

    fn summarise(&mut self) {
        let own = self.own_functions();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for id in &own {
                let new = self.summary(*id);
                changed |= new != self.summaries[*id];
                self.summaries[*id] = new;
            }
        }
    }

    fn summary(&self, id: FunctionId) -> Summary {
        let function = &self.effects.program.functions[id];
        if function.locations.is_empty() {
            return Summary {
                returns: Some(State::START),
                releases: 0,
            };
        }
        let states = self.states(id, State::START);
        let mut releases = self.summaries[id].releases;
        self.walk(id, &states, &mut |_, statement, _| {
            releases |= self.released_by(id, statement);
        });
        Summary {
            returns: states[function.exit],
            releases,
        }
    }

    /// With which states functions are called.
    fn enter(&mut self, starts: &BTreeSet<FunctionId>) {
        let program = self.effects.program;
        let mut entries = self.entries.clone();
        come(&mut entries[program.entry], State::START);
        for id in starts.iter().chain(self.effects.points_to.taken()) {
            come(&mut entries[*id], State::ANY);
        }
        for id in program.functions.ids().filter(|id| self.roles[*id].is_some()) {
            for callee in self.callees_of_library(id) {
                come(&mut entries[callee], State::ANY);
            }
        }
        let own = self.own_functions();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for id in &own {
                let Some(entry) = entries[*id] else { continue };
                let states = self.states(*id, entry);
                self.walk(*id, &states, &mut |_, statement, state| {
                    if let StatementKind::Call { callee, .. } = &statement.kind {
                        for callee in self.effects.points_to.callees(*id, callee) {
                            changed |= come(&mut entries[callee], state);
                        }
                    }
                });
            }
        }
        self.entries = entries;
    }

    fn callees_of_library(&self, id: FunctionId) -> Vec<FunctionId> {
        let statements = self.effects.program.functions[id].statements();
        let callees = statements.filter_map(|statement| match &statement.kind {
            StatementKind::Call { callee, .. } => Some(self.effects.points_to.callees(id, callee)),
            _ => None,
        });
        callees.flatten().collect()
    }

    /// The states in which a function that is called in one comes to its locations.
    fn states(&self, id: FunctionId, entry: State) -> IdVec<LocationId, Option<State>> {
        let function = &self.effects.program.functions[id];
        let mut states: IdVec<LocationId, Option<State>> = vec![None; function.locations.len()].into();
        if function.locations.is_empty() {
            return states;
        }
        states[function.entry] = Some(entry);
        let mut open = vec![function.entry];
        while let Some(location) = open.pop() {
            for transition in &function.locations[location].transitions {
                let mut statements = transition.statements.iter();
                let after = statements.try_fold(states[location], |state, statement| {
                    state.map(|state| self.after(id, statement, state))
                });
                if let Some(Some(after)) = after
                    && come(&mut states[transition.target], after)
                {
                    open.push(transition.target);
                }
            }
        }
        states
    }

    /// Shows each statement that is come to, with the state before it.
    fn walk(
        &self,
        id: FunctionId,
        states: &IdVec<LocationId, Option<State>>,
        show: &mut dyn FnMut(Place, &'p Statement, State),
    ) {
        let program = self.effects.program;
        for (location, code) in program.functions[id].locations.enumerate() {
            for (number, transition) in code.transitions.iter().enumerate() {
                let mut state = states[location];
                for (index, statement) in transition.statements.iter().enumerate() {
                    let Some(before) = state else { break };
                    show((location, number, index), statement, before);
                    state = self.after(id, statement, before);
                }
            }
        }
    }

    /// Shows each statement of a function of the program that threads come to.
    pub fn each(&self, show: &mut dyn FnMut(FunctionId, Place, &'p Statement, State)) {
        for id in self.own_functions() {
            if let Some(entry) = self.entries[id] {
                let states = self.states(id, entry);
                self.walk(id, &states, &mut |place, statement, state| {
                    show(id, place, statement, state);
                });
            }
        }
    }

    /// The states in which functions of the program return.
    pub fn returns(&self) -> impl Iterator<Item = (FunctionId, State)> + '_ {
        let own = self.own_functions().into_iter();
        own.filter_map(|id| {
            let states = self.states(id, self.entries[id]?);
            let exit = self.effects.program.functions[id].exit;
            Some((id, states.get(exit).copied().flatten()?))
        })
    }

    /// The state after a statement; none where nothing comes there.
    fn after(&self, id: FunctionId, statement: &Statement, state: State) -> Option<State> {
        let StatementKind::Call {
            callee, arguments, ..
        } = &statement.kind
        else {
            let held = state.held & !self.written(id, &statement.kind);
            return Some(State { held, ..state });
        };
        let callees = self.effects.points_to.callees(id, callee);
        if callees.is_empty() {
            return Some(State::ANY);
        }
        let mut after = None;
        for callee in callees {
            if let Some(returned) = self.after_call(id, (callee, arguments), state) {
                come(&mut after, returned);
            }
        }
        after
    }

    fn after_call(
        &self,
        caller: FunctionId,
        (callee, arguments): (FunctionId, &[Expr]),
        state: State,
    ) -> Option<State> {
        let released = self.released_in_call(caller, callee, arguments);
        let kept = State {
            held: state.held & !released,
            ..state
        };
        let own = |argument: usize| self.exactly(caller, arguments.get(argument));
        Some(match self.roles[callee] {
            None => {
                let returns = self.summaries[callee].returns?;
                State {
                    is_first: state.is_first && returns.is_first,
                    joined: state.joined || returns.joined,
                    held: kept.held | returns.held,
                }
            }
            Some(Role::Locks) => State {
                held: state.held | own(0),
                ..state
            },
            Some(Role::Joins) => State {
                joined: true,
                ..state
            },
            Some(Role::Starts) => State {
                is_first: false,
                ..state
            },
            Some(Role::Waits | Role::Looks | Role::Nothing) => state,
            Some(Role::Unlocks | Role::Initialises) => kept,
            Some(Role::Anything) => State {
                is_first: false,
                ..kept
            },
        })
    }

    fn released_by(&self, id: FunctionId, statement: &Statement) -> Mutexes {
        let released = self.of_calls(id, statement, |callee, arguments| {
            self.released_in_call(id, callee, arguments)
        });
        released | self.written(id, &statement.kind)
    }

    /// The mutexes over whose holder a statement may write.
    fn written(&self, id: FunctionId, kind: &StatementKind) -> Mutexes {
        self.accessed(id, kind, true, BYTES)
    }

    /// The mutexes of which it accesses some of the first bytes.
    fn accessed(&self, id: FunctionId, kind: &StatementKind, writes: bool, bytes: u64) -> Mutexes {
        let accesses = self.effects.accesses_of(id, kind).into_iter();
        let meets = accesses.filter(|access| access.writes() == writes);
        let met = meets.map(|access| self.within(access.places(), access.length(), bytes));
        met.fold(0, |all, one| all | one)
    }

    fn released_in_call(&self, caller: FunctionId, callee: FunctionId, arguments: &[Expr]) -> Mutexes {
        match self.roles[callee] {
            None => self.summaries[callee].releases,
            Some(Role::Unlocks | Role::Initialises) => {
                self.any_of(caller, &arguments[..arguments.len().min(1)])
            }
            Some(Role::Anything) => self.any_of(caller, arguments),
            Some(_) => 0,
        }
    }

    /// Is the address of a function taken that does something else where another thread holds a mutex?
    pub fn looks_through_pointers(&self) -> bool {
        let mut all = self.effects.points_to.taken();
        all.any(|id| self.roles[*id] == Some(Role::Looks))
    }

    /// The mutexes whose holder a statement reads.
    pub fn read(&self, id: FunctionId, statement: &Statement) -> Mutexes {
        self.accessed(id, &statement.kind, false, BYTES)
    }

    /// The mutexes that a statement may look at, if it does something else where another thread holds one.
    pub fn looked_at(&self, id: FunctionId, statement: &Statement) -> Mutexes {
        self.of_calls(id, statement, |callee, arguments| match self.roles[callee] {
            Some(Role::Looks) => self.any_of(id, &arguments[..arguments.len().min(1)]),
            _ => 0,
        })
    }

    /// The mutexes that are never made with attributes: a thread that locks one again waits for ever.
    pub fn plain(&self) -> Mutexes {
        let program = self.effects.program;
        let mut all = 0;
        for (number, (object, offset)) in self.mutexes.iter().enumerate() {
            let global = self.effects.points_to.as_global(*object);
            let is_plain = global.zip(offset.exact()).is_some_and(|(global, offset)| {
                let of_kind = offset..offset + i128::from(WHOLE);
                let mut cells = program.globals[global].cells.iter();
                let is_known = program.globals[global].rest == InitialRest::Zero;
                is_known
                    && cells.all(|cell| !of_kind.contains(&i128::from(cell.offset)) || is_zero(&cell.value))
            });
            all |= u64::from(is_plain) << number;
        }
        self.each(&mut |id, _, statement, _| {
            if !fills_with_zeros(&statement.kind) {
                all &= !self.accessed(id, &statement.kind, true, WHOLE);
            }
            all &= !self.of_calls(id, statement, |callee, arguments| match self.roles[callee] {
                Some(Role::Initialises) if arguments.get(1) != Some(&Expr::Null) => {
                    self.any_of(id, &arguments[..1])
                }
                _ => 0,
            });
        });
        all
    }

    /// The mutex that a statement locks, or unlocks, where it is one for sure.
    pub fn of_lock(&self, id: FunctionId, statement: &Statement, role: Role) -> Mutexes {
        match &statement.kind {
            StatementKind::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } if self.roles[*callee] == Some(role) => self.exactly(id, arguments.first()),
            _ => 0,
        }
    }

    fn of_calls(
        &self,
        id: FunctionId,
        statement: &Statement,
        of: impl Fn(FunctionId, &[Expr]) -> Mutexes,
    ) -> Mutexes {
        let StatementKind::Call {
            callee, arguments, ..
        } = &statement.kind
        else {
            return 0;
        };
        let callees = self.effects.points_to.callees(id, callee).into_iter();
        callees.fold(0, |all, callee| all | of(callee, arguments))
    }

    /// The mutex that an argument points to, where it is one for sure.
    fn exactly(&self, id: FunctionId, argument: Option<&Expr>) -> Mutexes {
        let one = argument.and_then(|argument| only_target(&self.effects.points_to.of(id, argument)));
        let known = one.and_then(|one| self.mutexes.iter().position(|mutex| *mutex == one));
        known.map_or(0, |number| 1 << number)
    }

    /// All mutexes that the arguments may point to.
    fn any_of(&self, id: FunctionId, arguments: &[Expr]) -> Mutexes {
        let all = arguments.iter();
        let all = all.map(|argument| self.within(&self.effects.points_to.of(id, argument), Some(1), BYTES));
        all.fold(0, |all, one| all | one)
    }

    /// The mutexes of which an access to so many bytes may meet some of the first.
    fn within(&self, places: &Targets, length: Option<u64>, bytes: u64) -> Mutexes {
        let mutexes = self.mutexes.iter().enumerate();
        let meets = |(_, (object, offset)): &(usize, &(usize, Offsets))| {
            let at = places.at(*object);
            places.is_any() || at.is_some_and(|at| at.overlap(length, *offset, Some(bytes)))
        };
        mutexes
            .filter(meets)
            .fold(0, |all, (number, _)| all | 1 << number)
    }

    /// The mutexes whose holder somebody else may change: who unlocks one that he may not hold, makes it anew
    /// while others run, or writes to its bytes.
    pub fn disturbed(&self) -> Mutexes {
        let mut all = 0;
        self.each(&mut |id, _, statement, state| {
            all |= self.of_calls(id, statement, |callee, arguments| {
                self.disturbed_by(id, (callee, arguments), state)
            });
            if !state.is_first {
                all |= self.written(id, &statement.kind);
            }
        });
        all
    }

    fn disturbed_by(
        &self,
        caller: FunctionId,
        (callee, arguments): (FunctionId, &[Expr]),
        state: State,
    ) -> Mutexes {
        let at = |argument: usize| {
            let argument = arguments.get(argument);
            argument.map_or(0, |argument| self.any_of(caller, std::slice::from_ref(argument)))
        };
        let holds = |argument: usize| self.exactly(caller, arguments.get(argument)) & state.held != 0;
        let behind = |argument: usize| (argument..arguments.len()).fold(0, |all, other| all | at(other));
        // What other arguments point to is written, too.
        match self.roles[callee] {
            Some(Role::Unlocks) if holds(0) => 0,
            Some(Role::Unlocks) => at(0),
            Some(Role::Waits) if holds(1) => at(0) | behind(2),
            Some(Role::Initialises) if state.is_first => behind(1),
            Some(Role::Looks) => behind(1),
            // The last argument is the thread's own.
            Some(Role::Starts) => at(0) | at(1),
            Some(Role::Waits | Role::Initialises | Role::Joins | Role::Nothing | Role::Anything) => behind(0),
            Some(Role::Locks) | None => 0,
        }
    }
}

/// The mutexes that the program locks by names.
fn mutexes(effects: &Effects<'_>, roles: &IdVec<FunctionId, Option<Role>>) -> Vec<(usize, Offsets)> {
    let program = effects.program;
    let mut found = BTreeSet::new();
    for (id, function) in program.functions.enumerate() {
        if roles[id].is_some() {
            continue;
        }
        for statement in function.statements() {
            if let StatementKind::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } = &statement.kind
                && roles[*callee] == Some(Role::Locks)
                && let Some(mutex) = arguments.first()
                && let Some((object, offset)) = only_target(&effects.points_to.of(id, mutex))
                && let Some(global) = effects.points_to.as_global(object)
                && !program.globals[global].thread_local
            {
                found.insert((object, offset));
            }
        }
    }
    found.into_iter().take(MOST_MUTEXES).collect()
}

fn fills_with_zeros(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::SetMemory { value, .. } if is_zero(value))
}

fn is_zero(value: &Expr) -> bool {
    matches!(value, Expr::Null) || matches!(value, Expr::Int(bits) if bits.is_zero())
}

/// What a pointer points to, where that is one place for sure.
fn only_target(targets: &Targets) -> Option<(usize, Offsets)> {
    let mut all = targets.iter();
    let (object, offset) = all.next()?;
    let is_one = all.next().is_none() && object >= Targets::OBJECTS && offset.exact().is_some();
    is_one.then_some((object, offset))
}

/// Is the address of a function taken by which a mutex changes its holder?
fn takes_hand_over(effects: &Effects<'_>, roles: &IdVec<FunctionId, Option<Role>>) -> bool {
    let mut all = effects.points_to.taken();
    all.any(|id| roles[*id].is_some_and(Role::hands_over))
}
