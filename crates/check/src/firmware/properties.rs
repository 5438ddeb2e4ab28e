//! The properties of a firmware: invariants, CTL and LTL formulas over atoms of C, and the faults that are
//! checked without being asked.

use kripke_avr::atom::Atom;
use kripke_avr::fault::Fault;
use kripke_avr::micro::{MOST_ATOMS, WhileOpen, fault_label};
use kripke_explicit::{CtlFormula, LtlFormula, Proposition};
use kripke_logic::{Formula, FormulaId, Formulas, Logic, Node, Options, Quantifier};
use kripke_model::{Labels, PropertyKind};

use super::load::{Firmware, load};
use crate::checks::hint;
use crate::events::Events;
use crate::failure::Failure;
use crate::formulas;
use crate::job::{self, FirmwareJob, Form};

/// A property that the user gave, or a fault.
pub struct Given {
    pub name: String,
    /// As it was written.
    pub text: String,
    pub atoms: Vec<Atom>,
    /// The atoms as they were written.
    pub atom_texts: Vec<String>,
    /// The label of each atom while it is open with which the formula is not true too often; none where an
    /// atom occurs with and without negation.
    pub pessimistic: Option<Vec<WhileOpen>>,
    pub question: Question,
    /// What holds on all runs of the abstraction holds on all runs of the chip.
    pub is_universal: bool,
    /// Whether it speaks of single steps (X).
    pub has_next: bool,
    /// Whether its verdict is reported; else it is only there for what its search finds out.
    pub is_reported: bool,
}

impl Given {
    /// Its atoms, each true in one successor and false in another while it is open.
    pub fn undetermined(&self) -> impl Iterator<Item = (Atom, WhileOpen)> + '_ {
        let atoms = self.atoms.iter().cloned();
        atoms.map(|atom| (atom, WhileOpen::Either))
    }

    /// That a fault does not happen.
    pub fn fault(fault: Fault) -> Self {
        Self {
            name: fault.name().to_owned(),
            text: fault.description().to_owned(),
            atoms: Vec::new(),
            atom_texts: Vec::new(),
            pessimistic: None,
            question: Question::Fault(fault),
            is_universal: true,
            has_next: false,
            is_reported: true,
        }
    }
}

/// The formulas and errors that are checked: all of them, or those that the job selects.
pub fn selected(
    formulas: &[job::Formula],
    wanted: &FirmwareJob,
    firmware: &Firmware,
    events: &mut dyn Events,
) -> Result<(Vec<Given>, Vec<Fault>), Failure> {
    let mut given = given(formulas, wanted.statements, firmware, events)?;
    let mut faults = Fault::ALL.to_vec();
    if !wanted.faults {
        faults.clear();
    }
    let wanted = &wanted.selected;
    let names = || {
        let formulas = given.iter().map(|property| property.name.as_str());
        formulas.chain(faults.iter().map(|fault| fault.name()))
    };
    if let Some(unknown) = wanted.iter().find(|wanted| !names().any(|name| name == **wanted)) {
        let hint = hint(unknown, names());
        return Err(Failure::input(format!(
            "--property: there is no property '{unknown}'{hint}; --list-properties shows all"
        )));
    }
    if !wanted.is_empty() {
        given.retain(|property| wanted.contains(&property.name));
        faults.retain(|fault| wanted.iter().any(|wanted| wanted == fault.name()));
    }
    Ok((given, faults))
}

/// The names of the properties of a job, each with what it is about.
///
/// # Errors
/// If the image or a formula cannot be read.
pub fn list(
    formulas: &[job::Formula],
    wanted: &FirmwareJob,
    events: &mut dyn Events,
) -> Result<Vec<(String, String)>, Failure> {
    let firmware = load(&wanted.image, &wanted.device, events)?;
    let (given, faults) = selected(formulas, wanted, &firmware, events)?;
    let given = given.into_iter().map(|property| (property.name, property.text));
    let faults = faults
        .iter()
        .map(|fault| (fault.name().to_owned(), fault.description().to_owned()));
    Ok(given.chain(faults).collect())
}

/// The formulas of a job over what a firmware has.
fn given(
    formulas: &[job::Formula],
    statements: bool,
    firmware: &Firmware,
    events: &mut dyn Events,
) -> Result<Vec<Given>, Failure> {
    if statements {
        let is_invariant = |formula: &job::Formula| formula.form == Form::Invariant;
        if !formulas.iter().any(is_invariant) {
            return Err(Failure::input(
                "--at statements is about invariants; in other formulas at(FILE:LINE) names a line",
            ));
        }
        if firmware.debug.statements.is_empty() {
            return Err(Failure::input(format!(
                "--at statements: {} has no line information; compile with -g",
                firmware.path.display()
            )));
        }
    }
    let read = formulas::read(formulas, events)?;
    read.into_iter()
        .map(|formula| property(formula, statements, firmware, events))
        .collect()
}

