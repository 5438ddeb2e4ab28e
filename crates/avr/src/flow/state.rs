//! What is known between two instructions, and the arithmetic on it.
//!
//! Idea: where operands are known, the instruction is executed by [`crate::semantics`], as by every other
//! machine; here are only the rules for halves of numbers.
//!
//! Invariant: [`State::join`] only forgets.

use std::collections::BTreeMap;

use super::value::{Byte, Carry, Comparison, Halves, Level, Number, Word};
use crate::byte::{AbstractByte as _, Bits};
use crate::instruction::{Instruction, Operation};
use crate::semantics::{Machine, execute, status};

/// Index of the register that extends the pointer of ELPM, behind the 32 registers.
pub const RAMPZ: usize = 32;
/// Registers and RAMPZ.
pub const CELLS: usize = 33;

/// Where the stack pointer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Height {
    /// So many bytes above where it was when the function was entered.
    Entry(i16),
    /// At a data address.
    Absolute(u16),
    /// One half has been written and the other has not.
    Between(Byte, Byte),
    /// Not known.
    Unknown,
}

/// What is known between two instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Registers, then RAMPZ.
    pub cells: [Byte; CELLS],
    /// The stack pointer's halves.
    pub pointer: [Byte; 2],
    /// The carry flag.
    pub carry: Carry,
    /// Whether an interrupt can come before the next instruction.
    pub level: Level,
    /// Whether one can come after it.
    pub pending: Level,
    /// Bytes on the stack, by their place relative to the stack pointer at entry (or by address).
    pub slots: BTreeMap<i16, Byte>,
}

impl State {
    /// What is known when a function is entered: the given constants, and where its return address lies.
    #[must_use]
    pub fn entry(constants: &[Byte; CELLS], address_bytes: u8) -> Self {
        let stack = Number::stack(0);
        Self {
            cells: *constants,
            pointer: [Byte::Low(stack), Byte::High(stack)],
            carry: Carry::Unknown,
            level: Level::Entry,
            pending: Level::Entry,
            slots: (1..=address_bytes)
                .map(|at| (i16::from(at), Byte::Return(at)))
                .collect(),
        }
    }

    /// Where the stack pointer is.
    #[must_use]
    pub fn height(&self) -> Height {
        let [low, high] = self.pointer;
        let is_half = |byte: Byte| match byte {
            Byte::Constant(_) => true,
            Byte::Low(number) | Byte::High(number) => number.is_on_stack(),
            _ => false,
        };
        match Word::of(low, high) {
            Word::Number(number) if number.is_on_stack() => Height::Entry(number.offset as i16),
            Word::Constant(value) => Height::Absolute(value),
            Word::Any if is_half(low) && is_half(high) => Height::Between(low, high),
            _ => Height::Unknown,
        }
    }

    /// The place of the byte that the stack pointer points to, if it is known.
    fn top(&self) -> Option<i16> {
        match self.height() {
            Height::Entry(place) => Some(place),
            Height::Absolute(address) => Some(address as i16),
            _ => None,
        }
    }

    fn move_pointer(&mut self, distance: i16) {
        let [low, high] = self.pointer;
        self.pointer = Word::of(low, high).plus(distance as u16).halves();
    }

    /// Pushes a byte.
    pub fn push(&mut self, byte: Byte) {
        if let Some(top) = self.top() {
            self.slots.insert(top, byte);
        }
        self.move_pointer(-1);
    }

    /// Pops a byte.
    pub fn pop(&mut self) -> Byte {
        self.move_pointer(1);
        let top = self.top();
        top.and_then(|top| self.slots.remove(&top)).unwrap_or(Byte::Any)
    }

    /// Stores a byte to a place on the stack; below the stack pointer nothing is kept.
    pub fn store(&mut self, place: i16, byte: Byte) {
        match self.height() {
            Height::Entry(top) if place <= top => {}
            _ => {
                self.slots.insert(place, byte);
            }
        }
    }

    /// Writes a half of the stack pointer. What lies below the new one is given up.
    pub fn set_pointer(&mut self, half: usize, byte: Byte) {
        let was_absolute = matches!(self.height(), Height::Absolute(_));
        self.pointer[half] = byte;
        match self.height() {
            Height::Absolute(_) if !was_absolute => self.slots.clear(),
            Height::Entry(top) => self.slots.retain(|place, _| *place > top),
            _ => {}
        }
    }

