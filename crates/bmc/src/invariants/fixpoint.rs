//! The largest inductive part of a group of candidates that are asked together.
//!
//! Idea: all are assumed, and those dropped that an arrival breaks, until none does. Where a question about
//! all of them is too hard, it is asked of each half by itself, all still assumed, down to one candidate, and
//! of that in each way in which it may be broken. One that is too hard then is given up with its chain, so
//! that it costs itself and not the others.

use std::time::Instant;

use kripke_model::Reason;
use kripke_smt::{TermId, Terms, conjuncts, disjuncts};
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::invariants::arrivals;
use crate::invariants::candidate::Candidate;
use crate::invariants::nearby::{Assignment, Situation};
use crate::invariants::questions::{Answer, Questions};

/// The part of its time in which a question is asked as a whole.
const PART: u32 = 2;
/// The smallest part of the time that is left which one of several ways gets.
const SHARES: u32 = 4;

/// What breaks a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    OnPath,
    OffPath,
    /// The arrival with that number.
    At(usize),
}

impl Broken {
    pub fn of(self, candidate: &Candidate) -> TermId {
        match self {
            Broken::OnPath => candidate.broken,
            Broken::OffPath => candidate.broken_off_path.unwrap_or(candidate.broken),
            Broken::At(arrival) => candidate.fails[arrival],
        }
    }
}

/// What comes of asking whether an arrival breaks one of some candidates.
pub(super) enum Outcome {
    /// None does.
    Unbroken,
    /// Some does: from this state these of all candidates are broken.
    Broken(Vec<bool>, Assignment),
    /// That is too hard to find out of this one.
    Hard(Candidate),
}

/// Drops candidates until no arrival breaks one of those that are left, given them and the support; `None`
/// when that is not decided in time.
pub(super) fn fixpoint(
    engine: &mut Engine<'_>,
    questions: &mut Questions<'_, '_>,
    support: TermId,
    (candidates, broken_by): (Vec<Candidate>, Broken),
    until: Instant,
) -> Result<Option<Vec<Candidate>>, Reason> {
    let mut candidates = candidates;
    let is_reached = shrink(engine, questions, support, (&mut candidates, broken_by), until)?;
    Ok(is_reached.then(|| strongest(&candidates).into_iter().cloned().collect()))
}

