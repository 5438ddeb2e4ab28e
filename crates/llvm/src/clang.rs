//! Running clang: C source in, textual LLVM IR out.
//!
//! Idea: one run per source file, everything through pipes. The version is read from the IR that comes
//! out, not asked for beforehand, because starting clang once more would double the time of a small
//! program; only where a run fails is `--version` asked, to tell an old clang from wrong C.
//!
//! Invariant: clang's own messages are collected unaltered, file by file in the order of the sources, however
//! many runs go on at once.
//!
//! Alternative rejected: trap mode (`-fsanitize-trap`), whose traps carry numbers that change between
//! versions; the handlers of the minimal runtime have names. The sanitizers go to the compiler proper
//! (`-Xclang`), since the driver refuses the runtime for some bare-metal targets, and nothing is linked.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tempfile::NamedTempFile;

use crate::child::{self, Stopped};
use crate::contracts;
use crate::dialects;
use crate::error::Error;
use crate::headers::Headers;
use crate::ir::{Metadata, MetadataField, Module};
use crate::search_path::Machine;

/// The oldest clang whose IR is known to be read.
const OLDEST: u32 = 14;
/// The newest version that is looked for by name.
const NEWEST: u32 = 40;

/// Always passed, after the user's arguments: the form of the IR that the translation expects. At `-O1`
/// clang writes down where the lives of variables begin and end, the bodies of C99's inline functions, and
/// what the program tells the optimiser to assume; no pass runs. Headers and programs see what they see
/// without optimisation: those of the C library would replace functions by bodies of their own.
const FORM: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__=1",
    "-fno-discard-value-names",
    "-g",
    "-S",
    "-emit-llvm",
    "-ffp-contract=off",
];

/// Functions whose calls clang would compute itself, with results that C leaves to the library: comparisons
/// may return any number of the right sign.
const LIBRARY_CALLS: &[&str] = &[
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
    "-fno-builtin-memcmp",
    "-fno-builtin-bcmp",
    "-fno-builtin-wcscmp",
    "-fno-builtin-wcsncmp",
    "-fno-builtin-wmemcmp",
];

/// The sanitizers whose checks become assertions. Null, alignment and object size are left to the
/// engines' own memory model, which also knows about lifetimes.
const SANITIZERS: &str = "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift-base,\
shift-exponent,array-bounds,vla-bound,float-cast-overflow,return,unreachable,builtin";

/// What clang says for want of a microcontroller's name.
const AVR_WARNINGS: &[&str] = &["-Wno-unknown-warning-option", "-Wno-avr-rtlib-linking-quirks"];

/// How sources are compiled; the same for every file.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// The compiler; found on `PATH` where it is not given.
    pub clang: Option<PathBuf>,
    /// `-I`.
    pub include_directories: Vec<PathBuf>,
    /// `-D`.
    pub defines: Vec<String>,
    /// `-U`.
    pub undefines: Vec<String>,
    /// `-include`.
    pub forced_includes: Vec<PathBuf>,
    /// `-std`.
    pub standard: Option<String>,
    /// `--target`.
    pub target: Option<String>,
    /// `--sysroot`: the directory with the target's C library.
    pub sysroot: Option<PathBuf>,
    /// Anything else for clang.
    pub arguments: Vec<String>,
    /// Whether clang's messages are coloured.
    pub colour: bool,
    /// Where they go.
    pub messages: Messages,
    /// Becomes true when nobody waits for the program any more; runs of clang are ended then.
    pub interrupt: Arc<AtomicBool>,
}

/// What compilers said, for whoever shows it. Clones collect in the same place.
#[derive(Clone, Debug, Default)]
pub struct Messages(Arc<Mutex<Vec<u8>>>);

impl Messages {
    /// Adds what a compiler said.
    pub fn add(&self, said: &[u8]) {
        // A thread that panicked while it added something has lost no more than that.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(said);
    }

    /// What was said since this was last asked.
    pub fn take(&self) -> String {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&std::mem::take(&mut *all)).into_owned()
    }
}

/// One input file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file, relative to `directory` where that is given.
    pub path: PathBuf,
    /// Where clang runs.
    pub directory: Option<PathBuf>,
    /// Arguments of this file alone, from a compile database.
    pub arguments: Vec<String>,
}

impl Source {
    /// A file named on the command line.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Source {
            path: path.into(),
            ..Source::default()
        }
    }

    /// The file as this process finds it.
    pub fn full_path(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => directory.join(&self.path),
            None => self.path.clone(),
        }
    }
}

