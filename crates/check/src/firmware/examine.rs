//! `kripke check firmware.elf`: every property, under the abstraction that is sound for it, and the report.
//!
//! Idea: a property is asked under an abstraction that has few states. An answer that the abstraction may
//! have caused is not given: the property is asked again without abstraction ([`Examination::universal`],
//! [`Examination::existential`]).

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kripke_avr::atom::Atom;
use kripke_avr::fault::Fault;
use kripke_avr::micro::{MOST_ATOMS, Micro, Nondeterminism, Options, WhileOpen, fault_label};
use kripke_explicit::{
    Captions, CtlEvidence, CtlFormula, Detail, LassoPath, Limits, Order, Path, Run as EvidenceRun, Stopped,
    Survey, check_ctl_local, check_invariant, check_ltl, explain_ctl, survey_invariants,
};
use kripke_model::{
    Argument, Choice, Labels, Place, Property, PropertyKind, PropertyResult, Reason, Report, Statistics,
    Step, StepKind, Trace, Verdict,
};

use super::exploration::explore;
use super::load::{Firmware, load};
use super::properties::{Given, Question, selected};
use super::torn::{self, Shared};
use super::{environment, trace};
use crate::Checked;
use crate::events::Events;
use crate::failure::Failure;
use crate::job::{FirmwareJob, Job, NondeterminismChoice};

/// Checks a firmware.
pub fn check(
    job: &Job,
    wanted: &FirmwareJob,
    events: &mut dyn Events,
    interrupt: Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    let started = Instant::now();
    let firmware = load(&wanted.image, &wanted.device, events)?;
    let (options, assumptions) = environment::options(&firmware, &wanted.environment, wanted.exploration)?;
    let (given, faults) = selected(&job.formulas, wanted, &firmware, events)?;
    let budget = Limits {
        states: job.limits.states,
        memory: job.limits.memory,
        deadline: job.limits.time.map(|limit| started + limit),
        interrupt,
        ..Limits::default()
    };
    events.exploring(&budget.gauge);
    let mut examination = Examination {
        firmware: &firmware,
        options,
        choice: wanted.exploration.nondeterminism,
        start: environment::start(&firmware, wanted.from.as_deref())?,
        budget,
        events,
        report: Report {
            assumptions,
            ..Report::default()
        },
        some_run_ends: Cell::new(false),
        wants_waveform: job.wanted.waveform,
        waveform: RefCell::new(None),
        draws: job.wanted.evidence,
        drawing: RefCell::new(None),
    };
    examination.assume(&given);
    examination.invariants(&given, &faults)?;
    for property in &given {
        examination.temporal(property)?;
    }
    if examination.some_run_ends.get() {
        let ends = "some run ends: what comes after it leaves the program, executes what is no instruction, \
            returns to an address that was never written or pushes outside static memory is not looked at";
        examination.report.assumptions.push(ends.to_owned());
    }
    examination.report.statistics = Statistics {
        seconds: started.elapsed().as_secs_f64(),
        peak_memory: kripke_limits::peak().unwrap_or(0),
        ..Statistics::default()
    };
    Ok(Checked {
        report: examination.report,
        files: vec![firmware.path.to_string_lossy().into_owned()],
        harness: None,
        waveform: examination.waveform.take(),
        evidence: examination.drawing.take().map(|(_, drawing)| drawing),
    })
}

/// One run of the command.
pub struct Examination<'a> {
    pub(super) firmware: &'a Firmware,
    pub(super) options: Options,
    choice: NondeterminismChoice,
    /// Where properties begin, as a word address; none for reset.
    start: Option<u32>,
    pub(super) budget: Limits,
    events: &'a mut dyn Events,
    pub(super) report: Report,
    wants_waveform: bool,
    /// The ports along the first counterexample, if they are wanted.
    waveform: RefCell<Option<String>>,
    /// Some run ends, as what the chip would do is not defined.
    some_run_ends: Cell<bool>,
    /// Whether the evidence for a CTL formula is wanted as a graph.
    draws: bool,
    /// The formula's name, and the graph.
    drawing: RefCell<Option<(String, String)>>,
}

