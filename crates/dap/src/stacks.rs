//! The calls that are open at each step of a run, in each of its lanes.
//!
//! Idea: calls form a tree, which is kept as an arena; a step knows the innermost call before it and after
//! it, so the stack at any step is a walk outwards and no step has to be followed from the start. In C,
//! traces tell of calls and depths. In machine code, an instruction that calls opens one where the next
//! instruction of its lane is elsewhere (`rcall .+0` only makes room on the stack), and one that returns
//! closes it.
//!
//! Invariant: the innermost call of a step is less deep than the step, or as deep.

use kripke_model::{Step, StepKind};
use kripke_report::Lanes;

/// A call in the arena.
pub type FrameId = u32;

/// A call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What was called, as the run tells it.
    pub function: String,
    /// Who called.
    pub outer: Option<FrameId>,
    /// The step that called, where it is known.
    pub call: Option<usize>,
    /// How deep it is, as steps count.
    depth: u32,
    /// How many calls are open, this one included.
    pub height: u32,
    /// The first step in it.
    pub first: usize,
}

/// All calls of a run.
#[derive(Debug, Default)]
pub struct Stacks {
    frames: Vec<Frame>,
    /// The innermost call before each step, and after it.
    before: Vec<Option<FrameId>>,
    after: Vec<Option<FrameId>>,
    /// The steps of each lane.
    of_lane: Vec<Vec<usize>>,
}

impl Stacks {
    /// Follows a run.
    pub fn new(steps: &[Step], lanes: &Lanes) -> Self {
        let mut stacks = Stacks {
            of_lane: vec![Vec::new(); lanes.names.len()],
            ..Stacks::default()
        };
        for (step, &lane) in lanes.of.iter().enumerate() {
            stacks.of_lane[lane].push(step);
        }
        let mut tops = vec![None; lanes.names.len()];
        let mut seen = vec![0; lanes.names.len()];
        for (index, step) in steps.iter().enumerate() {
            let lane = lanes.of[index];
            seen[lane] += 1;
            let next = stacks.of_lane[lane].get(seen[lane]).copied();
            if let StepKind::Environment { message } = &step.kind
                && let Some(name) = message.strip_suffix(" arrives")
            {
                let handler = format!("{name} (interrupt)");
                if let Some(handler) = lanes.names.iter().position(|known| *known == handler) {
                    tops[handler] = None;
                }
            }
            let (before, after) = match &step.kind {
                StepKind::Instruction { .. } => stacks.instruction(steps, index, next, tops[lane], lane == 0),
                _ => stacks.statement(step, index, tops[lane]),
            };
            tops[lane] = after;
            stacks.before.push(before);
            stacks.after.push(after);
        }
        stacks
    }

    /// A call.
    pub fn frame(&self, id: FrameId) -> Option<&Frame> {
        self.frames.get(id as usize)
    }

    /// All calls, in the order in which they are made.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The innermost call before a step, in its lane.
    pub fn before(&self, step: usize) -> Option<FrameId> {
        self.before.get(step).copied().flatten()
    }

    /// The innermost call after a step, in its lane.
    pub fn after(&self, step: usize) -> Option<FrameId> {
        self.after.get(step).copied().flatten()
    }

    /// How many calls are open before a step, in its lane.
    pub fn height(&self, step: usize) -> u32 {
        self.before(step)
            .and_then(|id| self.frame(id))
            .map_or(0, |frame| frame.height)
    }

    /// The last step of a lane before a step, and the next one from it on.
    pub fn around(&self, lane: usize, step: usize) -> (Option<usize>, Option<usize>) {
        let Some(steps) = self.of_lane.get(lane) else {
            return (None, None);
        };
        let next = steps.partition_point(|&other| other < step);
        let last = next.checked_sub(1).and_then(|last| steps.get(last));
        (last.copied(), steps.get(next).copied())
    }

    fn open(
        &mut self,
        function: &str,
        outer: Option<FrameId>,
        call: Option<usize>,
        depth: u32,
        first: usize,
    ) -> FrameId {
        let height = outer
            .and_then(|id| self.frame(id))
            .map_or(0, |frame| frame.height)
            + 1;
        self.frames.push(Frame {
            function: function.to_owned(),
            outer,
            call,
            depth,
            height,
            first,
        });
        (self.frames.len() - 1) as FrameId
    }

