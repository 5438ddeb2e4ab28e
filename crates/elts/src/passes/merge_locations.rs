//! Merges straight-line code: a location that only one transition enters, and that one transition
//! leaves always, becomes part of the transition before it. A location that does nothing but go on is
//! skipped, and so is a choice between ways that do the same.

use crate::ids::LocationId;
use crate::passes::PassOptions;
use crate::passes::unreachable::remove_unreachable_locations;
use crate::program::{Expr, Function, Program, Transition};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let mut changed = false;
    for function in program.functions.iter_mut() {
        changed |= skip_empty_locations(function);
        changed |= join_equal_branches(function);
        changed |= merge(function);
        if changed {
            remove_unreachable_locations(function);
        }
    }
    changed
}

/// The one transition that leaves the location, if it is always taken.
fn only_transition(function: &Function, id: LocationId) -> Option<&Transition> {
    match &function.locations[id].transitions[..] {
        [transition] if matches!(&transition.guard, Expr::Int(value) if !value.is_zero()) => Some(transition),
        _ => None,
    }
}

/// Backwards, so that a chain is followed by its last location and the others take over what was found.
fn skip_empty_locations(function: &mut Function) -> bool {
    let mut changed = false;
    for id in function.reverse_postorder().into_iter().rev() {
        for index in 0..function.locations[id].transitions.len() {
            // A chain longer than the function is a loop that does nothing; it stays.
            for _ in 0..function.locations.len() {
                let target = function.locations[id].transitions[index].target;
                let next = only_transition(function, target)
                    .filter(|next| next.statements.is_empty() && next.target != target)
                    .map(|next| next.target);
                let Some(next) = next else { break };
                function.locations[id].transitions[index].target = next;
                changed = true;
            }
        }
    }
    changed
}

/// Where every transition does nothing and leads to the same place, the guards make no difference.
fn join_equal_branches(function: &mut Function) -> bool {
    let mut changed = false;
    for location in function.locations.iter_mut() {
        let [first, rest @ ..] = &location.transitions[..] else {
            continue;
        };
        let same = |other: &Transition| other.statements.is_empty() && other.target == first.target;
        if rest.is_empty() || !same(first) || !rest.iter().all(same) {
            continue;
        }
        location.transitions.truncate(1);
        location.transitions[0].guard = Expr::Int(kripke_value::BitVec::from_bool(true));
        changed = true;
    }
    changed
}

fn merge(function: &mut Function) -> bool {
    let mut changed = false;
    let mut entering = function.predecessors();
    for id in function.reverse_postorder() {
        for index in 0..function.locations[id].transitions.len() {
            loop {
                let target = function.locations[id].transitions[index].target;
                let single = entering[target].len() == 1 && target != function.entry && target != id;
                if !single || only_transition(function, target).is_none() {
                    break;
                }
                let Some(next) = function.locations[target].transitions.pop() else {
                    break;
                };
                // Now nothing enters the target; what its transition entered, this one enters.
                entering[target].clear();
                for entry in entering[next.target].iter_mut().filter(|entry| entry.0 == target) {
                    *entry = (id, index);
                }
                let transition = &mut function.locations[id].transitions[index];
                transition.statements.extend(next.statements);
                transition.target = next.target;
                changed = true;
            }
        }
    }
    changed
}
