//! Checks threads without the gaps between accesses that a lock protects, and with all where that is not
//! sound.
//!
//! Idea: that the program's own thread runs alone where it takes no lock is checked as it goes
//! (`kripke_threads`). Where it is not so, violations that were found are right, and all else is checked
//! again in the program with all gaps. What holds is told when it is known which of the two it is.
//!
//! Invariant: nothing holds because of a run that was cut.

use std::collections::BTreeSet;

use kripke_bmc::{Explore, Obligation, Options};
use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{Program, StatementKind};
use kripke_model::{Open, Property, PropertyKind, PropertyResult, Reason, Report, Verdict};
use kripke_threads::Wanted;

use super::load::{self, Loaded};
use super::{safety, threads};
use crate::events::{Events, Progress};
use crate::failure::Failure;
use crate::job::ProgramJob;

/// A program whose threads are woven, and what it was before, where it may have to be woven anew.
pub(super) struct Reduced {
    program: Program,
    unwoven: Option<Program>,
}

impl Reduced {
    /// Weaves the threads of a program; its files.
    pub fn new(loaded: Loaded, wanted: &ProgramJob) -> Result<(Self, Vec<String>), Failure> {
        let Loaded { mut program, files } = loaded;
        let of_threads = of_threads(wanted);
        let unwoven = of_threads.relies_on_locks.then(|| program.clone());
        threads::weave(&mut program, of_threads)?;
        let unwoven = unwoven.filter(|_| relies_on_being_alone(&program));
        Ok((Reduced { program, unwoven }, files))
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Checks it.
    pub fn check(
        self,
        wanted: &ProgramJob,
        options: Options,
        events: &mut dyn Events,
    ) -> Result<(Report, Program, Vec<Obligation>), Failure> {
        let Some(mut unwoven) = self.unwoven else {
            return safety(self.program, wanted, options, events);
        };
        let mut listener = HoldsBack {
            events,
            held: Vec::new(),
            violated: BTreeSet::new(),
        };
        let first = safety(self.program, wanted, options.clone(), &mut listener)?;
        if !is_cut(&first.0) {
            listener.tell();
            return Ok(first);
        }
        listener.held.clear();
        let all_gaps = Wanted {
            relies_on_locks: false,
            ..of_threads(wanted)
        };
        threads::weave(&mut unwoven, all_gaps)?;
        let second = safety(unwoven, wanted, options, &mut listener)?;
        listener.tell();
        Ok(joined(first, second))
    }
}

fn of_threads(wanted: &ProgramJob) -> Wanted<'static> {
    let kinds = [
        PropertyKind::DataRace,
        PropertyKind::TornAccess,
        PropertyKind::Atomicity,
        PropertyKind::PriorityInversion,
    ];
    let asks_between = kinds.iter().any(|kind| wanted.checks.contains(kind));
    let is_merged = wanted.explore == Explore::Merged;
    let is_of_c = load::model(&wanted.sources).is_none();
    Wanted {
        relies_on_locks: wanted.bounds.lock_reduction && is_merged && is_of_c && !asks_between,
        drops_certain: is_merged && is_of_c,
        ..load::of_threads(&wanted.sources, &wanted.checks)
    }
}

fn relies_on_being_alone(program: &Program) -> bool {
    let mut statements = program
        .functions
        .iter()
        .flat_map(|function| function.statements());
    statements
        .any(|statement| matches!(&statement.kind, StatementKind::Unsupported { what } if what == NOT_ALONE))
}

/// Was a run cut where a thread is not alone?
fn is_cut(report: &Report) -> bool {
    let is_it = |reason: &Reason| matches!(reason, Reason::Unsupported { what, .. } if what == NOT_ALONE);
    let mut results = report.results.iter();
    report.incomplete.as_ref().is_some_and(is_it)
        || results.any(|result| matches!(&result.verdict, Verdict::Unknown { reason } if is_it(reason)))
}

/// The second answer, with the violations of the first.
fn joined(
    (first, program, _): (Report, Program, Vec<Obligation>),
    mut second: (Report, Program, Vec<Obligation>),
) -> (Report, Program, Vec<Obligation>) {
    let is_violated = |result: &PropertyResult| matches!(result.verdict, Verdict::Violated { .. });
    let mut is_first = false;
    for found in first.results.into_iter().filter(is_violated) {
        let mut results = second.0.results.iter_mut();
        let same = results.find(|result| result.property.id == found.property.id);
        if let Some(same) = same {
            *same = found;
            is_first = true;
        }
    }
    second.0.statistics.queries += first.statistics.queries;
    second.0.statistics.solver_seconds += first.statistics.solver_seconds;
    if is_first {
        second.1 = program;
    }
    second
}

/// Tells of violations, of each property once, and keeps what else is settled.
struct HoldsBack<'e> {
    events: &'e mut dyn Events,
    held: Vec<PropertyResult>,
    violated: BTreeSet<String>,
}

impl HoldsBack<'_> {
    /// Tells what was kept.
    fn tell(&mut self) {
        for result in std::mem::take(&mut self.held) {
            if !self.violated.contains(&result.property.id) {
                self.events.settled(&result);
            }
        }
    }
}

impl Events for HoldsBack<'_> {
    fn warning(&mut self, text: &str) {
        self.events.warning(text);
    }

    fn remarked(&mut self, text: &str) {
        self.events.remarked(text);
    }

    fn progress(&mut self, progress: &Progress) {
        self.events.progress(progress);
    }

    fn asked(&mut self, properties: &[Property]) {
        self.events.asked(properties);
    }

    fn open(&mut self, property: &Property, open: &Open) {
        self.events.open(property, open);
    }

    fn settled(&mut self, result: &PropertyResult) {
        match result.verdict {
            Verdict::Violated { .. } => {
                if self.violated.insert(result.property.id.clone()) {
                    self.events.settled(result);
                }
            }
            _ => self.held.push(result.clone()),
        }
    }
}
