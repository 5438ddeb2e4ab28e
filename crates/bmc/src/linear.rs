//! Questions made simpler by the equations among their conditions.
//!
//! Idea: where a condition says what a variable is equal to, the others say it of that; and two sums are
//! equal, whatever they are sums of, if the same summands occur in both equally often. So that a running sum
//! stays the sum of a window is seen at once where the index of what is replaced is a constant, which a
//! solver that adds bit by bit finds hard.
//!
//! Invariant: the conditions that result have the models that those given have: what a variable is equal to
//! stays among them.

use kripke_smt::{Op, Sort, TermId, Terms, conjuncts};
use rustc_hash::FxHashMap;

use crate::sums::{Bounds, are_equal, is_sum};

/// How many variables are replaced one after the other.
const MAX_REPLACED: usize = 24;

/// The conditions with variables replaced by what they are equal to, and equal sums found to be equal.
pub(crate) fn simplified(terms: &mut Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut open = conjuncts(terms, conditions);
    let mut done = Vec::new();
    for _ in 0..MAX_REPLACED {
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        let equation = open
            .iter()
            .position(|condition| definition(terms, *condition).is_some());
        if let Some(position) = equation {
            let equation = open.swap_remove(position);
            known.extend(definition(terms, equation));
            done.push(equation);
        }
        let is_literal = |condition: &TermId| literal(terms, *condition).is_some();
        let (literals, others): (Vec<TermId>, Vec<TermId>) = open.into_iter().partition(is_literal);
        for condition in &literals {
            let (variable, truth) = literal(terms, *condition).expect("they were chosen so");
            known.insert(variable, terms.bool_(truth));
        }
        done.extend(literals);
        let replaced: Vec<TermId> = others
            .iter()
            .map(|condition| terms.substitute(*condition, &mut known))
            .collect();
        open = conjuncts(terms, &replaced);
        if known.is_empty() {
            break;
        }
    }
    let mut known = compared_sums(terms, &open);
    let open: Vec<TermId> = open
        .iter()
        .map(|condition| terms.substitute(*condition, &mut known))
        .collect();
    done.extend(open);
    done
}

/// A variable that is true, or false.
fn literal(terms: &Terms, condition: TermId) -> Option<(TermId, bool)> {
    match (terms.op(condition), terms.children(condition)) {
        (Op::Variable(_), _) => Some((condition, true)),
        (Op::Not, [inner]) if matches!(terms.op(*inner), Op::Variable(_)) => Some((*inner, false)),
        _ => None,
    }
}

/// A number's variable, and what it is equal to, in which it does not occur.
fn definition(terms: &Terms, condition: TermId) -> Option<(TermId, TermId)> {
    let (Op::Eq, &[a, b]) = (terms.op(condition), terms.children(condition)) else {
        return None;
    };
    if !matches!(terms.sort(a), Sort::BitVec(_)) {
        return None;
    }
    [(a, b), (b, a)].into_iter().find(|(variable, value)| {
        let is_variable = matches!(terms.op(*variable), Op::Variable(_));
        is_variable && !terms.variables_of(&[*value]).contains(variable)
    })
}

/// The comparisons of sums that are true wherever the conditions hold, or false.
fn compared_sums(terms: &mut Terms, conditions: &[TermId]) -> FxHashMap<TermId, TermId> {
    let bounds = Bounds::new(terms, conditions);
    let mut known = FxHashMap::default();
    for term in terms.reachable(conditions) {
        let decided = match (terms.op(term), terms.children(term)) {
            (Op::Eq, &[a, b]) => are_equal(terms, a, b),
            // The bounds themselves stay.
            _ if is_bound(terms, term) => None,
            _ => bounds.decide(terms, term),
        };
        if let Some(truth) = decided {
            known.insert(term, terms.bool_(truth));
        }
    }
    known
}

