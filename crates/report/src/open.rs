//! What is open, and why: how far the search came, what is missing, what to try next.
//!
//! Idea: "unknown" alone makes people give up. Properties that are open for one reason stand together; under
//! them stands what the search knows.

use std::fmt::Write;

use kripke_model::{Explosion, Open, OpenLoop, PropertyResult, Reason, Report, Verdict};

use crate::terminal::{TerminalOptions, plural, property_lines, safety};
use crate::{Sources, Style};

/// Open properties listed one by one under each reason before the rest is only counted.
const SHOWN: usize = 8;
/// Loops named under one reason.
const LOOPS_SHOWN: usize = 4;

/// Properties that are open for one reason, at one stage of the search.
struct Group<'r> {
    reason: &'r Reason,
    open: Option<&'r Open>,
    members: Vec<&'r PropertyResult>,
}

/// All open properties.
pub(crate) fn open_properties(
    out: &mut String,
    report: &Report,
    sources: &Sources,
    options: &TerminalOptions,
) {
    for group in groups(report) {
        let count = plural(group.members.len(), "property", "properties");
        let word = options.style.open("unknown");
        let _ = writeln!(out, "{word}: {count}: {}", reason_text(group.reason, sources));
        let shown = match (options.verbose, group.reason) {
            (true, _) => group.members.len(),
            (false, Reason::NotChecked) => 0,
            (false, _) => SHOWN,
        };
        property_lines(out, &group.members, shown, sources, options.style);
        if let Some(open) = group.open
            && !matches!(
                group.reason,
                Reason::NotChecked
                    | Reason::NotReplayed { .. }
                    | Reason::Callers { .. }
                    | Reason::Contract { .. }
            )
        {
            known(out, group.reason, open, sources, options.style);
        }
    }
}

fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for result in safety(report) {
        let Verdict::Unknown { reason } = &result.verdict else {
            continue;
        };
        let open = result.open.as_ref();
        match groups
            .iter_mut()
            .find(|group| (group.reason, group.open) == (reason, open))
        {
            Some(group) => group.members.push(result),
            None => groups.push(Group {
                reason,
                open,
                members: vec![result],
            }),
        }
    }
    groups
}

/// What the search knows of a group, and what to try.
fn known(out: &mut String, reason: &Reason, open: &Open, sources: &Sources, style: Style) {
    let mut line = |word: &str, text: String| {
        let _ = writeln!(out, "    {} {word}: {text}", style.frame("="));
    };
    if let Some(explosion) = &open.explosion {
        let said = exploded(explosion, sources);
        said.into_iter().for_each(|(word, text)| line(word, text));
        return;
    }
    match open.searched {
        // The reason says it.
        _ if matches!(reason, Reason::Bound { .. }) => {}
        Some(times) => {
            let times = plural(times as usize, "time", "times");
            line(
                "searched",
                format!("no violation where every loop runs at most {times}"),
            );
        }
        None => line(
            "searched",
            "not even runs in which every loop runs once".to_string(),
        ),
    }
    for open in open.loops.iter().take(LOOPS_SHOWN) {
        line("missing", missing(open, sources));
    }
    if let Some(next) = next_step(reason, open) {
        line("next", next.to_string());
    }
}

/// What makes states many, as lines of text.
#[must_use]
pub fn explosion_text(explosion: &Explosion) -> String {
    let lines = exploded(explosion, &Sources::none());
    let lines = lines.into_iter().map(|(word, text)| format!("{word}: {text}\n"));
    lines.collect()
}

/// What makes states many, a line each.
fn exploded(explosion: &Explosion, sources: &Sources) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let values = explosion.values.iter();
    let values: Vec<String> = values
        .map(|many| format!("{} {}", many.name, many.values))
        .collect();
    if !values.is_empty() {
        let text = format!("{} in {} of the states", values.join(", "), explosion.sample);
        lines.push(("values", text));
    }
    let crowded = explosion.lines.iter();
    let crowded: Vec<String> = crowded
        .map(|line| format!("{} % at {}", line.percent, sources.display(&line.place)))
        .collect();
    if !crowded.is_empty() {
        lines.push(("states", crowded.join(", ")));
    }
    lines.extend(explosion.hints.iter().map(|hint| ("next", hint.clone())));
    lines
}

/// What would settle a loop.
fn missing(open: &OpenLoop, sources: &Sources) -> String {
    let what = if open.recursion { "recursion" } else { "loop" };
    let place = sources.display(&open.place);
    let names: Vec<String> = open.variables.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => format!("an end of the {what} at {place}, or a proof for any number of its iterations"),
        names => format!(
            "an invariant of the {what} at {place} that says enough of {}",
            names.join(", ")
        ),
    }
}

/// What to try next.
fn next_step(reason: &Reason, open: &Open) -> Option<&'static str> {
    let has_run_out = matches!(reason, Reason::Time | Reason::Memory | Reason::Interrupted);
    match (&open.loops[..], open.searched) {
        _ if !has_run_out => None,
        ([], None) => Some("a part of the program (--entry FUNCTION), or inputs of fewer bytes"),
        ([], Some(_)) => Some("more time (--timeout), another solver (--solver), or inputs of fewer bytes"),
        ([first, ..], _) if !first.variables.is_empty() => Some(
            "more time (--timeout), or what you know of them: `__VERIFIER_loop_invariant(…)` in that loop",
        ),
        ([_, ..], _) => Some("more time (--timeout), or inputs that bound the loop"),
    }
}

pub(crate) fn reason_text(reason: &Reason, sources: &Sources) -> String {
    match reason {
        Reason::Bound { bound, place } => {
            let place = sources.display(place);
            format!("no violation within bound {bound}, but the loop at {place} goes on (raise --unwind)")
        }
        Reason::Time => "the time limit was reached (raise --timeout)".to_string(),
        Reason::Memory => "the memory limit was reached (raise --memory-limit)".to_string(),
        Reason::Interrupted => "interrupted".to_string(),
        Reason::Probable { states } => {
            // Each pair of states may have the same 56 bits.
            let omission = ((*states as f64).powi(2) / 2_f64.powi(57)).min(1.0);
            format!(
                "probably no violation: none in {states} states, told apart by their hashes (one or \
                 more may have been left out with a probability of {omission:.0e}; without --store hash none \
                 is)"
            )
        }
        Reason::Disk { message } => {
            format!("the files that states are kept in could not be written or read: {message} (--store)")
        }
        Reason::States { limit } => format!("state limit of {limit} reached"),
        Reason::Unsupported { what, place } => {
            let at = match place.is_empty() {
                true => String::new(),
                false => format!(" at {}", sources.display(place)),
            };
            format!("a path reaches something unsupported: {what}{at}")
        }
        Reason::NotReplayed { end } => {
            format!("a violation does not replay: {end} (a defect of Kripke: please report it)")
        }
        Reason::Solver { message } => format!("the solver gave up: {message}"),
        Reason::Callers { function } => {
            format!("it depends on how {function} is called, which nothing in the program says")
        }
        Reason::Contract { function } => {
            format!("it holds with the contract of {function} in the place of its calls, which is not proved")
        }
        Reason::NotChecked => {
            "not checked, the run stopped at the first violation (--all goes on)".to_string()
        }
    }
}
