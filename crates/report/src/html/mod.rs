//! One HTML file with the verdicts and every counterexample as a trace to step through.
//!
//! Idea: the page is a template with its style and script in it, and the data as JSON; the script builds
//! everything else from that. It loads nothing, so it opens from a disk, an artefact store or a mail.
//!
//! Invariants: nothing that a program says becomes markup (the data is one JSON text in which `<` is escaped,
//! and the script sets texts only); sizes are bounded, and what is left out is said.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value, json};

use kripke_model::{Reason, StepKind, Trace};

use crate::Sources;
use crate::entries::{Document, Entry, Status};
use crate::lanes::lanes;
use crate::sarif::changes;
use crate::thin::chosen;
use crate::trace_text::step_text;

/// Steps of one run that are kept.
const STEPS: usize = 20_000;
/// Steps of all runs together.
const ALL_STEPS: usize = 200_000;
/// Files longer than this are quoted only around the lines that are shown.
const LINES: usize = 4_000;
/// So many lines around each.
const AROUND: u32 = 40;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn render(document: &Document) -> Result<String, serde_json::Error> {
    let data = serde_json::to_string(&data(document))?;
    // In this order: the data may contain anything.
    Ok(TEMPLATE
        .replacen("/*STYLE*/", STYLE, 1)
        .replacen("/*SCRIPT*/", SCRIPT, 1)
        .replacen("/*DATA*/", &data.replace('<', "\\u003c"), 1))
}

#[derive(Serialize)]
struct Shown<'r> {
    program: &'r str,
    id: &'r str,
    kind: &'r str,
    title: &'r str,
    cure: &'r str,
    verdict: &'r str,
    message: &'r str,
    file: &'r str,
    line: u32,
    column: u32,
    function: &'r str,
    known: bool,
    expected: bool,
    /// The check stopped before it was looked at.
    skipped: bool,
    /// The number of its run.
    trace: Option<usize>,
}

fn data(document: &Document) -> Value {
    let mut traces = Vec::new();
    let mut lines: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut left = ALL_STEPS;
    let mut entries = Vec::new();
    let mut sorted: Vec<&Entry> = document.entries.iter().collect();
    sorted.sort_by_key(|entry| order(entry));
    for entry in sorted {
        let run = entry.trace.filter(|run| !run.steps.is_empty() && left > 1);
        let number = run.map(|run| {
            let steps = chosen(run, STEPS.min(left));
            left = left.saturating_sub(steps.len());
            for &index in &steps {
                let place = &run.steps[index].place;
                lines.entry(&place.file).or_default().insert(place.line);
            }
            traces.push(trace(run, &steps, document.sources));
            traces.len() - 1
        });
        lines
            .entry(&entry.place.file)
            .or_default()
            .insert(entry.place.line);
        entries.push(shown(entry, number, document.sources));
    }
    let files: Map<String, Value> = lines
        .iter()
        .filter(|(file, _)| !file.is_empty())
        .filter_map(|(file, lines)| {
            let text = quoted(file, lines, document.sources)?;
            Some((document.sources.display(file).to_owned(), text))
        })
        .collect();
    let checks = document.checked.iter().map(|checked| {
        json!({
            "program": checked.program,
            "files": checked.files,
            "outcome": checked.report.outcome(),
            "seconds": checked.report.statistics.seconds,
            "assumptions": checked.report.assumptions,
        })
    });
    json!({
        "version": document.tool_version,
        "outcome": outcome(document),
        "checks": checks.collect::<Vec<_>>(),
        "entries": entries,
        "traces": traces,
        "files": files,
    })
}

/// The outcome of all together.
fn outcome(document: &Document) -> &'static str {
    let any = |test: fn(&Entry) -> bool| document.entries.iter().any(test);
    if any(|entry| entry.fails()) {
        "violated"
    } else if any(|entry| entry.is_open()) {
        "unknown"
    } else if any(|entry| entry.is_known) {
        "nothing new"
    } else if any(|entry| !matches!(entry.status, Status::Holds)) {
        "as expected"
    } else {
        "holds"
    }
}

/// What is new and bad comes first.
fn order(entry: &Entry) -> (bool, u8) {
    let rank = match entry.status {
        Status::Violated | Status::Unexpected => 0,
        Status::PresumablyViolated => 1,
        Status::Possible(_) => 2,
        Status::PresumablyHolds => 3,
        Status::Unknown(Reason::NotChecked) => 5,
        Status::Unknown(_) => 4,
        Status::Holds => 6,
    };
    (entry.is_known || entry.is_expected, rank)
}

