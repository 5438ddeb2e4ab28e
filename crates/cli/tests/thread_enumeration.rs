//! Verdicts on random programs with threads against an enumeration of all schedules.
//!
//! Each program is written once, with every access to shared memory and every operation of the thread library
//! behind a macro. For Kripke the macros are those of POSIX threads. For gcc threads are coroutines that ask
//! a scheduler before each step; the scheduler reads a tape of choices, which is run through all its values.
//! A schedule is cut where it comes to a state that another one has been in: the shared memory, and all that
//! each thread has seen. *Holds* and *violated* must be the truth, where states that differ in constants stay
//! apart, where they are merged, and where each schedule is explored by itself; *unknown* is only counted.
//! What few switches of threads violate is a violation, too, and many switches are as good as any number.
//!
//! `KRIPKE_THREADS_COUNT` programs are tried (7 unless set), from seed `KRIPKE_THREADS_SEED` on.

mod common;
mod random_threads;

use std::path::Path;
use std::process::Command;

use common::{folder, native, setting};
use random_threads::{Program, program, program_with_handler};

/// What can go wrong in some schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Truth {
    assertion: bool,
    deadlock: bool,
}

/// None where there are too many states.
fn truth(folder: &Path, program: &Program) -> Option<Truth> {
    let lines = native(folder, &program.for_gcc());
    let says = |word: &str| lines.iter().any(|line| line == word);
    assert!(
        says("done") || says("many"),
        "{}: the enumeration broke off",
        folder.display()
    );
    says("done").then(|| Truth {
        assertion: says("assertion"),
        deadlock: says("deadlock"),
    })
}

