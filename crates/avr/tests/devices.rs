//! The device files against avr-libc's headers, both the embedded ones and those among the examples:
//! memories, addresses of registers (both ways), positions of bits, numbers of vectors, signatures. The
//! headers are the oracle for all but bits: they do not say which register a bit belongs to, so there the
//! test guards against later changes. Roles have no oracle but the vectors, which name the same flags.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use kripke_avr::device::{BitName, Device, DeviceError, Peripheral, Register, Vector};

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

/// What a number, a sum or product of numbers or either in parentheses is; names are those of other macros.
fn value(text: &str, macros: &HashMap<String, String>) -> Option<u32> {
    let mut words = text.to_owned();
    for name in ["RAMSTART", "RAMSIZE", "_VECTOR_SIZE"] {
        if let Some(meaning) = macros.get(name) {
            words = words.replace(name, meaning);
        }
    }
    number(&words)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches('U');
    // The last operator outside parentheses, sums and differences before products.
    for operators in [['+', '-'], ['*', '*']] {
        let mut depth = 0;
        let outside = text.char_indices().filter(|(_, letter)| {
            depth += i32::from(*letter == '(') - i32::from(*letter == ')');
            depth == 0 && operators.contains(letter)
        });
        if let Some((at, operator)) = outside.last() {
            let (left, right) = (number(&text[..at])?, number(&text[at + 1..])?);
            return match operator {
                '+' => left.checked_add(right),
                '-' => left.checked_sub(right),
                _ => left.checked_mul(right),
            };
        }
    }
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return number(inside);
    }
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
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
    assert!(examples.iter().any(|device| device.name == "atmega324p"));
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
    let last = device.vectors.last().map_or(0, |vector| u32::from(vector.number));
    let vectors = (last + 1) * u32::from(device.vector_bytes);
    for (constant, value) in [
        ("RAMSTART", device.sram.start),
        ("RAMEND", device.sram.end() - 1),
        ("FLASHEND", device.flash.end() - 1),
        ("E2END", device.eeprom.end() - 1),
        ("SPM_PAGESIZE", u32::from(device.flash_page)),
        ("_VECTORS_SIZE", vectors),
        ("__AVR_ARCH__", u32::from(device.architecture.unwrap())),
    ] {
        assert_eq!(
            self::value(&macros[constant], macros),
            Some(value),
            "{name} {constant}"
        );
    }
}

/// Names for which avr-libc has others or none: of registers without bits, and of bits in the older or newer
/// of two headers for the same chip.
fn is_known(name: &str, register: &Register, device: &Device, macros: &HashMap<String, String>) -> bool {
    let has_own_file = Device::built_in_files().any(|own| own == device.name);
    let may_lack = register.reserved == 0xFF || !has_own_file;
    assert!(
        macros.contains_key(name) || may_lack,
        "{}: no {name}",
        device.name
    );
    macros.contains_key(name)
}

