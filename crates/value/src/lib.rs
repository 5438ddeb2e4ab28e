//! Concrete machine values: bit-vectors of any width and IEEE floats, with exact arithmetic.
//!
//! Idea: one definition of what a machine operation computes, for the interpreter, for constant
//! folding and for reading a solver's model, so that the three cannot disagree. Everything is
//! exact: floats are computed with integers and rounded once; the processor's own arithmetic is
//! only a shortcut where it gives the same bits.

mod bitvec;
mod bitvec_arith;
mod float;
mod float_arith;
mod float_convert;
mod float_format;
mod float_text;
mod math_function;

pub use bitvec::BitVec;
pub use float::Float;
pub use float_format::{FloatFormat, RoundingMode};
pub use math_function::{Course, MathFunction};
