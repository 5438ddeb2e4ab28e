//! Which instructions commute with the handlers of interrupts: the reduction of their interleavings.
//!
//! Idea: a handler that may come before an instruction may as well come after it, if neither can tell. So
//! where a run without a choice is followed ([`crate::micro`], path reduction), interrupts that may come wait
//! until an instruction is next that does not commute with what handlers do. States that are handed out have
//! all their successors, so every circle of states has one in which interrupts come, and a run leaves out an
//! instruction at a time that has no other successor and changes no label: an ample set of one.
//!
//! What handlers access is noted while states are explored, for whole objects. A search in which that grew is
//! done again, as it may have let a handler wait that should not have; what it found is real all the same.
//!
//! An instruction commutes with all handlers if it accesses no memory that a handler writes and writes none
//! that one accesses; if it touches no I/O register but the status register, the stack pointer (to read it)
//! and pins that no handler drives; if it changes nothing that an atom names and looks at nothing below the
//! stack pointer; if it neither enables nor disables interrupts; and if the stack is not
//! deeper before it than after it, unless handlers came where it was as deep: a handler has its deepest stack
//! there. If a handler reads the stack pointer, that has to stay as it is.
//!
//! The chip executes an instruction after each handler before the next one comes. So handlers that would have
//! come before and between instructions which commute with them are made up for by as many in a row: a state
//! before which one has waited lets the next handler come at once. That adds runs, of which a counterexample
//! is none ([`Micro::unfold`] refuses it); a search with [`Options::spaced_handlers`] leaves all of them out,
//! and what it finds counts.
//!
//! [`Options::spaced_handlers`]: crate::micro::Options::spaced_handlers
//!
//! Invariant: handlers leave the registers, the status register and the stack pointer as they found them, and
//! what they find there changes nothing that they do, nor does what lies on the stack ([`Handlers::new`]
//! refuses others); nobody reads what a handler left below the stack pointer (else
//! [`Independence::is_broken`]).
//!
//! Source: ample sets of Clarke, Grumberg, Peled, "Model Checking", chapter 10 (conditions C0 to C3), and of
//! Gerth, Kuiper, Peled, Penczek, "A partial order approach to branching time logic model checking" (1999),
//! for CTL: the ample set is one transition. The thesis names it as future work (section 9.2).

use crate::cfg::Cfg;
use crate::core::address;
use crate::flow::Start;
use crate::image::{Image, Space};
use crate::instruction::Operation as Op;
use crate::live::Liveness;
use crate::micro::Micro;
use crate::semantics::{Effect, status};
use crate::state::{DELAY, Settling, TIMED, header};
use crate::torn::Manner;

/// A handler reads it.
const READ: u8 = 1;
/// A handler writes it.
const WRITTEN: u8 = 2;
/// A handler's calls and pushes use it.
const PUSHED: u8 = 4;
/// It is accessed while it lies below the stack.
const BELOW: u8 = 8;

/// More handlers than this in one another are not counted.
const MOST_DEPTH: u8 = u8::MAX;

/// What is known of a program's handlers before it is explored.
#[derive(Debug)]
pub struct Handlers {
    /// Objects in static memory: first address and the one behind the last, ascending.
    objects: Vec<(u16, u16)>,
}

