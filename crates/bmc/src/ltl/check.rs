//! The verdict on temporal formulas, bound by bound.
//!
//! Idea: at each bound the engine executes the program with the monitors in it and notes where traces end.
//! The solver is then asked for a trace with value ⊥, then ⊥ᵖ, then ⊤ᵖ; the first there is, is the verdict. A
//! trace that ends with the program stutters for ever, so its value is the truth about a run; only cut traces
//! leave a verdict presumable.
//!
//! Invariant: every verdict below ⊤ comes with a trace that the interpreter has followed letter by letter.

use std::time::{Duration, Instant};

use kripke_elts::{FunctionId, Program, threads};
use kripke_limits::stretched;
use kripke_logic::{AutomatonPair, Formula, FourValued, LtlReport, Monitor, MonitorLimits};
use kripke_model::{
    Argument, BoundValue, Place, Property, PropertyKind, PropertyResult, Reason, Report, Statistics,
    StepKind, Temporal, Trace, Verdict,
};
use kripke_smt::{TermId, create_solver};

use super::ends::{EndKind, TraceEnd};
use super::instrument::{Instrumented, Monitored, instrument};
use super::letters;
use super::monitor_code::MonitorCode;
use super::watched::Watched;
use super::witness::{self, Until, Watch};
use crate::decide::{Decider, end_text, not_replayed};
use crate::engine::Engine;
use crate::limits;
use crate::options::{InternalError, Options, Progress};
use crate::record::{Cut, Event};

/// A formula over a program.
#[derive(Clone, Debug)]
pub struct TemporalProperty {
    /// What the user calls it.
    pub name: String,
    /// As the user wrote it.
    pub text: String,
    /// The formula.
    pub formula: Formula,
    /// For each of its atoms the function of the program that evaluates it.
    pub atoms: Vec<FunctionId>,
}

/// How formulas are checked.
pub struct TemporalOptions<'a> {
    /// Bounds, limits, solver.
    pub options: &'a Options,
    /// Makes a program smaller; applied to programs with monitors.
    pub optimise: &'a (dyn Fn(&mut Program) + Sync),
    /// Look for infinite counterexamples.
    pub lasso: bool,
    /// Look for proofs about infinite runs.
    pub induction: bool,
    /// Of runs that go on for ever only those count in which each thread goes on again and again, or cannot.
    pub is_fair: bool,
}

/// Bounds up to this one are tried one by one when the user names a bound.
const TABLE: u32 = 32;
/// The largest bound that is tried when nobody names one.
const DEFAULT_BOUND: u32 = 12;
/// The bounds where threads run: each step of a thread is an iteration.
const BOUNDS_OF_THREADS: [u32; 4] = [16, 64, 256, 1024];
/// How long bounds grow when nobody names one.
const GROWTH_TIME: Duration = Duration::from_secs(20);

/// One formula while it is checked.
pub(super) struct Formulae<'a> {
    pub property: &'a TemporalProperty,
    pub report: LtlReport,
    pub monitored: Monitored,
    pub verdict: Option<Verdict>,
    pub bounds: Vec<BoundValue>,
    pub notes: Vec<String>,
    /// The least value that a witness had, and the inputs of the first such.
    pub script: Option<(FourValued, crate::replay::Script)>,
}

impl Formulae<'_> {
    /// Nothing is left to ask: the last bound decided it, or a proof for all of them did.
    fn is_definite(&self) -> bool {
        let is_settled = matches!(
            self.verdict,
            Some(Verdict::Holds { .. } | Verdict::Violated { .. })
        );
        is_settled || self.bounds.last().is_some_and(|last| last.definite)
    }
}

/// An atom that is no mere look at the program's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomProblem {
    /// Which formula.
    pub formula: usize,
    /// Which of its atoms.
    pub atom: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Why formulas cannot be checked.
#[derive(Debug)]
pub enum TemporalError {
    /// An atom.
    Atom(AtomProblem),
    /// A formula whose automata are too large, or that is none of linear time.
    Formula {
        /// Which.
        formula: usize,
        /// Why.
        message: String,
    },
    /// A defect of Kripke's.
    Internal(InternalError),
}

impl From<InternalError> for TemporalError {
    fn from(error: InternalError) -> Self {
        TemporalError::Internal(error)
    }
}

