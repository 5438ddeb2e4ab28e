//! What every operator computes: the one definition of the meaning of expressions.
//!
//! The interpreter's slow path and constant folding both call it, each with its own
//! [`Environment`]; the interpreter's fast path is tested against it. `None` means that the value
//! is not known in this environment (a variable that is no constant, an address that is chosen
//! only when the program runs).

use kripke_value::{BitVec, Float, RoundingMode};

use crate::ids::VariableId;
use crate::program::{BinaryOp, CastOp, Expr, RoundMode, Type, UnaryOp};
use crate::scalar::{ObjectRef, Pointer, PointerBase, ScalarValue};

/// What an expression's value depends on beside the expression.
pub trait Environment {
    /// The value of a variable.
    fn variable(&self, id: VariableId) -> Option<ScalarValue>;
    /// The current rounding mode.
    fn rounding(&self) -> Option<RoundingMode>;
    /// Width of a pointer in bits.
    fn pointer_width(&self) -> u32;
    /// The address of what the pointer points to.
    fn address(&self, pointer: Pointer) -> Option<u64>;
    /// The pointer to an address.
    fn pointer_at(&self, address: u64) -> Option<Pointer>;
    /// Size in bytes of the pointer's object, 0 where there is none.
    fn object_size(&self, pointer: Pointer) -> Option<u64>;
    /// The same place as a pointer into the live object there, where a raw address is that of one.
    fn locate(&self, pointer: Pointer) -> Option<Pointer> {
        (pointer.base != PointerBase::Raw).then_some(pointer)
    }
}

/// An environment that knows nothing: for the folding of constants.
pub struct ConstantEnvironment {
    /// Width of a pointer in bits.
    pub pointer_width: u32,
}

impl Environment for ConstantEnvironment {
    fn variable(&self, _: VariableId) -> Option<ScalarValue> {
        None
    }
    fn rounding(&self) -> Option<RoundingMode> {
        None
    }
    fn pointer_width(&self) -> u32 {
        self.pointer_width
    }
    fn address(&self, pointer: Pointer) -> Option<u64> {
        matches!(pointer.base, PointerBase::Null | PointerBase::Raw).then_some(pointer.offset)
    }
    fn pointer_at(&self, address: u64) -> Option<Pointer> {
        (address == 0).then_some(Pointer::NULL)
    }
    fn object_size(&self, pointer: Pointer) -> Option<u64> {
        match pointer.base {
            PointerBase::Object(_) => None,
            _ => Some(0),
        }
    }
}

/// The value of an expression. The expression must be well typed.
pub fn evaluate(expr: &Expr, env: &impl Environment) -> Option<ScalarValue> {
    let int = |expr: &Expr| evaluate_int(expr, env);
    let pointer = |expr: &Expr| evaluate(expr, env).and_then(|value| value.as_pointer());
    let address = |value: u64| ScalarValue::Int(BitVec::new(env.pointer_width(), u128::from(value)));
    Some(match expr {
        Expr::Int(value) => ScalarValue::Int(value.clone()),
        Expr::Float(value) => ScalarValue::Float(*value),
        Expr::Null => ScalarValue::Pointer(Pointer::NULL),
        Expr::GlobalAddress(id) => ScalarValue::Pointer(Pointer::object(ObjectRef::global(*id))),
        Expr::FunctionAddress(id) => ScalarValue::Pointer(Pointer::function(*id)),
        Expr::Variable(id) => env.variable(*id)?,
        Expr::Unary(op, operand) => unary(*op, &evaluate(operand, env)?, env)?,
        Expr::Binary(op, left, right) => binary(*op, &evaluate(left, env)?, &evaluate(right, env)?, env)?,
        Expr::Fma(a, b, c) => {
            let (a, b, c) = (evaluate(a, env)?, evaluate(b, env)?, evaluate(c, env)?);
            let (a, b, c) = (a.as_float()?, b.as_float()?, c.as_float()?);
            ScalarValue::Float(rounded(env, |mode| a.fma(*b, *c, mode))?)
        }
        Expr::Cast(op, operand, ty) => cast(*op, &evaluate(operand, env)?, *ty, env)?,
        Expr::Select(condition, then, otherwise) => {
            let chosen = if int(condition)?.is_zero() {
                otherwise
            } else {
                then
            };
            evaluate(chosen, env)?
        }
        Expr::PointerAdd(base, offset) => {
            let bytes = int(offset)?.to_u64()?;
            ScalarValue::Pointer(pointer(base)?.add(bytes, env.pointer_width()))
        }
        Expr::ObjectSize(operand) => address(env.object_size(pointer(operand)?)?),
        Expr::PointerOffset(operand) => address(env.locate(pointer(operand)?)?.offset),
        Expr::SameObject(left, right) => {
            let (left, right) = (env.locate(pointer(left)?)?, env.locate(pointer(right)?)?);
            ScalarValue::bool(same_object(left, right))
        }
        Expr::Extract { high, low, value } => ScalarValue::Int(int(value)?.extract(*high, *low)),
        Expr::Concat(high, low) => ScalarValue::Int(int(high)?.concat(&int(low)?)),
    })
}

