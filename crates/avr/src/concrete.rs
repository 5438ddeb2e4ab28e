//! From a run of an abstraction to one without it.
//!
//! Idea: a run that was found under an abstraction is a row of states, each of which stands for many. The
//! microcontroller is run once more without the abstraction, and kept within that row: depth-first, so that a
//! run which exists is mostly found at once. Where that takes long, a value that was chosen early is not what
//! is wanted much later (a zero where a text is to go on), and other values are tried first ([`Order`]). What
//! it comes to is then told and replayed as any other run.
//!
//! Where none exists, the last states that were reached tell which step was too much. What this step depends
//! on is followed backwards along the run: the instructions that computed with unknown bits, and the bytes
//! whose values were not kept, are what a refinement makes precise ([`Blamed`]).
//!
//! Source: counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use kripke_model::{Choice, KripkeStructure as _};

use crate::byte::AbstractByte as _;
use crate::core::address;
use crate::instruction::{Instruction, Operation as Op, Pointer};
use crate::micro::{Micro, Nondeterminism, Options, computes, copies};
use crate::semantics::status;
use crate::state::{ASLEEP, ENDED, faults, header};
use crate::torn;
use crate::torn::registers::use_of;

/// Successors that are looked at to find a run, at the most, beside some for each step.
const MOST_SUCCESSORS: usize = 50_000;
/// Successors that are looked at for each step.
const FOR_EACH_STEP: usize = 20;
/// Instructions that a refinement makes precise at once, at the most.
const MOST_BLAMED: usize = 16;

/// Which of the successors of a state is followed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Smallest,
    Largest,
    Middle,
}

/// A run without abstraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcreteRun {
    /// The states from reset to where properties begin, each with the choice that leads on.
    pub way: Vec<(Box<[u8]>, Choice)>,
    /// The states, from where properties begin.
    pub states: Vec<Box<[u8]>>,
    /// `choices[i]` leads from `states[i]` to `states[i + 1]`.
    pub choices: Vec<Choice>,
    /// The choice that leads back to the first state of the loop.
    pub back: Option<Choice>,
}

/// What made a run that does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blamed {
    /// Word addresses of instructions that left unknown what they computed.
    pub instructions: BTreeSet<u32>,
    /// Bytes of static memory whose values were not kept.
    pub bytes: BTreeSet<u16>,
    /// Word addresses of instructions whose results were not kept.
    pub results: BTreeSet<u32>,
}

/// A state of the search, with the successors that are still to be followed.
struct Frame {
    state: Box<[u8]>,
    choice: Choice,
    open: Vec<(Choice, Box<[u8]>)>,
}

impl Order {
    /// Puts last what is followed first.
    fn arrange<T>(self, next: &mut [T]) {
        match self {
            Self::Smallest => next.reverse(),
            Self::Largest => {}
            Self::Middle => next.rotate_left(next.len() / 2),
        }
    }
}

impl Micro {
    /// Whether runs have to be made concrete.
    #[must_use]
    pub fn is_abstract(&self) -> bool {
        self.options.abstract_values || !self.options.widened.is_empty()
    }

    /// Goes on under other options of abstraction; the environment is the same.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Finds a run without abstraction within a run that was found with it, and goes on without abstraction.
    /// With `exact`, inputs have their values where they are read, too.
    ///
    /// # Errors
    /// What made the run possible, where there is none.
    pub fn concretise(
        &mut self,
        way: &[(Box<[u8]>, Choice)],
        states: &[Box<[u8]>],
        loop_start: Option<usize>,
        exact: bool,
    ) -> Result<ConcreteRun, Blamed> {
        let before = self.options.clone();
        let before_it = way.iter().map(|(state, _)| state);
        let mut row: Vec<Box<[u8]>> = Vec::new();
        let mut first = 0;
        for (index, state) in before_it.chain(states).enumerate() {
            // Of a lasso such a step counts as it is.
            let between = match row.last().filter(|_| loop_start.is_none()).cloned() {
                Some(last) => self.in_between(&last, state),
                None => Vec::new(),
            };
            row.extend(between);
            if index == way.len() {
                first = row.len();
            }
            row.push(state.clone());
        }
        self.options.abstract_values = false;
        self.options.widened = Arc::default();
        self.options.widened_at = Arc::default();
        self.options.path_reduction = false;
        self.options.interrupt_reduction = false;
        self.options.dead_variable_reduction = false;
        if exact {
            self.options.nondeterminism = Nondeterminism::Immediate;
            self.options.lazy_stack = false;
        }
        let footprint = self.footprint.clone();
        let found = self.run_in_some_order(&row, first, loop_start.map(|start| start + first));
        let outgrown = self.footprint.outgrown();
        self.footprint = footprint;
        self.prefix.under_way = false;
        match found {
            Ok((frames, back)) if !outgrown => Ok(told(frames, first, back)),
            Err(reached) if !outgrown => Err(self.blame(&before, &row, reached)),
            _ => Err(Blamed::default()),
        }
    }

