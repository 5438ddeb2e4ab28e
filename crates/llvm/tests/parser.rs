//! The parser against real compilers: everything that clang 14 and clang 19 emit for the programs in
//! `tests/inputs` and for csmith's, for several targets; and against broken text.

mod compilers;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use kripke_llvm::Error;
use kripke_llvm::clang::{Clang, CompileOptions, Source};
use kripke_llvm::ir::{
    Constant, ConstantExpression, Function, Instruction, InstructionKind, Metadata, Module, Value,
};
use kripke_llvm::parser::parse;
use kripke_llvm::translate::{TranslateOptions, translate};
use kripke_llvm::verify::verify;

/// The compilers that are installed; the tests want two, and insist on one.
fn compilers() -> Vec<Clang> {
    let names = compilers::both();
    let found: Vec<Clang> = names
        .iter()
        .filter_map(|name| Clang::find(Some(Path::new(name))).ok())
        .collect();
    if found.is_empty() {
        vec![Clang::find(None).expect("clang is installed")]
    } else {
        found
    }
}

fn inputs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs");
    let entries = std::fs::read_dir(directory).expect("the inputs are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

fn compile(clang: &Clang, path: &Path, arguments: &[&str], target: Option<&str>) -> Vec<u8> {
    let options = CompileOptions {
        target: target.map(str::to_owned),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        ..CompileOptions::default()
    };
    let compiled = clang.compile(&Source::new(path), &options);
    let messages = String::from_utf8_lossy(&compiled.messages).into_owned();
    compiled
        .text
        .unwrap_or_else(|error| panic!("{error}: {messages}"))
}

/// Parses, and checks that all names that functions use are defined and that types agree.
fn check(text: &[u8], name: &str) -> Module {
    let module = parse(text, name).unwrap_or_else(|error| panic!("{error}"));
    verify(&module, name).unwrap_or_else(|error| panic!("{error}"));
    for function in &module.functions {
        check_names(function, name);
    }
    for node in module.functions.iter().filter_map(|function| function.debug) {
        assert!(module.metadata.contains_key(&node), "{name}: !{node} is missing");
    }
    module
}

fn check_names(function: &Function, file: &str) {
    let mut names: HashSet<&str> = function
        .parameters
        .iter()
        .map(|parameter| &*parameter.name)
        .collect();
    let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
    for result in instructions().filter_map(|instruction| instruction.result.as_deref()) {
        assert!(
            names.insert(result),
            "{file}: %{result} defined twice in {}",
            function.name
        );
    }
    let labels: HashSet<&str> = function.blocks.iter().map(|block| &*block.label).collect();
    for instruction in instructions() {
        for operand in operands(instruction) {
            if let Value::Local(name) = operand {
                assert!(
                    names.contains(&**name),
                    "{file}: %{name} is undefined in {}",
                    function.name
                );
            }
        }
        for label in targets(instruction) {
            assert!(
                labels.contains(label),
                "{file}: no block {label} in {}",
                function.name
            );
        }
    }
}

fn operands(instruction: &Instruction) -> Vec<&Value> {
    match &instruction.kind {
        InstructionKind::Load { pointer, .. } => vec![pointer],
        InstructionKind::Store { value, pointer, .. } => vec![value, pointer],
        InstructionKind::GetElementPointer { base, indices, .. } => std::iter::once(&base.1)
            .chain(indices.iter().map(|(_, value)| value))
            .collect(),
        InstructionKind::Binary { left, right, .. } | InstructionKind::Compare { left, right, .. } => {
            vec![left, right]
        }
        InstructionKind::Cast { value, .. }
        | InstructionKind::FNeg { value, .. }
        | InstructionKind::Freeze { value, .. } => vec![value],
        InstructionKind::Phi { incoming, .. } => incoming.iter().map(|(value, _)| value).collect(),
        InstructionKind::Call(call) => {
            let arguments = call.arguments.iter().map(|argument| &argument.value);
            std::iter::once(&call.callee).chain(arguments).collect()
        }
        InstructionKind::DebugDeclare { address, .. } => vec![address],
        InstructionKind::Return(Some((_, value))) => vec![value],
        InstructionKind::ConditionalBranch { condition, .. } => vec![condition],
        InstructionKind::Switch { value, .. } => vec![&value.1],
        InstructionKind::ExtractValue { aggregate, .. } => vec![&aggregate.1],
        InstructionKind::InsertValue { aggregate, value, .. } => vec![&aggregate.1, &value.1],
        InstructionKind::Select {
            condition,
            then,
            otherwise,
        } => vec![&condition.1, &then.1, &otherwise.1],
        _ => Vec::new(),
    }
}

fn targets(instruction: &Instruction) -> Vec<&str> {
    match &instruction.kind {
        InstructionKind::Branch { target } => vec![target],
        InstructionKind::ConditionalBranch { then, otherwise, .. } => vec![then, otherwise],
        InstructionKind::Switch { default, cases, .. } => std::iter::once(&**default)
            .chain(cases.iter().map(|(_, label)| &**label))
            .collect(),
        InstructionKind::Phi { incoming, .. } => incoming.iter().map(|(_, label)| &**label).collect(),
        _ => Vec::new(),
    }
}

/// What the parser kept as text.
fn unknown(module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    for instruction in blocks.flat_map(|block| &block.instructions) {
        if let InstructionKind::Unknown { text, .. } = &instruction.kind {
            found.push(text.clone());
        }
        for operand in operands(instruction) {
            if let Value::Constant(constant) = operand {
                unknown_in_constant(constant, &mut found);
            }
        }
    }
    for constant in module
        .globals
        .iter()
        .filter_map(|global| global.initializer.as_ref())
    {
        unknown_in_constant(constant, &mut found);
    }
    found
}

fn unknown_in_constant(constant: &Constant, found: &mut Vec<String>) {
    match constant {
        Constant::Aggregate(elements) => {
            elements
                .iter()
                .for_each(|(_, element)| unknown_in_constant(element, found));
        }
        Constant::Expression(expression) => match &**expression {
            ConstantExpression::Unknown(text) => found.push(text.clone()),
            ConstantExpression::Cast { value, .. } => unknown_in_constant(value, found),
            ConstantExpression::GetElementPointer { base, .. } => unknown_in_constant(&base.1, found),
            _ => {}
        },
        _ => {}
    }
}

#[test]
fn everything_plain_c_needs_is_known() {
    for clang in compilers() {
        for path in inputs() {
            let module = check(&compile(&clang, &path, &["-w"], None), &path.to_string_lossy());
            let expected = if path.ends_with("unsupported.c") { 2 } else { 0 };
            assert_eq!(
                unknown(&module).len(),
                expected,
                "{}: {:?}",
                path.display(),
                unknown(&module)
            );
        }
    }
}

#[test]
fn optimised_code_is_read() {
    for clang in compilers() {
        for path in inputs() {
            let arguments = ["-w", "-Xclang", "-O2", "-ffast-math"];
            let module = check(&compile(&clang, &path, &arguments, None), &path.to_string_lossy());
            assert!(!module.functions.is_empty());
        }
    }
}

#[test]
fn other_targets() {
    let portable = [
        "arrays.c",
        "control.c",
        "bit_fields.c",
        "debug_types.c",
        "variadic.c",
    ];
    for clang in compilers() {
        for target in [
            "avr",
            "thumbv6m-none-eabi",
            "riscv32-unknown-elf",
            "aarch64-none-elf",
            "powerpc-none-eabi",
        ] {
            for path in inputs() {
                if !portable.iter().any(|name| path.ends_with(name)) {
                    continue;
                }
                let module = check(
                    &compile(&clang, &path, &["-w"], Some(target)),
                    &path.to_string_lossy(),
                );
                assert_eq!(unknown(&module), [""; 0], "{} for {target}", path.display());
            }
        }
    }
}

#[test]
fn random_programs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("random.c");
    for seed in 1..=6 {
        let generator = Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .current_dir(directory.path())
            .output();
        let Ok(program) = generator else {
            eprintln!("csmith is not installed; its programs are not tried");
            return;
        };
        std::fs::write(&path, program.stdout).expect("writable");
        for clang in compilers() {
            let text = compile(&clang, &path, &["-w", "-I/usr/include/csmith"], None);
            let module = check(&text, "random.c");
            assert_eq!(unknown(&module), [""; 0], "seed {seed}");
        }
    }
}

