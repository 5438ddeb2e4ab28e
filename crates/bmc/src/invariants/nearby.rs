//! States near one from which an arrival breaks a candidate.
//!
//! Idea: guesses come in families, one thing compared with each constant of the program. A question to the
//! solver shows one state from which one member is broken, and costs a hundred times what it costs to look at
//! a state. So the constant of each other member takes the place of that one's in the state, in one variable
//! after the other, and what is broken there is dropped without a question of its own.
//!
//! Invariant: a candidate counts as broken where an arrival breaks it from a state in which the support and
//! all candidates that do not count as broken hold. So what is inductive together is never dropped.

use std::time::{Duration, Instant};

use kripke_smt::{Evaluator, Op, TermId, Terms, Value};
use kripke_value::BitVec;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::invariants::candidate::Candidate;
use crate::invariants::fixpoint::Broken;
use crate::invariants::heads::Head;

/// Values of variables; others are zero.
pub(super) type Assignment = FxHashMap<TermId, Value>;

/// What answers faster is asked again at once.
const LEAST_TIME: Duration = Duration::from_millis(5);
/// How long states are looked at, at most: what is not broken in the first ones is hardly in others.
const MOST_TIME: Duration = Duration::from_millis(100);
/// In how many variables a constant is replaced.
const MAX_VARIABLES: usize = 6;

/// What is assumed and asked in a round.
pub(super) struct Situation<'s> {
    pub terms: &'s Terms,
    pub heads: &'s [Head],
    pub support: [TermId; 2],
    pub candidates: &'s [Candidate],
    pub broken_by: Broken,
    /// The state from which candidates are broken.
    pub state: Assignment,
}

