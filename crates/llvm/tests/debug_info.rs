//! Names, types and positions from what clang writes about `tests/inputs/debug_types.c`.

mod compilers;

use std::path::Path;

use kripke_elts::{CType, CTypeId, Encoding};
use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::debug_info::{DebugInfo, SourceTables};
use kripke_llvm::ir::{InstructionKind, Module};
use kripke_llvm::parser::parse;

/// Runs the check on what each installed compiler emits.
fn check(test: impl Fn(&Module)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs/debug_types.c");
    let options = CompileOptions {
        arguments: vec!["-w".to_owned()],
        ..CompileOptions::default()
    };
    let named = compilers::both().map(|name| Clang::find(Some(Path::new(name))).ok());
    let mut compilers: Vec<Clang> = named.into_iter().flatten().collect();
    if compilers.is_empty() {
        compilers.push(Clang::find(None).expect("clang is installed"));
    }
    for clang in compilers {
        let text = clang
            .compile(&Source::new(&path), &options)
            .text
            .expect("it compiles");
        test(&parse(&text, "debug_types.ll").expect("it parses"));
    }
}

/// The type as C writes it, pointers followed once.
fn describe(tables: &SourceTables, id: CTypeId, depth: u32) -> String {
    let inner = |id| describe(tables, id, depth + 1);
    match &tables.c_types[id] {
        CType::Void => "void".to_owned(),
        CType::Base { name, bits, encoding } => {
            assert_eq!(
                *encoding == Encoding::Float,
                name.contains("double") || name.contains("float")
            );
            format!("{name}:{bits}")
        }
        CType::Pointer { to } if depth < 3 => format!("{}*", inner(*to)),
        CType::Pointer { .. } => "…*".to_owned(),
        CType::Record {
            name,
            union,
            bytes,
            members,
        } => {
            let kind = if *union { "union" } else { "struct" };
            if depth > 2 {
                return format!("{kind} {name}");
            }
            let member = |member: &kripke_elts::Member| {
                let bits = if member.bit_field {
                    format!(":{}", member.bits)
                } else {
                    String::new()
                };
                format!(
                    "{} {}@{}{bits}",
                    inner(member.c_type),
                    member.name,
                    member.bit_offset
                )
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{kind} {name}({bytes}) {{{}}}", members.join("; "))
        }
        CType::Array { element, count } => format!("{}[{count}]", inner(*element)),
        CType::Enum {
            name, signed, values, ..
        } => format!("enum {name} signed={signed} {values:?}"),
        CType::Typedef { name, .. } if depth > 0 => name.clone(),
        CType::Typedef { of, .. } => inner(*of),
        CType::Qualified { qualifier, of } => format!("{qualifier} {}", inner(*of)),
        CType::Function => "function".to_owned(),
    }
}

#[test]
fn globals_and_types() {
    check(|module| {
        let mut tables = SourceTables::new("main.c");
        let mut debug = DebugInfo::new(module);
        let head = module
            .globals
            .iter()
            .find(|global| &*global.name == "head")
            .expect("it is used");
        let head = debug
            .global(&head.debug, &mut tables)
            .expect("it has debug information");
        assert_eq!(
            (head.name.as_str(), head.position.line, head.function),
            ("head", 15, None)
        );
        assert!(
            tables.files[head.position.file]
                .path
                .ends_with("tests/inputs/debug_types.c")
        );
        let expected = "struct list(96) {list* next@0; const volatile byte flags@64:3; \
            unsigned int:32 rest@67:5; enum mode signed=true [(\"OFF\", 0), (\"ON\", 5), (\"NEGATIVE\", -1)] \
            mode@96; \
            double:64[3][2] grid@128; union (4) {int:32 number@0; float:32 real@0} u@512; function* \
            callback@576; \
            void* data@640; struct incomplete* hidden@704}";
        let mut found = describe(&tables, head.c_type, 1);
        if let CType::Typedef { of, .. } = &tables.c_types[head.c_type] {
            found = describe(&tables, *of, 1);
        }
        assert_eq!(found, expected);
    });
}

#[test]
fn static_locals_know_their_function() {
    check(|module| {
        let mut tables = SourceTables::new("main.c");
        let mut debug = DebugInfo::new(module);
        let calls = module
            .globals
            .iter()
            .find(|global| &*global.name == "callee.calls")
            .expect("it is used");
        let calls = debug
            .global(&calls.debug, &mut tables)
            .expect("it has debug information");
        assert_eq!(
            (calls.name.as_str(), calls.function.as_deref()),
            ("calls", Some("callee"))
        );
    });
}

#[test]
fn functions_locals_and_positions() {
    check(|module| {
        let mut tables = SourceTables::new("main.c");
        let mut debug = DebugInfo::new(module);
        let callee = module
            .functions
            .iter()
            .find(|function| &*function.name == "callee")
            .expect("defined");
        let function = debug
            .function(callee.debug, &mut tables)
            .expect("it has debug information");
        assert_eq!((function.name.as_str(), function.position.line), ("callee", 18));
        let types: Vec<String> = function
            .parameters
            .iter()
            .map(|&id| describe(&tables, id, 1))
            .collect();
        assert_eq!(types, ["int:32", "byte"]);
        let mut variables = Vec::new();
        for instruction in callee.blocks.iter().flat_map(|block| &block.instructions) {
            if let InstructionKind::DebugDeclare { variable, .. } = instruction.kind {
                let variable = debug.local_variable(variable, &mut tables).expect("a variable");
                variables.push((variable.name, variable.position.line, variable.argument));
            }
        }
        let expected = [
            ("first", 18, Some(1)),
            ("second", 18, Some(2)),
            ("local", 20, None),
            ("local", 21, None),
        ];
        assert_eq!(
            variables,
            expected.map(|(name, line, argument)| (name.to_owned(), line, argument))
        );
        let last = callee
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .last()
            .expect("a return");
        let (path, line, column) = debug.place(last.debug, &mut tables);
        assert!(path.ends_with("debug_types.c"), "{path}");
        assert_eq!((line, column), (22, 5));
        assert_eq!(debug.position(None, &mut tables).line, 0);
    });
}

#[test]
fn odd_metadata_is_unknown_and_no_error() {
    let text = "!0 = !DILocation(line: 3, column: 4, scope: !0)\n!1 = !DIDerivedType(tag: \
        DW_TAG_pointer_type, baseType: !1)\n\
                !2 = !DILocalVariable(name: \"x\", type: !99, scope: !7)\n!3 = !DIDerivedType(tag: \
                DW_TAG_typedef, baseType: !4)\n\
                !4 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !3)\n!5 = !{!5}";
    let module = parse(text.as_bytes(), "t.ll").expect("well formed");
    let mut tables = SourceTables::new("main.c");
    let mut debug = DebugInfo::new(&module);
    assert_eq!(debug.position(Some(0), &mut tables).line, 3);
    let pointer = debug.c_type(1, &mut tables);
    assert_eq!(tables.c_types[pointer], CType::Pointer { to: pointer });
    let variable = debug.local_variable(2, &mut tables).expect("a variable");
    assert_eq!(tables.c_types[variable.c_type], CType::Void);
    debug.c_type(3, &mut tables);
    debug.c_type(5, &mut tables);
    assert!(debug.function(Some(5), &mut tables).is_none() && debug.global(&[5], &mut tables).is_none());
}
