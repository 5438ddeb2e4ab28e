//! Random firmware for the ATmega16 with few states, and random properties of it.
//!
//! Idea: variables of one to three bits are computed from input pins, each other and what peripherals show.
//! Values go through locals, arrays, arguments and the stack, so that every way of copying an input is taken.
//! Each program ends in an endless loop.

use kripke_logic::random::Random;

/// A program, and what its properties can be about.
pub struct Program {
    pub source: String,
    /// A level of optimisation for the compiler.
    pub level: &'static str,
    /// Options that narrow the environment.
    pub environment: Vec<String>,
    /// Several initial states: registers or variables that were never written are part of the properties.
    pub has_unwritten: bool,
}

/// What the program under way may use.
#[derive(Clone, Copy, Default)]
struct Scope {
    /// Nesting of statements that is still allowed.
    depth: usize,
    handler: bool,
    has_timer: bool,
    has_eeprom: bool,
    has_sleep: bool,
    has_unwritten: bool,
    interrupts: bool,
    /// The helper functions declared so far.
    helpers: usize,
}

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    locals: usize,
}

fn one_of<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

impl Writer<'_> {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn mask(&mut self) -> usize {
        one_of(self.random, &[1, 1, 3, 3, 2, 5])
    }

    /// A value of some bits.
    fn term(&mut self, scope: Scope) -> String {
        let mask = self.mask();
        match self.random.below(16) {
            0..4 => format!("(PINA & {mask})"),
            4 => format!("((PINA >> {}) & {mask})", 1 + self.random.below(2)),
            5 => one_of(
                self.random,
                &["(PINA & 1 ? 2 : 1)", "(bit_is_set(PINA, 1) ? 3 : 0)"],
            )
            .to_owned(),
            6 => format!("(PIND & {})", one_of(self.random, &[1, 4])),
            7 => "a".to_owned(),
            8 => "b".to_owned(),
            9 => "c".to_owned(),
            10 => "(uint8_t)s".to_owned(),
            11 => format!("t[{} & 1]", one_of(self.random, &["a", "b", "PINA", "c"])),
            12 if scope.has_timer => format!("(TCNT0 & {mask})"),
            13 if scope.has_unwritten && !scope.handler => format!("(n & {mask})"),
            14 if scope.helpers > 0 => self.call(scope),
            _ => self.random.below(4).to_string(),
        }
    }

    fn call(&mut self, scope: Scope) -> String {
        let helper = self.random.below(scope.helpers);
        let inner = Scope { helpers: 0, ..scope };
        let (first, second) = (self.term(inner), self.term(inner));
        format!("h{helper}({first}, {second})")
    }

    fn value(&mut self, scope: Scope) -> String {
        let left = self.term(scope);
        if self.chance(2) {
            return left;
        }
        let operator = one_of(self.random, &["+", "-", "^", "|", "&", "*", "<<"]);
        if operator == "<<" {
            return format!("({left} << ({} & 1))", self.term(scope));
        }
        format!("({left} {operator} {})", self.term(scope))
    }

    fn condition(&mut self, scope: Scope) -> String {
        match self.random.below(5) {
            0 => format!("PINA & {}", one_of(self.random, &[1, 2, 4])),
            1 => "bit_is_clear(PINA, 0)".to_owned(),
            2 => {
                let value = self.value(scope);
                format!("{value} == {}", self.random.below(4))
            }
            3 => {
                let (left, right) = (self.term(scope), self.term(scope));
                format!("{left} > {right}")
            }
            _ => self.term(scope),
        }
    }

    fn assignment(&mut self, scope: Scope) {
        let value = self.value(scope);
        let mask = self.mask();
        let text = match self.random.below(9) {
            0 | 1 => format!("a = {value} & {mask};"),
            2 => format!("b = {value} & 3;"),
            3 => format!("c = ({value}) & 1;"),
            4 => format!("s = (int8_t)(({value}) & 1) - 1;"),
            5 => format!("w = (w + ({value} & 1) * 0x101) & 0x103;"),
            6 => format!("t[{} & 1] = {value} & 1;", self.term(scope)),
            _ => format!("PORTB = {value} & 3;"),
        };
        self.line(&text);
    }

    /// Copies inputs through memory and registers.
    fn copies(&mut self, scope: Scope) {
        self.locals += 1;
        let name = format!("l{}", self.locals);
        match self.random.below(4) {
            0 => {
                let index = self.term(scope);
                self.line(&format!(
                    "{{ volatile uint8_t {name}[2]; {name}[0] = PINA; {name}[1] = PINA & 2; a = \
                     {name}[{index} & 1] & 3; }}"
                ));
            }
            1 => self.line(&format!(
                "{{ uint8_t {name} = PINA; if ({name} & 1) b = 1; if ({name} & 1) a = {name} & 3; else c = \
                 ({name} >> 1) & 1; }}"
            )),
            2 => self.line(&format!(
                "{{ volatile uint8_t {name} = PINA; uint8_t copy = {name}; c = (copy & 1) == ({name} & 1); b \
                 = copy & 1; }}"
            )),
            _ => self.line(&format!(
                "{{ uint8_t {name} = PINA; __asm__ volatile(\"push %0\\n\\tswap %0\\n\\tpop r0\\n\\tmov %0, \
                 r0\" : \"+r\"({name}) :: \"r0\"); if ({name} & 2) a = 1; b = {name} & 1; }}"
            )),
        }
    }

    fn statement(&mut self, scope: Scope) {
        let inner = Scope {
            depth: scope.depth.saturating_sub(1),
            ..scope
        };
        match self.random.below(if scope.depth == 0 { 6 } else { 19 }) {
            0..5 => self.assignment(scope),
            5 => self.copies(scope),
            6..9 => {
                let condition = self.condition(scope);
                self.line(&format!("if ({condition}) {{"));
                self.statement(inner);
                if self.chance(2) {
                    self.line("} else {");
                    self.statement(inner);
                }
                self.line("}");
            }
            9 => {
                self.locals += 1;
                let name = format!("i{}", self.locals);
                let rounds = 2 + self.random.below(2);
                self.line(&format!(
                    "for (uint8_t {name} = 0; {name} < {rounds}; {name}++) {{"
                ));
                self.statement(inner);
                self.line("}");
            }
            10 => {
                let bit = one_of(self.random, &[1, 2]);
                self.line(&format!("while (PINA & {bit}) {{"));
                if self.chance(2) {
                    self.statement(Scope { depth: 0, ..inner });
                }
                self.line("}");
            }
            11 if scope.interrupts && !scope.handler => {
                let kept = self.chance(2);
                self.line(if kept {
                    "{ uint8_t kept = SREG; cli();"
                } else {
                    "cli();"
                });
                self.statement(inner);
                self.line(if kept { "SREG = kept; }" } else { "sei();" });
            }
            12 if scope.has_timer => {
                let polls = [
                    "if (TIFR & 1) { TIFR = 1; c ^= 1; }",
                    "while (!(TIFR & 1)); TIFR = 1;",
                    "if (bit_is_set(TIFR, 0)) c = 1; else c = 0;",
                    "TCCR0 = 0; if (TIFR & 1) c = TIFR & 1; TCCR0 = 1;",
                    "TCNT0 = 0; TCCR0 = 1;",
                ];
                let poll = one_of(self.random, &polls);
                self.line(poll);
            }
            13 if scope.has_eeprom && !scope.handler => {
                let address = self.random.below(2);
                let value = self.term(scope);
                let wait = "while (EECR & 2);";
                let text = match self.random.below(3) {
                    0 => format!("{wait} EEAR = {address}; EEDR = {value} & 1; EECR = 4; EECR = 6;"),
                    1 => format!("{wait} EEAR = {address}; EECR |= 1; a = EEDR & 1;"),
                    _ => format!(
                        "{{ uint8_t kept = SREG; cli(); {wait} EEAR = {address}; EEDR = PINA & 1; EECR |= 4; \
                         EECR |= 2; SREG = kept; }}"
                    ),
                };
                self.line(&text);
            }
            14 if scope.has_sleep && !scope.handler => {
                self.line("MCUCR |= 0x40; sei(); __asm__ volatile(\"sleep\"); MCUCR &= ~0x40;");
            }
            15 if scope.helpers > 0 => {
                let call = self.call(scope);
                self.line(&format!("c = {call} & 1;"));
            }
            16..19 => self.meeting(scope),
            _ => self.assignment(scope),
        }
    }

    /// What tells how often handlers came between instructions, or where.
    fn meeting(&mut self, scope: Scope) {
        let waits = [
            "__asm__ volatile(\"nop\");",
            "__asm__ volatile(\"nop\\n\\tnop\\n\\tnop\");",
            "__asm__ volatile(\"push r0\\n\\tpush r0\\n\\tpop r0\\n\\tpop r0\");",
            "__asm__ volatile(\"ldi r24, 3\\n\\t1: dec r24\\n\\tbrne 1b\" ::: \"r24\");",
        ];
        let wait = one_of(self.random, &waits);
        let text = match self.random.below(if scope.handler { 7 } else { 4 }) {
            0 => format!("a = 0; {wait} b = a & 3;"),
            1 => format!("PORTB = 0; {wait} c = PORTB & 1;"),
            2 => format!("OCR0 = 0; {wait} a = OCR0 & 3;"),
            3 if scope.interrupts && !scope.handler => {
                format!("cli(); a = 0; sei(); {wait} cli(); b = a & 3; sei();")
            }
            4 => "c = SP & 1;".to_owned(),
            5 => "PORTB ^= 1; OCR0++;".to_owned(),
            _ => "a = (a + 1) & 3;".to_owned(),
        };
        self.line(&text);
    }
}

