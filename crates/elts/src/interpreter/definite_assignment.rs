//! Which reads of locals may come before any assignment: only those pay for a check when the
//! program runs.
//!
//! A forward must-analysis: a variable is definitely assigned at a location if it is on every path
//! that leads there.

use crate::ids::{Id, IdVec, LocationId, VariableId};
use crate::program::{Function, VariableKind};

/// A set of variables of one function.
#[derive(Clone, PartialEq, Eq)]
pub struct VariableSet(Vec<u64>);

impl VariableSet {
    pub fn contains(&self, variable: VariableId) -> bool {
        self.0[variable.index() / 64] >> (variable.index() % 64) & 1 == 1
    }

    pub fn insert(&mut self, variable: VariableId) {
        self.0[variable.index() / 64] |= 1 << (variable.index() % 64);
    }

    fn intersect(&mut self, other: &Self) -> bool {
        let before = self.0.clone();
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(word, other)| *word &= other);
        self.0 != before
    }
}

/// For each location, the variables that are assigned whenever it is entered.
pub fn definitely_assigned(function: &Function) -> IdVec<LocationId, VariableSet> {
    let words = function.variables.len().div_ceil(64);
    let mut entry = VariableSet(vec![0; words]);
    for (id, variable) in function.variables.enumerate() {
        if variable.kind == VariableKind::Parameter {
            entry.insert(id);
        }
    }
    let mut assigned = IdVec::from(vec![VariableSet(vec![u64::MAX; words]); function.locations.len()]);
    if function.locations.is_empty() {
        return assigned;
    }
    assigned[function.entry] = entry;
    let order = function.reverse_postorder();
    let mut changed = true;
    while changed {
        changed = false;
        for &location in &order {
            for transition in &function.locations[location].transitions {
                let mut after = assigned[location].clone();
                for statement in &transition.statements {
                    statement
                        .kind
                        .targets()
                        .iter()
                        .for_each(|&target| after.insert(target));
                }
                changed |= assigned[transition.target].intersect(&after);
            }
        }
    }
    assigned
}
