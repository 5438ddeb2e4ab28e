//! From answers to results: the run that shows a violation, told in terms of the program, and the verdict.
//!
//! Invariant: *violated* is what the concrete core did. A run that it does not do gives no verdict.

use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, Nondeterminism};
use kripke_explicit::Path;
use kripke_model::{Argument, Open, Place, Property, PropertyResult, Reason, Step, StepKind, Trace, Verdict};

use super::examine::Examination;
use super::properties::{Given, Question};
use super::{torn, trace};
use crate::failure::Failure;

impl Examination<'_> {
    /// The verdict that a run shows; none if the chip does not do it, nor one like it.
    ///
    /// A run of an abstraction is made concrete first: with inputs that have values where they are used, then
    /// where they are read.
    pub(super) fn violation(
        &mut self,
        property: &Given,
        micro: &mut Micro,
        first_atom: usize,
        path: &Path,
        lasso: trace::Loop,
    ) -> Result<Option<Verdict>, Failure> {
        if !micro.is_abstract() {
            let layout = micro.memory_layout();
            let verdict = match trace::unfolded(micro, path, lasso) {
                Some(whole) => self.shown(property, micro, first_atom, &whole),
                None => Ok(None),
            };
            micro.restore_layout(layout);
            let verdict = verdict?;
            if verdict.is_some() || micro.options().nondeterminism == Nondeterminism::Immediate {
                return Ok(verdict);
            }
        }
        let (layout, options) = (micro.memory_layout(), micro.options().clone());
        let verdict = match trace::unfolded(micro, path, lasso) {
            Some(whole) => self.made_concrete(property, micro, first_atom, &whole),
            None => Ok(None),
        };
        micro.set_options(options);
        micro.restore_layout(layout);
        verdict
    }

    /// The verdict that a run shows which an abstraction stands for.
    fn made_concrete(
        &mut self,
        property: &Given,
        micro: &mut Micro,
        first_atom: usize,
        whole: &trace::Whole,
    ) -> Result<Option<Verdict>, Failure> {
        let options = micro.options().clone();
        let modes: &[bool] = if micro.is_abstract() {
            &[false, true]
        } else {
            &[true]
        };
        for exact in modes {
            micro.set_options(options.clone());
            match whole.concretise(micro, *exact) {
                Ok(run) => {
                    let verdict = self.shown(property, micro, first_atom, &run)?;
                    if verdict.is_some() {
                        return Ok(verdict);
                    }
                }
                Err(blamed) => {
                    self.blamed.instructions.extend(blamed.instructions);
                    self.blamed.bytes.extend(blamed.bytes);
                    self.blamed.results.extend(blamed.results);
                }
            }
        }
        Ok(None)
    }

    /// The verdict that a run with all its steps shows; none if the chip does not do it.
    fn shown(
        &mut self,
        property: &Given,
        micro: &mut Micro,
        first_atom: usize,
        whole: &trace::Whole,
    ) -> Result<Option<Verdict>, Failure> {
        let run = trace::follow(micro, self.firmware, (first_atom, &property.atom_texts), whole)?;
        let message = match property.question {
            Question::Fault(Fault::TornAccess) => torn::message(self.firmware, micro, &whole.path),
            Question::Fault(fault) => fault.description().to_owned(),
            _ => "the formula is false here".to_owned(),
        };
        let Some(run) = run.filter_real() else {
            return Ok(None);
        };
        if self.wanted.waveform && self.made.waveform.is_none() {
            let waveform = run.waveform(micro, self.firmware);
            let waveform = waveform.map_err(|error| Failure::Internal(error.to_string()))?;
            self.made.waveform = Some(waveform);
        }
        Ok(Some(violated(&property.name, run.trace, &message)))
    }

    /// Violated, and no single run shows it; none if the chip does not go the way to where several are
    /// needed.
    pub(super) fn refuted(
        &mut self,
        property: &Given,
        micro: &mut Micro,
        path: &Path,
    ) -> Result<Option<Verdict>, Failure> {
        let message =
            "the formula is false, and it takes more than one run to show why (--evidence FILE draws them)";
        if path.states.len() < 2 {
            return Ok(Some(violated(&property.name, Trace::default(), message)));
        }
        let layout = micro.memory_layout();
        let run = match trace::unfolded(micro, path, None) {
            Some(whole) => trace::follow(micro, self.firmware, (0, &property.atom_texts), &whole).map(Some),
            None => Ok(None),
        };
        micro.restore_layout(layout);
        let run = run?.and_then(trace::Run::filter_real);
        Ok(run.map(|run| violated(&property.name, run.trace, message)))
    }

    /// What is asked, as it stands in a report.
    pub(super) fn property(&self, given: &Given) -> Property {
        Property {
            id: given.name.clone(),
            kind: given.question.kind(),
            description: given.text.clone(),
            place: Place {
                file: self.firmware.path.to_string_lossy().into_owned(),
                ..Place::default()
            },
        }
    }

    pub(super) fn push(&mut self, property: &Given, verdict: Verdict) {
        let is_fault = matches!(property.question, Question::Fault(_));
        let last = match &verdict {
            Verdict::Violated { trace } => trace.steps.last(),
            _ => None,
        };
        let mut asked = self.property(property);
        if let Some(step) = last {
            if is_fault || step.place.line > 0 {
                asked.place = step.place.clone();
            }
            if let (true, StepKind::Violation { message, .. }) = (is_fault, &step.kind) {
                asked.description = message.clone();
            }
        }
        let is_limit = matches!(
            verdict,
            Verdict::Unknown {
                reason: Reason::Time | Reason::Memory | Reason::States { .. } | Reason::Interrupted
            }
        );
        let mut result = PropertyResult::new(asked, verdict);
        if let (true, Some(explosion)) = (is_limit, &self.explosion) {
            result.open = Some(Open {
                explosion: Some(explosion.clone()),
                ..Open::default()
            });
        }
        self.events.settled(&result);
        self.report.results.push(result);
    }
}

pub(super) fn unsupported(what: &str) -> Verdict {
    Verdict::Unknown {
        reason: Reason::Unsupported {
            what: what.to_owned(),
            place: String::new(),
        },
    }
}

pub(super) fn complete(states: u64) -> Verdict {
    Verdict::Holds {
        argument: Argument::CompleteExploration { states },
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
