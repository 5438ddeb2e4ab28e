//! A step: one instruction, the entry into an interrupt handler, or a reset by the watchdog.
//!
//! Idea: the state before is copied and changed in place ([`Draft`]). What hardware does meanwhile is brought
//! in at the end ([`Micro::refresh`]), once for all that the step has changed.
//!
//! Source: "Reset and Interrupt Handling" and "Watchdog System Reset" of the datasheets.

use super::Micro;
use crate::byte::AbstractByte;
use crate::fault::Fault;
use crate::semantics::{Effect, Step, execute};
use crate::state::{
    ASLEEP, DELAY, ENDED, Settling, TIMED, have_waited, header, set_counter, set_faults, set_waited,
    timed_cycles, timed_flags,
};

/// The state that the step under way is making.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) state: Vec<u8>,
    pub(crate) pc: u32,
    /// An I/O register was changed, so that flags may follow.
    pub(crate) io_changed: bool,
    /// What the instruction before this one changed of a port.
    pub(crate) settling: Settling,
    /// No step follows.
    pub(crate) ended: bool,
    /// The bits of the faults that were committed so far.
    pub(crate) faults: u16,
    /// The instruction under way computes with what is unknown.
    pub(crate) leaves_open: bool,
    /// Something lasts for this instruction alone, or for the next few.
    pub(crate) is_timed: bool,
    /// Something was written where there is neither register nor memory.
    pub(crate) is_lost: bool,
}

impl Draft {
    /// Begins with the state before the step.
    fn begin(&mut self, state: &[u8], pc: u32) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.pc = pc;
        self.ended = false;
        self.faults = 0;
        self.is_lost = false;
        self.leaves_open = false;
        self.io_changed = false;
    }
}

impl Micro {
    /// Begins a step from a state, with the choices as they stand.
    pub(crate) fn begin(&mut self, state: &[u8]) {
        self.choices.rewind();
        self.independence.begin_step();
        let pc = self.pc_of(state);
        self.draft.begin(state, pc);
    }

    /// The instruction under way sets bits that hardware clears after a few cycles.
    pub(crate) fn set_timed(&mut self) {
        self.draft.state[header::FLAGS] |= timed_flags(3);
    }

    fn reset_chip(&mut self) {
        if let Some(tracer) = &mut self.tracer {
            tracer.watchdog();
        }
        // Registers, static memory, EEPROM and flash keep their contents.
        for cell in 32..u32::from(self.chip.space.io_end) {
            let reset = self.footprint.at_reset(cell);
            self.write(cell, reset);
        }
        if let Some(causes) = self.chip.rules.causes {
            self.set_place(causes.watchdog, true);
        }
        if let Some(watchdog) = self.chip.rules.watchdog
            && let Some(flag) = watchdog.reset_flag
        {
            self.set_place(flag, true);
            self.set_place(watchdog.enable, true);
        }
        for index in 0..self.chip.rules.operations.len() {
            self.set_place(self.chip.rules.operations[index].busy, false);
        }
        for index in 0..self.chip.rules.lasting.len() {
            self.set_place(self.chip.rules.lasting[index].since, false);
        }
        self.draft.state[header::FLAGS] = 0;
        Settling::default().write(&mut self.draft.state);
        self.draft.state[header::DEPTH] = 0;
        self.clear_frames();
        if self.tearing.monitor != 0 {
            self.follow_reset();
        }
        self.draft.pc = self.chip.loaded.reset;
        self.draft.io_changed = true;
    }

    /// Makes the next state, with the choices as they stand; what an instruction did beside its data.
    pub(crate) fn step(&mut self) -> Effect {
        let mut effect = Effect::None;
        if let Some(watchdog) = self.chip.rules.watchdog
            && !self.at(watchdog.enable).zeros() & watchdog.enable.mask != 0
            && self.choose(2) == 1
        {
            self.reset_chip();
        } else if !self.interrupts() && self.draft.state[header::FLAGS] & ASLEEP == 0 {
            effect = self.instruction();
        }
        self.finish();
        effect
    }

