//! Translates many random formulas: total time and automaton sizes.
//! `cargo run --release --example translation [COUNT [SIZE]]`.

use std::time::{Duration, Instant};

use kripke_logic::random::{Random, Shape, formula_of_size};
use kripke_logic::{Options, translate};

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let count = arguments.first().copied().unwrap_or(1_000);
    let size = arguments.get(1).copied().unwrap_or(20);
    let shape = Shape {
        atoms: 4,
        next: true,
        common: true,
    };
    let (mut states, mut edges, mut failed) = (0usize, 0usize, 0usize);
    let (mut total, mut worst) = (Duration::ZERO, Duration::ZERO);
    let mut largest = (0, String::new());
    for seed in 0..count as u64 {
        let formula = formula_of_size(&mut Random::new(seed), shape, size);
        let start = Instant::now();
        let automaton = translate(&formula, &Options::default());
        let elapsed = start.elapsed();
        total += elapsed;
        worst = worst.max(elapsed);
        match automaton {
            Ok(automaton) => {
                states += automaton.state_count();
                edges += automaton.edge_count();
                if automaton.state_count() > largest.0 {
                    largest = (automaton.state_count(), formula.to_string());
                }
            }
            Err(_) => failed += 1,
        }
    }
    println!(
        "{count} formulas of size {size}: {:.3} s, slowest {:.3} s",
        total.as_secs_f64(),
        worst.as_secs_f64()
    );
    println!("{states} states, {edges} edges, {failed} too large");
    println!("largest: {} states: {}", largest.0, largest.1);
}
