//! Reaching definitions: which instructions may have written what a register holds.
//!
//! Idea: forward through each function. A call defines what its callees may change; what was defined before
//! it goes on if a callee may leave it alone. What registers hold when the function is entered, or jumped to
//! from another one, is a definition of its own.
//!
//! Invariant: the value in a register was written last by one of the definitions that reach the instruction.
//! It rests on what [`crate::live::Liveness`] says that it rests on.

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::{Cfg, Node};
use crate::instruction::Operation as Op;
use crate::live::{Liveness, use_of};

/// What has written a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Definition {
    /// Who called the function, or jumped into it.
    Entry,
    /// The instruction at a word address.
    Instruction(u32),
    /// What the instruction at a word address calls.
    Call(u32),
    /// A handler of an interrupt.
    Interrupt,
}

/// The definitions that reach an instruction, by register.
type Reaching = BTreeSet<(u8, Definition)>;

/// The definitions that reach the instructions of a function.
#[derive(Debug, Clone)]
pub struct Definitions {
    before: BTreeMap<u32, Reaching>,
}

impl Definitions {
    /// Those of a function, by its index in the graph.
    #[must_use]
    pub fn new(cfg: &Cfg, liveness: &Liveness, function: usize) -> Self {
        let blocks = cfg.functions[function].blocks.iter();
        let places: BTreeSet<u32> = blocks
            .flat_map(|block| cfg.blocks[*block].locations.clone())
            .collect();
        let changed = changed_by_handlers(cfg, liveness);
        let mut before: BTreeMap<u32, Reaching> = BTreeMap::new();
        let mut open: BTreeSet<u32> = BTreeSet::new();
        for at in &places {
            let mut from = cfg.nodes[at].predecessors.iter();
            let is_entered =
                *at == cfg.functions[function].entry || from.any(|(from, _)| !places.contains(from));
            if is_entered || cfg.nodes[at].predecessors.is_empty() {
                let entry = (0..32).map(|register| (register, Definition::Entry));
                before.entry(*at).or_default().extend(entry);
                open.insert(*at);
            }
        }
        while let Some(at) = open.pop_first() {
            let node = &cfg.nodes[&at];
            let mut reaching = before.get(&at).cloned().unwrap_or_default();
            if liveness.foresees_interrupt(at) {
                reaching.extend(numbers(changed).map(|register| (register, Definition::Interrupt)));
            }
            define(at, node, liveness, &mut reaching);
            for (to, _) in node.successors.iter().filter(|(to, _)| places.contains(to)) {
                let known = before.entry(*to).or_default();
                let count = known.len();
                known.extend(&reaching);
                if known.len() > count {
                    open.insert(*to);
                }
            }
        }
        Self { before }
    }

    /// The definitions of a register that reach the instruction at a word address, ascending.
    pub fn of(&self, at: u32, register: u8) -> impl Iterator<Item = Definition> {
        let reaching = self.before.get(&at).into_iter().flatten();
        reaching.filter_map(move |(number, definition)| (*number == register).then_some(*definition))
    }
}

fn numbers(registers: u32) -> impl Iterator<Item = u8> {
    (0..32).filter(move |number| registers >> number & 1 == 1)
}

fn changed_by_handlers(cfg: &Cfg, liveness: &Liveness) -> u32 {
    let handlers = cfg.flow.handlers.iter();
    let uses = handlers.map(|(_, word)| liveness.handler_reads(*word));
    uses.fold(0, |all, found| {
        all | found.map_or(u32::MAX, |found| found.changes)
    })
}

/// What an instruction does to what reaches it.
fn define(at: u32, node: &Node, liveness: &Liveness, reaching: &mut Reaching) {
    let is_call = matches!(node.instruction.operation, Op::Call | Op::Rcall | Op::Icall);
    if is_call && !node.calls.is_empty() {
        let (mut changes, mut keeps) = (0, 0);
        for callee in &node.calls {
            let found = liveness.function_use(*callee);
            changes |= found.map_or(u32::MAX, |found| found.changes);
            keeps |= found.map_or(u32::MAX, |found| !found.overwrites);
        }
        reaching.retain(|(register, _)| keeps >> register & 1 == 1);
        reaching.extend(numbers(changes).map(|register| (register, Definition::Call(at))));
        return;
    }
    let writes = use_of(&node.instruction).writes;
    reaching.retain(|(register, _)| writes >> register & 1 == 0);
    reaching.extend(numbers(writes).map(|register| (register, Definition::Instruction(at))));
}
