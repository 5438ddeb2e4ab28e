//! The verdicts of a project beside the expected ones.
//!
//! Idea: one row for each property that the project names, and one for all safety properties of a program
//! together. Whoever shows a project (a terminal, a page) shows these.

use kripke_model::{Report, Temporal, Verdict};
use serde::Serialize;

use super::{PropertyEntry, Run, VerdictName};
use crate::Checked;

/// One property's line.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Which program.
    pub program: String,
    /// Which property.
    pub property: String,
    /// What was found.
    pub verdict: VerdictName,
    /// What was expected, where the project says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<VerdictName>,
    /// Bounds at which the verdict was not the expected one, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<String>,
    /// How long its run took.
    pub seconds: f64,
}

impl Row {
    /// Is anything not as the project expects it? Without an expectation everything but *violated* is
    /// accepted.
    #[must_use]
    pub fn surprises(&self) -> bool {
        let other = match self.expected {
            Some(expected) => expected != self.verdict,
            None => self.verdict == VerdictName::Violated,
        };
        other || !self.bounds.is_empty()
    }

    /// Without an expectation, was the answer not definite?
    #[must_use]
    pub fn inconclusive(&self) -> bool {
        self.expected.is_none() && !matches!(self.verdict, VerdictName::Holds | VerdictName::Violated)
    }
}

/// All rows of a project.
#[derive(Debug, Default, Clone, Serialize)]
pub struct Comparison {
    /// In the order of the file.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// 0: all as expected (or holding), 1: something is not, 2: inconclusive where nothing was expected.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.rows.iter().any(Row::surprises) {
            1
        } else if self.rows.iter().any(Row::inconclusive) {
            2
        } else {
            0
        }
    }
}

/// Which verdicts of a run are those that the project expects, and which are not.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Expectations {
    /// The ids of the properties that have the expected verdict.
    pub met: Vec<String>,
    /// What is otherwise, beside properties that are violated: a name, and a sentence.
    pub surprises: Vec<(String, String)>,
}

impl Run<'_> {
    /// Compares what was found in this run with what the project expects, property by property.
    #[must_use]
    pub fn expectations(&self, checked: &Checked) -> Expectations {
        let mut found = Expectations::default();
        let report = &checked.report;
        if let Some(row) = self.safety.then(|| self.safety_row(checked)).flatten() {
            let ids = report.results.iter().map(|result| &result.property);
            let ids = ids.filter(|property| !property.kind.is_formula());
            found.note(&row, ids.map(|property| property.id.clone()));
        }
        for property in &self.properties {
            let id = property.id.as_ref().unwrap_or(&property.name);
            found.note(&self.property_row(property, report), [id.clone()].into_iter());
        }
        found
    }

    /// The rows that what was found in this run fills.
    #[must_use]
    pub fn rows(&self, checked: &Checked) -> Vec<Row> {
        let report = &checked.report;
        let safety = if self.safety {
            self.safety_row(checked)
        } else {
            None
        };
        let properties = self.properties.iter();
        safety
            .into_iter()
            .chain(properties.map(|property| self.property_row(property, report)))
            .collect()
    }

    /// The row of the program's own safety properties, where there are any.
    fn safety_row(&self, checked: &Checked) -> Option<Row> {
        let report = &checked.report;
        let safety: Vec<&Verdict> = report
            .results
            .iter()
            .filter(|result| !result.property.kind.is_formula())
            .map(|result| &result.verdict)
            .collect();
        if safety.is_empty() && self.program.expected.is_none() && report.incomplete.is_none() {
            return None;
        }
        let any = |test: fn(&Verdict) -> bool| safety.iter().any(|verdict| test(verdict));
        let verdict = if any(|verdict| matches!(verdict, Verdict::Violated { .. })) {
            VerdictName::Violated
        } else if report.incomplete.is_some() || any(|verdict| !matches!(verdict, Verdict::Holds { .. })) {
            VerdictName::Unknown
        } else {
            VerdictName::Holds
        };
        let count = safety.len();
        let properties = if count == 1 { "property" } else { "properties" };
        Some(Row {
            program: self.program.name.clone(),
            property: match &checked.functions {
                Some(found) => format!(
                    "{count} safety {properties} of {} functions",
                    found.functions.len()
                ),
                None => format!("{count} safety {properties}"),
            },
            verdict,
            expected: self.program.expected,
            bounds: Vec::new(),
            seconds: report.statistics.seconds,
        })
    }

    /// The row of a property that the project names.
    fn property_row(&self, property: &PropertyEntry, report: &Report) -> Row {
        let wanted = property.id.as_ref().unwrap_or(&property.name);
        let result = report.results.iter().find(|result| result.property.id == *wanted);
        let temporal = result.and_then(|result| result.temporal.as_ref());
        Row {
            program: self.program.name.clone(),
            property: property.name.clone(),
            verdict: result.map_or(VerdictName::Unknown, |result| VerdictName::of(&result.verdict)),
            expected: property.expected,
            bounds: temporal.map_or_else(Vec::new, |temporal| unexpected_bounds(property, temporal)),
            seconds: report.statistics.seconds,
        }
    }
}

impl Expectations {
    fn note(&mut self, row: &Row, ids: impl Iterator<Item = String>) {
        let is_met = row.expected == Some(row.verdict);
        if is_met {
            self.met.extend(ids);
        }
        // A violation speaks for itself.
        let expected = row
            .expected
            .filter(|_| !is_met && row.verdict != VerdictName::Violated);
        let wrong = expected.map(|expected| {
            format!(
                "the project expects: {}; found: {}",
                expected.text(),
                row.verdict.text()
            )
        });
        let sentences: Vec<String> = wrong.into_iter().chain(row.bounds.iter().cloned()).collect();
        if !sentences.is_empty() {
            self.surprises.push((row.property.clone(), sentences.join("; ")));
        }
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
