//! Names by which the parts that deal with threads know each other's functions and variables.
//!
//! Idea: what starts, stops and switches threads is a call in the program model, of a function that does what
//! it would do if the program had one thread, until all threads are woven into one function.

use crate::program::{Function, Position, Program};
use crate::{FunctionId, Id};

/// Returns the number of the running thread.
pub const SELF: &str = "kripke thread self";
/// Other threads may run here.
pub const SWITCH: &str = "kripke thread switch";
/// The same, before the thread library writes so many bytes for its caller.
pub const WRITES: &str = "kripke thread writes";
/// The same where races are asked for; nothing else. The last argument says whether it writes.
pub const ACCESSES: &str = "kripke thread accesses";
/// The thread of a number does not go on: 0 if it may again, 1 until then, and 2 if it never will. 3 says
/// that it serves the others, so that there is no deadlock where it waits and these have ended.
pub const HOLD: &str = "kripke thread holds";
/// The thread goes on only while the word that its argument points to is zero.
pub const WAIT_ZERO: &str = "kripke thread wait zero";
/// The same while it is not.
pub const WAIT_NONZERO: &str = "kripke thread wait nonzero";
/// Waits for zero as [`WAIT_ZERO`] does, for a word that says who holds something: the number of a thread and
/// one.
pub const WAIT_FREE: &str = "kripke thread wait free";
/// Waits as [`WAIT_NONZERO`] does, for a word of a table that says which threads have ended.
pub const WAIT_END: &str = "kripke thread wait end";
/// Returns whether the thread of a number could go on.
pub const IS_READY: &str = "kripke thread is ready";
/// What the thread wrote until here is meant to be seen by others.
pub const PUBLISHES: &str = "kripke thread publishes";
/// The thread waits here for something that others do: what it did before is over.
pub const WAITED: &str = "kripke thread waited";
/// Starts a thread: the function, its argument, and what is called with its result. Returns the number.
pub const CREATE: &str = "kripke thread create";
/// The running thread ends.
pub const END: &str = "kripke thread end";
/// Called where something begins that no other thread comes between, over several statements.
pub const SECTION_BEGINS: &str = "kripke atomic section begins";
/// Called where that ends.
pub const SECTION_ENDS: &str = "kripke atomic section ends";
/// The same for what no other thread comes between, but handlers of interrupts do.
pub const SUSPENDS_OTHERS: &str = "kripke other threads suspended";
/// Called where that ends.
pub const RESUMES_OTHERS: &str = "kripke other threads resumed";
/// The running thread has disabled interrupts, or not, as the argument says: then there is no switch to
/// another one either.
pub const MASKS: &str = "kripke thread masks";
/// The same where handlers of some priorities come nevertheless.
pub const MASKS_SOME: &str = "kripke thread masks some";
/// Returns whether the running code is part of a handler of an interrupt.
pub const INTERRUPTS: &str = "kripke thread interrupts";
/// The thread that runs handlers has chosen one.
pub const CHOSEN: &str = "kripke handler chosen";
/// The function of the thread that runs handlers of interrupts.
pub const HARDWARE: &str = "interrupts";
/// Another thread may run here, before the running one reads what others write.
pub const BEFORE_READ: &str = "kripke gap before a read";
/// The same, before it writes what others can tell.
pub const BEFORE_WRITE: &str = "kripke gap before a write";

/// What follows relies on that all other threads have ended, or do not run yet.
pub const NEEDS_ALONE: &str = "kripke thread needs to be alone";
/// The function that locks a mutex,
pub const LOCK: &str = "pthread_mutex_lock";
/// and the part of it that does so where the thread does not hold it, or the mutex does not know about that.
pub const WAIT_AND_TAKE: &str = "wait_and_take";
/// The lock that comes next is of a mutex of which nobody can tell whether another thread holds it.
pub const LOCKS_UNSEEN: &str = "kripke lock that nobody sees";
/// The unlock that comes next is of such a mutex: nobody needs to run before it.
pub const UNLOCKS_UNSEEN: &str = "kripke unlock before which nobody runs";
/// What is not followed where it is not so.
pub const NOT_ALONE: &str = "an access without the lock that others take for it, while they run";

/// The same, before several accesses that are done at once.
pub const BEFORE_ATOMIC: &str = "kripke gap before what is done at once";

/// The same, between the pieces of an access.
pub const BETWEEN: &str = "kripke gap between pieces";

