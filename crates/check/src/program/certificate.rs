//! A proof in a form that others can check: a correctness witness, and the formulas on which it rests.
//!
//! Idea: the invariants of loops are C expressions, which validators read in SV-COMP's format; the formulas
//! have no model, which any solver for SMT-LIB 2 can confirm. Neither needs Kripke.
//!
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček: Software verification witnesses 2.0 (SPIN
//! 2024) for the witness; the SMT-LIB standard 2.6 for `reset`, which parts the formulas.

use std::fmt::Write;
use std::path::Path;
use std::time::SystemTime;

use kripke_bmc::Obligation;
use kripke_model::{Outcome, Report, Verdict};
use sha2::{Digest, Sha256};

use super::loop_place::keyword_before;

/// A proof for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// A list of entries in YAML: SV-COMP's format 2.0.
    pub witness: String,
    /// The formulas as one SMT-LIB 2 script, each of which has to be answered by `unsat`.
    pub script: String,
    /// How many there are.
    pub formulas: usize,
}

/// The certificate of what a report says to hold; none where nothing does.
pub(super) fn certificate(
    report: &Report,
    obligations: &[Obligation],
    files: &[String],
    pointer_width: u32,
) -> Option<Certificate> {
    let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds { .. });
    if !report.results.iter().any(|result| holds(&result.verdict)) {
        return None;
    }
    Some(Certificate {
        witness: witness(report, files, pointer_width),
        script: script(report, obligations),
        formulas: obligations.len(),
    })
}

/// The formulas, one after the other.
fn script(report: &Report, obligations: &[Obligation]) -> String {
    let mut text = String::from("; Each answer has to be `unsat`. What holds then:\n");
    for result in &report.results {
        if let Verdict::Holds { .. } = result.verdict {
            let _ = writeln!(text, ";   {}", result.property.id);
        }
    }
    for (index, obligation) in obligations.iter().enumerate() {
        let what = obligation.what.replace('\n', " ");
        if index > 0 {
            text.push_str("(reset)\n");
        }
        let _ = write!(text, "; {}: {what}\n{}", index + 1, obligation.script);
    }
    text
}

/// The invariants as a correctness witness.
fn witness(report: &Report, files: &[String], pointer_width: u32) -> String {
    let content = content(report);
    let entry = Entry {
        kind: "invariant_set",
        description: (report.outcome() != Outcome::Holds).then_some("not all properties hold"),
        specification: "G ! call(reach_error())",
        pointer_width,
    };
    entry.head(files, &content) + &content
}

/// What an entry of a witness says of itself.
pub(super) struct Entry {
    pub kind: &'static str,
    pub description: Option<&'static str>,
    pub specification: &'static str,
    pub pointer_width: u32,
}

impl Entry {
    /// All that stands before the content.
    pub fn head(&self, files: &[String], content: &str) -> String {
        let model = if self.pointer_width == 64 { "LP64" } else { "ILP32" };
        let hashes: Vec<(String, String)> = files.iter().map(|file| (file.clone(), hash_of(file))).collect();
        let mut text = String::new();
        let _ = writeln!(text, "- entry_type: {}", self.kind);
        let _ = writeln!(text, "  metadata:");
        let _ = writeln!(text, "    format_version: '2.0'");
        let _ = writeln!(text, "    uuid: {}", uuid(content, &hashes));
        let now = humantime::format_rfc3339_seconds(SystemTime::now());
        let _ = writeln!(text, "    creation_time: {now}");
        let _ = writeln!(text, "    producer:");
        let _ = writeln!(text, "      name: kripke");
        let _ = writeln!(text, "      version: {}", quoted(env!("CARGO_PKG_VERSION")));
        if let Some(description) = self.description {
            let _ = writeln!(text, "      description: {}", quoted(description));
        }
        let _ = writeln!(text, "    task:");
        let _ = writeln!(text, "      input_files:");
        for (file, _) in &hashes {
            let _ = writeln!(text, "      - {}", quoted(file));
        }
        let _ = writeln!(text, "      input_file_hashes:");
        for (file, hash) in &hashes {
            let _ = writeln!(text, "        {}: {hash}", quoted(file));
        }
        let _ = writeln!(text, "      specification: {}", quoted(self.specification));
        let _ = writeln!(text, "      data_model: {model}");
        let _ = writeln!(text, "      language: C");
        text
    }
}

/// The invariants of the program's own loops: others than us do not know the models of the C library.
fn content(report: &Report) -> String {
    let invariants = report.invariants.iter();
    let own: Vec<_> = invariants.filter(|found| !found.place.is_in_library()).collect();
    if own.is_empty() {
        return "  content: []\n".to_string();
    }
    let mut text = String::from("  content:\n");
    for found in own {
        let all: Vec<String> = found.conditions.iter().map(|one| format!("({one})")).collect();
        let place = &found.place;
        let source = std::fs::read_to_string(&place.file).unwrap_or_default();
        let (line, column) =
            keyword_before(&source, place.line, place.column).unwrap_or((place.line, place.column.max(1)));
        let _ = writeln!(text, "  - invariant:");
        let _ = writeln!(text, "      type: loop_invariant");
        let _ = writeln!(text, "      location:");
        let _ = writeln!(text, "        file_name: {}", quoted(&place.file));
        let _ = writeln!(text, "        line: {line}");
        let _ = writeln!(text, "        column: {column}");
        let _ = writeln!(text, "        function: {}", quoted(&place.function));
        let _ = writeln!(text, "      value: {}", quoted(&all.join(" && ")));
        let _ = writeln!(text, "      format: c_expression");
    }
    text
}

/// A YAML string.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn hash_of(file: &str) -> String {
    let bytes = std::fs::read(Path::new(file)).unwrap_or_default();
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A version 4 identifier that is made of what was checked and found, so that the same proof has the same
/// one.
fn uuid(content: &str, hashes: &[(String, String)]) -> String {
    let mut hash = Sha256::new();
    for (file, digest) in hashes {
        hash.update(format!("{file} {digest} "));
    }
    hash.update(content);
    let digits = hexadecimal(&hash.finalize());
    format!(
        "{}-{}-4{}-a{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..15],
        &digits[15..18],
        &digits[18..30]
    )
}

#[cfg(test)]
mod tests {
    use kripke_model::{LoopInvariant, Place, Report};

    use super::content;

    fn invariant(file: &str) -> LoopInvariant {
        let place = Place {
            file: file.to_string(),
            line: 1,
            ..Place::default()
        };
        let conditions = vec!["i <= n".to_string()];
        LoopInvariant { place, conditions }
    }

    #[test]
    fn a_witness_names_no_file_that_the_program_does_not_have() {
        let mut report = Report::default();
        report.invariants.push(invariant("<library>/string.c"));
        assert_eq!(content(&report), "  content: []\n");
        report.invariants.push(invariant("main.c"));
        let text = content(&report);
        assert!(
            text.contains("file_name: 'main.c'") && !text.contains("library"),
            "{text}"
        );
    }
}
