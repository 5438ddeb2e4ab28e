//! Functions of analysis against the host's C library: at random points it gives one of the values that
//! [`MathFunction::allows`]; and the functions run as [`Course`] says.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use kripke_value::{BitVec, Course, Float, FloatFormat, MathFunction};

/// Calls of each function in each format.
const POINTS: usize = 1000;

struct Call {
    function: MathFunction,
    arguments: Vec<Float>,
    result: Float,
}

/// Random calls of the host's library.
fn calls(test: &str) -> Vec<Call> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/host_library/points.c");
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("points_{test}"));
    let compiled = Command::new("gcc")
        .args(["-O1", "-fno-builtin", "-w", source, "-lm", "-o"])
        .arg(&binary)
        .status()
        .expect("gcc is installed");
    assert!(compiled.success(), "gcc refuses {source}");
    let output = Command::new(&binary)
        .arg(POINTS.to_string())
        .output()
        .expect("it runs");
    let text = String::from_utf8(output.stdout).expect("letters");
    text.lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let format = match words[1] {
                "double" => FloatFormat::Binary64,
                _ => FloatFormat::Binary32,
            };
            let float = |word: &str| {
                let bits = u128::from_str_radix(word, 16).expect("hexadecimal");
                Float::from_bits(format, &BitVec::new(format.bits(), bits))
            };
            let function = MathFunction::from_name(words[0]).expect("a function that is known");
            let arguments = [words[2], words[3]].map(float)[..function.arity()].to_vec();
            Call {
                function,
                arguments,
                result: float(words[4]),
            }
        })
        .collect()
}

#[test]
fn the_host_s_results_are_allowed() {
    let calls = calls("values");
    assert_eq!(
        calls.len(),
        MathFunction::ALL.len() * 2 * POINTS,
        "every function is called"
    );
    let mut exact: BTreeMap<&str, usize> = BTreeMap::new();
    for call in &calls {
        let value = call.function.value(&call.arguments).expect("a known format");
        assert!(
            call.function.allows(value, call.result),
            "{}{:?}: {:?} here, {:?} on the host",
            call.function.name(),
            call.arguments,
            value,
            call.result
        );
        *exact.entry(call.function.name()).or_default() += usize::from(value == call.result);
    }
    for (name, count) in exact {
        assert!(
            count * 2 > POINTS,
            "{name}: the host rounds {count} of {} correctly",
            2 * POINTS
        );
    }
}

#[test]
fn functions_run_as_their_course_says() {
    let mut by_function: BTreeMap<(MathFunction, FloatFormat), Vec<(Float, Float)>> = BTreeMap::new();
    for call in calls("courses").iter().filter(|call| call.function.arity() == 1) {
        let at = match call.function.course() {
            Course::Decreasing => call.arguments[0].neg(),
            Course::EvenIncreasing => call.arguments[0].abs(),
            _ => call.arguments[0],
        };
        let value = call.function.value(&call.arguments).expect("a known format");
        if !value.is_nan() {
            let points = by_function.entry((call.function, at.format())).or_default();
            points.push((at, value));
        }
    }
    for ((function, format), mut points) in by_function {
        points.sort_by(|a, b| a.0.compare(b.0).expect("numbers"));
        for pair in points.windows(2) {
            let ((x, low), (y, high)) = (pair[0], pair[1]);
            match function.course() {
                Course::Other => {}
                Course::Contracting => {
                    let (x, y) = (x.to_f64(), y.to_f64());
                    let change = (low.to_f64() - high.to_f64()).abs();
                    let rounding = if format == FloatFormat::Binary64 {
                        1e-15
                    } else {
                        1e-6
                    };
                    assert!(
                        change <= y - x + rounding,
                        "{} between {x} and {y}",
                        function.name()
                    );
                }
                _ => assert!(low.le(high), "{} between {x} and {y}", function.name()),
            }
        }
    }
}
