//! What reductions of firmware must not leave out, and what they must.

mod common;

use std::path::Path;

use common::compile;

fn expect(arguments: &[&str], folder: &Path, code: i32, said: &str) {
    common::expect(&[&["check"], arguments].concat(), folder, code, said);
}

/// An atom over what a handler changes and over what the program changes: neither of them changes it alone.
#[test]
fn handlers_come_before_what_an_atom_names_is_changed() {
    let source = |body: &str| {
        format!(
            "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile unsigned char x, y;\n\
             ISR(INT0_vect) {{ y = 1; }}\nint main(void) {{ GICR = 1 << INT0; sei(); {body} for (;;); }}\n"
        )
    };
    let folder = compile(&source("x = 1;"), &["-g"]);
    let check = |folder: &Path, form: &str, formula: &str, code: i32| {
        expect(
            &["a.elf", "--check", "none", form, formula],
            folder,
            code,
            "1 property",
        );
    };
    check(folder.path(), "--invariant", "{!(y && !x)}", 1);
    let folder = compile(&source("x = 1; x = 0;"), &["-g"]);
    check(folder.path(), "--ctl", "AG !{x == 1 && y == 1}", 1);
    check(folder.path(), "--ltl", "G !{x == 1 && y == 1}", 1);
    check(folder.path(), "--ctl", "EF {x == 1 && y == 1}", 0);
    check(folder.path(), "--invariant", "{x <= 1 && y <= 1}", 0);
}

/// A delay loop of millions of rounds is passed, whatever interrupts count meanwhile.
#[test]
fn delays_and_free_counters_are_passed() {
    let source = "#define F_CPU 16000000UL\n#include <avr/io.h>\n#include <avr/interrupt.h>\n\
                  #include <util/delay.h>\n#include <stdint.h>\nvolatile uint32_t ticks;\n\
                  ISR(TIMER0_OVF_vect) { ticks++; }\n\
                  int main(void) { DDRB = 1; TCCR0 = 3; TIMSK = 1 << TOIE0; sei();\n\
                  for (;;) { PORTB ^= 1; _delay_ms(500); } }\n";
    let folder = compile(source, &["-g", "-Os"]);
    expect(&["a.elf", "--timeout", "60s"], folder.path(), 0, "10 hold");
    let wrong = ["a.elf", "--check", "none", "--invariant", "{PORTB <= 1}"];
    expect(&wrong, folder.path(), 0, "1 hold");
}
