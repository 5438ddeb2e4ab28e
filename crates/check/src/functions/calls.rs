//! Who calls whom by name.
//!
//! Idea: library models, and what checks contracts around a call, are looked through: where the program's
//! code calls `qsort`, whatever `qsort` calls is called too. A call through a pointer may lead anywhere, but
//! makes nobody a caller; so may what follows something that is not modelled.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{Callee, Function, FunctionId, Program, StatementKind};
use kripke_graph::reachable;

/// The calls of a program, by the names that its model gives to functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    by_name: BTreeMap<String, BTreeSet<String>>,
    /// Those that may call anything: through a pointer, or behind something that is not modelled.
    anything: BTreeSet<String>,
    sizes: BTreeMap<String, usize>,
}

impl Calls {
    /// The calls of a program that no pass has changed yet.
    pub fn of(program: &Program) -> Calls {
        let name_of = |function: &Function| function.name.clone();
        let mut calls = Calls::default();
        for function in program.functions.iter() {
            let name = name_of(function);
            let called = calls.by_name.entry(name.clone()).or_default();
            for callee in callees(function) {
                match callee {
                    Some(id) => called.extend(program.functions.get(id).map(name_of)),
                    None => {
                        calls.anything.insert(name.clone());
                    }
                }
            }
            calls.sizes.insert(name, function.locations.len());
        }
        calls
    }

    /// What a run that starts in a function may come to, that function included; none where that may
    /// be anything.
    pub fn reached_from(&self, name: &str) -> Option<BTreeSet<String>> {
        let named = self.named_from(name);
        named.is_disjoint(&self.anything).then_some(named)
    }

    /// What it comes to by calls of names alone.
    pub fn named_from(&self, name: &str) -> BTreeSet<String> {
        let reached = reachable([name], |name| self.called(name));
        reached.into_iter().map(str::to_owned).collect()
    }

    /// The functions that one calls, and what those call, but no further than to functions of the program.
    pub fn called_by(&self, name: &str, is_program: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let of_library = |name: &str| !is_program(name);
        let further = |name| self.called(name).filter(move |_| of_library(name));
        let reached = reachable(self.called(name), further);
        reached.into_iter().map(str::to_owned).collect()
    }

    /// Whom a function calls by name.
    fn called(&self, name: &str) -> impl Iterator<Item = &str> {
        self.by_name.get(name).into_iter().flatten().map(String::as_str)
    }

    /// How much code a run that starts there may come to by names.
    pub fn weight(&self, name: &str) -> usize {
        let reached = self.named_from(name);
        reached.iter().filter_map(|name| self.sizes.get(name)).sum()
    }
}

/// Each callee of a function; none for one that is not known.
fn callees(function: &Function) -> impl Iterator<Item = Option<FunctionId>> {
    function
        .statements()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Call { callee, .. } => Some(match callee {
                Callee::Direct(id) => Some(*id),
                Callee::Indirect(_) => None,
            }),
            // What follows it is not in the model.
            StatementKind::Unsupported { .. } => Some(None),
            _ => None,
        })
}
