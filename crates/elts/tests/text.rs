//! The text form: errors with their place, and no panic on any text.

use kripke_elts::random::{Random, RandomOptions, random_program};
use kripke_elts::text::{parse, print};
use kripke_elts::{dot, verify};

fn check_error(text: &str, expected: &str) {
    let error = parse(text).expect_err("the text is wrong");
    assert_eq!(error.to_string(), expected);
}

const HEAD: &str = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main\n";

#[test]
fn errors_have_a_place_and_a_remedy() {
    let main = |body: &str| {
        format!(
            "{HEAD}function main() entry l0 exit l1 {{ local i32 x;\nl0 \"\":\n when {body} goto \
             l1;\nl1 \"\":\n}}"
        )
    };
    check_error("", "1:1: expected `elts`");
    check_error("elts 2", "1:6: this is not version 1 of the text form");
    check_error(
        &main("true { x = 1; }"),
        "4:18: `1` is no literal; literals are `5i32`, `0.5f64` and the like",
    );
    check_error(
        &main("true { y = 1i32; }"),
        "4:14: `y` is not declared as a variable",
    );
    check_error(
        &main("true { x = x + x + x; }"),
        "4:24: operators have no precedence: put the part before this one in parentheses",
    );
    check_error(&main("true { x = \"a }"), "4:18: text without end");
    check_error(&main("true { x = 5i32 }"), "4:23: expected `;`");
    check_error(
        &main("true { frobnicate x; }"),
        "4:14: `frobnicate` begins no statement",
    );
    check_error(
        &main("true { x = 1i0; }"),
        "4:18: `1i0` is no literal; literals are `5i32`, `0.5f64` and the like",
    );
    check_error(
        &main("true { x = sadd_overflow(x); }"),
        "4:33: `sadd_overflow` takes 2 operands",
    );
}

#[test]
fn awkward_names_survive() {
    let text = format!(
        "{HEAD}global `a b` size 4 align 4\nglobal `a b` size 4 align 4\n
        function main(`x\\u{{60}}`) -> (`free`, #v2) entry l0 exit l0 {{
        parameter i32 `x\\u{{60}}`; local i32 `free`; local i32 `1`; local i32 p; local i32 p; local ptr q;
        l0 \"\": when `free` ==  #v3 {{ `free` = -#v4; q = &#g1; }} goto l0; }}"
    );
    let program = parse(&text).expect("a program");
    assert_eq!(parse(&print(&program)).expect("its text"), program);
    assert_eq!(program.globals.len(), 2);
}

#[test]
fn damaged_texts_do_not_panic() {
    let mut parsed = 0;
    for seed in 0..400 {
        let options = RandomOptions {
            size: 8,
            ..RandomOptions::default()
        };
        let text = print(&random_program(seed, &options));
        let mut random = Random::new(seed);
        for _ in 0..10 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + random.below(3) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = random.pick(b" (){}[]@#;:0123456789abcilpv\"`+-*/<>=!"),
                    _ => bytes.insert(at, random.pick(b" (){}[]@#;:09ilpv\"`+-")),
                }
            }
            let damaged = String::from_utf8_lossy(&bytes);
            if let Ok(program) = parse(&damaged) {
                parsed += u32::from(verify(&program).is_ok());
            }
        }
    }
    assert!(parsed > 100, "only {parsed} damaged texts are programs");
}

#[test]
fn dot_names_every_location() {
    let program = random_program(3, &RandomOptions::default());
    let graph = dot(&program);
    for (id, function) in program.functions.enumerate() {
        for location in function.locations.ids() {
            assert!(
                graph.contains(&format!("{id}_{location} [label=")),
                "{id} {location}"
            );
        }
    }
    assert_eq!(graph.matches('{').count() >= 1, graph.ends_with("}\n"));
}
