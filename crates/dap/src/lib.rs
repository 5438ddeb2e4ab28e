//! A debug adapter: counterexamples are replayed in any editor that speaks the Debug Adapter Protocol.
//!
//! Idea: nothing is executed. A JSON report has every step of a run; `recording` makes of it what a debugger
//! asks for, at any step and both ways, and knows nothing of the protocol; `session` answers requests from
//! it. What the adapter needs of the world (files, a check that runs, machine code) comes from a [`Host`], so
//! the crate neither reads files nor starts processes.
//!
//! Invariant: no message and no report, however wrong, panics or ends the session without a word; what is
//! shown at a step is what the trace tells, and nothing is guessed about what it does not tell.
//! Source: the specification of the Debug Adapter Protocol, version 1.70.
//!
//! Rejected: a crate with the protocol's types. Those there are follow old versions of it, and do not survive
//! a message that is none.

mod breakpoints;
pub mod expression;
mod launch;
pub mod message;
mod protocol;
mod recording;
mod report;
mod serve;
mod session;
mod show;
pub mod stacks;
mod variables;

pub use launch::Check;
pub use recording::{Position, Recording, Stop, Stride, Way};
pub use report::{Counterexample, counterexamples};
pub use serve::{Host, Incoming, Running, serve};
pub use session::Assembly;
