//! A program of what was found relevant.
//!
//! Invariant: what is kept reads only variables and objects all of whose writers are kept.

use kripke_elts::{
    Expr, Function, FunctionId, Id, LocationId, Program, Statement, StatementKind, Transition, Type,
};
use kripke_interrupts::PointsTo;
use kripke_value::{BitVec, Float};

use crate::control::{Control, Meeting};
use crate::kept::Kept;

/// The program without what does not matter.
pub(crate) fn build(
    program: &Program,
    points_to: &PointsTo<'_>,
    control: &[Control],
    kept: &Kept,
) -> Program {
    let mut sliced = program.clone();
    for id in program.functions.ids() {
        let function = &mut sliced.functions[id];
        for location in function.locations.ids() {
            keep_statements((program, points_to, kept), (id, location), function);
            let is_branch = function.locations[location].transitions.len() > 1;
            if is_branch && !kept.is_branch(id, location) {
                leave_out_branch(function, location, control[id.index()].meeting(location));
            }
        }
    }
    sliced
}

fn keep_statements(
    given: (&Program, &PointsTo<'_>, &Kept),
    (id, location): (FunctionId, LocationId),
    function: &mut Function,
) {
    for (index, transition) in function.locations[location].transitions.iter_mut().enumerate() {
        let statements = std::mem::take(&mut transition.statements);
        for (number, mut statement) in statements.into_iter().enumerate() {
            if given.2.keeps((id, location, index, number)) {
                reduce(given, id, &mut statement);
                transition.statements.push(statement);
            }
        }
    }
}

/// All ways from the branch meet, and nothing matters before that.
fn leave_out_branch(function: &mut Function, location: LocationId, meeting: Meeting) {
    let transitions = &mut function.locations[location].transitions;
    let position = transitions[0].position;
    let truth = Expr::Int(BitVec::from_bool(true));
    let only = match meeting {
        Meeting::On(index) => Transition {
            guard: truth,
            ..transitions.swap_remove(index)
        },
        Meeting::At(target) => Transition {
            guard: truth,
            statements: Vec::new(),
            target,
            position,
        },
        // Such branches matter.
        Meeting::Nowhere => return,
    };
    *transitions = vec![only];
}

/// Leaves out of a statement what is not known in the slice.
fn reduce(
    (program, points_to, kept): (&Program, &PointsTo<'_>, &Kept),
    id: FunctionId,
    statement: &mut Statement,
) {
    let is_written = |pointer: &Expr| kept.has_relevant_contents(points_to, id, pointer);
    let is_known = |pointer: &Expr| kept.knows_contents(points_to, id, pointer);
    match &mut statement.kind {
        // What is not known to be written may seem not to be.
        StatementKind::Load {
            address: source,
            checks,
            ..
        }
        | StatementKind::CopyMemory { source, checks, .. }
            if !is_known(source) =>
        {
            checks.uninitialised = None;
        }
        StatementKind::Store {
            address, value, ty, ..
        } if !is_written(address) => *value = zero(*ty),
        StatementKind::Call {
            callee, arguments, ..
        } => {
            let callees = points_to.callees(id, callee);
            for (index, argument) in arguments.iter_mut().enumerate() {
                let parameter = callees.iter().find_map(|callee| {
                    program.functions[*callee]
                        .parameters
                        .get(index)
                        .map(|it| (*callee, *it))
                });
                let is_read = callees
                    .iter()
                    .any(|callee| kept.reads_parameter(program, *callee, index));
                if let Some((callee, parameter)) = parameter.filter(|_| !is_read) {
                    *argument = zero(program.functions[callee].variables[parameter].ty);
                }
            }
        }
        _ => {}
    }
}

fn zero(ty: Type) -> Expr {
    match ty {
        Type::Int(width) => Expr::Int(BitVec::zero(width)),
        Type::Float(format) => Expr::Float(Float::zero(format, false)),
        Type::Pointer => Expr::Null,
    }
}
