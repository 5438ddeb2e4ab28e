//! The chip with an image in its flash, in the form that the microcontroller's steps look it up in.
//!
//! Invariant: nothing of it changes while states are explored.

use crate::byte::{AbstractByte, Bits};
use crate::core::address;
use crate::device::{Device, Register};
use crate::footprint::NEVER_WRITTEN;
use crate::image::Image;
use crate::instruction::Instruction;
use crate::micro::{Addresses, Code, only_puts_out};
use crate::peripherals::{Pair, Rules};

/// A device, and the image that it runs.
pub(crate) struct Chip {
    /// What its peripherals do, without interrupts that never come.
    pub(crate) rules: Rules,
    pub(crate) io: Vec<Io>,
    pub(crate) space: Space,
    pub(crate) loaded: Loaded,
    /// The registers that become addresses.
    pub(crate) addresses: Addresses,
    /// The I/O registers that may hold unknown bits.
    pub(crate) outputs: Vec<bool>,
    /// Bytes of a return address on the stack.
    pub(crate) address_bytes: u8,
    /// Writing 1 to a PIN register toggles the output.
    pub(crate) pin_toggles: bool,
    /// The vectors are those of the boot section.
    pub(crate) vectors_moved: bool,
}

/// How large the chip's memories are. In the data address space I/O registers come first, then static memory.
pub(crate) struct Space {
    pub(crate) io_end: u16,
    pub(crate) data_end: u16,
    pub(crate) eeprom_size: u16,
    /// Bytes of a page of flash.
    pub(crate) page_bytes: u16,
    pub(crate) flash_words: u32,
}

/// What the image says beside the contents of memory.
pub(crate) struct Loaded {
    /// Whether a word of flash is part of it.
    pub(crate) is_code: Vec<bool>,
    /// Whether an interrupt has no handler.
    pub(crate) missing_handlers: Vec<bool>,
    /// The stack may not grow below.
    pub(crate) stack_limit: u16,
    /// Word address where runs begin.
    pub(crate) reset: u32,
    /// Word address from which SPM works.
    pub(crate) boot: u32,
    /// Whether there is code below the boot section.
    pub(crate) has_application: bool,
}

impl Chip {
    /// A device that follows these rules, with an image in its flash that decodes to a program.
    pub(crate) fn new(image: &Image, device: &Device, rules: Rules, program: &[Instruction]) -> Self {
        let io = io_table(device, &rules);
        let loaded = Loaded::new(image, device, &rules, program);
        let vectors = rules.interrupts.iter().map(|interrupt| interrupt.vector);
        let code = Code::of(image, program, vectors);
        Self {
            space: Space {
                io_end: device.sram.start as u16,
                data_end: device.sram.end() as u16,
                eeprom_size: device.eeprom.size as u16,
                page_bytes: device.flash_page,
                flash_words: program.len() as u32,
            },
            addresses: Addresses::of(program, &code),
            outputs: (0..device.sram.start as u16)
                .map(|at| only_puts_out(at, &io, &rules, program.len()))
                .collect(),
            loaded,
            io,
            address_bytes: device.pc_bytes,
            pin_toggles: device.pin_toggles,
            vectors_moved: device.vectors_at != 0,
            rules,
        }
    }
}

impl Loaded {
    fn new(image: &Image, device: &Device, rules: &Rules, program: &[Instruction]) -> Self {
        let reset = image.reset / 2;
        let words = 0..program.len() as u32;
        let vectors = rules.interrupts.iter().map(|interrupt| interrupt.vector);
        let static_end = image.static_end.unwrap_or(device.sram.start) as u16;
        Self {
            is_code: words.map(|word| image.flash.is_used(word * 2)).collect(),
            missing_handlers: vectors.map(|vector| is_missing(program, vector, reset)).collect(),
            stack_limit: static_end.max(device.sram.start as u16),
            reset,
            boot: image.boot / 2,
            has_application: image.flash.used().iter().any(|used| used.start < image.boot),
        }
    }
}

/// What is known of an I/O address.
#[derive(Debug, Clone, Default)]
pub(crate) struct Io {
    pub(crate) known: bool,
    pub(crate) reserved: u8,
    pub(crate) read_only: u8,
    pub(crate) write_one_to_clear: u8,
    pub(crate) write_zero_to_clear: u8,
    pub(crate) strobe: u8,
    pub(crate) doubtful: u8,
    pub(crate) unsupported: u8,
    /// Bits that the program sets and only hardware clears.
    pub(crate) cleared_by_hardware: u8,
    /// Index of the port whose PIN register this is.
    pub(crate) pin: Option<usize>,
    /// Indices of the volatile rules.
    pub(crate) volatile: Vec<usize>,
    pub(crate) has_side_effects: bool,
    /// Whether hardware changes some of its bits and leaves others.
    pub(crate) has_flags: bool,
    /// The register of 16 bits that this is a half of.
    pub(crate) pair: Option<Pair>,
    /// Whether it gives pins to peripherals, or back to their port.
    pub(crate) controls_pins: bool,
}

