//! What a program has that formulas and the page can name: functions, variables, registers, interrupts.
//!
//! Idea: a firmware is loaded as a check loads it, and kept while its file stays the same. Of C sources the
//! definitions are looked for in the text, which is enough to offer names while a formula is typed; what a
//! name means is decided by clang in the check.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use kripke_avr::image::{Space, SymbolKind};
use kripke_check::firmware::{self, Firmware};
use kripke_check::project::ProgramEntry;
use kripke_check::{Failure, Silent};
use serde_json::{Value, json};

use crate::project::{Opened, device};
use crate::refused::Refused;

/// Firmware that was loaded, by the name of the program.
#[derive(Default)]
pub struct Loaded(Mutex<HashMap<String, Image>>);

/// A file, its time, and what was in it.
type Image = (PathBuf, SystemTime, Arc<Firmware>);

impl Loaded {
    /// The firmware of a program; none where it is a C program.
    pub fn firmware(
        &self,
        opened: &Opened,
        program: &ProgramEntry,
    ) -> Result<Option<Arc<Firmware>>, Refused> {
        let Some(image) = &program.firmware else {
            return Ok(None);
        };
        let path = opened.root.join(image);
        let changed = path.metadata().and_then(|data| data.modified());
        let changed = changed.map_err(|_| {
            Refused::missing(format!(
                "{} is not there; a check builds it, if its program says how",
                image.display()
            ))
        })?;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, time, firmware)) = all.get(&program.name)
            && *known == path
            && *time == changed
        {
            return Ok(Some(Arc::clone(firmware)));
        }
        let loaded = firmware::load(&path, &device(program), &mut Silent);
        let loaded = Arc::new(loaded.map_err(|failure| match failure {
            Failure::Input(message) => Refused::bad(message),
            other => Refused::failed(other.to_string()),
        })?);
        all.insert(program.name.clone(), (path, changed, Arc::clone(&loaded)));
        Ok(Some(loaded))
    }
}

/// The names of a program.
pub fn describe(opened: &Opened, program: &ProgramEntry, firmware: Option<&Firmware>) -> Value {
    match firmware {
        Some(firmware) => of_firmware(opened, firmware),
        None => of_sources(opened, program),
    }
}

fn of_firmware(opened: &Opened, firmware: &Firmware) -> Value {
    let debug = &firmware.debug;
    let file = |index: Option<usize>| {
        let file = index.and_then(|index| debug.files.get(index));
        file.map(|file| opened.shown(&file.full_path().to_string_lossy()))
    };
    let mut functions: Vec<Value> = debug
        .functions
        .iter()
        .map(|function| {
            json!({
                "name": function.name,
                "file": file(function.file),
                "line": function.line,
                "address": function.start,
                "bytes": function.end.saturating_sub(function.start),
            })
        })
        .collect();
    let known: BTreeSet<u32> = debug.functions.iter().map(|function| function.start).collect();
    for symbol in &firmware.image.symbols {
        let is_code = symbol.space == Space::Flash && symbol.kind == SymbolKind::Function;
        if is_code && !known.contains(&symbol.address) {
            functions.push(json!({
                "name": symbol.name,
                "address": symbol.address,
                "bytes": symbol.size,
            }));
        }
    }
    let variables: Vec<Value> = debug
        .variables
        .iter()
        .map(|variable| {
            json!({
                "name": variable.name,
                "address": variable.address,
                "bytes": debug.size_of(variable.type_),
                "file": file(variable.file),
                "function": variable.function,
            })
        })
        .collect();
    let device = &firmware.device;
    let registers: Vec<Value> = device
        .registers
        .iter()
        .map(|register| json!({ "name": register.name, "address": register.address, "bits": register.bits }))
        .collect();
    json!({
        "functions": functions,
        "variables": variables,
        "registers": registers,
        "interrupts": device.vectors.iter().map(|vector| &vector.name).collect::<Vec<_>>(),
        "device": device.name,
    })
}

fn of_sources(opened: &Opened, program: &ProgramEntry) -> Value {
    let (mut functions, mut variables) = (Vec::new(), Vec::new());
    for source in &program.sources {
        let shown = opened.shown(&source.to_string_lossy());
        let Ok(text) = std::fs::read_to_string(opened.root.join(source)) else {
            continue;
        };
        for (name, line, is_function) in definitions(&text) {
            let found = json!({ "name": name, "file": shown, "line": line });
            if is_function {
                functions.push(found);
            } else {
                variables.push(found);
            }
        }
    }
    json!({ "functions": functions, "variables": variables, "registers": [], "interrupts": [] })
}

