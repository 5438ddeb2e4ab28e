//! Loops that only count: all rounds but the last are passed at once.
//!
//! Idea: `_delay_ms` and its kin are a loop that subtracts one from some registers until they are 0. One
//! round differs from the next in nothing but these registers, and in flags that every round sets anew. So
//! where a path has gone round once, the registers may as well be 1: the last round follows.
//!
//! Invariant: no formula names the registers, their flags or places in the program, and no monitor is under
//! way; a round had no choice, so none of the others has.
//!
//! Source: section 6.4.2 of Schlich's thesis, of which this is a special case that it does not have; the
//! loops are those of `__builtin_avr_delay_cycles` and of avr-libc's `util/delay_basic.h`.

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::instruction::Operation as Op;

/// A loop that counts registers down to 0.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Countdown {
    /// From the lowest byte on.
    registers: Vec<u8>,
    /// Instructions of a round.
    steps: u64,
}

/// Instructions of a round, at the most.
const MOST_STEPS: u64 = 8;

impl Micro {
    /// The loop whose first instruction is next in a state.
    fn countdown(&self, state: &[u8]) -> Option<Countdown> {
        let head = self.pc_of(state);
        let (mut registers, mut borrows) = (Vec::new(), false);
        let mut at = head;
        for steps in 1..=MOST_STEPS {
            let instruction = self.instruction_at(state, at)?;
            let d = instruction.d;
            match instruction.operation {
                Op::Subi if registers.is_empty() && instruction.k == 1 => {
                    registers.push(d);
                    borrows = true;
                }
                Op::Dec if registers.is_empty() => registers.push(d),
                Op::Sbiw if registers.is_empty() && instruction.k == 1 => {
                    registers.extend([d, d + 1]);
                    borrows = true;
                }
                // DEC leaves the carry as it was.
                Op::Sbci if borrows && instruction.k == 0 && !registers.contains(&d) => registers.push(d),
                Op::Nop if registers.is_empty() => {}
                Op::Brbc if !registers.is_empty() && instruction.b == 1 => {
                    let target = instruction.target(at, self.chip.space.flash_words);
                    return (target == head).then_some(Countdown { registers, steps });
                }
                _ => return None,
            }
            at += u32::from(instruction.words);
        }
        None
    }

    /// Passes all rounds but the last of a loop that only counts, if the draft is where its first instruction
    /// is next and a path has just gone round it in so many steps.
    pub(crate) fn pass_rounds(&mut self, since_head: u64) {
        let Some(countdown) = self.countdown(&self.draft.state) else {
            return;
        };
        let cells = || countdown.registers.iter().map(|register| u32::from(*register));
        let observed = |cell: u32| self.labelling.observed[cell as usize];
        let is_seen = cells().any(observed)
            || observed(u32::from(address::SREG))
            || self.labelling.is_about_control()
            || !self.is_monitor_idle();
        if since_head != countdown.steps || is_seen {
            return;
        }
        let known = cells().all(|cell| self.read(cell).value().is_some());
        if !known {
            return;
        }
        let cells: Vec<u32> = cells().collect();
        for (number, cell) in cells.into_iter().enumerate() {
            self.write(cell, Bits::known(u8::from(number == 0)));
        }
    }

    /// Whether the monitor of torn accesses follows nothing.
    fn is_monitor_idle(&self) -> bool {
        let monitor = self.tearing.monitor;
        monitor == 0
            || self.draft.state[monitor..monitor + crate::torn::SIZE]
                .iter()
                .all(|byte| *byte == 0)
    }
}
