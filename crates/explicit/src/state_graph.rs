//! The whole reachable state graph in compressed rows, for the global checker.
//!
//! Invariant: every state has at least one successor: where the model has none, the state repeats.

use kripke_limits::{Account, Exhausted, Limits};
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Guard, Stopped};
use crate::pieces::Pieces;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};

/// All reachable states with their labels and edges.
pub struct StateGraph {
    /// The states.
    pub store: StateStore,
    labels: Pieces<Labels>,
    /// How many of the first states are initial.
    pub initial: usize,
    /// Per state: where its edges begin; and where those of the last one end.
    rows: Pieces<u64>,
    edges: Pieces<(StateId, Choice)>,
    account: Account,
    /// Successors that the model handed out.
    pub created: u64,
}

impl StateGraph {
    /// Explores everything.
    pub fn explore<M: KripkeStructure>(model: &mut M, limits: &Limits) -> Result<Self, Stopped> {
        let mut guard = Guard::new(limits);
        let account = guard.account().clone();
        let mut graph = StateGraph {
            store: StateStore::new(model.state_size(), &account),
            labels: Pieces::new(&account),
            initial: 0,
            rows: Pieces::new(&account),
            edges: Pieces::new(&account),
            account,
            created: 0,
        };
        store_initial(model, &mut graph.store, &mut guard)?;
        graph.initial = graph.store.len();
        let handed_out = guard.created;
        let mut successors = Successors::default();
        let mut next = 0;
        while next < graph.store.len() {
            let from = StateId::new(next);
            next += 1;
            guard.open = (graph.store.len() - next) as u64;
            guard.expansion(&graph.store)?;
            successors.store(model, &mut graph.store, from, &mut guard)?;
            let labels = model.labels(graph.store.state(from));
            graph
                .add(from, labels, &successors)
                .map_err(|exhausted| guard.stopped(exhausted, &graph.store))?;
        }
        let edges = graph.edges.len() as u64;
        let rows = graph.rows.push(edges);
        rows.map_err(|exhausted| guard.stopped(exhausted, &graph.store))?;
        guard.interrupted(&graph.store)?;
        graph.created = guard.created - handed_out;
        Ok(graph)
    }

    fn add(&mut self, from: StateId, labels: Labels, successors: &Successors) -> Result<(), Exhausted> {
        self.labels.push(labels)?;
        self.rows.push(self.edges.len() as u64)?;
        for (&id, &choice) in successors.ids().iter().zip(successors.choices()) {
            self.edges.push((id, choice))?;
        }
        if successors.ids().is_empty() {
            self.edges.push((from, 0))?;
        }
        Ok(())
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// True of a model without initial states.
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Which atoms hold in each state, in the order of the states.
    pub fn labels(&self) -> impl Iterator<Item = Labels> + '_ {
        self.labels.iter()
    }

    /// The successors of a state.
    pub fn successors(&self, state: StateId) -> impl ExactSizeIterator<Item = (StateId, Choice)> + '_ {
        let (start, end) = (self.rows.at(state.index()), self.rows.at(state.index() + 1));
        (start as usize..end as usize).map(|edge| self.edges.at(edge))
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.edges.memory() + self.rows.memory() + self.labels.memory()
    }

    /// Room for a label of each state, and for what labelling them needs beside it.
    pub(crate) fn room_for_labels(&self) -> Result<Vec<bool>, Exhausted> {
        let mut room = Vec::new();
        self.account.reserve(&mut room, self.len())?;
        // A list of open states and a count of open edges for each.
        self.account
            .charge(self.len() * (size_of::<StateId>() + size_of::<usize>()))?;
        Ok(room)
    }

    pub(crate) fn stopped(&self, exhausted: Exhausted) -> Stopped {
        Stopped {
            reason: exhausted.into(),
            states: self.len(),
            sample: [].into(),
        }
    }

    /// For every state its predecessors, in compressed rows.
    pub(crate) fn predecessors(&self) -> Result<Predecessors, Exhausted> {
        let mut rows = Pieces::new(&self.account);
        rows.grow(self.len() + 1, 0_u64)?;
        for (to, _) in self.edges.iter() {
            rows.set(to.index() + 1, rows.at(to.index() + 1) + 1);
        }
        for index in 1..rows.len() {
            rows.set(index, rows.at(index) + rows.at(index - 1));
        }
        // Each row is filled from its end, so that its beginning ends up where it belongs.
        let mut edges = Pieces::new(&self.account);
        edges.grow(self.edges.len(), StateId::new(0))?;
        for from in (0..self.len()).map(StateId::new) {
            for (to, _) in self.successors(from) {
                let slot = rows.at(to.index() + 1) - 1;
                rows.set(to.index() + 1, slot);
                edges.set(slot as usize, from);
            }
        }
        Ok(Predecessors { rows, edges })
    }
}

/// The edges turned round.
pub(crate) struct Predecessors {
    /// At `state + 1`: where the edges of a state begin.
    rows: Pieces<u64>,
    edges: Pieces<StateId>,
}

impl Predecessors {
    pub(crate) fn of(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        let start = self.rows.at(state.index() + 1) as usize;
        let end = self.rows.get(state.index() + 2);
        let end = end.map_or(self.edges.len(), |end| end as usize);
        (start..end).map(|edge| self.edges.at(edge))
    }
}
