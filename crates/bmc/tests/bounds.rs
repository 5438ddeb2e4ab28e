//! Random programs whose loops and recursions end after as many iterations as inputs say.
//!
//! Establishes that every verdict is that of all inputs, each run by the interpreter: where a larger bound
//! goes on with what the last one left, and where it begins again. The loops are nested, in functions that
//! are called in loops, and left in the middle; objects and variables without a value live across bounds.

mod common;

use std::fmt::Write;
use std::ops::Range;
use std::time::{Duration, Instant};

use kripke_bmc::{Options, Silent, check};
use kripke_elts::interpreter::{End, Inputs, NoObserver, RunOptions, run};
use kripke_elts::random::Random;
use kripke_elts::{NondetSource, Position, Program, ScalarValue, Type};
use kripke_value::BitVec;

/// How long each check may take.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Each of two inputs is less than this.
const VALUES: u64 = 7;
/// What a variable without a value holds.
const UNINITIALISED: u128 = 5;
/// How often loops are nested, and how many statements one has.
const MOST_NESTED: usize = 2;
const MOST_STATEMENTS: usize = 3;

/// A program while it is written.
struct Writer {
    random: Random,
    properties: String,
    count: usize,
    /// The transitions of the function's locations so far, the one that is written at, and what is done from
    /// there.
    locations: Vec<String>,
    at: usize,
    actions: String,
    /// How many iterations loops of the function have.
    bounds: &'static [&'static str],
    calls: &'static [&'static str],
}

impl Writer {
    fn property(&mut self, kind: &str) -> usize {
        let line = self.count + 2;
        let number = self.count;
        writeln!(
            self.properties,
            "p{number} {kind} \"of line {line}\" in main @{line}:1"
        )
        .expect("a string");
        self.count += 1;
        number
    }

    /// The number of a new location.
    fn label(&mut self) -> usize {
        self.locations.push(String::new());
        self.locations.len() - 1
    }

    fn go_to(&mut self, target: usize) {
        let actions = std::mem::take(&mut self.actions);
        self.locations[self.at] = format!("when true {{ {actions}}} goto l{target};");
    }

    /// Goes on by one of two guards.
    fn choose(&mut self, ways: [(String, usize); 2]) {
        let here = self.label();
        self.go_to(here);
        self.at = here;
        let ways = ways.map(|(guard, target)| format!("when {guard} {{ }} goto l{target};"));
        self.locations[here] = ways.concat();
    }

    /// A function that begins at location 0 and ends, after some last actions, at location 1.
    fn function(&mut self, nested: usize, last: &str) -> String {
        self.locations = vec![String::new(); 3];
        self.at = 0;
        self.iterate(nested);
        self.statements(nested);
        self.go_to(2);
        self.locations[2] = format!("when true {{ {last}}} goto l1;");
        let locations = self.locations.iter().enumerate();
        locations
            .map(|(number, transitions)| format!("l{number} \"\": {transitions}\n"))
            .collect()
    }

    fn statements(&mut self, nested: usize) {
        for _ in 0..1 + self.random.below(MOST_STATEMENTS) {
            self.statement(nested);
        }
    }

    fn statement(&mut self, nested: usize) {
        match self.random.below(9) {
            0 | 1 if nested < MOST_NESTED => self.iterate(nested),
            2 if !self.calls.is_empty() => {
                let callee = self.calls[self.random.below(self.calls.len())];
                let bound = self.bounds[self.random.below(self.bounds.len())];
                write!(self.actions, "r = call {callee}(r, {bound}); ").expect("a string");
            }
            3 => {
                let access = self.property("pointer");
                let place = "(q +p ((r & 3i32) * 4i32)) ";
                let statement = match self.random.below(2) {
                    0 => format!("t = *i32{place}align 4 pointer p{access}; r = (r + t) & 15i32; "),
                    _ => format!("*i32{place}= r align 4 pointer p{access}; "),
                };
                self.actions.push_str(&statement);
            }
            4 => {
                let asserted = self.property("assertion");
                let number = self.random.below(16);
                write!(self.actions, "assert(r != {number}i32) p{asserted}; ").expect("a string");
            }
            5 if !self.calls.is_empty() => self.call_one_of_two(),
            6 => self.actions.push_str("w = u; known = 1i32; "),
            _ => {
                let (factor, summand) = (1 + 2 * self.random.below(3), self.random.below(9));
                write!(self.actions, "r = ((r * {factor}i32) + {summand}i32) & 15i32; ").expect("a string");
            }
        }
    }

