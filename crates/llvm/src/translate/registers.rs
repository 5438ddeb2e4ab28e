//! Which objects are registers: those that are accessed as `volatile` and that nothing in the program
//! defines.
//!
//! Idea: LLVM IR says of an access that it is volatile, not of an object, and clang describes no object that
//! is only declared. So an undefined object is a register when some access anywhere names it and is
//! volatile; what only pointers reach is decided at each access by the engines.
//!
//! Source: C11 6.7.3 paragraph 7.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Constant, Function, InstructionKind, Module, Value};

use super::Translator;

/// The names of globals that some access of the program calls volatile.
pub type VolatileNames<'m> = FxHashSet<&'m str>;

impl Translator<'_> {
    /// Is an object that the program does not define a register?
    pub fn is_register(&mut self, name: &str) -> bool {
        if self.options.volatile_memory {
            return false;
        }
        let modules = self.modules;
        let names = self.registers.get_or_insert_with(|| volatile_names(modules));
        names.contains(name)
    }
}

fn volatile_names(modules: &[Module]) -> VolatileNames<'_> {
    let mut names = FxHashSet::default();
    for function in modules.iter().flat_map(|module| &module.functions) {
        let mut places: Option<FxHashMap<&str, &Value>> = None;
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            for pointer in volatile_pointers(&instruction.kind) {
                let places = places.get_or_insert_with(|| derived_pointers(function));
                names.extend(root(pointer, places));
            }
        }
    }
    names
}

/// The pointers through which an instruction makes volatile accesses.
fn volatile_pointers(kind: &InstructionKind) -> Vec<&Value> {
    match kind {
        InstructionKind::Load {
            pointer,
            volatile: true,
            ..
        }
        | InstructionKind::Store {
            pointer,
            volatile: true,
            ..
        } => vec![pointer],
        InstructionKind::AtomicRmw {
            pointer,
            volatile: true,
            ..
        }
        | InstructionKind::CompareExchange {
            pointer,
            volatile: true,
            ..
        } => vec![&pointer.1],
        InstructionKind::Call(call) => {
            let is_copy = match &call.callee {
                Value::Constant(Constant::Global(name)) => name.starts_with("llvm.mem"),
                _ => false,
            };
            match &call.arguments[..] {
                [target, source, _, volatile, ..] if is_copy && is_true(&volatile.value) => {
                    vec![&target.value, &source.value]
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn is_true(value: &Value) -> bool {
    super::cfg::literal_condition(value) == Some(true)
}

/// For each pointer that is computed from another: that one.
pub fn derived_pointers(function: &Function) -> FxHashMap<&str, &Value> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let derived = instructions.filter_map(|instruction| {
        let from = match &instruction.kind {
            InstructionKind::GetElementPointer { base, .. } => &base.1,
            InstructionKind::Cast { value, .. } => value,
            _ => return None,
        };
        Some((instruction.result.as_deref()?, from))
    });
    derived.collect()
}

/// The global that a pointer is computed from.
pub fn root<'m>(pointer: &'m Value, places: &FxHashMap<&'m str, &'m Value>) -> Option<&'m str> {
    let mut at = pointer;
    for _ in 0..=places.len() {
        match at {
            Value::Local(name) => at = places.get(&**name)?,
            Value::Constant(constant) => return constant.global().map(|name| &**name),
            _ => return None,
        }
    }
    None
}
