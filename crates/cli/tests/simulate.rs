//! `kripke simulate`: steps, breakpoints, values, and an environment that does what it is told.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{compile, expect, kripke, text};

const BLINK: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
volatile uint16_t ticks;
volatile int8_t level;
ISR(TIMER0_OVF_vect) {
    ticks++;
}
int main(void) {
    DDRB = 0xFF;
    TCCR0 = 1;
    TIMSK = 1;
    sei();
    for (;;) {
        if (PIND & 4) level = -3;
        PORTB = ticks;
    }
}
";

/// The output of commands that are given with --execute, for a program with options.
fn simulated(folder: &Path, program: &[&str], commands: &[&str]) -> (Option<i32>, String) {
    let mut arguments = vec!["simulate"];
    arguments.extend(program);
    for command in commands {
        arguments.extend(["-e", command]);
    }
    let output = kripke(&arguments, folder);
    (output.status.code(), text(&output))
}

fn run(folder: &Path, commands: &[&str]) -> (Option<i32>, String) {
    simulated(folder, &["a.elf"], commands)
}

fn prints((code, shown): (Option<i32>, String), commands: &[&str], parts: &[&str]) {
    assert_eq!(code, Some(0), "{shown}");
    for part in parts {
        assert!(
            shown.contains(part),
            "{commands:?}: expected `{part}` in\n{shown}"
        );
    }
}

fn shows(folder: &Path, commands: &[&str], parts: &[&str]) {
    prints(run(folder, commands), commands, parts);
}

#[test]
fn steps_breakpoints_and_values() {
    let folder = compile(BLINK, &["-g"]);
    let shows = |commands: &[&str], parts: &[&str]| shows(folder.path(), commands, parts);
    shows(
        &["break main", "run", "print ticks", "line", "io TIMSK"],
        &["breakpoint main", "a.c:11", "ticks = 0", "a.c:11", "0 TOIE0 = 0"],
    );
    shows(
        &["break a.c:17", "breakpoints", "run", "delete 1", "breakpoints"],
        &["1: a.c:17", "breakpoint a.c:17", "there are no breakpoints"],
    );
    // Quietly, no interrupt comes and inputs are 0.
    shows(
        &["run 1000", "print ticks", "print level"],
        &["1000 steps", "ticks = 0", "level = 0"],
    );
    shows(
        &["input PIND 4", "until level < 0", "variables"],
        &["level = -3 (0xfd)", "ticks = 0"],
    );
    shows(
        &[
            "break main",
            "run",
            "set ticks 513",
            "until PORTB == 1",
            "registers",
        ],
        &["SREG I", "SP 0x045d"],
    );
    shows(
        &["run 100", "step", "back 101", "registers"],
        &["PC 0x0000  step 0"],
    );
    shows(
        &["run 50", "reset", "disassemble", "stack"],
        &[">0x0000", "jmp", "is not in static memory"],
    );
}

#[test]
fn interrupts_come_when_they_can() {
    let folder = compile(BLINK, &["-g"]);
    let (code, refused) = run(folder.path(), &["interrupt TIMER0_OVF"]);
    assert_eq!(code, Some(3), "{refused}");
    assert!(refused.contains("cannot come now"), "{refused}");
    shows(
        folder.path(),
        &[
            "break a.c:17",
            "run",
            "choices",
            "interrupt TIMER0_OVF",
            "until ticks == 1",
            "line",
            "line",
            "print PORTB",
        ],
        &["TIMER0_OVF arrives", "PORTB = 1"],
    );
    // Anything at random: interrupts come, and pin 2 is high sooner or later.
    shows(
        folder.path(),
        &["policy random 5", "until level < 0", "until ticks > 2"],
        &["steps"],
    );
}

/// What the simulator does is what the checker explores: a counterexample can be gone through by hand.
#[test]
fn counterexamples_can_be_simulated() {
    let folder = compile(BLINK, &["-g"]);
    let arguments = [
        "check",
        "a.elf",
        "--check",
        "none",
        "--invariant",
        "{level == 0 || (SREG & 0x80) == 0 || ticks < 2}",
    ];
    expect(&arguments, folder.path(), 1, "VIOLATED");
    shows(
        folder.path(),
        &[
            "break a.c:17",
            "run",
            "interrupt TIMER0_OVF",
            "until ticks == 1",
            "run",
            "step",
            "interrupt TIMER0_OVF",
            "until ticks == 2",
            "input PIND 4",
            "until level != 0",
            "print level",
        ],
        &["level = -3"],
    );
}

