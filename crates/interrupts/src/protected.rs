//! Accesses of threads before which no other thread needs to run, as one lock protects what they access.
//!
//! Idea: where each access to some memory is made by a thread that holds the same mutex, nobody accesses it
//! between the lock and the unlock of another one: the access may as well be made at once with what comes
//! before it, and there is no gap. (Both movers: Lipton 1975.) Before the first thread is started nobody else
//! runs at all.
//!
//! The program's own thread often reads without the mutex what others left, when it has joined them. That
//! nobody else runs then is checked where it does so ([`kripke_elts::threads::NEEDS_ALONE`]): a run in
//! which it is wrong is cut, and the program is looked at again with all gaps. Such a run is found although
//! gaps are missing: where the first of these accesses comes between a lock and an unlock, the other thread
//! has not ended, and stands before its lock, at a gap behind it, or where it is about to end.
//!
//! Of a mutex that others only lock, nobody can tell that another thread holds it: to wait for it is to come
//! later. So nobody needs to run before it is unlocked, or where what its holder does ends the run.
//!
//! Invariant: where no run is cut, each run of the threads is one of the result up to the order of
//! independent statements.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::threads::{END, HARDWARE};
use kripke_elts::{FunctionId, StatementKind};

use crate::contents::Targets;
use crate::effects::{Access, Effects};
use crate::gaps::is_thread_library;
use crate::lock_roles::Role;
use crate::locksets::{Locksets, Mutexes, State};
use crate::offsets::Offsets;
use crate::sites::Place;

/// The accesses of a program's threads that need no gap, or something else.
#[derive(Debug, Default)]
pub struct Protected {
    /// No gap is needed before these.
    free: BTreeSet<(FunctionId, Place)>,
    /// These rely on that no other thread runs.
    alone: BTreeSet<(FunctionId, Place)>,
    /// So do the ends of what these functions have in their frames.
    alone_at_return: BTreeSet<FunctionId>,
    /// These lock, or unlock, a mutex of which nobody can tell whether another thread holds it.
    unseen_locks: BTreeSet<(FunctionId, Place)>,
    unseen_unlocks: BTreeSet<(FunctionId, Place)>,
    /// These lock one that does not know whether the thread holds it already.
    plain_locks: BTreeSet<(FunctionId, Place)>,
}

/// An access that is looked at twice: when it is known what is held at all others.
struct Noted {
    function: FunctionId,
    /// None where a function returns.
    place: Option<Place>,
    accesses: Vec<Access>,
    is_locked: bool,
}

impl Protected {
    /// Looks at all accesses of a program whose threads begin in some functions. Functions that only the
    /// program's own thread runs may rely on that it is alone.
    pub fn new(
        effects: &Effects<'_>,
        starts: &BTreeSet<FunctionId>,
        of_main: &BTreeSet<FunctionId>,
        uses_locks: bool,
    ) -> Self {
        let mut protected = Protected::default();
        if !uses_locks {
            return protected;
        }
        let locksets = Locksets::new(effects, starts);
        let program = effects.program;
        let has_handlers = starts.iter().any(|id| program.functions[*id].name == HARDWARE);
        let (mut classes, mut noted) = (Classes::default(), Vec::new());
        let trusted = !locksets.disturbed();
        let mut note = |function, place: Option<Place>, accesses: Vec<Access>, state: State| {
            if accesses.iter().all(|access| !access.is_shared()) {
                return;
            }
            if state.is_first {
                protected
                    .free
                    .extend(place.filter(|_| !has_handlers).map(|place| (function, place)));
                return;
            }
            let held = state.held & trusted;
            let relies = held == 0 && state.joined && of_main.contains(&function);
            if !relies {
                { accesses.iter() }.for_each(|access| classes.add(access.places(), access.length(), held));
            }
            noted.push(Noted {
                function,
                place,
                accesses,
                is_locked: !relies,
            });
        };
        locksets.each(&mut |function, place, statement, state| {
            note(
                function,
                Some(place),
                effects.accesses_of(function, &statement.kind),
                state,
            );
        });
        for (function, state) in locksets.returns() {
            note(
                function,
                None,
                effects.dying(function).into_iter().collect(),
                state,
            );
        }
        for places in ends_of_threads(effects) {
            classes.add(&places, None, 0);
        }
        for id in program
            .functions
            .ids()
            .filter(|id| is_thread_library(program, *id))
        {
            for statement in program.functions[id].statements() {
                if !matches!(statement.kind, StatementKind::Call { .. }) {
                    let accesses = effects.accesses_of(id, &statement.kind);
                    { accesses.iter() }.for_each(|access| classes.add(access.places(), access.length(), 0));
                }
            }
        }
        for noted in &noted {
            protected.decide(noted, &classes);
        }
        protected.decide_locks(&locksets, of_main, trusted);
        protected
    }