impl Handlers {
    /// The handlers of a program.
    ///
    /// # Errors
    /// Why nothing is known of them.
    pub fn new(image: &Image, cfg: &Cfg, liveness: &Liveness) -> Result<Self, String> {
        let flow = &cfg.flow;
        if liveness.why_incomplete().is_some() {
            return Err("it is not known where control goes".to_owned());
        }
        if !flow.careless_handlers.is_empty() {
            return Err("a handler changes registers of what it interrupts".to_owned());
        }
        for (_, word) in &flow.handlers {
            let is_apart = liveness.handler_reads(*word).is_some_and(|found| {
                (found.reads, found.changes, found.reads_flags, found.changes_flags) == (0, 0, 0, 0)
            });
            if !is_apart {
                let at = word * 2;
                return Err(format!(
                    "the handler at {at:#06x} uses registers or flags of what it interrupts"
                ));
            }
            if liveness
                .handler_reads(*word)
                .is_some_and(|found| found.reads_stack)
            {
                let at = word * 2;
                return Err(format!(
                    "the handler at {at:#06x} reads the stack of what it interrupts"
                ));
            }
        }
        let called = flow
            .activations
            .values()
            .filter(|activation| !matches!(activation.start, Start::Interrupt(_)));
        for point in called.flat_map(|activation| &activation.points) {
            let instruction = flow.program.get(point.at as usize);
            if instruction.is_some_and(|instruction| instruction.operation == Op::Reti) {
                return Err(format!("RETI at {:#06x} is not in a handler", point.at * 2));
            }
        }
        let mut objects: Vec<(u16, u16)> = image
            .symbols
            .iter()
            .filter(|symbol| symbol.space == Space::Data && symbol.size > 0)
            .filter_map(|symbol| {
                let end = symbol.address.checked_add(symbol.size)?;
                Some((u16::try_from(symbol.address).ok()?, u16::try_from(end).ok()?))
            })
            .collect();
        objects.sort_unstable();
        objects.dedup();
        Ok(Self { objects })
    }

    /// The object around an address; the byte alone where there is none.
    fn object_at(&self, at: u16) -> (u16, u16) {
        let behind = self.objects.partition_point(|(start, _)| *start <= at);
        let around = self.objects[..behind].iter().rev().take(4);
        let found = around.copied().find(|(_, end)| at < *end);
        found.unwrap_or((at, at.saturating_add(1)))
    }
}

/// What an exploration has noted of handlers, and what the step under way accesses.
#[derive(Default)]
pub(crate) struct Independence {
    is_on: bool,
    /// What the exploration under way knows, by data address.
    known: Vec<u8>,
    /// What has been noted so far.
    accessed: Vec<u8>,
    has_grown: bool,
    /// How often something was noted.
    notes: u64,
    is_broken: bool,
    /// Interrupts that may come, or not, do not come in the step that is tried.
    pub(crate) waits: bool,
    /// One of them was left out.
    pub(crate) left_out: bool,
    /// Interrupts that could come did not, by choice.
    pub(crate) passed: bool,
    /// The step under way looks below the stack pointer.
    looks_below: bool,
    /// The accesses of the step under way.
    accesses: Vec<(u16, Manner)>,
}

impl Independence {
    /// How often something was noted.
    pub(crate) fn notes(&self) -> u64 {
        self.notes + u64::from(self.is_broken)
    }

    /// Nothing is noted yet, of so many addresses.
    pub(crate) fn new(is_on: bool, addresses: u16) -> Self {
        Self {
            is_on,
            known: vec![0; if is_on { usize::from(addresses) } else { 0 }],
            accessed: vec![0; if is_on { usize::from(addresses) } else { 0 }],
            ..Self::default()
        }
    }

    /// For another thread of the same exploration.
    pub(crate) fn forked(&self) -> Self {
        Self {
            known: self.known.clone(),
            accessed: self.accessed.clone(),
            accesses: Vec::new(),
            ..*self
        }
    }

    /// Whether handlers are noted.
    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// A step begins.
    pub(crate) fn begin_step(&mut self) {
        self.left_out = false;
        self.passed = false;
        self.looks_below = false;
        self.accesses.clear();
    }

    fn add(&mut self, at: u16, bits: u8) {
        let Some(known) = self.accessed.get_mut(usize::from(at)) else {
            return;
        };
        self.has_grown |= *known & bits != bits;
        self.notes += u64::from(*known & bits != bits);
        *known |= bits;
        self.is_broken |= *known & (PUSHED | BELOW) == PUSHED | BELOW;
    }

