//! What a function uses of the registers that it finds when it is entered, and which of them it changes.
//!
//! Idea: forward through each function, every register and every byte that it has pushed carries a set of
//! origins: registers at entry of which it may be a copy, or something new. An instruction that does more
//! than copy uses the origins of its operands. A register that is saved and restored so is not used: its
//! origin comes back to where it was, and whether it matters is decided by those who go on after the return.
//! This is what makes handlers of interrupts transparent.
//!
//! Invariant: a run of the function whose registers at entry differ only in those that are not used differs,
//! when it returns, in no memory but bytes that were pushed and popped, and in no registers but those whose
//! origins then name one that differed.
//!
//! It rests on what [`super::Liveness`] says that it rests on.

use std::collections::{BTreeMap, BTreeSet};

use super::bits::{FLAGS, Use, use_of};
use super::given::Given;
use crate::cfg::Cfg;
use crate::core::address;
use crate::flow::{Activation, EdgeKind, Height, Level, Point, Reach, Start};
use crate::instruction::{Instruction, Operation as Op};

/// A set of origins: registers at entry by number, then these two.
type Origins = u64;
/// A copy of the status register as it was at entry.
const STATUS: Origins = 1 << 32;
/// Something that the function, or another one, has made.
const NEW: Origins = 1 << 33;

/// What a function does with registers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Summary {
    /// Registers whose value at entry it may use.
    pub registers: u32,
    /// Flags whose value at entry it may use.
    pub flags: u8,
    /// Whether it may read bytes of its caller's stack.
    pub reads_stack: bool,
    /// What it leaves behind, if it returns.
    pub exit: Option<Exit>,
}

/// What a function leaves behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exit {
    cells: [Origins; 32],
    flags: Flags,
}

impl Exit {
    /// Registers that it has overwritten on every path.
    pub fn overwritten(&self) -> u32 {
        self.select(|number, cell| cell & 1 << number == 0)
    }

    /// Registers that may have changed.
    pub fn changed(&self) -> u32 {
        self.select(|number, cell| cell != 1 << number)
    }

    fn select(&self, is: impl Fn(usize, Origins) -> bool) -> u32 {
        let cells = self.cells.iter().enumerate();
        cells.fold(0, |all, (number, cell)| {
            all | u32::from(is(number, *cell)) << number
        })
    }

    /// Flags that it has overwritten on every path.
    pub fn overwritten_flags(&self) -> u8 {
        FLAGS & !self.flags.old
    }

    /// Flags that may have changed.
    pub fn changed_flags(&self) -> u8 {
        self.flags.new
    }
}

/// Where the flags come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flags {
    /// Those that may be as they were at entry.
    old: u8,
    /// Those that may be new.
    new: u8,
}

/// Where everything comes from, between two instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marks {
    cells: [Origins; 32],
    flags: Flags,
    /// Bytes pushed, by their place.
    slots: BTreeMap<i16, Origins>,
}

impl Marks {
    fn entry() -> Self {
        Self {
            cells: std::array::from_fn(|number| 1 << number),
            flags: Flags { old: FLAGS, new: 0 },
            slots: BTreeMap::new(),
        }
    }

    /// Adds what another path brings; whether something was added.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            *cell |= more;
        }
        self.flags.old |= other.flags.old;
        self.flags.new |= other.flags.new;
        for (place, more) in &other.slots {
            *self.slots.entry(*place).or_default() |= more;
        }
        *self != before
    }

    fn of(&self, registers: u32) -> Origins {
        let numbers = (0..32).filter(|number| registers >> number & 1 == 1);
        numbers.fold(0, |all, number| all | self.cells[number])
    }

    fn all_slots(&self) -> Origins {
        self.slots.values().fold(0, |all, slot| all | slot)
    }
}

/// What the instructions that copy to the stack or from the status register depend on.
#[derive(Debug, Clone, Default)]
pub(super) struct Copies {
    /// Activations in which a push saves the register for the return, by the push.
    pub saving: BTreeMap<u32, BTreeSet<u32>>,
    /// The same of copies of the status register, and of pushes of such a copy.
    pub saving_status: BTreeMap<u32, BTreeSet<u32>>,
    /// Pushes and copies that are more than that.
    pub plain: BTreeSet<u32>,
}

/// The functions of a program.
pub(super) struct Functions<'a> {
    cfg: &'a Cfg,
    given: &'a Given,
    uses: BTreeMap<u32, Use>,
    /// By entry.
    pub summaries: BTreeMap<u32, Summary>,
    /// Functions that may be entered while interrupts are enabled.
    pub entered: BTreeSet<u32>,
    /// What any handler does at a place where it can come.
    pub handlers: Summary,
    /// Registers and flags that handlers may change.
    changed: (u32, u8),
    /// Functions in which the stack pointer may be another than the graph says, so that nobody knows what a
    /// POP takes.
    distrusted: BTreeSet<u32>,
}

