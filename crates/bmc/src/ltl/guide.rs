//! A run of threads along a given schedule, to find the inputs of a lasso.
//!
//! Idea: the schedule is assumed where threads are chosen, so the engine follows one run, or a few where
//! inputs decide. Those that are back at the end of the cycle where they were at its start are lassos.

use kripke_smt::TermId;

use super::ends::Snapshot;
use super::state_graph::Schedule;
use crate::engine::Engine;
use crate::parting::Held;
use crate::state::State;
use crate::value::Value;

/// The run of a schedule, and what was seen on it.
pub struct Guide {
    schedule: Schedule,
    /// The iteration of the hub that runs.
    iteration: usize,
    starts: Vec<(Vec<Held>, Snapshot)>,
    /// The start and the end of each lasso.
    pub lassos: Vec<(Snapshot, Snapshot)>,
}

impl Guide {
    pub fn new(schedule: Schedule) -> Self {
        Guide {
            schedule,
            iteration: 0,
            starts: Vec::new(),
            lassos: Vec::new(),
        }
    }

    /// Who goes on now.
    fn thread(&self) -> Option<u8> {
        let Schedule { stem, cycle } = &self.schedule;
        stem.iter().chain(cycle).nth(self.iteration).copied()
    }

    /// A state has come to the hub; true when it is followed no further.
    pub fn arrive(&mut self, iteration: usize, held: Vec<Held>, snapshot: impl FnOnce() -> Snapshot) -> bool {
        self.iteration = iteration;
        let Schedule { stem, cycle } = &self.schedule;
        let is_end = iteration == stem.len() + cycle.len();
        if iteration == stem.len() {
            self.starts.push((held, snapshot()));
        } else if is_end {
            let end = snapshot();
            let starts = self.starts.iter().filter(|(start, _)| *start == held);
            self.lassos
                .extend(starts.map(|(_, start)| (start.clone(), end.clone())));
        }
        is_end
    }
}

impl Engine<'_> {
    /// The thread that is chosen: the one of the schedule, where there is one.
    pub(crate) fn scheduled(&mut self, state: &mut State, chosen: Value) -> Option<Value> {
        let guide = self.parting.threads.guide.as_ref();
        let Some(thread) = guide.and_then(Guide::thread) else {
            return Some(chosen);
        };
        let Value::Term(term) = chosen else {
            return Some(chosen);
        };
        let named: TermId = self.terms.bv_u64(self.terms.width(term), u64::from(thread));
        let equal = self.terms.eq(term, named);
        self.assume(state, equal).then_some(Value::Term(named))
    }
}
