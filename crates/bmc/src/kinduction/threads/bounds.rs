//! The bounds of the numbers in abstract states: how they grow, and shrink again.
//!
//! Idea: bounds that keep growing stop at constants of the program, where the program mostly stops, too, and
//! where that was in vain, nowhere. What grew too far shrinks to what is written while a thread stays where
//! it is.
//!
//! Invariant: bounds that grow include what they included; bounds that shrink include all that runs write.

use std::collections::BTreeSet;

use kripke_elts::{Expr, Id, StatementKind, VariableId};
use kripke_smt::{Sort, TermId};
use rustc_hash::FxHashSet;

use super::slots::number_in;
use super::{Bounds, Cover, Hub, Hulls, Slot, THRESHOLDS, Then, WIDEST, Widening};
use crate::engine::Engine;
use crate::range::Ranges;
use crate::state::State;
use crate::value::Value;

impl Engine<'_> {
    /// Bounds that grew too far shrink: while a thread stays at a place, a number is what it was when the
    /// thread came there, or what was written since.
    pub(super) fn narrow(&mut self, hub: &Hub<'_>, cover: &mut Cover, first: &State) -> Result<(), String> {
        let mut first = first.clone();
        self.add_cells(cover, &mut first);
        let varying = cover.varying.clone();
        let mut hulls = Hulls::default();
        self.note_change(&varying, None, &first, &mut hulls);
        for index in 0..cover.states.len() {
            self.run.record = Default::default();
            let path = self.run.paths.root();
            let Some(state) = self.within_bounds(&cover.states[index], path) else {
                continue;
            };
            for mut after in self.one_iteration(hub, state.clone(), Then::Nothing)? {
                self.forget_what_is_over(hub, &mut after);
                self.add_cells(cover, &mut after);
                self.note_change(&varying, Some(&state), &after, &mut hulls);
            }
        }
        for of in &mut cover.states {
            let places = self.places_in(&of.state);
            for slot in &of.slots {
                let number = number_in(&of.state, *slot);
                let Some(bounds) = number.and_then(|number| of.bounds.get_mut(&number)) else {
                    continue;
                };
                for (low, high) in places.iter().filter_map(|place| hulls.get(&(*slot, *place))) {
                    bounds.low = bounds.low.max(*low);
                    bounds.high = bounds.high.min(*high);
                }
            }
        }
        Ok(())
    }

    /// Where each thread stands.
    pub(super) fn places_in(&self, state: &State) -> Vec<(VariableId, TermId)> {
        let places = self.parting.threads.places().iter();
        let at = places.filter_map(|place| match state.frame.get(place.index() as u64) {
            Some(Value::Term(at)) => Some((*place, *at)),
            _ => None,
        });
        at.collect()
    }

    /// Notes the numbers that a state has and the one before it had not, where threads stayed; and all where
    /// they came to their places.
    pub(super) fn note_change(
        &mut self,
        varying: &FxHashSet<Slot>,
        before: Option<&State>,
        after: &State,
        hulls: &mut Hulls,
    ) {
        let facts = self.facts(after.path);
        let mut ranges = Ranges::new(&self.terms, &facts);
        let stood = before.map(|before| self.places_in(before)).unwrap_or_default();
        let places = self.places_in(after);
        for slot in varying {
            let Some(number) = number_in(after, *slot) else {
                continue;
            };
            let Sort::BitVec(..=WIDEST) = self.terms.sort(number) else {
                continue;
            };
            let was_there = before.and_then(|before| number_in(before, *slot)) == Some(number);
            for place in places.iter().filter(|place| !was_there || !stood.contains(place)) {
                let interval = ranges.interval(number);
                let hull = hulls
                    .entry((*slot, *place))
                    .or_insert((interval.low, interval.high));
                *hull = (hull.0.min(interval.low), hull.1.max(interval.high));
            }
        }
    }

    /// The constants of the program and their neighbours, but for those that say where threads stand.
    pub(super) fn thresholds(&self) -> BTreeSet<(i128, u32)> {
        let mut found = BTreeSet::new();
        let is_place = |expr: &Expr| match expr {
            Expr::Variable(variable) => self.parting.threads.is_place(*variable),
            _ => false,
        };
        let woven = self.parting.threads.woven();
        for (id, function) in self.program.functions.enumerate() {
            let in_woven = Some(id) == woven;
            let mut note = |expr: &Expr| {
                expr.walk(&mut |part| {
                    let children = part.children().collect::<Vec<_>>();
                    if in_woven && children.iter().any(|child| is_place(child)) {
                        return;
                    }
                    for child in children.into_iter().chain((part.size() == 1).then_some(part)) {
                        if let Expr::Int(value) = child {
                            let unsigned = value.to_u128().map(|value| value as i128);
                            for constant in value.to_i128().into_iter().chain(unsigned) {
                                let near = [-1, 0, 1].map(|distance| constant.saturating_add(distance));
                                found.extend(near.map(|constant| (constant, value.width())));
                            }
                        }
                    }
                });
            };
            for transition in function.transitions() {
                note(&transition.guard);
                for statement in &transition.statements {
                    let is_move = match &statement.kind {
                        StatementKind::Assign { target, .. } => is_place(&Expr::Variable(*target)),
                        _ => false,
                    };
                    if !in_woven || !is_move {
                        statement.kind.each_expr(&mut note);
                    }
                }
            }
        }
        found
    }
}

impl Widening {
    /// Bounds that include others: two times of three just so, as what is added to a constant often stops
    /// there; else as far as those of other abstract states or to the next threshold, and where that was in
    /// vain some times, to the end.
    pub(super) fn grown(
        &mut self,
        slot: Slot,
        known: Bounds,
        (low, high): (i128, i128),
        width: u32,
    ) -> Bounds {
        let least = -(1i128 << (width - 1));
        let most = -least - 1;
        let mut new = Bounds {
            low: known.low.min(low),
            high: known.high.max(high),
            growths: known.growths + 1,
        };
        if known.growths % 3 != 1 {
            return new;
        }
        let widest = self.widest.get(&slot).copied().unwrap_or(known);
        let fits = |threshold: &&(i128, u32)| threshold.1 >= width;
        let mut steps = widest.growths;
        if low < known.low {
            new.low = match widest.low <= new.low {
                true => widest.low,
                false => {
                    steps += 1;
                    let mut below = self.thresholds.range(..(new.low, u32::MAX)).rev();
                    let next = below.find(fits).map(|threshold| threshold.0);
                    next.filter(|_| steps <= THRESHOLDS).unwrap_or(least).max(least)
                }
            };
        }
        if high > known.high {
            new.high = match widest.high >= new.high {
                true => widest.high,
                false => {
                    steps += 1;
                    let mut above = self.thresholds.range((new.high, 0)..);
                    let next = above.find(fits).map(|threshold| threshold.0);
                    next.filter(|_| steps <= THRESHOLDS).unwrap_or(most).min(most)
                }
            };
        }
        if let Some(widest) = self.widest.get_mut(&slot) {
            widest.growths = steps;
        }
        new
    }

    pub(super) fn note(&mut self, slot: Slot, bounds: Bounds) {
        let none = Bounds { growths: 0, ..bounds };
        let widest = self.widest.entry(slot).or_insert(none);
        widest.low = widest.low.min(bounds.low);
        widest.high = widest.high.max(bounds.high);
    }
}
