//! Building expressions, with the folding that keeps constants visible.
//!
//! Idea: what is known while translating (sizes, offsets, branch conditions that clang left constant)
//! must be seen as a literal by the code that decides which checks are needed and which branches
//! exist. General simplification is the job of the passes.

use kripke_elts::{BinaryOp, CastOp, Expr, Type, UnaryOp};
use kripke_value::BitVec;

/// An integer literal.
pub fn int(width: u32, value: i128) -> Expr {
    Expr::Int(BitVec::from_i128(width, value))
}

/// A truth value.
pub fn boolean(value: bool) -> Expr {
    Expr::Int(BitVec::from_bool(value))
}

/// The literal's value, read as signed.
pub fn as_signed(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Int(value) => value.to_i128(),
        _ => None,
    }
}

/// The literal's value, read as unsigned.
pub fn as_unsigned(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Int(value) => value.to_u64(),
        _ => None,
    }
}

/// The truth value where it is a literal.
pub fn as_boolean(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Int(value) if value.width() == 1 => Some(value.is_one()),
        _ => None,
    }
}

/// True for expressions that cost nothing to repeat.
pub fn is_leaf(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_)
        | Expr::Float(_)
        | Expr::Null
        | Expr::GlobalAddress(_)
        | Expr::FunctionAddress(_)
        | Expr::Variable(_) => true,
        Expr::PointerAdd(base, offset) => {
            matches!(**offset, Expr::Int(_)) && !matches!(**base, Expr::PointerAdd(..)) && is_leaf(base)
        }
        Expr::Cast(CastOp::IntToPointer, value, _) => matches!(**value, Expr::Int(_)),
        _ => false,
    }
}

/// Complement.
pub fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Int(value) => Expr::Int(value.not()),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        other => Expr::Unary(UnaryOp::Not, Box::new(other)),
    }
}

/// An operator with one operand.
pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
    match op {
        UnaryOp::Not => not(operand),
        _ => Expr::Unary(op, Box::new(operand)),
    }
}

/// An operator with two operands; integer literals are folded.
pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    if let (Expr::Int(a), Expr::Int(b)) = (&left, &right)
        && let Some(value) = fold(op, a, b)
    {
        return Expr::Int(value);
    }
    match (op, &left, &right) {
        (BinaryOp::And, Expr::Int(mask), _) if mask.is_ones() => return right,
        (BinaryOp::And, _, Expr::Int(mask)) if mask.is_ones() => return left,
        (BinaryOp::Or | BinaryOp::Add, Expr::Int(zero), _) if zero.is_zero() => return right,
        (BinaryOp::Or | BinaryOp::Add | BinaryOp::Sub, _, Expr::Int(zero)) if zero.is_zero() => return left,
        (BinaryOp::Mul, _, Expr::Int(one)) if one.is_one() => return left,
        (BinaryOp::Xor, _, Expr::Int(ones)) if ones.is_ones() => return not(left),
        (BinaryOp::Xor, Expr::Int(ones), _) if ones.is_ones() => return not(right),
        _ => {}
    }
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn fold(op: BinaryOp, a: &BitVec, b: &BitVec) -> Option<BitVec> {
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::LShr => a.lshr(b),
        BinaryOp::AShr => a.ashr(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::UDiv if !b.is_zero() => a.udiv(b),
        BinaryOp::URem if !b.is_zero() => a.urem(b),
        BinaryOp::SDiv if !b.is_zero() => a.sdiv(b),
        BinaryOp::SRem if !b.is_zero() => a.srem(b),
        BinaryOp::Eq => BitVec::from_bool(a == b),
        BinaryOp::Ne => BitVec::from_bool(a != b),
        BinaryOp::ULt => BitVec::from_bool(a.ult(b)),
        BinaryOp::ULe => BitVec::from_bool(a.ule(b)),
        BinaryOp::SLt => BitVec::from_bool(a.slt(b)),
        BinaryOp::SLe => BitVec::from_bool(a.sle(b)),
        _ => return None,
    })
}

