//! Where control goes in machine code, and where the stack pointer is when it gets there: an abstract
//! interpretation.
//!
//! Idea: every function is interpreted once for all its calls. Jumps are followed wherever they lead, so a
//! function that is jumped to at the end of another one is part of that one's activation, as are the shared
//! prologues of `-mcall-prologues`; calls take the callee's summary (which registers it keeps, whether it
//! enables interrupts). What is known of registers (`value`) resolves computed jumps and calls. For the rest,
//! [`taken`] says which addresses the image holds.
//!
//! Invariants: at the end, every instruction that the chip can reach from reset or a handler is in some
//! activation, with every height the stack pointer can have there, or an [`Issue`] says where and why that is
//! not known. It rests on: stores through pointers change neither registers, saved or not, nor return
//! addresses, and the assumptions of [`taken`].
//!
//! That a function which was called with zero in r1 leaves it there is assumed where it is not seen
//! ([`Flow::trusted`]): in the C library, r1 becomes zero again by shifts.
//!
//! Constants at a function's entry are those on which all calls agree: they are assumed, and when a call
//! turns out not to agree the analysis begins anew without. So what is known at the end was assumed by all
//! calls.
//!
//! Source: the analysis of stack heights by abstract interpretation of machine code follows Regehr, Reid and
//! Webb, "Eliminating Stack Overflow by Abstract Interpretation" (TECS 2005), of which the level of
//! interrupts is taken too; relations between halves of numbers are ours.

mod gather;
mod state;
pub(crate) mod taken;
mod transfer;
pub(crate) mod value;

use std::collections::btree_map::Entry::Vacant;
use std::collections::{BTreeMap, BTreeSet};

use crate::chip::is_missing;
use crate::core::address;
use crate::device::Device;
use crate::image::{Image, Space, SymbolKind};
use crate::instruction::{Instruction, Operation, decode_all};
use state::{CELLS, State};
use taken::{Searched, Taken};
pub use transfer::EdgeKind;
use transfer::{Code, Destination, Outcome, constant_extension, step};
use value::Byte;
pub use value::Level;

/// Where the stack pointer is.
pub use state::Height;

/// More heights than this at one instruction mean that a loop pushes more than it pops.
const MOST_HEIGHTS: usize = 64;

/// The register that holds 0 between functions, by avr-gcc's calling convention.
const ZERO: usize = 1;

/// What is not known, or wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IssueKind {
    /// The stack pointer gets a value that is not known.
    UnknownStackPointer,
    /// The stack pointer has different heights each time.
    GrowingStack,
    /// A return takes what is not the return address.
    StrayReturn,
    /// A jump or a call whose target is not known.
    UnresolvedTarget,
    /// The word is no instruction.
    Undefined,
    /// Control leaves the program.
    OutsideProgram,
    /// The stack pointer is written in two steps while an interrupt can come between them.
    TornStackPointer,
}

/// What is not known at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// Word address.
    pub at: u32,
    /// What.
    pub kind: IssueKind,
}

/// How the targets of a call or jump are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resolution {
    /// They stand in the instruction.
    Direct,
    /// The address is a constant.
    Constant,
    /// They are the entries of a table in flash, at this byte address.
    Table(u32),
    /// The user says so.
    Given,
    /// They are all functions whose address the image holds.
    AddressTaken,
    /// They are not known.
    Unresolved,
}

/// A call in an activation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Word address.
    pub at: u32,
    /// Where the stack pointer is before the return address is pushed.
    pub height: Height,
    /// Whether interrupts can come when the callee is entered.
    pub level: Level,
    /// Entries of the functions called, ascending.
    pub targets: Vec<u32>,
}

/// A place in an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Word address.
    pub at: u32,
    /// Where the stack pointer is.
    pub height: Height,
    /// Whether an interrupt can come.
    pub level: Level,
    /// Whether one could come if enabling interrupts took effect at once.
    pub pending: Level,
}

