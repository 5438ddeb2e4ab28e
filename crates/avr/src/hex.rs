//! Firmware images from Intel HEX files, as programmers read them.
//!
//! Idea: each line is a record of length, address, type, data and a checksum that makes the bytes' sum zero;
//! a file describes one memory only, flash here, and gives no names.
//!
//! Invariant: any text gives an image or an error with a line number; every byte was under a valid checksum,
//! none was defined twice, and the end record was there, so a truncated file is not taken for a small
//! program.
//!
//! Source: Intel's hexadecimal object file format specification, revision A, 1988.

use std::fmt;

use crate::image::{Contents, Image};

/// Size of the address range of flash in AVR's tools; the EEPROM is in a file of its own.
const LIMIT: u32 = 0x80_0000;

/// What is wrong with a HEX file, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HexError {
    /// Line, from 1.
    pub line: usize,
    /// Fault.
    pub fault: HexFault,
}

/// A fault of a HEX file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HexFault {
    /// The line does not begin with a colon.
    NoRecord,
    /// Something else than pairs of hexadecimal digits.
    Digits,
    /// The record's length is not that of its line.
    Length,
    /// The bytes' sum is not zero.
    Checksum {
        /// The checksum that would make it zero.
        expected: u8,
        /// The one that is there.
        found: u8,
    },
    /// A type of record other than 00 to 05.
    Type {
        /// That type.
        kind: u8,
    },
    /// A byte that an earlier record defined.
    Overlap {
        /// Its address.
        address: u32,
    },
    /// An address beyond any flash.
    Address {
        /// That address.
        address: u32,
    },
    /// A record behind the end record.
    AfterEnd,
    /// No end record.
    NoEnd,
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match self.fault {
            HexFault::NoRecord => write!(f, "no `:` at its start; is this an Intel HEX file?"),
            HexFault::Digits => write!(f, "not pairs of hexadecimal digits"),
            HexFault::Length => write!(f, "the record is not as long as its length field says"),
            HexFault::Checksum { expected, found } => {
                write!(
                    f,
                    "checksum {found:02X} where {expected:02X} is right; copy or build the file anew"
                )
            }
            HexFault::Type { kind } => write!(f, "record type {kind:02X}; known are 00 to 05"),
            HexFault::Overlap { address } => write!(f, "address {address:#x} is defined a second time"),
            HexFault::Address { address } => write!(
                f,
                "address {address:#x} lies beyond flash; write the file with avr-objcopy -O ihex -R .eeprom"
            ),
            HexFault::AfterEnd => write!(f, "a record behind the end record"),
            HexFault::NoEnd => write!(f, "no end record (:00000001FF); the file is truncated"),
        }
    }
}

impl std::error::Error for HexError {}

/// A record whose checksum is right.
struct Record {
    kind: u8,
    offset: u16,
    data: Vec<u8>,
}

/// Reads an image from the text of a HEX file.
///
/// # Errors
/// The first fault.
pub fn read(text: &[u8]) -> Result<Image, HexError> {
    let mut flash = Contents::default();
    let mut entry = 0;
    let mut base = 0u32;
    let mut segmented = false;
    let mut ended = false;
    let mut last = 1;
    for (line, content) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let content = content.trim_ascii();
        if content.is_empty() {
            continue;
        }
        last = line;
        let at = |fault| HexError { line, fault };
        if ended {
            return Err(at(HexFault::AfterEnd));
        }
        let record = record(content).map_err(at)?;
        match (record.kind, &record.data[..]) {
            (0, data) => define(&mut flash, base, segmented, record.offset, data).map_err(at)?,
            (1, []) => ended = true,
            (2, &[high, low]) => {
                base = u32::from(u16::from_be_bytes([high, low])) << 4;
                segmented = true;
            }
            (4, &[high, low]) => {
                base = u32::from(u16::from_be_bytes([high, low])) << 16;
                segmented = false;
            }
            // A start address as segment and offset of an 8086.
            (3, &[a, b, c, d]) => {
                entry = (u32::from(u16::from_be_bytes([a, b])) << 4) + u32::from(u16::from_be_bytes([c, d]));
            }
            (5, &[a, b, c, d]) => entry = u32::from_be_bytes([a, b, c, d]),
            (1..=5, _) => return Err(at(HexFault::Length)),
            (kind, _) => return Err(at(HexFault::Type { kind })),
        }
    }
    if !ended {
        let fault = HexFault::NoEnd;
        return Err(HexError { line: last, fault });
    }
    Ok(Image {
        flash,
        entry,
        ..Image::default()
    })
}

/// Defines a record's bytes; within a segment of 64 KiB the address wraps, with a linear base it does not.
fn define(
    flash: &mut Contents,
    base: u32,
    segmented: bool,
    offset: u16,
    data: &[u8],
) -> Result<(), HexFault> {
    let room = if segmented {
        0x1_0000 - usize::from(offset)
    } else {
        data.len()
    };
    let (first, wrapped) = data.split_at(room.min(data.len()));
    let start = u64::from(base) + u64::from(offset);
    for (address, part) in [(start, first), (u64::from(base), wrapped)] {
        if part.is_empty() {
            continue;
        }
        let address = u32::try_from(address).unwrap_or(u32::MAX);
        if address >= LIMIT || part.len() > (LIMIT - address) as usize {
            return Err(HexFault::Address { address });
        }
        flash
            .define(address, part)
            .map_err(|address| HexFault::Overlap { address })?;
    }
    Ok(())
}

fn record(line: &[u8]) -> Result<Record, HexFault> {
    let digits = line.strip_prefix(b":").ok_or(HexFault::NoRecord)?;
    let (pairs, odd) = digits.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(HexFault::Digits);
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    let bytes: Vec<u8> = pairs
        .iter()
        .map(pair)
        .collect::<Option<_>>()
        .ok_or(HexFault::Digits)?;
    let [length, high, low, kind, ref data @ .., found] = bytes[..] else {
        return Err(HexFault::Length);
    };
    if data.len() != usize::from(length) {
        return Err(HexFault::Length);
    }
    let sum = bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    if sum != 0 {
        let expected = found.wrapping_sub(sum);
        return Err(HexFault::Checksum { expected, found });
    }
    Ok(Record {
        kind,
        offset: u16::from_be_bytes([high, low]),
        data: data.to_vec(),
    })
}