/// Checks formulas of a program that was not optimised yet. The report has one result per formula.
///
/// Formulas that notice repeated letters are checked alone, because the letters of a run are those of all its
/// formulas.
pub fn check(
    program: &Program,
    properties: &[TemporalProperty],
    options: &TemporalOptions<'_>,
    progress: &mut (dyn Progress + Send),
) -> Result<Report, TemporalError> {
    let mut together = Vec::new();
    let mut groups = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        let formula = prepare(program, index, property, options.options)?;
        match formula.report.classification.stutter_invariant {
            Some(true) => together.push((index, formula)),
            _ => groups.push(vec![(index, formula)]),
        }
    }
    if !together.is_empty() {
        groups.push(together);
    }
    let mut all: Vec<Option<PropertyResult>> = vec![None; properties.len()];
    let mut whole = Report::default();
    for group in groups {
        let (indices, formulas): (Vec<usize>, Vec<Formulae<'_>>) = group.into_iter().unzip();
        let own: Vec<TemporalProperty> = formulas.iter().map(|formula| formula.property.clone()).collect();
        let mut check = Check {
            program,
            options,
            watched: watched(program, &own)?,
            formulas,
            started: Instant::now(),
            statistics: Statistics::default(),
            assumptions: program.assumptions.iter().cloned().collect(),
        };
        check.note_fairness();
        check.run(progress)?;
        let report = check.report();
        for (index, result) in indices.into_iter().zip(report.results) {
            all[index] = Some(result);
        }
        whole.assumptions.extend(report.assumptions);
        whole.statistics.queries += report.statistics.queries;
        whole.statistics.solver_seconds += report.statistics.solver_seconds;
        whole.statistics.seconds += report.statistics.seconds;
        whole.statistics.bound = whole.statistics.bound.max(report.statistics.bound);
    }
    whole.results = all.into_iter().flatten().collect();
    whole.assumptions.sort_unstable();
    whole.assumptions.dedup();
    Ok(whole)
}

/// The memory that the atoms read, or an atom that does more than read.
fn watched(program: &Program, properties: &[TemporalProperty]) -> Result<Watched, TemporalError> {
    let mut watched = Watched::default();
    for (formula, property) in properties.iter().enumerate() {
        for (atom, function) in property.atoms.iter().enumerate() {
            watched.add_atom(program, *function).map_err(|message| {
                TemporalError::Atom(AtomProblem {
                    formula,
                    atom,
                    message,
                })
            })?;
        }
    }
    Ok(watched)
}

fn prepare<'a>(
    program: &Program,
    index: usize,
    property: &'a TemporalProperty,
    options: &Options,
) -> Result<Formulae<'a>, TemporalError> {
    let failed = |message: String| TemporalError::Formula {
        formula: index,
        message,
    };
    let own = watched(program, std::slice::from_ref(property)).map_err(|error| match error {
        TemporalError::Atom(problem) => TemporalError::Atom(AtomProblem {
            formula: index,
            ..problem
        }),
        other => other,
    })?;
    let translation = kripke_logic::Options {
        letters: letters::possible(program, &own, &property.atoms, options),
        ..kripke_logic::Options::default()
    };
    let report =
        kripke_logic::describe(&property.formula, &translation).map_err(|error| failed(error.to_string()))?;
    let pair: &AutomatonPair = &report.pair;
    let monitor = Monitor::from_pair(pair.clone(), &MonitorLimits::default());
    let code = MonitorCode::new(monitor, pair, program.data_model.pointer_width);
    let mut notes: Vec<String> = report.warnings.clone();
    notes.retain(|note| !note.is_empty());
    if let Some(label) = &translation.letters {
        notes.push(letters::describe(label, property.formula.atoms()));
    }
    Ok(Formulae {
        monitored: Monitored {
            code,
            atoms: property.atoms.clone(),
            letters: translation.letters.clone(),
        },
        property,
        report,
        verdict: None,
        bounds: Vec::new(),
        notes,
        script: None,
    })
}

pub(super) struct Check<'a> {
    pub program: &'a Program,
    pub options: &'a TemporalOptions<'a>,
    pub watched: Watched,
    pub formulas: Vec<Formulae<'a>>,
    pub started: Instant,
    pub statistics: Statistics,
    pub assumptions: std::collections::BTreeSet<String>,
}

