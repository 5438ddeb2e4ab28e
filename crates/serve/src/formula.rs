//! What there is to say about a formula while it is typed: whether it can be read, its class, the verdicts
//! that there can be, and its parts.
//!
//! Idea: the parser and the classification of `kripke ltl`, and for firmware the parser of atoms, answer
//! within a keystroke; only atoms of C programs wait for clang in a check.
//!
//! Invariant: what is called right here is what a check takes, as far as it can be told without clang.

use kripke_avr::atom::Atom;
use kripke_check::firmware::Firmware;
use kripke_logic::{
    BinaryOperator, Formula, FormulaId, Formulas, FourValued, Logic, Node, Options, Quantifier,
    UnaryOperator, describe, parse,
};
use serde_json::{Value, json};

use crate::edit::Form;

/// Larger formulas are not classified while they are typed.
const LARGEST: usize = 60;

/// The answer for the page. Places are offsets in characters.
pub fn examine(form: Form, text: &str, firmware: Option<&Firmware>) -> Value {
    let place = |at: usize| {
        let at = (0..=at.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        text[..at.unwrap_or(0)].encode_utf16().count()
    };
    if matches!(form, Form::Id) {
        return json!({ "ok": true, "class": "a property of the program, by its id" });
    }
    let parsed = match parse(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            return json!({
                "ok": false,
                "message": error.message,
                "hint": error.hint,
                "start": place(error.span.start),
                "end": place(error.span.end),
            });
        }
    };
    let formula = parsed.formula;
    if let Some(message) = wrong_logic(form, formula.logic()) {
        return json!({ "ok": false, "message": message });
    }
    if let Some(firmware) = firmware
        && let Some((message, atom, offset)) = wrong_atom(&formula, firmware)
    {
        let start = text.find(&atom).map_or(0, |at| at + offset.min(atom.len()));
        return json!({ "ok": false, "message": message, "start": place(start), "end": place(start + 1) });
    }
    let mut warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
    let (class, explanation, verdicts) = class(form, &formula, firmware.is_some(), &mut warnings);
    json!({
        "ok": true,
        "class": class,
        "explanation": explanation,
        "verdicts": verdicts,
        "warnings": warnings,
        "nodes": nodes(&formula),
    })
}

fn wrong_logic(form: Form, logic: Logic) -> Option<&'static str> {
    match (form, logic) {
        (Form::Invariant, logic) if logic != Logic::Propositional => {
            Some("an invariant has no temporal operators; make it CTL or LTL")
        }
        (Form::Ctl, Logic::Ltl) => {
            Some("every temporal operator of CTL needs A or E before it; or make it LTL")
        }
        (Form::Ctl | Form::Ltl, Logic::Mixed) => Some(
            "this mixes CTL and LTL: each temporal operator needs a quantifier of its own, or none has one",
        ),
        (Form::Ltl, Logic::Ctl) => Some("a formula with path quantifiers (A, E) is CTL"),
        _ => None,
    }
}

/// The first atom that means nothing, what is wrong with it, and where in it.
fn wrong_atom(formula: &Formula, firmware: &Firmware) -> Option<(String, String, usize)> {
    formula.atoms().iter().find_map(|(_, atom)| {
        let error = Atom::parse(&atom.text, firmware.names(false)).err()?;
        Some((error.to_string(), atom.text.clone(), error.offset))
    })
}

/// The class, what it means, and the verdicts that there can be.
fn class(
    form: Form,
    formula: &Formula,
    is_firmware: bool,
    warnings: &mut Vec<String>,
) -> (String, String, Vec<&'static str>) {
    let three = vec!["holds", "violated", "unknown"];
    if matches!(form, Form::Ctl) {
        let (name, text) = branching(formula);
        return (name.to_owned(), text.to_owned(), three);
    }
    if matches!(form, Form::Invariant) {
        let text = "true in every reachable state; a violation is a finite run";
        return ("invariant".to_owned(), text.to_owned(), three);
    }
    if formula.size() > LARGEST {
        return (
            "linear time".to_owned(),
            "too large to be classified here".to_owned(),
            three,
        );
    }
    match describe(formula, &Options::default()) {
        Err(error) => ("linear time".to_owned(), error.to_string(), three),
        Ok(report) => {
            warnings.extend(report.warnings);
            let known = report.classification;
            let verdicts = match is_firmware {
                true => three,
                false => [
                    (FourValued::True, "holds"),
                    (FourValued::PresumablyTrue, "presumably holds"),
                    (FourValued::PresumablyFalse, "presumably violated"),
                    (FourValued::False, "violated"),
                ]
                .into_iter()
                .filter(|(value, _)| known.can_be(*value) != Some(false))
                .map(|(_, name)| name)
                .collect(),
            };
            (
                known.class.name().to_owned(),
                known.class.explanation().to_owned(),
                verdicts,
            )
        }
    }
}

