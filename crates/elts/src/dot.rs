//! A program as a graph for Graphviz: one cluster per function, a node per location, an edge per
//! transition, labelled with its guard and statements.

use std::fmt::Write;

use kripke_graph::dot::escaped;

use crate::ids::FunctionId;
use crate::program::{Expr, Function, Program};
use crate::text::{expr_text, statement_text};

/// How many statements an edge shows.
const SHOWN_STATEMENTS: usize = 12;

/// The longest line of a label.
const LONGEST_LINE: usize = 100;

/// The graph of the whole program.
pub fn dot(program: &Program) -> String {
    let mut out = head("program");
    for id in program.functions.ids() {
        if !program.functions[id].locations.is_empty() {
            let _ = writeln!(
                out,
                "  subgraph cluster_{id} {{\n    label={};",
                quote(&program.functions[id].name)
            );
            function_graph(&mut out, program, id);
            out.push_str("  }\n");
        }
    }
    out + "}\n"
}

/// The graph of one function.
pub fn dot_function(program: &Program, id: FunctionId) -> String {
    let mut out = head(&program.functions[id].name);
    function_graph(&mut out, program, id);
    out + "}\n"
}

fn head(name: &str) -> String {
    format!(
        "digraph {} {{\n  node [shape=box, style=rounded, fontname=\"monospace\"];\n  edge \
         [fontname=\"monospace\"];\n",
        quote(name)
    )
}

fn function_graph(out: &mut String, program: &Program, id: FunctionId) {
    let function = &program.functions[id];
    for (location, body) in function.locations.enumerate() {
        let shape = if location == function.entry {
            ", penwidth=2"
        } else if location == function.exit {
            ", peripheries=2"
        } else {
            ""
        };
        let label = if body.name.is_empty() {
            location.to_string()
        } else {
            format!("{location} {}", body.name)
        };
        let _ = writeln!(out, "    {id}_{location} [label={}{shape}];", quote(&label));
    }
    for (location, body) in function.locations.enumerate() {
        for transition in &body.transitions {
            let label = transition_label(program, function, transition);
            let _ = writeln!(
                out,
                "    {id}_{location} -> {id}_{} [label={label}];",
                transition.target
            );
        }
    }
}

fn transition_label(program: &Program, function: &Function, transition: &crate::Transition) -> String {
    let mut lines = Vec::new();
    if !matches!(&transition.guard, Expr::Int(value) if !value.is_zero()) {
        lines.push(format!("[{}]", expr_text(program, function, &transition.guard)));
    }
    let statements = transition.statements.iter().take(SHOWN_STATEMENTS);
    lines.extend(statements.map(|statement| statement_text(program, function, statement)));
    if let Some(more @ 1..) = transition.statements.len().checked_sub(SHOWN_STATEMENTS) {
        lines.push(format!("... {more} more"));
    }
    // `\l` ends a line that stands to the left.
    let text: String = lines.iter().map(|line| escaped(&shorten(line)) + "\\l").collect();
    format!("\"{text}\"")
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}
