//! From a verdict on a CTL formula to its evidence.
//!
//! Idea: obligations are taken from a list until none is open; the local checker answers what is true where,
//! mostly from memory. A true `E U` follows a shortest path to its goal; a false `A U` follows the nearest of
//! a state that breaks it and a cycle that avoids the goal. Ranks are distances to the goal (`E U`: the
//! shortest, `A U`: the longest), so they fit together wherever paths meet.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use kripke_limits::Limits;
use kripke_model::{Choice, KripkeStructure};

use crate::ctl::{CtlFormula, CtlNode, NodeId};
use crate::ctl_local::LocalChecker;
use crate::evidence::{CtlEvidence, Detail, Justification, Link, Obligation, Step, is_universal};
use crate::lasso::choice_between;
use crate::limits::Stopped;
use crate::state_store::StateId;

/// Checks a formula on the fly, and says why it holds or fails.
pub fn explain_ctl<M: KripkeStructure>(
    model: &mut M,
    formula: &CtlFormula,
    detail: Detail,
    limits: &Limits,
) -> Result<CtlEvidence, Stopped> {
    let mut checker = LocalChecker::new(model, formula, limits);
    let initial = checker.initial_states()?;
    let mut failing = None;
    for &state in &initial {
        if !checker.decide(state, formula.root)? {
            failing = Some(state);
            break;
        }
    }
    checker.interrupted()?;
    let roots = failing.map_or(initial, |state| vec![state]);
    Builder::new(checker, formula, detail).build(failing.is_none(), &roots)
}

type Key = (StateId, NodeId);

struct Builder<'a, M> {
    checker: LocalChecker<'a, M>,
    formula: &'a CtlFormula,
    detail: Detail,
    obligations: Vec<Obligation>,
    keys: Vec<Key>,
    known: HashMap<Key, usize>,
    states: Vec<Box<[u8]>>,
    places: HashMap<StateId, usize>,
    /// For a true `E U` where the goal is not reached yet: rank and next state.
    towards: HashMap<Key, (u32, StateId)>,
    /// For a false `A U`: the next state; none where it is broken at once.
    away: HashMap<Key, Option<StateId>>,
    /// For a true `A U`: the most steps to the goal.
    ranks: HashMap<Key, u32>,
}

/// Breadth-first steps: each with its state and the step before.
type Tree = Vec<(StateId, usize)>;

fn path_in(tree: &Tree, mut at: usize) -> Vec<StateId> {
    let mut path = vec![tree[at].0];
    while at != 0 {
        at = tree[at].1;
        path.push(tree[at].0);
    }
    path.reverse();
    path
}

impl<'a, M: KripkeStructure> Builder<'a, M> {
    fn new(checker: LocalChecker<'a, M>, formula: &'a CtlFormula, detail: Detail) -> Self {
        Builder {
            checker,
            formula,
            detail,
            obligations: Vec::new(),
            keys: Vec::new(),
            known: HashMap::new(),
            states: Vec::new(),
            places: HashMap::new(),
            towards: HashMap::new(),
            away: HashMap::new(),
            ranks: HashMap::new(),
        }
    }

    fn build(mut self, holds: bool, roots: &[StateId]) -> Result<CtlEvidence, Stopped> {
        let mut places = Vec::new();
        for &root in roots {
            places.push(self.obligation(root, self.formula.root)?);
        }
        let mut next = 0;
        while next < self.obligations.len() {
            self.obligations[next].justification = self.justify(next)?;
            next += 1;
        }
        Ok(CtlEvidence {
            holds,
            states: self.states,
            obligations: self.obligations,
            roots: places,
        })
    }

    /// The place of an obligation, which is noted where it is new.
    fn obligation(&mut self, state: StateId, node: NodeId) -> Result<usize, Stopped> {
        if let Some(&place) = self.known.get(&(state, node)) {
            return Ok(place);
        }
        let holds = self.checker.decide(state, node)?;
        let rank = self.rank(state, node, holds)?;
        let next = self.states.len();
        let state_place = *self.places.entry(state).or_insert(next);
        if state_place == next {
            self.states.push(Box::from(&*self.checker.bytes(state)));
        }
        self.known.insert((state, node), self.obligations.len());
        self.keys.push((state, node));
        self.obligations.push(Obligation {
            state: state_place,
            node,
            holds,
            rank,
            justification: Justification::Searched,
        });
        Ok(self.obligations.len() - 1)
    }

