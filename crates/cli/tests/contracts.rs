//! Programs with loop invariants, at random: the answer is that of the same program in which the invariants
//! are assertions at the loops' heads, written by hand.
//!
//! The other program has neither clauses nor statements: `for (;;) { assert(e); if (!(condition)) break; … }`
//! is what an invariant means. Where both get an answer it must be one and the same; and what holds with
//! invariants is not violated without them. The same for contracts of functions, beside a function that
//! asserts both conditions around the call. `KRIPKE_CONTRACT_COUNT` and `KRIPKE_CONTRACT_SEED` make the tests
//! longer or others.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The generator of Numerical Recipes, section 7.1: any will do.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % count
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// How an invariant is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    ByHand,
    None,
    Clause,
    Before,
    First,
}

const VARIABLES: [&str; 3] = ["a", "b", "c"];

/// A loop: its condition, its invariants and the statements before and behind one in it.
struct Loop {
    kind: u64,
    counter: String,
    limit: u64,
    invariants: Vec<String>,
    statements: Vec<String>,
    inner: Option<Box<Loop>>,
}

fn expression(random: &mut Random) -> String {
    let x = random.pick(&VARIABLES);
    let y = random.pick(&VARIABLES);
    let number = random.below(7);
    match random.below(5) {
        0 => format!("{x} <= {y} + {number}"),
        1 => format!("{x} != {number} || {y} <= {number}"),
        2 => format!("({x} & 1) == ({y} & 1)"),
        3 => format!("{x} < {} && {y} < {}", number + 9, number + 9),
        _ => format!("{x} >= {y} || {y} > {number}"),
    }
}

fn statement(random: &mut Random) -> String {
    let x = random.pick(&VARIABLES);
    let y = random.pick(&VARIABLES);
    let number = random.below(4);
    match random.below(8) {
        0 => format!("{x} = {number};"),
        1 => format!("if ({x} < 9) {x}++;"),
        2 => format!("{x} = {y} & {};", number + 4),
        3 => format!("if ({x} > {number}) {x} -= {number};"),
        4 => format!("if ({x} == 6) break;"),
        5 => format!("if ({x} == {number} && {y}) {{ {y} = 0; continue; }}"),
        6 => format!("if (nondet_bool()) {x} = {y};"),
        _ => format!("{x} ^= 1;"),
    }
}

fn any_loop(random: &mut Random, depth: u64) -> Loop {
    let counter = format!("i{depth}");
    let limit = 2 + random.below(5);
    let mut invariants = Vec::new();
    if random.below(4) > 0 {
        let slack = random.below(8).saturating_sub(6);
        invariants.push(format!("{counter} <= {}", limit - slack));
    }
    if random.below(2) == 0 || invariants.is_empty() {
        invariants.push(expression(random));
    }
    Loop {
        kind: random.below(3),
        counter,
        limit,
        invariants,
        statements: (0..2 + random.below(3)).map(|_| statement(random)).collect(),
        inner: (depth < 1 && random.below(3) == 0).then(|| Box::new(any_loop(random, depth + 1))),
    }
}

impl Loop {
    fn write(&self, out: &mut String, form: Form) {
        let (counter, limit) = (&self.counter, self.limit);
        let all = |spelling: &str, end: &str| {
            let texts = self.invariants.iter().map(|e| format!("{spelling}({e}){end}\n"));
            texts.collect::<String>()
        };
        let (clause, statement) = (
            all("__CPROVER_loop_invariant", ""),
            all("__VERIFIER_loop_invariant", ";"),
        );
        let by_hand = all("__VERIFIER_assert", ";");
        let condition = format!("{counter} < {limit} && a != 77");
        // The counter counts first, so that `continue` cannot keep it from doing so.
        let (before, head) = match self.kind {
            0 => (String::new(), format!("for ({counter} = 0; {condition}; )")),
            1 => (format!("{counter} = 0;\n"), format!("while ({condition})")),
            _ => (format!("{counter} = 0;\n"), "for (;;)".to_owned()),
        };
        let leave = format!("if (!({condition})) break;\n");
        let (before, head) = match form {
            Form::ByHand => (format!("{counter} = 0;\n"), "for (;;)".to_owned()),
            _ => (before, head),
        };
        out.push_str(&before);
        if form == Form::Before {
            out.push_str(&statement);
        }
        writeln!(out, "{head}").expect("text");
        if form == Form::Clause {
            out.push_str(&clause);
        }
        out.push_str("{\n");
        match form {
            Form::First => out.push_str(&statement),
            Form::ByHand => out.push_str(&by_hand),
            _ => {}
        }
        if form == Form::ByHand || self.kind == 2 {
            out.push_str(&leave);
        }
        writeln!(out, "{counter}++;").expect("text");
        for (index, text) in self.statements.iter().enumerate() {
            if let (1, Some(inner)) = (index, &self.inner) {
                inner.write(out, form);
            }
            writeln!(out, "{text}").expect("text");
        }
        out.push_str("}\n");
    }
}

fn program(random: &mut Random) -> impl Fn(Form) -> String + use<> {
    let loops: Vec<Loop> = (0..1 + random.below(2)).map(|_| any_loop(random, 0)).collect();
    let assertion = expression(random);
    move |form| {
        let mut text = "_Bool nondet_bool(void);\nvoid __VERIFIER_assert(int);\n\
            void __VERIFIER_loop_invariant(int);\n\
            int main(void)\n{\nunsigned char a = 1, b = 2, c = 3, i0 = 0, i1 = 0;\n"
            .to_owned();
        for each in &loops {
            each.write(&mut text, form);
        }
        write!(text, "__VERIFIER_assert({assertion});\n}}\n").expect("text");
        text
    }
}

