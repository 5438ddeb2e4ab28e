//! Loads and stores of the nondeterministic microcontroller: registers, static memory, the stack and flash.
//! I/O registers have files of their own below [`crate::micro`].
//!
//! Idea: general-purpose registers and static memory may hold unknown bits, which loads and stores copy. What
//! is stored to an I/O register is decided first, as those control the peripherals.
//!
//! A load that is followed by an instruction which needs some bits of what was loaded decides those bits at
//! the source: then the next load of the same byte finds them known. This is no matter of soundness; it makes
//! fewer runs spurious.

use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::fault::Fault;
use crate::footprint::{Cell, NEVER_WRITTEN};
use crate::instruction::Operation as Op;
use crate::micro::{Micro, Nondeterminism};
use crate::peripherals::Place;
use crate::programming::{CONTROL, ENABLE, PageOperation, PagePlace, READS_ROWS};
use crate::semantics::Machine;
use crate::torn::Manner;

impl Micro {
    /// The bits of register `number` that one of the next instructions needs decided, as far as they follow
    /// each other. The bits of `open` are unknown.
    pub(crate) fn needed_soon(&self, number: u8, open: u8) -> u8 {
        let program = &self.flash_of(&self.draft.state).program;
        let mut at = self.draft.pc as usize;
        let first = program[at];
        at += usize::from(first.words);
        for _ in 0..3 {
            let Some(next) = program.get(at) else { return 0 };
            if next.d == number {
                let needed = match next.operation {
                    Op::Sbrc | Op::Sbrs | Op::Bst => 1 << next.b,
                    Op::Andi => next.k as u8,
                    Op::Cpi | Op::Subi | Op::Sbci | Op::Cp | Op::Cpc | Op::Cpse | Op::Com | Op::Neg => 0xFF,
                    Op::Add
                    | Op::Adc
                    | Op::Sub
                    | Op::Sbc
                    | Op::Inc
                    | Op::Dec
                    | Op::Lsr
                    | Op::Asr
                    | Op::Ror => 0xFF,
                    Op::And | Op::Or if next.r == number => 0xFF,
                    Op::Out | Op::Sts if self.may_store_open(next.k as u16) => 0,
                    Op::Out | Op::Eor => 0xFF,
                    Op::Sts if (next.k as u32) < u32::from(self.chip.space.io_end) => 0xFF,
                    _ => 0,
                };
                return match self.may_leave_open(at as u32, next, needed & open) {
                    true => 0,
                    false => needed,
                };
            }
            if matches!(next.operation, Op::Cp | Op::Add | Op::Sub) && next.r == number {
                return match self.may_leave_open(at as u32, next, open) {
                    true => 0,
                    false => 0xFF,
                };
            }
            if !matches!(next.operation, Op::Lds | Op::Ldi | Op::In | Op::Nop | Op::Ld) {
                return 0;
            }
            at += usize::from(next.words);
        }
        0
    }

    /// The bits of a byte of memory that are unknown whatever is stored to it.
    fn widened(&self, cell: Cell) -> u8 {
        match self.options.widened.is_empty() {
            true => 0,
            false => self.options.widened.get(&(cell as u16)).copied().unwrap_or(0),
        }
    }

    /// The register that the instruction under way loads.
    pub(crate) fn loaded(&self) -> u8 {
        self.flash_of(&self.draft.state).program[self.draft.pc as usize].d
    }

    /// Decides what a load leaves open in a cell that keeps its value.
    fn read_lasting(&mut self, cell: Cell) -> Bits {
        let bits = self.read(cell);
        // Inputs have 0 below the unknown bit, contents at power-on 1.
        let inputs = bits.unknown & !bits.value;
        if bits.unknown == 0 {
            return bits;
        }
        let needed = match self.options.nondeterminism {
            Nondeterminism::Immediate => inputs,
            Nondeterminism::Delayed => self.needed_soon(self.loaded(), bits.unknown),
        };
        self.resolve(cell, needed)
    }

    fn load_memory(&mut self, cell: Cell) -> Bits {
        let bits = self.read(cell);
        if bits.is_never_written() {
            self.read_without_value(cell);
            return bits.copied();
        }
        if self.widened(cell) != 0 {
            return bits;
        }
        self.read_lasting(cell)
    }

