//! Values that stand for whatever a loop's earlier iterations may have left in a place.
//!
//! Idea: a number is any number. A pointer keeps the targets that it was seen to have, at any offset with as
//! many low bits zero as those seen have.
//!
//! Invariant: a value given covers all that were seen, or is replaced by one that does.

use std::collections::BTreeMap;

use kripke_elts::Type;
use kripke_smt::{Sort, TermId};

use crate::contents::{ArrayContents, ObjectState};
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::path::PathId;
use crate::persistent::PersistentMap;
use crate::range::Ranges;
use crate::value::{Case, Pointer, Target, Value};

/// The objects that a loop's body creates, and those that live at its end.
#[derive(Clone, Copy)]
pub(super) struct Created<'s> {
    pub first: usize,
    pub after: &'s PersistentMap<ObjectState>,
}

impl Engine<'_> {
    pub(crate) fn arbitrary_array(&mut self, like: &ArrayContents) -> ArrayContents {
        let sort = Sort::Array {
            index: like.index_bits,
            element: like.element_bytes * 8,
        };
        let data = self.fresh_variable("any", sort);
        let initialised = like.initialised.map(|_| {
            let sort = Sort::Array {
                index: like.index_bits,
                element: like.element_bytes,
            };
            self.fresh_variable("written", sort)
        });
        ArrayContents {
            data,
            initialised,
            ..*like
        }
    }

    /// Any value of a type that was seen to change; `None` when `known` covers what was seen already.
    pub(super) fn arbitrary(
        &mut self,
        path: PathId,
        ty: Type,
        seen: &[Value],
        known: Option<&Value>,
        created: Created<'_>,
    ) -> Result<Option<Value>, String> {
        if ty != Type::Pointer {
            if known.is_some() {
                return Ok(None);
            }
            let number = self.fresh_name();
            return Ok(Some(self.unknown(&format!("any!{number}"), ty).1));
        }
        let mut offsets: BTreeMap<Target, Vec<TermId>> = BTreeMap::new();
        for value in seen.iter().chain(known) {
            for case in value.pointer().cases.clone() {
                let (target, offset) = match case.target {
                    Target::Object(object) if object.0 as usize >= created.first => {
                        self.left_behind(object, case.offset, created)?
                    }
                    target => (target, case.offset),
                };
                let seen = offsets.entry(target).or_default();
                if !seen.contains(&offset) {
                    seen.push(offset);
                }
            }
        }
        if let Some(known) = known
            && self.covers(path, known.pointer(), &offsets)
        {
            return Ok(None);
        }
        let mut rest = self.terms.true_();
        let mut cases = Vec::new();
        let count = offsets.len();
        for (index, (target, seen)) in offsets.into_iter().enumerate() {
            let guard = if index + 1 == count {
                rest
            } else {
                let chosen = self.fresh_variable("target", Sort::Bool);
                let guard = self.terms.and(rest, chosen);
                let other = self.terms.not(chosen);
                rest = self.terms.and(rest, other);
                guard
            };
            let offset = match seen[..] {
                [only] if self.terms.is_const(only) => only,
                _ => self.arbitrary_offset(path, &seen),
            };
            cases.push(Case {
                guard,
                target,
                offset,
                individual: self.any_individual(target),
            });
        }
        Ok(Some(Value::Pointer(Pointer::from_cases(&mut self.terms, cases))))
    }

    /// What stands for all pointers to objects that the body creates at one place.
    pub(super) fn left_behind(
        &mut self,
        object: ObjectId,
        offset: TermId,
        created: Created<'_>,
    ) -> Result<(Target, TermId), String> {
        match created.after.get(object.key()) {
            None => Ok(self.dangling(object)),
            Some(_) => match self.summary_of(object) {
                Some(summary) => Ok((Target::Summary(summary), offset)),
                None => Err("the loop keeps a pointer to an object that it creates".to_string()),
            },
        }
    }

    /// Of objects that die in the body: a pointer to the first of them seen, which is dead, at any offset, so
    /// that no two are known to be equal.
    fn dangling(&mut self, object: ObjectId) -> (Target, TermId) {
        let kind = self.run.objects[object].kind;
        let number = self.fresh_name();
        let any = Sort::BitVec(self.pointer_width);
        let offset = self.terms.variable(&format!("offset!{number}"), any);
        let induction = self.run.induction.get_or_insert_default();
        let first = induction.dangling.iter().find(|first| first.0 == kind);
        let first = first.map_or(object, |first| first.1);
        if first == object {
            induction.dangling.push((kind, object));
        }
        (Target::Object(first), offset)
    }

    /// The lowest bits that are zero in all of the offsets.
    fn zero_bits(&mut self, path: PathId, offsets: &[TermId]) -> u32 {
        let facts = self.facts(path);
        let mut ranges = Ranges::new(&self.terms, &facts);
        let bits = offsets.iter().map(|offset| {
            let interval = ranges.interval(*offset);
            (interval.low | interval.stride).trailing_zeros()
        });
        bits.min().unwrap_or(0).min(self.pointer_width - 1)
    }

    fn arbitrary_offset(&mut self, path: PathId, seen: &[TermId]) -> TermId {
        let zeros = self.zero_bits(path, seen);
        let width = self.pointer_width - zeros;
        let high = self.fresh_variable("offset", Sort::BitVec(width));
        if zeros == 0 {
            return high;
        }
        let low = self.terms.bv_u64(zeros, 0);
        self.terms.bv_concat(high, low)
    }

    /// Does a pointer made arbitrary before stand for all these targets and offsets?
    fn covers(&mut self, path: PathId, known: &Pointer, seen: &BTreeMap<Target, Vec<TermId>>) -> bool {
        seen.iter().all(|(target, offsets)| {
            let Some(case) = known.cases.iter().find(|case| case.target == *target) else {
                return false;
            };
            let others: Vec<TermId> = offsets
                .iter()
                .copied()
                .filter(|offset| *offset != case.offset)
                .collect();
            if others.is_empty() {
                return true;
            }
            !self.terms.is_const(case.offset) && {
                // What stands for any offset does so on all paths.
                let known = self.zero_bits(self.run.paths.root(), &[case.offset]);
                self.zero_bits(path, &others) >= known
            }
        })
    }
}
