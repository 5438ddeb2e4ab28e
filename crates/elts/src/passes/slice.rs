//! Removes what the selected properties do not depend on, the user's variables too.
//!
//! What always stays: checks that are asked for, assumptions, ends of the program, inputs, output,
//! and accesses to memory, because a wrong one that nobody checks must show as *unknown*. What goes:
//! assignments that none of these depends on, branches that make no difference then, calls of
//! functions that do nothing, and loops that do nothing but count up to a constant. Other loops stay,
//! whatever they compute: one that does not end hides all that comes after it.
//!
//! Source: the cone of influence of Ceagle's section 4.2, "locations that are not reachable to error
//! labels".

use kripke_value::BitVec;

use crate::ids::{Id, LocationId, VariableId};
use crate::passes::PassOptions;
use crate::passes::liveness::live_variables;
use crate::program::{BinaryOp, Callee, Expr, Function, Program, StatementKind};

pub fn run(program: &mut Program, options: &PassOptions) -> bool {
    if !options.slice {
        return false;
    }
    let idle: Vec<bool> = program.functions.iter().map(does_nothing).collect();
    let mut changed = false;
    for function in program.functions.iter_mut() {
        changed |= remove_idle_calls(function, &idle);
        changed |= remove_counting_loops(function);
    }
    changed
}

/// Does the function return at once?
fn does_nothing(function: &Function) -> bool {
    let Some(entry) = function.locations.get(function.entry) else {
        return false;
    };
    match &entry.transitions[..] {
        [only] => only.statements.is_empty() && only.target == function.exit,
        _ => false,
    }
}

fn remove_idle_calls(function: &mut Function, idle: &[bool]) -> bool {
    let mut changed = false;
    for transition in function
        .locations
        .iter_mut()
        .flat_map(|location| &mut location.transitions)
    {
        let before = transition.statements.len();
        transition.statements.retain(|statement| match &statement.kind {
            StatementKind::Call {
                callee: Callee::Direct(id),
                results,
                ..
            } => !(results.is_empty() && idle[id.index()]),
            _ => true,
        });
        changed |= transition.statements.len() != before;
    }
    changed
}

/// Loops of the form `while (i < K) i += c;` whose counter nobody reads afterwards.
fn remove_counting_loops(function: &mut Function) -> bool {
    let live = live_variables(function);
    let mut changed = false;
    for id in function.locations.ids() {
        let Some((counter, leaving)) = counting_loop(function, id) else {
            continue;
        };
        let target = function.locations[id].transitions[leaving].target;
        let read_after = live[target].contains(counter)
            || function.locations[id].transitions[leaving]
                .statements
                .iter()
                .any(|statement| {
                    let mut reads = false;
                    statement
                        .kind
                        .each_read(&mut |variable| reads |= variable == counter);
                    reads
                });
        if read_after {
            continue;
        }
        let mut transition = function.locations[id].transitions.swap_remove(leaving);
        transition.guard = Expr::Int(BitVec::from_bool(true));
        function.locations[id].transitions = vec![transition];
        changed = true;
    }
    changed
}

/// The counter of a loop at a location, and the transition that leaves it.
fn counting_loop(function: &Function, id: LocationId) -> Option<(VariableId, usize)> {
    let transitions = &function.locations[id].transitions;
    let [first, second] = &transitions[..] else {
        return None;
    };
    let (round, leaving) = match (first.target == id, second.target == id) {
        (true, false) => (first, 1),
        (false, true) => (second, 0),
        _ => return None,
    };
    let [statement] = &round.statements[..] else {
        return None;
    };
    let StatementKind::Assign { target, value } = &statement.kind else {
        return None;
    };
    let Expr::Binary(BinaryOp::Add, left, right) = value else {
        return None;
    };
    let (Expr::Variable(counter), Expr::Int(step)) = (&**left, &**right) else {
        return None;
    };
    let Expr::Binary(op, left, right) = &round.guard else {
        return None;
    };
    let (Expr::Variable(tested), Expr::Int(limit)) = (&**left, &**right) else {
        return None;
    };
    // The last value below the limit, plus the step, must not wrap around.
    let ends = match op {
        BinaryOp::SLt => !step.sign_bit() && !step.is_zero() && !limit.saddo(step),
        BinaryOp::ULt => !step.is_zero() && !limit.uaddo(step),
        _ => false,
    };
    (counter == target && tested == target && ends).then_some((*target, leaving))
}
