//! Prints programs.

use std::fmt::Write;

use crate::ids::FunctionId;
use crate::program::{
    CType, Function, Global, InitialRest, Location, Position, Program, Transition, Variable, VariableKind,
};
use crate::text::operators::{ENCODINGS, name_of, type_text};
use crate::text::print_statement::{Body, Names, position_text, quote, word};

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        names: Names::new(program),
        out: String::new(),
    };
    printer.header();
    printer.c_types();
    printer.globals();
    printer.tables();
    for function in program.functions.ids() {
        printer.out.push('\n');
        printer.function(function);
    }
    printer.out
}

/// The text of one function.
pub fn print_function(program: &Program, function: FunctionId) -> String {
    let mut printer = Printer {
        program,
        names: Names::new(program),
        out: String::new(),
    };
    printer.function(function);
    printer.out
}

struct Printer<'p> {
    program: &'p Program,
    names: Names,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn header(&mut self) {
        let machine = &self.program.data_model;
        let endian = if machine.big_endian { "big" } else { "little" };
        self.line("elts 1");
        self.line(&format!(
            "machine pointer {} int {} long {} {endian} {}",
            machine.pointer_width,
            machine.int_width,
            machine.long_width,
            quote(&machine.triple)
        ));
        self.line(&format!("entry {}", self.names.function(self.program.entry)));
        for (id, file) in self.program.files.enumerate() {
            let library = if file.is_library_model { " library" } else { "" };
            self.line(&format!("{id} {}{library}", quote(&file.path)));
        }
    }

    fn c_types(&mut self) {
        for (id, c_type) in self.program.c_types.enumerate() {
            self.line(&format!("{id} {}", c_type_text(c_type)));
        }
    }

    fn globals(&mut self) {
        let program = self.program;
        for global in program.globals.iter() {
            self.global(global);
        }
    }

    fn global(&mut self, global: &Global) {
        let mut text = format!("global {}", word(&global.name));
        if let Some(name) = &global.c_name {
            let _ = write!(text, " c {}", quote(name));
        }
        let _ = write!(text, " size {} align {}", global.size, global.align);
        text.push_str(match global.rest {
            InitialRest::Zero => "",
            InitialRest::Nondet => " nondet",
            InitialRest::Registers => " registers",
        });
        text.push_str(if global.constant { " constant" } else { "" });
        text.push_str(if global.thread_local { " threadlocal" } else { "" });
        if let Some(c_type) = global.c_type {
            let _ = write!(text, " {c_type}");
        }
        position_text(&mut text, global.position, Position::default());
        if !global.cells.is_empty() {
            text.push_str(" {");
            // Initial values are constant, so any function's names do.
            let nobody = empty_function();
            let body = Body::new(&self.names, self.program, &nobody);
            for cell in &global.cells {
                let _ = write!(text, "\n  {}: {} = ", cell.offset, type_text(cell.ty));
                body.expr(&mut text, &cell.value);
                text.push(';');
            }
            text.push_str("\n}");
        }
        self.line(&text);
    }

    fn tables(&mut self) {
        for (id, site) in self.program.object_sites.enumerate() {
            let mut text = format!("{id} {} align {}", quote(&site.name), site.align);
            text.push_str(if site.once { " once" } else { "" });
            if let Some(c_type) = site.c_type {
                let _ = write!(text, " {c_type}");
            }
            position_text(&mut text, site.position, Position::default());
            self.line(&text);
        }
        for (id, property) in self.program.properties.enumerate() {
            let function = self.names.function(property.function);
            let mut text = format!(
                "{id} {} {} in {function}",
                property.kind.name(),
                quote(&property.description)
            );
            position_text(&mut text, property.position, Position::default());
            self.line(&text);
        }
        for name in &self.program.external_functions {
            self.line(&format!("extern {}", quote(name)));
        }
        for assumption in &self.program.assumptions {
            self.line(&format!("assumption {}", quote(assumption)));
        }
    }

    fn function(&mut self, id: FunctionId) {
        let program = self.program;
        let function = &program.functions[id];
        let names = std::mem::replace(&mut self.names, Names::new(program));
        let body = Body::new(&names, program, function);
        let list = |ids: &[crate::VariableId]| {
            let names: Vec<String> = ids.iter().map(|&id| body.variable(id)).collect();
            names.join(", ")
        };
        let mut text = format!(
            "function {}({})",
            word(&function.name),
            list(&function.parameters)
        );
        if !function.results.is_empty() {
            let _ = write!(text, " -> ({})", list(&function.results));
        }
        text.push_str(if function.variadic { " variadic" } else { "" });
        let _ = write!(text, " entry {} exit {}", function.entry, function.exit);
        position_text(&mut text, function.position, Position::default());
        text.push_str(" {\n");
        for variable in function.variables.iter() {
            variable_text(&mut text, &body, variable);
        }
        for (id, location) in function.locations.enumerate() {
            let _ = write!(text, "{id} {}", quote(&location.name));
            body.position(&mut text, location.position);
            text.push_str(":\n");
            location_text(&mut text, &body, location);
        }
        text.push('}');
        self.names = names;
        self.line(&text);
    }
}