/// Which part of CTL a formula belongs to.
fn branching(formula: &Formula) -> (&'static str, &'static str) {
    let only = |quantifier| asks_only(&formula.store, formula.root, quantifier, true);
    match (only(Quantifier::ForAll), only(Quantifier::Exists)) {
        (true, true) => (
            "state formula",
            "about initial states only: it has no temporal operator",
        ),
        (true, false) => (
            "ACTL",
            "about all runs: a violation is a run, and what holds of an abstraction holds",
        ),
        (false, true) => (
            "ECTL",
            "some run has to exist: where it holds, there is a run that shows it",
        ),
        (false, false) => ("CTL", "about all runs and about some: evidence is a tree"),
    }
}

/// Whether every quantifier is this one, once negations are moved to the atoms.
fn asks_only(store: &Formulas, id: FormulaId, wanted: Quantifier, positive: bool) -> bool {
    let both = |id| asks_only(store, id, wanted, true) && asks_only(store, id, wanted, false);
    match store.node(id) {
        Node::Not(inner) => asks_only(store, *inner, wanted, !positive),
        Node::Implies(a, b) => {
            asks_only(store, *a, wanted, !positive) && asks_only(store, *b, wanted, positive)
        }
        Node::Iff(a, b) | Node::Xor(a, b) => both(*a) && both(*b),
        Node::Path(quantifier, inner) => {
            (*quantifier == wanted) == positive && asks_only(store, *inner, wanted, positive)
        }
        other => other
            .children()
            .into_iter()
            .all(|child| asks_only(store, child, wanted, positive)),
    }
}

/// The subformulas, each after its parts: operator, text and the places of the parts.
fn nodes(formula: &Formula) -> Vec<Value> {
    let all = formula.store.subformulas(formula.root);
    if all.len() > LARGEST {
        return Vec::new();
    }
    let place = |id: &FormulaId| all.iter().position(|other| other == id);
    let node = |id: &FormulaId| {
        let part = Formula {
            store: formula.store.clone(),
            root: *id,
        };
        let node = formula.store.node(*id);
        let atom = match node {
            Node::Atom(atom) => Some(format!("{{{}}}", formula.atoms().get(*atom).text)),
            _ => None,
        };
        json!({
            "operator": operator(node),
            "text": part.to_string(),
            "atom": atom,
            "parts": node.children().iter().filter_map(place).collect::<Vec<_>>(),
        })
    };
    all.iter().map(node).collect()
}

fn operator(node: &Node) -> &'static str {
    match node {
        Node::Constant(true) => "true",
        Node::Constant(false) => "false",
        Node::Atom(_) => "atom",
        Node::Not(_) => "not",
        Node::And(_) => "and",
        Node::Or(_) => "or",
        Node::Xor(..) => "xor",
        Node::Implies(..) => "implies",
        Node::Iff(..) => "iff",
        Node::Unary(UnaryOperator::Next, _) => "X",
        Node::Unary(UnaryOperator::Finally, _) => "F",
        Node::Unary(UnaryOperator::Globally, _) => "G",
        Node::Binary(BinaryOperator::Until, ..) => "U",
        Node::Binary(BinaryOperator::WeakUntil, ..) => "W",
        Node::Binary(BinaryOperator::Release, ..) => "R",
        Node::Binary(BinaryOperator::StrongRelease, ..) => "M",
        Node::Path(..) => "path",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_their_class() {
        let check = |form: Form, text: &str, class: &str| {
            let answer = examine(form, text, None);
            assert_eq!(answer["class"], class, "{text}: {answer}");
        };
        check(Form::Ltl, "G({a} -> F {b})", "liveness");
        check(Form::Ltl, "G {a}", "safety");
        check(Form::Ctl, "AG({a} -> AF {b})", "ACTL");
        check(Form::Ctl, "!AG {a}", "ECTL");
        check(Form::Ctl, "AG EF {a}", "CTL");
        check(Form::Invariant, "{a} && !{b}", "invariant");
        assert_eq!(
            examine(Form::Ltl, "G {a}", None)["verdicts"],
            json!(["presumably holds", "violated"])
        );
    }

    #[test]
    fn mistakes_are_placed() {
        let check = |form: Form, text: &str, start: Option<u64>| {
            let answer = examine(form, text, None);
            assert_eq!(answer["ok"], false, "{text}: {answer}");
            assert_eq!(answer["start"].as_u64(), start, "{text}: {answer}");
        };
        check(Form::Ltl, "G({ä} -> )", Some(9));
        check(Form::Invariant, "G {a}", None);
        check(Form::Ltl, "AG {a}", None);
        check(Form::Ctl, "G {a}", None);
    }

    #[test]
    fn parts_come_before_what_they_are_part_of() {
        let nodes = examine(Form::Ltl, "G({a} -> F {b})", None)["nodes"].clone();
        let nodes = nodes.as_array().expect("nodes");
        assert_eq!(nodes.last().expect("the formula")["operator"], "G");
        for (place, node) in nodes.iter().enumerate() {
            let parts = node["parts"].as_array().expect("parts");
            assert!(
                parts.iter().all(|part| part.as_u64() < Some(place as u64)),
                "{node}"
            );
        }
    }
}
