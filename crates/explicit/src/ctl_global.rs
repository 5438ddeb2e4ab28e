//! CTL by labelling all states, subformula by subformula.
//!
//! Source: Clarke, Emerson and Sistla 1986; EU and AU in time linear in the edges, by walking
//! predecessors (AU with a count of the successors that are still open).

use kripke_limits::Limits;
use kripke_model::KripkeStructure;

use crate::ctl::{CtlFormula, CtlNode};
use crate::limits::Stopped;
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
    let predecessors = graph
        .predecessors()
        .map_err(|exhausted| graph.stopped(exhausted))?;
    let mut satisfied: Vec<Vec<bool>> = Vec::new();
    for node in &formula.nodes {
        if let Some(exhausted) = limits.exceeded() {
            return Err(graph.stopped(exhausted));
        }
        let states = graph
            .room_for_labels()
            .map_err(|exhausted| graph.stopped(exhausted))?;
        satisfied.push(label(&graph, &predecessors, &satisfied, node, states));
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

/// The states in which a node holds; `states` has room for them.
fn label(
    graph: &StateGraph,
    predecessors: &Predecessors,
    satisfied: &[Vec<bool>],
    node: &CtlNode,
    mut states: Vec<bool>,
) -> Vec<bool> {
    let mut pairwise = |a: usize, b: usize, join: fn(bool, bool) -> bool| {
        let pairs = satisfied[a].iter().zip(&satisfied[b]);
        states.extend(pairs.map(|(&a, &b)| join(a, b)));
    };
    match node {
        CtlNode::And(a, b) => pairwise(*a, *b, |a, b| a && b),
        CtlNode::Or(a, b) => pairwise(*a, *b, |a, b| a || b),
        CtlNode::Proposition(p) => states.extend(graph.labels().map(|labels| p.holds(labels))),
        CtlNode::Not(a) => states.extend(satisfied[*a].iter().map(|holds| !holds)),
        CtlNode::ExistsNext(a) => states.extend((0..graph.len()).map(|state| {
            let mut next = graph.successors(StateId::new(state));
            next.any(|(to, _)| satisfied[*a][to.index()])
        })),
        CtlNode::ExistsUntil(a, b) => {
            states.extend_from_slice(&satisfied[*b]);
            exists_until(predecessors, &satisfied[*a], &mut states);
        }
        CtlNode::AllUntil(a, b) => {
            states.extend_from_slice(&satisfied[*b]);
            all_until(graph, predecessors, &satisfied[*a], &mut states);
        }
    }
    states
}

fn goals(states: &[bool]) -> Vec<StateId> {
    (0..states.len())
        .filter(|&state| states[state])
        .map(StateId::new)
        .collect()
}

/// Adds to the states where the second part holds those that lead to them.
fn exists_until(predecessors: &Predecessors, first: &[bool], holds: &mut [bool]) {
    let mut open = goals(holds);
    while let Some(state) = open.pop() {
        for before in predecessors.of(state) {
            if first[before.index()] && !holds[before.index()] {
                holds[before.index()] = true;
                open.push(before);
            }
        }
    }
}

/// Adds to the states where the second part holds those from which every path leads to them.
fn all_until(graph: &StateGraph, predecessors: &Predecessors, first: &[bool], holds: &mut [bool]) {
    let mut open = goals(holds);
    let mut remaining: Vec<usize> = (0..graph.len())
        .map(|state| graph.successors(StateId::new(state)).len())
        .collect();
    while let Some(state) = open.pop() {
        for before in predecessors.of(state) {
            let index = before.index();
            remaining[index] -= 1;
            if remaining[index] == 0 && first[index] && !holds[index] {
                holds[index] = true;
                open.push(before);
            }
        }
    }
}
