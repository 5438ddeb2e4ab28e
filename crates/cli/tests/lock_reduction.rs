//! What locks protect is accessed without a stop: verdicts are those with all stops, and states are fewer.

mod common;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::{kripke, text};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests/threads")
}

/// The programs of the file tests in which a lock protects something, or does not quite.
fn programs() -> Vec<(String, Vec<String>)> {
    let files = std::fs::read_dir(folder()).expect("the file tests");
    let mut found = Vec::new();
    for file in files {
        let path = file.expect("a file").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("a file test");
        let is_of_locks = ["protected_", "lock_that_", "locked_part_", "leak_of_a_thread"]
            .iter()
            .any(|begins| name.starts_with(begins));
        let options = text
            .lines()
            .find_map(|line| line.strip_prefix("// kripke: check"));
        if let (true, Some(options), false) = (is_of_locks, options, text.contains("// ltl:")) {
            let options = options.split_whitespace().map(str::to_owned);
            found.push((name, options.collect()));
        }
    }
    found.sort();
    found
}

fn check(folder: &Path, file: &str, options: &[String], further: &[&str]) -> Output {
    let options = options.iter().map(String::as_str);
    let arguments: Vec<&str> = ["check", file].into_iter().chain(options).collect();
    kripke(&[&arguments[..], further].concat(), folder)
}

#[test]
fn verdicts_are_the_same() {
    let folder = folder();
    let programs = programs();
    assert!(programs.len() >= 16, "{} programs", programs.len());
    for (file, options) in programs {
        let reduced = check(&folder, &file, &options, &[]);
        let whole = check(&folder, &file, &options, &["--no-lock-reduction"]);
        assert_eq!(
            reduced.status.code(),
            whole.status.code(),
            "{file}: {}\n{}",
            text(&reduced),
            text(&whole)
        );
    }
}

/// How many abstract states cover a program.
fn states(output: &Output) -> u32 {
    let said = text(output);
    let number = said
        .split(" abstract states cover")
        .next()
        .and_then(|before| before.rsplit(' ').next());
    let number = number.and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no abstract states: {said}"))
}

#[test]
fn fewer_states_cover_what_a_lock_protects() {
    let folder = folder();
    let file = "endless_ring_buffer_under_lock.c";
    let reduced = states(&check(&folder, file, &[], &[]));
    let whole = states(&check(&folder, file, &[], &["--no-lock-reduction"]));
    assert!(2 * reduced < whole, "{reduced} of {whole}");
}
