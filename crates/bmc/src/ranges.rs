//! Ranges of memory of any length, set or copied at once.
//!
//! Idea: an object becomes an array, and what it holds afterwards is told element by element: bytes in the
//! range come from the source, others stay ([`kripke_smt::Terms::array_by`]). Nothing depends on how long the
//! range is.
//!
//! Invariant: the ranges were judged: they lie in their objects, and no source is a register.

use kripke_smt::TermId;

use crate::contents::{ArrayContents, Contents};
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::state::State;
use crate::value::{Case, Target};

/// Objects that reads would have to look for in more elements than this are told element by element,
const MAX_WEIGHT: u32 = 64;
/// where they have at most so many; others hold anything where even this is exceeded.
const MAX_ELEMENTS: u64 = 1 << 12;
const MOST_WEIGHT: u32 = 1 << 12;

/// A byte, and whether it was written.
type Byte = (TermId, TermId);

/// A range of an object that is written where the guard holds.
#[derive(Clone, Copy)]
struct Range {
    object: ObjectId,
    start: TermId,
    length: TermId,
    guard: TermId,
}

impl Engine<'_> {
    /// Sets all bytes to one value.
    pub(crate) fn fill_range(&mut self, state: &mut State, targets: &[Case], value: TermId, length: TermId) {
        let truth = self.terms.true_();
        for range in ranges(targets, length) {
            self.write_range(state, range, 0, &mut |_, _| (value, truth));
        }
    }

    /// Copies a range, from memory only.
    pub(crate) fn copy_range(
        &mut self,
        state: &mut State,
        targets: &[Case],
        sources: &[Case],
        length: TermId,
    ) {
        let mut arrays = Vec::new();
        for case in sources {
            if let Target::Object(object) = case.target
                && let Some(array) = self.as_array(state, object)
            {
                arrays.push((case.guard, case.offset, array));
            }
        }
        let before = state.clone();
        let weights = arrays
            .iter()
            .map(|(_, _, array)| self.terms.array_weight(array.data));
        let read = weights.fold(0u32, u32::saturating_add);
        for range in ranges(targets, length) {
            self.write_range(state, range, read, &mut |engine, distance| {
                engine.source_byte(&before, &arrays, distance)
            });
        }
    }

    /// The byte at a distance from where the sources start.
    fn source_byte(
        &mut self,
        state: &State,
        sources: &[(TermId, TermId, ArrayContents)],
        distance: TermId,
    ) -> Byte {
        let mut result: Option<Byte> = None;
        for (guard, start, array) in sources.iter().rev() {
            let offset = self.terms.bv_add(*start, distance);
            let (bits, written) = self.read_array(state, array, offset, 1, 1);
            let written = written.byte(0);
            result = Some(match result {
                None => (bits, written),
                Some((other, other_written)) => (
                    self.terms.ite(*guard, bits, other),
                    self.terms.ite(*guard, written, other_written),
                ),
            });
        }
        // Without a source no path comes here; any value will do.
        result.unwrap_or_else(|| (self.terms.bv_u64(8, 0), self.terms.true_()))
    }

    /// The object's contents as an array.
    fn as_array(&mut self, state: &State, object: ObjectId) -> Option<ArrayContents> {
        match state.memory.get(object.key())?.contents.clone() {
            Contents::Array(array) => Some(array),
            Contents::Cells(cells) => Some(self.array_of(state, object, &cells, 1)),
            Contents::Summary(_) => None,
        }
    }

    /// Writes bytes that follow from their distance from the start of the range, and are chosen from so many
    /// elements.
    fn write_range(
        &mut self,
        state: &mut State,
        range: Range,
        read: u32,
        byte_at: &mut dyn FnMut(&mut Self, TermId) -> Byte,
    ) {
        if self.is_register(range.object, false) {
            return;
        }
        let Some(array) = self.as_array(state, range.object) else {
            return;
        };
        let Some(mut entry) = state.memory.get(range.object.key()).cloned() else {
            return;
        };
        let element = u64::from(array.element_bytes);
        let index = self.terms.bound_index(array.index_bits);
        let old = self.terms.select(array.data, index);
        let old_flags = array.initialised.map(|map| self.terms.select(map, index));
        let (mut bytes, mut flags) = (Vec::new(), Vec::new());
        let mut all_written = true;
        for byte in 0..element {
            let distance = self.distance(&array, index, byte, range.start);
            let inside = self.terms.bv_ult(distance, range.length);
            let inside = self.terms.and(range.guard, inside);
            let (new, written) = byte_at(self, distance);
            all_written &= self.terms.as_bool(written) == Some(true);
            let shift = self.byte_shift(byte, element);
            let stays = self.terms.bv_extract(old, shift + 7, shift);
            bytes.push(self.terms.ite(inside, new, stays));
            let stays = match old_flags {
                None => self.terms.true_(),
                Some(flags) => {
                    let bit = self.terms.bv_extract(flags, byte as u32, byte as u32);
                    crate::value::bits_to_bool(&mut self.terms, bit)
                }
            };
            flags.push(self.terms.ite(inside, written, stays));
        }
        let weight = self.terms.array_weight(array.data).saturating_add(read);
        let body = self.join(&bytes);
        let data = self.terms.array_by(array.index_bits, body, weight);
        let initialised = (old_flags.is_some() || !all_written).then(|| {
            let body = self.flags(&crate::contents::Initialised::from_bytes(flags), element);
            self.terms.array_by(array.index_bits, body, weight)
        });
        let array = ArrayContents {
            data,
            initialised,
            ..array
        };
        entry.contents = Contents::Array(match weight > MAX_WEIGHT {
            true => self.told_by_element(range.object, array),
            false => array,
        });
        state.memory.set(range.object.key(), entry);
    }

    /// The same array, each element written on its own, so that what reading one costs does not grow with
    /// what comes after; where it has too many as it is, or any contents.
    fn told_by_element(&mut self, object: ObjectId, array: ArrayContents) -> ArrayContents {
        let size = self.run.objects[object].constant_size;
        let count = size.map(|size| size.div_ceil(u64::from(array.element_bytes)));
        let Some(count) = count.filter(|count| *count <= MAX_ELEMENTS) else {
            return match self.terms.array_weight(array.data) > MOST_WEIGHT {
                true => self.any_contents(array),
                false => array,
            };
        };
        let mut by_element = |map: TermId, width: u32| {
            let zero = self.terms.bv_u64(width, 0);
            let mut plain = self.terms.const_array(array.index_bits, zero);
            for index in 0..count {
                let index = self.terms.bv_u64(array.index_bits, index);
                let element = self.terms.select(map, index);
                plain = self.terms.store(plain, index, element);
            }
            plain
        };
        ArrayContents {
            data: by_element(array.data, array.element_bytes * 8),
            initialised: array.initialised.map(|map| by_element(map, array.element_bytes)),
            ..array
        }
    }

    /// Anything, of which a violation is not believed.
    fn any_contents(&mut self, array: ArrayContents) -> ArrayContents {
        let what = "ranges of any length are moved in one object again and again";
        self.run
            .record
            .approximated
            .get_or_insert_with(|| what.to_string());
        self.arbitrary_array(&array)
    }

    /// How far a byte of the element at an index lies behind a place in the object.
    fn distance(&mut self, array: &ArrayContents, index: TermId, byte: u64, place: TermId) -> TermId {
        let width = self.pointer_width;
        let index = self.terms.bv_zext(index, width);
        let element = self.terms.bv_u64(width, u64::from(array.element_bytes));
        let start = self.terms.bv_mul(index, element);
        let byte = self.terms.bv_u64(width, byte);
        let position = self.terms.bv_add(start, byte);
        self.terms.bv_sub(position, place)
    }
}

/// The ranges of objects among the targets.
fn ranges(targets: &[Case], length: TermId) -> impl Iterator<Item = Range> + '_ {
    targets.iter().filter_map(move |case| match case.target {
        Target::Object(object) => Some(Range {
            object,
            start: case.offset,
            length,
            guard: case.guard,
        }),
        _ => None,
    })
}