/// The answer to one question under one abstraction.
pub enum Answer {
    Holds {
        states: u64,
    },
    Violated {
        path: Path,
        lasso: trace::Loop,
    },
    /// It fails, and no single run shows why: the path up to where several are needed.
    Refuted {
        path: Path,
    },
    Open(Reason),
}

impl Question {
    /// Whether a state shows that the property fails; its atoms begin at that position of the labels.
    fn fails(&self, labels: Labels, first_atom: usize) -> bool {
        match self {
            Question::Invariant(proposition) => !proposition.holds(labels >> first_atom),
            Question::Fault(fault) => labels & fault_label(*fault) != 0,
            Question::Ctl(_) | Question::Ltl(_) => false,
        }
    }

    /// What the report calls the property.
    fn kind(&self) -> PropertyKind {
        match self {
            Question::Invariant(_) => PropertyKind::Invariant,
            Question::Ctl(_) => PropertyKind::Ctl,
            Question::Ltl(_) => PropertyKind::Ltl,
            Question::Fault(_) => PropertyKind::Firmware,
        }
    }

    fn is_about_states(&self) -> bool {
        matches!(self, Question::Invariant(_) | Question::Fault(_))
    }
}

/// The atoms of a property, each true in one successor and false in another while it is open.
fn undetermined(property: &Given) -> impl Iterator<Item = (Atom, WhileOpen)> + '_ {
    let atoms = property.atoms.iter().cloned();
    atoms.map(|atom| (atom, WhileOpen::Either))
}