fn variable_text(text: &mut String, body: &Body<'_>, variable: &Variable) {
    let kind = match variable.kind {
        VariableKind::Parameter => "parameter",
        VariableKind::Local => "local",
        VariableKind::Temporary => "temporary",
    };
    let _ = write!(
        text,
        "  {kind} {} {}",
        type_text(variable.ty),
        word(&variable.name)
    );
    if let Some(c_type) = variable.c_type {
        let _ = write!(text, " {c_type}");
    }
    body.position(text, variable.position);
    text.push_str(";\n");
}

fn location_text(text: &mut String, body: &Body<'_>, location: &Location) {
    for transition in &location.transitions {
        transition_text(text, body, transition);
    }
}

fn transition_text(text: &mut String, body: &Body<'_>, transition: &Transition) {
    text.push_str("  when ");
    body.expr(text, &transition.guard);
    body.position(text, transition.position);
    text.push_str(" {");
    for statement in &transition.statements {
        text.push_str("\n    ");
        body.statement(text, &statement.kind);
        body.position(text, statement.position);
        text.push(';');
    }
    text.push_str(if transition.statements.is_empty() {
        ""
    } else {
        "\n  "
    });
    let _ = writeln!(text, "}} goto {};", transition.target);
}

fn c_type_text(c_type: &CType) -> String {
    match c_type {
        CType::Void => "void".to_owned(),
        CType::Base { name, bits, encoding } => {
            format!(
                "base {} {bits} {}",
                quote(name),
                name_of(ENCODINGS, *encoding).unwrap_or("?")
            )
        }
        CType::Pointer { to } => format!("pointer {to}"),
        CType::Record {
            name,
            union,
            bytes,
            members,
        } => {
            let mut text = format!(
                "{} {} {bytes} {{",
                if *union { "union" } else { "struct" },
                quote(name)
            );
            for member in members {
                let field = if member.bit_field { " field" } else { "" };
                let _ = write!(
                    text,
                    "\n  {} {} bit {} bits {}{field};",
                    quote(&member.name),
                    member.c_type,
                    member.bit_offset,
                    member.bits
                );
            }
            text + "\n}"
        }
        CType::Array { element, count } => format!("array {element} {count}"),
        CType::Enum {
            name,
            bits,
            signed,
            values,
        } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            let mut text = format!("enum {} {bits} {sign} {{", quote(name));
            for (name, value) in values {
                let _ = write!(text, "\n  {} {value};", quote(name));
            }
            text + "\n}"
        }
        CType::Typedef { name, of } => format!("typedef {} {of}", quote(name)),
        CType::Qualified { qualifier, of } => format!("qualified {} {of}", quote(qualifier)),
        CType::Function => "function".to_owned(),
    }
}

/// A function without anything.
fn empty_function() -> Function {
    use crate::ids::{Id, IdVec, LocationId};
    Function {
        name: String::new(),
        parameters: Vec::new(),
        results: Vec::new(),
        variables: IdVec::new(),
        locations: IdVec::new(),
        entry: LocationId::new(0),
        exit: LocationId::new(0),
        position: Position::default(),
        variadic: false,
    }
}
