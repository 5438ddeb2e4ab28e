//! From the sources of a job to a program model.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kripke_elts::passes::{self, PassOptions, PassStatistics};
use kripke_elts::{Program, PropertyId};
use kripke_interrupts::Asked;
use kripke_llvm::clang::{CompileOptions, Messages, Source};
use kripke_llvm::loader::{self, Linked, LoadOptions};
use kripke_llvm::translate::TranslateOptions;
use kripke_model::PropertyKind;
use kripke_threads::Wanted;

use super::temporal::{self, WithFormulas};
use super::threads;
use super::{conditions, interrupts};
use crate::events::Events;
use crate::failure::Failure;
use crate::formulas::Given;
use crate::job::Sources;

/// A program and where it came from.
pub struct Loaded {
    /// The model, as the front end made it.
    pub program: Program,
    /// Its files, as the user or the compile database names them.
    pub files: Vec<String>,
}

/// The program model among the sources.
pub fn model(given: &Sources) -> Option<&PathBuf> {
    let is_model = |path: &&PathBuf| path.extension().is_some_and(|name| name == "elts");
    given.files.iter().find(is_model)
}

/// Compiles and translates, or reads a model's text form.
pub fn load(
    given: &Sources,
    checks: &[PropertyKind],
    events: &mut dyn Events,
    interrupt: &Arc<AtomicBool>,
) -> Result<Loaded, Failure> {
    let mut loaded = load_unwoven(given, checks, events, interrupt)?;
    threads::weave(&mut loaded.program, of_threads(given, checks))?;
    Ok(loaded)
}

/// What is wanted of threads where there are no formulas.
pub(super) fn of_threads(given: &Sources, checks: &[PropertyKind]) -> Wanted<'static> {
    let wanted = Wanted {
        context_bound: given.context_bound,
        counts_iterations: given.counts_iterations,
        ..Wanted::default()
    };
    match model(given) {
        Some(_) => wanted,
        None => Wanted {
            races: checks.contains(&PropertyKind::DataRace),
            asked: asked(checks),
            ..wanted
        },
    }
}

/// The same, before threads are woven into one function.
pub(super) fn load_unwoven(
    given: &Sources,
    checks: &[PropertyKind],
    events: &mut dyn Events,
    interrupt: &Arc<AtomicBool>,
) -> Result<Loaded, Failure> {
    if let Some(model) = model(given) {
        let mut loaded = read_model(model, given.files.len())?;
        if given.interrupts.find {
            return Err(Failure::input(
                "--interrupts finds handlers in C sources; of a program model name them with --interrupt",
            ));
        }
        conditions::refuse(&given.interrupts)?;
        interrupts::add(
            &mut loaded.program,
            &given.interrupts,
            &[],
            (&[], &[]),
            asked(checks),
        )?;
        return Ok(loaded);
    }
    let sources = sources(given, events)?;
    let files = names(&sources);
    let options = load_options(given, checks, sources, interrupt);
    let loaded = conditions::load(&options, &given.interrupts);
    tell_messages(&options, events);
    let (loaded, conditions) = loaded?;
    let loader::Loaded {
        mut program,
        handlers,
        warnings,
        ..
    } = loaded;
    for warning in warnings {
        events.warning(&format!("warning: {warning}"));
    }
    interrupts::add(
        &mut program,
        &given.interrupts,
        &handlers,
        (&[], &conditions),
        asked(checks),
    )?;
    Ok(Loaded { program, files })
}

/// What is asked about accesses that others come between.
fn asked(checks: &[PropertyKind]) -> Asked {
    Asked {
        torn: checks.contains(&PropertyKind::TornAccess),
        atomicity: checks.contains(&PropertyKind::Atomicity),
        calls: checks.contains(&PropertyKind::HandlerCall),
    }
}

