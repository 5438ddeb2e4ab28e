//! `kripke disasm`: the machine code of a firmware as assembly, with the source lines it was made of.

use std::fmt::Write as _;

use kripke_avr::disassemble;
use kripke_avr::image::Space;
use kripke_avr::instruction::decode_all;
use kripke_model::Place;

use crate::arguments::DisasmArguments;
use crate::{firmware, output};
use kripke_check::Failure;
use kripke_check::firmware::Firmware;

/// Prints the listing.
pub fn disasm(arguments: &DisasmArguments) -> Result<u8, Failure> {
    let firmware = firmware::load(&arguments.file, &arguments.device)?;
    let range = match &arguments.function {
        None => 0..u32::MAX,
        Some(name) => function(&firmware, name)?,
    };
    let bytes = firmware.image.flash.bytes();
    let program = decode_all(bytes);
    let (mut text, mut before, mut word) = (String::new(), Place::default(), 0_u32);
    while let Some(instruction) = program.get(word as usize) {
        let address = word * 2;
        if range.contains(&address) && firmware.image.flash.is_used(address) {
            let named = firmware
                .image
                .symbols
                .iter()
                .filter(|symbol| symbol.space == Space::Flash && symbol.address == address);
            for symbol in named {
                let _ = writeln!(text, "\n{}:", symbol.readable());
            }
            let place = firmware.place(word);
            if place.line > 0 && (place.line, &place.file) != (before.line, &before.file) {
                let _ = writeln!(text, "; {}:{}", place.file, place.line);
            }
            before = place;
            let words = &bytes[address as usize
                ..bytes
                    .len()
                    .min(address as usize + 2 * usize::from(instruction.words))];
            let hex: Vec<String> = words.iter().map(|byte| format!("{byte:02x}")).collect();
            let target = disassemble::destination(instruction, address, firmware.device.flash.size)
                .and_then(|target| disassemble::place(&firmware.image, target))
                .map_or_else(String::new, |target| format!("  ; {target}"));
            let shown = disassemble::text(instruction).replace('\t', " ");
            let _ = writeln!(text, "{address:6x}:  {:<12} {shown}{target}", hex.join(" "));
        }
        word += u32::from(instruction.words);
    }
    output::print(&text)?;
    Ok(0)
}

/// The addresses of a function; what is written in assembly may not tell its size, and ends where the next
/// symbol is.
fn function(firmware: &Firmware, name: &str) -> Result<std::ops::Range<u32>, Failure> {
    let start = firmware.function_named(name).map_err(Failure::input)?;
    let symbols = firmware.image.symbols.iter();
    let next = symbols
        .filter(|symbol| symbol.space == Space::Flash && symbol.address > start.address)
        .map(|symbol| symbol.address)
        .min();
    Ok(start.address..match start.size {
        0 => next.unwrap_or(u32::MAX),
        size => start.address + size,
    })
}
