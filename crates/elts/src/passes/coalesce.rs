//! `t = f(); x = t;` becomes `x = f();` where nothing else reads the temporary `t`, and nothing between
//! the two reads or assigns `x`.

use crate::ids::{IdVec, VariableId};
use crate::passes::PassOptions;
use crate::program::{Expr, Function, Program, Statement, StatementKind, VariableKind};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let mut changed = false;
    for function in program.functions.iter_mut() {
        changed |= coalesce(function);
    }
    changed
}

fn coalesce(function: &mut Function) -> bool {
    let mut mentions: IdVec<VariableId, usize> = IdVec::from(vec![0; function.variables.len()]);
    for transition in function.transitions() {
        transition.guard.each_variable(&mut |id| mentions[id] += 1);
        for statement in &transition.statements {
            statement.kind.each_read(&mut |id| mentions[id] += 1);
            statement.kind.targets().iter().for_each(|&id| mentions[id] += 1);
        }
    }
    for &result in &function.results {
        mentions[result] += 1;
    }
    // Once assigned, once read.
    let variables = &function.variables;
    let is_candidate = |id: VariableId| mentions[id] == 2 && variables[id].kind == VariableKind::Temporary;
    let mut found = false;
    for transition in function
        .locations
        .iter_mut()
        .flat_map(|location| &mut location.transitions)
    {
        let mut at = 0;
        while at < transition.statements.len() {
            match definition(&transition.statements, at, &is_candidate) {
                Some((definition, source, target)) => {
                    rename_target(&mut transition.statements[definition], source, target);
                    transition.statements.remove(at);
                    found = true;
                }
                None => at += 1,
            }
        }
    }
    found
}

/// For a copy of a candidate: the statement that defines it, the candidate, and the copy's target.
fn definition(
    statements: &[Statement],
    at: usize,
    is_candidate: &impl Fn(VariableId) -> bool,
) -> Option<(usize, VariableId, VariableId)> {
    let StatementKind::Assign {
        target,
        value: Expr::Variable(source),
    } = &statements[at].kind
    else {
        return None;
    };
    if !is_candidate(*source) {
        return None;
    }
    for (index, statement) in statements[..at].iter().enumerate().rev() {
        let kind = &statement.kind;
        let assigns_target = kind.targets().contains(target);
        if kind.targets().contains(source) {
            // The target may be read here (`x = f(x)`), but not assigned twice.
            return (!assigns_target).then_some((index, *source, *target));
        }
        let mut reads = false;
        kind.each_read(&mut |id| reads |= id == *target);
        if reads || assigns_target {
            return None;
        }
    }
    None
}

fn rename_target(statement: &mut Statement, source: VariableId, target: VariableId) {
    for id in statement.kind.targets_mut() {
        if *id == source {
            *id = target;
        }
    }
}
