//! Which bytes of static memory matter at each instruction.
//!
//! Idea: a byte that instructions name by its address is a variable; it is dead where every path writes it
//! before it is read. As for registers, each function is summed up first (what it may read before it has
//! written it, what it writes on every path), then what callers need goes back into callees. What start-up
//! code writes is found by executing it, as it depends on nothing.
//!
//! What a pointer reads is known where [`crate::flow`] knows its values. Other pointers are taken to read
//! objects of more than four bytes and those whose address the program forms, by loading its halves, by
//! subtracting its complement, or in initial values. That is an assumption, not a proof; a run shows where
//! it fails ([`LiveMemory::foresees_load`]), and the analysis is made anew with the byte live everywhere. To
//! take pointers to read everything would be useless.
//!
//! Invariant: two runs from an instruction that differ, at first, only in bytes that are dead there take the
//! same path, and store and write to I/O registers the same.
//!
//! Source: section 6.4.1 of Schlich's thesis, where every read through a pointer reads everything.

use std::collections::{BTreeMap, BTreeSet};

use super::origins::{Functions, callees_first, entered};
use super::{Bits, Liveness};
use crate::cfg::{Cfg, Node};
use crate::core::Core;
use crate::device::Device;
use crate::flow::{EdgeKind, Level, Reach, Start};
use crate::image::{Image, Space};
use crate::instruction::{Instruction, Operation as Op, Pointer};

/// Instructions of start-up code that are executed at most.
const LONGEST_START: usize = 100_000;
/// Objects of more bytes are read through pointers as a rule.
const LARGEST_VARIABLE: usize = 4;
/// The halves of an address are so many instructions apart at most.
const CLOSE: usize = 8;

/// What is known beside the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenMemory {
    /// Bytes that somebody looks at, at any time, or that pointers were seen to read.
    pub always: BTreeSet<u16>,
}

/// A set of bytes, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }
    fn full(size: usize) -> Self {
        Self(vec![u64::MAX; size.div_ceil(64)])
    }
    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }
    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }
    fn add(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, more)| *word |= more);
    }
    fn keep(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, kept)| *word &= kept);
    }
    fn remove(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, less)| *word &= !less);
    }
}

/// What an instruction or a function does.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Effect {
    /// Bytes that it may read as they were before.
    reads: Set,
    /// Bytes that it writes in any case, if it comes to an end.
    writes: Set,
}

impl Effect {
    fn nothing(size: usize) -> Self {
        Self {
            reads: Set::empty(size),
            writes: Set::empty(size),
        }
    }

    /// What is needed before, if `behind` is behind.
    fn needs(&self, behind: &Set) -> Set {
        let mut needs = behind.clone();
        needs.remove(&self.writes);
        needs.add(&self.reads);
        needs
    }

    /// Both, one after the other.
    fn then(&self, next: &Self) -> Self {
        let mut writes = self.writes.clone();
        writes.add(&next.writes);
        Self {
            reads: self.needs(&next.reads),
            writes,
        }
    }

    /// One or the other.
    fn or(&mut self, other: &Self) {
        self.reads.add(&other.reads);
        self.writes.keep(&other.writes);
    }
}

/// What is live at each instruction.
#[derive(Debug, Clone, Default)]
pub struct LiveMemory {
    /// The bytes that instructions name, ascending; all others are live everywhere.
    variables: Vec<u16>,
    live: BTreeMap<u32, Set>,
    /// What loads through pointers were taken to read.
    reads: BTreeMap<u32, Vec<(u16, u16)>>,
}

