//! The meeting point of models, checkers and reports: what a property is, what a verdict is,
//! what a trace is. Knows nothing of C, AVR or SMT.

mod functions;
mod kripke_structure;
mod open;
mod property;
mod schedule;
mod trace;
mod verdict;

pub use functions::{Finding, FunctionResult, FunctionsReport, Rank};
pub use kripke_structure::{Choice, KripkeStructure, Labels, Visit};
pub use open::{CrowdedLine, Explosion, ManyValues, Open, OpenLoop};
pub use property::{Property, PropertyKind};
pub use schedule::{CountedAccess, Schedule, SharedObject, Turn};
pub use trace::{Frame, LockChange, Place, Step, StepKind, Storage, Trace, TraceValue};
pub use verdict::{
    Argument, BoundValue, Explored, Interleavings, LoopInvariant, Outcome, PropertyResult, Reason, Report,
    Statistics, Temporal, Verdict,
};
