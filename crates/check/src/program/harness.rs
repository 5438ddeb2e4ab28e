//! A counterexample as a C test harness.
//!
//! Idea: the nondeterministic inputs of a trace, in order, are all that distinguishes the
//! violating run. The harness defines every function whose results were inputs so that it
//! returns the recorded values one after the other, and defines the verification intrinsics
//! (`__VERIFIER_assume`, `reach_error`, …) so that they check and report. Linked with the
//! unchanged program it reproduces the violation under any C compiler.
//!
//! Invariants: every definition is weak, so a program that brings its own wins; values are
//! returned bit for bit (floats through their representation); the same trace always gives
//! the same text. What a C file cannot supply (device registers, uninitialised memory) is
//! listed at its head.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::harness_arguments::CommandLine;
use super::harness_start::StartCode;
use super::harness_turns;
use kripke_model::{Property, PropertyKind, StepKind, Trace};
use kripke_value::MathFunction;

/// What the harness must know beside the trace.
#[derive(Clone, Debug, Default)]
pub struct HarnessOptions {
    /// The program's files, for the instructions at the head.
    pub program_files: Vec<String>,
    /// Options the program was compiled with (`-Iinclude`, `-DDEBUG`).
    pub compiler_options: Vec<String>,
    /// The harness's own file name.
    pub file_name: String,
    /// Functions that are called but defined nowhere; those without an input get an empty definition.
    pub external_functions: Vec<String>,
    /// Where execution starts when that is not `main`: the harness calls it.
    pub entry: Option<String>,
    /// Threads have data of their own by keys.
    pub has_keys: bool,
    /// It was asked whether threads race.
    pub races: bool,
    /// Functions that enable interrupts, or disable them.
    pub controls: Vec<(String, bool)>,
    /// The bits of priorities that the device keeps.
    pub priority_bits: u32,
    /// Handlers may come.
    pub has_handlers: bool,
    /// How the arguments of such an entry are made.
    pub start: Option<StartCode>,
}

/// One recorded result.
struct Recorded<'t> {
    bits: &'t str,
    text: &'t str,
    line: u32,
    /// Which thread read it, or how many handlers ran.
    runner: u32,
}

/// The results of one function, in order.
struct Queue<'t> {
    c_type: String,
    values: Vec<Recorded<'t>>,
}

/// Inputs that no function definition can supply.
#[derive(Default)]
struct Inputs<'t> {
    queues: BTreeMap<&'t str, Queue<'t>>,
    /// What the thread library chose: its function, who called it, and the bits.
    choices: Vec<(&'t str, u32, &'t str)>,
    /// What `main` is called with.
    command_line: CommandLine,
    not_reproduced: Vec<String>,
}

/// Library functions that must stay what they are: replacing them would break the C library itself, or their
/// results come back through pointers.
const KEPT_LIBRARY_FUNCTIONS: &[&str] = &[
    "malloc", "calloc", "realloc", "free", "alloca", "printf", "scanf", "sscanf", "fscanf", "fgets", "gets",
    "fread",
];

/// The harness for a violated property's trace.
pub fn render(property: &Property, trace: &Trace, options: &HarnessOptions) -> String {
    let inputs = collect_inputs((property, trace), options.start.as_ref());
    let mut out = String::new();
    head(&mut out, (property, trace), &inputs, options);
    out.push_str(PRELUDE);
    let turns = has_turns(property, trace);
    if turns {
        out.push_str(&harness_turns::code(
            property,
            &trace.schedule,
            &inputs.choices,
            options,
        ));
    } else {
        out.push_str("\n/* Only one thing runs. */\nstatic void kripke_point(void) {}\n");
    }
    let is_supplied = |name: &str| inputs.queues.contains_key(name);
    let follows_mask = turns && (options.has_handlers || !trace.schedule.has_threads);
    if follows_mask {
        out.push_str(&harness_turns::control_functions(options, is_supplied));
    } else if options.has_handlers {
        out.push_str(&harness_turns::plain_controls(options, is_supplied));
    }
    if !inputs.queues.is_empty() {
        out.push_str(if turns { harness_turns::NEXT } else { NEXT });
    }
    for (name, queue) in &inputs.queues {
        let mut controls = options.controls.iter();
        let control = controls.find(|(control, _)| follows_mask && control == name);
        definition(&mut out, name, queue, (turns, control.map(|control| control.1)));
    }
    empty_definitions(&mut out, &inputs, (options, follows_mask));
    unread_inputs(&mut out, &inputs);
    out.push_str(INTRINSICS);
    if let Some(start) = &options.start {
        let _ = write!(
            out,
            "\n{}\nint main(void) {{\n{}    return 0;\n}}\n",
            start.declarations, start.statements
        );
    } else if let Some(entry) = options.entry.as_deref().filter(|entry| *entry != "main") {
        let _ = write!(
            out,
            "\nextern void {entry}();\n\nint main(void) {{\n    {entry}();\n    return 0;\n}}\n"
        );
    }
    out
}

