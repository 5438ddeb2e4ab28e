//! Function contracts: what a function requires of its callers, what it assigns, and what it ensures.
//!
//! Idea: the header makes each clause an annotation that holds its text, its file and its line. A unit that
//! has such annotations is compiled once more, through a text that includes it and defines a function for
//! each contract, which is called instead: it evaluates the clauses where the parameters have the values of
//! the call, keeps what `old` asks for, and calls the function itself. So a clause is C that clang reads, in
//! the scope of the file, and the body is executed as if there were no contract.
//!
//! Invariant: a clause has no effect on the program. Its parameters and the result are constants, what it
//! writes and calls is looked at as in an invariant of a loop, and no way leads around the call.
//!
//! Source: CBMC's user documentation, "Function Contracts"; ESBMC's documentation, "Function Contracts".

use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::debug_info::{DebugInfo, SourceTables};
use crate::dialects::{self, literal};
use crate::error::Error;
use crate::ir::{Function, Instruction, InstructionKind, Metadata, MetadataField, Module, OpenCall, Value};
use crate::loader::shortened;

use super::flow::Flow;
use super::scope::Scopes;
use super::tokens::words;
use super::{callee, effects, spelling};

/// The function that others call instead of one with a contract: this and its name.
pub(crate) const CHECKED: &str = "__kripke_contract_";
/// The file in which the debug information says that they stand.
pub(crate) const FILE: &str = "<contract of ";

/// Functions of the translation: what takes the value of a clause, and its text.
pub(super) const REQUIRES: &str = "__kripke_requires";
pub(super) const ENSURES: &str = "__kripke_ensures";
/// What takes the places that are assigned: so many bytes, a whole object, and what of it follows a place.
pub(super) const ASSIGNS: [&str; 3] = [
    "__kripke_assigns",
    "__kripke_assigns_whole",
    "__kripke_assigns_from",
];
/// How far a chain of scopes is followed.
const MAX_SCOPES: usize = 4096;
/// What tools call the value of a variable before the call.
const OLD: [&str; 3] = ["__CPROVER_old", "__ESBMC_old", "__VERIFIER_old"];
/// What they call the result.
const RESULT: [&str; 3] = [
    "__CPROVER_return_value",
    "__ESBMC_return_value",
    "__VERIFIER_return_value",
];

/// What keeps a value from before the call: this and a number.
const KEPT: &str = "kripke_old_";

/// What a clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Requires,
    Assigns,
    Ensures,
}

/// A clause as its annotation has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    kind: Kind,
    line: String,
    file: String,
    /// As it is written.
    written: String,
    /// With the macros of its place expanded.
    pub(super) text: String,
}

/// The functions of a module's contracts as C, for the end of its source; none where it has none.
/// `preprocessed` gives that source.
pub(crate) fn definitions(
    module: &Module,
    preprocessed: impl FnOnce() -> Result<String, Error>,
) -> Result<Option<String>, Error> {
    let mut contracts = Vec::new();
    for function in &module.functions {
        let clauses = clauses(module, function).map_err(|why| refusal(module, function, &why))?;
        contracts.extend((!clauses.is_empty()).then_some((function, clauses)));
    }
    if contracts.is_empty() {
        return Ok(None);
    }
    let scopes = Scopes::of(&preprocessed()?);
    let checks = [REQUIRES, ENSURES].map(|name| format!("void {name}(_Bool, const char *);\n"));
    let assigns = ASSIGNS.map(|name| format!("void {name}(const volatile void *, __typeof__(sizeof 0));\n"));
    let mut text = checks.concat() + &assigns.concat();
    for (function, clauses) in contracts {
        let written = write(module, function, &clauses, &scopes);
        text += &written.map_err(|why| refusal(module, function, &why))?;
    }
    Ok(Some(without_macros(&text) + &text))
}

