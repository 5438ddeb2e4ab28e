//! Formats: what is written is read back with the same language, other tools' automata are equivalent to
//! ours.

mod common;

use std::process::Command;

use kripke_logic::random::{Random, Shape, formula_of_depth, lasso};
use kripke_logic::{
    Buchi, Dialect, Formula, Options, c_monitor, describe, dot, evaluate::holds_on_lasso, hoa, never_claim,
    parse, printer, translate,
};

const SHAPE: Shape = Shape {
    atoms: 3,
    next: true,
    common: false,
};

/// Our automaton of the formula, and another of the same language, must not differ on any word.
fn assert_same_language(other: &Buchi, formula: &Formula, context: &str) {
    let positive = translate(formula, &Options::default()).unwrap();
    let negative = translate(&formula.negated(), &Options::default()).unwrap();
    if let Some(word) = other.find_common_word(&negative) {
        panic!("{context}: {formula}: the other automaton accepts {word:?}, the formula does not hold there");
    }
    // A.words ⊆ φ is shown; the other inclusion needs the other's complement, so it is tried on words of φ.
    let mut random = Random::new(3);
    let words = (0..30)
        .map(|_| lasso(&mut random, formula.atoms().len()))
        .chain(positive.find_word());
    for word in words {
        assert_eq!(
            other.accepts(&word),
            holds_on_lasso(formula, &word).unwrap(),
            "{context}: {formula} on {word:?}"
        );
    }
}

#[test]
fn hoa_and_never_claims_come_back() {
    for seed in common::seeds(2_000).step_by(10) {
        let formula = formula_of_depth(&mut Random::new(seed), SHAPE, 4);
        let automaton = translate(&formula, &Options::default()).unwrap();
        let from_hoa = hoa::parse(&hoa::write(&automaton, &formula.to_string())).unwrap();
        assert_same_language(&from_hoa, &formula, "HOA");
        let claim = never_claim::write(&automaton, &formula.to_string());
        let from_claim = never_claim::parse(&claim, formula.atoms()).unwrap();
        assert_same_language(&from_claim, &formula, "never claim");
    }
}

#[test]
fn generalised_acceptance_is_read() {
    let text = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"p\" \"q\"\nacc-name: generalized-Buchi 2\n\
                Acceptance: 2 Inf(0)&Inf(1)\nAlias: @both 0&1\n--BODY--\nState: 0\n[@both] 0 {0 1}\n[0&!1] 0 \
                {0}\n\
                [!0&1] 0 {1}\n[!0&!1] 0\n--END--\n";
    assert_same_language(
        &hoa::parse(text).unwrap(),
        &Formula::parse("G F p && G F q").unwrap(),
        "generalised",
    );
    let implicit = "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY--\n\
                    State: 0 0 1 State: 1 {0} 1 1 --END--";
    assert_same_language(
        &hoa::parse(implicit).unwrap(),
        &Formula::parse("F p").unwrap(),
        "implicit labels",
    );
}

fn check_bad_hoa(text: &str, expected: &str) {
    assert_eq!(hoa::parse(text).unwrap_err().message, expected, "{text}");
}

#[test]
fn bad_hoa_is_refused() {
    check_bad_hoa("", "expected `HOA: v1`");
    check_bad_hoa("HOA: v2", "only version v1 of the format is read");
    check_bad_hoa(
        "HOA: v1 Acceptance: 1 Fin(0) --BODY-- --END--",
        "only Büchi and generalised Büchi acceptance is read",
    );
    check_bad_hoa(
        "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 7 --END--",
        "an edge leads to state 7, which does not exist",
    );
    check_bad_hoa(
        "HOA: v1 Start: 0&1 Acceptance: 0 t --BODY--",
        "alternating automata are not read",
    );
    check_bad_hoa(
        "HOA: v1 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: 0 [3] 0",
        "there is no such atomic proposition",
    );
}

/// SPIN's own translator, where it is installed. It lacks X, and constants are trouble for it.
#[test]
fn spin_gives_an_equivalent_automaton() {
    if Command::new("spin").arg("-V").output().is_err() {
        eprintln!("spin is not installed: skipped");
        return;
    }
    let shape = Shape {
        atoms: 3,
        next: false,
        common: true,
    };
    let (mut compared, mut ours, mut theirs) = (0, 0, 0);
    for seed in common::seeds(2_000).step_by(10) {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4);
        let formula = formula_of_depth(&mut random, shape, depth);
        let text = printer::print(&formula, Dialect::Spin).unwrap().text;
        let output = Command::new("timeout")
            .args(["5", "spin", "-f", &text])
            .output()
            .unwrap();
        let claim = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || !claim.starts_with("never") {
            continue;
        }
        let other =
            never_claim::parse(&claim, formula.atoms()).unwrap_or_else(|e| panic!("{text}\n{claim}\n{e}"));
        compared += 1;
        theirs += other.state_count();
        ours += translate(&formula, &Options::default()).unwrap().state_count();
        assert_same_language(&other, &formula, &format!("spin -f '{text}', seed {seed}"));
        // The other inclusion, through SPIN's automaton of the negation.
        let text = printer::print(&formula.negated(), Dialect::Spin).unwrap().text;
        let output = Command::new("timeout")
            .args(["5", "spin", "-f", &text])
            .output()
            .unwrap();
        let claim = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() && claim.starts_with("never") {
            let negation = never_claim::parse(&claim, formula.atoms()).unwrap();
            let positive = translate(&formula, &Options::default()).unwrap();
            assert_eq!(
                negation.find_common_word(&positive),
                None,
                "seed {seed}: spin -f '{text}'"
            );
        }
    }
    println!("{compared} formulas: {ours} states here, {theirs} states in SPIN's claims");
    assert!(compared >= 20, "only {compared} formulas were compared");
}

#[test]
fn the_c_monitor_compiles() {
    let formula = parse("G({pressed} -> F {charge > min && name[0] == '\"'})")
        .unwrap()
        .formula;
    let negative = translate(&formula.negated(), &Options::default()).unwrap();
    let text = c_monitor::write(&negative, &formula.to_string()).unwrap();
    assert!(
        text.contains("_Bool _ltl2ba_stutter_accept_table[4][2]"),
        "{text}"
    );
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("no C compiler: skipped");
        return;
    }
    let file = std::env::temp_dir().join(format!("kripke-monitor-{}.c", std::process::id()));
    std::fs::write(&file, &text).unwrap();
    let output = Command::new("cc")
        .args(["-fsyntax-only", "-Wall", "-Werror", "-std=c99"])
        .arg(&file)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn graphs_and_reports_are_written() {
    let formula = parse("G(p -> F q)").unwrap().formula;
    let report = describe(&formula, &Options::default()).unwrap();
    assert!(dot::automaton(&report.pair.positive, "G(p -> F q)").starts_with("digraph"));
    let text = report.to_string();
    for line in [
        "class        liveness",
        "verdicts     ⊥ᵖ (presumably violated), ⊤ᵖ",
        "stuttering   invariant",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
