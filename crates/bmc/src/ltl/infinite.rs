//! Verdicts on infinite runs, where the traces within a bound leave one presumable.
//!
//! *A lasso* violates the formula for certain: a run whose state at the start of a loop iteration is that of
//! an earlier one can go round for ever. The solver finds one whose survivors (see [`super::monitor_code`])
//! are never emptied on the way round; the interpreter follows it, compares the states, and the formula is
//! evaluated on the lasso of its letters.
//!
//! *A proof* that no run violates it: a violating run keeps some survivors for ever once, and starts
//! infinitely many iterations of loops. So if survivors never get older than N iterations, whatever happened
//! before, no infinite run violates the formula; runs that end are judged by the value they end with. That is
//! a safety property, and k-induction proves it (liveness to safety, after Biere, Artho and Schuppan 2002;
//! the counter is that of Claessen and Sörensson's k-liveness, 2012).
//!
//! Where the formula does not notice repeated letters, an iteration without a letter repeats the last one, so
//! that every infinite run has infinitely many. Formulas that do notice are not proved here.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kripke_elts::{Id, Type, threads};
use kripke_limits::stretched;
use kripke_logic::evaluate::holds_on_lasso;
use kripke_logic::{FourValued, Lasso};
use kripke_model::{Argument, Step, StepKind, Trace, Verdict};
use kripke_smt::{Sort, TermId, create_solver};

use super::check::Check;
use super::ends::{EndKind, Snapshot};
use super::instrument::{Infinite, Instrumented, instrument};
use super::monitor_code::Survivors;
use super::witness::{self, LoopPoints, Until, Watch};
use crate::contents::Contents;
use crate::decide::{Decider, Found};
use crate::engine::Engine;
use crate::invariants::{Invariants, Memory};
use crate::limits;
use crate::object::ObjectId;
use crate::options::{InternalError, Options};
use crate::record::{Cut, Event};
use crate::value::Value;

/// The iterations that lassos and inductions are tried with.
const DEPTHS: [u32; 5] = [2, 3, 4, 8, 16];
/// The part of the time that is left which abstract states of threads get, where that is more.
const PART_FOR_THREADS: u32 = 3;
/// How often loops are unwound in which no other thread is chosen, where abstract states are looked for.
const BOUND_WITHIN_STEPS: u32 = 64;
/// How long both are tried.
const SLICE: Duration = Duration::from_secs(10);
/// Pairs of states that one search compares.
const PAIRS: usize = 400;

/// Tries to settle a formula whose bounded verdict is presumable.
pub(super) fn settle(check: &mut Check<'_>, index: usize) -> Result<(), InternalError> {
    let until = Instant::now() + stretched(SLICE);
    if threads::woven(check.program).is_some() {
        let is_settled = super::exploration::settle(check, index, until)?;
        if !is_settled && check.options.lasso && !check.is_fair() {
            extend_witness(check, index)?;
        }
        return Ok(());
    }
    if check.options.lasso && extend_witness(check, index)? {
        return Ok(());
    }
    for depth in DEPTHS {
        if Instant::now() > until || limits::check(check.options.options, true).is_err() {
            break;
        }
        // First what the bounded verdict makes likely.
        let proof_first = matches!(
            check.formulas[index].verdict,
            Some(Verdict::PresumablyHolds { .. })
        );
        let proves =
            |check: &mut Check<'_>| Ok(check.options.induction && prove(check, index, depth, until)?);
        if proof_first && proves(check)?
            || check.options.lasso && find_lasso(check, index, depth, until)?
            || !proof_first && proves(check)?
        {
            break;
        }
    }
    Ok(())
}

/// The options of a run of its own, with a time of its own.
pub(super) fn own_options(check: &Check<'_>, until: Instant) -> Options {
    let options = check.options.options;
    Options {
        deadline: Some(options.deadline.map_or(until, |deadline| deadline.min(until))),
        unwindset: Default::default(),
        ..options.clone()
    }
}

