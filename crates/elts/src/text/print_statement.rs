//! Prints statements and expressions.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use kripke_value::{Float, RoundingMode};

use crate::ids::{FunctionId, GlobalId, Id, VariableId};
use crate::program::{
    AccessChecks, Callee, Expr, Function, Position, Program, Statement, StatementKind, Type, UnaryOp,
};
use crate::text::operators::{
    BINARY_FUNCTIONS, CASTS, CONCAT, INFIX, OUTPUTS, POINTER_ADD, STOPS, UNARY_FUNCTIONS, is_keyword,
    name_of, source_text, type_text,
};

/// The text of an expression of a function.
pub fn expr_text(program: &Program, function: &Function, expr: &Expr) -> String {
    let names = Names::new(program);
    let mut out = String::new();
    Body::new(&names, program, function).expr(&mut out, expr);
    out
}

/// The text of a statement of a function, without its position.
pub fn statement_text(program: &Program, function: &Function, statement: &Statement) -> String {
    let names = Names::new(program);
    let mut out = String::new();
    Body::new(&names, program, function).statement(&mut out, &statement.kind);
    out
}

/// A word as it can be read back, in backquotes where it is no plain word.
pub fn word(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let starts = name
        .bytes()
        .next()
        .is_some_and(|byte| plain(byte) && !byte.is_ascii_digit() && byte != b'.');
    if starts && name.bytes().all(plain) && !is_keyword(name) {
        return name.to_owned();
    }
    let escaped = quote(name);
    format!("`{}`", escaped[1..escaped.len() - 1].replace('`', "\\u{60}"))
}

/// A string in quotes.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            character if character.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// How globals and functions are called: by name where it is theirs alone, else by number.
pub struct Names {
    globals: Vec<String>,
    functions: Vec<String>,
}

impl Names {
    pub fn new(program: &Program) -> Self {
        Names {
            globals: unique(program.globals.iter().map(|global| global.name.as_str()), 'g'),
            functions: unique(
                program.functions.iter().map(|function| function.name.as_str()),
                'f',
            ),
        }
    }

    pub fn global(&self, id: GlobalId) -> String {
        self.globals
            .get(id.index())
            .cloned()
            .unwrap_or_else(|| format!("#{id}"))
    }

    pub fn function(&self, id: FunctionId) -> String {
        self.functions
            .get(id.index())
            .cloned()
            .unwrap_or_else(|| format!("#{id}"))
    }
}

fn unique<'n>(names: impl Iterator<Item = &'n str> + Clone, letter: char) -> Vec<String> {
    let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
    names
        .clone()
        .for_each(|name| *counts.entry(name).or_default() += 1);
    let text = |(index, name): (usize, &str)| match counts.get(name) {
        Some(1) => word(name),
        _ => format!("#{letter}{index}"),
    };
    names.enumerate().map(text).collect()
}

/// Prints what is inside a function.
pub struct Body<'p> {
    names: &'p Names,
    program: &'p Program,
    function: &'p Function,
    variables: Vec<String>,
}

impl<'p> Body<'p> {
    pub fn new(names: &'p Names, program: &'p Program, function: &'p Function) -> Self {
        let variables = unique(
            function.variables.iter().map(|variable| variable.name.as_str()),
            'v',
        );
        Body {
            names,
            program,
            function,
            variables,
        }
    }

    pub fn variable(&self, id: VariableId) -> String {
        self.variables
            .get(id.index())
            .cloned()
            .unwrap_or_else(|| format!("#{id}"))
    }

    fn is_bool(&self, expr: &Expr) -> bool {
        let ty = expr.type_with(&self.program.data_model, &|id| {
            self.function
                .variables
                .get(id)
                .map_or(Type::Pointer, |variable| variable.ty)
        });
        ty == Type::BOOL
    }

    /// ` @12:3`
    pub fn position(&self, out: &mut String, position: Position) {
        position_text(out, position, self.function.position);
    }

    pub fn expr(&self, out: &mut String, expr: &Expr) {
        match expr {
            Expr::Binary(op, left, right) => match name_of(INFIX, *op) {
                Some(symbol) => self.infix(out, left, symbol, right),
                None => self.apply(out, name_of(BINARY_FUNCTIONS, *op).unwrap_or("?"), &[left, right]),
            },
            Expr::PointerAdd(base, offset) => self.infix(out, base, POINTER_ADD, offset),
            Expr::Concat(high, low) => self.infix(out, high, CONCAT, low),
            Expr::Select(condition, then, otherwise) => {
                self.operand(out, condition);
                out.push_str(" ? ");
                self.operand(out, then);
                out.push_str(" : ");
                self.operand(out, otherwise);
            }
            _ => self.operand(out, expr),
        }
    }

    fn infix(&self, out: &mut String, left: &Expr, symbol: &str, right: &Expr) {
        self.operand(out, left);
        let _ = write!(out, " {symbol} ");
        self.operand(out, right);
    }

