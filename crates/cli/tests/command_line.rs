//! The command as its users meet it: messages, exit codes, files, limits, signals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs for long: a law of modular arithmetic at full width.
const HARD: &str = "
#include <assert.h>
#define M 1000003ull
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    assert((a % M) * (b % M) % M == a * b % M);
}
";

const BUGGY: &str = "
int __VERIFIER_nondet_int(void);
int main(void) {
    int table[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    if (i < 0)
        return 0;
    return table[i];
}
";

/// A folder of its own for the test, with the files given.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

fn kripke(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kripke"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = kripke(folder, arguments).output().expect("kripke runs");
    (status.code().unwrap_or(-1), text(&stdout), text(&stderr))
}

/// Runs and compares the exit code; what is expected must be in one of the streams.
fn check(folder: &Path, arguments: &[&str], code: i32, expected: &str) {
    let (real, out, err) = run(folder, arguments);
    assert_eq!(real, code, "kripke {arguments:?}\n{out}{err}");
    assert!(
        out.contains(expected) || err.contains(expected),
        "kripke {arguments:?}: no '{expected}' in\n{out}{err}"
    );
}

#[test]
fn wrong_usage_is_explained() {
    let folder = folder("usage", &[("a.c", BUGGY)]);
    let check = |arguments: &[&str], expected| check(&folder, arguments, 3, expected);
    check(
        &["check", "--tmeout", "3s", "a.c"],
        "a similar argument exists: '--timeout'",
    );
    check(&["chekc", "a.c"], "a similar subcommand exists: 'check'");
    check(
        &["check", "a.c", "--unwind", "0"],
        "a bound of 0 would follow no loop at all",
    );
    check(
        &["check", "a.c", "--timeout", "soon"],
        "expected a time such as 500ms",
    );
    check(&["check", "a.c", "--memory-limit", "4"], "the size needs a unit");
    check(
        &["check", "a.c", "--check", "overflw"],
        "did you mean 'overflow'?",
    );
    check(
        &["check", "a.c", "--property", "main.bonds.1"],
        "did you mean 'main.bounds.1'?",
    );
    check(
        &["check", "a.c", "--unwindset", "main.7=3"],
        "there is no loop 'main.7'",
    );
    check(
        &["check", "a.c", "--solver", "no-such-solver"],
        "install it or choose another --solver",
    );
    check(
        &["check", "a.c", "--json", "missing/report.json"],
        "there is no directory missing",
    );
    check(&["check"], "or write a kripke.toml");
    check(&["completions", "klingon"], "possible values: bash");
}

#[test]
fn bad_input_is_explained() {
    let files = [
        ("syntax.c", "int main(void) { return x; }\n"),
        ("nomain.c", "int f(void) { return 1; }\n"),
        ("broken.ll", "define void @f() {\n  frobnicate\n}\n"),
        ("broken.elts", "elts 1\nnonsense\n"),
        ("broken.json", "[ { \"file\": 3 } ]\n"),
        ("a.c", BUGGY),
        ("inputs.txt", "1\ntwo\n"),
    ];
    let folder = folder("input", &files);
    let check = |arguments: &[&str], expected| check(&folder, arguments, 3, expected);
    check(&["check", "missing.c"], "cannot read missing.c");
    check(&["check", "syntax.c"], "use of undeclared identifier 'x'");
    check(&["check", "nomain.c"], "--entry FUNCTION");
    check(&["check", "broken.ll"], "broken.ll:3:1");
    check(&["check", "broken.elts"], "broken.elts:");
    check(&["check", "--compile-db", "broken.json"], "broken.json:1:");
    check(&["check", "--compile-db", "missing.json"], "missing.json");
    check(
        &["check", "a.c", "--clang", "/bin/true"],
        "does not say that it is clang",
    );
    check(
        &["run", "a.c", "--inputs", "inputs.txt"],
        "inputs.txt:2: expected a number, found 'two'",
    );
}

#[test]
fn verdicts_are_exit_codes() {
    let files = [
        ("nothing.c", "int main(void) { return 0; }\n"),
        ("buggy.c", BUGGY),
        (
            "fine.c",
            "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); }\n",
        ),
        (
            "endless.c",
            "int __VERIFIER_nondet_int(void);\nint main(void) { int i = 0; while (__VERIFIER_nondet_int()) \
             i++; }\n",
        ),
    ];
    let folder = folder("verdicts", &files);
    check(&folder, &["check", "buggy.c"], 1, "violated[bounds]");
    check(&folder, &["check", "nothing.c"], 0, "there is nothing to check");
    check(
        &folder,
        &[
            "check",
            "buggy.c",
            "--property",
            "main.pointer.1",
            "--check",
            "pointer",
        ],
        1,
        "main.pointer.1",
    );
    check(&folder, &["check", "fine.c"], 0, "HOLDS");
    check(
        &folder,
        &["check", "endless.c", "--unwind", "3", "--no-k-induction"],
        2,
        "goes on (raise --unwind)",
    );
    check(
        &folder,
        &["check", "buggy.c", "--list-properties"],
        0,
        "main.bounds.1",
    );
    check(&folder, &["check", "endless.c", "--list-loops"], 0, "main.1");
}

#[test]
fn several_files_make_one_program() {
    let files = [
        (
            "main.c",
            "#include <assert.h>\n#include \"half.h\"\nint main(void) { assert(half(LIMIT) == 21); }\n",
        ),
        (
            "half.c",
            "#include \"half.h\"\nint half(int x) { return x / 2; }\n",
        ),
        ("half.h", "int half(int x);\n"),
    ];
    let folder = folder("several", &files);
    check(
        &folder,
        &["check", "main.c", "half.c", "-I.", "-DLIMIT=42"],
        0,
        "HOLDS",
    );
    check(
        &folder,
        &["check", "main.c", "half.c", "-I", ".", "-D", "LIMIT=40"],
        1,
        "half(LIMIT) == 21",
    );
    check(
        &folder,
        &["check", "main.c", "half.c", "--", "-I.", "-DLIMIT=42"],
        0,
        "HOLDS",
    );
    let database = format!(
        r#"[{{"directory": {0:?}, "file": "main.c", "command": "cc -DLIMIT=42 -O2 -c main.c"}},
            {{"directory": {0:?}, "file": "half.c", "arguments": ["cc", "-c", "half.c"]}},
            {{"directory": {0:?}, "file": "tests/other.c", "arguments": ["cc", "-c", "tests/other.c"]}}]"#,
        folder.display().to_string()
    );
    fs::write(folder.join("compile_commands.json"), database).expect("a database");
    let arguments = [
        "check",
        "--compile-db",
        "compile_commands.json",
        "--filter",
        "main",
        "--filter",
        "half",
    ];
    check(&folder, &arguments, 0, "HOLDS");
}

