//! The fields of objects that are arrays.
//!
//! Idea: a structure with a buffer inside becomes an array of bytes as a whole, once the buffer is
//! accessed at indices that are too many to list. What a loop leaves in it is any array then, and nothing
//! would be known of its counters and states. So the numbers among its members keep the value with which
//! the loop is entered until an iteration is seen to change it, and have a variable of their own
//! afterwards, of which invariants can speak.
//!
//! Invariant: the array of [`ModifiedArray`] stands for all that iterations may leave.

use std::collections::BTreeMap;

use kripke_elts::trace::c_type;
use kripke_elts::{CType, CTypeId, Encoding, Program, Type};
use kripke_smt::{Sort, TermId};

use super::modified::Modified;
use crate::contents::{ArrayContents, Contents, Initialised, MAX_CELL};
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::state::State;

/// How many fields of an object are kept.
const MAX_FIELDS: usize = 32;
/// How deep structures are looked into.
const MAX_DEPTH: u32 = 8;

/// A number in an array: where it begins and its size, in bytes.
type Extent = (u64, u64);

/// What a field holds at the start of any iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Field {
    bits: TermId,
    /// Iterations may change it, so that `bits` is a variable.
    changes: bool,
    /// All its bytes are known to be written.
    is_written: bool,
}

/// An object that a loop modifies and that is an array.
pub(crate) struct ModifiedArray {
    /// Any elements.
    any: ArrayContents,
    fields: BTreeMap<Extent, Field>,
    /// The elements with the fields.
    pub contents: ArrayContents,
}

impl Modified {
    /// The objects that are arrays, with any elements.
    pub(crate) fn any_arrays(&self) -> impl Iterator<Item = (ObjectId, ArrayContents)> {
        self.arrays.iter().map(|(object, array)| (*object, array.any))
    }

    /// The fields of arrays that have variables: object, offset, type and variable.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (ObjectId, u64, Type, TermId)> {
        self.arrays.iter().flat_map(|(object, array)| {
            let changing = array.fields.iter().filter(|(_, field)| field.changes);
            changing.map(|((offset, bytes), field)| {
                let ty = Type::Int(*bytes as u32 * 8);
                (*object, *offset, ty, field.bits)
            })
        })
    }
}

