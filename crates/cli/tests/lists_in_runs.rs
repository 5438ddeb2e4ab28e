//! Verdicts on random programs that build and take apart lists of any length, against runs of the program
//! that gcc makes of them with its address sanitizer.
//!
//! Stacks, queues and doubly linked lists, half of them with a statement left out, moved or changed. What
//! Kripke says *holds* must not fail in any run with random inputs. The proofs rest on objects that stand for
//! all that a place allocates, which no other oracle of the tests has.
//!
//! `KRIPKE_LISTS_COUNT` programs are tried (10 unless set), from seed `KRIPKE_LISTS_SEED` on.

mod common;

use std::path::Path;
use std::process::Command;

use common::{for_each, setting};
use kripke_logic::random::Random;
use serde_json::Value;

/// Ways to check, of which each program takes the first and one of the others.
const WAYS: [&[&str]; 4] = [&[], &["--only-invariants"], &["--no-invariants"], &["--no-pdr"]];
/// How long each check may take.
const TIMEOUT: &str = "6s";
/// How many runs of a program there are.
const RUNS: usize = 60;

/// What all programs begin with.
const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\n\
    struct node { int value; struct node *next, *prev; };\nstatic struct node *head, *tail, *other;\n";

/// Operations on a stack, a queue and a doubly linked list, as statements.
const STACK: &[&[&str]] = &[
    &[
        "struct node *n = malloc(sizeof *n);",
        "n->value = 5;",
        "n->prev = NULL;",
        "n->next = head;",
        "head = n;",
    ],
    &[
        "struct node *n = head;",
        "if (!n) continue;",
        "assert(n->value == 5);",
        "head = n->next;",
        "free(n);",
    ],
];
const QUEUE: &[&[&str]] = &[
    &[
        "struct node *n = malloc(sizeof *n);",
        "n->value = 5;",
        "n->prev = NULL;",
        "n->next = NULL;",
        "if (head) tail->next = n; else head = n;",
        "tail = n;",
    ],
    &[
        "if (!head) continue;",
        "struct node *n = head;",
        "assert(n->value == 5);",
        "head = n->next;",
        "free(n);",
    ],
];
const DOUBLY: &[&[&str]] = &[
    &[
        "struct node *n = malloc(sizeof *n);",
        "n->value = 5;",
        "n->prev = NULL;",
        "n->next = head;",
        "if (head) head->prev = n;",
        "head = n;",
    ],
    &[
        "struct node *n = head;",
        "while (n && __VERIFIER_nondet_int() % 2) n = n->next;",
        "if (!n) continue;",
        "assert(n->value == 5);",
        "if (n->prev) n->prev->next = n->next; else head = n->next;",
        "if (n->next) n->next->prev = n->prev;",
        "free(n);",
    ],
];
/// What may come beside them.
const BESIDE: &[&[&str]] = &[
    &["if (head) other = head->next;"],
    &["other = head;"],
    &["for (struct node *p = head; p; p = p->next)", "p->value = 5;"],
    &["if (other) assert(other->value == 5);"],
    &[
        "struct node *n = malloc(sizeof *n);",
        "n->value = 5;",
        "n->next = n->prev = other;",
        "other = n;",
    ],
    &[
        "if (!head || !head->next) continue;",
        "struct node *n = head->next;",
        "head->next = n->next;",
        "if (n->next) n->next->prev = head;",
        "if (tail == n) tail = head;",
        "free(n);",
    ],
    &["head = NULL;", "tail = NULL;"],
];

/// The program of a seed.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let base = [STACK, QUEUE, DOUBLY][random.below(3)];
    let mut operations: Vec<Vec<String>> = Vec::new();
    let owned = |operation: &[&str]| operation.iter().map(|line| (*line).to_owned()).collect();
    operations.extend(base.iter().map(|operation| owned(operation)));
    if random.below(2) == 0 {
        operations.push(owned(BESIDE[random.below(BESIDE.len())]));
    }
    if random.below(2) == 0 {
        change(&mut random, &mut operations);
    }
    let mut text = format!("{HEAD}int main(void) {{\nfor (;;) {{\n");
    for (number, operation) in operations.iter().enumerate() {
        let condition = format!("__VERIFIER_nondet_int() % {} == 0", operations.len() - number);
        text += &format!("if ({condition}) {{\n{}\ncontinue;\n}}\n", operation.join("\n"));
    }
    text + "}\n}\n"
}

