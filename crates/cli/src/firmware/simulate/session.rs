//! A simulation under way: the state, the states before it, breakpoints.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_avr::atom::Atom;
use kripke_avr::byte::{AbstractByte as _, Bits};
use kripke_avr::footprint::Cell;
use kripke_avr::micro::{Micro, Nondeterminism, Options};
use kripke_avr::tracing::Event;
use kripke_avr::walk::Taken;
use kripke_model::{KripkeStructure as _, Step, Trace};
use kripke_report::{Sources, Style};

use super::command::{Command, Policy};
use crate::output;
use kripke_check::firmware::Firmware;
use kripke_check::firmware::trace;

/// States that can be gone back to.
const KEPT: usize = 2_000;

/// Steps that are shown in full; of more only the last ones are.
const SHOWN: usize = 40;

pub struct Session<'a> {
    pub(super) firmware: &'a Firmware,
    pub(super) micro: Micro,
    pub(super) state: Box<[u8]>,
    /// Handlers that are active.
    depth: u32,
    before: VecDeque<(Box<[u8]>, u32)>,
    pub(super) steps: u64,
    /// Word address, and the place as the user wrote it.
    breakpoints: Vec<(u32, String)>,
    policy: Policy,
    random: u64,
    /// Input registers that the user holds.
    pub(super) held: Vec<(u16, u8)>,
    pub(super) sources: Sources<'static>,
    pub(super) style: Style,
    interrupt: Arc<AtomicBool>,
}

/// Why a run stopped.
enum Stop {
    Done,
    Breakpoint(String),
    Fault(&'static str),
    End,
    Interrupted,
}

impl<'a> Session<'a> {
    pub fn new(firmware: &'a Firmware, style: Style, interrupt: Arc<AtomicBool>) -> Self {
        let options = Options {
            nondeterminism: Nondeterminism::Immediate,
            lazy_stack: false,
            ..Options::default()
        };
        let mut micro = Micro::new(
            &firmware.image,
            &firmware.device,
            options,
            Arc::new(AtomicBool::new(false)),
        );
        micro.hold_all();
        let state = at_reset(&mut micro);
        Self {
            firmware,
            micro,
            state,
            depth: 0,
            before: VecDeque::new(),
            steps: 0,
            breakpoints: Vec::new(),
            policy: Policy::Quiet,
            random: 1,
            held: Vec::new(),
            sources: output::sources(),
            style,
            interrupt,
        }
    }

    /// Does what a command says; what is to be shown, or why it cannot be done.
    pub fn execute(&mut self, command: Command) -> Result<String, String> {
        match command {
            Command::Step(count) => self.step(count),
            Command::Line => self.line(),
            Command::Run(limit) => self.run(limit),
            Command::Until(text) => self.until(&text),
            Command::Back(count) => self.back(count),
            Command::Reset => {
                self.remember();
                self.state = at_reset(&mut self.micro);
                self.depth = 0;
                Ok(self.place_text())
            }
            Command::Break(place) => self.add_breakpoint(&place),
            Command::Breakpoints => Ok(self.breakpoint_list()),
            Command::Delete(number) => self.delete_breakpoint(number),
            Command::Choices => Ok(self.choices_text()),
            Command::Choose(number) => self.choose(number),
            Command::Interrupt(name) => self.let_come(&name),
            Command::Input(name, value) => self.hold(&name, value),
            Command::Set(name, value) => self.set(&name, value),
            Command::Policy(policy) => {
                self.policy = policy;
                if let Policy::Random(seed) = policy {
                    self.random = seed | 1;
                }
                Ok(String::new())
            }
            Command::Print(_)
            | Command::Registers
            | Command::Io(_)
            | Command::Variables
            | Command::Stack
            | Command::List
            | Command::Disassemble => self.show(&command),
            Command::Help | Command::Quit => Ok(Command::help()),
        }
    }

    // Steps.

    fn remember(&mut self) {
        if self.before.len() == KEPT {
            self.before.pop_front();
        }
        self.before.push_back((self.state.clone(), self.depth));
    }

