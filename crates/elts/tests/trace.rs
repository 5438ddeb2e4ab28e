//! Traces in the words of C.

mod support;

use kripke_elts::interpreter::RunOptions;
use kripke_elts::trace::trace_run;
use kripke_model::{StepKind, TraceValue};
use support::{List, program};

const PROGRAM: &str = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
file0 \"main.c\"
file1 \"string.c\" library
ctype0 base \"int\" 32 signed
ctype1 base \"char\" 8 signed_char
ctype2 struct \"point\" 12 { \"x\" ctype0 bit 0 bits 32; \"y\" ctype3 bit 32 bits 32; \"low\" ctype4 bit 64 bits 3 field; \"high\" ctype4 bit 67 bits 5 field; }
ctype3 enum \"color\" 32 unsigned { \"RED\" 0; \"GREEN\" 5; }
ctype4 base \"unsigned int\" 32 unsigned
ctype5 array ctype2 3
ctype6 pointer ctype2
ctype7 base \"float\" 32 float
ctype8 array ctype1 6
ctype9 pointer ctype0
ctype10 typedef \"number\" ctype0
global grid c \"grid\" size 36 align 4 ctype5 @1:1
global text c \"text\" size 6 align 1 ctype8 @1:1
global hello size 6 align 1 constant { 0: i8 = 104i8; 1: i8 = 105i8; }
site0 \"malloc\" align 16 @1:1
site1 \"local\" align 4 ctype0 @f1:1:1
p0 assertion \"x != 5\" in main @9:1
function main() -> (status) entry l0 exit l1 @2:1 {
local i32 status ctype0; local ptr p ctype6; local f32 f ctype7; local ptr q ctype9; local i8 c ctype1; local i32 n ctype10;
l0 \"\":
when true {
  *i32(&grid +p 16i64) = 5i32 align 4 @3:1;
  *i32(&grid +p 24i64) = -7i32 align 4 @3:2;
  *i8(&grid +p 20i64) = 11i8 align 1 @3:3;
  p = &grid +p 12i64 @3:4;
  f = 0.1f32 @3:5;
  memcpy(&text, &hello, 6i64) @3:6;
  q = heap(8i64) site0 @3:7;
  *i32(q +p 4i64) = 9i32 align 4 @3:8;
  c = 97i8 @3:9;
  n = nondet input \"__VERIFIER_nondet_int\" @3:10;
  call helper(&grid) @3:11;
  status = call add(n) @3:12;
  assert(status !=  5i32) p0 @9:1;
} goto l1;
l1 \"\":
}
function helper(target) entry l0 exit l1 @f1:5:1 {
parameter ptr target; local ptr own; local i32 counter;
l0 \"\": when true { counter = 1i32 @6:1; own = stack(4i64) site1 @6:1; *i32(own) = 1i32 align 4 @6:1; *i32(target) = 8i32 align 4 @6:2; } goto l1;
l1 \"\":
}
function add(a) -> (r) entry l0 exit l1 @20:1 {
parameter i32 a ctype0; local i32 r ctype0;
l0 \"\": when a <s 10i32 @21:1 { r = a + 1i32 @21:2; } goto l1; when 10i32 <=s a @21:1 { r = 0i32 @21:3; } goto l1;
l1 \"\" @22:1:
}";

fn shown(kind: &StepKind) -> String {
    let value = |value: &TraceValue| format!("{} ({})", value.text, value.type_name);
    match kind {
        StepKind::Assign {
            target, value: new, ..
        } => format!("{target} = {}", value(new)),
        StepKind::Letter { number, .. } => format!("letter {number}"),
        StepKind::Instruction { .. } | StepKind::Environment { .. } => unreachable!("C has no instructions"),
        StepKind::End { message } => format!("end: {message}"),
        StepKind::Call { function, arguments } => {
            let arguments: Vec<String> = arguments
                .iter()
                .map(|(name, new)| format!("{name} = {}", value(new)))
                .collect();
            format!("call {function}({})", arguments.join(", "))
        }
        StepKind::Return { function, value: new } => {
            format!(
                "return {function} {}",
                new.as_ref().map(value).unwrap_or_default()
            )
        }
        StepKind::Input {
            source,
            category,
            value: new,
            machine_type,
        } => {
            format!("{category} {source} = {} {machine_type} {}", new.text, new.bits)
        }
        StepKind::Output { text } => format!("output {text}"),
        StepKind::Branch { taken } => format!("branch {taken}"),
        StepKind::Violation { property, message } => format!("violation {property}: {message}"),
    }
}

#[test]
fn a_trace_speaks_c() {
    let program = program(PROGRAM);
    let (_, trace) = trace_run(&program, &mut List::of(&[4]), &RunOptions::default());
    let lines: Vec<String> = trace
        .steps
        .iter()
        .map(|step| {
            format!(
                "{}:{} {} {}",
                step.place.line,
                step.place.column,
                step.depth,
                shown(&step.kind)
            )
        })
        .collect();
    let expected = [
        "0:0 0 call main()",
        "3:1 0 grid[1].y = GREEN (enum color)",
        "3:2 0 grid[2].x = -7 (int)",
        "3:3 0 grid[1].low = 3 (unsigned int)",
        "3:3 0 grid[1].high = 1 (unsigned int)",
        "3:4 0 p = &grid[1] (struct point *)",
        "3:5 0 f = 0.1f (float)",
        "3:6 0 text = \"hi\" (char[6])",
        "3:7 0 q = &malloc#1 (int *)",
        "3:8 0 malloc#1[1] = 9 (int)",
        "3:9 0 c = 'a' (char)",
        "3:10 0 input __VERIFIER_nondet_int = 4 i32 0x00000004",
        "3:10 0 n = 4 (number)",
        "3:11 0 grid[0].x = 8 (int)",
        "3:12 0 call add(a = 4 (int))",
        "21:1 1 branch true",
        "21:2 1 r = 5 (int)",
        "22:1 1 return add 5 (int)",
        "3:12 0 status = 5 (int)",
        "9:1 0 violation main.assertion.1: x != 5",
    ];
    assert_eq!(lines, expected);
    let stack: Vec<&str> = trace.stack.iter().map(|frame| frame.function.as_str()).collect();
    assert_eq!(stack, ["main"]);
}

#[test]
fn a_long_run_keeps_its_end_and_all_inputs() {
    let text = "elts 1 machine pointer 64 int 32 long 64 little \"\" entry main
        p0 assertion \"end\" in main
        function main() entry l0 exit l1 { local i32 i; local i32 x;
        l0 \"\": when true { i = 0i32; } goto l2;
        l1 \"\":
        l2 \"\": when i <s 500i32 { i = i + 1i32; x = nondet input \"f\"; } goto l2; when !(i <s 500i32) { assert(false) p0; } goto l1; }";
    let program = program(text);
    let mut builder = kripke_elts::trace::TraceBuilder::new(&program).with_limit(100);
    kripke_elts::interpreter::run(
        &program,
        &mut List::default(),
        &RunOptions::default(),
        &mut builder,
    );
    let steps = builder.finish().steps;
    let inputs = steps
        .iter()
        .filter(|step| matches!(step.kind, StepKind::Input { .. }))
        .count();
    assert_eq!(inputs, 500);
    assert!(steps.len() <= 600);
    assert!(matches!(
        steps.last().map(|step| &step.kind),
        Some(StepKind::Violation { .. })
    ));
}
