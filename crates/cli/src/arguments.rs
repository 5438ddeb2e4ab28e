//! The command line as clap sees it: every option with its help.
//!
//! Invariant: each option here is described in `docs/command-line.md`; a test compares the two.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use kripke_interrupts::Handler;
use kripke_interrupts::named::{Named, parse as parse_named};
use kripke_limits::{Limits, Store};
use kripke_llvm::translate::MainArguments;

use crate::first_use_arguments::{
    DapArguments, DoctorArguments, ExplainArguments, InitArguments, LspArguments, ManArguments,
};
pub use crate::model_arguments::{EepromContents, ModelArguments, NondeterminismChoice};
use crate::report_arguments::ReportArguments;
use crate::serve_arguments::ServeArguments;
use kripke_check::program::{parse_condition, parse_handler, parse_once_per, parse_register_priority};
use kripke_check::units::{
    MemoryLimit, TimeLimit, parse_bound, parse_loop_bound, parse_memory, parse_store, parse_time,
};

const MAIN_AFTER_HELP: &str = "\
Exit codes: 0 all properties hold, 1 something is violated, 2 inconclusive, 3 bad input or usage, \
4 internal error.

Start here:
  kripke check main.c                 check main.c for errors and failing assertions
  kripke check --help                 all options, with examples";

/// A model checker for embedded software.
#[derive(Parser, Debug)]
#[command(name = "kripke", version, about, after_help = MAIN_AFTER_HELP, max_term_width = 100)]
#[command(propagate_version = true, arg_required_else_help = true)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorChoice,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Even into files and pipes
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a C program and say what holds, what fails and how
    Check(Box<CheckArguments>),
    /// Print the program model (ELTS) that is checked
    Elts(Box<EltsArguments>),
    /// Run a program concretely in the interpreter
    Run(Box<RunArguments>),
    /// Say what an LTL formula means: its class, its automaton, the verdicts it can give
    Ltl(Box<LtlArguments>),
    /// Print the machine code of a firmware image as assembly, with its source lines
    Disasm(Box<DisasmArguments>),
    /// Show the state space of a small firmware, as a graph or in numbers
    States(Box<StatesArguments>),
    /// Run a firmware or a C program step by step, and say what its environment does
    Simulate(Box<SimulateArguments>),
    /// Print the control flow graph of a firmware image
    Cfg(Box<CfgArguments>),
    /// Say how deep the stack of a firmware can get, interrupts included, and on which path
    Stack(Box<StackArguments>),
    /// Show what static analyses find out about a firmware, beside its instructions
    Analyze(Box<AnalyzeArguments>),
    /// Show a project, its checks and their counterexamples in the browser
    Serve(ServeArguments),
    /// List the microcontrollers that are known
    Devices,
    /// Say what a kind of finding, a fault or a reason of unknown means, and what to do about it
    Explain(ExplainArguments),
    /// Look at a folder and write a kripke.toml for it
    Init(InitArguments),
    /// Say which programs are found that Kripke uses, and what to install for what
    Doctor(DoctorArguments),
    /// Replay counterexamples in an editor, as a debug adapter
    Dap(DapArguments),
    /// Show verdicts in an editor, as a language server
    Lsp(LspArguments),
    /// Write the manual pages
    Man(ManArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
}

const CHECK_AFTER_HELP: &str = "\
Examples:
  kripke check main.c driver.c -Iinclude -DDEBUG
      Check a program of two files with the default properties.
  kripke check main.c --check all --all
      Look for leaks too, and go on after the first violation.
  kripke check main.c --check -overflow --unwind 20 --timeout 2m
      Ignore signed overflow; follow each loop up to 20 times; stop after two minutes.
  kripke check driver.c --each-function
      Check every function by itself; no main is needed.
  kripke check --compile-db build/compile_commands.json --filter src/
      Check the files of a CMake or Meson build with the flags they are built with.
  kripke check main.c --target avr -- -mmcu=atmega16
      Check the code with the sizes it has on the target; what follows -- goes to clang.
  kripke check main.c --ltl 'G({pressed} -> F {charge > min})'
      Check a temporal formula: after each press, the charge gets above the minimum.
  kripke check main.c --harness fail.c && cc -g main.c fail.c && ./a.out
      Write a C file that makes the compiled program take the failing path.

