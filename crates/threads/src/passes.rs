//! The loops of a thread: which transitions end a pass, and what is done in one.
//!
//! Idea: a thread's functions are put into each other, so its loops are those of one graph, and what a loop
//! calls is part of it.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::loops::{self, Edge};
use kripke_elts::{Id, LocationId};

use crate::weaver::Weaver;

/// The transitions that end passes, each with the locations of its loop.
pub struct Passes {
    pub ends: BTreeMap<Edge, BTreeSet<LocationId>>,
}

impl Passes {
    pub fn of(weaver: &Weaver<'_>, thread: usize) -> Passes {
        let root = weaver.threads[thread].root;
        Passes {
            ends: loops::natural(root, |id| next(weaver, thread, id)),
        }
    }

    /// Does the transition end a pass of a loop in which a location is?
    pub fn ends_pass_of(&self, edge: Edge, location: LocationId) -> bool {
        self.ends
            .get(&edge)
            .is_some_and(|inside| inside.contains(&location))
    }
}

/// Where the transitions of a location of a thread lead to, with their numbers; not those that leave it.
pub fn next(weaver: &Weaver<'_>, thread: usize, id: LocationId) -> Vec<(usize, LocationId)> {
    let mut ways = weaver.function.ways(id);
    ways.retain(|(_, target)| weaver.thread_of[target.index()] == thread);
    ways
}
