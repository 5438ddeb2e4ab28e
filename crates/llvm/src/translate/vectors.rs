//! Tables of vectors.
//!
//! Idea: a table is an array of addresses in a section of its own, or one that is called so and begins as
//! that of a Cortex-M does. Only there are the places numbers: the first entry is the end of the stack, the
//! second runs after a reset, and no other object stands among the handlers.
//!
//! Invariant: each function of a table is a handler, with its number or without, but that which runs after a
//! reset, which is listed. Arrays of functions that may be tables and are not taken for such are listed, too.
//!
//! Source: Arm v7-M architecture reference manual, B1.5.2 and B1.5.3.

use std::collections::BTreeSet;

use kripke_elts::interrupts::{HARD_FAULT, NMI, is_arm};
use kripke_elts::{Expr, FunctionId, Global, InitialCell, InitialRest};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::ir::{Constant, ConstantExpression};

use super::Translator;
use super::handlers::{Candidates, Place};

/// The number of the first entry of a vector table that `NVIC_EnableIRQ` enables.
const FIRST_NUMBERED: i64 = 16;
/// The entry of the function that runs after a reset; the one before it is the stack's end.
const RESET: i64 = 1;
/// Entries that are no handlers on a Cortex-M, where headers of images have addresses of their own.
const RESERVED: [i64; 6] = [0, 7, 8, 9, 10, 13];
/// Smaller numbers are not taken for addresses of a stack.
const LOWEST_STACK: u64 = 0x1000;

/// What the tables tell.
#[derive(Default)]
pub struct Tables {
    /// The names that stand there.
    pub names: BTreeSet<String>,
    /// There is one of a Cortex-M.
    pub has_numbers: bool,
    /// What runs after a reset.
    resets: BTreeSet<Place>,
}

/// What a table looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// That of a Cortex-M.
    Cortex,
    /// It may be one.
    Doubtful,
    /// Another one: its places are no numbers.
    Other,
}

