//! What the chips do, told by small firmware: each fact of a datasheet that a verdict depends on, on every
//! device that has it.
//!
//! A firmware sets `bad` where the chip cannot come, and `seen` where it can: `{bad == 0}` holds, and
//! `{seen == 0}` is violated.

mod common;

use std::path::Path;

use common::{compile, expect};

/// The devices.
const DEVICES: [&str; 4] = ["atmega16", "atmega32", "atmega128", "atmega328p"];

const HEAD: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/eeprom.h>
#include <avr/boot.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdint.h>
volatile uint8_t bad, seen;
#ifdef __AVR_ATmega328P__
#define CAUSES MCUSR
#else
#define CAUSES MCUCSR
#endif
#ifdef UCSR0A
#define SERIAL UCSR0A
#define CONTROL UCSR0B
#else
#define SERIAL UCSRA
#define CONTROL UCSRB
#endif
#if defined(__AVR_ATmega328P__)
#define SS_PIN 2
#elif defined(__AVR_ATmega128__)
#define SS_PIN 0
#else
#define SS_PIN 4
#endif
#ifdef TIMSK0
#define WAKE TIMSK0 = 1; TCCR0B = 1
#else
#define WAKE TIMSK = 1; TCCR0 = 1
#endif
enum { RECEIVED = 1 << 7, ERRORS = 1 << 4 | 1 << 3 | 1 << 2, RECEIVE = 1 << 4 };
";

/// Checks a program with some options. A device whose name the file has need not be named.
fn check(device: &str, folder: &Path, options: &[&str], code: i32, said: &str) {
    let mut arguments = vec!["check", "a.elf", "--memory-limit", "2G", "--timeout", "60s"];
    if device == "atmega32" {
        arguments.extend(["--mcu", device]);
    }
    arguments.extend(options);
    expect(&arguments, folder, code, said);
}

/// The body of `main` for a device: `bad` stays 0, and `seen` does not if the body sets it.
fn behaves_on(device: &str, body: &str) {
    behaves_with(device, "", body, &[]);
}

fn behaves_with(device: &str, globals: &str, body: &str, options: &[&str]) {
    let source = format!("{HEAD}{globals}\nint main(void) {{ {body} for (;;); }}\n");
    let folder = compile(&source, &["-g", &format!("-mmcu={device}")]);
    let none = [&["--check", "none"], options].concat();
    let with = |formula| [&none[..], &["--invariant", formula]].concat();
    println!("{device}: {body}");
    if source.contains("bad = ") {
        check(device, folder.path(), &with("{bad == 0}"), 0, "HOLDS");
    }
    if source.contains("seen = ") {
        check(device, folder.path(), &with("{seen == 0}"), 1, "VIOLATED");
    }
}

fn behaves(body: &str) {
    for device in DEVICES {
        behaves_on(device, body);
    }
}

#[test]
fn several_faults_of_one_step_are_all_reported() {
    let source = format!("{HEAD}int main(void) {{ SP = RAMEND; __asm__ volatile(\"ret\"); for (;;); }}");
    let folder = compile(&source, &[]);
    for fault in ["property: stack-underflow", "property: return-to-nowhere"] {
        check("atmega16", folder.path(), &[], 1, fault);
    }
}