    /// A call through a pointer that is one of two functions.
    fn call_one_of_two(&mut self) {
        let [first, second, meet] = [self.label(), self.label(), self.label()];
        self.choose([
            ("(r & 1i32) == 0i32".to_string(), first),
            ("(r & 1i32) != 0i32".to_string(), second),
        ]);
        for (at, callee) in [(first, "f"), (second, "g")] {
            self.at = at;
            write!(self.actions, "h = function({callee}); ").expect("a string");
            self.go_to(meet);
        }
        self.at = meet;
        let bound = self.bounds[self.random.below(self.bounds.len())];
        let check = self.property("function-pointer");
        write!(self.actions, "r = call *(h)(r, {bound}) check p{check}; ").expect("a string");
    }

    /// A loop, which may be left in the middle, as may the function.
    fn iterate(&mut self, nested: usize) {
        let bound = self.bounds[self.random.below(self.bounds.len())];
        let (head, body, after) = (self.label(), self.label(), self.label());
        let counter = format!("i{nested}");
        write!(self.actions, "{counter} = 0i32; ").expect("a string");
        self.go_to(head);
        self.at = head;
        self.choose([
            (format!("{counter} <u {bound}"), body),
            (format!("{bound} <=u {counter}"), after),
        ]);
        self.at = body;
        self.statements(nested + 1);
        if self.random.below(3) == 0 {
            let (rest, number) = (self.label(), self.random.below(8));
            let to = [after, after, 2][self.random.below(3)];
            self.choose([
                (format!("(r & 7i32) == {number}i32"), to),
                (format!("(r & 7i32) != {number}i32"), rest),
            ]);
            self.at = rest;
        }
        write!(
            self.actions,
            "{counter} = {counter} + 1i32; rounds = rounds + 1i32; "
        )
        .expect("a string");
        self.go_to(head);
        self.at = after;
    }
}

const LOCALS: &str = "local ptr q;\nlocal ptr h;\nlocal i32 t;\nlocal i32 u;\nlocal i32 w;\n\
                      local i32 known;\nlocal i32 i0;\nlocal i32 rounds;\nlocal i32 i1;\n";
const BEGIN: &str = "known = 0i32; rounds = 0i32; q = stack(16i32) site0; *i32(q) = 1i32 align 4; \
                     *i32(q +p 4i32) = 5i32 align 4; *i32(q +p 8i32) = 9i32 align 4; \
                     *i32(q +p 12i32) = 2i32 align 4; ";

