//! Random instructions whose effect is that of registers, static memory and a few plain I/O registers alone,
//! for the ATmega328P.

use kripke_avr::core::{Core, address};
use kripke_avr::instruction::{Instruction, Operation, Pointer, decode};

/// Where static memory that is compared begins.
pub const RAM: u16 = 0x100;
/// Its end.
pub const RAM_END: u16 = 0x900;
/// Registers without side effects.
pub const GENERAL: [u16; 3] = [0x3E, 0x4A, 0x4B];
const PLAIN: [u16; 6] = [0x3E, 0x4A, 0x4B, address::SPL, address::SPH, address::SREG];

/// A linear congruence.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as u32
    }
    pub fn byte(&mut self) -> u8 {
        // Extreme values are likelier to show a wrong flag.
        const EXTREME: [u8; 8] = [0, 1, 0x0F, 0x10, 0x7F, 0x80, 0xFE, 0xFF];
        match self.next() % 3 {
            0 => EXTREME[(self.next() % 8) as usize],
            _ => self.next() as u8,
        }
    }
    pub fn ram(&mut self) -> u16 {
        RAM + 0x80 + (self.next() % u32::from(RAM_END - RAM - 0x100)) as u16
    }
}

fn is_plain(address: u16) -> bool {
    address < 32 || (RAM..RAM_END).contains(&address) || PLAIN.contains(&address)
}

/// simavr takes some instructions that are skipped (ADIW with certain operands, for one) for instructions of
/// two words: it looks at the word under the mask 0xFC0F. The manual's encodings say otherwise.
fn skips_too_far(core: &Core) -> bool {
    let at = (core.pc + 1) * 2;
    let word = u16::from_le_bytes([core.flash_byte(at), core.flash_byte(at + 1)]);
    let taken_for_long = matches!(word & 0xFC0F, 0x9000 | 0x9200 | 0x940C..=0x940F);
    taken_for_long && decode(word, 0).words == 1
}

/// Whether a relative jump stays in flash; simavr does not wrap around its end.
fn forward(pc: u32, instruction: &Instruction) -> bool {
    (0..0x3FF0).contains(&(pc as i32 + 1 + instruction.k))
}

/// Whether the next instruction stays within what both simulators model alike.
pub fn is_comparable(core: &Core) -> bool {
    use Operation as Op;
    let instruction = core.instruction();
    let pair = |low: u8| u16::from_le_bytes([core.data(u16::from(low)), core.data(u16::from(low) + 1)]);
    let stack = u16::from_le_bytes([core.data(address::SPL), core.data(address::SPH)]);
    let has_stack = (RAM + 4..RAM_END - 4).contains(&stack);
    // A pointer that is loaded or stored while it changes: undefined by the manual.
    let overlaps = instruction.pointer() != Pointer::Plain && instruction.d & !1 == instruction.r;
    match instruction.operation {
        Op::Undefined | Op::Sleep | Op::Break | Op::Wdr | Op::Spm | Op::Elpm => false,
        Op::Push | Op::Pop | Op::Call => has_stack,
        Op::Rcall => has_stack && forward(core.pc, &instruction),
        Op::Ret | Op::Reti => {
            has_stack && {
                let at = |offset| u32::from(core.data(stack + offset));
                (at(1) << 8 | at(2)) < 0x3FF0
            }
        }
        Op::Ijmp | Op::Icall if instruction.is_extended() => false,
        Op::Ijmp => pair(30) < 0x3FF0,
        Op::Icall => has_stack && pair(30) < 0x3FF0,
        Op::Lpm => pair(30) < 0x7FF0 && !overlaps,
        Op::Ld | Op::St => {
            let base = pair(instruction.r);
            let at = match instruction.pointer() {
                Pointer::Decrement => base.wrapping_sub(1),
                _ => base.wrapping_add(instruction.k as u16),
            };
            // simavr writes an unchanged pointer back, over what was stored there.
            is_plain(at) && !overlaps && at & !1 != u16::from(instruction.r)
        }
        Op::Sbic | Op::Sbis => is_plain(instruction.k as u16) && !skips_too_far(core),
        Op::Lds | Op::Sts | Op::In | Op::Out | Op::Sbi | Op::Cbi => is_plain(instruction.k as u16),
        Op::Cpse | Op::Sbrc | Op::Sbrs => !skips_too_far(core),
        Op::Jmp => instruction.k < 0x3FF0,
        Op::Rjmp | Op::Brbs | Op::Brbc => forward(core.pc, &instruction),
        _ => core.pc < 0x3FF0,
    }
}

/// A random word that is an instruction, with operands that are comparable more often than not.
pub fn random_code(random: &mut Random) -> [u16; 2] {
    // One word each of 65,536.
    const RARE: [u16; 4] = [0x9508, 0x9518, 0x9409, 0x9509];
    if random.next().is_multiple_of(16) {
        return [RARE[(random.next() % 4) as usize], 0];
    }
    loop {
        let word = random.next() as u16;
        let instruction = decode(word, 0);
        match instruction.operation {
            Operation::Undefined => {}
            Operation::In | Operation::Out => {
                let at = PLAIN[(random.next() % 6) as usize] - 0x20;
                return [word & !0x060F | at & 0x0F | (at & 0x30) << 5, 0];
            }
            Operation::Sbi | Operation::Cbi | Operation::Sbic | Operation::Sbis => {
                return [word & !0x00F8 | (GENERAL[0] - 0x20) << 3, 0];
            }
            Operation::Jmp | Operation::Call => return [word & !0x01F1, (random.next() % 0x3FF0) as u16],
            _ if instruction.words == 2 => return [word, random.ram()],
            _ => return [word, 0],
        }
    }
}
