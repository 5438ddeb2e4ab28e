//! The engine against the interpreter, on random programs.
//!
//! Establishes that no verdict contradicts a concrete run: what a run with random inputs violates is
//! never said to hold, and what is said to be violated replays (the engine checks that itself, and
//! fails where it does not). With all inputs fixed, both agree on every property.

use kripke_bmc::{Options, Progress, Silent, check};
use kripke_elts::interpreter::{End, Inputs, NoObserver, RunOptions, run};
use kripke_elts::random::{Random, RandomOptions, random_program};
use kripke_elts::{
    Expr, Id, NondetSource, Pointer, Position, Program, PropertyId, ScalarValue, StatementKind, Type,
};
use kripke_model::{Report, Verdict};
use kripke_value::{BitVec, Float, FloatFormat};

/// Inputs drawn at random, small numbers often.
struct RandomInputs(Random);

impl Inputs for RandomInputs {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        random_value(&mut self.0, ty)
    }

    fn unwritten_byte(&mut self, _: u64, _: u64) -> u8 {
        self.0.bits() as u8
    }
}

fn random_value(random: &mut Random, ty: Type) -> ScalarValue {
    let bits = match random.below(3) {
        0 => random.below(4) as u128,
        1 => u128::from(random.bits()) << 64 | u128::from(random.bits()),
        _ => u128::MAX - random.below(4) as u128,
    };
    match ty {
        Type::Int(width) => ScalarValue::Int(BitVec::new(width, bits)),
        Type::Float(FloatFormat::Binary32) => {
            ScalarValue::Float(Float::from_f32(random.below(9) as f32 - 4.0))
        }
        Type::Float(format) => {
            ScalarValue::Float(Float::from_bits(format, &BitVec::new(format.bits(), bits)))
        }
        Type::Pointer => ScalarValue::Pointer(Pointer::NULL),
    }
}

fn options() -> Options {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    Options {
        all: true,
        deadline: Some(deadline),
        max_bound: 64,
        ..Options::default()
    }
}

fn verdict(report: &Report, property: PropertyId) -> &Verdict {
    &report.results[property.index()].verdict
}

/// Replaces every input by a constant.
fn fix_inputs(program: &mut Program, random: &mut Random) {
    for function in program.functions.iter_mut() {
        let types: Vec<Type> = function.variables.iter().map(|variable| variable.ty).collect();
        for location in function.locations.iter_mut() {
            for statement in location
                .transitions
                .iter_mut()
                .flat_map(|transition| &mut transition.statements)
            {
                if let StatementKind::Nondet { target, .. } = statement.kind {
                    let value = match random_value(random, types[target.index()]) {
                        ScalarValue::Int(value) => Expr::Int(value),
                        ScalarValue::Float(value) => Expr::Float(value),
                        ScalarValue::Pointer(_) => Expr::Null,
                    };
                    statement.kind = StatementKind::Assign { target, value };
                }
            }
        }
    }
}

#[derive(Default, Debug)]
struct Counts {
    violated: usize,
    held: usize,
    unknown: usize,
    runs_that_violate: usize,
}

/// Compares the verdicts with concrete runs.
fn compare(seed: u64, program: &Program, runs: u64, options: &Options, counts: &mut Counts) {
    let report = match check(program, options, &mut Silent) {
        Ok(report) => report,
        Err(error) => panic!("seed {seed}: {error}\n{}", kripke_elts::text::print(program)),
    };
    for result in &report.results {
        match result.verdict {
            Verdict::Holds { .. } => counts.held += 1,
            Verdict::Violated { .. } => counts.violated += 1,
            _ => counts.unknown += 1,
        }
    }
    let run_options = RunOptions {
        max_steps: Some(1_000_000),
        ..RunOptions::default()
    };
    for index in 0..runs {
        let mut inputs = RandomInputs(Random::new(seed.wrapping_mul(1009).wrapping_add(index)));
        match run(program, &mut inputs, &run_options, &mut NoObserver) {
            End::Violation {
                property, message, ..
            } => {
                counts.runs_that_violate += 1;
                let verdict = verdict(&report, property);
                assert!(
                    !matches!(verdict, Verdict::Holds { .. }),
                    "seed {seed}: {property} is violated by a run ({message}) and is said to hold: \
                     {verdict:?}\n{}",
                    kripke_elts::text::print(program)
                );
            }
            End::UncheckedMisuse { what, .. } | End::Unsupported { what, .. } => {
                let holds = report
                    .results
                    .iter()
                    .find(|result| matches!(result.verdict, Verdict::Holds { .. }));
                // What is only printed is not followed by the engine.
                if let (Some(result), false) = (holds, what.starts_with("print")) {
                    panic!(
                        "seed {seed}: a run loses its meaning ({what}), and {} is said to hold\n{}",
                        result.property.id,
                        kripke_elts::text::print(program)
                    );
                }
            }
            _ => {}
        }
    }
}

fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let start = number("KRIPKE_SEED").unwrap_or(0);
    start..start + number("KRIPKE_COUNT").unwrap_or(default)
}

