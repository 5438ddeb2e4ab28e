//! What a harness needs to follow the turns of threads or of handlers.
//!
//! Idea: compilers call a function before each access to memory if they are asked to find data races
//! (`-fsanitize=thread`). The program is linked without the library that does so, and the harness defines
//! these functions: they count the accesses that the counterexample names and, where a turn of it is over,
//! call the handler that comes there, or let the next thread go on. The functions of the thread library are
//! kripke's own models, which let others run where they did in the counterexample; threads are real ones,
//! of which all but one wait.
//!
//! Invariant: only accesses that the objects' names, or numbers on the heap, tell are counted, so the way in
//! which a compiler keeps what is private to a function does not matter.

use std::fmt::Write;

use kripke_elts::Program;
use kripke_interrupts::Interrupts;
use kripke_interrupts::named::Named;
use kripke_model::{CountedAccess, Property, PropertyKind, Schedule, SharedObject, Turn};

use crate::failure::Failure;
use crate::job::{Job, Sources};

use super::harness::HarnessOptions;

/// A harness runs on this machine, and shows what happens at single places.
pub(super) fn refuse(job: &Job, sources: &Sources, of: &str) -> Result<(), Failure> {
    if job.wanted.harness.is_none() {
        return Ok(());
    }
    if sources.arguments.count > 0 {
        return Err(Failure::input(format!(
            "--harness does not know --arguments together with {of} yet: check with one of them"
        )));
    }
    let target = sources.compile.target.as_deref();
    if let Some(target) = target.filter(|target| target.starts_with("avr") || target.starts_with("msp430")) {
        return Err(runs_elsewhere(target, of));
    }
    if !job.formulas.is_empty() {
        return Err(Failure::input(format!(
            "--harness shows no formula of a program with {of}: check it without"
        )));
    }
    Ok(())
}

fn runs_elsewhere(target: &str, of: &str) -> Failure {
    Failure::input(format!(
        "--harness of a program with {of} runs on this machine, but the target is {target}: give sources \
         that compile for this machine, and leave --target out"
    ))
}

/// The harness counts the bytes that the program accesses, so pointers must have the same size there.
pub(super) fn refuse_width(job: &Job, program: &Program, of: &str) -> Result<(), Failure> {
    match program.data_model.pointer_width {
        width if width != 64 && job.wanted.harness.is_some() => {
            Err(runs_elsewhere(&format!("a machine of {width} bits"), of))
        }
        _ => Ok(()),
    }
}

/// The functions that a user says enable interrupts, or disable them.
pub(super) fn controls_of(interrupts: &Interrupts) -> Vec<(String, bool)> {
    let of_all = |given: &&Named| given.number.is_none();
    let enabling = { interrupts.enabling.iter().filter(of_all) }.map(|given| (given.name.clone(), true));
    let disabling = { interrupts.disabling.iter().filter(of_all) }.map(|given| (given.name.clone(), false));
    enabling.chain(disabling).collect()
}

/// How values are taken by those who read them in the counterexample.
pub(super) const NEXT: &str = r#"
/* The index of the next value that was recorded of the thread, or of the handler. */
static unsigned kripke_next_of(const char *function, unsigned *next, const unsigned char *of,
                               unsigned count) {
    unsigned runner = kripke_runner(), *from = &next[runner];
    while (runner < KRIPKE_RUNNERS && *from < count && of[*from] != runner)
        ++*from;
    if (runner >= KRIPKE_RUNNERS || *from >= count) {
        kripke_point();
        kripke_left(function);
    }
    return (*from)++;
}
"#;

const TYPES: &str = r#"
typedef __SIZE_TYPE__ size_t;

/* Functions of the C library are declared here as far as they are needed. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

enum { KRIPKE_NOTHING, KRIPKE_GLOBAL, KRIPKE_HEAP, KRIPKE_ARGUMENT, KRIPKE_FRAME };

/* An access to an object: to a global by its name and file, to the object of the heap of a number, to what
 * the argument of the thread of a number points into so many bytes behind its beginning, or to any in a
 * frame; and which one it is of those that access some of these bytes, from 1. */
struct kripke_access {
    int kind;
    const char *name, *file;
    unsigned number;
    unsigned long inside, offset, length;
    int writes;
    unsigned count;
};

/* A thread goes on, or a handler comes (`runner` is how many run, or the thread that stands for the
 * hardware), until the thread library let others run so many times, and the access after that was made. */
struct kripke_turn {
    unsigned runner, passed;
    struct kripke_access last;
    const char *begins;
    int returns;
};
"#;

