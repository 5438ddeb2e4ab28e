//! Float operations of the C library and of LLVM's intrinsics: one table for both.

use kripke_elts::{BinaryOp as Op, CastOp as Cast, Expr, RoundMode, Type as Scalar, UnaryOp};
use kripke_value::FloatFormat;

use crate::ir::Predicate;

use super::expressions::{all, any, binary, boolean, cast, int, not, select, unary};

/// The value of a float operation by its C name without suffix; none for other functions. `result` is the
/// type that the call returns.
pub fn float_operation(name: &str, arguments: &[Expr], result: Scalar) -> Option<Expr> {
    let one = |op: UnaryOp| Some(unary(op, arguments.first()?.clone()));
    let two = |op: Op| Some(binary(op, arguments.first()?.clone(), arguments.get(1)?.clone()));
    let rounded = |mode: RoundMode| {
        let value = unary(UnaryOp::FRound(mode), arguments.first()?.clone());
        Some(match result {
            Scalar::Int(_) => cast(Cast::FToS, value, result),
            _ => value,
        })
    };
    match name {
        "fabs" => one(UnaryOp::FAbs),
        "sqrt" => one(UnaryOp::FSqrt),
        "floor" => rounded(RoundMode::Downward),
        "ceil" => rounded(RoundMode::Upward),
        "trunc" => rounded(RoundMode::TowardZero),
        "round" | "lround" | "llround" => rounded(RoundMode::NearestAway),
        "roundeven" => rounded(RoundMode::NearestEven),
        "rint" | "nearbyint" | "lrint" | "llrint" => rounded(RoundMode::Dynamic),
        "fmod" => two(Op::FMod),
        "remainder" | "drem" => two(Op::FRem),
        "fmin" | "minnum" => two(Op::FMin),
        "fmax" | "maxnum" => two(Op::FMax),
        "copysign" => two(Op::FCopySign),
        "minimum" | "maximum" => {
            let (a, b) = (arguments.first()?.clone(), arguments.get(1)?.clone());
            let op = if name == "minimum" { Op::FMin } else { Op::FMax };
            Some(propagate_nan(a, b, op))
        }
        "canonicalize" => arguments.first().cloned(),
        "fma" => {
            let [a, b, c] = arguments else { return None };
            Some(Expr::Fma(
                Box::new(a.clone()),
                Box::new(b.clone()),
                Box::new(c.clone()),
            ))
        }
        "fmuladd" => {
            let [a, b, c] = arguments else { return None };
            Some(binary(
                Op::FAdd,
                binary(Op::FMul, a.clone(), b.clone()),
                c.clone(),
            ))
        }
        _ => None,
    }
}

/// IEEE 754-2019 `minimum` and `maximum`: a NaN operand is the result, and -0 is below +0.
fn propagate_nan(a: Expr, b: Expr, op: Op) -> Expr {
    let is_minimum = op == Op::FMin;
    let sign = unary(UnaryOp::FSignBit, a.clone());
    let first_zero_wins = if is_minimum { sign } else { not(sign) };
    let zeros = binary(
        Op::And,
        unary(UnaryOp::FIsZero, a.clone()),
        unary(UnaryOp::FIsZero, b.clone()),
    );
    let of_zeros = select(first_zero_wins, a.clone(), b.clone());
    let of_numbers = select(zeros, of_zeros, binary(op, a.clone(), b.clone()));
    let of_b = select(unary(UnaryOp::FIsNan, b.clone()), b, of_numbers);
    select(unary(UnaryOp::FIsNan, a.clone()), a, of_b)
}

/// `llvm.is.fpclass`: whether the value is in one of the classes that the mask's bits name.
pub fn is_of_class(value: &Expr, format: FloatFormat, mask: u64) -> Expr {
    let is = |op: UnaryOp| unary(op, value.clone());
    let negative = is(UnaryOp::FSignBit);
    let signed = |bit_negative: u64, bit_positive: u64, class: Expr| match (
        mask >> bit_negative & 1 == 1,
        mask >> bit_positive & 1 == 1,
    ) {
        (true, true) => class,
        (true, false) => binary(Op::And, class, negative.clone()),
        (false, true) => binary(Op::And, class, not(negative.clone())),
        (false, false) => boolean(false),
    };
    let nan = match mask & 3 {
        0 => boolean(false),
        3 => is(UnaryOp::FIsNan),
        classes => {
            let bits = cast(Cast::FloatToBits, value.clone(), Scalar::Int(format.bits()));
            let quiet = Expr::Extract {
                high: quiet_bit(format),
                low: quiet_bit(format),
                value: Box::new(bits),
            };
            let wanted = if classes == 2 { quiet } else { not(quiet) };
            all(vec![is(UnaryOp::FIsNan), wanted])
        }
    };
    any(vec![
        nan,
        signed(2, 9, is(UnaryOp::FIsInf)),
        signed(3, 8, is(UnaryOp::FIsNormal)),
        signed(4, 7, is(UnaryOp::FIsSubnormal)),
        signed(5, 6, is(UnaryOp::FIsZero)),
    ])
}

fn quiet_bit(format: FloatFormat) -> u32 {
    match format {
        FloatFormat::X87Extended => 62,
        _ => format.significand_bits() - 2,
    }
}

/// The predicate that a constrained comparison names.
pub fn predicate_named(name: &str) -> Option<Predicate> {
    Some(match name {
        "oeq" => Predicate::FOeq,
        "ogt" => Predicate::FOgt,
        "oge" => Predicate::FOge,
        "olt" => Predicate::FOlt,
        "ole" => Predicate::FOle,
        "one" => Predicate::FOne,
        "ord" => Predicate::FOrd,
        "uno" => Predicate::FUno,
        "ueq" => Predicate::FUeq,
        "ugt" => Predicate::FUgt,
        "uge" => Predicate::FUge,
        "ult" => Predicate::FUlt,
        "ule" => Predicate::FUle,
        "une" => Predicate::FUne,
        _ => return None,
    })
}

/// The machine's rounding modes as `fesetround` numbers them: the value for each of nearest, toward zero,
/// upward, downward.
pub fn rounding_numbers(triple: &str) -> [i128; 4] {
    let architecture = triple.split('-').next().unwrap_or_default();
    match architecture {
        "x86_64" | "amd64" | "i386" | "i486" | "i586" | "i686" => [0, 0xc00, 0x800, 0x400],
        _ if architecture.starts_with("riscv") => [0, 1, 3, 2],
        _ if ["arm", "thumb", "aarch64"]
            .iter()
            .any(|name| architecture.starts_with(name)) =>
        {
            [0, 0xc0_0000, 0x40_0000, 0x80_0000]
        }
        _ => [0, 1, 2, 3],
    }
}

/// A number of one scheme as the number of another, position by position; `otherwise` for all others.
pub fn renumber(value: &Expr, width: u32, from: &[i128], to: &[i128], otherwise: i128) -> Expr {
    let pairs = from.iter().zip(to).rev();
    pairs.fold(int(width, otherwise), |rest, (from, to)| {
        let here = binary(Op::Eq, value.clone(), int(width, *from));
        select(here, int(width, *to), rest)
    })
}
