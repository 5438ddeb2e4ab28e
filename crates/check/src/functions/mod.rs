//! Every function checked by itself, as `--entry NAME` does.
//!
//! Idea: the sources are compiled once; a program is made of them for each function. Runs that start in a
//! function follow its calls, so that runs from the entry points (`starts.rs`) say which findings elsewhere
//! are possible in the program at all: nothing else is needed to rank them (`ranking.rs`). The pointers that
//! an entry point gets are not null at first; what fails only with a null pointer is looked for in a second
//! run, as the caller is to blame as a rule.
//!
//! Invariant: whatever goes wrong with one function (it cannot be started in, the engine fails) is known of
//! that function; the others go on.

pub(crate) mod budget;
pub(crate) mod called;
pub(crate) mod calls;
mod changes;
mod evidence;
pub(crate) mod gathered;
pub(crate) mod globals;
mod ranking;
mod starts;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kripke_bmc::Options;
use kripke_elts::Program;
use kripke_llvm::loader::Linked;
use kripke_llvm::translate::{DefinedFunction, Replaced, TranslateOptions};
use kripke_model::{PropertyKind, Reason, Report, Verdict};

use crate::Checked;
use crate::checks::closest;
use crate::events::{Events, Muted, Silent};
use crate::failure::Failure;
use crate::job::{Job, ProgramJob};
use crate::program::{self, load, select, unchecked};

use budget::Budget;
use calls::Calls;
use changes::Changes;
use gathered::Weighed;
use globals::Uses;
use starts::Start;

pub use gathered::Gathered;

/// Gathered results, which whoever has to end a check can look at too.
pub type Gathering = Arc<Mutex<Gathered>>;

/// Checks the functions whose names match the pattern, in which `*` stands for any text.
pub(crate) fn check(
    job: &Job,
    wanted: &ProgramJob,
    pattern: &str,
    events: &mut dyn Events,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let started = Instant::now();
    refuse_options(job, wanted)?;
    program::startable(&wanted.solver)?;
    let (linked, files) = load::link(&wanted.sources, events, &interrupt)?;
    let options = program::options(job, wanted, started, Arc::clone(&interrupt));
    let session = Session::new(&linked, files, wanted, pattern, options, started)?;
    for start in session.lock().starts.iter().filter(|start| start.is_wanted) {
        if let Some(why) = &start.changed {
            events.remarked(&format!("`{}` is checked: {why}", start.function.entry));
        }
    }
    events.gathering(&session.gathered);
    session.check_all(events)?;
    let unfinished = match interrupt.load(Ordering::Relaxed) {
        true => Reason::Interrupted,
        false => Reason::Time,
    };
    let gathered = session.lock();
    Ok(gathered.checked(&unfinished))
}

