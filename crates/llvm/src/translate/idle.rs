//! Functions that do nothing, as far as the rest of a program can tell.
//!
//! Idea: only what is beyond doubt counts. A body of anything but jumps and instructions without effect, a
//! load or a comparison even, is one that does something; so no condition depends on anything, and the path
//! through the body is known.

use std::collections::BTreeSet;

use kripke_elts::interrupts::{AssemblyEffect, effects_of_assembly, instructions_of_assembly};

use crate::ir::{Block, Constant, Function, Instruction, InstructionKind, Value};

use super::calls::{effect_of_call, global_name, parts_of_assembly};

/// What a function is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It does nothing.
    Idle(Idle),
    /// It is a jump to the function of this name.
    Jumps(String),
    /// Anything else.
    Other,
}

/// How doing nothing ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Not at all.
    Loops,
    /// By a return.
    Returns,
}

/// What a function is like.
pub fn shape_of(function: &Function, triple: &str) -> Shape {
    if let Some(shape) = naked(function, triple) {
        return shape;
    }
    let mut seen = BTreeSet::new();
    let Some(mut block) = function.blocks.first() else {
        return Shape::Other;
    };
    loop {
        if !seen.insert(&block.label) {
            return Shape::Idle(Idle::Loops);
        }
        let Some((last, rest)) = block.instructions.split_last() else {
            return Shape::Other;
        };
        for instruction in rest {
            if stays(instruction, triple) {
                return Shape::Idle(Idle::Loops);
            }
            if !is_idle(instruction, triple) {
                return Shape::Other;
            }
        }
        let next = match &last.kind {
            InstructionKind::Return(None) => return Shape::Idle(Idle::Returns),
            InstructionKind::Branch { target } => target,
            InstructionKind::ConditionalBranch {
                condition: Value::Constant(condition),
                then,
                otherwise,
            } => match condition {
                Constant::Int(digits) if **digits == *"0" => otherwise,
                Constant::Int(_) => then,
                _ => return Shape::Other,
            },
            _ => return Shape::Other,
        };
        let Some(target) = function.blocks.iter().find(|block| block.label == *next) else {
            return Shape::Other;
        };
        block = target;
    }
}

/// A body that is one instruction of its own, without what a compiler puts before and behind.
fn naked(function: &Function, triple: &str) -> Option<Shape> {
    let [Block { instructions, .. }] = &function.blocks[..] else {
        return None;
    };
    let [first, end] = &instructions[..] else {
        return None;
    };
    if !matches!(end.kind, InstructionKind::Unreachable) {
        return None;
    }
    let instruction = only_instruction(first, triple)?;
    match instruction.split_whitespace().collect::<Vec<_>>()[..] {
        ["reti"] => Some(Shape::Idle(Idle::Returns)),
        ["jmp" | "rjmp" | "b" | "b.n" | "b.w", name] if name != "." => Some(Shape::Jumps(name.to_owned())),
        _ => None,
    }
}

/// The template of an instruction that is inline assembly.
pub fn assembly(instruction: &Instruction) -> Option<&str> {
    match &instruction.kind {
        InstructionKind::Call(call) => match &call.callee {
            Value::InlineAssembly(text) => Some(parts_of_assembly(text).0),
            _ => None,
        },
        _ => None,
    }
}

/// The instruction of inline assembly that has no other.
fn only_instruction(instruction: &Instruction, triple: &str) -> Option<String> {
    let instructions = instructions_of_assembly(assembly(instruction)?, triple)?;
    <[String; 1]>::try_from(instructions).ok().map(|[only]| only)
}

/// Is it a jump to itself?
fn stays(instruction: &Instruction, triple: &str) -> bool {
    let only = only_instruction(instruction, triple).unwrap_or_default();
    let words: Vec<&str> = only.split_whitespace().collect();
    matches!(words[..], ["b" | "b.n" | "b.w" | "rjmp", "."])
}

/// Is it a stop for a debugger? Without one it is a fault of its own.
fn stops(instruction: &Instruction, triple: &str) -> bool {
    let only = only_instruction(instruction, triple).unwrap_or_default();
    let only = only.to_ascii_lowercase();
    let words: Vec<&str> = only.split_whitespace().collect();
    match words[..] {
        ["bkpt"] => true,
        ["bkpt", number] => number
            .trim_start_matches('#')
            .bytes()
            .all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

fn is_idle(instruction: &Instruction, triple: &str) -> bool {
    let is_nothing =
        |effect: &AssemblyEffect| matches!(effect, AssemblyEffect::Nothing | AssemblyEffect::Waits);
    if let Some(template) = assembly(instruction) {
        let effects = effects_of_assembly(template, triple);
        return stops(instruction, triple) || effects.is_some_and(|effects| effects.iter().all(is_nothing));
    }
    match &instruction.kind {
        InstructionKind::DebugDeclare { .. } | InstructionKind::DebugValue { .. } => true,
        InstructionKind::Call(call) => match &call.callee {
            Value::Constant(callee) => global_name(callee).is_some_and(|name| {
                name.starts_with("llvm.dbg.") || effect_of_call(name, call).as_ref().is_some_and(is_nothing)
            }),
            _ => false,
        },
        _ => false,
    }
}
