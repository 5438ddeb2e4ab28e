//! Microcontroller firmware on the command line, beside its check: simulations and pictures of its states.

mod simulate;
mod states;

use std::path::Path;

use kripke_check::Failure;
use kripke_check::firmware::Firmware;

use crate::arguments::DeviceArguments;
use crate::jobs;
use crate::listener::Listener;

pub use simulate::simulate;
pub use states::states;

/// Reads the firmware image of a command.
pub fn load(path: &Path, arguments: &DeviceArguments) -> Result<Firmware, Failure> {
    kripke_check::firmware::load(path, &jobs::device(arguments), &mut Listener::new(false))
}
