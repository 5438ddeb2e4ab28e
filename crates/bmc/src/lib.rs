//! Symbolic execution of ELTS: unwinding, memory, k-induction.
//!
//! [`check`] is the way in. Everything it claims to be violated was replayed by the interpreter.

mod activation;
mod addresses;
mod allocation;
mod array;
mod bulk;
mod calls;
mod cases;
mod cells;
mod choices;
mod coarse;
mod contents;
mod decide;
mod differences;
mod driver;
mod engine;
mod execute;
mod expression;
mod feasibility;
mod footprints;
mod fuzzing;
mod graph;
mod interleavings;
mod invariants;
mod kept;
mod kinduction;
mod limits;
mod linear;
mod loops;
pub mod ltl;
mod math;
mod memory;
mod merge;
mod names;
mod narrowing;
mod object;
mod obligation;
mod options;
mod outlook;
mod parting;
mod path;
mod persistent;
mod placement;
mod pointer;
mod position_cells;
mod positions;
mod progress;
mod range;
mod ranges;
mod record;
mod reduction;
mod refine;
mod replay;

mod sample;
mod stack;
mod state;
mod sums;
mod threads;
mod unknown;
mod value;

pub use driver::check;
pub use loops::{LoopName, loops};
pub use obligation::Obligation;
pub use options::{Explore, InternalError, Options, Progress, Silent};