/// Compares the registers both ways, and the bits of each; returns how many bits were compared.
fn compare_registers(device: &Device, macros: &HashMap<String, String>) -> usize {
    let name = &device.name;
    let mut compared = 0;
    for register in &device.registers {
        if !is_known(&register.name, register, device, macros) {
            continue;
        }
        let expected = address(&macros[&register.name], macros);
        let found = Some(u32::from(register.address));
        assert_eq!(expected, found, "{name} {}", register.name);
        for (bit, position) in &register.bits {
            // avr-libc has no names for the bits of SREG without a prefix, and numbers TWAMR's bits from 0,
            // where the datasheet (22.9.6) has TWAM0 in bit 1.
            if register.name == "SREG" || register.name == "TWAMR" {
                continue;
            }
            if !is_known(bit, register, device, macros) {
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
        // The header serves a larger chip, too, which has a fifth timer.
        if (name.as_str(), constant.as_str()) == ("atmega32u4", "TIFR5") {
            continue;
        }
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
        let same = macros.get(&format!("{}_vect", vector.name));
        let has_own_file = Device::built_in_files().any(|own| own == *name);
        assert!(same.is_some() || !has_own_file, "{name}: no {}", vector.name);
        // Another header may have another name for it.
        let mut others = macros.values().filter_map(|text| vector_number(text));
        let expected = match same {
            Some(text) => vector_number(text),
            None => others.find(|number| *number == u32::from(vector.number)),
        };
        assert_eq!(expected, Some(u32::from(vector.number)), "{name} {}", vector.name);
    }
    let highest = macros.values().filter_map(|value| vector_number(value)).max();
    let last = device.vectors.last().map(|vector| u32::from(vector.number));
    assert_eq!(highest, last, "{name}");
}

#[test]
fn device_files_agree_with_avr_libc() {
    let devices = devices();
    assert!(devices.len() >= 35);
    for device in &devices {
        let macros = macros(&device.name);
        compare_memories(device, &macros);
        let compared = compare_registers(device, &macros);
        let least = if device.name.starts_with("attiny") {
            60
        } else {
            130
        };
        assert!(compared > least, "{}: only {compared} bits compared", device.name);
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
            // Of no known kind: they are set at any moment.
            let of_two_ports =
                vector.name == "PCINT1" && ["atmega1280", "atmega2560"].contains(&&*device.name);
            if vector.name == "TIMER4_FPF" || of_two_ports {
                continue;
            }
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
        "COMPD" => "match_d",
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
            let Some(flag) = vector.flag.as_ref().filter(|_| event != "FPF") else {
                continue;
            };
            match peripheral.kind.as_str() {
                "external_interrupt" | "pin_change" => {
                    agree(vector, peripheral, "enable", &vector.enable);
                    agree(vector, peripheral, "flag", flag);
                }
                "usi" if event == "START" => agree(vector, peripheral, "start", flag),
                "usi" => agree(vector, peripheral, "overflow", flag),
                "timer" => agree(vector, peripheral, timer_role(event), flag),
                "usart" if event.starts_with("RX") => agree(vector, peripheral, "received", flag),
                "usart" if event.starts_with("TX") => agree(vector, peripheral, "transmitted", flag),
                "usart" => agree(vector, peripheral, "empty", flag),
                _ => agree(vector, peripheral, "flag", flag),
            }
        }
        let least = if device.name.starts_with("attiny") { 6 } else { 15 };
        assert!(compared >= least, "{}: only {compared}", device.name);
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
        let timer = register.starts_with("TCCR") || register == "GTCCR";
        let output = timer && (bit.starts_with("COM") || bit.starts_with("OC4OE"));
        let serial = ["TXEN", "RXEN", "UMSEL", "SPE", "TWEN", "USIWM", "CTSEN", "RTSEN"];
        let serial = serial
            .iter()
            .any(|name| bit.trim_end_matches(['0', '1', '2', '3']) == *name);
        let oscillator = register == "ASSR" && matches!(bit, "AS0" | "AS2");
        let memory = matches!((register, bit), ("MCUCR" | "XMCRA", "SRE"));
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
        // Of the ATmega32U4, some have no pin.
        let no_pin = |bit: &str| {
            let pins = ["COM3B", "COM3C", "ADC2D", "ADC3D", "AIN1D"];
            device.name == "atmega32u4" && pins.iter().any(|pin| bit.starts_with(pin))
        };
        let bits = bits.filter(|(register, bit)| takes(register, bit) && !no_pin(bit));
        let expected: HashSet<_> = bits.collect();
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
            .contains("has clock0, clock1, clock2, clock3 in several registers")
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
    let volatile = "name = \"TIMSK\"\nvolatile = 0x01";
    assert!(refused("name = \"TIMSK\"", volatile).contains("does not just hold what was written"));
}

#[test]
fn a_file_may_say_how_a_device_differs_from_another() {
    let like = |text: &str| Device::parse(&format!("like = \"atmega16\"\n{text}"), "my.toml");
    let refused = |text: &str| like(text).unwrap_err().to_string();
    let register = |text: &str| format!("[[register]]\nname = {text}");
    let base = Device::built_in("atmega16").unwrap();
    assert_eq!(like("").unwrap(), base);
    // A field of the device, a field of a register, a register that is new, and what the device lacks.
    let changed = like("name = \"mine\"\nflash_page = 64").unwrap();
    assert_eq!((changed.name.as_str(), changed.flash_page), ("mine", 64));
    let changed = like(&register("\"SPSR\"\nreserved = 0x3C")).unwrap();
    let (old, new) = (base.register("SPSR").unwrap(), changed.register("SPSR").unwrap());
    assert_eq!((old.reserved, new.reserved), (0x3E, 0x3C));
    assert_eq!((&old.bits, old.read_only), (&new.bits, new.read_only));
    let changed = like(&register("\"NEW\"\naddress = 0x3F")).unwrap();
    let names = changed.registers.iter().map(|register| register.address);
    assert!(names.clone().is_sorted() && names.len() == base.registers.len() + 1);
    let peripheral = "[without]\nperipheral = [\"twi TWI\"]\nvector = [\"SPM_RDY\"]\ntimed = [\"GICR.IVCE\"]
        override = [\"PINB.3 TCCR0\"]";
    let changed = like(peripheral).unwrap();
    let lost = |device: &Device| {
        let parts = [device.peripherals.len(), device.vectors.len(), device.timed.len()];
        [&parts[..], &[device.overrides.len()]].concat()
    };
    let both = lost(&base).into_iter().zip(lost(&changed));
    assert!(both.into_iter().all(|(before, after)| before == after + 1));
    for (list, name) in [
        ("register", "NEW"),
        ("vector", "NEW"),
        ("peripheral", "TWI"),
        ("timed", "GICR.IVSEL"),
        ("override", "PINB.3"),
        ("override", "PINB.3 SPCR2"),
    ] {
        let error = refused(&format!("[without]\n{list} = [\"{name}\"]"));
        assert!(
            error.contains(&format!("`without.{list}` names {name}")),
            "{error}"
        );
    }
    // What is left has to agree with itself, and what is given has to be known.
    assert!(refused("[without]\nregister = [\"TWCR\"]").contains("TWCR"));
    assert!(refused("[without]\nregisters = [\"TWCR\"]").contains("no such list"));
    assert!(refused("colour = 1").contains("colour"));
    assert!(refused("register = 1").contains("`register` is no array"));
    let error = Device::parse("[without]\nregister = []", "my.toml").unwrap_err();
    assert!(error.to_string().contains("`without` needs `like`"));
    let error = Device::parse("like = \"atmega9\"", "my.toml").unwrap_err();
    assert!(matches!(error, DeviceError::UnknownBase { .. }));
    assert!(error.to_string().contains("my.toml: like `atmega9`"));
}

#[test]
fn device_files_in_a_circle_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let first = write("a.toml", "like = \"b.toml\"\nname = \"a\"");
    let second = write("b.toml", "like = \"atmega16\"\nflash_page = 64");
    let device = Device::from_file(&first).unwrap();
    assert_eq!((device.name.as_str(), device.flash_page), ("a", 64));
    std::fs::write(second, "like = \"a.toml\"").unwrap();
    let error = Device::from_file(&first).unwrap_err();
    assert!(matches!(error, DeviceError::Circle { .. }), "{error}");
    let own = write("c.toml", "like = \"c.toml\"");
    assert!(matches!(Device::from_file(&own), Err(DeviceError::Circle { .. })));
}

/// Chips that share a file have the same registers, vectors and memories in avr-libc's headers, too.
#[test]
fn chips_of_one_file_have_one_signature() {
    for name in Device::built_in_names() {
        let macros = macros(name);
        let device = Device::built_in(name).unwrap();
        let bytes = (0..3).map(|index| number(&macros[&format!("SIGNATURE_{index}")]).unwrap());
        assert!(bytes.eq(device.signature.map(u32::from)), "{name}");
    }
}
