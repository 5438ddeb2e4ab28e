//! Successors of many states, computed by several threads.
//!
//! Idea: breadth-first search expands states in the order of their numbers, and those that wait for it are
//! known. So it goes in rounds. In a round nobody changes the store: every thread takes some of the states
//! that wait, asks its own fork of the model for their successors, and looks these up. Then one thread stores
//! what was not found, in the order in which it would have come without the others. Where a fork has noted
//! something, that thread expands the state once more, so that its model makes the same note at the same
//! time.
//!
//! Invariant: a fork knows nothing that the model will not have noted when the fork's states are stored.
//! Numbers of states, parents, runs and verdicts are those of a search by one thread, whatever the
//! number of threads and however they were scheduled.
//!
//! A round is short, so that limits are kept to; and a state with too many successors for the memory of a
//! round is left out, for the search to expand it by itself.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::Scope;
use std::time::{Duration, Instant};

use kripke_limits::Limits;
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Guard, Stopped};
use crate::state_store::{Seeker, StateId, StateStore, hash_bytes};

/// How long a round is to take.
const ROUND: Duration = Duration::from_millis(25);
/// What takes less is not worth a round.
const LEAST: Duration = Duration::from_micros(300);
/// Bytes of states that wait for being stored, at the most.
const MOST_WAITING: usize = 64 << 20;
/// Bytes of the successors of one state, at the most.
const MOST_OF_ONE: usize = 8 << 20;
/// Of a state with so many successors the model is told.
const MANY: u64 = 16;
/// Successors after which the number of states is looked at.
const BATCH: usize = 256;
/// Successors after which a thread looks at the clock.
const LOOKS: u64 = 1024;

/// The threads of a search. They are there from the first round on: most searches have none.
pub(crate) struct Workers<M> {
    workers: Vec<Box<Worker<M>>>,
    /// For all workers but the first, whose thread is the one that searches.
    threads: Vec<Thread<M>>,
    /// How many workers there are, or will be.
    count: usize,
    /// What an expansion by one thread takes, about.
    cost: Duration,
    limits: Arc<Limits>,
    /// What leads to successors that the store has is wanted, too.
    wants_edges: bool,
    /// The state behind the last one of this round.
    end: usize,
}

/// What one thread has.
struct Worker<M> {
    model: M,
    seeker: Seeker,
    /// It may have noted something of states that were not handed over.
    is_ahead: bool,
    from: Vec<u8>,
    found: Found,
}

/// What a thread has found in a round.
struct Found {
    portions: Vec<Portion>,
    /// Successors that the store did not have, each once.
    fresh: Fresh,
    /// Their labels.
    labels: Vec<Labels>,
    /// All successors, if they are wanted.
    edges: Vec<Edge>,
}

/// States that follow each other, expanded by one thread.
struct Portion {
    /// The first of them.
    first: usize,
    rows: Vec<Row>,
}

/// What came of the expansion of a state.
#[derive(Clone, Copy)]
struct Row {
    /// Successors.
    created: u64,
    /// Where those are that the store did not have and that this thread had not found before in the round.
    fresh: (usize, usize),
    edges: (usize, usize),
    /// The model has noted something.
    noted: bool,
}

/// What leads to a successor, and which one it is.
type Edge = (Choice, Target);

/// A successor.
#[derive(Clone, Copy)]
enum Target {
    /// The store had it.
    Known(StateId),
    /// It is one of those that the thread has found.
    Fresh(u32),
}

/// A state that was expanded.
pub(crate) struct Expanded<'a> {
    pub(crate) from: StateId,
    /// How many successors it has.
    pub(crate) created: u64,
    /// The model has noted something, and has to be asked again.
    pub(crate) noted: bool,
    row: Row,
    /// The thread that has done it.
    worker: usize,
    found: &'a Found,
}

/// Per thread: the numbers of what it has found in a round, as far as they are known.
#[derive(Default)]
pub(crate) struct Numbers(Vec<Vec<Option<StateId>>>);

impl Numbers {
    /// Another round begins.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }

    fn set(&mut self, worker: usize, index: usize, id: StateId) {
        if self.0.len() <= worker {
            self.0.resize(worker + 1, Vec::new());
        }
        let numbers = &mut self.0[worker];
        if numbers.len() <= index {
            numbers.resize(index + 1, None);
        }
        numbers[index] = Some(id);
    }

    fn get(&self, worker: usize, index: usize) -> Option<StateId> {
        self.0.get(worker)?.get(index).copied().flatten()
    }
}

