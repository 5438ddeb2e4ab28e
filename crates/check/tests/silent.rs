//! A check prints nothing and writes no file: jobs are done in a process of their own, whose output and
//! folders are empty afterwards.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use common::{blinking, firmware, formula, program};
use kripke_check::{Form, Silent, check};
use kripke_model::PropertyKind;

/// Set in the process that does the jobs.
const INSIDE: &str = "KRIPKE_CHECK_SILENT";

fn main() {
    match std::env::var_os(INSIDE) {
        Some(_) => do_jobs(),
        None => watch(),
    }
}

/// A violation with all that can be asked for, of a program of which clang warns and of a firmware.
fn do_jobs() {
    let (_folder, mut job) = program(
        "int x; int nondet_int(void); void __VERIFIER_assert(int); int undefined_function(int);\n\
         int main(void) {\n\
             x = nondet_int(); x == 7; __VERIFIER_assert(x != 7); return undefined_function(x);\n\
         }\n",
        &[PropertyKind::Assertion],
    );
    job.formulas = vec![formula(Form::Ltl, "G {x == 0}")];
    job.wanted.harness = Some("harness.c".to_string());
    let checked = check(&job, &mut Silent, Arc::default()).expect("a report");
    assert!(checked.harness.is_some());
    let (_folder, mut job) = firmware(blinking());
    job.formulas = vec![
        formula(Form::Invariant, "{PORTB < 128}"),
        formula(Form::Ctl, "EX EX EX {PORTB == 3}"),
    ];
    job.wanted.waveform = true;
    job.wanted.evidence = true;
    let checked = check(&job, &mut Silent, Arc::default()).expect("a report");
    assert!(checked.waveform.is_some() && checked.evidence.is_some());
}

/// Starts the process and looks at what it leaves behind.
fn watch() {
    let here = tempfile::tempdir().expect("a folder");
    let temporary = tempfile::tempdir().expect("a folder");
    let output = Command::new(std::env::current_exe().expect("this program"))
        .current_dir(here.path())
        .env("TMPDIR", temporary.path())
        .env(INSIDE, "1")
        .output()
        .expect("the process");
    let (said, complained) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{complained}");
    assert_eq!((said.as_ref(), complained.as_ref()), ("", ""));
    for folder in [here.path(), temporary.path()] {
        assert_eq!(entries(folder), 0, "something was left in {}", folder.display());
    }
}

fn entries(folder: &Path) -> usize {
    folder.read_dir().expect("the folder").count()
}
