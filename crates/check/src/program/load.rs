//! From the command line's source options to a program model.

use std::path::PathBuf;

use kripke_elts::passes::{self, PassOptions, PassStatistics};
use kripke_elts::{Program, PropertyId};
use kripke_llvm::clang::{CompileOptions, Source};
use kripke_llvm::loader::{self, LoadOptions};
use kripke_llvm::translate::TranslateOptions;
use kripke_model::PropertyKind;

use crate::arguments::{PropertyArguments, SourceArguments};
use crate::checks::parse_checks;
use crate::failure::Failure;
use crate::output;
use crate::temporal::{self, WithFormulas};

/// A program and where it came from.
pub struct Loaded {
    /// The model, as the front end made it.
    pub program: Program,
    /// Its files, as the user or the compile database names them.
    pub files: Vec<String>,
}

/// The kinds that `--check` selects.
pub fn checks(arguments: &PropertyArguments) -> Result<Vec<PropertyKind>, Failure> {
    parse_checks(arguments.check.as_deref()).map_err(Failure::Input)
}

/// Compiles and translates, or reads a model's text form.
pub fn load(arguments: &SourceArguments, checks: &[PropertyKind]) -> Result<Loaded, Failure> {
    if let Some(model) = arguments
        .files
        .iter()
        .find(|path| path.extension().is_some_and(|name| name == "elts"))
    {
        return read_model(model, arguments.files.len());
    }
    let sources = sources(arguments)?;
    let files = sources
        .iter()
        .map(|source| source.full_path().display().to_string())
        .collect();
    let loader::Loaded { program, warnings } = loader::load(&load_options(arguments, checks, sources))
        .map_err(|error| Failure::input(error.to_string()))?;
    for warning in warnings {
        output::note(&format!("warning: {warning}"));
    }
    Ok(Loaded { program, files })
}

/// Loads C sources together with the atoms of formulas.
pub fn load_with_formulas(
    arguments: &SourceArguments,
    checks: &[PropertyKind],
    formulas: Vec<temporal::Given>,
) -> Result<(WithFormulas, Vec<String>), Failure> {
    let sources = sources(arguments)?;
    let files = sources
        .iter()
        .map(|source| source.full_path().display().to_string())
        .collect();
    let program = temporal::load(&load_options(arguments, checks, sources), formulas)?;
    Ok((program, files))
}

fn load_options(arguments: &SourceArguments, checks: &[PropertyKind], sources: Vec<Source>) -> LoadOptions {
    LoadOptions {
        sources,
        compile: CompileOptions {
            clang: arguments.clang.clone(),
            include_directories: arguments.include_directories.clone(),
            defines: arguments.defines.clone(),
            undefines: arguments.undefines.clone(),
            forced_includes: arguments.includes.clone(),
            standard: arguments.std.clone(),
            target: arguments.target.clone(),
            arguments: arguments.clang_arguments.clone(),
            colour: None,
        },
        translate: TranslateOptions {
            entry: arguments.entry.clone(),
            checks: checks.iter().copied().collect(),
            malloc_may_fail: arguments.malloc_may_fail,
        },
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

fn sources(arguments: &SourceArguments) -> Result<Vec<Source>, Failure> {
    let mut sources: Vec<Source> = arguments.files.iter().map(Source::new).collect();
    if let Some(path) = &arguments.compile_db {
        let database = kripke_llvm::compile_database::read(path, &arguments.filter)
            .map_err(|error| Failure::input(error.to_string()))?;
        for warning in database.warnings {
            output::note(&format!("warning: {warning}"));
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
