//! Loops that advance through memory.
//!
//! Idea: what a loop compares to end says how far it goes through memory, if an address that it loads from or
//! stores to in one round is computed from what it was in the round before. That is so where the registers
//! which the address comes from, followed backwards inside the loop, are needed when a round begins and
//! written in it; or where a variable in memory is, which the loop stores.
//!
//! A loop is what comes to a jump back without going through where that leads.
//!
//! Source: natural loops as in A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, Compilers (2nd edition, 2006),
//! section 9.6.

use std::collections::{BTreeMap, BTreeSet};

use crate::instruction::{Instruction, Operation as Op, Pointer};
use crate::torn::registers::{CLOBBERED, Flow, Registers, flow_of, use_of};

/// The low register of the frame pointer.
const FRAME: u8 = 28;
/// What holds zero by avr-gcc's calling convention.
pub(super) const ZERO: Registers = 1 << 1;

/// A loop.
pub(super) struct Loop {
    /// The word address that the jump back leads to.
    pub first: u32,
    /// The word addresses of its instructions.
    pub body: BTreeSet<u32>,
}

/// The loops of a program, of which `words` says where instructions begin.
pub(super) fn loops_of(program: &[Instruction], words: &[u32]) -> Vec<Loop> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); program.len()];
    let mut backs: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for at in words {
        for next in followers(program, *at) {
            if let Some(known) = before.get_mut(next as usize) {
                known.push(*at);
            }
            if next <= *at {
                backs.entry(next).or_default().push(*at);
            }
        }
    }
    let natural = |(first, lasts): (u32, Vec<u32>)| {
        let mut body = BTreeSet::from([first]);
        let mut open = lasts;
        while let Some(at) = open.pop() {
            if body.insert(at) {
                open.extend(&before[at as usize]);
            }
        }
        Loop { first, body }
    };
    backs.into_iter().map(natural).collect()
}

/// Where an instruction of a function leads to in it.
fn followers(program: &[Instruction], at: u32) -> impl Iterator<Item = u32> {
    let (one, other) = match flow_of(program, at) {
        Flow::To(next) | Flow::Call(next) => (Some(next), None),
        Flow::Either(next, other) => (Some(next), Some(other)),
        Flow::Away => (None, None),
    };
    one.into_iter().chain(other)
}

impl Loop {
    /// Whether an instruction of the loop leads out of it.
    pub(super) fn leaves_at(&self, program: &[Instruction], at: u32) -> bool {
        followers(program, at).any(|next| !self.body.contains(&next))
    }

    /// Whether some address is computed from what it was in the round before.
    pub(super) fn advances(&self, program: &[Instruction]) -> bool {
        let accesses = |at: &&u32| {
            let instruction = &program[**at as usize];
            let in_frame = instruction.r == FRAME && instruction.pointer() == Pointer::Plain;
            matches!(instruction.operation, Op::Ld | Op::St | Op::Lpm | Op::Elpm) && !in_frame
        };
        let mut pointers: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
        for at in self.body.iter().filter(accesses) {
            pointers.entry(program[*at as usize].r).or_default().push(*at);
        }
        let mut all = pointers.into_iter();
        all.any(|(pointer, accesses)| self.carries(program, 3 << pointer, &accesses))
    }

    /// Whether registers that some instructions of the loop read depend on what they were in the round
    /// before.
    fn carries(&self, program: &[Instruction], registers: Registers, readers: &[u32]) -> bool {
        let mut needed: BTreeMap<u32, Registers> = BTreeMap::new();
        let mut written = 0;
        loop {
            let mut changed = false;
            for at in self.body.iter().rev() {
                let instruction = &program[*at as usize];
                let next = followers(program, *at);
                let after = next.fold(0, |all, next| all | needed.get(&next).copied().unwrap_or(0));
                if self.is_carried_in_memory(program, instruction, after) {
                    return true;
                }
                let calls = matches!(flow_of(program, *at), Flow::Call(_));
                let (kept, from) = match calls {
                    true => (after & !CLOBBERED, 0),
                    false => computed_from(instruction, after),
                };
                written |= after & use_of(instruction).writes & if calls { 0 } else { !0 };
                let mut now = kept | from;
                if readers.contains(at) {
                    now |= registers;
                }
                let known = needed.entry(*at).or_default();
                changed |= *known != now;
                *known = now;
            }
            if !changed {
                let at_first = needed.get(&self.first).copied().unwrap_or(0);
                return at_first & written != 0;
            }
        }
    }

    /// Whether a needed register is loaded from a variable that the loop stores.
    fn is_carried_in_memory(&self, program: &[Instruction], load: &Instruction, needed: Registers) -> bool {
        if needed >> load.d & 1 == 0 {
            return false;
        }
        let stores = |stores: &dyn Fn(&Instruction) -> bool| {
            let mut body = self.body.iter();
            body.any(|at| stores(&program[*at as usize]))
        };
        match load.operation {
            Op::Lds => stores(&|store| store.operation == Op::Sts && store.k == load.k),
            Op::Ld if load.r == FRAME && load.pointer() == Pointer::Plain => stores(&|store| {
                let same = store.r == load.r && store.k == load.k;
                store.operation == Op::St && same && store.pointer() == Pointer::Plain
            }),
            _ => false,
        }
    }
}

/// The registers among these that an instruction leaves as they are, and those from which it computes others.
fn computed_from(instruction: &Instruction, after: Registers) -> (Registers, Registers) {
    let used = use_of(instruction);
    let kept = after & !used.writes;
    if after & used.writes == 0 {
        return (kept, 0);
    }
    let from = match instruction.operation {
        Op::Movw => {
            let copied = |half: u8| (after >> (instruction.d + half) & 1) << (instruction.r + half);
            copied(0) | copied(1)
        }
        // Only the pointer that changes comes from what it was.
        Op::Ld | Op::Lpm | Op::Elpm | Op::St => after & used.writes & (3 << instruction.r),
        Op::Lds | Op::In | Op::Pop | Op::Ldi => 0,
        Op::Eor | Op::Sub if instruction.d == instruction.r => 0,
        _ => used.reads & !ZERO,
    };
    (kept, from)
}
