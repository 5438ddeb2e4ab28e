//! Poison and undef: results that LLVM IR leaves open.
//!
//! Idea: where an instruction breaks what it promises (`nsw`, `exact`, …), or an operand is out of range, its
//! result is any value: a superset of what poison may be seen as by everything but a branch, which this
//! model takes both ways. What is undefined at once (a division by zero) is asserted.
//!
//! Invariant: code that Kripke compiles from C is left alone, where clang's sanitizers have put a check
//! before each of these operations or the user has left the check out, which is listed; but for what no
//! sanitizer sees: float flags, vector indices, and the value of a `_Bool` or a pointer that is loaded.
//!
//! Source: LLVM language reference, "Poison Values", "Undefined Values", and each instruction. Alternative
//! rejected: a shadow bit for each value, as MemorySanitizer has, which doubles the model of every program.

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, NondetSource, RoundMode, Type as Scalar, UnaryOp};
use kripke_model::PropertyKind;
use kripke_value::{BitVec, Float, FloatFormat, RoundingMode};

use crate::ir::{BinaryOp, CastOp, Constant, Flag, Metadata, MetadataField, Type, Value};

use super::expressions::{all, any, as_boolean, binary, boolean, cast, int, not, select, unary};
use super::function::FunctionTranslator;

impl FunctionTranslator<'_, '_> {
    /// True where nothing but this translation looks for what C leaves undefined.
    pub fn is_unchecked(&self) -> bool {
        self.unit.modules[self.module].is_given_as_ir
    }

    /// The value, or any value where it is poison.
    pub fn unless_poison(&mut self, is_poison: Expr, ty: Scalar, value: Expr) -> Expr {
        if as_boolean(&is_poison) == Some(false) {
            return value;
        }
        let undefined = self.nondet("poison", ty, NondetSource::Uninitialised);
        select(is_poison, undefined, value)
    }

    /// The result of an operator, or any value where its flags or its operands make that poison.
    pub fn operator_result(
        &mut self,
        op: BinaryOp,
        flags: &[Flag],
        ty: Scalar,
        operands: [&Expr; 2],
        value: Expr,
    ) -> Expr {
        let is_poison = match ty {
            Scalar::Float(_) => self.breaks_float_flags(flags, &[operands[0], operands[1], &value]),
            Scalar::Int(width) if self.is_unchecked() => {
                self.check_division(op, width, operands);
                breaks_integer_flags(op, flags, width, operands)
            }
            _ => return value,
        };
        self.unless_poison(is_poison, ty, value)
    }

