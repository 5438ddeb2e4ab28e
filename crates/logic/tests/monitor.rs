//! Monitors against the definition of the four-valued semantics (journal paper, definition 2), computed by
//! brute force: good and bad prefixes by emptiness of the automata after the prefix, presumptions by direct
//! evaluation.

mod common;
mod parallel;

use kripke_logic::buchi::{Edge, State};
use kripke_logic::random::{Random, Shape, formula_of_depth, letter};
use kripke_logic::{
    AutomatonPair, Buchi, Class, Cube, DeterministicMonitor, Formula, FourValued, Label, Lasso, Letter,
    Monitor, MonitorLimits, Options, SetMonitor, StateId, c_monitor, describe, evaluate::holds_on_lasso,
    parse, translate,
};

/// The automaton of all words that begin with the prefix.
fn beginning_with(prefix: &[Letter], like: &Buchi) -> Buchi {
    let atoms = like.atoms.len();
    let all = ((1u128 << atoms) - 1) as u64;
    let cube = |letter: &Letter| {
        Label::from_cubes([Cube {
            positive: letter.0,
            negative: all & !letter.0,
        }])
    };
    let mut states: Vec<State> = prefix
        .iter()
        .enumerate()
        .map(|(at, letter)| State {
            accepting: false,
            edges: vec![Edge {
                label: cube(letter),
                target: StateId::new(at + 1),
            }],
        })
        .collect();
    let end = StateId::new(prefix.len());
    states.push(State {
        accepting: true,
        edges: vec![Edge {
            label: Label::all(),
            target: end,
        }],
    });
    Buchi {
        atoms: like.atoms.clone(),
        states,
        initial: StateId::new(0),
    }
}

fn by_definition(formula: &Formula, pair: &AutomatonPair, prefix: &[Letter]) -> FourValued {
    let words = beginning_with(prefix, &pair.positive);
    if words.find_common_word(&pair.positive).is_none() {
        return FourValued::False;
    }
    if words.find_common_word(&pair.negative).is_none() {
        return FourValued::True;
    }
    let repeated = Lasso::stuttering(prefix).expect("not empty");
    FourValued::presumably(holds_on_lasso(formula, &repeated).expect("linear"))
}

/// Checks one random formula; whether it was small enough.
fn check_random(seed: u64) -> bool {
    let mut random = Random::new(seed ^ 0xa5a5);
    let shape = Shape {
        atoms: 1 + random.below(4),
        next: random.below(2) == 0,
        common: false,
    };
    let depth = 2 + random.below(5);
    let formula = formula_of_depth(&mut random, shape, depth);
    let Ok(pair) = AutomatonPair::new(&formula, &Options::default()) else {
        return false;
    };
    let deterministic = DeterministicMonitor::from_pair(&pair, &MonitorLimits::default());
    let sets = SetMonitor::from_pair(pair.clone());
    for _ in 0..4 {
        let length = 1 + random.below(5);
        let mut trace: Vec<Letter> = Vec::new();
        for _ in 0..length {
            let next = letter(&mut random, shape.atoms);
            trace.push(next);
        }
        let expected: Vec<FourValued> = (1..=trace.len())
            .map(|end| by_definition(&formula, &pair, &trace[..end]))
            .collect();
        assert_eq!(
            sets.run(&trace),
            expected,
            "seed {seed}: sets, {formula} on {trace:?}"
        );
        if let Some(monitor) = &deterministic {
            assert_eq!(
                monitor.run(&trace),
                expected,
                "seed {seed}: {formula} on {trace:?}"
            );
            for value in expected {
                assert!(
                    monitor.possible[value as usize],
                    "seed {seed}: {formula} can be {value}"
                );
            }
        }
    }
    deterministic.is_some()
}

#[test]
fn monitors_agree_with_the_definition() {
    let seeds = common::seeds(2_000);
    let count = seeds.end - seeds.start;
    let built = parallel::count_in_parallel(seeds, check_random);
    assert!(
        built * 10 >= count * 9,
        "only {built} of {count} monitors were deterministic"
    );
}

fn check_class(text: &str, class: Class, possible: &str, stutter_invariant: bool) {
    let formula = parse(text).unwrap().formula;
    let report = describe(&formula, &Options::default()).unwrap();
    let shown: Vec<String> = FourValued::ALL
        .into_iter()
        .filter(|&value| report.classification.can_be(value) == Some(true))
        .map(|value| value.to_string())
        .collect();
    assert_eq!(
        (
            report.classification.class,
            shown.join(" ").as_str(),
            report.classification.stutter_invariant
        ),
        (class, possible, Some(stutter_invariant)),
        "{text}"
    );
}