/// The program with the monitor of one formula.
pub(super) fn single(check: &Check<'_>, index: usize, survivors: Survivors) -> Instrumented {
    let formula = &check.formulas[index];
    let stutter = formula.report.classification.stutter_invariant == Some(true);
    let infinite = Infinite { survivors, stutter };
    let monitored = [formula.monitored.clone()];
    let mut instrumented = instrument(check.program, &monitored, &check.watched, Some(infinite));
    (check.options.optimise)(&mut instrumented.program);
    instrumented
}

pub(super) fn attach(
    check: &Check<'_>,
    index: usize,
    engine: &mut Engine<'_>,
    instrumented: &Instrumented,
) -> bool {
    let Some(memory) = instrumented.memory(0) else {
        return false;
    };
    let field = check.formulas[index].monitored.code.layout.value;
    engine.monitors.values = vec![(memory, field)];
    engine.monitors.letter = Some(instrumented.letter);
    engine.monitors.head = instrumented.head;
    true
}

pub(super) fn new_decider<'o>(options: &'o Options) -> Result<Decider<'o>, InternalError> {
    let solver = create_solver(&options.solver).map_err(|why| InternalError {
        message: why.to_string(),
    })?;
    Ok(Decider::new(solver, options))
}

/// Induction: true when it closes, and the formula holds.
fn prove(check: &mut Check<'_>, index: usize, k: u32, until: Instant) -> Result<bool, InternalError> {
    if check.formulas[index].report.classification.stutter_invariant != Some(true) {
        return Ok(false);
    }
    let instrumented = single(check, index, Survivors::Aged { limit: k - 1 });
    let options = own_options(check, until);
    let mut engine = Engine::new(&instrumented.program, &options);
    let Some(ages) = instrumented
        .ages
        .filter(|_| attach(check, index, &mut engine, &instrumented))
    else {
        return Ok(false);
    };
    if engine.unwind(k).is_err() || !close_loops(&mut engine, k) {
        return Ok(false);
    }
    let mut decider = new_decider(&options)?;
    let wrong = refutations(&mut engine, Some(ages));
    let argument = if decider.possible(&mut engine, wrong) == Ok(false) {
        Some(Argument::Induction { k })
    } else if options.invariants && strengthened(&mut engine, &mut decider, wrong, until) {
        Some(Argument::Invariants { k })
    } else {
        None
    };
    check.statistics.queries += decider.queries;
    check.statistics.solver_seconds += decider.time.as_secs_f64();
    let Some(argument) = argument else {
        return Ok(false);
    };
    let with = match argument {
        Argument::Invariants { .. } => " with invariants",
        _ => "",
    };
    let formula = &mut check.formulas[index];
    formula.verdict = Some(Verdict::Holds { argument });
    formula.notes.push(format!(
        "definite beyond every bound: no infinite run violates the formula, by {k}-induction over the \
         loops{with}"
    ));
    Ok(true)
}

/// The same for threads, by abstract states of all that they do.
pub(super) fn prove_threads(check: &mut Check<'_>, index: usize) -> Result<bool, InternalError> {
    let formula = &check.formulas[index];
    if formula.report.classification.stutter_invariant != Some(true) || !check.options.induction {
        return Ok(false);
    }
    let limit = check.options.options.deadline;
    let left = limit.map_or(Duration::ZERO, |limit| {
        limit.saturating_duration_since(Instant::now())
    });
    let until = Instant::now() + stretched(SLICE).max(left / PART_FOR_THREADS);
    let instrumented = single(check, index, Survivors::Aged { limit: 1 });
    let options = own_options(check, until);
    let mut engine = Engine::new(&instrumented.program, &options);
    let Some(ages) = instrumented
        .ages
        .filter(|_| attach(check, index, &mut engine, &instrumented))
    else {
        return Ok(false);
    };
    let Some(hub) = engine.hub() else {
        return Ok(false);
    };
    if engine.run_threads(BOUND_WITHIN_STEPS.min(options.max_bound), hub) != Ok(true) {
        return Ok(false);
    }
    let states = engine.run.record.heads.len() as u64;
    let mut decider = new_decider(&options)?;
    let wrong = refutations(&mut engine, Some(ages));
    let holds = decider.possible(&mut engine, wrong) == Ok(false);
    check.statistics.queries += decider.queries;
    check.statistics.solver_seconds += decider.time.as_secs_f64();
    if holds {
        let formula = &mut check.formulas[index];
        formula.verdict = Some(Verdict::Holds {
            argument: Argument::AbstractStates { states },
        });
        let note = "definite beyond every bound: no infinite run violates the formula, by abstract states \
                    of all threads";
        formula.notes.push(note.to_string());
    }
    Ok(holds)
}

