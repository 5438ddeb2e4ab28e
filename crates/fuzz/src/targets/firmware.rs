//! Device files, firmware images and their debug information: what is read is explored a little, disassembled
//! and analysed.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kripke_avr::cfg::Cfg;
use kripke_avr::core::Core;
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
use kripke_avr::{disassemble, instruction, stack};
use kripke_check::firmware::{self, Firmware};
use kripke_check::{DeviceChoice, Silent};
use kripke_model::KripkeStructure as _;

/// How many states of a firmware are visited.
const STATES: usize = 30;
/// How many successors of each of them are seen.
const SUCCESSORS: usize = 40;
/// How many instructions of it the concrete core takes.
const INSTRUCTIONS: u64 = 1_000;

/// A device file, and a chip made of it.
pub fn device(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(device) = Device::parse(text, "fuzz.toml") else {
        return;
    };
    if let Ok(firmware) =
        firmware::on_device(Path::new("fuzz.hex"), sweep(), device, &DeviceChoice::default())
    {
        explore(&firmware.image, &firmware.device);
    }
}

/// A program that reads and inverts every register.
fn sweep() -> Image {
    // ldi r30, 0x20; ldi r31, 0; sei; again: ld r16, Z; com r16; st Z+, r16; rjmp again
    const PROGRAM: [u16; 7] = [0xE2E0, 0xE0F0, 0x9478, 0x8100, 0x9500, 0x9301, 0xCFFC];
    let mut image = Image::default();
    let bytes: Vec<u8> = PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    image.flash.define(0, &bytes).expect("nothing else is there");
    image
}

/// An executable, for the device that it names or for another.
pub fn elf(bytes: &[u8]) {
    firmware(Path::new("fuzz.elf"), bytes, None);
    firmware(Path::new("fuzz.elf"), bytes, Some("atmega128"));
}

/// Intel HEX.
pub fn hex(bytes: &[u8]) {
    firmware(Path::new("fuzz.hex"), bytes, Some("atmega16"));
}

fn firmware(path: &Path, bytes: &[u8], mcu: Option<&str>) {
    let choice = DeviceChoice {
        mcu: mcu.map(str::to_owned),
        ..DeviceChoice::default()
    };
    let Ok(Firmware {
        image, device, debug, ..
    }) = firmware::read(path, bytes, &choice, &mut Silent)
    else {
        return;
    };
    use_debug(&debug);
    let flow = Cfg::new(&image, &device).flow;
    // Only whether it ends is of interest.
    let _ = stack::depth(&flow, &image, &device, &stack::Options::default());
    for decoded in instruction::decode_all(image.flash.bytes()) {
        let _ = disassemble::text(&decoded);
    }
    explore(&image, &device);
    Core::new(&image, &device).run(INSTRUCTIONS);
}

/// Visits a few states.
fn explore(image: &Image, device: &Device) {
    let mut micro = Micro::new(
        image,
        device,
        Options::default(),
        Arc::new(AtomicBool::new(false)),
    );
    let mut found: Vec<Vec<u8>> = Vec::new();
    let keep = |found: &mut Vec<Vec<u8>>, state: &[u8], most: usize| {
        found.push(state.to_vec());
        match found.len() < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    micro.initial_states(&mut |state| keep(&mut found, state, SUCCESSORS));
    for visited in 0..STATES {
        let Some(state) = found.get(visited).cloned() else {
            return;
        };
        micro.labels(&state);
        let most = found.len() + SUCCESSORS;
        micro.successors(&state, &mut |_, successor| keep(&mut found, successor, most));
        if micro.has_outgrown() {
            found.clear();
            micro.initial_states(&mut |state| keep(&mut found, state, SUCCESSORS));
        }
    }
}

/// An executable whose DWARF matters.
pub fn dwarf(bytes: &[u8]) {
    if let Ok(debug) = DebugInfo::read(bytes) {
        use_debug(&debug);
    }
}

/// An executable whose stabs matter.
pub fn stabs(bytes: &[u8]) {
    dwarf(bytes);
}

/// Asks debug information for all that it can tell.
fn use_debug(debug: &DebugInfo) {
    const CONTENTS: [u8; 64] = [0xA5; 64];
    for variable in &debug.variables {
        let _ = debug.size_of(variable.type_);
        let _ = debug.value_text(variable.type_, &CONTENTS);
        let _ = debug.value_text(variable.type_, &CONTENTS[..1]);
    }
    for address in (0..0x1_0000).step_by(2) {
        let _ = debug.line_at(address);
        let _ = debug.function_at(address);
        let _ = debug.scalar_at(address, 0x60);
    }
}