impl Expanded<'_> {
    /// Tells the model how many successors the state has, if they are many: it has not made them itself.
    pub(crate) fn tell<M: KripkeStructure>(&self, model: &mut M, store: &StateStore, state: &mut Vec<u8>) {
        if self.created >= MANY {
            store.read(self.from, state);
            model.note_successors(state, self.created);
        }
    }

    /// Stores the successors that were not there when the round began. `visit` is told the index of each,
    /// its number, and its labels if it still was not there.
    pub(crate) fn store(
        &self,
        store: &mut StateStore,
        guard: &mut Guard,
        mut visit: impl FnMut(usize, StateId, Option<Labels>),
    ) -> Result<(), Stopped> {
        let fresh = self.row.fresh.0..self.row.fresh.1;
        if fresh.is_empty() {
            return Ok(());
        }
        store.prepare(self.from);
        for (number, index) in fresh.enumerate() {
            let stored = store.insert(self.found.fresh.state(index));
            let (id, is_new) = stored.map_err(|exhausted| guard.stopped(exhausted, store))?;
            visit(index, id, is_new.then(|| self.found.labels[index]));
            guard.step(store)?;
            if number % BATCH == BATCH - 1 {
                guard.room(store)?;
            }
        }
        Ok(())
    }

    /// Notes the number of a successor.
    pub(crate) fn number(&self, numbers: &mut Numbers, index: usize, id: StateId) {
        numbers.set(self.worker, index, id);
    }

    /// Its successors, all of which are stored by now, and what leads to each.
    pub(crate) fn edges<'s>(
        &'s self,
        store: &'s StateStore,
        numbers: &'s Numbers,
    ) -> impl Iterator<Item = (StateId, Choice)> + 's {
        let edges = &self.found.edges[self.row.edges.0..self.row.edges.1];
        edges.iter().filter_map(|&(choice, target)| {
            let id = match target {
                Target::Known(id) => Some(id),
                Target::Fresh(index) => numbers
                    .get(self.worker, index as usize)
                    .or_else(|| store.find(self.found.fresh.state(index as usize))),
            };
            id.map(|id| (id, choice))
        })
    }
}

impl<M: KripkeStructure> Workers<M> {
    /// As many threads as the limits say; none if that is one.
    pub(crate) fn new(wants_edges: bool, limits: &Limits) -> Option<Self> {
        (limits.helpers > 0).then(|| Workers {
            workers: Vec::new(),
            threads: Vec::new(),
            count: limits.helpers + 1,
            cost: Duration::from_micros(1),
            limits: Arc::new(limits.clone()),
            wants_edges,
            end: 0,
        })
    }

    /// How many of the states that wait are to be expanded in a round; none if they are too few.
    pub(crate) fn round(&self, waiting: usize) -> Option<usize> {
        let cost = self.cost.as_nanos().max(1) as usize;
        let least = LEAST.as_nanos() as usize / cost;
        let most = ROUND.as_nanos() as usize * self.count / cost;
        (self.count > 1 && waiting >= least.max(2)).then_some(waiting.min(most.max(2 * self.count)))
    }

    /// Notes what the expansion of states took, each by one thread.
    pub(crate) fn took(&mut self, time: Duration, states: usize) {
        let one = time / u32::try_from(states.max(1)).unwrap_or(u32::MAX);
        self.cost = (self.cost * 7 + one) / 8;
    }

