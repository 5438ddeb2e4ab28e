//! Which registers become addresses, or say how often a loop advances through memory or a function calls
//! itself.
//!
//! Idea: an address has to be known, and what it is computed from should be decided before: the bits of a sum
//! that is half unknown say less than its operands. The same goes for what a loop compares that advances
//! through memory ([`super::loops`]), as it would go on through all of it, and for what a function compares
//! that calls itself. So the registers are followed backwards from what loads and stores through them, and
//! from the ends of such loops, along the jumps, into functions and out of them.
//!
//! Where a loop ends at a value that it has just read, as at the end of a string, only whether it is that
//! value is decided ([`super::arithmetic`]): what was read in other rounds says nothing of it.
//!
//! This says where operands are decided, and is no matter of soundness: an address that was not foreseen is
//! decided where it is used.

use super::code::{Code, called};
use super::loops::{ZERO, loops_of};
use crate::core::address;
use crate::instruction::{Instruction, Operation as Op};
use crate::torn::registers::{CLOBBERED, Flow, Registers, flow_of, use_of};

/// For each word address of a program, the registers from which an address may come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Addresses {
    after: Vec<Registers>,
    /// Whether an instruction compares what ends such a loop.
    bounds: Vec<bool>,
}

impl Addresses {
    /// Follows the registers of a program.
    pub(crate) fn of(program: &[Instruction], code: &Code) -> Self {
        let mut before: Vec<Registers> = vec![0; program.len() + 2];
        let mut after: Vec<Registers> = vec![0; program.len()];
        let bounds = bounds(program, code);
        let mut returned = Returned::new(code);
        loop {
            let mut changed = false;
            for at in code.words.iter().rev().copied() {
                let instruction = &program[at as usize];
                let of = |at: u32| before.get(at as usize).copied().unwrap_or(0);
                let next = match flow_of(program, at) {
                    Flow::To(next) => {
                        changed |= returned.go_on(at, next);
                        of(next)
                    }
                    Flow::Either(next, other) => {
                        changed |= returned.go_on(at, next) | returned.go_on(at, other);
                        of(next) | of(other)
                    }
                    Flow::Call(next) => {
                        let wanted = of(next);
                        let target = called(program, at);
                        changed |= returned.want(target, wanted & CLOBBERED);
                        wanted & !CLOBBERED | target.map_or(0, of)
                    }
                    Flow::Away if instruction.operation == Op::Ret => returned.of(at),
                    Flow::Away => 0,
                };
                let now = match bounds[at as usize] {
                    true => sources(instruction, next) | use_of(instruction).reads,
                    false => sources(instruction, next),
                };
                changed |= next != after[at as usize] || now != before[at as usize];
                after[at as usize] = next;
                before[at as usize] = now;
            }
            if !changed {
                return Self { after, bounds };
            }
        }
    }

    /// The registers from which an address may come, after the instruction at a word address.
    pub(crate) fn after(&self, at: u32) -> Registers {
        self.after.get(at as usize).copied().unwrap_or(0)
    }

    /// Whether the instruction at a word address computes or compares what becomes an address.
    pub(crate) fn depend_on(&self, at: u32, instruction: &Instruction) -> bool {
        let used = use_of(instruction);
        let involved = match used.writes {
            // What is compared with zero is not compared with an address.
            0 => used.reads & !ZERO,
            writes => writes,
        };
        self.after(at) & involved != 0 || self.bounds.get(at as usize).copied().unwrap_or(false)
    }
}

/// The registers that matter where functions return: to those who call them.
struct Returned {
    /// Where functions begin, ascending.
    starts: Vec<u32>,
    /// For what stands before the first of them, and for each function.
    wanted: Vec<Registers>,
    /// The functions that pointers lead to.
    pointed_to: Vec<usize>,
}

impl Returned {
    fn new(code: &Code) -> Self {
        let mut new = Self {
            starts: code.functions.iter().copied().collect(),
            wanted: vec![0; code.functions.len() + 1],
            pointed_to: Vec::new(),
        };
        new.pointed_to = match &code.pointed_to {
            Some(starts) => starts.iter().map(|start| new.function(*start)).collect(),
            None => (0..new.wanted.len()).collect(),
        };
        new
    }

