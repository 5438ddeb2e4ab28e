//! Values of many bits as case distinctions.
//!
//! Idea: what a program keeps of its inputs (positions, counts, kinds) are few numbers, of which the inputs
//! choose one. So a value is a decision diagram whose leaves are vectors of functions of bits: mostly
//! constants, or an input as it is. Operations are those of the leaves, pair by pair.
//!
//! Invariant: under any values of the bits, a value is what the leaf that they lead to is under the same.
//!
//! Source: R. I. Bahar et al., "Algebraic Decision Diagrams and their Applications" (ICCAD 1993).

use rustc_hash::FxHashMap;

use super::circuits::Bits;
use super::effort::Failed;
use super::store::{Edge, NO_LEVEL, Store};

/// A value inside its [`Values`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Tree(u32);

enum Node {
    Leaf(Bits),
    Branch { level: u32, high: Tree, low: Tree },
}

/// How many results of case distinctions are kept.
const MOST_CHOSEN: usize = 1 << 18;

/// All values.
pub(super) struct Values {
    nodes: Vec<Node>,
    leaves: FxHashMap<Bits, Tree>,
    branches: FxHashMap<(u32, Tree, Tree), Tree>,
    chosen: FxHashMap<(Edge, Tree, Tree), Tree>,
}

impl Values {
    pub fn new() -> Self {
        Values {
            nodes: Vec::new(),
            leaves: FxHashMap::default(),
            branches: FxHashMap::default(),
            chosen: FxHashMap::default(),
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The value of those bits, the lowest first.
    pub fn leaf(&mut self, bits: Bits) -> Tree {
        if let Some(&known) = self.leaves.get(&bits) {
            return known;
        }
        let tree = Tree(self.nodes.len() as u32);
        self.nodes.push(Node::Leaf(bits.clone()));
        self.leaves.insert(bits, tree);
        tree
    }

    fn branch(&mut self, level: u32, high: Tree, low: Tree) -> Tree {
        if high == low {
            return high;
        }
        let next = Tree(self.nodes.len() as u32);
        let tree = *self.branches.entry((level, high, low)).or_insert(next);
        if tree == next {
            self.nodes.push(Node::Branch { level, high, low });
        }
        tree
    }

    fn level(&self, tree: Tree) -> u32 {
        match self.nodes[tree.0 as usize] {
            Node::Leaf(_) => NO_LEVEL,
            Node::Branch { level, .. } => level,
        }
    }

    fn cofactors(&self, tree: Tree, at: u32) -> (Tree, Tree) {
        match self.nodes[tree.0 as usize] {
            Node::Branch { level, high, low } if level == at => (high, low),
            _ => (tree, tree),
        }
    }

    /// The bits of a leaf.
    fn bits(&self, tree: Tree) -> Option<&Bits> {
        match &self.nodes[tree.0 as usize] {
            Node::Leaf(bits) => Some(bits),
            Node::Branch { .. } => None,
        }
    }

    /// One of two values.
    pub fn choose(
        &mut self,
        store: &mut Store,
        condition: Edge,
        then: Tree,
        otherwise: Tree,
    ) -> Result<Tree, Failed> {
        if then == otherwise || condition == Edge::TRUE {
            return Ok(then);
        }
        if condition == Edge::FALSE {
            return Ok(otherwise);
        }
        let key = (condition, then, otherwise);
        if let Some(&known) = self.chosen.get(&key) {
            return Ok(known);
        }
        store.effort.step()?;
        let level = store.level(condition);
        let level = level.min(self.level(then)).min(self.level(otherwise));
        let (condition1, condition0) = store.cofactors(condition, level);
        let (then1, then0) = self.cofactors(then, level);
        let (otherwise1, otherwise0) = self.cofactors(otherwise, level);
        let high = self.choose(store, condition1, then1, otherwise1)?;
        let low = self.choose(store, condition0, then0, otherwise0)?;
        let tree = self.branch(level, high, low);
        if self.chosen.len() >= MOST_CHOSEN {
            self.chosen.clear();
        }
        self.chosen.insert(key, tree);
        Ok(tree)
    }

    /// An operation on one or two values.
    pub fn apply(
        &mut self,
        store: &mut Store,
        operands: &[Tree],
        operation: Operation<'_, Bits>,
    ) -> Result<Tree, Failed> {
        let pair = (operands[0], *operands.get(1).unwrap_or(&operands[0]));
        let mut walk = Walk {
            values: self,
            store,
            operation,
            of_leaves: |values, bits| values.leaf(bits),
            joined: |values, _, level, high, low| Ok(values.branch(level, high, low)),
            known: FxHashMap::default(),
        };
        walk.pair(pair)
    }

    /// A comparison of two values.
    pub fn test(
        &mut self,
        store: &mut Store,
        pair: (Tree, Tree),
        comparison: Operation<'_, Edge>,
    ) -> Result<Edge, Failed> {
        let mut walk = Walk {
            values: self,
            store,
            operation: comparison,
            of_leaves: |_, edge| edge,
            // A leaf may test bits of earlier levels.
            joined: |_, store, level, high, low| {
                let bit = store.bit(level);
                store.ite(bit, high, low)
            },
            known: FxHashMap::default(),
        };
        walk.pair(pair)
    }
}

/// What an operation makes of two leaves; one on a single value gets it twice.
pub(super) type Operation<'a, L> = &'a dyn Fn(&mut Store, &Bits, &Bits) -> Result<L, Failed>;

/// Goes through two values at once, to results `R` that are made of those of leaves, `L`.
struct Walk<'a, L, R> {
    values: &'a mut Values,
    store: &'a mut Store,
    operation: Operation<'a, L>,
    of_leaves: fn(&mut Values, L) -> R,
    joined: fn(&mut Values, &mut Store, u32, R, R) -> Result<R, Failed>,
    known: FxHashMap<(Tree, Tree), R>,
}

impl<L, R: Copy> Walk<'_, L, R> {
    fn pair(&mut self, (a, b): (Tree, Tree)) -> Result<R, Failed> {
        if let Some(&known) = self.known.get(&(a, b)) {
            return Ok(known);
        }
        self.store.effort.step()?;
        let result = match (self.values.bits(a), self.values.bits(b)) {
            (Some(left), Some(right)) => {
                // Bits that are known or were met before take a step as well.
                self.store.effort.steps(left.len())?;
                let of_leaves = (self.operation)(self.store, left, right)?;
                (self.of_leaves)(self.values, of_leaves)
            }
            _ => {
                let level = self.values.level(a).min(self.values.level(b));
                let (a1, a0) = self.values.cofactors(a, level);
                let (b1, b0) = self.values.cofactors(b, level);
                let high = self.pair((a1, b1))?;
                let low = self.pair((a0, b0))?;
                (self.joined)(self.values, self.store, level, high, low)?
            }
        };
        self.known.insert((a, b), result);
        Ok(result)
    }
}
