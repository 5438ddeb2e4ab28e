//! What a violating run rests on, found out by running it again with other inputs.
//!
//! Idea: a solver's counterexample has values for everything that was made before the call, most of which do
//! not matter. The interpreter tries zero for one after the other and keeps what the violation needs (delta
//! debugging: Zeller and Hildebrandt, 2002, in its simplest form). Then it changes all contents of the
//! objects at once, in several ways, and makes the objects larger: where the violation stays, it does not
//! rest on them.
//!
//! Invariant: every run that is shown is one that the interpreter took and that ends in the same violation. A
//! run that it cannot repeat from its trace stays as it is, and rests on all that was made.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use kripke_elts::interpreter::{End, Inputs, NoObserver, RunOptions, run};
use kripke_elts::trace::trace_run;
use kripke_elts::{
    Global, InitialRest, NondetSource, Pointer, Position, Program, PropertyId, ScalarValue, Type,
};
use kripke_model::{PropertyKind, Step, StepKind, Trace, TraceValue};
use kripke_value::{BitVec, Float};

use super::globals;

/// Runs that one violation may cost.
const MOST_RUNS: usize = 300;
/// Statements of one run.
const MOST_STEPS: u64 = 1_000_000;
/// An address where nothing is: even on machines of 16 bits, and no multiple of anything.
const NOWHERE: u128 = 0x6b5d;
/// By how much objects grow to see whether their size matters.
const MORE_BYTES: u64 = 1 << 16;

/// A run that violates a property, and what it rests on.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub trace: Box<Trace>,
    /// The contents or the sizes of the objects that were made for pointers matter, or what global variables
    /// hold.
    pub rests_on_objects: bool,
    /// What matters of these, as `ring->head = 8`.
    pub contents: Vec<String>,
    /// The parameters that have to be null.
    pub null: Vec<String>,
}

/// What a violating run rests on.
///
/// `initial` has the initial values of the global variables that held anything, other than zero.
pub(super) fn weigh(
    program: &Program,
    property: PropertyId,
    trace: &Trace,
    initial: &BTreeMap<String, u128>,
    until: Instant,
) -> Evidence {
    let mut trial = Trial {
        program,
        property,
        inputs: recorded(trace, initial),
        runs: 0,
        until,
    };
    if trial
        .violates(program, &trial.inputs.clone(), Bytes::Zeros)
        .is_none()
    {
        return Evidence {
            trace: Box::new(trace.clone()),
            rests_on_objects: true,
            contents: trial.contents(trace, |_, _| false),
            null: null_arguments(trace),
        };
    }
    trial.minimise();
    let callee = trial.unknown_callee();
    let trace = trial.trace();
    let mut contents = trial.contents(&trace, Trial::needs);
    contents.extend(
        callee
            .iter()
            .map(|name| format!("{name} is a function of the caller's")),
    );
    Evidence {
        rests_on_objects: callee.is_some() || trial.rests_on_objects(),
        contents,
        null: null_arguments(&trace),
        trace: Box::new(trace),
    }
}

/// An input that a trace has.
#[derive(Clone, Debug)]
struct Recorded {
    name: String,
    bits: u128,
    /// What it is where it does not matter: zero, or the initial value of a global variable.
    usual: u128,
    /// It is made before the call.
    is_made: bool,
    /// It is what a global variable holds.
    is_global: bool,
}

impl Recorded {
    /// Is it a part of an object or a global variable, or whether a pointer in one is null?
    fn is_content(&self) -> bool {
        self.is_global || self.is_made && (self.name.starts_with('*') || self.name.contains(['[', '.', '>']))
    }
}

/// The inputs of a trace, in order.
fn recorded(trace: &Trace, initial: &BTreeMap<String, u128>) -> Vec<Recorded> {
    let is_global = |step: &Step| step.place.function == globals::NAME;
    let steps = trace.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Input {
            source,
            category,
            value,
            ..
        } if category != "uninitialised" => Some(Recorded {
            name: source.clone(),
            bits: u128::from_str_radix(value.bits.trim_start_matches("0x"), 16).unwrap_or(0),
            is_made: step.place.function.starts_with("kripke."),
            is_global: is_global(step),
            usual: initial
                .get(source)
                .copied()
                .filter(|_| is_global(step))
                .unwrap_or(0),
        }),
        _ => None,
    });
    steps.collect()
}

