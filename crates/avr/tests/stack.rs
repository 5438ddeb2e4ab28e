//! The static depth of the stack against runs: generated programs in which everything is executed, interrupts
//! included, so that the deepest stack of the run is the deepest there is; and against what avr-gcc says of
//! each function.
//!
//! `KRIPKE_STACK_COUNT` sets how many programs, `KRIPKE_STACK_SEED` where the random numbers start.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use kripke_avr::cfg::Cfg;
use kripke_avr::core::{Core, address};
use kripke_avr::device::Device;
use kripke_avr::elf;
use kripke_avr::image::Image;
use kripke_avr::instruction::Operation;
use kripke_avr::semantics::status;
use kripke_avr::stack::{Depth, Options, depth};

const STEPS: u64 = 3_000_000;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) as u32 % limit
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// A program, how it is compiled, and the limits it keeps.
struct Program {
    source: String,
    device: &'static str,
    flags: Vec<&'static str>,
    /// Activations of `again`.
    recursion: Option<u32>,
    nesting: Option<u32>,
    /// Whether a handler enables interrupts.
    nests: bool,
}

/// A function whose every call is executed whenever it is called. It calls functions with greater numbers.
fn function(random: &mut Random, number: u32, count: u32, recursion: bool) -> String {
    let frame = [0, 1, 2, 3, 5, 17, 40, 70, 130][random.below(9) as usize];
    let mut text = format!("int __attribute__((noinline)) f{number}(int a, char b) {{\n");
    if frame > 0 {
        let _ = writeln!(text, "  volatile unsigned char room[{frame}];");
        let _ = writeln!(text, "  room[0] = a; room[{}] = b;", frame - 1);
    }
    if random.below(3) == 0 {
        text.push_str("  long l = a * 3L + key; int k1 = a ^ key, k2 = b + key;\n");
    } else {
        text.push_str("  int l = 1, k1 = a, k2 = b;\n");
    }
    let rest = count - number - 1;
    if rest > 0 {
        for _ in 0..random.below(3) {
            let callee = number + 1 + random.below(rest);
            let _ = writeln!(text, "  k1 += f{callee}(k1 + {}, b);", random.below(100));
        }
        if random.below(3) == 0 {
            switch(random, &mut text, number, count);
        }
        if random.below(4) == 0 {
            text.push_str("  l += many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, k1);\n");
        }
    }
    if recursion && random.below(3) == 0 {
        text.push_str("  k2 += again(4, k1);\n");
    }
    if random.below(5) == 0 {
        text.push_str("  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { sink += k2; }\n");
    }
    if frame > 0 {
        text.push_str("  k1 += room[0];\n");
    }
    text.push_str("  sink = k1;\n  return k1 + k2 + (int)l;\n}\n\n");
    text
}

/// A switch whose every case is executed.
fn switch(random: &mut Random, text: &mut String, number: u32, count: u32) {
    let cases = 5 + random.below(8);
    let first = [0, 1, 10][random.below(3) as usize];
    let kind = random.pick(&["unsigned char", "int"]);
    let _ = writeln!(
        text,
        "  for ({kind} i = 0; i < {}; i++) switch (({kind})(i + key)) {{",
        first + cases + 1
    );
    for case in 0..cases {
        let callee = number + 1 + random.below(count - number - 1);
        let action = match random.below(3) {
            0 => format!("k2 += f{callee}(k1, {case});"),
            1 => format!("sink += {case};"),
            _ => format!("k1 = k2 + {};", case * 7),
        };
        let _ = writeln!(text, "    case {}: {action} break;", first + case);
    }
    text.push_str("  }\n");
}

fn handlers(random: &mut Random, text: &mut String, count: u32) -> bool {
    let mut nests = false;
    // Two handlers of one body would become one that calls the other, and its RETI would enable interrupts.
    for (number, vector) in ["INT0_vect", "INT1_vect"].into_iter().enumerate() {
        if random.below(3) == 0 {
            continue;
        }
        let opens = random.below(3) == 0;
        nests |= opens;
        let how = if opens { ", ISR_NOBLOCK" } else { "" };
        let body = match random.below(3) {
            0 => format!("ticks += {number} + 2;"),
            1 => format!("ticks += f{}(ticks, {number});", count - 1),
            _ => format!("ticks += f{}(ticks, {number});", count - 1 - random.below(2)),
        };
        let _ = writeln!(text, "ISR({vector}{how}) {{ {body} }}\n");
    }
    nests
}

