//! Random C programs that never end and have few states, for Kripke and for an explorer of all their states.
//!
//! A program is what firmware is in small: counters that wrap, flags, phases, arrays with an index, a ring,
//! a pointer among few objects, records, inner loops that inputs decide. Each comes with predicates over its
//! state. `explorer.h` and `explorer.c` make a program of it that visits every reachable state and tells
//! which predicates fail; some of them then become assertions for Kripke.

use std::fmt::Write;

use kripke_logic::random::Random;

const EXPLORER_HEAD: &str = include_str!("explorer.h");
const EXPLORER: &str = include_str!("explorer.c");

/// For Kripke: what the explorer watches is plain C.
const PLAIN: &str = "\
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
#define IN(bits) (__VERIFIER_nondet_uchar() & ((1u << (bits)) - 1u))
#define AT(index, count) (index)
#define POINTER(pointer) (pointer)
#define DIVISOR(value) (value)
#define END return 0
";

/// A line between the parts of a program.
const MARK: &str = "/* part */";
/// How many chains of predicates a program has.
const CHAINS: usize = 14;
/// How many statements of its body a block may have inside of each other.
const DEPTH: usize = 2;

/// A random program.
#[derive(Clone, Debug, Default)]
pub struct Endless {
    /// Global variables and functions.
    declarations: String,
    /// Variables of `main` that live as long as the loop.
    locals: String,
    before: String,
    body: String,
    /// What the explorer keeps of a state.
    state: Vec<String>,
    /// In chains, each of which goes from what says much to what follows from it.
    pub predicates: Vec<String>,
    /// The chain of each predicate.
    pub chains: Vec<usize>,
    /// How the endless loop is written.
    form: usize,
}

/// A predicate at one of the two points of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assertion {
    pub point: usize,
    pub predicate: usize,
}

impl Endless {
    /// The program of a seed, and the rest of its random numbers.
    pub fn new(seed: u64) -> (Endless, Random) {
        let mut generator = Generator::new(seed);
        generator.declare();
        generator.program.before = generator.beginning();
        generator.program.body = generator.whole_body();
        for chain in 0..CHAINS {
            let predicates = generator.chain();
            generator.program.chains.extend(predicates.iter().map(|_| chain));
            generator.program.predicates.extend(predicates);
        }
        (generator.program, generator.random)
    }

    /// The program; its assertions stand at the points, or else marks of these. Lines mark its parts.
    pub fn text(&self, assertions: Option<&[Assertion]>) -> Text {
        let (head, tail) = match self.form {
            0 => ("for (;;) {", "}"),
            1 => ("while (1) {", "}"),
            2 => ("do {", "} while (1);"),
            _ => ("again:\ndo {", "} while (0);\ngoto again;"),
        };
        let parts = [
            PLAIN.to_owned(),
            self.declarations.clone() + "int main(void) {\n",
            self.locals.clone(),
            self.before.clone(),
            format!("{head}\n"),
            self.body.clone(),
            format!("{tail}\n}}\n"),
        ];
        let whole = parts.join(&format!("{MARK}\n"));
        let Some(assertions) = assertions else {
            return Text {
                text: whole,
                lines: Vec::new(),
            };
        };
        let mut text = String::new();
        let mut lines = vec![0; assertions.len()];
        let mut line = 1;
        for old in whole.lines() {
            let point = old
                .strip_prefix("POINT(")
                .and_then(|rest| rest.strip_suffix(");"));
            let Some(point) = point else {
                line += 1;
                let _ = writeln!(text, "{old}");
                continue;
            };
            for (index, assertion) in assertions.iter().enumerate() {
                if assertion.point.to_string() == point {
                    lines[index] = line;
                    line += 1;
                    let _ = writeln!(text, "assert({});", self.predicates[assertion.predicate]);
                }
            }
        }
        Text { text, lines }
    }

