//! A task definition of SV-COMP in the place of sources: `kripke check TASK.yml`.
//!
//! Idea: it says what the command line would say otherwise, so it becomes a command line.

use std::path::{Path, PathBuf};

use kripke_check::task::{self, Asked, Task};
use kripke_check::{Failure, closest};
use kripke_model::{Outcome, Report};

use crate::arguments::CheckArguments;
use crate::output;

/// The command line that a task stands for, and the verdict that it expects; the same one where there is no
/// task.
pub fn expand(arguments: &CheckArguments) -> Result<(CheckArguments, Option<bool>), Failure> {
    let is_task = |path: &Path| {
        path.extension()
            .is_some_and(|name| name == "yml" || name == "yaml")
    };
    let Some(path) = arguments.source.files.iter().find(|path| is_task(path)) else {
        return Ok((arguments.clone(), None));
    };
    let in_file = |message: String| Failure::input(format!("{}: {message}", path.display()));
    if arguments.source.files.len() > 1 {
        return Err(in_file(
            "a task names its sources itself; give it alone".to_owned(),
        ));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
    let task = task::parse(&text).map_err(in_file)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut expanded = arguments.clone();
    expanded.source.files = task.input_files.iter().map(|file| folder.join(file)).collect();
    if let Some(model) = task.data_model {
        if arguments.source.target.is_some() {
            return Err(in_file(
                "--target would change the data_model that the task is for".to_owned(),
            ));
        }
        expanded.source.target = Some(model.target().to_owned());
    }
    if arguments.properties.check.is_some() {
        return Ok((expanded, None));
    }
    let asked = property(&task, arguments.report.prp.as_deref()).map_err(in_file)?;
    let of_task = || folder.join(&asked.property_file);
    expanded.report.prp = Some(arguments.report.prp.clone().unwrap_or_else(of_task));
    Ok((expanded, asked.expected_verdict))
}

/// The property that was chosen, by the name of its file: benchmarks are run with copies elsewhere.
fn property<'t>(task: &'t Task, chosen: Option<&Path>) -> Result<&'t Asked, String> {
    let name = |path: &Path| path.file_name().map(PathBuf::from);
    let names = || {
        let names = task.properties.iter().map(|asked| asked.property_file.as_str());
        names.collect::<Vec<_>>()
    };
    match (chosen, &task.properties[..]) {
        (_, []) => Err("the task has no properties; --check says what to check".to_owned()),
        (None, [only]) => Ok(only),
        (None, _) => Err(format!(
            "the task has several properties; choose one with --prp: {}",
            names().join(", ")
        )),
        (Some(path), all) => all
            .iter()
            .find(|asked| name(Path::new(&asked.property_file)) == name(path))
            .ok_or_else(|| {
                let near = closest(&path.to_string_lossy(), names().into_iter());
                let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
                format!("{} is not among the task's properties{hint}", path.display())
            }),
    }
}

/// Says how a report compares with what the task expects.
pub fn compare(report: &Report, expected: Option<bool>) {
    let Some(expected) = expected else { return };
    let found = match report.outcome() {
        Outcome::Holds => Some(true),
        Outcome::Violated => Some(false),
        Outcome::Unknown => None,
    };
    output::note(&match found {
        Some(found) if found == expected => format!("the task expects {expected}: so it is"),
        Some(_) => format!("the task expects {expected}: that is not what was found"),
        None => format!("the task expects {expected}: it is open"),
    });
}