#[test]
fn reports_as_json() {
    let folder = folder("json", &[("buggy.c", BUGGY)]);
    let (code, out, err) = run(&folder, &["check", "buggy.c", "--json", "-"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("VIOLATED"),
        "the report for people goes to standard error"
    );
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["schema_version"], 2);
    assert_eq!(report["outcome"], "violated");
    assert_eq!(report["exit_code"], 1);
    assert_eq!(report["inputs"][0], "buggy.c");
    let results = report["results"].as_array().expect("results");
    let violated = results
        .iter()
        .find(|result| result["verdict"] == "violated")
        .expect("a violation");
    assert_eq!(violated["property"]["id"], "main.bounds.1");
    let steps = violated["trace"]["steps"].as_array().expect("steps");
    let input = steps
        .iter()
        .find(|step| step["step"] == "input")
        .expect("an input");
    assert_eq!(input["source"], "__VERIFIER_nondet_int");
    assert_eq!(input["machine_type"], "i32");
    assert_eq!(input["place"]["line"], 5);
    assert_eq!(steps.last().expect("steps")["step"], "violation");
    run(&folder, &["check", "buggy.c", "--json", "report.json"]);
    let written = fs::read_to_string(folder.join("report.json")).expect("a file");
    assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok());
    assert_eq!(
        fs::read_dir(&folder).expect("the folder").count(),
        2,
        "no temporary file is left"
    );
}

#[test]
fn colours_are_for_terminals() {
    let folder = folder("colours", &[("buggy.c", BUGGY)]);
    assert!(!run(&folder, &["check", "buggy.c"]).1.contains('\u{1b}'));
    assert!(
        run(&folder, &["check", "buggy.c", "--color", "always"])
            .1
            .contains('\u{1b}')
    );
}

#[test]
fn quiet_and_verbose() {
    let folder = folder("amount", &[("buggy.c", BUGGY)]);
    let lines = |option| run(&folder, &["check", "buggy.c", option]).1.lines().count();
    let (quiet, verbose) = (lines("-q"), lines("-v"));
    let plain = run(&folder, &["check", "buggy.c"]).1.lines().count();
    assert!(quiet < plain && plain < verbose, "{quiet} {plain} {verbose}");
}

