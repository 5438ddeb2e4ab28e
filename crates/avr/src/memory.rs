//! Loads and stores of the nondeterministic microcontroller: registers, I/O registers, static memory, EEPROM
//! and flash.
//!
//! Idea: general-purpose registers and static memory may hold unknown bits, which loads and stores copy. What
//! is stored to an I/O register is decided first, as those control the peripherals. A bit of a flag register
//! that is read is decided in the register itself, so that what was seen once stays true.
//!
//! A load that is followed by an instruction which needs some bits of what was loaded decides those bits at
//! the source: then the next load of the same byte finds them known. This is no matter of soundness; it makes
//! fewer runs spurious.

use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::fault::Fault;
use crate::footprint::{Cell, NEVER_WRITTEN};
use crate::instruction::Operation as Op;
use crate::micro::{Micro, Nondeterminism, deposited};
use crate::peripherals::{Eeprom, Pair, Place, Upsets};
use crate::programming::{CONTROL, PageOperation, PagePlace};
use crate::semantics::Machine;
use crate::state::Settling;
use crate::torn::Manner;

impl Micro {
    /// The bits of register `number` that one of the next instructions needs, as far as they follow each
    /// other.
    fn needed_soon(&self, number: u8) -> u8 {
        let program = &self.flash_of(&self.draft.state).program;
        let mut at = self.draft.pc as usize;
        let first = program[at];
        at += usize::from(first.words);
        for _ in 0..3 {
            let Some(next) = program.get(at) else { return 0 };
            if next.d == number {
                return match next.operation {
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
                    Op::Out | Op::Eor => 0xFF,
                    Op::Sts if (next.k as u32) < u32::from(self.chip.space.io_end) => 0xFF,
                    _ => 0,
                };
            }
            if matches!(next.operation, Op::Cp | Op::Add | Op::Sub) && next.r == number {
                return 0xFF;
            }
            if !matches!(next.operation, Op::Lds | Op::Ldi | Op::In | Op::Nop | Op::Ld) {
                return 0;
            }
            at += usize::from(next.words);
        }
        0
    }

