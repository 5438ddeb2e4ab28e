//! Harnesses compile with gcc, link with a program and give it the recorded inputs bit for bit.

use std::path::Path;
use std::process::Command;

use kripke_check::program::{HarnessOptions, render_harness};
use kripke_model::{Place, Property, PropertyKind, Step, StepKind, Trace, TraceValue};

fn input(source: &str, category: &str, type_name: &str, machine_type: &str, bits: &str) -> Step {
    let value = TraceValue {
        type_name: type_name.into(),
        text: bits.into(),
        bits: bits.into(),
    };
    let place = Place {
        file: "program.c".into(),
        line: 7,
        column: 3,
        function: "main".into(),
    };
    let (source, category, machine_type) = (source.into(), category.into(), machine_type.into());
    Step {
        place,
        depth: 0,
        kind: StepKind::Input {
            source,
            category,
            value,
            machine_type,
        },
    }
}

fn property(kind: PropertyKind) -> Property {
    let place = Place {
        file: "program.c".into(),
        line: 9,
        column: 5,
        function: "main".into(),
    };
    Property {
        id: "main.assertion.1".into(),
        kind,
        description: "never */ happens".into(),
        place,
    }
}

/// Compiles the program with the harness of the inputs and runs it: exit code (or 128 + signal) and output.
fn check(name: &str, program: &str, inputs: Vec<Step>, options: HarnessOptions) -> (i32, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let trace = Trace {
        steps: inputs,
        ..Trace::default()
    };
    let text = render_harness(&property(PropertyKind::Assertion), &trace, &options);
    std::fs::write(folder.join("program.c"), program).expect("the program");
    std::fs::write(folder.join("harness.c"), text).expect("the harness");
    let compiler = Command::new("gcc")
        .args([
            "-Wall",
            "-Werror",
            "-fno-builtin",
            "program.c",
            "harness.c",
            "-o",
            "program",
            "-lm",
        ])
        .current_dir(&folder)
        .output()
        .expect("gcc");
    assert!(
        compiler.status.success(),
        "{}",
        String::from_utf8_lossy(&compiler.stderr)
    );
    let run = Command::new(folder.join("program"))
        .output()
        .expect("the program");
    let text = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    let code = run.status.code().unwrap_or_else(|| {
        use std::os::unix::process::ExitStatusExt;
        128 + run.status.signal().unwrap_or(0)
    });
    (code, text)
}

#[test]
fn values_arrive_in_order_and_bit_for_bit() {
    let program = r#"
#include <stdio.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
float __VERIFIER_nondet_float(void);
double read_sensor(int channel);
_Bool __VERIFIER_nondet_bool(void);
void *find(void);
void log_it(const char *text);
int rand(void);
void reach_error(void);
int main(void) {
    int first = __VERIFIER_nondet_int();
    unsigned char byte = __VERIFIER_nondet_uchar();
    int second = __VERIFIER_nondet_int();
    printf("%d %d %d %g %g %d %d %d\n", first, byte, second, __VERIFIER_nondet_float(), read_sensor(3),
           __VERIFIER_nondet_bool(), find() == 0, rand());
    fflush(stdout);
    log_it("done");
    reach_error();
}
"#;
    let inputs = vec![
        input("__VERIFIER_nondet_int", "input", "i32", "i32", "0xffffffff"),
        input("__VERIFIER_nondet_uchar", "input", "i8", "i8", "0xc8"),
        input("__VERIFIER_nondet_int", "input", "int", "i32", "0x00000005"),
        input("__VERIFIER_nondet_float", "input", "f32", "f32", "0x3e800000"),
        input("read_sensor", "external", "double", "f64", "0xbff8000000000000"),
        input("__VERIFIER_nondet_bool", "input", "_Bool", "i1", "0x1"),
        input("find", "external", "ptr", "ptr", ""),
        input("rand", "library", "int", "i32", "0x0000002a"),
    ];
    let options = HarnessOptions {
        external_functions: vec!["log_it".into(), "read_sensor".into(), "find".into()],
        ..HarnessOptions::default()
    };
    let (code, text) = check("values", program, inputs, options);
    assert!(text.starts_with("-1 200 5 0.25 -1.5 1 1 42\n"), "{text}");
    assert!(
        text.contains("kripke: violation reproduced: reach_error() is called"),
        "{text}"
    );
    assert_eq!(code, 128 + 6);
}

