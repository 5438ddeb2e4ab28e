//! What an instruction needs of what was there before it, for what is needed behind it: bit by bit.
//!
//! Idea: an operand is needed where the result is; so a computation whose result nobody uses needs nothing.
//! Copies and logic are followed bit by bit, so that a copy of the status register from which only I is
//! restored does not keep the other flags alive; sums need the bits below.
//!
//! Invariant: two runs of one instruction that agree on the bits needed before it, and on memory, agree on
//! the bits asked for behind it, on memory, and on where control goes (a test tries random ones).
//!
//! What a push saves is not followed here: a push needs its register.

use crate::core::address;
use crate::instruction::{Instruction, Operation as Op, Pointer};
use crate::semantics::status::{C, H, N, S, T, V, Z};

/// The flags that are followed. I is needed everywhere.
pub(super) const FLAGS: u8 = C | Z | N | V | S | H | T;
const ARITHMETIC: u8 = H | S | V | N | Z | C;
const LOGIC: u8 = S | V | N | Z;
const SHIFT: u8 = S | V | N | Z | C;

/// Bits of the general registers and of the status register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits {
    /// Of each general register.
    pub registers: [u8; 32],
    /// Of the status register, without I.
    pub flags: u8,
}

impl Bits {
    /// None of them.
    pub const NONE: Self = Self {
        registers: [0; 32],
        flags: 0,
    };
    /// All of them.
    pub const ALL: Self = Self {
        registers: [0xFF; 32],
        flags: FLAGS,
    };

    /// All bits of some registers, and some flags.
    pub(super) fn whole(registers: u32, flags: u8) -> Self {
        let mut bits = Self::NONE;
        for (number, bits) in bits.registers.iter_mut().enumerate() {
            *bits = if registers >> number & 1 == 1 { 0xFF } else { 0 };
        }
        bits.flags = flags & FLAGS;
        bits
    }

    /// The registers of which some bit is there.
    #[must_use]
    pub fn some_of(&self) -> u32 {
        let numbers = (0..32).filter(|number| self.registers[*number as usize] != 0);
        numbers.fold(0, |mask, number| mask | 1 << number)
    }

    /// Adds those of another set.
    pub(super) fn add(&mut self, other: &Self) {
        for (bits, more) in self.registers.iter_mut().zip(&other.registers) {
            *bits |= more;
        }
        self.flags |= other.flags;
    }

    /// Takes away those of another set.
    pub(super) fn remove(&mut self, other: &Self) {
        for (bits, less) in self.registers.iter_mut().zip(&other.registers) {
            *bits &= !less;
        }
        self.flags &= !other.flags;
    }

    /// A register is written: the bits that were asked for are no longer needed.
    fn take(&mut self, register: u8) -> u8 {
        std::mem::take(&mut self.registers[usize::from(register & 31)])
    }

    /// Two registers are written.
    fn take_pair(&mut self, low: u8) -> u16 {
        u16::from_le_bytes([self.take(low), self.take(low + 1)])
    }

    /// Flags are written.
    fn take_flags(&mut self, flags: u8) -> u8 {
        let taken = self.flags & flags;
        self.flags &= !flags;
        taken
    }

    fn need(&mut self, register: u8, bits: u8) {
        self.registers[usize::from(register & 31)] |= bits;
    }

    fn need_pair(&mut self, low: u8) {
        self.need(low, 0xFF);
        self.need(low + 1, 0xFF);
    }
}

