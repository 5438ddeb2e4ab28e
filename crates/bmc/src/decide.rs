//! What the solver says of a run's record.
//!
//! One query asks for a violation of any property that is still open; its model names the one, and the
//! interpreter has to confirm it. Then the cut paths: when none of them can be reached, the run
//! saw every behaviour of the program.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kripke_elts::interpreter::End;
use kripke_elts::{Id, PropertyId};
use kripke_limits::stretched;
use kripke_model::{Reason, Trace};
use kripke_smt::{Limits, SatResult, Solver, SolverError, TermId};

use crate::engine::Engine;
use crate::limits;
use crate::options::{InternalError, Options, Progress};
use crate::record::{CutPath, Event, Violation};
use crate::replay::{Model, Replay, Script, replay};

/// A solver and what it was asked so far.
pub struct Decider<'a> {
    pub(crate) solver: Box<dyn Solver>,
    options: &'a Options,
    /// Number of queries.
    pub queries: u64,
    /// Time they took.
    pub time: Duration,
    /// Properties that the last search could not decide, and why.
    pub undecided: BTreeMap<PropertyId, Reason>,
    /// What was learned of functions of analysis.
    pub(crate) lemmas: Vec<TermId>,
    /// How often a question was asked without arithmetic of floats in vain, less how often not.
    pub(crate) coarse_in_vain: i32,
    /// The last question depends on values of functions of analysis that are not known well enough.
    pub(crate) refinement_gave_up: bool,
}

/// How long all conditions together are tried before they are split.
const FIRST_BUDGET: Duration = Duration::from_secs(10);

/// A model of the solver for one of several conditions.
pub struct Found {
    /// Which condition it satisfies.
    pub index: usize,
    /// The inputs.
    pub script: Script,
    /// The letters and loop heads of the run, as numbers of events in the record.
    pub happened: Vec<usize>,
}

impl Found {
    /// How many of the events of a kind happen before an event.
    pub fn count(&self, engine: &Engine<'_>, before: usize, kind: impl Fn(&Event) -> bool) -> usize {
        let events = &engine.run.record.events;
        let earlier = self.happened.iter().filter(|index| **index < before);
        earlier.filter(|index| kind(&events[**index])).count()
    }
}

/// The answer to the search for a violation.
pub enum Search {
    /// There is none.
    None,
    /// A violation, replayed.
    Found {
        /// Of what.
        property: PropertyId,
        /// The replayed run.
        trace: Box<Trace>,
    },
    /// A violation that the interpreter cannot follow.
    Unconfirmed {
        /// Of what.
        property: PropertyId,
        /// Why not.
        reason: Reason,
    },
    /// Not decided.
    Unknown(Reason),
}

impl<'a> Decider<'a> {
    /// A solver that has been asked nothing.
    pub fn new(solver: Box<dyn Solver>, options: &'a Options) -> Self {
        Decider {
            solver,
            options,
            queries: 0,
            time: Duration::ZERO,
            undecided: BTreeMap::new(),
            lemmas: Vec::new(),
            coarse_in_vain: 0,
            refinement_gave_up: false,
        }
    }

    /// Can the condition hold? `Err` when the solver does not know.
    pub fn possible(&mut self, engine: &mut Engine<'_>, condition: TermId) -> Result<bool, Reason> {
        self.possible_until(engine, condition, None)
    }

    /// The same with a time of its own at which to give up.
    pub fn possible_until(
        &mut self,
        engine: &mut Engine<'_>,
        condition: TermId,
        until: Option<Instant>,
    ) -> Result<bool, Reason> {
        match engine.terms.as_bool(condition) {
            Some(false) => return Ok(false),
            Some(true)
                if engine.run.objects.observed.is_empty() && engine.run.record.applications.is_empty() =>
            {
                return Ok(true);
            }
            _ => {}
        }
        let facts = engine.facts_about(condition);
        self.possible_with(engine, &[condition, facts], until)
    }

