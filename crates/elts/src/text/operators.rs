//! How operators and types are written: one table for printing and parsing.

use kripke_value::FloatFormat;

use crate::program::{
    BinaryOp, CastOp, Encoding, NondetSource, OutputFunction, RoundMode, StopReason, Type, UnaryOp,
};

/// Binary operators between their operands.
pub const INFIX: &[(BinaryOp, &str)] = &[
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::UDiv, "/u"),
    (BinaryOp::SDiv, "/s"),
    (BinaryOp::URem, "%u"),
    (BinaryOp::SRem, "%s"),
    (BinaryOp::Shl, "<<"),
    (BinaryOp::LShr, ">>u"),
    (BinaryOp::AShr, ">>s"),
    (BinaryOp::And, "&"),
    (BinaryOp::Or, "|"),
    (BinaryOp::Xor, "^"),
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::ULt, "<u"),
    (BinaryOp::ULe, "<=u"),
    (BinaryOp::SLt, "<s"),
    (BinaryOp::SLe, "<=s"),
    (BinaryOp::FAdd, "+."),
    (BinaryOp::FSub, "-."),
    (BinaryOp::FMul, "*."),
    (BinaryOp::FDiv, "/."),
    (BinaryOp::FEq, "==."),
    (BinaryOp::FLt, "<."),
    (BinaryOp::FLe, "<=."),
    (BinaryOp::PEq, "==p"),
    (BinaryOp::PULt, "<p"),
    (BinaryOp::PULe, "<=p"),
    (BinaryOp::PDiff, "-p"),
];

/// The moving of a pointer, written like a binary operator.
pub const POINTER_ADD: &str = "+p";
/// The joining of two integers, written like a binary operator.
pub const CONCAT: &str = "++";

/// Binary operators written as functions.
pub const BINARY_FUNCTIONS: &[(BinaryOp, &str)] = &[
    (BinaryOp::SAddOverflow, "sadd_overflow"),
    (BinaryOp::UAddOverflow, "uadd_overflow"),
    (BinaryOp::SSubOverflow, "ssub_overflow"),
    (BinaryOp::USubOverflow, "usub_overflow"),
    (BinaryOp::SMulOverflow, "smul_overflow"),
    (BinaryOp::UMulOverflow, "umul_overflow"),
    (BinaryOp::UMin, "umin"),
    (BinaryOp::UMax, "umax"),
    (BinaryOp::SMin, "smin"),
    (BinaryOp::SMax, "smax"),
    (BinaryOp::SAddSat, "sadd_sat"),
    (BinaryOp::UAddSat, "uadd_sat"),
    (BinaryOp::SSubSat, "ssub_sat"),
    (BinaryOp::USubSat, "usub_sat"),
    (BinaryOp::FMod, "fmod"),
    (BinaryOp::FRem, "fremainder"),
    (BinaryOp::FMin, "fmin"),
    (BinaryOp::FMax, "fmax"),
    (BinaryOp::FCopySign, "fcopysign"),
];

/// Unary operators written as functions; `Not`, `Neg` and `FNeg` are prefixes.
pub const UNARY_FUNCTIONS: &[(UnaryOp, &str)] = &[
    (UnaryOp::PopCount, "popcount"),
    (UnaryOp::LeadingZeros, "leading_zeros"),
    (UnaryOp::TrailingZeros, "trailing_zeros"),
    (UnaryOp::ByteSwap, "byte_swap"),
    (UnaryOp::BitReverse, "bit_reverse"),
    (UnaryOp::FAbs, "fabs"),
    (UnaryOp::FSqrt, "fsqrt"),
    (UnaryOp::FRound(RoundMode::Dynamic), "fround"),
    (UnaryOp::FRound(RoundMode::NearestEven), "fround_nearest_even"),
    (UnaryOp::FRound(RoundMode::NearestAway), "fround_nearest_away"),
    (UnaryOp::FRound(RoundMode::TowardZero), "fround_toward_zero"),
    (UnaryOp::FRound(RoundMode::Upward), "fround_upward"),
    (UnaryOp::FRound(RoundMode::Downward), "fround_downward"),
    (UnaryOp::FIsNan, "is_nan"),
    (UnaryOp::FIsInf, "is_inf"),
    (UnaryOp::FIsZero, "is_zero"),
    (UnaryOp::FIsNormal, "is_normal"),
    (UnaryOp::FIsSubnormal, "is_subnormal"),
    (UnaryOp::FSignBit, "sign_bit"),
];

