//! Whether a value that is read from memory is used for anything.
//!
//! Idea: a value that only goes into variables which are overwritten, or are never looked at again, changes
//! nothing: whoever writes the memory meanwhile cannot be told. It is followed from the read on, along all
//! ways, until it is in a condition, an address, memory that others know, a call, or a result.
//!
//! Invariant: of a value of which [`is_used`] says no, nothing depends that the program does.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Function, FunctionId, LocationId, Statement, StatementKind, VariableId};

use crate::effects::Effects;
use crate::sites::{Place, mentions};

/// The variables that hold what depends on the value.
type Held = BTreeSet<VariableId>;

/// Is the value used that a statement reads? What copies memory uses it.
pub fn is_used(effects: &Effects<'_>, id: FunctionId, (location, way, number): Place) -> bool {
    let function = &effects.program.functions[id];
    let transition = &function.locations[location].transitions[way];
    let StatementKind::Load { target, .. } = &transition.statements[number].kind else {
        return true;
    };
    let mut held = Held::from([*target]);
    for statement in &transition.statements[number + 1..] {
        if step(statement, &mut held) {
            return true;
        }
    }
    flows(function, transition.target, held)
}

/// Is what some variables hold at a location used from there on?
fn flows(function: &Function, from: LocationId, held: Held) -> bool {
    let mut known: BTreeMap<LocationId, Held> = BTreeMap::new();
    let mut open = vec![(from, held)];
    while let Some((location, held)) = open.pop() {
        let before = known.entry(location).or_default();
        let is_new = !held.is_subset(before);
        before.extend(held);
        if !is_new {
            continue;
        }
        let held = before.clone();
        if location == function.exit && function.results.iter().any(|result| held.contains(result)) {
            return true;
        }
        for transition in &function.locations[location].transitions {
            let mut held = held.clone();
            if mentions(&transition.guard, &held) {
                return true;
            }
            if transition
                .statements
                .iter()
                .any(|statement| step(statement, &mut held))
            {
                return true;
            }
            open.push((transition.target, held));
        }
    }
    false
}

/// Does a statement use what the variables hold? If not, these are the ones that hold it afterwards.
fn step(statement: &Statement, held: &mut Held) -> bool {
    if let StatementKind::Assign { target, value } = &statement.kind {
        match mentions(value, held) {
            true => held.insert(*target),
            false => held.remove(target),
        };
        return false;
    }
    let mut used = false;
    statement.kind.each_expr(&mut |expr| used |= mentions(expr, held));
    for target in statement.kind.targets() {
        held.remove(target);
    }
    used
}