const HEADER: &str = "#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
";

/// A program.
pub fn program(random: &mut Random) -> Program {
    let level = one_of(random, &["-Os", "-O1", "-O0"]);
    let mut environment = Vec::new();
    if random.below(6) != 0 {
        // Reads of a whole port have few results then.
        for narrow in ["(PINA & 0xF8) == 0", "(PIND & 0xF2) == 0"] {
            environment.extend(["--constraint".to_owned(), narrow.to_owned()]);
        }
    }
    if random.below(3) == 0 {
        let narrow = one_of(
            random,
            &[
                "(PINA & 0xFC) == 0",
                "(PINA & 1) == 0",
                "PINA < 3",
                "(PINA & 3) != 2",
            ],
        );
        environment.extend(["--constraint".to_owned(), narrow.to_owned()]);
    }
    let interrupts = random.below(5) < 3;
    let scope = Scope {
        depth: 2,
        handler: false,
        has_timer: random.below(3) == 0,
        has_eeprom: random.below(5) == 0,
        has_sleep: interrupts && random.below(4) == 0,
        has_unwritten: random.below(5) == 0,
        interrupts,
        helpers: 0,
    };
    let mut writer = Writer {
        random,
        text: HEADER.to_owned(),
        locals: 0,
    };
    writer.line("volatile uint8_t a, b; uint8_t c; int8_t s; uint16_t w; uint8_t t[2] = {0, 1};");
    if scope.has_unwritten {
        writer.line("volatile uint8_t n __attribute__((section(\".noinit\")));");
    }
    let helpers = writer.random.below(3);
    for number in 0..helpers {
        writer.line(&format!(
            "__attribute__((noinline)) uint8_t h{number}(uint8_t x, uint8_t y) {{"
        ));
        let inner = Scope {
            depth: 1,
            helpers: number,
            ..scope
        };
        if writer.chance(2) {
            writer.statement(inner);
        }
        let results = ["x & 3", "(x + y) & 3", "x > y", "y ? x & 1 : 0", "(x ^ y) & 1"];
        let result = one_of(writer.random, &results);
        writer.line(&format!("return {result}; }}"));
    }
    let scope = Scope { helpers, ..scope };
    let mut start = String::new();
    if interrupts {
        interrupt_handlers(&mut writer, scope, &mut start);
    }
    writer.line("int main(void) {");
    writer.line("DDRB = 3;");
    if scope.has_timer {
        writer.line("TCCR0 = 1;");
    }
    writer.line(&start);
    if writer.chance(8) {
        writer.line("WDTCR = 0x08;");
    }
    if writer.chance(2) {
        writer.statement(scope);
    }
    writer.line("for (;;) {");
    for _ in 0..1 + writer.random.below(3) {
        writer.statement(scope);
    }
    writer.line("} }");
    Program {
        source: writer.text,
        level,
        environment,
        has_unwritten: scope.has_unwritten,
    }
}

