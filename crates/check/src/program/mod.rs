//! C programs: loaded, optimised, checked, reported.
//!
//! Idea: formulas and properties of single places are two searches over one program. The formulas come first,
//! as they say how deep the other search has to look where no bound ends the loops.

mod certificate;
mod conditions;
mod harness;
mod harness_arguments;
mod harness_start;
mod harness_turns;
pub(crate) mod interrupts;
pub(crate) mod load;
mod lock_reduction;
mod loop_place;
mod replaced;
pub(crate) mod select;
mod temporal;
mod threads;
pub(crate) mod unchecked;
mod vacuity;
mod violation_witness;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_bmc::{Explore, Obligation, Options};
use kripke_elts::Program;
use kripke_llvm::translate::Replaced;
use kripke_model::{Open, Property, PropertyKind, PropertyResult, Reason, Report, Verdict};
use kripke_smt::SolverChoice;

use crate::events::{Events, Progress};
use crate::failure::Failure;
use crate::job::{Fairness, Job, ProgramJob};
use crate::{Checked, Harness, formulas, functions};

pub use certificate::Certificate;
pub use conditions::parse_condition;
pub use harness::{HarnessOptions, render as render_harness};
pub use interrupts::{parse_handler, parse_once_per, parse_register_priority};
pub use load::{Loaded, load, optimise};
use lock_reduction::Reduced;

/// Does a job about a program.
pub(crate) fn check(
    job: &Job,
    wanted: &ProgramJob,
    events: &mut dyn Events,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let replaced = wanted.sources.replaced != Replaced::None;
    interrupts::refuse_options(job, &wanted.sources, wanted.functions.is_some(), replaced)?;
    let done = match &wanted.functions {
        Some(pattern) => functions::check(job, wanted, pattern, events, interrupt),
        None => examine(job, wanted, events, interrupt),
    };
    match done {
        Err(Failure::Cancelled) => Ok(cancelled(wanted)),
        done => done,
    }
}

/// What there is to report when nobody waits any more before the program was compiled.
fn cancelled(wanted: &ProgramJob) -> Checked {
    let files = wanted.sources.files.iter();
    Checked {
        report: Report {
            incomplete: Some(Reason::Interrupted),
            ..Report::default()
        },
        files: files.map(|file| file.display().to_string()).collect(),
        ..Checked::default()
    }
}

fn examine(
    job: &Job,
    wanted: &ProgramJob,
    events: &mut dyn Events,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let started = Instant::now();
    startable(&wanted.solver)?;
    let formulas = formulas::read(&job.formulas, events)?;
    temporal::refuse_branching(&formulas)?;
    threads::refuse_reduction(wanted)?;
    let options = options(job, wanted, started, interrupt);
    if job.wanted.certificate && !formulas.is_empty() {
        return Err(Failure::input(
            "a certificate is for properties of single places; check the formulas without it",
        ));
    }
    let (mut report, program, files, obligations) = if wanted.sources.replaced != Replaced::None {
        replaced::refuse_options(job)?;
        let (report, program, files) = replaced::check(wanted, &options, events)?;
        (report, program, files, Vec::new())
    } else if formulas.is_empty() {
        let loaded = load::load_unwoven(&wanted.sources, &wanted.checks, events, &options.interrupt)?;
        let (reduced, files) = Reduced::new(loaded, wanted)?;
        threads::refuse_options(job, wanted, reduced.program())?;
        interrupts::refuse_assembly(job, &wanted.sources.interrupts, reduced.program())?;
        let (report, program, obligations) = reduced.check(wanted, options, events)?;
        (report, program, files, obligations)
    } else {
        let (report, program, files) = with_formulas((job, wanted), formulas, options, events)?;
        (report, program, files, Vec::new())
    };
    report.statistics.seconds = started.elapsed().as_secs_f64();
    report.statistics.peak_memory = kripke_limits::peak().unwrap_or(0);
    let harness = job.wanted.harness.as_ref();
    let pointer_width = program.data_model.pointer_width;
    let certificate = job
        .wanted
        .certificate
        .then(|| certificate::certificate(&report, &obligations, &files, pointer_width));
    let witness = job
        .wanted
        .witness
        .then(|| violation_witness::witness(&report, &files, pointer_width));
    Ok(Checked {
        certificate: certificate.flatten(),
        witness: witness.flatten(),
        harness: harness.and_then(|name| first_harness(name, &report, &program, &files, wanted)),
        report,
        files,
        ..Checked::default()
    })
}

