//! The bits that the step under way reads and writes.

use super::Micro;
use crate::byte::{AbstractByte, Bits};
use crate::fault::Fault;
use crate::footprint::Cell;
use crate::peripherals::{Place, Test};

impl Micro {
    #[inline]
    pub(crate) fn read(&self, cell: Cell) -> Bits {
        let mut bits = self.footprint.read(&self.draft.state, cell);
        if let Some(tracer) = &self.tracer {
            bits.origin = tracer.origin_of(cell, bits);
        }
        bits
    }

    #[inline]
    pub(crate) fn write(&mut self, cell: Cell, bits: Bits) {
        self.footprint.write(&mut self.draft.state, cell, bits);
        if let Some(tracer) = &mut self.tracer {
            tracer.moved(cell, bits);
        }
    }

    pub(crate) fn at(&self, place: Place) -> Bits {
        self.read(u32::from(place.address))
    }

    /// Sets bits of a register to known values.
    pub(crate) fn set_place(&mut self, place: Place, value: bool) {
        let bits = self.at(place);
        let changed = Bits {
            value: bits.value & !place.mask | if value { place.mask } else { 0 },
            unknown: bits.unknown & !place.mask,
            ..bits
        };
        self.write(u32::from(place.address), changed);
        self.draft.io_changed = true;
    }

    pub(crate) fn set_unknown(&mut self, place: Place) {
        let bits = self.at(place);
        let changed = Bits {
            value: bits.value & !place.mask,
            unknown: bits.unknown | place.mask,
            origin: 0,
        };
        self.write(u32::from(place.address), changed);
    }

    pub(crate) fn holds(&self, tests: &[Test]) -> bool {
        tests.iter().all(|test| match *test {
            Test::Any(place) => !self.at(place).zeros() & place.mask != 0,
            Test::None(place) => self.at(place).ones() & place.mask == 0,
        })
    }

    pub(crate) fn commit(&mut self, fault: Fault) {
        self.draft.faults |= fault.bit();
    }
}
