//! Functions with contracts: who is called instead of them, and what becomes of their clauses.
//!
//! Idea: the function that checks a contract calls the function itself, everybody else calls that one
//! (`crates/llvm/src/contracts/functions.rs` writes it). Preconditions are asserted; where a run begins in
//! the function they are assumed, which is listed: for that the function is translated once more.

use std::path::Path;

use kripke_elts::{AT_START, BinaryOp as Op, Expr, FunctionId, StatementKind, Type as Scalar};
use kripke_model::PropertyKind;
use rustc_hash::FxHashMap;

use crate::contracts::functions::wrapped;
use crate::ir::Module;

use super::calls::CallSite;
use super::expressions::{binary, int, pointer_add};
use super::frames::{Frame, Target};
use super::function::FunctionTranslator;
use super::{Step, Translator, empty_function};

/// The functions whose calls are replaced by their contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Replaced {
    /// None.
    #[default]
    None,
    /// All that have one.
    All,
    /// Those of these names: `NAME`, or `FILE:NAME`.
    Named(Vec<String>),
}

impl Replaced {
    /// What a user names: `all`, or functions.
    pub fn from_names(names: &[String]) -> Replaced {
        match names {
            [] => Replaced::None,
            names if names.iter().any(|name| name == "all") => Replaced::All,
            names => Replaced::Named(names.to_vec()),
        }
    }

    /// Is a function of a unit among them?
    pub fn contains(&self, unit: &str, function: &str) -> bool {
        let is_it = |wanted: &String| match wanted.rsplit_once(':') {
            Some((file, name)) => name == function && Path::new(unit).ends_with(file),
            None => wanted == function,
        };
        match self {
            Replaced::None => false,
            Replaced::All => true,
            Replaced::Named(names) => names.iter().any(is_it),
        }
    }
}

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
    /// What they say of what is assigned, in the order of their translation.
    frames: Vec<Frame>,
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

    /// What contracts say of what functions assign.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Has a function a contract?
    pub fn has(&self, module: usize, index: usize) -> bool {
        self.checked.contains_key(&(module, index))
    }

    /// The frame of the function that is translated now.
    fn frame(&self, id: FunctionId) -> Option<&Frame> {
        self.frames.last().filter(|frame| frame.wrapper == id)
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
    /// The translation of a function begins.
    pub fn enter_function(&mut self, id: FunctionId, module: usize, index: usize) {
        let own = self.contracts.wrapped.get(&(module, index)).copied();
        self.contracts.inside = own.map(|own| (module, own));
        let Some(own) = own else { return };
        let ir = &self.modules[module];
        let function = &ir.functions[own];
        let types = self.types(module);
        let result = function
            .parameters
            .iter()
            .position(|parameter| parameter.sret.is_some());
        let result = result.and_then(|at| {
            let size = types.alloc_size(function.parameters[at].sret.as_ref()?);
            Some((at, size))
        });
        let is_selected = self
            .options
            .replaced
            .contains(&ir.source_filename, &function.name);
        let frame = Frame {
            wrapper: id,
            own: self.own_function_id(module, own),
            source: (module, own),
            is_given: false,
            targets: Vec::new(),
            is_selected,
            is_replaced: is_selected && self.contracts.entry != Some(id),
            result,
            returns: !function
                .attributes
                .iter()
                .any(|attribute| &**attribute == "noreturn"),
        };
        self.contracts.frames.push(frame);
    }

    /// Where a run begins that begins in a function.
    pub fn entry_id(&mut self, module: usize, index: usize) -> FunctionId {
        let own = self.own_function_id(module, index);
        let Some(&check) = self.contracts.checked.get(&(module, index)) else {
            return own;
        };
        let name = format!("{}{AT_START}", self.functions[own].name);
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
        let is_replaced = self
            .unit
            .contracts
            .frame(self.id)
            .is_some_and(|frame| frame.is_replaced);
        if name == "ensures" && is_replaced {
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
            let condition = condition.clone();
            self.builder.emit(StatementKind::Assert { condition, property });
        }
        if is_replaced {
            if !self.unit.checks(kind) {
                let name = &self.unit.functions[function].name;
                let text = format!("`{name}` is called as its contract requires");
                self.unit.assumptions.insert(text);
            }
            // What it does else nobody has checked.
            self.builder.emit(StatementKind::Assume { condition });
        }
        Ok(Vec::new())
    }

    /// Notes that a call in a contract's function does not return, if it is that of the function itself.
    pub fn note_no_return(&mut self, called: FunctionId) {
        let frames = &mut self.unit.contracts.frames;
        let own = frames
            .last_mut()
            .filter(|frame| frame.wrapper == self.id && frame.own == called);
        if let Some(frame) = own {
            frame.returns = false;
        }
    }

    /// Notes a place that the function with the contract assigns.
    pub fn note_assigned(&mut self, name: &str, site: &CallSite<'_>) -> Step<Vec<Expr>> {
        let width = self.types.pointer_bits();
        let given = site.argument(0)?;
        let given = self.builder.hold_always("assigned", Scalar::Pointer, given);
        let size = self.size_argument(site, 1)?;
        let offset = || Expr::PointerOffset(Box::new(given.clone()));
        let whole = || Expr::ObjectSize(Box::new(given.clone()));
        let (start, size) = match name {
            "assigns" => (given.clone(), size),
            "assigns_whole" => {
                let back = binary(Op::Sub, int(width, 0), offset());
                (pointer_add(given.clone(), back), whole())
            }
            _ => (given.clone(), binary(Op::Sub, whole(), offset())),
        };
        let start = self.builder.hold("assigned", Scalar::Pointer, start);
        let size = self.builder.hold("assigned", Scalar::Int(width), size);
        let position = self.builder.position;
        let frames = &mut self.unit.contracts.frames;
        let Some(frame) = frames.last_mut().filter(|frame| frame.wrapper == self.id) else {
            return super::unsupported("a clause outside of a contract");
        };
        frame.is_given = true;
        let is_place = name != "assigns" || super::expressions::as_unsigned(&size) != Some(0);
        frame.targets.extend(is_place.then_some(Target {
            start,
            size,
            position,
        }));
        Ok(Vec::new())
    }
}
