//! Images of programs compiled by avr-gcc, against what avr-objcopy and avr-nm make of the same file.

use std::path::Path;
use std::process::Command;

use kripke_avr::device::Device;
use kripke_avr::image::{Contents, ImageError, Space, SymbolKind};
use kripke_avr::{disassemble, elf};

const PROGRAM: &str = "
#include <avr/io.h>
#include <avr/eeprom.h>
volatile uint16_t counter = 0x1234;
uint8_t buffer[20];
uint8_t stored[3] EEMEM = {7, 8, 9};
static volatile uint8_t hidden;
__attribute__((noinline)) uint8_t twice(uint8_t x) { hidden++; return x + x; }
int main(void) { DDRA = 1; for (;;) { PORTA = twice(PINA) + buffer[PINB & 15]; counter++; } }
";

fn run(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("avr-gcc and its binutils are installed (scripts/install-packages test)");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The directory with `a.elf`, and its bytes.
fn compile(source: &str, flags: &[&str]) -> (tempfile::TempDir, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.c"), source).unwrap();
    let arguments = [&["-Os", "-g", "-o", "a.elf", "a.c"], flags].concat();
    run("avr-gcc", &arguments, directory.path());
    let bytes = std::fs::read(directory.path().join("a.elf")).unwrap();
    (directory, bytes)
}

#[test]
fn memories_are_what_objcopy_extracts() {
    for device in ["atmega16", "atmega128", "atmega328p"] {
        let source = PROGRAM
            .replace("DDRA", "DDRB")
            .replace("PORTA", "PORTB")
            .replace("PINA", "PINB");
        let (directory, bytes) = compile(&source, &[&format!("-mmcu={device}")]);
        let image = elf::read(&bytes).unwrap();
        assert_eq!(image.device.as_deref(), Some(device));
        assert_eq!(image.entry, 0);
        let flash = ["-O", "binary", "-R", ".eeprom", "a.elf", "flash"];
        run("avr-objcopy", &flash, directory.path());
        assert_eq!(
            image.flash.bytes(),
            std::fs::read(directory.path().join("flash")).unwrap()
        );
        let eeprom = ["-O", "binary", "-j", ".eeprom", "a.elf", "eeprom"];
        run("avr-objcopy", &eeprom, directory.path());
        assert_eq!(
            image.eeprom.bytes(),
            std::fs::read(directory.path().join("eeprom")).unwrap()
        );
        assert_eq!(image.eeprom.bytes(), [7, 8, 9]);
        let load = image.data_load.clone().unwrap();
        assert_eq!(image.flash.bytes()[load.start as usize..][..2], [0x34, 0x12]);
    }
}

#[test]
fn symbols_are_those_of_nm() {
    let (directory, bytes) = compile(PROGRAM, &["-mmcu=atmega16"]);
    let image = elf::read(&bytes).unwrap();
    let listing = run("avr-nm", &["-S", "a.elf"], directory.path());
    let mut sized = 0;
    for line in listing.lines() {
        let [address, size, letter, name] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            continue;
        };
        sized += 1;
        let address = u32::from_str_radix(address, 16).unwrap();
        let symbol = image.symbol(name).unwrap_or_else(|| panic!("{name} is missing"));
        let start = match symbol.space {
            Space::Flash => 0,
            Space::Data => 0x80_0000,
            Space::Eeprom => 0x81_0000,
        };
        assert_eq!(symbol.address + start, address, "{name}");
        assert_eq!(symbol.size, u32::from_str_radix(size, 16).unwrap(), "{name}");
        assert_eq!(symbol.global, letter.chars().all(char::is_uppercase), "{name}");
    }
    assert!(sized >= 6, "{listing}");
    let twice = image.symbol("twice").unwrap();
    assert_eq!(twice.kind, SymbolKind::Function);
    assert_eq!(image.function_at(twice.address + 2), Some(twice));
    assert_eq!(image.symbol("buffer").unwrap().kind, SymbolKind::Object);
    assert_eq!(image.symbol("__vectors").unwrap().kind, SymbolKind::Label);
}