/// Ends all macros whose names a text mentions: those of the clauses' own places are expanded in it already.
fn without_macros(text: &str) -> String {
    // These the compiler knows by itself.
    let is_macro = |word: &&str| !["_Pragma", "__pragma", "defined"].contains(word);
    let names: BTreeSet<&str> = words(text).filter(is_macro).collect();
    let ends: String = names.into_iter().map(|name| format!("#undef {name}\n")).collect();
    // Whatever a program says of its macros, that they end here is no mistake.
    format!(
        "#pragma clang diagnostic push\n#pragma clang diagnostic ignored \"-Weverything\"\n{ends}\
         #pragma clang diagnostic pop\n"
    )
}

/// Refuses contracts that change what the program does, and notes those that nothing ends for sure, and whom
/// they call.
pub(crate) fn check_wrappers(module: &mut Module) -> Result<(), Error> {
    let (mut unbounded, mut open) = (Vec::new(), Vec::new());
    for function in &module.functions {
        if let Some(name) = wrapped(&function.name)
            && !function.blocks.is_empty()
        {
            let (may_run_on, calls) = check_wrapper(module, function, name)?;
            unbounded.extend(may_run_on.then(|| function.name.clone()));
            open.extend(calls);
        }
    }
    module.unbounded_conditions.extend(unbounded);
    module.open_calls.extend(open);
    Ok(())
}

/// Refuses one whose clauses change something; tells whether they may run on, and whom they call.
fn check_wrapper(module: &Module, wrapper: &Function, name: &str) -> Result<(bool, Vec<OpenCall>), Error> {
    let mut tables = SourceTables::for_module(module);
    let mut debug = DebugInfo::new(module);
    let mut clauses = FxHashSet::default();
    // Parameters get their variables first, which stands nowhere.
    let mut is_prologue = true;
    for (block, code) in wrapper.blocks.iter().enumerate() {
        for (at, instruction) in code.instructions.iter().enumerate() {
            let file = debug.place(instruction.debug, &mut tables).0;
            is_prologue &= instruction.debug.is_none() || file.starts_with(FILE);
            if !is_prologue && !file.starts_with(FILE) {
                clauses.insert((block, at));
            }
        }
    }
    let found = way_around(wrapper, name, &clauses)
        .or_else(|| effects::of_clauses(module, wrapper, &clauses))
        .or_else(|| address_kept(module, wrapper));
    let Some((instruction, what)) = found else {
        // A wrapper has no loop but those of its clauses.
        let all = (0..wrapper.blocks.len()).collect();
        let calls = effects::open_calls(module, wrapper, &clauses).into_iter();
        let calls = calls.map(|(instruction, callee)| OpenCall {
            name: callee.into(),
            place: debug.place(instruction.debug, &mut tables),
            condition: format!("this contract of `{name}`"),
        });
        let calls = calls.collect();
        return Ok((effects::may_run_on(module, wrapper, &clauses, &all), calls));
    };
    let (file, line, column) = debug.place(instruction.debug, &mut tables);
    Err(Error::Contract {
        file: shortened(&file),
        line,
        column,
        message: format!("this contract of `{name}` {what}"),
    })
}

/// An address that is kept from before the call: what an array held is not.
fn address_kept<'m>(module: &Module, wrapper: &'m Function) -> Option<(&'m Instruction, String)> {
    let instructions = || wrapper.blocks.iter().flat_map(|block| &block.instructions);
    let is_kept = |instruction: &Instruction, object: &Value| match &instruction.kind {
        InstructionKind::DebugDeclare {
            address, variable, ..
        } => {
            let node = module.metadata.get(variable);
            let name = node.and_then(|node| spelling::text(node, "name"));
            address == object && name.is_some_and(|name| name.starts_with(KEPT))
        }
        _ => false,
    };
    let is_address = |value: &Value| match value {
        Value::Local(name) => instructions().any(|made| {
            let is_element = matches!(made.kind, InstructionKind::GetElementPointer { .. });
            is_element && made.result.as_ref() == Some(name)
        }),
        Value::Constant(constant) => constant.global().is_some(),
        _ => false,
    };
    let keeps = |instruction: &Instruction| match &instruction.kind {
        InstructionKind::Store { value, pointer, .. } => {
            is_address(value) && instructions().any(|other| is_kept(other, pointer))
        }
        _ => false,
    };
    let found = instructions().find(|instruction| keeps(instruction))?;
    let what = "keeps the address of an array or object, not what it holds: ask for its elements";
    Some((found, what.to_owned()))
}

