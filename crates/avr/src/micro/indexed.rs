//! Accesses to memory at an unknown index, at once for all its values.
//!
//! Idea: an address has to be known, so an unknown index of a buffer would be decided where the address is
//! computed from it: 64 successors for each byte that is received, all of which do the same elsewhere. Where
//! nothing but the next few instructions depends on the address, these are executed for each value of the
//! index in one step: a load brings the bits that all the bytes have in common, and a store makes each of
//! them what it was or what is stored.
//!
//! Invariant: this adds runs and takes none away. In between nothing but registers changes, so that a handler
//! that would come there may as well come before (see [`crate::independence`]).

use super::Micro;
use super::arithmetic::computes;
use crate::byte::{AbstractByte as _, Bits};
use crate::core::address;
use crate::footprint::Cell;
use crate::instruction::{Instruction, Operation as Op, Pointer};
use crate::semantics::{Effect, Step, execute, status};
use crate::state::{header, set_counter, set_faults};
use crate::torn::Manner;
use crate::torn::registers::use_of;

/// Instructions from the one that computes with the index to the access, at the most.
const LONGEST: usize = 8;
/// Unknown bits of an index, at the most.
const MOST_BITS: u32 = 8;

const SREG: Cell = address::SREG as Cell;

/// Instructions that compute an address, and the access there.
struct Indexed {
    /// The word addresses of those that compute.
    computing: Vec<u32>,
    /// The word address of the access.
    at: u32,
    access: Instruction,
    /// The registers and flags that they write before it.
    written: Vec<Cell>,
}

impl Micro {
    /// Executes what leads from an unknown index in a register to the access there; none if that is not what
    /// the instruction under way begins.
    pub(super) fn access_indexed(&mut self, registers: &[(u8, u8)]) -> Option<Step> {
        let &[(register, open)] = registers else {
            return None;
        };
        if open.count_ones() > MOST_BITS || !self.may_be_one_step() {
            return None;
        }
        let indexed = self.indexed(self.draft.pc)?;
        let index = self.read(Cell::from(register));
        let before: Vec<Bits> = indexed.written.iter().map(|cell| self.read(*cell)).collect();
        let mut joined: Vec<Bits> = Vec::new();
        let mut addresses: Vec<u16> = Vec::new();
        let mut is_straight = true;
        let first = self.draft.pc;
        // What else is unknown is not decided here.
        self.draft.leaves_open = true;
        for value in (0..=0xFF_u8).filter(|value| value & !open == 0) {
            for (cell, bits) in indexed.written.iter().zip(&before) {
                self.write(*cell, *bits);
            }
            let known = Bits {
                value: index.value & !open | value,
                unknown: index.unknown & !open,
                ..index
            };
            self.write(Cell::from(register), known);
            for at in &indexed.computing {
                let instruction = self.instruction_at_word(*at);
                self.draft.pc = *at;
                let step = execute(self, &instruction, *at);
                is_straight &= step.next == at + u32::from(instruction.words) && step.effect == Effect::None;
            }
            addresses.extend(self.address_of(&indexed.access));
            let after: Vec<Bits> = indexed.written.iter().map(|cell| self.read(*cell)).collect();
            joined = match joined.is_empty() {
                true => after,
                false => joined
                    .iter()
                    .zip(after)
                    .map(|(one, other)| one.joined(other))
                    .collect(),
            };
        }
        self.draft.pc = first;
        self.draft.leaves_open = false;
        let is_known = addresses.len() == 1 << open.count_ones();
        for (cell, bits) in indexed.written.iter().zip(&before) {
            self.write(*cell, *bits);
        }
        self.write(Cell::from(register), index);
        if !is_known || !is_straight || !addresses.iter().all(|at| self.is_plain_memory(*at)) {
            return None;
        }
        for (cell, bits) in indexed.written.iter().zip(joined) {
            self.write(*cell, bits);
        }
        self.access_all(&indexed, &addresses);
        self.draft.pc = first;
        Some(Step {
            next: indexed.at + u32::from(indexed.access.words),
            effect: Effect::None,
        })
    }

    /// Whether nobody can tell if several instructions are one step.
    fn may_be_one_step(&self) -> bool {
        let is_undisturbed = self.options.reduces_interrupts() || !self.are_interrupts_enabled();
        let is_unobserved = self.labelling.atoms.is_empty() && self.tearing.monitor == 0;
        // A reset by the watchdog keeps what the registers held.
        let watchdog = self.chip.rules.watchdog.map(|watchdog| watchdog.enable);
        let may_be_reset = watchdog.is_some_and(|enable| !self.at(enable).zeros() & enable.mask != 0);
        is_undisturbed && is_unobserved && !may_be_reset && self.tracer.is_none() && !self.draft.is_timed
    }

