//! Path conditions.
//!
//! Idea: a path condition is a chain of conjuncts in an arena, so that a state carries one number, a
//! branch adds one node, and two paths that meet again find the point where they parted. Where both
//! sides of a branch meet, the merged path is the one before the branch, not a disjunction.
//!
//! Invariant: the paths of all states that are pending at one time exclude each other, and the first
//! conjuncts after the common ancestor of two of them do; so the first conjunct alone tells, in
//! a merged state, which of the two it came from.

use std::cmp::Ordering;

use kripke_smt::{Op, TermId, Terms};

/// A path condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(u32);

struct Node {
    parent: PathId,
    depth: u32,
    branches: u32,
    condition: TermId,
    conjunction: TermId,
    /// The condition follows from those before.
    is_implied: bool,
}

/// The arena of path conditions of one symbolic run.
pub struct Paths {
    nodes: Vec<Node>,
}

/// How far back [`Paths::decide`] looks for a conjunct.
const LOOK_BACK: usize = 400;

impl Paths {
    /// Only the empty path.
    pub fn new(terms: &mut Terms) -> Self {
        let truth = terms.true_();
        Paths {
            nodes: vec![Node {
                parent: PathId(0),
                depth: 0,
                branches: 0,
                condition: truth,
                conjunction: truth,
                is_implied: false,
            }],
        }
    }

    /// How many conditions all paths have.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The path without conjuncts.
    pub fn root(&self) -> PathId {
        PathId(0)
    }

    fn node(&self, path: PathId) -> &Node {
        &self.nodes[path.0 as usize]
    }

    /// The conjunction as a term.
    pub fn term(&self, path: PathId) -> TermId {
        self.node(path).conjunction
    }

    /// How many decisions of the program lie on the path, as opposed to assertions and assumptions.
    pub fn branches(&self, path: PathId) -> u32 {
        self.node(path).branches
    }

    /// The path with an assumption added; `None` when it contradicts the path at sight.
    pub fn assume(&mut self, terms: &mut Terms, path: PathId, condition: TermId) -> Option<PathId> {
        let branches = self.node(path).branches;
        let extended = self.extend(terms, path, condition)?;
        if extended != path {
            self.nodes[extended.0 as usize].branches = branches;
        }
        Some(extended)
    }

    /// The path with a decision added; `None` when it contradicts the path at sight.
    pub fn extend(&mut self, terms: &mut Terms, path: PathId, condition: TermId) -> Option<PathId> {
        if terms.op(condition) == Op::And {
            let children: Vec<TermId> = terms.children(condition).to_vec();
            return children
                .into_iter()
                .try_fold(path, |path, child| self.extend(terms, path, child));
        }
        match self.decide(terms, path, condition) {
            Some(true) => return Some(path),
            Some(false) => return None,
            None => {}
        }
        let conjunction = terms.and(self.term(path), condition);
        if terms.as_bool(conjunction) == Some(false) {
            return None;
        }
        let extended = self.add(path, condition, conjunction);
        self.nodes[extended.0 as usize].branches += 1;
        Some(extended)
    }

    fn add(&mut self, path: PathId, condition: TermId, conjunction: TermId) -> PathId {
        let Node { depth, branches, .. } = *self.node(path);
        self.nodes.push(Node {
            parent: path,
            depth: depth + 1,
            branches,
            condition,
            conjunction,
            is_implied: false,
        });
        PathId((self.nodes.len() - 1) as u32)
    }

    /// The path, of which it is known that a condition follows from it: that decides others at sight, and is
    /// no part of the conjunction.
    pub fn note_implied(&mut self, terms: &mut Terms, path: PathId, condition: TermId) -> PathId {
        if terms.op(condition) == Op::And {
            let children: Vec<TermId> = terms.children(condition).to_vec();
            let note = |path, child| self.note_implied(terms, path, child);
            return children.into_iter().fold(path, note);
        }
        if self.decide(terms, path, condition).is_some() {
            return path;
        }
        let noted = self.add(path, condition, self.term(path));
        self.nodes[noted.0 as usize].is_implied = true;
        noted
    }

    /// What the path says about a condition, as far as its conjuncts show at sight.
    pub fn decide(&self, terms: &mut Terms, path: PathId, condition: TermId) -> Option<bool> {
        if let Some(value) = terms.as_bool(condition) {
            return Some(value);
        }
        let negated = terms.not(condition);
        if let Some(value) = self.look_up(path, condition, negated) {
            return Some(value);
        }
        match (terms.op(condition), terms.children(condition)) {
            (Op::Not, [inner]) => {
                let inner = *inner;
                self.decide_conjunction(terms, path, inner).map(|value| !value)
            }
            _ => self.decide_conjunction(terms, path, condition),
        }
    }

    fn decide_conjunction(&self, terms: &mut Terms, path: PathId, condition: TermId) -> Option<bool> {
        let (Op::And, [a, b]) = (terms.op(condition), terms.children(condition)) else {
            return None;
        };
        let (a, b) = (*a, *b);
        let (a, b) = (self.decide_leaf(terms, path, a), self.decide_leaf(terms, path, b));
        if a == Some(false) || b == Some(false) {
            return Some(false);
        }
        (a == Some(true) && b == Some(true)).then_some(true)
    }

    fn decide_leaf(&self, terms: &mut Terms, path: PathId, condition: TermId) -> Option<bool> {
        let negated = terms.not(condition);
        self.look_up(path, condition, negated)
    }

