//! Removes what nothing refers to: bodies of functions that cannot be called, globals, variables.
//!
//! A function keeps its entry in the table, because properties name it; only its body goes.

use crate::ids::{FunctionId, GlobalId, Id, IdVec, VariableId};
use crate::passes::PassOptions;
use crate::program::{Callee, Expr, Function, Program, StatementKind};

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let used = used_entries(program);
    let mut changed = remove_bodies(program, &used.functions);
    changed |= remove_globals(program, &used.globals);
    for function in program.functions.iter_mut() {
        changed |= remove_variables(function);
    }
    changed
}

struct Used {
    functions: Vec<bool>,
    globals: Vec<bool>,
}

/// What can be reached from the entry function through calls, addresses and initial values.
fn used_entries(program: &Program) -> Used {
    let mut used = Used {
        functions: vec![false; program.functions.len()],
        globals: vec![false; program.globals.len()],
    };
    let mut functions = vec![program.entry];
    let mut globals: Vec<GlobalId> = Vec::new();
    loop {
        if let Some(id) = functions.pop() {
            if !std::mem::replace(&mut used.functions[id.index()], true) {
                mentioned(&program.functions[id], &mut functions, &mut globals);
            }
        } else if let Some(id) = globals.pop() {
            if !std::mem::replace(&mut used.globals[id.index()], true) {
                for cell in &program.globals[id].cells {
                    mentioned_in(&cell.value, &mut functions, &mut globals);
                }
            }
        } else {
            return used;
        }
    }
}

fn mentioned(function: &Function, functions: &mut Vec<FunctionId>, globals: &mut Vec<GlobalId>) {
    for transition in function.transitions() {
        mentioned_in(&transition.guard, functions, globals);
        for statement in &transition.statements {
            if let StatementKind::Call {
                callee: Callee::Direct(id),
                ..
            } = &statement.kind
            {
                functions.push(*id);
            }
            statement
                .kind
                .each_expr(&mut |expr| mentioned_in(expr, functions, globals));
        }
    }
}

fn mentioned_in(expr: &Expr, functions: &mut Vec<FunctionId>, globals: &mut Vec<GlobalId>) {
    expr.each_function(&mut |id| functions.push(id));
    expr.each_global(&mut |id| globals.push(id));
}

fn remove_bodies(program: &mut Program, used: &[bool]) -> bool {
    let mut changed = false;
    for (function, &used) in program.functions.iter_mut().zip(used) {
        if !used && !function.locations.is_empty() {
            function.locations = IdVec::new();
            function.parameters.clear();
            function.results.clear();
            function.variables = IdVec::new();
            changed = true;
        }
    }
    changed
}

fn remove_globals(program: &mut Program, used: &[bool]) -> bool {
    if used.iter().all(|&used| used) {
        return false;
    }
    let mut new_ids = vec![GlobalId::new(0); used.len()];
    let mut globals = IdVec::new();
    for (id, global) in std::mem::take(&mut program.globals).into_entries() {
        if used[id.index()] {
            new_ids[id.index()] = globals.push(global);
        }
    }
    program.globals = globals;
    for global in program.globals.iter_mut() {
        global
            .cells
            .iter_mut()
            .for_each(|cell| renumber(&mut cell.value, &new_ids));
    }
    for function in program.functions.iter_mut() {
        for transition in function
            .locations
            .iter_mut()
            .flat_map(|location| &mut location.transitions)
        {
            renumber(&mut transition.guard, &new_ids);
            for statement in &mut transition.statements {
                statement.kind.each_expr_mut(&mut |expr| renumber(expr, &new_ids));
            }
        }
    }
    true
}

fn renumber(expr: &mut Expr, new_ids: &[GlobalId]) {
    match expr {
        Expr::GlobalAddress(id) => *id = new_ids[id.index()],
        _ => expr.children_mut().for_each(|child| renumber(child, new_ids)),
    }
}

fn remove_variables(function: &mut Function) -> bool {
    let mut used = vec![false; function.variables.len()];
    for id in function.parameters.iter().chain(&function.results) {
        used[id.index()] = true;
    }
    for transition in function.transitions() {
        transition.guard.each_variable(&mut |id| used[id.index()] = true);
        for statement in &transition.statements {
            statement.kind.each_read(&mut |id| used[id.index()] = true);
            statement
                .kind
                .targets()
                .iter()
                .for_each(|id| used[id.index()] = true);
        }
    }
    if used.iter().all(|&used| used) {
        return false;
    }
    let mut new_ids = vec![VariableId::new(0); used.len()];
    let mut variables = IdVec::new();
    for (id, variable) in std::mem::take(&mut function.variables).into_entries() {
        if used[id.index()] {
            new_ids[id.index()] = variables.push(variable);
        }
    }
    function.variables = variables;
    function
        .parameters
        .iter_mut()
        .chain(&mut function.results)
        .for_each(|id| *id = new_ids[id.index()]);
    for transition in function
        .locations
        .iter_mut()
        .flat_map(|location| &mut location.transitions)
    {
        rename(&mut transition.guard, &new_ids);
        for statement in &mut transition.statements {
            statement.kind.each_expr_mut(&mut |expr| rename(expr, &new_ids));
            statement
                .kind
                .targets_mut()
                .iter_mut()
                .for_each(|id| *id = new_ids[id.index()]);
            if let StatementKind::Note { variable } = &mut statement.kind {
                *variable = new_ids[variable.index()];
            }
        }
    }
    true
}

fn rename(expr: &mut Expr, new_ids: &[VariableId]) {
    match expr {
        Expr::Variable(id) => *id = new_ids[id.index()],
        _ => expr.children_mut().for_each(|child| rename(child, new_ids)),
    }
}
