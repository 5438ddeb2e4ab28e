//! The loops of a function: which transitions end a pass, and what may be done in one.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::loops::{self, Edge};
use kripke_elts::{Function, LocationId};

use crate::sites::Place;

/// The transitions that close cycles, each with the locations between its target and itself.
pub struct Passes {
    ends: BTreeMap<Edge, BTreeSet<LocationId>>,
}

impl Passes {
    pub fn new(function: &Function) -> Passes {
        Passes {
            ends: loops::natural(function.entry, |id| function.ways(id)),
        }
    }

    /// The transitions that end a pass of a loop, and the locations of the loop.
    pub fn ends(&self) -> impl Iterator<Item = (Edge, &BTreeSet<LocationId>)> {
        self.ends.iter().map(|(edge, inside)| (*edge, inside))
    }

    /// Is a statement between the transitions of a loop, and not on the way out of it?
    pub fn is_inside(function: &Function, inside: &BTreeSet<LocationId>, place: Place) -> bool {
        let (location, way, _) = place;
        let target = function.locations[location].transitions[way].target;
        inside.contains(&location) && inside.contains(&target)
    }

    /// May a run of the function come from one statement to another, without ending a pass of a loop in which
    /// the first one is?
    pub fn leads(&self, function: &Function, from: Place, to: Place) -> bool {
        if (from.0, from.1) == (to.0, to.1) && from.2 < to.2 {
            return true;
        }
        let may = |edge: Edge| match self.ends.get(&edge) {
            Some(inside) => !Self::is_inside(function, inside, from),
            None => true,
        };
        let mut open: Vec<LocationId> = Vec::new();
        if may((from.0, from.1)) {
            open.push(function.locations[from.0].transitions[from.1].target);
        }
        let mut seen = BTreeSet::new();
        while let Some(location) = open.pop() {
            if !seen.insert(location) {
                continue;
            }
            if location == to.0 {
                return true;
            }
            let ways = function.locations[location].transitions.iter().enumerate();
            let ways = ways.filter(|(index, _)| may((location, *index)));
            open.extend(ways.map(|(_, transition)| transition.target));
        }
        false
    }
}
