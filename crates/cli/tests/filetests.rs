//! The programs in `tests/filetests` (see the module `filetest`) get the answers that they expect.
//!
//! What C says is expected, not what the tool says: a test that Kripke gets wrong is listed in
//! `known-wrong.txt`, and the run fails when one of those begins to pass. Environment:
//! `KRIPKE_FILETESTS=text` runs the tests whose path contains the text, `KRIPKE_UPDATE=1` rewrites the
//! expectations, `KRIPKE_SOLVER=z3` is passed on as `--solver`, with `KRIPKE_ALL_SOLVERS=1` z3 and cvc5 are
//! compared on all tests, else each on every 24th.

mod common;
mod filetest;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use common::for_each;
use filetest::{Answer, Test, comment_sign, exit_code, find_tests, is_llvm_ir, root};
use serde_json::Value;

/// Runs a test with further options: the answer, written as the test writes it where it means the same, and
/// the output.
fn run(test: &Test, further: &[&str]) -> (Answer, String) {
    let report = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kripke"));
    let (subcommand, options) = test.command.split_first().expect("a command");
    command
        .arg(subcommand)
        .arg(test.path.file_name().expect("a file name"))
        .arg("--json")
        .arg(report.path());
    command.args(further);
    if !options
        .iter()
        .map(String::as_str)
        .chain(further.iter().copied())
        .any(|option| option == "--timeout")
    {
        command.args(["--timeout", "60s"]);
    }
    if let Ok(solver) = std::env::var("KRIPKE_SOLVER") {
        command.args(["--solver", &solver]);
    }
    let output = command
        .args(options)
        .current_dir(test.path.parent().expect("a folder"))
        .output();
    let output = output.expect("kripke starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let json = fs::read_to_string(report.path()).unwrap_or_default();
    let json: Value = serde_json::from_str(&json).unwrap_or_default();
    let answer = Answer {
        verdict: json["outcome"].as_str().unwrap_or("error").to_owned(),
        violates: violations(&json, &test.expected.violates),
        exit: output.status.code().unwrap_or(-1),
    };
    (answer, text)
}

/// What is violated: as `kind@line`, the line being that in the program, not in a library model.
fn violations(report: &Value, expected: &BTreeSet<String>) -> BTreeSet<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut violated = list(&report["results"]);
    violated.retain(|result| result["verdict"] == "violated");
    let name = |result: &Value| {
        let property = &result["property"];
        let id = property["id"].as_str().unwrap_or("?");
        if expected.contains(id) {
            return id.to_owned();
        }
        let steps = list(&result["trace"]["steps"]);
        let line = steps.last().map_or(&Value::Null, |step| &step["place"]["line"]);
        format!("{}@{line}", property["kind"].as_str().unwrap_or("?"))
    };
    violated.iter().map(name).collect()
}

/// What differs, as lines of a diff; empty when nothing does.
fn differences(test: &Test, answer: &Answer, output: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut compare = |key: &str, expected: &str, actual: &str| {
        if expected != actual {
            lines.push(format!("  - {key}: {expected}"));
            lines.push(format!("  + {key}: {actual}"));
        }
    };
    compare("verdict", &test.expected.verdict, &answer.verdict);
    compare("exit", &test.expected.exit.to_string(), &answer.exit.to_string());
    for missing in test.expected.violates.difference(&answer.violates) {
        lines.push(format!("  - violates: {missing}"));
    }
    for unexpected in answer.violates.difference(&test.expected.violates) {
        lines.push(format!("  + violates: {unexpected}"));
    }
    for text in test.prints.iter().filter(|text| !output.contains(*text)) {
        lines.push(format!("  - prints: {text}"));
    }
    if !lines.is_empty() && answer.verdict == "error" {
        lines.extend(output.lines().take(12).map(|line| format!("  | {line}")));
    }
    lines
}