/// Does more than one thing run side by side in it, or does it end in the thread library?
fn has_turns(property: &Property, trace: &Trace) -> bool {
    let schedule = &trace.schedule;
    let in_library = matches!(
        property.kind,
        PropertyKind::Deadlock | PropertyKind::LibraryContract
    );
    schedule.turns.len() > 1 || !schedule.created.is_empty() || in_library && schedule.has_threads
}

fn collect_inputs<'t>((property, trace): (&Property, &'t Trace), start: Option<&StartCode>) -> Inputs<'t> {
    let mut inputs = Inputs::default();
    let supplied = |index: &usize| start.is_some_and(|start| start.inputs.contains(index));
    let mut runners = trace.schedule.inputs.iter().copied();
    for (index, step) in trace.steps.iter().enumerate() {
        let is_input = matches!(step.kind, StepKind::Input { .. });
        let runner = if is_input { runners.next().unwrap_or(0) } else { 0 };
        if supplied(&index) {
            continue;
        }
        let StepKind::Input {
            source,
            category,
            value,
            machine_type,
        } = &step.kind
        else {
            continue;
        };
        if start.is_none() && category == "input" && step.place.function.starts_with("kripke.") {
            inputs.command_line.note(source, &value.bits);
            continue;
        }
        if category == "library" && has_turns(property, trace) && harness_turns::is_of_threads(source) {
            inputs.choices.push((source, runner, &value.bits));
            continue;
        }
        let kept = category == "library"
            && (KEPT_LIBRARY_FUNCTIONS.contains(&source.as_str()) || is_analysis(source));
        let callable = matches!(category.as_str(), "input" | "external" | "library") && is_identifier(source);
        let c_type = return_type(source, category, &value.type_name, machine_type);
        let (true, false, Some(c_type)) = (callable, kept, c_type) else {
            let what = if source.is_empty() {
                category.as_str()
            } else {
                source.as_str()
            };
            inputs
                .not_reproduced
                .push(format!("{what} = {} at {}", value.text, step.place));
            continue;
        };
        let queue = inputs.queues.entry(source).or_insert_with(|| Queue {
            c_type,
            values: Vec::new(),
        });
        queue.values.push(Recorded {
            bits: &value.bits,
            text: &value.text,
            line: step.place.line,
            runner,
        });
    }
    inputs
}

/// Functions of analysis stay the C library's: the recorded value may be that of a magnitude, before the
/// model gives it its sign.
fn is_analysis(name: &str) -> bool {
    let of_double = name.strip_suffix('f').unwrap_or(name);
    [name, of_double]
        .into_iter()
        .any(|name| MathFunction::from_name(name).is_some())
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Types that can be written without a header.
const PLAIN_TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "unsigned __int128",
    "float",
    "double",
    "long double",
];

/// The C type a recorded function returns: the debug information's where that needs no header, else one of
/// the machine type's size. The suffix of a `nondet` function decides the sign of narrow results.
fn return_type(source: &str, category: &str, type_name: &str, machine_type: &str) -> Option<String> {
    let spelled = match type_name {
        "short int" => "short",
        "unsigned short int" | "short unsigned int" => "unsigned short",
        "unsigned" => "unsigned int",
        "long int" => "long",
        "unsigned long int" | "long unsigned int" => "unsigned long",
        "long long int" => "long long",
        "long long unsigned int" => "unsigned long long",
        "bool" => "_Bool",
        other => other,
    };
    if PLAIN_TYPES.contains(&spelled) {
        return Some(spelled.to_string());
    }
    let signed = category == "library"
        || matches!(
            source.rsplit('_').next(),
            Some("char" | "short" | "int" | "long" | "longlong")
        );
    let by_size = match (machine_type, signed) {
        ("i1", _) => "_Bool",
        ("i8", true) => "signed char",
        ("i8", false) => "unsigned char",
        ("i16", true) => "short",
        ("i16", false) => "unsigned short",
        ("i32", true) => "int",
        ("i32", false) => "unsigned int",
        ("i64", true) => "long long",
        ("i64", false) => "unsigned long long",
        ("i128", _) => "unsigned __int128",
        ("f32", _) => "float",
        ("f64", _) => "double",
        ("f80", _) => "long double",
        ("ptr", _) => "void *",
        _ => return None,
    };
    Some(by_size.to_string())
}

