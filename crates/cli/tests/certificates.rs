//! Proofs that others can check: other solvers confirm the formulas of certificates, and no run of the
//! compiled program breaks an invariant of a witness.

mod common;
mod witness;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{for_each, kripke, text};
use witness::{Invariant, body, invariants};

/// Programs whose proofs are of all kinds: bounds, paths that are not followed, induction, invariants.
const PROVED: [&str; 15] = [
    "benches/endless/byte_ring.c",
    "benches/endless/elevator.c",
    "benches/endless/pid_controller.c",
    "tests/filetests/induction/recursion_before_the_endless_loop.c",
    "tests/filetests/invariants/counters_move_together.c",
    "tests/filetests/invariants/flag_implies_a_bound.c",
    "tests/filetests/invariants/index_that_wraps.c",
    "tests/filetests/invariants/number_of_flags.c",
    "tests/filetests/invariants/pointer_to_one_of_two.c",
    "tests/filetests/invariants/sums_of_a_copy.c",
    "tests/filetests/lists/stack_of_any_length.c",
    "tests/filetests/reachability/handshake.c",
    "tests/filetests/inputs/brackets_on_the_heap.c",
    "tests/filetests/memory/range_of_any_length.c",
    "tests/filetests/recursion/bytes_decide_how_deep.c",
];

/// Folders of programs whose proofs may need invariants.
const WITH_INVARIANTS: [&str; 3] = [
    "tests/filetests/invariants",
    "tests/filetests/reachability",
    "examples",
];
/// Programs among them whose proofs need invariants of loops that random inputs come to.
const NEEDS_INVARIANTS: [&str; 5] = [
    "benches/endless/pid_controller.c",
    "tests/filetests/invariants/data_that_is_only_moved.c",
    "tests/filetests/invariants/index_that_wraps.c",
    "tests/filetests/invariants/two_loops_share_a_bound.c",
    "tests/filetests/reachability/handshake.c",
];
/// Others of the kind, which take longer; where programs with endless loops are counted (`make fuzz`), all.
const ENDLESS: &str = "benches/endless";
const SOME_ENDLESS: [&str; 2] = ["pid_controller.c", "bootloader_pages.c"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Checks a program and writes its certificate into a folder; the exit code, and what was said.
fn check(program: &str, folder: &Path, time: &str) -> (Option<i32>, String) {
    let certificate = folder.join("proof.yml");
    let name = certificate.to_str().expect("a name that can be written");
    let arguments = ["check", program, "--timeout", time, "--certificate", name];
    let output = kripke(&arguments, &root());
    (output.status.code(), text(&output))
}

/// Writes the certificate of a program that holds into a folder; the number of its formulas.
fn certified(program: &str, folder: &Path) -> usize {
    let (code, said) = check(program, folder, "60s");
    assert_eq!(code, Some(0), "{program}: {said}");
    let script = std::fs::read_to_string(folder.join("proof.yml.smt2")).expect("a script");
    script.matches("(check-sat)").count()
}

fn answers(solver: &str, arguments: &[&str], script: &Path) -> Vec<String> {
    let output = Command::new(solver)
        .args(arguments)
        .arg(script)
        .output()
        .unwrap_or_else(|error| panic!("{solver} runs (scripts/install-packages test): {error}"));
    let answers = String::from_utf8_lossy(&output.stdout);
    answers.lines().map(str::to_string).collect()
}

#[test]
fn other_solvers_confirm_every_formula() {
    let formulas = for_each(&PROVED, |program| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let count = certified(program, folder.path());
        let script = folder.path().join("proof.yml.smt2");
        let solvers: [(&str, &[&str]); 2] = [
            ("z3", &["-T:100"]),
            ("cvc5", &["--tlimit=100000", "--fp-exp", "--arrays-exp"]),
        ];
        for (solver, arguments) in solvers {
            let answers = answers(solver, arguments, &script);
            assert_eq!(answers.len(), count, "{solver} on {program}: {answers:?}");
            assert!(
                answers.iter().all(|answer| answer == "unsat"),
                "{solver} on {program}: {answers:?}"
            );
        }
        count
    });
    let formulas: usize = formulas.into_iter().sum();
    assert!(formulas >= 20, "{formulas} formulas");
}

/// A formula that is not true is noticed.
#[test]
fn other_solvers_refute_a_broken_certificate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    certified("benches/endless/pid_controller.c", folder.path());
    let script = folder.path().join("proof.yml.smt2");
    let whole = std::fs::read_to_string(&script).expect("a script");
    let without: Vec<&str> = whole
        .lines()
        .filter(|line| !line.starts_with("(assert"))
        .collect();
    std::fs::write(&script, without.join("\n")).expect("a file");
    let answers = answers("z3", &["-T:100"], &script);
    assert!(answers.iter().all(|answer| answer == "sat"), "{answers:?}");
}

/// The program in which the body of an invariant's loop is executed only where a condition does not hold;
/// else the program stops.
fn stopping(source: &str, of: &Invariant, condition: &str) -> String {
    let at = body(source, of).unwrap_or_else(|| panic!("{of:?} is of no loop:\n{source}"));
    format!(
        "{} if ({condition}) stop_here(); else {}",
        &source[..at],
        &source[at..]
    )
}

/// What gives a program its inputs; the run ends after many of them.
const INPUTS: &str = "\
#include <stdint.h>
#include <stdlib.h>
#include <stdbool.h>
static unsigned long next(void) {
    static unsigned long state = SEED, count;
    if (++count > 200000) exit(0);
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    unsigned long value = state >> 33;
    return count % 3 ? value : value % 9;
}
void *any_register(void) { static unsigned long value; value = next(); return &value; }
void stop_here(void) { _Exit(77); }
void __VERIFIER_assert(int holds) { if (!holds) exit(1); }
void __VERIFIER_assume(int holds) { if (!holds) exit(0); }
";