impl Translator<'_> {
    /// Translates the tables of vectors, which may be named nowhere.
    pub fn queue_vector_tables(&mut self) {
        for (module, index) in self.vector_tables() {
            self.global_id(module, index);
        }
    }

    /// The globals that may be tables: by their sections, or on an Arm by their names.
    fn vector_tables(&self) -> Vec<Place> {
        let is_arm = is_arm(&self.data_model.triple);
        let mut tables = self.arrays_of_functions();
        tables.retain(|&(module, index)| {
            let global = &self.modules[module].globals[index];
            self.is_in_vectors((module, index)) || is_arm && names_vectors(&global.name)
        });
        tables
    }

    fn is_in_vectors(&self, (module, index): Place) -> bool {
        let section = self.modules[module].globals[index].section.as_deref();
        holds_vectors(section.unwrap_or_default())
    }

    /// The globals in sections of vectors, and those in which addresses of functions stand.
    fn arrays_of_functions(&self) -> Vec<Place> {
        let mut found = Vec::new();
        for (module, ir) in self.own_modules() {
            for (index, global) in ir.globals.iter().enumerate() {
                let is_meant = match &global.initializer {
                    Some(value) => {
                        let names = names_in(value);
                        self.is_in_vectors((module, index))
                            || names.iter().any(|name| self.means_function(module, name))
                    }
                    None => false,
                };
                let is_own = !global.name.starts_with("llvm.");
                if is_own && is_meant && self.symbols.is_chosen(module, &global.name, index) {
                    found.push((module, index));
                }
            }
        }
        found
    }

    /// The functions whose addresses stand in tables.
    pub fn handlers_of_tables(&mut self, candidates: &mut Candidates) -> Result<Tables, Error> {
        let places: FxHashMap<FunctionId, Place> = self
            .function_ids
            .iter()
            .map(|(place, id)| (*id, *place))
            .collect();
        let width = u64::from(self.data_model.pointer_width / 8).max(1);
        let mut tables = Tables::default();
        for (module, index) in self.vector_tables() {
            let id = self.global_id(module, index);
            let table = &self.globals[id];
            let look = self.look(table, &places, width);
            let is_certain = self.is_in_vectors((module, index));
            if !is_certain && look != Look::Cortex {
                continue;
            }
            refuse_unknown_entries(table)?;
            let entries = table.cells.iter().flat_map(|cell| {
                let entry = i64::try_from(cell.offset / width).unwrap_or(i64::MAX);
                functions_in(&cell.value)
                    .into_iter()
                    .map(move |function| (entry, function))
            });
            for (entry, function) in entries {
                if let Some(place) = places.get(&function) {
                    match self.numbers(look, entry, *place) {
                        Some(numbers) => numbers
                            .into_iter()
                            .for_each(|number| candidates.add_entry(*place, number)),
                        None => _ = tables.resets.insert(*place),
                    }
                }
            }
            if !table.constant {
                self.assumptions.insert(format!(
                    "`{}` can be written to: handlers that only the program puts there do not come",
                    table.name
                ));
            }
            tables.has_numbers |= look == Look::Cortex;
            let initializer = self.modules[module].globals[index].initializer.as_ref();
            tables.names.extend(initializer.map(names_in).unwrap_or_default());
        }
        self.list_resets(&tables.resets, candidates);
        self.list_other_arrays(&tables);
        Ok(tables)
    }

    /// The numbers of an entry; none at all for what runs after a reset.
    fn numbers(&self, look: Look, entry: i64, place: Place) -> Option<Vec<Option<i64>>> {
        let number = entry.saturating_sub(FIRST_NUMBERED);
        match look {
            Look::Cortex | Look::Doubtful if entry == RESET && self.runs_after_reset(place) => None,
            Look::Cortex if entry != RESET => Some(vec![Some(number)]),
            // It may be one that nothing masks.
            Look::Doubtful if number == NMI || number == HARD_FAULT => Some(vec![Some(number), None]),
            _ => Some(vec![None]),
        }
    }

    fn look(&self, table: &Global, places: &FxHashMap<FunctionId, Place>, width: u64) -> Look {
        let entry = |cell: &InitialCell| i64::try_from(cell.offset / width).unwrap_or(i64::MAX);
        let first = table.cells.iter().find(|cell| cell.offset == 0);
        if !first.is_some_and(|cell| may_be_stack(&cell.value)) {
            return Look::Other;
        }
        let at_reset = { table.cells.iter() }.filter(|cell| entry(cell) == RESET);
        let mut at_reset = at_reset.flat_map(|cell| functions_in(&cell.value));
        let begins = at_reset.all(|function| {
            let place = places.get(&function);
            place.is_some_and(|place| self.runs_after_reset(*place))
        });
        let mut others = table.cells.iter().filter(|cell| has_object(&cell.value));
        let is_pure = others.all(|cell| RESERVED.contains(&entry(cell)));
        match (begins, is_pure) {
            (true, true) => Look::Cortex,
            (false, false) => Look::Other,
            _ => Look::Doubtful,
        }
    }

    /// May a function be what runs after a reset?
    fn runs_after_reset(&self, (module, index): Place) -> bool {
        let function = &self.modules[module].functions[index];
        let name = function.name.to_ascii_lowercase();
        let is_named = name.contains("reset") || name.trim_start_matches('_').starts_with("start");
        is_named || function.blocks.is_empty() || self.may_start_program((module, index))
    }

    fn list_resets(&mut self, resets: &BTreeSet<Place>, candidates: &Candidates) {
        let only = resets.iter().filter(|place| !candidates.has(place));
        let names: Vec<String> = only.map(|place| self.quoted(*place)).collect();
        let (runs, run) = ("runs after a reset", "run after a reset");
        let none = "no interrupt calls";
        self.list_names(
            &names,
            &format!("{runs}: {none} it"),
            &format!("{run}: {none} them"),
        );
    }

    /// What may be a table, by a section or its name, and is not taken for one.
    fn list_other_arrays(&mut self, tables: &Tables) {
        let mut said = BTreeSet::new();
        for (module, index) in self.arrays_of_functions() {
            let ir = &self.modules[module];
            let global = &ir.globals[index];
            let names = global.initializer.as_ref().map(names_in).unwrap_or_default();
            let is_known = names.iter().all(|name| tables.names.contains(name));
            let is_suspect = global.section.is_some() || names_vectors(&global.name);
            if is_suspect && !is_known && !ir.is_library_model {
                said.insert(format!("`{}`", global.name));
            }
        }
        let said: Vec<String> = said.into_iter().collect();
        let otherwise = "name handlers with --interrupt";
        self.list_names(
            &said,
            &format!("is not taken for a table of vectors: no interrupt calls its functions; {otherwise}"),
            &format!("are not taken for tables of vectors: no interrupt calls their functions; {otherwise}"),
        );
    }

    /// Does a name mean a function, with or without a body?
    fn means_function(&self, module: usize, name: &str) -> bool {
        let is_declared = || {
            self.modules[module]
                .functions
                .iter()
                .any(|function| *function.name == *name)
        };
        self.function_with_body(module, name).is_some() || is_declared()
    }
}

