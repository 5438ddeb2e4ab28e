//! Random C programs for the ATmega16 with handlers of interrupts that share variables with the main loop.
//!
//! Idea: one text that can be checked as C and, compiled, as firmware. A statement makes one access to shared
//! memory for each that its line shows, in an order that C prescribes, as order is what two compilers may
//! see differently. Variables have few values, and handlers bring each of them from one to the next. The
//! main loop never ends, inputs come from a port, outputs go to one.
//!
//! With `WIDE` the program takes its time: `PAUSE` lets several interrupts come at one place, and what is
//! wider than a byte is accessed byte by byte with a pause in between, in an order that an input decides. The
//! model of C allows that of every program, and machine code seldom does: the other way round, nothing that
//! the program does without `WIDE` may be new with it.

use kripke_logic::random::Random;

/// What every program begins with.
const HEADER: &str = "#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>
#include <util/atomic.h>

struct pair { uint8_t x, y; };
struct bits { uint8_t low : 2, high : 2; };
volatile uint8_t a, b = 1, c, bad, t[2] = {0, 2};
volatile uint16_t w;
volatile uint32_t l;
volatile struct pair s;
volatile struct bits f;
volatile uint8_t *volatile p = &a;

#ifdef WIDE
#define PAUSE __asm__ volatile(\"nop\\n nop\\n nop\\n nop\\n nop\\n nop\");
#define READ(place) ({ uint8_t read_ = (place); PAUSE read_; })
#define UPDATE(place, operator, value) \\
    do { uint8_t value_ = (value), old_ = (place); PAUSE (place) = old_ operator value_; } while (0)
#define SET_BITS(shift, value) \\
    do { \\
        volatile uint8_t *bits_ = (volatile uint8_t *)&f; \\
        uint8_t value_ = (value), old_ = *bits_; \\
        PAUSE \\
        *bits_ = (uint8_t)((old_ & ~(3 << (shift))) | ((value_ & 3) << (shift))); \\
    } while (0)
#define COPY(from, to) \\
    do { \\
        volatile uint8_t *from_ = (volatile uint8_t *)&(from), *to_ = (volatile uint8_t *)&(to); \\
        uint8_t up_ = PINB & 0x80; \\
        for (uint8_t i_ = 0; i_ < sizeof(from); i_++) { \\
            uint8_t at_ = up_ ? i_ : (uint8_t)(sizeof(from) - 1 - i_); \\
            to_[at_] = from_[at_]; \\
            PAUSE \\
        } \\
    } while (0)
#else
#define PAUSE
#define READ(place) (place)
#define UPDATE(place, operator, value) ((place) = (place) operator (value))
#define SET_BITS(shift, value) ((shift) ? (f.high = (value) & 3) : (f.low = (value) & 3))
#define COPY(from, to) ((to) = (from))
#endif

__attribute__((noinline)) static void put(volatile uint8_t *place, uint8_t value) { *place = value & 3; }
__attribute__((noinline)) static uint8_t get(volatile uint8_t *place) { return *place; }
static uint8_t more(uint8_t x) { return x + 1; }
static uint8_t less(uint8_t x) { return x / 2; }
static uint8_t (*const functions[2])(uint8_t) = {more, less};
";

/// Values of the locals `u` and `v`.
const VALUES: [&str; 24] = [
    "u",
    "v",
    "u",
    "v",
    "u + 1",
    "v + 1",
    "u ^ v",
    "u + v",
    "v - 1",
    "0",
    "1",
    "2",
    "3",
    "u * 85 / 64",
    "u - v",
    "(u - v) / 2",
    "(int8_t)(u - 2) < 0",
    "~u",
    "-v",
    "u % 3",
    "u ? v : 1",
    "(uint16_t)(u * 300u) >> 8",
    "u << v",
    "functions[u & 1](v)",
];

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    handler: bool,
    /// Interrupts are certainly disabled.
    alone: bool,
}

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    names: usize,
    /// Few bytes of shared memory, so that the program and its handlers meet there.
    places: Vec<&'static str>,
}

