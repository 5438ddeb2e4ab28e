//! Whether what a line writes depends on what it has read.
//!
//! Idea: `if (tick) { tick = 0; }` reads and writes one byte, and yet no value is computed from an older one:
//! a handler that sets `tick` in between might as well have come before. So a read that is followed by a
//! write is torn only if the value that is written comes from the value that was read. From the read on, the
//! registers that depend on it are followed along all ways through the line; the write depends on the read
//!
//! - if the register that is written does, by computation or through memory; or
//! - if a branch on the value leads, on both sides, to a write of that byte: then the value selects what is
//!   written (`flag = !flag`).
//!
//! Invariant: an approximation from above: what is not seen depends. A function that is called may pass on
//! whatever depends on the read, in the registers that it may change and in memory.

use std::collections::BTreeMap;

use super::registers::{CLOBBERED, Flow, Registers, flow_of, use_of};
use super::{Access, Lines};
use crate::instruction::{Instruction, Operation as Op};

/// What depends on the value that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Taint {
    registers: Registers,
    flags: bool,
    /// Some memory, so all that is read from memory.
    memory: bool,
}

impl Taint {
    fn join(self, other: Self) -> Self {
        Self {
            registers: self.registers | other.registers,
            flags: self.flags | other.flags,
            memory: self.memory | other.memory,
        }
    }

    fn is_anything(self) -> bool {
        self.registers != 0 || self.flags || self.memory
    }

    /// After an instruction.
    fn after(mut self, instruction: &Instruction) -> Self {
        let Instruction { d, r, .. } = *instruction;
        match instruction.operation {
            Op::Movw => {
                self.copy(d, r);
                self.copy(d + 1, r + 1);
                return self;
            }
            Op::Call | Op::Rcall | Op::Icall => return self.after_call(),
            _ => {}
        }
        let used = use_of(instruction);
        let tainted = self.registers & used.reads != 0
            || (used.reads_flags && self.flags)
            || (used.loads && self.memory);
        match tainted {
            true => self.registers |= used.writes,
            false => self.registers &= !used.writes,
        }
        self.flags |= used.writes_flags && tainted;
        self.memory |= used.stores && tainted;
        self
    }

    fn copy(&mut self, to: u8, from: u8) {
        let bit = self.registers >> (from & 31) & 1;
        self.registers = self.registers & !(1 << (to & 31)) | bit << (to & 31);
    }

    fn after_call(mut self) -> Self {
        if self.is_anything() {
            self.registers |= CLOBBERED;
            (self.flags, self.memory) = (true, true);
        }
        self
    }

    /// Whether a branch or skip goes by what was read.
    fn decides(self, instruction: &Instruction) -> bool {
        match instruction.operation {
            Op::Brbs | Op::Brbc => self.flags,
            Op::Sbic | Op::Sbis => self.memory,
            _ => self.registers & use_of(instruction).reads != 0,
        }
    }
}

/// What depends on one read, at each instruction of its line that comes after it.
pub(super) struct Dependence<'a> {
    program: &'a [Instruction],
    lines: &'a Lines,
    line: u32,
    first: u32,
    before: BTreeMap<u32, Taint>,
    /// Control goes where it cannot be followed.
    is_lost: bool,
}

impl<'a> Dependence<'a> {
    /// Follows the read at a word address.
    pub(super) fn of_read(program: &'a [Instruction], lines: &'a Lines, first: u32) -> Self {
        let mut followed = Self {
            program,
            lines,
            line: lines.of(first),
            first,
            before: BTreeMap::new(),
            is_lost: false,
        };
        let Some(instruction) = program.get(first as usize) else {
            followed.is_lost = true;
            return followed;
        };
        let mut read = Taint::default();
        match instruction.operation {
            Op::Ld | Op::Lds | Op::In | Op::Pop => read.registers = 1 << (instruction.d & 31),
            // They only branch; that is looked at with the other branches.
            Op::Sbic | Op::Sbis => {}
            _ => followed.is_lost = true,
        }
        let mut open = Vec::new();
        followed.pass(first, read, &mut open);
        while let Some(at) = open.pop() {
            let after = followed.before[&at].after(&program[at as usize]);
            followed.pass(at, after, &mut open);
        }
        followed
    }

    /// What holds after an instruction holds before those that come next.
    fn pass(&mut self, at: u32, after: Taint, open: &mut Vec<u32>) {
        let next = match flow_of(self.program, at) {
            Flow::To(next) | Flow::Call(next) => [Some(next), None],
            Flow::Either(next, other) => [Some(next), Some(other)],
            Flow::Away => {
                let leaves = |operation| matches!(operation, Op::Ret | Op::Reti);
                self.is_lost |= !leaves(self.program[at as usize].operation);
                [None, None]
            }
        };
        for to in next.into_iter().flatten() {
            if !self.is_inside(to) {
                continue;
            }
            let known = self.before.get(&to).copied();
            let joined = known.unwrap_or_default().join(after);
            if known != Some(joined) {
                self.before.insert(to, joined);
                open.push(to);
            }
        }
    }

    /// Where the line goes on and the value is not read again.
    fn is_inside(&self, at: u32) -> bool {
        at != self.first && (at as usize) < self.program.len() && self.lines.goes_on(self.line, at)
    }

    /// Whether a write may depend on the read. `writes` are the writes of the same line to the same byte.
    pub(super) fn reaches(&self, write: &Access, writes: &[&Access]) -> bool {
        let Some(before) = self.before.get(&write.at).filter(|_| !self.is_lost) else {
            return true;
        };
        let instruction = &self.program[write.at as usize];
        let is_store = matches!(instruction.operation, Op::St | Op::Sts | Op::Out);
        !is_store || before.registers & use_of(instruction).reads != 0 || self.selects(write, writes)
    }

    /// Whether a branch on the value leads to this write on one side, and to some write of the byte on the
    /// other.
    fn selects(&self, write: &Access, writes: &[&Access]) -> bool {
        let branches = self.before.iter().filter(|(at, taint)| {
            let instruction = &self.program[**at as usize];
            taint.decides(instruction)
        });
        let read = &self.program[self.first as usize];
        let own = matches!(read.operation, Op::Sbic | Op::Sbis).then_some(self.first);
        branches.map(|(at, _)| *at).chain(own).any(|branch| {
            let Flow::Either(next, other) = flow_of(self.program, branch) else {
                return false;
            };
            let (one, two) = (self.reachable(next), self.reachable(other));
            let leads = |side: &[u32], to: &Access| side.contains(&to.at);
            let some = |side: &[u32]| writes.iter().any(|to| leads(side, to));
            leads(&one, write) && some(&two) || leads(&two, write) && some(&one)
        })
    }

    /// The instructions of the line that come after one, itself included, before the value is read again.
    fn reachable(&self, from: u32) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if !self.is_inside(at) || seen.contains(&at) {
                continue;
            }
            seen.push(at);
            match flow_of(self.program, at) {
                Flow::To(next) | Flow::Call(next) => open.push(next),
                Flow::Either(next, other) => open.extend([next, other]),
                Flow::Away => {}
            }
        }
        seen
    }
}