fn generate(random: &mut Random) -> Program {
    let count = 3 + random.below(8);
    let recursion = random.below(2) == 0;
    let pointers = random.below(2) == 0;
    // Behind the table no function has an address that is a small number too: one that the program computes
    // with, such as the size of a frame, would look like a pointer to it.
    let mut text = String::from(
        "#include <avr/io.h>\n#include <avr/interrupt.h>\n#include <avr/pgmspace.h>\n#include \
         <util/atomic.h>\n\
         const char __attribute__((used)) table_in_front[600] PROGMEM = {1};\n\
         volatile unsigned char key;\nvolatile int sink, ticks;\n\
         int __attribute__((noinline)) many(int a, int b, int c, int d, int e, int f, int g, int h, int i, \
         int j, int k) {\n  \
         sink = a + b + c + d + e; return f + g * h + i + j + k;\n}\n\
         int __attribute__((noinline, noclone)) again(int n, int x) {\n  volatile char room[6]; room[n & 3] \
         = \
         x;\n  \
         if (n == 0) return room[0];\n  return again(n - 1, x + 1) + room[1];\n}\n\n",
    );
    for number in (0..count).rev() {
        text.push_str(&function(random, number, count, recursion));
    }
    let nests = handlers(random, &mut text, count);
    let place = random.pick(&["", "const", "const PROGMEM"]);
    let (first, second) = (random.below(count), random.below(count));
    if pointers {
        let _ = writeln!(
            text,
            "int (*{place} table[])(int, char) = {{ f{first}, f{second} }};"
        );
    }
    text.push_str("int main(void) {\n  sei();\n");
    if pointers {
        let load = match place.contains("PROGMEM") {
            true => "((int (*)(int, char))pgm_read_word(&table[i]))",
            false => "table[i]",
        };
        let _ = writeln!(
            text,
            "  for (unsigned char i = key; i < 2; i++) sink += {load}(i, i);"
        );
    }
    text.push_str("  return f0(key, 1);\n}\n");
    let mut flags = vec![random.pick(&["-O0", "-O1", "-Os", "-O2", "-O3"])];
    if random.below(3) == 0 {
        flags.push("-mcall-prologues");
    }
    if random.below(2) == 0 {
        flags.push("-fno-optimize-sibling-calls");
    }
    if random.below(4) == 0 {
        flags.push("-mrelax");
    }
    if flags[0] == "-O0" {
        // There the status register is restored through a pointer, which may enable interrupts for all that
        // is known.
        text = text.replace("ATOMIC_BLOCK(ATOMIC_RESTORESTATE)", "");
    }
    Program {
        source: text,
        device: random.pick(&["atmega16", "atmega128", "atmega328p", "atmega2560"]),
        flags,
        recursion: recursion.then_some(5),
        nesting: nests.then(|| 2 + random.below(2)),
        nests,
    }
}

/// Compiles; the image, and what avr-gcc says of each function's stack.
fn compile(source: &str, device: &str, flags: &[&str]) -> (Image, BTreeMap<String, (u32, String)>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.c"), source).expect("a file");
    let output = Command::new("avr-gcc")
        .arg(format!("-mmcu={device}"))
        .args(["-std=gnu99", "-g", "-fstack-usage", "-o", "a.elf", "a.c"])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("avr-gcc is installed (scripts/install-packages test)");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{flags:?}\n{source}\n{errors}");
    let bytes = std::fs::read(folder.path().join("a.elf")).expect("the image");
    (elf::read(&bytes).expect("an image"), usage(folder.path()))
}

/// What the only file `.su` of the folder says. gcc 11 and newer name it after the image, older ones after
/// the source. Its lines are such as `a.c:3:5:main 12 static`, with tabs.
fn usage(folder: &Path) -> BTreeMap<String, (u32, String)> {
    let files = folder
        .read_dir()
        .expect("the folder")
        .map(|entry| entry.expect("a file").path());
    let files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end == "su"))
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = std::fs::read_to_string(&files[0]).expect("the stack usage");
    let line = |line: &str| {
        let mut columns = line.split('\t');
        let name = columns.next()?.rsplit(':').next()?.to_owned();
        let bytes = columns.next()?.parse().ok()?;
        Some((name, (bytes, columns.next()?.to_owned())))
    };
    text.lines().filter_map(line).collect()
}

