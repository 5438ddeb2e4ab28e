//! What a state holds besides the chip's memory, and how it is read.
//!
//! Idea: a state is a header (counter, flags, faults, depth of handlers, number of the contents of flash,
//! pins that settle, labels) and the cells of the [footprint](crate::footprint). Everything that looks at
//! states of a search does it here.

use std::sync::Arc;

use kripke_model::Labels;

use crate::atom::{Atom, Truth};
use crate::byte::Bits;
use crate::fault::Fault;
use crate::footprint::Cell;
use crate::instruction::{Instruction, decode_all};
use crate::micro::{Flash, Micro};

/// Offsets in a state's header.
pub(crate) mod header {
    pub const PC: usize = 0;
    pub const FLAGS: usize = 2;
    pub const FAULT: usize = 3;
    pub const DEPTH: usize = 4;
    pub const FLASH: usize = 5;
    pub const SETTLING: usize = 7;
    /// The faults that do not fit into the first byte, and above them bit 16 of the counter.
    pub const MORE_FAULTS: usize = 8;
    pub const LABELS: usize = 9;
}

/// One more instruction is executed before an interrupt.
pub(crate) const DELAY: u8 = 1;
/// The core sleeps.
pub(crate) const ASLEEP: u8 = 2;
/// Cycles that are left in which bits are set for certain that hardware clears after four cycles.
pub(crate) const TIMED: u8 = 0x14;
/// No step follows: what the chip would do is not defined.
pub(crate) const ENDED: u8 = 8;

/// Bit 16 of the counter, in the byte of the header that it shares with faults.
const UPPER_COUNTER: u8 = 0x80;

/// Which port the last instruction changed, from 1 on; 0 for none. Its pins in the header's byte `SETTLING`
/// are read as they were or as they are.
const PORT: u8 = 0xE0;

/// Interrupts have waited for an instruction that was executed since, in the byte of the header that it
/// shares with faults.
const WAITED: u8 = 0x40;

/// Pins that the program has just changed: the chip samples them, and shows the new level one instruction
/// later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Settling {
    /// The port's number from 1 on, 0 for none; ports from the seventh on share a number.
    port: u8,
    pins: u8,
}

impl Settling {
    /// Pins of the port with that index.
    pub(crate) fn new(port: usize, pins: u8) -> Self {
        let port = (port + 1).min(7) as u8;
        Self { port, pins }
    }

    /// The pins of the port with that index that settle.
    pub(crate) fn of(self, port: usize) -> u8 {
        if Self::new(port, 0).port == self.port {
            self.pins
        } else {
            0
        }
    }

    /// What a state says.
    pub(crate) fn read(state: &[u8]) -> Self {
        Self {
            port: (state[header::FLAGS] & PORT) >> PORT.trailing_zeros(),
            pins: state[header::SETTLING],
        }
    }

    /// Writes it into a state.
    pub(crate) fn write(self, state: &mut [u8]) {
        let flags = state[header::FLAGS] & !PORT;
        state[header::FLAGS] = flags | self.port << PORT.trailing_zeros();
        state[header::SETTLING] = self.pins;
    }
}

/// How many of these cycles are left.
pub(crate) fn timed_cycles(flags: u8) -> u8 {
    flags >> 2 & 1 | flags >> 3 & 2
}

/// The flags of so many cycles, three at the most: the access itself is in the fourth.
pub(crate) fn timed_flags(cycles: u8) -> u8 {
    (cycles & 1) << 2 | (cycles & 2) << 3
}

/// The bits of the faults that the step into a state committed.
pub(crate) fn faults(state: &[u8]) -> u16 {
    let more = state[header::MORE_FAULTS] & !(UPPER_COUNTER | WAITED);
    u16::from_le_bytes([state[header::FAULT], more])
}

/// Notes the bits of the faults of a step.
pub(crate) fn set_faults(state: &mut [u8], faults: u16) {
    let [low, high] = faults.to_le_bytes();
    state[header::FAULT] = low;
    state[header::MORE_FAULTS] = state[header::MORE_FAULTS] & (UPPER_COUNTER | WAITED) | high;
}

/// Whether interrupts have waited for an instruction that was executed since.
pub(crate) fn have_waited(state: &[u8]) -> bool {
    state[header::MORE_FAULTS] & WAITED != 0
}

/// Notes whether interrupts have waited.
pub(crate) fn set_waited(state: &mut [u8], waited: bool) {
    let others = state[header::MORE_FAULTS] & !WAITED;
    state[header::MORE_FAULTS] = others | if waited { WAITED } else { 0 };
}

/// Whether two headers differ in nothing but whether interrupts may come at once.
pub(crate) fn same_header(one: &[u8], other: &[u8]) -> bool {
    let ignored = |at: usize| match at {
        header::FLAGS => DELAY,
        header::MORE_FAULTS => WAITED,
        _ => 0,
    };
    let mut bytes = one.iter().zip(other).enumerate();
    bytes.all(|(at, (one, other))| (one ^ other) & !ignored(at) == 0)
}

