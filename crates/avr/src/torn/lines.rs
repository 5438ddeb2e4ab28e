//! Which instructions are one line of one function.
//!
//! Idea: a line is what the line table says, within one function: an inlined function's lines are told apart
//! by the function they were inlined into. Compilers mix the instructions of neighbouring lines; instructions
//! of other lines that stand between two of one line do not end it if control runs straight through them.

use std::collections::HashMap;

use crate::core::address;
use crate::debug::DebugInfo;
use crate::image::Image;
use crate::instruction::{Instruction, Operation as Op, decode_all};
use crate::semantics::status;

/// Words between two parts of a line, at the most.
const LONGEST_GAP: usize = 64;

/// Lines by the word address of their instructions.
#[derive(Debug)]
pub struct Lines {
    /// The line of a word, counted from 1; 0 where it has none.
    of: Vec<u32>,
    /// The line that goes on behind a word which belongs to another.
    around: Vec<u32>,
    /// For each line whether it may enable interrupts, itself or in a function that it calls.
    enables: Vec<bool>,
}

impl Lines {
    /// Reads the line table.
    pub(crate) fn new(debug: &DebugInfo, image: &Image) -> Self {
        let program = decode_all(image.flash.bytes());
        let mut lines = Self {
            of: vec![0; program.len()],
            around: vec![0; program.len()],
            enables: vec![false],
        };
        let mut numbers: HashMap<(u32, usize, u32), u32> = HashMap::new();
        let mut ends: HashMap<u32, usize> = HashMap::new();
        let (mut entries, mut entry) = (debug.lines.iter().peekable(), None);
        let (mut functions, mut function) = (debug.functions.iter().peekable(), None);
        let mut word = 0;
        while let Some(instruction) = program.get(word) {
            let byte = 2 * word as u32;
            while let Some(next) = entries.next_if(|next| next.address <= byte) {
                entry = Some(next);
            }
            while let Some(next) = functions.next_if(|next| next.start <= byte) {
                function = Some(next);
            }
            let behind = word + usize::from(instruction.words);
            let known = entry.filter(|entry| entry.line != 0).zip(function);
            if let Some((entry, function)) = known.filter(|(_, function)| byte < function.end) {
                let fresh = lines.enables.len() as u32;
                let key = (function.start, entry.file, entry.line);
                let number = *numbers.entry(key).or_insert(fresh);
                if number == fresh {
                    lines.enables.push(false);
                }
                lines.of[word] = number;
                lines.enables[number as usize] |= may_enable(instruction);
                if let Some(end) = ends.insert(number, behind) {
                    lines.fill(number, end..word, &program);
                }
            }
            word = behind;
        }
        lines
    }

    /// Notes that a line goes on behind these instructions of others, if control runs straight through them.
    fn fill(&mut self, number: u32, gap: std::ops::Range<usize>, program: &[Instruction]) {
        if gap.len() > LONGEST_GAP || !gap.clone().all(|word| is_straight(&program[word])) {
            return;
        }
        for around in self.around[gap].iter_mut().filter(|around| **around == 0) {
            *around = number;
        }
    }

    /// Whether no instruction belongs to a line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.enables.len() == 1
    }

    /// The line of an instruction, by its word address; 0 if it has none.
    #[must_use]
    pub fn of(&self, word: u32) -> u32 {
        self.of.get(word as usize).copied().unwrap_or(0)
    }

    /// Whether a line has not ended before an instruction.
    #[must_use]
    pub fn goes_on(&self, line: u32, word: u32) -> bool {
        self.of(word) == line || self.around.get(word as usize) == Some(&line)
    }

    /// Whether a line may enable interrupts.
    #[must_use]
    pub fn may_enable(&self, line: u32) -> bool {
        self.enables.get(line as usize).copied().unwrap_or(false)
    }
}

fn writes_status(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Op::Out | Op::Sts) && instruction.k == i32::from(address::SREG)
}

/// Whether interrupts may be enabled when the instruction, or the function that it calls, has been executed.
/// Indirect stores to the status register are no compiler's.
fn may_enable(instruction: &Instruction) -> bool {
    let enables = instruction.operation == Op::Bset && 1 << instruction.b == status::I;
    enables || writes_status(instruction) || matches!(instruction.operation, Op::Call | Op::Rcall | Op::Icall)
}

fn is_straight(instruction: &Instruction) -> bool {
    use Op::{
        Brbc, Brbs, Break, Call, Cpse, Icall, Ijmp, Jmp, Rcall, Ret, Reti, Rjmp, Sbic, Sbis, Sbrc, Sbrs,
        Sleep, Spm, Undefined,
    };
    let changes_interrupts =
        matches!(instruction.operation, Op::Bset | Op::Bclr) && 1 << instruction.b == status::I;
    let turns = matches!(
        instruction.operation,
        Brbc | Brbs
            | Break
            | Call
            | Cpse
            | Icall
            | Ijmp
            | Jmp
            | Rcall
            | Ret
            | Reti
            | Rjmp
            | Sbic
            | Sbis
            | Sbrc
            | Sbrs
            | Sleep
            | Spm
            | Undefined
    );
    !turns && !changes_interrupts && !writes_status(instruction)
}
