//! From linked LLVM modules to a program.
//!
//! Idea: one pass over each function, block by block in reverse postorder. A first-class value is a list
//! of scalar expressions (so aggregates and vectors vanish here); every basic block is a location;
//! every `alloca` whose address does not escape is a variable with its C name; clang's sanitizer
//! handlers and the assertion functions become `Assert` statements. Functions and globals get their ids
//! when something first refers to them, so that of the library models only what is used is translated.
//!
//! Invariant: a construct that has no translation becomes an `Unsupported` statement at its position and
//! ends the path there; an error is returned only where the program as a whole makes no sense.
//!
//! Alternative rejected: translating instruction by instruction into memory operations and promoting
//! later, as `mem2reg` does. The names and declarations that a counterexample needs are attached to the
//! `alloca`s, and are lost as soon as these are gone.

mod aggregates;
mod assignment;
mod assumptions;
mod atomics;
mod blocks;
mod builder;
mod c_types;
mod call_adaption;
mod calls;
pub(crate) mod cfg;
mod cleanups;
mod constants;
mod contracts;
mod copied;
mod definitions;
mod describe;
mod entry_objects;
mod expressions;
mod floats;
mod format_calls;
mod frames;
mod function;
mod globals;
mod handler_calls;
mod handlers;
mod idle;
mod instructions;
mod interrupts;
mod intrinsics;
mod kripke_intrinsics;
mod layout;
mod library_calls;
mod lives;
mod locals;
mod main_arguments;
mod mask_registers;
mod memory;
mod must_flow;
pub(crate) mod operands;
mod output;
mod poison;
mod properties;
mod reductions;
mod refused_names;
mod regions;
mod registers;
mod rtos_ports;
mod scopes;
mod start;
mod symbols;
mod threads;
mod varargs;
mod vectors;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use kripke_elts::{
    DataModel, Function, FunctionId, Global, GlobalId, Id, IdVec, ObjectSite, ObjectSiteId, Position, Program,
};
use kripke_model::PropertyKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Error;
use crate::debug_info::{DebugInfo, SourceTables};
use crate::ir::{self, Module};

use contracts::Contracts;
use function::FunctionTranslator;
use layout::{DataLayout, Types};
use properties::Properties;
use symbols::{Symbol, Symbols};

pub use contracts::Replaced;
pub use definitions::{DefinedFunction, Parameters, defined_functions};
pub use entry_objects::EntryObjects;
pub use handlers::FoundHandler;
pub use main_arguments::MainArguments;

/// What the translation is asked for.
#[derive(Clone, Debug)]
pub struct TranslateOptions {
    /// The function that a run starts in: `NAME`, or `FILE:NAME` where several units have one of that name.
    pub entry: String,
    /// The kinds of properties that are checked; the others get no assertion.
    pub checks: BTreeSet<PropertyKind>,
    /// True when `malloc` and the like may return null.
    pub malloc_may_fail: bool,
    /// True when `extern volatile` objects that nothing defines are memory, not registers.
    pub volatile_memory: bool,
    /// What the pointers of an entry function other than `main` point to.
    pub entry_objects: EntryObjects,
    /// What `main` is called with.
    pub arguments: MainArguments,
    /// The functions whose calls are replaced by their contracts.
    pub replaced: Replaced,
    /// Where handlers of interrupts are put into the program: the functions that enable or disable them.
    pub interrupt_functions: Option<BTreeSet<String>>,
    /// The handlers that are put into it, as they are named.
    pub interrupt_handlers: BTreeSet<String>,
    /// The handlers that the sources contain are looked for, and are put into it, too.
    pub find_handlers: bool,
}

impl Default for TranslateOptions {
    fn default() -> Self {
        let checks = PropertyKind::ALL.iter().copied();
        TranslateOptions {
            entry: "main".to_owned(),
            checks: checks.filter(|kind| kind.is_default()).collect(),
            malloc_may_fail: false,
            volatile_memory: false,
            entry_objects: EntryObjects::default(),
            arguments: MainArguments::default(),
            replaced: Replaced::None,
            interrupt_functions: None,
            interrupt_handlers: BTreeSet::new(),
            find_handlers: false,
        }
    }
}

/// Why a construct is not translated; becomes an `Unsupported` statement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unsupported(String);

/// The result of translating one construct.
type Step<T> = Result<T, Unsupported>;

fn unsupported<T>(what: impl Into<String>) -> Step<T> {
    Err(Unsupported(what.into()))
}

/// Translates linked modules to a program. Names that several modules define are resolved as a linker
/// would; a definition in a library model gives way to one in the program.
pub fn translate(modules: &[Module], options: &TranslateOptions) -> Result<Program, Error> {
    Ok(translate_all(modules, options)?.program)
}

