//! What every instruction does, written once over an abstract byte.
//!
//! Idea: [`execute`] knows the arithmetic, the flags and the flow of control; a [`Machine`] keeps registers
//! and memory and decides what happens where a value is not known. The concrete simulator is a machine over
//! `u8`, the one with nondeterminism a machine over [`crate::byte::Bits`] that fixes a bit at the moment when
//! [`Machine::demand`] asks for it.
//!
//! Invariant: an instruction that only moves bytes (MOV, LD, PUSH, SWAP, …) demands nothing; the others
//! demand just the bits on which the result or a flag depends.
//!
//! Source: AVR Instruction Set Manual (DS40002198); "must" and "may" instructions after section 5.6.3 of
//! Schlich's thesis.

use crate::byte::AbstractByte;
use crate::instruction::{Instruction, Operation, Pointer};

/// Bits of the status register.
pub mod status {
    /// Carry.
    pub const C: u8 = 0x01;
    /// Zero.
    pub const Z: u8 = 0x02;
    /// Negative.
    pub const N: u8 = 0x04;
    /// Overflow of two's complement.
    pub const V: u8 = 0x08;
    /// Sign: N exclusive or V.
    pub const S: u8 = 0x10;
    /// Half carry.
    pub const H: u8 = 0x20;
    /// Bit copy storage.
    pub const T: u8 = 0x40;
    /// Interrupts enabled.
    pub const I: u8 = 0x80;
}
use status::{C, H, N, S, T, V, Z};

/// Registers, memory and decisions.
pub trait Machine {
    /// The bytes.
    type Byte: AbstractByte;

    /// A register's contents.
    fn register(&mut self, number: u8) -> Self::Byte;
    /// A register's contents, after the bits of `needed` have been decided in it.
    fn demand(&mut self, number: u8, needed: u8) -> Self::Byte;
    /// Changes a register.
    fn set_register(&mut self, number: u8, value: Self::Byte);
    /// The status register.
    fn status(&mut self) -> Self::Byte;
    /// Changes the status register.
    fn set_status(&mut self, value: Self::Byte);
    /// The stack pointer.
    fn stack_pointer(&mut self) -> u16;
    /// Changes the stack pointer.
    fn set_stack_pointer(&mut self, value: u16);
    /// Loads from the data address space.
    fn load(&mut self, address: u16) -> Self::Byte;
    /// Stores a register to the data address space.
    fn store(&mut self, address: u16, number: u8);
    /// A bit of an I/O register, for SBIC and SBIS.
    fn load_bit(&mut self, address: u16, bit: u8) -> bool;
    /// Sets or clears a bit of an I/O register, for SBI and CBI.
    fn store_bit(&mut self, address: u16, bit: u8, value: bool);
    /// Pushes a byte.
    fn push(&mut self, value: Self::Byte);
    /// Pops a byte.
    fn pop(&mut self) -> Self::Byte;
    /// Pops a byte of a return address, decided.
    fn pop_address(&mut self) -> u8;
    /// The value of a register pair that is used as an address, decided.
    fn pointer(&mut self, low: u8) -> u16;
    /// The upper part of the address for ELPM and SPM.
    fn extended_pointer(&mut self) -> u8;
    /// Changes it, when the pointer of ELPM leaves its 64 KiB.
    fn set_extended_pointer(&mut self, value: u8);
    /// The upper part of the target of EIJMP and EICALL.
    fn extended_target(&mut self) -> u8;
    /// A byte of flash.
    fn flash(&mut self, address: u32) -> u8;
    /// SPM: what the control register asks for, at `address`, with the word in R1:R0.
    fn store_program(&mut self, address: u32);
    /// Bit 0 of a byte, decided.
    fn decide(&mut self, bit: Self::Byte) -> bool;
    /// A flag of the status register, decided.
    fn flag(&mut self, number: u8) -> bool {
        let bit = masked(self.status().down(number), 1);
        self.decide(bit)
    }
    /// The words of the instruction at a word address.
    fn words_at(&mut self, address: u32) -> u8;
    /// The size of flash in words.
    fn flash_words(&self) -> u32;
    /// Bytes of a return address: 2 or 3.
    fn address_bytes(&self) -> u8;
}

