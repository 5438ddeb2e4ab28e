//! What a run of the nondeterministic microcontroller chose, bit by bit: the means to tell a real run from a
//! spurious one.
//!
//! Idea: with delayed nondeterminism an unknown input is copied, and each copy gets its value on its own.
//! Along one path every unknown bit is therefore followed back to the read that brought it: two copies with
//! different values make the path spurious; if there are none, the values of the copies are the inputs.
//!
//! Invariant: a path without conflict has an input for every read under which the chip takes it.

use std::collections::{BTreeMap, HashMap};

use crate::atom::{Atom, Truth};
use crate::byte::{AbstractByte, Bits};
use crate::footprint::Cell;

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
    /// Hardware set a flag that an atom names.
    Set {
        /// The data address of its register.
        register: u16,
        /// The flag.
        mask: u8,
    },
    /// LPM read lock bits, fuses or the signature row.
    Row {
        /// What it read.
        value: u8,
    },
}

/// Origins of the contents at reset: this plus the number of the cell.
const AT_RESET: u32 = 1 << 30;

/// What a tracer knows about a moment, apart from the numbers of reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    copies: Vec<(Cell, u32, Vec<Option<bool>>)>,
    reset: Vec<(u32, u8, bool)>,
}

/// Follows unknown bits along a path.
#[derive(Debug, Clone, Default)]
pub struct Tracer {
    names: HashMap<Cell, u32>,
    reads: u32,
    first_memory: Cell,
    /// Values of bits, by the number of the read and the bit's position in what was read.
    values: HashMap<(u32, u8), bool>,
    /// Bits of reads that copy what a register goes on holding: the register may get another value.
    loose: HashMap<u32, u8>,
    /// Two copies of one bit have got different values, or may have.
    pub conflict: bool,
    /// Memory was read that the lazy stack may have given up.
    pub forgotten: bool,
    /// What happened in the step under way.
    pub events: Vec<Event>,
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

    /// The origin of a cell's contents at reset.
    pub(crate) fn at_reset(cell: Cell) -> u32 {
        (AT_RESET + cell) * 2
    }