impl LiveMemory {
    /// What is live in a program.
    #[must_use]
    pub fn new(cfg: &Cfg, image: &Image, device: &Device, liveness: &Liveness, given: &GivenMemory) -> Self {
        if liveness.why_incomplete().is_some() {
            return Self::default();
        }
        let variables = variables(cfg, image, device, given);
        let analysis = Analysis {
            cfg,
            variables: &variables,
            interruptible: interruptible(cfg),
            start: start_up(cfg, image, device, liveness, &variables),
        };
        let live = analysis.run();
        let reads = cfg.flow.reaches.iter().map(|(at, reaches)| {
            let known = reaches.iter().filter_map(|reach| match reach {
                Reach::Data(first, last) => Some((*first, *last)),
                _ => None,
            });
            (*at, known.collect())
        });
        Self {
            reads: reads.collect(),
            variables,
            live,
        }
    }

    /// The bytes that instructions name, ascending. All others are live everywhere.
    #[must_use]
    pub fn variables(&self) -> &[u16] {
        &self.variables
    }

    /// Whether a byte is live immediately before the instruction at a word address.
    #[must_use]
    pub fn is_live(&self, word: u32, address: u16) -> bool {
        match (self.variables.binary_search(&address), self.live.get(&word)) {
            (Ok(index), Some(live)) => live.contains(index),
            _ => true,
        }
    }

    /// The bytes that are dead immediately before the instruction at a word address, ascending.
    pub fn dead_bytes(&self, word: u32) -> impl Iterator<Item = u16> {
        let variables = self.live.get(&word).map(|live| (live, &self.variables));
        variables.into_iter().flat_map(|(live, variables)| {
            let indexed = variables.iter().enumerate();
            indexed.filter_map(|(index, at)| (!live.contains(index)).then_some(*at))
        })
    }

    /// Whether the analysis has foreseen that the load at `at`, through a pointer or from the stack, reads
    /// this data address. If not: [`GivenMemory::always`].
    #[must_use]
    pub fn foresees_load(&self, at: u32, address: u16) -> bool {
        if self.variables.binary_search(&address).is_err() {
            return true;
        }
        let known = self.reads.get(&at).into_iter().flatten();
        known
            .clone()
            .any(|(first, last)| (*first..=*last).contains(&address))
    }
}