/// What makes no sense for many functions at once.
fn refuse_options(job: &Job, wanted: &ProgramJob) -> Result<(), Failure> {
    if !job.formulas.is_empty() {
        return Err(Failure::input(
            "formulas are about the runs of a whole program: check them without --each-function",
        ));
    }
    if job.wanted.harness.is_some() {
        return Err(Failure::input(
            "a harness is made for one function: --harness FILE --entry FUNCTION, without --each-function",
        ));
    }
    if wanted.sources.replaced != Replaced::None {
        return Err(Failure::input(
            "--replace-calls is for one function to start from: without --each-function",
        ));
    }
    if job.wanted.certificate {
        return Err(Failure::input(
            "a certificate is made for one function: --certificate FILE --entry FUNCTION, \
             without --each-function",
        ));
    }
    let is_model = |path: &std::path::PathBuf| path.extension().is_some_and(|name| name == "elts");
    match wanted.sources.files.iter().find(|path| is_model(path)) {
        Some(path) => Err(Failure::input(format!(
            "{}: a program model starts in one function; give the sources for --each-function",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Runs that start in one function.
#[derive(Clone, Copy, Debug)]
struct Task {
    start: usize,
    pass: Pass,
    took: Duration,
}

/// What a run takes from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Global variables hold anything; the pointers that an entry point gets are not null.
    AnyGlobals,
    /// From an entry point, with the initial values of global variables: what is violated here needs no
    /// others.
    InitialGlobals,
    /// From an entry point, with any global variables and any pointers: what is violated only here needs a
    /// null pointer.
    Null,
}

/// All runs over one set of sources.
struct Session<'s> {
    linked: &'s Linked,
    wanted: &'s ProgramJob,
    options: Options,
    gathered: Gathering,
    /// The global variables that some code of the program may write.
    written: BTreeSet<String>,
}

impl<'s> Session<'s> {
    fn new(
        linked: &'s Linked,
        files: Vec<String>,
        wanted: &'s ProgramJob,
        pattern: &str,
        options: Options,
        started: Instant,
    ) -> Result<Self, Failure> {
        let functions = linked.functions()?;
        let (calls, uses) = whole_program(linked, wanted, &functions)?;
        let sources: Vec<_> = files.iter().map(Into::into).collect();
        let changes = changed(wanted, &functions)?;
        let starts = starts::starts(&functions, &calls, &sources, pattern, changes.as_ref());
        if !starts.iter().any(|start| start.is_wanted || start.is_left_out) {
            return Err(no_function(pattern, &starts));
        }
        let mut granted = unchecked::assumptions(&wanted.checks, !wanted.selected.is_empty());
        granted.extend(others_write_nothing(linked, &functions, &uses));
        granted.extend(left_out(wanted, &starts));
        let gathered = Gathered {
            files,
            granted,
            ..Gathered::new(starts, started)
        };
        Ok(Session {
            linked,
            wanted,
            options,
            gathered: Arc::new(Mutex::new(gathered)),
            written: uses.written,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everybody's turn, then that of those which are still open, for as long as it is worth while.
    fn check_all(&self, events: &mut dyn Events) -> Result<(), Failure> {
        let mut budget = Budget::new(self.options.deadline);
        let mut tasks = self.tasks();
        let mut is_first = true;
        while !tasks.is_empty() {
            let mut open = Vec::new();
            let count = tasks.len();
            for (index, task) in tasks.into_iter().enumerate() {
                let Some(share) = budget.share(count - index - 1) else {
                    return Ok(());
                };
                if self.options.interrupt.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if !is_first && !budget.is_worth_while(share, task.took) {
                    continue;
                }
                let name = self.lock().starts[task.start].function.entry.clone();
                events.function(&name, index + 1, count);
                let started = Instant::now();
                let is_open = self.check_one(task, share, events)?;
                let took = started.elapsed();
                open.extend(is_open.then_some(Task { took, ..task }));
            }
            tasks = open;
            is_first = false;
            budget.next_turn();
        }
        Ok(())
    }

    /// The first turn: what is small comes first, so that it leaves its time to others; null pointers last.
    fn tasks(&self) -> Vec<Task> {
        let gathered = self.lock();
        let starts = &gathered.starts;
        let mut needed: Vec<usize> = (0..starts.len()).filter(|at| starts[*at].is_needed).collect();
        needed.sort_by_key(|at| starts[*at].weight);
        let task = |pass| {
            move |start: &usize| Task {
                start: *start,
                pass,
                took: Duration::ZERO,
            }
        };
        let is_again = |at: &&usize| starts[**at].is_entry_point && !starts[**at].is_main();
        let may_be_null = |at: &&usize| is_again(at) && starts[**at].has_pointers();
        let initial = needed.iter().filter(is_again).map(task(Pass::InitialGlobals));
        let with_null = needed.iter().filter(may_be_null).map(task(Pass::Null));
        let all = needed.iter().map(task(Pass::AnyGlobals));
        all.chain(initial).chain(with_null).collect()
    }

    /// One task; true where time was too short.
    fn check_one(&self, task: Task, share: Duration, events: &mut dyn Events) -> Result<bool, Failure> {
        let start = self.lock().starts[task.start].clone();
        let is_needless = {
            let shown = &self.lock().shown[task.start];
            shown.refused.is_some() || task.pass == Pass::InitialGlobals && !shown.depends_on_globals()
        };
        if is_needless {
            return Ok(false);
        }
        let began = Instant::now();
        let run = || self.run(&start, task.pass, began + share, events);
        let done = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            Err(Failure::Internal(text.unwrap_or_default()))
        });
        let mut gathered = self.lock();
        match done {
            Ok(Ran::Report(weighed)) => {
                gathered.add(task.start, task.pass, *weighed, began.elapsed());
                Ok(task.pass == Pass::AnyGlobals && gathered.is_out_of_time(task.start))
            }
            Ok(Ran::Refused(why)) => {
                gathered.refuse(task.start, why, began.elapsed());
                Ok(false)
            }
            // What was found before stays.
            Err(Failure::Internal(message)) => {
                let what = Failure::Internal(message).to_string();
                events.warning(&format!("`{}`: {what}", start.function.entry));
                if task.pass == Pass::AnyGlobals {
                    gathered.refuse(task.start, "internal error".to_owned(), began.elapsed());
                }
                Ok(false)
            }
            Err(Failure::Cancelled) => Ok(false),
            Err(input) => Err(input),
        }
    }

    /// Runs from one function.
    fn run(
        &self,
        start: &Start,
        pass: Pass,
        deadline: Instant,
        events: &mut dyn Events,
    ) -> Result<Ran, Failure> {
        if start.function.is_variadic {
            return Ok(Ran::Refused("it takes variable arguments".to_owned()));
        }
        let mut program = match self.linked.program(&self.translate_options(start, pass)) {
            Ok(program) => program,
            Err(error) => return Ok(Ran::Refused(error.to_string())),
        };
        called::return_to_caller(&mut program, &start.function.name);
        let initial = match pass != Pass::InitialGlobals && !start.is_main() {
            true => globals::make_any(&mut program, &start.function.name, &self.written),
            false => None,
        };
        let selected = select::properties(&program.public_properties(), &self.wanted.selected)?;
        load::optimise(&mut program, selected.as_deref());
        let left = deadline.saturating_duration_since(Instant::now());
        let options = Options {
            // The rest is for finding out what violations rest on.
            deadline: Some(deadline - left / 8),
            // One function that takes too much ends alone, before the whole check is ended.
            memory_limit: self.options.memory_limit.map(|limit| limit / 8 * 7),
            properties: selected,
            all: true,
            ..self.options.clone()
        };
        let mut muted = Muted(events);
        let mut listener = program::Listener::new(&mut muted);
        let report = kripke_bmc::check(&program, &options, &mut listener)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        let mut weighed = weigh(&program, report, &initial.clone().unwrap_or_default(), deadline);
        weighed.any_globals = initial.is_some();
        if initial.is_none() && !start.has_pointers() {
            let evidence = weighed.evidence.values_mut();
            evidence.for_each(|evidence| evidence.rests_on_objects = false);
        }
        Ok(Ran::Report(Box::new(weighed)))
    }

    fn translate_options(&self, start: &Start, pass: Pass) -> TranslateOptions {
        let mut checks = self.wanted.checks.clone();
        // Where a function returns, its caller goes on: only at the end of `main` is memory lost.
        checks.retain(|kind| *kind != PropertyKind::Leak || start.is_main());
        let mut sources = self.wanted.sources.clone();
        sources.entry.clone_from(&start.function.entry);
        // Where there are callers in the program they decide, about null pointers too.
        sources.entry_objects.null_parameters = pass == Pass::Null || !start.is_entry_point;
        load::translate_options(&sources, &checks)
    }
}

/// What came of running a function.
enum Ran {
    Report(Box<Weighed>),
    /// No run can start in it.
    Refused(String),
}

/// Finds out what the violations of a report rest on.
fn weigh(program: &Program, mut report: Report, initial: &BTreeMap<String, u128>, until: Instant) -> Weighed {
    let properties = program.public_properties();
    let mut all = BTreeMap::new();
    for result in &mut report.results {
        let property = properties
            .enumerate()
            .find(|(_, property)| property.id == result.property.id);
        if let (Verdict::Violated { trace }, Some((id, _))) = (&mut result.verdict, property) {
            let evidence = evidence::weigh(program, id, trace, initial, until);
            trace.clone_from(&evidence.trace);
            all.insert(result.property.id.clone(), evidence);
        }
    }
    Weighed {
        report,
        evidence: all,
        any_globals: false,
    }
}

/// What changed since the revision that was asked for.
fn changed(wanted: &ProgramJob, functions: &[DefinedFunction]) -> Result<Option<Changes>, Failure> {
    let Some(revision) = &wanted.changed_since else {
        return Ok(None);
    };
    let sources = load::sources(&wanted.sources, &mut Silent)?;
    changes::since(revision, &sources, &wanted.sources.compile, functions).map(Some)
}

/// Which functions are not checked, as nothing changed for them.
fn left_out(wanted: &ProgramJob, starts: &[Start]) -> Option<String> {
    let revision = wanted.changed_since.as_ref()?;
    let left = starts.iter().filter(|start| start.is_left_out);
    let left: Vec<String> = left.map(|start| format!("`{}`", start.function.entry)).collect();
    (!left.is_empty()).then(|| {
        format!(
            "not checked, as neither they nor what they call changed since {revision}: {}",
            left.join(", ")
        )
    })
}

/// Who calls whom, and what is done with global variables; any function that can be started in shows it.
fn whole_program(
    linked: &Linked,
    wanted: &ProgramJob,
    functions: &[DefinedFunction],
) -> Result<(Calls, Uses), Failure> {
    let mut sources = wanted.sources.clone();
    for function in functions {
        sources.entry.clone_from(&function.entry);
        if let Ok(program) = linked.program(&load::translate_options(&sources, &wanted.checks)) {
            select::properties(&program.public_properties(), &wanted.selected)?;
            select::known_loops(&program, &wanted.bounds.unwindset)?;
            return Ok((Calls::of(&program), globals::uses(&program)));
        }
    }
    Ok((Calls::default(), Uses::default()))
}

/// Whoever calls the functions of a library can write to its variables, too, but for static ones. Which of
/// those that it only reads are taken to keep their initial values.
fn others_write_nothing(linked: &Linked, functions: &[DefinedFunction], uses: &Uses) -> Option<String> {
    if functions.iter().any(|function| function.entry == "main") {
        return None;
    }
    let exported = linked.exported_variables();
    let kept = exported.intersection(&uses.only_read);
    let kept: Vec<String> = kept.map(|name| format!("`{name}`")).collect();
    (!kept.is_empty()).then(|| format!("nobody outside of the program writes to {}", kept.join(", ")))
}

fn no_function(pattern: &str, starts: &[Start]) -> Failure {
    if starts.is_empty() {
        return Failure::input("--each-function: the sources define no function");
    }
    let near = closest(pattern, starts.iter().map(|start| start.function.entry.as_str()));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    Failure::input(format!(
        "--each-function: no function of the sources is named '{pattern}'{hint}"
    ))
}