/// Conversions, written `zext<i64>(x)`.
pub const CASTS: &[(CastOp, &str)] = &[
    (CastOp::ZExt, "zext"),
    (CastOp::SExt, "sext"),
    (CastOp::Trunc, "trunc"),
    (CastOp::FToF, "float_to_float"),
    (CastOp::FToS, "float_to_signed"),
    (CastOp::FToU, "float_to_unsigned"),
    (CastOp::SToF, "signed_to_float"),
    (CastOp::UToF, "unsigned_to_float"),
    (CastOp::BitsToFloat, "bits_to_float"),
    (CastOp::FloatToBits, "float_to_bits"),
    (CastOp::PointerToInt, "pointer_to_int"),
    (CastOp::IntToPointer, "int_to_pointer"),
];

/// How base types read their bits.
pub const ENCODINGS: &[(Encoding, &str)] = &[
    (Encoding::Bool, "bool"),
    (Encoding::Signed, "signed"),
    (Encoding::Unsigned, "unsigned"),
    (Encoding::SignedChar, "signed_char"),
    (Encoding::UnsignedChar, "unsigned_char"),
    (Encoding::Float, "float"),
];

/// Output functions.
pub const OUTPUTS: &[(OutputFunction, &str)] = &[
    (OutputFunction::Printf, "printf"),
    (OutputFunction::Puts, "puts"),
    (OutputFunction::Putchar, "putchar"),
];

/// Reasons to stop.
pub const STOPS: &[(StopReason, &str)] = &[
    (StopReason::Exit, "exit"),
    (StopReason::Abort, "abort"),
    (StopReason::Deadlock, "deadlock"),
];

/// Words that a statement or expression may begin with: a variable of that name is written in backquotes.
const KEYWORDS: &[&str] = &[
    "null",
    "true",
    "false",
    "function",
    "fma",
    "object_size",
    "pointer_offset",
    "same_object",
    "stack",
    "heap",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "call",
    "math",
    "nondet",
    "assume",
    "assert",
    "set_rounding",
    "get_rounding",
    "output",
    "stop",
    "unsupported",
    "note",
    "when",
    "goto",
];

/// Is the word one of the notation's own?
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
        || BINARY_FUNCTIONS.iter().any(|(_, name)| *name == word)
        || UNARY_FUNCTIONS.iter().any(|(_, name)| *name == word)
        || CASTS.iter().any(|(_, name)| *name == word)
        || type_named(word).is_some()
}

/// The entry whose name it is.
pub fn named<T: Copy>(table: &[(T, &str)], name: &str) -> Option<T> {
    table
        .iter()
        .find(|(_, text)| *text == name)
        .map(|(item, _)| *item)
}

/// The name of an entry.
pub fn name_of<T: Copy + PartialEq>(table: &[(T, &'static str)], item: T) -> Option<&'static str> {
    table
        .iter()
        .find(|(entry, _)| *entry == item)
        .map(|(_, name)| *name)
}

/// `i32`, `f64`, `ptr`.
pub fn type_text(ty: Type) -> String {
    crate::trace::machine_type(ty)
}

/// The type of that name.
pub fn type_named(name: &str) -> Option<Type> {
    const WIDEST: u32 = 1 << 23;
    if name == "ptr" {
        return Some(Type::Pointer);
    }
    let (letter, digits) = name.split_at_checked(1)?;
    if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let bits: u32 = digits.parse().ok()?;
    match letter {
        "i" => (bits <= WIDEST).then_some(Type::Int(bits)),
        "f" => FloatFormat::ALL
            .into_iter()
            .find(|format| format.bits() == bits)
            .map(Type::Float),
        _ => None,
    }
}

/// The word for a source of nondeterminism, and its name.
pub fn source_text(source: &NondetSource) -> (&'static str, Option<&str>) {
    match source {
        NondetSource::Input(name) => ("input", Some(name)),
        NondetSource::External(name) => ("external", Some(name)),
        NondetSource::Library(name) => ("library", Some(name)),
        NondetSource::Device(name) => ("device", Some(name)),
        NondetSource::Uninitialised => ("uninitialised", None),
    }
}
