//! The handlers of interrupts that the sources contain.
//!
//! Idea: a processor finds its handlers by a table of vectors. What that table holds is known where the
//! program writes it down, as an array of addresses in a section of its own; else by the names from which the
//! linker or the startup code makes it (`__vector_1`, `SysTick_Handler`), and by the attributes that make the
//! compiler return from a function as from an interrupt.
//!
//! Invariant: each of them is found, or listed with the reason why it does not come. What does nothing may be
//! left out, and what does nothing but loop, too: no step that anything could be said of follows in such a
//! run. What enters the program's `main` begins a run, and does not come within one.
//!
//! Source: Arm v7-M architecture reference manual, B1.5.2 and B1.5.3 (exception numbers, the vector table);
//! CMSIS-Core, startup file and `IRQn_Type`; avr-libc, `avr/interrupt.h`.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::interrupts::is_arm;
use kripke_elts::{Expr, FunctionId, InitialRest};
use kripke_value::BitVec;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::ir::{self, Linkage, Metadata, MetadataField, Type};

use super::Translator;
use super::idle::{Idle, Shape, shape_of};

/// A handler that the sources contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHandler {
    /// The function.
    pub function: FunctionId,
    /// Its name in the program.
    pub name: String,
    /// The number by which `NVIC_EnableIRQ` enables it, where one is known; below zero for exceptions of the
    /// processor.
    pub number: Option<i64>,
}

/// The number of the first entry of a vector table that `NVIC_EnableIRQ` enables.
const FIRST_NUMBERED: i64 = 16;
/// The entry of the function that runs after a reset; the one before it is the stack's end.
const RESET: i64 = 1;
/// Smaller numbers are not taken for addresses of a stack.
const LOWEST_STACK: u64 = 0x1000;
/// The numbers that nothing masks: a function that has one of them, and others, comes by that.
const UNMASKABLE: [i64; 2] = [-14, -13];

/// So many jumps are followed from one function to the next.
const JUMPS: usize = 8;

/// The exceptions of a Cortex-M by the names of CMSIS.
const EXCEPTIONS: [(&str, i64); 10] = [
    ("NMI_Handler", -14),
    ("HardFault_Handler", -13),
    ("MemManage_Handler", -12),
    ("BusFault_Handler", -11),
    ("UsageFault_Handler", -10),
    ("SecureFault_Handler", -9),
    ("SVC_Handler", -5),
    ("DebugMon_Handler", -4),
    ("PendSV_Handler", -2),
    ("SysTick_Handler", -1),
];

/// A function of a module.
type Place = (usize, usize);

/// What is known of a function that may be a handler.
#[derive(Default)]
struct Candidate {
    numbers: BTreeSet<i64>,
    /// It has another number, which is not known.
    has_unknown: bool,
    /// The numbers are those of a table, which has them all.
    is_in_table: bool,
}

impl Candidate {
    fn add(&mut self, number: Option<i64>) {
        self.numbers.extend(number);
        self.has_unknown |= number.is_none();
    }

    /// The number that enables it: with several it comes whenever interrupts are enabled.
    fn number(&self) -> Option<i64> {
        let unmaskable = UNMASKABLE.iter().find(|number| self.numbers.contains(number));
        let is_only = self.numbers.len() == 1 && !self.has_unknown;
        unmaskable.or(self.numbers.first().filter(|_| is_only)).copied()
    }
}

/// The functions that may be handlers, in the order of the sources.
#[derive(Default)]
struct Candidates {
    places: BTreeMap<Place, Candidate>,
}

impl Candidates {
    /// What a name or an attribute tells.
    fn add(&mut self, place: Place, number: Option<i64>) {
        let candidate = self.places.entry(place).or_default();
        if !candidate.is_in_table {
            candidate.add(number);
        }
    }

    /// What a table tells.
    fn add_entry(&mut self, place: Place, number: Option<i64>) {
        let candidate = self.places.entry(place).or_default();
        candidate.is_in_table = true;
        candidate.add(number);
    }