    /// The register that the instruction under way loads.
    fn loaded(&self) -> u8 {
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
            Nondeterminism::Delayed => self.needed_soon(self.loaded()),
        };
        self.resolve(cell, needed)
    }

    fn load_memory(&mut self, cell: Cell) -> Bits {
        let bits = self.read(cell);
        if bits.is_never_written() {
            self.read_without_value(cell);
            return bits.copied();
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

    /// The bits of an I/O register that have any value at each read.
    fn volatile_bits(&self, at: u16) -> u8 {
        let io = &self.chip.io[usize::from(at)];
        let volatile = io.volatile.iter().map(|index| &self.chip.rules.volatile[*index]);
        volatile
            .filter(|volatile| self.holds(&volatile.active))
            .fold(0, |bits, volatile| bits | volatile.place.mask)
    }

    fn load_io(&mut self, at: u16) -> Bits {
        let io = &self.chip.io[usize::from(at)];
        if !io.known {
            return self.fresh(at, 0, 0xFF, 0);
        }
        if let Some(port) = io.pin {
            return self.read_pins(at, port);
        }
        let (has_side_effects, has_flags, pair) = (io.has_side_effects, io.has_flags, io.pair);
        if let Some(causes) = self.chip.rules.causes
            && causes.all.address == at
        {
            self.find_cause(causes);
        }
        let pair = pair.filter(|pair| pair.on_read);
        let (cell, volatile) = match pair {
            Some(pair) if pair.high == at => (self.temporary(pair), 0),
            _ => (u32::from(at), self.volatile_bits(at)),
        };
        let bits = self.read(cell);
        let bits = if bits.unknown & !volatile != 0 {
            self.draft.io_changed = true;
            let lasting = bits.unknown & !volatile;
            let all = self.options.nondeterminism == Nondeterminism::Immediate || lasting.count_ones() <= 2;
            let needed = if all {
                lasting
            } else {
                self.needed_soon(self.loaded()) & lasting
            };
            self.resolve(cell, needed)
        } else {
            bits
        };
        let result = if bits.unknown != 0 && volatile == 0 && !has_flags {
            if let Some(tracer) = &mut self.tracer {
                tracer.copied(at, bits);
            }
            bits
        } else {
            // Bits that are still open are copied, and decided on their own.
            self.fresh(at, bits.value, bits.unknown | volatile, bits.unknown & !volatile)
        };
        if has_side_effects {
            self.side_effects(at, false);
        }
        if let Some(pair) = pair.filter(|pair| pair.low == at) {
            let volatile = self.volatile_bits(pair.high);
            let high = self.read(u32::from(pair.high));
            let captured = match volatile {
                0 => high,
                _ => Bits::input(high.value, high.unknown | volatile, 0),
            };
            self.write(self.temporary(pair), captured);
        }
        result
    }

    /// The cell through which the high byte of a register of 16 bits goes.
    fn temporary(&self, pair: Pair) -> Cell {
        let page_buffer = u32::from(self.chip.space.data_end) + u32::from(self.chip.space.eeprom_size);
        page_buffer + u32::from(self.chip.space.page_bytes) + pair.temporary as u32
    }

    /// Reads input pins, which the environment may have narrowed to values that are no product of bits.
    fn read_pins(&mut self, at: u16, port: usize) -> Bits {
        let bits = self.pin_level(port);
        let settling = self.draft.settling.of(port) & !bits.unknown;
        // What peripherals drive is no input of the environment's.
        let driven = self.driven(port);
        let (inputs, others) = (bits.unknown & !driven, settling | driven);
        let (value, unknown) = (bits.value & !settling, bits.unknown | settling);
        let allowed = self.options.inputs.iter().find(|(pin, _)| *pin == at);
        if let Some((_, values)) = allowed {
            let mut seen: Vec<u8> = values.iter().map(|value| value & inputs).collect();
            seen.sort_unstable();
            seen.dedup();
            if seen.len() < 1 << inputs.count_ones() {
                let count = seen.len() as u32;
                let chosen = self.choose(count << others.count_ones());
                let traced = self.tracer.as_mut();
                let origin = traced.map_or(0, |tracer| tracer.read(at, value, unknown, 0));
                let found = seen[(chosen % count) as usize] | deposited(chosen / count, others);
                return self.found(Bits::input(value, unknown, origin), found);
            }
        }
        self.fresh(at, value, unknown, 0)
    }

    /// Notes the outputs whose level a write to a port changes, and the pins whose direction it changes.
    fn unsettle_pins(&mut self, at: u16, old: Bits, new: Bits) {
        let mut ports = self.chip.rules.ports.iter();
        let Some(port) = ports.position(|port| at == port.port || at == port.ddr) else {
            return;
        };
        let ddr = self.chip.rules.ports[port].ddr;
        let changed = match at == ddr {
            true => old.value ^ new.value,
            false => (old.value ^ new.value) & self.read(u32::from(ddr)).value,
        };
        if changed != 0 {
            Settling::new(port, changed).write(&mut self.draft.state);
        }
    }

    fn side_effects(&mut self, at: u16, write: bool) {
        for index in 0..self.chip.rules.side_effects.len() {
            let effect = self.chip.rules.side_effects[index];
            if effect.address == at && (if write { effect.on_write } else { effect.on_read }) {
                // A flag that is known to be 1 was read.
                let flag = self.at(effect.clears);
                if effect.certain || flag.ones() & effect.clears.mask != 0 {
                    self.set_place(effect.clears, false);
                } else if !flag.zeros() & effect.clears.mask != 0 {
                    self.set_unknown(effect.clears);
                }
            }
        }
    }

    /// Writes the bits of `mask` of an I/O register.
    pub(crate) fn store_io(&mut self, at: u16, value: u8, mask: u8) {
        let io = self.chip.io[usize::from(at)].clone();
        if !io.known || value & mask & io.reserved != 0 {
            self.commit(Fault::ReservedWrite);
            if !io.known {
                return;
            }
        }
        if let Some(port) = io.pin {
            if self.chip.pin_toggles {
                let output = self.chip.rules.ports[port].port;
                let old = self.read(u32::from(output)).value;
                self.store_io(output, old ^ (value & mask), 0xFF);
            }
            return;
        }
        match io.pair {
            Some(pair) if pair.high == at => {
                self.write(self.temporary(pair), Bits::known(value));
                return;
            }
            Some(pair) => {
                let high = self.resolve(self.temporary(pair), 0xFF);
                self.write(u32::from(pair.high), Bits::known(high.value));
            }
            None => {}
        }
        let cell = u32::from(at);
        if io.has_flags {
            self.decide_operations(at, value & mask, value & mask & io.write_one_to_clear);
        }
        let old = self.read(cell);
        let (protected, permissions) = self.sequence(at, old, value, mask);
        let unwritable = io.read_only | io.write_one_to_clear | io.reserved | protected;
        let writable = mask & !unwritable & !(io.write_zero_to_clear & value);
        let cleared = value & mask & io.write_one_to_clear;
        // Hardware alone clears these.
        let kept = !old.zeros() & writable & io.cleared_by_hardware & !value;
        let writable = writable & !kept;
        // Whether these take effect is not known; what a permission is after a change is not, either.
        let doubted = (old.value ^ value | old.unknown) & writable & io.doubtful | permissions;
        let unknown = old.unknown & !writable & !cleared | kept | doubted;
        let new = Bits {
            value: (old.value & !writable & !kept | value & writable & !io.strobe) & !cleared & !doubted,
            unknown,
            origin: if unknown & !old.unknown == 0 {
                old.origin
            } else {
                0
            },
        };
        if at == address::SREG || at == address::SPL || at == address::SPH {
            self.write(cell, Bits::known(new.value));
            return;
        }
        if self.keeps_eeprom_address(at) {
            return;
        }
        self.unsettle_pins(at, old, new);
        self.pin_edges(at, old, new);
        self.write_control(at, new);
        self.draft.io_changed = true;
        if io.has_side_effects {
            self.side_effects(at, true);
        }
        self.start_operations(at);
        self.upset(at, old, new);
        let moved = self.chip.rules.moved_vectors;
        if moved.is_some_and(|moved| moved.address == at && new.ones() & moved.mask != 0) {
            self.caveats.unsupported = Some("the interrupt vectors are moved to the boot section (IVSEL)");
        }
        if self
            .chip
            .rules
            .timed
            .iter()
            .any(|timed| timed.address == at && value & mask & timed.mask != 0)
        {
            self.set_timed();
        }
        self.control_eeprom(at, old, value & mask);
        self.control_watchdog(at, old, new);
    }

    /// What a write to a register with timed sequences must leave as it is, and the permissions that are open
    /// after it.
    fn sequence(&mut self, at: u16, old: Bits, value: u8, mask: u8) -> (u8, u8) {
        let (mut protected, mut open) = (0, 0);
        for index in 0..self.chip.rules.sequences.len() {
            let sequence = self.chip.rules.sequences[index];
            if sequence.address != at || mask & (sequence.protects | sequence.permission) == 0 {
                continue;
            }
            let permission = Place {
                address: at,
                mask: sequence.permission,
            };
            let written = value & mask;
            let asked = written & sequence.permission != 0;
            let given = written & sequence.with.0 == sequence.with.0 && written & sequence.with.1 == 0;
            let permitted = !asked && self.is_permitted(old, permission);
            if !permitted {
                protected |= sequence.protects & !(value & sequence.set_freely);
            }
            match (asked, permitted) {
                // A second demand does neither prolong nor end the time.
                (true, _) if !given => protected |= sequence.permission,
                (false, true) if !sequence.ends => open |= sequence.permission,
                _ => {}
            }
        }
        (protected, open & !protected)
    }

    /// A change of some bits makes others unknown.
    fn upset(&mut self, at: u16, old: Bits, new: Bits) {
        for index in 0..self.chip.rules.upsets.len() {
            let Upsets { bit, place } = self.chip.rules.upsets[index];
            let changed = (old.value ^ new.value | old.unknown ^ new.unknown) & bit.mask != 0;
            if bit.address == at && changed {
                self.set_unknown(place);
            }
        }
    }

    /// Outputs that change can request interrupts too.
    fn pin_edges(&mut self, at: u16, old: Bits, new: Bits) {
        for index in 0..self.chip.rules.pins.len() {
            let pin = self.chip.rules.pins[index];
            // Another sense can make an edge of what the pin is at.
            let sensed = pin.sense.filter(|place| place.address == at);
            if sensed.is_some_and(|place| (old.value ^ new.value) & place.mask != 0) {
                self.unknown_flag(pin.flag);
            }
            let port = &self.chip.rules.ports[pin.port];
            if at != port.port && at != port.ddr {
                continue;
            }
            let (ddr, output) = (
                self.read(u32::from(port.ddr)).value,
                self.read(u32::from(port.port)).value,
            );
            let selected = pin.selection.map_or(0xFF, |at| self.read(u32::from(at)).value) & pin.pins.mask;
            let sense = pin.sense.map_or(0, |place| self.at(place).value);
            if at == port.ddr {
                // The level before or after is the environment's.
                if (old.value ^ new.value) & selected != 0 && !pin.is_level(sense) {
                    self.unknown_flag(pin.flag);
                }
                continue;
            }
            let changed = (output ^ new.value) & ddr & selected;
            let counts = (0..8)
                .filter(|bit| changed >> bit & 1 != 0)
                .any(|bit| pin.counts(sense, new.value >> bit & 1 != 0));
            // The pin is sampled before edges are detected, so some instructions may come first.
            if counts {
                self.unknown_flag(pin.flag);
            }
        }
    }

    fn unknown_flag(&mut self, flag: Place) {
        let bits = self.at(flag);
        if bits.zeros() & flag.mask != 0 {
            let unknown = Bits::input(bits.value, bits.unknown | flag.mask, bits.origin);
            self.write(u32::from(flag.address), unknown);
        }
    }

    /// While something is written to the EEPROM, it can neither be read nor written, and its address does not
    /// change.
    fn keeps_eeprom_address(&mut self, at: u16) -> bool {
        let eeprom = self.chip.rules.eeprom;
        let addressed = eeprom.filter(|eeprom| at == eeprom.address_low || Some(at) == eeprom.address_high);
        addressed.is_some_and(|eeprom| {
            let busy = eeprom.write;
            self.resolve(u32::from(busy.address), busy.mask).ones() & busy.mask != 0
        })
    }

    fn control_eeprom(&mut self, at: u16, old: Bits, value: u8) {
        let Some(eeprom) = self.chip.rules.eeprom else {
            return;
        };
        if at != eeprom.master.address {
            return;
        }
        if value & (eeprom.read.mask | eeprom.write.mask) == 0 {
            return;
        }
        let is_busy = if value & eeprom.write.mask != 0 {
            self.is_permitted(old, eeprom.write)
        } else {
            self.resolve(u32::from(at), eeprom.write.mask).ones() & eeprom.write.mask != 0
        };
        if is_busy {
            self.set_place(eeprom.read, false);
            return;
        }
        let high = eeprom
            .address_high
            .map_or(0, |high| self.resolve(u32::from(high), 0xFF).value);
        let low = self.resolve(u32::from(eeprom.address_low), 0xFF).value;
        let offset = u16::from_le_bytes([low, high]) % self.chip.space.eeprom_size.max(1);
        let cell = u32::from(self.chip.space.data_end) + u32::from(offset);
        if value & eeprom.read.mask != 0 {
            let bits = self.read(cell);
            self.write(u32::from(eeprom.data), bits);
            self.set_place(eeprom.read, false);
        }
        if value & eeprom.write.mask != 0 {
            let permitted = self.is_permitted(old, eeprom.master);
            if permitted || value & eeprom.master.mask == 0 {
                self.set_place(eeprom.master, false);
            }
            if permitted {
                self.program_eeprom(eeprom, cell);
            } else {
                self.set_place(eeprom.write, false);
            }
        }
    }

    /// Erases a byte of the EEPROM and writes it, or does only one of both.
    fn program_eeprom(&mut self, eeprom: Eeprom, cell: Cell) {
        let data = self.resolve(u32::from(eeprom.data), 0xFF);
        let mode = eeprom.mode.map_or(0, |mode| {
            let bits = self.resolve(u32::from(mode.address), mode.mask);
            (bits.value & mode.mask) >> mode.mask.trailing_zeros()
        });
        let written = match mode {
            0 => data,
            1 => Bits::known(0xFF),
            2 => self.read(cell).and(data),
            _ => Bits::input(0, 0xFF, 0),
        };
        self.write(cell, written);
    }

    /// Whether a bit was set that lasts for a few cycles; that is open if something came between.
    fn is_permitted(&mut self, old: Bits, place: Place) -> bool {
        if old.unknown & place.mask != 0 {
            self.choose(2) == 1
        } else {
            old.ones() & place.mask != 0
        }
    }

    /// As long as its reset is noted, the watchdog stays enabled.
    fn control_watchdog(&mut self, at: u16, old: Bits, new: Bits) {
        let Some(watchdog) = self.chip.rules.watchdog else {
            return;
        };
        let enable = watchdog.enable;
        if at != enable.address || old.zeros() & enable.mask != 0 || new.ones() & enable.mask != 0 {
            return;
        }
        let forced = watchdog.reset_flag.is_some_and(|flag| {
            let noted = self.at(flag);
            self.is_permitted(noted, flag)
        });
        if forced {
            self.set_place(enable, true);
        }
    }

    /// A byte of static memory to which something is stored.
    fn store_memory(&mut self, at: u16, bits: Bits) {
        if at >= self.chip.space.data_end {
            self.commit(Fault::OutsideMemory);
            return;
        }
        self.write(u32::from(at), bits.copied());
        if self.labelling.observed[usize::from(at)] && bits.unknown != 0 {
            self.resolve(u32::from(at), 0xFF);
        }
    }

    #[inline]
    fn note(&mut self, at: u16, manner: Manner) {
        if self.tearing.accesses.is_some() || self.tearing.monitor != 0 {
            self.accessed(at, manner);
        }
    }

    pub(crate) fn stack(&self) -> u16 {
        let low = self.read(u32::from(address::SPL)).value;
        u16::from_le_bytes([low, self.stack_high()])
    }

    /// Pops a byte: whether it is one of static memory, and what it held.
    fn pop_from(&mut self) -> (bool, Bits) {
        let at = self.stack().wrapping_add(1);
        self.set_stack_pointer(at);
        if at >= self.chip.space.data_end {
            self.commit(Fault::StackUnderflow);
            return (false, self.fresh(at, 0, 0xFF, 0));
        }
        let cell = u32::from(at);
        let bits = self.read(cell);
        if at < self.chip.space.io_end {
            return (false, bits);
        }
        if bits.is_never_written() {
            self.read_without_value(cell);
        } else if self.options.lazy_stack && !self.labelling.observed[usize::from(at)] {
            self.write(cell, NEVER_WRITTEN);
        }
        (true, bits)
    }

    fn stack_high(&self) -> u8 {
        if self.chip.io[usize::from(address::SPH)].known {
            self.read(u32::from(address::SPH)).value
        } else {
            0
        }
    }
}

impl Machine for Micro {
    type Byte = Bits;

    fn register(&mut self, number: u8) -> Bits {
        self.read(u32::from(number))
    }

    fn demand(&mut self, number: u8, needed: u8) -> Bits {
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
        let lasting = io.known && io.pin.is_none() && self.volatile_bits(at) & mask == 0;
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
        if at < self.chip.loaded.stack_limit {
            self.commit(Fault::StackOverflow);
        }
        // Registers are overwritten, or what is pushed is lost: nothing sensible follows.
        self.draft.ended |= at < self.chip.space.io_end || at >= self.chip.space.data_end;
        match at {
            0..32 => self.set_register(at as u8, value),
            _ if at < self.chip.space.io_end => {}
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
            self.read(u32::from(address::RAMPZ)).value
        } else {
            0
        }
    }

    fn set_extended_pointer(&mut self, value: u8) {
        // The register has the bits that an address in flash needs.
        let highest = self.chip.space.flash_words.saturating_sub(1) >> 15;
        if highest != 0 {
            self.write(u32::from(address::RAMPZ), Bits::known(value & highest as u8));
        }
    }

    fn flash(&mut self, address: u32) -> u8 {
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
            _ => {}
        }
        let place = Place {
            address: control,
            mask: CONTROL,
        };
        self.set_place(place, false);
    }

    fn decide(&mut self, bit: Bits) -> bool {
        bit.value & 1 != 0
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
