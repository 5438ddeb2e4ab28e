//! Atoms that say where a firmware is, what it read and what hardware did, held against old ways to say it.

mod common;

use std::path::Path;

use common::{compile, expect, kripke, text};

/// A lamp follows a button; a handler counts with the help of a function; a timer's flag is polled.
const LAMP: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
volatile uint8_t pressed, handling, helped, overflow;
void (*volatile callback)(void);
void blink(void) { PORTB ^= 4; }
__attribute__((noinline)) void helper(void) { helped = 1; helped = 0; }
ISR(INT0_vect) {
    handling = 1;
    helper();
    handling = 0;
}
int main(void) {
    DDRB = 0x07;
    MCUCR = 2;
    GICR = 1 << INT0;
    TCCR0 = 1;
    callback = blink;
    sei();
    for (;;) {
        pressed = PINA & 1;
        if (pressed) PORTB |= 1; else PORTB &= ~1;
        overflow = TIFR & 1;
        if (overflow) TIFR = 1;
    }
}
";

fn check(folder: &Path, formula: [&str; 2], code: i32) {
    let option = ["check", "a.elf", "--check", "none", formula[0], formula[1]];
    expect(
        &option,
        folder,
        code,
        if code == 0 { "HOLDS" } else { "violated" },
    );
}

#[test]
fn where_the_program_is() {
    let folder = compile(LAMP, &["-g"]);
    let folder = folder.path();
    check(folder, ["--invariant", "{!at(blink) && !in(blink)}"], 0);
    check(folder, ["--ctl", "EF {at(helper)}"], 0);
    check(folder, ["--invariant", "{!in(helper) || in(INT0_vect)}"], 0);
    check(folder, ["--invariant", "{!in(helper) || !in(__vector_1)}"], 1);
    check(folder, ["--invariant", "{!helped || in(helper) && !in(main)}"], 0);
    check(folder, ["--ctl", "AG ({at(helper)} -> AF {!in(INT0)})"], 0);
    check(
        folder,
        ["--ltl", "F {PC == main} & G ({at(a.c:21)} -> {DDRB == 7})"],
        0,
    );
    check(folder, ["--invariant", "{callback != blink}"], 1);
    check(folder, ["--ctl", "AF AG {callback == blink}"], 0);
    let options = [
        "check",
        "a.elf",
        "--never",
        "INT0_vect",
        "--invariant",
        "{!in(INT0_vect)}",
    ];
    expect(&options, folder, 0, "INT0 never comes");
}

/// A handler is active just while it says so itself, but for its entry and its end.
#[test]
fn a_handler_is_active_from_its_entry_to_its_return() {
    let folder = compile(LAMP, &["-g"]);
    let folder = folder.path();
    check(folder, ["--invariant", "{!handling || in(INT0_vect)}"], 0);
    check(folder, ["--invariant", "{handling || !in(INT0_vect)}"], 1);
    check(
        folder,
        [
            "--ctl",
            "AG !E[{!handling && in(INT0)} U {handling && !in(INT0)}]",
        ],
        0,
    );
    check(folder, ["--invariant", "{!(in(INT0) && (SREG & 0x80))}"], 0);
    check(folder, ["--invariant", "{!(in(INT0) && SREG.I)}"], 0);
}

/// What the program last read of a pin, it copies to a variable.
#[test]
fn an_input_is_what_was_last_read() {
    let folder = compile(LAMP, &["-g"]);
    let folder = folder.path();
    let run = |formula: String, options: &[&str], code: i32| {
        let common = [
            "check", "a.elf", "--check", "none", "--never", "INT0", "--ltl", &formula,
        ];
        let arguments = [&common[..], options].concat();
        let output = kripke(&arguments, folder);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            text(&output)
        );
    };
    for (atoms, code) in [(["pressed", "PINA & 1"], 0), (["!pressed", "!PINA.PA0"], 1)] {
        for atom in atoms {
            let lit = format!("G ({{{atom} && at(a.c:23)}} -> {{PORTB & 1}})");
            for options in [&[][..], &["--nondeterminism", "immediate"], &["--no-lazy-stack"]] {
                run(lit.clone(), options, code);
            }
            run(format!("G F {{{atom}}} -> G F {{PORTB & 1}}"), &[], code);
        }
    }
}

#[test]
fn a_flag_is_set_before_it_is_read() {
    let folder = compile(LAMP, &["-g"]);
    let folder = folder.path();
    let run = |formula: &str, code: i32| {
        for mode in ["delayed", "immediate"] {
            let common = ["check", "a.elf", "--check", "none", "--never", "INT0"];
            let options = ["--nondeterminism", mode, "--ltl", formula];
            let output = kripke(&[&common[..], &options].concat(), folder);
            assert_eq!(output.status.code(), Some(code), "{formula}: {}", text(&output));
        }
    };
    run("G ({TIFR.TOV0} -> F {overflow})", 0);
    run("G ({overflow && at(a.c:24)} -> {TIFR & 1})", 0);
    run("G ({!overflow && at(a.c:24)} -> {!(TIFR & 1)})", 1);
    run("F {TIFR.TOV0}", 1);
    run("G F {TIFR.TOV0} -> G F {overflow}", 0);
}

