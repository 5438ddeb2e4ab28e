//! Verdicts on random programs with interrupt handlers against an enumeration of all schedules.
//!
//! Each program is written once, with every access to shared memory behind a macro. For gcc the macros offer,
//! before each access, every handler that may come: a tape of choices is run through all its values, so that
//! all schedules with at most so many interrupts are run. For Kripke the macros are the accesses themselves.
//! *Holds* and *violated* must be the truth, with and without the reduction to places where a handler can be
//! told; *unknown* is only counted. Without a bound on the interrupts no failing program may hold.
//!
//! The kinds `torn-access` and `atomicity` are judged in the same runs: for each byte and each priority it is
//! noted which access was the last, and what handlers did since.
//!
//! `KRIPKE_INTERRUPTS_COUNT` programs are tried (5 unless set), from seed `KRIPKE_INTERRUPTS_SEED` on.

mod common;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use common::{folder, native, setting};
use kripke_logic::random::Random;

/// How often each handler comes at the most.
const BOUND: u32 = 2;

/// What both compilations share.
const COMMON: &str = "
struct pair { unsigned char x, y; };
static volatile unsigned char a, b, c, t[2];
static volatile unsigned short w;
static struct pair s;
#define MIXED(wide) (unsigned char)(((wide) & 3) + 2 * (((wide) >> 8) & 3))
";

/// For Kripke: the accesses themselves. An AVR makes those of 16 bits in two pieces.
const PLAIN: &str = "
void __VERIFIER_assert(int);
unsigned char __VERIFIER_nondet_uchar(void);
#define SEI() __asm__ __volatile__(\"sei\" ::: \"memory\")
#define CLI() __asm__ __volatile__(\"cli\" ::: \"memory\")
#define IN() ((unsigned char)(__VERIFIER_nondet_uchar() & 3))
#ifdef ASKED
#define __VERIFIER_assert(condition) ((void)(condition))
static unsigned char used(unsigned char value) { return value; }
#else
#define used(value) (value)
#endif
#define R(place) used(place)
#define W(place, value) ((place) = (unsigned char)((value) & 3))
#define INCREMENT(place) ((place)++)
#define READ_WIDE_INTO(x) do { unsigned short wide = w; x = used(MIXED(wide)); } while (0)
#define WRITE_WIDE(value) (w = (unsigned short)(((value) & 3) * 257))
#define GET(pair) ((pair) = s)
#define PUT(pair) (s = (pair))
";

/// For gcc: the same with every schedule.
const NATIVE: &str = "
#include <stdio.h>
#include <stdlib.h>
static unsigned char tape[4096], width[4096];
static unsigned at, used;
static unsigned choose(unsigned n)
{
    if (at >= 4096) abort();
    if (at >= used) { tape[at] = 0; used = at + 1; }
    width[at] = n;
    return tape[at++];
}
static int failed;
static void __VERIFIER_assert(int holds) { if (ASKED == 0 && !holds) failed = 1; }
static unsigned level, enabled, count[2];
static void come(unsigned which);
static const unsigned priority[2];
/* For each priority and byte the last access and that which is being made: 1 reads, 2 writes; what handlers
   did since: 1 they read what it left, 2 they wrote. And which two bytes are being accessed. */
