//! The microcontroller with nondeterminism, as a Kripke structure.
//!
//! Idea: a state is what the chip's memory holds, some bits of it unknown, between two instructions. A step
//! is one instruction, or the entry into an interrupt handler, or a reset by the watchdog. Where a step needs
//! to know what is not known, it chooses; it is run once for every sequence of choices, from the same state
//! each time.
//!
//! Invariants: the status register, the stack pointer and all registers that control peripherals are known,
//! except bits that hardware changes; a flag whose source is active is never known to be 0 between two steps
//! (it may be set at any moment); a state's successors come in the same order each time.
//!
//! Source: chapter 5 of Schlich's thesis; interrupts as in "Reset and Interrupt Handling" of the datasheets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_limits::Limits;
use kripke_model::{Choice, KripkeStructure, Labels, Visit};

use crate::atom::{Atom, Truth};
use crate::byte::{AbstractByte, Bits};
use crate::chip::{Io, io_table, is_missing, reset_values};
use crate::device::Device;
use crate::fault::Fault;
use crate::footprint::{Cell, Footprint};
use crate::image::Image;
use crate::instruction::{Instruction, decode_all};
use crate::peripherals::{Causes, Place, Rules, SelfClearing, Test};
use crate::prefix::Prefix;
use crate::semantics::{Effect, Step, execute};
use crate::state::{
    ASLEEP, DELAY, ENDED, Settling, TIMED, faults, header, set_faults, timed_cycles, timed_flags,
};
use crate::torn::{self, Accesses, Sharing, Watch};
use crate::tracing::{Event, Tracer};

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
    /// A byte that has been popped is as if it was never written (section 5.3.3 of the thesis).
    pub lazy_stack: bool,
    /// Interrupts may come right after RETI and what enables them (section 5.3.4 of the thesis).
    pub lazy_interrupts: bool,
    /// Interrupts that never come, by name.
    pub never: Vec<String>,
    /// The number of handlers that may be active at once.
    pub nesting: Option<u8>,
    /// For PIN registers, by data address: the values that inputs may have.
    pub inputs: Vec<(u16, Vec<u8>)>,
    /// The EEPROM holds what the image says when a run begins, and not anything.
    pub eeprom_of_image: bool,
    /// Memory that atoms name has its values from reset on, if it has no more than 16 unknown bits. A read of
    /// it is no longer seen to be one of memory that was never written.
    pub decide_at_reset: bool,
    /// Note which instructions access what of this.
    pub sharing: Option<Arc<Sharing>>,
    /// Torn accesses that are looked for; that is a [`Fault`].
    pub watch: Option<Arc<Watch>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nondeterminism: Nondeterminism::Delayed,
            lazy_stack: true,
            lazy_interrupts: false,
            never: Vec::new(),
            nesting: None,
            inputs: Vec::new(),
            eeprom_of_image: false,
            decide_at_reset: false,
            sharing: None,
            watch: None,
        }
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

/// Contents of flash, and what they decode to.
pub(crate) struct Flash {
    pub(crate) bytes: Vec<u8>,
    pub(crate) program: Vec<Instruction>,
}

/// The microcontroller.
pub struct Micro {
    pub(crate) rules: Rules,
    pub(crate) options: Options,
    pub(crate) footprint: Footprint,
    pub(crate) io: Vec<Io>,
    pub(crate) flash: Vec<Flash>,
    /// Whether a word of flash is part of the image.
    pub(crate) is_code: Vec<bool>,
    pub(crate) missing_handlers: Vec<bool>,
    pub(crate) atoms: Vec<(Atom, WhileOpen)>,
    /// Cells that atoms name: they get values when they are written.
    pub(crate) observed: Vec<bool>,
    pub(crate) data_end: u16,
    pub(crate) io_end: u16,
    pub(crate) eeprom_size: u16,
    pub(crate) page_bytes: u16,
    pub(crate) stack_limit: u16,
    /// Word address where runs begin.
    reset: u32,
    /// Word address from which SPM works.
    pub(crate) boot: u32,
    /// Whether the image has code below the boot section.
    has_application: bool,
    pub(crate) address_bytes: u8,
    pub(crate) pin_toggles: bool,
    pub(crate) flash_words: u32,
    interrupt: Arc<AtomicBool>,
    /// What finding the initial states may cost.
    pub(crate) limits: Limits,
    pub(crate) accesses: Option<Accesses>,
    /// Where a state has the monitor of torn accesses; 0 if nowhere.
    pub(crate) monitor: usize,

