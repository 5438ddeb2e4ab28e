//! What hardware does between two steps: flags and volatile registers.
//!
//! Idea: whether a source that is active has set its flag is open, so the flag is unknown from then on until
//! something looks at it. What hardware clears comes first: the sources of flags depend on it.
//!
//! Invariant: between two steps no flag whose source is active is known to be 0.

use super::Micro;
use crate::byte::AbstractByte;
use crate::peripherals::{Place, SelfClearing};
use crate::state::{TIMED, header};

impl Micro {
    /// Brings flags and volatile registers to what they are between two steps.
    pub(crate) fn refresh(&mut self) {
        self.hold_at_zero();
        self.clear_by_hardware();
        self.end_timed_sequences();
        self.open_flags();
        self.open_volatile_bits();
        self.watch_pins();
    }

    /// Bits that are 0 while something holds.
    fn hold_at_zero(&mut self) {
        for index in 0..self.chip.rules.zeros.len() {
            let zero = &self.chip.rules.zeros[index];
            let bits = self.at(zero.place);
            if (bits.value | bits.unknown) & zero.place.mask != 0 && self.holds(&zero.active) {
                self.set_place(zero.place, false);
            }
        }
    }

    /// Bits that hardware clears some time after they were set.
    fn clear_by_hardware(&mut self) {
        for index in 0..self.chip.rules.self_clearing.len() {
            let SelfClearing { place, active, .. } = &self.chip.rules.self_clearing[index];
            let place = *place;
            let ones = self.at(place).ones() & place.mask;
            if ones != 0 && self.holds(active) {
                self.set_unknown(Place { mask: ones, ..place });
            }
        }
    }

    /// Bits that hardware clears after four cycles.
    fn end_timed_sequences(&mut self) {
        for index in 0..self.chip.rules.timed.len() {
            let place = self.chip.rules.timed[index];
            let ones = self.at(place).ones() & place.mask;
            if ones != 0 && self.draft.state[header::FLAGS] & TIMED == 0 {
                self.set_unknown(Place { mask: ones, ..place });
            }
        }
    }

    /// Flags whose sources are active.
    fn open_flags(&mut self) {
        for index in 0..self.chip.rules.events.len() {
            let event = &self.chip.rules.events[index];
            let flag = event.flag;
            if self.at(flag).zeros() & flag.mask != 0 && self.holds(&event.active) {
                self.set_unknown(flag);
            }
        }
    }

    /// Registers that hardware may change at any moment.
    fn open_volatile_bits(&mut self) {
        for index in 0..self.chip.rules.volatile.len() {
            let volatile = &self.chip.rules.volatile[index];
            let place = volatile.place;
            if !volatile.active.is_empty()
                && self.at(place).unknown & place.mask != place.mask
                && self.holds(&volatile.active)
            {
                self.set_unknown(place);
            }
        }
    }

    /// Flags of pins: none while a level requests the interrupt, and open while the environment may make an
    /// edge.
    fn watch_pins(&mut self) {
        for index in 0..self.chip.rules.pins.len() {
            let pin = self.chip.rules.pins[index];
            let sense = pin.sense.map_or(0, |place| self.at(place).value);
            if pin.is_level(sense) && self.at(pin.flag).zeros() & pin.flag.mask == 0 {
                self.set_place(pin.flag, false);
            }
            let Some(selection) = pin.selection else { continue };
            let selected = self.read(u32::from(selection)).value & pin.pins.mask;
            if selected == 0 || self.at(pin.flag).zeros() & pin.flag.mask == 0 {
                continue;
            }
            let inputs = !self.read(u32::from(self.chip.rules.ports[pin.port].ddr)).ones();
            if selected & (inputs | self.driven(pin.port)) != 0 {
                self.set_unknown(pin.flag);
            }
        }
    }
}
