//! Sorts and operators: the one table of names, arities and sort rules.
//!
//! Printing, sort checking, evaluation and lowering all read this table, so they cannot disagree.
//! The names are those of SMT-LIB 2 where it has the operator. An operator without an SMT-LIB
//! name here is expanded by [`crate::lower`].

use kripke_value::{FloatFormat, RoundingMode};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of this width.
    BitVec(u32),
    /// Floats; equality ([`Op::Eq`]) takes all NaNs as equal, as SMT-LIB does.
    Float(FloatFormat),
    /// Rounding modes.
    RoundingMode,
    /// Arrays from bit-vectors to bit-vectors.
    Array {
        /// Width of the index.
        index: u32,
        /// Width of the elements.
        element: u32,
    },
}

impl Sort {
    /// The width of a bit-vector sort.
    ///
    /// # Panics
    /// When it is another sort, which is an error of the caller's.
    pub fn width(self) -> u32 {
        match self {
            Sort::BitVec(width) => width,
            other => panic!("bit-vector expected, found {other:?}"),
        }
    }

    /// The format of a float sort.
    ///
    /// # Panics
    /// When it is another sort, which is an error of the caller's.
    pub fn format(self) -> FloatFormat {
        match self {
            Sort::Float(format) => format,
            other => panic!("float expected, found {other:?}"),
        }
    }
}

/// An operator with its indices; leaves carry an index into the store's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are SMT-LIB's and say what they do")]
pub enum Op {
    /// A free variable; the payload numbers the variables of the store.
    Variable(u32),
    /// A truth value.
    Bool(bool),
    /// A bit-vector constant; the payload numbers the constants of the store.
    BitVec(u32),
    /// A float constant; the payload numbers the constants of the store.
    Float(u32),
    /// A rounding mode.
    Rounding(RoundingMode),

    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,

    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    BvSaddo,
    BvUaddo,
    BvSsubo,
    BvUsubo,
    BvSmulo,
    BvUmulo,
    BvConcat,
    BvExtract {
        high: u32,
        low: u32,
    },
    /// The payload is the width of the result.
    BvZeroExtend(u32),
    /// The payload is the width of the result.
    BvSignExtend(u32),

    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    FpFma,
    FpSqrt,
    FpRem,
    FpRound,
    FpAbs,
    FpNeg,
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInf,
    FpIsZero,
    FpIsNormal,
    FpIsSubnormal,
    FpIsNegative,
    /// Stored bits read as a float.
    FpFromBits(FloatFormat),
    /// The stored bits of a float; a NaN that an operation produced is the canonical one.
    FpToBits,
    FpConvert(FloatFormat),
    FpFromSigned(FloatFormat),
    FpFromUnsigned(FloatFormat),
    /// Out of range and NaN: the smallest signed value. The payload is the width.
    FpToSigned(u32),
    /// Out of range and NaN: all ones. The payload is the width.
    FpToUnsigned(u32),

    /// The array that holds its operand everywhere; the payload is the width of the index.
    ConstArray(u32),
    /// The array of the values of a body, the index in the place of a bound variable: see [`crate::lambda`].
    Lambda(u32),
    Select,
    Store,
}

