//! The term store: every term exists once.
//!
//! Idea: a term is a `u32`; equal ids are equal terms, so comparing symbolic states is comparing
//! integers. A node is its operator, its sort and a range in one arena of operands; an open
//! addressing table of ids finds an existing node by operator and operands. Nothing is freed: a
//! store lives as long as one analysis.
//!
//! Invariants:
//! - operands have smaller ids than the term that uses them, so ascending ids are a topological
//!   order and every traversal can be iterative;
//! - terms are well-sorted ([`crate::op::result_sort`]); a violation is a bug of the caller;
//! - constants of one value are one term, floats by their exact bits;
//! - an [`Op::FpToBits`] stands on an operation's result only, see [`Terms::fp_to_bits`].
//!
//! Rejected: reference-counted nodes (slower, and state hashing wants integers) and a table keyed
//! by owned operand vectors (one allocation per term).

use std::hash::Hasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kripke_value::{BitVec, Float, RoundingMode};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::diagrams::Diagrams;
use crate::lambda::Lambdas;
use crate::op::{Op, Sort, result_sort};
use crate::range::Range;
use crate::rules::{Rule, RuleCounts};
use crate::value::{Value, apply};

/// A term of a [`Terms`] store. Equal ids of one store are equal terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position in the store: operands come before their users.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for TermId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.0)
    }
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    first_child: u32,
    /// Leaves of an if-then-else tree whose leaves are all constants; 1 for a constant, 0 for any
    /// other term and for trees too large to count.
    constant_leaves: u8,
    /// How many operands it has, which is asked for more often than anything else.
    arity: u8,
}

/// The store of terms.
pub struct Terms {
    nodes: Vec<Node>,
    children: Vec<TermId>,
    table: Vec<u32>,
    bit_vectors: Vec<BitVec>,
    bit_vector_ids: FxHashMap<BitVec, TermId>,
    floats: Vec<Float>,
    float_ids: FxHashMap<Float, TermId>,
    names: Vec<Box<str>>,
    name_ids: FxHashMap<Box<str>, TermId>,
    pub(crate) ranges: FxHashMap<TermId, Range>,
    pub(crate) float_bits: FxHashMap<TermId, TermId>,
    pub(crate) rule_counts: RuleCounts,
    pub(crate) rewriting: bool,
    /// Nesting of rewrites; see [`Terms::nested`].
    depth: u32,
    pub(crate) extracted: FxHashMap<(TermId, u32, u32), TermId>,
    has_float_terms: bool,
    /// What is known of arrays that are given by bodies.
    pub(crate) lambdas: Lambdas,
    /// Terms as decision diagrams, as far as questions needed them.
    diagrams: Mutex<Diagrams>,
}