impl Writer<'_> {
    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.random.below(from.len())]
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A byte of shared memory.
    fn shared(&mut self) -> &'static str {
        self.places[self.random.below(self.places.len())]
    }

    /// A value of locals.
    fn value(&mut self) -> &'static str {
        self.pick(&VALUES)
    }

    fn condition(&mut self) -> String {
        let number = self.random.below(4);
        match self.random.below(6) {
            0 => format!("u == {number}"),
            1 => "u > v".to_owned(),
            2 => format!("PINB & {}", 1 + number % 2),
            3 => format!("READ({}) > {number}", self.shared()),
            _ => format!("READ({}) == {number}", self.shared()),
        }
    }

    /// A pause where interrupts may be enabled.
    fn pause(&mut self, place: Place) {
        if !place.handler && !place.alone {
            self.line("PAUSE");
        }
    }

    fn block(&mut self, place: Place, most: usize) {
        for _ in 0..1 + self.random.below(most) {
            self.statement(place);
        }
    }

    fn statement(&mut self, place: Place) {
        let kinds = match (place.depth, place.handler) {
            (0, _) => 8,
            (_, true) => 10,
            _ => 16,
        };
        match self.random.below(kinds) {
            0..5 => self.simple(place),
            5 | 6 => self.update(place),
            7 => self.wide(place),
            8 | 9 => self.branch(place),
            10..13 => self.section(place),
            _ => self.repeat(place),
        }
        self.pause(place);
    }

    /// One access to a byte, or none.
    fn simple(&mut self, place: Place) {
        let (shared, value) = (self.shared(), self.value());
        let local = self.pick(&["u", "v"]);
        let text = match self.random.below(12) {
            0..3 => format!("{local} = {shared};"),
            3..6 => format!("{shared} = ({value}) & 3;"),
            6 => format!("{local} = PINB & 3;"),
            7 => format!("PORTC = ({value}) & 3;"),
            8 => format!("put(&{shared}, {value});"),
            9 => format!("{local} = get(&{shared});"),
            10 => format!("SET_BITS({}, {value});", self.pick(&["0", "2"])),
            _ if !place.handler && !place.alone => self.pick(&["cli();", "sei();"]).to_owned(),
            _ => format!("{local} = ({value}) & 3;"),
        };
        self.line(&text);
    }

    /// Two or three accesses, of which the last is a write as a rule.
    fn update(&mut self, place: Place) {
        let (shared, value) = (self.shared(), self.value());
        let number = self.random.below(4);
        match self.random.below(8) {
            0 => self.line(&format!("{shared} = (READ({shared}) + 1) & 3;")),
            1 => self.line(&format!(
                "{shared} = READ({shared}) < 3 ? READ({shared}) + {} : 0;",
                1 + number / 3
            )),
            2 => {
                let (what, byte) = (self.pick(&["|", "&", "^"]), self.pick(&["a", "b", "c", "PORTC"]));
                self.line(&format!("UPDATE({byte}, {what}, {number});"));
            }
            3 => {
                let (x, y) = if number.is_multiple_of(2) {
                    ("x", "y")
                } else {
                    ("y", "x")
                };
                self.line(&format!("s.{x} = ({value}) & 3;"));
                self.pause(place);
                self.line(&format!("s.{y} = ({value}) & 3;"));
            }
            4 => {
                let member = self.pick(&["x", "y"]);
                self.line(&format!("u = s.{member};"));
                self.pause(place);
                let how = self.pick(&["!=", "<", ">"]);
                self.line(&format!("v = s.y;\nif (u {how} v) {{ bad = 1; }}"));
            }
            5 => {
                let (place, bits) = (self.shared(), self.pick(&["low", "high"]));
                self.line(&format!("{place} = READ(f.{bits});"));
            }
            6 => self.line(&format!("{{ uint8_t x = ({value}) & 3; *p = x; }}")),
            _ => {
                let from = self.shared();
                self.line(&format!("{shared} = READ({from});"));
            }
        }
    }

    /// An access to what takes several instructions.
    fn wide(&mut self, place: Place) {
        let value = self.value();
        let (name, kind, factor) = match self.random.below(6) {
            0 => ("l", "uint32_t", "0x1010101UL"),
            1 | 2 => return self.pair(),
            3 => {
                let of = self.pick(&["a", "b", "c"]);
                return self.line(&format!("{{ volatile uint8_t *x = &{of}; COPY(x, p); }}"));
            }
            _ => ("w", "uint16_t", "0x101"),
        };
        match self.random.below(3) {
            0 => self.line(&format!(
                "{{ {kind} x = (({value}) & 3) * {factor};\nCOPY(x, {name}); }}"
            )),
            1 => self.line(&format!(
                "{{ {kind} x;\nCOPY({name}, x);\nif (x != (x & 3) * {factor}) {{ bad = 1; }}\nu = x & 3; }}"
            )),
            _ => {
                self.line(&format!("{{ {kind} x;\nCOPY({name}, x);"));
                self.pause(place);
                self.line(&format!("x = ((x + 1) & 3) * {factor};\nCOPY(x, {name}); }}"));
            }
        }
    }

    /// A copy of a structure.
    fn pair(&mut self) {
        let value = self.value();
        match self.random.below(2) {
            0 => self.line(&format!(
                "{{ struct pair x;\nx.x = x.y = ({value}) & 3;\nCOPY(x, s); }}"
            )),
            _ => {
                let how = self.pick(&["!=", "<", ">"]);
                self.line(&format!(
                    "{{ struct pair x;\nCOPY(s, x);\nif (x.x {how} x.y) {{ bad = 1; }}\nu = x.x; }}"
                ));
            }
        }
    }

    fn branch(&mut self, place: Place) {
        let inner = Place {
            depth: place.depth.saturating_sub(1),
            ..place
        };
        if self.random.below(4) == 0 {
            self.line("switch (u) {");
            for case in ["case 0:", "case 2:", "default:"] {
                self.line(case);
                self.block(inner, 1);
                if self.random.below(4) != 0 {
                    self.line("break;");
                }
            }
            self.line("break; }");
            return;
        }
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.block(inner, 2);
        if self.random.below(2) == 0 {
            self.line("} else {");
            self.block(inner, 2);
        }
        self.line("}");
    }

    /// Statements that handlers do not interrupt, or one section of those that they do.
    fn section(&mut self, place: Place) {
        let (begin, end, alone) = match self.random.below(6) {
            _ if place.alone => ("NONATOMIC_BLOCK(NONATOMIC_RESTORESTATE) {\nPAUSE", "}", false),
            0 => ("cli();", "sei();", true),
            1 | 2 => ("ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {", "}", true),
            3 => ("ATOMIC_BLOCK(ATOMIC_FORCEON) {", "}", true),
            4 => ("{ uint8_t kept = SREG;\ncli();", "SREG = kept; }", true),
            _ => ("NONATOMIC_BLOCK(NONATOMIC_FORCEOFF) {\nPAUSE", "}\nsei();", false),
        };
        self.line(begin);
        let depth = place.depth.saturating_sub(1);
        self.block(
            Place {
                depth,
                alone,
                ..place
            },
            3,
        );
        self.line(end);
    }

    fn repeat(&mut self, place: Place) {
        let number = self.random.below(4);
        let byte = self.shared();
        match self.random.below(4) {
            0 | 1 => {
                self.names += 1;
                let name = format!("i{}", self.names);
                self.line(&format!("for (uint8_t {name} = 0; {name} < 2; {name}++) {{"));
            }
            2 => self.line(&format!("while (PINB & {}) {{", 1 + number % 2)),
            _ if place.alone => self.line("{"),
            _ => {
                let how = self.pick(&["!=", "==", "<"]);
                self.line(&format!("while (READ({byte}) {how} {number}) {{"));
            }
        }
        if self.random.below(2) == 0 {
            self.block(Place { depth: 0, ..place }, 2);
        }
        self.pause(place);
        self.line("}");
    }
}

