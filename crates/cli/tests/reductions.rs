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

/// Several handlers may come while instructions are passed that do not notice them, one between each two.
#[test]
fn handlers_wait_for_one_instruction_each() {
    let source = "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile unsigned char n, seen;\n\
                  ISR(INT0_vect) { n++; }\n\
                  int main(void) { GICR = 1 << INT0; MCUCR = 2; sei();\n\
                  for (;;) { n = 0; __asm__ volatile(\"nop\"); cli(); seen = n; sei(); } }\n";
    let folder = compile(source, &["-g"]);
    let check = |form: &str, formula: &str, code: i32| {
        let arguments = ["a.elf", "--check", "none", form, formula];
        expect(&arguments, folder.path(), code, "1 property");
    };
    check("--invariant", "{seen < 2}", 1);
    check("--invariant", "{seen < 3}", 0);
    check("--ltl", "G {seen < 2}", 1);
    check("--ltl", "G {seen < 3}", 0);
    check("--ctl", "EF {seen == 2}", 0);
    check("--ctl", "EF {seen == 3}", 1);
    // The main program goes on between handlers.
    check("--ltl", "G F {n == 0}", 0);
}

/// Where it has come is what such a handler notes: how deep the stack is, or the address that it returns to.
#[test]
fn handlers_that_see_where_they_come() {
    let head = "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile unsigned int last;\n";
    let check = |source: &str, reached: &[&str], not: &str| {
        let folder = compile(&(head.to_owned() + source), &["-g"]);
        let all: Vec<String> = reached.iter().map(|value| format!("{{{value}}}")).collect();
        let mut arguments = vec!["a.elf", "--check", "none"];
        all.iter()
            .for_each(|text| arguments.extend(["--invariant", text]));
        let violated = match reached.len() {
            1 => "1 violated".to_owned(),
            count => format!("{count} properties: {count} violated"),
        };
        expect(&arguments, folder.path(), 1, &violated);
        expect(
            &["a.elf", "--check", "none", "--invariant", not],
            folder.path(),
            0,
            "1 hold",
        );
    };
    let depth = "ISR(INT0_vect) { last = SP; }\n\
                 int main(void) { GICR = 1 << INT0; MCUCR = 2; sei();\n\
                 for (;;) __asm__ volatile(\"push r0\\n push r0\\n push r0\\n\"\n\
                 \"pop r0\\n pop r0\\n pop r0\"); }\n";
    let depths = ["last != 1107", "last != 1108", "last != 1109", "last != 1110"];
    check(depth, &depths, "{last != 1106}");
    let place = "ISR(INT0_vect, ISR_NAKED) { __asm__ volatile(\"push r24\\n push r28\\n push r29\\n\"\n\
                 \"in r28,0x3d\\n in r29,0x3e\\n ldd r24,Y+5\\n sts last,r24\\n\"\n\
                 \"pop r29\\n pop r28\\n pop r24\\n reti\"); }\n\
                 int main(void) { GICR = 1 << INT0; MCUCR = 2; sei();\n\
                 for (;;) __asm__ volatile(\"nop\\n nop\\n nop\"); }\n";
    let places = ["last != 80", "last != 81", "last != 82"];
    check(place, &places, "{last < 84}");
}

/// What ELPM reads depends on a register that a handler may leave changed.
#[test]
fn handlers_that_extend_addresses() {
    let source = "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile unsigned char read;\n\
                  ISR(INT0_vect, ISR_NAKED) { __asm__ volatile(\"push r24\\n ldi r24,1\\n out 0x3b,r24\\n\"\n\
                  \"pop r24\\n reti\"); }\n\
                  int main(void) { EIMSK = 1 << INT0; EICRA = 2; sei(); for (;;) { unsigned char value;\n\
                  __asm__ volatile(\"ldi r30,0\\n ldi r31,0\\n out 0x3b,__zero_reg__\\n nop\\n elpm %0,Z\"\n\
                  : \"=r\"(value) :: \"r30\", \"r31\"); read = value; } }\n";
    let folder = compile(source, &["-g", "-mmcu=atmega1284p"]);
    let arguments = ["a.elf", "--check", "none", "--invariant", "{read != 0xFF}"];
    expect(&arguments, folder.path(), 1, "1 violated");
}

/// A loop that looks as if it counted to 0: DEC leaves the carry alone.
#[test]
fn loops_that_do_not_count() {
    let source = "#include <avr/io.h>\nvolatile unsigned char done;\n\
                  int main(void) { __asm__ volatile(\"clc\\n ldi r24,5\\n ldi r25,3\\n\"\n\
                  \"1: dec r24\\n sbci r25,0\\n brne 1b\" ::: \"r24\", \"r25\"); done = 1; for (;;); }\n";
    let folder = compile(source, &["-g"]);
    let check = |formula: &str, code: i32| {
        let arguments = ["a.elf", "--check", "none", "--ltl", formula];
        expect(&arguments, folder.path(), code, "1 property");
    };
    check("F {done}", 1);
    check("G !{done}", 0);
}
