//! Concrete values of every sort, and what each operator computes on them.
//!
//! This is the one definition of the operators: constant folding, evaluation and the check of a
//! solver's model use it. It only arranges [`kripke_value`]'s operations.

use std::collections::BTreeMap;
use std::sync::Arc;

use kripke_value::{BitVec, Float, RoundingMode};

use crate::op::{Op, Sort};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// A float with its exact bits.
    Float(Float),
    /// A rounding mode.
    Rounding(RoundingMode),
    /// An array.
    Array(ArrayValue),
}

/// An array: a default and the elements that may differ from it.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// Width of the index.
    pub index: u32,
    /// What every index not in `entries` holds.
    pub default: BitVec,
    /// Elements by index.
    pub entries: Arc<BTreeMap<BitVec, BitVec>>,
}

impl ArrayValue {
    /// The array that holds `default` everywhere.
    pub fn constant(index: u32, default: BitVec) -> Self {
        ArrayValue {
            index,
            default,
            entries: Arc::default(),
        }
    }

    /// The element at an index.
    pub fn get(&self, index: &BitVec) -> &BitVec {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one element replaced.
    #[must_use]
    pub fn with(mut self, index: BitVec, value: BitVec) -> Self {
        Arc::make_mut(&mut self.entries).insert(index, value);
        self
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        let differing = |a: &Self, b: &Self| a.entries.iter().any(|(index, value)| b.get(index) != value);
        if self.index != other.index || differing(self, other) || differing(other, self) {
            return false;
        }
        if self.default == other.default {
            return true;
        }
        // Different defaults: equal only when the entries cover every index.
        let mut covered: std::collections::BTreeSet<&BitVec> = self.entries.keys().collect();
        covered.extend(other.entries.keys());
        self.index < usize::BITS && covered.len() == 1usize << self.index
    }
}

impl Eq for ArrayValue {}

impl Value {
    /// The zero (or false, nearest-even, all-zero array) of a sort.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)),
            Sort::Float(format) => Value::Float(Float::zero(format, false)),
            Sort::RoundingMode => Value::Rounding(RoundingMode::NearestEven),
            Sort::Array { index, element } => {
                Value::Array(ArrayValue::constant(index, BitVec::zero(element)))
            }
        }
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(value) => Sort::BitVec(value.width()),
            Value::Float(value) => Sort::Float(value.format()),
            Value::Rounding(_) => Sort::RoundingMode,
            Value::Array(array) => Sort::Array {
                index: array.index,
                element: array.default.width(),
            },
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self {
            Some(*value)
        } else {
            None
        }
    }

    /// The bit-vector, if it is one.
    pub fn as_bv(&self) -> Option<&BitVec> {
        if let Value::BitVec(value) = self {
            Some(value)
        } else {
            None
        }
    }

    /// The float, if it is one.
    pub fn as_float(&self) -> Option<&Float> {
        if let Value::Float(value) = self {
            Some(value)
        } else {
            None
        }
    }
}

/// SMT-LIB's equality: all NaNs are one value, and +0 differs from -0.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => {
            (a.is_nan() && b.is_nan()) || (a.ieee_eq(*b) && a.sign_bit() == b.sign_bit())
        }
        _ => left == right,
    }
}

/// Applies an operator to values.
///
/// # Panics
/// When the sorts do not fit, which the store has excluded.
pub fn apply(op: Op, operands: &[Value]) -> Value {
    use Value::{BitVec as Bv, Bool, Float as Fp, Rounding};
    match (op, operands) {
        (Op::Bool(value), []) => Bool(value),
        (Op::Rounding(mode), []) => Rounding(mode),
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
        (Op::Or, [Bool(a), Bool(b)]) => Bool(*a || *b),
        (Op::Xor, [Bool(a), Bool(b)]) => Bool(a != b),
        (Op::Ite, [Bool(condition), then, otherwise]) => {
            if *condition {
                then.clone()
            } else {
                otherwise.clone()
            }
        }
        (Op::Eq, [a, b]) => Bool(same(a, b)),
        (_, [Bv(a)]) => apply_bv1(op, a),
        (_, [Bv(a), Bv(b)]) => apply_bv2(op, a, b),
        (Op::Select, [Value::Array(array), Bv(index)]) => Bv(array.get(index).clone()),
        (Op::Store, [Value::Array(array), Bv(index), Bv(value)]) => {
            Value::Array(array.clone().with(index.clone(), value.clone()))
        }
        (_, [Fp(a)]) => apply_fp1(op, a),
        (_, [Fp(a), Fp(b)]) => match op {
            Op::FpRem => Fp(a.rem(*b)),
            Op::FpEq => Bool(a.ieee_eq(*b)),
            Op::FpLt => Bool(a.lt(*b)),
            Op::FpLe => Bool(a.le(*b)),
            _ => unreachable!("{op:?} on floats"),
        },
        (_, [Rounding(mode), rest @ ..]) => apply_rounded(op, *mode, rest),
        _ => unreachable!("{op:?} on {operands:?}"),
    }
}