    fn apply(&self, out: &mut String, name: &str, arguments: &[&Expr]) {
        out.push_str(name);
        self.arguments(out, arguments.iter().copied());
    }

    fn arguments<'e>(&self, out: &mut String, arguments: impl Iterator<Item = &'e Expr>) {
        out.push('(');
        for (index, argument) in arguments.enumerate() {
            out.push_str(if index == 0 { "" } else { ", " });
            self.expr(out, argument);
        }
        out.push(')');
    }

    /// An expression where an operand may stand.
    fn operand(&self, out: &mut String, expr: &Expr) {
        match expr {
            Expr::Int(value) if value.width() == 1 => {
                out.push_str(if value.is_zero() { "false" } else { "true" });
            }
            Expr::Int(value) => {
                let _ = write!(out, "{}i{}", value.to_signed_decimal(), value.width());
            }
            Expr::Float(value) => out.push_str(&float_text(*value)),
            Expr::Null => out.push_str("null"),
            Expr::GlobalAddress(id) => {
                let _ = write!(out, "&{}", self.names.global(*id));
            }
            Expr::FunctionAddress(id) => {
                let _ = write!(out, "function({})", self.names.function(*id));
            }
            Expr::Variable(id) => out.push_str(&self.variable(*id)),
            Expr::Unary(UnaryOp::Not, operand) => {
                self.prefix(out, if self.is_bool(operand) { "!" } else { "~" }, operand)
            }
            Expr::Unary(UnaryOp::Neg, operand) => self.prefix(out, "-", operand),
            Expr::Unary(UnaryOp::FNeg, operand) => self.prefix(out, "-.", operand),
            Expr::Unary(op, operand) => {
                self.apply(out, name_of(UNARY_FUNCTIONS, *op).unwrap_or("?"), &[operand])
            }
            Expr::Binary(op, left, right) if name_of(INFIX, *op).is_none() => {
                self.apply(out, name_of(BINARY_FUNCTIONS, *op).unwrap_or("?"), &[left, right]);
            }
            Expr::Fma(a, b, c) => self.apply(out, "fma", &[a, b, c]),
            Expr::Cast(op, operand, ty) => {
                let name = format!("{}<{}>", name_of(CASTS, *op).unwrap_or("?"), type_text(*ty));
                self.apply(out, &name, &[operand]);
            }
            Expr::ObjectSize(operand) => self.apply(out, "object_size", &[operand]),
            Expr::PointerOffset(operand) => self.apply(out, "pointer_offset", &[operand]),
            Expr::SameObject(left, right) => self.apply(out, "same_object", &[left, right]),
            Expr::Extract { high, low, value } => {
                self.operand(out, value);
                let _ = write!(out, "[{high}:{low}]");
            }
            Expr::Binary(..) | Expr::PointerAdd(..) | Expr::Concat(..) | Expr::Select(..) => {
                out.push('(');
                self.expr(out, expr);
                out.push(')');
            }
        }
    }

    /// A prefix operator; only a name stands behind it without parentheses.
    fn prefix(&self, out: &mut String, symbol: &str, operand: &Expr) {
        out.push_str(symbol);
        match operand {
            Expr::Variable(_) => self.operand(out, operand),
            _ => {
                out.push('(');
                self.expr(out, operand);
                out.push(')');
            }
        }
    }

    pub fn statement(&self, out: &mut String, kind: &StatementKind) {
        use StatementKind::*;
        match kind {
            Assign { target, value } => {
                self.target(out, *target);
                self.expr(out, value);
            }
            Load {
                target,
                address,
                align,
                volatile,
                checks,
            } => {
                self.target(out, *target);
                out.push('*');
                self.dereference(
                    out,
                    self.function.variables.get(*target).map(|variable| variable.ty),
                    address,
                );
                access_suffix(out, *align, *volatile);
                checks_suffix(out, *checks);
            }
            Store {
                address,
                value,
                ty,
                align,
                volatile,
                checks,
            } => {
                out.push('*');
                self.dereference(out, Some(*ty), address);
                out.push_str(" = ");
                self.expr(out, value);
                access_suffix(out, *align, *volatile);
                checks_suffix(out, *checks);
            }
            StackObject { target, size, site } => {
                self.target(out, *target);
                self.apply(out, "stack", &[size]);
                let _ = write!(out, " {site}");
            }
            EndObject { pointer } => self.apply(out, "end", &[pointer]),
            HeapObject {
                target,
                size,
                zeroed,
                site,
            } => {
                self.target(out, *target);
                self.apply(out, "heap", &[size]);
                let _ = write!(out, "{} {site}", if *zeroed { " zeroed" } else { "" });
            }
            Free { pointer, check } => {
                self.apply(out, "free", &[pointer]);
                check_suffix(out, "check", *check);
            }
            CopyMemory {
                target,
                source,
                length,
                overlap,
                checks,
            } => {
                self.apply(
                    out,
                    if *overlap { "memmove" } else { "memcpy" },
                    &[target, source, length],
                );
                checks_suffix(out, *checks);
            }
            SetMemory {
                target,
                value,
                length,
                checks,
            } => {
                self.apply(out, "memset", &[target, value, length]);
                checks_suffix(out, *checks);
            }
            Call {
                results,
                callee,
                arguments,
                check,
            } => self.call(out, results, callee, arguments, *check),
            Nondet { target, source } => {
                self.target(out, *target);
                let (word, name) = source_text(source);
                let _ = write!(out, "nondet {word}");
                if let Some(name) = name {
                    let _ = write!(out, " {}", quote(name));
                }
            }
            Math {
                target,
                function,
                arguments,
            } => {
                self.target(out, *target);
                let _ = write!(out, "math {}", function.name());
                self.arguments(out, arguments.iter());
            }
            Assume { condition } => self.apply(out, "assume", &[condition]),
            Assert { condition, property } => {
                self.apply(out, "assert", &[condition]);
                let _ = write!(out, " {property}");
            }
            SetRounding { mode } => self.apply(out, "set_rounding", &[mode]),
            GetRounding { target } => {
                self.target(out, *target);
                out.push_str("get_rounding()");
            }
            Output {
                target,
                function,
                arguments,
                argument_types,
            } => {
                if let Some(target) = target {
                    self.target(out, *target);
                }
                let _ = write!(out, "output {}", name_of(OUTPUTS, *function).unwrap_or("?"));
                self.arguments(out, arguments.iter());
                let types: Vec<String> = argument_types.iter().map(|&ty| type_text(ty)).collect();
                let _ = write!(out, " as ({})", types.join(", "));
            }
            Stop { reason, status } => {
                let _ = write!(out, "stop {}", name_of(STOPS, *reason).unwrap_or("?"));
                if let Some(status) = status {
                    self.arguments(out, std::iter::once(status));
                }
            }
            Unsupported { what } => {
                let _ = write!(out, "unsupported {}", quote(what));
            }
            Note { variable } => {
                let _ = write!(out, "note {}", self.variable(*variable));
            }
        }
    }

    fn target(&self, out: &mut String, target: VariableId) {
        let _ = write!(out, "{} = ", self.variable(target));
    }

    fn dereference(&self, out: &mut String, ty: Option<Type>, address: &Expr) {
        out.push_str(&ty.map_or_else(|| "?".to_owned(), type_text));
        self.arguments(out, std::iter::once(address));
    }

    fn call(
        &self,
        out: &mut String,
        results: &[VariableId],
        callee: &Callee,
        arguments: &[Expr],
        check: Option<crate::PropertyId>,
    ) {
        match results {
            [] => {}
            [result] => self.target(out, *result),
            _ => {
                let names: Vec<String> = results.iter().map(|&result| self.variable(result)).collect();
                let _ = write!(out, "({}) = ", names.join(", "));
            }
        }
        out.push_str("call ");
        match callee {
            Callee::Direct(function) => out.push_str(&self.names.function(*function)),
            Callee::Indirect(pointer) => self.apply(out, "*", &[pointer]),
        }
        self.arguments(out, arguments.iter());
        check_suffix(out, "check", check);
    }
}

