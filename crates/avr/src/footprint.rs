//! Which bytes of the chip a state holds.
//!
//! Idea: most of the chip's memory never changes in a run. A state holds only the bytes that some run has
//! changed so far, one behind the other; all others have the value they have at reset. When a run changes a
//! further byte the footprint has been outgrown: the exploration is given up and begins anew with the larger
//! one. It only grows, so this ends.
//!
//! Invariant: a byte without a slot has its reset value in every state that has been handed out before
//! `outgrown` became true.
//!
//! The thesis stores all memory and compresses it (section 5.3.2); here nothing has to be compressed or
//! copied.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::byte::Bits;

/// A byte of the chip: data address space, then EEPROM, then the page buffer of self-programming,
/// then the high bytes on their way to or from registers of 16 bits.
pub type Cell = u32;

/// Where a run is, as cells that no memory has, so that atoms can read it: four bytes of the address of the
/// next instruction (in bytes), lowest first, and behind them ([`ACTIVE`]) one byte for each interrupt.
pub const COUNTER: Cell = 1 << 30;
/// This plus an interrupt's number: whether its handler is active.
pub const ACTIVE: Cell = COUNTER + 4;
/// Whether what is interrupted is in the midst of a statement.
pub const MID_STATEMENT: Cell = ACTIVE + 256;

/// The value under the unknown bits of a byte of static memory that was never written, or that the lazy stack
/// has given up.
pub const NEVER_WRITTEN: Bits = Bits {
    value: 0x55,
    unknown: 0xFF,
    origin: 0,
};

impl Bits {
    /// Whether these are the contents of a byte that was never written.
    #[must_use]
    pub fn is_never_written(self) -> bool {
        (self.value, self.unknown) == (NEVER_WRITTEN.value, NEVER_WRITTEN.unknown)
    }

    /// The same unknown contents of memory as a copy of it, which is memory that was written.
    #[must_use]
    pub fn copied(self) -> Self {
        if self.is_never_written() {
            return Self { value: 0xFF, ..self };
        }
        self
    }
}

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    value: u32,
    unknown: u32,
}

/// Reset values, and the places of cells in a state.
#[derive(Debug, Clone)]
pub struct Footprint {
    reset: Vec<Bits>,
    slots: Vec<Slot>,
    header: usize,
    size: usize,
    /// The cells that are held, and whether their bits can be unknown.
    held: BTreeMap<Cell, bool>,
    /// The bytes that they take: one, or two where bits can be unknown.
    held_bytes: usize,
    outgrown: bool,
    /// While all cells are held: those that have changed.
    changed: Option<BTreeMap<Cell, bool>>,
}

impl Footprint {
    /// A footprint that holds no cell. States begin with a header of so many bytes.
    #[must_use]
    pub fn new(reset: Vec<Bits>, header: usize) -> Self {
        let none = Slot {
            value: NONE,
            unknown: NONE,
        };
        Self {
            slots: vec![none; reset.len()],
            reset,
            header,
            size: header,
            held: BTreeMap::new(),
            held_bytes: 0,
            outgrown: false,
            changed: None,
        }
    }

    /// Holds every cell, to find out which ones change.
    pub fn widen(&mut self) {
        self.changed = Some(std::mem::take(&mut self.held));
        self.held = (0..self.reset.len() as Cell).map(|cell| (cell, true)).collect();
        self.lay_out();
    }

    /// Holds the cells that have changed since [`Footprint::widen`].
    pub fn narrow(&mut self) {
        if let Some(changed) = self.changed.take() {
            let none = Slot {
                value: NONE,
                unknown: NONE,
            };
            self.slots.fill(none);
            self.held = changed;
            self.lay_out();
        }
    }

    /// The number of cells that have changed since [`Footprint::widen`].
    #[must_use]
    pub fn changed(&self) -> usize {
        self.changed.as_ref().map_or(0, BTreeMap::len)
    }