    /// Finds the mutexes that others only wait for: whether one is held they cannot tell.
    fn decide_locks(
        &mut self,
        locksets: &Locksets<'_, '_>,
        of_main: &BTreeSet<FunctionId>,
        trusted: Mutexes,
    ) {
        let relies = |function: FunctionId, state: State, mutexes: Mutexes| {
            state.joined && of_main.contains(&function) && state.held & mutexes == 0
        };
        let mut unseen = match locksets.looks_through_pointers() {
            true => 0,
            false => trusted,
        };
        let plain = trusted & locksets.plain();
        locksets.each(&mut |function, _, statement, state| {
            let looked_at = locksets.looked_at(function, statement);
            if !state.is_first && !relies(function, state, looked_at) {
                unseen &= !looked_at;
            }
            if !state.is_first {
                unseen &= !locksets.read(function, statement);
            }
        });
        locksets.each(&mut |function, place, statement, state| {
            let of = |role| locksets.of_lock(function, statement, role) & unseen != 0;
            if of(Role::Locks) {
                self.unseen_locks.insert((function, place));
            }
            if locksets.of_lock(function, statement, Role::Locks) & plain != 0 {
                self.plain_locks.insert((function, place));
            }
            if of(Role::Unlocks) {
                self.unseen_unlocks.insert((function, place));
            }
            if !state.is_first && locksets.looked_at(function, statement) & unseen != 0 {
                self.alone.insert((function, place));
            }
        });
    }

    fn decide(&mut self, noted: &Noted, classes: &Classes) {
        let function = noted.function;
        let shared = || noted.accesses.iter().filter(|access| access.is_shared());
        let are_protected = |access: &Access| classes.held_at(access) != 0;
        match (noted.place, noted.is_locked) {
            (Some(place), true) if shared().all(are_protected) => {
                self.free.insert((function, place));
            }
            (Some(place), false) if shared().any(are_protected) => {
                self.alone.insert((function, place));
            }
            (None, false) if shared().any(are_protected) => {
                self.alone_at_return.insert(function);
            }
            _ => {}
        }
    }

    /// Is no gap needed before a statement?
    pub fn is_free(&self, function: FunctionId, place: Place) -> bool {
        self.free.contains(&(function, place))
    }

    /// Does a statement rely on that no other thread runs?
    pub fn needs_alone(&self, function: FunctionId, place: Place) -> bool {
        self.alone.contains(&(function, place))
    }

    /// Does a statement lock a mutex of which nobody can tell whether another thread holds it?
    pub fn locks_unseen(&self, function: FunctionId, place: Place) -> bool {
        self.unseen_locks.contains(&(function, place))
    }

    /// Does it lock a mutex that does not know whether the thread holds it already?
    pub fn locks_plainly(&self, function: FunctionId, place: Place) -> bool {
        self.plain_locks.contains(&(function, place))
    }

    /// Does it unlock one?
    pub fn unlocks_unseen(&self, function: FunctionId, place: Place) -> bool {
        self.unseen_unlocks.contains(&(function, place))
    }

    /// Does the return of a function?
    pub fn returns_alone(&self, function: FunctionId) -> bool {
        self.alone_at_return.contains(&function)
    }
}

/// What ends with a thread, without a lock: objects of functions that are active where it may end, and its
/// own copies of what each thread has.
fn ends_of_threads(effects: &Effects<'_>) -> Vec<Targets> {
    let program = effects.program;
    let ends = |id: &FunctionId| {
        let called = effects.closure(&[*id]);
        called.iter().any(|callee| program.functions[*callee].name == END)
    };
    let ids = program.functions.ids().filter(|id| effects.dying(*id).is_some());
    let dying = ids.filter(ends).filter_map(|id| effects.dying(id));
    let mut all: Vec<Targets> = dying.map(|access| access.places().clone()).collect();
    for (id, global) in program.globals.enumerate() {
        let object = effects.points_to.global(id);
        if global.thread_local && effects.points_to.is_passed_on(object) {
            all.push(Targets::only(object));
        }
    }
    all
}

/// Of the bytes of memory that are accessed alike: what is held at all accesses to them.
#[derive(Default)]
struct Classes {
    of: BTreeMap<usize, BTreeMap<(Offsets, Option<u64>), Mutexes>>,
    /// What is held where nobody knows what is accessed.
    anywhere: Option<Mutexes>,
}

impl Classes {
    /// Notes an access with what is held.
    fn add(&mut self, places: &Targets, length: Option<u64>, held: Mutexes) {
        if places.is_any() {
            *self.anywhere.get_or_insert(!0) &= held;
        }
        for (object, at) in places.iter() {
            let own = self.of.entry(object).or_default();
            *own.entry((at, length)).or_insert(!0) &= held;
        }
    }

    /// What is held at all accesses that may meet one.
    fn held_at(&self, access: &Access) -> Mutexes {
        let (places, length) = (access.places(), access.length());
        let mut held = self.anywhere.unwrap_or(!0);
        if places.is_any() {
            let all = self.of.values().flat_map(BTreeMap::values);
            return all.fold(held, |held, own| held & own);
        }
        for (object, at) in places.iter() {
            for ((its, its_length), own) in self.of.get(&object).into_iter().flatten() {
                if at.overlap(length, *its, *its_length) {
                    held &= own;
                }
            }
        }
        held
    }
}
