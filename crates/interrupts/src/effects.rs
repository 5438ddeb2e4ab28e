//! What statements do to memory, and which of them handlers depend on.
//!
//! Idea: a footprint is a set of ranges of bytes in objects, at the offsets that pointers may have. What the
//! handlers above a priority read and write, all that they call included, makes two of them; a statement
//! depends on the handlers when its accesses meet these.
//!
//! Invariant: a statement of which [`Reach::depends`] says no can be exchanged with any run of these
//! handlers.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::threads::{WAIT_END, WAIT_FREE, WAIT_NONZERO, WAIT_ZERO};
use kripke_elts::{
    Callee, Expr, FunctionId, GlobalId, InitialRest, Program, Statement, StatementKind, StopReason,
};
use kripke_model::PropertyKind;

use crate::contents::Targets;
use crate::offsets::Offsets;
use crate::points_to::PointsTo;

/// Bytes of an object: first, and one past the last; all where it is not known.
type Range = Option<(u64, u64)>;

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Access {
    places: Targets,
    /// In bytes, where it is known.
    length: Option<u64>,
    /// The bytes, where the access names a global and a constant offset.
    range: Range,
    writes: bool,
}

impl Access {
    /// May anybody share what it accesses?
    pub fn is_shared(&self) -> bool {
        !self.places.is_empty()
    }

    pub fn writes(&self) -> bool {
        self.writes
    }

    /// What it may access.
    pub fn places(&self) -> &Targets {
        &self.places
    }

    /// How many bytes, where that is known.
    pub fn length(&self) -> Option<u64> {
        self.length
    }

    /// May two accesses meet?
    pub fn overlaps(&self, other: &Access) -> bool {
        if self.places.is_any() || other.places.is_any() {
            return self.is_shared() && other.is_shared();
        }
        self.places.iter().any(|(object, at)| {
            other
                .places
                .at(object)
                .is_some_and(|its| at.overlap(self.length, its, other.length))
        })
    }

    /// Is all that another one accesses part of this one, for sure?
    pub fn covers(&self, other: &Access) -> bool {
        let inside = |(own, its): ((u64, u64), (u64, u64))| own.0 <= its.0 && its.1 <= own.1;
        self.places.objects().eq(other.places.objects()) && self.range.zip(other.range).is_some_and(inside)
    }

    /// Is it known of both where they are?
    pub fn is_exact_with(&self, other: &Access) -> bool {
        self.range.is_some() && other.range.is_some()
    }
}

/// A set of bytes.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    anything: bool,
    /// Of each object where ranges begin, and their lengths.
    ranges: BTreeMap<usize, BTreeSet<(Offsets, Option<u64>)>>,
}

impl Footprint {
    fn add(&mut self, access: &Access) {
        self.anything |= access.places.is_any();
        for (object, at) in access.places.iter() {
            self.ranges.entry(object).or_default().insert((at, access.length));
        }
    }

    fn join(&mut self, other: &Footprint) {
        self.anything |= other.anything;
        for (object, ranges) in &other.ranges {
            self.ranges.entry(*object).or_default().extend(ranges);
        }
    }

    fn meets(&self, access: &Access) -> bool {
        if self.anything || access.places.is_any() {
            return access.is_shared() && !self.ranges.is_empty();
        }
        access.places.iter().any(|(object, at)| {
            let mut ranges = self.ranges.get(&object).into_iter().flatten();
            ranges.any(|(its, length)| its.overlap(*length, at, access.length))
        })
    }
}

/// What some handlers do.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    reads: Footprint,
    writes: Footprint,
    /// They change the rounding mode of floats.
    pub rounds: bool,
    /// They may end the program, where it counts what is left on the heap.
    exits: bool,
    /// Everything counts as depending on them.
    everywhere: bool,
}

