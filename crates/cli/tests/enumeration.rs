//! Verdicts on assertions in random small programs against enumeration by gcc.
//!
//! Programs that end are run on all their inputs. Programs that never end have few states: one iteration is
//! run from every state with every input, and a search from the initial state tells whether the assertion can
//! fail. *Holds* and *violated* must be the truth, k-induction included; *unknown* is only counted.
//!
//! `KRIPKE_ENUMERATION_COUNT` programs of each sort are tried (20 unless set), from seed
//! `KRIPKE_ENUMERATION_SEED` on.

mod common;
mod random_programs;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use common::{folder, native, setting};
use random_programs::{COMMON, PLAIN, STATES, body};

/// The same macros for gcc, without anything to watch.
const NATIVE: &str = "
#include <stdio.h>
static unsigned in(void);
static int failed;
static void __VERIFIER_assert(int holds) { failed |= !holds; }
#define W(place, value) do { (place) = (value) & 3; } while (0)
#define COPY(x, y) do { unsigned char two[2] = {(x) & 3, (y) & 3}; memcpy(t, two, 2); } while (0)
";

/// What an assertion can compare.
const TERMS: [&str; 6] = ["a", "b", "c", "t[0]", "t[1]", "(a ^ c)"];

fn assertion(random: &mut kripke_logic::random::Random) -> String {
    let mut pick = |count: usize| random.below(count);
    let (left, right) = (TERMS[pick(6)], TERMS[pick(6)]);
    match pick(4) {
        0 => format!("{left} != {}", pick(4)),
        1 => format!("{left} <= {right} || b != {}", pick(4)),
        2 => format!("{left} != 3 || {right} != {}", pick(4)),
        _ => format!("({left} + {right}) != {}", 4 + pick(3)),
    }
}

