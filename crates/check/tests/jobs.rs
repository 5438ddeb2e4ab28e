//! Jobs are done without a terminal: what is heard while they are, what they return, and that they can be
//! cancelled.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{blinking, counting, firmware, formula, program};
use kripke_check::project;
use kripke_check::{Checked, Events, Form, Job, Progress, Subject, check};
use kripke_model::{Argument, Property, PropertyKind, PropertyResult, Reason, Verdict};

/// What was heard, in order.
#[derive(Default)]
struct Heard {
    warnings: Vec<String>,
    /// `None` for progress, the id for a property that was settled.
    order: Vec<Option<String>>,
    /// The ids of the properties that were asked.
    asked: Vec<String>,
    results: Vec<PropertyResult>,
}

impl Events for Heard {
    fn warning(&mut self, text: &str) {
        self.warnings.push(text.to_string());
    }

    fn compiler(&mut self, text: &str) {
        self.warnings.push(text.to_string());
    }

    fn progress(&mut self, _: &Progress) {
        self.order.push(None);
    }

    fn asked(&mut self, properties: &[Property]) {
        self.asked
            .extend(properties.iter().map(|property| property.id.clone()));
    }

    fn settled(&mut self, result: &PropertyResult) {
        assert!(self.asked.contains(&result.property.id), "{}", result.property.id);
        self.order.push(Some(result.property.id.clone()));
        self.results.push(result.clone());
    }
}

/// Does a job. Every result was asked before, and announced once, as it stands in the report.
fn done(job: &Job) -> (Checked, Heard) {
    let mut heard = Heard::default();
    let checked = check(job, &mut heard, Arc::default()).expect("a job that can be done");
    let mut announced = heard.results.clone();
    assert_eq!(announced.len(), checked.report.results.len());
    let reported = |id: &String| {
        checked
            .report
            .results
            .iter()
            .any(|result| result.property.id == *id)
    };
    // Without the lines of the source nothing can be torn.
    assert!(heard.asked.iter().all(|id| reported(id) || id == "torn-access"));
    for result in &checked.report.results {
        let at = announced.iter().position(|other| other == result);
        announced.remove(at.expect("what is reported was announced"));
    }
    (checked, heard)
}

/// The kind and the verdict of each result.
fn verdicts(checked: &Checked) -> Vec<(PropertyKind, &'static str)> {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } => "violated",
        _ => "open",
    };
    let results = checked.report.results.iter();
    results
        .map(|result| (result.property.kind, word(&result.verdict)))
        .collect()
}

#[test]
fn a_program_is_checked() {
    let (_folder, mut job) = program(
        "unsigned char nondet_uchar(void); void __VERIFIER_assert(int);\n\
         int main(void) { int x = nondet_uchar(); __VERIFIER_assert(x < 256); __VERIFIER_assert(x != 7); }\n",
        &[PropertyKind::Assertion],
    );
    job.wanted.harness = Some("fail.c".to_string());
    let (checked, heard) = done(&job);
    let expected = [
        (PropertyKind::Assertion, "holds"),
        (PropertyKind::Assertion, "violated"),
    ];
    assert_eq!(verdicts(&checked), expected);
    assert_eq!(
        heard.order.first(),
        Some(&None),
        "a bound begins before anything is settled"
    );
    let harness = checked.harness.expect("there is a violation");
    assert_eq!(harness.property, "main.assertion.2");
    assert!(harness.text.contains("fail.c"), "{}", harness.text);
}

#[test]
fn results_are_heard_before_the_search_goes_on() {
    let (_folder, job) = program(
        "unsigned char nondet_uchar(void); void __VERIFIER_assert(int);\n\
         int main(void) {\n\
             unsigned n = nondet_uchar();\n\
             __VERIFIER_assert(n != 3);\n\
             for (unsigned i = 0; i < n; i++) { }\n\
             __VERIFIER_assert(n != 200);\n\
         }\n",
        &[PropertyKind::Assertion],
    );
    let (_, heard) = done(&job);
    let first = heard.order.iter().position(Option::is_some).expect("a result");
    let rest = &heard.order[first..];
    assert_eq!(rest[0].as_deref(), Some("main.assertion.1"));
    assert!(
        rest[1..].contains(&None),
        "the loop is followed further: {rest:?}"
    );
    assert_eq!(rest.last(), Some(&Some("main.assertion.2".to_string())));
}

