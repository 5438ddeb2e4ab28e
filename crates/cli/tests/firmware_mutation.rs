//! Mutants of firmware: what simavr does is never excluded.
//!
//! Each program is changed in one place (see the module `mutants`), compiled by avr-gcc, and run by simavr in
//! a random environment, with its timers and interrupts (the module `side`). After each step, from `main` on,
//! the invariants of the program are evaluated on simavr's memory: where one is violated, it is not said to
//! hold. And of what the watched variables and registers were seen to be, some is denied as a further
//! invariant, which must not hold either: so every mutant says something. Where a run may leave what is
//! modelled (a stack that overflows) invariants say nothing of what follows; such mutants are counted.
//!
//! All mutants stand in one order, in which each program comes once before any comes again.
//! `KRIPKE_FIRMWARE_MUTATION_COUNT` of them are tried (8 unless set), from number `KRIPKE_MUTATION_SEED` (1)
//! on. What is wrong stays in `target/tmp/firmware_mutation`.

mod common;
mod mutants;
mod native;
#[path = "../../avr/tests/side/mod.rs"]
mod side;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use kripke_avr::atom::{Atom, Names};
use kripke_avr::byte::{AbstractByte, Bits};
use kripke_avr::debug::DebugInfo;
use kripke_avr::device::Device;
use kripke_avr::elf;
use kripke_avr::image::Image;
use kripke_avr::peripherals::Rules;
use kripke_logic::random::Random;
use mutants::{Change, in_rounds, shuffle};
use native::{for_each_number, setting};
use serde_json::Value;
use side::{Chip, Kind, Run, build_harness};

/// What decides the order of the mutants.
const ORDER: u64 = 10;
/// How fast time may pass in the runs of each mutant, and their steps.
const HASTE: [u32; 2] = [12, 17];
const STEPS: u64 = 10_000;
/// Of what was seen, so much is denied.
const DENIED: usize = 2;
/// How long a check may take, and how much.
const LIMITS: [&str; 6] = [
    "--timeout",
    "20s",
    "--memory-limit",
    "2GB",
    "--max-states",
    "1000000",
];

/// A firmware whose invariants hold.
struct Firmware {
    source: &'static str,
    device: &'static str,
    flags: &'static [&'static str],
    invariants: &'static [&'static str],
    /// Registers and variables that are looked at together.
    watched: &'static [&'static str],
}

