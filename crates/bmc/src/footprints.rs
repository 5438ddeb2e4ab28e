//! What a step of a thread touches, as far as another thread can touch it.
//!
//! Idea: a step is executed before anybody asks what it touches, so the engine writes it down: the bytes that
//! it accesses, the objects whose lives it asks for, begins or ends, and the variables of the woven function
//! that several threads have in common. Paths of one step touch what any of them does. Variables are known
//! beforehand: those that occur in the code of two threads, and all that say where threads stand.
//!
//! Invariant: two steps none of which writes what the other one touches lead to the same state in either
//! order, and neither lets the other one go on nor keeps it from that.

use kripke_elts::{
    BinaryOp, Callee, Expr, Function, FunctionId, LocationId, Program, StatementKind, VariableId, threads,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::object::{ObjectId, ObjectKind};

/// The name of the number of threads that run, in the model of the thread library.
const RUNNING: &str = "running";

/// Something that steps touch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Thing {
    /// The bytes of an object.
    Bytes(ObjectId),
    /// Whether an object lives.
    Life(ObjectId),
    /// Which objects were made at a place.
    Site(ObjectKind),
    /// What was freed: an object that is allocated later may lie there.
    Heap,
    /// A variable of the woven function.
    Variable(VariableId),
    /// Whether the thread was started that stands where the variable says.
    Start(VariableId),
}

/// Bytes from one to before another; of what has none, the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub from: u64,
    pub to: u64,
}

impl Range {
    /// All there are.
    pub const WHOLE: Range = Range {
        from: 0,
        to: u64::MAX,
    };

    fn meets(self, other: Range) -> bool {
        self.from < other.to && other.from < self.to
    }

    fn covers(self, other: Range) -> bool {
        self.from <= other.from && other.to <= self.to
    }
}

/// What a step touches.
#[derive(Clone, Default, Debug)]
pub(crate) struct Footprint {
    /// It may be anything.
    anything: bool,
    /// For each thing its ranges, and whether they are written.
    things: FxHashMap<Thing, Vec<(Range, bool)>>,
}

impl Footprint {
    /// The step depends on all others.
    pub fn add_anything(&mut self) {
        self.anything = true;
    }

    /// It touches that, too.
    pub fn add(&mut self, thing: Thing, range: Range, writes: bool) {
        let known = self.things.entry(thing).or_default();
        let is_known = |(other, written): &(Range, bool)| other.covers(range) && (*written || !writes);
        if !known.iter().any(is_known) {
            known.push((range, writes));
        }
    }

    /// Does the order of the two steps not matter?
    pub fn is_independent_of(&self, other: &Footprint) -> bool {
        let apart =
            |mine: &(Range, bool), theirs: &(Range, bool)| !(mine.1 || theirs.1) || !mine.0.meets(theirs.0);
        !self.anything
            && !other.anything
            && self.things.iter().all(|(thing, mine)| {
                let theirs = other.things.get(thing).map_or(&[][..], Vec::as_slice);
                mine.iter()
                    .all(|mine| theirs.iter().all(|theirs| apart(mine, theirs)))
            })
    }
}

/// What a statement does with a variable that threads have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Touch {
    Reads(Thing),
    Writes(Thing),
    /// It keeps threads from going on, or no longer.
    Holds,
    /// The thread of that number stands somewhere, or has ended: the rest of its step asks questions only.
    Stands(u8),
}

/// A statement of the woven function: location, transition and statement.
type At = (LocationId, u32, u32);

/// What is known beforehand of the woven function.
#[derive(Default)]
pub(crate) struct Touches {
    /// Behind which location guards read what.
    guards: FxHashMap<LocationId, Vec<Touch>>,
    statements: FxHashMap<At, Vec<Touch>>,
    /// The number of threads that run: see [`Touches::is_count`].
    count: Option<ObjectId>,
}

/// The variables of a woven function that are looked at.
struct Shared<'f> {
    function: &'f Function,
    places: Vec<VariableId>,
    held: FxHashSet<VariableId>,
    variables: FxHashSet<VariableId>,
}

impl Touches {
    /// Of a woven function; `tellers` are the functions that tell that a thread goes on.
    pub fn new(program: &Program, woven: FunctionId, tellers: &FxHashMap<FunctionId, u8>) -> Self {
        let shared = Shared::new(&program.functions[woven], tellers);
        let mut touches = Touches {
            count: count(program, shared.function),
            ..Touches::default()
        };
        for (location, code) in shared.function.locations.enumerate() {
            for (number, transition) in code.transitions.iter().enumerate() {
                let mut found = Vec::new();
                shared.add_reads(&transition.guard, &mut found);
                if !found.is_empty() {
                    touches.guards.entry(location).or_default().extend(found);
                }
                for (index, statement) in transition.statements.iter().enumerate() {
                    let found = shared.touched_by(&statement.kind);
                    if !found.is_empty() {
                        let at = (location, number as u32, index as u32);
                        touches.statements.insert(at, found);
                    }
                }
            }
        }
        touches
    }

