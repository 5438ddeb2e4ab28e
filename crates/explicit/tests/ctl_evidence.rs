//! Evidence for CTL verdicts is accepted by the checker of evidence, and only right evidence is.
//!
//! `KRIPKE_CTL_COUNT` pairs are tried, 20,000 unless set.

mod table;

use kripke_explicit::{
    CtlEvidence, CtlFormula, Detail, Justification, Limits, Run, Step, check_ctl_global, explain_ctl,
};
use kripke_logic::random::Random;
use kripke_logic::{Atoms, Formula, Formulas, parse};
use table::{Table, random_formula, random_table};

fn count() -> u64 {
    std::env::var("KRIPKE_CTL_COUNT").map_or(20_000, |text| text.parse().expect("a number"))
}

fn random_case(seed: u64) -> (Table, CtlFormula) {
    let mut random = Random::new(seed);
    let table = random_table(&mut random);
    let mut store = Formulas::new();
    store.atoms = Atoms::from_names(["p", "q", "r"]).expect("three");
    let depth = 1 + random.below(4);
    let root = random_formula(&mut random, &mut store, depth);
    (
        table,
        CtlFormula::new(&Formula { store, root }).expect("generated as CTL"),
    )
}

#[test]
fn evidence_is_accepted() {
    let (mut runs, mut loops) = (0, 0);
    for seed in 0..count() {
        let (mut table, formula) = random_case(seed);
        let expected = check_ctl_global(&mut table, &formula, &Limits::default())
            .expect("no limits")
            .holds;
        for detail in [Detail::Outline, Detail::Proof] {
            let evidence = explain_ctl(&mut table, &formula, detail, &Limits::default()).expect("no limits");
            assert_eq!(evidence.holds, expected, "seed {seed}");
            let left = evidence
                .verify(&mut table, &formula)
                .unwrap_or_else(|error| panic!("seed {seed}, {detail:?}: {error}\n{table:?}\n{evidence:?}"));
            assert!(
                detail == Detail::Outline || left == 0,
                "seed {seed}: a proof leaves nothing open"
            );
            match evidence.unfold().ok() {
                Some(Run::Finite(path)) => {
                    runs += 1;
                    assert!(path.replays(&mut table), "seed {seed}: {path:?}");
                }
                Some(Run::Infinite(lasso)) => {
                    loops += 1;
                    assert!(lasso.replays(&mut table), "seed {seed}: {lasso:?}");
                }
                None => {}
            }
        }
    }
    assert!(
        runs * 2 > count() && loops * 20 > count(),
        "{runs} runs, {loops} loops"
    );
}

/// A proof of the opposite never passes, whatever is changed in it.
#[test]
fn broken_evidence_is_refused() {
    let mut refused = 0;
    for seed in 0..2_000 {
        let (mut table, formula) = random_case(seed);
        let proof = explain_ctl(&mut table, &formula, Detail::Proof, &Limits::default()).expect("no limits");
        let mut random = Random::new(seed);
        let mut opposite = proof.clone();
        opposite.holds = !opposite.holds;
        for obligation in &mut opposite.obligations {
            obligation.holds = !obligation.holds;
        }
        let mut broken = vec![opposite];
        let victim = random.below(proof.obligations.len());
        let mut changed = proof.clone();
        changed.obligations[victim].holds ^= true;
        broken.push(changed);
        let mut changed = proof.clone();
        if let Justification::Links(links) = &mut changed.obligations[victim].justification {
            links.clear();
            broken.push(changed);
        }
        let mut changed = proof.clone();
        changed.roots.clear();
        broken.push(changed);
        for evidence in broken {
            // What is still accepted must be a proof of the right verdict.
            match evidence.verify(&mut table, &formula) {
                Ok(_) => assert_eq!(evidence.holds, proof.holds, "seed {seed}: {evidence:?}"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 5_000, "{refused}");
}

fn explain(table: &mut Table, formula: &str) -> (CtlEvidence, CtlFormula) {
    let formula = CtlFormula::new(&parse(formula).expect("parses").formula).expect("CTL");
    let evidence = explain_ctl(table, &formula, Detail::Outline, &Limits::default()).expect("no limits");
    (evidence, formula)
}

/// 0 → 1 → 2 → 1, 0 → 3, which ends; p in 0, 1, 2; q in 3.
fn fork() -> Table {
    Table {
        initial: 1,
        labels: vec![1, 1, 1, 2],
        successors: vec![vec![1, 3], vec![2], vec![1], vec![]],
    }
}

#[test]
fn a_run_is_shown_where_it_is_enough() {
    let shown = |formula: &str| {
        // Both atoms in order, whatever the formula mentions.
        let (evidence, _) = explain(&mut fork(), &format!("({{p}} || {{q}} || true) && {formula}"));
        let numbers = |states: &[Box<[u8]>]| states.iter().map(|state| state[0]).collect::<Vec<_>>();
        match evidence.unfold().ok() {
            Some(Run::Finite(path)) => (numbers(&path.states), None),
            Some(Run::Infinite(lasso)) => (numbers(&lasso.path.states), Some(lasso.loop_start)),
            None => (Vec::new(), None),
        }
    };
    assert_eq!(shown("E F {q}"), (vec![0, 3], None));
    assert_eq!(shown("A G {p}"), (vec![0, 3], None));
    assert_eq!(shown("A F {q}"), (vec![0, 1, 2], Some(1)));
    assert_eq!(shown("E G {p}"), (vec![0, 1, 2], Some(1)));
    assert_eq!(shown("E F E G {q}"), (vec![0, 3], Some(1)));
    assert_eq!(shown("(E F {q} && E G {p})"), (vec![], None));
}

#[test]
fn a_circular_until_is_refused() {
    // Claims E F q in a structure without q, each state resting on the other.
    let mut ring = Table {
        initial: 1,
        labels: vec![1, 1],
        successors: vec![vec![1], vec![0]],
    };
    let (_, formula) = explain(&mut ring, "({p} || {q} || true) && E F {q}");
    let mut good = fork();
    let evidence = explain_ctl(&mut good, &formula, Detail::Proof, &Limits::default()).expect("no limits");
    assert_eq!(evidence.verify(&mut good, &formula), Ok(0));
    assert!(evidence.verify(&mut ring, &formula).is_err());
    let mut circular = evidence;
    let until = circular
        .obligations
        .iter()
        .position(|obligation| {
            matches!(&obligation.justification, Justification::Links(links)
                if links.iter().any(|link| link.step != Step::Here))
        })
        .expect("the until takes a step");
    if let Justification::Links(links) = &mut circular.obligations[until].justification {
        for link in links.iter_mut().filter(|link| link.step != Step::Here) {
            link.to = until;
            link.step = Step::By(0);
        }
    }
    let mut stay = Table {
        initial: 1,
        labels: vec![1],
        successors: vec![vec![0]],
    };
    let error = circular
        .verify(&mut stay, &formula)
        .expect_err("it never arrives");
    assert!(error.message.contains("links"), "{error}");
}
