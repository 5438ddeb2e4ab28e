//! The symbolic state of a path, or of many that met.

use std::rc::Rc;

use kripke_smt::TermId;

use crate::contents::ObjectState;
use crate::path::PathId;
use crate::persistent::PersistentMap;
use crate::sample::Sample;
use crate::value::Value;

/// Everything that can differ between two paths at one location of one call. Copies are cheap.
#[derive(Clone)]
pub struct State {
    /// Where the state is valid.
    pub path: PathId,
    /// The variables of the running function; absent ones have no value yet.
    pub frame: PersistentMap<Value>,
    /// The objects; absent ones are dead, or were not created on this path.
    pub memory: PersistentMap<ObjectState>,
    /// The current rounding mode.
    pub rounding: TermId,
    /// Names the last letter that monitors saw, or the point where paths with different ones met.
    pub letter: u32,
    /// From which states of threads it came (see [`crate::ltl::StateGraph`]); 0 where nobody asks.
    pub came: u32,
    /// The number of the schedule of threads that leads to it, where each is explored by itself; else 0.
    pub schedule: u32,
    /// How many iterations of threads' loops were begun, by the loops' numbers, where they are counted.
    pub iterations: PersistentMap<u32>,
    /// Inputs that lead to it, or to a state before it, where they are known.
    pub(crate) sample: Option<Rc<Sample>>,
}
