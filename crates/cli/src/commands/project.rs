//! `kripke check` on a project file: every run it stands for, then one table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_check::project::{self, Comparison, Defaults, Project, Row, Run};
use kripke_check::{Checked, Failure, hint};
use kripke_report::{Document, Style, json};

use super::check;
use crate::arguments::CheckArguments;
use crate::listener::Results;
use crate::{image_build, jobs, output, reports, table};

/// What the user asked to run as a project, if anything: a project file, a directory with one, or nothing at
/// all.
pub fn requested(arguments: &CheckArguments) -> Option<PathBuf> {
    match arguments.source.files.as_slice() {
        [] if arguments.source.compile_db.is_none() => project::find(),
        [only] if only.is_dir() => Some(only.join(project::FILE_NAME)),
        [only] if only.extension().is_some_and(|name| name == "toml") => Some(only.clone()),
        _ => None,
    }
}

/// Runs a project and prints its table.
pub fn check(
    path: &Path,
    arguments: &CheckArguments,
    style: Style,
    interrupt: &Arc<AtomicBool>,
) -> Result<u8, Failure> {
    let baseline = reports::prepare(arguments)?;
    if arguments.report.witness.is_some() || arguments.report.prp.is_some() {
        return Err(Failure::input(
            "--witness and --prp are for one program; name its files",
        ));
    }
    let is_of_one = arguments.certificate.is_some();
    if is_of_one || arguments.list_loops || arguments.list_properties {
        return Err(Failure::input(
            "--certificate, --list-loops and --list-properties are for one program; name its files",
        ));
    }
    let project = project::read(path)?;
    let runs = project::runs(&project, &arguments.property_ids);
    if arguments.harness.is_some() && runs.len() != 1 {
        return Err(Failure::input(
            "--harness is for one check; name a program or a property with --property",
        ));
    }
    known_names(&project, &arguments.property_ids)?;
    let defaults = jobs::defaults(arguments)?;
    let mut comparison = Comparison::default();
    let mut kept = Vec::new();
    for run in &runs {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let checked = one(run, &project, &defaults, arguments, style, interrupt)?;
        check::write_harness(&checked, run.program.firmware.is_some(), arguments)?;
        comparison.rows.extend(run.rows(&checked));
        // Traces are large; they are kept only where a report needs them.
        if !arguments.report.reports.is_empty() || baseline.is_some() {
            kept.push((run, run.expectations(&checked), checked));
        }
    }
    if let Some(json) = &arguments.json {
        let document = serde_json::to_string_pretty(&comparison)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        output::write_file(json, &(document + "\n"))?;
    }
    reports::show_text(&table::render(&comparison, style), arguments)?;
    let checks = kept
        .iter()
        .map(|(run, expectations, checked)| kripke_report::Checked {
            program: &run.program.name,
            files: &checked.files,
            report: &checked.report,
            functions: checked.functions.as_ref(),
            expected: &expectations.met,
            surprises: &expectations.surprises,
        });
    let sources = output::sources();
    let mut document = Document::new(checks.collect(), &sources, env!("CARGO_PKG_VERSION"));
    let code = comparison.exit_code();
    let compared = reports::write(&mut document, baseline.as_ref(), arguments, |document| {
        json::render_project(document, &comparison, code)
    })?;
    if interrupt.load(Ordering::Relaxed) {
        output::note("interrupted: what follows in the project was not checked");
        return Ok(2);
    }
    Ok(compared.map_or(code, |compared| compared.exit_code()))
}

/// Every name that `--property` gives must be in the project.
fn known_names(project: &Project, selected: &[String]) -> Result<(), Failure> {
    let names: Vec<String> = project
        .programs
        .iter()
        .flat_map(|program| {
            let full = program
                .properties
                .iter()
                .map(|property| format!("{}/{}", program.name, property.name));
            let short = program.properties.iter().map(|property| property.name.clone());
            full.chain(short).chain([program.name.clone()])
        })
        .collect();
    match selected.iter().find(|name| !names.contains(name)) {
        None => Ok(()),
        Some(unknown) => {
            let hint = hint(unknown, names.iter().map(String::as_str));
            Err(Failure::input(format!(
                "--property: the project has no program or property '{unknown}'{hint}"
            )))
        }
    }
}

/// Checks one run and shows what is not as expected in full.
fn one(
    run: &Run,
    project: &Project,
    defaults: &Defaults,
    arguments: &CheckArguments,
    style: Style,
    interrupt: &Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    image_build::build(run.program, &project.directory)?;
    let done = examine(run, project, defaults, arguments, interrupt);
    let checked = done.map_err(|failure| match failure {
        Failure::Input(message) => Failure::Input(format!("program '{}': {message}", run.program.name)),
        internal => internal,
    })?;
    let surprises = || run.rows(&checked).iter().any(Row::surprises);
    if arguments.verbose || !arguments.quiet && surprises() {
        check::show(&checked, arguments, style)?;
    }
    Ok(checked)
}

/// Does the job that a run stands for.
fn examine(
    run: &Run,
    project: &Project,
    defaults: &Defaults,
    arguments: &CheckArguments,
    interrupt: &Arc<AtomicBool>,
) -> Result<Checked, Failure> {
    match run.program.firmware {
        Some(_) => jobs::refuse_program_options(arguments)?,
        None => jobs::refuse_firmware_options(arguments)?,
    }
    let job = run.job(project, defaults)?;
    check::examine(&job, arguments, Results::default(), Arc::clone(interrupt))
}
