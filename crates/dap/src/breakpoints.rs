//! What stops a motion: lines, functions, instructions, changes of variables, and the filters of exceptions.
//!
//! Invariant: a breakpoint is verified if and only if some step of the run can stop at it.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use kripke_model::StepKind;
use serde_json::{Value, json};

use crate::expression::{Value as Number, evaluate};
use crate::protocol::{Wanted, address};
use crate::recording::{Position, Recording, Stop, Way};
use crate::variables::{Home, Variable, parts};

/// What a breakpoint waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// A line of a file.
    Line(PathBuf, u32),
    /// The first step of a function.
    Function(String),
    /// An instruction.
    Instruction(i64),
    /// A change of a variable, or of a part of it; of locals in calls of a function.
    Data { function: Option<String>, name: String },
}

impl Point {
    /// Why it stops, in the protocol's words.
    fn reason(&self) -> &'static str {
        match self {
            Point::Line(..) => "breakpoint",
            Point::Function(_) => "function breakpoint",
            Point::Instruction(_) => "instruction breakpoint",
            Point::Data { .. } => "data breakpoint",
        }
    }
}

/// The kinds of breakpoints, each of which is set anew as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Of lines.
    Line,
    /// Of functions.
    Function,
    /// Of instructions.
    Instruction,
    /// Of variables.
    Data,
}

#[derive(Debug)]
struct Breakpoint {
    id: i64,
    point: Point,
    condition: Option<String>,
    /// Stop at this visit and later ones.
    visits: Option<u64>,
    log: Option<String>,
    visited: u64,
}

/// All breakpoints.
#[derive(Debug, Default)]
pub struct Breakpoints {
    /// By their kind, those of lines by their file.
    set: HashMap<(Kind, PathBuf), Vec<Breakpoint>>,
    /// The filters that are on.
    pub filters: Vec<String>,
    last_id: i64,
    /// What log points say.
    pub said: Vec<String>,
}

/// The place of relative paths of a trace.
pub fn absolute(base: &Path, file: &str) -> PathBuf {
    let mut found = PathBuf::new();
    for component in base.join(file).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                found.pop();
            }
            component => found.push(component),
        }
    }
    found
}

/// Do two paths name one file? One of them may have been noted on another machine.
pub fn is_same_file(base: &Path, noted: &str, path: &Path) -> bool {
    let is_suffix =
        !noted.is_empty() && !noted.starts_with('/') && path.ends_with(noted.trim_start_matches("./"));
    !noted.is_empty() && (absolute(base, noted) == absolute(base, &path.to_string_lossy()) || is_suffix)
}

impl Breakpoints {
    /// Sets all of a kind (of a file) anew, and says what came of each.
    pub fn set(
        &mut self,
        kind: Kind,
        file: &Path,
        wanted: Vec<(Wanted, Result<Point, String>)>,
        recording: &Recording,
        base: &Path,
    ) -> Vec<Value> {
        let mut answers = Vec::new();
        let mut set = Vec::new();
        for (wanted, point) in wanted {
            self.last_id += 1;
            let id = self.last_id;
            let outcome = point.and_then(|point| {
                let visits = visits(wanted.hit_condition.as_deref())?;
                let can_stop = |step| matches(&point, step, recording, base, Way::Forward);
                match (0..recording.steps().len()).find(|&step| can_stop(step)) {
                    Some(_) => Ok((point, visits)),
                    None => Err("no step of the counterexample is here".to_owned()),
                }
            });
            answers.push(match outcome {
                Ok((point, visits)) => {
                    set.push(Breakpoint {
                        id,
                        point,
                        condition: wanted.condition,
                        visits,
                        log: wanted.log_message,
                        visited: 0,
                    });
                    json!({"id": id, "verified": true})
                }
                Err(message) => json!({"id": id, "verified": false, "message": message}),
            });
        }
        self.set.insert((kind, file.to_owned()), set);
        answers
    }

    /// What stops at a position.
    pub fn stop(
        &mut self,
        at: Position,
        way: Way,
        recording: &Recording,
        base: &Path,
    ) -> Option<(Stop, Vec<i64>)> {
        let (mut ids, mut reason) = (Vec::new(), "");
        let mut said = Vec::new();
        for point in self.set.values_mut().flatten() {
            if !matches(&point.point, at.step, recording, base, way) || !point.stops(at, recording) {
                continue;
            }
            match &point.log {
                Some(text) => said.push(filled_in(text, at, recording)),
                None => {
                    reason = point.point.reason();
                    ids.push(point.id);
                }
            }
        }
        self.said.append(&mut said);
        if !ids.is_empty() {
            ids.sort_unstable();
            return Some((Stop::Found(reason, String::new()), ids));
        }
        let text = self.exception(at.step, recording)?;
        Some((Stop::Found("exception", text), Vec::new()))
    }

