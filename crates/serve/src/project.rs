//! What is opened: a project file, or one file that is a project of its own.
//!
//! Idea: a single file is treated as the project file that would say it, so that there is one way to list
//! programs, to check them and to add properties.
//!
//! Invariant: no file outside the project's directory is read for the page, whatever links and `..` a path
//! has in it.

use std::fs;
use std::path::{Path, PathBuf};

use kripke_check::firmware::is_firmware;
use kripke_check::project::{self, FILE_NAME, ProgramEntry, Project, PropertyEntry};
use kripke_check::{DeviceChoice, Failure};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use crate::refused::Refused;

/// Files larger than this are not shown.
const LARGEST_SOURCE: u64 = 4 << 20;
/// Files that are listed beside those that programs name.
const MOST_FILES: usize = 400;
/// Directories that are entered from the project's.
const DEEPEST: usize = 4;

/// An opened project.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its directory, without links.
    pub root: PathBuf,
    /// The project file, which need not exist where a single file is opened.
    pub file: PathBuf,
    /// Where a single file is opened: the text that stands for it while there is no project file.
    single: Option<String>,
}

/// The text of the project, and what it says.
pub struct Current {
    /// The text.
    pub text: String,
    /// What it says, or what is wrong with it.
    pub project: Result<Project, String>,
}

impl Opened {
    /// Opens what the user named: a project file, a directory with one, a C source or a firmware; without a
    /// name the project of the current directory.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(named: Option<&Path>) -> Result<Self, Failure> {
        let path = match named {
            Some(path) => path.to_path_buf(),
            None => project::find().ok_or_else(|| {
                Failure::input(format!(
                    "there is no {FILE_NAME} here or above; name a project, a C file or a firmware, or write \
                     one with `kripke init`"
                ))
            })?,
        };
        let bad = |error: std::io::Error| {
            Failure::input(format!("cannot open {}: {}", path.display(), error.kind()))
        };
        let full = path.canonicalize().map_err(bad)?;
        if full.is_dir() {
            let file = full.join(FILE_NAME);
            if !file.is_file() {
                return Err(Failure::input(format!(
                    "{} has no {FILE_NAME}; `kripke init {0}` writes one, or name a C file or a firmware",
                    path.display()
                )));
            }
            return Ok(Self {
                root: full,
                file,
                single: None,
            });
        }
        let root = full.parent().unwrap_or(Path::new("/")).to_path_buf();
        if full.extension().is_some_and(|extension| extension == "toml") {
            return Ok(Self {
                root,
                file: full,
                single: None,
            });
        }
        let single = single(&full).ok_or_else(|| {
            Failure::input(format!(
                "{} is no project, C source (.c, .i), LLVM IR (.ll) or firmware (.elf, .hex)",
                path.display()
            ))
        })?;
        Ok(Self {
            file: root.join(FILE_NAME),
            root,
            single: Some(single),
        })
    }

    /// Whether a single file is opened and there is no project file beside it that names it.
    pub fn is_single(&self) -> bool {
        self.single.is_some()
    }

    /// The project as it is now.
    pub fn current(&self) -> Result<Current, Refused> {
        let text = match &self.single {
            Some(text) => text.clone(),
            None => fs::read_to_string(&self.file)
                .map_err(|error| Refused::missing(format!("cannot read {FILE_NAME}: {}", error.kind())))?,
        };
        let project = project::parse(&text).map(|project| Project {
            directory: self.root.clone(),
            ..project
        });
        Ok(Current { text, project })
    }

    /// The project, where nothing is wrong with it.
    pub fn project(&self) -> Result<Project, Refused> {
        self.current()?.project.map_err(Refused::bad)
    }

    /// A file of the project, named from its directory.
    pub fn inside(&self, path: &str) -> Result<PathBuf, Refused> {
        let outside = || Refused::forbidden("this file is outside the project");
        let named = Path::new(path);
        let full = self.root.join(named);
        let full = full
            .canonicalize()
            .map_err(|_| Refused::missing("there is no such file in the project"))?;
        if !full.starts_with(&self.root) {
            return Err(outside());
        }
        match full.metadata() {
            Ok(data) if data.is_file() && data.len() <= LARGEST_SOURCE => Ok(full),
            Ok(data) if data.is_file() => Err(Refused::bad("this file is too large to be shown")),
            _ => Err(Refused::missing("this is no file")),
        }
    }

    /// What a path is called on the page: as seen from the project's directory where it is inside.
    pub fn shown(&self, path: &str) -> String {
        let full = self.root.join(path);
        let full = full.canonicalize().unwrap_or(full);
        match full.strip_prefix(&self.root) {
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => path.to_owned(),
        }
    }

    /// What the page shows first.
    pub fn describe(&self) -> Result<Value, Refused> {
        let current = self.current()?;
        let (programs, error) = match &current.project {
            Ok(project) => (
                project
                    .programs
                    .iter()
                    .map(|program| self.program(program))
                    .collect(),
                None,
            ),
            Err(error) => (Vec::new(), Some(error.clone())),
        };
        let title = self.root.file_name().unwrap_or_default().to_string_lossy();
        Ok(json!({
            "title": title,
            "file": self.shown(&self.file.to_string_lossy()),
            "single": self.is_single(),
            "hash": hash(&current.text),
            "error": error,
            "programs": programs,
            "files": self.files(),
        }))
    }

    fn program(&self, program: &ProgramEntry) -> Value {
        let firmware = program.firmware.as_ref();
        let sources = match firmware {
            Some(_) => &program.inputs,
            None => &program.sources,
        };
        let shown = |path: &PathBuf| self.shown(&path.to_string_lossy());
        json!({
            "name": program.name,
            "kind": if firmware.is_some() { "firmware" } else { "c" },
            "sources": sources.iter().map(shown).collect::<Vec<_>>(),
            "firmware": firmware.map(shown),
            "built": firmware.is_none_or(|path| self.root.join(path).is_file()),
            "checks": program.check.as_deref() != Some("none"),
            "properties": program.properties.iter().map(property).collect::<Vec<_>>(),
        })
    }

    /// Sources in the directory.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(self.root.clone(), 0)];
        while let Some((directory, depth)) = open.pop() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let (path, name) = (entry.path(), entry.file_name());
                if kind.is_dir() && depth < DEEPEST && !name.to_string_lossy().starts_with('.') {
                    open.push((path, depth + 1));
                } else if kind.is_file() && is_source(&path) && found.len() < MOST_FILES {
                    found.push(self.shown(&path.to_string_lossy()));
                }
            }
        }
        found.sort();
        found
    }
}

