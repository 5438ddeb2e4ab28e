//! The `kripke` command.
//!
//! Idea: the driver and the engines below it are libraries that neither print nor exit. This crate turns the
//! command line into jobs for them, shows what they say, writes the files that were asked for, and turns the
//! outcome into an exit code. It is the only crate that does input and output for the user.

mod arguments;
mod child;
mod commands;
mod console;
mod firmware;
mod first_use_arguments;
mod image_build;
mod inputs;
mod interrupt;
mod jobs;
mod listener;
mod model_arguments;
mod output;
mod report_arguments;
mod reports;
mod serve_arguments;
mod table;
mod task;
mod watchdog;

use std::panic;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use arguments::{Command, CommandLine};
use kripke_check::Failure;

/// Expressions of deeply nested programs are walked recursively; threads cost only what they touch.
const STACK_BYTES: usize = 1 << 30;

/// Exit code where the user ended it before anything was found out.
const INCONCLUSIVE: u8 = 2;

/// Exit code for bad input and wrong usage.
const USAGE: u8 = 3;

/// Exit code for a bug of ours.
const DEFECT: u8 = 4;

fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return usage_error(&error),
    };
    let result = guarded(move || run(command_line));
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            output::note(&failure.to_string());
            ExitCode::from(match failure {
                Failure::Input(_) => USAGE,
                Failure::Cancelled => INCONCLUSIVE,
                Failure::Internal(_) => DEFECT,
            })
        }
    }
}

fn run(command_line: CommandLine) -> Result<u8, Failure> {
    match command_line.command {
        Command::Check(arguments) => {
            let interrupt = interruptible()?;
            let style = output::style(command_line.color);
            match commands::project::requested(&arguments) {
                Some(path) => commands::project::check(&path, &arguments, style, &interrupt),
                None => commands::check::check(&arguments, style, interrupt),
            }
        }
        Command::Elts(arguments) => commands::elts::elts(&arguments),
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Disasm(arguments) => commands::disasm::disasm(&arguments),
        Command::Simulate(arguments) => {
            let style = output::style(command_line.color);
            match &arguments.source.files[..] {
                [image] if kripke_check::firmware::is_firmware(image) => {
                    firmware::simulate(image, &arguments, style, interruptible()?)
                }
                _ => commands::simulate::simulate(&arguments, style, interruptible()?),
            }
        }
        Command::States(arguments) => firmware::states(&arguments, interruptible()?),
        Command::Cfg(arguments) => commands::cfg::cfg(&arguments),
        Command::Stack(arguments) => commands::stack::stack(&arguments, output::style(command_line.color)),
        Command::Analyze(arguments) => {
            commands::analyze::analyze(&arguments, output::style(command_line.color))
        }
        Command::Ltl(arguments) => commands::ltl::ltl(&arguments),
        Command::Serve(arguments) => commands::serve::serve(&arguments),
        Command::Devices => commands::devices::devices(),
        Command::Explain(arguments) => commands::explain::explain(&arguments),
        Command::Init(arguments) => commands::init::init(&arguments, &interruptible()?),
        Command::Doctor(arguments) => commands::doctor::doctor(&arguments),
        Command::Dap(arguments) => commands::dap::dap(&arguments),
        Command::Lsp(_) => commands::lsp::lsp(),
        Command::Man(arguments) => commands::man::man(&arguments, &CommandLine::command()),
        Command::Completions(arguments) => completions(arguments.shell),
    }
}

/// A flag that becomes true when the user interrupts.
fn interruptible() -> Result<Arc<AtomicBool>, Failure> {
    interrupt::install().map_err(|error| Failure::Internal(format!("cannot listen to signals: {error}")))
}

/// Help and version are no errors; everything else clap reports is wrong usage.
fn usage_error(error: &clap::Error) -> ExitCode {
    // A closed terminal is no reason to fail differently.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitCode::from(USAGE),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "kripke", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(0)
}

/// Runs on a large stack and turns a panic into an internal error.
fn guarded(work: impl FnOnce() -> Result<u8, Failure> + Send + 'static) -> Result<u8, Failure> {
    let message = Arc::new(Mutex::new(String::new()));
    let record = Arc::clone(&message);
    panic::set_hook(Box::new(move |info| {
        if let Ok(mut message) = record.lock() {
            *message = info.to_string();
        }
    }));
    let worker = std::thread::Builder::new()
        .name("kripke".into())
        .stack_size(STACK_BYTES)
        .spawn(work);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(Failure::Internal(
            message.lock().map(|text| text.clone()).unwrap_or_default(),
        )),
        Err(error) => Err(Failure::Internal(format!("cannot start a thread: {error}"))),
    }
}