    /// A run within a row of states, with the choice that closes its loop; the furthest state reached where
    /// none was found.
    fn run_in_some_order(
        &mut self,
        row: &[Box<[u8]>],
        first: usize,
        loop_start: Option<usize>,
    ) -> Result<(Vec<Frame>, Option<Choice>), usize> {
        let some = FOR_EACH_STEP * row.len();
        let mut left = MOST_SUCCESSORS + some;
        let found = self.run_within(row, first, loop_start, Order::Smallest, &mut left);
        let Err(reached) = found else { return found };
        if left > 0 {
            return Err(reached);
        }
        for order in [Order::Largest, Order::Middle] {
            let mut left = MOST_SUCCESSORS / 4 + some;
            let found = self.run_within(row, first, loop_start, order, &mut left);
            if found.is_ok() {
                return found;
            }
        }
        Err(reached)
    }

    /// The same in one order, while successors are left to be looked at.
    fn run_within(
        &mut self,
        row: &[Box<[u8]>],
        first: usize,
        loop_start: Option<usize>,
        order: Order,
        left: &mut usize,
    ) -> Result<(Vec<Frame>, Option<Choice>), usize> {
        // Hashes are enough: two that are alike cost a run that is found in another way, or not.
        let mut seen: HashSet<(usize, u64)> = HashSet::new();
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut initial: Vec<(Choice, Box<[u8]>)> = Vec::new();
        self.prefix.under_way = first > 0;
        self.visit_states_at_reset(&mut |state| initial.push((0, state.into())));
        initial.retain(|(_, state)| self.covers(&row[0], state, first == 0));
        let mut frames: Vec<Frame> = Vec::new();
        let mut reached = 0;
        let mut open = initial;
        loop {
            if let Some((choice, state)) = open.pop() {
                let layer = frames.len();
                if !seen.insert((layer, hasher.hash_one(&state))) {
                    continue;
                }
                if *left == 0 || self.footprint.outgrown() {
                    return Err(reached);
                }
                reached = reached.max(layer);
                let mut next = match layer + 1 < row.len() {
                    true => self.next_within(&state, &row[layer + 1], layer, first, left),
                    false => Vec::new(),
                };
                order.arrange(&mut next);
                let is_last = layer + 1 == row.len();
                frames.push(Frame {
                    state,
                    choice,
                    open: std::mem::replace(&mut open, next),
                });
                if is_last {
                    let Some(start) = loop_start else {
                        return Ok((frames, None));
                    };
                    if let Some(back) = self.step_between(&frames[layer].state, &frames[start].state) {
                        return Ok((frames, Some(back)));
                    }
                }
                continue;
            }
            match frames.pop() {
                Some(frame) => open = frame.open,
                None => return Err(reached),
            }
        }
    }

