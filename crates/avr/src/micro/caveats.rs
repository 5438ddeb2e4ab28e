//! What the runs of an exploration did that says how far its answers go.

use super::Micro;
use crate::state::faults;

/// A step behind which what the chip does is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndefinedStep {
    /// The bits of the faults that it committed ([`crate::fault::Fault::bit`]).
    pub faults: u16,
    /// The word address of its instruction, or of the one that it came before.
    pub word: u32,
    /// No step follows it; else the run goes on as if nothing had been written.
    pub ends: bool,
    /// It comes before the place where properties begin.
    pub is_early: bool,
}

/// What some run did, as far as answers depend on it.
#[derive(Default, Clone)]
pub(crate) struct Caveats {
    /// What it did that is not modelled.
    pub(crate) unsupported: Option<&'static str>,
    /// Contents of memory that are there since reset got their value when they were used.
    pub(crate) decided_late: bool,
    /// An address was popped that the lazy stack had given up: the run ends there, unlike the chip's.
    pub(crate) returned_to_forgotten: bool,
    /// The label of an atom was not its value.
    pub(crate) met_open: bool,
    /// It ends in a state that no step follows.
    pub(crate) some_run_ends: bool,
    /// The first step for each set of faults.
    pub(crate) undefined: Vec<UndefinedStep>,
}

impl Micro {
    /// What some run did that is not modelled: then nothing holds for certain.
    #[must_use]
    pub fn unsupported(&self) -> Option<&'static str> {
        self.caveats.unsupported
    }

    /// Whether some run gave contents of memory that are there since reset a value when they were used. What
    /// exists in such a run need not exist on a chip, which had one of the values from the beginning.
    #[must_use]
    pub fn decided_late(&self) -> bool {
        self.caveats.decided_late
    }

    /// Whether some run ends, as what the chip would do is not defined.
    #[must_use]
    pub fn some_run_ends(&self) -> bool {
        self.caveats.some_run_ends
    }

    /// Steps behind which what the chip does is not defined: the run ends, or goes on as if nothing had been
    /// written where there is no register or memory. One for each set of faults that such a step committed.
    #[must_use]
    pub fn undefined_steps(&self) -> &[UndefinedStep] {
        &self.caveats.undefined
    }

    /// Whether a run ends in this state by a fault; it does not where the program is left on purpose.
    #[must_use]
    pub fn ends_by_fault(&self, state: &[u8]) -> bool {
        self.has_ended(state) && faults(state) != 0
    }

    /// Whether the step into this state may have lost a write, and the run goes on.
    #[must_use]
    pub fn has_lost_write(&self, state: &[u8]) -> bool {
        let faults = faults(state);
        let mut lost = self.caveats.undefined.iter().filter(|step| !step.ends);
        faults != 0 && lost.any(|step| step.faults == faults)
    }

    /// Notes a step behind which what the chip does is not defined.
    pub(crate) fn note_undefined(&mut self, word: u32) {
        let step = UndefinedStep {
            faults: self.draft.faults,
            word,
            ends: self.draft.ended,
            is_early: self.prefix.under_way,
        };
        let known = self.caveats.undefined.iter();
        let mut alike = known.map(|known| UndefinedStep { word, ..*known });
        if !alike.any(|known| known == step) {
            self.caveats.undefined.push(step);
        }
    }

    /// Whether the lazy stack may have cut a run short: then nothing that was found out is of any worth.
    #[must_use]
    pub fn has_returned_to_forgotten(&self) -> bool {
        self.caveats.returned_to_forgotten
    }

    /// Says that the exploration was given up: then nothing holds for certain.
    pub fn give_up(&mut self) {
        self.caveats.unsupported = Some("the exploration was interrupted");
    }

    /// Whether an atom that was open somewhere has a fixed label there ([`WhileOpen::Is`]).
    #[must_use]
    pub fn met_open(&self) -> bool {
        self.caveats.met_open
    }

    /// Forgets what runs have done so far.
    pub(crate) fn forget_observations(&mut self) {
        self.caveats = Caveats::default();
    }
}
