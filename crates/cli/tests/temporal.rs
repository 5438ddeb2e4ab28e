//! Verdicts on temporal formulas against an independent oracle.
//!
//! Random C programs write their globals in every way that C has, and end in every way; the oracle never sees
//! the C text, only the machine code of [`temporal::machine`] that was generated beside it. Three things are
//! compared:
//!
//! - programs without loops: the value is the least over all traces, and the verdict is definite;
//! - programs with loops, bound by bound: the same over all traces cut at the bound;
//! - programs with loops: a definite verdict is the truth about all infinite runs, found in the product with
//!   the automaton of ¬φ.
//!
//! Environment: `KRIPKE_TEMPORAL_COUNT` programs of each kind, from seed `KRIPKE_TEMPORAL_SEED` on.

#[path = "temporal/generator.rs"]
mod generator;
#[path = "temporal/machine.rs"]
mod machine;
#[path = "temporal/oracle.rs"]
mod oracle;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use generator::{Generated, generate};
use kripke_logic::random::{Random, Shape, formula_of_depth};
use kripke_logic::{Dialect, Formula, FourValued};
use serde_json::Value;

const BOUNDS: u32 = 3;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// What the tool says of one formula.
struct Answer {
    verdict: String,
    /// Bound, value in words.
    bounds: Vec<(u32, String)>,
}

fn ask(program: &Path, formula: &str, arguments: &[String]) -> Answer {
    let json = program.with_extension("json");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args(["check", "--quiet", "--timeout", "60s", "--ltl", formula, "--json"])
        .arg(&json)
        .args(arguments)
        .arg(program)
        .output()
        .expect("kripke runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "exit {code:?}: {errors}");
    let text = std::fs::read_to_string(&json).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let result = results
        .iter()
        .find(|result| result["property"]["kind"] == "ltl")
        .expect("the formula's result");
    let rows = result["temporal"]["bounds"].as_array().expect("bounds");
    let row = |row: &Value| {
        let bound = row["bound"].as_u64().expect("a bound") as u32;
        (bound, row["value"].as_str().expect("a value").to_string())
    };
    Answer {
        verdict: result["verdict"].as_str().expect("a verdict").to_string(),
        bounds: rows.iter().map(row).collect(),
    }
}

/// The atoms of a program's formula: C text, and which variables they read.
fn formula(random: &mut Random, generated: &Generated) -> (Formula, String) {
    let shape = Shape {
        atoms: generated.atoms.len(),
        next: random.below(4) == 0,
        common: true,
    };
    let depth = 2 + random.below(3);
    let formula = formula_of_depth(random, shape, depth);
    let mut text = kripke_logic::printer::print(&formula, Dialect::Spin)
        .expect("LTL can be printed")
        .text;
    for (index, atom) in generated.atoms.iter().enumerate() {
        text = text.replace(&format!("p{index}"), &format!("{{{}}}", atom.text));
    }
    (formula, text)
}

/// The verdict that came out, where nothing is wrong with it.
fn case(seed: u64, loops: bool, folder: &Path) -> Result<String, String> {
    let mut random = Random::new(seed);
    let generated = generate(&mut random, loops);
    let (formula, text) = formula(&mut random, &generated);
    let path = folder.join(format!("seed{seed}.c"));
    std::fs::write(&path, &generated.text).expect("the folder can be written");
    let checks = ["none", "assertion"][random.below(2)];
    let mut arguments = vec!["--check".to_string(), checks.to_string()];
    if loops {
        arguments.extend(["--unwind".to_string(), BOUNDS.to_string()]);
    }
    let answer = ask(&path, &text, &arguments);
    let machine = &generated.machine;
    let monitor = oracle::Watcher::new(&formula, &generated.atoms, machine);
    let fail = |message: String| {
        let shown = format!(
            "kripke check {} --ltl '{text}' {}",
            path.display(),
            arguments.join(" ")
        );
        Err(format!("seed {seed}: {message}\n{shown}\n{}", generated.text))
    };
    for (bound, value) in &answer.bounds {
        let expected = monitor.value(*bound);
        if value != expected.words() {
            return fail(format!("at bound {bound}: {value}, not {}", expected.words()));
        }
    }
    if answer.bounds.is_empty() {
        return fail(format!("no value at any bound, {}", answer.verdict));
    }
    let truth = if monitor.some_run_violates() {
        "violated"
    } else {
        "holds"
    };
    let definite = matches!(answer.verdict.as_str(), "holds" | "violated");
    if definite && answer.verdict != truth {
        return fail(format!("{}, but in truth {truth}", answer.verdict));
    }
    if !loops && !definite {
        return fail(format!("{}, though every run ends", answer.verdict));
    }
    let presumed = monitor.value(answer.bounds.last().map_or(1, |last| last.0));
    if !definite && presumed == FourValued::False {
        return fail("a bad prefix is no presumption".to_string());
    }
    Ok(answer.verdict)
}

fn cases(name: &str, loops: bool) {
    let folder = tempfile::Builder::new().prefix(name).tempdir().expect("a folder");
    let first = from_environment("KRIPKE_TEMPORAL_SEED", 1);
    let count = from_environment("KRIPKE_TEMPORAL_COUNT", 100);
    let (mut failures, mut seen) = (Vec::new(), BTreeMap::new());
    for seed in first..first + count {
        let outcome = std::panic::catch_unwind(|| case(seed, loops, folder.path()));
        match outcome {
            Ok(Ok(verdict)) => *seen.entry(verdict).or_insert(0) += 1,
            Ok(Err(failure)) => failures.push(failure),
            Err(why) => {
                let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                failures.push(format!("seed {seed}: {why}"));
            }
        }
    }
    if !failures.is_empty() {
        let kept = folder.keep();
        panic!(
            "{} of {count} wrong, kept in {}:\n{}",
            failures.len(),
            kept.display(),
            failures.join("\n\n")
        );
    }
    println!("{seen:?}");
    let varied = ["holds", "violated"]
        .iter()
        .all(|verdict| seen.contains_key(*verdict));
    assert!(varied || count < 50, "only {seen:?}: this compares nothing");
}

#[test]
fn without_loops_the_value_is_the_least_over_all_traces() {
    cases("kripke-straight-", false);
}

#[test]
fn with_loops_values_per_bound_and_definite_verdicts_agree() {
    cases("kripke-loops-", true);
}
