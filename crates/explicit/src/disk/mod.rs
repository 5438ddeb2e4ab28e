//! Search for invariants with the states on disk.
//!
//! Idea: the file of states is the queue, as the store in memory is. States are expanded until as many
//! successors have come as there is memory for, or until there is none left to expand; then those that are
//! new get their numbers, and their labels are looked at. The order is that of the search in memory, so
//! states, counts and counterexamples are the same; where all invariants have failed, what was expanded
//! beyond the state that decided it is forgotten again.
//!
//! Invariant: a state is expanded once, in the order of numbers.

mod filter;
mod sorted_runs;
mod spill;
mod states;

use std::ops::ControlFlow;
use std::path::Path as FilePath;

use kripke_limits::{Exhausted, Limits};
use kripke_model::{KripkeStructure, Labels};

use self::states::DiskStates;
use crate::invariant::{Exploration, Path, Survey};
use crate::limits::{Guard, Stopped};

/// Bytes of memory that a search takes where nothing limits it.
const USUAL: u64 = 2 << 30;

/// A part of what memory there is.
fn share(limits: &Limits) -> usize {
    let free = limits
        .memory
        .map(|limit| limit.saturating_sub(kripke_limits::resident().unwrap_or(0)));
    (free.map_or(USUAL, |free| free.min(64 << 30)) / 2) as usize
}

struct Search {
    states: DiskStates,
    guard: Guard,
    all: u64,
    found: u64,
    runs: Vec<Option<Path>>,
    judged: u64,
    expanded: u64,
    /// How many successors had come when a state was expanded, from this one on.
    created: Vec<u64>,
    first_created: u64,
    current: Vec<u8>,
}

/// Where the search is decided: states and successors until then.
struct Decided {
    stored: u64,
    created: u64,
}

/// Checks several invariants at once, breadth-first, like [`crate::survey_invariants`].
pub(crate) fn survey<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    directory: Option<&FilePath>,
    limits: &Limits,
) -> Survey {
    let guard = Guard::new(limits);
    let temporary = match directory {
        Some(directory) => tempfile::Builder::new().prefix("kripke-").tempdir_in(directory),
        None => tempfile::Builder::new().prefix("kripke-").tempdir(),
    };
    let states = temporary
        .map_err(|error| Exhausted::Disk(error.kind()))
        .and_then(|directory| DiskStates::new(model.state_size(), directory, share(limits), guard.account()));
    let states = match states {
        Ok(states) => states,
        Err(exhausted) => {
            return Survey {
                counterexamples: vec![None; count.min(64)],
                stopped: Some(Stopped {
                    reason: exhausted.into(),
                    states: 0,
                    sample: Vec::new().into(),
                }),
                ..Survey::default()
            };
        }
    };
    let mut search = Search {
        states,
        guard,
        all: if count < 64 { (1 << count) - 1 } else { u64::MAX },
        found: 0,
        runs: vec![None; count.min(64)],
        judged: 0,
        expanded: 0,
        created: Vec::new(),
        first_created: 0,
        current: Vec::new(),
    };
    let decided = search.run(model, count, failing);
    search.survey(decided)
}