/// A small generator of pseudo-random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }
}

/// Cuts, repeats, swaps and overwrites pieces.
fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutated = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(mutated.len());
        let end = (at + 1 + random.below(40)).min(mutated.len());
        match random.below(5) {
            0 => drop(mutated.drain(at..end)),
            1 => {
                let piece = mutated[at..end].to_vec();
                let to = random.below(mutated.len());
                mutated.splice(to..to, piece);
            }
            2 => {
                mutated[at] = {
                    const BYTES: &[u8] = b"(){}[]<>,*!%@#\"\\;:=\n\0\xff-09ax";
                    BYTES[random.below(BYTES.len())]
                }
            }
            3 => mutated.truncate(at.max(1)),
            _ => mutated[at] = mutated[at].wrapping_add(1 << random.below(8)),
        }
    }
    mutated
}

#[test]
fn broken_text_is_an_error_and_no_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let options = TranslateOptions::default();
    let mut errors = 0;
    let mut tries = 0;
    for clang in compilers() {
        for path in inputs() {
            let text = compile(&clang, &path, &["-w"], None);
            for _ in 0..60 {
                tries += 1;
                let mutated = parse(&mutate(&text, &mut random), "m.ll");
                let verified = mutated.and_then(|module| verify(&module, "m.ll").map(|()| module));
                if let Err(error) = verified.and_then(|module| translate(&[module], &options)) {
                    errors += 1;
                    if matches!(error, Error::Translate { .. }) {
                        continue;
                    }
                    let Error::Parse { line, column, .. } = error else {
                        panic!("{error}");
                    };
                    assert!(line > 0 && column > 0);
                }
            }
        }
    }
    assert!(errors > tries / 10, "only {errors} of {tries} mutations did harm");
}

