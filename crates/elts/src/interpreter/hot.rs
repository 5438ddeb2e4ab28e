//! The hot loop: runs the frequent instructions on the words of one frame.
//!
//! It returns to [`super::machine`] for calls, for everything that touches more than the frame
//! and plain memory, and whenever a fast path does not apply. Float arithmetic uses the
//! processor, which gives the same bits as [`kripke_value`] in the mode nearest-even once a NaN is
//! replaced by the canonical one; in other modes it goes through [`crate::eval`].

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use crate::eval::{self, Environment};
use crate::ids::VariableId;
use crate::interpreter::code::{Code, Instr};
use crate::interpreter::memory::Memory;
use crate::program::{BinaryOp, CastOp, Type};
use crate::scalar::{Pointer, ScalarValue};

/// Why the loop stopped. The program counter stands after the instruction.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    Call(u32),
    Return,
    Operate(u32),
    /// A load or store that needs a closer look.
    Access(Instr),
    StepLimit,
}

/// Runs until something is not for this loop.
pub fn execute(
    code: &Code,
    frame: &mut [u64],
    pc: &mut usize,
    memory: &mut Memory,
    rounding: RoundingMode,
    steps: &mut u64,
    max_steps: u64,
) -> Pause {
    let nearest = rounding == RoundingMode::NearestEven;
    let instrs = &code.instrs[..];
    let mut next = *pc;
    macro_rules! word {
        ($index:expr) => {
            frame[$index as usize]
        };
    }
    macro_rules! set {
        ($dst:expr, $value:expr) => {{
            let value = $value;
            frame[$dst as usize] = value;
        }};
    }
    macro_rules! pause {
        ($pause:expr) => {{
            *pc = next;
            return $pause;
        }};
    }
    macro_rules! float {
        ($op:ident, $format:ident, $dst:expr, $a:expr, $b:expr, $compute:expr) => {
            set!(
                $dst,
                match nearest {
                    true => $compute(word!($a), word!($b)),
                    false => slow_float(
                        BinaryOp::$op,
                        FloatFormat::$format,
                        word!($a),
                        word!($b),
                        rounding
                    ),
                }
            )
        };
    }
    loop {
        let instr = instrs[next];
        next += 1;
        match instr {
            Instr::Move { dst, a } => set!(dst, word!(a)),
            Instr::MovePointer { dst, a } => {
                let (base, offset) = (word!(a), word!(a + 1));
                set!(dst, base);
                set!(dst + 1, offset);
            }
            Instr::Add { shift, dst, a, b } => set!(dst, cut(word!(a).wrapping_add(word!(b)), shift)),
            Instr::Sub { shift, dst, a, b } => set!(dst, cut(word!(a).wrapping_sub(word!(b)), shift)),
            Instr::Mul { shift, dst, a, b } => set!(dst, cut(word!(a).wrapping_mul(word!(b)), shift)),
            Instr::UDiv { shift, dst, a, b } => {
                set!(
                    dst,
                    word!(a).checked_div(word!(b)).unwrap_or(cut(u64::MAX, shift))
                );
            }
            Instr::URem { dst, a, b } => set!(dst, word!(a).checked_rem(word!(b)).unwrap_or(word!(a))),
            Instr::SDiv { shift, dst, a, b } => set!(dst, sdiv(word!(a), word!(b), shift)),
            Instr::SRem { shift, dst, a, b } => set!(dst, srem(word!(a), word!(b), shift)),
            Instr::Shl { shift, dst, a, b } => {
                let by = word!(b);
                set!(dst, if by >= 64 { 0 } else { cut(word!(a) << by, shift) });
            }
            Instr::LShr { dst, a, b } => {
                let by = word!(b);
                set!(dst, if by >= 64 { 0 } else { word!(a) >> by });
            }
            Instr::AShr { shift, dst, a, b } => {
                let by = word!(b).min(63);
                set!(dst, cut((signed(word!(a), shift) >> by) as u64, shift));
            }
            Instr::And { dst, a, b } => set!(dst, word!(a) & word!(b)),
            Instr::Or { dst, a, b } => set!(dst, word!(a) | word!(b)),
            Instr::Xor { dst, a, b } => set!(dst, word!(a) ^ word!(b)),
            Instr::Eq { dst, a, b } => set!(dst, u64::from(word!(a) == word!(b))),
            Instr::Ne { dst, a, b } => set!(dst, u64::from(word!(a) != word!(b))),
            Instr::ULt { dst, a, b } => set!(dst, u64::from(word!(a) < word!(b))),
            Instr::ULe { dst, a, b } => set!(dst, u64::from(word!(a) <= word!(b))),
            Instr::SLt { shift, dst, a, b } => {
                set!(dst, u64::from(high(word!(a), shift) < high(word!(b), shift)));
            }
            Instr::SLe { shift, dst, a, b } => {
                set!(dst, u64::from(high(word!(a), shift) <= high(word!(b), shift)));
            }
            Instr::SAddOverflow { shift, dst, a, b } => {
                set!(
                    dst,
                    u64::from(high(word!(a), shift).overflowing_add(high(word!(b), shift)).1)
                );
            }
            Instr::SSubOverflow { shift, dst, a, b } => {
                set!(
                    dst,
                    u64::from(high(word!(a), shift).overflowing_sub(high(word!(b), shift)).1)
                );
            }
            Instr::SMulOverflow { shift, dst, a, b } => {
                set!(
                    dst,
                    u64::from(high(word!(a), shift).overflowing_mul(signed(word!(b), shift)).1)
                );
            }
            Instr::UAddOverflow { shift, dst, a, b } => {
                set!(
                    dst,
                    u64::from((word!(a) << shift).overflowing_add(word!(b) << shift).1)
                );
            }
            Instr::UMulOverflow { shift, dst, a, b } => {
                set!(dst, u64::from((word!(a) << shift).overflowing_mul(word!(b)).1));
            }
            Instr::Not { shift, dst, a } => set!(dst, cut(!word!(a), shift)),
            Instr::Neg { shift, dst, a } => set!(dst, cut(word!(a).wrapping_neg(), shift)),
            Instr::SExt { from, to, dst, a } => set!(dst, cut(signed(word!(a), from) as u64, to)),
            Instr::Extract { shift, low, dst, a } => set!(dst, cut(word!(a) >> low, shift)),
            Instr::Concat { low, dst, a, b } => set!(dst, word!(a) << low | word!(b)),
            Instr::Select { dst, c, a, b } => {
                let (then, otherwise) = (word!(a), word!(b));
                set!(dst, if word!(c) != 0 { then } else { otherwise });
            }
            Instr::SelectPointer { dst, c, a, b } => {
                let from = if word!(c) != 0 { a } else { b };
                let (base, offset) = (word!(from), word!(from + 1));
                set!(dst, base);
                set!(dst + 1, offset);
            }
            Instr::PointerAdd { shift, dst, a, b } => {
                let (base, offset) = (word!(a), word!(a + 1).wrapping_add(word!(b)));
                set!(dst, base);
                set!(dst + 1, cut(offset, shift));
            }
            Instr::PointerEq { dst, a, b } => {
                let (left, right) = ([word!(a), word!(a + 1)], [word!(b), word!(b + 1)]);
                // Null (0) and raw addresses (1) are their addresses.
                let equal = match left[0] == right[0] || left[0] <= 1 && right[0] <= 1 {
                    true => left[1] == right[1],
                    false => memory.same_address(left, right),
                };
                set!(dst, u64::from(equal));
            }
            Instr::FAdd32 { dst, a, b } => float!(FAdd, Binary32, dst, a, b, |a, b| bits32(f32(a) + f32(b))),
            Instr::FSub32 { dst, a, b } => float!(FSub, Binary32, dst, a, b, |a, b| bits32(f32(a) - f32(b))),
            Instr::FMul32 { dst, a, b } => float!(FMul, Binary32, dst, a, b, |a, b| bits32(f32(a) * f32(b))),
            Instr::FDiv32 { dst, a, b } => float!(FDiv, Binary32, dst, a, b, |a, b| bits32(f32(a) / f32(b))),
            Instr::FAdd64 { dst, a, b } => float!(FAdd, Binary64, dst, a, b, |a, b| bits64(f64(a) + f64(b))),
            Instr::FSub64 { dst, a, b } => float!(FSub, Binary64, dst, a, b, |a, b| bits64(f64(a) - f64(b))),
            Instr::FMul64 { dst, a, b } => float!(FMul, Binary64, dst, a, b, |a, b| bits64(f64(a) * f64(b))),
            Instr::FDiv64 { dst, a, b } => float!(FDiv, Binary64, dst, a, b, |a, b| bits64(f64(a) / f64(b))),
            Instr::FEq32 { dst, a, b } => set!(dst, u64::from(f32(word!(a)) == f32(word!(b)))),
            Instr::FLt32 { dst, a, b } => set!(dst, u64::from(f32(word!(a)) < f32(word!(b)))),
            Instr::FLe32 { dst, a, b } => set!(dst, u64::from(f32(word!(a)) <= f32(word!(b)))),
            Instr::FEq64 { dst, a, b } => set!(dst, u64::from(f64(word!(a)) == f64(word!(b)))),
            Instr::FLt64 { dst, a, b } => set!(dst, u64::from(f64(word!(a)) < f64(word!(b)))),
            Instr::FLe64 { dst, a, b } => set!(dst, u64::from(f64(word!(a)) <= f64(word!(b)))),
            Instr::F32To64 { dst, a } => set!(dst, bits64(f64::from(f32(word!(a))))),
            Instr::F64To32 { dst, a } => set!(
                dst,
                match nearest {
                    true => bits32(f64(word!(a)) as f32),
                    false => {
                        let value = Float::from_f64(f64(word!(a)));
                        value.convert(FloatFormat::Binary32, rounding).raw_bits() as u64
                    }
                }
            ),
            Instr::SToF32 { shift, dst, a } => set!(
                dst,
                match nearest {
                    true => bits32(signed(word!(a), shift) as f32),
                    false => slow_from_int(CastOp::SToF, FloatFormat::Binary32, word!(a), shift, rounding),
                }
            ),
            Instr::SToF64 { shift, dst, a } => set!(
                dst,
                match nearest {
                    true => bits64(signed(word!(a), shift) as f64),
                    false => slow_from_int(CastOp::SToF, FloatFormat::Binary64, word!(a), shift, rounding),
                }
            ),
            Instr::UToF32 { dst, a } => set!(
                dst,
                match nearest {
                    true => bits32(word!(a) as f32),
                    false => slow_from_int(CastOp::UToF, FloatFormat::Binary32, word!(a), 0, rounding),
                }
            ),
            Instr::UToF64 { dst, a } => set!(
                dst,
                match nearest {
                    true => bits64(word!(a) as f64),
                    false => slow_from_int(CastOp::UToF, FloatFormat::Binary64, word!(a), 0, rounding),
                }
            ),
            Instr::F32ToS { shift, dst, a } => set!(dst, to_signed(f64::from(f32(word!(a))), shift)),
            Instr::F64ToS { shift, dst, a } => set!(dst, to_signed(f64(word!(a)), shift)),
            Instr::Load { dst, a, access } => {
                let info = &code.accesses[access as usize];
                match memory.load_word(word!(a), word!(a + 1), info.size, info.align) {
                    Some(value) => set!(dst, cut(value, info.shift)),
                    None => pause!(Pause::Access(instr)),
                }
            }
            Instr::LoadPointer { dst, a, access } => {
                let info = &code.accesses[access as usize];
                match memory.load_stored_pointer(word!(a), word!(a + 1), info.align) {
                    Some([base, offset]) => {
                        set!(dst, base);
                        set!(dst + 1, offset);
                    }
                    None => pause!(Pause::Access(instr)),
                }
            }
            Instr::Store { a, b, access } => {
                let info = &code.accesses[access as usize];
                if !memory.store_word(word!(a), word!(a + 1), info.size, info.align, word!(b)) {
                    pause!(Pause::Access(instr));
                }
            }
            Instr::Jump { target, steps: count } => {
                next = target as usize;
                *steps += u64::from(count);
                if *steps > max_steps {
                    pause!(Pause::StepLimit);
                }
            }
            Instr::JumpIfZero { a, target } => {
                if word!(a) == 0 {
                    next = target as usize;
                }
            }
            Instr::JumpUnlessEq { a, b, target } => {
                if word!(a) != word!(b) {
                    next = target as usize;
                }
            }
            Instr::JumpUnlessULt { a, b, target } => {
                if word!(a) >= word!(b) {
                    next = target as usize;
                }
            }
            Instr::JumpUnlessSLt { shift, a, b, target } => {
                if high(word!(a), shift) >= high(word!(b), shift) {
                    next = target as usize;
                }
            }
            Instr::JumpUnlessSLe { shift, a, b, target } => {
                if high(word!(a), shift) > high(word!(b), shift) {
                    next = target as usize;
                }
            }
            Instr::Switch { a, table } => {
                let table = &code.tables[table as usize];
                next = table.targets.get(&word!(a)).copied().unwrap_or(table.default) as usize;
            }
            Instr::Require { a, failure } => {
                if word!(a) == 0 {
                    pause!(Pause::Operate(failure));
                }
            }
            Instr::Call { call } => pause!(Pause::Call(call)),
            Instr::Return => pause!(Pause::Return),
            Instr::Operate { operation } => pause!(Pause::Operate(operation)),
        }
    }
}