/// Puts the answer in place of the expectation.
fn update(test: &Test, answer: &Answer) {
    let text = fs::read_to_string(&test.path).expect("a test is text");
    let comment = comment_sign(&test.path);
    let is_expectation = |line: &&str| {
        let key = line.strip_prefix(comment).map_or("", str::trim_start);
        ["verdict:", "violates:", "exit:"]
            .iter()
            .any(|known| key.starts_with(known))
    };
    let header = text.lines().take_while(|line| line.starts_with(comment)).count();
    let mut lines: Vec<String> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if index >= header || !is_expectation(&line) {
            lines.push(line.to_owned());
        }
        if index == 0 {
            lines.push(format!("{comment} verdict: {}", answer.verdict));
            lines.extend(
                answer
                    .violates
                    .iter()
                    .map(|violated| format!("{comment} violates: {violated}")),
            );
            if answer.exit != exit_code(&answer.verdict) {
                lines.push(format!("{comment} exit: {}", answer.exit));
            }
        }
    }
    fs::write(&test.path, lines.join("\n") + "\n").expect("the test is writable");
}

fn known_wrong() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("known-wrong.txt")).expect("the list of known wrong tests");
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn filetests() {
    let mut tests = Vec::new();
    find_tests(&root(), &mut tests);
    let filter = std::env::var("KRIPKE_FILETESTS").unwrap_or_default();
    tests.retain(|test| test.name.contains(&filter));
    assert!(!tests.is_empty(), "no test's path contains '{filter}'");
    let rewrite = std::env::var("KRIPKE_UPDATE").is_ok_and(|value| value == "1");
    let failures = for_each(&tests, |test| {
        let (answer, output) = run(test, &[]);
        let differences = differences(test, &answer, &output);
        if differences.is_empty() {
            return None;
        }
        if rewrite {
            update(test, &answer);
        }
        Some((test.name.clone(), differences))
    });
    report(&tests, failures.into_iter().flatten().collect());
}

/// Tests under another solver: never another verdict, and seldom none in the time it gets. Of sixteen tests
/// that follow each other one is z3's and one is cvc5's, unless both are asked for all.
fn agrees_with_default(solver: &str) {
    let mut tests = Vec::new();
    find_tests(&root(), &mut tests);
    let known = known_wrong();
    let fixed = |word: &String| word == "--solver" || word == "--timeout";
    tests.retain(|test| !known.contains(&test.name) && !test.command.iter().any(fixed));
    // Where the default gives up, another solver may not: there is nothing to compare.
    tests.retain(|test| test.expected.verdict != "unknown");
    if std::env::var_os("KRIPKE_ALL_SOLVERS").is_none() {
        let own = if solver == "z3" { 0 } else { 12 };
        tests = { tests.into_iter().enumerate() }
            .filter(|(index, _)| index % 24 == own)
            .map(|(_, test)| test)
            .collect();
    }
    let answers = for_each(&tests, |test| {
        let (answer, output) = run(test, &["--solver", solver, "--timeout", "10s"]);
        let undecided = answer.verdict == "unknown";
        let agrees = undecided || answer.verdict == test.expected.verdict;
        let disagreement = (!agrees).then(|| format!("{}: {}\n{output}", test.name, answer.verdict));
        (undecided, disagreement)
    });
    let undecided = answers.iter().filter(|(undecided, _)| *undecided).count();
    let disagreements: Vec<String> = answers
        .into_iter()
        .filter_map(|(_, disagreement)| disagreement)
        .collect();
    println!(
        "{solver}: {} tests, {undecided} without an answer in time",
        tests.len()
    );
    assert!(
        disagreements.is_empty(),
        "{solver} disagrees: {}",
        disagreements.join("\n")
    );
    assert!(
        undecided * 10 <= tests.len(),
        "{solver} gives no answer for {undecided} tests"
    );
}

#[test]
fn z3_agrees() {
    agrees_with_default("z3");
}

