//! Where there are many ways on from a state, and what they depend on: for whoever explains a large state
//! space.
//!
//! Invariant: nothing that answers depend on changes.

use super::Micro;
use crate::footprint::Cell;
use crate::tracing::{Event, Tracer};

/// Successors of a state from which on they are noted.
const MANY: u64 = 16;

/// The successors of states at one instruction, where a state has many.
#[derive(Debug, Clone, Default)]
pub(crate) struct Width {
    /// Of all states.
    total: u64,
    /// Of the state with most of them.
    most: u64,
    /// That state.
    state: Box<[u8]>,
}

impl Micro {
    /// Notes that a state has so many successors.
    #[inline]
    pub(crate) fn note_width(&mut self, state: &[u8], successors: u64) {
        if successors < MANY {
            return;
        }
        let width = self.widths.entry(self.pc_of(state)).or_default();
        // States of an earlier exploration had another form.
        if width.state.len() != state.len() {
            *width = Width::default();
        }
        width.total += successors;
        if successors > width.most {
            (width.most, width.state) = (successors, state.into());
        }
    }

    /// The instruction whose states had most successors, if there were many: its word address, the number of
    /// successors of the state with most of them, and what the environment did on the way to the last of
    /// these.
    pub fn widest(&mut self) -> Option<(u32, u64, Vec<Event>)> {
        let widest = self.widths.iter().max_by_key(|(_, width)| width.total);
        let (word, Width { most, state, .. }) = widest.map(|(word, width)| (*word, width.clone()))?;
        if state.len() != self.footprint.size() {
            return Some((word, most, Vec::new()));
        }
        let (footprint, caveats) = (self.footprint.clone(), self.caveats.clone());
        let mut tracer = Tracer::new(u32::from(self.chip.space.io_end));
        let events = self.trace_choice(&state, most - 1, &mut tracer);
        (self.footprint, self.caveats) = (footprint, caveats);
        Some((word, most, events))
    }

    /// What the environment does in a step.
    fn trace_choice(&mut self, state: &[u8], choice: u64, tracer: &mut Tracer) -> Vec<Event> {
        self.choices.start();
        for _ in 0..choice {
            self.begin(state);
            self.step();
            if !self.choices.advance() {
                return Vec::new();
            }
        }
        self.begin(state);
        self.tracer = Some(std::mem::take(tracer));
        self.step();
        *tracer = self.tracer.take().unwrap_or_default();
        std::mem::take(&mut tracer.events)
    }

    /// The bytes of the chip that states hold, in ascending order.
    pub fn held_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.footprint.held()
    }

    /// Where a cell is in the chip: data address space, EEPROM, or elsewhere.
    #[must_use]
    pub fn data_address(&self, cell: Cell) -> Option<u16> {
        let end = u32::from(self.chip.space.data_end);
        (cell < end).then_some(cell as u16)
    }

    /// The address below which the stack may not grow.
    #[must_use]
    pub fn stack_limit(&self) -> u16 {
        self.chip.loaded.stack_limit
    }
}
