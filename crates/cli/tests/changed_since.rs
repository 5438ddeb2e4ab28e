//! `--changed-since`: which functions are checked after which changes, and what git has to be there for.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{expect, kripke, text};
use serde_json::Value;
use tempfile::TempDir;

const RING: &str = "#include \"ring.h\"\n\nstatic int wrap(int at) { return at >= SIZE ? 0 : at; }\n\
                    int next(int at) { return wrap(at + 1); }\n\
                    int half(int at) { return at / 2; }\n";
const HEADER: &str = "#define SIZE 4\nint next(int at);\n";
const OTHER: &str = "int twice(int a) { return 2 * a; }\n";

fn git(folder: &Path, arguments: &[&str]) {
    let settings = [
        "-c",
        "user.name=tester",
        "-c",
        "user.email=tester@invalid",
        "-c",
        "commit.gpgsign=false",
    ];
    let output = Command::new("git")
        .args(settings)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
}

/// A repository with one commit.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("ring.c", RING), ("ring.h", HEADER), ("other.c", OTHER)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "-m", "first"]);
    folder
}

/// The functions that are checked after changes: a file, a text in it and what it becomes.
fn check(changes: &[(&str, &str, &str)], expected: &[&str]) {
    let folder = repository();
    for (file, before, after) in changes {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(before), "{file} has no {before}");
        fs::write(path, text.replace(before, after)).expect("a file");
    }
    assert_eq!(checked(folder.path(), "HEAD"), expected, "{changes:?}");
}

fn checked(folder: &Path, revision: &str) -> Vec<String> {
    let output = kripke(
        &[
            "check",
            "ring.c",
            "other.c",
            "--changed-since",
            revision,
            "--json",
            "report.json",
            "--quiet",
        ],
        folder,
    );
    assert!(
        output.status.code().is_some_and(|code| code < 3),
        "{}",
        text(&output)
    );
    let report = fs::read_to_string(folder.join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let functions = report["functions"].as_array().expect("functions").iter();
    let mut names: Vec<String> = functions
        .map(|function| function["name"].as_str().expect("a name").to_owned())
        .collect();
    names.sort();
    names
}

/// Where clang is, for a test that hides everything else.
fn clang() -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names: Vec<String> = std::iter::once("clang".to_owned())
        .chain((14..=23).rev().map(|version| format!("clang-{version}")))
        .collect();
    let mut found = names
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)));
    found.find(|path| path.is_file()).expect("clang")
}

#[test]
fn nothing_changed() {
    check(&[], &[]);
    check(&[("ring.c", "int half", "/* halves */\n\nint  half")], &[]);
    let folder = repository();
    let left = "not checked, as neither they nor what they call changed since HEAD: `next`, `wrap`, `half`";
    expect(
        &["check", "ring.c", "--changed-since", "HEAD"],
        folder.path(),
        0,
        left,
    );
}

#[test]
fn functions_and_their_callers() {
    check(&[("ring.c", "at / 2", "at / 3")], &["half"]);
    check(&[("ring.c", "? 0 : at", "? 1 : at")], &["next", "wrap"]);
    check(&[("other.c", "2 * a", "3 * a")], &["twice"]);
    // A function that is new; what stood behind it has moved.
    check(
        &[("ring.c", "int next", "int more(int at) { return at; }\nint next")],
        &["more"],
    );
}

#[test]
fn what_is_between_functions_concerns_all() {
    check(&[("ring.h", "SIZE 4", "SIZE 8")], &["half", "next", "wrap"]);
    check(
        &[("ring.c", "static int wrap", "static int n;\nstatic int wrap")],
        &["half", "next", "wrap"],
    );
    let all = ["half", "next", "twice", "wrap"];
    check(
        &[("ring.c", "static int wrap", "int size = SIZE;\nstatic int wrap")],
        &all,
    );
    check(
        &[("ring.c", "int half(int at) { return at / 2; }\n", "")],
        &["next", "twice", "wrap"],
    );
}

#[test]
fn revisions() {
    let folder = repository();
    let path = folder.path().join("ring.c");
    fs::write(&path, RING.replace("at / 2", "at / 3")).expect("a file");
    git(folder.path(), &["commit", "--quiet", "-am", "second"]);
    assert_eq!(checked(folder.path(), "HEAD"), [""; 0]);
    assert_eq!(checked(folder.path(), "HEAD~1"), ["half"]);
    fs::write(folder.path().join("new.c"), "int fresh(void) { return 1; }\n").expect("a file");
    let arguments = ["check", "new.c", "--changed-since", "HEAD", "--verbose"];
    expect(&arguments, folder.path(), 0, "`fresh` is checked: new.c is new");
}

#[test]
fn what_is_refused() {
    let folder = repository();
    let check = |revision: &str, said: &str| {
        let option = format!("--changed-since={revision}");
        expect(&["check", "ring.c", &option], folder.path(), 3, said);
    };
    check("nowhere", "has no revision 'nowhere'");
    check("--all", "has no revision '--all'");
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("ring.c"), "int f(void) { return 1; }\n").expect("a file");
    let arguments = ["check", "ring.c", "--changed-since", "HEAD"];
    expect(&arguments, outside.path(), 3, "git knows no repository in");
    let without = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["check", "ring.c", "--changed-since", "HEAD"])
        .env("KRIPKE_CLANG", clang())
        .env("PATH", outside.path())
        .current_dir(folder.path())
        .output()
        .expect("kripke runs");
    assert!(text(&without).contains("git cannot be run"), "{}", text(&without));
}
