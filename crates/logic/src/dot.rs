//! Automata and monitors as Graphviz graphs.

use std::fmt::Write;

use kripke_graph::dot::escaped;

use crate::buchi::Buchi;
use crate::monitor::DeterministicMonitor;

/// The automaton; accepting states have two rings.
pub fn automaton(automaton: &Buchi, title: &str) -> String {
    let mut text = header(title);
    for (number, state) in automaton.states.iter().enumerate() {
        let shape = if state.accepting { "doublecircle" } else { "circle" };
        let _ = writeln!(text, "  s{number} [label=\"{number}\", shape={shape}];");
    }
    let _ = writeln!(text, "  start -> s{};", automaton.initial);
    for (number, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            let label = escaped(&edge.label.describe(&automaton.atoms));
            let _ = writeln!(text, "  s{number} -> s{} [label=\"{label}\"];", edge.target);
        }
    }
    text.push_str("}\n");
    text
}

/// The monitor; states with a definite value are boxes.
pub fn monitor(monitor: &DeterministicMonitor, title: &str) -> String {
    let mut text = header(title);
    for (number, state) in monitor.states.iter().enumerate() {
        let (label, shape) = match state.definite {
            Some(true) => ("⊤".to_string(), "box"),
            Some(false) => ("⊥".to_string(), "box"),
            None if state.presumably_true.is_all() => (format!("{number}\\n⊤ᵖ"), "circle"),
            None if state.presumably_true.is_none() => (format!("{number}\\n⊥ᵖ"), "circle"),
            None => {
                let letters = escaped(&state.presumably_true.describe(&monitor.atoms));
                (format!("{number}\\n⊤ᵖ after {letters}"), "ellipse")
            }
        };
        let _ = writeln!(text, "  s{number} [label=\"{label}\", shape={shape}];");
    }
    let _ = writeln!(text, "  start -> s{};", monitor.initial);
    for (number, state) in monitor.states.iter().enumerate() {
        for (label, target) in &state.edges {
            let label = escaped(&label.describe(&monitor.atoms));
            let _ = writeln!(text, "  s{number} -> s{target} [label=\"{label}\"];");
        }
    }
    text.push_str("}\n");
    text
}

fn header(title: &str) -> String {
    format!(
        "digraph automaton {{\n  label=\"{}\";\n  rankdir=LR;\n  start [shape=point];\n",
        escaped(title)
    )
}