/// A program.
pub struct Program {
    pub source: String,
    /// A level of optimisation for the compiler.
    pub level: &'static str,
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let level = ["-Os", "-O1", "-O0"][random.below(3)];
    let mut writer = Writer {
        random,
        text: HEADER.to_owned(),
        names: 0,
        places: Vec::new(),
    };
    for _ in 0..3 {
        let place = writer.pick(&["a", "b", "c", "a", "b", "t[0]", "t[1]", "t[u & 1]", "s.x", "s.y"]);
        writer.places.push(place);
    }
    let locals = "uint8_t u = 0, v = 0; (void)u; (void)v;";
    let handlers = 1 + writer.random.below(2);
    for handler in ["INT0", "INT1"].into_iter().take(handlers) {
        writer.line(&format!("ISR({handler}_vect) {{\n{locals}"));
        let place = Place {
            depth: 1,
            handler: true,
            alone: true,
        };
        writer.block(place, 3);
        writer.line("}");
    }
    writer.line(&format!("int main(void) {{\n{locals}\nDDRC = 3;"));
    writer.line(if handlers == 2 {
        "GICR = 0xC0;"
    } else {
        "GICR = 0x40;"
    });
    let place = Place {
        depth: 2,
        handler: false,
        alone: false,
    };
    if writer.random.below(3) == 0 {
        writer.statement(Place { alone: true, ..place });
    }
    writer.line("sei();\nPAUSE\nfor (;;) {");
    writer.block(place, 3);
    writer.line("} }");
    Program {
        source: writer.text,
        level,
    }
}

/// An atom over bytes that the program shares and mostly accesses.
pub fn atom(random: &mut Random, program: &Program) -> String {
    let body = &program.source[HEADER.len()..];
    loop {
        let number = 1 + random.below(3);
        let (of, text) = match random.below(15) {
            12 => ("SET_BITS", format!("f.low != {number}")),
            13 => ("SET_BITS", "f.high <= f.low".to_owned()),
            14 => ("PORTC", format!("PORTC <= {number}")),
            0 => ("a =", format!("a != {number}")),
            1 => ("a =", format!("a == {}", number - 1)),
            2 => ("b =", format!("b <= {number}")),
            3 => ("b =", format!("b != {number}")),
            4 => ("c =", format!("c != {number}")),
            5 | 6 => ("bad", "bad == 0".to_owned()),
            7 => ("t[", "t[0] == t[1]".to_owned()),
            8 => ("b =", "a == b".to_owned()),
            9 => ("s.x", format!("s.x != {number}")),
            10 => ("t[", "t[a & 1] <= c".to_owned()),
            _ => ("PORTC", format!("PORTC != {number}")),
        };
        if body.contains(of) || random.below(12) == 0 {
            return text;
        }
    }
}
