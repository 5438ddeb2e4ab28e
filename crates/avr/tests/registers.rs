//! `docs/registers.md`: every bit with a behaviour of its own has one row there, and no row says what the
//! model does not do.
//!
//! Idea: the rows are compared with what the device files and the rules of the peripherals say, both ways;
//! then the microcontroller is made to do what each row says, from a few instructions of machine code.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use kripke_avr::device::{Device, Register};
use kripke_avr::image::Image;
use kripke_avr::micro::{Micro, Options};
use kripke_avr::peripherals::{Place, Rules, Test};
use kripke_model::KripkeStructure;

const DEVICES: [&str; 3] = ["atmega16", "atmega128", "atmega328p"];

/// What a row says of bits: device, behaviour, register.
type Key = (String, String, String);

fn device(name: &str) -> Device {
    Device::built_in(name).unwrap()
}

/// The rows of the table, each with its bits.
fn rows() -> BTreeMap<Key, u8> {
    let text = include_str!("../../../docs/registers.md");
    let mut rows = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| atmega")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, behaviour, register, bits, section, seen] = cells[..] else {
            panic!("{line}: six columns");
        };
        assert!(!section.is_empty(), "{line}: no section");
        assert!(
            ["text", "family", "no"].contains(&seen),
            "{line}: verified by what?"
        );
        let device = device(name);
        let known = device.register(register).unwrap_or_else(|| panic!("{line}"));
        let key = [name, behaviour, register].map(str::to_owned).into();
        let before = rows.insert(key, mask(known, bits));
        assert_eq!(before, None, "{line}: twice");
    }
    rows
}

fn mask(register: &Register, bits: &str) -> u8 {
    bits.split(' ').fold(0, |mask, bit| match bit {
        "all" => 0xFF,
        _ => mask | 1 << bit.parse().unwrap_or_else(|_| register.bits[bit]),
    })
}

/// The bits of a mask, as a row has them.
fn names(register: &Register, mask: u8) -> String {
    let name = |bit: u8| {
        let named = register.bits.iter().find(|(_, position)| **position == bit);
        named.map_or_else(|| bit.to_string(), |(name, _)| name.clone())
    };
    match mask {
        0xFF => "all".to_owned(),
        _ => {
            let bits = (0..8).rev().filter(|bit| mask >> bit & 1 != 0);
            bits.map(name).collect::<Vec<_>>().join(" ")
        }
    }
}

/// The bits of a watchdog that is off when a run begins.
fn off(rules: &Rules, register: &Register) -> u8 {
    let watchdog = rules.watchdog.filter(|watchdog| watchdog.reset_flag.is_some());
    let places = watchdog
        .into_iter()
        .flat_map(|one| [Some(one.enable), one.reset_flag]);
    let here = places.flatten().filter(|place| place.address == register.address);
    here.fold(0, |mask, place| mask | place.mask)
}

/// What the device file and the rules say.
fn expected() -> BTreeMap<Key, u8> {
    let mut all = BTreeMap::new();
    for name in DEVICES {
        let device = device(name);
        let rules = Rules::new(&device);
        let mut add = |behaviour: &str, register: &Register, mask: u8| {
            if mask != 0 {
                let key = [name, behaviour, &register.name].map(str::to_owned).into();
                *all.entry(key).or_insert(0) |= mask;
            }
        };
        for register in &device.registers {
            add("1 clears", register, register.write_one_to_clear);
            add("0 clears", register, register.write_zero_to_clear);
            add("reads 0", register, register.strobe & !register.doubtful);
            add("open", register, register.doubtful);
            add("read only", register, register.read_only & !register.reserved);
            add("undefined", register, register.undefined & !off(&rules, register));
            add("reset 1", register, register.reset & !register.undefined);
        }
        let mut at = |behaviour: &str, place: Place| {
            // Bits that no register shows have no row.
            if let Some(register) = device.register_at(place.address) {
                add(behaviour, register, place.mask);
            }
        };
        for sequence in &rules.sequences {
            let (address, mask) = (sequence.address, sequence.protects);
            at("protected", Place { address, mask });
        }
        rules.timed.iter().for_each(|place| at("four cycles", *place));
        for clearing in &rules.self_clearing {
            at("hardware clears", clearing.place);
        }
        for effect in &rules.side_effects {
            at("access clears", effect.clears);
        }
        for upset in &rules.upsets {
            at("upset", upset.place);
        }
        for vector in device.vectors.iter().filter(|vector| vector.clears_on_entry) {
            let flag = vector.flag.as_ref().and_then(|flag| device.bit(flag));
            if let Some((address, bit)) = flag {
                let mask = 1 << bit;
                at("entry clears", Place { address, mask });
            }
        }
    }
    all
}