fn head(out: &mut String, (property, trace): (&Property, &Trace), inputs: &Inputs, options: &HarnessOptions) {
    let _ = writeln!(
        out,
        "/* Test harness written by kripke: reproduces the violation of {}",
        property.id
    );
    let _ = writeln!(
        out,
        " *     {} ({})",
        comment(&property.description),
        comment(&property.place.to_string())
    );
    let sanitizer = match property.kind {
        PropertyKind::Assertion => "",
        PropertyKind::FloatCast => {
            " -fsanitize=undefined,address,float-cast-overflow -fno-sanitize-recover=all"
        }
        PropertyKind::Uninitialised => " (clang only) -fsanitize=memory",
        _ => " -fsanitize=undefined,address -fno-sanitize-recover=all",
    };
    let compiler_options: String = options
        .compiler_options
        .iter()
        .map(|option| format!(" {option}"))
        .collect();
    let _ = writeln!(out, " *\n * Compile it with the program and run it:");
    if has_turns(property, trace) {
        let files = (&options.program_files[..], options.file_name.as_str());
        out.push_str(&harness_turns::commands(
            (property, &trace.schedule),
            files,
            &compiler_options,
        ));
    } else {
        let _ = writeln!(
            out,
            " *     cc -g -fno-builtin{sanitizer}{compiler_options} {} {} -lm && ./a.out{}",
            options.program_files.join(" "),
            options.file_name,
            inputs.command_line.words(),
        );
    }
    if !inputs.not_reproduced.is_empty() {
        let _ = writeln!(
            out,
            " *\n * These inputs of the counterexample cannot be supplied by a C file:"
        );
        for input in inputs.not_reproduced.iter().take(20) {
            let _ = writeln!(out, " *     {}", comment(input));
        }
        if inputs.not_reproduced.len() > 20 {
            let _ = writeln!(out, " *     and {} more", inputs.not_reproduced.len() - 20);
        }
    }
    out.push_str(" */\n");
}

/// Text that cannot end a comment early.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

/// No headers: what they declare could contradict the definitions below.
const PRELUDE: &str = r#"int dprintf(int file, const char *format, ...);
int fflush(void *file);
void exit(int code) __attribute__((noreturn));
void _exit(int code) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

#define WEAK __attribute__((weak))

/* A run that asks for more values than were recorded has left the trace. */
static void kripke_left(const char *function) {
    dprintf(2, "kripke: %s is called more often than in the counterexample\n", function);
    fflush(0);
    _exit(2);
}
"#;

const NEXT: &str = r#"
/* The index of the next recorded value. */
static unsigned kripke_next(const char *function, unsigned *next, unsigned count) {
    if (*next >= count)
        kripke_left(function);
    return (*next)++;
}
"#;

/// A function that returns what was recorded, and that may enable or disable interrupts before.
fn definition(out: &mut String, name: &str, queue: &Queue, (turns, control): (bool, Option<bool>)) {
    let Queue { c_type, values } = queue;
    let count = values.len();
    let _ = writeln!(out, "\nWEAK {c_type} {name}(void) {{");
    let bytes = byte_length(c_type);
    let is_float = matches!(c_type.as_str(), "float" | "double" | "long double");
    if is_float {
        let _ = writeln!(out, "    static const unsigned char recorded[][{bytes}] = {{");
    } else if bytes == 16 {
        out.push_str("    static const unsigned long long recorded[][2] = {\n");
    } else {
        let _ = writeln!(out, "    static const unsigned long long recorded[] = {{");
    }
    for value in values {
        let literal = literal(value.bits, is_float, bytes);
        let _ = writeln!(
            out,
            "        {literal}, /* {} (line {}) */",
            comment(value.text),
            value.line
        );
    }
    out.push_str("    };\n");
    if turns {
        let of: Vec<String> = values.iter().map(|value| value.runner.to_string()).collect();
        let _ = writeln!(
            out,
            "    static const unsigned char of[] = {{{}}};\n    static unsigned next[KRIPKE_RUNNERS];\n    \
             {}unsigned index = kripke_next_of(\"{name}\", next, of, {count});",
            of.join(", "),
            control.map_or("", |enables| if enables {
                "kripke_mask(0);\n    "
            } else {
                "kripke_mask(1);\n    "
            })
        );
    } else {
        let _ = writeln!(
            out,
            "    static unsigned next;\n    unsigned index = kripke_next(\"{name}\", &next, {count});"
        );
    }
    if is_float {
        let _ = writeln!(
            out,
            "    {c_type} value = 0;\n    __builtin_memcpy(&value, recorded[index], {bytes});\n    return \
             value;\n}}"
        );
    } else if bytes == 16 {
        let _ = writeln!(
            out,
            "    return ({c_type})((unsigned __int128)recorded[index][1] << 64 | recorded[index][0]);\n}}"
        );
    } else if c_type == "void *" {
        out.push_str("    return (void *)(__UINTPTR_TYPE__)recorded[index];\n}\n");
    } else {
        let _ = writeln!(out, "    return ({c_type})recorded[index];\n}}");
    }
}