impl Op {
    /// Name and number of operands.
    pub const fn info(self) -> (&'static str, usize) {
        match self {
            Op::Variable(_) => ("variable", 0),
            Op::Bool(true) => ("true", 0),
            Op::Bool(false) => ("false", 0),
            Op::BitVec(_) => ("bit-vector", 0),
            Op::Float(_) => ("float", 0),
            Op::Rounding(RoundingMode::NearestEven) => ("RNE", 0),
            Op::Rounding(RoundingMode::NearestAway) => ("RNA", 0),
            Op::Rounding(RoundingMode::TowardZero) => ("RTZ", 0),
            Op::Rounding(RoundingMode::Upward) => ("RTP", 0),
            Op::Rounding(RoundingMode::Downward) => ("RTN", 0),
            Op::Not => ("not", 1),
            Op::And => ("and", 2),
            Op::Or => ("or", 2),
            Op::Xor => ("xor", 2),
            Op::Ite => ("ite", 3),
            Op::Eq => ("=", 2),
            Op::BvNot => ("bvnot", 1),
            Op::BvNeg => ("bvneg", 1),
            Op::BvAnd => ("bvand", 2),
            Op::BvOr => ("bvor", 2),
            Op::BvXor => ("bvxor", 2),
            Op::BvAdd => ("bvadd", 2),
            Op::BvSub => ("bvsub", 2),
            Op::BvMul => ("bvmul", 2),
            Op::BvUdiv => ("bvudiv", 2),
            Op::BvUrem => ("bvurem", 2),
            Op::BvSdiv => ("bvsdiv", 2),
            Op::BvSrem => ("bvsrem", 2),
            Op::BvShl => ("bvshl", 2),
            Op::BvLshr => ("bvlshr", 2),
            Op::BvAshr => ("bvashr", 2),
            Op::BvUlt => ("bvult", 2),
            Op::BvUle => ("bvule", 2),
            Op::BvSlt => ("bvslt", 2),
            Op::BvSle => ("bvsle", 2),
            Op::BvSaddo => ("bvsaddo", 2),
            Op::BvUaddo => ("bvuaddo", 2),
            Op::BvSsubo => ("bvssubo", 2),
            Op::BvUsubo => ("bvusubo", 2),
            Op::BvSmulo => ("bvsmulo", 2),
            Op::BvUmulo => ("bvumulo", 2),
            Op::BvConcat => ("concat", 2),
            Op::BvExtract { .. } => ("extract", 1),
            Op::BvZeroExtend(_) => ("zero_extend", 1),
            Op::BvSignExtend(_) => ("sign_extend", 1),
            Op::FpAdd => ("fp.add", 3),
            Op::FpSub => ("fp.sub", 3),
            Op::FpMul => ("fp.mul", 3),
            Op::FpDiv => ("fp.div", 3),
            Op::FpFma => ("fp.fma", 4),
            Op::FpSqrt => ("fp.sqrt", 2),
            Op::FpRem => ("fp.rem", 2),
            Op::FpRound => ("fp.roundToIntegral", 2),
            Op::FpAbs => ("fp.abs", 1),
            Op::FpNeg => ("fp.neg", 1),
            Op::FpEq => ("fp.eq", 2),
            Op::FpLt => ("fp.lt", 2),
            Op::FpLe => ("fp.leq", 2),
            Op::FpIsNan => ("fp.isNaN", 1),
            Op::FpIsInf => ("fp.isInfinite", 1),
            Op::FpIsZero => ("fp.isZero", 1),
            Op::FpIsNormal => ("fp.isNormal", 1),
            Op::FpIsSubnormal => ("fp.isSubnormal", 1),
            Op::FpIsNegative => ("fp.isNegative", 1),
            Op::FpFromBits(_) => ("to_fp", 1),
            Op::FpToBits => ("fp_to_bits", 1),
            Op::FpConvert(_) => ("to_fp", 2),
            Op::FpFromSigned(_) => ("to_fp", 2),
            Op::FpFromUnsigned(_) => ("to_fp_unsigned", 2),
            Op::FpToSigned(_) => ("fp.to_sbv", 2),
            Op::FpToUnsigned(_) => ("fp.to_ubv", 2),
            Op::ConstArray(_) => ("const", 1),
            Op::Lambda(_) => ("lambda", 1),
            Op::Select => ("select", 2),
            Op::Store => ("store", 3),
        }
    }

