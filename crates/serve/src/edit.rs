//! Properties written into the project file, and project files for one check.
//!
//! Idea: `toml_edit` keeps comments and layout. A text is compared with what the page has seen before it is
//! changed, read as a project before it is written, and written beside the file and renamed, so that a
//! mistake leaves the file as it was.
//!
//! Invariant: what is written is a project that can be read; what another program wrote meanwhile is not
//! lost.

use std::io::Write as _;
use std::path::Path;

use kripke_check::project;
use serde::Deserialize;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};

use crate::project::{Opened, hash};
use crate::refused::Refused;

/// A property as the page sends it.
#[derive(Clone, Debug, Deserialize)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// `invariant`, `ctl`, `ltl` or `id`.
    pub form: Form,
    /// The formula, or the id.
    pub text: String,
    /// The verdict expected of it.
    pub expected: Option<String>,
}

/// What the text of a property is.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Invariant,
    Ctl,
    Ltl,
    Id,
}

impl Form {
    fn key(self) -> &'static str {
        match self {
            Form::Invariant => "invariant",
            Form::Ctl => "ctl",
            Form::Ltl => "ltl",
            Form::Id => "id",
        }
    }
}

/// What is to be done with a property.
pub enum Change<'p> {
    /// Add it.
    Add(&'p Property),
    /// Put it in the place of the one of that name.
    Replace(&'p str, &'p Property),
    /// Take it away.
    Remove(&'p str),
}

/// Changes the project file, if its text still has that hash; the hash of what it has now.
pub fn save(opened: &Opened, seen: &str, program: &str, change: &Change) -> Result<String, Refused> {
    if opened.is_single() {
        return Err(Refused::bad(
            "a single file is opened, so there is no kripke.toml to save into; write one with `kripke init` \
             and open its folder",
        ));
    }
    let current = opened.current()?;
    if hash(&current.text) != seen {
        return Err(Refused::changed(
            "kripke.toml was changed meanwhile by another program; what it says now is shown, save again",
        ));
    }
    let text = changed(&current.text, program, change)?;
    write(&opened.file, &text)
        .map_err(|error| Refused::failed(format!("kripke.toml cannot be written: {}", error.kind())))?;
    Ok(hash(&text))
}

/// The text with the change.
fn changed(text: &str, program: &str, change: &Change) -> Result<String, Refused> {
    let mut document = document(text)?;
    let table = table(&mut document, program)?;
    let properties = table
        .entry("property")
        .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let properties = properties
        .as_array_of_tables_mut()
        .ok_or_else(|| Refused::bad("the properties of this program are not tables of their own"))?;
    let place = |properties: &ArrayOfTables, name: &str| {
        let mut all = properties.iter();
        let found = all.position(|property| property.get("name").and_then(Item::as_str) == Some(name));
        found.ok_or_else(|| Refused::missing(format!("there is no property '{name}' any more")))
    };
    match change {
        Change::Add(property) => {
            let mut table = Table::new();
            fill(&mut table, property);
            properties.push(table);
        }
        Change::Replace(name, property) => {
            let place = place(properties, name)?;
            if let Some(table) = properties.get_mut(place) {
                fill(table, property);
            }
        }
        Change::Remove(name) => {
            let place = place(properties, name)?;
            properties.remove(place);
        }
    }
    if properties.is_empty() {
        table.remove("property");
    }
    let text = document.to_string();
    project::parse(&text).map_err(Refused::bad)?;
    Ok(text)
}

fn fill(table: &mut Table, property: &Property) {
    let mut set = |key: &str, text: Option<&str>| match (text, table.get_mut(key)) {
        (None, _) => drop(table.remove(key)),
        // What stands behind a value, a comment as a rule, stays.
        (Some(text), Some(Item::Value(old))) => {
            let decor = old.decor().clone();
            *old = Value::from(text);
            *old.decor_mut() = decor;
        }
        (Some(text), _) => drop(table.insert(key, value(text))),
    };
    set("name", Some(property.name.trim()));
    for form in [Form::Invariant, Form::Ctl, Form::Ltl, Form::Id] {
        let is_it = form.key() == property.form.key();
        set(form.key(), is_it.then_some(property.text.trim()));
    }
    set(
        "expected",
        property
            .expected
            .as_deref()
            .filter(|expected| !expected.is_empty()),
    );
}

fn document(text: &str) -> Result<DocumentMut, Refused> {
    text.parse()
        .map_err(|error| Refused::bad(format!("kripke.toml: {error}")))
}

fn table<'d>(document: &'d mut DocumentMut, program: &str) -> Result<&'d mut Table, Refused> {
    let programs = document.get_mut("program").and_then(Item::as_array_of_tables_mut);
    let mut programs = programs.into_iter().flat_map(ArrayOfTables::iter_mut);
    let found = programs.find(|table| table.get("name").and_then(Item::as_str) == Some(program));
    found.ok_or_else(|| Refused::missing(format!("there is no program '{program}' any more")))
}