    fn at(&self, at: u16) -> u8 {
        self.known.get(usize::from(at)).copied().unwrap_or(READ | WRITTEN)
    }

    /// Whether a handler and an access of this manner conflict.
    fn conflicts(&self, at: u16, manner: Manner) -> bool {
        let bits = if manner.writes() { READ | WRITTEN } else { WRITTEN };
        self.at(at) & bits != 0
    }
}

impl Micro {
    /// Whether handlers were found to access more than was known when the exploration began: it has to be
    /// done again. The next one knows what was found.
    pub fn handlers_have_grown(&mut self) -> bool {
        let Independence {
            known,
            accessed,
            has_grown,
            ..
        } = &mut self.independence;
        known.clone_from(accessed);
        std::mem::take(has_grown)
    }

    /// What the exploration under way knows of handlers, as a text that is the same for the same knowledge
    /// only.
    #[must_use]
    pub fn handlers_known(&self) -> String {
        let known = self.independence.known.iter();
        known.map(|bits| char::from(b'a' + bits)).collect()
    }

    /// Whether something reads what handlers leave below the stack pointer: then they do not commute with
    /// anything.
    #[must_use]
    pub fn handlers_are_seen(&self) -> bool {
        self.independence.is_broken
    }

    /// Whether handlers may come one after the other that have an instruction between them on the chip.
    #[must_use]
    pub fn adds_handlers(&self) -> bool {
        self.independence.is_on && !self.options.spaced_handlers
    }

    fn is_in_handler(&self) -> bool {
        self.draft.state[header::DEPTH] != 0
    }

    /// An instruction loads from an address or stores to it.
    pub(crate) fn note_independence(&mut self, at: u16, manner: Manner) {
        if at >= self.chip.space.io_end && at <= self.stack() && at >= self.chip.loaded.stack_limit {
            self.independence.add(at, BELOW);
            self.independence.looks_below = true;
        }
        self.independence.accesses.push((at, manner));
        if !self.is_in_handler() {
            return;
        }
        // It would write to registers of what it interrupts.
        self.independence.is_broken |= at < 32;
        let bits = match manner {
            Manner::Read => READ,
            Manner::Write => WRITTEN,
            Manner::Both => READ | WRITTEN,
        };
        let is_memory = at >= self.chip.space.io_end;
        let handlers = self.options.analysis.as_ref().map(|analysis| &analysis.handlers);
        let object = match handlers {
            Some(Ok(handlers)) if is_memory => handlers.object_at(at),
            _ => (at, at.saturating_add(1)),
        };
        for at in object.0..object.1 {
            self.independence.add(at, bits);
        }
    }

    /// A byte is pushed or popped.
    pub(crate) fn note_stack(&mut self, at: u16, manner: Manner) {
        if self.is_in_handler() {
            let is_data = at < self.chip.loaded.stack_limit;
            self.independence
                .add(at, if is_data { PUSHED | READ | WRITTEN } else { PUSHED });
        }
        self.independence.accesses.push((at, manner));
    }

    /// A handler was entered: one more is active.
    pub(crate) fn note_entry(&mut self) {
        let depth = self.draft.state[header::DEPTH].saturating_add(1);
        self.draft.state[header::DEPTH] = depth;
        self.independence.is_broken |= self.independence.is_on && depth == MOST_DEPTH;
    }

