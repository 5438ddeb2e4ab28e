//! From a project to the checks that it stands for.
//!
//! Idea: properties of one program that are checked under the same conditions (macros, bound, fairness) share
//! one run, so that the program is compiled and executed once for all of them. The program's own safety
//! properties belong to the run without further conditions.

use super::{At, ProgramEntry, Project, PropertyEntry};
use crate::job::Fairness;

/// One check: a program under some conditions, and the properties that are checked of it.
pub struct Run<'a> {
    /// The program.
    pub program: &'a ProgramEntry,
    /// Macros beside the program's own.
    pub define: &'a [String],
    /// Its bound of all loops.
    pub unwind: Option<u32>,
    /// Of a firmware's formulas of linear time, only runs count in which hardware finishes what was started.
    pub fair: bool,
    /// A firmware's invariants are judged where statements begin.
    pub statements: bool,
    /// What is checked of it.
    pub properties: Vec<&'a PropertyEntry>,
    /// Are the program's safety properties reported too?
    pub safety: bool,
}

/// The checks of a project, in the order of the file. `selected` names properties (`program/property`, or the
/// name of either alone); none means all.
pub fn runs<'a>(project: &'a Project, selected: &[String]) -> Vec<Run<'a>> {
    let mut all = Vec::new();
    for program in &project.programs {
        let whole = selected.is_empty() || selected.contains(&program.name);
        let first = all.len();
        if whole && program.check.as_deref() != Some("none") && program.firmware.is_none() {
            all.push(Run {
                program,
                define: &[],
                unwind: program.unwind,
                fair: false,
                statements: false,
                properties: Vec::new(),
                safety: true,
            });
        }
        for property in &program.properties {
            let full = format!("{}/{}", program.name, property.name);
            if whole
                || selected
                    .iter()
                    .any(|name| *name == property.name || *name == full)
            {
                add(&mut all, first, program, property);
            }
        }
        if whole && program.firmware.is_some() && all.len() == first {
            all.push(Run {
                program,
                define: &[],
                unwind: None,
                fair: false,
                statements: false,
                properties: Vec::new(),
                safety: true,
            });
        }
    }
    all
}

fn add<'a>(all: &mut Vec<Run<'a>>, first: usize, program: &'a ProgramEntry, property: &'a PropertyEntry) {
    let unwind = property.unwind.or(program.unwind);
    let is_firmware = program.firmware.is_some();
    // Fairness is about runs, places between instructions are about states.
    let is_fair = property.fair.or(program.fair) == Some(Fairness::Weak);
    let fair = is_firmware && property.ltl.is_some() && is_fair;
    let is_at_statements = property.at.or(program.at) == Some(At::Statements);
    let statements = is_firmware && property.invariant.is_some() && is_at_statements;
    let is_first = all.len() == first;
    let shared = all[first..].iter_mut().find(|run| {
        let conditions = (run.define, run.unwind, run.fair, run.statements);
        conditions == (&property.define[..], unwind, fair, statements)
    });
    match shared {
        Some(run) => run.properties.push(property),
        None => all.push(Run {
            program,
            define: &property.define,
            unwind,
            fair,
            statements,
            properties: vec![property],
            safety: is_firmware && is_first,
        }),
    }
}
