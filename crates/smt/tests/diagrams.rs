//! Decision diagrams say of random terms what the embedded solver and the evaluator say.

mod common;

use common::{Pools, Random, seeded_pools};
use kripke_smt::{Bitwuzla, Limits, Portfolio, SatResult, Solver, Sort, TermId, Terms, Value};
use kripke_value::FloatFormat;

const FORMAT: FloatFormat = FloatFormat::Binary16;

fn grown(terms: &mut Terms, random: &mut Random, width: u32, count: usize) -> Pools {
    let mut pools = seeded_pools(terms, width, FORMAT);
    for _ in 0..count {
        pools.grow(terms, random, width, FORMAT);
    }
    terms.set_rewriting(false);
    pools
}

fn ask(solver: &mut dyn Solver, terms: &Terms, conditions: &[TermId]) -> SatResult {
    let answer = solver.check(terms, conditions, &Limits::default());
    answer.expect("a solver that works")
}

fn of_sort(terms: &Terms, pool: &[TermId], sort: Sort) -> Vec<TermId> {
    let fitting = pool.iter().copied();
    fitting
        .filter(|&term| terms.sort(term) == sort && !terms.is_const(term))
        .collect()
}

/// The solver's model satisfies the conditions.
fn assert_model(solver: &mut dyn Solver, terms: &Terms, conditions: &[TermId], what: &str) {
    let values = solver.values(terms, conditions).expect("a model");
    assert!(
        values.iter().all(|value| *value == Value::Bool(true)),
        "{what}: {values:?}"
    );
}

#[test]
fn questions_have_the_answers_of_the_embedded_solver() {
    let mut random = Random(0x51ed_2701_93c7_b0a5);
    let mut answered = 0;
    for round in 0..120 {
        let mut terms = Terms::new();
        let pools = grown(&mut terms, &mut random, [3, 4, 8][round % 3], 50);
        let mut default = Portfolio::default();
        let mut embedded = Bitwuzla::new().expect("a solver");
        for pool in [&pools.plain, &pools.rewritten] {
            let truths = of_sort(&terms, pool, Sort::Bool);
            let mut pick = || truths[random.below(truths.len() as u64) as usize];
            for question in 0..12 {
                let conditions: Vec<TermId> = (0..=question % 4).map(|_| pick()).collect();
                let expected = ask(&mut embedded, &terms, &conditions);
                let answer = ask(&mut default, &terms, &conditions);
                assert_eq!(answer, expected, "round {round}, {conditions:?}");
                if answer == SatResult::Sat {
                    assert_model(&mut default, &terms, &conditions, &format!("round {round}"));
                }
            }
        }
        answered += terms.diagram_answers();
    }
    assert!(answered > 1000, "diagrams answered {answered} questions");
}

/// Under given values of the variables a term is what it evaluates to, and nothing else.
#[test]
fn terms_are_what_they_evaluate_to() {
    let mut random = Random(0x0f1e_2d3c_4b5a_6978);
    let mut answered = 0;
    for round in 0..60 {
        let width = [2, 5, 8, 32][round % 4];
        let mut terms = Terms::new();
        let pools = grown(&mut terms, &mut random, width, 40);
        let mut model = std::collections::HashMap::new();
        let mut given = Vec::new();
        for variable in terms.variables_of(&pools.plain) {
            let value = random.value(terms.sort(variable));
            if !matches!(terms.sort(variable), Sort::Float(_)) {
                let constant = terms.value(&value);
                given.push(terms.eq(variable, constant));
            }
            model.insert(variable, value);
        }
        let mut default = Portfolio::default();
        for term in of_sort(&terms, &pools.plain, Sort::BitVec(width)) {
            let known: Vec<TermId> = terms.variables_of(&[term]);
            if known
                .iter()
                .any(|&variable| matches!(terms.sort(variable), Sort::Float(_)))
            {
                continue;
            }
            let value = terms.evaluate(term, &|variable| model[&variable].clone());
            let constant = terms.value(&value);
            let equal = terms.eq(term, constant);
            let differ = terms.not(equal);
            for (condition, expected) in [(equal, SatResult::Sat), (differ, SatResult::Unsat)] {
                let mut conditions = given.clone();
                conditions.push(condition);
                let answer = ask(&mut default, &terms, &conditions);
                assert_eq!(
                    answer,
                    expected,
                    "round {round}: {:?} under {model:?}",
                    terms.op(term)
                );
            }
        }
        answered += terms.diagram_answers();
    }
    assert!(answered > 500, "diagrams answered {answered} questions");
}

/// A choice among many numbers, made by few bytes: sums and comparisons stay small.
#[test]
fn positions_chosen_by_bytes_are_compared_without_a_search() {
    let mut terms = Terms::new();
    let comma = terms.bv_u64(8, u64::from(b','));
    let one = terms.bv_u64(32, 1);
    let mut position = terms.bv_u64(32, 0);
    let mut count = position;
    for byte in 0..24 {
        let input = terms.variable(&format!("byte{byte}"), Sort::BitVec(8));
        let is_comma = terms.eq(input, comma);
        let (next, more) = (terms.bv_add(position, one), terms.bv_add(count, one));
        position = terms.ite(is_comma, position, next);
        count = terms.ite(is_comma, more, count);
    }
    let sum = terms.bv_add(position, count);
    let all = terms.bv_u64(32, 24);
    let equal = terms.eq(sum, all);
    let differ = terms.not(equal);
    let mut solver = Portfolio::default();
    assert_eq!(ask(&mut solver, &terms, &[differ]), SatResult::Unsat);
    assert_eq!(ask(&mut solver, &terms, &[equal]), SatResult::Sat);
    assert_model(&mut solver, &terms, &[equal], "the sum");
    assert_eq!(terms.diagram_answers(), 2);
}

/// Products of unknowns have no diagram: what excludes such a question is certain all the same, what a guess
/// finds is a model, and what is not known at once is told by a search.
#[test]
fn questions_about_unknown_products_are_answered_by_guesses() {
    let mut random = Random(0x3c6e_f372_fe94_f82b);
    let mut at_once = [0; 2];
    for round in 0..150 {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.variable(name, Sort::BitVec(8)));
        let mut default = Portfolio::default();
        let product = terms.bv_mul(a, b);
        let [least, most, above] = [(); 3].map(|()| terms.bv_u64(8, random.below(256)));
        let [is_large, is_small] = [terms.bv_ult(least, product), terms.bv_ult(product, most)];
        let conditions = [is_large, is_small, terms.bv_ult(above, a)];
        let expected = ask(&mut Bitwuzla::new().expect("a solver"), &terms, &conditions);
        if let Some(answer) = default.check_at_once(&terms, &conditions, &Limits::default()) {
            assert_eq!(answer, expected, "round {round}");
            at_once[usize::from(answer == SatResult::Sat)] += 1;
        }
        assert_eq!(ask(&mut default, &terms, &conditions), expected, "round {round}");
        if expected == SatResult::Sat {
            assert_model(&mut default, &terms, &conditions, &format!("round {round}"));
        }
    }
    assert!(at_once[0] > 20 && at_once[1] > 20, "answers at once: {at_once:?}");
}
