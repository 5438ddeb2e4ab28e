//! The firmware image: what a programmer writes into the chip, and the names its symbols give to addresses.
//!
//! Idea: the simulator starts from flash and EEPROM alone; whatever start-up code copies to static memory is
//! in the flash already. Symbols only name addresses.
//!
//! Invariant: the used ranges are ascending, disjoint and within the bytes; a byte outside them is erased
//! (0xFF).

use std::fmt;
use std::ops::Range;

use crate::device::{Device, Memory};

/// Bytes of a non-volatile memory from address 0 on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    bytes: Vec<u8>,
    used: Vec<Range<u32>>,
}

impl Contents {
    /// The bytes up to the last used one; bytes that no range covers are 0xFF, as erased memory reads.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The ranges that the image defines: ascending, disjoint, none empty.
    #[must_use]
    pub fn used(&self) -> &[Range<u32>] {
        &self.used
    }

    /// Whether the image defines the byte at an address.
    #[must_use]
    pub fn is_used(&self, address: u32) -> bool {
        let after = self.used.partition_point(|range| range.start <= address);
        after > 0 && self.used[after - 1].contains(&address)
    }

    /// Writes bytes at an address.
    ///
    /// # Errors
    /// The first address that is defined already; nothing is written then.
    pub fn define(&mut self, address: u32, bytes: &[u8]) -> Result<(), u32> {
        let length = u32::try_from(bytes.len()).map_err(|_| address)?;
        let end = address.checked_add(length).ok_or(address)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let place = self.used.partition_point(|range| range.end <= address);
        if let Some(next) = self.used.get(place).filter(|next| next.start < end) {
            return Err(next.start.max(address));
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0xFF);
        }
        self.bytes[address as usize..end as usize].copy_from_slice(bytes);
        self.used.insert(place, address..end);
        if self.used.get(place + 1).is_some_and(|next| next.start == end) {
            self.used[place].end = self.used.remove(place + 1).end;
        }
        if place > 0 && self.used[place - 1].end == address {
            self.used[place - 1].end = self.used.remove(place).end;
        }
        Ok(())
    }
}

/// The memory that a symbol's address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Program memory, addressed in bytes.
    Flash,
    /// The data address space: registers, I/O registers, static memory.
    Data,
    /// EEPROM.
    Eeprom,
}

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function, as the compiler marks it.
    Function,
    /// A variable or constant, as the compiler marks it.
    Object,
    /// A label of assembly code, with no type.
    Label,
}

/// A name of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Name as the linker has it.
    pub name: String,
    /// Kind.
    pub kind: SymbolKind,
    /// Memory.
    pub space: Space,
    /// First address within the memory.
    pub address: u32,
    /// Size in bytes; 0 where unknown.
    pub size: u32,
    /// Whether other compilation units see the name.
    pub global: bool,
}

/// A firmware image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// Program memory.
    pub flash: Contents,
    /// EEPROM.
    pub eeprom: Contents,
    /// Where in flash the initial values of static variables are, if symbols tell.
    pub data_load: Option<Range<u32>>,
    /// Byte address in flash that the file names as its entry.
    pub entry: u32,
    /// Name of the device the image was linked for, if the file tells.
    pub device: Option<String>,
    /// avr-gcc's number of the architecture, such as 5 for `avr5`; several devices share one.
    pub architecture: Option<u8>,
    /// The data address where the stack begins, if the file tells.
    pub stack: Option<u32>,
    /// The data address of the first static variable, if the file tells.
    pub static_start: Option<u32>,
    /// The data addresses of variables that start-up code leaves as they are (`.noinit`).
    pub not_initialised: Range<u32>,
    /// Symbols in ascending order of memory and address.
    pub symbols: Vec<Symbol>,
    /// The data address behind the last static variable; none where the file does not tell, as an Intel HEX
    /// file does not.
    pub static_end: Option<u32>,
    /// Byte address where runs begin ([`crate::fuses`]).
    pub reset: u32,
    /// Byte address of the boot section: SPM does something from there on only.
    pub boot: u32,
}

impl Image {
    /// Checks that the image fits into a device.
    ///
    /// # Errors
    /// The first memory that is too small.
    pub fn fits(&self, device: &Device) -> Result<(), ImageError> {
        let check = |contents: &Contents, memory: Memory, name: &'static str| {
            let size = contents.bytes.len();
            if size <= memory.size as usize {
                return Ok(());
            }
            Err(ImageError::TooLarge {
                memory: name,
                size,
                available: memory.size,
                device: device.name.clone(),
            })
        };
        check(&self.flash, device.flash, "flash")?;
        check(&self.eeprom, device.eeprom, "EEPROM")
    }

    /// The symbol of that name; a global one before local ones.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        let named = || self.symbols.iter().filter(|symbol| symbol.name == name);
        named().find(|symbol| symbol.global).or_else(|| named().next())
    }

    /// The function whose code contains a byte address of flash.
    #[must_use]
    pub fn function_at(&self, address: u32) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| {
            symbol.kind == SymbolKind::Function
                && symbol.space == Space::Flash
                && address >= symbol.address
                && address - symbol.address < symbol.size.max(1)
        })
    }
}

/// Why there is no image, or none for this device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageError {
    /// The file does not begin as ELF files do.
    NotElf,
    /// An ELF file for another machine.
    NotAvr {
        /// ELF's number of that machine.
        machine: u16,
    },
    /// An ELF file that has not been linked.
    NotExecutable,
    /// The file ends early or its parts contradict each other.
    Malformed {
        /// The part and what is wrong with it.
        reason: String,
    },
    /// The image needs more memory than the device has.
    TooLarge {
        /// Which memory.
        memory: &'static str,
        /// Bytes needed.
        size: usize,
        /// Bytes available.
        available: u32,
        /// The device.
        device: String,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotElf => write!(
                f,
                "not an ELF file; give the file that avr-gcc links (-o firmware.elf)"
            ),
            Self::NotAvr { machine } => write!(
                f,
                "an ELF file for machine {machine}, not for AVR (83); compile it with avr-gcc -mmcu=DEVICE"
            ),
            Self::NotExecutable => write!(f, "an object file, not linked; link it with avr-gcc -mmcu=DEVICE"),
            Self::Malformed { reason } => {
                write!(
                    f,
                    "truncated or corrupt ELF file: {reason}; build or copy it anew"
                )
            }
            Self::TooLarge {
                memory,
                size,
                available,
                device,
            } => write!(
                f,
                "the image needs {size} bytes of {memory}, {device} has {available}; name the device it was \
                 linked \
                 for with --mcu"
            ),
        }
    }
}

impl std::error::Error for ImageError {}
