//! The phases of a check, in order.

mod alone;
mod conclusion;
mod endless;
mod fuzzed;
mod oblige;
mod patience;
mod sliced;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use kripke_elts::{Callee, FunctionId, Id, IdVec, Program, PropertyId, StatementKind};
use kripke_limits::stretched;
use kripke_model::{
    Argument, LoopInvariant, Property, PropertyKind, PropertyResult, Reason, Report, Statistics, Verdict,
};
use kripke_smt::{TermId, create_solver};

use self::alone::{Answer, Beside};
use self::endless::Turn;
use self::fuzzed::Fuzzing;
use crate::decide::{Decider, Search};
use crate::engine::Engine;
use crate::invariants::{Invariants, Memory};
use crate::kept::Kept;
use crate::limits;
use crate::options::{Explore, InternalError, Options, Progress};
use crate::outlook::Outlook;
use crate::record::{Cut, CutPath};
use crate::stack::on_big_stack;

/// Checks a program's properties.
pub fn check(
    program: &Program,
    options: &Options,
    progress: &mut (dyn Progress + Send),
) -> Result<Report, InternalError> {
    if options.only_invariants {
        let options = &Options {
            slicing: sliced::may_slice(options),
            ..options.clone()
        };
        return on_big_stack(|| Check::new(program, options, progress)?.run_alone());
    }
    // What is found beside the search may end it.
    let options = &Options {
        cancel: Arc::default(),
        ..options.clone()
    };
    fuzzed::beside(program, options, |fuzzing| {
        alone::beside(program, options, |beside| {
            on_big_stack(|| {
                let mut check = Check::new(program, options, progress)?;
                check.beside = beside;
                check.fuzzing = fuzzing;
                check.run()
            })
        })
    })
}

/// The bound that the search begins with where threads run: each step of a thread is an iteration.
const FIRST_BOUND_OF_THREADS: u32 = 8;
/// From which bound on inductions are tried there. Before that the threads are in the middle of something.
const FIRST_INDUCTION_OF_THREADS: u32 = 64;

/// The largest k of an induction.
const MAX_INDUCTION: u32 = 64;

/// From which bound on invariants are looked for, where loops may still end by themselves.
const PATIENCE: u32 = 8;
/// The part of the time of everything else that invariants get there.
const PART_WHERE_LOOPS_END: u32 = 8;
/// How long invariants are looked for whatever the rest takes, where the time limit is long enough for it.
const LEAST_FOR_INVARIANTS: Duration = Duration::from_secs(25);
/// The part of the time limit that this is at most: two of so many.
const SHARES_OF_LIMIT: u32 = 5;
/// How long reachability looks for them beside the other searches.
const FOR_REACHABILITY: Duration = Duration::from_millis(6250);
/// The part of the time limit that this is at most: one of so many.
const SHARES_OF_LIMIT_FOR_REACHABILITY: u32 = 4;

/// The part of the time of everything else that it gets after that, where it was not at its end.
const PART_OF_REACHABILITY: u32 = 3;

/// How long violations are looked for at any bound.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// The part of the time that is left for invariants in which it is seen what follows from those found.
const SHARES_OF_CONCLUSION: u32 = 2;
/// What it has at least where there are many.
const LEAST_TO_CONCLUDE_FROM_MANY: Duration = Duration::from_secs(12);

/// The smallest part of the time that is left for the properties of an induction which one of them gets.
const SHARES_OF_PROPERTIES: u32 = 4;

/// What comes after a bound.
enum Next {
    /// Everything is decided, or nothing more can be.
    Finished,
    /// Some path goes on past the bound.
    Deeper(CutPath),
    /// It took so long that it is the turn of something else.
    Interrupted,
}

/// What comes of an induction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// It could not be done.
    Failed,
    /// Something is open still.
    Open,
    /// Nothing is, or there is no time for more.
    Finished,
}

