//! The first run of a report as a graph for Graphviz.
//!
//! Idea: what a thread or handler does at a line, without a step elsewhere in between, is one node; each
//! thread and each handler has a column of its own, and a run that goes on for ever has an edge back to where
//! it repeats.
//!
//! Invariant: the nodes are in the order of the run; of a long run those that matter most are kept.

use std::fmt::Write;

use kripke_graph::dot::{escaped, quoted};
use kripke_model::{StepKind, Trace};

use crate::entries::Document;
use crate::lanes::{Lanes, lanes};
use crate::source::Sources;
use crate::thin::chosen;
use crate::trace_text::step_text;

/// The most steps that are drawn: Graphviz takes a minute for some thousands.
const STEPS: usize = 500;

/// Consecutive steps of one lane at one line.
struct Node {
    lane: usize,
    steps: Vec<usize>,
}

/// The graph of the first run of the document, if there is a run.
pub fn render(document: &Document) -> Option<String> {
    let trace = document.entries.iter().find_map(|entry| entry.trace)?;
    Some(graph(trace, document.sources))
}

fn graph(trace: &Trace, sources: &Sources) -> String {
    let lanes = lanes(trace);
    let nodes = nodes(trace, &lanes);
    let inputs = inputs(trace);
    let mut out = String::from("digraph run {\n  node [shape=box, fontname=monospace, fontsize=10];\n");
    for (lane, name) in lanes.names.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{lane} {{\n    label={};", quoted(name));
        for (index, node) in nodes.iter().enumerate().filter(|(_, node)| node.lane == lane) {
            let colour = if is_violation(trace, node) {
                ", color=red, penwidth=2"
            } else {
                ""
            };
            let label = label(trace, node, &inputs, sources);
            let _ = writeln!(out, "    n{index} [label=\"{label}\"{colour}];");
        }
        out.push_str("  }\n");
    }
    for index in 1..nodes.len() {
        let _ = writeln!(out, "  n{} -> n{index};", index - 1);
    }
    if let Some(start) = trace.loop_start {
        let repeats = nodes.iter().position(|node| node.steps.last() >= Some(&start));
        if let (Some(first), Some(last)) = (repeats, nodes.len().checked_sub(1)) {
            let _ = writeln!(out, "  n{last} -> n{first} [label=\"for ever\", style=bold];");
        }
    }
    out.push_str("}\n");
    out
}

fn nodes(trace: &Trace, lanes: &Lanes) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let line = |index: usize| {
        let place = &trace.steps[index].place;
        (&place.file, place.line, &place.function)
    };
    for index in chosen(trace, STEPS) {
        let lane = lanes.of[index];
        let begins = trace.loop_start == Some(index);
        match nodes.last_mut() {
            Some(node) if !begins && node.lane == lane && line(node.steps[0]) == line(index) => {
                node.steps.push(index);
            }
            _ => nodes.push(Node {
                lane,
                steps: vec![index],
            }),
        }
    }
    nodes
}

/// How many inputs have been read after each step.
fn inputs(trace: &Trace) -> Vec<usize> {
    let is_input = |kind: &StepKind| matches!(kind, StepKind::Input { .. });
    let counted = trace.steps.iter().scan(0, |count, step| {
        *count += usize::from(is_input(&step.kind));
        Some(*count)
    });
    counted.collect()
}

fn is_violation(trace: &Trace, node: &Node) -> bool {
    let is_violation = |step: &usize| matches!(trace.steps[*step].kind, StepKind::Violation { .. });
    node.steps.iter().any(is_violation)
}

/// The line and its text, and what happens there.
fn label(trace: &Trace, node: &Node, inputs: &[usize], sources: &Sources) -> String {
    let place = &trace.steps[node.steps[0]].place;
    let mut label = String::new();
    if place.line > 0 {
        let text = sources.line(&place.file, place.line).unwrap_or_default();
        let head = format!("{}:{}  {}", sources.display(&place.file), place.line, text.trim());
        let _ = write!(label, "{}\\l", escaped(&head));
    }
    for &index in &node.steps {
        let text = step_text(&trace.steps[index], inputs[index]);
        if !text.is_empty() {
            let _ = write!(label, "  {}\\l", escaped(&text));
        }
    }
    label
}
