//! Atomic operations.
//!
//! Idea: one thread runs, so an atomic operation is its parts in order. What handlers of interrupts must not
//! come between is marked.

use kripke_elts::interrupts::{ATOMIC_BEGINS, ATOMIC_ENDS};
use kripke_elts::{BinaryOp as Op, Expr, Type as Scalar};

use crate::ir::{Type, Value};

use super::constants::{compare, scalar_bits};
use super::expressions::{binary, not, select};
use super::function::FunctionTranslator;
use super::memory::Use;
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// Writes an access that nothing comes into where it is atomic.
    pub fn at_once(&mut self, is_atomic: bool, write: impl FnOnce(&mut Self) -> Step<()>) -> Step<()> {
        if !is_atomic {
            return write(self);
        }
        self.note_atomic(ATOMIC_BEGINS);
        let done = write(self);
        self.note_atomic(ATOMIC_ENDS);
        done
    }

    /// `atomicrmw`: the old value is the result.
    pub fn write_atomic_update(
        &mut self,
        name: &'m str,
        op: &str,
        pointer: &'m (Type, Value),
        value: &(Type, Value),
        volatile: bool,
    ) -> Step<()> {
        let Some(ty) = self.types.scalar(&value.0) else {
            return unsupported("an atomic operation on an aggregate");
        };
        let address = self.scalar(&pointer.0, &pointer.1)?;
        let operand = self.scalar(&value.0, &value.1)?;
        let align = self.types.align(&value.0);
        let reads = self.access_checks(&address, ty, align, &pointer.1, Use::Read);
        let writes = self.access_checks(&address, ty, align, &pointer.1, Use::Write);
        self.note_atomic(ATOMIC_BEGINS);
        let old = self.load_scalar(name, ty, address.clone(), align, volatile, reads);
        let new = updated(op, old.clone(), operand)?;
        self.store_scalar(ty, address, new, align, volatile, writes);
        self.note_atomic(ATOMIC_ENDS);
        self.values.insert(name, vec![old]);
        Ok(())
    }

    /// `cmpxchg`: the old value, and whether it was the expected one.
    pub fn write_compare_exchange(
        &mut self,
        name: &'m str,
        pointer: &'m (Type, Value),
        expected: &(Type, Value),
        new: &(Type, Value),
        volatile: bool,
    ) -> Step<()> {
        let Some(ty) = self.types.scalar(&expected.0) else {
            return unsupported("an atomic operation on an aggregate");
        };
        let address = self.scalar(&pointer.0, &pointer.1)?;
        let expected_value = self.scalar(&expected.0, &expected.1)?;
        let new_value = self.scalar(&new.0, &new.1)?;
        let align = self.types.align(&expected.0);
        let reads = self.access_checks(&address, ty, align, &pointer.1, Use::Read);
        let writes = self.access_checks(&address, ty, align, &pointer.1, Use::Write);
        self.note_atomic(ATOMIC_BEGINS);
        let old = self.load_scalar(name, ty, address.clone(), align, volatile, reads);
        let is_equal = match ty {
            Scalar::Float(format) => {
                let width = self.types.pointer_bits();
                let bits = |value: &Expr| scalar_bits(width, ty, value.clone());
                compare(
                    crate::ir::Predicate::Eq,
                    Scalar::Int(format.bits()),
                    bits(&old),
                    bits(&expected_value),
                )
            }
            _ => compare(crate::ir::Predicate::Eq, ty, old.clone(), expected_value),
        };
        let is_equal = self.builder.hold(name, Scalar::BOOL, is_equal);
        let stored = select(is_equal.clone(), new_value, old.clone());
        self.store_scalar(ty, address, stored, align, volatile, writes);
        self.note_atomic(ATOMIC_ENDS);
        self.values.insert(name, vec![old, is_equal]);
        Ok(())
    }
}

fn updated(op: &str, old: Expr, operand: Expr) -> Step<Expr> {
    let op = match op {
        "xchg" => return Ok(operand),
        "nand" => return Ok(not(binary(Op::And, old, operand))),
        "add" => Op::Add,
        "sub" => Op::Sub,
        "and" => Op::And,
        "or" => Op::Or,
        "xor" => Op::Xor,
        "max" => Op::SMax,
        "min" => Op::SMin,
        "umax" => Op::UMax,
        "umin" => Op::UMin,
        "fadd" => Op::FAdd,
        "fsub" => Op::FSub,
        "fmax" => Op::FMax,
        "fmin" => Op::FMin,
        other => return unsupported(format!("the atomic operation `{other}`")),
    };
    Ok(binary(op, old, operand))
}
