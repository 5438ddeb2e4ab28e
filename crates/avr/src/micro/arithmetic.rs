//! Instructions that compute on unknown bits and leave them unknown.
//!
//! Idea: delayed nondeterminism gives an input its values where something is computed from it, 256 for a
//! byte. Most programs only compare what they compute, so here the result and the flags are unknown, and what
//! looks at a flag decides that flag. Where few bits are open, all their values are tried in the step: the
//! registers and flags then have just the bits that all results have in common. If a branch on a flag comes
//! next, that is done once for each value of the flag, and the operands become what they are in that case.
//!
//! Some operands are decided as before: up to [`FEW`] bits, as most of these are flags on which much depends;
//! what becomes an address ([`super::addresses`]); and what a refinement asks for.
//!
//! Invariant: for all values of the operands' unknown bits, what the concrete instruction does is covered by
//! a successor. Bit 7 of the status register, which lets interrupts come, is always known.

use std::collections::HashMap;
use std::sync::Arc;

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::footprint::Cell;
use crate::instruction::{Instruction, Operation as Op};
use crate::semantics::{Step, execute, status};
use crate::state::header;
use crate::torn::registers::use_of;

/// So many unknown bits are decided.
const FEW: u32 = 2;
/// The values of so many unknown bits are tried, at the most.
const MOST_TRIED: u32 = 10;
/// Instructions between one that sets a flag and the branch on it, at the most.
const PATIENCE: usize = 8;

const SREG: Cell = address::SREG as Cell;

/// Results that are kept, at the most.
const MOST_KEPT: usize = 1 << 14;

/// What all values of some operands lead to: by the word address of the instruction, and the contents of the
/// registers and flags that it reads and writes.
pub(crate) type Tried = HashMap<(u32, Box<[(u8, u8)]>), Arc<Vec<Outcome>>>;

/// What some values of the operands lead to.
pub(crate) struct Outcome {
    step: Step,
    /// The values of the flags that a branch looks at.
    flags: u8,
    /// The contents of the cells that matter: operands, results, the status register.
    contents: Vec<Bits>,
}

impl Micro {
    /// Executes an instruction that computes on unknown bits; none if it does not, or needs them decided.
    pub(crate) fn compute(&mut self, instruction: &Instruction) -> Option<Step> {
        if !self.options.abstract_values {
            return None;
        }
        if copies(instruction.operation) {
            self.decide_copied(instruction);
            return None;
        }
        if !computes(instruction.operation) {
            return None;
        }
        let registers = self.open_operands(instruction);
        let flags = self.open_flags_of(instruction);
        if registers.is_empty() && flags == 0 {
            return None;
        }
        let open: u32 = registers.iter().map(|(_, open)| open.count_ones()).sum();
        if self.decides(instruction) {
            if flags == 0
                && self.may_abstract()
                && let Some(step) = self.access_indexed(&registers)
            {
                return Some(step);
            }
            for (register, mask) in registers {
                self.resolve(Cell::from(register), mask);
            }
            self.resolve(SREG, flags);
            return None;
        }
        // With an unknown carry it is the upper part of a number of which the lower one is unknown.
        if open <= FEW && flags == 0 {
            for (register, mask) in registers {
                self.resolve(Cell::from(register), mask);
            }
            return None;
        }
        if open + flags.count_ones() <= MOST_TRIED {
            return Some(self.try_values(instruction, &registers, flags));
        }
        self.draft.leaves_open = true;
        let step = execute(self, instruction, self.draft.pc);
        self.draft.leaves_open = false;
        Some(step)
    }

    /// Decides what an instruction copies, where a refinement asks for that: what is learnt of one copy is
    /// not known of the other.
    fn decide_copied(&mut self, instruction: &Instruction) {
        if !self.options.decided_at.contains(&self.draft.pc) {
            return;
        }
        let reads = use_of(instruction).reads;
        for register in (0..32_u8).filter(|register| reads >> register & 1 != 0) {
            self.resolve(Cell::from(register), 0xFF);
        }
        let address = instruction.k as Cell;
        if instruction.operation == Op::Lds && address >= Cell::from(self.chip.space.io_end) {
            self.resolve(address, 0xFF);
        }
    }

