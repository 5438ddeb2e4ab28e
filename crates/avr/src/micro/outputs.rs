//! Stores of unknown bits to I/O registers.
//!
//! Idea: what controls peripherals has to be known. Most registers to which programs write data control
//! nothing: what is transmitted, compare values, the outputs of a port. Their contents may be unknown;
//! whoever reads them reads what was stored. So may the directions of a port and the EEPROM's address and
//! data: what they decide is then open. The status register may hold unknown flags, as arithmetic leaves
//! them.
//!
//! Invariant: no rule of a peripheral and no decision of the core looks at a register that
//! [`only_puts_out`], except through code that expects unknown bits there (ports, the EEPROM).

use super::Micro;
use crate::byte::{AbstractByte as _, Bits};
use crate::chip::Io;
use crate::core::address;
use crate::fault::Fault;
use crate::footprint::Cell;
use crate::peripherals::{Place, Request, Rules, Test};
use crate::semantics::{Machine as _, WORDS_WITHOUT_EXTENSION, status};

impl Micro {
    /// Whether flags that are unknown are read and written as they are.
    pub(crate) fn copies_flags(&self) -> bool {
        let io = &self.chip.io[usize::from(address::SREG)];
        self.options.abstract_values && io.known && io.reserved | io.read_only == 0
    }

    /// Whether unknown bits may be stored to an I/O register.
    pub(crate) fn may_store_open(&self, at: u16) -> bool {
        let is_output = self.chip.outputs.get(usize::from(at)).copied().unwrap_or(false);
        let is_flags = at == address::SREG && self.copies_flags();
        self.options.abstract_values && (is_flags || is_output && !self.labelling.observed[usize::from(at)])
    }

    /// Stores a register with unknown bits, if the I/O register may have them; whether it did.
    pub(crate) fn store_open(&mut self, at: u16, number: u8) -> bool {
        if !self.options.abstract_values {
            return false;
        }
        if at == address::SREG {
            if !self.copies_flags() {
                return false;
            }
            let flags = self.demand(number, status::I);
            self.write(u32::from(at), Bits::input(flags.value, flags.unknown, 0));
            return true;
        }
        let io = &self.chip.io[usize::from(at)];
        let (reserved, read_only, has_side_effects) = (io.reserved, io.read_only, io.has_side_effects);
        let pair = io.pair;
        let halves = pair.map_or([at, at], |pair| [pair.low, pair.high]);
        let waiting = pair
            .filter(|pair| pair.low == at)
            .map(|pair| self.temporary(pair));
        let is_open = self.register(number).unknown != 0
            || waiting.is_some_and(|waiting| self.read(waiting).unknown != 0);
        if !is_open || !halves.into_iter().all(|at| self.may_store_open(at)) {
            return false;
        }
        let bits = self.register_to_store(number, reserved);
        if let Some(pair) = pair.filter(|pair| pair.high == at) {
            self.write(self.temporary(pair), bits);
            return true;
        }
        if let (Some(pair), Some(waiting)) = (pair, waiting) {
            let high = self.read(waiting);
            self.write(u32::from(pair.high), high);
        }
        if self.keeps_eeprom_address(at) {
            return true;
        }
        let old = self.read(u32::from(at));
        let kept = read_only | reserved;
        let new = Bits {
            value: old.value & kept | bits.value & !kept,
            unknown: old.unknown & kept | bits.unknown & !kept,
            origin: 0,
        };
        self.unsettle_pins(at, old, new);
        self.pin_edges(at, old, new);
        self.write(u32::from(at), new);
        self.draft.io_changed = true;
        if has_side_effects {
            self.side_effects(at, true);
        }
        self.start_operations(at);
        self.upset(at, old, new);
        true
    }

    /// A register that is stored: either all reserved bits are 0, or that is a fault.
    fn register_to_store(&mut self, number: u8, reserved: u8) -> Bits {
        let mut bits = self.register(number);
        let open = bits.unknown & reserved;
        if bits.ones() & reserved != 0 || open != 0 && self.choose(2) == 1 {
            self.commit(Fault::ReservedWrite);
        } else if open != 0 {
            bits = self.settle(Cell::from(number), bits, open, 0);
        }
        Bits::input(bits.value, bits.unknown, bits.origin)
    }
}

