//! Passes: each makes a program smaller and leaves its behaviour as it is.
//!
//! Behaviour is what a user can see: how a run ends for given inputs, what it prints, which inputs it
//! reads in which order. Ids of properties, functions and allocation sites stay; locations, variables
//! and globals are renumbered. What is removed is not shown in traces, so assignments to C variables
//! stay even where nothing reads them, unless [`PassOptions::keep_named`] is off.
//!
//! Source: Ceagle (Wang et al. 2016), section 4.2: unreachable and straight-line blocks, temporaries
//! folded into C-like statements, constants, locations that are not relevant to an error.

mod branch_asserts;
pub mod certain_assertions;
mod coalesce;
mod constants;
mod dead_assignments;
mod fold;
mod fold_temporaries;
pub mod liveness;
mod merge_locations;
mod read_only_globals;
mod selection;
mod slice;
mod unreachable;
mod unused;

pub use fold::{fold, negated};
pub use read_only_globals::possibly_written;

use crate::ids::PropertyId;
use crate::program::Program;
use crate::statistics::Statistics;

/// What the passes may do.
#[derive(Clone, Debug)]
pub struct PassOptions {
    /// The properties that matter; `None` for all.
    pub selected: Option<Vec<PropertyId>>,
    /// Keep assignments to C variables of the user's functions, for traces.
    pub keep_named: bool,
    /// Remove what the selected properties do not depend on, C variables too.
    pub slice: bool,
    /// Passes that are left out, by name.
    pub disabled: Vec<String>,
    /// How often the sequence is repeated while it still changes something.
    pub rounds: usize,
}

impl Default for PassOptions {
    fn default() -> Self {
        PassOptions {
            selected: None,
            keep_named: true,
            slice: false,
            disabled: Vec::new(),
            rounds: 4,
        }
    }
}

/// What one pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassStatistics {
    /// Its name.
    pub pass: &'static str,
    /// The program before it.
    pub before: Statistics,
    /// The program after it.
    pub after: Statistics,
}

/// A pass: its name, and what it does. True if it changed anything.
pub type Pass = (&'static str, fn(&mut Program, &PassOptions) -> bool);

/// All passes, in the order of one round.
pub const PASSES: &[Pass] = &[
    ("branch-asserts", branch_asserts::run),
    ("selection", selection::run),
    ("constants", constants::run),
    ("read-only-globals", read_only_globals::run),
    ("unreachable", unreachable::run),
    ("merge-locations", merge_locations::run),
    ("fold-temporaries", fold_temporaries::run),
    ("coalesce", coalesce::run),
    ("dead-assignments", dead_assignments::run),
    ("slice", slice::run),
    ("unused", unused::run),
];

/// Runs all passes, round after round while they change something.
pub fn optimise(program: &mut Program, options: &PassOptions) -> Vec<PassStatistics> {
    let mut done = Vec::new();
    for _ in 0..options.rounds {
        let mut changed = false;
        for (name, run) in PASSES {
            if options.disabled.iter().any(|disabled| disabled == name) {
                continue;
            }
            let before = Statistics::of(program);
            changed |= run(program, options);
            if cfg!(debug_assertions) {
                crate::assert_valid(program, name);
            }
            done.push(PassStatistics {
                pass: name,
                before,
                after: Statistics::of(program),
            });
        }
        if !changed {
            break;
        }
    }
    done
}