/// What kind of input a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, preprocessed or not.
    C,
    /// Textual LLVM IR.
    LlvmIr,
}

/// Tells the language by the name, and refuses what is none of ours.
pub fn language(path: &Path) -> Result<Language, Error> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().into_owned());
    let refuse = |message: &str| {
        Err(Error::Input {
            path: path.to_path_buf(),
            message: message.to_owned(),
        })
    };
    match extension.as_deref() {
        Some("c" | "i") => Ok(Language::C),
        Some("ll") => Ok(Language::LlvmIr),
        Some("cpp" | "cc" | "cxx" | "c++" | "C" | "CPP" | "ii" | "hpp" | "hh") => refuse(
            "this is C++; only C is checked. Rename it to .c if it is C, or check the C parts of the program",
        ),
        Some("h") => refuse("this is a header; name the .c files that include it"),
        Some("s" | "S" | "asm") => refuse("this is assembly; only C is checked"),
        Some("m" | "mm") => refuse("this is Objective-C; only C is checked"),
        Some("bc") => refuse("this is LLVM bitcode; convert it with `llvm-dis` and name the .ll file"),
        Some("o" | "a" | "so" | "elf" | "hex") => refuse("this is compiled code; name the C sources"),
        _ => refuse("the name must end in .c, .i (preprocessed C) or .ll (textual LLVM IR)"),
    }
}

/// The line that includes a source, wherever it stands.
pub(crate) fn including(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let text = absolute.to_string_lossy();
    format!(
        "#include \"{}\"\n",
        text.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// Compiles a text in the place of a source that it includes.
pub(crate) fn compile_text(
    compiler: &Clang,
    source: &Source,
    text: &str,
    options: &CompileOptions,
) -> Result<Compiled, Error> {
    let path = source.full_path();
    let failed = |error: std::io::Error| Error::Read {
        path: path.clone(),
        source: error,
    };
    let mut wrapper = tempfile::Builder::new()
        .prefix("kripke-")
        .suffix(".c")
        .tempfile()
        .map_err(failed)?;
    wrapper.write_all(text.as_bytes()).map_err(failed)?;
    let wrapped = Source {
        path: wrapper.path().to_path_buf(),
        ..source.clone()
    };
    Ok(compiler.compile(&wrapped, options))
}

/// The file that a line of a preprocessed text says it goes on with: `# 12 "path" 1`.
fn marked_file(line: &str) -> Option<String> {
    let quoted = line.strip_prefix("# ")?.split_once(" \"")?.1;
    let mut name = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return Some(name),
            '\\' => name.push(characters.next()?),
            character => name.push(character),
        }
    }
}

/// A compiler that was found.
#[derive(Debug)]
pub struct Clang {
    path: PathBuf,
    /// Written when a target first needs them; none where no temporary file can be written.
    headers: OnceLock<Option<Headers>>,
    /// The spellings of contracts; none where no temporary file can be written.
    contracts: OnceLock<Option<NamedTempFile>>,
    /// This machine, and every other one that was asked for, by the arguments that mean it.
    machines: Mutex<HashMap<Vec<String>, Option<Machine>>>,
}

impl Clang {
    /// Finds clang: the one named, else `$KRIPKE_CLANG`, else `clang`, else the newest `clang-N`.
    pub fn find(named: Option<&Path>) -> Result<Clang, Error> {
        let from_environment = || std::env::var_os("KRIPKE_CLANG").filter(|name| !name.is_empty());
        let named = named
            .map(Path::to_path_buf)
            .or_else(|| from_environment().map(PathBuf::from));
        if let Some(name) = named {
            return match find_program(&name) {
                Some(path) => Ok(Clang::at(path)),
                None => Err(Error::Clang {
                    message: format!(
                        "there is no program `{}`; name clang with --clang PATH or the variable KRIPKE_CLANG",
                        name.display()
                    ),
                }),
            };
        }
        let numbered = (OLDEST..=NEWEST).rev().map(|version| format!("clang-{version}"));
        let names = std::iter::once("clang".to_owned()).chain(numbered);
        match names.into_iter().find_map(|name| find_program(Path::new(&name))) {
            Some(path) => Ok(Clang::at(path)),
            None => Err(Error::Clang {
                message: format!(
                    "clang is not installed; on Debian or Ubuntu: apt install clang (version {OLDEST} or \
                     newer). \
                     If it is not on PATH, name it with --clang PATH"
                ),
            }),
        }
    }

