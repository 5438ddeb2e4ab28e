//! What each instruction does to what is known.
//!
//! Idea: [`step`] says where control goes and with what knowledge; who is called, and what a callee leaves
//! behind, is the business of the analysis above it.
//!
//! Invariant: every place where control can be after the instruction is named, or the outcome says that it is
//! not known.

use super::state::{Height, RAMPZ, State};
use super::value::{Byte, Carry, Level, Number, Word};
use crate::core::address;
use crate::image::Image;
use crate::instruction::{Instruction, Operation, Pointer};
use crate::semantics::{WORDS_WITHOUT_EXTENSION, status};

/// How control gets from one instruction to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// To the instruction behind.
    Next,
    /// A branch that is taken.
    Branch,
    /// Over the instruction behind.
    Skip,
    /// A jump.
    Jump,
    /// A jump to a computed address.
    Indirect,
    /// Back from a call, to the instruction behind it.
    Return,
}

/// Where a computed jump or call leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// To these word addresses; the byte address of the table they are in, if they are in one.
    Known(Vec<u32>, Option<u32>),
    /// Not known.
    Unknown,
}

/// Where control goes.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// On, within the function.
    Flow(Vec<(u32, EdgeKind, State)>),
    /// To a computed address.
    Jump(Destination, State),
    /// Into a function, and back to the instruction behind.
    Call(Destination, State),
    /// Back to where the function was called.
    Return(State),
    /// Back to a return address that setjmp has taken from the stack: registers that functions need not keep
    /// hold anything then.
    SavedReturn(State),
    /// A return to what lies on the stack, which is not the return address.
    StrayReturn,
    /// The stack pointer is needed and not known.
    NoStack,
    /// The word is no instruction.
    Undefined,
}

/// The program.
pub struct Code<'a> {
    /// The image.
    pub image: &'a Image,
    /// Every word of flash, decoded.
    pub program: &'a [Instruction],
    /// Words of flash on the device.
    pub flash_words: u32,
    /// Bytes of a return address.
    pub address_bytes: u8,
    /// Whether the stack pointer has an upper half.
    pub has_upper_stack: bool,
    /// What EIND holds wherever a function is called through it, if that is known.
    pub extension: Option<u8>,
}

impl Code<'_> {
    /// A byte of flash.
    fn flash(&self, extension: u8, address: u16) -> u8 {
        let at = usize::from(extension) << 16 | usize::from(address);
        self.image.flash.bytes().get(at).copied().unwrap_or(0xFF)
    }

    /// Whether the word is part of the image.
    #[must_use]
    pub fn has(&self, at: u32) -> bool {
        (at as usize) < self.program.len() && self.image.flash.is_used(at * 2)
    }

    /// Where an indirect jump or call leads, Z being this word.
    fn destination(&self, instruction: &Instruction, word: Word) -> Destination {
        let extension = match instruction.is_extended() {
            true => self.extension,
            false => Some(0),
        };
        let Some(upper) = extension else {
            return Destination::Unknown;
        };
        let wrapped = |target: u16| (u32::from(upper) << 16 | u32::from(target)) % self.flash_words.max(1);
        match word {
            Word::Constant(target) => Destination::Known(vec![wrapped(target)], None),
            Word::Number(number) => match number.values() {
                Some(values) => Destination::Known(distinct(values.map(wrapped)), None),
                None => Destination::Unknown,
            },
            Word::Flash { address, extension } => match address.values() {
                Some(values) => {
                    let entry = |at: u16| {
                        let bytes = [at, at.wrapping_add(1)].map(|at| self.flash(extension, at));
                        wrapped(u16::from_le_bytes(bytes))
                    };
                    let table = u32::from(extension) << 16 | u32::from(address.offset);
                    Destination::Known(distinct(values.map(entry)), Some(table))
                }
                None => Destination::Unknown,
            },
            _ => Destination::Unknown,
        }
    }
}

/// What all instructions that write EIND write there, if it is one constant: the upper part of the vectors'
/// address, which start-up code puts there; 0 if there are none.
pub(super) fn constant_extension(program: &[Instruction]) -> Option<u8> {
    let mut found = None;
    for (index, instruction) in program.iter().enumerate() {
        let writes = matches!(instruction.operation, Operation::Out | Operation::Sts);
        if !writes || instruction.k != i32::from(address::EIND) {
            continue;
        }
        let before = index.checked_sub(1).map(|before| &program[before]);
        let constant = before.filter(|load| load.operation == Operation::Ldi && load.d == instruction.d)?;
        let value = constant.k as u8;
        if found.is_some_and(|known| known != value) {
            return None;
        }
        found = Some(value);
    }
    Some(found.unwrap_or(0))
}

