//! Random parsers: loops that read a few bytes and go on by one or more of them.
//!
//! Establishes that every verdict is that of all inputs, tried one by one on a parser that is simulated here,
//! whether iterations are executed in the order of positions, in that of their numbers, or all paths merge.

mod common;

use kripke_bmc::{Options, Progress, check};
use kripke_elts::random::Random;

/// How many bytes are read; they are of so many kinds.
const BYTES: u64 = 5;
const KINDS: u64 = 4;

/// What the parser does with a byte of a kind.
struct Rule {
    /// How far it goes on. Where that is not at all, it does so once; the next time it goes on by one.
    step: u64,
    factor: u8,
    summand: u8,
}

struct Parser {
    rules: Vec<Rule>,
    /// Values that the result is asserted not to be.
    excluded: Vec<u8>,
}

impl Parser {
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut rule = |_| Rule {
            step: [1, 1, 2, 3, 0][random.below(5)],
            factor: 1 + random.below(3) as u8,
            summand: random.below(6) as u8,
        };
        let rules = (0..KINDS).map(&mut rule).collect();
        let excluded = (0..6).map(|_| random.below(60) as u8).collect();
        Parser { rules, excluded }
    }

    /// What comes out of a text, given by the kinds of its bytes.
    fn result(&self, text: &[u64]) -> u8 {
        let (mut at, mut result, mut stayed) = (0, 1u8, false);
        while let Some(&kind) = text.get(at as usize) {
            let rule = &self.rules[kind as usize];
            result = result.wrapping_mul(rule.factor).wrapping_add(rule.summand);
            at += match rule.step {
                0 => u64::from(std::mem::replace(&mut stayed, true)),
                step => step,
            };
        }
        result
    }

    /// The assertions that some text violates.
    fn violated(&self) -> Vec<bool> {
        let mut violated = vec![false; self.excluded.len()];
        for number in 0..KINDS.pow(BYTES as u32) {
            let text: Vec<u64> = (0..BYTES as u32)
                .map(|byte| number / KINDS.pow(byte) % KINDS)
                .collect();
            let result = self.result(&text);
            // The first assertion that is violated ends the run.
            if let Some(first) = self.excluded.iter().position(|excluded| *excluded == result) {
                violated[first] = true;
            }
        }
        violated
    }

    /// The parser as a program: `l2` is the loop's head, `l3` looks at the byte.
    fn program(&self) -> kripke_elts::Program {
        let mut text = String::from(
            "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n\
             site0 \"text\" align 4 @1:1\n",
        );
        let properties = self.excluded.iter().enumerate();
        for (index, excluded) in properties.clone() {
            text.push_str(&format!(
                "p{index} assertion \"not {excluded}\" in main @{}:1\n",
                index + 2
            ));
        }
        let access = self.excluded.len();
        text.push_str(&format!("p{access} pointer \"access\" in main @1:1\n"));
        text.push_str(
            "function main() -> () entry l0 exit l1 @1:1 {\nlocal ptr p;\nlocal i32 at;\nlocal i8 c;\n\
             local i8 result;\nlocal i32 stayed;\n",
        );
        text.push_str(&format!(
            "l0 \"\": when true {{ p = stack({BYTES}i32) site0; at = 0i32; "
        ));
        text.push_str("result = 1i8; stayed = 0i32; ");
        for byte in 0..BYTES {
            text.push_str(&format!(
                "c = nondet input \"in\"; *i8(p +p {byte}i32) = c align 1 pointer p{access}; "
            ));
        }
        let asserted: String = properties
            .map(|(index, excluded)| format!("assert(result != {excluded}i8) p{index}; "))
            .collect();
        text.push_str(&format!(
            "}} goto l2;\nl1 \"\":\nl2 \"\": when at <u {BYTES}i32 {{ c = *i8(p +p at) align 1 pointer \
             p{access}; }} goto l3;\nwhen {BYTES}i32 <=u at {{ {asserted}}} goto l1;\nl3 \"\": "
        ));
        for (kind, rule) in self.rules.iter().enumerate() {
            let on = match rule.step {
                0 => "at = at + stayed; stayed = 1i32;".to_string(),
                step => format!("at = at + {step}i32;"),
            };
            text.push_str(&format!(
                "when (c >>u 6i8) == {kind}i8 {{ result = (result * {}i8) + {}i8; {on} }} goto l2;\n",
                rule.factor, rule.summand
            ));
        }
        text.push_str("}\n");
        kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}

/// Counts the iterations that were executed out of turn.
#[derive(Default)]
struct OutOfTurn(u64);

impl Progress for OutOfTurn {
    fn dump(&mut self, _: &str, text: &str) {
        let counts = text.lines().flat_map(|line| line.split(", "));
        let moved = counts.filter_map(|count| count.strip_suffix(" iterations out of turn"));
        self.0 += moved
            .map(|moved| moved.parse::<u64>().expect("a number"))
            .sum::<u64>();
    }
}

/// Compares all verdicts with those of all texts; tells how many iterations were executed out of turn.
fn check_parsers(count: u64, options: &Options) -> u64 {
    let mut moved = OutOfTurn::default();
    let mut violations = 0;
    for seed in 0..count {
        let parser = Parser::random(seed);
        let program = parser.program();
        let report = check(&program, options, &mut moved).expect("no internal error");
        let (found, unknown) = common::compare(seed, &program, &report, &parser.violated());
        assert_eq!(unknown, 0, "seed {seed}");
        violations += found;
    }
    assert!(
        violations > count / 4,
        "{violations} violations in {count} parsers"
    );
    moved.0
}

fn options() -> Options {
    Options {
        all: true,
        dump: true,
        k_induction: false,
        ..Options::default()
    }
}

#[test]
fn in_the_order_of_positions() {
    let moved = check_parsers(120, &options());
    println!("{moved} iterations out of turn");
    assert!(moved > 100, "{moved} iterations were executed out of turn");
}

#[test]
fn in_the_order_of_their_numbers() {
    let by_number = Options {
        ordering: false,
        ..options()
    };
    assert_eq!(check_parsers(60, &by_number), 0);
}

#[test]
fn all_merged() {
    let merged = Options {
        parting: false,
        ..options()
    };
    assert_eq!(check_parsers(60, &merged), 0);
}

#[test]
fn with_induction_and_given_bounds() {
    let inductive = Options {
        k_induction: true,
        ..options()
    };
    check_parsers(30, &inductive);
    // Users who give a bound think of numbers.
    let given = Options {
        unwind: Some(16),
        ..options()
    };
    assert_eq!(check_parsers(30, &given), 0);
}
