//! Single steps for somebody who decides what the environment does: the simulator.
//!
//! Idea: the microcontroller's steps are those of an exploration; here one of them is taken, and all others
//! forgotten.

use crate::byte::{AbstractByte, Bits};
use crate::footprint::Cell;
use crate::micro::Micro;
use crate::tracing::{Event, Tracer};

/// A step that was taken.
#[derive(Debug, Clone)]
pub struct Taken {
    /// The state after it.
    pub state: Box<[u8]>,
    /// What the environment did.
    pub events: Vec<Event>,
    /// The values of the inputs that were read.
    pub tracer: Tracer,
}

impl Micro {
    /// Takes a step. Where the chip or its environment has several possibilities, `decide` picks one of so
    /// many; 0 is the quiet one: no interrupt that need not come, inputs and unknown bits 0. None where no
    /// step follows.
    pub fn walk(&mut self, state: &[u8], mut decide: impl FnMut(u32) -> u32) -> Option<Taken> {
        if self.has_ended(state) {
            return None;
        }
        let mut decided = 0;
        self.choices.start();
        loop {
            let taken = self.take(state);
            let Some(count) = self.choices.possibilities(decided) else {
                return Some(taken);
            };
            self.choices.change(decided, decide(count));
            decided += 1;
        }
    }

    /// Takes the first of all possible steps that is wanted.
    pub fn walk_to(&mut self, state: &[u8], mut wanted: impl FnMut(&Taken) -> bool) -> Option<Taken> {
        if self.has_ended(state) {
            return None;
        }
        self.choices.start();
        loop {
            let taken = self.take(state);
            if wanted(&taken) {
                return Some(taken);
            }
            if !self.choices.advance() {
                return None;
            }
        }
    }

    /// The step for the choices that have been made.
    fn take(&mut self, state: &[u8]) -> Taken {
        self.begin(state);
        self.tracer = Some(Tracer::new(u32::from(self.chip.space.io_end)));
        self.step();
        let mut tracer = self.tracer.take().unwrap_or_default();
        Taken {
            state: self.draft.state.as_slice().into(),
            events: std::mem::take(&mut tracer.events),
            tracer,
        }
    }

    /// Gives a register this value at each read from now on, or sets it free. Outputs keep their own value.
    pub fn hold_input(&mut self, register: u16, value: Option<u8>) {
        if self.chip.rules.ports.iter().any(|port| port.pin == register) {
            self.options.inputs.retain(|(held, _)| *held != register);
            self.options
                .inputs
                .extend(value.map(|value| (register, vec![value])));
        } else {
            self.held_inputs.retain(|(held, _)| *held != register);
            self.held_inputs.extend(value.map(|value| (register, value)));
        }
    }

    /// The value that a read of a register is held at.
    pub(crate) fn held_input(&self, register: Cell) -> Option<u8> {
        let held = self
            .held_inputs
            .iter()
            .find(|(held, _)| u32::from(*held) == register)?;
        Some(held.1)
    }

    /// Changes a byte of the data address space in a state.
    pub fn poke(&mut self, state: &mut [u8], address: u16, value: u8) {
        self.footprint
            .write(state, u32::from(address), Bits::known(value));
    }
}
