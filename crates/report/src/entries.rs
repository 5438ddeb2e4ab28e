//! What every report but the text is made from: one entry for each property, with its place, its status, its
//! run and a fingerprint.
//!
//! Idea: the formats differ in how they say it; what counts as a finding, where it is, and which finding is
//! the same as yesterday's is decided here, once. A fingerprint is made of what stays when other lines move:
//! the kind, the file, the function, what is said, and the text of the line; not of its number.
//!
//! Invariant: no two entries of a document have the same fingerprint.

use std::collections::HashMap;

use kripke_model::{
    Finding, FunctionsReport, Place, Property, PropertyKind, PropertyResult, Rank, Reason, Report, Trace,
    Verdict,
};
use sha2::{Digest, Sha256};

use crate::Sources;
use crate::explain::{Explanation, of_property, of_reason};
use crate::functions::call_text;
use crate::open::reason_text;
use crate::terminal::{argument_text, place_text, violation_place};

/// Hexadecimal digits of a fingerprint.
const DIGITS: usize = 32;

/// One check of a program, and what a project expects of it.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'r> {
    /// The program's name in the project; empty for a check by itself.
    pub program: &'r str,
    /// The files, as the user names them.
    pub files: &'r [String],
    /// The verdicts.
    pub report: &'r Report,
    /// What was found function by function.
    pub functions: Option<&'r FunctionsReport>,
    /// The ids of the properties whose verdict is the one that the project expects.
    pub expected: &'r [String],
    /// What is otherwise than the project expects, beside violations: a name, and a sentence.
    pub surprises: &'r [(String, String)],
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status<'r> {
    /// A run violates it.
    Violated,
    /// The project expects another verdict.
    Unexpected,
    /// A run of a function violates it, and whether the program does depends on who calls it.
    Possible(Rank),
    /// A cut trace does not satisfy the formula yet.
    PresumablyViolated,
    /// No trace within the bound speaks against the formula.
    PresumablyHolds,
    /// No answer.
    Unknown(&'r Reason),
    /// Proved.
    Holds,
}

/// A property, as reports show it.
#[derive(Clone, Debug)]
pub struct Entry<'r> {
    /// The program's name in the project; empty for a check by itself.
    pub program: &'r str,
    /// What the property is called.
    pub id: &'r str,
    /// The property, where there is one.
    property: Option<&'r Property>,
    /// Its kind or fault.
    pub rule: &'static Explanation,
    /// Where it is.
    pub place: &'r Place,
    /// What is known of it.
    pub status: Status<'r>,
    /// In a sentence.
    pub message: String,
    /// The run.
    pub trace: Option<&'r Trace>,
    /// What stays the same from run to run.
    pub fingerprint: String,
    /// It was found before, as the baseline says.
    pub is_known: bool,
    /// The project expects this verdict.
    pub is_expected: bool,
}

impl Entry<'_> {
    /// Does it make a check fail?
    pub fn fails(&self) -> bool {
        let is_bad = matches!(self.status, Status::Violated | Status::Unexpected);
        is_bad && !self.is_known && !self.is_expected
    }

    /// Is there no definite answer, where nothing says that this is as it was or should be?
    pub fn is_open(&self) -> bool {
        let is_definite = matches!(self.status, Status::Violated | Status::Unexpected | Status::Holds);
        !is_definite && !self.is_known && !self.is_expected
    }

    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self.status {
            Status::Violated => "violated",
            Status::Unexpected => "unexpected",
            Status::Possible(_) => "possible",
            Status::PresumablyViolated => "presumably violated",
            Status::PresumablyHolds => "presumably holds",
            Status::Unknown(_) => "unknown",
            Status::Holds => "holds",
        }
    }
}

/// All checks of a command, ready to be written down.
pub struct Document<'r> {
    /// The version of the tool.
    pub tool_version: &'r str,
    /// The checks.
    pub checked: Vec<Checked<'r>>,
    /// What they found, in the order of the reports.
    pub entries: Vec<Entry<'r>>,
    /// The text that is quoted.
    pub sources: &'r Sources<'r>,
    /// A baseline was given.
    pub is_compared: bool,
}

