//! Reading and writing typed cells at constant offsets.
//!
//! An access that matches a cell takes its value; any other access of the same bytes takes them apart
//! and puts them together, in the machine's byte order. A pointer that is read as bytes becomes its
//! address; a float becomes its bits.

use kripke_elts::{Id, Type};
use kripke_smt::{Sort, TermId};

use crate::contents::{Cell, Initialised, MAX_CELL};
use crate::engine::Engine;
use crate::expression::{as_bits, from_bits};
use crate::object::{ObjectId, Rest};
use crate::persistent::PersistentMap;
use crate::state::State;
use crate::value::Value;

/// Objects up to this size have one variable per byte for initial contents that are unknown; larger ones
/// an array variable.
pub(crate) const BYTE_VARIABLES: u64 = 64;

/// The width in bytes of array elements that suit accesses of that many bytes.
pub(crate) fn element_width(access_bytes: u64) -> u32 {
    1 << access_bytes.max(1).trailing_zeros().min(4)
}

/// A part of a range of memory.
enum Piece {
    /// Bytes `from..from + count` of a cell.
    Part { cell: Cell, from: u64, count: u64 },
    /// A byte that no cell covers.
    Gap { offset: u64 },
}

impl Engine<'_> {
    /// Bytes that an access of the type touches.
    pub(crate) fn bytes_of(&self, ty: Type) -> u64 {
        ty.bytes(&self.program.data_model)
    }

    /// A scalar as a cell holds it: integers as whole bytes.
    pub(crate) fn encode_cell(&mut self, value: &Value, ty: Type) -> Value {
        match (value, ty) {
            (Value::Term(term), Type::Int(_)) => {
                let bits = as_bits(&mut self.terms, *term);
                let width = (self.bytes_of(ty) * 8) as u32;
                Value::Term(self.terms.bv_zext(bits, width))
            }
            _ => value.clone(),
        }
    }

    /// The bits of a cell's value.
    pub(crate) fn cell_bits(&mut self, value: &Value) -> TermId {
        match value {
            Value::Term(term) => match self.terms.sort(*term) {
                Sort::Float(_) => self.terms.fp_to_bits(*term),
                _ => *term,
            },
            Value::Pointer(pointer) => self.address_of(pointer),
        }
    }

    /// A cell's value read as a type of the same number of bytes.
    pub(crate) fn decode_cell(&mut self, state: &State, value: &Value, ty: Type) -> Value {
        match (value, ty) {
            (Value::Pointer(_), Type::Pointer) => return value.clone(),
            (Value::Term(term), Type::Float(format)) if self.terms.sort(*term) == Sort::Float(format) => {
                return value.clone();
            }
            _ => {}
        }
        let bits = self.cell_bits(value);
        match ty {
            Type::Int(width) => {
                let bits = self.terms.bv_extract(bits, width - 1, 0);
                Value::Term(from_bits(&mut self.terms, bits))
            }
            Type::Float(format) => {
                let bits = self.terms.bv_extract(bits, format.bits() - 1, 0);
                Value::Term(self.terms.fp_from_bits(format, bits))
            }
            Type::Pointer => Value::Pointer(self.pointer_at(state, bits)),
        }
    }

    /// What a byte of an object holds before anything is written there.
    /// `access_bytes` is the size of the access that asks.
    pub(crate) fn initial_byte(&mut self, object: ObjectId, offset: u64, access_bytes: u64) -> TermId {
        let info = &self.run.objects[object];
        if info.rest == Rest::Zero {
            return self.terms.bv_u64(8, 0);
        }
        if info.constant_size.is_some_and(|size| size <= BYTE_VARIABLES) {
            let name = format!("initial!{}!{offset}", info.name);
            return self.terms.variable(&name, Sort::BitVec(8));
        }
        let element = u64::from(self.origin_width(object, element_width(access_bytes)));
        let index_bits = self.index_bits(object, element as u32);
        let array = self.origin_array(object, element as u32, index_bits);
        let index = self.terms.bv_u64(index_bits, offset / element);
        let bits = self.terms.select(array, index);
        let shift = self.byte_shift(offset % element, element);
        self.terms.bv_extract(bits, shift + 7, shift)
    }

    /// The lowest bit of a byte in a unit of that many bytes.
    pub(crate) fn byte_shift(&self, byte: u64, bytes: u64) -> u32 {
        let place = if self.program.data_model.big_endian {
            bytes - 1 - byte
        } else {
            byte
        };
        (place * 8) as u32
    }

    /// Puts values together that follow each other in memory, first one first.
    pub(crate) fn join(&mut self, parts: &[TermId]) -> TermId {
        let mut result = parts[0];
        for part in &parts[1..] {
            result = match self.program.data_model.big_endian {
                true => self.terms.bv_concat(result, *part),
                false => self.terms.bv_concat(*part, result),
            };
        }
        result
    }

    fn pieces(&self, cells: &PersistentMap<Cell>, offset: u64, bytes: u64) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut at = offset;
        let end = offset + bytes;
        cells.for_range(offset.saturating_sub(MAX_CELL - 1), end, &mut |start, cell| {
            let cell_end = start + u64::from(cell.bytes);
            if cell_end <= at {
                return;
            }
            while at < start {
                pieces.push(Piece::Gap { offset: at });
                at += 1;
            }
            let count = cell_end.min(end) - at;
            pieces.push(Piece::Part {
                cell: cell.clone(),
                from: at - start,
                count,
            });
            at += count;
        });
        while at < end {
            pieces.push(Piece::Gap { offset: at });
            at += 1;
        }
        pieces
    }

    fn part_bits(&mut self, cell: &Cell, from: u64, count: u64) -> TermId {
        let bits = self.cell_bits(&cell.value);
        let total = u64::from(cell.bytes);
        let width = self.terms.width(bits);
        let bits = self.terms.bv_zext(bits, width.max((total * 8) as u32));
        let (low, high) = match self.program.data_model.big_endian {
            true => ((total - from - count) * 8, (total - from) * 8 - 1),
            false => (from * 8, (from + count) * 8 - 1),
        };
        self.terms.bv_extract(bits, high as u32, low as u32)
    }

    /// Reads a value at a constant offset, with which of its bytes were written.
    pub(crate) fn read_cells(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &PersistentMap<Cell>,
        offset: u64,
        ty: Type,
    ) -> (Value, Initialised) {
        let bytes = self.bytes_of(ty);
        if let Some(cell) = cells.get(offset)
            && u64::from(cell.bytes) == bytes
        {
            let (value, initialised) = (cell.value.clone(), cell.initialised.clone());
            return (self.decode_cell(state, &value, ty), initialised);
        }
        let (mut parts, mut initialised) = (Vec::new(), Vec::with_capacity(bytes as usize));
        for piece in self.pieces(cells, offset, bytes) {
            match piece {
                Piece::Part { cell, from, count } => {
                    parts.push(self.part_bits(&cell, from, count));
                    initialised.extend((from..from + count).map(|index| cell.initialised.byte(index)));
                }
                Piece::Gap { offset } => {
                    parts.push(self.initial_byte(object, offset, bytes));
                    let written = self.run.objects[object].rest != Rest::Uninitialised;
                    initialised.push(self.terms.bool_(written));
                }
            }
        }
        let bits = self.join(&parts);
        (
            self.decode_cell(state, &Value::Term(bits), ty),
            Initialised::from_bytes(initialised),
        )
    }

    /// Writes a value in cell form at a constant offset where the guard holds.
    pub(crate) fn write_cells(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &mut PersistentMap<Cell>,
        offset: u64,
        new: &Cell,
        guard: TermId,
    ) {
        let bytes = u64::from(new.bytes);
        if bytes > MAX_CELL {
            return self.write_wide(state, object, cells, offset, new, guard);
        }
        let mut cell = new.clone();
        match self.terms.as_bool(guard) {
            Some(true) => {}
            Some(false) => return,
            None => {
                let ty = self.cell_type(&new.value);
                let (old, initialised) = self.read_cells(state, object, cells, offset, ty);
                cell.value = new.value.select(&mut self.terms, guard, &old);
                cell.initialised = new
                    .initialised
                    .select(&mut self.terms, guard, &initialised, bytes);
            }
        }
        self.clear_cells(cells, offset, bytes);
        cells.set(offset, cell);
    }

    /// The type whose values a cell value can be selected with.
    pub(crate) fn cell_type(&self, value: &Value) -> Type {
        match value {
            Value::Pointer(_) => Type::Pointer,
            Value::Term(term) => match self.terms.sort(*term) {
                Sort::Float(format) => Type::Float(format),
                sort => Type::Int(sort.width()),
            },
        }
    }

    /// Writes an integer that is wider than a cell, in pieces.
    fn write_wide(
        &mut self,
        state: &State,
        object: ObjectId,
        cells: &mut PersistentMap<Cell>,
        offset: u64,
        new: &Cell,
        guard: TermId,
    ) {
        let mut from = 0;
        while from < u64::from(new.bytes) {
            let count = (u64::from(new.bytes) - from).min(8);
            let bits = self.part_bits(new, from, count);
            let written: Vec<TermId> = (from..from + count)
                .map(|index| new.initialised.byte(index))
                .collect();
            let piece = Cell {
                value: Value::Term(bits),
                bytes: count as u32,
                initialised: Initialised::from_bytes(written),
            };
            self.write_cells(state, object, cells, offset + from, &piece, guard);
            from += count;
        }
    }

    /// Removes what the cells say about a range; cells that reach beyond it keep their other bytes.
    fn clear_cells(&mut self, cells: &mut PersistentMap<Cell>, offset: u64, bytes: u64) {
        let end = offset + bytes;
        let mut touched = Vec::new();
        cells.for_range(offset.saturating_sub(MAX_CELL - 1), end, &mut |start, cell| {
            if start + u64::from(cell.bytes) > offset {
                touched.push((start, cell.clone()));
            }
        });
        for (start, cell) in touched {
            cells.remove(start);
            let cell_end = start + u64::from(cell.bytes);
            if start < offset {
                let part = self.part_cell(&cell, 0, offset - start);
                cells.set(start, part);
            }
            if cell_end > end {
                let part = self.part_cell(&cell, end - start, cell_end - end);
                cells.set(end, part);
            }
        }
    }

    fn part_cell(&mut self, cell: &Cell, from: u64, count: u64) -> Cell {
        let bits = self.part_bits(cell, from, count);
        let written: Vec<TermId> = (from..from + count)
            .map(|index| cell.initialised.byte(index))
            .collect();
        Cell {
            value: Value::Term(bits),
            bytes: count as u32,
            initialised: Initialised::from_bytes(written),
        }
    }

    /// The initial contents of a global.
    pub(crate) fn initial_cells(
        &mut self,
        state: &State,
        global: kripke_elts::GlobalId,
    ) -> PersistentMap<Cell> {
        let program = self.program;
        let mut cells = PersistentMap::default();
        let object = ObjectId(global.index() as u32);
        let truth = self.terms.true_();
        for cell in &program.globals[global].cells {
            let value = self.eval(state, &cell.value);
            let new = Cell {
                value: self.encode_cell(&value, cell.ty),
                bytes: self.bytes_of(cell.ty) as u32,
                initialised: Initialised::Whole(truth),
            };
            self.write_cells(state, object, &mut cells, cell.offset, &new, truth);
        }
        cells
    }
}
