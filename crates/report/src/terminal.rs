//! The report for a terminal (or a log): violations in full, everything else in summary.
//!
//! Idea: a reader first wants to know what is wrong and where, then how it happens, then what
//! is proved, what is open and what it rests on; the last line is the verdict, so that it is
//! seen without scrolling.

use std::collections::BTreeMap;
use std::fmt::Write;

use kripke_model::{
    Argument, Interleavings, Outcome, Place, Property, PropertyResult, Reason, Report, StepKind, Trace,
    Verdict,
};

use crate::excerpt::excerpt;
use crate::open::{open_properties, reason_text};
use crate::temporal::temporal_text;
use crate::trace_text::{is_start_up, trace_text};
use crate::{Sources, Style};

/// How much to say, and how.
#[derive(Clone, Copy, Debug)]
pub struct TerminalOptions {
    /// Colours.
    pub style: Style,
    /// Every property on a line of its own, traces unfolded.
    pub verbose: bool,
    /// Only violations (without their steps) and the verdict.
    pub quiet: bool,
}

/// The whole report.
pub fn render(report: &Report, sources: &Sources, options: &TerminalOptions) -> String {
    let mut out = String::new();
    for result in safety(report) {
        if let Verdict::Violated { trace } = &result.verdict {
            let shown = Violation {
                word: "violated",
                is_open: false,
                property: &result.property,
                trace,
                notes: Vec::new(),
            };
            violation(&mut out, &shown, sources, options);
        }
    }
    out.push_str(&temporal_text(report, sources, options));
    if !options.quiet {
        open_properties(&mut out, report, sources, options);
        hidden_part(&mut out, report, sources, options.style);
        proved_properties(&mut out, report, sources, options);
        loop_invariants(&mut out, report, sources, options);
        assumptions(&mut out, report, options.style);
    }
    summary(&mut out, report, options.style);
    out
}

/// One line per property, for `--list-properties`.
pub fn list_properties(properties: &[Property], sources: &Sources) -> String {
    let widest = properties
        .iter()
        .map(|property| property.id.chars().count())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for property in properties {
        let place = place_text(&property.place, sources);
        let _ = writeln!(out, "{:widest$}  {place}  {}", property.id, property.description);
    }
    out
}

pub(crate) fn place_text(place: &Place, sources: &Sources) -> String {
    match (place.file.as_str(), place.line, place.column) {
        ("", ..) => "(no source position)".to_string(),
        (file, 0, _) => sources.display(file).to_string(),
        (file, line, 0) => format!("{}:{line}", sources.display(file)),
        (file, line, column) => format!("{}:{line}:{column}", sources.display(file)),
    }
}

/// The results that are about single places of the program.
pub(crate) fn safety(report: &Report) -> impl Iterator<Item = &PropertyResult> {
    report.results.iter().filter(|result| result.temporal.is_none())
}

/// A run that violates a property, as it is shown.
pub(crate) struct Violation<'r> {
    /// What it is called.
    pub word: &'static str,
    /// Whether the program violates the property is not known.
    pub is_open: bool,
    /// What is violated.
    pub property: &'r Property,
    /// The run.
    pub trace: &'r Trace,
    /// What else there is to say.
    pub notes: Vec<String>,
}

pub(crate) fn violation(
    out: &mut String,
    violation: &Violation,
    sources: &Sources,
    options: &TerminalOptions,
) {
    let style = options.style;
    let Violation { property, trace, .. } = violation;
    let (place, message) = violation_place(property, trace);
    let heading = format!("{}[{}]", violation.word, property.kind.name());
    let heading = match violation.is_open {
        true => style.open(&heading),
        false => style.bad(&heading),
    };
    let _ = writeln!(out, "{heading}: {}", style.strong(&property.description));
    let function = if place.function.is_empty() {
        String::new()
    } else {
        format!(" in {}", place.function)
    };
    let _ = writeln!(
        out,
        "  {} {}{function}",
        style.frame("-->"),
        place_text(place, sources)
    );
    // The heading has said it already.
    let label = if message == property.description {
        ""
    } else {
        message
    };
    out.push_str(&indent(&excerpt(place, label, sources, style), "   "));
    let _ = writeln!(out, "   {} property: {}", style.frame("="), property.id);
    let stack = call_stack(trace, sources);
    if !stack.is_empty() {
        let _ = writeln!(out, "   {} call stack: {stack}", style.frame("="));
    }
    if trace.depends_on_addresses {
        let why =
            "depends on where objects lie in memory, which C leaves open: another build may not show it";
        let _ = writeln!(out, "   {} {why}", style.frame("="));
    }
    for note in &violation.notes {
        let _ = writeln!(out, "   {} {note}", style.frame("="));
    }
    if !options.quiet {
        let inputs = trace
            .steps
            .iter()
            .filter(|step| matches!(step.kind, StepKind::Input { .. }))
            .count();
        let heading = match inputs {
            0 => "How it happens:".to_owned(),
            count => format!("How it happens ({}):", plural(count, "input", "inputs")),
        };
        let _ = writeln!(out, "\n   {}", style.strong(&heading));
        out.push_str(&indent(&trace_text(trace, options.verbose, sources, style), "  "));
    }
    out.push('\n');
}

