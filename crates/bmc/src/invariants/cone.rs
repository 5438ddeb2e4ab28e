//! The cone of influence: the places on which what is to be proved depends.
//!
//! Idea: what a loop only moves about (the bytes of a message) needs no invariant for a property of what it
//! decides with (their number). From the goal the values are followed back through the heads: a place is in
//! the cone if the goal mentions what stands for it, or if the next value of one in the cone does.
//!
//! Invariant: this only chooses of what predicates speak; what they must satisfy is the same.

use kripke_smt::{Op, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::invariants::heads::Head;

/// The heads with those of their places on which the goal depends.
pub(crate) fn restricted(engine: &Engine<'_>, goal: TermId) -> Vec<Head> {
    let mut heads = engine.run.record.heads.clone();
    let influential = influences(engine, &heads, goal);
    for head in &mut heads {
        let kept: Vec<bool> = head
            .places
            .iter()
            .map(|place| influential.contains(&place.variable))
            .collect();
        keep(&mut head.places, &kept);
        for arrival in &mut head.arrivals {
            keep(&mut arrival.values, &kept);
        }
        let arrays = head.arrays.iter();
        let kept: Vec<bool> = arrays
            .map(|array| influential.contains(&array.variable))
            .collect();
        keep(&mut head.arrays, &kept);
        for arrival in &mut head.arrivals {
            keep(&mut arrival.arrays, &kept);
        }
        let summaries = head.summaries.iter();
        let kept: Vec<bool> = summaries
            .map(|place| influential.contains(&place.variable))
            .collect();
        keep(&mut head.summaries, &kept);
        for arrival in &mut head.arrivals {
            keep(&mut arrival.summaries, &kept);
        }
    }
    heads
}

/// All terms on which the goal depends, also by what earlier iterations did.
fn influences(engine: &Engine<'_>, heads: &[Head], goal: TermId) -> FxHashSet<TermId> {
    let mut next_values: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for head in heads {
        for arrival in &head.arrivals {
            for (variable, value) in head.variables().zip(arrival.held()) {
                next_values.entry(variable).or_default().extend(value);
            }
        }
    }
    let mut found = FxHashSet::default();
    let mut stack = vec![goal];
    while let Some(term) = stack.pop() {
        if !found.insert(term) {
            continue;
        }
        stack.extend_from_slice(engine.terms.children(term));
        if matches!(engine.terms.op(term), Op::Variable(_)) {
            stack.extend(next_values.get(&term).into_iter().flatten());
        }
    }
    found
}

fn keep<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next() == Some(&true));
}