impl Examination<'_> {
    fn note_ends(&self, micro: &Micro) {
        self.some_run_ends
            .set(self.some_run_ends.get() || micro.some_run_ends());
    }

    /// Lists what the verdicts rest on besides the environment.
    fn assume(&mut self, given: &[Given]) {
        if let (Some(start), false) = (self.start, given.is_empty()) {
            let place = self.firmware.code_name(start);
            let begin = format!("formulas begin where {place} is first reached (--from reset: at reset)");
            self.report.assumptions.push(begin);
        }
        if given.iter().any(|property| !property.is_universal) {
            let late = "for CTL formulas that say what can be reached: whether a flag was set is decided \
                when \
                something looks at it";
            self.report.assumptions.push(late.to_owned());
        }
    }

    /// Where a property begins; faults are looked for from reset on.
    fn start_of(&self, property: &Given) -> Option<u32> {
        match property.question {
            Question::Fault(_) => None,
            _ => self.start,
        }
    }

    /// The options under which a property is checked first.
    pub(super) fn first_options(&self, is_universal: bool) -> Options {
        let delayed = match self.choice {
            NondeterminismChoice::Auto => is_universal,
            NondeterminismChoice::Immediate => false,
            NondeterminismChoice::Delayed => true,
        };
        Options {
            nondeterminism: if delayed {
                Nondeterminism::Delayed
            } else {
                Nondeterminism::Immediate
            },
            lazy_interrupts: self.options.lazy_interrupts && is_universal,
            ..self.options.clone()
        }
    }

    /// The options under which nothing is added to what the chip does.
    fn exact_options(&self, property: &Given) -> Options {
        Options {
            nondeterminism: Nondeterminism::Immediate,
            lazy_stack: false,
            lazy_interrupts: false,
            decide_at_reset: !matches!(property.question, Question::Fault(_)),
            ..self.options.clone()
        }
    }

    /// All invariants, and the faults that are checked without being asked, in one search.
    fn invariants(&mut self, given: &[Given], faults: &[Fault]) -> Result<(), Failure> {
        let tears = faults.contains(&Fault::TornAccess);
        let others = faults.iter().filter(|fault| **fault != Fault::TornAccess);
        let mut faults: Vec<Given> = others.copied().map(Given::fault).collect();
        if tears && faults.is_empty() {
            // What is shared is found out in a search for another fault.
            faults.push(Given {
                is_reported: false,
                ..Given::fault(Fault::OutsideProgram)
            });
        }
        let invariants = given
            .iter()
            .filter(|property| property.question.is_about_states());
        // A search has room for so many atoms.
        let mut groups: Vec<Vec<&Given>> = vec![Vec::new()];
        let mut used = 0;
        for property in invariants.chain(&faults) {
            let last = groups.len() - 1;
            let elsewhere = groups[last]
                .first()
                .is_some_and(|first| self.start_of(first) != self.start_of(property));
            // At reset each atom may be true or false.
            let alone = self.start_of(property).is_none() && !property.atoms.is_empty();
            let elsewhere = elsewhere || alone && !groups[last].is_empty();
            if used + property.atoms.len() > MOST_ATOMS || groups[last].len() == MOST_AT_ONCE || elsewhere {
                groups.push(Vec::new());
                used = 0;
            }
            used += property.atoms.len();
            if let Some(group) = groups.last_mut() {
                group.push(property);
            }
        }
        let last = groups.len() - 1;
        for (number, group) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
            // The last group has faults, if any has, and sees all states.
            if tears && number == last {
                self.options.sharing = self.sharing();
            }
            let shared = self.group(group)?;
            self.options.sharing = None;
            if let Some(shared) = shared {
                self.torn(shared)?;
            }
        }
        Ok(())
    }

    /// Checks these properties together; what data is shared, if that is to be noted.
    fn group(&mut self, group: &[&Given]) -> Result<Option<Shared>, Failure> {
        let options = self.first_options(true);
        let (mut micro, survey) = self.survey(group, &options);
        self.note_ends(&micro);
        let Survey {
            counterexamples,
            exploration,
            stopped,
            depth,
        } = survey;
        if stopped.is_some() {
            self.events.stopped(&format!(
                "stopped after {} states; all runs of fewer than {depth} steps were seen\nhint: a delay loop \
                 has a state for each of its rounds; time is not counted, so build with -DF_CPU=1000UL",
                exploration.stored
            ));
        }
        let mut first_atom = 0;
        let whole = torn::whole(&micro, stopped.clone(), exploration.stored);
        let notes = options.sharing.is_some();
        let shared = notes.then(|| Shared::new(&micro, self.firmware, whole));
        for (property, counterexample) in group.iter().zip(counterexamples) {
            if !property.is_reported {
                continue;
            }
            let answer = match (counterexample, &stopped) {
                (Some(path), _) => Answer::Violated { path, lasso: None },
                (None, Some(stopped)) => Answer::Open(stopped.reason.clone()),
                (None, None) => holding(&micro, exploration.stored),
            };
            let verdict = match self.universal(property, answer, &mut micro, first_atom)? {
                Some(verdict) => verdict,
                None => self.exactly(property)?,
            };
            self.push(property, verdict);
            first_atom += property.atoms.len();
        }
        Ok(shared)
    }

    fn survey(&self, group: &[&Given], options: &Options) -> (Micro, Survey) {
        let atoms = group.iter().flat_map(|property| undetermined(property)).collect();
        let firsts = group.iter().scan(0, |first, property| {
            let own = *first;
            *first += property.atoms.len();
            Some((&property.question, own))
        });
        let tests: Vec<(&Question, usize)> = firsts.collect();
        let failing = |labels: Labels| {
            tests
                .iter()
                .enumerate()
                .fold(0, |failing, (index, (question, first))| {
                    failing | u64::from(question.fails(labels, *first)) << index
                })
        };
        // One more, which never fails, lets the survey go on to the last state.
        let count = tests.len() + usize::from(options.sharing.is_some());
        explore(
            self.firmware,
            options,
            atoms,
            self.start_of(group[0]),
            &self.budget,
            |survey: &Survey| survey.stopped.clone(),
            |micro, limits| survey_invariants(micro, count, failing, limits),
        )
    }

    /// Whether a property is the CTL formula whose evidence is drawn: the first one.
    fn is_drawn(&self, property: &Given) -> bool {
        let drawn = self.drawing.borrow();
        let is_first = drawn.as_ref().is_none_or(|(name, _)| *name == property.name);
        matches!(property.question, Question::Ctl(_)) && is_first
    }

    /// A temporal property.
    fn temporal(&mut self, property: &Given) -> Result<(), Failure> {
        if property.question.is_about_states() {
            return Ok(());
        }
        let verdict = if property.is_universal {
            // In a drawing each step says what was read in it.
            let options = self.first_options(!(self.draws && self.is_drawn(property)));
            let (mut micro, answer) = self.ask(property, &options, undetermined(property).collect());
            self.universal(property, answer, &mut micro, 0)?
        } else {
            self.existential(property)?
        };
        let verdict = match verdict {
            Some(verdict) => verdict,
            None => self.exactly(property)?,
        };
        self.push(property, verdict);
        Ok(())
    }

    /// Asks one question under some options.
    fn ask(&self, property: &Given, options: &Options, atoms: Vec<(Atom, WhileOpen)>) -> (Micro, Answer) {
        let mut drawing = String::new();
        let wanted = self.draws && self.is_drawn(property);
        let (micro, answer) = explore(
            self.firmware,
            options,
            atoms,
            self.start_of(property),
            &self.budget,
            |answer: &Result<Answer, Stopped>| answer.as_ref().err().cloned(),
            |micro, limits| {
                run(
                    self.firmware,
                    property,
                    micro,
                    limits,
                    wanted.then_some(&mut drawing),
                )
            },
        );
        self.note_ends(&micro);
        if wanted {
            *self.drawing.borrow_mut() = Some((property.name.clone(), drawing));
        }
        let answer = match answer {
            Ok(Answer::Holds { states }) => holding(&micro, states),
            Ok(answer) => answer,
            Err(stopped) => Answer::Open(stopped.reason),
        };
        (micro, answer)
    }

    /// The verdict that an answer under an abstraction is worth, for a property of all runs; none where the
    /// abstraction may have added the run.
    ///
    /// The property's atoms begin at `first_atom` of the labels.
    pub(super) fn universal(
        &self,
        property: &Given,
        answer: Answer,
        micro: &mut Micro,
        first_atom: usize,
    ) -> Result<Option<Verdict>, Failure> {
        Ok(match answer {
            Answer::Holds { .. }
                if matches!(property.question, Question::Fault(Fault::StackOverflow))
                    && self.firmware.image.static_end.is_none() =>
            {
                Some(unsupported(
                    "the file does not say where static data end (--data-end ADDRESS says it, an ELF file \
                     does)",
                ))
            }
            Answer::Holds { states } => Some(complete(states)),
            Answer::Open(reason) => Some(Verdict::Unknown { reason }),
            Answer::Refuted { .. } => None,
            Answer::Violated { .. } if self.options.lazy_interrupts => None,
            Answer::Violated { path, lasso } => self.violation(property, micro, first_atom, &path, lasso)?,
        })
    }

    /// The verdict on a property that says what can be reached; none where the abstraction may be the reason
    /// for it.
    fn existential(&self, property: &Given) -> Result<Option<Verdict>, Failure> {
        let options = self.first_options(false);
        let Some(open) = &property.pessimistic else {
            return Ok(None);
        };
        let atoms = property.atoms.iter().cloned().zip(open.iter().copied()).collect();
        let (mut micro, answer) = self.ask(property, &options, atoms);
        let is_exact = options.nondeterminism == Nondeterminism::Immediate && !micro.decided_late();
        Ok(match answer {
            Answer::Open(reason) => Some(Verdict::Unknown { reason }),
            Answer::Holds { .. } if options.nondeterminism == Nondeterminism::Delayed => Some(unsupported(
                "delayed nondeterminism says nothing about what can be reached",
            )),
            Answer::Holds { states } if is_exact => Some(complete(states)),
            Answer::Violated { path, lasso } if is_exact && !micro.met_open() => {
                self.violation(property, &mut micro, 0, &path, lasso)?
            }
            Answer::Refuted { path } if is_exact && !micro.met_open() => {
                self.refuted(property, &mut micro, &path)?
            }
            _ => None,
        })
    }

    /// Checks a property without abstraction.
    pub(super) fn exactly(&self, property: &Given) -> Result<Verdict, Failure> {
        let options = self.exact_options(property);
        let (mut micro, answer) = self.ask(property, &options, undetermined(property).collect());
        let hidden = "it depends on what static memory and registers held before they were written";
        let is_exact = property.is_universal || !micro.decided_late();
        Ok(match answer {
            Answer::Open(reason) => Verdict::Unknown { reason },
            Answer::Holds { states } if is_exact => complete(states),
            Answer::Violated { path, lasso } if is_exact => {
                let verdict = self.violation(property, &mut micro, 0, &path, lasso)?;
                verdict.unwrap_or_else(|| unsupported(hidden))
            }
            Answer::Refuted { path } if !micro.decided_late() => {
                let verdict = self.refuted(property, &mut micro, &path)?;
                verdict.unwrap_or_else(|| unsupported(hidden))
            }
            _ => unsupported(hidden),
        })
    }

    /// The verdict that a run shows; none if the chip does not do it.
    fn violation(
        &self,
        property: &Given,
        micro: &mut Micro,
        first_atom: usize,
        path: &Path,
        lasso: trace::Loop,
    ) -> Result<Option<Verdict>, Failure> {
        let run = trace::follow(
            micro,
            self.firmware,
            (first_atom, &property.atom_texts),
            path,
            lasso,
        )?;
        let message = match property.question {
            Question::Fault(Fault::TornAccess) => torn::message(self.firmware, micro, path),
            Question::Fault(fault) => fault.description().to_owned(),
            _ => "the formula is false here".to_owned(),
        };
        let Some(run) = run.filter_real() else {
            return Ok(None);
        };
        if self.wants_waveform && self.waveform.borrow().is_none() {
            let waveform = run.waveform(micro, self.firmware);
            let waveform = waveform.map_err(|error| Failure::Internal(error.to_string()))?;
            *self.waveform.borrow_mut() = Some(waveform);
        }
        Ok(Some(violated(&property.name, run.trace, &message)))
    }

    /// Violated, and no single run shows it; none if the chip does not go the way to where several are
    /// needed.
    fn refuted(&self, property: &Given, micro: &mut Micro, path: &Path) -> Result<Option<Verdict>, Failure> {
        let message =
            "the formula is false, and it takes more than one run to show why (--evidence FILE draws them)";
        let trace = match path.states.len() {
            0 | 1 => Some(Trace::default()),
            _ => trace::follow(micro, self.firmware, (0, &property.atom_texts), path, None)?
                .filter_real()
                .map(|run| run.trace),
        };
        Ok(trace.map(|trace| violated(&property.name, trace, message)))
    }

    pub(super) fn push(&mut self, property: &Given, verdict: Verdict) {
        let is_fault = matches!(property.question, Question::Fault(_));
        let last = match &verdict {
            Verdict::Violated { trace } if is_fault => trace.steps.last(),
            _ => None,
        };
        let place = last.map(|step| step.place.clone());
        let message = match last.map(|step| &step.kind) {
            Some(StepKind::Violation { message, .. }) => message.clone(),
            _ => property.text.clone(),
        };
        let file = self.firmware.path.to_string_lossy().into_owned();
        let result = PropertyResult {
            property: Property {
                id: property.name.clone(),
                kind: property.question.kind(),
                description: message,
                place: place.unwrap_or_else(|| Place {
                    file,
                    ..Place::default()
                }),
            },
            verdict,
            temporal: None,
        };
        self.events.settled(&result);
        self.report.results.push(result);
    }
}