/// The exit code of `kripke check`, and what it printed.
fn kripke(folder: &Path, program: &Program, options: &[&str]) -> (i32, String) {
    let source = folder.join("program.c");
    std::fs::write(&source, program.for_kripke()).expect("target folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(&source)
        .args(["--memory-limit", "3GB"])
        .args(options)
        .output()
        .expect("kripke runs");
    (common::verdict(&output, &source), common::text(&output))
}

#[derive(Default, Debug)]
struct Tally {
    failed_assertions: u64,
    deadlocks: u64,
    holding: u64,
    unknown: u64,
    unknown_when_merged: u64,
    unknown_one_by_one: u64,
    unknown_with_switches: u64,
}

impl Tally {
    fn compare(&mut self, seed: u64, truth: Truth, (verdict, text): &(i32, String)) {
        self.unknown += u64::from(agrees(seed, truth, *verdict, text));
        self.failed_assertions += u64::from(truth.assertion);
        self.deadlocks += u64::from(truth.deadlock);
        self.holding += u64::from(!truth.assertion && !truth.deadlock);
    }
}

/// Fails where the verdict is not the truth; is it unknown?
fn agrees(seed: u64, truth: Truth, verdict: i32, text: &str) -> bool {
    let fails = truth.assertion || truth.deadlock;
    match verdict {
        0 => assert!(
            !fails,
            "seed {seed}: holds was claimed, but there is {truth:?}\n{text}"
        ),
        1 => assert!(fails, "seed {seed}: a violation was claimed\n{text}"),
        _ => return true,
    }
    if verdict == 1 && !truth.assertion {
        assert!(text.contains("deadlock"), "seed {seed}: only a deadlock\n{text}");
    }
    false
}

#[test]
fn all_schedules() {
    let first = setting("KRIPKE_THREADS_SEED", 1);
    let count = setting("KRIPKE_THREADS_COUNT", 7);
    let mut tally = Tally::default();
    let (mut seed, mut tried) = (first, 0);
    while tried < count {
        let program = program(seed);
        let folder = folder(&format!("threads-{seed}"));
        if let Some(truth) = truth(&folder, &program) {
            tally.compare(seed, truth, &kripke(&folder, &program, &["--timeout", "60s"]));
            // States that meet are merged: formulas take the place of constants.
            let (verdict, text) = kripke(&folder, &program, &["--merge-all", "--timeout", "5s"]);
            tally.unknown_when_merged += u64::from(agrees(seed, truth, verdict, &text));
            let hashing = ["on", "off"][seed as usize / 2 % 2];
            let reduction = ["on", "on", "on", "off"][seed as usize / 4 % 4];
            let one_by_one = ["--explore", "interleavings", "--state-hashing", hashing];
            let reduced = ["--partial-order-reduction", reduction, "--timeout", "2s"];
            let options = [one_by_one, reduced].concat();
            let (verdict, text) = kripke(&folder, &program, &options);
            tally.unknown_one_by_one += u64::from(agrees(seed, truth, verdict, &text));
            let bound = ["100", "1"][seed as usize % 2];
            let switches = ["--context-bound", bound, "--timeout", "2s"];
            let (verdict, text) = kripke(&folder, &program, &switches);
            if bound == "100" || verdict == 1 {
                tally.unknown_with_switches += u64::from(agrees(seed, truth, verdict, &text));
            }
            tried += 1;
        }
        std::fs::remove_dir_all(&folder).ok();
        seed += 1;
    }
    println!("{tally:?} of {tried}, up to seed {}", seed - 1);
    assert!(
        tally.failed_assertions > 0 && tally.deadlocks > 0 && tally.holding > 0,
        "the programs are all alike: {tally:?}"
    );
    assert!(tally.unknown * 5 <= count, "{tally:?}");
}

/// With a handler that comes once or twice, at any time, where nobody has disabled interrupts. Whether all
/// wait is not compared: a handler may come again, as far as the threads know.
#[test]
fn all_schedules_with_a_handler() {
    let first = setting("KRIPKE_THREADS_SEED", 1);
    let count = setting("KRIPKE_THREADS_COUNT", 6);
    let (mut failing, mut holding, mut unknown) = (0, 0, [0; 3]);
    let (mut seed, mut tried) = (first, 0);
    while tried < count {
        let firings = 1 + seed as usize % 2;
        let program = program_with_handler(seed, firings);
        let folder = folder(&format!("threads-and-handler-{seed}"));
        if let Some(truth) = truth(&folder, &program) {
            let often = firings.to_string();
            let handler = ["--check", "assertion", "--interrupt", "tick"];
            let bounded = ["--interrupt-bound", &often];
            let ways = [
                [&bounded[..], &["--timeout", "60s"]].concat(),
                [&bounded[..], &["--merge-all", "--timeout", "3s"]].concat(),
                // What holds however often it comes, holds.
                vec!["--timeout", "3s"],
            ];
            for (way, further) in ways.iter().enumerate() {
                let options = [&handler[..], further].concat();
                let (verdict, text) = kripke(&folder, &program, &options);
                match verdict {
                    0 => assert!(
                        !truth.assertion,
                        "seed {seed} {further:?}: holds was claimed\n{text}"
                    ),
                    1 if way < 2 => assert!(truth.assertion, "seed {seed} {further:?}: not so\n{text}"),
                    1 => {}
                    _ => unknown[way] += 1,
                }
            }
            failing += u64::from(truth.assertion);
            holding += u64::from(!truth.assertion);
            tried += 1;
        }
        std::fs::remove_dir_all(&folder).ok();
        seed += 1;
    }
    println!(
        "{failing} fail, {holding} hold; {unknown:?} unknown; up to seed {}",
        seed - 1
    );
    assert!(failing > 0 && holding > 0, "the programs are all alike");
    assert!(unknown[0] * 5 <= count, "{unknown:?} unknown");
}

/// The enumeration alone: it finds what is known of a few programs.
#[test]
fn schedules_of_known_programs() {
    let programs = [
        ("INCREMENT(x);", "INCREMENT(x);", "R(x) == 2", true, false),
        (
            "LOCK(0); INCREMENT(x); UNLOCK(0);",
            "LOCK(0); INCREMENT(x); UNLOCK(0);",
            "R(x) == 2",
            false,
            false,
        ),
        ("ADD(x);", "ADD(x);", "R(x) == 2", false, false),
        (
            "LOCK(0); LOCK(1); UNLOCK(1); UNLOCK(0);",
            "LOCK(1); LOCK(0); UNLOCK(0); UNLOCK(1);",
            "1",
            false,
            true,
        ),
        // The signal may come before the wait.
        ("LOCK(0); WAIT(); UNLOCK(0);", "SIGNAL();", "1", false, true),
        (
            "LOCK(0); while (!R(flag)) WAIT(); UNLOCK(0); W(x, 1);",
            "LOCK(0); W(flag, 1); SIGNAL(); UNLOCK(0);",
            "R(x) == 1",
            false,
            false,
        ),
        // A thread may wake up without a signal.
        (
            "LOCK(0); if (!R(flag)) WAIT(); u = R(flag); UNLOCK(0); __VERIFIER_assert(u);",
            "LOCK(0); W(flag, 1); SIGNAL(); UNLOCK(0);",
            "1",
            true,
            false,
        ),
        ("TAKE(); W(x, 1);", "POST();", "R(x) == 1", false, false),
        ("TAKE();", "", "1", false, true),
        (
            "if (TRY(0)) { INCREMENT(x); UNLOCK(0); }",
            "if (TRY(0)) { INCREMENT(x); UNLOCK(0); }",
            "R(x) == 2",
            true,
            false,
        ),
    ];
    for (index, (first, second, last, assertion, deadlock)) in programs.into_iter().enumerate() {
        let program = Program::new(first, second, "", &format!("__VERIFIER_assert({last});"));
        let folder = folder(&format!("known-threads-{index}"));
        let expected = Truth { assertion, deadlock };
        assert_eq!(truth(&folder, &program), Some(expected), "{first} || {second}");
        std::fs::remove_dir_all(&folder).ok();
    }
}
