//! LTL: the checker against a brute-force search for lassos, and against CTL where a formula is in both.
//!
//! `KRIPKE_LTL_COUNT` pairs are tried, 20,000 unless set.

mod table;

use std::collections::{HashSet, VecDeque};

use kripke_explicit::{CtlFormula, Limits, LtlFormula, check_ctl_local, check_ltl};
use kripke_logic::evaluate::holds_on_lasso;
use kripke_logic::random::{Random, Shape, formula_of_depth};
use kripke_logic::{Formula, Lasso, Letter, Options, parse};
use table::{Table, random_table};

const SHAPE: Shape = Shape {
    atoms: table::ATOMS,
    next: true,
    common: false,
};

fn count() -> u64 {
    std::env::var("KRIPKE_LTL_COUNT").map_or(20_000, |text| text.parse().expect("a number"))
}

/// Some run of at most `length` steps before it closes on which the formula is false, by trying all.
fn brute_force(table: &Table, formula: &Formula, length: usize) -> Option<usize> {
    let mut open: VecDeque<Vec<u8>> = (0..table.initial).map(|state| vec![state as u8]).collect();
    while let Some(path) = open.pop_front() {
        let last = path[path.len() - 1];
        for next in table.successors_or_stay(last) {
            for start in (0..path.len()).filter(|&start| path[start] == next) {
                let letter = |state: &u8| Letter(table.labels[usize::from(*state)]);
                let lasso = Lasso {
                    stem: path[..start].iter().map(letter).collect(),
                    cycle: path[start..].iter().map(letter).collect(),
                };
                if holds_on_lasso(formula, &lasso) == Ok(false) {
                    return Some(path.len());
                }
            }
            if path.len() < length {
                open.push_back([path.as_slice(), &[next]].concat());
            }
        }
    }
    None
}

/// Whether some run breaks the formula: an accepting cycle in the product, by plain reachability.
fn some_run_breaks(table: &Table, formula: &LtlFormula) -> bool {
    let automaton = formula.negation();
    let step = |(state, automaton_state): (u8, usize)| -> Vec<(u8, usize)> {
        let letter = Letter(table.labels[usize::from(state)]);
        let targets: Vec<usize> = automaton
            .successors(kripke_logic::StateId::new(automaton_state), letter)
            .map(kripke_logic::StateId::index)
            .collect();
        table
            .successors_or_stay(state)
            .into_iter()
            .flat_map(|next| targets.iter().map(move |&target| (next, target)))
            .collect()
    };
    let reach = |start: Vec<(u8, usize)>| {
        let mut seen: HashSet<(u8, usize)> = start.iter().copied().collect();
        let mut open = start;
        while let Some(at) = open.pop() {
            open.extend(step(at).into_iter().filter(|&next| seen.insert(next)));
        }
        seen
    };
    let initial = (0..table.initial).map(|state| (state as u8, automaton.initial.index()));
    reach(initial.collect())
        .into_iter()
        .any(|at| automaton.states[at.1].accepting && reach(step(at)).contains(&at))
}

#[test]
fn verdicts_equal_those_of_brute_force() {
    let (mut violated, mut by_enumeration) = (0, 0);
    for seed in 0..count() {
        let mut random = Random::new(seed);
        let mut table = random_table(&mut random);
        let depth = 1 + random.below(4);
        let formula = formula_of_depth(&mut random, SHAPE, depth);
        let ready =
            LtlFormula::new(&formula, &Options::default()).expect("small formulas have small automata");
        let result = check_ltl(&mut table, &ready, &Limits::default()).expect("no limits");
        let text = || format!("seed {seed}: {table:?}");
        assert_eq!(
            result.counterexample.is_some(),
            some_run_breaks(&table, &ready),
            "{}",
            text()
        );
        // Enumeration shares nothing with automata; it can only find short runs.
        if let Some(length) = brute_force(&table, &formula, 5) {
            by_enumeration += 1;
            let found = result
                .counterexample
                .as_ref()
                .unwrap_or_else(|| panic!("{}", text()));
            assert!(
                found.path.states.len() >= length,
                "shorter than the shortest, {}",
                text()
            );
        }
        if let Some(lasso) = result.counterexample {
            violated += 1;
            assert!(lasso.replays(&mut table.clone()), "{}", text());
            assert_eq!(
                holds_on_lasso(&formula, &lasso.word(&mut table)),
                Ok(false),
                "seed {seed}"
            );
        }
    }
    assert!(
        violated * 4 > count() && by_enumeration * 5 > count(),
        "{violated}, {by_enumeration}"
    );
}

