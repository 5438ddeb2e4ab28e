//! What is shown of a position: threads, calls, scopes, variables, values.
//!
//! Idea: what the client may ask more about gets a number, which is good until the run moves on. Structures
//! and arrays are put together from their parts, as the trace only tells of these.
//!
//! Invariant: a number that was never given, or is old, is an error and no other thing.

use serde_json::{Value, json};

use crate::breakpoints::{absolute, visible};
use crate::expression::{self, evaluate};
use crate::protocol::About;
use crate::recording::{Position, Recording};
use crate::session::Seen;
use crate::stacks::FrameId;
use crate::variables::{Home, Variable, parts};

/// The most parts that the summary of a structure shows.
const SUMMARY: usize = 6;

/// A call that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The call, where it is known.
    frame: Option<FrameId>,
    /// The step whose place it has.
    step: usize,
}

/// What has a number.
#[derive(Clone, Debug)]
pub enum Handle {
    /// All variables of a home.
    Scope(Home),
    /// Parts of a variable: which, and how many of the pieces of their names are those of the whole.
    Parts(Vec<(usize, usize)>),
    /// The bits of a register.
    Bits(usize),
}

/// What was shown since the last motion.
#[derive(Debug, Default)]
pub struct Shown {
    calls: Vec<Call>,
    handles: Vec<Handle>,
}

impl Shown {
    fn call(&mut self, call: Call) -> i64 {
        self.calls.push(call);
        self.calls.len() as i64
    }

    fn handle(&mut self, handle: Handle) -> i64 {
        self.handles.push(handle);
        self.handles.len() as i64
    }

    fn call_of(&self, id: i64) -> Result<Call, String> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let call = index.and_then(|index| self.calls.get(index));
        call.copied()
            .ok_or_else(|| format!("there is no frame {id} where the run stands now"))
    }

    fn handle_of(&self, id: i64) -> Result<Handle, String> {
        let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let handle = index.and_then(|index| self.handles.get(index));
        handle
            .cloned()
            .ok_or_else(|| format!("there are no variables {id} where the run stands now"))
    }
}

/// The threads and handlers that have begun and have not ended.
pub fn threads(recording: &Recording, at: Position) -> Value {
    let current = recording.lane(at.step);
    let is_there = |lane: usize| {
        let (last, _) = recording.stacks.around(lane, at.step);
        lane == current || last.is_some_and(|last| recording.stacks.after(last).is_some())
    };
    let lanes = recording
        .lanes
        .names
        .iter()
        .enumerate()
        .filter(|(lane, _)| is_there(*lane));
    let threads: Vec<Value> = lanes
        .map(|(lane, name)| json!({"id": lane + 1, "name": name}))
        .collect();
    json!({"threads": threads})
}

/// The calls of a thread, innermost first.
pub fn stack_trace(seen: &mut Seen<'_>, about: &About) -> Result<Value, String> {
    let recording = seen.recording;
    let lane = usize::try_from(about.thread_id)
        .ok()
        .and_then(|id| id.checked_sub(1));
    let lane = lane.filter(|lane| *lane < recording.lanes.names.len());
    let lane = lane.ok_or_else(|| format!("there is no thread {}", about.thread_id))?;
    let mut calls = Vec::new();
    let (mut frame, step) = match lane == recording.lane(seen.at.step) {
        true => (recording.stacks.before(seen.at.step), seen.at.step),
        false => {
            let (last, next) = recording.stacks.around(lane, seen.at.step);
            let frame = last.and_then(|last| recording.stacks.after(last));
            let next = recording
                .next_in_lane(lane, next)
                .filter(|next| recording.stacks.before(*next) == frame);
            (frame, next.or(last).unwrap_or(seen.at.step))
        }
    };
    calls.push(Call { frame, step });
    while let Some(call) = frame.and_then(|id| recording.stacks.frame(id)) {
        let (Some(outer), Some(step)) = (call.outer, call.call) else {
            break;
        };
        calls.push(Call {
            frame: Some(outer),
            step,
        });
        frame = Some(outer);
    }
    let total = calls.len();
    let start = about.start_frame.unwrap_or(0);
    let levels = about.levels.filter(|levels| *levels > 0).unwrap_or(usize::MAX);
    let shown = calls.into_iter().skip(start).take(levels);
    let frames: Vec<Value> = shown.map(|call| stack_frame(seen, call)).collect();
    Ok(json!({"stackFrames": frames, "totalFrames": total}))
}

