//! Violations that lie deep: found depth-first, beside the search for shortest ones.
//!
//! Idea: handlers that interrupt each other fill the stack after some hundred steps, before which there are
//! more states than there is memory for. Depth-first search comes there at once. It is tried for a short time
//! when the first breadth-first search has not seen all states; what it finds is kept in hand, and told where
//! no shorter run turns up. Where nothing else is asked for any more, that is waited for only so long. States
//! hold all memory then: a stack that grows with each step would make the search begin anew each time.
//!
//! Invariant: a violation that is told was made a run of the chip, like any other.
//!
//! Source: B. Schlich, "Model Checking of Software for Microcontrollers", section 7.1.3.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kripke_avr::micro::Options;
use kripke_explicit::{Limits, Order};
use kripke_limits::stretched;
use kripke_model::Verdict;

use super::examine::Examination;
use super::properties::Given;
use super::refinement::Refinement;
use crate::failure::Failure;

/// States of a deep search, at the most.
const STATES: usize = 100_000;
/// Its time, at the most.
const TIME: Duration = Duration::from_secs(3);
/// The part of the time that is left.
const PART: u32 = 8;
/// How long a shorter run is looked for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A violation, and the ports along its run.
#[derive(Clone)]
pub struct Found {
    verdict: Verdict,
    waveform: Option<String>,
}

/// What a deep search has found, by the number of the property.
#[derive(Default)]
pub struct Deep {
    /// It was made.
    pub was_tried: bool,
    found: BTreeMap<usize, Found>,
    /// When it is enough where nothing else is asked for.
    until: Option<Instant>,
}

impl Deep {
    pub fn verdict(&self, number: usize) -> Option<Found> {
        self.found.get(&number).cloned()
    }

    fn has_all(&self, pending: &[usize]) -> bool {
        !pending.is_empty() && pending.iter().all(|number| self.found.contains_key(number))
    }

    /// What a search for shorter runs may cost.
    pub fn within(&self, budget: Limits, pending: &[usize]) -> Limits {
        let until = self.until.filter(|_| self.has_all(pending));
        let deadline = budget.deadline.into_iter().chain(until).min();
        Limits { deadline, ..budget }
    }

    /// Is there a violation of all that is asked for, and have shorter ones been looked for long enough?
    pub fn is_enough(&self, pending: &[usize]) -> bool {
        self.has_all(pending) && self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Examination<'_> {
    /// Looks for deep violations of the open properties of a group.
    pub(super) fn deep(
        &mut self,
        group: &[&Given],
        open: &[usize],
        start: Option<u32>,
        options: &Options,
    ) -> Result<Deep, Failure> {
        // Depth does not need reductions, and a run without them is the chip's as it stands.
        let options = Options {
            sharing: None,
            path_reduction: false,
            interrupt_reduction: false,
            dead_variable_reduction: false,
            ..options.clone()
        };
        let mut found = self.deep_with(group, open, start, &options)?;
        // Of what stays unknown too much may have come together on the way.
        if options.abstract_values {
            let mut options = options;
            Refinement::default().give_up(&mut options);
            let open: Vec<usize> = { open.iter().copied() }
                .filter(|number| !found.contains_key(number))
                .collect();
            found.extend(self.deep_with(group, &open, start, &options)?);
        }
        Ok(Deep {
            was_tried: true,
            until: (!found.is_empty()).then(|| Instant::now() + stretched(PATIENCE)),
            found,
        })
    }

    /// The violations that one search finds.
    fn deep_with(
        &mut self,
        group: &[&Given],
        open: &[usize],
        start: Option<u32>,
        options: &Options,
    ) -> Result<BTreeMap<usize, Found>, Failure> {
        // A search for nothing would go on to the last state.
        if open.is_empty() {
            return Ok(BTreeMap::new());
        }
        let asked: Vec<&Given> = open.iter().map(|number| group[*number]).collect();
        let budget = self.deep_budget();
        let (mut micro, survey) = self.survey(&asked, start, (options, false), &budget, Order::DepthFirst);
        let mut found = BTreeMap::new();
        let mut first_atom = 0;
        for (number, counterexample) in open.iter().zip(survey.counterexamples) {
            let property = group[*number];
            if let Some(path) = counterexample.filter(|_| !self.options.lazy_interrupts) {
                let before = self.made.waveform.take();
                let verdict = self.violation(property, &mut micro, first_atom, &path, None)?;
                let waveform = std::mem::replace(&mut self.made.waveform, before);
                if let Some(verdict @ Verdict::Violated { .. }) = verdict {
                    found.insert(*number, Found { verdict, waveform });
                }
            }
            first_atom += property.atoms.len();
        }
        Ok(found)
    }

    fn deep_budget(&self) -> Limits {
        let all = &self.budget;
        let now = Instant::now();
        let left = |deadline: Instant| deadline.saturating_duration_since(now) / PART;
        let time = all
            .deadline
            .map_or(TIME, |deadline| left(deadline).min(stretched(TIME)));
        Limits {
            states: Some(all.states.map_or(STATES, |states| STATES.min(states))),
            deadline: Some(now + time),
            checkpoint: None,
            ..all.clone()
        }
    }

    /// Tells a violation for which no shorter run was found.
    pub(super) fn deep_violation(&mut self, property: &Given, found: Found) -> Verdict {
        if let Verdict::Violated { trace, .. } = &found.verdict {
            self.events.remarked(&format!(
                "{}: a run of {} steps was found depth-first; there may be shorter ones",
                property.name,
                trace.steps.len()
            ));
        }
        if self.made.waveform.is_none() {
            self.made.waveform = found.waveform;
        }
        found.verdict
    }
}
