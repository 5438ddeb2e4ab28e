//! Compile databases: `compile_commands.json`, as CMake, Meson and `bear` write them.
//!
//! Idea: of each command only the arguments that change what the C means are kept (macros, include
//! paths, the standard, the target, sizes of types); optimisation, warnings, output and dependency
//! options are dropped, and so are the options of other compilers that clang would refuse. A cross
//! compiler's name (`arm-none-eabi-gcc`) becomes `--target`.
//!
//! Source: clang's "JSON Compilation Database Format Specification"; the shell's quoting rules from POSIX.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::clang::Source;
use crate::error::Error;

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The sources of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileDatabase {
    /// The C files, with their arguments, in order.
    pub sources: Vec<Source>,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

/// Reads a database. With filters, only files whose path (below the database's folder, where it is there)
/// contains one of them are kept; `*` in a filter stands for any text.
pub fn read(path: &Path, filters: &[String]) -> Result<CompileDatabase, Error> {
    let path = if path.is_dir() {
        path.join("compile_commands.json")
    } else {
        path.to_path_buf()
    };
    let text = std::fs::read(&path).map_err(|source| Error::Read {
        path: path.clone(),
        source,
    })?;
    let base = match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    parse(&text, &path, &base, filters)
}

fn parse(text: &[u8], path: &Path, base: &Path, filters: &[String]) -> Result<CompileDatabase, Error> {
    let error_at = |line, column, message| Error::CompileDatabase {
        path: path.to_path_buf(),
        line,
        column,
        message,
    };
    let entries: Vec<Entry> = serde_json::from_slice(text).map_err(|error| {
        let message = error.to_string();
        // The position is in the error itself.
        let message = message
            .rsplit_once(" at line ")
            .map_or(message.as_str(), |(before, _)| before);
        error_at(
            error.line(),
            error.column(),
            format!("not a compile database: {message}"),
        )
    })?;
    let mut database = CompileDatabase::default();
    let home = base.canonicalize().unwrap_or_else(|_| base.to_path_buf());
    for (index, entry) in entries.into_iter().enumerate() {
        let entry_error = |message: &str| {
            error_at(
                0,
                0,
                format!("entry {} ({}): {message}", index + 1, entry.file.display()),
            )
        };
        let directory = base.join(&entry.directory);
        let full_path = directory.join(&entry.file);
        // Where the whole build happens to lie says nothing about a file.
        let inside = full_path.strip_prefix(&home).unwrap_or(&full_path);
        if !matches_filters(&inside.to_string_lossy(), filters) {
            continue;
        }
        let arguments = match (&entry.arguments, &entry.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => {
                split_command(command).ok_or_else(|| entry_error("a quote is not closed"))?
            }
            (None, None) => return Err(entry_error("it has neither `command` nor `arguments`")),
        };
        database.add(entry.file, directory, &arguments);
    }
    if database.sources.is_empty() {
        let message = if filters.is_empty() {
            "it names no C file".to_owned()
        } else {
            format!("no C file in it matches the filter {}", filters.join(", "))
        };
        return Err(error_at(0, 0, message));
    }
    Ok(database)
}

impl CompileDatabase {
    fn add(&mut self, file: PathBuf, directory: PathBuf, arguments: &[String]) {
        let extension = file.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("c" | "i")) {
            self.warnings
                .push(format!("{}: left out, it is not C", file.display()));
            return;
        }
        let full_path = directory.join(&file);
        if self.sources.iter().any(|source| source.full_path() == full_path) {
            let message = format!(
                "{}: compiled more than once; its first command is used",
                file.display()
            );
            self.warnings.push(message);
            return;
        }
        self.sources.push(Source {
            path: file,
            directory: Some(directory),
            arguments: relevant_arguments(arguments),
        });
    }
}

fn matches_filters(path: &str, filters: &[String]) -> bool {
    filters.is_empty() || filters.iter().any(|filter| matches_filter(path, filter))
}

/// The parts between the stars occur in order.
fn matches_filter(path: &str, filter: &str) -> bool {
    let mut rest = path;
    filter.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// Splits a command as a shell would; none where a quote is open at the end.
fn split_command(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        quoted => word.push(quoted),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            '\n' => {}
                            other => word.extend(['\\', other]),
                        },
                        quoted => word.push(quoted),
                    }
                }
            }
            '\\' => match characters.next() {
                Some('\n') => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
                None => return None,
            },
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

/// Options that stand alone or carry their value, and are kept.
const KEPT: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-iwithprefix",
    "-iprefix",
    "-isysroot",
    "-target",
    "-Xclang",
];
const KEPT_WHOLE: &[&str] = &[
    "-std=",
    "--std=",
    "-ansi",
    "--sysroot",
    "--target=",
    "-nostdinc",
    "-nostdlibinc",
    "-fsigned-char",
    "-fno-signed-char",
    "-funsigned-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fwrapv",
    "-fno-wrapv",
    "-ftrapv",
    "-fpack-struct",
    "-fms-extensions",
    "-fgnu89-inline",
    "-ffreestanding",
    "-fhosted",
    "-fno-builtin",
    "-fcommon",
    "-fno-common",
    "-fblocks",
    "-pthread",
    "-trigraphs",
    "-m16",
    "-m32",
    "-m64",
    "-mcpu=",
    "-march=",
    "-mthumb",
    "-marm",
    "-mfloat-abi=",
    "-mfpu=",
    "-mabi=",
    "-mmcu=",
    "-mlittle-endian",
    "-mbig-endian",
    "-mlong-double-",
    "-mcmse",
];
/// Options whose value is the next argument, and are dropped with it.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-x", "-T", "--param", "-u", "-z", "-arch",
];

