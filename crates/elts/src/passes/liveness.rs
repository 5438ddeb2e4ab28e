//! Which variables may still be read: a backward analysis.
//!
//! [`needed_variables`] is the sharper one: what only an assignment reads that is itself not needed
//! does not count, so that a counter which only counts is not needed.

use crate::ids::{Id, IdVec, LocationId, VariableId};
use crate::program::{Function, StatementKind};

/// A set of variables of one function.
#[derive(Clone, PartialEq, Eq)]
pub struct LiveSet(Vec<u64>);

impl LiveSet {
    fn new(variables: usize) -> Self {
        LiveSet(vec![0; variables.div_ceil(64)])
    }

    /// Is the variable in it?
    pub fn contains(&self, variable: VariableId) -> bool {
        self.0[variable.index() / 64] >> (variable.index() % 64) & 1 == 1
    }

    /// Adds a variable.
    pub fn insert(&mut self, variable: VariableId) {
        self.0[variable.index() / 64] |= 1 << (variable.index() % 64);
    }

    fn remove(&mut self, variable: VariableId) {
        self.0[variable.index() / 64] &= !(1 << (variable.index() % 64));
    }

    fn unite(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            changed |= *word | other != *word;
            *word |= other;
        }
        changed
    }

    /// The same, where an assignment to a removable variable that is not needed needs nothing.
    pub fn step_back_needed(&mut self, kind: &StatementKind, removable: &impl Fn(VariableId) -> bool) {
        match kind {
            StatementKind::Assign { target, .. } if removable(*target) && !self.contains(*target) => {}
            _ => self.step_back(kind),
        }
    }

    /// From after a statement to before it.
    pub fn step_back(&mut self, kind: &StatementKind) {
        kind.targets().iter().for_each(|&target| self.remove(target));
        kind.each_read(&mut |variable| self.insert(variable));
    }
}

/// For each location, what may be read from there on.
pub fn live_variables(function: &Function) -> IdVec<LocationId, LiveSet> {
    needed_variables(function, &|_| false)
}

/// For each location, what is needed from there on, where assignments to removable variables count only as
/// far as these are needed.
pub fn needed_variables(
    function: &Function,
    removable: &impl Fn(VariableId) -> bool,
) -> IdVec<LocationId, LiveSet> {
    let empty = LiveSet::new(function.variables.len());
    let mut live = IdVec::from(vec![empty; function.locations.len()]);
    if function.locations.is_empty() {
        return live;
    }
    function
        .results
        .iter()
        .for_each(|&result| live[function.exit].insert(result));
    let mut order = function.reverse_postorder();
    order.reverse();
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &order {
            for transition in &function.locations[id].transitions {
                let mut before = live[transition.target].clone();
                transition
                    .statements
                    .iter()
                    .rev()
                    .for_each(|statement| before.step_back_needed(&statement.kind, removable));
                transition
                    .guard
                    .each_variable(&mut |variable| before.insert(variable));
                changed |= live[id].unite(&before);
            }
        }
    }
    live
}