fn apply_bv1(op: Op, a: &BitVec) -> Value {
    Value::BitVec(match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::BvExtract { high, low } => a.extract(high, low),
        Op::BvZeroExtend(to) => a.zext(to),
        Op::BvSignExtend(to) => a.sext(to),
        Op::FpFromBits(format) => return Value::Float(Float::from_bits(format, a)),
        Op::ConstArray(index) => return Value::Array(ArrayValue::constant(index, a.clone())),
        _ => unreachable!("{op:?} on a bit-vector"),
    })
}

fn apply_bv2(op: Op, a: &BitVec, b: &BitVec) -> Value {
    Value::BitVec(match op {
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        Op::BvConcat => a.concat(b),
        _ => return Value::Bool(apply_bv_predicate(op, a, b)),
    })
}

fn apply_bv_predicate(op: Op, a: &BitVec, b: &BitVec) -> bool {
    match op {
        Op::BvUlt => a.ult(b),
        Op::BvUle => a.ule(b),
        Op::BvSlt => a.slt(b),
        Op::BvSle => a.sle(b),
        Op::BvSaddo => a.saddo(b),
        Op::BvUaddo => a.uaddo(b),
        Op::BvSsubo => a.ssubo(b),
        Op::BvUsubo => a.usubo(b),
        Op::BvSmulo => a.smulo(b),
        Op::BvUmulo => a.umulo(b),
        _ => unreachable!("{op:?} on bit-vectors"),
    }
}

fn apply_fp1(op: Op, a: &Float) -> Value {
    Value::Bool(match op {
        Op::FpAbs => return Value::Float(a.abs()),
        Op::FpNeg => return Value::Float(a.neg()),
        Op::FpToBits => return Value::BitVec(a.to_bits()),
        Op::FpIsNan => a.is_nan(),
        Op::FpIsInf => a.is_infinite(),
        Op::FpIsZero => a.is_zero(),
        Op::FpIsNormal => a.is_normal(),
        Op::FpIsSubnormal => a.is_subnormal(),
        Op::FpIsNegative => a.sign_bit() && !a.is_nan(),
        _ => unreachable!("{op:?} on a float"),
    })
}

fn apply_rounded(op: Op, mode: RoundingMode, operands: &[Value]) -> Value {
    use Value::{BitVec as Bv, Float as Fp};
    match (op, operands) {
        (Op::FpAdd, [Fp(a), Fp(b)]) => Fp(a.add(*b, mode)),
        (Op::FpSub, [Fp(a), Fp(b)]) => Fp(a.sub(*b, mode)),
        (Op::FpMul, [Fp(a), Fp(b)]) => Fp(a.mul(*b, mode)),
        (Op::FpDiv, [Fp(a), Fp(b)]) => Fp(a.div(*b, mode)),
        (Op::FpFma, [Fp(a), Fp(b), Fp(c)]) => Fp(a.fma(*b, *c, mode)),
        (Op::FpSqrt, [Fp(a)]) => Fp(a.sqrt(mode)),
        (Op::FpRound, [Fp(a)]) => Fp(a.round_to_integral(mode)),
        (Op::FpConvert(format), [Fp(a)]) => Fp(a.convert(format, mode)),
        (Op::FpFromSigned(format), [Bv(a)]) => Fp(Float::from_signed(a, format, mode)),
        (Op::FpFromUnsigned(format), [Bv(a)]) => Fp(Float::from_unsigned(a, format, mode)),
        (Op::FpToSigned(width), [Fp(a)]) => Bv(a
            .to_signed(width, mode)
            .unwrap_or_else(|| BitVec::min_signed(width))),
        (Op::FpToUnsigned(width), [Fp(a)]) => {
            Bv(a.to_unsigned(width, mode).unwrap_or_else(|| BitVec::ones(width)))
        }
        _ => unreachable!("{op:?} on {operands:?}"),
    }
}