const LENGTH: &str = "};
#define KRIPKE_TURNS (sizeof kripke_turns / sizeof *kripke_turns)
static unsigned kripke_now;
";
const TURNS: &str = include_str!("harness_c/turns.c");
const HOOKS: &str = include_str!("harness_c/hooks.c");
const HANDLERS: &str = include_str!("harness_c/handlers.c");
const CONTROLS: &str = include_str!("harness_c/controls.c");
const THREADS: &str = include_str!("harness_c/threads.c");
const RACE: &str = include_str!("harness_c/race.c");
const HEAP: &str = include_str!("harness_c/heap.c");

/// Does the thread library choose something there?
pub(super) fn is_of_threads(source: &str) -> bool {
    let prefixes = ["pthread_", "sem_", "cnd_", "mtx_", "thrd_", "tss_", "call_once"];
    prefixes.iter().any(|prefix| source.starts_with(prefix))
}

/// How the program is compiled and linked with the harness, as lines of the comment at its head.
pub(super) fn commands(
    (property, schedule): (&Property, &Schedule),
    (program, harness): (&[String], &str),
    options: &str,
) -> String {
    let functions = if schedule.has_threads {
        ""
    } else {
        " -finstrument-functions"
    };
    let undefined = match property.kind {
        PropertyKind::Assertion
        | PropertyKind::Deadlock
        | PropertyKind::DataRace
        | PropertyKind::LibraryContract
        | PropertyKind::Atomicity
        | PropertyKind::TornAccess
        | PropertyKind::Leak
        | PropertyKind::Free => "",
        PropertyKind::FloatCast => " -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all",
        _ => " -fsanitize=undefined -fno-sanitize-recover=all",
    };
    let stem = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        name.rsplit_once('.')
            .map_or(name.clone(), |(stem, _)| stem.to_owned())
    };
    let mut text = String::new();
    let mut objects: Vec<String> = Vec::new();
    for path in program {
        let number = objects.len();
        let mut object = format!("kripke_{}.o", stem(path));
        if objects.contains(&object) {
            object = format!("kripke_{}.{number}.o", stem(path));
        }
        let (object, path) = (quoted(&object), quoted(path));
        let _ = writeln!(
            text,
            " *     cc -g -O0 -fno-builtin -fsanitize=thread{undefined}{functions}{options} -c {path} -o \
             {object}",
        );
        objects.push(object);
    }
    let _ = writeln!(
        text,
        " *     cc -g{undefined} {} {harness} -lm -lpthread -ldl && ./a.out\n * It is for gcc, and Linux on \
         a machine of 64 bits; clang also needs\n *     -mllvm -tsan-instrument-read-before-write",
        objects.join(" "),
        harness = quoted(harness),
    );
    if matches!(
        property.kind,
        PropertyKind::TornAccess | PropertyKind::Uninitialised | PropertyKind::Leak
    ) {
        text.push_str(
            " * This kind of violation does not show when the program runs: it only follows the turns \
             below.\n",
        );
    }
    text
}

