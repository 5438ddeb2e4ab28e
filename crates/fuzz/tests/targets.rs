//! Each fuzz target on mutants of real inputs, with a stable compiler: no panic, no stack overflow, no more
//! memory than there is, and no input that takes long.
//!
//! `KRIPKE_FUZZ_SECONDS` says how long each target is fed (a second), `KRIPKE_FUZZ_SEED` with which mutants.
//! Inputs that once failed are in `fuzz/regressions/TARGET` and are tried first.

mod seeds;
mod supervise;

use std::time::Duration;

use supervise::Supervisor;

fn setting(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}"))
    })
}

/// Feeds a target.
fn check(name: &str, seeds: Vec<Vec<u8>>) {
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let supervisor = Supervisor::new(name, &seeds);
    supervisor.accepts_seeds(&seeds);
    supervisor.regressions();
    let time = Duration::from_secs(setting("KRIPKE_FUZZ_SECONDS", 1));
    let cases = supervisor.feed(setting("KRIPKE_FUZZ_SEED", 1), time);
    eprintln!("{name}: {cases} cases");
}

#[test]
fn llvm_ir() {
    check("llvm_ir", seeds::llvm_ir());
}

#[test]
fn elts() {
    check("elts", seeds::elts());
}

#[test]
fn formulas() {
    check("formula", seeds::formulas());
}

#[test]
fn projects() {
    check("project", seeds::files(&["examples"], "kripke.toml"));
}

#[test]
fn baselines() {
    check("baseline", seeds::baselines());
}

#[test]
fn property_files() {
    check("property_file", seeds::property_files());
}

#[test]
fn tasks() {
    check("task", seeds::tasks());
}

#[test]
fn devices() {
    check(
        "device",
        seeds::files(&["crates/avr/devices", "examples/devices"], ".toml"),
    );
}

#[test]
fn debug_adapter() {
    check("dap", seeds::debugger::messages());
}

#[test]
fn reports_to_replay() {
    check("report", seeds::debugger::reports());
}

#[test]
fn elf() {
    check("elf", seeds::firmware(&["-gdwarf-2"]));
}

#[test]
fn hex() {
    check("hex", seeds::hex());
}

#[test]
fn dwarf() {
    check("dwarf", seeds::firmware(&["-gdwarf-2", "-gdwarf-4", "-gdwarf-5"]));
}

#[test]
fn stabs() {
    check("stabs", seeds::firmware(&["-gstabs"]));
}
