//! From reset to the place where properties begin.
//!
//! Idea: properties speak of C variables, which have their values only when the start-up code has set them.
//! So the initial states of an exploration may be those in which an instruction (the first of `main`) is
//! reached for the first time; how they are reached is remembered for counterexamples. Faults are looked for
//! from reset on, in an exploration of their own.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use kripke_limits::Watch;
use kripke_model::{Choice, KripkeStructure as _, Visit};

use crate::footprint::Cell;
use crate::micro::Micro;

/// A state before the beginning, and the choice that leads on from it.
type Before = (Box<[u8]>, Choice);

/// The states from reset on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prefix {
    /// Where properties begin, as a word address; none for reset.
    pub(crate) start: Option<u32>,
    /// Whether states before the beginning are being computed: atoms do not matter there.
    pub(crate) under_way: bool,
    /// Memory that atoms name and that is not written before the beginning; none if that is not known.
    pub(crate) unwritten: Option<Vec<Cell>>,
    before: HashMap<Box<[u8]>, Option<Before>>,
}

/// States between reset and the beginning, at the most.
const MOST_STATES: usize = 1 << 20;

impl Prefix {
    /// The same beginning, without the runs to it.
    pub(crate) fn without_states(&self) -> Self {
        Self {
            before: HashMap::new(),
            start: self.start,
            unwritten: self.unwritten.clone(),
            ..*self
        }
    }
}

impl Micro {
    /// Lets properties begin where the instruction at a word address is reached for the first time.
    pub fn begin_at(&mut self, word: u32) {
        self.prefix.start = Some(word);
    }

    /// Hands out the initial states, until no more is wanted: those at reset, or those where properties
    /// begin.
    pub(crate) fn visit_first_states<V: Visit>(&mut self, visit: &mut impl FnMut(&[u8]) -> V) {
        self.prefix.before.clear();
        let Some(start) = self.prefix.start else {
            return self.visit_states_at_reset(visit);
        };
        self.prefix.under_way = true;
        if self.options.decide_at_reset {
            self.find_unwritten(start);
        }
        let reached = self.run_up(start);
        self.prefix.under_way = false;
        if reached.is_empty() && !self.footprint.outgrown() && self.caveats.unsupported.is_none() {
            self.caveats.unsupported =
                Some("the function where properties begin is never reached (--from reset)");
        }
        for state in reached {
            // With the labels that it could not have before.
            let before = self.prefix.before.get(&state).cloned().flatten();
            let mut wanted = ControlFlow::Continue(());
            self.visit_labelled(&state, |micro| {
                let labelled = Box::from(micro.draft.state.as_slice());
                micro.prefix.before.insert(labelled, before.clone());
                if visit(&micro.draft.state).is_break() {
                    wanted = ControlFlow::Break(());
                }
                wanted
            });
            if wanted.is_break() {
                return;
            }
        }
    }

    /// Finds out what of the memory that atoms name start-up code leaves alone: only that has to be decided
    /// at reset.
    fn find_unwritten(&mut self, start: u32) {
        let late = self.caveats.decided_late;
        self.options.decide_at_reset = false;
        let reached = self.run_up(start);
        self.options.decide_at_reset = true;
        self.caveats.decided_late = late;
        self.prefix.before.clear();
        let mut unwritten = self.observed_memory();
        unwritten.retain(|cell| {
            let open = |state: &[u8]| self.footprint.read(state, *cell).unknown != 0;
            reached.iter().any(|state| open(state))
        });
        self.prefix.unwritten = Some(unwritten);
    }

    fn run_up(&mut self, start: u32) -> Vec<Box<[u8]>> {
        let mut reached = Vec::new();
        let mut queue: VecDeque<Box<[u8]>> = VecDeque::new();
        let mut watch = Watch::new(&self.limits);
        self.visit_states_at_reset(&mut |state| queue.push_back(state.into()));
        for state in &queue {
            self.prefix.before.insert(state.clone(), None);
        }
        while let Some(state) = queue.pop_front() {
            if self.pc_of(&state) == start {
                reached.push(state);
                continue;
            }
            if self.prefix.before.len() > MOST_STATES {
                self.caveats.unsupported = Some(
                    "there are too many states before the function where properties begin (--from reset)",
                );
                return Vec::new();
            }
            let mut next: Vec<(Choice, Box<[u8]>)> = Vec::new();
            let mut exhausted = watch.step().is_err();
            self.successors(&state, &mut |choice, successor| {
                next.push((choice, successor.into()));
                exhausted |= watch.step().is_err();
                match exhausted {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            if self.footprint.outgrown() {
                return Vec::new();
            }
            // The search for which this is done looks at the limits itself, and says which one it was.
            if exhausted {
                self.caveats.unsupported =
                    Some("a limit was reached before the function where properties begin (--from reset)");
                return Vec::new();
            }
            for (choice, successor) in next {
                if !self.prefix.before.contains_key(&successor) {
                    let before = (state.clone(), choice);
                    self.prefix.before.insert(successor.clone(), Some(before));
                    queue.push_back(successor);
                }
            }
        }
        reached
    }

    /// The way from reset to an initial state: the states before it, each with the choice that leads on.
    #[must_use]
    pub fn way_to(&self, initial: &[u8]) -> Vec<(Box<[u8]>, Choice)> {
        let mut way = Vec::new();
        let mut at = initial;
        while let Some(Some((state, choice))) = self.prefix.before.get(at) {
            way.push((state.clone(), *choice));
            at = state;
        }
        way.reverse();
        way
    }
}
