//! What a run leaves at its bound, and how one with a larger bound goes on with it.
//!
//! Idea: a path that is cut is kept together with the calls that it is in. A larger bound does not execute
//! the program from its beginning again, but only what follows these paths: they wait in their activations as
//! other states do, and meet where they come to the same place in the same iterations. What was recorded of
//! all other paths stays, and what the solver excluded is not asked for again.
//!
//! Invariant: the paths that are kept are those recorded as cut by the bound. They exclude each other and all
//! that came to an end; so what both runs record together is what one run with the larger bound would, in
//! other pieces.

use std::collections::BTreeMap;
use std::time::Instant;

use kripke_elts::FunctionId;
use kripke_model::Reason;
use kripke_smt::TermId;
use rustc_hash::FxHashMap;

use crate::activation::{Activation, Key, LoopInstance, Waiting, Work};
use crate::engine::{Engine, Run};
use crate::names::NamesUsed;
use crate::progress::Advance;
use crate::state::State;

/// Names an activation of a run.
pub(crate) type Serial = u32;

/// What goes on in an activation.
pub(crate) enum Continuation {
    /// A path into another iteration.
    Path(Work),
    /// A call of a function that runs already.
    Call(Box<Waiting>),
    /// The call of an activation in which something goes on.
    Callee(Box<Waiting>, Serial),
}

impl Continuation {
    fn key(&self) -> &[u32] {
        match self {
            Continuation::Path(work) => &work.key,
            Continuation::Call(waiting) | Continuation::Callee(waiting, _) => &waiting.work.key,
        }
    }
}

/// What goes on, and how far the loops around it have come there.
pub(crate) struct Interrupted {
    rest: Continuation,
    loops: Vec<(Vec<u32>, LoopInstance)>,
}

/// All that goes on in one activation, by where it does.
pub(crate) type Later = BTreeMap<Key, Vec<Interrupted>>;

/// The activations in which something goes on, without what else waits in them.
pub(crate) type Continuations = FxHashMap<Serial, Activation>;

/// A run that another one comes between, and what belongs to it elsewhere.
pub(crate) struct Suspended {
    run: Run,
    names: NamesUsed,
    excluded: Vec<TermId>,
}

/// The same of a run with a bound.
pub(crate) struct SetAside {
    suspended: Suspended,
    kept: FxHashMap<FunctionId, u64>,
    advance: Advance,
}

