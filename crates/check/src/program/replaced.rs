//! Programs in which contracts stand for the calls of functions, and those functions, each by itself.
//!
//! Idea: modular verification. The program is checked with any results that the contracts allow; each
//! function whose contract is used so is a program of its own, which begins in it with any arguments that
//! the contract allows and any values of global variables, and in which calls are replaced too. One report
//! is made of all.
//!
//! Invariant: what holds only with a contract that is not proved in the same check is *unknown*; where the
//! user did not want it proved, the report lists that it was taken for granted.
//!
//! Source: Meyer, "Applying Design by Contract" (1992); CBMC's user documentation, "Function Contracts".

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use kripke_bmc::Options;
use kripke_elts::{Function, Program, StatementKind};
use kripke_llvm::loader::Linked;
use kripke_llvm::translate::{DefinedFunction, Replaced};
use kripke_model::{Argument, PropertyKind, PropertyResult, Reason, Report, Verdict};

use super::{Listener, load, optimise, select, unchecked, vacuity};
use crate::checks::closest;
use crate::events::{Events, Muted};
use crate::failure::Failure;
use crate::functions::budget::Budget;
use crate::functions::called;
use crate::functions::calls::Calls;
use crate::functions::gathered::Key;
use crate::functions::globals;
use crate::job::{Job, ProgramJob};

/// How the model names what checks the contract of a function, behind its name.
const CHECK: &str = ".contract";

/// What cannot be asked of several programs at once.
pub(super) fn refuse_options(job: &Job) -> Result<(), Failure> {
    let given = [
        ("formulas", !job.formulas.is_empty()),
        ("--harness", job.wanted.harness.is_some()),
        ("--certificate", job.wanted.certificate),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((what, _)) => Err(Failure::input(format!(
            "{what}: where contracts replace calls the program is not executed as it is; leave out \
             --replace-calls"
        ))),
    }
}

/// Checks a program whose calls are replaced, and the functions against whose contracts they are.
pub(super) fn check(
    wanted: &ProgramJob,
    options: &Options,
    events: &mut dyn Events,
) -> Result<(Report, Program, Vec<String>), Failure> {
    let (linked, files) = load::link(&wanted.sources, events, &options.interrupt)?;
    let functions = linked.functions()?;
    let contracts = chosen(&wanted.sources.replaced, &functions)?;
    let whole = program(&linked, wanted, &wanted.sources.entry, &wanted.checks)?;
    let selected = select::properties(&whole.public_properties(), &wanted.selected)?;
    select::known_loops(&whole, &wanted.bounds.unwindset)?;
    let mut checker = Checker {
        wanted,
        options,
        written: globals::uses(&whole).written,
        linked: &linked,
        runs: Vec::new(),
    };
    let mut budget = Budget::new(options.deadline);
    let count = contracts.len() + 1;
    for (index, contract) in contracts.iter().enumerate() {
        events.function(&contract.entry, index + 1, count);
        checker.check_function(contract, &mut budget, contracts.len() - index, events)?;
        budget.next_turn();
    }
    events.function(&wanted.sources.entry, count, count);
    checker.check_program(&whole, events)?;
    let mut report = checker.report(&contracts);
    if let Some(selected) = selected {
        let properties = whole.public_properties();
        let keys: BTreeSet<Key> = selected.iter().map(|id| Key::of(&properties[*id])).collect();
        report
            .results
            .retain(|result| keys.contains(&Key::of(&result.property)));
    }
    let asked: Vec<_> = report
        .results
        .iter()
        .map(|result| result.property.clone())
        .collect();
    events.asked(&asked);
    report.results.iter().for_each(|result| events.settled(result));
    Ok((report, whole, files))
}

/// The functions whose calls are replaced; every name has to be one of a function with a contract.
fn chosen<'f>(
    replaced: &Replaced,
    functions: &'f [DefinedFunction],
) -> Result<Vec<&'f DefinedFunction>, Failure> {
    let is_meant = |function: &&DefinedFunction| replaced.contains(&function.unit, bare(function));
    let found: Vec<_> = functions
        .iter()
        .filter(is_meant)
        .filter(|function| function.has_contract)
        .collect();
    let names = match replaced {
        Replaced::Named(names) => &names[..],
        _ if found.is_empty() => return Err(Failure::input("--replace-calls: no function has a contract")),
        _ => &[],
    };
    for name in names {
        let this = Replaced::Named(vec![name.clone()]);
        if found
            .iter()
            .any(|function| this.contains(&function.unit, bare(function)))
        {
            continue;
        }
        let is_known = functions
            .iter()
            .any(|function| this.contains(&function.unit, bare(function)));
        let near = closest(name, functions.iter().map(|function| function.entry.as_str()));
        return Err(Failure::input(match (is_known, near) {
            (true, _) => format!("--replace-calls: `{name}` has no contract that could replace its calls"),
            (false, Some(near)) => {
                format!("--replace-calls: the sources define no function `{name}`; did you mean '{near}'?")
            }
            (false, None) => format!("--replace-calls: the sources define no function `{name}`"),
        }));
    }
    Ok(found)
}