/// Is what refutes the formula impossible where the loops' invariants hold?
fn strengthened(engine: &mut Engine<'_>, decider: &mut Decider<'_>, wrong: TermId, until: Instant) -> bool {
    let mut memory = Memory::default();
    let Some(mut invariants) = Invariants::new(engine, &mut memory, vec![wrong], Duration::ZERO) else {
        return false;
    };
    while let Ok(true) = invariants.strengthen(engine, decider, until) {
        let (assumption, _) = invariants.given(engine);
        let wrong = engine.terms.and(wrong, assumption);
        if decider.possible_until(engine, wrong, Some(until)) == Ok(false) {
            return true;
        }
    }
    false
}

/// Runs the induction over all loops that go on; false when it does not come to an end.
fn close_loops(engine: &mut Engine<'_>, k: u32) -> bool {
    let mut loops = BTreeSet::new();
    let mut cuts = engine.run.record.cuts.clone();
    loop {
        if cuts.iter().any(|path| path.cut == Cut::Recursion) {
            return false;
        }
        let more = engine.loops_of(&cuts);
        if more.is_subset(&loops) {
            return true;
        }
        loops.extend(more);
        if engine.run_induction(k, k, &loops) != Ok(true) {
            return false;
        }
        cuts.clone_from(&engine.run.record.cuts);
    }
}

/// When the induction's run does not show that the formula holds: survivors get too old, a run ends with the
/// wrong value, or is not followed.
pub(super) fn refutations(engine: &mut Engine<'_>, ages: Option<kripke_elts::PropertyId>) -> TermId {
    let mut wrong = Vec::new();
    for violation in &engine.run.record.violations {
        if Some(violation.property) == ages {
            wrong.push(violation.condition);
        }
    }
    for path in &engine.run.record.cuts {
        if !matches!(path.cut, Cut::Misuse { .. }) {
            wrong.push(path.condition);
        }
    }
    for end in engine.run.record.ends.clone() {
        // Undefined behaviour is reported by itself; what counts is that the trace up to it does not violate
        // the formula.
        let bad: &[FourValued] = match &end.kind {
            EndKind::Ended | EndKind::Halted | EndKind::Stuck => {
                &[FourValued::False, FourValued::PresumablyFalse]
            }
            EndKind::Cut(Cut::Misuse { .. }) | EndKind::Seen => &[FourValued::False],
            EndKind::Cut(_) => &[],
        };
        for value in bad {
            let value = engine.terms.bv_u64(8, *value as u64);
            let equal = engine.terms.eq(end.values[0], value);
            wrong.push(engine.terms.and(end.condition, equal));
        }
    }
    engine.terms.or_all(wrong)
}

