//! One driver for every check.
//!
//! Idea: whoever wants something checked (the command line, a project file, a debugger, a service) says so as
//! a [`Job`], which is plain data, and hears of it through [`Events`]. What comes back is a [`Checked`]: the
//! report, and what else was asked for, as values. The order of a check and the verdict logic live here and
//! nowhere else.
//!
//! Invariants: nothing is printed and no file is written; a check ends soon after its interrupt flag was set,
//! and the report says so; the same job gives the same report.

mod checks;
mod events;
mod failure;
pub mod firmware;
mod formulas;
pub mod functions;
mod job;
pub mod program;
pub mod project;
pub mod property_file;
pub mod task;
pub mod units;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kripke_model::{FunctionsReport, Report};

pub use checks::{closest, hint, parse_checks};
pub use events::{Events, Progress, Silent};
pub use failure::Failure;
pub use job::{
    Bounds, DeviceChoice, Environment, Exploration, Fairness, FirmwareJob, Form, Formula, Job, Limits,
    NondeterminismChoice, ProgramJob, Sources, Subject, VectorPlace, Wanted,
};

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The verdicts.
    pub report: Report,
    /// The files that were checked, as the user or the compile database names them.
    pub files: Vec<String>,
    /// What was found function by function, if that was asked for.
    pub functions: Option<FunctionsReport>,
    /// The harness of the first violation, if it was asked for and there is one.
    pub harness: Option<Harness>,
    /// The proof of what holds in a form that others can check, if it was asked for and something does.
    pub certificate: Option<program::Certificate>,
    /// The first violation in a form that others can check, if it was asked for and there is one that can be
    /// said so.
    pub witness: Option<String>,
    /// The waveform of the first counterexample, if it was asked for and there is one.
    pub waveform: Option<String>,
    /// The evidence for the first CTL formula as a graph, if it was asked for and there is one.
    pub evidence: Option<String>,
}

/// A C file that makes the compiled program take the failing path.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The property that it shows to fail.
    pub property: String,
    /// The file.
    pub text: String,
}

/// Does a job. `interrupt` becomes true, from a signal or another thread, when nobody waits for it any more.
pub fn check(job: &Job, events: &mut dyn Events, interrupt: Arc<AtomicBool>) -> Result<Checked, Failure> {
    on_big_stack(|| match &job.subject {
        Subject::Program(program) => program::check(job, program, events, interrupt),
        Subject::Firmware(firmware) => firmware::check(job, firmware, events, interrupt),
    })
}

/// Loads what a job is about, as a check would, and checks nothing.
///
/// # Errors
/// What is wrong with it.
pub fn load(job: &Job, interrupt: &Arc<AtomicBool>) -> Result<(), Failure> {
    on_big_stack(|| match &job.subject {
        Subject::Program(program) if program.functions.is_some() => {
            program::load::link(&program.sources, &mut Silent, interrupt).map(drop)
        }
        Subject::Program(program) => {
            program::load(&program.sources, &program.checks, &mut Silent, interrupt).map(drop)
        }
        Subject::Firmware(firmware) => firmware::list(&job.formulas, firmware, &mut Silent).map(drop),
    })
}

/// Expressions of deeply nested programs are walked recursively; threads cost only what they touch.
const STACK: usize = 1 << 30;

/// Does work that recurses deeply, whatever the caller's stack is. A panic goes on in the caller.
fn on_big_stack<R: Send>(work: impl FnOnce() -> Result<R, Failure> + Send) -> Result<R, Failure> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("check".to_string())
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::Internal(format!("cannot start a thread: {error}")))?;
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
