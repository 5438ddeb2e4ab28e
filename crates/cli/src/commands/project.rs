//! `kripke check` on a project file: every run it stands for, then one table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_check::project::{self, Defaults, Project, PropertyEntry, Run};
use kripke_check::{Checked, Failure, hint};
use kripke_model::{Report, Temporal, Verdict};
use kripke_report::Style;

use super::check;
use crate::arguments::CheckArguments;
use crate::listener::Settled;
use crate::table::{Row, Table};
use crate::{image_build, jobs, output};

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
    if let Some(json) = &arguments.json {
        output::check_directory(json)?;
    }
    if arguments.harness.is_some() || arguments.list_loops || arguments.list_properties {
        return Err(Failure::input(
            "--harness, --list-loops and --list-properties are for one program; name its files",
        ));
    }
    let project = project::read(path)?;
    let runs = project::runs(&project, &arguments.property_ids);
    known_names(&project, &arguments.property_ids)?;
    let defaults = jobs::defaults(arguments)?;
    let mut table = Table::default();
    for run in &runs {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        table
            .rows
            .extend(rows(run, &project, &defaults, arguments, style, interrupt)?);
    }
    if let Some(json) = &arguments.json {
        let document =
            serde_json::to_string_pretty(&table).map_err(|error| Failure::Internal(error.to_string()))?;
        output::write_file(json, &(document + "\n"))?;
    }
    if arguments.json.as_deref() != Some(Path::new("-")) {
        output::print(&table.render(style))?;
    }
    if interrupt.load(Ordering::Relaxed) {
        output::note("interrupted: what follows in the project was not checked");
        return Ok(2);
    }
    Ok(table.exit_code())
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
fn rows(
    run: &Run,
    project: &Project,
    defaults: &Defaults,
    arguments: &CheckArguments,
    style: Style,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<Row>, Failure> {
    image_build::build(run.program, &project.directory)?;
    let done = examine(run, project, defaults, arguments, interrupt);
    let checked = done.map_err(|failure| match failure {
        Failure::Input(message) => Failure::Input(format!("program '{}': {message}", run.program.name)),
        internal => internal,
    })?;
    let report = &checked.report;
    let rows = if run.safety {
        safety_row(run, report).into_iter().collect()
    } else {
        Vec::new()
    };
    let rows: Vec<Row> = rows.into_iter().chain(property_rows(run, report)).collect();
    if arguments.verbose || rows.iter().any(Row::surprises) && !arguments.quiet {
        check::show(&checked, arguments, style)?;
    }
    Ok(rows)
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
    check::examine(&job, arguments, Settled::default(), Arc::clone(interrupt))
}

/// The row of the program's own safety properties, where there are any.
fn safety_row(run: &Run, report: &Report) -> Option<Row> {
    let safety: Vec<&Verdict> = report
        .results
        .iter()
        .filter(|result| !result.property.kind.is_formula())
        .map(|result| &result.verdict)
        .collect();
    if safety.is_empty() && run.program.expected.is_none() && report.incomplete.is_none() {
        return None;
    }
    let any = |test: fn(&Verdict) -> bool| safety.iter().any(|verdict| test(verdict));
    let verdict = if any(|verdict| matches!(verdict, Verdict::Violated { .. })) {
        "violated"
    } else if report.incomplete.is_some() || any(|verdict| !matches!(verdict, Verdict::Holds { .. })) {
        "unknown"
    } else {
        "holds"
    };
    let count = safety.len();
    Some(Row {
        program: run.program.name.clone(),
        property: format!(
            "{count} safety {}",
            if count == 1 { "property" } else { "properties" }
        ),
        verdict: verdict.to_string(),
        expected: run.program.expected.map(|expected| expected.text().to_string()),
        bounds: Vec::new(),
        seconds: report.statistics.seconds,
    })
}

/// A row per property that the project names.
fn property_rows(run: &Run, report: &Report) -> Vec<Row> {
    let row = |property: &&PropertyEntry| {
        let wanted = property.id.as_ref().unwrap_or(&property.name);
        let result = report.results.iter().find(|result| result.property.id == *wanted);
        let verdict = result.map_or("unknown", |result| verdict_text(&result.verdict));
        let temporal = result.and_then(|result| result.temporal.as_ref());
        Row {
            program: run.program.name.clone(),
            property: property.name.clone(),
            verdict: verdict.to_string(),
            expected: property.expected.map(|expected| expected.text().to_string()),
            bounds: temporal.map_or_else(Vec::new, |temporal| unexpected_bounds(property, temporal)),
            seconds: report.statistics.seconds,
        }
    };
    run.properties.iter().map(row).collect()
}

fn verdict_text(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } => "violated",
        Verdict::PresumablyHolds { .. } => "presumably holds",
        Verdict::PresumablyViolated { .. } => "presumably violated",
        Verdict::Unknown { .. } => "unknown",
    }
}

/// Where the value at a bound is not the expected one. From the bound on at which the value is definite it
/// stays.
fn unexpected_bounds(property: &PropertyEntry, temporal: &Temporal) -> Vec<String> {
    let mut wrong = Vec::new();
    for (bound, expected) in &property.expected_at {
        let number: u32 = bound.parse().unwrap_or(0);
        let at = temporal
            .bounds
            .iter()
            .find(|row| row.bound == number || row.bound < number && row.definite);
        let value = at.map_or("not reached", |row| row.value.as_str());
        if value != expected.text() {
            wrong.push(format!("at bound {bound}: {value}, not {}", expected.text()));
        }
    }
    wrong
}
