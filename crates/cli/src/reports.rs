//! Reports for other tools, and the comparison with a baseline.
//!
//! Idea: before a long check everything that can go wrong with files is found out; after it one document is
//! made, compared, and written in each format that was asked for. Standard output can take one document; then
//! the report for people goes to standard error. Annotations of GitHub are read from between other lines, so
//! they come behind the text.

use std::path::Path;

use kripke_check::Failure;
use kripke_report::baseline::{Baseline, Compared};
use kripke_report::{Document, annotations, baseline, dot, html, json, junit, sarif, vcd};

use crate::arguments::CheckArguments;
use crate::output;
use crate::report_arguments::{ReportFormat, UnknownChoice};

/// Looks at the options before anything is checked; the baseline, if one is given.
pub fn prepare(arguments: &CheckArguments) -> Result<Option<Baseline>, Failure> {
    let reports = &arguments.report.reports;
    for path in reports.iter().map(|report| &report.path).chain(&arguments.json) {
        output::check_directory(path)?;
    }
    if documents_on_standard_output(arguments) > 1 {
        return Err(Failure::input(
            "standard output takes one report; give the others a file: --report FORMAT=FILE",
        ));
    }
    let Some(path) = &arguments.report.baseline else {
        return Ok(None);
    };
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read the baseline {shown}: {error}")))?;
    let parsed = Baseline::parse(&text);
    parsed
        .map(Some)
        .map_err(|error| Failure::input(format!("the baseline {shown} cannot be used: {error}")))
}

/// Is anything asked for that needs a document?
pub fn are_wanted(arguments: &CheckArguments) -> bool {
    arguments.json.is_some() || !arguments.report.reports.is_empty() || arguments.report.baseline.is_some()
}

fn documents_on_standard_output(arguments: &CheckArguments) -> usize {
    let is_document = |format| format != ReportFormat::Github;
    let reports = arguments.report.reports.iter();
    let reports = reports.filter(|report| is_document(report.format) && is_standard_output(&report.path));
    reports.count() + usize::from(arguments.json.as_deref().is_some_and(is_standard_output))
}

fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Shows the text for people where nothing else is meant to stand there.
pub fn show_text(text: &str, arguments: &CheckArguments) -> Result<(), Failure> {
    match documents_on_standard_output(arguments) {
        0 => output::print(text),
        _ => {
            output::note(text.trim_end());
            Ok(())
        }
    }
}

/// Compares with the baseline, says so, and writes all reports; `whole` writes the document as JSON.
pub fn write(
    document: &mut Document,
    baseline: Option<&Baseline>,
    arguments: &CheckArguments,
    whole: impl Fn(&Document) -> Result<String, serde_json::Error>,
) -> Result<Option<Compared>, Failure> {
    let compared = baseline.map(|baseline| document.compare(baseline));
    if let Some(compared) = &compared {
        show_text(&compared.text(), arguments)?;
    }
    for report in &arguments.report.reports {
        let text = rendered(report.format, document, arguments, &whole);
        let Some(text) = text.map_err(|error| Failure::Internal(error.to_string()))? else {
            output::note(&format!(
                "no run to show: {} is not written",
                report.path.display()
            ));
            continue;
        };
        match report.format {
            // Read from both streams; a document on standard output must stay whole.
            ReportFormat::Github if is_standard_output(&report.path) && text.is_empty() => {}
            ReportFormat::Github if is_standard_output(&report.path) => show_text(&text, arguments)?,
            _ => output::write_file(&report.path, &text)?,
        }
    }
    Ok(compared)
}

/// A report; none where it shows a run and there is none.
fn rendered(
    format: ReportFormat,
    document: &Document,
    arguments: &CheckArguments,
    whole: impl Fn(&Document) -> Result<String, serde_json::Error>,
) -> Result<Option<String>, serde_json::Error> {
    let text = match format {
        ReportFormat::Json => whole(document)?,
        ReportFormat::Sarif => sarif::render(document, arguments.report.report_holds)?,
        ReportFormat::Junit => {
            let unknown = match arguments.report.report_unknown {
                UnknownChoice::Skipped => junit::Unknown::Skipped,
                UnknownChoice::Error => junit::Unknown::Error,
            };
            junit::render(document, unknown).map_err(serde_json::Error::io)?
        }
        ReportFormat::Html => html::render(document)?,
        ReportFormat::Gitlab => annotations::gitlab(document)?,
        ReportFormat::Github => annotations::github(document),
        ReportFormat::Baseline => baseline::render(document)?,
        ReportFormat::Dot => return Ok(dot::render(document)),
        ReportFormat::Vcd => return vcd::render(document).map_err(serde_json::Error::io),
    };
    Ok(Some(text))
}

/// The report of one check as JSON.
pub fn single(document: &Document) -> Result<String, serde_json::Error> {
    json::render(document)
}