/// Goes on from the worst witness with constant inputs until its state repeats; true when that run violates
/// the formula. Cheap, and enough wherever the environment has only to stay silent.
fn extend_witness(check: &mut Check<'_>, index: usize) -> Result<bool, InternalError> {
    let Some((_, script)) = check.formulas[index].script.clone() else {
        return Ok(false);
    };
    // All monitors are there, so that objects have the numbers that the script knows.
    let formula = &check.formulas[index];
    let stutter = formula.report.classification.stutter_invariant == Some(true);
    let monitored: Vec<_> = check
        .formulas
        .iter()
        .map(|formula| formula.monitored.clone())
        .collect();
    let infinite = Infinite {
        survivors: Survivors::Counted,
        stutter,
    };
    let mut instrumented = instrument(check.program, &monitored, &check.watched, Some(infinite));
    (check.options.optimise)(&mut instrumented.program);
    let Some(memory) = instrumented.memory(index) else {
        return Ok(false);
    };
    let all = (0..check.formulas.len()).filter_map(|index| instrumented.memory(index));
    let watch = Watch::new(&instrumented, formula, memory, all.collect());
    for script in [script.clone(), script.then_ones()] {
        let run = witness::follow(&watch, &mut script.clone(), Until::Repetition);
        let Some([first, second]) = run.repetition else {
            continue;
        };
        let points = LoopPoints {
            heads: [first.head, second.head],
            live: None,
        };
        let mut again = script;
        let run = witness::follow(&watch, &mut again, Until::Loop(points));
        if let Some(trace) = violating(check, index, run, first.letters, second.letters, "of the program") {
            settle_by_lasso(check, index, trace);
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn settle_by_lasso(check: &mut Check<'_>, index: usize, trace: Trace) {
    let formula = &mut check.formulas[index];
    formula.verdict = Some(Verdict::Violated {
        trace: Box::new(trace),
    });
    let note = "definite: the state at the marked loop repeats, so the run can go on like that for ever";
    formula.notes.push(note.to_string());
}

/// The trace of a run that went round once, if it really did, and going round for ever violates the formula.
fn violating(
    check: &Check<'_>,
    index: usize,
    run: witness::Run,
    stem: usize,
    all: usize,
    place: &str,
) -> Option<Trace> {
    // What the solver takes for equal may differ in bytes that were never written; then it is no lasso.
    let repeats = matches!(&run.worlds[..], [a, b] if a == b);
    if !repeats || run.letters.len() < all {
        return None;
    }
    let cycle = match &run.letters[stem..all] {
        [] => run.letters[..stem].last().copied().into_iter().collect(),
        letters => letters.to_vec(),
    };
    let lasso = Lasso {
        stem: run.letters[..stem].to_vec(),
        cycle,
    };
    if lasso.cycle.is_empty() || holds_on_lasso(&check.formulas[index].property.formula, &lasso) != Ok(false)
    {
        return None;
    }
    let mut trace = run.trace;
    if let (Some(start), Some(first)) = (run.loop_start, trace.steps.first().cloned()) {
        let place = trace
            .steps
            .get(start)
            .map_or(first.place, |step| step.place.clone());
        let message = "the loop begins here: the run comes back to this point".to_string();
        let mark = Step {
            place,
            depth: first.depth,
            kind: StepKind::End { message },
        };
        trace.steps.insert(start.min(trace.steps.len()), mark);
        let behind = trace.locks.iter_mut().filter(|change| change.step > start);
        behind.for_each(|change| change.step += 1);
        trace.loop_start = Some(start);
    }
    if let Some(mut step) = trace.steps.last().cloned() {
        step.kind = StepKind::End {
            message: match threads::woven(check.program) {
                Some(_) => "the state is that at the mark: the run goes round for ever".to_string(),
                None => {
                    let state = format!("the state is that of an earlier iteration of the loop {place}");
                    format!("{state}: the run goes round for ever")
                }
            },
        };
        trace.steps.push(step);
    }
    Some(trace)
}

/// Looks for a lasso; true when there is one that violates the formula.
fn find_lasso(
    check: &mut Check<'_>,
    index: usize,
    depth: u32,
    until: Instant,
) -> Result<bool, InternalError> {
    let instrumented = single(check, index, Survivors::Counted);
    let options = own_options(check, until);
    let mut engine = Engine::new(&instrumented.program, &options);
    if !attach(check, index, &mut engine, &instrumented) {
        return Ok(false);
    }
    engine.monitors.wants_snapshots = true;
    if engine.unwind(depth).is_err() {
        return Ok(false);
    }
    let snapshots = std::mem::take(&mut engine.run.record.snapshots);
    let (pairs, conditions) = closures(check, index, &mut engine, &instrumented, &snapshots);
    let mut decider = new_decider(&options)?;
    let mut excluded = engine.terms.true_();
    for _ in 0..4 {
        let open: Vec<TermId> = conditions
            .iter()
            .map(|condition| engine.terms.and(*condition, excluded))
            .collect();
        let found = match decider.find(&mut engine, &open) {
            Ok(Some(found)) => found,
            Ok(None) | Err(_) => break,
        };
        check.statistics.queries += decider.queries;
        let (first, second) = pairs[found.index];
        let ends = (&snapshots[first], &snapshots[second]);
        let hit = conditions[found.index];
        if let Some(trace) = confirm(check, index, &engine, &instrumented, found, ends)? {
            settle_by_lasso(check, index, trace);
            return Ok(true);
        }
        let other = engine.terms.not(hit);
        excluded = engine.terms.and(excluded, other);
    }
    Ok(false)
}

/// The pairs of snapshots that may be equal, and when they are without the survivors having been emptied.
fn closures(
    check: &Check<'_>,
    index: usize,
    engine: &mut Engine<'_>,
    instrumented: &Instrumented,
    snapshots: &[Snapshot],
) -> (Vec<(usize, usize)>, Vec<TermId>) {
    let layout = &check.formulas[index].monitored.code.layout;
    let (mut pairs, mut conditions) = (Vec::new(), Vec::new());
    let Some(memory) = instrumented.memory(0) else {
        return (pairs, conditions);
    };
    for second in 0..snapshots.len() {
        for first in (0..second).rev() {
            let (a, b) = (&snapshots[first], &snapshots[second]);
            if a.site != b.site || pairs.len() >= PAIRS {
                continue;
            }
            let Some(equal) = equal_states(engine, a, b, ObjectId(memory.index() as u32)) else {
                continue;
            };
            let (mut x, mut y) = (a.state.clone(), b.state.clone());
            let mut all = vec![equal];
            for field in [layout.state, layout.negative, layout.survivors, layout.fillings] {
                let (p, q) = (
                    engine.read_field(&mut x, memory, field),
                    engine.read_field(&mut y, memory, field),
                );
                all.push(engine.terms.eq(p, q));
            }
            let survivors = engine.read_field(&mut x, memory, layout.survivors);
            let zero = engine.terms.bv_u64(engine.terms.width(survivors), 0);
            all.push(engine.terms.distinct(survivors, zero));
            all.push(engine.run.paths.term(a.state.path));
            all.push(engine.run.paths.term(b.state.path));
            let condition = engine.terms.and_all(all);
            if engine.terms.as_bool(condition) != Some(false) {
                pairs.push((first, second));
                conditions.push(condition);
            }
        }
    }
    (pairs, conditions)
}

/// When two states are equal, but for the monitor; `None` where they never are, or it cannot be said.
fn equal_states(engine: &mut Engine<'_>, a: &Snapshot, b: &Snapshot, monitor: ObjectId) -> Option<TermId> {
    let mut differing = Vec::new();
    a.state.frame.differences(&b.state.frame, &mut |_, x, y| {
        if x != y {
            differing.push((x.cloned(), y.cloned()));
        }
    });
    let mut objects = Vec::new();
    a.state.memory.differences(&b.state.memory, &mut |key, x, y| {
        if x != y && key != monitor.key() {
            objects.push((ObjectId(key as u32), x.cloned(), y.cloned()));
        }
    });
    let mut all = vec![engine.terms.eq(a.state.rounding, b.state.rounding)];
    for (x, y) in differing {
        all.push(equal_values(engine, &x?, &y?)?);
    }
    for (object, x, y) in objects {
        let (x, y) = (x?, y?);
        all.push(engine.terms.eq(x.freed, y.freed));
        all.push(engine.terms.eq(x.exists, y.exists));
        if x.contents != y.contents {
            all.push(equal_contents(
                engine,
                (a, &x.contents),
                (b, &y.contents),
                object,
            )?);
        }
    }
    Some(engine.terms.and_all(all))
}

/// When an object holds the same in two states: cell by cell, where some state has a cell.
fn equal_contents(
    engine: &mut Engine<'_>,
    (a, x): (&Snapshot, &Contents),
    (b, y): (&Snapshot, &Contents),
    object: ObjectId,
) -> Option<TermId> {
    let (Contents::Cells(x), Contents::Cells(y)) = (x, y) else {
        return None;
    };
    let mut places = BTreeSet::new();
    x.differences(y, &mut |offset, p, q| {
        if p != q {
            places.extend([p, q].into_iter().flatten().map(|cell| (offset, cell.bytes)));
        }
    });
    let mut all = Vec::new();
    let (mut first, mut second) = (a.state.clone(), b.state.clone());
    for (offset, bytes) in places {
        let cells = [x.get(offset), y.get(offset)];
        let cell = cells.into_iter().flatten().find(|cell| cell.bytes == bytes)?;
        let ty = match &cell.value {
            Value::Pointer(_) => Type::Pointer,
            Value::Term(term) => match engine.terms.sort(*term) {
                Sort::Float(format) => Type::Float(format),
                _ => Type::Int(bytes * 8),
            },
        };
        let offset = engine.terms.bv_u64(engine.pointer_width, offset);
        let (p, _) = engine.read_at(&mut first, object, offset, ty, 1);
        let (q, _) = engine.read_at(&mut second, object, offset, ty, 1);
        all.push(equal_values(engine, &p, &q)?);
    }
    Some(engine.terms.and_all(all))
}

fn equal_values(engine: &mut Engine<'_>, a: &Value, b: &Value) -> Option<TermId> {
    match (a, b) {
        (Value::Term(a), Value::Term(b)) if engine.terms.sort(*a) == engine.terms.sort(*b) => {
            Some(engine.terms.eq(*a, *b))
        }
        (Value::Pointer(a), Value::Pointer(b)) => {
            let mut any = engine.terms.false_();
            for x in &a.cases {
                for y in b.cases.iter().filter(|y| y.target == x.target) {
                    let offset = engine.terms.eq(x.offset, y.offset);
                    let both = engine.terms.and_all([x.guard, y.guard, offset]);
                    any = engine.terms.or(any, both);
                }
            }
            Some(any)
        }
        _ => None,
    }
}

/// Follows a lasso concretely: the state must really repeat, and its letters violate the formula.
pub(super) fn confirm(
    check: &Check<'_>,
    index: usize,
    engine: &Engine<'_>,
    instrumented: &Instrumented,
    mut found: Found,
    (first, second): (&Snapshot, &Snapshot),
) -> Result<Option<Trace>, InternalError> {
    let formula = &check.formulas[index];
    let Some(memory) = instrumented.memory(0) else {
        return Ok(None);
    };
    let watch = Watch::new(instrumented, formula, memory, vec![memory]);
    let count = |snapshot: &Snapshot, kind: fn(&Event) -> bool| found.count(engine, snapshot.events, kind);
    let is_head: fn(&Event) -> bool = |event| matches!(event, Event::Head { .. });
    let is_letter: fn(&Event) -> bool = |event| matches!(event, Event::Letter { .. });
    let mut live = BTreeSet::new();
    for snapshot in [first, second] {
        snapshot.state.frame.for_each(&mut |variable, _| {
            live.insert(variable);
        });
    }
    let points = LoopPoints {
        heads: [count(first, is_head), count(second, is_head)],
        live: Some(live.into_iter().collect()),
    };
    let (stem, all) = (count(first, is_letter), count(second, is_letter));
    let run = witness::follow(&watch, &mut found.script, Until::Loop(points));
    let place = format!("at {}", engine.place(second.position));
    Ok(violating(check, index, run, stem, all, &place))
}
