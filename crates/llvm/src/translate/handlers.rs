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

use kripke_elts::FunctionId;
use kripke_elts::interrupts::{is_arm, is_unmaskable};

use crate::Error;
use crate::dialects;
use crate::ir::{self, Linkage, Metadata, MetadataField, Type};

use super::Translator;
use super::idle::{Idle, Shape, shape_of};
use super::vectors::Tables;

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
pub type Place = (usize, usize);

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

    /// The numbers by which it comes. What nothing masks comes by each number of its own, and may interrupt
    /// what the same function does for another. With several others it comes whenever interrupts are enabled.
    fn comings(&self) -> Vec<Option<i64>> {
        let (unmaskable, others): (Vec<i64>, Vec<i64>) =
            { self.numbers.iter().copied() }.partition(|number| is_unmaskable(*number));
        let mut comings: Vec<Option<i64>> = unmaskable.into_iter().map(Some).collect();
        if !others.is_empty() || self.has_unknown || comings.is_empty() {
            let is_only = others.len() == 1 && !self.has_unknown;
            comings.push(others.first().copied().filter(|_| is_only));
        }
        comings
    }
}

/// The functions that may be handlers, in the order of the sources.
#[derive(Default)]
pub struct Candidates {
    places: BTreeMap<Place, Candidate>,
}

impl Candidates {
    /// Is the function one of them?
    pub fn has(&self, place: &Place) -> bool {
        self.places.contains_key(place)
    }

    /// What an attribute tells.
    fn add(&mut self, place: Place, number: Option<i64>) {
        let candidate = self.places.entry(place).or_default();
        if !candidate.is_in_table {
            candidate.add(number);
        }
    }

    /// What a name tells beside any table.
    fn add_name(&mut self, place: Place, number: Option<i64>) {
        self.places.entry(place).or_default().add(number);
    }

    /// What a table tells.
    pub fn add_entry(&mut self, place: Place, number: Option<i64>) {
        let candidate = self.places.entry(place).or_default();
        candidate.is_in_table = true;
        candidate.add(number);
    }

