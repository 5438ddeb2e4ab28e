//! Where the lives of a function's stack objects begin and end.
//!
//! Idea: clang marks both for the variables of a block (`llvm.lifetime.start` and `.end`); each start makes a
//! new object, so a pointer saved in the last iteration of a loop dangles in this one. A variable length
//! array dies where the stack is restored to what it was before. An `alloca` without markers lives as long
//! as its function: so does one that is used where its life may not have begun, which only an optimiser
//! writes.
//!
//! Invariant: where [`Scopes::lives`] says that an object lives, it was begun and not ended on every path.
//!
//! Source: LLVM language reference, "Object Lifetime"; C11 6.2.4.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Call, CastOp, Constant, Function, Instruction, InstructionKind, Value};

use super::cfg::Cfg;
use super::must_flow::{Bits, certain_at_start};
use super::operands::for_each_operand;

/// What a marker says of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker<'m> {
    /// Its life begins.
    Begins(&'m str),
    /// Its life ends.
    Ends(&'m str),
}

/// Casts of slots that only markers use, as clang 14 writes them: the slot of each.
pub type MarkerCasts<'m> = FxHashMap<&'m str, &'m str>;

/// The lives of a function's stack objects.
#[derive(Debug, Default)]
pub struct Scopes<'m> {
    /// The slots that have markers.
    marked: FxHashSet<&'m str>,
    /// Numbers of the slots whose markers count.
    numbers: FxHashMap<&'m str, usize>,
    at_start: Vec<Bits>,
    current: Bits,
    /// The variable length arrays that die where the stack is restored to a saved value.
    restored: FxHashMap<&'m str, Vec<&'m str>>,
}

/// The casts of a function that only markers use.
pub fn marker_casts(function: &Function) -> MarkerCasts<'_> {
    let mut casts: MarkerCasts<'_> = FxHashMap::default();
    for instruction in instructions(function) {
        if let (
            InstructionKind::Cast {
                op: CastOp::BitCast,
                value: Value::Local(slot),
                ..
            },
            Some(name),
        ) = (&instruction.kind, &instruction.result)
        {
            casts.insert(name, slot);
        }
    }
    for instruction in instructions(function) {
        if !is_lifetime_call(&instruction.kind) {
            for_each_operand(&instruction.kind, |operand| {
                if let Value::Local(name) = operand {
                    casts.remove(&**name);
                }
            });
        }
    }
    casts
}

/// What an instruction says of a slot's life.
pub fn marker<'m>(kind: &'m InstructionKind, casts: &MarkerCasts<'m>) -> Option<Marker<'m>> {
    match kind {
        InstructionKind::Call(call) => marker_of_call(call, casts),
        _ => None,
    }
}

/// The same for an instruction that is a call.
pub fn marker_of_call<'m>(call: &'m Call, casts: &MarkerCasts<'m>) -> Option<Marker<'m>> {
    let (Value::Constant(Constant::Global(callee)), Some(Value::Local(name))) = (
        &call.callee,
        call.arguments.last().map(|argument| &argument.value),
    ) else {
        return None;
    };
    let slot = casts.get(&**name).copied().unwrap_or(name);
    if callee.starts_with("llvm.lifetime.start") {
        Some(Marker::Begins(slot))
    } else if callee.starts_with("llvm.lifetime.end") {
        Some(Marker::Ends(slot))
    } else {
        None
    }
}

fn is_lifetime_call(kind: &InstructionKind) -> bool {
    calls(kind, "llvm.lifetime.")
}

/// Is the instruction a call of an intrinsic whose name begins so?
pub fn calls(kind: &InstructionKind, prefix: &str) -> bool {
    matches!(
        kind,
        InstructionKind::Call(call)
            if matches!(&call.callee, Value::Constant(Constant::Global(name)) if name.starts_with(prefix))
    )
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}

