//! Automata against the direct evaluation of their formulas, on random formulas and random lassos.
//!
//! `KRIPKE_FUZZ_COUNT` sets how many formulas there are, `KRIPKE_FUZZ_SEED` where they start.

mod common;
mod parallel;

use kripke_logic::random::{Random, Shape, formula_of_depth, lasso};
use kripke_logic::{Options, TranslateError, evaluate::holds_on_lasso, simplify, translate};

const SHAPE: Shape = Shape {
    atoms: 4,
    next: true,
    common: false,
};

/// Checks one random formula; whether it was small enough to translate.
fn check(seed: u64) -> bool {
    let mut random = Random::new(seed);
    let formula = formula_of_depth(&mut random, SHAPE, 6);
    let options = Options::default();
    let (positive, negative) = match (
        translate(&formula, &options),
        translate(&formula.negated(), &options),
    ) {
        (Ok(positive), Ok(negative)) => (positive, negative),
        (Err(TranslateError::TooLarge(_)), _) | (_, Err(TranslateError::TooLarge(_))) => return false,
        (positive, negative) => panic!("seed {seed}: {formula}: {positive:?} {negative:?}"),
    };
    let simplified = simplify(&formula).unwrap();
    let mut words: Vec<_> = (0..12).map(|_| lasso(&mut random, SHAPE.atoms)).collect();
    words.extend(positive.find_word());
    words.extend(negative.find_word());
    for word in words {
        let expected = holds_on_lasso(&formula, &word).unwrap();
        assert_eq!(
            holds_on_lasso(&simplified, &word).unwrap(),
            expected,
            "seed {seed}: {formula} simplified to {simplified} on {word:?}"
        );
        assert_eq!(
            positive.accepts(&word),
            expected,
            "seed {seed}: {formula} on {word:?}"
        );
        assert_eq!(
            negative.accepts(&word),
            !expected,
            "seed {seed}: !({formula}) on {word:?}"
        );
    }
    if let Some(word) = positive.find_common_word(&negative) {
        panic!("seed {seed}: {formula} and its negation share {word:?}");
    }
    true
}

#[test]
fn automata_agree_with_direct_evaluation() {
    let seeds = common::seeds(2_000);
    let count = seeds.end - seeds.start;
    let skipped = parallel::count_in_parallel(seeds, |seed| !check(seed));
    println!("{count} formulas, {skipped} too large");
    assert!(
        skipped * 100 <= count,
        "{skipped} of {count} formulas were too large to check"
    );
}

#[test]
fn plain_translation_agrees_with_direct_evaluation() {
    let options = Options {
        rewriting: false,
        reductions: false,
        ..Options::default()
    };
    let shape = Shape { atoms: 2, ..SHAPE };
    let mut translated = 0;
    for seed in common::seeds(2_000).step_by(10) {
        let mut random = Random::new(seed);
        let formula = formula_of_depth(&mut random, shape, 3);
        let Ok(automaton) = translate(&formula, &options) else {
            continue;
        };
        translated += 1;
        for _ in 0..12 {
            let word = lasso(&mut random, shape.atoms);
            let expected = holds_on_lasso(&formula, &word).unwrap();
            assert_eq!(
                automaton.accepts(&word),
                expected,
                "seed {seed}: {formula} on {word:?}"
            );
        }
    }
    assert!(translated > 0);
}