/// A check or the call of the function itself that a run can pass by: a clause returns.
fn way_around<'m>(
    wrapper: &'m Function,
    name: &str,
    clauses: &FxHashSet<(usize, usize)>,
) -> Option<(&'m Instruction, String)> {
    let flow = Flow::new(wrapper);
    let returns = |block: &usize| {
        let last = wrapper.blocks[*block].instructions.last();
        last.is_some_and(|last| matches!(last.kind, InstructionKind::Return(_)))
    };
    let ends: Vec<usize> = (0..wrapper.blocks.len()).filter(returns).collect();
    // A clause may call the function, too, and need not.
    let is_needed = |block: usize, at: usize, instruction: &Instruction| {
        let is_own = |called: &str| called == name && !clauses.contains(&(block, at));
        callee(&instruction.kind).is_some_and(|called| is_own(called) || takes_clause(called))
    };
    for (index, block) in wrapper.blocks.iter().enumerate() {
        let mut instructions = block.instructions.iter().enumerate();
        let needed = instructions.find(|(at, instruction)| is_needed(index, *at, instruction));
        let needed = needed.map(|(_, instruction)| instruction);
        if let Some(needed) = needed.filter(|_| ends.iter().any(|end| !flow.dominates(index, *end))) {
            return Some((needed, "returns from within a condition".to_owned()));
        }
    }
    None
}

/// Is it a function of the translation that takes what a clause says?
pub(super) fn takes_clause(name: &str) -> bool {
    [REQUIRES, ENSURES].contains(&name) || ASSIGNS.contains(&name)
}

/// Of which function this one checks the contract.
pub(crate) fn wrapped(name: &str) -> Option<&str> {
    name.strip_prefix(CHECKED)
}

/// The clauses of a function with a body: of the annotations on its declarations, then of those in it.
fn clauses(module: &Module, function: &Function) -> Result<Vec<Clause>, String> {
    let mut texts = Vec::new();
    if function.blocks.is_empty() || wrapped(&function.name).is_some() {
        return Ok(Vec::new());
    }
    let annotations = dialects::annotations(module).filter(|(of, _)| *of == &*function.name);
    texts.extend(annotations.map(|(_, text)| text));
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let InstructionKind::Call(call) = &instruction.kind
            && callee(&instruction.kind).is_some_and(|name| name.starts_with("llvm.var.annotation"))
            && let Some(Value::Constant(text)) = call.arguments.get(1).map(|argument| &argument.value)
            && let Some(text) = literal(module, text)
        {
            // What is local there means something else, or nothing, at the end of the file.
            if let Some(local) = locals(module, function).find(|local| mentions(&text, local)) {
                return Err(format!("speaks of `{local}`, which is local to it"));
            }
            texts.push(text);
        }
    }
    let mut clauses = Vec::new();
    for clause in texts.iter().filter_map(|text| Clause::parse(text)) {
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    Ok(clauses)
}

/// The names of what is declared in a function, without its parameters: variables, types and constants. Debug
/// information leaves out types that nothing uses.
fn locals<'m>(module: &'m Module, function: &Function) -> impl Iterator<Item = &'m str> {
    let own = function.debug;
    let is_inside = move |node: &Metadata| {
        let mut scope = spelling::field(node, "scope");
        for _ in 0..MAX_SCOPES {
            match scope {
                Some(found) if Some(found) == own => return true,
                Some(found) => {
                    scope = module
                        .metadata
                        .get(&found)
                        .and_then(|node| spelling::field(node, "scope"))
                }
                None => return false,
            }
        }
        false
    };
    let kinds = [
        "DILocalVariable",
        "DIGlobalVariable",
        "DIDerivedType",
        "DICompositeType",
    ];
    let nodes = module
        .metadata
        .values()
        .filter(move |node| kinds.contains(&node.kind()) && node.field("arg").is_none() && is_inside(node));
    let own_and_constants = nodes.flat_map(|node| [vec![node], spelling::constants(module, node)].concat());
    own_and_constants.filter_map(|node| spelling::text(node, "name"))
}