/// Where it is asked what comes between two accesses: one begins, which has a number in its function. It is
/// told how the value is used, in units of how many bytes it is made, whether it is atomic, and which bytes
/// it accesses.
pub const ACCESS_BEGINS: &str = "kripke access begins";
/// The access of that number is made: whether in pieces, and whether it has written where it writes.
pub const ACCESS_ENDS: &str = "kripke access ends";

/// The function that all threads are woven into.
pub const WOVEN: &str = "kripke threads";
/// How the names of its variables begin that say where each thread stands.
pub const PLACE: &str = "thread.place.";
/// How the names of its variables begin that say how often threads were switched.
pub const SWITCHED: &str = "thread.switched.";
/// How the names of its variables begin that say which thread keeps others from going on, and the name of the
/// one that says which is in an atomic section: its number and one.
pub const OWNER: &str = "thread.owner";
/// The same of the thread that has suspended the others, between which handlers come.
pub const SUSPENDER: &str = "thread.owner.suspends";
/// The same of the thread that has disabled interrupts.
pub const MASKER: &str = "thread.owner.masks";
/// How the names of its variables begin that say whether a thread is kept from going on.
pub const HELD: &str = "thread.held.";
/// What the choices are called that say which thread runs; traces show the threads instead.
pub const CHOICE: &str = "thread";
/// What stands behind the names of a thread's functions.
pub const IN_THREAD: &str = " (thread ";
/// What stands behind the names of variables in the woven function.
pub const OF_THREAD: &str = ".thread";
/// How the name of the function begins that is called where a thread goes on.
pub const RUNS: &str = "kripke runs thread ";
/// The function that is called where the running thread passes a place of the thread library at which others
/// could run, and no run needs to.
pub const PASSES: &str = "kripke passes a place of the library";
/// How the name of the function begins that is called where a run is followed no further, as threads were
/// switched as often as they may be; that number is the rest.
pub const CUTS: &str = "kripke switches threads no more than ";
/// How the name of the function begins that is called where an iteration of a thread's loop begins, with the
/// number of the loop; only where iterations are counted.
pub const BEGINS_ITERATION: &str = "kripke begins an iteration of loop ";
/// The same where the loop is left.
pub const LEAVES_LOOP: &str = "kripke leaves loop ";
/// How the name of the function begins that is called where a function of a thread returns.
pub const RETURNS: &str = "kripke returns from ";

/// How the name of the function begins that tells what a thread does next.
pub const IS_NEXT: &str = "kripke tells that ";

/// How the name of the function begins that tells that a thread waits for the one whose number is its
/// argument.
pub const WAITS_FOR: &str = "kripke waits for another, thread ";

/// All functions that say what threads do.
pub const MARKERS: [&str; 19] = [
    SELF,
    SWITCH,
    WRITES,
    ACCESSES,
    HOLD,
    WAIT_ZERO,
    WAIT_NONZERO,
    WAIT_FREE,
    WAIT_END,
    PUBLISHES,
    WAITED,
    IS_READY,
    CREATE,
    END,
    SECTION_BEGINS,
    SECTION_ENDS,
    SUSPENDS_OTHERS,
    RESUMES_OTHERS,
    INTERRUPTS,
];

/// The files of the model whose functions say themselves where other threads run.
const LIBRARY: [&str; 12] = [
    "threads.c",
    "lock_orders.c",
    "priorities.c",
    "thread_locks.c",
    "thread_waits.c",
    "thread_keys.c",
    "thread_c11.c",
    "freertos.c",
    "freertos_queues.c",
    "freertos_events.c",
    "freertos_timers.c",
    "cmsis_rtos.c",
];

/// Is a place in the model of the thread library?
pub fn is_in_thread_library(program: &Program, position: Position) -> bool {
    let file = program.files.get(position.file);
    let is_part = |path: &str| LIBRARY.contains(&path.rsplit('/').next().unwrap_or_default());
    file.is_some_and(|file| file.is_library_model && is_part(&file.path))
}

/// The name of a function as the user wrote it, also where it runs as part of a thread; the same for
/// variables.
pub fn plain_name(name: &str) -> &str {
    let name = name.split_once(IN_THREAD).map_or(name, |(name, _)| name);
    name.split_once(OF_THREAD).map_or(name, |(name, _)| name)
}

/// Is it the function that all threads are woven into?
pub fn is_woven(function: &Function) -> bool {
    function.name == WOVEN
}

/// That function of a program.
pub fn woven(program: &Program) -> Option<FunctionId> {
    let found = program.functions.iter().position(is_woven);
    found.map(FunctionId::new)
}
