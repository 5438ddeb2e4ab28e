//! The instruction set of the megaAVR family: one table of encodings, from which everything else follows.
//!
//! Idea: a row gives the bits of an instruction as the manual prints them, with a letter for every bit of an
//! operand. The decoder reads the rows once into a table of all 65,536 first words; the disassembler prints
//! the row's operands; the semantics ([`crate::semantics`]) dispatches on the row's operation.
//!
//! Invariant: no two rows match the same word (a test tries all).
//!
//! Source: AVR Instruction Set Manual (DS40002198). EIJMP and EICALL are the operations of IJMP and ICALL
//! with an extension of the address, and none on cores whose counter has 16 bits. The instructions of newer
//! cores (DES, XCH, LAS, LAC, LAT) are no instructions here.

use std::sync::OnceLock;

/// What an instruction does; each is described under its mnemonic in the manual.
#[allow(missing_docs, reason = "the manual describes each under its mnemonic")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    Undefined,
    Nop,
    Movw,
    Muls,
    Mulsu,
    Fmul,
    Fmuls,
    Fmulsu,
    Mul,
    Cpc,
    Sbc,
    Add,
    Cpse,
    Cp,
    Sub,
    Adc,
    And,
    Eor,
    Or,
    Mov,
    Cpi,
    Sbci,
    Subi,
    Ori,
    Andi,
    Ldi,
    Ld,
    St,
    Lds,
    Sts,
    Lpm,
    Elpm,
    Spm,
    Pop,
    Push,
    Com,
    Neg,
    Swap,
    Inc,
    Dec,
    Asr,
    Lsr,
    Ror,
    Bset,
    Bclr,
    Ijmp,
    Icall,
    Ret,
    Reti,
    Sleep,
    Break,
    Wdr,
    Jmp,
    Call,
    Rjmp,
    Rcall,
    Adiw,
    Sbiw,
    Cbi,
    Sbi,
    Sbic,
    Sbis,
    In,
    Out,
    Brbs,
    Brbc,
    Bld,
    Bst,
    Sbrc,
    Sbrs,
}

/// How a load or store forms its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pointer {
    /// The pointer register, plus the displacement.
    Plain,
    /// The pointer register, which is incremented afterwards.
    Increment,
    /// The pointer register, which is decremented before.
    Decrement,
}

/// Which registers a register field of fewer than five bits numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Registers {
    /// 0 to 31.
    All,
    /// 16 to 31 (immediate operands), or 16 to 23 with three bits (FMUL).
    High,
    /// Even numbers: pairs of MOVW.
    Pairs,
    /// 24, 26, 28, 30: pairs of ADIW and SBIW.
    Words,
}

/// A row of the table.
struct Row {
    operation: Operation,
    mnemonic: &'static str,
    /// Sixteen bits; spaces do not count. `d` and `r` number registers; `k` is a constant, a target or an
    /// address, `q` a displacement, `a` an I/O address, `b` a bit, `s` a bit of the status register.
    pattern: &'static str,
    registers: Registers,
    /// Operands as they are written, in terms of the pattern's letters.
    operands: &'static str,
    /// The pointer register's number, and its use.
    pointer: Option<(u8, Pointer)>,
    words: u8,
}

const fn row(
    operation: Operation,
    mnemonic: &'static str,
    pattern: &'static str,
    registers: Registers,
    operands: &'static str,
) -> Row {
    Row {
        operation,
        mnemonic,
        pattern,
        registers,
        operands,
        pointer: None,
        words: 1,
    }
}

/// A load or store through a pointer register.
const fn memory(
    operation: Operation,
    mnemonic: &'static str,
    pattern: &'static str,
    operands: &'static str,
    pointer: u8,
    using: Pointer,
) -> Row {
    Row {
        operation,
        mnemonic,
        pattern,
        registers: All,
        operands,
        pointer: Some((pointer, using)),
        words: 1,
    }
}

/// An instruction with a second word, which continues `k`.
const fn long(
    operation: Operation,
    mnemonic: &'static str,
    pattern: &'static str,
    operands: &'static str,
) -> Row {
    Row {
        operation,
        mnemonic,
        pattern,
        registers: All,
        operands,
        pointer: None,
        words: 2,
    }
}