    /// The program that is run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn at(path: PathBuf) -> Clang {
        Clang {
            path,
            headers: OnceLock::new(),
            contracts: OnceLock::new(),
            machines: Mutex::default(),
        }
    }

    /// Compiles a C source to textual LLVM IR; clang's messages are in the result.
    pub fn compile(&self, source: &Source, options: &CompileOptions) -> Compiled {
        let full_path = source.full_path();
        if let Err(error) = std::fs::File::open(&full_path) {
            return Compiled::failed(Error::Read {
                path: full_path,
                source: error,
            });
        }
        let compile = |definitions: &[&str]| {
            let definitions: Vec<String> = { definitions.iter() }.map(|word| format!("-D{word}")).collect();
            let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
            let mut command = self.compilation(source, options, &definitions);
            match child::output(&mut command, None, &options.interrupt) {
                Ok(output) => self.check(&full_path, output),
                Err(stopped) => Compiled::failed(self.not_run(&stopped)),
            }
        };
        let compiled = compile(&[]);
        match dialects::definitions(&compiled.messages) {
            words if compiled.text.is_err() && !words.is_empty() => compile(words),
            _ => compiled,
        }
    }

    /// What is left of a C source when its directives and macros are done; clang has said of it what it has
    /// to say.
    pub(crate) fn preprocess(&self, source: &Source, options: &CompileOptions) -> Result<String, Error> {
        let only = ["-E", "-Qunused-arguments"];
        let mut command = self.compilation(source, options, &only);
        match child::output(&mut command, None, &options.interrupt) {
            Ok(output) => self.check(&source.full_path(), output).text,
            Err(stopped) => Err(self.not_run(&stopped)),
        }
        .map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    /// The files that a C source includes, as far as they have names on the disk.
    pub fn included_files(&self, source: &Source, options: &CompileOptions) -> Result<Vec<PathBuf>, Error> {
        let text = self.preprocess(source, options)?;
        let directory = source.directory.as_deref().unwrap_or(Path::new(""));
        let names: BTreeSet<String> = text.lines().filter_map(marked_file).collect();
        let paths = names.into_iter().map(|name| directory.join(name));
        Ok(paths.filter(|path| path.is_file()).collect())
    }

    /// What compiles a C source to its output, with arguments for what of that is to be done.
    fn compilation(&self, source: &Source, options: &CompileOptions, only: &[&str]) -> Command {
        let mut command = self.command(options);
        self.add_contracts(&mut command, &source.path);
        command.args(&source.arguments);
        self.add_headers(&mut command, &source.arguments, options);
        command.args(FORM).args(LIBRARY_CALLS).args([
            "-Xclang",
            SANITIZERS,
            "-Xclang",
            "-fsanitize-minimal-runtime",
        ]);
        command.args(only).args(["-o", "-", "--"]).arg(&source.path);
        if let Some(directory) = &source.directory {
            command.current_dir(directory);
        }
        command
    }

    /// Compiles a library model, given as text, for the same target. Its own checks come from its
    /// contract, so the sanitizers are off.
    pub fn compile_model(
        &self,
        name: &str,
        text: &str,
        target: Option<&str>,
        options: &CompileOptions,
    ) -> Result<Vec<u8>, Error> {
        let mut command = Command::new(&self.path);
        if let Some(target) = target.filter(|target| !target.is_empty()) {
            command.arg(format!("--target={target}"));
        }
        if target.is_some_and(|target| target.starts_with("avr")) {
            command.args(AVR_WARNINGS);
        }
        let changes_machine = |argument: &&String| argument.starts_with("-m") || argument.starts_with("-f");
        command.args(options.arguments.iter().filter(changes_machine));
        command.args([
            "-w",
            "-std=gnu17",
            "-ffreestanding",
            "-fno-builtin",
            "-fno-stack-protector",
        ]);
        command.args(FORM).args(["-o", "-", "-x", "c", "-"]);
        let output = child::output(&mut command, Some(text), &options.interrupt)
            .map_err(|stopped| self.not_run(&stopped))?;
        let compiled = self.check(Path::new(name), output);
        if compiled.text.is_err() {
            options.messages.add(&compiled.messages);
        }
        compiled.text
    }

    fn not_run(&self, stopped: &Stopped) -> Error {
        match stopped {
            Stopped::Interrupted => Error::Interrupted,
            Stopped::Failed(error) => Error::Clang {
                message: format!("cannot run {}: {error}", self.path.display()),
            },
        }
    }

    /// clang with the options of every file.
    fn command(&self, options: &CompileOptions) -> Command {
        let mut command = Command::new(&self.path);
        if options.colour {
            command.arg("-fcolor-diagnostics");
        }
        if let Some(target) = &options.target {
            command.arg(format!("--target={target}"));
        }
        command.args(sysroot(options));
        if let Some(standard) = &options.standard {
            command.arg(format!("-std={standard}"));
        }
        for directory in &options.include_directories {
            command.arg(joined("-I", directory));
        }
        for definition in &options.defines {
            command.arg(format!("-D{definition}"));
        }
        for name in &options.undefines {
            command.arg(format!("-U{name}"));
        }
        for file in &options.forced_includes {
            command.arg("-include").arg(file);
        }
        command.args(&options.arguments);
        command
    }

    /// The spellings of contracts, for what is still to be preprocessed.
    fn add_contracts(&self, command: &mut Command, path: &Path) {
        let write = || {
            let mut file = tempfile::Builder::new()
                .prefix("kripke-contracts-")
                .suffix(".h")
                .tempfile()?;
            file.write_all(contracts::HEADER.as_bytes())?;
            Ok::<_, std::io::Error>(file)
        };
        let is_preprocessed = path.extension().is_some_and(|extension| extension == "i");
        if let Some(file) = self.contracts.get_or_init(|| write().ok())
            && !is_preprocessed
        {
            command.arg("-include").arg(file.path());
        }
    }

    /// Headers for another machine than this one: those installed for it, else our own.
    fn add_headers(&self, command: &mut Command, own_arguments: &[String], options: &CompileOptions) {
        let arguments = machine_arguments(own_arguments, options);
        if !arguments.iter().any(|argument| chooses_machine(argument)) {
            return;
        }
        let Some(machine) = self.machine(&arguments, options) else {
            return;
        };
        if machine.triple.starts_with("avr") {
            // Nothing is linked, so the missing microcontroller does not matter.
            command.args(AVR_WARNINGS);
        }
        let Some(headers) = self.headers.get_or_init(|| Headers::write().ok()) else {
            return;
        };
        if !machine.is_hosted() {
            command.arg("-isystem").arg(headers.assert_directory());
        }
        if arguments.iter().any(|argument| names_library(argument)) {
            return;
        }
        match self.machine(&[], options) {
            Some(host) if !machine.shares_headers_with(&host) => {
                let installed = machine.installed(&host);
                command.arg("-nostdlibinc");
                for directory in &installed.before {
                    command.arg("-isystem").arg(directory);
                }
                for directory in &installed.after {
                    command.arg("-idirafter").arg(directory);
                }
            }
            _ => {}
        }
        for directory in [headers.directory(), headers.assert_directory()] {
            command.arg("-idirafter").arg(directory);
        }
    }

    /// The machine that arguments mean, asked for once.
    fn machine(&self, arguments: &[String], options: &CompileOptions) -> Option<Machine> {
        let mut machines = self.machines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = machines.get(arguments) {
            return known.clone();
        }
        let machine = Machine::ask(&self.path, arguments, &options.interrupt);
        machines.insert(arguments.to_vec(), machine.clone());
        machine
    }

    fn check(&self, path: &Path, output: Output) -> Compiled {
        let text = if output.status.success() && output.stdout.is_empty() {
            Err(self.not_clang())
        } else if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(self.failure(path, &output))
        };
        Compiled {
            text,
            messages: output.stderr,
        }
    }

    fn failure(&self, path: &Path, output: &Output) -> Error {
        match self.version() {
            Some(version) if version < OLDEST => return self.too_old(version),
            None => return self.not_clang(),
            Some(_) => {}
        }
        let mut status = output.status.to_string();
        if contains(&output.stderr, b"PLEASE submit a bug report") {
            status.push_str(": clang itself crashed, try another version with --clang");
        }
        if contains(&output.stderr, b"file not found") && contains(&output.stderr, b"'avr/") {
            status.push_str("; the registers of AVRs are described by avr-libc: apt install avr-libc");
        }
        Error::Compile {
            path: path.to_path_buf(),
            status,
        }
    }

    fn not_clang(&self) -> Error {
        Error::Clang {
            message: format!(
                "{} does not say that it is clang; name clang with --clang PATH or the variable KRIPKE_CLANG",
                self.path.display()
            ),
        }
    }

    fn too_old(&self, version: u32) -> Error {
        Error::Clang {
            message: format!(
                "{} is version {version}; Kripke needs clang {OLDEST} or newer. On Debian or Ubuntu: \
                 apt install clang-{OLDEST}; then --clang clang-{OLDEST}",
                self.path.display()
            ),
        }
    }

    /// The major version, as the compiler says it.
    fn version(&self) -> Option<u32> {
        let output = Command::new(&self.path)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        major_version(&String::from_utf8_lossy(&output.stdout))
    }

    /// Refuses the IR of a clang that is too old.
    pub fn check_version(&self, module: &Module) -> Result<(), Error> {
        match producer_version(module) {
            Some(version) if version < OLDEST => Err(self.too_old(version)),
            _ => Ok(()),
        }
    }
}