static struct { unsigned kind, seen; } last[3][9], now[3][9];
static struct { unsigned byte, writes, is_made; } made[3];
static unsigned number(volatile unsigned char *byte)
{
    if (byte == &a) return 0;
    if (byte == &b) return 1;
    if (byte == &c) return 2;
    if (byte == t || byte == t + 1) return 3 + (unsigned)(byte - t);
    if (byte == &s.x || byte == &s.y) return 5 + (byte == &s.y);
    return 7 + (unsigned)(byte - (volatile unsigned char *)&w);
}
static void see(unsigned *seen, unsigned writes)
{
    if (writes) *seen |= 2;
    else if (!*seen) *seen = 1;
}
static void begin(volatile unsigned char *bytes, unsigned length, unsigned writes)
{
    unsigned first = number(bytes);
    for (unsigned below = 0; below < level; below++) {
        if (ASKED == 1 && length == 2 && made[below].is_made && made[below].byte == first
            && (writes || made[below].writes))
            failed = 1;
        for (unsigned byte = first; byte < first + length; byte++) {
            see(&last[below][byte].seen, writes);
            see(&now[below][byte].seen, writes);
        }
    }
    for (unsigned byte = first; byte < first + length; byte++) {
        now[level][byte].kind = writes ? 2 : 1;
        now[level][byte].seen = 0;
    }
    made[level].byte = first;
    made[level].writes = writes;
    made[level].is_made = length == 2;
}
static void end(volatile unsigned char *bytes, unsigned length)
{
    unsigned first = number(bytes);
    for (unsigned byte = first; byte < first + length; byte++) {
        unsigned both = last[level][byte].kind == 2 && now[level][byte].kind == 2;
        if (ASKED == 2 && last[level][byte].kind && last[level][byte].seen & (both ? 1 : 2)) failed = 1;
        last[level][byte] = now[level][byte];
    }
    made[level].is_made = 0;
}
static void forget(unsigned of, unsigned kinds)
{
    for (unsigned byte = 0; byte < 9; byte++)
        if (last[of][byte].kind & kinds) last[of][byte].kind = 0;
}
static void gap(void)
{
    for (;;) {
        unsigned may[2], n = 0;
        for (unsigned i = 0; i < 2; i++)
            if (enabled && priority[i] > level && count[i] < BOUND) may[n++] = i;
        if (!n) return;
        unsigned choice = choose(n + 1);
        if (!choice) return;
        unsigned saved = level, which = may[choice - 1];
        level = priority[which];
        count[which]++;
        forget(level, 3);
        come(which);
        level = saved;
    }
}
static unsigned char read_piece(volatile unsigned char *place) { gap(); return *place; }
static void write_piece(volatile unsigned char *place, unsigned char value) { gap(); *place = value; }
static unsigned char read_byte(volatile unsigned char *place)
{
    gap();
    begin(place, 1, 0);
    unsigned char value = *place;
    end(place, 1);
    return value;
}
static void write_byte(volatile unsigned char *place, unsigned char value)
{
    gap();
    begin(place, 1, 1);
    *place = value;
    end(place, 1);
}
static unsigned short read_wide(void)
{
    volatile unsigned char *bytes = (volatile unsigned char *)&w;
    unsigned char value[2];
    unsigned first = choose(2);
    gap();
    begin(bytes, 2, 0);
    value[first] = bytes[first];
    value[!first] = read_piece(bytes + !first);
    end(bytes, 2);
    return (unsigned short)(value[0] | value[1] << 8);
}
static void write_wide(unsigned short value)
{
    volatile unsigned char *bytes = (volatile unsigned char *)&w;
    unsigned first = choose(2);
    gap();
    begin(bytes, 2, 1);
    bytes[first] = (unsigned char)(first ? value >> 8 : value);
    write_piece(bytes + !first, (unsigned char)(first ? value : value >> 8));
    end(bytes, 2);
}
#define SEI() do { if (level == 0) { enabled = 1; forget(0, 2); gap(); } } while (0)
#define CLI() do { gap(); if (level == 0) enabled = 0; } while (0)
#define IN() ((unsigned char)choose(4))
#define R(place) read_byte(&(place))
#define W(place, value) write_byte(&(place), (unsigned char)((value) & 3))
#define INCREMENT(place) do { unsigned char old = R(place); \
    write_byte(&(place), (unsigned char)(old + 1)); } while (0)
#define READ_WIDE_INTO(x) do { unsigned short wide = read_wide(); x = MIXED(wide); } while (0)
#define WRITE_WIDE(value) write_wide((unsigned short)(((value) & 3) * 257))
static struct pair read_pair(void)
{
    struct pair value;
    unsigned down = choose(2);
    gap();
    begin(&s.x, 2, 0);
    if (down) value.y = s.y; else value.x = s.x;
    if (down) value.x = read_piece(&s.x); else value.y = read_piece(&s.y);
    end(&s.x, 2);
    return value;
}
static void write_pair(struct pair value)
{
    unsigned down = choose(2);
    gap();
    begin(&s.x, 2, 1);
    if (down) s.y = value.y; else s.x = value.x;
    if (down) write_piece(&s.x, value.x); else write_piece(&s.y, value.y);
    end(&s.x, 2);
}
#define GET(pair) ((pair) = read_pair())
#define PUT(pair) write_pair(pair)
";

