//! What conditions are the conjunction or the disjunction of.

use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::terms::{TermId, Terms};

/// The conjuncts of conditions, each once.
#[must_use]
pub fn conjuncts(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), conditions.to_vec());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.children(term)),
            _ => found.push(term),
        }
    }
    found
}

/// The disjuncts of a condition, which may be written as a conjunction that is not so.
pub fn disjuncts(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let (mut found, mut stack) = (Vec::new(), vec![condition]);
    while let Some(term) = stack.pop() {
        let is_negated = terms.op(term) == Op::Not;
        let inner = if is_negated { terms.children(term)[0] } else { term };
        match (terms.op(inner), terms.children(inner)) {
            (Op::Or, &[a, b]) if !is_negated => stack.extend([a, b]),
            (Op::And, &[a, b]) if is_negated => stack.extend([terms.not(a), terms.not(b)]),
            _ => found.push(term),
        }
    }
    found
}