/// What an instruction did besides changing registers and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// SEI: one more instruction is executed before an interrupt.
    InterruptsEnabled,
    /// A return from an interrupt handler.
    InterruptReturn,
    /// A call.
    Call,
    /// A return.
    Return,
    /// SLEEP.
    Sleep,
    /// WDR.
    WatchdogReset,
    /// BREAK.
    Break,
    /// The word is no instruction; the counter stays on it.
    Undefined,
}

/// The address of the next instruction in words, and what else happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Word address.
    pub next: u32,
    /// Effect.
    pub effect: Effect,
}

/// Replaces the flags of `mask`.
fn set_flags<M: Machine>(machine: &mut M, mask: u8, flags: M::Byte) {
    let kept = machine.status().and(M::Byte::known(!mask));
    machine.set_status(kept.or(flags));
}

fn masked<B: AbstractByte>(byte: B, mask: u8) -> B {
    byte.and(B::known(mask))
}

/// Z, N and S for a result, from V (in V's place).
#[inline(always)]
fn sign_flags<B: AbstractByte>(result: B, overflow: B) -> B {
    let negative = masked(result, 0x80).down(5);
    let sign = negative.up(2).eor(overflow.up(1));
    result.is_zero().up(1).or(negative).or(overflow).or(sign)
}

/// H, V and C from the carries out of bits (`carries`) and the overflow in bit 7.
#[inline(always)]
fn carry_flags<B: AbstractByte>(carries: B, overflow: B, result: B) -> B {
    let overflow = masked(overflow, 0x80).down(4);
    sign_flags(result, overflow)
        .or(masked(carries, 0x80).down(7))
        .or(masked(carries, 0x08).up(2))
}

#[inline(always)]
fn add<B: AbstractByte>(a: B, b: B, carry: B) -> (B, B) {
    let r = a.plus(b, carry);
    let carries = a.and(b).or(a.or(b).and(r.not()));
    let overflow = a.eor(r).and(b.eor(r));
    (r, carry_flags(carries, overflow, r))
}

#[inline(always)]
fn subtract<B: AbstractByte>(a: B, b: B, borrow: B) -> (B, B) {
    let r = a.plus(b.not(), masked(borrow.not(), 1));
    let borrows = a.not().and(b).or(a.not().or(b).and(r));
    let overflow = a.eor(b).and(a.eor(r));
    (r, carry_flags(borrows, overflow, r))
}

const ARITHMETIC: u8 = H | S | V | N | Z | C;
const LOGIC: u8 = S | V | N | Z;
const SHIFT: u8 = S | V | N | Z | C;

/// Runs one instruction that stands at word address `pc`.
#[inline]
pub fn execute<M: Machine>(machine: &mut M, instruction: &Instruction, pc: u32) -> Step {
    use Operation as Op;
    let following = (pc + u32::from(instruction.words)) % machine.flash_words().max(1);
    let d = instruction.d;
    match instruction.operation {
        Op::Nop => {}
        Op::Ldi => machine.set_register(d, M::Byte::known(instruction.k as u8)),
        Op::Mov => {
            let value = machine.register(instruction.r);
            machine.set_register(d, value);
        }
        Op::Movw => {
            for half in 0..2 {
                let value = machine.register(instruction.r + half);
                machine.set_register(d + half, value);
            }
        }
        Op::Swap => {
            let value = machine.register(d).swapped();
            machine.set_register(d, value);
        }
        Op::Add | Op::Adc | Op::Sub | Op::Sbc | Op::Cp | Op::Cpc | Op::Subi | Op::Sbci | Op::Cpi => {
            arithmetic(machine, instruction);
        }
        Op::And | Op::Or | Op::Eor | Op::Andi | Op::Ori => logic(machine, instruction),
        Op::Com | Op::Neg | Op::Inc | Op::Dec | Op::Asr | Op::Lsr | Op::Ror => unary(machine, instruction),
        Op::Adiw | Op::Sbiw => word(machine, instruction),
        Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => multiply(machine, instruction),
        Op::Ld | Op::St | Op::Lpm | Op::Elpm | Op::Spm => through_pointer(machine, instruction),
        Op::Lds | Op::In => {
            let value = machine.load(instruction.k as u16);
            machine.set_register(d, value);
        }
        Op::Sts | Op::Out => machine.store(instruction.k as u16, d),
        Op::Push => {
            let value = machine.register(d);
            machine.push(value);
        }
        Op::Pop => {
            let value = machine.pop();
            machine.set_register(d, value);
        }
        Op::Bset | Op::Bclr => return status_bit(machine, instruction, following),
        Op::Bst => {
            let bit = machine.demand(d, 1 << instruction.b).down(instruction.b);
            set_flags(machine, T, masked(bit, 1).up(6));
        }
        Op::Bld => {
            let bit = masked(machine.status(), T).down(6).up(instruction.b);
            let value = masked_bits(machine.register(d), instruction.b, bit);
            machine.set_register(d, value);
        }
        Op::Sbi | Op::Cbi => {
            let value = instruction.operation == Op::Sbi;
            machine.store_bit(instruction.k as u16, instruction.b, value);
        }
        Op::Sbic | Op::Sbis | Op::Sbrc | Op::Sbrs | Op::Cpse | Op::Brbs | Op::Brbc => {
            return at(conditional(machine, instruction, pc, following));
        }
        _ => return flow(machine, instruction, pc, following),
    }
    at(following)
}

