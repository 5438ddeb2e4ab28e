//! What tests share: a compiler and the command.
#![allow(dead_code, reason = "no test needs all of it")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs `kripke` in a folder.
pub fn kripke(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("kripke runs")
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
