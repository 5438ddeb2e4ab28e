//! What the runs from single functions have shown so far.
//!
//! Idea: the same property is looked at in many runs: a violation in a function is met by runs that start in
//! it and by those that start in its callers. So properties are known here by what they say and where, and
//! each start has its own verdict on each.
//!
//! Invariant: a verdict once settled stays; a run that begins again only adds to it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use kripke_model::{Place, Property, PropertyKind, Reason, Report, Trace, Verdict};

use super::Pass;
use super::evidence::Evidence;
use super::starts::Start;

/// What a property says, and where. The function counts, as files may be included several times with other
/// macros, and functions of a header are compiled into several units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub kind: PropertyKind,
    pub description: String,
}

impl Key {
    pub fn of(property: &Property) -> Key {
        let place = &property.place;
        Key {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
            function: place.function.clone(),
            kind: property.kind,
            description: property.description.clone(),
        }
    }
}

/// A run that violates a property.
#[derive(Clone, Debug)]
pub(super) struct Violation {
    pub property: Property,
    /// Where in the user's code.
    pub place: Place,
    pub evidence: Evidence,
}

/// What was asked of a property, and came out.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub property: Property,
    pub verdict: Verdict,
    /// Where it is violated: what the run rests on.
    pub evidence: Option<Evidence>,
}

/// A report, with what its violations rest on by the ids of their properties.
#[derive(Clone, Debug, Default)]
pub(super) struct Weighed {
    pub report: Report,
    pub evidence: BTreeMap<String, Evidence>,
    /// Global variables held anything.
    pub any_globals: bool,
}

/// What runs from one function have shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    /// Where the pointers of an entry point are not null; with any pointers of another function.
    pub verdicts: BTreeMap<Key, Answer>,
    /// Runs were made with any values of global variables.
    pub any_globals: bool,
    /// Where one is.
    pub with_null: Vec<Violation>,
    /// Runs with null pointers have answered everything.
    pub is_null_settled: bool,
    /// Why no run can start in it.
    pub refused: Option<String>,
    /// Why there may be more than is known.
    pub incomplete: Option<Reason>,
    pub assumptions: BTreeSet<String>,
    pub time: Duration,
    pub solver_seconds: f64,
    pub queries: u64,
    pub bound: u32,
}

impl Shown {
    /// Is there a violation that may rest on what global variables hold?
    pub fn depends_on_globals(&self) -> bool {
        let mut evidence = self
            .verdicts
            .values()
            .filter_map(|answer| answer.evidence.as_ref());
        self.any_globals && evidence.any(|evidence| evidence.rests_on_objects)
    }

    /// Runs with initial values of global variables violate the same and rest on less.
    fn strengthen(&mut self, answers: Vec<Answer>) {
        for answer in answers.into_iter().filter(Answer::is_violated) {
            let known = self.verdicts.get(&Key::of(&answer.property));
            let rests_on_less = match (known.and_then(|known| known.evidence.as_ref()), &answer.evidence) {
                (Some(known), Some(new)) => known.rests_on_objects && !new.rests_on_objects,
                (known, _) => known.is_none(),
            };
            if rests_on_less {
                self.verdicts.insert(Key::of(&answer.property), answer);
            }
        }
    }
}

/// All starts, and what runs from them have shown.
#[derive(Clone, Debug)]
pub struct Gathered {
    pub(super) starts: Vec<Start>,
    pub(super) shown: Vec<Shown>,
    pub(super) files: Vec<String>,
    pub(super) started: Instant,
    /// What is taken for granted whatever the runs show.
    pub(super) granted: Vec<String>,
}

impl Gathered {
    pub(super) fn new(starts: Vec<Start>, started: Instant) -> Gathered {
        Gathered {
            shown: vec![Shown::default(); starts.len()],
            starts,
            files: Vec::new(),
            started,
            granted: Vec::new(),
        }
    }

    /// Adds what a run from a function has shown.
    pub(super) fn add(&mut self, start: usize, pass: Pass, weighed: Weighed, time: Duration) {
        let Weighed {
            report,
            mut evidence,
            any_globals,
        } = weighed;
        let answers = report.results.into_iter().map(|result| Answer {
            evidence: evidence.remove(&result.property.id),
            property: result.property,
            verdict: result.verdict,
        });
        let answers: Vec<Answer> = answers.collect();
        let shown = &mut self.shown[start];
        shown.time += time;
        shown.solver_seconds += report.statistics.solver_seconds;
        shown.queries += report.statistics.queries;
        shown.bound = shown.bound.max(report.statistics.bound);
        shown.assumptions.extend(report.assumptions);
        if pass == Pass::InitialGlobals {
            shown.strengthen(answers);
            return;
        }
        if pass == Pass::Null {
            shown.is_null_settled = report.incomplete.is_none() && !answers.iter().any(Answer::is_open);
            // Where no pointer has to be null, the run says nothing that is not known.
            let violations = answers.iter().filter_map(Answer::violation);
            let with_null = violations.filter(|violation| !violation.evidence.null.is_empty());
            shown.with_null.extend(with_null);
            return;
        }
        shown.incomplete = report.incomplete;
        shown.any_globals |= any_globals;
        for answer in answers {
            let key = Key::of(&answer.property);
            if shown.verdicts.get(&key).is_none_or(Answer::is_open) {
                shown.verdicts.insert(key, answer);
            }
        }
    }

    /// No run can start there.
    pub(super) fn refuse(&mut self, start: usize, why: String, time: Duration) {
        let shown = &mut self.shown[start];
        shown.refused = Some(why);
        shown.time += time;
    }

    /// Did a run from a function leave properties open for want of time?
    pub(super) fn is_out_of_time(&self, start: usize) -> bool {
        let mut results = self.shown[start].verdicts.values();
        results.any(|answer| matches!(&answer.verdict, Verdict::Unknown { reason: Reason::Time }))
    }
}

impl Answer {
    pub fn is_open(&self) -> bool {
        !self.is_violated() && !matches!(self.verdict, Verdict::Holds { .. })
    }

    pub fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated { .. })
    }

    /// The violation, if it is one.
    pub fn violation(&self) -> Option<Violation> {
        let evidence = self.evidence.clone()?;
        Some(Violation {
            property: self.property.clone(),
            place: place_in_program(&self.property, &evidence.trace),
            evidence,
        })
    }
}

/// Where the run ends: the property's place, or the call where it is one of a contract; for one of a library
/// function the innermost call in the program's own code.
fn place_in_program(property: &Property, trace: &Trace) -> Place {
    let end = trace.steps.last().map(|step| &step.place);
    let own = [end, Some(&property.place)].into_iter().flatten();
    let calls = trace.stack.iter().rev().map(|frame| &frame.call);
    let is_known = |place: &&Place| place.line > 0 && !place.is_in_library();
    own.chain(calls).find(is_known).unwrap_or(&property.place).clone()
}
