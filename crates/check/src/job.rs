//! What is to be checked, and how.
//!
//! Idea: plain data, without a trace of where it was said. What makes no sense together cannot be said: a
//! program has no interrupts that never come, a firmware no loops that are unwound.

use std::path::PathBuf;
use std::time::Duration;

use kripke_bmc::Explore;
use kripke_interrupts::Interrupts;
use kripke_limits::Store;
use kripke_llvm::clang::CompileOptions;
use kripke_llvm::translate::{EntryObjects, MainArguments, Replaced};
use kripke_model::PropertyKind;
use kripke_smt::SolverChoice;
use serde::Deserialize;

/// A check to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is checked.
    pub subject: Subject,
    /// Formulas that it is to satisfy, beside the properties that are checked without being named.
    pub formulas: Vec<Formula>,
    /// When to give up.
    pub limits: Limits,
    /// What is made beside the report.
    pub wanted: Wanted,
}

/// A C program or a firmware.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A C program.
    Program(Box<ProgramJob>),
    /// The image of a microcontroller's memory.
    Firmware(Box<FirmwareJob>),
}

/// Which runs of threads that go on for ever count, where formulas are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Those in which each thread goes on again and again, or cannot.
    Weak,
}

/// A C program and how it is checked.
#[derive(Clone, Debug, Default)]
pub struct ProgramJob {
    /// Its sources.
    pub sources: Sources,
    /// The kinds of properties that are checked.
    pub checks: Vec<PropertyKind>,
    /// The ids of the only properties to be checked; none means all.
    pub selected: Vec<String>,
    /// How far loops are followed.
    pub bounds: Bounds,
    /// Go on after the first violation.
    pub all: bool,
    /// Look for infinite counterexamples of formulas.
    pub lasso: bool,
    /// Which infinite runs of threads count.
    pub fairness: Fairness,
    /// How the schedules of threads are explored.
    pub explore: Explore,
    /// Who decides.
    pub solver: SolverChoice,
    /// Every function by itself whose name matches, where `*` stands for any text, instead of the whole
    /// program.
    pub functions: Option<String>,
    /// Of these only those for which something changed since this revision of git.
    pub changed_since: Option<String>,
}

/// C sources, LLVM IR or a program model, and how they are compiled.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files.
    pub files: Vec<PathBuf>,
    /// A `compile_commands.json` that names more.
    pub compile_db: Option<PathBuf>,
    /// Texts that the paths of its files contain, if not all are meant.
    pub filter: Vec<String>,
    /// How they are compiled.
    pub compile: CompileOptions,
    /// The function to start from.
    pub entry: String,
    /// `malloc` and the like may return a null pointer.
    pub malloc_may_fail: bool,
    /// An `extern volatile` object that nothing defines is memory, not a register.
    pub volatile_memory: bool,
    /// What the pointers of an entry function other than `main` point to.
    pub entry_objects: EntryObjects,
    /// What `main` is called with.
    pub arguments: MainArguments,
    /// The functions whose calls are replaced by their contracts.
    pub replaced: Replaced,
    /// The handlers that interrupt the program.
    pub interrupts: Interrupts,
    /// How often another thread goes on before the one that runs waits or ends; any number of times where
    /// nothing is said.
    pub context_bound: Option<u32>,
    /// Iterations of loops in which others may run are counted, as so many are followed of each.
    pub counts_iterations: bool,
}

/// How far loops and recursion are followed.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Up to so many times; where it is not given the bound grows by itself.
    pub unwind: Option<u32>,
    /// Bounds of single loops, named `FUNCTION.N` or `FILE:LINE`.
    pub unwindset: Vec<(String, u32)>,
    /// The largest bound to grow to.
    pub max_unwind: Option<u32>,
    /// Try induction on loops that do not end within the bound.
    pub k_induction: bool,
    /// Look for loop invariants where induction alone does not do.
    pub invariants: bool,
    /// Prove what follows from loop invariants, and look for no violations.
    pub only_invariants: bool,
    /// Look for more of them by reachability where guesses do not do.
    pub reachability: bool,
    /// Look for violations by running the program beside the search.
    pub fuzzing: bool,
    /// Prove in the part of the program that matters to a property.
    pub slicing: bool,
    /// Ask whether a loop or recursion can go on before it is followed.
    pub feasibility: bool,
    /// Keep states apart where paths meet that differ in where they are in data.
    pub parting: bool,
    /// Go on at a larger bound with what the last one left.
    pub continuing: bool,
    /// Let no thread come between accesses that a lock protects, where nobody can tell.
    pub lock_reduction: bool,
}

