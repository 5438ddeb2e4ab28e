//! Concrete evaluation of terms, without recursion.
//!
//! Operands have smaller ids than their users, so a work list that visits operands first needs no
//! recursion however deep the term is. If-then-else is evaluated lazily: only the chosen branch.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::op::Op;
use crate::terms::{TermId, Terms};
use crate::value::{Value, apply};

/// Evaluates terms under one assignment of the variables, remembering every result.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    variable: &'a dyn Fn(TermId) -> Value,
    /// What some variables stand for.
    definitions: Option<&'a FxHashMap<TermId, TermId>>,
    known: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that takes the values of variables from a function.
    pub fn new(terms: &'a Terms, variable: &'a dyn Fn(TermId) -> Value) -> Self {
        Evaluator {
            terms,
            variable,
            definitions: None,
            known: FxHashMap::default(),
        }
    }

    /// The same where some variables have the values of terms, none of which depends on itself so.
    #[must_use]
    pub fn with_definitions(self, definitions: &'a FxHashMap<TermId, TermId>) -> Self {
        Evaluator {
            definitions: Some(definitions),
            ..self
        }
    }

    /// The same where the values of some terms are known, under this assignment: those that another evaluator
    /// has left ([`Evaluator::into_known`]).
    #[must_use]
    pub fn with_known(self, known: FxHashMap<TermId, Value>) -> Self {
        Evaluator { known, ..self }
    }

    /// The values of all terms that were needed so far.
    pub fn into_known(self) -> FxHashMap<TermId, Value> {
        self.known
    }

    /// The value of a term.
    pub fn evaluate(&mut self, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            match self.step(term) {
                Ok(value) => {
                    self.known.insert(term, value);
                    stack.pop();
                }
                Err(missing) => stack.extend(missing),
            }
        }
        self.known[&root].clone()
    }

    /// The value of a term, or the operands that are needed first.
    fn step(&self, term: TermId) -> Result<Value, SmallVec<[TermId; 4]>> {
        let op = self.terms.op(term);
        if let Op::Variable(_) = op {
            return match self.definitions.and_then(|terms| terms.get(&term)) {
                None => Ok((self.variable)(term)),
                Some(is) => {
                    let known = self.known.get(is).cloned();
                    known.ok_or_else(|| SmallVec::from_slice(&[*is]))
                }
            };
        }
        if let Some(value) = self.terms.as_value(term) {
            return Ok(value);
        }
        let children = self.terms.children(term);
        if op == Op::Ite {
            let condition = self
                .known
                .get(&children[0])
                .ok_or_else(|| SmallVec::from_slice(&children[..1]))?;
            let chosen = if *condition == Value::Bool(true) {
                children[1]
            } else {
                children[2]
            };
            return self
                .known
                .get(&chosen)
                .cloned()
                .ok_or_else(|| SmallVec::from_slice(&[chosen]));
        }
        if let Some(decides) = decided_by_one(op) {
            return self.connective(children, decides);
        }
        if op == Op::Select {
            return self.element(children[0], children[1]);
        }
        let missing: SmallVec<[TermId; 4]> = children
            .iter()
            .copied()
            .filter(|child| !self.known.contains_key(child))
            .collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let values: SmallVec<[Value; 4]> = children.iter().map(|child| self.known[child].clone()).collect();
        Ok(apply(op, &values))
    }

    /// A connective of truth values that has a certain value where one of its operands has that.
    fn connective(&self, operands: &[TermId], decides: bool) -> Result<Value, SmallVec<[TermId; 4]>> {
        let is_decided = |operand: &TermId| self.value(*operand) == Some(Value::Bool(decides));
        if operands.iter().any(is_decided) {
            return Ok(Value::Bool(decides));
        }
        match operands.iter().find(|operand| self.value(**operand).is_none()) {
            Some(&missing) => Err(SmallVec::from_slice(&[missing])),
            None => Ok(Value::Bool(!decides)),
        }
    }

    /// The element of an array at an index, or what is needed first: found from the last write on, so that no
    /// array is made for each of them.
    fn element(&self, mut array: TermId, index: TermId) -> Result<Value, SmallVec<[TermId; 4]>> {
        let needed = |term| self.value(term).ok_or_else(|| SmallVec::from_slice(&[term]));
        let at = needed(index)?;
        loop {
            array = match (self.terms.op(array), self.terms.children(array)) {
                (Op::Store, &[below, written, value]) => match self.value(written) {
                    Some(written) if written == at => return needed(value),
                    Some(_) => below,
                    None => return Err(self.unknown_indices(array)),
                },
                (Op::Ite, &[condition, then, otherwise]) => match needed(condition)? {
                    Value::Bool(true) => then,
                    _ => otherwise,
                },
                (Op::ConstArray(_), &[element]) => return needed(element),
                (Op::Variable(_), _) if let Some(is) = self.definitions.and_then(|all| all.get(&array)) => {
                    *is
                }
                _ => return Ok(apply(Op::Select, &[needed(array)?, at])),
            };
        }
    }

    /// The indices of writes, one below the other, that are to be evaluated.
    fn unknown_indices(&self, mut array: TermId) -> SmallVec<[TermId; 4]> {
        let mut missing = SmallVec::new();
        while let (Op::Store, &[below, index, _]) = (self.terms.op(array), self.terms.children(array)) {
            if self.value(index).is_none() {
                missing.push(index);
            }
            array = below;
        }
        missing
    }

    /// The value of a term, where it is a constant or was evaluated.
    fn value(&self, term: TermId) -> Option<Value> {
        self.terms
            .as_value(term)
            .or_else(|| self.known.get(&term).cloned())
    }
}

impl Terms {
    /// The value of a term under an assignment of its variables.
    pub fn evaluate(&self, term: TermId, variable: &dyn Fn(TermId) -> Value) -> Value {
        Evaluator::new(self, variable).evaluate(term)
    }

    /// All variables of some terms, in the order of their creation.
    pub fn variables_of(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut found: Vec<TermId> = self
            .reachable(roots)
            .into_iter()
            .filter(|&term| matches!(self.op(term), Op::Variable(_)))
            .collect();
        found.sort_unstable();
        found
    }

    /// All terms some terms are made of, themselves included, in no particular order.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut order = Vec::new();
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                order.push(term);
                stack.extend_from_slice(self.children(term));
            }
        }
        order
    }
}

/// The value of an operand that decides a connective of truth values alone.
fn decided_by_one(op: Op) -> Option<bool> {
    match op {
        Op::And => Some(false),
        Op::Or => Some(true),
        _ => None,
    }
}
