//! What conditions are the conjunction or the disjunction of.

use kripke_smt::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

/// The conjuncts of conditions, each once.
pub(crate) fn conjuncts(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
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
pub(crate) fn disjuncts(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
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

#[cfg(test)]
pub(crate) mod tests {
    use kripke_elts::random::Random;
    use kripke_smt::{Sort, TermId, Terms};

    /// So many variables, and after them conditions that are made of what comes before.
    pub(crate) fn random_conditions(
        terms: &mut Terms,
        random: &mut Random,
        (variables, made): (usize, usize),
    ) -> Vec<TermId> {
        let numbers = 0..variables;
        let mut conditions: Vec<TermId> = numbers
            .map(|number| terms.variable(&format!("t{number}"), Sort::Bool))
            .collect();
        for _ in 0..made {
            let (a, b) = (random.pick(&conditions), random.pick(&conditions));
            let joined = match random.below(3) {
                0 => terms.and(a, b),
                1 => terms.or(a, b),
                _ => terms.not(a),
            };
            conditions.push(joined);
        }
        conditions
    }
}
