//! From what was found to the text of a `kripke.toml`.
//!
//! Idea: a source with `main` is a program, together with those beside it that have none; sources without any
//! `main` are checked function by function; each image is a firmware.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::first_line;
use super::scan::{Found, Source};

/// A program of the file.
pub struct Part {
    /// What it is called.
    pub name: String,
    /// Its part of the file.
    pub text: String,
    /// Why it cannot be loaded.
    pub refused: Option<String>,
}

/// The time that each program gets.
const TIMEOUT: &str = "timeout = \"60s\"              # for each run; what is not settled then is unknown\n";

const HEAD: &str = "\
# What `kripke check` checks in this folder. All keys: docs/project.md of Kripke.
#
# A program can have properties of its own, and verdicts that are expected of it:
#
#   [[program.property]]
#   name = \"answers\"
#   ltl = \"G({request} -> F {grant})\"   # C expressions over global variables in braces
#   expected = \"holds\"
";

/// All programs.
pub fn parts(found: &Found) -> Vec<Part> {
    let mut parts = Vec::new();
    for image in &found.images {
        let name = name(image, &parts);
        let text = firmware(&name, image, found);
        add(&mut parts, name, text);
    }
    match found.compiled.is_empty() {
        false => compiled(found, &mut parts),
        true => sources(found, &mut parts),
    }
    parts
}

fn add(parts: &mut Vec<Part>, name: String, text: String) {
    parts.push(Part {
        name,
        text,
        refused: None,
    });
}

/// The file.
pub fn file(found: &Found, parts: &[Part]) -> String {
    let mut out = HEAD.to_owned();
    for note in &found.notes {
        let _ = writeln!(out, "#\n# Found: {note}.");
    }
    for part in parts {
        out.push('\n');
        match &part.refused {
            None => out.push_str(&part.text),
            Some(reason) => {
                let _ = writeln!(
                    out,
                    "# This one cannot be loaded as it is: {}",
                    first_line(reason)
                );
                for line in part.text.lines() {
                    let _ = writeln!(out, "# {line}");
                }
            }
        }
    }
    out
}

/// A name after a path that no other program has.
fn name(path: &Path, parts: &[Part]) -> String {
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folders = path.parent().into_iter().flat_map(Path::components).rev();
    let mut name = stem;
    let is_taken = |name: &str| parts.iter().any(|part| part.name == name);
    for folder in folders {
        if is_taken(&name) {
            name = format!("{}-{name}", folder.as_os_str().to_string_lossy());
        }
    }
    let mut number = 2;
    let plain = name.clone();
    while is_taken(&name) {
        name = format!("{plain}-{number}");
        number += 1;
    }
    name
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn list<'p>(items: impl Iterator<Item = &'p str>) -> String {
    let items: Vec<String> = items.map(quoted).collect();
    match items.iter().map(String::len).sum::<usize>() {
        0..80 => format!("[{}]", items.join(", ")),
        _ => format!("[\n    {},\n]", items.join(",\n    ")),
    }
}

fn paths<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> String {
    let texts: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    list(texts.iter().map(String::as_str))
}

fn firmware(name: &str, image: &Path, found: &Found) -> String {
    let mut text = format!(
        "[[program]]\nname = {}\nfirmware = {}\n",
        quoted(name),
        quoted(&image.display().to_string())
    );
    if let Some(mcu) = &found.mcu {
        let _ = writeln!(text, "mcu = {}", quoted(mcu));
    }
    text.push_str(TIMEOUT);
    text.push_str(
        "# build = [\"make\"]            # run where the image is older than one of its inputs\n\
         # inputs = [\"main.c\"]\n\
         # [program.environment]       # what never happens\n\
         # constraints = [\"(PINA & 3) == 0\"]\n\
         # never = [\"INT1\"]\n",
    );
    text
}

/// Sources in groups: for each `main` one with what stands beside it, else all together.
fn sources(found: &Found, parts: &mut Vec<Part>) {
    let (with_main, others): (Vec<&Source>, Vec<&Source>) =
        found.sources.iter().partition(|source| source.has_main);
    for main in &with_main {
        let folder = main.path.parent();
        let is_alone = with_main.len() == 1;
        let beside = others
            .iter()
            .filter(|other| is_alone || other.path.parent() == folder);
        let group: Vec<&Source> = std::iter::once(main).chain(beside).copied().collect();
        let name = name(&main.path, parts);
        let text = program(&name, &group, found, "");
        add(parts, name, text);
    }
    if with_main.is_empty() && !others.is_empty() {
        let name = name(Path::new("functions"), parts);
        let functions = "functions = \"all\"            # there is no main: each function by itself\n";
        let text = program(&name, &others, found, functions);
        add(parts, name, text);
    }
}

fn program(name: &str, group: &[&Source], found: &Found, more: &str) -> String {
    let mut text = format!(
        "[[program]]\nname = {}\nsources = {}\n",
        quoted(name),
        paths(group.iter().map(|source| &source.path))
    );
    let headers = found
        .headers
        .iter()
        .filter(|folder| !folder.as_os_str().is_empty());
    let headers: Vec<&PathBuf> = headers.collect();
    if !headers.is_empty() {
        let _ = writeln!(text, "include = {}", paths(headers.into_iter()));
    }
    if group.iter().any(|source| source.is_avr) {
        let mcu = found.mcu.as_deref().unwrap_or("atmega328p");
        let _ = writeln!(
            text,
            "target = \"avr\"\nflags = [{}]",
            quoted(&format!("-mmcu={mcu}"))
        );
    }
    if group.iter().any(|source| source.has_handlers) {
        text.push_str("interrupts = true             # the handlers in the sources come at any time\n");
    }
    text.push_str(more);
    text.push_str(TIMEOUT);
    text.push_str("# check = \"default,+leak\"     # kinds of properties: kripke explain lists them\n");
    text
}

/// Those of a compile database, by the arguments that they are compiled with.
fn compiled(found: &Found, parts: &mut Vec<Part>) {
    let mut groups: BTreeMap<&[String], Vec<&PathBuf>> = BTreeMap::new();
    for (path, arguments) in &found.compiled {
        groups.entry(arguments).or_default().push(path);
    }
    for (arguments, files) in groups {
        let known = |path: &PathBuf| found.sources.iter().find(|source| source.path == *path);
        let mains = files
            .iter()
            .filter(|path| known(path).is_some_and(|source| source.has_main));
        let first = files
            .first()
            .map(|path| path.as_path())
            .unwrap_or(Path::new("program"));
        let name = name(first, parts);
        let mut text = format!(
            "[[program]]\nname = {}\nsources = {}\n",
            quoted(&name),
            paths(files.iter().copied())
        );
        if !arguments.is_empty() {
            let _ = writeln!(text, "flags = {}", list(arguments.iter().map(String::as_str)));
        }
        if files
            .iter()
            .any(|path| known(path).is_some_and(|source| source.has_handlers))
        {
            text.push_str("interrupts = true             # the handlers in the sources come at any time\n");
        }
        if mains.count() != 1 {
            text.push_str(
                "functions = \"all\"            # each function by itself: there is not one main\n",
            );
        }
        text.push_str(TIMEOUT);
        add(parts, name, text);
    }
}
