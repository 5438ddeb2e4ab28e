//! Writing I/O registers, and what that starts.
//!
//! Idea: what is stored to an I/O register is known, as it controls the peripherals. Which bits take it, and
//! what else changes with them, are rows of the rules: read-only and write-one-to-clear bits, timed
//! sequences, side effects.
//!
//! Source: the register descriptions of the datasheets.

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::fault::Fault;
use crate::peripherals::{Place, Toggle, Upsets};

impl Micro {
    /// Writes the bits of `mask` of an I/O register.
    pub(crate) fn store_io(&mut self, at: u16, value: u8, mask: u8) {
        let io = self.chip.io[usize::from(at)].clone();
        if !io.known || value & mask & io.reserved != 0 {
            self.commit(Fault::ReservedWrite);
            if !io.known {
                self.draft.is_lost = true;
                return;
            }
        }
        if let Some(port) = io.pin {
            if self.chip.pin_toggles {
                let output = self.chip.rules.ports[port].port;
                let old = self.resolve(u32::from(output), 0xFF).value;
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
        let kept_mode = self.keeps_eeprom_mode(at, value, mask);
        let old = self.read(cell);
        let (protected, permissions) = self.sequence(at, old, value, mask);
        let protected = protected | kept_mode;
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
        self.toggle_pins(at, value & mask);
        if value & mask & io.unsupported != 0 {
            self.caveats.unsupported = Some("a bit is set that lets hardware do what is not modelled");
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

    /// Bits of ports that a one written to another register inverts: for certain while the peripheral has a
    /// mode, perhaps else.
    fn toggle_pins(&mut self, at: u16, written: u8) {
        for index in 0..self.chip.rules.toggles.len() {
            let Toggle { strobe, output, mode } = self.chip.rules.toggles[index];
            if strobe.address != at || written & strobe.mask == 0 {
                continue;
            }
            if self.at(mode).ones() & mode.mask != 0 || self.choose(2) == 1 {
                let old = self.at(output).value;
                self.store_io(output.address, old ^ output.mask, 0xFF);
            }
        }
    }

    pub(crate) fn side_effects(&mut self, at: u16, write: bool) {
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
    pub(crate) fn upset(&mut self, at: u16, old: Bits, new: Bits) {
        for index in 0..self.chip.rules.upsets.len() {
            let Upsets { bit, place } = self.chip.rules.upsets[index];
            let changed = (old.value ^ new.value | old.unknown ^ new.unknown) & bit.mask != 0;
            if bit.address == at && changed {
                self.set_unknown(place);
            }
        }
    }

    /// Whether a bit was set that lasts for a few cycles; that is open if something came between.
    pub(crate) fn is_permitted(&mut self, old: Bits, place: Place) -> bool {
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
}
