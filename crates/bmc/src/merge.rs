//! Where paths meet: one state of two.
//!
//! Idea: the merged state's path is the disjunction of both; what differs becomes a choice on the first one's
//! condition. Frames and memories are persistent maps, so only what differs is looked at.
//!
//! Invariant: on each of the two paths the merged state has the values that the path's own state has, but for
//! variables that are no longer live.

use kripke_elts::{Id, VariableId};
use kripke_smt::TermId;

use crate::contents::ObjectState;
use crate::engine::Engine;
use crate::object::ObjectId;
use crate::persistent::PersistentMap;
use crate::state::State;
use crate::value::Value;

impl Engine<'_> {
    /// One state of two, where `live` tells which variables of the running function matter.
    pub(crate) fn merge(&mut self, a: State, b: State, live: &dyn Fn(u64) -> bool) -> State {
        let (path, first) = self.run.paths.merge(&mut self.terms, a.path, b.path);
        let frame = self.merge_frames(&a, &b, first, live);
        let memory = self.merge_memory(&a, &b, first);
        let rounding = self.terms.ite(first, a.rounding, b.rounding);
        let sample = self.joined_sample(&a, &b, path);
        let letter = match a.letter == b.letter {
            true => a.letter,
            false => self.run.new_letter(),
        };
        // They are the same in states of threads that are merged.
        let iterations = a
            .iterations
            .merge(&b.iterations, &mut |_, x, y| x.max(y).copied());
        State {
            path,
            frame,
            memory,
            rounding,
            letter,
            came: self.parting.threads.joined(a.came, b.came),
            schedule: a.schedule,
            iterations,
            sample,
        }
    }

    fn merge_frames(
        &mut self,
        a: &State,
        b: &State,
        first: TermId,
        live: &dyn Fn(u64) -> bool,
    ) -> PersistentMap<Value> {
        let mut half = Vec::new();
        let terms = &mut self.terms;
        let mut frame = a.frame.merge(&b.frame, &mut |key, x, y| match (x, y) {
            _ if !live(key) => None,
            (Some(x), Some(y)) if x == y => Some(x.clone()),
            (Some(x), Some(y)) => Some(x.select(terms, first, y)),
            (Some(x), None) => {
                half.push((key, true));
                Some(x.clone())
            }
            (None, y) => {
                half.push((key, false));
                y.cloned()
            }
        });
        for (key, on_left) in half {
            let variable = VariableId::new(key as usize);
            let Some(known) = frame.get(key).cloned() else {
                continue;
            };
            let other = self.uninitialised_variable(variable);
            let value = match on_left {
                true => known.select(&mut self.terms, first, &other),
                false => other.select(&mut self.terms, first, &known),
            };
            frame.set(key, value);
        }
        frame
    }

    fn merge_memory(&mut self, a: &State, b: &State, first: TermId) -> PersistentMap<ObjectState> {
        let mut differing = Vec::new();
        let (no, yes) = (self.terms.false_(), self.terms.true_());
        let (terms, objects) = (&mut self.terms, &self.run.objects);
        let dies_early = |key: u64| objects[ObjectId::of_key(key)].dies_early;
        let mut memory = a.memory.merge(&b.memory, &mut |key, x, y| match (x, y) {
            (Some(x), Some(y)) => {
                differing.push((key, x.clone(), y.clone()));
                None
            }
            (Some(x), None) => {
                let mut only = x.clone();
                only.exists = terms.ite(first, x.exists, no);
                if dies_early(key) {
                    only.freed = terms.ite(first, x.freed, yes);
                }
                Some(only)
            }
            (None, Some(y)) => {
                let mut only = y.clone();
                only.exists = terms.ite(first, no, y.exists);
                if dies_early(key) {
                    only.freed = terms.ite(first, yes, y.freed);
                }
                Some(only)
            }
            (None, None) => None,
        });
        for (key, x, y) in differing {
            let merged = ObjectState {
                freed: self.terms.ite(first, x.freed, y.freed),
                exists: self.terms.ite(first, x.exists, y.exists),
                contents: self.merge_contents(a, ObjectId::of_key(key), first, &x.contents, &y.contents),
            };
            memory.set(key, merged);
        }
        memory
    }
}