/// Is it a comparison of what is no sum with a constant?
fn is_bound(terms: &Terms, term: TermId) -> bool {
    terms
        .children(term)
        .iter()
        .any(|operand| terms.is_const(*operand))
        && !terms.children(term).iter().any(|operand| is_sum(terms, *operand))
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Limits, SatResult, SolverChoice, Sort, TermId, Terms, create_solver};

    use super::simplified;

    fn answer(terms: &Terms, conditions: &[TermId]) -> SatResult {
        let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let answer = solver.check(terms, conditions, &Limits::default());
        answer.expect("an answer")
    }

    /// That a sum of numbers is kept up to date, where one is replaced, and something is added to the sum.
    fn replaced(terms: &mut Terms, added: u64) -> Vec<TermId> {
        let numbers: Vec<TermId> = (0..6)
            .map(|number| terms.variable(&format!("number {number}"), Sort::BitVec(16)))
            .collect();
        let sum = terms.variable("sum", Sort::BitVec(16));
        let (new, is_known) = (
            terms.variable("new", Sort::BitVec(16)),
            terms.variable("is known", Sort::Bool),
        );
        let total = |terms: &mut Terms, numbers: &[TermId]| {
            let zero = terms.bv_u64(16, 0);
            numbers
                .iter()
                .fold(zero, |total, number| terms.bv_add(total, *number))
        };
        let before = total(terms, &numbers);
        let before = terms.eq(sum, before);
        let before = terms.implies(is_known, before);
        let without = terms.bv_sub(sum, numbers[2]);
        let with = terms.bv_add(without, new);
        let added = terms.bv_u64(16, added);
        let with = terms.bv_add(with, added);
        let mut later = numbers.clone();
        later[2] = new;
        let after = total(terms, &later);
        let differs = terms.distinct(with, after);
        vec![terms.and(is_known, differs), before]
    }

    #[test]
    fn a_running_sum_is_the_sum_of_its_window() {
        let mut terms = Terms::new();
        let conditions = replaced(&mut terms, 0);
        let simple = simplified(&mut terms, &conditions);
        let never = |condition: &TermId| terms.as_bool(*condition) == Some(false);
        assert!(simple.iter().any(never));
    }

    #[test]
    fn a_sum_that_is_off_by_one_is_not() {
        let mut terms = Terms::new();
        let conditions = replaced(&mut terms, 1);
        let simple = simplified(&mut terms, &conditions);
        assert_eq!(answer(&terms, &simple), SatResult::Sat);
        assert_eq!(answer(&terms, &conditions), SatResult::Sat);
    }

    #[test]
    fn random_questions_keep_their_answer() {
        let mut random = kripke_elts::random::Random::new(5);
        for _ in 0..300 {
            let mut terms = Terms::new();
            let mut numbers: Vec<TermId> = (0..3)
                .map(|number| {
                    let narrow = terms.variable(&format!("n{number}"), Sort::BitVec(3));
                    terms.bv_zext(narrow, 4)
                })
                .collect();
            let mut truths = vec![terms.variable("flag", Sort::Bool)];
            for _ in 0..16 {
                let (a, b) = (random.pick(&numbers), random.pick(&numbers));
                let (p, q) = (random.pick(&truths), random.pick(&truths));
                match random.below(12) {
                    0 => numbers.push(terms.bv_add(a, b)),
                    1 => numbers.push(terms.bv_sub(a, b)),
                    2 => numbers.push(terms.ite(p, a, b)),
                    3 => numbers.push(terms.bv_u64(4, random.below(16) as u64)),
                    4 | 5 => truths.push(terms.eq(a, b)),
                    9 => truths.push(terms.bv_ult(a, b)),
                    10 => truths.push(terms.bv_ule(a, b)),
                    11 => truths.push(terms.bv_slt(a, b)),
                    6 => truths.push(terms.not(p)),
                    7 => truths.push(terms.and(p, q)),
                    _ => truths.push(terms.implies(p, q)),
                }
            }
            let conditions: Vec<TermId> = (0..3).map(|_| random.pick(&truths)).collect();
            let simple = simplified(&mut terms, &conditions);
            let all = terms.and_all(conditions.iter().copied());
            let together = terms.and_all(simple.iter().copied());
            let differ = terms.xor(all, together);
            assert_eq!(answer(&terms, &[differ]), SatResult::Unsat);
        }
    }
}
