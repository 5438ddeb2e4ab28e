//! `kripke elts`: the program model as text, as a graph or in numbers.

use std::fmt::Write;
use std::sync::Arc;

use kripke_check::program::{self, Loaded};
use kripke_check::{Failure, parse_checks};
use kripke_elts::passes::PassStatistics;
use kripke_elts::{Program, Statistics};

use crate::arguments::EltsArguments;
use crate::listener::Listener;
use crate::{jobs, output};

/// Prints the model.
pub fn elts(arguments: &EltsArguments) -> Result<u8, Failure> {
    let checks = parse_checks(arguments.properties.check.as_deref()).map_err(Failure::Input)?;
    let sources = jobs::sources(&arguments.source);
    // Nothing catches Ctrl-C here: it ends the process, and clang with it.
    let interrupt = Arc::default();
    let Loaded { mut program, .. } = program::load(&sources, &checks, &mut Listener::new(false), &interrupt)?;
    let before = Statistics::of(&program);
    let passes = if arguments.no_optimise {
        Vec::new()
    } else {
        program::optimise(&mut program, None)
    };
    let text = match (arguments.statistics, arguments.dot) {
        (true, _) => statistics(&before, &passes, &program),
        (false, true) => kripke_elts::dot(&program),
        (false, false) => kripke_elts::text::print(&program),
    };
    match &arguments.output {
        Some(path) => output::write_file(path, &text)?,
        None => output::print(&text)?,
    }
    Ok(0)
}

/// A row per pass that changed something.
fn statistics(before: &Statistics, passes: &[PassStatistics], program: &Program) -> String {
    let mut out = String::new();
    let head = [
        "",
        "functions",
        "locations",
        "transitions",
        "statements",
        "variables",
        "globals",
        "properties",
    ];
    row(&mut out, &head.map(str::to_string));
    row(&mut out, &cells("front end", before));
    for pass in passes.iter().filter(|pass| pass.before != pass.after) {
        row(&mut out, &cells(pass.pass, &pass.after));
    }
    row(&mut out, &cells("in the end", &Statistics::of(program)));
    out
}

fn cells(name: &str, of: &Statistics) -> [String; 8] {
    let Statistics {
        functions,
        locations,
        transitions,
        statements,
        variables,
        globals,
        properties,
    } = *of;
    let numbers = [
        functions,
        locations,
        transitions,
        statements,
        variables,
        globals,
        properties,
    ];
    let mut cells = numbers.iter().map(usize::to_string);
    std::array::from_fn(|index| {
        if index == 0 {
            name.to_string()
        } else {
            cells.next().unwrap_or_default()
        }
    })
}

fn row(out: &mut String, cells: &[String; 8]) {
    let _ = write!(out, "{:<18}", cells[0]);
    for cell in &cells[1..] {
        let _ = write!(out, "{cell:>12}");
    }
    out.push('\n');
}