use Operation as Op;
use Pointer::{Decrement, Increment, Plain};
use Registers::{All, High, Pairs, Words};

const X: u8 = 26;
const Y: u8 = 28;
const Z: u8 = 30;

static TABLE: &[Row] = &[
    row(Op::Nop, "nop", "0000 0000 0000 0000", All, ""),
    row(Op::Movw, "movw", "0000 0001 dddd rrrr", Pairs, "Rd, Rr"),
    row(Op::Muls, "muls", "0000 0010 dddd rrrr", High, "Rd, Rr"),
    row(Op::Mulsu, "mulsu", "0000 0011 0ddd 0rrr", High, "Rd, Rr"),
    row(Op::Fmul, "fmul", "0000 0011 0ddd 1rrr", High, "Rd, Rr"),
    row(Op::Fmuls, "fmuls", "0000 0011 1ddd 0rrr", High, "Rd, Rr"),
    row(Op::Fmulsu, "fmulsu", "0000 0011 1ddd 1rrr", High, "Rd, Rr"),
    row(Op::Cpc, "cpc", "0000 01rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Sbc, "sbc", "0000 10rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Add, "add", "0000 11rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Cpse, "cpse", "0001 00rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Cp, "cp", "0001 01rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Sub, "sub", "0001 10rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Adc, "adc", "0001 11rd dddd rrrr", All, "Rd, Rr"),
    row(Op::And, "and", "0010 00rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Eor, "eor", "0010 01rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Or, "or", "0010 10rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Mov, "mov", "0010 11rd dddd rrrr", All, "Rd, Rr"),
    row(Op::Cpi, "cpi", "0011 kkkk dddd kkkk", High, "Rd, K"),
    row(Op::Sbci, "sbci", "0100 kkkk dddd kkkk", High, "Rd, K"),
    row(Op::Subi, "subi", "0101 kkkk dddd kkkk", High, "Rd, K"),
    row(Op::Ori, "ori", "0110 kkkk dddd kkkk", High, "Rd, K"),
    row(Op::Andi, "andi", "0111 kkkk dddd kkkk", High, "Rd, K"),
    memory(Op::Ld, "ldd", "10q0 qq0d dddd 0qqq", "Rd, Z+q", Z, Plain),
    memory(Op::Ld, "ldd", "10q0 qq0d dddd 1qqq", "Rd, Y+q", Y, Plain),
    memory(Op::St, "std", "10q0 qq1d dddd 0qqq", "Z+q, Rd", Z, Plain),
    memory(Op::St, "std", "10q0 qq1d dddd 1qqq", "Y+q, Rd", Y, Plain),
    long(Op::Lds, "lds", "1001 000d dddd 0000", "Rd, M"),
    memory(Op::Ld, "ld", "1001 000d dddd 0001", "Rd, Z+", Z, Increment),
    memory(Op::Ld, "ld", "1001 000d dddd 0010", "Rd, -Z", Z, Decrement),
    memory(Op::Lpm, "lpm", "1001 000d dddd 0100", "Rd, Z", Z, Plain),
    memory(Op::Lpm, "lpm", "1001 000d dddd 0101", "Rd, Z+", Z, Increment),
    memory(Op::Elpm, "elpm", "1001 000d dddd 0110", "Rd, Z", Z, Plain),
    memory(Op::Elpm, "elpm", "1001 000d dddd 0111", "Rd, Z+", Z, Increment),
    memory(Op::Ld, "ld", "1001 000d dddd 1001", "Rd, Y+", Y, Increment),
    memory(Op::Ld, "ld", "1001 000d dddd 1010", "Rd, -Y", Y, Decrement),
    memory(Op::Ld, "ld", "1001 000d dddd 1100", "Rd, X", X, Plain),
    memory(Op::Ld, "ld", "1001 000d dddd 1101", "Rd, X+", X, Increment),
    memory(Op::Ld, "ld", "1001 000d dddd 1110", "Rd, -X", X, Decrement),
    row(Op::Pop, "pop", "1001 000d dddd 1111", All, "Rd"),
    long(Op::Sts, "sts", "1001 001d dddd 0000", "M, Rd"),
    memory(Op::St, "st", "1001 001d dddd 0001", "Z+, Rd", Z, Increment),
    memory(Op::St, "st", "1001 001d dddd 0010", "-Z, Rd", Z, Decrement),
    memory(Op::St, "st", "1001 001d dddd 1001", "Y+, Rd", Y, Increment),
    memory(Op::St, "st", "1001 001d dddd 1010", "-Y, Rd", Y, Decrement),
    memory(Op::St, "st", "1001 001d dddd 1100", "X, Rd", X, Plain),
    memory(Op::St, "st", "1001 001d dddd 1101", "X+, Rd", X, Increment),
    memory(Op::St, "st", "1001 001d dddd 1110", "-X, Rd", X, Decrement),
    row(Op::Push, "push", "1001 001d dddd 1111", All, "Rd"),
    row(Op::Com, "com", "1001 010d dddd 0000", All, "Rd"),
    row(Op::Neg, "neg", "1001 010d dddd 0001", All, "Rd"),
    row(Op::Swap, "swap", "1001 010d dddd 0010", All, "Rd"),
    row(Op::Inc, "inc", "1001 010d dddd 0011", All, "Rd"),
    row(Op::Asr, "asr", "1001 010d dddd 0101", All, "Rd"),
    row(Op::Lsr, "lsr", "1001 010d dddd 0110", All, "Rd"),
    row(Op::Ror, "ror", "1001 010d dddd 0111", All, "Rd"),
    row(Op::Dec, "dec", "1001 010d dddd 1010", All, "Rd"),
    row(Op::Bset, "se", "1001 0100 0sss 1000", All, ""),
    row(Op::Bclr, "cl", "1001 0100 1sss 1000", All, ""),
    row(Op::Ijmp, "ijmp", "1001 0100 0000 1001", All, ""),
    row(Op::Icall, "icall", "1001 0101 0000 1001", All, ""),
    memory(Op::Ijmp, "eijmp", "1001 0100 0001 1001", "", Z, Increment),
    memory(Op::Icall, "eicall", "1001 0101 0001 1001", "", Z, Increment),
    row(Op::Ret, "ret", "1001 0101 0000 1000", All, ""),
    row(Op::Reti, "reti", "1001 0101 0001 1000", All, ""),
    row(Op::Sleep, "sleep", "1001 0101 1000 1000", All, ""),
    row(Op::Break, "break", "1001 0101 1001 1000", All, ""),
    row(Op::Wdr, "wdr", "1001 0101 1010 1000", All, ""),
    memory(Op::Lpm, "lpm", "1001 0101 1100 1000", "", Z, Plain),
    memory(Op::Elpm, "elpm", "1001 0101 1101 1000", "", Z, Plain),
    memory(Op::Spm, "spm", "1001 0101 1110 1000", "", Z, Plain),
    long(Op::Jmp, "jmp", "1001 010k kkkk 110k", "J"),
    long(Op::Call, "call", "1001 010k kkkk 111k", "J"),
    row(Op::Adiw, "adiw", "1001 0110 kkdd kkkk", Words, "Rd, k"),
    row(Op::Sbiw, "sbiw", "1001 0111 kkdd kkkk", Words, "Rd, k"),
    row(Op::Cbi, "cbi", "1001 1000 aaaa abbb", All, "A, b"),
    row(Op::Sbic, "sbic", "1001 1001 aaaa abbb", All, "A, b"),
    row(Op::Sbi, "sbi", "1001 1010 aaaa abbb", All, "A, b"),
    row(Op::Sbis, "sbis", "1001 1011 aaaa abbb", All, "A, b"),
    row(Op::Mul, "mul", "1001 11rd dddd rrrr", All, "Rd, Rr"),
    row(Op::In, "in", "1011 0aad dddd aaaa", All, "Rd, A"),
    row(Op::Out, "out", "1011 1aad dddd aaaa", All, "A, Rd"),
    row(Op::Rjmp, "rjmp", "1100 kkkk kkkk kkkk", All, "L"),
    row(Op::Rcall, "rcall", "1101 kkkk kkkk kkkk", All, "L"),
    row(Op::Ldi, "ldi", "1110 kkkk dddd kkkk", High, "Rd, K"),
    row(Op::Brbs, "br", "1111 00kk kkkk ksss", All, "L"),
    row(Op::Brbc, "br", "1111 01kk kkkk ksss", All, "L"),
    row(Op::Bld, "bld", "1111 100d dddd 0bbb", All, "Rd, b"),
    row(Op::Bst, "bst", "1111 101d dddd 0bbb", All, "Rd, b"),
    row(Op::Sbrc, "sbrc", "1111 110d dddd 0bbb", All, "Rd, b"),
    row(Op::Sbrs, "sbrs", "1111 111d dddd 0bbb", All, "Rd, b"),
];

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// The register written `Rd` (the only one, or the stored one). `LPM` and `ELPM` without operands have 0.
    pub d: u8,
    /// The register written `Rr`, or the low register of the pointer.
    pub r: u8,
    /// The bit, the bit of the status register, or how the pointer is used (as a number of [`Pointer`]).
    pub b: u8,
    /// Words that it takes: 1 or 2.
    pub words: u8,
    row: u8,
    /// Constant, displacement, data address (of I/O registers too), target as a word address, or distance in
    /// words of a relative jump from the next instruction.
    pub k: i32,
}

