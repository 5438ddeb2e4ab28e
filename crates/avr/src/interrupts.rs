//! Which interrupts can come before an instruction, and the entry into a handler.
//!
//! Idea: an interrupt comes if it is enabled and requested; where the request is open, it comes in one
//! successor and not in another. Of several the one with the lowest vector comes, unless its request is open.
//!
//! Source: section 5.3.4 of Schlich's thesis; "Reset and Interrupt Handling" of the datasheets.

use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::fault::Fault;
use crate::micro::Micro;
use crate::peripherals::Request;
use crate::semantics::{push_address, status};
use crate::state::{ASLEEP, DELAY, Settling, TIMED, have_waited, header};

impl Micro {
    /// What is to be said about interrupts before an instruction: whether a handler was entered.
    pub(crate) fn interrupts(&mut self) -> bool {
        let nested = self
            .options
            .nesting
            .is_some_and(|limit| self.draft.state[header::DEPTH] >= limit);
        let enabled = self.are_interrupts_enabled();
        if !enabled || nested || self.draft.state[header::FLAGS] & DELAY != 0 {
            return false;
        }
        let mut possible = [0_u8; 64];
        let (mut count, mut certain, mut is_due) = (0, None, false);
        let may_be_late = self.options.lazy_interrupts || have_waited(&self.draft.state);
        for index in 0..self.chip.rules.interrupts.len() {
            let interrupt = &self.chip.rules.interrupts[index];
            if self.at(interrupt.enable).ones() & interrupt.enable.mask == 0 {
                continue;
            }
            match self.requested(interrupt.request) {
                Some(false) => {}
                // One more instruction may come first.
                Some(true) if !may_be_late => {
                    certain = Some(index);
                    break;
                }
                requested => {
                    is_due |= requested == Some(true);
                    possible[count] = index as u8;
                    count += 1;
                }
            }
        }
        let choices = count as u32 + 1;
        let taken = match (count, certain) {
            (0, None) => return false,
            (0, Some(index)) => index,
            (_, Some(index)) => match self.choose(choices) as usize {
                last if last == count => index,
                chosen => usize::from(possible[chosen]),
            },
            (_, None) if self.independence.waits && !is_due => {
                self.independence.left_out = true;
                return false;
            }
            (_, None) => match self.choose(choices) {
                0 => {
                    self.independence.passed = true;
                    return false;
                }
                chosen => usize::from(possible[chosen as usize - 1]),
            },
        };
        self.enter(taken);
        true
    }

    /// Whether the status register lets interrupts come.
    pub(crate) fn are_interrupts_enabled(&self) -> bool {
        self.read(u32::from(address::SREG)).value & status::I != 0
    }

    /// Whether an interrupt is requested; none where that is open.
    fn requested(&self, request: Request) -> Option<bool> {
        let known = |bits: Bits, mask: u8| match (bits.ones() & mask, bits.unknown & mask) {
            (0, 0) => Some(false),
            (0, _) => None,
            _ => Some(true),
        };
        match request {
            Request::Open => None,
            Request::Flag(flag) => known(self.at(flag), flag.mask),
            Request::Idle(busy) => known(self.at(busy), busy.mask).map(|busy| !busy),
            Request::Pin(index) => {
                let pin = self.chip.rules.pins[index];
                let sense = pin.sense.map_or(0, |place| self.at(place).value);
                if !pin.is_level(sense) {
                    return known(self.at(pin.flag), pin.flag.mask);
                }
                // The chip samples the pin: what is put out there may be seen some instructions later.
                let settles = Settling::read(&self.draft.state).of(pin.port) & pin.pins.mask != 0;
                known(self.pin_level(pin.port), pin.pins.mask)
                    .filter(|high| *high && !settles)
                    .map(|_| false)
            }
        }
    }

    /// The pins of a port, inputs unknown unless the environment fixes them.
    pub(crate) fn pin_level(&self, port: usize) -> Bits {
        let driven = self.driven(port);
        let port = &self.chip.rules.ports[port];
        let (ddr, output) = (self.read(u32::from(port.ddr)), self.read(u32::from(port.port)));
        let (mut value, mut unknown) = (0, 0xFF);
        if let Some((_, allowed)) = self.options.inputs.iter().find(|(pin, _)| *pin == port.pin) {
            let all = allowed.iter().fold(0xFF, |all, one| all & one);
            let any = allowed.iter().fold(0, |any, one| any | one);
            (value, unknown) = (all, all ^ any);
        }
        let either = (value ^ output.value) & ddr.unknown;
        let open = unknown & !ddr.ones() | output.unknown & !ddr.zeros() | either | driven;
        Bits::input(value & !ddr.ones() | output.value & ddr.ones(), open, 0)
    }

    fn enter(&mut self, index: usize) {
        if self.options.analysis.is_some() {
            self.note_interrupt(self.draft.pc);
        }
        let interrupt = self.chip.rules.interrupts[index].clone();
        let moved = self.chip.rules.moved_vectors;
        let is_moved = moved.is_some_and(|moved| self.at(moved).ones() & moved.mask != 0);
        if is_moved != self.chip.vectors_moved {
            self.caveats.unsupported = Some(match is_moved {
                true => {
                    "an interrupt comes while IVSEL is 1 (--vectors boot takes the boot section's vectors)"
                }
                false => "an interrupt comes while IVSEL is 0, and --vectors boot says that it is 1",
            });
            self.draft.ended = true;
            return;
        }
        if let Some(tracer) = &mut self.tracer {
            tracer.interrupt(index);
        }
        let flag = match interrupt.request {
            Request::Open => None,
            Request::Flag(flag) => Some(flag),
            Request::Idle(busy) => {
                self.set_place(busy, false);
                None
            }
            Request::Pin(pin) => {
                let pin = self.chip.rules.pins[pin];
                let sense = pin.sense.map_or(0, |place| self.at(place).value);
                (!pin.is_level(sense)).then_some(pin.flag)
            }
        };
        if let Some(flag) = flag {
            self.end_operation(flag);
            self.set_place(flag, !interrupt.clears_on_entry);
        }
        // With the watchdog's reset enabled too, its interrupt comes once, and the reset next.
        if let Some(watchdog) = self.chip.rules.watchdog
            && watchdog.interrupt == Some(interrupt.enable)
            && self.at(watchdog.enable).ones() & watchdog.enable.mask != 0
        {
            self.set_place(interrupt.enable, false);
        }
        self.draft.state[header::FLAGS] &= !TIMED;
        Settling::default().write(&mut self.draft.state);
        self.draft.io_changed = true;
        if self.tearing.monitor != 0 {
            self.follow_interrupt();
        }
        if self.options.nesting.is_some() || self.independence.is_on() {
            self.note_entry();
        }
        let pc = self.draft.pc;
        push_address(self, pc);
        self.enter_frames(interrupt.number, pc);
        let sreg = u32::from(address::SREG);
        let flags = self.read(sreg).and(Bits::known(!status::I));
        self.write(sreg, flags);
        self.draft.pc = interrupt.vector;
        self.draft.state[header::FLAGS] &= !(DELAY | ASLEEP);
        if self.chip.loaded.missing_handlers[index] {
            self.commit(Fault::MissingHandler);
        }
    }
}
