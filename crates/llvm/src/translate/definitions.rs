//! The functions that a program defines, each of which a run can start in.
//!
//! Idea: several files may have a static function of one name. Such a function is named with its file
//! (`uart.c:init`), as `--entry` takes it; the model calls it `init.2`.
//!
//! Invariant: a function of a header that several units include is one function, that of the first of them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Error;
use crate::ir::{Function, Linkage, Module, Type};

use super::symbols::{Symbol, SymbolKind};
use super::{TranslateOptions, Translator};

/// A function with a body in the user's sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedFunction {
    /// What `--entry` calls it.
    pub entry: String,
    /// What it is called in the model, which places and ids of properties show.
    pub name: String,
    /// What the model calls the same function of a header in other units.
    pub copies: Vec<String>,
    /// The file it is in, as the compiler names it; empty where there is no debug information.
    pub file: String,
    /// The line of its name, from 1; 0 where it is unknown.
    pub line: u32,
    /// Other units can call it by its name.
    pub is_exported: bool,
    /// What it takes.
    pub parameters: Parameters,
    /// It takes variable arguments too.
    pub is_variadic: bool,
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
    for (id, module, index) in std::mem::take(&mut translator.pending_functions) {
        let ir = &modules[module].functions[index];
        let model = &translator.functions[id];
        let position = model.position;
        let function = DefinedFunction {
            entry: ir.name.to_string(),
            name: model.name.clone(),
            copies: Vec::new(),
            file: match position.line {
                0 => String::new(),
                _ => translator.tables.files[position.file].path.clone(),
            },
            line: position.line,
            is_exported: !matches!(ir.linkage, Linkage::Internal | Linkage::Private),
            parameters: parameters(ir),
            is_variadic: ir.variadic,
        };
        let place = (&function.file, function.line);
        let original = found.iter_mut().find(|other| {
            function.line > 0 && other.entry == function.entry && (&other.file, other.line) == place
        });
        match original {
            Some(original) => original.copies.push(function.name),
            None => found.push(function),
        }
    }
    tell_apart(&mut found);
    Ok(found)
}

/// Names functions with their file where the name alone means another.
fn tell_apart(functions: &mut [DefinedFunction]) {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for function in functions.iter() {
        *count.entry(function.entry.clone()).or_default() += 1;
    }
    for function in functions.iter_mut() {
        if count[&function.entry] > 1 && !function.file.is_empty() {
            let file = Path::new(&function.file)
                .file_name()
                .map(|name| name.to_string_lossy());
            let file = file.unwrap_or_default();
            function.entry = format!("{file}:{}", function.entry);
        }
    }
    // Files of one name in several folders.
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for function in functions.iter() {
        *count.entry(function.entry.clone()).or_default() += 1;
    }
    for function in functions.iter_mut().filter(|function| count[&function.entry] > 1) {
        if let Some((_, name)) = function.entry.rsplit_once(':') {
            function.entry = format!("{}:{name}", function.file);
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
    /// The function of a name in a file, which is given by its path or the end of it.
    pub(super) fn function_of_file(&mut self, file: &str, name: &str) -> Option<Symbol> {
        for (module, ir) in self.modules.iter().enumerate() {
            let found = ir.functions.iter().position(|function| &*function.name == name);
            let Some(index) = found.filter(|index| !ir.functions[*index].blocks.is_empty()) else {
                continue;
            };
            let debug = self.debug[module].function(ir.functions[index].debug, &mut self.tables);
            let path = match debug {
                Some(debug) => self.tables.files[debug.position.file].path.clone(),
                None => ir.source_filename.clone(),
            };
            if Path::new(&path).ends_with(file) && !ir.is_library_model {
                let kind = SymbolKind::Function(index);
                return Some(Symbol { module, kind });
            }
        }
        None
    }
}
