//! Loops that never end: what is tried of them beside unwinding and induction.
//!
//! Idea: a few iterations show most violations, so they come before any proof. Then one iteration is looked
//! at in which the loops inside are unwound to their ends.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kripke_elts::threads::NOT_ALONE;
use kripke_elts::{FunctionId, Position};
use kripke_model::{Argument, Reason};

use super::{Attempt, Check};
use crate::options::InternalError;
use kripke_limits::stretched;

/// How often loops inside those that never end are unwound where one iteration is looked at, at most.
const BOUND_WITHIN_ENDLESS: u32 = 64;

/// How often loops are unwound in which no other thread is chosen, where abstract states are looked for.
const BOUND_WITHIN_STEPS: u32 = 64;

/// How long abstract states are looked for, where nothing limits the time; else half of what is left.
const MOST_FOR_THREADS: Duration = Duration::from_secs(60);

/// How long they are looked for at first, and larger bounds after that, in turns; and how much longer the
/// next turn is than the last one.
const FIRST_TURN: Duration = Duration::from_millis(600);
const GROWTH_OF_TURNS: u32 = 2;

/// How long it may take to see what follows from abstract states that are coarser than they need be.
const TO_CONCLUDE_FROM_FEW: Duration = Duration::from_millis(50);

/// How long, and to which bounds, violations are looked for before loops that never end are proved.
const LOOK_AHEAD: Duration = Duration::from_millis(500);
const AHEAD: [u32; 3] = [2, 4, 8];

/// How long an induction is tried in any case.
const LEAST_FOR_INDUCTION: Duration = Duration::from_millis(200);
/// The part of the time so far that inductions get where loops may end by themselves.
const PART_OF_INDUCTION: u32 = 4;

/// The turn of larger bounds, after abstract states of threads were looked for.
pub(super) struct Turn {
    length: Duration,
    until: Instant,
}