fn at(next: u32) -> Step {
    Step {
        next,
        effect: Effect::None,
    }
}

/// A byte with one bit replaced; unlike a general `or`, this keeps where the other bits come from.
fn masked_bits<B: AbstractByte>(byte: B, position: u8, bit: B) -> B {
    byte.and(B::known(!(1 << position))).or(bit)
}

#[inline(always)]
fn arithmetic<M: Machine>(machine: &mut M, instruction: &Instruction) {
    use Operation as Op;
    let (operation, d) = (instruction.operation, instruction.d);
    let immediate = matches!(operation, Op::Subi | Op::Sbci | Op::Cpi);
    let with_carry = matches!(operation, Op::Adc | Op::Sbc | Op::Cpc | Op::Sbci);
    let subtracts = !matches!(operation, Op::Add | Op::Adc);
    let carry = if with_carry {
        masked(machine.status(), C)
    } else {
        M::Byte::known(0)
    };
    let (a, b) = if !immediate && instruction.r == d && subtracts {
        // A register less itself does not depend on the register.
        (M::Byte::known(0), M::Byte::known(0))
    } else if immediate {
        (machine.demand(d, 0xFF), M::Byte::known(instruction.k as u8))
    } else {
        (machine.demand(d, 0xFF), machine.demand(instruction.r, 0xFF))
    };
    let (result, mut flags) = if subtracts {
        subtract(a, b, carry)
    } else {
        add(a, b, carry)
    };
    if with_carry && subtracts {
        // Z is only cleared: a multi-byte result is zero if all its bytes are.
        let before = machine.status();
        flags = flags.and(M::Byte::known(!Z)).or(masked(flags.and(before), Z));
    }
    set_flags(machine, ARITHMETIC, flags);
    if !matches!(operation, Op::Cp | Op::Cpc | Op::Cpi) {
        machine.set_register(d, result);
    }
}

#[inline(always)]
fn logic<M: Machine>(machine: &mut M, instruction: &Instruction) {
    use Operation as Op;
    let (operation, d, r) = (instruction.operation, instruction.d, instruction.r);
    let immediate = matches!(operation, Op::Andi | Op::Ori);
    let other = if immediate {
        M::Byte::known(instruction.k as u8)
    } else {
        machine.register(r)
    };
    let conjunction = matches!(operation, Op::And | Op::Andi);
    let result = if operation == Op::Eor {
        if r == d {
            M::Byte::known(0)
        } else {
            let a = machine.demand(d, 0xFF);
            a.eor(machine.demand(r, 0xFF))
        }
    } else {
        // A bit matters where the other operand does not decide.
        let matters = |byte: M::Byte| if conjunction { !byte.zeros() } else { !byte.ones() };
        let a = machine.demand(d, matters(other));
        let b = if immediate {
            other
        } else {
            machine.demand(r, matters(a))
        };
        if conjunction { a.and(b) } else { a.or(b) }
    };
    set_flags(machine, LOGIC, sign_flags(result, M::Byte::known(0)));
    machine.set_register(d, result);
}