/// What a load or a store through a pointer may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// A byte of the function's stack.
    Stack {
        /// Relative to the stack pointer at entry.
        place: i16,
        /// Relative to the stack pointer now.
        offset: i16,
    },
    /// Data addresses from the first to the last.
    Data(u16, u16),
    /// Not known.
    Anywhere,
}

/// Why control begins somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// The reset vector.
    Reset,
    /// The vector of an interrupt, by its index among the device's vectors.
    Interrupt(usize),
    /// A call.
    Call,
}

/// A function, with all that it jumps to.
#[derive(Debug, Clone)]
pub struct Activation {
    /// Word address.
    pub entry: u32,
    /// Why control begins there.
    pub start: Start,
    /// Every place, in ascending order.
    pub points: Vec<Point>,
    /// Every call.
    pub calls: Vec<Call>,
    /// What is not known.
    pub issues: BTreeSet<Issue>,
    /// Whether it can return.
    pub returns: bool,
}

/// A computed jump or call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indirect {
    /// Word addresses of the targets, ascending.
    pub targets: BTreeSet<u32>,
    /// How they are known.
    pub resolution: Resolution,
    /// Byte addresses of the tables in flash that they are in.
    pub tables: BTreeSet<u32>,
}

/// Where control goes.
#[derive(Debug, Clone)]
pub struct Flow {
    /// Activations by entry.
    pub activations: BTreeMap<u32, Activation>,
    /// From, to, and how.
    pub edges: BTreeSet<(u32, u32, EdgeKind)>,
    /// Computed jumps and calls by word address.
    pub indirect: BTreeMap<u32, Indirect>,
    /// The level of interrupts at jumps to the reset vector.
    pub restarted: Option<Level>,
    /// Where the program changes its own flash.
    pub self_programming: Vec<u32>,
    /// Every word of flash, decoded.
    pub program: Vec<Instruction>,
    /// What loads and stores through pointers may reach.
    pub reaches: BTreeMap<u32, BTreeSet<Reach>>,
    /// What registers hold before an instruction, where that is one value however control gets there.
    pub values: BTreeMap<u32, [Option<u8>; 32]>,
    /// Bytes of a return address.
    pub address_bytes: u8,
    /// Interrupts that have a handler, by index among the device's vectors.
    pub handlers: Vec<(usize, u32)>,
    /// Handlers that change registers: entry, and registers as bits.
    pub careless_handlers: Vec<(u32, u64)>,
    /// Functions that are taken to leave zero in r1, by entry.
    pub trusted: BTreeSet<u32>,
}

/// What a function leaves behind.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exit {
    cells: [Byte; CELLS],
    level: Level,
}

#[derive(Debug, Default)]
struct Work {
    states: BTreeMap<(u32, Height), State>,
    exit: Option<Exit>,
    callers: BTreeSet<(u32, u32, Height)>,
    /// Byte addresses of the function symbols it reaches.
    symbols: BTreeSet<u32>,
    /// Computed jumps that depend on `symbols`.
    waiting: BTreeSet<(u32, Height)>,
    growing: BTreeSet<u32>,
}

/// What the user vouches for.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Interrupts that never come, by index among the device's vectors.
    pub never: BTreeSet<usize>,
    /// Where the pointers to functions that a function calls lead, by its entry; for those of which nothing
    /// else is known.
    pub pointers: BTreeMap<u32, BTreeSet<u32>>,
}

