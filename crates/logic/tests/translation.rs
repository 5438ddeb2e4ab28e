//! Büchi automata against the direct evaluation of formulas, on random lassos.
//!
//! `KRIPKE_LTL_COUNT` formulas are tried, 2,000 unless set.

use kripke_logic::random::{Random, Shape, formula_of_depth, lasso};
use kripke_logic::{Options, evaluate, translate};

const LASSOS: usize = 20;

fn count() -> u64 {
    std::env::var("KRIPKE_LTL_COUNT").map_or(2_000, |text| text.parse().expect("a number"))
}

fn check(seed: u64, options: &Options) {
    let mut random = Random::new(seed);
    let shape = Shape {
        atoms: 1 + random.below(4),
        next: random.below(2) == 0,
        common: false,
    };
    let formula = formula_of_depth(&mut random, shape, 6);
    let negated = formula.negated();
    let (Ok(yes), Ok(no)) = (translate(&formula, options), translate(&negated, options)) else {
        panic!("seed {seed}: the automaton is too large");
    };
    for _ in 0..LASSOS {
        let word = lasso(&mut random, shape.atoms);
        let expected = evaluate::holds_on_lasso(&formula, &word).expect("linear");
        assert_eq!(
            yes.accepts(&word),
            expected,
            "seed {seed}: the formula's automaton on {word:?}"
        );
        assert_eq!(
            no.accepts(&word),
            !expected,
            "seed {seed}: the negation's automaton on {word:?}"
        );
    }
    assert_eq!(yes.find_common_word(&no), None, "seed {seed}: no word is in both");
}

#[test]
fn automata_agree_with_evaluation() {
    for seed in 0..count() {
        check(seed, &Options::default());
    }
}

#[test]
fn plain_translation_agrees_with_evaluation() {
    let options = Options {
        rewriting: false,
        reductions: false,
        ..Options::default()
    };
    let mut small = 0;
    for seed in 0..count() / 10 {
        let mut random = Random::new(seed);
        let shape = Shape {
            atoms: 2,
            next: true,
            common: false,
        };
        let formula = formula_of_depth(&mut random, shape, 3);
        let Ok(automaton) = translate(&formula, &options) else {
            continue;
        };
        small += 1;
        for _ in 0..LASSOS {
            let word = lasso(&mut random, shape.atoms);
            let expected = evaluate::holds_on_lasso(&formula, &word).expect("linear");
            assert_eq!(automaton.accepts(&word), expected, "seed {seed} on {word:?}");
        }
    }
    assert!(
        small * 2 > count() / 10,
        "most formulas translate without rewriting"
    );
}
