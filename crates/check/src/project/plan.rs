//! From a project to the checks that it stands for.
//!
//! Idea: properties of one program that are checked under the same conditions (macros, bound) share one run,
//! so that the program is compiled and executed once for all of them. The program's own safety properties
//! belong to the run without further conditions.

use super::{ProgramEntry, Project, PropertyEntry};

/// One check: a program under some conditions, and the properties that are checked of it.
pub struct Run<'a> {
    /// The program.
    pub program: &'a ProgramEntry,
    /// Macros beside the program's own.
    pub define: &'a [String],
    /// Its bound of all loops.
    pub unwind: Option<u32>,
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
                properties: Vec::new(),
                safety: true,
            });
        }
    }
    all
}

fn add<'a>(all: &mut Vec<Run<'a>>, first: usize, program: &'a ProgramEntry, property: &'a PropertyEntry) {
    let unwind = property.unwind.or(program.unwind);
    let shared = all[first..]
        .iter_mut()
        .find(|run| run.define == property.define && run.unwind == unwind);
    match shared {
        Some(run) => run.properties.push(property),
        None => all.push(Run {
            program,
            define: &property.define,
            unwind,
            properties: vec![property],
            safety: program.firmware.is_some(),
        }),
    }
}
