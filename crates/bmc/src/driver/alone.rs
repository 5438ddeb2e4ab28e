//! Loops by their invariants alone, beside the search.
//!
//! Idea: an induction over `k` iterations executes each loop `2k + 1` times, those inside others once more
//! for each of these, and asks about all that together. With `k = 0` a loop is entered in an arbitrary state
//! only, and each body is executed once: what leads to a loop matters to what follows it as far as invariants
//! say. So the formulas stay small however loops nest and however often they run, and parsers over long
//! inputs are proved that no bound ends. Less is known of the arbitrary state, as no iteration is assumed to
//! have gone well before, so larger bounds may be faster. Hence both are done at once: a thread with an
//! engine of its own does this while the search goes on, which takes over what is proved; and ends when
//! everything is.
//!
//! Invariant: a property has the verdict that came first. Both are right, so the order does not matter.
//!
//! Source: Floyd: Assigning meanings to programs (1967); Flanagan, Leino: Houdini (FME 2001) for the
//! invariants.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use kripke_elts::{FunctionId, Program, PropertyId};
use kripke_limits::stretched;
use kripke_model::{Argument, LoopInvariant, PropertyResult, Report, Verdict};

use super::Check;
use crate::limits;
use crate::obligation::Obligation;
use crate::options::{InternalError, Options, Progress};
use crate::record::Cut;
use crate::stack::on_big_stack;

/// What is settled sooner needs no help.
const BEGINS_AFTER: Duration = Duration::from_secs(3);
/// How long invariants are looked for at first; then, as long as more is proved or more guesses turn out to
/// be wrong, each time twice as long. The search is slower meanwhile, as both need the memory's bandwidth.
const FIRST_TIME: Duration = Duration::from_secs(24);
/// The part of the time in which it is seen what holds without any, and its bounds.
const SHARES_OF_CONCLUSION: u32 = 8;
const LEAST_TO_CONCLUDE: Duration = Duration::from_secs(1);
const MOST_TO_CONCLUDE: Duration = Duration::from_secs(8);

/// The loops that are known to go on past a bound.
type Loops = BTreeSet<(FunctionId, u32)>;

/// What the search tells.
struct Request {
    loops: Loops,
    bound: u32,
    open: Vec<PropertyId>,
    /// When there is something to do.
    begin: Instant,
}

/// What the thread tells.
enum Answer {
    Holds(String, Argument),
    Obligation(Obligation),
    /// It ends: what the proofs rest on, what they cost.
    End(Vec<LoopInvariant>, u64, Duration),
}

/// The search's end of it.
pub(super) struct Beside {
    requests: Sender<Request>,
    answers: Receiver<Answer>,
    /// Ends the thread's work.
    cancel: Arc<AtomicBool>,
    begin: Instant,
}

/// Does a search with a thread beside it, where its options allow for one.
pub(super) fn beside<R>(
    program: &Program,
    options: &Options,
    search: impl FnOnce(&Options, Option<Beside>) -> Result<R, InternalError>,
) -> Result<R, InternalError> {
    let is_woven = kripke_elts::threads::woven(program).is_some();
    let may_induct = options.k_induction && options.invariants && options.unwind.is_none();
    if !may_induct || is_woven {
        return search(options, None);
    }
    let (requests, heard) = channel();
    let (told, answers) = channel();
    let (cancel, cancel_search): (Arc<AtomicBool>, Arc<AtomicBool>) = Default::default();
    let its = Options {
        cancel: cancel.clone(),
        // The search needs the rest.
        memory_limit: options.memory_limit.map(|limit| limit / 2),
        ..options.clone()
    };
    let searching = Options {
        cancel: cancel_search.clone(),
        ..options.clone()
    };
    let beside = Beside {
        requests,
        answers,
        cancel,
        begin: Instant::now() + stretched(BEGINS_AFTER),
    };
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| on_big_stack(|| serve(program, its, heard, told, &cancel_search)));
        let result = search(&searching, Some(beside));
        // Nothing is asked any more, so it ends.
        let ended = thread.join().unwrap_or(Ok(()));
        result.and_then(|result| ended.map(|()| result))
    })
}

