//! A run of a model, step by step, in terms its user knows.

use serde::{Deserialize, Serialize};

use crate::schedule::Schedule;

/// A place in a source text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file's path; empty when unknown.
    pub file: String,
    /// Line from 1; 0 when unknown.
    pub line: u32,
    /// Column from 1; 0 when unknown.
    pub column: u32,
    /// The function it is in; empty when unknown.
    pub function: String,
}

impl Place {
    /// The folder of the models of the C library, which no user's program has.
    pub const LIBRARY: &str = "<library>";

    /// Is it in a model of the C library, or in what the compiler makes? Users have no such file.
    pub fn is_in_library(&self) -> bool {
        self.file.starts_with('<')
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceValue {
    /// The C type (`unsigned char`), or the machine type where there is none (`i8`).
    pub type_name: String,
    /// As a C programmer writes it: decimal, enumerator, `'a'`, `&buffer[3]`, `0.1f`.
    pub text: String,
    /// The bits in hexadecimal, all digits of its width (`0x3dcccccd`); for a pointer its address, or empty
    /// where it has none. Never empty in an [`StepKind::Input`] of an integer or float.
    pub bits: String,
}

/// One call on the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    /// Where the call is; unknown for the entry.
    pub call: Place,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub place: Place,
    /// How many calls deep (0: `main`).
    pub depth: u32,
    /// What happened.
    #[serde(flatten)]
    pub kind: StepKind,
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// As long as the program: a global or static variable.
    #[default]
    Global,
    /// In a call of a function.
    Local,
    /// From its allocation on.
    Heap,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each variant's comment names its fields")]
pub enum StepKind {
    /// A function is entered; its arguments by name.
    Call {
        function: String,
        arguments: Vec<(String, TraceValue)>,
    },
    /// A function returns.
    Return {
        function: String,
        value: Option<TraceValue>,
    },
    /// A variable, array element or member gets a value.
    Assign {
        target: String,
        value: TraceValue,
        #[serde(default)]
        storage: Storage,
    },
    /// A nondeterministic value was read. `source` is what produced it (`__VERIFIER_nondet_int`), `category`
    /// one of `input`, `external`, `library`, `device`, `uninitialised`.
    /// `machine_type` is `i32`, `f64`, `ptr`, …: with the value's bits all that a test harness needs.
    Input {
        source: String,
        category: String,
        value: TraceValue,
        machine_type: String,
    },
    /// The program printed something.
    Output { text: String },
    /// A branch was decided.
    Branch { taken: bool },
    /// The property fails here.
    Violation { property: String, message: String },
    /// A letter of a temporal formula: which one (from 1), its atoms' values, the monitor's state after it,
    /// and the formula's four-valued verdict on the letters so far.
    Letter {
        number: u32,
        atoms: Vec<(String, bool)>,
        state: String,
        value: String,
    },
    /// A machine instruction was executed: where it stands, what it is, and which bytes it changed, by name.
    Instruction {
        address: String,
        text: String,
        changes: Vec<(String, String)>,
    },
    /// The world around the microcontroller did something: an interrupt came, an input was read.
    Environment { message: String },
    /// The trace of a temporal formula ends here, and how.
    End { message: String },
}

/// A thread takes a lock or gives it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockChange {
    /// How many steps of the run come before.
    pub step: usize,
    /// The number of the thread; that of `main` is 0.
    pub thread: u32,
    /// The lock as a C expression.
    pub lock: String,
    /// Whether the thread holds it from now on.
    pub holds: bool,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The steps, in order; the last one is the violation where there is one.
    pub steps: Vec<Step>,
    /// The call stack at the end, innermost last.
    pub stack: Vec<Frame>,
    /// For a run that goes on for ever: the index of the step to which the last one returns.
    pub loop_start: Option<usize>,
    /// What globals that the run changes hold before, by their C expressions, in the order of their changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<(String, TraceValue)>,
    /// When threads take locks and give them back, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<LockChange>,
    /// The run needs objects to lie where it says in memory: another build of the program may not show it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub depends_on_addresses: bool,
    /// How threads, or handlers, took turns; a harness follows it.
    #[serde(skip)]
    pub schedule: Schedule,
}
