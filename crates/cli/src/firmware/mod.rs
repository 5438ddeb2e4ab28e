//! Microcontroller firmware on the command line: loaded, checked by the explicit-state checkers, reported.
//!
//! Idea: everything up to the report is here; the report has the form that C programs get, so that text, JSON and
//! tables are the same.

mod build;
mod environment;
mod examine;
mod exploration;
mod load;
mod names;
mod properties;
mod simulate;
mod states;
mod torn;
mod trace;
mod waveform;

pub use build::build;
pub use examine::examine;
pub use load::{Firmware, is_firmware, load};
pub use simulate::simulate;
pub use states::states;