/// Follows control through an image.
#[must_use]
pub fn analyse(image: &Image, device: &Device, given: &Given) -> Flow {
    let program = decode_all(image.flash.bytes());
    let handlers: Vec<(usize, u32)> = device
        .vectors
        .iter()
        .enumerate()
        .map(|(index, vector)| (index, device.vector_word(vector.number)))
        .filter(|(_, word)| image.flash.is_used(word * 2) && !is_missing(&program, *word, 0))
        .filter(|(index, _)| !given.never.contains(index))
        .filter(|(_, word)| !restarts(&program, *word, device.flash.size / 2))
        .collect();
    let mut analysis = Analysis {
        code: Code {
            image,
            program: &program,
            flash_words: device.flash.size / 2,
            address_bytes: device.pc_bytes,
            has_upper_stack: device.register_at(address::SPH).is_some(),
            extension: constant_extension(&program),
        },
        device,
        pointers: &given.pointers,
        handlers: &handlers,
        contexts: BTreeMap::new(),
        context_changed: false,
        taken: None,
        lacks_taken: false,
        volatile: 0,
        careless: Vec::new(),
        restarted: None,
        functions: functions_of_words(image, program.len()),
        work: BTreeMap::new(),
        queue: BTreeSet::new(),
    };
    analysis.run();
    let (activations, found) = analysis.results();
    let (careless_handlers, restarted) = (analysis.careless, analysis.restarted);
    Flow {
        activations,
        edges: found.edges,
        indirect: found.indirect,
        restarted,
        self_programming: found.self_programming,
        reaches: found.reaches,
        values: found.values,
        address_bytes: device.pc_bytes,
        trusted: found.trusted,
        careless_handlers,
        handlers,
        program,
    }
}

struct Analysis<'a> {
    code: Code<'a>,
    device: &'a Device,
    /// Where pointers lead, by the entry of the function that calls them.
    pointers: &'a BTreeMap<u32, BTreeSet<u32>>,
    handlers: &'a [(usize, u32)],
    /// What all calls of a function agree on.
    contexts: BTreeMap<u32, [Byte; CELLS]>,
    context_changed: bool,
    taken: Option<Taken>,
    lacks_taken: bool,
    /// Cells that handlers change, as bits.
    volatile: u64,
    /// Which handler changes which.
    careless: Vec<(u32, u64)>,
    /// The level of interrupts at jumps to the reset vector.
    restarted: Option<Level>,
    /// Byte address of the function symbol around each word.
    functions: Vec<Option<u32>>,
    work: BTreeMap<u32, Work>,
    queue: BTreeSet<(u32, u32, Height)>,
}

/// The first function symbol around each word.
fn functions_of_words(image: &Image, words: usize) -> Vec<Option<u32>> {
    let mut functions = vec![None; words];
    let symbols = image
        .symbols
        .iter()
        .filter(|symbol| symbol.space == Space::Flash && symbol.kind == SymbolKind::Function);
    for symbol in symbols {
        let start = (symbol.address / 2) as usize;
        let end = (symbol.address.saturating_add(symbol.size.max(1)).div_ceil(2)) as usize;
        for word in functions.get_mut(start..end.min(words)).unwrap_or_default() {
            word.get_or_insert(symbol.address);
        }
    }
    functions
}

/// Whether a vector leads to a jump to the reset vector, as it does where an interrupt has no handler.
fn restarts(program: &[Instruction], word: u32, flash_words: u32) -> bool {
    let second = vector_target(program, word, flash_words);
    second.is_some_and(|second| vector_target(program, second, flash_words) == Some(0))
}

/// Where a vector jumps to.
fn vector_target(program: &[Instruction], word: u32, flash_words: u32) -> Option<u32> {
    let instruction = program.get(word as usize)?;
    match instruction.operation {
        Operation::Jmp => Some(instruction.k as u32),
        Operation::Rjmp => Some(instruction.target(word, flash_words)),
        _ => None,
    }
}

fn open_context() -> [Byte; CELLS] {
    std::array::from_fn(|cell| Byte::Entry(cell as u8))
}

/// What follows a call or a jump whose target is not known: registers as functions leave them.
fn after_unknown(state: &State) -> State {
    let mut after = state.clone();
    for register in (18..28).chain([0, 30, 31]) {
        after.set(register, Byte::Any);
    }
    after.carry = value::Carry::Unknown;
    (after.level, after.pending) = (Level::Set, Level::Set);
    after.forget_variables();
    after
}

