//! The reduction of schedules of threads: how many are left, against numbers that are computed by hand, and
//! that verdicts are the same with it and without it.
//!
//! Without hashing exactly one schedule is left of each set of schedules that differ in the order of
//! independent steps only. So what is counted is in which orders the dependent ones may come.
//!
//! `KRIPKE_ALL_REDUCTIONS=1` compares verdicts on all programs with threads in `tests/filetests`, else on
//! every twenty-fourth.

mod common;
mod filetest;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use common::{expect, folder, kripke, setting, text};
use filetest::{Test, find_tests, root};
use serde_json::Value;

/// What is counted of the schedules of a program with the reduction: those that came to its end, those that
/// were left at a state seen before, and how often a thread was not chosen.
fn counts(folder: &Path, program: &str, options: &[&str]) -> [u64; 3] {
    std::fs::write(folder.join("program.c"), program).expect("target folder is writable");
    let usual = [
        "check",
        "program.c",
        "--explore",
        "interleavings",
        "--json",
        "report.json",
    ];
    let output = kripke(&[&usual, options].concat(), folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let report = std::fs::read_to_string(folder.join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let counted = &report["statistics"]["interleavings"];
    ["complete", "left", "pruned"].map(|name| counted[name].as_u64().unwrap_or_default())
}

/// A program whose threads run these bodies; main ends before the last of them does.
fn program(shared: &str, bodies: &[&str]) -> String {
    let mut text = format!("#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n{shared}\n");
    let mut starts = String::new();
    for (index, body) in bodies.iter().enumerate() {
        text += &format!("static void *run{index}(void *unused)\n{{\n    {body}\n    return unused;\n}}\n");
        starts += &format!("    pthread_create(&thread, NULL, run{index}, NULL);\n");
    }
    text + &format!("int main(void)\n{{\n    pthread_t thread;\n{starts}    pthread_exit(NULL);\n}}\n")
}

fn factorial(number: usize) -> u64 {
    (1..=number as u64).product()
}

/// A program, and how many schedules there are without hashing.
fn has(name: &str, shared: &str, bodies: &[&str], schedules: u64) {
    let folder = folder(&format!("thread-reduction-{name}"));
    let text = program(shared, bodies);
    let [complete, left, _] = counts(&folder, &text, &["--state-hashing", "off"]);
    assert_eq!((complete, left), (schedules, 0), "{bodies:?}");
    // Hashing leaves some that come to the same values in different ways.
    let [hashed, ..] = counts(&folder, &text, &["--state-hashing", "on"]);
    assert!(hashed <= complete, "{bodies:?}: {hashed} with hashing");
    std::fs::remove_dir_all(&folder).ok();
}

/// n threads that have nothing to do with each other: n! orders in which they run, if each runs from its
/// beginning to its end (see `thread_counts.rs`), and one with the reduction.
#[test]
fn independent_threads_have_one_schedule() {
    let folder = folder("thread-reduction-independent");
    for threads in 1..=4 {
        let bodies = ["numbers[0]++;", "numbers[1]++;", "numbers[2]++;", "numbers[3]++;"];
        let text = program("static int numbers[4];", &bodies[..threads]);
        for hashing in ["on", "off"] {
            let options = ["--state-hashing", hashing];
            let [complete, left, pruned] = counts(&folder, &text, &options);
            assert_eq!((complete, left), (1, 0), "{threads} threads, hashing {hashing}");
            assert!(pruned > 0);
        }
        let orders = ["--context-bound", "0", "--state-hashing", "off"];
        assert_eq!(counts(&folder, &text, &orders), [factorial(threads), 0, 0]);
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// Where each has one step that depends on those of all others, these come in any order.
#[test]
fn dependent_steps_come_in_any_order() {
    for threads in 2..=4 {
        let bodies = vec!["sum++;"; threads];
        let name = format!("sum-{threads}");
        has(&name, "static atomic_int sum;", &bodies, factorial(threads));
    }
    let both = ["own[0]++; sum++;", "own[1]++; sum++;"];
    has("both", "static atomic_int sum, own[2];", &both, 2);
    let both = ["sum++; own[0]++; sum++;", "own[1]++; sum++;"];
    // The one addition comes before, between or behind the other two.
    has("three", "static atomic_int sum, own[2];", &both, 3);
    let locks = vec!["pthread_mutex_lock(&lock); number++; pthread_mutex_unlock(&lock);"; 2];
    let shared = "static pthread_mutex_t lock; static int number;";
    has("locks", shared, &locks, 2);
}

/// Reads do not depend on each other: each comes before the write or behind it.
#[test]
fn reads_of_one_variable_come_in_one_order() {
    for readers in 1..=3 {
        let mut bodies = vec!["(void)atomic_load(&number);"; readers];
        bodies.push("number = 1;");
        let name = format!("readers-{readers}");
        has(&name, "static atomic_int number;", &bodies, 1 << readers);
    }
}

/// Two threads read a variable and write it, each in two steps. If the one is done before the other begins,
/// there are 2 orders; else both have read before one writes, and either writes first.
#[test]
fn reads_and_writes_depend_on_each_other() {
    has("both-add", "static int number;", &["number++;", "number++;"], 4);
}

/// Figure 3: two threads add to one variable, each in two steps; a third one has 2 steps that depend on none
/// of theirs. The end of `main` depends on all: when it comes, each thread has taken some steps. A thread
/// that adds has taken 0 or 1 steps before it reads, has read, or has written and taken 0 or 1 more steps.
/// The reads and writes of both come in so many orders:
///
/// | | no access | read | read and written |
/// |---|---:|---:|---:|
/// | no access | 1 | 1 | 1 |
/// | read | 1 | 1 | 2 |
/// | read and written | 1 | 2 | 4 |
///
/// With the 2, 1 and 2 ways to be in each case that makes 41, times 3 for the steps of the third thread.
#[test]
fn figure_3() {
    let orders = [[1, 1, 1], [1, 1, 2], [1, 2, 4]];
    let ways = [2, 1, 2];
    let both: u64 = (0..3)
        .flat_map(|a| (0..3).map(move |b| ways[a] * ways[b] * orders[a][b]))
        .sum();
    assert_eq!(both, 41);
    let folder = folder("thread-reduction-figure-3");
    let text = std::fs::read_to_string(root().join("../../examples/threads/figure3.c")).expect("it is there");
    let [complete, left, pruned] = counts(&folder, &text, &["--state-hashing", "off"]);
    assert_eq!((complete, left), (3 * both, 0));
    assert!(pruned > 0);
    // With hashing each state in which main may end does so once. It is known of both threads where they are,
    // what they have read, and what the variable is.
    let [complete, left, _] = counts(&folder, &text, &[]);
    let off = counts(&folder, &text, &["--partial-order-reduction", "off"]);
    assert_eq!(complete, off[0]);
    assert!(complete + left < off[0] + off[1]);
    std::fs::remove_dir_all(&folder).ok();
}

/// With hashing each state in which main may end does so once, with the reduction and without it: all states
/// are come to. In some of them fewer threads sleep when they are come to again.
#[test]
fn all_states_are_come_to() {
    let folder = folder("thread-reduction-states");
    let programs: [(&str, &[&str]); 4] = [
        (
            "static int x, y, z;",
            &["x++; y = 1;", "y++; z = 1;", "z++; x = 1;"],
        ),
        (
            "static atomic_int x, y;",
            &["x = 1; y = 2;", "y++; x++;", "x = y;"],
        ),
        (
            "static int x, y;",
            &["if (y) x++;", "y = 1; if (x) y = 2;", "x = 3;"],
        ),
        (
            "static pthread_mutex_t a, b; static int x, y;",
            &[
                "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);",
                "pthread_mutex_lock(&b); y++; x++; pthread_mutex_unlock(&b);",
                "pthread_mutex_lock(&a); y = x; pthread_mutex_unlock(&a);",
            ],
        ),
    ];
    for (shared, bodies) in programs {
        let text = program(shared, bodies).replace("pthread_exit(NULL)", "return 0");
        let [on, left, _] = counts(&folder, &text, &[]);
        let [off, left_without, _] = counts(&folder, &text, &["--partial-order-reduction", "off"]);
        assert_eq!(on, off, "{bodies:?}");
        assert!(left < left_without, "{bodies:?}: {left} and {left_without}");
    }
    std::fs::remove_dir_all(&folder).ok();
}

/// What steps touch beside memory, and what they touch late.
#[test]
fn violations_are_found_in_any_order() {
    let folder = folder("thread-reduction-found");
    let programs = [
        // The end of main ends all others.
        (
            "static atomic_int number;",
            "number = 1;",
            "if (number) __builtin_trap();",
            "return 0;",
            "trap",
        ),
        // One thread lets another one go on.
        (
            "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static int number;",
            "pthread_mutex_lock(&lock); number = 1; pthread_mutex_unlock(&lock);",
            "pthread_mutex_lock(&lock); assert(!number); pthread_mutex_unlock(&lock);",
            "pthread_exit(NULL);",
            "!number",
        ),
        // A wait comes round again and again with the same values.
        (
            "static atomic_int number, other;",
            "while (!number) { } assert(!other);",
            "other = 1; number = 1;",
            "pthread_exit(NULL);",
            "!other",
        ),
        // Objects end with a thread.
        (
            "static int *_Atomic place;",
            "int own = 1; place = &own; place = NULL;",
            "int *at = place; if (at) { assert(*at == 1); place = NULL; }",
            "pthread_exit(NULL);",
            "at",
        ),
        // Where a pointer points to depends on the other thread.
        (
            "static int number, *at = &number; static atomic_int other;",
            "*at = 1; other = 1;",
            "static int own; at = &own; if (other) assert(number);",
            "pthread_exit(NULL);",
            "number",
        ),
        // What is done at once leaves a thread where others do not go on.
        (
            "static int number;\n\
             extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);",
            "__VERIFIER_atomic_begin(); assert(!number); __VERIFIER_atomic_end();",
            "__VERIFIER_atomic_begin(); number = 1; __VERIFIER_atomic_end();",
            "pthread_exit(NULL);",
            "!number",
        ),
        // Who ends last runs what the program does at its end.
        (
            "static _Thread_local int own; static void last(void) { assert(own != 1); }",
            "own = 1;",
            "own = 2;",
            "atexit(last); pthread_exit(NULL);",
            "own != 1",
        ),
        (
            "static _Thread_local int own;\n\
             __attribute__((destructor)) static void last(void) { assert(own != 2); }",
            "own = 1;",
            "own = 2;",
            "pthread_exit(NULL);",
            "own != 2",
        ),
        // What is freed is not there.
        (
            "static int *_Atomic place;",
            "int *own = malloc(sizeof *own); if (!own) return NULL; *own = 1; place = own; free(own);",
            "int *at = place; if (at) assert(*at == 1);",
            "pthread_exit(NULL);",
            "at",
        ),
    ];
    for (shared, first, second, end, said) in programs {
        let text = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
             {shared}\nstatic void *first(void *unused)\n{{\n{first}\nreturn unused;\n}}\n\
             static void *second(void *unused)\n{{\n{second}\nreturn unused;\n}}\n\
             int main(void)\n{{\npthread_t a, b;\npthread_create(&a, NULL, first, NULL);\n\
             pthread_create(&b, NULL, second, NULL);\n{end}\n}}\n"
        );
        std::fs::write(folder.join("program.c"), text).expect("target folder is writable");
        for hashing in ["on", "off"] {
            let options = [
                "--explore",
                "interleavings",
                "--state-hashing",
                hashing,
                "--timeout",
                "60s",
            ];
            expect(
                &[&["check", "program.c"][..], &options].concat(),
                &folder,
                1,
                said,
            );
        }
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder("thread-reduction-refused");
    std::fs::write(folder.join("program.c"), "int main(void) { return 0; }\n").expect("it is writable");
    let reduces = ["check", "program.c", "--partial-order-reduction", "on"];
    expect(
        &reduces,
        &folder,
        3,
        "--partial-order-reduction is for --explore interleavings",
    );
    let one_by_one = [&reduces[..], &["--explore", "interleavings"]].concat();
    expect(&one_by_one, &folder, 0, "HOLDS");
    let bounded = [&one_by_one[..], &["--context-bound", "1"]].concat();
    expect(&bounded, &folder, 3, "does not go together with --context-bound");
    let formula = [&one_by_one[..], &["--ltl", "G {1}"]].concat();
    expect(&formula, &folder, 3, "does not check formulas yet");
    std::fs::remove_dir_all(&folder).ok();
}

/// Options with which schedules are not explored one by one, or which say how they are.
const ELSEWHERE: [&str; 7] = [
    "--ltl",
    "--explore",
    "--each-function",
    "--harness",
    "--context-bound",
    "--certificate",
    "--timeout",
];

/// The properties of a program with their verdicts; none where there is none.
fn verdicts(test: &Test, reduction: &str) -> Option<BTreeMap<String, String>> {
    let report = tempfile::NamedTempFile::new().expect("a temporary file");
    let options = [
        "--explore",
        "interleavings",
        "--partial-order-reduction",
        reduction,
    ];
    let limits = ["--timeout", "2s", "--memory-limit", "3GB"];
    Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(test.path.file_name().expect("a file name"))
        .args(&test.command[1..])
        .args(options)
        .args(limits)
        .args((!test.command.iter().any(|option| option == "--all")).then_some("--all"))
        .arg("--json")
        .arg(report.path())
        .current_dir(test.path.parent().expect("a folder"))
        .output()
        .expect("kripke starts");
    let json = std::fs::read_to_string(report.path()).ok()?;
    let json: Value = serde_json::from_str(&json).ok()?;
    let results = json["results"].as_array()?.iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Some(
        results
            .map(|result| (text(&result["property"]["id"]), text(&result["verdict"])))
            .collect(),
    )
}

/// No property holds with the reduction that is violated without it, or the other way round. Where one is
/// unknown, the time may have been too short.
#[test]
fn verdicts_are_the_same() {
    let mut tests = Vec::new();
    for part in ["threads", "rtos"] {
        find_tests(&root().join(part), &mut tests);
    }
    let is_one_by_one = |test: &Test| {
        let mut options = test.command.iter();
        test.command[0] == "check" && !options.any(|option| ELSEWHERE.contains(&option.as_str()))
    };
    tests.retain(is_one_by_one);
    let step = match setting("KRIPKE_ALL_REDUCTIONS", 0) {
        0 => 24,
        _ => 1,
    };
    let (mut same, mut unknown) = (0, 0);
    for test in tests.iter().step_by(step) {
        let (without, with) = (verdicts(test, "off"), verdicts(test, "on"));
        let (Some(without), Some(with)) = (without, with) else {
            continue;
        };
        for (id, verdict) in &without {
            let reduced = &with[id];
            let is_known = |verdict: &str| ["holds", "violated"].contains(&verdict);
            match is_known(verdict) && is_known(reduced) {
                true => assert_eq!(verdict, reduced, "{}: {id}", test.name),
                false => unknown += 1,
            }
            same += usize::from(verdict == reduced);
        }
    }
    println!("{same} verdicts are the same, {unknown} are unknown at least once");
    assert!(same > 2 * unknown, "{same} verdicts, {unknown} unknown");
}
