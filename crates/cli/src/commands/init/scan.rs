//! What a folder holds that could be checked.
//!
//! Idea: files are recognised by their names and by a few words in them, which may be wrong: what is made of
//! it is loaded before it is written down. The search is bounded, and goes into no folder that tools make,
//! but those with images.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kripke_llvm::compile_database;

/// Folders below the one that is looked at.
const DEPTH: usize = 6;
/// Files that are looked at.
const FILES: usize = 5000;
/// The largest source that is read.
const LARGEST: u64 = 4 << 20;
/// The number of the AVR among the machines of ELF.
const AVR: [u8; 2] = [83, 0];

/// What was found; paths are relative to the folder.
#[derive(Debug, Default)]
pub struct Found {
    /// C sources.
    pub sources: Vec<Source>,
    /// Directories with headers.
    pub headers: BTreeSet<PathBuf>,
    /// Images of AVR firmware.
    pub images: Vec<PathBuf>,
    /// Where the compile database is.
    pub database: Option<PathBuf>,
    /// Its sources, with their arguments.
    pub compiled: Vec<(PathBuf, Vec<String>)>,
    /// The microcontroller that a build names.
    pub mcu: Option<String>,
    /// What else there is to say, a sentence each.
    pub notes: Vec<String>,
}

/// A C source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// It defines `main`.
    pub has_main: bool,
    /// It has handlers of interrupts.
    pub has_handlers: bool,
    /// It is for an AVR.
    pub is_avr: bool,
}

/// Boards of Arduino and PlatformIO whose microcontroller Kripke knows.
const BOARDS: &[(&str, &str)] = &[
    ("uno", "atmega328p"),
    ("nano", "atmega328p"),
    ("nanoatmega328", "atmega328p"),
    ("pro", "atmega328p"),
    ("ATmega328P", "atmega328p"),
    ("ATmega16", "atmega16"),
    ("ATmega128", "atmega128"),
];

/// Looks at a folder.
pub fn scan(directory: &Path) -> Found {
    let mut found = Found::default();
    let mut sketches = false;
    for path in files(directory) {
        let whole = directory.join(&path);
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match (name.as_str(), extension.as_str()) {
            ("compile_commands.json", _) => database(&mut found, directory, &path),
            ("Makefile" | "makefile" | "GNUmakefile", _) | (_, "mk") => makefile(&mut found, &whole),
            ("platformio.ini", _) => platformio(&mut found, &whole),
            (_, "c") => found.sources.extend(source(&path, &whole)),
            (_, "h") => drop(
                found
                    .headers
                    .insert(path.parent().unwrap_or(Path::new("")).to_path_buf()),
            ),
            (_, "ino") => sketches = true,
            (_, "elf") if is_avr(&whole) => found.images.push(path),
            _ => {}
        }
    }
    if sketches && found.images.is_empty() {
        found.notes.push(
            "Arduino sketches are C++, which is checked as machine code: build them, as with \
             arduino-cli compile --output-dir build, and run kripke init again"
                .to_owned(),
        );
    }
    found
}

/// The files of a folder, in the order of their names.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(directory.join(&folder)) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let path = folder.join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            let is_hidden = name.to_string_lossy().starts_with('.') && name != ".pio";
            let is_foreign = name == "node_modules" || name == "target" || name == "libdeps";
            if kind.is_dir() && depth < DEPTH && !is_hidden && !is_foreign {
                folders.push((path, depth + 1));
            } else if kind.is_file() && all.len() < FILES {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

fn read(path: &Path) -> Option<String> {
    let is_small = path.metadata().ok()?.len() <= LARGEST;
    let bytes = is_small.then(|| fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_avr(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 20];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(b"\x7fELF") && head[18..20] == AVR
}

fn source(path: &Path, whole: &Path) -> Option<Source> {
    let text = without_comments(&read(whole)?);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    Some(Source {
        path: path.to_path_buf(),
        has_main: defines_main(&text),
        has_handlers: has(&["ISR(", "SIGNAL(", "_Handler(void)", "(interrupt", "(signal"]),
        is_avr: has(&["<avr/", "<util/delay.h>"]),
    })
}

/// Does a text define `main`, rather than call or declare it?
fn defines_main(text: &str) -> bool {
    text.match_indices("main").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = text[at + 4..].trim_start();
        let is_word = before.is_none_or(|before| !before.is_alphanumeric() && before != '_');
        let body = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        is_word && body.is_some_and(|(_, body)| body.trim_start().starts_with('{'))
    })
}

