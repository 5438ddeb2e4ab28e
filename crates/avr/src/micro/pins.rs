//! What a write to a port does to its pins: levels that settle, and edges that request interrupts.
//!
//! Source: "I/O-Ports" and "External Interrupts" of the datasheets.

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::peripherals::Place;
use crate::state::Settling;

impl Micro {
    /// Notes the outputs whose level a write to a port changes, and the pins whose direction it changes.
    pub(crate) fn unsettle_pins(&mut self, at: u16, old: Bits, new: Bits) {
        let mut ports = self.chip.rules.ports.iter();
        let Some(port) = ports.position(|port| at == port.port || at == port.ddr) else {
            return;
        };
        let ddr = self.chip.rules.ports[port].ddr;
        let differing = may_differ(old, new);
        let changed = match at == ddr {
            true => differing,
            false => differing & !self.read(u32::from(ddr)).zeros(),
        };
        if changed != 0 {
            Settling::new(port, changed).write(&mut self.draft.state);
        }
    }

    /// Outputs that change can request interrupts too.
    pub(crate) fn pin_edges(&mut self, at: u16, old: Bits, new: Bits) {
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
            let outputs = !self.read(u32::from(port.ddr)).zeros();
            let selected = pin.selection.map_or(0xFF, |at| self.read(u32::from(at)).value) & pin.pins.mask;
            let sense = pin.sense.map_or(0, |place| self.at(place).value);
            if at == port.ddr {
                // The level before or after is the environment's.
                if may_differ(old, new) & selected != 0 && !pin.is_level(sense) {
                    self.unknown_flag(pin.flag);
                }
                continue;
            }
            let changed = may_differ(old, new) & outputs & selected;
            let counts = (0..8).filter(|bit| changed >> bit & 1 != 0).any(|bit| {
                let may_be = |level: bool| {
                    let possible = if level { !new.zeros() } else { !new.ones() };
                    possible >> bit & 1 != 0 && pin.counts(sense, level)
                };
                may_be(false) || may_be(true)
            });
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
}

/// The bits in which two bytes may differ.
fn may_differ(one: Bits, other: Bits) -> u8 {
    one.value ^ other.value | one.unknown | other.unknown
}
