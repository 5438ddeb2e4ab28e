//! The instructions of an invariant, from its first marker to the call that takes its value, and how they
//! move.
//!
//! Invariant: control enters a region only at its beginning and leaves it only at its end (or ends in a
//! report of undefined behaviour); no value made in it is used outside.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Block, Constant, Function, Instruction, InstructionKind, Value};
use crate::translate::operands::for_each_operand;

use super::flow::Flow;
use super::{CHECK, Refusal, takes_value};

/// Where an instruction stands: the block, and its position in it.
pub(super) type At = (usize, usize);

/// The instructions of an invariant.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The first marker.
    pub begin: At,
    /// The call that takes the value.
    pub end: At,
    /// The blocks between those of both, where these differ.
    pub inner: BTreeSet<usize>,
}

impl Region {
    /// The region that begins with a marker of that name.
    pub fn find(function: &Function, flow: &Flow, name: &str) -> Result<Region, Refusal> {
        let is_begin = |instruction: &Instruction| instruction.result.as_deref() == Some(name);
        let is_end = |instruction: &Instruction| takes_value(&instruction.kind, name).is_some();
        let begin = position(function, is_begin);
        let (Some(begin), Some(end)) = (begin, position(function, is_end)) else {
            return Err("is no call that stands alone".to_owned());
        };
        let mut region = Region {
            begin,
            end,
            inner: BTreeSet::new(),
        };
        if begin.0 == end.0 {
            return match begin.1 < end.1 {
                true => Ok(region),
                false => Err("is no call that stands alone".to_owned()),
            };
        }
        let mut work = flow.successors[begin.0].clone();
        while let Some(block) = work.pop() {
            if block != end.0 && region.inner.insert(block) {
                work.extend(&flow.successors[block]);
            }
        }
        let entered_by_itself = |block: &usize| {
            let mut ways = flow.predecessors[*block].iter();
            ways.all(|from| *from == begin.0 || region.inner.contains(from))
        };
        let blocks = region.inner.iter().chain([&end.0]);
        if region.inner.contains(&begin.0) || !{ blocks }.all(entered_by_itself) {
            return Err("has control flow that enters or leaves its expression".to_owned());
        }
        let returns = |block: &usize| {
            let last = function.blocks[*block].instructions.last();
            last.is_some_and(|last| matches!(last.kind, InstructionKind::Return(_)))
        };
        match region.inner.iter().any(returns) {
            true => Err("returns from within its expression".to_owned()),
            false => Ok(region),
        }
    }

    /// Where its instructions stand, both markers included.
    pub fn instructions(&self, function: &Function) -> Vec<At> {
        let end_of = |block: usize| function.blocks[block].instructions.len();
        if self.begin.0 == self.end.0 {
            return (self.begin.1..=self.end.1).map(|at| (self.begin.0, at)).collect();
        }
        let first = (self.begin.1..end_of(self.begin.0)).map(|at| (self.begin.0, at));
        let inner = self
            .inner
            .iter()
            .flat_map(|block| (0..end_of(*block)).map(move |at| (*block, at)));
        let last = (0..=self.end.1).map(|at| (self.end.0, at));
        first.chain(inner).chain(last).collect()
    }

    /// The values that it makes.
    pub fn values(&self, function: &Function) -> FxHashSet<Arc<str>> {
        let instructions = self.instructions(function).into_iter();
        instructions
            .filter_map(|(block, at)| function.blocks[block].instructions[at].result.clone())
            .collect()
    }

    /// Leaves it where it is, and checks its value there.
    pub fn stay(&self, function: &mut Function) {
        check_value(&mut function.blocks[self.end.0].instructions[self.end.1]);
        function.blocks[self.begin.0].instructions.remove(self.begin.1);
    }

    /// Moves it into a block, before the instruction at a position; where it ends then, as a block and the
    /// position behind it.
    pub fn move_to(
        &self,
        function: &mut Function,
        flow: &Flow,
        (label, position): &(Arc<str>, usize),
    ) -> Result<(Arc<str>, usize), Refusal> {
        let target = function.blocks.iter().position(|block| block.label == *label);
        let target = target.ok_or("belongs to a loop that is not there")?;
        self.check_values(function, flow, (target, *position))?;
        let is_there = self.begin == (target, *position);
        if is_there {
            self.stay(function);
            let end = self.end.1 - usize::from(self.begin.0 == self.end.0);
            return Ok((function.blocks[self.end.0].label.clone(), end + 1));
        }
        check_value(&mut function.blocks[self.end.0].instructions[self.end.1]);
        if self.begin.0 == self.end.0 {
            let block = &mut function.blocks[self.begin.0].instructions;
            let moved: Vec<Instruction> = block.drain(self.begin.1..=self.end.1).skip(1).collect();
            let behind = position + moved.len();
            function.blocks[target]
                .instructions
                .splice(position..position, moved);
            return Ok((label.clone(), behind));
        }
        self.move_blocks(function, target, *position);
        Ok((function.blocks[self.end.0].label.clone(), self.end.1 + 1))
    }