/// The same in place; false when there is no time to see what is left through.
pub(super) fn shrink(
    engine: &mut Engine<'_>,
    questions: &mut Questions<'_, '_>,
    support: TermId,
    (candidates, broken_by): (&mut Vec<Candidate>, Broken),
    until: Instant,
) -> Result<bool, Reason> {
    if arrivals::are_many(candidates) {
        return arrivals::Search::new(engine, questions, support, until).shrink(engine, candidates);
    }
    let mut varied = FxHashSet::default();
    while !candidates.is_empty() {
        let started = Instant::now();
        let active: Vec<Candidate> = strongest(candidates).into_iter().cloned().collect();
        let facts = engine.address_facts();
        let mut assumed = vec![support, facts];
        assumed.extend(active.iter().map(|candidate| candidate.assumption));
        let about = candidates.iter().map(|candidate| broken_by.of(candidate));
        let mut round = Round {
            questions,
            broken_by,
            assumed,
            about: about.collect(),
        };
        let before = candidates.len();
        match round.ask(engine, &active, until)? {
            Outcome::Unbroken => break,
            Outcome::Broken(mut are_broken, state) => {
                let situation = Situation {
                    terms: &engine.terms,
                    heads: &engine.run.record.heads,
                    support: [support, facts],
                    candidates,
                    broken_by,
                    state,
                };
                situation.break_more(&mut are_broken, &mut varied, started.elapsed());
                drop_broken(candidates, &are_broken);
            }
            Outcome::Hard(_) if Instant::now() >= until => return Ok(false),
            Outcome::Hard(hard) => {
                let are_hard: Vec<bool> = candidates.iter().map(|one| one.is_like(&hard)).collect();
                drop_broken(candidates, &are_hard);
            }
        }
        if candidates.len() == before {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops those that are broken, and those of their classes.
pub(super) fn drop_broken(candidates: &mut Vec<Candidate>, are_broken: &[bool]) {
    let broken = candidates
        .iter()
        .zip(are_broken)
        .filter(|(_, is_broken)| **is_broken);
    let classes: FxHashSet<TermId> = broken.filter_map(|(candidate, _)| candidate.class).collect();
    let mut are_broken = are_broken.iter();
    candidates.retain(|candidate| {
        let is_of_broken = candidate.class.is_some_and(|class| classes.contains(&class));
        are_broken.next() != Some(&true) && !is_of_broken
    });
}

/// The questions about one set of candidates.
pub(super) struct Round<'r, 'q, 'd> {
    pub questions: &'r mut Questions<'q, 'd>,
    pub broken_by: Broken,
    /// What is known, and that all candidates hold.
    pub assumed: Vec<TermId>,
    /// Whether each of the candidates is broken.
    pub about: Vec<TermId>,
}

impl Round<'_, '_, '_> {
    /// Does an arrival break one of these? That is asked once; hard is the first of them then.
    pub fn ask_whole(
        &mut self,
        engine: &mut Engine<'_>,
        candidates: &[Candidate],
        until: Instant,
    ) -> Result<Outcome, Reason> {
        let broken = candidates.iter().map(|candidate| self.broken_by.of(candidate));
        let broken = engine.terms.or_all(broken);
        if engine.terms.as_bool(broken) == Some(false) {
            return Ok(Outcome::Unbroken);
        }
        Ok(match self.ask_about(engine, broken, until)? {
            Answer::Impossible => Outcome::Unbroken,
            Answer::Possible(are_broken, state) => Outcome::Broken(are_broken, state),
            Answer::Open => Outcome::Hard(candidates[0].clone()),
        })
    }

    /// Does an arrival break one of these?
    pub fn ask(
        &mut self,
        engine: &mut Engine<'_>,
        candidates: &[Candidate],
        until: Instant,
    ) -> Result<Outcome, Reason> {
        let outcome = self.ask_whole(engine, candidates, part_until(until))?;
        match (outcome, candidates) {
            (Outcome::Hard(_), [candidate]) => self.ask_one_by_one(engine, candidate, until),
            (Outcome::Hard(_), _) => {
                let (first, second) = candidates.split_at(candidates.len() / 2);
                match self.ask(engine, first, part_until(until))? {
                    Outcome::Unbroken => self.ask(engine, second, until),
                    outcome => Ok(outcome),
                }
            }
            (outcome, _) => Ok(outcome),
        }
    }

    fn ask_about(
        &mut self,
        engine: &mut Engine<'_>,
        broken: TermId,
        until: Instant,
    ) -> Result<Answer, Reason> {
        let conditions = [&[broken], &self.assumed[..]].concat();
        self.questions.ask(engine, &conditions, &self.about, until)
    }

    /// Does an arrival break the candidate, in any of the ways in which that can be?
    fn ask_one_by_one(
        &mut self,
        engine: &mut Engine<'_>,
        candidate: &Candidate,
        until: Instant,
    ) -> Result<Outcome, Reason> {
        let ways = alternatives(&mut engine.terms, self.broken_by.of(candidate));
        for (number, way) in ways.iter().enumerate() {
            let now = Instant::now();
            let left = (ways.len() - number) as u32;
            let share = now + until.saturating_duration_since(now) / left.min(SHARES);
            match self.ask_about(engine, *way, share)? {
                Answer::Impossible => {}
                Answer::Possible(are_broken, state) => return Ok(Outcome::Broken(are_broken, state)),
                Answer::Open => return Ok(Outcome::Hard(candidate.clone())),
            }
        }
        Ok(Outcome::Unbroken)
    }
}

/// Conditions of which one holds if and only if the condition does: of each disjunct that is a conjunction,
/// those beside each disjunct of the conjunct that has most.
fn alternatives(terms: &mut Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for disjunct in disjuncts(terms, condition) {
        let mut parts = conjuncts(terms, &[disjunct]);
        let widest = (0..parts.len()).max_by_key(|part| disjuncts(terms, parts[*part]).len());
        let widest = parts.swap_remove(widest.expect("a term is its own conjunct"));
        let others = terms.and_all(parts);
        for way in disjuncts(terms, widest) {
            found.push(terms.and(others, way));
        }
    }
    found
}

/// The end of a part of the time until then.
fn part_until(until: Instant) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now) / PART
}

/// The first candidate of each chain, which implies the others of it.
pub(super) fn strongest(candidates: &[Candidate]) -> Vec<&Candidate> {
    firsts(candidates.iter())
}

/// The last candidate of each chain, which the others of it imply.
pub(super) fn weakest(candidates: &[Candidate]) -> Vec<&Candidate> {
    firsts(candidates.iter().rev())
}

fn firsts<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Vec<&'c Candidate> {
    let mut lines = FxHashSet::default();
    candidates
        .filter(|candidate| candidate.chain.is_none() || lines.insert(candidate.line()))
        .collect()
}

#[cfg(test)]
mod tests {
    use kripke_smt::{Limits, SatResult, SolverChoice, Sort, TermId, Terms, create_solver};

    use super::alternatives;
    use crate::kept::tests::random_conditions;

    #[test]
    fn one_of_the_ways_is_taken() {
        let mut random = kripke_elts::random::Random::new(3);
        let mut parted = 0;
        for _ in 0..300 {
            let mut terms = Terms::new();
            let truths = random_conditions(&mut terms, &mut random, (5, 8));
            let condition = truths[truths.len() - 1];
            let ways = alternatives(&mut terms, condition);
            parted += usize::from(ways.len() > 1);
            let any = terms.or_all(ways);
            let differ = terms.xor(any, condition);
            let mut solver = create_solver(&SolverChoice::Default).expect("the embedded solver");
            let answer = solver.check(&terms, &[differ], &Limits::default());
            assert_eq!(answer.expect("an answer"), SatResult::Unsat);
        }
        assert!(parted > 50, "{parted}");
    }

    #[test]
    fn a_conjunction_is_broken_in_as_many_ways_as_it_has_conjuncts() {
        let mut terms = Terms::new();
        let path = terms.variable("path", Sort::Bool);
        let parts: Vec<TermId> = (0..7)
            .map(|number| terms.variable(&format!("p{number}"), Sort::Bool))
            .collect();
        let all = terms.and_all(parts);
        let fails = terms.not(all);
        let broken = terms.and(path, fails);
        assert_eq!(alternatives(&mut terms, broken).len(), 7);
    }
}