/// A program, and what is known of it beside.
#[derive(Clone, Debug)]
pub(crate) struct Translated {
    /// The program.
    pub program: Program,
    /// The handlers of interrupts that the sources contain, where they were looked for.
    pub handlers: Vec<FoundHandler>,
    /// Somewhere it waits for an interrupt.
    pub waits: bool,
}

/// Translates linked modules to a program, and says what else it finds.
pub(crate) fn translate_all(modules: &[Module], options: &TranslateOptions) -> Result<Translated, Error> {
    let mut translator = Translator::new(modules, options)?;
    let entry = translator.entry_symbol()?;
    translator.queue_user_code();
    if options.find_handlers {
        translator.queue_vector_tables();
    }
    let entry = translator.write_start(entry)?;
    translator.drain();
    translator.note_initial_functions();
    let handlers = match options.find_handlers {
        true => translator.find_handlers()?,
        false => Vec::new(),
    };
    translator.check_frames();
    translator.add_leak_property(entry);
    translator.finish_threads(entry);
    let waits = translator.waits;
    Ok(Translated {
        program: translator.finish(entry),
        handlers,
        waits,
    })
}

/// The state of a translation.
struct Translator<'m> {
    modules: &'m [Module],
    options: &'m TranslateOptions,
    /// Those of each module.
    types: Vec<Types<'m>>,
    data_model: DataModel,
    tables: SourceTables,
    debug: Vec<DebugInfo<'m>>,
    symbols: Symbols<'m>,
    globals: IdVec<GlobalId, Global>,
    functions: IdVec<FunctionId, Function>,
    object_sites: IdVec<ObjectSiteId, ObjectSite>,
    properties: Properties,
    function_ids: FxHashMap<(usize, usize), FunctionId>,
    contracts: Contracts,
    global_ids: FxHashMap<(usize, usize), GlobalId>,
    pending_functions: VecDeque<(FunctionId, usize, usize)>,
    pending_globals: VecDeque<(GlobalId, usize, usize)>,
    function_names: builder::Names,
    global_names: builder::Names,
    external_functions: BTreeSet<String>,
    /// Functions that do nothing but to be called, by name.
    markers: FxHashMap<String, FunctionId>,
    /// Handlers or threads may come between any two steps: what is done at once is marked.
    marks_atomic: bool,
    /// It has instructions that wait for interrupts.
    waits: bool,
    /// Where a model of the C library narrows what a library may do, or the options do.
    assumptions: BTreeSet<String>,
    uses: Option<call_adaption::Uses>,
    registers: Option<registers::VolatileNames<'m>>,
    copied: Option<copied::CopiedNames<'m>>,
    /// Globals that may hold bytes that nobody has written.
    copied_into: FxHashSet<GlobalId>,
    /// The module and the function of each `static` variable in a function.
    static_locals: FxHashMap<GlobalId, (usize, String)>,
}

impl<'m> Translator<'m> {
    fn new(modules: &'m [Module], options: &'m TranslateOptions) -> Result<Self, Error> {
        let first = modules.first().ok_or_else(|| Error::Translate {
            message: "there is no module to translate".to_owned(),
        })?;
        let layout = Rc::new(DataLayout::parse(&first.data_layout)?);
        let tables = SourceTables::for_module(first);
        Ok(Translator {
            modules,
            options,
            data_model: data_model(&layout, &first.triple),
            types: modules
                .iter()
                .map(|module| Types::new(layout.clone(), &module.types))
                .collect(),
            tables,
            debug: modules.iter().map(DebugInfo::new).collect(),
            symbols: Symbols::new(modules),
            globals: IdVec::new(),
            functions: IdVec::new(),
            object_sites: IdVec::new(),
            properties: Properties::default(),
            function_ids: FxHashMap::default(),
            contracts: Contracts::new(modules),
            global_ids: FxHashMap::default(),
            pending_functions: VecDeque::new(),
            pending_globals: VecDeque::new(),
            function_names: builder::Names::default(),
            global_names: builder::Names::default(),
            external_functions: BTreeSet::new(),
            markers: FxHashMap::default(),
            marks_atomic: options.interrupt_functions.is_some() || threads::may_start_threads(modules),
            waits: false,
            assumptions: BTreeSet::new(),
            uses: None,
            registers: None,
            copied: None,
            copied_into: FxHashSet::default(),
            static_locals: FxHashMap::default(),
        })
    }