    fn possible_with(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        until: Option<Instant>,
    ) -> Result<bool, Reason> {
        let limits = self.limits(until);
        match self.ask(engine, conditions, &limits)? {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(why) => Err(reason(&why)),
        }
    }

    fn limits(&self, until: Option<Instant>) -> Limits {
        let limits = limits::of(self.options);
        match until {
            Some(until) => limits.until(until),
            None => limits,
        }
    }

    /// The same for a violation, which then is one that needs no huge object where there is such a one: the
    /// interpreter has to run it.
    fn violated(
        &mut self,
        engine: &mut Engine<'_>,
        condition: TermId,
        until: Option<Instant>,
    ) -> Result<bool, Reason> {
        let modest = engine.modest_sizes();
        let preferred = engine.terms.and(condition, modest);
        for asked in [preferred, condition] {
            if self.possible_until(engine, asked, until)? && self.has_model(engine, asked, until)? {
                return Ok(true);
            }
            if preferred == condition {
                break;
            }
        }
        Ok(false)
    }

    /// A condition is possible as far as addresses matter for it. Is it with all of them, with a model?
    fn has_model(
        &mut self,
        engine: &mut Engine<'_>,
        condition: TermId,
        until: Option<Instant>,
    ) -> Result<bool, Reason> {
        let facts = engine.address_facts();
        if !engine.terms.is_const(condition) && engine.facts_about(condition) == facts {
            return Ok(true);
        }
        self.possible_with(engine, &[condition, facts], until)
    }

    /// Looks for a violation of any of the open properties. All conditions are asked for at once; where
    /// that takes too long, in ever smaller groups, what is refuted helping with the rest. What is
    /// left then, or when there is no patience any more, is in [`Decider::undecided`].
    pub fn search(
        &mut self,
        engine: &mut Engine<'_>,
        open: &[bool],
        patience: Option<Instant>,
        progress: &mut dyn Progress,
    ) -> Result<Search, InternalError> {
        self.undecided.clear();
        let violations: Vec<Violation> = engine.run.record.violations.clone();
        let all = violations
            .into_iter()
            .filter(|violation| open[violation.property.index()])
            .filter(|violation| !engine.run.record.excluded.contains(&violation.condition))
            .collect();
        // Where no path was cut and nobody waits, nothing is asked afterwards.
        let is_last = patience.is_none() && engine.run.record.cuts.is_empty();
        let mut groups: Vec<(Vec<Violation>, Duration)> = vec![(all, stretched(FIRST_BUDGET))];
        while let Some((group, budget)) = groups.pop() {
            let any = engine
                .terms
                .or_all(group.iter().map(|violation| violation.condition));
            if engine.terms.as_bool(any) == Some(false) {
                continue;
            }
            progress.query(self.queries + 1, open.iter().filter(|open| **open).count());
            let until = self.group_deadline(group.len(), groups.len(), budget, is_last);
            let until = until.into_iter().chain(patience).min();
            match self.violated(engine, any, until) {
                Ok(true) => return self.confirm(engine, &group),
                Ok(false) => {
                    let excluded = group.iter().map(|violation| violation.condition);
                    engine.run.record.excluded.extend(excluded);
                    if groups.is_empty() {
                        continue;
                    }
                    // With all facts, on which the refutation may rest: the lemma outlives this run.
                    let facts = engine.address_facts();
                    let refuted = engine.terms.not(any);
                    let lemma = engine.terms.implies(facts, refuted);
                    if let Err(error) = self.solver.assert(&engine.terms, lemma) {
                        return Ok(Search::Unknown(solver_failed(&error)));
                    }
                }
                Err(reason) if is_over(patience) && limits::check(self.options, false).is_ok() => {
                    let left = groups.drain(..).flat_map(|(group, _)| group).chain(group);
                    let undecided = left.map(|violation| (violation.property, reason.clone()));
                    self.undecided.extend(undecided);
                }
                Err(reason) if self.is_of_the_group(&reason) && self.may_split(&group) => {
                    let (first, second) = group.split_at(group.len() / 2);
                    groups.push((second.to_vec(), budget));
                    groups.push((first.to_vec(), budget));
                }
                Err(reason) if self.is_of_the_group(&reason) => {
                    let undecided = group.iter().map(|violation| (violation.property, reason.clone()));
                    self.undecided.extend(undecided);
                }
                Err(reason) => return Ok(Search::Unknown(reason)),
            }
        }
        Ok(Search::None)
    }

