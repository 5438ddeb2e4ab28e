//! Expressions and statements as the rewriting needs them.

use kripke_elts::interrupts::CHOICE;
use kripke_elts::{
    AccessChecks, BinaryOp, Callee, Expr, FunctionId, GlobalId, NondetSource, StatementKind, Type, UnaryOp,
    Variable, VariableId, VariableKind,
};
use kripke_value::BitVec;

/// A number of so many bits.
pub fn int(width: u32, value: u128) -> Expr {
    Expr::Int(BitVec::new(width, value))
}

/// A truth value.
pub fn truth(value: bool) -> Expr {
    Expr::Int(BitVec::from_bool(value))
}

/// An operator with two operands.
pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// The condition is false.
pub fn not(condition: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(condition))
}

/// Both are true.
pub fn and(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::And, a, b)
}

/// One of them is true.
pub fn or(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Or, a, b)
}

/// One of two values.
pub fn select(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::Select(Box::new(condition), Box::new(then), Box::new(otherwise))
}

/// Sets a variable.
pub fn assign(target: VariableId, value: Expr) -> StatementKind {
    StatementKind::Assign { target, value }
}

/// Any value, which nobody has to supply.
pub fn choose(target: VariableId) -> StatementKind {
    let source = NondetSource::Library(CHOICE.to_owned());
    StatementKind::Nondet { target, source }
}

/// Calls a function that takes and returns nothing.
pub fn call(function: FunctionId) -> StatementKind {
    call_with(function, Vec::new())
}

/// The same with arguments.
pub fn call_with(function: FunctionId, arguments: Vec<Expr>) -> StatementKind {
    StatementKind::Call {
        results: Vec::new(),
        callee: Callee::Direct(function),
        arguments,
        check: None,
    }
}

/// Reads memory of our own.
pub fn load(target: VariableId, global: GlobalId) -> StatementKind {
    StatementKind::Load {
        target,
        address: Expr::GlobalAddress(global),
        align: 1,
        volatile: false,
        checks: AccessChecks::default(),
    }
}

/// Writes memory of our own.
pub fn store(global: GlobalId, value: Expr, ty: Type) -> StatementKind {
    StatementKind::Store {
        address: Expr::GlobalAddress(global),
        value,
        ty,
        align: 1,
        volatile: false,
        checks: AccessChecks::default(),
    }
}

/// A variable that the rewriting needs.
pub fn temporary(name: String, ty: Type) -> Variable {
    Variable {
        name,
        ty,
        kind: VariableKind::Temporary,
        c_type: None,
        position: kripke_elts::Position::default(),
    }
}
