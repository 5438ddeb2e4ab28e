//! Definite assignment: which reads of promoted variables may come before any write.
//!
//! Idea: forward dataflow over sets of certainly assigned variables; a declaration empties its variable
//! again, so that each iteration of a loop body starts afresh. Only variables with a doubtful read get
//! a shadow flag at run time.
//!
//! Source: Java Language Specification, chapter 16, whose rules this follows on the flow graph.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Function, Instruction, InstructionKind, Value};

use super::cfg::Cfg;
use super::must_flow::{Bits, certain_at_start};

/// The slots among `slots` that a load may read before they were stored to. `resets` are those whose
/// declaration makes them indeterminate. A load whose result nobody uses reads nothing.
pub fn doubtful_slots<'m>(
    function: &'m Function,
    cfg: &Cfg<'m>,
    slots: &[&'m str],
    resets: &FxHashSet<&str>,
    is_used: impl Fn(&str) -> bool,
) -> FxHashSet<&'m str> {
    let numbers: FxHashMap<&str, usize> = slots.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let mut doubtful = FxHashSet::default();
    if slots.is_empty() || function.blocks.is_empty() {
        return doubtful;
    }
    let assign = |instruction: &Instruction, state: &mut Bits| match &instruction.kind {
        InstructionKind::Store {
            pointer: Value::Local(name),
            ..
        } => {
            if let Some(&number) = numbers.get(&**name) {
                state.set(number, true);
            }
        }
        InstructionKind::DebugDeclare {
            address: Value::Local(name),
            ..
        } => {
            if let Some(&number) = numbers.get(&**name)
                && resets.contains(&**name)
            {
                state.set(number, false);
            }
        }
        _ => {}
    };
    let assigned_at_start = certain_at_start(function, cfg, slots.len(), assign);
    for &block in &cfg.order {
        let mut state = assigned_at_start[block].clone();
        for instruction in &function.blocks[block].instructions {
            if let InstructionKind::Load {
                pointer: Value::Local(name),
                ..
            } = &instruction.kind
                && let Some(&number) = numbers.get(&**name)
                && instruction.result.as_deref().is_some_and(&is_used)
                && !state.has(number)
            {
                doubtful.insert(slots[number]);
            }
            assign(instruction, &mut state);
        }
    }
    doubtful
}
