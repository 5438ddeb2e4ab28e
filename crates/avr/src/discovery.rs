//! The first guess at a footprint.
//!
//! Idea: a footprint that is too small makes an exploration begin anew. So some states are explored with all memory held, and the
//! cells that change are the first footprint.

use std::collections::{HashSet, VecDeque};

use kripke_model::KripkeStructure as _;

use crate::micro::Micro;

impl Micro {
    /// Makes every state hold all memory: larger states, and no exploration or walk that has to begin anew.
    pub fn hold_all(&mut self) {
        self.footprint.widen();
    }

    /// Finds out by trying which cells change, so that few explorations have to begin anew: some states breadth-first, and
    /// some long random walks.
    pub fn discover(&mut self) {
        const STATES: usize = 1_000;
        const WALKS: u64 = 8;
        const STEPS: u64 = 3_000;
        self.footprint.widen();
        let mut initial: Vec<Box<[u8]>> = Vec::new();
        self.initial_states(&mut |state| initial.push(state.into()));
        let mut seen: HashSet<Box<[u8]>> = initial.iter().cloned().collect();
        let mut queue: VecDeque<Box<[u8]>> = initial.iter().cloned().collect();
        while let Some(state) = queue.pop_front().filter(|_| seen.len() < STATES) {
            self.successors(&state, &mut |_, next| {
                if seen.len() < STATES && seen.insert(next.into()) {
                    queue.push_back(next.into());
                }
            });
        }
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        for walk in 0..WALKS {
            let Some(start) = initial.get(walk as usize % initial.len().max(1)) else {
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
                });
                match chosen {
                    Some(next) => state = next,
                    None => break,
                }
            }
        }
        self.footprint.narrow();
    }
}
