//! The loops of a program by the names that `--unwindset` takes: `FUNCTION.N` and `FILE:LINE`.

use std::collections::BTreeSet;

use kripke_elts::{FunctionId, Program, Statement, StatementKind};
use kripke_model::PropertyKind;

use kripke_elts::interrupts::plain_name;

use crate::graph::{Graph, Graphs};

/// A loop as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopName {
    /// `FUNCTION.N`; N counts the function's loops from 1.
    pub name: String,
    /// The file of its head.
    pub file: String,
    /// The line of its head; 0 when unknown.
    pub line: u32,
}

impl LoopName {
    /// Does the name, of either form, mean this loop?
    pub fn is_named(&self, name: &str) -> bool {
        name == self.name || is_place(name, &self.file, self.line)
    }
}

/// Every loop of the program, by function.
pub fn loops(program: &Program) -> Vec<LoopName> {
    let mut names = Vec::new();
    for function in program.functions.iter() {
        for found in Graph::new(function).loops {
            let position = function.locations[found.head].position;
            names.push(LoopName {
                name: format!("{}.{}", plain_name(&function.name), found.number),
                file: program
                    .files
                    .get(position.file)
                    .map_or_else(String::new, |file| file.path.clone()),
                line: position.line,
            });
        }
    }
    names
}

/// The loops for which the user gives invariants, and those around them.
pub(crate) fn with_invariants(program: &Program, graphs: &mut Graphs) -> BTreeSet<(FunctionId, u32)> {
    let is_invariant = |statement: &Statement| match &statement.kind {
        StatementKind::Assert { property, .. } => {
            program.properties[*property].kind == PropertyKind::LoopInvariant
        }
        _ => false,
    };
    let mut loops = BTreeSet::new();
    let kinds = program.properties.iter().map(|site| site.kind);
    if !{ kinds }.any(|kind| kind == PropertyKind::LoopInvariant) {
        return loops;
    }
    for (id, function) in program.functions.enumerate() {
        for (place, location) in function.locations.enumerate() {
            let mut statements = location.transitions.iter().flat_map(|way| &way.statements);
            if statements.any(is_invariant) {
                let chain = graphs.get(program, id).chain(place).to_vec();
                loops.extend(chain.into_iter().map(|of| (id, of)));
            }
        }
    }
    loops
}

/// Is `name` `FILE:LINE` for that line of the file at `path`, of which it may give only the end?
pub(crate) fn is_place(name: &str, path: &str, line: u32) -> bool {
    name.rsplit_once(':').is_some_and(|(file, number)| {
        number.parse() == Ok(line)
            && (path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/')))
    })
}
