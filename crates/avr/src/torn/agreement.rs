//! Reads that are repeated until two of them agree.
//!
//! Idea: `do { a = ticks; b = ticks; } while (a != b);` is how a number is read that a handler changes,
//! without disabling interrupts. The reads of both are torn now and then, and then they are made again. So
//! code is looked for that reads every byte of an object, then every byte of it once more, compares the two
//! values byte by byte, and begins anew where they differ.
//!
//! Invariant: control runs straight from the first read to the comparison; in the comparison, each byte of
//! the first value stands beside the same byte of the second, each straight from its read or a copy of it.
//! That a handler comes twice in just such a way that two torn values agree is left out of account, as the
//! idiom does.

use std::collections::{BTreeMap, BTreeSet};

use super::registers::{Flow, flow_of, use_of};
use crate::instruction::{Instruction, Operation as Op, Pointer};

/// Instructions from the first read back to it, at the most.
const PATIENCE: usize = 160;
/// The low register of the frame pointer.
const FRAME: u8 = 28;
const FRAME_BITS: u32 = 3 << FRAME;
/// The zero flag's number.
const ZERO: u8 = 1;

/// The read that a value comes from: its instruction and the byte of the object.
type Origin = Option<(u32, u8)>;

/// What is known where the walk is.
#[derive(Default)]
struct Walk {
    registers: [Origin; 32],
    /// Bytes of the frame, by displacement.
    slots: BTreeMap<i32, Origin>,
    /// Reads in the order in which they were made.
    order: Vec<u32>,
    /// The bytes that have been compared so far.
    compared: Vec<(Origin, Origin)>,
}

/// The instructions that read an object of so many bytes until two reads agree, beginning with the read at
/// `first`. `reads` are all instructions that read one and the same byte of the object, `writes` those that
/// write it.
pub(super) fn agreeing(
    program: &[Instruction],
    first: u32,
    size: u8,
    reads: &BTreeMap<u32, u8>,
    writes: &BTreeSet<u32>,
) -> Option<BTreeSet<u32>> {
    let mut walk = Walk::default();
    let mut at = first;
    for step in 0..PATIENCE {
        if writes.contains(&at) || (step > 0 && at == first) {
            return None;
        }
        let instruction = program.get(at as usize)?;
        at = match flow_of(program, at) {
            Flow::To(next) => {
                walk.pass(at, instruction, reads.get(&at).copied());
                next
            }
            Flow::Either(next, target) => {
                let differs = match (instruction.operation, instruction.b) {
                    (Op::Brbc, ZERO) => target,
                    (Op::Brbs, ZERO) => next,
                    _ => return None,
                };
                let found = walk.agreed(size)?;
                return leads_to(program, differs, first).then_some(found);
            }
            Flow::Call(_) | Flow::Away => return None,
        };
    }
    None
}

impl Walk {
    fn pass(&mut self, at: u32, instruction: &Instruction, read: Option<u8>) {
        let Instruction { d, r, k, .. } = *instruction;
        let (d, r) = (usize::from(d & 31), usize::from(r & 31));
        let in_frame = r == usize::from(FRAME) && instruction.pointer() == Pointer::Plain;
        match instruction.operation {
            Op::Cp => self.compared = vec![(self.registers[d], self.registers[r])],
            Op::Cpc => self.compared.push((self.registers[d], self.registers[r])),
            Op::Mov => self.registers[d] = self.registers[r],
            Op::Movw => {
                self.registers[d] = self.registers[r];
                self.registers[(d + 1) & 31] = self.registers[(r + 1) & 31];
            }
            Op::Ld if read.is_none() && in_frame => {
                self.registers[d] = self.slots.get(&k).copied().flatten();
            }
            Op::St if in_frame => {
                self.slots.insert(k, self.registers[d]);
            }
            _ => {
                let used = use_of(instruction);
                for register in (0..32).filter(|register| used.writes >> register & 1 != 0) {
                    self.registers[register] = None;
                }
                if used.writes_flags {
                    self.compared.clear();
                }
                if instruction.operation == Op::St || used.writes & FRAME_BITS != 0 {
                    self.slots.clear();
                }
            }
        }
        if let Some(byte) = read {
            self.registers[d] = Some((at, byte));
            self.order.push(at);
        }
    }

    /// The reads whose values were compared, if every byte of one whole value was with the same byte of a
    /// later one.
    fn agreed(&self, size: u8) -> Option<BTreeSet<u32>> {
        let (mut earlier, mut later) = (Vec::new(), Vec::new());
        let mut bytes = 0_u32;
        for (one, other) in &self.compared {
            let ((one, byte), (other, same)) = ((*one)?, (*other)?);
            let place = |read: u32| self.order.iter().position(|at| *at == read);
            let (one, other) = (place(one)?, place(other)?);
            if byte != same {
                return None;
            }
            bytes |= 1 << byte;
            earlier.push(one.min(other));
            later.push(one.max(other));
        }
        let whole = bytes == (1 << size) - 1 && self.compared.len() == usize::from(size);
        let in_order = earlier.iter().max()? < later.iter().min()?;
        let reads = earlier.iter().chain(&later).map(|place| self.order[*place]);
        (whole && in_order).then(|| reads.collect())
    }
}

/// Whether control runs straight from one instruction to another.
fn leads_to(program: &[Instruction], mut at: u32, to: u32) -> bool {
    for _ in 0..PATIENCE {
        if at == to {
            return true;
        }
        match flow_of(program, at) {
            Flow::To(next) => at = next,
            _ => return false,
        }
    }
    false
}
