//! The loops of a function: which transitions end a pass, and what may be done in one.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Function, LocationId};

use crate::sites::Place;

/// A transition, by its location and number.
type Edge = (LocationId, usize);

/// The transitions that close cycles, each with the locations between its target and itself.
pub struct Passes {
    ends: BTreeMap<Edge, BTreeSet<LocationId>>,
}

impl Passes {
    pub fn new(function: &Function) -> Passes {
        let mut passes = Passes {
            ends: BTreeMap::new(),
        };
        if function.locations.is_empty() {
            return passes;
        }
        let order = function.reverse_postorder();
        let places: BTreeMap<LocationId, usize> =
            order.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        for id in &order {
            for (index, transition) in function.locations[*id].transitions.iter().enumerate() {
                if places.get(&transition.target) <= places.get(id) {
                    let inside = between(function, transition.target, *id);
                    passes.ends.insert((*id, index), inside);
                }
            }
        }
        passes
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

/// The locations from which the end of a pass is come to without its head.
fn between(function: &Function, head: LocationId, end: LocationId) -> BTreeSet<LocationId> {
    let mut before: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for (id, location) in function.locations.enumerate() {
        for transition in &location.transitions {
            before.entry(transition.target).or_default().push(id);
        }
    }
    let mut inside = BTreeSet::from([head]);
    let mut open = vec![end];
    while let Some(location) = open.pop() {
        if inside.insert(location) {
            open.extend(before.get(&location).into_iter().flatten());
        }
    }
    inside
}