#[inline(always)]
fn unary<M: Machine>(machine: &mut M, instruction: &Instruction) {
    use Operation as Op;
    let d = instruction.d;
    let a = machine.demand(d, 0xFF);
    let zero = M::Byte::known(0);
    let equals = |byte: M::Byte, value: u8| byte.eor(M::Byte::known(value)).is_zero();
    let (result, mask, flags) = match instruction.operation {
        Op::Com => {
            let r = a.not();
            (r, SHIFT, sign_flags(r, zero).or(M::Byte::known(C)))
        }
        Op::Neg => {
            let (r, flags) = subtract(zero, a, zero);
            (r, ARITHMETIC, flags)
        }
        Op::Inc => {
            let r = a.plus(M::Byte::known(1), zero);
            (r, LOGIC, sign_flags(r, equals(r, 0x80).up(3)))
        }
        Op::Dec => {
            let r = a.plus(M::Byte::known(0xFF), zero);
            (r, LOGIC, sign_flags(r, equals(r, 0x7F).up(3)))
        }
        shift => {
            let carry = masked(a, 1);
            let top = match shift {
                Op::Asr => masked(a, 0x80),
                Op::Ror => masked(machine.status(), C).up(7),
                _ => zero,
            };
            let r = a.down(1).or(top);
            let overflow = masked(r, 0x80).down(7).eor(carry).up(3);
            (r, SHIFT, sign_flags(r, overflow).or(carry))
        }
    };
    set_flags(machine, mask, flags);
    machine.set_register(d, result);
}

/// ADIW and SBIW.
fn word<M: Machine>(machine: &mut M, instruction: &Instruction) {
    let d = instruction.d;
    let (low, high) = (machine.demand(d, 0xFF), machine.demand(d + 1, 0xFF));
    let (constant, zero) = (M::Byte::known(instruction.k as u8), M::Byte::known(0));
    let adds = instruction.operation == Operation::Adiw;
    let (result_low, first) = if adds {
        add(low, constant, zero)
    } else {
        subtract(low, constant, zero)
    };
    let carry = masked(first, C);
    let (result_high, second) = if adds {
        add(high, zero, carry)
    } else {
        subtract(high, zero, carry)
    };
    let flags = second.and(M::Byte::known(!Z)).or(masked(second.and(first), Z));
    set_flags(machine, SHIFT, masked(flags, SHIFT));
    machine.set_register(d, result_low);
    machine.set_register(d + 1, result_high);
}

fn multiply<M: Machine>(machine: &mut M, instruction: &Instruction) {
    use Operation as Op;
    let (signed, fractional) = match instruction.operation {
        Op::Mul => ((false, false), false),
        Op::Muls => ((true, true), false),
        Op::Mulsu => ((true, false), false),
        Op::Fmul => ((false, false), true),
        Op::Fmuls => ((true, true), true),
        _ => ((true, false), true),
    };
    let (a, b) = (
        machine.demand(instruction.d, 0xFF),
        machine.demand(instruction.r, 0xFF),
    );
    let (mut low, mut high) = a.times(b, signed);
    let carry = masked(high, 0x80).down(7);
    if fractional {
        high = high.up(1).or(low.down(7));
        low = low.up(1);
    }
    let zero = low.is_zero().and(high.is_zero());
    set_flags(machine, C | Z, carry.or(zero.up(1)));
    machine.set_register(0, low);
    machine.set_register(1, high);
}

fn through_pointer<M: Machine>(machine: &mut M, instruction: &Instruction) {
    use Operation as Op;
    let (d, low) = (instruction.d, instruction.r);
    let mut address = machine.pointer(low);
    let mut extension = 0;
    if matches!(instruction.operation, Op::Elpm | Op::Spm) {
        extension = machine.extended_pointer();
    }
    let using = instruction.pointer();
    if using == Pointer::Decrement {
        address = address.wrapping_sub(1);
        set_pointer(machine, low, address);
    }
    let long = u32::from(extension) << 16 | u32::from(address);
    match instruction.operation {
        Op::Ld => {
            let value = machine.load(address.wrapping_add(instruction.k as u16));
            if using == Pointer::Increment {
                set_pointer(machine, low, address.wrapping_add(1));
            }
            machine.set_register(d, value);
            return;
        }
        Op::St => machine.store(address.wrapping_add(instruction.k as u16), d),
        Op::Spm => machine.store_program(long),
        _ => {
            let value = machine.flash(long);
            if using == Pointer::Increment {
                set_pointer(machine, low, address.wrapping_add(1));
                if instruction.operation == Op::Elpm && address == u16::MAX {
                    machine.set_extended_pointer(extension.wrapping_add(1));
                }
            }
            machine.set_register(d, M::Byte::known(value));
            return;
        }
    }
    if using == Pointer::Increment {
        set_pointer(machine, low, address.wrapping_add(1));
    }
}