/// A firmware and how it is checked.
#[derive(Clone, Debug, Default)]
pub struct FirmwareJob {
    /// The image: an ELF or Intel HEX file.
    pub image: PathBuf,
    /// The microcontroller.
    pub device: DeviceChoice,
    /// What the world around it does not do.
    pub environment: Environment,
    /// How its states are explored.
    pub exploration: Exploration,
    /// Where they are kept; where nothing is said, in memory.
    pub store: Option<Store>,
    /// A directory in which searches write down how far they are.
    pub checkpoint: Option<PathBuf>,
    /// Go on from what is written there.
    pub resume: bool,
    /// Where formulas begin to be looked at: a function, or `reset`; `main` where there is one and nothing is
    /// said.
    pub from: Option<String>,
    /// Of formulas of linear time, look only at runs in which hardware finishes what was started.
    pub fair: bool,
    /// Judge invariants only where statements begin, and none is under way.
    pub statements: bool,
    /// Look for the errors that a firmware must not make, whatever it is for.
    pub faults: bool,
    /// The names of the only formulas and errors to be checked; none means all.
    pub selected: Vec<String>,
}

/// What a firmware's file may not tell.
#[derive(Clone, Debug, Default)]
pub struct DeviceChoice {
    /// The name of the microcontroller.
    pub mcu: Option<String>,
    /// A file that describes it.
    pub file: Option<PathBuf>,
    /// The byte address where runs begin; where it is not given, the file's entry.
    pub reset_address: Option<u32>,
    /// Where the interrupt vectors are.
    pub vectors: VectorPlace,
    /// The data address behind the last static variable, where the file does not tell.
    pub data_end: Option<u32>,
    /// Where source files are that are not at the path the compiler noted.
    pub source_path: Vec<PathBuf>,
}

/// Where the interrupt vectors of a firmware are (IVSEL).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VectorPlace {
    /// At the beginning of flash.
    #[default]
    Application,
    /// At the beginning of the boot section.
    Boot,
}

/// What the world around a firmware does not do.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Expressions that inputs always satisfy.
    pub constraints: Vec<String>,
    /// Interrupts that never come.
    pub never: Vec<String>,
    /// Handlers that are active at once, at the most.
    pub nesting: Option<u8>,
    /// The EEPROM holds what the image says when a run begins; else anything that earlier runs may have left.
    pub eeprom_of_image: bool,
}

/// How the states of a firmware are explored.
#[derive(Clone, Copy, Debug)]
pub struct Exploration {
    /// When inputs get their values.
    pub nondeterminism: NondeterminismChoice,
    /// What is computed from unknown bits stays unknown until a branch, an address or the like depends on it.
    pub abstract_values: bool,
    /// Variables that take too many values are taken as unknown, where that is enough.
    pub widening: bool,
    /// What the stack leaves behind in memory is no part of the state.
    pub lazy_stack: bool,
    /// Interrupts may come right after `RETI` and `SEI`.
    pub lazy_interrupts: bool,
    /// Runs without a choice are one step.
    pub path_reduction: bool,
    /// Interrupts come only before what does not commute with their handlers.
    pub interrupt_reduction: bool,
    /// Registers and flags that nothing reads any more are 0.
    pub dead_variable_reduction: bool,
}

impl Default for Exploration {
    fn default() -> Self {
        Self {
            nondeterminism: NondeterminismChoice::Auto,
            abstract_values: true,
            widening: true,
            lazy_stack: true,
            lazy_interrupts: false,
            path_reduction: true,
            interrupt_reduction: true,
            dead_variable_reduction: true,
        }
    }
}

/// When inputs of a firmware get their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NondeterminismChoice {
    /// Delayed where that is sound for the property, else immediate.
    #[default]
    Auto,
    /// Where they are read.
    Immediate,
    /// Where they are used.
    Delayed,
}

/// A formula as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// How it is to be read.
    pub form: Form,
    /// What it is called, if that does not stand in its text.
    pub name: Option<String>,
    /// Where it was written, for messages about it.
    pub place: String,
    /// Its text: `NAME: FORMULA`, or a formula alone.
    pub text: String,
}

/// How a formula is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// True in every reachable state; for firmware.
    Invariant,
    /// Computation tree logic; for firmware.
    Ctl,
    /// Linear temporal logic.
    Ltl,
}

impl Form {
    /// The kind of the property.
    pub fn kind(self) -> PropertyKind {
        match self {
            Form::Invariant => PropertyKind::Invariant,
            Form::Ctl => PropertyKind::Ctl,
            Form::Ltl => PropertyKind::Ltl,
        }
    }
}

/// When to give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// After this time.
    pub time: Option<Duration>,
    /// At so many bytes of memory.
    pub memory: Option<u64>,
    /// At so many states of a firmware.
    pub states: Option<usize>,
    /// Threads beside the one that searches the states of a firmware; this is no limit of the result.
    pub helpers: usize,
}

/// What is made beside the report.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A harness of the first violation of a program; its file is going to have this name.
    pub harness: Option<String>,
    /// The proof of what holds of a program in a form that others can check.
    pub certificate: bool,
    /// The first violation of a program in a form that others can check.
    pub witness: bool,
    /// The ports of a firmware along the first counterexample.
    pub waveform: bool,
    /// The evidence for the first CTL formula, as a graph for Graphviz.
    pub evidence: bool,
}