impl Instruction {
    /// How a load or store uses its pointer.
    #[must_use]
    pub fn pointer(&self) -> Pointer {
        match self.b {
            0 => Plain,
            1 => Increment,
            _ => Decrement,
        }
    }

    /// Whether it is an indirect jump or call to a place in all of flash: the register EIND extends the
    /// address in Z.
    #[must_use]
    pub fn is_extended(&self) -> bool {
        matches!(self.operation, Op::Ijmp | Op::Icall) && self.b != 0
    }

    /// The cycles that it takes at the most, from four on counted as four.
    pub(crate) fn most_cycles(&self) -> u8 {
        match self.operation {
            Op::Nop | Op::Wdr | Op::Ldi | Op::Mov | Op::Movw | Op::In | Op::Out => 1,
            Op::Add | Op::Adc | Op::Sub | Op::Subi | Op::Sbc | Op::Sbci | Op::Com | Op::Neg => 1,
            Op::And | Op::Andi | Op::Or | Op::Ori | Op::Eor | Op::Inc | Op::Dec | Op::Swap => 1,
            Op::Cp | Op::Cpc | Op::Cpi | Op::Asr | Op::Lsr | Op::Ror => 1,
            Op::Bset | Op::Bclr | Op::Bld | Op::Bst => 1,
            Op::Adiw | Op::Sbiw | Op::Ld | Op::St | Op::Lds | Op::Sts | Op::Push | Op::Pop => 2,
            Op::Sbi | Op::Cbi | Op::Rjmp | Op::Brbs | Op::Brbc => 2,
            _ => 4,
        }
    }