/// The exit code: 0 holds, 1 violated, 2 unknown.
fn answer(folder: &Path, name: &str, text: &str) -> i32 {
    let path = folder.join(format!("{name}.c"));
    fs::write(&path, text).expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_kripke"))
        .args([
            "check",
            "--check",
            "assertion,loop-invariant,precondition,postcondition",
            "--timeout",
            "20s",
        ])
        .arg(&path)
        .output()
        .expect("kripke starts");
    let code = output.status.code().unwrap_or(-1);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!((0..=2).contains(&code), "{code}: {said}\n{text}");
    code
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn invariants_mean_assertions_at_the_heads() {
    let seed = number("KRIPKE_CONTRACT_SEED", 1);
    let (mut holds, mut violated, mut unknown) = (0, 0, 0);
    for index in 0..number("KRIPKE_CONTRACT_COUNT", 8) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(index));
        random.below(2);
        let program = program(&mut random);
        let by_hand = answer(folder.path(), "by_hand", &program(Form::ByHand));
        let without = answer(folder.path(), "without", &program(Form::None));
        for form in [Form::Clause, Form::Before, Form::First] {
            let text = program(form);
            let code = answer(folder.path(), "with", &text);
            match code {
                0 => holds += 1,
                1 => violated += 1,
                _ => unknown += 1,
            }
            let agrees = code == 2 || by_hand == 2 || code == by_hand;
            assert!(agrees, "seed {seed}, {index}: {code}, by hand {by_hand}\n{text}");
            assert!(
                code != 0 || without != 1,
                "seed {seed}, {index}: violated without\n{text}"
            );
        }
    }
    println!("{holds} hold, {violated} are violated, {unknown} unknown");
    assert!(
        violated > 0 && holds > 0 && unknown <= holds,
        "{holds} {violated} {unknown}"
    );
}

/// A program with a function that changes its parameter and two globals, called twice.
fn function(random: &mut Random) -> impl Fn(Form) -> String + use<> {
    let requires = expression(random);
    let ensures = expression(random);
    let kept = random.pick(&["b", "c"]);
    let compared = random.pick(&["==", "<=", "!="]);
    let returns = random.pick(&["a", "b", "c"]);
    let body: Vec<String> = (0..2 + random.below(3))
        .map(|_| {
            statement(random)
                .replace("break;", "return 1;")
                .replace("continue;", "return b;")
        })
        .collect();
    let arguments = [
        random.pick(&["3", "b", "nondet_uchar()"]),
        random.pick(&["0", "c", "nondet_uchar() & 7"]),
    ];
    move |form| {
        let tool = if form == Form::Clause {
            "__CPROVER"
        } else {
            "__ESBMC"
        };
        let post = format!("({ensures}) || {tool}_return_value {compared} {tool}_old({kept})");
        let (clauses, statements, name) = match form {
            Form::Clause => (
                format!("__CPROVER_requires({requires}) __CPROVER_ensures({post})"),
                String::new(),
                "f",
            ),
            Form::First => (
                String::new(),
                format!("__ESBMC_requires({requires}); __ESBMC_ensures({post});\n"),
                "f",
            ),
            Form::ByHand => (String::new(), String::new(), "body"),
            _ => (String::new(), String::new(), "f"),
        };
        let body = body.join("\n");
        let mut text = format!(
            "_Bool nondet_bool(void);\nunsigned char nondet_uchar(void);\nvoid __VERIFIER_assert(int);\n\
             unsigned char b = 2, c = 3;\n\
             unsigned char {name}(unsigned char a) {clauses}\n{{\n{statements}{body}\nreturn {returns};\n}}\n"
        );
        if form == Form::ByHand {
            let post = format!("({ensures}) || result {compared} old");
            text += &format!(
                "unsigned char f(unsigned char a)\n{{\n__VERIFIER_assert({requires});\n\
                 unsigned char old = {kept}, result = body(a);\n__VERIFIER_assert({post});\n\
                 return result;\n}}\n"
            );
        }
        let [first, second] = arguments;
        text + &format!("int main(void)\n{{\nc = f({first});\nf({second});\n}}\n")
    }
}

#[test]
fn contracts_mean_assertions_around_the_call() {
    let seed = number("KRIPKE_CONTRACT_SEED", 1);
    let (mut holds, mut violated) = (0, 0);
    for index in 0..3 * number("KRIPKE_CONTRACT_COUNT", 8) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut random = Random(seed.wrapping_mul(2_000_003).wrapping_add(index));
        random.below(2);
        let program = function(&mut random);
        let by_hand = answer(folder.path(), "by_hand", &program(Form::ByHand));
        for form in [Form::Clause, Form::First] {
            let text = program(form);
            let code = answer(folder.path(), "with", &text);
            assert_eq!(code, by_hand, "seed {seed}, {index}\n{text}");
            match code {
                0 => holds += 1,
                _ => violated += 1,
            }
        }
    }
    println!("{holds} hold, {violated} are violated");
    assert!(violated > 0 && holds > 0, "{holds} {violated}");
}
