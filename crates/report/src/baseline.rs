//! What was found before, so that a check fails on new findings only.
//!
//! Idea: a baseline is a list of fingerprints with what was known of each. It is part of every JSON report;
//! a file of its own has nothing else. A finding is known where the list has its fingerprint with a verdict
//! that is as bad or worse: a property that was open and is now violated is new.
//!
//! Invariant: what was not looked at (the run stopped at a violation) is in no baseline.

use std::collections::{HashMap, HashSet};

use kripke_model::Reason;
use serde::{Deserialize, Serialize};

use crate::entries::{Document, Entry, Status};
use crate::json::VERSION;

/// One finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// What stays the same from run to run.
    pub fingerprint: String,
    /// What was known of it.
    pub verdict: String,
    /// What the property is called, for readers.
    pub property: String,
}

/// The findings of a document: what is violated or open.
pub fn fingerprints(document: &Document) -> Vec<Fingerprint> {
    let entries = document.entries.iter().filter(|entry| severity(entry) > 0);
    entries
        .map(|entry| Fingerprint {
            fingerprint: entry.fingerprint.clone(),
            verdict: entry.word().to_owned(),
            property: match entry.program {
                "" => entry.id.to_owned(),
                program => format!("{program}/{}", entry.id),
            },
        })
        .collect()
}

/// How bad it is; 0 is no finding.
fn severity(entry: &Entry) -> u8 {
    match entry.status {
        _ if entry.is_expected => 0,
        Status::Holds | Status::Unknown(Reason::NotChecked) => 0,
        _ => severity_of(entry.word()).unwrap_or(0),
    }
}

fn severity_of(word: &str) -> Option<u8> {
    match word {
        "violated" | "unexpected" => Some(3),
        "possible" | "presumably violated" => Some(2),
        "unknown" | "presumably holds" => Some(1),
        _ => None,
    }
}

/// A list that was written before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: HashMap<String, u8>,
}

#[derive(Serialize, Deserialize)]
struct File {
    schema_version: u32,
    fingerprints: Option<Vec<Fingerprint>>,
}

/// A file with the fingerprints of a document alone.
pub fn render(document: &Document) -> Result<String, serde_json::Error> {
    let file = File {
        schema_version: VERSION,
        fingerprints: Some(fingerprints(document)),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

impl Baseline {
    /// Reads a JSON report or a file of fingerprints.
    ///
    /// # Errors
    /// What is wrong, and what helps.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let file: File = serde_json::from_str(text).map_err(|error| {
            format!("it is neither a JSON report of kripke nor a file of fingerprints: {error}")
        })?;
        let Some(fingerprints) = file.fingerprints else {
            return Err("it has no fingerprints: write it anew with --report baseline=FILE".to_owned());
        };
        let mut known = HashMap::new();
        for one in fingerprints {
            let severity = severity_of(&one.verdict)
                .ok_or_else(|| format!("'{}' of {} is no verdict of a finding", one.verdict, one.property))?;
            let at = known.entry(one.fingerprint).or_insert(0);
            *at = severity.max(*at);
        }
        Ok(Baseline { known })
    }
}

/// How a document compares with a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Findings that the baseline has.
    pub known: usize,
    /// Violations that it does not have.
    pub new: usize,
    /// Open properties that it does not have.
    pub open: usize,
    /// Findings of the baseline that are no more.
    pub gone: usize,
}

impl Document<'_> {
    /// Marks what the baseline knows.
    pub fn compare(&mut self, baseline: &Baseline) -> Compared {
        self.is_compared = true;
        let mut compared = Compared::default();
        for entry in &mut self.entries {
            let severity = severity(entry);
            let known = baseline.known.get(&entry.fingerprint);
            entry.is_known = severity > 0 && known.is_some_and(|&known| known >= severity);
            compared.known += usize::from(entry.is_known);
            compared.new += usize::from(entry.fails());
            compared.open += usize::from(entry.is_open());
        }
        let there = self.entries.iter().filter(|entry| severity(entry) > 0);
        let there: HashSet<&str> = there.map(|entry| entry.fingerprint.as_str()).collect();
        let known = baseline.known.keys();
        compared.gone = known.filter(|known| !there.contains(known.as_str())).count();
        compared
    }
}

impl Compared {
    /// 1 where something new is violated, 2 where something new is open, else 0.
    pub fn exit_code(&self) -> u8 {
        match (self.new, self.open) {
            (0, 0) => 0,
            (0, _) => 2,
            _ => 1,
        }
    }

    /// In a line.
    pub fn text(&self) -> String {
        let Compared {
            known,
            new,
            open,
            gone,
        } = self;
        let mut parts = vec![format!("{new} new violated"), format!("{known} known")];
        if *open > 0 {
            parts.insert(1, format!("{open} new open"));
        }
        if *gone > 0 {
            parts.push(format!("{gone} gone"));
        }
        format!("BASELINE: {}\n", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_files_are_explained() {
        let check = |text: &str, expected: &str| {
            let message = Baseline::parse(text).expect_err("a mistake");
            assert!(message.contains(expected), "{message}");
        };
        check("", "neither a JSON report");
        check("[1]", "neither a JSON report");
        check("{\"schema_version\": 2}", "--report baseline=FILE");
        check(
            r#"{"schema_version": 2, "fingerprints":
               [{"fingerprint": "a", "verdict": "holds", "property": "p"}]}"#,
            "no verdict of a finding",
        );
    }

    #[test]
    fn the_worse_of_two_verdicts_counts() {
        let one = |verdict| format!(r#"{{"fingerprint": "a", "verdict": "{verdict}", "property": "p"}}"#);
        let text = format!(
            r#"{{"schema_version": 2, "fingerprints": [{}, {}], "more": 1}}"#,
            one("violated"),
            one("unknown")
        );
        let baseline = Baseline::parse(&text).expect("valid");
        assert_eq!(baseline.known["a"], 3);
    }
}