fn stack_frame(seen: &mut Seen<'_>, call: Call) -> Value {
    let recording = seen.recording;
    let instruction = recording
        .instruction(call.step)
        .filter(|_| recording.is_firmware());
    let place = recording
        .step(call.step)
        .map(|step| step.place.clone())
        .unwrap_or_default();
    let frame = call.frame.and_then(|id| recording.stacks.frame(id));
    let name = match (&instruction, frame) {
        (Some(at), _) if place.function.is_empty() => at.symbol.to_owned(),
        (Some(_), _) | (None, None) => place.function.clone(),
        (None, Some(frame)) => frame.function.clone(),
    };
    // What calls the function that is checked by itself, and makes what it is given, has a name of ours.
    let is_start = name.is_empty() || name.starts_with("kripke.");
    let name = if is_start { "start".to_owned() } else { name };
    let mut shown = json!({
        "id": seen.shown.call(call),
        "name": name,
        "line": seen.line_to_client(place.line),
        "column": seen.column_to_client(place.column),
    });
    if place.file.is_empty() {
        shown["presentationHint"] = json!("subtle");
        shown["line"] = json!(0);
        shown["column"] = json!(0);
    } else {
        shown["source"] = source(seen, &place.file);
    }
    if let Some(at) = instruction {
        shown["instructionPointerReference"] = json!(format!("{:#06x}", at.address));
    }
    shown
}

/// A file of the trace as the protocol names it.
pub fn source(seen: &Seen<'_>, file: &str) -> Value {
    let path = absolute(seen.base, file);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    json!({"name": name.unwrap_or_default(), "path": path.to_string_lossy()})
}

/// The scopes of a call.
pub fn scopes(seen: &mut Seen<'_>, about: &About) -> Result<Value, String> {
    let call = seen.shown.call_of(about.frame_id.unwrap_or_default())?;
    let mut homes = Vec::new();
    if let Some(frame) = call.frame {
        homes.push((Home::Frame(frame), "Locals", "locals"));
    }
    homes.extend([
        (Home::Global, "Globals", "globals"),
        (Home::Heap, "Heap", "globals"),
        (Home::Register, "Registers", "registers"),
        (Home::Io, "I/O registers", "registers"),
        (Home::Atom, "Formula", "globals"),
        (Home::Memory, "Memory", "globals"),
    ]);
    let mut scopes = Vec::new();
    for (home, name, hint) in homes {
        let variables = seen.recording.variables.all();
        let count = variables
            .iter()
            .filter(|one| one.home == home && one.at(seen.at.step).is_some())
            .count();
        if count > 0 {
            scopes.push(json!({
                "name": name, "presentationHint": hint, "expensive": false,
                "variablesReference": seen.shown.handle(Handle::Scope(home)),
            }));
        }
    }
    Ok(json!({"scopes": scopes}))
}

/// What is behind a number.
pub fn variables(seen: &mut Seen<'_>, about: &About) -> Result<Value, String> {
    let all = match seen
        .shown
        .handle_of(about.variables_reference.unwrap_or_default())?
    {
        Handle::Scope(home) => {
            let variables = seen.recording.variables.all().iter().enumerate();
            let of_home = variables.filter(|(_, one)| one.home == home && one.at(seen.at.step).is_some());
            let parts: Vec<(usize, usize)> = of_home.map(|(index, _)| (index, 0)).collect();
            let mut children = children(seen, &parts);
            if matches!(home, Home::Register | Home::Io | Home::Memory) {
                children.sort_by_key(|child| order_of(child["name"].as_str().unwrap_or_default()));
            }
            children
        }
        Handle::Parts(parts) => children(seen, &parts),
        Handle::Bits(variable) => bits(seen, variable),
    };
    let start = about.start.unwrap_or(0);
    let count = about.count.filter(|count| *count > 0).unwrap_or(usize::MAX);
    let shown: Vec<Value> = all.into_iter().skip(start).take(count).collect();
    Ok(json!({"variables": shown}))
}

/// `r9` comes before `r10`.
fn order_of(name: &str) -> (String, u64) {
    let digits = name.trim_start_matches(|first: char| !first.is_ascii_digit());
    let letters = name.strip_suffix(digits).unwrap_or(name);
    (letters.to_owned(), digits.parse().unwrap_or(0))
}