/// ` @12:3`, ` @f2:12:3`, or nothing.
pub fn position_text(out: &mut String, position: Position, base: Position) {
    if position == Position::default() {
    } else if position.file == base.file {
        let _ = write!(out, " @{}:{}", position.line, position.column);
    } else {
        let _ = write!(
            out,
            " @f{}:{}:{}",
            position.file.index(),
            position.line,
            position.column
        );
    }
}

/// A float as a decimal if that gives its bits, else by its bits.
fn float_text(value: Float) -> String {
    let bits = value.format().bits();
    let decimal = value.to_decimal();
    let plain =
        value.is_finite() && Float::parse(&decimal, value.format(), RoundingMode::NearestEven) == Some(value);
    match plain {
        true => format!("{decimal}f{bits}"),
        false => format!("f{bits}:{:#x}", value.raw_bits()),
    }
}

fn access_suffix(out: &mut String, align: u32, volatile: bool) {
    let _ = write!(out, " align {align}");
    out.push_str(if volatile { " volatile" } else { "" });
}

fn checks_suffix(out: &mut String, checks: AccessChecks) {
    check_suffix(out, "pointer", checks.pointer);
    check_suffix(out, "uninitialised", checks.uninitialised);
}

fn check_suffix(out: &mut String, word: &str, property: Option<crate::PropertyId>) {
    if let Some(property) = property {
        let _ = write!(out, " {word} {property}");
    }
}
