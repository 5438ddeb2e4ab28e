//! k-induction for loops that do not end within a bound.
//!
//! Idea: a run of the program in which each such loop is entered twice. Once as it is, for its first `k`
//! iterations, everything checked. And once in a state that stands for the start of any iteration:
//! whatever the loop may modify holds any value. From there `k` iterations run in which the
//! properties are assumed (what leaves the loop meanwhile is dropped), then one more in which they are
//! checked, as is all that follows the loop. Every iteration of a real run is one of the first
//! `k`, or comes after `k` iterations without a violation; so what this run does not violate, no
//! run of the program violates. It needs no base case of its own, works for any number of loops at
//! once, nested ones too, and proves each property by itself. With `k = 0` nothing is assumed, and no
//! iteration is executed as it is: only one, from the arbitrary state. The state in which the loop is entered
//! stays on a path of its own, which excludes the arbitrary one's, so that invariants are asked of both.
//!
//! What a loop may modify is found by executing its body, comparing the state after with the state
//! before, making what differs arbitrary, and repeating until nothing else differs.
//!
//! Source: Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver
//! (FMCAD 2000); Donaldson, Haller, Kroening, Rümmer: Software verification using k-induction
//! (SAS 2011) for the split at the loop.

mod arbitrary;
mod fields;
mod modified;
mod summaries;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{FunctionId, Id, LocationId};
use kripke_model::Reason;
use kripke_smt::{Sort, TermId};
use rustc_hash::FxHashMap;

use self::arbitrary::Created;
use crate::activation::{Activation, Key};
use crate::engine::{Engine, STEPS_UNCHECKED};
use crate::graph::Graph;
use crate::limits;
use crate::object::{ObjectId, ObjectKind};
use crate::record::{Cut, CutPath};
use crate::state::State;

pub(crate) use self::modified::Modified;
pub(crate) use self::threads::CoverSearch;

/// The number of the first iteration that starts in an arbitrary state.
const ARBITRARY: u32 = 1 << 28;
/// How often the set of modified places may grow.
const MAX_ROUNDS: usize = 60;

/// What the run treats by induction.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    /// How many iterations are assumed.
    pub k: u32,
    /// Which loops.
    pub loops: BTreeSet<(FunctionId, u32)>,
    /// Where a thread is chosen there is an abstract state for each way in which all may stand.
    pub covers_threads: bool,
    /// These told apart fewer constants than they could have.
    pub is_coarse: bool,
    /// For each place where a loop creates objects that die in its body: one that did.
    pub(crate) dangling: Vec<(ObjectKind, ObjectId)>,
    /// What stands for all that a place of allocation creates.
    pub(crate) summaries: Vec<ObjectId>,
    /// Of arrays that hold any individuals: the array of their targets' numbers, and for each target that is
    /// a summary how many individuals it had.
    pub(crate) bounded: FxHashMap<TermId, Bounds>,
    /// Why it cannot be done.
    pub failed: Option<String>,
    /// Loops inside that go on past the bound: with them it may be done.
    pub unfinished: BTreeSet<(FunctionId, u32)>,
}

/// What bounds the individuals in an array: see [`Induction::bounded`].
type Bounds = (TermId, Vec<(u32, TermId)>);

/// What is to happen to a state at the head of a loop.
pub(crate) enum HeadAction {
    /// The loop is none of those.
    Ordinary,
    /// The iteration runs.
    Run,
    /// The state is covered by another.
    Drop,
}

