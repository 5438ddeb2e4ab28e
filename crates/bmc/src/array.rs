//! Objects as SMT arrays: for accesses at offsets that are too many to list.
//!
//! The elements are as wide as the access that first needed the array; accesses of another size
//! take elements apart or together, byte by byte where nothing is known of the alignment.

use std::cmp::Reverse;

use kripke_elts::Type;
use kripke_smt::{Sort, TermId};

use crate::cells::{BYTE_VARIABLES, element_width};
use crate::contents::{ArrayContents, Cell, Contents, Initialised, MAX_CELL};
use crate::engine::Engine;
use crate::object::{ObjectId, Rest};
use crate::persistent::PersistentMap;
use crate::range::Ranges;
use crate::state::State;
use crate::value::{Value, resized};

impl Engine<'_> {
    /// The element width of the array variable for an object's initial contents; the first who asks decides.
    pub(crate) fn origin_width(&mut self, object: ObjectId, wanted: u32) -> u32 {
        *self.run.objects[object].origin_bytes.get_or_insert(wanted)
    }

    /// Bits of an index into an object's elements.
    pub(crate) fn index_bits(&self, object: ObjectId, element_bytes: u32) -> u32 {
        match self.run.objects[object].constant_size {
            Some(size) => {
                let count = size.div_ceil(u64::from(element_bytes)).max(2);
                u64::BITS - (count - 1).leading_zeros()
            }
            None => self.pointer_width - element_bytes.trailing_zeros(),
        }
    }

    /// The name of that variable, which tells its sort: an object's size may be constant in one run only.
    pub(crate) fn origin_name(&self, object: ObjectId, element_bytes: u32, index_bits: u32) -> String {
        let name = self.run.objects[object].name;
        format!("initial!{name}!array{element_bytes}:{index_bits}")
    }

    /// The array variable for an object's initial contents.
    pub(crate) fn origin_array(&mut self, object: ObjectId, element_bytes: u32, index_bits: u32) -> TermId {
        let name = self.origin_name(object, element_bytes, index_bits);
        self.terms.variable(
            &name,
            Sort::Array {
                index: index_bits,
                element: element_bytes * 8,
            },
        )
    }

    /// Turns an object's cells into an array whose elements have the width of an access.
    pub(crate) fn array_of(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &PersistentMap<Cell>,
        access_bytes: u64,
    ) -> ArrayContents {
        let wanted = element_width(access_bytes);
        let rest = self.run.objects[object].rest;
        let element_bytes = self.origin_width(object, wanted);
        let index_bits = self.index_bits(object, element_bytes);
        let data = match rest {
            Rest::Zero => {
                let zero = self.terms.bv_u64(element_bytes * 8, 0);
                self.terms.const_array(index_bits, zero)
            }
            _ => self.origin_array(object, element_bytes, index_bits),
        };
        let initialised = (rest == Rest::Uninitialised).then(|| {
            let none = self.terms.bv_u64(element_bytes, 0);
            self.terms.const_array(index_bits, none)
        });
        let mut array = ArrayContents {
            element_bytes,
            index_bits,
            data,
            initialised,
        };
        let element = u64::from(element_bytes);
        for index in self.known_elements(object, cells, element) {
            let (value, written) = self.read_cells(
                state,
                object,
                cells,
                index * element,
                Type::Int(element_bytes * 8),
            );
            let at = self.terms.bv_u64(index_bits, index);
            array.data = self.terms.store(array.data, at, value.term());
            self.note_written(&mut array, at, &written);
        }
        array
    }

    /// The elements of which the cells, or variables for single bytes, say more than the array's origin does.
    fn known_elements(&self, object: ObjectId, cells: &PersistentMap<Cell>, element: u64) -> Vec<u64> {
        let info = &self.run.objects[object];
        if info.rest != Rest::Zero
            && let Some(size) = info.constant_size.filter(|size| *size <= BYTE_VARIABLES)
        {
            return (0..size.div_ceil(element)).collect();
        }
        let mut indices = Vec::new();
        cells.for_each(&mut |start, cell| {
            indices.extend(start / element..=(start + u64::from(cell.bytes) - 1) / element);
        });
        indices.dedup();
        indices
    }

    /// Notes which bytes of an element were written.
    fn note_written(&mut self, array: &mut ArrayContents, index: TermId, written: &Initialised) {
        let bytes = u64::from(array.element_bytes);
        if array.initialised.is_none() && self.certainly_written(written, bytes) {
            return;
        }
        let map = self.written_map(array);
        let flags = self.flags(written, bytes);
        array.initialised = Some(self.terms.store(map, index, flags));
    }

    /// Conditions per byte as bits, the first byte lowest.
    pub(crate) fn flags(&mut self, written: &Initialised, bytes: u64) -> TermId {
        let mut result = None;
        for index in 0..bytes {
            let condition = written.byte(index);
            let bit = crate::value::bool_to_bits(&mut self.terms, condition);
            result = Some(match result {
                None => bit,
                Some(lower) => self.terms.bv_concat(bit, lower),
            });
        }
        result.unwrap_or_else(|| self.terms.bv_u64(1, 0))
    }

    /// The element index and the byte in the element of an offset.
    fn split_offset(&mut self, array: &ArrayContents, offset: TermId) -> (TermId, TermId) {
        let shift = array.element_bytes.trailing_zeros();
        let high = (shift + array.index_bits - 1).min(self.pointer_width - 1);
        let index = self.terms.bv_extract(offset, high, shift);
        let index = self.terms.bv_zext(index, array.index_bits);
        let low_mask = self
            .terms
            .bv_u64(self.pointer_width, u64::from(array.element_bytes) - 1);
        let byte = self.terms.bv_and(offset, low_mask);
        (index, byte)
    }

    fn multiple_of(&mut self, state: &State, offset: TermId, bytes: u64, align: u64) -> bool {
        if align.is_multiple_of(bytes) {
            return true;
        }
        let facts = self.facts(state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(offset);
        let bytes = i128::from(bytes);
        interval.low.rem_euclid(bytes) == 0 && interval.stride % bytes == 0
    }

    /// Reads the bits of `bytes` bytes, with which of them were written. `align` is a known divisor of the
    /// offset.
    pub(crate) fn read_array(
        &mut self,
        state: &State,
        array: &ArrayContents,
        offset: TermId,
        bytes: u64,
        align: u64,
    ) -> (TermId, Initialised) {
        let element = u64::from(array.element_bytes);
        let unit = self.unit(state, array, offset, bytes, align);
        let (mut parts, mut written) = (Vec::new(), Vec::new());
        for from in (0..bytes).step_by(unit as usize) {
            let distance = self.terms.bv_u64(self.pointer_width, from);
            let at = self.terms.bv_add(offset, distance);
            let (index, byte) = self.split_offset(array, at);
            let is_constant = self.terms.is_const(index);
            let mut select = |array| match is_constant {
                true => self.terms.select_through_choices(array, index),
                false => self.terms.select(array, index),
            };
            let (whole, flags) = (select(array.data), array.initialised.map(&mut select));
            parts.push(if unit == element {
                whole
            } else {
                self.part_of_element(whole, byte, unit, element)
            });
            match flags {
                None => {
                    let truth = self.terms.true_();
                    written.extend((0..unit).map(|_| truth));
                }
                Some(flags) => {
                    let flags = if unit == element {
                        flags
                    } else {
                        let distance = resized(&mut self.terms, byte, array.element_bytes);
                        self.terms.bv_lshr(flags, distance)
                    };
                    for index in 0..unit as u32 {
                        let bit = self.terms.bv_extract(flags, index, index);
                        written.push(crate::value::bits_to_bool(&mut self.terms, bit));
                    }
                }
            }
        }
        let mut bits = parts[0];
        for part in &parts[1..] {
            bits = match self.program.data_model.big_endian {
                true => self.terms.bv_concat(bits, *part),
                false => self.terms.bv_concat(*part, bits),
            };
        }
        (bits, Initialised::from_bytes(written))
    }

    /// In which units an access is made: whole elements, a part of one, or bytes.
    fn unit(&mut self, state: &State, array: &ArrayContents, offset: TermId, bytes: u64, align: u64) -> u64 {
        let element = u64::from(array.element_bytes);
        if bytes.is_multiple_of(element) && self.multiple_of(state, offset, element, align) {
            element
        } else if bytes < element && bytes.is_power_of_two() && self.multiple_of(state, offset, bytes, align)
        {
            bytes
        } else {
            1
        }
    }

    /// How far an element is shifted right to bring the part at `byte` down.
    fn element_shift(&mut self, byte: TermId, unit: u64, element: u64) -> TermId {
        let width = (element * 8) as u32;
        // A wide type first: 8 * 15 needs seven bits.
        let byte = resized(&mut self.terms, byte, width.max(8));
        let place = match self.program.data_model.big_endian {
            true => {
                let top = self.terms.bv_u64(width.max(8), element - unit);
                self.terms.bv_sub(top, byte)
            }
            false => byte,
        };
        let eight = self.terms.bv_u64(width.max(8), 8);
        let shift = self.terms.bv_mul(place, eight);
        resized(&mut self.terms, shift, width)
    }

    fn part_of_element(&mut self, whole: TermId, byte: TermId, unit: u64, element: u64) -> TermId {
        let shift = self.element_shift(byte, unit, element);
        let width = (unit * 8) as u32;
        if let Some(low) = self.terms.as_bv(shift).and_then(|shift| shift.to_u64()) {
            return self.terms.bv_extract(whole, low as u32 + width - 1, low as u32);
        }
        let shifted = self.terms.bv_lshr(whole, shift);
        self.terms.bv_extract(shifted, width - 1, 0)
    }

    /// Writes bits where the guard holds.
    #[allow(clippy::too_many_arguments, reason = "an access has that many sides")]
    pub(crate) fn write_array(
        &mut self,
        state: &State,
        array: &mut ArrayContents,
        offset: TermId,
        bits: TermId,
        written: &Initialised,
        guard: TermId,
        align: u64,
    ) {
        let bytes = u64::from(self.terms.width(bits) / 8);
        let element = u64::from(array.element_bytes);
        let unit = self.unit(state, array, offset, bytes, align);
        if array.initialised.is_none() && !self.certainly_written(written, bytes) {
            array.initialised = Some(self.written_map(array));
        }
        for from in (0..bytes).step_by(unit as usize) {
            let distance = self.terms.bv_u64(self.pointer_width, from);
            let at = self.terms.bv_add(offset, distance);
            let (index, byte) = self.split_offset(array, at);
            let low = match self.program.data_model.big_endian {
                true => (bytes - from - unit) * 8,
                false => from * 8,
            } as u32;
            let part = self.terms.bv_extract(bits, low + (unit * 8) as u32 - 1, low);
            let old = self.terms.select(array.data, index);
            let new = match unit == element {
                true => part,
                false => self.with_part(old, part, byte, unit, element),
            };
            let new = self.terms.ite(guard, new, old);
            array.data = self.terms.store(array.data, index, new);
            if let Some(map) = array.initialised {
                let slice = Initialised::from_bytes((from..from + unit).map(|i| written.byte(i)).collect());
                let flags = self.flags(&slice, unit);
                let old = self.terms.select(map, index);
                let new = match unit == element {
                    true => flags,
                    false => self.with_flags(old, flags, byte, array.element_bytes),
                };
                let new = self.terms.ite(guard, new, old);
                array.initialised = Some(self.terms.store(map, index, new));
            }
        }
    }

    fn certainly_written(&self, written: &Initialised, bytes: u64) -> bool {
        (0..bytes).all(|byte| self.terms.as_bool(written.byte(byte)) == Some(true))
    }

    fn with_part(&mut self, old: TermId, part: TermId, byte: TermId, unit: u64, element: u64) -> TermId {
        let width = (element * 8) as u32;
        let shift = self.element_shift(byte, unit, element);
        if let Some(low) = self.terms.as_bv(shift).and_then(|shift| shift.to_u64()) {
            return self.with_bits(old, part, low as u32);
        }
        let ones = self.terms.bv(kripke_value::BitVec::ones((unit * 8) as u32));
        let ones = self.terms.bv_zext(ones, width);
        let mask = self.terms.bv_shl(ones, shift);
        let keep = self.terms.bv_not(mask);
        let kept = self.terms.bv_and(old, keep);
        let part = self.terms.bv_zext(part, width);
        let placed = self.terms.bv_shl(part, shift);
        self.terms.bv_or(kept, placed)
    }

    fn with_flags(&mut self, old: TermId, flags: TermId, byte: TermId, width: u32) -> TermId {
        if let Some(low) = self.terms.as_bv(byte).and_then(|byte| byte.to_u64()) {
            return self.with_bits(old, flags, low as u32);
        }
        let unit = self.terms.width(flags);
        let wide = width.max(8);
        let shift = resized(&mut self.terms, byte, wide);
        let ones = self.terms.bv(kripke_value::BitVec::ones(unit));
        let ones = self.terms.bv_zext(ones, wide);
        let mask = self.terms.bv_shl(ones, shift);
        let keep = self.terms.bv_not(mask);
        let old = self.terms.bv_zext(old, wide);
        let kept = self.terms.bv_and(old, keep);
        let flags = self.terms.bv_zext(flags, wide);
        let placed = self.terms.bv_shl(flags, shift);
        let new = self.terms.bv_or(kept, placed);
        resized(&mut self.terms, new, width)
    }

    /// With a part of the bits replaced, from a lowest one on. Other parts are seen to be the same.
    fn with_bits(&mut self, old: TermId, part: TermId, low: u32) -> TermId {
        let above = low + self.terms.width(part);
        let mut new = part;
        if above < self.terms.width(old) {
            let high = self.terms.bv_extract(old, self.terms.width(old) - 1, above);
            new = self.terms.bv_concat(high, new);
        }
        if low > 0 {
            let rest = self.terms.bv_extract(old, low - 1, 0);
            new = self.terms.bv_concat(new, rest);
        }
        new
    }

    /// Both contents of one object as one, `condition` telling which.
    pub(crate) fn merge_contents(
        &mut self,
        state: &State,
        object: ObjectId,
        condition: TermId,
        left: &Contents,
        right: &Contents,
    ) -> Contents {
        match (left, right) {
            (Contents::Cells(a), Contents::Cells(b)) => {
                Contents::Cells(self.merge_cells(state, object, condition, a, b))
            }
            (Contents::Array(a), Contents::Array(b)) if a == b => Contents::Array(*a),
            (Contents::Array(a), Contents::Array(b)) => Contents::Array(self.merge_arrays(condition, a, b)),
            (Contents::Array(a), Contents::Cells(cells)) => {
                let b = self.array_like(state, object, cells, a);
                Contents::Array(self.merge_arrays(condition, a, &b))
            }
            (Contents::Cells(cells), Contents::Array(b)) => {
                let a = self.array_like(state, object, cells, b);
                Contents::Array(self.merge_arrays(condition, &a, b))
            }
            (Contents::Summary(a), Contents::Summary(b)) => {
                Contents::Summary(self.merge_summaries(object, condition, a, b).into())
            }
            (Contents::Summary(_), _) | (_, Contents::Summary(_)) => {
                unreachable!("a summary is one from its beginning on")
            }
        }
    }

    fn array_like(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &PersistentMap<Cell>,
        like: &ArrayContents,
    ) -> ArrayContents {
        self.array_of(state, object, cells, u64::from(like.element_bytes))
    }

    /// Which bytes of each element were written: all of them where nothing else is noted.
    pub(crate) fn written_map(&mut self, array: &ArrayContents) -> TermId {
        array.initialised.unwrap_or_else(|| {
            let all = self.terms.bv(kripke_value::BitVec::ones(array.element_bytes));
            self.terms.const_array(array.index_bits, all)
        })
    }

    /// Arrays of one object have elements of one width: see [`Engine::origin_width`].
    fn merge_arrays(&mut self, condition: TermId, a: &ArrayContents, b: &ArrayContents) -> ArrayContents {
        let initialised = match (a.initialised, b.initialised) {
            (None, None) => None,
            _ => {
                let (x, y) = (self.written_map(a), self.written_map(b));
                Some(self.terms.ite(condition, x, y))
            }
        };
        ArrayContents {
            data: self.terms.ite(condition, a.data, b.data),
            initialised,
            ..*a
        }
    }

    fn merge_cells(
        &mut self,
        state: &State,
        object: ObjectId,
        condition: TermId,
        left: &PersistentMap<Cell>,
        right: &PersistentMap<Cell>,
    ) -> PersistentMap<Cell> {
        // Cells of the same place and size join one by one; where the two sides cut the bytes
        // differently, the left side's cells are written over the right side's.
        let mut odd = Vec::new();
        let mut merged = left.merge(right, &mut |offset, a, b| match (a, b) {
            (Some(a), Some(b)) if a == b => Some(a.clone()),
            (Some(a), Some(b)) if a.bytes == b.bytes && same_form(&self.terms, &a.value, &b.value) => {
                Some(Cell {
                    value: a.value.select(&mut self.terms, condition, &b.value),
                    bytes: a.bytes,
                    initialised: a.initialised.select(
                        &mut self.terms,
                        condition,
                        &b.initialised,
                        u64::from(a.bytes),
                    ),
                })
            }
            (a, b) => {
                odd.push((offset, a.cloned(), b.cloned()));
                None
            }
        });
        if odd.is_empty() {
            return merged;
        }
        // Pointers first, then larger cells: what lies within a cell that is joined is joined with it.
        let each = |(offset, a, b): (u64, Option<Cell>, Option<Cell>)| {
            let both = [a, b].into_iter().flatten();
            both.map(move |cell| (offset, cell)).collect::<Vec<_>>()
        };
        let mut odd: Vec<(u64, Cell)> = odd.into_iter().flat_map(each).collect();
        odd.sort_by_key(|(_, cell)| (!matches!(cell.value, Value::Pointer(_)), Reverse(cell.bytes)));
        for (offset, cell) in &odd {
            self.join_range(
                state,
                object,
                condition,
                (left, right),
                &mut merged,
                *offset,
                cell,
            );
        }
        merged
    }

    /// Joins the bytes under one cell of one side. Pointers win over bits, so that null and
    /// uninitialised bytes on the other side do not cost the provenance.
    #[allow(clippy::too_many_arguments, reason = "a merge has two sides and a result")]
    fn join_range(
        &mut self,
        state: &State,
        object: ObjectId,
        condition: TermId,
        (left, right): (&PersistentMap<Cell>, &PersistentMap<Cell>),
        merged: &mut PersistentMap<Cell>,
        offset: u64,
        cell: &Cell,
    ) {
        if is_within_a_cell(merged, offset, cell.bytes) {
            return;
        }
        let is_pointer = |map: &PersistentMap<Cell>| {
            map.get(offset)
                .is_some_and(|other| other.bytes == cell.bytes && matches!(other.value, Value::Pointer(_)))
        };
        let ty = match &cell.value {
            _ if is_pointer(left) || is_pointer(right) => Type::Pointer,
            Value::Term(term) => match self.terms.sort(*term) {
                Sort::Float(format) => Type::Float(format),
                _ => Type::Int(cell.bytes * 8),
            },
            Value::Pointer(_) => Type::Pointer,
        };
        let (a, a_written) = self.read_cells(state, object, left, offset, ty);
        let (b, b_written) = self.read_cells(state, object, right, offset, ty);
        let joined = Cell {
            value: a.select(&mut self.terms, condition, &b),
            bytes: cell.bytes,
            initialised: a_written.select(&mut self.terms, condition, &b_written, u64::from(cell.bytes)),
        };
        let truth = self.terms.true_();
        self.write_cells(state, object, merged, offset, &joined, truth);
    }
}

/// Is there a cell with all of so many bytes? Where it is a pointer, no byte of it is taken out.
fn is_within_a_cell(cells: &PersistentMap<Cell>, offset: u64, bytes: u32) -> bool {
    let end = offset + u64::from(bytes);
    let mut within = false;
    cells.for_range(
        offset.saturating_sub(MAX_CELL - 1),
        offset + 1,
        &mut |start, cell| {
            within |= start + u64::from(cell.bytes) >= end;
        },
    );
    within
}

/// Can the two be selected without conversion?
fn same_form(terms: &kripke_smt::Terms, a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Term(a), Value::Term(b)) => terms.sort(*a) == terms.sort(*b),
        (Value::Pointer(_), Value::Pointer(_)) => true,
        _ => false,
    }
}
