//! `memcpy`, `memmove` and `memset`.
//!
//! Idea: a range is cut into the cells that its source has, so that pointers and floats are copied whole;
//! all pieces are read before any is written. A length that is not constant becomes one condition
//! per byte, up to the largest length the objects allow; where that is large or not known, the range is told
//! as a whole ([`crate::ranges`]).

use kripke_elts::{AccessChecks, Type};
use kripke_smt::{Sort, TermId};

use crate::contents::{ArrayContents, Cell, Contents, Initialised};
use crate::engine::Engine;
use crate::memory::Access;
use crate::range::Ranges;
use crate::record::Cut;
use crate::state::State;
use crate::value::{Case, Pointer, Target, Value};

/// The longest range whose length is not constant that is written byte by byte,
const MAX_SYMBOLIC_LENGTH: u64 = 1 << 8;
/// and the longest whose length is constant: others are told as a whole.
const MAX_CONSTANT_LENGTH: u64 = 1 << 14;
/// The longest range of registers whose length is not constant: each of them is an input of its own.
const MAX_REGISTERS: u64 = 1 << 12;

impl Engine<'_> {
    /// `memcpy` or `memmove`; false when no path goes on.
    pub(crate) fn copy_memory(
        &mut self,
        state: &mut State,
        target: &Pointer,
        source: &Pointer,
        length: TermId,
        overlap: bool,
        checks: AccessChecks,
    ) -> bool {
        if self.constant(length) == Some(0) {
            return true;
        }
        let Some(sources) = self.judge(state, source, Access::bytes(length, false, checks)) else {
            return false;
        };
        let Some(targets) = self.judge(state, target, Access::bytes(length, true, checks)) else {
            return false;
        };
        if !overlap {
            let wrong = self.overlapping(&targets, &sources, length);
            if !self.violation_or_misuse(state, wrong, checks.pointer, "memcpy between overlapping ranges") {
                return false;
            }
        }
        let Some(limit) = self.longest(state, length, &targets, &sources) else {
            if targets
                .iter()
                .chain(&sources)
                .any(|case| case.individual.is_some())
            {
                self.give_up("a range of one of many objects is copied");
                return true;
            }
            if self.reads_registers(&sources) {
                return self.too_long(state);
            }
            self.copy_range(state, &targets, &sources, length);
            return true;
        };
        let pieces = self.pieces_of(state, &sources, limit, self.constant(length).is_some());
        let mut cells = Vec::with_capacity(pieces.len());
        for (from, ty) in pieces {
            let within = self.within(length, from);
            cells.push((from, self.read_piece(state, &sources, from, ty, within)));
        }
        for (from, cell) in cells {
            let guard = self.within(length, from);
            self.write_piece(state, &targets, from, &cell, guard);
        }
        true
    }

    /// `memset`; false when no path goes on.
    pub(crate) fn set_memory(
        &mut self,
        state: &mut State,
        target: &Pointer,
        value: TermId,
        length: TermId,
        checks: AccessChecks,
    ) -> bool {
        if self.constant(length) == Some(0) {
            return true;
        }
        let Some(targets) = self.judge(state, target, Access::bytes(length, true, checks)) else {
            return false;
        };
        if targets.iter().any(|case| case.individual.is_some()) {
            self.give_up("a range of one of many objects is set");
            return true;
        }
        let device = |case: &Case| case.target == Target::Device;
        if targets.iter().all(device) || self.set_whole_array(state, &targets, value, length) {
            return true;
        }
        let Some(limit) = self.longest(state, length, &targets, &[]) else {
            self.fill_range(state, &targets, value, length);
            return true;
        };
        let unit = self.fill_unit(&targets, length);
        let truth = self.terms.true_();
        let mut from = 0;
        while from < limit {
            let bytes = unit.min(limit - from);
            let mut bits = value;
            for _ in 1..bytes {
                bits = self.terms.bv_concat(bits, value);
            }
            let cell = Cell {
                value: Value::Term(bits),
                bytes: bytes as u32,
                initialised: Initialised::Whole(truth),
            };
            let guard = self.within(length, from);
            self.write_piece(state, &targets, from, &cell, guard);
            from += bytes;
        }
        true
    }

    /// The width of the cells that a constant fill writes.
    fn fill_unit(&self, targets: &[Case], length: TermId) -> u64 {
        let aligned = |case: &Case| match (case.target, self.constant(case.offset)) {
            (Target::Object(_), Some(offset)) => offset.is_multiple_of(8),
            (Target::Object(_), None) => false,
            _ => true,
        };
        if self.constant(length).is_some() && targets.iter().all(aligned) {
            8
        } else {
            1
        }
    }

    /// A whole object that is an array is set by a constant array.
    fn set_whole_array(
        &mut self,
        state: &mut State,
        targets: &[Case],
        value: TermId,
        length: TermId,
    ) -> bool {
        let [
            Case {
                target: Target::Object(object),
                offset,
                guard,
                ..
            },
        ] = targets
        else {
            return false;
        };
        let size = self.run.objects[*object].size;
        let whole = size == length && self.constant(*offset) == Some(0);
        let certain = self.terms.as_bool(*guard) == Some(true);
        let Some(mut entry) = state.memory.get(object.key()).cloned() else {
            return false;
        };
        let (true, true, Contents::Array(array)) = (whole, certain, &entry.contents) else {
            return false;
        };
        let mut element = value;
        for _ in 1..array.element_bytes {
            element = self.terms.bv_concat(element, value);
        }
        let data = self.terms.const_array(array.index_bits, element);
        entry.contents = Contents::Array(ArrayContents {
            data,
            initialised: None,
            ..*array
        });
        state.memory.set(object.key(), entry);
        true
    }

    /// Is the byte at this distance part of the range?
    fn within(&mut self, length: TermId, from: u64) -> TermId {
        let from = self.terms.bv_u64(self.pointer_width, from);
        self.terms.bv_ult(from, length)
    }

    fn too_long(&mut self, state: &mut State) -> bool {
        let truth = self.terms.true_();
        let what = format!("a range of registers of any length above {MAX_REGISTERS} bytes is copied");
        self.cut(state, truth, Cut::Unsupported { what });
        false
    }

    /// Is one of the sources a register, whose bytes are inputs?
    fn reads_registers(&self, sources: &[Case]) -> bool {
        sources.iter().any(|case| match case.target {
            Target::Object(object) => self.is_register(object, false),
            Target::Device => true,
            Target::Null | Target::Raw | Target::Function(_) | Target::Summary(_) => false,
        })
    }

    /// The largest length that the range and the objects allow, where it is to be told byte by byte.
    fn longest(&mut self, state: &State, length: TermId, targets: &[Case], sources: &[Case]) -> Option<u64> {
        let (mut symbolic, mut constant) = match self.options.range_threshold {
            Some(most) => (most, most),
            None => (MAX_SYMBOLIC_LENGTH, MAX_CONSTANT_LENGTH),
        };
        if self.reads_registers(sources) {
            (symbolic, constant) = (MAX_REGISTERS, u64::MAX);
        }
        if let Some(length) = self.constant(length) {
            return (length <= constant).then_some(length);
        }
        let facts = self.facts(state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(length);
        let mut limit = if interval.low >= 0 {
            interval.high.min(i128::from(u64::MAX)) as u64
        } else {
            u64::MAX
        };
        for side in [targets, sources].into_iter().filter(|side| !side.is_empty()) {
            // A device has no end that is known. The judgement leaves no other target with a byte to touch.
            let sizes = side.iter().map(|case| match case.target {
                Target::Object(object) | Target::Summary(object) => {
                    self.run.objects[object].constant_size.unwrap_or(u64::MAX)
                }
                Target::Device => u64::MAX,
                Target::Null | Target::Raw | Target::Function(_) => 0,
            });
            limit = limit.min(sizes.max().unwrap_or(0));
        }
        (limit <= symbolic).then_some(limit)
    }

    fn overlapping(&mut self, targets: &[Case], sources: &[Case], length: TermId) -> TermId {
        let mut wrong = self.terms.false_();
        for target in targets {
            for source in sources {
                if target.target != source.target {
                    continue;
                }
                let equal = self.terms.eq(target.offset, source.offset);
                let apart = self.terms.not(equal);
                let up = self.terms.bv_sub(target.offset, source.offset);
                let down = self.terms.bv_sub(source.offset, target.offset);
                let (up, down) = (self.terms.bv_ult(up, length), self.terms.bv_ult(down, length));
                let near = self.terms.or(up, down);
                let mut both = self.terms.and(target.guard, source.guard);
                if target.individual.is_some() {
                    let same = self.same_individual(target, source);
                    both = self.terms.and(both, same);
                }
                let here = self.terms.and_all([both, apart, near]);
                wrong = self.terms.or(wrong, here);
            }
        }
        wrong
    }

    /// The pieces of a source range: offset from its start, and type.
    fn pieces_of(&self, state: &State, sources: &[Case], limit: u64, whole: bool) -> Vec<(u64, Type)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        if whole && let Some((cells, start)) = self.source_cells(state, sources) {
            let end = start + limit;
            cells.for_range(start, end, &mut |offset, cell| {
                if offset + u64::from(cell.bytes) > end {
                    return;
                }
                fill_gap(&mut pieces, &mut at, offset - start);
                let ty = match &cell.value {
                    Value::Pointer(_) => Type::Pointer,
                    Value::Term(term) => match self.terms.sort(*term) {
                        Sort::Float(format) => Type::Float(format),
                        _ => Type::Int(cell.bytes * 8),
                    },
                };
                pieces.push((at, ty));
                at += u64::from(cell.bytes);
            });
        } else if whole && let Some(fields) = self.source_fields(state, sources) {
            for (offset, ty) in fields {
                if offset >= at && offset + self.bytes_of(ty) <= limit {
                    fill_gap(&mut pieces, &mut at, offset);
                    pieces.push((at, ty));
                    at += self.bytes_of(ty);
                }
            }
        } else if whole && limit >= 8 {
            let unit = self.array_unit(state, sources);
            while at + unit <= limit {
                pieces.push((at, Type::Int((unit * 8) as u32)));
                at += unit;
            }
        }
        fill_gap(&mut pieces, &mut at, limit);
        pieces
    }

    /// Offsets from the start of the range and types of the fields of a source that is a summary.
    fn source_fields(&self, state: &State, sources: &[Case]) -> Option<Vec<(u64, Type)>> {
        let case = sources.iter().find(|case| case.individual.is_some())?;
        let (Target::Summary(object), Some(start)) = (case.target, self.constant(case.offset)) else {
            return None;
        };
        let summary = self.summary(state, object)?;
        let fields = summary.fields.range(start..).map(|(offset, field)| {
            let ty = match field.pointers {
                Some(_) => Type::Pointer,
                None => Type::Int(field.bytes * 8),
            };
            (offset - start, ty)
        });
        Some(fields.collect())
    }

    /// Cells and offset of the first source whose layout can be seen.
    fn source_cells<'s>(
        &self,
        state: &'s State,
        sources: &[Case],
    ) -> Option<(&'s crate::persistent::PersistentMap<Cell>, u64)> {
        for case in sources {
            let Target::Object(object) = case.target else {
                continue;
            };
            let offset = match self.constant(case.offset) {
                Some(offset) => offset,
                None => continue,
            };
            if let Some(entry) = state.memory.get(object.key())
                && let Contents::Cells(cells) = &entry.contents
            {
                return Some((cells, offset));
            }
        }
        self.symbolic_layout(state, sources)
    }

    /// The layout at the first offset that a source with a symbolic offset may have: arrays of structures
    /// have the same one at all.
    fn symbolic_layout<'s>(
        &self,
        state: &'s State,
        sources: &[Case],
    ) -> Option<(&'s crate::persistent::PersistentMap<Cell>, u64)> {
        let [
            Case {
                target: Target::Object(object),
                offset,
                ..
            },
        ] = sources
        else {
            return None;
        };
        let facts = crate::range::Facts::new(&self.terms, &self.run.paths, state.path);
        let interval = Ranges::new(&self.terms, &facts).interval(*offset);
        let start = if interval.low >= 0 {
            interval.low
        } else if interval.stride > 0 {
            interval.low.rem_euclid(interval.stride)
        } else {
            return None;
        };
        match &state.memory.get(object.key())?.contents {
            Contents::Cells(cells) => Some((cells, start as u64)),
            Contents::Array(_) | Contents::Summary(_) => None,
        }
    }

    fn array_unit(&self, state: &State, sources: &[Case]) -> u64 {
        let [
            Case {
                target: Target::Object(object),
                ..
            },
        ] = sources
        else {
            return 1;
        };
        match state.memory.get(object.key()).map(|entry| &entry.contents) {
            Some(Contents::Array(array)) => u64::from(array.element_bytes),
            _ => 1,
        }
    }

    fn read_piece(
        &mut self,
        state: &mut State,
        sources: &[Case],
        from: u64,
        ty: Type,
        within: TermId,
    ) -> Cell {
        let bytes = self.bytes_of(ty);
        let mut result: Option<(Value, Initialised)> = None;
        for case in sources.iter().rev() {
            let own = match case.target {
                Target::Object(object) if !self.is_register(object, false) => {
                    let offset = self.shifted(case.offset, from);
                    self.read_at(state, object, offset, ty, 1)
                }
                Target::Summary(object) => {
                    let offset = self.shifted(case.offset, from);
                    self.read_individual(state, object, &Case { offset, ..*case }, ty)
                }
                _ => self.device_bytes(state, case, from, ty, within),
            };
            result = Some(match result {
                None => own,
                Some(rest) => (
                    own.0.select(&mut self.terms, case.guard, &rest.0),
                    own.1.select(&mut self.terms, case.guard, &rest.1, bytes),
                ),
            });
        }
        let (value, initialised) = result.unwrap_or_else(|| {
            let (zero, truth) = (self.terms.bv_u64(8, 0), self.terms.true_());
            (Value::Term(zero), Initialised::Whole(truth))
        });
        Cell {
            value: self.encode_cell(&value, ty),
            bytes: bytes as u32,
            initialised,
        }
    }

    /// Bytes of memory-mapped registers: inputs, first byte first.
    fn device_bytes(
        &mut self,
        state: &State,
        case: &Case,
        from: u64,
        ty: Type,
        within: TermId,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty);
        let truth = self.terms.true_();
        let here = self.here(state, case.guard);
        let guard = self.terms.and(here, within);
        let mut bits: Option<TermId> = None;
        for index in 0..bytes {
            let label = self.register_name(case, from + index);
            let source = kripke_elts::NondetSource::Device(label);
            let byte = self.nondet(guard, &source, Type::Int(8)).term();
            bits = Some(match bits {
                None => byte,
                Some(rest) if self.program.data_model.big_endian => self.terms.bv_concat(rest, byte),
                Some(rest) => self.terms.bv_concat(byte, rest),
            });
        }
        let bits = bits.unwrap_or_else(|| self.terms.bv_u64(8, 0));
        (
            self.decode_cell(state, &Value::Term(bits), ty),
            Initialised::Whole(truth),
        )
    }

    fn shifted(&mut self, offset: TermId, by: u64) -> TermId {
        let by = self.terms.bv_u64(self.pointer_width, by);
        self.terms.bv_add(offset, by)
    }

    fn write_piece(&mut self, state: &mut State, targets: &[Case], from: u64, cell: &Cell, guard: TermId) {
        for case in targets {
            let offset = self.shifted(case.offset, from);
            let guard = self.terms.and(case.guard, guard);
            match case.target {
                Target::Object(object) => self.write_at(state, object, offset, cell, guard, 1),
                Target::Summary(object) => {
                    self.write_individual(state, object, &Case { offset, ..*case }, cell, guard);
                }
                _ => {}
            }
        }
    }
}

/// Covers the bytes from `at` to `end` with pieces of one byte.
fn fill_gap(pieces: &mut Vec<(u64, Type)>, at: &mut u64, end: u64) {
    while *at < end {
        pieces.push((*at, Type::Int(8)));
        *at += 1;
    }
}