/// Runs a program with every interrupt at every place that is deeper than those before.
struct Runner<'a> {
    core: Core,
    handlers: &'a [u32],
    levels: usize,
    lowest: u16,
    /// Per number of active handlers: the lowest stack pointer at which interrupts came.
    interrupted: Vec<u16>,
    steps: u64,
}

impl Runner<'_> {
    fn stack(&self) -> u16 {
        u16::from_le_bytes([self.core.data(address::SPL), self.core.data(address::SPH)])
    }

    /// One instruction; whether an interrupt can come behind it.
    fn step(&mut self) -> bool {
        self.steps += 1;
        assert!(self.steps < STEPS, "the program does not end");
        let instruction = self.core.instruction();
        let before = self.core.data(address::SREG);
        self.core.step();
        let is_half = |at: u16| {
            matches!(instruction.operation, Operation::Out | Operation::Sts) && instruction.k == i32::from(at)
        };
        let enables = before & status::I == 0 && self.core.data(address::SREG) & status::I != 0;
        // Between the two writes to the stack pointer there is at most one to the status register.
        if !is_half(address::SPH) && !is_half(address::SREG) {
            self.lowest = self.lowest.min(self.stack());
        }
        !enables
    }

    fn interrupts(&mut self, level: usize) {
        let stack = self.stack();
        let enabled = self.core.data(address::SREG) & status::I != 0;
        if !enabled || level >= self.levels || stack >= self.interrupted[level] {
            return;
        }
        self.interrupted[level] = stack;
        for handler in self.handlers {
            let back = self.core.pc;
            self.core.interrupt(*handler);
            self.lowest = self.lowest.min(self.stack());
            while self.core.pc != back || self.stack() != stack {
                if self.step() {
                    self.interrupts(level + 1);
                }
            }
        }
    }
}

/// The deepest stack of a run from reset until the program stays at one place.
fn measured(image: &Image, device: &Device, handlers: &[u32], levels: usize) -> u32 {
    let mut runner = Runner {
        core: Core::new(image, device),
        handlers,
        levels,
        lowest: u16::MAX,
        interrupted: vec![u16::MAX; levels + 1],
        steps: 0,
    };
    let main = image.symbol("main").expect("main").address / 2;
    let mut initial = 0;
    loop {
        let before = runner.core.pc;
        if before == main && initial == 0 {
            initial = runner.stack() + u16::from(device.pc_bytes);
            runner.lowest = runner.stack();
        }
        let can_be_interrupted = runner.step();
        if runner.core.pc == before && initial != 0 {
            break;
        }
        if can_be_interrupted {
            runner.interrupts(0);
        }
    }
    u32::from(initial - runner.lowest)
}

fn analysed(image: &Image, device: &Device, program: &Program) -> (Cfg, Depth) {
    let cfg = Cfg::new(image, device);
    let mut options = Options {
        nesting: program.nesting,
        ..Options::default()
    };
    if let (Some(limit), Some(symbol)) = (program.recursion, image.symbol("again")) {
        options.recursion.insert(symbol.address / 2, limit);
    }
    let depth = depth(&cfg.flow, image, device, &options).expect("small limits");
    (cfg, depth)
}

fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn the_bound_is_the_deepest_stack_of_runs_that_go_everywhere() {
    let mut random = Random(number("KRIPKE_STACK_SEED", 1));
    let count = number("KRIPKE_STACK_COUNT", 40);
    let (mut with_handlers, mut nested, mut compared) = (0, 0, 0);
    for index in 0..count {
        let program = generate(&mut random);
        let (image, usage) = compile(&program.source, program.device, &program.flags);
        let device = Device::built_in(program.device).expect("a device");
        let (cfg, depth) = analysed(&image, &device, &program);
        let shown = format!(
            "program {index}, {} {:?} nesting {:?}\n{}",
            program.device, program.flags, program.nesting, program.source
        );
        assert!(depth.causes.is_empty(), "{:?}\n{shown}", depth.causes);
        let handlers: Vec<u32> = cfg.flow.handlers.iter().map(|(_, word)| *word).collect();
        let levels = program.nesting.map_or(1, |limit| limit as usize);
        let measured = measured(&image, &device, &handlers, levels);
        assert_eq!(depth.bytes, measured, "static and measured depth of {shown}");
        let sum: u32 = depth.path.iter().map(|step| step.bytes).sum();
        assert_eq!(
            sum, depth.bytes,
            "the path does not add up: {:?}\n{shown}",
            depth.path
        );
        with_handlers += u32::from(!handlers.is_empty());
        nested += u32::from(program.nests);
        compared += agrees_with_compiler(&image, &depth, &usage, &program, &shown);
    }
    if count >= 40 {
        let seen = (with_handlers, nested, compared);
        assert!(with_handlers > 10 && nested > 3 && compared > 50, "{seen:?}");
    }
}

