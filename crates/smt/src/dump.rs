//! Writes every query of a solver to a file of its own, as an SMT-LIB 2 script.

use std::path::{Path, PathBuf};

use kripke_limits::Limits;

use crate::assertions::Assertions;
use crate::smtlib_print::script;
use crate::solver::{SatResult, Solver, SolverError};
use crate::terms::{TermId, Terms};
use crate::value::Value;

/// A solver whose questions are recorded before they are asked.
pub struct Dump {
    inner: Box<dyn Solver>,
    directory: PathBuf,
    queries: u32,
    assertions: Assertions,
}

impl Dump {
    /// Records in a directory, which is made when it is missing.
    pub fn new(inner: Box<dyn Solver>, directory: &Path) -> Result<Self, SolverError> {
        std::fs::create_dir_all(directory).map_err(|error| SolverError {
            solver: "dump".to_owned(),
            message: format!(
                "cannot make {}: {error}; choose another directory",
                directory.display()
            ),
        })?;
        Ok(Dump {
            inner,
            directory: directory.to_owned(),
            queries: 0,
            assertions: Assertions::new(),
        })
    }

    fn write(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<PathBuf, SolverError> {
        self.queries += 1;
        let path = self.directory.join(format!("query-{:04}.smt2", self.queries));
        let all = self.assertions.with(assumptions);
        std::fs::write(&path, script(terms, &all)).map_err(|error| SolverError {
            solver: "dump".to_owned(),
            message: format!("cannot write {}: {error}", path.display()),
        })?;
        Ok(path)
    }
}

impl Solver for Dump {
    fn assert(&mut self, terms: &Terms, term: TermId) -> Result<(), SolverError> {
        self.assertions.add(term);
        self.inner.assert(terms, term)
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.assertions.push();
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.assertions.pop();
        self.inner.pop()
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<SatResult, SolverError> {
        self.write(terms, assumptions)?;
        self.inner.check(terms, assumptions, limits)
    }

    fn variable_value(&mut self, terms: &Terms, variable: TermId) -> Result<Value, SolverError> {
        self.inner.variable_value(terms, variable)
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}
