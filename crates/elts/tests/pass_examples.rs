//! What each pass makes of a small example.

mod support;

use kripke_elts::passes::{PASSES, PassOptions, certain_assertions, optimise};
use kripke_elts::{FunctionId, Id, Program, text};
use support::with_main;

/// The body of `main` after the passes, without names of locations and positions.
fn body(program: &Program) -> String {
    let printed = text::print_function(program, FunctionId::new(0));
    let start = printed.find("\nl0").map_or(0, |at| at + 1);
    let lines = printed[start..]
        .lines()
        .map(|line| line.split(" @").next().unwrap_or_default().trim_end_matches(';'));
    let lines: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "}")
        .collect();
    lines.join("\n")
}

/// Runs the passes of these names, once each.
fn check(program: &Program, passes: &[&str], options: &PassOptions, expected: &str) {
    let mut program = program.clone();
    for name in passes {
        let (_, pass) = PASSES
            .iter()
            .find(|(known, _)| known == name)
            .expect("a pass of that name");
        pass(&mut program, options);
    }
    let lines: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(body(&program), lines.join("\n"));
}

fn plain() -> PassOptions {
    PassOptions::default()
}

const CHECKED_ADDITION: &str = "
l0 \"entry\":
  when sadd_overflow(x, y) {} goto l2;
  when !(sadd_overflow(x, y)) {} goto l3;
l1 \"exit\":
l2 \"handler\":
  when true { assert(false) p0; stop abort; } goto l1;
l3 \"cont\":
  when true { status = x + y; } goto l1;
}";

fn main_of(variables: &str, locations: &str) -> Program {
    let text = format!(
        "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
        global table c \"table\" size 8 align 4 {{ 4: i32 = 7i32; }}
        p0 overflow \"no overflow\" in main p1 assertion \"a\" in main
        function main() -> (status) entry l0 exit l1 {{ local i32 status; {variables} {locations}"
    );
    support::program(&text)
}

#[test]
fn a_checked_addition_is_one_line() {
    let program = main_of("local i32 x; local i32 y;", CHECKED_ADDITION);
    check(
        &program,
        &["branch-asserts", "unreachable", "merge-locations"],
        &plain(),
        "l0 \"entry\":
        when true {
        assert(!(sadd_overflow(x, y))) p0
        status = x + y
        } goto l1
        l1 \"exit\":",
    );
}

#[test]
fn a_check_that_is_not_selected_wraps_but_an_assertion_ends_the_path() {
    let program = main_of("local i32 x; local i32 y;", CHECKED_ADDITION);
    let options = PassOptions {
        selected: Some(Vec::new()),
        ..plain()
    };
    check(
        &program,
        &[
            "branch-asserts",
            "selection",
            "dead-assignments",
            "unreachable",
            "merge-locations",
        ],
        &options,
        "l0 \"entry\":
        when true {
        status = x + y
        } goto l1
        l1 \"exit\":",
    );
    let program = with_main(
        "",
        "local i32 x;",
        "x = nondet input \"f\"; assert(x <s 5i32) p3; status = x;",
    );
    check(
        &program,
        &["selection"],
        &options,
        "l0 \"entry\":
        when true {
        x = nondet input \"f\"
        assume(x <s 5i32)
        status = x
        } goto l1
        l1 \"exit\":",
    );
}

#[test]
fn temporaries_fold_and_coalesce() {
    let variables = "local i32 x; local i32 y; temporary i32 a; temporary i32 b; temporary i32 c;";
    let program = with_main(
        "",
        variables,
        "a = x + 1i32; x = 2i32; b = y * 3i32; status = a + b; c = nondet input \"f\"; y = c;",
    );
    // `a` cannot move past the assignment to `x`.
    check(
        &program,
        &["fold-temporaries", "coalesce"],
        &plain(),
        "l0 \"entry\":
        when true {
        a = x + 1i32
        x = 2i32
        status = a + (y * 3i32)
        y = nondet input \"f\"
        } goto l1
        l1 \"exit\":",
    );
}

#[test]
fn constants_decide_branches() {
    let locations = "
        l0 \"entry\": when true { x = 3i32; } goto l2;
        l1 \"exit\":
        l2 \"if\": when x <s 5i32 { y = x + 1i32; } goto l3; when 5i32 <=s x { y = 0i32; } goto l3;
        l3 \"end\": when true { status = *i32(&table +p (zext<i64>(y) * 1i64)) align 4; } goto l1; }";
    let program = main_of("local i32 x; local i32 y;", locations);
    let passes = [
        "constants",
        "unreachable",
        "merge-locations",
        "constants",
        "read-only-globals",
        "constants",
    ];
    check(
        &program,
        &passes,
        &plain(),
        "l0 \"entry\":
        when true {
        x = 3i32
        y = 4i32
        status = 7i32
        } goto l1
        l1 \"exit\":",
    );
}

#[test]
fn slicing_removes_counting_loops_but_not_endless_ones() {
    let text = |test: &str| {
        format!(
            "l0 \"entry\": when true {{ i = 0i32; s = 0i32; }} goto l2;
            l1 \"exit\":
            l2 \"loop\": when {test} {{ s = s + i; i = i + 1i32; }} goto l2; when !({test}) {{}} goto l3;
            l3 \"end\": when true {{ status = 0i32; assert(status !=  1i32) p1; }} goto l1; }}"
        )
    };
    let options = PassOptions {
        slice: true,
        ..plain()
    };
    let variables = "local i32 i; local i32 s;";
    let mut program = main_of(variables, &text("i <s 10i32"));
    optimise(&mut program, &options);
    assert_eq!(
        body(&program),
        "l0 \"entry\":\nwhen true {\nstatus = 0i32\n} goto l1\nl1 \"exit\":"
    );
    let mut program = main_of(variables, &text("i !=  -1i32"));
    optimise(&mut program, &options);
    assert!(body(&program).contains("goto l2"), "{}", body(&program));
}

/// A check that ends no path where nobody asks for it (p1) tells nothing of what comes behind it; one that
/// always does (p3) does.
#[test]
fn an_assertion_is_certain_whoever_is_asked_for() {
    let checked = |first: &str, second: &str| {
        let body = format!("x = nondet input \"f\"; assert(x <s 5i32) {first}; assert(x <s 7i32) {second};");
        let mut program = with_main("", "local i32 x;", &body);
        certain_assertions::run(&mut program);
        text::print_function(&program, FunctionId::new(0)).contains("assert(x <s 7i32)")
    };
    assert!(checked("p1", "p3"));
    assert!(!checked("p3", "p1"));
}
