//! Random small C programs that gcc can run on all their inputs, and Kripke check as they are.
//!
//! Values are below 4, there are five variables, and every write goes through the macros W and COPY, so that
//! a native build can watch it. Used by the tests that compare verdicts with enumeration.

use std::fmt::Write;

use kripke_logic::random::Random;

/// What both compilations share: values are below 4, and every write goes through W or COPY.
pub const COMMON: &str = "
#include <string.h>
static unsigned char a, b, c, t[2];
";

/// For Kripke: nothing but the writes.
pub const PLAIN: &str = "
unsigned __VERIFIER_nondet_uint(void);
static unsigned in(void) { return __VERIFIER_nondet_uint() & 3; }
#define W(place, value) do { (place) = (value) & 3; } while (0)
#define COPY(x, y) do { unsigned char two[2] = {(x) & 3, (y) & 3}; memcpy(t, two, 2); } while (0)
";

/// Writes statements.
pub struct Generator {
    random: Random,
    text: String,
    inputs: usize,
    max_inputs: usize,
    may_return: bool,
}

impl Generator {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.random.below(from.len())].to_string()
    }

    /// A value over the program's variables.
    pub fn expression(&mut self) -> String {
        let leaf = self.pick(&["a", "b", "c", "t[0]", "t[1]", "u", "1", "2", "3"]);
        let other = self.pick(&["a", "b", "c", "t[c & 1]", "u", "0", "1"]);
        let operator = self.pick(&["+", "-", "*", "^", "&", "|", "==", "<"]);
        match self.random.below(3) {
            0 => leaf,
            _ => format!("({leaf} {operator} {other})"),
        }
    }

    fn statement(&mut self, depth: usize) {
        let value = self.expression();
        let other = self.expression();
        match self.random.below(if depth == 0 { 7 } else { 9 }) {
            0 | 1 => {
                let place = self.pick(&["a", "b", "t[1]", "c"]);
                let _ = writeln!(self.text, "W({place}, {value});");
            }
            2 => {
                let _ = writeln!(
                    self.text,
                    "{{ unsigned char *p = {other} ? &a : &c; W(*p, {value}); }}"
                );
            }
            3 => {
                let _ = writeln!(self.text, "W(t[{other} & 1], {value});");
            }
            4 => {
                let _ = writeln!(self.text, "COPY({value}, {other});");
            }
            5 if self.inputs < self.max_inputs => {
                self.inputs += 1;
                self.text.push_str("u = in();\n");
            }
            6 if self.may_return => {
                let _ = writeln!(self.text, "if ({value} == 3) return 0;");
            }
            7 | 8 => {
                let _ = writeln!(self.text, "if ({value}) {{");
                self.block(depth - 1);
                self.text.push_str("} else {\n");
                self.block(depth - 1);
                self.text.push_str("}\n");
            }
            _ => {
                let _ = writeln!(self.text, "W(b, {value});");
            }
        }
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }
}

/// The statements of a random program that reads so many inputs, and the rest of its random numbers.
pub fn body(seed: u64, max_inputs: usize, may_return: bool) -> (String, Random) {
    let mut generator = Generator {
        random: Random::new(seed),
        text: String::new(),
        inputs: 0,
        max_inputs,
        may_return,
    };
    generator.block(2);
    generator.block(2);
    (generator.text, generator.random)
}

/// The states of a program's variables: a, b, c, t[0], t[1], two bits each.
pub const STATES: usize = 1 << 10;
