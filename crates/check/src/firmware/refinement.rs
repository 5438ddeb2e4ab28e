//! How an abstraction becomes less, where it made a run that no chip does.
//!
//! Idea: what made the run possible is made precise, and nothing else: instructions decide again what they
//! compute with, variables keep their values again. After some rounds, or where nothing is to blame, all
//! values are decided as delayed nondeterminism does it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kripke_avr::concrete::Blamed;
use kripke_avr::micro::Options;

/// Rounds of refinement, at the most.
const MOST_ROUNDS: u32 = 8;

/// The refinement of one abstraction.
#[derive(Default)]
pub struct Refinement {
    rounds: u32,
    /// Bytes of static memory that have to be known.
    precise: BTreeSet<u16>,
    /// Instructions whose results have to be known.
    precise_results: BTreeSet<u32>,
}

impl Refinement {
    /// Makes precise what is blamed, or everything.
    pub fn refine(&mut self, options: &mut Options, blamed: Blamed) {
        self.rounds += 1;
        let size = |options: &Options| {
            let widened = (options.widened.len(), options.widened_at.len());
            (options.decided_at.len(), widened)
        };
        let known = size(options);
        Arc::make_mut(&mut options.decided_at).extend(blamed.instructions);
        Arc::make_mut(&mut options.widened).retain(|at, _| !blamed.bytes.contains(at));
        self.precise.extend(blamed.bytes);
        Arc::make_mut(&mut options.widened_at).retain(|at| !blamed.results.contains(at));
        self.precise_results.extend(blamed.results);
        let refined = known != size(options);
        if !refined || self.rounds > MOST_ROUNDS {
            self.give_up(options);
        }
    }

    /// Takes bits of bytes of static memory as unknown, but for bytes that have to be known; where bits are
    /// added.
    pub fn widen(&self, options: &mut Options, varying: BTreeMap<u16, u8>) -> BTreeSet<u16> {
        let mut added = BTreeSet::new();
        let widened = Arc::make_mut(&mut options.widened);
        for (at, bits) in varying.into_iter().filter(|(at, _)| !self.precise.contains(at)) {
            let known = widened.entry(at).or_default();
            if bits & !*known != 0 {
                *known |= bits;
                added.insert(at);
            }
        }
        added
    }

    /// Takes results of instructions as unknown, but for those that have to be known; which ones.
    pub fn widen_results(&self, options: &mut Options, varying: BTreeSet<u32>) -> BTreeSet<u32> {
        let added: BTreeSet<u32> = varying.difference(&self.precise_results).copied().collect();
        Arc::make_mut(&mut options.widened_at).extend(&added);
        added
    }

    /// Goes on without values that stay unknown.
    pub fn give_up(&mut self, options: &mut Options) {
        options.abstract_values = false;
        options.decided_at = Arc::default();
        options.widened = Arc::default();
        options.widened_at = Arc::default();
    }
}