/// Proves what it can of what the search has open, until the search ends.
fn serve(
    program: &Program,
    options: Options,
    requests: Receiver<Request>,
    answers: Sender<Answer>,
    cancel_search: &AtomicBool,
) -> Result<(), InternalError> {
    let mut tried = Loops::new();
    while let Some(request) = next(&requests, &tried) {
        let options = Options {
            properties: Some(request.open),
            all: true,
            dump: false,
            ..options.clone()
        };
        let mut listener = Listener(&answers);
        let mut check = Check::new(program, &options, &mut listener)?;
        tried.extend(&request.loops);
        let is_over = check.prove_alone(&request.loops, request.bound);
        let (queries, time) = (check.decider.queries, check.decider.time);
        let invariants = std::mem::take(&mut check.invariants);
        // An error means that the search has ended.
        let _ = answers.send(Answer::End(invariants, queries, time));
        if is_over {
            cancel_search.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// The latest request for more loops than were tried, once it may begin; none when the search has ended.
fn next(requests: &Receiver<Request>, tried: &Loops) -> Option<Request> {
    let mut request = requests.recv().ok()?;
    loop {
        let now = Instant::now();
        let is_new = !request.loops.is_subset(tried);
        let wait = request.begin.saturating_duration_since(now);
        let newer = match is_new {
            true => requests.recv_timeout(wait),
            false => requests.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match newer {
            Ok(newer) => request = newer,
            Err(RecvTimeoutError::Timeout) => return Some(request),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Passes on what is proved.
struct Listener<'a>(&'a Sender<Answer>);

impl Progress for Listener<'_> {
    fn settled(&mut self, result: &PropertyResult) {
        if let Verdict::Holds { argument } = &result.verdict {
            let _ = self
                .0
                .send(Answer::Holds(result.property.id.clone(), argument.clone()));
        }
    }

    fn obligation(&mut self, obligation: Obligation) {
        let _ = self.0.send(Answer::Obligation(obligation));
    }
}

impl Check<'_> {
    /// Tells the thread beside the search which loops go on past the present bound.
    pub(super) fn prove_beside(&mut self) {
        let cuts = self.engine.run.record.cuts.clone();
        let may_try = self.beside.is_some() && self.engine.contracts.is_empty();
        if !may_try || cuts.iter().any(|path| path.cut == Cut::Recursion) {
            return;
        }
        let loops = self.engine.loops_of(&cuts);
        let open = self.program.properties.ids();
        let open = open.filter(|id| self.verdicts[*id].is_none() && self.options.checks(*id));
        let (open, bound) = (open.collect(), self.bound);
        if let Some(beside) = &self.beside {
            // An error means that it has ended.
            let _ = beside.requests.send(Request {
                loops,
                bound,
                open,
                begin: beside.begin,
            });
        }
    }

    /// Takes over what was proved beside the search.
    pub(super) fn hear_answers(&mut self) {
        while let Some(beside) = &self.beside
            && let Ok(answer) = beside.answers.try_recv()
        {
            self.take_over(answer);
        }
    }

    /// Ends the proofs beside the search.
    pub(super) fn end_beside(&mut self) {
        let Some(beside) = self.beside.take() else {
            return;
        };
        beside.cancel.store(true, Ordering::Relaxed);
        drop(beside.requests);
        while let Ok(answer) = beside.answers.recv() {
            self.take_over(answer);
        }
    }

    fn take_over(&mut self, answer: Answer) {
        match answer {
            Answer::Holds(name, argument) => {
                if let Some(id) = self.named(&name)
                    && self.verdicts[id].is_none()
                {
                    self.settle(id, Verdict::Holds { argument });
                }
            }
            Answer::Obligation(obligation) => self.progress.obligation(obligation),
            Answer::End(invariants, queries, time) => {
                self.note_invariants(invariants);
                self.decider.queries += queries;
                self.decider.time += time;
            }
        }
    }

    fn named(&self, name: &str) -> Option<PropertyId> {
        let mut properties = self.properties.enumerate();
        properties.find_map(|(id, property)| (property.id == name).then_some(id))
    }

    /// Proves what it can by the invariants of these loops, and of those that turn out to go on past the
    /// bound; true when that is everything.
    fn prove_alone(&mut self, loops: &Loops, bound: u32) -> bool {
        let mut time = stretched(FIRST_TIME);
        self.bound = bound;
        loop {
            if self.execute_induction(loops.clone(), (bound, 0)).is_err() {
                return false;
            }
            let started = Instant::now();
            let before = (self.open(), self.memory.broken_together());
            if let Some(deadline) = self.options.deadline {
                time = time.min(deadline.saturating_duration_since(started));
            }
            let share = time / SHARES_OF_CONCLUSION;
            let share = share.clamp(stretched(LEAST_TO_CONCLUDE), stretched(MOST_TO_CONCLUDE));
            if self.prove_inductive(0, time, Some(share)) {
                return true;
            }
            let is_stuck = before == (self.open(), self.memory.broken_together());
            let is_exhausted = started.elapsed() < time || is_stuck;
            if is_exhausted || limits::check(self.options, true).is_err() {
                return false;
            }
            time *= 2;
        }
    }

    /// Proves what it can so, and leaves the rest unknown. Where no loop goes on, every path is followed.
    pub(super) fn run_alone(mut self) -> Result<Report, InternalError> {
        self.bound = 1;
        let executed = self.engine.unwind(1);
        let cuts = self.engine.run.record.cuts.clone();
        let loops = self.engine.loops_of(&cuts);
        if executed.is_ok() && loops.is_empty() {
            return self.run();
        }
        self.tell_asked();
        self.progress.bound(1);
        match executed {
            Ok(()) => {
                let cut = cuts.iter().find(|path| path.cut.is_unwinding());
                self.open_because = cut.map(|cut| self.past_bound(cut));
                let is_recursive = cuts.iter().any(|path| path.cut == Cut::Recursion);
                if !is_recursive && self.engine.contracts.is_empty() {
                    self.prove_alone(&loops, 1);
                }
            }
            Err(reason) => self.open_because = Some(reason),
        }
        Ok(self.report())
    }
}
