//! Why a search of states came to a limit: what there are so many of, where, and what may help.
//!
//! Idea: the checker leaves a sample of the states that it stored. In it the different values of each
//! variable and register are counted, and how many of the states stand at each source line. What may help is
//! said where the sample shows its reason: a loop that only counts, a variable whose values fill a range, an
//! input that is given its values one by one, handlers that interrupt handlers, a large buffer.
//!
//! Invariant: nothing but what is shown depends on it.

use std::collections::{BTreeMap, HashSet};

use kripke_avr::disassemble;
use kripke_avr::footprint::Cell;
use kripke_avr::image::{Space, Symbol};
use kripke_avr::instruction::Operation as Op;
use kripke_avr::micro::{Micro, Nondeterminism};
use kripke_avr::tracing::Event;
use kripke_explicit::Stopped;
use kripke_model::{CrowdedLine, Explosion, KripkeStructure as _, ManyValues, Reason};

use super::load::Firmware;

/// Variables and registers that are named.
const VALUES_SHOWN: usize = 4;
/// Lines that are named.
const LINES_SHOWN: usize = 3;
/// Words of a loop that only counts, at the most.
const LONGEST_LOOP: u32 = 12;
/// Fewer states than this show nothing.
const FEWEST: usize = 16;

/// What a stopped search tells; none where there is no limit that was reached, or too little to tell from.
pub fn explosion(micro: &mut Micro, firmware: &Firmware, stopped: &Stopped) -> Option<Explosion> {
    let is_limit = matches!(
        stopped.reason,
        Reason::Time | Reason::Memory | Reason::States { .. } | Reason::Interrupted
    );
    // A search that was begun anew has states of another form.
    let fits = { stopped.sample.iter() }.all(|state| state.len() == micro.state_size());
    if !is_limit || !fits || stopped.sample.len() < FEWEST {
        return None;
    }
    let mut sample = Sample {
        micro,
        firmware,
        states: &stopped.sample,
    };
    let parts = sample.parts();
    let values = parts.iter().filter(|part| part.values > 1).take(VALUES_SHOWN);
    let values = values.map(|part| ManyValues {
        name: part.name.clone(),
        values: part.values as u64,
    });
    Some(Explosion {
        states: stopped.states as u64,
        sample: stopped.sample.len() as u64,
        values: values.collect(),
        lines: sample.lines(),
        hints: sample.hints(&parts),
    })
}

/// A variable, a register, or a part of memory.
struct Part {
    name: String,
    /// Different values in the sample.
    values: usize,
    /// Bytes of the chip that states hold of it.
    bytes: usize,
    /// If it is a number, the difference of its largest and its smallest value.
    spread: Option<u64>,
    is_variable: bool,
}

struct Sample<'a> {
    micro: &'a mut Micro,
    firmware: &'a Firmware,
    states: &'a [Box<[u8]>],
}