/// Where the trace says the property fails, and how; an assertion inside a library model is shown where the
/// program's own code called it.
pub(crate) fn violation_place<'t>(property: &'t Property, trace: &'t Trace) -> (&'t Place, &'t str) {
    let mut place = &property.place;
    let mut message = property.description.as_str();
    if let Some(step) = trace.steps.last()
        && let StepKind::Violation { message: text, .. } = &step.kind
    {
        message = text;
        if step.place.line > 0 {
            place = &step.place;
        }
    }
    if place.file.starts_with('<') || place.line == 0 {
        let caller = trace.stack.iter().rev().map(|frame| &frame.call);
        if let Some(call) = caller
            .into_iter()
            .find(|call| call.line > 0 && !call.file.starts_with('<'))
        {
            place = call;
        }
    }
    (place, message)
}

fn call_stack(trace: &Trace, sources: &Sources) -> String {
    let shown = trace.stack.iter().filter(|frame| !is_start_up(&frame.function));
    let frames = shown.map(|frame| {
        if frame.call.line == 0 || is_start_up(&frame.call.function) {
            frame.function.clone()
        } else {
            format!(
                "{} (called at {}:{})",
                frame.function,
                sources.display(&frame.call.file),
                frame.call.line
            )
        }
    });
    frames.collect::<Vec<_>>().join(" → ")
}

pub(crate) fn indent(text: &str, by: &str) -> String {
    text.lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_string()
            } else {
                format!("{by}{line}\n")
            }
        })
        .collect()
}

pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Results in groups that share the same text, in the order of first appearance.
fn grouped<'r>(
    report: &'r Report,
    text: impl Fn(&'r Verdict) -> Option<String>,
) -> Vec<(String, Vec<&'r PropertyResult>)> {
    let mut groups: Vec<(String, Vec<&PropertyResult>)> = Vec::new();
    for result in safety(report) {
        let Some(key) = text(&result.verdict) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(result),
            None => groups.push((key, vec![result])),
        }
    }
    groups
}

pub(crate) fn property_lines(
    out: &mut String,
    members: &[&PropertyResult],
    shown: usize,
    sources: &Sources,
    style: Style,
) {
    let widest = members
        .iter()
        .take(shown)
        .map(|result| result.property.id.chars().count())
        .max()
        .unwrap_or(0);
    for result in members.iter().take(shown) {
        let property = &result.property;
        let place = place_text(&property.place, sources);
        let _ = writeln!(
            out,
            "    {:widest$}  {place}  {}",
            property.id,
            style.faint(&property.description)
        );
    }
    if members.len() > shown && shown > 0 {
        let _ = writeln!(
            out,
            "    {}",
            style.faint(&format!(
                "… and {} more (--verbose lists them)",
                members.len() - shown
            ))
        );
    }
}

pub(crate) fn proved_properties(
    out: &mut String,
    report: &Report,
    sources: &Sources,
    options: &TerminalOptions,
) {
    let groups = grouped(report, |verdict| match verdict {
        Verdict::Holds { argument } => Some(argument_text(argument)),
        _ => None,
    });
    for (argument, members) in groups {
        let mut kinds: BTreeMap<_, usize> = BTreeMap::new();
        for result in &members {
            *kinds.entry(result.property.kind).or_default() += 1;
        }
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(kind, count)| format!("{count} {}", kind.name()))
            .collect();
        let count = plural(members.len(), "property", "properties");
        let _ = writeln!(
            out,
            "{}: {count} ({}): {argument}",
            options.style.good("holds"),
            kinds.join(", ")
        );
        if options.verbose {
            property_lines(out, &members, members.len(), sources, options.style);
        }
    }
}

/// The invariants that proofs rest on: how many there are, and in a long report which.
pub(crate) fn loop_invariants(
    out: &mut String,
    report: &Report,
    sources: &Sources,
    options: &TerminalOptions,
) {
    if !options.verbose {
        return;
    }
    for invariant in &report.invariants {
        let place = place_text(&invariant.place, sources);
        let _ = writeln!(out, "At the start of every iteration of the loop at {place}:");
        for condition in &invariant.conditions {
            let _ = writeln!(out, "    {condition}");
        }
    }
}

pub(crate) fn argument_text(argument: &Argument) -> String {
    match argument {
        Argument::Trivial => "no path reaches a violation".to_string(),
        Argument::AllPathsWithinBound { bound: 0 | 1 } => "every path was followed to its end".to_string(),
        Argument::AllPathsWithinBound { bound } => {
            format!("every path was followed to its end, loops up to {bound} times")
        }
        Argument::GoodPrefixes { bound } => {
            format!("every trace satisfies it whatever comes after, loops up to {bound} times")
        }
        Argument::Induction { k: 0 } => {
            "proved for any number of iterations, from any state of the loops".to_string()
        }
        Argument::Invariants { k: 0 } => "proved for any number of iterations by loop invariants".to_string(),
        Argument::Induction { k } => format!("proved for any number of iterations by {k}-induction"),
        Argument::Invariants { k } => {
            format!("proved for any number of iterations by {k}-induction with loop invariants")
        }
        Argument::AbstractStates { states } => {
            format!(
                "proved for any number of steps: {states} abstract states cover all states of the threads"
            )
        }
        Argument::CompleteExploration { states } => format!("all {states} reachable states were seen"),
        Argument::Slice { argument } => {
            format!(
                "in the part of the program that matters: {}",
                argument_text(argument)
            )
        }
    }
}

