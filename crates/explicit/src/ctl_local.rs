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

use kripke_limits::{Account, Exhausted, Limits};
use kripke_model::{KripkeStructure, Labels};

use crate::ctl::{CtlFormula, CtlNode, NodeId};
use crate::invariant::Exploration;
use crate::limits::{Guard, Stopped, too_many};
use crate::pieces::Pieces;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};

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
    let initial = checker.initial_states()?;
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

/// The row of a state whose successors are not known yet.
const UNEXPANDED: (u32, u32) = (u32::MAX, 0);

pub(crate) struct LocalChecker<'a, M> {
    pub(crate) model: &'a mut M,
    formula: &'a CtlFormula,
    guard: Guard,
    pub(crate) store: StateStore,
    labels: Pieces<Labels>,
    /// Per state: where its successors lie in `edges`, and how many they are, once it was expanded.
    rows: Pieces<(u32, u32)>,
    edges: Pieces<StateId>,
    columns: Vec<Column>,
    next: Successors,
}

/// What is known of each state for one node of the formula.
struct Column {
    /// 0 open, 1 false, 2 true.
    decided: Pieces<u8>,
    /// States of the search under way: their numbers in the order of discovery; 0 for all others. There is
    /// one search of a node at a time, since a search asks only about parts of its node.
    numbers: Pieces<u32>,
}

impl Column {
    fn new(account: &Account) -> Self {
        Column {
            decided: Pieces::new(account),
            numbers: Pieces::new(account),
        }
    }

    fn number(&self, state: StateId) -> u32 {
        self.numbers.get(state.index()).unwrap_or(0)
    }

    fn set_number(&mut self, state: StateId, number: u32) -> Result<(), Exhausted> {
        self.numbers.grow(state.index() + 1, 0)?;
        self.numbers.set(state.index(), number);
        Ok(())
    }
}

impl<'a, M: KripkeStructure> LocalChecker<'a, M> {
    /// Ends the search if it was asked to end: a model that asked may have handed out successors that it does
    /// not stand by.
    pub(crate) fn interrupted(&self) -> Result<(), Stopped> {
        self.guard.interrupted(&self.store)
    }

    pub(crate) fn new(model: &'a mut M, formula: &'a CtlFormula, limits: &Limits) -> Self {
        let guard = Guard::new(limits);
        let account = guard.account();
        LocalChecker {
            store: StateStore::new(model.state_size(), limits, account),
            labels: Pieces::new(account),
            rows: Pieces::new(account),
            edges: Pieces::new(account),
            columns: formula.nodes.iter().map(|_| Column::new(account)).collect(),
            model,
            formula,
            guard,
            next: Successors::default(),
        }
    }

