//! Atoms of temporal formulas: C expressions, compiled where the program's names are visible.
//!
//! Idea: each atom becomes a function at the end of a translation unit, so that clang itself reads it: static
//! globals, macros, types and enumeration constants mean what they mean in the unit. The unit is compiled
//! through a wrapper that includes it; the program's own code stays as it is. Of several units the first that
//! understands an atom has it.
//!
//! Invariant: what clang says of an atom is reported at its place in the atom's text. Whether an atom has
//! side effects is judged on the translated function, not here.

use kripke_elts::FunctionId;
use kripke_elts::interrupts::ATOM;

use crate::clang::{self, Clang, Compiled, Language, Source};
use crate::contracts::functions;
use crate::error::Error;
use crate::loader::{self, LoadOptions, Loaded};

/// The name under which `#line` places an atom, with its number.
const FILE: &str = "<atom";

/// An atom that the program's units do not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomError {
    /// Which atom.
    pub atom: usize,
    /// Where in its text, in characters from 0.
    pub column: usize,
    /// What clang says.
    pub message: String,
}

/// Why a program with atoms could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// The program itself.
    Program(Error),
    /// Some atoms.
    Atoms(Vec<AtomError>),
}

impl From<Error> for LoadError {
    fn from(error: Error) -> Self {
        LoadError::Program(error)
    }
}

/// Compiles, links and translates a program with the atoms as functions of their own: no parameters, and a
/// result that is zero or not. The functions are in the order of the atoms.
pub fn load(options: &LoadOptions, atoms: &[String]) -> Result<(Loaded, Vec<FunctionId>), LoadError> {
    for source in &options.sources {
        if clang::language(&source.path)? != Language::C {
            return Err(LoadError::Program(Error::Input {
                path: source.full_path(),
                message: "atoms of formulas can only be compiled into C sources".to_owned(),
            }));
        }
    }
    let compiler = Clang::find(options.compile.clang.as_deref())?;
    let texts: Vec<String> = options.sources.iter().map(source_text).collect();
    let mut refusals: Vec<Vec<AtomError>> = vec![Vec::new(); atoms.len()];
    // Each atom is first tried where its names are written; every unit is compiled at once.
    let homes: Vec<usize> = atoms.iter().map(|atom| likely_home(atom, &texts)).collect();
    let jobs: Vec<usize> = (0..options.sources.len()).collect();
    let units = loader::run_in_parallel(&jobs, |unit| {
        let wanted: Vec<usize> = (0..atoms.len()).filter(|atom| homes[*atom] == *unit).collect();
        compile_unit(&compiler, &options.sources[*unit], options, atoms, &wanted)
    });
    let mut units = units.into_iter().collect::<Result<Vec<Unit>, LoadError>>()?;
    let mut open: Vec<usize> = Vec::new();
    for unit in &mut units {
        options.compile.messages.add(&unit.messages);
        for error in std::mem::take(&mut unit.refused) {
            open.push(error.atom);
            refusals[error.atom].push(error);
        }
    }
    open.sort_unstable();
    // What was refused there is tried in the others, one by one.
    for (index, source) in options.sources.iter().enumerate() {
        let elsewhere: Vec<usize> = open
            .iter()
            .copied()
            .filter(|atom| homes[*atom] != index)
            .collect();
        if elsewhere.is_empty() {
            continue;
        }
        let mut wanted = units[index].understood.clone();
        wanted.extend(&elsewhere);
        let unit = compile_unit(&compiler, source, options, atoms, &wanted)?;
        open.retain(|atom| !unit.understood.contains(atom));
        for error in &unit.refused {
            refusals[error.atom].push(error.clone());
        }
        units[index] = unit;
    }
    if !open.is_empty() {
        let first = |atom: &usize| most_telling(&refusals[*atom]);
        return Err(LoadError::Atoms(open.iter().filter_map(first).collect()));
    }
    let modules = units.into_iter().map(|unit| unit.module).collect();
    let mut loaded = loader::finish(Some(compiler), modules, options)?;
    if loaded.waits {
        let ends = "where the program waits for an interrupt (`wfi`, `sleep`), it goes on at last";
        loaded.program.assumptions.push(ends.to_owned());
    }
    let find = |atom: usize| {
        let name = function_name(atom);
        let mut functions = loaded.program.functions.enumerate();
        functions
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    };
    let functions: Option<Vec<FunctionId>> = (0..atoms.len()).map(find).collect();
    match functions {
        Some(functions) => Ok((hide(loaded), functions)),
        None => Err(LoadError::Program(Error::Translate {
            message:
                "the program defines a function named like those of the formulas' atoms (kripke_atom_...)"
                    .to_owned(),
        })),
    }
}

