//! What liveness says against runs: overwriting what is not live changes nothing. See `live/garbage.rs`.
//!
//! `KRIPKE_LIVE_COUNT` sets how many programs, `KRIPKE_LIVE_SEED` where the random numbers start.

#[path = "live/garbage.rs"]
mod garbage;
#[path = "live/programs.rs"]
mod programs;
mod random;
#[path = "../../cli/tests/random_firmware/mod.rs"]
#[allow(dead_code, reason = "the properties are for other tests")]
mod random_firmware;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use garbage::compare;
use kripke_avr::cfg::Cfg;
use kripke_avr::core::{Core, address};
use kripke_avr::definitions::{Definition, Definitions};
use kripke_avr::device::Device;
use kripke_avr::elf;
use kripke_avr::image::Image;
use kripke_avr::instruction::Operation;
use kripke_avr::live::dead::{DeadStore, dead_stores};
use kripke_avr::live::{Bits, Given, GivenMemory, LiveMemory, Liveness, needed, use_of};
use kripke_avr::semantics::{Effect, status};
use kripke_logic::random::Random;

fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

fn build(source: &Path, folder: &Path, device: &str, flags: &[&str]) -> Image {
    let output = Command::new("avr-gcc")
        .arg(format!("-mmcu={device}"))
        .args(["-std=gnu99", "-g", "-o"])
        .arg(folder.join("a.elf"))
        .arg(source)
        .args(flags)
        .output()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{flags:?}\n{}\n{errors}",
        source.display()
    );
    let bytes = std::fs::read(folder.join("a.elf")).expect("the image");
    elf::read(&bytes).expect("an image")
}

fn compile(source: &str, device: &str, flags: &[&str]) -> Image {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).expect("a file");
    build(&file, folder.path(), device, flags)
}

fn dead(memory: &LiveMemory, at: u32) -> Vec<u16> {
    memory.dead_bytes(at).collect()
}

fn exact(liveness: &Liveness, at: u32) -> Bits {
    liveness.live_bits(at)
}

#[test]
fn garbage_in_what_is_not_live_changes_nothing_in_the_examples() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/avr");
    let (mut interrupts, mut bytes) = (0, 0);
    for (source, device) in [
        ("light-switch/light_switch.c", "atmega16"),
        ("plant/plant.c", "atmega16"),
        ("reentrance/reentrance.c", "atmega16"),
        ("traffic-light/traffic_light.c", "atmega16"),
        ("window-lift/window_lift.c", "atmega16"),
        ("speed/interrupts.c", "atmega16"),
        ("speed/spread.c", "atmega16"),
        ("speed/main_loop.c", "atmega16"),
    ] {
        for flags in [&["-Os"][..], &["-O0"]] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let image = build(&examples.join(source), folder.path(), device, flags);
            let device = Device::built_in(device).expect("a device");
            let outcome = compare(&image, &device, 1, 20_000, &exact, Some(&dead));
            let outcome = outcome.unwrap_or_else(|difference| panic!("{source} {flags:?}: {difference}"));
            // At least half of all bits hold garbage.
            assert!(
                outcome.garbled > outcome.steps * 128,
                "{source} {flags:?}: {}",
                outcome.garbled
            );
            assert_eq!(outcome.given, Given::default(), "{source} {flags:?}");
            interrupts += outcome.interrupts;
            bytes += outcome.bytes;
        }
    }
    assert!(interrupts > 1000 && bytes > 10_000, "{interrupts} {bytes}");
}

#[test]
fn garbage_in_what_is_not_live_changes_nothing_in_random_firmware() {
    let mut random = Random::new(number("KRIPKE_LIVE_SEED", 1));
    let device = Device::built_in("atmega16").expect("a device");
    let (mut garbled, mut interrupts) = (0, 0);
    for index in 0..number("KRIPKE_LIVE_COUNT", 8) {
        let program = random_firmware::program(&mut random);
        let image = compile(&program.source, "atmega16", &[program.level]);
        let outcome = compare(&image, &device, index, 6_000, &exact, Some(&dead));
        let outcome = outcome.unwrap_or_else(|difference| {
            panic!("{index}, {}: {difference}\n{}", program.level, program.source)
        });
        garbled += outcome.garbled / outcome.steps;
        interrupts += outcome.interrupts;
    }
    assert!(garbled > 0 && interrupts > 0);
}