/// What is asked.
pub enum Question {
    Invariant(Proposition),
    Ctl(CtlFormula),
    Ltl(LtlFormula),
    Fault(Fault),
}

impl Question {
    /// Whether a state shows that the property fails; its atoms begin at that position of the labels.
    pub fn fails(&self, labels: Labels, first_atom: usize) -> bool {
        match self {
            Question::Invariant(proposition) => !proposition.holds(labels >> first_atom),
            Question::Fault(fault) => labels & fault_label(*fault) != 0,
            Question::Ctl(_) | Question::Ltl(_) => false,
        }
    }

    /// What the report calls the property.
    pub fn kind(&self) -> PropertyKind {
        match self {
            Question::Invariant(_) => PropertyKind::Invariant,
            Question::Ctl(_) => PropertyKind::Ctl,
            Question::Ltl(_) => PropertyKind::Ltl,
            Question::Fault(_) => PropertyKind::Firmware,
        }
    }

    /// Whether a single state shows that it fails.
    pub fn is_about_states(&self) -> bool {
        matches!(self, Question::Invariant(_) | Question::Fault(_))
    }
}

fn property(
    given: formulas::Given,
    statements: bool,
    firmware: &Firmware,
    events: &mut dyn Events,
) -> Result<Given, Failure> {
    let formulas::Given {
        form,
        place,
        name,
        text,
        mut formula,
    } = given;
    let bad = |message: String| Failure::input(format!("{place}: {message}"));
    if formula.has_next() {
        events.warning(&format!(
            "{place}: warning: X is about the next instruction, which changes whenever the program is \
             compiled anew"
        ));
    }
    let mut atoms = atoms(&formula, firmware).map_err(bad)?;
    let named = atoms.len();
    if statements && form == Form::Invariant {
        let begins = Atom::between_statements(&firmware.debug.statements, &firmware.device);
        let is_judged = formula
            .store
            .atoms
            .intern(kripke_logic::Atom::named(begins.text()));
        let is_judged = is_judged.filter(|_| atoms.len() < MOST_ATOMS);
        let is_judged = is_judged.ok_or_else(|| bad("there are too many atoms".to_owned()))?;
        let is_judged = formula.store.atom(is_judged);
        formula.root = formula.store.implies(is_judged, formula.root);
        atoms.push(begins);
    }
    for (atom, warning) in atoms.iter().filter_map(|atom| Some((atom, atom.warning()?))) {
        events.warning(&format!("{place}: warning: in {{{}}}: {warning}", atom.text()));
    }
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
        atom_texts: formula
            .atoms()
            .iter()
            .take(named)
            .map(|(_, atom)| atom.text.clone())
            .collect(),
        pessimistic: pessimistic(&formula, atoms.len()),
        atoms,
        question,
        is_universal,
        has_next: formula.has_next(),
        is_reported: true,
    })
}

fn atoms(formula: &Formula, firmware: &Firmware) -> Result<Vec<Atom>, String> {
    let mut atoms = Vec::new();
    for (_, atom) in formula.atoms().iter() {
        let read = Atom::parse(&atom.text, firmware.names(false));
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

/// For each atom the truth value that makes no formula true which is not, if there is one.
fn pessimistic(formula: &Formula, count: usize) -> Option<Vec<WhileOpen>> {
    let mut signs = vec![(false, false); count];
    note_signs(&formula.store, formula.root, (true, false), &mut signs);
    signs
        .into_iter()
        .map(|sign| match sign {
            (true, true) => None,
            (_, negative) => Some(WhileOpen::Is(negative)),
        })
        .collect()
}

/// Notes for each atom whether it stands under an even (first) and under an odd (second) number of negations.
fn note_signs(store: &Formulas, id: FormulaId, sign: (bool, bool), signs: &mut [(bool, bool)]) {
    let turned = (sign.1, sign.0);
    match store.node(id) {
        Node::Constant(_) => {}
        Node::Atom(atom) => {
            let known = &mut signs[atom.index()];
            *known = (known.0 | sign.0, known.1 | sign.1);
        }
        Node::Not(inner) => note_signs(store, *inner, turned, signs),
        Node::Implies(a, b) => {
            note_signs(store, *a, turned, signs);
            note_signs(store, *b, sign, signs);
        }
        Node::Iff(a, b) | Node::Xor(a, b) => {
            note_signs(store, *a, (true, true), signs);
            note_signs(store, *b, (true, true), signs);
        }
        other => {
            for child in other.children() {
                note_signs(store, child, sign, signs);
            }
        }
    }
}