    /// What the guards behind a location touch.
    pub fn of_guards(&self, location: LocationId) -> &[Touch] {
        self.guards.get(&location).map_or(&[], Vec::as_slice)
    }

    /// What a statement touches.
    pub fn of(&self, at: At) -> &[Touch] {
        self.statements.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Is it the object that counts the threads that run? It is only made larger or smaller by one, and
    /// compared with zero to see whether the last thread has ended: while it does not become zero, the order
    /// in which that is done does not matter. Who makes it zero ends the program. It is none where that runs
    /// functions of the program, which can tell whose end it was.
    pub fn is_count(&self, object: ObjectId) -> bool {
        self.count == Some(object)
    }
}

impl<'f> Shared<'f> {
    fn new(function: &'f Function, tellers: &FxHashMap<FunctionId, u8>) -> Self {
        let named = |begins: &str| {
            let all = function.variables.enumerate();
            let found = all.filter(|(_, variable)| variable.name.starts_with(begins));
            found.map(|(id, _)| id).collect::<Vec<_>>()
        };
        let mut shared = Shared {
            function,
            places: named(threads::PLACE),
            held: named(threads::HELD).into_iter().collect(),
            variables: FxHashSet::default(),
        };
        let mut owners: FxHashMap<VariableId, u8> = FxHashMap::default();
        for transition in function.transitions() {
            let begins = transition
                .statements
                .iter()
                .find_map(|statement| match &statement.kind {
                    StatementKind::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => tellers.get(callee),
                    _ => None,
                });
            let Some(thread) = begins else { continue };
            for variable in shared.variables_of(*thread, transition.target) {
                if owners.entry(variable).or_insert(*thread) != thread {
                    shared.variables.insert(variable);
                }
            }
        }
        shared.variables.extend(shared.places.clone());
        // What it says is looked at where the step is over.
        for owner in named(threads::OWNER) {
            shared.variables.remove(&owner);
        }
        shared
    }

    /// The variables in the code of a thread, up to where it stands again.
    fn variables_of(&self, thread: u8, from: LocationId) -> FxHashSet<VariableId> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(location) = open.pop() {
            if !seen.insert(location) {
                continue;
            }
            for transition in &self.function.locations[location].transitions {
                transition.guard.each_variable(&mut |variable| {
                    found.insert(variable);
                });
                let mut stands = false;
                for statement in &transition.statements {
                    statement.kind.each_read(&mut |variable| {
                        found.insert(variable);
                    });
                    found.extend(statement.kind.targets().iter().copied());
                    stands |= self.stands(&statement.kind) == Some(thread);
                }
                if !stands {
                    open.push(transition.target);
                }
            }
        }
        found
    }

    /// The thread that a statement says stands somewhere.
    fn stands(&self, kind: &StatementKind) -> Option<u8> {
        let target = kind.targets().first()?;
        let number = self.places.iter().position(|place| place == target)?;
        Some(number as u8)
    }

    fn touched_by(&self, kind: &StatementKind) -> Vec<Touch> {
        let mut found = Vec::new();
        kind.each_expr(&mut |expr| self.add_reads(expr, &mut found));
        for target in kind.targets() {
            if self.held.contains(target) {
                found.push(Touch::Holds);
            }
            if self.variables.contains(target) {
                found.push(Touch::Writes(Thing::Variable(*target)));
            }
            if self.places.contains(target) {
                found.push(Touch::Writes(Thing::Start(*target)));
            }
        }
        found.extend(self.stands(kind).map(Touch::Stands));
        found
    }

    fn add_reads(&self, expr: &Expr, found: &mut Vec<Touch>) {
        if let Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, place, number) = expr
            && let (Expr::Variable(place), Expr::Int(number)) = (&**place, &**number)
            && number.is_zero()
            && self.places.contains(place)
        {
            // No thread stands again where none has begun.
            found.push(Touch::Reads(Thing::Start(*place)));
            return;
        }
        if let Expr::Variable(variable) = expr
            && self.variables.contains(variable)
        {
            found.push(Touch::Reads(Thing::Variable(*variable)));
        }
        expr.children().for_each(|child| self.add_reads(child, found));
    }
}

/// The object that counts the threads that run.
fn count(program: &Program, woven: &Function) -> Option<ObjectId> {
    let runs_functions = woven.transitions().any(|transition| {
        let mut statements = transition.statements.iter();
        let mut calls = false;
        statements.any(|statement| {
            calls |= matches!(statement.kind, StatementKind::Call { .. });
            let stops = matches!(statement.kind, StatementKind::Stop { .. });
            calls && stops && threads::is_in_thread_library(program, statement.position)
        })
    });
    let mut globals = program.globals.enumerate();
    let found = globals.find(|(_, global)| {
        global.name == RUNNING && threads::is_in_thread_library(program, global.position)
    });
    found
        .filter(|_| !runs_functions)
        .map(|(id, _)| ObjectId::global(id))
}
