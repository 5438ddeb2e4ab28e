//! What the liveness analysis rests on, in a form that a run can be compared with, step by step.
//!
//! Invariant: a run for which all questions here are answered with yes is one for which what
//! [`super::Liveness`] says is right.

use std::collections::{BTreeMap, BTreeSet};

use super::given::Given;
use super::origins::Functions;
use crate::cfg::Cfg;
use crate::core::address;
use crate::flow::{EdgeKind, Reach, Start};
use crate::instruction::Operation as Op;

/// What was foreseen of a load or a store through a pointer.
#[derive(Debug, Clone, Default)]
struct Access {
    /// How far above the stack pointer.
    offsets: BTreeSet<i16>,
    /// Anywhere on the stack.
    stack: bool,
    /// Registers.
    registers: bool,
}

/// What was foreseen.
#[derive(Debug, Clone, Default)]
pub(super) struct Foresight {
    /// Where instructions lead that take their target from registers or from the stack.
    steps: BTreeMap<u32, BTreeSet<u32>>,
    /// Returns of handlers, which may lead wherever an interrupt may come.
    from_handlers: BTreeSet<u32>,
    interruptible: BTreeSet<u32>,
    accesses: BTreeMap<u32, Access>,
}

impl Foresight {
    pub fn new(cfg: &Cfg, given: &Given, functions: &Functions<'_>) -> Self {
        let mut found = Self::default();
        found.add_steps(cfg);
        for activation in cfg.flow.activations.values() {
            let points = activation.points.iter();
            let open = points.filter(|point| functions.is_interruptible(activation, point));
            found.interruptible.extend(open.map(|point| point.at));
        }
        for (at, reaches) in &cfg.flow.reaches {
            let offsets = reaches.iter().filter_map(|reach| match reach {
                Reach::Stack { offset, .. } => Some(*offset),
                _ => None,
            });
            let access = Access {
                offsets: offsets.collect(),
                stack: given.stack_loads.contains(at) || given.stores.contains(at),
                registers: given.register_loads.contains(at) || given.stores.contains(at),
            };
            if !access.offsets.is_empty() || access.stack || access.registers {
                found.accesses.insert(*at, access);
            }
        }
        found
    }

    fn add_steps(&mut self, cfg: &Cfg) {
        let mut back: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for call in cfg
            .flow
            .activations
            .values()
            .flat_map(|activation| &activation.calls)
        {
            let returns = cfg.nodes[&call.at].successors.iter();
            let returns = returns.filter(|(_, kind)| *kind == EdgeKind::Return);
            let places: Vec<u32> = returns.map(|(to, _)| *to).collect();
            for target in &call.targets {
                back.entry(*target).or_default().extend(&places);
            }
        }
        for (entry, activation) in &cfg.flow.activations {
            for point in &activation.points {
                let node = &cfg.nodes[&point.at];
                let operation = node.instruction.operation;
                if !matches!(operation, Op::Ret | Op::Reti | Op::Ijmp | Op::Icall) {
                    continue;
                }
                let steps = self.steps.entry(point.at).or_default();
                steps.extend(&node.calls);
                if operation != Op::Icall {
                    steps.extend(node.successors.iter().map(|(to, _)| *to));
                }
                if matches!(operation, Op::Ret | Op::Reti) {
                    steps.extend(back.get(entry).into_iter().flatten());
                    if let Start::Interrupt(_) = activation.start {
                        self.from_handlers.insert(point.at);
                    }
                }
            }
        }
    }

    pub fn step(&self, from: u32, to: u32) -> bool {
        let Some(steps) = self.steps.get(&from) else {
            return true;
        };
        steps.contains(&to) || self.from_handlers.contains(&from) && self.interruptible.contains(&to)
    }

    pub fn interrupt(&self, at: u32) -> bool {
        self.interruptible.contains(&at)
    }

    pub fn load(&self, at: u32, address: u16, stack_pointer: u16) -> bool {
        self.access(at, address, stack_pointer, is_register(address))
    }

    pub fn store(&self, at: u32, address: u16, stack_pointer: u16) -> bool {
        let controls = matches!(address, address::SPL | address::SPH);
        self.access(at, address, stack_pointer, is_register(address) || controls)
    }

    fn access(&self, at: u32, address: u16, stack_pointer: u16, is_register: bool) -> bool {
        if !is_register && address <= stack_pointer {
            return true;
        }
        self.accesses.get(&at).is_some_and(|access| {
            if is_register {
                return access.registers;
            }
            let offset = address.wrapping_sub(stack_pointer) as i16;
            access.stack || access.offsets.contains(&offset)
        })
    }
}

fn is_register(address: u16) -> bool {
    address < 32 || address == address::SREG
}
