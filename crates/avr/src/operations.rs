//! Operations that the program starts and that end by themselves: a conversion, a transfer.
//!
//! Idea: while one is under way its busy bit may be 0 already and its flag 1, both unknown until something
//! looks at them. What is decided of one says something of the other.
//!
//! Invariant: while busy bit and flag are both unknown, and the operation does not begin again by itself, it
//! has ended if and only if the flag is 1. So a flag that is cleared unseen, or is there when the next
//! operation begins, is decided first.
//!
//! Source: the descriptions of ADSC and ADIF, and of SPIF, in the datasheets.

use crate::byte::{AbstractByte as _, Bits};
use crate::footprint::Cell;
use crate::micro::Micro;
use crate::peripherals::{Operation, Place, Test};

impl Micro {
    /// The bits of a cell that are decided with some of its bits: a busy bit and the flag that its end sets.
    pub(crate) fn together(&self, cell: Cell, mask: u8) -> u8 {
        let operations = self.chip.rules.operations.iter();
        let here = operations
            .filter(|operation| {
                u32::from(operation.busy.address) == cell && operation.busy.address == operation.flag.address
            })
            .map(|operation| operation.busy.mask | operation.flag.mask);
        here.filter(|both| both & mask != 0)
            .fold(0, |all, both| all | both)
    }

    /// The values of bits, in which an operation has ended if and only if it has set its flag.
    pub(crate) fn with_ends(&self, cell: Cell, open: Bits, mask: u8, value: u8) -> u8 {
        let mut value = value;
        for (index, operation) in self.chip.rules.operations.iter().enumerate() {
            let Operation { busy, flag, .. } = operation;
            let is_here = u32::from(busy.address) == cell && busy.address == flag.address;
            let both = busy.mask | flag.mask;
            if is_here && open.unknown & mask & both == both && !self.repeats(index) {
                let busy_bit = if value & flag.mask == 0 { busy.mask } else { 0 };
                value = value & !busy.mask | busy_bit;
            }
        }
        value
    }

    /// An operation that no register shows has ended when its flag is found to be 1.
    pub(crate) fn note_ends(&mut self, cell: Cell, mask: u8, known: Bits) {
        for index in 0..self.chip.rules.operations.len() {
            let operation = &self.chip.rules.operations[index];
            let (busy, flag) = (operation.busy, operation.flag);
            let is_found = u32::from(flag.address) == cell && known.ones() & mask & flag.mask != 0;
            if is_found && operation.started_by.is_some() {
                self.set_place(busy, false);
            }
        }
    }

    /// The chip falls asleep, which begins a conversion in one of the modes of sleep.
    pub(crate) fn start_asleep(&mut self) {
        for index in 0..self.chip.rules.operations.len() {
            let operation = &self.chip.rules.operations[index];
            let (busy, flag) = (operation.busy, operation.flag);
            if operation.started_by.is_none() && self.holds(&operation.needs) && self.choose(2) == 1 {
                self.resolve(u32::from(flag.address), flag.mask);
                self.set_place(busy, true);
            }
        }
    }

    /// Whether an operation may begin again by itself.
    fn repeats(&self, index: usize) -> bool {
        let again = &self.chip.rules.operations[index].again;
        !again.is_empty() && self.holds(again)
    }

    /// Whether the operation that a flag ends may begin again by itself.
    pub(crate) fn begins_again(&self, flag: Place) -> bool {
        let operations = self.chip.rules.operations.iter().enumerate();
        let mut own = operations.filter(|(_, operation)| operation.flag == flag);
        own.any(|(index, _)| self.repeats(index))
    }

    /// A write to the register that starts an operation. What became of an earlier one is decided first.
    pub(crate) fn start_operations(&mut self, at: u16) {
        for index in 0..self.chip.rules.operations.len() {
            let Operation {
                busy,
                flag,
                started_by,
                ..
            } = self.chip.rules.operations[index];
            if started_by == Some(at) {
                self.resolve(u32::from(flag.address), flag.mask);
                self.set_place(busy, true);
            }
        }
    }

    /// A handler is entered for a flag: if nothing has looked at it, its operation has ended.
    pub(crate) fn end_operation(&mut self, flag: Place) {
        for index in 0..self.chip.rules.operations.len() {
            let operation = &self.chip.rules.operations[index];
            let (busy, is_own) = (operation.busy, operation.flag == flag);
            if is_own && self.at(flag).unknown & flag.mask != 0 && !self.repeats(index) {
                self.set_place(busy, false);
            }
        }
    }

    /// Before a write to a register: what became of operations is decided if the write begins one, clears its
    /// flag, or changes whether it begins again by itself.
    pub(crate) fn decide_operations(&mut self, at: u16, written: u8, cleared: u8) {
        for index in 0..self.chip.rules.operations.len() {
            let Operation {
                busy, flag, again, ..
            } = &self.chip.rules.operations[index];
            let (busy, flag) = (*busy, *flag);
            let begins = busy.address == at && written & busy.mask != 0;
            let clears = flag.address == at && cleared & flag.mask != 0;
            let is_condition =
                |test: &Test| matches!(test, Test::Any(place) | Test::None(place) if place.address == at);
            let turns = again.iter().any(is_condition) && self.repeats(index);
            if begins || clears || turns {
                self.resolve(u32::from(flag.address), flag.mask);
            }
        }
    }
}
