//! The options that say what the world around a firmware is like, and how its states are explored.

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};

/// The environment of a firmware, and how it is explored.
#[derive(Args, Debug, Default, Clone)]
pub struct ModelArguments {
    /// Inputs always satisfy this: '(PINA & 3) == 0'
    #[arg(long = "constraint", value_name = "EXPRESSION")]
    pub constraints: Vec<String>,
    /// An interrupt that never comes (INT0); of C, a handler that --interrupts finds
    #[arg(long, value_name = "INTERRUPT")]
    pub never: Vec<String>,
    /// Interrupt handlers that are active at once, at the most
    #[arg(long, value_name = "N")]
    pub nesting: Option<u8>,
    /// What the EEPROM holds when a run begins: anything that an earlier run may have left, or what the file
    /// says
    #[arg(long, value_name = "CONTENTS", default_value = "anything")]
    pub eeprom: EepromContents,
    /// When inputs get their values: where they are read, where they are used, or as the property needs it
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub nondeterminism: NondeterminismChoice,
    /// Decide unknown bits where something is computed from them
    #[arg(long)]
    pub no_abstract_values: bool,
    /// Keep the values of all variables, also of those that take very many
    #[arg(long)]
    pub no_widening: bool,
    /// Keep what the stack leaves behind in memory as part of the state
    #[arg(long)]
    pub no_lazy_stack: bool,
    /// Let interrupts come right after RETI and SEI (fewer states, more runs than the chip has)
    #[arg(long)]
    pub lazy_interrupts: bool,
    /// Make every instruction a step of its own, also where a run has no choice
    #[arg(long)]
    pub no_path_reduction: bool,
    /// Let interrupts come before every instruction, also where it cannot be told
    #[arg(long)]
    pub no_interrupt_reduction: bool,
    /// Keep registers and flags that nothing reads any more as part of the state
    #[arg(long)]
    pub no_dead_variable_reduction: bool,
    /// Stop after so many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<usize>,
    /// Threads that compute states; by default as many as there are processors
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl ModelArguments {
    /// Threads beside the one that searches.
    pub fn helpers(&self) -> usize {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(all).get() - 1
    }
}

/// What the EEPROM of a firmware holds when a run begins.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EepromContents {
    /// Anything: earlier runs have written to it
    #[default]
    Anything,
    /// What the section .eeprom of the file says, and 0xFF elsewhere
    Image,
}

/// When inputs of firmware get their values.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NondeterminismChoice {
    /// Delayed where that is sound for the property, else immediate
    #[default]
    Auto,
    /// Where they are read
    Immediate,
    /// Where they are used
    Delayed,
}
