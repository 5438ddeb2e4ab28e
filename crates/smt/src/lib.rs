//! Hash-consed terms, rewriting and solvers.
//!
//! [`Terms`] holds formulas over truth values, bit-vectors, IEEE floats and arrays. Its builders
//! fold constants and rewrite, so that what paths have in common is found equal before any solver
//! runs.

mod constant_tree;
mod evaluate;
mod op;
mod range;
mod rewrite_arithmetic;
mod rewrite_array;
mod rewrite_bits;
mod rewrite_bool;
mod rewrite_compare;
mod rewrite_float;
mod rules;
mod terms;
mod value;

pub use evaluate::Evaluator;
pub use op::{Op, Sort};
pub use range::Range;
pub use rules::Rule;
pub use terms::{TermId, Terms};
pub use value::{ArrayValue, Value};