struct Check<'a> {
    program: &'a Program,
    options: &'a Options,
    progress: &'a mut (dyn Progress + Send),
    /// As users see them.
    properties: IdVec<PropertyId, Property>,
    started: Instant,
    engine: Engine<'a>,
    decider: Decider<'a>,
    verdicts: IdVec<PropertyId, Option<Verdict>>,
    bound: u32,
    /// Why properties are open, as far as it is known.
    open_because: Option<Reason>,
    /// What is known of the open properties.
    outlook: Outlook,
    /// What the proofs so far rest on.
    invariants: Vec<LoopInvariant>,
    /// What was seen of the program's loops so far.
    memory: Memory,
    /// The solver that was asked what invariants exclude.
    conclusions: Kept,
    /// How long the last execution took, and with all with which it went on; and all that was done for
    /// inductions and invariants.
    execution_took: Duration,
    executions_took: Duration,
    /// The last bound that was executed, and the exponent with which that took longer than the one before,
    /// all from its beginning, where it is small.
    executed_bound: u32,
    slow_growth: Option<f64>,
    induction_took: Duration,
    invariants_took: Duration,
    reachability_took: Duration,
    /// Proofs by invariants alone, which come from another thread; what they assume, and how long they took
    /// to solve.
    beside: Option<Beside>,
    /// Violations that runs of the program find, which come from another thread.
    fuzzing: Option<Fuzzing>,
    assumed_beside: BTreeSet<String>,
    solved_beside: Duration,
    /// Where this is that thread: who is told of proofs.
    tells: Option<Sender<Answer>>,
    /// How long larger bounds and abstract states of threads take turns; none where only bounds are left.
    turn: Option<Turn>,
    /// All of the program was seen, or abstract states of threads were found that cover it.
    is_covered: bool,
    /// The last run was cut where threads would have taken more turns than its bound.
    takes_more_turns: bool,
    /// The contracts that the last induction relied on and did not prove.
    unproved_contracts: BTreeSet<PropertyId>,
}

impl<'a> Check<'a> {
    fn new(
        program: &'a Program,
        options: &'a Options,
        progress: &'a mut (dyn Progress + Send),
    ) -> Result<Self, InternalError> {
        let solver = create_solver(&options.solver).map_err(|why| InternalError {
            message: why.to_string(),
        })?;
        Ok(Check {
            program,
            options,
            progress,
            properties: program.public_properties(),
            started: Instant::now(),
            engine: Engine::new(program, options),
            decider: Decider::new(solver, options),
            verdicts: vec![None; program.properties.len()].into(),
            bound: 0,
            open_because: None,
            outlook: Outlook::default(),
            invariants: Vec::new(),
            memory: Memory::default(),
            conclusions: Kept::default(),
            execution_took: Duration::ZERO,
            executions_took: Duration::ZERO,
            executed_bound: 0,
            slow_growth: None,
            induction_took: Duration::ZERO,
            invariants_took: Duration::ZERO,
            reachability_took: Duration::ZERO,
            beside: None,
            fuzzing: None,
            assumed_beside: BTreeSet::new(),
            solved_beside: Duration::ZERO,
            tells: None,
            turn: None,
            is_covered: false,
            takes_more_turns: false,
            unproved_contracts: BTreeSet::new(),
        })
    }

    fn tell_asked(&mut self) {
        let asked = self
            .properties
            .enumerate()
            .filter(|(id, _)| self.options.checks(*id));
        let asked: Vec<Property> = asked.map(|(_, property)| property.clone()).collect();
        self.progress.asked(&asked);
    }