    /// Whether every worker has a model that knows what it may. The model can be had once only where not.
    fn are_ready<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, model: &M, store: &StateStore) -> bool
    where
        M: 'scope,
    {
        while self.workers.len() < self.count {
            let Some(model) = model.fork() else { return false };
            self.workers.push(Box::new(Worker {
                model,
                is_ahead: false,
                seeker: store.seeker(),
                from: Vec::new(),
                found: Found::new(store.state_size()),
            }));
        }
        while self.threads.len() + 1 < self.count {
            self.threads.push(Thread::new(scope));
        }
        for worker in &mut self.workers {
            worker.found.clear();
            if worker.is_ahead {
                let Some(fork) = model.fork() else { return false };
                (worker.model, worker.is_ahead) = (fork, false);
            }
        }
        true
    }

    /// Expands states, maybe not all, or none ([`Workers::expanded`]). Nobody has the store behind it.
    ///
    /// # Panics
    /// When a thread has: a defect of the model or of the store.
    pub(crate) fn expand<'scope>(
        &mut self,
        scope: &'scope Scope<'scope, '_>,
        model: &M,
        store: &Arc<StateStore>,
        states: Range<usize>,
    ) where
        M: 'scope,
    {
        let started = Instant::now();
        self.end = states.start;
        if !self.are_ready(scope, model, store) {
            self.count = 1;
            return;
        }
        let notes: Vec<u64> = self.workers.iter().map(|worker| worker.model.noted()).collect();
        let count = self.count;
        let most_waiting = self.limits.memory.map_or(u64::MAX, |most| most / 16);
        let task = Arc::new(Task {
            store: Arc::clone(store),
            limits: Arc::clone(&self.limits),
            wants_edges: self.wants_edges,
            most_waiting: usize::try_from(most_waiting).map_or(MOST_WAITING, |most| most.min(MOST_WAITING)),
            next: AtomicUsize::new(states.start),
            waiting: AtomicUsize::new(0),
            states: states.clone(),
            size: (states.len() / (count * 8)).clamp(1, 512),
        });
        for (thread, worker) in self.threads.iter().zip(self.workers.drain(1..)) {
            let sent = thread.tasks.send((Arc::clone(&task), worker));
            assert!(sent.is_ok(), "a thread of the search has panicked");
        }
        self.workers[0].work(&task);
        drop(task);
        for thread in &self.threads {
            let worker = thread.done.recv();
            self.workers
                .push(worker.expect("a thread of the search has panicked"));
        }
        let expanded = self.without_gaps(states.clone());
        self.end = states.start + expanded;
        let spent = started.elapsed() * u32::try_from(count).unwrap_or(u32::MAX);
        self.took(spent, expanded);
        if expanded < states.len() {
            for (worker, before) in self.workers.iter_mut().zip(notes) {
                worker.is_ahead |= worker.model.noted() != before;
            }
        }
    }

    /// How many states were expanded from the first on.
    fn without_gaps(&self, states: Range<usize>) -> usize {
        let mut portions: Vec<(usize, usize)> = self
            .workers
            .iter()
            .flat_map(|worker| &worker.found.portions)
            .map(|portion| (portion.first, portion.rows.len()))
            .collect();
        portions.sort_unstable();
        let mut next = states.start;
        for (first, len) in portions {
            if first != next {
                break;
            }
            next += len;
        }
        next - states.start
    }

    /// The states that were expanded in this round, in order and without gaps.
    pub(crate) fn expanded(&self) -> impl Iterator<Item = Expanded<'_>> {
        let mut portions: Vec<(usize, &Portion, &Found)> = Vec::new();
        for (number, worker) in self.workers.iter().enumerate() {
            let found = &worker.found;
            let own = found.portions.iter().filter(|portion| portion.first < self.end);
            portions.extend(own.map(|portion| (number, portion, found)));
        }
        portions.sort_unstable_by_key(|(_, portion, _)| portion.first);
        portions.into_iter().flat_map(|(worker, portion, found)| {
            let rows = portion.rows.iter().enumerate();
            rows.map(move |(number, &row)| Expanded {
                from: StateId::new(portion.first + number),
                created: row.created,
                noted: row.noted,
                row,
                worker,
                found,
            })
        })
    }
}

/// A thread that works when it is sent a task and what it needs for that, which it sends back.
struct Thread<M> {
    tasks: Sender<(Arc<Task>, Box<Worker<M>>)>,
    done: Receiver<Box<Worker<M>>>,
}

impl<M: KripkeStructure> Thread<M> {
    fn new<'scope>(scope: &'scope Scope<'scope, '_>) -> Self
    where
        M: 'scope,
    {
        let (tasks, sent) = mpsc::channel::<(Arc<Task>, Box<Worker<M>>)>();
        let (finished, done) = mpsc::channel();
        scope.spawn(move || {
            for (task, mut worker) in sent {
                worker.work(&task);
                // The search may change the store as soon as it has the worker.
                drop(task);
                if finished.send(worker).is_err() {
                    break;
                }
            }
        });
        Thread { tasks, done }
    }
}

/// What the threads share in a round.
struct Task {
    store: Arc<StateStore>,
    limits: Arc<Limits>,
    wants_edges: bool,
    /// Bytes that may wait for being stored.
    most_waiting: usize,
    states: Range<usize>,
    /// States that a thread takes at once.
    size: usize,
    /// The next state that nobody has taken.
    next: AtomicUsize,
    /// Bytes that wait for being stored.
    waiting: AtomicUsize,
}

impl Task {
    fn take(&self) -> Option<Range<usize>> {
        if self.waiting.load(Ordering::Relaxed) > self.most_waiting {
            return None;
        }
        let first = self.next.fetch_add(self.size, Ordering::Relaxed);
        let end = (first + self.size).min(self.states.end);
        (first < end).then_some(first..end)
    }
}

