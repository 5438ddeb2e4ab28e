//! Search for errors with the hashes of states only.
//!
//! Idea: of a state that was seen, 56 bits of its hash are kept, and the state itself only until it is
//! expanded. Two states with the same bits are taken for one, so some may be left out with all that follows
//! them: what is found is an error, and where nothing is found that is no proof. Beside the hash there is a
//! byte for each state that says which successor of its parent it is, so that a run is made again from an
//! initial state on; it does not rest on hashes.
//!
//! Hashes are in buckets of linear hashing ([`crate::state_index`]). The lower bits are those of the first
//! buckets, so the six bytes of an entry have all that splits need.
//!
//! Invariant: a search that ends says so by [`Reason::Probable`].
//!
//! Source: Wolper and Leroy, "Reliable hashing without collision detection", CAV 1993; Stern and Dill,
//! "Improved probabilistic verification by hash compaction", 1995.

use std::collections::HashMap;
use std::ops::ControlFlow;

use kripke_limits::{Account, Exhausted, Limits};
use kripke_model::{Choice, KripkeStructure, Labels, Reason};

use crate::invariant::{Exploration, Path, Survey};
use crate::limits::{Counted, Guard, Stopped};
use crate::parents::Parents;
use crate::pieces::Pieces;
use crate::state_store::{StateId, hash_bytes};

/// Buckets at the beginning, as a power of two.
const FIRST_LEVEL: u32 = 8;
/// Elements for each bucket, on average.
const LOAD: usize = 40;
/// Elements by which a bucket grows.
const GROWTH: usize = 4;

/// The part of a hash that a bucket holds.
type Part = [u8; 6];

fn part(hash: u64) -> Part {
    let [part @ .., _, _] = (hash >> FIRST_LEVEL).to_le_bytes();
    part
}

fn bits_of(part: Part) -> u64 {
    let mut bytes = [0; 8];
    bytes[..6].copy_from_slice(&part);
    u64::from_le_bytes(bytes) << FIRST_LEVEL
}

/// The hashes that were seen.
struct Hashes {
    buckets: Vec<Vec<Part>>,
    level: u32,
    len: usize,
    account: Account,
}

impl Hashes {
    fn new(account: &Account) -> Self {
        Hashes {
            buckets: vec![Vec::new(); 1 << FIRST_LEVEL],
            level: FIRST_LEVEL,
            len: 0,
            account: account.clone(),
        }
    }

    /// Whether a hash is new; then it is there from now on.
    fn insert(&mut self, hash: u64) -> Result<bool, Exhausted> {
        let below = |bits: u32| (hash & ((1 << bits) - 1)) as usize;
        let place = match below(self.level + 1) {
            place if place < self.buckets.len() => place,
            _ => below(self.level),
        };
        let (part, account) = (part(hash), &self.account);
        let bucket = &mut self.buckets[place];
        if bucket.contains(&part) {
            return Ok(false);
        }
        push(account, bucket, part)?;
        self.len += 1;
        if self.len > self.buckets.len() * LOAD {
            self.split()?;
        }
        Ok(true)
    }

