//! Folds an expression: constants are computed, and identities that hold for every value are applied.
//!
//! No rule touches float arithmetic, whose identities fail for NaN, infinities and signed zeros.
//! Rejected: reordering of operands into a normal form; the solver's term layer does that, and here
//! it would only move the expression away from the source.

use kripke_value::BitVec;

use crate::eval::{ConstantEnvironment, evaluate};
use crate::ids::{GlobalId, Id};
use crate::program::{BinaryOp, CastOp, DataModel, Expr, Type, UnaryOp};
use crate::scalar::{Pointer, PointerBase, ScalarValue};

/// Folds the expression; true if it changed. `ty` gives the types of variables.
pub fn fold(expr: &mut Expr, data_model: &DataModel, ty: &impl Fn(crate::VariableId) -> Type) -> bool {
    let mut changed = false;
    for child in expr.children_mut() {
        changed |= fold(child, data_model, ty);
    }
    while let Some(simpler) = step(expr, data_model, ty) {
        *expr = simpler;
        changed = true;
    }
    changed
}

/// The negation of a truth value, folded.
pub fn negated(condition: Expr) -> Expr {
    match condition {
        Expr::Int(value) => Expr::Int(value.not()),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        Expr::Binary(BinaryOp::Eq, left, right) => Expr::Binary(BinaryOp::Ne, left, right),
        Expr::Binary(BinaryOp::Ne, left, right) => Expr::Binary(BinaryOp::Eq, left, right),
        Expr::Binary(BinaryOp::SLt, left, right) => Expr::Binary(BinaryOp::SLe, right, left),
        Expr::Binary(BinaryOp::SLe, left, right) => Expr::Binary(BinaryOp::SLt, right, left),
        Expr::Binary(BinaryOp::ULt, left, right) => Expr::Binary(BinaryOp::ULe, right, left),
        Expr::Binary(BinaryOp::ULe, left, right) => Expr::Binary(BinaryOp::ULt, right, left),
        other => Expr::Unary(UnaryOp::Not, Box::new(other)),
    }
}

/// Is it a literal or an address known before the run?
pub fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) | Expr::Float(_) | Expr::Null | Expr::GlobalAddress(_) | Expr::FunctionAddress(_) => {
            true
        }
        Expr::PointerAdd(base, offset) => {
            matches!((&**base, &**offset), (Expr::GlobalAddress(_), Expr::Int(_)))
        }
        _ => false,
    }
}

/// The value as an expression, where it has one.
fn expr_of(value: ScalarValue, data_model: &DataModel) -> Option<Expr> {
    Some(match value {
        ScalarValue::Int(value) => Expr::Int(value),
        ScalarValue::Float(value) => Expr::Float(value),
        ScalarValue::Pointer(Pointer { base, offset }) => {
            let (start, plain) = match base {
                PointerBase::Null => (Expr::Null, offset == 0),
                PointerBase::Function(id) => (Expr::FunctionAddress(id), offset == 0),
                PointerBase::Object(object) => (
                    Expr::GlobalAddress(GlobalId::new(object.slot as usize)),
                    offset == 0,
                ),
                PointerBase::Raw => return None,
            };
            match plain {
                true => start,
                false => {
                    let offset = BitVec::new(data_model.pointer_width, u128::from(offset));
                    Expr::PointerAdd(Box::new(start), Box::new(Expr::Int(offset)))
                }
            }
        }
    })
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(value) if value.is_zero())
}

fn is_one(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(value) if value.is_one())
}

fn is_ones(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(value) if value.is_ones())
}

/// One rule applied at the top, or `None` where none fits.
fn step(expr: &Expr, data_model: &DataModel, ty: &impl Fn(crate::VariableId) -> Type) -> Option<Expr> {
    if !is_constant(expr) && expr.children().next().is_some() && expr.children().all(is_constant) {
        let env = ConstantEnvironment {
            pointer_width: data_model.pointer_width,
        };
        let folded = evaluate(expr, &env).and_then(|value| expr_of(value, data_model));
        if let Some(folded) = folded.filter(|folded| folded != expr) {
            return Some(folded);
        }
    }
    match expr {
        Expr::Unary(UnaryOp::Not, operand) => not(operand),
        Expr::Unary(UnaryOp::Neg, operand) => match &**operand {
            Expr::Unary(UnaryOp::Neg, inner) => Some((**inner).clone()),
            _ => None,
        },
        Expr::Binary(op, left, right) => binary(*op, left, right, data_model, ty),
        Expr::Cast(op, operand, to) => cast(*op, operand, *to, data_model, ty),
        Expr::Select(condition, then, otherwise) => select(condition, then, otherwise),
        Expr::PointerAdd(_, offset) if is_zero(offset) => match expr {
            Expr::PointerAdd(base, _) => Some((**base).clone()),
            _ => None,
        },
        Expr::PointerAdd(base, offset) => match (&**base, &**offset) {
            (Expr::PointerAdd(start, first), Expr::Int(second)) => match &**first {
                Expr::Int(first) => Some(Expr::PointerAdd(
                    start.clone(),
                    Box::new(Expr::Int(first.add(second))),
                )),
                _ => None,
            },
            _ => None,
        },
        Expr::Extract { high, low, value } => {
            let whole = *low == 0 && value.type_with(data_model, ty) == Type::Int(high + 1);
            whole.then(|| (**value).clone())
        }
        _ => None,
    }
}

