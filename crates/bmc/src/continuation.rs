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
pub(crate) struct Kept {
    rest: Continuation,
    loops: Vec<(Vec<u32>, LoopInstance)>,
}

/// All that goes on in one activation, in the order of execution.
pub(crate) type Later = BTreeMap<Key, Vec<Kept>>;

/// The activations in which something goes on, without what else waits in them.
pub(crate) type Continuations = FxHashMap<Serial, Activation>;

/// A run that another one comes between, and what belongs to it elsewhere.
pub(crate) struct SetAside {
    run: Run,
    names: NamesUsed,
    excluded: Vec<TermId>,
    kept: FxHashMap<FunctionId, u64>,
    advance: Advance,
}

impl Engine<'_> {
    /// Executes the program with a larger bound than before: goes on with what the last run left, where it
    /// left something with which that can be done, and begins again where not.
    pub fn unwind_further(&mut self, bound: u32) -> Result<(), Reason> {
        if let Some(aside) = self.aside.take() {
            self.take_back(*aside);
        }
        if !self.may_continue() {
            return self.unwind(bound);
        }
        let apart = self.parting.apart();
        self.go_on_to(bound);
        self.execute()?;
        match apart == self.parting.apart() {
            true => Ok(()),
            false => self.unwind(bound),
        }
    }

    /// Does the run keep the paths that it cuts? Not where threads run or monitors look, which know what was
    /// seen by the run; nor where users say how often a loop is unwound.
    fn keeps_paths(&self) -> bool {
        let by_user = self.options.unwind.is_some() || !self.options.unwindset.is_empty();
        self.options.continuing
            && !by_user
            && self.run.induction.is_none()
            && self.monitors.is_empty()
            && self.parting.threads.woven().is_none()
    }

    /// Can the run be gone on with? Not where it was interrupted, or has learned of positions: states that
    /// have met are to stay apart then.
    fn may_continue(&self) -> bool {
        let is_whole = self.run.stack.is_empty() && !self.run.continuations.is_empty();
        let has_learned = self.parting.learned() != self.run.began_with || !self.parting.advance.is_settled();
        is_whole && self.keeps_paths() && !has_learned
    }

    /// An induction is about to run: where a bounded run can be gone on with afterwards, it is put aside.
    pub(crate) fn set_aside(&mut self) {
        if !self.may_continue() {
            return;
        }
        let empty = Run::new(&mut self.terms, self.run.bound, None);
        let aside = SetAside {
            run: std::mem::replace(&mut self.run, empty),
            names: self.names.suspend(),
            excluded: std::mem::take(&mut self.feasibility.excluded),
            kept: std::mem::take(&mut self.parting.kept),
            advance: std::mem::take(&mut self.parting.advance),
        };
        self.aside = Some(Box::new(aside));
    }

    fn take_back(&mut self, aside: SetAside) {
        let assumptions = std::mem::take(&mut self.run.record.assumptions);
        self.run = aside.run;
        self.run.record.assumptions.extend(assumptions);
        self.names.resume(aside.names);
        self.feasibility.excluded = aside.excluded;
        self.parting.kept = aside.kept;
        self.parting.advance = aside.advance;
    }

    fn go_on_to(&mut self, bound: u32) {
        self.run.bound = bound;
        self.run.record.cuts.retain(|path| !path.cut.is_unwinding());
        self.run.resumed = std::mem::take(&mut self.run.continuations);
        self.run.stack.extend(self.run.resumed.remove(&0));
    }

    /// A path is cut by the bound, which goes on with this where the bound is larger.
    pub(crate) fn keep_cut(&mut self, rest: Continuation) {
        if !self.keeps_paths() {
            return;
        }
        let mut rest = rest;
        for depth in (0..self.run.stack.len()).rev() {
            let activation = &self.run.stack[depth];
            let serial = activation.serial;
            let kept = Kept {
                loops: activation.loops_around(rest.key()),
                rest,
            };
            let key = kept.rest.key().to_vec();
            let known = self.run.continuations.contains_key(&serial);
            let shell = self.run.continuations.entry(serial);
            let shell = shell.or_insert_with(|| activation.shell());
            shell.later.entry(key).or_default().push(kept);
            let caller = depth.checked_sub(1).and_then(|depth| self.run.stack.get(depth));
            match caller.and_then(|caller| caller.waiting.as_ref()) {
                Some(waiting) if !known => {
                    rest = Continuation::Callee(Box::new(waiting.without_callees()), serial)
                }
                _ => return,
            }
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
    pub(crate) fn go_on_with(&mut self, kept: Kept) {
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
                self.run.stack.extend(callee);
            }
        }
    }
}

impl Activation {
    /// What was cut at the last bound, where it is the turn of that.
    pub fn next_kept(&mut self) -> Option<Kept> {
        let mut entry = self.later.first_entry()?;
        let pending = self.pending.first_key_value();
        if pending.is_some_and(|(key, _)| key < entry.key()) {
            return None;
        }
        let kept = entry.get_mut().pop();
        if entry.get().is_empty() {
            entry.remove();
        }
        kept
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