impl<'m> Scopes<'m> {
    /// Finds the lives of the slots that did not become variables.
    pub fn new(
        function: &'m Function,
        cfg: &Cfg<'m>,
        casts: &MarkerCasts<'m>,
        is_promoted: impl Fn(&str) -> bool,
    ) -> Self {
        let mut scopes = Scopes {
            restored: restored_arrays(function, cfg),
            ..Scopes::default()
        };
        for instruction in instructions(function) {
            if let Some(Marker::Begins(slot)) = marker(&instruction.kind, casts)
                && !is_promoted(slot)
            {
                let next = scopes.numbers.len();
                scopes.numbers.entry(slot).or_insert(next);
                scopes.marked.insert(slot);
            }
        }
        let static_slots = static_slots(function);
        scopes.numbers.retain(|slot, _| static_slots.contains(slot));
        if scopes.numbers.is_empty() {
            return scopes;
        }
        let early = scopes.used_early(function, cfg, casts);
        scopes.numbers.retain(|slot, _| !early.contains(slot));
        for (number, known) in scopes.numbers.values_mut().enumerate() {
            *known = number;
        }
        scopes.at_start = scopes.flow(function, cfg, casts, true);
        scopes
    }

    fn size(&self) -> usize {
        self.numbers.values().max().map_or(0, |last| last + 1)
    }

    /// The slots that live at the start of each block; those that were begun, where ends do not count.
    fn flow(
        &self,
        function: &'m Function,
        cfg: &Cfg<'m>,
        casts: &MarkerCasts<'m>,
        with_ends: bool,
    ) -> Vec<Bits> {
        certain_at_start(function, cfg, self.size(), |instruction, state| {
            match marker(&instruction.kind, casts) {
                Some(Marker::Begins(slot)) => self.change(state, slot, true),
                Some(Marker::Ends(slot)) if with_ends => self.change(state, slot, false),
                _ => {}
            }
        })
    }

    fn change(&self, state: &mut Bits, slot: &str, lives: bool) {
        if let Some(&number) = self.numbers.get(slot) {
            state.set(number, lives);
        }
    }

    /// The slots that are used where no marker may have begun them.
    fn used_early(
        &self,
        function: &'m Function,
        cfg: &Cfg<'m>,
        casts: &MarkerCasts<'m>,
    ) -> FxHashSet<&'m str> {
        let begun = self.flow(function, cfg, casts, false);
        let mut early = FxHashSet::default();
        for &block in &cfg.order {
            let mut state = begun[block].clone();
            for instruction in &function.blocks[block].instructions {
                if let Some(found) = marker(&instruction.kind, casts) {
                    if let Marker::Begins(slot) = found {
                        self.change(&mut state, slot, true);
                    }
                    continue;
                }
                if instruction
                    .result
                    .as_deref()
                    .is_some_and(|name| casts.contains_key(name))
                {
                    continue;
                }
                for_each_operand(&instruction.kind, |operand| {
                    if let Value::Local(name) = operand
                        && self
                            .numbers
                            .get(&**name)
                            .is_some_and(|&number| !state.has(number))
                    {
                        early.insert(&**name);
                    }
                });
            }
        }
        early
    }

    /// Does the slot have markers, even if they do not count?
    pub fn is_marked(&self, slot: &str) -> bool {
        self.marked.contains(slot)
    }

    /// Do the markers of this slot count?
    pub fn is_scoped(&self, slot: &str) -> bool {
        self.numbers.contains_key(slot)
    }

    /// The translation comes to a block.
    pub fn enter_block(&mut self, block: usize) {
        if let Some(state) = self.at_start.get(block) {
            self.current = state.clone();
        }
    }

    /// The translation passes a marker.
    pub fn pass(&mut self, slot: &str, lives: bool) {
        if let Some(&number) = self.numbers.get(slot) {
            self.current.set(number, lives);
        }
    }

    /// Does the slot's object certainly live where the translation is?
    pub fn lives(&self, slot: &str) -> bool {
        self.numbers
            .get(slot)
            .is_none_or(|&number| self.current.has(number))
    }

    /// The arrays that die where the stack is restored to this value.
    pub fn restored_to(&self, value: &str) -> Option<&[&'m str]> {
        self.restored.get(value).map(Vec::as_slice)
    }

    /// All arrays that die so.
    pub fn restored_arrays(&self) -> impl Iterator<Item = &'m str> {
        let arrays = self.restored.values().flatten().copied();
        arrays.collect::<std::collections::BTreeSet<_>>().into_iter()
    }
}