Exit codes: 0 all properties hold, 1 something is violated, 2 inconclusive, 3 bad input or usage, \
4 internal error.";

/// Where the interrupt vectors are.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VectorsChoice {
    /// At the beginning of flash
    #[default]
    Application,
    /// At the beginning of the boot section
    Boot,
}

/// What a firmware's file may not tell.
#[derive(Args, Debug, Default, Clone)]
pub struct DeviceArguments {
    /// The microcontroller, where the file does not tell it (kripke devices lists them)
    #[arg(long, value_name = "NAME")]
    pub mcu: Option<String>,
    /// A file that describes the microcontroller
    #[arg(long, value_name = "FILE", conflicts_with = "mcu")]
    pub device: Option<PathBuf>,
    /// The byte address where runs begin: 0, or where a boot section does (fuse BOOTRST); else the file's
    /// entry
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub reset_address: Option<u32>,
    /// Where the interrupt vectors are when interrupts come: at 0, or in the boot section (IVSEL)
    #[arg(long, value_name = "PLACE", default_value = "application")]
    pub vectors: VectorsChoice,
    /// The data address behind the last static variable, where the file does not tell (Intel HEX)
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub data_end: Option<u32>,
    /// Where source files are that are not at the path the compiler noted
    #[arg(long, value_name = "DIR")]
    pub source_path: Vec<PathBuf>,
}

/// What a command that explores may cost.
#[derive(Args, Debug, Clone)]
pub struct LimitArguments {
    /// Stop after this time: 500ms, 90s, 5m, 1h or none
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time,
          help_heading = "Limits")]
    pub timeout: TimeLimit,
    /// Stop when this much memory is in use: 512M, 4G or none
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_memory,
          help_heading = "Limits")]
    pub memory_limit: MemoryLimit,
}

impl LimitArguments {
    /// Limits that count from now on.
    pub fn starting_now(&self, interrupt: Arc<AtomicBool>) -> Limits {
        Limits {
            memory: self.memory_limit.0,
            deadline: self.timeout.0.map(|limit| Instant::now() + limit),
            interrupt,
            ..Limits::default()
        }
    }
}

/// Microcontroller firmware: the device, the properties, the environment.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "Firmware (ELF or Intel HEX file)")]
pub struct FirmwareArguments {
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Check that this C expression is true in every reachable state: '[NAME:] {PORTB <= 251}'
    #[arg(long, value_name = "FORMULA")]
    pub invariant: Vec<String>,
    /// Check a formula of branching time: '[NAME:] AG EF {PORTB == 0}'
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    #[command(flatten)]
    pub model: ModelArguments,
    /// Where states are kept: in memory, put together of parts that they share (tree) or as they are
    /// (plain), or in files (disk, disk:DIR); or a part of their hashes only (hash), to find errors
    #[arg(long, value_name = "STORE", value_parser = parse_store)]
    pub store: Option<Store>,
    /// Write down now and then how far the searches for invariants and faults are, in this directory
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Go on from what --checkpoint wrote before
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Where properties begin to be looked at: a function, or reset; main where there is one
    #[arg(long, value_name = "FUNCTION")]
    pub from: Option<String>,
    /// Judge invariants between any two instructions, or only between statements of C
    #[arg(long, value_name = "WHERE", default_value = "instructions")]
    pub at: AtChoice,
    /// Write why the first CTL formula holds or fails as a graph for Graphviz
    #[arg(long, value_name = "FILE")]
    pub evidence: Option<PathBuf>,
    /// Write the ports in the first counterexample as a waveform (GTKWave)
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
}

/// Where invariants are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AtChoice {
    /// Between any two instructions.
    #[default]
    Instructions,
    /// Where a statement begins, and none is under way that was interrupted.
    Statements,
}

/// Arguments of `kripke disasm`.
#[derive(Args, Debug, Clone)]
pub struct DisasmArguments {
    /// The firmware (ELF or Intel HEX)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
}

