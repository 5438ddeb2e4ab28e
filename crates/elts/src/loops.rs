//! The passes of loops: which transitions end one, and what is done in one.
//!
//! Idea: a transition back to a location that is come through before ends a pass. What is done in it are the
//! locations from which its end is come to without its head. A function, or a part of one, is given by where
//! it is entered and, for each location, by the transitions that stay in it: their numbers and targets.
//!
//! Source: A. Aho, M. Lam, R. Sethi, J. Ullman, "Compilers" (2006), section 9.6: natural loops.

use std::collections::{BTreeMap, BTreeSet};

use crate::LocationId;

/// A transition, by its location and its number there.
pub type Edge = (LocationId, usize);

/// The transitions that end passes, each with where it leads.
pub fn ends(
    root: LocationId,
    ways: impl Fn(LocationId) -> Vec<(usize, LocationId)>,
) -> Vec<(Edge, LocationId)> {
    let places = places(root, &ways);
    let from = |id: &LocationId| {
        let id = *id;
        ways(id)
            .into_iter()
            .map(move |(number, target)| ((id, number), target))
    };
    let all = places.keys().flat_map(from);
    all.filter(|((id, _), target)| places[target] <= places[id])
        .collect()
}

/// The transitions that end passes, each with the locations of its loop.
pub fn natural(
    root: LocationId,
    ways: impl Fn(LocationId) -> Vec<(usize, LocationId)>,
) -> BTreeMap<Edge, BTreeSet<LocationId>> {
    let mut before: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    for id in places(root, &ways).keys() {
        for (_, target) in ways(*id) {
            before.entry(target).or_default().push(*id);
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
    let ends = ends(root, &ways).into_iter();
    ends.map(|(edge, head)| (edge, between(head, edge.0))).collect()
}

/// The locations that are come to, each with its place in reverse postorder.
fn places(
    root: LocationId,
    ways: &impl Fn(LocationId) -> Vec<(usize, LocationId)>,
) -> BTreeMap<LocationId, usize> {
    let mut seen = BTreeSet::from([root]);
    let mut post = Vec::new();
    let mut stack = vec![(root, ways(root))];
    while let Some((location, rest)) = stack.last_mut() {
        match rest.pop() {
            Some((_, target)) if seen.insert(target) => stack.push((target, ways(target))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;

    /// 0 → 1 → 2 → 1, 2 → 0, 2 → 3.
    #[test]
    fn two_loops_in_each_other() {
        let id = LocationId::new;
        let ways = |from: LocationId| match from.index() {
            0 => vec![(0, id(1))],
            1 => vec![(0, id(2))],
            2 => vec![(0, id(1)), (1, id(0)), (2, id(3))],
            _ => Vec::new(),
        };
        let inner = ((id(2), 0), BTreeSet::from([id(1), id(2)]));
        let outer = ((id(2), 1), BTreeSet::from([id(0), id(1), id(2)]));
        assert_eq!(natural(id(0), ways), BTreeMap::from([inner, outer]));
        assert_eq!(ends(id(0), ways), [((id(2), 0), id(1)), ((id(2), 1), id(0))]);
    }
}
