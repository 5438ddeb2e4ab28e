//! Which loop an invariant belongs to, and whether it is checked at that loop's head or where it stands.
//!
//! Idea: a statement belongs to the loop that follows it directly, else, if it is the first statement of a
//! loop's body, to that loop; a clause always to the loop whose body it begins. Where a loop begins in the
//! source says the location of the branch that goes back to its head. An invariant elsewhere in a loop, or
//! one that speaks of an object that is declared in the body, stays where it stands.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ir::{Function, Instruction, InstructionKind, Metadata, MetadataField, Module, Value};
use crate::translate::cfg::literal_condition;
use crate::translate::operands::for_each_operand;

use super::flow::{Flow, Loop};
use super::region::{At, Region};
use super::{Refusal, callee};

/// Where an invariant is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the head of a loop: the label of its block.
    Head(Arc<str>),
    /// Where it stands.
    Here,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    at: (i128, i128),
    scope: Option<u32>,
}

/// How far a chain of scopes is followed.
const MAX_SCOPES: usize = 4096;

/// What the decisions of one function rest on.
pub(super) struct Places<'f> {
    module: &'f Module,
    function: &'f Function,
    flow: &'f Flow,
    /// The instructions of all its invariants, and of which each is.
    regions: &'f [Region],
    /// Where those stand in the source.
    own_places: FxHashSet<(i128, i128)>,
}

impl<'f> Places<'f> {
    pub fn new(module: &'f Module, function: &'f Function, flow: &'f Flow, regions: &'f [Region]) -> Self {
        let mut places = Places {
            module,
            function,
            flow,
            regions,
            own_places: FxHashSet::default(),
        };
        let inside = regions.iter().flat_map(|region| region.instructions(function));
        let own = inside.filter_map(|at| places.location(places.instruction(at)));
        places.own_places = own.map(|location| location.at).collect();
        places
    }

    /// Where an invariant is checked.
    pub fn of(&self, region: &Region, is_clause: bool) -> Result<Place, Refusal> {
        let block = region.begin.0;
        let around = self.flow.innermost(block, |_| true);
        let head = around.map(|around| around.head);
        if head != Some(block) && self.flow.repeats_without(block, head.as_slice()) {
            return Err("stands in a loop that is entered elsewhere than at its head".to_owned());
        }
        if !is_clause && let Some(following) = self.following(region, around) {
            return Ok(self.head(following));
        }
        match around {
            Some(around) if self.is_first(region, around) && !self.needs_body(region, around) => {
                Ok(self.head(around))
            }
            // A clause of a loop that never repeats, or code that nothing reaches.
            None if is_clause || self.flow.predecessors[block].is_empty() && block != 0 => Ok(Place::Here),
            Some(_) => Ok(Place::Here),
            None => Err("belongs to no loop: write it directly before one, or first in its body".to_owned()),
        }
    }

    fn head(&self, of: &Loop) -> Place {
        Place::Head(self.function.blocks[of.head].label.clone())
    }

