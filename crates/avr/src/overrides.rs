//! Pins that a peripheral takes from their port: a timer's output, what the USART sends, the buses.
//!
//! Idea: what a peripheral does at a pin is not followed. While it may have the pin, the pin has any level at
//! every moment, in the PIN register and for the interrupts at it. An output is concerned as soon as anything
//! is overridden. An input that is only made an input, or given a value to put out, stays what it was.
//!
//! Invariant: wherever the chip may take a pin from its port, [`Micro::driven`] has its bit. A condition that
//! is open counts as true, and so does what a fuse decides; one of which the registers do not tell the end
//! never ends before the next reset.
//!
//! Rejected: the levels that a peripheral can produce (a bus that is idle is high). They depend on time and
//! on what is connected.
//!
//! Source: "Alternate Port Functions" in the datasheets.

use crate::byte::{AbstractByte, Bits};
use crate::device::{BitName, Device, PinOverride};
use crate::micro::Micro;
use crate::peripherals::{Place, Rules, Test};
use crate::state::Settling;

/// A pin that a peripheral takes from its port while all tests hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Index of the port.
    pub port: usize,
    /// The pin's bit.
    pub mask: u8,
    /// When the peripheral has the pin.
    pub active: Vec<Test>,
    /// Whether that concerns the pin also if the port makes it an input.
    pub of_inputs: bool,
}

/// A bit that no register shows: set when the program sets one of some bits, and until the next reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lasting {
    /// The bit.
    pub since: Place,
    /// What sets it.
    pub begun_by: Place,
}

impl Rules {
    /// The overrides of a device, whose ports are known.
    pub(crate) fn add_overrides(&mut self, device: &Device) {
        self.enabling.resize(self.ports.len(), Vec::new());
        self.taken_by_fuses.resize(self.ports.len(), false);
        for row in &device.overrides {
            let Some((pin, Some(bit))) = device.place(&row.pin) else {
                continue;
            };
            let Some(port) = self.ports.iter().position(|port| port.pin == pin) else {
                continue;
            };
            let mut enabled = enabling(row, device);
            if row.lasts
                && let Some(begun_by) = enabled
            {
                let since = self.hidden(device);
                self.lasting.push(Lasting { since, begun_by });
                enabled = Some(since);
            }
            let with = row.with.as_ref().and_then(|bit| place(device, bit));
            let without = row.without.as_ref().and_then(|bit| place(device, bit));
            self.taken_by_fuses[port] |= enabled.is_none();
            let known = &mut self.enabling[port];
            if let Some(enabled) = enabled {
                match known.iter_mut().find(|place| place.address == enabled.address) {
                    Some(place) => place.mask |= enabled.mask,
                    None => known.push(enabled),
                }
            }
            let ones = enabled.into_iter().chain(with).map(Test::Any);
            self.overrides.push(Override {
                port,
                mask: 1 << bit,
                active: ones.chain(without.map(Test::None)).collect(),
                of_inputs: row.input || row.direction && row.value,
            });
        }
    }

    /// Whether a register can begin or end an override.
    pub(crate) fn controls_pins(&self, address: u16) -> bool {
        let tests = self.overrides.iter().flat_map(|one| &one.active);
        let tested = tests.map(|test| match test {
            Test::Any(place) | Test::None(place) => *place,
        });
        let begun = self.lasting.iter().map(|lasting| lasting.begun_by);
        tested.chain(begun).any(|place| place.address == address)
    }
}

fn place(device: &Device, bit: &BitName) -> Option<Place> {
    let (address, bit) = device.bit(bit)?;
    let mask = 1 << bit;
    Some(Place { address, mask })
}

fn enabling(row: &PinOverride, device: &Device) -> Option<Place> {
    let bits = row.enabled_by.iter().filter_map(|bit| place(device, bit));
    bits.reduce(|all, one| Place {
        mask: all.mask | one.mask,
        ..all
    })
}

impl Micro {
    /// The pins of a port that peripherals may have taken from it, so that their level is open.
    pub(crate) fn driven(&self, port: usize) -> u8 {
        self.driven_by(port, |address| self.read(u32::from(address)))
    }

    /// The pins of a port that peripherals may have taken from it in a state.
    #[must_use]
    pub fn driven_in(&self, state: &[u8], port: usize) -> u8 {
        self.driven_by(port, |address| self.footprint.read(state, u32::from(address)))
    }

    fn driven_by(&self, port: usize, read: impl Fn(u16) -> Bits) -> u8 {
        let enabling = &self.chip.rules.enabling[port];
        if !self.chip.rules.taken_by_fuses[port]
            && !enabling
                .iter()
                .any(|place| !read(place.address).zeros() & place.mask != 0)
        {
            return 0;
        }
        let outputs = !read(self.chip.rules.ports[port].ddr).zeros();
        let holds = |test: &Test| match *test {
            Test::Any(place) => !read(place.address).zeros() & place.mask != 0,
            Test::None(place) => read(place.address).ones() & place.mask == 0,
        };
        let overrides = self.chip.rules.overrides.iter().filter(|one| one.port == port);
        overrides
            .filter(|one| one.of_inputs || outputs & one.mask != 0)
            .filter(|one| one.active.iter().all(holds))
            .fold(0, |pins, one| pins | one.mask)
    }

    /// Writes a register. Pins that this gives back to their port settle as an output that changes does.
    pub(crate) fn write_control(&mut self, at: u16, new: Bits) {
        let cell = u32::from(at);
        if !self.chip.io[usize::from(at)].controls_pins {
            self.write(cell, new);
            return;
        }
        let ports = 0..self.chip.rules.ports.len();
        let before: Vec<u8> = ports.map(|port| self.driven(port)).collect();
        self.write(cell, new);
        for (port, before) in before.into_iter().enumerate() {
            let freed = before & !self.driven(port);
            if freed != 0 {
                Settling::new(port, freed).write(&mut self.draft.state);
            }
        }
        for index in 0..self.chip.rules.lasting.len() {
            let Lasting { since, begun_by } = self.chip.rules.lasting[index];
            if begun_by.address == at && new.ones() & begun_by.mask != 0 {
                self.set_place(since, true);
            }
        }
    }
}