    /// Moves a region of several blocks: those between stay blocks, the first one's part goes to the end of
    /// what stands before the position, and what stands behind it comes after the last one's part.
    fn move_blocks(&self, function: &mut Function, target: usize, position: usize) {
        let labels: Vec<Arc<str>> = function.blocks.iter().map(|block| block.label.clone()).collect();
        let (begin, end) = (self.begin.0, self.end.0);
        let mut first = function.blocks[begin].instructions.split_off(self.begin.1);
        first.remove(0);
        let after = function.blocks[end].instructions.split_off(self.end.1 + 1);
        // The program goes on as if the region were not there.
        function.blocks[begin].instructions.extend(after);
        let rest = function.blocks[target].instructions.split_off(position);
        function.blocks[target].instructions.extend(first);
        function.blocks[end].instructions.extend(rest);
        // What control comes from, for the blocks behind each of the parts.
        let inside: BTreeSet<usize> = self.inner.iter().copied().chain([end]).collect();
        for (index, block) in function.blocks.iter_mut().enumerate() {
            let region_part = if index == end { self.end.1 + 1 } else { usize::MAX };
            for (at, instruction) in block.instructions.iter_mut().enumerate() {
                let InstructionKind::Phi { incoming, .. } = &mut instruction.kind else {
                    continue;
                };
                let in_region = inside.contains(&index) && at < region_part;
                for (_, from) in incoming {
                    *from = match in_region {
                        true if *from == labels[begin] => labels[target].clone(),
                        true => from.clone(),
                        false => renamed(from, &labels, (begin, end, target)),
                    };
                }
            }
        }
    }

    /// Are all values that it uses known at a position, and none of its own used elsewhere?
    fn check_values(&self, function: &Function, flow: &Flow, (target, position): At) -> Result<(), Refusal> {
        let own = self.values(function);
        let inside: FxHashSet<At> = self.instructions(function).into_iter().collect();
        let mut defined: FxHashMap<&str, At> = FxHashMap::default();
        for (block, code) in function.blocks.iter().enumerate() {
            for (at, instruction) in code.instructions.iter().enumerate() {
                if let Some(name) = &instruction.result {
                    defined.insert(name, (block, at));
                }
            }
        }
        let is_known = |name: &str| match defined.get(name) {
            None => true,
            Some((block, at)) if *block == target => *at < position,
            Some((block, _)) => flow.dominates(*block, target),
        };
        let (mut foreign, mut leaks) = (false, false);
        for (block, code) in function.blocks.iter().enumerate() {
            for (at, instruction) in code.instructions.iter().enumerate() {
                let is_inside = inside.contains(&(block, at));
                for_each_operand(&instruction.kind, |value| {
                    let Value::Local(name) = value else { return };
                    match own.contains(name) {
                        true => leaks |= !is_inside,
                        false => foreign |= is_inside && !is_known(name),
                    }
                });
            }
        }
        let next = function.blocks[target].instructions.get(position);
        let joins = next.is_some_and(|next| matches!(next.kind, InstructionKind::Phi { .. }));
        match foreign || leaks || joins {
            true => Err("needs values that the loop's head does not know".to_owned()),
            false => Ok(()),
        }
    }
}

/// The block from which control comes after a move, where it came from another before.
fn renamed(from: &Arc<str>, labels: &[Arc<str>], (begin, end, target): (usize, usize, usize)) -> Arc<str> {
    if *from == labels[end] {
        return match begin == target {
            true => from.clone(),
            false => labels[begin].clone(),
        };
    }
    match *from == labels[target] {
        true => labels[end].clone(),
        false => from.clone(),
    }
}

fn position(function: &Function, wanted: impl Fn(&Instruction) -> bool) -> Option<At> {
    let in_block = |(index, block): (usize, &Block)| {
        let at = block.instructions.iter().position(&wanted)?;
        Some((index, at))
    };
    function.blocks.iter().enumerate().find_map(in_block)
}

/// Makes the call that takes an invariant's value one that checks it.
fn check_value(instruction: &mut Instruction) {
    if let InstructionKind::Call(call) = &mut instruction.kind {
        call.callee = Value::Constant(Constant::Global(CHECK.into()));
        call.function_type = None;
    }
}
