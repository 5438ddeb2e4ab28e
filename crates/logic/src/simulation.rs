//! Direct simulation between the states of a graph, forwards and backwards, as a greatest fixed point.
//!
//! Labels are compared as sets of *classes* of letters that no label tells apart, one bit each; automata
//! whose labels make more than 128 classes compare decision diagrams.

use crate::bdd::{Bdd, Bdds};
use crate::graph::Graph;
use crate::letters::classes;

/// The relation "is simulated by".
pub(crate) struct Simulation {
    states: usize,
    holds: Vec<bool>,
}

impl Simulation {
    /// Whether `better` simulates `state`.
    pub(crate) fn holds(&self, state: usize, better: usize) -> bool {
        self.holds[state * self.states + better]
    }

    /// For each state, the first state that simulates it and is simulated by it.
    pub(crate) fn representatives(&self) -> Vec<u32> {
        (0..self.states)
            .map(|state| {
                (0..self.states)
                    .find(|&other| self.holds(state, other) && self.holds(other, state))
                    .unwrap_or(state) as u32
            })
            .collect()
    }
}

/// Sets of letters, for this computation.
trait Algebra {
    type Set: Copy;
    fn none(&self) -> Self::Set;
    fn or(&mut self, a: Self::Set, b: Self::Set) -> Self::Set;
    fn implies(&mut self, a: Self::Set, b: Self::Set) -> bool;
}

struct Masks;

impl Algebra for Masks {
    type Set = u128;
    fn none(&self) -> u128 {
        0
    }
    fn or(&mut self, a: u128, b: u128) -> u128 {
        a | b
    }
    fn implies(&mut self, a: u128, b: u128) -> bool {
        a & !b == 0
    }
}

impl Algebra for &mut Bdds {
    type Set = Bdd;
    fn none(&self) -> Bdd {
        Bdd::FALSE
    }
    fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        Bdds::or(self, a, b)
    }
    fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        Bdds::implies(self, a, b)
    }
}

/// A neighbour of a state: the other end, the marks, the letters.
type Neighbours<S> = Vec<Vec<(usize, u64, S)>>;

pub(crate) fn forward(graph: &Graph, bdds: &mut Bdds) -> Option<Simulation> {
    if graph.len() < 2 {
        return None;
    }
    let neighbours: Neighbours<Bdd> = graph
        .edges
        .iter()
        .map(|edges| {
            edges
                .iter()
                .map(|e| (e.target as usize, e.marks, e.label))
                .collect()
        })
        .collect();
    Some(solve(neighbours, |_, _| true, bdds))
}

/// On a state-based graph: t is reached by every word that s is reached by, through no fewer accepting
/// states.
pub(crate) fn backward(graph: &Graph, bdds: &mut Bdds) -> Option<Simulation> {
    if graph.len() < 2 {
        return None;
    }
    let mut neighbours: Neighbours<Bdd> = vec![Vec::new(); graph.len()];
    for (state, edges) in graph.edges.iter().enumerate() {
        for edge in edges {
            neighbours[edge.target as usize].push((state, 0, edge.label));
        }
    }
    let initial = graph.initial as usize;
    let start = |s: usize, t: usize| {
        (s != initial || t == initial) && (!graph.is_accepting(s) || graph.is_accepting(t))
    };
    Some(solve(neighbours, start, bdds))
}

fn solve(neighbours: Neighbours<Bdd>, start: impl Fn(usize, usize) -> bool, bdds: &mut Bdds) -> Simulation {
    let labels = neighbours.iter().flatten().map(|(_, _, label)| *label);
    match classes(labels, 128, bdds) {
        None => fixed_point(&neighbours, start, bdds),
        Some(classes) => {
            let mask = |label: Bdd, bdds: &mut Bdds| {
                classes.iter().enumerate().fold(0u128, |mask, (bit, class)| {
                    mask | (u128::from(bdds.implies(*class, label)) << bit)
                })
            };
            let masked: Neighbours<u128> = neighbours
                .iter()
                .map(|list| {
                    list.iter()
                        .map(|&(to, marks, label)| (to, marks, mask(label, bdds)))
                        .collect()
                })
                .collect();
            fixed_point(&masked, start, Masks)
        }
    }
}

fn fixed_point<A: Algebra>(
    neighbours: &Neighbours<A::Set>,
    start: impl Fn(usize, usize) -> bool,
    mut algebra: A,
) -> Simulation {
    let states = neighbours.len();
    let mut simulation = Simulation {
        states,
        holds: vec![false; states * states],
    };
    for s in 0..states {
        for t in 0..states {
            simulation.holds[s * states + t] = start(s, t);
        }
    }
    loop {
        let mut changed = false;
        for s in 0..states {
            for t in 0..states {
                if s != t && simulation.holds(s, t) && !covered(neighbours, &simulation, &mut algebra, s, t) {
                    simulation.holds[s * states + t] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return simulation;
        }
    }
}

fn covered<A: Algebra>(
    neighbours: &Neighbours<A::Set>,
    simulation: &Simulation,
    algebra: &mut A,
    s: usize,
    t: usize,
) -> bool {
    neighbours[s].iter().all(|&(target, marks, label)| {
        let mut cover = algebra.none();
        for &(other, more, letters) in &neighbours[t] {
            if marks & !more == 0 && simulation.holds(target, other) {
                cover = algebra.or(cover, letters);
                if algebra.implies(label, cover) {
                    return true;
                }
            }
        }
        false
    })
}
