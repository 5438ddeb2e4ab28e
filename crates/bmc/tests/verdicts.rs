//! Verdicts on small programs in the model's text form: bounds, completeness, induction, selection.

use kripke_bmc::{Options, Silent, check};
use kripke_model::{Argument, Reason, Report, Verdict};

/// Wraps the body of `main` into a program; properties are numbered from `p0`, all assertions.
fn program(properties: usize, variables: &str, locations: &str) -> kripke_elts::Program {
    let mut text = String::from(
        "elts 1\nmachine pointer 32 int 32 long 32 little \"test\"\nentry main\nfile0 \"test.c\"\n",
    );
    for index in 0..properties {
        text.push_str(&format!(
            "p{index} assertion \"assertion {index}\" in main @{}:1\n",
            index + 1
        ));
    }
    let labelled = locations.lines().map(|line| match line.split_once(':') {
        Some((label, rest)) if label.starts_with('l') => format!("{label} \"\":{rest}\n"),
        _ => format!("{line}\n"),
    });
    let locations: String = labelled.collect();
    text.push_str("function main() -> () entry l0 exit l1 @1:1 {\n");
    text.push_str(&format!("{variables}\n{locations}}}\n"));
    kripke_elts::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn run(program: &kripke_elts::Program, options: &Options) -> Report {
    check(program, options, &mut Silent).expect("the engine agrees with itself")
}

fn words(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds {
            argument: Argument::Trivial,
        } => "trivial",
        Verdict::Holds {
            argument: Argument::AllPathsWithinBound { .. },
        } => "bounded",
        Verdict::Holds {
            argument: Argument::Induction { .. },
        } => "induction",
        Verdict::Holds { .. } => "holds",
        Verdict::Violated { .. } => "violated",
        Verdict::Unknown {
            reason: Reason::Bound { .. },
        } => "bound",
        Verdict::Unknown {
            reason: Reason::NotChecked,
        } => "not checked",
        Verdict::Unknown {
            reason: Reason::Unsupported { .. },
        } => "unsupported",
        _ => "unknown",
    }
}

fn all_words(report: &Report) -> Vec<&'static str> {
    let results = report.results.iter();
    results.map(|result| words(&result.verdict)).collect()
}

fn verdicts(properties: usize, variables: &str, locations: &str, options: &Options, expected: &[&str]) {
    let report = run(&program(properties, variables, locations), options);
    let found: Vec<&str> = all_words(&report);
    assert_eq!(found, expected);
}