/// A piece of names, and the variables that go on with it.
type Group = (String, Vec<(usize, usize)>);

/// The next pieces of names, each once.
fn grouped(all: &[Variable], of: &[(usize, usize)]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for &(index, used) in of {
        let Some(variable) = all.get(index) else { continue };
        let pieces = pieces(variable);
        let Some(piece) = pieces.get(used) else { continue };
        let slot = *known.entry((*piece).to_owned()).or_insert_with(|| {
            found.push(((*piece).to_owned(), Vec::new()));
            found.len() - 1
        });
        found[slot].1.push((index, used + 1));
    }
    found.sort_by_key(|(piece, _)| match piece.starts_with('[') {
        true => piece.trim_matches(['[', ']']).parse::<u64>().unwrap_or(u64::MAX),
        false => 0,
    });
    found
}

fn children(seen: &mut Seen<'_>, of: &[(usize, usize)]) -> Vec<Value> {
    let groups = grouped(seen.recording.variables.all(), of);
    groups
        .into_iter()
        .map(|(piece, parts)| child(seen, &piece, &parts))
        .collect()
}

/// The name of an atom or a register has no parts.
fn pieces(variable: &Variable) -> Vec<&str> {
    match variable.home {
        Home::Global | Home::Heap | Home::Frame(_) => parts(&variable.name),
        _ => vec![&variable.name],
    }
}

fn child(seen: &mut Seen<'_>, piece: &str, parts: &[(usize, usize)]) -> Value {
    let recording = seen.recording;
    let all = recording.variables.all();
    let leaf = leaf(all, parts);
    let inner: Vec<(usize, usize)> = parts.iter().filter(|part| Some(*part) != leaf).copied().collect();
    let name = piece.trim_start_matches(['.', '-', '>']);
    let full = parts
        .first()
        .map(|&(index, used)| pieces(&all[index])[..used].concat());
    let mut shown = json!({"name": name, "evaluateName": full, "variablesReference": 0});
    let mut was_changed = parts.iter().any(|(index, _)| seen.is_changed(&all[*index]));
    match leaf {
        Some(&(index, _)) => {
            let variable = &all[index];
            shown["value"] = json!(seen.value(variable));
            if !variable.type_name.is_empty() {
                shown["type"] = json!(variable.type_name);
            }
            was_changed = seen.is_changed(variable);
            if matches!(variable.home, Home::Io) || variable.name == "SREG" {
                shown["variablesReference"] = json!(seen.shown.handle(Handle::Bits(index)));
            }
        }
        None => shown["value"] = json!(summary(seen, &inner)),
    }
    if !inner.is_empty() {
        shown["variablesReference"] = json!(seen.shown.handle(Handle::Parts(inner)));
    }
    if was_changed {
        shown["presentationHint"] = json!({"attributes": ["changed"]});
    }
    shown
}

/// The variable whose whole name was used, which has a value of its own.
fn leaf<'p>(all: &[Variable], parts: &'p [(usize, usize)]) -> Option<&'p (usize, usize)> {
    parts
        .iter()
        .find(|(index, used)| pieces(&all[*index]).len() == *used)
}

/// `{x = 1, data = {…}, …}`.
fn summary(seen: &Seen<'_>, parts: &[(usize, usize)]) -> String {
    let all = seen.recording.variables.all();
    let groups = grouped(all, parts);
    let shown = groups.iter().take(SUMMARY).map(|(piece, parts)| {
        let change = leaf(all, parts).map(|(index, _)| all[*index].at(seen.at.step));
        let value = match change {
            None => "{…}",
            Some(None) => "?",
            Some(Some((_, change))) => change.text.as_str(),
        };
        format!("{} = {value}", piece.trim_start_matches(['.', '-', '>']))
    });
    let more = if groups.len() > SUMMARY { ", …" } else { "" };
    format!("{{{}{more}}}", shown.collect::<Vec<String>>().join(", "))
}