    /// The word address that a relative jump from `address` leads to, in a flash of that many words.
    #[must_use]
    pub fn target(&self, address: u32, flash_words: u32) -> u32 {
        let next = i64::from(address) + 1 + i64::from(self.k);
        next.rem_euclid(i64::from(flash_words.max(1))) as u32
    }

    /// The mnemonic as avr-objdump prints it.
    #[must_use]
    pub fn mnemonic(&self) -> &'static str {
        const SET: [&str; 8] = ["sec", "sez", "sen", "sev", "ses", "seh", "set", "sei"];
        const CLEAR: [&str; 8] = ["clc", "clz", "cln", "clv", "cls", "clh", "clt", "cli"];
        const IF_SET: [&str; 8] = ["brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie"];
        const IF_CLEAR: [&str; 8] = ["brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid"];
        let bit = usize::from(self.b & 7);
        match self.operation {
            Op::Undefined => ".word",
            Op::Bset => SET[bit],
            Op::Bclr => CLEAR[bit],
            Op::Brbs => IF_SET[bit],
            Op::Brbc => IF_CLEAR[bit],
            Op::Ld if self.pointer() == Plain && self.k == 0 => "ld",
            Op::St if self.pointer() == Plain && self.k == 0 => "st",
            _ => TABLE[usize::from(self.row)].mnemonic,
        }
    }

    /// The operands in the table's terms.
    pub(crate) fn operands(&self) -> &'static str {
        match self.operation {
            Op::Undefined => "W",
            _ => TABLE[usize::from(self.row)].operands,
        }
    }
}