fn relevant_arguments(command: &[String]) -> Vec<String> {
    let mut arguments = command.iter();
    let mut kept = Vec::new();
    let is_launcher = |name: &str| matches!(name, "ccache" | "sccache" | "distcc" | "icecc" | "gomacc");
    for program in arguments.by_ref() {
        let name = Path::new(program)
            .file_name()
            .map_or("".into(), |name| name.to_string_lossy());
        if !is_launcher(&name) {
            kept.extend(cross_target(&name).map(|target| format!("--target={target}")));
            break;
        }
    }
    while let Some(argument) = arguments.next() {
        if KEPT.contains(&argument.as_str()) {
            if let Some(value) = arguments.next() {
                kept.extend([argument.clone(), value.clone()]);
            }
        } else if DROPPED_WITH_VALUE.contains(&argument.as_str()) {
            arguments.next();
        } else if argument == "--sysroot" {
            kept.extend(arguments.next().map(|value| format!("--sysroot={value}")));
        } else if is_kept(argument) {
            kept.push(argument.clone());
        }
    }
    kept
}

fn is_kept(argument: &str) -> bool {
    if let Some(file) = argument.strip_prefix('@') {
        return !file.is_empty();
    }
    let has_value = KEPT
        .iter()
        .any(|option| argument.len() > option.len() && argument.starts_with(option) && *option != "-Xclang");
    has_value || KEPT_WHOLE.iter().any(|option| argument.starts_with(option))
}

/// The target in the name of a cross compiler: `arm-none-eabi` of `arm-none-eabi-gcc-12`.
fn cross_target(program: &str) -> Option<&str> {
    let program = program.strip_suffix(".exe").unwrap_or(program);
    let unversioned =
        program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    let program = unversioned.strip_suffix('-').unwrap_or(unversioned);
    ["-gcc", "-clang", "-cc"]
        .iter()
        .find_map(|suffix| program.strip_suffix(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, filters: &[&str]) -> Result<CompileDatabase, String> {
        let filters: Vec<String> = filters.iter().map(|&filter| filter.to_owned()).collect();
        parse(
            json.as_bytes(),
            Path::new("cc.json"),
            Path::new("/base"),
            &filters,
        )
        .map_err(|error| error.to_string())
    }

    #[test]
    fn command_and_arguments() {
        let json = r#"[
            {"directory": "build", "file": "../a.c",
             "command": "ccache /usr/bin/arm-none-eabi-gcc-12 -DX=\"\\\"a b\\\"\" -I 'in c' -O2 -Wall -o a.o -MMD -MF a.d -c ../a.c"},
            {"directory": "/abs", "file": "b.c", "arguments": ["cc", "-std=c99", "-Iinc", "-flto", "-c", "b.c"]},
            {"directory": "/abs", "file": "c.cpp", "arguments": ["c++", "c.cpp"]}]"#;
        let database = check(json, &[]).expect("well formed");
        assert_eq!(database.sources.len(), 2);
        let first = &database.sources[0];
        assert_eq!(first.directory.as_deref(), Some(Path::new("/base/build")));
        assert_eq!(
            first.arguments,
            ["--target=arm-none-eabi", "-DX=\"a b\"", "-I", "in c"]
        );
        assert_eq!(database.sources[1].arguments, ["-std=c99", "-Iinc"]);
        assert_eq!(database.warnings, ["c.cpp: left out, it is not C"]);
    }

    #[test]
    fn filters() {
        let json = r#"[{"directory": "/p", "file": "src/a.c", "command": "cc src/a.c"},
                       {"directory": "/p", "file": "test/b.c", "command": "cc test/b.c"}]"#;
        let names = |filters: &[&str]| {
            let database = check(json, filters).expect("one file matches");
            database
                .sources
                .iter()
                .map(|source| source.path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&["src/"]), ["src/a.c"]);
        assert_eq!(names(&["p/*b.c"]), ["test/b.c"]);
        assert_eq!(names(&["a.c", "b.c"]).len(), 2);
        let error = check(json, &["nothing"]).expect_err("no file matches");
        assert!(error.contains("nothing"), "{error}");
    }

    #[test]
    fn malformed() {
        for (json, expected) in [
            (
                "[{",
                "cc.json:1:2: not a compile database: EOF while parsing an object",
            ),
            (
                "[{\"directory\": 3}]",
                "cc.json:1:16: not a compile database: invalid type",
            ),
            ("{}", "not a compile database"),
            ("[]", "it names no C file"),
            (
                r#"[{"directory": "d", "file": "a.c"}]"#,
                "entry 1 (a.c): it has neither",
            ),
            (
                r#"[{"directory": "d", "file": "a.c", "command": "cc 'a"}]"#,
                "a quote is not closed",
            ),
        ] {
            let error = check(json, &[]).expect_err(json);
            assert!(error.contains(expected), "{error} for {json}");
        }
    }

    #[test]
    fn quoting() {
        let words = |command| split_command(command).expect("closed");
        assert_eq!(words(r#"a "b c"d 'e"f' g\ h "#), ["a", "b cd", "e\"f", "g h"]);
        assert_eq!(words("''  \"\""), ["", ""]);
        assert_eq!(split_command("a\\"), None);
    }

    #[test]
    fn cross_compilers() {
        assert_eq!(cross_target("avr-gcc"), Some("avr"));
        assert_eq!(cross_target("arm-none-eabi-gcc-12.2"), Some("arm-none-eabi"));
        assert_eq!(cross_target("gcc"), None);
        assert_eq!(cross_target("clang-14"), None);
    }
}