impl Reach {
    /// That of functions with all that they call. Writes to what `watched` reads can be told apart, too: the
    /// functions may write it themselves, end the run, or keep others from going on.
    pub fn new(
        effects: &Effects<'_>,
        roots: &[FunctionId],
        watched: &[FunctionId],
        everywhere: bool,
    ) -> Self {
        let mut reach = Reach {
            everywhere,
            ..Reach::default()
        };
        for id in effects.closure(roots) {
            reach.add_function(effects, id);
        }
        let mut looked_at = Reach::default();
        for id in effects.closure(watched) {
            looked_at.add_function(effects, id);
        }
        reach.reads.join(&looked_at.reads);
        reach
    }

    fn add_function(&mut self, effects: &Effects<'_>, id: FunctionId) {
        for statement in effects.program.functions[id].statements() {
            for access in effects.accesses(id, statement) {
                match access.writes {
                    true => self.writes.add(&access),
                    false => self.reads.add(&access),
                }
            }
            self.rounds |= matches!(statement.kind, StatementKind::SetRounding { .. });
            self.exits |= effects.counts_leaks && is_exit(&statement.kind);
        }
        if let Some(dying) = effects.dying(id) {
            self.writes.add(&dying);
        }
    }

    /// Does it matter whether one of the handlers comes before or after the statement?
    pub fn depends(&self, effects: &Effects<'_>, function: FunctionId, statement: &Statement) -> bool {
        match statement.kind {
            StatementKind::SetRounding { .. } => return true,
            _ if self.counts(&statement.kind) => return true,
            _ => {}
        }
        let mut accesses = effects.accesses(function, statement);
        if let StatementKind::Call { callee, .. } = &statement.kind {
            let callees = effects.points_to.callees(function, callee);
            accesses.extend(callees.into_iter().filter_map(|id| effects.dying(id)));
        }
        accesses.iter().any(|access| self.meets(access))
    }

    /// Does the statement change what is left on the heap, where they may end the program, which counts it?
    pub fn counts(&self, kind: &StatementKind) -> bool {
        self.exits
            && matches!(
                kind,
                StatementKind::HeapObject { .. } | StatementKind::Free { .. }
            )
    }

    /// Do the handlers access anything that a statement accesses, whether it matters when or not?
    pub fn shares(&self, effects: &Effects<'_>, function: FunctionId, kind: &StatementKind) -> bool {
        let mut accesses = effects.accesses_of(function, kind).into_iter();
        accesses.any(|access| self.reads.meets(&access) || self.writes.meets(&access))
    }

    pub fn meets(&self, access: &Access) -> bool {
        if self.everywhere {
            return access.is_shared();
        }
        self.tells(access)
    }

    /// Can the handlers tell when it is made, or the access when they come?
    fn tells(&self, access: &Access) -> bool {
        self.writes.meets(access) || access.writes && self.reads.meets(access)
    }

    /// Is one of the places of a copy one that the handlers write, and the other one that they access?
    pub fn depends_on_both(&self, effects: &Effects<'_>, function: FunctionId, kind: &StatementKind) -> bool {
        let accesses = effects.accesses_of(function, kind);
        accesses.len() > 1 && accesses.iter().all(|access| self.tells(access))
    }
}

/// What the statements of a program do to memory.
pub struct Effects<'p> {
    pub program: &'p Program,
    /// It is asked what is left on the heap where the program ends.
    counts_leaks: bool,
    pub points_to: PointsTo<'p>,
}

