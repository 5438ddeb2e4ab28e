//! Verdicts on infinite runs of threads, of which all states are explored.
//!
//! Idea: states that were seen are not followed again, so where they are finitely many, every run comes to an
//! end or goes round in their graph. A run that violates the formula for ever keeps some survivors for ever
//! once (see [`super::infinite`]): where no component of the graph lets survivors live, no run does. Else a
//! schedule that goes round there is followed symbolically for its inputs, then by the interpreter, and the
//! formula is evaluated on the lasso.

use std::time::Instant;

use kripke_model::{Argument, Verdict};

use super::check::Check;
use super::guide::Guide;
use super::infinite::{attach, confirm, new_decider, own_options, refutations, settle_by_lasso, single};
use super::instrument::Instrumented;
use super::monitor_code::Survivors;
use super::state_graph::{Schedule, StateGraph};
use crate::engine::Engine;
use crate::limits;
use crate::options::{InternalError, Options};
use crate::record::Cut;

/// How often the hub comes to its turn, one after the other: more only where some run goes on.
const BOUNDS: [u32; 3] = [128, 1024, 16_384];

/// What came of an exploration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The formula is settled.
    Settled,
    /// It is not, and a larger bound shows nothing more.
    Open,
    /// A larger bound may show more.
    Deeper,
}

/// Tries to settle a formula whose bounded verdict is presumable; true when it is settled.
pub(super) fn settle(check: &mut Check<'_>, index: usize, until: Instant) -> Result<bool, InternalError> {
    // Survivors are compared at the starts of iterations, so a run has to have letters in each.
    if check.formulas[index].report.classification.stutter_invariant != Some(true) {
        return Ok(false);
    }
    let instrumented = single(check, index, Survivors::Marked);
    let options = own_options(check, until);
    for bound in BOUNDS {
        if Instant::now() > until || limits::check(check.options.options, true).is_err() {
            break;
        }
        let bound = options.unwind.unwrap_or(bound.min(options.max_bound));
        let outcome = explore(check, index, (&instrumented, &options), bound)?;
        if outcome != Outcome::Deeper || options.unwind.is_some() {
            return Ok(outcome == Outcome::Settled);
        }
    }
    Ok(false)
}

fn explore(
    check: &mut Check<'_>,
    index: usize,
    (instrumented, options): (&Instrumented, &Options),
    bound: u32,
) -> Result<Outcome, InternalError> {
    let mut engine = Engine::new(&instrumented.program, options);
    let layout = check.formulas[index].monitored.code.layout.clone();
    engine.monitors.survivors = instrumented.memory(0).map(|memory| (memory, layout));
    engine.parting.threads.graph = Some(StateGraph::default());
    if !attach(check, index, &mut engine, instrumented) || engine.unwind(bound).is_err() {
        return Ok(Outcome::Open);
    }
    let graph = engine.parting.threads.graph.take().unwrap_or_default();
    let goes_on = engine.run.record.cuts.iter().any(|path| path.cut == Cut::Loop);
    let otherwise = match goes_on {
        true => Outcome::Deeper,
        false => Outcome::Open,
    };
    if graph.is_blurred && check.is_fair() {
        return Ok(otherwise);
    }
    match graph.lasso(check.is_fair()) {
        Some(schedule) if follow(check, index, (instrumented, options), &schedule)? => {
            if !check.is_fair() && !goes_on && !graph.is_blurred && graph.lasso(true).is_none() {
                let note = "no run violates the formula in which each thread goes on again and again, or \
                            cannot (--fair weak)";
                check.formulas[index].notes.push(note.to_string());
            }
            Ok(Outcome::Settled)
        }
        Some(_) => Ok(otherwise),
        None if goes_on => Ok(Outcome::Deeper),
        None => {
            let mut decider = new_decider(options)?;
            let wrong = refutations(&mut engine, None);
            let holds = decider.possible(&mut engine, wrong) == Ok(false);
            check.statistics.queries += decider.queries;
            check.statistics.solver_seconds += decider.time.as_secs_f64();
            if !holds {
                return Ok(Outcome::Open);
            }
            settle_by_exploration(check, index, graph.states());
            Ok(Outcome::Settled)
        }
    }
}

fn settle_by_exploration(check: &mut Check<'_>, index: usize, states: u64) {
    let formula = &mut check.formulas[index];
    formula.verdict = Some(Verdict::Holds {
        argument: Argument::CompleteExploration { states },
    });
    let note =
        "definite: no run that goes round among the states at which threads are chosen violates the formula";
    formula.notes.push(note.to_string());
}

/// Follows a schedule; true when it violates the formula.
fn follow(
    check: &mut Check<'_>,
    index: usize,
    (instrumented, options): (&Instrumented, &Options),
    schedule: &Schedule,
) -> Result<bool, InternalError> {
    if !check.options.lasso {
        return Ok(false);
    }
    let mut engine = Engine::new(&instrumented.program, options);
    if !attach(check, index, &mut engine, instrumented) {
        return Ok(false);
    }
    engine.parting.threads.guide = Some(Guide::new(schedule.clone()));
    if engine.unwind(u32::MAX).is_err() {
        return Ok(false);
    }
    let lassos = engine.parting.threads.guide.take().map(|guide| guide.lassos);
    let mut decider = new_decider(options)?;
    for (first, second) in lassos.unwrap_or_default() {
        let condition = engine.run.paths.term(second.state.path);
        let Ok(Some(found)) = decider.find(&mut engine, &[condition]) else {
            continue;
        };
        check.statistics.queries += 1;
        if let Some(trace) = confirm(check, index, &engine, instrumented, found, (&first, &second))? {
            settle_by_lasso(check, index, trace);
            return Ok(true);
        }
    }
    Ok(false)
}
