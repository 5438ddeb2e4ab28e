//! Whether the expression of an invariant changes anything.
//!
//! Idea: it may read, compute, report undefined behaviour, and write what is its own: objects that nothing
//! else uses, such as a structure returned by value. Functions that it calls may do the same, and they must
//! have a body in the same file, or be known not to write.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ir::{Block, Function, Instruction, InstructionKind, Module, Type, Value};
use crate::translate::operands::for_each_operand;

use super::region::Region;
use super::{Refusal, callee, takes_value};

/// How deep calls are followed.
const DEPTH: usize = 64;

/// Functions of the C library that only read, whether they have a model here or not.
const READERS: &[&str] = &[
    "abs", "bcmp", "ceil", "ceilf", "fabs", "fabsf", "floor", "floorf", "fmax", "fmaxf", "fmin", "fminf",
    "isalnum", "isalpha", "isdigit", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit",
    "labs", "llabs", "memchr", "memcmp", "round", "roundf", "sqrt", "sqrtf", "strchr", "strcmp", "strlen",
    "strncmp", "strnlen", "strrchr", "strstr", "tolower", "toupper", "trunc", "truncf",
];
/// Intrinsics that write, copy or end lives: what they write must be the expression's own.
const WRITERS: [&str; 5] = [
    "llvm.memcpy",
    "llvm.memset",
    "llvm.memmove",
    "llvm.lifetime.",
    "llvm.va_",
];

/// Refuses an expression that changes something.
pub(super) fn check(module: &Module, function: &Function, region: &Region) -> Result<(), Refusal> {
    let inside = region.instructions(function);
    let own = own_objects(function, &inside.iter().copied().collect(), FxHashSet::default());
    let instructions: Vec<&Instruction> = inside
        .iter()
        .map(|(block, at)| &function.blocks[*block].instructions[*at])
        .collect();
    let begin = instructions[0].result.as_deref().unwrap_or_default();
    let expression = instructions[1..]
        .iter()
        .filter(|instruction| takes_value(&instruction.kind, begin).is_none());
    let mut callers = BTreeSet::new();
    for instruction in expression {
        effect(module, instruction, &own, &mut callers, 0)
            .map_or(Ok(()), |what| Err(format!("has a side effect: it {what}")))?;
    }
    Ok(())
}

/// The instructions of the function of a contract that change something, and what; the call of the function
/// itself may be one of them.
pub(super) fn of_wrapper<'m>(module: &Module, wrapper: &'m Function) -> Vec<(&'m Instruction, String)> {
    let own = own_objects_of_function(wrapper);
    let blocks = wrapper.blocks.iter();
    let instructions = blocks.flat_map(|block: &Block| &block.instructions);
    let found = instructions.filter_map(|instruction| {
        let is_check = callee(&instruction.kind).is_some_and(|name| name.starts_with("__kripke_"));
        let what = effect(module, instruction, &own, &mut BTreeSet::new(), 0)?;
        (!is_check).then_some((instruction, what))
    });
    found.collect()
}

/// What an instruction changes, where it changes something.
fn effect(
    module: &Module,
    instruction: &Instruction,
    own: &FxHashSet<Arc<str>>,
    callers: &mut BTreeSet<Arc<str>>,
    depth: usize,
) -> Option<String> {
    let is_own = |value: &Value| matches!(value, Value::Local(name) if own.contains(name));
    let writes = || Some("writes to an object".to_owned());
    match &instruction.kind {
        InstructionKind::Store {
            pointer, volatile, ..
        } if !is_own(pointer) || *volatile => writes(),
        InstructionKind::Load { volatile: true, .. } => Some("reads a volatile object".to_owned()),
        InstructionKind::AtomicRmw { .. } | InstructionKind::CompareExchange { .. } => writes(),
        InstructionKind::VaArg { .. } | InstructionKind::Fence | InstructionKind::Unknown { .. } => {
            Some("does more than compute".to_owned())
        }
        InstructionKind::Call(call) => {
            let Some(name) = callee(&instruction.kind) else {
                return Some("calls a function through a pointer, or assembly".to_owned());
            };
            if WRITERS.iter().any(|prefix| name.starts_with(prefix)) {
                let target = call
                    .arguments
                    .iter()
                    .find(|argument| matches!(argument.ty, Type::Pointer(_)));
                return match target.is_some_and(|target| is_own(&target.value)) {
                    true => None,
                    false => writes(),
                };
            }
            if call
                .arguments
                .iter()
                .any(|argument| argument.sret.is_some() && !is_own(&argument.value))
            {
                return writes();
            }
            let is_harmless = name.starts_with("llvm.") || name.starts_with("__ubsan_handle_");
            match is_harmless || READERS.contains(&name) {
                true => None,
                false => effect_of_call(module, name, callers, depth),
            }
        }
        _ => None,
    }
}