/// The word address of the next instruction.
pub(crate) fn counter(state: &[u8]) -> u32 {
    let lower = u16::from_le_bytes([state[header::PC], state[header::PC + 1]]);
    let upper = state[header::MORE_FAULTS] & UPPER_COUNTER;
    u32::from(upper) << 16 >> UPPER_COUNTER.trailing_zeros() | u32::from(lower)
}

/// Notes the word address of the next instruction.
pub(crate) fn set_counter(state: &mut [u8], counter: u32) {
    let [low, high, upper, _] = counter.to_le_bytes();
    state[header::PC] = low;
    state[header::PC + 1] = high;
    let upper = (upper & 1) << UPPER_COUNTER.trailing_zeros();
    state[header::MORE_FAULTS] = state[header::MORE_FAULTS] & !UPPER_COUNTER | upper;
}

impl Micro {
    /// The word address of the next instruction in a state.
    #[must_use]
    pub fn pc_of(&self, state: &[u8]) -> u32 {
        counter(state)
    }

    /// The faults that the step into this state committed.
    pub fn faults_of(&self, state: &[u8]) -> impl Iterator<Item = Fault> + use<> {
        let faults = faults(state);
        Fault::ALL
            .into_iter()
            .filter(move |fault| faults & fault.bit() != 0)
    }

    /// Whether the step into this state committed a fault.
    #[must_use]
    pub fn has_fault(&self, state: &[u8], fault: Fault) -> bool {
        faults(state) & fault.bit() != 0
    }

    /// Whether the core sleeps.
    #[must_use]
    pub fn is_asleep(&self, state: &[u8]) -> bool {
        state[header::FLAGS] & ASLEEP != 0
    }

    /// Whether no step follows.
    #[must_use]
    pub fn has_ended(&self, state: &[u8]) -> bool {
        state[header::FLAGS] & ENDED != 0
    }

    /// Whether the next instruction is part of the image, or was programmed since.
    #[must_use]
    pub fn has_code(&self, state: &[u8]) -> bool {
        let is_original = state[header::FLASH..header::FLASH + 2] == [0, 0];
        let is_code = self.chip.loaded.is_code.get(self.pc_of(state) as usize);
        !is_original || is_code.copied().unwrap_or(false)
    }

    /// The atoms that a state is labelled with.
    #[must_use]
    pub fn atoms_of(&self, state: &[u8]) -> Labels {
        (0..self.labelling.atoms.len().div_ceil(8)).fold(0, |labels, byte| {
            labels | u64::from(state[header::LABELS + byte]) << (8 * byte)
        })
    }

    /// The atoms that hold of certain contents of the chip.
    pub(crate) fn labels_of(&self, read: impl Fn(Cell) -> Bits) -> Labels {
        let holds = |atom: &Atom| atom.truth(&read) == Truth::Known(true);
        let atoms = self.labelling.atoms.iter().enumerate();
        atoms.fold(0, |labels, (index, (atom, _))| {
            labels | u64::from(holds(atom)) << index
        })
    }

    /// A byte of the data address space in a state.
    #[must_use]
    pub fn byte_of(&self, state: &[u8], address: u16) -> Bits {
        match u32::from(address) {
            cell if address < self.chip.space.data_end => self.footprint.read(state, cell),
            _ => Bits::input(0, 0xFF, 0),
        }
    }

    /// The bits of a byte of the data address space that have no value at reset.
    #[must_use]
    pub fn undefined_at_reset(&self, address: u16) -> u8 {
        self.footprint.at_reset(u32::from(address)).unknown
    }

    /// The instruction that is next in a state.
    #[must_use]
    pub fn instruction_of(&self, state: &[u8]) -> Instruction {
        self.flash_of(state).program[self.pc_of(state) as usize]
    }

    /// The instruction at a word address, by the contents of flash in a state.
    #[must_use]
    pub fn instruction_at(&self, state: &[u8], word: u32) -> Option<Instruction> {
        self.flash_of(state).program.get(word as usize).copied()
    }

    pub(crate) fn flash_of(&self, state: &[u8]) -> &Flash {
        let version = u16::from_le_bytes([state[header::FLASH], state[header::FLASH + 1]]);
        &self.flash[usize::from(version)]
    }

    pub(crate) fn set_flash(&mut self, bytes: Vec<u8>) {
        let known = self.flash.iter().position(|flash| flash.bytes == bytes);
        if known.is_none() && self.flash.len() > usize::from(u16::MAX) {
            self.caveats.unsupported = Some("self-programming leads to more than 65,536 contents of flash");
            return;
        }
        let version = known.unwrap_or_else(|| {
            let program = decode_all(&bytes);
            self.flash.push(Arc::new(Flash { bytes, program }));
            self.flash.len() - 1
        });
        let [low, high] = (version as u16).to_le_bytes();
        self.draft.state[header::FLASH] = low;
        self.draft.state[header::FLASH + 1] = high;
    }
}