impl Check<'_> {
    /// Where a loop never ends or has a contract, proofs of it may take long: violations that a few
    /// iterations show are looked for before. True when the search is over.
    pub(super) fn look_ahead(&mut self) -> Result<bool, InternalError> {
        let cuts = self.engine.run.record.cuts.clone();
        let loops = self.engine.loops_of(&cuts);
        let is_first = self.bound == 1 && self.may_grow();
        let has_contract = !loops.is_disjoint(&self.engine.contracts);
        if !is_first || !has_contract && !self.never_ends(&loops) {
            return Ok(false);
        }
        let until = Instant::now() + stretched(LOOK_AHEAD);
        self.engine.patience = Some(until);
        let mut found = Ok(true);
        let most = self.options.max_bound;
        for bound in AHEAD.into_iter().filter(|bound| *bound <= most) {
            self.bound = bound;
            let goes_on = Instant::now() < until && self.engine.unwind(bound).is_ok();
            if !goes_on {
                break;
            }
            found = self.find_violations(Some(until));
            if !matches!(found, Ok(true)) {
                break;
            }
        }
        self.engine.patience = None;
        if !found? {
            return Ok(true);
        }
        // The cuts that follow are those of the first bound.
        self.bound = 1;
        if let Err(reason) = self.engine.unwind(1) {
            self.open_because = Some(reason);
            return Ok(true);
        }
        Ok(self.open() == 0)
    }

    /// Where loops never end and others inside them do: a single iteration in which the others are unwound to
    /// their ends, and so need no invariants of their own. Tried once, where it does not take long.
    pub(super) fn induct_once_through(
        &mut self,
        loops: &BTreeSet<(FunctionId, u32)>,
        share: Option<Duration>,
    ) -> Attempt {
        let is_first = self.bound == 1 && self.options.unwind.is_none();
        if !is_first || !self.never_ends(loops) || !self.engine.contracts.is_empty() {
            return Attempt::Failed;
        }
        let mut endless = self.endless_loops();
        endless.retain(|of| loops.contains(of) || self.has_beginning(*of));
        self.engine.patience = Some(Instant::now() + self.least_for_invariants() / 5);
        let bound = BOUND_WITHIN_ENDLESS.min(self.options.max_bound);
        let attempt = self.attempt_induction(endless.clone(), (bound, 1), share);
        self.engine.patience = None;
        match attempt {
            // The same again, with the loops inside by induction, has less to go by.
            Attempt::Open if !loops.is_subset(&endless) => Attempt::Failed,
            attempt => attempt,
        }
    }

    /// Tries to prove what is open by abstract states of all threads; true when the search is over. What does
    /// not come to an end while it is its turn goes on when a larger bound had the same time.
    pub(super) fn cover_threads(&mut self) -> bool {
        let last = self.turn.take();
        let length = last.map_or(stretched(FIRST_TURN), |turn| turn.length * GROWTH_OF_TURNS);
        let Some(hub) = self.engine.hub() else {
            return false;
        };
        // Where threads never end, a larger bound rarely settles anything.
        let limit = self.options.deadline;
        let limit = limit.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let most = limit.map_or(stretched(MOST_FOR_THREADS), |limit| limit / 2);
        let until = Instant::now() + length.min(most);
        self.engine.patience = Some(until);
        let covered = self
            .engine
            .run_threads(BOUND_WITHIN_STEPS.min(self.options.max_bound), hub);
        self.engine.patience = None;
        let is_coarse = covered.is_ok() && self.engine.has_coarse_cover();
        if covered == Ok(false) && !is_coarse && self.engine.is_not_alone() {
            self.open_because = Some(Reason::Unsupported {
                what: NOT_ALONE.to_string(),
                place: self.engine.place(Position::default()),
            });
            return true;
        }
        if covered != Ok(true) && !is_coarse {
            let now = Instant::now();
            let goes_on = length < most && now > until && self.may_grow();
            self.turn = goes_on.then(|| Turn {
                length,
                until: now + length,
            });
            if !goes_on {
                self.engine.suspended = None;
            }
            return false;
        }
        let truth = self.engine.terms.true_();
        let states = self.engine.run.record.heads.len() as u64;
        let argument = Argument::AbstractStates { states };
        let share = is_coarse.then(|| stretched(TO_CONCLUDE_FROM_FEW));
        self.is_covered = covered == Ok(true) && self.conclude_inductive((truth, &[]), argument, share);
        // Others, which tell apart more constants, may prove what these do not.
        if is_coarse && !self.is_covered {
            self.engine.tries_coarse_cover = false;
            return self.cover_threads();
        }
        self.is_covered
    }

    /// Executes with a bound, while it is its turn: all bounds as long as the last one of abstract states.
    pub(super) fn unwind_in_turn(&mut self, bound: u32) -> Result<(), Reason> {
        self.engine.patience = self.turn.as_ref().map(|turn| turn.until);
        let bounds_turns = self.bounds_turns();
        self.engine.turns = bounds_turns.then_some(bound);
        let of_loops = self.options.unwind.filter(|_| bounds_turns);
        let executed = self.engine.unwind_further(of_loops.unwrap_or(bound));
        self.engine.patience = None;
        executed
    }

    /// Has one of the loops no exit, so that no bound ends it?
    pub(super) fn never_ends(&mut self, loops: &BTreeSet<(FunctionId, u32)>) -> bool {
        loops.iter().any(|of| self.has_no_exit(*of))
    }

    /// All loops without an exit in functions that runs came to. Those that others keep from going on past
    /// the bound are among them: to unwind such a loop first would execute what is inside many times in vain.
    fn endless_loops(&mut self) -> BTreeSet<(FunctionId, u32)> {
        let mut loops = Vec::new();
        for function in self.program.functions.ids() {
            if let Some(graph) = self.engine.graphs.known(function) {
                loops.extend((0..graph.loops.len() as u32).map(|of| (function, of)));
            }
        }
        loops.into_iter().filter(|of| self.has_no_exit(*of)).collect()
    }

    /// Is a loop entered at its head only, so that its first iteration begins there?
    fn has_beginning(&mut self, (function, of): (FunctionId, u32)) -> bool {
        let graph = self.engine.graphs.get(self.program, function);
        !graph.loops[of as usize].entered_inside
    }

    /// Loops in which handlers of interrupts come again and again are left, but never because of what happens
    /// in them.
    fn has_no_exit(&mut self, (function, of): (FunctionId, u32)) -> bool {
        let graph = self.engine.graphs.get(self.program, function);
        let is_dispatcher = self.engine.is_endless_dispatcher(function);
        is_dispatcher || !graph.loops[of as usize].has_exit
    }

    /// May all that goes on past the bound end by itself?
    pub(super) fn may_end(&mut self) -> bool {
        let cuts = self.engine.run.record.cuts.clone();
        let loops = self.engine.loops_of(&cuts);
        self.may_grow() && !self.never_ends(&loops)
    }

    /// How long an induction may take where the loops may end by themselves: a part of the time so far, and a
    /// little to begin with. As long as the search likes to where some loop never does.
    pub(super) fn share_of_induction(&mut self) -> Option<Duration> {
        if !self.engine.contracts.is_empty() {
            return None;
        }
        let part = stretched(LEAST_FOR_INDUCTION) + self.started.elapsed() / PART_OF_INDUCTION;
        self.may_end().then(|| part.saturating_sub(self.induction_took))
    }
}
