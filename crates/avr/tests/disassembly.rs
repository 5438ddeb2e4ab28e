//! Disassembly against avr-objdump: the examples, avr-libc's demonstration programs, and every first word
//! there is.

use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_avr::disassemble;
use kripke_avr::instruction::{Operation, decode};

fn output(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error} (scripts/install-packages test)"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compares every line of avr-objdump's listing with ours; the number of lines.
fn compare(listing: &str, name: &str) -> usize {
    let mut lines = 0;
    for line in listing.lines() {
        // `  5c:	11 24       	eor	r1, r1	; comment`
        let mut columns = line.split('\t');
        let (Some(_), Some(bytes), Some(mnemonic)) = (columns.next(), columns.next(), columns.next()) else {
            continue;
        };
        let bytes: Vec<u8> = bytes
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let instruction = decode(word(0), if bytes.len() > 2 { word(2) } else { 0 });
        let operands = columns.next().unwrap_or("").trim();
        let operands = operands.split(';').next().unwrap_or("").trim();
        let theirs = if operands.is_empty() {
            mnemonic.trim().to_owned()
        } else {
            format!("{}\t{operands}", mnemonic.trim())
        };
        // avr-objdump knows instructions of other cores too.
        if instruction.operation == Operation::Undefined {
            continue;
        }
        assert_eq!(disassemble::text(&instruction), theirs, "{name}: {line}");
        lines += 1;
    }
    lines
}

fn disassembles(source: &Path, flags: &[&str], directory: &Path) -> usize {
    let path = source.to_str().unwrap();
    let arguments = [flags, &["-o", "a.elf", path]].concat();
    output("avr-gcc", &arguments, directory);
    compare(&output("avr-objdump", &["-d", "a.elf"], directory), path)
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn examples_disassemble_as_by_objdump() {
    let directory = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    let mut lines = 0;
    for source in sources(&examples) {
        for level in ["-Os", "-O0"] {
            lines += disassembles(
                &source,
                &["-mmcu=atmega16", "-std=gnu99", level],
                directory.path(),
            );
        }
    }
    assert!(lines > 2_000, "only {lines} lines");
}

/// The demonstration programs in avr-libc's documentation, where the system has it.
#[test]
fn demonstration_programs_disassemble_as_by_objdump() {
    let shipped = Path::new("/usr/share/doc/avr-libc/examples");
    if !shipped.exists() {
        println!("avr-libc's examples are not installed");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    output(
        "cp",
        &["-r", shipped.to_str().unwrap(), "examples"],
        directory.path(),
    );
    output(
        "sh",
        &["-c", "gunzip -f $(find examples -name '*.gz')"],
        directory.path(),
    );
    let device = "-mmcu=atmega16";
    let programs = [
        ("demo", vec![device, "demo.c"]),
        ("largedemo", vec![device, "-DF_CPU=1000000UL", "largedemo.c"]),
        ("twitest", vec![device, "-DF_CPU=14745600UL", "twitest.c"]),
        (
            "stdiodemo",
            vec![
                device,
                "-DF_CPU=1000000UL",
                "stdiodemo.c",
                "hd44780.c",
                "lcd.c",
                "uart.c",
            ],
        ),
        ("asmdemo", vec!["-mmcu=attiny45", "asmdemo.c", "isrs.S"]),
    ];
    for (name, arguments) in programs {
        let folder = directory.path().join("examples").join(name);
        output(
            "avr-gcc",
            &[&["-Os", "-o", "a.elf"], &arguments[..]].concat(),
            &folder,
        );
        assert!(
            compare(&output("avr-objdump", &["-d", "a.elf"], &folder), name) > 50,
            "{name}"
        );
    }
}

/// All words as one section: what is no instruction here may be one of another core there.
#[test]
fn every_word_disassembles_as_by_objdump() {
    let directory = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = (0..=u16::MAX)
        .filter(|word| decode(*word, 0).words == 1)
        .flat_map(u16::to_le_bytes)
        .collect();
    std::fs::write(directory.path().join("all.bin"), bytes).unwrap();
    let arguments = [
        "-D",
        "-b",
        "binary",
        "-m",
        "avr:5",
        "--insn-width=2",
        "-z",
        "all.bin",
    ];
    let listing = match Command::new("avr-objdump").args(["--help"]).output() {
        Ok(help) if String::from_utf8_lossy(&help.stdout).contains("--insn-width") => {
            output("avr-objdump", &arguments, directory.path())
        }
        _ => output(
            "avr-objdump",
            &["-D", "-b", "binary", "-m", "avr:5", "-z", "all.bin"],
            directory.path(),
        ),
    };
    let lines = compare(&listing, "all words");
    assert!(lines > 50_000, "only {lines} lines");
}
