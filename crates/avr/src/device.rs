//! Devices as data: memories, registers with their bits, interrupt vectors and peripherals.
//!
//! Idea: all that the simulator has to know about one member of the megaAVR and tinyAVR families stands in a
//! TOML file, so that a device with known peripherals is added by a file and no code. A file may say only how
//! its device differs from another one (`like`). The built-in files are embedded in the program
//! (`built_in`); others are read from a path.
//!
//! Invariant of a loaded [`Device`]: register names are unique, every bit lies within its byte and is not
//! reserved, vectors are numbered 1, 2, 3, … in the order of their priority, every register and bit that a
//! vector or a peripheral names exists, and every peripheral has the roles that its kind needs and no other
//! (`roles`).
//!
//! Source: Microchip's device description files for registers, bits, reserved bits and memories; a test
//! compares the files with avr-libc's headers. Reset values, the access of single bits and what clears a flag
//! are in neither of them: they follow the ATmega32's datasheet, whose rows a test has, and for what other
//! devices have besides, what each file's head says. Registers may share an address (UBRRH and UCSRC of the
//! ATmega16).

mod built_in;
mod consistency;
mod like;
mod pin_override;
mod roles;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

pub use pin_override::PinOverride;
use serde::Deserialize;

/// One microcontroller.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Name as avr-gcc's `-mmcu` takes it.
    pub name: String,
    /// The three signature bytes.
    pub signature: [u8; 3],
    /// avr-gcc's number of the architecture, such as 5 for `avr5`.
    pub architecture: Option<u8>,
    /// Bytes that a call pushes: 2, or 3 with more than 128 KiB of flash.
    pub pc_bytes: u8,
    /// Flash, in bytes.
    pub flash: Memory,
    /// Static memory, in the data address space.
    pub sram: Memory,
    /// EEPROM, in bytes.
    pub eeprom: Memory,
    /// Bytes of flash that self-programming erases and writes at once.
    pub flash_page: u16,
    /// Sizes in bytes that the fuses can give the boot section at the end of flash; none if SPM works
    /// everywhere.
    #[serde(default)]
    pub boot_bytes: Vec<u32>,
    /// Bytes of flash from one interrupt vector to the next.
    pub vector_bytes: u8,
    /// Numbers of vectors that no interrupt has.
    #[serde(default)]
    pub reserved_vectors: Vec<u8>,
    /// Byte address in flash where the vectors begin: 0, or the boot section's if they are moved there.
    #[serde(skip)]
    pub vectors_at: u32,
    /// Whether a one written to a PIN register toggles the bit of the PORT register.
    #[serde(default)]
    pub pin_toggles: bool,
    /// I/O registers in ascending order of address.
    #[serde(rename = "register")]
    pub registers: Vec<Register>,
    /// Interrupt vectors; the lower the number, the higher the priority. Reset (number 0) is not listed.
    #[serde(rename = "vector")]
    pub vectors: Vec<Vector>,
    /// Bits that a write changes only within a timed sequence.
    #[serde(default, rename = "timed")]
    pub timed: Vec<TimedSequence>,
    /// Pins that peripherals take from their ports.
    #[serde(default, rename = "override")]
    pub overrides: Vec<PinOverride>,
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
    /// Bits of which the datasheet does not say what they are after reset: inputs, memories, the cause of the
    /// reset, and what fuses decide. `reset` has one possibility.
    #[serde(default)]
    pub undefined: u8,
    /// Bits that the datasheet reserves.
    #[serde(default)]
    pub reserved: u8,
    /// Bits that a write does not change.
    #[serde(default)]
    pub read_only: u8,
    /// Bits that hardware may change at any moment, in ways that are not told: they have any value at each
    /// read.
    #[serde(default)]
    pub volatile: u8,
    /// Bits that let hardware do what is not modelled, when they are set.
    #[serde(default)]
    pub unsupported: u8,
    /// Flags that a written one clears.
    #[serde(default)]
    pub write_one_to_clear: u8,
    /// Flags that a written zero clears, and a written one leaves as they are.
    #[serde(default)]
    pub write_zero_to_clear: u8,
    /// Bits of which it is not told whether a write takes effect: a condition that is not modelled decides.
    #[serde(default)]
    pub doubtful: u8,
    /// Bits that act when a one is written to them and then read as zero. That a prescaler's reset can last
    /// (TSM; an asynchronous timer) is not told.
    #[serde(default)]
    pub strobe: u8,
    /// Bit positions by name.
    #[serde(default)]
    pub bits: BTreeMap<String, u8>,
}

/// Bits of a register that a write changes only shortly after another write, the permission.
///
/// Source: "Timed Sequences" in the datasheets, and the descriptions of the registers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedSequence {
    /// Name of the register.
    pub register: String,
    /// The bits that permit the change; hardware clears them after four cycles.
    pub permission: u8,
    /// Bits that have to be written as ones together with the permission, or it is not given.
    #[serde(default)]
    pub with_ones: u8,
    /// Bits that have to be written as zeros together with the permission, or it is not given.
    #[serde(default)]
    pub with_zeros: u8,
    /// The bits that change with the permission only.
    pub protects: u8,
    /// Those of them that may be set at any time: only clearing them needs the permission.
    #[serde(default)]
    pub set_freely: u8,
    /// Whether the change ends the permission at once.
    #[serde(default)]
    pub ends: bool,
    /// Whether hardware clears what the change has set some cycles later.
    #[serde(default)]
    pub fades: bool,
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
    /// Registers and bits by role, written `REGISTER` or `REGISTER.BIT`; [`Device::place`] finds them.
    pub roles: BTreeMap<String, String>,
}

