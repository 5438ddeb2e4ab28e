//! What the environment and the abstraction of an exploration are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dead::Analysis;
use crate::fair::Obligation;
use crate::peripherals::Place;
use crate::torn::{Sharing, Watch};

/// When an input gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nondeterminism {
    /// When it is read.
    Immediate,
    /// When something depends on it; until then it is copied as unknown (section 5.6.3 of the thesis). Sound
    /// for what holds on all runs.
    Delayed,
}

/// What the environment and the abstraction are.
#[derive(Debug, Clone)]
pub struct Options {
    /// When inputs get their values.
    pub nondeterminism: Nondeterminism,
    /// Computations leave unknown bits unknown, and so do stores to registers that only put something out.
    /// Only with delayed nondeterminism.
    pub abstract_values: bool,
    /// The word addresses of instructions that decide what they compute with nevertheless.
    pub decided_at: Arc<BTreeSet<u32>>,
    /// Bits of bytes of static memory that are unknown whatever is stored to them, by address.
    pub widened: Arc<BTreeMap<u16, u8>>,
    /// The word addresses of instructions whose results are unknown, whatever they compute. Only with
    /// abstract values.
    pub widened_at: Arc<BTreeSet<u32>>,
    /// A byte that has been popped is as if it was never written (section 5.3.3 of the thesis).
    pub lazy_stack: bool,
    /// Interrupts may come right after RETI and what enables them (section 5.3.4 of the thesis).
    pub lazy_interrupts: bool,
    /// Interrupts that never come, by name.
    pub never: Vec<String>,
    /// The number of handlers that may be active at once.
    pub nesting: Option<u8>,
    /// For registers that the environment changes, by data address: the values that reads may bring.
    pub inputs: Vec<(u16, Vec<u8>)>,
    /// Flags that hardware never sets.
    pub silent: Vec<Place>,
    /// The EEPROM holds what the image says when a run begins, and not anything.
    pub eeprom_of_image: bool,
    /// Memory that atoms name has its values from reset on, if it has no more than 16 unknown bits. A read of
    /// it is no longer seen to be one of memory that was never written.
    pub decide_at_reset: bool,
    /// What can be given an end that is a choice of its own, so that states say whether it is under way.
    pub fair: Arc<[Obligation]>,
    /// The byte addresses where statements begin, ascending, if an atom asks for them.
    pub statements: Option<Arc<[u32]>>,
    /// Note which instructions access what of this.
    pub sharing: Option<Arc<Sharing>>,
    /// Torn accesses that are looked for; that is a [`Fault`].
    pub watch: Option<Arc<Watch>>,
    /// A run without a choice whose states look alike is one step (section 6.4.2 of the thesis). Preserves
    /// CTL* without X.
    pub path_reduction: bool,
    /// Interrupts come only before what does not commute with their handlers ([`crate::independence`]).
    /// Preserves LTL and ACTL without X. Needs path reduction, the lazy stack and the analysis.
    pub interrupt_reduction: bool,
    /// Between two handlers that have waited an instruction comes, as on the chip. Without this the reduction
    /// adds runs, with it it leaves some out.
    pub spaced_handlers: bool,
    /// Registers and flags that nothing reads any more are 0 (section 6.4.1 of the thesis). Preserves CTL*.
    /// Needs the analysis.
    pub dead_variable_reduction: bool,
    /// What is known of the program before it is explored.
    pub analysis: Option<Arc<Analysis>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nondeterminism: Nondeterminism::Delayed,
            abstract_values: false,
            decided_at: Arc::default(),
            widened: Arc::default(),
            widened_at: Arc::default(),
            lazy_stack: true,
            lazy_interrupts: false,
            never: Vec::new(),
            nesting: None,
            inputs: Vec::new(),
            silent: Vec::new(),
            eeprom_of_image: false,
            decide_at_reset: false,
            fair: Arc::from([]),
            statements: None,
            sharing: None,
            watch: None,
            path_reduction: false,
            interrupt_reduction: false,
            spaced_handlers: false,
            dead_variable_reduction: false,
            analysis: None,
        }
    }
}

impl Options {
    /// Whether interleavings with handlers are reduced.
    pub(crate) fn reduces_interrupts(&self) -> bool {
        let known = self
            .analysis
            .as_ref()
            .is_some_and(|analysis| analysis.handlers.is_ok());
        // What a handler leaves below the stack tells where it came, if that can be read.
        self.interrupt_reduction && self.path_reduction && self.lazy_stack && known
    }
}

/// The label of an atom in a state in which it depends on bits that are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhileOpen {
    /// True in one successor and false in another.
    Either,
    /// Always this.
    Is(bool),
}
