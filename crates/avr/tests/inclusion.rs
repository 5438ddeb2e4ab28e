//! Every run of simavr, with its peripherals, timers and interrupts, is a run of the nondeterministic
//! microcontroller.
//!
//! simavr runs a firmware in a random environment (`simavr/side.c`) and tells each of its steps. Beside it
//! goes a small set of states of [`Micro`]: those that agree with simavr's program counter, registers, static
//! memory and I/O registers, where an unknown bit agrees with both values. After each step of simavr at least
//! one successor has to agree; none means that the chip does what the model cannot, and that *holds* may be
//! wrong. Where simavr is not what the datasheets say, `exempt` and `side.c` tell.
//!
//! `KRIPKE_AVR_STEPS` sets the steps for each firmware, `KRIPKE_AVR_SEED` where the random numbers start,
//! `KRIPKE_AVR_FIRMWARE` further firmware: words `path=device`.

mod side;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use kripke_avr::byte::Bits;
use kripke_avr::device::Device;
use kripke_avr::disassemble;
use kripke_avr::elf;
use kripke_avr::micro::{Micro, Nondeterminism, Options};
use kripke_model::KripkeStructure;
use side::{Chip, Kind, Run, build_harness, run};

/// More states than this agree with one of simavr's only if something is wrong.
const MOST_STATES: usize = 64;

/// What is compared: registers, the bits of I/O registers that are there and keep what they show, static
/// memory.
fn compared(device: &Device, micro: &Micro) -> Vec<(u16, u8)> {
    let volatile = &micro.rules().volatile;
    let always = |at: u16| {
        let places = volatile.iter().filter(|volatile| volatile.active.is_empty());
        let here = places.filter(|volatile| volatile.place.address == at);
        here.fold(0, |bits, volatile| bits | volatile.place.mask)
    };
    let mut cells: Vec<(u16, u8)> = (0..32).map(|number| (number, 0xFF)).collect();
    let registers = device.registers.iter();
    cells.extend(
        registers
            .filter(|register| !register.name.starts_with("PIN"))
            .map(|register| (register.address, !register.reserved & !always(register.address))),
    );
    cells.extend((device.sram.start as u16..device.sram.end() as u16).map(|at| (at, 0xFF)));
    cells
}

/// Leaves out what simavr has wrong at the moment: it sets the flags of external interrupts in level mode,
/// where the datasheets say that they are always 0.
fn exempt(micro: &Micro, chip: &Chip, cells: &mut [(u16, u8)]) {
    // High bytes of 16 bits wait for the low byte; in simavr they do not.
    for pair in &micro.rules().pairs {
        let high = cells.iter_mut().filter(|(at, _)| *at == pair.high);
        high.for_each(|(_, mask)| *mask = 0);
    }
    // simavr writes IVSEL and the like without their timed sequence ("MCU Control Register", IVCE, in the
    // datasheets); only the watchdog has one.
    let watchdog = micro.rules().watchdog.map(|watchdog| watchdog.enable.address);
    for sequence in &micro.rules().sequences {
        if Some(sequence.address) != watchdog {
            let here = cells.iter_mut().filter(|(at, _)| *at == sequence.address);
            here.for_each(|(_, mask)| *mask &= !(sequence.permission | sequence.protects));
        }
    }
    for pin in &micro.rules().pins {
        let sense = pin
            .sense
            .map_or(0, |place| chip.memory[usize::from(place.address)]);
        if pin.is_level(sense) {
            let flags = cells.iter_mut().filter(|(at, _)| *at == pin.flag.address);
            flags.for_each(|(_, mask)| *mask &= !pin.flag.mask);
        }
    }
}

fn agrees(micro: &Micro, state: &[u8], chip: &Chip, cells: &[(u16, u8)]) -> bool {
    micro.pc_of(state) == chip.pc
        && cells.iter().all(|&(at, mask)| {
            let Bits { value, unknown, .. } = micro.byte_of(state, at);
            (value ^ chip.memory[usize::from(at)]) & !unknown & mask == 0
        })
}

