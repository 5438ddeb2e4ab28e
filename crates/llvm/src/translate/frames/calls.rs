//! Who may call whom, before contracts replace any call.
//!
//! Invariant: a call through a pointer may come to every function whose address is taken anywhere.

use std::collections::BTreeSet;

use kripke_elts::{Callee, Expr, FunctionId, Id, StatementKind};
use kripke_graph::reachable;

use super::Translator;
use super::objects::each_statement;

/// Who may call whom.
pub(super) struct Calls {
    called: Vec<BTreeSet<FunctionId>>,
}

impl Calls {
    pub(super) fn of(unit: &Translator<'_>) -> Calls {
        let mut taken = BTreeSet::new();
        let mut note = |expr: &Expr| {
            expr.each_function(&mut |id| {
                taken.insert(id);
            })
        };
        for function in unit.functions.iter() {
            each_statement(function, |kind| kind.each_expr(&mut note));
        }
        for cell in unit.globals.iter().flat_map(|global| &global.cells) {
            note(&cell.value);
        }
        let called = unit.functions.iter().map(|function| {
            let mut called = BTreeSet::new();
            each_statement(function, |kind| match kind {
                StatementKind::Call {
                    callee: Callee::Direct(id),
                    ..
                } => {
                    called.insert(*id);
                }
                StatementKind::Call { .. } => called.extend(&taken),
                _ => {}
            });
            called
        });
        Calls {
            called: called.collect(),
        }
    }

    /// What a function may come to, itself included.
    pub(super) fn reached_from(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        reachable([function], |id| self.called[id.index()].iter().copied())
    }

    pub(super) fn behind(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let called = self.called[function.index()].iter().copied();
        reachable(called, |id| self.called[id.index()].iter().copied())
    }

    pub(super) fn recursive(&self) -> BTreeSet<FunctionId> {
        let all = (0..self.called.len()).map(FunctionId::new);
        all.filter(|id| self.behind(*id).contains(id)).collect()
    }
}
