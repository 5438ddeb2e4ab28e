//! Random programs with what compilers do with registers: arguments in registers and on the stack, values
//! kept over calls, frames, pointers to locals, wide arithmetic, switches, pointers to functions, recursion,
//! handlers that call.

use std::fmt::Write as _;

use kripke_logic::random::Random;

const TYPES: [&str; 5] = ["uint8_t", "int8_t", "int16_t", "uint16_t", "int32_t"];
const OPERATORS: [&str; 11] = ["+", "-", "*", "&", "|", "^", "<", "==", ">>", "/", "%"];

fn one_of<'t>(random: &mut Random, from: &[&'t str]) -> &'t str {
    from[random.below(from.len())]
}

fn value(random: &mut Random, depth: usize, callable: std::ops::Range<usize>) -> String {
    if depth == 0 || random.below(4) == 0 {
        return match random.below(9) {
            0 => "PINA".to_owned(),
            1 => "PIND".to_owned(),
            2 => "g".to_owned(),
            3 => "h".to_owned(),
            4 => format!("t[{} & 3]", one_of(random, &["a", "b", "x", "g"])),
            5 => random.below(300).to_string(),
            _ => one_of(random, &["a", "b", "x"]).to_owned(),
        };
    }
    let first = value(random, depth - 1, callable.clone());
    let second = value(random, depth - 1, callable.clone());
    match random.below(6) {
        0 if !callable.is_empty() => {
            let callee = callable.start + random.below(callable.len());
            format!("f{callee}({first}, {second})")
        }
        1 => format!("(({}){first})", one_of(random, &TYPES)),
        _ => match one_of(random, &OPERATORS) {
            by @ ("/" | "%") => format!("({first} {by} (({second} & 15) + 1))"),
            ">>" => format!("({first} >> ({second} & 7))"),
            operator => format!("({first} {operator} {second})"),
        },
    }
}

fn statement(random: &mut Random, depth: usize, callable: std::ops::Range<usize>) -> String {
    let right = value(random, 2, callable.clone());
    match random.below(12) {
        0 => format!("g = {right};"),
        1 => format!("h = {right};"),
        2 => format!("t[{right} & 3] = a;"),
        3 => format!("PORTB = {right};"),
        4 if depth > 0 => {
            let body = statement(random, depth - 1, callable.clone());
            let other = statement(random, depth - 1, callable);
            format!("if ({right}) {{ {body} }} else {{ {other} }}")
        }
        5 if depth > 0 => {
            let body = statement(random, depth - 1, callable);
            format!("for (uint8_t i = {right} & 3; i; i--) {{ {body} }}")
        }
        6 => format!(
            "switch ({right} & 7) {{ case 0: a++; break; case 1: x = b; break; case 2: b = 3; break; case 3: \
             a ^= x; break; case 4: x = 5; break; case 5: h += a; break; default: g = b; }}"
        ),
        7 => format!("fill(room, {right}); x += room[a & 3];"),
        8 => "{ uint8_t kept = SREG; cli(); h += g; SREG = kept; }".to_owned(),
        9 => format!("x = many(a, b, x, {right}, 5, 6, a, b, 9, 10, x);"),
        10 => format!("x = deep({right} & 3, a);"),
        _ => format!("{} = {right};", one_of(random, &["a", "b", "x"])),
    }
}

const HEADER: &str = "#include <avr/io.h>
#include <avr/interrupt.h>
#include <stdint.h>
#define ALONE __attribute__((noinline))
volatile uint8_t g; int16_t h; int32_t wide = 7; uint8_t t[4] = {1, 2, 3, 4};
ALONE void fill(uint8_t *at, uint8_t with) { for (uint8_t i = 0; i < 4; i++) at[i] = with + t[i]; }
ALONE int16_t many(int16_t a, int16_t b, int16_t c, int16_t d, int16_t e, int16_t f, int16_t i, int16_t j,
                   int16_t k, int16_t l, int16_t m) { h = a + b - c; return d * e + f + i * j + k + l + m; }
ALONE int16_t deep(uint8_t n, int16_t y) { if (!n) return y + g; return deep(n - 1, y + 3) + n; }
";

/// A program for the ATmega16.
pub fn program(random: &mut Random) -> String {
    let mut text = HEADER.to_owned();
    let count = 2 + random.below(4);
    let storage = one_of(random, &["", "static"]);
    for number in (0..count).rev() {
        let callable = number + 1..count;
        let (result, first, second) = (
            one_of(random, &TYPES),
            one_of(random, &TYPES),
            one_of(random, &TYPES),
        );
        let _ = writeln!(
            text,
            "ALONE {result} f{number}({first} a, {second} b) {{ int16_t x = a; {storage} uint8_t \
             room[4] = {{0}}; (void)room;"
        );
        for _ in 0..1 + random.below(3) {
            let _ = writeln!(text, "  {}", statement(random, 1, callable.clone()));
        }
        let _ = writeln!(text, "  return {} + x; }}", value(random, 2, callable));
    }
    if random.below(2) == 0 {
        let _ = writeln!(
            text,
            "void (*volatile hook)(void); static void one(void) {{ h++; }}"
        );
    }
    for vector in ["INT0", "TIMER0_OVF"] {
        let how = if random.below(4) == 0 { ", ISR_NOBLOCK" } else { "" };
        let body = match random.below(3) {
            0 => "g++; wide += h;".to_owned(),
            1 => format!("h = f{}(g, 3);", count - 1),
            _ => "t[g & 3] = PINA; if (PINA & 1) h = -h;".to_owned(),
        };
        let _ = writeln!(text, "ISR({vector}_vect{how}) {{ {body} }}");
    }
    let _ = writeln!(
        text,
        "int main(void) {{ int16_t a = 1, b = 2, x = 3; {storage} uint8_t room[4];"
    );
    text.push_str("  fill(room, 1); sei();\n  for (;;) {\n");
    for _ in 0..1 + random.below(3) {
        let _ = writeln!(text, "  {}", statement(random, 2, 0..count));
    }
    text.push_str("  PORTB = a + b + x + room[1]; wide = wide * 3 + x; } }\n");
    text
}
