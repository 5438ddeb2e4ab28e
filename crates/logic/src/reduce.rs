//! Making automata smaller without changing their language.
//!
//! - *Marks*: edges on no cycle lose them; a component that no accepting run can stay in loses them; an edge
//!   gains a mark that every cycle through its component carries anyway; a mark implied by another goes.
//! - *Simulation*: t simulates s when each edge of s is covered, letter by letter, by edges of t with no
//!   fewer marks to states that simulate its target. States that simulate each other are merged, dominated
//!   edges lose letters. Etessami, Wilke and Schuller (ICALP 2001); Bustan and Grumberg (2003).
//! - *Transient states*: a state on no cycle joins one with the same successors, marks aside.
//! - *Backward simulation* merges states reached by the same words.
//!
//! Delayed and fair simulation were left out: after the steps above they gain little on formulas people
//! write.

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Bdds};
use crate::graph::{Edge, Graph};
use crate::simulation::{Simulation, backward, forward};

/// Above this, only states with equal edges are merged: simulation is quadratic in the states.
const SIMULATION_LIMIT: usize = 400;

impl Graph {
    /// Applies every reduction until nothing changes.
    pub(crate) fn reduce(&mut self, bdds: &mut Bdds, state_based: bool) {
        self.merge_parallel(bdds);
        self.trim();
        loop {
            let before = self.size();
            if state_based {
                self.normalise_state_marks();
            } else {
                self.normalise_edge_marks();
                self.drop_implied_marks();
                self.merge_parallel(bdds);
            }
            self.merge_equal(bdds);
            if self.len() <= SIMULATION_LIMIT {
                self.merge_similar(bdds);
                if state_based {
                    self.merge_backward_similar(bdds);
                }
            }
            self.trim();
            if self.size() >= before {
                return;
            }
        }
    }

    /// Edges between components lose their marks, cycles get all the marks they earn.
    pub(crate) fn normalise_edge_marks(&mut self) {
        let components = self.components();
        let marks = self.cycle_marks(&components);
        let all = self.all_marks();
        for (state, edges) in self.edges.iter_mut().enumerate() {
            for edge in edges {
                let component = components.of[state];
                let inside = component == components.of[edge.target as usize];
                if !inside || marks[component as usize] != Some(all) {
                    edge.marks = 0;
                }
            }
        }
        for mark in 0..self.mark_count {
            let bit = 1u64 << mark;
            let inside =
                |state: usize, edge: &Edge| components.of[state] == components.of[edge.target as usize];
            let unmarked = self.components_by(|state, edge| inside(state, edge) && edge.marks & bit == 0);
            let mut earns: Vec<bool> = marks.iter().map(|m| *m == Some(all)).collect();
            for (state, edges) in self.edges.iter().enumerate() {
                for edge in edges {
                    let cycle = unmarked.of[state] == unmarked.of[edge.target as usize];
                    if inside(state, edge) && edge.marks & bit == 0 && cycle {
                        earns[components.of[state] as usize] = false;
                    }
                }
            }
            for (state, edges) in self.edges.iter_mut().enumerate() {
                for edge in edges {
                    let component = components.of[state];
                    if component == components.of[edge.target as usize] && earns[component as usize] {
                        edge.marks |= bit;
                    }
                }
            }
        }
    }

