//! Which registers and flags matter at each instruction: live variables of machine code.
//!
//! Idea: backward over the whole program, an operand is needed where the result is (`bits`). A call needs
//! what its callee may use, and what is needed behind it unless the callee overwrites it (`origins`); what a
//! callee needs when it returns comes from all its callers. So a path never returns to another place than it
//! was called from, as far as what a function needs goes. What a function saves and restores it does not use.
//! Where an interrupt may come, what any handler may use is needed; where it returns, what is needed at any
//! place where it may come.
//!
//! Invariant: two runs from an instruction that differ, at first, only in bits that are not needed there, in
//! bytes pushed from such registers, and below the stack pointer, take the same path, with the same
//! interrupts, and load and store the same to static memory and I/O registers.
//!
//! It rests on what nobody can know from the code alone, but a run shows when it is broken:
//!
//! - control goes where the graph says ([`Liveness::foresees_step`]), and interrupts come where it says that
//!   they are enabled ([`Liveness::foresees_interrupt`]);
//! - pointers that are not known to lead to the function's own variables on the stack lead neither to the
//!   stack nor to registers ([`Liveness::foresees_load`], [`Liveness::foresees_store`]); where one does, the
//!   analysis is made anew with that in [`Given`];
//! - what lies below the stack pointer is lost;
//! - runs begin at the reset vector 0, where the graph begins.
//!
//! Where the graph itself is not known to be whole, everything is live ([`Liveness::why_incomplete`]).
//!
//! Source: section 6.4.1 of Schlich's thesis, which has pushes as uses and no calls; the two phases, what
//! callees use and then what callers need, after Srivastava and Wall, "A Practical System for Intermodule
//! Code Optimization at Link-Time" (1993); results that nobody needs after Giegerich, Möncke and Wilhelm,
//! "Invariance of Approximative Semantics with Respect to Program Transformations" (1981).

mod bits;
pub mod dead;
mod foresight;
mod given;
mod memory;
mod origins;

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg::{Cfg, Node};
use crate::core::address;
use crate::flow::{EdgeKind, Issue, Start};
use crate::instruction::Operation as Op;
use bits::FLAGS;
pub use bits::{Bits, Use, needed, use_of};
use foresight::Foresight;
pub use given::Given;
pub use memory::{GivenMemory, LiveMemory};
use origins::{Copies, Exit, Functions, Summary};

/// Why everything is taken to be live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incomplete {
    /// The graph may lack places.
    Issue(Issue),
    /// The program changes its own flash at this word address.
    SelfProgramming(u32),
    /// The reset vector is called, or a function that is not known, at this word address.
    Call(u32),
    /// Control comes back through a saved return address, at this word address.
    SavedReturn(u32),
}

/// What a function does with the registers of who calls it, or a handler with those of what it interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandlerUse {
    /// Registers whose value at entry it may use, otherwise than to restore them.
    pub reads: u32,
    /// Flags whose value at entry it may use.
    pub reads_flags: u8,
    /// Registers that may have another value when it returns.
    pub changes: u32,
    /// Registers that it has overwritten when it returns, on every path.
    pub overwrites: u32,
    /// Flags that may have another value when it returns.
    pub changes_flags: u8,
    /// Whether it may read what lies on the stack of those, its return address included.
    pub reads_stack: bool,
    /// Whether it returns.
    pub returns: bool,
}

/// What is live at each instruction.
#[derive(Debug, Clone)]
pub struct Liveness {
    /// By word address.
    live: Vec<Option<Bits>>,
    functions: BTreeMap<u32, HandlerUse>,
    incomplete: Option<Incomplete>,
    foresight: Foresight,
}

impl Liveness {
    /// What is live in a program of which nothing else is known.
    #[must_use]
    pub fn new(cfg: &Cfg) -> Self {
        Self::given(cfg, &Given::default())
    }

    /// What is live in a program.
    #[must_use]
    pub fn given(cfg: &Cfg, given: &Given) -> Self {
        let incomplete = why_incomplete(cfg);
        let words = cfg.flow.program.len();
        let mut liveness = Self {
            live: vec![None; words],
            functions: BTreeMap::new(),
            incomplete,
            foresight: Foresight::default(),
        };
        if incomplete.is_some() {
            return liveness;
        }
        let functions = Functions::new(cfg, given);
        let mut always = Bits::whole(given.registers, given.flags);
        loop {
            let live = Backward::new(cfg, given, &functions, always).run();
            // The watchdog leads to the reset vector from anywhere, and registers keep what they hold.
            let at_reset = live.get(&0).copied().unwrap_or(Bits::NONE);
            let before = always;
            always.add(&at_reset);
            if always == before {
                for (at, bits) in live {
                    liveness.live[at as usize] = Some(bits);
                }
                break;
            }
        }
        let summaries = functions.summaries.iter();
        let uses = summaries.map(|(entry, summary)| (*entry, handler_use(summary)));
        liveness.functions = uses.collect();
        liveness.foresight = Foresight::new(cfg, given, &functions);
        liveness
    }

