//! ELPM across the boundary of 64 KiB: the pointer is RAMPZ:Z, and its increment carries into RAMPZ.

use std::sync::Arc;

use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
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
