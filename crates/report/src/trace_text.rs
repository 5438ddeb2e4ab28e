//! A counterexample, step by step, as a reader wants it.
//!
//! Idea: consecutive steps of one source line make one entry: the line itself, quoted, and
//! below it what it did. Inputs stand out, because they are what a reader must supply to see
//! the error happen. Steps without a source position are left out, and so are assignments in
//! the models of the C library (the function's call and result say it all). Loops fold
//! ([`crate::fold`]); a verbose report shows everything.

use std::collections::HashMap;
use std::fmt::Write;

use kripke_model::{Place, Step, StepKind, Trace, TraceValue};

use crate::excerpt::expand_tabs;
use crate::fold::{Key, Piece, fold};
use crate::{Sources, Style};

/// Effects of one line shown before the rest of them is folded.
const EFFECTS_SHOWN: usize = 8;

/// Effects shown at the end of the line of a violation: the step that led to it, and the violation.
const LAST_SHOWN: usize = 3;

/// Lines of a long run that are shown at its beginning, and at its end.
const ENDS_SHOWN: usize = 60;

/// So many inputs that are zero share a line where objects are made.
const ALIKE: usize = 3;

/// Characters of a source line that are shown.
const LINE_SHOWN: usize = 100;

/// One source line and what it did.
struct Entry<'t> {
    place: &'t Place,
    depth: u32,
    effects: Vec<&'t StepKind>,
}

/// The steps of the trace, indented by call depth.
pub fn trace_text(trace: &Trace, verbose: bool, sources: &Sources, style: Style) -> String {
    let started = if verbose { 0 } else { start_up_steps(trace) };
    let entries = entries(trace, started, verbose);
    let pieces: Vec<Piece> = if verbose {
        (0..entries.len()).map(Piece::Show).collect()
    } else {
        fold(&keys(&entries))
    };
    let mut printer = Printer {
        sources,
        style,
        verbose,
        base_depth: entries.iter().map(|entry| entry.depth).min().unwrap_or(0),
        previous: None,
        inputs_before: Vec::new(),
        out: String::new(),
    };
    printer.inputs_before = inputs_before(&entries);
    printer.start_up(trace, started);
    let middle = match verbose || pieces.len() <= 3 * ENDS_SHOWN {
        true => 0..0,
        false => ENDS_SHOWN..pieces.len() - ENDS_SHOWN,
    };
    for (number, piece) in pieces.into_iter().enumerate() {
        if number == middle.start && !middle.is_empty() {
            printer.left_out(middle.len());
        }
        if middle.contains(&number) {
            continue;
        }
        match piece {
            Piece::Show(index) => printer.entry(&entries[index], printer.inputs_before[index]),
            Piece::Hidden {
                first,
                end,
                iterations,
            } => printer.hidden(&entries[first..end], iterations),
        }
    }
    printer.out
}

/// True of the function that the front end writes to prepare `main`'s arguments.
pub fn is_start_up(function: &str) -> bool {
    function.starts_with("kripke.")
}

fn is_shown(step: &Step, verbose: bool) -> bool {
    if is_start_up(&step.place.function) {
        let called = |function: &str| function != "main" && !function.starts_with("__");
        return match &step.kind {
            StepKind::Input { .. } => true,
            StepKind::Call { function, arguments } => verbose || called(function) && !arguments.is_empty(),
            _ => verbose,
        };
    }
    match &step.kind {
        StepKind::Violation { .. } | StepKind::Input { .. } | StepKind::Output { .. } => true,
        StepKind::Letter { .. } | StepKind::End { .. } => true,
        StepKind::Instruction { .. } | StepKind::Environment { .. } => true,
        StepKind::Branch { .. } => verbose,
        StepKind::Call { .. } | StepKind::Return { .. } | StepKind::Assign { .. } => {
            step.place.line > 0 && (verbose || !step.place.is_in_library())
        }
    }
}

/// The steps of machine code before `main` is reached; 0 where it is not.
fn start_up_steps(trace: &Trace) -> usize {
    let in_main = |step: &Step| is_instruction(step) && step.place.function == "main";
    trace.steps.iter().position(in_main).unwrap_or(0)
}

