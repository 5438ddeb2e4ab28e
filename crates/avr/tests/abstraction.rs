//! Random instructions over partly unknown bytes: what the concrete core does, the nondeterministic
//! microcontroller can do.
//!
//! Some registers are loaded from input pins of which some bits are unknown, the others have known random
//! values; static memory was never written. The concrete core has random values for what is unknown. After
//! each instruction one of the microcontroller's states has to agree with the core's, where an unknown bit
//! agrees with both values.
//!
//! `KRIPKE_AVR_ABSTRACT_COUNT` sets how many instructions at least, `KRIPKE_AVR_SEED` where the random
//! numbers start.

mod random;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::disassemble;
use kripke_avr::image::Image;
use kripke_avr::instruction::{Instruction, Operation, decode};
use kripke_avr::micro::{Micro, Nondeterminism, Options};
use kripke_model::KripkeStructure;

use random::{GENERAL, RAM, RAM_END, Random, is_comparable, random_code};

const PINS: u16 = 0x29;
const INSTRUCTIONS: usize = 24;

/// Code that gives every register a value, some of them from the pins, and goes on with random instructions.
fn code(random: &mut Random) -> (Vec<u16>, usize) {
    let immediate = |register: u16, value: u8| {
        0xE000 | u16::from(value & 0xF0) << 4 | (register - 16) << 4 | u16::from(value & 0x0F)
    };
    let input = |register: u16| 0xB000 | register << 4 | (PINS - 0x20);
    let mut code = Vec::new();
    let from_pins: Vec<u16> = (0..1 + random.next() % 4)
        .map(|_| (random.next() % 32) as u16)
        .collect();
    let output = |at: u16| 0xB900 | (at - 0x20) & 0x0F | ((at - 0x20) & 0x30) << 5;
    for (at, value) in [address::SPL, address::SPH]
        .into_iter()
        .zip(random.ram().to_le_bytes())
    {
        code.extend([immediate(16, value), output(at)]);
    }
    for register in 0..16 {
        code.push(immediate(16, random.byte()));
        // MOV
        code.push(0x2C00 | register << 4 | 1 << 9);
    }
    code.extend((16..32).map(|register| immediate(register, random.byte())));
    for low in [26, 28, 30] {
        let [first, second] = random.ram().to_le_bytes();
        code.extend([immediate(low, first), immediate(low + 1, second)]);
    }
    code.extend(from_pins.into_iter().map(input));
    let known = code.len();
    for _ in 0..INSTRUCTIONS {
        let [first, second] = random_code(random);
        code.push(first);
        if decode(first, 0).words == 2 {
            code.push(second);
        }
    }
    (code, known)
}

fn agrees(micro: &Micro, state: &[u8], core: &Core) -> bool {
    let flags = [address::SREG, address::SPL, address::SPH];
    let cells = (0..32).chain(GENERAL).chain(flags).chain(RAM..RAM_END);
    micro.pc_of(state) == core.pc
        && cells.into_iter().all(|at| {
            let bits = micro.byte_of(state, at);
            (bits.value ^ core.data(at)) & !bits.unknown == 0
        })
}