impl Sample<'_> {
    /// What a cell belongs to.
    fn owner(&self, cell: Cell) -> (String, bool) {
        let Some(address) = self.micro.data_address(cell) else {
            return ("the EEPROM and what is hidden of peripherals".to_owned(), false);
        };
        let debug = &self.firmware.debug;
        let at = u32::from(address);
        let variables = debug.variables.iter();
        let mut around = variables.filter(|variable| {
            let is_memory = variable.address >= self.firmware.device.sram.start;
            is_memory && (variable.address..variable.address + debug.size_of(variable.type_)).contains(&at)
        });
        if let Some(variable) = around.next() {
            return (variable.name.clone(), true);
        }
        let symbols = self.firmware.image.symbols.iter();
        let mut named = symbols.filter(|symbol| {
            symbol.space == Space::Data && (symbol.address..symbol.address + symbol.size).contains(&at)
        });
        if let Some(symbol) = named.next() {
            return (symbol.name.clone(), true);
        }
        match address >= self.micro.stack_limit() && at >= self.firmware.device.sram.start {
            true => ("the stack".to_owned(), false),
            false => (self.firmware.data_name(address), false),
        }
    }

    /// All that states hold, the part with most values first.
    fn parts(&self) -> Vec<Part> {
        let mut owned: BTreeMap<(String, bool), Vec<Cell>> = BTreeMap::new();
        for cell in self.micro.held_cells() {
            owned.entry(self.owner(cell)).or_default().push(cell);
        }
        let mut parts: Vec<Part> = owned
            .into_iter()
            .map(|((name, is_variable), cells)| self.part(name, is_variable, &cells))
            .collect();
        // Of parts with equally many values a variable says most.
        parts.sort_by_key(|part| (usize::MAX - part.values, !part.is_variable, part.bytes));
        parts
    }

    fn part(&self, name: String, is_variable: bool, cells: &[Cell]) -> Part {
        let contents = |state: &[u8]| -> Vec<(u8, u8)> {
            let bits = cells.iter().map(|cell| self.micro.cell_of(state, *cell));
            bits.map(|bits| (bits.value, bits.unknown)).collect()
        };
        let distinct: HashSet<Vec<(u8, u8)>> = self.states.iter().map(|state| contents(state)).collect();
        let number = |bytes: &Vec<(u8, u8)>| {
            let is_known = bytes.len() <= 4 && bytes.iter().all(|(_, unknown)| *unknown == 0);
            is_known.then(|| {
                bytes
                    .iter()
                    .rev()
                    .fold(0, |sum, (value, _)| sum << 8 | u64::from(*value))
            })
        };
        let numbers: Option<Vec<u64>> = distinct.iter().map(number).collect();
        let spread = numbers.and_then(|numbers| Some(numbers.iter().max()? - numbers.iter().min()?));
        Part {
            name,
            values: distinct.len(),
            bytes: cells.len(),
            spread,
            is_variable,
        }
    }

    /// The states at each word address.
    fn places(&self) -> BTreeMap<u32, usize> {
        let mut places = BTreeMap::new();
        for state in self.states {
            *places.entry(self.micro.pc_of(state)).or_insert(0) += 1;
        }
        places
    }

    fn percent(&self, count: usize) -> u64 {
        (count * 100 / self.states.len()) as u64
    }

    fn lines(&self) -> Vec<CrowdedLine> {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for (word, count) in self.places() {
            *lines.entry(self.place(word)).or_insert(0) += count;
        }
        let mut lines: Vec<(String, usize)> = lines.into_iter().collect();
        lines.sort_by_key(|(place, count)| (usize::MAX - count, place.clone()));
        let shown = lines.into_iter().take(LINES_SHOWN);
        let shown = shown.map(|(place, count)| CrowdedLine {
            place,
            percent: self.percent(count),
        });
        shown.filter(|line| line.percent > 0).collect()
    }

    /// A source line, or the function of an instruction that has none.
    fn place(&self, word: u32) -> String {
        let place = self.firmware.place(word);
        match (place.line, place.function.is_empty()) {
            (0, true) => self.firmware.code_name(word),
            (0, false) => place.function,
            (line, _) => format!("{}:{line}", place.file),
        }
    }

    /// The same in a sentence.
    fn short_place(&self, word: u32) -> String {
        let place = self.place(word);
        match place.rsplit_once('/') {
            Some((_, name)) => name.to_owned(),
            None => place,
        }
    }

    fn hints(&mut self, parts: &[Part]) -> Vec<String> {
        let mut hints = Vec::new();
        hints.extend(self.counting_loop());
        hints.extend(self.nested());
        hints.extend(self.enumerated());
        hints.extend(self.counter(parts));
        hints.extend(self.buffer(parts));
        if hints.is_empty() && self.in_handlers() >= 40 {
            hints.push(format!(
                "{} % of the states are in handlers, which come before each instruction: --never leaves one \
                 out that does not matter",
                self.in_handlers()
            ));
        }
        hints
    }

    /// A loop that only counts, in which many of the states are.
    fn counting_loop(&self) -> Option<String> {
        let places = self.places();
        let state = self.states.first()?;
        for &branch in places.keys() {
            let instruction = self.micro.instruction_at(state, branch)?;
            if !matches!(instruction.operation, Op::Brbc | Op::Brbs) {
                continue;
            }
            let target = instruction.target(branch, self.firmware.device.flash.size / 2);
            if target >= branch || branch - target > LONGEST_LOOP {
                continue;
            }
            let only_counts = (target..branch).all(|word| {
                let instruction = self.micro.instruction_at(state, word);
                instruction.is_some_and(|instruction| counts(instruction.operation))
            });
            let inside: usize = places.range(target..=branch).map(|(_, count)| count).sum();
            let percent = self.percent(inside);
            if only_counts && percent >= 20 {
                return Some(format!(
                    "the loop at {} only counts, and {percent} % of the states are in it: time is not \
                     counted, so build with -DF_CPU=1000UL, or with a smaller number of rounds",
                    self.short_place(target)
                ));
            }
        }
        None
    }

    fn handlers(&self) -> impl Iterator<Item = &Symbol> {
        let symbols = self.firmware.image.symbols.iter();
        symbols.filter(|symbol| symbol.space == Space::Flash && symbol.name.starts_with("__vector_"))
    }

    fn handler_of(&self, state: &[u8]) -> Option<&Symbol> {
        let address = self.micro.pc_of(state) * 2;
        self.handlers().find(|symbol| {
            symbol.size > 0 && (symbol.address..symbol.address + symbol.size).contains(&address)
        })
    }

    /// How many of a hundred states are in handlers.
    fn in_handlers(&self) -> u64 {
        let inside = self
            .states
            .iter()
            .filter(|state| self.handler_of(state).is_some());
        self.percent(inside.count())
    }

    /// Handlers that can be interrupted.
    fn nested(&self) -> Option<String> {
        let enabled = |state: &[u8]| {
            let status = self.micro.byte_of(state, kripke_avr::core::address::SREG);
            status.value & 0x80 != 0
        };
        let open = self.states.iter().filter(|state| enabled(state));
        let handlers: Vec<&Symbol> = open.filter_map(|state| self.handler_of(state)).collect();
        let first = handlers
            .first()
            .filter(|_| self.micro.options().nesting.is_none())?;
        let number = first.name.strip_prefix("__vector_");
        let number: Option<u8> = number.and_then(|number| number.parse().ok());
        let interrupts = &self.firmware.rules.interrupts;
        let known = interrupts.iter().find(|one| Some(one.number) == number);
        let name = known.map_or(first.name.as_str(), |interrupt| &interrupt.name);
        Some(format!(
            "the handler of {name} lets other interrupts come, and handlers interrupt handlers: --nesting 2 \
             bounds how many are active at once"
        ))
    }

    /// What is given its values one by one.
    fn enumerated(&mut self) -> Option<String> {
        let (word, count, events) = self.micro.widest()?;
        let read = events.iter().rev().find_map(|event| match event {
            Event::Read { register, .. } | Event::Found { register, .. } => Some(*register),
            _ => None,
        });
        let place = self.short_place(word);
        let is_immediate = self.micro.options().nondeterminism == Nondeterminism::Immediate;
        let remedy = match (read, is_immediate) {
            (_, true) => "; --nondeterminism delayed gives it values where they are used",
            (Some(_), false) => "; --constraint says which values it has",
            (None, false) => "; --constraint says which values the input has that it comes from",
        };
        let what = match read {
            Some(register) => self.firmware.data_name(register),
            None => {
                let instruction = self.micro.instruction_at(self.states.first()?, word)?;
                let text = disassemble::text(&instruction).replace('\t', " ");
                format!("what `{text}` needs of an unknown value")
            }
        };
        Some(format!(
            "{what} gets its values one by one at {place}: {count} successors of a state{remedy}"
        ))
    }

    /// A variable whose values fill a range.
    fn counter(&self, parts: &[Part]) -> Option<String> {
        let is_counter = |part: &&Part| {
            let is_dense = part.spread.is_some_and(|spread| {
                let fewest = 64.min(self.states.len() as u64);
                spread >= fewest && part.values as u64 * 2 > spread.min(self.states.len() as u64)
            });
            part.is_variable && part.bytes <= 4 && is_dense
        };
        let counter = parts.iter().find(is_counter)?;
        Some(format!(
            "{} has as many values as a counter that runs freely: a bound on it, or a smaller type in a \
             build for checking, makes states fewer",
            counter.name
        ))
    }

    /// A large buffer with many contents.
    fn buffer(&self, parts: &[Part]) -> Option<String> {
        let is_buffer =
            |part: &&Part| part.is_variable && part.bytes > 4 && part.values * 8 > self.states.len();
        let buffer = parts.iter().find(is_buffer)?;
        Some(format!(
            "{} holds {} bytes that vary, each combination of which is a state: a shorter one in a build for \
             checking shows the same errors as a rule",
            buffer.name, buffer.bytes
        ))
    }
}

/// Whether an instruction of a loop does nothing but count.
fn counts(operation: Op) -> bool {
    matches!(
        operation,
        Op::Dec
            | Op::Inc
            | Op::Sbiw
            | Op::Adiw
            | Op::Subi
            | Op::Sbci
            | Op::Sub
            | Op::Sbc
            | Op::Cp
            | Op::Cpc
            | Op::Cpi
            | Op::Nop
    )
}