/// A conversion; integer literals are folded.
pub fn cast(op: CastOp, value: Expr, ty: Type) -> Expr {
    if let (Expr::Int(bits), Type::Int(width)) = (&value, ty) {
        match op {
            CastOp::ZExt => return Expr::Int(bits.zext(width)),
            CastOp::SExt => return Expr::Int(bits.sext(width)),
            CastOp::Trunc => return Expr::Int(bits.trunc(width)),
            _ => {}
        }
    }
    match (op, &value) {
        (CastOp::IntToPointer, Expr::Int(bits)) if bits.is_zero() => return Expr::Null,
        (CastOp::PointerToInt, Expr::Null) => {
            if let Type::Int(width) = ty {
                return int(width, 0);
            }
        }
        _ => {}
    }
    Expr::Cast(op, Box::new(value), ty)
}

/// An integer brought from one width to another.
pub fn resize(value: Expr, from: u32, to: u32, signed: bool) -> Expr {
    match (from.cmp(&to), signed) {
        (std::cmp::Ordering::Equal, _) => value,
        (std::cmp::Ordering::Greater, _) => cast(CastOp::Trunc, value, Type::Int(to)),
        (std::cmp::Ordering::Less, true) => cast(CastOp::SExt, value, Type::Int(to)),
        (std::cmp::Ordering::Less, false) => cast(CastOp::ZExt, value, Type::Int(to)),
    }
}

/// `condition ? then : otherwise`.
pub fn select(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match as_boolean(&condition) {
        Some(true) => then,
        Some(false) => otherwise,
        None if then == otherwise => then,
        None => Expr::Select(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// `pointer + bytes`; constant offsets are merged.
pub fn pointer_add(base: Expr, offset: Expr) -> Expr {
    let Expr::Int(bytes) = &offset else {
        return Expr::PointerAdd(Box::new(base), Box::new(offset));
    };
    if bytes.is_zero() {
        return base;
    }
    match base {
        Expr::PointerAdd(root, first) if matches!(*first, Expr::Int(_)) => {
            let sum = binary(BinaryOp::Add, *first, offset);
            pointer_add(*root, sum)
        }
        base => Expr::PointerAdd(Box::new(base), Box::new(offset)),
    }
}

/// `pointer + bytes` for a known distance.
pub fn pointer_offset(base: Expr, width: u32, bytes: u64) -> Expr {
    pointer_add(base, int(width, i128::from(bytes)))
}

/// The pointer without its constant offset, and that offset.
pub fn split_pointer(pointer: &Expr) -> (&Expr, i128) {
    match pointer {
        Expr::PointerAdd(base, offset) => match as_signed(offset) {
            Some(bytes) => (base, bytes),
            None => (pointer, 0),
        },
        _ => (pointer, 0),
    }
}

/// Conjunction of any number of truth values, as a balanced tree.
pub fn all(mut terms: Vec<Expr>) -> Expr {
    match terms.len() {
        0 => boolean(true),
        1 => terms.remove(0),
        length => {
            let right = terms.split_off(length / 2);
            binary(BinaryOp::And, all(terms), all(right))
        }
    }
}

/// Disjunction of any number of truth values, as a balanced tree.
pub fn any(mut terms: Vec<Expr>) -> Expr {
    match terms.len() {
        0 => boolean(false),
        1 => terms.remove(0),
        length => {
            let right = terms.split_off(length / 2);
            binary(BinaryOp::Or, any(terms), any(right))
        }
    }
}

/// True when the variable occurs in the expression.
pub fn mentions(expr: &Expr, variable: kripke_elts::VariableId) -> bool {
    match expr {
        Expr::Variable(other) => *other == variable,
        Expr::Int(_) | Expr::Float(_) | Expr::Null | Expr::GlobalAddress(_) | Expr::FunctionAddress(_) => {
            false
        }
        Expr::Unary(_, a)
        | Expr::Cast(_, a, _)
        | Expr::ObjectSize(a)
        | Expr::PointerOffset(a)
        | Expr::Extract { value: a, .. } => mentions(a, variable),
        Expr::Binary(_, a, b) | Expr::PointerAdd(a, b) | Expr::SameObject(a, b) | Expr::Concat(a, b) => {
            mentions(a, variable) || mentions(b, variable)
        }
        Expr::Fma(a, b, c) | Expr::Select(a, b, c) => {
            mentions(a, variable) || mentions(b, variable) || mentions(c, variable)
        }
    }
}