/// The stack pointer may point anywhere: what is popped from an I/O register is read from it.
#[test]
fn a_pop_reads_an_input_as_a_load_does() {
    behaves(
        "uint16_t stack = SP; uint8_t x; SP = (uint16_t)&PINB - 1;
         __asm__ volatile(\"pop %0\" : \"=r\"(x)); SP = stack; if (x) seen = 1;",
    );
}

#[test]
fn an_intel_hex_file_does_not_say_where_static_data_end() {
    let source = "volatile char buffer[64]; int main(void) { for (;;) buffer[3]++; }";
    let folder = compile(source, &[]);
    let copied = std::process::Command::new("avr-objcopy")
        .args(["-O", "ihex", "a.elf", "a.hex"])
        .current_dir(folder.path())
        .status()
        .expect("avr-objcopy is installed (scripts/install-packages test)");
    assert!(copied.success());
    let hex = |options: &[&str], code, said: &str| {
        let command = [
            "check",
            "a.hex",
            "--mcu",
            "atmega16",
            "--property",
            "stack-overflow",
        ];
        expect(&[&command[..], options].concat(), folder.path(), code, said);
    };
    hex(&[], 2, "does not say where static data end");
    hex(&["--data-end", "0xa0"], 0, "HOLDS");
    expect(
        &["stack", "a.hex", "--mcu", "atmega16"],
        folder.path(),
        2,
        "--data-end",
    );
    // A stripped file still has its segments.
    let stripped = std::process::Command::new("avr-strip")
        .arg("a.elf")
        .current_dir(folder.path())
        .status()
        .expect("avr-strip is installed");
    assert!(stripped.success());
    check(
        "atmega16",
        folder.path(),
        &["--property", "stack-overflow"],
        0,
        "HOLDS",
    );
}

#[test]
fn interrupts_without_a_handler_go_to_the_one_for_all_of_them() {
    let main = "int main(void) { TIMSK = 1 << TOIE0; TCCR0 = 1; sei(); for (;;); }";
    let folder = compile(&format!("{HEAD}{main}"), &[]);
    check(
        "atmega16",
        folder.path(),
        &["--property", "missing-handler"],
        1,
        "VIOLATED",
    );
    let folder = compile(
        &format!("{HEAD}ISR(BADISR_vect) {{ seen = 1; }}\n{main}"),
        &["-g"],
    );
    check(
        "atmega16",
        folder.path(),
        &["--property", "missing-handler"],
        0,
        "HOLDS",
    );
    check(
        "atmega16",
        folder.path(),
        &["--check", "none", "--invariant", "{seen == 0}"],
        1,
        "VIOLATED",
    );
}

#[test]
fn spm_does_nothing_outside_the_boot_section() {
    let body = "boot_page_erase(0x200); boot_spm_busy_wait();
        if (__LPM(0x200) == 0xFF) bad = 1; else seen = 1;";
    let words =
        "const uint8_t table[0x400] __attribute__((used, section(\".progmem\"))) = { [0 ... 0x3FF] = 0x12 };";
    for device in DEVICES {
        behaves_with(device, &format!("#include <avr/pgmspace.h>\n{words}"), body, &[]);
        // In the boot section it does.
        let source = format!(
            "{HEAD}#include <avr/pgmspace.h>\n{words}
            BOOTLOADER_SECTION __attribute__((noinline)) void erase(void) {{
                boot_page_erase(0x200); boot_spm_busy_wait();
            }}
            int main(void) {{ erase(); if (__LPM(0x200) == 0xFF) seen = 1; for (;;); }}"
        );
        let start = match device {
            "atmega16" => "0x3800",
            "atmega128" => "0x1e000",
            _ => "0x7000",
        };
        let place = format!("-Wl,--section-start=.bootloader={start}");
        let folder = compile(&source, &["-g", &format!("-mmcu={device}"), &place]);
        let options = ["--check", "none", "--invariant", "{seen == 0}"];
        check(device, folder.path(), &options, 1, "BOOTSZ");
    }
}

#[test]
fn runs_begin_where_a_boot_loader_does() {
    let source = format!(
        "{HEAD}int main(void) {{ seen = 1; if (PINB & 1) ((void (*)(void))0)(); PORTB = 1; for (;;); }}"
    );
    for (device, start) in [
        ("atmega16", "0x3e00"),
        ("atmega128", "0x1fc00"),
        ("atmega328p", "0x7e00"),
    ] {
        let place = format!("-Wl,--section-start=.text={start}");
        let folder = compile(&source, &["-g", &format!("-mmcu={device}"), &place]);
        check(device, folder.path(), &[], 0, "BOOTRST");
        check(
            device,
            folder.path(),
            &["--check", "none", "--invariant", "{PORTB == 0}"],
            1,
            "VIOLATED",
        );
        check(
            device,
            folder.path(),
            &["--reset-address", "0"],
            1,
            "outside-program",
        );
        check(
            device,
            folder.path(),
            &["--reset-address", "0x10"],
            3,
            "where runs can begin",
        );
        let command = ["stack", "a.elf"];
        expect(&command, folder.path(), 3, "boot section");
    }
    let folder = compile(&source, &["-Wl,--section-start=.text=0x1000"]);
    check("atmega16", folder.path(), &[], 3, "--reset-address");
}

#[test]
fn a_device_that_the_file_contradicts_is_refused() {
    let folder = compile("int main(void) { for (;;); }", &[]);
    check(
        "atmega16",
        folder.path(),
        &["--mcu", "atmega328p"],
        3,
        "built for atmega16",
    );
    check("atmega16", folder.path(), &["--mcu", "ATmega16"], 0, "HOLDS");
    check("atmega32", folder.path(), &[], 3, "built for atmega16");
}

#[test]
fn atoms_without_a_value_are_refused_or_unknown() {
    let source = "
        #include <stdint.h>
        struct { uint8_t a; } arr3[3];
        volatile uint8_t x, zero, index = 5, far = 20;
        uint8_t *volatile nowhere = (uint8_t *)0xFFF0;
        int main(void) { arr3[2].a = 1; x = arr3[0].a; for (;;); }";
    let folder = compile(source, &["-g"]);
    let invariant = |formula: &str, code, said: &str| {
        check(
            "atmega16",
            folder.path(),
            &["--check", "none", "--invariant", formula],
            code,
            said,
        );
    };
    for refused in ["{x / 0 == 0}", "{x % (1 - 1) == 0}"] {
        invariant(refused, 3, "divides by zero");
    }
    invariant("{arr3[5].a == 0}", 3, "outside the array");
    invariant("{arr3[-1].a == 0}", 3, "outside the array");
    invariant("{x << 16 == 0}", 3, "shifts");
    for open in [
        "{x / zero == 0}",
        "{arr3[index].a == 0}",
        "{*nowhere == *nowhere}",
        "{x >> far == 0}",
    ] {
        invariant(open, 2, "unknown");
    }
    invariant("{zero == 0 || x / zero == 0}", 0, "HOLDS");
    invariant("{index >= 3 || arr3[index].a == 0}", 0, "HOLDS");
    invariant("{x / 3 == 0 && x << 3 == 0 && arr3[2].a <= 1}", 0, "HOLDS");
}

#[test]
fn options_that_mean_nothing_for_firmware_are_refused() {
    let folder = compile("int main(void) { for (;;); }", &["-g"]);
    for options in [
        &["--check", "stack-overflow"][..],
        &["-DX=1"],
        &["-I."],
        &["-UX"],
        &["--std", "c99"],
        &["--include", "x.h"],
        &["--target", "avr"],
        &["--malloc-may-fail"],
        &["--list-loops"],
        &["--no-k-induction"],
        &["--no-lasso"],
        &["--solver", "z3"],
        &["--harness", "h.c"],
        &["--entry", "f"],
        &["--", "-O2"],
    ] {
        check("atmega16", folder.path(), options, 3, "firmware");
    }
    check(
        "atmega16",
        folder.path(),
        &["--list-properties"],
        0,
        "stack-overflow: the stack grows",
    );
    let both = [
        "--invariant",
        "fine: {PORTB == 0}",
        "--invariant",
        "other: {PORTB == 1}",
    ];
    let with = |property| [&both[..], &["--property", property]].concat();
    check("atmega16", folder.path(), &with("fine"), 0, "HOLDS: 1 property");
    check(
        "atmega16",
        folder.path(),
        &with("torn-access"),
        0,
        "HOLDS: 1 property",
    );
    check(
        "atmega16",
        folder.path(),
        &with("finer"),
        3,
        "did you mean 'fine'",
    );
    std::fs::write(folder.path().join("a.c"), "int main(void) { return 0; }").expect("a file");
    for option in [
        &["--eeprom", "image"][..],
        &["--data-end", "0x80"],
        &["--reset-address", "0"],
    ] {
        let command = [&["check", "a.c"], option].concat();
        expect(&command, folder.path(), 3, "is for firmware");
    }
}

#[test]
fn the_eeprom_holds_what_an_earlier_run_has_left() {
    let source = format!(
        "{HEAD}uint8_t EEMEM cfg = 42; volatile uint8_t v = 42;
        int main(void) {{ v = eeprom_read_byte(&cfg); if (v == 42) eeprom_write_byte(&cfg, 7); for (;;); }}"
    );
    for device in DEVICES {
        let folder = compile(&source, &["-g", &format!("-mmcu={device}")]);
        let invariant = ["--check", "none", "--invariant", "{v == 42}"];
        check(device, folder.path(), &invariant, 1, "VIOLATED");
        check(
            device,
            folder.path(),
            &["--check", "none", "--invariant", "{v <= 255}"],
            0,
            "--eeprom image",
        );
        let image = [&invariant[..], &["--eeprom", "image"]].concat();
        check(
            device,
            folder.path(),
            &image,
            0,
            "no earlier run has written to it",
        );
    }
    // What is read twice is the same both times.
    behaves(
        "uint8_t a = eeprom_read_byte((uint8_t *)3); uint8_t b = eeprom_read_byte((uint8_t *)3);
        if (a != b) bad = 1; if (a == 9) seen = 1;",
    );
}

#[test]
fn disabling_the_receiver_flushes_it() {
    behaves(
        "CONTROL = RECEIVE; while (!(SERIAL & RECEIVED)); CONTROL = 0;
        if (SERIAL & (RECEIVED | ERRORS)) bad = 1; else seen = 1;",
    );
    behaves("CONTROL = RECEIVE; CONTROL = 0; CONTROL = RECEIVE; if (SERIAL & RECEIVED) seen = 1;");
}

#[test]
fn protected_bits_change_within_their_timed_sequence_only() {
    let on = |body: &str| behaves_on("atmega328p", body);
    on("CLKPR = 3; if (CLKPR != 3) seen = 1;");
    on("CLKPR = 1 << CLKPCE; CLKPR = 2; if (CLKPR != 2) bad = 1;");
    on("CLKPR = 1 << CLKPCE | 3; CLKPR = 8; if (CLKPR == 8) bad = 1;");
    on("CLKPR = 1 << CLKPCE; CLKPR = 0; CLKPR = 2; if (CLKPR != 0) bad = 1;");
    on("WDTCSR = 7; if (WDTCSR & 0x2F) bad = 1;");
    on("WDTCSR = 1 << WDCE | 1 << WDE; WDTCSR = 5; if ((WDTCSR & 0x27) != 5) bad = 1;");
    on("MCUCR = 1 << IVSEL; if (MCUCR & (1 << IVSEL)) bad = 1;");
    on("MCUCR = 1 << BODS; if (MCUCR & (1 << BODS)) bad = 1;");
    // Too late: perhaps.
    on("CLKPR = 1 << CLKPCE; for (uint8_t i = 0; i < 3; i++) PORTB = i;
        CLKPR = 2; if (CLKPR != 2) seen = 1;");
    for device in ["atmega16", "atmega32"] {
        behaves_on(device, "GICR = 1 << IVSEL; if (GICR & (1 << IVSEL)) bad = 1;");
        behaves_on(device, "WDTCR = 7; if ((WDTCR & 7) != 7) bad = 1;");
    }
    behaves_on("atmega128", "WDTCR = 7; if (WDTCR & 7) bad = 1;");
    behaves_on("atmega128", "XDIV = 1; if (XDIV != 1) seen = 1;");
    for device in ["atmega16", "atmega32", "atmega128"] {
        behaves_on(
            device,
            "WDTCR = 1 << WDE; WDTCR = 0; if (!(WDTCR & (1 << WDE))) bad = 1;",
        );
        behaves_on(device, "MCUCSR = 1 << JTD; if (!(MCUCSR & (1 << JTD))) seen = 1;");
    }
}

#[test]
fn brown_out_detection_is_off_for_three_cycles_only() {
    let off = "MCUCR = 1 << BODS | 1 << BODSE; MCUCR = 1 << BODS;";
    let wait = "for (uint8_t i = 0; i < 5; i++) PORTB = i;";
    let on = |body: &str| behaves_on("atmega328p", body);
    on(&format!("{off} {wait} if (!(MCUCR & (1 << BODS))) seen = 1;"));
    on(
        "SPMCSR = 1 << SIGRD | 1 << SPMEN; for (uint8_t i = 0; i < 5; i++) PORTB = i;
        if (!(SPMCSR & (1 << SIGRD))) seen = 1;",
    );
}

/// How a byte of the EEPROM is written does not change while one is.
#[test]
fn the_mode_of_the_eeprom_stays_while_it_is_written() {
    let on = |body: &str| behaves_on("atmega328p", body);
    on("EECR = 1 << EEMPE; EECR |= 1 << EEPE; EECR = 1 << EEPM0;
        if (!(EECR & (1 << EEPM0))) seen = 1;");
    on("while (EECR & (1 << EEPE)); EECR = 1 << EEPM0; if (!(EECR & (1 << EEPM0))) bad = 1;");
}

/// LPM reads what the image says nothing of: fuses, lock bits, the signature row.
#[test]
fn fuses_and_the_signature_have_any_value() {
    behaves_on(
        "atmega328p",
        "uint8_t x = boot_signature_byte_get(0); if (x == 0x1E) seen = 1;",
    );
    behaves("uint8_t x = boot_lock_fuse_bits_get(GET_LOW_FUSE_BITS); if (x == 0xE1) seen = 1;");
    behaves_with(
        "atmega328p",
        "#include <avr/pgmspace.h>\nconst uint8_t table[] PROGMEM = {7};",
        "SPMCSR = 1 << BLBSET; if (pgm_read_byte(table) != 7) bad = 1;",
        &[],
    );
}

/// "Otherwise an interrupt can occur when the bits are changed."
#[test]
fn a_change_of_the_comparator_may_set_its_flag() {
    behaves("ACSR = 1 << ACD | 1 << ACI; if (ACSR & (1 << ACI)) seen = 1;");
    behaves(
        "ACSR = 1 << ACD | 1 << ACI; ACSR = 1 << ACD | 1 << ACI; uint8_t a = ACSR;
        ACSR = 1 << ACD | 1 << ACIS1; if (!(a & (1 << ACI)) && (ACSR & (1 << ACI))) seen = 1;",
    );
}

#[test]
fn a_conversion_has_ten_bits_and_a_flag_at_its_end() {
    behaves(
        "ADCSRA = 1 << ADEN | 1 << ADSC; while (ADCSRA & (1 << ADSC));
        if (!(ADCSRA & (1 << ADIF))) bad = 1; if (ADC > 1023) bad = 1; if (ADC == 1023) seen = 1;",
    );
    behaves(
        "ADMUX = 1 << ADLAR; ADCSRA = 1 << ADEN | 1 << ADSC; while (ADCSRA & (1 << ADSC));
        if (ADCL & 0x3F) bad = 1; if (ADCH == 0xFF) seen = 1;",
    );
    behaves("ADCSRA = 1 << ADEN; if (ADCSRA & (1 << ADIF)) bad = 1;");
    // The flag may be cleared before anything has looked at it.
    behaves(
        "ADCSRA = 1 << ADEN | 1 << ADSC; PORTB = 1; ADCSRA = 1 << ADEN | 1 << ADIF;
        uint8_t a = ADCSRA; if (!(a & (1 << ADSC)) && !(a & (1 << ADIF))) seen = 1;",
    );
    // A conversion may still run when the flag of the one before it is seen.
    for (device, automatic) in [
        ("atmega16", "ADATE"),
        ("atmega128", "ADFR"),
        ("atmega328p", "ADATE"),
    ] {
        behaves_on(
            device,
            &format!(
                "ADCSRA = 1 << ADEN | 1 << ADSC | 1 << {automatic}; PORTB = 1;
            ADCSRA = 1 << ADEN; uint8_t a = ADCSRA; if ((a & (1 << ADSC)) && (a & (1 << ADIF))) seen = 1;"
            ),
        );
    }
    // Falling asleep may begin one.
    for device in DEVICES {
        behaves_with(
            device,
            "EMPTY_INTERRUPT(TIMER0_OVF_vect)",
            "ADCSRA = 1 << ADEN; set_sleep_mode(SLEEP_MODE_ADC); sleep_enable(); WAKE; sei(); sleep_cpu();
            if (ADCSRA & (1 << ADIF)) seen = 1;",
            &[],
        );
    }
    // A conversion that is turned off sets none.
    behaves(
        "ADCSRA = 1 << ADEN | 1 << ADSC; ADCSRA = 0; ADCSRA = 1 << ADEN;
        uint8_t a = ADCSRA; if (a & (1 << ADSC)) bad = 1; if (!(a & (1 << ADIF))) seen = 1;",
    );
    for device in DEVICES {
        let handler = "ISR(ADC_vect) { if (ADCSRA & (1 << ADIF)) bad = 1; seen = 1; }";
        behaves_with(
            device,
            handler,
            "ADCSRA = 1 << ADEN | 1 << ADSC | 1 << ADIE; sei();",
            &[],
        );
    }
}

#[test]
fn a_master_has_a_flag_after_a_transfer_only() {
    let on = "DDRB = 0xFF; SPCR = 1 << SPE | 1 << MSTR;";
    behaves(&format!("{on} if (SPSR & (1 << SPIF)) bad = 1;"));
    behaves(&format!(
        "{on} SPDR = 5; while (!(SPSR & (1 << SPIF))); uint8_t x = SPDR; (void)x;
        if (SPSR & (1 << SPIF)) bad = 1; seen = 1;"
    ));
    behaves(&format!("{on} SPDR = 5; if (SPSR & (1 << SPIF)) seen = 1;"));
    behaves("SPCR = 1 << SPE; if (SPSR & (1 << SPIF)) seen = 1;");
    // Another master may select this one.
    behaves("SPCR = 1 << SPE | 1 << MSTR; if (SPSR & (1 << SPIF)) seen = 1;");
    behaves("SPCR = 1 << SPE | 1 << MSTR; if (!(SPCR & (1 << MSTR))) seen = 1;");
}

#[test]
fn a_reset_has_a_cause() {
    behaves(
        "uint8_t c = CAUSES; CAUSES = 0; if (!(c & 0x1F)) bad = 1; if (c == 1 << PORF) seen = 1;
        if (CAUSES & 0x1F) bad = 1;",
    );
    behaves("uint8_t c = CAUSES; if (!(c & (1 << PORF)) && (c & (1 << EXTRF))) seen = 1;");
    behaves_on("atmega328p", "if (CAUSES & (1 << WDRF)) bad = 1;");
    behaves_on("atmega328p", "if (CAUSES & (1 << WDRF)) seen = 1; wdt_enable(0);");
}

#[test]
fn the_eeprom_can_be_erased_or_written_alone() {
    let write = |mode: &str, value: &str| {
        format!(
            "while (EECR & (1 << EEPE)); EEAR = 5; EEDR = {value}; EECR = {mode};
            EECR |= 1 << EEMPE; EECR |= 1 << EEPE;"
        )
    };
    let read = "while (EECR & (1 << EEPE)); EECR |= 1 << EERE;";
    behaves_on(
        "atmega328p",
        &format!(
            "{} {read} if (EEDR != 0xFF) bad = 1;",
            write("1 << EEPM0", "0x3C")
        ),
    );
    let both = write("0", "0x3C") + &write("1 << EEPM1", "0x0F");
    behaves_on(
        "atmega328p",
        &format!("{both} {read} if (EEDR != 0x0C) bad = 1; else seen = 1;"),
    );
}

#[test]
fn the_watchdog_interrupts_once_before_it_resets() {
    let handler = "ISR(WDT_vect) { if (WDTCSR & (1 << WDIE)) bad = 1; seen = 1; }";
    let body = "WDTCSR = 1 << WDCE | 1 << WDE; WDTCSR = 1 << WDE | 1 << WDIE; sei();";
    behaves_with("atmega328p", handler, body, &[]);
    let handler = "ISR(WDT_vect) { if (!(WDTCSR & (1 << WDIE))) bad = 1; seen = 1; }";
    behaves_with("atmega328p", handler, "WDTCSR = 1 << WDIE; sei();", &[]);
}

/// What is set up, the letter of the port and the number of the pin that a peripheral then drives, or whose
/// input it turns off.
type Driven = (&'static str, char, u8);

/// These pins on every device.
const DRIVEN: [(&str, &[Driven]); 3] = [
    (
        "atmega16",
        &[
            ("TCCR0 = 1 << COM00 | 1", 'B', 3),
            ("TCCR1A = 1 << COM1A1", 'D', 5),
            ("TCCR1A = 1 << COM1B0", 'D', 4),
            ("TCCR2 = 1 << COM21", 'D', 7),
            ("UCSRB = 1 << RXEN", 'D', 0),
            ("UCSRB = 1 << TXEN", 'D', 1),
            // What is being sent is sent to its end.
            ("UCSRB = 1 << TXEN; UDR = 5; UCSRB = 0", 'D', 1),
            ("UCSRC = 1 << URSEL | 1 << UMSEL; UBRRH = 0", 'B', 0),
            ("ASSR = 1 << AS2", 'C', 6),
            ("ASSR = 1 << AS2", 'C', 7),
            ("TWCR = 1 << TWEN", 'C', 0),
            ("TWCR = 1 << TWEN", 'C', 1),
            ("SPCR = 1 << SPE", 'B', 4),
            ("SPCR = 1 << SPE", 'B', 5),
            ("SPCR = 1 << SPE", 'B', 6),
            ("SPCR = 1 << SPE", 'B', 7),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 5),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 6),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 7),
        ],
    ),
    (
        "atmega128",
        &[
            ("TCCR0 = 1 << COM00 | 1", 'B', 4),
            ("TCCR1A = 1 << COM1A0", 'B', 5),
            ("TCCR1A = 1 << COM1B1", 'B', 6),
            ("TCCR1A = 1 << COM1C0", 'B', 7),
            ("TCCR2 = 1 << COM21", 'B', 7),
            ("TCCR3A = 1 << COM3A0", 'E', 3),
            ("TCCR3A = 1 << COM3B1", 'E', 4),
            ("TCCR3A = 1 << COM3C0", 'E', 5),
            ("UCSR0B = 1 << RXEN0", 'E', 0),
            ("UCSR0B = 1 << TXEN0; UCSR0B = 0", 'E', 1),
            ("UCSR0C = 1 << UMSEL0", 'E', 2),
            ("UCSR1B = 1 << RXEN1", 'D', 2),
            ("UCSR1B = 1 << TXEN1", 'D', 3),
            ("UCSR1C = 1 << UMSEL1", 'D', 5),
            ("ASSR = 1 << AS0", 'G', 4),
            ("ASSR = 1 << AS0", 'G', 3),
            ("TWCR = 1 << TWEN", 'D', 0),
            ("TWCR = 1 << TWEN", 'D', 1),
            ("SPCR = 1 << SPE", 'B', 0),
            ("SPCR = 1 << SPE", 'B', 1),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 2),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 3),
            ("MCUCR = 1 << SRE", 'A', 0),
            ("MCUCR = 1 << SRE", 'A', 7),
            ("MCUCR = 1 << SRE", 'C', 0),
            ("MCUCR = 1 << SRE", 'G', 0),
            ("MCUCR = 1 << SRE", 'G', 2),
        ],
    ),
    (
        "atmega328p",
        &[
            ("TCCR0A = 1 << COM0A0; TCCR0B = 1", 'D', 6),
            ("TCCR0A = 1 << COM0B1", 'D', 5),
            ("TCCR1A = 1 << COM1A0", 'B', 1),
            ("TCCR1A = 1 << COM1B1", 'B', 2),
            ("TCCR2A = 1 << COM2A0", 'B', 3),
            ("TCCR2A = 1 << COM2B1", 'D', 3),
            ("UCSR0B = 1 << RXEN0", 'D', 0),
            ("UCSR0B = 1 << TXEN0; UCSR0B = 0", 'D', 1),
            ("UCSR0C = 1 << UMSEL00", 'D', 4),
            ("UCSR0C = 1 << UMSEL01", 'D', 4),
            ("TWCR = 1 << TWEN", 'C', 4),
            ("TWCR = 1 << TWEN", 'C', 5),
            ("SPCR = 1 << SPE", 'B', 2),
            ("SPCR = 1 << SPE", 'B', 4),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 3),
            ("SPCR = 1 << SPE | 1 << MSTR", 'B', 5),
            ("DIDR0 = 1 << ADC0D", 'C', 0),
            ("DIDR0 = 1 << ADC5D", 'C', 5),
            ("DIDR1 = 1 << AIN0D", 'D', 6),
            ("DIDR1 = 1 << AIN1D", 'D', 7),
        ],
    ),
];