#[test]
fn every_special_bit_has_its_row() {
    let (rows, expected) = (rows(), expected());
    let mut wrong = String::new();
    for key in expected.keys().chain(rows.keys()) {
        let (has, needs) = (rows.get(key).copied(), expected.get(key).copied());
        if has != needs {
            let (name, behaviour, register) = key;
            let device = device(name);
            let shown = |mask: Option<u8>| names(device.register(register).unwrap(), mask.unwrap_or(0));
            let _ = writeln!(
                wrong,
                "| {name} | {behaviour} | {register} | {} | the table: {}",
                shown(needs),
                shown(has)
            );
        }
    }
    assert!(wrong.is_empty(), "docs/registers.md:\n{wrong}");
}

/// A microcontroller about to run some code, with bytes of its state changed.
struct Bench {
    micro: Micro,
    states: Vec<Vec<u8>>,
    end: u32,
}

impl Bench {
    fn new(device: &Device, code: &[u16]) -> Self {
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut image = Image::default();
        image.flash.define(0, &bytes).unwrap();
        let mut micro = Micro::new(&image, device, Options::default(), Arc::default());
        micro.hold_all();
        let mut states = Vec::new();
        micro.initial_states(&mut |state| states.push(state.to_vec()));
        let end = code.len() as u32;
        Self { micro, states, end }
    }

    /// Sets a register.
    fn with(mut self, address: u16, value: u8) -> Self {
        for state in &mut self.states {
            self.micro.poke(state, address, value);
        }
        self
    }

    /// Has edges, and not levels, request external interrupts: a level clears the flag.
    fn with_edges(mut self, device: &Device) -> Self {
        for register in &device.registers {
            let sense = register.bits.iter().filter(|(name, _)| name.starts_with("ISC"));
            let sense = sense.fold(0, |mask, (_, bit)| mask | 1 << bit);
            if sense != 0 {
                self = self.with(register.address, sense);
            }
        }
        self
    }

    /// Runs the code to its end, without resets by a watchdog that it enables.
    fn run(mut self) -> Self {
        let mut ended = Vec::new();
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        while let Some(state) = self.states.pop() {
            if self.micro.pc_of(&state) == self.end {
                ended.push(state);
                continue;
            }
            let mut next_states = Vec::new();
            let successors = &mut |_, next: &[u8]| next_states.push(next.to_vec());
            self.micro.successors(&state, successors);
            for next in next_states {
                if self.micro.pc_of(&next) != 0 && seen.insert(next.clone()) {
                    self.states.push(next);
                }
            }
            assert!(seen.len() < 10_000, "the code has too many runs");
        }
        self.states = ended;
        self
    }

    /// Whether a bit can be 0, and whether it can be 1.
    fn can(&self, address: u16, mask: u8) -> (bool, bool) {
        assert!(!self.states.is_empty());
        let bits = |state: &Vec<u8>| self.micro.byte_of(state, address);
        let zero = |state| bits(state).unknown & mask != 0 || bits(state).value & mask == 0;
        let one = |state| (bits(state).unknown | bits(state).value) & mask != 0;
        (self.states.iter().any(zero), self.states.iter().any(one))
    }
}