    /// A division by zero, or of the least value by -1, is undefined at once.
    fn check_division(&mut self, op: BinaryOp, width: u32, [left, right]: [&Expr; 2]) {
        if !matches!(
            op,
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem
        ) {
            return;
        }
        let mut wrong = vec![equals(right, BitVec::zero(width))];
        if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
            let overflows = vec![equals(left, least(width)), equals(right, BitVec::ones(width))];
            wrong.push(all(overflows));
        }
        let text = "division by zero, or of the smallest value by -1";
        self.assert_that(not(any(wrong)), PropertyKind::DivisionByZero, text);
    }

    /// True where a float operation breaks `nnan` or `ninf`; lists that the other flags are not used.
    pub fn breaks_float_flags(&mut self, flags: &[Flag], values: &[&Expr]) -> Expr {
        if flags.contains(&Flag::Inexact) {
            let text = "float arithmetic that may be reordered or approximated (fast-math flags) is exact \
                        IEEE 754 arithmetic";
            self.unit.assumptions.insert(text.to_owned());
        }
        let mut wrong = Vec::new();
        for value in values {
            if flags.contains(&Flag::NoNan) {
                wrong.push(unary(UnaryOp::FIsNan, (*value).clone()));
            }
            if flags.contains(&Flag::NoInfinity) {
                wrong.push(unary(UnaryOp::FIsInf, (*value).clone()));
            }
        }
        any(wrong)
    }

    /// The results of a call or another operation on floats under its flags.
    pub fn float_results(&mut self, flags: &[Flag], values: Vec<Expr>, types: &[Scalar]) -> Vec<Expr> {
        let mut results = Vec::with_capacity(values.len());
        for (value, &ty) in values.into_iter().zip(types) {
            let is_poison = match ty {
                Scalar::Float(_) => self.breaks_float_flags(flags, &[&value]),
                _ => boolean(false),
            };
            results.push(self.unless_poison(is_poison, ty, value));
        }
        results
    }

    /// The result of an intrinsic, or any value where its last argument says that it is poison.
    pub fn intrinsic_result(&mut self, name: &str, ty: Scalar, operands: &[Expr], value: Expr) -> Expr {
        let (Scalar::Int(width), [operand, flag]) = (ty, operands) else {
            return value;
        };
        if !self.is_unchecked() || as_boolean(flag) != Some(true) {
            return value;
        }
        let without_value = match name {
            "ctlz" | "cttz" => BitVec::zero(width),
            "abs" => least(width),
            _ => return value,
        };
        self.unless_poison(equals(operand, without_value), ty, value)
    }

    /// The result of a conversion, or any value where that is poison.
    pub fn cast_result(
        &mut self,
        op: CastOp,
        flags: &[Flag],
        (from, operand): (Scalar, &Expr),
        (to, value): (Scalar, Expr),
    ) -> Expr {
        let is_poison = match (op, from, to) {
            (CastOp::FpTrunc | CastOp::FpExt, ..) => self.breaks_float_flags(flags, &[operand, &value]),
            _ if !self.is_unchecked() => return value,
            (CastOp::FpToSi, Scalar::Float(format), Scalar::Int(width)) => {
                not(fits(operand, format, width, true))
            }
            (CastOp::FpToUi, Scalar::Float(format), Scalar::Int(width)) => {
                not(fits(operand, format, width, false))
            }
            (CastOp::Trunc, Scalar::Int(_), _) => truncation_loses(flags, from, operand, &value),
            (CastOp::ZExt | CastOp::UiToFp, Scalar::Int(width), _) if flags.contains(&Flag::NonNegative) => {
                binary(Op::SLt, operand.clone(), int(width, 0))
            }
            _ => return value,
        };
        self.unless_poison(is_poison, to, value)
    }

    /// The result of a comparison, or any value where its flags make that poison.
    pub fn comparison_result(
        &mut self,
        flags: &[Flag],
        ty: Scalar,
        operands: [&Expr; 2],
        value: Expr,
    ) -> Expr {
        let is_poison = match ty {
            Scalar::Float(_) => self.breaks_float_flags(flags, &operands),
            Scalar::Int(width) if flags.contains(&Flag::SameSign) => {
                let signs = binary(Op::Xor, operands[0].clone(), operands[1].clone());
                binary(Op::SLt, signs, int(width, 0))
            }
            _ => return value,
        };
        self.unless_poison(is_poison, Scalar::BOOL, value)
    }

    /// What is loaded under `!range` or `!nonnull`, or any value where it is out of range or null.
    pub fn loaded_value(&mut self, flags: &[Flag], ty: Scalar, value: Expr) -> Expr {
        let mut wrong = Vec::new();
        for flag in flags {
            match (flag, ty) {
                (Flag::Range(node), Scalar::Int(width)) => {
                    wrong.extend(self.is_out_of_range(*node, width, &value));
                }
                (Flag::NonNull, Scalar::Pointer) => {
                    wrong.push(Expr::Binary(
                        Op::PEq,
                        Box::new(value.clone()),
                        Box::new(Expr::Null),
                    ));
                }
                _ => {}
            }
        }
        self.unless_poison(any(wrong), ty, value)
    }

    /// `!range`: pairs of a least value and one past the greatest, which may wrap round.
    fn is_out_of_range(&self, node: u32, width: u32, value: &Expr) -> Option<Expr> {
        let Some(Metadata::Tuple(fields)) = self.unit.modules[self.module].metadata.get(&node) else {
            return None;
        };
        let bounds: Option<Vec<BitVec>> = fields.iter().map(|field| bound(field, width)).collect();
        let bounds = bounds?;
        let within = bounds.chunks_exact(2).map(|pair| {
            let from_least = |value: Expr| binary(Op::Sub, value, Expr::Int(pair[0].clone()));
            let end = from_least(Expr::Int(pair[1].clone()));
            binary(Op::ULt, from_least(value.clone()), end)
        });
        Some(not(any(within.collect())))
    }

    /// The scalars of a constant; undefined ones are any values.
    pub fn defined_constant(&mut self, ty: &Type, constant: &Constant) -> super::Step<Vec<Expr>> {
        let mut values = self.unit.constant(self.module, ty, constant)?;
        if !mentions_undefined(constant) {
            return Ok(values);
        }
        let leaves = self.types.leaves(ty)?;
        let undefined = self.undefined_scalars(ty, constant)?;
        for ((value, leaf), is_undefined) in values.iter_mut().zip(&leaves).zip(undefined) {
            if is_undefined {
                *value = self.nondet("undefined", leaf.ty, NondetSource::Uninitialised);
            }
        }
        Ok(values)
    }

    /// Which scalars of an operand are undefined, where it is a constant; none of other operands.
    pub fn undefined_of(&self, ty: &Type, value: &Value) -> super::Step<Vec<bool>> {
        match value {
            Value::Constant(constant) => self.undefined_scalars(ty, constant),
            _ => Ok(vec![false; self.types.leaves(ty)?.len()]),
        }
    }

    fn undefined_scalars(&self, ty: &Type, constant: &Constant) -> super::Step<Vec<bool>> {
        match constant {
            Constant::Aggregate(elements) => {
                let mut undefined = Vec::new();
                for (element_type, element) in elements {
                    undefined.extend(self.undefined_scalars(element_type, element)?);
                }
                Ok(undefined)
            }
            _ => {
                let is_undefined = matches!(constant, Constant::Undef | Constant::Poison);
                Ok(vec![is_undefined; self.types.leaves(ty)?.len()])
            }
        }
    }
}