    /// Takes one step as the policy says; none where no step follows.
    fn advance(&mut self) -> Option<Taken> {
        let (policy, mut random) = (self.policy, self.random);
        let taken = self.micro.walk(&self.state, |count| match policy {
            Policy::Quiet => 0,
            Policy::Random(_) => {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random >> 16) as u32 % count
            }
        });
        self.random = random;
        taken.inspect(|taken| self.accept(taken))
    }

    fn accept(&mut self, taken: &Taken) {
        self.remember();
        self.depth = trace::depth_after(&self.micro, &self.state, &taken.events, self.depth);
        self.state.clone_from(&taken.state);
        self.steps += 1;
    }

    /// What a step did that was just taken.
    fn narrated(&self, before: &[u8], taken: &Taken, depth: u32) -> Vec<Step> {
        trace::narrate(&self.micro, self.firmware, before, taken, depth)
    }

    /// Takes a step that the user chose.
    fn take(&mut self, taken: &Taken) -> String {
        let (before, depth) = (self.state.clone(), self.depth);
        self.accept(taken);
        self.text_of(self.narrated(&before, taken, depth)) + &self.stopped(&Stop::Done)
    }

    /// Takes steps until something stops them; what the last of them did.
    fn go(&mut self, limit: u64, mut reached: impl FnMut(&mut Self) -> Option<Stop>) -> (Vec<Step>, Stop) {
        let mut last: VecDeque<(Box<[u8]>, Taken, u32)> = VecDeque::new();
        let mut stop = Stop::Done;
        for _ in 0..limit {
            let (before, depth) = (self.state.clone(), self.depth);
            let Some(taken) = self.advance() else {
                stop = Stop::End;
                break;
            };
            if last.len() == SHOWN {
                last.pop_front();
            }
            last.push_back((before, taken, depth));
            if let Some(fault) = self.micro.faults_of(&self.state).next() {
                stop = Stop::Fault(fault.description());
                break;
            }
            if self.interrupt.swap(false, Ordering::Relaxed) {
                stop = Stop::Interrupted;
                break;
            }
            if let Some(found) = reached(self) {
                stop = found;
                break;
            }
        }
        let steps = last
            .iter()
            .flat_map(|(before, taken, depth)| self.narrated(before, taken, *depth));
        (steps.collect(), stop)
    }

    /// Says why steps ended, and where.
    fn stopped(&self, stop: &Stop) -> String {
        let why = match stop {
            Stop::Done => String::new(),
            Stop::Breakpoint(place) => format!("breakpoint {place}\n"),
            Stop::Fault(description) => format!("fault: {description}\n"),
            Stop::End => "no step follows: what the chip would do is not defined\n".to_owned(),
            Stop::Interrupted => "interrupted\n".to_owned(),
        };
        why + &self.place_text()
    }

    fn step(&mut self, count: u64) -> Result<String, String> {
        let (steps, stop) = self.go(count, |_| None);
        let left_out = count.saturating_sub(SHOWN as u64);
        let note = match left_out {
            0 => String::new(),
            _ => format!("({left_out} steps are not shown)\n"),
        };
        Ok(note + &self.text_of(steps) + &self.stopped(&stop))
    }

    fn line(&mut self) -> Result<String, String> {
        let place = |session: &Self| session.firmware.place(session.micro.pc_of(&session.state));
        let (start, depth) = (place(self), self.depth);
        if start.line == 0 {
            return Err("there are no source lines here (compile with -g); use 'step'".to_owned());
        }
        let (_, stop) = self.go(1_000_000, |session| {
            let now = place(session);
            let elsewhere = now.line > 0 && (now.line, &now.file) != (start.line, &start.file);
            (elsewhere && session.depth <= depth)
                .then_some(Stop::Done)
                .or_else(|| session.at_breakpoint())
        });
        Ok(self.stopped(&stop))
    }

    fn run(&mut self, limit: u64) -> Result<String, String> {
        let first = self.steps;
        let (_, stop) = self.go(limit, |session| session.at_breakpoint());
        let count = self.steps - first;
        Ok(format!("{count} steps\n{}", self.stopped(&stop)))
    }

