//! What must be so for a handler to come.
//!
//! Idea: everything that keeps a handler from coming is in memory of our own, so that a dispatcher asks it
//! where it begins, and a writer where it has to know whether any may come.

use kripke_elts::{BinaryOp, Callee, Expr, FunctionId, GlobalId, StatementKind, Type, VariableId};

use crate::control::FLAG;
use crate::terms::{binary, int, load, or, truth};

/// One thing that must be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The byte is not 0.
    Set(GlobalId),
    /// The byte is 0.
    Clear(GlobalId),
    /// The function, which only looks, returns something other than 0, of so many bits.
    Holds(FunctionId, u32),
    /// The mask of a Cortex-M by priorities leaves it, as it is 0 or less urgent than the handler.
    Unmasked {
        /// The mask.
        base: GlobalId,
        /// The handler's priority, where a smaller one is more urgent.
        priority: GlobalId,
    },
}

/// Writes a statement that sets a variable of the type, which it makes.
pub type Read<'r> = dyn FnMut(Type, &dyn Fn(VariableId) -> StatementKind) -> VariableId + 'r;

impl Gate {
    /// May the handler come, as far as this says?
    pub fn is_open(self, read: &mut Read<'_>) -> Expr {
        if let Gate::Holds(function, width) = self {
            let result = read(Type::Int(width), &|target| StatementKind::Call {
                results: vec![target],
                callee: Callee::Direct(function),
                arguments: Vec::new(),
                check: None,
            });
            return binary(BinaryOp::Ne, Expr::Variable(result), int(width, 0));
        }
        let mut byte = |global: GlobalId| Expr::Variable(read(FLAG, &|target| load(target, global)));
        match self {
            Gate::Holds(..) => truth(true),
            Gate::Set(flag) => binary(BinaryOp::Ne, byte(flag), int(8, 0)),
            Gate::Clear(flag) => binary(BinaryOp::Eq, byte(flag), int(8, 0)),
            Gate::Unmasked { base, priority } => {
                let (base, priority) = (byte(base), byte(priority));
                let is_off = binary(BinaryOp::Eq, base.clone(), int(8, 0));
                or(is_off, binary(BinaryOp::ULt, priority, base))
            }
        }
    }
}