    /// A byte was never written; or it was, and the lazy stack has given it up.
    fn read_without_value(&mut self, cell: Cell) {
        self.commit(Fault::UninitialisedRead);
        let on_stack = cell >= u32::from(self.chip.loaded.stack_limit);
        if let Some(tracer) = &mut self.tracer {
            tracer.forgotten |= on_stack && self.options.lazy_stack;
        }
    }

    /// A byte of static memory to which something is stored.
    fn store_memory(&mut self, at: u16, bits: Bits) {
        if at >= self.chip.space.data_end {
            self.commit(Fault::OutsideMemory);
            self.draft.is_lost = true;
            return;
        }
        let bits = self.kept_of(at, bits);
        self.write(u32::from(at), bits);
        if self.labelling.observed[usize::from(at)] && bits.unknown != 0 {
            self.resolve(u32::from(at), 0xFF);
        }
    }

    /// What a byte of static memory holds when something is stored to it.
    pub(crate) fn kept_of(&self, at: u16, bits: Bits) -> Bits {
        match self.widened(u32::from(at)) {
            0 => bits.copied(),
            widened => Bits::input(bits.value, bits.unknown | widened, 0),
        }
    }

    #[inline]
    pub(crate) fn note(&mut self, at: u16, manner: Manner) {
        if self.independence.is_on() {
            self.note_independence(at, manner);
        }
        if self.options.analysis.is_some() {
            self.note_foresight(at, manner);
        }
        if self.tearing.accesses.is_some() || self.tearing.monitor != 0 {
            self.accessed(at, manner);
        }
    }

    /// A register that extends an address is used.
    fn note_extension(&mut self, at: u16, manner: Manner) {
        if self.independence.is_on() {
            self.note_independence(at, manner);
        }
    }

    pub(crate) fn stack(&self) -> u16 {
        self.stack_in(&self.draft.state)
    }

    /// The stack pointer in a state.
    pub(crate) fn stack_in(&self, state: &[u8]) -> u16 {
        let low = self.footprint.read(state, u32::from(address::SPL)).value;
        let high = match self.chip.io[usize::from(address::SPH)].known {
            true => self.footprint.read(state, u32::from(address::SPH)).value,
            false => 0,
        };
        u16::from_le_bytes([low, high])
    }

    /// Pops a byte: whether it is one of static memory, and what it held.
    fn pop_from(&mut self) -> (bool, Bits) {
        let at = self.stack().wrapping_add(1);
        self.set_stack_pointer(at);
        if self.independence.is_on() {
            self.note_stack(at, Manner::Read);
        }
        if at >= self.chip.space.data_end {
            self.commit(Fault::StackUnderflow);
            return (false, self.fresh(at, 0, 0xFF, 0));
        }
        let cell = u32::from(at);
        let bits = self.read(cell);
        if at < self.chip.space.io_end {
            self.note_popped_register();
            let bits = if at < 32 { bits } else { self.load_io(at) };
            return (false, bits);
        }
        if bits.is_never_written() {
            self.read_without_value(cell);
        } else if self.options.lazy_stack && !self.labelling.observed[usize::from(at)] {
            self.write(cell, NEVER_WRITTEN);
        }
        (true, bits)
    }

    /// What LPM reads if it does not read flash: lock bits, fuses or the signature row, of which the image
    /// says nothing. Whether the time for that is over is open.
    fn read_row(&mut self) -> Option<u8> {
        let control = self.chip.rules.programming?;
        let bits = self.read(u32::from(control));
        let may_be = bits.ones() | bits.unknown;
        if may_be & ENABLE == 0 || may_be & READS_ROWS == 0 || self.choose(2) == 0 {
            return None;
        }
        let value = self.choose(256) as u8;
        if let Some(tracer) = &mut self.tracer {
            tracer.row(value);
        }
        // Hardware clears them when that is done.
        let mask = bits.ones() & CONTROL;
        let address = control;
        self.set_unknown(Place { address, mask });
        Some(value)
    }
}

impl Machine for Micro {
    type Byte = Bits;

    fn register(&mut self, number: u8) -> Bits {
        self.read(u32::from(number))
    }

    fn demand(&mut self, number: u8, needed: u8) -> Bits {
        if self.draft.leaves_open {
            return self.register(number);
        }
        self.resolve(u32::from(number), needed)
    }

    fn set_register(&mut self, number: u8, value: Bits) {
        self.write(u32::from(number), value);
        if self.labelling.observed[usize::from(number)] && value.unknown != 0 {
            self.resolve(u32::from(number), 0xFF);
        }
    }

