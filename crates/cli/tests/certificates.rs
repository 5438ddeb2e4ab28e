//! Proofs that others can check: other solvers confirm the formulas of certificates, and no run of the
//! compiled program breaks an invariant of a witness.

mod common;
mod witness;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{kripke, text};
use witness::{Invariant, body, invariants};

/// Programs whose proofs are of all kinds: bounds, paths that are not followed, induction, invariants.
const PROVED: [&str; 9] = [
    "benches/endless/byte_ring.c",
    "benches/endless/elevator.c",
    "benches/endless/pid_controller.c",
    "tests/filetests/induction/recursion_before_the_endless_loop.c",
    "tests/filetests/invariants/counters_move_together.c",
    "tests/filetests/invariants/flag_implies_a_bound.c",
    "tests/filetests/invariants/index_that_wraps.c",
    "tests/filetests/memory/range_of_any_length.c",
    "tests/filetests/recursion/bytes_decide_how_deep.c",
];

/// Programs whose proofs need invariants that C can say.
const WITH_INVARIANTS: [&str; 4] = [
    "benches/endless/pid_controller.c",
    "tests/filetests/invariants/data_that_is_only_moved.c",
    "tests/filetests/invariants/index_that_wraps.c",
    "tests/filetests/invariants/two_loops_share_a_bound.c",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the certificate of a program into a folder; the number of its formulas.
fn certified(program: &str, folder: &Path) -> usize {
    let certificate = folder.join("proof.yml");
    let arguments = ["check", program, "--timeout", "60s", "--certificate"];
    let mut arguments: Vec<&str> = arguments.to_vec();
    let name = certificate.to_str().expect("a name that can be written");
    arguments.push(name);
    let output = kripke(&arguments, &root());
    assert_eq!(output.status.code(), Some(0), "{program}: {}", text(&output));
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
    let mut formulas = 0;
    for program in PROVED {
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
        formulas += count;
    }
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
        "{} if ({condition}) __builtin_trap(); else {}",
        &source[..at],
        &source[at..]
    )
}

/// Functions for the inputs that a program declares; the run ends after many of them.
fn inputs(source: &str) -> String {
    let mut code = String::from(
        "#include <stdint.h>\n#include <stdlib.h>\n#include <stdbool.h>\n\
         static unsigned long next(void) { static unsigned long state = SEED, count; \
         if (++count > 200000) exit(0); state = state * 6364136223846793005ul + 1442695040888963407ul; \
         unsigned long value = state >> 33; return count % 3 ? value : value % 9; }\n\
         void __VERIFIER_assert(int holds) { if (!holds) exit(1); }\n\
         void __VERIFIER_assume(int holds) { if (!holds) exit(0); }\n",
    );
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

/// How a compiled program ends; it stops by a signal where the statement does not hold.
fn ends_well(folder: &Path, program: &str, inputs: &str) -> bool {
    std::fs::write(folder.join("program.c"), program).expect("a file");
    std::fs::write(folder.join("inputs.c"), inputs).expect("a file");
    (1..=3).all(|seed| {
        let compiled = Command::new("gcc")
            .args(["-w", "-O1", "-o", "program", "program.c", "inputs.c"])
            .arg(format!("-DSEED={seed}"))
            .current_dir(folder)
            .output()
            .expect("gcc is installed");
        assert!(compiled.status.success(), "{}", text(&compiled));
        let output = Command::new(folder.join("program")).output().expect("it runs");
        output.status.code() == Some(0)
    })
}

#[test]
fn no_run_breaks_an_invariant() {
    for program in WITH_INVARIANTS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        certified(program, folder.path());
        let witness = std::fs::read_to_string(folder.path().join("proof.yml")).expect("a witness");
        let source = std::fs::read_to_string(root().join(program)).expect("a program");
        let found = invariants(&witness);
        assert!(!found.is_empty(), "{program} has no invariants:\n{witness}");
        let code = inputs(&source);
        for of in found {
            let Invariant { line, condition, .. } = &of;
            let ends = |condition: &str| {
                let text = stopping(&source, &of, condition);
                ends_well(folder.path(), &text, &code)
            };
            assert!(ends(&format!("!({condition})")), "{program}:{line}: {condition}");
            assert!(!ends(condition), "{program}:{line} is never reached");
        }
    }
}