/// The bits of a register, the highest first.
fn bits(seen: &Seen<'_>, index: usize) -> Vec<Value> {
    let Some(variable) = seen.recording.variables.all().get(index) else {
        return Vec::new();
    };
    let text = variable
        .at(seen.at.step)
        .map_or("?", |(_, change)| change.text.as_str());
    let digits = match expression::Value::read(text) {
        expression::Value::Integer(number) => format!("{:08b}", number & 0xff),
        _ if text.len() == 8 => text.to_owned(),
        _ => "????????".to_owned(),
    };
    let flags = ["I", "T", "H", "S", "V", "N", "Z", "C"];
    let named = |(place, digit): (usize, char)| {
        let name = match variable.name.as_str() {
            "SREG" => flags
                .get(place)
                .map_or_else(String::new, |flag| (*flag).to_owned()),
            _ => format!("bit {}", 7 - place.min(7)),
        };
        json!({"name": name, "value": digit.to_string(), "variablesReference": 0})
    };
    digits.chars().enumerate().map(named).collect()
}

/// The value of an expression in a call.
pub fn evaluated(seen: &mut Seen<'_>, about: &About) -> Result<Value, String> {
    let frame = match about.frame_id {
        Some(id) => seen.shown.call_of(id)?.frame,
        None => seen.recording.stacks.before(seen.at.step),
    };
    let recording = seen.recording;
    let text: String = about.expression.trim().to_owned();
    let step = seen.at.step;
    let look_up = |name: &str| {
        let variable = visible(name, frame, recording)?;
        Some(expression::Value::read(&variable.at(step)?.1.text))
    };
    if let Some(variable) = visible(&text, frame, recording).filter(|one| one.at(step).is_some()) {
        let mut result = json!({"result": seen.value(variable), "variablesReference": 0});
        if !variable.type_name.is_empty() {
            result["type"] = json!(variable.type_name);
        }
        return Ok(result);
    }
    let error = match evaluate(&text, &look_up) {
        Ok(value) => return Ok(json!({"result": value.to_string(), "variablesReference": 0})),
        Err(error) => error,
    };
    if let Some((_, change)) = recording
        .variables
        .named(Home::Atom, &text)
        .and_then(|atom| atom.at(step))
    {
        return Ok(json!({"result": change.text, "variablesReference": 0}));
    }
    let whole = whole(recording, &text, frame, step);
    if whole.is_empty() {
        return Err(error);
    }
    let result = summary(seen, &whole);
    Ok(json!({"result": result, "variablesReference": seen.shown.handle(Handle::Parts(whole))}))
}

/// The parts of a structure or an array.
fn whole(recording: &Recording, name: &str, frame: Option<FrameId>, step: usize) -> Vec<(usize, usize)> {
    let used = parts(name).len();
    let is_part = |variable: &Variable| {
        let is_visible = match variable.home {
            Home::Frame(other) => Some(other) == frame,
            Home::Global | Home::Heap => true,
            _ => false,
        };
        let pieces = pieces(variable);
        is_visible && pieces.len() > used && pieces[..used].concat() == name && variable.at(step).is_some()
    };
    let all = recording.variables.all().iter().enumerate();
    all.filter(|(_, one)| is_part(one))
        .map(|(index, _)| (index, used))
        .collect()
}

/// The home of a variable behind a number, or that is visible.
pub fn home(seen: &Seen<'_>, about: &About) -> Result<(Home, String), String> {
    let recording = seen.recording;
    let name = about.name.trim();
    if let Some(id) = about.variables_reference.filter(|id| *id > 0) {
        return match seen.shown.handle_of(id)? {
            Handle::Scope(home) => Ok((home, name.to_owned())),
            Handle::Bits(index) => Ok((
                recording.variables.all()[index].home,
                recording.variables.all()[index].name.clone(),
            )),
            Handle::Parts(parts) => {
                let found = parts.iter().find_map(|&(index, used)| {
                    let variable = &recording.variables.all()[index];
                    let pieces = pieces(variable);
                    let piece = pieces.get(used)?;
                    let is_it = piece.trim_start_matches(['.', '-', '>']) == name;
                    is_it.then(|| (variable.home, pieces[..=used].concat()))
                });
                found.ok_or_else(|| format!("there is no `{name}` here"))
            }
        };
    }
    let frame = match about.frame_id {
        Some(id) => seen.shown.call_of(id)?.frame,
        None => recording.stacks.before(seen.at.step),
    };
    if let Some(variable) = visible(name, frame, recording) {
        return Ok((variable.home, name.to_owned()));
    }
    let parts = whole(recording, name, frame, recording.last() + 1);
    let first = parts
        .first()
        .map(|&(index, _)| recording.variables.all()[index].home);
    first
        .map(|home| (home, name.to_owned()))
        .ok_or_else(|| format!("the counterexample tells nothing of `{name}`"))
}