/// What must be as it is before an instruction, for the given bits to be as they are behind it. Where control
/// goes is needed too.
#[must_use]
pub fn needed(instruction: &Instruction, behind: &Bits) -> Bits {
    let mut bits = *behind;
    let Instruction { d, r, b, .. } = *instruction;
    let at = instruction.k as u16;
    match instruction.operation {
        Op::Nop | Op::Sleep | Op::Break | Op::Wdr | Op::Jmp | Op::Rjmp | Op::Ret | Op::Reti => {}
        Op::Call | Op::Rcall | Op::Sbic | Op::Sbis | Op::Sbi | Op::Cbi => {}
        Op::Ldi | Op::Pop => drop(bits.take(d)),
        Op::Mov => {
            let asked = bits.take(d);
            bits.need(r, asked);
        }
        Op::Movw => {
            for half in 0..2 {
                let asked = bits.take(d + half);
                bits.need(r + half, asked);
            }
        }
        Op::Swap => {
            let asked = bits.take(d);
            bits.need(d, asked.rotate_left(4));
        }
        Op::Add | Op::Adc | Op::Sub | Op::Sbc | Op::Cp | Op::Cpc | Op::Subi | Op::Sbci | Op::Cpi => {
            arithmetic(instruction, &mut bits);
        }
        Op::And | Op::Or | Op::Eor | Op::Andi | Op::Ori => logic(instruction, &mut bits),
        Op::Com | Op::Neg | Op::Inc | Op::Dec => unary(instruction, &mut bits),
        Op::Asr | Op::Lsr | Op::Ror => shift(instruction, &mut bits),
        Op::Adiw | Op::Sbiw => {
            let flags = bits.take_flags(SHIFT);
            let asked = up_to_highest(u32::from(bits.take_pair(d))) as u16;
            let asked = if flags == 0 { asked } else { u16::MAX };
            let [low, high] = asked.to_le_bytes();
            bits.need(d, low);
            bits.need(d + 1, high);
        }
        Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => {
            if bits.take_pair(0) != 0 || bits.take_flags(C | Z) != 0 {
                bits.take_flags(C | Z);
                bits.need(d, 0xFF);
                bits.need(r, 0xFF);
            }
        }
        Op::Ld | Op::Lpm | Op::Elpm => {
            bits.take(d);
            bits.need_pair(r);
        }
        Op::St => {
            bits.need_pair(r);
            bits.need(d, 0xFF);
        }
        Op::Spm => {
            bits.need_pair(0);
            bits.need_pair(r);
        }
        Op::Lds | Op::In => {
            let asked = bits.take(d);
            match at {
                address::SREG => bits.flags |= asked & FLAGS,
                0..32 => bits.need(at as u8, asked),
                _ => {}
            }
        }
        Op::Sts | Op::Out => {
            let asked = match at {
                address::SREG => bits.take_flags(FLAGS) | !FLAGS,
                0..32 => bits.take(at as u8),
                _ => 0xFF,
            };
            bits.need(d, asked);
        }
        Op::Push | Op::Sbrc | Op::Sbrs => {
            let tested = if instruction.operation == Op::Push {
                0xFF
            } else {
                1 << b
            };
            bits.need(d, tested);
        }
        Op::Bset | Op::Bclr => drop(bits.take_flags(1 << b)),
        Op::Bst => {
            let asked = bits.take_flags(T);
            bits.need(d, if asked == 0 { 0 } else { 1 << b });
        }
        Op::Bld => {
            let asked = bits.take(d);
            bits.need(d, asked & !(1 << b));
            bits.flags |= if asked >> b & 1 == 0 { 0 } else { T };
        }
        Op::Cpse if d == r => {}
        Op::Cpse => {
            bits.need(d, 0xFF);
            bits.need(r, 0xFF);
        }
        Op::Brbs | Op::Brbc => bits.flags |= 1 << b & FLAGS,
        Op::Ijmp | Op::Icall => bits.need_pair(30),
        Op::Undefined => bits = Bits::ALL,
    }
    bits
}

/// All bits up to the highest.
fn up_to_highest(bits: u32) -> u32 {
    match bits.checked_ilog2() {
        Some(highest) => u32::MAX >> (31 - highest),
        None => 0,
    }
}

fn arithmetic(instruction: &Instruction, bits: &mut Bits) {
    let (operation, d, r) = (instruction.operation, instruction.d, instruction.r);
    let compares = matches!(operation, Op::Cp | Op::Cpc | Op::Cpi);
    let immediate = matches!(operation, Op::Subi | Op::Sbci | Op::Cpi);
    let with_carry = matches!(operation, Op::Adc | Op::Sbc | Op::Cpc | Op::Sbci);
    let subtracts = !matches!(operation, Op::Add | Op::Adc);
    let result = if compares { 0 } else { bits.take(d) };
    let flags = bits.take_flags(ARITHMETIC);
    if result == 0 && flags == 0 {
        return;
    }
    if with_carry {
        // Z is only cleared where bytes are subtracted.
        bits.flags |= C | if subtracts { flags & Z } else { 0 };
    }
    if !immediate && d == r && subtracts {
        return;
    }
    let asked = match flags {
        0 => up_to_highest(u32::from(result)) as u8,
        _ => 0xFF,
    };
    bits.need(d, asked);
    if !immediate {
        bits.need(r, asked);
    }
}

