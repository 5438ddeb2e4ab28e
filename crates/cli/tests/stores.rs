//! `--store`, `--threads`, `--checkpoint` and `--resume`: the same report, wherever states are kept, however
//! many threads compute them, and whatever ends a check.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{compile, kripke, setting, text};
use kripke_logic::random::Random;
use serde_json::Value;

/// A handler that counts, an input, and an invariant that fails late.
const COUNTING: &str = "
#include <avr/io.h>
#include <avr/interrupt.h>
volatile unsigned char ticks;
unsigned char last;
ISR(INT0_vect) { if (ticks < 12) ticks++; }
int main(void) {
    DDRB = 0xFF;
    GICR |= 1 << INT0;
    sei();
    for (;;) {
        last = PINC & 7;
        PORTB = ticks >= 9 ? last : 0;
    }
}
";

const PROPERTIES: [&str; 6] = [
    "--check",
    "none",
    "--invariant",
    "small: {PORTB <= 31}",
    "--invariant",
    "dark: {PORTB != 7}",
];

fn check(folder: &Path, options: &[&str]) -> (Option<i32>, Value) {
    let usual = ["check", "a.elf", "--json", "report.json"];
    let output = kripke(&[&usual[..], &PROPERTIES, options].concat(), folder);
    let json = std::fs::read_to_string(folder.join("report.json"));
    let report = serde_json::from_str(&json.unwrap_or_else(|_| panic!("{}", text(&output))));
    (output.status.code(), report.expect("JSON"))
}

fn error(folder: &Path, options: &[&str]) -> String {
    let output = kripke(&[&["check", "a.elf"], &PROPERTIES[..], options].concat(), folder);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    text(&output)
}

#[test]
fn reports_do_not_depend_on_the_store() {
    let folder = compile(COUNTING, &["-g", "-Os"]);
    let (code, plain) = check(folder.path(), &["--store", "plain"]);
    assert_eq!(code, Some(1));
    for store in ["tree", "disk", "disk:."] {
        let (code, report) = check(folder.path(), &["--store", store]);
        assert_eq!(
            (code, &report["results"]),
            (Some(1), &plain["results"]),
            "{store}"
        );
    }
    // Nothing is left behind.
    let left = std::fs::read_dir(folder.path()).expect("it is there");
    let names = left.map(|entry| entry.expect("it is there").file_name());
    let mut names = names.map(|name| name.to_string_lossy().into_owned());
    assert!(names.all(|name| !name.starts_with("kripke-")));
    // Hashes find errors, and prove nothing.
    let (code, hash) = check(folder.path(), &["--store", "hash"]);
    assert_eq!(code, Some(1));
    let (hash, plain) = (results(&hash), results(&plain));
    assert_eq!(hash.len(), plain.len());
    for (hash, plain) in hash.iter().zip(plain) {
        match plain["verdict"].as_str() {
            Some("holds") => assert_eq!(hash["reason"]["kind"], "probable", "{hash}"),
            _ => assert_eq!(hash, plain),
        }
    }
}

#[test]
fn a_search_that_tells_states_apart_by_hashes_is_made_once() {
    let folder = compile(COUNTING, &["-g", "-Os"]);
    let explored = |store| {
        let options = ["--store", store, "--json", "-", "--quiet"];
        let output = kripke(
            &[&["check", "a.elf"], &PROPERTIES[..4], &options].concat(),
            folder.path(),
        );
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["statistics"]["explored"].clone()
    };
    let tree = explored("tree");
    assert!(tree["stored"].as_u64() > Some(10) && tree["created"].as_u64() >= tree["stored"].as_u64());
    assert_eq!(explored("hash"), tree);
}

#[test]
fn reports_do_not_depend_on_the_number_of_threads() {
    let folder = compile(COUNTING, &["-g", "-Os"]);
    for options in [&[][..], &["--no-path-reduction", "--no-lazy-stack"]] {
        let with = |threads| check(folder.path(), &[options, &["--threads", threads]].concat());
        let (code, alone) = with("1");
        assert_eq!(code, Some(1));
        for threads in ["2", "5"] {
            let (code, report) = with(threads);
            assert_eq!(
                (code, &report["results"]),
                (Some(1), &alone["results"]),
                "{threads} threads, {options:?}"
            );
        }
    }
    assert!(error(folder.path(), &["--threads", "0"]).contains("--threads"));
}

