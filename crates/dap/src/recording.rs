//! A counterexample as a debugger sees it: positions, and ways from one to another.
//!
//! Idea: a position is a step that is about to be done. All that is asked of a position is found without
//! following the run from its start, so every motion goes both ways. A run that goes on for ever has its
//! loop's steps again and again; the round says how often it was gone through.
//!
//! Invariant: a position is a step of the run; no motion looks at more steps than two rounds have.

use kripke_model::{Step, StepKind};
use kripke_report::{Lanes, lanes};

use crate::report::Counterexample;
use crate::stacks::{FrameId, Instruction, Stacks};
use crate::variables::Variables;

/// Where a debugger stands: before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The step.
    pub step: usize,
    /// How often the run has come back to the start of its loop.
    pub round: u32,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As the run goes.
    Forward,
    /// Against it.
    Back,
}

/// How far one motion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the next line, wherever it is.
    Into,
    /// To the next line of this call or its caller, in this thread.
    Over,
    /// To the caller, or to what a handler interrupted.
    Out,
    /// One step of the run: an instruction, or what the trace tells of a statement.
    Single,
    /// Until something stops it.
    Free,
}

/// Why a motion ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It went as far as was asked.
    Arrived,
    /// The last step of the run.
    End,
    /// The first one.
    Start,
    /// What the caller looks for.
    Found(&'static str, String),
}

/// A counterexample that can be gone through.
#[derive(Debug)]
pub struct Recording {
    /// What it is of, and its steps.
    pub of: Counterexample,
    /// Its threads and handlers.
    pub lanes: Lanes,
    /// Its calls.
    pub stacks: Stacks,
    /// Its variables.
    pub variables: Variables,
    /// Whether any step has a line.
    has_lines: bool,
}

impl Recording {
    /// Of a counterexample.
    pub fn new(of: Counterexample) -> Self {
        let lanes = lanes(&of.trace);
        let stacks = Stacks::new(&of.trace.steps, &lanes);
        let variables = Variables::new(&of.trace, &stacks);
        let has_lines = of.trace.steps.iter().any(|step| step.place.line > 0);
        Recording {
            of,
            lanes,
            stacks,
            variables,
            has_lines,
        }
    }

    /// All steps.
    pub fn steps(&self) -> &[Step] {
        &self.of.trace.steps
    }

    /// A step; there is always one at a position.
    pub fn step(&self, step: usize) -> Option<&Step> {
        self.of.trace.steps.get(step)
    }

    /// Whether it is of machine code.
    pub fn is_firmware(&self) -> bool {
        let is_instruction = |step: &Step| matches!(step.kind, StepKind::Instruction { .. });
        self.steps().iter().any(is_instruction)
    }

    /// The lane of a step.
    pub fn lane(&self, step: usize) -> usize {
        self.lanes.of.get(step).copied().unwrap_or(0)
    }

    /// Where the run begins: at the first step that has a line.
    pub fn start(&self) -> Position {
        let step = (0..self.steps().len())
            .find(|&step| self.is_stop(step))
            .unwrap_or(0);
        Position { step, round: 0 }
    }

    /// Its last step.
    pub fn last(&self) -> usize {
        self.steps().len().saturating_sub(1)
    }

    /// The position after one.
    pub fn after(&self, at: Position) -> Option<Position> {
        if at.step < self.last() {
            return Some(Position {
                step: at.step + 1,
                ..at
            });
        }
        let step = self.of.trace.loop_start?;
        Some(Position {
            step,
            round: at.round.saturating_add(1),
        })
    }

    /// The position before one.
    pub fn before(&self, at: Position) -> Option<Position> {
        if at.round > 0 && self.of.trace.loop_start == Some(at.step) {
            return Some(Position {
                step: self.last(),
                round: at.round - 1,
            });
        }
        let step = at.step.checked_sub(1)?;
        Some(Position { step, ..at })
    }

    fn moved(&self, at: Position, way: Way) -> Option<Position> {
        match way {
            Way::Forward => self.after(at),
            Way::Back => self.before(at),
        }
    }

    /// Does stepping by lines stop at such a step? Not where a function returns, which is noted at its head.
    fn is_stop(&self, step: usize) -> bool {
        let Some(step) = self.step(step) else { return false };
        match &step.kind {
            StepKind::Violation { .. } => true,
            StepKind::Return { .. } | StepKind::Letter { .. } | StepKind::End { .. } => false,
            StepKind::Environment { message } if message.ends_with("goes on") => false,
            StepKind::Environment { message } if message.contains(" begins in ") => false,
            _ => step.place.line > 0 || !self.has_lines,
        }
    }

    /// What tells one line of a call from another.
    fn line(&self, step: usize) -> (usize, Option<FrameId>, u32) {
        let line = self.step(step).map_or(0, |step| step.place.line);
        let line = if self.has_lines { line } else { step as u32 };
        (self.lane(step), self.stacks.before(step), line)
    }

    /// Goes on from a position until the stride is done or something is found.
    pub fn go(
        &self,
        from: Position,
        way: Way,
        stride: Stride,
        looked_for: &mut dyn FnMut(Position) -> Option<Stop>,
    ) -> (Position, Stop) {
        let mut at = from;
        if way == Way::Back {
            // All rounds are alike; more than one need not be gone back.
            at.round = at.round.min(1);
        }
        let start = self.start();
        for _ in 0..=2 * self.steps().len() {
            if way == Way::Back && stride != Stride::Single && at == start {
                return (at, Stop::Start);
            }
            let Some(next) = self.moved(at, way) else { break };
            at = next;
            if let Some(stop) = looked_for(at) {
                return (at, stop);
            }
            if self.is_violation(at.step) && way == Way::Forward && stride != Stride::Single {
                return (at, Stop::End);
            }
            if self.is_far_enough(from, at, stride) {
                return (self.begun(at, way, stride), Stop::Arrived);
            }
            if way == Way::Forward && at.step == self.last() {
                return (at, Stop::End);
            }
        }
        let stop = match way {
            Way::Forward => Stop::End,
            Way::Back => Stop::Start,
        };
        (at, stop)
    }