#[test]
fn scripts_end_at_the_first_mistake() {
    let folder = compile(BLINK, &["-g"]);
    let script = folder.path().join("script");
    std::fs::write(&script, "# to main\nbreak main\nrun\nprnt ticks\nrun\n").expect("a file");
    expect(
        &["simulate", "a.elf", "--script", "script"],
        folder.path(),
        3,
        "script:4: there is no command 'prnt'; did you mean 'print'?",
    );
    for (command, said) in [
        ("break nowhere", "there is no function 'nowhere'"),
        ("break mian", "did you mean 'main'?"),
        ("break a.c:1000", "there is no code for a.c:1000"),
        ("break b.c:1", "no source file is called b.c"),
        ("break 0xfffe", "there is no code at 0xfffe"),
        ("set ticks 70000", "does not fit"),
        ("set PIND 4", "'input PIND 4' holds it"),
        ("input PORTB 4", "'set PORTB VALUE' changes it"),
        ("input PINX 4", "has no register 'PINX'"),
        ("interrupt TIMER0_OFV", "did you mean 'TIMER0_OVF'?"),
        ("choose 99", "choices"),
        ("print tiks", "ticks"),
        ("back", "nothing to go back to"),
    ] {
        expect(&["simulate", "a.elf", "-e", command], folder.path(), 3, said);
    }
    let mut piped = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["simulate", "a.elf"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("kripke runs");
    let mut input = piped.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"break main\nrun\nquit\nnonsense\n").expect("commands");
    drop(input);
    let output = piped.wait_with_output().expect("kripke ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).contains("breakpoint main"), "{}", text(&output));
}

const SENSOR: &str = "
#include <assert.h>
extern int read_sensor(void);
int total;
struct point { int x, y; } where = { 1, 2 };
int cells[3];
static int sum(int n) {
    int part = n * 2;
    if (n > 0)
        part += sum(n - 1);
    return part;
}
int main(void) {
    int value = read_sensor();
    if (value < 0)
        return 1;
    total = sum(2);
    where.x = value;
    cells[value] = total;
    assert(total != 6 || value != 1);
    return 0;
}
";

const WORKER: &str = "
#include <assert.h>
#include <pthread.h>
int shared;
void *worker(void *unused) {
    shared = shared + 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int before = shared;
    shared = before + 1;
    pthread_join(thread, 0);
    assert(shared == 2);
    return 0;
}
";

/// The output of commands about a C program.
fn program(source: &str, options: &[&str], commands: &[&str]) -> (Option<i32>, String) {
    let folder = common::folder_with(&[("a.c", source)]);
    simulated(folder.path(), &[&["a.c"], options].concat(), commands)
}

fn program_shows(source: &str, options: &[&str], commands: &[&str], parts: &[&str]) {
    prints(program(source, options, commands), commands, parts);
}

#[test]
fn c_programs_ask_for_values_and_tell_violations() {
    // What is wrong is told as `check` does; a value is asked for by name, type and place.
    program_shows(
        SENSOR,
        &[],
        &["run", "7", "print where", "print total + where.y"],
        &[
            "the value of read_sensor() (i32) at a.c:14:17; an empty line takes 0",
            "a.c:19:18: violated[bounds]: array index out of bounds",
            "where.x = 7\nwhere.y = 2\n",
            "total + where.y = 8",
        ],
    );
    let (code, refused) = program(SENSOR, &[], &["run", "7", "back 100000"]);
    assert_eq!(code, Some(3), "{refused}");
    assert!(refused.contains("steps were taken so far"), "{refused}");
}

#[test]
fn c_programs_go_back_and_answer_otherwise() {
    program_shows(
        SENSOR,
        &[],
        &[
            "until total == 6",
            "-1",
            "reset",
            "until total == 6",
            "1",
            "line",
            "run",
            "back",
            "print cells[1]",
        ],
        &[
            "the program ends with exit code 1",
            "a.c:20:5: violated[assertion]: total != 6 || value != 1",
            "cells[1] = 6",
        ],
    );
    // Locals are those of the call that is active.
    program_shows(
        SENSOR,
        &[],
        &[
            "break sum",
            "policy quiet",
            "run",
            "run",
            "stack",
            "print n",
            "delete 1",
            "finish",
            "print n",
        ],
        &[
            "sum, called at a.c:10:17\nsum, called at a.c:17:13\nmain\nn = 1\n",
            "n = 2\n",
        ],
    );
    let (code, refused) = program(SENSOR, &[], &["run", "step"]);
    assert_eq!(code, Some(3), "{refused}");
    assert!(refused.contains("first the value of read_sensor()"), "{refused}");
}

#[test]
fn threads_and_handlers_come_when_they_are_told_to() {
    program_shows(
        WORKER,
        &[],
        &["policy quiet", "run"],
        &["the program ends with exit code 0"],
    );
    program_shows(
        WORKER,
        &[],
        &["policy quiet", "until before == 0", "choices", "thread 1", "run"],
        &[
            "2: thread 1 goes on",
            "a.c:15:5: violated[assertion]: shared == 2",
        ],
    );
    let counts = "int ticks; void tick(void) { ticks++; }
        int main(void) { int a = ticks; a = ticks; a = ticks; return a; }";
    program_shows(
        counts,
        &["--interrupt", "tick"],
        &["step 2", "interrupt tick", "run"],
        &["interrupted here by tick", "exit code 1"],
    );
}
