//! Reads whose value nothing uses.
//!
//! Idea: all bytes of a volatile variable are read, also where `(uint8_t)ticks` wants one of them. A byte
//! that is read into a register which is overwritten before anything uses it is no part of a value that could
//! be torn.
//!
//! Invariant: an approximation from below: where it is not certain, the value is used.

use super::registers::{ARGUMENTS, CLOBBERED, Flow, flow_of, use_of};
use crate::instruction::{Instruction, Operation as Op};

/// Instructions that are looked at.
const PATIENCE: usize = 400;

/// Whether nothing uses what the instruction at a word address reads.
pub(super) fn is_discarded(program: &[Instruction], at: u32) -> bool {
    let Some(read) = program.get(at as usize) else {
        return false;
    };
    // What a pointer register reads into itself is not worth the trouble.
    let is_plain_read = matches!(read.operation, Op::Ld | Op::Lds | Op::In);
    let register = 1 << (read.d & 31);
    if !is_plain_read || use_of(read).reads & register != 0 {
        return false;
    }
    let Flow::To(next) = flow_of(program, at) else {
        return false;
    };
    let (mut open, mut seen) = (vec![next], Vec::new());
    while let Some(at) = open.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let Some(instruction) = program.get(at as usize).filter(|_| seen.len() < PATIENCE) else {
            return false;
        };
        let flow = flow_of(program, at);
        if let Flow::Call(next) = flow {
            if register & ARGUMENTS != 0 {
                return false;
            }
            if register & CLOBBERED == 0 {
                open.push(next);
            }
            continue;
        }
        let used = use_of(instruction);
        if used.reads & register != 0 || flow == Flow::Away {
            return false;
        }
        if used.writes & register != 0 {
            continue;
        }
        match flow {
            Flow::To(next) => open.push(next),
            Flow::Either(next, other) => open.extend([next, other]),
            Flow::Call(_) | Flow::Away => {}
        }
    }
    true
}
