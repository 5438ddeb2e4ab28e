//! Microcontroller firmware: loaded, checked by the explicit-state checkers, reported.
//!
//! Idea: the report has the form that C programs get, so that text, JSON and tables are the same. What a
//! simulation or a drawing of the states needs beside a check (names, the story of a step, explorations) is
//! open to them.

mod abstraction;
mod answer;
mod attempt;
mod constraints;
mod deep;
pub mod environment;
mod examine;
mod exploration;
mod explosion;
mod fairness;
mod load;
mod names;
mod properties;
mod refinement;
mod search;
mod settled;
mod storage;
mod torn;
pub mod trace;
mod undefined;
mod verdict;
mod waveform;

pub use examine::{check, explored};
pub use exploration::explore;
pub use explosion::explosion;
pub use load::{Firmware, is_firmware, load, on_device, read};
pub use properties::list;
