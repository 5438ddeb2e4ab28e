//! What an induction proves of its last run.
//!
//! Idea: no path goes on past the bound and nothing is violated, all at once or one property after the other.
//! Of many invariants each of these questions is told only those that matter to it.
//!
//! Invariant: a property is settled only where its violation is impossible given invariants that hold at the
//! heads of all loops.

use std::time::{Duration, Instant};

use kripke_elts::PropertyId;
use kripke_model::{Argument, Verdict};
use kripke_smt::TermId;

use super::{Check, SHARES_OF_PROPERTIES};
use crate::invariants::candidate::Candidate;
use crate::invariants::told::{self, Impossible};

/// From so many invariants on a question is told those that matter.
pub(super) const MANY_INVARIANTS: usize = 24;

/// That all invariants hold at the start of the arbitrary iterations, and which they are.
pub(super) type Given<'c> = (TermId, &'c [Candidate]);

impl Check<'_> {
    /// Settles what no run of an induction violates where the invariants hold; true when nothing is open any
    /// more.
    pub(super) fn conclude_inductive(
        &mut self,
        (assumption, invariants): Given<'_>,
        argument: Argument,
        share: Option<Duration>,
    ) -> bool {
        let time = share.unwrap_or_else(|| self.time_to_conclude());
        let until = Instant::now() + time;
        let argued = match &argument {
            Argument::Invariants { k: 0 } => "loop invariants".to_string(),
            Argument::Invariants { k } => format!("{k}-induction with loop invariants"),
            _ => "induction".to_string(),
        };
        if !self.no_path_goes_on((assumption, invariants), &argued, until) {
            return false;
        }
        let open = self.open_properties();
        if invariants.len() >= MANY_INVARIANTS {
            let given = (assumption, invariants);
            return self.conclude_together(&open, given, (argument, &argued), (until, time / 4));
        }
        let any = self.violation_of(&open, assumption);
        let half = Instant::now() + until.saturating_duration_since(Instant::now()) / 2;
        let all_hold = self.decider.is_impossible(&mut self.engine, any, half);
        // What is asked of each property has a time of its own.
        let until = until.max(Instant::now() + time / 2);
        self.unproved_contracts.clear();
        if all_hold {
            self.oblige(&format!("{argued}: no run violates anything"), &[any]);
            for id in open {
                let argument = argument.clone();
                self.settle(id, Verdict::Holds { argument });
            }
            self.tell_outlook();
            return true;
        }
        self.conclude_contracts(&open, assumption, until)
            && self.conclude_one_by_one(&open, (assumption, invariants), (argument, &argued), until)
    }

    /// Is it known that no path of the last run goes on past its bound where the assumption holds?
    fn no_path_goes_on(&mut self, (assumption, invariants): Given<'_>, argued: &str, until: Instant) -> bool {
        let cuts = self.engine.run.record.cuts.iter();
        let conditions: Vec<TermId> = cuts.map(|path| path.condition).collect();
        let reachable = self.engine.terms.or_all(conditions);
        let given = (reachable, assumption, invariants);
        let Some(reachable) = self.impossible(given, until) else {
            return false;
        };
        self.oblige_exclusions();
        self.oblige(&format!("{argued}: no path goes on"), &[reachable]);
        true
    }

    /// The condition with what makes it impossible, where that is known in time.
    fn impossible(
        &mut self,
        (condition, assumption, invariants): (TermId, TermId, &[Candidate]),
        until: Instant,
    ) -> Option<TermId> {
        if invariants.len() < MANY_INVARIANTS {
            let whole = self.engine.terms.and(condition, assumption);
            let is_impossible = self.decider.is_impossible(&mut self.engine, whole, until);
            return is_impossible.then_some(whole);
        }
        let found = self.impossible_given(&[condition], invariants, until)?;
        (found.is_proved && found.are_left[0]).then_some(found.whole)
    }

    /// Which of the conditions are impossible given the invariants, as far as that is known in time.
    fn impossible_given(
        &mut self,
        conditions: &[TermId],
        invariants: &[Candidate],
        until: Instant,
    ) -> Option<Impossible> {
        let (asked, kept) = ((conditions, invariants), &mut self.conclusions);
        told::impossible_given(&mut self.engine, &mut self.decider, asked, kept, until).ok()
    }

    /// Settles those of the open properties that the last run does not violate, asked about together; true
    /// when that are all.
    fn conclude_together(
        &mut self,
        open: &[PropertyId],
        (assumption, invariants): Given<'_>,
        (argument, argued): (Argument, &str),
        (until, for_undecided): (Instant, Duration),
    ) -> bool {
        let truth = self.engine.terms.true_();
        let violations: Vec<TermId> = open.iter().map(|id| self.violation_of(&[*id], truth)).collect();
        let Some(found) = self.impossible_given(&violations, invariants, until) else {
            return false;
        };
        let left = open.iter().zip(&found.are_left).filter(|(_, is_left)| **is_left);
        let left: Vec<PropertyId> = left.map(|(id, _)| *id).collect();
        let (proved, undecided) = match found.is_proved {
            true => (left, Vec::new()),
            false => (Vec::new(), left),
        };
        self.unproved_contracts.clear();
        let others: Vec<PropertyId> = open.iter().filter(|id| !proved.contains(id)).copied().collect();
        if !self.conclude_contracts(&others, assumption, until) {
            return false;
        }
        if !proved.is_empty() {
            let what = format!("{argued}: no run violates any of {} properties", proved.len());
            self.oblige(&what, &[found.whole]);
        }
        for id in &proved {
            let argument = argument.clone();
            self.settle(*id, Verdict::Holds { argument });
        }
        for id in others.iter().filter(|id| !undecided.contains(id)) {
            if self.outlook.has_room(*id) {
                let own = self.violation_of(&[*id], assumption);
                self.outlook.induction_failed(&self.engine, *id, own);
            }
        }
        let given = (assumption, invariants);
        let until = Instant::now() + for_undecided;
        let are_decided = self.conclude_one_by_one(&undecided, given, (argument, argued), until);
        are_decided && proved.len() + undecided.len() == open.len()
    }

    /// The last run violates one of the properties where the assumption holds.
    fn violation_of(&mut self, properties: &[PropertyId], assumption: TermId) -> TermId {
        let violations = self.engine.run.record.violations.iter();
        let wanted = violations.filter(|violation| properties.contains(&violation.property));
        let conditions: Vec<TermId> = wanted.map(|violation| violation.condition).collect();
        let any = self.engine.terms.or_all(conditions);
        self.engine.terms.and(any, assumption)
    }

    /// Notes which of the contracts that the run relies on it does not prove; true when there is none.
    fn conclude_contracts(&mut self, open: &[PropertyId], assumption: TermId, until: Instant) -> bool {
        let contracts: Vec<PropertyId> = self.engine.relied_on.iter().copied().collect();
        for id in contracts.into_iter().filter(|id| open.contains(id)) {
            let own = self.violation_of(&[id], assumption);
            if self.decider.possible_until(&mut self.engine, own, Some(until)) != Ok(false) {
                self.unproved_contracts.insert(id);
            }
        }
        self.unproved_contracts.is_empty()
    }

    /// Settles those of the open properties that the last run does not violate; true when that are all.
    fn conclude_one_by_one(
        &mut self,
        open: &[PropertyId],
        (assumption, invariants): Given<'_>,
        (argument, argued): (Argument, &str),
        until: Instant,
    ) -> bool {
        let mut left = 0;
        let truth = self.engine.terms.true_();
        for (number, id) in open.iter().enumerate() {
            let own = self.violation_of(&[*id], truth);
            let now = Instant::now();
            let others = (open.len() - number) as u32;
            let share = now + until.saturating_duration_since(now) / others.min(SHARES_OF_PROPERTIES);
            if let Some(whole) = self.impossible((own, assumption, invariants), share) {
                let what = format!("{argued}: no run violates {}", self.properties[*id].id);
                self.oblige(&what, &[whole]);
                let argument = argument.clone();
                self.settle(*id, Verdict::Holds { argument });
            } else {
                left += 1;
                if self.outlook.has_room(*id) {
                    let own = self.engine.terms.and(own, assumption);
                    self.outlook.induction_failed(&self.engine, *id, own);
                }
            }
        }
        self.tell_outlook();
        left == 0
    }
}