/// Arguments of `kripke states`.
#[derive(Args, Debug, Clone)]
pub struct StatesArguments {
    /// The firmware (ELF or Intel HEX)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// As a graph for Graphviz
    #[arg(long)]
    pub dot: bool,
    /// Show the value of this C expression in each state: 'PORTB'
    #[arg(long, value_name = "EXPRESSION")]
    pub watch: Vec<String>,
    /// Draw every state, also those in a row
    #[arg(long, requires = "dot")]
    pub all: bool,
    #[command(flatten)]
    pub device: DeviceArguments,
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Arguments of `kripke simulate`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Commands come from the terminal, from standard input, from --script or from --execute. `help` lists them.

Examples:
  kripke simulate blink.elf
      Step through a firmware by hand.
  kripke simulate blink.elf -e 'break main' -e run -e 'input PIND 4' -e 'step 20' -e 'print PORTB'
      Stop in main, hold pin 2 of port D high, run twenty instructions, show a register.
  kripke simulate main.c
      Step through a C program, which asks for every value that comes from outside.")]
pub struct SimulateArguments {
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Take the commands from a file
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Do this command and then end; may be repeated
    #[arg(
        long,
        short,
        value_name = "COMMAND",
        conflicts_with = "script",
        allow_hyphen_values = true
    )]
    pub execute: Vec<String>,
}

/// Arguments of `kripke cfg`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Examples:
  kripke cfg light.elf                          all functions, with their blocks
  kripke cfg light.elf --function main          only this one
  kripke cfg light.elf --dot | dot -Tsvg > light.svg
      A picture: calls are dashed, handlers of interrupts are marked.")]
pub struct CfgArguments {
    /// The firmware (ELF or Intel HEX)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// As a graph for Graphviz
    #[arg(long)]
    pub dot: bool,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Arguments of `kripke analyze`.
#[derive(Args, Debug, Clone)]
pub struct AnalyzeArguments {
    /// The firmware (ELF or Intel HEX)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Beside each instruction: live, stack, interrupts, definitions, cfg; several with commas between
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub show: Vec<crate::commands::analyze::Show>,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Write the result as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Arguments of `kripke stack`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Examples:
  kripke stack light.elf
      The deepest stack with the path that reaches it.
  kripke stack light.elf --recursion search=8 --nesting 2
      search is on the stack 8 times at the most; two handlers at once at the most.

Exit codes: 0 the stack fits, 1 it would reach static data, 2 not known (recursion, handlers that can be \
interrupted again, pointers that lead anywhere), 3 bad input or usage, 4 internal error.")]
pub struct StackArguments {
    /// The firmware (ELF or Intel HEX)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub device: DeviceArguments,
    /// Interrupt handlers that are active at once, at the most
    #[arg(long, value_name = "N")]
    pub nesting: Option<u8>,
    /// An interrupt that never comes (INT0)
    #[arg(long, value_name = "INTERRUPT")]
    pub never: Vec<String>,
    /// How many calls of a recursive function are active at once, at the most
    #[arg(long, value_name = "FUNCTION=N", value_parser = parse_recursion)]
    pub recursion: Vec<(String, u32)>,
    /// Pointers that are called in a function lead to these functions only: 'fputc=uart_put,lcd_put'
    #[arg(long, value_name = "FUNCTION=TARGETS", value_parser = parse_calls)]
    pub calls: Vec<(String, Vec<String>)>,
    /// List what every function needs
    #[arg(long)]
    pub functions: bool,
    /// Write the result as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// An address, in decimal or hexadecimal.
fn parse_address(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected an address such as 0x7e00".to_owned())
}

/// What an `extern volatile` object is that the program does not define.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolatileChoice {
    /// Every read gives any value, and what is written is not read back
    #[default]
    Registers,
    /// It keeps what is written to it
    Memory,
}

fn parse_calls(text: &str) -> Result<(String, Vec<String>), String> {
    let Some((function, targets)) = text.split_once('=') else {
        return Err("expected FUNCTION=TARGET,TARGET".to_owned());
    };
    let targets: Vec<String> = targets.split(',').map(|name| name.trim().to_owned()).collect();
    if function.is_empty() || targets.iter().any(String::is_empty) {
        return Err("expected FUNCTION=TARGET,TARGET".to_owned());
    }
    Ok((function.to_owned(), targets))
}

fn parse_recursion(text: &str) -> Result<(String, u32), String> {
    let limit = |number: &str| number.parse().ok().filter(|limit| *limit > 0);
    match text.split_once('=') {
        Some((function, number)) if !function.is_empty() => match limit(number) {
            Some(limit) => Ok((function.to_owned(), limit)),
            None => Err(format!("'{number}' is no number of calls from 1 on")),
        },
        _ => Err("expected FUNCTION=N".to_owned()),
    }
}

/// Which runs of threads that go on for ever count.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FairChoice {
    /// All: a thread may wait for its turn for ever
    #[default]
    None,
    /// Those in which each thread goes on again and again, or cannot
    Weak,
}

/// How the schedules of threads are explored.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExploreChoice {
    /// Those that lead to the same places meet in one state
    #[default]
    Merged,
    /// One by one
    Interleavings,
}

