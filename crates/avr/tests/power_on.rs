//! Runs begin with power-on: a watchdog that the program does not turn on never resets the chip.

use std::sync::Arc;

use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
use kripke_model::KripkeStructure;

const WDTCSR: u16 = 0x60;
const MCUSR: u16 = 0x54;
const WATCHDOG: u8 = 0x08;

fn micro(code: &[u16]) -> (Micro, Vec<u8>) {
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut image = Image::default();
    image.flash.define(0, &bytes).unwrap();
    let device = Device::built_in("atmega328p").unwrap();
    let mut micro = Micro::new(&image, &device, Options::default(), Arc::default());
    micro.hold_all();
    let mut initial = Vec::new();
    micro.initial_states(&mut |state| initial.push(state.to_vec()));
    assert_eq!(initial.len(), 1);
    (micro, initial.remove(0))
}

fn successors(micro: &mut Micro, state: &[u8]) -> Vec<Vec<u8>> {
    let mut next = Vec::new();
    micro.successors(state, &mut |_, successor| next.push(successor.to_vec()));
    next
}

#[test]
fn the_watchdog_is_off() {
    let (mut micro, mut state) = micro(&[0, 0, 0]);
    for at in [WDTCSR, MCUSR] {
        let bits = micro.byte_of(&state, at);
        assert_eq!((bits.value | bits.unknown) & WATCHDOG, 0, "{at:#x}");
    }
    for _ in 0..3 {
        let mut next = successors(&mut micro, &state);
        assert_eq!(next.len(), 1);
        state = next.remove(0);
    }
}

#[test]
fn it_is_on_after_a_reset_of_its_own() {
    // `ldi r16, 1 << WDE`, `sts WDTCSR, r16`, `nop`.
    let (mut micro, mut state) = micro(&[0xE008, 0x9300, WDTCSR, 0, 0]);
    for _ in 0..2 {
        state = successors(&mut micro, &state).remove(0);
    }
    let reset = successors(&mut micro, &state)
        .into_iter()
        .find(|next| micro.pc_of(next) == 0)
        .unwrap();
    for at in [WDTCSR, MCUSR] {
        let bits = micro.byte_of(&reset, at);
        assert_eq!(bits.value & !bits.unknown & WATCHDOG, WATCHDOG, "{at:#x}");
    }
    assert_eq!(successors(&mut micro, &reset).len(), 2);
}