    /// True for what a group of conditions may fail of and a smaller one need not: time, and functions of
    /// analysis whose values matter for some of the conditions only.
    fn is_of_the_group(&self, reason: &Reason) -> bool {
        *reason == Reason::Time || self.refinement_gave_up
    }

    /// A group of several conditions is split while there is time.
    fn may_split(&self, group: &[Violation]) -> bool {
        group.len() > 1 && limits::check(self.options, false).is_ok()
    }

    /// Until when a group is tried: a share of the time that is left, and a group that can be split not
    /// longer than its budget. A single condition may take what nobody needs after it.
    fn group_deadline(&self, size: usize, others: usize, budget: Duration, is_last: bool) -> Option<Instant> {
        let now = Instant::now();
        let afterwards = u32::from(!(is_last && size == 1));
        let share = self.options.deadline.map(|deadline| {
            let left = deadline.saturating_duration_since(now);
            now + left / (others as u32 + 1 + afterwards)
        });
        match (size, share) {
            (1, share) => share,
            (_, Some(share)) => Some(share.min(now + budget.max((share - now) / 2))),
            (_, None) => Some(now + budget),
        }
    }

    /// A run that satisfies one of the conditions.
    pub fn find(&mut self, engine: &mut Engine<'_>, conditions: &[TermId]) -> Result<Option<Found>, Reason> {
        let any = engine.terms.or_all(conditions.iter().copied());
        if !self.violated(engine, any, None)? {
            return Ok(None);
        }
        let failed = |error: SolverError| solver_failed(&error);
        let model = Model::new(self.solver.as_mut());
        let values = model.evaluate(engine, conditions).map_err(failed)?;
        let Some(index) = values.iter().position(|value| value.as_bool() == Some(true)) else {
            let message = "the solver's model satisfies nothing that it was asked for".to_string();
            return Err(Reason::Solver { message });
        };
        let guard = |event: &Event| match event {
            Event::Letter { guard } | Event::Head { guard } => Some(*guard),
            _ => None,
        };
        let marks: Vec<(usize, TermId)> = engine
            .run
            .record
            .events
            .iter()
            .enumerate()
            .filter_map(|(index, event)| Some((index, guard(event)?)))
            .collect();
        let guards: Vec<TermId> = marks.iter().map(|(_, guard)| *guard).collect();
        let holds = model.evaluate(engine, &guards).map_err(failed)?;
        let happened = marks
            .iter()
            .zip(holds)
            .filter(|(_, holds)| holds.as_bool() == Some(true))
            .map(|((index, _), _)| *index)
            .collect();
        let script = engine.script(&model).map_err(failed)?;
        Ok(Some(Found {
            index,
            script,
            happened,
        }))
    }

