//! What the device files say about access, reset and flags, which neither Microchip's device description
//! files nor avr-libc's headers know: the ATmega32 against the rows "Read/Write" and "Initial Value" of its
//! datasheet (Atmel 2503F, 12/2003), the ATmega16 against the same rows, since it has the same peripherals,
//! and all devices against each other.

use std::collections::HashMap;

use kripke_avr::device::{Device, Register};

/// Registers of the ATmega32: access of the bits from 7 down to 0 (`b` read and write, `r` read, `w` write)
/// and their initial values (`x` where the datasheet has X, N/A, a device-specific value or a reference to
/// the description). PORTx, DDRx and PINx stand for all ports. The URSEL bit of UBRRH always reads as zero,
/// which `r` says. EEARH follows the text, which calls EEAR undefined. SPH is not here: the datasheet shows
/// 16 bits and leaves open how many there are.
const ROWS: &str = "
    SREG   bbbbbbbb 00000000    SPL    bbbbbbbb 00000000    EEARH  rrrrrrbb 000000xx    EEARL  bbbbbbbb xxxxxxxx
    EEDR   bbbbbbbb 00000000    EECR   rrrrbbbb 000000x0    OSCCAL bbbbbbbb xxxxxxxx    MCUCR  bbbbbbbb 00000000
    MCUCSR bbrbbbbb 000xxxxx    WDTCR  rrrbbbbb 00000000    GICR   bbbrrrbb 00000000    GIFR   bbbrrrrr 00000000
    PORTx  bbbbbbbb 00000000    DDRx   bbbbbbbb 00000000    PINx   rrrrrrrr xxxxxxxx    TCCR0  wbbbbbbb 00000000
    TCNT0  bbbbbbbb 00000000    OCR0   bbbbbbbb 00000000    TIMSK  bbbbbbbb 00000000    TIFR   bbbbbbbb 00000000
    SFIOR  bbbrbbbb 00000000    TCCR1A bbbbwwbb 00000000    TCCR1B bbrbbbbb 00000000    TCNT1H bbbbbbbb 00000000
    TCNT1L bbbbbbbb 00000000    OCR1AH bbbbbbbb 00000000    OCR1AL bbbbbbbb 00000000    OCR1BH bbbbbbbb 00000000
    OCR1BL bbbbbbbb 00000000    ICR1H  bbbbbbbb 00000000    ICR1L  bbbbbbbb 00000000    TCCR2  wbbbbbbb 00000000
    TCNT2  bbbbbbbb 00000000    OCR2   bbbbbbbb 00000000    ASSR   rrrrbrrr 00000000    SPCR   bbbbbbbb 00000000
    SPSR   rrrrrrrb 00000000    SPDR   bbbbbbbb xxxxxxxx    UDR    bbbbbbbb 00000000    UCSRA  rbrrrrbb 00100000
    UCSRB  bbbbbbrb 00000000    UCSRC  bbbbbbbb 10000110    UBRRH  rrrrbbbb 00000000    UBRRL  bbbbbbbb 00000000
    TWBR   bbbbbbbb 00000000    TWCR   bbbbrbrb 00000000    TWSR   rrrrrrbb 11111000    TWDR   bbbbbbbb 11111111
    TWAR   bbbbbbbb 11111110    ACSR   bbrbbbbb 00x00000    ADMUX  bbbbbbbb 00000000    ADCSRA bbbbbbbb 00000000
    ADCH   rrrrrrrr 00000000    ADCL   rrrrrrrr 00000000    OCDR   bbbbbbbb 00000000    SPMCR  brrbbbbb 00000000
";

/// The mask of the bits that a row marks with one of the letters.
fn mask(row: &str, letters: &str) -> u8 {
    row.chars()
        .fold(0, |mask, letter| (mask << 1) | u8::from(letters.contains(letter)))
}

fn rows() -> HashMap<&'static str, (&'static str, &'static str)> {
    let words: Vec<&str> = ROWS.split_whitespace().collect();
    words.chunks(3).map(|row| (row[0], (row[1], row[2]))).collect()
}

fn devices() -> Vec<Device> {
    Device::built_in_files()
        .map(|name| Device::built_in(name).unwrap())
        .collect()
}