/// The low `64 - shift` bits.
#[inline(always)]
fn cut(value: u64, shift: u8) -> u64 {
    value << shift >> shift
}

/// The value with its sign bit moved to the top: compares and overflows as the narrow value does.
#[inline(always)]
fn high(value: u64, shift: u8) -> i64 {
    (value << shift) as i64
}

/// The value of the low bits as a signed number.
#[inline(always)]
fn signed(value: u64, shift: u8) -> i64 {
    high(value, shift) >> shift
}

/// As SMT-LIB: dividing by zero gives 1 for a negative dividend, else -1.
fn sdiv(a: u64, b: u64, shift: u8) -> u64 {
    let (a, b) = (signed(a, shift), signed(b, shift));
    let quotient = if b == 0 {
        if a < 0 { 1 } else { -1 }
    } else {
        a.wrapping_div(b)
    };
    cut(quotient as u64, shift)
}

/// As SMT-LIB: the remainder by zero is the dividend.
fn srem(a: u64, b: u64, shift: u8) -> u64 {
    let (a, b) = (signed(a, shift), signed(b, shift));
    cut(if b == 0 { a } else { a.wrapping_rem(b) } as u64, shift)
}

#[inline(always)]
fn f32(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

#[inline(always)]
fn f64(word: u64) -> f64 {
    f64::from_bits(word)
}

/// The bits of a result; a NaN becomes the canonical one.
#[inline(always)]
fn bits32(value: f32) -> u64 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        u64::from(value.to_bits())
    }
}