/// A witness, as the solver knows it.
struct Hit<'e> {
    end: &'e TraceEnd,
    value: FourValued,
}

/// A witness, as the interpreter has seen it.
struct Followed {
    trace: Trace,
    /// The run has ended, or waits for ever, in the interpreter too.
    to_the_end: bool,
}

impl Check<'_> {
    fn run(&mut self, progress: &mut (dyn Progress + Send)) -> Result<(), TemporalError> {
        let asked: Vec<Property> = (0..self.formulas.len())
            .map(|index| self.property(index))
            .collect();
        progress.asked(&asked);
        let monitored: Vec<Monitored> = self
            .formulas
            .iter()
            .map(|formula| formula.monitored.clone())
            .collect();
        let mut instrumented = instrument(self.program, &monitored, &self.watched, None);
        (self.options.optimise)(&mut instrumented.program);
        self.on_big_stack(|check| check.bounded(&instrumented, progress))?;
        for index in 0..self.formulas.len() {
            if !self.formulas[index].is_definite() && !self.is_unknown(index) {
                self.on_big_stack(|check| super::infinite::settle(check, index))?;
            }
            progress.settled(&self.result(index));
        }
        Ok(())
    }

    fn note_fairness(&mut self) {
        if threads::woven(self.program).is_some() {
            let text = match self.options.is_fair {
                true => "a thread that can go on does so again and again (--fair weak)",
                false => "a thread may wait for its turn for ever (unless --fair weak is given)",
            };
            self.assumptions.insert(text.to_owned());
        }
    }

    /// Do only runs count in which no thread waits for its turn for ever?
    pub(super) fn is_fair(&self) -> bool {
        self.options.is_fair && threads::woven(self.program).is_some()
    }

    fn is_unknown(&self, index: usize) -> bool {
        matches!(self.formulas[index].verdict, Some(Verdict::Unknown { .. }) | None)
    }

    /// Deep terms and programs recurse.
    fn on_big_stack(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), InternalError> + Send,
    ) -> Result<(), InternalError> {
        crate::stack::on_big_stack(|| work(self))
    }

    /// The verdicts within growing bounds.
    fn bounded(
        &mut self,
        instrumented: &Instrumented,
        progress: &mut (dyn Progress + Send),
    ) -> Result<(), InternalError> {
        let options = self.options.options;
        let solver = create_solver(&options.solver).map_err(|why| InternalError {
            message: why.to_string(),
        })?;
        let mut decider = Decider::new(solver, options);
        let mut engine = Engine::new(&instrumented.program, options);
        self.attach(&mut engine, instrumented);
        for bound in self.bounds() {
            progress.bound(bound);
            let began = Instant::now();
            if let Err(reason) = engine.unwind(bound) {
                self.give_up(&reason);
                break;
            }
            self.statistics.bound = bound;
            let executed = began.elapsed();
            for index in 0..self.formulas.len() {
                if !self.formulas[index].is_definite() {
                    progress.query(decider.queries + 1, self.formulas.len());
                    self.evaluate(index, (bound, executed), &mut engine, &mut decider, instrumented)?;
                }
            }
            self.assumptions
                .extend(engine.run.record.assumptions.iter().cloned());
            if bound == BOUNDS_OF_THREADS[0] && goes_on(&engine) {
                self.prove_threads()?;
            }
            let settled = self.formulas.iter().all(Formulae::is_definite) || !goes_on(&engine);
            let time = options.unwind.is_none() && self.started.elapsed() > stretched(GROWTH_TIME);
            if settled || time || limits::check(options, true).is_err() {
                break;
            }
        }
        self.statistics.queries += decider.queries;
        self.statistics.solver_seconds += decider.time.as_secs_f64();
        Ok(())
    }

    /// Before larger bounds: what may hold of threads whatever they do, and however long.
    fn prove_threads(&mut self) -> Result<(), InternalError> {
        if threads::woven(self.program).is_none() || self.options.options.unwind.is_some() {
            return Ok(());
        }
        for index in 0..self.formulas.len() {
            if matches!(
                self.formulas[index].verdict,
                Some(Verdict::PresumablyHolds { .. })
            ) {
                super::infinite::prove_threads(self, index)?;
            }
        }
        Ok(())
    }

    pub(super) fn attach(&self, engine: &mut Engine<'_>, instrumented: &Instrumented) {
        let values = (0..self.formulas.len()).filter_map(|index| {
            let memory = instrumented.memory(index)?;
            Some((memory, self.formulas[index].monitored.code.layout.value))
        });
        engine.monitors.values = values.collect();
        engine.monitors.letter = Some(instrumented.letter);
        engine.monitors.head = instrumented.head;
    }

    fn bounds(&self) -> Vec<u32> {
        let options = self.options.options;
        if threads::woven(self.program).is_some() && options.unwind.is_none() {
            let bounds = BOUNDS_OF_THREADS.into_iter();
            return bounds.map(|bound| bound.min(options.max_bound)).collect();
        }
        match options.unwind {
            Some(bound) if bound <= TABLE => (1..=bound).collect(),
            Some(bound) => vec![bound],
            None => (1..=options.max_bound.min(DEFAULT_BOUND)).collect(),
        }
    }

    fn give_up(&mut self, reason: &Reason) {
        for formula in &mut self.formulas {
            if formula.verdict.is_none() {
                formula.verdict = Some(Verdict::Unknown {
                    reason: reason.clone(),
                });
            }
        }
    }

    /// The verdict of one formula on the traces of a run.
    fn evaluate(
        &mut self,
        index: usize,
        (bound, executed): (u32, Duration),
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        instrumented: &Instrumented,
    ) -> Result<(), InternalError> {
        let began = Instant::now();
        let ends = engine.run.record.ends.clone();
        let (value, verdict, definite) =
            match self.search(index, bound, &ends, engine, decider, instrumented)? {
                Ok(found) => found,
                Err(reason) => {
                    let formula = &mut self.formulas[index];
                    if formula.verdict.is_none() {
                        formula.verdict = Some(Verdict::Unknown { reason });
                    } else {
                        formula.notes.push(format!("bound {bound} was not decided"));
                    }
                    return Ok(());
                }
            };
        let formula = &mut self.formulas[index];
        formula.verdict = Some(verdict);
        formula.bounds.push(BoundValue {
            bound,
            value: value.words().to_string(),
            definite,
            seconds: (executed + began.elapsed()).as_secs_f64(),
        });
        Ok(())
    }

    /// Searches for the least value that a trace has.
    #[allow(
        clippy::type_complexity,
        reason = "the outer result is ours to mend, the inner one the solver's"
    )]
    fn search(
        &mut self,
        index: usize,
        bound: u32,
        ends: &[TraceEnd],
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        instrumented: &Instrumented,
    ) -> Result<Result<(FourValued, Verdict, bool), Reason>, InternalError> {
        let is_fair = self.is_fair();
        let goes_on = |end: &&TraceEnd| !is_final(&end.kind, is_fair);
        let any: fn(&EndKind) -> bool = |_| true;
        let ended: fn(&EndKind) -> bool = |kind| matches!(kind, EndKind::Ended | EndKind::Stuck);
        let halted: fn(&EndKind) -> bool = |kind| *kind == EndKind::Halted;
        // What a state that was seen before comes to is the value of another trace.
        let last: fn(&EndKind) -> bool = |kind| *kind != EndKind::Seen;
        let seen: fn(&EndKind) -> bool = |kind| *kind == EndKind::Seen;
        let searches = [
            (FourValued::False, any),
            (FourValued::PresumablyFalse, ended),
            (FourValued::PresumablyFalse, halted),
            (FourValued::PresumablyFalse, last),
            (FourValued::PresumablyTrue, last),
            (FourValued::PresumablyTrue, seen),
            (FourValued::PresumablyFalse, seen),
        ];
        for (value, which) in searches {
            let hits: Vec<Hit<'_>> = ends
                .iter()
                .filter(|end| which(&end.kind))
                .map(|end| Hit { end, value })
                .collect();
            let found = match self.witness(index, bound, &hits, engine, decider, instrumented)? {
                Ok(found) => found,
                Err(reason) => return Ok(Err(reason)),
            };
            let Some(Followed { trace, to_the_end }) = found else {
                continue;
            };
            let trace = Box::new(trace);
            let (verdict, definite) = match value {
                FourValued::False => (Verdict::Violated { trace }, true),
                FourValued::PresumablyFalse if to_the_end => (Verdict::Violated { trace }, true),
                FourValued::PresumablyFalse if which(&EndKind::Seen) => {
                    let verdict = Verdict::PresumablyHolds { trace, bound };
                    return Ok(Ok((FourValued::PresumablyTrue, verdict, false)));
                }
                FourValued::PresumablyFalse => (Verdict::PresumablyViolated { trace, bound }, false),
                _ => {
                    let values = [FourValued::PresumablyFalse, FourValued::PresumablyTrue];
                    let open = ends.iter().filter(goes_on);
                    let open = open.flat_map(|end| values.map(|value| Hit { end, value }));
                    let open = conditions(engine, &open.collect::<Vec<_>>(), index);
                    let open = engine.terms.or_all(open);
                    match decider.possible(engine, open) {
                        Ok(true) => (Verdict::PresumablyHolds { trace, bound }, false),
                        Ok(false) => {
                            let argument = Argument::AllPathsWithinBound { bound };
                            (Verdict::Holds { argument }, true)
                        }
                        Err(reason) => return Ok(Err(reason)),
                    }
                }
            };
            return Ok(Ok((value, verdict, definite)));
        }
        let argument = Argument::GoodPrefixes { bound };
        Ok(Ok((FourValued::True, Verdict::Holds { argument }, true)))
    }

    /// A trace with the value, if there is one.
    fn witness(
        &mut self,
        index: usize,
        bound: u32,
        hits: &[Hit<'_>],
        engine: &mut Engine<'_>,
        decider: &mut Decider<'_>,
        instrumented: &Instrumented,
    ) -> Result<Result<Option<Followed>, Reason>, InternalError> {
        let wanted = conditions(engine, hits, index);
        let found = match decider.find(engine, &wanted) {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Ok(None)),
            Err(reason) => return Ok(Err(reason)),
        };
        let hit = &hits[found.index];
        let letters = found.count(engine, hit.end.events, |event| {
            matches!(event, Event::Letter { .. })
        });
        let mut script = found.script;
        let known = &mut self.formulas[index].script;
        if known.as_ref().is_none_or(|(value, _)| hit.value < *value) {
            *known = Some((hit.value, script.clone()));
        }
        self.replay(index, bound, hit, letters, &mut script, engine, instrumented)
    }

    /// The trace of a witness, followed by the interpreter.
    #[allow(clippy::too_many_arguments, reason = "a witness is all of these")]
    fn replay(
        &self,
        index: usize,
        bound: u32,
        hit: &Hit<'_>,
        letters: usize,
        script: &mut crate::replay::Script,
        engine: &Engine<'_>,
        instrumented: &Instrumented,
    ) -> Result<Result<Option<Followed>, Reason>, InternalError> {
        let formula = &self.formulas[index];
        let Some(memory) = instrumented.memory(index) else {
            return Err(InternalError {
                message: "a monitor's memory was optimised away".to_string(),
            });
        };
        let watch = Watch::new(instrumented, formula, memory, vec![memory]);
        let mut to_the_end = is_final(&hit.end.kind, self.is_fair());
        let (mut inputs, prefix) = (script.clone(), Until::Letters(letters));
        let mut run = match to_the_end {
            true => witness::follow(&watch, script, Until::End),
            false => witness::follow(&watch, script, prefix.clone()),
        };
        if hit.end.kind == EndKind::Halted && run.letters.len() != letters {
            // The model has inputs for the first round only, and without them the run has left the loop.
            to_the_end = false;
            run = witness::follow(&watch, &mut inputs, prefix);
        }
        let seen = run.letters.len();
        run.letters.truncate(letters);
        let value = formula.monitored.code.run(&run.letters).last().copied();
        if seen < letters || (to_the_end && seen != letters) || value != Some(hit.value) {
            if let Some(what) = &engine.run.record.approximated {
                return Ok(Err(Reason::Unsupported {
                    what: what.clone(),
                    place: String::new(),
                }));
            }
            let ends = end_text(engine, &run.end);
            let end = format!(
                "{letters} letters ending in {:?} were found, the interpreter sees {seen}, {value:?}, \
                 and {ends}",
                hit.value
            );
            return Ok(Err(not_replayed(&formula.property.text, end)?));
        }
        let place = engine.place(hit.end.position);
        let message = match (&hit.end.kind, to_the_end) {
            (EndKind::Halted, false) => {
                format!("the loop at {place} can go on for ever without a letter, with the right inputs")
            }
            (kind, _) => end_message(kind, &place, bound),
        };
        let last = run.trace.steps.last().cloned();
        if let Some(mut step) = last {
            step.kind = StepKind::End { message };
            run.trace.steps.push(step);
        }
        Ok(Ok(Some(Followed {
            trace: run.trace,
            to_the_end,
        })))
    }

    /// A formula as a property.
    fn property(&self, index: usize) -> Property {
        let formula = &self.formulas[index].property;
        Property {
            id: formula.name.clone(),
            kind: PropertyKind::Ltl,
            description: formula.text.clone(),
            place: main_place(self.program),
        }
    }

    /// What a formula came to.
    fn result(&self, index: usize) -> PropertyResult {
        let formula = &self.formulas[index];
        let open = Verdict::Unknown { reason: Reason::Time };
        let last = formula.bounds.last();
        PropertyResult {
            property: self.property(index),
            verdict: formula.verdict.clone().unwrap_or(open),
            temporal: Some(Temporal {
                formula: formula.property.text.clone(),
                class: formula.report.classification.class.name().to_string(),
                value: last.map_or(String::new(), |last| last.value.clone()),
                bounds: formula.bounds.clone(),
                notes: formula.notes.clone(),
            }),
            open: None,
        }
    }

    fn report(self) -> Report {
        let results = (0..self.formulas.len()).map(|index| self.result(index)).collect();
        Report {
            results,
            assumptions: self.assumptions.into_iter().collect(),
            incomplete: None,
            invariants: Vec::new(),
            statistics: Statistics {
                seconds: self.started.elapsed().as_secs_f64(),
                ..self.statistics
            },
        }
    }
}

