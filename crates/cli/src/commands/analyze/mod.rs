//! `kripke analyze`: what static analyses find out about a firmware, beside its instructions.
//!
//! Idea: `kripke_avr` computes; here addresses become names, and the result text or JSON.

mod json;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clap::ValueEnum;
use kripke_avr::cfg::Cfg;
use kripke_avr::core::address;
use kripke_avr::definitions::{Definition, Definitions};
use kripke_avr::disassemble;
use kripke_avr::flow::{Height, Level, Point};
use kripke_avr::image::{Space, SymbolKind};
use kripke_avr::instruction::{Operation as Op, decode_all};
use kripke_avr::live::dead::{DeadStore, dead_stores};
use kripke_avr::live::{GivenMemory, Incomplete, LiveMemory, Liveness, use_of};
use kripke_report::Style;

use super::cfg::named;
use crate::arguments::AnalyzeArguments;
use crate::watchdog::Watchdog;
use crate::{firmware, output};
use kripke_check::Failure;
use kripke_check::firmware::Firmware;

/// What is shown beside each instruction.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Show {
    /// Registers, flags and variables whose values matter
    Live,
    /// How many bytes the function has on the stack
    Stack,
    /// Whether an interrupt can come
    Interrupts,
    /// What has written the registers that are read, and their values
    Definitions,
    /// Where control goes
    Cfg,
}

/// What was found out.
struct Analysis<'a> {
    firmware: &'a Firmware,
    cfg: Cfg,
    liveness: Liveness,
    memory: LiveMemory,
    dead: BTreeMap<u32, DeadStore>,
    /// Indices of the functions that are shown.
    chosen: Vec<usize>,
    shown: BTreeSet<Show>,
}

/// Prints what is found out.
pub fn analyze(arguments: &AnalyzeArguments, style: Style) -> Result<u8, Failure> {
    if let Some(path) = &arguments.json {
        output::check_directory(path)?;
    }
    let _watchdog = Watchdog::start(&arguments.limits.starting_now(Arc::default()));
    let firmware = firmware::load(&arguments.file, &arguments.device)?;
    firmware.refuse_boot_section()?;
    let cfg = Cfg::new(&firmware.image, &firmware.device);
    let chosen = match &arguments.function {
        None => (0..cfg.functions.len()).collect(),
        Some(name) => named(&cfg, &firmware, name)?,
    };
    let liveness = Liveness::new(&cfg);
    let given = GivenMemory::default();
    let memory = LiveMemory::new(&cfg, &firmware.image, &firmware.device, &liveness, &given);
    let analysis = Analysis {
        dead: dead_stores(&cfg, &liveness, &memory).into_iter().collect(),
        firmware: &firmware,
        cfg,
        liveness,
        memory,
        chosen,
        shown: arguments.show.iter().copied().collect(),
    };
    let is_json_printed = arguments
        .json
        .as_ref()
        .is_some_and(|path| path.as_os_str() == "-");
    if let Some(path) = &arguments.json {
        output::write_file(path, &json::render(&analysis)?)?;
    }
    if !is_json_printed {
        output::print(&text::render(&analysis, style))?;
    }
    Ok(0)
}

/// A write that the datasheet reserves.
struct ReservedWrite {
    at: u32,
    /// What is written.
    register: String,
    /// The bits, or none where there is no register.
    bits: Option<u8>,
}

/// A definition of a register that an instruction reads.
struct Read {
    register: u8,
    value: Option<u8>,
    from: Vec<Definition>,
}

