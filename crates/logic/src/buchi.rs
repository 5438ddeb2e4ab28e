//! Büchi automata as they leave the translation: one initial state, accepting states, labels as sums of
//! cubes.
//!
//! Every state is reachable, and from every state some word is accepted ("no rejecting traps"), except that
//! the automaton of the empty language has one state and no edge.

use std::fmt;

use crate::atom::Atoms;
use crate::bdd::{Bdd, Bdds};
use crate::emptiness;
use crate::graph::{Edge as GraphEdge, Graph};
use crate::label::{Label, Letter};
use crate::trace::Lasso;

/// A state of an automaton or a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);

impl StateId {
    /// The state with this number.
    pub fn new(index: usize) -> StateId {
        StateId(u32::try_from(index).expect("fewer than 2^32 states"))
    }

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters it reads.
    pub label: Label,
    /// Where it leads.
    pub target: StateId,
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Whether runs must visit it, or another such state, infinitely often.
    pub accepting: bool,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A Büchi automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// What the bits of letters mean.
    pub atoms: Atoms,
    /// The states.
    pub states: Vec<State>,
    /// Where runs start.
    pub initial: StateId,
}

impl Buchi {
    /// From a state-based graph. Labels may gain letters that cannot occur when that makes them shorter.
    pub(crate) fn from_graph(atoms: Atoms, graph: &Graph, bdds: &mut Bdds, letters: Option<&Label>) -> Buchi {
        let impossible = letters.map_or(Bdd::FALSE, |letters| {
            let letters = bdds.label(letters);
            bdds.not(letters)
        });
        let states = (0..graph.len())
            .map(|state| State {
                accepting: graph.is_accepting(state),
                edges: graph.edges[state]
                    .iter()
                    .map(|edge| {
                        let upper = bdds.or(edge.label, impossible);
                        Edge {
                            label: bdds.sum_between(edge.label, upper),
                            target: StateId::new(edge.target as usize),
                        }
                    })
                    .collect(),
            })
            .collect();
        Buchi {
            atoms,
            states,
            initial: StateId::new(graph.initial as usize),
        }
    }

    pub(crate) fn to_graph(&self, bdds: &mut Bdds) -> Graph {
        let edges = self
            .states
            .iter()
            .map(|state| {
                let edge = |edge: &Edge| GraphEdge {
                    target: edge.target.index() as u32,
                    marks: u64::from(state.accepting),
                    label: bdds.label(&edge.label),
                };
                state.edges.iter().map(edge).collect()
            })
            .collect();
        Graph {
            edges,
            initial: self.initial.index() as u32,
            mark_count: 1,
        }
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// The number of edges, parallel ones counted once.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The number of cubes on all edges: how many transitions there are when labels are conjunctions.
    pub fn cube_count(&self) -> usize {
        self.states
            .iter()
            .flat_map(|state| &state.edges)
            .map(|edge| edge.label.cubes().len())
            .sum()
    }

    /// Whether no state has two edges for one letter.
    pub fn is_deterministic(&self) -> bool {
        let mut bdds = Bdds::new();
        self.states.iter().all(|state| {
            let mut seen = Bdd::FALSE;
            state.edges.iter().all(|edge| {
                let label = bdds.label(&edge.label);
                let fresh = bdds.and(seen, label) == Bdd::FALSE;
                seen = bdds.or(seen, label);
                fresh
            })
        })
    }

    /// The states an edge leads to from a state on a letter.
    pub fn successors(&self, state: StateId, letter: Letter) -> impl Iterator<Item = StateId> {
        let edges = &self.states[state.index()].edges;
        edges
            .iter()
            .filter(move |edge| edge.label.contains(letter))
            .map(|edge| edge.target)
    }

    /// Whether the infinite word of the lasso is accepted.
    pub fn accepts(&self, lasso: &Lasso) -> bool {
        let length = lasso.len();
        let number = |state: usize, position: usize| (state * length + position) as u32;
        let mut edges: Vec<Vec<GraphEdge>> = Vec::with_capacity(self.states.len() * length);
        for state in 0..self.states.len() {
            for position in 0..length {
                let next = lasso.successor(position);
                let marks = u64::from(self.states[state].accepting);
                edges.push(
                    self.successors(StateId::new(state), lasso.letter(position))
                        .map(|to| GraphEdge {
                            target: number(to.index(), next),
                            marks,
                            label: Bdd::TRUE,
                        })
                        .collect(),
                );
            }
        }
        let initial = number(self.initial.index(), 0);
        let mut graph = Graph {
            edges,
            initial,
            mark_count: 1,
        };
        graph.restrict(|_| true);
        graph.live_states()[0]
    }

    /// Some word that is accepted, `None` when there is none.
    pub fn find_word(&self) -> Option<Lasso> {
        let mut bdds = Bdds::new();
        let graph = self.to_graph(&mut bdds);
        emptiness::find_word(&graph, &bdds)
    }

    /// Some word that both automata accept, `None` when there is none. They must be over the same atoms.
    pub fn find_common_word(&self, other: &Buchi) -> Option<Lasso> {
        let mut bdds = Bdds::new();
        let (a, b) = (self.to_graph(&mut bdds), other.to_graph(&mut bdds));
        let product = emptiness::product(&a, &b, &mut bdds);
        emptiness::find_word(&product, &bdds)
    }

    /// Removes the letters that cannot occur, and what can no longer be reached or accept.
    pub fn restrict_letters(&mut self, letters: &Label) {
        let mut bdds = Bdds::new();
        let mut graph = self.to_graph(&mut bdds);
        let possible = bdds.label(letters);
        graph.restrict_letters(possible, &mut bdds);
        graph.reduce(&mut bdds, true);
        *self = Buchi::from_graph(self.atoms.clone(), &graph, &mut bdds, Some(letters));
    }

    /// Makes the automaton smaller, keeping its language.
    pub fn reduce(&mut self) {
        let mut bdds = Bdds::new();
        let mut graph = self.to_graph(&mut bdds);
        graph.reduce(&mut bdds, true);
        *self = Buchi::from_graph(self.atoms.clone(), &graph, &mut bdds, None);
    }
}
