//! simavr beside a test: it runs a firmware in a random environment (`simavr/side.c`) and tells each step.
#![allow(dead_code, reason = "no test needs all of it")]

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use kripke_avr::device::Device;
use kripke_avr::peripherals::Rules;

/// What a step was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Initial,
    Instruction,
    Interrupt,
    Asleep,
    Reset,
}

/// How a firmware is run.
#[derive(Clone, Copy)]
pub struct Run {
    pub seed: u64,
    pub steps: u64,
    /// Time passes by up to two to the power of so many cycles at once.
    pub haste: u32,
}

/// simavr's side: its memory, and the steps as they come.
pub struct Chip {
    process: Child,
    output: BufReader<ChildStdout>,
    pub memory: Vec<u8>,
    /// The program counter, a word address.
    pub pc: u32,
}

impl Chip {
    /// Starts simavr.
    pub fn start(harness: &Path, firmware: &Path, device: &Device, run: Run) -> Chip {
        let registers = at_reset(device);
        let mut process = Command::new(harness)
            .arg(firmware)
            .args([&device.name, &run.steps.to_string(), &run.seed.to_string()])
            .args(registers.iter().map(u16::to_string))
            .env("HASTE", run.haste.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the harness was built");
        let output = process.stdout.take().expect("a pipe");
        Chip {
            process,
            output: BufReader::with_capacity(1 << 16, output),
            memory: vec![0; 0x1_0000],
            pc: 0,
        }
    }

    /// The next step, unless that was the last.
    pub fn step(&mut self) -> Option<Kind> {
        let mut head = [0; 6];
        self.output.read_exact(&mut head).ok()?;
        self.pc = u32::from_le_bytes([head[1], head[2], head[3], 0]);
        for _ in 0..u16::from_le_bytes([head[4], head[5]]) {
            let mut change = [0; 3];
            self.output.read_exact(&mut change).ok()?;
            self.memory[usize::from(u16::from_le_bytes([change[0], change[1]]))] = change[2];
        }
        Some(match head[0] {
            0 => Kind::Initial,
            1 => Kind::Instruction,
            2 => Kind::Interrupt,
            3 => Kind::Asleep,
            _ => Kind::Reset,
        })
    }
}

impl Drop for Chip {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Registers as simavr has them otherwise than the datasheets: address, value at reset, shared flags.
fn at_reset(device: &Device) -> Vec<u16> {
    let rules = Rules::new(device);
    // Where the watchdog is on after a reset of its own, simavr knows.
    let is_on = |at| {
        let watchdog = rules.watchdog.filter(|watchdog| watchdog.reset_flag.is_some());
        watchdog.is_some_and(|watchdog| watchdog.enable.address == at)
    };
    let registers = device.registers.iter();
    let registers = registers.filter(|register| register.undefined == 0 && !is_on(register.address));
    let numbers = registers.flat_map(|register| {
        let is_shared = register.name.contains("TIFR") || register.name == "ADCSRA";
        let flags = if is_shared { register.write_one_to_clear } else { 0 };
        [register.address, u16::from(register.reset), u16::from(flags)]
    });
    numbers.collect()
}

/// Compiles simavr's side.
pub fn build_harness(folder: &Path) -> PathBuf {
    let program = folder.join("side");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../avr/tests/simavr/side.c");
    run(Command::new("cc")
        .args(["-O2", "-o"])
        .args([&program, &source])
        .args(["-lsimavr", "-lm"]));
    program
}

/// Runs a command, which has to end well.
pub fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error} (scripts/install-packages test)"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}