/// The one address that an instruction names.
fn named(cfg: &Cfg, at: u32, instruction: &Instruction) -> Option<u16> {
    match instruction.operation {
        Op::Lds | Op::Sts => Some(instruction.k as u16),
        Op::Ld | Op::St => {
            let mut reaches = cfg.flow.reaches.get(&at)?.iter();
            match (reaches.next(), reaches.next()) {
                (Some(Reach::Data(first, last)), None) if first == last => Some(*first),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Bytes of static memory that instructions name, except those that are always live.
fn variables(cfg: &Cfg, image: &Image, device: &Device, given: &GivenMemory) -> Vec<u16> {
    let named = cfg
        .nodes
        .iter()
        .filter_map(|(at, node)| named(cfg, *at, &node.instruction));
    let memory = device.sram.start..device.sram.start + device.sram.size;
    let taken = addresses_formed(cfg, image);
    let objects: Vec<std::ops::Range<u32>> = image
        .symbols
        .iter()
        .filter(|symbol| symbol.space == Space::Data && symbol.size > 0)
        .map(|symbol| symbol.address..symbol.address + symbol.size)
        .collect();
    let has_pointers = cfg
        .flow
        .reaches
        .values()
        .flatten()
        .any(|reach| *reach == Reach::Anywhere);
    if has_pointers && objects.is_empty() {
        return Vec::new();
    }
    let is_pointed_to = |at: u16| {
        let mut around = objects.iter().filter(|object| object.contains(&u32::from(at)));
        around.any(|object| {
            object.len() > LARGEST_VARIABLE || taken.iter().any(|taken| object.contains(&u32::from(*taken)))
        })
    };
    let found: BTreeSet<u16> = named
        .filter(|at| memory.contains(&u32::from(*at)) && !given.always.contains(at) && !is_pointed_to(*at))
        .collect();
    found.into_iter().collect()
}

/// Data addresses that the program forms: as two LDI, as SUBI and SBCI of their complement, or as words of
/// the initial values of variables.
fn addresses_formed(cfg: &Cfg, image: &Image) -> BTreeSet<u16> {
    let mut formed = BTreeSet::new();
    // What start-up code loads are the bounds of sections.
    let has_main = image.symbol("main").is_some();
    let in_function = |at: u32| !has_main || image.function_at(at * 2).is_some();
    let nodes = cfg.nodes.iter().filter(|(at, _)| in_function(**at));
    let instructions: Vec<&Instruction> = nodes.map(|(_, node)| &node.instruction).collect();
    for (index, low) in instructions.iter().enumerate() {
        let upper = match low.operation {
            Op::Ldi => Op::Ldi,
            Op::Subi => Op::Sbci,
            _ => continue,
        };
        let near = index.saturating_sub(CLOSE)..(index + CLOSE + 1).min(instructions.len());
        for high in &instructions[near] {
            if high.operation == upper && high.d == low.d + 1 {
                let word = u16::from_le_bytes([low.k as u8, high.k as u8]);
                formed.insert(if upper == Op::Ldi {
                    word
                } else {
                    word.wrapping_neg()
                });
            }
        }
    }
    let bytes = image.flash.bytes();
    for at in image.data_load.clone().unwrap_or(0..0) {
        if let Some([low, high]) = bytes.get(at as usize..at as usize + 2) {
            formed.insert(u16::from_le_bytes([*low, *high]));
        }
    }
    formed
}

fn interruptible(cfg: &Cfg) -> BTreeSet<u32> {
    let entered = entered(cfg);
    let mut found = BTreeSet::new();
    for activation in cfg.flow.activations.values() {
        let points = activation.points.iter();
        let open = points.filter(|point| Functions::may_interrupt(&entered, activation, point));
        found.extend(open.map(|point| point.at));
    }
    found
}

/// How far start-up code runs before it reads anything, and what it has written until then.
fn start_up(
    cfg: &Cfg,
    image: &Image,
    device: &Device,
    liveness: &Liveness,
    variables: &[u16],
) -> Option<(u32, Set)> {
    let is_interrupted = cfg.flow.restarted.is_some_and(|level| level > Level::Clear);
    if image.reset != 0 || is_interrupted || liveness.live_bits(0) != Bits::NONE {
        return None;
    }
    let mut written = Set::empty(variables.len());
    let mut core = Core::new(image, device);
    for _ in 0..LONGEST_START {
        let instruction = core.instruction();
        match instruction.operation {
            Op::Ld | Op::Lds | Op::In | Op::Pop | Op::Sbic | Op::Sbis | Op::Sbi | Op::Cbi => break,
            Op::Ret | Op::Reti | Op::Call | Op::Rcall | Op::Icall | Op::Ijmp | Op::Push => break,
            Op::Spm | Op::Sleep | Op::Break | Op::Undefined | Op::Bset => break,
            Op::St | Op::Sts => {
                if let Ok(index) = variables.binary_search(&stored_to(&core, &instruction)) {
                    written.insert(index);
                }
            }
            _ => {}
        }
        core.step();
        if !cfg.nodes.contains_key(&core.pc) || core.pc == 0 {
            return None;
        }
    }
    Some((core.pc, written))
}

fn stored_to(core: &Core, instruction: &Instruction) -> u16 {
    let low = u16::from(instruction.r & 30);
    let base = u16::from_le_bytes([core.data(low), core.data(low + 1)]);
    match (instruction.operation, instruction.pointer()) {
        (Op::Sts, _) => instruction.k as u16,
        (_, Pointer::Decrement) => base.wrapping_sub(1),
        (_, Pointer::Increment) => base,
        (_, Pointer::Plain) => base.wrapping_add(instruction.k as u16),
    }
}

struct Analysis<'a> {
    cfg: &'a Cfg,
    variables: &'a [u16],
    interruptible: BTreeSet<u32>,
    /// Where start-up code comes to first, and what it has written by then.
    start: Option<(u32, Set)>,
}

impl Analysis<'_> {
    fn size(&self) -> usize {
        self.variables.len()
    }

    fn run(&self) -> BTreeMap<u32, Set> {
        let effects: BTreeMap<u32, Effect> = self
            .cfg
            .nodes
            .iter()
            .map(|(at, node)| (*at, self.effect(*at, node)))
            .collect();
        let functions = self.functions(&effects);
        self.backward(&effects, &functions)
    }

    /// What an instruction does.
    fn effect(&self, at: u32, node: &Node) -> Effect {
        let mut effect = Effect::nothing(self.size());
        let named = named(self.cfg, at, &node.instruction);
        let index = named.and_then(|at| self.variables.binary_search(&at).ok());
        match node.instruction.operation {
            Op::Lds => index.into_iter().for_each(|index| effect.reads.insert(index)),
            // Where a pointer leads is known only as far as nothing changes saved registers.
            Op::Sts => index.into_iter().for_each(|index| effect.writes.insert(index)),
            Op::Ld => {
                for reach in self.cfg.flow.reaches.get(&at).into_iter().flatten() {
                    let Reach::Data(first, last) = reach else { continue };
                    let from = self.variables.partition_point(|at| at < first);
                    let to = self.variables.partition_point(|at| at <= last);
                    (from..to).for_each(|index| effect.reads.insert(index));
                }
            }
            _ => {}
        }
        effect
    }

    /// What each function does, by its entry.
    fn functions(&self, effects: &BTreeMap<u32, Effect>) -> BTreeMap<u32, Effect> {
        // Nothing is read and everything is written, until paths show otherwise.
        let first = Effect {
            reads: Set::empty(self.size()),
            writes: Set::full(self.size()),
        };
        let activations = &self.cfg.flow.activations;
        let mut functions: BTreeMap<u32, Effect> =
            activations.keys().map(|entry| (*entry, first.clone())).collect();
        let places: Vec<(u32, BTreeSet<u32>)> = callees_first(self.cfg)
            .into_iter()
            .map(|entry| {
                let points = activations[&entry].points.iter();
                (entry, points.map(|point| point.at).collect())
            })
            .collect();
        loop {
            let before = functions.clone();
            for (entry, places) in &places {
                let mut paths: BTreeMap<u32, Effect> = places.iter().map(|at| (*at, first.clone())).collect();
                loop {
                    let mut changed = false;
                    for at in places.iter().rev() {
                        let effect = self.path(*at, &effects[at], &paths, &functions);
                        if paths.get(at) != Some(&effect) {
                            paths.insert(*at, effect);
                            changed = true;
                        }
                    }
                    if !changed {
                        break;
                    }
                }
                if let Some(effect) = paths.remove(entry) {
                    functions.insert(*entry, effect);
                }
            }
            if functions == before {
                return functions;
            }
        }
    }

    /// What is done from an instruction to the return of its function.
    fn path(
        &self,
        at: u32,
        own: &Effect,
        paths: &BTreeMap<u32, Effect>,
        functions: &BTreeMap<u32, Effect>,
    ) -> Effect {
        let node = &self.cfg.nodes[&at];
        let mut behind: Option<Effect> = None;
        let mut or = |effect: Effect| match &mut behind {
            Some(behind) => behind.or(&effect),
            none => *none = Some(effect),
        };
        for (to, _) in &node.successors {
            paths.get(to).into_iter().for_each(|path| or(path.clone()));
        }
        if matches!(node.instruction.operation, Op::Ret | Op::Reti) {
            or(Effect::nothing(self.size()));
        }
        let behind = behind.unwrap_or_else(|| Effect {
            reads: Set::empty(self.size()),
            writes: Set::full(self.size()),
        });
        let mut effect = self.own(node, own, functions).then(&behind);
        if self.interruptible.contains(&at) {
            self.handlers(functions)
                .for_each(|handler| effect.reads.add(&handler.reads));
        }
        effect
    }

    /// What an instruction does with all that it calls.
    fn own(&self, node: &Node, own: &Effect, functions: &BTreeMap<u32, Effect>) -> Effect {
        let mut callees = node.calls.iter().filter_map(|callee| functions.get(callee));
        let Some(first) = callees.next() else {
            return own.clone();
        };
        let mut effect = first.clone();
        callees.for_each(|callee| effect.or(callee));
        effect
    }

    fn handlers<'f>(&self, functions: &'f BTreeMap<u32, Effect>) -> impl Iterator<Item = &'f Effect> {
        let words = self.cfg.flow.handlers.iter();
        words.filter_map(|(_, word)| functions.get(word))
    }

    /// What is live before each instruction.
    fn backward(
        &self,
        effects: &BTreeMap<u32, Effect>,
        functions: &BTreeMap<u32, Effect>,
    ) -> BTreeMap<u32, Set> {
        let effects: BTreeMap<u32, Effect> = effects
            .iter()
            .map(|(at, own)| (*at, self.own(&self.cfg.nodes[at], own, functions)))
            .collect();
        let mut handlers = Set::empty(self.size());
        self.handlers(functions)
            .for_each(|handler| handlers.add(&handler.reads));
        let returning = self.returning();
        let mut live: BTreeMap<u32, Set> = effects.keys().map(|at| (*at, Set::empty(self.size()))).collect();
        let mut behind: BTreeMap<u32, Set> = BTreeMap::new();
        loop {
            let returns = self.returns(&live);
            let mut changed = returns != behind;
            behind = returns;
            for (at, effect) in effects.iter().rev() {
                let mut after = Set::empty(self.size());
                self.cfg.nodes[at]
                    .successors
                    .iter()
                    .for_each(|(to, _)| after.add(&live[to]));
                for entry in returning.get(at).into_iter().flatten() {
                    behind.get(entry).into_iter().for_each(|set| after.add(set));
                }
                let mut before = effect.needs(&after);
                if self.interruptible.contains(at) {
                    before.add(&handlers);
                }
                if *at == 0
                    && let Some((first, written)) = &self.start
                {
                    before = live[first].clone();
                    before.remove(written);
                }
                // The watchdog leads to the reset vector from anywhere.
                live.get(&0).into_iter().for_each(|set| before.add(set));
                if live.get(at) != Some(&before) {
                    live.insert(*at, before);
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// The functions that each return belongs to.
    fn returning(&self) -> BTreeMap<u32, BTreeSet<u32>> {
        let mut returning: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (entry, activation) in &self.cfg.flow.activations {
            for point in &activation.points {
                if let Op::Ret | Op::Reti = self.cfg.nodes[&point.at].instruction.operation {
                    returning.entry(point.at).or_default().insert(*entry);
                }
            }
        }
        returning
    }

    /// What is live where each function returns to.
    fn returns(&self, live: &BTreeMap<u32, Set>) -> BTreeMap<u32, Set> {
        let mut behind: BTreeMap<u32, Set> = BTreeMap::new();
        let mut interrupted = Set::empty(self.size());
        self.interruptible
            .iter()
            .for_each(|at| interrupted.add(&live[at]));
        for activation in self.cfg.flow.activations.values() {
            for call in &activation.calls {
                let places = self.cfg.nodes[&call.at].successors.iter();
                for (to, _) in places.filter(|(_, kind)| *kind == EdgeKind::Return) {
                    for target in &call.targets {
                        let set = behind.entry(*target).or_insert_with(|| Set::empty(self.size()));
                        set.add(&live[to]);
                    }
                }
            }
            if let Start::Interrupt(_) = activation.start {
                let set = behind
                    .entry(activation.entry)
                    .or_insert_with(|| Set::empty(self.size()));
                set.add(&interrupted);
            }
        }
        behind
    }
}