    /// The states that stand for those in which the chip is while it does what a step did at once for all
    /// values of an index.
    pub(crate) fn in_between(&mut self, before: &[u8], after: &[u8]) -> Vec<Box<[u8]>> {
        let pc = self.pc_of(before);
        let is_original = before[header::FLASH..header::FLASH + 2] == [0, 0];
        let Some(indexed) = self.indexed(pc).filter(|_| is_original && self.has_code(before)) else {
            return Vec::new();
        };
        if self.pc_of(after) != indexed.at + u32::from(indexed.access.words) {
            return Vec::new();
        }
        let mut state = before.to_vec();
        for cell in indexed.written {
            // Interrupts are neither enabled nor disabled.
            let known = if cell == SREG { status::I } else { 0 };
            let bits = self.footprint.read(&state, cell);
            let open = Bits::input(bits.value & known, !known | bits.unknown, 0);
            self.footprint.write(&mut state, cell, open);
        }
        set_faults(&mut state, 0);
        let rest = indexed.computing.iter().skip(1).chain([&indexed.at]);
        let between = rest.map(|at| {
            set_counter(&mut state, *at);
            Box::from(state.as_slice())
        });
        between.collect()
    }

    fn instruction_at_word(&self, at: u32) -> Instruction {
        self.flash[0].program[at as usize]
    }

    /// What begins with the instruction at a word address, if it is what computes an address of which no
    /// trace is left after the access.
    fn indexed(&self, first: u32) -> Option<Indexed> {
        let mut at = first;
        let mut computing = Vec::new();
        let mut written: u32 = 0;
        let mut writes_flags = false;
        for _ in 0..LONGEST {
            let access = *self.flash[0].program.get(at as usize)?;
            let used = use_of(&access);
            match access.operation {
                Op::Ld | Op::St => {
                    let pair = 3 << access.r;
                    let value = 1_u32 << access.d;
                    let after = self.chip.addresses.after(at);
                    let is_load = access.operation == Op::Ld;
                    let fits = written & pair != 0
                        && access.pointer() == Pointer::Plain
                        && after & pair & !used.writes == 0
                        && if is_load {
                            after & value == 0
                        } else {
                            written & value == 0
                        };
                    let mut cells: Vec<Cell> =
                        (0..32).filter(|register| written >> register & 1 != 0).collect();
                    if writes_flags {
                        cells.push(SREG);
                    }
                    return fits.then_some(Indexed {
                        computing,
                        at,
                        access,
                        written: cells,
                    });
                }
                // It may leave out the next one.
                Op::Cpse => return None,
                _ if computes(access.operation) => writes_flags |= used.writes_flags,
                Op::Mov | Op::Movw | Op::Ldi => {}
                _ => return None,
            }
            written |= used.writes;
            computing.push(at);
            at += u32::from(access.words);
        }
        None
    }

    /// The address of an access, if that is known.
    fn address_of(&self, access: &Instruction) -> Option<u16> {
        let low = self.read(Cell::from(access.r)).value()?;
        let high = self.read(Cell::from(access.r) + 1).value()?;
        Some(u16::from_le_bytes([low, high]).wrapping_add(access.k as u16))
    }

    /// Whether a byte is one of static memory that nobody watches.
    fn is_plain_memory(&self, at: u16) -> bool {
        at >= self.chip.space.io_end
            && at < self.chip.loaded.stack_limit
            && !self.labelling.observed[usize::from(at)]
            && !self.read(Cell::from(at)).is_never_written()
    }

    /// Loads from any of these addresses, or stores to any of them.
    fn access_all(&mut self, indexed: &Indexed, addresses: &[u16]) {
        self.draft.pc = indexed.at;
        set_counter(&mut self.draft.state, indexed.at);
        let access = &indexed.access;
        let is_load = access.operation == Op::Ld;
        let stored = self.read(Cell::from(access.d));
        let mut loaded: Option<Bits> = None;
        for at in addresses {
            self.note(*at, if is_load { Manner::Read } else { Manner::Write });
            let cell = Cell::from(*at);
            let old = self.read(cell);
            if is_load {
                loaded = Some(loaded.map_or(old, |known| known.joined(old)));
                continue;
            }
            let new = old.joined(self.kept_of(*at, stored));
            if (new.value, new.unknown) != (old.value, old.unknown) {
                self.write(cell, new);
            }
        }
        if let Some(bits) = loaded {
            self.write(Cell::from(access.d), bits);
        }
    }
}
