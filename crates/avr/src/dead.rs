//! Dead variable reduction: what nothing reads any more is 0, so that states which differ only in it are one.
//!
//! Idea: where a state is handed out, the bits of registers and flags that are dead there
//! ([`crate::live`]) become 0. What the analysis of liveness rests on is looked at while states are explored:
//! where a run breaks it, the exploration begins anew with what was seen ([`Unforeseen`]).
//!
//! Invariant: registers and flags that atoms name are known to the analysis ([`Given::registers`]), so no
//! atom can tell.
//!
//! Source: section 6.4.1 of Schlich's thesis.

use crate::byte::Bits;
use crate::cfg::Cfg;
use crate::core::address;
use crate::footprint::Footprint;
use crate::image::Image;
use crate::independence::Handlers;
use crate::instruction::Operation as Op;
use crate::live::{Given, Liveness};
use crate::micro::Micro;
use crate::semantics::status;
use crate::state::same_header;
use crate::torn::Manner;

/// What is known of a program before it is explored.
#[derive(Debug)]
pub struct Analysis {
    /// What is live at each instruction.
    pub liveness: Liveness,
    /// What is known of its handlers, or why nothing is.
    pub handlers: Result<Handlers, String>,
}

impl Analysis {
    /// Analyses a program, with what is known beside it.
    #[must_use]
    pub fn new(image: &Image, cfg: &Cfg, given: &Given) -> Self {
        let liveness = Liveness::given(cfg, given);
        Self {
            handlers: Handlers::new(image, cfg, &liveness),
            liveness,
        }
    }
}

/// What runs did that the analysis had not foreseen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unforeseen {
    /// Control went where the graph does not go, or an interrupt came where none was expected: nothing of the
    /// analysis is right.
    pub control: bool,
    /// Loads of registers or of the status register through pointers.
    pub register_loads: Vec<u32>,
    /// Loads of the stack through pointers.
    pub stack_loads: Vec<u32>,
    /// Stores to the stack, to registers or to registers of the core through pointers.
    pub stores: Vec<u32>,
}

impl Unforeseen {
    /// Whether everything was foreseen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// How many things were seen.
    pub(crate) fn count(&self) -> u64 {
        let accesses = self.register_loads.len() + self.stack_loads.len() + self.stores.len();
        accesses as u64 + u64::from(self.control)
    }

    /// Adds what was seen to what an analysis is given.
    pub fn add_to(&self, given: &mut Given) {
        given.register_loads.extend(&self.register_loads);
        given.stack_loads.extend(&self.stack_loads);
        given.stores.extend(&self.stores);
    }
}

impl Micro {
    /// What runs did that the analysis of the program had not foreseen: then the exploration has to be done
    /// again.
    #[must_use]
    pub fn unforeseen(&self) -> &Unforeseen {
        &self.unforeseen
    }

    fn liveness(&self) -> Option<&Liveness> {
        let analysis = self.options.analysis.as_ref()?;
        let known = analysis.liveness.why_incomplete().is_none();
        known.then_some(&analysis.liveness)
    }

    /// Whether dead registers and flags are 0. What was pushed from them may be told from what the chip
    /// pushed as long as it stays below the stack; the lazy stack forgets it.
    fn reduces_dead(&self) -> bool {
        self.options.dead_variable_reduction && self.options.lazy_stack
    }

    /// Makes dead bits of the draft 0.
    pub(crate) fn forget_dead(&mut self) {
        if !self.reduces_dead() || self.draft.ended || self.prefix.under_way {
            return;
        }
        let pc = self.pc_of(&self.draft.state);
        let Some(live) = self.liveness().map(|liveness| liveness.live_bits(pc)) else {
            return;
        };
        for (number, live) in (0..).zip(live.registers) {
            self.keep(number, live);
        }
        self.keep(u32::from(address::SREG), live.flags | status::I);
    }

    /// Keeps some bits of a register.
    fn keep(&mut self, cell: u32, live: u8) {
        let bits = self.footprint.read(&self.draft.state, cell);
        if live != 0xFF && (bits.value | bits.unknown) & !live != 0 {
            let kept = Bits {
                value: bits.value & live,
                unknown: bits.unknown & live,
                origin: 0,
            };
            self.footprint.write(&mut self.draft.state, cell, kept);
        }
    }

