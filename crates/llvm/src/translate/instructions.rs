//! Instructions other than terminators, one by one.

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, Type as Scalar, UnaryOp};

use crate::ir::{BinaryOp, CastOp, Flag, Instruction, InstructionKind, Predicate, Type, Value};

use super::constants::{binary_op, compare, convert};
use super::expressions::{binary, cast, unary};
use super::function::FunctionTranslator;
use super::memory::Access;
use super::{Step, unsupported};

impl<'m> FunctionTranslator<'_, 'm> {
    /// Translates an instruction that does not end its block.
    pub fn write_simple_instruction(&mut self, instruction: &'m Instruction) -> Step<()> {
        let name = instruction.result.as_deref().unwrap_or_default();
        match &instruction.kind {
            InstructionKind::Alloca { ty, count, align } => {
                self.write_alloca(name, ty, count.as_ref(), *align)
            }
            InstructionKind::Load {
                ty,
                pointer,
                align,
                volatile,
                atomic,
            } => {
                let access = Access {
                    pointer,
                    align: *align,
                    volatile: *volatile,
                };
                self.at_once(*atomic, |translator| {
                    translator.write_load(name, ty, &access, &instruction.flags)
                })
            }
            InstructionKind::Store {
                ty,
                value,
                pointer,
                align,
                volatile,
                atomic,
            } => {
                let access = Access {
                    pointer,
                    align: *align,
                    volatile: *volatile,
                };
                self.at_once(*atomic, |translator| translator.write_store(ty, value, &access))
            }
            InstructionKind::GetElementPointer {
                element,
                base,
                indices,
                inbounds,
            } => self.write_element_pointer(name, element, base, indices, *inbounds),
            InstructionKind::Binary { op, ty, left, right } => {
                self.write_binary(name, (*op, &instruction.flags), ty, left, right)
            }
            InstructionKind::FNeg { ty, value } => {
                let values = self.value(ty, value)?;
                let values = values
                    .into_iter()
                    .map(|value| unary(UnaryOp::FNeg, value))
                    .collect();
                self.define_float(name, ty, values, &instruction.flags)
            }
            InstructionKind::Cast { .. } if self.marker_casts.contains_key(name) => Ok(()),
            InstructionKind::Cast { op, from, value, to } => {
                self.write_cast(name, (*op, &instruction.flags), from, value, to)
            }
            InstructionKind::Compare {
                predicate,
                ty,
                left,
                right,
            } => self.write_compare(name, (*predicate, &instruction.flags), ty, left, right),
            InstructionKind::Select {
                condition,
                then,
                otherwise,
            } => self.write_select(name, condition, then, otherwise, &instruction.flags),
            InstructionKind::Phi { .. } => Ok(()),
            InstructionKind::ExtractValue { aggregate, path } => {
                self.write_extract_value(name, aggregate, path)
            }
            InstructionKind::InsertValue {
                aggregate,
                value,
                path,
            } => self.write_insert_value(name, aggregate, value, path),
            InstructionKind::ExtractElement { vector, index } => {
                self.write_extract_element(name, vector, index)
            }
            InstructionKind::InsertElement { vector, value, index } => {
                self.write_insert_element(name, vector, value, index)
            }
            InstructionKind::ShuffleVector { left, right, mask } => {
                self.write_shuffle(name, left, right, mask)
            }
            InstructionKind::Freeze { ty, value } => {
                let values = self.value(ty, value)?;
                self.values.insert(name, values);
                Ok(())
            }
            InstructionKind::VaArg { list, ty } => self.write_va_arg(name, list, ty),
            InstructionKind::Call(call) => self.write_call(name, call, &instruction.flags),
            InstructionKind::AtomicRmw {
                op,
                pointer,
                value,
                volatile,
            } => self.write_atomic_update(name, op, pointer, value, *volatile),
            InstructionKind::CompareExchange {
                pointer,
                expected,
                new,
                volatile,
                weak,
            } => {
                if *weak {
                    let text = "a weak atomic exchange fails only where the values differ, not spuriously";
                    self.unit.assumptions.insert(text.to_owned());
                }
                self.write_compare_exchange(name, pointer, expected, new, *volatile)
            }
            InstructionKind::Fence | InstructionKind::DebugValue { .. } => Ok(()),
            InstructionKind::DebugDeclare { address, .. } => {
                self.write_declaration(address);
                Ok(())
            }
            InstructionKind::Unknown { opcode, .. } => {
                let what = match &**opcode {
                    "indirectbr" => "computed goto",
                    "callbr" => "inline assembly with jumps",
                    other => return unsupported(format!("the LLVM instruction `{other}`")),
                };
                unsupported(what)
            }
            _ => unsupported("a terminator in the middle of a block"),
        }
    }

    /// A declaration is reached: a local without initial value is indeterminate again.
    fn write_declaration(&mut self, address: &Value) {
        let Value::Local(slot) = address else { return };
        let is_reset = self
            .declarations
            .get(&**slot)
            .is_some_and(super::locals::is_reset_by_declaration);
        match self.locals.get(&**slot).cloned() {
            Some(local) if is_reset => self.make_indeterminate(&local),
            None if is_reset => self.forget_contents(slot),
            _ => {}
        }
    }

    fn write_binary(
        &mut self,
        name: &'m str,
        (op, flags): (BinaryOp, &[Flag]),
        ty: &Type,
        left: &Value,
        right: &Value,
    ) -> Step<()> {
        let left = self.value(ty, left)?;
        let right = self.value(ty, right)?;
        let leaves = self.types.leaves(ty)?;
        let mut values = Vec::with_capacity(leaves.len());
        for ((a, b), leaf) in left.into_iter().zip(right).zip(&leaves) {
            let value = integer_operation(binary_op(op), leaf.ty, a.clone(), b.clone());
            values.push(self.operator_result(op, flags, leaf.ty, [&a, &b], value));
        }
        self.define(name, ty, values)
    }

    fn write_cast(
        &mut self,
        name: &'m str,
        (op, flags): (CastOp, &[Flag]),
        from: &Type,
        value: &Value,
        to: &Type,
    ) -> Step<()> {
        let operands = self.value(from, value)?;
        let mut values = convert(&self.types, op, from, operands.clone(), to)?;
        let (sources, targets) = (self.types.leaves(from)?, self.types.leaves(to)?);
        if operands.len() == values.len() {
            let pairs = operands.iter().zip(&sources).zip(values.iter_mut().zip(&targets));
            for ((operand, source), (value, target)) in pairs {
                *value = self.cast_result(op, flags, (source.ty, operand), (target.ty, value.clone()));
            }
        }
        self.define(name, to, values)
    }

    fn write_compare(
        &mut self,
        name: &'m str,
        (predicate, flags): (Predicate, &[Flag]),
        ty: &Type,
        left: &Value,
        right: &Value,
    ) -> Step<()> {
        let leaves = self.types.leaves(ty)?;
        let left = self.value(ty, left)?;
        let right = self.value(ty, right)?;
        let mut values = Vec::with_capacity(leaves.len());
        for ((a, b), leaf) in left.into_iter().zip(right).zip(&leaves) {
            let value = compare(predicate, leaf.ty, a.clone(), b.clone());
            values.push(self.comparison_result(flags, leaf.ty, [&a, &b], value));
        }
        let result = match self.types.resolve(ty) {
            Type::Vector(count, _) => Type::Vector(*count, std::sync::Arc::new(Type::Int(1))),
            _ => Type::Int(1),
        };
        self.define(name, &result, values)
    }

    /// Records a result that fast-math flags may make poison.
    pub fn define_float(&mut self, name: &'m str, ty: &Type, values: Vec<Expr>, flags: &[Flag]) -> Step<()> {
        if flags.is_empty() {
            return self.define(name, ty, values);
        }
        let types: Vec<Scalar> = self.types.leaves(ty)?.iter().map(|leaf| leaf.ty).collect();
        let values = self.float_results(flags, values, &types);
        self.define(name, ty, values)
    }
}

/// Arithmetic on truth values is done in eight bits; logic stays what it is.
fn integer_operation(op: Op, ty: Scalar, left: Expr, right: Expr) -> Expr {
    let is_logic = matches!(op, Op::And | Op::Or | Op::Xor);
    if ty != Scalar::BOOL || is_logic {
        return binary(op, left, right);
    }
    match op {
        Op::Add | Op::Sub => binary(Op::Xor, left, right),
        Op::Mul => binary(Op::And, left, right),
        _ => {
            let signed = matches!(op, Op::SDiv | Op::SRem | Op::AShr);
            let extend = if signed { Cast::SExt } else { Cast::ZExt };
            let wide = |value| cast(extend, value, Scalar::Int(8));
            cast(Cast::Trunc, binary(op, wide(left), wide(right)), Scalar::BOOL)
        }
    }
}
