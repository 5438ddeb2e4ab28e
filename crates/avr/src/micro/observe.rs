//! What atoms see besides memory: where the run is, which handlers are active, what the program last read of
//! its inputs, and flags in the moment in which hardware sets them.
//!
//! Idea: an atom reads cells. The program counter is in a state's header. A handler is active from its entry
//! until a return leaves the stack pointer above where it stood then, so the state holds that for each
//! handler that an atom asks about, and for an interrupt that came in the midst of a statement. A register of
//! input pins holds what the program last read of the bits that atoms name, 0 before. A flag that an atom
//! names is set, if it is, by a choice at the end of a step; one that is still unknown has not been set yet.
//!
//! Invariant: nothing of this changes what the program sees.

use super::{Micro, deposited};
use crate::byte::{AbstractByte as _, Bits};
use crate::footprint::{ACTIVE, COUNTER, Cell, MID_STATEMENT};
use crate::peripherals::Place;

/// Bytes of a stack pointer in a state.
const POINTER: usize = 2;

/// Frames on the stack that are followed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frames {
    /// Where their stack pointers lie in a state.
    place: usize,
    /// The numbers of the interrupts.
    handlers: Vec<u8>,
    /// Whether one is kept for an interrupt in the midst of a statement, behind the others.
    statements: bool,
}

impl Frames {
    pub(crate) fn new(place: usize, mut handlers: Vec<u8>, statements: bool) -> Self {
        handlers.sort_unstable();
        handlers.dedup();
        Self {
            place,
            handlers,
            statements,
        }
    }

    fn count(&self) -> usize {
        self.handlers.len() + usize::from(self.statements)
    }

    /// Bytes of a state.
    pub(crate) fn size(&self) -> usize {
        POINTER * self.count()
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let first = self.place + POINTER * index;
        first..first + POINTER
    }

    /// Where the frame that a cell tells of lies.
    fn of_cell(&self, cell: Cell) -> Option<std::ops::Range<usize>> {
        let index = match cell {
            MID_STATEMENT => self.statements.then_some(self.handlers.len()),
            _ => {
                let number = |known: &u8| ACTIVE + u32::from(*known) == cell;
                self.handlers.iter().position(number)
            }
        };
        index.map(|index| self.range(index))
    }
}

impl Micro {
    /// What an atom reads in a state: a byte of the data address space, or where the run is.
    #[must_use]
    pub fn cell_of(&self, state: &[u8], cell: Cell) -> Bits {
        if cell < COUNTER {
            let bits = match (cell as usize) < self.footprint.cells() {
                true => self.footprint.read(state, cell),
                false => Bits::input(0, 0xFF, 0),
            };
            return self.labelling.seen(cell, bits);
        }
        if cell < ACTIVE {
            let address = self.pc_of(state) * 2;
            return Bits::known(address.to_le_bytes()[(cell - COUNTER) as usize]);
        }
        match self.labelling.frames.of_cell(cell) {
            Some(range) => Bits::known(u8::from(state[range] != [0; POINTER])),
            None => Bits::input(0, 0xFF, 0),
        }
    }

    /// An interrupt is entered before the instruction at a word address; its return address was pushed.
    pub(crate) fn enter_frames(&mut self, number: u8, word: u32) {
        let frames = &self.labelling.frames;
        if frames.count() == 0 {
            return;
        }
        let begins = self.options.statements.as_deref().unwrap_or_default();
        let is_amid = frames.statements && begins.binary_search(&(word * 2)).is_err();
        let own = frames.handlers.iter().position(|handler| *handler == number);
        let entered = [own, is_amid.then_some(frames.handlers.len())];
        let ranges = entered.map(|index| index.map(|index| frames.range(index)));
        let pointer = self.stack().max(1).to_le_bytes();
        for range in ranges.into_iter().flatten() {
            let frame = &mut self.draft.state[range];
            if frame == [0; POINTER] {
                frame.copy_from_slice(&pointer);
            }
        }
    }

    /// A return was executed: what lies above the stack pointer is left.
    pub(crate) fn leave_frames(&mut self) {
        for index in 0..self.labelling.frames.count() {
            let range = self.labelling.frames.range(index);
            let frame = &self.draft.state[range.clone()];
            let entered = u16::from_le_bytes([frame[0], frame[1]]);
            if entered != 0 && self.stack() > entered {
                self.draft.state[range].fill(0);
            }
        }
    }

