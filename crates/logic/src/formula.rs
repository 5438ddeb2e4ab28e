//! One syntax tree for LTL, CTL and state propositions.
//!
//! Nodes live in a store and are hash-consed: equal ids are equal formulas, and every child's id is smaller
//! than its parent's, so a pass over a formula is a loop, not a recursion. Path quantifiers are nodes of
//! their own (`AG p` is `ForAll(Globally(p))`), so the tree is that of CTL*; [`Formula::logic`] says which
//! part is used. The tree keeps what was written: rewriting happens on the normal form (`normal_form`), never
//! here.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::atom::{AtomId, Atoms};

/// A formula inside its [`Formulas`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(u32);

impl FormulaId {
    /// The position in the store.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for FormulaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

/// The temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOperator {
    /// `X`: in the next letter.
    Next,
    /// `F`: now or later.
    Finally,
    /// `G`: now and always.
    Globally,
}

/// The temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOperator {
    /// `a U b`: a until b, and b comes.
    Until,
    /// `a W b`: a until b, or a for ever.
    WeakUntil,
    /// `a R b`: b up to and including a, or b for ever.
    Release,
    /// `a M b`: b up to and including a, and a comes.
    StrongRelease,
}

/// The path quantifiers of CTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantifier {
    /// `A`: on every path.
    ForAll,
    /// `E`: on some path.
    Exists,
}

/// One node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Constant(bool),
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(FormulaId),
    /// Conjunction of two or more, in the order written; nested conjunctions are flattened.
    And(Box<[FormulaId]>),
    /// Disjunction of two or more, in the order written; nested disjunctions are flattened.
    Or(Box<[FormulaId]>),
    /// Exclusive or.
    Xor(FormulaId, FormulaId),
    /// Implication.
    Implies(FormulaId, FormulaId),
    /// Equivalence.
    Iff(FormulaId, FormulaId),
    /// `X`, `F`, `G`.
    Unary(UnaryOperator, FormulaId),
    /// `U`, `W`, `R`, `M`.
    Binary(BinaryOperator, FormulaId, FormulaId),
    /// `A`, `E`.
    Path(Quantifier, FormulaId),
}

impl Node {
    /// The operands, left to right.
    pub fn children(&self) -> Vec<FormulaId> {
        match self {
            Node::Constant(_) | Node::Atom(_) => Vec::new(),
            Node::Not(a) | Node::Unary(_, a) | Node::Path(_, a) => vec![*a],
            Node::And(list) | Node::Or(list) => list.to_vec(),
            Node::Xor(a, b) | Node::Implies(a, b) | Node::Iff(a, b) | Node::Binary(_, a, b) => vec![*a, *b],
        }
    }

    fn is_temporal(&self) -> bool {
        matches!(self, Node::Unary(..) | Node::Binary(..))
    }
}

/// Which logic a formula belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// No temporal operator: both LTL and CTL.
    Propositional,
    /// Linear time: no path quantifier.
    Ltl,
    /// Branching time: every temporal operator directly under a path quantifier, and the other way round.
    Ctl,
    /// A mixture that is neither (CTL*), which no engine here takes.
    Mixed,
}

/// The store of hash-consed nodes, with the atoms they name.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    index: FxHashMap<Node, FormulaId>,
    /// The atomic propositions, in the order of their first occurrence.
    pub atoms: Atoms,
}

impl Formulas {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store over atoms that are numbered already.
    pub fn with_atoms(atoms: Atoms) -> Self {
        Formulas {
            atoms,
            ..Self::default()
        }
    }

    /// The node behind an id.
    pub fn node(&self, id: FormulaId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many different formulas the store holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the store holds no formula.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = FormulaId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.intern(Node::Constant(value))
    }

    /// An atomic proposition.
    pub fn atom(&mut self, atom: AtomId) -> FormulaId {
        self.intern(Node::Atom(atom))
    }

    /// Negation.
    pub fn not(&mut self, a: FormulaId) -> FormulaId {
        self.intern(Node::Not(a))
    }

