//! Expressions to symbolic values: the same meaning as `kripke_elts::eval`, over terms.

use kripke_elts::{BinaryOp, CastOp, Expr, RoundMode, Type, UnaryOp};
use kripke_smt::{Sort, TermId, Terms};
use kripke_value::{BitVec, RoundingMode};

use crate::engine::Engine;
use crate::object::ObjectId;
use crate::state::State;
use crate::value::{Pointer, Target, Value, bits_to_bool, bool_to_bits, resized};

impl Engine<'_> {
    /// The value of an expression of the running function.
    pub(crate) fn eval(&mut self, state: &State, expr: &Expr) -> Value {
        match expr {
            Expr::Int(value) if value.width() == 1 => Value::Term(self.terms.bool_(!value.is_zero())),
            Expr::Int(value) => Value::Term(self.terms.bv(value.clone())),
            Expr::Float(value) => Value::Term(self.terms.float(*value)),
            Expr::Null => self.pointer_to(Target::Null),
            Expr::GlobalAddress(id) => self.pointer_to(Target::Object(ObjectId::global(*id))),
            Expr::FunctionAddress(id) => self.pointer_to(Target::Function(*id)),
            Expr::Variable(id) => self.read_variable(state, *id),
            Expr::Unary(op, operand) => {
                let operand = self.eval_term(state, operand);
                Value::Term(unary(&mut self.terms, *op, operand, state.rounding))
            }
            Expr::Binary(op, left, right) => {
                let left = self.eval(state, left);
                // What the other side looks at, such as addresses, is not looked at where it does not matter.
                if self.decides(*op, &left) {
                    return left;
                }
                let right = self.eval(state, right);
                Value::Term(match (&left, &right) {
                    (Value::Pointer(a), Value::Pointer(b)) => self.compare_pointers(state, *op, a, b),
                    _ => binary(&mut self.terms, *op, left.term(), right.term(), state.rounding),
                })
            }
            Expr::Fma(a, b, c) => {
                let (a, b, c) = (
                    self.eval_term(state, a),
                    self.eval_term(state, b),
                    self.eval_term(state, c),
                );
                Value::Term(self.terms.fp_fma(state.rounding, a, b, c))
            }
            Expr::Cast(op, operand, ty) => self.eval_cast(state, *op, operand, *ty),
            Expr::Select(condition, then, otherwise) => {
                let condition = self.eval_term(state, condition);
                match self.terms.as_bool(condition) {
                    Some(true) => self.eval(state, then),
                    Some(false) => self.eval(state, otherwise),
                    None => {
                        let (then, otherwise) = (self.eval(state, then), self.eval(state, otherwise));
                        then.select(&mut self.terms, condition, &otherwise)
                    }
                }
            }
            Expr::PointerAdd(base, offset) => {
                let base = self.eval(state, base);
                let offset = self.eval_term(state, offset);
                Value::Pointer(self.move_pointer(base.pointer(), offset))
            }
            Expr::ObjectSize(operand) => {
                let pointer = self.eval(state, operand);
                Value::Term(self.object_size(state, pointer.pointer()))
            }
            Expr::PointerOffset(operand) => {
                let pointer = self.eval(state, operand);
                Value::Term(self.pointer_offset(state, pointer.pointer()))
            }
            Expr::SameObject(left, right) => {
                let (left, right) = (self.eval(state, left), self.eval(state, right));
                Value::Term(self.same_object(state, left.pointer(), right.pointer()))
            }
            Expr::Extract { high, low, value } => {
                let value = self.eval_term(state, value);
                let bits = as_bits(&mut self.terms, value);
                let part = self.terms.bv_extract(bits, *high, *low);
                Value::Term(from_bits(&mut self.terms, part))
            }
            Expr::Concat(high, low) => {
                let (high, low) = (self.eval_term(state, high), self.eval_term(state, low));
                let (high, low) = (as_bits(&mut self.terms, high), as_bits(&mut self.terms, low));
                Value::Term(self.terms.bv_concat(high, low))
            }
        }
    }

    /// The value of a number expression.
    pub(crate) fn eval_term(&mut self, state: &State, expr: &Expr) -> TermId {
        self.eval(state, expr).term()
    }

    /// Is a truth value the result of the operator, whatever its other operand is?
    fn decides(&self, op: BinaryOp, left: &Value) -> bool {
        let truth = match left {
            Value::Term(term) => self.terms.as_bool(*term),
            Value::Pointer(_) => None,
        };
        matches!(
            (op, truth),
            (BinaryOp::And, Some(false)) | (BinaryOp::Or, Some(true))
        )
    }

    fn pointer_to(&mut self, target: Target) -> Value {
        let zero = self.terms.bv_u64(self.pointer_width, 0);
        Value::Pointer(Pointer::new(&mut self.terms, target, zero))
    }

    fn eval_cast(&mut self, state: &State, op: CastOp, operand: &Expr, ty: Type) -> Value {
        let operand = self.eval(state, operand);
        match (op, ty) {
            (CastOp::PointerToInt, Type::Int(width)) => {
                let address = self.address_of(operand.pointer());
                Value::Term(resize(&mut self.terms, address, width))
            }
            (CastOp::IntToPointer, _) => {
                let bits = as_bits(&mut self.terms, operand.term());
                let address = resized(&mut self.terms, bits, self.pointer_width);
                Value::Pointer(self.pointer_at(state, address))
            }
            _ => Value::Term(cast(&mut self.terms, op, operand.term(), ty, state.rounding)),
        }
    }
}