impl Search {
    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.guard.stopped(exhausted, &self.states)
    }

    /// Searches until all is seen or decided.
    fn run<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        count: usize,
        failing: impl Fn(Labels) -> u64,
    ) -> Result<Option<Decided>, Stopped> {
        self.offer_initial(model)?;
        let mut level_end = 0;
        loop {
            self.states
                .settle()
                .map_err(|exhausted| self.stopped(exhausted))?;
            if let Some(decided) = self.judge(model, &failing)?
                && count > 0
            {
                return Ok(Some(decided));
            }
            let stored = self.guard_count();
            if self.expanded == stored {
                return Ok(None);
            }
            self.created.clear();
            self.first_created = self.expanded;
            while self.expanded < stored && !self.states.is_full() {
                if self.expanded >= level_end {
                    level_end = stored;
                    self.guard.depth += 1;
                }
                self.expand(model)?;
            }
        }
    }

    fn guard_count(&self) -> u64 {
        use crate::limits::Counted as _;
        self.states.count() as u64
    }

    fn offer_initial<M: KripkeStructure>(&mut self, model: &mut M) -> Result<(), Stopped> {
        let (states, guard) = (&mut self.states, &mut self.guard);
        let mut result = Ok(());
        model.initial_states(&mut |state| {
            guard.created += 1;
            result = guard.step(states).and_then(|()| {
                let offered = states.offer(state, None);
                offered.map_err(|exhausted| guard.stopped(exhausted, states))
            });
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        // A model may have worked for long to find them, or have given up.
        result.and_then(|()| guard.look_now(states))
    }

    fn expand<M: KripkeStructure>(&mut self, model: &mut M) -> Result<(), Stopped> {
        self.guard.expansion(&self.states)?;
        let from = self.expanded;
        let read = self.states.read(from, &mut self.current);
        read.map_err(|exhausted| self.stopped(exhausted))?;
        let (states, guard) = (&mut self.states, &mut self.guard);
        let mut result = Ok(());
        model.successors(&self.current, &mut |_, state| {
            guard.created += 1;
            result = guard.step(states).and_then(|()| {
                let offered = states.offer(state, Some(from));
                offered.map_err(|exhausted| guard.stopped(exhausted, states))
            });
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result?;
        self.expanded += 1;
        let noted = self.guard.account().push(&mut self.created, self.guard.created);
        noted.map_err(|exhausted| self.stopped(exhausted))
    }

    /// Looks at the labels of new states; where that decides everything, what a search in memory would have
    /// stored and created by then.
    fn judge<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        failing: impl Fn(Labels) -> u64,
    ) -> Result<Option<Decided>, Stopped> {
        let stored = self.guard_count();
        while self.judged < stored {
            let at = self.judged;
            self.judged += 1;
            let read = self.states.read(at, &mut self.current);
            let parent = read.map_err(|exhausted| self.stopped(exhausted))?;
            let mut new = failing(model.labels(&self.current)) & self.all & !self.found;
            if new == 0 {
                continue;
            }
            let path = self.path_to(model, at)?;
            self.found |= new;
            while new != 0 {
                self.runs[new.trailing_zeros() as usize] = Some(path.clone());
                new &= new - 1;
            }
            if self.found == self.all {
                return self.decided(at, parent).map(Some);
            }
        }
        Ok(None)
    }

    /// The search in memory ends behind the expansion that brought the state.
    fn decided(&mut self, at: u64, parent: Option<u64>) -> Result<Decided, Stopped> {
        let mut stored = at + 1;
        while stored < self.guard_count() {
            let read = self.states.read(stored, &mut self.current);
            if read.map_err(|exhausted| self.stopped(exhausted))? != parent {
                break;
            }
            stored += 1;
        }
        let created = match parent {
            Some(parent) => self.created[(parent - self.first_created) as usize],
            None => self.guard.created,
        };
        Ok(Decided { stored, created })
    }

    fn path_to<M: KripkeStructure>(&mut self, model: &mut M, last: u64) -> Result<Path, Stopped> {
        let (mut states, mut at) = (Vec::new(), Some(last));
        let mut state = Vec::new();
        while let Some(number) = at {
            let next = self.states.read(number, &mut state);
            let account = self.guard.account();
            let pushed = account
                .charge(state.len())
                .and_then(|()| account.push(&mut states, Box::from(&*state)));
            at = next
                .and_then(|parent| pushed.map(|()| parent))
                .map_err(|exhausted| self.stopped(exhausted))?;
        }
        states.reverse();
        self.guard.interrupted(&self.states)?;
        Ok(Path::through(model, states))
    }

    fn survey(mut self, decided: Result<Option<Decided>, Stopped>) -> Survey {
        let (stored, created) = match &decided {
            Ok(Some(decided)) => (decided.stored, decided.created),
            _ => (self.guard_count(), self.guard.created),
        };
        self.guard.ended(stored);
        let mut depth = 0;
        let mut at = stored.checked_sub(1);
        while let Some(number) = at {
            // A file that cannot be read is no reason to lose what was found.
            at = self.states.read(number, &mut self.current).unwrap_or(None);
            depth += u64::from(at.is_some());
        }
        Survey {
            counterexamples: self.runs,
            exploration: Exploration {
                stored,
                created,
                memory: self.states.memory() as u64,
            },
            stopped: decided.err(),
            depth,
        }
    }
}
