//! Violations that runs of the program find, beside the search.
//!
//! Idea: what a solver finds in a moment has the fewest iterations, and is found first. After that a thread
//! runs the program with inputs that evolve, until the search ends; where one violation is enough, it ends
//! the search.
//!
//! Invariant: a violation that was replayed is one, whatever else is known of its property.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use kripke_elts::{Program, PropertyId};
use kripke_limits::stretched;
use kripke_model::{Reason, Trace, Verdict};

use super::Check;
use crate::fuzzing::pace::{Stop, waits};
use crate::fuzzing::{contradicted, fuzz};
use crate::options::{Explore, Options};

/// What is settled sooner needs no help. In tests later, so that it does not hang on how fast the machine is
/// which of several violations a check or a document shows.
const BEGINS_AFTER: Duration = Duration::from_millis(if cfg!(debug_assertions) { 4000 } else { 500 });

/// How long runs are looked for that violate what is proved, in tests.
const CONTRADICTS_FOR: Duration = Duration::from_millis(20);

/// The search's end of it. The runs end when it is dropped.
pub(super) struct Fuzzing {
    found: Receiver<(PropertyId, Trace)>,
    _goes_on: Sender<()>,
}

/// Does a search with such a thread beside it, where its options allow for one.
pub(super) fn beside<R>(
    program: &Program,
    options: &Options,
    search: impl FnOnce(Option<Fuzzing>) -> R,
) -> R {
    let is_bounded = options.unwind.is_some() || options.explore != Explore::Merged;
    if !options.fuzzing || is_bounded {
        return search(None);
    }
    let (tell, found) = channel();
    let (_goes_on, stop) = channel();
    let cancel: Arc<AtomicBool> = Arc::default();
    let its = Options {
        cancel: cancel.clone(),
        ..options.clone()
    };
    std::thread::scope(|scope| {
        let search_cancel = &options.cancel;
        scope.spawn(move || serve(program, &its, &stop, &tell, search_cancel));
        let result = search(Some(Fuzzing { found, _goes_on }));
        cancel.store(true, Ordering::Relaxed);
        result
    })
}

fn serve(
    program: &Program,
    options: &Options,
    stop: &Stop,
    found: &Sender<(PropertyId, Trace)>,
    search_cancel: &AtomicBool,
) {
    if !waits(stop, stretched(BEGINS_AFTER)) {
        return;
    }
    fuzz(program, options, stop, &mut |property, trace| {
        // An error means that the search has ended.
        let _ = found.send((property, trace));
        if !options.all {
            options.cancel.store(true, Ordering::Relaxed);
            search_cancel.store(true, Ordering::Relaxed);
        }
    });
}

impl Check<'_> {
    /// Takes over what runs of the program have found so far; true when that is enough.
    pub(super) fn take_over_what_runs_found(&mut self) -> bool {
        let found = self.fuzzing.iter().flat_map(|fuzzing| fuzzing.found.try_iter());
        for (property, trace) in found.collect::<Vec<_>>() {
            let known = &self.verdicts[property];
            debug_assert!(
                !matches!(known, Some(Verdict::Holds { .. })),
                "a run violates {}, which is proved",
                self.properties[property].id
            );
            if !self.has_enough() && !matches!(known, Some(Verdict::Violated { .. })) {
                let trace = Box::new(trace);
                self.settle(property, Verdict::Violated { trace });
            }
        }
        if self.has_enough() {
            self.open_because = Some(Reason::NotChecked);
        }
        self.has_enough()
    }

    /// Where debug assertions are checked, as in tests: no run violates what is proved.
    pub(super) fn assert_in_runs(&self) {
        if !cfg!(debug_assertions) || !self.options.fuzzing {
            return;
        }
        let holds = |id: PropertyId| matches!(self.verdicts[id], Some(Verdict::Holds { .. }));
        // What nobody asks for is not looked at by the search, either.
        let is_proved = |id: PropertyId| self.options.checks(id) && holds(id);
        let wrong = contradicted(self.program, stretched(CONTRADICTS_FOR), is_proved);
        if let Some((property, trace)) = wrong {
            let id = &self.properties[property].id;
            panic!("a run violates {id}, which is proved: {trace:?}");
        }
    }

    /// Is there a violation, where one is enough?
    fn has_enough(&self) -> bool {
        let mut verdicts = self.verdicts.iter();
        let is_violated = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Violated { .. }));
        !self.options.all && verdicts.any(is_violated)
    }
}
