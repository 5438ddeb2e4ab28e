//! Definite assignment: which reads of promoted variables may come before any write.
//!
//! Idea: forward dataflow over sets of certainly assigned variables; a declaration empties its variable
//! again, so that each iteration of a loop body starts afresh. Only variables with a doubtful read get
//! a shadow flag at run time.
//!
//! Source: Java Language Specification, chapter 16, whose rules this follows on the flow graph.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Function, InstructionKind, Value};

use super::cfg::Cfg;

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn empty(size: usize) -> Self {
        Bits(vec![0; size.div_ceil(64)])
    }

    fn full(size: usize) -> Self {
        Bits(vec![u64::MAX; size.div_ceil(64)])
    }

    fn set(&mut self, index: usize, value: bool) {
        let mask = 1 << (index % 64);
        if value {
            self.0[index / 64] |= mask;
        } else {
            self.0[index / 64] &= !mask;
        }
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn intersect(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, with) in self.0.iter_mut().zip(&other.0) {
            changed |= *word & !with != 0;
            *word &= with;
        }
        changed
    }
}

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
    let mut assigned_at_start = vec![Bits::full(slots.len()); function.blocks.len()];
    let mut doubtful = FxHashSet::default();
    if slots.is_empty() || function.blocks.is_empty() {
        return doubtful;
    }
    assigned_at_start[0] = Bits::empty(slots.len());
    let walk = |block: usize, state: &mut Bits, mut read: Option<&mut FxHashSet<&'m str>>| {
        for instruction in &function.blocks[block].instructions {
            match &instruction.kind {
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
                InstructionKind::Load {
                    pointer: Value::Local(name),
                    ..
                } => {
                    let is_used = instruction.result.as_deref().is_some_and(&is_used);
                    if let (Some(&number), Some(read), true) =
                        (numbers.get(&**name), read.as_deref_mut(), is_used)
                        && !state.has(number)
                    {
                        read.insert(slots[number]);
                    }
                }
                _ => {}
            }
        }
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &cfg.order {
            let mut state = assigned_at_start[block].clone();
            walk(block, &mut state, None);
            for &successor in &cfg.successors[block] {
                changed |= assigned_at_start[successor].intersect(&state);
            }
        }
    }
    for &block in &cfg.order {
        let mut state = assigned_at_start[block].clone();
        walk(block, &mut state, Some(&mut doubtful));
    }
    doubtful
}
