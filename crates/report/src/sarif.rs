//! SARIF 2.1.0 (OASIS), for code scanning and editors.
//!
//! Idea: one run with one result for each property. The rules are all kinds of properties, with the text of
//! `kripke explain` as help. A counterexample is a code flow with a thread flow for each thread or handler;
//! `executionOrder` puts them into one order again. Long ones are thinned ([`crate::thin`]).
//!
//! What is not known is a result of kind `open`, what depends on callers `review`, and what holds, on
//! request, `pass`; only `fail` has a level (3.27.9 and 3.27.10 of the standard).

use serde_json::{Map, Value, json};

use kripke_model::{Place, Step, StepKind, Trace};

use crate::Sources;
use crate::entries::{Document, EXPECTATION, Entry, Status};
use crate::explain::{self, Explanation};
use crate::lanes::{Lanes, lanes};
use crate::thin::{chosen, importance};
use crate::trace_text::step_text;

/// Locations of one code flow. GitHub takes ten thousand for a result, and shows a thousand.
const LOCATIONS: usize = 1000;

/// The report; what holds is in it if `with_holds`.
pub fn render(document: &Document, with_holds: bool) -> Result<String, serde_json::Error> {
    let rules: Vec<&Explanation> = explain::all_kinds()
        .map(explain::of_kind)
        .chain(explain::FAULTS)
        .chain(explain::all_reasons())
        .chain([&EXPECTATION])
        .collect();
    let shown = |entry: &&Entry| with_holds || !matches!(entry.status, Status::Holds);
    let results: Vec<Value> = document
        .entries
        .iter()
        .filter(shown)
        .map(|entry| result(entry, &rules, document))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "kripke",
                "semanticVersion": document.tool_version,
                "shortDescription": { "text": "A model checker for embedded software" },
                "rules": rules.iter().map(|rule| describe(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { ROOT: { "description": { "text": "where kripke was started" } } },
            "properties": { "programs": programs(document) },
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

/// Paths are relative to it.
const ROOT: &str = "SRCROOT";

/// The outcome of each check and what it rests on.
fn programs(document: &Document) -> Vec<Value> {
    let checks = document.checked.iter();
    checks
        .map(|checked| {
            json!({
                "program": checked.program,
                "files": checked.files,
                "outcome": checked.report.outcome(),
                "assumptions": checked.report.assumptions,
            })
        })
        .collect()
}

fn describe(rule: &Explanation) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": rule.meaning },
        "help": { "text": rule.help(), "markdown": rule.help_markdown() },
        "defaultConfiguration": { "level": "error" },
        "properties": { "precision": "very-high", "problem.severity": "error" },
    })
}

fn result(entry: &Entry, rules: &[&Explanation], document: &Document) -> Value {
    let (kind, level) = match entry.status {
        Status::Violated | Status::Unexpected => ("fail", "error"),
        Status::Possible(_) => ("review", "none"),
        Status::PresumablyViolated | Status::PresumablyHolds | Status::Unknown(_) => ("open", "none"),
        Status::Holds => ("pass", "none"),
    };
    let index = rules.iter().position(|rule| rule.name == entry.rule.name);
    let mut result = json!({
        "ruleId": entry.rule.name,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": { "text": entry.message },
        "locations": locations(entry, document.sources),
        "partialFingerprints": { "kripke/v1": entry.fingerprint },
        "properties": { "verdict": entry.word(), "property": entry.id },
    });
    if !entry.program.is_empty() {
        result["properties"]["program"] = entry.program.into();
    }
    if document.is_compared {
        result["baselineState"] = if entry.is_known { "unchanged" } else { "new" }.into();
    }
    if entry.is_expected && kind == "fail" {
        result["suppressions"] = json!([{
            "kind": "external",
            "status": "accepted",
            "justification": "the project file expects this verdict",
        }]);
    }
    if let Some(trace) = entry.trace.filter(|trace| !trace.steps.is_empty()) {
        result["codeFlows"] = json!([code_flow(trace, document.sources)]);
        let stack = stack(trace, document.sources);
        if !stack.is_empty() {
            result["stacks"] = json!([{ "message": { "text": "the calls at the end" }, "frames": stack }]);
        }
    }
    result
}

/// Without a place in a source the property's name has to do.
fn locations(entry: &Entry, sources: &Sources) -> Value {
    let mut location = Map::new();
    if let Some(place) = physical(entry.place, sources) {
        location.insert("physicalLocation".into(), place);
    }
    let logical = match entry.place.function.as_str() {
        "" => json!({ "fullyQualifiedName": entry.id }),
        function => json!({ "name": function, "kind": "function", "fullyQualifiedName": function }),
    };
    location.insert("logicalLocations".into(), json!([logical]));
    json!([location])
}