/// A number as a bit-vector: truth values as one bit.
pub(crate) fn as_bits(terms: &mut Terms, value: TermId) -> TermId {
    match terms.sort(value) {
        Sort::Bool => bool_to_bits(terms, value),
        _ => value,
    }
}

/// A bit-vector as an integer value: one bit as a truth value.
pub(crate) fn from_bits(terms: &mut Terms, bits: TermId) -> TermId {
    match terms.sort(bits) {
        Sort::BitVec(1) => bits_to_bool(terms, bits),
        _ => bits,
    }
}

fn resize(terms: &mut Terms, bits: TermId, width: u32) -> TermId {
    let bits = resized(terms, bits, width);
    from_bits(terms, bits)
}

fn rounding(terms: &mut Terms, mode: RoundMode, dynamic: TermId) -> TermId {
    let mode = match mode {
        RoundMode::Dynamic => return dynamic,
        RoundMode::NearestEven => RoundingMode::NearestEven,
        RoundMode::NearestAway => RoundingMode::NearestAway,
        RoundMode::TowardZero => RoundingMode::TowardZero,
        RoundMode::Upward => RoundingMode::Upward,
        RoundMode::Downward => RoundingMode::Downward,
    };
    terms.rounding(mode)
}

/// An operator with one operand.
fn unary(terms: &mut Terms, op: UnaryOp, operand: TermId, dynamic: TermId) -> TermId {
    match op {
        UnaryOp::Not if terms.sort(operand) == Sort::Bool => terms.not(operand),
        UnaryOp::Not => terms.bv_not(operand),
        UnaryOp::Neg | UnaryOp::BitReverse | UnaryOp::PopCount if terms.sort(operand) == Sort::Bool => {
            operand
        }
        UnaryOp::LeadingZeros | UnaryOp::TrailingZeros if terms.sort(operand) == Sort::Bool => {
            terms.not(operand)
        }
        UnaryOp::Neg => terms.bv_neg(operand),
        UnaryOp::PopCount => population(terms, operand),
        UnaryOp::LeadingZeros => zeros_before_one(terms, operand, false),
        UnaryOp::TrailingZeros => zeros_before_one(terms, operand, true),
        UnaryOp::ByteSwap => reverse(terms, operand, 8),
        UnaryOp::BitReverse => reverse(terms, operand, 1),
        UnaryOp::FNeg => terms.fp_neg(operand),
        UnaryOp::FAbs => terms.fp_abs(operand),
        UnaryOp::FSqrt => terms.fp_sqrt(dynamic, operand),
        UnaryOp::FRound(mode) => {
            let mode = rounding(terms, mode, dynamic);
            terms.fp_round(mode, operand)
        }
        UnaryOp::FIsNan => terms.fp_is_nan(operand),
        UnaryOp::FIsInf => terms.fp_is_inf(operand),
        UnaryOp::FIsZero => terms.fp_is_zero(operand),
        UnaryOp::FIsNormal => terms.fp_is_normal(operand),
        UnaryOp::FIsSubnormal => terms.fp_is_subnormal(operand),
        UnaryOp::FSignBit => terms.fp_sign_bit(operand),
    }
}