    /// Whether the instruction that was just executed, from a state before it, commutes with all handlers.
    /// Handlers may have come where the stack pointer was `deepest`.
    pub(crate) fn commutes(&self, before: &[u8], effect: Effect, deepest: Option<u16>) -> bool {
        let operation = self.instruction_of(before).operation;
        let flags = before[header::FLAGS];
        let is_plain = matches!(effect, Effect::None | Effect::Call | Effect::Return)
            && operation != Op::Spm
            && flags & (DELAY | TIMED) == 0
            && Settling::read(before) == Settling::default()
            && self.draft.state[header::FLAGS] == flags
            && self.draft.state[header::SETTLING] == 0
            && self.draft.state[header::FLASH..header::FLASH + 2] == before[header::FLASH..header::FLASH + 2]
            && !self.draft.io_changed
            && !self.independence.looks_below;
        is_plain
            && self.keeps_interrupts(before)
            && self.keeps_stack(before, deepest)
            && self.keeps_monitor(before)
            && self.keeps_observed(before)
            && self.reads_flash_freely(operation)
            && self
                .independence
                .accesses
                .iter()
                .all(|(at, manner)| self.is_free(*at, *manner))
    }

    /// Whether interrupts stay enabled.
    fn keeps_interrupts(&self, before: &[u8]) -> bool {
        let sreg = u32::from(address::SREG);
        let changed = self.footprint.read(before, sreg).value ^ self.read(sreg).value;
        changed & status::I == 0
    }

    /// Whether handlers have come with as deep a stack as they had before the instruction. How deep it is
    /// matters to handlers that look at the stack pointer.
    fn keeps_stack(&self, before: &[u8], deepest: Option<u16>) -> bool {
        let (old, new) = (self.stack_in(before), self.stack());
        let is_read = [address::SPL, address::SPH]
            .iter()
            .any(|at| self.independence.at(*at) & (READ | WRITTEN) != 0);
        match is_read {
            true => old == new,
            false => new <= old || deepest.is_some_and(|deepest| deepest <= old),
        }
    }

    /// Whether nothing changes that an atom names. Beside what a handler has changed it might make an atom
    /// true or false that is neither without the handler.
    fn keeps_observed(&self, before: &[u8]) -> bool {
        self.labelling.named.iter().all(|cell| {
            let (old, new) = (self.footprint.read(before, *cell), self.read(*cell));
            (old.value, old.unknown) == (new.value, new.unknown)
        })
    }

    fn keeps_monitor(&self, before: &[u8]) -> bool {
        let monitor = self.tearing.monitor;
        let own = monitor..monitor + crate::torn::SIZE;
        monitor == 0 || self.draft.state[own.clone()] == before[own]
    }

    /// Whether a load from flash reads what it reads whatever handlers do.
    fn reads_flash_freely(&self, operation: Op) -> bool {
        let control = self.chip.rules.programming;
        !matches!(operation, Op::Lpm | Op::Elpm)
            || control.is_none_or(|control| self.independence.at(control) == 0)
    }

    /// Whether no handler can tell that an address is accessed, or changes what is found there.
    fn is_free(&self, at: u16, manner: Manner) -> bool {
        if at >= self.chip.space.io_end {
            return !self.independence.conflicts(at, manner);
        }
        if at < 32 {
            return false;
        }
        let io = &self.chip.io[usize::from(at)];
        match at {
            address::SREG => true,
            address::SPL | address::SPH | address::RAMPZ | address::EIND if !manner.writes() => {
                self.independence.at(at) & WRITTEN == 0
            }
            _ if manner.writes() || !io.known => false,
            _ => {
                let ports = &self.chip.rules.ports;
                let port = ports
                    .iter()
                    .position(|port| [port.pin, port.ddr, port.port].contains(&at));
                port.is_some_and(|index| {
                    let port = &ports[index];
                    let written = |at| self.independence.at(at) & WRITTEN != 0;
                    self.driven(index) == 0
                        && !written(port.ddr)
                        && !written(port.port)
                        && !written(port.pin)
                        && !self.handlers_drive_pins()
                })
            }
        }
    }

    /// Whether a handler writes to a register that gives pins to peripherals.
    fn handlers_drive_pins(&self) -> bool {
        let io = self.chip.io.iter().enumerate();
        let mut controlling = io.filter(|(_, io)| io.controls_pins);
        controlling.any(|(at, _)| self.independence.at(at as u16) & WRITTEN != 0)
    }
}
