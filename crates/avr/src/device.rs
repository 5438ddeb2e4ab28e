//! Devices as data: memories, registers with their bits, interrupt vectors and peripherals.
//!
//! Idea: all that the simulator has to know about one member of the megaAVR family stands in a TOML file, so that a
//! device with known peripherals is added by a file and no code. The built-in files are embedded in the program;
//! others are read from a path.
//!
//! Invariant of a loaded [`Device`]: register names are unique, every bit lies within its byte, vectors are numbered
//! 1, 2, 3, … in the order of their priority, and every register and bit that a vector or a peripheral names exists.
//!
//! Source: Microchip's device description files for registers, bits and memories; a test compares the files with
//! avr-libc's headers. Reset values, read-only and write-one-to-clear masks and what clears a flag are in neither of
//! them: they are from general knowledge of the family, not yet checked against the datasheets; no test checks them.
//! Registers may share an address (UBRRH and UCSRC of the ATmega16).

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

use serde::Deserialize;

/// The embedded device files, by device name.
const BUILT_IN: &[(&str, &str)] = &[
    ("atmega16", include_str!("../devices/atmega16.toml")),
    ("atmega128", include_str!("../devices/atmega128.toml")),
];

/// One microcontroller.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Name as avr-gcc's `-mmcu` takes it.
    pub name: String,
    /// The three signature bytes.
    pub signature: [u8; 3],
    /// Bytes that a call pushes: 2, or 3 with more than 128 KiB of flash.
    pub pc_bytes: u8,
    /// Flash, in bytes.
    pub flash: Memory,
    /// Static memory, in the data address space.
    pub sram: Memory,
    /// EEPROM, in bytes.
    pub eeprom: Memory,
    /// I/O registers in ascending order of address.
    #[serde(rename = "register")]
    pub registers: Vec<Register>,
    /// Interrupt vectors; the lower the number, the higher the priority. Reset (number 0) is not listed.
    #[serde(rename = "vector")]
    pub vectors: Vec<Vector>,
    /// Peripherals.
    #[serde(default, rename = "peripheral")]
    pub peripherals: Vec<Peripheral>,
}

/// A range of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// First address.
    pub start: u32,
    /// Number of bytes.
    pub size: u32,
}

impl Memory {
    /// The address after the last one.
    #[must_use]
    pub fn end(self) -> u32 {
        self.start.saturating_add(self.size)
    }
}

/// An I/O register.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Name as in the datasheet.
    pub name: String,
    /// Address in the data address space.
    pub address: u16,
    /// Value after reset.
    #[serde(default)]
    pub reset: u8,
    /// Bits that the datasheet reserves.
    #[serde(default)]
    pub reserved: u8,
    /// Bits that a write does not change.
    #[serde(default)]
    pub read_only: u8,
    /// Flags that a written one clears.
    #[serde(default)]
    pub write_one_to_clear: u8,
    /// Bit positions by name.
    #[serde(default)]
    pub bits: BTreeMap<String, u8>,
}

/// One bit of a register, written `REGISTER.BIT` in device files.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct BitName {
    /// Name of the register.
    pub register: String,
    /// Name of the bit.
    pub bit: String,
}

impl TryFrom<String> for BitName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split_once('.') {
            Some((register, bit)) if !register.is_empty() && !bit.is_empty() => Ok(Self {
                register: register.to_owned(),
                bit: bit.to_owned(),
            }),
            _ => Err(format!("`{text}` is not of the form REGISTER.BIT")),
        }
    }
}

/// An interrupt vector.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Number; avr-libc's `__vector_N`.
    pub number: u8,
    /// Name without avr-libc's suffix `_vect`.
    pub name: String,
    /// The bit that enables the interrupt.
    pub enable: BitName,
    /// The bit that requests the interrupt; absent where no register shows the request.
    pub flag: Option<BitName>,
    /// Whether hardware clears the flag when the handler is entered.
    #[serde(default)]
    pub clears_on_entry: bool,
    /// Whether the request is a condition that holds, not an event that is latched.
    #[serde(default)]
    pub level: bool,
}