/// Says what hides part of the program, where no open property says it already.
pub(crate) fn hidden_part(out: &mut String, report: &Report, sources: &Sources, style: Style) {
    let Some(reason) = &report.incomplete else { return };
    let is_said = |result: &PropertyResult| match &result.verdict {
        Verdict::Unknown { reason: said } => said == reason,
        _ => false,
    };
    if !report.results.iter().any(is_said) {
        let _ = writeln!(out, "{}: {}", style.open("unknown"), reason_text(reason, sources));
    }
}

pub(crate) fn assumptions(out: &mut String, report: &Report, style: Style) {
    if report.assumptions.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", style.strong("The verdict rests on:"));
    for assumption in &report.assumptions {
        let _ = writeln!(out, "  - {assumption}");
    }
}

pub(crate) fn summary(out: &mut String, report: &Report, style: Style) {
    let (word, paint): (_, fn(Style, &str) -> String) = match report.outcome() {
        Outcome::Holds => ("HOLDS", Style::good),
        Outcome::Violated => ("VIOLATED", Style::bad),
        Outcome::Unknown => ("UNKNOWN", Style::open),
    };
    let word = presumption(report).unwrap_or(word);
    let count = |test: fn(&Verdict) -> bool| {
        report
            .results
            .iter()
            .filter(|result| test(&result.verdict))
            .count()
    };
    let violated = count(|verdict| matches!(verdict, Verdict::Violated { .. }));
    let presumably_violated = count(|verdict| matches!(verdict, Verdict::PresumablyViolated { .. }));
    let presumably_holds = count(|verdict| matches!(verdict, Verdict::PresumablyHolds { .. }));
    let holds = count(|verdict| matches!(verdict, Verdict::Holds { .. }));
    let skipped = count(|verdict| {
        matches!(
            verdict,
            Verdict::Unknown {
                reason: Reason::NotChecked
            }
        )
    });
    let presumed = presumably_violated + presumably_holds;
    let open = report.results.len() - violated - holds - presumed - skipped;
    let counts: Vec<String> = [
        (violated, "violated"),
        (presumably_violated, "presumably violated"),
        (holds, "hold"),
        (presumably_holds, "presumably hold"),
        (open, "unknown"),
        (skipped, "not checked"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect();
    let counts = if counts.is_empty() && report.incomplete.is_some() {
        " seen".to_string()
    } else if counts.is_empty() {
        ": there is nothing to check".to_string()
    } else {
        format!(": {}", counts.join(", "))
    };
    let total = plural(report.results.len(), "property", "properties");
    let _ = writeln!(out, "{}: {total}{counts} ({})", paint(style, word), cost(report));
}

/// Where everything but some presumptions holds: the weakest of them.
fn presumption(report: &Report) -> Option<&'static str> {
    let open = |result: &&PropertyResult| !matches!(result.verdict, Verdict::Holds { .. });
    let rank = |result: &PropertyResult| match result.verdict {
        Verdict::PresumablyViolated { .. } => Some(1),
        Verdict::PresumablyHolds { .. } => Some(0),
        _ => None,
    };
    let ranks: Option<Vec<u32>> = report.results.iter().filter(open).map(rank).collect();
    match (report.incomplete.is_none(), ranks?.into_iter().max()?) {
        (false, _) => None,
        (true, 0) => Some("PRESUMABLY HOLDS"),
        (true, _) => Some("PRESUMABLY VIOLATED"),
    }
}

fn cost(report: &Report) -> String {
    let statistics = &report.statistics;
    let megabytes = statistics.peak_memory / 1_000_000;
    let work = match statistics.explored {
        Some(explored) => plural(explored.stored as usize, "state", "states"),
        None => plural(statistics.queries as usize, "solver query", "solver queries"),
    };
    let interleavings = statistics.interleavings.map(interleavings).unwrap_or_default();
    format!(
        "{interleavings}{:.2} s, {megabytes} MB, {work}",
        statistics.seconds
    )
}

/// How many schedules were explored one by one.
fn interleavings(counts: Interleavings) -> String {
    let all = plural(
        (counts.complete + counts.left) as usize,
        "interleaving",
        "interleavings",
    );
    let pruned = counts
        .pruned
        .map(|pruned| format!("{pruned} pruned by reduction, "));
    format!(
        "{all}, {} of them left at a state seen before, {}",
        counts.left,
        pruned.unwrap_or_default()
    )
}
