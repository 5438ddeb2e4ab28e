//! The concrete interpreter: runs a program with given inputs.
//!
//! It replays every counterexample, so it is the judge of what a *violated* verdict claims, and
//! it knows nothing of how engines find one. Functions are compiled on their first call to a
//! compact register code ([`code`], [`compile`]); [`hot`] runs what is frequent on 64-bit words,
//! [`machine`] all the rest on [`ScalarValue`]s through [`crate::eval`].
//!
//! Invariants:
//! - memory is judged by provenance: a pointer may touch only the object it was made from;
//! - the inputs are consulted in execution order and once per nondeterministic value;
//! - nothing that the program does ends in a panic: every way out is an [`End`].

mod code;
mod compile;
mod compile_expr;
mod definite_assignment;
mod explain;
mod hot;
mod machine;
mod memory;
mod misuse;
mod observer;
mod output;
mod statements;

pub use observer::{
    Contents, Detail, Event, NoObserver, ObjectInfo, ObjectKind, Observer, OutputCollector, View,
};

use std::rc::Rc;

use kripke_value::{Float, MathFunction};

use crate::ids::{FunctionId, LocationId, PropertyId, VariableId};
use crate::program::{NondetSource, Position, Program, Type};
use crate::scalar::ScalarValue;

/// Where a statement stands in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementSite {
    /// The function.
    pub function: FunctionId,
    /// The location it leaves.
    pub location: LocationId,
    /// Which of the location's transitions.
    pub transition: usize,
    /// Which of the transition's statements.
    pub statement: usize,
}

/// Where nondeterministic values come from.
pub trait Inputs {
    /// The next nondeterministic value. A value of another type than asked counts as zero.
    fn next(&mut self, source: &NondetSource, ty: Type, position: Position) -> ScalarValue;

    /// The same for a statement of the program; says which one.
    fn next_at(
        &mut self,
        site: StatementSite,
        source: &NondetSource,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let _ = site;
        self.next(source, ty, position)
    }

    /// The value of a function of analysis, of which the correctly rounded one is known.
    fn math(
        &mut self,
        site: StatementSite,
        function: MathFunction,
        exact: Float,
        position: Position,
    ) -> Float {
        let _ = (site, function, position);
        exact
    }

    /// The value of a variable that is read before it is assigned; asked once per activation.
    fn uninitialised_variable(
        &mut self,
        function: FunctionId,
        variable: VariableId,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let _ = (function, variable);
        self.next(&NondetSource::Uninitialised, ty, position)
    }

    /// The same, and says of which activation: calls are numbered in their order, the entry function's is 0.
    fn uninitialised_variable_of(
        &mut self,
        activation: u64,
        function: FunctionId,
        variable: VariableId,
        ty: Type,
        position: Position,
    ) -> ScalarValue {
        let _ = activation;
        self.uninitialised_variable(function, variable, ty, position)
    }

    /// The byte of an object that is read before it is written (of uninitialised memory, or of a global
    /// whose initial value is unknown); asked once per byte. Objects are numbered in the order of their
    /// creation, globals first.
    fn unwritten_byte(&mut self, object: u64, offset: u64) -> u8 {
        let _ = (object, offset);
        0
    }

    /// The address of a new object; `None` leaves the choice to the interpreter, and so does an address
    /// that is misaligned, null or too large.
    fn object_address(&mut self, object: u64, size: u64, align: u32) -> Option<u64> {
        let _ = (object, size, align);
        None
    }
}

/// Inputs that are all zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn next(&mut self, _: &NondetSource, ty: Type, _: Position) -> ScalarValue {
        ScalarValue::zero(ty)
    }
}

/// Bounds of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many statements may run; `None` for no limit.
    pub max_steps: Option<u64>,
    /// How many calls may be nested.
    pub max_depth: usize,
    /// Evaluates every expression by [`crate::eval`] and every access without shortcuts: slow, and only there
    /// to test the fast paths against.
    pub reference: bool,
    /// How many bytes of objects may be alive.
    pub max_memory: u64,
    /// Which contracts end a run where they are false.
    pub contracts: Contracts,
    /// An allocation for which no target has room ends a run, as one that is assumed not to happen; else it
    /// fails.
    pub assumes_room: bool,
}

/// Which contracts end a run where they are false. The program itself goes on past all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contracts {
    /// The first that is false.
    All,
    /// This one.
    Only(PropertyId),
    /// None.
    Ignored,
}

impl Contracts {
    /// Does a run end where this property is false?
    pub fn end_at(self, program: &Program, property: PropertyId) -> bool {
        match self {
            Contracts::All => true,
            Contracts::Only(only) if only == property => true,
            Contracts::Only(_) | Contracts::Ignored => !program.properties[property].kind.is_contract(),
        }
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            max_steps: None,
            max_depth: 100_000,
            reference: false,
            max_memory: 2 << 30,
            contracts: Contracts::All,
            assumes_room: false,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// `main` returned or `exit` was called.
    Exit {
        /// The exit code, where the program gives one.
        code: Option<i32>,
    },
    /// `abort` and the like.
    Abort,
    /// A property is violated.
    Violation {
        /// Which.
        property: PropertyId,
        /// What is wrong, with the values of this run.
        message: String,
        /// Where.
        position: Position,
    },
    /// An assumption is false: this run is none of the program's.
    AssumeFailed {
        /// Where.
        position: Position,
    },
    /// Something that is not modelled was reached.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        position: Position,
    },
    /// Memory was misused where no property checks it, so that the rest of the run has no meaning.
    UncheckedMisuse {
        /// What is wrong.
        what: String,
        /// Where.
        position: Position,
    },
    /// [`RunOptions::max_steps`] statements have run.
    StepLimit,
    /// [`RunOptions::max_depth`] calls are nested.
    DepthLimit,
}

/// Runs the program from its entry.
pub fn run(
    program: &Program,
    inputs: &mut dyn Inputs,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> End {
    machine::Machine::new(program, inputs, options, observer).run()
}

/// Runs a program many times, and compiles its functions once.
pub struct Runner<'p> {
    program: &'p Program,
    options: RunOptions,
    compiled: Vec<Option<Rc<code::Code>>>,
    detail: Option<Detail>,
}

impl<'p> Runner<'p> {
    /// Of this program.
    pub fn new(program: &'p Program, options: RunOptions) -> Self {
        Runner {
            program,
            options,
            compiled: vec![None; program.functions.len()],
            detail: None,
        }
    }

    /// Runs it from its entry, so many statements at most; says how many ran.
    pub fn run(
        &mut self,
        max_steps: u64,
        inputs: &mut dyn Inputs,
        observer: &mut dyn Observer,
    ) -> (End, u64) {
        let detail = observer.detail();
        if self.detail.replace(detail) != Some(detail) {
            self.compiled.fill(None);
        }
        self.options.max_steps = Some(max_steps);
        let compiled = std::mem::take(&mut self.compiled);
        let machine = machine::Machine::new(self.program, inputs, &self.options, observer);
        let mut machine = machine.with_compiled(compiled);
        let end = machine.run();
        let steps = machine.steps();
        self.compiled = machine.into_compiled();
        (end, steps)
    }
}

/// Like [`run`], and says how many statements ran.
pub fn run_counted(
    program: &Program,
    inputs: &mut dyn Inputs,
    options: &RunOptions,
    observer: &mut dyn Observer,
) -> (End, u64) {
    let mut machine = machine::Machine::new(program, inputs, options, observer);
    let end = machine.run();
    (end, machine.steps())
}
