//! Replaces loads from globals that nothing writes by their initial values.
//!
//! A global is never written if it is constant, or if its address is used for nothing but to load
//! from it. The load must be one that cannot fail: inside, aligned by the global's own alignment.

use crate::ids::{GlobalId, Id};
use crate::passes::PassOptions;
use crate::passes::fold::is_constant;
use crate::program::{Expr, Global, InitialRest, Program, StatementKind, Type};
use crate::scalar::ScalarValue;

pub fn run(program: &mut Program, _: &PassOptions) -> bool {
    let written = possibly_written(program);
    let globals = program.globals.clone();
    let data_model = program.data_model.clone();
    let mut changed = false;
    for function in program.functions.iter_mut() {
        let types: Vec<Type> = function.variables.iter().map(|variable| variable.ty).collect();
        for transition in function
            .locations
            .iter_mut()
            .flat_map(|location| &mut location.transitions)
        {
            for statement in &mut transition.statements {
                let StatementKind::Load {
                    target,
                    address,
                    align,
                    volatile: false,
                    ..
                } = &statement.kind
                else {
                    continue;
                };
                let Some((id, offset)) = constant_address(address) else {
                    continue;
                };
                let global = &globals[id];
                if written[id.index()] && !global.constant {
                    continue;
                }
                let ty = types[target.index()];
                let access = Access {
                    offset,
                    size: ty.bytes(&data_model),
                    align: u64::from(*align),
                };
                if let Some(value) = initial_value(global, access, ty) {
                    statement.kind = StatementKind::Assign {
                        target: *target,
                        value,
                    };
                    changed = true;
                }
            }
        }
    }
    changed
}

#[derive(Clone, Copy)]
struct Access {
    offset: u64,
    size: u64,
    align: u64,
}

/// A global and a constant offset.
fn constant_address(address: &Expr) -> Option<(GlobalId, u64)> {
    match address {
        Expr::GlobalAddress(id) => Some((*id, 0)),
        Expr::PointerAdd(base, offset) => match (&**base, &**offset) {
            (Expr::GlobalAddress(id), Expr::Int(offset)) => Some((*id, offset.to_u64()?)),
            _ => None,
        },
        _ => None,
    }
}

fn initial_value(global: &Global, access: Access, ty: Type) -> Option<Expr> {
    let end = access.offset.checked_add(access.size)?;
    let aligned =
        u64::from(global.align).is_multiple_of(access.align) && access.offset.is_multiple_of(access.align);
    if end > global.size || !aligned || global.rest != InitialRest::Zero {
        return None;
    }
    if let Some(cell) = global
        .cells
        .iter()
        .find(|cell| cell.offset == access.offset && cell.ty == ty)
    {
        return is_constant(&cell.value).then(|| cell.value.clone());
    }
    // Cells are ordered and short: one that overlaps starts less than its own size before the end.
    let overlaps = global.cells.iter().any(|cell| {
        let length = match cell.ty {
            Type::Int(width) => u64::from(width.div_ceil(8)),
            Type::Float(format) => u64::from(format.bits().div_ceil(8)),
            Type::Pointer => 8,
        };
        cell.offset < end && access.offset < cell.offset + length
    });
    if overlaps {
        return None;
    }
    Some(match ScalarValue::zero(ty) {
        ScalarValue::Int(value) => Expr::Int(value),
        ScalarValue::Float(value) => Expr::Float(value),
        ScalarValue::Pointer(_) => Expr::Null,
    })
}

/// For each global: is its address used for more than to load from it?
pub fn possibly_written(program: &Program) -> Vec<bool> {
    let mut written = vec![false; program.globals.len()];
    for global in program.globals.iter() {
        for cell in &global.cells {
            cell.value.each_global(&mut |id| written[id.index()] = true);
        }
    }
    for function in program.functions.iter() {
        for transition in function.transitions() {
            transition.guard.each_global(&mut |id| written[id.index()] = true);
            for statement in &transition.statements {
                match &statement.kind {
                    StatementKind::Load { address, .. } => loaded_from(address, &mut written),
                    kind => {
                        kind.each_expr(&mut |expr| expr.each_global(&mut |id| written[id.index()] = true))
                    }
                }
            }
        }
    }
    written
}

/// The start of an address that is only loaded from does not escape; the rest of the expression may.
fn loaded_from(address: &Expr, written: &mut [bool]) {
    match address {
        Expr::GlobalAddress(_) => {}
        Expr::PointerAdd(base, offset) => {
            loaded_from(base, written);
            offset.each_global(&mut |id| written[id.index()] = true);
        }
        Expr::Select(condition, then, otherwise) => {
            condition.each_global(&mut |id| written[id.index()] = true);
            loaded_from(then, written);
            loaded_from(otherwise, written);
        }
        other => other.each_global(&mut |id| written[id.index()] = true),
    }
}
