//! Accesses to memory that may be wrong without a violation.
//!
//! Idea: a run has no meaning after one, which an engine must see where it comes to it. What nobody checks is
//! right where the address is in an object of the program or of the function itself: an assertion about the
//! index stands before it where that is needed.

use std::collections::BTreeSet;

use kripke_elts::{Expr, Function, Program, StatementKind, VariableId};

use crate::kept::{Place, statements};

/// Where they are.
pub(crate) fn accesses(program: &Program) -> Vec<Place> {
    let own: Vec<BTreeSet<VariableId>> = program.functions.iter().map(own_objects).collect();
    let may_be_wrong = |(place, kind): &(Place, &StatementKind)| {
        let own = &own[kripke_elts::Id::index(place.0)];
        let outside = |pointer: &Expr| !is_inside(own, pointer);
        match kind {
            StatementKind::Load { address, checks, .. } | StatementKind::Store { address, checks, .. } => {
                checks.pointer.is_none() && outside(address)
            }
            StatementKind::SetMemory { target, checks, .. } => checks.pointer.is_none() && outside(target),
            StatementKind::CopyMemory {
                target,
                source,
                checks,
                ..
            } => checks.pointer.is_none() && (outside(target) || outside(source)),
            _ => false,
        }
    };
    statements(program)
        .filter(may_be_wrong)
        .map(|(place, _)| place)
        .collect()
}

/// Is the address in one of these objects, or in a global?
fn is_inside(own: &BTreeSet<VariableId>, pointer: &Expr) -> bool {
    match pointer {
        Expr::PointerAdd(base, _) => is_inside(own, base),
        Expr::GlobalAddress(_) => true,
        Expr::Variable(variable) => own.contains(variable),
        _ => false,
    }
}

/// The variables that are addresses of the function's objects, and nothing else at any time.
fn own_objects(function: &Function) -> BTreeSet<VariableId> {
    let (mut objects, mut others): (BTreeSet<VariableId>, BTreeSet<VariableId>) = Default::default();
    others.extend(&function.parameters);
    for statement in function.statements() {
        match &statement.kind {
            StatementKind::StackObject { target, .. } => objects.extend([target]),
            other => others.extend(other.targets()),
        }
    }
    objects.difference(&others).copied().collect()
}
