//! What the tests of this crate share: programs in short, and inputs from a list.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::VecDeque;

use kripke_elts::interpreter::{End, Event, Inputs, Observer, OutputCollector, RunOptions, View, run};
use kripke_elts::random::Random;
use kripke_elts::{
    FunctionId, Id, NondetSource, Position, Program, ScalarValue, Type, VariableId, text, verify,
};
use kripke_value::{BitVec, Float};

/// A program for a 64-bit machine whose `main` has these variables and this code from `l0`; `l1` is the exit.
/// Properties `p0` to `p3` are pointer, uninitialised, free and assertion.
pub fn with_main(globals: &str, variables: &str, body: &str) -> Program {
    with_functions(globals, variables, body, "")
}

/// The same with more functions.
pub fn with_functions(globals: &str, variables: &str, body: &str, functions: &str) -> Program {
    let text = format!(
        "elts 1 machine pointer 64 int 32 long 64 little \"x86_64\" entry main
file0 \"main.c\"
{globals}
site0 \"buf\" align 4 @3:1
site1 \"malloc\" align 16 @4:1
p0 pointer \"valid access\" in main @1:1
p1 uninitialised \"initialised\" in main @1:1
p2 free \"valid free\" in main @1:1
p3 assertion \"x < 5\" in main @1:1
function main() -> (status) entry l0 exit l1 @2:1 {{
local i32 status;
{variables}
l0 \"entry\":
when true {{ {body} }} goto l1;
l1 \"exit\":
}}
{functions}"
    );
    program(&text)
}

/// A program from its text; panics with the reason where it is none.
pub fn program(text: &str) -> Program {
    let program = text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program
}

/// Inputs from a list, zero after its end.
#[derive(Default)]
pub struct List(pub VecDeque<u64>);

impl List {
    pub fn of(values: &[u64]) -> Self {
        List(values.iter().copied().collect())
    }
}

impl Inputs for List {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        let value = u128::from(self.0.pop_front().unwrap_or(0));
        match ty {
            Type::Int(width) => ScalarValue::Int(BitVec::new(width, value)),
            other => ScalarValue::zero(other),
        }
    }
}

/// Runs with the inputs; the end and what was printed.
pub fn run_with(program: &Program, inputs: &[u64]) -> (End, String) {
    let mut observer = OutputCollector::default();
    let options = RunOptions {
        max_steps: Some(1_000_000),
        ..RunOptions::default()
    };
    let end = run(program, &mut List::of(inputs), &options, &mut observer);
    (end, String::from_utf8_lossy(&observer.text).into_owned())
}

/// The end in one line: `exit 3`, `p0: message`, `abort`.
pub fn end_text(end: &End) -> String {
    match end {
        End::Exit { code: Some(code) } => format!("exit {code}"),
        End::Exit { code: None } => "exit".to_owned(),
        End::Abort => "abort".to_owned(),
        End::Violation {
            property, message, ..
        } => format!("{property}: {message}"),
        End::AssumeFailed { .. } => "assumption".to_owned(),
        End::Unsupported { what, .. } => format!("unsupported: {what}"),
        End::UncheckedMisuse { what, .. } => format!("unchecked: {what}"),
        End::StepLimit => "step limit".to_owned(),
        End::DepthLimit => "depth limit".to_owned(),
    }
}

/// Inputs that depend on the seed and on how many were asked before; of an uninitialised variable on its
/// name.
pub struct Seeded {
    random: Random,
    seed: u64,
}

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Seeded {
            random: Random::new(!seed),
            seed,
        }
    }
}

pub fn value_of(random: &mut Random, ty: Type) -> ScalarValue {
    let bits = match random.below(3) {
        0 => random.below(10) as u128,
        _ => u128::from(random.bits()) << 64 | u128::from(random.bits()),
    };
    match ty {
        Type::Int(width) => ScalarValue::Int(BitVec::new(width, bits)),
        Type::Float(format) => {
            ScalarValue::Float(Float::from_bits(format, &BitVec::new(format.bits(), bits)))
        }
        Type::Pointer => ScalarValue::zero(ty),
    }
}

impl Inputs for Seeded {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        value_of(&mut self.random, ty)
    }

    fn uninitialised_variable(
        &mut self,
        function: FunctionId,
        _: VariableId,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let mixed = self.seed ^ (u64::from(position.line) << 20) ^ function.index() as u64;
        value_of(&mut Random::new(mixed), ty)
    }

    fn unwritten_byte(&mut self, _: u64, offset: u64) -> u8 {
        // Passes remove objects, so their numbers say nothing here.
        Random::new(self.seed ^ offset).bits() as u8
    }
}

/// Records what a run shows to the world: its output and its inputs.
#[derive(Debug, Default, PartialEq)]
pub struct Recorder {
    pub events: Vec<String>,
}

impl Observer for Recorder {
    fn event(&mut self, _: &View<'_>, event: &Event<'_>) {
        match event {
            Event::Output { text, .. } => self.events.push(String::from_utf8_lossy(text).into_owned()),
            Event::Input { source, value, .. } if **source != NondetSource::Uninitialised => {
                self.events.push(format!("{source:?} {value:?}"));
            }
            _ => {}
        }
    }
}