impl<'r> Document<'r> {
    /// Makes the entries.
    pub fn new(checked: Vec<Checked<'r>>, sources: &'r Sources<'r>, tool_version: &'r str) -> Document<'r> {
        let mut entries = Vec::new();
        for one in &checked {
            entries.extend(entries_of(one, sources));
        }
        number(&mut entries, sources);
        Document {
            tool_version,
            checked,
            entries,
            sources,
            is_compared: false,
        }
    }

    /// The entries of each check.
    pub(crate) fn of_program(&self, program: &str) -> impl Iterator<Item = &Entry<'r>> {
        self.entries.iter().filter(move |entry| entry.program == program)
    }

    /// The names of the programs, each once.
    pub(crate) fn programs(&self) -> Vec<&'r str> {
        let mut names: Vec<&str> = Vec::new();
        for checked in &self.checked {
            if !names.contains(&checked.program) {
                names.push(checked.program);
            }
        }
        names
    }
}

fn entries_of<'r>(checked: &Checked<'r>, sources: &Sources) -> Vec<Entry<'r>> {
    let results = &checked.report.results;
    let mut entries: Vec<Entry> = results
        .iter()
        .map(|result| entry(result, checked, sources))
        .collect();
    let is_said = |reason: &Reason| {
        results
            .iter()
            .any(|result| matches!(&result.verdict, Verdict::Unknown { reason: said } if said == reason))
    };
    if let Some(reason) = checked
        .report
        .incomplete
        .as_ref()
        .filter(|reason| !is_said(reason))
    {
        entries.push(Entry {
            id: "incomplete",
            rule: of_reason(reason),
            status: Status::Unknown(reason),
            message: reason_text(reason, sources),
            ..empty(checked)
        });
    }
    for (name, sentence) in checked.surprises {
        entries.push(Entry {
            id: name,
            status: Status::Unexpected,
            message: sentence.clone(),
            ..empty(checked)
        });
    }
    entries
}

/// The rule of what is otherwise than a project expects.
pub(crate) const EXPECTATION: Explanation = Explanation {
    name: "expectation",
    title: "the verdict is not the one that the project expects",
    meaning: "The project file says which verdict a property has, and it has another one.",
    example: "expected = \"holds\"   # in kripke.toml",
    cure: "Look at what has changed in the program; if the new verdict is right, say so in the project file.",
};

const NOWHERE: &Place = &Place {
    file: String::new(),
    line: 0,
    column: 0,
    function: String::new(),
};

fn empty<'r>(checked: &Checked<'r>) -> Entry<'r> {
    Entry {
        program: checked.program,
        id: "",
        property: None,
        rule: &EXPECTATION,
        place: NOWHERE,
        status: Status::Holds,
        message: String::new(),
        trace: None,
        fingerprint: String::new(),
        is_known: false,
        is_expected: false,
    }
}

fn entry<'r>(result: &'r PropertyResult, checked: &Checked<'r>, sources: &Sources) -> Entry<'r> {
    let property = &result.property;
    let (status, trace) = status(result, checked.functions);
    let (place, violated) = match trace {
        Some(trace) => violation_place(property, trace),
        None => (&property.place, property.description.as_str()),
    };
    let what = match &result.temporal {
        Some(temporal) => &temporal.formula,
        None if matches!(status, Status::Violated) && !property.kind.is_formula() => violated,
        None => &property.description,
    };
    Entry {
        id: &property.id,
        property: Some(property),
        rule: of_property(property.kind, &property.id),
        place,
        status,
        message: message(what, property, result, checked.functions, sources),
        trace,
        is_expected: checked.expected.contains(&property.id),
        ..empty(checked)
    }
}