#[test]
fn a_time_limit_ends_the_check() {
    let folder = folder("time", &[("hard.c", HARD)]);
    let started = Instant::now();
    check(
        &folder,
        &["check", "hard.c", "--timeout", "1s"],
        2,
        "the time limit was reached",
    );
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_memory_limit_ends_the_check() {
    let files = [(
        "large.c",
        "unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a[64] = {0};
    for (unsigned i = 0;; i++)
        a[__VERIFIER_nondet_uint() & 63] = a[i & 63] * a[__VERIFIER_nondet_uint() & 63] + __VERIFIER_nondet_uint();
}
",
    )];
    let folder = folder("memory", &files);
    let arguments = [
        "check",
        "large.c",
        "--memory-limit",
        "100M",
        "--timeout",
        "60s",
        "--no-k-induction",
    ];
    check(&folder, &arguments, 2, "the memory limit was reached");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_partial_results() {
    let folder = folder("interrupt", &[("hard.c", HARD)]);
    let arguments = ["check", "hard.c", "--all", "--json", "report.json"];
    let mut command = kripke(&folder, &arguments);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("kripke runs");
    std::thread::sleep(Duration::from_millis(1500));
    let started = Instant::now();
    // The shell's own: not every machine has the program.
    let kill = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .expect("kill");
    assert!(kill.success());
    let output = child.wait_with_output().expect("kripke ends");
    assert!(started.elapsed() < Duration::from_secs(10));
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{out}{}", text(&output.stderr));
    assert!(out.contains("interrupted"), "{out}");
    let report = fs::read_to_string(folder.join("report.json")).expect("the report is whole");
    assert!(serde_json::from_str::<serde_json::Value>(&report).is_ok());
}

#[test]
fn models_read_back() {
    let folder = folder("models", &[("buggy.c", BUGGY)]);
    let (code, model, _) = run(&folder, &["elts", "buggy.c"]);
    assert_eq!(code, 0);
    fs::write(folder.join("buggy.elts"), &model).expect("a file");
    let (code, again, err) = run(&folder, &["elts", "buggy.elts"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(model, again);
    check(&folder, &["check", "buggy.elts"], 1, "violated[bounds]");
    check(&folder, &["elts", "buggy.c", "--dot"], 0, "digraph");
    check(
        &folder,
        &["elts", "buggy.c", "--statistics"],
        0,
        "fold-temporaries",
    );
}

#[test]
fn programs_run() {
    let program = "
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    printf(\"x is %d\\n\", x);
    __VERIFIER_assume(x != 13);
    if (x == 14) abort();
    int table[20] = {0};
    table[x] = x;
    return table[x];
}
";
    let folder = folder("run", &[("a.c", program)]);
    let check = |input: &str, code, expected: &str| {
        fs::write(folder.join("in.txt"), input).expect("inputs");
        check(&folder, &["run", "a.c", "--inputs", "in.txt"], code, expected);
    };
    check("", 0, "x is 0\n");
    check("# seven\n7\n", 7, "x is 7\n");
    check("0x0b", 11, "x is 11\n");
    check("13", 2, "an assumption is false");
    check("14", 134, "x is 14\n");
    check("-1", 1, "a.c:12:");
    let seeded = || run(&folder, &["run", "a.c", "--seed", "5"]).1;
    assert_eq!(seeded(), seeded());
}

#[test]
fn completions_and_version() {
    let folder = folder("completions", &[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        check(&folder, &["completions", shell], 0, "kripke");
    }
    check(&folder, &["--version"], 0, env!("CARGO_PKG_VERSION"));
    check(&folder, &["check", "--help"], 0, "Examples:");
}

#[test]
fn formulas_are_described() {
    let folder = folder("ltl", &[("run.txt", "request\nrequest grant\n")]);
    let response = "G({request} -> F {grant})";
    check(&folder, &["ltl", response], 0, "class        liveness");
    check(
        &folder,
        &["ltl", response, "--emit", "hoa"],
        0,
        "Acceptance: 1 Inf(0)",
    );
    check(&folder, &["ltl", response, "--emit", "never"], 0, "never {");
    check(&folder, &["ltl", response, "--emit", "dot"], 0, "digraph");
    check(&folder, &["ltl", response, "--emit", "c"], 0, "_ltl2ba_state");
    check(&folder, &["ltl", response, "--trace", "run.txt"], 0, "verdict ⊤ᵖ");
    check(
        &folder,
        &["ltl", "G !request", "--trace", "run.txt"],
        3,
        "run.txt:2",
    );
    check(
        &folder,
        &["ltl", "!F request && grant", "--trace", "run.txt"],
        0,
        "verdict ⊥ (violated)",
    );
    check(&folder, &["ltl", "G(request ->"], 3, "expected a formula");
    check(&folder, &["ltl", "AG request"], 3, "path quantifiers");
    check(
        &folder,
        &["ltl", "G p", "--dialect", "spni"],
        3,
        "there is no dialect 'spni'",
    );
    check(
        &folder,
        &["ltl", "G p", "--trace", "missing.txt"],
        3,
        "cannot read missing.txt",
    );
}