/// A peripheral: its kind and the registers that play the roles which that kind knows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peripheral {
    /// Kind, such as `port`.
    pub kind: String,
    /// Name, such as `A`.
    pub name: String,
    /// Registers by role.
    pub roles: BTreeMap<String, String>,
}

/// Why there is no device.
#[derive(Debug)]
pub enum DeviceError {
    /// No embedded file has the name.
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The file cannot be read.
    Io {
        /// Its path.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is not TOML, or lacks or misspells a field; the message has the position.
    Syntax {
        /// The file.
        path: String,
        /// What the reader says.
        error: Box<toml::de::Error>,
    },
    /// The parts of the file contradict each other.
    Inconsistent {
        /// The file.
        path: String,
        /// The contradiction.
        reason: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                let known: Vec<&str> = Device::built_in_names().collect();
                write!(f, "unknown device `{name}`; built in are {}", known.join(", "))
            }
            Self::Io { path, error } => write!(f, "{path}: {error}"),
            Self::Syntax { path, error } => write!(f, "{path}: {error}"),
            Self::Inconsistent { path, reason } => write!(f, "{path}: {reason}"),
        }
    }
}

impl std::error::Error for DeviceError {}

impl Device {
    /// Names of the devices whose files are embedded.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The embedded device of that name, in any case of letters.
    ///
    /// # Errors
    /// If there is none.
    pub fn built_in(name: &str) -> Result<Self, DeviceError> {
        let found = BUILT_IN
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        let (known, text) = found.ok_or_else(|| DeviceError::Unknown {
            name: name.to_owned(),
        })?;
        Self::parse(text, &format!("{known}.toml"))
    }

    /// Reads a user's device file.
    ///
    /// # Errors
    /// If it cannot be read or is no device file.
    pub fn from_file(path: &Path) -> Result<Self, DeviceError> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| DeviceError::Io {
            path: shown.clone(),
            error,
        })?;
        Self::parse(&text, &shown)
    }

    /// Reads a device from the text of a file called `path`.
    ///
    /// # Errors
    /// If the text is no device file, or contradicts itself.
    pub fn parse(text: &str, path: &str) -> Result<Self, DeviceError> {
        let device: Self = toml::from_str(text).map_err(|error| DeviceError::Syntax {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        match device.contradiction() {
            None => Ok(device),
            Some(reason) => Err(DeviceError::Inconsistent {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// The register of that name.
    #[must_use]
    pub fn register(&self, name: &str) -> Option<&Register> {
        self.registers.iter().find(|register| register.name == name)
    }

    /// The register at a data address; the first in the file where several share it.
    #[must_use]
    pub fn register_at(&self, address: u16) -> Option<&Register> {
        self.registers.iter().find(|register| register.address == address)
    }

    /// Data address and position of a bit.
    #[must_use]
    pub fn bit(&self, name: &BitName) -> Option<(u16, u8)> {
        let register = self.register(&name.register)?;
        Some((register.address, *register.bits.get(&name.bit)?))
    }

    fn contradiction(&self) -> Option<String> {
        if !matches!(self.pc_bytes, 2 | 3) {
            return Some(format!("pc_bytes is {}, neither 2 nor 3", self.pc_bytes));
        }
        let mut names = HashSet::new();
        for register in &self.registers {
            if !names.insert(&register.name) {
                return Some(format!("register {} is there twice", register.name));
            }
            if let Some((bit, position)) = register.bits.iter().find(|(_, position)| **position > 7) {
                return Some(format!(
                    "bit {position} ({bit}) of {} lies outside a byte",
                    register.name
                ));
            }
        }
        for (expected, vector) in (1u16..).zip(&self.vectors) {
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
        }
        self.peripherals.iter().find_map(|peripheral| {
            let missing = peripheral
                .roles
                .values()
                .find(|name| self.register(name).is_none())?;
            Some(format!(
                "{} {} names {missing}, which is not there",
                peripheral.kind, peripheral.name
            ))
        })
    }
}
