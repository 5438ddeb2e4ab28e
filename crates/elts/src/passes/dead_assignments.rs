//! Removes assignments whose value is never read, assumptions and assertions that are true, and
//! statements of the kind that only fill such variables.
//!
//! Inputs that the program asks for stay, even unread: a test harness answers them in order. So do
//! accesses to memory, which may be wrong.

use crate::ids::{Id, VariableId};
use crate::passes::PassOptions;
use crate::passes::liveness::{LiveSet, needed_variables};
use crate::program::{Expr, Function, NondetSource, Program, Statement, StatementKind, VariableKind};

pub fn run(program: &mut Program, options: &PassOptions) -> bool {
    let mut changed = false;
    let library: Vec<bool> = program
        .functions
        .iter()
        .map(|function| program.is_library(function.position))
        .collect();
    for (function, library) in program.functions.iter_mut().zip(library) {
        changed |= clean(function, options.keep_named && !options.slice && !library);
    }
    changed
}

fn clean(function: &mut Function, keep_named: bool) -> bool {
    let kinds: Vec<VariableKind> = function.variables.iter().map(|variable| variable.kind).collect();
    let removable = |id: VariableId| !keep_named || kinds[id.index()] == VariableKind::Temporary;
    let needed = needed_variables(function, &removable);
    let mut changed = false;
    for transition in function
        .locations
        .iter_mut()
        .flat_map(|location| &mut location.transitions)
    {
        let mut after = needed[transition.target].clone();
        let mut kept = Vec::with_capacity(transition.statements.len());
        for mut statement in std::mem::take(&mut transition.statements).into_iter().rev() {
            if is_useless(&statement, &after, &removable) {
                changed = true;
                continue;
            }
            changed |= drop_dead_results(&mut statement, &after, &removable);
            after.step_back(&statement.kind);
            kept.push(statement);
        }
        kept.reverse();
        transition.statements = kept;
    }
    changed
}

fn is_useless(statement: &Statement, after: &LiveSet, removable: &impl Fn(VariableId) -> bool) -> bool {
    let dead = |target: &VariableId| !after.contains(*target) && removable(*target);
    let holds = |condition: &Expr| matches!(condition, Expr::Int(value) if !value.is_zero());
    match &statement.kind {
        StatementKind::Assign { target, value } => {
            dead(target) || matches!(value, Expr::Variable(source) if source == target)
        }
        StatementKind::Nondet {
            target,
            source: NondetSource::Uninitialised,
        }
        | StatementKind::Math { target, .. }
        | StatementKind::GetRounding { target } => dead(target),
        StatementKind::StackObject {
            target,
            size: Expr::Int(_),
            ..
        } => dead(target),
        StatementKind::Assume { condition } | StatementKind::Assert { condition, .. } => holds(condition),
        _ => false,
    }
}

/// A call whose results nobody reads need not hand them over.
fn drop_dead_results(
    statement: &mut Statement,
    after: &LiveSet,
    removable: &impl Fn(VariableId) -> bool,
) -> bool {
    let dead = |target: &VariableId| !after.contains(*target) && removable(*target);
    match &mut statement.kind {
        StatementKind::Call {
            results,
            callee: crate::program::Callee::Direct(_),
            ..
        } if !results.is_empty() && results.iter().all(dead) => {
            results.clear();
            true
        }
        StatementKind::Output { target, .. } => target.take_if(|target| dead(target)).is_some(),
        _ => false,
    }
}
