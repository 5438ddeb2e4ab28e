//! Hard questions, asked case by case.
//!
//! Idea: an index into an array of a few elements makes each read a choice among all of them, and what is
//! computed from the elements (their sum, the number of those that are set) a formula that no solver sees
//! through, although it is plain for each value of the index. So a question that is open after a part of its
//! time is asked once for each constant that the term which decides most is compared with, put in its place,
//! and once for all its other values. What is said of differences is asked in terms of these.
//!
//! Invariant: the cases of a question are all there are, whatever they are split by: it has a model if and
//! only if one of them has, and that model is one of the question.

use std::collections::BTreeSet;
use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{Op, SatResult, Sort, TermId, Terms};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use crate::decide::Decider;
use crate::differences::over_differences;
use crate::engine::Engine;
use crate::limits;
use crate::linear::simplified;

/// The part of its time in which a question is asked as it is.
const PART: u32 = 2;
/// The smallest part of the time that is left which a case gets.
const SHARES: u32 = 4;
/// With how many constants a term is compared that splits cases.
const CONSTANTS: std::ops::RangeInclusive<usize> = 2..=16;
/// Of how many terms a question is at most that is split.
const MAX_TERMS: usize = 1 << 12;
/// How often a case is split again.
const DEPTH: u32 = 2;

impl Decider<'_> {
    /// Is it known, in time, that the condition cannot hold?
    pub(crate) fn is_impossible(
        &mut self,
        engine: &mut Engine<'_>,
        condition: TermId,
        until: Instant,
    ) -> bool {
        if let Some(truth) = engine.terms.as_bool(condition) {
            return !truth;
        }
        let facts = engine.facts_about(condition);
        self.ask_by_cases(engine, &[condition, facts], until) == Ok(SatResult::Unsat)
    }

    /// Can all conditions hold? What is not decided at once is asked case by case.
    pub(crate) fn ask_by_cases(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        until: Instant,
    ) -> Result<SatResult, Reason> {
        match over_differences(&mut engine.terms, conditions) {
            Some(simple) => self.ask_to_depth(engine, &simple, until, DEPTH),
            None => self.ask_to_depth(engine, conditions, until, DEPTH),
        }
    }

    fn ask_to_depth(
        &mut self,
        engine: &mut Engine<'_>,
        conditions: &[TermId],
        until: Instant,
        depth: u32,
    ) -> Result<SatResult, Reason> {
        let now = Instant::now();
        let part = if depth == 0 { 1 } else { PART };
        let first = now + until.saturating_duration_since(now) / part;
        let limits = limits::of(engine.options).until(first);
        let answer = self.ask(engine, conditions, &limits);
        if depth == 0 || !matches!(answer, Ok(SatResult::Unknown(_)) | Err(Reason::Time)) {
            return answer;
        }
        limits::check(engine.options, true)?;
        let Some(split) = Split::new(&engine.terms, conditions) else {
            let limits = limits::of(engine.options).until(until);
            return self.ask(engine, conditions, &limits);
        };
        for number in 0..split.count() {
            let now = Instant::now();
            if now >= until {
                return Err(Reason::Time);
            }
            let case = split.case(&mut engine.terms, conditions, number);
            let left = (split.count() - number) as u32;
            let share = now + until.saturating_duration_since(now) / left.min(SHARES);
            match self.ask_to_depth(engine, &case, share, depth - 1)? {
                SatResult::Unsat => {}
                other => return Ok(other),
            }
        }
        Ok(SatResult::Unsat)
    }
}

/// What is compared with constants, and how much depends on that.
#[derive(Default)]
struct Compared {
    constants: BTreeSet<BitVec>,
    users: usize,
}

/// By what a question is split.
struct Split {
    subject: TermId,
    constants: Vec<BitVec>,
}

impl Split {
    /// `None` where no term decides much, or the question is so large that making the cases takes long.
    fn new(terms: &Terms, conditions: &[TermId]) -> Option<Split> {
        let reachable = terms.reachable(conditions);
        if reachable.len() > MAX_TERMS {
            return None;
        }
        let (subject, constants) = decisive(terms, reachable)?;
        Some(Split {
            subject,
            constants: constants.into_iter().collect(),
        })
    }

    /// How many cases there are: one for each constant, one for all other values.
    fn count(&self) -> usize {
        self.constants.len() + 1
    }

