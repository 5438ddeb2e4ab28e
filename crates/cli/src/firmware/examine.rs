//! `kripke check firmware.elf`: every property, under the abstraction that is sound for it, and the report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, Nondeterminism, Options, fault_label};
use kripke_explicit::{
    Detail, LassoPath, Limits, Path, Run as EvidenceRun, Stopped, Survey, check_ltl, explain_ctl,
    survey_invariants,
};
use kripke_model::{
    Argument, Place, Property, PropertyKind, PropertyResult, Reason, Report, Statistics, Step, StepKind,
    Trace, Verdict,
};

use super::abstraction::{Budget, explore};
use super::load::{Firmware, load};
use super::properties::{Form, Given, Question, read};
use super::{environment, trace};
use crate::arguments::{CheckArguments, NondeterminismChoice};
use crate::failure::Failure;

/// Checks a firmware.
pub fn examine(arguments: &CheckArguments, interrupt: Arc<AtomicBool>) -> Result<Report, Failure> {
    let started = Instant::now();
    let [path] = &arguments.source.files[..] else {
        return Err(Failure::input("give one firmware image"));
    };
    refuse_c_options(arguments)?;
    let firmware = load(path, &arguments.firmware)?;
    let (options, assumptions) = environment::options(&firmware, &arguments.firmware)?;
    let given = given(arguments, &firmware)?;
    let budget = Budget {
        states: arguments.firmware.max_states,
        memory: arguments.memory_limit.0.map(|limit| limit as usize),
        deadline: arguments.timeout.0.map(|limit| started + limit),
        interrupt,
    };
    let mut examination = Examination {
        firmware: &firmware,
        options,
        choice: arguments.firmware.nondeterminism,
        budget,
        report: Report {
            assumptions,
            ..Report::default()
        },
        states: 0,
    };
    if arguments.properties.check.as_deref() == Some("none") {
        let ends = "a run ends where it leaves the program or executes what is no instruction (--check none)";
        examination.report.assumptions.push(ends.to_owned());
    }
    let default_checks = arguments.properties.check.as_deref() != Some("none");
    examination.invariants(&given, default_checks)?;
    for property in &given {
        examination.temporal(property)?;
    }
    examination.report.statistics = Statistics {
        seconds: started.elapsed().as_secs_f64(),
        peak_memory: crate::process::peak_memory(),
        ..Statistics::default()
    };
    Ok(examination.report)
}

/// Options for C programs would silently do nothing here.
fn refuse_c_options(arguments: &CheckArguments) -> Result<(), Failure> {
    let given = [
        ("--ltl-file", !arguments.ltl_file.is_empty()),
        ("--unwind", arguments.unwind.is_some()),
        ("--unwindset", !arguments.unwindset.is_empty()),
        ("--max-unwind", arguments.max_unwind.is_some()),
        ("--cross-check", arguments.cross_check.is_some()),
        ("--dump-smt2", arguments.dump_smt2.is_some()),
        ("--property", !arguments.property_ids.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!(
            "{option} is for C programs, not for firmware"
        ))),
    }
}

fn given(arguments: &CheckArguments, firmware: &Firmware) -> Result<Vec<Given>, Failure> {
    let forms = [
        (Form::Invariant, &arguments.firmware.invariant),
        (Form::Ctl, &arguments.firmware.ctl),
        (Form::Ltl, &arguments.ltl),
    ];
    let mut all: Vec<Given> = Vec::new();
    for (form, texts) in forms {
        for (index, text) in texts.iter().enumerate() {
            let property = read(form, text, index + 1, firmware)?;
            if all.iter().any(|other| other.name == property.name) {
                return Err(Failure::input(format!(
                    "two properties are named '{}'",
                    property.name
                )));
            }
            all.push(property);
        }
    }
    Ok(all)
}

struct Examination<'a> {
    firmware: &'a Firmware,
    options: Options,
    choice: NondeterminismChoice,
    budget: Budget,
    report: Report,
    states: u64,
}

/// The answer to one question under one abstraction.
enum Answer {
    Holds {
        states: u64,
    },
    Violated {
        path: Path,
        lasso: Option<(usize, Option<u32>)>,
    },
    /// It fails, and no single run shows why.
    Refuted,
    Open(Reason),
}