fn set_pointer<M: Machine>(machine: &mut M, low: u8, address: u16) {
    let [first, second] = address.to_le_bytes();
    machine.set_register(low, M::Byte::known(first));
    machine.set_register(low + 1, M::Byte::known(second));
}

fn status_bit<M: Machine>(machine: &mut M, instruction: &Instruction, next: u32) -> Step {
    let bit = 1 << instruction.b;
    let set = instruction.operation == Operation::Bset;
    set_flags(machine, bit, M::Byte::known(if set { bit } else { 0 }));
    let effect = if set && bit == status::I {
        Effect::InterruptsEnabled
    } else {
        Effect::None
    };
    Step { next, effect }
}

/// Skips and branches: the next address.
fn conditional<M: Machine>(machine: &mut M, instruction: &Instruction, pc: u32, following: u32) -> u32 {
    use Operation as Op;
    let (d, b) = (instruction.d, instruction.b);
    let address = instruction.k as u16;
    let taken = match instruction.operation {
        Op::Sbic => !machine.load_bit(address, b),
        Op::Sbis => machine.load_bit(address, b),
        Op::Sbrc | Op::Sbrs => {
            let bit = machine.demand(d, 1 << b).down(b);
            machine.decide(masked(bit, 1)) == (instruction.operation == Op::Sbrs)
        }
        Op::Cpse if d == instruction.r => true,
        Op::Cpse => {
            let difference = machine.demand(d, 0xFF).eor(machine.demand(instruction.r, 0xFF));
            machine.decide(difference.is_zero())
        }
        branch => {
            let taken = machine.flag(b) == (branch == Op::Brbs);
            return if taken {
                instruction.target(pc, machine.flash_words())
            } else {
                following
            };
        }
    };
    if !taken {
        return following;
    }
    let skipped = machine.words_at(following);
    (following + u32::from(skipped)) % machine.flash_words().max(1)
}

/// Pushes a return address, low byte first.
pub fn push_address<M: Machine>(machine: &mut M, address: u32) {
    for index in 0..machine.address_bytes() {
        machine.push(M::Byte::known((address >> (8 * index)) as u8));
    }
}

fn pop_address<M: Machine>(machine: &mut M) -> u32 {
    let mut address = 0;
    for _ in 0..machine.address_bytes() {
        address = address << 8 | u32::from(machine.pop_address());
    }
    address % machine.flash_words().max(1)
}

/// Words of flash that the 16 bits of Z reach.
pub const WORDS_WITHOUT_EXTENSION: u32 = 0x1_0000;

/// Where IJMP and ICALL lead (Z), or EIJMP and EICALL (EIND:Z).
fn indirect_target<M: Machine>(machine: &mut M, instruction: &Instruction) -> u32 {
    let extension = match instruction.is_extended() {
        true => machine.extended_target(),
        false => 0,
    };
    let target = u32::from(extension) << 16 | u32::from(machine.pointer(30));
    target % machine.flash_words().max(1)
}

fn flow<M: Machine>(machine: &mut M, instruction: &Instruction, pc: u32, following: u32) -> Step {
    use Operation as Op;
    let words = machine.flash_words();
    let to = |next, effect| Step { next, effect };
    match instruction.operation {
        _ if instruction.is_extended() && words <= WORDS_WITHOUT_EXTENSION => to(pc, Effect::Undefined),
        Op::Rjmp => at(instruction.target(pc, words)),
        Op::Jmp => at(instruction.k as u32 % words.max(1)),
        Op::Ijmp => at(indirect_target(machine, instruction)),
        Op::Rcall | Op::Call | Op::Icall => {
            let target = match instruction.operation {
                Op::Rcall => instruction.target(pc, words),
                Op::Call => instruction.k as u32 % words.max(1),
                _ => indirect_target(machine, instruction),
            };
            push_address(machine, following);
            to(target, Effect::Call)
        }
        Op::Ret => to(pop_address(machine), Effect::Return),
        Op::Reti => {
            let next = pop_address(machine);
            set_flags(machine, status::I, M::Byte::known(status::I));
            to(next, Effect::InterruptReturn)
        }
        Op::Sleep => to(following, Effect::Sleep),
        Op::Wdr => to(following, Effect::WatchdogReset),
        Op::Break => to(following, Effect::Break),
        _ => to(pc, Effect::Undefined),
    }
}