/// What a run of clang gave.
#[derive(Debug)]
pub struct Compiled {
    /// Textual LLVM IR.
    pub text: Result<Vec<u8>, Error>,
    /// Warnings and errors, as clang wrote them.
    pub messages: Vec<u8>,
}

impl Compiled {
    fn failed(error: Error) -> Self {
        Compiled {
            text: Err(error),
            messages: Vec::new(),
        }
    }
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Those of the arguments that decide which machine is meant and where its headers are.
fn machine_arguments(own_arguments: &[String], options: &CompileOptions) -> Vec<String> {
    let mut kept = Vec::new();
    kept.extend(options.target.iter().map(|target| format!("--target={target}")));
    kept.extend(sysroot(options));
    let mut arguments = options.arguments.iter().chain(own_arguments);
    while let Some(argument) = arguments.next() {
        if ["-target", "--sysroot", "-isysroot"].contains(&argument.as_str()) {
            kept.extend([argument].into_iter().chain(arguments.next()).cloned());
        } else if MACHINE_OPTIONS.iter().any(|option| argument.starts_with(option)) {
            kept.push(argument.clone());
        }
    }
    kept
}

fn sysroot(options: &CompileOptions) -> Option<String> {
    let directory = options.sysroot.as_ref()?;
    Some(format!("--sysroot={}", directory.display()))
}

/// Options that say something about the machine, its tools or its headers.
const MACHINE_OPTIONS: &[&str] = &[
    "--target=",
    "--sysroot=",
    "-isysroot",
    "-m",
    "-EB",
    "-EL",
    "-nostd",
    "--gcc-",
    "-resource-dir",
    "-B",
];

/// May this argument mean another machine than this one?
fn chooses_machine(argument: &str) -> bool {
    let exact = ["-target", "-m16", "-m32", "-m64", "-mx32", "-EB", "-EL"];
    let beginnings = [
        "--target=",
        "-mbig-endian",
        "-mlittle-endian",
        "-mabi=",
        "--sysroot",
        "-isysroot",
    ];
    exact.contains(&argument) || beginnings.iter().any(|option| argument.starts_with(option))
}

/// Does it say where the target's C library is?
fn names_library(argument: &str) -> bool {
    argument.starts_with("--sysroot") || argument.starts_with("-isysroot")
}

fn find_program(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_path_buf());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|program| program.is_file())
}