    fn split(&mut self) -> Result<(), Exhausted> {
        let from = self.buckets.len() - (1 << self.level);
        let (mut stay, mut leave) = (Vec::new(), Vec::new());
        for &part in &self.buckets[from] {
            let to = match bits_of(part) >> self.level & 1 {
                0 => &mut stay,
                _ => &mut leave,
            };
            push(&self.account, to, part)?;
        }
        self.buckets[from] = stay;
        self.account.push(&mut self.buckets, leave)?;
        if self.buckets.len() == 2 << self.level {
            self.level += 1;
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        let parts = self
            .buckets
            .iter()
            .map(|bucket| bucket.capacity() * size_of::<Part>());
        parts.sum::<usize>() + self.buckets.capacity() * size_of::<Vec<Part>>()
    }
}

/// Appends to a bucket, which has little room to spare.
fn push(account: &Account, bucket: &mut Vec<Part>, part: Part) -> Result<(), Exhausted> {
    if bucket.len() == bucket.capacity() {
        account.charge((bucket.len() + GROWTH) * size_of::<Part>())?;
        bucket.try_reserve_exact(GROWTH).map_err(|_| Exhausted::Memory)?;
    }
    bucket.push(part);
    Ok(())
}

/// What was seen, and what is still to be expanded.
struct Seen {
    hashes: Hashes,
    /// Which successor of its parent each state is; the rest of larger numbers.
    ordinals: Pieces<u8>,
    large: HashMap<usize, u32>,
    /// The states of this level and of the next, one behind the other.
    level: Vec<u8>,
    next: Vec<u8>,
}

impl Counted for Seen {
    fn count(&self) -> usize {
        self.ordinals.len()
    }
}

impl Seen {
    fn offer(&mut self, ordinal: u32, state: &[u8]) -> Result<bool, Exhausted> {
        if !self.hashes.insert(hash_bytes(state))? {
            return Ok(false);
        }
        let account = &self.hashes.account;
        account.reserve(&mut self.next, state.len())?;
        self.next.extend_from_slice(state);
        let byte = u8::try_from(ordinal).unwrap_or(u8::MAX);
        if byte == u8::MAX {
            account.charge(16)?;
            self.large.insert(self.ordinals.len(), ordinal);
        }
        self.ordinals.push(byte)?;
        Ok(true)
    }

    fn ordinal(&self, number: usize) -> u32 {
        match self.ordinals.at(number) {
            u8::MAX => self.large[&number],
            ordinal => u32::from(ordinal),
        }
    }
}

struct Search {
    seen: Seen,
    parents: Parents,
    guard: Guard,
    all: u64,
    found: u64,
    runs: Vec<Option<Path>>,
}

/// Looks for states in which invariants fail, breadth-first, like [`crate::survey_invariants`].
pub(crate) fn survey<M: KripkeStructure>(
    model: &mut M,
    count: usize,
    failing: impl Fn(Labels) -> u64,
    limits: &Limits,
) -> Survey {
    let guard = Guard::new(limits);
    let account = guard.account();
    let mut search = Search {
        seen: Seen {
            hashes: Hashes::new(account),
            ordinals: Pieces::new(account),
            large: HashMap::new(),
            level: Vec::new(),
            next: Vec::new(),
        },
        parents: Parents::in_order(account),
        guard,
        all: if count < 64 { (1 << count) - 1 } else { u64::MAX },
        found: 0,
        runs: vec![None; count.min(64)],
    };
    let states = |search: &Search| search.seen.count();
    let stopped = match search.run(model, count, failing) {
        Ok(()) if count > 0 && search.found == search.all => None,
        Ok(()) => Some(Stopped {
            reason: Reason::Probable {
                states: states(&search) as u64,
            },
            states: states(&search),
            sample: Vec::new().into(),
        }),
        Err(stopped) => Some(stopped),
    };
    let stored = states(&search) as u64;
    search.guard.ended(stored);
    let memory = search.seen.hashes.memory() + search.seen.ordinals.memory() + search.parents.memory();
    let frontier = search.seen.level.capacity() + search.seen.next.capacity();
    Survey {
        exploration: Exploration {
            stored,
            created: search.guard.created,
            memory: (memory + frontier) as u64,
        },
        stopped,
        depth: search.guard.depth.saturating_sub(1),
        counterexamples: search.runs,
    }
}

impl Search {
    fn stopped(&self, exhausted: Exhausted) -> Stopped {
        self.guard.stopped(exhausted, &self.seen)
    }