/// The value of an integer expression.
pub fn evaluate_int(expr: &Expr, env: &impl Environment) -> Option<BitVec> {
    match evaluate(expr, env)? {
        ScalarValue::Int(value) => Some(value),
        _ => None,
    }
}

/// Are the addresses equal? Those of one object differ where the offsets do, and nothing lies at null. Else
/// it is the addresses that decide: one object may begin where another ends, or where a dead one was.
fn same_address(left: Pointer, right: Pointer, env: &impl Environment) -> Option<bool> {
    if same_object(left, right) {
        return Some(left.offset == right.offset);
    }
    let starts = [left, right].iter().all(|pointer| pointer.offset == 0);
    if starts && (left == Pointer::NULL || right == Pointer::NULL) {
        return Some(false);
    }
    Some(env.address(left)? == env.address(right)?)
}

/// Do the two point into the same object? Null and raw addresses count as one object.
pub fn same_object(left: Pointer, right: Pointer) -> bool {
    let no_object = |base| matches!(base, PointerBase::Null | PointerBase::Raw);
    left.base == right.base || no_object(left.base) && no_object(right.base)
}

/// The value of an operation whose result the rounding mode decides. Where the mode is unknown, the
/// result is known only if every mode that `fesetround` can set gives the same bits.
fn rounded(env: &impl Environment, compute: impl Fn(RoundingMode) -> Float) -> Option<Float> {
    match env.rounding() {
        Some(mode) => Some(compute(mode)),
        None => {
            let nearest = compute(RoundingMode::NearestEven);
            [
                RoundingMode::TowardZero,
                RoundingMode::Upward,
                RoundingMode::Downward,
            ]
            .into_iter()
            .all(|mode| compute(mode) == nearest)
            .then_some(nearest)
        }
    }
}

/// An operator with one operand.
pub fn unary(op: UnaryOp, operand: &ScalarValue, env: &impl Environment) -> Option<ScalarValue> {
    match operand {
        ScalarValue::Int(value) => unary_int(op, value).map(ScalarValue::Int),
        ScalarValue::Float(value) => unary_float(op, value, env),
        ScalarValue::Pointer(_) => None,
    }
}

fn unary_int(op: UnaryOp, value: &BitVec) -> Option<BitVec> {
    let count = |bits: u32| BitVec::new(value.width(), u128::from(bits));
    Some(match op {
        UnaryOp::Not => value.not(),
        UnaryOp::Neg => value.neg(),
        UnaryOp::PopCount => count(value.popcount()),
        UnaryOp::LeadingZeros => count(value.clz()),
        UnaryOp::TrailingZeros => count(value.ctz()),
        UnaryOp::ByteSwap => value.bswap(),
        UnaryOp::BitReverse => value.bitreverse(),
        _ => return None,
    })
}

