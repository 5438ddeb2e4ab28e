//! Differences of variables in place of one of them.
//!
//! Idea: a deadline is compared with a clock that wraps around by their difference, and after a tick it is
//! the difference to the clock's next value that matters. A solver that adds bit by bit has to see for all
//! values of the clock that they do not matter. So where differences of variables from a common one, the hub,
//! are compared, each of these variables is replaced by the hub plus a new variable. The hub then vanishes
//! from the sums, and small numbers are left.
//!
//! Invariant: the conditions that result have the models that those given have. Any number is the hub plus
//! some difference, modulo a power of two, and what each variable was replaced by stays among the conditions.

use std::collections::{BTreeMap, BTreeSet};

use kripke_smt::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::sums::{Sum, is_sum, summands};

/// Of how many terms conditions are at most that are looked at.
const MAX_TERMS: usize = 1 << 13;

/// The conditions over differences, where they are less then.
pub(crate) fn over_differences(terms: &mut Terms, conditions: &[TermId]) -> Option<Vec<TermId>> {
    let mut reachable = terms.reachable(conditions);
    if reachable.len() > MAX_TERMS {
        return None;
    }
    // Operands come before their users.
    reachable.sort_unstable();
    let (hub, others) = hub(terms, &reachable)?;
    let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut definitions = Vec::new();
    for variable in others {
        let name = format!("{variable:?} less {hub:?}");
        let difference = terms.variable(&name, terms.sort(variable));
        let sum = terms.bv_add(hub, difference);
        known.insert(variable, sum);
        definitions.push(terms.eq(variable, sum));
    }
    for term in &reachable {
        let replaced = terms.substitute(*term, &mut known);
        let simple = without_hub(terms, hub, replaced);
        known.insert(*term, simple);
    }
    let mut result: Vec<TermId> = conditions.iter().map(|condition| known[condition]).collect();
    if terms.reachable(&result).len() >= reachable.len() {
        return None;
    }
    result.extend(definitions);
    Some(result)
}

/// The variable from which the differences of most others are compared, and these.
fn hub(terms: &Terms, reachable: &[TermId]) -> Option<(TermId, BTreeSet<TermId>)> {
    let mut compared: BTreeMap<TermId, BTreeSet<TermId>> = BTreeMap::new();
    for term in reachable {
        let is_comparison = matches!(
            terms.op(*term),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
        );
        for operand in terms.children(*term).iter().filter(|_| is_comparison) {
            if let Some((a, b)) = difference(terms, *operand) {
                compared.entry(a).or_default().insert(b);
                compared.entry(b).or_default().insert(a);
            }
        }
    }
    // The first of several.
    compared.into_iter().rev().max_by_key(|(_, others)| others.len())
}

/// The two variables of whose difference and a constant a term is the sum.
fn difference(terms: &Terms, term: TermId) -> Option<(TermId, TermId)> {
    if !is_sum(terms, term) {
        return None;
    }
    let sum = summands(terms, term)?;
    let is_variable = |term: &TermId| matches!(terms.op(*term), Op::Variable(_));
    let parts: Vec<(TermId, i128)> = sum
        .summands
        .into_iter()
        .filter(|(_, factor)| *factor != 0)
        .collect();
    match parts[..] {
        [(a, 1), (b, -1)] | [(b, -1), (a, 1)] if is_variable(&a) && is_variable(&b) => Some((a, b)),
        _ => None,
    }
}

/// An equal term in which the hub occurs less often: sums with their summands collected, choices among sums
/// that have it in common with that in front of them.
fn without_hub(terms: &mut Terms, hub: TermId, term: TermId) -> TermId {
    if !matches!((terms.sort(term), terms.sort(hub)), (Sort::BitVec(a), Sort::BitVec(b)) if a == b) {
        return without_hub_in_equation(terms, hub, term);
    }
    if is_sum(terms, term) {
        return match summands(terms, term) {
            Some(sum) if sum.summands.contains_key(&hub) => sum.term(terms, term),
            _ => term,
        };
    }
    let (Op::Ite, &[condition, a, b]) = (terms.op(term), terms.children(term)) else {
        return term;
    };
    let Some([a, b]) = less_hub(terms, hub, [a, b]) else {
        return term;
    };
    let rest = terms.ite(condition, a, b);
    terms.bv_add(hub, rest)
}

/// Of an equation of two sums that have the hub in common, the one without it.
fn without_hub_in_equation(terms: &mut Terms, hub: TermId, term: TermId) -> TermId {
    let (Op::Eq, &[a, b]) = (terms.op(term), terms.children(term)) else {
        return term;
    };
    match less_hub(terms, hub, [a, b]) {
        Some([a, b]) => terms.eq(a, b),
        None => term,
    }
}