    fn instruction(&mut self) -> Effect {
        if !self.has_code(&self.draft.state) {
            self.leave_program();
            return Effect::None;
        }
        let instruction = self.flash_of(&self.draft.state).program[self.draft.pc as usize];
        self.pass_time(instruction.most_cycles());
        let were_enabled = self.are_interrupts_enabled();
        if self.draft.state[header::DEPTH] == 0 {
            set_waited(&mut self.draft.state, false);
        }
        let computed = self.compute(&instruction);
        let Step { next, effect } = computed.unwrap_or_else(|| execute(self, &instruction, self.draft.pc));
        self.give_up_result(&instruction);
        if self.tearing.monitor != 0 {
            self.follow_instruction(effect, next);
        }
        if self.options.analysis.is_some() {
            self.note_control(instruction.operation, self.draft.pc, next);
        }
        self.draft.pc = next;
        // Also OUT to SREG: avr-gcc relies on it where it changes the stack pointer in two steps.
        let delays = match effect {
            Effect::InterruptReturn => !have_waited(&self.draft.state),
            _ => !were_enabled && self.are_interrupts_enabled(),
        };
        if delays && !self.options.lazy_interrupts {
            self.draft.state[header::FLAGS] |= DELAY;
        }
        self.bring_about(effect);
        effect
    }

    /// There is no instruction to be executed.
    fn leave_program(&mut self) {
        // A boot loader hands over to an application that is not part of the image.
        let loaded = &self.chip.loaded;
        let hands_over = loaded.reset != 0 && !loaded.has_application && self.draft.pc < loaded.boot;
        if !hands_over {
            self.commit(Fault::OutsideProgram);
        }
        self.draft.ended = true;
    }

    /// What an instruction of so many cycles leaves of what lasts for a few.
    fn pass_time(&mut self, cycles: u8) {
        let state = &mut self.draft.state;
        self.draft.io_changed |= state[header::FLAGS] & TIMED != 0;
        self.draft.settling = Settling::read(state);
        self.draft.is_timed = state[header::FLAGS] & (DELAY | TIMED) != 0;
        Settling::default().write(state);
        let left = timed_cycles(state[header::FLAGS]).saturating_sub(cycles);
        state[header::FLAGS] &= !(DELAY | TIMED);
        state[header::FLAGS] |= timed_flags(left);
    }

    /// What an instruction does beside its data.
    fn bring_about(&mut self, effect: Effect) {
        match effect {
            Effect::InterruptReturn => {
                self.draft.state[header::DEPTH] = self.draft.state[header::DEPTH].saturating_sub(1);
                self.leave_frames();
            }
            Effect::Return => self.leave_frames(),
            Effect::Sleep => {
                let sleep = self.chip.rules.sleep;
                if sleep.is_some_and(|sleep| self.at(sleep).ones() & sleep.mask != 0) {
                    self.draft.state[header::FLAGS] |= ASLEEP;
                    self.start_asleep();
                }
            }
            Effect::Undefined => {
                self.commit(Fault::UndefinedInstruction);
                self.draft.ended = true;
            }
            _ => {}
        }
    }

    pub(crate) fn finish(&mut self) {
        if self.draft.io_changed {
            self.refresh();
        }
        self.let_flags_be_set();
        if (self.draft.ended || self.draft.is_lost) && self.draft.faults != 0 {
            let word = self.pc_of(&self.draft.state);
            self.note_undefined(word);
        }
        set_counter(&mut self.draft.state, self.draft.pc);
        set_faults(&mut self.draft.state, self.draft.faults);
        if self.draft.ended {
            self.caveats.some_run_ends = true;
            self.draft.state[header::FLAGS] |= ENDED;
        }
        self.label();
    }
}
