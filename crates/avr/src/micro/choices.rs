//! Choices: where a step needs to know what is not known, it is run once for each possibility.
//!
//! Idea: a step asks for its choices in an order that depends only on the state and on the choices before. So
//! a sequence of choices names a run of the step, and the next sequence is the last one with its last choice
//! that has another possibility moved on.
//!
//! Invariant: all sequences are tried, each once, in the same order each time.

use kripke_model::Visit;

use super::{Micro, Nondeterminism};
use crate::byte::{AbstractByte, Bits};
use crate::footprint::Cell;
use crate::peripherals::Causes;

/// The choices of the step under way.
#[derive(Default)]
pub(crate) struct Choices {
    /// Each with the number of its possibilities.
    made: Vec<(u32, u32)>,
    /// How many of them the step has asked for.
    asked: usize,
}

impl Choices {
    /// The first sequence.
    pub(crate) fn start(&mut self) {
        self.made.clear();
    }

    /// Whether nothing was chosen.
    pub(crate) fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// The step begins again.
    pub(crate) fn rewind(&mut self) {
        self.asked = 0;
    }

    /// One of `count` possibilities.
    #[inline]
    fn next(&mut self, count: u32) -> u32 {
        if self.asked == self.made.len() {
            self.made.push((0, count));
        }
        let (value, _) = self.made[self.asked];
        self.asked += 1;
        value
    }

    /// Goes on to the next sequence; false if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        self.made.truncate(self.asked);
        while let Some((value, count)) = self.made.pop() {
            if value + 1 < count {
                self.made.push((value + 1, count));
                return true;
            }
        }
        false
    }

    /// How many possibilities there are for a choice that was made, by its place in the sequence.
    pub(crate) fn possibilities(&self, place: usize) -> Option<u32> {
        self.made.get(place).map(|(_, count)| *count)
    }

    /// Makes a choice that was made another one, and forgets those after it.
    pub(crate) fn change(&mut self, place: usize, value: u32) {
        self.made.truncate(place + 1);
        if let Some((chosen, count)) = self.made.last_mut() {
            *chosen = value.min(*count - 1);
        }
    }
}

impl Micro {
    /// One of `count` possibilities.
    pub(crate) fn choose(&mut self, count: u32) -> u32 {
        self.choices.next(count)
    }

    /// Gives bits of a cell values.
    pub(crate) fn resolve(&mut self, cell: Cell, mask: u8) -> Bits {
        let bits = self.read(cell);
        if bits.unknown & mask == 0 {
            return bits;
        }
        let mask = bits.unknown & (mask | self.together(cell, mask));
        // Contents at power-on have 1 below the unknown bit.
        self.caveats.decided_late |= bits.value & mask != 0;
        let value = match self.held_input(cell) {
            Some(held) => held & mask,
            None => deposited(self.choose(1 << mask.count_ones()), mask),
        };
        let value = self.with_ends(cell, bits, mask, value);
        let known = self.settle(cell, bits, mask, value);
        self.note_ends(cell, mask, known);
        known
    }

    /// Gives bits of a cell these values.
    pub(crate) fn settle(&mut self, cell: Cell, bits: Bits, mask: u8, value: u8) -> Bits {
        if let Some(tracer) = &mut self.tracer {
            tracer.resolved(cell, bits, mask, value);
        }
        let known = Bits {
            value: bits.value & !mask | value,
            unknown: bits.unknown & !mask,
            ..bits
        };
        self.write(cell, known);
        known
    }

    /// Decides why the chip was reset: for one reason at least.
    pub(crate) fn find_cause(&mut self, causes: Causes) {
        let cell = u32::from(causes.all.address);
        let bits = self.read(cell);
        let open = bits.unknown & causes.all.mask;
        if open == 0 || bits.ones() & causes.all.mask != 0 || (open | causes.watchdog.mask) != causes.all.mask
        {
            return;
        }
        self.caveats.decided_late = true;
        let chosen = match self.held_input(cell) {
            Some(held) => held & open,
            None => deposited(self.choose((1 << open.count_ones()) - 1) + 1, open),
        };
        self.settle(cell, bits, open, chosen);
    }

    /// An input that is read now. The bits of `loose` stay open in the register that they come from.
    pub(crate) fn fresh(&mut self, register: u16, value: u8, unknown: u8, loose: u8) -> Bits {
        let traced = self.tracer.as_mut();
        let origin = traced.map_or(0, |tracer| tracer.read(register, value, unknown, loose));
        if unknown == 0 {
            return Bits::known(value);
        }
        let bits = Bits::input(value, unknown, origin);
        if let Some(held) = self.held_input(u32::from(register)) {
            return self.found(bits, held & unknown);
        }
        if self.options.nondeterminism == Nondeterminism::Delayed {
            return bits;
        }
        let chosen = self.choose(1 << unknown.count_ones());
        self.found(bits, deposited(chosen, unknown))
    }

    /// A byte that is nowhere any more, with values for the bits that are inputs.
    pub(crate) fn decided(&mut self, bits: Bits) -> Bits {
        if bits.unknown == 0 {
            return bits;
        }
        let chosen = self.choose(1 << bits.unknown.count_ones());
        self.found(bits, deposited(chosen, bits.unknown))
    }

    /// An input that has this value where it was unknown.
    pub(crate) fn found(&mut self, bits: Bits, value: u8) -> Bits {
        if let Some(tracer) = &mut self.tracer {
            tracer.demand(bits.origin, bits.unknown, value);
        }
        Bits::known(bits.ones() | value)
    }

    /// The results of some computation for all choices in it.
    pub(crate) fn visit_all<V: Visit>(
        &mut self,
        mut compute: impl FnMut(&mut Self),
        mut visit: impl FnMut(&mut Self) -> V,
    ) {
        self.choices.start();
        loop {
            compute(self);
            if visit(self).is_break() || !self.choices.advance() {
                return;
            }
        }
    }
}

/// The bits of `mask` filled with the low bits of `value`.
pub(crate) fn deposited(mut value: u32, mask: u8) -> u8 {
    let mut result = 0;
    for bit in 0..8 {
        if mask >> bit & 1 != 0 {
            result |= ((value & 1) as u8) << bit;
            value >>= 1;
        }
    }
    result
}
