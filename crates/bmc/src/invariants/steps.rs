//! Places that change in step.
//!
//! Idea: where two places are one more, or one less, after each iteration, their difference or their sum is
//! what it was when the loop was entered. That is a term over what does not change in the loop, so it need
//! not be guessed from runs: it tells how far something has come that was begun before the loop. What is one
//! more in some iterations only, as what counts the elements that a filter keeps, has come no further.

use kripke_smt::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashSet;

use crate::engine::Engine;
use crate::invariants::heads::Head;
use crate::invariants::scans::is_counted;
use crate::invariants::templates::Shapes;

/// How many places are combined with each other.
const MAX_COUNTED: usize = 12;

/// A place that is one more, or else one less, after each iteration.
pub(super) struct Counted {
    pub place: TermId,
    /// What it was when the loop was entered.
    pub first: TermId,
    pub rises: bool,
    pub width: u32,
}

impl Shapes<'_> {
    /// Differences or sums of two places that stay as they are.
    pub fn in_step(&mut self, engine: &mut Engine<'_>) {
        let counted = self.advancing(engine);
        for (position, a) in counted.iter().enumerate() {
            for b in &counted[..position] {
                let width = a.width.max(b.width);
                let terms = &mut engine.terms;
                let [x, first_x] = [a.place, a.first].map(|term| terms.bv_sext(term, width));
                let [y, first_y] = [b.place, b.first].map(|term| terms.bv_sext(term, width));
                let (now, before) = match a.rises == b.rises {
                    true => (terms.bv_sub(x, y), terms.bv_sub(first_x, first_y)),
                    false => (terms.bv_add(x, y), terms.bv_add(first_x, first_y)),
                };
                let stays = terms.eq(now, before);
                self.add(engine, stays);
            }
        }
    }

    /// What advances in some iterations only has come no further than what does in all.
    pub fn no_faster(&mut self, engine: &mut Engine<'_>) {
        let (always, sometimes) = (self.advancing(engine), self.advancing_sometimes(engine));
        for slow in sometimes.iter().filter(|slow| slow.rises) {
            for fast in always
                .iter()
                .filter(|fast| fast.rises && fast.width == slow.width)
            {
                let terms = &mut engine.terms;
                let [slow, fast] = [slow, fast].map(|counted| terms.bv_sub(counted.place, counted.first));
                let is_no_faster = terms.bv_ule(slow, fast);
                self.add(engine, is_no_faster);
            }
        }
    }

    /// Each place is at least what it was when the loop was entered, or at most that.
    pub fn beside_entry(&mut self, engine: &mut Engine<'_>) {
        let Some(entry) = self.head.arrivals.first() else {
            return;
        };
        let values = entry.values.clone();
        for (index, place, _) in self.numbers(&engine.terms).into_iter().take(MAX_COUNTED) {
            let Some(first) = values[index].filter(|first| !engine.terms.is_const(*first)) else {
                continue;
            };
            let (rises, falls) = (
                engine.terms.bv_ule(first, place),
                engine.terms.bv_ule(place, first),
            );
            self.add(engine, rises);
            self.add(engine, falls);
        }
    }

    /// The places that are one more, or else one less, after each iteration.
    pub(super) fn advancing(&self, engine: &Engine<'_>) -> Vec<Counted> {
        self.counted_as(engine, is_counted)
    }

    /// The places that in some iterations are one more, or else one less, and stay as they are in others.
    pub(super) fn advancing_sometimes(&self, engine: &Engine<'_>) -> Vec<Counted> {
        self.counted_as(engine, counts_sometimes)
    }

    /// The places of whose next value it can be told whether they rise.
    fn counted_as(
        &self,
        engine: &Engine<'_>,
        rises: fn(&Terms, TermId, TermId) -> Option<bool>,
    ) -> Vec<Counted> {
        let numbers = self.numbers(&engine.terms);
        counted(&engine.terms, self.head, numbers, rises)
    }
}

/// The places of a head that are one more, or else one less, after each iteration.
pub(super) fn advancing_at(terms: &Terms, head: &Head) -> Vec<Counted> {
    let places = head.places.iter().enumerate();
    let numbers = places.filter_map(|(index, place)| match terms.sort(place.variable) {
        Sort::BitVec(width) if width <= 64 => Some((index, place.variable, width)),
        _ => None,
    });
    counted(terms, head, numbers, is_counted)
}

/// Those of some places, with their indexes and widths, of whose next value it can be told whether they rise.
fn counted(
    terms: &Terms,
    head: &Head,
    numbers: impl IntoIterator<Item = (usize, TermId, u32)>,
    rises: fn(&Terms, TermId, TermId) -> Option<bool>,
) -> Vec<Counted> {
    let [entry, next] = &head.arrivals[..] else {
        return Vec::new();
    };
    let counted = numbers.into_iter().filter_map(|(index, place, width)| {
        let (first, value) = (entry.values[index]?, next.values[index]?);
        Some(Counted {
            place,
            first,
            rises: rises(terms, place, value)?,
            width,
        })
    });
    counted.take(MAX_COUNTED).collect()
}

/// Is the value in some branches one more, then true, or one less than the place's, and else the same?
fn counts_sometimes(terms: &Terms, place: TermId, value: TermId) -> Option<bool> {
    let (mut stack, mut seen, mut rises) = (vec![value], FxHashSet::default(), None);
    while let Some(branch) = stack.pop() {
        if branch == place || !seen.insert(branch) {
            continue;
        }
        if let (Op::Ite, [_, then, otherwise]) = (terms.op(branch), terms.children(branch)) {
            stack.extend([*then, *otherwise]);
            continue;
        }
        let step = is_counted(terms, place, branch)?;
        if rises.is_some_and(|rises| rises != step) || branch == value {
            return None;
        }
        rises = Some(step);
    }
    rises
}