fn unary_float(op: UnaryOp, value: &Float, env: &impl Environment) -> Option<ScalarValue> {
    Some(match op {
        UnaryOp::FNeg => ScalarValue::Float(value.neg()),
        UnaryOp::FAbs => ScalarValue::Float(value.abs()),
        UnaryOp::FSqrt => ScalarValue::Float(rounded(env, |mode| value.sqrt(mode))?),
        UnaryOp::FRound(mode) => ScalarValue::Float(match named_mode(mode) {
            Some(mode) => value.round_to_integral(mode),
            None => rounded(env, |mode| value.round_to_integral(mode))?,
        }),
        UnaryOp::FIsNan => ScalarValue::bool(value.is_nan()),
        UnaryOp::FIsInf => ScalarValue::bool(value.is_infinite()),
        UnaryOp::FIsZero => ScalarValue::bool(value.is_zero()),
        UnaryOp::FIsNormal => ScalarValue::bool(value.is_normal()),
        UnaryOp::FIsSubnormal => ScalarValue::bool(value.is_subnormal()),
        UnaryOp::FSignBit => ScalarValue::bool(value.sign_bit()),
        _ => return None,
    })
}

/// The mode that an operation names, `None` for the dynamic one.
pub fn named_mode(mode: RoundMode) -> Option<RoundingMode> {
    match mode {
        RoundMode::Dynamic => None,
        RoundMode::NearestEven => Some(RoundingMode::NearestEven),
        RoundMode::NearestAway => Some(RoundingMode::NearestAway),
        RoundMode::TowardZero => Some(RoundingMode::TowardZero),
        RoundMode::Upward => Some(RoundingMode::Upward),
        RoundMode::Downward => Some(RoundingMode::Downward),
    }
}

/// An operator with two operands.
pub fn binary(
    op: BinaryOp,
    left: &ScalarValue,
    right: &ScalarValue,
    env: &impl Environment,
) -> Option<ScalarValue> {
    match (left, right) {
        (ScalarValue::Int(a), ScalarValue::Int(b)) => binary_int(op, a, b).map(ScalarValue::Int),
        (ScalarValue::Float(a), ScalarValue::Float(b)) => binary_float(op, a, b, env),
        (ScalarValue::Pointer(a), ScalarValue::Pointer(b)) => binary_pointer(op, *a, *b, env),
        _ => None,
    }
}

fn binary_int(op: BinaryOp, a: &BitVec, b: &BitVec) -> Option<BitVec> {
    use BinaryOp::*;
    let truth = BitVec::from_bool;
    let choose = |first: bool| if first { a.clone() } else { b.clone() };
    Some(match op {
        Add => a.add(b),
        Sub => a.sub(b),
        Mul => a.mul(b),
        UDiv => a.udiv(b),
        SDiv => a.sdiv(b),
        URem => a.urem(b),
        SRem => a.srem(b),
        Shl => a.shl(b),
        LShr => a.lshr(b),
        AShr => a.ashr(b),
        And => a.and(b),
        Or => a.or(b),
        Xor => a.xor(b),
        Eq => truth(a == b),
        Ne => truth(a != b),
        ULt => truth(a.ult(b)),
        ULe => truth(a.ule(b)),
        SLt => truth(a.slt(b)),
        SLe => truth(a.sle(b)),
        SAddOverflow => truth(a.saddo(b)),
        UAddOverflow => truth(a.uaddo(b)),
        SSubOverflow => truth(a.ssubo(b)),
        USubOverflow => truth(a.usubo(b)),
        SMulOverflow => truth(a.smulo(b)),
        UMulOverflow => truth(a.umulo(b)),
        UMin => choose(a.ule(b)),
        UMax => choose(b.ule(a)),
        SMin => choose(a.sle(b)),
        SMax => choose(b.sle(a)),
        SAddSat if a.saddo(b) => signed_limit(a),
        SSubSat if a.ssubo(b) => signed_limit(a),
        UAddSat if a.uaddo(b) => BitVec::ones(a.width()),
        USubSat if a.usubo(b) => BitVec::zero(a.width()),
        SAddSat | UAddSat => a.add(b),
        SSubSat | USubSat => a.sub(b),
        _ => return None,
    })
}

/// The end of the signed range on the side of the value's sign: where a saturating operation stops.
fn signed_limit(value: &BitVec) -> BitVec {
    match value.sign_bit() {
        true => BitVec::min_signed(value.width()),
        false => BitVec::max_signed(value.width()),
    }
}

