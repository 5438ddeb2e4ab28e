//! What is checked.

use serde::Serialize;

use crate::Place;

/// The kind of a property, as `--check` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// `assert`, `__VERIFIER_assert`, `reach_error` and the like.
    Assertion,
    /// Signed integer overflow.
    Overflow,
    /// Integer division by zero (and `INT_MIN / -1`).
    DivisionByZero,
    /// Shift by a negative or too large distance, or of a negative value where C forbids it.
    Shift,
    /// An array index outside its array, as the type says.
    Bounds,
    /// Dereference of a null, freed, misaligned or foreign pointer, or outside the object.
    Pointer,
    /// Pointer arithmetic that leaves its object by more than one past its end (C11 6.5.6p8).
    PointerArithmetic,
    /// `free` of something that is no live heap object (double free too).
    Free,
    /// Heap memory never freed when the program ends.
    Leak,
    /// Reading a value that was never written.
    Uninitialised,
    /// Float to integer conversion out of range.
    FloatCast,
    /// The end of a value-returning function reached, and its value used.
    MissingReturn,
    /// Code marked unreachable is reached.
    Unreachable,
    /// A variable length array of no or negative size.
    VlaBound,
    /// A call through a pointer that is no function of the right shape.
    FunctionPointer,
    /// A library function used against its contract (overlapping `memcpy`, …).
    LibraryContract,
    /// All threads wait, or have ended, and none of those that wait can go on.
    Deadlock,
    /// Threads lock the same locks in different orders.
    LockOrder,
    /// A thread waits for a lock that one of lower priority holds, while a third one in between can run.
    PriorityInversion,
    /// A thread has ended, and was neither joined nor detached when the program ends.
    ThreadLeak,
    /// Two threads access the same bytes at once, and one of them writes.
    DataRace,
    /// An access that the machine makes in several pieces, and a conflicting one between them.
    TornAccess,
    /// Two accesses to an object, and one of another thread or a handler in between that no serial order
    /// explains.
    Atomicity,
    /// A handler of interrupts calls what is not safe there.
    HandlerCall,
    /// A format of `printf` or `scanf` that does not fit the arguments.
    Format,
    /// `__CPROVER_loop_invariant` and the like.
    LoopInvariant,
    /// `__CPROVER_requires` and the like, where the function is called.
    Precondition,
    /// `__CPROVER_ensures` and the like, where the function returns.
    Postcondition,
    /// `__CPROVER_assigns` and the like, where something else is written.
    Assigns,
    /// An error in every firmware, such as a stack overflow. Not one of the kinds that `--check` selects.
    Firmware,
    /// A proposition that is true in every reachable state. Not one of the kinds that `--check` selects.
    Invariant,
    /// A formula of computation tree logic. Not one of the kinds that `--check` selects.
    Ctl,
    /// A formula of linear temporal logic. Not one of the kinds that `--check` selects.
    Ltl,
}

impl PropertyKind {
    /// Every kind that `--check` can select, in the order of the documentation.
    pub const ALL: &'static [PropertyKind] = &[
        PropertyKind::Assertion,
        PropertyKind::Overflow,
        PropertyKind::DivisionByZero,
        PropertyKind::Shift,
        PropertyKind::Bounds,
        PropertyKind::Pointer,
        PropertyKind::PointerArithmetic,
        PropertyKind::Free,
        PropertyKind::Leak,
        PropertyKind::Uninitialised,
        PropertyKind::FloatCast,
        PropertyKind::MissingReturn,
        PropertyKind::Unreachable,
        PropertyKind::VlaBound,
        PropertyKind::FunctionPointer,
        PropertyKind::LibraryContract,
        PropertyKind::Deadlock,
        PropertyKind::LockOrder,
        PropertyKind::PriorityInversion,
        PropertyKind::ThreadLeak,
        PropertyKind::DataRace,
        PropertyKind::TornAccess,
        PropertyKind::Atomicity,
        PropertyKind::HandlerCall,
        PropertyKind::Format,
        PropertyKind::LoopInvariant,
        PropertyKind::Precondition,
        PropertyKind::Postcondition,
        PropertyKind::Assigns,
    ];

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<PropertyKind> {
        PropertyKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// True for the kinds that are checked unless the user says otherwise: all that are errors in every
    /// program. Leaks are not: firmware that never frees is right as it is. Nor is arithmetic on pointers
    /// that nobody follows: C forbids it, compilers and much code do not mind. Nor are orders of
    /// locks, priority inversions, threads that nobody joins, data races, torn accesses and such that others
    /// come between, and calls that are not safe in handlers, as much code has benign ones.
    pub fn is_default(self) -> bool {
        !matches!(
            self,
            PropertyKind::Leak
                | PropertyKind::PointerArithmetic
                | PropertyKind::LockOrder
                | PropertyKind::PriorityInversion
                | PropertyKind::ThreadLeak
                | PropertyKind::DataRace
                | PropertyKind::TornAccess
                | PropertyKind::Atomicity
                | PropertyKind::HandlerCall
        )
    }

    /// True for what a user writes as a formula, rather than what is checked at single places of a program.
    pub fn is_formula(self) -> bool {
        matches!(
            self,
            PropertyKind::Invariant | PropertyKind::Ctl | PropertyKind::Ltl
        )
    }

    /// True for what a user says of a program without being part of it: a run goes on where it is false.
    pub fn is_contract(self) -> bool {
        matches!(
            self,
            PropertyKind::LoopInvariant
                | PropertyKind::Precondition
                | PropertyKind::Postcondition
                | PropertyKind::Assigns
        )
    }

    /// The name used on the command line, in ids and in reports.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Assertion => "assertion",
            PropertyKind::Overflow => "overflow",
            PropertyKind::DivisionByZero => "division-by-zero",
            PropertyKind::Shift => "shift",
            PropertyKind::Bounds => "bounds",
            PropertyKind::Pointer => "pointer",
            PropertyKind::PointerArithmetic => "pointer-arithmetic",
            PropertyKind::Free => "free",
            PropertyKind::Leak => "leak",
            PropertyKind::Uninitialised => "uninitialised",
            PropertyKind::FloatCast => "float-cast",
            PropertyKind::MissingReturn => "missing-return",
            PropertyKind::Unreachable => "unreachable",
            PropertyKind::VlaBound => "vla-bound",
            PropertyKind::FunctionPointer => "function-pointer",
            PropertyKind::LibraryContract => "library-contract",
            PropertyKind::Deadlock => "deadlock",
            PropertyKind::LockOrder => "lock-order",
            PropertyKind::PriorityInversion => "priority-inversion",
            PropertyKind::ThreadLeak => "thread-leak",
            PropertyKind::DataRace => "data-race",
            PropertyKind::TornAccess => "torn-access",
            PropertyKind::Atomicity => "atomicity",
            PropertyKind::HandlerCall => "handler-call",
            PropertyKind::Format => "format",
            PropertyKind::LoopInvariant => "loop-invariant",
            PropertyKind::Precondition => "precondition",
            PropertyKind::Postcondition => "postcondition",
            PropertyKind::Assigns => "assigns",
            PropertyKind::Firmware => "firmware",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Ctl => "ctl",
            PropertyKind::Ltl => "ltl",
        }
    }
}

/// A property as users see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Property {
    /// Stable name: `function.kind.N`, N counting from 1 in source order within function and kind.
    pub id: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// What it says.
    pub description: String,
    /// Where it is checked.
    pub place: Place,
}
