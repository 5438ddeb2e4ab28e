//! Whether modules fit together, and what they still lack.
//!
//! Idea: the modules stay separate, since metadata numbers and type names belong to a module; the
//! translation resolves names among them. Here is checked what a linker would complain about: two
//! definitions of one name, different machines, declarations that disagree.
//!
//! Invariant: after [`check`] every external name has at most one strong definition outside the models of
//! the C library, and all modules have one data layout.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::ir::{Function, Linkage, Module, Type};

/// A symbol that other modules see.
#[derive(Clone, Copy)]
struct Seen<'m> {
    module: usize,
    shape: Shape<'m>,
    strong: bool,
    defined: bool,
}

#[derive(Clone, Copy)]
enum Shape<'m> {
    Function(&'m Function),
    Variable(&'m Type),
    Alias,
}

/// Checks the program's modules against each other; returns warnings.
pub fn check(modules: &[Module]) -> Result<Vec<String>, Error> {
    let mut warnings = Vec::new();
    check_machine(modules)?;
    let mut symbols: FxHashMap<&str, Seen> = FxHashMap::default();
    for (index, module) in modules
        .iter()
        .enumerate()
        .filter(|(_, module)| !module.is_library_model)
    {
        for (name, new) in visible_symbols(index, module) {
            let Some(old) = symbols.get_mut(name) else {
                symbols.insert(name, new);
                continue;
            };
            if old.strong && new.strong {
                return Err(duplicate(name, modules, old.module, index));
            }
            if let Some(difference) = difference(old, &new) {
                warnings.push(format!(
                    "`{name}` is {difference} in {} and {}",
                    modules[old.module].source_filename, module.source_filename
                ));
            }
            if (new.strong, new.defined) > (old.strong, old.defined) {
                *old = new;
            }
        }
    }
    Ok(warnings)
}

fn duplicate(name: &str, modules: &[Module], first: usize, second: usize) -> Error {
    let remedy = if name == "main" {
        "; check one program at a time"
    } else {
        ""
    };
    Error::Link {
        message: format!(
            "`{name}` is defined in both {} and {}{remedy}",
            modules[first].source_filename, modules[second].source_filename
        ),
    }
}

fn check_machine(modules: &[Module]) -> Result<(), Error> {
    let Some(first) = modules.first() else {
        return Ok(());
    };
    match modules
        .iter()
        .find(|module| module.data_layout != first.data_layout)
    {
        Some(other) => Err(Error::Link {
            message: format!(
                "{} is compiled for {}, but {} for {}; compile all files for one target (--target)",
                first.source_filename, first.triple, other.source_filename, other.triple
            ),
        }),
        None => Ok(()),
    }
}

fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}

/// A definition that may not be repeated.
fn is_strong(linkage: Linkage) -> bool {
    linkage == Linkage::External
}

fn visible_symbols(index: usize, module: &Module) -> impl Iterator<Item = (&str, Seen<'_>)> {
    let functions = module
        .functions
        .iter()
        .filter(|function| !is_local(function.linkage));
    let functions = functions
        .filter(|function| !function.name.starts_with("llvm."))
        .map(move |function| {
            let defined = !function.blocks.is_empty();
            let seen = Seen {
                module: index,
                shape: Shape::Function(function),
                strong: defined && is_strong(function.linkage),
                defined,
            };
            (&*function.name, seen)
        });
    let globals = module
        .globals
        .iter()
        .filter(|global| !is_local(global.linkage))
        .map(move |global| {
            let defined = global.initializer.is_some();
            let seen = Seen {
                module: index,
                shape: Shape::Variable(&global.ty),
                strong: defined && is_strong(global.linkage),
                defined,
            };
            (&*global.name, seen)
        });
    let aliases = module
        .aliases
        .iter()
        .filter(|alias| !is_local(alias.linkage))
        .map(move |alias| {
            let seen = Seen {
                module: index,
                shape: Shape::Alias,
                strong: is_strong(alias.linkage),
                defined: true,
            };
            (&*alias.name, seen)
        });
    functions.chain(globals).chain(aliases)
}