impl<'a> Functions<'a> {
    pub fn new(cfg: &'a Cfg, given: &'a Given) -> Self {
        let uses = cfg
            .nodes
            .iter()
            .map(|(at, node)| (*at, use_of(&node.instruction)))
            .collect();
        let mut functions = Self {
            cfg,
            given,
            uses,
            summaries: BTreeMap::new(),
            entered: entered(cfg),
            handlers: Summary::default(),
            changed: (0, 0),
            distrusted: distrusted(cfg, given),
        };
        functions.run();
        functions
    }

    fn run(&mut self) {
        let entries: Vec<u32> = callees_first(self.cfg);
        loop {
            let before = (self.summaries.clone(), self.handlers.clone());
            for entry in &entries {
                let (summary, _) = self.analyse(&self.cfg.flow.activations[entry]);
                self.summaries.insert(*entry, summary);
            }
            self.gather_handlers();
            if (&self.summaries, &self.handlers) == (&before.0, &before.1) {
                return;
            }
        }
    }

    fn gather_handlers(&mut self) {
        for (_, word) in &self.cfg.flow.handlers {
            let Some(summary) = self.summaries.get(word) else {
                continue;
            };
            self.handlers.registers |= summary.registers;
            self.handlers.flags |= summary.flags;
            self.handlers.reads_stack |= summary.reads_stack;
            if let Some(exit) = &summary.exit {
                self.changed.0 |= exit.changed();
                self.changed.1 |= exit.changed_flags();
            }
        }
    }

    /// Whether an interrupt may come before the instruction.
    pub fn is_interruptible(&self, activation: &Activation, point: &Point) -> bool {
        Self::may_interrupt(&self.entered, activation, point)
    }

    /// The same, with the functions that may be entered while interrupts are enabled.
    pub fn may_interrupt(entered: &BTreeSet<u32>, activation: &Activation, point: &Point) -> bool {
        match point.pending {
            Level::Clear => false,
            Level::Entry => entered.contains(&activation.entry),
            Level::Set => true,
        }
    }

    /// What the copies of the whole program are for.
    pub fn copies(&self) -> Copies {
        let mut copies = Copies::default();
        for activation in self.cfg.flow.activations.values() {
            let (summary, marks) = self.analyse(activation);
            for (point, marks) in activation.points.iter().zip(&marks) {
                let Some(marks) = marks else { continue };
                let instruction = self.cfg.nodes[&point.at].instruction;
                match self.purpose(activation, &instruction, marks, &summary) {
                    Purpose::Other => {}
                    Purpose::Plain => drop(copies.plain.insert(point.at)),
                    Purpose::Saving => {
                        let saving = copies.saving.entry(point.at).or_default();
                        saving.insert(activation.entry);
                    }
                    Purpose::SavingStatus => {
                        let saving = copies.saving_status.entry(point.at).or_default();
                        saving.insert(activation.entry);
                    }
                }
            }
        }
        copies
    }

    fn purpose(
        &self,
        activation: &Activation,
        instruction: &Instruction,
        marks: &Marks,
        summary: &Summary,
    ) -> Purpose {
        let d = instruction.d;
        match instruction.operation {
            Op::Push => {
                let is_used = summary.registers >> d & 1 == 1;
                match marks.cells[usize::from(d)] {
                    _ if self.distrusted.contains(&activation.entry) => Purpose::Plain,
                    STATUS if summary.flags == 0 => Purpose::SavingStatus,
                    own if own == 1 << d && !is_used => Purpose::Saving,
                    _ => Purpose::Plain,
                }
            }
            Op::In if instruction.k == i32::from(address::SREG) => {
                if marks.flags.new == 0 && summary.flags == 0 {
                    Purpose::SavingStatus
                } else {
                    Purpose::Plain
                }
            }
            _ => Purpose::Other,
        }
    }

    /// A function, as far as the others are known.
    fn analyse(&self, activation: &Activation) -> (Summary, Vec<Option<Marks>>) {
        let mut walk = Walk {
            functions: self,
            activation,
            marks: vec![None; activation.points.len()],
            open: BTreeSet::new(),
            summary: Summary::default(),
            marked: Marks::entry(),
        };
        walk.run();
        (walk.summary, walk.marks)
    }
}

enum Purpose {
    Saving,
    SavingStatus,
    Plain,
    Other,
}