/// A program with a function `f` that has loops, one, `g`, that calls itself, and a main function that calls
/// them from loops.
fn random_program(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed),
        properties: String::new(),
        count: 0,
        locations: Vec::new(),
        at: 0,
        actions: format!("{BEGIN}r = x; "),
        bounds: &["n", "(n & 3i32)", "2i32"],
        calls: &[],
    };
    let same = writer.property("assertion");
    let last = format!("assert((known == 0i32) | (w == u)) p{same}; ");
    let first = writer.function(1, "");
    writer.bounds = &["a", "b", "(a & 3i32)", "(r & 7i32)", "3i32"];
    writer.calls = &["f", "g"];
    writer.actions.push_str(BEGIN);
    writer
        .actions
        .push_str("r = 1i32; a = nondet input \"a\"; b = nondet input \"b\"; ");
    let assumption = format!("assume((a <u {VALUES}i32) & (b <u {VALUES}i32)); ");
    writer.actions.push_str(&assumption);
    let mut asserted = String::new();
    for (variable, values) in [("r", 16), ("r", 16), ("rounds", 10), ("rounds", 40)] {
        let number = writer.random.below(values);
        let property = writer.property("assertion");
        write!(asserted, "assert({variable} != {number}i32) p{property}; ").expect("a string");
    }
    let main = writer.function(0, &format!("{last}{asserted}"));
    let text = format!(
        "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
         site0 \"memory\" align 4 @1:1\n{}\
         function main() -> () entry l0 exit l1 @1:1 {{\nlocal i32 a;\nlocal i32 b;\nlocal i32 r;\n\
         {LOCALS}{main}}}\n\
         function f(x, n) -> (r) entry l0 exit l1 @1:1 {{\nparameter i32 x;\nparameter i32 n;\n\
         local i32 r;\n{LOCALS}{first}}}\n\
         function g(x, n) -> (r) entry l0 exit l1 @1:1 {{\nparameter i32 x;\nparameter i32 n;\n\
         local i32 r;\nlocal i32 t;\n\
         l0 \"\": when n == 0i32 {{ r = x; }} goto l1; when n != 0i32 {{ t = call f(x, n & 1i32); \
         r = call g(t, n - 1i32); r = (r + n) & 15i32; }} goto l1;\nl1 \"\":\n}}\n",
        writer.properties
    );
    kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The inputs of one run.
struct Given(Vec<u64>);

impl Inputs for Given {
    fn next(&mut self, source: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        let value = match source {
            NondetSource::Uninitialised => UNINITIALISED,
            _ => u128::from(self.0.pop().expect("two inputs")),
        };
        let Type::Int(width) = ty else {
            panic!("inputs are numbers")
        };
        ScalarValue::Int(BitVec::new(width, value))
    }
}

/// The properties that some input violates.
fn violated(program: &Program) -> Vec<bool> {
    let mut violated = vec![false; program.properties.len()];
    for number in 0..VALUES * VALUES {
        let mut inputs = Given(vec![number % VALUES, number / VALUES]);
        match run(program, &mut inputs, &RunOptions::default(), &mut NoObserver) {
            End::Violation { property, .. } => violated[kripke_elts::Id::index(property)] = true,
            End::Exit { .. } => {}
            end => panic!("{end:?}"),
        }
    }
    violated
}

/// Compares the verdicts on programs of these seeds, of which so many may take too long.
fn compare(seeds: Range<u64>, most_unknown: u64, options: &Options) {
    let (mut violations, mut unknown) = (0, 0);
    for seed in seeds.clone() {
        let program = random_program(seed);
        let expected = violated(&program);
        let timed = Options {
            deadline: Some(Instant::now() + TIMEOUT),
            ..options.clone()
        };
        let report = check(&program, &timed, &mut Silent).expect("no internal error");
        let (found, open) = common::compare(seed, &program, &report, &expected);
        violations += found;
        unknown += u64::from(open > 0);
    }
    let count = seeds.end - seeds.start;
    assert!(violations > count, "{violations} violations in {count} programs");
    assert!(
        unknown <= most_unknown,
        "{unknown} of {count} programs are not decided"
    );
}

fn options() -> Options {
    Options {
        all: true,
        k_induction: false,
        fuzzing: false,
        ..Options::default()
    }
}

#[test]
fn bounds_go_on() {
    compare(0..40, 2, &options());
}

#[test]
fn bounds_begin_again() {
    let again = Options {
        continuing: false,
        ..options()
    };
    compare(0..10, 1, &again);
}

#[test]
fn bounds_go_on_where_all_is_merged() {
    let merged = Options {
        parting: false,
        ..options()
    };
    compare(100..124, 2, &merged);
}

#[test]
fn bounds_go_on_where_nothing_is_asked() {
    let unasked = Options {
        feasibility: false,
        ..options()
    };
    compare(300..312, 5, &unasked);
}

#[test]
fn bounds_go_on_between_inductions() {
    let inductive = Options {
        k_induction: true,
        ..options()
    };
    compare(200..224, 2, &inductive);
}