fn byte_length(c_type: &str) -> usize {
    match c_type {
        "float" => 4,
        "long double" => 10,
        "__int128" | "unsigned __int128" => 16,
        _ => 8,
    }
}

/// The bits as a C initialiser; floats as their bytes, the least significant first.
fn literal(bits: &str, is_float: bool, bytes: usize) -> String {
    let digits = bits.trim_start_matches("0x");
    let value = u128::from_str_radix(digits, 16).unwrap_or(0);
    if is_float {
        let list: Vec<String> = (0..bytes)
            .map(|index| format!("0x{:02x}", (value >> (8 * index)) as u8))
            .collect();
        format!("{{{}}}", list.join(", "))
    } else if bytes == 16 {
        format!("{{0x{:x}ULL, 0x{:x}ULL}}", value as u64, (value >> 64) as u64)
    } else {
        format!("0x{value:x}ULL")
    }
}

/// Functions the C library or this file defines already.
fn is_defined_elsewhere(name: &str) -> bool {
    INTRINSIC_NAMES.contains(&name)
        || KEPT_LIBRARY_FUNCTIONS.contains(&name)
        || name.starts_with("__builtin_")
}

fn empty_definitions(out: &mut String, inputs: &Inputs, (options, follows_mask): (&HarnessOptions, bool)) {
    let mut names: Vec<&str> = options
        .external_functions
        .iter()
        .map(String::as_str)
        .filter(|name| {
            let is_control = follows_mask && options.controls.iter().any(|(control, _)| control == name);
            is_identifier(name)
                && !is_control
                && !inputs.queues.contains_key(name)
                && !is_defined_elsewhere(name)
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return;
    }
    out.push_str("\n/* Functions without a body that returned nothing in the counterexample. */\n");
    for name in names {
        let _ = writeln!(out, "WEAK void {name}(void) {{}}");
    }
}

/// Inputs that the program may have behind the violation: without them it could not be linked.
fn unread_inputs(out: &mut String, inputs: &Inputs) {
    out.push_str("\n/* Inputs that the counterexample does not read. */\n");
    for input in INPUTS {
        let name = format!("__VERIFIER_nondet_{input}");
        if !inputs.queues.contains_key(name.as_str()) {
            let _ = writeln!(out, "WEAK void {name}(void) {{ kripke_left(\"{name}\"); }}");
        }
    }
}

/// The ends of the names that inputs have in SV-COMP (<https://sv-comp.sosy-lab.org/2024/rules.php>).
const INPUTS: &[&str] = &[
    "bool",
    "char",
    "double",
    "float",
    "int",
    "int128",
    "long",
    "longlong",
    "pointer",
    "short",
    "size_t",
    "u8",
    "u16",
    "u32",
    "u64",
    "uchar",
    "uint",
    "uint128",
    "ulong",
    "ulonglong",
    "unsigned",
    "ushort",
];

const INTRINSIC_NAMES: &[&str] = &[
    "__VERIFIER_assume",
    "__ESBMC_assume",
    "__CPROVER_assume",
    "assume_abort_if_not",
    "reach_error",
    "__VERIFIER_error",
    "__VERIFIER_assert",
    "__VERIFIER_loop_invariant",
    "__ESBMC_loop_invariant",
    "__ESBMC_assert",
    "__CPROVER_assert",
    "__assert_fail",
];

const INTRINSICS: &str = r#"
static void kripke_violated(const char *what) {
    fflush(0);
    dprintf(2, "kripke: violation reproduced: %s\n", what);
    abort();
}

static void kripke_assume(int condition) {
    if (!condition) {
        kripke_point();
        dprintf(2, "kripke: an assumption fails, the run has left the counterexample\n");
        fflush(0);
        _exit(2);
    }
}

WEAK void __VERIFIER_assume(int condition) { kripke_assume(condition); }
WEAK void __ESBMC_assume(_Bool condition) { kripke_assume(condition); }
WEAK void __CPROVER_assume(_Bool condition) { kripke_assume(condition); }
WEAK void reach_error(void) { kripke_violated("reach_error() is called"); }
WEAK void __VERIFIER_error(void) { kripke_violated("__VERIFIER_error() is called"); }
WEAK void __VERIFIER_assert(int condition) { if (!condition) kripke_violated("assertion"); }
WEAK void (__VERIFIER_loop_invariant)(int condition) { (void)condition; }
WEAK void (__ESBMC_loop_invariant)(_Bool condition) { (void)condition; }
WEAK void __ESBMC_assert(_Bool condition, const char *text) { if (!condition) kripke_violated(text); }
WEAK void __CPROVER_assert(_Bool condition, const char *text) { if (!condition) kripke_violated(text); }
"#;
