//! What the two simulators have in common, that of firmware and that of C programs: where commands come from,
//! and how they are read.

mod lines;
mod words;

pub use lines::{Line, Lines};
pub use words::{Commands, count, number, policy_seed};
