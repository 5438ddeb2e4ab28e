//! The bounds of the numbers in abstract states: how they grow, and shrink again.
//!
//! Idea: bounds that keep growing stop at constants of the program, where the program mostly stops, too, and
//! where that was in vain, nowhere. What grew too far shrinks to what is written while a thread stays where
//! it is.
//!
//! Invariant: bounds that grow include what they included; bounds that shrink include all that runs write.

use std::collections::BTreeSet;

use kripke_elts::{Expr, Id, StatementKind, VariableId};
use kripke_smt::TermId;
use rustc_hash::FxHashSet;

use super::slots::{number_in, numbers_in};
use super::{AbstractState, Bounds, Cover, Hub, Hulls, Slot};
use super::{MANY_GROWTHS, MOST_ADVANCES, MOST_NARROWINGS, THRESHOLDS, Then, WIDEST, Widening};
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::range::Ranges;
use crate::state::State;
use crate::value::Value;

impl Engine<'_> {
    /// Bounds that grew too far shrink: while a thread stays at a place, a number is what it was when the
    /// thread came there, or what was written since. That again and again, as what is written shrinks, too.
    pub(super) fn narrow(&mut self, hub: &Hub, cover: &mut Cover, first: &State) -> Result<(), String> {
        let mut first = first.clone();
        self.add_cells(cover, &mut first);
        let varying = cover.varying.clone();
        let mut of_first = Hulls::default();
        self.note_change(&varying, None, &first, &mut of_first);
        let mut written: Vec<Hulls> = Vec::new();
        written.resize_with(cover.states.len(), Hulls::default);
        let mut shrunk: BTreeSet<usize> = (0..cover.states.len()).collect();
        for _ in 0..MOST_NARROWINGS {
            for index in std::mem::take(&mut shrunk) {
                written[index] = self.written_from(hub, cover, index, &varying)?;
            }
            let mut hulls = of_first.clone();
            for (part, (low, high)) in written.iter().flatten() {
                let hull = hulls.entry(*part).or_insert((*low, *high));
                *hull = (hull.0.min(*low), hull.1.max(*high));
            }
            for (index, of) in cover.states.iter_mut().enumerate() {
                if self.shrink(of, &hulls) {
                    shrunk.insert(index);
                }
            }
            if shrunk.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// What is written when a thread goes on from an abstract state.
    fn written_from(
        &mut self,
        hub: &Hub,
        cover: &mut Cover,
        index: usize,
        varying: &FxHashSet<Slot>,
    ) -> Result<Hulls, String> {
        let mut hulls = Hulls::default();
        self.run.record = Default::default();
        let path = self.run.paths.root();
        if let Some(state) = self.within_bounds(&cover.states[index], path) {
            for mut after in self.one_iteration(hub, state.clone(), Then::Nothing)? {
                self.settle(hub, cover, &mut after);
                self.note_change(varying, Some(&state), &after, &mut hulls);
            }
        }
        Ok(hulls)
    }

    fn shrink(&self, of: &mut AbstractState, hulls: &Hulls) -> bool {
        let places = self.places_in(&of.state);
        let mut shrinks = false;
        for (part, number) in of.slots.iter().flat_map(|slot| numbers_in(&of.state, *slot)) {
            let Some(bounds) = of.bounds.get_mut(&number) else {
                continue;
            };
            for (low, high) in places.iter().filter_map(|place| hulls.get(&(part, *place))) {
                shrinks |= bounds.low < *low || *high < bounds.high;
                bounds.low = bounds.low.max(*low);
                bounds.high = bounds.high.min(*high);
            }
        }
        shrinks
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
        let mut ranges = Ranges::careful(&self.terms, &facts);
        let stood = before.map(|before| self.places_in(before)).unwrap_or_default();
        let places = self.places_in(after);
        for (part, number) in varying.iter().flat_map(|slot| numbers_in(after, *slot)) {
            if self.width_of_bounds(number).is_none() {
                continue;
            }
            let was_there = before.and_then(|before| number_in(before, part)) == Some(number);
            for place in places.iter().filter(|place| !was_there || !stood.contains(place)) {
                let (low, high) = self.hull(&mut ranges, number);
                let hull = hulls.entry((part, *place)).or_insert((low, high));
                *hull = (hull.0.min(low), hull.1.max(high));
            }
        }
    }

    /// The constants of the program and their neighbours, but for those of the library and those that say
    /// where threads stand; and the sizes of objects.
    pub(super) fn thresholds(&self) -> BTreeSet<(i128, u32)> {
        let mut found = BTreeSet::new();
        found.extend([-1, 0, 1].map(|common| (common, WIDEST)));
        let objects = (0..self.run.objects.len()).map(|index| ObjectId(index as u32));
        for size in objects.filter_map(|object| self.run.objects[object].constant_size) {
            let near = [-1, 0, 1].map(|distance| i128::from(size) + distance);
            found.extend(near.map(|constant| (constant, self.pointer_width)));
        }
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
                if !self.program.is_library(transition.position) {
                    note(&transition.guard);
                }
                let statements = transition.statements.iter();
                for statement in statements.filter(|of| !self.program.is_library(of.position)) {
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
    /// there, unless the bounds of all together go further and further that way. Else to the next threshold,
    /// though no further than those of others, and where all have gone there in vain some times, to the last
    /// one, and then to the end.
    /// What has grown often grows as far as others at once.
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
        let widest = self.widest.get(&slot).copied().unwrap_or(known);
        let advances = self.advances.entry(slot).or_default();
        *advances += u32::from(new.low < widest.low || widest.high < new.high);
        if known.growths % 3 != 1 && *advances <= MOST_ADVANCES {
            return new;
        }
        let fits = |threshold: &&(i128, u32)| threshold.1 >= width;
        let is_inside =
            |threshold: &&(i128, u32)| fits(threshold) && least < threshold.0 && threshold.0 < most;
        let mut steps = widest.growths;
        let hurries = known.growths > MANY_GROWTHS;
        if low < known.low {
            let mut below = self.thresholds.range(..(new.low, u32::MAX)).rev();
            let last = self.thresholds.iter().find(is_inside);
            let last = last.map_or(least, |last| last.0);
            let next = below.find(fits).map_or(least, |threshold| threshold.0).max(least);
            let is_first = widest.low > new.low;
            steps += u32::from(is_first);
            new.low = match is_first {
                true if steps > THRESHOLDS && last < new.low => last,
                true if steps > THRESHOLDS => least,
                true => next,
                false if hurries => widest.low,
                false => next.max(widest.low),
            };
        }
        if high > known.high {
            let mut above = self.thresholds.range((new.high, 0)..);
            let last = self.thresholds.iter().rev().find(is_inside);
            let last = last.map_or(most, |last| last.0);
            let next = above.find(fits).map_or(most, |threshold| threshold.0).min(most);
            let is_first = widest.high < new.high;
            steps += u32::from(is_first);
            new.high = match is_first {
                true if steps > THRESHOLDS && new.high < last => last,
                true if steps > THRESHOLDS => most,
                true => next,
                false if hurries => widest.high,
                false => next.min(widest.high),
            };
        }
        if let Some(widest) = self.widest.get_mut(&slot)
            && widest.growths < steps
        {
            widest.growths = steps;
            *advances = 0;
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
