//! The accesses of a program to what handlers share with it, one by one.
//!
//! Idea: what asks for an access between others needs to know, before a function is written, which accesses
//! there are at which priority, and which of them may meet. So they are all listed first, by their places in
//! the functions as they were.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{
    Expr, Function, FunctionId, LocationId, Position, Program, Statement, StatementKind, VariableId,
};

use crate::Known;
use crate::effects::{Access, Effects};

/// Where a statement is: its location, the transition and the number in it.
pub type Place = (LocationId, usize, usize);

/// A statement of a function that runs at a priority.
pub type Key = (usize, FunctionId, Place);

/// A statement that accesses memory which may be shared.
pub struct Site<'p> {
    pub level: usize,
    pub function: FunctionId,
    pub place: Place,
    pub statement: &'p Statement,
    pub accesses: Vec<Access>,
}

impl Site<'_> {
    pub fn key(&self) -> Key {
        (self.level, self.function, self.place)
    }

    pub fn position(&self) -> Position {
        self.statement.position
    }
}

/// All sites, by priority.
pub fn sites<'p>(effects: &Effects<'p>, handlers: &[Known]) -> Vec<Site<'p>> {
    let mut roots: BTreeMap<usize, Vec<FunctionId>> = BTreeMap::new();
    roots.insert(0, vec![effects.program.entry]);
    for handler in handlers {
        roots.entry(handler.level).or_default().push(handler.function);
    }
    let mut found = Vec::new();
    for (level, roots) in roots {
        for function in effects.closure(&roots) {
            add_sites(effects, level, function, &mut found);
        }
    }
    found
}

fn add_sites<'p>(effects: &Effects<'p>, level: usize, function: FunctionId, found: &mut Vec<Site<'p>>) {
    let program: &'p Program = effects.program;
    for (location, code) in program.functions[function].locations.enumerate() {
        for (way, transition) in code.transitions.iter().enumerate() {
            for (number, statement) in transition.statements.iter().enumerate() {
                let all = effects.accesses_of(function, &statement.kind);
                let accesses: Vec<Access> = all.into_iter().filter(Access::is_shared).collect();
                if !accesses.is_empty() && is_access(&statement.kind) {
                    found.push(Site {
                        level,
                        function,
                        place: (location, way, number),
                        statement,
                        accesses,
                    });
                }
            }
        }
    }
}

/// What ends an object is no access: one to an object that is dead is found as such.
fn is_access(kind: &StatementKind) -> bool {
    use StatementKind as K;
    matches!(
        kind,
        K::Load { .. } | K::Store { .. } | K::CopyMemory { .. } | K::SetMemory { .. } | K::Output { .. }
    )
}

/// The store that ends the write of a bit-field which begins with a read of what is beside it.
pub fn store_of_bit_field<'p>(program: &'p Program, site: &Site<'p>) -> Option<Place> {
    let StatementKind::Load { target, address, .. } = &site.statement.kind else {
        return None;
    };
    let function = &program.functions[site.function];
    if !is_of_bit_field(function, *target) {
        return None;
    }
    let (location, way, number) = site.place;
    let statements = &function.locations[location].transitions[way].statements;
    let mut held = BTreeSet::from([*target]);
    for (number, later) in statements.iter().enumerate().skip(number + 1) {
        match &later.kind {
            StatementKind::Assign { target, value } if mentions(value, &held) => {
                held.insert(*target);
            }
            StatementKind::Store {
                address: written,
                value,
                ..
            } if written == address && mentions(value, &held) => return Some((location, way, number)),
            // That is the one which is kept: the first one reads the bit-field itself, as `x++` does.
            StatementKind::Load {
                target,
                address: read,
                ..
            } if read == address && is_of_bit_field(function, *target) => return None,
            _ => {}
        }
    }
    None
}

/// Is it what clang calls the value of the unit in which a bit-field is?
fn is_of_bit_field(function: &Function, variable: VariableId) -> bool {
    function.variables[variable].name.starts_with("bf.load")
}

/// Does an expression depend on one of some variables?
pub fn mentions(value: &Expr, variables: &BTreeSet<VariableId>) -> bool {
    let mut found = false;
    value.each_variable(&mut |variable| found |= variables.contains(&variable));
    found
}