/// Counts an input down to zero, and asserts that it is zero then.
const COUNTDOWN: &str = "
l0: when true { x = nondet input \"in\"; assume(x <u 6i8); } goto l2;
l1:
l2: when x != 0i8 { x = x - 1i8; } goto l2;
    when !(x != 0i8) { assert(x == 0i8) p0; assert(false) p1; } goto l1;";

#[test]
fn a_bounded_loop_is_seen_to_its_end() {
    let options = Options {
        all: true,
        k_induction: false,
        ..Options::default()
    };
    verdicts(2, "local i8 x;", COUNTDOWN, &options, &["trivial", "violated"]);
}

#[test]
fn the_first_violation_ends_the_search() {
    let locations = "
l0: when true { x = nondet input \"in\"; assert(x <u 9i8) p0; assert(x != 3i8) p1; } goto l1;
l1:";
    let report = run(&program(2, "local i8 x;", locations), &Options::default());
    let mut found: Vec<&str> = all_words(&report);
    found.sort_unstable();
    assert_eq!(found, ["not checked", "violated"]);
    let all = Options {
        all: true,
        ..Options::default()
    };
    verdicts(2, "local i8 x;", locations, &all, &["violated", "violated"]);
}

#[test]
fn invariants_alone_prove_and_never_violate() {
    let options = Options {
        only_invariants: true,
        all: true,
        ..Options::default()
    };
    let report = run(&program(2, "local i8 x;", COUNTDOWN), &options);
    assert!(matches!(report.results[0].verdict, Verdict::Holds { .. }));
    assert!(matches!(report.results[1].verdict, Verdict::Unknown { .. }));
}

/// Looks for a zero in its inputs; before that it reads one, and none of those passed is zero.
const SEARCH: &str = "
l0: when true { x = nondet input \"in\"; n = 0i8; } goto l2;
l1:
l2: when (x != 0i8) & (n <u 100i8) { n = n + 1i8; x = nondet input \"in\"; } goto l2;
    when !((x != 0i8) & (n <u 100i8)) { assert(n <u 101i8) p0; assert(n == 0i8) p1; } goto l1;";

/// That the loop is left in its first round and that it is entered in an arbitrary state exclude each other:
/// a proof that took both for one path would find that nothing arrives in another round.
#[test]
fn the_first_entry_is_not_the_arbitrary_state() {
    let options = Options {
        only_invariants: true,
        all: true,
        ..Options::default()
    };
    let report = run(&program(2, "local i8 x;\nlocal i8 n;", SEARCH), &options);
    let verdicts: Vec<&str> = all_words(&report);
    assert_eq!(verdicts[0], "holds");
    assert!(
        matches!(report.results[1].verdict, Verdict::Unknown { .. }),
        "{verdicts:?}"
    );
}

/// A counter that never leaves 0..=10, changed by inputs for ever.
const MACHINE: &str = "
l0: when true { x = 0i32; } goto l2;
l1:
l2: when true { in = nondet input \"in\"; } goto l3;
l3: when in & (x <s 10i32) { x = x + 1i32; } goto l4;
    when !(in & (x <s 10i32)) { x = (x >>u 1i32); } goto l4;
l4: when true { assert((x >=s 0i32) & (x <=s 10i32)) p0; } goto l2;";

#[test]
fn a_loop_that_never_ends_needs_induction() {
    let machine = MACHINE.replace("x >=s 0i32", "0i32 <=s x");
    verdicts(
        1,
        "local i32 x;\nlocal i1 in;",
        &machine,
        &Options::default(),
        &["induction"],
    );
    let without = Options {
        k_induction: false,
        max_bound: 8,
        ..Options::default()
    };
    verdicts(1, "local i32 x;\nlocal i1 in;", &machine, &without, &["bound"]);
    let fixed = Options {
        k_induction: false,
        unwind: Some(3),
        ..Options::default()
    };
    verdicts(1, "local i32 x;\nlocal i1 in;", &machine, &fixed, &["bound"]);
}

#[test]
fn induction_does_not_hide_a_late_violation() {
    let locations = "
l0: when true { x = 0i32; } goto l2;
l1:
l2: when true { in = nondet input \"in\"; } goto l3;
l3: when in { x = x + 1i32; } goto l4;
    when !in {} goto l4;
l4: when true { assert(x != 21i32) p0; } goto l2;";
    verdicts(
        1,
        "local i32 x;\nlocal i1 in;",
        locations,
        &Options::default(),
        &["violated"],
    );
}

#[test]
fn what_is_not_modelled_counts_only_where_it_is_reached() {
    let locations = "
l0: when true { x = nondet input \"in\"; assert(x == x) p0; } goto l2;
l1:
l2: when x == 200i8 { unsupported \"inline assembly\"; } goto l1;
    when !(x == 200i8) {} goto l1;";
    verdicts(1, "local i8 x;", locations, &Options::default(), &["unsupported"]);
    let unreached = locations.replace("x == x) p0", "x <u 100i8) p0");
    let options = Options {
        all: true,
        ..Options::default()
    };
    verdicts(1, "local i8 x;", &unreached, &options, &["violated"]);
}

#[test]
fn a_state_that_repeats_ends_a_loop() {
    let locations = "
l0: when true { x = 1i8; } goto l2;
l1:
l2: when x == 2i8 {} goto l1;
    when !(x == 2i8) { assert(x == 1i8) p0; } goto l2;";
    let options = Options {
        k_induction: false,
        ..Options::default()
    };
    verdicts(1, "local i8 x;", locations, &options, &["trivial"]);
}