impl Examination<'_> {
    /// The options under which a property is checked first.
    fn first_options(&self, is_universal: bool) -> Options {
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
            ..self.options.clone()
        }
    }

    /// All invariants, and the faults that are checked without being asked, in one search.
    fn invariants(&mut self, given: &[Given], faults: bool) -> Result<(), Failure> {
        let invariants: Vec<&Given> = given
            .iter()
            .filter(|property| matches!(property.question, Question::Invariant(_)))
            .collect();
        // A search has room for 48 atoms.
        let mut groups: Vec<Vec<&Given>> = vec![Vec::new()];
        let mut used = 0;
        for property in invariants {
            if used + property.atoms.len() > kripke_avr::micro::MOST_ATOMS
                || groups[groups.len() - 1].len() >= 48
            {
                groups.push(Vec::new());
                used = 0;
            }
            used += property.atoms.len();
            if let Some(group) = groups.last_mut() {
                group.push(property);
            }
        }
        for (index, group) in groups.iter().enumerate() {
            let faults = faults && index == 0;
            if !group.is_empty() || faults {
                self.group(group, faults)?;
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &[&Given], faults: bool) -> Result<(), Failure> {
        let options = self.first_options(true);
        let (mut micro, survey) = self.survey(group, faults, &options);
        self.states = survey.exploration.stored;
        let Survey {
            counterexamples,
            exploration,
            stopped,
            depth,
        } = survey;
        if stopped.is_some() {
            crate::output::note(&format!(
                "stopped after {} states; all runs of fewer than {depth} steps were seen",
                exploration.stored
            ));
        }
        for (index, counterexample) in counterexamples.into_iter().enumerate() {
            let answer = match (counterexample, &stopped) {
                (Some(path), _) => Answer::Violated { path, lasso: None },
                (None, Some(stopped)) => Answer::Open(stopped.reason.clone()),
                (None, None) => holding(&micro, exploration.stored),
            };
            match group.get(index) {
                Some(property) => {
                    let verdict = self.confirmed(property, answer, &mut micro, &options)?;
                    self.push(property, verdict);
                }
                None => self.push_fault(Fault::ALL[index - group.len()], answer, &mut micro),
            }
        }
        Ok(())
    }

    fn survey(&self, group: &[&Given], faults: bool, options: &Options) -> (Micro, Survey) {
        let atoms: Vec<_> = group
            .iter()
            .flat_map(|property| property.atoms.iter().cloned())
            .collect();
        let mut shift = 0;
        let mut tests = Vec::new();
        for property in group {
            if let Question::Invariant(proposition) = &property.question {
                tests.push((proposition, shift));
            }
            shift += property.atoms.len();
        }
        let failing = |labels: u64| {
            let mut failing = 0;
            for (index, (proposition, shift)) in tests.iter().enumerate() {
                failing |= u64::from(!proposition.holds(labels >> shift)) << index;
            }
            if faults {
                for (index, fault) in Fault::ALL.iter().enumerate() {
                    failing |= u64::from(labels & fault_label(*fault as u8) != 0) << (tests.len() + index);
                }
            }
            failing
        };
        let count = tests.len() + if faults { Fault::ALL.len() } else { 0 };
        explore(
            self.firmware,
            options,
            &atoms,
            &self.budget,
            |survey: &Survey| survey.stopped.clone(),
            |micro, limits| survey_invariants(micro, count, failing, limits),
        )
    }

    /// A temporal property.
    fn temporal(&mut self, property: &Given) -> Result<(), Failure> {
        if matches!(property.question, Question::Invariant(_)) {
            return Ok(());
        }
        let options = self.first_options(property.is_universal);
        let (mut micro, answer) = self.ask(property, &options);
        let verdict = self.confirmed(property, answer, &mut micro, &options)?;
        self.push(property, verdict);
        Ok(())
    }

    /// Asks one question under some options.
    fn ask(&self, property: &Given, options: &Options) -> (Micro, Answer) {
        let (micro, answer) = explore(
            self.firmware,
            options,
            &property.atoms,
            &self.budget,
            |answer: &Result<Answer, Stopped>| answer.as_ref().err().cloned(),
            |micro, limits| self.run(property, micro, limits),
        );
        (
            micro,
            answer.unwrap_or_else(|stopped| Answer::Open(stopped.reason)),
        )
    }

    fn run(&self, property: &Given, micro: &mut Micro, limits: &Limits) -> Result<Answer, Stopped> {
        match &property.question {
            Question::Invariant(proposition) => {
                let failing = |labels| u64::from(!proposition.holds(labels));
                let survey = survey_invariants(micro, 1, failing, limits);
                let states = survey.exploration.stored;
                match (
                    survey.counterexamples.into_iter().next().flatten(),
                    survey.stopped,
                ) {
                    (Some(path), _) => Ok(Answer::Violated { path, lasso: None }),
                    (None, Some(stopped)) => Err(stopped),
                    (None, None) => Ok(Answer::Holds { states }),
                }
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
                let result = kripke_explicit::check_ctl_local(micro, formula, limits)?;
                if result.holds {
                    return Ok(Answer::Holds {
                        states: result.exploration.stored,
                    });
                }
                let evidence = explain_ctl(micro, formula, Detail::Outline, limits)?;
                Ok(match evidence.run() {
                    Some(EvidenceRun::Finite(path)) => Answer::Violated { path, lasso: None },
                    Some(EvidenceRun::Infinite(lasso)) => infinite(lasso),
                    None => Answer::Refuted,
                })
            }
        }
    }

    /// The verdict that an answer under an abstraction is worth; a run that the abstraction added is looked for anew without it.
    fn confirmed(
        &mut self,
        property: &Given,
        answer: Answer,
        micro: &mut Micro,
        options: &Options,
    ) -> Result<Verdict, Failure> {
        let exact = Options {
            nondeterminism: Nondeterminism::Immediate,
            lazy_stack: false,
            lazy_interrupts: self.options.lazy_interrupts,
            ..options.clone()
        };
        match answer {
            Answer::Holds { states }
                if property.is_universal || options.nondeterminism == Nondeterminism::Immediate =>
            {
                Ok(Verdict::Holds {
                    argument: Argument::CompleteExploration { states },
                })
            }
            Answer::Holds { .. } => Ok(unsupported(
                "delayed nondeterminism says nothing about what can be reached",
            )),
            Answer::Open(reason) => Ok(Verdict::Unknown { reason }),
            Answer::Refuted if options.nondeterminism == Nondeterminism::Immediate => {
                let message = "fails, and no single run shows why".to_owned();
                Ok(violated(property, Trace::default(), &message))
            }
            Answer::Refuted => self.again(property, &exact),
            Answer::Violated { path, lasso } => {
                let run = trace::follow(micro, self.firmware, &path, lasso);
                let doubtful = run.spurious || (run.read_forgotten && options.lazy_stack);
                if doubtful
                    && (options.nondeterminism, options.lazy_stack) != (Nondeterminism::Immediate, false)
                {
                    return self.again(property, &exact);
                }
                Ok(violated(property, run.trace, "the formula is false here"))
            }
        }
    }

    /// Checks a property without abstraction.
    fn again(&mut self, property: &Given, exact: &Options) -> Result<Verdict, Failure> {
        let (mut micro, answer) = self.ask(property, exact);
        self.confirmed(property, answer, &mut micro, exact)
    }

    fn push(&mut self, property: &Given, verdict: Verdict) {
        self.report.results.push(PropertyResult {
            property: Property {
                id: property.name.clone(),
                kind: PropertyKind::Temporal,
                description: property.text.clone(),
                place: Place {
                    file: self.firmware.path.to_string_lossy().into_owned(),
                    ..Place::default()
                },
            },
            verdict,
            temporal: None,
        });
    }

    fn push_fault(&mut self, fault: Fault, answer: Answer, micro: &mut Micro) {
        let mut place = Place {
            file: self.firmware.path.to_string_lossy().into_owned(),
            ..Place::default()
        };
        let verdict = match answer {
            Answer::Holds { states } => Verdict::Holds {
                argument: Argument::CompleteExploration { states },
            },
            Answer::Open(reason) => Verdict::Unknown { reason },
            Answer::Refuted => return,
            Answer::Violated { path, .. } => {
                let run = trace::follow(micro, self.firmware, &path, None);
                if let Some(before) = path.states.iter().rev().nth(1) {
                    place = self.firmware.place(micro.pc_of(before));
                }
                if run.spurious {
                    unsupported(
                        "the only run found needs two values of one input; --nondeterminism immediate decides",
                    )
                } else {
                    violation(fault.name(), run.trace, fault.description())
                }
            }
        };
        self.report.results.push(PropertyResult {
            property: Property {
                id: fault.name().to_owned(),
                kind: PropertyKind::Firmware,
                description: fault.description().to_owned(),
                place,
            },
            verdict,
            temporal: None,
        });
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

fn violated(property: &Given, trace: Trace, message: &str) -> Verdict {
    violation(&property.name, trace, message)
}

fn violation(name: &str, mut trace: Trace, message: &str) -> Verdict {
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