fn is_source(path: &Path) -> bool {
    let shown = ["c", "h", "i", "s", "S", "cpp", "cc", "hpp", "ino"];
    path.extension()
        .is_some_and(|extension| shown.iter().any(|one| extension == *one))
}

fn property(property: &PropertyEntry) -> Value {
    let forms = [
        ("invariant", &property.invariant),
        ("ctl", &property.ctl),
        ("ltl", &property.ltl),
        ("id", &property.id),
    ];
    let form = forms.iter().find_map(|(form, text)| Some((form, text.as_ref()?)));
    json!({
        "name": property.name,
        "form": form.map(|(form, _)| form),
        "text": form.map(|(_, text)| text),
        "expected": property.expected,
        "define": property.define,
        "unwind": property.unwind,
    })
}

/// What tells two texts apart.
pub fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The program of a project by its name.
pub fn program<'p>(project: &'p Project, name: &str) -> Result<&'p ProgramEntry, Refused> {
    let found = project.programs.iter().find(|program| program.name == name);
    found.ok_or_else(|| Refused::missing(format!("there is no program '{name}' any more")))
}

/// What a program says of its microcontroller.
pub fn device(program: &ProgramEntry) -> DeviceChoice {
    DeviceChoice {
        mcu: program.mcu.clone(),
        reset_address: program.reset_address,
        vectors: program.vectors.unwrap_or_default(),
        ..DeviceChoice::default()
    }
}

/// The project that a single file stands for.
fn single(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    let extension = file
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let mut program = Table::new();
    program.insert("name", value(stem));
    if is_firmware(file) {
        program.insert("firmware", value(name));
    } else if ["c", "i", "ll"].contains(&extension.as_str()) {
        program.insert("sources", value(Array::from_iter([name])));
    } else {
        return None;
    }
    let mut programs = ArrayOfTables::new();
    programs.push(program);
    let mut document = DocumentMut::new();
    document.insert("program", Item::ArrayOfTables(programs));
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_project_are_read() {
        let all = tempfile::tempdir().expect("a directory");
        let root = all.path().join("project");
        fs::create_dir_all(root.join("src")).expect("directories");
        fs::write(all.path().join("secret.c"), "secret").expect("a file");
        fs::write(root.join("src/a.c"), "int a;").expect("a file");
        fs::write(root.join(FILE_NAME), "").expect("a file");
        std::os::unix::fs::symlink("../../secret.c", root.join("src/link.c")).expect("a link");
        let opened = Opened::new(Some(&root)).expect("a project");
        let check = |path: &str, expected: bool| {
            assert_eq!(opened.inside(path).is_ok(), expected, "{path}");
        };
        check("src/a.c", true);
        check("src/../src/a.c", true);
        check("../secret.c", false);
        check("src/link.c", false);
        check("/etc/passwd", false);
        check("src", false);
        check("", false);
        assert_eq!(opened.files(), ["src/a.c"]);
        assert_eq!(opened.shown(&root.join("src/a.c").to_string_lossy()), "src/a.c");
    }

    #[test]
    fn a_file_is_a_project() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a \"b\".c");
        fs::write(&file, "int main(void) { return 0; }").expect("a file");
        let opened = Opened::new(Some(&file)).expect("a project");
        let project = opened.project().expect("a project");
        assert_eq!(project.programs[0].name, "a \"b\"");
        assert_eq!(project.programs[0].sources, [PathBuf::from("a \"b\".c")]);
        let other = directory.path().join("a.txt");
        fs::write(&other, "").expect("a file");
        assert!(Opened::new(Some(&other)).is_err());
        assert!(Opened::new(Some(directory.path())).is_err());
    }
}