/// The functions and variables that a C text defines at its outermost level: name, line, whether it is a
/// function.
fn definitions(text: &str) -> Vec<(String, usize, bool)> {
    let mut found = Vec::new();
    // Of the declaration that is read: how deep in brackets it is, its last name, and what followed that.
    let (mut depth, mut name, mut line) = (0_usize, String::new(), 0);
    let (mut is_call, mut is_initialiser, mut is_skipped) = (false, false, false);
    for (token, at) in tokens(text) {
        let is_outermost = depth == 0;
        match token {
            "(" | "[" | "{" => {
                depth += 1;
                if is_outermost && token == "{" && is_call && !is_skipped {
                    found.push((std::mem::take(&mut name), line, true));
                    is_call = false;
                }
                is_call |= is_outermost && token == "(" && !name.is_empty() && !is_initialiser;
            }
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if token == "}" && depth == 0 && !is_initialiser {
                    name.clear();
                }
            }
            ";" | "=" | "," if is_outermost => {
                if !name.is_empty() && !is_call && !is_initialiser && !is_skipped {
                    found.push((name.clone(), line, false));
                }
                name.clear();
                (is_call, is_initialiser) = (false, token == "=");
                is_skipped &= token != ";";
            }
            "typedef" | "extern" if is_outermost => is_skipped = true,
            word if is_outermost && !is_call && !is_initialiser => {
                word.clone_into(&mut name);
                line = at;
            }
            _ => {}
        }
    }
    let is_name = |name: &str| !["struct", "union", "enum", "static", "const", "int"].contains(&name);
    found.retain(|(name, ..)| is_name(name));
    found
}

/// Words and signs of a C text with their lines, without comments, texts, numbers and preprocessor lines.
fn tokens(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut is_comment = false;
    for (number, line) in text.lines().enumerate() {
        if !is_comment && line.trim_start().starts_with('#') {
            continue;
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if is_comment {
                match rest.find("*/") {
                    Some(end) => {
                        is_comment = false;
                        end + 2
                    }
                    None => rest.len(),
                }
            } else if rest.starts_with("//") {
                rest.len()
            } else if rest.starts_with("/*") {
                is_comment = true;
                2
            } else if first == '"' || first == '\'' {
                literal(rest, first)
            } else if first.is_ascii_alphanumeric() || first == '_' {
                let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
                let end = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
                if !first.is_ascii_digit() {
                    found.push((&rest[..end], number + 1));
                }
                end
            } else {
                if "(){}[];=,".contains(first) {
                    found.push((&rest[..1], number + 1));
                }
                first.len_utf8()
            };
            rest = &rest[length..];
        }
    }
    found
}

/// The length of a text or character.
fn literal(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_in_texts() {
        let text = "#include <a.h>
static int a = f(1), c[2];
typedef struct { int x; } T;
extern int e;
T t = { 1 };
int proto(int x);
/* int no; */
static void
go(char *s)
{
  int local;
}
volatile unsigned char flag; // int no
struct p { int q; } r;
int last(void) { return '\"'; }
";
        let found = definitions(text);
        let names = |wanted: bool| -> Vec<(&str, usize)> {
            let all = found.iter().filter(|(.., is_function)| *is_function == wanted);
            all.map(|(name, line, _)| (name.as_str(), *line)).collect()
        };
        assert_eq!(names(true), [("go", 9), ("last", 15)]);
        let variables = names(false);
        for wanted in [("a", 2), ("t", 5), ("flag", 13), ("r", 14)] {
            assert!(variables.contains(&wanted), "{wanted:?}: {variables:?}");
        }
        assert!(
            !variables
                .iter()
                .any(|(name, _)| ["no", "local", "e", "x", "proto"].contains(name)),
            "{variables:?}"
        );
    }

    #[test]
    fn no_text_makes_the_search_fail() {
        for text in [
            "}}}};;;",
            "\"\\",
            "'",
            "((((",
            "typedef typedef",
            "a=,=;=",
            "ä\"ö\\",
        ] {
            definitions(text);
        }
    }
}
