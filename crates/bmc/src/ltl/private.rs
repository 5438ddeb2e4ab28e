//! Copies of the program's functions for the atoms of formulas.
//!
//! Idea: an atom may call a function that the program calls too. Evaluating the atom must not violate the
//! properties in it, but where the program calls it they count: a failing assertion ends the run. So atoms
//! get copies of their own, and only those lose their checks.
//!
//! Invariant: no copy is called by the program, and copies call nothing but copies.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Callee, Expr, Function, FunctionId, Id, Program, StatementKind};
use kripke_value::BitVec;

/// Adds a copy of each of the functions, which call only each other; gives the copies.
pub fn add_copies(
    program: &mut Program,
    functions: &BTreeSet<FunctionId>,
) -> BTreeMap<FunctionId, FunctionId> {
    let first = program.functions.len();
    let copies: BTreeMap<FunctionId, FunctionId> = functions
        .iter()
        .enumerate()
        .map(|(index, id)| (*id, FunctionId::new(first + index)))
        .collect();
    for id in functions {
        let mut copy = program.functions[*id].clone();
        copy.name = format!("{} in formulas", copy.name);
        let locations = copy.locations.iter_mut();
        let transitions = locations.flat_map(|location| &mut location.transitions);
        for statement in transitions.flat_map(|transition| &mut transition.statements) {
            if let StatementKind::Call {
                callee: Callee::Direct(callee),
                ..
            } = &mut statement.kind
                && let Some(copy) = copies.get(callee)
            {
                *callee = *copy;
            }
        }
        without_checks(&mut copy);
        program.functions.push(copy);
    }
    copies
}

/// Evaluating an atom violates no property of the program and excludes no run: otherwise it would hide some.
fn without_checks(function: &mut Function) {
    let locations = function.locations.iter_mut();
    let transitions = locations.flat_map(|location| &mut location.transitions);
    for statement in transitions.flat_map(|transition| &mut transition.statements) {
        match &mut statement.kind {
            StatementKind::Load { checks, .. }
            | StatementKind::Store { checks, .. }
            | StatementKind::CopyMemory { checks, .. }
            | StatementKind::SetMemory { checks, .. } => *checks = Default::default(),
            StatementKind::Call { check, .. } => *check = None,
            StatementKind::Assert { .. } | StatementKind::Assume { .. } => {
                let condition = Expr::Int(BitVec::new(1, 1));
                statement.kind = StatementKind::Assume { condition };
            }
            _ => {}
        }
    }
}