    fn rank(&mut self, state: StateId, node: NodeId, holds: bool) -> Result<u32, Stopped> {
        match self.formula.nodes[node] {
            CtlNode::ExistsUntil(a, b) if holds && !self.checker.decide(state, b)? => {
                self.find_goal(state, node, a, b)?;
                Ok(self.towards[&(state, node)].0)
            }
            CtlNode::AllUntil(_, b) if holds && self.detail == Detail::Proof => self.longest(state, node, b),
            _ => Ok(0),
        }
    }

    fn justify(&mut self, place: usize) -> Result<Justification, Stopped> {
        let (state, node) = self.keys[place];
        let holds = self.obligations[place].holds;
        let formula = self.formula;
        let mut here: Vec<NodeId> = Vec::new();
        let mut there: Vec<(StateId, NodeId)> = Vec::new();
        let universal = is_universal(formula, &self.obligations[place]);
        match (&formula.nodes[node], holds) {
            (CtlNode::Proposition(_), _) => return Ok(Justification::Labels),
            (CtlNode::Not(a), _) => here.push(*a),
            (CtlNode::And(a, b), true) | (CtlNode::Or(a, b), false) => here.extend([*a, *b]),
            (CtlNode::And(a, b), false) | (CtlNode::Or(a, b), true) => {
                let first = self.checker.decide(state, *a)? == holds;
                here.push(if first { *a } else { *b });
            }
            (CtlNode::ExistsNext(a), true) => {
                for next in self.checker.successors(state)? {
                    if self.checker.decide(next, *a)? {
                        there.push((next, *a));
                        break;
                    }
                }
            }
            (CtlNode::ExistsNext(a), false) => {
                let successors = self.checker.successors(state)?;
                there.extend(successors.into_iter().map(|next| (next, *a)));
            }
            (CtlNode::ExistsUntil(_, b) | CtlNode::AllUntil(_, b), true)
                if self.checker.decide(state, *b)? =>
            {
                here.push(*b);
            }
            (CtlNode::ExistsUntil(a, b) | CtlNode::AllUntil(a, b), false)
                if !self.checker.decide(state, *a)? =>
            {
                here.extend([*a, *b]);
            }
            (CtlNode::ExistsUntil(a, _), true) => {
                here.push(*a);
                there.push((self.towards[&(state, node)].1, node));
            }
            (CtlNode::AllUntil(a, b), false) => {
                here.push(*b);
                if let Some(next) = self.find_failure(state, node, *a, *b)? {
                    there.push((next, node));
                }
            }
            (CtlNode::AllUntil(side, _), true) | (CtlNode::ExistsUntil(_, side), false) => {
                here.push(*side);
                let successors = self.checker.successors(state)?;
                there.extend(successors.into_iter().map(|next| (next, node)));
            }
        }
        if universal && self.detail == Detail::Outline && !there.is_empty() {
            return Ok(Justification::Searched);
        }
        self.links(state, &here, &there).map(Justification::Links)
    }

    fn links(
        &mut self,
        state: StateId,
        here: &[NodeId],
        there: &[(StateId, NodeId)],
    ) -> Result<Vec<Link>, Stopped> {
        let mut links = Vec::new();
        for &node in here {
            let to = self.obligation(state, node)?;
            links.push(Link { to, step: Step::Here });
        }
        for &(next, node) in there {
            let to = self.obligation(next, node)?;
            let step = self.checker.choice(state, next).map_or(Step::Stays, Step::By);
            links.push(Link { to, step });
        }
        Ok(links)
    }