/// A place in a file that readers have.
fn physical(place: &Place, sources: &Sources) -> Option<Value> {
    if place.file.is_empty() || place.is_in_library() {
        return None;
    }
    let mut artifact = Map::new();
    let shown = sources.display(&place.file);
    if shown.starts_with('/') {
        artifact.insert("uri".into(), format!("file://{}", escaped(shown)).into());
    } else {
        artifact.insert("uri".into(), escaped(shown).into());
        artifact.insert("uriBaseId".into(), ROOT.into());
    }
    let mut physical = json!({ "artifactLocation": artifact });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if place.column > 0 {
            physical["region"]["startColumn"] = place.column.into();
        }
    }
    Some(physical)
}

/// A path as part of a URI (RFC 3986): what is neither unreserved nor a slash is escaped.
fn escaped(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

fn code_flow(trace: &Trace, sources: &Sources) -> Value {
    let lanes = lanes(trace);
    let steps = chosen(trace, LOCATIONS);
    let mut text = match steps.len() == trace.steps.len() {
        true => "How it happens".to_owned(),
        false => format!("How it happens: {} of {} steps", steps.len(), trace.steps.len()),
    };
    if trace.loop_start.is_some() {
        text.push_str("; the run repeats from the marked step on for ever");
    }
    if trace.depends_on_addresses {
        text.push_str("; depends on where objects lie in memory");
    }
    let flows: Vec<Value> = (0..lanes.names.len())
        .filter_map(|lane| thread_flow(trace, &steps, &lanes, lane, sources))
        .collect();
    json!({ "message": { "text": text }, "threadFlows": flows })
}

/// What one thread or handler does; a lane without a step that is shown has no flow.
fn thread_flow(
    trace: &Trace,
    steps: &[usize],
    lanes: &Lanes,
    lane: usize,
    sources: &Sources,
) -> Option<Value> {
    let is_input = |step: &Step| matches!(step.kind, StepKind::Input { .. });
    let mut inputs = 0;
    let mut next = steps.iter().copied().peekable();
    let mut locations = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        inputs += usize::from(is_input(step));
        if next.next_if_eq(&index).is_some() && lanes.of[index] == lane {
            let repeats = trace.loop_start == Some(index);
            locations.push(flow_location(step, index, inputs, repeats, sources));
        }
    }
    let name = &lanes.names[lane];
    (!locations.is_empty()).then(|| {
        json!({
            "id": format!("{lane}"),
            "message": { "text": name },
            "locations": locations,
        })
    })
}

fn flow_location(step: &Step, index: usize, inputs: usize, repeats: bool, sources: &Sources) -> Value {
    let mark = if repeats { " (the loop begins here)" } else { "" };
    let mut location = json!({ "message": { "text": format!("{}{mark}", step_text(step, inputs)) } });
    if let Some(physical) = physical(&step.place, sources) {
        location["physicalLocation"] = physical;
    }
    let mut flow = json!({
        "location": location,
        "nestingLevel": step.depth,
        "executionOrder": index + 1,
        "importance": importance(step).name(),
    });
    let state: Map<String, Value> = changes(step)
        .into_iter()
        .map(|(name, value)| (name, json!({ "text": value })))
        .collect();
    if !state.is_empty() {
        flow["state"] = state.into();
    }
    flow
}

/// What a step gives values to.
pub(crate) fn changes(step: &Step) -> Vec<(String, String)> {
    match &step.kind {
        StepKind::Assign { target, value, .. } => vec![(target.clone(), value.text.clone())],
        StepKind::Call { arguments, .. } => arguments
            .iter()
            .map(|(name, value)| (name.clone(), value.text.clone()))
            .collect(),
        StepKind::Instruction { changes, .. } => changes.clone(),
        StepKind::Letter { atoms, .. } => atoms
            .iter()
            .map(|(atom, holds)| (format!("{{{atom}}}"), holds.to_string()))
            .collect(),
        _ => Vec::new(),
    }
}

/// The calls at the end, innermost first: each where the next one is called, the last one where the run ends.
fn stack(trace: &Trace, sources: &Sources) -> Vec<Value> {
    let end = trace.steps.last().map(|step| &step.place);
    let mut at = end;
    let mut frames = Vec::new();
    for frame in trace.stack.iter().rev() {
        let mut location = json!({
            "logicalLocations": [{ "name": frame.function, "kind": "function" }],
        });
        if let Some(physical) = at.and_then(|place| physical(place, sources)) {
            location["physicalLocation"] = physical;
        }
        frames.push(json!({ "location": location }));
        at = Some(&frame.call);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(escaped("src/a b#1.c"), "src/a%20b%231.c");
        assert_eq!(escaped("ü.c"), "%C3%BC.c");
    }
}
