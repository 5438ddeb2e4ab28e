//! `kripke init`: looks at a folder and writes a `kripke.toml` that works.
//!
//! Idea: what is found ([`scan`]) becomes programs ([`write`]); then each is loaded as a check would load it.
//! One that does not load is written as a comment with the reason, so that `kripke check` works on the rest.
//!
//! Invariant: a file that is there is never changed.

mod scan;
mod write;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kripke_check::Failure;
use kripke_check::project::{self, Defaults};

use crate::first_use_arguments::InitArguments;
use crate::output;
use write::Part;

/// Writes the file, or prints it.
pub fn init(arguments: &InitArguments, interrupt: &Arc<AtomicBool>) -> Result<u8, Failure> {
    let directory = &arguments.directory;
    let path = directory.join(project::FILE_NAME);
    let shown = path.display();
    if !directory.is_dir() {
        return Err(Failure::input(format!(
            "there is no directory {}",
            directory.display()
        )));
    }
    if path.exists() && !arguments.print {
        return Err(Failure::input(format!(
            "{shown} is there already, and is not changed; --print shows another"
        )));
    }
    let found = scan::scan(directory);
    let mut parts = write::parts(&found);
    for part in &mut parts {
        if let Err(reason) = load(&part.text, directory, interrupt) {
            part.refused = Some(reason);
        }
    }
    if !parts.iter().any(|part| part.refused.is_none()) {
        return Err(nothing(directory, &parts));
    }
    let text = write::file(&found, &parts);
    if arguments.print {
        output::print(&text)?;
        return Ok(0);
    }
    create(&path, &text)?;
    let (good, bad): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(|part| part.refused.is_none());
    let names: Vec<&str> = good.iter().map(|part| part.name.as_str()).collect();
    output::print(&format!("{shown} is written: {}\n", names.join(", ")))?;
    for part in bad {
        let reason = part.refused.as_deref().unwrap_or_default();
        output::note(&format!(
            "left out as a comment: {}: {}",
            part.name,
            first_line(reason)
        ));
    }
    output::print("`kripke check` checks it; the comments say what can be added.\n")?;
    Ok(0)
}

/// Creates the file and refuses one that is there, also where it came in the meantime.
fn create(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::input(format!("cannot write {}: {error}", path.display()));
    let mut file = fs::File::create_new(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)
}

fn nothing(directory: &Path, parts: &[Part]) -> Failure {
    let shown = directory.display();
    let reasons: Vec<String> = parts
        .iter()
        .filter_map(|part| {
            Some(format!(
                "\n  {}: {}",
                part.name,
                part.refused.as_deref()?.trim_end()
            ))
        })
        .collect();
    match reasons.is_empty() {
        true => Failure::input(format!(
            "there is nothing to check in {shown}: no C sources, no compile_commands.json, no ELF files of \
             an AVR; build the firmware first, or write a kripke.toml as docs/project.md shows"
        )),
        false => Failure::input(format!(
            "nothing in {shown} can be loaded as it is:{}\nWith the right options, `kripke check FILE` says \
             more",
            reasons.concat()
        )),
    }
}

pub(super) fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
}

/// Loads a program of the file as a check would; what is wrong otherwise.
fn load(text: &str, directory: &Path, interrupt: &Arc<AtomicBool>) -> Result<(), String> {
    let mut project = project::parse(text)?;
    project.directory = directory.to_path_buf();
    let mut defaults = Defaults::default();
    defaults.program.sources.entry = "main".to_owned();
    for run in project::runs(&project, &[]) {
        let job = run
            .job(&project, &defaults)
            .map_err(|failure| failure.to_string())?;
        kripke_check::load(&job, interrupt).map_err(|failure| failure.to_string())?;
    }
    Ok(())
}
