//! Steps that are taken again for a counterexample, to tell what the environment did in them.

use kripke_model::Choice;

use super::Micro;
use crate::tracing::{Event, Tracer};

impl Micro {
    /// Runs a step on the way from reset to an initial state, as [`Micro::trace_step`] does.
    pub fn trace_step_before(
        &mut self,
        state: &[u8],
        choice: Choice,
        next: &[u8],
        tracer: &mut Tracer,
    ) -> Option<Vec<Event>> {
        self.prefix.under_way = true;
        let events = self.trace_step(state, choice, next, tracer);
        self.prefix.under_way = false;
        events
    }

    /// Runs the step that the checker knows as `choice`: what the environment did in it. None if it does not
    /// lead to `next`.
    pub fn trace_step(
        &mut self,
        state: &[u8],
        choice: Choice,
        next: &[u8],
        tracer: &mut Tracer,
    ) -> Option<Vec<Event>> {
        self.choices.start();
        for _ in 0..choice {
            self.begin(state);
            self.step();
            if !self.choices.advance() {
                return None;
            }
        }
        self.begin(state);
        self.tracer = Some(std::mem::take(tracer));
        self.step();
        *tracer = self.tracer.take().unwrap_or_default();
        if self.prefix.under_way {
            // The labels of the initial state are not yet those that it has.
            let labels = self.labelling.bytes();
            self.draft.state[labels.clone()].copy_from_slice(&next[labels]);
        } else {
            self.settle_labels(next, tracer);
        }
        (self.draft.state == next).then(|| std::mem::take(&mut tracer.events))
    }
}