#[test]
fn classes() {
    check_class("G({looking} -> {i + j == count})", Class::Safety, "⊥ ⊤ᵖ", true);
    check_class(
        "({looking} -> {i + j == count}) U {done}",
        Class::CoSafety,
        "⊥ ⊥ᵖ ⊤",
        true,
    );
    check_class("F {j == 6}", Class::CoSafety, "⊥ᵖ ⊤", true);
    check_class(
        "G({i % 2 == 0} -> F {i % 3 == 0})",
        Class::Liveness,
        "⊥ᵖ ⊤ᵖ",
        true,
    );
    check_class("G F p", Class::Liveness, "⊥ᵖ ⊤ᵖ", true);
    check_class("G((p -> F !p) && (!p -> F p))", Class::Toggle, "⊥ᵖ", true);
    check_class("X(p U q)", Class::CoSafety, "⊥ ⊥ᵖ ⊤ᵖ ⊤", false);
    check_class("X p", Class::Bounded, "⊥ ⊥ᵖ ⊤ᵖ ⊤", false);
    check_class("p", Class::Bounded, "⊥ ⊤", true);
    check_class("G p && F q", Class::Mixed, "⊥ ⊥ᵖ ⊤ᵖ", true);
    check_class("F p || !F p", Class::Valid, "⊤", true);
    check_class("G p && F !p", Class::Unsatisfiable, "⊥", true);
    check_class("F(p && X !p)", Class::CoSafety, "⊥ᵖ ⊤", true);
    check_class("F(p && X p)", Class::CoSafety, "⊥ᵖ ⊤ᵖ ⊤", false);
}

/// Letters by the atoms {pressed} (bit 0) and {charge > min} (bit 1).
#[test]
fn stutter_table_of_the_paper() {
    let formula = parse("G({pressed} -> F {charge > min})").unwrap().formula;
    let negative = translate(&formula.negated(), &Options::default()).unwrap();
    assert_eq!(negative.state_count(), 2);
    let start = negative.initial.index();
    let pending = 1 - start;
    assert!(negative.states[pending].accepting && !negative.states[start].accepting);
    let tables = c_monitor::Tables::new(&negative).unwrap();
    let row = |letter: usize| {
        (
            tables.stutter_accept[letter][start],
            tables.stutter_accept[letter][pending],
        )
    };
    assert_eq!(row(0b00), (false, true), "neither: only the pending state");
    assert_eq!(row(0b01), (true, true), "pressed: both states");
    assert_eq!(row(0b10), (false, false), "charged: none");
    assert_eq!(row(0b11), (false, false), "both: none");
    assert_eq!(tables.good_prefix_excluded, [true, true]);
    assert_eq!(tables.bad_prefix, [false, false]);
}

/// The modulo-3 counter of section 5.3: letters i = 0, 1, 2, … with {i%2==0} as bit 0, {i%3==0} as bit 1.
#[test]
fn counter_of_the_paper() {
    let formula = parse("G({i % 2 == 0} -> F {i % 3 == 0})").unwrap().formula;
    let monitor = Monitor::new(&formula, &Options::default(), &MonitorLimits::default()).unwrap();
    let trace: Vec<Letter> = (0..13u64)
        .map(|i| Letter(u64::from(i % 2 == 0) | u64::from(i % 3 == 0) << 1))
        .collect();
    let shown: Vec<String> = monitor.run(&trace)[1..]
        .iter()
        .map(FourValued::to_string)
        .collect();
    assert_eq!(shown.join(" "), "⊤ᵖ ⊥ᵖ ⊤ᵖ ⊥ᵖ ⊥ᵖ ⊤ᵖ ⊤ᵖ ⊥ᵖ ⊤ᵖ ⊥ᵖ ⊥ᵖ ⊤ᵖ");
}

/// Section 3.3: ψ = X({p==1} U {q==1}) over the traces of Q, Q′ and Q″.
#[test]
fn nondeterministic_programs_of_the_paper() {
    let formula = parse("X({p == 1} U {q == 1})").unwrap().formula;
    let monitor = Monitor::new(&formula, &Options::default(), &MonitorLimits::default()).unwrap();
    let value = |letters: &[u64]| {
        *monitor
            .run(&letters.iter().map(|&l| Letter(l)).collect::<Vec<_>>())
            .last()
            .unwrap()
    };
    assert_eq!(value(&[0, 1]), FourValued::PresumablyFalse);
    assert_eq!(value(&[0, 1, 3]), FourValued::True);
    assert_eq!(value(&[0, 1, 0]), FourValued::False);
    assert_eq!(value(&[0, 1, 0, 2]), FourValued::False);
    assert_eq!(value(&[2, 3]), FourValued::True);
}

#[test]
fn impossible_letters_sharpen_the_verdict() {
    // {p} and {!p} written as two atoms: without the constraint, both may be true at once.
    let formula = parse("F({p} && {!p})").unwrap().formula;
    let free = describe(&formula, &Options::default()).unwrap();
    assert_eq!(free.classification.class, Class::CoSafety);
    let exactly_one = Label::from_cubes([
        Cube {
            positive: 1,
            negative: 2,
        },
        Cube {
            positive: 2,
            negative: 1,
        },
    ]);
    let options = Options {
        letters: Some(exactly_one),
        ..Options::default()
    };
    let sharp = describe(&formula, &options).unwrap();
    assert_eq!(sharp.classification.class, Class::Unsatisfiable);
    assert_eq!(sharp.monitor.run(&[Letter(1)]), [FourValued::False]);
}

#[test]
fn many_atoms_need_no_enumeration() {
    let text = (0..40).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" || ");
    let formula = parse(&format!("G({text})")).unwrap().formula;
    let report = describe(&formula, &Options::default()).unwrap();
    assert_eq!(report.classification.class, Class::Safety);
    assert_eq!(
        report.monitor.run(&[Letter(4), Letter(0)]),
        [FourValued::PresumablyTrue, FourValued::False]
    );
}
