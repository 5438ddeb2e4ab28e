//! The result of the analysis, when nothing changes any longer.
//!
//! Idea: every state is taken through one more step, and what it shows is noted: edges, calls, places,
//! issues. So nothing is noted of assumptions that were given up on the way.

use std::collections::{BTreeMap, BTreeSet};

use super::state::State;
use super::transfer::{Outcome, step};
use super::value::{Byte, Level, Word};
use super::{
    Activation, Analysis, Call, EdgeKind, Height, Indirect, Issue, IssueKind, Point, Reach, Resolution,
    Start, ZERO,
};
use crate::instruction::{Instruction, Operation, Pointer};

/// Edges and targets, gathered when everything is known.
#[derive(Default)]
pub(super) struct Found {
    pub edges: BTreeSet<(u32, u32, EdgeKind)>,
    pub indirect: BTreeMap<u32, Indirect>,
    pub self_programming: Vec<u32>,
    pub trusted: BTreeSet<u32>,
    pub reaches: BTreeMap<u32, BTreeSet<Reach>>,
    pub values: BTreeMap<u32, [Option<u8>; 32]>,
}

impl Analysis<'_> {
    /// Goes through all states once more, when nothing changes any longer.
    pub(super) fn results(&mut self) -> (BTreeMap<u32, Activation>, Found) {
        let mut found = Found::default();
        let mut activations = BTreeMap::new();
        for (entry, work) in &self.work {
            let handler = self.handlers.iter().find(|(_, word)| word == entry);
            let start = match handler {
                _ if *entry == 0 => Start::Reset,
                Some((index, _)) => Start::Interrupt(*index),
                None => Start::Call,
            };
            let activation = Activation {
                entry: *entry,
                start,
                points: Vec::new(),
                calls: Vec::new(),
                issues: BTreeSet::new(),
                returns: work.exit.is_some(),
            };
            activations.insert(*entry, activation);
        }
        let entries: Vec<u32> = activations.keys().copied().collect();
        for entry in entries {
            let work = &self.work[&entry];
            let growing = work.growing.clone();
            let states: Vec<_> = work
                .states
                .iter()
                .map(|(key, state)| (*key, state.clone()))
                .collect();
            let Some(activation) = activations.get_mut(&entry) else {
                continue;
            };
            for at in growing {
                let kind = IssueKind::GrowingStack;
                activation.issues.insert(Issue { at, kind });
            }
            for ((at, height), state) in states {
                self.gather(activation, &mut found, (at, height), &state);
            }
        }
        found.self_programming.sort_unstable();
        found.self_programming.dedup();
        (activations, found)
    }

    fn gather(
        &mut self,
        activation: &mut Activation,
        found: &mut Found,
        (at, height): (u32, Height),
        state: &State,
    ) {
        let (level, pending) = (state.level, state.pending);
        let point = Point {
            at,
            height,
            level,
            pending,
        };
        activation.points.push(point);
        let instruction = self.code.program[at as usize];
        let mut issue = |at, kind| {
            activation.issues.insert(Issue { at, kind });
        };
        if let Some(kind) = pointer_issue(&instruction, height, level) {
            issue(at, kind);
        }
        if instruction.operation == Operation::Spm {
            found.self_programming.push(at);
        }
        if matches!(instruction.operation, Operation::Ld | Operation::St) {
            let reach = reach(state, &instruction);
            found.reaches.entry(at).or_default().insert(reach);
        }
        found.add_values(at, state);
        let mut ways: Vec<(u32, EdgeKind)> = Vec::new();
        match step(&self.code, at, state) {
            Outcome::Flow(flow) => {
                ways.extend(flow.into_iter().map(|(to, kind, _)| (to, kind)));
            }
            Outcome::Jump(destination, _) => {
                let targets = self.jump_targets(activation.entry, at, height, &destination);
                if targets.is_none() {
                    issue(at, IssueKind::UnresolvedTarget);
                }
                let (targets, resolution) = targets.unwrap_or((Vec::new(), Resolution::Unresolved));
                found.add_indirect(at, &targets, resolution);
                ways.extend(targets.iter().map(|to| (*to, EdgeKind::Indirect)));
            }
            Outcome::Call(destination, state) => {
                let targets = self.call_targets(at, &destination);
                if targets.is_none() {
                    issue(at, IssueKind::UnresolvedTarget);
                }
                let (targets, resolution) = targets.unwrap_or((Vec::new(), Resolution::Unresolved));
                if instruction.operation == Operation::Icall {
                    found.add_indirect(at, &targets, resolution);
                }
                if targets.iter().any(|target| !self.code.has(*target)) {
                    issue(at, IssueKind::OutsideProgram);
                }
                let returns = |target: &u32| self.work.get(target).is_some_and(|work| work.exit.is_some());
                if targets.is_empty() || targets.iter().any(returns) {
                    ways.push((at + u32::from(instruction.words), EdgeKind::Return));
                }
                if state.cells[ZERO] == Byte::Constant(0) {
                    let trusted = targets.iter().filter(|target| !self.keeps_zero(**target));
                    found.trusted.extend(trusted);
                }
                let targets = targets.into_iter().filter(|target| *target != 0).collect();
                activation.calls.push(Call {
                    at,
                    height,
                    level: state.pending,
                    targets,
                });
            }
            Outcome::Return(_) | Outcome::SavedReturn(_) => {}
            Outcome::StrayReturn => issue(at, IssueKind::StrayReturn),
            Outcome::NoStack => issue(at, IssueKind::UnknownStackPointer),
            Outcome::Undefined => issue(at, IssueKind::Undefined),
        }
        for (to, kind) in ways {
            if self.code.has(to) {
                found.edges.insert((at, to, kind));
            } else {
                issue(at, IssueKind::OutsideProgram);
            }
        }
    }
}