/// A solver that cannot be started is the user's to mend before anything else is done.
pub(crate) fn startable(solver: &SolverChoice) -> Result<(), Failure> {
    let started = kripke_smt::create_solver(solver);
    started
        .map(drop)
        .map_err(|error| Failure::input(error.to_string()))
}

pub(crate) fn options(
    job: &Job,
    wanted: &ProgramJob,
    started: Instant,
    interrupt: Arc<AtomicBool>,
) -> Options {
    Options {
        unwind: wanted.bounds.unwind,
        unwindset: wanted.bounds.unwindset.iter().cloned().collect(),
        max_bound: wanted.bounds.max_unwind.unwrap_or(u32::MAX),
        deadline: job.limits.time.map(|limit| started + limit),
        memory_limit: job.limits.memory,
        interrupt,
        solver: wanted.solver.clone(),
        all: wanted.all,
        k_induction: wanted.bounds.k_induction,
        invariants: wanted.bounds.invariants,
        only_invariants: wanted.bounds.only_invariants,
        reachability: wanted.bounds.reachability,
        fuzzing: wanted.bounds.fuzzing,
        slicing: wanted.bounds.slicing && checks_accesses(wanted),
        obligations: job.wanted.certificate,
        feasibility: wanted.bounds.feasibility,
        parting: wanted.bounds.parting,
        continuing: wanted.bounds.continuing,
        explore: wanted.explore,
        ..Options::default()
    }
}

/// Is each access checked, or right? Program models say themselves what is.
fn checks_accesses(wanted: &ProgramJob) -> bool {
    let of_accesses = [
        PropertyKind::Pointer,
        PropertyKind::Bounds,
        PropertyKind::Uninitialised,
        PropertyKind::Free,
        PropertyKind::FunctionPointer,
    ];
    let is_of_c = load::model(&wanted.sources).is_none();
    is_of_c && of_accesses.iter().all(|kind| wanted.checks.contains(kind))
}

/// Checks the formulas, and then what else is to be checked of the program.
fn with_formulas(
    (job, wanted): (&Job, &ProgramJob),
    formulas: Vec<formulas::Given>,
    mut options: Options,
    events: &mut dyn Events,
) -> Result<(Report, Program, Vec<String>), Failure> {
    if wanted.explore != Explore::Merged {
        return Err(Failure::input(
            "--explore interleavings does not check formulas yet: check them without it",
        ));
    }
    if wanted.fairness == Fairness::Weak && wanted.sources.context_bound.is_some() {
        return Err(Failure::input(
            "--context-bound does not go together with --fair weak: fair runs switch threads without end",
        ));
    }
    let (loaded, files) = load::load_with_formulas(
        &wanted.sources,
        &wanted.checks,
        formulas,
        events,
        &options.interrupt,
    )?;
    threads::refuse_options(job, wanted, &loaded.program)?;
    threads::refuse_unfair(wanted, &loaded.program)?;
    select::known_loops(&loaded.program, &wanted.bounds.unwindset)?;
    let temporal = temporal::check(&loaded, wanted, &options, &mut Listener::new(events))?;
    // Loops that no bound ends would keep the search for violations going until its time is over.
    let deepest = temporal.statistics.bound.max(1);
    options.max_bound = wanted.bounds.max_unwind.unwrap_or(deepest);
    if wanted.checks.is_empty() {
        return Ok((temporal, loaded.program, files));
    }
    let (mut report, program, _) = safety(loaded.program, wanted, options, events)?;
    report
        .results
        .retain(|result| temporal::is_of_program(&result.property));
    Ok((temporal::join(report, temporal), program, files))
}

