//! *Unknown* of firmware says what there are too many states of, and a search says how far it is.

mod common;

use std::process::{Command, Stdio};
use std::time::Duration;

use common::{compile, expect, kripke};

fn program(variables: &str, handler: &str, setup: &str, body: &str) -> String {
    format!(
        "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile {variables};\n{handler}\n\
         int main(void) {{\n{setup}\nfor (;;) {{\n{body}\n}}\n}}\n"
    )
}

/// With what would leave out most of the states, these programs hold at once.
const ALL_STATES: [&str; 3] = ["--no-path-reduction", "--no-abstract-values", "--no-widening"];

/// Stops after so many states, and says all this.
fn check(source: &str, states: &str, options: &[&str], said: &[&str]) {
    let folder = compile(source, &["-g"]);
    let common = ["check", "a.elf", "--check", "none", "--max-states", states];
    let property = ["--invariant", "{PORTC == 0}"];
    for said in said {
        let arguments = [&common[..], &property, &ALL_STATES, options].concat();
        expect(&arguments, folder.path(), 2, said);
    }
}

#[test]
fn a_delay_loop_is_one() {
    let delay = "uint16_t n = 60000; do __asm__ volatile(\"\"); while (--n);";
    let source = program("uint8_t x", "", "DDRB = 1;", &format!("PORTB ^= 1;\n{delay}"));
    let said = ["the loop at", "only counts", "-DF_CPU=1000UL", "a.c:9"];
    check(&source, "20000", &[], &said);
}

