//! The local checker, the global checker and a naive fixpoint agree on random structures and
//! formulas; invariant search agrees with `AG`.
//!
//! `KRIPKE_CTL_COUNT` pairs are tried, 20,000 unless set.

mod table;

use kripke_explicit::{
    CtlFormula, Limits, Order, Proposition, StateId, check_ctl_global, check_ctl_local, check_invariant,
};
use kripke_logic::random::Random;
use kripke_logic::{Atoms, BinaryOperator, Formula, FormulaId, Formulas, Node, Quantifier, UnaryOperator};
use table::{Table, random_formula, random_table};

/// The states where a formula holds, by iterating the definition until nothing changes.
fn naive(table: &Table, store: &Formulas, id: FormulaId) -> Vec<bool> {
    let size = table.labels.len();
    let both = |a, b| (naive(table, store, a), naive(table, store, b));
    let map = |a: Vec<bool>, b: Vec<bool>, join: fn(bool, bool) -> bool| -> Vec<bool> {
        a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect()
    };
    match store.node(id) {
        Node::Constant(value) => vec![*value; size],
        Node::Atom(atom) => table
            .labels
            .iter()
            .map(|labels| labels >> atom.index() & 1 == 1)
            .collect(),
        Node::Not(a) => naive(table, store, *a).into_iter().map(|holds| !holds).collect(),
        Node::And(list) => (0..size)
            .map(|state| list.iter().all(|a| naive(table, store, *a)[state]))
            .collect(),
        Node::Or(list) => (0..size)
            .map(|state| list.iter().any(|a| naive(table, store, *a)[state]))
            .collect(),
        Node::Xor(a, b) => {
            let (a, b) = both(*a, *b);
            map(a, b, |a, b| a != b)
        }
        Node::Iff(a, b) => {
            let (a, b) = both(*a, *b);
            map(a, b, |a, b| a == b)
        }
        Node::Implies(a, b) => {
            let (a, b) = both(*a, *b);
            map(a, b, |a, b| !a || b)
        }
        Node::Path(quantifier, path) => naive_path(table, store, *quantifier, *path),
        Node::Unary(..) | Node::Binary(..) => panic!("a temporal operator without a quantifier"),
    }
}

fn naive_path(table: &Table, store: &Formulas, quantifier: Quantifier, path: FormulaId) -> Vec<bool> {
    let next = |states: &[bool]| -> Vec<bool> {
        (0..states.len())
            .map(|state| {
                let mut successors = table.successors[state]
                    .iter()
                    .map(|&to| usize::from(to))
                    .collect::<Vec<_>>();
                if successors.is_empty() {
                    successors.push(state);
                }
                match quantifier {
                    Quantifier::ForAll => successors.iter().all(|&to| states[to]),
                    Quantifier::Exists => successors.iter().any(|&to| states[to]),
                }
            })
            .collect()
    };
    let size = table.labels.len();
    // Each operator is a fixpoint of `b or (a and next)`, least or greatest.
    let fixpoint = |hold: Vec<bool>, reach: Vec<bool>, start: bool| {
        let mut states = vec![start; size];
        loop {
            let after = next(&states);
            let new: Vec<bool> = (0..size).map(|s| reach[s] || hold[s] && after[s]).collect();
            if new == states {
                return states;
            }
            states = new;
        }
    };
    match *store.node(path) {
        Node::Unary(UnaryOperator::Next, a) => next(&naive(table, store, a)),
        Node::Unary(UnaryOperator::Finally, a) => fixpoint(vec![true; size], naive(table, store, a), false),
        Node::Unary(UnaryOperator::Globally, a) => fixpoint(naive(table, store, a), vec![false; size], true),
        Node::Binary(operator, a, b) => {
            let (a, b) = (naive(table, store, a), naive(table, store, b));
            let meet: Vec<bool> = a.iter().zip(&b).map(|(&a, &b)| a && b).collect();
            match operator {
                BinaryOperator::Until => fixpoint(a, b, false),
                BinaryOperator::WeakUntil => fixpoint(a, b, true),
                BinaryOperator::Release => fixpoint(b, meet, true),
                BinaryOperator::StrongRelease => fixpoint(b, meet, false),
            }
        }
        _ => panic!("a quantifier without a temporal operator"),
    }
}

fn check(seed: u64) {
    let mut random = Random::new(seed);
    let mut table = random_table(&mut random);
    let mut store = Formulas::new();
    store.atoms = Atoms::from_names(["p", "q", "r"]).expect("three");
    let depth = 1 + random.below(4);
    let root = random_formula(&mut random, &mut store, depth);
    let expected = naive(&table, &store, root);
    let formula = CtlFormula::new(&Formula { store, root }).expect("generated as CTL");
    let limits = Limits::default();

    let global = check_ctl_global(&mut table, &formula, &limits).expect("no limits");
    for index in 0..global.graph.len() {
        let id = StateId::new(index);
        let state = usize::from(global.graph.store.state(id)[0]);
        assert_eq!(
            global.holds_in(id),
            expected[state],
            "global, seed {seed}, state {state}: {table:?}"
        );
    }
    let holds = expected[..table.initial].iter().all(|&holds| holds);
    assert_eq!(global.holds, holds, "global, seed {seed}");
    let local = check_ctl_local(&mut table, &formula, &limits).expect("no limits");
    assert_eq!(local.holds, holds, "local, seed {seed}: {table:?}");
    assert!(
        local.exploration.stored <= global.graph.len() as u64,
        "seed {seed}"
    );
}

#[test]
fn local_global_and_naive_agree() {
    let count = std::env::var("KRIPKE_CTL_COUNT").map_or(20_000, |text| text.parse().expect("a number"));
    for seed in 0..count {
        check(seed);
    }
}

#[test]
fn invariants_agree_with_always_globally() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut table = random_table(&mut random);
        let mut store = Formulas::new();
        store.atoms = Atoms::from_names(["p"]).expect("one");
        let atom = store.atoms.find("p").expect("entered");
        let p = store.atom(atom);
        let always = store.unary(UnaryOperator::Globally, p);
        let root = store.path(Quantifier::ForAll, always);
        let holds = naive(&table, &store, root)[..table.initial]
            .iter()
            .all(|&holds| holds);
        let proposition = Proposition::compile(&store, p).expect("an atom");
        let mut lengths = Vec::new();
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let found = check_invariant(
                &mut table,
                |labels| proposition.holds(labels),
                order,
                &Limits::default(),
            )
            .expect("no limits");
            assert_eq!(found.counterexample.is_none(), holds, "seed {seed}, {order:?}");
            let Some(path) = found.counterexample else {
                continue;
            };
            for (step, choice) in path.choices.iter().enumerate() {
                let from = usize::from(path.states[step][0]);
                let to = table.successors[from][*choice as usize];
                assert_eq!(path.states[step + 1][..], [to], "seed {seed}: the path replays");
            }
            let last = path.states.last().expect("a path has states")[0];
            assert!(!proposition.holds(table.labels[usize::from(last)]), "seed {seed}");
            lengths.push(path.states.len());
        }
        assert!(
            lengths.is_sorted(),
            "breadth-first finds a shortest path, seed {seed}"
        );
    }
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
    let stopped = check_invariant(&mut chain, |labels| labels == 1, Order::BreadthFirst, &limits)
        .expect_err("201 states are more than 50");
    assert_eq!(stopped.states, 51);
}