#[test]
fn traps_and_errors_are_told() {
    let folder = compile(LAMP, &["-g"]);
    let folder = folder.path();
    let run = |atom: &str, code, said: &str| {
        expect(
            &["check", "a.elf", "--check", "none", "--invariant", atom],
            folder,
            code,
            said,
        );
    };
    run("{PORTB & 8 == 0}", 1, "warning: in {PORTB & 8 == 0}: as in C");
    run(
        "{in(helpr)}",
        3,
        "column 4: there is no function or interrupt `helpr`; did you mean helper?",
    );
    run("{at(a.c:999)}", 3, "there is no code for a.c:999");
    run("{UDR == 1}", 3, "changes at any moment");
    let never = ["check", "a.elf", "--never", "INTO_vect"];
    expect(
        &never,
        folder,
        3,
        "no interrupt 'INTO_vect'; did you mean 'INT0'?",
    );
}

/// A received byte, a conversion and a timer's flag.
const INPUTS: &str = "
#include <avr/io.h>
volatile uint8_t got, high, matched;
int main(void) {
    UCSRB = 1 << RXEN;
    ADCSRA = 1 << ADEN;
    TCCR0 = 1;
    for (;;) {
        if (UCSRA & (1 << RXC)) got = UDR;
        high = ADCH;
        if (TIFR & 2) matched = 1;
    }
}
";

#[test]
fn a_constraint_narrows_every_input() {
    let folder = compile(INPUTS, &["-g"]);
    let run = |constraint: &str, invariant: &str, code: i32| {
        let options = [
            "--check",
            "none",
            "--constraint",
            constraint,
            "--invariant",
            invariant,
        ];
        let said = if code == 0 { "HOLDS" } else { "violated" };
        expect(
            &[&["check", "a.elf"], &options[..]].concat(),
            folder.path(),
            code,
            said,
        );
    };
    run("UDR < 128", "{got < 128}", 0);
    run("UDR == 7 || UDR == 12", "{got == 0 || got == 7 || got == 12}", 0);
    run("UDR == 7 || UDR == 12", "{got != 12}", 1);
    run("ADCH <= 1", "{high <= 1}", 0);
    run("ADCH <= 1", "{high < 1}", 1);
    run("TIFR.OCF0 == 0", "{!matched}", 0);
    run("!(TIFR & 1)", "{!matched}", 1);
    for (constraint, said) in [
        ("PORTB == 0", "PORTB is no input"),
        ("got == 0", "got is no input"),
        ("ADC < 512", "is about two registers"),
        ("TIFR.TOV0 == 1", "a timer's are 0 ('TIFR.0 == 0')"),
        ("ADCSRA.ADIF == 0", "a timer's are 0; --never"),
        ("UDR & 1 == 2", "no input satisfies `UDR & 1 == 2`; as in C"),
    ] {
        let options = [
            "check",
            "a.elf",
            "--constraint",
            constraint,
            "--invariant",
            "{true}",
        ];
        expect(&options, folder.path(), 3, said);
    }
}

/// Two bytes are written one after the other, and a handler comes in between.
const WIDE: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
volatile uint16_t total;
volatile uint8_t ticks;
ISR(INT0_vect) {
    ticks = 1;
    ticks = 0;
}
int main(void) {
    MCUCR = 2;
    GICR = 1 << INT0;
    sei();
    for (;;) {
        total = 0x00FF;
        total = 0x0100;
    }
}
";

#[test]
fn an_invariant_is_judged_between_statements() {
    let whole = "{total == 0 || total == 0xFF || total == 0x100}";
    for debug in ["-g", "-gdwarf-2"] {
        let folder = compile(WIDE, &[debug]);
        let run = |options: &[&str], code: i32, said: &str| {
            let common = ["check", "a.elf", "--check", "none"];
            expect(&[&common[..], options].concat(), folder.path(), code, said);
        };
        run(&["--invariant", whole], 1, "violated");
        let said = "where statements of C begin";
        run(&["--at", "statements", "--invariant", whole], 0, said);
        run(
            &["--at", "statements", "--invariant", "{total != 0x100}"],
            1,
            said,
        );
        run(
            &["--at", "statements", "--invariant", "{!ticks || total != 0x100}"],
            1,
            said,
        );
        run(
            &["--at", "statements", "--ltl", "{true}"],
            3,
            "is about invariants",
        );
    }
    let folder = compile(WIDE, &[]);
    let options = [
        "check",
        "a.elf",
        "--at",
        "statements",
        "--invariant",
        "{PORTB == 0}",
    ];
    expect(
        &options,
        folder.path(),
        3,
        "has no line information; compile with -g",
    );
}
