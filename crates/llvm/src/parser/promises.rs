//! The words with which LLVM IR promises something to an optimiser.
//!
//! Idea: a flag of an instruction is kept, because where the promise is broken the result is poison, and a
//! model that computes it all the same would know too much. An attribute of a parameter or a result is
//! neither assumed nor checked; that it occurs is remembered, to be listed with the verdict.
//!
//! Source: LLVM language reference, "Poison Values", "Fast-Math Flags", "Parameter Attributes".

use crate::ir::Flag;

/// What a flag of an instruction promises; nothing for other words.
pub(super) fn flags(word: &str) -> &'static [Flag] {
    match word {
        "nuw" => &[Flag::NoUnsignedWrap],
        "nsw" => &[Flag::NoSignedWrap],
        "exact" => &[Flag::Exact],
        "disjoint" => &[Flag::Disjoint],
        "nneg" => &[Flag::NonNegative],
        "samesign" => &[Flag::SameSign],
        "nnan" => &[Flag::NoNan],
        "ninf" => &[Flag::NoInfinity],
        "reassoc" | "contract" | "arcp" | "afn" | "nsz" => &[Flag::Inexact],
        "fast" => &[Flag::NoNan, Flag::NoInfinity, Flag::Inexact],
        _ => &[],
    }
}

/// True for an attribute that is undefined behaviour, or makes its value poison, where it is not true.
pub(super) fn is_promise(word: &str) -> bool {
    matches!(
        word,
        "dereferenceable"
            | "dereferenceable_or_null"
            | "noalias"
            | "nofpclass"
            | "nonnull"
            | "noundef"
            | "range"
            | "returned"
    )
}