/// The name of a function without its unit.
fn bare(function: &DefinedFunction) -> &str {
    function
        .entry
        .rsplit_once(':')
        .map_or(function.entry.as_str(), |(_, name)| name)
}

fn program(
    linked: &Linked,
    wanted: &ProgramJob,
    entry: &str,
    checks: &[PropertyKind],
) -> Result<Program, Failure> {
    let mut sources = wanted.sources.clone();
    entry.clone_into(&mut sources.entry);
    Ok(linked.program(&load::translate_options(&sources, checks))?)
}

/// A program that was checked.
struct Run {
    /// The function by itself; none for the whole program.
    function: Option<String>,
    report: Report,
    /// What its runs may come to, by the names in the model; none where that may be anything.
    reached: Option<BTreeSet<String>>,
    /// It makes heap objects.
    allocates: bool,
}

impl Run {
    /// May it come to a function, or to what stands for it? Functions of one name are not told apart.
    fn may_reach(&self, name: &str) -> bool {
        let of_one_name = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
        let name = match name.rsplit_once('.') {
            Some((name, number)) if of_one_name(number) => name,
            _ => name,
        };
        let is_it = |other: &String| {
            let rest = other.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.reached
            .as_ref()
            .is_none_or(|reached| reached.iter().any(is_it))
    }

    /// Does all of it hold?
    fn is_proved(&self) -> bool {
        let holds = |result: &PropertyResult| matches!(result.verdict, Verdict::Holds { .. });
        self.report.incomplete.is_none() && self.report.results.iter().all(holds)
    }

    /// Does it use the contract of a function?
    fn uses(&self, function: &DefinedFunction) -> bool {
        let is_its = |name: &String| {
            name.split_once(CHECK)
                .is_some_and(|(own, _)| own == bare(function))
        };
        self.reached
            .as_ref()
            .is_none_or(|reached| reached.iter().any(is_its))
    }
}

/// All programs that are made of one set of sources.
struct Checker<'c> {
    wanted: &'c ProgramJob,
    options: &'c Options,
    linked: &'c Linked,
    /// The global variables that some code may write.
    written: BTreeSet<String>,
    runs: Vec<Run>,
}

