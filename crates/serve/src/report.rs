//! A report of a check as the page takes it: verdicts at once, each run by itself when it is looked at.
//!
//! Idea: runs can have hundreds of thousands of steps that say the same few thousand texts again and again.
//! Texts are sent once and steps are rows of numbers; what changes is told step by step, and no state is
//! sent whole.
//!
//! Invariants: every step of the report is there, in order; each has exactly one lane.

use std::collections::HashMap;

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

#[derive(Debug, Default, Deserialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
    function: String,
}

#[derive(Debug, Deserialize)]
struct Trace {
    steps: Vec<Step>,
    #[serde(default)]
    stack: Vec<Value>,
    loop_start: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Step {
    place: Place,
    depth: u32,
    step: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
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
    /// For each step the lane, file, line, column, function, depth, kind, text and address, and then pairs of
    /// what changes and what it changes to; texts are numbers in `texts`.
    steps: Vec<Vec<u32>>,
    #[serde(rename = "loop")]
    loop_start: Option<usize>,
    stack: Vec<Value>,
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
        let mut lanes = Lanes::new(&trace);
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
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
            let mut row = vec![
                lanes.step(step) as u32,
                file,
                place.line,
                place.column,
                texts.number(&place.function),
                step.depth,
                texts.number(&step.step),
                texts.number(&step.text()),
                texts.number(step.field("address")),
            ];
            for (name, value) in step.changes() {
                row.push(texts.number(&name));
                row.push(texts.number(&value));
            }
            steps.push(row);
        }
        Self {
            texts: texts.all,
            lanes: lanes.names,
            steps,
            loop_start: trace.loop_start,
            stack: trace.stack,
        }
    }
}

impl Step {
    fn field(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The text of a value.
    fn value(&self) -> &str {
        self.fields.get("value").map_or("", value_text)
    }

    /// What happens, in a line.
    fn text(&self) -> String {
        let field = |name| self.field(name);
        match self.step.as_str() {
            "call" => {
                let arguments = self.pairs("arguments").map(|(_, value)| value);
                format!(
                    "→ {}({})",
                    field("function"),
                    arguments.collect::<Vec<_>>().join(", ")
                )
            }
            "return" => format!("← {} {}", field("function"), self.value())
                .trim_end()
                .to_owned(),
            "assign" => format!("{} = {}", field("target"), self.value()),
            "input" => format!("{} gives {}", field("source"), self.value()),
            "output" => format!("prints {}", field("text").escape_debug()),
            "branch" => match self.fields.get("taken").and_then(Value::as_bool) {
                Some(true) => "the condition is true".to_owned(),
                _ => "the condition is false".to_owned(),
            },
            "letter" => {
                let number = self.fields.get("number").and_then(Value::as_u64).unwrap_or(0);
                format!("letter {number}: {}", field("value"))
            }
            "instruction" => field("text").to_owned(),
            _ => field("message").to_owned(),
        }
    }

    fn pairs<'s>(&'s self, name: &str) -> impl Iterator<Item = (String, String)> + use<'s> {
        let all = self.fields.get(name).and_then(Value::as_array);
        all.into_iter().flatten().filter_map(|pair| {
            let name = pair.get(0)?.as_str()?;
            let value = pair.get(1)?;
            Some((name.to_owned(), value_text(value).to_owned()))
        })
    }

    /// What has another value from now on.
    fn changes(&self) -> Vec<(String, String)> {
        match self.step.as_str() {
            "assign" => vec![(self.field("target").to_owned(), self.value().to_owned())],
            "call" => self.pairs("arguments").collect(),
            "instruction" => self.pairs("changes").collect(),
            "letter" => {
                let atoms = self
                    .pairs("atoms")
                    .map(|(atom, truth)| (format!("{{{atom}}}"), truth));
                atoms.collect()
            }
            _ => Vec::new(),
        }
    }
}

fn value_text(value: &Value) -> &str {
    match value {
        Value::String(text) => text,
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        other => other.get("text").and_then(Value::as_str).unwrap_or_default(),
    }
}

/// Which thread or handler each step belongs to, as the steps about the environment say it.
struct Lanes {
    names: Vec<String>,
    thread: usize,
    /// Handlers that are active: the lane, the depth of what it interrupts, and whether its call follows.
    handlers: Vec<(usize, u32, bool)>,
}

impl Lanes {
    fn new(trace: &Trace) -> Self {
        let is_own = |function: &&str| !function.starts_with("kripke");
        let called = trace.steps.iter().filter(|step| step.step == "call");
        let first = called.map(|step| step.field("function")).find(is_own);
        Self {
            names: vec![first.unwrap_or("main").to_owned()],
            thread: 0,
            handlers: Vec::new(),
        }
    }

    fn named(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|lane| lane == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    fn step(&mut self, step: &Step) -> usize {
        while let Some((_, depth, is_called_next)) = self.handlers.last() {
            let is_its_call = *is_called_next && step.step == "call";
            if step.depth > *depth || is_its_call {
                break;
            }
            self.handlers.pop();
        }
        let current = self.handlers.last().map_or(self.thread, |handler| handler.0);
        if let Some(handler) = self.handlers.last_mut() {
            handler.2 = false;
        }
        if step.step != "environment" {
            return current;
        }
        let message = step.field("message");
        let interrupted = message.strip_prefix("interrupted here by ");
        if let Some(name) = interrupted.or_else(|| message.strip_suffix(" arrives")) {
            let lane = self.named(&format!("{name} (interrupt)"));
            self.handlers.push((lane, step.depth, interrupted.is_some()));
            return current;
        }
        let thread = match message.split_once(" begins in ") {
            Some((thread, function)) if thread.starts_with("thread ") => format!("{thread} ({function})"),
            _ => match message.strip_suffix(" goes on") {
                Some(thread) => thread.to_owned(),
                None => return current,
            },
        };
        self.thread = self.named(&thread);
        self.handlers.clear();
        self.thread
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
                json!({ "number": 1, "atoms": [["a", true]], "value": "holds" }),
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
                text(run.steps[0][9]),
                text(run.steps[0][10])
            ),
            ("src/a.c", "r1", "0x00")
        );
        assert_eq!((text(run.steps[3][9]), text(run.steps[3][10])), ("{a}", "true"));
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
}
