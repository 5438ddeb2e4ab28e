//! The truth of an LTL formula on a lasso, straight from the semantics (figure 1 of the journal paper).
//!
//! This evaluator shares nothing with the translation to automata: it is the oracle of their tests, and what
//! `--trace` uses. Each subformula's truth at every position is a fixed point over the successor function:
//! least for `U` and its kin, greatest for `R` and its kin.

use crate::formula::{BinaryOperator, Formula, Node, Quantifier, UnaryOperator};
use crate::trace::Lasso;

/// The formula has path quantifiers, so that a single trace does not decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLinear(
    /// The first quantifier found.
    pub Quantifier,
);

impl std::fmt::Display for NotLinear {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a formula with path quantifiers (A, E) has no truth value on a single trace"
        )
    }
}

impl std::error::Error for NotLinear {}

/// The truth of the formula on the infinite word `stem cycle cycle …`.
pub fn holds_on_lasso(formula: &Formula, lasso: &Lasso) -> Result<bool, NotLinear> {
    Ok(truth_by_position(formula, lasso)?[0])
}

/// The truth of the formula at every position of the lasso: stem first, then cycle.
pub fn truth_by_position(formula: &Formula, lasso: &Lasso) -> Result<Vec<bool>, NotLinear> {
    let store = &formula.store;
    let length = lasso.len();
    let mut truths: Vec<Vec<bool>> = vec![Vec::new(); formula.root.index() + 1];
    for id in store.subformulas(formula.root) {
        let at = |child: &crate::formula::FormulaId| truths[child.index()].as_slice();
        let point = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect::<Vec<bool>>();
        let truth = match store.node(id) {
            Node::Constant(value) => vec![*value; length],
            Node::Atom(atom) => point(&|i| lasso.letter(i).value(*atom)),
            Node::Not(a) => point(&|i| !at(a)[i]),
            Node::And(list) => point(&|i| list.iter().all(|a| at(a)[i])),
            Node::Or(list) => point(&|i| list.iter().any(|a| at(a)[i])),
            Node::Xor(a, b) => point(&|i| at(a)[i] != at(b)[i]),
            Node::Implies(a, b) => point(&|i| !at(a)[i] || at(b)[i]),
            Node::Iff(a, b) => point(&|i| at(a)[i] == at(b)[i]),
            Node::Unary(UnaryOperator::Next, a) => point(&|i| at(a)[lasso.successor(i)]),
            Node::Unary(UnaryOperator::Finally, a) => fixed_point(lasso, false, |i, next| at(a)[i] || next),
            Node::Unary(UnaryOperator::Globally, a) => fixed_point(lasso, true, |i, next| at(a)[i] && next),
            Node::Binary(BinaryOperator::Until, a, b) => {
                fixed_point(lasso, false, |i, next| at(b)[i] || at(a)[i] && next)
            }
            Node::Binary(BinaryOperator::WeakUntil, a, b) => {
                fixed_point(lasso, true, |i, next| at(b)[i] || at(a)[i] && next)
            }
            Node::Binary(BinaryOperator::Release, a, b) => {
                fixed_point(lasso, true, |i, next| at(b)[i] && (at(a)[i] || next))
            }
            Node::Binary(BinaryOperator::StrongRelease, a, b) => {
                fixed_point(lasso, false, |i, next| at(b)[i] && (at(a)[i] || next))
            }
            Node::Path(quantifier, _) => return Err(NotLinear(*quantifier)),
        };
        truths[id.index()] = truth;
    }
    Ok(truths.swap_remove(formula.root.index()))
}

/// Solves `x(i) = step(i, x(successor of i))` from below or from above.
fn fixed_point(lasso: &Lasso, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut truth = vec![start; lasso.len()];
    loop {
        let mut changed = false;
        for i in (0..lasso.len()).rev() {
            let value = step(i, truth[lasso.successor(i)]);
            changed |= value != truth[i];
            truth[i] = value;
        }
        if !changed {
            return truth;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, trace: &str, expected: bool) {
        let formula = Formula::parse(formula).unwrap();
        let lasso = Lasso::parse(trace, formula.atoms()).unwrap();
        assert_eq!(
            holds_on_lasso(&formula, &lasso).unwrap(),
            expected,
            "{formula} on {trace}"
        );
    }

    #[test]
    fn every_operator() {
        check("X p", "-; cycle{p}", true);
        check("X p", "cycle{p; -}", false);
        check("F p", "-; -; cycle{-; p}", true);
        check("F p", "-; cycle{-}", false);
        check("G p", "p; cycle{p; p}", true);
        check("G p", "p; cycle{p; -}", false);
        check("p U q", "p; p; cycle{q; -}", true);
        check("p U q", "p; p; cycle{p}", false);
        check("p W q", "p; p; cycle{p}", true);
        check("p R q", "q; cycle{q}", true);
        check("p R q", "q; p, q; cycle{-}", true);
        check("p R q", "q; p; cycle{-}", false);
        check("p M q", "q; cycle{q}", false);
        check("p M q", "q; p, q; cycle{-}", true);
        check("G F p", "cycle{-; -; p}", true);
        check("F G p", "cycle{-; -; p}", false);
        check("(p <-> q) && (p xor !q) && (q -> p)", "cycle{p, q}", true);
    }
}