/// Whether something is done.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It is
    On,
    /// It is not
    Off,
}

/// The C sources and how they are compiled.
#[derive(Args, Debug, Default, Clone)]
#[command(group(ArgGroup::new("handlers").args(["interrupt", "interrupts"]).multiple(true)))]
pub struct SourceArguments {
    /// C sources (.c, .i), LLVM IR (.ll), one program model (.elts) or one firmware image (.elf, .hex)
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Add a directory to the include path
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling")]
    pub include_directories: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiling")]
    pub defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Compiling")]
    pub undefines: Vec<String>,
    /// Language standard (c99, c11, gnu17, ...)
    #[arg(long, value_name = "STANDARD", help_heading = "Compiling")]
    pub std: Option<String>,
    /// Include a file before each source, as clang's -include
    #[arg(long = "include", value_name = "FILE", help_heading = "Compiling")]
    pub includes: Vec<PathBuf>,
    /// Machine the program is for (avr, thumbv6m-none-eabi, ...): sets the sizes of the C types
    #[arg(long, value_name = "TRIPLE", help_heading = "Compiling")]
    pub target: Option<String>,
    /// Where the C library of the target is, as clang's --sysroot; else Kripke's own headers serve a target
    /// that has none installed
    #[arg(long, value_name = "DIR", help_heading = "Compiling")]
    pub sysroot: Option<PathBuf>,
    /// Take files and flags from a compile_commands.json
    #[arg(long, value_name = "FILE", help_heading = "Compiling")]
    pub compile_db: Option<PathBuf>,
    /// Of the compile database, use only files whose path contains this text, where * stands for any text
    /// (repeatable)
    #[arg(
        long,
        value_name = "TEXT",
        requires = "compile_db",
        help_heading = "Compiling"
    )]
    pub filter: Vec<String>,
    /// The clang to use; else clang, clang-23, ..., clang-14 are looked for
    #[arg(long, value_name = "PATH", env = "KRIPKE_CLANG", help_heading = "Compiling")]
    pub clang: Option<PathBuf>,
    /// The function to start from
    #[arg(
        long,
        value_name = "FUNCTION",
        default_value = "main",
        help_heading = "Compiling"
    )]
    pub entry: String,
    /// Elements behind each pointer that the entry function gets
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=65536),
        help_heading = "Compiling")]
    pub entry_objects: u64,
    /// Pointers that lead from one object of the entry function to the next; those behind them are null
    #[arg(long, value_name = "N", default_value_t = 2,
        value_parser = clap::value_parser!(u32).range(1..=16),
        help_heading = "Compiling")]
    pub entry_depth: u32,
    /// Call `main` with up to N arguments, each with any characters
    #[arg(long, value_name = "N", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MainArguments::MOST)),
        help_heading = "Compiling")]
    pub arguments: u32,
    /// Characters of an argument at the most
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MainArguments::LONGEST)),
        help_heading = "Compiling")]
    pub argument_length: u32,
    /// Let malloc, calloc and realloc fail and return a null pointer
    #[arg(long, help_heading = "Properties")]
    pub malloc_may_fail: bool,
    /// Use a function's contract in the place of its calls, and check the function against it by itself: a
    /// name, names with commas between, or all that have one (repeatable)
    #[arg(
        long,
        value_name = "FUNCTION",
        value_delimiter = ',',
        help_heading = "Properties"
    )]
    pub replace_calls: Vec<String>,
    /// Let a handler interrupt the program: void HANDLER(void), its priority (1 unless given; a larger one
    /// interrupts smaller ones) and the number that enables it (repeatable)
    #[arg(
        long,
        value_name = "HANDLER[:PRIORITY[:NUMBER]]",
        value_parser = parse_handler,
        help_heading = "Interrupts"
    )]
    pub interrupt: Vec<Handler>,
    /// Let all handlers interrupt the program that the sources contain: those with attributes (signal,
    /// interrupt), in a table of vectors, and by name (__vector_1, SysTick_Handler)
    #[arg(long, help_heading = "Interrupts")]
    pub interrupts: bool,
    /// Let each handler come N times at the most; without it any number of times
    #[arg(long, value_name = "N", requires = "handlers", help_heading = "Interrupts")]
    pub interrupt_bound: Option<u32>,
    /// A function that enables interrupts, beside sei, cpsie i, __enable_irq and the like (repeatable); with
    /// the number of the handler among its parameters, 'unmask(_, n)', and a value for all,
    /// 'unmask(n, all=-1)'
    #[arg(
        long,
        value_name = "FUNCTION[(n)]",
        value_parser = parse_named,
        requires = "handlers",
        help_heading = "Interrupts"
    )]
    pub interrupt_enable: Vec<Named>,
    /// A function that disables interrupts, beside cli, cpsid i, __disable_irq and the like (repeatable);
    /// with a number: 'mask(_, n)', 'mask(n, all=-1)'
    #[arg(
        long,
        value_name = "FUNCTION[(n)]",
        value_parser = parse_named,
        requires = "handlers",
        help_heading = "Interrupts"
    )]
    pub interrupt_disable: Vec<Named>,
    /// How many bits of a priority the device keeps, if it is a Cortex-M (__NVIC_PRIO_BITS)
    #[arg(long, value_name = "N", requires = "handlers", help_heading = "Interrupts",
          value_parser = clap::value_parser!(u32).range(3..=8))]
    pub interrupt_priority_bits: Option<u32>,
    /// The priority of a handler in the registers of a Cortex-M at the start, 0 unless given; a smaller one
    /// is more urgent, and BASEPRI masks those that are not smaller (repeatable)
    #[arg(
        long,
        value_name = "HANDLER=PRIORITY",
        value_parser = parse_register_priority,
        requires = "handlers",
        help_heading = "Interrupts"
    )]
    pub interrupt_register_priority: Vec<(String, u8)>,
    /// Let a handler come at most once between two calls of a function, the one that waits for the next tick,
    /// and before the first (repeatable)
    #[arg(
        long,
        value_name = "HANDLER=FUNCTION",
        value_parser = parse_once_per,
        requires = "handlers",
        help_heading = "Interrupts"
    )]
    pub interrupt_once_per: Vec<(String, String)>,
    /// Let a handler come only while a C expression over global variables and registers is true, as
    /// 'tick: TIMSK & 1' (repeatable)
    #[arg(
        long,
        value_name = "HANDLER: EXPRESSION",
        value_parser = parse_condition,
        requires = "handlers",
        help_heading = "Interrupts"
    )]
    pub interrupt_if: Vec<(String, String)>,
    /// Let interrupts come after every access to memory, also where nobody can tell
    #[arg(long, requires = "handlers", help_heading = "Interrupts")]
    pub interrupt_everywhere: bool,
    /// What volatile objects are that the program declares as extern and does not define
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        default_value_t = VolatileChoice::Registers,
        help_heading = "Properties"
    )]
    pub volatile: VolatileChoice,
    /// Options passed to clang as they are
    #[arg(last = true, value_name = "CLANG OPTIONS")]
    pub clang_arguments: Vec<String>,
}