const EMPTY: u32 = u32::MAX;
const MAX_DEPTH: u32 = 200;

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// An empty store.
    pub fn new() -> Self {
        Terms {
            nodes: Vec::new(),
            children: Vec::new(),
            table: vec![EMPTY; 1024],
            bit_vectors: Vec::new(),
            bit_vector_ids: FxHashMap::default(),
            floats: Vec::new(),
            float_ids: FxHashMap::default(),
            names: Vec::new(),
            name_ids: FxHashMap::default(),
            ranges: FxHashMap::default(),
            float_bits: FxHashMap::default(),
            rule_counts: RuleCounts::default(),
            rewriting: true,
            depth: 0,
            extracted: FxHashMap::default(),
            has_float_terms: false,
            lambdas: Lambdas::default(),
            diagrams: Mutex::new(Diagrams::new()),
        }
    }

    /// Switches folding and rewriting; off, a builder makes exactly the application it names
    /// (except where [`Terms::fp_to_bits`] and derived operators need their normal form). Tests
    /// compare both.
    pub fn set_rewriting(&mut self, on: bool) {
        self.rewriting = on;
    }

    /// How many questions decision diagrams answered.
    pub fn diagram_answers(&self) -> u64 {
        self.diagrams().answers
    }

    /// The decision diagrams of terms.
    pub(crate) fn diagrams(&self) -> MutexGuard<'_, Diagrams> {
        self.diagrams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True when there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// True when some term is a float.
    pub fn has_float_terms(&self) -> bool {
        self.has_float_terms
    }

    /// How often each rewrite rule fired, by name.
    pub fn rule_counts(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.rule_counts.iter()
    }

    /// How often a rewrite rule fired.
    pub fn rule_count(&self, rule: Rule) -> u64 {
        self.rule_counts.of(rule)
    }

    pub(crate) fn fired(&mut self, rule: Rule) {
        self.rule_counts.count(rule);
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: TermId) -> u32 {
        self.sort(term).width()
    }

    /// The operator of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The operands of a term.
    pub fn children(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let first = node.first_child as usize;
        &self.children[first..first + usize::from(node.arity)]
    }

    pub(crate) fn child(&self, term: TermId, index: usize) -> TermId {
        self.children(term)[index]
    }

    pub(crate) fn operands2(&self, term: TermId) -> (TermId, TermId) {
        let children = self.children(term);
        (children[0], children[1])
    }

    pub(crate) fn operands3(&self, term: TermId) -> (TermId, TermId, TermId) {
        let children = self.children(term);
        (children[0], children[1], children[2])
    }

    /// Number of leaves when the term is an if-then-else tree with constant leaves only (a
    /// constant counts 1); `None` otherwise, and for large trees.
    pub fn constant_leaves(&self, term: TermId) -> Option<usize> {
        match self.nodes[term.index()].constant_leaves {
            0 => None,
            leaves => Some(usize::from(leaves)),
        }
    }

    /// The truth value of a Boolean constant.
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        if let Op::Bool(value) = self.op(term) {
            Some(value)
        } else {
            None
        }
    }

    /// The value of a bit-vector constant.
    pub fn as_bv(&self, term: TermId) -> Option<&BitVec> {
        if let Op::BitVec(index) = self.op(term) {
            Some(&self.bit_vectors[index as usize])
        } else {
            None
        }
    }

    /// The value of a float constant.
    pub fn as_float(&self, term: TermId) -> Option<&Float> {
        if let Op::Float(index) = self.op(term) {
            Some(&self.floats[index as usize])
        } else {
            None
        }
    }

    /// The value of a rounding mode constant.
    pub fn as_rounding(&self, term: TermId) -> Option<RoundingMode> {
        if let Op::Rounding(mode) = self.op(term) {
            Some(mode)
        } else {
            None
        }
    }

    /// True for constants.
    pub fn is_const(&self, term: TermId) -> bool {
        self.op(term).is_constant()
    }

    /// The value of a constant.
    pub fn as_value(&self, term: TermId) -> Option<Value> {
        Some(match self.op(term) {
            Op::Bool(value) => Value::Bool(value),
            Op::BitVec(index) => Value::BitVec(self.bit_vectors[index as usize].clone()),
            Op::Float(index) => Value::Float(self.floats[index as usize]),
            Op::Rounding(mode) => Value::Rounding(mode),
            _ => return None,
        })
    }

    /// The name of a variable.
    pub fn variable_name(&self, term: TermId) -> Option<&str> {
        if let Op::Variable(index) = self.op(term) {
            Some(&self.names[index as usize])
        } else {
            None
        }
    }

    /// The constant true.
    pub fn true_(&mut self) -> TermId {
        self.bool_(true)
    }

    /// The constant false.
    pub fn false_(&mut self) -> TermId {
        self.bool_(false)
    }

    /// A Boolean constant.
    pub fn bool_(&mut self, value: bool) -> TermId {
        self.intern(Op::Bool(value), Sort::Bool, &[])
    }

    /// A bit-vector constant.
    pub fn bv(&mut self, value: BitVec) -> TermId {
        if let Some(&known) = self.bit_vector_ids.get(&value) {
            return known;
        }
        let index = self.bit_vectors.len() as u32;
        let term = self.intern(Op::BitVec(index), Sort::BitVec(value.width()), &[]);
        self.bit_vectors.push(value.clone());
        self.bit_vector_ids.insert(value, term);
        term
    }

    /// A bit-vector constant from the low `width` bits of an integer.
    pub fn bv_u64(&mut self, width: u32, value: u64) -> TermId {
        self.bv(BitVec::new(width, u128::from(value)))
    }

    /// A float constant.
    pub fn float(&mut self, value: Float) -> TermId {
        if let Some(&known) = self.float_ids.get(&value) {
            return known;
        }
        let index = self.floats.len() as u32;
        let term = self.intern(Op::Float(index), Sort::Float(value.format()), &[]);
        self.floats.push(value);
        self.float_ids.insert(value, term);
        term
    }

    /// A rounding mode.
    pub fn rounding(&mut self, mode: RoundingMode) -> TermId {
        self.intern(Op::Rounding(mode), Sort::RoundingMode, &[])
    }

    /// The constant array.
    pub fn value(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(value) => self.bool_(*value),
            Value::BitVec(value) => self.bv(value.clone()),
            Value::Float(value) => self.float(*value),
            Value::Rounding(mode) => self.rounding(*mode),
            Value::Array(array) => {
                let default = self.bv(array.default.clone());
                let mut term = self.const_array(array.index, default);
                for (index, element) in array.entries.iter() {
                    let (index, element) = (self.bv(index.clone()), self.bv(element.clone()));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    /// The variable of this name; the same name is the same variable.
    ///
    /// # Panics
    /// When the name is taken with another sort, which is an error of the caller's.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(&known) = self.name_ids.get(name) {
            assert_eq!(self.sort(known), sort, "variable {name} exists with another sort");
            return known;
        }
        let index = self.names.len() as u32;
        let term = self.intern(Op::Variable(index), sort, &[]);
        self.names.push(name.into());
        self.name_ids.insert(name.into(), term);
        term
    }

    /// The variable of this name, if there is one.
    pub fn find_variable(&self, name: &str) -> Option<TermId> {
        self.name_ids.get(name).copied()
    }

    /// Runs a rewrite that may build terms and so rewrite again. Chains of 100,000 operations are
    /// ordinary (a checksum over a buffer), so beyond a depth nothing is rewritten.
    pub(crate) fn nested(&mut self, rewrite: impl FnOnce(&mut Self) -> Option<TermId>) -> Option<TermId> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = rewrite(self);
        self.depth -= 1;
        result
    }

    /// Makes the application, folded when all operands are constant, otherwise as it stands.
    pub(crate) fn mk(&mut self, op: Op, operands: &[TermId]) -> TermId {
        if self.rewriting
            && let Some(value) = self.fold(op, operands)
        {
            self.fired(Rule::Fold);
            return self.value(&value);
        }
        self.mk_plain(op, operands)
    }

    /// Makes the application as it stands.
    pub(crate) fn mk_plain(&mut self, op: Op, operands: &[TermId]) -> TermId {
        let sorts: SmallVec<[Sort; 4]> = operands.iter().map(|&operand| self.sort(operand)).collect();
        match result_sort(op, &sorts) {
            Some(sort) => {
                let term = self.intern(op, sort, operands);
                self.note_lambda(op, operands, term);
                term
            }
            None => panic!("ill-sorted term: {op:?} on {sorts:?}"),
        }
    }

    /// The value of the application when all operands are constant (arrays are never folded).
    fn fold(&self, op: Op, operands: &[TermId]) -> Option<Value> {
        if !operands.iter().all(|&operand| self.is_const(operand))
            || matches!(op, Op::ConstArray(_) | Op::Lambda(_))
        {
            return None;
        }
        let values: SmallVec<[Value; 4]> = operands
            .iter()
            .filter_map(|&operand| self.as_value(operand))
            .collect();
        Some(apply(op, &values))
    }

    fn hash(op: Op, operands: &[TermId]) -> u64 {
        use std::hash::Hash;
        let mut hasher = FxHasher::default();
        op.hash(&mut hasher);
        for operand in operands {
            hasher.write_u32(operand.0);
        }
        let hash = hasher.finish();
        hash ^ (hash >> 32)
    }

    fn intern(&mut self, op: Op, sort: Sort, operands: &[TermId]) -> TermId {
        let mask = self.table.len() - 1;
        let mut slot = Self::hash(op, operands) as usize & mask;
        while self.table[slot] != EMPTY {
            let candidate = TermId(self.table[slot]);
            if self.op(candidate) == op && self.children(candidate) == operands {
                return candidate;
            }
            slot = (slot + 1) & mask;
        }
        let id = self.nodes.len() as u32;
        assert!(id < EMPTY, "more than 2^32 terms");
        let node = Node {
            op,
            sort,
            first_child: self.children.len() as u32,
            constant_leaves: self.count_constant_leaves(op, operands),
            arity: operands.len() as u8,
        };
        self.has_float_terms |= matches!(sort, Sort::Float(_));
        self.nodes.push(node);
        self.children.extend_from_slice(operands);
        self.table[slot] = id;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        let term = TermId(id);
        self.note_range(term);
        term
    }

    fn count_constant_leaves(&self, op: Op, operands: &[TermId]) -> u8 {
        match op {
            _ if op.is_constant() => 1,
            Op::Ite => {
                let leaves = |term: TermId| self.nodes[term.index()].constant_leaves;
                match (leaves(operands[1]), leaves(operands[2])) {
                    (0, _) | (_, 0) => 0,
                    (left, right) => left.checked_add(right).unwrap_or(0),
                }
            }
            _ => 0,
        }
    }

    fn grow(&mut self) {
        let mut table = vec![EMPTY; self.table.len() * 2];
        let mask = table.len() - 1;
        for id in 0..self.nodes.len() as u32 {
            let term = TermId(id);
            let mut slot = Self::hash(self.op(term), self.children(term)) as usize & mask;
            while table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            table[slot] = id;
        }
        self.table = table;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_term() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let y = terms.variable("y", Sort::BitVec(8));
        let sum = terms.bv_add(x, y);
        assert_eq!(sum, terms.bv_add(y, x));
        assert_eq!(terms.variable("x", Sort::BitVec(8)), x);
        assert_eq!(terms.variable_name(x), Some("x"));
        assert_eq!(terms.find_variable("y"), Some(y));
    }

    #[test]
    fn growing_keeps_every_term() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(32));
        let many: Vec<TermId> = (0..5000)
            .map(|i| {
                let k = terms.bv_u64(32, i);
                terms.bv_xor(x, k)
            })
            .collect();
        for (i, &term) in many.iter().enumerate() {
            let k = terms.bv_u64(32, i as u64);
            assert_eq!(terms.bv_xor(k, x), term);
        }
    }

    #[test]
    #[should_panic(expected = "ill-sorted")]
    fn sorts_are_checked() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let y = terms.variable("y", Sort::BitVec(9));
        terms.bv_add(x, y);
    }
}