/// Checks the properties that are about single places of the program.
fn safety(
    mut program: Program,
    wanted: &ProgramJob,
    mut options: Options,
    events: &mut dyn Events,
) -> Result<(Report, Program, Vec<Obligation>), Failure> {
    let selected = select::properties(&program.public_properties(), &wanted.selected)?;
    let vacuous = vacuity::warning(&program, &wanted.sources.entry, &options);
    optimise(&mut program, selected.as_deref());
    select::known_loops(&program, &wanted.bounds.unwindset)?;
    let granted = unchecked::assumptions(&wanted.checks, selected.is_some());
    options.properties = selected;
    let mut listener = Listener::new(events);
    let mut report = kripke_bmc::check(&program, &options, &mut listener)
        .map_err(|error| Failure::Internal(error.to_string()))?;
    report.assumptions.extend(granted);
    report.assumptions.extend(vacuous);
    Ok((report, program, listener.obligations))
}

/// Passes on what the engine tells.
pub(crate) struct Listener<'e> {
    events: &'e mut dyn Events,
    bound: u32,
    query: u64,
    undecided: usize,
    /// What the proofs rest on, where it is asked for.
    obligations: Vec<Obligation>,
}

impl<'e> Listener<'e> {
    pub(crate) fn new(events: &'e mut dyn Events) -> Self {
        Self {
            events,
            bound: 0,
            query: 0,
            undecided: 0,
            obligations: Vec::new(),
        }
    }

    fn tell(&mut self) {
        self.events.progress(&Progress::Unwinding {
            bound: self.bound,
            query: self.query,
            undecided: self.undecided,
        });
    }
}

impl kripke_bmc::Progress for Listener<'_> {
    fn bound(&mut self, bound: u32) {
        self.bound = bound;
        self.tell();
    }

    fn query(&mut self, number: u64, properties_left: usize) {
        (self.query, self.undecided) = (number, properties_left);
        self.tell();
    }

    fn asked(&mut self, properties: &[Property]) {
        let own = properties
            .iter()
            .filter(|property| temporal::is_of_program(property));
        self.events.asked(&own.cloned().collect::<Vec<_>>());
    }

    fn obligation(&mut self, obligation: Obligation) {
        self.obligations.push(obligation);
    }

    fn open(&mut self, property: &Property, open: &Open) {
        if temporal::is_of_program(property) {
            self.events.open(property, open);
        }
    }

    fn settled(&mut self, result: &PropertyResult) {
        if temporal::is_of_program(&result.property) {
            self.events.settled(result);
        }
    }
}

/// The harness of the first violation, if there is one.
fn first_harness(
    file_name: &str,
    report: &Report,
    program: &Program,
    files: &[String],
    wanted: &ProgramJob,
) -> Option<Harness> {
    let (property, trace) = report.results.iter().find_map(|result| match &result.verdict {
        Verdict::Violated { trace } => Some((&result.property, trace)),
        _ => None,
    })?;
    let options = HarnessOptions {
        program_files: files.to_vec(),
        compiler_options: compiler_options(wanted),
        file_name: file_name.to_string(),
        external_functions: program.external_functions.clone(),
        start: harness_start::start_code(program, &wanted.sources.entry, trace),
        entry: Some(wanted.sources.entry.clone()),
        has_keys: { program.files.iter() }.any(|file| file.path.ends_with("thread_keys.c")),
        races: { program.properties.iter() }.any(|site| site.kind == PropertyKind::DataRace),
        controls: harness_turns::controls_of(&wanted.sources.interrupts),
        priority_bits: { wanted.sources.interrupts.priority_bits }
            .map_or(0xFF, |bits| 0xFF << (8 - bits.min(8)) & 0xFF),
        has_handlers: wanted.sources.interrupts.are_wanted(),
    };
    Some(Harness {
        property: property.id.clone(),
        text: harness::render(property, trace, &options),
    })
}

/// The options with which a compiler sees the program as the check did.
fn compiler_options(wanted: &ProgramJob) -> Vec<String> {
    let compile = &wanted.sources.compile;
    let standard = compile.standard.iter().map(|standard| format!("-std={standard}"));
    let include_directories = compile.include_directories.iter();
    let forced = compile.forced_includes.iter();
    standard
        .chain(include_directories.map(|directory| format!("-I{}", directory.display())))
        .chain(compile.defines.iter().map(|define| format!("-D{define}")))
        .chain(compile.undefines.iter().map(|name| format!("-U{name}")))
        .chain(forced.map(|file| format!("-include {}", file.display())))
        .chain(compile.arguments.iter().cloned())
        .collect()
}
