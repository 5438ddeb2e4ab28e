//! Counterexamples run on the concrete core.
//!
//! Idea: the path of a counterexample tells when interrupts came and what the inputs were. The concrete core
//! is given just that, with one byte for every unknown one, and has to go the same way: the same counter,
//! registers, memory and atoms after each step. Peripherals are part of the environment here; what the core
//! reads of them is what the path says.
//!
//! Invariant: the core shares the instructions' semantics with the microcontroller that found the path, but
//! neither its unknown bits nor its memory, so that a fault in these two cannot make a run that is none.

use kripke_model::Labels;

use crate::byte::{AbstractByte, Bits};
use crate::core::{Core, address};
use crate::device::Device;
use crate::footprint::{ACTIVE, COUNTER};
use crate::image::Image;
use crate::micro::Micro;
use crate::tracing::{Event, Tracer};

/// A path that is run on the concrete core.
pub struct Replay<'a> {
    micro: &'a Micro,
    tracer: &'a Tracer,
    core: Core,
}

impl<'a> Replay<'a> {
    /// The core in the first state of a path. The tracer has followed the whole path.
    #[must_use]
    pub fn new(micro: &'a Micro, tracer: &'a Tracer, image: &Image, device: &Device, state: &[u8]) -> Self {
        let mut replay = Self {
            micro,
            tracer,
            core: Core::new(image, device),
        };
        for at in 0..micro.chip.space.data_end {
            let bits = replay.at_reset(state, at);
            replay.core.set_data(at, bits);
        }
        replay
    }

    fn at_reset(&self, state: &[u8], at: u16) -> u8 {
        let bits = self.micro.byte_of(state, at);
        let origin = Tracer::at_reset(u32::from(at));
        self.tracer.concrete(Bits { origin, ..bits })
    }

    /// Takes the I/O registers from a state.
    fn take_registers(&mut self, state: &[u8]) {
        for at in (32..self.micro.chip.space.io_end).filter(|at| !is_of_core(*at)) {
            self.core.set_data(at, self.micro.byte_of(state, at).ones());
        }
    }

    /// Runs one step of the path; whether the core is then in the state that the path says. Where properties
    /// have not begun, `atoms` do not matter.
    pub fn step(&mut self, atoms: bool, before: &[u8], events: &[Event], after: &[u8]) -> bool {
        self.take_registers(before);
        let mut executes = !self.micro.is_asleep(before);
        for event in events {
            match *event {
                Event::Interrupt(index) => {
                    self.core
                        .interrupt(self.micro.chip.rules.interrupts[index].vector);
                    executes = false;
                }
                Event::WatchdogReset => {
                    self.core.pc = self.micro.pc_of(after);
                    for at in (32..self.micro.chip.space.io_end).filter(|at| is_of_core(*at)) {
                        self.core.set_data(at, self.micro.byte_of(after, at).ones());
                    }
                    executes = false;
                }
                Event::Read {
                    register,
                    unknown,
                    value,
                    origin,
                } => self
                    .core
                    .set_data(register, self.tracer.value_of(origin, unknown, value)),
                // What follows is taken from the next state.
                Event::Set { .. } => {}
                Event::Row { value } => self.core.set_row(value),
                Event::Found {
                    register,
                    mask,
                    value,
                } => {
                    let others = self.core.data(register) & !mask;
                    self.core.set_data(register, others | value & mask);
                }
            }
        }
        if executes && self.micro.has_code(before) {
            self.core.step();
        }
        self.take_registers(after);
        self.micro.has_ended(after)
            || self.agrees(after) && (!atoms || self.labels(after) == self.micro.atoms_of(after))
    }

    fn agrees(&self, state: &[u8]) -> bool {
        let same = |at: u16| {
            let bits = self.micro.byte_of(state, at);
            (self.core.data(at) ^ bits.value) & !bits.unknown == 0
        };
        self.core.pc == self.micro.pc_of(state)
            && (0..32)
                .chain(self.micro.chip.space.io_end..self.micro.chip.space.data_end)
                .all(same)
            && [address::SREG, address::SPL].into_iter().all(same)
    }

    /// The atoms that hold of what the core holds; which handlers are active is no part of that.
    fn labels(&self, state: &[u8]) -> Labels {
        let counter = (self.core.pc * 2).to_le_bytes();
        self.micro.labels_of(|cell| match cell {
            ..COUNTER => Bits::known(u16::try_from(cell).map_or(0, |at| self.core.data(at))),
            COUNTER..ACTIVE => Bits::known(counter[(cell - COUNTER) as usize]),
            ACTIVE.. => self.micro.cell_of(state, cell),
        })
    }
}

/// Registers that instructions themselves change.
fn is_of_core(at: u16) -> bool {
    matches!(at, address::SREG | address::SPL | address::SPH)
}
