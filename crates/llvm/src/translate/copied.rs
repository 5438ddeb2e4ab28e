//! Which global objects may hold bytes that nobody has written, because such bytes are copied into them.
//!
//! Idea: a global object starts as zeros, and what an assignment reads is checked where it is read. Only a
//! copy (`memcpy`, or the assignment of a struct) brings unwritten bytes along. So reading a global by its
//! name is checked where some copy names that global as its target, unless the source is a global without
//! such bytes.
//!
//! Copies through a pointer into a global are not seen here: docs/limits.md says so.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Constant, Function, InstructionKind, Module, Value};

use super::Translator;
use super::registers::{derived_pointers, root};

/// The names of globals that may hold unwritten bytes.
pub type CopiedNames<'m> = FxHashSet<&'m str>;

/// A copy's target, and its source where that is a global too.
type Copy<'m> = (&'m str, Option<&'m str>);

impl Translator<'_> {
    /// Can unwritten bytes be copied into the global of that name?
    pub fn is_copied_into(&mut self, name: &str) -> bool {
        let modules = self.modules;
        let names = self.copied.get_or_insert_with(|| copied_names(modules));
        names.contains(name)
    }
}

fn copied_names(modules: &[Module]) -> CopiedNames<'_> {
    let functions = modules.iter().flat_map(|module| &module.functions);
    let copies: Vec<Copy> = functions.flat_map(copies).collect();
    let mut names = FxHashSet::default();
    loop {
        let before = names.len();
        for (target, source) in &copies {
            if source.is_none_or(|source| names.contains(source)) {
                names.insert(*target);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

fn copies(function: &Function) -> Vec<Copy<'_>> {
    let mut places: Option<FxHashMap<&str, &Value>> = None;
    let mut copies = Vec::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let InstructionKind::Call(call) = &instruction.kind else {
            continue;
        };
        let Value::Constant(Constant::Global(callee)) = &call.callee else {
            continue;
        };
        let [target, source, ..] = &call.arguments[..] else {
            continue;
        };
        if callee.contains("memcpy") || callee.contains("memmove") {
            let places = places.get_or_insert_with(|| derived_pointers(function));
            if let Some(target) = root(&target.value, places) {
                copies.push((target, root(&source.value, places)));
            }
        }
    }
    copies
}
