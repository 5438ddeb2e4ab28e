//! Properties about single states, decided by as few searches as possible.
//!
//! Idea: one search looks for a violation of each of them, so that the states are explored once. The search
//! that sees all states, as faults are among its properties, also notes which data handlers share
//! ([`super::torn`]).

use kripke_avr::concrete::Blamed;
use kripke_avr::fault::Fault;
use kripke_avr::micro::{MOST_ATOMS, Micro, Options};
use kripke_explicit::{Limits, Order, Stopped, Survey, survey_invariants, survey_invariants_depth_first};
use kripke_model::{Labels, Reason, Verdict};

use super::answer::Answer;
use super::attempt::Attempt;
use super::deep::Deep;
use super::examine::Examination;
use super::exploration::explore;
use super::explosion::explosion;
use super::properties::{Given, Question};
use super::torn::Shared;
use crate::failure::Failure;

/// Properties that one search decides, at the most.
const MOST_AT_ONCE: usize = 60;

impl Examination<'_> {
    /// All invariants, and the faults that are checked without being asked, in one search.
    pub(super) fn invariants(&mut self, given: &[Given], faults: &[Fault]) -> Result<(), Failure> {
        let tears = faults.contains(&Fault::TornAccess);
        let others = faults.iter().filter(|fault| **fault != Fault::TornAccess);
        let mut faults: Vec<Given> = others.copied().map(Given::fault).collect();
        if tears && faults.is_empty() {
            // What is shared is found out in a search for another fault.
            faults.push(Given {
                is_reported: false,
                ..Given::fault(Fault::OutsideProgram)
            });
        }
        let invariants = given
            .iter()
            .filter(|property| property.question.is_about_states());
        let groups = self.groups(invariants.chain(&faults));
        let last = groups.len() - 1;
        for (number, group) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
            // The last group has faults, if any has, and sees all states.
            if tears && number == last {
                self.options.sharing = self.sharing();
            }
            let shared = self.group(group)?;
            self.options.sharing = None;
            if let Some(shared) = shared {
                self.torn(shared)?;
            }
        }
        Ok(())
    }

    /// Properties that one search can decide: they begin at the same place, and their atoms have room in a
    /// state.
    fn groups<'g>(&self, properties: impl Iterator<Item = &'g Given>) -> Vec<Vec<&'g Given>> {
        let mut groups: Vec<Vec<&Given>> = vec![Vec::new()];
        let mut used = 0;
        for property in properties {
            let last = groups.len() - 1;
            let elsewhere = groups[last]
                .first()
                .is_some_and(|first| self.start_of(first) != self.start_of(property));
            // At reset each atom may be true or false.
            let alone = self.start_of(property).is_none() && !property.atoms.is_empty();
            let elsewhere = elsewhere || alone && !groups[last].is_empty();
            if used + property.atoms.len() > MOST_ATOMS || groups[last].len() == MOST_AT_ONCE || elsewhere {
                groups.push(Vec::new());
                used = 0;
            }
            used += property.atoms.len();
            if let Some(group) = groups.last_mut() {
                group.push(property);
            }
        }
        groups
    }

    /// Checks these properties together; what data is shared, if that is to be noted.
    ///
    /// The first searches are short: if there are more states than those, the variables that take many values
    /// are taken as unknown, as far as that tells the verdicts. Each further search is about the properties
    /// that have none.
    fn group(&mut self, group: &[&Given]) -> Result<Option<Shared>, Failure> {
        let start = self.start_of(group[0]);
        let mut attempt = Attempt::new(self.first_options(true), self.widening);
        let mut verdicts: Vec<Option<Verdict>> = vec![None; group.len()];
        let mut pending: Vec<usize> = (0..group.len()).filter(|at| group[*at].is_reported).collect();
        let mut shared = None;
        // Of the first search that had much to spend: those after it decide more, which costs more.
        let mut exploded = None;
        let mut deep = Deep::default();
        loop {
            let asked: Vec<&Given> = pending.iter().map(|at| group[*at]).collect();
            let budget = deep.within(attempt.budget(&self.budget), &pending);
            let (options, counts_values) = (&attempt.options, attempt.counts_values());
            let order = Order::BreadthFirst;
            let (mut micro, survey) = self.survey(&asked, start, (options, counts_values), &budget, order);
            self.note_ends(&micro);
            let may_go_on = attempt.may_go_on(&survey, &self.budget) && !deep.is_enough(&pending);
            let is_last = survey.stopped.is_none() || !may_go_on;
            if !is_last && !deep.was_tried {
                let open = survey.counterexamples.iter().map(Option::is_none);
                let open = pending.iter().zip(open).filter(|(_, is_open)| *is_open);
                let open: Vec<usize> = open.map(|(number, _)| *number).collect();
                deep = self.deep(group, &open, start, &attempt.options)?;
            }
            if attempt.options.sharing.is_some() {
                let whole = self.whole(&micro, survey.stopped.clone(), survey.exploration.stored)?;
                shared = Some(Shared::new(&micro, self.firmware, whole));
            }
            let Survey {
                counterexamples,
                exploration,
                stopped,
                depth,
            } = survey;
            let is_cut = |stopped: &&Stopped| !matches!(stopped.reason, Reason::Probable { .. });
            if let Some(stopped) = stopped.as_ref().filter(is_cut) {
                if is_last {
                    self.events.stopped(&format!(
                        "stopped after {} states; all runs of fewer than {depth} steps were seen",
                        exploration.stored
                    ));
                }
                if exploded.is_none() && (is_last || !attempt.counts_values()) {
                    exploded = explosion(&mut micro, self.firmware, stopped);
                }
            }
            let (mut first_atom, mut open) = (0, Vec::new());
            self.blamed = Blamed::default();
            for (number, counterexample) in pending.iter().zip(counterexamples) {
                let property = group[*number];
                let answer = match (counterexample, &stopped) {
                    (Some(path), _) => Some(Answer::Violated { path, lasso: None }),
                    (None, Some(stopped)) => is_last.then(|| Answer::Open(stopped.reason.clone())),
                    (None, None) => Some(self.holding(&micro, exploration.stored)?),
                };
                self.explosion.clone_from(&exploded);
                let verdict = match answer {
                    None => None,
                    Some(answer) => self.universal(property, answer, &mut micro, first_atom)?,
                };
                let is_unknown = matches!(verdict, Some(Verdict::Unknown { .. }));
                let verdict = match deep.verdict(*number).filter(|_| is_unknown) {
                    Some(found) => Some(self.deep_violation(property, found)),
                    None => verdict,
                };
                match verdict {
                    Some(_) => verdicts[*number] = verdict,
                    None if attempt.is_plain() && is_last => {
                        verdicts[*number] = Some(self.exactly(property)?)
                    }
                    None => open.push(*number),
                }
                first_atom += property.atoms.len();
            }
            if stopped.is_none() {
                attempt.options.sharing = None;
            }
            pending = open;
            if is_last && pending.is_empty() || pending.is_empty() && attempt.options.sharing.is_none() {
                break;
            }
            let blamed = std::mem::take(&mut self.blamed);
            if let Some(text) = attempt.go_on(&micro, stopped.is_some(), blamed, self.firmware) {
                self.events.remarked(&text);
            }
        }
        for (property, verdict) in group.iter().zip(verdicts) {
            if let Some(verdict) = verdict {
                self.push(property, verdict);
            }
        }
        Ok(shared)
    }

    /// One search for violations of all these properties; `counts_values` notes what takes many values.
    pub(super) fn survey(
        &self,
        group: &[&Given],
        start: Option<u32>,
        (options, counts_values): (&Options, bool),
        budget: &Limits,
        order: Order,
    ) -> (Micro, Survey) {
        let atoms = group
            .iter()
            .flat_map(|property| property.undetermined())
            .collect();
        let firsts = group.iter().scan(0, |first, property| {
            let own = *first;
            *first += property.atoms.len();
            Some((&property.question, own))
        });
        let tests: Vec<(&Question, usize)> = firsts.collect();
        let failing = |labels: Labels| {
            tests
                .iter()
                .enumerate()
                .fold(0, |failing, (index, (question, first))| {
                    failing | u64::from(question.fails(labels, *first)) << index
                })
        };
        // One more, which never fails, lets the survey go on to the last state.
        let count = tests.len() + usize::from(options.sharing.is_some());
        explore(
            self.firmware,
            options,
            atoms,
            start,
            budget,
            |survey: &Survey| survey.stopped.clone(),
            |micro, limits| {
                if counts_values {
                    micro.count_values();
                }
                match order {
                    Order::BreadthFirst => survey_invariants(micro, count, failing, limits),
                    Order::DepthFirst => {
                        micro.hold_all();
                        survey_invariants_depth_first(micro, count, failing, limits)
                    }
                }
            },
        )
    }
}
