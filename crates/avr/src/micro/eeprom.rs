//! The EEPROM, as its registers control it.
//!
//! Source: "EEPROM Data Memory" of the datasheets.

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
}