    fn types(&self, module: usize) -> Types<'m> {
        self.types[module].clone()
    }

    fn checks(&self, kind: PropertyKind) -> bool {
        self.options.checks.contains(&kind)
    }

    fn entry_symbol(&self) -> Result<Symbol, Error> {
        let name = self.options.entry.as_str();
        let found = match name.rsplit_once(':') {
            Some((unit, name)) => self.function_of_unit(unit, name),
            None => self.symbols.find_anywhere(self.modules, name),
        };
        match found {
            Some(symbol) => Ok(symbol),
            None => Err(Error::Translate {
                message: format!(
                    "the program defines no function `{name}` to start in; name another one with --entry \
                     FUNCTION"
                ),
            }),
        }
    }

    /// Gives ids to everything the user wrote, in source order.
    fn queue_user_code(&mut self) {
        for (module, ir) in self
            .modules
            .iter()
            .enumerate()
            .filter(|(_, m)| !m.is_library_model)
        {
            for (index, function) in ir.functions.iter().enumerate() {
                let is_copy = function.linkage == ir::Linkage::AvailableExternally;
                if !function.blocks.is_empty()
                    && !is_copy
                    && !self.contracts.is_check(module, index)
                    && self.symbols.is_chosen(module, &function.name, index)
                {
                    self.own_function_id(module, index);
                }
            }
            for (index, global) in ir.globals.iter().enumerate() {
                let has_c_name = !global.debug.is_empty();
                if global.initializer.is_some()
                    && has_c_name
                    && global.linkage != ir::Linkage::Private
                    && self.symbols.is_chosen(module, &global.name, index)
                {
                    self.global_id(module, index);
                }
            }
        }
    }

    /// Translates until nothing new is referred to.
    fn drain(&mut self) {
        loop {
            if let Some((id, module, index)) = self.pending_functions.pop_front() {
                self.enter_function(id, module, index);
                let function = FunctionTranslator::translate(self, id, module, index);
                self.functions[id] = function;
            } else if let Some((id, module, index)) = self.pending_globals.pop_front() {
                self.fill_global(id, module, index);
            } else {
                return;
            }
        }
    }

    /// The id of a function, or of the one that checks its contract.
    fn function_id(&mut self, module: usize, index: usize) -> FunctionId {
        let index = self.contracts.named(module, index);
        self.own_function_id(module, index)
    }

    /// The id of a function, which is translated later.
    fn own_function_id(&mut self, module: usize, index: usize) -> FunctionId {
        if let Some(&id) = self.function_ids.get(&(module, index)) {
            return id;
        }
        let ir = &self.modules[module].functions[index];
        let debug = self.debug[module].function(ir.debug, &mut self.tables);
        let position = debug.map_or_else(Position::default, |debug| debug.position);
        let name = self.function_names.fresh(&contracts::shown_name(&ir.name));
        let id = self.functions.push(empty_function(name, position));
        self.function_ids.insert((module, index), id);
        self.pending_functions.push_back((id, module, index));
        id
    }

    /// One property for the whole program; engines check it where the program ends.
    fn add_leak_property(&mut self, entry: FunctionId) {
        if self.checks(PropertyKind::Leak) {
            let position = self.functions[entry].position;
            let text = "heap memory is never freed".to_owned();
            self.properties.add(entry, PropertyKind::Leak, position, text);
        }
    }

    /// Attributes of LLVM IR that a user gives are neither assumed nor checked.
    fn list_promises(&mut self) {
        let given = self.modules.iter().filter(|module| module.is_given_as_ir);
        let words: BTreeSet<&str> = given
            .flat_map(|module| &module.promises)
            .map(|word| &**word)
            .collect();
        if !words.is_empty() {
            let words: Vec<&str> = words.into_iter().collect();
            self.assumptions.insert(format!(
                "the attributes of LLVM IR that are not checked are true: {}",
                words.join(", ")
            ));
        }
    }

    fn finish(mut self, entry: FunctionId) -> Program {
        self.list_promises();
        self.list_placed_objects();
        if !self.options.find_handlers {
            self.list_handlers();
        }
        let mut program = Program {
            data_model: self.data_model,
            files: self.tables.files,
            c_types: self.tables.c_types,
            globals: self.globals,
            functions: self.functions,
            object_sites: self.object_sites,
            properties: IdVec::new(),
            entry,
            external_functions: self.external_functions.into_iter().collect(),
            assumptions: self.assumptions.into_iter().collect(),
        };
        self.properties.install(&mut program);
        program
    }
}

fn empty_function(name: String, position: Position) -> Function {
    Function {
        name,
        parameters: Vec::new(),
        results: Vec::new(),
        variables: IdVec::new(),
        locations: IdVec::new(),
        entry: Id::new(0),
        exit: Id::new(0),
        position,
        variadic: false,
    }
}

fn data_model(layout: &DataLayout, triple: &str) -> DataModel {
    let pointer_width = layout.pointer_bits(0);
    let architecture = triple.split('-').next().unwrap_or_default();
    let is_windows = triple.contains("windows");
    let int_width = if matches!(architecture, "avr" | "msp430") {
        16
    } else {
        32
    };
    let long_width = if pointer_width == 64 && !is_windows {
        64
    } else {
        32
    };
    DataModel {
        pointer_width,
        int_width,
        long_width,
        big_endian: layout.big_endian,
        triple: triple.to_owned(),
    }
}