/// Runs all schedules and says whether one fails.
const DRIVER: &str = "
int main(void)
{
    unsigned long runs = 0;
    for (;;) {
        if (++runs > 20000000) { printf(\"many\\n\"); return 0; }
        at = failed = level = count[0] = count[1] = 0;
        enabled = ENABLED_AT_START;
        a = b = c = t[0] = t[1] = w = s.x = s.y = 0;
        forget(0, 3);
        made[0].is_made = made[1].is_made = made[2].is_made = 0;
        program();
        gap();
        if (failed) { printf(\"fails\\n\"); return 0; }
        used = at;
        while (used > 0 && tape[used - 1] + 1 >= width[used - 1]) used--;
        if (used == 0) break;
        tape[used - 1]++;
    }
    printf(\"holds\\n\");
    return 0;
}
";

/// Writes statements of a function with the locals u, v and pair.
struct Generator {
    random: Random,
    text: String,
    /// Accesses to shared memory so far.
    accesses: usize,
    /// It is the program, not a handler.
    is_main: bool,
    may_call: bool,
}

impl Generator {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn statement(&mut self, depth: usize, most: usize) {
        let place = self.pick(&["a", "b", "c", "t[0]", "t[1]", "t[u & 1]", "s.x"]);
        let local = self.pick(&["u", "v"]);
        let value = self.pick(&["u", "v", "u + 1", "u ^ v", "u + v", "pair.y", "1", "2", "0"]);
        let left = most.saturating_sub(self.accesses);
        let kind = if left == 0 { 20 } else { self.random.below(17) };
        self.accesses += 1;
        let _ = match kind {
            0..=2 => writeln!(self.text, "{local} = R({place});"),
            3..=5 => writeln!(self.text, "W({place}, {value});"),
            6 => writeln!(self.text, "INCREMENT({place});"),
            7 => writeln!(
                self.text,
                "{{ volatile unsigned char *p = {local} & 1 ? &a : &c; W(*p, {value}); }}"
            ),
            8 => writeln!(self.text, "READ_WIDE_INTO({local});"),
            9 => writeln!(self.text, "WRITE_WIDE({value});"),
            10 => writeln!(self.text, "GET(pair);"),
            11 => writeln!(
                self.text,
                "pair.x = pair.y = (unsigned char)(({value}) & 3); PUT(pair);"
            ),
            12 if self.is_main => writeln!(self.text, "SEI();"),
            13 => writeln!(self.text, "CLI();"),
            14 if self.may_call => writeln!(self.text, "help();"),
            15 if depth > 0 => {
                // No constant, as clang drops what it never comes to, and a `sei` there would count no more.
                let _ = writeln!(self.text, "if (({value}) + 0 * u) {{");
                self.block(depth - 1, most);
                self.text.push_str("} else {\n");
                self.block(depth - 1, most);
                writeln!(self.text, "}}")
            }
            16 if self.is_main => writeln!(self.text, "{local} = IN();"),
            _ => writeln!(self.text, "{local} = (unsigned char)({value});"),
        };
    }

    fn block(&mut self, depth: usize, most: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth, most);
        }
    }

    fn assertion(&mut self) {
        let left = self.pick(&["a", "b", "c", "t[0]", "s.x", "s.y"]);
        let right = self.pick(&["a", "b", "c", "t[1]"]);
        let _ = write!(self.text, "u = R({left}); v = R({right});\n__VERIFIER_assert(");
        let number = self.random.below(4);
        let _ = match self.random.below(4) {
            0 => writeln!(self.text, "u != {number});"),
            1 => writeln!(self.text, "u <= v || u != {number});"),
            2 => writeln!(self.text, "u == v);"),
            _ => writeln!(self.text, "pair.x == pair.y);"),
        };
    }
}

/// A program: its functions, the priorities of its two handlers, and whether it enables them itself.
struct Program {
    text: String,
    priorities: [u32; 2],
    enables: bool,
}

fn program(seed: u64) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        text: String::new(),
        accesses: 0,
        is_main: false,
        may_call: false,
    };
    let locals = "unsigned char u = 0, v = 0; struct pair pair = {0, 0}; (void)u; (void)v; (void)pair;\n";
    let priorities = [1, 1 + generator.random.below(2) as u32];
    let mut text = String::new();
    for (name, most) in [("help", 2), ("first", 4), ("second", 3), ("program", 7)] {
        generator.text.clear();
        generator.accesses = 0;
        generator.is_main = name == "program";
        generator.may_call = name != "help";
        if generator.is_main && generator.random.below(2) == 0 {
            generator.text.push_str("SEI();\n");
        }
        generator.block(1, most);
        generator.block(1, most);
        if name == "program" || name == "first" && generator.random.below(4) == 0 {
            generator.assertion();
        }
        let hidden = if name == "help" { "static " } else { "" };
        let _ = writeln!(
            text,
            "{hidden}void {name}(void)\n{{\n{locals}{}}}",
            generator.text
        );
    }
    Program {
        enables: text.contains("SEI();"),
        text,
        priorities,
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Assertion,
    Torn,
    Atomicity,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Assertion => "assertion",
            Kind::Torn => "torn-access",
            Kind::Atomicity => "atomicity",
        }
    }
}

