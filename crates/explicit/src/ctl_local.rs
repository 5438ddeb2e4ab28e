//! CTL on the fly: only the states that the answer needs.
//!
//! Idea: depth-first search per until-formula, with a memory of what is decided per (state,
//! subformula). `E[a U b]` is a search for b through a-states; `A[a U b]` fails where a state
//! breaks a, or where the search closes a cycle on which b never comes.
//!
//! Soundness of what is remembered, which is where published local algorithms went wrong: a state
//! left behind by an unsuccessful part of a search for `E[a U b]` may still reach the goal through a
//! state on the search stack. Its `false` is therefore remembered only when its whole strongly
//! connected component is done (Tarjan's roots), while `true` spreads to all states on the path. For
//! `A[a U b]` it is the other way round: `false` spreads to the stack, `true` is final at once,
//! because a cycle through an open state is itself a failure.
//!
//! Sources: Vergauwen and Lewi 1993; Heljanko 1997; the correction of marking goals in the [mc]square
//! thesis, section 5.4.

use kripke_model::{KripkeStructure, Labels};

use crate::ctl::{CtlFormula, CtlNode, NodeId};
use crate::invariant::Exploration;
use crate::limits::{Limits, Stopped, Watch};
use crate::state_store::{StateId, StateStore};
use crate::successors::Successors;

/// The answer of the local checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalResult {
    /// Whether the formula holds in every initial state.
    pub holds: bool,
    /// Cost.
    pub exploration: Exploration,
}

/// Checks a formula on the fly.
pub fn check_ctl_local<M: KripkeStructure>(
    model: &mut M,
    formula: &CtlFormula,
    limits: &Limits,
) -> Result<LocalResult, Stopped> {
    let mut checker = LocalChecker::new(model, formula, limits);
    let initial = checker.initial_states();
    let mut holds = true;
    for state in initial {
        if !checker.decide(state, formula.root)? {
            holds = false;
            break;
        }
    }
    checker.interrupted()?;
    Ok(LocalResult {
        holds,
        exploration: checker.exploration(),
    })
}

const UNEXPANDED: u32 = u32::MAX;

pub(crate) struct LocalChecker<'a, M> {
    pub(crate) model: &'a mut M,
    formula: &'a CtlFormula,
    watch: Watch<'a>,
    pub(crate) store: StateStore,
    labels: Vec<Labels>,
    /// Per state: where its successors lie in `edges`, once it was expanded.
    rows: Vec<(u32, u32)>,
    edges: Vec<StateId>,
    /// Per node of the formula and state: 0 open, 1 false, 2 true.
    decided: Vec<Vec<u8>>,
    created: u64,
    next: Successors,
}

impl<'a, M: KripkeStructure> LocalChecker<'a, M> {
    /// Ends the search if it was asked to end: a model that asked may have handed out successors that it does not stand by.
    pub(crate) fn interrupted(&self) -> Result<(), Stopped> {
        self.watch.interrupted(self.store.len())
    }

    pub(crate) fn new(model: &'a mut M, formula: &'a CtlFormula, limits: &'a Limits) -> Self {
        let size = model.state_size();
        let store = StateStore::new(size);
        LocalChecker {
            model,
            formula,
            watch: Watch::new(limits),
            store,
            labels: Vec::new(),
            rows: Vec::new(),
            edges: Vec::new(),
            decided: vec![Vec::new(); formula.nodes.len()],
            created: 0,
            next: Successors::default(),
        }
    }

    fn exploration(&self) -> Exploration {
        Exploration {
            stored: self.store.len() as u64,
            created: self.created,
            memory: self.memory() as u64,
        }
    }

    fn memory(&self) -> usize {
        self.store.memory()
            + self.edges.capacity() * 4
            + self.rows.capacity() * 8
            + self.labels.capacity() * 8
    }

    pub(crate) fn initial_states(&mut self) -> Vec<StateId> {
        let mut initial = Vec::new();
        self.model.initial_states(&mut |state| {
            let (id, new) = self.store.insert(state);
            if new {
                initial.push(id);
            }
        });
        self.label_new_states();
        initial
    }

    fn label_new_states(&mut self) {
        while self.labels.len() < self.store.len() {
            let id = StateId::new(self.labels.len());
            self.labels.push(self.model.labels(self.store.state(id)));
            self.rows.push((UNEXPANDED, 0));
        }
    }

    pub(crate) fn expand(&mut self, state: StateId) -> Result<(), Stopped> {
        if self.rows[state.index()].0 != UNEXPANDED {
            return Ok(());
        }
        self.watch.check(self.store.len(), self.memory())?;
        let start = self.edges.len();
        self.next.store(self.model, &mut self.store, state);
        self.created += self.next.ids().len() as u64;
        self.edges.extend_from_slice(self.next.ids());
        if self.edges.len() == start {
            self.edges.push(state);
        }
        self.rows[state.index()] = (start as u32, self.edges.len() as u32);
        self.label_new_states();
        Ok(())
    }

    pub(crate) fn successor_count(&self, state: StateId) -> usize {
        let (start, end) = self.rows[state.index()];
        (end - start) as usize
    }

    pub(crate) fn successor(&self, state: StateId, index: usize) -> StateId {
        self.edges[self.rows[state.index()].0 as usize + index]
    }

    fn known(&self, state: StateId, node: NodeId) -> Option<bool> {
        match self.decided[node].get(state.index()) {
            Some(1) => Some(false),
            Some(2) => Some(true),
            _ => None,
        }
    }

