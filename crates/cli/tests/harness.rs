//! Harnesses reproduce violations: for programs of each kind, the program compiled by gcc with the
//! harness fails where the counterexample does.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Checks the program, compiles it with its harness, runs it; what it says must contain `expected`.
fn check(name: &str, kind: &str, program: &str, expected: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("program.c"), program).expect("the program");
    let kripke = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args([
            "check",
            "program.c",
            "--quiet",
            "--check",
            kind,
            "--harness",
            "harness.c",
        ])
        .current_dir(&folder)
        .output()
        .expect("kripke runs");
    let report =
        String::from_utf8_lossy(&kripke.stdout).into_owned() + &String::from_utf8_lossy(&kripke.stderr);
    assert_eq!(kripke.status.code(), Some(1), "{name}: {report}");
    let sanitizers = "-fsanitize=undefined,address,float-cast-overflow,float-divide-by-zero";
    let gcc = Command::new("gcc")
        .args([
            "-g",
            "-w",
            "-fno-builtin",
            sanitizers,
            "-fno-sanitize-recover=all",
            "program.c",
            "harness.c",
        ])
        .args(["-o", "program", "-lm"])
        .current_dir(&folder)
        .output()
        .expect("gcc runs");
    assert!(
        gcc.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&gcc.stderr)
    );
    let run = Command::new(folder.join("program"))
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(!run.status.success(), "{name}: the run is fine\n{report}");
    assert!(
        said.contains(expected),
        "{name}: no '{expected}' in\n{said}\n{report}"
    );
}

#[test]
fn assertions() {
    let program = "
#include <assert.h>
int __VERIFIER_nondet_int(void);
float __VERIFIER_nondet_float(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 100) return 0;
        sum += x;
    }
    float f = __VERIFIER_nondet_float();
    assert(sum != 299 || !(f > 1.5f && f < 1.75f));
}";
    check("assertion", "assertion", program, "sum != 299");
}

#[test]
fn errors_reached() {
    let program = "
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a > 10);
    if ((a ^ b) == 0x5a && (a & b) == 0x21) reach_error();
}";
    check("error", "assertion", program, "reach_error() is called");
}

#[test]
fn integer_errors() {
    let overflow = "
int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x % 7 == 3) x = x * 3; return x > 0; }";
    check("overflow", "overflow", overflow, "signed integer overflow");
    let division = "
int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); return 10 / (x + 3); }";
    check("division", "division-by-zero", division, "division by zero");
    let shift = "
unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = __VERIFIER_nondet_uint(); return (1u << x) != 0; }";
    check("shift", "shift", shift, "shift exponent");
}

#[test]
fn inputs_behind_the_violation_need_no_values() {
    let program = "
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { int x = __VERIFIER_nondet_int() + 1; return x + __VERIFIER_nondet_uchar(); }";
    check("behind", "overflow", program, "signed integer overflow");
}

#[test]
fn memory_errors() {
    let bounds = "
unsigned __VERIFIER_nondet_uint(void);
int main(void) { int a[10] = {0}; unsigned i = __VERIFIER_nondet_uint() % 11; return a[i]; }";
    check("bounds", "bounds", bounds, "out of bounds");
    let null = "
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) { int x = 1, *p = __VERIFIER_nondet_int() == 42 ? NULL : &x; return *p - 1; }";
    check("null", "pointer", null, "null pointer");
    let freed = "
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void) { char *p = malloc(3); p[0] = 0; if (__VERIFIER_nondet_bool()) free(p); return p[0]; }";
    check("freed", "pointer", freed, "heap-use-after-free");
    let twice = "
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void) { char *p = malloc(3); free(p); if (__VERIFIER_nondet_bool()) free(p); }";
    check("twice", "free", twice, "double-free");
}

#[test]
fn float_casts() {
    let program = "
float __VERIFIER_nondet_float(void);
int main(void) { float f = __VERIFIER_nondet_float(); if (f < 0 || f > 1e10f) return 0; return (int)f > 0; }";
    check("float-cast", "float-cast", program, "outside the range");
}

#[test]
fn functions_without_a_body() {
    let program = "
#include <assert.h>
#include <stdlib.h>
#include <stdint.h>
int16_t read_sensor(int channel);
void set_led(int on);
enum mode { OFF, ON = 7 } mode(void);
int main(void) {
    int16_t value = read_sensor(2);
    set_led(value > 0);
    if (mode() == ON && rand() == 12345) assert(value >= -100);
}";
    check("external", "assertion", program, "value >= -100");
}

/// The harness says with which arguments `main` is called.
#[test]
fn arguments_of_main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness/arguments");
    fs::create_dir_all(&folder).expect("a folder");
    let program = "
#include <assert.h>
#include <string.h>
int main(int count, char **texts) {
    if (count == 4 && strcmp(texts[2], \"it's*/\") == 0)
        assert(texts[1][0] != '\\n' || texts[3][0] != 0);
    return 0;
}
";
    fs::write(folder.join("program.c"), program).expect("the program");
    let checked = |options: &[&str]| {
        let kripke = Command::new(env!("CARGO_BIN_EXE_kripke"))
            .args(["check", "program.c"])
            .args(options)
            .current_dir(&folder)
            .output()
            .expect("kripke runs");
        let said = String::from_utf8_lossy(&kripke.stdout).into_owned();
        (kripke.status.code(), said)
    };
    let (code, said) = checked(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("`main` is called with no arguments"), "{said}");
    assert_eq!(checked(&["--arguments", "2"]).0, Some(0));
    assert_eq!(
        checked(&["--arguments", "3", "--argument-length", "5"]).0,
        Some(0)
    );
    let (code, said) = checked(&["--arguments", "3", "--harness", "harness.c"]);
    assert_eq!(code, Some(1), "{said}");
    let project = "[[program]]\nname = \"program\"\nsources = [\"program.c\"]\narguments = 3\n";
    fs::write(folder.join("kripke.toml"), project).expect("the project");
    let of_project = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .current_dir(&folder)
        .output()
        .expect("kripke runs");
    assert_eq!(of_project.status.code(), Some(1));
    let harness = fs::read_to_string(folder.join("harness.c")).expect("it is written");
    let command = harness.lines().find(|line| line.contains("./a.out"));
    let command = command.expect("how it is run").trim_start_matches(" *");
    let run = Command::new("bash")
        .args(["-c", command])
        .current_dir(&folder)
        .output();
    let run = run.expect("bash runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(
        !run.status.success() && said.contains("Assertion"),
        "{command}: {said}"
    );
}

/// Where turns are followed they are not passed, which is said.
#[test]
fn arguments_of_a_program_with_threads() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness/threads");
    fs::create_dir_all(&folder).expect("a folder");
    let program = "
#include <assert.h>
#include <pthread.h>
static void *run(void *unused) { return unused; }
int main(int count, char **texts) {
    pthread_t thread;
    pthread_create(&thread, 0, run, texts);
    assert(count < 2);
    return 0;
}
";
    fs::write(folder.join("program.c"), program).expect("the program");
    let kripke = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["check", "program.c", "--arguments", "1", "--harness", "harness.c"])
        .current_dir(&folder)
        .output()
        .expect("kripke runs");
    let said = String::from_utf8_lossy(&kripke.stderr);
    assert_eq!(kripke.status.code(), Some(3), "{said}");
    assert!(
        said.contains("--harness does not know --arguments together with threads yet"),
        "{said}"
    );
}