/// How two declarations of one name disagree in a way that matters.
fn difference(a: &Seen, b: &Seen) -> Option<&'static str> {
    match (a.shape, b.shape) {
        (Shape::Function(_), Shape::Variable(_)) | (Shape::Variable(_), Shape::Function(_)) => {
            Some("a function and a variable")
        }
        (Shape::Function(a), Shape::Function(b)) => {
            // `int f();` says nothing about the parameters.
            let unspecified = |function: &Function| function.variadic && function.parameters.is_empty();
            if unspecified(a) || unspecified(b) {
                return None;
            }
            let parameters = |function: &Function| function.parameters.len();
            let types_differ = || {
                let pairs = a.parameters.iter().zip(&b.parameters);
                pairs.into_iter().any(|(a, b)| scalars_differ(&a.ty, &b.ty))
            };
            let differ = parameters(a) != parameters(b)
                || a.variadic != b.variadic
                || scalars_differ(&a.result, &b.result)
                || types_differ();
            differ.then_some("declared with different parameters or results")
        }
        (Shape::Variable(a), Shape::Variable(b)) => {
            scalars_differ(a, b).then_some("declared with different types")
        }
        _ => None,
    }
}

/// True for scalars of different kind or width; named and composite types belong to their modules and
/// cannot be compared by name.
fn scalars_differ(a: &Type, b: &Type) -> bool {
    let is_scalar = |ty: &Type| !matches!(ty, Type::Array(..) | Type::Struct { .. } | Type::Named(_));
    is_scalar(a) && is_scalar(b) && a != b
}

/// Does a module define a name for others?
pub fn defines(module: &Module, name: &str) -> bool {
    visible_symbols(0, module).any(|(seen, symbol)| seen == name && symbol.defined)
}

/// Does a name stand for another in a module?
pub fn is_alias(module: &Module, name: &str) -> bool {
    module.aliases.iter().any(|alias| &*alias.name == name)
}

/// The external names that are used but not defined in any module, intrinsics left out.
pub fn undefined(modules: &[Module]) -> BTreeSet<String> {
    let mut defined: BTreeSet<&str> = BTreeSet::new();
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for (index, module) in modules.iter().enumerate() {
        for (name, seen) in visible_symbols(index, module) {
            if seen.defined {
                defined.insert(name);
            } else {
                declared.insert(name);
            }
        }
    }
    declared
        .difference(&defined)
        .map(|&name| name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser;

    fn check_texts(texts: &[&str]) -> Result<Vec<String>, String> {
        let modules: Vec<Module> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let text = format!("source_filename = \"{index}.c\"\n{text}");
                parser::parse(text.as_bytes(), "test.ll").expect("well formed")
            })
            .collect();
        check(&modules).map_err(|error| error.to_string())
    }

    #[test]
    fn duplicates() {
        let function = "define i32 @f() {\n  ret i32 0\n}";
        let error = check_texts(&[function, function]).expect_err("two definitions");
        assert_eq!(error, "`f` is defined in both 0.c and 1.c");
        let weak = "define weak i32 @f() {\n  ret i32 0\n}";
        assert_eq!(check_texts(&[function, weak, weak]), Ok(vec![]));
        let tentative = "@x = common global i32 0";
        assert_eq!(
            check_texts(&[tentative, "@x = global i32 1", tentative]),
            Ok(vec![])
        );
        let private = "@x = internal global i32 0";
        assert_eq!(check_texts(&["@x = global i32 1", private, private]), Ok(vec![]));
        assert!(check_texts(&["@x = global i32 1", "@x = global i32 1"]).is_err());
    }

    #[test]
    fn disagreements() {
        let warnings = check_texts(&["declare i32 @f(i32)", "define i64 @f(i32 %x) {\n  ret i64 0\n}"]);
        assert_eq!(warnings.map(|warnings| warnings.len()), Ok(1));
        let warnings = check_texts(&["declare i32 @f(...)", "define i64 @f(i32 %x) {\n  ret i64 0\n}"]);
        assert_eq!(warnings, Ok(vec![]));
        let warnings = check_texts(&["@x = external global i32", "@x = global i16 1"]);
        assert_eq!(
            warnings,
            Ok(vec![
                "`x` is declared with different types in 0.c and 1.c".to_owned()
            ])
        );
    }

    #[test]
    fn machines() {
        let error = check_texts(&[
            "target datalayout = \"e-p:16:8\"\ntarget triple = \"avr\"",
            "target datalayout = \"e\"\ntarget triple = \"x86_64-pc-linux-gnu\"",
        ]);
        let error = error.expect_err("two machines");
        assert!(error.contains("avr") && error.contains("--target"), "{error}");
    }

    #[test]
    fn undefined_names() {
        let module = parser::parse(
            b"declare ptr @malloc(i64)\ndeclare void @llvm.trap()\n@e = external global i32\ndeclare void \
             @g()",
            "a.ll",
        );
        let other = parser::parse(b"define void @g() {\n  ret void\n}", "b.ll");
        let modules = [module.expect("well formed"), other.expect("well formed")];
        assert_eq!(Vec::from_iter(undefined(&modules)), ["e", "malloc"]);
    }
}