    fn run(mut self) -> Result<Report, InternalError> {
        self.tell_asked();
        let is_woven = self.is_woven();
        let first = if is_woven { FIRST_BOUND_OF_THREADS } else { 1 };
        let first = first.min(self.options.max_bound);
        let mut bound = match self.options.unwind {
            Some(bound) if !self.bounds_turns() => bound,
            _ => first,
        };
        let may_merge = self.options.explore == Explore::Merged;
        let mut may_cover = is_woven && may_merge;
        self.engine.tries_coarse_cover = may_cover;
        loop {
            match self.try_bound(bound)? {
                Next::Finished => break,
                Next::Interrupted => {
                    if self.cover_threads() {
                        break;
                    }
                }
                Next::Deeper(cut) => {
                    self.open_because = Some(self.past_bound(&cut));
                    let place = self.engine.place(cut.position);
                    self.outlook.goes_on(place, &cut);
                    self.tell_outlook();
                    self.prove_beside();
                    may_cover &= self.options.k_induction;
                    if std::mem::take(&mut may_cover) && self.cover_threads() {
                        break;
                    }
                    let may_induct = !is_woven || may_merge && bound >= FIRST_INDUCTION_OF_THREADS;
                    if self.look_ahead()?
                        || may_induct && self.options.k_induction && self.try_induction(bound)
                    {
                        break;
                    }
                    if !self.may_grow() {
                        break;
                    }
                    bound = bound.saturating_mul(self.growth());
                    bound = bound.min(self.options.max_bound);
                }
            }
        }
        Ok(self.report())
    }

    /// Executes with a bound, looks for violations, and asks whether that was everything.
    fn try_bound(&mut self, bound: u32) -> Result<Next, InternalError> {
        if self.take_over_what_is_told() {
            return Ok(Next::Finished);
        }
        self.progress.bound(bound);
        self.bound = bound;
        let started = Instant::now();
        let executed = self.unwind_in_turn(bound);
        let took = started.elapsed();
        let mut cuts = self.engine.run.record.cuts.iter();
        self.takes_more_turns = cuts.any(|path| path.cut == Cut::Turns);
        self.slow_growth = self.slow_growth(bound);
        (self.executed_bound, self.execution_took) = (bound, took);
        self.executions_took = self.engine.run.took;
        if executed == Err(Reason::Time) && self.turn.is_some() && limits::check(self.options, false).is_ok()
        {
            return Ok(Next::Interrupted);
        }
        if let Err(reason) = executed {
            self.open_because = Some(reason);
            return Ok(Next::Finished);
        }
        self.dump_record();
        if let Some(cut) = self.cut_without_lock() {
            let patience = self.soon(false);
            if self.find_violations(Some(patience))? {
                self.open_because = Some(self.unsupported(&cut));
            }
            return Ok(Next::Finished);
        }
        // Where a larger bound may be the last, its search is for the violations of this one, too; so this
        // one is not searched at any cost.
        let is_cheap = self.may_end() && self.is_next_cheap();
        if self.take_over_what_is_told() {
            return Ok(Next::Finished);
        }
        let early = match self.cut_of_threads() {
            Some(cut) => Some(Some(cut)),
            None if self.may_end() => self.reachable_cut(Some(self.soon(is_cheap))).ok(),
            None => None,
        };
        let skipped = self.unwound_cut().filter(|_| is_cheap);
        let early = early.or_else(|| skipped.map(Some));
        let goes_on = matches!(&early, Some(Some(cut)) if cut.cut.is_unwinding());
        let patience = goes_on.then(|| self.soon(is_cheap));
        if !self.find_violations(patience)? {
            return Ok(Next::Finished);
        }
        self.engine.stops_early &= !self.engine.run.stops;
        self.outlook
            .searched(self.searched_bound(), self.decider.undecided.keys());
        self.tell_outlook();
        match early.map_or_else(|| self.reachable_cut(None), Ok) {
            Err(reason) => {
                self.open_because = Some(reason);
                Ok(Next::Finished)
            }
            Ok(Some(cut)) if cut.cut.is_unwinding() => Ok(Next::Deeper(cut)),
            Ok(Some(cut)) => {
                self.open_because = Some(self.unsupported(&cut));
                Ok(Next::Finished)
            }
            Ok(None) => {
                self.open_because = Some(Reason::Time);
                self.conclude();
                Ok(Next::Finished)
            }
        }
    }

    fn reachable_cut(&mut self, until: Option<Instant>) -> Result<Option<CutPath>, Reason> {
        self.decider.reachable_cut(&mut self.engine, until)
    }

