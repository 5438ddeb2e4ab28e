//! The EEPROM, as its registers control it.
//!
//! Idea: the address and the data may be unknown. What is read at an unknown address are the bits that all
//! bytes have in common which it may name, and what is written there may become each of them.
//!
//! Source: "EEPROM Data Memory" of the datasheets.

use std::collections::BTreeSet;

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::footprint::Cell;
use crate::peripherals::Eeprom;

impl Micro {
    /// While something is written to the EEPROM, it can neither be read nor written, and its address does not
    /// change.
    pub(crate) fn keeps_eeprom_address(&mut self, at: u16) -> bool {
        let eeprom = self.chip.rules.eeprom;
        let addressed = eeprom.filter(|eeprom| at == eeprom.address_low || Some(at) == eeprom.address_high);
        addressed.is_some_and(|eeprom| {
            let busy = eeprom.write;
            self.resolve(u32::from(busy.address), busy.mask).ones() & busy.mask != 0
        })
    }

    /// The bits that a write must leave as they are: nor does it change what the next write will do.
    pub(crate) fn keeps_eeprom_mode(&mut self, at: u16, value: u8, mask: u8) -> u8 {
        let Some(eeprom) = self.chip.rules.eeprom else {
            return 0;
        };
        let Some(mode) = eeprom.mode.filter(|mode| mode.address == at) else {
            return 0;
        };
        let old = self.at(mode);
        if (old.value ^ value | old.unknown) & mask & mode.mask == 0 {
            return 0;
        }
        let busy = eeprom.write;
        match self.resolve(u32::from(at), busy.mask).ones() & busy.mask {
            0 => 0,
            _ => mode.mask,
        }
    }

    pub(crate) fn control_eeprom(&mut self, at: u16, old: Bits, value: u8) {
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
        let cells = self.addressed_in_eeprom(eeprom);
        if value & eeprom.read.mask != 0 {
            let bits = cells.iter().map(|cell| self.read(*cell));
            let bits = bits.reduce(Bits::joined).unwrap_or(Bits::input(0, 0xFF, 0));
            self.write(u32::from(eeprom.data), bits);
            self.set_place(eeprom.read, false);
        }
        if value & eeprom.write.mask != 0 {
            let permitted = self.is_permitted(old, eeprom.master);
            if permitted || value & eeprom.master.mask == 0 {
                self.set_place(eeprom.master, false);
            }
            if permitted {
                self.program_eeprom(eeprom, &cells);
            } else {
                self.set_place(eeprom.write, false);
            }
        }
    }

    /// Whether unknown addresses and data stay unknown.
    fn leaves_eeprom_open(&self) -> bool {
        self.options.abstract_values && self.may_abstract()
    }

    /// The cells that the address registers may name: one, where all of their bits are known.
    fn addressed_in_eeprom(&mut self, eeprom: Eeprom) -> Vec<Cell> {
        let registers = [Some(eeprom.address_low), eeprom.address_high];
        let bits = registers.map(|register| match register {
            Some(at) if self.leaves_eeprom_open() => self.read(u32::from(at)),
            Some(at) => self.resolve(u32::from(at), 0xFF),
            None => Bits::known(0),
        });
        let [known, unknown] =
            [Bits::ones, |bits: Bits| bits.unknown].map(|part| u16::from_le_bytes(bits.map(part)));
        let size = self.chip.space.eeprom_size.max(1);
        let mut offsets = BTreeSet::from([known % size]);
        if unknown != 0 {
            let compared = match size.is_power_of_two() {
                true => !unknown & (size - 1),
                false => 0,
            };
            offsets.extend((0..size).filter(|offset| (offset ^ known) & compared == 0));
        }
        let first = u32::from(self.chip.space.data_end);
        offsets
            .into_iter()
            .map(|offset| first + u32::from(offset))
            .collect()
    }

    /// Erases a byte of the EEPROM and writes it, or does only one of both.
    fn program_eeprom(&mut self, eeprom: Eeprom, cells: &[Cell]) {
        let data = match self.leaves_eeprom_open() {
            true => self.read(u32::from(eeprom.data)),
            false => self.resolve(u32::from(eeprom.data), 0xFF),
        };
        let mode = eeprom.mode.map_or(0, |mode| {
            let bits = self.resolve(u32::from(mode.address), mode.mask);
            (bits.value & mode.mask) >> mode.mask.trailing_zeros()
        });
        for cell in cells {
            let old = self.read(*cell);
            let written = match mode {
                0 => data,
                1 => Bits::known(0xFF),
                2 => old.and(data),
                _ => Bits::input(0, 0xFF, 0),
            };
            match cells.len() {
                1 => self.write(*cell, written),
                // Any of them may be the one.
                _ if old.unknown != 0xFF => self.write(*cell, old.joined(written)),
                _ => {}
            }
        }
    }
}