#[test]
fn a_program_that_brings_its_own_definitions_wins() {
    let program = r#"
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { exit(7); }
int main(void) { if (__VERIFIER_nondet_uint() == 9) reach_error(); }
"#;
    let inputs = vec![input(
        "__VERIFIER_nondet_uint",
        "input",
        "i32",
        "i32",
        "0x00000009",
    )];
    assert_eq!(check("own", program, inputs, HarnessOptions::default()).0, 7);
}

#[test]
fn a_run_that_leaves_the_trace_says_so() {
    let program = r#"
int __VERIFIER_nondet_int(void);
int main(void) { return __VERIFIER_nondet_int() + __VERIFIER_nondet_int(); }
"#;
    let inputs = vec![input(
        "__VERIFIER_nondet_int",
        "input",
        "int",
        "i32",
        "0x00000001",
    )];
    let (code, text) = check("left", program, inputs, HarnessOptions::default());
    assert_eq!(code, 2);
    assert!(
        text.contains("called more often than in the counterexample"),
        "{text}"
    );
}

#[test]
fn an_entry_function_is_called() {
    let program = r#"
void __VERIFIER_assert(int);
void task(void) { __VERIFIER_assert(0); }
"#;
    let options = HarnessOptions {
        entry: Some("task".into()),
        ..HarnessOptions::default()
    };
    assert_eq!(check("entry", program, Vec::new(), options).0, 128 + 6);
}

#[test]
fn wide_values_arrive_whole() {
    let program = r#"
unsigned __int128 __VERIFIER_nondet_uint128(void);
long double __VERIFIER_nondet_longdouble(void);
int main(void) {
    unsigned __int128 wide = __VERIFIER_nondet_uint128();
    long double real = __VERIFIER_nondet_longdouble();
    return (unsigned)(wide >> 100) == 0xabc && (unsigned char)wide == 1 && real == 1.0L ? 3 : 4;
}
"#;
    let inputs = vec![
        input(
            "__VERIFIER_nondet_uint128",
            "input",
            "i128",
            "i128",
            "0x0000abc0000000000000000000000001",
        ),
        input(
            "__VERIFIER_nondet_longdouble",
            "input",
            "f80",
            "f80",
            "0x3fff8000000000000000",
        ),
    ];
    assert_eq!(check("wide", program, inputs, HarnessOptions::default()).0, 3);
}

#[test]
fn what_cannot_be_supplied_is_listed() {
    let steps = vec![
        input(
            "*(volatile unsigned char *)0x40",
            "device",
            "unsigned char",
            "i8",
            "0x03",
        ),
        input("", "uninitialised", "int", "i32", "0x00000000"),
    ];
    let trace = Trace {
        steps,
        ..Trace::default()
    };
    let options = HarnessOptions {
        program_files: vec!["a.c".into(), "b.c".into()],
        compiler_options: vec!["-Iinclude".into()],
        file_name: "out.c".into(),
        ..HarnessOptions::default()
    };
    let text = render_harness(&property(PropertyKind::Overflow), &trace, &options);
    let head = text.split(" */\n").next().unwrap_or("");
    assert!(head.contains(
        "cc -g -fno-builtin -fsanitize=undefined,address -fno-sanitize-recover=all -Iinclude a.c b.c out.c"
    ));
    assert!(
        head.contains("*(volatile unsigned char *)0x40 = 0x03 at program.c:7:3"),
        "{head}"
    );
    assert!(head.contains("never * / happens"), "{head}");
}
