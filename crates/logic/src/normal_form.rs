//! LTL in negation normal form: literals, conjunction, disjunction, `X`, `U`, `R`; `F b` is `true U b`, `G b`
//! is `false R b`.
//!
//! Forms are hash-consed and built through `and`, `or`, `next`, `until`, `release`, which rewrite (module
//! `rewrite`) unless rewriting is switched off; every form in the store is therefore already simplified. Each
//! form carries what the rules ask of it: whether it is *eventual* (true of `uw` whenever it is of `w`),
//! *universal* (true of `w` whenever it is of `uw`), or free of temporal operators. Etessami and Holzmann,
//! "Optimizing Büchi automata", CONCUR 2000.

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, Bdds};
use crate::formula::{BinaryOperator, Formula, FormulaId, Formulas, Node, UnaryOperator};
use crate::rewrite::Rule;

/// A form inside its [`Forms`] store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Form(u32);

impl Form {
    pub(crate) const FALSE: Form = Form(0);
    pub(crate) const TRUE: Form = Form(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FormNode {
    Constant(bool),
    Literal(u8, bool),
    And(Box<[Form]>),
    Or(Box<[Form]>),
    Next(Form),
    Until(Form, Form),
    Release(Form, Form),
}

/// What rules ask of a form.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    eventual: bool,
    universal: bool,
    /// The set of letters, when there is no temporal operator.
    letters: Option<Bdd>,
    negation: Option<Form>,
}

pub(crate) struct Forms {
    nodes: Vec<FormNode>,
    index: FxHashMap<FormNode, Form>,
    facts: Vec<Facts>,
    pub(crate) bdds: Bdds,
    pub(crate) rewriting: bool,
    /// Whether operands that are eventual, universal or constant along words are moved out of operators;
    /// otherwise they are moved in. Neither is better for every formula.
    pub(crate) apart: bool,
    pub(crate) implications: FxHashMap<(Form, Form), bool>,
    pub(crate) fired: [u32; Rule::COUNT],
}

impl Forms {
    pub(crate) fn new(rewriting: bool) -> Self {
        let mut forms = Forms {
            nodes: Vec::new(),
            index: FxHashMap::default(),
            facts: Vec::new(),
            bdds: Bdds::new(),
            rewriting,
            apart: true,
            implications: FxHashMap::default(),
            fired: [0; Rule::COUNT],
        };
        forms.intern(FormNode::Constant(false));
        forms.intern(FormNode::Constant(true));
        forms
    }

    /// A store that moves operands into operators.
    pub(crate) fn together() -> Self {
        Forms {
            apart: false,
            ..Forms::new(true)
        }
    }

    pub(crate) fn node(&self, form: Form) -> &FormNode {
        &self.nodes[form.index()]
    }

    pub(crate) fn is_eventual(&self, form: Form) -> bool {
        self.facts[form.index()].eventual
    }

    pub(crate) fn is_universal(&self, form: Form) -> bool {
        self.facts[form.index()].universal
    }

    /// True everywhere on a word or nowhere, like `G F p`.
    pub(crate) fn is_constant_along_words(&self, form: Form) -> bool {
        self.is_eventual(form) && self.is_universal(form)
    }

    pub(crate) fn letters(&self, form: Form) -> Option<Bdd> {
        self.facts[form.index()].letters
    }

    pub(crate) fn intern(&mut self, node: FormNode) -> Form {
        if let Some(&form) = self.index.get(&node) {
            return form;
        }
        let form = Form(u32::try_from(self.nodes.len()).expect("fewer than 2^32 forms"));
        let facts = self.facts_of(&node);
        self.nodes.push(node.clone());
        self.facts.push(facts);
        self.index.insert(node, form);
        form
    }

    fn facts_of(&mut self, node: &FormNode) -> Facts {
        let (eventual, universal) = match node {
            FormNode::Constant(_) => (true, true),
            FormNode::Literal(..) => (false, false),
            FormNode::And(list) | FormNode::Or(list) => (
                list.iter().all(|&f| self.is_eventual(f)),
                list.iter().all(|&f| self.is_universal(f)),
            ),
            FormNode::Next(a) => (self.is_eventual(*a), self.is_universal(*a)),
            FormNode::Until(a, b) => (
                *a == Form::TRUE || self.is_eventual(*a) && self.is_eventual(*b),
                self.is_universal(*a) && self.is_universal(*b),
            ),
            FormNode::Release(a, b) => (
                self.is_eventual(*a) && self.is_eventual(*b),
                *a == Form::FALSE || self.is_universal(*a) && self.is_universal(*b),
            ),
        };
        let letters = match node {
            FormNode::Constant(value) => Some(if *value { Bdd::TRUE } else { Bdd::FALSE }),
            FormNode::Literal(atom, positive) => Some(self.bdds.literal(*atom, *positive)),
            FormNode::And(list) => self.fold_letters(list, Bdd::TRUE, Bdds::and),
            FormNode::Or(list) => self.fold_letters(list, Bdd::FALSE, Bdds::or),
            FormNode::Next(_) | FormNode::Until(..) | FormNode::Release(..) => None,
        };
        Facts {
            eventual,
            universal,
            letters,
            negation: None,
        }
    }

