//! Peripherals whose doings are not followed: what they change may change at any moment.
//!
//! Invariant: a bit that such a peripheral may change, and the request of an interrupt that it may make, are
//! open at every moment.
//!
//! Source: "USI" in the datasheets of the tinyAVR family; for the others, what the device file says.

use super::{Event, Place, Roles, Rules, Toggle, Volatile};
use crate::device::Device;

impl Rules {
    /// What the device file says of peripherals that are of no known kind: bits that hardware may change, and
    /// flags of vectors that no rule sets, which may be set at any moment.
    pub(super) fn add_declared(&mut self, device: &Device) {
        for register in device.registers.iter().filter(|register| register.volatile != 0) {
            self.volatile.push(Volatile {
                place: Place {
                    address: register.address,
                    mask: register.volatile,
                },
                active: Vec::new(),
            });
        }
        let flags = device.vectors.iter().filter_map(|vector| vector.flag.as_ref());
        for (address, bit) in flags.filter_map(|flag| device.bit(flag)) {
            let flag = Place {
                address,
                mask: 1 << bit,
            };
            let is_told = self.events.iter().any(|event| event.flag == flag)
                || self.pins.iter().any(|pin| pin.flag == flag);
            if !is_told {
                let active = Vec::new();
                self.events.push(Event { flag, active });
            }
        }
    }

    /// Its clock and what is connected to it are not followed.
    pub(super) fn add_usi(&mut self, roles: &Roles<'_>) {
        self.add_events(roles, &["start", "overflow"], &[]);
        self.add_volatile(roles, &["data", "buffer"], &[]);
        let (strobe, output) = (roles.place("toggle"), roles.place("clock"));
        if let (Some(strobe), Some(output), Some(mode)) = (strobe, output, roles.joined(&["mode0", "mode1"]))
        {
            self.toggles.push(Toggle { strobe, output, mode });
        }
    }
}