/// Does a clause of an annotation mention a name?
fn mentions(annotation: &str, name: &str) -> bool {
    let text = annotation.rsplit_once('\n').map_or("", |(_, text)| text);
    let words = text.split(|character| !is_part(character));
    words.into_iter().any(|word| word == name)
}

impl Clause {
    /// `kripke requires LINE FILE`, and on two lines the expression as it is written and with its macros
    /// expanded.
    pub(super) fn parse(annotation: &str) -> Option<Clause> {
        let (head, texts) = annotation.strip_prefix("kripke ")?.split_once('\n')?;
        let (written, text) = texts.split_once('\n')?;
        let mut parts = head.splitn(3, ' ');
        let kind = match parts.next()? {
            "requires" => Kind::Requires,
            "assigns" => Kind::Assigns,
            "ensures" => Kind::Ensures,
            _ => return None,
        };
        Some(Clause {
            kind,
            line: parts.next()?.to_owned(),
            file: parts.next()?.to_owned(),
            written: written.to_owned(),
            text: text.to_owned(),
        })
    }

    /// Is it the same, whatever path leads to its file?
    pub(super) fn is_spelled_as(&self, other: &Clause) -> bool {
        let file = other.file.clone();
        *other == Clause { file, ..self.clone() }
    }

    /// The call that checks it, at its own place in the source.
    fn check(&self, check: &str, expression: &str) -> String {
        let written = quoted(&self.written);
        format!("{}{check}(({expression}), {written});\n", self.place())
    }

    /// The calls that take the places that it names. One that names none is told from none at all.
    fn assigned(&self) -> Result<String, String> {
        let mut calls = format!("{}{}(0, 0);\n", self.place(), ASSIGNS[0]);
        for target in separated(&self.text) {
            calls += &format!("{}{};\n", self.place(), assigned(target)?);
        }
        Ok(calls)
    }

    fn place(&self) -> String {
        format!("#line {} {}\n", self.line, quoted(&self.file))
    }
}

/// The call that takes a place that is assigned: an lvalue, or one of CBMC's functions of a pointer.
fn assigned(target: &str) -> Result<String, String> {
    let [place, whole, from] = ASSIGNS;
    let call = target.split_once('(').map(|(name, inside)| (name.trim(), inside));
    let call = call.filter(|(_, inside)| balanced(inside) == Some(inside.len() - 1));
    let arguments = call.map_or_else(Vec::new, |(_, inside)| separated(&inside[..inside.len() - 1]));
    Ok(match (call.map_or("", |(name, _)| name), &arguments[..]) {
        ("__CPROVER_object_whole", [pointer]) => format!("{whole}(({pointer}), 0)"),
        ("__CPROVER_object_from", [pointer]) => format!("{from}(({pointer}), 0)"),
        ("__CPROVER_object_upto", [pointer, size]) => format!("{place}(({pointer}), ({size}))"),
        ("__CPROVER_typed_target", [inner]) => assigned(inner)?,
        _ if has_condition(target) => return Err("names what it assigns under a condition".to_owned()),
        _ => format!("{place}(&({target}), sizeof({target}))"),
    })
}

/// Does `condition: target` stand in a text, a colon that belongs to no `?`?
fn has_condition(text: &str) -> bool {
    let mut literal = Literal::default();
    let mut open = 0;
    text.chars().any(|character| {
        if literal.step(character) {
            return false;
        }
        open += i32::from(character == '?') - i32::from(character == ':');
        open < 0
    })
}

/// The parts of a list, outside of parentheses; `0` alone is what ESBMC calls nothing.
fn separated(list: &str) -> Vec<&str> {
    let mut literal = Literal::default();
    let (mut depth, mut begin) = (0, 0);
    let mut parts = Vec::new();
    for (at, character) in list.char_indices() {
        if literal.step(character) {
            continue;
        }
        depth += i32::from("([{".contains(character)) - i32::from(")]}".contains(character));
        if depth == 0 && matches!(character, ',' | ';') {
            parts.push(&list[begin..at]);
            begin = at + 1;
        }
    }
    parts.push(&list[begin..]);
    let parts = parts.into_iter().map(str::trim);
    parts.filter(|part| !matches!(*part, "" | "0")).collect()
}