#[test]
fn verdicts_agree_with_random_runs() {
    let mut counts = Counts::default();
    for seed in seeds(60) {
        let floats = seed % 4 == 0;
        let random = RandomOptions {
            floats,
            wide: seed % 5 == 0,
            addresses: seed % 3 == 0,
            uninitialised: seed % 2 == 0,
            output: false,
            size: 30,
            ..RandomOptions::default()
        };
        let program = random_program(seed, &random);
        compare(seed, &program, 60, &options(), &mut counts);
    }
    println!("{counts:?}");
    assert!(
        counts.violated > 0 && counts.held > 0,
        "the programs decide nothing: {counts:?}"
    );
}

#[test]
fn fixed_inputs_give_the_interpreters_result() {
    let mut counts = Counts::default();
    for seed in seeds(120) {
        let random = RandomOptions {
            addresses: false,
            uninitialised: false,
            output: false,
            size: 60,
            ..RandomOptions::default()
        };
        let mut program = random_program(seed, &random);
        fix_inputs(&mut program, &mut Random::new(seed));
        compare(seed, &program, 1, &options(), &mut counts);
    }
    println!("{counts:?}");
}

#[test]
fn invariants_alone_agree() {
    let mut counts = Counts::default();
    for seed in seeds(120) {
        let random = RandomOptions {
            addresses: seed % 3 == 0,
            uninitialised: seed % 2 == 0,
            output: false,
            size: 40,
            ..RandomOptions::default()
        };
        let mut program = random_program(seed, &random);
        let alone = Options {
            only_invariants: true,
            ..options()
        };
        compare(seed, &program, 40, &alone, &mut counts);
        fix_inputs(&mut program, &mut Random::new(seed));
        compare(seed, &program, 1, &alone, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.runs_that_violate > 0 && counts.held > 0, "{counts:?}");
}

#[test]
fn arrays_and_cells_agree() {
    let mut counts = Counts::default();
    for seed in seeds(40) {
        let random = RandomOptions {
            floats: false,
            output: false,
            size: 25,
            ..RandomOptions::default()
        };
        let program = random_program(seed, &random);
        let arrays = Options {
            array_threshold: Some(1),
            ..options()
        };
        compare(seed, &program, 40, &arrays, &mut counts);
    }
    println!("{counts:?}");
}

#[test]
fn ranges_told_as_a_whole_agree() {
    let mut counts = Counts::default();
    for seed in seeds(60) {
        let random = RandomOptions {
            floats: seed % 3 == 0,
            uninitialised: seed % 2 == 0,
            output: false,
            size: 25,
            ..RandomOptions::default()
        };
        let program = random_program(seed, &random);
        let whole = Options {
            range_threshold: Some(0),
            array_threshold: (seed % 2 == 0).then_some(1),
            ..options()
        };
        compare(seed, &program, 40, &whole, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.violated > 0 && counts.held > 0, "{counts:?}");
}

/// Counts the states that stay apart.
#[derive(Default)]
struct KeptApart(u64);

impl Progress for KeptApart {
    fn dump(&mut self, _: &str, text: &str) {
        let counts = text.lines().flat_map(|line| line.split(", "));
        let kept = counts.filter_map(|count| count.strip_suffix(" states kept apart"));
        self.0 += kept
            .map(|kept| kept.parse::<u64>().expect("a number"))
            .sum::<u64>();
    }
}

/// Compares the verdicts with and without something that only saves time, and tells how many states stayed
/// apart with and without it. Without induction every answer comes from the bounds.
fn changes_no_verdict(count: u64, without: impl Fn(&mut Options)) -> (u64, u64) {
    let (mut apart_with, mut apart_without) = (KeptApart::default(), KeptApart::default());
    let (mut same, mut decided) = (0, 0);
    for seed in seeds(count) {
        let random = RandomOptions {
            floats: false,
            output: false,
            size: 30,
            ..RandomOptions::default()
        };
        let program = random_program(seed, &random);
        let report = |options: &Options, apart: &mut KeptApart| {
            check(&program, options, apart).expect("no internal error")
        };
        let with = Options {
            k_induction: false,
            max_bound: 8,
            dump: true,
            ..options()
        };
        let mut less = with.clone();
        without(&mut less);
        let with = report(&with, &mut apart_with);
        let without = report(&less, &mut apart_without);
        for (with, without) in with.results.iter().zip(&without.results) {
            let kind = |verdict: &Verdict| match verdict {
                Verdict::Holds { .. } => Some(true),
                Verdict::Violated { .. } => Some(false),
                _ => None,
            };
            if let (Some(with), Some(without)) = (kind(&with.verdict), kind(&without.verdict)) {
                assert_eq!(with, without, "seed {seed}");
                same += 1;
            }
            decided += usize::from(kind(&without.verdict).is_some());
        }
    }
    assert!(same > 0 && same >= decided - decided / 50, "{same} of {decided}");
    (apart_with.0, apart_without.0)
}

#[test]
fn what_is_not_followed_changes_no_verdict() {
    changes_no_verdict(60, |options| options.feasibility = false);
}

#[test]
fn states_that_stay_apart_change_no_verdict() {
    // Few random programs have states that differ in where they are in data.
    let (with, without) = changes_no_verdict(1000, |options| options.parting = false);
    println!("{with} states stayed apart");
    assert!(with > 0, "no state stayed apart from those that it met");
    assert_eq!(without, 0);
}