/// The bits of a word where the pattern has the letter, first bit highest.
fn field(pattern: &str, letter: char, word: u16) -> i32 {
    let mut value = 0;
    for (position, at) in (0..16).rev().zip(pattern.chars().filter(|at| *at != ' ')) {
        if at == letter {
            value = value << 1 | i32::from(word >> position & 1);
        }
    }
    value
}

/// Which bits of a word a pattern fixes, and to what.
fn fixed_bits(pattern: &str) -> (u16, u16) {
    let bits = pattern.chars().filter(|bit| *bit != ' ');
    bits.fold((0, 0), |(mask, value), bit| {
        (
            mask << 1 | u16::from(matches!(bit, '0' | '1')),
            value << 1 | u16::from(bit == '1'),
        )
    })
}

fn register(registers: Registers, number: i32) -> u8 {
    let number = number as u8;
    match registers {
        All => number,
        High => 16 + number,
        Pairs => 2 * number,
        Words => 24 + 2 * number,
    }
}

fn sign_extended(value: i32, bits: u32) -> i32 {
    value << (32 - bits) >> (32 - bits)
}

fn decode_first_word(row: u8, word: u16) -> Instruction {
    let Row {
        operation,
        pattern,
        registers,
        pointer,
        words,
        operands,
        ..
    } = TABLE[usize::from(row)];
    let field = |letter| field(pattern, letter, word);
    let k = match operation {
        Op::Rjmp | Op::Rcall => sign_extended(field('k'), 12),
        Op::Brbs | Op::Brbc => sign_extended(field('k'), 7),
        Op::Ld | Op::St => field('q'),
        _ if operands.contains('A') => field('a') + 0x20,
        _ => field('k'),
    };
    let (r, b) = match pointer {
        Some((register, using)) => (register, using as u8),
        None => (register(registers, field('r')), (field('b') | field('s')) as u8),
    };
    Instruction {
        operation,
        d: register(registers, field('d')),
        r,
        b,
        words,
        row,
        k,
    }
}

fn first_words() -> &'static [Instruction] {
    static DECODED: OnceLock<Vec<Instruction>> = OnceLock::new();
    DECODED.get_or_init(|| {
        let fixed: Vec<(u16, u16)> = TABLE.iter().map(|row| fixed_bits(row.pattern)).collect();
        let decode = |word: u16| {
            let row = fixed.iter().position(|(mask, value)| word & mask == *value);
            match row {
                Some(row) => decode_first_word(row as u8, word),
                None => Instruction {
                    operation: Op::Undefined,
                    d: 0,
                    r: 0,
                    b: 0,
                    words: 1,
                    row: 0,
                    k: i32::from(word),
                },
            }
        };
        (0..=u16::MAX).map(decode).collect()
    })
}

/// Decodes the instruction that begins with `word` and may go on with `next`.
#[must_use]
pub fn decode(word: u16, next: u16) -> Instruction {
    let mut instruction = first_words()[usize::from(word)];
    if instruction.words == 2 {
        instruction.k = instruction.k << 16 | i32::from(next);
    }
    instruction
}

/// Decodes every word of a flash memory as if an instruction began there. The last word goes on with an
/// erased one.
#[must_use]
pub fn decode_all(flash: &[u8]) -> Vec<Instruction> {
    let word = |index: usize| match flash.get(2 * index..2 * index + 2) {
        Some(bytes) => u16::from_le_bytes([bytes[0], bytes[1]]),
        None => 0xFFFF,
    };
    (0..flash.len() / 2)
        .map(|index| decode(word(index), word(index + 1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_meanings() {
        let fixed: Vec<(u16, u16)> = TABLE.iter().map(|row| fixed_bits(row.pattern)).collect();
        for word in 0..=u16::MAX {
            let rows = fixed.iter().filter(|(mask, value)| word & mask == *value).count();
            assert!(rows <= 1, "{word:#06x} matches {rows} rows");
        }
    }

    #[test]
    fn patterns_have_sixteen_bits() {
        for row in TABLE {
            let bits = row.pattern.chars().filter(|bit| *bit != ' ').count();
            assert_eq!(bits, 16, "{}", row.mnemonic);
        }
    }
}