/// What the nodes and edges of a graph of evidence are called.
struct Drawn<'a> {
    firmware: &'a Firmware,
    property: &'a Given,
    micro: &'a mut Micro,
}

impl Captions for Drawn<'_> {
    fn atom(&self, index: usize) -> String {
        format!("{{{}}}", self.property.atom_texts[index])
    }

    fn state(&self, state: &[u8]) -> String {
        trace::state_text(self.micro, self.firmware, state)
    }

    fn step(&mut self, from: &[u8], choice: Choice, to: &[u8]) -> String {
        trace::environment_of(self.micro, self.firmware, from, choice, to).unwrap_or_default()
    }
}

/// Properties that one search decides, at the most.
const MOST_AT_ONCE: usize = 60;

/// Checks a property of a model.
///
/// `drawing` is where the evidence for a CTL formula is drawn, if that is wanted.
fn run(
    firmware: &Firmware,
    property: &Given,
    micro: &mut Micro,
    limits: &Limits,
    drawing: Option<&mut String>,
) -> Result<Answer, Stopped> {
    match &property.question {
        question @ (Question::Invariant(_) | Question::Fault(_)) => {
            let holds = |labels| !question.fails(labels, 0);
            let result = check_invariant(micro, holds, Order::BreadthFirst, limits)?;
            let states = result.exploration.stored;
            Ok(match result.counterexample {
                None => Answer::Holds { states },
                Some(path) => Answer::Violated { path, lasso: None },
            })
        }
        Question::Ltl(formula) => {
            let result = check_ltl(micro, formula, limits)?;
            let states = result.exploration.stored;
            Ok(match result.counterexample {
                None => Answer::Holds { states },
                Some(lasso) => infinite(lasso),
            })
        }
        Question::Ctl(formula) => {
            let result = check_ctl_local(micro, formula, limits)?;
            let states = result.exploration.stored;
            if result.holds && drawing.is_none() {
                return Ok(Answer::Holds { states });
            }
            let evidence = explain_ctl(micro, formula, Detail::Outline, limits)?;
            confirm(&evidence, micro, formula, limits)?;
            if let Some(drawing) = drawing {
                *drawing = evidence.dot(
                    formula,
                    &mut Drawn {
                        firmware,
                        property,
                        micro,
                    },
                );
            }
            if result.holds {
                return Ok(Answer::Holds { states });
            }
            Ok(match evidence.unfold() {
                Ok(EvidenceRun::Finite(path)) => Answer::Violated { path, lasso: None },
                Ok(EvidenceRun::Infinite(lasso)) => infinite(lasso),
                Err(path) => Answer::Refuted { path },
            })
        }
    }
}

