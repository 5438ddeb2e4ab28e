//! Instructions as text, in the spelling of avr-objdump.
//!
//! Idea: the table's operand string is copied, its capital letters replaced. Numbers are hexadecimal with two
//! digits at least, I/O addresses relative to 0x20; a relative jump shows the distance in bytes from the next
//! instruction.
//!
//! Invariant: what is printed equals avr-objdump's column of instructions (comments excepted) for every
//! program.

use std::fmt::Write as _;

use crate::image::{Image, Space};
use crate::instruction::{Instruction, Operation};

/// Mnemonic and operands, with a tab between.
#[must_use]
pub fn text(instruction: &Instruction) -> String {
    let operands = instruction.operands();
    let mut text = instruction.mnemonic().to_owned();
    if operands.is_empty() {
        return text;
    }
    text.push('\t');
    let mut rest = operands;
    while let Some(first) = rest.chars().next() {
        let mut taken = 1;
        let _ = match first {
            'R' if rest.starts_with("Rd") => {
                taken = 2;
                write!(text, "r{}", instruction.d)
            }
            'R' => {
                taken = 2;
                write!(text, "r{}", instruction.r)
            }
            'K' => write!(text, "0x{:02X}", instruction.k),
            'k' => write!(text, "0x{:02x}", instruction.k),
            'A' => write!(text, "0x{:02x}", instruction.k - 0x20),
            'M' => write!(text, "0x{:04X}", instruction.k),
            'J' if instruction.k == 0 => write!(text, "0"),
            'J' => write!(text, "{:#x}", i64::from(instruction.k) * 2),
            'L' => write!(text, ".{:+}", instruction.k * 2),
            'W' => write!(text, "0x{:04x}", instruction.k),
            'b' => write!(text, "{}", instruction.b),
            '+' if rest == "+q" || rest.starts_with("+q,") => {
                taken = 2;
                match instruction.k {
                    0 => Ok(()),
                    displacement => write!(text, "+{displacement}"),
                }
            }
            other => {
                text.push(other);
                Ok(())
            }
        };
        rest = &rest[taken..];
    }
    text
}

/// The byte address that an instruction at byte address `at` jumps or branches to, where it is in the
/// instruction.
#[must_use]
pub fn destination(instruction: &Instruction, at: u32, flash_bytes: u32) -> Option<u32> {
    use Operation as Op;
    match instruction.operation {
        Op::Jmp | Op::Call => Some(instruction.k as u32 * 2),
        Op::Rjmp | Op::Rcall | Op::Brbs | Op::Brbc => Some(instruction.target(at / 2, flash_bytes / 2) * 2),
        _ => None,
    }
}

/// An address of flash as symbol and distance, such as `main+0x4`.
#[must_use]
pub fn place(image: &Image, address: u32) -> Option<String> {
    let symbol = image
        .symbols
        .iter()
        .filter(|symbol| symbol.space == Space::Flash && symbol.address <= address)
        .max_by_key(|symbol| {
            (
                symbol.address,
                symbol.kind == crate::image::SymbolKind::Function,
                symbol.global,
            )
        })?;
    Some(match address - symbol.address {
        0 => symbol.readable().into_owned(),
        distance => format!("{}+{distance:#x}", symbol.readable()),
    })
}
