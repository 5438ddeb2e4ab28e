//! The variables that a contract need not name: `static` ones in a function and in what it calls, and those
//! of the models of the C library.
//!
//! Idea: a variable is told by the function that its debug information names as its scope, or by the file
//! that declares it. What the functions do with its address says whether it may be written at all, and
//! whether also through pointers.
//!
//! Invariant: whatever may be written without a name has any value behind a call that is replaced.

use std::collections::BTreeSet;

use kripke_elts::{Expr, FunctionId, GlobalId, HIDDEN_MEMORY, InitialRest, Position, StatementKind};

use super::Translator;
use super::objects::each_statement;

/// What the front end calls where the program ends: no call returns after it, so what it writes is read by
/// nobody behind one.
const AT_THE_END: [&str; 2] = ["__kripke_at_exit", "__kripke_at_quick_exit"];

/// Those of one function with a contract.
#[derive(Debug, Default)]
pub(super) struct Private {
    all: BTreeSet<GlobalId>,
    /// Pointers may lead there.
    pub shared: Vec<GlobalId>,
    /// A call may change them.
    pub changed: Vec<GlobalId>,
}

impl Private {
    /// Does an address lie in one of them for sure?
    pub fn has(&self, address: &Expr) -> bool {
        root(address).is_some_and(|id| self.all.contains(&id))
    }
}

/// The variable whose address another one is computed from.
fn root(address: &Expr) -> Option<GlobalId> {
    match address {
        Expr::GlobalAddress(id) => Some(*id),
        Expr::PointerAdd(base, _) => root(base),
        _ => None,
    }
}

/// What code does with variables.
#[derive(Default)]
struct Uses {
    named: BTreeSet<GlobalId>,
    written: BTreeSet<GlobalId>,
    /// Their addresses are values.
    shared: BTreeSet<GlobalId>,
}

impl Uses {
    fn note(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Load { address, .. } => self.access(address, false),
            StatementKind::Store { address, value, .. } => {
                self.access(address, true);
                self.take(value);
            }
            StatementKind::CopyMemory {
                target,
                source,
                length,
                ..
            } => {
                self.access(target, true);
                self.access(source, false);
                self.take(length);
            }
            StatementKind::SetMemory {
                target,
                value,
                length,
                ..
            } => {
                self.access(target, true);
                self.take(value);
                self.take(length);
            }
            kind => kind.each_expr(&mut |expr| self.take(expr)),
        }
    }

    fn access(&mut self, address: &Expr, writes: bool) {
        match address {
            Expr::GlobalAddress(id) => {
                self.named.insert(*id);
                if writes {
                    self.written.insert(*id);
                }
            }
            Expr::PointerAdd(base, offset) => {
                self.access(base, writes);
                self.take(offset);
            }
            other => self.take(other),
        }
    }

    fn take(&mut self, expr: &Expr) {
        expr.each_global(&mut |id| {
            self.named.insert(id);
            self.shared.insert(id);
        });
    }
}

impl Translator<'_> {
    /// The variables that only these functions, or the models of the C library, know.
    pub(super) fn private_variables(&mut self, functions: &BTreeSet<FunctionId>) -> Private {
        let mut uses = Uses::default();
        let mut at_the_end = Uses::default();
        for function in functions.iter().map(|id| &self.functions[*id]) {
            let uses = match AT_THE_END.contains(&function.name.as_str()) {
                true => &mut at_the_end,
                false => &mut uses,
            };
            each_statement(function, |kind| uses.note(kind));
        }
        let names = self.names_of(functions);
        let mut private = Private::default();
        let mut open: Vec<GlobalId> = uses.named.union(&at_the_end.named).copied().collect();
        while let Some(id) = open.pop() {
            if self.is_private(id, &names) && private.all.insert(id) {
                // What its initial value points to.
                let mut behind = Vec::new();
                for cell in &self.globals[id].cells {
                    cell.value.each_global(&mut |id| behind.push(id));
                }
                uses.shared.extend(&behind);
                open.extend(behind);
            }
        }
        let of_these = |found: &BTreeSet<GlobalId>| private.all.intersection(found).copied().collect();
        private.shared = of_these(&uses.shared);
        private.changed = of_these(&uses.shared.union(&uses.written).copied().collect());
        private
    }

    /// The variables that functions name and that may change.
    pub(super) fn used_variables(&self, functions: &BTreeSet<FunctionId>) -> Vec<GlobalId> {
        let mut uses = Uses::default();
        for function in functions {
            each_statement(&self.functions[*function], |kind| uses.note(kind));
        }
        let may_change = |id: &GlobalId| {
            let global = &self.globals[*id];
            !global.constant && !global.name.starts_with(HIDDEN_MEMORY)
        };
        uses.named.into_iter().filter(may_change).collect()
    }

    fn is_private(&self, id: GlobalId, functions: &BTreeSet<(usize, String)>) -> bool {
        let global = &self.globals[id];
        let is_static = self
            .static_locals
            .get(&id)
            .is_some_and(|of| functions.contains(of));
        let is_written = !global.constant && global.rest == InitialRest::Zero;
        is_written && (is_static || self.is_in_model(global.position))
    }

    /// The modules and C names of functions.
    fn names_of(&mut self, functions: &BTreeSet<FunctionId>) -> BTreeSet<(usize, String)> {
        let modules = self.modules;
        let mut names = BTreeSet::new();
        for (&(module, index), id) in &self.function_ids {
            if functions.contains(id) {
                let ir = &modules[module].functions[index];
                let debug = self.debug[module].function(ir.debug, &mut self.tables);
                names.insert((
                    module,
                    debug.map_or_else(|| ir.name.to_string(), |debug| debug.name),
                ));
            }
        }
        names
    }

    fn is_in_model(&self, position: Position) -> bool {
        position.line > 0
            && self
                .tables
                .files
                .get(position.file)
                .is_some_and(|file| file.is_library_model)
    }
}