impl Checker<'_> {
    /// A function against its contract.
    fn check_function(
        &mut self,
        function: &DefinedFunction,
        budget: &mut Budget,
        others: usize,
        events: &mut dyn Events,
    ) -> Result<(), Failure> {
        // Where a function returns its caller goes on: only at the end of the program is memory lost.
        let kinds = self.wanted.checks.iter().copied();
        let checks: Vec<PropertyKind> = kinds.filter(|kind| *kind != PropertyKind::Leak).collect();
        let mut program = match program(self.linked, self.wanted, &function.entry, &checks) {
            Ok(program) => program,
            Err(failure) => {
                let what = format!("no run can start in `{}` ({failure})", function.entry);
                let place = format!("{}:{}", function.file, function.line);
                let incomplete = Some(Reason::Unsupported { what, place });
                let report = Report {
                    incomplete,
                    ..Report::default()
                };
                self.runs.push(Run {
                    function: Some(function.entry.clone()),
                    report,
                    reached: Some(BTreeSet::new()),
                    allocates: false,
                });
                return Ok(());
            }
        };
        called::return_to_caller(&mut program, &function.name);
        let reached = reached(&program);
        let allocates = makes_heap_objects(&program, reached.as_ref());
        let any = globals::make_any_state(&mut program, &function.name, &self.written);
        let vacuous = vacuity::warning(&program, &function.name, self.options);
        let probe = program.clone();
        let share = budget.share(others);
        let share = share.filter(|_| self.options.deadline.is_some());
        let mut report = self.run(program, share.map(|share| Instant::now() + share), events)?;
        let holds = |result: &PropertyResult| matches!(result.verdict, Verdict::Holds { .. });
        let endless = match vacuous.is_none() && report.results.iter().all(holds) {
            true => vacuity::endless(&probe, &function.name, self.options),
            false => None,
        };
        report.assumptions.extend(vacuous.into_iter().chain(endless));
        if any {
            report.assumptions.push(format!(
                "`{}` is checked against its contract with any values of global variables",
                function.entry
            ));
        }
        if let Some(handlers) = self.handlers_of_earlier_calls(reached.as_ref()) {
            let place = format!("{}:{}", function.file, function.line);
            not_shown(&mut report, |_| true, handlers, &place);
        }
        self.runs.push(Run {
            function: Some(function.entry.clone()),
            report,
            reached,
            allocates,
        });
        Ok(())
    }

    /// What a function that ends the program comes to and its own check does not: what other code has
    /// registered with `atexit`.
    fn handlers_of_earlier_calls(&self, reached: Option<&BTreeSet<String>>) -> Option<&'static str> {
        let may_run = |name: &str| reached.is_none_or(|reached| reached.contains(name));
        let is_set = |name: &str| self.written.contains(name);
        let registered = "functions that `atexit` or `at_quick_exit` registered before a call that its \
                          contract replaces";
        let ends = [
            ("__kripke_at_exit", "exit_handlers"),
            ("__kripke_at_quick_exit", "quick_exit_handlers"),
        ];
        let is_open = ends
            .iter()
            .any(|(end, handlers)| may_run(end) && is_set(handlers));
        is_open.then_some(registered)
    }

    fn check_program(&mut self, program: &Program, events: &mut dyn Events) -> Result<(), Failure> {
        let reached = reached(program);
        let mut report = self.run(program.clone(), self.options.deadline, events)?;
        let vacuous = vacuity::warning(program, &self.wanted.sources.entry, self.options);
        report.assumptions.extend(vacuous);
        if self.runs.iter().any(|run| run.allocates) {
            let what = "heap objects of functions whose calls contracts replace";
            let place = self.wanted.sources.entry.as_str();
            not_shown(&mut report, |kind| kind == PropertyKind::Leak, what, place);
        }
        self.runs.push(Run {
            function: None,
            report,
            reached,
            allocates: false,
        });
        Ok(())
    }

    fn run(
        &self,
        mut program: Program,
        deadline: Option<Instant>,
        events: &mut dyn Events,
    ) -> Result<Report, Failure> {
        optimise(&mut program, None);
        let options = Options {
            deadline: deadline.or(self.options.deadline),
            ..self.options.clone()
        };
        let mut muted = Muted(events);
        let mut listener = Listener::new(&mut muted);
        let report = kripke_bmc::check(&program, &options, &mut listener);
        report.map_err(|error| Failure::Internal(error.to_string()))
    }

    /// One report of all.
    fn report(&self, contracts: &[&DefinedFunction]) -> Report {
        let open = self.open(contracts);
        let mut all: BTreeMap<Key, PropertyResult> = BTreeMap::new();
        let mut report = Report::default();
        let mut order = Vec::new();
        for run in &self.runs {
            let used = open.iter().find(|function| run.uses(function));
            for result in &run.report.results {
                let key = Key::of(&result.property);
                let mut result = result.clone();
                if !run.may_reach(&key.function) {
                    result.verdict = Verdict::Holds {
                        argument: Argument::Trivial,
                    };
                } else if let (Verdict::Holds { .. }, Some(function)) = (&result.verdict, used) {
                    let function = function.entry.clone();
                    result.verdict = Verdict::Unknown {
                        reason: Reason::Contract { function },
                    };
                }
                match all.get_mut(&key) {
                    Some(known) if weight(&known.verdict) >= weight(&result.verdict) => {}
                    Some(known) => *known = result,
                    None => {
                        order.push(key.clone());
                        all.insert(key, result);
                    }
                }
            }
            join(&mut report, &run.report);
        }
        order.sort_by_key(|key| (key.file.clone(), key.line, key.column));
        report.results = order.iter().filter_map(|key| all.remove(key)).collect();
        number(&mut report.results);
        self.assumptions(&mut report, contracts);
        report
    }

    /// The functions of which it was not shown that they keep their contracts, or only with those of such.
    fn open<'f>(&self, contracts: &[&'f DefinedFunction]) -> Vec<&'f DefinedFunction> {
        let own = |function: &DefinedFunction| {
            let mut runs = self.runs.iter();
            runs.find(|run| run.function.as_ref() == Some(&function.entry))
        };
        let (mut proved, mut open): (Vec<_>, Vec<_>) = contracts
            .iter()
            .copied()
            .partition(|function| own(function).is_some_and(Run::is_proved));
        loop {
            let uses_open = |function: &&DefinedFunction| {
                own(function).is_none_or(|run| open.iter().any(|other| run.uses(other)))
            };
            let (lost, kept): (Vec<_>, Vec<_>) = proved.into_iter().partition(uses_open);
            if lost.is_empty() {
                return open;
            }
            open.extend(lost);
            proved = kept;
        }
    }

    fn assumptions(&self, report: &mut Report, contracts: &[&DefinedFunction]) {
        let is_checked = |kind: PropertyKind| self.wanted.checks.contains(&kind);
        let own = |function: &DefinedFunction| {
            let called = format!("`{}` is called as its contract requires", function.name);
            let replaced = format!("calls of `{}` do what its contract says", function.name);
            (called, replaced)
        };
        for (called, replaced) in contracts.iter().map(|function| own(function)) {
            let is_shown = is_checked(PropertyKind::Postcondition) && is_checked(PropertyKind::Assigns);
            // Nobody calls the function that the program begins in.
            let is_entry = |run: &Run| run.function.is_none() && run.report.assumptions.contains(&called);
            let is_called = is_checked(PropertyKind::Precondition) && !self.runs.iter().any(is_entry);
            report
                .assumptions
                .retain(|line| !(*line == called && is_called || *line == replaced && is_shown));
        }
        let names: Vec<String> = contracts
            .iter()
            .map(|function| format!("`{}`", function.entry))
            .collect();
        let what = match names.len() {
            1 => format!(
                "calls of {} are replaced by its contract; it is checked against that",
                names[0]
            ),
            _ => format!(
                "calls of {} are replaced by their contracts; each is checked against its own",
                names.join(", ")
            ),
        };
        report
            .assumptions
            .insert(0, format!("{what} by itself, from any call that is allowed"));
        report
            .assumptions
            .extend(unchecked::assumptions(&self.wanted.checks, false));
    }
}

