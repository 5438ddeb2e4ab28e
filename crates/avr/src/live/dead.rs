//! Dead stores: instructions whose result nobody uses.
//!
//! Invariant: an instruction that is named here could be left out, and nothing but time would change. What
//! reads I/O registers or memory is no such instruction, as reading can have an effect.

use super::{Bits, LiveMemory, Liveness, needed, use_of};
use crate::cfg::{Cfg, Node};
use crate::instruction::Operation as Op;

/// A result that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadStore {
    /// In registers or flags.
    Registers,
    /// In a byte of static memory.
    Memory(u16),
}

/// The dead stores of a program, by word address.
#[must_use]
pub fn dead_stores(cfg: &Cfg, liveness: &Liveness, memory: &LiveMemory) -> Vec<(u32, DeadStore)> {
    if liveness.why_incomplete().is_some() {
        return Vec::new();
    }
    let nodes = cfg.nodes.iter();
    nodes
        .filter_map(|(at, node)| Some((*at, dead_store(node, liveness, memory)?)))
        .collect()
}

fn dead_store(node: &Node, liveness: &Liveness, memory: &LiveMemory) -> Option<DeadStore> {
    let instruction = &node.instruction;
    match instruction.operation {
        Op::Sts => {
            let at = instruction.k as u16;
            let mut behind = node.successors.iter();
            let is_dead = !behind.any(|(to, _)| memory.is_live(*to, at));
            (is_dead && !node.successors.is_empty()).then_some(DeadStore::Memory(at))
        }
        // These read what may change by that, or do more than write registers.
        Op::Ld | Op::Lds | Op::In | Op::Pop | Op::Elpm => None,
        _ => {
            let written = use_of(instruction);
            if written.writes == 0 && written.writes_flags == 0 {
                return None;
            }
            let mut behind = Bits::NONE;
            for (to, _) in &node.successors {
                behind.add(&liveness.live_bits(*to));
            }
            // Without its results, an instruction that only computes needs nothing.
            let mut kept = behind;
            kept.remove(&Bits::whole(written.writes, written.writes_flags));
            let is_dead = kept == behind && needed(instruction, &Bits::NONE) == Bits::NONE;
            (is_dead && !node.successors.is_empty()).then_some(DeadStore::Registers)
        }
    }
}