fn is_instruction(step: &Step) -> bool {
    matches!(step.kind, StepKind::Instruction { .. })
}

/// What is shown: of the first steps, which are start-up code, only what the environment does.
fn entries(trace: &Trace, started: usize, verbose: bool) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry> = Vec::new();
    let steps = trace.steps.iter().enumerate();
    let shown = steps.filter(|(index, step)| !is_instruction(step) || *index >= started);
    for step in shown.map(|(_, step)| step).filter(|step| is_shown(step, verbose)) {
        match entries.last_mut() {
            Some(last) if continues(last, step) => last.effects.push(&step.kind),
            _ => entries.push(Entry {
                place: &step.place,
                depth: step.depth,
                effects: vec![&step.kind],
            }),
        }
    }
    entries
}

/// True of a step on the line of the entry, and of the return from its function, which has no line of its
/// own.
fn continues(entry: &Entry, step: &Step) -> bool {
    let same_function = entry.depth == step.depth && entry.place.function == step.place.function;
    let same_line = entry.place.line == step.place.line && entry.place.file == step.place.file;
    same_function && (same_line || matches!(step.kind, StepKind::Return { .. }))
}

impl Entry<'_> {
    /// A call that did nothing worth showing but return.
    fn is_bare_return(&self) -> bool {
        matches!(self.effects[..], [StepKind::Return { .. }])
    }
}

fn keys(entries: &[Entry]) -> Vec<Key> {
    let mut lines: HashMap<(&str, u32), u64> = HashMap::new();
    entries
        .iter()
        .map(|entry| {
            let fresh = lines.len() as u64;
            let line = *lines
                .entry((&entry.place.file, entry.place.line))
                .or_insert(fresh);
            Key {
                line,
                depth: entry.depth,
            }
        })
        .collect()
}

/// How many inputs were read before each entry.
fn inputs_before(entries: &[Entry]) -> Vec<usize> {
    let counts = entries
        .iter()
        .map(|entry| entry.effects.iter().filter(|effect| is_input(effect)).count());
    counts
        .scan(0, |sum, count| {
            let before = *sum;
            *sum += count;
            Some(before)
        })
        .collect()
}

fn is_input(effect: &StepKind) -> bool {
    matches!(effect, StepKind::Input { .. })
}

struct Printer<'t> {
    sources: &'t Sources<'t>,
    style: Style,
    verbose: bool,
    /// The depth of the outermost function shown.
    base_depth: u32,
    previous: Option<(&'t str, &'t str)>,
    inputs_before: Vec<usize>,
    out: String,
}

impl<'t> Printer<'t> {
    fn line(&mut self, depth: u32, text: &str) {
        let _ = writeln!(
            self.out,
            "{}{text}",
            " ".repeat(2 + 2 * (depth - self.base_depth).min(20) as usize)
        );
    }

    /// Counts the instructions of start-up code, which are left out.
    fn start_up(&mut self, trace: &Trace, started: usize) {
        let first = &trace.steps[..started];
        let count = first.iter().filter(|step| is_instruction(step)).count();
        if count > 0 {
            let note = format!("… {count} instructions of start-up code (--verbose shows them) …");
            let note = self.style.faint(&note);
            self.line(self.base_depth, &note);
        }
    }

    /// Says how much of a long run is left out.
    fn left_out(&mut self, lines: usize) {
        self.previous = None;
        let note = format!("… {lines} more lines of the run (--verbose shows them) …");
        let note = self.style.faint(&note);
        self.line(self.base_depth, &note);
    }