impl Analysis<'_> {
    fn show(&self, what: Show) -> bool {
        self.shown.contains(&what)
    }

    /// The instructions of a function, ascending.
    fn places(&self, function: usize) -> BTreeSet<u32> {
        let blocks = self.cfg.functions[function].blocks.iter();
        blocks
            .flat_map(|block| self.cfg.blocks[*block].locations.iter().copied())
            .collect()
    }

    /// The variables that are live before an instruction, of those that are not live everywhere.
    fn live_variables(&self, at: u32) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let variables = self.memory.variables().iter();
        for byte in variables.filter(|byte| self.memory.is_live(at, **byte)) {
            let name = self.variable(*byte);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// A byte's variable, without the number of the byte.
    fn variable(&self, byte: u16) -> String {
        let name = self.firmware.data_name(byte);
        match name.split_once('+') {
            Some((variable, _)) => variable.to_owned(),
            None => name,
        }
    }

    /// The places of an instruction in all activations, those of its function's own first.
    fn points(&self, at: u32) -> Vec<Point> {
        let own = self.cfg.function_of(at).map(|function| function.entry);
        let activations = &self.cfg.flow.activations;
        let of = |points: &[Point]| -> Vec<Point> {
            points.iter().filter(|point| point.at == at).copied().collect()
        };
        let own = own.and_then(|entry| activations.get(&entry));
        let points = own.map_or_else(Vec::new, |own| of(&own.points));
        match points.is_empty() {
            true => activations
                .values()
                .flat_map(|activation| of(&activation.points))
                .collect(),
            false => points,
        }
    }

    /// Where the stack pointer can be, in words.
    fn heights(&self, at: u32) -> Vec<String> {
        let heights: BTreeSet<Height> = self.points(at).iter().map(|point| point.height).collect();
        let shown = heights.iter().map(|height| match height {
            Height::Entry(above) => (-i32::from(*above)).to_string(),
            Height::Absolute(pointer) => format!("SP={pointer:#06x}"),
            Height::Between(..) => "half written".to_owned(),
            Height::Unknown => "unknown".to_owned(),
        });
        shown.collect()
    }

    /// Whether an interrupt can come before an instruction.
    fn interrupts(&self, at: u32) -> &'static str {
        let points = self.points(at);
        let most = points.iter().map(|point| point.pending).max();
        let is_known = self.liveness.why_incomplete().is_none();
        match most {
            _ if is_known && !self.liveness.foresees_interrupt(at) => "off",
            None | Some(Level::Clear) => "off",
            Some(Level::Entry) => "as called",
            Some(Level::Set) => "on",
        }
    }

    /// The registers that an instruction reads, and what has written them.
    fn reads(&self, at: u32, definitions: &Definitions) -> Vec<Read> {
        let instruction = self.cfg.nodes[&at].instruction;
        let reads = use_of(&instruction).reads;
        let values = self.cfg.flow.values.get(&at);
        let registers = (0..32_u8).filter(|register| reads >> register & 1 == 1);
        registers
            .map(|register| Read {
                register,
                value: values.and_then(|values| values[usize::from(register)]),
                from: definitions.of(at, register).collect(),
            })
            .collect()
    }

    /// Functions that are never reached, and byte addresses from and to within those that are.
    fn unreached(&self) -> (Vec<String>, Vec<(u32, u32)>) {
        let image = &self.firmware.image;
        let program = decode_all(image.flash.bytes());
        let functions: BTreeMap<u32, _> = image
            .symbols
            .iter()
            .filter(|symbol| symbol.space == Space::Flash && symbol.kind == SymbolKind::Function)
            .filter(|symbol| symbol.size > 0)
            .map(|symbol| (symbol.address, symbol))
            .collect();
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        for (start, symbol) in &functions {
            let words = start / 2..(start + symbol.size) / 2;
            if self.cfg.nodes.range(words.clone()).next().is_none() {
                whole.push(symbol.name.clone());
                continue;
            }
            let (mut word, mut open) = (words.start, None);
            while let Some(instruction) = program.get(word as usize).filter(|_| word < words.end) {
                match (self.cfg.nodes.contains_key(&word), open) {
                    (true, Some(from)) => {
                        parts.push((from, word * 2));
                        open = None;
                    }
                    (false, None) => open = Some(word * 2),
                    _ => {}
                }
                word += u32::from(instruction.words);
            }
            parts.extend(open.map(|from| (from, word * 2)));
        }
        (whole, parts)
    }

    /// Writes of reserved bits and addresses.
    fn reserved_writes(&self) -> Vec<ReservedWrite> {
        let nodes = self.cfg.nodes.iter();
        nodes
            .filter_map(|(at, node)| self.reserved_write(*at, node))
            .collect()
    }

    fn reserved_write(&self, at: u32, node: &kripke_avr::cfg::Node) -> Option<ReservedWrite> {
        let instruction = node.instruction;
        let place = instruction.k as u16;
        let ones = match instruction.operation {
            Op::Sbi => Some(1 << instruction.b),
            Op::Cbi => Some(0),
            Op::Out | Op::Sts => {
                let values = self.cfg.flow.values.get(&at)?;
                values[usize::from(instruction.d)]
            }
            _ => return None,
        };
        let is_register = (0x20..self.firmware.device.sram.start).contains(&u32::from(place));
        if !is_register || place == address::SREG {
            return None;
        }
        let Some(register) = self.firmware.device.register_at(place) else {
            return Some(ReservedWrite {
                at,
                register: format!("{place:#06x}"),
                bits: None,
            });
        };
        let bits = ones? & register.reserved;
        (bits != 0).then(|| ReservedWrite {
            at,
            register: register.name.clone(),
            bits: Some(bits),
        })
    }

    /// Why everything is live.
    fn why_incomplete(&self) -> Option<String> {
        let place = |at: u32| self.place(at);
        Some(match self.liveness.why_incomplete()? {
            Incomplete::Issue(issue) => format!(
                "where control goes is not known at {}; kripke stack says more",
                place(issue.at)
            ),
            Incomplete::SelfProgramming(at) => format!("the program changes itself at {}", place(at)),
            Incomplete::Call(at) => format!("what is called is not known at {}", place(at)),
            Incomplete::SavedReturn(at) => format!("longjmp comes back at {}", place(at)),
        })
    }

    /// Source line if there is one, else address and symbol.
    fn place(&self, at: u32) -> String {
        let place = self.firmware.place(at);
        match place.line {
            0 => self.firmware.code_name(at),
            _ if place.function.is_empty() => self.firmware.code_name(at),
            line => format!("{:#06x} {}:{line}", at * 2, super::stack::from_here(&place.file)),
        }
    }

    /// The name of the function that a vector leads to.
    fn handler(&self, vector: u32) -> String {
        let node = self.cfg.nodes.get(&vector);
        let to = node
            .and_then(|node| node.successors.first())
            .map_or(vector, |(to, _)| *to);
        disassemble::place(&self.firmware.image, to * 2).unwrap_or_else(|| format!("{:#06x}", to * 2))
    }
}

/// Registers as numbers, ascending.
fn numbers(registers: u32) -> Vec<u8> {
    (0..32).filter(|number| registers >> number & 1 == 1).collect()
}

/// Flags by their letters.
fn letters(flags: u8) -> String {
    let named = "CZNVSHT".chars().enumerate();
    named
        .filter(|(bit, _)| flags >> bit & 1 == 1)
        .map(|(_, letter)| letter)
        .collect()
}
