//! The microcontroller with nondeterminism, as a Kripke structure.
//!
//! Idea: a state is what the chip's memory holds, some bits of it unknown, between two instructions. A step
//! is one instruction, or the entry into an interrupt handler, or a reset by the watchdog. Where a step needs
//! to know what is not known, it chooses; it is run once for every sequence of choices, from the same state
//! each time.
//!
//! What the microcontroller knows lives as long as one of three things. The chip with an image in it
//! ([`Chip`]) never changes. An exploration has its options, its footprint, its labels, and notes what its
//! runs did ([`Caveats`]). A step has a state that it is making ([`Draft`]) and its choices ([`Choices`]).
//!
//! Invariants: the status register, the stack pointer and all registers that control peripherals are known,
//! except bits that hardware changes; a flag whose source is active is never known to be 0 between two steps
//! (it may be set at any moment); a state's successors come in the same order each time.
//!
//! Source: chapter 5 of Schlich's thesis; interrupts as in "Reset and Interrupt Handling" of the datasheets.

mod addresses;
mod arithmetic;
mod caveats;
mod cells;
mod choices;
mod code;
mod eeprom;
mod fan_out;
mod fork;
mod indexed;
mod labels;
mod loops;
mod observe;
mod options;
mod outputs;
mod path;
mod pins;
mod read_io;
mod refresh;
mod reset;
mod results;
mod rounds;
mod step;
mod trace;
mod variety;
mod write_io;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_limits::Limits;
use kripke_model::{Choice, KripkeStructure, Labels, Visit};

pub(crate) use self::addresses::Addresses;
pub(crate) use self::arithmetic::{Tried, computes, copies};
pub use self::caveats::UndefinedStep;
pub(crate) use self::choices::deposited;
pub(crate) use self::code::Code;
pub use self::labels::{MOST_ATOMS, fault_label};
pub use self::options::{Nondeterminism, Options, WhileOpen};
pub(crate) use self::outputs::only_puts_out;
pub use self::path::Run;

use self::caveats::Caveats;
use self::choices::Choices;
use self::fan_out::Width;
use self::labels::Labelling;
use self::path::Following;
use self::step::Draft;
use self::variety::Variety;
use crate::chip::{Chip, reset_values};
use crate::dead::Unforeseen;
use crate::device::Device;
use crate::footprint::Footprint;
use crate::image::Image;
use crate::independence::Independence;
use crate::instruction::{Instruction, decode_all};
use crate::peripherals::{Place, Rules};
use crate::prefix::Prefix;
use crate::state::{ENDED, faults, header};
use crate::torn::Tearing;
use crate::tracing::Tracer;

/// Contents of flash, and what they decode to.
pub(crate) struct Flash {
    pub(crate) bytes: Vec<u8>,
    pub(crate) program: Vec<Instruction>,
}

impl Flash {
    /// What the image leaves in a flash of the device's size.
    fn of_image(image: &Image, device: &Device) -> Self {
        let size = device.flash.size as usize & !1;
        let mut bytes = vec![0xFF; size];
        let used = image.flash.bytes().len().min(size);
        bytes[..used].copy_from_slice(&image.flash.bytes()[..used]);
        let program = decode_all(&bytes);
        Self { bytes, program }
    }
}

/// The microcontroller.
pub struct Micro {
    pub(crate) chip: Arc<Chip>,

    // The exploration.
    pub(crate) options: Options,
    pub(crate) footprint: Footprint,
    /// All contents that flash has had; the image is the first.
    pub(crate) flash: Vec<Arc<Flash>>,
    pub(crate) labelling: Labelling,
    pub(crate) tearing: Tearing,
    pub(crate) prefix: Prefix,
    /// Registers that are always read as this.
    pub(crate) held_inputs: Vec<(u16, u8)>,
    /// What finding the initial states may cost.
    pub(crate) limits: Limits,
    /// Ends the exploration.
    interrupt: Arc<AtomicBool>,
    /// The values of memory, if they are counted.
    pub(crate) variety: Option<Variety>,
    /// What computations with unknown bits lead to.
    pub(crate) tried: Tried,
    pub(crate) caveats: Caveats,
    pub(crate) widths: BTreeMap<u32, Width>,

