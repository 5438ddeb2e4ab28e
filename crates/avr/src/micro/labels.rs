//! The labels of states: the values of atoms, and the faults of the step into a state.
//!
//! Idea: a state holds its labels, as bits of its header. Where an atom depends on bits that are unknown, the
//! step chooses its value, or takes the one that a property of what can be reached asks for.

use kripke_model::{Labels, Visit};

use super::observe::Frames;
use super::{Micro, WhileOpen};
use crate::atom::{Atom, Truth};
use crate::byte::{AbstractByte as _, Bits};
use crate::fault::Fault;
use crate::footprint::{Cell, Footprint};
use crate::peripherals::Place;
use crate::state::header;
use crate::torn;
use crate::tracing::Tracer;

/// Atoms that can be observed at once.
pub const MOST_ATOMS: usize = 48;

/// The label of the states in which the last step committed a fault.
#[must_use]
pub fn fault_label(fault: Fault) -> Labels {
    Labels::from(fault.bit()) << MOST_ATOMS
}

/// What an exploration observes of states.
#[derive(Clone)]
pub(crate) struct Labelling {
    pub(crate) atoms: Vec<(Atom, WhileOpen)>,
    /// Cells that atoms name: they get values when they are written.
    pub(crate) observed: Vec<bool>,
    /// The same cells, one after the other.
    pub(crate) named: Vec<Cell>,
    /// Frames of handlers that atoms ask about.
    pub(crate) frames: Frames,
    /// Registers of input pins that atoms name, and which bits.
    pub(crate) inputs: Vec<(u16, u8)>,
    /// Flags that atoms name, and those whose setting is a choice of its own.
    pub(crate) flags: Vec<Place>,
    /// Busy bits whose clearing is a choice of its own.
    pub(crate) busy: Vec<Place>,
    /// The obligations of the options of which that is so.
    pub(crate) ending: Vec<usize>,
}

impl Labelling {
    /// No atoms yet, of so many cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            atoms: Vec::new(),
            observed: vec![false; cells],
            named: Vec::new(),
            frames: Frames::default(),
            inputs: Vec::new(),
            flags: Vec::new(),
            busy: Vec::new(),
            ending: Vec::new(),
        }
    }

    /// A cell as atoms see it: a flag that may be set at any moment has not been set.
    pub(crate) fn seen(&self, cell: Cell, bits: Bits) -> Bits {
        let flags = self.flags.iter().filter(|flag| u32::from(flag.address) == cell);
        let open = flags.fold(0, |all, flag| all | flag.mask) & bits.unknown;
        Bits {
            value: bits.value & !open,
            unknown: bits.unknown & !open,
            ..bits
        }
    }

    /// Whether some atom says where control is.
    pub(crate) fn is_about_control(&self) -> bool {
        self.atoms.iter().any(|(atom, _)| atom.is_about_control())
    }

    /// Bytes of a state that hold atoms.
    pub(crate) fn bytes(&self) -> std::ops::Range<usize> {
        header::LABELS..header::LABELS + self.atoms.len().div_ceil(8)
    }
}

impl Micro {
    /// Makes the states' labels the values of these atoms, [`MOST_ATOMS`] at the most.
    pub fn observe(&mut self, atoms: Vec<(Atom, WhileOpen)>) {
        for cell in atoms.iter().flat_map(|(atom, _)| atom.cells()) {
            if let Some(observed) = self.labelling.observed.get_mut(cell as usize) {
                *observed = true;
            }
        }
        let cells = 0..self.labelling.observed.len() as Cell;
        self.labelling.named = cells
            .filter(|cell| self.labelling.observed[*cell as usize])
            .collect();
        let reset = self.footprint.clone();
        self.labelling.atoms = atoms;
        self.find_inputs();
        let values = (0..reset.cells() as Cell).map(|cell| match self.is_named_input(cell) {
            true => Bits::known(0),
            false => reset.at_reset(cell),
        });
        let values = values.collect();
        let mut held = self.follow_frames(self.labelling.bytes().end);
        if self.options.watch.is_some() {
            self.tearing.monitor = held;
            held += torn::SIZE;
        }
        self.footprint = Footprint::new(values, held);
    }

    /// Writes the atoms' values into the state.
    pub(crate) fn label(&mut self) {
        for index in 0..self.labelling.atoms.len() {
            let (atom, while_open) = (&self.labelling.atoms[index].0, self.labelling.atoms[index].1);
            let truth = atom.truth(|cell| self.cell_of(&self.draft.state, cell));
            let holds = match (truth, while_open) {
                (Truth::Known(holds), _) => holds,
                (Truth::Open, _) if self.prefix.under_way => false,
                (Truth::Open, WhileOpen::Is(holds)) => {
                    self.caveats.met_open = true;
                    holds
                }
                (Truth::Open, WhileOpen::Either) => {
                    self.caveats.decided_late = true;
                    self.choose(2) == 1
                }
            };
            if !self.prefix.under_way
                && self.labelling.atoms[index]
                    .0
                    .undefined(|cell| self.cell_of(&self.draft.state, cell))
                    .is_some()
            {
                self.caveats.unsupported = Some(
                    "an atom has no value in some state: it divides by zero, shifts too far, or reads \
                     outside \
                     an object",
                );
            }
            let (byte, bit) = (header::LABELS + index / 8, 1 << (index % 8));
            self.draft.state[byte] = self.draft.state[byte] & !bit | if holds { bit } else { 0 };
        }
    }

    /// Finds contents of memory under which atoms about it have the values that a state on the path is
    /// labelled with.
    pub fn settle_labels(&self, state: &[u8], tracer: &mut Tracer) {
        for (index, (atom, _)) in self.labelling.atoms.iter().enumerate() {
            let holds = state[header::LABELS + index / 8] >> (index % 8) & 1 != 0;
            if atom.truth(|cell| self.cell_of(state, cell)) == Truth::Open && !tracer.conflict {
                tracer.settle(atom, holds, |cell| self.cell_of(state, cell));
            }
        }
    }

    /// Registers and static memory that atoms name.
    pub(crate) fn observed_memory(&self) -> Vec<Cell> {
        let memory = |cell: &Cell| *cell < 32 || *cell >= u32::from(self.chip.space.io_end);
        (0..self.labelling.observed.len() as Cell)
            .filter(|cell| self.labelling.observed[*cell as usize] && memory(cell))
            .collect()
    }

    /// Hands out a state with all labels that it can have, until no more is wanted.
    pub(crate) fn visit_labelled<V: Visit>(&mut self, state: &[u8], visit: impl FnMut(&mut Self) -> V) {
        let compute = |micro: &mut Self| {
            micro.begin(state);
            micro.label();
        };
        self.visit_all(compute, visit);
    }
}
