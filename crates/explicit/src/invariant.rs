//! Invariants (`AG p`) by plain search.
//!
//! Breadth-first order finds a shortest counterexample and needs no queue beside the state store;
//! depth-first order often meets a deep error sooner. Both store each state once with the
//! state and the choice that first led to it, which is the counterexample's path.

use kripke_limits::{Exhausted, Limits};
use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Guard, Stopped};
use crate::pieces::Pieces;
use crate::state_store::{StateId, StateStore};
use crate::successors::{Successors, store_initial};

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

const NO_PARENT: u32 = u32::MAX;

struct Search {
    store: StateStore,
    guard: Guard,
    /// Per state: the state it was first reached from, and by which choice.
    parents: Pieces<(u32, Choice)>,
    /// The invariants that have failed, and per invariant the first state in which it failed.
    found: u64,
    first: Vec<Option<StateId>>,
    /// States whose labels have been looked at.
    judged: usize,
}

impl Search {
    fn new(state_size: usize, count: usize, limits: &Limits) -> Self {
        let guard = Guard::new(limits);
        Search {
            store: StateStore::new(state_size, guard.account()),
            parents: Pieces::new(guard.account()),
            guard,
            found: 0,
            first: vec![None; count.min(64)],
            judged: 0,
        }
    }

    /// The run to a state. It can be as long as there are states, so its memory is counted, too.
    fn path_to(&self, last: StateId) -> Result<Path, Exhausted> {
        let account = self.guard.account();
        let mut path = Path::default();
        let mut at = last;
        loop {
            account.charge(self.store.state_size())?;
            account.push(&mut path.states, self.store.state(at).into())?;
            let (parent, choice) = self.parents.at(at.index());
            if parent == NO_PARENT {
                break;
            }
            account.push(&mut path.choices, choice)?;
            at = StateId::new(parent as usize);
        }
        path.states.reverse();
        path.choices.reverse();
        Ok(path)
    }

    /// Steps from an initial state to this one, by the way it was found.
    fn distance(&self, mut state: usize) -> u64 {
        let mut steps = 0;
        loop {
            match self.parents.get(state) {
                Some((parent, _)) if parent != NO_PARENT => state = parent as usize,
                _ => return steps,
            }
            steps += 1;
        }
    }

    fn exploration(&self) -> Exploration {
        Exploration {
            stored: self.store.len() as u64,
            created: self.guard.created,
            memory: (self.store.memory() + self.parents.memory()) as u64,
        }
    }

    fn store_initial<M: KripkeStructure>(&mut self, model: &mut M) -> Result<(), Stopped> {
        let stored = store_initial(model, &mut self.store, &mut self.guard);
        let grown = self.parents.grow(self.store.len(), (NO_PARENT, 0));
        stored.and(grown.map_err(|exhausted| self.guard.stopped(exhausted, &self.store)))
    }

    /// Finds the successors of a state. Those that were found have parents, even where not all were.
    fn expand<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        successors: &mut Successors,
        from: StateId,
    ) -> Result<(), Stopped> {
        self.guard.expansion(&self.store)?;
        let stored = successors.store(model, &mut self.store, from, &mut self.guard);
        for (id, &choice) in successors.ids().iter().zip(successors.choices()) {
            // New states are numbered in the order of their first appearance.
            if id.index() == self.parents.len()
                && let Err(exhausted) = self.parents.push((from.index() as u32, choice))
            {
                return Err(self.guard.stopped(exhausted, &self.store));
            }
        }
        stored
    }

    /// Looks at the labels of new states that have parents.
    fn judge<M: KripkeStructure>(&mut self, model: &mut M, all: u64, failing: impl Fn(Labels) -> u64) {
        while self.judged < self.parents.len() && self.found != all {
            let id = StateId::new(self.judged);
            let mut new = failing(model.labels(self.store.state(id))) & all & !self.found;
            self.found |= new;
            while new != 0 {
                self.first[new.trailing_zeros() as usize] = Some(id);
                new &= new - 1;
            }
            self.judged += 1;
        }
    }

    /// What was found.
    fn survey(self, mut stopped: Option<Stopped>) -> Survey {
        let paths = self.first.iter().map(|&id| match id.map(|id| self.path_to(id)) {
            Some(Ok(path)) => Some(path),
            Some(Err(exhausted)) => {
                stopped.get_or_insert(self.guard.stopped(exhausted, &self.store));
                None
            }
            None => None,
        });
        Survey {
            counterexamples: paths.collect(),
            exploration: self.exploration(),
            stopped,
            depth: self.distance(self.parents.len().saturating_sub(1)),
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

fn search<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    order: Order,
    limits: &Limits,
) -> Survey {
    let mut search = Search::new(model.state_size(), count, limits);
    let all = if count < 64 { (1 << count) - 1 } else { u64::MAX };
    let mut stopped = search.store_initial(model).err();
    let (mut expanded, mut level_end) = (0, 0);
    // In depth-first order, the states that are still to be expanded, the next one last.
    let mut open: Vec<StateId> = Vec::new();
    let mut successors = Successors::default();
    loop {
        let fresh = search.judged;
        search.judge(model, all, &failing);
        if stopped.is_some() || count > 0 && search.found == all {
            break;
        }
        let from = match order {
            Order::BreadthFirst => {
                if expanded == level_end {
                    level_end = search.store.len();
                    search.guard.depth += 1;
                }
                search.guard.open = (search.store.len() - expanded) as u64;
                (expanded < search.store.len()).then(|| StateId::new(expanded))
            }
            Order::DepthFirst => {
                let more = search.judged - fresh;
                if let Err(exhausted) = search.guard.account().reserve(&mut open, more) {
                    stopped = Some(search.guard.stopped(exhausted, &search.store));
                    continue;
                }
                open.extend((fresh..search.judged).rev().map(StateId::new));
                search.guard.open = open.len() as u64;
                open.pop()
            }
        };
        let Some(from) = from else { break };
        expanded += 1;
        stopped = search.expand(model, &mut successors, from).err();
    }
    search.survey(stopped)
}
