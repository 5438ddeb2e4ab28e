//! Drops the checks of properties that are not asked for.
//!
//! What a path does past a failed check that is dropped is what the compiled program would do: an
//! overflow wraps, a shift or a conversion has the machine's result, an index goes on to the access.
//! Where there is no such result (a failed assertion aborts, a division by zero traps, unreachable
//! code has no meaning) the path still ends there: the assertion becomes an assumption. An access to
//! memory that is not checked any more stays, and a wrong one makes the verdict unknown.

use kripke_model::PropertyKind;

use crate::ids::{Id, PropertyId};
use crate::passes::PassOptions;
use crate::program::{AccessChecks, Expr, Program, StatementKind};

pub fn run(program: &mut Program, options: &PassOptions) -> bool {
    let Some(selected) = &options.selected else {
        return false;
    };
    let mut wanted = vec![false; program.properties.len()];
    for property in selected {
        if let Some(entry) = wanted.get_mut(property.index()) {
            *entry = true;
        }
    }
    let kinds: Vec<PropertyKind> = program.properties.iter().map(|site| site.kind).collect();
    let mut changed = false;
    for function in program.functions.iter_mut() {
        for transition in function
            .locations
            .iter_mut()
            .flat_map(|location| &mut location.transitions)
        {
            for statement in &mut transition.statements {
                changed |= deselect(&mut statement.kind, &wanted, &kinds);
            }
        }
    }
    changed
}

/// Does a failed check of the kind end the path even where nobody asks for it?
pub(super) fn ends_path(kind: PropertyKind) -> bool {
    match kind {
        PropertyKind::Overflow | PropertyKind::Shift | PropertyKind::Bounds | PropertyKind::FloatCast => {
            false
        }
        PropertyKind::Uninitialised
        | PropertyKind::PointerArithmetic
        | PropertyKind::Format
        | PropertyKind::TornAccess
        | PropertyKind::Atomicity
        | PropertyKind::HandlerCall
        | PropertyKind::LockOrder
        | PropertyKind::PriorityInversion
        | PropertyKind::ThreadLeak
        | PropertyKind::LoopInvariant
        | PropertyKind::Precondition
        | PropertyKind::Postcondition
        | PropertyKind::Assigns
        | PropertyKind::Firmware
        | PropertyKind::Invariant
        | PropertyKind::Ctl
        | PropertyKind::Ltl => false,
        PropertyKind::Assertion
        | PropertyKind::DivisionByZero
        | PropertyKind::Pointer
        | PropertyKind::Free
        | PropertyKind::Leak
        | PropertyKind::MissingReturn
        | PropertyKind::Unreachable
        | PropertyKind::VlaBound
        | PropertyKind::FunctionPointer
        | PropertyKind::LibraryContract
        | PropertyKind::Deadlock
        | PropertyKind::DataRace => true,
    }
}

fn deselect(kind: &mut StatementKind, wanted: &[bool], kinds: &[PropertyKind]) -> bool {
    let is_wanted = |property: &PropertyId| wanted.get(property.index()).copied().unwrap_or(true);
    let drop = |check: &mut Option<PropertyId>| check.take_if(|property| !is_wanted(property)).is_some();
    match kind {
        StatementKind::Assert { condition, property } if !is_wanted(property) => {
            let condition = match ends_path(kinds[property.index()]) {
                true => std::mem::replace(condition, Expr::Null),
                false => Expr::Int(kripke_value::BitVec::from_bool(true)),
            };
            *kind = StatementKind::Assume { condition };
            true
        }
        StatementKind::Load { checks, .. }
        | StatementKind::Store { checks, .. }
        | StatementKind::CopyMemory { checks, .. }
        | StatementKind::SetMemory { checks, .. } => {
            let AccessChecks {
                pointer,
                uninitialised,
            } = checks;
            drop(pointer) | drop(uninitialised)
        }
        StatementKind::Free { check, .. } | StatementKind::Call { check, .. } => drop(check),
        _ => false,
    }
}