#[test]
fn a_pin_that_a_peripheral_drives_has_any_level() {
    let nop = "__asm__ volatile(\"nop\");";
    for (device, rows) in DRIVEN {
        // The ATmega32 has the pins of the ATmega16.
        let same = ["atmega32"].into_iter().filter(|_| device == "atmega16");
        for device in same.chain([device]) {
            for (set_up, port, bit) in rows {
                let pin = format!("PIN{port} & (1 << {bit})");
                behaves_on(
                    device,
                    &format!(
                        "DDR{port} = 0xFF; PORT{port} = 1 << {bit}; {nop} {nop} if (!({pin})) bad = 1;
                        {set_up}; {nop} {nop} if (!({pin})) seen = 1;"
                    ),
                );
            }
        }
    }
}

#[test]
fn an_output_that_a_fuse_gives_away_has_any_level() {
    let nops = "__asm__ volatile(\"nop\"); __asm__ volatile(\"nop\");";
    for (device, port, bits) in [
        ("atmega16", 'C', 2..6),
        ("atmega32", 'C', 2..6),
        ("atmega128", 'F', 4..8),
        ("atmega328p", 'B', 6..8),
        ("atmega328p", 'B', 0..1),
        ("atmega328p", 'C', 6..7),
    ] {
        for bit in bits {
            let pin = format!("PIN{port} & (1 << {bit})");
            let output = format!("DDR{port} = 0xFF; PORT{port} = 1 << {bit}; {nops} if (!({pin})) seen = 1;");
            behaves_on(device, &output);
        }
    }
}

