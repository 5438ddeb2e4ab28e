//! `kripke devices`: the microcontrollers that are known without a file.

use std::fmt::Write as _;

use kripke_avr::device::Device;
use kripke_check::Failure;

use crate::output;

/// Lists them.
pub fn devices() -> Result<u8, Failure> {
    let mut text = "device        flash   SRAM  EEPROM  interrupts  the same\n".to_owned();
    for name in Device::built_in_files() {
        let device = Device::built_in(name).map_err(|error| Failure::Internal(error.to_string()))?;
        let alike: Vec<&str> = Device::built_in_alike(name).collect();
        let line = format!(
            "{name:<12} {:>6} {:>6} {:>7} {:>11}  {}",
            device.flash.size,
            device.sram.size,
            device.eeprom.size,
            device.vectors.len(),
            alike.join(", ")
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    output::print(&text)?;
    Ok(0)
}
