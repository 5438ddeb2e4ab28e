//! What a JSON report (`docs/json.md`) says of places: findings, and the verdicts on functions.
//!
//! Invariant: an error is what the report calls violated, and nothing else; a violation that rests on what
//! callers or objects are like is a warning, unless no caller lets it happen.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use kripke_model::{Place, Rank, StepKind, Trace};
use kripke_report::explain::{Explanation, find};
use kripke_report::json::Parts;
use serde::Deserialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The property is violated.
    Violated,
    /// It is, if something that is not in the program is as the run has it.
    Possible,
    /// There is no answer.
    Open,
}

/// What is said of a property that does not hold.
pub struct Finding {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub place: Place,
    /// Its kind, or of firmware its fault.
    pub kind: String,
    /// What that means, and what to do about it.
    pub explanation: Option<&'static Explanation>,
    /// How much it matters.
    pub weight: Weight,
    /// What is said.
    pub message: String,
    /// How it comes to that.
    pub trace: Option<Trace>,
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
    /// The folder at which relative paths begin.
    pub folder: PathBuf,
    /// Of places.
    pub findings: Vec<Finding>,
    /// Of functions.
    pub functions: Vec<Function>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part {
    results: Vec<Answer>,
    findings: Vec<Run>,
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
    verdict: String,
    #[serde(default)]
    reason: Option<Why>,
    #[serde(default)]
    trace: Option<Trace>,
}

/// A violation in the run of a function by itself.
#[derive(Deserialize)]
struct Run {
    property: Asked,
    place: Place,
    rank: Rank,
    trace: Trace,
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
    let parts: Parts<Part> = serde_json::from_str(text)?;
    let mut all = Findings {
        folder: folder.to_owned(),
        ..Findings::default()
    };
    for part in parts {
        let runs = part.findings.into_iter();
        let mut runs: HashMap<String, Run> = runs.map(|run| (run.property.id.clone(), run)).collect();
        for answer in part.results {
            let run = runs.remove(&answer.property.id);
            all.findings.extend(answer.finding(run, folder));
        }
        let functions = part.functions.into_iter().map(|function| Function {
            file: folder.join(&function.place.file),
            line: function.place.line,
            name: function.name,
            verdict: function.verdict,
        });
        all.functions.extend(functions);
    }
    Ok(all)
}

impl Answer {
    /// None where there is nothing to say, or no place to say it.
    fn finding(self, run: Option<Run>, folder: &Path) -> Option<Finding> {
        let run = run.filter(|run| run.rank != Rank::Excluded);
        let weight = match (self.verdict.as_str(), &run) {
            ("holds" | "presumably-holds", _) => return None,
            ("violated", _) => Weight::Violated,
            ("unknown", Some(_)) => Weight::Possible,
            ("unknown", None) if self.reason.as_ref().is_some_and(|why| why.kind == "not-checked") => {
                return None;
            }
            _ => Weight::Open,
        };
        let Asked {
            id,
            kind,
            description,
            place,
        } = self.property;
        let (place, trace) = match run {
            Some(run) => (run.place, Some(run.trace)),
            None => (place, self.trace),
        };
        if place.file.is_empty() || place.line == 0 {
            return None;
        }
        // The faults of firmware have a kind in common, and explanations of their own.
        let kind = if kind == "firmware" { id } else { kind };
        let reason = self.reason.filter(|_| weight == Weight::Open);
        let explanation = reason.as_ref().and_then(|why| find(&why.kind));
        let why = reason.map(|why| explanation.map_or(why.kind, |reason| reason.title.to_owned()));
        Some(Finding {
            file: folder.join(&place.file),
            place,
            message: message(description, weight, trace.as_ref(), why),
            explanation: explanation.or_else(|| find(&kind)),
            kind,
            weight,
            trace,
        })
    }
}

fn message(description: String, weight: Weight, trace: Option<&Trace>, why: Option<String>) -> String {
    let last = trace.and_then(|trace| trace.steps.last());
    let said = match last.map(|step| &step.kind) {
        Some(StepKind::Violation { message, .. }) if *message != description => {
            format!("{description}: {message}")
        }
        _ => description,
    };
    match (weight, why) {
        (Weight::Violated, _) => said,
        (Weight::Possible, _) => format!("possible: {said} (it depends on callers or objects)"),
        (Weight::Open, Some(why)) => format!("unknown: {said} ({why})"),
        (Weight::Open, None) => format!("open: {said}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The weights of what is found where an answer has that verdict and a run of that rank.
    fn check(verdict: &str, rank: Option<&str>, expected: &[Weight]) {
        let place = json!({ "file": "a.c", "line": 3, "column": 5, "function": "f" });
        let property = json!({ "id": "f.bounds.1", "kind": "bounds", "description": "d", "place": place });
        let trace = json!({ "steps": [], "stack": [], "loop_start": null });
        let run = |rank: &str| json!({ "property": property, "place": place, "rank": rank, "trace": trace });
        let report = json!({
            "results": [{ "property": property, "verdict": verdict, "reason": { "kind": "timeout" } }],
            "findings": rank.map(run).into_iter().collect::<Vec<_>>(),
        });
        let found = read(&report.to_string(), Path::new("/folder")).expect("a report");
        let weights: Vec<Weight> = found.findings.iter().map(|finding| finding.weight).collect();
        assert_eq!(weights, expected, "{verdict} {rank:?}");
    }

    #[test]
    fn only_what_is_violated_is_an_error() {
        check("holds", None, &[]);
        check("violated", Some("arguments"), &[Weight::Violated]);
        check("violated", None, &[Weight::Violated]);
        check("unknown", None, &[Weight::Open]);
        check("unknown", Some("callers"), &[Weight::Possible]);
        check("unknown", Some("excluded"), &[Weight::Open]);
        check("presumably-violated", None, &[Weight::Open]);
    }
}