    /// The same for state-based graphs, where a state's edges must agree.
    fn normalise_state_marks(&mut self) {
        let components = self.components();
        let marks = self.cycle_marks(&components);
        let inside = |state: usize, edge: &Edge| components.of[state] == components.of[edge.target as usize];
        let unmarked = self.components_by(|state, edge| inside(state, edge) && edge.marks == 0);
        let mut earns: Vec<bool> = marks.iter().map(|m| *m == Some(1)).collect();
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                if inside(state, edge)
                    && edge.marks == 0
                    && unmarked.of[state] == unmarked.of[edge.target as usize]
                {
                    earns[components.of[state] as usize] = false;
                }
            }
        }
        for (state, edges) in self.edges.iter_mut().enumerate() {
            let component = components.of[state] as usize;
            for edge in edges {
                if marks[component] != Some(1) {
                    edge.marks = 0;
                } else if earns[component] {
                    edge.marks = 1;
                }
            }
        }
    }

    /// Drops a mark that every edge with some other mark carries too.
    fn drop_implied_marks(&mut self) {
        let mut mark = 0;
        while mark < self.mark_count {
            let bit = 1u64 << mark;
            let implied = (0..self.mark_count).filter(|&other| other != mark).any(|other| {
                self.edges
                    .iter()
                    .flatten()
                    .all(|edge| edge.marks >> other & 1 == 0 || edge.marks & bit != 0)
            });
            if !implied {
                mark += 1;
                continue;
            }
            let low = bit - 1;
            for edge in self.edges.iter_mut().flatten() {
                edge.marks = (edge.marks & low) | (edge.marks >> 1 & !low);
            }
            self.mark_count -= 1;
        }
    }

    /// Merges states with equal edges, until no two are left.
    fn merge_equal(&mut self, bdds: &mut Bdds) {
        loop {
            let mut first: FxHashMap<&[Edge], u32> = FxHashMap::default();
            let map: Vec<u32> = (0..self.len())
                .map(|state| *first.entry(self.edges[state].as_slice()).or_insert(state as u32))
                .collect();
            if first.len() == self.len() {
                return;
            }
            self.redirect(&map);
            self.merge_parallel(bdds);
            self.restrict(|_| true);
        }
    }

    fn redirect(&mut self, map: &[u32]) {
        for edge in self.edges.iter_mut().flatten() {
            edge.target = map[edge.target as usize];
        }
        self.initial = map[self.initial as usize];
    }

    fn merge_similar(&mut self, bdds: &mut Bdds) {
        let Some(simulation) = forward(self, bdds) else {
            return;
        };
        let representative = simulation.representatives();
        self.prune_dominated(bdds, &simulation, &representative);
        self.redirect(&representative);
        self.merge_parallel(bdds);
        self.merge_transient(bdds, &simulation);
        self.restrict(|_| true);
    }

    /// Takes from each edge the letters for which a strictly better edge leaves the same state.
    fn prune_dominated(&mut self, bdds: &mut Bdds, simulation: &Simulation, representative: &[u32]) {
        for edges in &mut self.edges {
            let old = edges.clone();
            for edge in edges.iter_mut() {
                for other in &old {
                    let (target, better) = (edge.target as usize, other.target as usize);
                    let same = representative[target] == representative[better];
                    let dominates = edge.marks & !other.marks == 0
                        && simulation.holds(target, better)
                        && (!same || edge.marks != other.marks);
                    if dominates {
                        edge.label = bdds.difference(edge.label, other.label);
                    }
                }
            }
            edges.retain(|edge| edge.label != Bdd::FALSE);
        }
    }

    /// A state on no cycle joins a state of a later component that it matches but for its edges' marks.
    fn merge_transient(&mut self, bdds: &mut Bdds, simulation: &Simulation) {
        let components = self.components();
        let marks = self.cycle_marks(&components);
        let mut map: Vec<u32> = (0..self.len() as u32).collect();
        for state in 0..self.len() {
            if marks[components.of[state] as usize].is_some() || self.edges[state].is_empty() {
                continue;
            }
            let twin = (0..self.len()).find(|&other| {
                components.of[other] < components.of[state]
                    && map[other] == other as u32
                    && self.covers(bdds, simulation, state, other)
                    && self.covers(bdds, simulation, other, state)
            });
            if let Some(twin) = twin {
                map[state] = twin as u32;
            }
        }
        self.redirect(&map);
        self.merge_parallel(bdds);
    }

    /// Whether the edges of `b` cover those of `a`, marks aside.
    fn covers(&self, bdds: &mut Bdds, simulation: &Simulation, a: usize, b: usize) -> bool {
        self.edges[a].iter().all(|edge| {
            let mut cover = Bdd::FALSE;
            for other in &self.edges[b] {
                if simulation.holds(edge.target as usize, other.target as usize) {
                    cover = bdds.or(cover, other.label);
                }
            }
            bdds.implies(edge.label, cover)
        })
    }

    fn merge_backward_similar(&mut self, bdds: &mut Bdds) {
        let Some(simulation) = backward(self, bdds) else {
            return;
        };
        let representative = simulation.representatives();
        if representative
            .iter()
            .enumerate()
            .all(|(state, &r)| state as u32 == r)
        {
            return;
        }
        for (state, &target) in representative.iter().enumerate() {
            let target = target as usize;
            if target != state {
                let moved = std::mem::take(&mut self.edges[state]);
                self.edges[target].extend(moved);
            }
        }
        self.redirect(&representative);
        self.merge_parallel(bdds);
        self.restrict(|_| true);
    }
}