/// What a call of a function changes, where it changes something.
fn effect_of_call(
    module: &Module,
    name: &str,
    callers: &mut BTreeSet<Arc<str>>,
    depth: usize,
) -> Option<String> {
    let defined = module.functions.iter().find(|function| *function.name == *name);
    let Some(function) = defined.filter(|function| !function.blocks.is_empty() && depth < DEPTH) else {
        return Some(format!("calls `{name}`, of which nothing is known here"));
    };
    if !callers.insert(function.name.clone()) {
        return None;
    }
    let own = own_objects_of_function(function);
    let instructions = function
        .blocks
        .iter()
        .flat_map(|block: &Block| &block.instructions);
    let what = instructions
        .into_iter()
        .find_map(|instruction| effect(module, instruction, &own, callers, depth + 1))?;
    Some(format!("calls `{name}`, which {what}"))
}

/// The local objects of a function, and what it gets to write to.
fn own_objects_of_function(function: &Function) -> FxHashSet<Arc<str>> {
    let everywhere = function.blocks.iter().enumerate().flat_map(|(index, block)| {
        let positions = 0..block.instructions.len();
        positions.map(move |at| (index, at))
    });
    let parameters = function.parameters.iter();
    // The caller looks after what a structure is returned in.
    let given = parameters.filter(|parameter| parameter.sret.is_some() || parameter.byval.is_some());
    let given = given.map(|parameter| parameter.name.clone()).collect();
    own_objects(function, &everywhere.collect(), given)
}

/// The local objects that only these instructions use, those given, and the pointers into them.
fn own_objects(
    function: &Function,
    inside: &FxHashSet<(usize, usize)>,
    mut own: FxHashSet<Arc<str>>,
) -> FxHashSet<Arc<str>> {
    let mut used_elsewhere: FxHashSet<Arc<str>> = FxHashSet::default();
    for (block, code) in function.blocks.iter().enumerate() {
        for (at, instruction) in code.instructions.iter().enumerate() {
            if let (InstructionKind::Alloca { .. }, Some(name)) = (&instruction.kind, &instruction.result) {
                own.insert(name.clone());
            }
            if inside.contains(&(block, at)) {
                continue;
            }
            for_each_operand(&instruction.kind, |value| {
                if let Value::Local(name) = value {
                    used_elsewhere.insert(name.clone());
                }
            });
        }
    }
    own.retain(|name| !used_elsewhere.contains(name));
    // Pointers are made before they are used, but blocks may stand in any order.
    loop {
        let before = own.len();
        for (block, code) in function.blocks.iter().enumerate() {
            for (at, instruction) in code.instructions.iter().enumerate() {
                let base = match &instruction.kind {
                    InstructionKind::GetElementPointer { base, .. } => &base.1,
                    InstructionKind::Cast { value, .. } => value,
                    _ => continue,
                };
                if inside.contains(&(block, at))
                    && matches!(base, Value::Local(name) if own.contains(name))
                    && let Some(name) = &instruction.result
                {
                    own.insert(name.clone());
                }
            }
        }
        if own.len() == before {
            return own;
        }
    }
}
