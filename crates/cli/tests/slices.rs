//! What holds in the slice of a property is not violated in the program.
//!
//! The programs are those of the tests of verdicts, one of `KRIPKE_SLICES_EVERY` (24 unless set), and random
//! ones about memory, `KRIPKE_SLICES_COUNT` (12 unless set) from seed `KRIPKE_SLICES_SEED` (1) on. Each
//! program is checked as a whole, and each of its properties in its slice, with the same bounds; where some
//! are violated, all are also asked for together by the invariants of slices.

mod common;
mod filetest;
#[allow(dead_code, reason = "nothing is shrunk here")]
mod random_memory;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{folder_with, for_each, kripke, setting};
use kripke_bmc::{Options, Silent, check};
use kripke_elts::passes::{PassOptions, optimise};
use kripke_elts::{Program, PropertyId};
use kripke_model::Verdict;
use kripke_slicing::Slicer;

/// How long a check may take, of the whole or of a slice.
const LONGEST: Duration = Duration::from_secs(4);
/// How many properties of a program are looked at.
const MOST: usize = 12;

/// What came of the properties of some programs.
#[derive(Default)]
struct Count {
    /// They hold in the slice, which is smaller than the program.
    hold: usize,
    /// They are violated in the program.
    violated: usize,
    wrong: Vec<String>,
}

/// The program model of a C file; none where that takes options to be one.
fn program_of(source: &Path) -> Option<Program> {
    let folder = source.parent().expect("a folder");
    let output = kripke(&["elts", &source.display().to_string()], folder);
    let text = String::from_utf8(output.stdout).expect("letters");
    let mut program = kripke_elts::text::parse(&text).ok()?;
    optimise(&mut program, &PassOptions::default());
    Some(program)
}

fn verdicts(program: &Program, properties: &[PropertyId]) -> Vec<Verdict> {
    verdicts_with(
        program,
        Options {
            slicing: false,
            max_bound: 8,
            properties: Some(properties.to_vec()),
            ..Options::default()
        },
    )
}

/// What the search beside a search does, which begins there after some seconds only.
fn verdicts_by_invariants(program: &Program) -> Vec<Verdict> {
    verdicts_with(
        program,
        Options {
            only_invariants: true,
            ..Options::default()
        },
    )
}

fn verdicts_with(program: &Program, options: Options) -> Vec<Verdict> {
    let options = Options {
        all: true,
        fuzzing: false,
        deadline: Some(Instant::now() + LONGEST),
        ..options
    };
    let report = check(program, &options, &mut Silent).expect("a report");
    report.results.into_iter().map(|result| result.verdict).collect()
}

fn compare(source: &Path) -> Count {
    let mut count = Count::default();
    let Some(program) = program_of(source) else {
        return count;
    };
    let Some(slicer) = Slicer::new(&program) else {
        return count;
    };
    let statements = program.statements().count();
    let properties: Vec<PropertyId> = program.properties.ids().take(MOST).collect();
    let whole = verdicts(&program, &properties);
    for (id, verdict) in properties.iter().zip(&whole) {
        let is_violated = matches!(verdict, Verdict::Violated { .. });
        count.violated += usize::from(is_violated);
        let Some(kept) = slicer.slice(&[*id]) else {
            continue;
        };
        let sliced = slicer.program(&kept);
        let holds = matches!(verdicts(&sliced, &[*id])[..], [Verdict::Holds { .. }]);
        count.hold += usize::from(holds && kept.count() < statements);
        if holds && is_violated {
            let name = &program.public_properties()[*id].id;
            count.wrong.push(format!("{}: {name}", source.display()));
        }
    }
    if count.violated > 0 {
        let alone = verdicts_by_invariants(&program);
        for (id, (whole, alone)) in properties.iter().zip(whole.iter().zip(&alone)) {
            if matches!((whole, alone), (Verdict::Violated { .. }, Verdict::Holds { .. })) {
                let name = &program.public_properties()[*id].id;
                count
                    .wrong
                    .push(format!("{}: {name} by invariants", source.display()));
            }
        }
    }
    count
}

fn compare_all(sources: &[PathBuf]) -> Count {
    let mut all = Count::default();
    for count in for_each(sources, |source| compare(source)) {
        all.hold += count.hold;
        all.violated += count.violated;
        all.wrong.extend(count.wrong);
    }
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
    all
}

#[test]
fn what_holds_in_a_slice_of_a_test_holds_in_the_whole() {
    let mut tests = Vec::new();
    filetest::find_tests(&filetest::root(), &mut tests);
    let every = setting("KRIPKE_SLICES_EVERY", 24) as usize;
    let some: Vec<PathBuf> = tests.into_iter().step_by(every).map(|test| test.path).collect();
    let count = compare_all(&some);
    assert!(count.hold > 20, "{} hold", count.hold);
    assert!(count.violated > 5, "{} are violated", count.violated);
}

#[test]
fn what_holds_in_a_slice_of_a_random_program_holds_in_the_whole() {
    let first = setting("KRIPKE_SLICES_SEED", 1);
    let seeds = first..first + setting("KRIPKE_SLICES_COUNT", 12);
    let folders: Vec<_> = seeds
        .map(|seed| {
            let text = random_memory::program(seed).text(0);
            folder_with(&[("program.c", text.as_str())])
        })
        .collect();
    let sources: Vec<PathBuf> = folders
        .iter()
        .map(|folder| folder.path().join("program.c"))
        .collect();
    let count = compare_all(&sources);
    assert!(count.hold > 10, "{} hold", count.hold);
}

/// A program of which one property is violated, and does not hold in its slice.
fn is_not_hidden(source: &str) {
    let folder = folder_with(&[("program.c", source)]);
    let count = compare_all(&[folder.path().join("program.c")]);
    assert!(count.violated == 1, "{} are violated", count.violated);
}

/// What a pointer may point to is partly known in the slice: a load that matters only by whether it may be
/// done does not end a run because it reads what is written elsewhere.
#[test]
fn what_is_written_elsewhere_hides_nothing() {
    is_not_hidden(
        "int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int(), b;
    int *all[3] = {&b, &a, 0};
    b = 5;
    for (int i = 0; i < 3; i++) {
        int x = *all[i];
        (void)x;
        if (a > 10)
            return 0;
    }
    return 0;
}
",
    );
}

/// Whether a function goes on for ever is left out where that is all that a branch decides; where it returns,
/// what its caller does is not.
#[test]
fn a_function_that_may_not_end_hides_nothing() {
    is_not_hidden(
        "#include <assert.h>
int __VERIFIER_nondet_int(void);
int written;
static void write(int goes_on) {
    written = 1;
    if (goes_on)
        for (;;) {
        }
}
int main(void) {
    write(__VERIFIER_nondet_int());
    assert(written != 1);
    return 0;
}
",
    );
}
