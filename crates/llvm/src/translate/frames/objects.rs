//! The objects that functions make, by the variables that hold their addresses.

use std::collections::BTreeSet;

use kripke_elts::{Expr, Function, StatementKind, VariableId};

pub(super) fn each_statement(function: &Function, mut visit: impl FnMut(&StatementKind)) {
    function.statements().for_each(|statement| visit(&statement.kind));
}

/// The variables that hold the address of a stack object of the function, or null before it is made.
pub(super) fn own_objects(function: &Function) -> BTreeSet<VariableId> {
    let (mut made, mut other) = (BTreeSet::new(), BTreeSet::new());
    each_statement(function, |kind| match kind {
        StatementKind::StackObject { target, .. } => {
            made.insert(*target);
        }
        StatementKind::Assign {
            value: Expr::Null, ..
        } => {}
        _ => other.extend(kind.targets()),
    });
    &made - &other
}

/// Does a statement make an object of which there may be several at a time?
pub(super) fn is_listed(kind: &StatementKind, is_recursive: bool) -> bool {
    match kind {
        StatementKind::HeapObject { .. } => true,
        StatementKind::StackObject { size, .. } => is_recursive || !matches!(size, Expr::Int(_)),
        _ => false,
    }
}

pub(super) fn makes_listed(function: &Function, is_recursive: bool) -> bool {
    let mut statements = function.statements();
    statements.any(|statement| is_listed(&statement.kind, is_recursive))
}

pub(super) fn sets_rounding(function: &Function) -> bool {
    let mut statements = function.statements();
    statements.any(|statement| matches!(statement.kind, StatementKind::SetRounding { .. }))
}

/// Those whose address the function does more with than to read and write there.
pub(super) fn escaping_objects(function: &Function) -> BTreeSet<VariableId> {
    let objects = own_objects(function);
    let mut escaping = BTreeSet::new();
    each_statement(function, |kind| {
        let mut note = |expr: &Expr| {
            expr.each_variable(&mut |id| {
                if objects.contains(&id) {
                    escaping.insert(id);
                }
            })
        };
        match kind {
            StatementKind::Load { .. } | StatementKind::EndObject { .. } => {}
            StatementKind::Store { value, .. } => note(value),
            kind => kind.each_expr(&mut note),
        }
    });
    // What is made in other ways than to be known by its variable, and what is in the list.
    each_statement(function, |kind| {
        if let StatementKind::StackObject { target, .. } = kind {
            if is_listed(kind, false) {
                escaping.remove(target);
            } else if !objects.contains(target) {
                escaping.insert(*target);
            }
        }
    });
    escaping
}