#[test]
fn cvc5_agrees() {
    agrees_with_default("cvc5");
}

/// Invariants that are found by reachability settle what is open without them, and contradict nothing.
#[test]
fn reachability_only_settles_more() {
    let mut tests = Vec::new();
    find_tests(&root(), &mut tests);
    let is_timed = |test: &Test| test.command.iter().any(|word| word == "--timeout");
    tests.retain(|test| test.name.starts_with("reachability/") && !is_timed(test));
    let answers = for_each(&tests, |test| {
        let (answer, output) = run(test, &["--no-pdr", "--timeout", "5s"]);
        let expected = [test.expected.verdict.as_str(), "unknown"];
        assert!(
            expected.contains(&answer.verdict.as_str()),
            "{}\n{output}",
            test.name
        );
        answer.verdict
    });
    assert!(answers.iter().any(|verdict| verdict == "unknown"), "{answers:?}");
}

/// What a compiled program shows of itself, with gcc's sanitizers.
const VISIBLE: &[&str] = &[
    "assertion",
    "overflow",
    "division-by-zero",
    "shift",
    "bounds",
    "free",
    "float-cast",
    "vla-bound",
];

/// Violations that a compiled program cannot show, and why.
const NOT_COMPILED: &[(&str, &str)] = &[
    (
        "checks/subtraction_overflow.c",
        "gcc folds the overflowing comparison away",
    ),
    (
        "contracts/clause_that_is_undefined.c",
        "a compiled program does not evaluate contracts",
    ),
    (
        "contracts/overflow_in_an_invariant.c",
        "a compiled program does not evaluate invariants",
    ),
    (
        "contracts/undefined_behaviour_in_an_invariant.c",
        "a compiled program does not evaluate invariants",
    ),
    (
        "globals/extern_without_definition.c",
        "a harness defines no objects",
    ),
    ("inputs/external_object.c", "a harness defines no objects"),
    (
        "library/allocation_of_nothing.c",
        "malloc(0) of the sanitizer's library gives a pointer, which C allows too",
    ),
    (
        "library/input_characters.c",
        "what libc reads from standard input is not replaced",
    ),
    (
        "library/line_without_newline.c",
        "what libc reads from standard input is not replaced",
    ),
    (
        "library/scanned_number_does_not_fit.c",
        "the C library stores one of the values that C leaves open",
    ),
    (
        "library/scanf_result_checked.c",
        "what libc reads from standard input is not replaced",
    ),
    (
        "lifetimes/address_is_used_again.c",
        "gcc gives the two variables places of their own",
    ),
    (
        "pointers/function_from_outside.c",
        "a harness does not know where a function lies",
    ),
    ("registers/const_volatile.c", "a harness defines no registers"),
    ("registers/copied.c", "a harness defines no registers"),
    (
        "registers/members_and_bit_fields.c",
        "a harness defines no registers",
    ),
    ("registers/outside.c", "a harness defines no registers"),
    ("registers/through_a_pointer.c", "a harness defines no registers"),
    ("registers/two_reads.c", "a harness defines no registers"),
    (
        "registers/write_is_not_read_back.c",
        "a harness defines no registers",
    ),
    (
        "library/environment_keeps_two_strings.c",
        "this machine's C library or environment does otherwise",
    ),
    (
        "library/one_date_for_all.c",
        "this machine's C library or environment does otherwise",
    ),
    (
        "library/partly_read_element.c",
        "this machine's C library or environment does otherwise",
    ),
    (
        "library/read_error_leaves_line_open.c",
        "this machine's C library or environment does otherwise",
    ),
    (
        "several_files/entry_function.c",
        "the program has a main beside the entry",
    ),
    ("wide/bitint_overflow.c", "gcc 12 has no _BitInt"),
];

