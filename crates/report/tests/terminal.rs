//! Reports as they appear on a terminal.

use kripke_model::{
    Argument, Frame, Open, OpenLoop, Place, Property, PropertyKind, PropertyResult, Reason, Report,
    Statistics, Step, StepKind, Storage, Trace, TraceValue, Verdict,
};
use kripke_report::{Sources, Style, TerminalOptions};

const SOURCE: &str = "\
int nondet(void);
int half(int x) {
    return 100 / x;
}
int main(void) {
    int total = 0;
    for (int i = 0; i < 20; i++)
        total += i;
    return half(nondet());
}
";

fn place(line: u32, column: u32, function: &str) -> Place {
    Place {
        file: "main.c".into(),
        line,
        column,
        function: function.into(),
    }
}

fn value(type_name: &str, text: &str, bits: &str) -> TraceValue {
    TraceValue {
        type_name: type_name.into(),
        text: text.into(),
        bits: bits.into(),
    }
}

fn step(place: Place, depth: u32, kind: StepKind) -> Step {
    Step { place, depth, kind }
}

fn trace() -> Trace {
    let int = |number: u32| value("int", &number.to_string(), &format!("{number:#010x}"));
    let assign = |target: &str, value| StepKind::Assign {
        target: target.into(),
        value,
        storage: Storage::Local,
    };
    let mut steps = vec![step(place(6, 9, "main"), 0, assign("total", int(0)))];
    for i in 0..20 {
        steps.push(step(place(7, 14, "main"), 0, assign("i", int(i))));
        steps.push(step(
            place(8, 15, "main"),
            0,
            assign("total", int(i * (i + 1) / 2)),
        ));
    }
    let input = StepKind::Input {
        source: "nondet".into(),
        category: "external".into(),
        value: int(0),
        machine_type: "i32".into(),
    };
    steps.push(step(place(9, 17, "main"), 0, input));
    let call = StepKind::Call {
        function: "half".into(),
        arguments: vec![("x".into(), int(0))],
    };
    steps.push(step(place(9, 12, "main"), 0, call));
    let violation = StepKind::Violation {
        property: "half.division-by-zero.1".into(),
        message: "100 / 0".into(),
    };
    steps.push(step(place(3, 16, "half"), 1, violation));
    let stack = vec![
        Frame {
            function: "main".into(),
            call: Place::default(),
        },
        Frame {
            function: "half".into(),
            call: place(9, 12, "main"),
        },
    ];
    Trace {
        steps,
        stack,
        loop_start: None,
        initial: Vec::new(),
        locks: Vec::new(),
        depends_on_addresses: false,
        schedule: Default::default(),
    }
}

fn result(id: &str, kind: PropertyKind, verdict: Verdict) -> PropertyResult {
    let property = Property {
        id: id.into(),
        kind,
        description: "division by zero".into(),
        place: place(3, 16, "half"),
    };
    PropertyResult::new(property, verdict)
}

fn check(results: Vec<PropertyResult>, verbose: bool, expected: &str) {
    let statistics = Statistics {
        seconds: 0.25,
        queries: 1,
        peak_memory: 20_000_000,
        ..Statistics::default()
    };
    let report = Report {
        results,
        assumptions: vec!["nondet() has no body: any value".into()],
        incomplete: None,
        invariants: Vec::new(),
        statistics,
    };
    let sources = Sources::new("", |_| Some(SOURCE.to_string()));
    let options = TerminalOptions {
        style: Style::plain(),
        verbose,
        quiet: false,
    };
    let text = kripke_report::render(&report, &sources, &options);
    assert_eq!(text.trim_end(), expected.trim(), "\n{text}");
}