/// avr-gcc's number includes the return address, but neither what is pushed for a call nor what is jumped to.
/// How many functions were compared.
fn agrees_with_compiler(
    image: &Image,
    depth: &Depth,
    usage: &BTreeMap<String, (u32, String)>,
    program: &Program,
    shown: &str,
) -> u32 {
    let mut compared = 0;
    // The linker makes a jump of a call in front of a return (-mrelax).
    let has = |flag| program.flags.contains(&flag);
    let exact = (has("-fno-optimize-sibling-calls") || has("-O0")) && !has("-mrelax");
    for need in &depth.functions {
        let Some(symbol) = image
            .symbols
            .iter()
            .find(|symbol| symbol.address == need.entry * 2 && symbol.size > 0)
        else {
            continue;
        };
        let Some((bytes, kind)) = usage.get(&symbol.name) else {
            continue;
        };
        let body = program
            .source
            .split(&format!(" {}(int a, char b) {{", symbol.name))
            .nth(1);
        let body = body.and_then(|rest| rest.split("\n}\n").next());
        let pushes = body.is_none_or(|body| body.contains("many("));
        if kind == "static" && exact && !pushes {
            assert_eq!(need.own, *bytes, "{} of {shown}", symbol.name);
            compared += 1;
        } else {
            assert!(
                need.own >= *bytes,
                "{}: {} < {bytes} of {shown}",
                symbol.name,
                need.own
            );
        }
    }
    compared
}

/// What a program's depth is, the causes' kinds and the reached functions.
fn named(source: &str, device: &str, flags: &[&str]) -> (Image, Device, Cfg, Depth) {
    let (image, _) = compile(source, device, flags);
    let device = Device::built_in(device).expect("a device");
    let cfg = Cfg::new(&image, &device);
    let depth = depth(&cfg.flow, &image, &device, &Options::default()).expect("no limits");
    (image, device, cfg, depth)
}

#[test]
fn every_instruction_that_runs_is_in_the_graph() {
    let mut random = Random(77);
    for _ in 0..8 {
        let program = generate(&mut random);
        let (image, device, cfg, _) = named(&program.source, program.device, &program.flags);
        let mut core = Core::new(&image, &device);
        let mut edges: BTreeSet<(u32, u32)> = BTreeSet::new();
        for _ in 0..STEPS {
            let (before, instruction) = (core.pc, core.instruction());
            core.step();
            let is_call_or_return = matches!(
                instruction.operation,
                Operation::Call | Operation::Rcall | Operation::Icall | Operation::Ret | Operation::Reti
            );
            if core.pc == before {
                break;
            }
            let node = cfg.nodes.get(&before).expect("the instruction is in the graph");
            assert!(
                cfg.blocks[node.block].locations.contains(&before),
                "{before:#x} is in its block"
            );
            if !is_call_or_return && edges.insert((before, core.pc)) {
                let known = node.successors.iter().any(|(to, _)| *to == core.pc);
                assert!(known, "{before:#x} to {:#x}\n{}", core.pc, program.source);
            }
            if matches!(instruction.operation, Operation::Call | Operation::Icall) {
                assert!(node.calls.contains(&core.pc), "{before:#x} calls {:#x}", core.pc);
            }
        }
        assert!(edges.len() > 50);
    }
}

#[test]
fn blocks_and_functions_partition_the_graph() {
    let mut random = Random(5);
    for _ in 0..8 {
        let program = generate(&mut random);
        let (_, _, cfg, _) = named(&program.source, program.device, &program.flags);
        let in_blocks: usize = cfg.blocks.iter().map(|block| block.locations.len()).sum();
        assert_eq!(in_blocks, cfg.nodes.len());
        for (at, node) in &cfg.nodes {
            for (to, kind) in &node.successors {
                assert!(cfg.nodes[to].predecessors.contains(&(*at, *kind)));
            }
        }
        for (index, function) in cfg.functions.iter().enumerate() {
            let order = cfg.reverse_postorder(index);
            let sorted: BTreeSet<usize> = order.iter().copied().collect();
            assert_eq!(order.len(), function.blocks.len());
            assert_eq!(sorted, function.blocks.iter().copied().collect());
            assert_eq!(cfg.blocks[order[0]].start(), function.entry);
        }
    }
}