/// Whether a register of a device only puts something out: it controls nothing.
pub(crate) fn only_puts_out(at: u16, io: &[Io], rules: &Rules, flash_words: usize) -> bool {
    let of_core = [address::RAMPZ, address::SPL, address::SPH, address::SREG];
    let is_plain = io.get(usize::from(at)).is_some_and(|io| {
        let special = io.write_one_to_clear | io.write_zero_to_clear | io.strobe | io.doubtful;
        io.known
            && special | io.cleared_by_hardware == 0
            && io.pin.is_none()
            && !io.has_flags
            && !io.controls_pins
    });
    let extends_targets = at == address::EIND && flash_words > WORDS_WITHOUT_EXTENSION as usize;
    is_plain && !of_core.contains(&at) && !extends_targets && !controls(rules, at)
}

/// Whether some rule looks at what a register holds. Every field is listed, so that none is forgotten.
fn controls(rules: &Rules, at: u16) -> bool {
    let Rules {
        events,
        volatile,
        self_clearing,
        zeros,
        upsets,
        operations,
        sequences,
        causes,
        toggles,
        timed,
        side_effects,
        ports,
        overrides,
        enabling,
        taken_by_fuses: _,
        lasting,
        pins,
        interrupts,
        hidden: _,
        eeprom,
        watchdog,
        pairs: _,
        sleep,
        programming,
        moved_vectors,
    } = rules;
    let is = |place: &Place| place.address == at;
    let tests = |tests: &[Test]| {
        let mut places = tests.iter().map(|test| match test {
            Test::Any(place) | Test::None(place) => place,
        });
        places.any(is)
    };
    // What a direction lets hardware do it may do where it is unknown.
    let is_direction = ports.iter().any(|port| port.ddr == at);
    let of_peripherals = events
        .iter()
        .any(|event| is(&event.flag) || !is_direction && tests(&event.active))
        || volatile.iter().any(|volatile| tests(&volatile.active))
        || self_clearing
            .iter()
            .any(|bit| is(&bit.place) || !is_direction && tests(&bit.active))
        || zeros.iter().any(|zero| is(&zero.place) || tests(&zero.active))
        || upsets.iter().any(|upset| is(&upset.bit))
        || operations
            .iter()
            .any(|one| is(&one.busy) || is(&one.flag) || tests(&one.needs) || tests(&one.again))
        || toggles
            .iter()
            .any(|one| is(&one.strobe) || is(&one.output) || is(&one.mode))
        || sequences.iter().any(|sequence| sequence.address == at)
        || timed.iter().any(is)
        || toggles
            .iter()
            .any(|toggle| is(&toggle.strobe) || is(&toggle.output) || is(&toggle.mode))
        || side_effects.iter().any(|effect| is(&effect.clears));
    let of_pins = ports.iter().any(|port| port.pin == at)
        || overrides.iter().any(|one| tests(&one.active))
        || enabling.iter().flatten().any(is)
        || lasting.iter().any(|one| is(&one.since) || is(&one.begun_by))
        || pins.iter().any(|pin| {
            is(&pin.flag) || is(&pin.pins) || pin.selection == Some(at) || pin.sense.as_ref().is_some_and(is)
        });
    let of_interrupts = interrupts.iter().any(|interrupt| {
        let requested = match &interrupt.request {
            Request::Flag(place) | Request::Idle(place) => is(place),
            Request::Pin(_) | Request::Open => false,
        };
        is(&interrupt.enable) || requested
    });
    let of_chip = causes.is_some_and(|causes| is(&causes.all) || is(&causes.watchdog))
        || sleep.as_ref().is_some_and(is)
        || moved_vectors.as_ref().is_some_and(is)
        || *programming == Some(at)
        || eeprom.is_some_and(|eeprom| {
            is(&eeprom.read)
                || is(&eeprom.write)
                || is(&eeprom.master)
                || eeprom.mode.as_ref().is_some_and(is)
        })
        || watchdog.is_some_and(|watchdog| {
            is(&watchdog.enable)
                || watchdog.interrupt.as_ref().is_some_and(is)
                || watchdog.reset_flag.as_ref().is_some_and(is)
        });
    of_peripherals || of_pins || of_interrupts || of_chip
}
