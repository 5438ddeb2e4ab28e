//! Ways out of blocks: a jump goes straight to where it leads.
//!
//! Idea: where several jumps leave a block (`break`, `continue`, `return`, its end), clang gives each a
//! number, has all of them meet in one piece of code that ends the lives of the block's variables, and lets a
//! `switch` on the number tell them apart again. A path whose number is known takes that code along and goes
//! straight to its target: paths that C keeps apart are not merged.
//!
//! Invariant: only markers of lives, loads of the number and of a saved stack are written twice.

use crate::ir::{Block, Constant, Instruction, InstructionKind, Value};

use super::Step;
use super::function::FunctionTranslator;
use super::scopes::calls;

/// The slot of the numbers, by the beginning of its name.
const SLOT: &str = "cleanup.dest.slot";

/// Code that ends lives, and tells apart what met in it.
struct Cleanup<'m> {
    actions: &'m [Instruction],
    default: &'m str,
    cases: &'m [(Constant, std::sync::Arc<str>)],
}

impl<'m> FunctionTranslator<'_, 'm> {
    /// Where an unconditional jump from a block leads, and from which block it comes there, once the code on
    /// the way is written.
    pub fn follow_cleanups(&mut self, block: &'m Block, target: &'m str) -> Step<(&'m Block, &'m str)> {
        let position = self.builder.position;
        let (mut from, mut target) = (block, target);
        let function = self.function;
        if let Some(number) = last_number(block) {
            // Each block on the way is left for good, unless the program jumps in circles.
            for _ in 0..function.blocks.len() {
                let Some(&at) = self.labels.get(target) else { break };
                let Some(cleanup) = self.cleanup(&function.blocks[at]) else {
                    break;
                };
                for instruction in cleanup.actions {
                    self.move_to(instruction);
                    self.write_simple_instruction(instruction)?;
                }
                from = &function.blocks[at];
                let case = cleanup.cases.iter().find(|(case, _)| *case == *number);
                target = case.map_or(cleanup.default, |(_, label)| label);
            }
        }
        self.builder.position = position;
        Ok((from, target))
    }

    /// The block as such code, where it is nothing else.
    fn cleanup(&self, block: &'m Block) -> Option<Cleanup<'m>> {
        let (last, actions) = block.instructions.split_last()?;
        let InstructionKind::Switch {
            value: (_, Value::Local(number)),
            default,
            cases,
        } = &last.kind
        else {
            return None;
        };
        let definition = self.definitions.get(&**number)?;
        let is_own = matches!(&definition.kind, InstructionKind::Load { pointer, .. } if is_slot(pointer));
        let all_end_lives = actions.iter().all(|action| self.ends_lives(action));
        (is_own && all_end_lives).then_some(Cleanup {
            actions,
            default,
            cases,
        })
    }

    fn ends_lives(&self, instruction: &Instruction) -> bool {
        let name = instruction.result.as_deref().unwrap_or_default();
        match &instruction.kind {
            InstructionKind::Load {
                pointer: Value::Local(slot),
                ..
            } => self.locals.contains_key(&**slot),
            InstructionKind::Cast { .. } => self.marker_casts.contains_key(name),
            kind => calls(kind, "llvm.lifetime.end") || calls(kind, "llvm.stackrestore"),
        }
    }
}

fn is_slot(pointer: &Value) -> bool {
    matches!(pointer, Value::Local(name) if name.starts_with(SLOT))
}

/// The number that a block leaves in the slot.
fn last_number(block: &Block) -> Option<&Constant> {
    let mut stores = block
        .instructions
        .iter()
        .rev()
        .filter_map(|instruction| match &instruction.kind {
            InstructionKind::Store { value, pointer, .. } if is_slot(pointer) => Some(value),
            _ => None,
        });
    match stores.next()? {
        Value::Constant(constant) => Some(constant),
        _ => None,
    }
}