/// The bits of a result that its flags need, where V is 0.
fn for_flags(flags: u8) -> u8 {
    match flags {
        _ if flags & Z != 0 => 0xFF,
        _ if flags & (N | S) != 0 => 0x80,
        _ => 0,
    }
}

fn logic(instruction: &Instruction, bits: &mut Bits) {
    let (d, constant) = (instruction.d, instruction.k as u8);
    let flags = bits.take_flags(LOGIC);
    let asked = bits.take(d) | for_flags(flags);
    match instruction.operation {
        Op::Eor if d == instruction.r => {}
        Op::Andi => bits.need(d, asked & constant),
        Op::Ori => bits.need(d, asked & !constant),
        _ => {
            bits.need(d, asked);
            bits.need(instruction.r, asked);
        }
    }
}

fn unary(instruction: &Instruction, bits: &mut Bits) {
    let d = instruction.d;
    let result = bits.take(d);
    let sum = |flags: u8| match flags {
        0 => up_to_highest(u32::from(result)) as u8,
        _ => 0xFF,
    };
    let asked = match instruction.operation {
        Op::Com => result | for_flags(bits.take_flags(SHIFT)),
        Op::Neg => sum(bits.take_flags(ARITHMETIC)),
        _ => sum(bits.take_flags(LOGIC)),
    };
    bits.need(d, asked);
}

fn shift(instruction: &Instruction, bits: &mut Bits) {
    let result = bits.take(instruction.d);
    let flags = bits.take_flags(SHIFT);
    let mut asked = if flags == 0 { result << 1 } else { 0xFF };
    let needs_top = flags != 0 || result & 0x80 != 0;
    match instruction.operation {
        Op::Asr if needs_top => asked |= 0x80,
        Op::Ror if needs_top => bits.flags |= C,
        _ => {}
    }
    bits.need(instruction.d, asked);
}

/// What an instruction may read and write of the registers, as far as it matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Use {
    /// Registers that it may read.
    pub reads: u32,
    /// Registers that it writes.
    pub writes: u32,
    /// Flags that it may read.
    pub reads_flags: u8,
    /// Flags that it writes.
    pub writes_flags: u8,
}

/// What an instruction reads and writes, as [`needed`] says: a register that is needed behind it and for
/// which something else is needed before it is written.
#[must_use]
pub fn use_of(instruction: &Instruction) -> Use {
    let always = needed(instruction, &Bits::NONE);
    let mut found = Use {
        reads: always.some_of(),
        reads_flags: always.flags,
        ..Use::default()
    };
    let mut ask = |asked: Bits| {
        let before = needed(instruction, &asked);
        let mut untouched = asked;
        untouched.add(&always);
        if before == untouched {
            return false;
        }
        found.reads |= before.some_of();
        found.reads_flags |= before.flags;
        true
    };
    let (mut writes, mut writes_flags) = (0, 0);
    let Instruction { d, r, k, .. } = *instruction;
    let touched = [0, 1, d, d + 1, r, r + 1, k.clamp(0, 31) as u8];
    for register in touched.map(|register| register & 31) {
        // Where each bit is needed for the same bit, nothing is written.
        for asked in [0xFF, 0x01, 0x80].into_iter().chain((1..7).map(|bit| 1 << bit)) {
            let mut bits = Bits::NONE;
            bits.need(register, asked);
            if ask(bits) {
                writes |= 1 << register;
            }
        }
    }
    for flag in (0..7).map(|bit| 1 << bit) {
        if ask(Bits::whole(0, flag)) {
            writes_flags |= flag;
        }
    }
    // A pointer that changes is needed anyway, and each bit of a complement depends on the same bit alone, so
    // that the questions do not show it.
    if matches!(instruction.operation, Op::Ld | Op::St | Op::Lpm | Op::Elpm)
        && instruction.pointer() != Pointer::Plain
    {
        writes |= 3 << instruction.r;
    }
    if instruction.operation == Op::Com {
        writes |= 1 << d;
    }
    Use {
        writes,
        writes_flags,
        ..found
    }
}
