//! What a JSON report (`docs/json.md`) says of places: findings, and the verdicts on functions.
//!
//! Invariant: of a property that a report names twice, among the results and the findings of functions, one
//! finding is made.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kripke_model::{Place, StepKind, Trace};
use kripke_report::explain::{Explanation, find};
use serde::Deserialize;

/// What is said of a property without an answer that holds.
pub struct Finding {
    /// The file, as the report names it from the check's folder.
    pub file: PathBuf,
    /// Where in it.
    pub place: Place,
    /// Its kind, or of firmware its fault.
    pub kind: String,
    /// What that means, and what to do about it.
    pub explanation: Option<&'static Explanation>,
    /// Is it violated, and not only open?
    pub is_violated: bool,
    /// What is said.
    pub message: String,
    /// How it comes to that.
    pub trace: Option<Trace>,
}

impl Finding {
    /// What relative paths begin at.
    pub fn folder(&self) -> &Path {
        let count = Path::new(&self.place.file).components().count();
        self.file.ancestors().nth(count).unwrap_or(Path::new("/"))
    }
}

/// The verdict on a function.
pub struct Function {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: u32,
    /// What it is called.
    pub name: String,
    /// In a word.
    pub verdict: String,
}

/// All that a report says.
#[derive(Default)]
pub struct Findings {
    /// Of places.
    pub findings: Vec<Finding>,
    /// Of functions.
    pub functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(default)]
    reports: Vec<Part>,
    #[serde(flatten)]
    single: Part,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part {
    results: Vec<Answer>,
    findings: Vec<Answer>,
    functions: Vec<Checked>,
}

#[derive(Deserialize)]
struct Checked {
    name: String,
    place: Place,
    verdict: String,
}

#[derive(Deserialize)]
struct Answer {
    property: Asked,
    #[serde(default)]
    verdict: Option<String>,
    #[serde(default)]
    reason: Option<Why>,
    #[serde(default)]
    place: Option<Place>,
    #[serde(default)]
    trace: Option<Trace>,
}

#[derive(Deserialize)]
struct Asked {
    id: String,
    kind: String,
    description: String,
    place: Place,
}

#[derive(Deserialize)]
struct Why {
    kind: String,
}

/// Reads a report whose paths begin at a folder.
pub fn read(text: &str, folder: &Path) -> Result<Findings, serde_json::Error> {
    let Whole { reports, single } = serde_json::from_str(text)?;
    let mut all = Findings::default();
    for part in reports.into_iter().chain([single]) {
        let mut seen = BTreeSet::new();
        for answer in part.results.into_iter().chain(part.findings) {
            if seen.insert(answer.property.id.clone()) {
                all.findings.extend(answer.finding(folder));
            }
        }
        all.functions
            .extend(part.functions.into_iter().map(|function| Function {
                file: folder.join(&function.place.file),
                line: function.place.line,
                name: function.name,
                verdict: function.verdict,
            }));
    }
    Ok(all)
}

impl Answer {
    fn finding(self, folder: &Path) -> Option<Finding> {
        let verdict = self.verdict.as_deref();
        let is_violated = matches!(verdict, Some("violated") | None) && self.trace.is_some();
        if matches!(verdict, Some("holds" | "presumably-holds"))
            || self.reason.as_ref().is_some_and(|why| why.kind == "not-checked")
        {
            return None;
        }
        let place = self.place.unwrap_or(self.property.place);
        if place.file.is_empty() || place.line == 0 {
            return None;
        }
        let mut message = self.property.description;
        let last = self.trace.as_ref().and_then(|trace| trace.steps.last());
        match last.map(|step| &step.kind) {
            Some(StepKind::Violation { message: said, .. }) if *said != message => {
                message = format!("{message}: {said}");
            }
            _ => {}
        }
        let reason = self.reason.as_ref().and_then(|why| find(&why.kind));
        if let Some(why) = &self.reason {
            let said = reason.map_or(why.kind.as_str(), |reason| reason.title);
            message = format!("unknown: {message} ({said})");
        }
        // The faults of firmware have a kind in common, and explanations of their own.
        let fault = Some(self.property.id).filter(|_| self.property.kind == "firmware");
        let kind = fault.unwrap_or(self.property.kind);
        Some(Finding {
            file: folder.join(&place.file),
            place,
            explanation: reason.or_else(|| find(&kind)),
            kind,
            is_violated,
            message,
            trace: self.trace,
        })
    }
}