    fn confirm(
        &mut self,
        engine: &mut Engine<'_>,
        violations: &[Violation],
    ) -> Result<Search, InternalError> {
        let model = Model::new(self.solver.as_mut());
        let conditions: Vec<TermId> = violations.iter().map(|violation| violation.condition).collect();
        let failed = |error: SolverError| Search::Unknown(solver_failed(&error));
        let values = match model.evaluate(engine, &conditions) {
            Ok(values) => values,
            Err(error) => return Ok(failed(error)),
        };
        let hit = values.iter().position(|value| value.as_bool() == Some(true));
        let Some(hit) = hit else {
            let message = "the solver's model satisfies no violation that it was asked for".to_string();
            return Err(InternalError { message });
        };
        let property = violations[hit].property;
        let mut script = match engine.script(&model) {
            Ok(script) => script,
            Err(error) => return Ok(failed(error)),
        };
        let (outcome, trace) = replay(engine.program, property, &mut script);
        match outcome {
            Replay::Confirmed => Ok(Search::Found {
                property,
                trace: Box::new(trace),
            }),
            Replay::Unsupported { what, position } => {
                let place = engine.place(position);
                Ok(Search::Unconfirmed {
                    property,
                    reason: Reason::Unsupported { what, place },
                })
            }
            Replay::Refuted { end } => match &engine.run.record.approximated {
                Some(what) => {
                    let reason = Reason::Unsupported {
                        what: what.clone(),
                        place: String::new(),
                    };
                    Ok(Search::Unconfirmed { property, reason })
                }
                None => {
                    let site = &engine.program.properties[property];
                    let what = format!("{} at {}", site.description, engine.place(site.position));
                    let end = end_text(engine, &end);
                    let reason = not_replayed(&what, end)?;
                    Ok(Search::Unconfirmed { property, reason })
                }
            },
        }
    }

    /// The first of the cut paths that can be reached, those that a larger bound would follow first.
    pub fn reachable_cut(
        &mut self,
        engine: &mut Engine<'_>,
        until: Option<Instant>,
    ) -> Result<Option<CutPath>, Reason> {
        for unwinding in [true, false] {
            let cuts: Vec<CutPath> = engine
                .run
                .record
                .cuts
                .iter()
                .filter(|path| path.cut.is_unwinding() == unwinding)
                .filter(|path| !engine.run.record.excluded.contains(&path.condition))
                .cloned()
                .collect();
            let any = engine.terms.or_all(cuts.iter().map(|path| path.condition));
            if !self.possible_until(engine, any, until)? {
                let excluded = cuts.iter().map(|path| path.condition);
                engine.run.record.excluded.extend(excluded);
                continue;
            }
            if engine.terms.is_const(any) {
                return Ok(cuts.into_iter().next());
            }
            let model = Model::new(self.solver.as_mut());
            let conditions: Vec<TermId> = cuts.iter().map(|path| path.condition).collect();
            let values = model
                .evaluate(engine, &conditions)
                .map_err(|error| Reason::Solver {
                    message: error.to_string(),
                })?;
            let hit = values
                .iter()
                .position(|value| value.as_bool() == Some(true))
                .unwrap_or(0);
            return Ok(cuts.into_iter().nth(hit));
        }
        Ok(None)
    }
}

fn is_over(patience: Option<Instant>) -> bool {
    patience.is_some_and(|until| Instant::now() >= until)
}

/// The reason for what the interpreter does not confirm. It is a defect of ours, and where debug assertions
/// are checked nothing else comes of it.
pub(crate) fn not_replayed(what: &str, end: String) -> Result<Reason, InternalError> {
    if cfg!(debug_assertions) {
        let message = format!("the counterexample for \"{what}\" does not replay: {end}");
        return Err(InternalError { message });
    }
    Ok(Reason::NotReplayed { end })
}

/// How a run of the interpreter ends, for the reader of a report.
pub(crate) fn end_text(engine: &Engine<'_>, end: &End) -> String {
    match end {
        End::Exit { .. } => "the run reaches its end".to_string(),
        End::Abort => "the run is aborted".to_string(),
        End::Violation {
            message, position, ..
        } => {
            format!(
                "the run ends at {} with another violation: {message}",
                engine.place(*position)
            )
        }
        End::AssumeFailed { position } => {
            format!(
                "the run ends at {}, where an assumption is false",
                engine.place(*position)
            )
        }
        End::Unsupported { what, position } | End::UncheckedMisuse { what, position } => {
            format!("the run ends at {}: {what}", engine.place(*position))
        }
        End::StepLimit => "the run is too long to be followed".to_string(),
        End::DepthLimit => "the run nests too many calls to be followed".to_string(),
    }
}

