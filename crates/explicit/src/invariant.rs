//! Invariants (`AG p`) by plain search.
//!
//! Breadth-first order finds a shortest counterexample and needs no queue beside the state store;
//! depth-first order often meets a deep error sooner. Both store each state once and note which state first
//! led to it, which is the counterexample's path; which choice did is asked of the model again.
//!
//! Breadth-first search with its states in memory uses several threads, where the model can be forked
//! ([`crate::workers`]).
//!
//! Where states go to the disk, or where only their hashes are kept, breadth-first search is another one
//! ([`crate::disk`], [`crate::hash_search`]); depth-first search has them in memory always.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::Scope;
use std::time::Instant;

use kripke_limits::{Exhausted, Limits, Store};
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::journal::{Journal, Progress};
use crate::lasso::choice_between;
use crate::limits::{Guard, Stopped};
use crate::parents::Parents;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};
use crate::workers::{Expanded, Workers};
use crate::{disk, hash_search};

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Shortest counterexample.
    BreadthFirst,
    /// Follow one run as deep as it goes.
    DepthFirst,
}

/// A run from an initial state: the states, and the choice that led to each but the first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    /// The states, in order.
    pub states: Vec<Box<[u8]>>,
    /// `choices[i]` leads from `states[i]` to `states[i + 1]`.
    pub choices: Vec<Choice>,
}

/// What a search saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Exploration {
    /// States stored.
    pub stored: u64,
    /// Successors computed, known ones included.
    pub created: u64,
    /// Bytes of the state store at the end.
    pub memory: u64,
}

/// The answer of an invariant check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantResult {
    /// A path to a state where the invariant fails; none where it holds in every reachable state.
    pub counterexample: Option<Path>,
    /// Cost.
    pub exploration: Exploration,
}

/// After so many expansions the clock is looked at for a checkpoint.
const EXPANSIONS: usize = 256;

/// What a search looks for.
struct Wanted<F> {
    /// The invariants, bit by bit.
    all: u64,
    /// Those that fail under some labels.
    failing: F,
}

impl<F> Wanted<F> {
    /// Whether all have failed. A search for none goes on to the last state.
    fn is_answered(&self, found: u64) -> bool {
        self.all != 0 && found == self.all
    }
}

struct Search {
    store: Arc<StateStore>,
    guard: Guard,
    /// Per state: the state it was first reached from.
    parents: Parents,
    /// The invariants that have failed, and per invariant a run to the first state in which it failed.
    found: u64,
    runs: Vec<Option<Path>>,
    /// States whose labels have been looked at.
    judged: usize,
    /// The state that is looked at.
    current: Vec<u8>,
    /// The labels of states that are new.
    new_labels: Vec<Labels>,
    /// Where the search is written down, if it is.
    journal: Option<Journal>,
}