    /// The chip is reset: no handler is active.
    pub(crate) fn clear_frames(&mut self) {
        for index in 0..self.labelling.frames.count() {
            let range = self.labelling.frames.range(index);
            self.draft.state[range].fill(0);
        }
    }

    /// Keeps what the program reads of input pins, if atoms name them.
    pub(crate) fn keep_input(&mut self, at: u16, bits: Bits) -> Bits {
        let mut named = self.labelling.inputs.iter();
        let Some(mask) = named.find_map(|(pin, mask)| (*pin == at).then_some(*mask)) else {
            return bits;
        };
        let open = bits.unknown & mask;
        let mut kept = bits;
        if open != 0 {
            let value = deposited(self.choose(1 << open.count_ones()), open);
            if let Some(tracer) = &mut self.tracer {
                tracer.demand(bits.origin, open, value);
            }
            kept.value = bits.value & !open | value;
            kept.unknown &= !open;
        }
        // Bits that no atom names need no place in the state.
        self.write(u32::from(at), Bits::known(kept.value & !kept.unknown & mask));
        kept
    }

    /// Flags that atoms name are set now, or later, if at all. Whether one is set whose source has ended is
    /// decided.
    pub(crate) fn let_flags_be_set(&mut self) {
        if self.prefix.under_way {
            return;
        }
        let mut is_decided = false;
        for index in 0..self.labelling.flags.len() {
            let flag = self.labelling.flags[index];
            if self.at(flag).unknown & flag.mask == 0 {
                continue;
            }
            let mut events = self.chip.rules.events.iter();
            let is_active = events.any(|event| event.flag == flag && self.holds(&event.active));
            let is_set = self.choose(2) == 1;
            if is_set || !is_active {
                self.decide_flag(flag, is_set);
                is_decided = true;
            }
        }
        if is_decided {
            self.refresh();
        }
    }

    fn decide_flag(&mut self, flag: Place, is_set: bool) {
        let (cell, bits) = (u32::from(flag.address), self.at(flag));
        // An operation that begins again by itself goes on.
        let both = match self.begins_again(flag) {
            true => flag.mask,
            false => flag.mask | self.together(cell, flag.mask),
        };
        let mask = bits.unknown & both;
        let value = self.with_ends(cell, bits, mask, if is_set { flag.mask } else { 0 }) & mask;
        if let Some(tracer) = &mut self.tracer {
            tracer.demand(bits.origin, mask, value);
            if is_set {
                tracer.set(flag.address, flag.mask);
            }
        }
        let known = Bits {
            value: bits.value & !mask | value,
            unknown: bits.unknown & !mask,
            ..bits
        };
        self.write(cell, known);
        self.note_ends(cell, mask, known);
    }

    /// The bytes of a state behind its labels that atoms need.
    pub(crate) fn follow_frames(&mut self, place: usize) -> usize {
        let atoms = self.labelling.atoms.iter();
        let handlers = atoms.clone().flat_map(|(atom, _)| atom.handlers()).collect();
        let statements = { atoms }.any(|(atom, _)| atom.asks_for_statements());
        self.labelling.frames = Frames::new(place, handlers, statements);
        place + self.labelling.frames.size()
    }

    /// Finds out which inputs and flags atoms name.
    pub(crate) fn find_inputs(&mut self) {
        let atoms = &self.labelling.atoms;
        let bits = |at: u16| {
            let cells = atoms.iter().map(|(atom, _)| atom.bits_of(u32::from(at)));
            cells.fold(0, |all, bits| all | bits)
        };
        let pins = self.chip.rules.ports.iter().map(|port| port.pin);
        let inputs = pins.map(|pin| (pin, bits(pin))).filter(|(_, bits)| *bits != 0);
        let inputs = inputs.collect();
        let events = self.chip.rules.events.iter();
        let mut flags: Vec<Place> = events.map(|event| event.flag).collect();
        flags.retain(|flag| bits(flag.address) & flag.mask != 0);
        flags.sort_unstable_by_key(|flag| (flag.address, flag.mask));
        flags.dedup();
        (self.labelling.inputs, self.labelling.flags) = (inputs, flags);
    }

    /// The value of an input register before the program first reads it.
    pub(crate) fn is_named_input(&self, cell: Cell) -> bool {
        let mut inputs = self.labelling.inputs.iter();
        inputs.any(|(pin, _)| u32::from(*pin) == cell)
    }
}