    // The step.
    pub(crate) draft: Draft,
    pub(crate) choices: Choices,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) independence: Independence,
    following: Following,
    pub(crate) unforeseen: Unforeseen,
}

impl Micro {
    /// The microcontroller with an image in its flash. `interrupt` is set when the footprint has been
    /// outgrown, to end the exploration under way.
    #[must_use]
    pub fn new(image: &Image, device: &Device, options: Options, interrupt: Arc<AtomicBool>) -> Self {
        let mut rules = Rules::new(device);
        rules
            .interrupts
            .retain(|known| !options.never.contains(&known.name));
        let is_silent = |flag: Place| {
            let mut silent = options.silent.iter();
            silent.any(|place| place.address == flag.address && place.mask & flag.mask != 0)
        };
        rules.events.retain(|event| !is_silent(event.flag));
        let flash = Flash::of_image(image, device);
        let reset = reset_values(device, image, &rules, options.eeprom_of_image);
        let footprint = Footprint::new(reset, header::LABELS);
        let chip = Arc::new(Chip::new(image, device, rules, &flash.program));
        let mut micro = Self {
            labelling: Labelling::new(footprint.cells()),
            tearing: Tearing::new(options.sharing.clone(), chip.space.flash_words),
            independence: Independence::new(options.reduces_interrupts(), chip.space.data_end),
            unforeseen: Unforeseen::default(),
            following: Following::default(),
            chip,
            options,
            footprint,
            flash: vec![Arc::new(flash)],
            prefix: Prefix::default(),
            held_inputs: Vec::new(),
            limits: Limits::default(),
            interrupt,
            variety: None,
            tried: Tried::default(),
            caveats: Caveats::default(),
            widths: BTreeMap::new(),
            draft: Draft::default(),
            choices: Choices::default(),
            tracer: None,
        };
        micro.observe(Vec::new());
        micro
    }

    /// What finding the initial states may cost: the only exploration that the microcontroller does by
    /// itself.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Whether an exploration has to begin anew; the next one will have a larger footprint.
    pub fn has_outgrown(&mut self) -> bool {
        if !self.footprint.outgrown() {
            return false;
        }
        self.footprint.lay_out();
        true
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The rules of the device's peripherals, without interrupts that never come.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.chip.rules
    }
}

impl KripkeStructure for Micro {
    fn state_size(&self) -> usize {
        self.footprint.size()
    }

    fn initial_states<V: Visit>(&mut self, emit: &mut impl FnMut(&[u8]) -> V) {
        self.visit_first_states(emit);
    }

    fn successors<V: Visit>(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8]) -> V) {
        // What is computed with too small a footprint is thrown away; the less of it the better.
        if state[header::FLAGS] & ENDED != 0 || self.footprint.outgrown() {
            return;
        }
        self.sample(state);
        self.choices.start();
        for choice in 0.. {
            self.begin(state);
            self.step();
            if self.follows_paths() {
                self.follow(state);
            }
            self.forget_dead();
            if emit(choice, &self.draft.state).is_break()
                || !self.choices.advance()
                || self.footprint.outgrown()
            {
                self.note_width(state, u64::from(choice) + 1);
                break;
            }
        }
        if self.footprint.outgrown() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn noted(&self) -> u64 {
        self.notes()
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        let atoms = self.atoms_of(state);
        match faults(state) {
            0 => atoms,
            faults => atoms | Labels::from(faults) << MOST_ATOMS | self.torn_label(state),
        }
    }

    fn note_successors(&mut self, state: &[u8], count: u64) {
        self.note_width(state, count);
    }

    fn fork(&self) -> Option<Self> {
        self.forked()
    }
}