impl Engine<'_> {
    /// Executes the program with a larger bound than before: goes on with what the last such run left, where
    /// it left something with which that can be done, and begins again where not. How long all that took
    /// since it began is then in [`Run::took`].
    pub fn unwind_further(&mut self, bound: u32) -> Result<(), Reason> {
        let started = Instant::now();
        if let Some(aside) = self.aside.take() {
            self.take_back(*aside);
        }
        self.keeps_paths = self.may_keep_paths(bound);
        let apart = self.parting.apart();
        let continues = self.may_continue() && bound > self.run.bound;
        let mut executed = Ok(());
        if continues {
            self.go_on_to(bound);
            executed = self.execute();
        }
        if !continues || executed.is_ok() && apart != self.parting.apart() {
            executed = self.unwind(bound);
        }
        self.keeps_paths = false;
        self.run.took += started.elapsed();
        executed
    }

    /// May a run with the bound keep the paths that it cuts? Not where threads run or monitors look, which
    /// know what was seen by the run; nor where users say how often a loop is unwound.
    fn may_keep_paths(&self, bound: u32) -> bool {
        let by_user = self.options.unwind.is_some() || !self.options.unwindset.is_empty();
        let is_last = by_user || bound >= self.options.max_bound;
        let is_plain = self.monitors.is_empty() && self.parting.threads.woven().is_none();
        self.options.continuing && !is_last && is_plain
    }

    /// Can the last run be gone on with? Not where it was interrupted, or has learned of positions: states
    /// that have met are to stay apart then.
    fn may_continue(&self) -> bool {
        let is_whole = self.run.stack.is_empty() && !self.run.continuations.is_empty();
        let has_learned = self.parting.learned() != self.run.began_with || !self.parting.advance.is_settled();
        is_whole && !has_learned
    }

    /// An induction is about to run: where a run with a bound can be gone on with afterwards, it is put
    /// aside.
    pub(crate) fn set_aside(&mut self) {
        if self.may_continue() {
            self.aside = Some(Box::new(SetAside {
                suspended: self.suspend(),
                kept: std::mem::take(&mut self.parting.kept),
                advance: std::mem::take(&mut self.parting.advance),
            }));
        }
    }

    fn take_back(&mut self, aside: SetAside) {
        let assumptions = std::mem::take(&mut self.run.record.assumptions);
        self.take_up(aside.suspended);
        self.run.record.assumptions.extend(assumptions);
        self.parting.kept = aside.kept;
        self.parting.advance = aside.advance;
    }

    /// Puts the run away, so that another one can come between.
    pub(crate) fn suspend(&mut self) -> Suspended {
        let empty = Run::new(&mut self.terms, self.run.bound, None);
        Suspended {
            run: std::mem::replace(&mut self.run, empty),
            names: self.names.suspend(),
            excluded: std::mem::take(&mut self.feasibility.excluded),
        }
    }

    /// The run that was put away is the engine's again.
    pub(crate) fn take_up(&mut self, suspended: Suspended) {
        self.run = suspended.run;
        self.names.resume(suspended.names);
        self.feasibility.excluded = suspended.excluded;
    }

    /// The paths that were cut wait in the activations again. What has its verdict is not asked for any more.
    fn go_on_to(&mut self, bound: u32) {
        let run = &mut self.run;
        run.bound = bound;
        run.record.cuts.retain(|path| !path.cut.is_unwinding());
        let checked = &self.checked;
        run.record
            .violations
            .retain(|violation| checked[violation.property]);
        run.resumed = std::mem::take(&mut run.continuations);
        let entry = run.resumed.remove(&0);
        run.stack
            .push(entry.expect("each path is cut in a call from the program's entry"));
    }

    /// A path is cut by the bound, which goes on with this where the bound is larger.
    pub(crate) fn keep_cut(&mut self, mut rest: Continuation) {
        if !self.keeps_paths {
            return;
        }
        for depth in (0..self.run.stack.len()).rev() {
            let activation = &self.run.stack[depth];
            let serial = activation.serial;
            let kept = Interrupted {
                loops: activation.loops_around(rest.key()),
                rest,
            };
            let key = kept.rest.key().to_vec();
            let known = self.run.continuations.contains_key(&serial);
            let shell = self.run.continuations.entry(serial);
            let shell = shell.or_insert_with(|| activation.shell());
            shell.later.entry(key).or_default().push(kept);
            if known || depth == 0 {
                return;
            }
            let caller = self.run.stack[depth - 1].waiting.as_ref();
            let waiting = caller.expect("a caller waits").without_callees();
            rest = Continuation::Callee(Box::new(waiting), serial);
        }
    }

    /// The running activation ends. Where it goes on at a larger bound, what it knows by now belongs to it
    /// there, too.
    pub(crate) fn end_activation(&mut self) {
        let ended = self.run.stack.pop();
        let Some(ended) = ended else { return };
        if let Some(shell) = self.run.continuations.get_mut(&ended.serial) {
            shell.uninitialised = ended.uninitialised;
            shell.stack_objects = ended.stack_objects;
        }
    }

    /// Goes on with it in the running activation.
    pub(crate) fn go_on_with(&mut self, kept: Interrupted) {
        let top = self.top();
        for (of, instance) in kept.loops {
            top.loops.insert(of, instance);
        }
        match kept.rest {
            Continuation::Path(work) => top.work.push(work),
            Continuation::Call(waiting) => {
                top.waiting = Some(*waiting);
                self.resume();
            }
            Continuation::Callee(waiting, serial) => {
                top.waiting = Some(*waiting);
                let callee = self.run.resumed.remove(&serial);
                let callee = callee.expect("an activation goes on once, in its caller");
                self.run.stack.push(callee);
            }
        }
    }
}

impl Activation {
    /// What was cut at the last bound, where it is the turn of that.
    pub fn next_interrupted(&mut self) -> Option<Interrupted> {
        let mut entry = self.later.first_entry()?;
        let pending = self.pending.first_key_value();
        if pending.is_some_and(|(key, _)| key < entry.key()) {
            return None;
        }
        let first = entry.get_mut().remove(0);
        if entry.get().is_empty() {
            entry.remove();
        }
        Some(first)
    }

    /// What it goes on with at a larger bound, before anything is known of that.
    fn shell(&self) -> Activation {
        Activation {
            serial: self.serial,
            branches: self.branches,
            recursion: self.recursion,
            merges: self.merges,
            uninitialised: self.uninitialised.clone(),
            stack_objects: self.stack_objects.clone(),
            ..Activation::new(self.function, self.graph.clone(), self.context)
        }
    }

    /// The loops around a key, as far as they have come. Other states may come to their iterations.
    fn loops_around(&self, key: &[u32]) -> Vec<(Vec<u32>, LoopInstance)> {
        let prefixes = (1..key.len()).step_by(2).map(|length| &key[..length]);
        let known = prefixes.filter_map(|of| Some((of.to_vec(), self.loops.get(of)?.interrupted())));
        known.collect()
    }
}

impl Waiting {
    /// The call with no callee but the one that runs.
    fn without_callees(&self) -> Waiting {
        Waiting {
            callees: Vec::new(),
            returned: Vec::new(),
            arguments: self.arguments.clone(),
            work: self.work.clone(),
            joins: self.joins,
        }
    }

    /// The call of a callee alone, from a state.
    pub fn again(&self, state: State, callee: (TermId, FunctionId)) -> Waiting {
        let mut again = self.without_callees();
        again.work.state = state;
        again.callees.push(callee);
        again
    }
}