/// Which kinds of properties.
#[derive(Args, Debug, Default, Clone)]
pub struct PropertyArguments {
    /// What to check for: kinds and groups (default, all, none) with commas between; +KIND adds to and
    /// -KIND takes from the default. Kinds: assertion, overflow, division-by-zero, shift, bounds, pointer,
    /// free, leak, uninitialised, float-cast, missing-return, unreachable, vla-bound, function-pointer,
    /// library-contract, deadlock, lock-order, priority-inversion, thread-leak, data-race, torn-access,
    /// atomicity, handler-call, format
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        help_heading = "Properties"
    )]
    pub check: Option<String>,
}

#[derive(Args, Debug, Clone)]
#[command(after_long_help = CHECK_AFTER_HELP)]
pub struct CheckArguments {
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    #[command(flatten)]
    pub firmware: FirmwareArguments,
    /// Check only this property (repeatable); --list-properties shows the names
    #[arg(long = "property", value_name = "ID", help_heading = "Properties")]
    pub property_ids: Vec<String>,
    /// Check a formula of linear temporal logic; atoms are {C expressions} over global variables; a name may
    /// stand before it: NAME: FORMULA (repeatable)
    #[arg(long, value_name = "FORMULA", help_heading = "Properties")]
    pub ltl: Vec<String>,
    /// Check the formulas of a file, one per line; # starts a comment
    #[arg(long, value_name = "FILE", help_heading = "Properties")]
    pub ltl_file: Vec<PathBuf>,
    /// Go on after the first violation
    #[arg(long, help_heading = "Properties")]
    pub all: bool,
    /// Check every function by itself, with objects behind its pointers, and rank what is found by how little
    /// it takes for granted; with a pattern only functions of such a name: 'ring_*'
    #[arg(
        long,
        value_name = "PATTERN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "*",
        conflicts_with_all = ["entry", "list_properties", "list_loops"],
        help_heading = "Properties"
    )]
    pub each_function: Option<String>,
    /// Check, one by one, only functions that changed since a revision of git, or call one that did
    #[arg(
        long,
        value_name = "REV",
        conflicts_with_all = ["entry", "list_properties", "list_loops"],
        help_heading = "Properties"
    )]
    pub changed_since: Option<String>,
    /// List the properties and stop
    #[arg(long, help_heading = "Properties")]
    pub list_properties: bool,

    /// Follow each loop and recursion up to N times; else the bound grows by itself
    #[arg(long, value_name = "N", value_parser = parse_bound, help_heading = "Bounds and limits")]
    pub unwind: Option<u32>,
    /// Bound of one loop, named FUNCTION.N (its N-th loop) or FILE:LINE (repeatable)
    #[arg(long, value_name = "LOOP=N", value_parser = parse_loop_bound, value_delimiter = ',',
          help_heading = "Bounds and limits")]
    pub unwindset: Vec<(String, u32)>,
    /// List the loops with the names that --unwindset takes, and stop
    #[arg(long, help_heading = "Bounds and limits")]
    pub list_loops: bool,
    /// Largest bound the automatic unwinding tries
    #[arg(long, value_name = "N", value_parser = parse_bound, help_heading = "Bounds and limits")]
    pub max_unwind: Option<u32>,
    /// Do not try induction on loops that do not end within the bound
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_k_induction: bool,
    /// Do not look for loop invariants where induction alone does not prove a property
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_invariants: bool,
    /// Prove what follows from loop invariants, for any number of iterations, and do not search loops for
    /// violations
    #[arg(long, help_heading = "Bounds and limits", conflicts_with_all = ["no_invariants", "unwind"])]
    pub only_invariants: bool,
    /// Do not look for loop invariants by property-directed reachability where guesses do not do
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_pdr: bool,
    /// Do not look for violations by running the program with inputs that evolve
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_fuzzing: bool,
    /// Do not prove properties in the part of the program that matters to them
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_slicing: bool,
    /// Do not ask the solver whether a loop or recursion can go on before it is followed
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_feasibility: bool,
    /// Execute the program from its beginning at each bound, not only what goes on past the last one
    #[arg(long, help_heading = "Bounds and limits")]
    pub restart: bool,
    /// Merge all paths that meet, also those that differ in where they are in data
    #[arg(long, help_heading = "Bounds and limits")]
    pub merge_all: bool,
    /// Do not look for infinite counterexamples of temporal formulas
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_lasso: bool,
    /// Let other threads come also between accesses that a lock protects
    #[arg(long, help_heading = "Bounds and limits")]
    pub no_lock_reduction: bool,
    /// Which runs of threads that go on for ever count for temporal formulas
    #[arg(
        long,
        value_name = "FAIRNESS",
        value_enum,
        default_value_t,
        help_heading = "Properties"
    )]
    pub fair: FairChoice,
    /// Let another thread go on N times at most before the one that runs waits or ends
    #[arg(long, value_name = "N", help_heading = "Bounds and limits")]
    pub context_bound: Option<u32>,
    /// How the schedules of threads are explored
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value_t,
        help_heading = "Bounds and limits"
    )]
    pub explore: ExploreChoice,
    /// Of states that are the same where a thread is chosen, follow one (with --explore interleavings)
    #[arg(long, value_name = "on|off", value_enum, help_heading = "Bounds and limits")]
    pub state_hashing: Option<Switch>,
    /// Of orders of steps that do not depend on each other, follow one (with --explore interleavings)
    #[arg(long, value_name = "on|off", value_enum, help_heading = "Bounds and limits")]
    pub partial_order_reduction: Option<Switch>,
    /// Stop after this time: 500ms, 90s, 5m, 1h or none
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time,
          help_heading = "Bounds and limits")]
    pub timeout: TimeLimit,
    /// Stop when this much memory is in use: 512M, 4G or none
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_memory,
          help_heading = "Bounds and limits")]
    pub memory_limit: MemoryLimit,

    /// Who decides: default (interval search over floats beside the built-in Bitwuzla), bitwuzla (alone), z3,
    /// cvc5, or the command of any SMT-LIB 2 solver that reads from standard input
    #[arg(
        long,
        value_name = "SOLVER",
        default_value = "default",
        help_heading = "Solver"
    )]
    pub solver: String,
    /// Ask a second solver too and report any disagreement
    #[arg(long, value_name = "SOLVER", help_heading = "Solver")]
    pub cross_check: Option<String>,
    /// Write every solver query to this directory
    #[arg(long, value_name = "DIR", help_heading = "Solver")]
    pub dump_smt2: Option<PathBuf>,

    /// Write the report as JSON (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportArguments,
    /// Write a C file that reproduces the first violation in the compiled program
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub harness: Option<PathBuf>,
    /// Write the proof of what holds as a correctness witness, and its formulas to FILE.smt2
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Say only what is violated, and the verdict
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Show every property and every step
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  kripke elts main.c                  the model as text; it reads back: kripke check main.elts
  kripke elts main.c --dot | dot -Tsvg -o main.svg
  kripke elts main.c --statistics     what each optimisation achieves")]
