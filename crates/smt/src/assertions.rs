//! What a solver was told, level by level.
//!
//! Idea: solvers that pass questions on to others (a process, an embedded solver that is started late, two at
//! once) have to know what was asserted, to tell it again or to check a model against it.
//!
//! Invariant: there is always a level; the first one cannot be taken away.

use crate::terms::TermId;

/// The assertions of a solver.
pub(crate) struct Assertions(Vec<Vec<TermId>>);

impl Assertions {
    /// Nothing asserted, on the first level.
    pub(crate) fn new() -> Self {
        Assertions(vec![Vec::new()])
    }

    /// Asserts a term on the last level.
    pub(crate) fn add(&mut self, term: TermId) {
        if let Some(level) = self.0.last_mut() {
            level.push(term);
        }
    }

    /// Opens a level.
    pub(crate) fn push(&mut self) {
        self.0.push(Vec::new());
    }

    /// Takes the last level away; false if it is the first.
    pub(crate) fn pop(&mut self) -> bool {
        let has_more = self.0.len() > 1;
        if has_more {
            self.0.pop();
        }
        has_more
    }

    /// Each level.
    pub(crate) fn levels(&self) -> &[Vec<TermId>] {
        &self.0
    }

    /// Everything asserted, and what is assumed for one query.
    pub(crate) fn with(&self, assumptions: &[TermId]) -> Vec<TermId> {
        self.0.iter().flatten().chain(assumptions).copied().collect()
    }
}
