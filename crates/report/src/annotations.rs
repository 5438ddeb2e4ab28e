//! What CI systems show beside the lines of a change: workflow commands of GitHub, and the code quality
//! report of GitLab.
//!
//! GitHub shows ten errors, ten warnings and ten notices of a step, so what is open is one notice for each
//! reason. Both get only what is new and not expected.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use kripke_model::Reason;

use crate::entries::{Document, Entry, Status};
use crate::open::reason_text;
use crate::terminal::plural;

/// Workflow commands, a line each.
pub fn github(document: &Document) -> String {
    let mut out = String::new();
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for entry in new_ones(document) {
        let command = match entry.status {
            Status::Violated | Status::Unexpected => "error",
            Status::Possible(_) | Status::PresumablyViolated => "warning",
            Status::Unknown(Reason::NotChecked) | Status::Holds => continue,
            Status::Unknown(reason) => {
                *open.entry(reason_text(reason, document.sources)).or_default() += 1;
                continue;
            }
            Status::PresumablyHolds => {
                *open.entry(entry.message.clone()).or_default() += 1;
                continue;
            }
        };
        let _ = writeln!(
            out,
            "::{command} {}::{}",
            properties(entry, document),
            data(&entry.message)
        );
    }
    for (reason, count) in open {
        let count = plural(count, "property", "properties");
        let _ = writeln!(
            out,
            "::notice title=kripke%3A unknown::{}",
            data(&format!("{count}: {reason}"))
        );
    }
    out
}

fn properties(entry: &Entry, document: &Document) -> String {
    let place = entry.place;
    let mut all = Vec::new();
    if !place.file.is_empty() && !place.is_in_library() {
        all.push(format!(
            "file={}",
            property(document.sources.display(&place.file))
        ));
        if place.line > 0 {
            all.push(format!("line={}", place.line));
        }
        if place.column > 0 {
            all.push(format!("col={}", place.column));
        }
    }
    let title = format!("{}[{}] {}", entry.word(), entry.rule.name, entry.id);
    all.push(format!("title={}", property(&title)));
    all.join(",")
}

/// What a command says, on one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same for a property, which ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// GitLab's code quality report.
pub fn gitlab(document: &Document) -> Result<String, serde_json::Error> {
    let mut issues = Vec::new();
    for entry in new_ones(document) {
        let severity = match entry.status {
            Status::Violated | Status::Unexpected => "critical",
            Status::Possible(_) | Status::PresumablyViolated => "minor",
            Status::Unknown(Reason::NotChecked) | Status::Holds => continue,
            Status::Unknown(_) | Status::PresumablyHolds => "info",
        };
        let place = entry.place;
        // A place is asked for; what has none is shown at the first file.
        let path = match document.checked.first().and_then(|checked| checked.files.first()) {
            Some(first) if place.file.is_empty() || place.file.starts_with('<') => first,
            _ => &place.file,
        };
        issues.push(json!({
            "description": format!("{}: {}", entry.word(), entry.message),
            "check_name": entry.rule.name,
            "fingerprint": entry.fingerprint,
            "severity": severity,
            "location": {
                "path": document.sources.display(path),
                "lines": { "begin": place.line.max(1) },
            },
        }));
    }
    Ok(serde_json::to_string_pretty(&issues)? + "\n")
}

fn new_ones<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d Entry<'d>> {
    document
        .entries
        .iter()
        .filter(|entry| entry.fails() || entry.is_open())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stay_on_one_line() {
        assert_eq!(data("50%\nx, y: z"), "50%25%0Ax, y: z");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
