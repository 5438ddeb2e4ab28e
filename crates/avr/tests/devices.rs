//! The device files against avr-libc's headers: addresses of registers, positions of bits, numbers of vectors,
//! signatures. The headers are the oracle for addresses, vectors and signatures. The files only contain bits that the
//! headers know at the same position, so for bits the test guards against later changes.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use kripke_avr::device::{Device, DeviceError};

/// The macros that avr-libc's `<avr/io.h>` defines for a device.
fn macros(device: &str) -> HashMap<String, String> {
    let mut compiler = Command::new("avr-gcc")
        .args([&format!("-mmcu={device}"), "-dM", "-E", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    compiler
        .stdin
        .take()
        .unwrap()
        .write_all(b"#include <avr/io.h>\n")
        .unwrap();
    let output = compiler.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let definitions = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    definitions
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect()
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The data address that `_SFR_IO8 (0x1B)` or `_SFR_MEM8 (0x80)` means.
fn address(text: &str) -> Option<u32> {
    let (kind, rest) = text.split_once('(')?;
    let value = number(rest.strip_suffix(')')?)?;
    match kind.trim() {
        "_SFR_IO8" => Some(value + 0x20),
        "_SFR_MEM8" => Some(value),
        _ => None,
    }
}

/// The number that `_VECTOR(5)` means.
fn vector_number(text: &str) -> Option<u32> {
    number(text.strip_prefix("_VECTOR(")?.strip_suffix(')')?)
}

#[test]
fn device_files_agree_with_avr_libc() {
    let mut compared = 0;
    for name in Device::built_in_names() {
        let device = Device::built_in(name).unwrap();
        let macros = macros(name);
        for (index, byte) in device.signature.iter().enumerate() {
            assert_eq!(
                number(&macros[&format!("SIGNATURE_{index}")]),
                Some(u32::from(*byte)),
                "{name}"
            );
        }
        assert_eq!(
            number(&macros["RAMSTART"]).unwrap_or(device.sram.start),
            device.sram.start,
            "{name}"
        );
        for register in &device.registers {
            let expected = address(&macros[&register.name]);
            assert_eq!(
                expected,
                Some(u32::from(register.address)),
                "{name} {}",
                register.name
            );
            for (bit, position) in &register.bits {
                // avr-libc has no names for the bits of SREG without a prefix, and numbers TWAMR's bits from 0,
                // where the datasheet (22.9.6) has TWAM0 in bit 1.
                if register.name == "SREG" || register.name == "TWAMR" {
                    continue;
                }
                assert_eq!(
                    number(&macros[bit]),
                    Some(u32::from(*position)),
                    "{name} {}.{bit}",
                    register.name
                );
                compared += 1;
            }
        }
        for vector in &device.vectors {
            let expected = vector_number(&macros[&format!("{}_vect", vector.name)]);
            assert_eq!(expected, Some(u32::from(vector.number)), "{name} {}", vector.name);
        }
        let highest = macros.values().filter_map(|value| vector_number(value)).max();
        assert_eq!(
            highest,
            device.vectors.last().map(|vector| u32::from(vector.number)),
            "{name}"
        );
    }
    assert!(compared > 400, "only {compared} bits compared");
}

#[test]
fn faulty_device_files_are_refused() {
    let text = include_str!("../devices/atmega16.toml");
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        Device::parse(&text.replacen(from, to, 1), "my.toml")
            .unwrap_err()
            .to_string()
    };
    assert!(refused("number = 2\n", "number = 7\n").contains("vector 7 stands where 2 is expected"));
    assert!(refused("pc_bytes = 2", "pc_bytes = 4").contains("neither 2 nor 3"));
    assert!(refused("SPIE = 7", "SPIE = 8").contains("outside a byte"));
    assert!(refused("pin = \"PINA\"", "pin = \"PINX\"").contains("PINX"));
    assert!(refused("flag = \"SPSR.SPIF\"", "flag = \"SPIF\"").contains("REGISTER.BIT"));
    assert!(matches!(
        Device::built_in("atmega9"),
        Err(DeviceError::Unknown { .. })
    ));
}