/// Does some schedule fail? `None`: there are too many.
fn truth(folder: &Path, program: &Program, kind: Kind) -> Option<bool> {
    let [first, second] = program.priorities;
    let text = format!(
        "#define ASKED {}\n#define BOUND {BOUND}\n#define ENABLED_AT_START {}\n{COMMON}{NATIVE}{}\n\
         static const unsigned priority[2] = {{{first}, {second}}};\n\
         static void come(unsigned which) {{ if (which) second(); else first(); }}\n{DRIVER}",
        kind as u32,
        u32::from(!program.enables),
        program.text
    );
    match native(folder, &text).first().map(String::as_str) {
        Some("fails") => Some(true),
        Some("holds") => Some(false),
        _ => None,
    }
}

/// The exit code of `kripke check` with more options.
fn kripke(folder: &Path, program: &Program, kind: Kind, options: &[&str]) -> i32 {
    let source = folder.join("program.c");
    let asked = match kind {
        Kind::Assertion => "",
        _ => "#define ASKED\n",
    };
    let text = format!(
        "{asked}{COMMON}{PLAIN}{}int main(void) {{ program(); return 0; }}\n",
        program.text
    );
    std::fs::write(&source, text).expect("target folder is writable");
    let [first, second] = program.priorities;
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .arg("check")
        .arg(&source)
        .args(["--check", kind.name(), "--quiet", "--target", "avr"])
        .args(["--interrupt", &format!("first:{first}")])
        .args(["--interrupt", &format!("second:{second}")])
        .args(options)
        .output()
        .expect("kripke runs");
    common::verdict(&output, &source)
}

#[test]
fn all_schedules() {
    compare(Kind::Assertion);
}

#[test]
fn torn_accesses() {
    compare(Kind::Torn);
}

#[test]
fn atomicity_of_pairs() {
    compare(Kind::Atomicity);
}

fn compare(kind: Kind) {
    let first = setting("KRIPKE_INTERRUPTS_SEED", 1);
    let count = setting("KRIPKE_INTERRUPTS_COUNT", 5);
    let bound = BOUND.to_string();
    let ways: [&[&str]; 2] = [
        &["--interrupt-bound", &bound, "--timeout", "60s"],
        &[
            "--interrupt-bound",
            &bound,
            "--timeout",
            "60s",
            "--interrupt-everywhere",
        ],
    ];
    let (mut violated, mut holding, mut unknown, mut proved) = (0, 0, 0, 0);
    for seed in first..first + count {
        let program = program(seed);
        let folder = folder(&format!("interrupts-{}-{seed}", kind.name()));
        let Some(fails) = truth(&folder, &program, kind) else {
            continue;
        };
        for way in ways {
            match kripke(&folder, &program, kind, way) {
                0 => assert!(!fails, "seed {seed}, {way:?}: holds was claimed"),
                1 => assert!(fails, "seed {seed}, {way:?}: a violation was claimed"),
                _ => unknown += 1,
            }
        }
        match fails {
            true => violated += 1,
            false => holding += 1,
        }
        if kripke(&folder, &program, kind, &["--timeout", "5s"]) == 0 {
            assert!(
                !fails,
                "seed {seed}: holds was claimed of any number of interrupts"
            );
            proved += 1;
        }
        std::fs::remove_dir_all(&folder).ok();
    }
    println!("{violated} violated, {holding} hold, {proved} proved without a bound, {unknown} unknown");
    assert!(violated > 0 && holding > 0, "the programs are all alike");
    assert!(unknown * 10 <= count, "{unknown} of {} are unknown", 2 * count);
}