    /// The bits that are live immediately before the instruction at a word address.
    #[must_use]
    pub fn live_bits(&self, word: u32) -> Bits {
        let known = self.live.get(word as usize).copied().flatten();
        known.unwrap_or(Bits::ALL)
    }

    /// The registers that are live immediately before the instruction at a word address, as bits.
    #[must_use]
    pub fn live_registers(&self, word: u32) -> u32 {
        self.live_bits(word).some_of()
    }

    /// The flags that are live immediately before the instruction at a word address; I always is.
    #[must_use]
    pub fn live_flags(&self, word: u32) -> u8 {
        self.live_bits(word).flags | !FLAGS
    }

    /// Why everything is live, if it is.
    #[must_use]
    pub fn why_incomplete(&self) -> Option<Incomplete> {
        self.incomplete
    }

    /// What the handler that begins at a vector's word address does, if that is known.
    #[must_use]
    pub fn handler_reads(&self, entry: u32) -> Option<HandlerUse> {
        self.functions.get(&entry).copied()
    }

    /// The same of a function that is called.
    #[must_use]
    pub fn function_use(&self, entry: u32) -> Option<HandlerUse> {
        self.functions.get(&entry).copied()
    }

    /// Whether the analysis has foreseen that control goes from an instruction to a place. To be asked where
    /// an instruction takes its target from registers or from the stack.
    #[must_use]
    pub fn foresees_step(&self, from: u32, to: u32) -> bool {
        self.incomplete.is_some() || self.foresight.step(from, to)
    }

    /// Whether the analysis has foreseen that an interrupt comes before an instruction.
    #[must_use]
    pub fn foresees_interrupt(&self, at: u32) -> bool {
        self.incomplete.is_some() || self.foresight.interrupt(at)
    }

    /// Whether the analysis has foreseen that the load at `at`, through a pointer, reads this data address
    /// while the stack pointer is there. If not: [`Given::register_loads`] for an address of a register or of
    /// the status register, else [`Given::stack_loads`].
    #[must_use]
    pub fn foresees_load(&self, at: u32, address: u16, stack_pointer: u16) -> bool {
        self.incomplete.is_some() || self.foresight.load(at, address, stack_pointer)
    }

    /// Whether the analysis has foreseen that the store at `at`, through a pointer, writes this data address
    /// while the stack pointer is there. If not: [`Given::stores`].
    #[must_use]
    pub fn foresees_store(&self, at: u32, address: u16, stack_pointer: u16) -> bool {
        self.incomplete.is_some() || self.foresight.store(at, address, stack_pointer)
    }
}

fn handler_use(summary: &Summary) -> HandlerUse {
    let exit = summary.exit.as_ref();
    HandlerUse {
        reads: summary.registers,
        reads_flags: summary.flags,
        changes: exit.map_or(0, Exit::changed),
        overwrites: exit.map_or(u32::MAX, Exit::overwritten),
        changes_flags: exit.map_or(0, Exit::changed_flags),
        reads_stack: summary.reads_stack,
        returns: exit.is_some(),
    }
}

/// Whether the graph may lack something.
fn why_incomplete(cfg: &Cfg) -> Option<Incomplete> {
    let activations = || cfg.flow.activations.values();
    if let Some(issue) = activations().flat_map(|activation| &activation.issues).next() {
        return Some(Incomplete::Issue(*issue));
    }
    if let Some(at) = cfg.flow.self_programming.first() {
        return Some(Incomplete::SelfProgramming(*at));
    }
    let calls_nothing = |at: &u32, node: &Node| match node.instruction.operation {
        Op::Rcall if node.instruction.k == 0 => false,
        Op::Call | Op::Rcall => node.calls.is_empty(),
        Op::Icall => {
            let targets = cfg.flow.indirect.get(at).map(|indirect| &indirect.targets);
            targets.is_none_or(|targets| targets.iter().any(|target| !node.calls.contains(target)))
        }
        _ => false,
    };
    cfg.nodes
        .iter()
        .find_map(|(at, node)| match node.instruction.operation {
            _ if calls_nothing(at, node) => Some(Incomplete::Call(*at)),
            Op::Ijmp if node.successors.is_empty() => Some(Incomplete::SavedReturn(*at)),
            _ => None,
        })
}

/// The second phase: what is needed, from the ends of paths to their beginnings.
struct Backward<'a> {
    cfg: &'a Cfg,
    given: &'a Given,
    functions: &'a Functions<'a>,
    copies: Copies,
    always: Bits,
    live: BTreeMap<u32, Bits>,
    /// What is needed where a function returns, by its entry.
    behind: BTreeMap<u32, Bits>,
    /// The functions that an instruction is part of, where it returns.
    returning: BTreeMap<u32, Vec<u32>>,
    interruptible: BTreeSet<u32>,
    handlers: Bits,
}