#[test]
fn a_violation_is_shown_with_its_run() {
    let trace = Box::new(trace());
    let results = vec![result(
        "half.division-by-zero.1",
        PropertyKind::DivisionByZero,
        Verdict::Violated { trace },
    )];
    check(
        results,
        false,
        r"
violated[division-by-zero]: division by zero
  --> main.c:3:16 in half
     |
   2 | int half(int x) {
   3 |     return 100 / x;
     |                ^ 100 / 0
     |
   = property: half.division-by-zero.1
   = call stack: main → half (called at main.c:9)

   How it happens (1 input):
    in main (main.c):
       6:9   int total = 0;
             total = 0 : int
       7:14  for (int i = 0; i < 20; i++)
             i = 0 : int
       8:15  total += i;
             total = 0 : int
       7:14  for (int i = 0; i < 20; i++)
             i = 1 : int
       8:15  total += i;
             total = 1 : int
         … 17 more iterations of lines 7–8 (--verbose shows them) …
       7:14  for (int i = 0; i < 20; i++)
             i = 19 (0x00000013) : int
       8:15  total += i;
             total = 190 (0x000000be) : int
       9:17  return half(nondet());
             input 1: nondet() [no body: any value] = 0 : int
             → half(x = 0)
      in half (main.c):
         3:16  return 100 / x;
               violated: 100 / 0

The verdict rests on:
  - nondet() has no body: any value
VIOLATED: 1 property: 1 violated (0.25 s, 20 MB, 1 solver query)
",
    );
}

#[test]
fn open_and_proved_properties_are_grouped() {
    let bound = Reason::Bound {
        bound: 8,
        place: "main.c:7".into(),
    };
    let holds = |argument| Verdict::Holds { argument };
    let results = vec![
        result(
            "half.overflow.1",
            PropertyKind::Overflow,
            Verdict::Unknown {
                reason: bound.clone(),
            },
        ),
        result(
            "main.overflow.1",
            PropertyKind::Overflow,
            Verdict::Unknown { reason: bound },
        ),
        result(
            "main.bounds.1",
            PropertyKind::Bounds,
            holds(Argument::Induction { k: 2 }),
        ),
        result(
            "main.bounds.2",
            PropertyKind::Bounds,
            holds(Argument::Induction { k: 2 }),
        ),
        result(
            "main.shift.1",
            PropertyKind::Shift,
            holds(Argument::Induction { k: 2 }),
        ),
    ];
    check(
        results,
        false,
        r"
unknown: 2 properties: no violation within bound 8, but the loop at main.c:7 goes on (raise --unwind)
    half.overflow.1  main.c:3:16  division by zero
    main.overflow.1  main.c:3:16  division by zero
holds: 3 properties (1 shift, 2 bounds): proved for any number of iterations by 2-induction
The verdict rests on:
  - nondet() has no body: any value
UNKNOWN: 5 properties: 3 hold, 2 unknown (0.25 s, 20 MB, 1 solver query)
",
    );
}

#[test]
fn what_is_open_says_what_is_missing() {
    let open = |searched, variables: &[&str], recursion| {
        let loops = vec![OpenLoop {
            place: "main.c:7".into(),
            variables: variables.iter().map(|name| (*name).to_string()).collect(),
            recursion,
        }];
        PropertyResult {
            open: Some(Open {
                searched,
                loops,
                ..Open::default()
            }),
            ..result(
                "half.overflow.1",
                PropertyKind::Overflow,
                Verdict::Unknown { reason: Reason::Time },
            )
        }
    };
    let hard = PropertyResult {
        open: Some(Open {
            searched: Some(1),
            ..Open::default()
        }),
        ..open(None, &[], false)
    };
    let odd = Verdict::Unknown {
        reason: Reason::NotReplayed {
            end: "the run ends".into(),
        },
    };
    let results = vec![
        open(Some(8), &["head", "count"], false),
        open(Some(8), &["head", "count"], false),
        open(None, &[], true),
        hard,
        result("half.bounds.1", PropertyKind::Bounds, odd),
    ];
    check(
        results,
        false,
        r"
unknown: 2 properties: the time limit was reached (raise --timeout)
    half.overflow.1  main.c:3:16  division by zero
    half.overflow.1  main.c:3:16  division by zero
    = searched: no violation where every loop runs at most 8 times
    = missing: an invariant of the loop at main.c:7 that says enough of `head`, `count`
    = next: more time (--timeout), or what you know of them: `__VERIFIER_loop_invariant(…)` in that loop
unknown: 1 property: the time limit was reached (raise --timeout)
    half.overflow.1  main.c:3:16  division by zero
    = searched: not even runs in which every loop runs once
    = missing: an end of the recursion at main.c:7, or a proof for any number of its iterations
    = next: more time (--timeout), or inputs that bound the loop
unknown: 1 property: the time limit was reached (raise --timeout)
    half.overflow.1  main.c:3:16  division by zero
    = searched: no violation where every loop runs at most 1 time
    = next: more time (--timeout), another solver (--solver), or inputs of fewer bytes
unknown: 1 property: a violation does not replay: the run ends (a defect of Kripke: please report it)
    half.bounds.1  main.c:3:16  division by zero
The verdict rests on:
  - nondet() has no body: any value
UNKNOWN: 5 properties: 5 unknown (0.25 s, 20 MB, 1 solver query)
",
    );
}
