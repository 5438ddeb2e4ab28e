//! `kripke stack` and `kripke cfg`: verdicts, exit codes, what is named as unknown, JSON, DOT, bad input.

mod common;

use std::path::Path;

use common::{kripke, text};

/// Compiles a program with its lines for the ATmega16.
fn compile(source: &str, flags: &[&str]) -> tempfile::TempDir {
    common::compile(source, &[&["-g"], flags].concat())
}

/// Runs `kripke stack a.elf` and looks at the exit code and at what is said.
fn check(source: &str, options: &[&str], code: i32, said: &[&str]) {
    let folder = compile(source, &[]);
    let arguments = [&["stack", "a.elf"][..], options].concat();
    let output = kripke(&arguments, folder.path());
    let all = text(&output);
    assert_eq!(output.status.code(), Some(code), "{options:?}: {all}");
    for said in said {
        assert!(all.contains(said), "{options:?}: expected `{said}` in\n{all}");
    }
}

const HEADERS: &str = "#include <avr/io.h>\n#include <avr/interrupt.h>\n#include <alloca.h>\n#include \
    <setjmp.h>\n\
     volatile int v;\nint main(void);\n";

fn program(rest: &str) -> String {
    format!("{HEADERS}{rest}")
}

const RECURSIVE: &str = "
__attribute__((noinline)) int down(int n) { volatile char room[8]; room[n & 7] = n; return n ? down(n - 1) + room[1] : 0; }
int main(void) { return down(9); }
";

const NESTED: &str = "
ISR(INT0_vect) { v += 1; }
ISR(INT1_vect, ISR_NOBLOCK) { v += 2; }
int main(void) { sei(); for (;;) v++; }
";

#[test]
fn a_small_program_fits() {
    let source = program(
        "__attribute__((noinline)) int f(int n) { volatile char room[20]; room[n & 7] = n; return room[3]; \
         }\n\
         ISR(INT0_vect) { v = f(v); }\nint main(void) { sei(); for (;;) v = f(v) + 1; }\n",
    );
    // 2 for the call of main, 2 for that of f, whose frame is 20 and two saved registers, 2 for the
    // interrupt; its handler saves 15 bytes, and calls f with 2 and 22.
    let said = [
        "FITS: at most 67 of",
        "interrupted by INT0 at a.c:",
        "calls f at a.c:8",
    ];
    check(&source, &[], 0, &said);
    check(
        &source,
        &["--never", "INT0"],
        0,
        &["FITS: at most 26 of", "INT0 never comes"],
    );
    check(&source, &["--nesting", "0"], 0, &["FITS: at most 26 of"]);
    check(&source, &["--functions"], 0, &["own total"]);
}

#[test]
fn a_large_frame_does_not_fit() {
    let source = program("int main(void) { volatile char room[1100]; room[v] = 1; return room[v + 1]; }\n");
    check(&source, &[], 1, &["DOES NOT FIT", "too few"]);
}

#[test]
fn recursion_needs_a_limit() {
    let source = program(RECURSIVE);
    check(
        &source,
        &[],
        2,
        &["UNKNOWN", "down calls itself", "--recursion down=N"],
    );
    check(
        &source,
        &["--recursion", "down=10"],
        0,
        &["FITS: at most 120 of", "10 calls of down"],
    );
    check(&source, &["--recursion", "down=100"], 1, &["DOES NOT FIT"]);
}

#[test]
fn functions_that_call_each_other() {
    let source = program(
        "int even(int n);\n__attribute__((noinline, noclone)) int odd(int n) { return n ? even(n - 1) + v : \
         0; }\n\
         __attribute__((noinline, noclone)) int even(int n) { volatile char r[5]; r[0] = n; return n ? odd(n \
         - 1) + r[0] : 1; }\n\
         int main(void) { return odd(v); }\n",
    );
    check(&source, &[], 2, &["call each other"]);
    check(&source, &["--recursion", "even=3"], 0, &["FITS"]);
}

#[test]
fn handlers_that_enable_interrupts_need_a_limit() {
    let source = program(NESTED);
    check(
        &source,
        &[],
        2,
        &["UNKNOWN", "__vector_2 (INT1) enables interrupts", "--nesting N"],
    );
    check(&source, &["--nesting", "3"], 0, &["FITS", "no more than 3"]);
    check(&source, &["--never", "INT1"], 0, &["FITS"]);
}

