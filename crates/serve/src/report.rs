//! A report of a check as the page takes it: verdicts at once, each run by itself when it is looked at.
//!
//! Idea: runs can have hundreds of thousands of steps that say the same few thousand texts again and again.
//! Texts are sent once and steps are rows of numbers; what changes is told step by step, and no state is
//! sent whole.
//!
//! Invariant: every step of the report is there, in order.

use std::collections::HashMap;

use kripke_dap::stacks::Stacks;
use kripke_model::{Frame, Place, StepKind, Storage, Trace};
use kripke_report::lanes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What is read of the JSON report.
#[derive(Debug, Deserialize)]
pub struct Report {
    /// Of a project.
    #[serde(default)]
    reports: Vec<Checked>,
    /// The table of a project.
    #[serde(default)]
    pub rows: Vec<Value>,
    /// Of one program.
    #[serde(flatten)]
    single: Checked,
}

/// The report on one run.
#[derive(Debug, Default, Deserialize)]
struct Checked {
    #[serde(default)]
    program: String,
    #[serde(default)]
    results: Vec<Found>,
    /// Where functions are checked by themselves: violations in runs that take something for granted, too.
    #[serde(default)]
    findings: Vec<Finding>,
    #[serde(default)]
    assumptions: Vec<String>,
    #[serde(default)]
    statistics: Value,
}

