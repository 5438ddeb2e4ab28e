//! Invariants (`AG p`) by plain search.
//!
//! Breadth-first order finds a shortest counterexample and needs no queue beside the state store;
//! depth-first order often meets a deep error sooner. Both store each state once with the
//! state and the choice that first led to it, which is the counterexample's path.

use kripke_model::{Choice, KripkeStructure, Labels};

use crate::limits::{Limits, Stopped, Watch};
use crate::state_store::{StateId, StateStore};
use crate::successors::Successors;

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
    /// Per state: the state it was first reached from, and by which choice.
    parents: Vec<(u32, Choice)>,
    created: u64,
}

impl Search {
    fn path_to(&self, last: StateId) -> Path {
        let mut path = Path::default();
        let mut at = last;
        loop {
            path.states.push(self.store.state(at).into());
            let (parent, choice) = self.parents[at.index()];
            if parent == NO_PARENT {
                break;
            }
            path.choices.push(choice);
            at = StateId::new(parent as usize);
        }
        path.states.reverse();
        path.choices.reverse();
        path
    }

    fn exploration(&self) -> Exploration {
        Exploration {
            stored: self.store.len() as u64,
            created: self.created,
            memory: self.memory() as u64,
        }
    }

    fn memory(&self) -> usize {
        self.store.memory() + self.parents.capacity() * size_of::<(u32, Choice)>()
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

/// Checks several invariants at once, breadth-first: `failing` gives the set of those (bit by bit) that fail under some labels.
/// The search goes on until all states are seen or all `count` invariants have failed; each has a shortest counterexample.
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
    let mut search = Search {
        store: StateStore::new(model.state_size()),
        parents: Vec::new(),
        created: 0,
    };
    model.initial_states(&mut |state| {
        search.created += 1;
        if search.store.insert(state).1 {
            search.parents.push((NO_PARENT, 0));
        }
    });
    let mut watch = Watch::new(limits);
    let mut first: Vec<Option<StateId>> = vec![None; count.min(64)];
    let all = if count < 64 { (1 << count) - 1 } else { u64::MAX };
    let (mut found, mut judged, mut expanded) = (0, 0, 0);
    // In depth-first order, the states that are still to be expanded, the next one last.
    let mut open: Vec<StateId> = Vec::new();
    let mut successors = Successors::default();
    let mut stopped = None;
    loop {
        let fresh = judged..search.store.len();
        for id in fresh.clone().map(StateId::new) {
            let mut new = failing(model.labels(search.store.state(id))) & all & !found;
            found |= new;
            while new != 0 {
                first[new.trailing_zeros() as usize] = Some(id);
                new &= new - 1;
            }
        }
        judged = fresh.end;
        if count > 0 && found == all {
            break;
        }
        let from = match order {
            Order::BreadthFirst => (expanded < search.store.len()).then(|| StateId::new(expanded)),
            Order::DepthFirst => {
                open.extend(fresh.rev().map(StateId::new));
                open.pop()
            }
        };
        let Some(from) = from else { break };
        if let Err(reason) = watch.check(search.store.len(), search.memory()) {
            stopped = Some(reason);
            break;
        }
        expanded += 1;
        successors.store(model, &mut search.store, from);
        search.created += successors.ids().len() as u64;
        for (id, &choice) in successors.ids().iter().zip(successors.choices()) {
            // New states are numbered in the order of their first appearance.
            if id.index() == search.parents.len() {
                search.parents.push((from.index() as u32, choice));
            }
        }
    }
    let last = search.store.len().checked_sub(1).map(StateId::new);
    Survey {
        depth: last.map_or(0, |last| search.path_to(last).choices.len() as u64),
        counterexamples: first
            .into_iter()
            .map(|id| id.map(|id| search.path_to(id)))
            .collect(),
        exploration: search.exploration(),
        stopped,
    }
}