impl Found {
    fn add_values(&mut self, at: u32, state: &State) {
        let values: [Option<u8>; 32] = std::array::from_fn(|number| state.cells[number].constant());
        let known = self.values.entry(at).or_insert(values);
        for (known, value) in known.iter_mut().zip(values) {
            if *known != value {
                *known = None;
            }
        }
    }

    fn add_indirect(&mut self, at: u32, targets: &[u32], resolution: Resolution) {
        let known = self.indirect.entry(at).or_insert(Indirect {
            targets: BTreeSet::new(),
            resolution,
            tables: BTreeSet::new(),
        });
        if let Resolution::Table(table) = resolution {
            known.tables.insert(table);
        }
        known.targets.extend(targets);
        known.resolution = known.resolution.max(resolution);
    }
}

/// What is wrong with the stack pointer before an instruction.
fn pointer_issue(instruction: &Instruction, height: Height, level: Level) -> Option<IssueKind> {
    use Operation as Op;
    match height {
        Height::Unknown => Some(IssueKind::UnknownStackPointer),
        Height::Between(..) if level > Level::Clear => Some(IssueKind::TornStackPointer),
        Height::Between(..) => match instruction.operation {
            Op::Out | Op::Sts | Op::Bset | Op::Bclr | Op::Nop => None,
            _ => Some(IssueKind::UnknownStackPointer),
        },
        _ => None,
    }
}

/// What a load or store through a pointer may reach.
fn reach(state: &State, instruction: &Instruction) -> Reach {
    let distance = match instruction.pointer() {
        Pointer::Plain => instruction.k as u16,
        Pointer::Decrement => 1_u16.wrapping_neg(),
        Pointer::Increment => 0,
    };
    let address = state.pair(instruction.r).plus(distance);
    match (address, state.place(address), state.height()) {
        (_, Some(place), Height::Entry(top)) => Reach::Stack {
            place,
            offset: place.wrapping_sub(top),
        },
        (Word::Constant(at), ..) => Reach::Data(at, at),
        (Word::Number(number), None, _) => match number.values() {
            Some(values) => {
                let (first, last) = values.fold((u16::MAX, 0), |(first, last), at| {
                    (u16::min(first, at), u16::max(last, at))
                });
                Reach::Data(first, last)
            }
            None => Reach::Anywhere,
        },
        _ => Reach::Anywhere,
    }
}