#[derive(Debug, Deserialize)]
struct Found {
    property: Property,
    verdict: String,
    trace: Option<Trace>,
    /// `argument`, `reason`, `temporal`, `open`, `bound`.
    #[serde(flatten)]
    other: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Finding {
    property: Property,
    rank: String,
    start: String,
    trace: Trace,
}

impl Finding {
    /// A violation that is possible, as a result of its own; none where callers exclude it, or where it is
    /// told already.
    fn found(self, results: &[Found]) -> Option<Found> {
        let is_told = |found: &Found| found.property.id == self.property.id && found.trace.is_some();
        if self.rank == "excluded" || results.iter().any(is_told) {
            return None;
        }
        let rests_on = format!(
            "a run that starts in {} and rests on its {}",
            self.start, self.rank
        );
        Some(Found {
            property: self.property,
            verdict: "possible".to_owned(),
            trace: Some(self.trace),
            other: Map::from_iter([("reason".to_owned(), json!({ "kind": rests_on }))]),
        })
    }
}

#[derive(Debug, Deserialize)]
struct Property {
    id: String,
    kind: String,
    description: String,
    place: Place,
}

/// The verdicts, and the runs beside them in the order in which the verdicts number them.
pub struct Digest {
    /// Verdicts.
    pub results: Vec<Value>,
    /// Runs.
    pub traces: Vec<Run>,
    /// Sentences on which verdicts rest.
    pub assumptions: Vec<String>,
    /// Time and memory.
    pub statistics: Vec<Value>,
}

impl Report {
    /// What the page shows; `shown` says what files are called there.
    pub fn digest(self, shown: &dyn Fn(&str) -> String) -> Digest {
        let mut digest = Digest {
            results: Vec::new(),
            traces: Vec::new(),
            assumptions: Vec::new(),
            statistics: Vec::new(),
        };
        let single = (!self.single.results.is_empty()).then_some(self.single);
        for checked in self.reports.into_iter().chain(single) {
            digest.statistics.push(checked.statistics);
            for sentence in checked.assumptions {
                if !digest.assumptions.contains(&sentence) {
                    digest.assumptions.push(sentence);
                }
            }
            let possible = checked.findings.into_iter();
            let possible: Vec<Found> = possible.filter_map(|one| one.found(&checked.results)).collect();
            for found in checked.results.into_iter().chain(possible) {
                let place = &found.property.place;
                let mut result = json!({
                    "program": checked.program,
                    "id": found.property.id,
                    "kind": found.property.kind,
                    "description": found.property.description,
                    "file": if place.line > 0 { shown(&place.file) } else { String::new() },
                    "line": place.line,
                    "function": place.function,
                    "verdict": found.verdict.replace('-', " "),
                    "trace": found.trace.as_ref().map(|_| digest.traces.len()),
                    "steps": found.trace.as_ref().map(|trace| trace.steps.len()),
                });
                if let Some(fields) = result.as_object_mut() {
                    fields.extend(found.other);
                }
                digest.results.push(result);
                digest
                    .traces
                    .extend(found.trace.map(|trace| Run::new(trace, shown)));
            }
        }
        digest
    }
}

/// A run.
#[derive(Debug, Serialize)]
pub struct Run {
    /// Every text once.
    texts: Vec<String>,
    /// Lanes by their texts.
    lanes: Vec<String>,
    /// For each step the lane, file, line, column, function, depth, kind, text, address, the call in which
    /// lives what changes and the innermost call after it, and then pairs of what changes and what it changes
    /// to; texts are numbers in `texts`, calls are numbers from 1 in `frames` or 0.
    steps: Vec<Vec<u32>>,
    /// For each call its function and the call that it is made in.
    frames: Vec<(u32, u32)>,
    /// When a lane takes a lock or gives it back: the step from which this is so, the lane, the lock as the
    /// number of its text, 1 or 0.
    locks: Vec<[u32; 4]>,
    #[serde(rename = "loop")]
    loop_start: Option<usize>,
    stack: Vec<Frame>,
}

/// Texts by their numbers.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

impl Run {
    fn new(trace: Trace, shown: &dyn Fn(&str) -> String) -> Self {
        let mut texts = Texts::default();
        let mut files: HashMap<String, u32> = HashMap::new();
        let lanes = lanes(&trace);
        let stacks = Stacks::new(&trace.steps, &lanes);
        let mut steps = Vec::with_capacity(trace.steps.len());
        for (index, (step, &lane)) in trace.steps.iter().zip(&lanes.of).enumerate() {
            let frame = stacks.after(index).map_or(0, |frame| frame + 1);
            let place = &step.place;
            let file = match files.get(&place.file) {
                Some(number) => *number,
                None => {
                    let name = if place.file.is_empty() {
                        String::new()
                    } else {
                        shown(&place.file)
                    };
                    let number = texts.number(&name);
                    files.insert(place.file.clone(), number);
                    number
                }
            };
            let address = match &step.kind {
                StepKind::Instruction { address, .. } => address,
                _ => "",
            };
            let mut row = vec![
                lane as u32,
                file,
                place.line,
                place.column,
                texts.number(&place.function),
                step.depth,
                texts.number(name(&step.kind)),
                texts.number(&text(&step.kind)),
                texts.number(address),
                if is_local(&step.kind) { frame } else { 0 },
                frame,
            ];
            for (name, value) in changes(&step.kind) {
                row.push(texts.number(&name));
                row.push(texts.number(value));
            }
            steps.push(row);
        }
        let frames = stacks.frames().iter().map(|frame| {
            let outer = frame.outer.map_or(0, |outer| outer + 1);
            (texts.number(&frame.function), outer)
        });
        let frames = frames.collect();
        let locks = trace.locks.iter().filter_map(|change| {
            // A thread that goes on says so in a step of its own.
            let lane = lanes.of.get(change.step.checked_sub(1)?)?;
            let step = change.step.min(steps.len() - 1) as u32;
            let lock = texts.number(&change.lock);
            Some([step, *lane as u32, lock, u32::from(change.holds)])
        });
        let locks = locks.collect();
        Self {
            frames,
            locks,
            texts: texts.all,
            lanes: lanes.names,
            steps,
            loop_start: trace.loop_start,
            stack: trace.stack,
        }
    }
}

/// What the JSON report calls a kind of step.
fn name(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Call { .. } => "call",
        StepKind::Return { .. } => "return",
        StepKind::Assign { .. } => "assign",
        StepKind::Input { .. } => "input",
        StepKind::Output { .. } => "output",
        StepKind::Branch { .. } => "branch",
        StepKind::Violation { .. } => "violation",
        StepKind::Letter { .. } => "letter",
        StepKind::Instruction { .. } => "instruction",
        StepKind::Environment { .. } => "environment",
        StepKind::End { .. } => "end",
    }
}