/// A literal of C.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The function of a contract.
fn write(
    module: &Module,
    function: &Function,
    clauses: &[Clause],
    scopes: &Scopes,
) -> Result<String, String> {
    let debug = function.debug.and_then(|debug| module.metadata.get(&debug));
    let node = debug.and_then(|debug| spelling::field(debug, "type"));
    let node = node.and_then(|node| module.metadata.get(&node));
    let types = node.and_then(|node| spelling::signature(module, node));
    let types = types
        .filter(|_| !function.variadic)
        .ok_or("has arguments of unknown number or type")?;
    let (result, parameters) = types.split_first().ok_or("has an unknown type")?;
    let names: Vec<String> = (0..parameters.len())
        .map(|index| parameter_name(module, function, index + 1))
        .collect();
    let means_another = |clause| scopes.refuses(&function.name, clause, &names);
    if let Some(why) = clauses.iter().find_map(means_another) {
        return Err(why);
    }
    let declared = names
        .iter()
        .zip(parameters)
        .map(|(name, ty)| spelling::constant(module, *ty, name));
    let unspeakable = "has a parameter or result whose type has no name";
    let list = match &declared.collect::<Option<Vec<String>>>().ok_or(unspeakable)?[..] {
        [] => "void".to_owned(),
        all => all.join(", "),
    };
    let own = format!("{CHECKED}{}({list})", function.name);
    let head = spelling::declaration(module, *result, &own).ok_or(unspeakable)?;
    let speaks = |clause: &Clause| next_word(&clause.text, &RESULT).is_some();
    if result.is_none() && clauses.iter().any(speaks) {
        return Err("returns nothing, of which the contract speaks".to_owned());
    }
    let body = body(function, clauses, &names, result.is_some())?;
    let file = own_file(function);
    Ok(format!(
        "{file}static __attribute__((used)) {head}\n{{\n{body}}}\n"
    ))
}

/// What follows stands in no file of the user's.
fn own_file(function: &Function) -> String {
    format!("#line 1 \"{FILE}{}>\"\n", function.name)
}

/// What the function of a contract does; `returns` says whether there is a result.
fn body(function: &Function, clauses: &[Clause], names: &[String], returns: bool) -> Result<String, String> {
    let of_kind = |kind: Kind| clauses.iter().filter(move |clause| clause.kind == kind);
    let mut text = String::new();
    for clause in of_kind(Kind::Requires) {
        text += &clause.check(REQUIRES, &clause.text);
    }
    for clause in of_kind(Kind::Assigns) {
        text += &clause.assigned()?;
    }
    let mut kept = Vec::new();
    let ensures = of_kind(Kind::Ensures);
    let checks: Vec<String> = ensures
        .map(|clause| {
            let (expression, old) = without_old(&clause.text, kept.len());
            kept.extend(old.into_iter().map(|old| (old, clause)));
            clause.check(ENSURES, &with_result(&expression))
        })
        .collect();
    for (index, (old, clause)) in kept.iter().enumerate() {
        let _ = writeln!(
            text,
            "{}__extension__ const __auto_type {KEPT}{index} = ((void)0, ({old}));",
            clause.place()
        );
    }
    let result = if returns {
        "__extension__ const __auto_type kripke_result = "
    } else {
        ""
    };
    text += &own_file(function);
    let _ = writeln!(text, "{result}{}({});", function.name, names.join(", "));
    text += &checks.concat();
    text += &own_file(function);
    Ok(text + if returns { "return kripke_result;\n" } else { "" })
}