/// Two sums less the hub, where both have it once.
fn less_hub(terms: &mut Terms, hub: TermId, both: [TermId; 2]) -> Option<[TermId; 2]> {
    if both.iter().any(|term| terms.sort(*term) != terms.sort(hub)) {
        return None;
    }
    let sums = [summands(terms, both[0])?, summands(terms, both[1])?];
    let rest = |sum: &Sum| (sum.summands.get(&hub) == Some(&1)).then(|| sum.less(hub));
    let rest = [rest(&sums[0])?, rest(&sums[1])?];
    Some([rest[0].term(terms, hub), rest[1].term(terms, hub)])
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Limits, SatResult, SolverChoice, Sort, TermId, Terms, create_solver};

    use super::over_differences;

    fn is_possible(terms: &Terms, conditions: &[TermId]) -> bool {
        let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let answer = solver.check(terms, conditions, &Limits::default());
        answer.expect("an answer") == SatResult::Sat
    }

    /// Timers that are due at most 100 ticks from now are so after a tick, or have run out and start anew
    /// with a period of at most so many; wrongly, it may be one more.
    fn tick(terms: &mut Terms, longest: u64) -> Vec<TermId> {
        let now = terms.variable("now", Sort::BitVec(16));
        let (one, most) = (terms.bv_u64(16, 1), terms.bv_u64(16, 100));
        let (later, longest) = (terms.bv_add(now, one), terms.bv_u64(16, longest));
        let (mut conditions, mut broken) = (Vec::new(), Vec::new());
        for timer in 0..4 {
            let names = [format!("due {timer}"), format!("period {timer}")];
            let [due, period] = names.map(|name| terms.variable(&name, Sort::BitVec(16)));
            let left = terms.bv_sub(due, now);
            conditions.push(terms.bv_ule(left, most));
            conditions.push(terms.bv_ule(period, longest));
            let is_due = terms.eq(due, now);
            let next = terms.bv_add(later, period);
            let new_due = terms.ite(is_due, next, due);
            let new_left = terms.bv_sub(new_due, later);
            let stays = terms.bv_ule(new_left, most);
            broken.push(terms.not(stays));
        }
        conditions.push(terms.or_all(broken));
        conditions
    }

    #[test]
    fn the_clock_vanishes() {
        let mut terms = Terms::new();
        let conditions = tick(&mut terms, 100);
        let simple = over_differences(&mut terms, &conditions).expect("deadlines and a clock");
        let now = terms.variable("now", Sort::BitVec(16));
        assert_eq!(simple.len() - conditions.len(), 4);
        assert!(!terms.variables_of(&simple[..conditions.len()]).contains(&now));
        assert!(!is_possible(&terms, &simple));
    }

    #[test]
    fn what_is_possible_stays_possible() {
        let mut terms = Terms::new();
        let conditions = tick(&mut terms, 101);
        let simple = over_differences(&mut terms, &conditions).expect("deadlines and a clock");
        assert!(is_possible(&terms, &conditions) && is_possible(&terms, &simple));
    }

    #[test]
    fn random_conditions_keep_their_models() {
        let mut random = kripke_elts::random::Random::new(5);
        let mut changed = 0;
        for _ in 0..600 {
            let mut terms = Terms::new();
            let mut numbers: Vec<TermId> = (0..4)
                .map(|number| terms.variable(&format!("n{number}"), Sort::BitVec(4)))
                .collect();
            let flag = terms.variable("flag", Sort::Bool);
            let mut truths = vec![flag];
            for _ in 0..10 {
                let (a, b) = (random.pick(&numbers), random.pick(&numbers));
                let (p, constant) = (random.pick(&truths), random.below(16) as u64);
                let constant = terms.bv_u64(4, constant);
                let difference = terms.bv_sub(a, b);
                match random.below(7) {
                    0 => numbers.push(terms.bv_add(a, constant)),
                    1 => numbers.push(difference),
                    2 => numbers.push(terms.ite(p, a, b)),
                    3 => truths.push(terms.eq(a, b)),
                    4 => truths.push(terms.bv_slt(a, b)),
                    _ => truths.push(terms.bv_ule(difference, constant)),
                }
            }
            let conditions: Vec<TermId> = truths.split_off(truths.len().saturating_sub(3));
            let Some(simple) = over_differences(&mut terms, &conditions) else {
                continue;
            };
            changed += 1;
            // Each model of the result is one of what was given, and there is one if there was.
            let all = terms.and_all(conditions.iter().copied());
            let wrong = terms.not(all);
            let not_of_given = [&simple[..], &[wrong]].concat();
            assert!(!is_possible(&terms, &not_of_given));
            assert_eq!(is_possible(&terms, &conditions), is_possible(&terms, &simple));
        }
        assert!(changed > 50, "{changed}");
    }
}
