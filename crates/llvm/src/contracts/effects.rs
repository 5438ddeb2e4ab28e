//! Whether the expression of an invariant changes anything.
//!
//! Idea: it may read, compute, report undefined behaviour, and write what is its own: objects that nothing
//! else uses, such as a structure returned by value. Functions that it calls may do the same, and they must
//! have a body in the same file, or be known not to write.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ir::{Block, Function, Instruction, InstructionKind, Linkage, Module, Type, Value};
use crate::translate::cfg::Cfg;
use crate::translate::operands::for_each_operand;

use super::flow::Flow;
use super::functions::takes_clause;
use super::region::{At, Region};
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

/// The first instruction of a wrapper's clauses that changes something, and what. What the wrapper keeps for
/// the call is not theirs.
pub(super) fn of_clauses<'m>(
    module: &Module,
    wrapper: &'m Function,
    clauses: &FxHashSet<At>,
) -> Option<(&'m Instruction, String)> {
    let own = own_objects(wrapper, clauses, FxHashSet::default());
    let mut clauses: Vec<&At> = clauses.iter().collect();
    clauses.sort();
    let instructions = clauses
        .into_iter()
        .map(|(block, at)| &wrapper.blocks[*block].instructions[*at]);
    let mut found = instructions.filter_map(|instruction| {
        let is_check = callee(&instruction.kind).is_some_and(takes_clause);
        let what = effect(module, instruction, &own, &mut BTreeSet::new(), 0)?;
        (!is_check).then(|| (instruction, format!("has a side effect: it {what}")))
    });
    found.next()
}

/// Do these instructions of a function have loops among them, or call what has some or is recursive? Then
/// nothing says that they end. Loops through other `blocks` than those given are not theirs.
pub(super) fn may_run_on(
    module: &Module,
    function: &Function,
    inside: &FxHashSet<At>,
    blocks: &BTreeSet<usize>,
) -> bool {
    let flow = Flow::new(function);
    let others: Vec<usize> = (0..function.blocks.len())
        .filter(|block| !blocks.contains(block))
        .collect();
    let mut calls = inside.iter().filter_map(|(block, at)| {
        let instruction = &function.blocks[*block].instructions[*at];
        callee(&instruction.kind)
    });
    blocks.iter().any(|block| flow.repeats_without(*block, &others))
        || calls.any(|name| call_may_run_on(module, name, &mut Vec::new()))
}

/// Does a function have loops, or recursion, or call what has?
fn call_may_run_on<'m>(module: &'m Module, name: &str, callers: &mut Vec<&'m str>) -> bool {
    let Some(function) = defined(module, name) else {
        return false;
    };
    if callers.contains(&&*function.name) || callers.len() >= DEPTH {
        return true;
    }
    callers.push(&function.name);
    let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let may = Cfg::new(function).is_repeated.contains(&true)
        || instructions.any(|instruction| {
            callee(&instruction.kind).is_some_and(|name| call_may_run_on(module, name, callers))
        });
    callers.pop();
    may
}

/// The functions that these instructions of a function call, also through others, that could be others where
/// the program's other modules are known: those of the C library, and those that can be replaced. Each with
/// the instruction that leads there.
pub(super) fn open_calls<'m>(
    module: &'m Module,
    function: &'m Function,
    inside: &FxHashSet<At>,
) -> Vec<(&'m Instruction, &'m str)> {
    let mut inside: Vec<&At> = inside.iter().collect();
    inside.sort();
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for (block, at) in inside {
        let instruction = &function.blocks[*block].instructions[*at];
        let mut called: Vec<&str> = callee(&instruction.kind).into_iter().collect();
        while let Some(name) = called.pop() {
            if !seen.insert(name) {
                continue;
            }
            let body = defined(module, name);
            if body.is_none_or(|body| !is_final(body.linkage)) {
                open.push((instruction, name));
            }
            let blocks = body.map_or(&[][..], |body| &body.blocks);
            let instructions = blocks.iter().flat_map(|block| &block.instructions);
            called.extend(instructions.filter_map(|instruction| callee(&instruction.kind)));
        }
    }
    open
}

/// Is a definition the one that is called, whatever other modules define?
fn is_final(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::External | Linkage::Internal | Linkage::Private)
}

/// The function of a name, where the module has its body.
fn defined<'m>(module: &'m Module, name: &str) -> Option<&'m Function> {
    let mut all = module.functions.iter();
    all.find(|function| *function.name == *name && !function.blocks.is_empty())
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
            // A program may have functions of these names itself.
            let is_reader = || READERS.contains(&name) && defined(module, name).is_none();
            match is_harmless || is_reader() {
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
    let Some(function) = defined(module, name).filter(|_| depth < DEPTH) else {
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
    inside: &FxHashSet<At>,
    mut own: FxHashSet<Arc<str>>,
) -> FxHashSet<Arc<str>> {
    let mut used_elsewhere: FxHashSet<Arc<str>> = FxHashSet::default();
    let lives = only_about_lives(function);
    for (block, code) in function.blocks.iter().enumerate() {
        for (at, instruction) in code.instructions.iter().enumerate() {
            if let (InstructionKind::Alloca { .. }, Some(name)) = (&instruction.kind, &instruction.result) {
                own.insert(name.clone());
            }
            if inside.contains(&(block, at)) || lives.contains(&(block, at)) {
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

/// The instructions that only say when lives begin and end, and the casts that are made for these alone: no
/// use of an object.
fn only_about_lives(function: &Function) -> FxHashSet<At> {
    let mut lives = FxHashSet::default();
    let mut used: FxHashSet<Arc<str>> = FxHashSet::default();
    for (block, code) in function.blocks.iter().enumerate() {
        for (at, instruction) in code.instructions.iter().enumerate() {
            if callee(&instruction.kind).is_some_and(|name| name.starts_with("llvm.lifetime.")) {
                lives.insert((block, at));
                continue;
            }
            for_each_operand(&instruction.kind, |value| {
                if let Value::Local(name) = value {
                    used.insert(name.clone());
                }
            });
        }
    }
    for (block, code) in function.blocks.iter().enumerate() {
        for (at, instruction) in code.instructions.iter().enumerate() {
            let is_cast = matches!(instruction.kind, InstructionKind::Cast { .. });
            if is_cast
                && instruction
                    .result
                    .as_ref()
                    .is_some_and(|name| !used.contains(name))
            {
                lives.insert((block, at));
            }
        }
    }
    lives
}