/// A statement is left out, changes places with the next, or means another variable.
fn change(random: &mut Random, operations: &mut [Vec<String>]) {
    let which = random.below(operations.len());
    let operation = &mut operations[which];
    // A declaration that were missing would be no program.
    let movable: Vec<usize> = (0..operation.len())
        .filter(|at| !operation[*at].starts_with("struct") && !operation[*at].starts_with("for"))
        .collect();
    if movable.is_empty() {
        return;
    }
    let at = movable[random.below(movable.len())];
    match random.below(4) {
        0 if movable.contains(&(at + 1)) => operation.swap(at, at + 1),
        1 => operation[at] = operation[at].replace("head", "tail"),
        2 => operation[at] = operation[at].replace("next", "prev"),
        _ => drop(operation.remove(at)),
    }
}

/// The lines at which runs with random inputs end by a fault or an assertion.
fn failing_lines(folder: &Path) -> Vec<u32> {
    let driver = "#include <stdlib.h>\nstatic unsigned state, left = 200;\n\
        int __VERIFIER_nondet_int(void) {\n  if (!left--) _Exit(0);\n\
        return (state = state * 1664525u + 1013904223u) >> 8 & 0xffff;\n}\n\
        __attribute__((constructor)) static void start(void) { state = atoi(getenv(\"SEED\")); }\n";
    std::fs::write(folder.join("driver.c"), driver).expect("the folder is writable");
    let binary = folder.join("run");
    let built = Command::new("gcc")
        .args(["-w", "-g", "-O0", "-fsanitize=address", "-o"])
        .arg(&binary)
        .args([folder.join("program.c"), folder.join("driver.c")])
        .output()
        .expect("gcc is installed");
    let messages = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{}: {messages}", folder.display());
    let mut lines = Vec::new();
    for seed in 0..RUNS {
        let output = Command::new(&binary)
            .env("SEED", (seed * 7919 + 1).to_string())
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.split("program.c:").nth(1).map(|after| {
            let digits = after.chars().take_while(char::is_ascii_digit);
            digits.collect::<String>().parse::<u32>().expect("a line")
        });
        lines.extend(line.filter(|_| !output.status.success()));
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The lines of properties that are said to hold, and of others.
fn verdicts(folder: &Path, way: &[&str]) -> Result<(Vec<u32>, Vec<u32>), String> {
    let report = folder.join("report.json");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args([
            "check",
            "program.c",
            "--all",
            "--timeout",
            TIMEOUT,
            "--json",
            "report.json",
        ])
        .args(way)
        .current_dir(folder)
        .output()
        .expect("kripke runs");
    if !matches!(output.status.code(), Some(0..=2)) {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let json = std::fs::read_to_string(&report).expect("a report");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let (mut holding, mut others) = (Vec::new(), Vec::new());
    for result in json["results"].as_array().expect("results") {
        let line = result["property"]["place"]["line"].as_u64().unwrap_or(0) as u32;
        match result["verdict"].as_str() {
            Some("holds") => holding.push(line),
            _ => others.push(line),
        }
    }
    Ok((holding, others))
}

/// How many properties hold, and how many are violated or open, of a program in a way; or what is wrong.
fn tried(seed: u64, way: &[&str]) -> Result<(usize, usize), String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = program(seed);
    std::fs::write(folder.path().join("program.c"), &text).expect("the folder is writable");
    let wrong = |why: &str| format!("seed {seed} {way:?}: {why}\n{text}");
    let (holding, others) = verdicts(folder.path(), way).map_err(|why| wrong(&why))?;
    for line in failing_lines(folder.path()) {
        if !others.contains(&line) {
            return Err(wrong(&format!("a run fails in line {line}, where all holds")));
        }
    }
    Ok((holding.len(), others.len()))
}

#[test]
fn what_holds_fails_in_no_run() {
    let first = setting("KRIPKE_LISTS_SEED", 1);
    let count = setting("KRIPKE_LISTS_COUNT", 10);
    let seeds: Vec<u64> = (first..first + count).collect();
    let results = for_each(&seeds, |seed| {
        let other = 1 + (*seed as usize) % (WAYS.len() - 1);
        [tried(*seed, WAYS[0]), tried(*seed, WAYS[other])]
    });
    let (mut holding, mut others, mut wrong) = (0, 0, Vec::new());
    for result in results.into_iter().flatten() {
        match result {
            Ok((held, open)) => {
                holding += held;
                others += open;
            }
            Err(why) => wrong.push(why),
        }
    }
    println!("{holding} properties hold, {others} do not or are open");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        holding * 3 > others * 2,
        "{holding} properties hold, {others} do not or are open"
    );
}