    /// Where a thread relies on that no other one runs, and one may: the answer is that of another program.
    fn cut_without_lock(&mut self) -> Option<CutPath> {
        let cuts = self.engine.run.record.cuts.iter();
        let cuts: Vec<CutPath> = cuts.filter(|path| path.cut.is_not_alone()).cloned().collect();
        let any = self.engine.terms.or_all(cuts.iter().map(|path| path.condition));
        let may_be =
            !cuts.is_empty() && self.decider.possible_until(&mut self.engine, any, None) != Ok(false);
        cuts.into_iter().next().filter(|_| may_be)
    }

    /// Where threads go on past the bound, and a larger one follows anyway: whether that is possible need not
    /// be asked, which would take longer than to follow it.
    fn cut_of_threads(&self) -> Option<CutPath> {
        self.unwound_cut().filter(|_| self.is_woven() && self.may_grow())
    }

    /// Do threads run in the program?
    fn is_woven(&self) -> bool {
        kripke_elts::threads::woven(self.program).is_some()
    }

    /// Is the bound one of turns that threads take, as the user bounds their loops?
    fn bounds_turns(&self) -> bool {
        self.is_woven() && self.options.unwind.is_some() && self.options.explore == Explore::Merged
    }

    /// May a larger bound follow?
    fn may_grow(&self) -> bool {
        let is_fixed = self.options.unwind.is_some() && !self.takes_more_turns;
        !is_fixed && self.bound < self.options.max_bound
    }

    /// The bound within which everything was seen: the user's, unless threads take more turns.
    fn searched_bound(&self) -> u32 {
        match self.options.unwind {
            Some(bound) if !self.takes_more_turns => bound,
            _ => self.bound,
        }
    }

    /// Tries to prove what is open by induction over the loops that go on; true when the search is over.
    fn try_induction(&mut self, k: u32) -> bool {
        let share = self.share_of_induction();
        // It executes all from the beginning, and loops as often as the last bound did.
        if share.is_some_and(|share| share < self.executions_took) {
            return false;
        }
        let started = Instant::now();
        let finished = self.induct(k, share);
        self.induction_took += started.elapsed();
        finished
    }

    /// The same, each attempt to conclude in such a time, where it is limited.
    fn induct(&mut self, k: u32, share: Option<Duration>) -> bool {
        let Some(loops) = self.loops_that_go_on().filter(|_| k <= MAX_INDUCTION) else {
            return false;
        };
        match self.induct_once_through(&loops, share) {
            Attempt::Finished => true,
            Attempt::Open => false,
            Attempt::Failed => self.induct_over_all(&loops, k, share),
        }
    }

    /// The loops that go on past the bound of the last run; nothing where a recursion does.
    fn loops_that_go_on(&mut self) -> Option<BTreeSet<(FunctionId, u32)>> {
        let cuts = self.engine.run.record.cuts.clone();
        let is_recursive = cuts.iter().any(|path| path.cut == Cut::Recursion);
        (!is_recursive).then(|| self.engine.loops_of(&cuts))
    }

    /// All loops that go on by induction, those inside others, too.
    fn induct_over_all(
        &mut self,
        loops: &BTreeSet<(FunctionId, u32)>,
        k: u32,
        share: Option<Duration>,
    ) -> bool {
        self.engine.relied_on = self.contracts_not_violated();
        let mut over = self.try_induction_over(loops.clone(), (self.bound, k), share);
        // What relies on contracts is proved only with them: else it is tried without those that fail.
        while !over && !self.unproved_contracts.is_empty() {
            for contract in std::mem::take(&mut self.unproved_contracts) {
                self.engine.relied_on.remove(&contract);
            }
            over = self.try_induction_over(loops.clone(), (self.bound, k), share);
        }
        self.engine.relied_on.clear();
        over
    }

    fn contracts_not_violated(&self) -> BTreeSet<PropertyId> {
        let is_candidate = |id: &PropertyId| {
            let fits = matches!(self.verdicts[*id], None | Some(Verdict::Holds { .. }));
            let is_invariant = self.program.properties[*id].kind == PropertyKind::LoopInvariant;
            fits && self.options.checks(*id) && is_invariant
        };
        self.program.properties.ids().filter(is_candidate).collect()
    }

