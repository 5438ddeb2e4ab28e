//! Reading I/O registers.
//!
//! Idea: a bit of a flag register that is read is decided in the register itself, so that what was seen once
//! stays true; a volatile one has any value at each read. Input pins are the environment's.
//!
//! Source: the register descriptions of the datasheets; "Accessing 16-bit Registers".

use super::{Micro, Nondeterminism, deposited};
use crate::byte::{AbstractByte as _, Bits};
use crate::footprint::Cell;
use crate::peripherals::Pair;

impl Micro {
    /// The bits of an I/O register that have any value at each read.
    pub(crate) fn volatile_bits(&self, at: u16) -> u8 {
        let io = &self.chip.io[usize::from(at)];
        let volatile = io.volatile.iter().map(|index| &self.chip.rules.volatile[*index]);
        volatile
            .filter(|volatile| self.holds(&volatile.active))
            .fold(0, |bits, volatile| bits | volatile.place.mask)
    }

    pub(crate) fn load_io(&mut self, at: u16) -> Bits {
        let io = &self.chip.io[usize::from(at)];
        if !io.known {
            return self.fresh(at, 0, 0xFF, 0);
        }
        if let Some(port) = io.pin {
            let bits = self.read_pins(at, port);
            return self.keep_input(at, bits);
        }
        let (has_side_effects, pair) = (io.has_side_effects, io.pair);
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
        let bits = match self.read_constrained(at, cell, volatile) {
            Some(bits) => bits,
            None => self.read_register(at, cell, volatile),
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
        bits
    }

    /// Reads a register whose bits of `volatile` have any value.
    fn read_register(&mut self, at: u16, cell: Cell, volatile: u8) -> Bits {
        let has_flags = self.chip.io[usize::from(at)].has_flags;
        let bits = self.read(cell);
        let bits = if bits.unknown & !volatile != 0 {
            self.draft.io_changed = true;
            let lasting = bits.unknown & !volatile;
            let all = self.options.nondeterminism == Nondeterminism::Immediate || lasting.count_ones() <= 2;
            let needed = if all {
                lasting
            } else {
                self.needed_soon(self.loaded(), lasting) & lasting
            };
            self.resolve(cell, needed)
        } else {
            bits
        };
        if bits.unknown != 0 && volatile == 0 && !has_flags {
            if let Some(tracer) = &mut self.tracer {
                tracer.copied(at, bits);
            }
            bits
        } else {
            // Bits that are still open are copied, and decided on their own.
            self.fresh(at, bits.value, bits.unknown | volatile, bits.unknown & !volatile)
        }
    }

    /// Reads a register of which the user says which values it has; none where that leaves all of them.
    fn read_constrained(&mut self, at: u16, cell: Cell, volatile: u8) -> Option<Bits> {
        let (_, allowed) = self.options.inputs.iter().find(|(known, _)| *known == at)?;
        let bits = self.read(cell);
        let open = bits.unknown | volatile;
        let fits = |value: &&u8| (**value ^ bits.value) & !open == 0;
        let mut seen: Vec<u8> = allowed.iter().filter(fits).map(|value| value & open).collect();
        seen.sort_unstable();
        seen.dedup();
        // Known bits that no allowed value has are not the environment's doing.
        if seen.is_empty() || seen.len() == 1 << open.count_ones() {
            return None;
        }
        let lasting = bits.unknown & !volatile;
        let (all, any) = seen
            .iter()
            .fold((0xFF, 0), |(all, any), value| (all & value, any | value));
        if lasting == 0 && seen.len() == 1 << (all ^ any).count_ones() {
            return Some(self.fresh(at, bits.value & !open | all, all ^ any, 0));
        }
        let chosen = match self.held_input(u32::from(at)) {
            Some(held) => held & open,
            None => seen[self.choose(seen.len() as u32) as usize],
        };
        if lasting == open {
            self.draft.io_changed = true;
            return Some(self.settle(cell, bits, lasting, chosen));
        }
        let value = bits.value & !open;
        let traced = self.tracer.as_mut();
        let origin = traced.map_or(0, |tracer| tracer.read(at, value, open, 0));
        let read = self.found(Bits::input(value, open, origin), chosen);
        if lasting != 0 {
            self.draft.io_changed = true;
            self.settle(cell, bits, lasting, chosen & lasting);
        }
        Some(read)
    }

    /// The cell through which the high byte of a register of 16 bits goes.
    pub(crate) fn temporary(&self, pair: Pair) -> Cell {
        let page_buffer = u32::from(self.chip.space.data_end) + u32::from(self.chip.space.eeprom_size);
        page_buffer + u32::from(self.chip.space.page_bytes) + pair.temporary as u32
    }

    /// Reads input pins, which the environment may have narrowed to values that are no product of bits.
    fn read_pins(&mut self, at: u16, port: usize) -> Bits {
        let bits = self.pin_level(port);
        let settling = self.draft.settling.of(port) & !bits.unknown;
        // What peripherals drive is no input of the environment's.
        let driven = self.driven(port);
        let inputs = self.read(u32::from(self.chip.rules.ports[port].ddr)).zeros();
        let inputs = bits.unknown & !driven & inputs;
        let others = settling | bits.unknown & !inputs;
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
}
