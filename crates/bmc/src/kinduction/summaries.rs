//! What a loop allocates and keeps.
//!
//! Idea: an object that an iteration creates at a place and that is still there, and pointed to, when the
//! next one starts, becomes an individual of a summary that stands for all such objects. In the arbitrary
//! state there were any number of them; what their fields hold is compared as other places are.
//!
//! Where nothing was in a summary when the loop was entered, fields are taken to be written in all
//! individuals and none to be freed, until an iteration leaves one that is not.
//!
//! Invariant: each state at the start of an iteration is one of those that [`ModifiedSummaries`] describes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kripke_model::PropertyKind;
use kripke_smt::{Sort, TermId};
use rustc_hash::FxHashSet;

use super::arbitrary::Created;
use super::modified::Modified;
use crate::contents::{Contents, ObjectState};
use crate::engine::Engine;
use crate::object::{ObjectId, ObjectKind, Rest};
use crate::state::State;
use crate::summary::{Field, INDIVIDUAL_BITS, Summary, over_individuals};
use crate::value::{Case, Target, Value};

/// How many places of allocation may have one.
const MAX_SUMMARIES: usize = 64;

/// The summaries that a loop may modify.
#[derive(Default)]
pub(super) struct ModifiedSummaries {
    /// What they hold at the start of any iteration.
    all: BTreeMap<ObjectId, Summary>,
    /// Those that were empty when the loop was entered.
    introduced: BTreeSet<ObjectId>,
    /// Variables that stand for any value.
    any: FxHashSet<TermId>,
}

impl Modified {
    /// The summaries that a loop may modify, with what they hold at the start of any iteration.
    pub(crate) fn summaries(&self) -> impl Iterator<Item = (ObjectId, &Summary)> {
        self.summaries
            .all
            .iter()
            .map(|(object, summary)| (*object, summary))
    }

    /// Was the variable made for what the loop modifies of them?
    pub(crate) fn is_any(&self, variable: TermId) -> bool {
        self.summaries.any.contains(&variable)
    }
}

