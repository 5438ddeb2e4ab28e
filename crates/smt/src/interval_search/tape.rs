//! A formula compiled to a linear tape for interval evaluation.
//!
//! Every term becomes a slot of one of three kinds (truth value, float set, bit-vector range) and at
//! most one instruction. What the tape cannot express (arrays, wide formats, bits of floats) becomes
//! a slot that may be anything, so "certainly false" stays sound whatever the formula is.

mod compile;

use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use super::interval::{Interval, Precision, Truth};
use crate::op::Op;
use crate::range::{Wide, binary_range, concat_range, corners, unary_range, union};
use crate::terms::TermId;
use crate::value::Value;

type Slot = u32;

/// How a free variable is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// A truth value.
    Bool,
    /// A float variable, or a bit-vector variable that is only read as a float.
    Float(Precision),
    /// A bit-vector of this width.
    BitVec(u32),
}

/// A free variable that is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) variable: TermId,
    pub(crate) kind: InputKind,
    slot: Slot,
}

/// What an input may be in a box: keys in order, or NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Nan,
    Keys(i128, i128),
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Not(Slot),
    And(Slot, Slot),
    Or(Slot, Slot),
    /// Equality of truth values.
    Same(Slot, Slot),
    IteBool(Slot, Slot, Slot),
    IteFloat(Slot, Slot, Slot),
    IteBits(Slot, Slot, Slot),
    /// A float operation with rounding; `exact` when the mode is nearest-even.
    Float {
        op: FloatOp,
        a: Slot,
        b: Slot,
        c: Slot,
        precision: Precision,
        nearest: bool,
    },
    Round {
        a: Slot,
        mode: Option<RoundingMode>,
    },
    Compare {
        op: CompareOp,
        a: Slot,
        b: Slot,
    },
    Class {
        op: Op,
        a: Slot,
        precision: Precision,
    },
    FromInteger {
        a: Slot,
        signed: bool,
        precision: Precision,
        nearest: bool,
    },
    ToInteger {
        a: Slot,
        signed: bool,
        width: u32,
        mode: Option<RoundingMode>,
    },
    Bits1 {
        op: Op,
        a: Slot,
        width: u32,
    },
    Bits2 {
        op: Op,
        a: Slot,
        b: Slot,
        width: u32,
    },
    Concat {
        a: Slot,
        b: Slot,
        low_width: u32,
        width: u32,
    },
    /// A comparison or overflow predicate of bit-vectors of this width.
    BitsTest {
        op: Op,
        a: Slot,
        b: Slot,
        width: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FloatOp {
    Add,
    Sub,
    Mul,
    Square,
    Div,
    Fma,
    Sqrt,
    Rem,
    Abs,
    Neg,
    Narrow,
}

#[derive(Clone, Copy, Debug)]
enum CompareOp {
    Lt,
    Le,
    Eq,
    Same,
}

/// The compiled formula.
#[derive(Clone)]
pub(crate) struct Tape {
    code: Vec<(Slot, Instruction)>,
    bools: Vec<Truth>,
    floats: Vec<Interval>,
    bits: Vec<Wide>,
    roots: Vec<Slot>,
    pub(crate) inputs: Vec<Input>,
    /// The formula has variables that are not searched.
    pub(crate) has_other_variables: bool,
    /// The bits of some float matter, so one NaN does not stand for all.
    pub(crate) reads_float_bits: bool,
    /// Number of float operations: without any, other solvers are better.
    pub(crate) float_operations: usize,
}

impl Tape {
    /// Writes a box into the input slots.
    fn set_inputs(&mut self, domains: &[Domain]) {
        for (input, domain) in self.inputs.iter().zip(domains) {
            let slot = input.slot as usize;
            match (input.kind, *domain) {
                (InputKind::Bool, Domain::Keys(low, high)) => {
                    self.bools[slot] = Truth::new(high == 1, low == 0);
                }
                (InputKind::Float(precision), Domain::Keys(low, high)) => {
                    self.floats[slot] = Interval::new(number_of(precision, low), number_of(precision, high));
                }
                (InputKind::BitVec(width), Domain::Keys(low, high)) => {
                    self.bits[slot] = Wide::full(width).with_unsigned(width, low, high).sharpened(width);
                }
                (InputKind::Float(_), Domain::Nan) => self.floats[slot] = Interval::NAN,
                (_, Domain::Nan) => {}
            }
        }
    }

    /// Whether the formula holds in a box.
    pub(crate) fn evaluate(&mut self, domains: &[Domain]) -> Truth {
        self.set_inputs(domains);
        for index in 0..self.code.len() {
            let (slot, instruction) = self.code[index];
            self.run(slot as usize, instruction);
        }
        self.roots
            .iter()
            .fold(Truth::TRUE, |all, &root| all.and(self.bools[root as usize]))
    }

    fn run(&mut self, slot: usize, instruction: Instruction) {
        let truth = |s: Slot| self.bools[s as usize];
        let float = |s: Slot| self.floats[s as usize];
        let bits = |s: Slot| self.bits[s as usize];
        match instruction {
            Instruction::Not(a) => self.bools[slot] = truth(a).not(),
            Instruction::And(a, b) => self.bools[slot] = truth(a).and(truth(b)),
            Instruction::Or(a, b) => self.bools[slot] = truth(a).or(truth(b)),
            Instruction::Same(a, b) => self.bools[slot] = truth(a).same(truth(b)),
            Instruction::IteBool(c, a, b) => {
                self.bools[slot] = choose(truth(c), truth(a), truth(b), Truth::union);
            }
            Instruction::IteFloat(c, a, b) => {
                self.floats[slot] = choose(truth(c), float(a), float(b), Interval::union);
            }
            Instruction::IteBits(c, a, b) => self.bits[slot] = choose(truth(c), bits(a), bits(b), union),
            Instruction::Float {
                op,
                a,
                b,
                c,
                precision,
                nearest,
            } => {
                let (a, b, c) = (float(a), float(b), float(c));
                let result = float_operation(op, a, b, c, precision);
                self.floats[slot] = if nearest {
                    result
                } else {
                    result.outward(precision)
                };
            }
            Instruction::Round { a, mode } => self.floats[slot] = round_to_integral(float(a), mode),
            Instruction::Compare { op, a, b } => {
                let (a, b) = (float(a), float(b));
                self.bools[slot] = match op {
                    CompareOp::Lt => a.lt(b),
                    CompareOp::Le => a.le(b),
                    CompareOp::Eq => a.ieee_eq(b),
                    CompareOp::Same => a.same(b),
                };
            }
            Instruction::Class { op, a, precision } => self.bools[slot] = classify(op, float(a), precision),
            Instruction::FromInteger {
                a,
                signed,
                precision,
                nearest,
            } => {
                let wide = bits(a);
                let (low, high) = if signed { wide.signed } else { wide.unsigned };
                let convert = |value: i128| match precision {
                    Precision::Single => f64::from(value as f32),
                    Precision::Double => value as f64,
                };
                let result = Interval::new(convert(low), convert(high));
                self.floats[slot] = if nearest {
                    result
                } else {
                    result.outward(precision)
                };
            }
            Instruction::ToInteger {
                a,
                signed,
                width,
                mode,
            } => {
                self.bits[slot] = to_integer(round_to_integral(float(a), mode), signed, width);
            }
            Instruction::Bits1 { op, a, width } => {
                let result = unary_range(op, bits(a), width).unwrap_or_else(|| Wide::full(width));
                self.bits[slot] = result.sharpened(width);
            }
            Instruction::Bits2 { op, a, b, width } => {
                self.bits[slot] = binary_range(op, bits(a), bits(b), width).sharpened(width);
            }
            Instruction::Concat {
                a,
                b,
                low_width,
                width,
            } => {
                self.bits[slot] = concat_range(bits(a), bits(b), low_width, width).sharpened(width);
            }
            Instruction::BitsTest { op, a, b, width } => {
                self.bools[slot] = test_bits(op, bits(a), bits(b), width);
            }
        }
    }

    /// The values a box of single points stands for.
    pub(crate) fn values(&self, domains: &[Domain]) -> Vec<(TermId, Value)> {
        self.inputs
            .iter()
            .zip(domains)
            .map(|(input, domain)| {
                let value = match (input.kind, *domain) {
                    (InputKind::Bool, Domain::Keys(low, _)) => Value::Bool(low == 1),
                    (InputKind::BitVec(width), Domain::Keys(low, _)) => {
                        Value::BitVec(BitVec::from_i128(width, low))
                    }
                    (InputKind::Float(Precision::Single), Domain::Keys(low, _)) => {
                        Value::Float(Float::from_f32(number_of(Precision::Single, low) as f32))
                    }
                    (InputKind::Float(Precision::Double), Domain::Keys(low, _)) => {
                        Value::Float(Float::from_f64(number_of(Precision::Double, low)))
                    }
                    (InputKind::Float(Precision::Single), Domain::Nan) => {
                        Value::Float(Float::nan(FloatFormat::Binary32))
                    }
                    (_, Domain::Nan) => Value::Float(Float::nan(FloatFormat::Binary64)),
                };
                (input.variable, value)
            })
            .collect()
    }
}

fn choose<T: Copy>(condition: Truth, then: T, otherwise: T, union: fn(T, T) -> T) -> T {
    match (condition.can_be_true(), condition.can_be_false()) {
        (true, false) => then,
        (false, true) => otherwise,
        _ => union(then, otherwise),
    }
}

fn float_operation(op: FloatOp, a: Interval, b: Interval, c: Interval, precision: Precision) -> Interval {
    match op {
        FloatOp::Add => a.add(b, precision),
        FloatOp::Sub => a.add(b.neg(), precision),
        FloatOp::Mul => a.mul(b, precision),
        FloatOp::Square => a.square(precision),
        FloatOp::Div => a.div(b, precision),
        FloatOp::Fma => a.fma(b, c, precision),
        FloatOp::Sqrt => a.sqrt(precision),
        FloatOp::Rem => a.rem(b),
        FloatOp::Abs => a.abs(),
        FloatOp::Neg => a.neg(),
        FloatOp::Narrow => a.narrow(),
    }
}

fn round_to_integral(a: Interval, mode: Option<RoundingMode>) -> Interval {
    match mode {
        Some(RoundingMode::NearestEven) => a.round(f64::round_ties_even, f64::round_ties_even),
        Some(RoundingMode::NearestAway) => a.round(f64::round, f64::round),
        Some(RoundingMode::TowardZero) => a.round(f64::trunc, f64::trunc),
        Some(RoundingMode::Upward) => a.round(f64::ceil, f64::ceil),
        Some(RoundingMode::Downward) => a.round(f64::floor, f64::floor),
        None => a.round(f64::floor, f64::ceil),
    }
}

fn classify(op: Op, a: Interval, precision: Precision) -> Truth {
    match op {
        Op::FpIsNan => a.is_nan(),
        Op::FpIsInf => a.is_infinite(),
        Op::FpIsZero => a.is_zero(),
        Op::FpIsNormal => a.is_in_class(false, precision),
        Op::FpIsSubnormal => a.is_in_class(true, precision),
        Op::FpIsNegative => a.is_negative(),
        _ => Truth::EITHER,
    }
}

/// An integral float as an integer, when all of the interval fits.
fn to_integer(a: Interval, signed: bool, width: u32) -> Wide {
    let full = Wide::full(width);
    let limits = if signed { full.signed } else { full.unsigned };
    // The limits may round away as floats, so compare well inside what i128 holds.
    let inside = |x: f64| x.abs() < 1e30 && (x as i128) >= limits.0 && (x as i128) <= limits.1;
    if a.nan || a.has_no_number() || !inside(a.low) || !inside(a.high) {
        return full;
    }
    let (low, high) = (a.low as i128, a.high as i128);
    let result = if signed {
        full.with_signed(width, low, high)
    } else {
        full.with_unsigned(width, low, high)
    };
    result.sharpened(width)
}

fn test_bits(op: Op, a: Wide, b: Wide, width: u32) -> Truth {
    let less = |a: (i128, i128), b: (i128, i128)| Truth::new(a.0 < b.1, a.1 >= b.0);
    let fits = |low: i128, high: i128, limits: (i128, i128)| {
        Truth::new(
            low < limits.0 || high > limits.1,
            high >= limits.0 && low <= limits.1,
        )
    };
    let full = Wide::full(width);
    let (au, bu, az, bz) = (a.unsigned, b.unsigned, a.signed, b.signed);
    match op {
        Op::Eq => {
            let meet = au.0 <= bu.1 && bu.0 <= au.1 && az.0 <= bz.1 && bz.0 <= az.1;
            Truth::new(meet, !(au.0 == au.1 && au == bu))
        }
        Op::BvUlt => less(au, bu),
        Op::BvUle => less(bu, au).not(),
        Op::BvSlt => less(az, bz),
        Op::BvSle => less(bz, az).not(),
        Op::BvUsubo => less(au, bu),
        Op::BvUaddo => fits(au.0 + bu.0, au.1 + bu.1, full.unsigned),
        Op::BvSaddo => fits(az.0 + bz.0, az.1 + bz.1, full.signed),
        Op::BvSsubo => fits(az.0 - bz.1, az.1 - bz.0, full.signed),
        Op::BvSmulo => {
            let (low, high) = corners(az, bz, |x, y| x * y);
            fits(low, high, full.signed)
        }
        Op::BvUmulo => {
            let high = au.1.checked_mul(bu.1).unwrap_or(i128::MAX);
            fits(au.0.checked_mul(bu.0).unwrap_or(i128::MAX), high, full.unsigned)
        }
        _ => Truth::EITHER,
    }
}

/// Numbers in order: -infinity, .., -0, +0, .., +infinity.
pub(crate) fn number_of(precision: Precision, key: i128) -> f64 {
    match precision {
        Precision::Single => {
            let bits = if key >= 0 {
                key as u32
            } else {
                (!key) as u32 | 1 << 31
            };
            f64::from(f32::from_bits(bits))
        }
        Precision::Double => {
            let bits = if key >= 0 {
                key as u64
            } else {
                (!key) as u64 | 1 << 63
            };
            f64::from_bits(bits)
        }
    }
}

impl Input {
    /// All there is, NaN apart.
    pub(crate) fn whole(&self) -> Domain {
        match self.kind {
            InputKind::Bool => Domain::Keys(0, 1),
            InputKind::BitVec(width) => Domain::Keys(0, (1i128 << width) - 1),
            InputKind::Float(precision) => {
                let top = match precision {
                    Precision::Single => i128::from(f32::INFINITY.to_bits()),
                    Precision::Double => i128::from(f64::INFINITY.to_bits()),
                };
                Domain::Keys(!top, top)
            }
        }
    }
}