#[test]
fn a_pin_is_its_ports_again_when_the_peripheral_has_it_no_more() {
    let nops = "__asm__ volatile(\"nop\"); __asm__ volatile(\"nop\");";
    let body = |enable: &str, disable: &str, bit: u8| {
        format!(
            "DDRB = 0xFF; PORTB = 0; {enable}; {disable}; {nops} if (PINB & (1 << {bit})) bad = 1;
            {enable}; {disable}; if (PINB & (1 << {bit})) seen = 1;"
        )
    };
    for device in ["atmega16", "atmega32"] {
        behaves_on(device, &body("TCCR0 = 1 << COM00", "TCCR0 = 0", 3));
        // Bits that enable nothing at this pin.
        behaves_on(
            device,
            &format!("DDRD = 2; PORTD = 0; UCSRB = 1 << RXEN; {nops} if (PIND & 2) bad = 1;"),
        );
        behaves_on(
            device,
            &format!("DDRB = 1; PORTB = 0; UCSRC = 1 << URSEL | 6; {nops} if (PINB & 1) bad = 1;"),
        );
    }
    behaves_on("atmega128", &body("TCCR0 = 1 << COM00", "TCCR0 = 0", 4));
    behaves_on("atmega328p", &body("TCCR2A = 1 << COM2A0", "TCCR2A = 0", 3));
    behaves(&format!(
        "DDRB = 0xFF; PORTB = 0; SPCR = 1 << SPE | 1 << MSTR; {nops} if (PINB & (1 << SS_PIN)) bad = 1;"
    ));
}