    pub(crate) fn origin_of(&self, cell: Cell, bits: Bits) -> u32 {
        match self.names.get(&cell) {
            Some(origin) => *origin,
            None if bits.unknown != 0 => Self::at_reset(cell),
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

    /// A read of an input; its origin. The bits of `loose` stay open in the register that they come from.
    pub(crate) fn read(&mut self, register: u16, value: u8, unknown: u8, loose: u8) -> u32 {
        let origin = self.next_read();
        self.loose.insert(origin / 2, loose);
        self.events.push(Event::Read {
            register,
            unknown,
            value: value & !unknown,
            origin: origin / 2,
        });
        origin
    }

    /// A read of a register that goes on holding what was read.
    pub(crate) fn copied(&mut self, register: u16, bits: Bits) {
        self.events.push(Event::Read {
            register,
            unknown: bits.unknown,
            value: bits.ones(),
            origin: bits.origin / 2,
        });
    }

    pub(crate) fn resolved(&mut self, cell: Cell, bits: Bits, mask: u8, value: u8) {
        if (32..self.first_memory).contains(&cell) {
            self.events.push(Event::Found {
                register: cell as u16,
                mask,
                value,
            });
        }
        self.demand(bits.origin, mask, value);
    }

    /// Bits that come from a read have these values.
    pub(crate) fn demand(&mut self, origin: u32, mask: u8, value: u8) {
        let (read, swapped) = (origin / 2, origin % 2 == 1);
        let loose = self.loose.get(&read).copied().unwrap_or(0);
        for bit in (0..8).filter(|bit| mask >> bit & 1 != 0) {
            let position = if swapped { bit ^ 4 } else { bit };
            self.conflict |= loose >> position & 1 != 0;
            let now = value >> bit & 1 != 0;
            if *self.values.entry((read, position)).or_insert(now) != now {
                self.conflict = true;
            }
        }
    }

    pub(crate) fn interrupt(&mut self, index: usize) {
        self.events.push(Event::Interrupt(index));
    }

    pub(crate) fn set(&mut self, register: u16, mask: u8) {
        self.events.push(Event::Set { register, mask });
    }

    pub(crate) fn row(&mut self, value: u8) {
        self.events.push(Event::Row { value });
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

    /// The value that a bit has by what the path has needed so far.
    fn decided(&self, bits: Bits, bit: u8) -> Option<bool> {
        let position = if bits.origin % 2 == 1 { bit ^ 4 } else { bit };
        self.values.get(&(bits.origin / 2, position)).copied()
    }

    /// What tells two moments apart at which the chip is in the same state: which unknown bytes are copies of
    /// one read, and what is decided of them. Equal shapes have equal futures.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let mut names: Vec<(Cell, u32)> = self.names.iter().map(|(cell, origin)| (*cell, *origin)).collect();
        names.sort_unstable();
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut copies = Vec::new();
        for (cell, origin) in names {
            let next = numbers.len() as u32;
            let number = match origin / 2 {
                reset @ AT_RESET.. => reset,
                read => *numbers.entry(read).or_insert(next),
            };
            let decided = (0..8).map(|bit| self.values.get(&(origin / 2, bit)).copied());
            copies.push((cell, number * 2 + origin % 2, decided.collect()));
        }
        let reset = self.values.iter().filter(|((read, _), _)| *read >= AT_RESET);
        let mut reset: Vec<(u32, u8, bool)> =
            reset.map(|((read, bit), value)| (*read, *bit, *value)).collect();
        reset.sort_unstable();
        Shape { copies, reset }
    }

    /// What memory held at reset, where the path depends on it: cells with the bits that matter and their
    /// values.
    #[must_use]
    pub fn needed_at_reset(&self) -> Vec<(Cell, u8, u8)> {
        let mut needed: BTreeMap<Cell, (u8, u8)> = BTreeMap::new();
        for ((read, bit), value) in &self.values {
            if let Some(cell) = read.checked_sub(AT_RESET) {
                let (mask, bits) = needed.entry(cell).or_default();
                *mask |= 1 << bit;
                *bits |= u8::from(*value) << bit;
            }
        }
        let cells = needed.into_iter();
        cells.map(|(cell, (mask, bits))| (cell, mask, bits)).collect()
    }

    /// The value of a byte: bits on which the path does not depend are 0.
    #[must_use]
    pub fn concrete(&self, bits: Bits) -> u8 {
        (0..8)
            .filter(|bit| bits.unknown >> bit & 1 != 0 && self.decided(bits, *bit) == Some(true))
            .fold(bits.value & !bits.unknown, |value, bit| value | 1 << bit)
    }

    /// Finds contents of memory under which an atom about it has the truth value that a state's label tells.
    ///
    /// All contents are tried up to 16 open bits; beyond, those in which each two bytes are alike.
    pub(crate) fn settle(&mut self, atom: &Atom, wanted: bool, read: impl Fn(Cell) -> Bits) {
        let with_origin = |cell| {
            let bits = read(cell);
            let origin = self.origin_of(cell, bits);
            (cell, Bits { origin, ..bits })
        };
        let cells: Vec<(Cell, Bits)> = atom.cells().map(with_origin).collect();
        let mut open: Vec<(usize, u8)> = Vec::new();
        let mut bytes: Vec<u8> = Vec::new();
        for (index, (_, bits)) in cells.iter().enumerate() {
            bytes.push(self.concrete(*bits));
            let undecided = |bit: &u8| bits.unknown >> bit & 1 != 0 && self.decided(*bits, *bit).is_none();
            open.extend((0..8).filter(undecided).map(|bit| (index, bit)));
        }
        for sample in 0..1_u32 << open.len().min(16) {
            let mut tried = bytes.clone();
            for (number, (index, bit)) in open.iter().enumerate() {
                tried[*index] |= ((sample >> (number % 16) & 1) as u8) << bit;
            }
            let with = |cell| {
                let index = cells.iter().position(|(known, _)| *known == cell);
                Bits::known(index.map_or(0, |index| tried[index]))
            };
            if atom.truth(with) == Truth::Known(wanted) {
                for (index, bit) in open {
                    self.demand(cells[index].1.origin, 1 << bit, tried[index]);
                }
                return;
            }
        }
        self.conflict = true;
    }
}
