//! Loops that go over an array one by one and end early at what they look for.
//!
//! Idea: where a loop comes to its next iteration, the condition for that held of the index it was at, and so
//! of each index that it went past: no element was the one looked for, all were of the right kind. The
//! condition is read off the path to the next iteration, and said of every index between the first and the
//! present one. As indices are few, that is a conjunction.
//!
//! Source: Gopan, Reps, Sagiv: A framework for numeric analysis of array operations (POPL 2005); the
//! condition is guessed as any other, and checked as all are.

use kripke_smt::{Op, TermId, Terms, conjuncts};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::invariants::templates::Shapes;

/// Which indices are spoken of: those from zero to this one.
const MAX_INDEX: u64 = 40;
/// How many terms a condition may have.
const MAX_TERMS: usize = 4000;

impl Shapes<'_> {
    /// What the loop has seen of all that it went past.
    pub fn scans(&mut self, engine: &mut Engine<'_>) {
        for (index, place, width) in self.numbers(&engine.terms) {
            let [entry, next] = &self.head.arrivals[..] else {
                return;
            };
            let (Some(first), Some(value)) = (entry.values[index], next.values[index]) else {
                continue;
            };
            let Some(rises) = is_counted(&engine.terms, place, value) else {
                continue;
            };
            let Some(seen) = self.seen(engine, place, next.path) else {
                continue;
            };
            let mut all = engine.terms.true_();
            for number in 0..=MAX_INDEX.min(self.largest_index(width)) {
                let number = engine.terms.bv_u64(width, number);
                let holds = engine
                    .terms
                    .substitute(seen, &mut FxHashMap::from_iter([(place, number)]));
                let terms = &mut engine.terms;
                let passed = match rises {
                    true => [terms.bv_sle(first, number), terms.bv_slt(number, place)],
                    false => [terms.bv_slt(place, number), terms.bv_sle(number, first)],
                };
                let passed = terms.and(passed[0], passed[1]);
                let holds = terms.implies(passed, holds);
                all = terms.and(all, holds);
            }
            self.add(engine, all);
        }
    }

    fn largest_index(&self, width: u32) -> u64 {
        if width > 6 {
            MAX_INDEX
        } else {
            (1 << (width - 1)) - 1
        }
    }

    /// What of the path to the next iteration speaks of the place and else only of what does not change.
    fn seen(&self, engine: &mut Engine<'_>, place: TermId, path: TermId) -> Option<TermId> {
        let stable = self.head.stable_variables(engine);
        let mut parts = conjuncts(&engine.terms, &[path]);
        parts.retain(|part| {
            let variables = engine.terms.variables_of(&[*part]);
            let is_told = |variable: &TermId| *variable == place || stable.contains(variable);
            variables.contains(&place) && variables.iter().all(is_told)
        });
        let is_short = engine.terms.reachable(&parts).len() <= MAX_TERMS;
        (!parts.is_empty() && is_short).then(|| engine.terms.and_all(parts))
    }
}

/// Is the value one more, then true, or one less than the place's?
pub(super) fn is_counted(terms: &Terms, place: TermId, value: TermId) -> Option<bool> {
    let constant = match (terms.op(value), terms.children(value)) {
        (Op::BvAdd, [a, b]) if *a == place => terms.as_bv(*b)?,
        (Op::BvAdd, [a, b]) if *b == place => terms.as_bv(*a)?,
        _ => return None,
    };
    let one = BitVec::new(constant.width(), 1);
    let zero = BitVec::new(constant.width(), 0);
    (*constant == one || *constant == zero.sub(&one)).then_some(*constant == one)
}