    /// The program that explores a text of this one, into which statements may have been put; `notes` are
    /// further ones for each state at the loop's head.
    pub fn explorer(&self, text: &str, notes: &str) -> String {
        let mark = format!("{MARK}\n");
        let parts: Vec<&str> = text.split(mark.as_str()).collect();
        let [_, declarations, locals, before, _, body, _] = parts[..] else {
            unreachable!("a text of this program:\n{text}");
        };
        let declarations = declarations.strip_suffix("int main(void) {\n").expect("a part");
        let mut text = format!("{EXPLORER_HEAD}{declarations}");
        for local in locals.lines() {
            let _ = writeln!(text, "static {local}");
        }
        text.push_str("static void point(int number) {\n");
        for (index, predicate) in self.predicates.iter().enumerate() {
            let _ = writeln!(text, "tell(number, {index}, {predicate});");
        }
        let _ = write!(
            text,
            "}}\nstatic void begin(void) {{\n{before}}}\n\
             static void step(void) {{\n{notes}do {{\n{body}}} while (0);\n}}\n\
             static void copy(unsigned char *bytes, int save) {{\n"
        );
        for place in &self.state {
            let _ = writeln!(
                text,
                "save ? memcpy(bytes, &{place}, sizeof {place}) : memcpy(&{place}, bytes, sizeof {place}); \
                 bytes += sizeof {place};"
            );
        }
        text + "}\n" + EXPLORER
    }
}

/// A program as Kripke gets it.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    /// The lines of its assertions.
    pub lines: Vec<u32>,
}

impl Text {
    /// The line on which the endless loop begins, after its label.
    pub fn loop_line(&self) -> usize {
        let mut marks = self.text.lines().enumerate().filter(|(_, line)| *line == MARK);
        // The mark behind the loop's head.
        marks.nth(4).expect("a mark").0
    }
}

/// A variable with a number from 0 to below its modulus, as a rule.
#[derive(Clone, Debug)]
struct Scalar {
    name: String,
    modulus: usize,
}

