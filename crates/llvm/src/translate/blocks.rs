//! Objects that live while a block of the C program is executed, and that clang does not mark.
//!
//! Idea: clang gives compound literals no markers of life, nor variables whose declaration a jump passes by
//! (`goto`, `switch`). The debug information says which block such an object belongs to, and of each
//! instruction in which block it is: where control comes into the block the life begins, where it leaves,
//! it ends. An object that is used outside its block, as far as that is known, lives as long as its function.
//!
//! Source: C11 6.2.4 paragraph 6 and 6.5.2.5 paragraph 5.

use rustc_hash::FxHashMap;

use crate::debug_info::DebugInfo;
use crate::ir::{Block, Function, Instruction, InstructionKind, Value};

use super::cfg::Cfg;
use super::must_flow::{Bits, certain_at_start};
use super::operands::for_each_operand;
use super::scopes::static_slots;

/// What clang calls the objects of compound literals.
pub const COMPOUND_LITERAL: &str = ".compoundliteral";

/// The objects of a function that live in blocks.
#[derive(Debug, Default)]
pub struct BlockObjects<'m> {
    /// The slots; their places are their numbers.
    slots: Vec<&'m str>,
    /// For each location of an instruction: the objects whose blocks it is in.
    inside: FxHashMap<u32, Bits>,
    at_start: Vec<Bits>,
    current: Bits,
}

/// A change at a step of control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crossing<'m> {
    /// Objects whose lives end.
    pub ends: Vec<&'m str>,
    /// Objects whose lives begin.
    pub begins: Vec<&'m str>,
}

impl<'m> BlockObjects<'m> {
    /// Finds the objects; `declarations` are the nodes of declared variables, `is_other` tells slots that
    /// need no block.
    pub fn new(
        function: &'m Function,
        cfg: &Cfg<'m>,
        debug: &DebugInfo<'_>,
        declarations: &FxHashMap<&'m str, u32>,
        is_other: impl Fn(&str) -> bool,
    ) -> Self {
        let mut slots: Vec<(&str, u32)> = Vec::new();
        for slot in static_slots(function).into_iter().filter(|slot| !is_other(slot)) {
            let scope = match declarations.get(slot) {
                Some(&declaration) => debug.scope(declaration),
                None if slot.starts_with(COMPOUND_LITERAL) => scope_of_first_use(function, debug, slot),
                None => None,
            };
            slots.extend(
                scope
                    .filter(|&scope| debug.is_block(scope))
                    .map(|scope| (slot, scope)),
            );
        }
        slots.sort_unstable();
        let mut found = BlockObjects::of_slots(function, cfg, debug, &slots);
        let strays = found.used_outside(function, cfg);
        if !strays.is_empty() {
            slots.retain(|(slot, _)| !strays.contains(slot));
            found = BlockObjects::of_slots(function, cfg, debug, &slots);
        }
        found
    }

    fn of_slots(function: &Function, cfg: &Cfg<'_>, debug: &DebugInfo<'_>, slots: &[(&'m str, u32)]) -> Self {
        let mut found = BlockObjects {
            slots: slots.iter().map(|(slot, _)| *slot).collect(),
            ..BlockObjects::default()
        };
        if slots.is_empty() {
            return found;
        }
        for location in instructions(function).filter_map(|instruction| instruction.debug) {
            if found.inside.contains_key(&location) {
                continue;
            }
            let Some(scope) = debug.scope(location) else {
                continue;
            };
            let mut bits = Bits::empty(slots.len());
            for (number, (_, block)) in slots.iter().enumerate() {
                bits.set(number, debug.is_inside(scope, *block));
            }
            found.inside.insert(location, bits);
        }
        found.at_start = certain_at_start(function, cfg, slots.len(), |instruction, state| {
            if let Some(inside) = found.inside_at(instruction) {
                state.clone_from(inside);
            }
        });
        found
    }

    fn inside_at(&self, instruction: &Instruction) -> Option<&Bits> {
        self.inside.get(&instruction.debug?)
    }

    /// The objects that some instruction uses where it is not in their blocks.
    fn used_outside(&self, function: &Function, cfg: &Cfg<'_>) -> Vec<&'m str> {
        let mut strays = Vec::new();
        if self.slots.is_empty() {
            return strays;
        }
        for &block in &cfg.order {
            let mut state = self.at_start[block].clone();
            for instruction in &function.blocks[block].instructions {
                if let Some(inside) = self.inside_at(instruction) {
                    state.clone_from(inside);
                }
                for_each_operand(&instruction.kind, |operand| {
                    if let Value::Local(name) = operand
                        && let Some(number) = self.slots.iter().position(|slot| **slot == **name)
                        && !state.has(number)
                    {
                        strays.push(self.slots[number]);
                    }
                });
            }
        }
        strays
    }

    /// Does the object live in a block?
    pub fn contains(&self, slot: &str) -> bool {
        self.slots.contains(&slot)
    }

    /// Does the object certainly live where the translation is?
    pub fn lives(&self, slot: &str) -> bool {
        let number = self.slots.iter().position(|known| *known == slot);
        number.is_none_or(|number| self.current.has(number))
    }

    /// The translation comes to a block; the edges to it make what its first location needs. The entry has
    /// no edge.
    pub fn enter_block(&mut self, number: usize, block: &Block) {
        let first = self.first_inside(block).filter(|_| number != 0);
        if let Some(state) = first.or_else(|| self.at_start.get(number)) {
            self.current = state.clone();
        }
    }

    fn first_inside(&self, block: &Block) -> Option<&Bits> {
        block
            .instructions
            .iter()
            .find_map(|instruction| self.inside_at(instruction))
    }

    /// The translation comes to an instruction.
    pub fn pass(&mut self, instruction: &Instruction) -> Crossing<'m> {
        let Some(inside) = self.inside_at(instruction).cloned() else {
            return Crossing::default();
        };
        let crossing = self.crossing(&inside);
        self.current = inside;
        crossing
    }

    /// Control passes from where the translation is to a block.
    pub fn pass_edge(&self, to: &Block) -> Crossing<'m> {
        self.first_inside(to)
            .map_or_else(Crossing::default, |inside| self.crossing(inside))
    }

    fn crossing(&self, inside: &Bits) -> Crossing<'m> {
        let mut crossing = Crossing::default();
        for (number, slot) in self.slots.iter().enumerate() {
            match (self.current.has(number), inside.has(number)) {
                (true, false) => crossing.ends.push(slot),
                (false, true) => crossing.begins.push(slot),
                _ => {}
            }
        }
        crossing
    }
}

fn instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}

/// The block that a compound literal stands in: that of the instruction that uses it first.
fn scope_of_first_use(function: &Function, debug: &DebugInfo<'_>, slot: &str) -> Option<u32> {
    let first = instructions(function).find(|instruction| {
        let mut uses = false;
        for_each_operand(&instruction.kind, |operand| {
            uses |= matches!(operand, Value::Local(name) if **name == *slot);
        });
        uses && !matches!(instruction.kind, InstructionKind::DebugDeclare { .. })
    })?;
    debug.scope(first.debug?)
}