    /// A function that jumps to another is that one.
    fn replace(&mut self, jumping: Place, target: Place) {
        if let Some(from) = self.places.remove(&jumping) {
            let to = self.places.entry(target).or_default();
            to.numbers.extend(from.numbers);
            to.has_unknown |= from.has_unknown;
            to.is_in_table |= from.is_in_table;
        }
    }
}

impl Translator<'_> {
    /// Translates the tables of vectors, which may be named nowhere.
    pub fn queue_vector_tables(&mut self) {
        for (module, index) in self.vector_tables() {
            self.global_id(module, index);
        }
    }

    /// The handlers, once everything is translated.
    pub fn find_handlers(&mut self) -> Result<Vec<FoundHandler>, Error> {
        let mut candidates = Candidates::default();
        self.handlers_of_tables(&mut candidates)?;
        self.marked_handlers(&mut candidates);
        self.named_handlers(&mut candidates);
        self.follow_jumps(&mut candidates);
        if candidates.places.is_empty() {
            return Err(self.no_handlers());
        }
        Ok(self.those_that_come(&candidates))
    }

    /// Handlers in the sources that nothing lets come are listed: a verdict is silent about them.
    pub fn list_handlers(&mut self) {
        let own = self.modules.iter().filter(|module| !module.is_library_model);
        let handlers = own.flat_map(|module| &module.functions).filter(|function| {
            let is_given = self.options.interrupt_handlers.contains(&*function.name);
            !function.blocks.is_empty() && !is_given && is_marked(function)
        });
        let names: BTreeSet<String> = handlers.map(|function| format!("`{}`", function.name)).collect();
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().collect();
            self.assumptions.insert(format!(
                "no interrupt calls {}: name handlers with --interrupt, or find them with --interrupts",
                names.join(", ")
            ));
        }
    }

    fn vector_tables(&self) -> Vec<Place> {
        let mut tables = Vec::new();
        for (module, ir) in self.own_modules() {
            for (index, global) in ir.globals.iter().enumerate() {
                let section = global.section.as_deref().unwrap_or_default();
                let is_table = global.initializer.is_some() && holds_vectors(section);
                if is_table && self.symbols.is_chosen(module, &global.name, index) {
                    tables.push((module, index));
                }
            }
        }
        tables
    }

    fn own_modules(&self) -> impl Iterator<Item = (usize, &ir::Module)> {
        let modules = self.modules.iter().enumerate();
        modules.filter(|(_, module)| !module.is_library_model)
    }

    /// The functions whose addresses stand in tables.
    fn handlers_of_tables(&mut self, candidates: &mut Candidates) -> Result<(), Error> {
        let places: FxHashMap<FunctionId, Place> = self
            .function_ids
            .iter()
            .map(|(place, id)| (*id, *place))
            .collect();
        let width = u64::from(self.data_model.pointer_width / 8).max(1);
        let is_arm = is_arm(&self.data_model.triple);
        for (module, index) in self.vector_tables() {
            let id = self.global_id(module, index);
            let table = &self.globals[id];
            if table.rest != InitialRest::Zero {
                return Err(Error::Translate {
                    message: format!(
                        "--interrupts: the table of vectors `{}` has entries that are not understood",
                        table.name
                    ),
                });
            }
            if !table.constant {
                self.assumptions.insert(format!(
                    "`{}` can be written to: handlers that only the program puts there do not come",
                    table.name
                ));
            }
            // The table of a Cortex-M begins with the end of the stack; others are numbered otherwise.
            let first = table.cells.iter().find(|cell| cell.offset == 0);
            let is_of_cortex = first.is_some_and(|cell| may_be_stack(&cell.value));
            let entries = table
                .cells
                .iter()
                .map(|cell| (cell.offset / width, functions_in(&cell.value)));
            let entries: Vec<(u64, Vec<FunctionId>)> = entries.collect();
            for (entry, functions) in entries {
                for place in functions.iter().filter_map(|function| places.get(function)) {
                    match i64::try_from(entry).ok().filter(|_| is_of_cortex) {
                        // What runs after a reset.
                        Some(RESET) if is_arm => {}
                        Some(entry) => candidates.add_entry(*place, Some(entry - FIRST_NUMBERED)),
                        None => candidates.add_entry(*place, None),
                    }
                }
            }
        }
        Ok(())
    }

    /// The functions that the compiler takes for handlers, and what has the name of an AVR's vector.
    fn marked_handlers(&self, candidates: &mut Candidates) {
        for (module, ir) in self.own_modules() {
            // A declaration may have the attribute that the definition in another file lacks.
            for function in ir.functions.iter().filter(|function| is_marked(function)) {
                if let Some(place) = self.function_with_body(module, &function.name) {
                    candidates.add(place, self.number_of_name(&function.name));
                }
            }
            for alias in ir.aliases.iter().filter(|alias| is_vector_of_avr(&alias.name)) {
                if let Some(place) = self.function_with_body(module, &alias.name) {
                    candidates.add(place, None);
                }
            }
        }
    }

    /// The functions that have names by which the startup code of a Cortex-M knows handlers.
    fn named_handlers(&self, candidates: &mut Candidates) {
        if !is_arm(&self.data_model.triple) {
            return;
        }
        for (name, place) in self.cmsis_names() {
            let number = self.number_of_name(&name);
            // Where the table says whose the number is, it is right.
            let has_number = |candidate: &Candidate| {
                candidate.is_in_table && number.is_some_and(|number| candidate.numbers.contains(&number))
            };
            let is_taken = candidates.places.values().any(has_number);
            candidates.add(place, number.filter(|_| !is_taken));
        }
    }

    /// The names of CMSIS that the program gives to functions, and these.
    fn cmsis_names(&self) -> BTreeSet<(String, Place)> {
        let mut names = BTreeSet::new();
        for (module, ir) in self.own_modules() {
            let functions = { ir.functions.iter() }.map(|function| (&function.name, function.linkage));
            let aliases = { ir.aliases.iter() }.map(|alias| (&alias.name, alias.linkage));
            for (name, linkage) in functions.chain(aliases) {
                let is_shared = !matches!(linkage, Linkage::Internal | Linkage::Private);
                let Some((module, index)) = self
                    .function_with_body(module, name)
                    .filter(|_| is_shared && is_cmsis_name(name))
                else {
                    continue;
                };
                let ir = &self.modules[module];
                let function = &ir.functions[index];
                let is_plain = function.parameters.is_empty() && function.result == Type::Void;
                if is_plain && !ir.is_library_model {
                    names.insert((name.to_string(), (module, index)));
                }
            }
        }
        names
    }

    /// The number that CMSIS gives to a handler of that name: that of the exception, or the one that the
    /// device's header gives to `NAME_IRQn`.
    fn number_of_name(&self, name: &str) -> Option<i64> {
        if let Some((_, number)) = EXCEPTIONS.iter().find(|(known, _)| *known == name) {
            return is_arm(&self.data_model.triple).then_some(*number);
        }
        let wanted = format!("{}_IRQn", name.strip_suffix("_IRQHandler")?);
        let modules = self.own_modules();
        let nodes = modules.flat_map(|(_, module)| module.metadata.values());
        let numbers: BTreeSet<i64> = nodes.filter_map(|node| enumerator(node, &wanted)).collect();
        numbers.first().copied().filter(|_| numbers.len() == 1)
    }

    /// Functions that only jump to others give way to these.
    fn follow_jumps(&self, candidates: &mut Candidates) {
        let places: Vec<Place> = candidates.places.keys().copied().collect();
        for place in places {
            let mut target = place;
            for _ in 0..JUMPS {
                match self.shape(target) {
                    Shape::Jumps(name) => {
                        target = self.function_with_body(target.0, &name).unwrap_or(target);
                    }
                    _ => break,
                }
            }
            if target != place {
                candidates.replace(place, target);
            }
        }
    }

    fn shape(&self, (module, index): Place) -> Shape {
        shape_of(&self.modules[module].functions[index], &self.data_model.triple)
    }

    /// Does a function begin a run?
    fn starts_program(&self, (module, index): Place) -> bool {
        let function = &self.modules[module].functions[index];
        let entry = self.options.entry.rsplit(':').next().unwrap_or_default();
        let is_entry = |name: &str| name == "main" || name == entry;
        let calls_entry = || {
            let blocks = function.blocks.iter();
            blocks
                .flat_map(|block| &block.instructions)
                .any(|instruction| match &instruction.kind {
                    ir::InstructionKind::Call(call) => match &call.callee {
                        ir::Value::Constant(callee) => callee.global().is_some_and(|name| is_entry(name)),
                        _ => false,
                    },
                    _ => false,
                })
        };
        is_entry(&function.name) || calls_entry()
    }

    /// The handlers that come; the others are listed.
    fn those_that_come(&mut self, candidates: &Candidates) -> Vec<FoundHandler> {
        let mut found = Vec::new();
        let (mut looping, mut empty, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        let mut starting = Vec::new();
        for (&(module, index), candidate) in &candidates.places {
            let ir = &self.modules[module];
            let name = format!("`{}`", ir.functions[index].name);
            let is_named = self
                .options
                .interrupt_handlers
                .contains(&*ir.functions[index].name);
            if ir.is_library_model || ir.functions[index].blocks.is_empty() {
                absent.push(name);
                continue;
            }
            if self.starts_program((module, index)) {
                starting.push(name);
                continue;
            }
            match self.shape((module, index)) {
                Shape::Idle(Idle::Loops) if !is_named => looping.push(name),
                Shape::Idle(Idle::Returns) if !is_named => empty.push(name),
                _ => {
                    let function = self.own_function_id(module, index);
                    found.push(FoundHandler {
                        function,
                        name: self.functions[function].name.clone(),
                        number: candidate.number(),
                    });
                }
            }
        }
        let none = "no interrupt calls";
        self.list_functions(
            &looping,
            &format!("only loops: {none} it"),
            &format!("only loop: {none} them"),
        );
        let (starts, start) = ("starts the program anew", "start the program anew");
        self.list_functions(
            &starting,
            &format!("{starts}: {none} it"),
            &format!("{start}: {none} them"),
        );
        self.list_functions(
            &absent,
            &format!("has no body: {none} it"),
            &format!("have no bodies: {none} them"),
        );
        let nothing = [
            "does nothing when an interrupt calls it",
            "do nothing when interrupts call them",
        ];
        self.list_functions(&empty, nothing[0], nothing[1]);
        found
    }

    /// Lists what is so of functions, as one says it of one, and of several.
    fn list_functions(&mut self, names: &[String], of_one: &str, of_several: &str) {
        match names {
            [] => {}
            [name] => _ = self.assumptions.insert(format!("{name} {of_one}")),
            names => {
                _ = self
                    .assumptions
                    .insert(format!("{} {of_several}", names.join(", ")))
            }
        }
    }

    /// Nothing was found; why that may be.
    fn no_handlers(&self) -> Error {
        let names = self.cmsis_names();
        let hint = match names.first() {
            Some((name, _)) if !is_arm(&self.data_model.triple) => {
                format!("`{name}` is one on an Arm: say so with --target thumbv7m-none-eabi, or the like")
            }
            _ => {
                "they are known by attributes (signal, interrupt) where the machine has such (--target avr), \
                  by names on an AVR or an Arm (__vector_1, SysTick_Handler), and by a table in a section \
                  such as .isr_vector; name others with --interrupt HANDLER"
                    .to_owned()
            }
        };
        Error::Translate {
            message: format!("--interrupts finds no handlers in the sources: {hint}"),
        }
    }
}

