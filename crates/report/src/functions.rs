//! The report where every function was checked by itself.
//!
//! Idea: what counts as a violation comes first and in full. The rest follows in a line each, by how much it
//! takes for granted: it says what a function wants of its callers. A table of the functions comes last,
//! where a terminal shows it without scrolling.

use std::fmt::Write;

use kripke_model::{Finding, FunctionResult, FunctionsReport, Outcome, Rank, Report, StepKind};

use crate::open::{open_properties, reason_text};
use crate::terminal::{
    Violation, assumptions, hidden_part, loop_invariants, place_text, plural, proved_properties, summary,
    violation,
};
use crate::trace_text::is_start_up;
use crate::{Sources, Style, TerminalOptions};

/// Functions called by name in a line, before the rest is only counted.
const CALLERS_SHOWN: usize = 4;
/// Lines of findings that are no violations, before the rest is only counted.
const LINES_SHOWN: usize = 20;
/// Arguments and contents that a line shows.
const ARGUMENTS_SHOWN: usize = 6;

/// What is no violation, by rank.
const HEADINGS: [(Rank, &str); 4] = [
    (
        Rank::Objects,
        "It depends on the objects that callers pass, or on what earlier calls have left:",
    ),
    (Rank::Callers, "Whether a caller lets it happen is open:"),
    (Rank::Null, "Only where a parameter is a null pointer:"),
    (Rank::Excluded, "Not with what the callers in the program pass:"),
];

/// The whole report.
pub fn render_functions(
    report: &Report,
    found: &FunctionsReport,
    sources: &Sources,
    options: &TerminalOptions,
) -> String {
    let shown = Shown {
        found,
        sources,
        options,
    };
    let mut out = String::new();
    shown.in_full(&mut out, Rank::is_violation);
    if !options.quiet {
        for (rank, heading) in HEADINGS {
            if options.verbose {
                shown.in_full(&mut out, |other| other == rank);
            } else {
                shown.in_lines(&mut out, rank, heading);
            }
        }
        if options.verbose {
            open_properties(&mut out, report, sources, options);
            proved_properties(&mut out, report, sources, options);
            loop_invariants(&mut out, report, sources, options);
        }
        hidden_part(&mut out, report, sources, options.style);
        assumptions(&mut out, report, options.style);
        if !out.is_empty() {
            out.push('\n');
        }
        shown.table(&mut out);
    }
    summary(&mut out, report, options.style);
    out
}

struct Shown<'r> {
    found: &'r FunctionsReport,
    sources: &'r Sources<'r>,
    options: &'r TerminalOptions,
}