#[test]
fn a_run_that_replays_wrongly_is_refused() {
    let mut table = Table {
        initial: 1,
        labels: vec![1, 0],
        successors: vec![vec![1], vec![0]],
    };
    let formula = parse("G {p}").expect("parses").formula;
    let ready = LtlFormula::new(&formula, &Options::default()).expect("small");
    let found = check_ltl(&mut table, &ready, &Limits::default()).expect("no limits");
    let lasso = found.counterexample.expect("p is false in the second state");
    assert!(lasso.refutes(&mut table, &formula));
    let mut other_choice = lasso.clone();
    other_choice.path.choices[0] = 1;
    let mut other_start = lasso.clone();
    other_start.path.states.remove(0);
    other_start.path.choices.remove(0);
    let mut ends = lasso.clone();
    ends.back = None;
    for broken in [other_choice, other_start, ends] {
        assert!(!broken.refutes(&mut table, &formula), "{broken:?}");
    }
    assert!(!lasso.refutes(&mut table, &parse("F {p}").expect("parses").formula));
}

#[test]
fn ltl_and_ctl_agree_on_formulas_of_both() {
    let pairs = [
        ("G {p}", "A G {p}"),
        ("F {p}", "A F {p}"),
        ("G F {p}", "A G A F {p}"),
        ("{p} U {q}", "A ({p} U {q})"),
        ("{p} W {q}", "A ({p} W {q})"),
        ("X {p}", "A X {p}"),
        ("G ({p} -> F {q})", "A G ({p} -> A F {q})"),
        ("G ({p} -> X {q})", "A G ({p} -> A X {q})"),
        ("F ({p} && X true)", "A F {p}"),
        ("G ({p} -> ({q} R {r}))", "A G ({p} -> A ({q} R {r}))"),
    ];
    let mut violated = 0;
    for seed in 0..2_000 {
        let mut table = random_table(&mut Random::new(seed));
        for (ltl, ctl) in pairs {
            let names = "({p} || {q} || {r} || true) && ";
            let parsed = |text: &str| parse(&format!("{names}({text})")).expect("parses").formula;
            let linear = LtlFormula::new(&parsed(ltl), &Options::default()).expect("small");
            let branching = CtlFormula::new(&parsed(ctl)).expect("CTL");
            let limits = Limits::default();
            let linear = check_ltl(&mut table, &linear, &limits).expect("no limits");
            let branching = check_ctl_local(&mut table, &branching, &limits).expect("no limits");
            let holds = linear.counterexample.is_none();
            assert_eq!(holds, branching.holds, "seed {seed}, {ltl}: {table:?}");
            violated += usize::from(!holds);
        }
    }
    assert!(violated > 5_000, "{violated}");
}

#[test]
fn a_limit_of_states_stops_the_search() {
    let successors = (0..200_u8).map(|n| vec![n + 1]).chain([vec![0]]).collect();
    let mut chain = Table {
        initial: 1,
        labels: vec![1; 201],
        successors,
    };
    let limits = Limits {
        states: Some(50),
        ..Limits::default()
    };
    let formula =
        LtlFormula::new(&parse("G {p}").expect("parses").formula, &Options::default()).expect("small");
    let stopped = check_ltl(&mut chain, &formula, &limits).expect_err("201 states are more than 50");
    assert_eq!(stopped.states, 51);
}