fn describe(micro: &Micro, device: &Device, state: &[u8], chip: &Chip, cells: &[(u16, u8)]) -> String {
    let mut text = format!("pc {:#x}", micro.pc_of(state) * 2);
    for &(at, mask) in cells {
        let Bits { value, unknown, .. } = micro.byte_of(state, at);
        let theirs = chip.memory[usize::from(at)];
        if (value ^ theirs) & !unknown & mask != 0 {
            let name = device.register_at(at).map_or("", |register| &register.name);
            text +=
                &format!(", {at:#x} {name} value {value:#04x} unknown {unknown:#04x}, simavr {theirs:#04x}");
        }
    }
    text
}

struct Walk {
    steps: u64,
    interrupts: u64,
    asleep: u64,
    resets: u64,
    most: usize,
}

fn walk(
    harness: &Path,
    firmware: &Path,
    mcu: &str,
    seed: u64,
    steps: u64,
    options: Options,
) -> Result<Walk, String> {
    let image = elf::read(&std::fs::read(firmware).unwrap()).unwrap();
    let device = Device::built_in(mcu).unwrap();
    let mut chip = Chip::start(
        harness,
        firmware,
        &device,
        Run {
            seed,
            steps,
            haste: 16,
        },
    );
    let mut micro = Micro::new(&image, &device, options, Arc::default());
    micro.hold_all();
    let all = compared(&device, &micro);
    let mut cells = all.clone();
    let mut walk = Walk {
        steps: 0,
        interrupts: 0,
        asleep: 0,
        resets: 0,
        most: 0,
    };
    let mut states: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut result = Ok(());
    let mut history: Vec<(Kind, u32)> = Vec::new();
    while let Some(kind) = chip.step() {
        history.push((kind, chip.pc * 2));
        if history.len() > 8 {
            history.remove(0);
        }
        cells.clone_from(&all);
        exempt(&micro, &chip, &mut cells);
        let mut next = BTreeSet::new();
        let mut others = BTreeSet::new();
        if kind == Kind::Initial {
            let mut initial: Vec<Vec<u8>> = Vec::new();
            micro.initial_states(&mut |state| initial.push(state.to_vec()));
            for state in initial {
                if agrees(&micro, &state, &chip, &cells) {
                    next.insert(state);
                } else {
                    others.insert(state);
                }
            }
        }
        let mut successors: Vec<Vec<u8>> = Vec::new();
        for state in &states {
            successors.clear();
            micro.successors(state, &mut |_, next| {
                successors.push(next.to_vec());
            });
            let mut fewest = 4;
            successors.retain(|next| {
                let keeps = fewest > 0 || micro.pc_of(next) == chip.pc;
                fewest -= i32::from(keeps && fewest > 0);
                keeps
            });
            for successor in successors.drain(..) {
                if agrees(&micro, &successor, &chip, &cells) {
                    next.insert(successor);
                } else if others.len() < 4 || micro.pc_of(&successor) == chip.pc {
                    others.insert(successor);
                }
            }
        }
        if next.is_empty() {
            let mut text = format!("{kind:?} after {} steps, to {:#x}", walk.steps, chip.pc * 2);
            for state in states.iter().take(2) {
                let instruction = disassemble::text(&micro.instruction_of(state));
                text += &format!("\n  from {:#x}: {instruction}", micro.pc_of(state) * 2);
            }
            for state in others.iter().rev().take(8) {
                text += &format!("\n  no: {}", describe(&micro, &device, state, &chip, &cells));
            }
            text += &format!("\n  after {history:x?}");
            result = Err(text);
            break;
        }
        assert!(next.len() <= MOST_STATES, "{} states agree", next.len());
        walk.most = walk.most.max(next.len());
        walk.steps += 1;
        walk.interrupts += u64::from(kind == Kind::Interrupt);
        walk.asleep += u64::from(kind == Kind::Asleep);
        walk.resets += u64::from(kind == Kind::Reset);
        states = next;
    }
    result.map(|()| walk)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Source, device, definitions.
const FIRMWARE: [(&str, &str, &[&str]); 32] = [
    ("examples/avr/light-switch/light_switch.c", "atmega16", &[]),
    ("examples/avr/plant/plant.c", "atmega16", &[]),
    ("examples/avr/reentrance/reentrance.c", "atmega16", &[]),
    ("examples/avr/reentrance/reentrance.c", "atmega16", &["-DGUARDED"]),
    ("examples/avr/reentrance/reentrance.c", "atmega16", &["-DDEAF"]),
    ("examples/avr/speed/interrupts.c", "atmega16", &[]),
    ("examples/avr/speed/interrupts.c", "atmega16", &["-DNESTED"]),
    ("examples/avr/speed/interrupts.c", "atmega16", &["-DNARROW"]),
    ("examples/avr/speed/spread.c", "atmega16", &[]),
    ("examples/avr/speed/spread.c", "atmega16", &["-DFIXED"]),
    ("examples/avr/speed/main_loop.c", "atmega16", &[]),
    ("examples/avr/traffic-light/traffic_light.c", "atmega16", &[]),
    ("examples/avr/window-lift/window_lift.c", "atmega16", &[]),
    (
        "examples/avr/plant/plant.c",
        "atmega128",
        &["-DGICR=EIMSK", "-DMCUCR=EICRA"],
    ),
    ("benches/avr/counter.c", "atmega328p", &[]),
    ("benches/avr/recursion.c", "atmega328p", &[]),
    ("benches/avr/bit_search.c", "atmega328p", &[]),
    ("benches/avr/crc.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/serial.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/serial.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/polled.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/polled.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/sleeper.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/sleeper.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/watchdog.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/watchdog.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/buses.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/buses.c", "atmega328p", &[]),
    ("crates/avr/tests/simavr/firmware/memory.c", "atmega16", &[]),
    ("crates/avr/tests/simavr/firmware/memory.c", "atmega328p", &[]),
    ("benches/avr/counter.c", "atmega128", &[]),
    ("benches/avr/recursion.c", "atmega128", &["-O0"]),
];

fn build(folder: &Path, index: usize) -> PathBuf {
    compile(folder, &index.to_string(), FIRMWARE[index])
}

fn compile(folder: &Path, name: &str, (source, mcu, flags): (&str, &str, &[&str])) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = folder.join(format!("{name}.elf"));
    run(Command::new("avr-gcc")
        .args([&format!("-mmcu={mcu}"), "-std=gnu99", "-Os", "-g"])
        .args(flags)
        .arg("-o")
        .args([&program, &root.join(source)]));
    program
}