    fn try_induction_over(
        &mut self,
        loops: BTreeSet<(FunctionId, u32)>,
        (bound, k): (u32, u32),
        share: Option<Duration>,
    ) -> bool {
        // Where the loops may end by themselves, unwinding them may be far less work than their induction.
        self.engine.patience = share.map(|share| Instant::now() + share.max(stretched(LEAST_PATIENCE)));
        let attempt = self.attempt_induction(loops, (bound, k), share);
        self.engine.patience = None;
        attempt == Attempt::Finished
    }

    /// Executes with the loops, and those inside that go on past the bound, treated by induction, and
    /// concludes from that.
    fn attempt_induction(
        &mut self,
        more: BTreeSet<(FunctionId, u32)>,
        (bound, k): (u32, u32),
        share: Option<Duration>,
    ) -> Attempt {
        let loops = match self.execute_induction(more, (bound, k)) {
            Ok(loops) => loops,
            Err(attempt) => return attempt,
        };
        let time = match self.options.invariants {
            true => self.time_for_invariants(k, &loops),
            false => Duration::ZERO,
        };
        // Where loops inside are unwound first, it is their turn afterwards.
        let time = match bound > k && loops.len() > 1 {
            true => time * 3 / 5,
            false => time,
        };
        match self.prove_inductive(k, time, share) {
            true => Attempt::Finished,
            false => Attempt::Open,
        }
    }

    /// Executes with the loops, and those inside that go on past the bound, treated by induction: all that
    /// are.
    fn execute_induction(
        &mut self,
        mut more: BTreeSet<(FunctionId, u32)>,
        (bound, k): (u32, u32),
    ) -> Result<BTreeSet<(FunctionId, u32)>, Attempt> {
        self.unproved_contracts.clear();
        self.memory.forget_proofs();
        // An induction over nothing would be one over a run that was not made.
        if more.is_empty() {
            return Err(Attempt::Failed);
        }
        let mut loops = BTreeSet::new();
        while !more.is_subset(&loops) {
            loops.append(&mut more);
            match self.engine.run_induction(bound, k, &loops) {
                Ok(true) => {
                    let cuts = self.engine.run.record.cuts.clone();
                    more = self.engine.loops_of(&cuts);
                }
                Ok(false) => {
                    more = self.engine.unfinished_loops();
                    if more.is_subset(&loops) {
                        return Err(Attempt::Failed);
                    }
                }
                Err(Reason::Time) if limits::check(self.options, false).is_ok() => {
                    return Err(Attempt::Failed);
                }
                Err(reason) => {
                    self.open_because = Some(reason);
                    return Err(Attempt::Finished);
                }
            }
        }
        Ok(loops)
    }

    /// Concludes from a run with induction; true when nothing is open any more. What is open then is asked
    /// again with the invariants of the loops.
    fn prove_inductive(&mut self, k: u32, time_for_invariants: Duration, share: Option<Duration>) -> bool {
        let truth = self.engine.terms.true_();
        if self.conclude_inductive((truth, &[]), Argument::Induction { k }, share) {
            return true;
        }
        !time_for_invariants.is_zero() && self.prove_with_invariants(k, time_for_invariants)
    }

    /// Asks what is open again with the invariants of the loops; true when nothing is any more.
    pub(super) fn prove_with_invariants(&mut self, k: u32, time: Duration) -> bool {
        let (started, before) = (Instant::now(), self.reachability_took);
        let mut memory = std::mem::take(&mut self.memory);
        let finished = self.strengthen(k, &mut memory, time);
        self.memory = memory;
        let reachability_took = self.reachability_took - before;
        self.invariants_took += started.elapsed().saturating_sub(reachability_took);
        finished
    }