    /// The place on the stack that an address is, if it is one.
    pub fn place(&self, address: Word) -> Option<i16> {
        match address {
            Word::Number(number) if number.is_on_stack() => Some(number.offset as i16),
            _ => None,
        }
    }

    /// Forgets what a store to an unknown address, or a callee, may have changed: bytes of the stack that can
    /// be variables. Saved registers and the return address are none.
    pub fn forget_variables(&mut self) {
        self.slots.retain(|_, byte| match byte {
            Byte::Entry(_) | Byte::Return(_) | Byte::Status(_) => true,
            Byte::Low(number) | Byte::High(number) => number.is_on_stack(),
            _ => false,
        });
    }

    /// Changes a register.
    pub fn set(&mut self, register: u8, byte: Byte) {
        self.cells[usize::from(register)] = byte;
        if let Carry::Compared(Comparison { low, high, .. }) = self.carry
            && (low == register || high == Some(register))
        {
            self.carry = Carry::Unknown;
        }
    }

    /// A register.
    #[must_use]
    pub fn get(&self, register: u8) -> Byte {
        self.cells[usize::from(register)]
    }

    /// Two registers.
    #[must_use]
    pub fn pair(&self, low: u8) -> Word {
        Word::of(self.get(low), self.get(low + 1))
    }

    /// Copies two registers.
    fn set_pair(&mut self, to: u8, from: u8) {
        let bytes = [self.get(from), self.get(from + 1)];
        self.set(to, bytes[0]);
        self.set(to + 1, bytes[1]);
    }

    /// Adds a constant to two registers.
    pub fn add_to_pair(&mut self, low: u8, constant: u16) {
        let [first, second] = self.pair(low).plus(constant).halves();
        self.set(low, first);
        self.set(low + 1, second);
    }

    /// Writes the status register. Enabling interrupts takes effect one instruction later.
    pub fn set_status(&mut self, byte: Byte) {
        let level = match byte {
            Byte::Constant(value) if value & status::I == 0 => Level::Clear,
            Byte::Status(level) => level,
            _ => Level::Set,
        };
        self.carry = match byte {
            Byte::Constant(value) => Carry::Known(value & status::C != 0),
            _ => Carry::Unknown,
        };
        self.enable(level);
    }

    /// Sets or clears I.
    pub fn enable(&mut self, level: Level) {
        self.level = self.level.min(level);
        self.pending = level;
    }

    /// After a comparison, what the carry says about the registers compared.
    pub fn refine(&mut self, branch: u32, carry: bool) {
        let Carry::Compared(comparison) = self.carry else {
            return;
        };
        let Some(limit) = comparison.limit(carry) else {
            return;
        };
        let is_open = |byte: Byte| matches!(byte, Byte::Any | Byte::Entry(18..=27 | 30..=31));
        if !is_open(self.get(comparison.low)) || comparison.high.is_none() && limit > 0xFF {
            return;
        }
        let cells = self.cells.iter_mut().chain(self.slots.values_mut());
        for byte in cells
            .chain(&mut self.pointer)
            .filter(|byte| byte.is_made_at(branch))
        {
            *byte = Byte::Any;
        }
        let number = Number {
            base: super::value::Base::Index { at: branch, limit },
            scale: 1,
            offset: 0,
        };
        self.cells[usize::from(comparison.low)] = Byte::low(number);
        if let Some(high) = comparison.high {
            self.cells[usize::from(high)] = Byte::high(number);
        }
    }