impl Engine<'_> {
    /// Executes the program with the loops treated by induction; false when that cannot be done. A loop that
    /// is entered elsewhere than at its head has runs that no arbitrary iteration stands for.
    pub fn run_induction(
        &mut self,
        bound: u32,
        k: u32,
        loops: &BTreeSet<(FunctionId, u32)>,
    ) -> Result<bool, Reason> {
        for &(function, of) in loops {
            if self.graphs.get(self.program, function).loops[of as usize].entered_inside {
                return Ok(false);
            }
        }
        let induction = Induction {
            k,
            loops: loops.clone(),
            ..Induction::default()
        };
        self.start(bound, Some(induction))?;
        let induction = self.run.induction.as_ref();
        Ok(induction.is_none_or(|induction| induction.failed.is_none()))
    }

    /// Executes the program with abstract states of its threads; false when that cannot be done. What was
    /// interrupted goes on.
    pub fn run_threads(&mut self, bound: u32, hub: (FunctionId, u32)) -> Result<bool, Reason> {
        let executed = match self.resume_threads() {
            Some(executed) => executed,
            None => {
                let induction = Induction {
                    loops: BTreeSet::from([hub]),
                    covers_threads: true,
                    ..Induction::default()
                };
                self.start(bound, Some(induction))
            }
        };
        if self.run.waiting.is_some() {
            self.suspend_threads();
        }
        executed?;
        let induction = self.run.induction.as_ref();
        Ok(induction.is_none_or(|induction| induction.failed.is_none()))
    }

    /// Were the abstract states of the last run coarser than they need be?
    pub fn has_coarse_cover(&self) -> bool {
        let induction = self.run.induction.as_ref();
        induction.is_some_and(|induction| induction.is_coarse)
    }

    /// Did the last run of abstract states fail as a thread relies on that no other one runs?
    pub fn is_not_alone(&self) -> bool {
        let failed = self
            .run
            .induction
            .as_ref()
            .and_then(|induction| induction.failed.as_ref());
        failed.is_some_and(|why| why == NOT_ALONE)
    }

    /// Is the time of an attempt over, and there is more for others?
    fn is_turn_over(&self) -> bool {
        let is_over = self.patience.is_some_and(|until| Instant::now() > until);
        is_over && limits::check(self.options, false).is_ok()
    }

    /// Puts a run of abstract states away, so that another one can come between.
    fn suspend_threads(&mut self) {
        let assumptions = self.run.record.assumptions.clone();
        self.suspended = Some(self.suspend());
        self.run.record.assumptions = assumptions;
    }

    /// Goes on with the run that was put away; nothing where there is none, or where it turns out that fewer
    /// states are to be kept apart, with which it begins again.
    fn resume_threads(&mut self) -> Option<Result<(), Reason>> {
        let suspended = self.suspended.take()?;
        self.take_up(suspended);
        self.parting.start_run();
        let search = self.run.waiting.take()?;
        self.search_cover(*search);
        let executed = self.execute();
        let is_whole = executed.is_err() || self.run.stack.is_empty();
        is_whole.then_some(executed)
    }

    /// Does the run look for abstract states of threads?
    pub(crate) fn covers_threads(&self) -> bool {
        let induction = self.run.induction.as_ref();
        induction.is_some_and(|induction| induction.covers_threads)
    }

    /// The loops for which the last induction could not be done, but might be with them.
    pub fn unfinished_loops(&mut self) -> BTreeSet<(FunctionId, u32)> {
        let induction = self.run.induction.as_mut();
        induction.map_or_else(BTreeSet::new, |induction| {
            std::mem::take(&mut induction.unfinished)
        })
    }

    /// The loops at whose heads paths were cut.
    pub fn loops_of(&mut self, cuts: &[CutPath]) -> BTreeSet<(FunctionId, u32)> {
        let mut loops = BTreeSet::new();
        for path in cuts
            .iter()
            .filter(|path| matches!(path.cut, Cut::Loop | Cut::Turns))
        {
            let graph = self.graphs.get(self.program, path.function);
            if let Some(of) = graph.innermost[path.location.index()] {
                loops.insert((path.function, of));
            }
        }
        loops
    }

    /// Does the iteration of some loop in a key assume its properties?
    pub(crate) fn assumes(&mut self, key: &[u32]) -> bool {
        let Some(k) = self.run.induction.as_ref().map(|induction| induction.k) else {
            return false;
        };
        let iterations = key[..key.len() - 1].iter().skip(1).step_by(2);
        let top = self.top();
        top.assuming
            || iterations
                .into_iter()
                .any(|at| (ARBITRARY..ARBITRARY + k).contains(at))
    }

    /// Does the transition leave a loop in an iteration that is only assumed?
    pub(crate) fn leaves_assumed(
        &self,
        graph: &Graph,
        location: LocationId,
        target: LocationId,
        key: &[u32],
    ) -> bool {
        let Some(induction) = &self.run.induction else {
            return false;
        };
        graph.chain(location).iter().enumerate().any(|(depth, of)| {
            let iteration = key[2 * depth + 1];
            (ARBITRARY..ARBITRARY + induction.k).contains(&iteration) && !graph.contains(*of, target)
        })
    }

    /// Is the loop of the running function one that the run treats by induction?
    pub(crate) fn inducts_over(&mut self, of: u32) -> bool {
        let function = self.top().function;
        let induction = self.run.induction.as_ref();
        induction.is_some_and(|induction| induction.loops.contains(&(function, of)))
    }

    /// What becomes of a state at the head of a loop. At its first iteration, an arbitrary state is put
    /// beside it.
    pub(crate) fn induction_head(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        state: &mut State,
    ) -> HeadAction {
        let top = self.top();
        let (function, plain) = (top.function, top.plain_loop == Some(of));
        let inducts = !plain && self.inducts_over(of);
        let k = match &self.run.induction {
            Some(induction) if inducts => induction.k,
            _ => return HeadAction::Ordinary,
        };
        let at = key.len() - 2;
        if self.covers_threads() {
            self.cover_threads(graph, of, key, state);
            return HeadAction::Drop;
        }
        match key[at] {
            0 => {
                let Some((arbitrary, modified)) = self.arbitrary_iteration(graph, of, key, state) else {
                    return HeadAction::Drop;
                };
                let real = self.fresh_variable("first iterations", Sort::Bool);
                let other = self.terms.not(real);
                let is_formed = self.well_formed(&arbitrary, &modified);
                let other = self.terms.and(other, is_formed);
                let paths = (
                    self.run.paths.extend(&mut self.terms, state.path, real),
                    self.run.paths.extend(&mut self.terms, state.path, other),
                );
                let (Some(first), Some(any)) = paths else {
                    return HeadAction::Drop;
                };
                self.note_head((function, of), key, (any, real), (&modified, &arbitrary), state);
                state.path = first;
                let mut later = key.to_vec();
                later[at] = ARBITRARY;
                self.top().pending.insert(
                    later,
                    vec![State {
                        path: any,
                        ..arbitrary
                    }],
                );
                match k {
                    0 => HeadAction::Drop,
                    _ => HeadAction::Run,
                }
            }
            iteration if iteration < k => HeadAction::Run,
            iteration if (ARBITRARY..=ARBITRARY + k.max(1)).contains(&iteration) => {
                if iteration == ARBITRARY + 1 {
                    self.note_next_iteration(&key[..at], state);
                }
                match iteration <= ARBITRARY + k {
                    true => HeadAction::Run,
                    false => HeadAction::Drop,
                }
            }
            _ => HeadAction::Drop,
        }
    }

    /// The induction cannot be done; what the run finds from here on is not used.
    pub(crate) fn give_up(&mut self, why: &str) {
        if let Some(induction) = &mut self.run.induction {
            induction.failed.get_or_insert_with(|| why.to_string());
        }
    }

    /// A state that stands for the start of any iteration of the loop that the state enters.
    fn arbitrary_iteration(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        entry: &State,
    ) -> Option<(State, Modified)> {
        let mut modified = Modified::default();
        for _ in 0..MAX_ROUNDS {
            if self
                .run
                .induction
                .as_ref()
                .is_some_and(|induction| induction.failed.is_some())
            {
                return None;
            }
            let before = self.apply(entry, &modified);
            let known_objects = self.run.objects.len();
            let after = match self.run_body(graph, of, key, before.clone()) {
                Ok(after) => after,
                Err(why) => {
                    self.give_up(&why);
                    return None;
                }
            };
            let Some(after) = after else {
                return Some((before, modified));
            };
            let created = Created {
                first: known_objects,
                after: &after.memory,
            };
            match self.extend(graph, of, &mut modified, &before, &after, created) {
                Ok(false) => return Some((before, modified)),
                Ok(true) => {}
                Err(why) => {
                    self.give_up(&why);
                    return None;
                }
            }
        }
        self.give_up("what the loop modifies keeps growing");
        None
    }

    /// Executes one iteration from a state; the merged state at the start of the next one.
    fn run_body(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        state: State,
    ) -> Result<Option<State>, String> {
        let (record, cursor) = (std::mem::take(&mut self.run.record), self.run.cursor.clone());
        let depth = self.run.stack.len();
        let states = self.run_iteration(graph, of, key, state);
        let result = states.map(|states| (!states.is_empty()).then(|| self.meet_at(&next_key(key), states)));
        self.run.stack.truncate(depth);
        self.run.cursor = cursor;
        let inner = std::mem::replace(&mut self.run.record, record);
        if inner.cuts.iter().any(|path| path.cut.is_unwinding()) {
            let unfinished = self.loops_of(&inner.cuts);
            if let Some(induction) = &mut self.run.induction {
                induction.unfinished.extend(unfinished);
            }
            return Err("a loop or recursion inside the loop goes on past its bound".to_string());
        }
        result
    }

    /// Executes one iteration from a state, in an activation that is left on the stack; the states at the
    /// start of the next one.
    fn run_iteration(
        &mut self,
        graph: &Rc<Graph>,
        of: u32,
        key: &Rc<[u32]>,
        state: State,
    ) -> Result<Vec<State>, String> {
        let number = self.fresh_name();
        let context = self.names.fresh(&[u32::MAX - 2, number]);
        let top = self.top();
        let activation = Activation {
            pending: BTreeMap::from([(key.to_vec(), vec![state])]),
            uninitialised: top.uninitialised.clone(),
            branches: top.branches,
            recursion: top.recursion,
            assuming: top.assuming,
            merges: true,
            plain_loop: Some(of),
            ..Activation::new(top.function, graph.clone(), context)
        };
        self.run.stack.push(activation);
        let depth = self.run.stack.len();
        let at = key.len() - 2;
        let next = next_key(key);
        let mut steps = 0u64;
        loop {
            if self.run.stack.len() == depth {
                let top = self.top();
                let first = top.pending.first_key_value().map(|(key, _)| key.clone());
                let inside = first.is_some_and(|first| first < next && first.starts_with(&key[..=at]));
                if top.rests() && !inside {
                    return Ok(top.pending.remove(&next).unwrap_or_default());
                }
            }
            steps += 1;
            if steps.is_multiple_of(STEPS_UNCHECKED)
                && let Err(reason) = self.may_go_on(steps)
            {
                return Err(format!("{reason:?}"));
            }
            self.step();
        }
    }
}

/// The key of the next iteration of the loop at whose head a state with that key is.
fn next_key(key: &[u32]) -> Key {
    let at = key.len() - 2;
    [&key[..at], &[key[at] + 1], &key[at + 1..]].concat()
}
