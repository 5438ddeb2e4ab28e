//! Searches end soon after a limit, also where one state has more successors than there is time or memory
//! for.
//!
//! Nothing here depends on how fast the machine is: what is counted is successors and bytes.

use std::sync::atomic::Ordering;

use kripke_explicit::{
    CtlFormula, Limits, LtlFormula, Order, StateGraph, Stopped, Store, check_ctl_local, check_invariant,
    check_ltl, survey_invariants,
};
use kripke_logic::{Options, parse};
use kripke_model::{Choice, KripkeStructure, Labels, Reason, Visit};

/// A state has as many successors as it takes until no more is wanted, all of them new.
struct Endless {
    next: u64,
    handed_out: u64,
    /// After so many successors, the limits are interrupted.
    patience: u64,
    limits: Limits,
}

/// Bytes of a state.
const SIZE: usize = 64;

impl Endless {
    fn new(limits: &Limits, patience: u64) -> Self {
        Endless {
            next: 0,
            handed_out: 0,
            patience,
            limits: limits.clone(),
        }
    }
}

impl KripkeStructure for Endless {
    fn state_size(&self) -> usize {
        SIZE
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        emit(&[0; SIZE]);
    }

    fn successors<V: Visit>(&mut self, _: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        let mut state = [0; SIZE];
        for choice in 0.. {
            self.next += 1;
            self.handed_out += 1;
            if self.handed_out == self.patience {
                self.limits.interrupt.store(true, Ordering::Relaxed);
            }
            state[..8].copy_from_slice(&self.next.to_le_bytes());
            if emit(choice, &state).is_break() {
                return;
            }
        }
    }

    fn labels(&mut self, _: &[u8]) -> Labels {
        0
    }
}

/// Every search, with its name.
fn searches(limits: &Limits, patience: u64, mut judge: impl FnMut(&str, Stopped, Endless)) {
    let mut model = Endless::new(limits, patience);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let stopped = check_invariant(&mut model, |_| true, order, limits).expect_err("there is no end");
        let judged = std::mem::replace(&mut model, Endless::new(limits, patience));
        judge("invariant", stopped, judged);
        limits.interrupt.store(false, Ordering::Relaxed);
    }
    let survey = survey_invariants(&mut model, 2, |_| 0, limits);
    judge("survey", survey.stopped.expect("there is no end"), model);
    limits.interrupt.store(false, Ordering::Relaxed);

    let mut model = Endless::new(limits, patience);
    let stopped = StateGraph::explore(&mut model, limits).err();
    judge("graph", stopped.expect("there is no end"), model);
    limits.interrupt.store(false, Ordering::Relaxed);

    for text in ["A G !{a}", "A F {a}", "E G E F {a}", "E X A X {a}"] {
        let formula = CtlFormula::new(&parse(text).expect("parses").formula).expect("CTL");
        let mut model = Endless::new(limits, patience);
        let stopped = check_ctl_local(&mut model, &formula, limits).expect_err("there is no end");
        judge(text, stopped, model);
        limits.interrupt.store(false, Ordering::Relaxed);
    }
    for text in ["G !{a}", "F {a}"] {
        let formula = LtlFormula::new(&parse(text).expect("parses").formula, &Options::default());
        let mut model = Endless::new(limits, patience);
        let stopped = check_ltl(&mut model, &formula.expect("small"), limits).expect_err("there is no end");
        judge(text, stopped, model);
        limits.interrupt.store(false, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupt_ends_the_expansion_of_a_state() {
    let patience = 10_000;
    searches(&Limits::default(), patience, |name, stopped, model| {
        assert_eq!(stopped.reason, Reason::Interrupted, "{name}");
        assert!(
            model.handed_out < patience + 2_000,
            "{name}: {}",
            model.handed_out
        );
    });
}

/// Its one state has a loop; its initial states cannot be found again, as a limit is reached then.
struct FoundOnce {
    found: bool,
    limits: Limits,
}

impl KripkeStructure for FoundOnce {
    fn state_size(&self) -> usize {
        1
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        if std::mem::replace(&mut self.found, true) {
            return self.limits.interrupt.store(true, Ordering::Relaxed);
        }
        emit(&[0]);
    }

    fn successors<V: Visit>(&mut self, _: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        emit(0, &[0]);
    }

    fn labels(&mut self, _: &[u8]) -> Labels {
        0
    }
}

#[test]
fn a_limit_may_be_reached_while_a_lasso_is_replayed() {
    let limits = Limits::default();
    let mut model = FoundOnce {
        found: false,
        limits: limits.clone(),
    };
    let formula = LtlFormula::new(&parse("F {a}").expect("parses").formula, &Options::default());
    let stopped = check_ltl(&mut model, &formula.expect("small"), &limits);
    assert_eq!(
        stopped.err().map(|stopped| stopped.reason),
        Some(Reason::Interrupted)
    );
}

#[test]
fn a_limit_of_states_holds_within_one_expansion() {
    let limits = Limits {
        states: Some(5_000),
        ..Limits::default()
    };
    searches(&limits, u64::MAX, |name, stopped, model| {
        assert_eq!(stopped.reason, Reason::States { limit: 5_000 }, "{name}");
        assert!(stopped.states < 5_500, "{name}: {}", stopped.states);
        assert!(model.handed_out < 5_500, "{name}: {}", model.handed_out);
    });
}

/// The other tests of this file take a few megabytes, which the bounds have room for.
#[test]
fn a_memory_limit_holds_and_is_made_use_of() {
    let Some(before) = kripke_limits::resident() else {
        return;
    };
    let room = 96 << 20;
    let limits = |before: u64, store| Limits {
        memory: Some(before + room),
        store,
        ..Limits::default()
    };
    searches(&limits(before, Store::Plain), u64::MAX, |name, stopped, _| {
        assert_eq!(stopped.reason, Reason::Memory, "{name}");
        let states = (stopped.states * SIZE) as u64;
        assert!(states < room, "{name}: {states} bytes of states");
        assert!(states > room / 4, "{name}: {states} bytes of states");
    });
    // What the allocator has kept of these searches is there before the next one.
    let before = kripke_limits::resident().unwrap_or(before);
    let limits = limits(before, Store::Tree);
    let mut model = Endless::new(&limits, u64::MAX);
    let stopped = check_invariant(&mut model, |_| true, Order::BreadthFirst, &limits);
    let stopped = stopped.expect_err("there is no end");
    assert_eq!(stopped.reason, Reason::Memory);
    let states = (stopped.states * SIZE) as u64;
    assert!(
        states > room,
        "a tree has room for more than {states} bytes of states"
    );
    let peak = kripke_limits::peak().expect("the system that tells the one tells the other");
    assert!(peak < before + room + room / 20, "{peak} of {}", before + room);
}
