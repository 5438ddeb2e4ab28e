//! Pins that a peripheral takes from their port, as device files tell them.
//!
//! Idea: a row names a pin, the bits that let the peripheral have it, and what of the port it overrides. The
//! signals by which it does that (DDOE, PVOE, DIEOE) are not modelled: the pin has any level meanwhile.
//!
//! Invariant: a row that could never apply is refused; ignoring it would leave behaviour out of the model.
//!
//! Source: "Alternate Port Functions" in the datasheets.

use serde::Deserialize;

use super::{BitName, Device};

/// A pin that a peripheral takes from its port while some bits of registers are set, or a fuse.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinOverride {
    /// The pin, as a bit of its PIN register (`PINB.3`).
    pub pin: String,
    /// Bits of one register; one of them at least is 1.
    #[serde(default)]
    pub enabled_by: Vec<BitName>,
    /// A fuse decides, which no register shows: the pin may be taken at any time.
    #[serde(default)]
    pub fuse: bool,
    /// A bit that has to be 1, too.
    pub with: Option<BitName>,
    /// A bit that has to be 0, too.
    pub without: Option<BitName>,
    /// The direction is overridden (DDOE); if nothing else is, the pin is an input.
    #[serde(default)]
    pub direction: bool,
    /// What the pin puts out is overridden (PVOE).
    #[serde(default)]
    pub value: bool,
    /// The digital input is overridden (DIEOE), so that the PIN register does not show the pin's level.
    #[serde(default)]
    pub input: bool,
    /// That the bits have become 0 does not end it for certain.
    #[serde(default)]
    pub lasts: bool,
}

impl PinOverride {
    /// Why the row makes no sense for this device, if that is so.
    pub(super) fn fault(&self, device: &Device) -> Option<&'static str> {
        let is_pin = |(address, bit): (u16, Option<u8>)| {
            let mut ports = device.peripherals.iter().filter(|port| port.kind == "port");
            let pin_of = |role: &str| device.place(role).map(|(pin, _)| pin);
            bit.is_some() && ports.any(|port| port.role("pin").and_then(pin_of) == Some(address))
        };
        if !device.place(&self.pin).is_some_and(is_pin) {
            return Some("names no pin of a port");
        }
        let bits = self.enabled_by.iter().chain(&self.with).chain(&self.without);
        if bits.into_iter().any(|bit| device.bit(bit).is_none()) {
            return Some("names a bit that is not there");
        }
        let mut registers = self.enabled_by.iter().map(|bit| &bit.register);
        let first = registers.next();
        if self.fuse && (first.is_some() || self.lasts) {
            return Some("is enabled by a fuse and by bits");
        }
        if first.is_none() != self.fuse || registers.any(|register| Some(register) != first) {
            return Some("is not enabled by bits of one register");
        }
        if self.lasts && (self.with.is_some() || self.without.is_some()) {
            return Some("lasts, so that it can have no further condition");
        }
        (!self.direction && !self.value && !self.input).then_some("overrides nothing")
    }
}