    fn instruction(&self, (block, at): At) -> &'f Instruction {
        &self.function.blocks[block].instructions[at]
    }

    /// The loop that follows an invariant in the same block of the source; directly, where the invariant is
    /// inside of another.
    fn following(&self, region: &Region, around: Option<&Loop>) -> Option<&'f Loop> {
        let marker = self.location(self.instruction(region.begin))?;
        let same_depth = |of: &&Loop| {
            let outer = self.flow.innermost(of.head, |other| other.head != of.head);
            !of.members[region.begin.0] && outer.map(|outer| outer.head) == around.map(|around| around.head)
        };
        let begins = |of: &'f Loop| Some((self.begin_of(of, &marker)?, of));
        let candidates = self.flow.loops.iter().filter(same_depth).filter_map(begins);
        let (begin, following) = candidates.min_by_key(|(begin, _)| *begin)?;
        match around.is_some() && self.something_between(marker.at, begin) {
            true => None,
            false => Some(following),
        }
    }

    /// Where a loop begins, if that is behind a marker and in the same block of the source.
    fn begin_of(&self, of: &Loop, marker: &Location) -> Option<(i128, i128)> {
        let latches = of.latches.iter().filter_map(|latch| {
            let last = self.function.blocks[*latch].instructions.last()?;
            self.location(last)
        });
        let begin = latches.min_by_key(|location| location.at)?;
        let is_behind = begin.at >= marker.at && self.is_inside(begin.scope, marker);
        is_behind.then_some(begin.at)
    }

    /// Is the first scope of a chain that does not begin behind the marker the marker's own?
    fn is_inside(&self, mut scope: Option<u32>, marker: &Location) -> bool {
        for _ in 0..MAX_SCOPES {
            if scope == marker.scope {
                return true;
            }
            let Some(node) = scope.and_then(|scope| self.module.metadata.get(&scope)) else {
                return false;
            };
            if node.kind() != "DILexicalBlock" || position(node) < marker.at {
                return false;
            }
            scope = field(node, "scope");
        }
        false
    }

    /// Does anything that belongs to no invariant stand between two places of the source?
    fn something_between(&self, from: (i128, i128), to: (i128, i128)) -> bool {
        let all = self.function.blocks.iter().flat_map(|block| &block.instructions);
        all.filter(|instruction| !is_ignorable(instruction))
            .any(|instruction| {
                let location = self.location(instruction);
                location.is_some_and(|location| {
                    location.at > from && location.at < to && !self.own_places.contains(&location.at)
                })
            })
    }

    /// Is an invariant the first thing that the body of a loop does? Then what comes before it is the loop's
    /// condition, which leaves the loop where it fails, and other invariants.
    fn is_first(&self, region: &Region, of: &Loop) -> bool {
        let mut at = region.begin;
        // Each step goes back by a block at least.
        for _ in 0..=self.function.blocks.len() {
            let (block, position) = at;
            let before = (0..position).rev().find(|at| !self.is_passed((block, *at)));
            if let Some(before) = before {
                match self.region_of((block, before)) {
                    Some(other) => at = other.begin,
                    None => return false,
                }
                continue;
            }
            if block == of.head {
                return true;
            }
            let [from] = self.flow.predecessors[block][..] else {
                return false;
            };
            if self.flow.successors[from]
                .iter()
                .any(|to| !of.members[*to] && !self.reports(*to))
            {
                return true;
            }
            at = (from, self.function.blocks[from].instructions.len());
        }
        false
    }

    /// Does a block only report undefined behaviour?
    fn reports(&self, block: usize) -> bool {
        let last = self.function.blocks[block].instructions.last();
        last.is_some_and(|last| matches!(last.kind, InstructionKind::Unreachable))
    }

    /// Does nothing happen at an instruction?
    fn is_passed(&self, at: At) -> bool {
        let instruction = self.instruction(at);
        match &instruction.kind {
            InstructionKind::Branch { .. } => true,
            InstructionKind::ConditionalBranch { condition, .. } => literal_condition(condition).is_some(),
            _ => is_ignorable(instruction),
        }
    }

    fn region_of(&self, at: At) -> Option<&Region> {
        let mut regions = self.regions.iter();
        regions.find(|region| region.instructions(self.function).contains(&at))
    }

    /// Does an invariant use an object whose life begins in the loop?
    fn needs_body(&self, region: &Region, of: &Loop) -> bool {
        let inside: FxHashSet<At> = region.instructions(self.function).into_iter().collect();
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for &(block, at) in &inside {
            for_each_operand(&self.function.blocks[block].instructions[at].kind, |value| {
                if let Value::Local(name) = value {
                    used.insert(name);
                }
            });
        }
        let mut born = false;
        for (block, code) in self
            .function
            .blocks
            .iter()
            .enumerate()
            .filter(|(block, _)| of.members[*block])
        {
            for (at, instruction) in code.instructions.iter().enumerate() {
                let begins_life =
                    callee(&instruction.kind).is_some_and(|name| name.starts_with("llvm.lifetime.start"));
                if begins_life && !inside.contains(&(block, at)) {
                    for_each_operand(&instruction.kind, |value| {
                        born |= matches!(value, Value::Local(name) if used.contains(self.object_of(name)));
                    });
                }
            }
        }
        born
    }

    /// What a pointer was cast from (old versions of LLVM begin lives by pointers to bytes).
    fn object_of(&self, name: &'f str) -> &'f str {
        let mut all = self.function.blocks.iter().flat_map(|block| &block.instructions);
        let made = all.find(|instruction| instruction.result.as_deref() == Some(name));
        match made.map(|made| &made.kind) {
            Some(InstructionKind::Cast {
                value: Value::Local(from),
                ..
            }) => from,
            _ => name,
        }
    }

    /// Where an instruction stands in the source.
    fn location(&self, instruction: &Instruction) -> Option<Location> {
        let node = self.module.metadata.get(&instruction.debug?)?;
        let at = position(node);
        (at.0 > 0).then(|| Location {
            at,
            scope: field(node, "scope"),
        })
    }
}

/// Does an instruction only say something of an object?
fn is_ignorable(instruction: &Instruction) -> bool {
    match &instruction.kind {
        InstructionKind::DebugDeclare { .. } | InstructionKind::DebugValue { .. } => true,
        InstructionKind::Cast { .. } => true,
        kind => callee(kind).is_some_and(|name| name.starts_with("llvm.lifetime.start")),
    }
}

fn position(node: &Metadata) -> (i128, i128) {
    let number = |name: &str| match node.field(name) {
        Some(MetadataField::Int(number)) => *number,
        _ => 0,
    };
    (number("line"), number("column"))
}

fn field(node: &Metadata, name: &str) -> Option<u32> {
    match node.field(name)? {
        MetadataField::Node(number) => Some(*number),
        _ => None,
    }
}