fn finding<'r>(property: &Property, functions: Option<&'r FunctionsReport>) -> Option<&'r Finding> {
    let mut findings = functions?.findings.iter();
    findings.find(|finding| finding.property.id == property.id && finding.property.kind == property.kind)
}

fn status<'r>(
    result: &'r PropertyResult,
    functions: Option<&'r FunctionsReport>,
) -> (Status<'r>, Option<&'r Trace>) {
    match &result.verdict {
        Verdict::Holds { .. } => (Status::Holds, None),
        Verdict::Violated { trace } => (Status::Violated, Some(trace)),
        Verdict::PresumablyHolds { trace, .. } => (Status::PresumablyHolds, Some(trace)),
        Verdict::PresumablyViolated { trace, .. } => (Status::PresumablyViolated, Some(trace)),
        Verdict::Unknown { reason } => match finding(&result.property, functions) {
            Some(found) => (Status::Possible(found.rank), Some(&found.trace)),
            None => (Status::Unknown(reason), None),
        },
    }
}

/// What there is to say of a property, in a line.
fn message(
    what: &str,
    property: &Property,
    result: &PropertyResult,
    functions: Option<&FunctionsReport>,
    sources: &Sources,
) -> String {
    let found = finding(property, functions);
    match &result.verdict {
        Verdict::Violated { .. } => match found {
            Some(found) => format!("{what}: in {}", call_text(found)),
            None => what.to_owned(),
        },
        Verdict::Holds { argument } => format!("{what}: {}", argument_text(argument)),
        Verdict::PresumablyHolds { bound, .. } => {
            format!("{what}: nothing speaks against it within bound {bound}")
        }
        Verdict::PresumablyViolated { bound, .. } => {
            format!("{what}: a trace within bound {bound} does not satisfy it yet")
        }
        Verdict::Unknown { reason } => match found {
            Some(found) => format!("{what}: in {}", call_text(found)),
            None => format!("{what}: {}", reason_text(reason, sources)),
        },
    }
}

/// Gives every entry its fingerprint; like ones are numbered in their order.
fn number(entries: &mut [Entry], sources: &Sources) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for entry in entries {
        let same = identity(entry, sources);
        let count = seen.entry(same.clone()).or_insert(0);
        *count += 1;
        let digest = Sha256::digest(format!("{same}\n{count}"));
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        entry.fingerprint = digits[..DIGITS].to_owned();
    }
}

/// All that stays when other lines move. Of an error of firmware the text names lines, so its name counts.
/// What is known of a property is no part of it.
fn identity(entry: &Entry, sources: &Sources) -> String {
    let (place, said) = match entry.property {
        Some(property) if property.kind == PropertyKind::Firmware => (&property.place, property.id.as_str()),
        Some(property) => (&property.place, property.description.as_str()),
        None if matches!(entry.status, Status::Unexpected) => (entry.place, entry.id),
        None => (entry.place, entry.message.as_str()),
    };
    let line = sources.line(&place.file, place.line).unwrap_or_default();
    [
        "1",
        entry.program,
        entry.rule.name,
        sources.display(&place.file),
        &place.function,
        &without_lines(said),
        line.trim(),
    ]
    .join("\n")
}

/// A text without the numbers of lines and columns in it: `a.c:12:3` becomes `a.c`.
fn without_lines(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = rest.split_at(at);
        let digits = after[1..].bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(before);
        if digits == 0 {
            out.push(':');
        }
        rest = &after[1 + digits..];
    }
    out + rest
}

/// Where an entry is, as the text report says it.
pub(crate) fn where_text(entry: &Entry, sources: &Sources) -> String {
    place_text(entry.place, sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_lines_are_left_out() {
        let check = |text, expected| assert_eq!(without_lines(text), expected);
        check(
            "read in f, a.c:12:3, and written in g, b.c:7",
            "read in f, a.c, and written in g, b.c",
        );
        check("x ? y : 3, std::max", "x ? y : 3, std::max");
        check("ends:", "ends:");
    }
}
