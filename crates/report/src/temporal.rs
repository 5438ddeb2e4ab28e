//! Temporal formulas in the terminal report: the verdict, how it changed with the bound, and the trace.

use std::fmt::Write;

use kripke_model::{PropertyResult, Report, StepKind, Temporal, Trace, Verdict};

use crate::open::reason_text;
use crate::terminal::{argument_text, indent, plural};
use crate::trace_text::trace_text;
use crate::{Sources, TerminalOptions};

/// Bounds in one row of the table.
const ROW: usize = 16;

/// All temporal results of a report.
pub fn temporal_text(report: &Report, sources: &Sources, options: &TerminalOptions) -> String {
    let mut out = String::new();
    for result in &report.results {
        if let Some(temporal) = &result.temporal {
            one(&mut out, result, temporal, sources, options);
        }
    }
    out
}

fn one(
    out: &mut String,
    result: &PropertyResult,
    temporal: &Temporal,
    sources: &Sources,
    options: &TerminalOptions,
) {
    let style = options.style;
    let (word, reason, trace) = verdict(&result.verdict, sources);
    let word = match &result.verdict {
        Verdict::Holds { .. } => style.good(word),
        Verdict::Violated { .. } => style.bad(word),
        _ => style.open(word),
    };
    if options.quiet && matches!(result.verdict, Verdict::Holds { .. }) {
        return;
    }
    let name = &result.property.id;
    let _ = writeln!(out, "{word}: {name}: {}", style.strong(&temporal.formula));
    if options.quiet {
        return;
    }
    let _ = writeln!(out, "   {} {}: {reason}", style.frame("="), temporal.class);
    if temporal.bounds.len() > 1 || temporal.bounds.iter().any(|row| !row.definite) {
        out.push_str(&indent(&table(temporal), "   "));
    }
    for note in &temporal.notes {
        let _ = writeln!(out, "   {} {note}", style.frame("="));
    }
    if let Some(trace) = trace {
        let inputs = trace
            .steps
            .iter()
            .filter(|step| matches!(step.kind, StepKind::Input { .. }));
        let heading = format!("How it happens ({}):", plural(inputs.count(), "input", "inputs"));
        let _ = writeln!(out, "\n   {}", style.strong(&heading));
        out.push_str(&indent(&trace_text(trace, options.verbose, sources, style), "  "));
    }
    out.push('\n');
}

fn verdict<'r>(verdict: &'r Verdict, sources: &Sources) -> (&'static str, String, Option<&'r Trace>) {
    match verdict {
        Verdict::Holds { argument } => ("holds", argument_text(argument), None),
        Verdict::Violated { trace } => {
            let text = match trace.loop_start {
                Some(_) => "a run violates it that repeats the marked loop for ever",
                None => "a run violates it, whatever comes after or because the run ends",
            };
            ("violated", text.to_string(), Some(trace))
        }
        Verdict::PresumablyHolds { bound, trace } => (
            "presumably holds",
            format!("repeating the last letter satisfies it, on every trace within bound {bound}"),
            Some(trace),
        ),
        Verdict::PresumablyViolated { bound, trace } => (
            "presumably violated",
            format!("a trace within bound {bound} does not satisfy it yet"),
            Some(trace),
        ),
        Verdict::Unknown { reason } => ("unknown", reason_text(reason, sources), None),
    }
}

/// The verdict per bound, in the symbols of the lattice.
fn table(temporal: &Temporal) -> String {
    let mut out = String::new();
    for rows in temporal.bounds.chunks(ROW) {
        let mut bounds = "bound  ".to_string();
        let mut values = "value  ".to_string();
        for row in rows {
            let _ = write!(bounds, "{:>4}", row.bound);
            let symbol = symbol(&row.value);
            let _ = write!(values, "{symbol:>4}");
        }
        let _ = writeln!(out, "{bounds}\n{values}");
    }
    if let Some(row) = temporal.bounds.iter().find(|row| row.definite) {
        let _ = writeln!(out, "definite from bound {} on", row.bound);
    }
    out
}

fn symbol(words: &str) -> &'static str {
    match words {
        "violated" => "⊥",
        "presumably violated" => "⊥ᵖ",
        "presumably holds" => "⊤ᵖ",
        "holds" => "⊤",
        _ => "?",
    }
}
