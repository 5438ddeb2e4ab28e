//! The values that made a checked condition false, as arithmetic a programmer can verify.

use kripke_value::BitVec;

use crate::eval::{Environment, evaluate_int};
use crate::program::{BinaryOp, Expr, UnaryOp};

/// "2147483647 + 1 does not fit 32 bits (signed)"; `None` where the condition has no known form.
pub fn explain(condition: &Expr, env: &impl Environment) -> Option<String> {
    match condition {
        Expr::Unary(UnaryOp::Not, failed) => explain_true(failed, env),
        // The first conjunct that is false is to blame.
        Expr::Binary(BinaryOp::And, left, right) => {
            let guilty = if evaluate_int(left, env)?.is_zero() {
                left
            } else {
                right
            };
            explain(guilty, env)
        }
        _ => None,
    }
}

/// Why it matters that the expression is true.
fn explain_true(expr: &Expr, env: &impl Environment) -> Option<String> {
    let Expr::Binary(op, left, right) = expr else {
        return None;
    };
    let (symbol, signed) = match op {
        BinaryOp::SAddOverflow => ("+", true),
        BinaryOp::SSubOverflow => ("-", true),
        BinaryOp::SMulOverflow => ("*", true),
        BinaryOp::UAddOverflow => ("+", false),
        BinaryOp::USubOverflow => ("-", false),
        BinaryOp::UMulOverflow => ("*", false),
        _ => return None,
    };
    let (left, right) = (evaluate_int(left, env)?, evaluate_int(right, env)?);
    let show = |value: &BitVec| match signed {
        true => value.to_signed_decimal(),
        false => value.to_unsigned_decimal(),
    };
    let right_text = match show(&right) {
        text if text.starts_with('-') => format!("({text})"),
        text => text,
    };
    let kind = if signed { "signed" } else { "unsigned" };
    Some(format!(
        "{} {symbol} {right_text} does not fit {} bits ({kind})",
        show(&left),
        left.width()
    ))
}
