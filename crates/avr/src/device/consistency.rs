//! What makes a device file wrong: parts that contradict each other, or the chips that it is about.
//!
//! Invariant: what passes can be given to the microcontroller; nothing there has to ask whether a register
//! lies where registers are, or whether all cells have a number.
//!
//! Source: AVR Instruction Set Manual and the datasheets' "AVR Memories" for where things lie.

use std::collections::HashSet;

use super::{BitName, Device, Peripheral, Register, roles};
use crate::core::address;
use crate::semantics::WORDS_WITHOUT_EXTENSION;

/// The data address space.
const ADDRESSES: u32 = 0x1_0000;
/// The first address behind the registers that instructions name.
const FIRST_REGISTER: u16 = 32;
/// Cells that no register shows, of one peripheral, at the most.
const MOST_HIDDEN: u32 = 8;

/// The first contradiction.
pub(super) fn contradiction(device: &Device) -> Option<String> {
    device
        .contradiction_in_memories()
        .or_else(|| device.contradiction_in_registers())
        .or_else(|| device.contradiction_in_sequences())
        .or_else(|| device.contradiction_in_vectors())
        .or_else(|| device.contradiction_in_peripherals())
        .or_else(|| device.contradiction_in_overrides())
}

impl Device {
    fn contradiction_in_overrides(&self) -> Option<String> {
        self.overrides.iter().find_map(|row| {
            let fault = row.fault(self)?;
            Some(format!("the override of {} {fault}", row.pin))
        })
    }

    fn contradiction_in_memories(&self) -> Option<String> {
        if !matches!(self.pc_bytes, 2 | 3) {
            return Some(format!("pc_bytes is {}, neither 2 nor 3", self.pc_bytes));
        }
        if !matches!(self.vector_bytes, 2 | 4) {
            return Some(format!("vector_bytes is {}, neither 2 nor 4", self.vector_bytes));
        }
        if self.flash_page < 2
            || !self.flash_page.is_power_of_two()
            || !self.flash.size.is_multiple_of(u32::from(self.flash_page))
        {
            return Some(format!(
                "flash_page is {}, no power of two that divides the {} bytes of flash",
                self.flash_page, self.flash.size
            ));
        }
        let is_section =
            |size: &u32| *size < self.flash.size && size.is_multiple_of(u32::from(self.flash_page));
        if !self.boot_bytes.iter().all(is_section) {
            return Some("boot_bytes are no sizes of whole pages within flash".to_owned());
        }
        self.contradiction_in_flash()
            .or_else(|| self.contradiction_in_data())
    }

    fn contradiction_in_flash(&self) -> Option<String> {
        if self.pc_bytes == 2 && self.flash.size > 2 * WORDS_WITHOUT_EXTENSION {
            return Some("pc_bytes is 2, too few for more than 128 KiB of flash".to_owned());
        }
        let numbers = self.vectors.iter().map(|vector| u64::from(vector.number));
        let vectors = (numbers.max().unwrap_or(0) + 1) * u64::from(self.vector_bytes);
        if self.flash.start != 0 || u64::from(self.flash.size) < vectors {
            return Some("flash does not begin at 0 or has no room for the vectors".to_owned());
        }
        None
    }

    fn contradiction_in_data(&self) -> Option<String> {
        if self.sram.end() > ADDRESSES {
            return Some(format!(
                "sram ends at 0x{:X}, beyond the data address space of 64 KiB",
                self.sram.end()
            ));
        }
        if self.sram.start <= u32::from(address::SREG) || self.sram.size == 0 {
            let start = self.sram.start;
            return Some(format!(
                "sram is empty or begins at 0x{start:X}, where every AVR has registers"
            ));
        }
        // Every cell has a number: data memory, the EEPROM, the page buffer, and what no register shows.
        let behind = MOST_HIDDEN.saturating_mul(self.peripherals.len() as u32 + 1);
        let parts = [
            self.sram.end(),
            self.eeprom.size,
            u32::from(self.flash_page),
            behind,
        ];
        if self.eeprom.start != 0 || parts.into_iter().fold(0, u32::saturating_add) > ADDRESSES {
            return Some(format!(
                "eeprom does not begin at 0, or has too many bytes ({}) to be told apart from sram",
                self.eeprom.size
            ));
        }
        None
    }

    fn contradiction_in_registers(&self) -> Option<String> {
        let mut names = HashSet::new();
        self.registers.iter().find_map(|register| {
            if !names.insert(&register.name) {
                return Some(format!("register {} is there twice", register.name));
            }
            if register.address < FIRST_REGISTER || u32::from(register.address) >= self.sram.start {
                return Some(format!(
                    "register {} lies at 0x{:X}, not between the registers r0 to r31 and sram",
                    register.name, register.address
                ));
            }
            register.contradiction()
        })
    }