impl Analysis<'_> {
    fn run(&mut self) {
        loop {
            self.work.clear();
            self.queue.clear();
            (self.context_changed, self.lacks_taken) = (false, false);
            self.begin();
            while let Some((entry, at, height)) = self.queue.pop_first() {
                self.visit(entry, at, height);
            }
            if self.context_changed {
                continue;
            }
            if self.lacks_taken && self.taken.is_none() {
                let reached = self.reached();
                let handlers: BTreeSet<u32> = self
                    .handlers
                    .iter()
                    .filter_map(|(_, word)| vector_target(self.code.program, *word, self.code.flash_words))
                    .collect();
                let image = Searched {
                    image: self.code.image,
                    program: self.code.program,
                    reached: &reached,
                    start_up: &self.start_up(),
                };
                self.taken = Some(Taken::new(&image, &handlers));
                continue;
            }
            let careless = self.careless();
            if careless.is_empty() {
                return;
            }
            for (handler, cells) in careless {
                self.volatile |= cells;
                self.careless.push((handler, cells));
            }
        }
    }

    /// Reset and every handler.
    fn begin(&mut self) {
        let mut reset = State::entry(&open_context(), self.code.address_bytes);
        let at_reset = |address: u16| {
            let register = self.device.register_at(address);
            Byte::Constant(register.map_or(0, |register| register.reset))
        };
        reset.pointer = [at_reset(address::SPL), at_reset(address::SPH)];
        reset.slots.clear();
        let level = self.restarted.unwrap_or(Level::Clear);
        (reset.level, reset.pending) = (level, level);
        self.work.entry(0).or_default();
        self.arrive(0, 0, reset);
        for (_, word) in self.handlers {
            self.enter(*word, &open_context());
        }
    }

    /// Handlers that do not keep registers, and which, beside those known already.
    fn careless(&self) -> Vec<(u32, u64)> {
        let mut found = Vec::new();
        for (_, word) in self.handlers {
            let Some(exit) = self.work.get(word).and_then(|work| work.exit.as_ref()) else {
                continue;
            };
            let changed = (0..CELLS as u8)
                .filter(|cell| self.volatile >> cell & 1 == 0)
                .filter(|cell| exit.cells[usize::from(*cell)] != Byte::Entry(*cell))
                .fold(0, |all, cell| all | 1 << cell);
            if changed != 0 {
                found.push((*word, changed));
            }
        }
        found
    }

    /// Whether a function is seen to leave zero in r1 if it is called so.
    fn keeps_zero(&self, entry: u32) -> bool {
        let exit = self.work.get(&entry).and_then(|work| work.exit.as_ref());
        exit.is_none_or(|exit| matches!(exit.cells[ZERO], Byte::Constant(0) | Byte::Entry(1)))
    }

    /// Start-up code: what runs between reset and main, outside functions.
    fn start_up(&self) -> BTreeSet<u32> {
        let states = self.work.get(&0).into_iter().flat_map(|work| work.states.keys());
        let places = states.map(|(at, _)| *at);
        places
            .filter(|at| self.functions.get(*at as usize).copied().flatten().is_none())
            .collect()
    }

    fn reached(&self) -> BTreeSet<u32> {
        let visited = self.work.values().flat_map(|work| work.states.keys());
        visited
            .flat_map(|(at, _)| {
                let words = self.code.program.get(*at as usize).map_or(1, |next| next.words);
                *at..*at + u32::from(words)
            })
            .collect()
    }

    /// Makes sure that a function is analysed, for callers with these registers.
    fn enter(&mut self, entry: u32, cells: &[Byte; CELLS]) {
        let constant = |cell: usize| match cells[cell] {
            known @ Byte::Constant(_) if self.volatile >> cell & 1 == 0 => known,
            _ => Byte::Entry(cell as u8),
        };
        let given: [Byte; CELLS] = std::array::from_fn(constant);
        let context = self.contexts.entry(entry).or_insert(given);
        for (cell, known) in context.iter_mut().enumerate() {
            let open = Byte::Entry(cell as u8);
            if *known != given[cell] && *known != open {
                *known = open;
                self.context_changed = true;
            }
        }
        let context = *context;
        if let Vacant(work) = self.work.entry(entry) {
            work.insert(Work::default());
            let mut state = State::entry(&context, self.code.address_bytes);
            if self.handlers.iter().any(|(_, word)| *word == entry) {
                (state.level, state.pending) = (Level::Clear, Level::Clear);
            }
            self.propagate(entry, entry, state);
        }
    }

    /// Control goes on to an instruction. A jump to the reset vector begins anew: what was known is void,
    /// except that interrupts may be enabled.
    fn propagate(&mut self, entry: u32, at: u32, state: State) {
        if at == 0 {
            let level = if state.pending == Level::Clear {
                Level::Clear
            } else {
                Level::Set
            };
            if self.restarted < Some(level) {
                self.restarted = Some(level);
                self.context_changed = true;
            }
        } else if self.code.has(at) {
            self.arrive(entry, at, state);
        }
    }

    fn arrive(&mut self, entry: u32, at: u32, mut state: State) {
        let changed = |cell: &usize| self.volatile >> cell & 1 == 1 && state.level > Level::Clear;
        for cell in (0..CELLS).filter(changed).collect::<Vec<_>>() {
            state.cells[cell] = Byte::Any;
            state.carry = value::Carry::Unknown;
        }
        let function = self.functions.get(at as usize).copied().flatten();
        let Some(work) = self.work.get_mut(&entry) else {
            return;
        };
        if let Some(function) = function
            && work.symbols.insert(function)
        {
            let waiting = work.waiting.iter();
            self.queue
                .extend(waiting.map(|(at, height)| (entry, *at, *height)));
        }
        let key = (at, state.height());
        match work.states.get_mut(&key) {
            Some(known) => {
                if !known.join(&state) {
                    return;
                }
                // What was forgotten may be about the stack pointer.
                let height = known.height();
                if height != key.1 {
                    let known = known.clone();
                    work.states.remove(&key);
                    return self.arrive(entry, at, known);
                }
            }
            None => {
                let first = Height::Entry(i16::MIN);
                let heights = work.states.range((at, first)..=(at, Height::Unknown)).count();
                if heights >= MOST_HEIGHTS {
                    work.growing.insert(at);
                    return;
                }
                work.states.insert(key, state);
            }
        }
        self.queue.insert((entry, at, key.1));
    }

    fn visit(&mut self, entry: u32, at: u32, height: Height) {
        let state = self
            .work
            .get(&entry)
            .and_then(|work| work.states.get(&(at, height)));
        let Some(state) = state.cloned() else { return };
        match step(&self.code, at, &state) {
            Outcome::Flow(ways) => {
                for (to, _, state) in ways {
                    self.propagate(entry, to, state);
                }
            }
            Outcome::Jump(destination, state) => match self.jump_targets(entry, at, height, &destination) {
                Some((targets, _)) => {
                    for target in targets {
                        self.propagate(entry, target, state.clone());
                    }
                }
                None if self.taken.is_some() => self.leave(entry, after_unknown(&state)),
                None => {}
            },
            Outcome::Call(destination, state) => self.call(entry, (at, height), &destination, &state),
            Outcome::Return(state) => self.leave(entry, state),
            Outcome::SavedReturn(state) => {
                let mut after = after_unknown(&state);
                (after.level, after.pending) =
                    (state.level.max(Level::Entry), state.pending.max(Level::Entry));
                self.leave(entry, after);
            }
            Outcome::StrayReturn | Outcome::NoStack | Outcome::Undefined => {}
        }
    }

    fn call(&mut self, entry: u32, site: (u32, Height), destination: &Destination, state: &State) {
        let (at, height) = site;
        let words = u32::from(self.code.program[at as usize].words);
        let back = (at + words) % self.code.flash_words.max(1);
        let Some((targets, _)) = self.call_targets(at, destination) else {
            if self.taken.is_some() {
                self.propagate(entry, back, after_unknown(state));
            }
            return;
        };
        for target in targets {
            if target == 0 {
                self.propagate(entry, 0, state.clone());
            }
            if target == 0 || !self.code.has(target) {
                continue;
            }
            self.enter(target, &state.cells);
            let Some(callee) = self.work.get_mut(&target) else {
                continue;
            };
            callee.callers.insert((entry, at, height));
            if let Some(exit) = &callee.exit {
                let after = after_call(state, exit);
                self.propagate(entry, back, after);
            }
        }
    }

    /// A function returns.
    fn leave(&mut self, entry: u32, state: State) {
        let Some(work) = self.work.get_mut(&entry) else {
            return;
        };
        let exit = Exit {
            cells: state.cells,
            level: state.pending,
        };
        let joined = match &work.exit {
            None => exit,
            Some(known) => Exit {
                cells: std::array::from_fn(|cell| known.cells[cell].join(exit.cells[cell])),
                level: known.level.max(exit.level),
            },
        };
        if work.exit.as_ref() != Some(&joined) {
            work.exit = Some(joined);
            self.queue.extend(work.callers.iter().copied());
        }
    }

    /// What the user says of a pointer that is called here.
    fn given_targets(&self, at: u32) -> Option<(Vec<u32>, Resolution)> {
        let function = self.functions.get(at as usize).copied().flatten()?;
        let targets = self.pointers.get(&(function / 2))?;
        Some((targets.iter().copied().collect(), Resolution::Given))
    }

    fn call_targets(&mut self, at: u32, destination: &Destination) -> Option<(Vec<u32>, Resolution)> {
        if let Some(known) = known_targets(destination).or_else(|| self.given_targets(at)) {
            return Some(known);
        }
        let Some(taken) = &self.taken else {
            self.lacks_taken = true;
            return None;
        };
        let functions = taken.functions();
        (!functions.is_empty()).then(|| (functions.iter().copied().collect(), Resolution::AddressTaken))
    }

    fn jump_targets(
        &mut self,
        entry: u32,
        at: u32,
        height: Height,
        destination: &Destination,
    ) -> Option<(Vec<u32>, Resolution)> {
        if let Some(known) = known_targets(destination) {
            return Some(known);
        }
        let given = self.given_targets(at);
        let work = self.work.get_mut(&entry)?;
        work.waiting.insert((at, height));
        let Some(taken) = &self.taken else {
            self.lacks_taken = true;
            return None;
        };
        // A function that is jumped to finds the return address on top of the stack.
        let mut targets: BTreeSet<u32> = taken.labels_within(&work.symbols).collect();
        if height == Height::Entry(0) || targets.is_empty() && height != Height::Unknown {
            match &given {
                Some((given, _)) => targets.extend(given),
                None => targets.extend(taken.functions()),
            }
        }
        let resolution = given.map_or(Resolution::AddressTaken, |(_, how)| how);
        (!targets.is_empty()).then(|| (targets.into_iter().collect(), resolution))
    }
}

fn known_targets(destination: &Destination) -> Option<(Vec<u32>, Resolution)> {
    match destination {
        Destination::Known(targets, None) => Some((targets.clone(), Resolution::Constant)),
        Destination::Known(targets, Some(table)) => Some((targets.clone(), Resolution::Table(*table))),
        Destination::Unknown => None,
    }
}

/// What is known behind a call.
fn after_call(before: &State, exit: &Exit) -> State {
    let mut after = before.clone();
    for cell in 0..CELLS {
        after.cells[cell] = match exit.cells[cell] {
            // r0 makes room for variables, which may have changed when it is popped.
            Byte::Entry(own) if usize::from(own) == cell && cell != 0 => before.cells[cell],
            known @ Byte::Constant(_) => known,
            _ if cell == ZERO && before.cells[cell] == Byte::Constant(0) => Byte::Constant(0),
            _ => Byte::Any,
        };
    }
    after.carry = value::Carry::Unknown;
    let level = match exit.level {
        Level::Entry => before.pending,
        other => other,
    };
    (after.level, after.pending) = (level, level);
    after.forget_variables();
    after
}