    // The step under way.
    pub(crate) state: Vec<u8>,
    pub(crate) pc: u32,
    pub(crate) io_changed: bool,
    /// What the instruction before this one changed of a port.
    pub(crate) settling: Settling,
    pub(crate) ended: bool,
    /// The bits of the faults that it has committed so far.
    pub(crate) faults: u16,
    /// What some run did that is not modelled.
    pub(crate) unsupported: Option<&'static str>,
    /// In some run, contents of memory that are there since reset got their value when they were used.
    pub(crate) decided_late: bool,
    /// In some run, an address was popped that the lazy stack had given up: the run ends there, unlike the
    /// chip's.
    pub(crate) returned_to_forgotten: bool,
    /// The label of an atom was not its value.
    met_open: bool,
    /// Some run ends in a state that no step follows.
    some_run_ends: bool,
    /// Registers that are always read as this.
    pub(crate) held_inputs: Vec<(u16, u8)>,
    pub(crate) prefix: Prefix,
    pub(crate) decisions: Vec<(u32, u32)>,
    cursor: usize,
    pub(crate) tracer: Option<Tracer>,
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
        let flash_size = device.flash.size as usize & !1;
        let mut bytes = vec![0xFF; flash_size];
        let used = image.flash.bytes().len().min(flash_size);
        bytes[..used].copy_from_slice(&image.flash.bytes()[..used]);
        let program = decode_all(&bytes);
        let is_code = (0..program.len() as u32)
            .map(|word| image.flash.is_used(word * 2))
            .collect();
        let missing_handlers = rules
            .interrupts
            .iter()
            .map(|interrupt| is_missing(&program, interrupt.vector, image.reset / 2))
            .collect();
        let stack_limit = image.static_end.unwrap_or(device.sram.start) as u16;
        let mut micro = Self {
            footprint: Footprint::new(
                reset_values(device, image, &rules, options.eeprom_of_image),
                header::LABELS,
            ),
            io: io_table(device, &rules),
            flash_words: program.len() as u32,
            flash: vec![Flash { bytes, program }],
            is_code,
            missing_handlers,
            rules,
            options,
            atoms: Vec::new(),
            observed: Vec::new(),
            data_end: device.sram.end() as u16,
            io_end: device.sram.start as u16,
            eeprom_size: device.eeprom.size as u16,
            page_bytes: device.flash_page,
            stack_limit: stack_limit.max(device.sram.start as u16),
            reset: image.reset / 2,
            boot: image.boot / 2,
            has_application: image.flash.used().iter().any(|used| used.start < image.boot),
            address_bytes: device.pc_bytes,
            pin_toggles: device.pin_toggles,
            interrupt,
            limits: Limits::default(),
            accesses: None,
            monitor: 0,
            state: Vec::new(),
            pc: 0,
            io_changed: false,
            settling: Settling::default(),
            ended: false,
            faults: 0,
            unsupported: None,
            decided_late: false,
            returned_to_forgotten: false,
            met_open: false,
            some_run_ends: false,
            held_inputs: Vec::new(),
            prefix: Prefix::default(),
            decisions: Vec::new(),
            cursor: 0,
            tracer: None,
        };
        micro.observed = vec![false; micro.footprint.cells()];
        let sharing = micro.options.sharing.clone();
        micro.accesses = sharing.map(|sharing| Accesses::new(sharing, micro.flash_words));
        micro.observe(Vec::new());
        micro
    }

    /// What finding the initial states may cost: the only exploration that the microcontroller does by
    /// itself.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Makes the states' labels the values of these atoms, [`MOST_ATOMS`] at the most.
    pub fn observe(&mut self, atoms: Vec<(Atom, WhileOpen)>) {
        for cell in atoms.iter().flat_map(|(atom, _)| atom.cells()) {
            if let Some(observed) = self.observed.get_mut(cell as usize) {
                *observed = true;
            }
        }
        let reset = self.footprint.clone();
        let values = (0..reset.cells() as Cell)
            .map(|cell| reset.at_reset(cell))
            .collect();
        let mut held = header::LABELS + atoms.len().div_ceil(8);
        if self.options.watch.is_some() {
            self.monitor = held;
            held += torn::SIZE;
        }
        self.footprint = Footprint::new(values, held);
        self.atoms = atoms;
    }

    /// Whether an exploration has to begin anew; the next one will have a larger footprint.
    pub fn has_outgrown(&mut self) -> bool {
        if !self.footprint.outgrown() {
            return false;
        }
        self.footprint.lay_out();
        true
    }

    /// What some run did that is not modelled: then nothing holds for certain.
    #[must_use]
    pub fn unsupported(&self) -> Option<&'static str> {
        self.unsupported
    }

    /// Whether some run gave contents of memory that are there since reset a value when they were used. What
    /// exists in such a run need not exist on a chip, which had one of the values from the beginning.
    #[must_use]
    pub fn decided_late(&self) -> bool {
        self.decided_late
    }

    /// Whether some run ends, as what the chip would do is not defined.
    #[must_use]
    pub fn some_run_ends(&self) -> bool {
        self.some_run_ends
    }

    /// Whether the lazy stack may have cut a run short: then nothing that was found out is of any worth.
    #[must_use]
    pub fn has_returned_to_forgotten(&self) -> bool {
        self.returned_to_forgotten
    }

    /// Says that the exploration was given up: then nothing holds for certain.
    pub fn give_up(&mut self) {
        self.unsupported = Some("the exploration was interrupted");
    }

    /// Whether an atom that was open somewhere has a fixed label there ([`WhileOpen::Is`]).
    #[must_use]
    pub fn met_open(&self) -> bool {
        self.met_open
    }

    /// Forgets what runs have done so far.
    pub(crate) fn forget_observations(&mut self) {
        self.unsupported = None;
        (self.decided_late, self.met_open) = (false, false);
        (self.returned_to_forgotten, self.some_run_ends) = (false, false);
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The rules of the device's peripherals, without interrupts that never come.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    // Cells of the state under way.

    #[inline]
    pub(crate) fn read(&self, cell: Cell) -> Bits {
        let mut bits = self.footprint.read(&self.state, cell);
        if let Some(tracer) = &self.tracer {
            bits.origin = tracer.origin_of(cell, bits);
        }
        bits
    }

    #[inline]
    pub(crate) fn write(&mut self, cell: Cell, bits: Bits) {
        self.footprint.write(&mut self.state, cell, bits);
        if let Some(tracer) = &mut self.tracer {
            tracer.moved(cell, bits);
        }
    }

    pub(crate) fn at(&self, place: Place) -> Bits {
        self.read(u32::from(place.address))
    }

    /// Sets bits of a register to known values.
    pub(crate) fn set_place(&mut self, place: Place, value: bool) {
        let bits = self.at(place);
        let changed = Bits {
            value: bits.value & !place.mask | if value { place.mask } else { 0 },
            unknown: bits.unknown & !place.mask,
            ..bits
        };
        self.write(u32::from(place.address), changed);
        self.io_changed = true;
    }

    pub(crate) fn set_unknown(&mut self, place: Place) {
        let bits = self.at(place);
        let changed = Bits {
            value: bits.value & !place.mask,
            unknown: bits.unknown | place.mask,
            origin: 0,
        };
        self.write(u32::from(place.address), changed);
    }

    pub(crate) fn holds(&self, tests: &[Test]) -> bool {
        tests.iter().all(|test| match *test {
            Test::Any(place) => !self.at(place).zeros() & place.mask != 0,
            Test::None(place) => self.at(place).ones() & place.mask == 0,
        })
    }

    pub(crate) fn commit(&mut self, fault: Fault) {
        self.faults |= fault.bit();
    }

    // Choices.

    /// One of `count` possibilities.
    pub(crate) fn choose(&mut self, count: u32) -> u32 {
        if self.cursor == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (value, _) = self.decisions[self.cursor];
        self.cursor += 1;
        value
    }

    /// Gives bits of a cell values.
    pub(crate) fn resolve(&mut self, cell: Cell, mask: u8) -> Bits {
        let bits = self.read(cell);
        if bits.unknown & mask == 0 {
            return bits;
        }
        let mask = bits.unknown & (mask | self.together(cell, mask));
        // Contents at power-on have 1 below the unknown bit.
        self.decided_late |= bits.value & mask != 0;
        let value = match self.held_input(cell) {
            Some(held) => held & mask,
            None => deposited(self.choose(1 << mask.count_ones()), mask),
        };
        let value = self.with_ends(cell, bits, mask, value);
        let known = self.settle(cell, bits, mask, value);
        self.note_ends(cell, mask, known);
        known
    }

    /// Gives bits of a cell these values.
    fn settle(&mut self, cell: Cell, bits: Bits, mask: u8, value: u8) -> Bits {
        if let Some(tracer) = &mut self.tracer {
            tracer.resolved(cell, bits, mask, value);
        }
        let known = Bits {
            value: bits.value & !mask | value,
            unknown: bits.unknown & !mask,
            ..bits
        };
        self.write(cell, known);
        known
    }

    /// Decides why the chip was reset: for one reason at least.
    pub(crate) fn find_cause(&mut self, causes: Causes) {
        let cell = u32::from(causes.all.address);
        let bits = self.read(cell);
        let open = bits.unknown & causes.all.mask;
        if open == 0 || bits.ones() & causes.all.mask != 0 || (open | causes.watchdog.mask) != causes.all.mask
        {
            return;
        }
        self.decided_late = true;
        let chosen = match self.held_input(cell) {
            Some(held) => held & open,
            None => deposited(self.choose((1 << open.count_ones()) - 1) + 1, open),
        };
        self.settle(cell, bits, open, chosen);
    }

    /// An input that is read now. The bits of `loose` stay open in the register that they come from.
    pub(crate) fn fresh(&mut self, register: u16, value: u8, unknown: u8, loose: u8) -> Bits {
        let traced = self.tracer.as_mut();
        let origin = traced.map_or(0, |tracer| tracer.read(register, value, unknown, loose));
        if unknown == 0 {
            return Bits::known(value);
        }
        let bits = Bits::input(value, unknown, origin);
        if let Some(held) = self.held_input(u32::from(register)) {
            return self.found(bits, held & unknown);
        }
        if self.options.nondeterminism == Nondeterminism::Delayed {
            return bits;
        }
        let chosen = self.choose(1 << unknown.count_ones());
        self.found(bits, deposited(chosen, unknown))
    }

    /// A byte that is nowhere any more, with values for the bits that are inputs.
    pub(crate) fn decided(&mut self, bits: Bits) -> Bits {
        if bits.unknown == 0 {
            return bits;
        }
        let chosen = self.choose(1 << bits.unknown.count_ones());
        self.found(bits, deposited(chosen, bits.unknown))
    }

    /// An input that has this value where it was unknown.
    pub(crate) fn found(&mut self, bits: Bits, value: u8) -> Bits {
        if let Some(tracer) = &mut self.tracer {
            tracer.demand(bits.origin, bits.unknown, value);
        }
        Bits::known(bits.ones() | value)
    }

    /// The next sequence of choices, or none.
    pub(crate) fn advance(&mut self) -> bool {
        self.decisions.truncate(self.cursor);
        while let Some((value, count)) = self.decisions.pop() {
            if value + 1 < count {
                self.decisions.push((value + 1, count));
                return true;
            }
        }
        false
    }

    // Steps.

    pub(crate) fn begin(&mut self, state: &[u8]) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.cursor = 0;
        self.pc = self.pc_of(state);
        self.ended = false;
        self.faults = 0;
        self.io_changed = false;
    }

    /// The instruction under way sets bits that hardware clears after a few cycles.
    pub(crate) fn set_timed(&mut self) {
        self.state[header::FLAGS] |= timed_flags(3);
    }

    fn reset_chip(&mut self) {
        if let Some(tracer) = &mut self.tracer {
            tracer.watchdog();
        }
        // Registers, static memory, EEPROM and flash keep their contents.
        for cell in 32..u32::from(self.io_end) {
            let reset = self.footprint.at_reset(cell);
            self.write(cell, reset);
        }
        if let Some(causes) = self.rules.causes {
            self.set_place(causes.watchdog, true);
        }
        if let Some(watchdog) = self.rules.watchdog
            && let Some(flag) = watchdog.reset_flag
        {
            self.set_place(flag, true);
            self.set_place(watchdog.enable, true);
        }
        for index in 0..self.rules.operations.len() {
            self.set_place(self.rules.operations[index].busy, false);
        }
        for index in 0..self.rules.lasting.len() {
            self.set_place(self.rules.lasting[index].since, false);
        }
        self.state[header::FLAGS] = 0;
        Settling::default().write(&mut self.state);
        self.state[header::DEPTH] = 0;
        if self.monitor != 0 {
            self.follow_reset();
        }
        self.pc = self.reset;
        self.io_changed = true;
    }

    pub(crate) fn step(&mut self) {
        if let Some(watchdog) = self.rules.watchdog
            && !self.at(watchdog.enable).zeros() & watchdog.enable.mask != 0
            && self.choose(2) == 1
        {
            self.reset_chip();
        } else if !self.interrupts() && self.state[header::FLAGS] & ASLEEP == 0 {
            self.instruction();
        }
        self.finish();
    }

    fn instruction(&mut self) {
        if !self.has_code(&self.state) {
            // A boot loader hands over to an application that is not part of the image.
            let hands_over = self.reset != 0 && !self.has_application && self.pc < self.boot;
            if !hands_over {
                self.commit(Fault::OutsideProgram);
            }
            self.ended = true;
            return;
        }
        self.io_changed |= self.state[header::FLAGS] & TIMED != 0;
        self.settling = Settling::read(&self.state);
        Settling::default().write(&mut self.state);
        let instruction = self.flash_of(&self.state).program[self.pc as usize];
        let left = timed_cycles(self.state[header::FLAGS]).saturating_sub(instruction.most_cycles());
        self.state[header::FLAGS] &= !(DELAY | TIMED);
        self.state[header::FLAGS] |= timed_flags(left);
        let were_enabled = self.are_interrupts_enabled();
        let Step { next, effect } = execute(self, &instruction, self.pc);
        if self.monitor != 0 {
            self.follow_instruction(effect, next);
        }
        self.pc = next;
        // Also OUT to SREG: avr-gcc relies on it where it changes the stack pointer in two steps.
        let enables = !were_enabled && self.are_interrupts_enabled();
        if (enables || effect == Effect::InterruptReturn) && !self.options.lazy_interrupts {
            self.state[header::FLAGS] |= DELAY;
        }
        match effect {
            Effect::InterruptReturn => {
                self.state[header::DEPTH] = self.state[header::DEPTH].saturating_sub(1);
            }
            Effect::Sleep
                if self
                    .rules
                    .sleep
                    .is_some_and(|sleep| self.at(sleep).ones() & sleep.mask != 0) =>
            {
                self.state[header::FLAGS] |= ASLEEP;
                self.start_asleep();
            }
            Effect::Undefined => {
                self.commit(Fault::UndefinedInstruction);
                self.ended = true;
            }
            _ => {}
        }
    }

    fn finish(&mut self) {
        if self.io_changed {
            self.refresh();
        }
        let [low, high] = (self.pc as u16).to_le_bytes();
        self.state[header::PC] = low;
        self.state[header::PC + 1] = high;
        set_faults(&mut self.state, self.faults);
        if self.ended {
            self.some_run_ends = true;
            self.state[header::FLAGS] |= ENDED;
        }
        self.label();
    }

    /// Writes the atoms' values into the state.
    fn label(&mut self) {
        for index in 0..self.atoms.len() {
            let (atom, while_open) = (&self.atoms[index].0, self.atoms[index].1);
            let truth = atom.truth(|cell| self.footprint.read(&self.state, cell));
            let holds = match (truth, while_open) {
                (Truth::Known(holds), _) => holds,
                (Truth::Open, _) if self.prefix.under_way => false,
                (Truth::Open, WhileOpen::Is(holds)) => {
                    self.met_open = true;
                    holds
                }
                (Truth::Open, WhileOpen::Either) => {
                    self.decided_late = true;
                    self.choose(2) == 1
                }
            };
            if !self.prefix.under_way
                && self.atoms[index]
                    .0
                    .undefined(|cell| self.footprint.read(&self.state, cell))
                    .is_some()
            {
                self.unsupported = Some(
                    "an atom has no value in some state: it divides by zero, shifts too far, or reads \
                     outside \
                     an object",
                );
            }
            let (byte, bit) = (header::LABELS + index / 8, 1 << (index % 8));
            self.state[byte] = self.state[byte] & !bit | if holds { bit } else { 0 };
        }
    }

    /// Brings flags and volatile registers to what they are between two steps.
    ///
    /// What hardware clears comes first: the sources of flags depend on it.
    fn refresh(&mut self) {
        for index in 0..self.rules.zeros.len() {
            let place = self.rules.zeros[index].place;
            let bits = self.at(place);
            if (bits.value | bits.unknown) & place.mask != 0 && self.holds(&self.rules.zeros[index].active) {
                self.set_place(place, false);
            }
        }
        for index in 0..self.rules.self_clearing.len() {
            let SelfClearing { place, active, .. } = &self.rules.self_clearing[index];
            let place = *place;
            let ones = self.at(place).ones() & place.mask;
            if ones != 0 && self.holds(active) {
                self.set_unknown(Place { mask: ones, ..place });
            }
        }
        for index in 0..self.rules.timed.len() {
            let place = self.rules.timed[index];
            let ones = self.at(place).ones() & place.mask;
            if ones != 0 && self.state[header::FLAGS] & TIMED == 0 {
                self.set_unknown(Place { mask: ones, ..place });
            }
        }
        for index in 0..self.rules.events.len() {
            let event = &self.rules.events[index];
            let flag = event.flag;
            if self.at(flag).zeros() & flag.mask != 0 && self.holds(&event.active) {
                self.set_unknown(flag);
            }
        }
        for index in 0..self.rules.volatile.len() {
            let volatile = &self.rules.volatile[index];
            let place = volatile.place;
            if !volatile.active.is_empty()
                && self.at(place).unknown & place.mask != place.mask
                && self.holds(&volatile.active)
            {
                self.set_unknown(place);
            }
        }
        for index in 0..self.rules.pins.len() {
            let pin = self.rules.pins[index];
            let sense = pin.sense.map_or(0, |place| self.at(place).value);
            if pin.is_level(sense) && self.at(pin.flag).zeros() & pin.flag.mask == 0 {
                self.set_place(pin.flag, false);
            }
            let Some(selection) = pin.selection else { continue };
            let selected = self.read(u32::from(selection)).value & pin.pins.mask;
            if selected == 0 || self.at(pin.flag).zeros() & pin.flag.mask == 0 {
                continue;
            }
            let inputs = !self.read(u32::from(self.rules.ports[pin.port].ddr)).value;
            if selected & (inputs | self.driven(pin.port)) != 0 {
                self.set_unknown(pin.flag);
            }
        }
    }

    /// Runs a step on the way from reset to an initial state, as [`Micro::trace_step`] does.
    pub fn trace_step_before(
        &mut self,
        state: &[u8],
        choice: Choice,
        next: &[u8],
        tracer: &mut Tracer,
    ) -> Option<Vec<Event>> {
        self.prefix.under_way = true;
        let events = self.trace_step(state, choice, next, tracer);
        self.prefix.under_way = false;
        events
    }

    /// Runs the step that the checker knows as `choice`: what the environment did in it. None if it does not
    /// lead to `next`.
    pub fn trace_step(
        &mut self,
        state: &[u8],
        choice: Choice,
        next: &[u8],
        tracer: &mut Tracer,
    ) -> Option<Vec<Event>> {
        self.decisions.clear();
        for _ in 0..choice {
            self.begin(state);
            self.step();
            if !self.advance() {
                return None;
            }
        }
        self.begin(state);
        self.tracer = Some(std::mem::take(tracer));
        self.step();
        *tracer = self.tracer.take().unwrap_or_default();
        if self.prefix.under_way {
            // The labels of the initial state are not yet those that it has.
            let labels = header::LABELS..header::LABELS + self.atoms.len().div_ceil(8);
            self.state[labels.clone()].copy_from_slice(&next[labels]);
        } else {
            self.settle_labels(next, tracer);
        }
        (self.state == next).then(|| std::mem::take(&mut tracer.events))
    }

    /// Finds contents of memory under which atoms about it have the values that a state on the path is
    /// labelled with.
    pub fn settle_labels(&self, state: &[u8], tracer: &mut Tracer) {
        for (index, (atom, _)) in self.atoms.iter().enumerate() {
            let holds = state[header::LABELS + index / 8] >> (index % 8) & 1 != 0;
            if atom.truth(|cell| self.footprint.read(state, cell)) == Truth::Open && !tracer.conflict {
                tracer.settle(atom, holds, |cell| self.footprint.read(state, cell));
            }
        }
    }

    /// Hands out the states at reset, until no more is wanted.
    pub(crate) fn visit_states_at_reset<V: Visit>(&mut self, visit: &mut impl FnMut(&[u8]) -> V) {
        let mut state = vec![0; self.footprint.size()];
        self.footprint.reset(&mut state);
        let compute = |micro: &mut Self| {
            micro.begin(&state);
            micro.pc = micro.reset;
            micro.io_changed = true;
            if micro.options.decide_at_reset {
                micro.decide_at_reset();
            }
            micro.finish();
        };
        self.visit_all(compute, |micro| visit(&micro.state));
    }

    /// Hands out a state with all labels that it can have, until no more is wanted.
    pub(crate) fn visit_labelled<V: Visit>(&mut self, state: &[u8], visit: impl FnMut(&mut Self) -> V) {
        let compute = |micro: &mut Self| {
            micro.begin(state);
            micro.label();
        };
        self.visit_all(compute, visit);
    }

    /// The results of some computation for all choices in it.
    fn visit_all<V: Visit>(
        &mut self,
        mut compute: impl FnMut(&mut Self),
        mut visit: impl FnMut(&mut Self) -> V,
    ) {
        self.decisions.clear();
        loop {
            compute(self);
            if visit(self).is_break() || !self.advance() {
                return;
            }
        }
    }

    /// Registers and static memory that atoms name.
    pub(crate) fn observed_memory(&self) -> Vec<Cell> {
        let memory = |cell: &Cell| *cell < 32 || *cell >= u32::from(self.io_end);
        (0..self.observed.len() as Cell)
            .filter(|cell| self.observed[*cell as usize] && memory(cell))
            .collect()
    }

    /// Decides at reset what memory holds that atoms name, if that is not too much.
    fn decide_at_reset(&mut self) {
        let open = self.prefix.unwritten.clone();
        let open = open.unwrap_or_else(|| self.observed_memory());
        let bits: u32 = open
            .iter()
            .map(|cell| self.footprint.at_reset(*cell).unknown.count_ones())
            .sum();
        if bits > MOST_BITS_AT_RESET {
            return;
        }
        let late = self.decided_late;
        for cell in open {
            self.resolve(cell, 0xFF);
        }
        self.decided_late = late;
    }
}

/// Unknown bits of observed memory that get their values at reset, at the most.
const MOST_BITS_AT_RESET: u32 = 16;

/// Atoms that can be observed at once.
pub const MOST_ATOMS: usize = 48;

/// The label of the states in which the last step committed a fault.
#[must_use]
pub fn fault_label(fault: Fault) -> Labels {
    Labels::from(fault.bit()) << MOST_ATOMS
}

/// The bits of `mask` filled with the low bits of `value`.
pub(crate) fn deposited(mut value: u32, mask: u8) -> u8 {
    let mut result = 0;
    for bit in 0..8 {
        if mask >> bit & 1 != 0 {
            result |= ((value & 1) as u8) << bit;
            value >>= 1;
        }
    }
    result
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
        self.decisions.clear();
        for choice in 0.. {
            self.begin(state);
            self.step();
            if emit(choice, &self.state).is_break() || !self.advance() || self.footprint.outgrown() {
                break;
            }
        }
        if self.footprint.outgrown() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        let atoms = self.atoms_of(state);
        match faults(state) {
            0 => atoms,
            faults => atoms | Labels::from(faults) << MOST_ATOMS | self.torn_label(state),
        }
    }
}
