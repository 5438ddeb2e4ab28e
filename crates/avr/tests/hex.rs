//! The HEX reader against the ELF reader on the same program, and on faulty files.

use std::process::Command;

use kripke_avr::elf;
use kripke_avr::hex::{HexError, HexFault, read};

/// Bytes of `a.elf` and `a.hex` for a program that is larger than 64 KiB.
fn compile() -> (Vec<u8>, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let source = "#include <avr/pgmspace.h>
        const char low[30000] PROGMEM = {1}; const char high[30000] PROGMEM = {2};
        const char last[20000] PROGMEM = {3}; int start = 5;
        int main(void) { for (;;) __asm__ volatile(\"\" :: \"r\"(low), \"r\"(high), \"r\"(last), \"r\"(start)); }";
    std::fs::write(directory.path().join("a.c"), source).unwrap();
    let commands = [
        "avr-gcc -mmcu=atmega128 -Os -o a.elf a.c",
        "avr-objcopy -O ihex -R .eeprom a.elf a.hex",
    ];
    for command in commands {
        let mut words = command.split(' ');
        let status = Command::new(words.next().unwrap())
            .args(words)
            .current_dir(directory.path())
            .status()
            .expect("avr-gcc and its binutils are installed (scripts/install-packages test)");
        assert!(status.success(), "{command}");
    }
    let file = |name| std::fs::read(directory.path().join(name)).unwrap();
    (file("a.elf"), file("a.hex"))
}

fn fault(text: &str) -> (usize, HexFault) {
    let HexError { line, fault } = read(text.as_bytes()).unwrap_err();
    (line, fault)
}

#[test]
fn flash_is_that_of_the_elf_file() {
    let (elf_file, hex_file) = compile();
    let expected = elf::read(&elf_file).unwrap();
    let image = read(&hex_file).unwrap();
    assert!(image.flash.bytes().len() > 0x1_0000);
    assert_eq!(image.flash, expected.flash);
}

#[test]
fn faults_have_their_line() {
    let end = ":00000001FF\n";
    let data = ":0200000001020 3";
    assert_eq!(fault(&format!("\n{data}\n{end}")), (2, HexFault::Digits));
    let (expected, found) = (0xFB, 0xFA);
    assert_eq!(
        fault(&format!(":020000000102FA\n{end}")),
        (1, HexFault::Checksum { expected, found })
    );
    let twice = ":020000000102FB\n:0100010005F9\n";
    assert_eq!(
        fault(&format!("{twice}{end}")),
        (2, HexFault::Overlap { address: 1 })
    );
    assert_eq!(
        fault(&format!(":00000006FA\n{end}")),
        (1, HexFault::Type { kind: 6 })
    );
    assert_eq!(fault(&format!(":0300000001FC\n{end}")), (1, HexFault::Length));
    assert_eq!(fault(":020000000102FB\n"), (1, HexFault::NoEnd));
    assert_eq!(fault(""), (1, HexFault::NoEnd));
    assert_eq!(fault(&format!("{end}:020000000102FB\n")), (2, HexFault::AfterEnd));
    assert_eq!(fault("\u{7f}ELF"), (1, HexFault::NoRecord));
    let beyond = ":020000040080 7A".replace(' ', "");
    let address = 0x80_0000;
    assert_eq!(
        fault(&format!("{beyond}\n:0100000005FA\n{end}")),
        (2, HexFault::Address { address })
    );
}

#[test]
fn a_segment_wraps_and_lines_may_end_as_on_windows() {
    let text = ":020000021000EC\r\n:02FFFF000102FD\r\n:00000001FF\r\n";
    let image = read(text.as_bytes()).unwrap();
    assert_eq!(image.flash.used(), [0x1_0000..0x1_0001, 0x1_FFFF..0x2_0000]);
    assert_eq!(image.flash.bytes()[0x1_FFFF], 1);
}

#[test]
fn no_mutation_makes_the_reader_panic() {
    let (_, original) = compile();
    let cut = 1 + original[..2000].iter().rposition(|byte| *byte == b'\n').unwrap();
    let rest: &[u8] = b":020000040001F9\n:020000021000EC\n:00000001FF\n";
    let original = [&original[..cut], rest].concat();
    read(&original).expect("only mutations make it faulty");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let mut refused = 0;
    for _ in 0..3000 {
        let mut text = original.clone();
        for _ in 0..=random(3) {
            let place = random(text.len());
            text[place] = b":0123456789ABCDEF\n\r\xFF"[random(20)];
        }
        refused += usize::from(read(&text).is_err());
    }
    assert!(refused > 2000, "only {refused} of 3000 were refused");
}
