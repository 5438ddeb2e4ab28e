//! The automaton that reductions work on: labels as decision diagrams, acceptance marks on edges.
//!
//! A run is accepting when it takes edges of every mark infinitely often; with no mark, every infinite run
//! is. A graph is *state-based* when it has one mark and each state's edges all carry it or none does: that
//! is a Büchi automaton. Marks on edges that no cycle contains mean nothing.

use crate::bdd::{Bdd, Bdds};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    pub(crate) marks: u64,
    pub(crate) label: Bdd,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) initial: u32,
    pub(crate) mark_count: u32,
}

/// Strongly connected components. Component numbers are a reverse topological order: edges never lead to a
/// component with a greater number.
pub(crate) struct Components {
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn all_marks(&self) -> u64 {
        ((1u128 << self.mark_count) - 1) as u64
    }

    /// Whether a state of a state-based graph is accepting.
    pub(crate) fn is_accepting(&self, state: usize) -> bool {
        self.edges[state].first().is_some_and(|edge| edge.marks & 1 == 1)
    }

    /// How big it is, for choosing among equivalent graphs: states, then edges.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.len(), self.edges.iter().map(Vec::len).sum())
    }

    /// Joins edges that differ in their labels only, and drops those without letters.
    pub(crate) fn merge_parallel(&mut self, bdds: &mut Bdds) {
        for edges in &mut self.edges {
            edges.sort_unstable();
            let mut merged: Vec<Edge> = Vec::with_capacity(edges.len());
            for &edge in edges.iter().filter(|edge| edge.label != Bdd::FALSE) {
                match merged.last_mut() {
                    Some(last) if (last.target, last.marks) == (edge.target, edge.marks) => {
                        last.label = bdds.or(last.label, edge.label);
                    }
                    _ => merged.push(edge),
                }
            }
            *edges = merged;
        }
    }

    /// Keeps some states and renumbers them in breadth-first order from the initial one. The initial state
    /// stays even when it is not kept, without edges.
    pub(crate) fn restrict(&mut self, keep: impl Fn(usize) -> bool) {
        const UNSEEN: u32 = u32::MAX;
        let mut number = vec![UNSEEN; self.len()];
        let mut order = vec![self.initial as usize];
        number[self.initial as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            at += 1;
            if !keep(state) {
                self.edges[state].clear();
            }
            for edge in &self.edges[state] {
                let target = edge.target as usize;
                if keep(target) && number[target] == UNSEEN {
                    number[target] = order.len() as u32;
                    order.push(target);
                }
            }
        }
        let mut old = std::mem::take(&mut self.edges);
        self.edges = order
            .into_iter()
            .map(|state| {
                let mut edges = std::mem::take(&mut old[state]);
                edges.retain(|edge| number[edge.target as usize] != UNSEEN);
                for edge in &mut edges {
                    edge.target = number[edge.target as usize];
                }
                edges
            })
            .collect();
        self.initial = 0;
    }

    /// Strongly connected components. Only edges for which `follow` holds count.
    pub(crate) fn components_by(&self, follow: impl Fn(usize, &Edge) -> bool) -> Components {
        let found = kripke_graph::components(self.len(), 0..self.len(), |state, position| {
            match self.edges[state].get(position) {
                None => kripke_graph::Edge::End,
                Some(edge) if follow(state, edge) => kripke_graph::Edge::To(edge.target as usize),
                Some(_) => kripke_graph::Edge::Skipped,
            }
        });
        let mut of = vec![0; self.len()];
        for (component, members) in found.iter().enumerate() {
            for member in members {
                of[*member] = component as u32;
            }
        }
        Components {
            of,
            count: found.len(),
        }
    }

    pub(crate) fn components(&self) -> Components {
        self.components_by(|_, _| true)
    }

    /// For each component: the union of the marks inside it, or `None` when it has no cycle.
    pub(crate) fn cycle_marks(&self, components: &Components) -> Vec<Option<u64>> {
        let mut marks: Vec<Option<u64>> = vec![None; components.count];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                let component = components.of[state];
                if component == components.of[edge.target as usize] {
                    *marks[component as usize].get_or_insert(0) |= edge.marks;
                }
            }
        }
        marks
    }

    /// The states from which some word is accepted.
    pub(crate) fn live_states(&self) -> Vec<bool> {
        let components = self.components();
        let marks = self.cycle_marks(&components);
        let all = self.all_marks();
        let mut live: Vec<bool> = marks.iter().map(|marks| *marks == Some(all)).collect();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.count];
        for (state, &component) in components.of.iter().enumerate() {
            members[component as usize].push(state);
        }
        for component in 0..components.count {
            live[component] |= members[component]
                .iter()
                .flat_map(|&state| &self.edges[state])
                .any(|edge| live[components.of[edge.target as usize] as usize]);
        }
        components
            .of
            .iter()
            .map(|&component| live[component as usize])
            .collect()
    }

    /// Removes what is unreachable and what accepts nothing. An empty language leaves one state without
    /// edges.
    pub(crate) fn trim(&mut self) {
        let live = self.live_states();
        self.restrict(|state| live[state]);
    }

    /// Restricts every label to the letters that can occur.
    pub(crate) fn restrict_letters(&mut self, letters: Bdd, bdds: &mut Bdds) {
        for edge in self.edges.iter_mut().flatten() {
            edge.label = bdds.and(edge.label, letters);
        }
        self.merge_parallel(bdds);
        self.trim();
    }
}