    fn until(&mut self, text: &str) -> Result<String, String> {
        let atom = self.atom(text)?;
        let first = self.steps;
        let mut found = false;
        let (_, stop) = self.go(10_000_000, |session| {
            found = session.value(&atom).is_some_and(|value| value != 0);
            found.then_some(Stop::Done).or_else(|| session.at_breakpoint())
        });
        let count = self.steps - first;
        match (found, stop) {
            (false, Stop::Done) => Err(format!("after {count} steps {text} is still false")),
            (_, stop) => Ok(format!("{count} steps\n{}", self.stopped(&stop))),
        }
    }

    fn back(&mut self, count: u64) -> Result<String, String> {
        for _ in 0..count {
            let Some((state, depth)) = self.before.pop_back() else {
                return Err("there is nothing to go back to".to_owned());
            };
            (self.state, self.depth) = (state, depth);
            self.steps = self.steps.saturating_sub(1);
        }
        Ok(self.place_text())
    }

    // Breakpoints.

    fn at_breakpoint(&mut self) -> Option<Stop> {
        let pc = self.micro.pc_of(&self.state);
        let (_, place) = self.breakpoints.iter().find(|(word, _)| *word == pc)?;
        Some(Stop::Breakpoint(place.clone()))
    }

    fn add_breakpoint(&mut self, place: &str) -> Result<String, String> {
        let words = self.words_at(place)?;
        let names = words.iter().map(|word| self.firmware.code_name(*word));
        let text = format!("breakpoint at {}\n", names.collect::<Vec<_>>().join(", "));
        self.breakpoints
            .extend(words.into_iter().map(|word| (word, place.to_owned())));
        Ok(text)
    }

    /// The word addresses that a user names by function, by line or by byte address.
    fn words_at(&self, place: &str) -> Result<Vec<u32>, String> {
        let firmware = self.firmware;
        if let Some(digits) = place.strip_prefix("0x") {
            let address = u32::from_str_radix(digits, 16).map_err(|_| format!("'{place}' is no address"))?;
            return match firmware.image.flash.is_used(address) {
                true => Ok(vec![address / 2]),
                false => Err(format!("there is no code at {place}")),
            };
        }
        if let Some((file, line)) = place.rsplit_once(':') {
            let line: u32 = line.parse().map_err(|_| format!("'{line}' is no line number"))?;
            return firmware.words_of_line(file, line);
        }
        let symbol = firmware.function_named(place);
        symbol
            .map(|symbol| vec![symbol.address / 2])
            .map_err(|error| format!("{error} (a line is FILE:LINE, an address 0x…)"))
    }

    fn breakpoint_list(&self) -> String {
        let lines = self.breakpoints.iter().enumerate().map(|(index, (word, place))| {
            format!("{}: {place}, {}\n", index + 1, self.firmware.code_name(*word))
        });
        match self.breakpoints.len() {
            0 => "there are no breakpoints\n".to_owned(),
            _ => lines.collect(),
        }
    }

    fn delete_breakpoint(&mut self, number: usize) -> Result<String, String> {
        if !(1..=self.breakpoints.len()).contains(&number) {
            return Err(format!("there is no breakpoint {number}"));
        }
        self.breakpoints.remove(number - 1);
        Ok(String::new())
    }

    // The environment.

    /// All that can happen next, each with what the environment does in it.
    fn choices(&mut self) -> Vec<(String, Taken)> {
        let mut all = Vec::new();
        let state = self.state.clone();
        self.micro.walk_to(&state, |taken| {
            all.push((String::new(), taken.clone()));
            all.len() == 1 << 10
        });
        for (text, taken) in &mut all {
            let said = trace::narrate(&self.micro, self.firmware, &state, taken, self.depth);
            *text = trace::environment(&said);
        }
        all
    }

    fn choices_text(&mut self) -> String {
        let choices = self.choices();
        let lines = choices.iter().enumerate().map(|(index, (text, _))| {
            let text = match text.as_str() {
                "" => "the instruction is executed",
                text => text,
            };
            format!("{}: {text}\n", index + 1)
        });
        match choices.len() {
            0 => "no step follows\n".to_owned(),
            _ => lines.collect(),
        }
    }

    fn choose(&mut self, number: usize) -> Result<String, String> {
        let mut choices = self.choices();
        if !(1..=choices.len()).contains(&number) {
            return Err(format!(
                "there are {} choices; 'choices' lists them",
                choices.len()
            ));
        }
        let (_, taken) = choices.swap_remove(number - 1);
        Ok(self.take(&taken))
    }

