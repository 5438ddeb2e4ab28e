//! The device files against avr-libc's headers, both the embedded ones and those among the examples:
//! memories, addresses of registers (both ways), positions of bits, numbers of vectors, signatures. The
//! headers are the oracle for all but bits: they do not say which register a bit belongs to, so there the
//! test guards against later changes. Roles have no oracle but the vectors, which name the same flags.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use kripke_avr::device::{BitName, Device, DeviceError, Peripheral, Vector};

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

/// What a number, a product of numbers or either in parentheses is.
fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return number(inside);
    }
    if let Some((left, right)) = text.split_once('*') {
        return Some(number(left)? * number(right)?);
    }
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The data address that `_SFR_IO8 (0x1B)`, `_SFR_MEM8 (0x80)` or another name for it means.
fn address(text: &str, macros: &HashMap<String, String>) -> Option<u32> {
    let Some((kind, rest)) = text.split_once('(') else {
        return address(macros.get(text)?, macros);
    };
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

/// The devices with embedded files, and those that only have a file among the examples.
fn devices() -> Vec<Device> {
    let embedded = Device::built_in_names().map(|name| Device::built_in(name).unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/devices");
    let examples: Vec<Device> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| Device::from_file(&path).unwrap())
        .collect();
    assert!(examples.iter().any(|device| device.name == "atmega32"));
    embedded.chain(examples).collect()
}

fn compare_memories(device: &Device, macros: &HashMap<String, String>) {
    let name = &device.name;
    for (index, byte) in device.signature.iter().enumerate() {
        assert_eq!(
            number(&macros[&format!("SIGNATURE_{index}")]),
            Some(u32::from(*byte)),
            "{name}"
        );
    }
    let vectors = (device.vectors.len() as u32 + 1) * u32::from(device.vector_bytes);
    for (constant, value) in [
        ("RAMSTART", device.sram.start),
        ("RAMEND", device.sram.end() - 1),
        ("FLASHEND", device.flash.end() - 1),
        ("E2END", device.eeprom.end() - 1),
        ("SPM_PAGESIZE", u32::from(device.flash_page)),
        ("_VECTORS_SIZE", vectors),
    ] {
        assert_eq!(number(&macros[constant]), Some(value), "{name} {constant}");
    }
}

/// Compares the registers both ways, and the bits of each; returns how many bits were compared.
fn compare_registers(device: &Device, macros: &HashMap<String, String>) -> usize {
    let name = &device.name;
    let mut compared = 0;
    for register in &device.registers {
        let expected = address(&macros[&register.name], macros);
        let found = Some(u32::from(register.address));
        assert_eq!(expected, found, "{name} {}", register.name);
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
    for (constant, text) in macros.iter().filter(|(_, text)| text.starts_with("_SFR_")) {
        if let Some(address) = address(text, macros) {
            assert!(
                device.register_at(address as u16).is_some(),
                "{name} lacks {constant} at 0x{address:02X}"
            );
        }
    }
    compared
}

fn compare_vectors(device: &Device, macros: &HashMap<String, String>) {
    let name = &device.name;
    for vector in &device.vectors {
        let expected = vector_number(&macros[&format!("{}_vect", vector.name)]);
        assert_eq!(expected, Some(u32::from(vector.number)), "{name} {}", vector.name);
    }
    let highest = macros.values().filter_map(|value| vector_number(value)).max();
    let last = device.vectors.last().map(|vector| u32::from(vector.number));
    assert_eq!(highest, last, "{name}");
}

#[test]
fn device_files_agree_with_avr_libc() {
    let devices = devices();
    assert!(devices.len() >= 4);
    for device in &devices {
        let macros = macros(&device.name);
        compare_memories(device, &macros);
        let compared = compare_registers(device, &macros);
        assert!(compared > 150, "{}: only {compared} bits compared", device.name);
        compare_vectors(device, &macros);
    }
}

/// A bit by address and position.
fn bit(device: &Device, place: &str) -> (u16, u8) {
    match device.place(place) {
        Some((address, Some(position))) => (address, position),
        other => panic!("{} {place}: {other:?}", device.name),
    }
}

#[test]
fn every_interrupt_belongs_to_a_peripheral() {
    for device in devices() {
        let flags: HashSet<(u16, u8)> = device
            .peripherals
            .iter()
            .flat_map(|peripheral| peripheral.roles.values())
            .filter(|place| place.contains('.'))
            .map(|place| bit(&device, place))
            .collect();
        for vector in &device.vectors {
            let place = vector.flag.as_ref().map(|flag| device.bit(flag).unwrap());
            assert!(
                place.is_none_or(|place| flags.contains(&place)),
                "{}: the flag of {} has no role",
                device.name,
                vector.name
            );
            // Only conditions do without a flag of their own, and no condition is cleared by its handler's
            // start.
            assert!(place.is_some() || vector.level, "{} {}", device.name, vector.name);
            assert!(
                !(vector.level && vector.clears_on_entry),
                "{} {}",
                device.name,
                vector.name
            );
        }
    }
}

/// The roles in a timer that the vectors called `TIMERn_` something else raise.
fn timer_role(event: &str) -> &'static str {
    match event {
        "OVF" => "overflow",
        "COMP" | "COMPA" => "match_a",
        "COMPB" => "match_b",
        "COMPC" => "match_c",
        "CAPT" => "capture",
        other => panic!("unknown event {other}"),
    }
}

#[test]
fn roles_agree_with_the_vectors_of_the_same_name() {
    for device in devices() {
        let mut compared = 0;
        let mut agree = |vector: &Vector, peripheral: &Peripheral, role: &str, bit_name: &BitName| {
            let expected = format!("{}.{}", bit_name.register, bit_name.bit);
            assert_eq!(
                peripheral.role(role),
                Some(&*expected),
                "{} {}",
                device.name,
                vector.name
            );
            compared += 1;
        };
        for vector in &device.vectors {
            let (owner, event) = vector.name.split_once('_').unwrap_or((&vector.name, ""));
            let Some(peripheral) = device
                .peripherals
                .iter()
                .find(|peripheral| peripheral.name == owner)
            else {
                continue;
            };
            let Some(flag) = vector.flag.as_ref() else {
                continue;
            };
            match peripheral.kind.as_str() {
                "external_interrupt" | "pin_change" => {
                    agree(vector, peripheral, "enable", &vector.enable);
                    agree(vector, peripheral, "flag", flag);
                }
                "timer" => agree(vector, peripheral, timer_role(event), flag),
                "usart" if event.starts_with("RX") => agree(vector, peripheral, "received", flag),
                "usart" if event.starts_with("TX") => agree(vector, peripheral, "transmitted", flag),
                "usart" => agree(vector, peripheral, "empty", flag),
                _ => agree(vector, peripheral, "flag", flag),
            }
        }
        assert!(compared >= 18, "{}: only {compared}", device.name);
    }
}

#[test]
fn peripherals_of_a_kind_share_nothing() {
    for device in devices() {
        let mut owners = HashMap::new();
        for peripheral in &device.peripherals {
            let number = peripheral
                .name
                .trim_start_matches(|letter: char| !letter.is_ascii_digit());
            for (role, place) in &peripheral.roles {
                let key = (
                    peripheral.kind.as_str(),
                    device.place(place).unwrap(),
                    role.as_str(),
                );
                let earlier = owners.insert(key, &peripheral.name);
                assert_eq!(earlier, None, "{} {} {role}", device.name, peripheral.name);
                // What a timer or a USART with a number owns has the number in its name.
                if matches!(peripheral.kind.as_str(), "timer" | "usart") {
                    let own = place.split('.').next_back().unwrap();
                    assert!(own.contains(number), "{} {} {role}", device.name, peripheral.name);
                }
                // What belongs to channel A, B or C of a 16-bit timer has the letter in its name.
                if let Some(channel) = role
                    .strip_prefix("compare_")
                    .and_then(|rest| rest.strip_suffix("_low"))
                {
                    assert!(
                        place.ends_with(&format!("{}L", channel.to_uppercase())),
                        "{place}"
                    );
                }
                if let Some(channel) = role
                    .strip_prefix("compare_")
                    .and_then(|rest| rest.strip_suffix("_high"))
                {
                    assert!(
                        place.ends_with(&format!("{}H", channel.to_uppercase())),
                        "{place}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_port_of_the_device_is_a_peripheral() {
    for device in devices() {
        let directions = device
            .registers
            .iter()
            .filter_map(|register| register.name.strip_prefix("DDR"));
        for letter in directions {
            let port = device
                .peripherals
                .iter()
                .find(|peripheral| peripheral.kind == "port" && peripheral.name == letter)
                .unwrap_or_else(|| panic!("{} lacks port {letter}", device.name));
            for (role, register) in [("ddr", "DDR"), ("port", "PORT"), ("pin", "PIN")] {
                assert_eq!(port.role(role), Some(&*format!("{register}{letter}")));
            }
            let pin = device.register(&format!("PIN{letter}")).unwrap();
            assert_eq!(pin.read_only, 0xFF, "{} PIN{letter}", device.name);
        }
    }
}

#[test]
fn every_bit_that_takes_a_pin_from_its_port_is_told() {
    let takes = |register: &str, bit: &str| {
        let output = register.starts_with("TCCR") && bit.starts_with("COM");
        let serial = ["TXEN", "RXEN", "UMSEL", "SPE", "TWEN"];
        let serial = serial
            .iter()
            .any(|name| bit.trim_end_matches(['0', '1']) == *name);
        let oscillator = register == "ASSR" && matches!(bit, "AS0" | "AS2");
        let memory = (register, bit) == ("MCUCR", "SRE");
        output || serial || oscillator || memory || register.starts_with("DIDR")
    };
    for device in devices() {
        let told: HashSet<(&str, &str)> = device
            .overrides
            .iter()
            .flat_map(|row| &row.enabled_by)
            .map(|bit| (bit.register.as_str(), bit.bit.as_str()))
            .collect();
        let bits = device.registers.iter().flat_map(|register| {
            let names = register.bits.keys();
            names.map(|bit| (register.name.as_str(), bit.as_str()))
        });
        let expected: HashSet<_> = bits.filter(|(register, bit)| takes(register, bit)).collect();
        assert_eq!(told, expected, "{}", device.name);
    }
}

#[test]
fn places_are_registers_or_bits() {
    let device = Device::built_in("atmega16").unwrap();
    assert_eq!(device.place("PIND"), Some((0x30, None)));
    assert_eq!(device.place("PIND.2"), Some((0x30, Some(2))));
    assert_eq!(device.place("SPSR.SPIF"), Some((0x2E, Some(7))));
    for nowhere in [
        "",
        ".",
        "PINX",
        "PINX.2",
        "PIND.8",
        "PIND.10",
        "PIND.",
        "PIND.X",
        "SPSR.SPIF.0",
    ] {
        assert_eq!(device.place(nowhere), None, "{nowhere}");
    }
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
    assert!(refused("vector_bytes = 4", "vector_bytes = 3").contains("neither 2 nor 4"));
    assert!(refused("flash_page = 128", "flash_page = 100").contains("no power of two"));
    assert!(
        refused(
            "sram = { start = 0x60, size = 0x400 }",
            "sram = { start = 0x60, size = 0x10000 }"
        )
        .contains("64 KiB")
    );
    let memory = |from: &str, to: &str| refused(from, to);
    assert!(
        memory("sram = { start = 0x60", "sram = { start = 0x5F").contains("where every AVR has registers")
    );
    assert!(memory("flash_page = 128", "flash_page = 1").contains("no power of two"));
    assert!(memory("size = 0x200 }", "size = 0xFC00 }").contains("too many bytes"));
    assert!(memory("address = 0x20\n", "address = 0x1F\n").contains("not between the registers"));
    assert!(memory("address = 0x20\n", "address = 0x60\n").contains("not between the registers"));
    assert!(
        refused("clock2 = \"TCCR0.CS02\"", "clock2 = \"TCCR2.CS22\"")
            .contains("has clock0, clock1, clock2 in several registers")
    );
    assert!(refused("reserved = 0x3E", "reserved = 0x3F").contains("SPI2X of SPSR is reserved"));
    assert!(refused("strobe = 0x03", "strobe = 0x13").contains("strobe and reserved of SFIOR"));
    assert!(refused("write_one_to_clear = 0x40", "write_one_to_clear = 0x60").contains("read_only of UCSRA"));
    // Roles: an unknown kind, a misspelt role, a missing one, a register for a bit and the other way round, a
    // bit beyond the byte, half a choice, both choices, half a group, the same peripheral twice.
    assert!(refused("kind = \"sleep\"", "kind = \"slumber\"").contains("no known kind; the kinds are port"));
    assert!(
        refused("ddr = \"DDRA\"", "dir = \"DDRA\"").contains("port A has no role `dir`; its roles are ddr")
    );
    assert!(refused("ddr = \"DDRA\", ", "").contains("port A lacks the role `ddr`"));
    assert!(refused("pin = \"PINA\"", "pin = \"PINA.1\"").contains("for a register"));
    assert!(refused("pin = \"PIND.2\"", "pin = \"PIND\"").contains("for a bit"));
    assert!(refused("pin = \"PIND.2\"", "pin = \"PIND.8\"").contains("names PIND.8, which is not there"));
    assert!(refused(", sense1 = \"MCUCR.ISC01\"", "").contains("either sense0 and sense1 or edge"));
    assert!(
        refused(
            "sense1 = \"MCUCR.ISC01\"",
            "sense1 = \"MCUCR.ISC01\", edge = \"MCUCR.ISC01\""
        )
        .contains("or edge")
    );
    assert!(refused("capture_high = \"ICR1H\"\n", "").contains("all of capture_low, capture_high or none"));
    assert!(refused("name = \"B\"", "name = \"A\"").contains("port A is there twice"));
    let oc0 = "enabled_by = [\"TCCR0.COM00\", \"TCCR0.COM01\"]\nvalue = true";
    let overridden = |to: &str| refused(oc0, to);
    assert!(overridden("enabled_by = []\nvalue = true").contains("is not enabled by bits of one register"));
    let two = "enabled_by = [\"TCCR0.COM00\", \"TCCR2.COM20\"]\nvalue = true";
    assert!(overridden(two).contains("is not enabled by bits of one register"));
    assert!(overridden(&oc0.replace("COM01", "COM09")).contains("names a bit that is not there"));
    assert!(overridden(&oc0.replace("true", "false")).contains("the override of PINB.3 overrides nothing"));
    let by_a_fuse_too = format!("fuse = true\n{oc0}");
    assert!(overridden(&by_a_fuse_too).contains("is enabled by a fuse and by bits"));
    let further = format!("{oc0}\nlasts = true\nwith = \"SPCR.MSTR\"");
    assert!(overridden(&further).contains("can have no further condition"));
    assert!(refused("pin = \"PINB.3\"", "pin = \"PINB\"").contains("names no pin of a port"));
    assert!(refused("pin = \"PINB.3\"", "pin = \"PORTB.3\"").contains("names no pin of a port"));
    assert!(matches!(
        Device::built_in("atmega9"),
        Err(DeviceError::Unknown { .. })
    ));
}
