//! Automaton sizes on the usual formula lists, beside SPIN's (`spin -f`) and, given as an argument, beside
//! those of another translator with the same option that prints a never claim (ltl2ba).

use std::process::Command;

use kripke_logic::{Buchi, Dialect, Formula, Options, never_claim, printer, translate};

#[path = "../tests/common/lists.rs"]
mod lists;

fn other(program: &str, formula: &Formula) -> Option<Buchi> {
    let text = printer::print(formula, Dialect::Spin).ok()?.text;
    let output = Command::new("timeout")
        .args(["10", program, "-f", &text])
        .output()
        .ok()?;
    never_claim::parse(&String::from_utf8_lossy(&output.stdout), formula.atoms()).ok()
}

fn show(automaton: Option<&Buchi>, total: &mut (usize, usize, usize)) -> String {
    let Some(automaton) = automaton else {
        return format!("{:>14}", "-");
    };
    total.0 += automaton.state_count();
    total.1 += automaton.edge_count();
    total.2 += automaton.cube_count();
    format!(
        "{:>4} {:>4} {:>4}",
        automaton.state_count(),
        automaton.edge_count(),
        automaton.cube_count()
    )
}

fn main() {
    let programs: Vec<String> = std::iter::once("spin".to_string())
        .chain(std::env::args().skip(1))
        .collect();
    println!("states, edges, cubes: here, then {}", programs.join(", "));
    for (name, list) in [
        ("Etessami-Holzmann", lists::ETESSAMI_HOLZMANN),
        ("Somenzi-Bloem", lists::SOMENZI_BLOEM),
        ("Dwyer", lists::DWYER),
    ] {
        println!("\n{name}");
        let mut totals = vec![(0, 0, 0); programs.len() + 1];
        // Totals of ours over the formulas that each program translates.
        let mut common = vec![(0, 0, 0); programs.len()];
        for text in list {
            for negate in [false, true] {
                let mut formula = Formula::parse(text).expect("a good formula");
                if negate {
                    formula = formula.negated();
                }
                let ours = translate(&formula, &Options::default()).expect("a small automaton");
                let mut line = show(Some(&ours), &mut totals[0]);
                for (at, program) in programs.iter().enumerate() {
                    let theirs = other(program, &formula);
                    if theirs.is_some() {
                        show(Some(&ours), &mut common[at]);
                    }
                    line += &format!(" |{}", show(theirs.as_ref(), &mut totals[at + 1]));
                }
                println!("{line}  {formula}");
            }
        }
        println!("total here {:?}", totals[0]);
        for (at, program) in programs.iter().enumerate() {
            println!(
                "total {program} {:?}, here on the same formulas {:?}",
                totals[at + 1],
                common[at]
            );
        }
    }
}