    fn let_come(&mut self, name: &str) -> Result<String, String> {
        let index = self.firmware.interrupt_named(name)?;
        let comes = |taken: &Taken| taken.events.contains(&Event::Interrupt(index));
        let taken = self.micro.walk_to(&self.state, comes).ok_or_else(|| {
            format!(
                "{name} cannot come now: it is not enabled, not requested, another one comes first, or \
                SEI or RETI was the last instruction"
            )
        })?;
        Ok(self.take(&taken))
    }

    fn hold(&mut self, name: &str, value: Option<u8>) -> Result<String, String> {
        let register = self.firmware.register_named(name)?;
        let address = register.address;
        if !self.firmware.rules.changes_by_itself(address) {
            return Err(format!("{name} is no input; 'set {name} VALUE' changes it"));
        }
        self.held.retain(|(held, _)| *held != address);
        self.held.extend(value.map(|value| (address, value)));
        self.micro.hold_input(address, value);
        Ok(String::new())
    }

    fn set(&mut self, name: &str, value: i64) -> Result<String, String> {
        let atom = self.atom(name)?;
        let place = atom.place(|cell| self.cell(cell));
        let (address, bytes) =
            place.ok_or_else(|| format!("'{name}' is no variable or register with a place of its own"))?;
        if self.firmware.rules.ports.iter().any(|port| port.pin == address) {
            return Err(format!(
                "{name} is an input; 'input {name} {value}' holds it at a value"
            ));
        }
        let bits = 8 * u32::from(bytes);
        if bits < 64 && !(-(1 << (bits - 1))..1 << bits).contains(&value) {
            return Err(format!("{value} does not fit into {name}, which has {bits} bits"));
        }
        self.remember();
        for (offset, byte) in value.to_le_bytes().iter().take(usize::from(bytes)).enumerate() {
            self.micro
                .poke(&mut self.state, address.wrapping_add(offset as u16), *byte);
        }
        Ok(String::new())
    }

    // What is known.

    pub(super) fn atom(&self, text: &str) -> Result<Atom, String> {
        let text = text
            .strip_prefix('{')
            .and_then(|inner| inner.strip_suffix('}'))
            .unwrap_or(text);
        Atom::parse(text, self.firmware.names(true)).map_err(|error| error.to_string())
    }

    pub(super) fn value(&self, atom: &Atom) -> Option<i64> {
        atom.value(|cell| self.cell(cell))
    }

    /// What an expression reads: a byte, or where the program is.
    fn cell(&self, cell: Cell) -> Bits {
        match u16::try_from(cell) {
            Ok(at) => self.byte(at),
            Err(_) => self.micro.cell_of(&self.state, cell),
        }
    }

    /// A byte as the program would read it: of the pins, what is put out and what the user holds.
    pub(super) fn byte(&self, at: u16) -> Bits {
        let held = self.held.iter().find(|(held, _)| *held == at);
        let input = held.map_or(Bits::input(0, 0xFF, 0), |(_, value)| Bits::known(*value));
        let mut ports = self.firmware.rules.ports.iter().enumerate();
        match ports.find(|(_, port)| port.pin == at) {
            None if held.is_some() => input,
            None => self.micro.byte_of(&self.state, at),
            Some((index, port)) => {
                let direction = self.micro.byte_of(&self.state, port.ddr);
                let output = self.micro.byte_of(&self.state, port.port);
                let pins = direction.and(output).or(direction.not().and(input));
                let driven = self.micro.driven_in(&self.state, index);
                Bits::input(pins.value & !driven, pins.unknown | driven, 0)
            }
        }
    }

    /// Steps as counterexamples show them.
    fn text_of(&self, steps: Vec<Step>) -> String {
        let trace = Trace {
            steps,
            ..Trace::default()
        };
        kripke_report::trace_text(&trace, true, &self.sources, self.style)
    }
}

/// The state at reset. Unknown bits stay unknown, so there is one.
fn at_reset(micro: &mut Micro) -> Box<[u8]> {
    let mut state = Vec::new();
    micro.initial_states(&mut |initial| {
        state.clear();
        state.extend_from_slice(initial);
    });
    state.into()
}
