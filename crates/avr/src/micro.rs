//! The microcontroller with nondeterminism, as a Kripke structure.
//!
//! Idea: a state is what the chip's memory holds, some bits of it unknown, between two instructions. A step is one
//! instruction, or the entry into an interrupt handler, or a reset by the watchdog. Where a step needs to know what is not known, it
//! chooses; it is run once for every sequence of choices, from the same state each time.
//!
//! Invariants: the status register, the stack pointer and all registers that control peripherals are known, except flags that
//! hardware sets; a flag whose source is active is never known to be 0 between two steps (it may be set at any moment); a
//! state's successors come in the same order each time.
//!
//! Source: chapter 5 of Schlich's thesis; interrupts as in "Reset and Interrupt Handling" of the datasheets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_model::{Choice, KripkeStructure, Labels};

use crate::atom::{Atom, Truth};
use crate::byte::{AbstractByte, Bits};
use crate::chip::{Io, io_table, is_missing, reset_values};
use crate::core::address;
use crate::device::Device;
use crate::fault::Fault;
use crate::footprint::{Cell, Footprint};
use crate::image::Image;
use crate::instruction::{Instruction, decode_all};
use crate::peripherals::{Place, Request, Rules, Test};
use crate::semantics::{Effect, Step, execute, push_address, status};
use crate::tracing::{Decision, Event, Tracer};

/// When an input gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nondeterminism {
    /// When it is read.
    Immediate,
    /// When something depends on it; until then it is copied as unknown (section 5.6.3 of the thesis). Sound for what holds
    /// on all runs.
    Delayed,
}

/// What the environment and the abstraction are.
#[derive(Debug, Clone)]
pub struct Options {
    /// When inputs get their values.
    pub nondeterminism: Nondeterminism,
    /// A byte that has been popped is as if it was never written (section 5.3.3 of the thesis).
    pub lazy_stack: bool,
    /// Interrupts may come right after RETI and SEI (section 5.3.4 of the thesis).
    pub lazy_interrupts: bool,
    /// Interrupts that never come, by name.
    pub never: Vec<String>,
    /// The number of handlers that may be active at once.
    pub nesting: Option<u8>,
    /// For PIN registers, by data address: the values that inputs may have.
    pub inputs: Vec<(u16, Vec<u8>)>,
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
        }
    }
}

/// Offsets in a state's header.
mod header {
    pub const PC: usize = 0;
    pub const FLAGS: usize = 2;
    pub const FAULT: usize = 3;
    pub const DEPTH: usize = 4;
    pub const FLASH: usize = 5;
    pub const LABELS: usize = 7;
}

/// One more instruction is executed before an interrupt.
const DELAY: u8 = 1;
/// The core sleeps.
const ASLEEP: u8 = 2;
/// The bit that permits a write to the EEPROM was set by the last instruction.
const PERMITTED: u8 = 4;
/// No step follows: what the chip would do is not defined.
const ENDED: u8 = 8;

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
    missing_handlers: Vec<bool>,
    atoms: Vec<Atom>,
    /// Cells that atoms name: they get values when they are written.
    pub(crate) observed: Vec<bool>,
    pub(crate) data_end: u16,
    pub(crate) io_end: u16,
    pub(crate) eeprom_size: u16,
    pub(crate) page_bytes: u16,
    pub(crate) stack_limit: u16,
    pub(crate) address_bytes: u8,
    pub(crate) pin_toggles: bool,
    pub(crate) flash_words: u32,
    interrupt: Arc<AtomicBool>,

    // The step under way.
    pub(crate) state: Vec<u8>,
    pub(crate) pc: u32,
    pub(crate) io_changed: bool,
    pub(crate) ended: bool,
    pub(crate) fault: u8,
    /// What some run did that is not modelled.
    pub(crate) unsupported: Option<&'static str>,
    decisions: Vec<(u32, u32)>,
    cursor: usize,
    pub(crate) tracer: Option<Tracer>,
}

