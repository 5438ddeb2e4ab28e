//! Threads: all that a program starts, woven into one function.
//!
//! Idea: the threads become one function of the program model. Each thread's functions are put into each
//! other, so that a thread is a graph of locations with variables of its own. Where another thread may run, a
//! thread stands at a *place*: it notes the place's number in a variable and goes to the *hub*, where a
//! nondeterministic choice says which thread goes on from its place. The result is a program with one loop,
//! and the engines know nothing of threads but one thing: states whose places differ stay apart where they
//! meet, so places are constants. All schedules that lead to the same places meet in one state, whose values
//! are formulas over the choices: what ESBMC-LTL reaches by hashing states, merging does for all values at
//! once.
//!
//! Where places are: before the accesses that other threads can tell (`kripke_interrupts::add_gaps`), at each
//! wait, and where a run may end or go on for ever without coming to a place again ([`places`]).
//!
//! Invariant: each schedule of the threads is a run of the result, up to the order of independent statements.
//!
//! Source: J. Morse, L. Cordeiro, D. Nicole, B. Fischer, "Context-Bounded Model Checking of LTL Properties
//! for ANSI-C Software" (SEFM 2011), section 4; P. Godefroid, "Partial-Order Methods for the Verification of
//! Concurrent Systems" (1996).

mod alone;
mod atomicity;
mod copies;
mod deadlocks;
mod frames;
mod hub;
mod inline;
mod iterations;
mod marks;
mod pairs;
mod passes;
mod places;
mod races;
mod ready;
mod torn;
mod weaver;

use kripke_elts::passes::certain_assertions;
use kripke_elts::threads::HARDWARE;
use kripke_elts::{FunctionId, Program};
use kripke_interrupts::{Asked, add_gaps, is_thread_library};

use weaver::Weaver;

/// What became of a program's threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Woven {
    /// How many there can be, the program's own included.
    pub threads: usize,
    /// One more runs handlers of interrupts.
    pub has_handlers: bool,
    /// How many places they stand at.
    pub places: usize,
}

/// What is asked of the threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// The atoms of formulas: no thread's, but they tell apart in which order others write what they read.
    pub atoms: &'a [FunctionId],
    /// Whether they race.
    pub races: bool,
    /// What comes between their accesses.
    pub asked: Asked,
    /// How often another thread may go on although the one that ran could.
    pub context_bound: Option<u32>,
    /// Calls tell where iterations of loops begin, as so many are followed of each.
    pub counts_iterations: bool,
    /// No other thread comes between accesses that a lock protects.
    pub relies_on_locks: bool,
    /// Assertions about a thread's own numbers that cannot fail are dropped.
    pub drops_certain: bool,
}

/// Weaves the threads of a program that was not optimised yet; none where it starts no thread.
pub fn weave(program: &mut Program, wanted: Wanted<'_>) -> Option<Woven> {
    let starts = add_gaps(program, wanted.atoms, wanted.asked, wanted.relies_on_locks);
    let own = starts.iter().copied();
    let is_own =
        |id: &FunctionId| !is_thread_library(program, *id) && program.functions[*id].name != HARDWARE;
    let candidates: Vec<FunctionId> = own.filter(is_own).collect();
    if starts.is_empty() {
        return None;
    }
    if wanted.drops_certain {
        certain_assertions::run(program);
    }
    Some(Weaver::new(program, candidates, wanted).run())
}