impl<'p> Effects<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut kinds = program.properties.iter().map(|site| site.kind);
        Effects {
            counts_leaks: kinds.any(|kind| kind == PropertyKind::Leak),
            program,
            points_to: PointsTo::new(program),
        }
    }

    /// The functions and all that they call.
    pub fn closure(&self, roots: &[FunctionId]) -> BTreeSet<FunctionId> {
        let callees = |id, callee: &Callee| self.points_to.callees(id, callee);
        self.program.reached(roots.iter().copied(), callees)
    }

    /// The statements of some functions, each with its function.
    pub fn statements<'e>(
        &'e self,
        all: &'e BTreeSet<FunctionId>,
    ) -> impl Iterator<Item = (FunctionId, &'p Statement)> + 'e {
        let program = self.program;
        all.iter().flat_map(move |id| {
            let statements = program.functions[*id].statements();
            statements.map(move |statement| (*id, statement))
        })
    }

    /// The objects of a function that die where it returns.
    pub fn dying(&self, id: FunctionId) -> Option<Access> {
        let mut places = Targets::default();
        for statement in self.program.functions[id].statements() {
            if let StatementKind::StackObject { site, .. } = &statement.kind {
                places.insert(self.points_to.site(*site), Offsets::ANY);
            }
        }
        (!places.is_empty()).then_some(Access {
            places,
            length: None,
            range: None,
            writes: true,
        })
    }

    fn accesses(&self, id: FunctionId, statement: &Statement) -> Vec<Access> {
        self.accesses_of(id, &statement.kind)
    }

    pub fn accesses_of(&self, id: FunctionId, kind: &StatementKind) -> Vec<Access> {
        use StatementKind as K;
        let model = &self.program.data_model;
        let place = |pointer: &Expr, length: Option<u64>, writes| self.place(id, pointer, length, writes);
        let whole = |pointer: &Expr, writes| place(pointer, None, writes);
        match kind {
            K::Load { target, address, .. } => {
                let ty = self.program.functions[id].variables[*target].ty;
                vec![place(address, Some(ty.bytes(model)), false)]
            }
            K::Store { address, ty, .. } => vec![place(address, Some(ty.bytes(model)), true)],
            K::CopyMemory {
                target,
                source,
                length,
                ..
            } => {
                let length = constant(length);
                vec![place(source, length, false), place(target, length, true)]
            }
            K::SetMemory { target, length, .. } => vec![place(target, constant(length), true)],
            K::Free { pointer, .. } | K::EndObject { pointer } => vec![whole(pointer, true)],
            K::Output { arguments, .. } => arguments.iter().map(|argument| whole(argument, false)).collect(),
            K::Call {
                callee: Callee::Direct(callee),
                arguments,
                ..
            } if is_wait(&self.program.functions[*callee].name) => {
                arguments.iter().map(|word| whole(word, false)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The access to so many bytes; registers and what never changes are no memory that anybody shares.
    fn place(&self, id: FunctionId, pointer: &Expr, length: Option<u64>, writes: bool) -> Access {
        let mut places = self.points_to.of(id, pointer);
        places.retain(|object| self.is_shared(object, writes));
        let range = exact(pointer)
            .zip(length)
            .and_then(|((_, offset), length)| Some((offset, offset.checked_add(length)?)));
        Access {
            places,
            length,
            range,
            writes,
        }
    }

    fn is_shared(&self, object: usize, writes: bool) -> bool {
        object != Targets::FIXED
            && self.points_to.as_global(object).is_none_or(|global| {
                let global = &self.program.globals[global];
                let is_own = global.thread_local
                    && self.program.is_library(global.position)
                    && !self.points_to.is_passed_on(object);
                !is_own && global.rest != InitialRest::Registers && (writes || !global.constant)
            })
    }
}

/// Does the program end there, as it does where `main` returns?
fn is_exit(kind: &StatementKind) -> bool {
    let reason = StopReason::Exit;
    matches!(kind, StatementKind::Stop { reason: own, .. } if *own == reason)
}

/// Does a function wait for a word?
fn is_wait(name: &str) -> bool {
    [WAIT_ZERO, WAIT_NONZERO, WAIT_FREE, WAIT_END].contains(&name)
}

/// A global and a constant offset.
pub fn exact(pointer: &Expr) -> Option<(GlobalId, u64)> {
    match pointer {
        Expr::GlobalAddress(global) => Some((*global, 0)),
        Expr::PointerAdd(pointer, distance) => {
            let (global, offset) = exact(pointer)?;
            let Expr::Int(distance) = &**distance else {
                return None;
            };
            let distance = i64::try_from(distance.to_i128()?).ok()?;
            Some((global, offset.checked_add_signed(distance)?))
        }
        _ => None,
    }
}

pub fn constant(length: &Expr) -> Option<u64> {
    match length {
        Expr::Int(bits) => bits.to_u64(),
        _ => None,
    }
}
