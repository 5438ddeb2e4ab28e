//! Behind a fault nothing is defined: what rests on it is *unknown* where nobody checks the fault, and what
//! was settled before it stays as it is.

mod common;

use common::{compile, expect, kripke, text};

/// Calls itself until the stack has gone through all of memory.
const RECURSION: &str = "
#include <avr/io.h>
__attribute__((noinline, noclone)) static uint8_t sum(uint8_t n) {
    if (n == 0 - 1) return 0;
    uint8_t below = sum(n - 1);
    __asm__ volatile(\"\" : \"+r\"(below));
    return n + below;
}
int main(void) {
    DDRB = 0xff;
    for (;;) PORTB = sum(PINC & 7);
}
";

/// Executes what is no instruction where an input is high, and lets a LED blink otherwise.
const SOMETIMES: &str = "
#include <avr/io.h>
int main(void) {
    DDRB = 1;
    for (;;) {
        if (PINC & 1) __asm__ volatile(\".word 0xFFFF\");
        PORTB = 1;
        if (PINC & 2) PORTB = 0;
    }
}
";

/// Says which fault, where and what to do, and ends with code 2.
fn unknown(folder: &std::path::Path, options: &[&str], said: &[&str]) {
    let arguments = [&["check", "a.elf", "--memory-limit", "2GB"], options].concat();
    let output = kripke(&arguments, folder);
    let all = text(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {all}");
    for said in said {
        assert!(all.contains(said), "{arguments:?}: expected `{said}` in\n{all}");
    }
}

#[test]
fn no_abstraction_hides_an_unchecked_fault() {
    let folder = compile(SOMETIMES, &["-g"]);
    for mode in [
        &["--nondeterminism", "immediate"][..],
        &["--nondeterminism", "delayed"],
        &["--no-lazy-stack"],
        &["--lazy-interrupts"],
    ] {
        for formula in [
            ["--invariant", "{DDRB <= 1}"],
            ["--ctl", "AG {DDRB <= 1}"],
            ["--ltl", "G {DDRB <= 1}"],
        ] {
            let options = [&["--check", "none"], mode, &formula[..]].concat();
            unknown(folder.path(), &options, &["undefined-instruction: leave out"]);
        }
    }
}

#[test]
fn what_holds_up_to_an_unchecked_fault_is_unknown() {
    let folder = compile(RECURSION, &["-g"]);
    let said = [
        "the stack grows into static data, which no enabled property checks (stack-overflow: leave out \
         --check none) at",
        "a.c:3",
    ];
    for formula in [
        ["--invariant", "{PORTB <= 28}"],
        ["--ctl", "AG {PORTB <= 28}"],
        ["--ctl", "AG EF {PORTB == 0}"],
        ["--ctl", "EF {PORTB == 1}"],
        ["--ctl", "AF {PORTB == 1}"],
        ["--ctl", "A[{PORTB == 0} U {PORTB == 1}]"],
        ["--ctl", "EG {PORTB <= 28}"],
        ["--ltl", "G {PORTB <= 28}"],
        ["--ltl", "F {PORTB == 1}"],
        ["--ltl", "G F {PORTB == 0}"],
    ] {
        unknown(
            folder.path(),
            &[&["--check", "none"], &formula[..]].concat(),
            &said,
        );
    }
    let selected = ["--property", "invariant.1", "--invariant", "{PORTB <= 28}"];
    unknown(
        folder.path(),
        &selected,
        &["--property stack-overflow checks it too"],
    );
    // A fault is a property, too.
    unknown(folder.path(), &["--property", "reserved-write"], &["stack grows"]);
    unknown(folder.path(), &["--property", "torn-access"], &["stack grows"]);
    // So it is for a file without debug information: the place is the instruction's.
    let bare = compile(RECURSION, &[]);
    let formula = ["--check", "none", "--invariant", "{PORTB <= 28}"];
    unknown(bare.path(), &formula, &["stack grows", "a.elf"]);
}

#[test]
fn what_was_settled_before_a_fault_stays() {
    let folder = compile(RECURSION, &["-g"]);
    for (formula, code) in [
        (["--invariant", "{DDRB == 0}"], 1),
        (["--ctl", "AG {DDRB == 0}"], 1),
        (["--ctl", "EF {DDRB == 255}"], 0),
        (["--ctl", "AF {DDRB == 255}"], 0),
        (["--ctl", "A[{PORTB <= 28} U {DDRB == 255}]"], 0),
        (["--ltl", "F {DDRB == 255}"], 0),
        (["--ltl", "{PORTB <= 28} U {DDRB == 255}"], 0),
        (["--ltl", "F ({DDRB == 255} && F {PORTB == 1})"], 2),
        (["--ltl", "G {DDRB == 0}"], 1),
        (["--ltl", "{DDRB == 255}"], 1),
    ] {
        let arguments = [&["check", "a.elf", "--check", "none"], &formula[..]].concat();
        expect(&arguments, folder.path(), code, "1 property");
    }
}

/// Before `main` a formula has nothing to say.
#[test]
fn an_end_before_the_formula_begins_counts() {
    let source = "
        #include <avr/io.h>
        __attribute__((naked, used, section(\".init3\"))) static void early(void) {
            __asm__ volatile(\"sbic 0x13, 0\\n.word 0xFFFF\");
        }
        int main(void) { DDRB = 1; for (;;); }
    ";
    let folder = compile(source, &["-g"]);
    for formula in [
        ["--invariant", "{DDRB <= 1}"],
        ["--ctl", "AF {DDRB == 1}"],
        ["--ctl", "EF {DDRB == 1}"],
        ["--ltl", "F {DDRB == 1}"],
    ] {
        let options = [&["--check", "none"], &formula[..]].concat();
        unknown(folder.path(), &options, &["undefined-instruction: leave out"]);
    }
}

#[test]
fn a_violation_on_another_run_is_found_beside_an_end() {
    let folder = compile(SOMETIMES, &["-g"]);
    for formula in [
        ["--ltl", "F G {PORTB == 1}"],
        ["--ltl", "G F {PORTB == 0}"],
        ["--ctl", "AG {PORTB == 0}"],
    ] {
        let arguments = [&["check", "a.elf", "--check", "none"], &formula[..]].concat();
        expect(&arguments, folder.path(), 1, "1 violated");
    }
    let unsettled = ["--check", "none", "--ltl", "F {PORTB == 1}"];
    unknown(
        folder.path(),
        &unsettled,
        &["undefined-instruction: leave out", "a.c:6"],
    );
}

/// Formulas hold up to a fault that is checked, as for C programs; that is reported.
#[test]
fn what_holds_up_to_a_checked_fault_holds() {
    let folder = compile(RECURSION, &["-g"]);
    for formula in [
        ["--invariant", "{PORTB <= 28}"],
        ["--ctl", "AG {PORTB <= 28}"],
        ["--ltl", "G {PORTB <= 28}"],
        ["--ltl", "F {PORTB == 1}"],
    ] {
        let arguments = [&["check", "a.elf"], &formula[..]].concat();
        expect(&arguments, folder.path(), 1, "1 violated, 10 hold");
    }
    // What follows the fault is not known to be bad, either.
    let existential = ["check", "a.elf", "--ctl", "EF {PORTB == 1}"];
    expect(
        &existential,
        folder.path(),
        1,
        "which stack-overflow reports; what follows is not defined at",
    );
}

#[test]
fn an_end_that_only_the_abstraction_has_is_none() {
    let source = "
        #include <avr/io.h>
        volatile uint8_t a, b;
        int main(void) {
            a = PINC;
            b = a;
            if ((a & 1) != (b & 1)) __asm__ volatile(\".word 0xFFFF\");
            DDRB = 1;
            for (;;);
        }
    ";
    let folder = compile(source, &["-g"]);
    for formula in [
        ["--invariant", "{DDRB <= 1}"],
        ["--ctl", "AG {DDRB <= 1}"],
        ["--ctl", "AF {DDRB == 1}"],
        ["--ltl", "F {DDRB == 1}"],
    ] {
        let arguments = [&["check", "a.elf", "--check", "none"], &formula[..]].concat();
        expect(&arguments, folder.path(), 0, "HOLDS");
    }
}

/// Where nothing is, a write may do anything.
#[test]
fn a_lost_write_is_no_proof() {
    for (device, at, fault) in [
        ("atmega16", "0x2000", "outside-memory"),
        ("atmega328p", "0x20", "reserved-write"),
    ] {
        let source = format!(
            "#include <avr/io.h>
            int main(void) {{ *(volatile uint8_t *){at} = 1; PORTB = 1; for (;;); }}"
        );
        let folder = compile(&source, &["-g", &format!("-mmcu={device}")]);
        let said = format!("({fault}: leave out --check none)");
        for formula in [
            ["--invariant", "{DDRB == 0}"],
            ["--ctl", "AG {DDRB == 0}"],
            ["--ctl", "EF {PORTB == 1}"],
            ["--ltl", "G {DDRB == 0}"],
        ] {
            unknown(
                folder.path(),
                &[&["--check", "none"], &formula[..]].concat(),
                &[&said],
            );
        }
    }
}

#[test]
fn projects_and_json_say_so_too() {
    let folder = compile(RECURSION, &["-g"]);
    let project = "
        [[program]]
        name = \"recursion\"
        firmware = \"a.elf\"
        check = \"none\"

        [[program.property]]
        name = \"limit\"
        invariant = \"{PORTB <= 28}\"
        expected = \"holds\"
    ";
    std::fs::write(folder.path().join("kripke.toml"), project).expect("a file");
    expect(&["check", "kripke.toml"], folder.path(), 1, "unknown");
    let json = ["check", "a.elf", "--check", "none", "--json", "out.json"];
    let formula = ["--invariant", "{PORTB <= 28}"];
    expect(&[&json[..], &formula].concat(), folder.path(), 2, "UNKNOWN");
    let written = std::fs::read_to_string(folder.path().join("out.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    let result = &report["results"][0];
    assert_eq!(result["verdict"], "unknown", "{written}");
    assert_eq!(result["reason"]["kind"], "unsupported", "{written}");
    let place = result["reason"]["place"].as_str().unwrap_or_default();
    assert!(place.ends_with("a.c:3"), "{written}");
}