fn main_place(program: &Program) -> Place {
    let entry = &program.functions[program.entry];
    program.place(entry.position, &entry.name)
}

/// Is all known of a trace that ends like this? A thread that goes round for ever while others wait for their
/// turn is not treated fairly.
fn is_final(kind: &EndKind, is_fair: bool) -> bool {
    match kind {
        EndKind::Ended | EndKind::Stuck => true,
        EndKind::Halted => !is_fair,
        EndKind::Seen | EndKind::Cut(_) => false,
    }
}

/// Would a larger bound show more?
fn goes_on(engine: &Engine<'_>) -> bool {
    let mut cuts = engine.run.record.cuts.iter();
    cuts.any(|path| path.cut.is_unwinding())
}

/// When each of the ends is reached with the value that is looked for.
fn conditions(engine: &mut Engine<'_>, hits: &[Hit<'_>], index: usize) -> Vec<TermId> {
    hits.iter()
        .map(|hit| {
            let value = engine.terms.bv_u64(8, hit.value as u64);
            let equal = engine.terms.eq(hit.end.values[index], value);
            engine.terms.and(hit.end.condition, equal)
        })
        .collect()
}

fn end_message(kind: &EndKind, place: &str, bound: u32) -> String {
    match kind {
        EndKind::Ended => "the program ends here: the last letter repeats for ever".to_string(),
        EndKind::Halted => {
            format!("the loop at {place} goes on for ever without a letter: the last one repeats")
        }
        EndKind::Stuck => {
            "all threads wait here, and none can go on: the last letter repeats for ever".to_string()
        }
        EndKind::Seen => "the trace is cut here: what comes after this state was followed before".to_string(),
        EndKind::Cut(Cut::Loop | Cut::Turns) => {
            format!("the trace is cut here: the loop at {place} goes on past the bound {bound}")
        }
        EndKind::Cut(Cut::Recursion) => {
            format!("the trace is cut here: the recursion at {place} goes on past the bound {bound}")
        }
        EndKind::Cut(Cut::Unsupported { what } | Cut::Misuse { what }) => {
            format!("the trace is followed no further: {what} at {place}")
        }
    }
}