impl<'a> Backward<'a> {
    fn new(cfg: &'a Cfg, given: &'a Given, functions: &'a Functions<'a>, always: Bits) -> Self {
        let mut returning: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut interruptible = BTreeSet::new();
        for (entry, activation) in &cfg.flow.activations {
            for point in &activation.points {
                let operation = cfg.nodes[&point.at].instruction.operation;
                if matches!(operation, Op::Ret | Op::Reti) {
                    let entries = returning.entry(point.at).or_default();
                    if entries.last() != Some(entry) {
                        entries.push(*entry);
                    }
                }
                if functions.is_interruptible(activation, point) {
                    interruptible.insert(point.at);
                }
            }
        }
        Self {
            cfg,
            given,
            functions,
            copies: functions.copies(),
            always,
            live: cfg.nodes.keys().map(|at| (*at, Bits::NONE)).collect(),
            behind: BTreeMap::new(),
            returning,
            interruptible,
            handlers: Bits::whole(functions.handlers.registers, functions.handlers.flags),
        }
    }

    fn run(mut self) -> BTreeMap<u32, Bits> {
        let places: Vec<u32> = self.cfg.nodes.keys().rev().copied().collect();
        loop {
            let mut changed = self.gather_returns();
            for at in &places {
                let bits = self.before(*at);
                if let Some(known) = self.live.get_mut(at)
                    && *known != bits
                {
                    *known = bits;
                    changed = true;
                }
            }
            if !changed {
                return self.live;
            }
        }
    }

    /// What is needed where each function returns; whether that is more than before.
    fn gather_returns(&mut self) -> bool {
        let mut behind: BTreeMap<u32, Bits> = BTreeMap::new();
        let mut interrupted = Bits::NONE;
        for at in &self.interruptible {
            interrupted.add(&self.live[at]);
        }
        for activation in self.cfg.flow.activations.values() {
            for call in &activation.calls {
                let after = self.after_call(call.at);
                for target in &call.targets {
                    behind.entry(*target).or_insert(Bits::NONE).add(&after);
                }
            }
            if let Start::Interrupt(_) = activation.start {
                behind
                    .entry(activation.entry)
                    .or_insert(Bits::NONE)
                    .add(&interrupted);
            }
        }
        let changed = behind != self.behind;
        self.behind = behind;
        changed
    }

    /// What is needed where a call comes back to.
    fn after_call(&self, at: u32) -> Bits {
        let mut bits = Bits::NONE;
        for (to, kind) in &self.cfg.nodes[&at].successors {
            if *kind == EdgeKind::Return {
                bits.add(&self.live[to]);
            }
        }
        bits
    }

    /// What is needed before an instruction.
    fn before(&self, at: u32) -> Bits {
        let node = &self.cfg.nodes[&at];
        let mut bits = match node.instruction.operation {
            Op::Call | Op::Rcall | Op::Icall if !node.calls.is_empty() => self.before_call(at, node),
            _ => self.before_instruction(at, node),
        };
        if self.interruptible.contains(&at) {
            bits.add(&self.handlers);
        }
        bits.add(&self.always);
        bits
    }

    fn before_call(&self, at: u32, node: &Node) -> Bits {
        let after = self.after_call(at);
        let mut bits = Bits::NONE;
        for callee in &node.calls {
            let Some(summary) = self.functions.summaries.get(callee) else {
                continue;
            };
            bits.add(&Bits::whole(summary.registers, summary.flags));
            if let Some(exit) = &summary.exit {
                let mut passed = after;
                passed.remove(&Bits::whole(exit.overwritten(), exit.overwritten_flags()));
                bits.add(&passed);
            }
        }
        if node.instruction.operation == Op::Icall {
            bits.add(&Bits::whole(3 << 30, 0));
        }
        bits
    }

    fn before_instruction(&self, at: u32, node: &Node) -> Bits {
        let mut after = Bits::NONE;
        for (to, _) in &node.successors {
            after.add(&self.live[to]);
        }
        for entry in self.returning.get(&at).into_iter().flatten() {
            after.add(self.behind.get(entry).unwrap_or(&Bits::NONE));
        }
        let is_plain = self.copies.plain.contains(&at);
        let d = usize::from(node.instruction.d);
        match node.instruction.operation {
            Op::Push if !is_plain => {
                for entry in self.copies.saving.get(&at).into_iter().flatten() {
                    let behind = self.behind.get(entry);
                    after.registers[d] |= behind.map_or(0, |behind| behind.registers[d]);
                }
                for entry in self.copies.saving_status.get(&at).into_iter().flatten() {
                    let behind = self.behind.get(entry);
                    after.registers[d] |= behind.map_or(0, |behind| behind.flags) | !FLAGS;
                }
                after
            }
            Op::In if !is_plain && node.instruction.k == i32::from(address::SREG) => {
                after.registers[d] = 0;
                for entry in self.copies.saving_status.get(&at).into_iter().flatten() {
                    let behind = self.behind.get(entry);
                    after.flags |= behind.map_or(0, |behind| behind.flags);
                }
                after
            }
            Op::Ld if self.given.register_loads.contains(&at) => Bits::ALL,
            _ => needed(&node.instruction, &after),
        }
    }
}