impl Found {
    fn new(state_size: usize) -> Self {
        Found {
            portions: Vec::new(),
            fresh: Fresh::new(state_size),
            labels: Vec::new(),
            edges: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.portions.clear();
        self.fresh.clear();
        self.labels.clear();
        self.edges.clear();
    }
}

impl<M: KripkeStructure> Worker<M> {
    fn work(&mut self, task: &Task) {
        while let Some(states) = task.take() {
            let (before, whole) = (self.found.fresh.bytes(), states.len());
            let mut portion = Portion {
                first: states.start,
                rows: Vec::with_capacity(whole),
            };
            for state in states {
                let row = match task.limits.stopped() {
                    None => self.row(task, StateId::new(state)),
                    Some(_) => None,
                };
                let Some(row) = row else { break };
                portion.rows.push(row);
            }
            let is_whole = portion.rows.len() == whole;
            task.waiting
                .fetch_add(self.found.fresh.bytes() - before, Ordering::Relaxed);
            self.found.portions.push(portion);
            if !is_whole {
                break;
            }
        }
    }

    /// The expansion of a state; none if there was no time or memory for it.
    fn row(&mut self, task: &Task, from: StateId) -> Option<Row> {
        let before = self.model.noted();
        task.store.read_parent_of(&mut self.seeker, from, &mut self.from);
        let (seeker, fresh, edges) = (&mut self.seeker, &mut self.found.fresh, &mut self.found.edges);
        let (first, first_edge, first_byte) = (fresh.len(), edges.len(), fresh.bytes());
        let (mut created, mut is_cut) = (0, false);
        self.model.successors(&self.from, &mut |choice, state| {
            created += 1;
            let target = fresh.target(state, |state| task.store.seek(seeker, state));
            if task.wants_edges {
                edges.push((choice, target));
            }
            is_cut |= fresh.bytes() - first_byte > MOST_OF_ONE
                || created % LOOKS == 0 && task.limits.stopped().is_some();
            match is_cut {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if is_cut {
            return None;
        }
        for index in first..self.found.fresh.len() {
            let labels = self.model.labels(self.found.fresh.state(index));
            self.found.labels.push(labels);
        }
        Some(Row {
            created,
            fresh: (first, self.found.fresh.len()),
            edges: (first_edge, self.found.edges.len()),
            noted: self.model.noted() != before,
        })
    }
}

/// States that a thread has found in a round, each once.
struct Fresh {
    state_size: usize,
    states: Vec<u8>,
    count: usize,
    /// By hash: a part of the hash, and the number of a state plus one.
    index: Vec<(u32, u32)>,
}

impl Fresh {
    fn new(state_size: usize) -> Self {
        Fresh {
            state_size,
            states: Vec::new(),
            count: 0,
            index: vec![(0, 0); 1 << 10],
        }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.count = 0;
        self.index.fill((0, 0));
    }

    fn len(&self) -> usize {
        self.count
    }

    fn bytes(&self) -> usize {
        self.states.len()
    }

    fn state(&self, index: usize) -> &[u8] {
        &self.states[index * self.state_size..(index + 1) * self.state_size]
    }

    /// What a state is; `known` says whether the store has it.
    #[inline]
    fn target(&mut self, state: &[u8], known: impl FnOnce(&[u8]) -> Option<StateId>) -> Target {
        let hash = hash_bytes(state);
        let mask = self.index.len() - 1;
        let tag = hash as u32;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            match self.index[at] {
                (_, 0) => break,
                (found, number) if found == tag && self.state(number as usize - 1) == state => {
                    return Target::Fresh(number - 1);
                }
                _ => at = (at + 1) & mask,
            }
        }
        if let Some(id) = known(state) {
            return Target::Known(id);
        }
        self.states.extend_from_slice(state);
        self.count += 1;
        self.index[at] = (tag, self.count as u32);
        if 2 * self.count > self.index.len() {
            self.grow();
        }
        Target::Fresh(self.count as u32 - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let size = 2 * self.index.len();
        self.index.clear();
        self.index.resize(size, (0, 0));
        for number in 0..self.count {
            let hash = hash_bytes(self.state(number));
            let mut at = (hash >> 32) as usize & (size - 1);
            while self.index[at].1 != 0 {
                at = (at + 1) & (size - 1);
            }
            self.index[at] = (hash as u32, number as u32 + 1);
        }
    }
}