/// The version in `Debian clang version 14.0.6`.
fn major_version(text: &str) -> Option<u32> {
    let (_, after) = text.split_once("clang version ")?;
    let digits = after
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(after.len());
    after[..digits].parse().ok()
}

/// The version of the compiler that wrote a module.
fn producer_version(module: &Module) -> Option<u32> {
    let node = *module.named_metadata.get("llvm.ident")?.first()?;
    match module.metadata.get(&node)? {
        Metadata::Tuple(fields) => match fields.first()? {
            MetadataField::String(text) => major_version(text),
            _ => None,
        },
        Metadata::Specialised { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(major_version("Debian clang version 14.0.6\nTarget: x"), Some(14));
        assert_eq!(major_version("clang version 9.0.1-16"), Some(9));
        assert_eq!(major_version("gcc (Debian 12.2.0) 12.2.0"), None);
    }

    #[test]
    fn languages() {
        assert_eq!(language(Path::new("a/b.c")).ok(), Some(Language::C));
        assert_eq!(language(Path::new("b.i")).ok(), Some(Language::C));
        assert_eq!(language(Path::new("b.ll")).ok(), Some(Language::LlvmIr));
        for refused in ["b.cpp", "b.h", "b", "b.S", ".c", "b.bc", "b.o"] {
            assert!(language(Path::new(refused)).is_err(), "{refused}");
        }
    }

    #[test]
    fn missing_compiler() {
        let error = Clang::find(Some(Path::new("no-such-clang"))).expect_err("there is none");
        assert!(error.to_string().contains("--clang PATH"), "{error}");
    }
}