/// The `alloca`s of the entry block that are of one size.
pub fn static_slots(function: &Function) -> FxHashSet<&str> {
    let entry = function.blocks.first().into_iter();
    let allocas = entry
        .flat_map(|block| &block.instructions)
        .filter(|instruction| matches!(instruction.kind, InstructionKind::Alloca { count: None, .. }));
    allocas
        .filter_map(|instruction| instruction.result.as_deref())
        .collect()
}

/// For each value that the stack is restored to: the arrays that were made since it was saved. clang keeps
/// it in a slot that is stored to once.
fn restored_arrays<'m>(function: &'m Function, cfg: &Cfg<'m>) -> FxHashMap<&'m str, Vec<&'m str>> {
    let mut restored = FxHashMap::default();
    if !instructions(function).any(|instruction| calls(&instruction.kind, "llvm.stackrestore")) {
        return restored;
    }
    for instruction in instructions(function) {
        let (InstructionKind::Call(call), true) =
            (&instruction.kind, calls(&instruction.kind, "llvm.stackrestore"))
        else {
            continue;
        };
        let Some(Value::Local(value)) = call.arguments.first().map(|argument| &argument.value) else {
            continue;
        };
        if let Some(save) = saving_instruction(function, value) {
            restored.insert(&**value, arrays_after(function, cfg, save));
        }
    }
    restored
}

/// Where a value came from the stack pointer: block and instruction.
fn saving_instruction(function: &Function, value: &str) -> Option<(usize, usize)> {
    let defines = |instruction: &Instruction, name: &str| instruction.result.as_deref() == Some(name);
    let defining = |name: &str| instructions(function).find(|instruction| defines(instruction, name));
    let mut name = value;
    if let InstructionKind::Load {
        pointer: Value::Local(slot),
        ..
    } = &defining(name)?.kind
    {
        let mut stores = instructions(function).filter_map(|instruction| match &instruction.kind {
            InstructionKind::Store {
                value: Value::Local(value),
                pointer: Value::Local(pointer),
                ..
            } if pointer == slot => Some(&**value),
            _ => None,
        });
        name = stores.next().filter(|_| stores.next().is_none())?;
    }
    function.blocks.iter().enumerate().find_map(|(at, block)| {
        let mut all = block.instructions.iter();
        let index = all.position(|other| defines(other, name) && calls(&other.kind, "llvm.stacksave"))?;
        Some((at, index))
    })
}

/// The `alloca`s whose size is computed and that come after an instruction on every path to them.
fn arrays_after<'m>(function: &'m Function, cfg: &Cfg<'m>, (block, index): (usize, usize)) -> Vec<&'m str> {
    let without = blocks_reached_without(cfg, block);
    let mut arrays = Vec::new();
    for (at, other) in function.blocks.iter().enumerate() {
        let first = if at == block { index } else { 0 };
        if at != block && without[at] {
            continue;
        }
        for instruction in &other.instructions[first..] {
            if let (InstructionKind::Alloca { count: Some(_), .. }, Some(name)) =
                (&instruction.kind, &instruction.result)
            {
                arrays.push(&**name);
            }
        }
    }
    arrays
}

/// The blocks that some path from the entry reaches without passing a block.
fn blocks_reached_without(cfg: &Cfg<'_>, block: usize) -> Vec<bool> {
    let mut reached = vec![false; cfg.successors.len()];
    let mut waiting = if block == 0 { Vec::new() } else { vec![0] };
    while let Some(at) = waiting.pop() {
        if at == block || std::mem::replace(&mut reached[at], true) {
            continue;
        }
        waiting.extend(cfg.successors[at].iter().copied());
    }
    reached
}
