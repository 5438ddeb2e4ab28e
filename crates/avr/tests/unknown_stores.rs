//! Random programs that store unknown values to the EEPROM and its registers, to the directions and outputs
//! of a port, and to memory at unknown indices: where values stay unknown, every state at the end that there
//! is without that is one that some state stands for, and so is every fault on the way.
//!
//! `KRIPKE_AVR_STORES_COUNT` sets how many programs, `KRIPKE_AVR_SEED` where the random numbers start.

// Of what is shared only the random numbers are used here, not the random instructions.
#[allow(dead_code)]
mod random;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use kripke_avr::device::Device;
use kripke_avr::fault::Fault;
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Nondeterminism, Options};
use kripke_model::KripkeStructure;

use random::Random;

const DDRB: u16 = 0x24;
const PORTB: u16 = 0x25;
const PINB: u16 = 0x23;
const PINC: u16 = 0x26;
const EECR: u16 = 0x3F;
const EEDR: u16 = 0x40;
const EEARL: u16 = 0x41;
const EEARH: u16 = 0x42;
/// Bytes that are written before anything else, and those behind that indices may reach.
const BUFFER: u16 = 0x100;
const BUFFER_END: u16 = 0x118;
/// Behind the static memory of the programs.
const EEPROM: u32 = 0x900;
const EEPROM_END: u32 = 0xD00;
const OPERATIONS: u32 = 4;
/// States of a program without values that stay unknown, at the most.
const MOST_STATES: usize = 12_000;

/// Writes instructions.
#[derive(Default)]
struct Program(Vec<u16>);

impl Program {
    fn ldi(&mut self, d: u16, value: u8) {
        self.with_constant(0xE000, d, value);
    }
    fn with_constant(&mut self, operation: u16, d: u16, value: u8) {
        let value = u16::from(value);
        self.0
            .push(operation | (value & 0xF0) << 4 | (d - 16) << 4 | value & 0x0F);
    }
    fn of_two(&mut self, operation: u16, d: u16, r: u16) {
        self.0.push(operation | (r & 0x10) << 5 | d << 4 | r & 0x0F);
    }
    fn input(&mut self, d: u16, at: u16) {
        self.0
            .push(0xB000 | ((at - 0x20) & 0x30) << 5 | d << 4 | (at - 0x20) & 0x0F);
    }
    fn output(&mut self, at: u16, r: u16) {
        self.0
            .push(0xB800 | ((at - 0x20) & 0x30) << 5 | r << 4 | (at - 0x20) & 0x0F);
    }
    fn bit(&mut self, at: u16, bit: u16, value: bool) {
        self.0
            .push(if value { 0x9A00 } else { 0x9800 } | (at - 0x20) << 3 | bit);
    }
    fn sts(&mut self, at: u16, r: u16) {
        self.0.extend([0x9200 | r << 4, at]);
    }
    fn lds(&mut self, d: u16, at: u16) {
        self.0.extend([0x9000 | d << 4, at]);
    }
}

/// One of r16 to r23.
fn register(random: &mut Random) -> u16 {
    16 + (random.next() % 8) as u16
}

/// Makes another index of one, which may lie behind what is written.
fn compute(program: &mut Program, random: &mut Random, index: u16) {
    let (d, r) = (register(random), register(random));
    match random.next() % 8 {
        // CPSE, and what it leaves out.
        0 | 1 => {
            let other = if random.next().is_multiple_of(2) { d } else { r };
            program.of_two(0x1000, d, other);
            program.with_constant(0x6000, index, 1);
        }
        2 => {
            program.of_two(0x1000, index, r);
            program.with_constant(0x6000, index, 2);
        }
        // INC, LSR, SWAP and ANDI, EOR with what may be unknown, too.
        3 => program.0.push(0x9403 | index << 4),
        4 => program.0.push(0x9406 | index << 4),
        5 => {
            program.0.push(0x9402 | index << 4);
            program.with_constant(0x7000, index, 0x17);
        }
        6 => {
            program.of_two(0x2400, index, r);
            program.with_constant(0x7000, index, 7);
        }
        _ => {}
    }
}