/// Functions for the inputs that a program declares.
fn inputs(source: &str) -> String {
    let mut code = INPUTS.to_owned();
    for line in source.lines() {
        let declared = line
            .trim()
            .strip_suffix("(void);")
            .and_then(|line| line.rsplit_once(' '));
        if let Some((ty, name)) = declared
            && name.contains("nondet")
        {
            code.push_str(&format!("{ty} {name}(void) {{ return ({ty})next(); }}\n"));
        }
    }
    code
}

/// What stands before each program: other compilers know no contracts.
const HEAD: &str = "\
#define __CPROVER_loop_invariant(...)
#define __CPROVER_requires(...)
#define __CPROVER_ensures(...)
extern void *any_register(void);
extern void stop_here(void);
";

/// A program whose registers, volatile objects that it declares only, hold anything at each read.
fn with_registers(program: &str) -> String {
    let mut text = HEAD.to_owned();
    for line in program.lines() {
        let declared = line
            .strip_prefix("extern volatile ")
            .and_then(|rest| rest.strip_suffix(';'));
        text += &match declared.and_then(|rest| rest.rsplit_once(' ')) {
            Some((ty, name)) => format!("#define {name} (*(volatile {ty} *)any_register())\n"),
            None => format!("{line}\n"),
        };
    }
    text
}

/// Does some run of a program stop where the statement does not hold?
fn stops(folder: &Path, program: &str, inputs: &str) -> bool {
    std::fs::write(folder.join("program.c"), with_registers(program)).expect("a file");
    std::fs::write(folder.join("inputs.c"), inputs).expect("a file");
    (1..=3).any(|seed| {
        let compiled = Command::new("gcc")
            .args(["-w", "-O1", "-o", "program", "program.c", "inputs.c"])
            .arg(format!("-DSEED={seed}"))
            .current_dir(folder)
            .output()
            .expect("gcc is installed");
        assert!(compiled.status.success(), "{}", text(&compiled));
        // A program that reads no inputs for ever is ended. Nothing else than these comes of a run.
        let output = Command::new("timeout")
            .arg("20")
            .arg(folder.join("program"))
            .output()
            .expect("it runs");
        match output.status.code() {
            Some(77) => true,
            Some(0 | 1 | 124) => false,
            other => panic!("a run ends with {other:?}: {}\n{program}", text(&output)),
        }
    })
}

/// The programs of which invariants are looked for, and how long each may take.
fn programs() -> Vec<(String, &'static str)> {
    let sources = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("a file").file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| name.ends_with(".c"));
        names.sort();
        names.into_iter().map(|name| format!("{folder}/{name}")).collect()
    };
    let mut all: Vec<(String, &str)> = Vec::new();
    for folder in WITH_INVARIANTS {
        all.extend(sources(folder).into_iter().map(|name| (name, "10s")));
    }
    let is_long = std::env::var_os("KRIPKE_ENDLESS_COUNT").is_some();
    let endless = sources(ENDLESS).into_iter();
    let some = endless.filter(|name| is_long || SOME_ENDLESS.iter().any(|one| name.ends_with(one)));
    all.extend(some.map(|name| (name, "30s")));
    all
}

#[test]
fn a_name_that_is_given_twice_means_the_variable_in_scope() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let certificate = folder.path().join("proof.yml");
    let name = certificate.to_str().expect("a name that can be written");
    let program = "tests/filetests/invariants/two_counters_of_one_name.c";
    let arguments = ["check", program, "--only-invariants", "--certificate", name];
    let output = kripke(&arguments, &root());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let found = invariants(&std::fs::read_to_string(&certificate).expect("a certificate"));
    let source = std::fs::read_to_string(root().join(program)).expect("a program");
    let second = source.lines().position(|line| line.contains("while (k < seen"));
    let second = second.expect("a loop") + 1;
    let of_second = found.iter().find(|of| of.line == second);
    assert_eq!(of_second.expect("an invariant").condition, "(k <= 200)");
}

/// The number of loops that random runs come to, of which a program's proof has invariants; none of the runs
/// breaks one.
fn loops_with_invariants(program: &str, time: &str) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (code, said) = check(program, folder.path(), time);
    let needs_some = NEEDS_INVARIANTS.contains(&program);
    assert!(!needs_some || code == Some(0), "{program}: {said}");
    // Where nothing holds there is none.
    let witness = std::fs::read_to_string(folder.path().join("proof.yml")).unwrap_or_default();
    let source = std::fs::read_to_string(root().join(program)).expect("a program");
    let code = inputs(&source);
    let found = invariants(&witness);
    assert!(
        !needs_some || !found.is_empty(),
        "{program} has no invariants: {said}"
    );
    let is_reached = |of: &Invariant| {
        let Invariant { line, condition, .. } = of;
        let stops_where = |condition: &str| {
            let text = stopping(&source, of, condition);
            stops(folder.path(), &text, &code)
        };
        assert!(
            !stops_where(&format!("!({condition})")),
            "{program}:{line}: {condition}"
        );
        // Random inputs do not come to every loop.
        let is_reached = stops_where(condition);
        assert!(is_reached || !needs_some, "{program}:{line} is never reached");
        is_reached
    };
    found.iter().filter(|of| is_reached(of)).count()
}

#[test]
fn no_run_breaks_an_invariant() {
    let loops = for_each(&programs(), |(program, time)| {
        loops_with_invariants(program, time)
    });
    let loops: usize = loops.into_iter().sum();
    println!("the invariants of {loops} loops that were reached hold");
    assert!(loops >= 5, "the invariants of {loops} loops");
}