impl Search {
    fn new(state_size: usize, count: usize, order: Order, limits: &Limits) -> Self {
        let guard = Guard::new(limits);
        let account = guard.account();
        Search {
            store: Arc::new(StateStore::new(state_size, limits, account)),
            parents: match order {
                Order::BreadthFirst => Parents::in_order(account),
                Order::DepthFirst => Parents::any(account),
            },
            guard,
            found: 0,
            runs: vec![None; count.min(64)],
            judged: 0,
            current: Vec::new(),
            new_labels: Vec::new(),
            journal: None,
        }
    }

    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.guard.stopped(exhausted, &self.store)
    }

    /// The run to a state. It can be as long as there are states, so its memory is counted, too.
    fn path_to<M: KripkeStructure>(&self, model: &mut M, last: StateId) -> Result<Path, Stopped> {
        let states = self
            .states_to(last)
            .map_err(|exhausted| self.stopped(exhausted))?;
        // A model that asked for the search to end hands out no more successors.
        self.guard.interrupted(&self.store)?;
        Ok(Path::through(model, states))
    }

    fn states_to(&self, last: StateId) -> Result<Vec<Box<[u8]>>, Exhausted> {
        let account = self.guard.account();
        let mut states = Vec::new();
        let mut at = Some(last);
        while let Some(state) = at {
            account.charge(self.store.state_size())?;
            account.push(&mut states, Box::from(&*self.store.state(state)))?;
            at = self.parents.of(state);
        }
        states.reverse();
        Ok(states)
    }

    /// Steps from an initial state to this one, by the way it was found.
    fn distance(&self, state: StateId) -> u64 {
        let next = |&state: &StateId| self.parents.of(state);
        std::iter::successors(Some(state), next).skip(1).count() as u64
    }

    fn exploration(&self) -> Exploration {
        self.guard.ended(self.store.len() as u64);
        Exploration {
            stored: self.store.len() as u64,
            created: self.guard.created,
            memory: (self.store.memory() + self.parents.memory()) as u64,
        }
    }

    fn store_initial<M: KripkeStructure>(&mut self, model: &mut M) -> Result<(), Stopped> {
        let stored = store_initial(model, StateStore::alone(&mut self.store), &mut self.guard);
        let added = self.parents.add_initial(self.store.len());
        stored.and(added.map_err(|exhausted| self.stopped(exhausted)))
    }

    /// Opens the files of the search, where it is to be written down.
    fn open_journal(&mut self, order: Order, limits: &Limits) -> Result<(), Stopped> {
        if let (Some(checkpoint), Order::BreadthFirst) = (&limits.checkpoint, order) {
            let journal = Journal::open(checkpoint, self.store.state_size());
            self.journal = Some(journal.map_err(|exhausted| self.stopped(exhausted))?);
        }
        Ok(())
    }

    /// Begins where a checkpoint says, if there is one, or else at the initial states; how many states are
    /// expanded.
    fn begin<M: KripkeStructure>(&mut self, model: &mut M) -> Result<usize, Stopped> {
        match self.journal.take() {
            Some(journal) if journal.begun().states > 0 => {
                let resumed = self.resume(model, &journal);
                self.journal = Some(journal);
                resumed
            }
            journal => {
                self.journal = journal;
                self.store_initial(model).map(|()| 0)
            }
        }
    }

    /// Stores the states of a checkpoint, and has the model note again what it had noted.
    fn resume<M: KripkeStructure>(&mut self, model: &mut M, journal: &Journal) -> Result<usize, Stopped> {
        store_initial(model, StateStore::alone(&mut self.store), &mut self.guard)?;
        let begun = journal.begun();
        let (initial, expanded) = (self.store.len(), begun.expanded as usize);
        // Of these parents all states have been read.
        let (mut number, mut parents) = (0, 0);
        let mut result = Ok(());
        let mut take = |state: &[u8], parent: Option<u64>| -> Result<(), Stopped> {
            let parent = parent.map(|parent| parent as usize);
            let foreign = || journal.refused("it is of another model");
            let mut stored = || -> Result<(), Exhausted> {
                if parent.is_none() != (number < initial)
                    || parent.is_some_and(|parent| parent < parents || parent >= number)
                {
                    return Err(foreign());
                }
                if number == initial {
                    self.parents.add_initial(initial)?;
                }
                while parents < parent.unwrap_or(0) {
                    self.parents.add(StateId::new(parents), number)?;
                    parents += 1;
                    StateStore::alone(&mut self.store).read_parent(StateId::new(parents), &mut self.current);
                }
                match StateStore::alone(&mut self.store).insert(state)? {
                    (id, _) if id.index() == number => Ok(()),
                    _ => Err(foreign()),
                }
            };
            stored().map_err(|exhausted| self.guard.stopped(exhausted, &self.store))?;
            number += 1;
            self.guard.step(&self.store)
        };
        let read = journal.read(|state, parent| {
            result = take(state, parent);
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        read.map_err(|exhausted| self.stopped(exhausted))?;
        result?;
        let added = (|| {
            if number == initial {
                self.parents.add_initial(initial)?;
            }
            while parents < expanded {
                self.parents.add(StateId::new(parents), number)?;
                parents += 1;
            }
            Ok(())
        })();
        added.map_err(|exhausted| self.stopped(exhausted))?;
        for &state in journal.noted() {
            self.store.read(StateId::new(state as usize), &mut self.current);
            model.successors(&self.current, &mut |_, _| ());
        }
        self.guard.created = begun.created;
        Ok(expanded)
    }

    /// Says where the search stands, between two expansions, and writes it down where it is time to.
    fn stand(&mut self, expanded: usize, is_last: bool) -> Result<(), Stopped> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        if expanded.is_multiple_of(EXPANSIONS) && journal.is_due() || is_last {
            let (store, parents) = (&self.store, &self.parents);
            let written = journal.write(|number, state| {
                let id = StateId::new(number as usize);
                store.read(id, state);
                parents.of(id).map(|parent| parent.index() as u64)
            });
            written.map_err(|exhausted| self.guard.stopped(exhausted, store))?;
        }
        Ok(())
    }

    /// Says in the journal, if there is one, that a state is expanded next.
    fn reach(&mut self, from: StateId) -> Result<(), Stopped> {
        if let Some(journal) = &mut self.journal {
            journal.stand(Progress {
                states: self.store.len() as u64,
                expanded: from.index() as u64,
                created: self.guard.created,
            });
            self.stand(from.index(), false)?;
        }
        self.guard.expansion(&self.store)
    }

    /// Finds the successors of a state. Those that were found have parents, even where not all were.
    fn expand<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        successors: &mut Successors,
        from: StateId,
    ) -> Result<(), Stopped> {
        self.reach(from)?;
        let before = model.noted();
        let stored = successors.store(model, StateStore::alone(&mut self.store), from, &mut self.guard);
        if let Some(journal) = &mut self.journal
            && model.noted() != before
        {
            journal.note(from.index() as u64);
        }
        let added = self.parents.add(from, self.store.len());
        stored.and(added.map_err(|exhausted| self.stopped(exhausted)))
    }

    /// Expands states with several threads, from the first that waits on.
    fn expand_together<'scope, M: KripkeStructure + 'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        model: &mut M,
        round: (&mut Workers<M>, usize),
        successors: &mut Successors,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
        expanded: &mut usize,
    ) -> Result<(), Stopped> {
        let (workers, states) = round;
        workers.expand(scope, model, &self.store, *expanded..*expanded + states);
        for state in workers.expanded() {
            *expanded = state.from.index() + 1;
            if state.noted {
                self.expand(model, successors, state.from)?;
                self.judge(model, wanted)?;
            } else {
                self.store_expanded(model, &state, wanted)?;
            }
            if wanted.is_answered(self.found) {
                break;
            }
        }
        // The round may have taken long.
        self.guard.look_now(&self.store)
    }

    /// Stores what another thread has found out of a state.
    fn store_expanded<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        state: &Expanded<'_>,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
    ) -> Result<(), Stopped> {
        self.reach(state.from)?;
        self.guard.created += state.created;
        state.tell(model, &self.store, &mut self.current);
        let mut new = std::mem::take(&mut self.new_labels);
        let stored = state.store(
            StateStore::alone(&mut self.store),
            &mut self.guard,
            |_, _, labels| new.extend(labels),
        );
        let added = self.parents.add(state.from, self.store.len());
        stored.and(added.map_err(|exhausted| self.stopped(exhausted)))?;
        for labels in new.drain(..) {
            if wanted.is_answered(self.found) {
                break;
            }
            self.judge_one(model, StateId::new(self.judged), labels, wanted)?;
        }
        self.new_labels = new;
        Ok(())
    }

    /// Looks at the labels of new states that have parents.
    fn judge<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
    ) -> Result<(), Stopped> {
        while self.judged < self.parents.len() && self.found != wanted.all {
            let id = StateId::new(self.judged);
            self.store.read(id, &mut self.current);
            let labels = model.labels(&self.current);
            self.judge_one(model, id, labels, wanted)?;
        }
        Ok(())
    }

    fn judge_one<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        id: StateId,
        labels: Labels,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
    ) -> Result<(), Stopped> {
        let mut new = (wanted.failing)(labels) & wanted.all & !self.found;
        if new != 0 {
            let path = self.path_to(model, id)?;
            self.found |= new;
            while new != 0 {
                self.runs[new.trailing_zeros() as usize] = Some(path.clone());
                new &= new - 1;
            }
        }
        self.judged += 1;
        Ok(())
    }

    /// Expands states in the order of their numbers, from the first that was not expanded.
    fn breadth_first<'scope, M: KripkeStructure + 'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        model: &mut M,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
        expanded: &mut usize,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        let mut workers = Workers::new(false, limits);
        let mut successors = Successors::default();
        let mut level_end = 0;
        let mut result = Ok(());
        loop {
            self.judge(model, wanted)?;
            result?;
            let waiting = self.store.len() - *expanded;
            if wanted.is_answered(self.found) || waiting == 0 {
                return Ok(());
            }
            if *expanded >= level_end {
                level_end = self.store.len();
                self.guard.depth += 1;
            }
            self.guard.open = waiting as u64;
            let from = *expanded;
            let round = workers
                .as_ref()
                .and_then(|workers| workers.round(level_end - from));
            if let (Some(workers), Some(round)) = (&mut workers, round) {
                result =
                    self.expand_together(scope, model, (workers, round), &mut successors, wanted, expanded);
                if *expanded > from || result.is_err() {
                    continue;
                }
            }
            let started = workers.as_ref().map(|_| Instant::now());
            *expanded += 1;
            result = self.expand(model, &mut successors, StateId::new(from));
            if let (Some(workers), Some(started)) = (&mut workers, started) {
                workers.took(started.elapsed(), 1);
            }
        }
    }

    /// Expands the state that was found last: what interrupts come last of what a step may bring, and they
    /// lead deep.
    fn depth_first<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        wanted: &Wanted<impl Fn(Labels) -> u64>,
    ) -> Result<(), Stopped> {
        let mut successors = Successors::default();
        // The states that are still to be expanded, the next one last.
        let mut open: Vec<StateId> = Vec::new();
        let mut result = Ok(());
        loop {
            let fresh = self.judged;
            self.judge(model, wanted)?;
            result?;
            if wanted.is_answered(self.found) {
                return Ok(());
            }
            let reserved = self.guard.account().reserve(&mut open, self.judged - fresh);
            reserved.map_err(|exhausted| self.stopped(exhausted))?;
            open.extend((fresh..self.judged).map(StateId::new));
            self.guard.open = open.len() as u64;
            let Some(from) = open.pop() else { return Ok(()) };
            result = self.expand(model, &mut successors, from);
        }
    }

    /// What was found.
    fn survey(self, stopped: Option<Stopped>) -> Survey {
        let last = self.parents.len().checked_sub(1).map(StateId::new);
        Survey {
            exploration: self.exploration(),
            stopped,
            depth: last.map_or(0, |last| self.distance(last)),
            counterexamples: self.runs,
        }
    }
}

