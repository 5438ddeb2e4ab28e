//! JUnit XML, as test runners of CI systems read it: a test suite for each program, a test case for each
//! property.
//!
//! *Violated* is a failure with the run as its text. *Unknown* is skipped, or an error where that is asked
//! for: a system that only counts failures would call it a success. The elements are those that Jenkins's
//! `junit-10.xsd` allows.
//!
//! Invariant: characters that XML 1.0 does not allow never come into the file, whatever a program prints.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::entries::{Document, Entry, Status, where_text};
use crate::trace_text::trace_text;
use crate::{Sources, Style};

/// What a property without an answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// A test that was skipped.
    #[default]
    Skipped,
    /// A test with an error.
    Error,
}

/// What became of a test case.
enum Case {
    Passed,
    Failed,
    Error,
    Skipped,
}

/// The report.
pub fn render(document: &Document, unknown: Unknown) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = Counts::of(document.entries.iter(), unknown);
    writer
        .create_element("testsuites")
        .with_attribute(("name", "kripke"))
        .with_attribute(("tests", counts.tests.to_string().as_str()))
        .with_attribute(("failures", counts.failures.to_string().as_str()))
        .with_attribute(("errors", counts.errors.to_string().as_str()))
        .write_inner_content(|writer| {
            for program in document.programs() {
                suite(writer, document, program, unknown)?;
            }
            Ok(())
        })?;
    let text = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
    Ok(text + "\n")
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of<'e>(entries: impl Iterator<Item = &'e Entry<'e>>, unknown: Unknown) -> Counts {
        let mut counts = Counts::default();
        for entry in entries {
            counts.tests += 1;
            match case(entry, unknown) {
                Case::Passed => {}
                Case::Failed => counts.failures += 1,
                Case::Error => counts.errors += 1,
                Case::Skipped => counts.skipped += 1,
            }
        }
        counts
    }
}

fn case(entry: &Entry, unknown: Unknown) -> Case {
    match (entry.status, unknown) {
        _ if entry.is_expected => Case::Passed,
        (Status::Holds, _) => Case::Passed,
        _ if entry.is_known => Case::Skipped,
        (Status::Violated | Status::Unexpected, _) => Case::Failed,
        (_, Unknown::Error) => Case::Error,
        (_, Unknown::Skipped) => Case::Skipped,
    }
}

fn suite(
    writer: &mut Writer<Vec<u8>>,
    document: &Document,
    program: &str,
    unknown: Unknown,
) -> io::Result<()> {
    let checks = || {
        document
            .checked
            .iter()
            .filter(|checked| checked.program == program)
    };
    let seconds: f64 = checks().map(|checked| checked.report.statistics.seconds).sum();
    let files: Vec<&str> = checks()
        .flat_map(|checked| checked.files)
        .map(String::as_str)
        .collect();
    let name = match program {
        "" => files.join(" "),
        name => name.to_owned(),
    };
    let counts = Counts::of(document.of_program(program), unknown);
    writer
        .create_element("testsuite")
        .with_attribute(("name", allowed(&name).as_str()))
        .with_attribute(("tests", counts.tests.to_string().as_str()))
        .with_attribute(("failures", counts.failures.to_string().as_str()))
        .with_attribute(("errors", counts.errors.to_string().as_str()))
        .with_attribute(("skipped", counts.skipped.to_string().as_str()))
        .with_attribute(("time", format!("{seconds:.3}").as_str()))
        .write_inner_content(|writer| {
            for entry in document.of_program(program) {
                test_case(writer, entry, document.sources, unknown)?;
            }
            Ok(())
        })?;
    Ok(())
}

fn test_case(
    writer: &mut Writer<Vec<u8>>,
    entry: &Entry,
    sources: &Sources,
    unknown: Unknown,
) -> io::Result<()> {
    let class = match (entry.program, entry.place.file.as_str()) {
        ("", "") => "kripke",
        (program, "") => program,
        (_, file) => sources.display(file),
    };
    let element = writer
        .create_element("testcase")
        .with_attribute(("classname", allowed(class).as_str()))
        .with_attribute(("name", allowed(entry.id).as_str()));
    let what = match case(entry, unknown) {
        Case::Passed => return element.write_empty().map(drop),
        Case::Failed => "failure",
        Case::Error => "error",
        Case::Skipped => "skipped",
    };
    let message = match entry.is_known {
        true => format!("known: {}", entry.message),
        false => entry.message.clone(),
    };
    element.write_inner_content(|writer| {
        let inner = writer
            .create_element(what)
            .with_attribute(("message", allowed(&message).as_str()))
            .with_attribute(("type", entry.rule.name));
        match what {
            "failure" => inner.write_text_content(BytesText::new(&allowed(&body(entry, sources)))),
            _ => inner.write_empty(),
        }
        .map(drop)
    })?;
    Ok(())
}

/// Where it is, and the run as the text report shows it.
fn body(entry: &Entry, sources: &Sources) -> String {
    let mut text = format!("{}: {}\n", where_text(entry, sources), entry.message);
    if let Some(trace) = entry.trace {
        text.push_str("\nHow it happens:\n");
        text.push_str(&trace_text(trace, false, sources, Style::plain()));
    }
    text
}

/// Without characters that XML 1.0 does not allow (section 2.2): they become the one that stands for such.
fn allowed(text: &str) -> String {
    let is_allowed = |character: char| match character {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        other => other >= ' ',
    };
    text.chars()
        .map(|character| {
            if is_allowed(character) {
                character
            } else {
                '\u{FFFD}'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_replaced() {
        assert_eq!(
            allowed("a\u{0}b\u{1b}c\n\u{FFFF}ü"),
            "a\u{FFFD}b\u{FFFD}c\n\u{FFFD}ü"
        );
    }
}