#[test]
fn a_constraint_is_about_inputs_only() {
    for (device, timer, pin) in [
        ("atmega16", "TCCR0 = 1 << COM00", 3),
        ("atmega32", "TCCR0 = 1 << COM00", 3),
        ("atmega128", "TCCR0 = 1 << COM00", 4),
        ("atmega328p", "TCCR2A = 1 << COM2A0", 3),
    ] {
        let constraint = ["--constraint", "(PINB & 0x18) == 0"];
        let read = format!("{timer}; uint8_t b = PINB; if (b & 0x18 & ~(1 << {pin})) bad = 1;");
        // The timer puts out what it likes, and an input is what the environment says.
        let output = format!("DDRB = 1 << {pin}; PORTB = 0; {read} if (b & (1 << {pin})) seen = 1;");
        behaves_with(device, "", &output, &constraint);
        let input = format!("{read} if (b & (1 << {pin})) bad = 1;");
        behaves_with(device, "", &input, &constraint);
    }
    let constraint = ["--constraint", "(PIND & 1) == 0"];
    for device in ["atmega16", "atmega32"] {
        let receive = "UCSRB = 1 << RXEN; if (PIND & 1) bad = 1;";
        behaves_with(device, "", receive, &constraint);
        let bus = "TWCR = 1 << TWEN; if (PINC & 1) seen = 1;";
        behaves_with(device, "", bus, &["--constraint", "(PINC & 1) == 0"]);
    }
}