/// True when some part of the constant is `undef` or `poison`.
pub fn mentions_undefined(constant: &Constant) -> bool {
    match constant {
        Constant::Undef | Constant::Poison => true,
        Constant::Aggregate(elements) => elements.iter().any(|(_, element)| mentions_undefined(element)),
        _ => false,
    }
}

/// The least value of a signed integer.
fn least(width: u32) -> BitVec {
    BitVec::one(width).shl(&BitVec::new(width, u128::from(width - 1)))
}

fn equals(value: &Expr, literal: BitVec) -> Expr {
    binary(Op::Eq, value.clone(), Expr::Int(literal))
}

/// True where an operation on integers is poison.
fn breaks_integer_flags(op: BinaryOp, flags: &[Flag], width: u32, [a, b]: [&Expr; 2]) -> Expr {
    let operation = |op: Op, left: &Expr, right: &Expr| binary(op, left.clone(), right.clone());
    let overflows = |op: Op| Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    let differs = |left: Expr, right: &Expr| binary(Op::Ne, left, right.clone());
    let nonzero = |value: Expr| binary(Op::Ne, value, int(width, 0));
    let shifted = || operation(Op::Shl, a, b);
    let undone = |op: Op, value: Expr| differs(binary(op, value, b.clone()), a);
    let mut wrong = Vec::new();
    if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
        let limit = Expr::Int(BitVec::new(width, u128::from(width)));
        // Of a width that is a power of two, the width itself has no place in one bit.
        wrong.push(if width == 1 {
            nonzero(b.clone())
        } else {
            binary(Op::ULe, limit, b.clone())
        });
    }
    for flag in flags {
        wrong.extend(match (flag, op) {
            (Flag::NoSignedWrap, BinaryOp::Add) => Some(overflows(Op::SAddOverflow)),
            (Flag::NoSignedWrap, BinaryOp::Sub) => Some(overflows(Op::SSubOverflow)),
            (Flag::NoSignedWrap, BinaryOp::Mul) => Some(overflows(Op::SMulOverflow)),
            (Flag::NoUnsignedWrap, BinaryOp::Add) => Some(overflows(Op::UAddOverflow)),
            (Flag::NoUnsignedWrap, BinaryOp::Sub) => Some(overflows(Op::USubOverflow)),
            (Flag::NoUnsignedWrap, BinaryOp::Mul) => Some(overflows(Op::UMulOverflow)),
            (Flag::NoSignedWrap, BinaryOp::Shl) => Some(undone(Op::AShr, shifted())),
            (Flag::NoUnsignedWrap, BinaryOp::Shl) => Some(undone(Op::LShr, shifted())),
            (Flag::Exact, BinaryOp::LShr) => Some(undone(Op::Shl, operation(Op::LShr, a, b))),
            (Flag::Exact, BinaryOp::AShr) => Some(undone(Op::Shl, operation(Op::AShr, a, b))),
            (Flag::Exact, BinaryOp::UDiv) => Some(nonzero(operation(Op::URem, a, b))),
            (Flag::Exact, BinaryOp::SDiv) => Some(nonzero(operation(Op::SRem, a, b))),
            (Flag::Disjoint, BinaryOp::Or) => Some(nonzero(operation(Op::And, a, b))),
            _ => None,
        });
    }
    any(wrong)
}

/// True where `trunc nuw` or `trunc nsw` drops bits that matter.
fn truncation_loses(flags: &[Flag], from: Scalar, operand: &Expr, value: &Expr) -> Expr {
    let differs = |extend: Cast| binary(Op::Ne, cast(extend, value.clone(), from), operand.clone());
    let mut wrong = Vec::new();
    if flags.contains(&Flag::NoUnsignedWrap) {
        wrong.push(differs(Cast::ZExt));
    }
    if flags.contains(&Flag::NoSignedWrap) {
        wrong.push(differs(Cast::SExt));
    }
    any(wrong)
}

/// True where a float, cut off to an integer, fits the width.
fn fits(value: &Expr, format: FloatFormat, width: u32, signed: bool) -> Expr {
    let power = |exponent: u32, negative: bool| {
        let wide = BitVec::one(width + 1).shl(&BitVec::new(width + 1, u128::from(exponent)));
        let float = Float::from_unsigned(&wide, format, RoundingMode::NearestEven);
        Expr::Float(if negative { float.neg() } else { float })
    };
    let (least, end) = if signed {
        (power(width - 1, true), power(width - 1, false))
    } else {
        (Expr::Float(Float::zero(format, false)), power(width, false))
    };
    let cut = unary(UnaryOp::FRound(RoundMode::TowardZero), value.clone());
    all(vec![
        binary(Op::FLe, least, cut.clone()),
        binary(Op::FLt, cut, end),
    ])
}

fn bound(field: &MetadataField, width: u32) -> Option<BitVec> {
    match field {
        MetadataField::Int(value) => Some(BitVec::from_i128(width, *value)),
        MetadataField::Value(_, value) => match &**value {
            Value::Constant(Constant::Int(text)) => super::constants::parse_int(width, text),
            _ => None,
        },
        _ => None,
    }
}