impl Path {
    /// The run through these states; of several choices that lead on, the first one.
    ///
    /// # Panics
    /// When the model no longer leads from one to the next: a defect of the model.
    pub(crate) fn through<M: KripkeStructure>(model: &mut M, states: Vec<Box<[u8]>>) -> Path {
        let choices = states.windows(2).map(|step| {
            let choice = choice_between(model, &step[0], &step[1]);
            choice.expect("a state has the successors that it had before")
        });
        Path {
            choices: choices.collect(),
            states,
        }
    }
}

/// What one search found out about several invariants.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Survey {
    /// Per invariant: a path to a state where it fails.
    pub counterexamples: Vec<Option<Path>>,
    /// Cost.
    pub exploration: Exploration,
    /// Why the search ended early, if it did: invariants without counterexample are open then.
    pub stopped: Option<Stopped>,
    /// Steps from an initial state to the state that was found last: all states nearer than that were seen.
    pub depth: u64,
}

/// Checks that `holds` is true of the labels of every reachable state.
pub fn check_invariant<M: KripkeStructure>(
    model: &mut M,
    holds: impl Fn(Labels) -> bool,
    order: Order,
    limits: &Limits,
) -> Result<InvariantResult, Stopped> {
    let failing = |labels| u64::from(!holds(labels));
    let survey = search(model, 1, failing, order, limits);
    let counterexample = survey.counterexamples.into_iter().next().flatten();
    match survey.stopped {
        Some(stopped) if counterexample.is_none() => Err(stopped),
        _ => Ok(InvariantResult {
            counterexample,
            exploration: survey.exploration,
        }),
    }
}

