//! Results of instructions that are unknown, whatever is computed.
//!
//! Idea: a counter in registers or on the stack has as many values as one in static memory, and `millis()`
//! has more than all other variables together. So what an instruction computes may be given up where it
//! computes it, as memory may ([`super::variety`]): the registers that it writes become unknown. Its flags
//! stay what they are, so a branch on them does.
//!
//! Invariant: this adds runs and takes none away, as an unknown register stands for all its values. What
//! becomes an address, or ends a loop through memory, is kept: it would be decided at once.

use std::collections::BTreeSet;

use super::variety::Variety;
use super::{Micro, computes};
use crate::byte::Bits;
use crate::footprint::Cell;
use crate::instruction::{Instruction, Operation as Op};
use crate::state::header;
use crate::torn::registers::use_of;

/// Instructions that are looked at for the upper bytes of a number, at the most.
const PATIENCE: usize = 8;

impl Micro {
    /// Gives up what the instruction under way has computed, or notes it where values are counted.
    #[inline]
    pub(crate) fn give_up_result(&mut self, instruction: &Instruction) {
        let is_counted = self.variety.is_some();
        if !is_counted && self.options.widened_at.is_empty() || !self.options.abstract_values {
            return;
        }
        let is_original = self.draft.state[header::FLASH..header::FLASH + 2] == [0, 0];
        let is_given_up = is_original && self.options.widened_at.contains(&self.draft.pc);
        if (is_given_up || is_counted) && computes(instruction.operation) {
            let writes = use_of(instruction).writes;
            for register in (0..32).filter(|register| writes >> register & 1 != 0) {
                self.give_up_or_count(register, is_given_up);
            }
        }
    }

    fn give_up_or_count(&mut self, register: usize, is_given_up: bool) {
        if !is_given_up {
            let bits = self.read(register as Cell);
            if let Some(variety) = &mut self.variety {
                variety.note_result((self.draft.pc, register as u8), bits);
            }
        } else if !self.labelling.observed[register] {
            // What atoms name has a value.
            self.write(register as Cell, Bits::input(0, 0xFF, 0));
        }
    }

    /// The instructions whose results have had many values, and need not be known.
    #[must_use]
    pub fn varying_results(&self) -> BTreeSet<u32> {
        let may_widen = |at: u32| {
            let instruction = &self.flash[0].program[at as usize];
            let writes = use_of(instruction).writes;
            let is_observed = (0..32).any(|at| writes >> at & 1 != 0 && self.labelling.observed[at]);
            !is_observed
                && !self.options.widened_at.contains(&at)
                && !self.options.decided_at.contains(&at)
                && !self.chip.addresses.depend_on(at, instruction)
        };
        let varying = self.variety.iter().flat_map(Variety::many_results);
        let whole = varying.flat_map(|at| self.with_carries(at));
        whole.filter(|at| may_widen(*at)).collect()
    }

    /// The instruction at a word address, and those that compute the upper bytes of the same number.
    fn with_carries(&self, first: u32) -> Vec<u32> {
        let program = &self.flash[0].program;
        let (mut words, mut at) = (vec![first], first);
        for _ in 0..PATIENCE {
            at += u32::from(program[at as usize].words);
            match program.get(at as usize).map(|next| next.operation) {
                Some(Op::Adc | Op::Sbc | Op::Sbci) => words.push(at),
                Some(Op::Ldi | Op::Mov | Op::Movw) => {}
                _ => break,
            }
        }
        words
    }
}
