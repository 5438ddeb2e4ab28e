//! The formulas of `docs/patterns.md` on the runs that stand beside them.
//!
//! Idea: a firmware whose variables go through all runs side by side, one for those on which the formulas
//! hold and one for the others. A letter is a bit of the pattern's variable.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use common::{compile, kripke, text};
use serde_json::Value;

struct Pattern {
    name: String,
    ltl: String,
    ctl: String,
    holds: Run,
    violated: Run,
}

/// The letters of each step, as bits; from one step on they are repeated.
struct Run {
    steps: Vec<u8>,
    again: usize,
}

impl Run {
    fn parse(text: &str) -> Run {
        let (before, repeated) = text.split_once("|:").expect("a part that is repeated");
        let repeated = repeated.strip_suffix(":|").expect("its end");
        let step = |letters: &str| {
            letters
                .chars()
                .filter_map(|letter| "pqrst".find(letter))
                .map(|bit| 1 << bit)
                .sum()
        };
        let mut steps: Vec<u8> = before.split_whitespace().map(step).collect();
        let again = steps.len();
        steps.extend(repeated.split_whitespace().map(step));
        assert!(again < steps.len(), "nothing is repeated: {text}");
        Run { steps, again }
    }

    fn at(&self, time: usize) -> u8 {
        let length = self.steps.len() - self.again;
        match time < self.again {
            true => self.steps[time],
            false => self.steps[self.again + (time - self.again) % length],
        }
    }
}

fn patterns() -> Vec<Pattern> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/patterns.md");
    let document = fs::read_to_string(path).expect("the document");
    let sections = document
        .split("\n## ")
        .filter(|section| section.contains("```text"));
    let of_section = |section: &str| {
        let line = |key: &str| {
            let mut lines = section.lines().filter_map(|line| line.strip_prefix(key));
            lines
                .next()
                .unwrap_or_else(|| panic!("{key} of {section}"))
                .trim()
                .to_owned()
        };
        Pattern {
            name: section.lines().next().unwrap_or_default().to_owned(),
            ltl: line("LTL "),
            ctl: line("CTL "),
            holds: Run::parse(&line("holds ")),
            violated: Run::parse(&line("violated ")),
        }
    };
    sections.map(of_section).collect()
}

/// A formula over the bits of a pattern's variable.
fn over(formula: &str, number: usize) -> String {
    let mut text = String::new();
    for character in formula.chars() {
        match "pqrst".find(character) {
            Some(bit) => write!(text, "{{now{number} & {}}}", 1 << bit).expect("a text"),
            None => text.push(character),
        }
    }
    text
}

/// A firmware that takes all runs at once.
fn firmware(runs: &[&Run]) -> String {
    let longest = runs.iter().map(|run| run.again).max().unwrap_or(0);
    // A multiple of all lengths up to four.
    let end = longest + 12;
    let mut source = String::from("#include <stdint.h>\n");
    for (number, run) in runs.iter().enumerate() {
        writeln!(source, "volatile uint8_t now{number} = {};", run.at(0)).expect("a text");
    }
    source.push_str("int main(void) {\n");
    for time in 1..end {
        if time == longest {
            source.push_str("for (;;) {\n");
        }
        for (number, run) in runs.iter().enumerate() {
            let before = if time == longest {
                run.at(end - 1)
            } else {
                run.at(time - 1)
            };
            if time == longest || run.at(time) != before {
                writeln!(source, "now{number} = {};", run.at(time)).expect("a text");
            }
        }
    }
    source.push_str("}\n}\n");
    source
}

fn check(patterns: &[Pattern], runs: &[&Run], verdict: &str) {
    let folder = compile(&firmware(runs), &["-g"]);
    let mut arguments = vec![
        "check",
        "a.elf",
        "--check",
        "none",
        "--quiet",
        "--json",
        "report.json",
    ];
    let formulas: Vec<(String, String)> = patterns
        .iter()
        .enumerate()
        .map(|(number, pattern)| (over(&pattern.ltl, number), over(&pattern.ctl, number)))
        .collect();
    for (ltl, ctl) in &formulas {
        arguments.extend(["--ltl", ltl, "--ctl", ctl]);
    }
    let output = kripke(&arguments, folder.path());
    assert!(
        output.status.code().is_some_and(|code| code < 3),
        "{}",
        text(&output)
    );
    let report = fs::read_to_string(folder.path().join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let results = report["results"].as_array().expect("results");
    for (number, pattern) in patterns.iter().enumerate() {
        for kind in ["ltl", "ctl"] {
            let id = format!("{kind}.{}", number + 1);
            let found = results
                .iter()
                .find(|result| result["property"]["id"] == id.as_str());
            let found = found.unwrap_or_else(|| panic!("{id} of {}", pattern.name));
            assert_eq!(found["verdict"], verdict, "{id}: {}", pattern.name);
        }
    }
}

#[test]
fn formulas_hold_and_are_violated_as_the_pictures_say() {
    let patterns = patterns();
    assert_eq!(patterns.len(), 20);
    let holds: Vec<&Run> = patterns.iter().map(|pattern| &pattern.holds).collect();
    check(&patterns, &holds, "holds");
    let violated: Vec<&Run> = patterns.iter().map(|pattern| &pattern.violated).collect();
    check(&patterns, &violated, "violated");
}