fn population(terms: &mut Terms, operand: TermId) -> TermId {
    let width = terms.width(operand);
    let mut sums: Vec<TermId> = (0..width)
        .map(|index| {
            let bit = terms.bv_extract(operand, index, index);
            terms.bv_zext(bit, width)
        })
        .collect();
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| {
                if let [a, b] = *pair {
                    terms.bv_add(a, b)
                } else {
                    pair[0]
                }
            })
            .collect();
    }
    sums[0]
}

fn zeros_before_one(terms: &mut Terms, operand: TermId, from_low: bool) -> TermId {
    let width = terms.width(operand);
    let mut result = terms.bv_u64(width, u64::from(width));
    for distance in (0..width).rev() {
        let index = if from_low { distance } else { width - 1 - distance };
        let bit = terms.bv_extract(operand, index, index);
        let set = bits_to_bool(terms, bit);
        let count = terms.bv_u64(width, u64::from(distance));
        result = terms.ite(set, count, result);
    }
    result
}

fn reverse(terms: &mut Terms, operand: TermId, unit: u32) -> TermId {
    let width = terms.width(operand);
    let mut result = terms.bv_extract(operand, unit - 1, 0);
    for low in (unit..width).step_by(unit as usize) {
        let part = terms.bv_extract(operand, low + unit - 1, low);
        result = terms.bv_concat(result, part);
    }
    result
}

/// An operator with two number operands.
fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, dynamic: TermId) -> TermId {
    match terms.sort(a) {
        Sort::Bool => binary_bool(terms, op, a, b),
        Sort::Float(_) => binary_float(terms, op, a, b, dynamic),
        _ => binary_int(terms, op, a, b),
    }
}

fn binary_bool(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    match op {
        BinaryOp::And | BinaryOp::Mul | BinaryOp::UMin | BinaryOp::SMax => terms.and(a, b),
        BinaryOp::Or | BinaryOp::UMax | BinaryOp::SMin => terms.or(a, b),
        BinaryOp::Xor | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Sub => terms.xor(a, b),
        BinaryOp::Eq => terms.eq(a, b),
        BinaryOp::ULt => {
            let a = terms.not(a);
            terms.and(a, b)
        }
        BinaryOp::ULe => terms.implies(a, b),
        BinaryOp::SLt => {
            let b = terms.not(b);
            terms.and(a, b)
        }
        BinaryOp::SLe => terms.implies(b, a),
        _ => {
            let (a, b) = (bool_to_bits(terms, a), bool_to_bits(terms, b));
            let result = binary_int(terms, op, a, b);
            match terms.sort(result) {
                Sort::Bool => result,
                _ => bits_to_bool(terms, result),
            }
        }
    }
}

fn binary_int(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    use BinaryOp::*;
    match op {
        Add => terms.bv_add(a, b),
        Sub => terms.bv_sub(a, b),
        Mul => terms.bv_mul(a, b),
        UDiv => terms.bv_udiv(a, b),
        SDiv => terms.bv_sdiv(a, b),
        URem => terms.bv_urem(a, b),
        SRem => terms.bv_srem(a, b),
        Shl => terms.bv_shl(a, b),
        LShr => terms.bv_lshr(a, b),
        AShr => terms.bv_ashr(a, b),
        And => terms.bv_and(a, b),
        Or => terms.bv_or(a, b),
        Xor => terms.bv_xor(a, b),
        Eq => terms.eq(a, b),
        Ne => {
            let equal = terms.eq(a, b);
            terms.not(equal)
        }
        ULt => terms.bv_ult(a, b),
        ULe => terms.bv_ule(a, b),
        SLt => terms.bv_slt(a, b),
        SLe => terms.bv_sle(a, b),
        SAddOverflow => terms.bv_saddo(a, b),
        UAddOverflow => terms.bv_uaddo(a, b),
        SSubOverflow => terms.bv_ssubo(a, b),
        USubOverflow => terms.bv_usubo(a, b),
        SMulOverflow => terms.bv_smulo(a, b),
        UMulOverflow => terms.bv_umulo(a, b),
        UMin | UMax => {
            let less = terms.bv_ule(a, b);
            if op == UMin {
                terms.ite(less, a, b)
            } else {
                terms.ite(less, b, a)
            }
        }
        SMin | SMax => {
            let less = terms.bv_sle(a, b);
            if op == SMin {
                terms.ite(less, a, b)
            } else {
                terms.ite(less, b, a)
            }
        }
        UAddSat => {
            let ones = terms.bv(BitVec::ones(terms.width(a)));
            let (overflow, sum) = (terms.bv_uaddo(a, b), terms.bv_add(a, b));
            terms.ite(overflow, ones, sum)
        }
        USubSat => {
            let zero = terms.bv(BitVec::zero(terms.width(a)));
            let (overflow, difference) = (terms.bv_usubo(a, b), terms.bv_sub(a, b));
            terms.ite(overflow, zero, difference)
        }
        SAddSat => {
            let (overflow, sum) = (terms.bv_saddo(a, b), terms.bv_add(a, b));
            let limit = signed_limit(terms, a);
            terms.ite(overflow, limit, sum)
        }
        SSubSat => {
            let (overflow, difference) = (terms.bv_ssubo(a, b), terms.bv_sub(a, b));
            let limit = signed_limit(terms, a);
            terms.ite(overflow, limit, difference)
        }
        _ => unreachable!("{op:?} on integers"),
    }
}

