//! The toy models have exactly the states and transitions that SPIN finds in their Promela twins.
//!
//! The numbers are those of SPIN 6.5.2 with `-DNOREDUCE -DSAFETY` (`benches/explicit`);
//! `make bench SUITE=explicit` compares them again.

mod toys;

use kripke_explicit::{
    CtlFormula, Limits, LtlFormula, Order, StateGraph, check_ctl_local, check_invariant, check_ltl,
};
use kripke_logic::{Options, parse};
use kripke_model::KripkeStructure;
use toys::{Election, Peterson, Philosophers};

fn check(mut model: impl KripkeStructure, states: u64, transitions: u64, ltl: &str, ctl: &str) {
    let limits = Limits::default();
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let found = check_invariant(&mut model, |labels| labels & 2 == 0, order, &limits).expect("no limits");
        assert_eq!(found.counterexample, None);
        // SPIN counts the initial state as a transition too.
        let explored = (found.exploration.stored, found.exploration.created);
        assert_eq!(explored, (states, transitions), "{order:?}");
    }
    let graph = StateGraph::explore(&mut model, &limits).expect("no limits");
    assert_eq!((graph.len() as u64, graph.created + 1), (states, transitions));
    let formula = LtlFormula::new(&parse(ltl).expect("parses").formula, &Options::default()).expect("small");
    let result = check_ltl(&mut model, &formula, &limits).expect("no limits");
    assert_eq!(result.counterexample, None, "{ltl}");
    let formula = CtlFormula::new(&parse(ctl).expect("parses").formula).expect("CTL");
    let result = check_ctl_local(&mut model, &formula, &limits).expect("no limits");
    assert!(result.holds, "{ctl}");
}

#[test]
fn peterson() {
    let (ltl, ctl) = ("G F {inside}", "A G A F {inside}");
    check(Peterson { processes: 3 }, 1323, 3157, ltl, ctl);
    check(Peterson { processes: 4 }, 74_770, 232_487, ltl, ctl);
}

#[test]
fn philosophers() {
    let (ltl, ctl) = ("G F {eating}", "A G A F {eating}");
    check(Philosophers { count: 6 }, 5778, 28_747, ltl, ctl);
    check(Philosophers { count: 8 }, 103_682, 687_769, ltl, ctl);
}

#[test]
fn election() {
    let (ltl, ctl) = ("F {leader}", "A F {leader} && A G ({leader} -> A G {leader})");
    check(Election { nodes: 8 }, 3477, 14_743, ltl, ctl);
    check(Election { nodes: 10 }, 24_628, 129_999, ltl, ctl);
}
