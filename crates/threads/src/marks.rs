//! What the calls in a thread's code mean.

use std::collections::BTreeMap;

use kripke_elts::threads::{
    ACCESS_BEGINS, ACCESS_ENDS, ACCESSES, BEFORE_ATOMIC, BEFORE_READ, BEFORE_WRITE, BETWEEN, CHOSEN, CREATE,
    END, HOLD, INTERRUPTS, IS_READY, LOCKS_UNSEEN, MASKS, MASKS_SOME, NEEDS_ALONE, PUBLISHES, RESUMES_OTHERS,
    SECTION_BEGINS, SECTION_ENDS, SELF, SUSPENDS_OTHERS, SWITCH, UNLOCKS_UNSEEN, WAIT_END, WAIT_FREE,
    WAIT_NONZERO, WAIT_ZERO, WAITED, WRITES,
};
use kripke_elts::{Callee, FunctionId, Program, StatementKind};

/// What a call of a function without effect means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Others may run; what follows is a write that they can tell, or not, or what is done at once.
    Gap {
        writes: bool,
        is_atomic: bool,
    },
    /// The same where races are asked for; nothing else.
    Access,
    /// What follows relies on that no other thread runs.
    Alone,
    /// The lock that follows is one that nobody else can tell.
    LocksUnseen,
    /// Nobody needs to run before the unlock that follows.
    UnlocksUnseen,
    /// Another thread does not go on, or may again.
    Hold,
    /// Others may run between the pieces of an access.
    Between,
    /// An access begins, of which it is asked what comes between it and others; it is made.
    Begins,
    Ends,
    /// What the thread wrote is meant to be seen from here on.
    Publishes,
    /// What the thread did so far is over.
    Waited,
    /// The thread goes on while the word is zero, or while it is not.
    Wait(Wait),
    /// A thread begins.
    Create,
    /// The thread ends.
    End,
    /// The number of the thread is wanted.
    Own,
    /// Whether another one could go on is wanted.
    Ready,
    /// What is done at once begins or ends.
    Section {
        begins: bool,
    },
    /// The same, for other threads but not for handlers.
    Suspension {
        begins: bool,
    },
    /// The thread has disabled interrupts, or not: all of them, or some.
    Masks {
        all: bool,
    },
    /// A handler was chosen.
    Chosen,
    /// Whether a handler runs is wanted.
    Interrupts,
}

/// What a word has to be for a thread that waits to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Zero,
    Nonzero,
    /// Zero; else it says who holds what is waited for: the number of the thread and one.
    Free,
    /// Not zero; it is the word of the thread that is waited for in a table of all.
    End,
}

impl Wait {
    pub fn is_for_zero(self) -> bool {
        matches!(self, Wait::Zero | Wait::Free)
    }

    /// Is it known for which thread it waits?
    pub fn names_thread(self) -> bool {
        matches!(self, Wait::Free | Wait::End)
    }
}

/// The functions whose calls mean something.
pub struct Marks {
    of: BTreeMap<FunctionId, Mark>,
}

impl Marks {
    pub fn new(program: &Program) -> Self {
        let known = program.functions.enumerate();
        let of = known.filter_map(|(id, function)| Some((id, mark(&function.name)?)));
        Marks { of: of.collect() }
    }

    /// What a statement means, if it is such a call.
    pub fn of(&self, kind: &StatementKind) -> Option<Mark> {
        match kind {
            StatementKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.of.get(callee).copied(),
            _ => None,
        }
    }

    /// Is there one of that meaning?
    pub fn has(&self, mark: Mark) -> bool {
        self.of.values().any(|known| *known == mark)
    }
}

fn mark(name: &str) -> Option<Mark> {
    Some(match name {
        SELF => Mark::Own,
        SWITCH | BEFORE_READ => Mark::Gap {
            writes: false,
            is_atomic: false,
        },
        BEFORE_WRITE | WRITES => Mark::Gap {
            writes: true,
            is_atomic: false,
        },
        BEFORE_ATOMIC => Mark::Gap {
            writes: false,
            is_atomic: true,
        },
        ACCESSES => Mark::Access,
        NEEDS_ALONE => Mark::Alone,
        LOCKS_UNSEEN => Mark::LocksUnseen,
        UNLOCKS_UNSEEN => Mark::UnlocksUnseen,
        HOLD => Mark::Hold,
        BETWEEN => Mark::Between,
        ACCESS_BEGINS => Mark::Begins,
        ACCESS_ENDS => Mark::Ends,
        IS_READY => Mark::Ready,
        PUBLISHES => Mark::Publishes,
        WAITED => Mark::Waited,
        WAIT_ZERO => Mark::Wait(Wait::Zero),
        WAIT_NONZERO => Mark::Wait(Wait::Nonzero),
        WAIT_FREE => Mark::Wait(Wait::Free),
        WAIT_END => Mark::Wait(Wait::End),
        CREATE => Mark::Create,
        END => Mark::End,
        SECTION_BEGINS => Mark::Section { begins: true },
        SECTION_ENDS => Mark::Section { begins: false },
        SUSPENDS_OTHERS => Mark::Suspension { begins: true },
        RESUMES_OTHERS => Mark::Suspension { begins: false },
        MASKS => Mark::Masks { all: true },
        MASKS_SOME => Mark::Masks { all: false },
        CHOSEN => Mark::Chosen,
        INTERRUPTS => Mark::Interrupts,
        _ => return None,
    })
}