impl Engine<'_> {
    /// An object that is an array on one of two sides, before and after an iteration: any elements, and where
    /// some side has bytes that were not written, any of them. False when it was known to be so.
    pub(super) fn extend_array(
        &mut self,
        modified: &mut Modified,
        before: &State,
        object: ObjectId,
        like: &ArrayContents,
        sides: [&Contents; 2],
    ) -> bool {
        let sides = sides.map(|side| match side {
            Contents::Array(array) => *array,
            Contents::Summary(_) => unreachable!("a summary is one from its beginning on"),
            Contents::Cells(cells) => {
                let width = u64::from(like.element_bytes);
                self.array_of(before, object, cells, width)
            }
        });
        // It became an array because it was read at an unknown index, and holds what it held.
        if sides[0] == sides[1] && !modified.arrays.contains_key(&object) {
            return false;
        }
        let unwritten = sides[0].initialised.or(sides[1].initialised);
        let fields = self.fields_after(modified, before, object, &sides);
        let known = modified.arrays.get(&object);
        if let Some(known) = known
            && known.fields == fields
            && (known.any.initialised.is_some() || unwritten.is_none())
        {
            return false;
        }
        let any = match known {
            Some(known) if known.any.initialised.is_some() || unwritten.is_none() => known.any,
            _ => self.arbitrary_array(&ArrayContents {
                initialised: unwritten,
                ..*like
            }),
        };
        let contents = self.with_fields(before, any, &fields);
        let array = ModifiedArray {
            any,
            fields,
            contents,
        };
        modified.arrays.insert(object, array);
        modified.cells.retain(|(other, _), _| *other != object);
        true
    }

    /// What stands for the fields after one more iteration was seen.
    fn fields_after(
        &mut self,
        modified: &Modified,
        before: &State,
        object: ObjectId,
        [x, y]: &[ArrayContents; 2],
    ) -> BTreeMap<Extent, Field> {
        let known = modified.arrays.get(&object).map(|array| array.fields.clone());
        let extents = match &known {
            Some(known) => known.keys().copied().collect(),
            None => self.extents(object),
        };
        let mut fields = BTreeMap::new();
        for extent in extents {
            let (offset, bytes) = extent;
            let old = self.number_in_array(before, x, extent);
            let new = self.number_in_array(before, y, extent);
            let are_written = [old.1, new.1].map(|written| self.terms.as_bool(written) == Some(true));
            let known = known.as_ref().map(|fields| fields[&extent]);
            let mut cells = modified
                .cells
                .range((object, offset.saturating_sub(MAX_CELL))..(object, offset + bytes));
            let was_modified = cells.any(|((_, at), cell)| at + u64::from(cell.bytes) > offset);
            let changes = known.is_some_and(|known| known.changes) || was_modified || old.0 != new.0;
            let bits = match known {
                Some(known) if known.changes || !changes => known.bits,
                _ if changes => self.fresh_variable("any", Sort::BitVec(bytes as u32 * 8)),
                _ => old.0,
            };
            let is_written = are_written == [true; 2] && known.is_none_or(|known| known.is_written);
            let field = Field {
                bits,
                changes,
                is_written,
            };
            fields.insert(extent, field);
        }
        fields
    }

    /// What an array holds at a constant offset, and whether all bytes of that were written.
    pub(crate) fn number_in_array(
        &mut self,
        state: &State,
        array: &ArrayContents,
        (offset, bytes): Extent,
    ) -> (TermId, TermId) {
        let offset = self.terms.bv_u64(self.pointer_width, offset);
        let (bits, written) = self.read_array(state, array, offset, bytes, 1);
        (bits, written.all(&mut self.terms))
    }

    fn with_fields(
        &mut self,
        state: &State,
        mut array: ArrayContents,
        fields: &BTreeMap<Extent, Field>,
    ) -> ArrayContents {
        let truth = self.terms.true_();
        for ((offset, _), field) in fields {
            let at = self.terms.bv_u64(self.pointer_width, *offset);
            let any_written = array.initialised;
            let written = Initialised::Whole(truth);
            self.write_array(state, &mut array, at, field.bits, &written, truth, 1);
            if !field.is_written {
                array.initialised = any_written;
            }
        }
        array
    }

    /// Where the object has members that are numbers and no elements of arrays.
    fn extents(&self, object: ObjectId) -> Vec<Extent> {
        let mut found = Vec::new();
        if let Some(whole) = self.c_type_of(object) {
            add_numbers(self.program, whole, 0, MAX_DEPTH, &mut found);
        }
        let size = self.run.objects[object].constant_size.unwrap_or(0);
        found.retain(|(offset, bytes)| offset + bytes <= size);
        found.truncate(MAX_FIELDS);
        found
    }
}

fn add_numbers(program: &Program, whole: CTypeId, offset: u64, depth: u32, found: &mut Vec<Extent>) {
    let CType::Record {
        union: false,
        members,
        ..
    } = c_type::resolved(program, whole)
    else {
        return;
    };
    let members = members
        .iter()
        .filter(|member| !member.bit_field && member.bit_offset % 8 == 0);
    for member in members {
        let offset = offset + member.bit_offset / 8;
        match c_type::resolved(program, member.c_type) {
            CType::Base { encoding, bits, .. } if *encoding != Encoding::Float => {
                found.extend(extent(offset, *bits));
            }
            CType::Enum { bits, .. } => found.extend(extent(offset, *bits)),
            CType::Record { .. } if depth > 0 => {
                add_numbers(program, member.c_type, offset, depth - 1, found);
            }
            _ => {}
        }
    }
}

/// A number of so many bits as memory holds it.
fn extent(offset: u64, bits: u32) -> Option<Extent> {
    let bytes = u64::from(bits.div_ceil(8));
    (bytes.is_power_of_two() && bytes <= 8).then_some((offset, bytes))
}
