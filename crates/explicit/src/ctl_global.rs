//! CTL by labelling all states, subformula by subformula.
//!
//! Source: Clarke, Emerson and Sistla 1986; EU and AU in time linear in the edges, by walking
//! predecessors (AU with a count of the successors that are still open).

use kripke_model::KripkeStructure;

use crate::ctl::{CtlFormula, CtlNode};
use crate::limits::{Limits, Stopped};
use crate::state_graph::{Predecessors, StateGraph};
use crate::state_store::StateId;

/// The answer, with the graph it was found on.
pub struct GlobalResult {
    /// Whether the formula holds in every initial state.
    pub holds: bool,
    /// All states.
    pub graph: StateGraph,
    /// For each node of the normal form, the states where it holds.
    pub(crate) satisfied: Vec<Vec<bool>>,
    root: usize,
}

impl GlobalResult {
    /// Whether the formula holds in a state.
    pub fn holds_in(&self, state: StateId) -> bool {
        self.satisfied[self.root][state.index()]
    }
}

/// Checks a formula by exploring everything first.
pub fn check_ctl_global<M: KripkeStructure>(
    model: &mut M,
    formula: &CtlFormula,
    limits: &Limits,
) -> Result<GlobalResult, Stopped> {
    let graph = StateGraph::explore(model, limits)?;
    let predecessors = graph.predecessors();
    let mut satisfied: Vec<Vec<bool>> = Vec::new();
    for node in &formula.nodes {
        let states = label(&graph, &predecessors, &satisfied, node);
        satisfied.push(states);
    }
    let holds = satisfied[formula.root][..graph.initial]
        .iter()
        .all(|&holds| holds);
    Ok(GlobalResult {
        holds,
        graph,
        satisfied,
        root: formula.root,
    })
}

fn label(
    graph: &StateGraph,
    predecessors: &Predecessors,
    satisfied: &[Vec<bool>],
    node: &CtlNode,
) -> Vec<bool> {
    let pairwise = |a: usize, b: usize, join: fn(bool, bool) -> bool| {
        satisfied[a]
            .iter()
            .zip(&satisfied[b])
            .map(|(&a, &b)| join(a, b))
            .collect()
    };
    match node {
        CtlNode::Proposition(p) => graph.labels.iter().map(|&labels| p.holds(labels)).collect(),
        CtlNode::Not(a) => satisfied[*a].iter().map(|holds| !holds).collect(),
        CtlNode::And(a, b) => pairwise(*a, *b, |a, b| a && b),
        CtlNode::Or(a, b) => pairwise(*a, *b, |a, b| a || b),
        CtlNode::ExistsNext(a) => (0..graph.len())
            .map(|state| {
                graph
                    .successors(StateId::new(state))
                    .iter()
                    .any(|(to, _)| satisfied[*a][to.index()])
            })
            .collect(),
        CtlNode::ExistsUntil(a, b) => exists_until(graph, predecessors, &satisfied[*a], &satisfied[*b]),
        CtlNode::AllUntil(a, b) => all_until(graph, predecessors, &satisfied[*a], &satisfied[*b]),
    }
}

fn goals(states: &[bool]) -> Vec<StateId> {
    (0..states.len())
        .filter(|&state| states[state])
        .map(StateId::new)
        .collect()
}

fn exists_until(
    graph: &StateGraph,
    predecessors: &Predecessors,
    first: &[bool],
    second: &[bool],
) -> Vec<bool> {
    debug_assert_eq!(first.len(), graph.len());
    let mut holds = second.to_vec();
    let mut open = goals(second);
    while let Some(state) = open.pop() {
        for &before in predecessors.of(state) {
            if first[before.index()] && !holds[before.index()] {
                holds[before.index()] = true;
                open.push(before);
            }
        }
    }
    holds
}

fn all_until(graph: &StateGraph, predecessors: &Predecessors, first: &[bool], second: &[bool]) -> Vec<bool> {
    let mut holds = second.to_vec();
    let mut open = goals(second);
    let mut remaining: Vec<u32> = (0..graph.len())
        .map(|state| graph.successors(StateId::new(state)).len() as u32)
        .collect();
    while let Some(state) = open.pop() {
        for &before in predecessors.of(state) {
            let index = before.index();
            remaining[index] -= 1;
            if remaining[index] == 0 && first[index] && !holds[index] {
                holds[index] = true;
                open.push(before);
            }
        }
    }
    holds
}
