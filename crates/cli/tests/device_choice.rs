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
