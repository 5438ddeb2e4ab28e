//! In which order the iterations of a loop are executed where they advance through data.
//!
//! Idea: a parser that reads one token or five characters in an iteration is at the same position after
//! iterations of different numbers. By number, each of these states would be executed for itself, again and
//! again. So where each iteration makes a position larger ([`crate::positions`]), the position takes the
//! place of the number: all states that come to a position meet there before one of them goes on.
//!
//! Which position that is shows in the run before: one that is a constant at the start of a loop, and mostly
//! a larger one, but not by one step only, when the first iteration has come back to the head. No iteration
//! need keep to it: one that does not advance gets the next number, and states that differ in any position
//! stay apart as ever.
//!
//! Invariant: an iteration is executed after the one it follows; so it is only the order, and with it what
//! meets, that is decided here, never a verdict. An iteration counts as often towards the bound as on the
//! shortest way to it, so that all runs within the bound are seen.
//!
//! Source: a weak topological order ([`crate::graph`]), with progress measures for numbers, as in the
//! sweep-line method: S. Christensen, L. M. Kristensen, T. Mailund, "A Sweep-Line Method for State Space
//! Exploration" (TACAS 2001).

use std::collections::{BTreeMap, BTreeSet};

use kripke_elts::{FunctionId, Id, LocationId, VariableId};
use rustc_hash::FxHashMap;

use crate::activation::Key;
use crate::contents::Contents;
use crate::engine::Engine;
use crate::graph::Graph;
use crate::position_cells::Slot;
use crate::state::State;
use crate::value::{Case, Target, Value};

/// A loop of a function.
type Loop = (FunctionId, u32);

/// The largest position that an iteration is numbered by.
const LAST: u64 = 1 << 30;
/// How often a run looks at a loop from its start.
const MOST_LOOKS: u32 = 64;

/// What may tell how far a loop has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Measure {
    Variable(VariableId),
    Cell(Slot),
}

/// A position: a number, or a place in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct At {
    target: Option<Target>,
    number: u64,
}

/// The positions at the start of a loop.
pub(crate) type Start = Vec<(Measure, At)>;

/// What was seen of a measure in a run.
#[derive(Default)]
struct Growth {
    /// By how much it grew,
    steps: BTreeSet<u64>,
    /// and how often it did, and did not.
    grew: u32,
    failed: u32,
}

impl Growth {
    /// Does the measure tell something that the number of the iteration does not? Some of the paths that it
    /// fails on may be impossible, which is not known there.
    fn is_fit(&self) -> bool {
        self.steps.len() > 1 && self.grew > self.failed
    }
}

/// The measures of loops.
#[derive(Default)]
pub(crate) struct Advance {
    measures: FxHashMap<Loop, Measure>,
    /// What this run has seen of loops, and how often it has looked at one from its start.
    seen: FxHashMap<Loop, BTreeMap<Measure, Growth>>,
    looks: FxHashMap<Loop, u32>,
    /// How often an iteration of this run has got another number than the next one.
    pub moved: u64,
}

impl Advance {
    /// Another run begins: what the last one has seen counts.
    pub fn start_run(&mut self) {
        self.moved = 0;
        self.looks.clear();
        for (of, seen) in self.seen.drain() {
            match fittest(&seen) {
                Some(measure) => self.measures.insert(of, measure),
                None => self.measures.remove(&of),
            };
        }
    }

    /// Would another run have the same measures?
    pub fn is_settled(&self) -> bool {
        let mut seen = self.seen.iter();
        seen.all(|(of, seen)| fittest(seen) == self.measures.get(of).copied())
    }

    /// An iteration that began with these positions has come to the head again with those.
    fn note(&mut self, of: Loop, start: &Start, now: &[Option<At>]) {
        let seen = self.seen.entry(of).or_default();
        for ((measure, before), now) in start.iter().zip(now) {
            let growth = seen.entry(*measure).or_default();
            match now {
                Some(at) if at.target == before.target && at.number > before.number => {
                    growth.grew += 1;
                    growth.steps.insert(at.number - before.number);
                }
                _ => growth.failed += 1,
            }
        }
    }
}

