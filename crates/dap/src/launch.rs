//! What a `launch` request asks for: a report that is there, or a check that makes one.
//!
//! Invariant: a check is started with an argument vector; nothing is given to a shell.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The arguments of `launch`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// A JSON report.
    pub report: Option<PathBuf>,
    /// What is checked: one file, or several.
    pub program: Option<Programs>,
    /// A `kripke.toml`, or its folder.
    pub project: Option<String>,
    /// Formulas, as the options of that name take them.
    pub ltl: Option<String>,
    /// The same.
    pub ctl: Option<String>,
    /// The same.
    pub invariant: Option<String>,
    /// The function that is checked by itself.
    pub function: Option<String>,
    /// Further arguments of `kripke check`.
    pub args: Vec<String>,
    /// The property whose counterexample is replayed: its name, its formula, or a number from 1.
    pub property: Option<String>,
    /// The folder in which the check runs and that the report's paths are relative to.
    pub cwd: Option<PathBuf>,
    /// Stop at the first step.
    pub stop_on_entry: Option<bool>,
}

/// One file, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Programs {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// A check to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The arguments of `kripke`, before the option for the report.
    arguments: Vec<String>,
    /// Those of the user, which may be for the compiler at the end.
    further: Vec<String>,
    /// Is it of a project?
    is_project: bool,
    /// Where it runs.
    pub directory: Option<PathBuf>,
}

impl Launch {
    /// The check that is asked for.
    pub fn check(&self) -> Result<Check, String> {
        let mut arguments = vec!["--color".to_owned(), "never".to_owned(), "check".to_owned()];
        match (&self.program, &self.project) {
            (Some(Programs::One(file)), None) => arguments.push(file.clone()),
            (Some(Programs::Several(files)), None) if !files.is_empty() => arguments.extend(files.clone()),
            (None, Some(project)) => arguments.push(project.clone()),
            (Some(_), Some(_)) => return Err("`program` and `project` exclude each other".to_owned()),
            _ => {
                return Err(
                    "say what to replay: `report` (a file of `kripke check --json`), `program` or `project`"
                        .to_owned(),
                );
            }
        }
        let formulas = [
            ("--ltl", &self.ltl),
            ("--ctl", &self.ctl),
            ("--invariant", &self.invariant),
        ];
        for (option, formula) in formulas {
            if let Some(formula) = formula {
                arguments.push(format!("{option}={formula}"));
            }
        }
        if let Some(function) = &self.function {
            arguments.push(format!("--each-function={function}"));
        }
        Ok(Check {
            arguments,
            further: self.args.clone(),
            is_project: self.project.is_some(),
            directory: self.cwd.clone(),
        })
    }
}

impl Check {
    /// The arguments of `kripke` that make it write its report to a file.
    pub fn arguments(&self, report: &Path) -> Vec<String> {
        let option = if self.is_project {
            "--report=json"
        } else {
            "--json"
        };
        let report = format!("{option}={}", report.display());
        let own = self.arguments.iter().cloned();
        own.chain([report]).chain(self.further.iter().cloned()).collect()
    }

    /// As users write it.
    pub fn text(&self) -> String {
        let all: Vec<&str> = self
            .arguments
            .iter()
            .chain(&self.further)
            .map(String::as_str)
            .collect();
        format!("kripke {}", all.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(arguments: Value, expected: &str) {
        let launch: Launch = serde_json::from_value(arguments).expect("arguments");
        let found = launch
            .check()
            .map(|check| check.arguments(Path::new("r")).join(" "));
        assert_eq!(found.unwrap_or_else(|error| error), expected);
    }

    #[test]
    fn checks_are_command_lines() {
        check(
            json!({"program": "a.c", "ltl": "-> {x}", "args": ["--all", "--", "-DX"]}),
            "--color never check a.c --ltl=-> {x} --json=r --all -- -DX",
        );
        check(
            json!({"program": ["a.c", "b.c"], "function": "f"}),
            "--color never check a.c b.c --each-function=f --json=r",
        );
        check(json!({"project": "p"}), "--color never check p --report=json=r");
        check(
            json!({"project": "p", "program": "a.c"}),
            "`program` and `project` exclude each other",
        );
    }
}