    fn status(&mut self) -> Bits {
        self.read(u32::from(address::SREG))
    }

    fn set_status(&mut self, value: Bits) {
        self.write(u32::from(address::SREG), value);
    }

    fn stack_pointer(&mut self) -> u16 {
        self.stack()
    }

    fn set_stack_pointer(&mut self, value: u16) {
        let [low, high] = value.to_le_bytes();
        self.write(u32::from(address::SPL), Bits::known(low));
        self.write(u32::from(address::SPH), Bits::known(high));
    }

    fn load(&mut self, at: u16) -> Bits {
        self.note(at, Manner::Read);
        match at {
            0..32 => self.read(u32::from(at)),
            // Flags that are unknown are copied.
            address::SREG if self.copies_flags() => self.read(u32::from(at)),
            _ if at < self.chip.space.io_end => self.load_io(at),
            _ if at < self.chip.space.data_end => self.load_memory(u32::from(at)),
            _ => {
                self.commit(Fault::OutsideMemory);
                self.fresh(at, 0, 0xFF, 0)
            }
        }
    }

    fn store(&mut self, at: u16, number: u8) {
        self.note(at, Manner::Write);
        if at < 32 {
            let value = self.register(number);
            self.set_register(at as u8, value);
        } else if at < self.chip.space.io_end {
            if self.store_open(at, number) {
                return;
            }
            let value = self.demand(number, 0xFF).value;
            self.store_io(at, value, 0xFF);
        } else {
            let observed = self
                .labelling
                .observed
                .get(usize::from(at))
                .copied()
                .unwrap_or(false);
            let value = if observed {
                self.demand(number, 0xFF)
            } else {
                self.register(number)
            };
            self.store_memory(at, value);
        }
    }

    fn load_bit(&mut self, at: u16, bit: u8) -> bool {
        self.note(at, Manner::Read);
        let mask = 1 << bit;
        let io = &self.chip.io[usize::from(at)];
        let is_constrained = self.options.inputs.iter().any(|(known, _)| *known == at);
        let is_free = io.known && io.pin.is_none() && !is_constrained;
        let lasting = is_free && self.volatile_bits(at) & mask == 0;
        let bits = if lasting {
            self.draft.io_changed |= self.read(u32::from(at)).unknown & mask != 0;
            self.resolve(u32::from(at), mask)
        } else {
            self.load_io(at)
        };
        if bits.unknown & mask == 0 {
            return bits.value & mask != 0;
        }
        let value = self.choose(2) == 1;
        if let Some(tracer) = &mut self.tracer {
            tracer.demand(bits.origin, mask, if value { mask } else { 0 });
        }
        value
    }

    fn store_bit(&mut self, at: u16, bit: u8, value: bool) {
        self.note(at, Manner::Both);
        let mask = 1 << bit;
        let written = if value { mask } else { 0 };
        if self.chip.pin_toggles || self.chip.io[usize::from(at)].pin.is_some() {
            self.store_io(at, written, mask);
            return;
        }
        // The old devices read the register and write all of it: flags that are 1 are cleared.
        let clearing = self.chip.io[usize::from(at)].write_one_to_clear & !mask;
        let old = self.resolve(u32::from(at), clearing);
        self.store_io(at, old.ones() & !mask | written, mask | clearing);
    }

    fn push(&mut self, value: Bits) {
        let at = self.stack();
        if self.independence.is_on() {
            self.note_stack(at, Manner::Write);
        }
        if at < self.chip.loaded.stack_limit {
            self.commit(Fault::StackOverflow);
        }
        // Registers are overwritten, or what is pushed is lost: nothing sensible follows.
        self.draft.ended |= at < self.chip.space.io_end || at >= self.chip.space.data_end;
        match at {
            0..32 => self.set_register(at as u8, value),
            _ if at < self.chip.space.io_end => {
                let value = self.decided(value).value;
                self.store_io(at, value, 0xFF);
            }
            _ => self.store_memory(at, value),
        }
        self.set_stack_pointer(at.wrapping_sub(1));
    }

    fn pop(&mut self) -> Bits {
        self.pop_from().1.copied()
    }