#[test]
fn formulas_of_a_program_are_results_like_others() {
    let (_folder, mut job) = program("int x; int main(void) { x = 1; x = 2; }\n", &[]);
    job.formulas = vec![
        formula(Form::Ltl, "G {x < 2}"),
        formula(Form::Ltl, "end: F {x == 2}"),
    ];
    let (checked, heard) = done(&job);
    let expected = [(PropertyKind::Ltl, "violated"), (PropertyKind::Ltl, "holds")];
    assert_eq!(verdicts(&checked), expected);
    let names: BTreeSet<_> = heard.order.into_iter().flatten().collect();
    assert_eq!(names, BTreeSet::from(["end".to_string(), "ltl.1".to_string()]));
}

#[test]
fn a_firmware_is_checked() {
    let (_folder, mut job) = firmware(blinking());
    job.formulas = vec![
        formula(Form::Invariant, "low: {PORTB < 128}"),
        formula(Form::Ctl, "AG EF {PORTB == 3}"),
        formula(Form::Ltl, "F {DDRB == 255}"),
    ];
    job.wanted.waveform = true;
    job.wanted.evidence = true;
    let (checked, _) = done(&job);
    let expected = [
        (PropertyKind::Invariant, "violated"),
        (PropertyKind::Ctl, "holds"),
        (PropertyKind::Ltl, "holds"),
    ];
    assert_eq!(verdicts(&checked), expected);
    assert!(checked.waveform.expect("a run").contains("$enddefinitions"));
    assert!(checked.evidence.expect("a formula").starts_with("digraph"));
    assert!(checked.harness.is_none());
}

#[test]
fn faults_of_a_firmware_are_looked_for_when_they_are_wanted() {
    let (_folder, mut job) = firmware(blinking());
    let Subject::Firmware(wanted) = &mut job.subject else {
        panic!("a firmware");
    };
    wanted.faults = true;
    let (checked, _) = done(&job);
    let kinds = verdicts(&checked);
    assert!(kinds.len() > 3 && kinds.iter().all(|(kind, _)| *kind == PropertyKind::Firmware));
}

#[test]
fn warnings_are_heard_and_not_printed() {
    let (_folder, mut job) = firmware(blinking());
    job.formulas = vec![formula(Form::Ltl, "X {PORTB == 0}")];
    let (_, heard) = done(&job);
    assert!(
        heard.warnings.iter().any(|text| text.contains("warning: X")),
        "{:?}",
        heard.warnings
    );
}

/// Cancels a job from another thread: it ends soon, and says why.
fn cancelled(job: &Job) -> Vec<Verdict> {
    let checked = cancelled_after(job, Duration::from_millis(1500));
    let results = checked.report.results.into_iter();
    results.map(|result| result.verdict).collect()
}

/// Cancels a job after some time: it ends soon.
fn cancelled_after(job: &Job, time: Duration) -> Checked {
    let interrupt = Arc::new(AtomicBool::new(false));
    let other = Arc::clone(&interrupt);
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(time);
        other.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let checked = check(job, &mut kripke_check::Silent, interrupt).expect("a report");
    let since = canceller.join().expect("the canceller").elapsed();
    assert!(
        since < Duration::from_secs(10),
        "{since:?} after it was cancelled"
    );
    checked
}

#[test]
fn the_check_of_a_program_can_be_cancelled() {
    let (_folder, mut job) = program(
        // No square ends in these bits, so no bound is enough.
        "unsigned nondet_uint(void); void __VERIFIER_assert(int);\n\
         int main(void) { for (unsigned long n = 0;; n++) { unsigned s = nondet_uint() + n; \
         __VERIFIER_assert(s * s % 8 != 3); } }\n",
        &[PropertyKind::Assertion],
    );
    if let Subject::Program(wanted) = &mut job.subject {
        wanted.bounds.k_induction = false;
    }
    let reason = Reason::Interrupted;
    assert_eq!(cancelled(&job), [Verdict::Unknown { reason }]);
}

