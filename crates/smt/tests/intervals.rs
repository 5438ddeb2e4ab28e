//! Interval search against exact evaluation: no sampled point satisfies what the search calls
//! unsatisfiable, and its models are models, on random formulas over floats and integers.

mod common;

use common::{Random, seeded_pools};
use kripke_smt::interval_search::{Budget, IntervalSearch, Outcome};
use kripke_smt::{Limits, Portfolio, SatResult, Solver, Sort, TermId, Terms, Value};
use kripke_value::{BitVec, Float, FloatFormat};
use std::collections::HashMap;

fn holds(terms: &Terms, formula: TermId, model: &HashMap<TermId, Value>) -> bool {
    let assignment = |variable: TermId| model[&variable].clone();
    terms.evaluate(formula, &assignment) == Value::Bool(true)
}

/// Two ends, and values between them, for one variable around a random value.
fn neighbourhood(random: &mut Random, sort: Sort) -> Vec<Value> {
    let first = random.value(sort);
    let steps = [0, 1, 3, 1 << 10, 1 << 20][random.below(5) as usize];
    let walk = |value: &Value, by: u128| match value {
        Value::Float(float) if !float.is_nan() => {
            let end = Float::from_bits(
                float.format(),
                &float.to_bits().add(&BitVec::new(float.format().bits(), by)),
            );
            if end.is_nan() {
                Value::Float(Float::infinity(float.format(), float.sign_bit()))
            } else {
                Value::Float(end)
            }
        }
        Value::BitVec(bits) => {
            let end = bits.add(&BitVec::new(bits.width(), by.min(49)));
            Value::BitVec(if end.ult(bits) {
                BitVec::ones(bits.width())
            } else {
                end
            })
        }
        other => other.clone(),
    };
    let mut values = vec![first.clone(), walk(&first, steps)];
    for _ in 0..6 {
        values.push(walk(&first, u128::from(random.below(steps as u64 + 1))));
    }
    values
}

/// The constraint that a variable lies between the first two values.
fn between(t: &mut Terms, variable: TermId, values: &[Value]) -> TermId {
    let (a, b) = (t.value(&values[0]), t.value(&values[1]));
    match &values[0] {
        Value::Float(float) if !float.is_nan() => {
            let (low, high) = if float.sign_bit() { (b, a) } else { (a, b) };
            let (above, below) = (t.fp_le(low, variable), t.fp_le(variable, high));
            t.and(above, below)
        }
        Value::BitVec(_) => {
            let (above, below) = (t.bv_ule(a, variable), t.bv_ule(variable, b));
            t.and(above, below)
        }
        _ => t.eq(variable, a),
    }
}

#[test]
fn unsat_boxes_hold_no_sampled_solution() {
    let mut random = Random(0x0ddb_1a5e_5bad_5eed);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for round in 0..1500 {
        let format = [FloatFormat::Binary32, FloatFormat::Binary64][round % 2];
        let w = [8, 32, 33][round % 3];
        let mut terms = Terms::new();
        let mut pools = seeded_pools(&mut terms, w, format);
        for _ in 0..40 {
            pools.grow(&mut terms, &mut random, w, format);
        }
        let pool = if round % 4 == 0 {
            &pools.plain
        } else {
            &pools.rewritten
        };
        let truths: Vec<TermId> = pool
            .iter()
            .copied()
            .filter(|&term| terms.sort(term) == Sort::Bool && !terms.is_const(term))
            .collect();
        for &truth in truths.iter().rev().take(6) {
            let formula = if random.below(2) == 0 {
                truth
            } else {
                terms.not(truth)
            };
            let variables = terms.variables_of(&[formula]);
            let boxes: Vec<Vec<Value>> = variables
                .iter()
                .map(|&v| neighbourhood(&mut random, terms.sort(v)))
                .collect();
            let mut conjuncts = vec![formula];
            for (&variable, values) in variables.iter().zip(&boxes) {
                conjuncts.push(between(&mut terms, variable, values));
            }
            let Some(mut search) = IntervalSearch::new(&terms, &conjuncts) else {
                continue;
            };
            let budget = Budget {
                boxes: 3000,
                deadline: None,
                stop: None,
            };
            match search.run(&terms, &conjuncts, &budget) {
                Outcome::Unknown => unknown += 1,
                Outcome::Sat(found) => {
                    sat += 1;
                    let mut model: HashMap<TermId, Value> = found.into_iter().collect();
                    for &variable in &variables {
                        model
                            .entry(variable)
                            .or_insert_with(|| Value::zero(terms.sort(variable)));
                    }
                    assert!(holds(&terms, formula, &model), "round {round}: no model");
                }
                Outcome::Unsat => {
                    unsat += 1;
                    for _ in 0..40 {
                        let model: HashMap<TermId, Value> = variables
                            .iter()
                            .zip(&boxes)
                            .map(|(&v, values)| {
                                (v, values[random.below(values.len() as u64) as usize].clone())
                            })
                            .collect();
                        assert!(
                            !holds(&terms, formula, &model),
                            "round {round}: {formula:?} under {model:?}"
                        );
                    }
                }
            }
        }
    }
    // The test must not pass by deciding nothing.
    assert!(
        sat > 300 && unsat > 300,
        "{sat} sat, {unsat} unsat, {unknown} unknown"
    );
    println!("{sat} sat, {unsat} unsat, {unknown} unknown");
}

#[test]
fn the_portfolio_agrees_with_the_embedded_solver() {
    let mut random = Random(0x005e_ed0f_1234_5678);
    let mut compared = 0;
    for round in 0..60 {
        let format = FloatFormat::Binary32;
        let mut terms = Terms::new();
        let mut pools = seeded_pools(&mut terms, 8, format);
        for _ in 0..16 {
            pools.grow(&mut terms, &mut random, 8, format);
        }
        let truths: Vec<TermId> = pools
            .rewritten
            .iter()
            .copied()
            .filter(|&term| terms.sort(term) == Sort::Bool)
            .collect();
        for &formula in truths.iter().rev().take(3) {
            let deadline = std::time::Instant::now() + std::time::Duration::from_millis(300);
            let limits = Limits {
                deadline: Some(deadline),
                ..Limits::default()
            };
            let ask = |solver: &mut dyn Solver| {
                solver.assert(&terms, formula).expect("assert");
                solver.check(&terms, &[], &limits).expect("check")
            };
            let embedded = ask(&mut kripke_smt::Bitwuzla::new().expect("solver"));
            let default = ask(&mut Portfolio::default());
            let decided = |answer: &SatResult| !matches!(answer, SatResult::Unknown(_));
            if decided(&embedded) && decided(&default) {
                compared += 1;
                assert_eq!(embedded, default, "round {round}, {formula:?}");
            }
        }
    }
    assert!(compared > 100, "only {compared} compared");
}