    /// Whether an instruction is to decide its operands.
    fn decides(&self, instruction: &Instruction) -> bool {
        !self.may_abstract() || self.chip.addresses.depend_on(self.draft.pc, instruction)
    }

    /// Whether an instruction of the original program is under way, and no refinement asks for its values.
    pub(super) fn may_abstract(&self) -> bool {
        let is_original = self.draft.state[header::FLASH..header::FLASH + 2] == [0, 0];
        is_original && !self.options.decided_at.contains(&self.draft.pc)
    }

    /// Whether a load may leave so many bits open that the instruction at a word address, which follows,
    /// computes with.
    pub(crate) fn may_leave_open(&self, at: u32, instruction: &Instruction, open: u8) -> bool {
        self.options.abstract_values
            && computes(instruction.operation)
            && open.count_ones() > FEW
            && !self.chip.addresses.depend_on(at, instruction)
            && !self.options.decided_at.contains(&at)
    }

    /// The registers that an instruction computes with, and the unknown bits in them that matter.
    fn open_operands(&self, instruction: &Instruction) -> Vec<(u8, u8)> {
        let Instruction { operation, d, r, .. } = *instruction;
        // What compares a register with itself does not depend on it.
        let reads = match operation {
            Op::Cp | Op::Cpc | Op::Cpse if d == r => 0,
            _ => use_of(instruction).reads,
        };
        let used = (0..32_u8).filter(|register| reads >> register & 1 != 0);
        let open = used.map(|register| {
            let matters = match operation {
                Op::Andi => instruction.k as u8,
                Op::Ori => !(instruction.k as u8),
                _ => 0xFF,
            };
            (register, self.read(Cell::from(register)).unknown & matters)
        });
        open.filter(|(_, open)| *open != 0).collect()
    }

    /// The unknown flags that an instruction computes with.
    fn open_flags_of(&self, instruction: &Instruction) -> u8 {
        let used = match instruction.operation {
            Op::Adc | Op::Ror => status::C,
            Op::Sbc | Op::Sbci | Op::Cpc => status::C | status::Z,
            _ => 0,
        };
        self.read(SREG).unknown & used
    }

    /// Tries all values of unknown bits in registers and flags.
    fn try_values(&mut self, instruction: &Instruction, registers: &[(u8, u8)], flags: u8) -> Step {
        // What is known of the operands decides the results, too.
        let used = use_of(instruction);
        let matters = used.reads | used.writes;
        let mut cells: Vec<Cell> = (0..32).filter(|register| matters >> register & 1 != 0).collect();
        cells.push(SREG);
        let before: Vec<Bits> = cells.iter().map(|cell| self.read(*cell)).collect();
        let key = (
            self.draft.pc,
            before.iter().map(|bits| (bits.value, bits.unknown)).collect(),
        );
        let outcomes = match self.tried.get(&key) {
            Some(known) => Arc::clone(known),
            None => {
                let outcomes = Arc::new(self.outcomes(instruction, registers, flags, &cells, &before));
                if self.tried.len() == MOST_KEPT {
                    self.tried.clear();
                }
                self.tried.insert(key, Arc::clone(&outcomes));
                outcomes
            }
        };
        let chosen = match outcomes.len() {
            1 => 0,
            count => self.choose(count as u32) as usize,
        };
        let Outcome { step, contents, .. } = &outcomes[chosen];
        for ((cell, bits), before) in cells.iter().zip(contents).zip(&before) {
            let is_as_before = bits.unknown == before.unknown && bits.ones() == before.ones();
            self.write(*cell, if is_as_before { *before } else { *bits });
        }
        // What atoms name has a value.
        for cell in &cells {
            if *cell < 32 && self.labelling.observed[*cell as usize] {
                self.resolve(*cell, 0xFF);
            }
        }
        *step
    }

