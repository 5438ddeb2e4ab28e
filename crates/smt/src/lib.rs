//! Hash-consed terms, rewriting and solvers.
//!
//! [`Terms`] holds formulas over truth values, bit-vectors, IEEE floats and arrays. Its builders
//! fold constants and rewrite, so that what paths have in common is found equal before any solver
//! runs.

mod assertions;
mod bitwuzla;
mod connectives;
mod constant_tree;
mod cross_check;
mod diagrams;
mod dump;
mod evaluate;
mod external;
mod guarded;
pub mod interval_search;
mod lambda;
mod lower;
mod op;
mod order;
mod portfolio;
mod quotients;
mod range;
mod rewrite_arithmetic;
mod rewrite_array;
mod rewrite_bits;
mod rewrite_bool;
mod rewrite_compare;
mod rewrite_float;
mod rules;
mod smtlib_print;
mod smtlib_read;
mod solver;
mod substitute;
mod terms;
mod value;

pub use bitwuzla::Bitwuzla;
pub use connectives::{conjuncts, disjuncts};
pub use cross_check::CrossCheck;
pub use dump::Dump;
pub use evaluate::Evaluator;
pub use external::External;
pub use kripke_limits::Limits;
pub use op::{Op, Sort};
pub use portfolio::Portfolio;
pub use range::Range;
pub use rules::Rule;
pub use smtlib_print::script;
pub use solver::{SatResult, Solver, SolverChoice, SolverError};
pub use terms::{TermId, Terms};
pub use value::{ArrayValue, Value, apply};

/// Starts the chosen solver.
pub fn create_solver(choice: &SolverChoice) -> Result<Box<dyn Solver>, SolverError> {
    Ok(match choice {
        SolverChoice::Default => Box::new(Portfolio::default()),
        SolverChoice::Bitwuzla => Box::new(Bitwuzla::new()?),
        SolverChoice::External(command) => Box::new(External::new(command)?),
        SolverChoice::CrossCheck(first, second) => {
            Box::new(CrossCheck::new(create_solver(first)?, create_solver(second)?))
        }
        SolverChoice::Dump(inner, directory) => Box::new(Dump::new(create_solver(inner)?, directory)?),
    })
}

/// The solver that a choice names for many small questions that have most terms in common, beside another one
/// of the same choice.
///
/// # Errors
/// As [`create_solver`].
pub fn create_incremental_solver(choice: &SolverChoice) -> Result<Box<dyn Solver>, SolverError> {
    match choice {
        SolverChoice::Default => Ok(Box::new(Portfolio::incremental())),
        SolverChoice::Bitwuzla => Ok(Box::new(Bitwuzla::incremental()?)),
        SolverChoice::Dump(inner, directory) => {
            let beside = SolverChoice::Dump(inner.clone(), directory.join("feasibility"));
            create_solver(&beside)
        }
        other => create_solver(other),
    }
}

/// The embedded solver for many small questions, which tells of assumptions that have no model which of them
/// exclude each other ([`Solver::excluding`]). Only for what guides a search: it is the same one whatever
/// solver the user chooses.
///
/// # Errors
/// Where the embedded solver does not start.
pub fn create_solver_with_cores() -> Result<Box<dyn Solver>, SolverError> {
    Ok(Box::new(Bitwuzla::with_cores()?))
}