/// The end of the signed range on the side of the value's sign.
fn signed_limit(terms: &mut Terms, value: TermId) -> TermId {
    let width = terms.width(value);
    let zero = terms.bv(BitVec::zero(width));
    let (low, high) = (
        terms.bv(BitVec::min_signed(width)),
        terms.bv(BitVec::max_signed(width)),
    );
    let negative = terms.bv_slt(value, zero);
    terms.ite(negative, low, high)
}

fn binary_float(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, dynamic: TermId) -> TermId {
    use BinaryOp::*;
    match op {
        FAdd => terms.fp_add(dynamic, a, b),
        FSub => terms.fp_sub(dynamic, a, b),
        FMul => terms.fp_mul(dynamic, a, b),
        FDiv => terms.fp_div(dynamic, a, b),
        FRem => terms.fp_rem(a, b),
        FMod => terms.fp_fmod(a, b),
        FMin => terms.fp_min(a, b),
        FMax => terms.fp_max(a, b),
        FCopySign => terms.fp_copysign(a, b),
        FEq => terms.fp_eq(a, b),
        FLt => terms.fp_lt(a, b),
        FLe => terms.fp_le(a, b),
        _ => unreachable!("{op:?} on floats"),
    }
}

fn cast(terms: &mut Terms, op: CastOp, operand: TermId, ty: Type, dynamic: TermId) -> TermId {
    match (op, ty) {
        (CastOp::ZExt, Type::Int(width)) => {
            let bits = as_bits(terms, operand);
            terms.bv_zext(bits, width)
        }
        (CastOp::SExt, Type::Int(width)) => {
            let bits = as_bits(terms, operand);
            terms.bv_sext(bits, width)
        }
        (CastOp::Trunc, Type::Int(width)) => {
            let bits = as_bits(terms, operand);
            resize(terms, bits, width)
        }
        (CastOp::FToF, Type::Float(format)) => terms.fp_convert(dynamic, format, operand),
        (CastOp::FToS, Type::Int(width)) => {
            let mode = terms.rounding(RoundingMode::TowardZero);
            let bits = terms.fp_to_signed(mode, width, operand);
            from_bits(terms, bits)
        }
        (CastOp::FToU, Type::Int(width)) => {
            let mode = terms.rounding(RoundingMode::TowardZero);
            let bits = terms.fp_to_unsigned(mode, width, operand);
            from_bits(terms, bits)
        }
        (CastOp::SToF, Type::Float(format)) => {
            let bits = as_bits(terms, operand);
            terms.fp_from_signed(dynamic, format, bits)
        }
        (CastOp::UToF, Type::Float(format)) => {
            let bits = as_bits(terms, operand);
            terms.fp_from_unsigned(dynamic, format, bits)
        }
        (CastOp::BitsToFloat, Type::Float(format)) => terms.fp_from_bits(format, operand),
        (CastOp::FloatToBits, _) => terms.fp_to_bits(operand),
        _ => unreachable!("{op:?} to {ty:?}"),
    }
}