/// Has the evidence for a CTL formula checked by somebody who was not there when it was found.
///
/// # Panics
/// When it does not show the verdict: a defect of the checker.
fn confirm(
    evidence: &CtlEvidence,
    micro: &mut Micro,
    formula: &CtlFormula,
    limits: &Limits,
) -> Result<(), Stopped> {
    let verified = evidence.verify(micro, formula);
    // A model that asked for the search to end may hand out steps that it does not stand by.
    if limits.interrupt.load(Ordering::Relaxed) {
        return Err(Stopped {
            reason: Reason::Interrupted,
            states: evidence.states.len(),
        });
    }
    match verified {
        Ok(_) => Ok(()),
        Err(bad) => panic!("the evidence found does not show the verdict on the formula: {bad}"),
    }
}

/// That a property holds, unless some run did what is not modelled.
fn holding(micro: &Micro, states: u64) -> Answer {
    match micro.unsupported() {
        None => Answer::Holds { states },
        Some(what) => Answer::Open(Reason::Unsupported {
            what: what.to_owned(),
            place: String::new(),
        }),
    }
}

pub(super) fn complete(states: u64) -> Verdict {
    Verdict::Holds {
        argument: Argument::CompleteExploration { states },
    }
}

fn infinite(lasso: LassoPath) -> Answer {
    Answer::Violated {
        lasso: Some((lasso.loop_start, lasso.back)),
        path: lasso.path,
    }
}

fn unsupported(what: &str) -> Verdict {
    Verdict::Unknown {
        reason: Reason::Unsupported {
            what: what.to_owned(),
            place: String::new(),
        },
    }
}

fn violated(name: &str, mut trace: Trace, message: &str) -> Verdict {
    let (place, depth) = trace
        .steps
        .last()
        .map_or_else(Default::default, |step| (step.place.clone(), step.depth));
    let message = match trace.loop_start {
        Some(_) => format!("{message}, and the last steps repeat for ever"),
        None => message.to_owned(),
    };
    trace.steps.push(Step {
        place,
        depth,
        kind: StepKind::Violation {
            property: name.to_owned(),
            message,
        },
    });
    Verdict::Violated {
        trace: Box::new(trace),
    }
}