impl Situation<'_> {
    /// Marks more of the candidates as broken, for about as long as the answer took that showed the state.
    pub fn break_more(&self, are_broken: &mut [bool], varied: &mut FxHashSet<TermId>, took: Duration) {
        if took < LEAST_TIME {
            return;
        }
        self.vary_unconstrained(are_broken, varied);
        let until = Instant::now() + took.min(MOST_TIME);
        self.go_on(are_broken, until);
        let comparisons: Vec<_> = self.candidates.iter().map(|one| self.comparison(one)).collect();
        let first = are_broken.to_vec();
        for (one, _) in comparisons.iter().zip(first).filter(|(_, is_broken)| *is_broken) {
            let Some((compared, constant)) = one else { continue };
            let places = self.like(constant);
            for (number, other) in comparisons.iter().enumerate() {
                let Some((_, another)) = other.as_ref().filter(|(other, _)| other == compared) else {
                    continue;
                };
                let mut places = places.iter();
                while !are_broken[number]
                    && Instant::now() < until
                    && let Some((variable, value)) = places.next()
                {
                    let width = value.width();
                    let moved = value.add(&in_width(&another.sub(constant), width));
                    let mut state = self.state.clone();
                    state.insert(*variable, Value::BitVec(moved));
                    self.break_from(&state, are_broken);
                }
            }
        }
    }

    /// What a candidate compares with a constant, at its head, and the constant.
    pub(super) fn comparison(&self, candidate: &Candidate) -> Option<((usize, TermId), BitVec)> {
        let terms = self.terms;
        let mut predicate = candidate.predicate;
        if terms.op(predicate) == Op::Not {
            predicate = terms.children(predicate)[0];
        }
        let is_comparison = matches!(
            terms.op(predicate),
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle
        );
        match (is_comparison, terms.children(predicate)) {
            (true, &[a, b]) => match (terms.as_bv(a), terms.as_bv(b)) {
                (Some(constant), None) => Some(((candidate.head, b), constant.clone())),
                (None, Some(constant)) => Some(((candidate.head, a), constant.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Variables whose value is that constant or a neighbour.
    fn like(&self, constant: &BitVec) -> Vec<(TermId, BitVec)> {
        let mut found = Vec::new();
        for (variable, value) in &self.state {
            let Value::BitVec(value) = value else { continue };
            let distance = value.sub(&in_width(constant, value.width()));
            let is_near = distance.is_zero() || distance.is_one() || distance.is_ones();
            if is_near {
                found.push((!distance.is_zero(), *variable, value.clone()));
            }
        }
        found.sort();
        found.truncate(MAX_VARIABLES);
        let found = found.into_iter();
        found.map(|(_, variable, value)| (variable, value)).collect()
    }

    /// Marks what is broken from a state.
    pub(super) fn break_from(&self, state: &Assignment, are_broken: &mut [bool]) {
        let variable = |variable: TermId| match state.get(&variable) {
            Some(value) => value.clone(),
            None => Value::zero(self.terms.sort(variable)),
        };
        let mut evaluator = Evaluator::new(self.terms, &variable);
        let mut holds = |term: TermId| evaluator.evaluate(term).as_bool() == Some(true);
        let mut assumed = self.candidates.iter().zip(&*are_broken);
        let is_possible = assumed.all(|(candidate, is_broken)| *is_broken || holds(candidate.assumption))
            && self.support.iter().all(|term| holds(*term));
        if is_possible {
            for (candidate, is_broken) in self.candidates.iter().zip(are_broken) {
                *is_broken |= holds(self.broken_by.of(candidate));
            }
        }
    }
}

/// The signed number in another width, as far as it fits.
pub(super) fn in_width(number: &BitVec, width: u32) -> BitVec {
    match number.width() < width {
        true => number.sext(width),
        false => number.trunc(width),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kripke_smt::{Sort, TermId, Terms, Value};
    use kripke_value::BitVec;
    use rustc_hash::FxHashSet;

    use super::{Assignment, Situation};
    use crate::invariants::candidate::Candidate;
    use crate::invariants::fixpoint::Broken;

    /// That `x` is none of the numbers below 6, each broken where it is that number.
    fn family(terms: &mut Terms, x: TermId) -> Vec<Candidate> {
        let numbers = 0..6;
        let each = numbers.map(|number| {
            let number = terms.bv_u64(8, number);
            let broken = terms.eq(x, number);
            Candidate {
                head: 0,
                predicate: terms.not(broken),
                variables: [x].into(),
                assumption: terms.true_(),
                fails: [broken].into(),
                broken,
                broken_off_path: None,
                chain: None,
                speaks_of_any: false,
                class: None,
            }
        });
        each.collect()
    }

    #[test]
    fn a_family_falls_as_far_as_its_states_are_possible() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let candidates = family(&mut terms, x);
        let three = terms.bv_u64(8, 3);
        let support = [terms.bv_ule(x, three), terms.true_()];
        let state = Assignment::from_iter([(x, Value::BitVec(BitVec::new(8, 2)))]);
        let mut are_broken = vec![false, false, true, false, false, false];
        let situation = Situation {
            terms: &terms,
            heads: &[],
            support,
            candidates: &candidates,
            broken_by: Broken::OnPath,
            state,
        };
        situation.break_more(
            &mut are_broken,
            &mut FxHashSet::default(),
            Duration::from_secs(10),
        );
        assert_eq!(are_broken, [true, true, true, true, false, false]);
    }

    #[test]
    fn what_others_exclude_is_not_broken() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(8));
        let mut candidates = family(&mut terms, x);
        // All hold in the state before, but for the one that is broken.
        for candidate in &mut candidates {
            candidate.assumption = candidate.predicate;
        }
        let state = Assignment::from_iter([(x, Value::BitVec(BitVec::new(8, 2)))]);
        let mut are_broken = vec![false, false, true, false, false, false];
        let first = are_broken.clone();
        let truth = terms.true_();
        let situation = Situation {
            terms: &terms,
            heads: &[],
            support: [truth; 2],
            candidates: &candidates,
            broken_by: Broken::OnPath,
            state,
        };
        situation.break_more(
            &mut are_broken,
            &mut FxHashSet::default(),
            Duration::from_secs(10),
        );
        assert_eq!(are_broken, first);
    }
}