    /// Looks for invariants until nothing is open (then true), or no more are found.
    fn strengthen(&mut self, k: u32, memory: &mut Memory, time: Duration) -> bool {
        let until = Instant::now() + time;
        let deadline = self.options.deadline;
        let until = deadline.map_or(until, |deadline| until.min(deadline));
        let left = until.saturating_duration_since(Instant::now());
        let reserve = self.time_for_reachability(memory).min(left);
        let goals = self.goals();
        self.conclusions = Kept::default();
        let Some(mut invariants) = Invariants::new(&mut self.engine, memory, goals, reserve) else {
            return false;
        };
        // There may have been too little time to conclude from what an attempt before this one proved.
        let mut finished = invariants.has_taken_over && self.conclude_with(k, &invariants, until);
        while !finished && let Ok(true) = invariants.strengthen(&mut self.engine, &mut self.decider, until) {
            finished = self.conclude_with(k, &invariants, until);
        }
        self.reachability_took += invariants.reachability_took;
        finished
    }

    /// Settles what holds with the invariants; true when nothing is open any more.
    fn conclude_with(&mut self, k: u32, invariants: &Invariants<'_>, until: Instant) -> bool {
        let (assumption, given) = invariants.given(&mut self.engine);
        let open = self.open();
        let left = until.saturating_duration_since(Instant::now());
        let least = match given.len() {
            conclusion::MANY_INVARIANTS.. => self.until_deadline(stretched(LEAST_TO_CONCLUDE_FROM_MANY)),
            _ => Duration::ZERO,
        };
        let share = (k == 0).then_some(least.max(left / SHARES_OF_CONCLUSION));
        let finished = self.conclude_inductive((assumption, &given), Argument::Invariants { k }, share);
        if self.open() < open {
            invariants.assert_in_runs(&self.engine);
            self.oblige_invariants(invariants);
            let found = invariants.describe(&mut self.engine, &mut self.decider, until);
            self.note_invariants(found);
            self.tell_proofs();
        }
        finished
    }

    /// Adds what was found to what proofs rest on already.
    fn note_invariants(&mut self, found: Vec<LoopInvariant>) {
        for new in found {
            match self.invariants.iter_mut().find(|known| known.place == new.place) {
                Some(known) => {
                    let others = new.conditions.into_iter();
                    let others = others.filter(|condition| !known.conditions.contains(condition));
                    let others: Vec<String> = others.collect();
                    known.conditions.extend(others);
                }
                None => self.invariants.push(new),
            }
        }
    }

    /// What is impossible where everything holds that is open: that a path goes on, and each violation.
    fn goals(&mut self) -> Vec<TermId> {
        let record = &self.engine.run.record;
        let cuts: Vec<TermId> = record.cuts.iter().map(|cut| cut.condition).collect();
        let mut violations: BTreeMap<PropertyId, Vec<TermId>> = BTreeMap::new();
        for violation in &record.violations {
            let property = violation.property;
            if self.verdicts[property].is_none() && self.options.checks(property) {
                violations.entry(property).or_default().push(violation.condition);
            }
        }
        let all = std::iter::once(cuts).chain(violations.into_values());
        all.map(|conditions| self.engine.terms.or_all(conditions))
            .collect()
    }

    /// Where a loop never ends, or a user's invariant may need others beside it, all attempts together take
    /// as long as everything else has taken, and a while to begin with. Where loops may end by themselves, a
    /// small part of that, and only after some bounds.
    fn time_for_invariants(&mut self, k: u32, loops: &BTreeSet<(FunctionId, u32)>) -> Duration {
        let took = self.invariants_took + self.reachability_took;
        let others = self.started.elapsed().saturating_sub(took);
        if !self.never_ends(loops) && loops.is_disjoint(&self.engine.contracts) {
            let part = if k < PATIENCE {
                Duration::ZERO
            } else {
                others / PART_WHERE_LOOPS_END
            };
            return part.saturating_sub(self.invariants_took);
        }
        (self.least_for_invariants() + others).saturating_sub(self.invariants_took)
    }

    fn least_for_invariants(&self) -> Duration {
        self.within_limit(LEAST_FOR_INVARIANTS, |limit| limit * 2 / SHARES_OF_LIMIT)
    }