    fn is_violation(&self, step: usize) -> bool {
        let kind = self.step(step).map(|step| &step.kind);
        matches!(kind, Some(StepKind::Violation { .. }))
    }

    fn is_far_enough(&self, from: Position, at: Position, stride: Stride) -> bool {
        let is_elsewhere = self.is_stop(at.step) && self.line(at.step) != self.line(from.step);
        let is_same_lane = self.lane(at.step) == self.lane(from.step);
        let (height, before) = (self.stacks.height(at.step), self.stacks.height(from.step));
        match stride {
            Stride::Single => true,
            Stride::Free => false,
            Stride::Into => is_elsewhere,
            Stride::Over => is_elsewhere && (is_same_lane && height <= before || self.has_ended(from, at)),
            Stride::Out => {
                self.is_stop(at.step) && (is_same_lane && height < before || self.has_ended(from, at))
            }
        }
    }

    /// Has the handler in which the motion began returned?
    fn has_ended(&self, from: Position, at: Position) -> bool {
        let is_handler = |step: usize| {
            let name = self.lanes.names.get(self.lane(step));
            name.is_some_and(|name| name.ends_with("(interrupt)"))
        };
        let depth = |step: usize| self.step(step).map_or(0, |step| step.depth);
        is_handler(from.step)
            && self.lane(at.step) != self.lane(from.step)
            && depth(at.step) < depth(from.step)
    }

    /// Going back by lines ends at the beginning of the line.
    fn begun(&self, mut at: Position, way: Way, stride: Stride) -> Position {
        if way == Way::Forward || stride == Stride::Single {
            return at;
        }
        let line = self.line(at.step);
        while let Some(before) = self.before(at) {
            if !self.is_stop(before.step) || self.line(before.step) != line {
                break;
            }
            at = before;
        }
        at
    }

    /// Is this where a line is come to, rather than gone on with?
    pub fn is_arrival(&self, step: usize) -> bool {
        if !self.is_stop(step) {
            return false;
        }
        let (last, _) = self.stacks.around(self.lane(step), step);
        let Some(last) = last else { return true };
        let address = |step: usize| self.instruction(step).map(|at| at.address);
        let goes_back = address(step)
            .zip(address(last))
            .is_some_and(|(at, last)| at <= last);
        self.line(last) != self.line(step) || goes_back
    }

    /// The instruction of a step, or the next one in its lane.
    pub fn instruction(&self, step: usize) -> Option<Instruction<'_>> {
        if let Some(at) = self.step(step).and_then(Instruction::of) {
            return Some(at);
        }
        let (last, _) = self.stacks.around(self.lane(step), step);
        let next = self.stacks.around(self.lane(step), step + 1).1;
        let found = next.or(last).and_then(|step| self.step(step));
        found.and_then(Instruction::of)
    }

    /// The step of a lane from one of its steps on in which it does something itself.
    pub fn next_in_lane(&self, lane: usize, mut from: Option<usize>) -> Option<usize> {
        while let Some(step) = from {
            let kind = self.step(step).map(|step| &step.kind);
            if !matches!(kind, Some(StepKind::Environment { .. })) {
                break;
            }
            from = self.stacks.around(lane, step + 1).1;
        }
        from
    }

    /// Is it the first step of a function?
    pub fn is_entry(&self, step: usize, function: &str) -> bool {
        if let Some(at) = self.step(step).and_then(Instruction::of) {
            let is_mapped = self
                .step(step)
                .is_some_and(|step| step.place.function == function);
            return at.is_start && (at.symbol == function || is_mapped);
        }
        let frame = self.stacks.before(step).and_then(|id| self.stacks.frame(id));
        let is_first = |first: usize| {
            let (last, _) = self.stacks.around(self.lane(step), step);
            last.is_none_or(|last| last < first)
        };
        frame.is_some_and(|frame| frame.function == function && is_first(frame.first))
    }

    /// What is said when a step is passed, if it is of interest, and whether the program says it.
    pub fn remark(&self, step: usize) -> Option<(String, bool)> {
        match &self.step(step)?.kind {
            StepKind::Output { text } => Some((text.clone(), true)),
            StepKind::Environment { message } | StepKind::End { message } => {
                Some((format!("{message}\n"), false))
            }
            StepKind::Input { source, value, .. } => {
                Some((format!("input: {source} = {}\n", value.text), false))
            }
            StepKind::Letter {
                number, atoms, value, ..
            } => {
                let atoms = atoms.iter().map(|(name, is_true)| format!("{name}: {is_true}"));
                let atoms: Vec<String> = atoms.collect();
                Some((
                    format!("letter {number}: {}; the formula {value}\n", atoms.join(", ")),
                    false,
                ))
            }
            _ => None,
        }
    }

    /// What is violated, in a sentence.
    pub fn violation(&self) -> String {
        let message = self.steps().last().and_then(|step| match &step.kind {
            StepKind::Violation { message, .. } | StepKind::End { message } => Some(message.as_str()),
            _ => None,
        });
        let what = match &self.of.formula {
            Some(formula) => formula,
            None => &self.of.description,
        };
        match message {
            Some(message) if message != what => format!("{what}: {message}"),
            _ => what.clone(),
        }
    }
}