/// The name of a parameter, from 1; one of our own where it has none.
fn parameter_name(module: &Module, function: &Function, number: usize) -> String {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let name = |node: &Metadata| match node.field("arg") {
        Some(MetadataField::Int(argument)) if *argument == number as i128 => {
            spelling::text(node, "name").map(str::to_owned)
        }
        _ => None,
    };
    let declared = instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::DebugDeclare { variable, .. } => module.metadata.get(variable),
        _ => None,
    });
    let found = { declared }.find_map(name).filter(|name| !name.is_empty());
    found.unwrap_or_else(|| format!("kripke_parameter_{number}"))
}

/// An expression in which each use of a value from before the call is a variable, numbered from `first`, and
/// the expressions of those variables.
fn without_old(text: &str, first: usize) -> (String, Vec<String>) {
    let (mut out, mut found) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, name, after)) = next_word(rest, &OLD) {
        out += before;
        let inside = after.trim_start().strip_prefix('(');
        let Some(length) = inside.and_then(balanced) else {
            out += name;
            rest = after;
            continue;
        };
        let inside = inside.unwrap_or_default();
        let _ = write!(out, "{KEPT}{}", first + found.len());
        found.push(inside[..length].to_owned());
        rest = &inside[length + 1..];
    }
    (out + rest, found)
}

/// An expression in which the result has the name that it has in a wrapper.
fn with_result(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, _, after)) = next_word(rest, &RESULT) {
        out += before;
        out += "kripke_result";
        rest = after;
    }
    out + rest
}

/// The first of some names in a text, outside of literals, with what stands before and behind it.
fn next_word<'t>(text: &'t str, names: &[&'static str]) -> Option<(&'t str, &'static str, &'t str)> {
    let mut literal = Literal::default();
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let in_literal = literal.step(character);
        let begins = !in_literal && !is_part(previous);
        if begins && let Some(name) = names.iter().find(|name| text[at..].starts_with(**name)) {
            let after = &text[at + name.len()..];
            if !after.starts_with(is_part) {
                return Some((&text[..at], name, after));
            }
        }
        previous = character;
    }
    None
}

fn is_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Where the parenthesis is closed that was opened before a text.
fn balanced(text: &str) -> Option<usize> {
    let mut literal = Literal::default();
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        if literal.step(character) {
            continue;
        }
        depth += i32::from(character == '(') - i32::from(character == ')');
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Whether a text of C is inside of a string or a character.
#[derive(Default)]
struct Literal {
    quote: Option<char>,
    escaped: bool,
}

impl Literal {
    /// Takes the next character: does it belong to a literal?
    fn step(&mut self, character: char) -> bool {
        match (self.quote, character) {
            (None, '"' | '\'') => self.quote = Some(character),
            (None, _) => return false,
            (Some(_), _) if self.escaped => self.escaped = false,
            (Some(_), '\\') => self.escaped = true,
            (Some(quote), _) if quote == character => self.quote = None,
            _ => {}
        }
        true
    }
}

/// The text that a constant points to.
fn refusal(module: &Module, function: &Function, why: &str) -> Error {
    let mut tables = SourceTables::for_module(module);
    let debug = DebugInfo::new(module).function(function.debug, &mut tables);
    let position = debug.map(|debug| debug.position).unwrap_or_default();
    let file = tables.files.get(position.file).map_or("", |file| &file.path);
    Error::Contract {
        file: shortened(file),
        line: position.line,
        column: 1,
        message: format!("`{}` has a contract, and it {why}", function.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_from_before_the_call_become_variables() {
        let (text, old) = without_old(
            "r == __CPROVER_old(*(p + 1)) && x_ESBMC_old(3) + __ESBMC_old (q)",
            2,
        );
        assert_eq!(text, "r == kripke_old_2 && x_ESBMC_old(3) + kripke_old_3");
        assert_eq!(old, ["*(p + 1)", "q"]);
    }

    #[test]
    fn literals_are_no_names() {
        let text = "c == ')' && s == \"\\\"__ESBMC_return_value\" && __ESBMC_return_value";
        let expected = "c == ')' && s == \"\\\"__ESBMC_return_value\" && kripke_result";
        assert_eq!(with_result(text), expected);
        assert_eq!(balanced("')' + f(\")\")) + 1"), Some(12));
    }
}
