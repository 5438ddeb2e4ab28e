//! What an instruction does with registers, for the small analyses of a line.
//!
//! Invariant: what is not listed is taken for more than it is: an instruction that is not known reads and
//! writes everything.
//!
//! Source: AVR Instruction Set Manual; which registers a call leaves alone: the avr-gcc ABI.

use crate::core::address;
use crate::instruction::{Instruction, Operation as Op, Pointer};

/// Registers as bits of a word.
pub(crate) type Registers = u32;

/// Registers in which a called function may find its arguments: r8 to r25.
pub(crate) const ARGUMENTS: Registers = 0x03FF_FF00;
/// Registers that a called function may change: r0, r18 to r27, r30, r31. It leaves r1 zero.
pub(crate) const CLOBBERED: Registers = 0xCFFC_0001;

/// What an instruction does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Use {
    pub(crate) reads: Registers,
    pub(crate) writes: Registers,
    /// What it writes depends on a flag.
    pub(crate) reads_flags: bool,
    pub(crate) writes_flags: bool,
    /// It reads or writes memory, I/O registers included.
    pub(crate) loads: bool,
    pub(crate) stores: bool,
}

/// How control goes on after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To one place.
    To(u32),
    /// To one of two: the second where a branch is taken or an instruction is skipped.
    Either(u32, u32),
    /// Into a function, and then to one place.
    Call(u32),
    /// Out of the function, or nobody knows where.
    Away,
}

fn one(register: u8) -> Registers {
    1 << (register & 31)
}

fn pair(register: u8) -> Registers {
    one(register) | one(register.wrapping_add(1))
}

/// What an instruction does with registers, flags and memory.
pub(crate) fn use_of(instruction: &Instruction) -> Use {
    let Instruction { d, r, .. } = *instruction;
    let computes = |reads, writes| Use {
        reads,
        writes,
        writes_flags: true,
        ..Use::default()
    };
    let moves = |reads, writes| Use {
        reads,
        writes,
        ..Use::default()
    };
    let pointer = || match instruction.pointer() {
        Pointer::Plain => 0,
        _ => pair(r),
    };
    match instruction.operation {
        Op::Nop | Op::Wdr | Op::Sleep | Op::Break | Op::Bset | Op::Bclr => Use::default(),
        Op::Rjmp | Op::Jmp | Op::Brbs | Op::Brbc | Op::Sbic | Op::Sbis => Use::default(),
        Op::Sbrc | Op::Sbrs => moves(one(d), 0),
        Op::Cpse => moves(one(d) | one(r), 0),
        // A register combined with itself in these is 0.
        Op::Eor | Op::Sub if d == r => computes(0, one(d)),
        Op::Add | Op::Sub | Op::And | Op::Or | Op::Eor => computes(one(d) | one(r), one(d)),
        Op::Sbc if d == r => Use {
            reads_flags: true,
            ..computes(0, one(d))
        },
        Op::Adc | Op::Sbc => Use {
            reads_flags: true,
            ..computes(one(d) | one(r), one(d))
        },
        Op::Cp => computes(one(d) | one(r), 0),
        Op::Cpc => Use {
            reads_flags: true,
            ..computes(one(d) | one(r), 0)
        },
        Op::Cpi => computes(one(d), 0),
        Op::Subi | Op::Ori | Op::Andi | Op::Com | Op::Neg => computes(one(d), one(d)),
        Op::Inc | Op::Dec | Op::Asr | Op::Lsr => computes(one(d), one(d)),
        Op::Sbci | Op::Ror => Use {
            reads_flags: true,
            ..computes(one(d), one(d))
        },
        Op::Swap => moves(one(d), one(d)),
        Op::Adiw | Op::Sbiw => computes(pair(d), pair(d)),
        Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => {
            computes(one(d) | one(r), pair(0))
        }
        Op::Mov => moves(one(r), one(d)),
        Op::Movw => moves(pair(r), pair(d)),
        Op::Ldi => moves(0, one(d)),
        Op::Bst => computes(one(d), 0),
        Op::Bld => Use {
            reads_flags: true,
            ..moves(one(d), one(d))
        },
        Op::In => Use {
            loads: true,
            reads_flags: instruction.k == i32::from(address::SREG),
            ..moves(0, one(d))
        },
        Op::Lds | Op::Pop => Use {
            loads: true,
            reads_flags: instruction.operation == Op::Lds && instruction.k == i32::from(address::SREG),
            ..moves(0, one(d))
        },
        Op::Ld | Op::Lpm | Op::Elpm => Use {
            loads: true,
            ..moves(pair(r), one(d) | pointer())
        },
        Op::Out | Op::Sts | Op::Push => Use {
            stores: true,
            writes_flags: instruction.operation != Op::Push && instruction.k == i32::from(address::SREG),
            ..moves(one(d), 0)
        },
        Op::St => Use {
            stores: true,
            ..moves(one(d) | pair(r), pointer())
        },
        Op::Sbi | Op::Cbi => Use {
            loads: true,
            stores: true,
            ..Use::default()
        },
        _ => Use {
            reads: !0,
            writes: !0,
            reads_flags: true,
            writes_flags: true,
            loads: true,
            stores: true,
        },
    }
}

/// How control goes on after the instruction at a word address.
pub(crate) fn flow_of(program: &[Instruction], at: u32) -> Flow {
    let words = program.len() as u32;
    let Some(instruction) = program.get(at as usize) else {
        return Flow::Away;
    };
    let next = at + u32::from(instruction.words);
    match instruction.operation {
        Op::Jmp => Flow::To(instruction.k as u32 % words),
        Op::Rjmp => Flow::To(instruction.target(at, words)),
        Op::Brbs | Op::Brbc => Flow::Either(next, instruction.target(at, words)),
        Op::Cpse | Op::Sbic | Op::Sbis | Op::Sbrc | Op::Sbrs => {
            let skipped = program.get(next as usize).map_or(1, |skipped| skipped.words);
            Flow::Either(next, next + u32::from(skipped))
        }
        // A call of the next instruction makes room on the stack.
        Op::Rcall if instruction.target(at, words) == next => Flow::To(next),
        Op::Call | Op::Rcall | Op::Icall => Flow::Call(next),
        Op::Ret | Op::Reti | Op::Ijmp | Op::Undefined | Op::Spm => Flow::Away,
        _ => Flow::To(next),
    }
}