#[test]
fn garbage_in_what_is_not_live_changes_nothing_over_calls_and_frames() {
    let mut random = Random::new(number("KRIPKE_LIVE_SEED", 1));
    let device = Device::built_in("atmega16").expect("a device");
    let (mut told, mut garbled) = (0, 0);
    let count = number("KRIPKE_LIVE_COUNT", 8);
    for index in 0..count {
        let source = programs::program(&mut random);
        let levels = ["-O0", "-O1", "-Os", "-O2", "-O3"];
        let mut flags = vec![levels[random.below(5)]];
        if random.below(3) == 0 {
            flags.push("-mcall-prologues");
        }
        let image = compile(&source, "atmega16", &flags);
        let outcome = compare(&image, &device, index, 10_000, &exact, Some(&dead));
        let outcome =
            outcome.unwrap_or_else(|difference| panic!("{index} {flags:?}: {difference}\n{source}"));
        told += u64::from(outcome.given != Given::default());
        garbled += outcome.garbled / outcome.steps;
    }
    assert!(
        told > 0 && told < count,
        "{told} programs have pointers to locals"
    );
    assert!(garbled / count > 80, "{garbled}");
}

/// The test above notices when a register that matters is taken to be dead.
#[test]
fn garbage_in_what_is_live_is_noticed() {
    let mut random = Random::new(3);
    let device = Device::built_in("atmega16").expect("a device");
    let source = programs::program(&mut random);
    let image = compile(&source, "atmega16", &["-Os"]);
    for lost in [1, 24, 25, 28] {
        let live = |liveness: &Liveness, at: u32| {
            let mut bits = liveness.live_bits(at);
            bits.registers[lost] = 0;
            bits
        };
        assert!(
            compare(&image, &device, 1, 5_000, &live, None).is_err(),
            "r{lost}\n{source}"
        );
    }
}

/// Whether the next instruction loads from a register through a pointer.
fn reads_register(core: &Core) -> bool {
    let instruction = core.instruction();
    let at = garbage::reached(core, &instruction);
    instruction.operation == Operation::Ld && (at < 32 || at == address::SREG)
}

/// The same of a byte of memory.
#[test]
fn garbage_in_a_live_variable_is_noticed() {
    let source = "#include <avr/io.h>\n#include <avr/interrupt.h>\nvolatile char a, b; ISR(INT0_vect) { b = \
         PINA; }\n\
         int main(void) { sei(); for (;;) { a = PINB; PORTB = a; if (PINA & 1) b = 0; PORTB = b; } }\n";
    let device = Device::built_in("atmega16").expect("a device");
    let image = compile(source, "atmega16", &["-Os"]);
    let address = |name| image.symbol(name).expect("a variable").address as u16;
    let run = |dead: &garbage::Dead<'_>| compare(&image, &device, 1, 5_000, &exact, Some(dead));
    assert!(run(&dead).expect("no difference").bytes > 1000);
    for lost in ["a", "b"] {
        assert!(run(&|_, _| vec![address(lost)]).is_err(), "{lost}");
    }
}

/// Copies of one state that differ only in what is not needed before an instruction agree behind it on what
/// was asked for, and on everything else.
#[test]
fn what_an_instruction_needs_is_enough() {
    let device = Device::built_in("atmega328p").expect("a device");
    let mut random = random::Random(11);
    let mut image = Image::default();
    image.flash.define(0, &[0; 16]).expect("an empty flash");
    let mut core = Core::new(&image, &device);
    for _ in 0..100_000 {
        let code = random::random_code(&mut random);
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        core.write_flash(0x200, &bytes);
        core.pc = 0x100;
        for at in (0..32).chain([address::SREG]) {
            core.set_data(at, random.byte());
        }
        let [low, high] = random.ram().to_le_bytes();
        core.set_data(address::SPL, low);
        core.set_data(address::SPH, high);
        if !random::is_comparable(&core) || reads_register(&core) {
            continue;
        }
        let mut asked = Bits::NONE;
        for bits in &mut asked.registers {
            *bits = if random.next().is_multiple_of(4) {
                random.byte()
            } else {
                0
            };
        }
        asked.flags = random.byte() & 0x7F;
        let instruction = core.instruction();
        let needed = needed(&instruction, &asked);
        let mut other = core.clone();
        for (number, bits) in needed.registers.iter().enumerate() {
            let garbage = random.byte();
            other.set_data(number as u16, core.data(number as u16) & bits | garbage & !bits);
        }
        let kept = needed.flags | status::I;
        let garbage = random.byte();
        other.set_data(address::SREG, core.data(address::SREG) & kept | garbage & !kept);
        core.step();
        other.step();
        assert_eq!(core.pc, other.pc, "{instruction:?}");
        for at in 0..0x900_u16 {
            let differs = core.data(at) ^ other.data(at);
            let counts = match at {
                0..32 => asked.registers[usize::from(at)],
                address::SREG => asked.flags | status::I,
                _ => 0xFF,
            };
            assert_eq!(differs & counts, 0, "{instruction:?} at {at:#x}, {asked:?}");
        }
    }
}

