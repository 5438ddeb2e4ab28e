//! The properties of a firmware: invariants, CTL and LTL formulas over atoms of C.

use kripke_avr::atom::{Atom, Names};
use kripke_avr::micro::MOST_ATOMS;
use kripke_explicit::{CtlFormula, LtlFormula, Proposition};
use kripke_logic::{Formula, FormulaId, Formulas, Logic, Node, Options, Quantifier};

use super::load::Firmware;
use crate::failure::Failure;
use crate::output;

/// A property that the user gave.
pub struct Given {
    pub name: String,
    /// As it was written.
    pub text: String,
    pub atoms: Vec<Atom>,
    pub question: Question,
    /// What holds on all runs of the abstraction holds on all runs of the chip.
    pub is_universal: bool,
}

/// What is asked.
pub enum Question {
    Invariant(Proposition),
    Ctl(CtlFormula),
    Ltl(LtlFormula),
}

/// The option that a property came by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Invariant,
    Ctl,
    Ltl,
}

impl Form {
    fn option(self) -> &'static str {
        match self {
            Form::Invariant => "--invariant",
            Form::Ctl => "--ctl",
            Form::Ltl => "--ltl",
        }
    }
}

/// Reads `NAME: FORMULA`, or a formula alone, which is then called after its form and number.
pub fn read(form: Form, text: &str, number: usize, firmware: &Firmware) -> Result<Given, Failure> {
    let (name, text) = match crate::temporal::split_name(text) {
        Some((name, formula)) => (name, formula),
        None => (
            format!("{}.{number}", &form.option()[2..]),
            text.trim().to_owned(),
        ),
    };
    let place = form.option();
    let bad = |message: String| Failure::input(format!("{place}: {message}"));
    let parsed = kripke_logic::parse(&text).map_err(|error| bad(error.to_string()))?;
    for warning in &parsed.warnings {
        output::note(&format!("{place}: warning: {warning}"));
    }
    let formula = parsed.formula;
    if formula.has_next() {
        output::note(&format!(
            "{place}: warning: X is about the next instruction, which changes whenever the program is compiled anew"
        ));
    }
    let atoms = atoms(&formula, firmware).map_err(bad)?;
    let question = match (form, formula.logic()) {
        (Form::Invariant, Logic::Propositional) => {
            let compiled = Proposition::compile(&formula.store, formula.root);
            Question::Invariant(compiled.ok_or_else(|| bad("not a state proposition".to_owned()))?)
        }
        (Form::Invariant, _) => {
            return Err(bad(
                "an invariant has no temporal operators; use --ctl or --ltl".to_owned()
            ));
        }
        (Form::Ctl, _) => Question::Ctl(CtlFormula::new(&formula).map_err(|error| bad(error.to_string()))?),
        (Form::Ltl, Logic::Ctl | Logic::Mixed) => {
            return Err(bad(
                "a formula with path quantifiers (A, E) is CTL; use --ctl".to_owned()
            ));
        }
        (Form::Ltl, _) => {
            let translated = LtlFormula::new(&formula, &Options::default());
            Question::Ltl(translated.map_err(|error| bad(error.to_string()))?)
        }
    };
    let is_universal = form != Form::Ctl || is_universal(&formula.store, formula.root, true);
    Ok(Given {
        name,
        text,
        atoms,
        question,
        is_universal,
    })
}

fn atoms(formula: &Formula, firmware: &Firmware) -> Result<Vec<Atom>, String> {
    let names = Names {
        debug: &firmware.debug,
        device: &firmware.device,
        image: &firmware.image,
    };
    let mut atoms = Vec::new();
    for (_, atom) in formula.atoms().iter() {
        let read = Atom::parse(&atom.text, names);
        atoms.push(
            read.map_err(|error| format!("in {{{}}}, column {}: {error}", atom.text, error.offset + 1))?,
        );
    }
    if atoms.len() > MOST_ATOMS {
        return Err(format!(
            "{} atoms are too many; {MOST_ATOMS} can be observed",
            atoms.len()
        ));
    }
    Ok(atoms)
}

/// Whether no path is asked for that has to exist (ACTL).
fn is_universal(store: &Formulas, id: FormulaId, positive: bool) -> bool {
    match store.node(id) {
        Node::Constant(_) | Node::Atom(_) => true,
        Node::Not(inner) => is_universal(store, *inner, !positive),
        Node::Implies(a, b) => is_universal(store, *a, !positive) && is_universal(store, *b, positive),
        Node::Iff(a, b) | Node::Xor(a, b) => [a, b]
            .into_iter()
            .all(|side| is_universal(store, *side, true) && is_universal(store, *side, false)),
        Node::Path(quantifier, inner) => {
            (*quantifier == Quantifier::ForAll) == positive && is_universal(store, *inner, positive)
        }
        other => other
            .children()
            .into_iter()
            .all(|child| is_universal(store, child, positive)),
    }
}
