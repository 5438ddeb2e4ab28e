//! What tests share: compilers, the command, folders, settings, and formulas over C expressions.
#![allow(dead_code, reason = "no test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kripke_logic::Formula;
use kripke_logic::random::{Random, Shape, formula_of_depth};
use serde_json::Value;

/// Runs `kripke` in a folder.
pub fn kripke(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("kripke runs")
}

/// How many checks run at once: each has a time limit, and verdicts must not depend on which come together.
/// Where each test program keeps to one processor (`scripts/run-tests`), one.
fn threads() -> usize {
    if std::env::var("RUST_TEST_THREADS").is_ok_and(|count| count == "1") {
        return 1;
    }
    2
}

/// What the work says of each item, in their order, on a few threads. One such work is done after the other.
pub fn for_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    let result = (number, work(item));
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(result);
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The exit code of a check that came to a verdict.
pub fn verdict(output: &Output, source: &Path) -> i32 {
    let code = output.status.code().unwrap_or(-1);
    assert!(
        (0..=2).contains(&code),
        "{}: exit {code}\n{}",
        source.display(),
        text(output)
    );
    code
}

/// The report of `kripke check` on a C program with more options, which came to a verdict in a minute.
pub fn report(folder: &Path, program: &str, options: &[&str]) -> Value {
    std::fs::write(folder.join("program.c"), program).expect("target folder is writable");
    let usual = ["check", "program.c", "--timeout", "60s", "--json", "report.json"];
    let output = kripke(&[&usual, options].concat(), folder);
    verdict(&output, &folder.join("program.c"));
    let json = std::fs::read_to_string(folder.join("report.json")).expect("a report");
    serde_json::from_str(&json).expect("JSON")
}

/// A random formula, and its text with the C atoms.
pub fn formula(random: &mut Random, atoms: &[&str], next: bool) -> (Formula, String) {
    let shape = Shape {
        atoms: atoms.len(),
        next,
        common: true,
    };
    let formula = formula_of_depth(random, shape, 3);
    let mut text = formula.to_string();
    for (index, atom) in atoms.iter().enumerate() {
        text = text.replace(&format!("p{index}"), &format!("{{{atom}}}"));
    }
    (formula, text)
}

/// What it printed, both streams.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs `kripke`, which has to end with a code and to print a text.
pub fn expect(arguments: &[&str], folder: &Path, code: i32, said: &str) {
    let output = kripke(arguments, folder);
    let all = text(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {all}");
    assert!(all.contains(said), "{arguments:?}: expected `{said}` in\n{all}");
}

/// Compiles a program as `a.elf` in a new folder: for the ATmega16 and optimised for size, unless the flags
/// say otherwise.
pub fn compile(source: &str, flags: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.c"), source).expect("a file");
    let mut arguments = vec!["-std=gnu99", "-Os", "-o", "a.elf", "a.c"];
    if !flags.iter().any(|flag| flag.starts_with("-mmcu=")) {
        arguments.push("-mmcu=atmega16");
    }
    let output = Command::new("avr-gcc")
        .args(arguments)
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    assert!(output.status.success(), "{}", text(&output));
    folder
}

/// A folder for the files of one program.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("temporal")
        .join(name);
    std::fs::create_dir_all(&folder).expect("target folder is writable");
    folder
}

/// A folder with these files, which goes with the test.
pub fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// What the natively compiled program prints, line by line.
pub fn native(folder: &Path, text: &str) -> Vec<String> {
    let (source, binary) = (folder.join("native.c"), folder.join("native"));
    std::fs::write(&source, text).expect("target folder is writable");
    let status = Command::new("gcc")
        .args(["-w", "-O0", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .expect("gcc is installed");
    assert!(status.success(), "gcc refuses {}", source.display());
    let output = Command::new(&binary).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("letters");
    text.lines().map(str::to_owned).collect()
}

/// A number from the environment.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}
