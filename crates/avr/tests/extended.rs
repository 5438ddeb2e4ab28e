//! More than 64 and 128 KiB of flash: ELPM across the boundary of 64 KiB, whose pointer is RAMPZ:Z, and whose
//! increment carries into RAMPZ; EIJMP and EICALL to EIND:Z, and return addresses of three bytes.

use std::sync::Arc;

use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
use kripke_avr::semantics::Effect;
use kripke_model::KripkeStructure;

/// `ldi r30, 0xFF`, `ldi r31, 0xFF`, `elpm r0, Z+`, `elpm r1, Z+`.
const CODE: [u16; 4] = [0xEFEF, 0xEFFF, 0x9007, 0x9017];

fn image() -> Image {
    let mut image = Image::default();
    let code: Vec<u8> = CODE.iter().flat_map(|word| word.to_le_bytes()).collect();
    image.flash.define(0, &code).unwrap();
    image.flash.define(0xFFFF, &[0xA1, 0xB2]).unwrap();
    image
}

#[test]
fn the_concrete_core_carries_into_rampz() {
    let mut core = Core::new(&image(), &Device::built_in("atmega128").unwrap());
    core.run(4);
    assert_eq!([core.data(0), core.data(1)], [0xA1, 0xB2]);
    assert_eq!(
        [core.data(30), core.data(31), core.data(address::RAMPZ)],
        [1, 0, 1]
    );
}

#[test]
fn the_microcontroller_carries_into_rampz() {
    let device = Device::built_in("atmega128").unwrap();
    let mut micro = Micro::new(&image(), &device, Options::default(), Arc::default());
    micro.hold_all();
    let mut state: Vec<u8> = Vec::new();
    micro.initial_states(&mut |initial| state = initial.to_vec());
    for _ in CODE {
        let mut next = Vec::new();
        micro.successors(&state, &mut |_, successor| next.push(successor.to_vec()));
        assert_eq!(next.len(), 1);
        state = next.remove(0);
    }
    for (at, expected) in [(0, 0xA1), (1, 0xB2), (30, 1), (31, 0), (address::RAMPZ, 1)] {
        let bits = micro.byte_of(&state, at);
        assert_eq!((bits.value, bits.unknown), (expected, 0), "{at:#x}");
    }
}

/// At 0: `ldi r16, 1`, `out EIND, r16`, `ldi r30, 0x34`, `ldi r31, 0x12`, `eicall`, `eijmp`; at 0x11234:
/// `ret`.
const CALLS: [u16; 6] = [0xE001, 0xBF0C, 0xE3E4, 0xE1F2, 0x9519, 0x9419];

fn beyond() -> Image {
    let mut image = Image::default();
    let code: Vec<u8> = CALLS.iter().flat_map(|word| word.to_le_bytes()).collect();
    image.flash.define(0, &code).unwrap();
    image.flash.define(2 * 0x1_1234, &[0x08, 0x95]).unwrap();
    image
}

/// The counters after each step.
const COUNTERS: [u32; 7] = [1, 2, 3, 4, 0x1_1234, 5, 0x1_1234];

#[test]
fn the_concrete_core_calls_beyond_128_kib() {
    let mut core = Core::new(&beyond(), &Device::built_in("atmega2560").unwrap());
    for counter in COUNTERS {
        core.step();
        assert_eq!(core.pc, counter);
    }
    // The return address is still there.
    let stack = u16::from_le_bytes([core.data(address::SPL), core.data(address::SPH)]);
    assert_eq!(stack, 0x21FF);
    assert_eq!([0x21FD, 0x21FE, 0x21FF].map(|at| core.data(at)), [0, 0, 5]);
}

#[test]
fn the_microcontroller_calls_beyond_128_kib() {
    let device = Device::built_in("atmega2560").unwrap();
    let mut micro = Micro::new(&beyond(), &device, Options::default(), Arc::default());
    micro.hold_all();
    let mut state: Vec<u8> = Vec::new();
    micro.initial_states(&mut |initial| state = initial.to_vec());
    for counter in COUNTERS {
        let mut next = Vec::new();
        micro.successors(&state, &mut |_, successor| next.push(successor.to_vec()));
        assert_eq!(next.len(), 1);
        state = next.remove(0);
        assert_eq!(micro.pc_of(&state), counter);
        assert_eq!(micro.faults_of(&state).count(), 0);
    }
}

/// On a smaller device the words are no instructions.
#[test]
fn a_small_device_has_no_extended_calls() {
    let device = Device::built_in("atmega1280").unwrap();
    let mut core = Core::new(&beyond(), &device);
    core.run(4);
    assert_eq!((core.step(), core.pc), (Effect::Undefined, 4));
}