fn function_name(atom: usize) -> String {
    format!("{ATOM}{atom}")
}

/// Of what several units say: a name that is nowhere is the usual mistake, so anything else tells more.
fn most_telling(errors: &[AtomError]) -> Option<AtomError> {
    let telling = errors
        .iter()
        .find(|error| !error.message.contains("undeclared identifier"));
    telling.or(errors.first()).cloned()
}

/// Code of atoms is not the user's: traces do not step through it.
fn hide(mut loaded: Loaded) -> Loaded {
    for file in loaded.program.files.iter_mut() {
        file.is_library_model |= file.path.contains(FILE);
    }
    loaded
}

struct Unit {
    module: crate::ir::Module,
    messages: Vec<u8>,
    understood: Vec<usize>,
    refused: Vec<AtomError>,
}

/// The text of a source; empty where it cannot be read, which clang will say.
fn source_text(source: &Source) -> String {
    let bytes = std::fs::read(source.full_path()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The unit whose text most likely declares the names in an atom.
fn likely_home(atom: &str, texts: &[String]) -> usize {
    let names: Vec<&str> = words(atom).collect();
    let score = |text: &String| names.iter().map(|name| evidence(text, name)).sum::<usize>();
    let best = texts.iter().map(score).max().unwrap_or(0);
    texts.iter().position(|text| score(text) == best).unwrap_or(0)
}

/// How much a text looks as if it declared a name: a line at the margin that ends a declaration, or at least
/// its use.
fn evidence(text: &str, name: &str) -> usize {
    let mut most = 0;
    for line in text.lines().filter(|line| line.contains(name)) {
        if !words(line).any(|word| word == name) {
            continue;
        }
        let at_margin = line.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let declares = at_margin && line.contains([';', '=', '[']) && !line.starts_with("extern");
        most = most.max(if declares { 4 } else { 1 });
    }
    most
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.split(move |character| !is_part(character))
        .filter(|word| !word.is_empty())
}

/// Compiles a source with as many of the atoms as it understands.
fn compile_unit(
    compiler: &Clang,
    source: &Source,
    options: &LoadOptions,
    atoms: &[String],
    wanted: &[usize],
) -> Result<Unit, LoadError> {
    let mut understood = wanted.to_vec();
    let mut refused = Vec::new();
    let mut contracts: Option<String> = None;
    loop {
        let compiled = compile_with(
            compiler,
            source,
            options,
            (atoms, &understood),
            contracts.as_deref().unwrap_or_default(),
        )?;
        let errors = atom_errors(&compiled.messages);
        if compiled.text.is_err() && !errors.is_empty() {
            let before = understood.len();
            understood.retain(|atom| !errors.iter().any(|error| error.atom == *atom));
            refused.extend(errors);
            if understood.len() < before {
                continue;
            }
        }
        let text = match compiled.text {
            Ok(text) => text,
            Err(error) => {
                options.compile.messages.add(&compiled.messages);
                return Err(LoadError::Program(error));
            }
        };
        let mut module = loader::parse_compiled(compiler, &text, &source.full_path())?;
        let preprocessed = || compiler.preprocess(source, &options.compile);
        if contracts.is_none()
            && let Some(definitions) = functions::definitions(&module, preprocessed)?
        {
            contracts = Some(definitions);
            continue;
        }
        functions::check_wrappers(&mut module)?;
        return Ok(Unit {
            module,
            messages: compiled.messages,
            understood,
            refused,
        });
    }
}

/// Compiles the wrapper of a source and some atoms.
fn compile_with(
    compiler: &Clang,
    source: &Source,
    options: &LoadOptions,
    (atoms, which): (&[String], &[usize]),
    contracts: &str,
) -> Result<Compiled, LoadError> {
    if which.is_empty() && contracts.is_empty() {
        return Ok(compiler.compile(source, &options.compile));
    }
    let path = source.full_path();
    let failed = |error: std::io::Error| Error::Read {
        path: path.clone(),
        source: error,
    };
    std::fs::File::open(&path).map_err(failed)?;
    let text = clang::including(&path) + &functions_text(atoms, which) + contracts;
    let mut compile = options.compile.clone();
    compile.arguments.push("-ferror-limit=0".to_owned());
    Ok(clang::compile_text(compiler, source, &text, &compile)?)
}

fn functions_text(atoms: &[String], which: &[usize]) -> String {
    let mut text = String::new();
    for atom in which {
        // A line of its own, so that columns in clang's messages are columns in the atom.
        let expression = atoms[*atom].replace(['\n', '\r'], " ");
        text.push_str(&format!(
            "int {name}(void);\nint {name}(void) {{ return ((\n#line 1 \"{FILE} {atom}>\"\n{expression}\n)) \
             ? \
             1 : 0; }}\n",
            name = function_name(*atom)
        ));
    }
    text
}

/// The errors of clang's messages that are about atoms.
fn atom_errors(messages: &[u8]) -> Vec<AtomError> {
    let text = strip_colours(&String::from_utf8_lossy(messages));
    let mut errors: Vec<AtomError> = Vec::new();
    for line in text.lines() {
        let Some(error) = atom_error(line) else { continue };
        if !errors.iter().any(|known| known.atom == error.atom) {
            errors.push(error);
        }
    }
    errors
}

/// `<atom 3>:1:7: error: use of undeclared identifier 'x'`.
fn atom_error(line: &str) -> Option<AtomError> {
    let rest = line.strip_prefix(FILE)?.trim_start();
    let (atom, rest) = rest.split_once(">:")?;
    let mut parts = rest.splitn(3, ':');
    let (_, column, message) = (parts.next()?, parts.next()?, parts.next()?);
    let message = message
        .trim()
        .strip_prefix("error:")
        .or_else(|| message.trim().strip_prefix("fatal error:"))?;
    Some(AtomError {
        atom: atom.parse().ok()?,
        column: column.trim().parse::<usize>().ok()?.saturating_sub(1),
        message: message.trim().to_owned(),
    })
}

fn strip_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut escape = false;
    for character in text.chars() {
        match character {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            _ if escape => {}
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_messages_about_atoms() {
        let messages = b"main.c:3:1: warning: x\n\x1b[1m<atom 2>:1:5: \x1b[0m\x1b[31merror: \x1b[0mno \
            x\n<atom 2>:1:9: error: y\n";
        let expected = AtomError {
            atom: 2,
            column: 4,
            message: "no x".to_owned(),
        };
        assert_eq!(atom_errors(messages), vec![expected]);
    }

    #[test]
    fn wraps_each_atom_on_a_line_of_its_own() {
        let include = clang::including(std::path::Path::new("/a \"b\".c"));
        assert_eq!(include, "#include \"/a \\\"b\\\".c\"\n");
        let text = functions_text(&["x > 1".to_owned(), "y".to_owned()], &[1]);
        assert!(text.contains("#line 1 \"<atom 1>\"\ny\n"), "{text}");
        assert!(!text.contains("x > 1"), "{text}");
    }
}