/// One or two handlers; the statements that enable them go to `start`.
fn interrupt_handlers(writer: &mut Writer<'_>, scope: Scope, start: &mut String) {
    let mut sources = vec!["INT0", "INT1"];
    if scope.has_timer {
        sources.push("TIMER0_OVF");
    }
    let count = 1 + usize::from(writer.chance(3));
    for _ in 0..count {
        let index = writer.random.below(sources.len());
        let source = sources.swap_remove(index);
        let blocking = if writer.chance(6) { ", ISR_NOBLOCK" } else { "" };
        writer.line(&format!("ISR({source}_vect{blocking}) {{"));
        let inner = Scope {
            depth: 1,
            handler: true,
            ..scope
        };
        writer.statement(inner);
        if writer.chance(4) && source != "TIMER0_OVF" {
            writer.line("GICR = 0;");
        }
        writer.line("}");
        start.push_str(match source {
            "INT0" => one_of(
                writer.random,
                &[
                    "MCUCR |= 2; GICR |= 0x40;",
                    "MCUCR |= 1; GICR |= 0x40;",
                    "GICR |= 0x40;",
                ],
            ),
            "INT1" => one_of(writer.random, &["MCUCR |= 8; GICR |= 0x80;", "GICR |= 0x80;"]),
            _ => "TIMSK |= 1;",
        });
        if source == "INT0" && writer.chance(4) {
            start.push_str("DDRD |= 4; PORTD |= 4; PORTD &= ~4;");
        }
    }
    start.push_str("sei();");
}