    fn function(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    fn of(&self, at: u32) -> Registers {
        self.wanted[self.function(at)]
    }

    fn add(&mut self, function: usize, registers: Registers) -> bool {
        let added = registers & !self.wanted[function];
        self.wanted[function] |= added;
        added != 0
    }

    /// Who calls the function at a word address wants registers; without an address a pointer leads there.
    fn want(&mut self, target: Option<u32>, registers: Registers) -> bool {
        match target {
            Some(target) => self.add(self.function(target), registers),
            None => {
                let pointed_to = self.pointed_to.clone().into_iter();
                pointed_to.fold(false, |changed, one| changed | self.add(one, registers))
            }
        }
    }

    /// A jump leads on: what returns behind it returns to who called the function that it stands in.
    fn go_on(&mut self, at: u32, to: u32) -> bool {
        let (from, to) = (self.function(at), self.function(to));
        from != to && self.add(to, self.wanted[from])
    }
}

/// The registers that matter before an instruction, if these do after it.
fn sources(instruction: &Instruction, after: Registers) -> Registers {
    let used = use_of(instruction);
    let pair = |low: u8| 3 << low;
    let is_stack = |at: i32| {
        [address::SPL, address::SPH]
            .iter()
            .any(|own| i32::from(*own) == at)
    };
    let kept = after & !used.writes;
    match instruction.operation {
        Op::Ld | Op::St | Op::Lpm | Op::Elpm => kept | pair(instruction.r),
        Op::Spm | Op::Ijmp | Op::Icall => after | pair(30),
        Op::Out | Op::Sts if is_stack(instruction.k) => after | 1 << instruction.d,
        Op::Call | Op::Rcall | Op::Ret | Op::Reti => after,
        Op::Movw => {
            let copied = |half: u8| (after >> (instruction.d + half) & 1) << (instruction.r + half);
            kept | copied(0) | copied(1)
        }
        Op::Lds | Op::In | Op::Pop | Op::Ldi => kept,
        Op::Eor | Op::Sub if instruction.d == instruction.r => kept,
        _ if after & used.writes != 0 => kept | used.reads,
        _ => kept,
    }
}

/// Instructions before a branch that may set its flag, at the most.
const PATIENCE: usize = 6;

/// The instructions that set the flags by which loops end that advance through memory.
fn bounds(program: &[Instruction], code: &Code) -> Vec<bool> {
    let mut found = vec![false; program.len()];
    for (first, last) in self_calls(program, code) {
        let within = code.words.iter().filter(|at| (first..last).contains(at));
        for at in within.filter(|at| matches!(flow_of(program, **at), Flow::Either(..))) {
            note_comparison(program, *at, &mut found);
        }
    }
    let loops = loops_of(program, &code.words).into_iter();
    for one in loops.filter(|one| one.advances(program)) {
        for at in one.body.iter().copied() {
            let branches = matches!(program[at as usize].operation, Op::Brbs | Op::Brbc);
            if branches
                && one.leaves_at(program, at)
                && !compares_what_is_read(program, &code.words, one.first, at)
            {
                note_comparison(program, at, &mut found);
            }
        }
    }
    found
}

/// Functions that call themselves: where they begin, and the call.
fn self_calls(program: &[Instruction], code: &Code) -> Vec<(u32, u32)> {
    let within = |at: u32| code.functions.range(..=at).next_back().copied();
    let calls = code
        .words
        .iter()
        .filter_map(|at| Some((called(program, *at)?, *at)));
    calls
        .filter(|(target, at)| within(*at) == Some(*target))
        .collect()
}

/// Whether a branch of a loop, which begins at a word address, is on one byte that was read in the same round
/// and is compared with a constant.
fn compares_what_is_read(program: &[Instruction], words: &[u32], first: u32, branch: u32) -> bool {
    let place = |at: u32| words.partition_point(|word| *word < at);
    let before = words.get(place(first)..place(branch)).unwrap_or_default();
    let mut before = before.iter().rev().map(|at| &program[*at as usize]);
    let Some(compared) = before.next().filter(|one| match one.operation {
        Op::Cpi => true,
        Op::And | Op::Or => one.d == one.r,
        _ => false,
    }) else {
        return false;
    };
    let mut register = compared.d;
    for instruction in before {
        let is_written = use_of(instruction).writes >> register & 1 != 0;
        match instruction.operation {
            Op::Mov if instruction.d == register => register = instruction.r,
            Op::Movw if is_written => register = instruction.r + (register & 1),
            Op::Ld | Op::Lpm | Op::Elpm | Op::Lds | Op::In if is_written => return true,
            Op::Call | Op::Rcall | Op::Icall => return CLOBBERED >> register & 1 != 0,
            _ if is_written => return false,
            _ => {}
        }
    }
    false
}

/// Notes the instructions before a branch that compare, byte by byte.
fn note_comparison(program: &[Instruction], branch: u32, found: &mut [bool]) {
    let before = (0..branch).rev().take(PATIENCE);
    for at in before {
        let instruction = &program[at as usize];
        let used = use_of(instruction);
        if used.writes_flags && used.reads != !0 {
            found[at as usize] = true;
            if !used.reads_flags {
                return;
            }
        } else if !matches!(instruction.operation, Op::Ldi | Op::Mov | Op::Movw) {
            return;
        }
    }
}
