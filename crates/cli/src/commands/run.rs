//! `kripke run`: one concrete run of the program in the interpreter.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use kripke_check::program::{self, Loaded};
use kripke_check::{Failure, parse_checks};
use kripke_elts::interpreter::{self, End, Event, Observer, RunOptions, View};
use kripke_elts::{Position, Program};

use crate::arguments::RunArguments;
use crate::inputs::RunInputs;
use crate::listener::Listener;
use crate::{jobs, output};

/// Exit codes of runs that the program itself does not end.
const VIOLATED: u8 = 1;
const NO_VERDICT: u8 = 2;
/// As a shell reports SIGABRT.
const ABORTED: u8 = 134;

/// Runs it and passes on its exit code.
pub fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    let checks = parse_checks(arguments.properties.check.as_deref()).map_err(Failure::Input)?;
    let sources = jobs::sources(&arguments.source);
    // Nothing catches Ctrl-C here: it ends the process, and clang with it.
    let interrupt = Arc::default();
    let Loaded { mut program, .. } = program::load(&sources, &checks, &mut Listener::new(false), &interrupt)?;
    if !arguments.no_optimise {
        program::optimise(&mut program, None);
    }
    let text = match &arguments.inputs {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::input(format!("cannot read the inputs {}: {error}", path.display())))?,
        None => String::new(),
    };
    let name = arguments
        .inputs
        .as_deref()
        .unwrap_or(std::path::Path::new(""))
        .display();
    let mut inputs = RunInputs::new(&text, arguments.seed)
        .map_err(|message| Failure::input(format!("{name}:{message}")))?;
    let options = RunOptions {
        max_steps: arguments.max_steps,
        ..RunOptions::default()
    };
    let mut printer = Printer {
        out: BufWriter::new(io::stdout().lock()),
    };
    let end = interpreter::run(&program, &mut inputs, &options, &mut printer);
    // A reader that closed the pipe has seen enough.
    let _ = printer.out.flush();
    Ok(report_end(&program, &end))
}

/// Passes the program's output on as it comes.
struct Printer<'o> {
    out: BufWriter<io::StdoutLock<'o>>,
}

impl Observer for Printer<'_> {
    fn event(&mut self, _: &View<'_>, event: &Event<'_>) {
        if let Event::Output { text, .. } = event {
            let _ = self.out.write_all(text);
        }
    }
}

fn report_end(program: &Program, end: &End) -> u8 {
    if let Some(message) = told(program, end) {
        output::note(&message);
    }
    match end {
        End::Exit { code } => code.unwrap_or(0) as u8,
        End::Abort => ABORTED,
        End::Violation { .. } => VIOLATED,
        _ => NO_VERDICT,
    }
}

/// Why a run ended that its program did not end.
pub fn told(program: &Program, end: &End) -> Option<String> {
    let at = |position: &Position| place(program, position);
    Some(match end {
        End::Exit { .. } | End::Abort => return None,
        End::Violation {
            property,
            message,
            position,
        } => {
            let kind = program.properties[*property].kind.name();
            format!("{}: violated[{kind}]: {message}", at(position))
        }
        End::AssumeFailed { position } => {
            format!("{}: an assumption is false, the run ends", at(position))
        }
        End::Unsupported { what, position } => format!("{}: unsupported: {what}", at(position)),
        End::UncheckedMisuse { what, position } => {
            format!("{}: memory misused, the run ends: {what}", at(position))
        }
        End::StepLimit => "the step limit is reached (raise --max-steps)".to_string(),
        End::DepthLimit => "calls are nested too deeply".to_string(),
    })
}

fn place(program: &Program, position: &Position) -> String {
    if position.line == 0 {
        return "(no source position)".to_string();
    }
    let path = &program.files[position.file].path;
    format!("{path}:{}:{}", position.line, position.column)
}
