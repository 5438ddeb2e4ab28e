//! Removes transitions whose guard is false and locations that nothing enters.

use crate::ids::{Id, IdVec, LocationId};
use crate::passes::PassOptions;
use crate::program::{Expr, Function, Program};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let mut changed = false;
    for function in program.functions.iter_mut() {
        changed |= remove_false_transitions(function);
        changed |= remove_unreachable_locations(function);
    }
    changed
}

fn remove_false_transitions(function: &mut Function) -> bool {
    let mut changed = false;
    for location in function.locations.iter_mut() {
        let before = location.transitions.len();
        location
            .transitions
            .retain(|transition| !matches!(&transition.guard, Expr::Int(value) if value.is_zero()));
        changed |= location.transitions.len() != before;
    }
    changed
}

/// The exit stays: the function's shape names it.
pub fn remove_unreachable_locations(function: &mut Function) -> bool {
    if function.locations.is_empty() {
        return false;
    }
    let mut keep = vec![false; function.locations.len()];
    function
        .reverse_postorder()
        .into_iter()
        .for_each(|id| keep[id.index()] = true);
    keep[function.exit.index()] = true;
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    let mut new_ids = vec![LocationId::new(0); keep.len()];
    let mut locations = IdVec::new();
    for (id, location) in std::mem::take(&mut function.locations).into_entries() {
        if keep[id.index()] {
            new_ids[id.index()] = locations.push(location);
        }
    }
    for transition in locations
        .iter_mut()
        .flat_map(|location| &mut location.transitions)
    {
        transition.target = new_ids[transition.target.index()];
    }
    function.entry = new_ids[function.entry.index()];
    function.exit = new_ids[function.exit.index()];
    function.locations = locations;
    true
}