    /// The state that is handed out for the draft.
    pub(crate) fn without_dead(&mut self, state: &[u8]) -> Vec<u8> {
        let draft = std::mem::replace(&mut self.draft.state, state.to_vec());
        self.forget_dead();
        std::mem::replace(&mut self.draft.state, draft)
    }

    /// Where a state has what.
    #[must_use]
    pub fn memory_layout(&self) -> Footprint {
        self.footprint.clone()
    }

    /// Goes back to states as they were.
    pub fn restore_layout(&mut self, layout: Footprint) {
        self.footprint = layout;
    }

    /// Makes states hold what the chip does where an exploration has left something out that is dead; how
    /// they were before.
    pub fn hold_whole_runs(&mut self) -> Footprint {
        let layout = self.footprint.clone();
        if self.reduces_dead() {
            self.footprint.widen();
        }
        layout
    }

    /// A state of another layout.
    pub fn in_layout(&mut self, layout: &Footprint, state: &[u8]) -> Box<[u8]> {
        if layout.size() == self.footprint.size() {
            return state.into();
        }
        let mut wide = vec![0; self.footprint.size()];
        let header = layout.first_place();
        wide[..header].copy_from_slice(&state[..header]);
        for cell in 0..layout.cells() as u32 {
            self.footprint.write(&mut wide, cell, layout.read(state, cell));
        }
        wide.into()
    }

    /// Whether two states differ in nothing but what is dead (bits of registers, and bytes that were pushed
    /// from such registers), and in whether interrupts may come at once.
    pub(crate) fn is_alike(&self, one: &[u8], other: &[u8]) -> bool {
        let cells = self.footprint.first_place();
        if !same_header(&one[..cells], &other[..cells]) {
            return false;
        }
        if one[cells..] == other[cells..] {
            return true;
        }
        let Some(liveness) = self.liveness().filter(|_| self.reduces_dead()) else {
            return false;
        };
        let live = liveness.live_bits(self.pc_of(one));
        let stack = u32::from(self.chip.loaded.stack_limit)..u32::from(self.chip.space.data_end);
        self.footprint.held().all(|cell| {
            let mask = match cell {
                0..32 => live.registers[cell as usize],
                _ if cell == u32::from(address::SREG) => live.flags | status::I,
                _ if stack.contains(&cell) => 0,
                _ => 0xFF,
            };
            let (one, other) = (self.footprint.read(one, cell), self.footprint.read(other, cell));
            (one.value ^ other.value | one.unknown ^ other.unknown) & mask == 0
        })
    }

    /// An instruction has led to a place.
    pub(crate) fn note_control(&mut self, operation: Op, from: u32, to: u32) {
        if matches!(operation, Op::Ret | Op::Reti | Op::Ijmp | Op::Icall) {
            let foreseen = self.liveness().is_none_or(|known| known.foresees_step(from, to));
            self.unforeseen.control |= !foreseen;
        }
    }

    /// A byte is popped from where registers are.
    pub(crate) fn note_popped_register(&mut self) {
        self.unforeseen.control |= self.liveness().is_some();
    }

    /// An interrupt comes before an instruction.
    pub(crate) fn note_interrupt(&mut self, at: u32) {
        let foreseen = self.liveness().is_none_or(|known| known.foresees_interrupt(at));
        self.unforeseen.control |= !foreseen;
    }

    /// The instruction under way accesses an address.
    pub(crate) fn note_foresight(&mut self, data: u16, manner: Manner) {
        let at = self.draft.pc;
        let operation = self.instruction_of(&self.draft.state).operation;
        if !matches!(operation, Op::Ld | Op::St) {
            return;
        }
        let Some(liveness) = self.liveness() else { return };
        let stack = self.stack();
        let is_register = data < 32 || data == address::SREG;
        let foreseen = match manner {
            Manner::Read => liveness.foresees_load(at, data, stack),
            _ => liveness.foresees_store(at, data, stack),
        };
        if foreseen {
            return;
        }
        // Where the stack is then, nobody knows.
        self.unforeseen.control |= manner.writes() && matches!(data, address::SPL | address::SPH);
        let noted = match (manner, is_register) {
            (Manner::Read, true) => &mut self.unforeseen.register_loads,
            (Manner::Read, false) => &mut self.unforeseen.stack_loads,
            _ => &mut self.unforeseen.stores,
        };
        if !noted.contains(&at) {
            noted.push(at);
        }
    }
}