    /// What two paths agree on; whether something was forgotten.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        for (byte, with) in self.cells.iter_mut().zip(&other.cells) {
            *byte = byte.join(*with);
        }
        for (byte, with) in self.pointer.iter_mut().zip(&other.pointer) {
            *byte = byte.join(*with);
        }
        if self.carry != other.carry {
            self.carry = Carry::Unknown;
        }
        self.level = self.level.max(other.level);
        self.pending = self.pending.max(other.pending);
        self.slots.retain(|place, byte| match other.slots.get(place) {
            Some(with) => {
                *byte = byte.join(*with);
                *byte != Byte::Any
            }
            None => false,
        });
        *self != before
    }

    /// An instruction that only computes or copies: registers and the carry.
    pub fn compute(&mut self, instruction: &Instruction) {
        use Operation as Op;
        match instruction.operation {
            Op::Mov => return self.set(instruction.d, self.get(instruction.r)),
            Op::Movw => return self.set_pair(instruction.d, instruction.r),
            Op::Adiw | Op::Sbiw => {
                let constant = instruction.k as u16;
                let adds = instruction.operation == Op::Adiw;
                self.add_to_pair(
                    instruction.d,
                    if adds { constant } else { constant.wrapping_neg() },
                );
                self.carry = Carry::Unknown;
                return;
            }
            _ => {}
        }
        let mut evaluator = Evaluator::new(self);
        execute(&mut evaluator, instruction, 0);
        let numbers = self.on_numbers(instruction);
        let written = evaluator.written;
        for register in (0..32).filter(|register| written >> register & 1 == 1) {
            let bits = evaluator.registers[usize::from(register)];
            self.set(register, bits.value().map_or(Byte::Any, Byte::Constant));
        }
        if !keeps_carry(instruction.operation) {
            let bits = evaluator.status;
            self.carry = match bits.unknown & status::C {
                0 => Carry::Known(bits.value & status::C != 0),
                _ => Carry::Unknown,
            };
        }
        if let Some((byte, carry)) = numbers {
            if written != 0 {
                self.set(instruction.d, byte);
            }
            self.carry = carry;
        }
    }

    /// The result and the carry of an addition, a subtraction or a comparison, where numbers tell more than
    /// bits.
    fn on_numbers(&self, instruction: &Instruction) -> Option<(Byte, Carry)> {
        use Operation as Op;
        let a = self.get(instruction.d);
        let immediate = matches!(instruction.operation, Op::Subi | Op::Sbci | Op::Cpi);
        let b = match immediate {
            true => Byte::Constant(instruction.k as u8),
            false => self.get(instruction.r),
        };
        match instruction.operation {
            Op::Add if instruction.d == instruction.r => doubled(a),
            Op::Adc if instruction.d == instruction.r => self.rest_of_doubling(a),
            Op::Add => match (a, b) {
                (Byte::Low(number), Byte::Constant(k)) | (Byte::Constant(k), Byte::Low(number)) => {
                    Some(halfway(number, k, Halves::Addition))
                }
                _ => None,
            },
            Op::Sub | Op::Subi => match (a, b) {
                (Byte::Low(number), Byte::Constant(k)) => Some(halfway(number, k, Halves::Subtraction)),
                _ => None,
            },
            Op::Adc => self
                .rest(a, b, Halves::Addition)
                .or_else(|| self.rest(b, a, Halves::Addition)),
            Op::Sbc | Op::Sbci => self.rest(a, b, Halves::Subtraction),
            Op::Cp | Op::Cpi | Op::Cpc => self.compared(instruction, immediate, b),
            _ => None,
        }
    }

    /// The number on whose lower half an operation has been done, from its upper half.
    fn operand(&self, upper: Byte, wanted: Halves) -> Option<(Number, u8)> {
        match self.carry {
            Carry::Between {
                operand,
                constant,
                operation,
            } if operation == wanted => match Word::of(Byte::Low(operand), upper) {
                Word::Number(number) => Some((number, constant)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The upper half of an addition or a subtraction of a constant.
    fn rest(&self, a: Byte, b: Byte, wanted: Halves) -> Option<(Byte, Carry)> {
        let (number, low) = self.operand(a, wanted)?;
        let constant = u16::from_le_bytes([low, b.constant()?]);
        let constant = match wanted {
            Halves::Subtraction => constant.wrapping_neg(),
            _ => constant,
        };
        Some((Byte::high(number.plus(constant)), Carry::Unknown))
    }

    fn rest_of_doubling(&self, a: Byte) -> Option<(Byte, Carry)> {
        let (number, _) = self.operand(a, Halves::Doubling)?;
        let mut carries = number.values()?.map(|value| value >> 15 != 0);
        let first = carries.next()?;
        let known = carries.all(|other| other == first);
        let carry = if known {
            Carry::Known(first)
        } else {
            Carry::Unknown
        };
        Some((Byte::high(number.doubled()?), carry))
    }

    fn compared(&self, instruction: &Instruction, immediate: bool, b: Byte) -> Option<(Byte, Carry)> {
        let a = self.get(instruction.d);
        let comparison = match (instruction.operation, self.carry) {
            (Operation::Cpc, Carry::Compared(lower)) if lower.high.is_none() => {
                let (register, constant) = match lower.reversed {
                    false => (instruction.d, b.constant()?),
                    true => (instruction.r, a.constant()?),
                };
                Comparison {
                    high: Some(register),
                    constant: lower.constant | u16::from(constant) << 8,
                    ..lower
                }
            }
            (Operation::Cpc, _) => return None,
            _ => match (a.constant(), b.constant()) {
                (None, Some(constant)) => Comparison {
                    low: instruction.d,
                    high: None,
                    constant: u16::from(constant),
                    reversed: false,
                },
                (Some(constant), None) if !immediate => Comparison {
                    low: instruction.r,
                    high: None,
                    constant: u16::from(constant),
                    reversed: true,
                },
                _ => return None,
            },
        };
        Some((a, Carry::Compared(comparison)))
    }
}

/// Whether an instruction that computes leaves the carry as it is.
fn keeps_carry(operation: Operation) -> bool {
    use Operation as Op;
    matches!(
        operation,
        Op::Mov
            | Op::Movw
            | Op::Ldi
            | Op::Swap
            | Op::And
            | Op::Andi
            | Op::Or
            | Op::Ori
            | Op::Eor
            | Op::Inc
            | Op::Dec
            | Op::Bld
            | Op::Bst
    )
}

/// The lower half of an addition or subtraction of a constant, and what the carry belongs to.
fn halfway(operand: Number, constant: u8, operation: Halves) -> (Byte, Carry) {
    let result = match operation {
        Halves::Subtraction => operand.plus(u16::from(constant).wrapping_neg()),
        _ => operand.plus(u16::from(constant)),
    };
    let carry = Carry::Between {
        operand,
        constant,
        operation,
    };
    (Byte::low(result), carry)
}

fn doubled(a: Byte) -> Option<(Byte, Carry)> {
    let Byte::Low(operand) = a else { return None };
    let carry = Carry::Between {
        operand,
        constant: 0,
        operation: Halves::Doubling,
    };
    Some((Byte::low(operand.doubled()?), carry))
}

/// A machine that only computes, over bytes with unknown bits.
struct Evaluator {
    registers: [Bits; 32],
    written: u32,
    status: Bits,
}

const UNKNOWN: Bits = Bits {
    value: 0,
    unknown: 0xFF,
    origin: 0,
};

impl Evaluator {
    fn new(state: &State) -> Self {
        let mut registers = [UNKNOWN; 32];
        for (bits, byte) in registers.iter_mut().zip(&state.cells) {
            *bits = byte.constant().map_or(UNKNOWN, Bits::known);
        }
        let status = match state.carry {
            Carry::Known(carry) => Bits::input(u8::from(carry), !status::C, 0),
            _ => UNKNOWN,
        };
        Self {
            registers,
            written: 0,
            status,
        }
    }
}

impl Machine for Evaluator {
    type Byte = Bits;

    fn register(&mut self, number: u8) -> Bits {
        self.registers[usize::from(number & 31)]
    }
    fn demand(&mut self, number: u8, _needed: u8) -> Bits {
        self.registers[usize::from(number & 31)]
    }
    fn set_register(&mut self, number: u8, value: Bits) {
        self.registers[usize::from(number & 31)] = value;
        self.written |= 1 << (number & 31);
    }
    fn status(&mut self) -> Bits {
        self.status
    }
    fn set_status(&mut self, value: Bits) {
        self.status = value;
    }
    fn stack_pointer(&mut self) -> u16 {
        0
    }
    fn set_stack_pointer(&mut self, _value: u16) {}
    fn load(&mut self, _address: u16) -> Bits {
        UNKNOWN
    }
    fn store(&mut self, _address: u16, _number: u8) {}
    fn load_bit(&mut self, _address: u16, _bit: u8) -> bool {
        false
    }
    fn store_bit(&mut self, _address: u16, _bit: u8, _value: bool) {}
    fn push(&mut self, _value: Bits) {}
    fn pop(&mut self) -> Bits {
        UNKNOWN
    }
    fn pop_address(&mut self) -> u8 {
        0
    }
    fn pointer(&mut self, _low: u8) -> u16 {
        0
    }
    fn extended_pointer(&mut self) -> u8 {
        0
    }
    fn extended_target(&mut self) -> u8 {
        0
    }
    fn set_extended_pointer(&mut self, _value: u8) {}
    fn flash(&mut self, _address: u32) -> u8 {
        0xFF
    }
    fn store_program(&mut self, _address: u32) {}
    fn decide(&mut self, _bit: Bits) -> bool {
        false
    }
    fn words_at(&mut self, _address: u32) -> u8 {
        1
    }
    fn flash_words(&self) -> u32 {
        1
    }
    fn address_bytes(&self) -> u8 {
        2
    }
}