    /// Bytes of a state.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The cells that are held, in ascending order.
    pub fn held(&self) -> impl Iterator<Item = Cell> + '_ {
        self.held.keys().copied()
    }

    /// Number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.reset.len()
    }

    /// Where the cells begin in a state.
    #[must_use]
    pub(crate) fn first_place(&self) -> usize {
        self.header
    }

    /// The value of a cell at reset.
    #[must_use]
    pub fn at_reset(&self, cell: Cell) -> Bits {
        self.reset[cell as usize]
    }

    /// The bytes that are held, and whether their bits can be unknown.
    #[must_use]
    pub fn layout(&self) -> &BTreeMap<Cell, bool> {
        &self.held
    }

    /// The number of bytes that are held, in this layout or from the next one on.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    /// Whether a cell was changed that no state holds.
    #[must_use]
    pub fn outgrown(&self) -> bool {
        self.outgrown
    }

    /// Asks for a cell to be held from the next layout on.
    pub fn hold(&mut self, cell: Cell, unknown: bool) {
        let unknown = unknown || self.reset[cell as usize].unknown != 0;
        let (before, held) = match self.held.entry(cell) {
            Entry::Vacant(entry) => (0, entry.insert(unknown)),
            Entry::Occupied(entry) => {
                let held = entry.into_mut();
                (1 + usize::from(*held), held)
            }
        };
        *held |= unknown;
        self.held_bytes += 1 + usize::from(*held) - before;
    }

    /// Gives every cell that is held its place, in ascending order.
    pub fn lay_out(&mut self) {
        let mut next = self.header as u32;
        let mut place = || {
            next += 1;
            next - 1
        };
        for (&cell, &unknown) in &self.held {
            self.slots[cell as usize] = Slot {
                value: place(),
                unknown: if unknown { place() } else { NONE },
            };
        }
        self.size = next as usize;
        self.held_bytes = self.size - self.header;
        self.outgrown = false;
    }

    /// Writes the reset values into a state.
    pub fn reset(&self, state: &mut [u8]) {
        for &cell in self.held.keys() {
            let (slot, bits) = (self.slots[cell as usize], self.reset[cell as usize]);
            // A cell that was asked for since the last layout has no place yet.
            if slot.value != NONE {
                state[slot.value as usize] = bits.value;
            }
            if slot.unknown != NONE {
                state[slot.unknown as usize] = bits.unknown;
            }
        }
    }

    /// A cell's contents in a state.
    #[inline]
    #[must_use]
    pub fn read(&self, state: &[u8], cell: Cell) -> Bits {
        let slot = self.slots[cell as usize];
        if slot.value == NONE {
            return self.reset[cell as usize];
        }
        Bits {
            value: state[slot.value as usize],
            unknown: match slot.unknown {
                NONE => 0,
                unknown => state[unknown as usize],
            },
            origin: 0,
        }
    }

    /// Whether all that a state holds is something that another one stands for.
    #[must_use]
    pub fn covers(&self, wide: &[u8], state: &[u8]) -> bool {
        self.held.keys().all(|&cell| {
            let (wide, bits) = (self.read(wide, cell), self.read(state, cell));
            (wide.value ^ bits.value | bits.unknown) & !wide.unknown == 0
        })
    }

    /// Changes a cell in a state.
    #[inline]
    pub fn write(&mut self, state: &mut [u8], cell: Cell, bits: Bits) {
        let slot = self.slots[cell as usize];
        if slot.value == NONE || (slot.unknown == NONE && bits.unknown != 0) {
            let reset = self.reset[cell as usize];
            if slot.value != NONE || (reset.value, reset.unknown) != (bits.value, bits.unknown) {
                self.hold(cell, bits.unknown != 0);
                self.outgrown = true;
            }
            return;
        }
        state[slot.value as usize] = bits.value;
        if slot.unknown != NONE {
            state[slot.unknown as usize] = bits.unknown;
        }
        if let Some(changed) = &mut self.changed {
            let reset = self.reset[cell as usize];
            if (reset.value, reset.unknown) != (bits.value, bits.unknown) {
                *changed.entry(cell).or_insert(false) |= bits.unknown != 0 || reset.unknown != 0;
            }
        }
    }
}