    /// What all values of unknown bits lead to.
    fn outcomes(
        &mut self,
        instruction: &Instruction,
        registers: &[(u8, u8)],
        flags: u8,
        cells: &[Cell],
        before: &[Bits],
    ) -> Vec<Outcome> {
        let wanted = self.tested_next(instruction);
        let mut open: Vec<(Cell, u8)> = Vec::new();
        let bits = |mask: u8| (0..8).map(move |bit| 1 << bit).filter(move |bit| mask & bit != 0);
        for (register, mask) in registers {
            open.extend(bits(*mask).map(|bit| (Cell::from(*register), bit)));
        }
        open.extend(bits(flags).map(|bit| (SREG, bit)));
        let mut outcomes: Vec<Outcome> = Vec::new();
        for sample in 0..1_u32 << open.len() {
            for (cell, bits) in cells.iter().zip(before) {
                let mut tried = *bits;
                for (number, (_, bit)) in open.iter().enumerate().filter(|(_, (own, _))| own == cell) {
                    let one = if sample >> number & 1 != 0 { *bit } else { 0 };
                    tried.value = tried.value & !bit | one;
                    tried.unknown &= !bit;
                }
                self.write(*cell, tried);
            }
            let step = execute(self, instruction, self.draft.pc);
            let flags = self.read(SREG).ones() & wanted;
            let contents = cells.iter().map(|cell| self.read(*cell));
            match outcomes
                .iter_mut()
                .find(|one| one.step == step && one.flags == flags)
            {
                Some(known) => {
                    for (joined, bits) in known.contents.iter_mut().zip(contents) {
                        *joined = joined.joined(bits);
                    }
                }
                None => outcomes.push(Outcome {
                    step,
                    flags,
                    contents: contents.collect(),
                }),
            }
        }
        outcomes
    }

    /// The flags on which the next instructions branch, as far as this one can tell something of them: the
    /// branch may be behind others of the same comparison of several bytes.
    fn tested_next(&self, instruction: &Instruction) -> u8 {
        let program = &self.flash_of(&self.draft.state).program;
        let mut at = self.draft.pc as usize + usize::from(instruction.words);
        let mut goes_on = false;
        for _ in 0..PATIENCE {
            let Some(next) = program.get(at) else { return 0 };
            match next.operation {
                Op::Brbs | Op::Brbc => {
                    let flag = 1 << next.b;
                    return if goes_on {
                        flag & status::Z
                    } else {
                        flag & !status::I
                    };
                }
                Op::Cpc | Op::Sbc | Op::Sbci => goes_on = true,
                Op::Ldi | Op::Mov | Op::Movw | Op::Lds | Op::Nop => {}
                _ => return 0,
            }
            at += usize::from(next.words);
        }
        0
    }
}

impl Bits {
    /// The bits that two bytes have in common; the others are unknown.
    pub(crate) fn joined(self, other: Self) -> Self {
        let unknown = self.unknown | other.unknown | self.value ^ other.value;
        Self::input(self.value, unknown, 0)
    }
}

/// Whether an operation copies registers, or a byte of memory at a known address.
pub(crate) fn copies(operation: Op) -> bool {
    matches!(operation, Op::Mov | Op::Movw | Op::Lds | Op::Sts)
}

/// Whether an operation computes from registers and flags, and does nothing else.
pub(crate) fn computes(operation: Op) -> bool {
    let of_two = matches!(
        operation,
        Op::Add | Op::Adc | Op::Sub | Op::Sbc | Op::And | Op::Or | Op::Eor
    );
    let of_constant = matches!(
        operation,
        Op::Subi | Op::Sbci | Op::Andi | Op::Ori | Op::Adiw | Op::Sbiw
    );
    let of_one = matches!(
        operation,
        Op::Com | Op::Neg | Op::Inc | Op::Dec | Op::Asr | Op::Lsr | Op::Ror
    );
    let compares = matches!(operation, Op::Cp | Op::Cpc | Op::Cpi | Op::Cpse);
    let multiplies = matches!(
        operation,
        Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu
    );
    of_two || of_constant || of_one || compares || multiplies
}