/// The value of every cell at reset.
///
/// The EEPROM holds what some earlier run has left there, or what the image says.
pub(crate) fn reset_values(
    device: &Device,
    image: &Image,
    rules: &Rules,
    eeprom_of_image: bool,
) -> Vec<Bits> {
    let power_on = Bits {
        value: 0xFF,
        unknown: 0xFF,
        origin: 0,
    };
    let mut cells = vec![Bits::known(0); device.sram.start as usize];
    cells[..32].fill(power_on);
    for Register {
        address,
        reset,
        undefined,
        ..
    } in &device.registers
    {
        if let Some(cell) = cells.get_mut(usize::from(*address)) {
            *cell = Bits {
                value: reset | undefined,
                unknown: *undefined,
                origin: 0,
            };
        }
    }
    // Runs begin with power-on or a reset from outside, not by the watchdog; without the note of one, the
    // watchdog is off.
    if let Some(watchdog) = rules.watchdog
        && let Some(flag) = watchdog.reset_flag
    {
        for place in [flag, watchdog.enable] {
            let cell = &mut cells[usize::from(place.address)];
            *cell = Bits::input(cell.value & !place.mask, cell.unknown & !place.mask, 0);
        }
    }
    // These have to be known at all times.
    for known in [address::SREG, address::SPL, address::SPH] {
        let cell = &mut cells[usize::from(known)];
        *cell = Bits::known(cell.ones());
    }
    for volatile in rules
        .volatile
        .iter()
        .filter(|volatile| volatile.active.is_empty())
    {
        let address = volatile.place.address;
        // What the file declares is read as anything, and else is what was written: pins depend on it.
        let declared = device
            .registers
            .iter()
            .filter(|register| register.address == address);
        let declared = declared.fold(0, |mask, register| mask | register.volatile);
        let cell = &mut cells[usize::from(address)];
        *cell = Bits::input(cell.value, cell.unknown | volatile.place.mask & !declared, 0);
    }
    cells.resize(device.sram.end() as usize, NEVER_WRITTEN);
    // These have the values that they had before the reset, which is nothing that the program left out.
    for at in image.not_initialised.clone() {
        if at >= device.sram.start
            && let Some(cell) = cells.get_mut(at as usize)
        {
            *cell = power_on;
        }
    }
    let stored = image.eeprom.bytes();
    cells.extend((0..device.eeprom.size as usize).map(|at| match eeprom_of_image {
        true => Bits::known(stored.get(at).copied().unwrap_or(0xFF)),
        false => power_on,
    }));
    cells.extend((0..device.flash_page).map(|_| Bits::known(0xFF)));
    cells.extend((0..rules.cells_behind()).map(|_| Bits::known(0)));
    cells
}

/// Whether a vector leads back to the reset vector, as avr-libc has it for interrupts without a handler: by
/// way of `__bad_interrupt`, which jumps to the handler for all of these (`BADISR_vect`) if the program has
/// one.
pub(crate) fn is_missing(program: &[Instruction], vector: u32, reset: u32) -> bool {
    use crate::instruction::Operation as Op;
    let mut at = vector;
    for _ in 0..MOST_JUMPS {
        let Some(instruction) = program.get(at as usize) else {
            return true;
        };
        at = match instruction.operation {
            Op::Jmp => instruction.k as u32,
            Op::Rjmp => instruction.target(at, program.len() as u32),
            Op::Undefined => return true,
            _ => return false,
        };
        if at == 0 || at == reset {
            return true;
        }
    }
    // Jumps in a circle: a handler that waits for the watchdog.
    false
}

/// Jumps from a vector to its handler, at the most.
const MOST_JUMPS: usize = 8;

/// What is known of each address below static memory.
pub(crate) fn io_table(device: &Device, rules: &Rules) -> Vec<Io> {
    let mut table = vec![Io::default(); device.sram.start as usize];
    for register in &device.registers {
        let Some(io) = table.get_mut(usize::from(register.address)) else {
            continue;
        };
        // Of registers at the same address, what is reserved in one may be there in the other.
        let reserved = if io.known {
            io.reserved & register.reserved
        } else {
            register.reserved
        };
        *io = Io {
            known: true,
            reserved,
            read_only: register.read_only | io.read_only,
            write_one_to_clear: register.write_one_to_clear | io.write_one_to_clear,
            write_zero_to_clear: register.write_zero_to_clear | io.write_zero_to_clear,
            strobe: register.strobe | io.strobe,
            doubtful: register.doubtful | io.doubtful,
            unsupported: register.unsupported | io.unsupported,
            controls_pins: rules.controls_pins(register.address),
            ..Io::default()
        };
    }
    for (index, port) in rules.ports.iter().enumerate() {
        table[usize::from(port.pin)].pin = Some(index);
    }
    for (index, volatile) in rules.volatile.iter().enumerate() {
        table[usize::from(volatile.place.address)].volatile.push(index);
    }
    for clearing in rules.self_clearing.iter().filter(|clearing| !clearing.by_program) {
        table[usize::from(clearing.place.address)].cleared_by_hardware |= clearing.place.mask;
    }
    for pair in &rules.pairs {
        for half in [pair.low, pair.high] {
            table[usize::from(half)].pair = Some(*pair);
        }
    }
    let flags = rules.events.iter().map(|event| event.flag);
    let flags = flags.chain(rules.self_clearing.iter().map(|clearing| clearing.place));
    for flag in flags.chain(rules.timed.iter().copied()) {
        table[usize::from(flag.address)].has_flags = true;
    }
    for effect in &rules.side_effects {
        table[usize::from(effect.address)].has_side_effects = true;
    }
    table
}