/// The C library and libgcc: not every path is taken, so that the bound is not reached; what is called is
/// known.
#[test]
fn the_bound_holds_with_library_functions() {
    let source = "
#include <avr/io.h>
#include <avr/interrupt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
volatile float x = 2.5; volatile long l = 17; volatile long long q = 99; volatile int n;
static int put(char c, FILE *stream) { n += c; return 0; }
static FILE out = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);
static int numbers[] = { 5, 3, 9, 1, 4, 8 };
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
ISR(INT0_vect) { x = sqrt(x) + 1; }
int main(void) {
    char text[24];
    stdout = &out;
    sei();
    qsort(numbers, 6, sizeof numbers[0], compare);
    printf(\"%d %s %ld\", n, dtostrf(x, 6, 2, text), l / 3 % 7);
    x = pow(x, 1.5) / 3 + sin(x) + strtod(text, 0);
    q = q * l / 3;
    l = strtol(text, 0, 10);
    return 0;
}
";
    for (device, flags) in [
        ("atmega16", &["-Os", "-lm"][..]),
        ("atmega328p", &["-O2", "-mcall-prologues", "-lm"]),
        ("atmega128", &["-O1", "-Wl,-u,vfprintf", "-lprintf_flt", "-lm"]),
        ("atmega2560", &["-Os", "-lm"]),
    ] {
        let (image, _) = compile(source, device, flags);
        let device = Device::built_in(device).expect("a device");
        let cfg = Cfg::new(&image, &device);
        let recursion = image.symbol("qsort").map(|symbol| (symbol.address / 2, 3));
        let options = Options {
            recursion: recursion.into_iter().collect(),
            ..Options::default()
        };
        let depth = depth(&cfg.flow, &image, &device, &options).expect("small limits");
        assert!(depth.causes.is_empty(), "{flags:?}: {:?}", depth.causes);
        let handlers: Vec<u32> = cfg.flow.handlers.iter().map(|(_, word)| *word).collect();
        let measured = measured(&image, &device, &handlers, 1);
        assert!(measured > 60, "{flags:?}: {measured}");
        assert!(
            (measured..2 * measured).contains(&depth.bytes),
            "{flags:?}: {} and {measured}",
            depth.bytes
        );
    }
}

/// The linker has pointers to functions beyond 128 KiB lead to jumps below.
#[test]
fn pointers_to_functions_far_away_are_followed() {
    let source = include_str!("simavr/firmware/far.c");
    let (image, _) = compile(source, "atmega2560", &["-Os", "-std=gnu99"]);
    let device = Device::built_in("atmega2560").expect("a device");
    let cfg = Cfg::new(&image, &device);
    let found = depth(&cfg.flow, &image, &device, &Options::default()).expect("small limits");
    assert!(found.causes.is_empty(), "{:?}", found.causes);
    let step = image.symbol("step").map(|symbol| symbol.address / 2);
    let reached: BTreeSet<u32> = cfg.flow.edges.iter().map(|(_, to, _)| *to).collect();
    assert!(step.is_some_and(|step| step > 0x1_0000 && reached.contains(&step)));
    // Return addresses of main, of a function and of the handler, which saves three registers and SREG.
    assert_eq!(found.bytes, 3 + 3 + 3 + 4);
}

/// Whatever is in flash, the analysis ends.
#[test]
fn any_words_are_analysed() {
    let mut random = Random(3);
    let device = Device::built_in("atmega16").expect("a device");
    for round in 0..60 {
        let length = 64 + random.below(2000) as usize;
        let mut bytes: Vec<u8> = (0..2 * length).map(|_| random.below(256) as u8).collect();
        if round % 2 == 0 {
            // Code that is likelier to go on: no undefined words, short jumps.
            for word in bytes.chunks_exact_mut(2) {
                if kripke_avr::instruction::decode(u16::from_le_bytes([word[0], word[1]]), 0).operation
                    == Operation::Undefined
                {
                    word.copy_from_slice(&[0, 0]);
                }
            }
        }
        let mut image = Image::default();
        image.flash.define(0, &bytes).expect("an empty flash");
        let cfg = Cfg::new(&image, &device);
        let found = depth(&cfg.flow, &image, &device, &Options::default()).expect("no limits");
        assert!(found.reached.contains(&0));
        let in_blocks: usize = cfg.blocks.iter().map(|block| block.locations.len()).sum();
        assert_eq!(in_blocks, cfg.nodes.len());
    }
}
