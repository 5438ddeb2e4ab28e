//! The whole reachable state graph in compressed rows, for the global checker.
//!
//! Invariant: every state has at least one successor: where the model has none, the state repeats.

use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Limits, Stopped, Watch};
use crate::state_store::{StateId, StateStore};
use crate::successors::Successors;

/// All reachable states with their labels and edges.
pub struct StateGraph {
    /// The states.
    pub store: StateStore,
    /// Per state.
    pub labels: Vec<Labels>,
    /// How many of the first states are initial.
    pub initial: usize,
    rows: Vec<u32>,
    edges: Vec<(StateId, Choice)>,
    /// Successors that the model handed out.
    pub created: u64,
}

impl StateGraph {
    /// Explores everything.
    pub fn explore<M: KripkeStructure>(model: &mut M, limits: &Limits) -> Result<Self, Stopped> {
        let mut graph = StateGraph {
            store: StateStore::new(model.state_size()),
            labels: Vec::new(),
            initial: 0,
            rows: vec![0],
            edges: Vec::new(),
            created: 0,
        };
        let mut watch = Watch::new(limits);
        model.initial_states(&mut |state| {
            graph.store.insert(state);
        });
        graph.initial = graph.store.len();
        let mut successors = Successors::default();
        let mut next = 0;
        while next < graph.store.len() {
            let from = StateId::new(next);
            next += 1;
            watch.check(graph.store.len(), graph.memory())?;
            graph.labels.push(model.labels(graph.store.state(from)));
            let before = graph.edges.len();
            successors.store(model, &mut graph.store, from);
            let edges = successors.ids().iter().zip(successors.choices());
            graph.edges.extend(edges.map(|(&id, &choice)| (id, choice)));
            graph.created += (graph.edges.len() - before) as u64;
            if graph.edges.len() == before {
                graph.edges.push((from, 0));
            }
            graph
                .rows
                .push(u32::try_from(graph.edges.len()).expect("fewer than 2^32 edges"));
        }
        Ok(graph)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// True of a model without initial states.
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// The successors of a state.
    pub fn successors(&self, state: StateId) -> &[(StateId, Choice)] {
        &self.edges[self.rows[state.index()] as usize..self.rows[state.index() + 1] as usize]
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        self.store.memory()
            + self.edges.capacity() * size_of::<(StateId, Choice)>()
            + self.rows.capacity() * 4
            + self.labels.capacity() * 8
    }

    /// For every state its predecessors, in compressed rows.
    pub(crate) fn predecessors(&self) -> Predecessors {
        let mut rows = vec![0_u32; self.len() + 1];
        for (to, _) in &self.edges {
            rows[to.index() + 1] += 1;
        }
        for index in 1..rows.len() {
            rows[index] += rows[index - 1];
        }
        let mut at = rows.clone();
        let mut edges = vec![StateId::new(0); self.edges.len()];
        for from in (0..self.len()).map(StateId::new) {
            for (to, _) in self.successors(from) {
                let slot = &mut at[to.index()];
                edges[*slot as usize] = from;
                *slot += 1;
            }
        }
        Predecessors { rows, edges }
    }
}

/// The edges turned round.
pub(crate) struct Predecessors {
    rows: Vec<u32>,
    edges: Vec<StateId>,
}

impl Predecessors {
    pub(crate) fn of(&self, state: StateId) -> &[StateId] {
        &self.edges[self.rows[state.index()] as usize..self.rows[state.index() + 1] as usize]
    }
}
