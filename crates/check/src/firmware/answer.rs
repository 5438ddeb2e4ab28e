//! The answer to one question under one abstraction: the checkers of [`kripke_explicit`] called.
//!
//! Invariant: evidence for a CTL formula was checked by [`CtlEvidence::verify`], which was not there when it
//! was found; that a property holds is no answer where some run did what is not modelled, and nothing is an
//! answer that rests on what follows a fault which nobody checks ([`undefined`]).

use std::sync::atomic::Ordering;

use kripke_avr::atom::Atom;
use kripke_avr::micro::{Micro, Options, WhileOpen};
use kripke_explicit::{
    Captions, CtlEvidence, CtlFormula, Detail, LassoPath, Limits, LtlFormula, LtlResult, Order, Path,
    Run as EvidenceRun, Stopped, check_ctl_local, check_invariant, check_ltl, explain_ctl,
};
use kripke_model::{Choice, Reason};

use super::examine::Examination;
use super::exploration::explore;
use super::explosion::explosion;
use super::load::Firmware;
use super::properties::{Given, Question};
use super::{settled, trace, undefined};
use crate::failure::Failure;

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

/// An answer, as a checker found it.
struct Found {
    answer: Answer,
    /// It may change with what follows the ends of runs.
    rests_on_ends: bool,
}

impl Found {
    fn new(answer: Answer, rests_on_ends: bool) -> Self {
        Found {
            answer,
            rests_on_ends,
        }
    }
}

impl Examination<'_> {
    /// Asks one question under some options.
    pub(super) fn ask(
        &mut self,
        property: &Given,
        options: &Options,
        atoms: Vec<(Atom, WhileOpen)>,
    ) -> Result<(Micro, Answer), Failure> {
        let firmware = self.firmware;
        self.explosion = None;
        let mut drawing = String::new();
        let wanted = self.is_drawn(property);
        let (mut micro, answer) = explore(
            firmware,
            options,
            atoms,
            self.start_of(property),
            &self.budget,
            |answer: &Result<Found, Stopped>| answer.as_ref().err().cloned(),
            |micro, limits| run(firmware, property, micro, limits, wanted.then_some(&mut drawing)),
        );
        self.note_ends(&micro);
        if wanted {
            self.made.drawing = Some((property.name.clone(), drawing));
        }
        let answer = match answer {
            Ok(found) => self.defined(&micro, found)?,
            Err(stopped) => {
                self.explosion = explosion(&mut micro, firmware, &stopped);
                Answer::Open(stopped.reason)
            }
        };
        Ok((micro, answer))
    }

    /// What was found, unless it rests on what a run did that is not modelled, or on what follows a step
    /// behind which nothing is defined.
    fn defined(&mut self, micro: &Micro, found: Found) -> Result<Answer, Failure> {
        let Found {
            answer,
            rests_on_ends,
        } = found;
        match answer {
            Answer::Holds { states } if rests_on_ends => self.holding(micro, states),
            Answer::Holds { states } => Ok(modelled(micro, states)),
            answer @ (Answer::Violated { .. } | Answer::Refuted { .. }) if rests_on_ends => {
                let reason = self.any_end(micro)?;
                Ok(reason.map_or(answer, Answer::Open))
            }
            answer => Ok(answer),
        }
    }

    /// That a property of all runs holds, unless some run did what is not modelled, or what follows a fault
    /// that nobody checks could break it.
    pub(super) fn holding(&mut self, micro: &Micro, states: u64) -> Result<Answer, Failure> {
        Ok(match (modelled(micro, states), self.unchecked_end(micro)?) {
            (Answer::Holds { .. }, Some(reason)) => Answer::Open(reason),
            (answer, _) => answer,
        })
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
) -> Result<Found, Stopped> {
    match &property.question {
        question @ (Question::Invariant(_) | Question::Fault(_)) => {
            let holds = |labels| !question.fails(labels, 0);
            let result = check_invariant(micro, holds, Order::BreadthFirst, limits)?;
            let states = result.exploration.stored;
            Ok(match result.counterexample {
                None => Found::new(Answer::Holds { states }, true),
                Some(path) => Found::new(Answer::Violated { path, lasso: None }, false),
            })
        }
        Question::Ltl(formula) => run_ltl(micro, formula, limits),
        Question::Ctl(formula) => run_ctl(firmware, property, formula, micro, limits, drawing),
    }
}

/// Checks an LTL formula. A run that ends by a fault counts as violated only by what came before: what
/// follows is not defined.
fn run_ltl(micro: &mut Micro, formula: &LtlFormula, limits: &Limits) -> Result<Found, Stopped> {
    let result = check_ltl(micro, formula, limits)?;
    let Some(lasso) = &result.counterexample else {
        let rests_on_ends = settled::ltl_rests_on_ends(micro, formula, limits);
        return Ok(found(result, rests_on_ends));
    };
    if !undefined::ends_by_fault(micro, lasso) {
        return Ok(found(result, false));
    }
    if undefined::is_bad_prefix(micro, formula, &lasso.path) {
        let path = lasso.path.clone();
        return Ok(Found::new(Answer::Violated { path, lasso: None }, false));
    }
    match undefined::check_ltl_to_ends(micro, formula, limits) {
        Some(result) => {
            let result = result?;
            let holds = result.counterexample.is_none();
            Ok(found(result, holds))
        }
        None => Ok(found(result, true)),
    }
}

fn found(result: LtlResult, rests_on_ends: bool) -> Found {
    let states = result.exploration.stored;
    let answer = result.counterexample.map_or(Answer::Holds { states }, infinite);
    Found::new(answer, rests_on_ends)
}

fn run_ctl(
    firmware: &Firmware,
    property: &Given,
    formula: &CtlFormula,
    micro: &mut Micro,
    limits: &Limits,
    drawing: Option<&mut String>,
) -> Result<Found, Stopped> {
    let result = check_ctl_local(micro, formula, limits)?;
    let states = result.exploration.stored;
    if result.holds && drawing.is_none() && micro.undefined_steps().is_empty() {
        return Ok(Found::new(Answer::Holds { states }, false));
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
    let rests_on_ends = ctl_rests_on_ends(&evidence, micro, formula, limits)?;
    let answer = if result.holds {
        Answer::Holds { states }
    } else {
        match evidence.unfold() {
            Ok(EvidenceRun::Finite(path)) => Answer::Violated { path, lasso: None },
            Ok(EvidenceRun::Infinite(lasso)) => infinite(lasso),
            Err(path) => Answer::Refuted { path },
        }
    };
    Ok(Found::new(answer, rests_on_ends))
}

/// Whether evidence says something about what follows a step behind which nothing is defined. Where it leaves
/// a claim about all runs to the search, the proof of the claim tells, unless that is too large.
fn ctl_rests_on_ends(
    outline: &CtlEvidence,
    micro: &mut Micro,
    formula: &CtlFormula,
    limits: &Limits,
) -> Result<bool, Stopped> {
    if micro.undefined_steps().is_empty() {
        return Ok(false);
    }
    if let Some(rests) = undefined::evidence_rests_on_ends(outline, micro) {
        return Ok(rests);
    }
    let proof = explain_ctl(micro, formula, Detail::Proof, limits);
    let Ok(proof) = proof else { return Ok(true) };
    confirm(&proof, micro, formula, limits)?;
    Ok(undefined::evidence_rests_on_ends(&proof, micro).unwrap_or(true))
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
            sample: [].into(),
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
fn modelled(micro: &Micro, states: u64) -> Answer {
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