    /// Conjunction; of nothing: `true`, of one: itself.
    pub fn and(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let mut list = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::And(inner) => list.extend_from_slice(inner),
                _ => list.push(operand),
            }
        }
        match list.len() {
            0 => self.constant(true),
            1 => list[0],
            _ => self.intern(Node::And(list.into())),
        }
    }

    /// Disjunction; of nothing: `false`, of one: itself.
    pub fn or(&mut self, operands: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let mut list = Vec::new();
        for operand in operands {
            match self.node(operand) {
                Node::Or(inner) => list.extend_from_slice(inner),
                _ => list.push(operand),
            }
        }
        match list.len() {
            0 => self.constant(false),
            1 => list[0],
            _ => self.intern(Node::Or(list.into())),
        }
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.intern(Node::Xor(a, b))
    }

    /// Implication.
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.intern(Node::Implies(a, b))
    }

    /// Equivalence.
    pub fn iff(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        self.intern(Node::Iff(a, b))
    }

    /// `X`, `F` or `G`.
    pub fn unary(&mut self, operator: UnaryOperator, a: FormulaId) -> FormulaId {
        self.intern(Node::Unary(operator, a))
    }

    /// `U`, `W`, `R` or `M`.
    pub fn binary(&mut self, operator: BinaryOperator, a: FormulaId, b: FormulaId) -> FormulaId {
        self.intern(Node::Binary(operator, a, b))
    }

    /// `A` or `E` over a path formula.
    pub fn path(&mut self, quantifier: Quantifier, a: FormulaId) -> FormulaId {
        self.intern(Node::Path(quantifier, a))
    }

    /// The formulas that `root` is made of, itself included, children before parents.
    pub fn subformulas(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut used = vec![false; root.index() + 1];
        used[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if used[index] {
                for child in self.nodes[index].children() {
                    used[child.index()] = true;
                }
            }
        }
        (0..=root.index())
            .filter(|&index| used[index])
            .map(|index| FormulaId(index as u32))
            .collect()
    }
}

/// A formula together with its store.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The nodes.
    pub store: Formulas,
    /// The whole formula.
    pub root: FormulaId,
}

impl Formula {
    /// The atomic propositions; a letter's bit `i` is the value of atom `i`.
    pub fn atoms(&self) -> &Atoms {
        &self.store.atoms
    }

    /// The negation, over the same atoms.
    #[must_use]
    pub fn negated(&self) -> Formula {
        let mut store = self.store.clone();
        let root = match store.node(self.root) {
            Node::Not(inner) => *inner,
            _ => store.not(self.root),
        };
        Formula { store, root }
    }

    /// The number of operators and atoms, counted as a tree.
    pub fn size(&self) -> usize {
        let mut sizes = vec![0usize; self.root.index() + 1];
        for id in self.store.subformulas(self.root) {
            let node = self.store.node(id);
            let own = match node {
                Node::And(list) | Node::Or(list) => list.len() - 1,
                _ => 1,
            };
            sizes[id.index()] = node
                .children()
                .iter()
                .fold(own, |sum, child| sum.saturating_add(sizes[child.index()]));
        }
        sizes[self.root.index()]
    }

    /// The logic it belongs to.
    pub fn logic(&self) -> Logic {
        let ids = self.store.subformulas(self.root);
        let nodes = || ids.iter().map(|&id| self.store.node(id));
        let quantified = nodes().any(|node| matches!(node, Node::Path(..)));
        let temporal = nodes().any(Node::is_temporal);
        if !quantified {
            return if temporal {
                Logic::Ltl
            } else {
                Logic::Propositional
            };
        }
        let is_temporal = |id: FormulaId| self.store.node(id).is_temporal();
        let well_formed = !is_temporal(self.root)
            && nodes().all(|node| match node {
                Node::Path(_, path) => is_temporal(*path),
                other => !other.children().into_iter().any(is_temporal),
            });
        if well_formed { Logic::Ctl } else { Logic::Mixed }
    }

    /// Whether `X` occurs.
    pub fn has_next(&self) -> bool {
        self.store
            .subformulas(self.root)
            .iter()
            .any(|&id| matches!(self.store.node(id), Node::Unary(UnaryOperator::Next, _)))
    }
}
