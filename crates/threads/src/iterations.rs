//! Where iterations of a thread's loops begin, and where the loops are left.
//!
//! Idea: a loop in which others may run goes through the hub, so it is none of the woven function's own.
//! Where a bound is given for loops, calls that do nothing say for each copy of a function when an iteration
//! of such a loop begins and when the loop is left; the engine counts them. Where that is decided others may
//! run, as they may before a run is cut. What the models of thread libraries do in loops are waits, which are
//! not counted.
//!
//! Invariant: between an iteration's begin and the next one of the same loop, or the loop's end, the thread
//! is in the loop.

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::loops::natural;
use kripke_elts::threads::{BEGINS_ITERATION, LEAVES_LOOP, is_in_thread_library};
use kripke_elts::{
    Callee, Function, FunctionId, Id, LocationId, Position, Statement, StatementKind, Transition,
};
use kripke_interrupts::terms::call;

use crate::copies::Copy;
use crate::weaver::{Stop, Weaver};

/// A loop of one copy of a function.
pub struct Loop {
    /// Where it is decided whether an iteration begins.
    decides: LocationId,
    members: BTreeSet<LocationId>,
    position: Position,
    /// The functions that tell of it.
    begins: FunctionId,
    leaves: FunctionId,
}

impl Weaver<'_> {
    /// The loops of a thread's copy of a function, where their iterations are counted.
    pub fn counted_loops(&mut self, thread: usize, function: &Function, copy: &Copy) -> Vec<Loop> {
        if !self.counts_iterations || is_in_thread_library(&self.program, function.position) {
            return Vec::new();
        }
        let ways = |id: LocationId| {
            let transitions = function.locations[id].transitions.iter();
            let targets = transitions.map(|transition| transition.target);
            targets.enumerate().collect::<Vec<_>>()
        };
        let mut of_head: BTreeMap<LocationId, BTreeSet<LocationId>> = BTreeMap::new();
        for ((from, number), members) in natural(function.entry, ways) {
            let head = function.locations[from].transitions[number].target;
            of_head.entry(head).or_default().extend(members);
        }
        let heads: Vec<LocationId> = of_head.keys().copied().collect();
        let mut loops = Vec::new();
        for (head, members) in of_head {
            if self.others_run_in(function, &members) {
                let decides = decision(function, head, &heads, &members);
                self.add_place(
                    thread,
                    copy.locations[decides.index()],
                    Stop::Gap { writes: false },
                );
                loops.push(self.counted_loop(function.locations[head].position, decides, members));
            }
        }
        loops
    }

    /// May others run in an iteration? If not, it is a loop of the woven function.
    fn others_run_in(&self, function: &Function, members: &BTreeSet<LocationId>) -> bool {
        let runs = |statement: &Statement| match &statement.kind {
            kind if self.marks.of(kind).is_some() => true,
            StatementKind::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.inlined.contains(callee),
            _ => false,
        };
        let inside = members.iter().flat_map(|id| &function.locations[*id].transitions);
        let mut inside = inside.filter(|transition| members.contains(&transition.target));
        inside.any(|transition| transition.statements.iter().any(runs))
    }

    fn counted_loop(
        &mut self,
        position: Position,
        decides: LocationId,
        members: BTreeSet<LocationId>,
    ) -> Loop {
        let number = self.loops;
        self.loops += 1;
        let [begins, leaves] = [BEGINS_ITERATION, LEAVES_LOOP].map(|what| {
            let teller = Function::without_effect(format!("{what}{number}"), [], (position, position));
            self.target.functions.push(teller)
        });
        Loop {
            decides,
            members,
            position,
            begins,
            leaves,
        }
    }
}

/// Where a loop is left that is left before its body, or else its head: what comes before that in one way
/// only computes a condition.
fn decision(
    function: &Function,
    head: LocationId,
    heads: &[LocationId],
    members: &BTreeSet<LocationId>,
) -> LocationId {
    let mut at = head;
    // An inner loop is not entered, so this ends.
    while let [only] = &function.locations[at].transitions[..]
        && members.contains(&only.target)
        && !heads.contains(&only.target)
    {
        at = only.target;
    }
    let leaves = |transition: &Transition| !members.contains(&transition.target);
    match function.locations[at].transitions.iter().any(leaves) {
        true => at,
        false => head,
    }
}

/// What a transition tells: the calls, each with its place.
pub fn told(loops: &[Loop], from: LocationId, transition: &Transition) -> Vec<(StatementKind, Position)> {
    let mut told = Vec::new();
    for of in loops.iter().filter(|of| of.members.contains(&from)) {
        match of.members.contains(&transition.target) {
            true if from == of.decides => told.push((call(of.begins), of.position)),
            true => {}
            false => told.push((call(of.leaves), of.position)),
        }
    }
    told
}