    fn remember(&mut self, state: StateId, node: NodeId, holds: bool) {
        let column = &mut self.decided[node];
        if column.len() <= state.index() {
            column.resize(self.store.len(), 0);
        }
        column[state.index()] = 1 + u8::from(holds);
    }

    /// Whether a node of the formula holds in a state. Recursion is as deep as the formula, not the graph.
    pub(crate) fn decide(&mut self, state: StateId, node: NodeId) -> Result<bool, Stopped> {
        let formula = self.formula;
        match &formula.nodes[node] {
            CtlNode::Proposition(p) => Ok(p.holds(self.labels[state.index()])),
            CtlNode::Not(a) => Ok(!self.decide(state, *a)?),
            CtlNode::And(a, b) => Ok(self.decide(state, *a)? && self.decide(state, *b)?),
            CtlNode::Or(a, b) => Ok(self.decide(state, *a)? || self.decide(state, *b)?),
            CtlNode::ExistsNext(a) => {
                self.expand(state)?;
                for index in 0..self.successor_count(state) {
                    if self.decide(self.successor(state, index), *a)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            CtlNode::ExistsUntil(a, b) => match self.known(state, node) {
                Some(holds) => Ok(holds),
                None => self.exists_until(state, node, *a, *b),
            },
            CtlNode::AllUntil(a, b) => match self.known(state, node) {
                Some(holds) => Ok(holds),
                None => self.all_until(state, node, *a, *b),
            },
        }
    }

    /// What a state is for an until-formula at sight: decided, or an inner state of the search.
    fn classify(
        &mut self,
        state: StateId,
        node: NodeId,
        a: NodeId,
        b: NodeId,
    ) -> Result<Option<bool>, Stopped> {
        if let Some(holds) = self.known(state, node) {
            return Ok(Some(holds));
        }
        let holds = if self.decide(state, b)? {
            true
        } else if !self.decide(state, a)? {
            false
        } else {
            return Ok(None);
        };
        self.remember(state, node, holds);
        Ok(Some(holds))
    }

    fn exists_until(&mut self, start: StateId, node: NodeId, a: NodeId, b: NodeId) -> Result<bool, Stopped> {
        if let Some(holds) = self.classify(start, node, a, b)? {
            return Ok(holds);
        }
        let mut search = ComponentSearch::default();
        search.enter(start);
        self.expand(start)?;
        while let Some(&(state, position)) = search.path.last() {
            if position < self.successor_count(state) {
                search.advance();
                let next = self.successor(state, position);
                match self.classify(next, node, a, b)? {
                    Some(true) => {
                        for (open, _) in search.path {
                            self.remember(open, node, true);
                        }
                        return Ok(true);
                    }
                    Some(false) => {}
                    None if search.revisit(state, next) => {}
                    None => {
                        search.enter(next);
                        self.expand(next)?;
                    }
                }
            } else {
                for done in search.leave() {
                    self.remember(done, node, false);
                }
            }
        }
        Ok(false)
    }

    fn all_until(&mut self, start: StateId, node: NodeId, a: NodeId, b: NodeId) -> Result<bool, Stopped> {
        if let Some(holds) = self.classify(start, node, a, b)? {
            return Ok(holds);
        }
        let mut path = vec![(start, 0_usize)];
        let mut on_path = std::collections::HashSet::from([start]);
        self.expand(start)?;
        while let Some((state, position)) = path.last_mut() {
            let state = *state;
            if *position < self.successor_count(state) {
                let next = self.successor(state, *position);
                *position += 1;
                match self.classify(next, node, a, b)? {
                    Some(true) => {}
                    None if !on_path.contains(&next) => {
                        on_path.insert(next);
                        path.push((next, 0));
                        self.expand(next)?;
                    }
                    // A state that fails, or a cycle on which the goal never comes.
                    Some(false) | None => {
                        for (open, _) in path {
                            self.remember(open, node, false);
                        }
                        return Ok(false);
                    }
                }
            } else {
                self.remember(state, node, true);
                on_path.remove(&state);
                path.pop();
            }
        }
        Ok(true)
    }
}

/// Tarjan's depth-first search, iterative: the current path, and the states whose component is open.
#[derive(Default)]
struct ComponentSearch {
    path: Vec<(StateId, usize)>,
    open: Vec<StateId>,
    /// Discovery number and lowest number reached, per open state.
    numbers: std::collections::HashMap<StateId, (u32, u32)>,
    next: u32,
}

impl ComponentSearch {
    fn enter(&mut self, state: StateId) {
        self.numbers.insert(state, (self.next, self.next));
        self.next += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    fn advance(&mut self) {
        if let Some((_, position)) = self.path.last_mut() {
            *position += 1;
        }
    }

    fn lower(&mut self, state: StateId, number: u32) {
        if let Some((_, low)) = self.numbers.get_mut(&state) {
            *low = (*low).min(number);
        }
    }

    /// Notes an edge to a state that was seen before; false where it was not.
    fn revisit(&mut self, from: StateId, to: StateId) -> bool {
        let Some(&(number, _)) = self.numbers.get(&to) else {
            return false;
        };
        self.lower(from, number);
        true
    }

    /// Ends the last state of the path; the states of its component when that is complete.
    fn leave(&mut self) -> Vec<StateId> {
        let Some((state, _)) = self.path.pop() else {
            return Vec::new();
        };
        let (number, low) = self.numbers[&state];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, low);
        }
        if number != low {
            return Vec::new();
        }
        let start = self.open.iter().rposition(|&open| open == state).unwrap_or(0);
        let component = self.open.split_off(start);
        for member in &component {
            self.numbers.remove(member);
        }
        component
    }
}