/// The measure that tells most, if any tells something.
fn fittest(seen: &BTreeMap<Measure, Growth>) -> Option<Measure> {
    let fit = seen.iter().filter(|(_, growth)| growth.is_fit());
    let most = fit.max_by_key(|(measure, growth)| (growth.steps.len(), std::cmp::Reverse(**measure)));
    most.map(|(measure, _)| *measure)
}

impl Engine<'_> {
    /// May the order of the iterations of a loop be another one than that of their numbers? Not where users
    /// give the bound, who think of numbers, nor where an induction does.
    fn orders(&mut self, graph: &Graph, head: LocationId) -> bool {
        let options = self.options;
        let by_number = !options.ordering || options.unwind.is_some() || !options.unwindset.is_empty();
        !by_number && self.run.induction.is_none() && self.may_part(graph, head)
    }

    /// The measure of a loop of the running function.
    pub(crate) fn measure_of(&mut self, graph: &Graph, of: u32) -> Option<Measure> {
        let function = self.top().function;
        let measure = self.parting.advance.measures.get(&(function, of)).copied()?;
        self.orders(graph, graph.loops[of as usize].head)
            .then_some(measure)
    }

    /// The positions of a state that is the only one at the start of a loop.
    pub(crate) fn positions_at_start(&mut self, graph: &Graph, head: LocationId, state: &State) -> Start {
        let function = self.top().function;
        let Some(of) = graph.headed_by(head).filter(|_| self.orders(graph, head)) else {
            return Start::new();
        };
        let looks = self.parting.advance.looks.entry((function, of)).or_default();
        if *looks == MOST_LOOKS {
            return Start::new();
        }
        *looks += 1;
        let variables = self.positions_at(graph, head).into_iter().map(Measure::Variable);
        let measures: Vec<Measure> = variables.chain(self.parting.cells().map(Measure::Cell)).collect();
        let with_value = |measure| Some((measure, self.measured(state, measure)?));
        measures.into_iter().filter_map(with_value).collect()
    }

    /// The number of the iteration that a state begins when it comes back to the head of a loop. Up to that
    /// number, which was `last`, this is the key.
    pub(crate) fn next_iteration(
        &mut self,
        graph: &Graph,
        (of, key): (u32, &Key),
        last: u32,
        state: &State,
    ) -> u32 {
        let function = self.top().function;
        if last == 0
            && let Some(instance) = self.top().loops.get(key)
            && !instance.start.is_empty()
        {
            let start = instance.start.clone();
            let now: Vec<Option<At>> = start.iter().map(|(of, _)| self.measured(state, *of)).collect();
            self.parting.advance.note((function, of), &start, &now);
        }
        let Some(measure) = self.measure_of(graph, of) else {
            return last + 1;
        };
        let position = self.measured(state, measure).map(|at| at.number);
        let next = match position {
            Some(number) if number > u64::from(last) && number <= LAST => number as u32,
            _ => last + 1,
        };
        self.parting.advance.moved += u64::from(next != last + 1);
        let instance = self.top().loops.entry(key.clone()).or_default();
        if instance.follows(next, last) {
            self.parting.keep(function, 1);
        }
        next
    }

    /// What a state has in a measure, where that is a constant.
    fn measured(&self, state: &State, measure: Measure) -> Option<At> {
        match measure {
            Measure::Variable(variable) => self.position(state.frame.get(variable.index() as u64)?),
            Measure::Cell((kind, offset)) => {
                let mut objects = self.run.objects.of_kind(kind).iter().rev();
                let entry = objects.find_map(|object| state.memory.get(object.key()))?;
                match &entry.contents {
                    Contents::Cells(cells) => self.position(&cells.get(offset)?.value),
                    Contents::Array(_) | Contents::Summary(_) => None,
                }
            }
        }
    }

    fn position(&self, value: &Value) -> Option<At> {
        let (target, term) = match value {
            Value::Term(term) => (None, *term),
            Value::Pointer(pointer) => match pointer.cases[..] {
                [
                    Case {
                        target,
                        offset,
                        individual: None,
                        ..
                    },
                ] => (Some(target), offset),
                _ => return None,
            },
        };
        let number = self.constant(term)?;
        Some(At { target, number })
    }
}
