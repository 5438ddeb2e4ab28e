//! The counterexamples of a JSON report (`docs/json.md`): of one check, of functions one by one, or of a
//! project.
//!
//! Invariant: what is accepted has at least one step, and its loop starts at one of them.

use kripke_model::{Place, Trace};
use kripke_report::json::Parts;
use serde::Deserialize;

/// A run that violates a property.
#[derive(Clone, Debug, Default)]
pub struct Counterexample {
    /// The files that were checked, as the command line named them.
    pub inputs: Vec<String>,
    /// The name of the program in its project.
    pub program: String,
    /// The property's name.
    pub property: String,
    /// Its kind, as `--check` names it.
    pub kind: String,
    /// What it says.
    pub description: String,
    /// Where it is.
    pub place: Place,
    /// The temporal formula, where it is one.
    pub formula: Option<String>,
    /// The run.
    pub trace: Trace,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    program: String,
    #[serde(default)]
    inputs: Vec<String>,
    #[serde(default)]
    results: Vec<Answer>,
    #[serde(default)]
    findings: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    property: Asked,
    #[serde(default)]
    trace: Option<Trace>,
    #[serde(default)]
    temporal: Option<Temporal>,
}

#[derive(Deserialize)]
struct Asked {
    id: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    place: Place,
}

#[derive(Deserialize)]
struct Temporal {
    formula: String,
}

impl Counterexample {
    /// What `property` of a launch chooses it by: in a project, with its program.
    pub fn name(&self) -> String {
        match self.program.as_str() {
            "" => self.property.clone(),
            program => format!("{program}/{}", self.property),
        }
    }
}

/// All counterexamples of a report, in its order.
pub fn counterexamples(text: &str) -> Result<Vec<Counterexample>, String> {
    let parts: Parts<Part> = serde_json::from_str(text).map_err(|error| {
        format!("this is no JSON report (`kripke check FILE --json REPORT` writes one): {error}")
    })?;
    let mut found = Vec::new();
    for part in parts {
        for answer in part.results.into_iter().chain(part.findings) {
            let Some(trace) = answer.trace else { continue };
            let id = &answer.property.id;
            if trace.steps.is_empty() {
                return Err(format!("the counterexample of {id} has no steps"));
            }
            if trace.loop_start.is_some_and(|start| start >= trace.steps.len()) {
                return Err(format!(
                    "the loop of the counterexample of {id} starts behind its end"
                ));
            }
            // A finding of functions one by one may be the run of a result.
            let is_known = |one: &Counterexample| {
                one.program == part.program && one.property == *id && one.trace == trace
            };
            if found.iter().any(is_known) {
                continue;
            }
            found.push(Counterexample {
                inputs: part.inputs.clone(),
                program: part.program.clone(),
                property: answer.property.id,
                kind: answer.property.kind,
                description: answer.property.description,
                place: answer.property.place,
                formula: answer.temporal.map(|temporal| temporal.formula),
                trace,
            });
        }
    }
    Ok(found)
}

/// The counterexample of that name, or number from 1; the first one where none is asked for.
pub fn chosen<'c>(found: &'c [Counterexample], wanted: Option<&str>) -> Result<&'c Counterexample, String> {
    let first = found
        .first()
        .ok_or("nothing is violated: there is no counterexample to replay")?;
    let Some(wanted) = wanted else { return Ok(first) };
    let by_number = || found.get(wanted.parse::<usize>().ok()?.checked_sub(1)?);
    let is_in_project = |one: &Counterexample| {
        let rest = wanted.strip_prefix(one.program.as_str());
        !one.program.is_empty() && rest.and_then(|rest| rest.strip_prefix('/')) == Some(&one.property)
    };
    let is_it =
        |one: &&Counterexample| one.property == wanted || one.description == wanted || is_in_project(one);
    found.iter().find(is_it).or_else(by_number).ok_or_else(|| {
        let names: Vec<String> = found.iter().map(Counterexample::name).collect();
        format!(
            "there is no counterexample of `{wanted}`; there are: {}",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(program: &str) -> Counterexample {
        Counterexample {
            inputs: Vec::new(),
            program: program.to_owned(),
            property: "torn-access".to_owned(),
            kind: "firmware".to_owned(),
            description: "data is torn".to_owned(),
            place: Place::default(),
            formula: None,
            trace: Trace::default(),
        }
    }

    #[test]
    fn programs_of_a_project_are_told_apart() {
        let found = [of("left"), of("right")];
        let program = |wanted: &str| chosen(&found, Some(wanted)).map(|one| one.program.as_str());
        assert_eq!(program("torn-access"), Ok("left"));
        assert_eq!(program("right/torn-access"), Ok("right"));
        assert_eq!(program("2"), Ok("right"));
        assert!(program("middle/torn-access").is_err());
        let place = r#"{"file": "a.c", "line": 1, "column": 1, "function": "f"}"#;
        let step = format!(r#"{{"place": {place}, "depth": 0, "step": "branch", "taken": true}}"#);
        let trace = format!(r#"{{"steps": [{step}], "stack": []}}"#);
        let results = format!(r#"[{{"property": {{"id": "torn-access"}}, "trace": {trace}}}]"#);
        let same = |program: &str| format!(r#"{{"program": "{program}", "results": {results}}}"#);
        let text = format!(r#"{{"reports": [{}, {}]}}"#, same("left"), same("right"));
        let found = counterexamples(&text).expect("a report");
        let names: Vec<String> = found.iter().map(Counterexample::name).collect();
        assert_eq!(names, ["left/torn-access", "right/torn-access"]);
        let found = [of("")];
        assert!(chosen(&found, Some("/torn-access")).is_err());
    }
}