    fn run<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        count: usize,
        failing: impl Fn(Labels) -> u64,
    ) -> Result<(), Stopped> {
        self.offer_all(|offer| model.initial_states(&mut |state| offer(state)))?;
        self.guard.look_now(&self.seen)?;
        let added = self.parents.add_initial(self.seen.count());
        added.map_err(|exhausted| self.stopped(exhausted))?;
        self.judge(model, 0, &failing)?;
        let (size, mut expanded) = (model.state_size(), 0);
        let is_decided = |search: &Search| count > 0 && search.found == search.all;
        // The states of a level are the last that were seen; a state may have no bytes.
        while expanded < self.seen.count() && !is_decided(self) {
            self.guard.depth += 1;
            self.seen.level = std::mem::take(&mut self.seen.next);
            let level = std::mem::take(&mut self.seen.level);
            for at in 0..self.seen.count() - expanded {
                self.guard.expansion(&self.seen)?;
                let (first, state) = (self.seen.next.len(), &level[at * size..][..size]);
                self.offer_all(|offer| model.successors(state, &mut |_, state| offer(state)))?;
                let added = self.parents.add(StateId::new(expanded), self.seen.count());
                added.map_err(|exhausted| self.stopped(exhausted))?;
                expanded += 1;
                self.judge(model, first, &failing)?;
                if is_decided(self) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes what a model hands out.
    fn offer_all(
        &mut self,
        hand_out: impl FnOnce(&mut dyn FnMut(&[u8]) -> ControlFlow<()>),
    ) -> Result<(), Stopped> {
        let (seen, guard) = (&mut self.seen, &mut self.guard);
        let (mut ordinal, mut result) = (0, Ok(()));
        hand_out(&mut |state| {
            guard.created += 1;
            result = guard.step(seen).and_then(|()| {
                let offered = seen.offer(ordinal, state);
                offered.map_err(|exhausted| guard.stopped(exhausted, seen))?;
                Ok(())
            });
            ordinal += 1;
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result
    }

    /// Looks at the labels of the states that came last, from some place of the next level on.
    fn judge<M: KripkeStructure>(
        &mut self,
        model: &mut M,
        first: usize,
        failing: impl Fn(Labels) -> u64,
    ) -> Result<(), Stopped> {
        let size = model.state_size().max(1);
        let new = (self.seen.next.len() - first) / size;
        for at in 0..new {
            let state = &self.seen.next[first + at * size..][..size];
            let mut fails = failing(model.labels(state)) & self.all & !self.found;
            if fails == 0 {
                continue;
            }
            let number = self.seen.count() - new + at;
            self.guard.interrupted(&self.seen)?;
            let path = self.path_to(model, StateId::new(number));
            self.found |= fails;
            while fails != 0 {
                self.runs[fails.trailing_zeros() as usize] = Some(path.clone());
                fails &= fails - 1;
            }
            if self.found == self.all {
                break;
            }
        }
        Ok(())
    }

    /// The run to a state, made again.
    fn path_to<M: KripkeStructure>(&self, model: &mut M, last: StateId) -> Path {
        let numbers = std::iter::successors(Some(last), |&state| self.parents.of(state));
        let mut ordinals: Vec<u32> = numbers.map(|id| self.seen.ordinal(id.index())).collect();
        let mut state: Box<[u8]> = Box::default();
        let first = ordinals.pop().unwrap_or(0);
        let mut left = first;
        model.initial_states(&mut |initial| {
            if left == 0 {
                state = initial.into();
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        let mut path = Path {
            states: vec![state],
            choices: Vec::new(),
        };
        for &ordinal in ordinals.iter().rev() {
            let from = &path.states[path.states.len() - 1];
            let (choice, state) = nth_successor(model, from, ordinal);
            path.choices.push(choice);
            path.states.push(state);
        }
        path
    }
}

/// The successor with a number.
///
/// # Panics
/// When the model no longer has it: a defect of the model.
fn nth_successor<M: KripkeStructure>(model: &mut M, from: &[u8], ordinal: u32) -> (Choice, Box<[u8]>) {
    let (mut left, mut found) = (ordinal, None);
    model.successors(from, &mut |choice, state| {
        if left == 0 {
            found = Some((choice, Box::from(state)));
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    found.expect("a state has the successors that it had before")
}
