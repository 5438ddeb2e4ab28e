//! What the liveness analysis is told: what must be right everywhere, and where a run was seen to break what
//! the analysis rests on.

use std::collections::BTreeSet;

/// What is known beside the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// Registers that somebody looks at, at any time: bits of a word.
    pub registers: u32,
    /// Flags that somebody looks at.
    pub flags: u8,
    /// Somebody looks at bytes of the stack.
    pub observes_stack: bool,
    /// Loads that were seen to read the stack where [`super::Liveness::foresees_load`] said that they do not.
    pub stack_loads: BTreeSet<u32>,
    /// Loads that were seen to read registers or the status register.
    pub register_loads: BTreeSet<u32>,
    /// Stores that were seen to write the stack or registers.
    pub stores: BTreeSet<u32>,
}