/// The arguments of the function that a run starts in that are null.
fn null_arguments(trace: &Trace) -> Vec<String> {
    let call = trace.steps.iter().find_map(|step| match &step.kind {
        StepKind::Call { function, arguments }
            if step.place.function.starts_with("kripke.") && !function.starts_with("kripke.") =>
        {
            Some(arguments)
        }
        _ => None,
    });
    let null = call
        .into_iter()
        .flatten()
        .filter(|(_, value)| value.text == "NULL");
    null.map(|(name, _)| name.clone()).collect()
}

/// The bytes of objects that no input has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bytes {
    Zeros,
    Ones,
    /// Different ones, from this on.
    Mixed(u64),
}

impl Bytes {
    /// For the bits of the input with this number.
    fn bits(self, number: u64) -> u128 {
        match self {
            Bytes::Zeros => 0,
            Bytes::Ones => u128::MAX,
            Bytes::Mixed(seed) => {
                // A multiplicative hash (Knuth, volume 3, section 6.4) is mixed enough.
                let product = (seed + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                u128::from(product) << 64 | u128::from(product.rotate_left(29))
            }
        }
    }
}

struct Trial<'p> {
    program: &'p Program,
    property: PropertyId,
    inputs: Vec<Recorded>,
    runs: usize,
    until: Instant,
}