    fn pop_address(&mut self) -> u8 {
        let (is_memory, bits) = self.pop_from();
        self.caveats.returned_to_forgotten |= is_memory && bits.is_never_written() && self.options.lazy_stack;
        // Inputs are 0 below the unknown bit. They have had a value all along; what was never written has
        // none.
        let bits = if is_memory && bits.unknown & bits.value == 0 {
            self.decided(bits)
        } else {
            bits
        };
        if bits.unknown != 0 {
            self.commit(Fault::ReturnToNowhere);
            self.draft.ended = true;
        }
        bits.value & !bits.unknown
    }
    fn pointer(&mut self, low: u8) -> u16 {
        let first = self.demand(low, 0xFF).value;
        let second = self.demand(low + 1, 0xFF).value;
        u16::from_le_bytes([first, second])
    }

    fn extended_pointer(&mut self) -> u8 {
        if self.chip.space.flash_words > 0x8000 {
            self.note_extension(address::RAMPZ, Manner::Read);
            self.read(u32::from(address::RAMPZ)).value
        } else {
            0
        }
    }

    fn extended_target(&mut self) -> u8 {
        self.note_extension(address::EIND, Manner::Read);
        self.read(u32::from(address::EIND)).value
    }

    fn set_extended_pointer(&mut self, value: u8) {
        // The register has the bits that an address in flash needs.
        let highest = self.chip.space.flash_words.saturating_sub(1) >> 15;
        if highest != 0 {
            self.note_extension(address::RAMPZ, Manner::Write);
            self.write(u32::from(address::RAMPZ), Bits::known(value & highest as u8));
        }
    }

    fn flash(&mut self, address: u32) -> u8 {
        if let Some(value) = self.read_row() {
            return value;
        }
        let bytes = &self.flash_of(&self.draft.state).bytes;
        bytes
            .get(address as usize % bytes.len().max(1))
            .copied()
            .unwrap_or(0xFF)
    }

    fn store_program(&mut self, address: u32) {
        let Some(control) = self.chip.rules.programming else {
            return;
        };
        // Outside the boot section SPM does nothing.
        if self.draft.pc < self.chip.loaded.boot {
            return;
        }
        let bits = self.read(u32::from(control));
        // All bits that were set are cleared together.
        let asked = if bits.unknown & CONTROL == 0 || self.choose(2) == 1 {
            (bits.ones() | bits.unknown) & CONTROL
        } else {
            0
        };
        if let Some(tracer) = &mut self.tracer {
            tracer.resolved(u32::from(control), bits, bits.unknown & CONTROL, asked);
        }
        let place = PagePlace::new(address, usize::from(self.chip.space.page_bytes));
        let buffer = u32::from(self.chip.space.data_end) + u32::from(self.chip.space.eeprom_size);
        let mut bytes = self.flash_of(&self.draft.state).bytes.clone();
        let operation = PageOperation::asked(asked);
        let page = bytes.get_mut(place.start..place.end);
        match (operation, page) {
            (Some(PageOperation::Fill), _) => {
                for half in 0..2 {
                    let value = self.demand(half, 0xFF);
                    self.write(buffer + place.word as u32 + u32::from(half), value);
                }
            }
            (Some(PageOperation::Erase), Some(page)) => {
                page.copy_from_slice(&PagePlace::programmed(page, None));
                self.set_flash(bytes);
            }
            (Some(PageOperation::Write), Some(page)) => {
                let cells = buffer..buffer + u32::from(self.chip.space.page_bytes);
                let new: Vec<u8> = cells.clone().map(|cell| self.read(cell).value).collect();
                page.copy_from_slice(&PagePlace::programmed(page, Some(&new)));
                for cell in cells {
                    self.write(cell, Bits::known(0xFF));
                }
                self.set_flash(bytes);
            }
            (Some(PageOperation::Clear), _) => {
                for cell in buffer..buffer + u32::from(self.chip.space.page_bytes) {
                    self.write(cell, Bits::known(0xFF));
                }
            }
            _ => {}
        }
        let place = Place {
            address: control,
            mask: CONTROL,
        };
        self.set_place(place, false);
    }

    fn decide(&mut self, bit: Bits) -> bool {
        match bit.unknown & 1 {
            0 => bit.value & 1 != 0,
            _ => self.choose(2) == 1,
        }
    }

    fn flag(&mut self, number: u8) -> bool {
        let mask = 1 << number;
        self.resolve(u32::from(address::SREG), mask).value & mask != 0
    }

    fn words_at(&mut self, address: u32) -> u8 {
        self.flash_of(&self.draft.state).program[address as usize].words
    }

    fn flash_words(&self) -> u32 {
        self.chip.space.flash_words
    }

    fn address_bytes(&self) -> u8 {
        self.chip.address_bytes
    }
}
