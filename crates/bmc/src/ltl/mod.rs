//! Temporal formulas over C programs, with the four-valued verdict on bounded traces.
//!
//! Source: Morse, Cordeiro, Nicole, Fischer: Model checking LTL properties over ANSI-C programs with bounded
//! traces (Software and Systems Modeling 2015); DESIGN.md, "LTL on C", says what is decided differently.

mod check;
mod ends;
mod exploration;
mod guide;
mod infinite;
mod instrument;
mod letters;
mod monitor_code;
mod private;
mod state_graph;
mod watched;
mod witness;

pub use check::{AtomProblem, TemporalError, TemporalOptions, TemporalProperty, check};
pub use watched::only_looks;

pub(crate) use ends::{EndKind, Monitors, Snapshot, TraceEnd};
pub(crate) use guide::Guide;
pub(crate) use state_graph::StateGraph;