impl Peripheral {
    /// What plays a role, if anything does.
    #[must_use]
    pub fn role(&self, role: &str) -> Option<&str> {
        self.roles.get(role).map(String::as_str)
    }
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
    /// A device file is like one that is not there.
    UnknownBase {
        /// The file.
        path: String,
        /// What it says it is like.
        name: String,
    },
    /// Device files are like each other.
    Circle {
        /// The files, the last of which is one of those before.
        way: Vec<String>,
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
                let known: Vec<&str> = Device::built_in_files().collect();
                write!(f, "unknown device `{name}`; built in are {}", known.join(", "))
            }
            Self::Io { path, error } => write!(f, "{path}: {error}"),
            Self::Syntax { path, error } => write!(f, "{path}: {error}"),
            Self::UnknownBase { path, name } => {
                let known: Vec<&str> = Device::built_in_files().collect();
                write!(
                    f,
                    "{path}: like `{name}`, neither a readable file NAME.toml beside it nor built in ({})",
                    known.join(", ")
                )
            }
            Self::Circle { way } => {
                write!(
                    f,
                    "device files are like each other in a circle: {}",
                    way.join(", ")
                )
            }
            Self::Inconsistent { path, reason } => write!(f, "{path}: {reason}"),
        }
    }
}

impl std::error::Error for DeviceError {}

impl Device {
    /// Names of the devices that embedded files describe.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        built_in::FILES
            .iter()
            .flat_map(|(names, _)| names.iter().copied())
    }

    /// Names of the devices that have an embedded file of their own, without those that are the same as
    /// another one.
    pub fn built_in_files() -> impl Iterator<Item = &'static str> {
        built_in::FILES.iter().map(|(names, _)| names[0])
    }

    /// Names of chips that are the same as one with an embedded file of its own.
    pub fn built_in_alike(file: &str) -> impl Iterator<Item = &'static str> {
        let alike = built_in::FILES.iter().find(|(names, _)| names[0] == file);
        alike
            .into_iter()
            .flat_map(|(names, _)| names[1..].iter().copied())
    }

    /// The embedded device of that name, in any case of letters.
    ///
    /// # Errors
    /// If there is none.
    pub fn built_in(name: &str) -> Result<Self, DeviceError> {
        let (name, file, text) = built_in::find(name).ok_or_else(|| DeviceError::Unknown {
            name: name.to_owned(),
        })?;
        let device = Self::parse(text, &format!("{file}.toml"))?;
        let name = name.to_owned();
        Ok(Self { name, ..device })
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
        let syntax = |error| DeviceError::Syntax {
            path: path.to_owned(),
            error: Box::new(error),
        };
        let table: toml::Table = toml::from_str(text).map_err(syntax)?;
        let device: Self = match table.contains_key("like") || table.contains_key("without") {
            true => like::resolve(table, path, &mut Vec::new())?
                .try_into()
                .map_err(syntax)?,
            // With the places of errors.
            false => toml::from_str(text).map_err(syntax)?,
        };
        match consistency::contradiction(&device) {
            None => Ok(device),
            Some(reason) => Err(DeviceError::Inconsistent {
                path: path.to_owned(),
                reason,
            }),
        }
    }

    /// Byte addresses at which a boot section can begin.
    #[must_use]
    pub fn boot_sections(&self) -> Vec<u32> {
        let end = self.flash.end();
        self.boot_bytes
            .iter()
            .map(|size| end.saturating_sub(*size))
            .collect()
    }

    /// Byte address of the largest boot section, which chips are delivered with; 0 if SPM works everywhere.
    #[must_use]
    pub fn largest_boot_section(&self) -> u32 {
        self.boot_sections().into_iter().min().unwrap_or(0)
    }

    /// Word address of an interrupt's vector.
    #[must_use]
    pub fn vector_word(&self, number: u8) -> u32 {
        (self.vectors_at + u32::from(number) * u32::from(self.vector_bytes)) / 2
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

    /// Data address, and position of the bit if there is one, of `REGISTER` or `REGISTER.BIT`; a bit goes by
    /// its name or by a digit.
    #[must_use]
    pub fn place(&self, role_value: &str) -> Option<(u16, Option<u8>)> {
        let Some((register, bit)) = role_value.split_once('.') else {
            return Some((self.register(role_value)?.address, None));
        };
        let register = self.register(register)?;
        let position = match bit.as_bytes() {
            [digit @ b'0'..=b'7'] => digit - b'0',
            _ => *register.bits.get(bit)?,
        };
        Some((register.address, Some(position)))
    }
}