    /// The conditions of a case.
    fn case(&self, terms: &mut Terms, conditions: &[TermId], number: usize) -> Vec<TermId> {
        let equal: Vec<TermId> = self
            .constants
            .iter()
            .map(|constant| {
                let constant = terms.bv(constant.clone());
                terms.eq(self.subject, constant)
            })
            .collect();
        let (mut known, mut case) = (FxHashMap::default(), Vec::new());
        match self.constants.get(number) {
            Some(constant) => {
                known.insert(self.subject, terms.bv(constant.clone()));
                case.push(equal[number]);
            }
            None => {
                for equal in equal {
                    known.insert(equal, terms.false_());
                    case.push(terms.not(equal));
                }
            }
        }
        for condition in conditions {
            case.push(terms.substitute(*condition, &mut known));
        }
        simplified(terms, &case)
    }
}

/// The term on whose equality with constants most depends, and those constants.
fn decisive(terms: &Terms, reachable: Vec<TermId>) -> Option<(TermId, BTreeSet<BitVec>)> {
    let mut users: FxHashMap<TermId, usize> = FxHashMap::default();
    for term in &reachable {
        for operand in terms.children(*term) {
            *users.entry(*operand).or_default() += 1;
        }
    }
    let mut compared: FxHashMap<TermId, Compared> = FxHashMap::default();
    for term in reachable {
        let (Op::Eq, &[a, b]) = (terms.op(term), terms.children(term)) else {
            continue;
        };
        if !matches!(terms.sort(a), Sort::BitVec(_)) {
            continue;
        }
        for (subject, constant) in [(a, b), (b, a)] {
            if let (None, Some(value)) = (terms.as_bv(subject), terms.as_bv(constant)) {
                let of_subject = compared.entry(subject).or_default();
                of_subject.constants.insert(value.clone());
                of_subject.users += users.get(&term).copied().unwrap_or(0);
            }
        }
    }
    compared.retain(|_, compared| CONSTANTS.contains(&compared.constants.len()));
    // Where as much depends on several, the choice must not depend on the order of a hash table.
    let most = compared
        .into_iter()
        .max_by_key(|(subject, compared)| (compared.users, *subject));
    most.map(|(subject, compared)| (subject, compared.constants))
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Limits, SatResult, SolverChoice, Sort, TermId, Terms, create_solver};

    use super::Split;

    fn split(terms: &mut Terms, conditions: &[TermId]) -> Option<Vec<Vec<TermId>>> {
        let split = Split::new(terms, conditions)?;
        let cases = 0..split.count();
        Some(
            cases
                .map(|number| split.case(terms, conditions, number))
                .collect(),
        )
    }

    fn is_possible(terms: &Terms, conditions: &[TermId]) -> bool {
        let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
        let answer = solver.check(terms, conditions, &Limits::default());
        answer.expect("an answer") == SatResult::Sat
    }

    /// `index` chooses among four numbers; which of the cases is possible depends on what is asked.
    fn choice(terms: &mut Terms) -> (TermId, TermId) {
        let index = terms.variable("index", Sort::BitVec(8));
        let mut chosen = terms.bv_u64(8, 77);
        for at in 0..4 {
            let constant = terms.bv_u64(8, at);
            let is_there = terms.eq(index, constant);
            let element = terms.bv_u64(8, 10 + at);
            chosen = terms.ite(is_there, element, chosen);
        }
        (index, chosen)
    }

    #[test]
    fn cases_cover_the_question() {
        let mut terms = Terms::new();
        let (index, chosen) = choice(&mut terms);
        let other = terms.variable("other", Sort::BitVec(8));
        for wanted in 0..=255 {
            let wanted = terms.bv_u64(8, wanted);
            let sum = terms.bv_add(chosen, other);
            let differs = terms.distinct(chosen, other);
            let is_wanted = terms.eq(sum, wanted);
            let small = terms.bv_u64(8, 9);
            let small = terms.bv_ult(other, small);
            let conditions = [is_wanted, differs, small];
            let cases = split(&mut terms, &conditions).expect("an index that decides");
            assert_eq!(cases.len(), 5);
            let possible: Vec<bool> = cases.iter().map(|case| is_possible(&terms, case)).collect();
            assert_eq!(is_possible(&terms, &conditions), possible.contains(&true));
        }
        assert!(terms.variables_of(&[chosen]).contains(&index));
    }

    #[test]
    fn other_values_are_a_case() {
        let mut terms = Terms::new();
        let (index, chosen) = choice(&mut terms);
        let outside = terms.bv_u64(8, 77);
        let is_outside = terms.eq(chosen, outside);
        let far = terms.bv_u64(8, 200);
        let is_far = terms.bv_ult(far, index);
        let cases = split(&mut terms, &[is_outside, is_far]).expect("an index that decides");
        let possible: Vec<bool> = cases.iter().map(|case| is_possible(&terms, case)).collect();
        assert_eq!(possible, [false, false, false, false, true]);
    }
}