/// Runs one case; the instructions that were compared.
fn compare(random: &mut Random, device: &Device, options: &Options, seen: &mut HashSet<Operation>) -> u64 {
    let (code, known) = code(random);
    let mut flash: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    flash.resize(0x8000, 0);
    let mut image = Image::default();
    image.flash.define(0, &flash).unwrap();
    let mut core = Core::new(&image, device);
    for at in (0..32).chain(RAM..RAM_END) {
        core.set_data(at, random.byte());
    }
    // Three bits of the pins are unknown, or most, where they need not be decided.
    let open = if options.abstract_values { 0xEF_u8 } else { 0x0B };
    let (base, mask) = (random.byte(), open.rotate_left(random.next() % 8));
    let inputs: Vec<u8> = (0..=0xFF).filter(|value| (value ^ base) & !mask == 0).collect();
    core.set_data(PINS, base);
    let options = Options {
        inputs: vec![(PINS, inputs)],
        ..options.clone()
    };
    let mut micro = Micro::new(&image, device, options, Arc::default());
    micro.hold_all();
    let mut states: BTreeSet<Vec<u8>> = BTreeSet::new();
    micro.initial_states(&mut |state| {
        states.insert(state.to_vec());
    });
    let mut done = 0;
    for step in 0..known + INSTRUCTIONS {
        if step >= known && !is_comparable(&core) {
            break;
        }
        let instruction = core.instruction();
        let before = core.clone();
        core.step();
        // Bits that the chip does not have are plain memory to the core.
        if core.data(address::SPH) & !0x0F != 0 {
            break;
        }
        let mut next = BTreeSet::new();
        let mut undefined = false;
        for state in &states {
            let mut successors = Vec::new();
            micro.successors(state, &mut |_, next| successors.push(next.to_vec()));
            undefined |= successors.iter().any(|successor| micro.has_ended(successor));
            next.extend(successors.into_iter().filter(|next| agrees(&micro, next, &core)));
        }
        // A return to an address that is not known: what follows is not defined.
        if undefined && matches!(instruction.operation, Operation::Ret | Operation::Reti) {
            break;
        }
        assert!(
            !next.is_empty(),
            "{}",
            difference(&micro, &states, &before, &instruction, &core)
        );
        states = next;
        if step >= known {
            seen.insert(instruction.operation);
            done += 1;
        }
    }
    done
}

fn difference(
    micro: &Micro,
    states: &BTreeSet<Vec<u8>>,
    before: &Core,
    instruction: &Instruction,
    after: &Core,
) -> String {
    let mut text = format!("{} at {:#x}:", disassemble::text(instruction), before.pc * 2);
    let flags = [address::SREG, address::SPL, address::SPH];
    for at in (0..32).chain(flags) {
        let unknown: Vec<u8> = states
            .iter()
            .map(|state| micro.byte_of(state, at).unknown)
            .collect();
        let (old, new) = (before.data(at), after.data(at));
        if old != new || unknown.iter().any(|bits| *bits != 0) {
            text += &format!(" [{at:#x}] = {old:#04x} (unknown {unknown:x?}) becomes {new:#04x};");
        }
    }
    text
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn compare_all(options: &Options) {
    compare_many(options, 1);
}

/// Compares a part of so many instructions.
fn compare_many(options: &Options, part: u64) {
    let device = Device::built_in("atmega328p").unwrap();
    let mut random = Random(number("KRIPKE_AVR_SEED", 1));
    let wanted = number("KRIPKE_AVR_ABSTRACT_COUNT", 20_000) / part;
    let (mut done, mut seen) = (0, HashSet::new());
    while done < wanted {
        done += compare(&mut random, &device, options, &mut seen);
    }
    println!("{done} instructions of {} kinds", seen.len());
    assert!(seen.len() >= 60, "only {} kinds: {seen:?}", seen.len());
}

#[test]
fn inputs_that_are_decided_when_something_depends_on_them() {
    compare_all(&Options::default());
}

#[test]
fn inputs_that_are_decided_when_they_are_read() {
    compare_all(&Options {
        nondeterminism: Nondeterminism::Immediate,
        lazy_stack: false,
        ..Options::default()
    });
}

#[test]
fn values_that_stay_unknown() {
    let options = Options {
        abstract_values: true,
        ..Options::default()
    };
    compare_many(&options, 2);
}

/// What is stored to bits of memory that are widened does not matter.
#[test]
fn memory_whose_values_are_not_kept() {
    for bits in [0xFF, 0x3F, 0x81] {
        let widened = (RAM..RAM_END).filter(|at| at % 3 == 0);
        let options = Options {
            abstract_values: true,
            widened: Arc::new(widened.map(|at| (at, bits)).collect()),
            ..Options::default()
        };
        compare_many(&options, 2);
    }
}

/// What is computed at instructions that are widened does not matter.
#[test]
fn results_that_are_not_kept() {
    let options = Options {
        abstract_values: true,
        widened_at: Arc::new((0..512).filter(|at| at % 3 == 0).collect()),
        ..Options::default()
    };
    compare_many(&options, 2);
}