    /// Outwards to a call that is not deeper.
    fn trimmed(&self, mut top: Option<FrameId>, depth: u32) -> Option<FrameId> {
        while let Some(frame) = top.and_then(|id| self.frame(id)) {
            if frame.depth <= depth {
                break;
            }
            top = frame.outer;
        }
        top
    }

    /// A step of a C program.
    fn statement(
        &mut self,
        step: &Step,
        index: usize,
        top: Option<FrameId>,
    ) -> (Option<FrameId>, Option<FrameId>) {
        let top = self.trimmed(top, step.depth);
        match &step.kind {
            StepKind::Call { function, .. } if function.starts_with("kripke ") => (top, top),
            StepKind::Call { function, .. } => {
                // What nothing calls is as deep as the step says; a call is noted where the caller is.
                let depth = step.depth.saturating_add(u32::from(step.place.line != 0));
                let outer = self.trimmed(top, depth.saturating_sub(1)).filter(|_| depth > 0);
                (
                    top,
                    Some(self.open(function, outer, Some(index), depth, index + 1)),
                )
            }
            StepKind::Return { .. } => {
                let outer = top.and_then(|id| self.frame(id)).and_then(|frame| frame.outer);
                (top, outer)
            }
            StepKind::Environment { .. } => (top, top),
            _ => {
                let function = &step.place.function;
                let fits = top.and_then(|id| self.frame(id)).is_some_and(|frame| {
                    frame.depth == step.depth && (frame.function == *function || function.is_empty())
                });
                if fits || function.is_empty() {
                    return (top, top);
                }
                // Steps before this one were left out.
                let outer = match step.depth {
                    0 => None,
                    depth => self.trimmed(top, depth - 1),
                };
                let frame = Some(self.open(function, outer, None, step.depth, index));
                (frame, frame)
            }
        }
    }

    /// An instruction, and the next step of its lane.
    fn instruction(
        &mut self,
        steps: &[Step],
        index: usize,
        next: Option<usize>,
        top: Option<FrameId>,
        is_program: bool,
    ) -> (Option<FrameId>, Option<FrameId>) {
        let Some(at) = Instruction::of(&steps[index]) else {
            return (top, top);
        };
        let depth = steps[index].depth;
        let is_reset = at.address == 0 && is_program;
        let top = match top {
            Some(top) if !is_reset => top,
            _ => self.open(at.symbol, None, None, depth, index),
        };
        let mnemonic = at.text.split_whitespace().next().unwrap_or_default();
        let after = match mnemonic {
            "call" | "rcall" | "icall" | "eicall" => {
                let behind = at.address.wrapping_add(if mnemonic == "call" { 4 } else { 2 });
                let target = next.and_then(|next| Some((next, Instruction::of(steps.get(next)?)?)));
                match target {
                    Some((first, target)) if target.address != behind => {
                        Some(self.open(target.symbol, Some(top), Some(index), depth, first))
                    }
                    _ => Some(top),
                }
            }
            "ret" | "reti" => {
                let outer = self.frame(top).and_then(|frame| frame.outer);
                outer.or((is_program || mnemonic == "ret").then_some(top))
            }
            _ => Some(top),
        };
        (Some(top), after)
    }
}

/// An instruction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'s> {
    /// Where it stands.
    pub address: u32,
    /// The symbol before it.
    pub symbol: &'s str,
    /// Whether the symbol is there itself.
    pub is_start: bool,
    /// What it is.
    pub text: &'s str,
}

impl<'s> Instruction<'s> {
    /// The instruction of a step, where it has one.
    pub fn of(step: &'s Step) -> Option<Self> {
        let StepKind::Instruction { address, text, .. } = &step.kind else {
            return None;
        };
        let (number, rest) = address.split_once(' ').unwrap_or((address, ""));
        let name = rest.trim_start_matches('<').trim_end_matches('>');
        let symbol = name.split_once('+').map_or(name, |(symbol, _)| symbol);
        Some(Instruction {
            address: u32::from_str_radix(number.trim_start_matches("0x"), 16).ok()?,
            symbol,
            is_start: symbol == name && !name.is_empty(),
            text,
        })
    }
}
