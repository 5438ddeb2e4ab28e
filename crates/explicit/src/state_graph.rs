//! The whole reachable state graph in compressed rows, for the global checker.
//!
//! Invariant: every state has at least one successor: where the model has none, the state repeats.

use std::sync::Arc;
use std::thread::Scope;
use std::time::Instant;

use kripke_limits::{Account, Exhausted, Limits};
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Guard, Stopped};
use crate::pieces::Pieces;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};
use crate::workers::{Expanded, Numbers, Workers};

/// All reachable states with their labels and edges.
pub struct StateGraph {
    /// The states.
    pub store: Arc<StateStore>,
    labels: Pieces<Labels>,
    /// How many of the first states are initial.
    pub initial: usize,
    /// Per state: where its edges begin; and where those of the last one end.
    rows: Pieces<u64>,
    edges: Pieces<StateId>,
    /// Per edge: what leads along it.
    choices: Pieces<Choice>,
    account: Account,
    /// Successors of a state, and of the states of a round.
    found: Vec<(StateId, Choice)>,
    numbers: Numbers,
    /// The state whose successors they are.
    parent: Vec<u8>,
    /// Successors that the model handed out.
    pub created: u64,
}

impl StateGraph {
    /// Explores everything.
    pub fn explore<M: KripkeStructure>(model: &mut M, limits: &Limits) -> Result<Self, Stopped> {
        let mut guard = Guard::new(limits);
        let account = guard.account().clone();
        let mut graph = StateGraph {
            store: Arc::new(StateStore::new(model.state_size(), limits, &account)),
            labels: Pieces::new(&account),
            initial: 0,
            rows: Pieces::new(&account),
            edges: Pieces::new(&account),
            choices: Pieces::new(&account),
            account,
            found: Vec::new(),
            numbers: Numbers::default(),
            parent: Vec::new(),
            created: 0,
        };
        store_initial(model, StateStore::alone(&mut graph.store), &mut guard)?;
        graph.initial = graph.store.len();
        let labelled = graph.label(model);
        labelled.map_err(|exhausted| guard.stopped(exhausted, &graph.store))?;
        let handed_out = guard.created;
        std::thread::scope(|scope| graph.expand_all(scope, model, &mut guard, limits))?;
        let edges = graph.edges.len() as u64;
        let rows = graph.rows.push(edges);
        rows.map_err(|exhausted| guard.stopped(exhausted, &graph.store))?;
        guard.interrupted(&graph.store)?;
        graph.created = guard.created - handed_out;
        guard.ended(graph.store.len() as u64);
        Ok(graph)
    }

    /// Finds the successors of all states, from the initial ones on.
    fn expand_all<'scope, M: KripkeStructure + 'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        model: &mut M,
        guard: &mut Guard,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let mut workers = Workers::new(true, limits);
        let mut successors = Successors::default();
        let mut next = 0;
        while next < self.store.len() {
            let waiting = self.store.len() - next;
            guard.open = waiting as u64;
            let first = next;
            if let Some(workers) = &mut workers
                && let Some(round) = workers.round(waiting)
            {
                self.numbers.clear();
                workers.expand(scope, model, &self.store, first..first + round);
                for state in workers.expanded() {
                    next += 1;
                    match state.noted {
                        true => self.expand(model, state.from, &mut successors, guard)?,
                        false => self.add_expanded(model, &state, guard)?,
                    }
                }
                guard.look_now(&self.store)?;
            }
            if next == first {
                let started = Instant::now();
                next += 1;
                self.expand(model, StateId::new(first), &mut successors, guard)?;
                if let Some(workers) = &mut workers {
                    workers.took(started.elapsed(), 1);
                }
            }
        }
        Ok(())
    }

    /// Finds the successors of a state.
    fn expand<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        from: StateId,
        successors: &mut Successors,
        guard: &mut Guard,
    ) -> Result<(), Stopped> {
        guard.expansion(&self.store)?;
        successors.store(model, StateStore::alone(&mut self.store), from, guard)?;
        let edges = successors.ids().iter().copied();
        let added = self.add(from, edges.zip(successors.choices().iter().copied()));
        added
            .and_then(|()| self.label(model))
            .map_err(|exhausted| guard.stopped(exhausted, &self.store))
    }

    /// Adds the successors that another thread has found.
    fn add_expanded<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        state: &Expanded<'_>,
        guard: &mut Guard,
    ) -> Result<(), Stopped> {
        guard.expansion(&self.store)?;
        guard.created += state.created;
        state.tell(model, &self.store, &mut self.parent);
        let mut labelled = Ok(());
        let (numbers, own) = (&mut self.numbers, &mut self.labels);
        state.store(StateStore::alone(&mut self.store), guard, |index, id, labels| {
            state.number(numbers, index, id);
            if let (Ok(()), Some(labels)) = (labelled, labels) {
                labelled = own.push(labels);
            }
        })?;
        let mut edges = std::mem::take(&mut self.found);
        edges.clear();
        edges.extend(state.edges(&self.store, &self.numbers));
        let added = self.add(state.from, edges.iter().copied());
        self.found = edges;
        labelled
            .and(added)
            .map_err(|exhausted| guard.stopped(exhausted, &self.store))
    }

    /// Labels the states that have no labels yet.
    fn label<M: KripkeStructure>(&mut self, model: &mut M) -> Result<(), Exhausted> {
        while self.labels.len() < self.store.len() {
            let state = self.store.state(StateId::new(self.labels.len()));
            self.labels.push(model.labels(&state))?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        from: StateId,
        successors: impl Iterator<Item = (StateId, Choice)>,
    ) -> Result<(), Exhausted> {
        let first = self.edges.len();
        self.rows.push(first as u64)?;
        for (id, choice) in successors {
            self.edges.push(id)?;
            self.choices.push(choice)?;
        }
        if self.edges.len() == first {
            self.edges.push(from)?;
            self.choices.push(0)?;
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
        (start as usize..end as usize).map(|edge| (self.edges.at(edge), self.choices.at(edge)))
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        self.store.memory()
            + self.edges.memory()
            + self.choices.memory()
            + self.rows.memory()
            + self.labels.memory()
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
        for to in self.edges.iter() {
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