/// Negations move into comparisons.
fn not(operand: &Expr) -> Option<Expr> {
    match operand {
        Expr::Unary(UnaryOp::Not, inner) => Some((**inner).clone()),
        Expr::Binary(
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::SLt | BinaryOp::SLe | BinaryOp::ULt | BinaryOp::ULe,
            ..,
        ) => Some(negated(operand.clone())),
        _ => None,
    }
}

fn select(condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<Expr> {
    if let Expr::Int(value) = condition {
        return Some(if value.is_zero() {
            otherwise.clone()
        } else {
            then.clone()
        });
    }
    if then == otherwise {
        return Some(then.clone());
    }
    match (then, otherwise) {
        (Expr::Int(a), Expr::Int(b)) if a.width() == 1 => match (a.is_zero(), b.is_zero()) {
            (false, true) => Some(condition.clone()),
            (true, false) => Some(negated(condition.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn binary(
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    data_model: &DataModel,
    ty: &impl Fn(crate::VariableId) -> Type,
) -> Option<Expr> {
    use BinaryOp::*;
    let keep = |expr: &Expr| Some(expr.clone());
    let truth = |value: bool| Some(Expr::Int(BitVec::from_bool(value)));
    match op {
        Add | Or | Xor if is_zero(right) => keep(left),
        Sub | Shl | LShr | AShr if is_zero(right) => keep(left),
        Add | Or | Xor if is_zero(left) => keep(right),
        Mul | UDiv if is_one(right) => keep(left),
        // In one bit the number 1 is -1, which divides differently, but the quotient is the same.
        SDiv if is_one(right) => keep(left),
        Mul if is_one(left) => keep(right),
        And | Mul if is_zero(right) => keep(right),
        And | Mul if is_zero(left) => keep(left),
        And if is_ones(right) => keep(left),
        And if is_ones(left) => keep(right),
        Or if is_ones(right) => keep(right),
        Or if is_ones(left) => keep(left),
        And | Or if left == right => keep(left),
        Eq | ULe | SLe | PEq | PULe if left == right => truth(true),
        Ne | ULt | SLt | PULt if left == right => truth(false),
        Eq | Ne => equality(op == Eq, left, right, data_model, ty),
        SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow
            if is_zero(right) =>
        {
            truth(false)
        }
        _ => None,
    }
}

/// Comparisons of truth values, plain or widened, with a constant.
fn equality(
    equal: bool,
    left: &Expr,
    right: &Expr,
    data_model: &DataModel,
    ty: &impl Fn(crate::VariableId) -> Type,
) -> Option<Expr> {
    if matches!(left, Expr::Int(_)) && !matches!(right, Expr::Int(_)) {
        let op = if equal { BinaryOp::Eq } else { BinaryOp::Ne };
        return Some(Expr::Binary(op, Box::new(right.clone()), Box::new(left.clone())));
    }
    let Expr::Int(value) = right else { return None };
    match left {
        Expr::Cast(CastOp::ZExt, inner, _) => {
            let Type::Int(width) = inner.type_with(data_model, ty) else {
                return None;
            };
            // A value that does not fit the narrow type equals nothing.
            let narrow = value.trunc(width);
            if narrow.zext(value.width()) != *value {
                return Some(Expr::Int(BitVec::from_bool(!equal)));
            }
            let op = if equal { BinaryOp::Eq } else { BinaryOp::Ne };
            Some(Expr::Binary(op, inner.clone(), Box::new(Expr::Int(narrow))))
        }
        _ if value.width() == 1 => {
            let same = equal != value.is_zero();
            Some(if same { left.clone() } else { negated(left.clone()) })
        }
        _ => None,
    }
}

fn cast(
    op: CastOp,
    operand: &Expr,
    to: Type,
    data_model: &DataModel,
    ty: &impl Fn(crate::VariableId) -> Type,
) -> Option<Expr> {
    let (inner_op, inner) = match operand {
        Expr::Cast(op, inner, _) => (*op, inner),
        _ => return None,
    };
    let from = inner.type_with(data_model, ty);
    match (op, inner_op) {
        (CastOp::ZExt, CastOp::ZExt) | (CastOp::SExt, CastOp::SExt) | (CastOp::Trunc, CastOp::Trunc) => {
            Some(Expr::Cast(op, inner.clone(), to))
        }
        (CastOp::SExt, CastOp::ZExt) => Some(Expr::Cast(CastOp::ZExt, inner.clone(), to)),
        (CastOp::Trunc, CastOp::ZExt | CastOp::SExt) => match (from, to) {
            (Type::Int(from), Type::Int(width)) if width == from => Some((**inner).clone()),
            (Type::Int(from), Type::Int(width)) if width < from => {
                Some(Expr::Cast(CastOp::Trunc, inner.clone(), to))
            }
            (Type::Int(_), Type::Int(_)) => Some(Expr::Cast(inner_op, inner.clone(), to)),
            _ => None,
        },
        (CastOp::BitsToFloat, CastOp::FloatToBits) | (CastOp::FloatToBits, CastOp::BitsToFloat)
            if from == to =>
        {
            Some((**inner).clone())
        }
        _ => None,
    }
}