/// All activations, callees before their callers where that is possible.
pub(super) fn callees_first(cfg: &Cfg) -> Vec<u32> {
    let activations = &cfg.flow.activations;
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for root in activations.keys() {
        let mut path = vec![(*root, false)];
        while let Some((entry, is_done)) = path.pop() {
            if is_done {
                order.push(entry);
            } else if let Some(activation) = activations.get(&entry)
                && seen.insert(entry)
            {
                path.push((entry, true));
                let callees = activation.calls.iter().flat_map(|call| &call.targets);
                path.extend(callees.map(|callee| (*callee, false)));
            }
        }
    }
    order
}

/// Functions that may be entered while interrupts are enabled.
pub(super) fn entered(cfg: &Cfg) -> BTreeSet<u32> {
    let mut entered = BTreeSet::new();
    loop {
        let before = entered.len();
        for activation in cfg.flow.activations.values() {
            for call in &activation.calls {
                let enabled = match call.level {
                    Level::Clear => false,
                    Level::Entry => entered.contains(&activation.entry),
                    Level::Set => true,
                };
                if enabled {
                    entered.extend(&call.targets);
                }
            }
        }
        if entered.len() == before {
            return entered;
        }
    }
}

/// Functions in which the stack pointer may be another than the graph says: where a store through a pointer
/// may have changed a saved register, those that set the stack pointer from one, and those that call them.
fn distrusted(cfg: &Cfg, given: &Given) -> BTreeSet<u32> {
    let activations = &cfg.flow.activations;
    let all = || activations.keys().copied().collect();
    if given.observes_stack {
        return all();
    }
    if given.stores.is_empty() {
        return BTreeSet::new();
    }
    let moves_stack = |activation: &Activation| {
        let mut points = activation.points.iter();
        points.any(|point| writes_stack_pointer(&cfg.nodes[&point.at].instruction))
    };
    let called = activations
        .values()
        .filter(|activation| activation.start != Start::Reset);
    let mut found: BTreeSet<u32> = called
        .filter(|activation| moves_stack(activation))
        .map(|activation| activation.entry)
        .collect();
    loop {
        let calls = |activation: &Activation| {
            let mut targets = activation.calls.iter().flat_map(|call| &call.targets);
            targets.any(|target| found.contains(target))
        };
        let callers: Vec<u32> = activations
            .values()
            .filter(|activation| calls(activation) && !found.contains(&activation.entry))
            .map(|activation| activation.entry)
            .collect();
        if callers.is_empty() {
            break;
        }
        found.extend(callers);
    }
    // A handler that leaves the stack pointer elsewhere concerns what it interrupts.
    if cfg.flow.handlers.iter().any(|(_, word)| found.contains(word)) {
        return all();
    }
    found
}

fn writes_stack_pointer(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Op::Out | Op::Sts)
        && [address::SPL, address::SPH].contains(&(instruction.k as u16))
}

/// Through one function.
struct Walk<'a> {
    functions: &'a Functions<'a>,
    activation: &'a Activation,
    /// Before each point.
    marks: Vec<Option<Marks>>,
    open: BTreeSet<usize>,
    summary: Summary,
    /// Behind the instruction under way.
    marked: Marks,
}