    /// SMT-LIB's (or Kripke's) name.
    pub const fn name(self) -> &'static str {
        self.info().0
    }

    /// Number of operands.
    pub const fn arity(self) -> usize {
        self.info().1
    }

    /// True for constants (not variables).
    pub const fn is_constant(self) -> bool {
        matches!(self, Op::Bool(_) | Op::BitVec(_) | Op::Float(_) | Op::Rounding(_))
    }

    /// True when swapping the (last two) operands changes nothing.
    pub const fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvMul
                | Op::BvSaddo
                | Op::BvUaddo
                | Op::BvSmulo
                | Op::BvUmulo
                | Op::FpEq
                | Op::FpAdd
                | Op::FpMul
        )
    }
}

/// The sort of an application, or `None` when the operands do not fit. Leaves have no rule here:
/// the store knows their sorts.
pub fn result_sort(op: Op, operands: &[Sort]) -> Option<Sort> {
    use Sort::{Array, BitVec, Bool, Float, RoundingMode};
    if operands.len() != op.arity() {
        return None;
    }
    let sort = match (op, operands) {
        (Op::Not, [Bool]) => Bool,
        (Op::And | Op::Or | Op::Xor, [Bool, Bool]) => Bool,
        (Op::Ite, [Bool, then, otherwise]) if then == otherwise => *then,
        (Op::Eq, [left, right]) if left == right => Bool,
        (Op::BvNot | Op::BvNeg, [BitVec(width)]) => BitVec(*width),
        (
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr,
            [BitVec(left), BitVec(right)],
        ) if left == right => BitVec(*left),
        (
            Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::BvSaddo
            | Op::BvUaddo
            | Op::BvSsubo
            | Op::BvUsubo
            | Op::BvSmulo
            | Op::BvUmulo,
            [BitVec(left), BitVec(right)],
        ) if left == right => Bool,
        (Op::BvConcat, [BitVec(high), BitVec(low)]) => BitVec(high + low),
        (Op::BvExtract { high, low }, [BitVec(width)]) if low <= high && high < *width => {
            BitVec(high - low + 1)
        }
        (Op::BvZeroExtend(to) | Op::BvSignExtend(to), [BitVec(width)]) if to >= *width => BitVec(to),
        (Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv, [RoundingMode, Float(left), Float(right)])
            if left == right =>
        {
            Float(*left)
        }
        (Op::FpFma, [RoundingMode, Float(a), Float(b), Float(c)]) if a == b && b == c => Float(*a),
        (Op::FpSqrt | Op::FpRound, [RoundingMode, Float(format)]) => Float(*format),
        (Op::FpRem, [Float(left), Float(right)]) if left == right => Float(*left),
        (Op::FpAbs | Op::FpNeg, [Float(format)]) => Float(*format),
        (Op::FpEq | Op::FpLt | Op::FpLe, [Float(left), Float(right)]) if left == right => Bool,
        (
            Op::FpIsNan | Op::FpIsInf | Op::FpIsZero | Op::FpIsNormal | Op::FpIsSubnormal | Op::FpIsNegative,
            [Float(_)],
        ) => Bool,
        (Op::FpFromBits(format), [BitVec(width)]) if *width == format.bits() => Float(format),
        (Op::FpToBits, [Float(format)]) => BitVec(format.bits()),
        (Op::FpConvert(format), [RoundingMode, Float(_)]) => Float(format),
        (Op::FpFromSigned(format) | Op::FpFromUnsigned(format), [RoundingMode, BitVec(_)]) => Float(format),
        (Op::FpToSigned(width) | Op::FpToUnsigned(width), [RoundingMode, Float(_)]) => BitVec(width),
        (Op::ConstArray(index) | Op::Lambda(index), [BitVec(element)]) => Array {
            index,
            element: *element,
        },
        (Op::Select, [Array { index, element }, BitVec(width)]) if index == width => BitVec(*element),
        (Op::Store, [Array { index, element }, BitVec(at), BitVec(value)])
            if index == at && element == value =>
        {
            Array {
                index: *index,
                element: *element,
            }
        }
        _ => return None,
    };
    Some(sort)
}
