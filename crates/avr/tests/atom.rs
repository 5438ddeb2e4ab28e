//! Atoms: values as C computes them on AVR, unknown bits, and texts that are no atoms.

use kripke_avr::atom::{Atom, AtomError, Names, Truth};
use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;

fn parsed(text: &str) -> Result<Atom, AtomError> {
    let device = Device::built_in("atmega16").expect("built in");
    let (debug, image) = (DebugInfo::default(), Image::default());
    let rules = Rules::new(&device);
    let names = Names {
        debug: &debug,
        device: &device,
        rules: &rules,
        inputs: false,
        image: &image,
    };
    Atom::parse(text, names)
}

#[test]
fn values_are_those_of_c_with_16_bit_int() {
    for (text, value) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("32767 + 1", -32768),
        ("0xFFFF + 1", 0),
        ("40000 + 30000", 70_000),
        ("-1 < 0u", 0),
        ("-1 < 0", 1),
        ("1 << 4 | 3 & 1", 17),
        ("5 & 3 == 3", 1),
        ("!0 && ~0 == -1", 1),
        ("'a' - 96", 1),
        ("0b101 ^ 010", 13),
        ("200 > 100 == 1", 1),
    ] {
        let atom = parsed(text).expect(text);
        assert_eq!(atom.value(|_| Bits::known(0)), Some(value), "{text}");
    }
    let error = parsed("7 / 0 + 7 % 0").expect_err("C gives it no value");
    assert!(error.to_string().contains("divides by zero"));
}

#[test]
fn what_depends_on_unknown_bits_is_open() {
    let truth = |text: &str, bits: Bits| parsed(text).expect(text).truth(|_| bits);
    let half = Bits::input(0x10, 0x0F, 0);
    assert_eq!(truth("PORTB > 0", half), Truth::Known(true));
    assert_eq!(truth("PORTB > 0x1F", half), Truth::Known(false));
    assert_eq!(truth("PORTB > 0x18", half), Truth::Open);
    assert_eq!(truth("PORTB.4", half), Truth::Known(true));
    assert_eq!(truth("PORTB & 1", half), Truth::Open);
}

#[test]
fn no_text_panics() {
    let pieces = [
        "PORTB",
        "(",
        ")",
        "[",
        "]",
        ".",
        "->",
        "*",
        "&",
        "==",
        "=",
        "1",
        "0x",
        "'",
        "'\\n'",
        "é",
        " ",
        "-",
        "!",
        "9999999999999999999",
        "<<",
        "63",
        "&&",
    ];
    let mut random = 1_u64;
    for _ in 0..4_000 {
        let mut text = String::new();
        for _ in 0..8 {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            text += pieces[(random >> 33) as usize % pieces.len()];
        }
        if let Ok(atom) = parsed(&text) {
            atom.truth(|_| Bits::known(0xA5));
        }
    }
    assert!(parsed(&"(".repeat(10_000)).is_err());
    assert!(parsed(&"!".repeat(10_000)).is_err());
}
