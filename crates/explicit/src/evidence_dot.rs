//! The evidence for a CTL formula as a graph for Graphviz.
//!
//! Idea: a node is a state with the parts of the formula that are true (`+`) and false (`-`) there, an edge a
//! step that one of them rests on. What was left to a search of all runs says so.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kripke_graph::dot::quoted;
use kripke_model::Choice;

use crate::ctl::{CtlFormula, CtlNode};
use crate::evidence::{CtlEvidence, Justification, Step};

/// How the parts of a drawing are called.
pub trait Captions {
    /// An atom, by its position in the labels.
    fn atom(&self, index: usize) -> String;
    /// A state.
    fn state(&self, state: &[u8]) -> String;
    /// A step.
    fn step(&mut self, from: &[u8], choice: Choice, to: &[u8]) -> String;
}

impl CtlEvidence {
    /// The graph.
    pub fn dot(&self, formula: &CtlFormula, captions: &mut impl Captions) -> String {
        let mut text = String::from(
            "digraph evidence {\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  edge \
             [fontname=\"monospace\"];\n",
        );
        let shown = shown_parts(formula);
        let mut claims: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut edges: BTreeMap<(usize, usize), Option<Choice>> = BTreeMap::new();
        for obligation in &self.obligations {
            let said = claims.entry(obligation.state).or_default();
            if shown[obligation.node] {
                let sign = if obligation.holds { '+' } else { '-' };
                let part = formula.part_text(obligation.node, &|atom| captions.atom(atom));
                let searched = match obligation.justification {
                    Justification::Searched => " (all runs searched)",
                    Justification::Labels | Justification::Links(_) => "",
                };
                said.push(format!("{sign} {part}{searched}"));
            }
            if let Justification::Links(links) = &obligation.justification {
                for link in links {
                    let choice = match link.step {
                        Step::Here => continue,
                        Step::By(choice) => Some(choice),
                        Step::Stays => None,
                    };
                    edges.insert((obligation.state, self.obligations[link.to].state), choice);
                }
            }
        }
        let first: Vec<usize> = self
            .roots
            .iter()
            .map(|root| self.obligations[*root].state)
            .collect();
        for (state, said) in claims {
            let label = format!("{}\n{}", captions.state(&self.states[state]), said.join("\n"));
            let shape = if first.contains(&state) {
                ", penwidth=2"
            } else {
                ""
            };
            let _ = writeln!(text, "  s{state} [label={}{shape}];", quoted(&label));
        }
        for ((from, to), choice) in edges {
            let label = choice.map_or_else(
                || "stays".to_owned(),
                |choice| captions.step(&self.states[from], choice, &self.states[to]),
            );
            let _ = writeln!(text, "  s{from} -> s{to} [label={}];", quoted(&label));
        }
        text + "}\n"
    }
}

/// Of a negation and its operand, one is shown: `AG p` rather than `EF !p`, and `p` rather than `!p`.
fn shown_parts(formula: &CtlFormula) -> Vec<bool> {
    let mut shown = vec![true; formula.nodes.len()];
    for (node, part) in formula.nodes.iter().enumerate() {
        if let CtlNode::Not(inner) = part {
            shown[if formula.is_named_negation(*inner) {
                *inner
            } else {
                node
            }] = false;
        }
    }
    shown
}
