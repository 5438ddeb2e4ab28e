//! What the calls in a thread's code mean.

use std::collections::BTreeMap;

use kripke_elts::threads::{
    ACCESSES, BEFORE_ATOMIC, BEFORE_READ, BEFORE_WRITE, BETWEEN, CREATE, END, HOLD, SECTION_BEGINS,
    SECTION_ENDS, SELF, SWITCH, WAIT_NONZERO, WAIT_ZERO, WRITES,
};
use kripke_elts::{Callee, FunctionId, Program, StatementKind};

/// What a call of a function without effect means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Others may run; what follows is a write that they can tell, or not, or what is done at once.
    Gap { writes: bool, is_atomic: bool },
    /// The same where races are asked for; nothing else.
    Access,
    /// Another thread does not go on, or may again.
    Hold,
    /// Others may run between the pieces of an access.
    Between,
    /// The thread goes on while the word is zero, or while it is not.
    Wait { for_zero: bool },
    /// A thread begins.
    Create,
    /// The thread ends.
    End,
    /// The number of the thread is wanted.
    Own,
    /// What is done at once begins or ends.
    Section { begins: bool },
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
        HOLD => Mark::Hold,
        BETWEEN => Mark::Between,
        WAIT_ZERO => Mark::Wait { for_zero: true },
        WAIT_NONZERO => Mark::Wait { for_zero: false },
        CREATE => Mark::Create,
        END => Mark::End,
        SECTION_BEGINS => Mark::Section { begins: true },
        SECTION_ENDS => Mark::Section { begins: false },
        _ => return None,
    })
}