/// Whatever runs, the value in a register was written last by one of the definitions that reach there.
#[test]
fn definitions_reach_where_runs_carry_them() {
    let mut random = Random::new(5);
    let device = Device::built_in("atmega16").expect("a device");
    let mut seen = 0;
    for _ in 0..3 {
        let source = programs::program(&mut random).replace("sei();", "");
        let image = compile(&source, "atmega16", &["-Os"]);
        let cfg = Cfg::new(&image, &device);
        let liveness = Liveness::new(&cfg);
        let definitions: Vec<Definitions> = (0..cfg.functions.len())
            .map(|function| Definitions::new(&cfg, &liveness, function))
            .collect();
        let mut core = Core::new(&image, &device);
        // Per active function: the last write of each register, in it.
        let mut written = vec![[Definition::Entry; 32]];
        // Per active call: the function called, and registers before it.
        let mut calls: Vec<(u32, Vec<u8>)> = Vec::new();
        for _ in 0..4_000 {
            let (at, instruction) = (core.pc, core.instruction());
            let function = cfg.nodes[&at].function;
            let uses = use_of(&instruction);
            let before: Vec<u8> = (0..32).map(|register| core.data(register)).collect();
            let last = written.last().copied().expect("a function");
            for register in (0..32).filter(|register| uses.reads >> register & 1 == 1) {
                let mut known = definitions[function].of(at, register);
                let is_known = known.any(|known| known == last[usize::from(register)]);
                assert!(is_known, "r{register} at {:#x}\n{source}", at * 2);
                seen += 1;
            }
            let effect = core.step();
            let top = written.last_mut().expect("a function");
            for (register, last) in top.iter_mut().enumerate() {
                let changed = core.data(register as u16) != before[register];
                assert!(!changed || uses.writes >> register & 1 == 1, "{instruction:?}");
                if uses.writes >> register & 1 == 1 {
                    *last = Definition::Instruction(at);
                }
            }
            match effect {
                Effect::Call if !cfg.nodes[&at].calls.is_empty() => {
                    written.push([Definition::Entry; 32]);
                    calls.push((core.pc, before));
                }
                Effect::Return => {
                    let inner = written.pop().expect("a function");
                    let (entry, before) = calls.pop().expect("a call");
                    let call = cfg.nodes[&core.pc].predecessors[0].0;
                    let changes = liveness.function_use(entry).expect("a function").changes;
                    for (register, last) in written.last_mut().expect("a caller").iter_mut().enumerate() {
                        if changes >> register & 1 == 0 {
                            assert_eq!(before[register], core.data(register as u16), "r{register}");
                        } else if inner[register] != Definition::Entry {
                            *last = Definition::Call(call);
                        }
                    }
                }
                // Into another function, by a jump.
                _ if cfg.nodes[&core.pc].function != function => {
                    *written.last_mut().expect("a function") = [Definition::Entry; 32];
                }
                _ => {}
            }
        }
    }
    assert!(seen > 1_000);
}

/// Without the instructions whose results nobody uses, everything else is the same.
#[test]
fn dead_stores_can_be_left_out() {
    let mut random = Random::new(8);
    let device = Device::built_in("atmega16").expect("a device");
    let (mut registers, mut bytes) = (0, 0);
    for level in ["-O0", "-Os", "-O2", "-O0"] {
        let source = programs::program(&mut random).replace("sei();", "");
        let image = compile(&source, "atmega16", &[level]);
        let cfg = Cfg::new(&image, &device);
        let liveness = Liveness::new(&cfg);
        let memory = LiveMemory::new(&cfg, &image, &device, &liveness, &GivenMemory::default());
        let dead: BTreeMap<u32, DeadStore> = dead_stores(&cfg, &liveness, &memory).into_iter().collect();
        let mut plain = Core::new(&image, &device);
        let mut other = plain.clone();
        for at in dead.keys() {
            let words = usize::from(cfg.nodes[at].instruction.words);
            other.write_flash(at * 2, &vec![0; 2 * words]);
        }
        for _ in 0..20_000 {
            let (at, instruction) = (plain.pc, plain.instruction());
            if let Operation::Sts | Operation::Out | Operation::St = instruction.operation
                && !dead.contains_key(&at)
            {
                let stored = u16::from(instruction.d);
                assert_eq!(plain.data(stored), other.data(stored), "{:#x}\n{source}", at * 2);
            }
            plain.step();
            other.step();
            if dead.contains_key(&at) {
                for _ in 1..instruction.words {
                    other.step();
                }
            }
            assert_eq!(plain.pc, other.pc, "{:#x}\n{source}", at * 2);
        }
        let is_byte = |dead: &&DeadStore| matches!(dead, DeadStore::Memory(_));
        bytes += dead.values().filter(is_byte).count();
        registers += dead.len() - dead.values().filter(is_byte).count();
    }
    assert!(registers > 3 && bytes > 3, "{registers} {bytes}");
}