#[test]
fn what_cannot_be_known_is_named() {
    let variable = "__attribute__((noinline)) int f(int n) { volatile char *p = alloca(n); p[0] = 1; return \
        p[n - 1]; }\n\
         int main(void) { return f(v); }\n";
    check(
        &program(variable),
        &[],
        2,
        &["f: the stack pointer is not known", "at a.c:7"],
    );
    let jump = "jmp_buf place;\nint main(void) { if (setjmp(place) == 0) longjmp(place, 1); return v; }\n";
    check(
        &program(jump),
        &[],
        2,
        &["longjmp: the stack pointer is set to what setjmp has stored"],
    );
    let pointer = "int main(void) { ((void (*)(void))v)(); return 0; }\n";
    check(
        &program(pointer),
        &[],
        2,
        &["main: a pointer to a function that leads anywhere, at a.c:7"],
    );
    let growing = "int main(void) { for (;;) __asm__ volatile(\"push r0\"); }\n";
    check(&program(growing), &[], 2, &["a loop pushes more than it pops"]);
    let stray = "__attribute__((noinline, naked)) void f(void) { __asm__ volatile(\"push r24\\n push r25\\n \
        ret\"); }\n\
         int main(void) { f(); return v; }\n";
    check(
        &program(stray),
        &[],
        2,
        &["a return takes what is not the return address"],
    );
}

/// A handler that changes registers: what the main program knows of them is void where interrupts are
/// enabled.
#[test]
fn handlers_that_change_registers() {
    let counter = "register unsigned char count __asm__(\"r2\");\nISR(INT0_vect) { count++; }\n\
         int main(void) { sei(); for (;;) v = count; }\n";
    check(
        &program(counter),
        &[],
        0,
        &["FITS", "__vector_1 (INT0) does not restore r2"],
    );
    let frame = "ISR(INT0_vect, ISR_NAKED) { __asm__ volatile(\"inc r28\\n reti\"); }\n\
         __attribute__((noinline)) int f(int n) { volatile char room[100]; room[n & 63] = n; return room[3]; \
         }\n";
    let enabled = format!("{frame}int main(void) {{ sei(); for (;;) v = f(v); }}\n");
    check(
        &program(&enabled),
        &[],
        2,
        &["f: the stack pointer is not known", "does not restore r28"],
    );
    let disabled = format!("{frame}int main(void) {{ for (;;) v = f(v); }}\n");
    check(&program(&disabled), &["--never", "INT0"], 0, &["FITS"]);
}

