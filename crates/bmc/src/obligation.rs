//! What a proof rests on, as questions whose answer any solver can find.
//!
//! Idea: a property holds because no run violates it in the run that was looked at, because no path of it
//! goes on, because what was not followed is impossible, and because no arrival at a loop's head breaks an
//! invariant that was assumed there. Each of these is one formula that has no model. The solver that found
//! that out need not be believed.
//!
//! Invariant: the formulas are those that the verdict was made of, with nothing asserted beside them but what
//! is known of addresses and of functions of analysis.

use kripke_smt::TermId;

use crate::decide::Decider;
use crate::engine::Engine;

/// A formula without a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What it shows.
    pub what: String,
    /// A script for SMT-LIB 2 solvers, which have to answer `unsat`.
    pub script: String,
}

impl Engine<'_> {
    /// That the conditions exclude each other.
    pub(crate) fn obligation(
        &mut self,
        decider: &Decider<'_>,
        what: String,
        conditions: &[TermId],
    ) -> Option<Obligation> {
        if conditions
            .iter()
            .any(|term| self.terms.as_bool(*term) == Some(false))
        {
            return None;
        }
        let mut all = conditions.to_vec();
        all.push(self.address_facts());
        all.extend(&decider.lemmas);
        let script = kripke_smt::script(&self.terms, &all);
        Some(Obligation { what, script })
    }
}
