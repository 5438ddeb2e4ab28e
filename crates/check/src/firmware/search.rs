//! Properties about single states, decided by as few searches as possible.
//!
//! Idea: one search looks for a violation of each of them, so that the states are explored once. The search
//! that sees all states, as faults are among its properties, also notes which data handlers share
//! ([`super::torn`]).

use kripke_avr::fault::Fault;
use kripke_avr::micro::{MOST_ATOMS, Micro, Options};
use kripke_explicit::{Stopped, Survey, survey_invariants};
use kripke_model::{Labels, Reason};

use super::answer::Answer;
use super::examine::Examination;
use super::exploration::explore;
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
    fn group(&mut self, group: &[&Given]) -> Result<Option<Shared>, Failure> {
        let options = self.first_options(true);
        let (mut micro, survey) = self.survey(group, &options);
        self.note_ends(&micro);
        let Survey {
            counterexamples,
            exploration,
            stopped,
            depth,
        } = survey;
        let is_stopped = |stopped: &Stopped| !matches!(stopped.reason, Reason::Probable { .. });
        if stopped.as_ref().is_some_and(is_stopped) {
            self.events.stopped(&format!(
                "stopped after {} states; all runs of fewer than {depth} steps were seen\nhint: a delay loop \
                 has a state for each of its rounds; time is not counted, so build with -DF_CPU=1000UL",
                exploration.stored
            ));
        }
        let mut first_atom = 0;
        let shared = match options.sharing.is_some() {
            true => {
                let whole = self.whole(&micro, stopped.clone(), exploration.stored)?;
                Some(Shared::new(&micro, self.firmware, whole))
            }
            false => None,
        };
        for (property, counterexample) in group.iter().zip(counterexamples) {
            if !property.is_reported {
                continue;
            }
            let answer = match (counterexample, &stopped) {
                (Some(path), _) => Answer::Violated { path, lasso: None },
                (None, Some(stopped)) => Answer::Open(stopped.reason.clone()),
                (None, None) => self.holding(&micro, exploration.stored)?,
            };
            let verdict = match self.universal(property, answer, &mut micro, first_atom)? {
                Some(verdict) => verdict,
                None => self.exactly(property)?,
            };
            self.push(property, verdict);
            first_atom += property.atoms.len();
        }
        Ok(shared)
    }

    fn survey(&self, group: &[&Given], options: &Options) -> (Micro, Survey) {
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
            self.start_of(group[0]),
            &self.budget,
            |survey: &Survey| survey.stopped.clone(),
            |micro, limits| survey_invariants(micro, count, failing, limits),
        )
    }
}