impl Micro {
    /// The microcontroller with an image in its flash. `interrupt` is set when the footprint has been outgrown, to end the
    /// exploration under way.
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
            .map(|interrupt| is_missing(image, &program, interrupt.vector))
            .collect();
        let limit = ["_end", "__heap_start", "__bss_end"]
            .iter()
            .find_map(|name| image.symbol(name));
        let stack_limit = limit.map_or(device.sram.start, |symbol| symbol.address) as u16;
        let mut micro = Self {
            footprint: Footprint::new(reset_values(device, image, &rules), header::LABELS),
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
            address_bytes: device.pc_bytes,
            pin_toggles: device.pin_toggles,
            interrupt,
            state: Vec::new(),
            pc: 0,
            io_changed: false,
            ended: false,
            fault: 0,
            unsupported: None,
            decisions: Vec::new(),
            cursor: 0,
            tracer: None,
        };
        micro.observed = vec![false; micro.footprint.cells()];
        micro.hold_named();
        micro
    }

    /// Makes the states' labels the values of these atoms, 64 at the most.
    pub fn observe(&mut self, atoms: Vec<Atom>) {
        for cell in atoms.iter().flat_map(Atom::cells) {
            if let Some(observed) = self.observed.get_mut(cell as usize) {
                *observed = true;
            }
        }
        let (reset, held) = (self.footprint.clone(), header::LABELS + atoms.len().div_ceil(8));
        let values = (0..reset.cells() as Cell)
            .map(|cell| reset.at_reset(cell))
            .collect();
        self.footprint = Footprint::new(values, held);
        self.atoms = atoms;
        self.hold_named();
    }

    /// Holds the registers that the program names; others follow when they change.
    fn hold_named(&mut self) {
        use crate::instruction::Operation as Op;
        let mut named = vec![
            u32::from(address::SREG),
            u32::from(address::SPL),
            u32::from(address::SPH),
        ];
        for (instruction, _) in self.flash[0]
            .program
            .iter()
            .zip(&self.is_code)
            .filter(|(_, code)| **code)
        {
            if matches!(instruction.operation, Op::Out | Op::Sbi | Op::Cbi) {
                let address = instruction.k as u32;
                if self
                    .io
                    .get(address as usize)
                    .is_some_and(|io| io.known && io.pin.is_none())
                {
                    named.push(address);
                }
            }
        }
        for cell in named {
            self.footprint.hold(cell, false);
        }
        self.footprint.lay_out();
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

    /// The word address of the next instruction in a state.
    #[must_use]
    pub fn pc_of(&self, state: &[u8]) -> u32 {
        u32::from(u16::from_le_bytes([state[header::PC], state[header::PC + 1]]))
    }

    /// The fault that the step into this state committed.
    #[must_use]
    pub fn fault_of(&self, state: &[u8]) -> Option<Fault> {
        Fault::from_number(state[header::FAULT])
    }

    /// Whether the core sleeps.
    #[must_use]
    pub fn is_asleep(&self, state: &[u8]) -> bool {
        state[header::FLAGS] & ASLEEP != 0
    }

    /// A byte of the data address space in a state.
    #[must_use]
    pub fn byte_of(&self, state: &[u8], address: u16) -> Bits {
        match u32::from(address) {
            cell if address < self.data_end => self.footprint.read(state, cell),
            _ => Bits::input(0, 0xFF, 0),
        }
    }

    /// The instruction that is next in a state.
    #[must_use]
    pub fn instruction_of(&self, state: &[u8]) -> Instruction {
        self.flash_of(state).program[self.pc_of(state) as usize]
    }

    pub(crate) fn flash_of(&self, state: &[u8]) -> &Flash {
        let version = u16::from_le_bytes([state[header::FLASH], state[header::FLASH + 1]]);
        &self.flash[usize::from(version)]
    }

    pub(crate) fn set_flash(&mut self, bytes: Vec<u8>) {
        let known = self.flash.iter().position(|flash| flash.bytes == bytes);
        let version = known.unwrap_or_else(|| {
            let program = decode_all(&bytes);
            self.flash.push(Flash { bytes, program });
            self.flash.len() - 1
        });
        let [low, high] = (version as u16).to_le_bytes();
        self.state[header::FLASH] = low;
        self.state[header::FLASH + 1] = high;
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

    fn set_unknown(&mut self, place: Place) {
        let bits = self.at(place);
        self.write(
            u32::from(place.address),
            Bits::input(bits.value, bits.unknown | place.mask, bits.origin),
        );
    }

    pub(crate) fn holds(&self, tests: &[Test]) -> bool {
        tests.iter().all(|test| match *test {
            Test::Any(place) => !self.at(place).zeros() & place.mask != 0,
            Test::None(place) => self.at(place).ones() & place.mask == 0,
        })
    }

    pub(crate) fn commit(&mut self, fault: Fault) {
        if self.fault == 0 {
            self.fault = fault as u8;
        }
    }

    // Choices.

    /// One of `count` possibilities.
    pub(crate) fn choose(&mut self, count: u32, decision: Decision) -> u32 {
        if self.cursor == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (value, _) = self.decisions[self.cursor];
        self.cursor += 1;
        if let Some(tracer) = &mut self.tracer {
            tracer.decided(decision, value);
        }
        value
    }

    /// Gives bits of a cell values.
    pub(crate) fn resolve(&mut self, cell: Cell, mask: u8) -> Bits {
        let bits = self.read(cell);
        let mask = bits.unknown & mask;
        if mask == 0 {
            return bits;
        }
        let chosen = self.choose(1 << mask.count_ones(), Decision::Bits(cell));
        let value = deposited(chosen, mask);
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

    /// An input that is read now.
    pub(crate) fn fresh(&mut self, register: u16, value: u8, unknown: u8) -> Bits {
        if unknown == 0 {
            return Bits::known(value);
        }
        if let Some(tracer) = &mut self.tracer {
            return tracer.fresh(register, value, unknown, &self.state);
        }
        let bits = Bits::input(value, unknown, 0);
        if self.options.nondeterminism == Nondeterminism::Delayed {
            return bits;
        }
        let chosen = self.choose(1 << unknown.count_ones(), Decision::Input(register));
        Bits::known(bits.value | deposited(chosen, unknown))
    }

    /// The next sequence of choices, or none.
    fn advance(&mut self) -> bool {
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

    fn begin(&mut self, state: &[u8]) {
        self.state.clear();
        self.state.extend_from_slice(state);
        self.cursor = 0;
        self.pc = self.pc_of(state);
        self.ended = false;
        self.fault = 0;
        self.io_changed = false;
    }

    /// What is to be said about interrupts before an instruction: whether a handler was entered.
    fn interrupts(&mut self) -> bool {
        let nested = self
            .options
            .nesting
            .is_some_and(|limit| self.state[header::DEPTH] >= limit);
        let enabled = self.read(u32::from(address::SREG)).value & status::I != 0;
        if !enabled || nested || self.state[header::FLAGS] & DELAY != 0 {
            return false;
        }
        let mut possible = [0_u8; 64];
        let (mut count, mut certain) = (0, None);
        for index in 0..self.rules.interrupts.len() {
            let interrupt = &self.rules.interrupts[index];
            if self.at(interrupt.enable).ones() & interrupt.enable.mask == 0 {
                continue;
            }
            match self.requested(interrupt.request) {
                Some(true) => {
                    certain = Some(index);
                    break;
                }
                Some(false) => {}
                None => {
                    possible[count] = index as u8;
                    count += 1;
                }
            }
        }
        let choices = count as u32 + 1;
        let taken = match (count, certain) {
            (0, None) => return false,
            (0, Some(index)) => index,
            (_, Some(index)) => match self.choose(choices, Decision::Interrupt) as usize {
                last if last == count => index,
                chosen => usize::from(possible[chosen]),
            },
            (_, None) => match self.choose(choices, Decision::Interrupt) {
                0 => return false,
                chosen => usize::from(possible[chosen as usize - 1]),
            },
        };
        self.enter(taken);
        true
    }

    /// Whether an interrupt is requested; none where that is open.
    fn requested(&self, request: Request) -> Option<bool> {
        let known = |bits: Bits, mask: u8| match (bits.ones() & mask, bits.unknown & mask) {
            (0, 0) => Some(false),
            (0, _) => None,
            _ => Some(true),
        };
        match request {
            Request::Flag(flag) => known(self.at(flag), flag.mask),
            Request::Idle(busy) => known(self.at(busy), busy.mask).map(|busy| !busy),
            Request::Pin(index) => {
                let pin = self.rules.pins[index];
                let sense = pin.sense.map_or(0, |place| self.at(place).value);
                if !pin.is_level(sense) {
                    return known(self.at(pin.flag), pin.flag.mask);
                }
                known(self.pin_level(pin.port), pin.pins.mask).map(|high| !high)
            }
        }
    }

    /// The pins of a port, inputs unknown unless the environment fixes them.
    pub(crate) fn pin_level(&self, port: usize) -> Bits {
        let port = &self.rules.ports[port];
        let (ddr, output) = (
            self.read(u32::from(port.ddr)).value,
            self.read(u32::from(port.port)).value,
        );
        let (mut value, mut unknown) = (0, 0xFF);
        if let Some((_, allowed)) = self.options.inputs.iter().find(|(pin, _)| *pin == port.pin) {
            let all = allowed.iter().fold(0xFF, |all, one| all & one);
            let any = allowed.iter().fold(0, |any, one| any | one);
            (value, unknown) = (all, all ^ any);
        }
        Bits::input(value & !ddr | output & ddr, unknown & !ddr, 0)
    }

    fn enter(&mut self, index: usize) {
        let interrupt = self.rules.interrupts[index].clone();
        if let Some(tracer) = &mut self.tracer {
            tracer.interrupt(index);
        }
        let flag = match interrupt.request {
            Request::Flag(flag) => Some(flag),
            Request::Idle(busy) => {
                self.set_place(busy, false);
                None
            }
            Request::Pin(pin) => {
                let pin = self.rules.pins[pin];
                let sense = pin.sense.map_or(0, |place| self.at(place).value);
                (!pin.is_level(sense)).then_some(pin.flag)
            }
        };
        if let Some(flag) = flag {
            self.set_place(flag, !interrupt.clears_on_entry);
        }
        self.withdraw_permission();
        let pc = self.pc;
        push_address(self, pc);
        let sreg = u32::from(address::SREG);
        let value = self.read(sreg).value & !status::I;
        self.write(sreg, Bits::known(value));
        self.pc = interrupt.vector;
        self.state[header::FLAGS] &= !(DELAY | ASLEEP);
        if self.options.nesting.is_some() {
            self.state[header::DEPTH] = self.state[header::DEPTH].saturating_add(1);
        }
        if self.missing_handlers[index] {
            self.commit(Fault::MissingHandler);
        }
    }

    /// The permission to write to the EEPROM may have run out.
    fn withdraw_permission(&mut self) {
        self.state[header::FLAGS] &= !PERMITTED;
        if let Some(eeprom) = self.rules.eeprom
            && self.at(eeprom.master).ones() & eeprom.master.mask != 0
        {
            self.set_unknown(eeprom.master);
        }
    }

    pub(crate) fn permit(&mut self) {
        self.state[header::FLAGS] |= PERMITTED;
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
        self.state[header::FLAGS] = 0;
        self.state[header::DEPTH] = 0;
        self.pc = 0;
        self.io_changed = true;
    }

    fn step(&mut self) {
        self.state[header::FAULT] = 0;
        if let Some(watchdog) = self.rules.watchdog
            && self.at(watchdog.enable).ones() & watchdog.enable.mask != 0
            && self.choose(2, Decision::Watchdog) == 1
        {
            self.reset_chip();
        } else if !self.interrupts() && self.state[header::FLAGS] & ASLEEP == 0 {
            self.instruction();
        }
        self.finish();
    }

    fn instruction(&mut self) {
        if !self.is_code.get(self.pc as usize).copied().unwrap_or(false) && self.flash.len() == 1 {
            self.commit(Fault::OutsideProgram);
            self.ended = true;
            return;
        }
        let permitted = self.state[header::FLAGS] & PERMITTED != 0;
        self.state[header::FLAGS] &= !(DELAY | PERMITTED);
        let instruction = self.flash_of(&self.state).program[self.pc as usize];
        let Step { next, effect } = execute(self, &instruction, self.pc);
        self.pc = next;
        if permitted && self.state[header::FLAGS] & PERMITTED == 0 {
            self.withdraw_permission();
        }
        match effect {
            Effect::InterruptsEnabled if !self.options.lazy_interrupts => self.state[header::FLAGS] |= DELAY,
            Effect::InterruptReturn => {
                if !self.options.lazy_interrupts {
                    self.state[header::FLAGS] |= DELAY;
                }
                self.state[header::DEPTH] = self.state[header::DEPTH].saturating_sub(1);
            }
            Effect::Sleep
                if self
                    .rules
                    .sleep
                    .is_some_and(|sleep| self.at(sleep).ones() & sleep.mask != 0) =>
            {
                self.state[header::FLAGS] |= ASLEEP;
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
        self.state[header::FAULT] = self.fault;
        if self.ended {
            self.state[header::FLAGS] |= ENDED;
        }
        for index in 0..self.atoms.len() {
            let truth = self.atoms[index].truth(|cell| self.footprint.read(&self.state, cell));
            let holds = match truth {
                Truth::Known(holds) => holds,
                Truth::Open => self.choose(2, Decision::Atom(index as u8)) == 1,
            };
            let (byte, bit) = (header::LABELS + index / 8, 1 << (index % 8));
            self.state[byte] = self.state[byte] & !bit | if holds { bit } else { 0 };
        }
    }

    /// Brings flags and volatile registers to what they are between two steps.
    fn refresh(&mut self) {
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
        for index in 0..self.rules.self_clearing.len() {
            let place = self.rules.self_clearing[index];
            if self.at(place).ones() & place.mask != 0 {
                self.set_unknown(place);
            }
        }
        for index in 0..self.rules.pins.len() {
            let pin = self.rules.pins[index];
            let Some(selection) = pin.selection else { continue };
            let inputs = !self.read(u32::from(self.rules.ports[pin.port].ddr)).value;
            let selected = self.read(u32::from(selection)).value & inputs & pin.pins.mask;
            if selected != 0 && self.at(pin.flag).zeros() & pin.flag.mask != 0 {
                self.set_unknown(pin.flag);
            }
        }
    }

    /// Runs the step that the checker knows as `choice`; what the environment did in it. The tracer is lent.
    pub fn trace_step(&mut self, state: &[u8], choice: Choice, tracer: &mut Option<Tracer>) -> Vec<Event> {
        self.decisions.clear();
        for _ in 0..choice {
            self.begin(state);
            self.step();
            if !self.advance() {
                return Vec::new();
            }
        }
        self.begin(state);
        self.tracer = tracer.take();
        self.step();
        for index in 0..self.atoms.len() {
            self.settle(index);
        }
        *tracer = self.tracer.take();
        tracer
            .as_mut()
            .map_or_else(Vec::new, |tracer| std::mem::take(&mut tracer.events))
    }

    /// Finds contents of memory for an atom whose truth was chosen.
    fn settle(&mut self, index: usize) {
        let Some(mut tracer) = self.tracer.take() else {
            return;
        };
        let chosen = tracer
            .atoms
            .iter()
            .position(|(atom, _)| usize::from(*atom) == index);
        if let Some(chosen) = chosen {
            let (_, wanted) = tracer.atoms.swap_remove(chosen);
            let read = |cell| {
                let bits = self.footprint.read(&self.state, cell);
                let origin = tracer.origin_of(cell, bits);
                (cell, Bits { origin, ..bits })
            };
            let cells: std::collections::HashMap<_, _> = self.atoms[index].cells().map(read).collect();
            tracer.settle(&self.atoms[index], wanted, |cell| cells[&cell]);
        }
        self.tracer = Some(tracer);
    }
}

/// Atoms that can be observed at once.
pub const MOST_ATOMS: usize = 48;

/// The label of the states in which the last step committed the fault of that number.
#[must_use]
pub fn fault_label(number: u8) -> Labels {
    1 << (MOST_ATOMS - 1 + usize::from(number))
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

    fn initial_states(&mut self, emit: &mut impl FnMut(&[u8])) {
        let mut state = vec![0; self.footprint.size()];
        self.footprint.reset(&mut state);
        self.decisions.clear();
        loop {
            self.begin(&state);
            self.io_changed = true;
            self.finish();
            emit(&self.state);
            if !self.advance() {
                return;
            }
        }
    }

    fn successors(&mut self, state: &[u8], emit: &mut impl FnMut(Choice, &[u8])) {
        // What is computed with too small a footprint is thrown away; the less of it the better.
        if state[header::FLAGS] & ENDED != 0 || self.footprint.outgrown() {
            return;
        }
        self.decisions.clear();
        for choice in 0.. {
            self.begin(state);
            self.step();
            emit(choice, &self.state);
            if !self.advance() || self.footprint.outgrown() {
                break;
            }
        }
        if self.footprint.outgrown() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn labels(&mut self, state: &[u8]) -> Labels {
        let count = self.atoms.len().div_ceil(8);
        let atoms = (0..count).fold(0, |labels, byte| {
            labels | u64::from(state[header::LABELS + byte]) << (8 * byte)
        });
        match state[header::FAULT] {
            0 => atoms,
            fault => atoms | fault_label(fault),
        }
    }
}