impl Engine<'_> {
    /// The summary of what is made in that way, of which there is one at most.
    fn summary_like(&self, kind: ObjectKind, like: (TermId, Rest), align: u32) -> Option<ObjectId> {
        let mut summaries = self.run.induction.as_ref()?.summaries.iter().copied();
        summaries.find(|summary| {
            let info = &self.run.objects[*summary];
            info.kind == kind && info.is_made_like(like, align)
        })
    }

    /// The summary of which a new object is an individual, where the state has one.
    pub(crate) fn summary_that_takes(
        &self,
        state: &State,
        kind: ObjectKind,
        like: (TermId, Rest),
        align: u32,
    ) -> Option<ObjectId> {
        let summary = self.summary_like(kind, like, align)?;
        state.memory.get(summary.key()).map(|_| summary)
    }

    /// The summary of which an object is to be an individual; `None` where that cannot be.
    pub(super) fn summary_of(&mut self, object: ObjectId) -> Option<ObjectId> {
        let leaks = |kind| kind == PropertyKind::Leak;
        let info = self.run.objects[object].clone();
        let is_simple = matches!(info.kind, ObjectKind::Heap(_))
            && info.constant_size.is_some()
            && info.rest != Rest::Nondet
            && !self.has_threads()
            && !self.program.properties.iter().any(|site| leaks(site.kind));
        if !is_simple {
            return None;
        }
        let like = (info.size, info.rest);
        let found = self.summary_like(info.kind, like, info.align);
        if found.is_some() || self.run.induction.as_ref()?.summaries.len() >= MAX_SUMMARIES {
            return found;
        }
        let truth = self.terms.true_();
        let summary = self.add_object(info.kind, like, info.align, truth);
        let induction = self.run.induction.as_mut()?;
        induction.summaries.push(summary);
        Some(summary)
    }

    /// Any individual of a target, where that is a summary.
    pub(super) fn any_individual(&mut self, target: Target) -> Option<TermId> {
        match target {
            Target::Summary(_) => Some(self.fresh_variable("individual", Sort::BitVec(INDIVIDUAL_BITS))),
            _ => None,
        }
    }

    pub(super) fn apply_summaries(&mut self, state: &mut State, modified: &Modified) {
        let (no, yes) = (self.terms.false_(), self.terms.true_());
        for (object, summary) in &modified.summaries.all {
            let mut entry = state.memory.get(object.key()).cloned().unwrap_or(ObjectState {
                freed: no,
                exists: yes,
                contents: Contents::Summary(Rc::new(summary.clone())),
            });
            entry.contents = Contents::Summary(Rc::new(summary.clone()));
            state.memory.set(object.key(), entry);
        }
    }

    /// Summaries that no state has yet are there from the next round on, without fields; false where there is
    /// none.
    pub(super) fn introduce_summaries(&mut self, modified: &mut Modified, before: &State) -> bool {
        let known = self.run.induction.as_ref();
        let known = known.map_or_else(Vec::new, |induction| induction.summaries.clone());
        let mut changed = false;
        for object in known {
            let is_there = before.memory.get(object.key()).is_some();
            if is_there || modified.summaries.all.contains_key(&object) {
                continue;
            }
            let summary = self.introduced(&mut modified.summaries, object);
            modified.summaries.all.insert(object, summary);
            changed = true;
        }
        changed
    }

    /// A summary that was empty when the loop was entered.
    fn introduced(&mut self, summaries: &mut ModifiedSummaries, object: ObjectId) -> Summary {
        summaries.introduced.insert(object);
        Summary {
            count: self.any_of(summaries, "individuals", Sort::BitVec(INDIVIDUAL_BITS)),
            freed: self.all_bits(false),
            fields: BTreeMap::new(),
        }
    }

    fn any_of(&mut self, summaries: &mut ModifiedSummaries, role: &str, sort: Sort) -> TermId {
        let any = self.fresh_variable(role, sort);
        summaries.any.insert(any);
        any
    }

    /// Adds what an iteration changes in a summary; false when it is described by what is known. Without a
    /// state before it, it was made in the iteration, by a loop inside.
    pub(super) fn extend_summary(
        &mut self,
        modified: &mut Modified,
        object: ObjectId,
        before: Option<&Summary>,
        after: &Summary,
        created: Created<'_>,
    ) -> Result<bool, String> {
        let summaries = &mut modified.summaries;
        let before = match before {
            Some(before) => before.clone(),
            None => self.introduced(summaries, object),
        };
        let mut new = before.clone();
        if before.count != after.count && !summaries.any.contains(&before.count) {
            new.count = self.any_of(summaries, "individuals", Sort::BitVec(INDIVIDUAL_BITS));
        }
        if before.freed != after.freed && !summaries.any.contains(&before.freed) {
            new.freed = self.any_of(summaries, "freed", over_individuals(1));
        }
        for (offset, field) in &after.fields {
            let known = match new.fields.remove(offset) {
                Some(known) => known,
                None => self.new_field(summaries, object, *offset, field),
            };
            // What was not known to be there says nothing yet of whether it is written.
            let is_guess = !before.fields.contains_key(offset) && summaries.introduced.contains(&object);
            let field = match is_guess {
                true => &Field {
                    written: known.written,
                    ..field.clone()
                },
                false => field,
            };
            let known = self.extend_field(summaries, known, field, created)?;
            new.fields.insert(*offset, known);
        }
        let changed = new != before || !summaries.all.contains_key(&object);
        summaries.all.insert(object, new);
        Ok(changed)
    }

    /// A field that no individual was known to have.
    fn new_field(
        &mut self,
        summaries: &ModifiedSummaries,
        object: ObjectId,
        offset: u64,
        like: &Field,
    ) -> Field {
        let mut field = self.initial_field(object, offset, like.bytes, like.pointers.is_some());
        if summaries.introduced.contains(&object) {
            field.written = self.all_bits(true);
        }
        field
    }

    fn extend_field(
        &mut self,
        summaries: &mut ModifiedSummaries,
        mut known: Field,
        after: &Field,
        created: Created<'_>,
    ) -> Result<Field, String> {
        if known.bytes != after.bytes || known.pointers.is_some() != after.pointers.is_some() {
            return Err("many objects hold what differs in form".to_string());
        }
        let mut extend = |engine: &mut Self, known: &mut TermId, after: TermId| {
            if *known != after && !summaries.any.contains(known) {
                let sort = engine.terms.sort(after);
                *known = engine.any_of(summaries, "field", sort);
            }
        };
        extend(self, &mut known.data, after.data);
        extend(self, &mut known.written, after.written);
        let mut is_dangling = false;
        if let (Some(known), Some(after)) = (&mut known.pointers, &after.pointers) {
            extend(self, &mut known.codes, after.codes);
            extend(self, &mut known.individuals, after.individuals);
            for (code, offset) in &after.targets {
                let target = self.run.objects.target_of(*code);
                match target {
                    Target::Object(object) if object.0 as usize >= created.first => {
                        let any = self.fresh_variable("offset", Sort::BitVec(self.pointer_width));
                        let (target, seen) = self.left_behind(object, offset.unwrap_or(any), created)?;
                        let offset = offset.filter(|offset| *offset == seen);
                        is_dangling |= matches!(target, Target::Object(_));
                        known.add(self.run.objects.code_of(target), offset);
                    }
                    _ => known.add(*code, *offset),
                }
            }
        }
        // Where in what is dead pointers point to tells them apart.
        if is_dangling && !summaries.any.contains(&known.data) {
            let sort = self.terms.sort(known.data);
            known.data = self.any_of(summaries, "field", sort);
        }
        Ok(known)
    }

    /// In a state that stands for any iteration's start: pointers name individuals that were created. What
    /// fields name is said where they are read.
    pub(super) fn well_formed(&mut self, state: &State, modified: &Modified) -> TermId {
        let cells = modified.cells.values().map(|cell| &cell.value);
        let mut named: Vec<&Case> = Vec::new();
        for value in modified.variables.values().chain(cells) {
            if let Value::Pointer(pointer) = value {
                named.extend(pointer.cases.iter().filter(|case| case.individual.is_some()));
            }
        }
        let mut all = self.terms.true_();
        for case in named {
            let (Target::Summary(object), Some(individual)) = (case.target, case.individual) else {
                continue;
            };
            let Some(summary) = self.summary(state, object) else {
                continue;
            };
            let is_below = self.terms.bv_ult(individual, summary.count);
            let other = self.terms.not(case.guard);
            let bound = self.terms.or(other, is_below);
            all = self.terms.and(all, bound);
        }
        for summary in modified.summaries.all.values() {
            for field in summary.fields.values() {
                self.note_bounds(state, modified, field);
            }
        }
        all
    }

    /// Notes how many individuals there are that any elements of a field may name.
    fn note_bounds(&mut self, state: &State, modified: &Modified, field: &Field) {
        let Some(pointers) = &field.pointers else {
            return;
        };
        if !modified.summaries.any.contains(&pointers.individuals) {
            return;
        }
        let mut counts = Vec::new();
        for code in pointers.targets.keys() {
            if let Target::Summary(object) = self.run.objects.target_of(*code)
                && let Some(summary) = self.summary(state, object)
            {
                counts.push((*code, summary.count));
            }
        }
        let bounds = (pointers.codes, counts);
        if let Some(induction) = &mut self.run.induction {
            induction.bounded.insert(pointers.individuals, bounds);
        }
    }
}