/// Checks several invariants at once, breadth-first: `failing` gives the set of those (bit by bit) that fail
/// under some labels. The search goes on until all states are seen or all `count` invariants have failed;
/// each has a shortest counterexample.
pub fn survey_invariants<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    limits: &Limits,
) -> Survey {
    search(model, count, failing, Order::BreadthFirst, limits)
}

/// The same, depth-first: counterexamples are not the shortest ones, but those that lie deep are found.
pub fn survey_invariants_depth_first<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    limits: &Limits,
) -> Survey {
    search(model, count, failing, Order::DepthFirst, limits)
}

fn search<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    order: Order,
    limits: &Limits,
) -> Survey {
    if let (Store::Disk(directory), Order::BreadthFirst) = (&limits.store, order) {
        return disk::survey(model, count, failing, directory.as_deref(), limits);
    }
    if let (Store::Hash, Order::BreadthFirst) = (&limits.store, order) {
        return hash_search::survey(model, count, failing, limits);
    }
    let mut search = Search::new(model.state_size(), count, order, limits);
    let wanted = Wanted {
        all: if count < 64 { (1 << count) - 1 } else { u64::MAX },
        failing,
    };
    let mut stopped = search.open_journal(order, limits).err();
    let mut expanded = 0;
    if stopped.is_none() {
        match search.begin(model) {
            Ok(resumed) => expanded = resumed,
            Err(early) => stopped = Some(early),
        }
    }
    let searched = match order {
        _ if stopped.is_some() => search.judge(model, &wanted),
        Order::BreadthFirst => {
            std::thread::scope(|scope| search.breadth_first(scope, model, &wanted, &mut expanded, limits))
        }
        Order::DepthFirst => search.depth_first(model, &wanted),
    };
    stopped = stopped.or(searched.err());
    if let (None, Some(journal)) = (&stopped, &mut search.journal) {
        journal.stand(Progress {
            states: search.store.len() as u64,
            expanded: expanded as u64,
            created: search.guard.created,
        });
    }
    let written = search.stand(expanded, true);
    search.survey(stopped.or(written.err()))
}
