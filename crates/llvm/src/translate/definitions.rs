//! The functions that a program defines, each of which a run can start in.
//!
//! Idea: several units may have a static function of one name. Such a function is named with its unit
//! (`uart.c:init`), as `--entry` takes it; the model calls it `init.2`. So is one of a header: each unit that
//! includes it has a function of its own, which macros may make another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Error;
use crate::ir::{Function, Linkage, Module, Type};

use super::calls::global_name;
use super::symbols::{Symbol, SymbolKind};
use super::{TranslateOptions, Translator};

/// A function with a body in the user's sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedFunction {
    /// What `--entry` calls it.
    pub entry: String,
    /// What it is called in the model, which places and ids of properties show.
    pub name: String,
    /// The file it is in, as the compiler names it; empty where there is no debug information.
    pub file: String,
    /// The line of its name, from 1; 0 where it is unknown.
    pub line: u32,
    /// Other units can call it by its name.
    pub is_exported: bool,
    /// Its address is used other than for a call, or it has another name: somebody who is not known may call
    /// it.
    pub has_address_taken: bool,
    /// What it takes.
    pub parameters: Parameters,
    /// It takes variable arguments too.
    pub is_variadic: bool,
    /// It has a contract.
    pub has_contract: bool,
    /// The unit that it is in, as the compiler names it.
    pub unit: String,
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameters {
    /// Nothing.
    None,
    /// Numbers, and records that are passed by value.
    Values,
    /// Pointers too.
    Pointers,
}

/// The functions of linked modules, in the order of the modules and of the text.
pub fn defined_functions(modules: &[Module]) -> Result<Vec<DefinedFunction>, Error> {
    let options = TranslateOptions::default();
    let mut translator = Translator::new(modules, &options)?;
    translator.queue_user_code();
    let mut found: Vec<DefinedFunction> = Vec::new();
    let mut units: Vec<String> = Vec::new();
    let aliases = modules.iter().flat_map(|module| &module.aliases);
    let aliased: BTreeSet<&str> = aliases.filter_map(|alias| global_name(&alias.target)).collect();
    for (id, module, index) in std::mem::take(&mut translator.pending_functions) {
        let ir = &modules[module].functions[index];
        let position = translator.functions[id].position;
        let function = DefinedFunction {
            entry: ir.name.to_string(),
            name: translator.functions[id].name.clone(),
            file: match position.line {
                0 => String::new(),
                _ => translator.tables.files[position.file].path.clone(),
            },
            line: position.line,
            is_exported: !matches!(ir.linkage, Linkage::Internal | Linkage::Private),
            has_address_taken: aliased.contains(&*ir.name) || translator.is_address_taken(&ir.name),
            parameters: parameters(ir),
            is_variadic: ir.variadic,
            has_contract: translator.contracts.has(module, index),
            unit: modules[module].source_filename.clone(),
        };
        units.push(modules[module].source_filename.clone());
        found.push(function);
    }
    tell_apart(&mut found, &units);
    Ok(found)
}

/// Names functions with their units where the name alone means another: by the names of their files, or
/// where these are the same too by their paths.
fn tell_apart(functions: &mut [DefinedFunction], units: &[String]) {
    let names: Vec<String> = functions.iter().map(|function| function.entry.clone()).collect();
    let file_name = |path: &String| match Path::new(path).file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.clone(),
    };
    for prefix in [&file_name as &dyn Fn(&String) -> String, &String::clone] {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for function in functions.iter() {
            *count.entry(function.entry.clone()).or_default() += 1;
        }
        for ((function, unit), name) in functions.iter_mut().zip(units).zip(&names) {
            if count[&function.entry] > 1 {
                function.entry = format!("{}:{name}", prefix(unit));
            }
        }
    }
}

fn parameters(function: &Function) -> Parameters {
    let mut most = Parameters::None;
    for parameter in function
        .parameters
        .iter()
        .filter(|parameter| parameter.sret.is_none())
    {
        let is_pointer = matches!(parameter.ty, Type::Pointer(_)) && parameter.byval.is_none();
        most = most.max(match is_pointer {
            true => Parameters::Pointers,
            false => Parameters::Values,
        });
    }
    most
}

impl Translator<'_> {
    /// The function of a name in a unit, which is given by the path of its source or the end of it.
    pub(super) fn function_of_unit(&self, unit: &str, name: &str) -> Option<Symbol> {
        let units = self
            .modules
            .iter()
            .enumerate()
            .filter(|(_, ir)| !ir.is_library_model);
        let mut named = units.filter(|(_, ir)| Path::new(&ir.source_filename).ends_with(unit));
        named.find_map(|(module, ir)| {
            let mut functions = ir.functions.iter();
            let index =
                functions.position(|function| &*function.name == name && !function.blocks.is_empty())?;
            let kind = SymbolKind::Function(index);
            Some(Symbol { module, kind })
        })
    }
}