/// Loads from the buffer at an index in a register, or stores there.
fn access(program: &mut Program, random: &mut Random, unknown: u16) {
    let index = if random.next().is_multiple_of(2) {
        unknown
    } else {
        register(random)
    };
    let value = register(random);
    let base = BUFFER + (random.next() % 8) as u16;
    let mask = [7, 3, 6][(random.next() % 3) as usize];
    program.with_constant(0x7000, index, mask);
    let stores = random.next().is_multiple_of(2);
    if random.next().is_multiple_of(2) {
        let [low, high] = base.wrapping_neg().to_le_bytes();
        program.of_two(0x2C00, 30, index);
        compute(program, random, 30);
        program.ldi(31, 0);
        program.with_constant(0x5000, 30, low);
        program.with_constant(0x4000, 31, high);
        // LDD or STD with a displacement.
        let displacement = (random.next() % 8) as u16;
        program
            .0
            .push(if stores { 0x8200 } else { 0x8000 } | value << 4 | displacement);
    } else {
        let [low, high] = base.to_le_bytes();
        program.ldi(26, low);
        program.ldi(27, high);
        compute(program, random, index);
        program.of_two(0x0C00, 26, index);
        program.of_two(0x1C00, 27, 1);
        program.0.push(if stores { 0x920C } else { 0x900C } | value << 4);
    }
    for pointer in [26, 27, 30, 31] {
        program.ldi(pointer, 0);
    }
}

fn operation(program: &mut Program, random: &mut Random, unknown: u16) {
    let (d, r, bit) = (register(random), register(random), (random.next() % 8) as u16);
    match random.next() % 16 {
        0..=2 => access(program, random, unknown),
        3 => program.output(EEARL, r),
        4 => {
            // Some reserved bits may be one.
            program.with_constant(0x7000, r, 0x05);
            program.output(EEARH, r);
        }
        5 => program.output(EEDR, r),
        6 | 7 => {
            program.bit(EECR, 0, true);
            program.input(d, EEDR);
        }
        8 | 9 => {
            program.bit(EECR, 2, true);
            program.bit(EECR, 1, true);
        }
        10 => program.output(DDRB, r),
        11 => program.output(PORTB, r),
        12 => program.input(d, [PINB, DDRB, PORTB][(random.next() % 3) as usize]),
        13 => program.bit(
            [DDRB, PORTB][(random.next() % 2) as usize],
            bit,
            random.next().is_multiple_of(2),
        ),
        14 => program.of_two(
            [0x0C00, 0x2400, 0x2000, 0x2800][(random.next() % 4) as usize],
            d,
            r,
        ),
        _ => {
            let at = BUFFER + (random.next() % 16) as u16;
            if random.next().is_multiple_of(2) {
                program.sts(at, r);
            } else {
                program.lds(d, at);
            }
        }
    }
}

fn program(random: &mut Random) -> Vec<u16> {
    let mut program = Program::default();
    program.of_two(0x2400, 1, 1);
    for at in BUFFER..BUFFER_END {
        program.ldi(16, random.byte());
        program.sts(at, 16);
    }
    // At power-on it names any byte.
    for at in [EEARH, EEARL] {
        program.output(at, 1);
    }
    for d in 16..24 {
        program.ldi(d, random.byte());
    }
    // So many unknown bits are left open.
    let unknown = register(random);
    program.input(unknown, PINC);
    program.with_constant(0x7000, unknown, 0x15);
    for _ in 0..OPERATIONS {
        operation(&mut program, random, unknown);
    }
    program.0
}

/// All states at the end of a program, and the faults on the way; none if there are very many.
fn explore(micro: &mut Micro, end: u32) -> Option<(Vec<Vec<u8>>, HashSet<Fault>)> {
    let mut open: Vec<Vec<u8>> = Vec::new();
    let mut known: BTreeSet<Vec<u8>> = BTreeSet::new();
    let (mut ends, mut faults) = (Vec::new(), HashSet::new());
    micro.initial_states(&mut |state| open.push(state.to_vec()));
    while let Some(state) = open.pop() {
        if !known.insert(state.clone()) {
            continue;
        }
        if known.len() > MOST_STATES {
            return None;
        }
        faults.extend(micro.faults_of(&state));
        if micro.pc_of(&state) == end {
            ends.push(state);
        } else {
            micro.successors(&state, &mut |_, next| open.push(next.to_vec()));
        }
    }
    Some((ends, faults))
}