    /// The function that has the number in a table.
    fn in_table_with(&self, number: i64) -> Option<Place> {
        let mut places = self.places.iter();
        let has = |candidate: &Candidate| candidate.is_in_table && candidate.numbers.contains(&number);
        places
            .find(|(_, candidate)| has(candidate))
            .map(|(place, _)| *place)
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
    /// The handlers, once everything is translated.
    pub fn find_handlers(&mut self) -> Result<Vec<FoundHandler>, Error> {
        let mut candidates = Candidates::default();
        let tables = self.handlers_of_tables(&mut candidates)?;
        self.marked_handlers(&mut candidates);
        self.named_handlers(&mut candidates, &tables);
        self.list_other_names(&candidates, &tables);
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

    /// Objects for which the program chooses places have places of their own here.
    pub fn list_placed_objects(&mut self) {
        let placed = self
            .own_modules()
            .flat_map(|(_, module)| dialects::placed_objects(module));
        let names: BTreeSet<String> = placed.map(|name| format!("`{name}`")).collect();
        let apart = "apart from every other object and register, whatever `__at` says";
        self.list_names(
            &names.into_iter().collect::<Vec<_>>(),
            &format!("lies {apart}"),
            &format!("lie {apart}"),
        );
    }

    pub fn own_modules(&self) -> impl Iterator<Item = (usize, &ir::Module)> {
        let modules = self.modules.iter().enumerate();
        modules.filter(|(_, module)| !module.is_library_model)
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
    fn named_handlers(&mut self, candidates: &mut Candidates, tables: &Tables) {
        if !is_arm(&self.data_model.triple) {
            return;
        }
        let called = self.called();
        let mut helpers = BTreeSet::new();
        for (name, place) in self.cmsis_names() {
            let number = self.number_of_name(&name);
            let stands_there = tables.names.contains(&name);
            // A whole table lacks it, and the program itself calls it.
            if tables.has_numbers && !candidates.has(&place) && called.contains(&place) {
                helpers.insert(format!("`{name}`"));
                continue;
            }
            // Where the table says whose the number is, it is right.
            let owner = number.and_then(|number| candidates.in_table_with(number));
            match number.filter(|_| owner.is_none()) {
                Some(number) => candidates.add_name(place, Some(number)),
                None if stands_there || owner == Some(place) => {}
                None => candidates.add_name(place, None),
            }
        }
        let none = "by the program, and no table of vectors has";
        self.list_names(
            &helpers.into_iter().collect::<Vec<_>>(),
            &format!("is called {none} it: no interrupt calls it"),
            &format!("are called {none} them: no interrupt calls them"),
        );
    }

    /// Functions that have names of handlers, and are not called by the program, but are not known to be any.
    fn list_other_names(&mut self, candidates: &Candidates, tables: &Tables) {
        if !is_arm(&self.data_model.triple) {
            return;
        }
        let called = self.called();
        let (mut named, mut shaped) = (BTreeSet::new(), BTreeSet::new());
        for (module, ir) in self.own_modules() {
            for (index, function) in ir.functions.iter().enumerate() {
                let (name, place) = (&function.name, (module, index));
                let is_shared = !matches!(function.linkage, Linkage::Internal | Linkage::Private);
                let is_known = candidates.has(&place) || called.contains(&place);
                let is_meant = is_shared && !is_known && !function.blocks.is_empty();
                if !is_meant || tables.names.contains(&**name) || name.starts_with("Reset") {
                    continue;
                }
                if is_cmsis_name(name) && !is_plain(function) {
                    shaped.insert(format!("`{name}`"));
                } else if name.ends_with("_Handler") {
                    named.insert(format!("`{name}`"));
                }
            }
        }
        let none = "no interrupt calls";
        let otherwise = "name handlers with --interrupt";
        self.list_names(
            &named.into_iter().collect::<Vec<_>>(),
            &format!("has the name of a handler, but not one that is known: {none} it; {otherwise}"),
            &format!("have names of handlers, but not such that are known: {none} them; {otherwise}"),
        );
        self.list_names(
            &shaped.into_iter().collect::<Vec<_>>(),
            &format!("takes parameters or returns something: {none} it"),
            &format!("take parameters or return something: {none} them"),
        );
    }

    /// The functions that others call by name.
    fn called(&self) -> BTreeSet<Place> {
        let mut called = BTreeSet::new();
        for (module, ir) in self.own_modules() {
            for (index, function) in ir.functions.iter().enumerate() {
                let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
                let callees = instructions.filter_map(callee_of);
                let callees = callees.filter_map(|name| self.function_with_body(module, name));
                called.extend(callees.filter(|callee| *callee != (module, index)));
            }
        }
        called
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
                if is_plain(function) && !ir.is_library_model {
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

    /// Does a function begin a run, in each run of its own?
    fn starts_program(&self, (module, index): Place) -> bool {
        let function = &self.modules[module].functions[index];
        self.is_start(&function.name) || self.always_starts(function)
    }

    /// May a function begin a run?
    pub fn may_start_program(&self, (module, index): Place) -> bool {
        let function = &self.modules[module].functions[index];
        self.is_start(&function.name) || self.may_start(function)
    }

    /// Does a function call where the program starts, in some run perhaps?
    fn may_start(&self, function: &ir::Function) -> bool {
        function.blocks.iter().any(|block| self.starts_in(block))
    }

    fn is_start(&self, name: &str) -> bool {
        let entry = self.options.entry.rsplit(':').next().unwrap_or_default();
        name == "main" || name == entry
    }

    /// Does a block call where the program starts?
    fn starts_in(&self, block: &ir::Block) -> bool {
        let mut callees = block.instructions.iter().filter_map(callee_of);
        callees.any(|name| self.is_start(name))
    }

    /// Does each run of a function call where the program starts? All blocks that it may reach before lead
    /// to such a call, and none of them ends it.
    fn always_starts(&self, function: &ir::Function) -> bool {
        let block = |label: &str| function.blocks.iter().find(|block| *block.label == *label);
        let mut before: BTreeSet<&str> = BTreeSet::new();
        let mut leading: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&ir::Block> = function.blocks.first().into_iter().collect();
        while let Some(next) = open.pop() {
            if self.starts_in(next) || is_fault(next) {
                leading.insert(&next.label);
            } else if before.insert(&next.label) {
                open.extend(successors(next).into_iter().filter_map(block));
            }
        }
        loop {
            let leads = |label: &&&str| {
                let targets = block(label).map(successors).unwrap_or_default();
                targets.iter().any(|target| leading.contains(target))
            };
            let more: Vec<&str> = { before.iter() }
                .filter(|label| !leading.contains(**label))
                .filter(leads)
                .copied()
                .collect();
            if more.is_empty() {
                return self.may_start(function) && before.iter().all(|label| leading.contains(label));
            }
            leading.extend(more);
        }
    }

    /// The handlers that come; the others are listed.
    fn those_that_come(&mut self, candidates: &Candidates) -> Vec<FoundHandler> {
        let mut found = Vec::new();
        let (mut looping, mut empty, mut absent) = (Vec::new(), Vec::new(), Vec::new());
        let mut starting = Vec::new();
        for (&(module, index), candidate) in &candidates.places {
            let ir = &self.modules[module];
            let name = self.quoted((module, index));
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
                    let name = &self.functions[function].name;
                    found.extend(candidate.comings().into_iter().map(|number| FoundHandler {
                        function,
                        name: name.clone(),
                        number,
                    }));
                }
            }
        }
        let none = "no interrupt calls";
        self.list_names(
            &looping,
            &format!("only loops: {none} it"),
            &format!("only loop: {none} them"),
        );
        let (starts, start) = ("starts the program anew", "start the program anew");
        self.list_names(
            &starting,
            &format!("{starts}: {none} it"),
            &format!("{start}: {none} them"),
        );
        self.list_names(
            &absent,
            &format!("has no body: {none} it"),
            &format!("have no bodies: {none} them"),
        );
        let nothing = [
            "does nothing when an interrupt calls it",
            "do nothing when interrupts call them",
        ];
        self.list_names(&empty, nothing[0], nothing[1]);
        found
    }

    /// The name of a function, as a user reads it.
    pub fn quoted(&self, (module, index): Place) -> String {
        format!("`{}`", self.modules[module].functions[index].name)
    }

    /// Lists what is so of functions, as one says it of one, and of several.
    pub fn list_names(&mut self, names: &[String], of_one: &str, of_several: &str) {
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

/// Takes a function nothing, and returns nothing?
fn is_plain(function: &ir::Function) -> bool {
    function.parameters.is_empty() && function.result == Type::Void
}

/// The function that an instruction calls by name.
pub fn callee_of(instruction: &ir::Instruction) -> Option<&str> {
    match &instruction.kind {
        ir::InstructionKind::Call(call) => match &call.callee {
            ir::Value::Constant(callee) => callee.global().map(|name| &**name),
            _ => None,
        },
        _ => None,
    }
}

/// Is it where a check of ours has failed?
fn is_fault(block: &ir::Block) -> bool {
    let mut callees = block.instructions.iter().filter_map(callee_of);
    successors(block).is_empty() && callees.any(|name| name.starts_with("__ubsan_handle_"))
}

/// The blocks behind a block; none where the function ends.
fn successors(block: &ir::Block) -> Vec<&str> {
    use ir::InstructionKind as K;
    match block.instructions.last().map(|last| &last.kind) {
        Some(K::Branch { target }) => vec![target],
        Some(K::ConditionalBranch { then, otherwise, .. }) => vec![then, otherwise],
        Some(K::Switch { default, cases, .. }) => {
            let cases = cases.iter().map(|(_, label)| &**label);
            cases.chain([&**default]).collect()
        }
        _ => Vec::new(),
    }
}

/// Does the compiler take a function for the handler of an interrupt?
fn is_marked(function: &ir::Function) -> bool {
    let mut attributes = function.attributes.iter();
    attributes.any(|word| matches!(&**word, "signal" | "interrupt" | dialects::HANDLER))
        || is_vector_of_avr(&function.name)
}

fn is_vector_of_avr(name: &str) -> bool {
    let number = name.strip_prefix("__vector_");
    number.is_some_and(|number| {
        number == "default" || !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_handlers() {
        assert!(is_vector_of_avr("__vector_12") && is_vector_of_avr("__vector_default"));
        assert!(!is_vector_of_avr("__vector_") && !is_vector_of_avr("__vector_table"));
        assert!(is_cmsis_name("SysTick_Handler") && is_cmsis_name("EXTI15_10_IRQHandler"));
        assert!(!is_cmsis_name("Reset_Handler") && !is_cmsis_name("HAL_GPIO_EXTI_IRQHandler"));
    }

    #[test]
    fn a_function_of_several_numbers_has_none_of_them() {
        let check = |numbers: &[Option<i64>], expected: &[Option<i64>]| {
            let mut candidate = Candidate::default();
            numbers.iter().for_each(|number| candidate.add(*number));
            assert_eq!(candidate.comings(), expected, "{numbers:?}");
        };
        check(&[], &[None]);
        check(&[Some(7)], &[Some(7)]);
        check(&[Some(7), Some(7)], &[Some(7)]);
        check(&[Some(7), None], &[None]);
        check(&[Some(7), Some(8)], &[None]);
        check(&[Some(-14)], &[Some(-14)]);
        check(&[Some(-14), Some(8)], &[Some(-14), Some(8)]);
        check(
            &[Some(-14), Some(-13), None, Some(8)],
            &[Some(-14), Some(-13), None],
        );
    }
}
