//! Random programs: valid, printed and read back, and the same on the fast path as by the definition.

mod support;

use kripke_elts::interpreter::{End, RunOptions, run};
use kripke_elts::random::{RandomOptions, random_program};
use kripke_elts::{Program, text, verify};
use support::{Recorder, Seeded};

const PROGRAMS: u64 = 3000;

fn run_recorded(program: &Program, seed: u64, reference: bool) -> (End, Recorder) {
    let mut recorder = Recorder::default();
    let options = RunOptions {
        max_steps: Some(100_000),
        reference,
        ..RunOptions::default()
    };
    let end = run(program, &mut Seeded::new(seed), &options, &mut recorder);
    (end, recorder)
}

#[test]
fn programs_are_valid() {
    for seed in 0..PROGRAMS {
        let program = random_program(seed, &RandomOptions::default());
        verify(&program).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn text_round_trip() {
    for seed in 0..PROGRAMS {
        let program = random_program(seed, &RandomOptions::default());
        let printed = text::print(&program);
        let read = text::parse(&printed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(text::print(&read), printed, "seed {seed}");
        assert!(read == program, "seed {seed}: the program that was read differs");
    }
}

#[test]
fn fast_path_equals_definition() {
    let mut ends = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..PROGRAMS {
        let program = random_program(seed, &RandomOptions::default());
        let (end, fast) = run_recorded(&program, seed, false);
        let (expected, slow) = run_recorded(&program, seed, true);
        assert_eq!(end, expected, "seed {seed}");
        assert_eq!(fast.events, slow.events, "seed {seed}");
        *ends
            .entry(
                format!("{end:?}")
                    .split([' ', '{'])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            )
            .or_default() += 1;
    }
    // The generator must reach ordinary ends and violations, or the comparison says little.
    assert!(ends["Exit"] > 300 && ends["Violation"] > 300, "{ends:?}");
}

#[test]
fn observed_run_equals_plain_run() {
    for seed in 0..PROGRAMS / 3 {
        let program = random_program(seed, &RandomOptions::default());
        let (expected, _) = run_recorded(&program, seed, false);
        let mut builder = kripke_elts::trace::TraceBuilder::new(&program);
        let options = RunOptions {
            max_steps: Some(100_000),
            ..RunOptions::default()
        };
        let end = run(&program, &mut Seeded::new(seed), &options, &mut builder);
        assert_eq!(end, expected, "seed {seed}");
        let violated = matches!(end, End::Violation { .. });
        let last = builder.finish().steps.pop();
        let shown = last.is_some_and(|step| matches!(step.kind, kripke_model::StepKind::Violation { .. }));
        assert_eq!(violated, shown, "seed {seed}");
    }
}
