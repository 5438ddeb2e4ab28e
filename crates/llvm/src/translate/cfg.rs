//! The control-flow graph of an LLVM function.
//!
//! Invariant: a branch on a literal has both successors. clang writes such branches for checks whose
//! outcome it knows, and whether the check or what comes after it is translated is not decided here.

use kripke_graph::{Edge, components};
use rustc_hash::FxHashMap;

use crate::ir::{Block, Constant, Function, InstructionKind, Value};

/// Blocks by label, their successors and an order.
#[derive(Debug)]
pub struct Cfg<'m> {
    /// Position of each label in the function.
    pub index: FxHashMap<&'m str, usize>,
    /// Successors of each block, without repetition.
    pub successors: Vec<Vec<usize>>,
    /// The blocks that the entry reaches, in reverse postorder.
    pub order: Vec<usize>,
    /// Place of each block in `order`.
    pub rank: Vec<Option<usize>>,
    /// For each block that is entered from one block only: that block.
    pub only_predecessor: Vec<Option<usize>>,
    /// For each block: whether control can come from it back to it.
    pub is_repeated: Vec<bool>,
}

impl<'m> Cfg<'m> {
    /// The graph of a function with a body.
    pub fn new(function: &'m Function) -> Self {
        let labels = function.blocks.iter().enumerate();
        let index: FxHashMap<&str, usize> = labels.map(|(at, block)| (&*block.label, at)).collect();
        let successors: Vec<Vec<usize>> = function
            .blocks
            .iter()
            .map(|block| {
                let mut targets: Vec<usize> = successor_labels(block)
                    .into_iter()
                    .filter_map(|label| index.get(label).copied())
                    .collect();
                targets.sort_unstable();
                targets.dedup();
                targets
            })
            .collect();
        let order = reverse_postorder(&successors);
        let mut rank = vec![None; successors.len()];
        for (place, block) in order.iter().enumerate() {
            rank[*block] = Some(place);
        }
        let only_predecessor = only_predecessors(&successors);
        let is_repeated = repeated(&successors);
        Cfg {
            index,
            successors,
            order,
            rank,
            only_predecessor,
            is_repeated,
        }
    }
}

/// The literal truth value of an operand.
pub fn literal_condition(value: &Value) -> Option<bool> {
    match value {
        Value::Constant(Constant::Int(text)) => Some(matches!(&**text, "1" | "-1" | "true")),
        Value::Constant(Constant::Zero) => Some(false),
        _ => None,
    }
}

fn successor_labels(block: &Block) -> Vec<&str> {
    let Some(last) = block.instructions.last() else {
        return Vec::new();
    };
    match &last.kind {
        InstructionKind::Branch { target } => vec![target],
        InstructionKind::ConditionalBranch { then, otherwise, .. } => vec![then, otherwise],
        InstructionKind::Switch { default, cases, .. } => {
            let cases = cases.iter().map(|(_, label)| &**label);
            cases.chain([&**default]).collect()
        }
        _ => Vec::new(),
    }
}

/// The blocks of cycles.
fn repeated(successors: &[Vec<usize>]) -> Vec<bool> {
    let mut repeated = vec![false; successors.len()];
    let edge = |block: usize, position: usize| match successors[block].get(position) {
        Some(&to) => Edge::To(to),
        None => Edge::End,
    };
    for component in components(successors.len(), 0..successors.len(), edge) {
        let is_cycle = component.len() > 1 || successors[component[0]].contains(&component[0]);
        for block in component {
            repeated[block] = is_cycle;
        }
    }
    repeated
}

fn only_predecessors(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut entries = vec![0usize; successors.len()];
    let mut predecessor = vec![None; successors.len()];
    for (block, targets) in successors.iter().enumerate() {
        for &target in targets {
            entries[target] += 1;
            predecessor[target] = Some(block);
        }
    }
    for (block, entries) in entries.into_iter().enumerate() {
        // The first block is also entered from outside.
        if entries != 1 || block == 0 {
            predecessor[block] = None;
        }
    }
    predecessor
}

fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(successors.len());
    if successors.is_empty() {
        return order;
    }
    let mut seen = vec![false; successors.len()];
    seen[0] = true;
    let mut stack = vec![(0usize, 0usize)];
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&target) => {
                *next += 1;
                if !seen[target] {
                    seen[target] = true;
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
