//! Times the checkers on the toy models; `benches/bench.py` puts it beside SPIN.
//!
//! `toys MODEL SIZE safety|ltl [plain|tree [THREADS]]` prints one line of JSON.

#[path = "../tests/toys/mod.rs"]
mod toys;

use std::process::ExitCode;
use std::time::Instant;

use kripke_explicit::{Exploration, Limits, LtlFormula, Order, Store, check_invariant, check_ltl};
use kripke_logic::{Atoms, Formula, Options, parse};
use kripke_model::KripkeStructure;
use toys::{Election, Peterson, Philosophers};

struct Answer {
    holds: bool,
    exploration: Exploration,
    product_states: u64,
}

fn check<M: KripkeStructure>(model: &mut M, bad: u32, ltl: Option<&str>, limits: &Limits) -> Answer {
    match ltl {
        None => {
            let found = check_invariant(
                model,
                |labels| labels >> bad & 1 == 0,
                Order::BreadthFirst,
                limits,
            )
            .expect("there are no limits");
            Answer {
                holds: found.counterexample.is_none(),
                exploration: found.exploration,
                product_states: found.exploration.stored,
            }
        }
        Some(text) => {
            let formula = LtlFormula::new(&formula(text), &Options::default()).expect("a small formula");
            let found = check_ltl(model, &formula, limits).expect("there are no limits");
            Answer {
                holds: found.counterexample.is_none(),
                exploration: found.exploration,
                product_states: found.product_states,
            }
        }
    }
}

/// Atoms are called by their bits, and enter in that order.
fn formula(text: &str) -> Formula {
    let parsed = parse(text).expect("written here").formula;
    let expected = Atoms::from_names(["b0", "b1"]).expect("two");
    for ((_, atom), (_, name)) in parsed.atoms().iter().zip(expected.iter()) {
        assert_eq!(atom.text, name.text, "atoms appear in the order of their bits");
    }
    parsed
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, size, kind, further @ ..] = &arguments[..] else {
        eprintln!("usage: toys peterson|philosophers|election SIZE safety|ltl [plain|tree [THREADS]]");
        return ExitCode::from(3);
    };
    let Ok(size) = size.parse() else {
        eprintln!("toys: `{size}` is no size");
        return ExitCode::from(3);
    };
    let threads = further.get(1).and_then(|threads| threads.parse().ok());
    let limits = Limits {
        store: match further.first().map(String::as_str) {
            Some("plain") => Store::Plain,
            _ => Store::Tree,
        },
        helpers: threads.map_or(0, |threads: usize| threads.saturating_sub(1)),
        ..Limits::default()
    };
    let ltl = |text| (kind == "ltl").then_some(text);
    let started = Instant::now();
    let answer = match model.as_str() {
        "peterson" => check(&mut Peterson { processes: size }, 1, ltl("G F {b0}"), &limits),
        "philosophers" => check(&mut Philosophers { count: size }, 1, ltl("G F {b0}"), &limits),
        "election" => check(&mut Election { nodes: size }, 1, ltl("F {b0}"), &limits),
        _ => {
            eprintln!("toys: no model `{model}`");
            return ExitCode::from(3);
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{{\"holds\": {}, \"stored\": {}, \"created\": {}, \"product\": {}, \"bytes\": {}, \"seconds\": \
         {seconds:.4}}}",
        answer.holds,
        answer.exploration.stored,
        answer.exploration.created,
        answer.product_states,
        answer.exploration.memory,
    );
    ExitCode::SUCCESS
}