#[test]
fn what_a_peripheral_drives_interrupts() {
    let interrupts = |device: &str, vector: &str, body: &str| {
        let handler = format!("ISR({vector}) {{ seen = 1; }}");
        behaves_with(device, &handler, &format!("{body} sei();"), &[]);
    };
    let output = "DDRD = 8; PORTD = 8; EIMSK = 0; TCCR2A = 1 << COM2B0;";
    for sense in 0..4 {
        let body = format!("{output} EICRA = {sense} << ISC10; EIFR = 2; EIMSK = 2;");
        interrupts("atmega328p", "INT1_vect", &body);
    }
    let change = "PCMSK2 = 8; PCIFR = 4; PCICR = 4;";
    interrupts("atmega328p", "PCINT2_vect", &format!("{output} {change}"));
    let handler = "ISR(PCINT2_vect) { bad = 1; }";
    let quiet = format!("DDRD = 8; PORTD = 8; {change} sei();");
    behaves_with("atmega328p", handler, &quiet, &[]);
    for (vector, body) in [
        (
            "INT4_vect",
            "DDRE = 16; TCCR3A = 1 << COM3B0; EICRB = 2; EIFR = 16; EIMSK = 16;",
        ),
        (
            "INT3_vect",
            "DDRD = 8; UCSR1B = 1 << TXEN1; EICRA = 2 << 6; EIFR = 8; EIMSK = 8;",
        ),
        ("INT0_vect", "DDRD = 1; PORTD = 1; TWCR = 1 << TWEN; EIMSK = 1;"),
    ] {
        interrupts("atmega128", vector, body);
    }
}
