//! What a run of the nondeterministic microcontroller chose, bit by bit: the means to tell a real run from a spurious one.
//!
//! Idea: with delayed nondeterminism an unknown input is copied, and each copy gets its value on its own. Along one path every
//! unknown bit is therefore followed back to the read that brought it: two copies with different values make the path
//! spurious; if there are none, the values of the copies are the inputs.
//!
//! Invariant: a path without conflict has an input for every read under which the chip takes it.

use std::collections::HashMap;

use crate::atom::Atom;
use crate::byte::Bits;
use crate::footprint::Cell;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Which interrupt comes.
    Interrupt,
    /// Whether the watchdog resets the chip.
    Watchdog,
    /// Bits of a cell.
    Bits(Cell),
    /// An input, at the moment of its read.
    Input(u16),
    /// The truth of an atom about memory that was never written.
    Atom(u8),
}

/// What the environment did in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An interrupt came: its index among the rules' interrupts.
    Interrupt(usize),
    /// The watchdog reset the chip.
    WatchdogReset,
    /// An input register was read.
    Read {
        /// Its data address.
        register: u16,
        /// The bits that were open.
        unknown: u8,
        /// The bits that were not.
        value: u8,
        /// The read's number.
        origin: u32,
    },
    /// Bits of an I/O register were found to have a value.
    Found {
        /// Its data address.
        register: u16,
        /// The bits.
        mask: u8,
        /// Their values.
        value: u8,
    },
}

/// Origins of the contents at reset: this plus the number of the cell.
const AT_RESET: u32 = 1 << 30;

/// Follows unknown bits along a path.
#[derive(Debug, Clone, Default)]
pub struct Tracer {
    names: HashMap<Cell, u32>,
    reads: u32,
    first_memory: Cell,
    /// Values of bits, by the number of the read and the bit's position in what was read.
    values: HashMap<(u32, u8), bool>,
    /// Two copies of one bit have got different values.
    pub conflict: bool,
    /// What happened in the step under way.
    pub events: Vec<Event>,
    pub(crate) atoms: Vec<(u8, bool)>,
}

impl Tracer {
    /// A tracer for a chip whose static memory begins at that cell.
    #[must_use]
    pub fn new(first_memory: Cell) -> Self {
        Self {
            first_memory,
            ..Self::default()
        }
    }

    pub(crate) fn origin_of(&self, cell: Cell, bits: Bits) -> u32 {
        match self.names.get(&cell) {
            Some(origin) => *origin,
            None if bits.unknown != 0 => (AT_RESET + cell) * 2,
            None => 0,
        }
    }

    pub(crate) fn moved(&mut self, cell: Cell, bits: Bits) {
        if bits.unknown == 0 {
            self.names.remove(&cell);
        } else if bits.origin == 0 {
            let origin = self.next_read();
            self.names.insert(cell, origin);
        } else {
            self.names.insert(cell, bits.origin);
        }
    }

    fn next_read(&mut self) -> u32 {
        self.reads += 1;
        self.reads * 2
    }

    pub(crate) fn fresh(&mut self, register: u16, value: u8, unknown: u8, _state: &[u8]) -> Bits {
        let origin = self.next_read();
        self.events.push(Event::Read {
            register,
            unknown,
            value: value & !unknown,
            origin: origin / 2,
        });
        Bits::input(value, unknown, origin)
    }

    pub(crate) fn decided(&mut self, decision: Decision, value: u32) {
        if let Decision::Atom(index) = decision {
            self.atoms.push((index, value == 1));
        }
    }

    pub(crate) fn resolved(&mut self, cell: Cell, bits: Bits, mask: u8, value: u8) {
        if (32..self.first_memory).contains(&cell) {
            self.events.push(Event::Found {
                register: cell as u16,
                mask,
                value,
            });
        } else {
            self.demand(bits.origin, mask, value);
        }
    }

    /// Bits that come from a read have these values.
    fn demand(&mut self, origin: u32, mask: u8, value: u8) {
        let (read, swapped) = (origin / 2, origin % 2 == 1);
        for bit in (0..8).filter(|bit| mask >> bit & 1 != 0) {
            let position = if swapped { bit ^ 4 } else { bit };
            let now = value >> bit & 1 != 0;
            if *self.values.entry((read, position)).or_insert(now) != now {
                self.conflict = true;
            }
        }
    }

    pub(crate) fn interrupt(&mut self, index: usize) {
        self.events.push(Event::Interrupt(index));
    }

    pub(crate) fn watchdog(&mut self) {
        self.events.push(Event::WatchdogReset);
    }

    /// The value that an input had: what the path needs, 0 where it needs nothing.
    #[must_use]
    pub fn value_of(&self, read: u32, unknown: u8, value: u8) -> u8 {
        (0..8)
            .filter(|bit| unknown >> bit & 1 != 0 && self.values.get(&(read, *bit)) == Some(&true))
            .fold(value, |value, bit| value | 1 << bit)
    }

    /// The bits of a read on which the path depends.
    #[must_use]
    pub fn needed(&self, read: u32) -> u8 {
        (0..8)
            .filter(|bit| self.values.contains_key(&(read, *bit)))
            .fold(0, |needed, bit| needed | 1 << bit)
    }

    /// Finds contents of memory under which an atom about it has the truth value that was chosen.
    pub(crate) fn settle(&mut self, atom: &Atom, wanted: bool, read: impl Fn(Cell) -> Bits) {
        let open: Vec<(Cell, Bits)> = atom
            .cells()
            .filter_map(|cell| Some((cell, read(cell))).filter(|(_, bits)| bits.unknown != 0))
            .collect();
        for sample in 0..1_u32 << 16 {
            let value = |index: usize| (sample >> (8 * (index % 2))) as u8;
            let with = |cell: Cell| match open.iter().position(|(known, _)| *known == cell) {
                Some(index) => Bits {
                    value: open[index].1.value & !open[index].1.unknown
                        | value(index) & open[index].1.unknown,
                    unknown: 0,
                    origin: 0,
                },
                None => read(cell),
            };
            let agrees = open.iter().enumerate().all(|(index, (_, bits))| {
                let read = bits.origin / 2;
                (0..8).filter(|bit| bits.unknown >> bit & 1 != 0).all(|bit| {
                    let known = self
                        .values
                        .get(&(read, if bits.origin % 2 == 1 { bit ^ 4 } else { bit }));
                    known.is_none_or(|known| *known == (value(index) >> bit & 1 != 0))
                })
            });
            if agrees && atom.truth(with) == crate::atom::Truth::Known(wanted) {
                for (index, (_, bits)) in open.iter().enumerate() {
                    self.demand(bits.origin, bits.unknown, value(index));
                }
                return;
            }
        }
        self.conflict = true;
    }
}