/// Firmware that the user names, with its device.
fn further() -> Vec<(String, PathBuf, String)> {
    let more = std::env::var("KRIPKE_AVR_FIRMWARE").unwrap_or_default();
    let words = more.split_whitespace().map(|word| {
        let (path, mcu) = word.split_once('=').expect("a path, =, a device");
        (path.to_owned(), PathBuf::from(path), mcu.to_owned())
    });
    words.collect()
}

/// All firmwares with certain options.
fn walk_all(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    let harness = build_harness(folder.path());
    let (steps, seed) = (number("KRIPKE_AVR_STEPS", 2_000), number("KRIPKE_AVR_SEED", 1));
    let ours = FIRMWARE.iter().enumerate().map(|(index, (source, mcu, flags))| {
        let name = format!("{source} {flags:?} on {mcu}");
        (name, build(folder.path(), index), (*mcu).to_owned())
    });
    let mut failures = Vec::new();
    for (name, program, mcu) in ours.chain(further()) {
        for seed in [seed, seed + 1] {
            match walk(&harness, &program, &mcu, seed, steps, options.clone()) {
                Ok(Walk {
                    steps,
                    interrupts,
                    asleep,
                    resets,
                    most,
                }) => {
                    let counts =
                        format!("{steps} steps, {interrupts} interrupts, {asleep} asleep, {resets} resets");
                    println!("{name}, seed {seed}: {counts}, {most} states at most");
                }
                Err(why) => {
                    println!("{name}, seed {seed}: {why}");
                    failures.push(format!("{name}, seed {seed}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn each_step_of_the_chip_is_one_of_the_model() {
    walk_all(&Options {
        nondeterminism: Nondeterminism::Immediate,
        lazy_stack: false,
        ..Options::default()
    });
}

#[test]
fn each_step_of_the_chip_is_one_of_the_abstraction() {
    walk_all(&Options::default());
}

/// The devices with built-in files that simavr has, but for those of the tests above.
const OTHERS: [&str; 24] = [
    "atmega8",
    "atmega32",
    "atmega48",
    "atmega48p",
    "atmega48pa",
    "atmega88",
    "atmega88p",
    "atmega88pa",
    "atmega168",
    "atmega168p",
    "atmega168pa",
    "atmega328",
    "atmega32u4",
    "atmega644",
    "atmega644p",
    "atmega1280",
    "atmega1284p",
    "atmega2560",
    "attiny13",
    "attiny13a",
    "attiny25",
    "attiny45",
    "attiny85",
    "attiny2313",
];

/// Source, device, definitions: what some of them have besides.
const BESIDES: [(&str, &str, &[&str]); 10] = [
    ("far.c", "atmega2560", &[]),
    ("buses.c", "atmega2560", &[]),
    ("memory.c", "atmega2560", &[]),
    ("buses.c", "atmega32u4", &[]),
    ("watchdog.c", "atmega32u4", &[]),
    ("polled.c", "atmega1284p", &[]),
    ("sleeper.c", "atmega88p", &[]),
    ("watchdog.c", "atmega8", &[]),
    ("memory.c", "attiny2313", &[]),
    ("serial.c", "attiny2313", &[]),
];

#[test]
fn each_step_of_every_device_is_one_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let harness = build_harness(folder.path());
    let (steps, seed) = (number("KRIPKE_AVR_STEPS", 300), number("KRIPKE_AVR_SEED", 1));
    let source = |file: &str| format!("crates/avr/tests/simavr/firmware/{file}");
    let options = Options {
        nondeterminism: Nondeterminism::Immediate,
        lazy_stack: false,
        ..Options::default()
    };
    let mut failures = Vec::new();
    let ours = OTHERS.map(|mcu| {
        let program = compile(folder.path(), mcu, (&source("blink.c"), mcu, &[]));
        (mcu.to_owned(), program, mcu.to_owned())
    });
    let besides = BESIDES.map(|(file, mcu, flags)| {
        let name = format!("{file}-{mcu}");
        let program = compile(folder.path(), &name, (&source(file), mcu, flags));
        (name, program, mcu.to_owned())
    });
    for (name, program, mcu) in ours.into_iter().chain(besides).chain(further()) {
        match walk(&harness, &program, &mcu, seed, steps, options.clone()) {
            Ok(walk) => {
                println!(
                    "{name}: {} steps, {} interrupts, {} states at most",
                    walk.steps, walk.interrupts, walk.most
                );
                if walk.interrupts == 0 && name == mcu || walk.steps < steps {
                    failures.push(format!("{name}: {} steps and no interrupts", walk.steps));
                }
            }
            Err(why) => failures.push(format!("{name}: {why}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What the other tests would say if the model lacked an interrupt.
#[test]
fn a_missing_behaviour_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let harness = build_harness(folder.path());
    let index = FIRMWARE
        .iter()
        .position(|(source, ..)| source.ends_with("plant.c"));
    let program = build(folder.path(), index.unwrap());
    let options = Options {
        never: vec!["INT0".to_owned()],
        ..Options::default()
    };
    let walk = walk(&harness, &program, "atmega16", 1, 10_000, options);
    assert!(walk.is_err_and(|why| why.contains("Interrupt after")));
}
