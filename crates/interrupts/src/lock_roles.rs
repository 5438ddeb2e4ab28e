//! What the functions of the thread library do to mutexes, and to who runs.
//!
//! Idea: few of them matter. Those that lock return only when the caller holds the mutex; those that wait for
//! a condition hold it again when they return. Of what is not listed here it is taken that it starts threads,
//! and does anything to the mutexes that it gets.

use kripke_elts::threads::CREATE;
use kripke_elts::{FunctionId, IdVec, Program};

use crate::gaps::is_thread_library;

/// What a function of the thread library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Locks the mutex that its first argument points to.
    Locks,
    /// Unlocks it.
    Unlocks,
    /// Unlocks that of its second argument, waits, and locks it again.
    Waits,
    /// Makes a mutex that nobody holds.
    Initialises,
    /// Waits until a thread has ended.
    Joins,
    /// Starts a thread.
    Starts,
    /// Does something else where another thread holds the mutex of its first argument.
    Looks,
    /// Nothing of that.
    Nothing,
    /// Nobody knows.
    Anything,
}

impl Role {
    /// Does a mutex change its holder, so that a call through a pointer matters?
    pub fn hands_over(self) -> bool {
        matches!(self, Role::Unlocks | Role::Waits | Role::Initialises)
    }
}

/// How the names of functions begin that do nothing of that.
const NOTHING: [&str; 16] = [
    "pthread_attr_",
    "pthread_barrier",
    "pthread_cond_",
    "pthread_condattr_",
    "pthread_getspecific",
    "pthread_key_",
    "pthread_mutexattr_",
    "pthread_rwlock",
    "pthread_self",
    "pthread_equal",
    "pthread_setspecific",
    "cnd_",
    "sem_",
    "sched_yield",
    "thrd_current",
    "thrd_yield",
];

/// Those of mutexes that do something else where another thread holds one.
const LOOKS: [&str; 9] = [
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutex_destroy",
    "pthread_spin_trylock",
    "pthread_spin_destroy",
    "mtx_trylock",
    "mtx_timedlock",
    "mtx_destroy",
];

/// The roles of all functions; none of those of the program.
pub fn roles(program: &Program) -> IdVec<FunctionId, Option<Role>> {
    let ids = program.functions.ids();
    ids.map(|id| role(program, id)).collect::<Vec<_>>().into()
}

fn role(program: &Program, id: FunctionId) -> Option<Role> {
    let name = program.functions[id].name.as_str();
    if name == CREATE {
        return Some(Role::Starts);
    }
    if !is_thread_library(program, id) {
        return None;
    }
    Some(match name {
        "pthread_mutex_lock" | "pthread_spin_lock" | "mtx_lock" => Role::Locks,
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "mtx_unlock" => Role::Unlocks,
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" => Role::Waits,
        "cnd_wait" | "cnd_timedwait" => Role::Waits,
        "pthread_mutex_init" | "pthread_spin_init" | "mtx_init" => Role::Initialises,
        "pthread_join" | "thrd_join" => Role::Joins,
        "pthread_create" | "thrd_create" => Role::Starts,
        _ if LOOKS.contains(&name) => Role::Looks,
        _ if NOTHING.iter().any(|begins| name.starts_with(begins)) => Role::Nothing,
        _ => Role::Anything,
    })
}