    /// Says the file and function when they change, then the line and its effects.
    fn entry(&mut self, entry: &Entry<'t>, inputs: usize) {
        let at = (entry.place.file.as_str(), entry.place.function.as_str());
        if self.previous != Some(at) && !entry.is_bare_return() {
            self.previous = Some(at);
            let file = self.sources.display(&entry.place.file);
            let heading = match (entry.place.function.as_str(), entry.place.is_in_library()) {
                ("", _) if file.is_empty() => "in code without source:".to_owned(),
                ("", _) => format!("{file}:"),
                (function, false) if is_start_up(function) && !self.verbose => {
                    format!("before the call ({file}):")
                }
                (function, true) => format!("in {function} (C library model):"),
                (function, false) => format!("in {function} ({file}):"),
            };
            let heading = self.style.strong(&heading);
            self.line(entry.depth, &heading);
        }
        let number = match entry.place.column {
            0 => format!("{:>4}    ", entry.place.line),
            column => format!("{:>4}:{column:<3}", entry.place.line),
        };
        let quoted = self
            .sources
            .line(&entry.place.file, entry.place.line)
            .unwrap_or_default();
        let text = format!(
            "{} {}",
            self.style.frame(&number),
            shortened(&expand_tabs(quoted.trim()))
        );
        if entry.place.line > 0 && !entry.is_bare_return() {
            self.line(entry.depth, text.trim_end());
        }
        self.effects(entry, inputs);
    }

    /// What is made before the call: neighbours that are zero share a line.
    fn start_up_effects(&mut self, entry: &Entry<'t>, mut inputs: usize) {
        let mut rest = &entry.effects[..];
        while let Some(first) = rest.first() {
            let alike = rest.iter().take_while(|effect| is_zero_input(effect)).count();
            let count = if alike < ALIKE { 1 } else { alike };
            let (now, later) = rest.split_at(count);
            rest = later;
            inputs += now.iter().filter(|effect| is_input(effect)).count();
            let text = match now {
                [.., last] if count > 1 => inputs_text(first, last, inputs, count, self.style),
                _ => effect_text(first, inputs, true, self.style),
            };
            self.line(entry.depth, &format!("         {text}"));
        }
    }

    fn effects(&mut self, entry: &Entry<'t>, mut inputs: usize) {
        if is_start_up(&entry.place.function) && !self.verbose {
            return self.start_up_effects(entry, inputs);
        }
        let count = entry.effects.len();
        let last = match entry.effects.last() {
            Some(StepKind::Violation { .. }) => LAST_SHOWN,
            _ => 1,
        };
        let mut folded = EFFECTS_SHOWN..count.saturating_sub(last);
        if self.verbose || count <= EFFECTS_SHOWN + 1 + last {
            folded = 0..0;
        }
        // What the environment does is never hidden.
        let is_hidden = |index: usize| {
            folded.contains(&index) && !matches!(entry.effects[index], StepKind::Environment { .. })
        };
        for (index, effect) in entry.effects.iter().enumerate() {
            if is_input(effect) {
                inputs += 1;
            }
            let start_up = is_start_up(&entry.place.function);
            if is_hidden(index) {
                if !is_hidden(index - 1) {
                    let more = (index..count).take_while(|index| is_hidden(*index)).count();
                    let note = format!("         … {more} more steps on this line …");
                    let note = self.style.faint(&note);
                    self.line(entry.depth, &note);
                }
                continue;
            }
            let text = effect_text(effect, inputs, start_up, self.style);
            self.line(entry.depth, &format!("         {text}"));
        }
    }