/// `ldi r16, value`, `sts address, r16`.
fn store(address: u16, value: u8) -> [u16; 4] {
    let immediate = 0xE000 | u16::from(value & 0xF0) << 4 | u16::from(value & 0x0F);
    [immediate, 0x9300, address, 0]
}

/// `lds r17, address`.
fn load(address: u16) -> [u16; 2] {
    [0x9110, address]
}

const ONLY_0: (bool, bool) = (true, false);
const ONLY_1: (bool, bool) = (false, true);
const EITHER: (bool, bool) = (true, true);

/// One bit of a row.
struct Bit<'d> {
    device: &'d Device,
    rules: &'d Rules,
    at: u16,
    mask: u8,
    name: String,
}

impl Bit<'_> {
    /// What the bit can be after these values were stored to its register, which held something.
    fn after(&self, before: u8, stored: &[u8]) -> (bool, bool) {
        let code: Vec<u16> = stored.iter().flat_map(|value| store(self.at, *value)).collect();
        let bench = Bench::new(self.device, &code).with_edges(self.device);
        bench.with(self.at, before).run().can(self.at, self.mask)
    }

    /// What it can be when a run begins.
    fn at_reset(&self) -> (bool, bool) {
        Bench::new(self.device, &[0]).can(self.at, self.mask)
    }

    /// The stores that let hardware clear it later.
    fn started(&self) -> Vec<u8> {
        let bit = |name: &str| 1 << self.device.register_at(self.at).unwrap().bits[name];
        match self.name.as_str() {
            "EEWE" => vec![bit("EEMWE"), bit("EEMWE") | self.mask],
            "EEPE" => vec![bit("EEMPE"), bit("EEMPE") | self.mask],
            "ADSC" => vec![bit("ADEN") | self.mask],
            "BODS" => vec![bit("BODSE") | self.mask, self.mask],
            "TWSTO" => vec![bit("TWEN") | self.mask],
            _ => vec![self.mask],
        }
    }

    /// The sequence that protects it: the store that permits a change, and whether it can be set without.
    fn permission(&self) -> (u8, bool) {
        let sequences = self.rules.sequences.iter();
        let mut own = sequences.filter(|one| one.address == self.at && one.protects & self.mask != 0);
        let sequence = own.next().unwrap();
        let stored = (sequence.permission | sequence.with.0) & !(sequence.with.1 & !sequence.permission);
        (stored, sequence.set_freely & self.mask != 0)
    }

    fn is_protected(&self) {
        let (permission, is_set_freely) = self.permission();
        if is_set_freely {
            assert_eq!(self.after(self.mask, &[0]), ONLY_1, "{}", self.name);
            assert!(self.after(self.mask, &[permission, 0]).0, "{}", self.name);
        } else {
            assert_eq!(self.after(0, &[self.mask]), ONLY_0, "{}", self.name);
            assert!(self.after(0, &[permission, self.mask]).1, "{}", self.name);
        }
    }

    fn lasts_four_cycles(&self) {
        let sequences = self.rules.sequences.iter();
        let mut own = sequences.filter(|one| one.address == self.at && one.permission == self.mask);
        let stored = self.mask | own.next().map_or(0, |sequence| sequence.with.0);
        assert_eq!(self.after(0, &[stored]), ONLY_1, "{}", self.name);
        let late = [&store(self.at, stored)[..], &[0; 6]].concat();
        let late = Bench::new(self.device, &late).with(self.at, 0).run();
        assert_eq!(late.can(self.at, self.mask), EITHER, "{}", self.name);
    }

    /// An access to another register clears it.
    fn is_cleared_by_access(&self) {
        let place = Place {
            address: self.at,
            mask: self.mask,
        };
        let mut effects = self.rules.side_effects.iter();
        let effect = effects.find(|effect| effect.clears == place).unwrap();
        let access = match effect.on_read {
            true => load(effect.address).to_vec(),
            false => store(effect.address, 0).to_vec(),
        };
        let after = |code: &[u16]| {
            let bench = Bench::new(self.device, code);
            bench.with(self.at, self.mask).run().can(self.at, self.mask)
        };
        assert!(after(&access).0, "{}", self.name);
        assert_eq!(after(&[0]), ONLY_1, "{}: without the access", self.name);
    }

    /// The entry into its handler clears it.
    fn is_cleared_on_entry(&self) {
        let vectors = self.device.vectors.iter();
        let mut own = vectors.filter(|vector| {
            let flag = vector.flag.as_ref().and_then(|flag| self.device.bit(flag));
            flag == Some((self.at, self.mask.trailing_zeros() as u8))
        });
        let vector = own.next().unwrap();
        let (enable, bit) = self.device.bit(&vector.enable).unwrap();
        let flags = if enable == self.at { self.mask } else { 0 };
        let mut bench = Bench::new(self.device, &[0])
            .with_edges(self.device)
            .with(self.at, self.mask)
            .with(enable, 1 << bit | flags)
            .with(0x5F, 0x80);
        bench.end = u32::from(vector.number) * u32::from(self.device.vector_bytes) / 2;
        assert!(bench.run().can(self.at, self.mask).0, "{}", self.name);
    }

    /// The change of another bit leaves it open.
    fn is_upset(&self) {
        let upsets = self.rules.upsets.iter();
        let mut own =
            upsets.filter(|upset| upset.place.address == self.at && upset.place.mask & self.mask != 0);
        let Place { address, mask } = own.next().unwrap().bit;
        let first = mask & mask.wrapping_neg();
        let code = store(address, first | if address == self.at { self.mask } else { 0 });
        let bench = Bench::new(self.device, &code).with(address, 0).run();
        let is_result = self.rules.zeros.iter().any(|zeros| {
            zeros.place.address == self.at
                && zeros.active.contains(&Test::Any(Place { address, mask }))
                && zeros.place.mask & self.mask != 0
        });
        let wanted = if is_result { ONLY_0 } else { EITHER };
        assert_eq!(bench.can(self.at, self.mask), wanted, "{}", self.name);
    }
}