/// What the runs of a program may come to.
fn reached(program: &Program) -> Option<BTreeSet<String>> {
    Calls::of(program).reached_from(&program.functions[program.entry].name)
}

/// Does code that runs may come to make heap objects?
fn makes_heap_objects(program: &Program, reached: Option<&BTreeSet<String>>) -> bool {
    let is_reached = |name: &String| reached.is_none_or(|reached| reached.contains(name));
    let functions = program
        .functions
        .iter()
        .filter(|function| is_reached(&function.name));
    let mut statements = functions.flat_map(Function::statements);
    statements.any(|statement| matches!(statement.kind, StatementKind::HeapObject { .. }))
}

/// What holds in a run holds there only, because the run leaves something out.
fn not_shown(report: &mut Report, is_meant: impl Fn(PropertyKind) -> bool, what: &str, place: &str) {
    for result in &mut report.results {
        if let Verdict::Holds { .. } = result.verdict
            && is_meant(result.property.kind)
        {
            let (what, place) = (what.to_owned(), place.to_owned());
            result.verdict = Verdict::Unknown {
                reason: Reason::Unsupported { what, place },
            };
        }
    }
}

/// Which of two verdicts on a property counts.
fn weight(verdict: &Verdict) -> u32 {
    match verdict {
        Verdict::Violated { .. } => 4,
        Verdict::Unknown {
            reason: Reason::NotChecked,
        } => 2,
        Verdict::Holds {
            argument: Argument::Trivial,
        } => 0,
        Verdict::Holds { .. } => 1,
        _ => 3,
    }
}

/// Adds what is said beside the properties.
fn join(report: &mut Report, other: &Report) {
    for assumption in &other.assumptions {
        if !report.assumptions.contains(assumption) {
            report.assumptions.push(assumption.clone());
        }
    }
    report.incomplete = report.incomplete.take().or_else(|| other.incomplete.clone());
    report.invariants.extend(other.invariants.iter().cloned());
    report.statistics.queries += other.statistics.queries;
    report.statistics.solver_seconds += other.statistics.solver_seconds;
    report.statistics.bound = report.statistics.bound.max(other.statistics.bound);
}

/// Ids are those of one program; what only another has may have the same.
fn number(results: &mut [PropertyResult]) {
    let mut known = BTreeSet::new();
    for result in results {
        let id = result.property.id.clone();
        let (stem, first) = id.rsplit_once('.').unwrap_or((&id, "1"));
        let mut next: u32 = first.parse().unwrap_or(1);
        while !known.insert(result.property.id.clone()) {
            next += 1;
            result.property.id = format!("{stem}.{next}");
        }
    }
}