impl Walk<'_> {
    fn run(&mut self) {
        let at = self.activation.entry;
        self.marked = Marks::entry();
        for point in self.points_at(at) {
            if matches!(
                self.activation.points[point].height,
                Height::Entry(0) | Height::Absolute(_)
            ) {
                self.arrive(point);
            }
        }
        while let Some(point) = self.open.pop_first() {
            self.step(point);
        }
    }

    fn points_at(&self, at: u32) -> std::ops::Range<usize> {
        let points = &self.activation.points;
        let first = points.partition_point(|point| point.at < at);
        let last = points.partition_point(|point| point.at <= at);
        first..last
    }

    /// Control goes on to a point.
    fn arrive(&mut self, point: usize) {
        let is_new = match &mut self.marks[point] {
            Some(known) => known.join(&self.marked),
            none => {
                *none = Some(self.marked.clone());
                true
            }
        };
        if is_new {
            self.open.insert(point);
        }
    }

    /// Control goes on to an instruction, with the stack pointer so much higher, or anywhere.
    fn propagate(&mut self, to: u32, height: Option<Height>) {
        let points = self.points_at(to);
        let exact = points
            .clone()
            .find(|point| Some(self.activation.points[*point].height) == height);
        match exact {
            Some(point) => self.arrive(point),
            None => points.for_each(|point| self.arrive(point)),
        }
    }

    fn use_origins(&mut self, origins: Origins) {
        self.summary.registers |= origins as u32;
        if origins & STATUS != 0 {
            self.summary.flags |= FLAGS;
        }
    }

    fn use_registers(&mut self, registers: u32) {
        self.use_origins(self.marked.of(registers));
    }

    fn use_flags(&mut self, flags: u8) {
        self.summary.flags |= self.marked.flags.old & flags;
    }

    fn set(&mut self, register: u8, origins: Origins) {
        self.marked.cells[usize::from(register)] = origins;
        if self.functions.given.registers >> register & 1 == 1 {
            self.use_origins(origins);
        }
    }

    fn set_flags(&mut self, flags: u8) {
        self.marked.flags.old &= !flags;
        self.marked.flags.new |= flags & FLAGS;
    }

    fn step(&mut self, index: usize) {
        let Some(marks) = self.marks[index].clone() else {
            return;
        };
        self.marked = marks;
        let point = self.activation.points[index];
        if self.functions.is_interruptible(self.activation, &point) {
            self.interrupt();
        }
        let node = &self.functions.cfg.nodes[&point.at];
        if let Op::Call | Op::Rcall | Op::Icall = node.instruction.operation
            && !node.calls.is_empty()
        {
            return self.call(&point);
        }
        let change = self.instruction(&point, &node.instruction);
        let height = change.and_then(|change| moved(point.height, change));
        if matches!(node.instruction.operation, Op::Ret | Op::Reti) {
            self.leave();
        }
        for (to, _) in &node.successors {
            self.propagate(*to, height);
        }
    }

    /// What a handler that comes now does.
    fn interrupt(&mut self) {
        let Summary {
            registers,
            flags,
            reads_stack,
            ..
        } = self.functions.handlers;
        self.use_registers(registers);
        self.use_flags(flags);
        if reads_stack {
            self.use_origins(self.marked.all_slots());
        }
        let (registers, flags) = self.functions.changed;
        for register in (0..32).filter(|register| registers >> register & 1 == 1) {
            self.marked.cells[register as usize] |= NEW;
        }
        self.marked.flags.new |= flags;
    }

    fn call(&mut self, point: &Point) {
        let node = &self.functions.cfg.nodes[&point.at];
        if node.instruction.operation == Op::Icall {
            self.use_registers(3 << 30);
        }
        let before = self.marked.clone();
        let mut behind: Option<Marks> = None;
        for callee in &node.calls {
            let Some(summary) = self.functions.summaries.get(callee) else {
                continue;
            };
            self.use_registers(summary.registers);
            self.use_flags(summary.flags);
            if summary.reads_stack {
                self.use_origins(before.all_slots());
                self.summary.reads_stack = true;
            }
            if let Some(exit) = &summary.exit {
                let after = after_call(&before, exit);
                match &mut behind {
                    Some(behind) => drop(behind.join(&after)),
                    None => behind = Some(after),
                }
            }
        }
        let Some(behind) = behind else { return };
        self.marked = behind;
        for (to, kind) in &node.successors {
            if *kind == EdgeKind::Return {
                self.propagate(*to, Some(point.height));
            }
        }
    }

    /// An instruction that calls nothing; how it moves the stack pointer, if that is known.
    fn instruction(&mut self, point: &Point, instruction: &Instruction) -> Option<i16> {
        let Instruction { d, r, .. } = *instruction;
        let size = i16::from(self.functions.cfg.flow.address_bytes);
        let reads_status = instruction.k == i32::from(address::SREG);
        match instruction.operation {
            Op::Mov => self.set(d, self.marked.cells[usize::from(r)]),
            Op::Movw => {
                let pair = [r, r + 1].map(|from| self.marked.cells[usize::from(from)]);
                self.set(d, pair[0]);
                self.set(d + 1, pair[1]);
            }
            Op::Push => {
                self.push(point, self.marked.cells[usize::from(d)]);
                return Some(-1);
            }
            Op::Pop => {
                let origins = self.popped(point, 1);
                self.set(d, origins);
                return Some(1);
            }
            Op::In if reads_status => {
                let is_entry = self.marked.flags.new == 0;
                if !is_entry {
                    self.use_flags(FLAGS);
                }
                self.set(d, if is_entry { STATUS } else { NEW });
            }
            Op::Out if reads_status => {
                let origins = self.marked.cells[usize::from(d)];
                if origins == STATUS {
                    self.marked.flags = Flags { old: FLAGS, new: 0 };
                } else {
                    self.use_origins(origins);
                    self.set_flags(FLAGS);
                }
                self.observe_flags();
            }
            Op::Rcall => {
                for place in 0..size {
                    self.store(point, -place, NEW);
                }
                return Some(-size);
            }
            Op::Ret | Op::Reti => {
                for place in 1..=size {
                    let popped = self.popped(point, place);
                    self.use_origins(popped);
                }
                return Some(size);
            }
            operation => {
                self.compute(point.at, instruction);
                let moves = operation == Op::St || writes_stack_pointer(instruction);
                return (!moves).then_some(0);
            }
        }
        Some(0)
    }

    /// An instruction that does more than copy.
    fn compute(&mut self, at: u32, instruction: &Instruction) {
        let uses = self.functions.uses[&at];
        self.use_registers(uses.reads);
        self.use_flags(uses.reads_flags);
        if instruction.operation == Op::Ld {
            self.load(at);
        }
        for register in (0..32).filter(|register| uses.writes >> register & 1 == 1) {
            self.set(register, NEW);
        }
        self.set_flags(uses.writes_flags);
        self.observe_flags();
    }

    /// Flags that must be right everywhere are used as soon as they come back.
    fn observe_flags(&mut self) {
        self.use_flags(self.functions.given.flags);
    }

    /// A load through a pointer, which may read what was pushed.
    fn load(&mut self, at: u32) {
        let given = self.functions.given;
        for reach in self.functions.cfg.flow.reaches.get(&at).into_iter().flatten() {
            let Reach::Stack { place, .. } = reach else {
                continue;
            };
            let slot = self.marked.slots.get(place).copied().unwrap_or(NEW);
            self.use_origins(slot);
            self.summary.reads_stack |= *place > 0;
        }
        if given.stack_loads.contains(&at) {
            self.use_origins(self.marked.all_slots());
            self.summary.reads_stack = true;
        }
        if given.register_loads.contains(&at) {
            self.use_registers(u32::MAX);
            self.use_flags(FLAGS);
        }
    }

    fn push(&mut self, point: &Point, origins: Origins) {
        if self.functions.distrusted.contains(&self.activation.entry) {
            self.use_origins(origins);
        }
        self.store(point, 0, origins);
    }

    /// A byte is written so far above the stack pointer.
    fn store(&mut self, point: &Point, distance: i16, origins: Origins) {
        if let Some(place) = place(point.height, distance) {
            self.marked.slots.insert(place, origins);
        }
    }

    /// What lies so far above the stack pointer.
    fn popped(&mut self, point: &Point, distance: i16) -> Origins {
        if self.functions.distrusted.contains(&self.activation.entry) {
            return NEW;
        }
        let place = place(point.height, distance);
        if let Some(slot) = place.and_then(|place| self.marked.slots.get(&place)) {
            return *slot;
        }
        let above = i16::from(self.functions.cfg.flow.address_bytes);
        let is_own = matches!(point.height, Height::Absolute(_)) || place.is_some_and(|place| place <= above);
        self.summary.reads_stack |= !is_own;
        NEW
    }

    /// The function returns.
    fn leave(&mut self) {
        let mut exit = Exit {
            cells: self.marked.cells,
            flags: self.marked.flags,
        };
        if let Some(known) = &self.summary.exit {
            for (cell, more) in exit.cells.iter_mut().zip(&known.cells) {
                *cell |= more;
            }
            exit.flags.old |= known.flags.old;
            exit.flags.new |= known.flags.new;
        }
        for (number, cell) in exit.cells.iter().enumerate() {
            self.use_origins(cell & !(1 << number));
        }
        self.summary.exit = Some(exit);
    }
}

/// Where everything comes from behind a call.
fn after_call(before: &Marks, exit: &Exit) -> Marks {
    let mut after = before.clone();
    for (number, (cell, left)) in after.cells.iter_mut().zip(&exit.cells).enumerate() {
        let own = if left >> number & 1 == 1 { *cell } else { 0 };
        let other = if *left == 1 << number { 0 } else { NEW };
        *cell = own | other;
    }
    after.flags = Flags {
        old: before.flags.old & exit.flags.old,
        new: before.flags.new & exit.flags.old | exit.flags.new,
    };
    after
}

fn place(height: Height, distance: i16) -> Option<i16> {
    match height {
        Height::Entry(top) => Some(top.wrapping_add(distance)),
        Height::Absolute(top) => Some((top as i16).wrapping_add(distance)),
        _ => None,
    }
}

fn moved(height: Height, distance: i16) -> Option<Height> {
    match height {
        Height::Entry(top) => Some(Height::Entry(top.wrapping_add(distance))),
        Height::Absolute(top) => Some(Height::Absolute(top.wrapping_add(distance as u16))),
        other => (distance == 0).then_some(other),
    }
}
