//! What is an error in every firmware, and checked without being asked.
//!
//! Source: section 4.1 of Schlich's thesis; the list is longer than its.

use std::fmt;

/// Kinds of faults. A state tells which ones the step into it committed; these may be several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Fault {
    /// The stack has grown into static data, or below static memory.
    StackOverflow = 1,
    /// More was popped than pushed.
    StackUnderflow,
    /// A return address that was never pushed.
    ReturnToNowhere,
    /// The program counter is where the image has no code.
    OutsideProgram,
    /// A word that is no instruction.
    UndefinedInstruction,
    /// A write to a reserved bit, or to an I/O address without a register.
    ReservedWrite,
    /// A read of static memory that was never written.
    UninitialisedRead,
    /// An access beyond the end of static memory.
    OutsideMemory,
    /// An interrupt that is enabled and has no handler.
    MissingHandler,
    /// Data is accessed in several instructions, and a handler comes in between ([`crate::torn`]).
    TornAccess,
}

impl Fault {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Fault; 10] = [
        Fault::StackOverflow,
        Fault::StackUnderflow,
        Fault::ReturnToNowhere,
        Fault::OutsideProgram,
        Fault::UndefinedInstruction,
        Fault::ReservedWrite,
        Fault::UninitialisedRead,
        Fault::OutsideMemory,
        Fault::MissingHandler,
        Fault::TornAccess,
    ];

    /// The bit of this kind among the faults of one step.
    #[must_use]
    pub fn bit(self) -> u16 {
        1 << (self as u16 - 1)
    }

    /// The name in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::StackOverflow => "stack-overflow",
            Fault::StackUnderflow => "stack-underflow",
            Fault::ReturnToNowhere => "return-to-nowhere",
            Fault::OutsideProgram => "outside-program",
            Fault::UndefinedInstruction => "undefined-instruction",
            Fault::ReservedWrite => "reserved-write",
            Fault::UninitialisedRead => "uninitialised-read",
            Fault::OutsideMemory => "outside-memory",
            Fault::MissingHandler => "missing-handler",
            Fault::TornAccess => "torn-access",
        }
    }

    /// What happened, for users.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Fault::StackOverflow => "the stack grows into static data",
            Fault::StackUnderflow => "more is popped than was pushed",
            Fault::ReturnToNowhere => "a return takes an address that was never pushed",
            Fault::OutsideProgram => "the program counter leaves the program",
            Fault::UndefinedInstruction => "a word that is no instruction is executed",
            Fault::ReservedWrite => "a reserved bit or address is written",
            Fault::UninitialisedRead => "memory is read that was never written",
            Fault::OutsideMemory => "an access lies outside static memory",
            Fault::MissingHandler => "an interrupt is enabled that has no handler",
            Fault::TornAccess => {
                "data is accessed in several instructions, and a handler accesses it in between"
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