pub struct EltsArguments {
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    /// Print a graph for Graphviz
    #[arg(long, conflicts_with = "statistics", help_heading = "Output")]
    pub dot: bool,
    /// Print the model's size before and after each pass
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,
    /// Print the model as the front end made it
    #[arg(long, conflicts_with = "statistics", help_heading = "Output")]
    pub no_optimise: bool,
    /// Write to a file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  kripke ltl 'G({request} -> F {grant})'              class, automaton, possible verdicts
  kripke ltl '[](p -> <>q)' --dialect spin --emit hoa the automaton for other tools
  kripke ltl 'F done' --trace run.txt                 the verdict after each letter of a trace")]
pub struct LtlArguments {
    /// The formula; the spellings of SPIN, ltl2ba, Spot and NuSMV all work, atoms are names, "texts" or
    /// {C expressions}
    #[arg(value_name = "FORMULA")]
    pub formula: String,
    /// Whose precedences to read it with: kripke (those of Spot), spin, ltl2ba, spot, nusmv
    #[arg(long, value_name = "NAME", default_value = "kripke")]
    pub dialect: String,
    /// Write the formula's automaton (hoa, never, dot), or a C monitor of it (c)
    #[arg(long, value_name = "FORMAT", conflicts_with = "trace")]
    pub emit: Option<AutomatonFormat>,
    /// Evaluate the formula on a finite or infinite trace
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

/// How an automaton is written.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomatonFormat {
    /// Hanoi omega-automata format, version 1
    Hoa,
    /// A never claim of SPIN
    Never,
    /// A graph for Graphviz
    Dot,
    /// A monitor in C, stepped at every letter
    C,
}

#[derive(Args, Debug)]
#[command(after_long_help = "\
Exit code: the program's own; 134 when it aborts; 1 when it breaks a checked property, 2 when an assumption \
fails, something unsupported is reached or the step limit is hit; 3 for bad input.

Examples:
  kripke run main.c                   inputs are 0
  kripke run main.c --seed 7          inputs are random, the same each time
  kripke run main.c --inputs in.txt   inputs from a file: one number per line, # starts a comment")]
pub struct RunArguments {
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub properties: PropertyArguments,
    /// Take the nondeterministic inputs from a file, one number per line
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub inputs: Option<PathBuf>,
    /// Choose further inputs at random from this seed; else they are 0
    #[arg(long, value_name = "N", help_heading = "Inputs")]
    pub seed: Option<u64>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", help_heading = "Inputs")]
    pub max_steps: Option<u64>,
    /// Do not optimise the model first
    #[arg(long, help_heading = "Inputs")]
    pub no_optimise: bool,
}

#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}
