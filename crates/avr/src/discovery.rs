//! The first guess at a footprint.
//!
//! Idea: a footprint that is too small makes an exploration begin anew. So some states are explored with all
//! memory held, and the cells that change are the first footprint.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use kripke_model::KripkeStructure as _;

use crate::micro::Micro;

/// Takes one of what is left. Whether to go on: that is wanted, and there is something left.
fn spend(left: &mut u64, wanted: bool) -> ControlFlow<()> {
    *left = left.saturating_sub(1);
    match wanted && *left > 0 {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

impl Micro {
    /// Makes every state hold all memory: larger states, and no exploration or walk that has to begin anew.
    pub fn hold_all(&mut self) {
        self.footprint.widen();
    }

    /// Finds out by trying which cells change, so that few explorations have to begin anew: some states
    /// breadth-first, and some long random walks.
    pub fn discover(&mut self) {
        const STATES: usize = 1_000;
        const WALKS: u64 = 8;
        const STEPS: u64 = 3_000;
        /// Successors in all: where one state has thousands, that many states would take minutes.
        const SUCCESSORS: u64 = 200_000;
        let mut left = SUCCESSORS;
        self.footprint.widen();
        // All of it begins at reset, with atoms and what memory holds left open: these would make many
        // states.
        let decide_at_reset = std::mem::take(&mut self.options.decide_at_reset);
        self.prefix.under_way = true;
        let mut initial: Vec<Box<[u8]>> = Vec::new();
        self.visit_states_at_reset(&mut |state| initial.push(state.into()));
        let mut seen: HashSet<Box<[u8]>> = initial.iter().cloned().collect();
        let mut queue: VecDeque<Box<[u8]>> = initial.iter().cloned().collect();
        while let Some(state) = queue
            .pop_front()
            .filter(|_| seen.len() < STATES && left > SUCCESSORS / 2)
        {
            self.successors(&state, &mut |_, next| {
                if seen.insert(next.into()) {
                    queue.push_back(next.into());
                }
                spend(&mut left, seen.len() < STATES)
            });
        }
        // Half of the walks begin where start-up code, which may clear much memory one byte after the other,
        // has ended.
        let started = initial.first().map(|state| self.start_up(state));
        let starts: Vec<Box<[u8]>> = initial
            .into_iter()
            .zip(started.into_iter().cycle())
            .flat_map(<[_; 2]>::from)
            .collect();
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        for walk in 0..WALKS {
            let Some(start) = starts.get(walk as usize % starts.len().max(1)) else {
                break;
            };
            let mut state = start.clone();
            for _ in 0..STEPS {
                let mut chosen: Option<Box<[u8]>> = None;
                let mut count = 0;
                self.successors(&state, &mut |_, next| {
                    count += 1;
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    if random.is_multiple_of(count) {
                        chosen = Some(next.into());
                    }
                    spend(&mut left, true)
                });
                match chosen {
                    Some(next) => state = next,
                    None => break,
                }
            }
        }
        self.footprint.narrow();
        self.prefix.under_way = false;
        self.options.decide_at_reset = decide_at_reset;
        self.forget_observations();
    }

    /// Takes the first successor for as long as memory goes on to change that did not before; where that was
    /// last.
    fn start_up(&mut self, initial: &[u8]) -> Box<[u8]> {
        const PATIENCE: u32 = 2_000;
        const MOST: usize = 200_000;
        let (mut state, mut last): (Box<[u8]>, Box<[u8]>) = (initial.into(), initial.into());
        let (mut changed, mut idle) = (self.footprint.changed(), 0);
        for _ in 0..MOST {
            let mut first: Option<Box<[u8]>> = None;
            self.successors(&state, &mut |_, next| {
                first = Some(next.into());
                ControlFlow::Break(())
            });
            let Some(next) = first else { break };
            state = next;
            idle += 1;
            if self.footprint.changed() != changed {
                (changed, idle) = (self.footprint.changed(), 0);
                last.clone_from(&state);
            } else if idle == PATIENCE {
                break;
            }
        }
        last
    }
}