/// A C text without its comments.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out.push_str(&rest[..at]);
        let (end, length) = match rest[at..].starts_with("/*") {
            true => ("*/", 2),
            false => ("\n", 0),
        };
        rest = match rest[at + 2..].find(end) {
            Some(found) => &rest[at + 2 + found + length..],
            None => "",
        };
        out.push(' ');
    }
    out + rest
}

fn database(found: &mut Found, directory: &Path, path: &Path) {
    if found.database.is_some() {
        return;
    }
    match compile_database::read(&directory.join(path), &[]) {
        Ok(read) => {
            found.database = Some(path.to_path_buf());
            let base = directory.canonicalize().unwrap_or_default();
            for source in read.sources {
                let whole = source.full_path();
                let whole = whole.canonicalize().unwrap_or(whole);
                let place = whole.strip_prefix(&base).map_or(whole.clone(), Path::to_path_buf);
                found
                    .compiled
                    .push((place, absolute(&source.arguments, source.directory.as_deref())));
            }
        }
        Err(error) => found
            .notes
            .push(format!("{} cannot be read: {error}", path.display())),
    }
}

/// Include paths as seen from everywhere.
fn absolute(arguments: &[String], directory: Option<&Path>) -> Vec<String> {
    let base = directory.unwrap_or(Path::new(""));
    arguments
        .iter()
        .map(|argument| match argument.strip_prefix("-I") {
            Some(path) if !path.is_empty() => format!("-I{}", base.join(path).display()),
            _ => argument.clone(),
        })
        .collect()
}

fn makefile(found: &mut Found, path: &Path) {
    let text = read(path).unwrap_or_default();
    for line in text.lines() {
        let named = line
            .split_whitespace()
            .find_map(|word| word.strip_prefix("-mmcu="));
        let set = line.split_once('=').filter(|(name, _)| {
            matches!(
                name.trim_end_matches([':', '?', ' ', '\t']).trim(),
                "MCU" | "DEVICE" | "MMCU"
            )
        });
        let value = named.or(set.map(|(_, value)| value.trim()));
        let is_name = |value: &&str| value.starts_with("at") && value.chars().all(char::is_alphanumeric);
        if let Some(value) = value.filter(is_name) {
            found.mcu.get_or_insert_with(|| value.to_owned());
        }
    }
}

fn platformio(found: &mut Found, path: &Path) {
    let text = read(path).unwrap_or_default();
    let boards = text.lines().filter_map(|line| line.split_once('='));
    let board = boards
        .filter(|(key, _)| key.trim() == "board")
        .map(|(_, board)| board.trim().to_owned())
        .next();
    let known = board
        .as_ref()
        .and_then(|board| BOARDS.iter().find(|(name, _)| name == board));
    if let Some((_, mcu)) = known {
        found.mcu.get_or_insert_with(|| (*mcu).to_owned());
    }
    let board = board.unwrap_or_default();
    found.notes.push(format!(
        "a PlatformIO project for the board '{board}': `pio run` builds the image that is checked"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_main() {
        let check = |text, expected| assert_eq!(defines_main(&without_comments(text)), expected, "{text}");
        check("int main(void)\n{", true);
        check("int main(int argc, char **argv) {", true);
        check("int main(void);", false);
        check("int domain(void) {}", false);
        check("// int main(void) {\n", false);
        check("/* int main(void) { */ int x;", false);
        check("int x = main(3);", false);
        check("/", false);
    }
}