    fn contradiction_in_sequences(&self) -> Option<String> {
        self.timed.iter().find_map(|sequence| {
            let name = &sequence.register;
            let Some(register) = self.register(name) else {
                return Some(format!(
                    "a timed sequence names the register {name}, which is not there"
                ));
            };
            let own = sequence.permission | sequence.protects;
            let is_unclear = sequence.permission == 0 || sequence.permission & sequence.protects != 0;
            let reaches = own & (register.reserved | register.read_only) != 0;
            let wrong = is_unclear || reaches || sequence.set_freely & !sequence.protects != 0;
            wrong.then(|| format!("the timed sequence of {name} permits or protects what it cannot"))
        })
    }

    fn contradiction_in_vectors(&self) -> Option<String> {
        let numbers = (1u16..).filter(|number| {
            let reserved = self.reserved_vectors.iter().map(|reserved| u16::from(*reserved));
            !reserved.into_iter().any(|reserved| reserved == *number)
        });
        for (expected, vector) in numbers.zip(&self.vectors) {
            if u16::from(vector.number) != expected {
                return Some(format!(
                    "vector {} stands where {expected} is expected",
                    vector.number
                ));
            }
            for bit in std::iter::once(&vector.enable).chain(&vector.flag) {
                if self.bit(bit).is_none() {
                    return Some(format!(
                        "vector {} names {}.{}, which is not there",
                        vector.name, bit.register, bit.bit
                    ));
                }
            }
            if !self.is_told(&vector.enable) {
                return Some(format!(
                    "vector {} is enabled by a bit that does not just hold what was written",
                    vector.name
                ));
            }
        }
        None
    }

    /// Whether a bit holds what the program has written: the microcontroller has to know it.
    fn is_told(&self, bit: &BitName) -> bool {
        let register = self.register(&bit.register);
        register
            .zip(self.bit(bit))
            .is_some_and(|(register, (_, position))| {
                let untold = register.undefined
                    | register.read_only
                    | register.volatile
                    | register.doubtful
                    | register.strobe
                    | register.write_one_to_clear
                    | register.write_zero_to_clear;
                untold >> position & 1 == 0
            })
    }

    fn contradiction_in_peripherals(&self) -> Option<String> {
        let mut names = HashSet::new();
        self.peripherals.iter().find_map(|peripheral| {
            let Peripheral { kind, name, roles } = peripheral;
            if !names.insert((kind, name)) {
                return Some(format!("peripheral {kind} {name} is there twice"));
            }
            if let Some(fault) = roles::fault(kind, roles) {
                return Some(format!("peripheral {kind} {name} {fault}"));
            }
            if let Some(missing) = roles.values().find(|value| self.place(value).is_none()) {
                return Some(format!(
                    "peripheral {kind} {name} names {missing}, which is not there"
                ));
            }
            let apart = roles::apart(kind, roles, |place| self.place(place).map(|(address, _)| address))?;
            Some(format!(
                "peripheral {kind} {name} has {apart} in several registers"
            ))
        })
    }
}

impl Register {
    fn contradiction(&self) -> Option<String> {
        let name = &self.name;
        if let Some((bit, position)) = self.bits.iter().find(|(_, position)| **position > 7) {
            return Some(format!("bit {position} ({bit}) of {name} lies outside a byte"));
        }
        if let Some((bit, _)) = self
            .bits
            .iter()
            .find(|(_, position)| self.reserved >> **position & 1 == 1)
        {
            return Some(format!("bit {bit} of {name} is reserved"));
        }
        let masks = [
            ("reset", self.reset, "reserved", self.reserved),
            ("undefined", self.undefined, "reserved", self.reserved),
            (
                "write_one_to_clear",
                self.write_one_to_clear,
                "reserved",
                self.reserved,
            ),
            (
                "write_one_to_clear",
                self.write_one_to_clear,
                "read_only",
                self.read_only,
            ),
            (
                "write_zero_to_clear",
                self.write_zero_to_clear,
                "reserved",
                self.reserved,
            ),
            (
                "write_zero_to_clear",
                self.write_zero_to_clear,
                "read_only",
                self.read_only,
            ),
            (
                "write_zero_to_clear",
                self.write_zero_to_clear,
                "write_one_to_clear",
                self.write_one_to_clear,
            ),
            ("volatile", self.volatile, "reserved", self.reserved),
            ("strobe", self.strobe, "reserved", self.reserved),
            ("strobe", self.strobe, "read_only", self.read_only),
            (
                "strobe",
                self.strobe,
                "write_one_to_clear",
                self.write_one_to_clear,
            ),
        ];
        masks.iter().find_map(|(one, a, other, b)| {
            (a & b != 0).then(|| format!("{one} and {other} of {name} have bits in common"))
        })
    }
}