pub(crate) fn solver_failed(error: &SolverError) -> Reason {
    Reason::Solver {
        message: error.to_string(),
    }
}

/// The solver's word for giving up, as a reason.
fn reason(why: &str) -> Reason {
    match why {
        "time limit" => Reason::Time,
        "memory limit" => Reason::Memory,
        "interrupted" => Reason::Interrupted,
        other => Reason::Solver {
            message: other.to_string(),
        },
    }
}

impl Engine<'_> {
    /// No object of a size that is not constant is larger than a megabyte.
    fn modest_sizes(&mut self) -> TermId {
        let mut all = self.terms.true_();
        let limit = self
            .terms
            .bv_u64(self.pointer_width, 1 << (self.pointer_width - 1).min(20));
        for object in self.run.objects.ids() {
            let info = self.run.objects[object].clone();
            if info.constant_size.is_none() {
                let modest = self.terms.bv_ule(info.size, limit);
                let modest = self.terms.implies(info.created, modest);
                all = self.terms.and(all, modest);
            }
        }
        all
    }

    /// A position as `file:line`.
    pub fn place(&self, position: kripke_elts::Position) -> String {
        let file = self
            .program
            .files
            .get(position.file)
            .map_or("", |file| file.path.as_str());
        format!("{file}:{}", position.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kripke_smt::{SolverChoice, create_solver};

    /// Of a product of unknown numbers: that no time is enough for is asked again.
    #[test]
    fn what_there_was_no_time_for_is_not_excluded() {
        let text = "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\n\
                    file0 \"test.c\"\n\
                    p0 assertion \"no product\" in main @1:1\np1 assertion \"itself\" in main @2:1\n\
                    function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\nlocal i32 y;\n\
                    l0 \"\": when true { x = nondet input \"x\"; y = nondet input \"y\"; \
                    assert((x * y) != 1234577i32) p0; assert((x * y) == (y * x)) p1; } goto l1;\n\
                    l1 \"\":\n}\n";
        let program = kripke_elts::text::parse(text).expect("parses");
        let options = Options::default();
        let mut engine = Engine::new(&program, &options);
        engine.unwind(1).expect("no limit stops it");
        let solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let mut decider = Decider::new(solver, &options);
        let open = [true, true];
        let mut silent = crate::options::Silent;
        let over = Some(Instant::now());
        let search = decider.search(&mut engine, &open, over, &mut silent);
        assert!(matches!(search, Ok(Search::None)));
        assert!(!decider.undecided.is_empty() && engine.run.record.excluded.is_empty());
        let search = decider.search(&mut engine, &open, None, &mut silent);
        assert!(matches!(search, Ok(Search::Found { property, .. }) if property.index() == 0));
        // And what was excluded is asked no more.
        let search = decider.search(&mut engine, &[false, true], None, &mut silent);
        assert!(matches!(search, Ok(Search::None)));
        let queries = decider.queries;
        let search = decider.search(&mut engine, &[false, true], None, &mut silent);
        assert!(matches!(search, Ok(Search::None)) && decider.queries == queries);
    }

    #[test]
    fn a_single_condition_that_is_the_last_has_all_the_time() {
        let options = Options {
            deadline: Some(Instant::now() + Duration::from_secs(1000)),
            ..Options::default()
        };
        let solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let decider = Decider::new(solver, &options);
        let seconds = |size, others, is_last| {
            let until = decider
                .group_deadline(size, others, FIRST_BUDGET, is_last)
                .expect("a limit");
            until
                .saturating_duration_since(Instant::now())
                .as_secs_f64()
                .round()
        };
        assert_eq!(seconds(1, 0, true), 1000.0);
        assert_eq!(seconds(1, 0, false), 500.0);
        assert_eq!(seconds(1, 3, true), 250.0);
        // A group that can be split leaves time for its parts.
        assert_eq!(seconds(8, 0, true), 250.0);
    }
}