/// What happens, in a line; what changes stands beside it.
fn text(kind: &StepKind) -> String {
    match kind {
        StepKind::Call { function, arguments } => {
            let values: Vec<&str> = arguments.iter().map(|(_, value)| value.text.as_str()).collect();
            format!("→ {function}({})", values.join(", "))
        }
        StepKind::Return { function, value } => {
            let value = value.as_ref().map_or("", |value| value.text.as_str());
            format!("← {function} {value}").trim_end().to_owned()
        }
        StepKind::Assign { target, value, .. } => format!("{target} = {}", value.text),
        StepKind::Input { source, value, .. } => format!("{source} gives {}", value.text),
        StepKind::Output { text } => format!("prints {}", text.escape_debug()),
        StepKind::Branch { taken } => format!("the condition is {taken}"),
        StepKind::Letter { number, value, .. } => format!("letter {number}: {value}"),
        StepKind::Instruction { text, .. } => text.clone(),
        StepKind::Violation { message, .. }
        | StepKind::Environment { message }
        | StepKind::End { message } => message.clone(),
    }
}

/// What has another value from now on.
fn changes(kind: &StepKind) -> Vec<(String, &str)> {
    match kind {
        StepKind::Assign { target, value, .. } => vec![(target.clone(), value.text.as_str())],
        StepKind::Call { arguments, .. } => {
            let pairs = arguments.iter();
            pairs
                .map(|(name, value)| (name.clone(), value.text.as_str()))
                .collect()
        }
        StepKind::Instruction { changes, .. } => {
            let pairs = changes.iter();
            pairs
                .map(|(name, value)| (name.clone(), value.as_str()))
                .collect()
        }
        StepKind::Letter { atoms, .. } => atoms
            .iter()
            .map(|(atom, truth)| (format!("{{{atom}}}"), if *truth { "true" } else { "false" }))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether what changes belongs to a call of a function.
fn is_local(kind: &StepKind) -> bool {
    match kind {
        StepKind::Assign { storage, .. } => *storage == Storage::Local,
        StepKind::Call { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(depth: u32, kind: &str, fields: Value) -> Value {
        let place = json!({ "file": "a.c", "line": 1, "column": 2, "function": "main" });
        let mut step = json!({ "place": place, "depth": depth, "step": kind });
        let fields = fields.as_object().cloned().unwrap_or_default();
        step.as_object_mut().expect("an object").extend(fields);
        step
    }

    #[test]
    fn steps_are_rows_of_numbers() {
        let steps = [
            step(
                0,
                "instruction",
                json!({ "address": "0x0", "text": "nop", "changes": [["r1", "0x00"]] }),
            ),
            step(0, "environment", json!({ "message": "INT0 arrives" })),
            step(
                1,
                "instruction",
                json!({ "address": "0x2", "text": "nop", "changes": [] }),
            ),
            step(
                0,
                "letter",
                json!({ "number": 1, "atoms": [["a", true]], "state": "s1", "value": "holds" }),
            ),
        ];
        let property =
            json!({ "id": "p", "kind": "ltl", "description": "G {a}", "place": steps[0]["place"] });
        let trace = json!({ "steps": steps, "stack": [], "loop_start": 1 });
        let result =
            json!({ "property": property, "verdict": "presumably-violated", "trace": trace, "bound": 3 });
        let report = json!({ "reports": [{ "program": "x", "results": [result], "assumptions": ["s"] }] });
        let report: Report = serde_json::from_value(report).expect("a report");
        let digest = report.digest(&|file| format!("src/{file}"));
        assert_eq!(digest.results[0]["verdict"], "presumably violated");
        assert_eq!(
            (&digest.results[0]["bound"], &digest.results[0]["steps"]),
            (&json!(3), &json!(4))
        );
        let run = &digest.traces[0];
        assert_eq!(run.lanes, ["main", "INT0 (interrupt)"]);
        assert_eq!(
            run.steps.iter().map(|row| row[0]).collect::<Vec<_>>(),
            [0, 0, 1, 0]
        );
        let text = |number: u32| run.texts[number as usize].as_str();
        assert_eq!(
            (
                text(run.steps[0][1]),
                text(run.steps[0][11]),
                text(run.steps[0][12])
            ),
            ("src/a.c", "r1", "0x00")
        );
        assert_eq!((text(run.steps[3][11]), text(run.steps[3][12])), ("{a}", "true"));
        assert_eq!(run.loop_start, Some(1));
        let finding =
            |rank: &str| json!({ "property": property, "rank": rank, "start": "f", "trace": trace });
        let open = json!({ "property": property, "verdict": "unknown", "reason": { "kind": "callers" } });
        let findings = [finding("objects"), finding("excluded")];
        let report = json!({ "reports": [{ "results": [open], "findings": findings }] });
        let report: Report = serde_json::from_value(report).expect("a report");
        let digest = report.digest(&str::to_owned);
        let verdicts: Vec<&Value> = digest.results.iter().map(|result| &result["verdict"]).collect();
        assert_eq!(verdicts, ["unknown", "possible"]);
    }

    #[test]
    fn what_lives_in_a_call_is_told() {
        let value = json!({ "type_name": "int", "text": "1", "bits": "0x1" });
        let assign = |storage: &str| {
            step(
                0,
                "assign",
                json!({ "target": "x", "value": value, "storage": storage }),
            )
        };
        let call = step(0, "call", json!({ "function": "f", "arguments": [["x", value]] }));
        let steps = [assign("local"), assign("global"), assign("heap"), call];
        let trace = serde_json::from_value(json!({ "steps": steps, "stack": [], "loop_start": null }));
        let run = Run::new(trace.expect("a trace"), &str::to_owned);
        let told: Vec<u32> = run.steps.iter().map(|row| row[9]).collect();
        assert_eq!(told, [1, 0, 0, 2]);
    }

    #[test]
    fn locks_belong_to_the_lane_that_takes_them() {
        let goes_on = |message: &str| step(0, "environment", json!({ "message": message }));
        let steps = [goes_on("thread 1 begins in f"), goes_on("main goes on")];
        let change = |step: u32, lock: &str, holds: bool| {
            let thread = 1;
            json!({ "step": step, "thread": thread, "lock": lock, "holds": holds })
        };
        let locks = [change(1, "a", true), change(2, "b", true), change(2, "b", false)];
        let trace = json!({ "steps": steps, "stack": [], "loop_start": null, "locks": locks });
        let run = Run::new(serde_json::from_value(trace).expect("a trace"), &str::to_owned);
        let told = run.locks.iter().map(|&[step, lane, lock, holds]| {
            let (lane, lock) = (&run.lanes[lane as usize], &run.texts[lock as usize]);
            (step, lane.as_str(), lock.as_str(), holds)
        });
        let told: Vec<(u32, &str, &str, u32)> = told.collect();
        let (f, main) = ("thread 1 (f)", "main");
        assert_eq!(told, [(1, f, "a", 1), (1, main, "b", 1), (1, main, "b", 0)]);
    }

    #[test]
    fn recursive_calls_are_calls_of_their_own_and_end() {
        let value = json!({ "type_name": "int", "text": "1", "bits": "0x1" });
        let call = |depth: u32| {
            step(
                depth,
                "call",
                json!({ "function": "f", "arguments": [["n", value]] }),
            )
        };
        let returns = |depth: u32| step(depth, "return", json!({ "function": "f", "value": null }));
        let steps = [call(0), call(1), returns(2), returns(1), call(0)];
        let trace = serde_json::from_value(json!({ "steps": steps, "stack": [], "loop_start": null }));
        let run = Run::new(trace.expect("a trace"), &str::to_owned);
        let told: Vec<(u32, u32)> = run.steps.iter().map(|row| (row[9], row[10])).collect();
        assert_eq!(told, [(1, 1), (2, 2), (0, 1), (0, 0), (3, 3)]);
        let outer: Vec<u32> = run.frames.iter().map(|frame| frame.1).collect();
        assert_eq!(outer, [0, 1, 0]);
    }
}