fn distinct(targets: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut targets: Vec<u32> = targets.collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// One instruction.
#[must_use]
pub fn step(code: &Code<'_>, at: u32, before: &State) -> Outcome {
    use Operation as Op;
    let instruction = &code.program[at as usize];
    let mut state = before.clone();
    state.level = state.pending;
    let words = code.flash_words.max(1);
    let next = (at + u32::from(instruction.words)) % words;
    let knows_stack = !matches!(state.height(), Height::Between(..) | Height::Unknown);
    match instruction.operation {
        Op::Undefined => return Outcome::Undefined,
        _ if instruction.is_extended() && words <= WORDS_WITHOUT_EXTENSION => return Outcome::Undefined,
        Op::Push | Op::Pop | Op::Rcall | Op::Call | Op::Icall | Op::Ret | Op::Reti if !knows_stack => {
            return Outcome::NoStack;
        }
        Op::Rjmp | Op::Jmp => {
            let target = match instruction.operation {
                Op::Rjmp => instruction.target(at, code.flash_words),
                _ => instruction.k as u32 % words,
            };
            return Outcome::Flow(vec![(target, EdgeKind::Jump, state)]);
        }
        Op::Rcall if instruction.k == 0 => push_next(&mut state, next, code.address_bytes),
        Op::Rcall | Op::Call => {
            let target = match instruction.operation {
                Op::Rcall => instruction.target(at, code.flash_words),
                _ => instruction.k as u32 % words,
            };
            return Outcome::Call(Destination::Known(vec![target], None), state);
        }
        Op::Icall => return Outcome::Call(code.destination(instruction, state.pair(30)), state),
        Op::Ijmp if is_saved_return(&state, code.address_bytes) => return Outcome::SavedReturn(state),
        Op::Ijmp => return Outcome::Jump(code.destination(instruction, state.pair(30)), state),
        Op::Ret | Op::Reti => return returned(code, state, instruction.operation == Op::Reti),
        Op::Brbs | Op::Brbc => return branched(code, at, next, state),
        Op::Sbic | Op::Sbis | Op::Sbrc | Op::Sbrs | Op::Cpse => {
            let skipped = code
                .program
                .get(next as usize)
                .map_or(1, |skipped| u32::from(skipped.words));
            let over = (next + skipped) % words;
            return Outcome::Flow(vec![
                (next, EdgeKind::Next, state.clone()),
                (over, EdgeKind::Skip, state),
            ]);
        }
        _ => plain(code, &mut state, instruction),
    }
    Outcome::Flow(vec![(next, EdgeKind::Next, state)])
}

/// `rcall .+0`: makes room on the stack.
fn push_next(state: &mut State, next: u32, address_bytes: u8) {
    for index in 0..address_bytes {
        state.push(Byte::Constant((next >> (8 * index)) as u8));
    }
}

/// Whether Z is the function's return address, taken from the stack.
fn is_saved_return(state: &State, address_bytes: u8) -> bool {
    state.pair(30) == Word::Return && state.height() == Height::Entry(i16::from(address_bytes))
}

fn branched(code: &Code<'_>, at: u32, next: u32, state: State) -> Outcome {
    let instruction = &code.program[at as usize];
    let target = instruction.target(at, code.flash_words);
    let (mut taken, mut not_taken) = (state.clone(), state);
    if 1 << instruction.b == status::C {
        let carry = instruction.operation == Operation::Brbs;
        taken.refine(at, carry);
        not_taken.refine(at, !carry);
    }
    Outcome::Flow(vec![
        (next, EdgeKind::Next, not_taken),
        (target, EdgeKind::Branch, taken),
    ])
}

fn returned(code: &Code<'_>, mut state: State, enables: bool) -> Outcome {
    let at_call = state.height() == Height::Entry(0);
    let popped: Vec<Byte> = (0..code.address_bytes).map(|_| state.pop()).collect();
    if enables {
        (state.level, state.pending) = (Level::Set, Level::Set);
    }
    let is_own = |(index, byte): (usize, &Byte)| *byte == Byte::Return(index as u8 + 1);
    if at_call && popped.iter().enumerate().all(is_own) {
        return Outcome::Return(state);
    }
    let address = popped.iter().try_fold(0, |address, byte| {
        Some(address << 8 | u32::from(byte.constant()?))
    });
    match address {
        Some(target) => Outcome::Flow(vec![(
            target % code.flash_words.max(1),
            EdgeKind::Indirect,
            state,
        )]),
        None => Outcome::StrayReturn,
    }
}

/// An instruction behind which control goes on.
fn plain(code: &Code<'_>, state: &mut State, instruction: &Instruction) {
    use Operation as Op;
    let (d, at) = (instruction.d, instruction.k as u16);
    match instruction.operation {
        Op::Rcall | Op::Nop | Op::Sleep | Op::Wdr | Op::Break | Op::Spm | Op::Sbi | Op::Cbi => {}
        Op::Push => state.push(state.get(d)),
        Op::Pop => {
            let byte = state.pop();
            state.set(d, byte);
        }
        Op::In | Op::Lds => {
            let byte = loaded(state, at);
            state.set(d, byte);
        }
        Op::Out | Op::Sts => stored(code, state, at, state.get(d)),
        Op::Ld | Op::St => through_pointer(code, state, instruction),
        Op::Lpm | Op::Elpm => from_flash(code, state, instruction),
        Op::Bset | Op::Bclr => {
            let set = instruction.operation == Op::Bset;
            match 1 << instruction.b {
                status::I => state.enable(if set { Level::Set } else { Level::Clear }),
                status::C => state.carry = Carry::Known(set),
                _ => {}
            }
        }
        _ => state.compute(instruction),
    }
}

/// A load from a known address.
fn loaded(state: &State, at: u16) -> Byte {
    match at {
        address::SPL => state.pointer[0],
        address::SPH => state.pointer[1],
        address::SREG => Byte::Status(state.pending),
        address::RAMPZ => state.cells[RAMPZ],
        0..32 => state.get(at as u8),
        _ => Byte::Any,
    }
}

/// A store to a known address.
fn stored(code: &Code<'_>, state: &mut State, at: u16, byte: Byte) {
    match at {
        address::SPL if !code.has_upper_stack => {
            state.set_pointer(0, byte);
            let upper = match byte {
                Byte::Constant(_) => Byte::Constant(0),
                Byte::Low(number) => Byte::High(number),
                _ => Byte::Any,
            };
            state.set_pointer(1, upper);
        }
        address::SPL => state.set_pointer(0, byte),
        address::SPH => state.set_pointer(1, byte),
        address::SREG => state.set_status(byte),
        address::RAMPZ => state.cells[RAMPZ] = byte,
        0..32 => state.set(at as u8, byte),
        _ => state.forget_variables(),
    }
}

fn through_pointer(code: &Code<'_>, state: &mut State, instruction: &Instruction) {
    let (low, loads) = (instruction.r, instruction.operation == Operation::Ld);
    let mut address = state.pair(low);
    match instruction.pointer() {
        Pointer::Decrement => {
            state.add_to_pair(low, 1_u16.wrapping_neg());
            address = address.plus(1_u16.wrapping_neg());
        }
        Pointer::Plain => address = address.plus(instruction.k as u16),
        Pointer::Increment => {}
    }
    let place = state.place(address);
    let stored_byte = state.get(instruction.d);
    if instruction.pointer() == Pointer::Increment {
        state.add_to_pair(low, 1);
    }
    match (loads, place, address) {
        (true, Some(place), _) => {
            let byte = state.slots.get(&place).copied().unwrap_or(Byte::Any);
            state.set(instruction.d, byte);
        }
        (true, None, Word::Constant(at)) if at >= 32 => state.set(instruction.d, loaded(state, at)),
        (true, None, _) => state.set(instruction.d, Byte::Any),
        (false, Some(place), _) => state.store(place, stored_byte),
        // Address 0 is a null pointer in a branch that is not taken rather than r0.
        (false, None, Word::Constant(at)) if at >= 32 => stored(code, state, at, stored_byte),
        (false, None, _) => state.forget_variables(),
    }
}

fn from_flash(code: &Code<'_>, state: &mut State, instruction: &Instruction) {
    let address = state.pair(30);
    let extended = instruction.operation == Operation::Elpm && code.flash_words > 0x8000;
    let extension = match extended {
        true => state.cells[RAMPZ].constant(),
        false => Some(0),
    };
    if instruction.pointer() == Pointer::Increment {
        state.add_to_pair(30, 1);
        if extended && !matches!(address, Word::Constant(at) if at < 0xFFFF) {
            state.cells[RAMPZ] = carried(address, state.cells[RAMPZ]);
        }
    }
    let byte = match (address, extension) {
        (Word::Constant(at), Some(extension)) => Byte::Constant(code.flash(extension, at)),
        (Word::Number(address), Some(extension)) if address.values().is_some() => {
            Byte::Flash { address, extension }
        }
        _ => Byte::Any,
    };
    state.set(instruction.d, byte);
}

/// RAMPZ after an increment of Z: the same, unless the address may have been the last of its 64 KiB.
fn carried(address: Word, extension: Byte) -> Byte {
    let reaches_end = |number: Number| {
        number
            .values()
            .is_none_or(|mut values| values.any(|value| value == 0xFFFF))
    };
    match address {
        Word::Number(number) if !reaches_end(number) => extension,
        _ => Byte::Any,
    }
}