/// The exit code of `kripke check` on a program.
fn kripke(folder: &Path, text: &str) -> i32 {
    let source = folder.join("program.c");
    std::fs::write(&source, text).expect("target folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(&source)
        .args([
            "--check",
            "assertion",
            "--quiet",
            "--max-unwind",
            "16",
            "--timeout",
            "30s",
        ])
        .output()
        .expect("kripke runs");
    common::verdict(&output, &source)
}

/// Compares many programs; `truth` says of a body and an assertion the whole program, and whether the
/// assertion can fail. So many of a hundred may be unknown.
fn compare(
    name: &str,
    seeds: u64,
    inputs: usize,
    may_return: bool,
    tolerated: u64,
    truth: impl Fn(&Path, &str, &str) -> (String, bool),
) {
    let first = setting("KRIPKE_ENUMERATION_SEED", 1);
    let count = setting("KRIPKE_ENUMERATION_COUNT", 20);
    let (mut violated, mut holding, mut unknown) = (0, 0, 0);
    for seed in first..first + count {
        let (body, mut random) = body(seed + seeds, inputs, may_return);
        let assertion = assertion(&mut random);
        let folder = folder(&format!("{name}-{seed}"));
        let (program, fails) = truth(&folder, &body, &assertion);
        match kripke(&folder, &program) {
            0 => {
                assert!(!fails, "{name}, seed {seed}: holds was claimed of {assertion}");
                holding += 1;
            }
            1 => {
                assert!(
                    fails,
                    "{name}, seed {seed}: a violation was claimed of {assertion}"
                );
                violated += 1;
            }
            _ => unknown += 1,
        }
        std::fs::remove_dir_all(&folder).ok();
    }
    println!("{name}: {violated} violated, {holding} hold, {unknown} unknown");
    assert!(
        unknown * 100 <= count * tolerated,
        "{name}: {unknown} of {count} are unknown"
    );
}

#[test]
fn programs_that_end() {
    compare(
        "assertions-end",
        2_000_000,
        3,
        true,
        25,
        |folder, body, assertion| {
            let text = format!("{body}__VERIFIER_assert({assertion});\nreturn 0;");
            let runs = native(
                folder,
                &format!(
                    "{COMMON}{NATIVE}static unsigned rest;\n\
                 static unsigned in(void) {{ unsigned bits = rest & 3; rest >>= 2; return bits; }}\n\
                 static int run(void) {{ unsigned u = 0;\n{text} }}\n\
                 int main(void) {{ for (unsigned i = 0; i < 64; i++) {{ a = b = c = t[0] = t[1] = failed = \
                 0; \
                 rest = i; run(); printf(\"%d\\n\", failed); }} return 0; }}\n"
                ),
            );
            let program = format!(
                "{COMMON}{PLAIN}void __VERIFIER_assert(int);\nint main(void) {{ unsigned u = 0;\n{text} }}\n"
            );
            (program, runs.iter().any(|run| run == "1"))
        },
    );
}

#[test]
fn programs_that_never_end() {
    compare(
        "assertions-loop",
        3_000_000,
        1,
        false,
        25,
        |folder, body, assertion| {
            let text = format!("unsigned u = 0;\n{body}__VERIFIER_assert({assertion});\n");
            let lines = native(
                folder,
                &format!(
                    "{COMMON}{NATIVE}static unsigned input;\nstatic unsigned in(void) {{ return input; }}\n\
                 int main(void) {{ for (unsigned s = 0; s < {STATES}; s++) for (input = 0; input < 4; \
                 input++) {{\n\
                 a = s & 3; b = s >> 2 & 3; c = s >> 4 & 3; t[0] = s >> 6 & 3; t[1] = s >> 8 & 3; failed = \
                 0;\n\
                 {{ {text} }}\n\
                 printf(\"%d %u\\n\", failed, a | b << 2 | c << 4 | t[0] << 6 | t[1] << 8); }}\n return 0; \
                 }}\n"
                ),
            );
            let program = format!(
                "{COMMON}{PLAIN}void __VERIFIER_assert(int);\nint main(void) {{ for (;;) {{ {text}}} }}\n"
            );
            (program, can_fail(&lines, vec![0]))
        },
    );
}

/// A loop that never ends and may be entered in its middle, by a `goto` past the first half of its body. No
/// induction proves such a loop: only those are known to hold in which nothing is reached that could fail.
#[test]
fn programs_whose_loop_is_entered_in_its_middle() {
    compare(
        "assertions-middle",
        4_000_000,
        1,
        false,
        60,
        |folder, first, assertion| {
            let (second, _) = body(folder_seed(folder) + 5_000_000, 0, false);
            let check = format!("__VERIFIER_assert({assertion});\n");
            let lines = native(
                folder,
                &format!(
                    "{COMMON}{NATIVE}static unsigned input, u;\n\
                     static unsigned in(void) {{ return input; }}\n\
                     static void half(void) {{\n{second}{check}}}\n\
                     static void tell(void) {{\n\
                     printf(\"%d %u\\n\", failed, a | b << 2 | c << 4 | t[0] << 6 | t[1] << 8); }}\n\
                     int main(void) {{\n\
                     for (unsigned s = 0; s < {STATES}; s++) for (input = 0; input < 4; input++) {{\n\
                     a = s & 3; b = s >> 2 & 3; c = s >> 4 & 3; t[0] = s >> 6 & 3; t[1] = s >> 8 & 3;\n\
                     failed = u = 0;\n{{ {first} }}\n half(); tell(); }}\n\
                     a = 1; b = 2; c = 3; t[0] = t[1] = failed = u = 0; half(); tell();\n return 0; }}\n"
                ),
            );
            let program = format!(
                "{COMMON}{PLAIN}void __VERIFIER_assert(int);\nint main(void) {{ unsigned u = 0;\n\
                 if (in() == 3) {{ W(a, 1); W(b, 2); W(c, 3); goto middle; }}\n\
                 for (;;) {{ u = 0;\n{first}middle: ;\n{second}{check}}} }}\n"
            );
            let (loops, middle) = lines.split_at(4 * STATES);
            let (failed, next) = middle[0].split_once(' ').expect("two numbers");
            let starts = vec![0, next.parse().expect("a number")];
            (program, failed == "1" || can_fail(loops, starts))
        },
    );
}

/// The number at the end of a folder's name.
fn folder_seed(folder: &Path) -> u64 {
    let name = folder.file_name().expect("a name").to_string_lossy();
    let number = name.rsplit('-').next().expect("a number");
    number.parse().expect("a number")
}

/// Does a search from the initial states meet a failing iteration?
fn can_fail(lines: &[String], starts: Vec<usize>) -> bool {
    let mut known = BTreeSet::new();
    let mut open = starts;
    while let Some(state) = open.pop() {
        if !known.insert(state) {
            continue;
        }
        for line in &lines[4 * state..4 * state + 4] {
            let (failed, next) = line.split_once(' ').expect("two numbers");
            if failed == "1" {
                return true;
            }
            open.push(next.parse().expect("a number"));
        }
    }
    false
}
