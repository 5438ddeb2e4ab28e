//! `kripke simulate` of a C program: a run step by step, with the user as its environment.
//!
//! Idea: the interpreter that replays counterexamples runs the program, and asks for each value from outside
//! while it runs ([`answers`]); between two steps the user has the word ([`session`]). Everything that was
//! answered is kept in order: to go back is to run once more with the same answers, up to an earlier step.
//!
//! Invariant: what is shown is a run of the program, and the steps are those of which counterexamples are
//! made. The model is not optimised, as passes take accesses away.

mod answers;
mod command;
mod session;
mod values;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kripke_check::program;
use kripke_check::{Failure, parse_checks};
use kripke_report::Style;

use crate::arguments::SimulateArguments;
use crate::console::Lines;
use crate::jobs;
use crate::listener::Listener;
use session::Session;

/// Runs the commands of the user.
pub fn simulate(
    arguments: &SimulateArguments,
    style: Style,
    interrupt: Arc<AtomicBool>,
) -> Result<u8, Failure> {
    let checks = parse_checks(arguments.properties.check.as_deref()).map_err(Failure::Input)?;
    let mut listener = Listener::new(false);
    let sources = jobs::sources(&arguments.source);
    let loaded = program::load(&sources, &checks, &mut listener, &Arc::default())?;
    let lines = Lines::new(&arguments.execute, arguments.script.as_deref())?;
    Session::new(&loaded.program, lines, style, interrupt).run()?;
    Ok(0)
}