    /// The successors of a state that the next state of the row stands for.
    fn next_within(
        &mut self,
        state: &[u8],
        wanted: &[u8],
        layer: usize,
        first: usize,
        left: &mut usize,
    ) -> Vec<(Choice, Box<[u8]>)> {
        let mut next: Vec<(Choice, Box<[u8]>)> = Vec::new();
        self.prefix.under_way = layer < first;
        self.successors(state, &mut |choice, successor| {
            next.push((choice, successor.into()));
            *left = left.saturating_sub(1);
            match *left > 0 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        self.prefix.under_way = false;
        if layer + 1 == first {
            // Here atoms begin to matter.
            let mut labelled = Vec::new();
            for (choice, state) in next {
                self.visit_labelled(&state, |micro| {
                    labelled.push((choice, Box::from(micro.draft.state.as_slice())));
                });
            }
            next = labelled;
        }
        next.retain(|(_, successor)| self.covers(wanted, successor, layer + 1 >= first));
        next
    }

    /// The choice that leads from one state to another.
    fn step_between(&mut self, from: &[u8], to: &[u8]) -> Option<Choice> {
        let mut found = None;
        self.successors(from, &mut |choice, successor| {
            if successor == to {
                found = Some(choice);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Whether a state may stand for another one. What instructions come next and what is asked of the
    /// states has to agree.
    fn covers(&self, wide: &[u8], state: &[u8], labelled: bool) -> bool {
        let same = |range: std::ops::Range<usize>| wide[range.clone()] == state[range];
        let monitor = self.tearing.monitor;
        let stands = (wide[header::FLAGS] ^ state[header::FLAGS]) & (ASLEEP | ENDED) == 0;
        same(header::PC..header::PC + 2)
            && same(header::FLASH..header::FLASH + 2)
            && wide[header::DEPTH] == state[header::DEPTH]
            && stands
            && faults(wide) == faults(state)
            && (!labelled || same(self.labelling.bytes()))
            && (monitor == 0 || same(monitor..monitor + torn::SIZE))
            && self.footprint.covers(wide, state)
    }

    /// What the step from the state of a row with that number depends on.
    fn blame(&self, options: &Options, row: &[Box<[u8]>], reached: usize) -> Blamed {
        let mut slice = Slice::default();
        slice.reads(self, &row[reached]);
        let mut blamed = Blamed::default();
        for pair in row[..=reached].windows(2).rev() {
            if blamed.instructions.len() == MOST_BLAMED {
                break;
            }
            let (before, after) = (&pair[0], &pair[1]);
            if self.has_ended(before) || !self.executes(before, after) {
                continue;
            }
            slice.step(self, options, before, &mut blamed);
        }
        if !blamed.results.is_empty() {
            // What these instructions compute with may be unknown for no other reason.
            blamed.instructions.clear();
        }
        blamed
    }

    /// Whether an instruction leads from one state to the next, and no handler is entered.
    fn executes(&self, before: &[u8], after: &[u8]) -> bool {
        let enabled = |state: &[u8]| self.byte_of(state, address::SREG).ones() & status::I != 0;
        let pc = self.pc_of(after);
        let mut interrupts = self.chip.rules.interrupts.iter();
        let is_vector = interrupts.any(|interrupt| interrupt.vector == pc);
        !(self.is_asleep(before) || is_vector && enabled(before) && !enabled(after))
    }
}

/// The run that a search found.
fn told(mut frames: Vec<Frame>, first: usize, back: Option<Choice>) -> ConcreteRun {
    let rest = frames.split_off(first);
    // Each state before has the choice that leads on from it, which the next frame has.
    let choices = frames
        .iter()
        .chain(rest.first())
        .skip(1)
        .map(|frame| frame.choice);
    let choices: Vec<Choice> = choices.collect();
    let way = frames.into_iter().map(|frame| frame.state).zip(choices).collect();
    ConcreteRun {
        way,
        choices: rest.iter().skip(1).map(|frame| frame.choice).collect(),
        states: rest.into_iter().map(|frame| frame.state).collect(),
        back,
    }
}

/// What a step depends on, as far back as was looked.
#[derive(Default)]
struct Slice {
    registers: u32,
    flags: bool,
    memory: BTreeSet<u16>,
    /// Registers that are compared further on with the value that they have here.
    compared: u32,
}

impl Slice {
    /// What the instruction that is next in a state reads.
    fn reads(&mut self, micro: &Micro, state: &[u8]) {
        let instruction = micro.instruction_of(state);
        let used = use_of(&instruction);
        self.registers |= used.reads;
        self.flags |= used.reads_flags || matches!(instruction.operation, Op::Brbs | Op::Brbc);
        if used.loads {
            self.memory.extend(accessed(micro, state, &instruction));
        }
    }

    /// Is something unknown copied, of which one copy is compared, and the other one matters?
    fn parts_copies(&self, micro: &Micro, state: &[u8], instruction: &Instruction, at: Option<u16>) -> bool {
        let used = use_of(instruction);
        let in_memory = at.is_some_and(|at| self.memory.contains(&at));
        let is_unknown = |at: u16| micro.byte_of(state, at).unknown != 0;
        let mut sources = (0..32).filter(|register| used.reads >> register & 1 != 0);
        match instruction.operation {
            Op::Lds => in_memory && self.compared & used.writes != 0 && at.is_some_and(is_unknown),
            Op::Sts => in_memory && self.compared & used.reads != 0 && sources.any(is_unknown),
            _ => {
                let of_source = self.registers & used.writes != 0 && self.compared & used.reads != 0;
                let of_copy = self.registers & used.reads != 0 && self.compared & used.writes != 0;
                (of_source || of_copy) && sources.any(is_unknown)
            }
        }
    }

    /// One step back, before which the chip is in that state.
    fn step(&mut self, micro: &Micro, options: &Options, state: &[u8], blamed: &mut Blamed) {
        let instruction = micro.instruction_of(state);
        let used = use_of(&instruction);
        let at = accessed(micro, state, &instruction);
        if copies(instruction.operation) && self.parts_copies(micro, state, &instruction, at) {
            blamed.instructions.insert(micro.pc_of(state));
        }
        let is_compared = used.writes == 0 && used.writes_flags;
        self.compared = self.compared & !used.writes | if is_compared { used.reads } else { 0 };
        // Where a branch follows, what is compared becomes what it is in that case.
        let is_narrowed = self.registers & used.reads & !used.writes != 0;
        let mut matters = self.registers & used.writes != 0 || self.flags && used.writes_flags;
        if self.registers & used.writes != 0 && options.widened_at.contains(&micro.pc_of(state)) {
            blamed.results.insert(micro.pc_of(state));
        }
        if used.stores
            && let Some(at) = at
            && self.memory.remove(&at)
        {
            if options.widened.contains_key(&at) {
                blamed.bytes.insert(at);
            }
            matters = true;
        }
        if instruction.operation == Op::St && at.is_none() && !self.memory.is_empty() {
            // Any byte that matters may be the one: which one it is comes first.
            self.registers |= 3 << instruction.r;
            return;
        }
        if !matches!(
            instruction.operation,
            Op::Call | Op::Rcall | Op::Icall | Op::Ret | Op::Reti
        ) {
            self.registers &= !used.writes;
            self.flags &= !used.writes_flags;
        }
        if used.reads == !0 {
            return;
        }
        let unknown = (0..32_u16)
            .filter(|register| used.reads >> register & 1 != 0)
            .any(|register| micro.byte_of(state, register).unknown != 0);
        let flags = micro.byte_of(state, address::SREG).unknown != 0 && used.reads_flags;
        if computes(instruction.operation) && (unknown || flags) && (matters || is_narrowed) {
            blamed.instructions.insert(micro.pc_of(state));
        }
        if !matters {
            return;
        }
        if used.loads
            && let Some(at) = at
        {
            if options.widened.contains_key(&at) {
                blamed.bytes.insert(at);
            }
            self.memory.insert(at);
        }
        self.registers |= used.reads;
        self.flags |= used.reads_flags;
    }
}

/// The data address that an instruction accesses, if it is one and known.
fn accessed(micro: &Micro, state: &[u8], instruction: &Instruction) -> Option<u16> {
    let byte = |at: u16| micro.byte_of(state, at).ones();
    let word = |low: u16| u16::from_le_bytes([byte(low), byte(low + 1)]);
    match instruction.operation {
        Op::Lds | Op::Sts | Op::In | Op::Out => Some(instruction.k as u16),
        Op::Push => Some(word(address::SPL)),
        Op::Pop => Some(word(address::SPL).wrapping_add(1)),
        Op::Ld | Op::St => {
            let is_open = |half: u8| micro.byte_of(state, u16::from(instruction.r + half)).unknown != 0;
            if is_open(0) || is_open(1) {
                return None;
            }
            let pointer = word(u16::from(instruction.r));
            Some(match instruction.pointer() {
                Pointer::Decrement => pointer.wrapping_sub(1),
                _ => pointer.wrapping_add(instruction.k as u16),
            })
        }
        _ => None,
    }
}