    fn fold_letters(
        &mut self,
        list: &[Form],
        start: Bdd,
        join: fn(&mut Bdds, Bdd, Bdd) -> Bdd,
    ) -> Option<Bdd> {
        let mut result = start;
        for &form in list {
            let letters = self.letters(form)?;
            result = join(&mut self.bdds, result, letters);
        }
        Some(result)
    }

    pub(crate) fn literal(&mut self, atom: u8, positive: bool) -> Form {
        self.intern(FormNode::Literal(atom, positive))
    }

    pub(crate) fn finally(&mut self, a: Form) -> Form {
        self.until(Form::TRUE, a)
    }

    pub(crate) fn globally(&mut self, a: Form) -> Form {
        self.release(Form::FALSE, a)
    }

    pub(crate) fn negate(&mut self, form: Form) -> Form {
        if let Some(known) = self.facts[form.index()].negation {
            return known;
        }
        let negation = match self.node(form).clone() {
            FormNode::Constant(value) => {
                if value {
                    Form::FALSE
                } else {
                    Form::TRUE
                }
            }
            FormNode::Literal(atom, positive) => self.literal(atom, !positive),
            FormNode::And(list) => {
                let list = self.negate_all(&list);
                self.or(list)
            }
            FormNode::Or(list) => {
                let list = self.negate_all(&list);
                self.and(list)
            }
            FormNode::Next(a) => {
                let a = self.negate(a);
                self.next(a)
            }
            FormNode::Until(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release(a, b)
            }
            FormNode::Release(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until(a, b)
            }
        };
        self.facts[form.index()].negation = Some(negation);
        self.facts[negation.index()].negation.get_or_insert(form);
        negation
    }

    fn negate_all(&mut self, list: &[Form]) -> Vec<Form> {
        list.iter().map(|&form| self.negate(form)).collect()
    }

    /// The normal form of a formula without path quantifiers; `None` if there is one.
    pub(crate) fn of_formula(&mut self, formula: &Formula) -> Option<Form> {
        let mut memo = FxHashMap::default();
        self.convert(&formula.store, formula.root, true, &mut memo)
    }

    fn convert(
        &mut self,
        store: &Formulas,
        id: FormulaId,
        positive: bool,
        memo: &mut FxHashMap<(FormulaId, bool), Form>,
    ) -> Option<Form> {
        if let Some(&known) = memo.get(&(id, positive)) {
            return Some(known);
        }
        let form = match store.node(id) {
            Node::Constant(value) => {
                if *value == positive {
                    Form::TRUE
                } else {
                    Form::FALSE
                }
            }
            Node::Atom(atom) => self.literal(atom.index() as u8, positive),
            Node::Not(a) => self.convert(store, *a, !positive, memo)?,
            Node::And(list) | Node::Or(list) => {
                let operands = list
                    .iter()
                    .map(|&f| self.convert(store, f, positive, memo))
                    .collect::<Option<Vec<_>>>()?;
                if matches!(store.node(id), Node::And(_)) == positive {
                    self.and(operands)
                } else {
                    self.or(operands)
                }
            }
            Node::Implies(a, b) => {
                let (a, b) = (
                    self.convert(store, *a, !positive, memo)?,
                    self.convert(store, *b, positive, memo)?,
                );
                if positive {
                    self.or(vec![a, b])
                } else {
                    self.and(vec![a, b])
                }
            }
            Node::Iff(a, b) => self.equivalence(store, *a, *b, positive, memo)?,
            Node::Xor(a, b) => self.equivalence(store, *a, *b, !positive, memo)?,
            Node::Unary(operator, a) => {
                let a = self.convert(store, *a, positive, memo)?;
                match operator {
                    UnaryOperator::Next => self.next(a),
                    UnaryOperator::Finally if positive => self.finally(a),
                    UnaryOperator::Globally if !positive => self.finally(a),
                    _ => self.globally(a),
                }
            }
            Node::Binary(operator, a, b) => {
                let (a, b) = (
                    self.convert(store, *a, positive, memo)?,
                    self.convert(store, *b, positive, memo)?,
                );
                self.temporal(*operator, a, b, positive)
            }
            Node::Path(..) => return None,
        };
        memo.insert((id, positive), form);
        Some(form)
    }