/// A file name as a shell takes it.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,=@%:".contains(c);
    match name.chars().all(is_plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

/// The turns, and what follows them.
pub(super) fn code(
    property: &Property,
    schedule: &Schedule,
    choices: &[(&str, u32, &str)],
    options: &HarnessOptions,
) -> String {
    let has_threads = schedule.has_threads;
    let runners = { schedule.turns.iter() }.map(|turn| turn.runner);
    let most = runners.chain(schedule.created.iter().copied()).max().unwrap_or(0);
    let is_race = schedule.next.len() == 2;
    let checks_heap = matches!(
        property.kind,
        PropertyKind::Pointer | PropertyKind::Free | PropertyKind::LibraryContract
    ) || { schedule.turns.iter().filter_map(|turn| turn.access.as_ref()) }
        .chain(schedule.next.iter().map(|(_, access)| access))
        .any(|access| matches!(access.object, SharedObject::Heap(_)));
    let mut out = format!("{TYPES}\n#define KRIPKE_RUNNERS {}\n", most + 1);
    if checks_heap {
        out.push_str("#define KRIPKE_CHECKS_HEAP\n");
    }
    if is_race {
        out.push_str("#define KRIPKE_RACE\n");
    }
    out.push_str("\nstatic const struct kripke_turn kripke_turns[] = {\n");
    for turn in &schedule.turns {
        let begins = turn
            .begins
            .as_ref()
            .map_or("0".to_owned(), |name| format!("{name:?}"));
        let _ = writeln!(
            out,
            "    {{{}, {}, {}, {begins}, {}}}, /* {} */",
            turn.runner,
            turn.passed,
            access(turn.access.as_ref()),
            u8::from(turn.returns),
            in_words(turn, has_threads)
        );
    }
    out.push_str(LENGTH);
    out.push_str(TURNS);
    if has_threads {
        let created = { schedule.created.iter() }.chain(&[0]).map(u32::to_string);
        let created: Vec<String> = created.collect();
        let is_deadlock = property.kind == PropertyKind::Deadlock;
        let _ = write!(
            out,
            "\n/* The threads' numbers, in the order in which they are created. */\nstatic const unsigned \
             kripke_created[] = {{{}}};\n#define KRIPKE_DEADLOCK {}\n#define KRIPKE_RACES {}\n",
            created.join(", "),
            u8::from(is_deadlock),
            u8::from(options.races)
        );
        out.push_str(&hardware(schedule));
        out.push_str(&shown(property));
        if property.kind != PropertyKind::PriorityInversion {
            out.push_str("#define KRIPKE_LEAVES_OUT_PRIORITIES\n");
        }
        out.push_str(THREADS);
        if options.has_handlers {
            out.push_str(&priority_bits(options));
            out.push_str(CONTROLS);
        }
        out.push_str(&choice_function(choices));
        out.push_str(&kripke_llvm::library::threads_for_harness(options.has_keys));
    } else {
        out.push_str(&controls(property, options));
        out.push_str(HANDLERS);
        out.push_str(CONTROLS);
    }
    if is_race {
        out.push_str("\nstatic const struct kripke_turn kripke_race[] = {\n");
        for (runner, next) in &schedule.next {
            let _ = writeln!(out, "    {{{runner}, 0, {}, 0, 0}},", access(Some(next)));
        }
        out.push_str("};\n");
        out.push_str(RACE);
    }
    if checks_heap {
        out.push_str(HEAP);
    }
    out.push_str(HOOKS);
    out
}

/// The functions that enable and disable interrupts.
fn controls(property: &Property, options: &HarnessOptions) -> String {
    let mut out =
        "\n/* Functions that enable interrupts, or disable them. */\nstatic const struct kripke_control \
                   {\n    const char *name;\n    int enables;\n} kripke_controls[] = {\n"
            .to_owned();
    for (name, enables) in &options.controls {
        let _ = writeln!(out, "    {{{name:?}, {}}},", u8::from(*enables));
    }
    let _ = write!(out, "    {{0, 0}},\n}};\n{}", priority_bits(options));
    out.push_str(&shown(property));
    out
}

/// The bits of priorities that the device keeps.
fn priority_bits(options: &HarnessOptions) -> String {
    format!("#define KRIPKE_PRIORITY_BITS {:#x}u\n", options.priority_bits)
}

/// The thread that stands for the hardware.
fn hardware(schedule: &Schedule) -> String {
    match schedule.turns.iter().find(|turn| turn.begins.is_some()) {
        Some(turn) => format!(
            "#define KRIPKE_HAS_HANDLERS\n#define KRIPKE_HARDWARE {}u\n",
            turn.runner
        ),
        None => "#define KRIPKE_HARDWARE -1u\n".to_owned(),
    }
}

/// What is violated where the last access of the last turn is made.
fn shown(property: &Property) -> String {
    match property.kind {
        PropertyKind::Atomicity => format!("#define KRIPKE_SHOWS {:?}\n", property.description),
        _ => String::new(),
    }
}

/// Those of them that have no body, and whose results are no inputs.
pub(super) fn control_functions(options: &HarnessOptions, is_supplied: impl Fn(&str) -> bool) -> String {
    let known = ["__enable_irq", "__disable_irq"];
    let given = options
        .controls
        .iter()
        .filter(|(name, _)| !known.contains(&name.as_str()) && !is_supplied(name))
        .filter(|(name, _)| options.external_functions.contains(name));
    let written = given.map(|(name, enables)| {
        format!(
            "WEAK void {name}(void) {{ kripke_mask({}); }}\n",
            u8::from(!enables)
        )
    });
    written.collect()
}

/// What the compiler's headers would bring, where no handler comes.
pub(super) fn plain_controls(options: &HarnessOptions, is_supplied: impl Fn(&str) -> bool) -> String {
    let mut out =
        "\n/* No handler comes, but the program may look whether any could. */\n__attribute__((unused)) \
                   static unsigned kripke_masked, kripke_base;\n"
            .to_owned();
    out.push_str(&priority_bits(options));
    for (name, rest) in PLAIN_CONTROLS {
        if !is_supplied(name) && !options.external_functions.iter().any(|external| external == name) {
            let (result, rest) = rest.split_once(' ').unwrap_or(("void", rest));
            let _ = writeln!(out, "WEAK {result} {name}{rest}");
        }
    }
    out
}

/// Functions that enable and disable interrupts: the type of the result, and what follows the name.
const PLAIN_CONTROLS: &[(&str, &str)] = &[
    ("__enable_irq", "void (void) { kripke_masked = 0; }"),
    ("__disable_irq", "void (void) { kripke_masked = 1; }"),
    ("__get_PRIMASK", "unsigned (void) { return kripke_masked; }"),
    (
        "__set_PRIMASK",
        "void (unsigned mask) { kripke_masked = mask & 1; }",
    ),
    ("NVIC_EnableIRQ", "void (int number) { (void)number; }"),
    ("NVIC_DisableIRQ", "void (int number) { (void)number; }"),
    ("__get_BASEPRI", "unsigned (void) { return kripke_base; }"),
    (
        "__set_BASEPRI",
        "void (unsigned base) { kripke_base = base & KRIPKE_PRIORITY_BITS; }",
    ),
    (
        "__set_BASEPRI_MAX",
        "void (unsigned base) { base &= KRIPKE_PRIORITY_BITS; if (base && (!kripke_base || base < \
         kripke_base)) kripke_base = base; }",
    ),
    (
        "NVIC_SetPriority",
        "void (int number, unsigned priority) { (void)number; (void)priority; }",
    ),
];

fn access(access: Option<&CountedAccess>) -> String {
    let Some(access) = access else {
        return "{0}".to_owned();
    };
    let none = || "0, 0".to_owned();
    let (kind, name, number, inside) = match &access.object {
        SharedObject::Global { name, file } => ("GLOBAL", format!("{name:?}, {file:?}"), 0, 0),
        SharedObject::Heap(number) => ("HEAP", none(), *number, 0),
        SharedObject::Argument(thread, inside) => ("ARGUMENT", none(), *thread, *inside),
        SharedObject::Frame => ("FRAME", none(), 0, 0),
    };
    let CountedAccess {
        offset,
        length,
        writes,
        count,
        ..
    } = access;
    format!(
        "{{KRIPKE_{kind}, {name}, {number}, {inside}, {offset}, {length}, {}, {count}}}",
        u8::from(*writes)
    )
}

/// A turn for those who read the harness.
fn in_words(turn: &Turn, has_threads: bool) -> String {
    let who = match (turn.runner, &turn.begins) {
        (_, Some(name)) => format!("{name} comes"),
        (0, _) => "the program".to_owned(),
        (number, _) if has_threads => format!("thread {number}"),
        (number, None) => format!("handler {number} goes on"),
    };
    let until = match &turn.access {
        _ if turn.returns => ", until it returns".to_owned(),
        None => String::new(),
        Some(access) => {
            let object = match &access.object {
                SharedObject::Global { name, .. } => name.clone(),
                SharedObject::Heap(number) => format!("object {number} of the heap"),
                SharedObject::Argument(number, _) => format!("the argument of thread {number}"),
                SharedObject::Frame => "what is in frames".to_owned(),
            };
            let verb = if access.writes { "write" } else { "read" };
            format!(", until {verb} {} of {object}", access.count)
        }
    };
    format!("{who}{until}").replace("*/", "* /")
}

/// The function by which the models of the thread library choose.
fn choice_function(choices: &[(&str, u32, &str)]) -> String {
    let mut out = CHOICES.to_owned();
    for (function, runner, bits) in choices {
        let digits = bits.trim_start_matches("0x");
        let is_true = !digits.is_empty() && digits.bytes().any(|digit| digit != b'0');
        let _ = writeln!(out, "    {{{function:?}, {runner}, {}}},", u8::from(is_true));
    }
    out.push_str("    {0, 0, 0},\n};\n");
    out.push_str(CHOOSE);
    out
}

const CHOICES: &str = r#"
/* What the thread library chose, and in which thread. */
static const struct kripke_choice {
    const char *function;
    unsigned runner;
    _Bool value;
} kripke_choices[] = {
"#;

const CHOOSE: &str = r#"
static _Bool __kripke_nondet_bool(const char *function) {
    static unsigned next[KRIPKE_RUNNERS];
    unsigned *from = &next[kripke_self];
    while (kripke_choices[*from].function && kripke_choices[*from].runner != kripke_self)
        ++*from;
    if (!kripke_choices[*from].function)
        return 0;
    if (strcmp(kripke_choices[*from].function, function))
        kripke_leaves(function);
    return kripke_choices[(*from)++].value;
}
"#;
