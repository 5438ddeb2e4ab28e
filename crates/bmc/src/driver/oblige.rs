//! What proofs rest on, told to whom it may concern: questions that solvers have to answer `unsat`.

use kripke_model::Verdict;
use kripke_smt::TermId;

use super::Check;
use crate::invariants::Invariants;

impl Check<'_> {
    /// Tells that the conditions exclude each other.
    pub(super) fn oblige(&mut self, what: &str, conditions: &[TermId]) {
        if self.options.obligations
            && let Some(obligation) = self
                .engine
                .obligation(&self.decider, what.to_string(), conditions)
        {
            self.progress.obligation(obligation);
        }
    }

    /// Tells that no arrival at a loop's head breaks an invariant, where all are assumed.
    pub(super) fn oblige_invariants(&mut self, invariants: &Invariants<'_>) {
        let assumption = invariants.assumption(&mut self.engine);
        let broken = invariants.found.iter().map(|candidate| candidate.broken);
        let broken = self.engine.terms.or_all(broken);
        self.oblige("the loop invariants are inductive", &[broken, assumption]);
    }

    /// Tells that what the last run did not follow is impossible.
    pub(super) fn oblige_exclusions(&mut self) {
        for condition in std::mem::take(&mut self.engine.feasibility.excluded) {
            self.oblige("a path that is not followed is impossible", &[condition]);
        }
    }

    /// Tells what the search of a bound that was the last rests on.
    pub(super) fn oblige_whole_search(&mut self) {
        self.oblige_exclusions();
        let cuts: Vec<TermId> = self
            .engine
            .run
            .record
            .cuts
            .iter()
            .map(|cut| cut.condition)
            .collect();
        let any = self.engine.terms.or_all(cuts);
        self.oblige("no path goes on past the bound", &[any]);
        let violations = self.engine.run.record.violations.clone();
        let holding = violations
            .iter()
            .filter(|violation| matches!(self.verdicts[violation.property], Some(Verdict::Holds { .. })));
        let conditions: Vec<TermId> = holding.map(|violation| violation.condition).collect();
        let any = self.engine.terms.or_all(conditions);
        self.oblige("no run violates what holds", &[any]);
    }
}