fn compare_with_rows(device: &Device, different: &[(&'static str, (&'static str, &'static str))]) {
    let mut rows = rows();
    rows.extend(different.iter().copied());
    for register in device.registers.iter().filter(|register| register.name != "SPH") {
        let name = register.name.as_str();
        let general = ["PORT", "DDR", "PIN"]
            .into_iter()
            .find(|port| name.strip_prefix(port).is_some_and(|letter| letter.len() == 1))
            .map(|port| format!("{port}x"));
        let (access, initial) = rows[general.as_deref().unwrap_or(name)];
        let shown = format!("{} {name}", device.name);
        let unwritable = register.read_only | register.reserved;
        assert_eq!(unwritable, mask(access, "r"), "{shown}: read only");
        assert_eq!(
            register.strobe & mask(access, "w"),
            mask(access, "w"),
            "{shown}: write only"
        );
        assert_eq!(register.undefined, mask(initial, "x"), "{shown}: undefined");
        assert_eq!(
            register.reset & !register.undefined,
            mask(initial, "1"),
            "{shown}: initial value"
        );
    }
}

#[test]
fn access_and_initial_values_are_those_of_the_datasheet() {
    assert_eq!(rows().len(), 56);
    compare_with_rows(&Device::built_in("atmega32").unwrap(), &[]);
    // Half the EEPROM: one address bit less.
    let different = [("EEARH", ("rrrrrrrb", "0000000x"))];
    compare_with_rows(&Device::built_in("atmega16").unwrap(), &different);
}

/// A name without numbers: the USARTs and timers of a device, and of several, are the same but for them.
fn unnumbered(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// How a bit behaves: reset, undefined, read only, cleared by writing a one, strobe.
fn behaviour(register: &Register, position: u8) -> [bool; 5] {
    [
        register.reset & !register.undefined,
        register.undefined,
        register.read_only,
        register.write_one_to_clear,
        register.strobe,
    ]
    .map(|mask| mask >> position & 1 == 1)
}

#[test]
fn bits_of_one_name_behave_alike_on_all_devices() {
    let devices = devices();
    let mut known = HashMap::new();
    let mut compared = 0;
    for device in &devices {
        for register in &device.registers {
            for (bit, position) in &register.bits {
                // Fuses decide about the lower two bits of the clock's prescaler, and not about the others.
                let bit_name = if register.name == "CLKPR" {
                    bit.clone()
                } else {
                    unnumbered(bit)
                };
                // A watchdog with an interrupt is another one.
                let has_interrupt = register
                    .bits
                    .keys()
                    .any(|bit| ["WDIE", "WDTIE"].contains(&&**bit));
                let register_name = match has_interrupt {
                    true => "WDTCSR".to_owned(),
                    false => unnumbered(&register.name),
                };
                let name = (register_name, bit_name);
                let found = behaviour(register, *position);
                let (first_device, first) = *known.entry(name).or_insert((&device.name, found));
                if *first_device != device.name {
                    assert_eq!(
                        first, found,
                        "{} {}.{bit} and {first_device}",
                        device.name, register.name
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 450, "only {compared} bits are on several devices");
}

#[test]
fn flags_of_one_name_are_cleared_alike_on_all_devices() {
    let mut known = HashMap::new();
    for device in devices() {
        for vector in &device.vectors {
            let Some(flag) = &vector.flag else { continue };
            let found = (vector.clears_on_entry, vector.level);
            let first = *known.entry(unnumbered(&flag.bit)).or_insert(found);
            assert_eq!(first, found, "{} {}", device.name, vector.name);
            // What the start of a handler clears, a written one clears as well, except SPIF, which reading
            // SPSR and then accessing SPDR clears; and TWINT is only cleared by a written one.
            let register = device.register(&flag.register).unwrap();
            let position = register.bits[&flag.bit];
            let written = register.write_one_to_clear >> position & 1 == 1;
            match flag.bit.as_str() {
                "SPIF" => assert!(vector.clears_on_entry && !written),
                "TWINT" | "USISIF" | "USIOIF" => assert!(!vector.clears_on_entry && written),
                _ => assert_eq!(vector.clears_on_entry, written, "{} {}", device.name, vector.name),
            }
        }
    }
}
