//! Checks a program model in its text form, as it stands: no passes, all properties, phases dumped.
//!
//! `cargo run --example check_model -- program.elts`

use kripke_bmc::{Options, Progress, check};
use kripke_model::Verdict;

struct Dumping;

impl Progress for Dumping {
    fn dump(&mut self, phase: &str, text: &str) {
        eprintln!("--- {phase}\n{text}");
    }
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let program = kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{path}:{error}"));
    let options = Options {
        all: true,
        dump: true,
        max_bound: 64,
        ..Options::default()
    };
    match check(&program, &options, &mut Dumping) {
        Ok(report) => {
            for result in &report.results {
                let verdict = match &result.verdict {
                    Verdict::Violated { .. } => "violated".to_string(),
                    other => format!("{other:?}"),
                };
                println!(
                    "{} line {}: {verdict}",
                    result.property.id, result.property.place.line
                );
            }
        }
        Err(error) => println!("internal error: {error}"),
    }
}
