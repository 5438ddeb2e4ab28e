//! A branch to a location that can only fail becomes an assertion on the way: so a checked addition
//! is straight-line code.
//!
//! A location only fails if all it does is to assert *false* and then end the path. The transition
//! into it goes, and its sibling asserts that it was not taken.

use crate::ids::LocationId;
use crate::passes::PassOptions;
use crate::passes::fold::negated;
use crate::program::{Expr, Function, Program, Statement, StatementKind};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let mut changed = false;
    for function in program.functions.iter_mut() {
        for id in function.locations.ids() {
            changed |= straighten(function, id);
        }
    }
    changed
}

/// The failing assertion, if the code from the transition on does nothing else.
fn failure(function: &Function, id: LocationId, index: usize) -> Option<Statement> {
    let transition = &function.locations[id].transitions[index];
    let mut statements = transition.statements.iter().collect::<Vec<_>>();
    if statements.is_empty() {
        match &function.locations[transition.target].transitions[..] {
            [only] => statements.extend(&only.statements),
            _ => return None,
        }
    }
    let first = *statements.first()?;
    let fails =
        matches!(&first.kind, StatementKind::Assert { condition: Expr::Int(value), .. } if value.is_zero());
    fails.then(|| first.clone())
}

fn straighten(function: &mut Function, id: LocationId) -> bool {
    if function.locations[id].transitions.len() != 2 {
        return false;
    }
    let failing = [0, 1].map(|index| failure(function, id, index));
    let (survivor, failure) = match failing {
        [Some(failure), None] => (1, failure),
        [None, Some(failure)] => (0, failure),
        _ => return false,
    };
    let StatementKind::Assert { property, .. } = failure.kind else {
        return false;
    };
    let transitions = &mut function.locations[id].transitions;
    let failed = transitions[1 - survivor].guard.clone();
    let mut kept = transitions.swap_remove(survivor);
    let condition = negated(failed);
    let kind = StatementKind::Assert { condition, property };
    kept.statements.insert(
        0,
        Statement {
            kind,
            position: failure.position,
        },
    );
    kept.guard = Expr::Int(kripke_value::BitVec::from_bool(true));
    *transitions = vec![kept];
    true
}