/// An atom over what the program has.
pub fn atom(random: &mut Random, program: &Program) -> String {
    let number = random.below(3);
    let text = match random.below(13) {
        0 | 1 => format!("a == {number}"),
        2 => format!("b <= {number}"),
        3 => format!("c == {}", number & 1),
        4 => "s < 0".to_owned(),
        5 => "w >= 0x100".to_owned(),
        6 => "t[0] == t[1]".to_owned(),
        7 => "t[a & 1] == 1".to_owned(),
        8 | 9 => format!("PORTB == {number}"),
        10 => "SREG & 0x80".to_owned(),
        11 => "DDRB == 3 && a != b".to_owned(),
        _ if program.has_unwritten => format!("(n & 3) == {number}"),
        _ => "a + b > 2".to_owned(),
    };
    format!("{{{text}}}")
}

/// An LTL formula.
pub fn ltl(random: &mut Random, program: &Program) -> String {
    let (p, q) = (atom(random, program), atom(random, program));
    match random.below(12) {
        0 => format!("G({p} -> F {q})"),
        1 => format!("F G {p}"),
        2 => format!("{p} U {q}"),
        3 => format!("G({p} -> ({q} R {p}))"),
        4 => format!("G F {p} -> G F {q}"),
        5 => format!("F({p} && {q})"),
        6 => format!("G({p} || F G {q})"),
        7 => format!("F({p} && F !{p})"),
        8 => format!("G({p} -> F !{p})"),
        9 => format!("({p} W {q}) || F {q}"),
        10 => format!("F G {p} || F G !{p}"),
        _ => format!("G !({p} && {q})"),
    }
}

/// A CTL formula.
pub fn ctl(random: &mut Random, program: &Program, depth: usize) -> String {
    if depth == 0 {
        let atom = atom(random, program);
        return if random.below(4) == 0 {
            format!("!{atom}")
        } else {
            atom
        };
    }
    let p = ctl(random, program, depth - 1);
    match random.below(10) {
        0 => format!("AG ({p})"),
        1 => format!("AF ({p})"),
        2 => format!("EF ({p})"),
        3 => format!("EG ({p})"),
        4 => format!("A[({p}) U ({})]", ctl(random, program, depth - 1)),
        5 => format!("E[({p}) U ({})]", ctl(random, program, depth - 1)),
        6 => format!("!({p})"),
        7 => format!("({p}) -> ({})", ctl(random, program, depth - 1)),
        8 => format!("AG EF ({p})"),
        _ => format!("({p}) && ({})", ctl(random, program, depth - 1)),
    }
}