impl Trial<'_> {
    /// What is wrong, where a run with these inputs violates the property.
    fn violates(&mut self, program: &Program, inputs: &[Recorded], bytes: Bytes) -> Option<String> {
        self.runs += 1;
        if Instant::now() >= self.until {
            return None;
        }
        let options = RunOptions {
            max_steps: Some(MOST_STEPS),
            ..RunOptions::default()
        };
        let mut script = Script::new(inputs, bytes);
        match run(program, &mut script, &options, &mut NoObserver) {
            End::Violation {
                property, message, ..
            } if property == self.property => Some(message),
            _ => None,
        }
    }

    /// The run with the inputs that are left.
    fn trace(&self) -> Trace {
        let mut script = Script::new(&self.inputs, Bytes::Zeros);
        trace_run(self.program, &mut script, &RunOptions::default()).1
    }

    /// Makes what was made as usual or smaller, as far as the violation stays.
    fn minimise(&mut self) {
        let made = |inputs: &[Recorded], is_meant: fn(&Recorded) -> bool| -> Vec<usize> {
            (0..inputs.len()).filter(|at| is_meant(&inputs[*at])).collect()
        };
        self.try_all(&made(&self.inputs, Recorded::is_content), |input| input.usual);
        let all = made(&self.inputs, |input| input.is_made);
        for at in all.into_iter().rev() {
            let is_usual = self.inputs[at].bits == self.inputs[at].usual;
            if !is_usual && !self.try_all(&[at], |input| input.usual) {
                while self.try_all(&[at], |input| input.bits / 2) {}
            }
        }
    }

    /// The input that is called, where the violation is the call of what callers pass: code that is not
    /// known, rather than something that is no function.
    fn unknown_callee(&mut self) -> Option<String> {
        if self.program.properties[self.property].kind != PropertyKind::FunctionPointer {
            return None;
        }
        for at in 0..self.inputs.len() {
            if !self.inputs[at].is_made || self.runs >= MOST_RUNS {
                continue;
            }
            let mut inputs = self.inputs.clone();
            inputs[at].bits = NOWHERE;
            let message = self.violates(self.program, &inputs, Bytes::Zeros);
            if message.is_some_and(|message| message.contains(&format!("address {NOWHERE:#x},"))) {
                inputs[at].bits = 1;
                if self.violates(self.program, &inputs, Bytes::Zeros).is_none() {
                    inputs[at].bits = NOWHERE;
                }
                self.inputs = inputs;
                return Some(self.inputs[at].name.clone());
            }
        }
        None
    }

    /// Changes the values of some inputs, if the violation stays then.
    fn try_all(&mut self, places: &[usize], change: fn(&Recorded) -> u128) -> bool {
        let mut inputs = self.inputs.clone();
        for at in places {
            inputs[*at].bits = change(&inputs[*at]);
        }
        let is_same = places.iter().all(|at| inputs[*at].bits == self.inputs[*at].bits);
        if is_same || self.runs >= MOST_RUNS || self.violates(self.program, &inputs, Bytes::Zeros).is_none() {
            return false;
        }
        self.inputs = inputs;
        true
    }

    /// The contents that matter: those that are not as usual, and those of which it is found out.
    fn contents(&mut self, trace: &Trace, is_needed: fn(&mut Self, usize) -> bool) -> Vec<String> {
        let values = trace.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Input { category, value, .. } if category != "uninitialised" => Some(value),
            _ => None,
        });
        let values: Vec<&TraceValue> = values.take(self.inputs.len()).collect();
        self.runs = 0;
        let mut contents = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            let input = self.inputs[at].clone();
            if !input.is_content() || input.bits == input.usual && !is_needed(self, at) {
                continue;
            }
            contents.push(match (input.name.strip_suffix(" is null"), input.bits) {
                (Some(pointer), 0) => format!("{pointer} != NULL"),
                (Some(pointer), _) => format!("{pointer} = NULL"),
                (None, _) => format!("{} = {}", input.name, value.text),
            });
        }
        contents
    }

    /// Does the violation go away with another value of an input?
    fn needs(&mut self, at: usize) -> bool {
        let mut inputs = self.inputs.clone();
        inputs[at].bits ^= 1;
        let is_gone = self.runs < MOST_RUNS && self.violates(self.program, &inputs, Bytes::Zeros).is_none();
        is_gone && Instant::now() < self.until
    }

    /// Does the violation go away when the objects hold something else, or is it about their end?
    fn rests_on_objects(&mut self) -> bool {
        let kind = self.program.properties[self.property].kind;
        let larger = self.with_larger_objects();
        let made = self.made_objects();
        if kind == PropertyKind::Free
            || self
                .violates(&larger, &self.inputs.clone(), Bytes::Zeros)
                .is_none()
        {
            return true;
        }
        let ways = [
            Bytes::Zeros,
            Bytes::Ones,
            Bytes::Mixed(1),
            Bytes::Mixed(1000),
            Bytes::Mixed(5_000_000),
        ];
        ways.iter().any(|way| {
            let mut inputs = self.inputs.clone();
            for (at, input) in inputs
                .iter_mut()
                .enumerate()
                .filter(|(_, input)| input.is_content())
            {
                input.bits = way.bits(at as u64);
            }
            match self.violates(self.program, &inputs, *way) {
                Some(message) => made.iter().any(|name| message.contains(name.as_str())),
                None => true,
            }
        })
    }

    /// The objects that were made for pointers, as messages name them.
    fn made_objects(&self) -> BTreeSet<String> {
        let made = self.program.globals.iter().filter(|global| is_made(global));
        made.map(|global| format!("`{}`", global.name)).collect()
    }

    /// The same program with more room behind each pointer.
    fn with_larger_objects(&self) -> Program {
        let mut program = self.program.clone();
        for global in program.globals.iter_mut().filter(|global| is_made(global)) {
            global.size += MORE_BYTES;
        }
        program
    }
}

/// Was it made for a pointer?
fn is_made(global: &Global) -> bool {
    global.rest == InitialRest::Nondet && global.name.contains("_object")
}

/// The inputs of one run.
struct Script<'r> {
    inputs: std::slice::Iter<'r, Recorded>,
    bytes: Bytes,
}

impl<'r> Script<'r> {
    fn new(inputs: &'r [Recorded], bytes: Bytes) -> Self {
        Script {
            inputs: inputs.iter(),
            bytes,
        }
    }
}

impl Inputs for Script<'_> {
    fn next(&mut self, source: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        if *source == NondetSource::Uninitialised {
            return ScalarValue::zero(ty);
        }
        let bits = self.inputs.next().map_or(0, |input| input.bits);
        match ty {
            Type::Int(width) => ScalarValue::Int(BitVec::new(width, bits)),
            Type::Float(format) => {
                ScalarValue::Float(Float::from_bits(format, &BitVec::new(format.bits(), bits)))
            }
            Type::Pointer => ScalarValue::Pointer(Pointer::raw(bits as u64)),
        }
    }

    fn unwritten_byte(&mut self, object: u64, offset: u64) -> u8 {
        self.bytes.bits(object.wrapping_mul(4096).wrapping_add(offset)) as u8
    }
}