fn shown<'e>(entry: &'e Entry, trace: Option<usize>, sources: &Sources) -> Shown<'e> {
    let place = entry.place;
    Shown {
        program: entry.program,
        id: entry.id,
        kind: entry.rule.name,
        title: entry.rule.title,
        cure: entry.rule.cure,
        verdict: entry.word(),
        message: &entry.message,
        file: sources.display(&place.file),
        line: place.line,
        column: place.column,
        function: &place.function,
        known: entry.is_known,
        expected: entry.is_expected,
        skipped: matches!(entry.status, Status::Unknown(Reason::NotChecked)),
        trace,
    }
}

/// A run: its lanes, and its steps as arrays of the number, lane, file, line, column, function, depth, kind,
/// text and changes.
fn trace(run: &Trace, steps: &[usize], sources: &Sources) -> Value {
    let lanes = lanes(run);
    let mut inputs = 0;
    let mut next = steps.iter().copied().peekable();
    let mut rows = Vec::new();
    let mut loop_start = None;
    for (index, step) in run.steps.iter().enumerate() {
        inputs += usize::from(matches!(step.kind, StepKind::Input { .. }));
        if run.loop_start == Some(index) {
            loop_start = Some(rows.len());
        }
        if next.next_if_eq(&index).is_none() {
            continue;
        }
        let place = &step.place;
        rows.push(json!([
            index + 1,
            lanes.of[index],
            sources.display(&place.file),
            place.line,
            place.column,
            place.function,
            step.depth,
            kind(&step.kind),
            step_text(step, inputs),
            changes(step),
        ]));
    }
    let stack: Vec<Value> = run
        .stack
        .iter()
        .map(|frame| json!([frame.function, sources.display(&frame.call.file), frame.call.line,]))
        .collect();
    json!({
        "lanes": lanes.names,
        "steps": rows,
        "all": run.steps.len(),
        "thinned": steps.len() < chosen(run, usize::MAX).len(),
        "loop": loop_start,
        "stack": stack,
        "addresses": run.depends_on_addresses,
    })
}

/// What the script paints differently.
fn kind(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Violation { .. } => "violation",
        StepKind::Input { .. } => "input",
        StepKind::Environment { .. } => "environment",
        StepKind::Letter { .. } => "letter",
        StepKind::End { .. } => "end",
        StepKind::Output { .. } => "output",
        StepKind::Call { .. } | StepKind::Return { .. } => "call",
        StepKind::Assign { .. } | StepKind::Branch { .. } | StepKind::Instruction { .. } => "step",
    }
}

/// A file as pieces, each with the number of its first line and its lines.
fn quoted(file: &str, lines: &BTreeSet<u32>, sources: &Sources) -> Option<Value> {
    let count = u32::try_from(sources.line_count(file)?).ok()?;
    let wanted: Vec<(u32, u32)> = match count as usize <= LINES {
        true => vec![(1, count)],
        false => pieces(lines, count),
    };
    let text = |(first, last): (u32, u32)| {
        let lines: Vec<String> = (first..=last)
            .map(|line| sources.line(file, line).unwrap_or_default())
            .collect();
        json!([first, lines])
    };
    Some(wanted.into_iter().map(text).collect())
}

/// The ranges around lines, put together where they meet.
fn pieces(lines: &BTreeSet<u32>, count: u32) -> Vec<(u32, u32)> {
    let mut pieces: Vec<(u32, u32)> = Vec::new();
    for &line in lines.iter().filter(|line| (1..=count).contains(*line)) {
        let (first, last) = (line.saturating_sub(AROUND).max(1), (line + AROUND).min(count));
        match pieces.last_mut() {
            Some(piece) if first <= piece.1 + 1 => piece.1 = last,
            _ => pieces.push((first, last)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_quoted_around_what_is_shown() {
        let check = |lines: &[u32], expected: &[(u32, u32)]| {
            let lines = lines.iter().copied().collect();
            assert_eq!(pieces(&lines, 1000), expected);
        };
        check(&[10, 30, 500], &[(1, 70), (460, 540)]);
        check(&[0, 990, 2000], &[(950, 1000)]);
        check(&[], &[]);
    }
}