#[test]
fn a_stack_pointer_that_is_written_while_interrupts_are_enabled() {
    let source = program(
        "__attribute__((noinline)) int f(int n) { volatile char room[100]; room[n & 63] = n; return room[3]; \
         }\n\
         ISR(INT0_vect) { v++; }\nint main(void) { sei(); for (;;) v = f(v); }\n",
    );
    let folder = compile(&source, &["-mno-interrupts"]);
    let run = |options: &[&str]| {
        let output = kripke(&[&["stack", "a.elf"][..], options].concat(), folder.path());
        (output.status.code(), text(&output))
    };
    let (code, said) = run(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("f: the stack pointer is written in two steps"),
        "{said}"
    );
    let (code, said) = run(&["--never", "INT0"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn the_examples_fit() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    // Whatever the compiler: the return address of main; that of an interrupt, whose handler saves the status
    // register and the register that it does so with.
    let (no_interrupts, interrupts) = (2, 2 + 2 + 2);
    for (program, least) in [
        ("light-switch/light_switch.c", no_interrupts),
        ("plant/plant.c", interrupts),
        ("reentrance/reentrance.c", interrupts),
        ("speed/interrupts.c", interrupts),
        ("traffic-light/traffic_light.c", interrupts),
        ("window-lift/window_lift.c", interrupts),
    ] {
        let source = std::fs::read_to_string(examples.join(program)).expect("the example");
        let folder = compile(&source, &[]);
        let output = kripke(&["stack", "a.elf", "--json", "-"], folder.path());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["verdict"], "fits", "{program}");
        let bytes = report["bytes"].as_u64().expect("a number");
        assert!((least..60).contains(&bytes), "{program}: {bytes}");
    }
}

#[test]
fn pointers_to_functions_are_resolved() {
    let source = program(
        "__attribute__((noinline)) int small(int n) { return n + v; }\n\
         __attribute__((noinline)) int large(int n) { volatile char room[50]; room[n & 31] = v; return \
         room[4]; }\n\
         int (*volatile chosen)(int) = small;\n\
         int main(void) { if (v) chosen = large; return chosen(v) + 1; }\n",
    );
    check(
        &source,
        &[],
        0,
        &["FITS: at most 56 of", "calls large", ": small, large"],
    );
}

#[test]
fn the_json_report_has_everything() {
    let folder = compile(&program(NESTED), &[]);
    let output = kripke(
        &["stack", "a.elf", "--nesting", "2", "--json", "-"],
        folder.path(),
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["verdict"], "fits");
    let path = report["path"].as_array().expect("a path");
    let sum: u64 = path.iter().filter_map(|step| step["bytes"].as_u64()).sum();
    assert_eq!(Some(sum), report["bytes"].as_u64());
    assert!(path.iter().any(|step| step["interrupt"] == "INT1"));
    assert_eq!(report["handlers"].as_array().map(Vec::len), Some(2));
}

#[test]
fn bad_input_is_refused() {
    let folder = compile(&program(NESTED), &[]);
    let refused = |arguments: &[&str], said: &str| {
        let output = kripke(arguments, folder.path());
        let all = text(&output);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {all}");
        assert!(all.contains(said), "{arguments:?}: expected `{said}` in\n{all}");
    };
    refused(
        &["stack", "a.elf", "--never", "INT9"],
        "has no interrupt 'INT9'; did you mean 'INT0'?",
    );
    refused(
        &["stack", "a.elf", "--recursion", "mian=2"],
        "did you mean 'main'?",
    );
    refused(&["stack", "a.elf", "--recursion", "main=0"], "from 1 on");
    refused(&["stack", "a.elf", "--recursion", "main"], "expected FUNCTION=N");
    refused(
        &["stack", "a.elf", "--calls", "mian=f"],
        "--calls: there is no function",
    );
    refused(
        &["stack", "a.elf", "--calls", "main="],
        "expected FUNCTION=TARGET",
    );
    refused(&["stack", "a.c"], "not an ELF file");
    refused(&["cfg", "a.elf", "--function", "mian"], "did you mean 'main'?");
    refused(&["cfg", "missing.elf"], "cannot read");
}

#[test]
fn the_graph_as_text_and_for_graphviz() {
    let source = program(
        "__attribute__((noinline)) int f(int n) { return n > 3 ? v : 1; }\nISR(INT0_vect) { v = f(2); }\n\
         int main(void) { sei(); for (;;) v = f(v); }\n",
    );
    let folder = compile(&source, &[]);
    let shown = text(&kripke(&["cfg", "a.elf", "--function", "f"], folder.path()));
    for said in ["f at 0x", "called by __vector_1, main", "(branch)", "; a.c:7"] {
        let said = said.replace("a.c", &folder.path().join("a.c").to_string_lossy());
        assert!(shown.contains(&said), "expected `{said}` in\n{shown}");
    }
    let dot = text(&kripke(&["cfg", "a.elf", "--dot"], folder.path()));
    for said in [
        "digraph cfg {",
        "style=dashed",
        "__vector_1 (handler of INT0)",
        "reset (from reset)",
    ] {
        assert!(dot.contains(said), "expected `{said}` in\n{dot}");
    }
    let opened = dot.matches('{').count();
    assert_eq!(opened, dot.matches('}').count());
}

/// Classes with virtual functions, and objects that start-up code constructs.
const CLASSES: &str = "#include <avr/io.h>
struct Print {
    virtual void write(unsigned char c) = 0;
    virtual void text(const char *s) { while (*s) write(*s++); }
};
namespace hw {
struct Port : Print {
    unsigned char n;
    Port(unsigned char first) : n(first) {}
    virtual void write(unsigned char c) { n++; PORTB = c; }
};
struct Other : Print { virtual void write(unsigned char c) { PORTA = c; } };
}
volatile unsigned char pick;
hw::Port port(PINA);
hw::Other other;
int main() {
    Print *p = pick ? (Print *)&port : (Print *)&other;
    for (;;) p->text(\"hi\");
}
";

/// Compiles a program in C++.
fn compile_classes(flags: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.cpp"), CLASSES).expect("a file");
    let output = std::process::Command::new("avr-g++")
        .args([
            "-mmcu=atmega16",
            "-Os",
            "-g",
            "-fno-exceptions",
            "-o",
            "a.elf",
            "a.cpp",
        ])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("avr-g++ is installed (scripts/install-packages test)");
    assert!(output.status.success(), "{}", text(&output));
    folder
}

#[test]
fn names_of_classes_are_as_in_the_source() {
    for flags in [&[][..], &["-flto"]] {
        let folder = compile_classes(flags);
        let options = ["stack", "a.elf", "--functions", "--recursion", "Print::text=2"];
        let all = text(&kripke(&options, folder.path()));
        for said in [
            "hw::Port::write(unsigned char)",
            "hw::Other::write(unsigned char)",
            "Print::text(char const*)",
            ": the table at 0x",
        ] {
            assert!(all.contains(said), "{flags:?}: expected `{said}` in\n{all}");
        }
        let shown = text(&kripke(
            &["disasm", "a.elf", "--function", "hw::Other::write"],
            folder.path(),
        ));
        assert!(
            shown.contains("hw::Other::write(unsigned char):") && shown.contains("out 0x1b"),
            "{shown}"
        );
        let graph = text(&kripke(
            &["cfg", "a.elf", "--function", "_ZN5Print4textEPKc"],
            folder.path(),
        ));
        assert!(graph.contains("Print::text(char const*) at"), "{graph}");
    }
}