    /// What a search was suspended for goes on while everything else does.
    fn time_for_reachability(&self, memory: &Memory) -> Duration {
        let least = self.within_limit(FOR_REACHABILITY, |limit| limit / SHARES_OF_LIMIT_FOR_REACHABILITY);
        let others = self.started.elapsed().saturating_sub(self.reachability_took);
        let more = match memory.suspended.is_some() {
            true => others / PART_OF_REACHABILITY,
            false => Duration::ZERO,
        };
        (least + more).saturating_sub(self.reachability_took)
    }

    /// So much time on this machine, and at most a share of the time limit, where there is one.
    fn within_limit(&self, least: Duration, share: impl Fn(Duration) -> Duration) -> Duration {
        let deadline = self.options.deadline;
        let limit = deadline.map(|deadline| deadline.saturating_duration_since(self.started));
        let least = stretched(least);
        limit.map_or(least, |limit| share(limit).min(least))
    }

    /// The properties that are to be decided and have no verdict.
    fn open_properties(&self) -> Vec<PropertyId> {
        let ids = self.program.properties.ids();
        ids.filter(|id| self.verdicts[*id].is_none() && self.options.checks(*id))
            .collect()
    }

    /// How many properties have no verdict.
    fn open(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_none()).count()
    }

    /// Induction gets as much time as the search for violations has taken, and a little to begin with: more
    /// where somebody has thought about it.
    fn time_to_conclude(&self) -> Duration {
        let least = match self.engine.contracts.is_empty() {
            true => stretched(Duration::from_secs(1)),
            false => self.least_for_invariants(),
        };
        self.decider.time.max(least)
    }

    /// Finds violations until there is no other, or no patience; false when the search is over before that.
    fn find_violations(&mut self, patience: Option<Instant>) -> Result<bool, InternalError> {
        loop {
            if self.take_over_what_runs_found() {
                return Ok(false);
            }
            let open: Vec<bool> = self
                .verdicts
                .enumerate()
                .map(|(id, verdict)| verdict.is_none() && self.options.checks(id))
                .collect();
            match self
                .decider
                .search(&mut self.engine, &open, patience, self.progress)?
            {
                Search::None => return Ok(true),
                Search::Found { property, trace } => {
                    self.settle(property, Verdict::Violated { trace });
                    if !self.options.all {
                        self.open_because = Some(Reason::NotChecked);
                        return Ok(false);
                    }
                }
                Search::Unconfirmed { property, reason } => {
                    self.settle(property, Verdict::Unknown { reason });
                }
                Search::Unknown(reason) => {
                    self.open_because = Some(reason);
                    return Ok(false);
                }
            }
        }
    }

    /// Every run was seen: what is not violated holds.
    fn conclude(&mut self) {
        self.is_covered = true;
        let mut asked = vec![false; self.verdicts.len()];
        for violation in &self.engine.run.record.violations {
            asked[violation.property.index()] = true;
        }
        for id in self.program.properties.ids() {
            if self.verdicts[id].is_none() && !self.decider.undecided.contains_key(&id) {
                let argument = match asked[id.index()] {
                    true => Argument::AllPathsWithinBound {
                        bound: self.searched_bound(),
                    },
                    false => Argument::Trivial,
                };
                self.settle(id, Verdict::Holds { argument });
            }
        }
        if self.options.obligations {
            self.oblige_whole_search();
        }
    }

    /// A property has its verdict, and is looked at no more.
    fn settle(&mut self, id: PropertyId, verdict: Verdict) {
        let result = self.result(id, verdict.clone());
        self.verdicts[id] = Some(verdict);
        self.engine.checked[id] = false;
        if self.options.checks(id) {
            self.progress.settled(&result);
        }
    }

    fn result(&self, id: PropertyId, verdict: Verdict) -> PropertyResult {
        let property = self.properties[id].clone();
        let open = matches!(verdict, Verdict::Unknown { .. }).then(|| self.outlook.of(id));
        PropertyResult {
            open,
            ..PropertyResult::new(property, verdict)
        }
    }

    /// Tells what is known of the open properties, in case that the search has to be ended.
    fn tell_outlook(&mut self) {
        for (id, property) in self.properties.enumerate() {
            if self.verdicts[id].is_none() && self.options.checks(id) {
                self.progress.open(property, &self.outlook.of(id));
            }
        }
    }

    fn past_bound(&self, cut: &CutPath) -> Reason {
        Reason::Bound {
            bound: self.searched_bound(),
            place: self.engine.place(cut.position),
        }
    }

    fn unsupported(&self, cut: &CutPath) -> Reason {
        let what = match &cut.cut {
            Cut::Unsupported { what } => what.clone(),
            Cut::Misuse { what } => format!("{what}, which no enabled property checks"),
            Cut::Loop | Cut::Recursion | Cut::Turns => "a loop goes on".to_string(),
        };
        Reason::Unsupported {
            what,
            place: self.engine.place(cut.position),
        }
    }

    fn dump_record(&mut self) {
        if !self.options.dump {
            return;
        }
        let record = &self.engine.run.record;
        let mut text = format!(
            "bound {}: {} terms, {} inputs, {} violation conditions, {} cuts, {} states kept apart, \
             {} iterations out of turn\n",
            self.bound,
            self.engine.terms.len(),
            record.events.len(),
            record.violations.len(),
            record.cuts.len(),
            self.engine.parting.kept(),
            self.engine.parting.advance.moved
        );
        for cut in &record.cuts {
            text.push_str(&format!(
                "cut at {}: {:?}\n",
                self.engine.place(cut.position),
                cut.cut
            ));
        }
        self.progress.dump("symbolic execution", &text);
    }

    fn report(mut self) -> Report {
        self.end_beside();
        self.take_over_what_runs_found();
        let reason = self.open_because.take().unwrap_or(Reason::NotChecked);
        let incomplete = matches!(reason, Reason::Unsupported { .. }).then(|| reason.clone());
        self.assert_in_runs();
        self.tell_proofs();
        let mut results = Vec::new();
        for id in self.program.properties.ids() {
            if !self.options.checks(id) {
                continue;
            }
            if self.verdicts[id].is_none() {
                let own = self.decider.undecided.get(&id);
                let reason = own.unwrap_or(&reason).clone();
                self.settle(id, Verdict::Unknown { reason });
            }
            let verdict = self.verdicts[id].take();
            results.extend(verdict.map(|verdict| self.result(id, verdict)));
        }
        // Without a property no search is needed, and none came to what cannot be followed.
        let is_searched = !results.is_empty() || self.is_covered;
        let incomplete = incomplete.or_else(|| self.not_followed().filter(|_| !is_searched));
        Report {
            results,
            assumptions: self.assumptions(),
            incomplete,
            invariants: std::mem::take(&mut self.invariants),
            statistics: Statistics {
                seconds: self.started.elapsed().as_secs_f64(),
                solver_seconds: (self.decider.time + self.solved_beside).as_secs_f64(),
                queries: self.decider.queries,
                bound: self.searched_bound(),
                peak_memory: kripke_limits::peak().unwrap_or(0),
                interleavings: self.engine.interleavings(),
                explored: None,
            },
        }
    }

    /// What a function that may be called has that cannot be followed: properties behind it are not in the
    /// program any more.
    fn not_followed(&self) -> Option<Reason> {
        let all = || self.program.functions.ids().collect();
        let called = self
            .program
            .reached([self.program.entry], |_, callee| match callee {
                Callee::Direct(id) => vec![*id],
                Callee::Indirect(_) => all(),
            });
        let mut statements = called
            .into_iter()
            .flat_map(|id| self.program.functions[id].statements());
        statements.find_map(|statement| match &statement.kind {
            StatementKind::Unsupported { what } => Some(Reason::Unsupported {
                what: what.clone(),
                place: self.engine.place(statement.position),
            }),
            _ => None,
        })
    }

    fn assumptions(&self) -> Vec<String> {
        let mut all: Vec<String> = self
            .program
            .external_functions
            .iter()
            .map(|name| format!("`{name}` has no body: it returns any value and changes no memory"))
            .collect();
        all.extend(self.program.assumptions.iter().cloned());
        let others = &self.assumed_beside;
        all.extend(self.engine.run.record.assumptions.union(others).cloned());
        all
    }
}
