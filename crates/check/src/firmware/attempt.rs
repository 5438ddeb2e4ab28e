//! The abstraction of the searches for one group of properties, and how it changes from one to the next.
//!
//! Idea: a search first has little to spend. If it has not seen all states then, the bytes of static memory
//! that took many values are taken as unknown, and the search begins anew: `TIMER0_OVF_vect` may count in 32
//! bits, if no property depends on it. A run that is possible only by that makes some of the bytes precise
//! again ([`super::refinement`]). Only where this does not end does a search keep all values.
//!
//! Invariant: widening adds runs and takes none away. So what holds with it holds, and a run counts only if
//! it was made concrete.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kripke_avr::concrete::Blamed;
use kripke_avr::micro::{Micro, Options};
use kripke_explicit::{Limits, Survey};
use kripke_limits::stretched;
use kripke_model::Reason;

use super::load::Firmware;
use super::refinement::Refinement;

/// States of a short search, at the most.
const SHORT: usize = 20_000;
/// Its time, at the most.
const SHORT_TIME: Duration = Duration::from_secs(3);
/// Short searches, at the most.
const MOST_SHORT: u32 = 6;

/// How much a search may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is one of so many short ones.
    Short(u32),
    /// Variables are taken as unknown: half of the time.
    Widened,
    /// All that there is, or half of the time where values stay unknown.
    Whole,
}

/// The abstraction of the next search.
pub struct Attempt {
    pub options: Options,
    stage: Stage,
    refinement: Refinement,
}

impl Attempt {
    /// The first one.
    pub fn new(options: Options, widening: bool) -> Self {
        let stage = match widening && options.abstract_values {
            true => Stage::Short(1),
            false => Stage::Whole,
        };
        Self {
            options,
            stage,
            refinement: Refinement::default(),
        }
    }

    /// Whether values are decided as delayed nondeterminism does it.
    pub fn is_plain(&self) -> bool {
        !self.options.abstract_values
    }

    /// Whether the search is to find out what takes many values.
    pub fn counts_values(&self) -> bool {
        matches!(self.stage, Stage::Short(_))
    }

    /// What the next search may cost.
    pub fn budget(&self, all: &Limits) -> Limits {
        let now = Instant::now();
        let part = |of: u32| {
            let left = |deadline: Instant| deadline.saturating_duration_since(now);
            all.deadline.map(|deadline| now + left(deadline) / of)
        };
        let most = now + stretched(SHORT_TIME);
        match self.stage {
            Stage::Short(_) => Limits {
                states: Some(all.states.map_or(SHORT, |states| SHORT.min(states / 4))),
                deadline: Some(part(4).map_or(most, |part| part.min(most))),
                ..all.clone()
            },
            // Something has to be left for a search in which values are decided.
            Stage::Whole if self.is_plain() => all.clone(),
            Stage::Widened | Stage::Whole => Limits {
                deadline: part(2),
                ..all.clone()
            },
        }
    }

    /// Whether another search may see more than one that was stopped. One that told states apart by their
    /// hashes has come to its end.
    pub fn may_go_on(&self, survey: &Survey, all: &Limits) -> bool {
        let reason = survey.stopped.as_ref().map(|stopped| &stopped.reason);
        let is_stage = match self.stage {
            Stage::Short(_) | Stage::Widened => true,
            // Values that stay unknown may make more states, too.
            Stage::Whole => !self.is_plain(),
        };
        let is_last = matches!(
            reason,
            Some(Reason::Interrupted | Reason::Memory | Reason::Probable { .. })
        );
        is_stage && all.exceeded().is_none() && !is_last
    }

    /// Goes on to the next search; what is to be said of it.
    pub fn go_on(
        &mut self,
        micro: &Micro,
        stopped: bool,
        blamed: Blamed,
        firmware: &Firmware,
    ) -> Option<String> {
        let is_blamed = blamed != Blamed::default();
        if !stopped || is_blamed {
            let made_precise = firmware.precise_names(&blamed);
            self.refinement.refine(&mut self.options, blamed);
            if self.is_plain() {
                self.stage = Stage::Whole;
                return Some("all values are decided where something is computed from them".to_owned());
            }
            if !stopped {
                return Some(format!(
                    "a run that no chip does: kept precise are {made_precise}"
                ));
            }
        }
        match self.stage {
            Stage::Short(number) => {
                let added = self
                    .refinement
                    .widen(&mut self.options, firmware.whole_variables(micro));
                // Registers, and what is on the stack, only where that was not enough.
                let results = match added.is_empty() {
                    true => micro.varying_results(),
                    false => BTreeSet::new(),
                };
                let results = self.refinement.widen_results(&mut self.options, results);
                let is_done = added.is_empty() && results.is_empty() || number == MOST_SHORT;
                let is_precise = self.options.widened.is_empty() && self.options.widened_at.is_empty();
                self.stage = match (is_done, is_precise) {
                    (false, _) => Stage::Short(number + 1),
                    (true, false) => Stage::Widened,
                    (true, true) => Stage::Whole,
                };
                (!is_done).then(|| match added.is_empty() {
                    true => format!(
                        "taken as any value: what is computed at {}",
                        firmware.lines_of(&results)
                    ),
                    false => format!("taken as any value: {}", firmware.names_of(&added)),
                })
            }
            Stage::Widened => {
                self.options.widened = Arc::default();
                self.options.widened_at = Arc::default();
                self.stage = Stage::Whole;
                Some("the values of all variables are kept".to_owned())
            }
            Stage::Whole => {
                self.refinement.give_up(&mut self.options);
                None
            }
        }
    }
}
