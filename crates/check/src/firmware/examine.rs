//! `kripke check firmware.elf`: every property, and the report.
//!
//! The phases: what is asked and of what ([`super::load`], [`super::properties`]); properties about single
//! states, many in one search ([`super::search`]); temporal ones, each by itself, under the abstraction that
//! is sound for it ([`super::abstraction`]); answers ([`super::answer`]) made into results
//! ([`super::verdict`]).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_avr::concrete::Blamed;
use kripke_avr::fair::{Obligation, obligations};
use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, Options};
use kripke_explicit::{Checkpoint, Limits};
use kripke_limits::Gauge;
use kripke_model::{Explored, Explosion, Property, Report, Statistics};

use super::load::{Firmware, load};
use super::properties::{Given, Question, selected};
use super::undefined::Undefined;
use super::{environment, storage};
use crate::Checked;
use crate::events::Events;
use crate::failure::Failure;
use crate::job::{FirmwareJob, Job, NondeterminismChoice, Wanted};

/// Checks a firmware.
pub fn check(
    job: &Job,
    wanted: &FirmwareJob,
    events: &mut dyn Events,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let started = Instant::now();
    let firmware = load(&wanted.image, &wanted.device, events)?;
    let (mut options, assumptions) =
        environment::options(&firmware, &wanted.environment, wanted.exploration)?;
    options.statements = wanted
        .statements
        .then(|| Arc::from(&firmware.debug.statements[..]));
    let (given, faults) = selected(&job.formulas, wanted, &firmware, events)?;
    let is_branching = |property: &Given| matches!(property.question, Question::Ctl(_));
    if let Some(ctl) = given
        .iter()
        .find(|property| wanted.fair && is_branching(property))
    {
        return Err(Failure::input(format!(
            "--fair is about formulas of linear time, and {} is one of branching time: CTL cannot say that \
             hardware finishes, so say it with --ltl",
            ctl.name
        )));
    }
    let budget = Limits {
        states: job.limits.states,
        memory: job.limits.memory,
        deadline: job.limits.time.map(|limit| started + limit),
        helpers: job.limits.helpers,
        interrupt,
        store: storage::store(wanted.store.as_ref(), &given)?,
        checkpoint: storage::checkpoint(job, wanted)?,
        ..Limits::default()
    };
    events.exploring(&budget.gauge);
    let mut examination = Examination {
        firmware: &firmware,
        options,
        choice: wanted.exploration.nondeterminism,
        start: environment::start(&firmware, wanted.from.as_deref())?,
        budget,
        wanted: &job.wanted,
        events,
        report: Report {
            assumptions,
            ..Report::default()
        },
        some_run_ends: false,
        undefined: Undefined::new(&faults, wanted.faults),
        made: Made::default(),
        explosion: None,
        blamed: Blamed::default(),
        widening: wanted.exploration.widening,
        obligations: match wanted.fair {
            true => obligations(&firmware.device, &firmware.rules).into(),
            false => [].into(),
        },
    };
    examination.announce(&given, &faults);
    examination.assume(&given);
    examination.invariants(&given, &faults)?;
    examination.refuse_checkpoint()?;
    for property in &given {
        examination.temporal(property)?;
    }
    examination.refuse_checkpoint()?;
    examination.assume_ends();
    examination.report.statistics = Statistics {
        seconds: started.elapsed().as_secs_f64(),
        peak_memory: kripke_limits::peak().unwrap_or(0),
        explored: Some(explored(&examination.budget.gauge)),
        ..Statistics::default()
    };
    Ok(Checked {
        certificate: None,
        witness: None,
        functions: None,
        report: examination.report,
        files: vec![firmware.path.to_string_lossy().into_owned()],
        harness: None,
        waveform: examination.made.waveform,
        evidence: examination.made.drawing.map(|(_, drawing)| drawing),
    })
}

/// What all searches did that have ended.
#[must_use]
pub fn explored(gauge: &Gauge) -> Explored {
    let total = gauge.total();
    Explored {
        searches: total.searches,
        stored: total.stored,
        created: total.created,
    }
}

