//! Verdicts on random programs that go over arrays, against the programs themselves.
//!
//! Loops are proved by invariants alone, so what is said of elements by the places that count them is all
//! there is. Each program is compiled by gcc and run on all small lengths, indices and values, with several
//! contents: what fails there does not hold. `KRIPKE_ARRAYS_COUNT` programs of each sort are tried (12 unless
//! set), from seed `KRIPKE_ARRAYS_SEED` (1) on.

mod common;
mod random_arrays;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{folder_with, for_each, kripke, setting};
use kripke_bmc::{Options, Silent, check};
use kripke_elts::passes::{PassOptions, optimise};
use kripke_model::{PropertyKind, Verdict};
use random_arrays::{MAX_VALUE, SIZE, folds, program};

/// How long a proof may take.
const LONGEST: Duration = Duration::from_secs(6);

/// Runs the program on all small inputs; ends with 1 where a claim fails.
fn driver() -> String {
    format!(
        "#include <string.h>\n\
         static unsigned given[3], count, random, failed;\n\
         unsigned __VERIFIER_nondet_uint(void) {{\n    \
             if (count < 3) return given[count++];\n    \
             random = random * 1664525 + 1013904223;\n    \
             return random >> 20 & (count++ % 7 ? 3 : 255);\n}}\n\
         void __VERIFIER_assert(int holds) {{ failed |= !holds; }}\n\
         #define NATIVE\n\
         #include \"program.c\"\n\
         int main(void) {{\n    \
             static const unsigned lengths[] = {{ 0, 1, 2, 3, 6, {SIZE} - 2 }};\n    \
             for (unsigned seed = 0; seed < 12; seed++)\n    \
             for (unsigned n = 0; n < 6; n++)\n    \
             for (unsigned k = 0; k < 8; k++)\n    \
             for (unsigned v = 0; v <= {MAX_VALUE}; v++) {{\n        \
                 given[0] = lengths[n]; given[1] = k; given[2] = v;\n        \
                 count = 0; random = seed * 77777 + n;\n        \
                 memset(a, 0, sizeof a); memset(b, 0, sizeof b);\n        \
                 run();\n    \
             }}\n    \
             return failed;\n}}\n"
    )
}

/// Does a run of the compiled program fail?
fn fails(folder: &Path) -> bool {
    let run = |command: &mut Command| {
        let status = command.current_dir(folder).status();
        status.unwrap_or_else(|why| panic!("{command:?}: {why}"))
    };
    let compiled = run(Command::new("gcc").args(["-w", "-O1", "-fwrapv", "-o", "driver", "driver.c"]));
    assert!(compiled.success(), "{}", folder.display());
    !run(&mut Command::new(folder.join("driver"))).success()
}

/// Does the claim hold by invariants alone?
fn holds(folder: &Path) -> bool {
    let output = kripke(&["elts", "program.c"], folder);
    let text = String::from_utf8(output.stdout).expect("letters");
    let mut program = kripke_elts::text::parse(&text).expect("a program model");
    optimise(&mut program, &PassOptions::default());
    let options = Options {
        all: true,
        only_invariants: true,
        deadline: Some(Instant::now() + LONGEST),
        ..Options::default()
    };
    let report = check(&program, &options, &mut Silent).expect("a report");
    let mut results = report.results.iter();
    let claim = results.find(|result| result.property.kind == PropertyKind::Assertion);
    matches!(claim.map(|claim| &claim.verdict), Some(Verdict::Holds { .. }))
}

#[test]
fn what_holds_of_elements_fails_in_no_run() {
    compare(program);
}

#[test]
fn what_is_computed_from_elements_twice_is_the_same_in_each_run() {
    compare(folds);
}

/// Compares verdicts with runs.
fn compare(program: fn(u64) -> String) {
    let first = setting("KRIPKE_ARRAYS_SEED", 1);
    let seeds: Vec<u64> = (first..first + setting("KRIPKE_ARRAYS_COUNT", 12)).collect();
    let outcomes = for_each(&seeds, |seed| {
        let (text, driver) = (program(*seed), driver());
        let folder = folder_with(&[("program.c", text.as_str()), ("driver.c", driver.as_str())]);
        (holds(folder.path()), fails(folder.path()), text)
    });
    let wrong = outcomes.iter().find(|(holds, fails, _)| *holds && *fails);
    assert!(
        wrong.is_none(),
        "holds, and fails when it runs:\n{}",
        wrong.unwrap().2
    );
    let count = |wanted: (bool, bool)| {
        let mut outcomes = outcomes.iter().map(|(holds, fails, _)| (*holds, *fails));
        outcomes.by_ref().filter(|outcome| *outcome == wanted).count()
    };
    let (proved, refuted, open) = (count((true, false)), count((false, true)), count((false, false)));
    println!("{proved} proved, {refuted} fail, {open} open");
    for (_, _, text) in outcomes.iter().filter(|(holds, fails, _)| !holds && !fails) {
        println!("open:\n{text}");
    }
    assert!(
        proved * 6 > seeds.len(),
        "{proved} proved, {refuted} fail, {open} open"
    );
}