fn results(report: &Value) -> &Vec<Value> {
    report["results"].as_array().expect("results")
}

/// A check that writes down where it is, killed after so long. Did it still run?
fn killed_after(folder: &Path, wait: Duration) -> bool {
    let is_there = folder.join("saved/checkpoint").exists();
    let resume: &[&str] = if is_there { &["--resume"] } else { &[] };
    let mut child = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["check", "a.elf", "--checkpoint", "saved"])
        .args(PROPERTIES)
        .args(resume)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("kripke runs");
    std::thread::sleep(wait);
    child.kill().expect("it is there until it is waited for");
    child.wait().expect("it ends").code().is_none()
}

/// `KRIPKE_KILLS` times, at random moments; 3 unless set. A check that came to its end begins anew.
#[test]
fn a_check_that_was_killed_goes_on() {
    let folder = compile(COUNTING, &["-g", "-Os"]);
    let (code, expected) = check(folder.path(), &[]);
    assert_eq!(code, Some(1));
    let took = Duration::from_secs_f64(expected["statistics"]["seconds"].as_f64().unwrap_or(0.3));
    let mut random = Random::new(setting("KRIPKE_KILLS_SEED", 1));
    let (mut killed, mut ended) = (0, 0);
    while killed < setting("KRIPKE_KILLS", 3) {
        let wait = took.mul_f64(random.below(1300) as f64 / 1000.0);
        if killed_after(folder.path(), wait) {
            killed += 1;
            continue;
        }
        ended += 1;
        assert!(ended < 1000, "it is never killed");
        goes_on(folder.path(), &expected);
        std::fs::remove_dir_all(folder.path().join("saved")).expect("it is removed");
    }
    // Killed before it began, there is nothing to go on from.
    if !folder.path().join("saved/checkpoint").exists() {
        std::fs::remove_dir_all(folder.path().join("saved")).ok();
        let (_, begun) = check(folder.path(), &["--checkpoint", "saved", "--max-states", "900"]);
        assert!(begun["results"].is_array());
    }
    println!("killed {killed} times, ended {ended} times");
    for _ in 0..2 {
        goes_on(folder.path(), &expected);
    }
    let saved = std::fs::read_dir(folder.path().join("saved")).expect("it is there");
    assert!(saved.count() > 2, "searches were written down");
    refused(folder.path());
}

/// The whole answer, of what was written down.
fn goes_on(folder: &Path, expected: &Value) {
    let (code, report) = check(folder, &["--checkpoint", "saved", "--resume"]);
    assert_eq!((code, &report["results"]), (Some(1), &expected["results"]));
}

/// What a checkpoint is not gone on from.
fn refused(folder: &Path) {
    let resume = ["--checkpoint", "saved", "--resume"];
    let other = error(folder, &[&resume[..], &["--never", "INT0"]].concat());
    assert!(other.contains("other options"), "{other}");
    assert!(error(folder, &resume[..2]).contains("--resume goes on from it"));
    assert!(error(folder, &["--checkpoint", "none", "--resume"]).contains("no checkpoint"));
    assert!(error(folder, &["--checkpoint", "."]).contains("other files"));
    assert!(error(folder, &["--checkpoint", "a.elf/x"]).contains("--checkpoint"));
    assert!(error(folder, &["--store", "disk:nowhere"]).contains("disk:DIR"));
    let ctl = error(folder, &["--store", "hash", "--ctl", "AG EF {PORTB == 0}"]);
    assert!(ctl.contains("temporal"), "{ctl}");
    let mut image = std::fs::read(folder.join("a.elf")).expect("it is read");
    image.push(0);
    std::fs::write(folder.join("a.elf"), image).expect("it is written");
    let other = error(folder, &resume);
    assert!(other.contains("another program"), "{other}");
}
