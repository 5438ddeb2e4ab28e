//! The JSON report against its schema, `docs/report.schema.json`: every kind of verdict, argument, reason and
//! step.

use std::collections::BTreeSet;
use std::path::Path;

use kripke_model::{
    Argument, CrowdedLine, Explored, Explosion, Finding, Frame, FunctionResult, FunctionsReport,
    Interleavings, LoopInvariant, ManyValues, Open, OpenLoop, Outcome, Place, Property, PropertyKind,
    PropertyResult, Rank, Reason, Report, Statistics, Step, StepKind, Storage, Temporal, Trace, TraceValue,
    Verdict,
};
use kripke_report::{Checked, Document, Sources, explain, json};
use serde_json::Value;

fn schema_text() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

fn mistakes(report: &str) -> Vec<String> {
    let schema = jsonschema::validator_for(&schema_text()).expect("a schema");
    let report: Value = serde_json::from_str(report).expect("JSON");
    schema
        .iter_errors(&report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

fn place() -> Place {
    Place {
        file: "main.c".into(),
        line: 3,
        column: 5,
        function: "main".into(),
    }
}

fn value() -> TraceValue {
    TraceValue {
        type_name: "int".into(),
        text: "-1".into(),
        bits: "0xffffffff".into(),
    }
}

fn trace() -> Box<Trace> {
    let kinds = [
        StepKind::Call {
            function: "f".into(),
            arguments: vec![("x".into(), value())],
        },
        StepKind::Return {
            function: "f".into(),
            value: Some(value()),
        },
        StepKind::Return {
            function: "g".into(),
            value: None,
        },
        StepKind::Assign {
            target: "a[0]".into(),
            value: value(),
            storage: Storage::Heap,
        },
        StepKind::Input {
            source: "nondet".into(),
            category: "external".into(),
            value: value(),
            machine_type: "i32".into(),
        },
        StepKind::Output { text: "x\n".into() },
        StepKind::Branch { taken: true },
        StepKind::Letter {
            number: 1,
            atoms: vec![("x > 0".into(), true)],
            state: "s0".into(),
            value: "violated".into(),
        },
        StepKind::Instruction {
            address: "0x0000 <main>".into(),
            text: "ldi r24, 0x01".into(),
            changes: vec![("r24".into(), "0x01".into())],
        },
        StepKind::Environment {
            message: "INT0 arrives".into(),
        },
        StepKind::End {
            message: "the run ends".into(),
        },
        StepKind::Violation {
            property: "main.assertion.1".into(),
            message: "x".into(),
        },
    ];
    let step = |kind| Step {
        place: place(),
        depth: 1,
        kind,
    };
    Box::new(Trace {
        steps: kinds.into_iter().map(step).collect(),
        stack: vec![Frame {
            function: "main".into(),
            call: Place::default(),
        }],
        loop_start: Some(2),
        initial: vec![("count".into(), value())],
        locks: vec![kripke_model::LockChange {
            step: 1,
            thread: 2,
            lock: "bus".into(),
            holds: true,
        }],
        depends_on_addresses: true,
        schedule: Default::default(),
    })
}

fn reasons() -> Vec<Reason> {
    let text = String::from;
    vec![
        Reason::Bound {
            bound: 2,
            place: text("main.c:3"),
        },
        Reason::Time,
        Reason::Memory,
        Reason::States { limit: 10 },
        Reason::Interrupted,
        Reason::Probable { states: 7 },
        Reason::Disk {
            message: "no space left".into(),
        },
        Reason::Unsupported {
            what: text("inline assembly"),
            place: text("main.c:3"),
        },
        Reason::NotReplayed { end: text("it ends") },
        Reason::Solver {
            message: text("unknown"),
        },
        Reason::NotChecked,
        Reason::Contract { function: text("f") },
        Reason::Callers { function: text("f") },
    ]
}

fn verdicts() -> Vec<Verdict> {
    let arguments = [
        Argument::Trivial,
        Argument::GoodPrefixes { bound: 1 },
        Argument::AllPathsWithinBound { bound: 1 },
        Argument::Induction { k: 1 },
        Argument::Invariants { k: 1 },
        Argument::AbstractStates { states: 1 },
        Argument::CompleteExploration { states: 1 },
    ];
    let holds = arguments.into_iter().map(|argument| Verdict::Holds { argument });
    let unknown = reasons().into_iter().map(|reason| Verdict::Unknown { reason });
    let (trace, bound) = (trace(), 4);
    let others = [
        Verdict::Violated { trace: trace.clone() },
        Verdict::PresumablyHolds {
            trace: trace.clone(),
            bound,
        },
        Verdict::PresumablyViolated { trace, bound },
    ];
    holds.chain(unknown).chain(others).collect()
}

fn property(number: usize) -> Property {
    Property {
        id: format!("main.assertion.{number}"),
        kind: PropertyKind::Assertion,
        description: "x > 0".into(),
        place: place(),
    }
}

fn report() -> Report {
    let result = |(number, verdict)| {
        let mut result = PropertyResult::new(property(number), verdict);
        result.temporal = (number % 2 == 0).then(|| Temporal {
            formula: "G p".into(),
            class: "safety".into(),
            value: "violated".into(),
            bounds: Vec::new(),
            notes: vec!["a note".into()],
        });
        result.open = (number % 3 == 0).then(|| Open {
            searched: Some(2),
            loops: vec![OpenLoop {
                place: "main.c:3".into(),
                variables: vec!["i".into()],
                recursion: true,
            }],
            explosion: Some(Explosion {
                states: 5000,
                sample: 4096,
                values: vec![ManyValues {
                    name: "ticks".into(),
                    values: 4096,
                }],
                lines: vec![CrowdedLine {
                    place: "main.c:3".into(),
                    percent: 60,
                }],
                hints: vec!["a counter runs freely".into()],
            }),
        });
        result
    };
    Report {
        results: verdicts().into_iter().enumerate().map(result).collect(),
        assumptions: vec!["f has no body".into()],
        incomplete: Some(Reason::Time),
        invariants: vec![LoopInvariant {
            place: place(),
            conditions: vec!["i < 3".into()],
        }],
        statistics: Statistics {
            interleavings: Some(Interleavings::default()),
            explored: Some(Explored::default()),
            ..Statistics::default()
        },
    }
}

fn functions() -> FunctionsReport {
    let rank = Rank::Objects;
    FunctionsReport {
        functions: vec![FunctionResult {
            name: "f".into(),
            place: place(),
            is_entry_point: true,
            is_callback: false,
            callers: vec!["main".into()],
            verdict: Outcome::Unknown,
            unknown: 1,
            reason: Some(Reason::Time),
            refused: None,
            not_null: vec!["p".into()],
            seconds: 0.5,
        }],
        findings: vec![Finding {
            property: property(0),
            place: place(),
            rank,
            start: "f".into(),
            null: vec!["p".into()],
            contents: vec!["ring->head = 8".into()],
            trace: trace(),
        }],
    }
}

fn with_document<R>(program: &str, use_it: impl Fn(&Document) -> R) -> R {
    let (report, functions) = (report(), functions());
    let files = ["main.c".to_owned()];
    let checked = Checked {
        program,
        files: &files,
        report: &report,
        functions: Some(&functions),
        expected: &[],
        surprises: &[(
            "p".to_owned(),
            "the project expects: holds; found: unknown".to_owned(),
        )],
    };
    use_it(&Document::new(vec![checked], &Sources::none(), "1.0"))
}

#[test]
fn a_report_keeps_to_the_schema() {
    let text = with_document("", |document| json::render(document).expect("JSON"));
    assert_eq!(mistakes(&text), Vec::<String>::new());
}

#[test]
fn the_reports_of_a_project_keep_to_the_schema() {
    let rows: Value = serde_json::json!({
        "rows": [{ "program": "p", "property": "q", "verdict": "holds", "expected": "presumably holds",
                   "bounds": ["at bound 1: unknown, not holds"], "seconds": 0.5 }],
    });
    let text = with_document("p", |document| {
        json::render_project(document, &rows, 2).expect("JSON")
    });
    assert_eq!(mistakes(&text), Vec::<String>::new());
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let text = with_document("", |document| json::render(document).expect("JSON"));
    for (right, wrong) in [
        ("\"schema_version\": 2", "\"schema_version\": 1"),
        ("\"verdict\": \"holds\"", "\"verdict\": \"likely\""),
        ("\"kind\": \"not-checked\"", "\"kind\": \"not-seen\""),
        ("\"taken\": true", "\"taken\": 1"),
        ("\"machine_type\"", "\"type\""),
    ] {
        assert!(text.contains(right), "{right}");
        let changed = text.replace(right, wrong);
        assert!(!mistakes(&changed).is_empty(), "{wrong} passes");
    }
}

#[test]
fn the_schema_knows_every_reason() {
    let schema = schema_text();
    let known = schema["$defs"]["reason"]["oneOf"].as_array().expect("reasons");
    let known: BTreeSet<&str> = known
        .iter()
        .filter_map(|reason| reason["properties"]["kind"]["const"].as_str())
        .collect();
    let explained: BTreeSet<&str> = explain::all_reasons().map(|reason| reason.name).collect();
    assert_eq!(known, explained);
    for reason in reasons() {
        let written = serde_json::to_value(&reason).expect("JSON");
        assert_eq!(written["kind"], explain::of_reason(&reason).name);
    }
}
