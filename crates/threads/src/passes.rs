//! The loops of a thread: which transitions end a pass, and what is done in one.
//!
//! Idea: a thread's functions are put into each other, so its loops are those of one graph, and what a loop
//! calls is part of it. A transition back to a location that the thread comes through before ends a pass.
//!
//! Source: A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers" (2006), section 9.6: natural loops.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Id, LocationId};

use crate::weaver::Weaver;

/// A transition, by its location and its number there.
pub type Edge = (LocationId, usize);

/// The transitions that end passes, each with the locations of its loop.
pub struct Passes {
    pub ends: BTreeMap<Edge, BTreeSet<LocationId>>,
}

impl Passes {
    pub fn of(weaver: &Weaver<'_>, thread: usize) -> Passes {
        let order = order(weaver, thread);
        let mut before: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
        let mut back = Vec::new();
        for id in order.keys() {
            for (number, target) in next(weaver, thread, *id) {
                before.entry(target).or_default().push(*id);
                if order[&target] <= order[id] {
                    back.push(((*id, number), target));
                }
            }
        }
        let between = |head: LocationId, end: LocationId| {
            let mut inside = BTreeSet::from([head]);
            let mut open = vec![end];
            while let Some(location) = open.pop() {
                if inside.insert(location) {
                    open.extend(before.get(&location).into_iter().flatten());
                }
            }
            inside
        };
        let ends = back.into_iter().map(|(edge, head)| (edge, between(head, edge.0)));
        Passes { ends: ends.collect() }
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
    let ways = weaver.function.locations[id].transitions.iter().enumerate();
    let targets = ways.map(|(number, way)| (number, way.target));
    targets
        .filter(|(_, target)| weaver.thread_of[target.index()] == thread)
        .collect()
}

/// The locations of a thread that it may come to, each with its place in reverse postorder.
fn order(weaver: &Weaver<'_>, thread: usize) -> BTreeMap<LocationId, usize> {
    let root = weaver.threads[thread].root;
    let mut seen = BTreeSet::from([root]);
    let mut post = Vec::new();
    let mut stack = vec![(root, next(weaver, thread, root))];
    while let Some((location, rest)) = stack.last_mut() {
        match rest.pop() {
            Some((_, target)) if seen.insert(target) => stack.push((target, next(weaver, thread, target))),
            Some(_) => {}
            None => {
                post.push(*location);
                stack.pop();
            }
        }
    }
    let reverse = post.into_iter().rev().enumerate();
    reverse.map(|(place, id)| (id, place)).collect()
}