#[test]
fn labels_of_the_assembler_name_no_place() {
    // The assembler keeps them all with -L; for newer avr-gcc it has to.
    let inside = "__asm__(\"rjmp 1f\\n1: nop\\n.Lhere: nop\"); hidden++;";
    let (directory, bytes) = compile(
        &PROGRAM.replace("hidden++;", inside),
        &["-mmcu=atmega16", "-Wa,-L", "-Wa,-mlink-relax"],
    );
    let listing = run("avr-nm", &["a.elf"], directory.path());
    assert!(listing.contains(" .Lhere"), "{listing}");
    let image = elf::read(&bytes).unwrap();
    let twice = image.symbol("twice").unwrap();
    for offset in (2..twice.size).step_by(2) {
        let place = disassemble::place(&image, twice.address + offset);
        assert_eq!(place, Some(format!("twice+{offset:#x}")));
    }
    for symbol in &image.symbols {
        assert!(
            listing.contains(&format!(" {}\n", symbol.name)),
            "{}",
            symbol.name
        );
        assert!(
            !symbol.name.starts_with(".L") && !symbol.name.contains(char::is_control),
            "{}",
            symbol.name
        );
    }
}

#[test]
fn other_files_are_refused_with_a_remedy() {
    assert_eq!(elf::read(b":00000001FF\n"), Err(ImageError::NotElf));
    assert_eq!(elf::read(b""), Err(ImageError::NotElf));
    let (_directory, bytes) = compile(PROGRAM, &["-mmcu=atmega16"]);
    let mut other = bytes.clone();
    other[18] = 40;
    assert_eq!(elf::read(&other), Err(ImageError::NotAvr { machine: 40 }));
    let host = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(matches!(elf::read(&host), Err(ImageError::NotAvr { .. })));
    let (_directory, object) = compile(PROGRAM, &["-mmcu=atmega16", "-c"]);
    assert_eq!(elf::read(&object), Err(ImageError::NotExecutable));
    for length in [4, 51, 52, 200, bytes.len() / 2] {
        let error = elf::read(&bytes[..length]).unwrap_err();
        assert!(matches!(error, ImageError::Malformed { .. }), "{length}: {error}");
        assert!(error.to_string().contains("truncated"), "{error}");
    }
}

#[test]
fn an_image_for_a_larger_device_does_not_fit() {
    let large = "#include <avr/pgmspace.h>
        const char table[20000] PROGMEM = {1};
        int main(void) { for (;;) __asm__ volatile(\"\" :: \"r\"(table)); }";
    let (_directory, bytes) = compile(large, &["-mmcu=atmega128"]);
    let image = elf::read(&bytes).unwrap();
    image.fits(&Device::built_in("atmega128").unwrap()).unwrap();
    let error = image.fits(&Device::built_in("atmega16").unwrap()).unwrap_err();
    assert!(error.to_string().contains("atmega16 has 16384"), "{error}");
}

#[test]
fn no_mutation_makes_the_reader_panic() {
    let (_directory, bytes) = compile(PROGRAM, &["-mmcu=atmega16"]);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let mut refused = 0;
    for _ in 0..3000 {
        let mut mutated = bytes.clone();
        for _ in 0..=random(4) {
            // Half of the changes hit the ELF header and the program headers.
            let place = if random(2) == 0 {
                random(180)
            } else {
                random(bytes.len())
            };
            mutated[place] = random(256) as u8;
        }
        mutated.truncate(if random(4) == 0 {
            random(bytes.len())
        } else {
            bytes.len()
        });
        refused += usize::from(elf::read(&mutated).is_err());
    }
    assert!(refused > 500, "only {refused} of 3000 were refused");
}

#[test]
fn contents_merge_and_refuse_overlaps() {
    let mut contents = Contents::default();
    contents.define(4, &[1, 2]).unwrap();
    contents.define(0, &[3]).unwrap();
    contents.define(6, &[4]).unwrap();
    assert_eq!(contents.used(), [0..1, 4..7]);
    assert_eq!(contents.bytes(), [3, 0xFF, 0xFF, 0xFF, 1, 2, 4]);
    assert_eq!(contents.define(1, &[0; 4]), Err(4));
    assert_eq!(contents.define(6, &[0; 4]), Err(6));
    assert!(contents.is_used(6) && !contents.is_used(1) && !contents.is_used(7));
    contents.define(1, &[0; 3]).unwrap();
    assert_eq!(contents.used(), std::slice::from_ref(&(0..7)));
}
