//! Runs that begin with the call of a function whose caller goes on behind it.
//!
//! Idea: the start-up function that the translation writes runs constructors, makes the arguments, calls the
//! function and ends the program. A function that is checked by itself ends no program by its return.

use kripke_elts::{
    AT_START, Callee, FunctionId, LocationId, Program, Statement, StatementKind, name_in_its_file,
};

/// What the names of start-up functions begin with.
const START: &str = "kripke.";

/// Where a start-up function calls a function: the location, the transition and the statement.
pub(crate) fn call_of(
    program: &Program,
    start: FunctionId,
    entry: &str,
) -> Option<(LocationId, usize, usize)> {
    let of_entry = |statement: &Statement| match &statement.kind {
        StatementKind::Call {
            callee: Callee::Direct(id),
            ..
        } => {
            let name = &program.functions[*id].name;
            let plain = name_in_its_file(name).strip_suffix(AT_START).unwrap_or(name);
            plain == entry || name_in_its_file(plain) == entry
        }
        _ => false,
    };
    if !program.functions[start].name.starts_with(START) {
        return None;
    }
    for (id, location) in program.functions[start].locations.enumerate() {
        for (number, transition) in location.transitions.iter().enumerate() {
            if let Some(at) = transition.statements.iter().position(of_entry) {
                return Some((id, number, at));
            }
        }
    }
    None
}

/// Leaves out what happens where a program ends, behind the call of a function other than `main`:
/// destructors, and functions that `atexit` registered.
pub(crate) fn return_to_caller(program: &mut Program, entry: &str) {
    let start = program.entry;
    let Some((location, transition, at)) = call_of(program, start, entry).filter(|_| entry != "main") else {
        return;
    };
    let transition = &mut program.functions[start].locations[location].transitions[transition];
    let behind = transition.statements.split_off(at + 1);
    let is_call = |statement: &Statement| matches!(statement.kind, StatementKind::Call { .. });
    transition
        .statements
        .extend(behind.into_iter().filter(|statement| !is_call(statement)));
}
