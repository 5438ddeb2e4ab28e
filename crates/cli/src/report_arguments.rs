//! The options of `kripke check` for reports to other tools, and for a baseline.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What is written beside the report for people.
#[derive(Args, Debug, Default, Clone)]
pub struct ReportArguments {
    /// Write a report for other tools: json, sarif, junit, html, gitlab, github (annotations in a workflow),
    /// dot or vcd (the first run as a graph or a waveform) or baseline, to a file or standard output
    /// (repeatable)
    #[arg(
        long = "report",
        value_name = "FORMAT[=FILE]",
        value_parser = parse_report,
        help_heading = "Output"
    )]
    pub reports: Vec<ReportFile>,
    /// Put what holds into SARIF reports, too
    #[arg(long, help_heading = "Output")]
    pub report_holds: bool,
    /// What a property without an answer is in JUnit reports
    #[arg(long, value_name = "AS", value_enum, default_value_t, help_heading = "Output")]
    pub report_unknown: UnknownChoice,
    /// Write the first violation as a violation witness 2.0 (SV-COMP)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    /// Check the properties of a property file (SV-COMP), instead of those that --check lists
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "check",
        help_heading = "Properties"
    )]
    pub prp: Option<PathBuf>,
    /// Fail only on what this JSON report, or file of --report baseline=FILE, does not have; looks at all
    /// properties
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
}

/// A report, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// How it is written.
    pub format: ReportFormat,
    /// Where to; `-` is standard output.
    pub path: PathBuf,
}

/// How a report is written.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// For scripts
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// A test case for each property
    Junit,
    /// A page to step through the counterexamples
    Html,
    /// The code quality report of GitLab
    Gitlab,
    /// Annotations, as commands of a workflow of GitHub
    Github,
    /// The first run as a graph for Graphviz
    Dot,
    /// The first run as a waveform
    Vcd,
    /// The fingerprints of all findings
    Baseline,
}

/// What a property without an answer is.
#[derive(ValueEnum, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UnknownChoice {
    /// A skipped test
    #[default]
    Skipped,
    /// A test with an error
    Error,
}

fn parse_report(text: &str) -> Result<ReportFile, String> {
    let (name, path) = text.split_once('=').unwrap_or((text, "-"));
    let format = ReportFormat::from_str(name, false).map_err(|_| {
        let known: Vec<String> = ReportFormat::value_variants()
            .iter()
            .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
            .collect();
        format!("'{name}' is no format; there are {}", known.join(", "))
    })?;
    match path {
        "" => Err(format!("the file's name is missing; write {name}=FILE")),
        path => Ok(ReportFile {
            format,
            path: PathBuf::from(path),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_and_a_file() {
        let check = |text, format, path: &str| {
            let path = PathBuf::from(path);
            assert_eq!(parse_report(text), Ok(ReportFile { format, path }));
        };
        check("github", ReportFormat::Github, "-");
        check("sarif=a=b.sarif", ReportFormat::Sarif, "a=b.sarif");
        let error = |text| parse_report(text).expect_err("a mistake");
        assert!(error("xml=a").contains("there are json, sarif"));
        assert!(error("junit=").contains("junit=FILE"));
    }
}