    /// A shortest path to the goal of a true `E U`.
    fn find_goal(&mut self, start: StateId, node: NodeId, a: NodeId, b: NodeId) -> Result<(), Stopped> {
        if self.towards.contains_key(&(start, node)) {
            return Ok(());
        }
        let mut tree: Tree = vec![(start, 0)];
        let mut seen = HashSet::from([start]);
        let mut next = 0;
        while next < tree.len() {
            for successor in self.checker.successors(tree[next].0)? {
                if !seen.insert(successor) {
                    continue;
                }
                let goal = self.checker.decide(successor, b)?;
                if goal || self.checker.decide(successor, a)? {
                    tree.push((successor, next));
                }
                if goal {
                    let path = path_in(&tree, tree.len() - 1);
                    for (index, step) in path.windows(2).enumerate() {
                        let rank = (path.len() - 1 - index) as u32;
                        self.towards.entry((step[0], node)).or_insert((rank, step[1]));
                    }
                    return Ok(());
                }
            }
            next += 1;
        }
        unreachable!("a true until reaches its goal")
    }

    /// Where a false `A U` leads from a state where the goal is false and the first part true: along the
    /// nearest way to a state that breaks it, or round a cycle without the goal.
    fn find_failure(
        &mut self,
        start: StateId,
        node: NodeId,
        a: NodeId,
        b: NodeId,
    ) -> Result<Option<StateId>, Stopped> {
        if let Some(&next) = self.away.get(&(start, node)) {
            return Ok(next);
        }
        let mut tree: Tree = vec![(start, 0)];
        let mut places = HashMap::from([(start, 0)]);
        let mut next = 0;
        while next < tree.len() {
            for successor in self.checker.successors(tree[next].0)? {
                if self.checker.decide(successor, b)? {
                    continue;
                }
                let closes = match places.get(&successor) {
                    Some(&place) => is_ancestor(&tree, place, next),
                    None => {
                        places.insert(successor, tree.len());
                        tree.push((successor, next));
                        !self.checker.decide(successor, a)?
                    }
                };
                if closes {
                    let mut path = path_in(&tree, next);
                    path.push(successor);
                    for step in path.windows(2) {
                        self.away.entry((step[0], node)).or_insert(Some(step[1]));
                    }
                    return Ok(self.away[&(start, node)]);
                }
            }
            next += 1;
        }
        self.follow_failure(start, node)
    }

    /// The next state that fails too. For cycles that no branch of the breadth-first tree closes.
    fn follow_failure(&mut self, start: StateId, node: NodeId) -> Result<Option<StateId>, Stopped> {
        for successor in self.checker.successors(start)? {
            if !self.checker.decide(successor, node)? {
                self.away.insert((start, node), Some(successor));
                return Ok(Some(successor));
            }
        }
        unreachable!("where an until fails and its first part holds, it fails in a successor")
    }

    /// The most steps a true `A U` takes to its goal.
    fn longest(&mut self, start: StateId, node: NodeId, b: NodeId) -> Result<u32, Stopped> {
        let mut path = vec![(start, 0, 0)];
        while let Some(&(state, position, rank)) = path.last() {
            let known = self.ranks.get(&(state, node)).copied();
            let successors = match known {
                None if !self.checker.decide(state, b)? => self.checker.successors(state)?,
                _ => Vec::new(),
            };
            match successors.get(position) {
                Some(&next) => {
                    if let Some((_, position, _)) = path.last_mut() {
                        *position += 1;
                    }
                    path.push((next, 0, 0));
                }
                None => {
                    let rank = known.unwrap_or(rank);
                    self.ranks.insert((state, node), rank);
                    path.pop();
                    if let Some((.., longest)) = path.last_mut() {
                        *longest = (rank + 1).max(*longest);
                    }
                }
            }
        }
        Ok(self.ranks[&(start, node)])
    }
}

fn is_ancestor(tree: &Tree, ancestor: usize, mut at: usize) -> bool {
    // Steps come after the ones they grew from.
    while at > ancestor {
        at = tree[at].1;
    }
    at == ancestor
}

impl<M: KripkeStructure> LocalChecker<'_, M> {
    fn bytes(&self, state: StateId) -> Cow<'_, [u8]> {
        self.store.state(state)
    }

    fn successors(&mut self, state: StateId) -> Result<Vec<StateId>, Stopped> {
        self.expand(state)?;
        Ok((0..self.successor_count(state))
            .map(|index| self.successor(state, index))
            .collect())
    }

    /// The first choice that leads from one state to the other; none where the run ends.
    fn choice(&mut self, from: StateId, to: StateId) -> Option<Choice> {
        let (from, to) = (self.store.state(from), self.store.state(to));
        choice_between(self.model, &from, &to)
    }
}