/// Loads C sources together with the atoms of formulas.
pub fn load_with_formulas(
    given: &Sources,
    checks: &[PropertyKind],
    formulas: Vec<Given>,
    events: &mut dyn Events,
    interrupt: &Arc<AtomicBool>,
) -> Result<(WithFormulas, Vec<String>), Failure> {
    let sources = sources(given, events)?;
    let files = names(&sources);
    let options = load_options(given, checks, sources, interrupt);
    let texts = conditions::texts(&given.interrupts);
    let mut program = temporal::load(&options, formulas, (&given.interrupts, &texts), events)?;
    let atoms = program.atoms();
    let handlers = std::mem::take(&mut program.handlers);
    interrupts::add(
        &mut program.program,
        &given.interrupts,
        &handlers,
        (&atoms, &program.conditions),
        asked(checks),
    )?;
    let wanted = Wanted {
        atoms: &atoms,
        races: checks.contains(&PropertyKind::DataRace),
        asked: asked(checks),
        context_bound: given.context_bound,
        counts_iterations: given.counts_iterations,
        relies_on_locks: false,
        drops_certain: false,
    };
    threads::weave(&mut program.program, wanted)?;
    Ok((program, files))
}

/// Compiles C sources, of which programs are then made for each function to start in.
pub(crate) fn link(
    given: &Sources,
    events: &mut dyn Events,
    interrupt: &Arc<AtomicBool>,
) -> Result<(Linked, Vec<String>), Failure> {
    let sources = sources(given, events)?;
    let files = names(&sources);
    let options = load_options(given, &[], sources, interrupt);
    let linked = loader::link(&options.sources, &options.compile);
    tell_messages(&options, events);
    let linked = linked?;
    for warning in &linked.warnings {
        events.warning(&format!("warning: {warning}"));
    }
    Ok((linked, files))
}

/// The files as the user or the compile database names them.
fn names(sources: &[Source]) -> Vec<String> {
    let paths = sources.iter().map(Source::full_path);
    paths.map(|path| path.display().to_string()).collect()
}

fn load_options(
    given: &Sources,
    checks: &[PropertyKind],
    sources: Vec<Source>,
    interrupt: &Arc<AtomicBool>,
) -> LoadOptions {
    LoadOptions {
        sources,
        compile: CompileOptions {
            messages: Messages::default(),
            interrupt: Arc::clone(interrupt),
            ..given.compile.clone()
        },
        translate: translate_options(given, checks),
    }
}

pub(crate) fn translate_options(given: &Sources, checks: &[PropertyKind]) -> TranslateOptions {
    TranslateOptions {
        entry: given.entry.clone(),
        checks: checks.iter().copied().collect(),
        malloc_may_fail: given.malloc_may_fail,
        volatile_memory: given.volatile_memory,
        entry_objects: given.entry_objects,
        arguments: given.arguments,
        replaced: given.replaced.clone(),
        interrupt_functions: interrupts::functions(&given.interrupts),
        interrupt_handlers: given.interrupts.names(),
        find_handlers: given.interrupts.find,
    }
}

/// Passes on what the compiler said, if it said anything.
pub fn tell_messages(options: &LoadOptions, events: &mut dyn Events) {
    let said = options.compile.messages.take();
    if !said.is_empty() {
        events.compiler(&said);
    }
}

/// Makes the model smaller, for the properties selected (all where none are).
pub fn optimise(program: &mut Program, selected: Option<&[PropertyId]>) -> Vec<PassStatistics> {
    let options = PassOptions {
        selected: selected.map(<[PropertyId]>::to_vec),
        ..PassOptions::default()
    };
    passes::optimise(program, &options)
}

/// The sources, those of a compile database included.
pub(crate) fn sources(given: &Sources, events: &mut dyn Events) -> Result<Vec<Source>, Failure> {
    let mut sources: Vec<Source> = given.files.iter().map(Source::new).collect();
    if let Some(path) = &given.compile_db {
        let database = kripke_llvm::compile_database::read(path, &given.filter)
            .map_err(|error| Failure::input(error.to_string()))?;
        for warning in database.warnings {
            events.warning(&format!("warning: {warning}"));
        }
        sources.extend(database.sources);
    }
    Ok(sources)
}

fn read_model(path: &PathBuf, file_count: usize) -> Result<Loaded, Failure> {
    let name = path.display();
    if file_count > 1 {
        return Err(Failure::input(format!(
            "{name}: a program model is a whole program; give it alone"
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read the program model {name}: {error}")))?;
    let program =
        kripke_elts::text::parse(&text).map_err(|error| Failure::input(format!("{name}:{error}")))?;
    Ok(Loaded {
        program,
        files: vec![name.to_string()],
    })
}
