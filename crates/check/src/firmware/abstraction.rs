//! Under which abstraction a property is asked, and which answers are asked again.
//!
//! Idea: a property is asked under an abstraction that has few states. An answer that the abstraction may
//! have caused is not given: the property is asked again without abstraction ([`Examination::exactly`]).
//!
//! Invariant: delayed nondeterminism, values that stay unknown, the lazy stack, lazy interrupts and the
//! interrupt reduction add runs and take none away. So *holds* is good for properties of all runs, and a run
//! that the concrete core follows is good for any; what can be reached is said only by the exact runs.
//!
//! Source: sections 5.3 and 5.6 of Schlich's thesis.

use std::sync::Arc;
use std::time::Instant;

use kripke_avr::concrete::Blamed;
use kripke_avr::fault::Fault;
use kripke_avr::micro::{Micro, Nondeterminism, Options};
use kripke_explicit::Limits;
use kripke_model::{Reason, Verdict};

use super::answer::Answer;
use super::examine::Examination;
use super::properties::{Given, Question};
use super::refinement::Refinement;
use super::verdict::{complete, unsupported};
use crate::failure::Failure;
use crate::job::NondeterminismChoice;

impl Examination<'_> {
    /// The options under which a property is asked, as far as they are its own: what reductions change, no
    /// formula with X may see, and no drawing shows.
    fn options_for(&self, property: &Given, options: Options) -> Options {
        let keeps_steps = property.has_next || self.is_drawn(property);
        Options {
            path_reduction: options.path_reduction && !keeps_steps,
            interrupt_reduction: options.interrupt_reduction && !keeps_steps,
            dead_variable_reduction: options.dead_variable_reduction && !self.is_drawn(property),
            ..options
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
            abstract_values: self.options.abstract_values && delayed && is_universal,
            lazy_interrupts: self.options.lazy_interrupts && is_universal,
            interrupt_reduction: self.options.interrupt_reduction && is_universal,
            ..self.options.clone()
        }
    }

    /// The options under which nothing is added to what the chip does.
    fn exact_options(&self, property: &Given) -> Options {
        Options {
            nondeterminism: Nondeterminism::Immediate,
            abstract_values: false,
            decided_at: Arc::default(),
            widened: Arc::default(),
            widened_at: Arc::default(),
            lazy_stack: false,
            lazy_interrupts: false,
            interrupt_reduction: false,
            decide_at_reset: !matches!(property.question, Question::Fault(_)),
            ..self.options.clone()
        }
    }

    /// A temporal property.
    pub(super) fn temporal(&mut self, property: &Given) -> Result<(), Failure> {
        if property.question.is_about_states() {
            return Ok(());
        }
        self.options.fair = Arc::clone(&self.obligations);
        let verdict = if property.is_universal {
            // In a drawing each step says what was read in it.
            let options = self.first_options(!self.is_drawn(property));
            let options = self.options_for(property, options);
            self.universally(property, options)?
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

    /// The verdict on a property of all runs, under ever less abstraction; none where delayed nondeterminism
    /// is still too much.
    pub(super) fn universally(
        &mut self,
        property: &Given,
        mut options: Options,
    ) -> Result<Option<Verdict>, Failure> {
        let mut refinement = Refinement::default();
        self.blamed = Blamed::default();
        loop {
            let all = self.budget.clone();
            if options.abstract_values {
                self.budget = half(&all);
            }
            let asked = self.ask(property, &options, property.undetermined().collect());
            self.budget = all;
            let (mut micro, answer) = asked?;
            let is_limit = |reason: &Reason| matches!(reason, Reason::States { .. } | Reason::Time);
            if options.abstract_values && matches!(&answer, Answer::Open(reason) if is_limit(reason)) {
                refinement.give_up(&mut options);
                continue;
            }
            let verdict = self.universal(property, answer, &mut micro, 0)?;
            if verdict.is_some() || !options.abstract_values {
                return Ok(verdict);
            }
            refinement.refine(&mut options, std::mem::take(&mut self.blamed));
        }
    }

    /// The verdict that an answer under an abstraction is worth, for a property of all runs; none where the
    /// abstraction may have added the run.
    ///
    /// The property's atoms begin at `first_atom` of the labels.
    pub(super) fn universal(
        &mut self,
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
            Answer::Violated { path, lasso } => {
                match self.violation(property, micro, first_atom, &path, lasso)? {
                    None if micro.adds_handlers() => self.spaced(property, micro.options())?,
                    verdict => verdict,
                }
            }
        })
    }

    /// The verdict that a run shows in which an instruction comes between handlers that have waited; none
    /// where there is no such run, which says nothing.
    fn spaced(&mut self, property: &Given, options: &Options) -> Result<Option<Verdict>, Failure> {
        let options = Options {
            spaced_handlers: true,
            sharing: None,
            ..options.clone()
        };
        // One line of those that are watched is asked about, and this would find any.
        if options.watch.is_some() {
            return Ok(None);
        }
        let all = self.budget.clone();
        self.budget = half(&all);
        let asked = self.ask(property, &options, property.undetermined().collect());
        self.budget = all;
        match asked? {
            (mut micro, Answer::Violated { path, lasso }) => {
                self.violation(property, &mut micro, 0, &path, lasso)
            }
            _ => Ok(None),
        }
    }

    /// The verdict on a property that says what can be reached; none where the abstraction may be the reason
    /// for it.
    pub(super) fn existential(&mut self, property: &Given) -> Result<Option<Verdict>, Failure> {
        let options = self.options_for(property, self.first_options(false));
        let Some(open) = &property.pessimistic else {
            return Ok(None);
        };
        let atoms = property.atoms.iter().cloned().zip(open.iter().copied()).collect();
        let (mut micro, answer) = self.ask(property, &options, atoms)?;
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
    pub(super) fn exactly(&mut self, property: &Given) -> Result<Verdict, Failure> {
        let options = self.options_for(property, self.exact_options(property));
        let (mut micro, answer) = self.ask(property, &options, property.undetermined().collect())?;
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
}

/// Half of the time that is left.
fn half(all: &Limits) -> Limits {
    let now = Instant::now();
    let left = |deadline: Instant| deadline.saturating_duration_since(now);
    Limits {
        deadline: all.deadline.map(|deadline| now + left(deadline) / 2),
        ..all.clone()
    }
}