fn binary_float(op: BinaryOp, a: &Float, b: &Float, env: &impl Environment) -> Option<ScalarValue> {
    use BinaryOp::*;
    let float = |value: Float| Some(ScalarValue::Float(value));
    match op {
        FAdd => float(rounded(env, |mode| a.add(*b, mode))?),
        FSub => float(rounded(env, |mode| a.sub(*b, mode))?),
        FMul => float(rounded(env, |mode| a.mul(*b, mode))?),
        FDiv => float(rounded(env, |mode| a.div(*b, mode))?),
        FMod => float(a.fmod(*b)),
        FRem => float(a.rem(*b)),
        FMin => float(min_or_max(*a, *b, b.lt(*a))),
        FMax => float(min_or_max(*a, *b, a.lt(*b))),
        FCopySign => float(a.copysign(*b)),
        FEq => Some(ScalarValue::bool(a.ieee_eq(*b))),
        FLt => Some(ScalarValue::bool(a.lt(*b))),
        FLe => Some(ScalarValue::bool(a.le(*b))),
        _ => None,
    }
}

fn min_or_max(a: Float, b: Float, second: bool) -> Float {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Float::nan(a.format()),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if second {
                b
            } else {
                a
            }
        }
    }
}

fn binary_pointer(op: BinaryOp, a: Pointer, b: Pointer, env: &impl Environment) -> Option<ScalarValue> {
    let truth = |value| Some(ScalarValue::bool(value));
    match op {
        BinaryOp::PEq => same_address(a, b, env).map(ScalarValue::bool),
        BinaryOp::PULt if a == b => truth(false),
        BinaryOp::PULe if a == b => truth(true),
        BinaryOp::PULt => truth(env.address(a)? < env.address(b)?),
        BinaryOp::PULe => truth(env.address(a)? <= env.address(b)?),
        BinaryOp::PDiff => {
            let distance = match same_object(a, b) {
                true => a.offset.wrapping_sub(b.offset),
                false => env.address(a)?.wrapping_sub(env.address(b)?),
            };
            Some(ScalarValue::Int(BitVec::new(
                env.pointer_width(),
                u128::from(distance),
            )))
        }
        _ => None,
    }
}

/// A conversion.
pub fn cast(op: CastOp, operand: &ScalarValue, ty: Type, env: &impl Environment) -> Option<ScalarValue> {
    Some(match (operand, ty) {
        (ScalarValue::Int(value), Type::Int(width)) => ScalarValue::Int(match op {
            CastOp::ZExt => value.zext(width),
            CastOp::SExt => value.sext(width),
            CastOp::Trunc => value.trunc(width),
            _ => return None,
        }),
        (ScalarValue::Int(value), Type::Float(format)) => ScalarValue::Float(match op {
            CastOp::SToF => rounded(env, |mode| Float::from_signed(value, format, mode))?,
            CastOp::UToF => rounded(env, |mode| Float::from_unsigned(value, format, mode))?,
            CastOp::BitsToFloat => Float::from_bits(format, value),
            _ => return None,
        }),
        (ScalarValue::Float(value), Type::Float(format)) => match op {
            CastOp::FToF => ScalarValue::Float(rounded(env, |mode| value.convert(format, mode))?),
            _ => return None,
        },
        (ScalarValue::Float(value), Type::Int(width)) => ScalarValue::Int(match op {
            CastOp::FToS => value
                .to_signed(width, RoundingMode::TowardZero)
                .unwrap_or_else(|| BitVec::min_signed(width)),
            CastOp::FToU => value
                .to_unsigned(width, RoundingMode::TowardZero)
                .unwrap_or_else(|| BitVec::ones(width)),
            CastOp::FloatToBits => value.to_bits(),
            _ => return None,
        }),
        (ScalarValue::Pointer(pointer), Type::Int(width)) => match op {
            CastOp::PointerToInt => {
                let address = env.address(*pointer)?;
                ScalarValue::Int(BitVec::new(env.pointer_width(), u128::from(address)).resize(width))
            }
            _ => return None,
        },
        (ScalarValue::Int(value), Type::Pointer) => match op {
            CastOp::IntToPointer => {
                ScalarValue::Pointer(env.pointer_at(value.resize(env.pointer_width()).to_u64()?)?)
            }
            _ => return None,
        },
        _ => return None,
    })
}