/// What keeps a compiled program from showing the violation; `None` when it does, or when the report says
/// that it may not.
fn compiled_run_is_fine(test: &Test) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let harness = folder.path().join("harness.c");
    let binary = folder.path().join("program");
    let (_, output) = run(test, &["--harness", harness.to_str().expect("a plain path")]);
    if output.contains("depends on where objects lie in memory") {
        return None;
    }
    let sources = test.command[1..]
        .iter()
        .filter(|word| word.ends_with(".c") || ["-D", "-I", "-U"].iter().any(|flag| word.starts_with(flag)));
    let gcc = Command::new("gcc")
        .args([
            "-g",
            "-w",
            "-fno-builtin",
            "-fsanitize=undefined,address,float-cast-overflow",
        ])
        .args(
            ["loop_invariant", "requires", "ensures", "assigns"]
                .map(|name| format!("-D__CPROVER_{name}(...)=")),
        )
        .args(["-fno-sanitize-recover=all", "-o"])
        .arg(&binary)
        .arg(&test.path)
        .args(sources)
        .arg(&harness)
        .arg("-lm")
        .current_dir(test.path.parent().expect("a folder"))
        .output()
        .expect("gcc is installed");
    if !gcc.status.success() {
        return Some(format!("gcc: {}\n{output}", String::from_utf8_lossy(&gcc.stderr)));
    }
    let text = fs::read_to_string(&harness).expect("the harness");
    let words = text.lines().find_map(|line| line.split("./a.out").nth(1));
    let run = Command::new("bash")
        .args([
            "-c",
            &format!("exec timeout 10 \"$0\" {}", words.unwrap_or_default()),
        ])
        .arg(&binary)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program starts");
    run.status
        .success()
        .then(|| format!("the compiled program ends well\n{output}"))
}

#[test]
fn violations_happen_in_the_compiled_program() {
    let mut tests = Vec::new();
    find_tests(&root(), &mut tests);
    let known = known_wrong();
    let visible = |violated: &String| VISIBLE.iter().any(|kind| violated.starts_with(kind));
    tests.retain(|test| {
        // Where contracts replace calls, it is not the program that is executed; handlers and threads are
        // compared with compiled programs in `interrupt_enumeration` and `thread_enumeration`.
        let other = ["--target", "--", "--replace-calls", "--interrupt", "--interrupts"];
        let native = !test.command.iter().any(|word| other.contains(&word.as_str()));
        let native = native
            && !["threads/", "rtos/"]
                .iter()
                .any(|part| test.name.starts_with(part));
        let first_only = !test.command.iter().any(|word| word == "--all");
        let shown = !test.expected.violates.is_empty() && test.expected.violates.iter().all(visible);
        let excepted = NOT_COMPILED.iter().any(|(name, _)| *name == test.name);
        native && first_only && shown && !is_llvm_ir(&test.path) && !excepted && !known.contains(&test.name)
    });
    let failures = for_each(&tests, |test| {
        compiled_run_is_fine(test).map(|why| format!("{}: {why}", test.name))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    println!("{} violations looked for in compiled programs", tests.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Prints what failed, and fails when that is not exactly what is known to be wrong.
fn report(tests: &[Test], mut failures: Vec<(String, Vec<String>)>) {
    failures.sort();
    let known = known_wrong();
    let failed: BTreeSet<&String> = failures.iter().map(|(name, _)| name).collect();
    let mut problems = 0;
    for (name, differences) in failures.iter().filter(|(name, _)| !known.contains(name)) {
        println!("{name}\n{}", differences.join("\n"));
        problems += 1;
    }
    for test in tests
        .iter()
        .filter(|test| known.contains(&test.name) && !failed.contains(&test.name))
    {
        println!("{} passes now: take it off known-wrong.txt", test.name);
        problems += 1;
    }
    println!(
        "{} tests, {} as expected, {} known to be wrong",
        tests.len(),
        tests.len() - failures.len(),
        known.len()
    );
    assert_eq!(problems, 0, "{problems} tests with another answer than expected");
}
