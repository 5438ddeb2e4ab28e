//! How a search keeps to its limits, and what it says when it stops early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kripke_limits::{Account, Exhausted, Limits, Reading, Watch};
use kripke_model::Reason;

use crate::state_index::MOST_NUMBERS;
use crate::state_store::StateStore;

/// What holds states.
pub(crate) trait Counted {
    /// How many there are.
    fn count(&self) -> usize;

    /// Some of them, where they can be had at little cost.
    fn sample(&self, _most: usize) -> Vec<Box<[u8]>> {
        Vec::new()
    }
}

impl Counted for StateStore {
    fn count(&self) -> usize {
        self.len()
    }

    fn sample(&self, most: usize) -> Vec<Box<[u8]>> {
        StateStore::sample(self, most)
    }
}

impl<C: Counted> Counted for Arc<C> {
    fn count(&self) -> usize {
        C::count(self)
    }

    fn sample(&self, most: usize) -> Vec<Box<[u8]>> {
        C::sample(self, most)
    }
}

/// A search that was stopped before it had an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub reason: Reason,
    /// States stored until then.
    pub states: usize,
    /// Some of them, evenly spread in the order of their discovery.
    pub sample: Arc<[Box<[u8]>]>,
}

/// States in the sample of a search that was stopped, at the most.
const MOST_SAMPLED: usize = 4096;

/// What a search asks before each step, and where it counts.
pub(crate) struct Guard {
    watch: Watch,
    most_states: usize,
    /// Successors that the model has handed out.
    pub(crate) created: u64,
    /// Steps from an initial state to where the search is.
    pub(crate) depth: u64,
    /// States that are still to be expanded.
    pub(crate) open: u64,
    /// The gauge knows that the search has ended.
    is_told: AtomicBool,
}

impl Guard {
    pub(crate) fn new(limits: &Limits) -> Self {
        Guard {
            most_states: limits.states.unwrap_or(usize::MAX).min(MOST_NUMBERS as usize),
            watch: Watch::new(limits),
            created: 0,
            depth: 0,
            open: 0,
            is_told: AtomicBool::new(false),
        }
    }

    /// The search has ended with so many states; said again, it changes nothing.
    pub(crate) fn ended(&self, stored: u64) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            self.watch.limits().gauge.add(stored, self.created);
        }
    }

    /// Where memory is counted.
    pub(crate) fn account(&self) -> &Account {
        self.watch.account()
    }

    /// One step of bounded cost.
    #[inline]
    pub(crate) fn step(&mut self, store: &impl Counted) -> Result<(), Stopped> {
        match self.watch.step() {
            Ok(false) => Ok(()),
            Ok(true) => {
                self.show(store);
                Ok(())
            }
            Err(exhausted) => Err(self.stopped(exhausted, store)),
        }
    }

    /// The step to another state.
    #[inline]
    pub(crate) fn expansion(&mut self, store: &impl Counted) -> Result<(), Stopped> {
        self.room(store)?;
        self.step(store)
    }

    /// Whether there may be as many states as there are.
    pub(crate) fn room(&self, store: &impl Counted) -> Result<(), Stopped> {
        if store.count() > self.most_states {
            return Err(self.stopped(Exhausted::States(self.most_states as u64), store));
        }
        Ok(())
    }

    /// Looks at all limits at once: after what took no steps of its own.
    pub(crate) fn look_now(&mut self, store: &impl Counted) -> Result<(), Stopped> {
        self.watch
            .look_now()
            .map_err(|exhausted| self.stopped(exhausted, store))
    }

    /// Ends the search if it was asked to end.
    pub(crate) fn interrupted(&self, store: &impl Counted) -> Result<(), Stopped> {
        match self.watch.limits().interrupt.load(Ordering::Relaxed) {
            true => Err(self.stopped(Exhausted::Interrupted, store)),
            false => Ok(()),
        }
    }

    /// A search that is exhausted.
    pub(crate) fn stopped(&self, exhausted: Exhausted, store: &impl Counted) -> Stopped {
        self.ended(store.count() as u64);
        Stopped {
            reason: exhausted.into(),
            states: store.count(),
            sample: store.sample(MOST_SAMPLED).into(),
        }
    }

    #[cold]
    fn show(&self, store: &impl Counted) {
        self.watch.limits().gauge.show(Reading {
            stored: store.count() as u64,
            created: self.created,
            depth: self.depth,
            open: self.open,
        });
    }
}

/// A search whose numbers have no more room.
pub(crate) fn too_many(what: &str, store: &impl Counted) -> Stopped {
    Stopped {
        reason: Reason::Unsupported {
            what: format!("there are too many {what} to be numbered"),
            place: String::new(),
        },
        states: store.count(),
        sample: store.sample(MOST_SAMPLED).into(),
    }
}