#[test]
fn a_counter_is_named() {
    let handler = "ISR(TIMER0_OVF_vect) { t++; }";
    let source = program("uint32_t t", handler, "TCCR0 = 1; TIMSK = 1; sei();", "");
    let said = ["t has as many values as a counter", "values: ", "a.c:4"];
    check(&source, "200000", &[], &said);
    let folder = compile(&source, &["-g"]);
    let common = [
        "check",
        "a.elf",
        "--check",
        "none",
        "--max-states",
        "20000",
        "--json",
        "-",
    ];
    let output = kripke(
        &[&common[..], &ALL_STATES, &["--invariant", "{PORTC == 0}"]].concat(),
        folder.path(),
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let explosion = &report["results"][0]["open"]["explosion"];
    assert_eq!(explosion["states"], 20001);
    let values = explosion["values"].as_array().expect("values");
    assert!(values.iter().any(|many| many["name"] == "t"), "{explosion}");
    assert!(
        explosion["lines"][0]["percent"].as_u64() > Some(50),
        "{explosion}"
    );
}

#[test]
fn an_input_that_is_enumerated_is_named() {
    let source = program("uint16_t sum", "", "", "sum += PINA * 3;");
    check(
        &source,
        "20000",
        &[],
        &["get", "its values one by one", "at a.c:8", "--constraint"],
    );
    let read = [
        "PINA gets its values one by one",
        "256 successors",
        "--nondeterminism delayed",
    ];
    check(&source, "20000", &["--nondeterminism", "immediate"], &read);
}

#[test]
fn nested_handlers_and_buffers_are_named() {
    let handler = "ISR(INT0_vect) { sei(); x++; }";
    let setup = "MCUCR = 2; GICR = 1 << INT0; sei();";
    let nested = program("uint16_t x", handler, setup, "");
    check(
        &nested,
        "20000",
        &[],
        &["the handler of INT0 lets other interrupts come", "--nesting 2"],
    );
    let body = "data[i] = PINA; if (++i == 6) i = 0; if (data[2] == 3) PORTB = 1;";
    let buffer = program("uint8_t data[6], i", "", "", body);
    check(&buffer, "40000", &[], &["data holds 6 bytes"]);
}

#[test]
fn a_trace_has_its_last_step_and_no_start_up_code() {
    let long = "PORTB = 1; PORTB = 2; PORTB = 3; PORTB = 4; PORTB = 5; PORTB = 6; PORTB = 7; x = 8;";
    let source = program("uint8_t x", "", "", &format!("{long} {long}"));
    let folder = compile(&source, &["-g"]);
    let run = |options: &[&str]| {
        let common = ["check", "a.elf", "--check", "none", "--invariant", "{x != 8}"];
        let output = kripke(&[&common[..], options].concat(), folder.path());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = run(&[]);
    for said in [
        "{x != 8} = false",
        "more steps on this line",
        "instructions of start-up code",
    ] {
        assert!(text.contains(said), "expected `{said}` in\n{text}");
    }
    assert!(!text.contains("<__do_clear_bss"), "{text}");
    let all = run(&["--verbose"]);
    assert!(
        all.contains("<__do_clear_bss") && !all.contains("more steps on this line"),
        "{all}"
    );
    let report: serde_json::Value = serde_json::from_str(&run(&["--json", "-"])).expect("a report");
    let place = &report["results"][0]["property"]["place"];
    assert_eq!(
        (place["line"].as_u64(), place["function"].as_str()),
        (Some(8), Some("main"))
    );
}

#[test]
fn a_search_says_how_far_it_is() {
    let source = program("uint32_t t", "", "", "t++;");
    let folder = compile(&source, &["-g"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kripke"));
    command.args(["check", "a.elf", "--check", "none", "--invariant", "{PORTC == 0}"]);
    command
        .args(ALL_STATES)
        .args(["--timeout", "2s"])
        .current_dir(folder.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("kripke runs");
    std::thread::sleep(Duration::from_millis(1000));
    let id = child.id().to_string();
    let asked = Command::new("kill").args(["-USR1", &id]).status();
    assert!(asked.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("states stored") && said.contains("to be expanded"),
        "{said}"
    );
}

/// A violation some thousand steps deep, with more states before it than are looked at; its middle is left
/// out. That nothing shorter is there is not said.
#[test]
fn handlers_that_interrupt_themselves_fill_the_stack() {
    let handler = "ISR(INT0_vect) { sei(); n = PINC; }";
    let source = program("uint8_t n", handler, "GICR |= 1 << INT0; sei();", "PORTB = n;");
    let folder = compile(&source, &["-g", "-Os"]);
    let asked = [
        "check",
        "a.elf",
        "--property",
        "stack-overflow",
        "--max-states",
        "60000",
    ];
    for said in [
        "violated: the stack grows into static data",
        "more lines of the run (--verbose shows them)",
    ] {
        expect(&asked, folder.path(), 1, said);
    }
    let verbose = [&asked[..], &["--verbose"]].concat();
    expect(
        &verbose,
        folder.path(),
        1,
        "was found depth-first; there may be shorter ones",
    );
    let bounded = [&asked[..], &["--nesting", "2"]].concat();
    expect(
        &bounded,
        folder.path(),
        0,
        "2 interrupt handlers are active at once",
    );
}

/// A variable in `.noinit` keeps what it held before the reset, whatever that was; others have to be written.
#[test]
fn what_start_up_code_leaves_as_it_is_holds_anything_and_may_be_read() {
    let text = |section: &str| {
        let boots = format!("uint8_t boots{section}");
        program(&boots, "", "DDRB = 1; if (boots > 3) PORTB = 1; boots++;", "")
    };
    let folder = compile(&text(" __attribute__((section(\".noinit\")))"), &["-g"]);
    let check = |formula, code, said| {
        expect(
            &["check", "a.elf", "--invariant", formula],
            folder.path(),
            code,
            said,
        );
    };
    check("{PORTB <= 1}", 0, "(boots) holds anything when a run begins");
    check("{PORTB == 0}", 1, "at reset boots is");
    check("{boots != 7}", 1, "at reset boots is 7");
    let folder = compile(&text(""), &["-g"]);
    let check = |formula, code, said| {
        expect(
            &["check", "a.elf", "--invariant", formula],
            folder.path(),
            code,
            said,
        );
    };
    check("{PORTB == 0 && boots <= 1}", 0, "HOLDS");
}
