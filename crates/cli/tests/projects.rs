//! The projects under `examples/` give the verdicts that their `kripke.toml` expects, and the firmware among
//! them compiles for the chip and for the host.

use std::path::{Path, PathBuf};
use std::process::Command;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Runs `kripke check` on a project; what is not as expected fails the test.
fn check(project: &str, options: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(project)
        .args(options)
        .current_dir(examples())
        .output()
        .expect("kripke runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("all as expected"),
        "{project}: exit {:?}\n{text}{}",
        output.status.code(),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn programs_of_the_paper() {
    check("ltl-paper", &[]);
}

#[test]
fn programs_beyond_the_paper() {
    check("ltl-more/kripke.toml", &["--verbose"]);
}

/// The firmware of `examples/avr`, built and checked in a copy.
#[test]
fn firmware() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = Command::new("cp")
        .arg("-r")
        .arg(examples().join("avr"))
        .arg(folder.path())
        .status();
    assert!(copy.expect("cp runs").success());
    for project in [
        "light-switch",
        "plant",
        "reentrance",
        "speed",
        "traffic-light",
        "window-lift",
    ] {
        let path = folder.path().join("avr").join(project);
        check(path.to_str().expect("a path"), &[]);
    }
}

/// The properties that need no long search; the whole table is a matter of minutes.
#[test]
fn pulse_oximeter() {
    check("pulse-oximeter", &["--property", "buflim"]);
    check(
        "pulse-oximeter",
        &["--property", "buflim-seeded", "--property", "serial_rx-seeded"],
    );
}

#[test]
fn pulse_oximeter_compiles_as_firmware_and_for_the_host() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copy = Command::new("cp")
        .arg("-r")
        .arg(examples().join("pulse-oximeter"))
        .arg(folder.path())
        .status();
    assert!(copy.expect("cp runs").success());
    let output = Command::new("make")
        .args(["all"])
        .current_dir(folder.path().join("pulse-oximeter"))
        .output()
        .expect("make runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn mistakes_in_a_project_file_are_explained() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("kripke.toml");
    std::fs::write(&path, "[[program]]\nname = 'p'\nsource = ['p.c']\n").expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .current_dir(folder.path())
        .output()
        .expect("kripke runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("line 3") && text.contains("unknown field `source`"),
        "{text}"
    );
}
