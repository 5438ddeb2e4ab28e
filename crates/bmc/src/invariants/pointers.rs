//! Pointers that go through an array.
//!
//! Idea: a pointer that a loop moves stays on one side of those that the function had when the loop was
//! entered: a scanner goes on from where the text began.
//!
//! One that goes through records stands at the start of an element, of one before a count as a rule. Solvers
//! do not see that from offsets, which are any numbers; so all elements at which it may stand are listed,
//! each with the condition that the count is above it.

use std::collections::BTreeSet;

use kripke_elts::CType;
use kripke_elts::trace::c_type;
use kripke_smt::{Sort, TermId};

use crate::engine::Engine;
use crate::invariants::heads::{Part, Place};
use crate::invariants::templates::Shapes;
use crate::object::ObjectId;
use crate::value::Target;

/// How many elements are listed.
const MAX_ELEMENTS: u64 = 48;
/// How many variables may be the count.
const MAX_COUNTS: usize = 8;
/// How many pairs of pointers are compared at one head.
const MAX_COMPARED: usize = 16;

impl Shapes<'_> {
    /// All pointers among the places.
    pub fn pointers(&mut self, engine: &mut Engine<'_>) {
        let counts = self.unchanging_numbers(engine);
        for place in self.head.places.clone() {
            let Part::Offset(Target::Object(object), zeros) = place.part else {
                continue;
            };
            let Some((stride, count)) = elements_of(engine, object) else {
                continue;
            };
            if (2..=MAX_ELEMENTS).contains(&count) {
                let starts = (0..count).map(|index| index * stride);
                let starts: Vec<TermId> = starts.map(|start| is_at(engine, &place, zeros, start)).collect();
                let any = engine.terms.or_all(starts.iter().copied());
                self.add(engine, any);
                for counter in &counts {
                    self.below(engine, &starts, *counter);
                }
            }
        }
    }

    /// Each pointer that the loop moves is before or behind another into the same object that the function
    /// had when the loop was entered.
    pub fn beside_pointers_at_entry(&mut self, engine: &mut Engine<'_>) {
        let mut compared = 0;
        for place in self.head.places.clone() {
            let Part::Offset(target @ Target::Object(_), zeros) = place.part else {
                continue;
            };
            for (_, entry) in self
                .head
                .entry_offsets
                .iter()
                .filter(|(other, _)| *other == target)
            {
                if compared == MAX_COMPARED || engine.terms.is_const(*entry) {
                    continue;
                }
                compared += 1;
                let moved = match zeros {
                    0 => place.variable,
                    _ => {
                        let low = engine.terms.bv_u64(zeros, 0);
                        engine.terms.bv_concat(place.variable, low)
                    }
                };
                for (x, y) in [(moved, *entry), (*entry, moved)] {
                    let chain = [engine.terms.bv_ult(x, y), engine.terms.bv_ule(x, y)];
                    self.add_chain(engine, chain);
                }
            }
        }
    }

    /// The pointer stands at an element before the count.
    fn below(&mut self, engine: &mut Engine<'_>, starts: &[TermId], counter: TermId) {
        let width = engine.terms.width(counter);
        let mut any = engine.terms.false_();
        for (index, start) in starts.iter().enumerate() {
            let index = engine.terms.bv_u64(width, index as u64);
            let before = engine.terms.bv_ult(index, counter);
            let there = engine.terms.and(*start, before);
            any = engine.terms.or(any, there);
        }
        self.add(engine, any);
    }

    /// Numbers that loops around this one modify, and it does not.
    fn unchanging_numbers(&self, engine: &Engine<'_>) -> Vec<TermId> {
        let stable = self.head.stable_variables(engine);
        let places = engine.run.record.heads.iter().flat_map(|head| &head.places);
        let numbers = places.filter(|place| {
            let is_wide = matches!(engine.terms.sort(place.variable), Sort::BitVec(8..=64));
            place.part == Part::Whole && is_wide && stable.contains(&place.variable)
        });
        let numbers: BTreeSet<TermId> = numbers.map(|place| place.variable).collect();
        numbers.into_iter().take(MAX_COUNTS).collect()
    }
}

/// The size of an object's elements in bytes, and how many it has, where it is an array.
fn elements_of(engine: &Engine<'_>, object: ObjectId) -> Option<(u64, u64)> {
    let program = engine.program;
    let whole = engine.c_type_of(object)?;
    match c_type::resolved(program, whole) {
        CType::Array { element, count } => Some((c_type::size(program, *element), *count)),
        _ => None,
    }
}

/// Is the pointer, if it has this target, so many bytes from its start?
fn is_at(engine: &mut Engine<'_>, place: &Place, zeros: u32, offset: u64) -> TermId {
    let width = engine.terms.width(place.variable);
    let offset = engine.terms.bv_u64(width, offset >> zeros);
    engine.terms.eq(place.variable, offset)
}