#[test]
fn the_check_of_a_firmware_can_be_cancelled() {
    let (_folder, mut job) = firmware(counting());
    job.formulas = vec![formula(Form::Invariant, "{DDRB == 0}")];
    // With these there are few states.
    if let Subject::Firmware(wanted) = &mut job.subject {
        wanted.exploration.widening = false;
        wanted.exploration.abstract_values = false;
        wanted.exploration.path_reduction = false;
        wanted.exploration.dead_variable_reduction = false;
    }
    let reason = Reason::Interrupted;
    assert_eq!(cancelled(&job), [Verdict::Unknown { reason }]);
}

#[test]
fn what_cannot_be_done_is_said() {
    let (_folder, mut job) = program("int main(void) { return 0 }\n", &[]);
    let mut heard = Heard::default();
    let mut failure = |job: &Job| match check(job, &mut heard, Arc::default()) {
        Err(kripke_check::Failure::Input(message)) => message,
        other => panic!("{other:?}"),
    };
    assert!(failure(&job).contains("does not compile"));
    job.formulas = vec![formula(Form::Ltl, "a: F {1}"), formula(Form::Ltl, "a: G {1}")];
    assert!(failure(&job).contains("two formulas are named 'a'"));
    job.formulas = vec![formula(Form::Ctl, "AG {1}")];
    assert!(failure(&job).contains("linear-time"));
    assert!(heard.warnings[0].contains("expected ';'"), "{:?}", heard.warnings);
}

#[test]
fn a_project_is_turned_into_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(project::FILE_NAME);
    std::fs::write(folder.path().join("p.c"), "int x; int main(void) { x = N; }\n").expect("the program");
    std::fs::write(
        &file,
        "[[program]]\nname = 'p'\nsources = ['p.c']\ntimeout = '1m'\ncheck = 'none'\n\
         [[program.property]]\nname = 'rises in the end'\nltl = 'F {x == 3}'\ndefine = ['N=3']\nunwind = 2\n",
    )
    .expect("the project");
    let project = project::read(&file).expect("a project");
    let runs = project::runs(&project, &[]);
    assert_eq!(runs.len(), 1);
    let mut defaults = project::Defaults::default();
    defaults.program.sources.entry = "main".to_string();
    let job = runs[0].job(&project, &defaults).expect("a job");
    assert_eq!(job.limits.time, Some(Duration::from_secs(60)));
    let (checked, _) = done(&job);
    let result = &checked.report.results[0];
    assert_eq!(result.property.id, "rises in the end");
    assert!(matches!(
        result.verdict,
        Verdict::Holds {
            argument: Argument::GoodPrefixes { bound: 1 | 2 } | Argument::AllPathsWithinBound { .. }
        }
    ));
}

/// A compiler that does not come to an end, and whose own children outlive it.
#[cfg(unix)]
#[test]
fn a_compiler_that_runs_is_ended() {
    use std::os::unix::fs::PermissionsExt as _;

    let (folder, mut job) = program("int main(void) { return 0; }\n", &[PropertyKind::Assertion]);
    let compiler = folder.path().join("clang");
    std::fs::write(&compiler, "#!/bin/sh\nsleep 30\n").expect("a script");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&compiler, executable).expect("permissions");
    let Subject::Program(wanted) = &mut job.subject else {
        panic!("a program");
    };
    wanted.sources.compile.clang = Some(compiler);
    for formulas in [vec![], vec![formula(Form::Ltl, "G {x == 0}")]] {
        job.formulas = formulas;
        let checked = cancelled_after(&job, Duration::from_millis(200));
        assert_eq!(checked.report.incomplete, Some(Reason::Interrupted));
        assert!(checked.report.results.is_empty());
    }
}