const FIRMWARE: &[Firmware] = &[
    Firmware {
        source: "examples/avr/light-switch/light_switch.c",
        device: "atmega16",
        flags: &[],
        invariants: &["(PORTB & 0xFE) == 0", "TCCR1B == 0 || light == 1"],
        watched: &["PORTB", "light", "down", "TCCR1B"],
    },
    Firmware {
        source: "examples/avr/plant/plant.c",
        device: "atmega16",
        flags: &[],
        invariants: &["(PORTB & 6) != 6", "(PORTB & 5) != 5", "beats <= 90"],
        watched: &["PORTB", "phase", "beats", "TIMSK"],
    },
    Firmware {
        source: "examples/avr/plant/plant.c",
        device: "atmega128",
        flags: &["-DGICR=EIMSK", "-DMCUCR=EICRA"],
        invariants: &["(PORTB & 6) != 6", "(PORTB & 5) != 5", "beats <= 90"],
        watched: &["PORTB", "phase", "beats", "TIMSK"],
    },
    Firmware {
        source: "examples/avr/reentrance/reentrance.c",
        device: "atmega16",
        flags: &["-DGUARDED"],
        invariants: &["i <= 30"],
        watched: &["PORTB", "i", "SREG.7"],
    },
    Firmware {
        source: "examples/avr/reentrance/reentrance.c",
        device: "atmega16",
        flags: &["-DDEAF"],
        invariants: &["i <= 30"],
        watched: &["PORTB", "i", "SREG.7"],
    },
    Firmware {
        source: "examples/avr/speed/interrupts.c",
        device: "atmega16",
        flags: &["-DCHANNELS=1"],
        invariants: &["PORTC <= 251", "(SREG & 0x80) == 0 || SP >= 0x0448"],
        watched: &["PORTC", "status", "freq0"],
    },
    Firmware {
        source: "examples/avr/speed/spread.c",
        device: "atmega16",
        flags: &["-DCHANNELS=1", "-DFIXED"],
        invariants: &["PORTA <= 251"],
        watched: &["PORTA", "PORTB", "counter0", "half0"],
    },
    Firmware {
        source: "examples/avr/speed/main_loop.c",
        device: "atmega16",
        flags: &["-DCHANNELS=1"],
        invariants: &["DDRC == 0 || (velocity <= 251 && PORTC <= 251)"],
        watched: &["PORTC", "DDRC", "velocity", "frequency[0]", "counts[0]"],
    },
    Firmware {
        source: "examples/avr/traffic-light/traffic_light.c",
        device: "atmega16",
        flags: &[],
        invariants: &[
            "(PORTB & 0x24) != 0x24",
            "(PORTB & 0x20) == 0 || (PORTB & 0x07) == 0x01",
            "phase <= 5 && ticks <= 20",
        ],
        watched: &["PORTB", "phase", "ticks", "request"],
    },
    Firmware {
        source: "examples/avr/window-lift/window_lift.c",
        device: "atmega16",
        flags: &[],
        invariants: &[
            "(PORTB & 3) != 3",
            "direction <= 4 && ticks_left <= 200",
            "direction != 4 || PORTB == 0",
        ],
        watched: &["PORTB", "direction", "ticks_left", "TIMSK", "TCCR1B"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/serial.c",
        device: "atmega16",
        flags: &["-DSIZE=4"],
        invariants: &["in_head < 8 && in_tail < 8 && out_head < 8 && out_tail < 8"],
        watched: &["in_head", "out_tail", "UCSRB & 0x20", "out[1]"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/serial.c",
        device: "atmega328p",
        flags: &["-DSIZE=4"],
        invariants: &["in_head < 8 && in_tail < 8 && out_head < 8 && out_tail < 8"],
        watched: &["in_head", "out_tail", "UCSR0B & 0x20", "out[1]"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/polled.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["DDRB == 0 || DDRB == 0xB8", "TCCR0B == 0 || TCCR0B == 2"],
        watched: &["TCCR0B", "ADMUX", "DDRB", "R28"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/sleeper.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["PORTB < 16 || seen[1] >= 16"],
        watched: &["PORTB", "seen[1]", "seen[6]", "PORTC"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/sleeper.c",
        device: "atmega16",
        flags: &[],
        invariants: &["DDRB == 0 || DDRB == 15"],
        watched: &["PORTB", "seen[1]", "seen[6]", "PORTC"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/watchdog.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["PORTC <= 19"],
        watched: &["PORTC", "DDRB", "rounds", "PORTB"],
    },
    Firmware {
        source: "crates/avr/tests/simavr/firmware/watchdog.c",
        device: "atmega16",
        flags: &[],
        invariants: &["PORTC <= 19"],
        watched: &["PORTC", "DDRB", "rounds", "PORTB"],
    },
    Firmware {
        source: "benches/avr/counter.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["PORTB <= 100"],
        watched: &["PORTB", "R24", "R25"],
    },
    Firmware {
        source: "benches/avr/counter.c",
        device: "atmega16",
        flags: &["-O0"],
        invariants: &["PORTB <= 100"],
        watched: &["PORTB", "R24", "R25"],
    },
    Firmware {
        source: "benches/avr/recursion.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["PORTB <= 28"],
        watched: &["PORTB", "SP", "R24"],
    },
    Firmware {
        source: "benches/avr/bit_search.c",
        device: "atmega328p",
        flags: &[],
        invariants: &["GPIOR0 <= 8"],
        watched: &["PORTB", "PORTD", "GPIOR0"],
    },
];

/// A mutant in a folder of its own.
struct Trial<'a> {
    folder: &'a Path,
    number: u64,
    firmware: &'a Firmware,
}

/// What the runs of a mutant show.
#[derive(Default)]
struct Seen {
    /// Which of the firmware's invariants are violated.
    violated: Vec<bool>,
    /// Values of what is watched, as expressions.
    values: BTreeSet<String>,
}

/// What came of a mutant.
#[derive(Default)]
struct Tally {
    mutants: u64,
    no_program: u64,
    found: u64,
    caught: u64,
    unknown: u64,
    denied: u64,
    denied_violated: u64,
    denied_unknown: u64,
    /// Something holds, but a run may go wrong before.
    gone_wrong: u64,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.no_program += other.no_program;
        self.found += other.found;
        self.caught += other.caught;
        self.unknown += other.unknown;
        self.denied += other.denied;
        self.denied_violated += other.denied_violated;
        self.denied_unknown += other.denied_unknown;
        self.gone_wrong += other.gone_wrong;
        self.wrong.extend(other.wrong);
    }
}

impl Trial<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn compile(&self, text: &str) -> bool {
        fs::write(self.path("a.c"), text).expect("target folder is writable");
        let output = Command::new("avr-gcc")
            .args([
                &format!("-mmcu={}", self.firmware.device),
                "-std=gnu99",
                "-Os",
                "-g",
                "-w",
            ])
            .args(self.firmware.flags)
            .args(["-o", "a.elf", "a.c"])
            .current_dir(self.folder)
            .output();
        output.expect("avr-gcc is installed").status.success()
    }

    /// What simavr does.
    fn seen(&self, harness: &Path) -> Seen {
        let bytes = fs::read(self.path("a.elf")).expect("it was compiled");
        let image = elf::read(&bytes).expect("avr-gcc wrote it");
        let debug = DebugInfo::read(&bytes).expect("avr-gcc wrote it");
        let device = Device::built_in(self.firmware.device).expect("a device of ours");
        let rules = Rules::new(&device);
        let names = Names {
            debug: &debug,
            device: &device,
            rules: &rules,
            inputs: false,
            image: &image,
        };
        // A mutant may lack a variable.
        let parse = |text: &&str| Atom::parse(text, names).ok();
        let invariants: Vec<Option<Atom>> = self.firmware.invariants.iter().map(parse).collect();
        let watched: Vec<Atom> = self.firmware.watched.iter().filter_map(parse).collect();
        let mut seen = Seen {
            violated: vec![false; invariants.len()],
            ..Seen::default()
        };
        for (index, haste) in HASTE.into_iter().enumerate() {
            let run = Run {
                seed: self.number * HASTE.len() as u64 + index as u64,
                steps: STEPS,
                haste,
            };
            self.follow(
                Chip::start(harness, &self.path("a.elf"), &device, run),
                &image,
                |memory| {
                    let value = |atom: &Atom| atom.value(|cell| Bits::known(memory[cell as usize]));
                    for (atom, violated) in invariants.iter().zip(&mut seen.violated) {
                        *violated |= atom.as_ref().is_some_and(|atom| value(atom) == Some(0));
                    }
                    let one = |atom: &Atom| value(atom).map(|value| format!("({}) == {value}", atom.text()));
                    let values: Option<Vec<String>> = watched.iter().map(one).collect();
                    seen.values.extend(values.map(|values| values.join(" && ")));
                },
            );
        }
        seen
    }

    /// Hands out the memory after each step from `main` on, where it may differ from the step before.
    fn follow(&self, mut chip: Chip, image: &Image, mut look: impl FnMut(&[u8])) {
        let main = image.symbol("main").expect("a program has one").address / 2;
        let mut has_begun = false;
        while let Some(kind) = chip.step() {
            has_begun |= chip.pc == main && kind != Kind::Initial;
            if has_begun {
                look(&chip.memory);
            }
        }
    }

    /// The verdicts on invariants, in their order.
    fn verdicts(&self, invariants: &[String]) -> Result<Vec<String>, String> {
        let mut arguments = vec![
            "check",
            "a.elf",
            "--quiet",
            "--check",
            "none",
            "--json",
            "report.json",
        ];
        arguments.extend(LIMITS);
        for invariant in invariants {
            arguments.extend(["--invariant", invariant]);
        }
        let output = common::kripke(&arguments, self.folder);
        if !matches!(output.status.code(), Some(0..=2)) {
            return Err(format!("{:?}: {}", output.status, common::text(&output)));
        }
        let report = fs::read_to_string(self.path("report.json")).map_err(|why| why.to_string())?;
        let report: Value = serde_json::from_str(&report).map_err(|why| why.to_string())?;
        let verdict = |index: usize| {
            let id = format!("invariant.{}", index + 1);
            let results = report["results"].as_array().into_iter().flatten();
            let mut results = results.filter(|result| result["property"]["id"] == *id);
            match results.next() {
                Some(result) => Ok(result["verdict"].as_str().unwrap_or_default().to_owned()),
                None if !report["incomplete"].is_null() => Ok("unknown".to_owned()),
                None => Err(format!("no verdict on {id}")),
            }
        };
        (0..invariants.len()).map(verdict).collect()
    }

    /// Whether some run leaves what is modelled, as a stack that overflows does: invariants say nothing of
    /// what follows there, and the report tells.
    fn goes_wrong(&self) -> bool {
        let arguments = [&["check", "a.elf", "--quiet"][..], &LIMITS].concat();
        let said = common::text(&common::kripke(&arguments, self.folder));
        said.lines()
            .any(|line| line.starts_with("violated[") && !line.contains("is read and written back"))
    }

    fn outcome(&self, harness: &Path, text: &str, what: &str) -> Tally {
        if !self.compile(text) {
            return Tally {
                no_program: 1,
                ..Tally::default()
            };
        }
        let mut tally = Tally {
            mutants: 1,
            ..Tally::default()
        };
        let seen = self.seen(harness);
        let own = self.firmware.invariants.iter().zip(&seen.violated);
        let own = own.filter(|(_, violated)| **violated);
        let mut questions: Vec<String> = own.map(|(text, _)| format!("{{{text}}}")).collect();
        let found = questions.len();
        let mut values: Vec<&String> = seen.values.iter().collect();
        shuffle(&mut values, self.number);
        let denied = values.into_iter().take(DENIED);
        questions.extend(denied.map(|values| format!("{{!({values})}}")));
        if questions.is_empty() {
            return tally;
        }
        let verdicts = match self.verdicts(&questions) {
            Ok(verdicts) => verdicts,
            Err(why) => {
                tally.wrong.push(format!("{what}: {questions:?}: {why}"));
                return tally;
            }
        };
        let holding = questions.iter().zip(&verdicts);
        let holding = holding.filter(|(_, verdict)| *verdict == "holds");
        let holding: Vec<&String> = holding.map(|(question, _)| question).collect();
        if !holding.is_empty() && self.goes_wrong() {
            tally.gone_wrong += 1;
        } else {
            let wrong = |question| format!("{what}: {question} holds, and simavr violates it");
            tally.wrong.extend(holding.into_iter().map(wrong));
        }
        let count = |of: &[String], said: &str| of.iter().filter(|verdict| *verdict == said).count() as u64;
        let (own, denied) = verdicts.split_at(found);
        tally.found += u64::from(found > 0);
        tally.caught += u64::from(count(own, "violated") > 0);
        tally.unknown += u64::from(found > 0 && count(own, "unknown") == own.len() as u64);
        tally.denied += denied.len() as u64;
        tally.denied_violated += count(denied, "violated");
        tally.denied_unknown += count(denied, "unknown");
        tally
    }
}

/// The changes of a firmware, once none, in an order of their own.
fn changes(firmware: &Firmware) -> (String, Vec<Option<Change>>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(firmware.source);
    let text = fs::read_to_string(path).expect("a program is text");
    let mut changes: Vec<_> = mutants::changes(&text).into_iter().map(Some).collect();
    changes.push(None);
    let start = Random::new(firmware.flags.len() as u64).next();
    shuffle(&mut changes, ORDER + start % 100);
    (text, changes)
}

#[test]
fn no_mutant_holds_that_simavr_refutes() {
    let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("firmware_mutation");
    fs::create_dir_all(&shared).expect("target folder is writable");
    let harness = build_harness(&shared);
    let programs: Vec<_> = FIRMWARE.iter().map(changes).collect();
    let counts: Vec<usize> = programs.iter().map(|(_, changes)| changes.len()).collect();
    let mutants = in_rounds(&counts);
    let first = setting("KRIPKE_MUTATION_SEED", 1).max(1);
    let count = setting("KRIPKE_FIRMWARE_MUTATION_COUNT", 8);
    let count = count.min((mutants.len() as u64 + 1).saturating_sub(first));
    let tally = Mutex::new(Tally::default());
    for_each_number(first, count, |number| {
        let (program, change) = mutants[number as usize - 1];
        let (firmware, (text, changes)) = (&FIRMWARE[program], &programs[program]);
        let folder = shared.join(number.to_string());
        fs::create_dir_all(&folder).expect("target folder is writable");
        let (mutant, change) = match &changes[change] {
            Some(change) => (change.apply(text), change.describe(text)),
            None => (text.clone(), "unchanged".to_owned()),
        };
        let what = format!(
            "{number}: {} {:?} on {}, {change}",
            firmware.source, firmware.flags, firmware.device
        );
        let trial = Trial {
            folder: &folder,
            number,
            firmware,
        };
        let outcome = trial.outcome(&harness, &mutant, &what);
        if outcome.wrong.is_empty() {
            fs::remove_dir_all(&folder).ok();
        }
        outcome.wrong.iter().for_each(|wrong| println!("{wrong}"));
        tally
            .lock()
            .expect("no thread panics while it counts")
            .add(outcome);
    });
    let tally = tally.into_inner().expect("threads have ended");
    println!(
        "firmware mutation: {} mutants of {} ({} more are no programs); {} found by simavr: {} caught, \
         {} unknown; \
         {} values seen and denied: {} violated, {} unknown; {} go wrong before; {} wrong",
        tally.mutants,
        mutants.len(),
        tally.no_program,
        tally.found,
        tally.caught,
        tally.unknown,
        tally.denied,
        tally.denied_violated,
        tally.denied_unknown,
        tally.gone_wrong,
        tally.wrong.len()
    );
    assert!(
        tally.wrong.is_empty(),
        "{} wrong:\n{}",
        tally.wrong.len(),
        tally.wrong.join("\n")
    );
    assert!(
        tally.denied_violated * 2 >= tally.denied,
        "too few of what was seen is said to be possible"
    );
}