    fn hidden(&mut self, entries: &[Entry<'t>], iterations: usize) {
        let depth = entries.iter().map(|entry| entry.depth).min().unwrap_or(0);
        let lines = entries
            .iter()
            .filter(|entry| entry.depth == depth)
            .map(|entry| entry.place.line);
        let (low, high) = (lines.clone().min().unwrap_or(0), lines.max().unwrap_or(0));
        let lines = if low == high {
            format!("line {low}")
        } else {
            format!("lines {low}–{high}")
        };
        let inputs: usize = entries
            .iter()
            .map(|entry| entry.effects.iter().filter(|effect| is_input(effect)).count())
            .sum();
        let inputs = match inputs {
            0 => String::new(),
            1 => ", reading 1 input".to_string(),
            n => format!(", reading {n} inputs"),
        };
        let note = self.style.faint(&format!(
            "… {iterations} more iterations of {lines}{inputs} (--verbose shows them) …"
        ));
        self.line(depth, &format!("     {note}"));
    }
}

/// Is it an input all of whose bits are zero?
fn is_zero_input(effect: &StepKind) -> bool {
    matches!(effect, StepKind::Input { value, .. } if is_zero(value))
}

/// Are all bits of the value zero?
fn is_zero(value: &TraceValue) -> bool {
    let digits = value.bits.trim_start_matches("0x");
    !digits.is_empty() && digits.chars().all(|digit| digit == '0')
}

/// Several inputs that are zero, of which this is the number of the last one.
fn inputs_text(first: &StepKind, last: &StepKind, number: usize, count: usize, style: Style) -> String {
    let (StepKind::Input { source: first, .. }, StepKind::Input { source: last, .. }) = (first, last) else {
        return String::new();
    };
    let from = number + 1 - count;
    style.input(&format!("inputs {from}–{number}: {first} … {last} = 0"))
}

/// Long lines are cut; the excerpt at the violation shows its line whole.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

/// A step in a line of its own.
pub fn step_text(step: &Step, input: usize) -> String {
    let start_up = is_start_up(&step.place.function);
    let text = effect_text(&step.kind, input, start_up, Style::plain());
    match step.kind {
        StepKind::Instruction { .. } => text.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => text,
    }
}

fn effect_text(effect: &StepKind, input: usize, start_up: bool, style: Style) -> String {
    match effect {
        StepKind::Call { function, arguments } => {
            let arguments: Vec<String> = arguments
                .iter()
                .map(|(name, value)| format!("{name} = {}", value_text(value)))
                .collect();
            format!("→ {function}({})", arguments.join(", "))
        }
        StepKind::Return { function, value } => match value {
            Some(value) => format!("← {function} returns {}", value_text(value)),
            None => format!("← {function} returns"),
        },
        StepKind::Assign { target, value, .. } => {
            format!("{target} = {}{}", value_text(value), type_text(value))
        }
        StepKind::Input {
            source,
            category,
            value,
            ..
        } => {
            let origin = match category.as_str() {
                "external" => format!("{source}() [no body: any value]"),
                "library" => format!("{source}() [library: any allowed value]"),
                "device" => format!("{source} [device register]"),
                "uninitialised" => "uninitialised value".to_string(),
                _ if start_up => source.clone(),
                _ => format!("{source}()"),
            };
            style.input(&format!(
                "input {input}: {origin} = {}{}",
                value_text(value),
                type_text(value)
            ))
        }
        StepKind::Output { text } => format!("prints {:?}", text),
        StepKind::Branch { taken } => if *taken {
            "branch taken"
        } else {
            "branch not taken"
        }
        .to_string(),
        StepKind::Violation { message, .. } => style.bad(&format!("violated: {message}")),
        StepKind::Letter {
            number,
            atoms,
            state,
            value,
        } => letter_text(*number, atoms, state, value, style),
        StepKind::End { message } => style.strong(message),
        StepKind::Environment { message } => style.input(message),
        StepKind::Instruction {
            address,
            text,
            changes,
        } => {
            let changes: Vec<String> = changes
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            format!(
                "{} {text:<18} {}",
                style.frame(&format!("{address:<26}")),
                changes.join(", ")
            )
            .trim_end()
            .to_owned()
        }
    }
}

/// `letter 3: p, !q; monitor s1, presumably violated`.
fn letter_text(number: u32, atoms: &[(String, bool)], state: &str, value: &str, style: Style) -> String {
    let literals: Vec<String> = atoms
        .iter()
        .map(|(atom, holds)| format!("{}{{{atom}}}", if *holds { "" } else { "!" }))
        .collect();
    style.input(&format!(
        "letter {number}: {}; monitor {state}: {value}",
        literals.join(" ")
    ))
}

/// `-1 (0xffffffff)`; the bits of small values that read the same are left out, and so are those of truth
/// values and addresses.
fn value_text(value: &TraceValue) -> String {
    let says_it_all = value.text.parse::<u64>().is_ok_and(|number| number < 10)
        || matches!(value.text.as_str(), "true" | "false" | "NULL")
        || value.text.starts_with(['&', '"'])
        || value.bits == value.text;
    if value.bits.is_empty() || says_it_all {
        value.text.clone()
    } else {
        format!("{} ({})", value.text, value.bits)
    }
}

fn type_text(value: &TraceValue) -> String {
    if value.type_name.is_empty() {
        String::new()
    } else {
        format!(" : {}", value.type_name)
    }
}
