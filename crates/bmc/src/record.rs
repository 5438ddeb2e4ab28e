//! What a symbolic run leaves behind for the solver: conditions of violations, where paths were
//! cut, and what the inputs were, in the order of execution, which on each path is that of the program.

use std::collections::BTreeSet;

use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{FunctionId, LocationId, Position, PropertyId, Type, VariableId};
use kripke_smt::TermId;
use rustc_hash::FxHashSet;

use crate::invariants::heads::Head;
use crate::math::Application;
use crate::object::ObjectId;

/// A condition under which a property is violated.
#[derive(Clone, Copy, Debug)]
pub struct Violation {
    /// Which property.
    pub property: PropertyId,
    /// The path there, and that it fails.
    pub condition: TermId,
}

/// Why a path does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A loop goes on past its bound.
    Loop,
    /// A recursion goes on past its bound.
    Recursion,
    /// Threads take more turns than those of a run, which are none of the bounds that the user gave.
    Turns,
    /// Something that is not modelled.
    Unsupported {
        /// What.
        what: String,
    },
    /// Memory is misused where no property checks it, so that what follows has no meaning.
    Misuse {
        /// How.
        what: String,
    },
}

impl Cut {
    /// Would a larger bound help?
    pub fn is_unwinding(&self) -> bool {
        matches!(self, Cut::Loop | Cut::Recursion | Cut::Turns)
    }

    /// Was it relied on that no other thread runs, and one does?
    pub fn is_not_alone(&self) -> bool {
        matches!(self, Cut::Unsupported { what } if what == NOT_ALONE)
    }
}

/// A place where a path was cut.
#[derive(Clone, Debug)]
pub struct CutPath {
    /// Why.
    pub cut: Cut,
    /// When.
    pub condition: TermId,
    /// Where.
    pub position: Position,
    /// In which function.
    pub function: FunctionId,
    /// At which location.
    pub location: LocationId,
}

/// Something that a concrete run will ask its inputs for.
#[derive(Clone, Debug)]
pub enum Event {
    /// A nondeterministic value.
    Input {
        /// The path there.
        guard: TermId,
        /// The value: truth value, bit-vector, bits of a float, or address.
        value: TermId,
        /// Its type.
        ty: Type,
    },
    /// A function is called.
    Call {
        /// The path there.
        guard: TermId,
        /// Names the activation.
        context: u32,
    },
    /// A variable that may be read before it is assigned.
    Local {
        /// Names the activation.
        context: u32,
        /// Which of its variables.
        variable: VariableId,
        /// The value as for an input.
        value: TermId,
        /// Its type.
        ty: Type,
    },
    /// Monitors see a letter.
    Letter {
        /// The path there.
        guard: TermId,
    },
    /// A loop starts another iteration (only where infinite runs are looked at).
    Head {
        /// The path there.
        guard: TermId,
    },
    /// An object is created.
    Object {
        /// The path there.
        guard: TermId,
        /// Which.
        object: ObjectId,
    },
}

/// The record of one run.
#[derive(Default)]
pub struct Record {
    /// Violations.
    pub violations: Vec<Violation>,
    /// Cut paths.
    pub cuts: Vec<CutPath>,
    /// Conditions of violations and of cut paths that the solver has excluded.
    pub excluded: FxHashSet<TermId>,
    /// Inputs.
    pub events: Vec<Event>,
    /// Values of functions of analysis.
    pub applications: Vec<Application>,
    /// Loops treated by induction.
    pub(crate) heads: Vec<Head>,
    /// What the verdicts rest on.
    pub assumptions: BTreeSet<String>,
    /// Where traces end (only where there are monitors).
    pub ends: Vec<crate::ltl::TraceEnd>,
    /// The states at the starts of loop iterations (only where they are asked for).
    pub snapshots: Vec<crate::ltl::Snapshot>,
    /// A value was approximated that the interpreter computes, so a violation may not replay.
    pub approximated: Option<String>,
}

impl Record {
    /// Notes that an object is created.
    pub fn object_created(&mut self, guard: TermId, object: ObjectId) {
        self.events.push(Event::Object { guard, object });
    }
}
