//! From source files to a program: the whole front end in order.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kripke_elts::Program;

use crate::clang::{self, Clang, CompileOptions, Language, Source};
use crate::error::Error;
use crate::ir::{Linkage, Module};
use crate::translate::{
    DefinedFunction, FoundHandler, TranslateOptions, Translated, defined_functions, translate_all,
};
use crate::{contracts, dialects, format, library, link, parser, rtos, verify};

/// What is loaded and how.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The files, in the order of the command line.
    pub sources: Vec<Source>,
    /// For clang.
    pub compile: CompileOptions,
    /// For the translation.
    pub translate: TranslateOptions,
}

/// A loaded program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program model.
    pub program: Program,
    /// The handlers of interrupts that the sources contain, where they were looked for.
    pub handlers: Vec<FoundHandler>,
    /// Somewhere the program waits for an interrupt.
    pub waits: bool,
    /// What the user should know: declarations that disagree, and the like.
    pub warnings: Vec<String>,
}

/// Compiled and linked sources. A program is made of them for each function that it may start in.
#[derive(Clone, Debug)]
pub struct Linked {
    modules: Vec<Module>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Linked {
    /// The program that starts where the options say.
    pub fn program(&self, options: &TranslateOptions) -> Result<Program, Error> {
        Ok(self.translated(options)?.program)
    }

    fn translated(&self, options: &TranslateOptions) -> Result<Translated, Error> {
        let mut translated = translate_all(&self.modules, options)?;
        for file in translated.program.files.iter_mut() {
            file.path = shortened(&file.path);
        }
        Ok(translated)
    }

    /// The variables that other files could name and write to, by their linkage names.
    pub fn exported_variables(&self) -> BTreeSet<String> {
        let own = self.modules.iter().filter(|module| !module.is_library_model);
        let variables = own.flat_map(|module| &module.globals).filter(|variable| {
            let is_hidden = matches!(variable.linkage, Linkage::Internal | Linkage::Private);
            !is_hidden && !variable.constant && variable.initializer.is_some()
        });
        variables.map(|variable| variable.name.to_string()).collect()
    }

    /// The functions that it may start in.
    pub fn functions(&self) -> Result<Vec<DefinedFunction>, Error> {
        let mut functions = defined_functions(&self.modules)?;
        for function in &mut functions {
            function.file = shortened(&function.file);
        }
        Ok(functions)
    }
}

/// Compiles and links.
pub fn link(sources: &[Source], options: &CompileOptions) -> Result<Linked, Error> {
    let (modules, warnings) = linked_modules(sources, options)?;
    Ok(Linked { modules, warnings })
}

/// Compiles, links and translates.
pub fn load(options: &LoadOptions) -> Result<Loaded, Error> {
    let (clang, modules) = compile(&options.sources, &options.compile)?;
    finish(clang, modules, options)
}

/// Adds the models of the C library, links and translates.
pub(crate) fn finish(
    clang: Option<Clang>,
    modules: Vec<Module>,
    options: &LoadOptions,
) -> Result<Loaded, Error> {
    let (modules, warnings) = link_models(clang, modules, &options.sources, &options.compile)?;
    let linked = Linked { modules, warnings };
    let translated = linked.translated(&options.translate)?;
    Ok(Loaded {
        program: translated.program,
        handlers: translated.handlers,
        waits: translated.waits,
        warnings: linked.warnings,
    })
}

/// The program's modules and the models of the C library that they need, with warnings.
pub fn linked_modules(
    sources: &[Source],
    options: &CompileOptions,
) -> Result<(Vec<Module>, Vec<String>), Error> {
    let (clang, modules) = compile(sources, options)?;
    link_models(clang, modules, sources, options)
}

fn link_models(
    clang: Option<Clang>,
    mut modules: Vec<Module>,
    sources: &[Source],
    options: &CompileOptions,
) -> Result<(Vec<Module>, Vec<String>), Error> {
    let warnings = link::check(&modules)?;
    contracts::check_open_calls(&modules)?;
    // The models are compiled for the machine that the first source is compiled for.
    let mut model_options = options.clone();
    model_options.arguments.extend(
        sources
            .first()
            .map(|source| source.arguments.clone())
            .unwrap_or_default(),
    );
    add_library_models(clang, &mut modules, &model_options)?;
    Ok((modules, warnings))
}

/// Compiles and parses every source; the compiler is returned where one was needed.
pub fn compile(sources: &[Source], options: &CompileOptions) -> Result<(Option<Clang>, Vec<Module>), Error> {
    if sources.is_empty() {
        return Err(Error::Option {
            message:
                "no input: name C files (kripke check main.c), a compile database, or write a kripke.toml"
                    .to_owned(),
        });
    }
    let mut languages = Vec::new();
    for source in sources {
        languages.push(clang::language(&source.path)?);
    }
    let clang = if languages.contains(&Language::C) {
        Some(Clang::find(options.clang.as_deref())?)
    } else {
        None
    };
    let jobs: Vec<(&Source, Option<&Clang>)> = sources
        .iter()
        .zip(&languages)
        .map(|(source, language)| (source, clang.as_ref().filter(|_| *language == Language::C)))
        .collect();
    let mut modules = Vec::new();
    let mut failure = None;
    for (messages, result) in run_in_parallel(&jobs, |(source, clang)| load_module(source, *clang, options)) {
        options.messages.add(&messages);
        match result {
            Ok(module) => modules.push(module),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) => Err(error),
        None => Ok((clang, modules)),
    }
}

/// The module of one source, with what clang had to say.
fn load_module(
    source: &Source,
    clang: Option<&Clang>,
    options: &CompileOptions,
) -> (Vec<u8>, Result<Module, Error>) {
    let path = source.full_path();
    let Some(clang) = clang else {
        let text = std::fs::read(&path).map_err(|source| Error::Read {
            path: path.clone(),
            source,
        });
        return (
            Vec::new(),
            text.and_then(|text| parse_and_verify(&text, &path.to_string_lossy())),
        );
    };
    let mut compiled = clang.compile(source, options);
    let mut of_loops = None;
    if compiled.text.is_err() && contracts::has_assigns_of_loops(&compiled.messages) {
        let defines = [&options.defines[..], &[contracts::ASSIGNS_OF_LOOPS.to_owned()]].concat();
        let options = of_loops.insert(CompileOptions {
            defines,
            ..options.clone()
        });
        compiled = clang.compile(source, options);
    }
    let options = of_loops.as_ref().unwrap_or(options);
    let module = compiled.text.and_then(|text| parse_compiled(clang, &text, &path));
    let preprocessed = || clang.preprocess(source, options);
    let definitions = |module| contracts::functions::definitions(module, preprocessed);
    match module.as_ref().map(definitions) {
        Ok(Ok(Some(definitions))) => {
            let wrapper = format!("{}{definitions}", clang::including(&path));
            let (messages, module) = load_with_contracts(source, &wrapper, clang, options);
            // What clang says of the source itself it has said already.
            let messages = if module.is_ok() {
                compiled.messages
            } else {
                messages
            };
            (messages, module)
        }
        Ok(Err(error)) => (compiled.messages, Err(error)),
        Ok(Ok(None)) | Err(_) => (compiled.messages, module),
    }
}

/// The module of a source and the functions that check its functions' contracts.
fn load_with_contracts(
    source: &Source,
    wrapper: &str,
    clang: &Clang,
    options: &CompileOptions,
) -> (Vec<u8>, Result<Module, Error>) {
    let path = source.full_path();
    let compiled = match clang::compile_text(clang, source, wrapper, options) {
        Ok(compiled) => compiled,
        Err(error) => return (Vec::new(), Err(error)),
    };
    let text = compiled.text.map_err(|error| match error {
        Error::Compile { status, .. } => Error::Compile {
            path: path.clone(),
            status,
        },
        other => other,
    });
    let module = text.and_then(|text| {
        let mut module = parse_compiled(clang, &text, &path)?;
        module.source_filename = source.path.to_string_lossy().into_owned();
        contracts::functions::check_wrappers(&mut module)?;
        Ok(module)
    });
    (compiled.messages, module)
}

/// The module that clang wrote for a source.
pub(crate) fn parse_compiled(clang: &Clang, text: &[u8], path: &Path) -> Result<Module, Error> {
    let mut module = parser::parse(text, &format!("{} (as LLVM IR)", path.display()))?;
    clang.check_version(&module)?;
    contracts::place_loop_invariants(&mut module)?;
    dialects::mark_handlers(&mut module);
    Ok(module)
}

/// For modules that do not come straight from clang.
fn parse_and_verify(text: &[u8], name: &str) -> Result<Module, Error> {
    let mut module = parser::parse(text, name)?;
    verify::verify(&module, name)?;
    contracts::place_loop_invariants(&mut module)?;
    module.is_given_as_ir = true;
    Ok(module)
}

/// Runs the jobs on as many threads as the machine has; the results are in the order of the jobs.
pub(crate) fn run_in_parallel<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
    if let [job] = jobs {
        return vec![run(job)];
    }
    let threads = std::thread::available_parallelism()
        .map_or(2, usize::from)
        .min(jobs.len());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(jobs.len()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { break };
            let result = run(job);
            results
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut results = results
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Adds the models of the C library that the program needs, and those that these need.
fn add_library_models(
    clang: Option<Clang>,
    modules: &mut Vec<Module>,
    options: &CompileOptions,
) -> Result<(), Error> {
    let mut added = BTreeSet::new();
    let mut clang = clang;
    loop {
        let undefined = link::undefined(modules);
        let mut models = library::models_for(undefined.into_iter().chain(format::needed_models(modules)));
        models.retain(|model| added.insert(model.name));
        if models.is_empty() {
            return Ok(());
        }
        foresee(&mut models, modules, &mut added);
        let compiler = match &clang {
            Some(compiler) => compiler,
            None => clang.insert(Clang::find(options.clang.as_deref())?),
        };
        let target = modules.first().map(|module| module.triple.clone());
        let of_port = rtos::definitions(modules);
        let compiled = run_in_parallel(&models, |model| {
            let mut text = model.text.to_owned();
            if model.name == rtos::MODEL {
                text.insert_str(0, &of_port);
            }
            let text = compiler.compile_model(model.name, &text, target.as_deref(), options)?;
            let mut module = parser::parse(&text, model.name)?;
            module.is_library_model = true;
            module.source_filename = model.name.to_owned();
            Ok(module)
        });
        for module in compiled {
            modules.push(module?);
        }
    }
}

/// Adds the models that these will need, as far as their texts tell, so that they are compiled at once.
fn foresee(models: &mut Vec<library::ModelFile>, modules: &[Module], added: &mut BTreeSet<&'static str>) {
    let mut seen = 0;
    while let Some(model) = models.get(seen) {
        let names = library::names_in(model);
        let is_defined = |name: &&str| modules.iter().any(|module| link::defines(module, name));
        let mut needed = library::models_for(names.into_iter().filter(|name| !is_defined(name)));
        needed.retain(|model| added.insert(model.name));
        models.append(&mut needed);
        seen += 1;
    }
}

/// A path as messages show it: from the current directory, where it is below that.
pub(crate) fn shortened(path: &str) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    match Path::new(path).strip_prefix(&current) {
        Ok(relative) if current.is_absolute() => relative.to_string_lossy().into_owned(),
        _ => path.to_owned(),
    }
}
