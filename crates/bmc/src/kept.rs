//! A solver that keeps what it has learned from one question to the next.
//!
//! Idea: questions that differ little are answered by such a solver at once. One that went on past its limit
//! cannot be asked again, so another takes its place. Of many conditions of which each question has most, it
//! is told once, under names: a question then is which names hold, and costs what is new in it.
//!
//! Invariant: a name implies its condition and nothing else says anything of it, so conditions have a model
//! if and only if their names do, and a model of these is one of the conditions.

use std::time::Instant;

use kripke_smt::{SatResult, Solver, SolverError, Sort, TermId, Terms, create_incremental_solver, disjuncts};
use rustc_hash::FxHashMap;

use crate::limits;
use crate::options::Options;

/// Made when it is needed.
#[derive(Default)]
pub(crate) struct Kept {
    solver: Option<Box<dyn Solver>>,
    /// The names of conditions, of which the solver was told.
    names: FxHashMap<TermId, TermId>,
}

/// What all conditions together come to.
pub(crate) enum Answer<'s> {
    /// They exclude each other.
    Impossible,
    /// They can all hold; the solver has a model.
    Possible(&'s mut dyn Solver),
    /// That was not found out in time.
    Open,
}

impl Kept {
    /// Can all conditions hold?
    pub fn ask(
        &mut self,
        terms: &Terms,
        options: &Options,
        conditions: &[TermId],
        until: Instant,
    ) -> Answer<'_> {
        let Some(solver) = self.take(options) else {
            return Answer::Open;
        };
        self.check(solver, terms, options, conditions, until)
    }

    /// The same of conditions that were asked before and will be asked again, the first of them as a part of
    /// another disjunction.
    pub fn ask_by_name(
        &mut self,
        terms: &mut Terms,
        options: &Options,
        conditions: &[TermId],
        until: Instant,
    ) -> Answer<'_> {
        let Some(mut solver) = self.take(options) else {
            return Answer::Open;
        };
        let mut named = Vec::with_capacity(conditions.len());
        for (number, condition) in conditions.iter().enumerate() {
            let parts = match number {
                0 => disjuncts(terms, *condition),
                _ => vec![*condition],
            };
            let mut names = Vec::with_capacity(parts.len());
            for part in parts {
                let Ok(name) = self.name(solver.as_mut(), terms, part) else {
                    return Answer::Open;
                };
                names.push(name);
            }
            named.push(terms.or_all(names));
        }
        self.check(solver, terms, options, &named, until)
    }

    /// Can all conditions hold? `None` where the answer takes a search ([`Kept::ask`]).
    pub fn ask_at_once(
        &mut self,
        terms: &Terms,
        options: &Options,
        conditions: &[TermId],
        until: Instant,
    ) -> Option<Answer<'_>> {
        let mut solver = self.take(options)?;
        let limits = limits::of(options).until(until);
        let answer = solver.check_at_once(terms, conditions, &limits);
        let solver = self.solver.insert(solver);
        Some(match answer? {
            SatResult::Sat => Answer::Possible(solver.as_mut()),
            SatResult::Unsat => Answer::Impossible,
            SatResult::Unknown(_) => Answer::Open,
        })
    }

    /// The name of a condition, of which the solver is told where it was not.
    fn name(
        &mut self,
        solver: &mut dyn Solver,
        terms: &mut Terms,
        condition: TermId,
    ) -> Result<TermId, SolverError> {
        if let Some(name) = self.names.get(&condition) {
            return Ok(*name);
        }
        let name = terms.variable(&format!("name of {condition:?}"), Sort::Bool);
        let implied = terms.implies(name, condition);
        solver.assert(terms, implied)?;
        self.names.insert(condition, name);
        Ok(name)
    }

    fn check(
        &mut self,
        mut solver: Box<dyn Solver>,
        terms: &Terms,
        options: &Options,
        conditions: &[TermId],
        until: Instant,
    ) -> Answer<'_> {
        let limits = limits::of(options).until(until);
        match solver.check(terms, conditions, &limits) {
            Ok(SatResult::Sat) => Answer::Possible(self.solver.insert(solver).as_mut()),
            Ok(SatResult::Unsat) => {
                self.solver = Some(solver);
                Answer::Impossible
            }
            Ok(SatResult::Unknown(_)) => {
                self.solver = Some(solver);
                Answer::Open
            }
            Err(_) => Answer::Open,
        }
    }

    fn take(&mut self, options: &Options) -> Option<Box<dyn Solver>> {
        let known = self.solver.take();
        known.or_else(|| {
            self.names.clear();
            create_incremental_solver(&options.solver).ok()
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::{Duration, Instant};

    use kripke_elts::random::Random;
    use kripke_smt::{Sort, TermId, Terms};

    use super::{Answer, Kept};
    use crate::options::Options;

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

    fn is_possible(answer: &Answer<'_>) -> bool {
        match answer {
            Answer::Possible(_) => true,
            Answer::Impossible => false,
            Answer::Open => panic!("there is time enough"),
        }
    }

    #[test]
    fn names_change_no_answer() {
        let (mut terms, options) = (Terms::new(), Options::default());
        let (mut plain, mut named) = (Kept::default(), Kept::default());
        let mut random = Random::new(5);
        let truths = random_conditions(&mut terms, &mut random, (6, 60));
        let mut impossible = 0;
        for _ in 0..200 {
            let conditions: Vec<TermId> = (0..6).map(|_| random.pick(&truths)).collect();
            let until = Instant::now() + Duration::from_secs(60);
            let expected = is_possible(&plain.ask(&terms, &options, &conditions, until));
            let answer = named.ask_by_name(&mut terms, &options, &conditions, until);
            assert_eq!(is_possible(&answer), expected);
            impossible += u32::from(!expected);
        }
        assert!((20..180).contains(&impossible), "{impossible}");
    }
}
