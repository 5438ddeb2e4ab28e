//! Walking over the operands of an instruction.

use crate::ir::{InstructionKind, Value};

/// Calls `visit` with every operand that is a value (labels and metadata are none).
pub fn for_each_operand<'i>(kind: &'i InstructionKind, mut visit: impl FnMut(&'i Value)) {
    match kind {
        InstructionKind::Alloca { count, .. } => {
            if let Some((_, count)) = count {
                visit(count);
            }
        }
        InstructionKind::Load { pointer, .. } => visit(pointer),
        InstructionKind::Store { value, pointer, .. } => {
            visit(value);
            visit(pointer);
        }
        InstructionKind::GetElementPointer { base, indices, .. } => {
            visit(&base.1);
            indices.iter().for_each(|index| visit(&index.1));
        }
        InstructionKind::Binary { left, right, .. } | InstructionKind::Compare { left, right, .. } => {
            visit(left);
            visit(right);
        }
        InstructionKind::FNeg { value, .. }
        | InstructionKind::Cast { value, .. }
        | InstructionKind::Freeze { value, .. } => visit(value),
        InstructionKind::Select {
            condition,
            then,
            otherwise,
        } => [condition, then, otherwise]
            .into_iter()
            .for_each(|value| visit(&value.1)),
        InstructionKind::Phi { incoming, .. } => incoming.iter().for_each(|(value, _)| visit(value)),
        InstructionKind::ExtractValue { aggregate, .. } => visit(&aggregate.1),
        InstructionKind::InsertValue { aggregate, value, .. } => {
            visit(&aggregate.1);
            visit(&value.1);
        }
        InstructionKind::ExtractElement { vector, index } => {
            visit(&vector.1);
            visit(&index.1);
        }
        InstructionKind::InsertElement { vector, value, index } => {
            [vector, value, index]
                .into_iter()
                .for_each(|value| visit(&value.1));
        }
        InstructionKind::ShuffleVector { left, right, mask } => {
            [left, right, mask].into_iter().for_each(|value| visit(&value.1));
        }
        InstructionKind::VaArg { list, .. } => visit(&list.1),
        InstructionKind::Call(call) => {
            visit(&call.callee);
            call.arguments.iter().for_each(|argument| visit(&argument.value));
        }
        InstructionKind::AtomicRmw { pointer, value, .. } => {
            visit(&pointer.1);
            visit(&value.1);
        }
        InstructionKind::CompareExchange {
            pointer,
            expected,
            new,
            ..
        } => [pointer, expected, new]
            .into_iter()
            .for_each(|value| visit(&value.1)),
        InstructionKind::Return(Some(value)) => visit(&value.1),
        InstructionKind::ConditionalBranch { condition, .. } => visit(condition),
        InstructionKind::Switch { value, .. } => visit(&value.1),
        InstructionKind::DebugDeclare { .. }
        | InstructionKind::DebugValue { .. }
        | InstructionKind::Fence
        | InstructionKind::Return(None)
        | InstructionKind::Branch { .. }
        | InstructionKind::Unreachable
        | InstructionKind::Unknown { .. } => {}
    }
}
