//! The device of a firmware: which are known, which fit, and where their interrupt vectors are.

mod common;

use std::path::Path;
use std::process::Command;

use common::compile;

fn expect(arguments: &[&str], folder: &Path, code: i32, said: &str) {
    common::expect(&[&["check"], arguments].concat(), folder, code, said);
}

#[test]
fn moved_vectors_are_followed_where_the_user_says_so() {
    let moved = "#include <avr/io.h>\n#include <avr/interrupt.h>\nISR(TIMER0_OVF_vect) { PORTB = 1; }
        int main(void) { GICR = 1 << IVCE; GICR = 1 << IVSEL; TCCR0 = 1; TIMSK = 1; sei(); for (;;); }";
    let folder = compile(moved, &["-Wl,--section-start=.text=0x3800"]);
    let invariant = ["a.elf", "--check", "none", "--invariant"];
    let unchanged = [&invariant[..], &["{PORTB == 0}"]].concat();
    expect(&unchanged, folder.path(), 2, "IVSEL is 1 (--vectors boot");
    // The vectors of the boot section are known, where the user says that it is these.
    let boot = ["--vectors", "boot"];
    expect(
        &[&unchanged[..], &boot].concat(),
        folder.path(),
        1,
        "TIMER0_OVF arrives",
    );
    let either = [&invariant[..], &["{PORTB <= 1}"], &boot].concat();
    expect(&either, folder.path(), 0, "those at 0x3800");
    // Before they are moved, those of the application are meant.
    let early = moved
        .replace("GICR = 1 << IVSEL;", "")
        .replace("GICR = 1 << IVCE;", "");
    let folder = compile(&early, &["-Wl,--section-start=.text=0x3800"]);
    expect(&either, folder.path(), 2, "an interrupt comes while IVSEL is 0");
    expect(
        &["a.elf", "--vectors", "both"],
        folder.path(),
        3,
        "application, boot",
    );
    // Where no interrupt comes, it does not matter.
    let quiet = "#include <avr/io.h>\nint main(void) { GICR = 1 << IVCE; GICR = 1 << IVSEL; for (;;); }";
    let folder = compile(quiet, &[]);
    expect(
        &["a.elf", "--invariant", "{PORTB == 0}"],
        folder.path(),
        0,
        "HOLDS",
    );
}

const LOOP: &str = "int main(void) { for (;;); }";

/// What the file says of its chip shortens the list of devices that it may be for.
#[test]
fn a_file_without_a_name_of_its_device_is_told_what_fits() {
    let folder = compile(LOOP, &["-mmcu=atmega2560"]);
    let note = ["-R", ".note.gnu.avr.deviceinfo", "a.elf", "b.elf"];
    let copied = Command::new("avr-objcopy")
        .args(note)
        .current_dir(folder.path())
        .status();
    assert!(
        copied
            .expect("avr-objcopy is installed (scripts/install-packages test)")
            .success()
    );
    expect(&["b.elf"], folder.path(), 3, "these fit: atmega2560)");
    expect(&["b.elf", "--mcu", "atmega2560"], folder.path(), 0, "HOLDS");
    expect(
        &["b.elf", "--mcu", "atmega256"],
        folder.path(),
        3,
        "did you mean 'atmega2560'",
    );
}

#[test]
fn devices_are_listed() {
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("devices")
        .output()
        .expect("kripke");
    let text = String::from_utf8_lossy(&output.stdout);
    let row = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("{name} in {text}"))
            .split_whitespace()
            .skip(1)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("atmega2560"), ["262144", "8192", "4096", "56"]);
    assert_eq!(row("atmega168p"), ["16384", "1024", "512", "25", "atmega168pa"]);
    assert_eq!(row("attiny13"), ["1024", "64", "64", "9"]);
}

/// `bad` stays 0, and `seen` does not, in a program for a device.
fn behaves(device: &str, globals: &str, body: &str) {
    let source = format!(
        "#include <avr/io.h>\n#include <avr/interrupt.h>\n#include <stdint.h>\n\
         volatile uint8_t bad, seen;\n{globals}\nint main(void) {{ {body} for (;;); }}\n"
    );
    let folder = compile(&source, &["-g", &format!("-mmcu={device}")]);
    let check = ["a.elf", "--check", "none", "--invariant"];
    println!("{device}: {body}");
    expect(&[&check[..], &["{bad == 0}"]].concat(), folder.path(), 0, "HOLDS");
    if source.contains("seen = ") {
        let seen = [&check[..], &["{seen == 0}"]].concat();
        expect(&seen, folder.path(), 1, "VIOLATED");
    }
}

#[test]
fn what_is_not_followed_does_anything() {
    // The USI's strobe inverts a port's bit, for certain in a mode and perhaps in none.
    for (device, pin) in [("attiny85", 2), ("attiny2313", 7)] {
        let mode = "1 << USIWM0";
        behaves(
            device,
            "",
            &format!(
                "USICR = {mode}; USICR = {mode} | 1 << USITC; if (PORTB != 1 << {pin}) bad = 1;
                 USICR = {mode} | 1 << USITC; if (PORTB) bad = 1;
                 USICR = 1 << USITC; if (PORTB) seen = 1;"
            ),
        );
        behaves(
            device,
            "",
            "USIDR = 3; if (USIDR != 3) seen = 1; if (USICR & 1) bad = 1;",
        );
        let start = "ISR(USI_START_vect) { seen = 1; }";
        behaves(device, start, "USICR = 1 << USISIE; sei();");
    }
    // Bits that are the same as those of another register.
    behaves(
        "atmega32u4",
        "",
        "TCCR4C = 1 << COM4A1S; if (TCCR4A & (1 << COM4A1)) seen = 1;",
    );
    // USB requests an interrupt whenever it is on.
    let usb = "ISR(USB_GEN_vect) { seen = 1; } ISR(USB_COM_vect) { }";
    behaves("atmega32u4", usb, "USBCON = 1 << USBE; sei();");
    let off = "ISR(USB_GEN_vect) { bad = 1; } ISR(USB_COM_vect) { bad = 1; }";
    behaves("atmega32u4", off, "USBCON = 0; UDIEN = 0xFF; sei();");
    // Pins of two ports request one interrupt.
    let pins = "ISR(PCINT1_vect) { seen = 1; }";
    behaves("atmega2560", pins, "PCMSK1 = 2; PCICR = 1 << PCIE1; sei();");
}

/// Differences between devices that share most of a file.
#[test]
fn devices_of_one_family_differ() {
    for (device, body) in [
        (
            "atmega328",
            "MCUCR = 1 << BODS | 1 << BODSE; if (MCUCR & (1 << BODS | 1 << BODSE)) bad = 1;",
        ),
        (
            "atmega48",
            "SPL = 0; SPH = 0xFF; if (SPH != 3) bad = 1; SPL = 0xFF; SPH = 2;",
        ),
        ("atmega88", "EEARH = 0xFF; if (EEARH & 0xFE) bad = 1;"),
        ("attiny45", "EEARH = 0xFF; if (EEARH) bad = 1;"),
        ("attiny13", "WDTCR = 7; if (WDTCR & 0x27) bad = 1;"),
        ("atmega8", "PORTB = 1; PINB = 1; if (PORTB != 1) bad = 1;"),
        ("atmega1284p", "PORTB = 1; PINB = 1; if (PORTB) bad = 1;"),
    ] {
        behaves(device, "", body);
    }
}