#[test]
fn the_model_does_what_each_row_says() {
    let mut driven = 0;
    for ((name, behaviour, register), bits) in rows() {
        let (device, mut single) = (device(&name), 0x80_u8);
        let rules = Rules::new(&device);
        let register = device.register(&register).unwrap();
        while single != 0 {
            let mask = bits & single;
            single >>= 1;
            if mask == 0 {
                continue;
            }
            let bit = Bit {
                device: &device,
                rules: &rules,
                at: register.address,
                mask,
                name: names(register, mask),
            };
            println!("{name} {behaviour} {}.{}", register.name, bit.name);
            match behaviour.as_str() {
                "1 clears" => {
                    assert!(bit.after(mask, &[mask]).0);
                    assert_eq!(bit.after(mask, &[0]), ONLY_1);
                }
                "0 clears" => {
                    assert_eq!(bit.after(mask, &[0]), ONLY_0);
                    assert_eq!(bit.after(mask, &[mask]), ONLY_1);
                    assert_eq!(bit.after(0, &[mask]), ONLY_0);
                }
                "reads 0" => assert_eq!(bit.after(0, &[mask]), ONLY_0),
                "open" => assert_eq!(bit.after(0, &[mask]), EITHER),
                "read only" => assert!(bit.after(0, &[mask]).0),
                "undefined" => assert_eq!(bit.at_reset(), EITHER),
                "reset 1" => assert!(bit.at_reset().1),
                "protected" => bit.is_protected(),
                "four cycles" => bit.lasts_four_cycles(),
                "hardware clears" => assert_eq!(bit.after(0, &bit.started()), EITHER),
                "access clears" => bit.is_cleared_by_access(),
                "entry clears" => bit.is_cleared_on_entry(),
                "upset" => bit.is_upset(),
                unknown => panic!("{unknown} is no behaviour"),
            }
            driven += 1;
        }
    }
    assert!(driven > 400, "only {driven} bits were driven");
}
