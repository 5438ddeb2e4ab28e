//! The answer to one question under one abstraction: the checkers of [`kripke_explicit`] called.
//!
//! Invariant: evidence for a CTL formula was checked by [`CtlEvidence::verify`], which was not there when it
//! was found; that a property holds is no answer where some run did what is not modelled.

use std::sync::atomic::Ordering;

use kripke_avr::atom::Atom;
use kripke_avr::micro::{Micro, Options, WhileOpen};
use kripke_explicit::{
    Captions, CtlEvidence, CtlFormula, Detail, LassoPath, Limits, Order, Path, Run as EvidenceRun, Stopped,
    check_ctl_local, check_invariant, check_ltl, explain_ctl,
};
use kripke_model::{Choice, Reason};

use super::examine::Examination;
use super::exploration::explore;
use super::load::Firmware;
use super::properties::{Given, Question};
use super::trace;

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

impl Examination<'_> {
    /// Asks one question under some options.
    pub(super) fn ask(
        &mut self,
        property: &Given,
        options: &Options,
        atoms: Vec<(Atom, WhileOpen)>,
    ) -> (Micro, Answer) {
        let firmware = self.firmware;
        let mut drawing = String::new();
        let wanted = self.is_drawn(property);
        let (micro, answer) = explore(
            firmware,
            options,
            atoms,
            self.start_of(property),
            &self.budget,
            |answer: &Result<Answer, Stopped>| answer.as_ref().err().cloned(),
            |micro, limits| run(firmware, property, micro, limits, wanted.then_some(&mut drawing)),
        );
        self.note_ends(&micro);
        if wanted {
            self.made.drawing = Some((property.name.clone(), drawing));
        }
        let answer = match answer {
            Ok(Answer::Holds { states }) => holding(&micro, states),
            Ok(answer) => answer,
            Err(stopped) => Answer::Open(stopped.reason),
        };
        (micro, answer)
    }

    /// Whether a property is the CTL formula whose evidence is drawn: the first one, if that is wanted.
    pub(super) fn is_drawn(&self, property: &Given) -> bool {
        let drawn = self.made.drawing.as_ref();
        let is_first = drawn.is_none_or(|(name, _)| *name == property.name);
        self.wanted.evidence && matches!(property.question, Question::Ctl(_)) && is_first
    }
}

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

/// That a property holds, unless some run did what is not modelled.
pub(super) fn holding(micro: &Micro, states: u64) -> Answer {
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