/// One check of a firmware.
pub struct Examination<'a> {
    pub(super) firmware: &'a Firmware,
    pub(super) options: Options,
    pub(super) choice: NondeterminismChoice,
    /// Where properties begin, as a word address; none for reset.
    start: Option<u32>,
    pub(super) budget: Limits,
    pub(super) wanted: &'a Wanted,
    pub(super) events: &'a mut dyn Events,
    pub(super) report: Report,
    /// Some run ends, as what the chip would do is not defined.
    some_run_ends: bool,
    /// Which faults nobody checks, and whether they happen.
    pub(super) undefined: Undefined,
    pub(super) made: Made,
    /// What made the runs possible that no chip does, since it was last asked.
    pub(super) blamed: Blamed,
    /// Whether variables that take many values may be taken as unknown.
    pub(super) widening: bool,
    /// What ends after some time, if only such runs are looked at.
    pub(super) obligations: Arc<[Obligation]>,
    /// What there were too many states of in the search that was made last, if it came to a limit.
    pub(super) explosion: Option<Explosion>,
}

/// What is made beside the report, if it is wanted.
#[derive(Default)]
pub struct Made {
    /// The ports along the first counterexample.
    pub waveform: Option<String>,
    /// The name of the first CTL formula, and the graph of the evidence for it.
    pub drawing: Option<(String, String)>,
}

impl Examination<'_> {
    /// Tells what is to be decided, in the order of the report.
    fn announce(&mut self, given: &[Given], faults: &[Fault]) {
        let faults: Vec<Given> = faults.iter().copied().map(Given::fault).collect();
        let (states, temporal): (Vec<&Given>, Vec<&Given>) = given
            .iter()
            .partition(|property| property.question.is_about_states());
        let order = states.into_iter().chain(&faults).chain(temporal);
        let asked: Vec<Property> = order.map(|given| self.property(given)).collect();
        self.events.asked(&asked);
    }

    /// Ends the check if its checkpoint turned out to be no good.
    fn refuse_checkpoint(&self) -> Result<(), Failure> {
        match self.budget.checkpoint.as_ref().and_then(Checkpoint::problem) {
            None => Ok(()),
            Some(problem) => Err(Failure::input(format!(
                "--checkpoint: {problem}; begin anew with another directory"
            ))),
        }
    }

    /// Lists what the verdicts rest on besides the environment.
    fn assume(&mut self, given: &[Given]) {
        if let (Some(start), false) = (self.start, given.is_empty()) {
            let place = self.firmware.code_name(start);
            let begin = format!("formulas begin where {place} is first reached (--from reset: at reset)");
            self.report.assumptions.push(begin);
        }
        if self.options.statements.is_some() {
            let where_judged = "invariants are judged where statements of C begin, not within one (--at \
                statements)";
            self.report.assumptions.push(where_judged.to_owned());
        }
        if given.iter().any(|property| !property.is_universal) {
            let late = "for CTL formulas that say what can be reached: whether a flag was set is decided \
                when \
                something looks at it";
            self.report.assumptions.push(late.to_owned());
        }
    }

    /// Lists that what comes after the end of a run is not looked at.
    fn assume_ends(&mut self) {
        if self.some_run_ends {
            let ends = "some run ends: what comes after it leaves the program, executes what is no \
                instruction, returns to an address that was never written or pushes outside static memory is \
                not looked at";
            self.report.assumptions.push(ends.to_owned());
        }
    }

    /// Notes whether some run of an exploration ends.
    pub(super) fn note_ends(&mut self, micro: &Micro) {
        self.some_run_ends |= micro.some_run_ends();
    }

    /// Where a property begins; faults are looked for from reset on.
    pub(super) fn start_of(&self, property: &Given) -> Option<u32> {
        match property.question {
            Question::Fault(_) => None,
            _ => self.start,
        }
    }
}