    fn look_up(&self, path: PathId, condition: TermId, negated: TermId) -> Option<bool> {
        self.conditions(path)
            .take(LOOK_BACK)
            .find_map(|known| match known {
                _ if known == condition => Some(true),
                _ if known == negated => Some(false),
                _ => None,
            })
    }

    /// The conjuncts, latest first.
    pub fn conditions(&self, path: PathId) -> impl Iterator<Item = TermId> + '_ {
        let mut at = path;
        std::iter::from_fn(move || {
            let node = self.node(at);
            (node.depth > 0).then(|| {
                at = node.parent;
                node.condition
            })
        })
    }

    /// The conjuncts of `path` after those of its ancestor `from`, earliest first, without those that follow
    /// from others.
    pub fn since(&self, from: PathId, path: PathId) -> Vec<TermId> {
        let (mut conditions, mut at) = (Vec::new(), path);
        while self.node(at).depth > self.node(from).depth {
            let node = self.node(at);
            if !node.is_implied {
                conditions.push(node.condition);
            }
            at = node.parent;
        }
        conditions.reverse();
        conditions
    }

    /// How many conjuncts two paths have in common.
    pub fn common_depth(&self, a: PathId, b: PathId) -> u32 {
        self.node(self.common_ancestor(a, b)).depth
    }

    /// Is a path another one, or that with further conjuncts?
    pub fn extends(&self, path: PathId, extended: PathId) -> bool {
        self.common_ancestor(path, extended) == path
    }

    /// Orders paths such that those that parted late are near each other.
    pub fn compare(&self, a: PathId, b: PathId) -> Ordering {
        let ancestor = self.common_ancestor(a, b);
        let next = |path| {
            let depth = self.node(ancestor).depth;
            let mut at = path;
            while self.node(at).depth > depth + 1 {
                at = self.node(at).parent;
            }
            (path != ancestor).then_some(at)
        };
        next(a).cmp(&next(b))
    }

    fn common_ancestor(&self, mut a: PathId, mut b: PathId) -> PathId {
        while a != b {
            if self.node(a).depth >= self.node(b).depth {
                a = self.node(a).parent;
            } else {
                b = self.node(b).parent;
            }
        }
        a
    }

    /// The path of the states of both, and a condition that, there, is true exactly on the first.
    pub fn merge(&mut self, terms: &mut Terms, a: PathId, b: PathId) -> (PathId, TermId) {
        let ancestor = self.common_ancestor(a, b);
        let (mut left, mut right) = (self.since(ancestor, a), self.since(ancestor, b));
        let selector = self.selector(terms, &left, &right);
        let common: Vec<TermId> = left.iter().copied().filter(|term| right.contains(term)).collect();
        left.retain(|term| !common.contains(term));
        right.retain(|term| !common.contains(term));
        let mut merged = ancestor;
        for condition in common {
            merged = self.push(terms, merged, condition);
        }
        let opposite = match (left.first(), right.first()) {
            (Some(l), Some(r)) => terms.not(*l) == *r,
            _ => false,
        };
        if opposite {
            // (c and X) or (not c and Y) is (c implies X) and (not c implies Y).
            let (condition, negated) = (left[0], right[0]);
            let (first, second) = (
                terms.and_all(left[1..].iter().copied()),
                terms.and_all(right[1..].iter().copied()),
            );
            let first = terms.or(negated, first);
            let second = terms.or(condition, second);
            merged = self.push(terms, merged, first);
            merged = self.push(terms, merged, second);
        } else {
            let either = disjunction(terms, &left, &right);
            merged = self.push(terms, merged, either);
        }
        (merged, selector)
    }

    fn push(&mut self, terms: &mut Terms, path: PathId, condition: TermId) -> PathId {
        match self.extend(terms, path, condition) {
            Some(extended) => extended,
            None => self.impossible(terms, path),
        }
    }

    /// A path with a conjunct that is false: of two that met, neither can be taken.
    fn impossible(&mut self, terms: &mut Terms, path: PathId) -> PathId {
        let falsity = terms.false_();
        self.add(path, falsity, falsity)
    }

    fn selector(&self, terms: &mut Terms, left: &[TermId], right: &[TermId]) -> TermId {
        let (Some(first), Some(second)) = (left.first(), right.first()) else {
            // The paths exclude each other, so where one adds nothing the other cannot be taken, although
            // that does not show at sight.
            return terms.bool_(left.is_empty());
        };
        let negated = terms.not(*second);
        if *first != negated {
            // A condition that was split into its conjuncts (`a and b` against `not (a and b)`): one
            // conjunct alone can hold on both sides.
            let left = terms.and_all(left.iter().copied());
            let right = terms.and_all(right.iter().copied());
            return if terms.op(left) == Op::Not {
                terms.not(right)
            } else {
                left
            };
        }
        match (terms.op(*first), terms.op(*second)) {
            (Op::Or | Op::Not, _) => negated,
            _ => *first,
        }
    }
}

/// The disjunction of two conjunctions. The exits of a loop meet one by one: what has left before is
/// then the negation of the first conjuncts of what leaves now, and they fall away.
fn disjunction(terms: &mut Terms, left: &[TermId], right: &[TermId]) -> TermId {
    let (first, second) = (
        terms.and_all(left.iter().copied()),
        terms.and_all(right.iter().copied()),
    );
    for (whole, parts) in [(first, right), (second, left)] {
        let negated = terms.not(whole);
        let mut prefix = terms.true_();
        for (index, part) in parts.iter().enumerate() {
            prefix = terms.and(prefix, *part);
            if prefix == negated {
                let rest = terms.and_all(parts[index + 1..].iter().copied());
                return terms.or(whole, rest);
            }
        }
    }
    terms.or(first, second)
}
