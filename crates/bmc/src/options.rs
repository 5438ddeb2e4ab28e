//! What a user can ask of the engine, and what it tells while it works.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kripke_elts::PropertyId;
use kripke_model::{Open, Property, PropertyResult};
use kripke_smt::SolverChoice;

use crate::obligation::Obligation;

/// How to check a program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Every loop and recursion is unwound that many times, no more and no less; `None`: 1, 2, 4, … until
    /// all paths end.
    pub unwind: Option<u32>,
    /// Bounds of single loops: `FUNCTION.N` (N counts the function's loops from 1) or `FILE:LINE` of the
    /// loop's head.
    pub unwindset: BTreeMap<String, u32>,
    /// The largest bound of the automatic search.
    pub max_bound: u32,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Bytes of memory at which to stop.
    pub memory_limit: Option<u64>,
    /// Becomes true when the user interrupts.
    pub interrupt: Arc<AtomicBool>,
    /// Becomes true when the answer is not needed any more.
    pub cancel: Arc<AtomicBool>,
    /// Which solver.
    pub solver: SolverChoice,
    /// Only these properties; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
    /// Go on after the first violation.
    pub all: bool,
    /// Try k-induction where loops do not end.
    pub k_induction: bool,
    /// Ask the solver whether another iteration is possible before it is executed.
    pub feasibility: bool,
    /// Keep states apart where paths meet that differ in where they are in data.
    pub parting: bool,
    /// How the schedules of threads are explored.
    pub explore: Explore,
    /// Execute the iterations of loops in the order of where they are in data.
    pub ordering: bool,
    /// Go on at a larger bound with what the last one left, and not from the program's beginning.
    pub continuing: bool,
    /// Look for loop invariants where induction alone does not do.
    pub invariants: bool,
    /// Prove what follows from loop invariants, and look for no violations.
    pub only_invariants: bool,
    /// Look for more of them by reachability where guesses do not do.
    pub reachability: bool,
    /// Prove in the part of the program that matters to a property.
    pub slicing: bool,
    /// Look for violations by running the program beside the search.
    pub fuzzing: bool,
    /// How many cells an access may choose from before its object becomes an array; `None`: the default.
    pub array_threshold: Option<usize>,
    /// The longest range of memory that is set or copied byte by byte; `None`: the default.
    pub range_threshold: Option<u64>,
    /// Tell the formulas on which proofs rest.
    pub obligations: bool,
    /// Write what each phase found to standard error.
    pub dump: bool,
}

/// How the schedules of threads are explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Explore {
    /// Those that lead to the same places meet in one state.
    #[default]
    Merged,
    /// Each by itself, up to states that were seen, if these are looked for.
    Interleavings {
        /// Is a state that was seen before left?
        state_hashing: bool,
        /// Is one order of independent steps enough? None: where that can be done.
        reduction: Option<bool>,
    },
}

impl Default for Options {
    fn default() -> Self {
        Options {
            unwind: None,
            unwindset: BTreeMap::new(),
            max_bound: u32::MAX,
            deadline: None,
            memory_limit: None,
            interrupt: Arc::default(),
            cancel: Arc::default(),
            solver: SolverChoice::default(),
            properties: None,
            all: false,
            k_induction: true,
            feasibility: true,
            parting: true,
            explore: Explore::Merged,
            ordering: true,
            continuing: true,
            invariants: true,
            only_invariants: false,
            reachability: true,
            slicing: true,
            fuzzing: true,
            array_threshold: None,
            range_threshold: None,
            obligations: false,
            dump: false,
        }
    }
}

impl Options {
    /// Is the property to be checked?
    pub fn checks(&self, property: PropertyId) -> bool {
        self.properties
            .as_ref()
            .is_none_or(|wanted| wanted.contains(&property))
    }
}

/// Hears how the check goes.
pub trait Progress {
    /// A run with this bound begins.
    fn bound(&mut self, bound: u32) {
        let _ = bound;
    }
    /// A query goes to the solver, with that many properties undecided.
    fn query(&mut self, number: u64, properties_left: usize) {
        let _ = (number, properties_left);
    }
    /// These properties are to be decided from now on.
    fn asked(&mut self, properties: &[Property]) {
        let _ = properties;
    }
    /// The search for a property's verdict goes on, and came so far.
    fn open(&mut self, property: &Property, open: &Open) {
        let _ = (property, open);
    }
    /// A property has its verdict.
    fn settled(&mut self, result: &PropertyResult) {
        let _ = result;
    }
    /// A proof rests on this (only with [`Options::obligations`]).
    fn obligation(&mut self, obligation: Obligation) {
        let _ = obligation;
    }
    /// A phase has something to show (only with [`Options::dump`]).
    fn dump(&mut self, phase: &str, text: &str) {
        let _ = (phase, text);
    }
}

/// Listens to nothing.
pub struct Silent;

impl Progress for Silent {}

/// The engine contradicts itself: a defect of Kripke's, not of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// What happened.
    pub message: String,
}

impl std::fmt::Display for InternalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InternalError {}