struct Generator {
    random: Random,
    program: Endless,
    scalars: Vec<Scalar>,
    /// An array and how many elements it has.
    arrays: Vec<(String, usize)>,
    has_flag: bool,
    phases: usize,
    has_pointer: bool,
    has_slots: bool,
    has_ring: bool,
    /// The limit of a counter of 16 bits.
    wide: Option<usize>,
    inner_loops: usize,
    inputs: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut with = |of: usize| random.below(of) == 0;
        let (has_flag, has_pointer, has_slots, has_ring) = (with(2), with(2), with(4), with(4));
        let (phases, is_wide) = (if with(2) { 3 } else { 0 }, with(5));
        let wide = is_wide.then(|| [20, 100, 300][random.below(3)]);
        Generator {
            random,
            program: Endless::default(),
            scalars: Vec::new(),
            arrays: Vec::new(),
            has_flag,
            phases,
            has_pointer,
            has_slots,
            has_ring,
            wide,
            inner_loops: 0,
            inputs: 0,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    /// Adds a variable to the state.
    fn variable(&mut self, is_local: bool, ty: &str, name: &str, suffix: &str, initial: &str) {
        let text = format!("{ty} {name}{suffix}{initial};\n");
        match is_local {
            true => self.program.locals.push_str(&text),
            false => self.program.declarations.push_str(&format!("static {text}")),
        }
        self.program.state.push(name.to_owned());
    }

    fn declare(&mut self) {
        self.program.form = self.below(4);
        for name in ["a", "b", "c", "d"].into_iter().take(2 + self.random.below(3)) {
            let modulus = self.pick(&[2, 3, 4, 5, 6, 8, 10]);
            let first = self.below(3) / 2;
            let is_local = self.below(4) == 0;
            self.variable(is_local, "unsigned char", name, "", &format!(" = {first}"));
            self.scalars.push(Scalar {
                name: name.to_owned(),
                modulus,
            });
        }
        for name in ["t", "v"].into_iter().take(self.random.below(3)) {
            let count = 2 + self.below(3);
            self.variable(false, "unsigned char", name, &format!("[{count}]"), "");
            self.arrays.push((name.to_owned(), count));
        }
        if self.has_flag {
            self.variable(false, "_Bool", "flag", "", "");
        }
        if self.phases > 0 {
            self.program
                .declarations
                .push_str("enum phase { IDLE, RUN, STOP };\n");
            self.variable(false, "enum phase", "phase", "", " = IDLE");
        }
        if let Some(limit) = self.wide {
            self.variable(false, "unsigned short", "wide", "", "");
            let _ = writeln!(self.program.declarations, "enum {{ LIMIT = {limit} }};");
        }
        if self.has_pointer {
            let first = self.target();
            let is_local = self.below(4) == 0 && self.program.locals.is_empty();
            self.variable(is_local, "unsigned char *", "p", "", &format!(" = {first}"));
        }
        if self.has_slots {
            let members = "struct slot { unsigned char level; _Bool on; };\n";
            self.program.declarations.push_str(members);
            self.variable(false, "struct slot", "slots", "[2]", "");
            self.variable(false, "struct slot *", "slot", "", " = slots");
        }
        if self.has_ring {
            // With room for many, its elements are not told apart.
            let room = self.pick(&["3", "300"]);
            let ring = format!("struct ring {{ unsigned char data[{room}], head, used; }}");
            self.variable(false, &ring, "ring", "", "");
            self.program.declarations.push_str(RING);
        }
        self.program.declarations.push_str(FUNCTIONS);
    }

    /// Another number than the one named.
    fn other(&mut self, than: &str) -> String {
        let all: Vec<String> = self.scalars.iter().map(|scalar| scalar.name.clone()).collect();
        let others: Vec<String> = all.into_iter().filter(|name| name != than).collect();
        self.pick(&others)
    }

    fn scalar(&mut self) -> Scalar {
        let all = self.scalars.clone();
        self.pick(&all)
    }

    /// A global object for the pointer; locals of `main` are none for the initial value.
    fn target(&mut self) -> String {
        let mut all: Vec<String> = self
            .arrays
            .iter()
            .map(|(name, _)| format!("&{name}[1]"))
            .collect();
        let is_global = |name: &str| {
            let text = format!("static unsigned char {name} ");
            self.program.declarations.contains(&text)
        };
        let globals = self.scalars.iter().filter(|scalar| is_global(&scalar.name));
        all.extend(globals.map(|scalar| format!("&{}", scalar.name)));
        all.push("0".to_owned());
        self.pick(&all)
    }

    fn input(&mut self) -> String {
        self.inputs += 1;
        let bits = 1 + self.below(2);
        format!("IN({bits})")
    }

    /// Any value, and a bound that it is below as a rule.
    fn value(&mut self) -> String {
        let scalar = self.scalar().name;
        match self.below(8) {
            0 | 1 => scalar,
            2 => self.below(4).to_string(),
            3 if self.inputs < 4 => self.input(),
            4 if !self.arrays.is_empty() => self.element(),
            5 => format!("({scalar} + {})", 1 + self.random.below(2)),
            6 => format!("({scalar} ^ 1)"),
            7 if self.has_flag => "flag".to_owned(),
            _ => scalar,
        }
    }

    /// An element of an array at an index that is a variable, within the array or not.
    fn element(&mut self) -> String {
        let all = self.arrays.clone();
        let (name, count) = self.pick(&all);
        let index = self.scalar();
        match self.below(4) {
            0 => format!("{name}[{}]", self.below(count)),
            1 if index.modulus <= count => format!("{name}[AT({}, {count})]", index.name),
            _ => format!("{name}[{} % {count}]", index.name),
        }
    }

    fn condition(&mut self) -> String {
        let x = self.scalar();
        let y = self.other(&x.name);
        let number = self.below(x.modulus);
        match self.below(11) {
            0 => format!("{} == {number}", x.name),
            1 => format!("{} < {y}", x.name),
            2 | 3 if self.inputs < 4 => {
                self.inputs += 1;
                "IN(1)".to_owned()
            }
            4 => format!("({} & 1)", x.name),
            5 if self.has_flag => "flag".to_owned(),
            6 if self.phases > 0 => format!("phase == {}", self.pick(&["IDLE", "RUN", "STOP"])),
            7 if self.has_pointer => format!("p == {}", self.target()),
            8 if !self.arrays.is_empty() => format!("{} > {number}", self.element()),
            9 => format!("!({})", self.condition()),
            10 => format!("({}) && ({})", self.condition(), self.condition()),
            _ => format!("{} >= {number}", x.name),
        }
    }

    fn count(&mut self) -> String {
        let Scalar { name: x, modulus: m } = self.scalar();
        let y = self.other(&x);
        let value = self.value();
        match self.below(10) {
            0 => format!("{x} = ({x} + 1) % {m};\n"),
            1 => format!("if (++{x} == {m}) {x} = 0;\n"),
            2 => format!("if ({x} < {}) {x}++;\n", m - 1),
            3 => format!("if ({x} > 0) {x}--;\n"),
            4 => format!("{x} = ({x} + {y}) % {m};\n"),
            5 => format!("{x} = {value} % {m};\n"),
            6 => format!("bump(&{x}, {m});\n"),
            7 => format!("{{ unsigned char old = {x}; {x} = {y}; {y} = old; }}\n"),
            8 => format!(
                "{x} = {value} ? ({x} << 1 | 1) & {} : 0;\n",
                m.next_power_of_two() - 1
            ),
            _ => format!("if ({x} != {y} && {x} + 1 < {m}) {x}++;\n"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let condition = self.condition();
        match self.below(18) {
            0..3 if depth > 0 => {
                let (then, other) = (self.block(depth - 1), self.block(depth - 1));
                match self.below(2) {
                    0 => format!("if ({condition}) {{\n{then}}}\n"),
                    _ => format!("if ({condition}) {{\n{then}}} else {{\n{other}}}\n"),
                }
            }
            3 | 4 if depth > 0 && self.inner_loops < 2 => self.inner_loop(depth),
            5 if self.has_flag => match self.below(3) {
                0 => "flag = !flag;\n".to_owned(),
                _ => format!("flag = {condition};\n"),
            },
            6 | 7 if self.phases > 0 => self.phase(),
            8 | 9 if self.has_pointer => self.pointer(),
            10 if self.has_slots => self.slots(),
            11 | 12 if self.has_ring => self.ring(),
            13 if self.wide.is_some() => match self.below(2) {
                0 => format!("if ({condition} && wide < LIMIT) wide++;\n"),
                _ => format!("if ({condition}) wide = 0; else if (wide < LIMIT) wide++;\n"),
            },
            14 | 15 if !self.arrays.is_empty() => format!("{} = {} & 3;\n", self.element(), self.value()),
            _ => self.count(),
        }
    }

    fn inner_loop(&mut self, depth: usize) -> String {
        self.inner_loops += 1;
        let body = self.block(depth - 1);
        let Scalar { name: x, modulus: m } = self.scalar();
        let k = format!("k{}", self.inner_loops);
        match self.below(5) {
            0 => format!("for (unsigned char {k} = 0, n = IN(2); {k} < n; {k}++) {{\n{body}}}\n"),
            1 => format!("while ({x} < {} && IN(1)) {x}++;\n", m - 1),
            2 => format!("for (unsigned char {k} = {x} & 3; {k} > 0; {k}--) {{\n{body}}}\n"),
            3 if !self.arrays.is_empty() => {
                let all = self.arrays.clone();
                let (name, count) = self.pick(&all);
                format!(
                    "for (int {k} = {}; {k} > 0; {k}--) {name}[{k}] = {name}[{k} - 1];\n",
                    count - 1
                ) + &format!("{name}[0] = {} & 3;\n", self.value())
            }
            _ => format!("unsigned char {k} = 0; do {{\n{body}}} while (++{k} < 1 + ({x} & 1));\n"),
        }
    }

    fn phase(&mut self) -> String {
        let mut text = "switch (phase) {\n".to_owned();
        for (here, next) in [("IDLE", "RUN"), ("RUN", "STOP"), ("STOP", "IDLE")] {
            let (condition, action) = (self.condition(), self.count());
            let _ = writeln!(
                text,
                "case {here}: if ({condition}) {{ phase = {next}; {action}}} break;"
            );
        }
        text + "}\n"
    }

    fn pointer(&mut self) -> String {
        let value = self.value();
        match self.below(5) {
            0 => format!("p = {};\n", self.target()),
            1 => format!(
                "p = {} ? {} : {};\n",
                self.condition(),
                self.target(),
                self.target()
            ),
            2 => format!("*POINTER(p) = {value} & 3;\n"),
            _ => format!("if (p) *p = {value} & 3;\n"),
        }
    }

    fn slots(&mut self) -> String {
        let value = self.value();
        match self.below(5) {
            0 => "slot = slot == slots ? slots + 1 : slots;\n".to_owned(),
            1 => "if (slot->on && slot->level < 3) slot->level++;\n".to_owned(),
            2 => format!("slots[{}].on = {};\n", self.below(2), self.condition()),
            3 => "struct slot old = slots[0]; slots[0] = slots[1]; slots[1] = old;\n".to_owned(),
            _ => format!("slot->level = {value} & 3; slot->on = 1;\n"),
        }
    }

    fn ring(&mut self) -> String {
        let value = self.value();
        let condition = self.condition();
        match self.below(3) {
            0 => format!("if ({condition}) ring_get();\n"),
            1 => "ring_get();\n".to_owned(),
            _ => format!("if ({condition}) ring_put({value} & 1);\n"),
        }
    }

    /// Each statement has a scope of its own, for what it declares.
    fn block(&mut self, depth: usize) -> String {
        let statements = 1 + self.below(3);
        let mut text = String::new();
        for _ in 0..statements {
            let statement = self.statement(depth);
            text += &match statement.starts_with("unsigned") || statement.starts_with("struct") {
                true => format!("{{ {statement}}}\n"),
                false => statement,
            };
        }
        text
    }

    fn beginning(&mut self) -> String {
        match self.below(4) {
            0 => self.count() + &self.count(),
            1 if !self.arrays.is_empty() => format!("{} = {} & 3;\n", self.element(), self.value()),
            _ => String::new(),
        }
    }

    /// Both points stand outside of inner statements, where nothing hides a name.
    fn whole_body(&mut self) -> String {
        let mut text = self.block(DEPTH) + &self.block(1);
        self.inputs = 0;
        match self.below(12) {
            0 => text += &format!("if (IN(1) && {}) continue;\n", self.condition()),
            1 => text += &format!("if (IN(2) == 3 && {}) END;\n", self.condition()),
            2 => {
                let x = self.scalar().name;
                let y = self.other(&x);
                text += &format!("{x} = {y} / DIVISOR({});\n", self.value());
            }
            _ => {}
        }
        text += "POINT(1);\n";
        text += &self.block(DEPTH);
        text += &self.block(1);
        text + "POINT(0);\n"
    }

    /// Predicates of one form, the strongest first.
    fn chain(&mut self) -> Vec<String> {
        let Scalar { name: x, modulus: m } = self.scalar();
        let y = self.other(&x);
        let number = self.below(m);
        let below = |what: &str, most: usize| -> Vec<String> {
            (0..=most).map(|bound| format!("{what} <= {bound}")).collect()
        };
        match self.below(13) {
            0 | 1 => below(&x, m),
            2 => below(&format!("{x} + {y}"), 2 * m),
            3 => (0..=m).map(|more| format!("{x} <= {y} + {more}")).collect(),
            4 => vec![
                format!("({x} & 1) == ({y} & 1)"),
                format!("({x} & 1) >= ({y} & 1)"),
            ],
            5 if self.has_flag => below(&format!("{}flag || {x}", self.pick(&["!", ""])), m),
            6 | 7 if self.phases > 0 => {
                let phase = self.pick(&["IDLE", "RUN", "STOP"]);
                below(&format!("phase != {phase} || {x}"), m)
            }
            8 if self.has_pointer => match self.below(2) {
                0 => below("p == 0 || *p", 4),
                _ => {
                    let (one, other) = (self.target(), self.target());
                    vec![
                        format!("p == {one}"),
                        format!("p == {one} || p == {other}"),
                        "p != 0".to_owned(),
                    ]
                }
            },
            9 if self.has_slots => {
                let what = [
                    "slots[0].level",
                    "slots[0].level + slots[1].level",
                    "slots[1].on || slot->level",
                ];
                below(self.pick(&what), 6)
            }
            10 if self.has_ring => {
                let sum = "ring.data[0] + ring.data[1] + ring.data[2]";
                below(
                    self.pick(&["ring.head", "ring.used", "ring.used + ring.head", sum]),
                    5,
                )
            }
            11 if self.wide.is_some() => {
                let parts = 0..=4;
                parts.map(|part| format!("wide <= LIMIT * {part} / 4")).collect()
            }
            12 if !self.arrays.is_empty() => {
                let all = self.arrays.clone();
                let (name, count) = self.pick(&all);
                let (i, j) = (self.below(count), self.below(count));
                let forms = [format!("{name}[{i}]"), format!("{name}[{i}] + {name}[{j}]")];
                below(&self.pick(&forms), 6)
            }
            _ => below(&format!("{x} != {number} || {y}"), m),
        }
    }
}

const RING: &str = "\
static void ring_put(unsigned char value) {
if (ring.used == 3) return;
int place = ring.head + ring.used;
if (place > 2) place -= 3;
ring.data[AT(place, (int)sizeof ring.data)] = value;
ring.used++;
}
static void ring_get(void) {
if (ring.used == 0) return;
ring.head = ring.head == 2 ? 0 : ring.head + 1;
ring.used--;
}
";

const FUNCTIONS: &str = "\
static void bump(unsigned char *value, unsigned char modulus) {
if (*value + 1 < modulus) (*value)++; else *value = 0;
}
";
