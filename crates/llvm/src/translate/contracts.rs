//! Functions with contracts: who is called instead of them, and what becomes of their clauses.
//!
//! Idea: the function that checks a contract calls the function itself, everybody else calls that one
//! (`crates/llvm/src/contracts/functions.rs` writes it). Preconditions are asserted; where a run begins in
//! the function they are assumed, which is listed: for that the function is translated once more.

use kripke_elts::{Expr, FunctionId, StatementKind};
use kripke_model::PropertyKind;
use rustc_hash::FxHashMap;

use crate::contracts::functions::wrapped;
use crate::ir::Module;

use super::calls::CallSite;
use super::function::FunctionTranslator;
use super::{Step, Translator, empty_function};

/// The functions that check contracts. All functions are a module and a position in it.
#[derive(Debug, Default)]
pub struct Contracts {
    checked: FxHashMap<(usize, usize), usize>,
    /// Where a run begins.
    entry: Option<FunctionId>,
    /// Of which function each of them checks the contract.
    wrapped: FxHashMap<(usize, usize), usize>,
    /// The function that is itself called from what is translated now.
    inside: Option<(usize, usize)>,
}

impl Contracts {
    pub fn new(modules: &[Module]) -> Contracts {
        let mut contracts = Contracts::default();
        for (number, module) in modules
            .iter()
            .enumerate()
            .filter(|(_, module)| !module.is_library_model)
        {
            for (index, function) in module.functions.iter().enumerate() {
                let Some(name) = wrapped(&function.name).filter(|_| !function.blocks.is_empty()) else {
                    continue;
                };
                let mut all = module.functions.iter();
                let Some(own) = all.position(|other| *other.name == *name && !other.blocks.is_empty()) else {
                    continue;
                };
                contracts.wrapped.insert((number, index), own);
                contracts.checked.insert((number, own), index);
            }
        }
        contracts
    }

    /// Does the function check the contract of another?
    pub fn is_check(&self, module: usize, index: usize) -> bool {
        self.wrapped.contains_key(&(module, index))
    }

    /// The translation of a function begins.
    pub fn enter(&mut self, module: usize, index: usize) {
        let own = self.wrapped.get(&(module, index));
        self.inside = own.map(|own| (module, *own));
    }

    /// Whose address a function has.
    pub fn named(&self, module: usize, index: usize) -> usize {
        self.checked.get(&(module, index)).copied().unwrap_or(index)
    }

    /// Who is called where a function is named.
    pub fn called(&self, module: usize, index: usize) -> usize {
        match self.inside == Some((module, index)) {
            true => index,
            false => self.named(module, index),
        }
    }
}

impl Translator<'_> {
    /// Where a run begins that begins in a function.
    pub fn entry_id(&mut self, module: usize, index: usize) -> FunctionId {
        let own = self.own_function_id(module, index);
        let Some(&check) = self.contracts.checked.get(&(module, index)) else {
            return own;
        };
        let name = format!("{}.entry", self.functions[own].name);
        let name = self.function_names.fresh(&name);
        let position = self.functions[own].position;
        let id = self.functions.push(empty_function(name, position));
        self.pending_functions.push_back((id, module, check));
        self.contracts.entry = Some(id);
        id
    }
}

/// The name of a function in reports.
pub fn shown_name(name: &str) -> String {
    wrapped(name).map_or_else(|| name.to_owned(), |own| format!("{own}.contract"))
}

impl FunctionTranslator<'_, '_> {
    /// Runs in which a condition has no end come to nothing behind it: lists that there are none, where a
    /// loop or recursion in a condition could be such.
    pub fn rely_on_the_end_of_conditions(&mut self) {
        let name = &self.function.name;
        if self.unit.modules[self.module].unbounded_conditions.contains(name) {
            let name = wrapped(name).unwrap_or(name);
            let text = format!("evaluating the contracts and invariants of `{name}` comes to an end");
            self.unit.assumptions.insert(text);
        }
    }

    /// Asserts or assumes a clause of the contract of the function that this one wraps.
    pub fn check_contract(&mut self, name: &str, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let condition = self.truth(site, 0)?;
        self.rely_on_the_end_of_conditions();
        let Some((module, own)) = self.unit.contracts.inside else {
            return super::unsupported("a clause outside of a contract");
        };
        let function = self.unit.own_function_id(module, own);
        if name == "requires" && self.unit.contracts.entry == Some(self.id) {
            let name = &self.unit.functions[function].name;
            let text = format!("`{name}` is called as its contract requires");
            self.unit.assumptions.insert(text);
            self.builder.emit(StatementKind::Assume { condition });
            return Ok(Vec::new());
        }
        let kind = match name {
            "ensures" => PropertyKind::Postcondition,
            _ => PropertyKind::Precondition,
        };
        let text = self
            .text_argument(site, 1)
            .unwrap_or_else(|| kind.name().to_owned());
        if self.unit.checks(kind) && super::expressions::as_boolean(&condition) != Some(true) {
            let position = self.builder.position;
            let property = self.unit.properties.add(function, kind, position, text);
            self.builder.emit(StatementKind::Assert { condition, property });
        }
        Ok(Vec::new())
    }
}
