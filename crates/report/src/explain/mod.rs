//! What a finding means, a small program that has it, and its cure: for every kind of property, every fault
//! of firmware and every reason of *unknown*.
//!
//! Idea: one text serves `kripke explain` and the rules of a SARIF report, so they cannot differ. The tables
//! are matches without a wildcard: a new kind or reason does not build until it is explained. The examples of
//! the kinds are checked by the tests, which expect the violation that they stand for.

mod faults;
mod kinds;
mod reasons;
mod threads;

use std::fmt::Write;

use kripke_model::{PropertyKind, Reason};

pub use faults::FAULTS;

/// What there is to say of a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What it is called in reports.
    pub name: &'static str,
    /// In half a sentence.
    pub title: &'static str,
    /// What it means, and why it matters.
    pub meaning: &'static str,
    /// A program that has it, or a command that leads to it.
    pub example: &'static str,
    /// What to do about it.
    pub cure: &'static str,
}

/// Every kind of property: those that `--check` selects, then faults and formulas.
pub fn all_kinds() -> impl Iterator<Item = PropertyKind> {
    const OTHERS: [PropertyKind; 4] = [
        PropertyKind::Firmware,
        PropertyKind::Invariant,
        PropertyKind::Ctl,
        PropertyKind::Ltl,
    ];
    PropertyKind::ALL.iter().copied().chain(OTHERS)
}

/// What a kind of property means.
pub fn of_kind(kind: PropertyKind) -> &'static Explanation {
    kinds::of(kind)
}

/// Why there is no answer, and what to do about it.
pub fn of_reason(reason: &Reason) -> &'static Explanation {
    reasons::of(reason)
}

/// Every reason of *unknown*.
pub fn all_reasons() -> impl Iterator<Item = &'static Explanation> {
    reasons::ALL.iter()
}

/// The rule that a property belongs to: its kind, or of firmware the fault.
pub fn of_property(kind: PropertyKind, id: &str) -> &'static Explanation {
    let fault = FAULTS.iter().find(|fault| fault.name == id);
    match (kind, fault) {
        (PropertyKind::Firmware, Some(fault)) => fault,
        _ => of_kind(kind),
    }
}

/// Everything that can be explained, without repetition: kinds, faults, reasons.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    all_kinds().map(of_kind).chain(FAULTS).chain(all_reasons())
}

/// The explanation of that name.
pub fn find(name: &str) -> Option<&'static Explanation> {
    all().find(|explanation| explanation.name == name)
}

impl Explanation {
    /// As it is shown on a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.name, self.title);
        for (heading, text) in [("What it means", self.meaning), ("What to do", self.cure)] {
            let _ = write!(out, "\n{heading}\n{}", wrapped(text));
            if heading == "What it means" {
                let _ = write!(out, "\nExample\n{}", indented(self.example));
            }
        }
        out
    }

    /// Meaning and cure in one paragraph each, for viewers that show plain text.
    pub fn help(&self) -> String {
        format!("{}\n\n{}", self.meaning, self.cure)
    }

    /// The same as Markdown, with the example.
    pub fn help_markdown(&self) -> String {
        let language = if self.example.contains(';') { "c" } else { "" };
        format!(
            "{}\n\n```{language}\n{}\n```\n\n{}",
            self.meaning,
            self.example.trim_end(),
            self.cure
        )
    }
}

/// The list that is shown where nothing is asked for.
pub fn list() -> String {
    let kinds: Vec<&Explanation> = all_kinds().map(of_kind).collect();
    let parts: [(&str, Vec<&Explanation>); 3] = [
        ("Kinds of properties:", kinds),
        ("Faults of firmware:", FAULTS.iter().collect()),
        ("Reasons of unknown:", all_reasons().collect()),
    ];
    let mut out = String::new();
    for (heading, explanations) in parts {
        let _ = writeln!(out, "{heading}");
        for Explanation { name, title, .. } in explanations {
            let _ = writeln!(out, "  {name:<22} {title}");
        }
        out.push('\n');
    }
    out.push_str("`kripke explain NAME` says more about one of them.\n");
    out
}

/// Columns of a paragraph.
const WIDTH: usize = 96;

fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut line = String::from(" ");
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = String::from(" ");
        }
        line.push(' ');
        line.push_str(word);
    }
    out + &line + "\n"
}

fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn everything_is_explained_once_and_whole() {
        let mut names = HashSet::new();
        for explanation in all() {
            let Explanation {
                name,
                title,
                meaning,
                example,
                cure,
            } = explanation;
            assert!(names.insert(*name), "{name} is explained twice");
            assert_eq!(find(name), Some(explanation));
            for text in [title, meaning, example, cure] {
                assert!(text.len() > 15, "{name}: '{text}' says too little");
            }
            assert!(
                !title.ends_with('.') && meaning.ends_with('.') && cure.ends_with('.'),
                "{name}"
            );
        }
    }

    #[test]
    fn kinds_have_the_names_of_the_command_line() {
        for kind in all_kinds() {
            assert_eq!(of_kind(kind).name, kind.name());
            assert!(kind.is_formula() || kind == PropertyKind::Firmware || PropertyKind::ALL.contains(&kind));
        }
    }

    #[test]
    fn a_fault_of_firmware_has_its_own_rule() {
        let check = |kind, id, expected| assert_eq!(of_property(kind, id).name, expected);
        check(PropertyKind::Firmware, "stack-overflow", "stack-overflow");
        check(PropertyKind::Firmware, "something-new", "firmware");
        check(PropertyKind::Overflow, "stack-overflow", "overflow");
    }

    #[test]
    fn texts_are_wrapped_and_listed() {
        let text = of_kind(PropertyKind::Overflow).text();
        assert!(
            text.starts_with("overflow: ") && text.contains("\nExample\n    "),
            "{text}"
        );
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(
            list().lines().filter(|line| line.starts_with("  ")).count(),
            all().count()
        );
    }
}