#[inline(always)]
fn bits64(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        value.to_bits()
    }
}

/// Toward zero; the minimum where that does not fit.
fn to_signed(value: f64, shift: u8) -> u64 {
    let limit = 2_f64.powi(63 - i32::from(shift));
    let whole = value.trunc();
    let fits = whole >= -limit && whole < limit;
    cut(
        if fits {
            whole as i64 as u64
        } else {
            1 << (63 - shift)
        },
        shift,
    )
}

/// What is left to [`crate::eval`] depends on nothing but the rounding mode.
struct Rounding(RoundingMode);

impl Environment for Rounding {
    fn variable(&self, _: VariableId) -> Option<ScalarValue> {
        None
    }
    fn rounding(&self) -> Option<RoundingMode> {
        Some(self.0)
    }
    fn pointer_width(&self) -> u32 {
        64
    }
    fn address(&self, _: Pointer) -> Option<u64> {
        None
    }
    fn pointer_at(&self, _: u64) -> Option<Pointer> {
        None
    }
    fn object_size(&self, _: Pointer) -> Option<u64> {
        None
    }
}

fn slow_float(op: BinaryOp, format: FloatFormat, a: u64, b: u64, mode: RoundingMode) -> u64 {
    let value = |word: u64| {
        ScalarValue::Float(Float::from_bits(
            format,
            &BitVec::new(format.bits(), u128::from(word)),
        ))
    };
    float_word(eval::binary(op, &value(a), &value(b), &Rounding(mode)))
}

fn slow_from_int(op: CastOp, format: FloatFormat, word: u64, shift: u8, mode: RoundingMode) -> u64 {
    let value = ScalarValue::Int(BitVec::new(64 - u32::from(shift), u128::from(word)));
    float_word(eval::cast(op, &value, Type::Float(format), &Rounding(mode)))
}

fn float_word(value: Option<ScalarValue>) -> u64 {
    value
        .and_then(|value| value.as_float().map(|float| float.raw_bits() as u64))
        .unwrap_or(0)
}