fn refuse_unknown_entries(table: &Global) -> Result<(), Error> {
    if table.rest == InitialRest::Zero {
        return Ok(());
    }
    Err(Error::Translate {
        message: format!(
            "--interrupts: the table of vectors `{}` has entries that are not understood",
            table.name
        ),
    })
}

/// Is it a name of a section for vectors? `.isr_vector`, `.vectors`, `.vector_table`, `.intvec`,
/// `.interrupts`, `RESET`.
fn holds_vectors(section: &str) -> bool {
    let name = section.to_ascii_lowercase();
    name.contains("vect") || name.contains("intvec") || name.contains("interrupts") || section == "RESET"
}

/// Is it a name of a table?
fn names_vectors(name: &str) -> bool {
    name.to_ascii_lowercase().contains("vector")
}

/// May a value be the end of a stack: the address of an object, or a number that is one?
fn may_be_stack(value: &Expr) -> bool {
    let is_far = |bits: &BitVec| {
        bits.to_u64()
            .is_some_and(|address| address >= LOWEST_STACK && address % 4 == 0)
    };
    let is_number = matches!(value, Expr::Int(bits) if is_far(bits))
        || matches!(value, Expr::Cast(_, number, _) if matches!(&**number, Expr::Int(bits) if is_far(bits)));
    functions_in(value).is_empty() && (has_object(value) || is_number)
}

/// Is the address of an object part of a value?
fn has_object(value: &Expr) -> bool {
    let mut found = false;
    value.walk(&mut |part| found |= matches!(part, Expr::GlobalAddress(_)));
    found
}

/// The functions whose addresses a value is made of.
fn functions_in(value: &Expr) -> Vec<FunctionId> {
    let mut functions = Vec::new();
    value.walk(&mut |part| {
        if let Expr::FunctionAddress(function) = part {
            functions.push(*function);
        }
    });
    functions
}

/// The names whose addresses stand in a value.
fn names_in(value: &Constant) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Constant::Global(name) => _ = names.insert(name.to_string()),
            Constant::Aggregate(parts) => open.extend(parts.iter().map(|(_, part)| part)),
            Constant::Expression(expression) => match &**expression {
                ConstantExpression::Cast { value, .. } => open.push(value),
                ConstantExpression::GetElementPointer { base, .. } => open.push(&base.1),
                ConstantExpression::Binary { left, right, .. } => open.extend([left, right]),
                _ => {}
            },
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::holds_vectors;

    #[test]
    fn sections_of_vectors() {
        for section in [
            ".isr_vector",
            ".vectors",
            ".vector_table",
            ".intvec",
            ".interrupts",
            "RESET",
            ".isr_vectors",
        ] {
            assert!(holds_vectors(section), "{section}");
        }
        for section in [".data", "", ".resetdata", ".text"] {
            assert!(!holds_vectors(section), "{section}");
        }
    }
}