impl Shown<'_> {
    fn style(&self) -> Style {
        self.options.style
    }

    fn findings(&self, is_meant: impl Fn(Rank) -> bool) -> Vec<&Finding> {
        let all = self.found.findings.iter();
        all.filter(|finding| is_meant(finding.rank)).collect()
    }

    /// Each finding as a violation, with its run.
    fn in_full(&self, out: &mut String, is_meant: impl Fn(Rank) -> bool) {
        for finding in self.findings(is_meant) {
            let is_violation = finding.rank.is_violation();
            let shown = Violation {
                word: word(finding.rank),
                is_open: !is_violation,
                property: &finding.property,
                trace: &finding.trace,
                notes: vec![self.takes_for_granted(finding)],
            };
            violation(out, &shown, self.sources, self.options);
        }
    }

    /// What the run of a finding takes for granted.
    fn takes_for_granted(&self, finding: &Finding) -> String {
        let start = &finding.start;
        let why = self.who_calls(start);
        let what = match finding.rank {
            Rank::Nothing if start == "main" => return "rests on: nothing, it starts in main".to_owned(),
            Rank::Nothing => "the call".to_owned(),
            Rank::Arguments | Rank::Callers => "arguments".to_owned(),
            Rank::Objects => "objects or global variables before a call".to_owned(),
            Rank::Null => format!("{} = NULL in a call", finding.null.join(", ")),
            Rank::Excluded => {
                return format!("rests on: arguments of {start} that no caller in the program passes");
            }
        };
        format!("rests on: {what} of {start}, {why}")
    }

    fn who_calls(&self, start: &str) -> String {
        let function = self
            .found
            .functions
            .iter()
            .find(|function| function.name == *start);
        match function {
            Some(function) if !function.is_entry_point => {
                format!("which is open for its callers ({})", names(&function.callers))
            }
            Some(function) if function.is_callback => "whose address is taken".to_owned(),
            Some(function) if function.callers.is_empty() => "which nothing in the program calls".to_owned(),
            _ => "which others may call".to_owned(),
        }
    }

    /// A line for each finding: what a function wants of its callers.
    fn in_lines(&self, out: &mut String, rank: Rank, heading: &str) {
        let findings = self.findings(|other| other == rank);
        if findings.is_empty() {
            return;
        }
        let _ = writeln!(out, "{}", self.style().strong(heading));
        let shown = match self.options.verbose {
            true => findings.len(),
            false => LINES_SHOWN,
        };
        let places: Vec<String> = findings
            .iter()
            .map(|finding| place_text(&finding.place, self.sources))
            .collect();
        let widest = places.iter().take(shown).map(|place| place.chars().count()).max();
        let widest = widest.unwrap_or(0);
        for (finding, place) in findings.iter().zip(&places).take(shown) {
            let call = call_text(finding);
            let what = &finding.property.description;
            let _ = writeln!(out, "    {place:widest$}  {what}: {}", self.style().faint(&call));
        }
        if findings.len() > shown {
            let more = format!("… and {} more (--verbose lists them)", findings.len() - shown);
            let _ = writeln!(out, "    {}", self.style().faint(&more));
        }
        out.push('\n');
    }

    fn table(&self, out: &mut String) {
        let functions = &self.found.functions;
        let width = |text: fn(&FunctionResult) -> &str, heading: &str| {
            let longest = functions
                .iter()
                .map(|function| text(function).chars().count())
                .max();
            longest.unwrap_or(0).max(heading.len())
        };
        if functions.is_empty() {
            return;
        }
        let name = width(|function| &function.name, "function");
        let findings: Vec<String> = functions
            .iter()
            .map(|function| self.findings_text(function))
            .collect();
        let found = findings
            .iter()
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0);
        let found = found.max("findings".len());
        let heading = format!("{:name$}  verdict   {:found$}      time", "function", "findings");
        let _ = writeln!(out, "{}", self.style().strong(&heading));
        for (function, findings) in functions.iter().zip(&findings) {
            let (word, paint): (_, fn(Style, &str) -> String) = match function.verdict {
                Outcome::Holds => ("holds   ", Style::good),
                Outcome::Violated => ("violated", Style::bad),
                Outcome::Unknown => ("unknown ", Style::open),
            };
            let verdict = paint(self.style(), word);
            let seconds = function.seconds;
            let line = format!(
                "{:name$}  {verdict}  {findings:found$}  {seconds:>6.2} s",
                function.name
            );
            let _ = writeln!(out, "{line}");
            if let Some(why) = self.why_open(function) {
                let _ = writeln!(out, "    {}", self.style().faint(&why));
            }
        }
    }

    fn why_open(&self, function: &FunctionResult) -> Option<String> {
        let refused = function
            .refused
            .as_ref()
            .map(|why| format!("cannot be checked by itself: {why}"));
        let reason = function.reason.as_ref();
        refused.or(reason.map(|reason| reason_text(reason, self.sources)))
    }

    /// How many findings there are in a function, by what they are.
    fn findings_text(&self, function: &FunctionResult) -> String {
        let own = || {
            let all = self.found.findings.iter();
            all.filter(|finding| finding.place.function == function.place.function)
        };
        let count = |is_meant: fn(Rank) -> bool| own().filter(|finding| is_meant(finding.rank)).count();
        let (objects, callers) = (
            count(|rank| rank == Rank::Objects),
            count(|rank| rank == Rank::Callers),
        );
        let null = count(|rank| rank == Rank::Null);
        // Of an entry point a null pointer is a precondition; of others it is as open as their callers.
        let shown = objects + callers + if function.is_entry_point { 0 } else { null };
        let counts = [
            (count(Rank::is_violation), "violated"),
            (objects, "with objects"),
            (callers, "with arguments"),
            (function.unknown.saturating_sub(shown), "unknown"),
            (null, "with null"),
            (count(|rank| rank == Rank::Excluded), "excluded by callers"),
        ];
        let texts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        match texts.is_empty() {
            true => "-".to_owned(),
            false => texts.join(", "),
        }
    }
}

/// Some names, and how many more there are.
fn names(all: &[String]) -> String {
    let shown: Vec<&str> = all.iter().take(CALLERS_SHOWN).map(String::as_str).collect();
    let more = all.len() - shown.len();
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {}", shown.join(", "), plural(more, "other", "others")),
    }
}

/// What a finding is called.
fn word(rank: Rank) -> &'static str {
    match rank {
        Rank::Nothing | Rank::Arguments => "violated",
        Rank::Objects | Rank::Callers => "possible",
        Rank::Null => "with null",
        Rank::Excluded => "excluded",
    }
}

/// The call that a run starts with, as far as it matters: `put(value = 3) with ring->head = 8`.
pub(crate) fn call_text(finding: &Finding) -> String {
    let call = finding.trace.steps.iter().find_map(|step| match &step.kind {
        StepKind::Call { function, arguments }
            if is_start_up(&step.place.function) && !is_start_up(function) =>
        {
            Some(arguments)
        }
        _ => None,
    });
    let shown = call.into_iter().flatten().filter(|(name, value)| {
        let is_object = value.text.starts_with('&');
        !is_object && (finding.null.is_empty() || finding.null.contains(name))
    });
    let arguments: Vec<String> = shown
        .map(|(name, value)| format!("{name} = {}", value.text))
        .collect();
    let with = match finding.contents.is_empty() {
        true => String::new(),
        false => format!(" with {}", some(&finding.contents)),
    };
    format!("{}({}){with}", finding.start, some(&arguments))
}

/// The first of them.
fn some(all: &[String]) -> String {
    let shown = all[..all.len().min(ARGUMENTS_SHOWN)].join(", ");
    match all.len() > ARGUMENTS_SHOWN {
        true => format!("{shown}, …"),
        false => shown,
    }
}