/// Does the compiler take a function for the handler of an interrupt?
fn is_marked(function: &ir::Function) -> bool {
    let mut attributes = function.attributes.iter();
    attributes.any(|word| matches!(&**word, "signal" | "interrupt")) || is_vector_of_avr(&function.name)
}

fn is_vector_of_avr(name: &str) -> bool {
    let number = name.strip_prefix("__vector_");
    number.is_some_and(|number| {
        number == "default" || !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Is it a name of a section for vectors? `.isr_vector`, `.vectors`, `.vector_table`, `.intvec`, `RESET`.
fn holds_vectors(section: &str) -> bool {
    let name = section.to_ascii_lowercase();
    name.contains("vector") || name.contains("intvec") || section == "RESET"
}

/// Is it a name by which the startup code of a Cortex-M knows a handler? ST's library has functions of its
/// own with such names, which handlers call.
fn is_cmsis_name(name: &str) -> bool {
    EXCEPTIONS.iter().any(|(known, _)| *known == name)
        || name.ends_with("_IRQHandler") && !name.starts_with("HAL_")
}

/// The value of an enumerator, if it is the one.
fn enumerator(node: &Metadata, wanted: &str) -> Option<i64> {
    let is_meant = node.kind() == "DIEnumerator"
        && matches!(node.field("name"), Some(MetadataField::String(name)) if **name == *wanted);
    match node.field("value").filter(|_| is_meant) {
        Some(MetadataField::Int(value)) => i64::try_from(*value).ok(),
        _ => None,
    }
}

/// May a value be the end of a stack: the address of an object, or a number that is one?
fn may_be_stack(value: &Expr) -> bool {
    let is_far = |bits: &BitVec| {
        bits.to_u64()
            .is_some_and(|address| address >= LOWEST_STACK && address % 4 == 0)
    };
    let mut is_address = false;
    value.walk(&mut |part| is_address |= matches!(part, Expr::GlobalAddress(_)));
    let is_number = matches!(value, Expr::Int(bits) if is_far(bits))
        || matches!(value, Expr::Cast(_, number, _) if matches!(&**number, Expr::Int(bits) if is_far(bits)));
    functions_in(value).is_empty() && (is_address || is_number)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_vectors() {
        for section in [
            ".isr_vector",
            ".vectors",
            ".vector_table",
            ".intvec",
            "RESET",
            ".isr_vectors",
        ] {
            assert!(holds_vectors(section), "{section}");
        }
        for section in [".data", "", ".resetdata", ".text"] {
            assert!(!holds_vectors(section), "{section}");
        }
    }

    #[test]
    fn names_of_handlers() {
        assert!(is_vector_of_avr("__vector_12") && is_vector_of_avr("__vector_default"));
        assert!(!is_vector_of_avr("__vector_") && !is_vector_of_avr("__vector_table"));
        assert!(is_cmsis_name("SysTick_Handler") && is_cmsis_name("EXTI15_10_IRQHandler"));
        assert!(!is_cmsis_name("Reset_Handler") && !is_cmsis_name("HAL_GPIO_EXTI_IRQHandler"));
    }

    #[test]
    fn a_function_of_several_numbers_has_none_of_them() {
        let check = |numbers: &[Option<i64>], expected: Option<i64>| {
            let mut candidate = Candidate::default();
            numbers.iter().for_each(|number| candidate.add(*number));
            assert_eq!(candidate.number(), expected, "{numbers:?}");
        };
        check(&[], None);
        check(&[Some(7)], Some(7));
        check(&[Some(7), Some(7)], Some(7));
        check(&[Some(7), None], None);
        check(&[Some(7), Some(8)], None);
        check(&[Some(-14), Some(8)], Some(-14));
        check(&[Some(-13), None, Some(8)], Some(-13));
    }
}
