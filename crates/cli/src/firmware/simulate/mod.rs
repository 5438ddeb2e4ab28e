//! `kripke simulate`: a firmware run step by step, with the user as its environment.
//!
//! Idea: a session holds one state of the microcontroller with nondeterminism, the one that `kripke check`
//! explores, and the states before it. A step takes one of the state's successors: the quiet one, a random
//! one, or the one that the user chose. So whatever a counterexample shows can be gone through by hand, and
//! nothing can be done here that the checker does not know.

mod command;
mod session;
mod show;

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use command::Command;
use kripke_report::Style;
use session::Session;

use super::load;
use crate::arguments::SimulateArguments;
use crate::{jobs, output};
use kripke_check::Failure;
use kripke_check::firmware::Firmware;

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
    if !arguments.execute.is_empty() {
        let commands = arguments.execute.iter().enumerate();
        return script(
            &mut session,
            commands.map(|(index, line)| (index + 1, Ok(line.clone()))),
            "--execute",
        );
    }
    if let Some(path) = &arguments.script {
        let place = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::input(format!("cannot read {place}: {error}")))?;
        let lines = text.lines().enumerate();
        return script(
            &mut session,
            lines.map(|(index, line)| (index + 1, Ok(line.to_owned()))),
            &place,
        );
    }
    let standard_input = std::io::stdin();
    if standard_input.is_terminal() {
        return interactive(&firmware, &mut session);
    }
    let lines = standard_input.lock().lines().enumerate();
    script(
        &mut session,
        lines.map(|(index, line)| (index + 1, line)),
        "standard input",
    )
}

/// Commands from a file: the first that cannot be done ends it.
fn script(
    session: &mut Session<'_>,
    lines: impl Iterator<Item = (usize, std::io::Result<String>)>,
    place: &str,
) -> Result<u8, Failure> {
    for (number, line) in lines {
        let bad = |message: String| Failure::input(format!("{place}:{number}: {message}"));
        let line = line.map_err(|error| bad(error.to_string()))?;
        match Command::parse(&line).map_err(bad)? {
            None => {}
            Some(Command::Quit) => break,
            Some(command) => output::print(&session.execute(command).map_err(bad)?)?,
        }
    }
    Ok(0)
}

/// Commands typed at a prompt. An empty line repeats the last one.
fn interactive(firmware: &Firmware, session: &mut Session<'_>) -> Result<u8, Failure> {
    let failed = |error: rustyline::error::ReadlineError| Failure::input(error.to_string());
    let mut editor = rustyline::DefaultEditor::new().map_err(failed)?;
    output::note(&format!(
        "{} on {}; `help` lists the commands",
        firmware.path.display(),
        firmware.device.name
    ));
    output::print(&session.place_text())?;
    let mut last = String::new();
    loop {
        let line = match editor.readline("(kripke) ") {
            Ok(line) if line.trim().is_empty() => last.clone(),
            Ok(line) => line,
            Err(rustyline::error::ReadlineError::Interrupted) => continue,
            Err(rustyline::error::ReadlineError::Eof) => return Ok(0),
            Err(error) => return Err(failed(error)),
        };
        // A history that cannot be kept is no reason to stop.
        let _ = editor.add_history_entry(&line);
        let done = match Command::parse(&line) {
            Ok(None) => Ok(String::new()),
            Ok(Some(Command::Quit)) => return Ok(0),
            Ok(Some(command)) => session.execute(command),
            Err(message) => Err(message),
        };
        match done {
            Ok(text) => output::print(&text)?,
            Err(message) => output::note(&message),
        }
        last = line;
    }
}
