//! Atoms: values as C computes them on AVR, unknown bits, and texts that are no atoms.

use std::sync::LazyLock;

use kripke_avr::atom::{Atom, AtomError, Names, Truth};
use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::footprint::{ACTIVE, COUNTER, Cell};
use kripke_avr::image::{Image, Space, Symbol, SymbolKind};
use kripke_avr::peripherals::Rules;

/// Its description takes longer to read than any text here.
static DEVICE: LazyLock<Device> = LazyLock::new(|| Device::built_in("atmega16").expect("built in"));

fn parsed(text: &str) -> Result<Atom, AtomError> {
    let device = &*DEVICE;
    let debug = DebugInfo::default();
    let function = |name: &str, address, size| Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Function,
        space: Space::Flash,
        address,
        size,
        global: true,
    };
    let image = Image {
        symbols: vec![
            function("main", 0x7C, 0x20),
            function("loop", 0x80, 0),
            function("__vector_1", 0x100, 0x10),
        ],
        ..Image::default()
    };
    let rules = Rules::new(device);
    let names = Names {
        debug: &debug,
        device,
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
fn casts_conditions_and_sizes_are_those_of_c() {
    for (text, value) in [
        ("(uint8_t) 300", 44),
        ("(int8_t) 200", -56),
        ("(unsigned long) -1", 0xFFFF_FFFF),
        ("(bool) 2 + (_Bool) 0", 1),
        ("(unsigned char) 255 + 1", 256),
        ("(const volatile int) 70000", 4464),
        ("1 ? 2 : 3", 2),
        ("0 ? 2 : 0 ? 3 : 4", 4),
        ("1 || 0 ? 5 : 6", 5),
        ("-1 < (1 ? 0u : 0)", 0),
        ("sizeof(long long) + sizeof(char *) + sizeof(double)", 14),
        ("sizeof 1 + sizeof(PORTB) + sizeof SP", 5),
        ("sizeof(int) - 3 > 0", 1),
        ("true && !false", 1),
        ("true + true", 2),
    ] {
        let atom = parsed(text).expect(text);
        assert_eq!(atom.value(|_| Bits::known(0)), Some(value), "{text}");
    }
    let unknown = Bits::input(0, 0xFF, 0);
    let truth = |text: &str| parsed(text).expect(text).truth(|_| unknown);
    assert_eq!(truth("PORTB ? 3 : 3"), Truth::Known(true));
    assert_eq!(truth("PORTB.0 ? 3 : 0"), Truth::Open);
    // What `sizeof` is asked of is not evaluated.
    assert_eq!(parsed("sizeof(PORTB)").expect("a size").cells().count(), 0);
}

#[test]
fn places_in_the_code_are_compared_with_the_counter() {
    let at = |text: &str, address: u32, active: bool| {
        let atom = parsed(text).expect(text);
        assert!(atom.is_about_control(), "{text}");
        let read = |cell: Cell| match cell {
            COUNTER..ACTIVE => Bits::known(address.to_le_bytes()[(cell - COUNTER) as usize]),
            _ => Bits::known(u8::from(active)),
        };
        atom.truth(read) == Truth::Known(true)
    };
    for text in [
        "PC == main",
        "main == PC",
        "at(main)",
        "PC == 0x7C",
        "PC <= main && !(PC < main)",
    ] {
        assert!(at(text, 0x7C, false), "{text}");
        assert!(!at(text, 0x7E, false), "{text}");
    }
    assert!(at("at( loop )", 0x80, false));
    for (address, is_inside) in [(0x7A, false), (0x7C, true), (0x9A, true), (0x9C, false)] {
        assert_eq!(at("in(main)", address, false), is_inside);
    }
    for name in ["in(INT0)", "in(INT0_vect)", "in(__vector_1)"] {
        assert!(at(name, 0x7C, true) && at(name, 0x10E, false), "{name}");
        assert!(!at(name, 0x7C, false), "{name}");
    }
}

#[test]
fn what_is_no_atom_is_told_with_a_remedy_and_its_place() {
    for (text, offset, message) in [
        ("1 + mian", 4, "did you mean main?"),
        (
            "in(INTO_vect)",
            3,
            "no function or interrupt `INTO_vect`; did you mean INT0?",
        ),
        ("at(lop)", 3, "did you mean loop?"),
        ("in(loop)", 3, "does not say where `loop` ends; at(loop)"),
        ("main + 1", 8, "compare it with PC"),
        ("PORTB.PC3", 6, "no bit `PC3`; they are called 0 to 7"),
        ("TIFR.TOV", 5, "there are ICF1, OCF0,"),
        ("(uint8_t *) 5", 11, "must not cast to a pointer"),
        ("1 ? 2", 5, "expected ':'"),
        ("1 + UDR", 4, "changes at any moment"),
        ("GIFR.INTF0", 0, "changes at any moment"),
    ] {
        let error = parsed(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert_eq!(error.offset, offset, "{text}");
    }
    for text in [
        "TIFR.TOV0",
        "TIFR & 1",
        "PINB & 3",
        "PINB.PB7",
        "PORTB.PORTB7",
        "DDRB.DDB1",
        "SREG.C",
    ] {
        assert!(parsed(text).is_ok(), "{text}");
    }
}

#[test]
fn a_mask_that_is_compared_first_is_warned_of() {
    let warning = |text: &str| parsed(text).expect(text).warning().map(str::to_owned);
    let told = warning("PORTB & 1 == 0").expect("the trap");
    assert!(told.ends_with("write `(PORTB & 1) == 0`"), "{told}");
    assert!(warning("0 < 1 && PORTB | 4 != 0").is_some());
    for text in [
        "(PORTB & 1) == 0",
        "PORTB & (1 == 0)",
        "PORTB == 1 & DDRB == 2",
        "PORTB & 1 && 1 == 0",
    ] {
        assert_eq!(warning(text), None, "{text}");
    }
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
        "?",
        ":",
        "(int)",
        "sizeof",
        "at(main)",
        "in(",
        "PC",
        "main",
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