/// The cells for which a state does not stand for those of another one.
fn not_covered(micro: &Micro, state: &[u8], exact: &Micro, other: &[u8]) -> Vec<u32> {
    let cells = (0..u32::from(BUFFER_END)).chain(EEPROM..EEPROM_END);
    // Bits of the EEPROM's control register tell what goes on in hardware.
    let cells = cells.filter(|cell| *cell != u32::from(EECR));
    let differs = |cell: &u32| {
        let (bits, own) = (micro.cell_of(state, *cell), exact.cell_of(other, *cell));
        bits.unknown | !own.unknown != 0xFF || (bits.value ^ own.value) & !bits.unknown != 0
    };
    cells.filter(differs).collect()
}

/// How many states there are at the end of a program, without and with values that stay unknown; none where
/// there are very many. Each of the first is one that some of the others stands for.
fn compare(code: &[u16]) -> Option<(usize, usize)> {
    let device = Device::built_in("atmega328p").unwrap();
    let end = code.len() as u32;
    let mut image = Image {
        static_end: Some(0x200),
        ..Image::default()
    };
    let flash: Vec<u8> = code
        .iter()
        .chain(&[0])
        .flat_map(|word| word.to_le_bytes())
        .collect();
    image.flash.define(0, &flash).unwrap();
    let exact_options = Options {
        nondeterminism: Nondeterminism::Immediate,
        lazy_stack: false,
        eeprom_of_image: true,
        inputs: vec![(PINB, vec![0x01, 0x41])],
        ..Options::default()
    };
    let options = Options {
        nondeterminism: Nondeterminism::Delayed,
        abstract_values: true,
        ..exact_options.clone()
    };
    let mut exact = Micro::new(&image, &device, exact_options, Arc::default());
    let mut micro = Micro::new(&image, &device, options, Arc::default());
    exact.hold_all();
    micro.hold_all();
    let (ends, faults) = explore(&mut exact, end)?;
    let (abstract_ends, abstract_faults) = explore(&mut micro, end).unwrap();
    assert!(
        faults.is_subset(&abstract_faults),
        "{faults:?}, {abstract_faults:?}: {code:04x?}"
    );
    for state in &ends {
        let differing = abstract_ends
            .iter()
            .map(|known| not_covered(&micro, known, &exact, state));
        let least = differing.min_by_key(Vec::len).unwrap_or_default();
        assert!(least.is_empty(), "{least:x?} is not covered of {code:04x?}");
    }
    Some((ends.len(), abstract_ends.len()))
}

#[test]
fn unknown_stores_cover_known_ones() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let mut random = Random(number("KRIPKE_AVR_SEED", 1));
    let count = number("KRIPKE_AVR_STORES_COUNT", 150);
    let compared: Vec<(usize, usize)> = (0..count)
        .filter_map(|_| compare(&program(&mut random)))
        .collect();
    let (all, abstracted) = compared.iter().fold((0, 0), |(all, abstracted), (one, other)| {
        (all + one, abstracted + other)
    });
    println!(
        "{} programs, {all} states, {abstracted} where values stay unknown",
        compared.len()
    );
    assert!(
        compared.len() as u64 > count / 8,
        "only {} programs have few states",
        compared.len()
    );
    assert!(
        all > 4 * abstracted,
        "{all} states, {abstracted} where values stay unknown"
    );
}

/// The same instruction is executed with the same unknown operand, and another known one.
#[test]
fn known_operands_matter_where_values_are_tried() {
    let mut program = Program::default();
    program.of_two(0x2400, 1, 1);
    program.ldi(18, 0);
    let again = program.0.len();
    program.input(20, PINC);
    program.with_constant(0x7000, 20, 0x15);
    // CP: the flags are the same each time.
    program.of_two(0x1400, 1, 1);
    program.of_two(0x2800, 20, 18);
    program.with_constant(0x3000, 18, 0xFF);
    // BREQ to the end.
    program.0.push(0xF001 | 2 << 3);
    program.ldi(18, 0xFF);
    let back = (again as i32 - program.0.len() as i32 - 1) as u16;
    program.0.push(0xC000 | back & 0x0FFF);
    assert!(compare(&program.0).is_some());
}
