//! `kripke simulate`: a firmware run step by step, with the user as its environment.
//!
//! Idea: a session holds one state of the microcontroller with nondeterminism, the one that `kripke check`
//! explores, and the states before it. A step takes one of the state's successors: the quiet one, a random
//! one, or the one that the user chose. So whatever a counterexample shows can be gone through by hand, and
//! nothing can be done here that the checker does not know.

mod command;
mod session;
mod show;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use command::Command;
use kripke_report::Style;
use session::Session;

use super::load;
use crate::arguments::SimulateArguments;
use crate::console::Lines;
use crate::{jobs, output};
use kripke_check::Failure;

/// Runs the commands of the user.
pub fn simulate(
    image: &Path,
    arguments: &SimulateArguments,
    style: Style,
    interrupt: Arc<AtomicBool>,
) -> Result<u8, Failure> {
    jobs::refuse_compiling_simulated(arguments)?;
    let firmware = load(image, &arguments.device)?;
    let mut session = Session::new(&firmware, style, interrupt);
    let mut lines = Lines::new(&arguments.execute, arguments.script.as_deref())?;
    if lines.are_typed() {
        let (path, device) = (firmware.path.display(), &firmware.device.name);
        output::note(&format!("{path} on {device}; `help` lists the commands"));
        output::print(&session.place_text())?;
    }
    while let Some(line) = lines.next(false)? {
        let done = match Command::parse(&line.text) {
            Ok(None) => Ok(String::new()),
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => session.execute(command),
            Err(message) => Err(message),
        };
        match done {
            Ok(text) => output::print(&text)?,
            Err(message) => lines.refuse(&line, &message)?,
        }
    }
    Ok(0)
}