    fn exploration(&self) -> Exploration {
        let columns = self.columns.iter();
        let columns = columns.map(|column| column.decided.memory() + column.numbers.memory());
        let graph = self.store.memory() + self.edges.memory() + self.rows.memory() + self.labels.memory();
        self.guard.ended(self.store.len() as u64);
        Exploration {
            stored: self.store.len() as u64,
            created: self.guard.created,
            memory: (graph + columns.sum::<usize>()) as u64,
        }
    }

    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.guard.stopped(exhausted, &self.store)
    }

    /// Appends to a list whose memory is counted.
    pub(crate) fn push<T>(&self, list: &mut Vec<T>, element: T) -> Result<(), Stopped> {
        let pushed = self.guard.account().push(list, element);
        pushed.map_err(|exhausted| self.stopped(exhausted))
    }

    pub(crate) fn initial_states(&mut self) -> Result<Vec<StateId>, Stopped> {
        let initial = store_initial(self.model, &mut self.store, &mut self.guard)?;
        self.label_new_states()?;
        Ok(initial)
    }

    fn label_new_states(&mut self) -> Result<(), Stopped> {
        while self.labels.len() < self.store.len() {
            let id = StateId::new(self.labels.len());
            let labels = self.model.labels(&self.store.state(id));
            let pushed = self.labels.push(labels).and_then(|()| self.rows.push(UNEXPANDED));
            pushed.map_err(|exhausted| self.stopped(exhausted))?;
        }
        Ok(())
    }

    pub(crate) fn expand(&mut self, state: StateId) -> Result<(), Stopped> {
        self.guard.expansion(&self.store)?;
        if self.rows.at(state.index()) != UNEXPANDED {
            return Ok(());
        }
        self.next
            .store(self.model, &mut self.store, state, &mut self.guard)?;
        let start = self.edges.len();
        let pushed = self.add_edges(state);
        pushed.map_err(|exhausted| self.stopped(exhausted))?;
        let row = u32::try_from(start)
            .ok()
            .zip(u32::try_from(self.edges.len()).ok());
        let (start, end) = row.ok_or_else(|| too_many("transitions", &self.store))?;
        self.rows.set(state.index(), (start, end - start));
        self.label_new_states()
    }

    fn add_edges(&mut self, state: StateId) -> Result<(), Exhausted> {
        for &id in self.next.ids() {
            self.edges.push(id)?;
        }
        if self.next.ids().is_empty() {
            self.edges.push(state)?;
        }
        Ok(())
    }

    pub(crate) fn successor_count(&self, state: StateId) -> usize {
        self.rows.at(state.index()).1 as usize
    }

    pub(crate) fn successor(&self, state: StateId, index: usize) -> StateId {
        self.edges.at(self.rows.at(state.index()).0 as usize + index)
    }

    fn known(&self, state: StateId, node: NodeId) -> Option<bool> {
        match self.columns[node].decided.get(state.index()) {
            Some(1) => Some(false),
            Some(2) => Some(true),
            _ => None,
        }
    }

    fn remember(&mut self, state: StateId, node: NodeId, holds: bool) -> Result<(), Stopped> {
        let decided = &mut self.columns[node].decided;
        if let Err(exhausted) = decided.grow(state.index() + 1, 0) {
            return Err(self.stopped(exhausted));
        }
        decided.set(state.index(), 1 + u8::from(holds));
        Ok(())
    }

    /// Whether a node of the formula holds in a state. Recursion is as deep as the formula, not the graph.
    pub(crate) fn decide(&mut self, state: StateId, node: NodeId) -> Result<bool, Stopped> {
        let formula = self.formula;
        match &formula.nodes[node] {
            CtlNode::Proposition(p) => Ok(p.holds(self.labels.at(state.index()))),
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
        self.remember(state, node, holds)?;
        Ok(Some(holds))
    }

    fn exists_until(&mut self, start: StateId, node: NodeId, a: NodeId, b: NodeId) -> Result<bool, Stopped> {
        if let Some(holds) = self.classify(start, node, a, b)? {
            return Ok(holds);
        }
        let mut search = ComponentSearch::default();
        self.enter(&mut search, start, node)?;
        while let Some(&Visited { state, position, .. }) = search.path.last() {
            if position == self.successor_count(state) {
                search.leave();
                self.close_component(&mut search, node)?;
                continue;
            }
            search.advance();
            let next = self.successor(state, position);
            match self.classify(next, node, a, b)? {
                Some(true) => {
                    for visited in search.path {
                        self.remember(visited.state, node, true)?;
                    }
                    for open in search.open {
                        self.number(open, node, 0)?;
                    }
                    return Ok(true);
                }
                Some(false) => {}
                None => match self.columns[node].number(next) {
                    0 => self.enter(&mut search, next, node)?,
                    number => search.lower(number),
                },
            }
        }
        Ok(false)
    }

    fn number(&mut self, state: StateId, node: NodeId, number: u32) -> Result<(), Stopped> {
        let set = self.columns[node].set_number(state, number);
        set.map_err(|exhausted| self.stopped(exhausted))
    }

    fn enter(&mut self, search: &mut ComponentSearch, state: StateId, node: NodeId) -> Result<(), Stopped> {
        search.last += 1;
        self.number(state, node, search.last)?;
        self.push(&mut search.open, state)?;
        let visited = Visited {
            state,
            position: 0,
            number: search.last,
            low: search.last,
        };
        self.push(&mut search.path, visited)?;
        self.guard.depth = search.path.len() as u64;
        self.expand(state)
    }

    /// Decides the states of a component that is complete: none of them reaches the goal.
    fn close_component(&mut self, search: &mut ComponentSearch, node: NodeId) -> Result<(), Stopped> {
        let Some(root) = search.complete.take() else {
            return Ok(());
        };
        while let Some(member) = search.open.pop() {
            self.remember(member, node, false)?;
            self.number(member, node, 0)?;
            if member == root {
                break;
            }
        }
        Ok(())
    }

    fn all_until(&mut self, start: StateId, node: NodeId, a: NodeId, b: NodeId) -> Result<bool, Stopped> {
        if let Some(holds) = self.classify(start, node, a, b)? {
            return Ok(holds);
        }
        let mut path = vec![(start, 0_usize)];
        self.number(start, node, ON_PATH)?;
        self.expand(start)?;
        while let Some(&(state, position)) = path.last() {
            if position == self.successor_count(state) {
                self.remember(state, node, true)?;
                self.number(state, node, 0)?;
                path.pop();
                continue;
            }
            if let Some((_, position)) = path.last_mut() {
                *position += 1;
            }
            let next = self.successor(state, position);
            match self.classify(next, node, a, b)? {
                Some(true) => {}
                None if self.columns[node].number(next) == 0 => {
                    self.number(next, node, ON_PATH)?;
                    self.push(&mut path, (next, 0))?;
                    self.guard.depth = path.len() as u64;
                    self.expand(next)?;
                }
                // A state that fails, or a cycle on which the goal never comes.
                Some(false) | None => {
                    for (open, _) in path {
                        self.remember(open, node, false)?;
                        self.number(open, node, 0)?;
                    }
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The number of all states on the path of a search for `A U`.
const ON_PATH: u32 = 1;

/// A state on the path of a search.
struct Visited {
    state: StateId,
    /// The successor that comes next.
    position: usize,
    number: u32,
    /// The lowest number that is known to be reached.
    low: u32,
}

/// Tarjan's depth-first search, iterative: the current path, and the states whose component is open. Their
/// numbers stand in the column of the formula's node.
#[derive(Default)]
struct ComponentSearch {
    path: Vec<Visited>,
    open: Vec<StateId>,
    /// The number given last.
    last: u32,
    /// The first state of a component that is complete.
    complete: Option<StateId>,
}

impl ComponentSearch {
    fn advance(&mut self) {
        if let Some(visited) = self.path.last_mut() {
            visited.position += 1;
        }
    }

    /// Notes that the last state of the path reaches this number.
    fn lower(&mut self, number: u32) {
        if let Some(visited) = self.path.last_mut() {
            visited.low = visited.low.min(number);
        }
    }

    /// Ends the last state of the path.
    fn leave(&mut self) {
        if let Some(visited) = self.path.pop() {
            self.lower(visited.low);
            if visited.low == visited.number {
                self.complete = Some(visited.state);
            }
        }
    }
}