    /// What the filters stop at.
    fn exception(&self, step: usize, recording: &Recording) -> Option<String> {
        let is_on = |name: &str| self.filters.iter().any(|filter| filter == name);
        match &recording.step(step)?.kind {
            StepKind::Violation { .. } if is_on("violation") => return Some(recording.violation()),
            StepKind::Environment { message } => {
                let is_interrupt =
                    message.ends_with(" arrives") || message.starts_with("interrupted here by ");
                let is_thread = message.ends_with(" goes on") || message.contains(" begins in ");
                if is_interrupt && is_on("interrupt") || is_thread && is_on("thread") {
                    return Some(message.clone());
                }
            }
            _ => {}
        }
        if !is_on("atom") {
            return None;
        }
        let atoms = recording
            .variables
            .all()
            .iter()
            .filter(|one| one.home == Home::Atom);
        let mut flipped = atoms
            .filter(|atom| atom.changes_before(step) && atom.at(step).is_some_and(|(index, _)| index > 0));
        flipped.next().map(|atom| {
            let value = atom.at(step).map_or("", |(_, change)| &change.text);
            format!("{} becomes {value}", atom.name)
        })
    }
}

impl Breakpoint {
    fn stops(&mut self, at: Position, recording: &Recording) -> bool {
        if let Some(condition) = &self.condition {
            let value = evaluate(condition, &|name| value_of(name, at.step, recording));
            // A condition that cannot be evaluated stops, so that it is seen.
            if value.is_ok_and(|value| value == Number::Integer(0)) {
                return false;
            }
        }
        self.visited += 1;
        self.visits.is_none_or(|visits| self.visited >= visits)
    }
}

/// A hit condition: the number of the visit from which on it stops.
fn visits(text: Option<&str>) -> Result<Option<u64>, String> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let number = text.trim_start_matches(['>', '=', ' ']).parse();
    number
        .map(Some)
        .map_err(|_| format!("the hit condition `{text}` is no number"))
}

/// The text of a log point, with what stands in braces evaluated.
fn filled_in(text: &str, at: Position, recording: &Recording) -> String {
    let mut rest = text;
    let mut filled = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((expression, behind)) = after.split_once('}') else {
            break;
        };
        filled.push_str(before);
        match evaluate(expression, &|name| value_of(name, at.step, recording)) {
            Ok(value) => filled.push_str(&value.to_string()),
            Err(error) => filled.push_str(&error),
        }
        rest = behind;
    }
    filled + rest + "\n"
}

/// The value of a name where the run stands.
fn value_of(name: &str, step: usize, recording: &Recording) -> Option<Number> {
    let variable = visible(name, recording.stacks.before(step), recording)?;
    Some(Number::read(&variable.at(step)?.1.text))
}

/// What a name means in a call.
pub fn visible<'r>(name: &str, frame: Option<u32>, recording: &'r Recording) -> Option<&'r Variable> {
    let homes = [Home::Global, Home::Heap, Home::Register, Home::Io, Home::Memory];
    let local = frame.map(Home::Frame);
    let mut homes = local.into_iter().chain(homes);
    homes.find_map(|home| recording.variables.named(home, name))
}

fn matches(point: &Point, step: usize, recording: &Recording, base: &Path, way: Way) -> bool {
    match point {
        Point::Line(path, line) => {
            let place = recording.step(step).map(|step| &step.place);
            place.is_some_and(|place| place.line == *line && is_same_file(base, &place.file, path))
                && recording.is_arrival(step)
        }
        Point::Function(name) => recording.is_entry(step, name),
        Point::Instruction(address) => {
            let is_instruction = matches!(
                recording.step(step).map(|step| &step.kind),
                Some(StepKind::Instruction { .. })
            );
            is_instruction
                && recording
                    .instruction(step)
                    .is_some_and(|at| i64::from(at.address) == *address)
        }
        Point::Data { function, name } => {
            // Going back, a change is undone where the step that makes it is next.
            let seen = if way == Way::Back { step + 1 } else { step };
            let mut all = recording.variables.all().iter();
            all.any(|variable| {
                is_part(variable, function.as_deref(), name, recording) && variable.changes_before(seen)
            })
        }
    }
}

fn is_part(variable: &Variable, function: Option<&str>, name: &str, recording: &Recording) -> bool {
    let is_named = variable.name == name
        || variable
            .name
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(['.', '[', '-']) && parts(&variable.name).len() > 1);
    let is_there = match (variable.home, function) {
        (Home::Frame(frame), Some(function)) => recording
            .stacks
            .frame(frame)
            .is_some_and(|frame| frame.function == function),
        (Home::Frame(_), None) | (_, Some(_)) => false,
        (_, None) => true,
    };
    is_named && is_there
}

/// The instruction that a breakpoint names.
pub fn instruction(wanted: &Wanted) -> Result<Point, String> {
    let reference = &wanted.instruction_reference;
    let start = address(reference).ok_or_else(|| format!("`{reference}` is no address"))?;
    Ok(Point::Instruction(start.saturating_add(wanted.offset)))
}

/// The variable that a breakpoint names, as `data_id` writes it.
pub fn data(wanted: &Wanted) -> Result<Point, String> {
    let (function, name) = wanted
        .data_id
        .split_once('\n')
        .ok_or_else(|| format!("`{}` names no variable", wanted.data_id))?;
    Ok(Point::Data {
        function: (!function.is_empty()).then(|| function.to_owned()),
        name: name.to_owned(),
    })
}

/// How a variable is named for breakpoints.
pub fn data_id(home: Home, name: &str, recording: &Recording) -> String {
    let function = match home {
        Home::Frame(frame) => recording.stacks.frame(frame).map(|frame| frame.function.as_str()),
        _ => None,
    };
    format!("{}\n{name}", function.unwrap_or_default())
}