#[test]
fn nesting_is_limited() {
    for (open, close) in [("[1 x ", "]"), ("{", "}"), ("<{", "}>"), ("void (", ")")] {
        let text = format!(
            "@x = global {}i32{} zeroinitializer",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        let error = parse(text.as_bytes(), "deep.ll")
            .expect_err("too deep")
            .to_string();
        assert!(error.contains("nested more than"), "{error}");
    }
    let text = format!("@x = global i32 {}1", "bitcast (i32 ".repeat(100_000));
    assert!(parse(text.as_bytes(), "deep.ll").is_err());
    let text = format!("!0 = {}", "!{".repeat(100_000));
    assert!(parse(text.as_bytes(), "deep.ll").is_err());
}

#[test]
fn errors_name_the_place() {
    for (text, expected) in [
        (
            "define i32 @f() {\n  ret i32\n}",
            "t.ll:3:1: cannot read this LLVM IR: expected a value, found `}`",
        ),
        (
            "@x = global i33333333 0",
            "t.ll:1:13: cannot read this LLVM IR: expected a type, found `i33333333 0`",
        ),
        (
            "define void @f() {\n  %x = add i32 1\n  ret void\n}",
            "t.ll:3:3: ",
        ),
        ("define void @f() {\n  %x = add i32 1, 2\n", "t.ll:3:1: "),
        (
            "define void @f() {\nx:\ny:\n  ret void\n}",
            "t.ll:3:1: cannot read this LLVM IR: expected a terminator",
        ),
        (
            "hello",
            "t.ll:1:1: cannot read this LLVM IR: expected a definition, found `hello`",
        ),
        (
            "\n  !0 = !{",
            "t.ll:2:10: cannot read this LLVM IR: expected a metadata field",
        ),
        ("BC\u{c0}\u{de}", "t.ll:1:1: "),
    ] {
        let error = parse(text.as_bytes(), "t.ll")
            .map(|_| ())
            .expect_err(text)
            .to_string();
        assert!(error.starts_with(expected), "{error}\nfor {text}");
    }
}

/// The only function's instructions, as their debug form.
fn instructions(body: &str) -> Vec<Instruction> {
    let text = format!("define i32 @f(i32 %x, ptr %p, i32) {{\n{body}\n}}");
    let module = parse(text.as_bytes(), "t.ll").unwrap_or_else(|error| panic!("{error} in {body}"));
    module.functions[0]
        .blocks
        .iter()
        .flat_map(|block| block.instructions.clone())
        .collect()
}

#[test]
fn newer_and_older_spellings() {
    for line in [
        "%a = add nuw nsw i32 %x, 1",
        "%a = or disjoint i32 %x, 1",
        "%a = zext nneg i32 %x to i64",
        "%a = trunc nuw nsw i32 %x to i8",
        "%a = icmp samesign ult i32 %x, 4",
        "%a = fadd nnan contract reassoc double 1.0, 0x7FF0000000000000",
        "%a = getelementptr inbounds nuw i8, ptr %p, i64 3, !dbg !7",
        "%a = getelementptr inrange(-8, 16) i8, ptr %p, i64 3",
        "%a = call range(i32 0, 5) noundef i32 @g(ptr noundef nonnull align 8 dereferenceable(16) %p, \
         i32 \"k\"=\"v\" 3) #3 [ \"deopt\"(i32 1) ]",
        "%a = call fastcc nofpclass(nan inf) float @g(ptr byval(i32) align 4 %p, ptr sret({ i32, i8 }) \
         captures(none) %p) nounwind memory(none)",
        "%a = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str, i64 0, i64 \
         0), i32 signext %x)",
        "%a = call addrspace(1) i32 bitcast (i32 (...)* @h to i32 (i32)*)(i32 %x)",
        "%a = call i32 asm sideeffect alignstack inteldialect \"nop\", \"=r,~{memory}\"()",
        "%a = musttail call cc 17 i32 @g(ptr %p)",
        "%a = load atomic volatile i32, ptr addrspace(3) %p syncscope(\"agent\") acquire, align 4, !tbaa !3",
        "%a = cmpxchg weak volatile ptr %p, i32 1, i32 2 syncscope(\"x\") acq_rel monotonic, align 4",
        "%a = atomicrmw volatile fadd ptr %p, float 1.0 seq_cst, align 4",
        "%a = alloca inalloca [4 x i32], i32 %x, align 4, addrspace(5), !dbg !3",
        "%a = phi fast float [ 1.0, %3 ], [ 0xH3C00, %3 ], !dbg !3",
        "%a = select nnan i1 true, <2 x half> <half 0xH3C00, half 0xR4000>, <2 x half> splat (half 0xH0000)",
        "%a = shufflevector <2 x i32> poison, <2 x i32> undef, <2 x i32> <i32 0, i32 poison>",
        "%a = bitcast ptr blockaddress(@f, %3) to ptr",
        "%a = ptrtoint ptr dso_local_equivalent @f to i64",
        "%a = va_arg ptr %p, { i64, double }",
        "%a = insertvalue { i32, [2 x i8] } undef, i8 1, 1, 0, !dbg !4",
        "%a = extractelement <vscale x 4 x i32> poison, i64 0",
        "fence syncscope(\"singlethread\") seq_cst",
        "%a = freeze ptr inttoptr (i64 sub (i64 0, i64 ptrtoint (ptr @f to i64)) to ptr)",
    ] {
        let found = instructions(&format!("{line}\n  ret i32 0"));
        assert_eq!(found.len(), 2, "{line}");
        assert!(
            !matches!(found[0].kind, InstructionKind::Unknown { .. }),
            "{line}"
        );
    }
}

#[test]
fn unknown_instructions_keep_their_text() {
    let text = "%r = invoke i32 @g(i32 %x)\n          to label %ok unwind label %bad, !dbg !5\nok:\n  ret \
        i32 \
        0\nbad:\n\
                %pad = landingpad { ptr, i32 }\n          cleanup\n          catch ptr null\n  resume { ptr, \
                i32 } %pad";
    let found = instructions(text);
    let texts: Vec<(&str, &str, bool)> = found
        .iter()
        .filter_map(|instruction| match &instruction.kind {
            InstructionKind::Unknown {
                opcode,
                text,
                terminator,
            } => Some((&**opcode, &text[text.len() - 12..], *terminator)),
            _ => None,
        })
        .collect();
    assert_eq!(
        texts,
        [
            ("invoke", "bad, !dbg !5", true),
            ("landingpad", "tch ptr null", false),
            ("resume", "ptr, i32 } %pad"[3..].trim_start(), true),
        ]
    );
    assert_eq!(found[0].debug, Some(5));
}

#[test]
fn numbers_of_what_has_no_name() {
    let text = "  %4 = add i32 %0, 1\n  call i32 @g()\n  br label %6\n\n  store i32 %5, ptr %p\n  ret i32 0";
    let module = format!("define i32 @f(i32, ptr %p, i32, i32 %q) {{\n{text}\n}}");
    let module = check(module.as_bytes(), "t.ll");
    let labels: Vec<&str> = module.functions[0]
        .blocks
        .iter()
        .map(|block| &*block.label)
        .collect();
    assert_eq!(labels, ["2", "6"]);
}

#[test]
fn top_level() {
    let text = r#"
; a comment with bytes: é
source_filename = "a\22b.c"
target datalayout = "e-m:e"
target triple = "x86_64-pc-linux-gnu"
module asm "line \5Cone"
$any = comdat any
%struct.a = type { i32, %struct.b*, [3 x i8] }
%struct.b = type opaque
%0 = type <{ i8, i64 }>
@"\01quoted name" = external dso_local local_unnamed_addr global i32, align 4
@t = internal thread_local(initialexec) unnamed_addr constant [3 x i8] c"a\00\FF", section "s", comdat, align 1, !dbg !1, !dbg !2
@0 = private addrspace(1) constant { i16, [2 x i8] } { i16 -1, [2 x i8] zeroinitializer }, partition "p", comdat($any), code_model "large" #1
@e = extern_weak global i8
@w = weak_odr hidden global ptr null, no_sanitize_address, align 8
@al = weak dso_local alias i32 (i32), i32 (i32)* @f
@al2 = hidden unnamed_addr alias i8, getelementptr (i8, ptr @t, i64 1)
@if = dso_local ifunc i32 (), ptr @resolver
declare !dbg !5 extern_weak noundef signext i32 @d(ptr noundef, ...) local_unnamed_addr addrspace(1) #0 align 16
define linkonce_odr hidden fastcc noalias ptr @f(ptr noalias sret(%struct.a) align 8 %agg.result, i32 zeroext %1) unnamed_addr #0 section "x" comdat($any) align 2 gc "statepoint" prefix i32 1 personality ptr @p !dbg !6 !prof !{!"a", i32 1} {
  ret ptr null
  uselistorder i32 %1, { 1, 0 }
}
attributes #0 = { noreturn nounwind "frame-pointer"="all" allocsize(0) memory(none) alignstack=4 }
attributes #1 = { "x" }
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"wchar_size", i32 4, null, ptr @f, !{!1}}
!1 = distinct !DIGlobalVariable(name: "x\0A", scope: null, flags: DIFlagA | DIFlagB, value: 170141183460469231731687303715884105727, extraData: i64 0, elements: !{}, expr: !DIExpression(DW_OP_plus_uconst, 8))
^0 = module: (path: "x", hash: (0, 0))
uselistorder_bb @f, %x, { 1, 0 }
"#;
    let module = parse(text.as_bytes(), "t.ll").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.source_filename, "a\"b.c");
    assert_eq!(module.module_assembly, ["line \\one"]);
    assert_eq!(module.types.len(), 3);
    let globals: Vec<(&str, bool, usize)> = module
        .globals
        .iter()
        .map(|global| (&*global.name, global.initializer.is_some(), global.debug.len()))
        .collect();
    assert_eq!(
        globals,
        [
            ("quoted name", false, 0),
            ("t", true, 2),
            ("0", true, 0),
            ("e", false, 0),
            ("w", true, 0),
        ]
    );
    assert_eq!(
        module.globals[1].initializer,
        Some(Constant::Bytes(b"a\0\xff".as_slice().into()))
    );
    assert_eq!(module.aliases.len(), 3);
    assert_eq!(module.functions.len(), 2);
    assert!(module.functions[0].variadic && module.functions[1].parameters[0].sret.is_some());
    assert!(
        module
            .functions
            .iter()
            .all(|function| function.attributes.iter().any(|word| &**word == "noreturn"))
    );
    assert_eq!(module.functions[1].debug, Some(6));
    assert!(matches!(&module.metadata[&0], Metadata::Tuple(fields) if fields.len() == 6));
    assert_eq!(module.metadata[&1].kind(), "DIGlobalVariable");
}
