//! Hash-consed terms, rewriting and solvers.
//!
//! [`Terms`] holds formulas over truth values, bit-vectors, IEEE floats and arrays. Its builders
//! fold constants and rewrite, so that what paths have in common is found equal before any solver
//! runs.

mod bitwuzla;
mod constant_tree;
mod evaluate;
mod lower;
mod op;
mod range;
mod rewrite_arithmetic;
mod rewrite_array;
mod rewrite_bits;
mod rewrite_bool;
mod rewrite_compare;
mod rewrite_float;
mod rules;
mod solver;
mod terms;
mod value;

pub use bitwuzla::Bitwuzla;
pub use evaluate::Evaluator;
pub use op::{Op, Sort};
pub use range::Range;
pub use rules::Rule;
pub use solver::{Limits, SatResult, Solver, SolverChoice, SolverError};
pub use terms::{TermId, Terms};
pub use value::{ArrayValue, Value};

/// Starts the chosen solver.
pub fn create_solver(choice: &SolverChoice) -> Result<Box<dyn Solver>, SolverError> {
    Ok(match choice {
        SolverChoice::Default | SolverChoice::Bitwuzla => Box::new(Bitwuzla::new()?),
        other => {
            let message = "not available yet".to_owned();
            return Err(SolverError { solver: format!("{other:?}"), message });
        }
    })
}