/// A project of one program whose paths begin at the root, for a file elsewhere. It has this property alone,
/// or the program's own.
pub fn alone(text: &str, root: &Path, program: &str, property: Option<&Property>) -> Result<String, Refused> {
    let mut document = document(text)?;
    let mut wanted = table(&mut document, program)?.clone();
    for key in ["sources", "include", "firmware", "inputs", "sysroot"] {
        if let Some(Item::Value(value)) = wanted.get_mut(key) {
            absolute(value, root);
        }
    }
    // The image is checked as it is.
    wanted.remove("build");
    if let Some(property) = property {
        let mut table = Table::new();
        fill(&mut table, property);
        table.remove("expected");
        let mut properties = ArrayOfTables::new();
        properties.push(table);
        wanted.insert("property", Item::ArrayOfTables(properties));
        wanted.remove("expected");
    }
    let mut programs = ArrayOfTables::new();
    programs.push(wanted);
    let mut document = DocumentMut::new();
    document.insert("program", Item::ArrayOfTables(programs));
    let text = document.to_string();
    project::parse(&text).map_err(Refused::bad)?;
    Ok(text)
}

fn absolute(value: &mut Value, root: &Path) {
    let place = |path: &str| root.join(path).to_string_lossy().into_owned();
    match value {
        Value::String(path) => *value = Value::from(place(path.value())),
        Value::Array(paths) => {
            let paths = paths.iter().filter_map(Value::as_str).map(place);
            *value = Value::Array(Array::from_iter(paths));
        }
        _ => {}
    }
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    // A link stays one.
    let path = path.canonicalize()?;
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".kripke-")
        .tempfile_in(directory)?;
    file.as_file().set_permissions(path.metadata()?.permissions())?;
    file.write_all(text.as_bytes())?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# The lift.\n[[program]]\nname = \"lift\"\nfirmware = \"lift.elf\" # built\n\n\
                        # Never both.\n[[program.property]]\nname = \"one\"\ninvariant = \"{a}\" # why\n\
                        expected = \"holds\"\n\n[[program]]\nname = \"other\"\nsources = [\"a.c\"]\n";

    fn property(name: &str, form: Form, text: &str) -> Property {
        Property {
            name: name.to_owned(),
            form,
            text: text.to_owned(),
            expected: None,
        }
    }

    #[test]
    fn comments_stay_where_properties_change() {
        let new = property("two", Form::Ctl, "AG EF {b}");
        let added = changed(TEXT, "lift", &Change::Add(&new)).expect("a text");
        let own = "\n[[program.property]]\nname = \"two\"\nctl = \"AG EF {b}\"\n";
        assert!(
            added.contains(own) && added.contains("# Never both.") && added.contains("# built"),
            "{added}"
        );
        let same = property("one", Form::Invariant, "{c}");
        let replaced = changed(&added, "lift", &Change::Replace("one", &same)).expect("a text");
        assert!(
            replaced.contains("invariant = \"{c}\" # why\n") && !replaced.contains("expected"),
            "{replaced}"
        );
        let removed = changed(&replaced, "lift", &Change::Remove("two")).expect("a text");
        assert!(!removed.contains("two"), "{removed}");
        let removed = changed(&removed, "lift", &Change::Remove("one")).expect("a text");
        assert!(!removed.contains("property"), "{removed}");
    }

    #[test]
    fn nothing_is_written_that_cannot_be_read() {
        let check = |change: &Change, program: &str, expected: &str| {
            let refused = changed(TEXT, program, change).expect_err("a refusal");
            assert!(refused.message().contains(expected), "{}", refused.message());
        };
        let taken = property("one", Form::Ltl, "G {a}");
        check(&Change::Add(&taken), "lift", "one");
        let good = property("two", Form::Ltl, "G {a}");
        check(&Change::Add(&good), "gone", "no program 'gone'");
        check(&Change::Replace("gone", &good), "lift", "no property 'gone'");
    }

    #[test]
    fn a_check_of_its_own_names_whole_paths() {
        let new = property("two", Form::Ltl, "G {a}");
        let text = alone(TEXT, Path::new("/p"), "other", Some(&new)).expect("a text");
        assert!(
            text.contains("sources = [\"/p/a.c\"]") && text.contains("ltl = \"G {a}\""),
            "{text}"
        );
        assert!(!text.contains("lift"), "{text}");
    }

    #[test]
    fn a_file_that_changed_is_not_overwritten() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join(project::FILE_NAME);
        std::fs::write(&file, TEXT).expect("a file");
        let opened = Opened::new(Some(directory.path())).expect("a project");
        let new = property("two", Form::Ltl, "G {a}");
        let now = save(&opened, &hash(TEXT), "lift", &Change::Add(&new)).expect("a hash");
        let again = property("three", Form::Ltl, "G {a}");
        save(&opened, &hash(TEXT), "lift", &Change::Add(&again)).expect_err("a refusal");
        save(&opened, &now, "lift", &Change::Add(&again)).expect("a hash");
    }
}