    fn equivalence(
        &mut self,
        store: &Formulas,
        a: FormulaId,
        b: FormulaId,
        positive: bool,
        memo: &mut FxHashMap<(FormulaId, bool), Form>,
    ) -> Option<Form> {
        let (a1, a0) = (
            self.convert(store, a, true, memo)?,
            self.convert(store, a, false, memo)?,
        );
        let (b1, b0) = (
            self.convert(store, b, positive, memo)?,
            self.convert(store, b, !positive, memo)?,
        );
        let both = self.and(vec![a1, b1]);
        let neither = self.and(vec![a0, b0]);
        Some(self.or(vec![both, neither]))
    }

    /// The form of `a op b`, or of its negation when the operands are already negated.
    fn temporal(&mut self, operator: BinaryOperator, a: Form, b: Form, positive: bool) -> Form {
        use BinaryOperator::{Release, StrongRelease, Until, WeakUntil};
        match (operator, positive) {
            (Until, true) | (Release, false) => self.until(a, b),
            (Release, true) | (Until, false) => self.release(a, b),
            (WeakUntil, true) | (StrongRelease, false) => {
                let either = self.or(vec![a, b]);
                self.release(b, either)
            }
            (StrongRelease, true) | (WeakUntil, false) => {
                let both = self.and(vec![a, b]);
                self.until(b, both)
            }
        }
    }

    /// The form as a formula, in the store that holds its atoms.
    pub(crate) fn to_formula(&self, form: Form, store: &mut Formulas) -> FormulaId {
        match self.node(form) {
            FormNode::Constant(value) => store.constant(*value),
            FormNode::Literal(atom, positive) => {
                let atom = crate::atom::AtomId::new(*atom as usize).expect("an atom of the formula");
                let atom = store.atom(atom);
                if *positive { atom } else { store.not(atom) }
            }
            FormNode::And(list) => {
                let operands: Vec<_> = list.iter().map(|&f| self.to_formula(f, store)).collect();
                store.and(operands)
            }
            FormNode::Or(list) => {
                let operands: Vec<_> = list.iter().map(|&f| self.to_formula(f, store)).collect();
                store.or(operands)
            }
            FormNode::Next(a) => {
                let a = self.to_formula(*a, store);
                store.unary(UnaryOperator::Next, a)
            }
            FormNode::Until(a, b) if *a == Form::TRUE => {
                let b = self.to_formula(*b, store);
                store.unary(UnaryOperator::Finally, b)
            }
            FormNode::Release(a, b) if *a == Form::FALSE => {
                let b = self.to_formula(*b, store);
                store.unary(UnaryOperator::Globally, b)
            }
            FormNode::Until(a, b) => {
                let strong = matches!(self.node(*b), FormNode::And(list) if list.contains(a));
                let (a_id, b_id) = (self.to_formula(*a, store), self.to_formula(*b, store));
                if strong {
                    let rest = without(store, b_id, a_id, true);
                    return store.binary(BinaryOperator::StrongRelease, rest, a_id);
                }
                store.binary(BinaryOperator::Until, a_id, b_id)
            }
            FormNode::Release(a, b) => {
                let weak = matches!(self.node(*b), FormNode::Or(list) if list.contains(a));
                let (a_id, b_id) = (self.to_formula(*a, store), self.to_formula(*b, store));
                if weak {
                    let rest = without(store, b_id, a_id, false);
                    return store.binary(BinaryOperator::WeakUntil, rest, a_id);
                }
                store.binary(BinaryOperator::Release, a_id, b_id)
            }
        }
    }
}

/// A conjunction (or disjunction) without one of its operands.
fn without(store: &mut Formulas, whole: FormulaId, part: FormulaId, conjunction: bool) -> FormulaId {
    let rest: Vec<_> = store
        .node(whole)
        .children()
        .into_iter()
        .filter(|&f| f != part)
        .collect();
    if conjunction {
        store.and(rest)
    } else {
        store.or(rest)
    }
}
