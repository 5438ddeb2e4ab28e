//! Loops by their invariants alone, beside the search.
//!
//! Idea: an induction over `k` iterations executes each loop `2k + 1` times, those inside others once more
//! for each of these, and asks about all that together. With `k = 0` a loop is entered in an arbitrary state
//! only, and each body is executed once: what leads to a loop matters to what follows it as far as invariants
//! say. So the formulas stay small however loops nest and however often they run, and parsers over long
//! inputs are proved that no bound ends. Less is known of the arbitrary state, as no iteration is assumed to
//! have gone well before, so larger bounds may be faster. Hence both are done at once: a thread with an
//! engine of its own does this while the search goes on, which takes over what is proved before each of its
//! bounds and searches, and when it ends; it ends at once when everything is proved.
//!
//! Invariant: what the search has settled keeps its verdict. Both are right, so the order does not matter.
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
use kripke_model::{Argument, LoopInvariant, Report, Verdict};

use super::Check;
use super::sliced::{self, Attempt};
use crate::limits;
use crate::obligation::Obligation;
use crate::options::{InternalError, Options, Progress};
use crate::stack::on_big_stack;

/// What is settled sooner needs no help: so long for each statement of the program, and at most so long. That
/// is the time also as long as the search has not seen that loops run on past so many iterations: those over
/// the bits of a byte end there, and what is said of them should not depend on the machine.
const BEGINS_AFTER_EACH: Duration = Duration::from_millis(5);
const BEGINS_AFTER: Duration = Duration::from_secs(3);
const BEGINS_PAST: u32 = 8;
/// How long invariants are looked for at first; then, as long as more is proved or more guesses turn out to
/// be wrong, each time twice as long. The search is slower meanwhile, as both need the memory's bandwidth.
const FIRST_TIME: Duration = Duration::from_secs(24);
/// The part of the time in which it is seen what holds without any, and its bounds.
const SHARES_OF_CONCLUSION: u32 = 8;
const LEAST_TO_CONCLUDE: Duration = Duration::from_secs(1);
const MOST_TO_CONCLUDE: Duration = Duration::from_secs(8);

/// How often loops run that end soon: those of the bits of a byte do.
const SHORT: u32 = 9;

/// How long before the search's deadline the thread's is, so that what is proved is heard in time.
const AHEAD: Duration = Duration::from_secs(1);

/// The loops that are known to go on past a bound.
type Loops = BTreeSet<(FunctionId, u32)>;

/// What the search tells.
struct Request {
    loops: Loops,
    bound: u32,
    open: Vec<PropertyId>,
}

/// What the thread tells.
pub(super) enum Answer {
    Obligation(Obligation),
    Proofs(Proofs),
}

/// What is proved, what it rests on, and what it cost since the last time.
pub(super) struct Proofs {
    pub proved: Vec<(PropertyId, Argument)>,
    invariants: Vec<LoopInvariant>,
    assumptions: BTreeSet<String>,
    queries: u64,
    time: Duration,
}

/// The search's end of it.
pub(super) struct Beside {
    requests: Sender<Request>,
    answers: Receiver<Answer>,
    /// Ends the thread's work.
    cancel: Arc<AtomicBool>,
}

/// Does a search with a thread beside it, where its options allow for one; what cancels the search is its
/// own.
pub(super) fn beside<R>(
    program: &Program,
    options: &Options,
    search: impl FnOnce(Option<Beside>) -> Result<R, InternalError>,
) -> Result<R, InternalError> {
    let is_woven = kripke_elts::threads::woven(program).is_some();
    let may_induct = options.k_induction && options.invariants && options.unwind.is_none();
    if !may_induct || is_woven {
        return search(None);
    }
    let (requests, heard) = channel();
    let (told, answers) = channel();
    let cancel: Arc<AtomicBool> = Arc::default();
    let its = Options {
        cancel: cancel.clone(),
        deadline: options.deadline.and_then(|deadline| deadline.checked_sub(AHEAD)),
        slicing: sliced::may_slice(options),
        // The search needs the rest.
        memory_limit: options.memory_limit.map(|limit| limit / 2),
        ..options.clone()
    };
    let beside = Beside {
        requests,
        answers,
        cancel,
    };
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| serve(program, its, heard, told, &options.cancel));
        let result = search(Some(beside));
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
    let now = Instant::now();
    let begins = [begins_after(program), BEGINS_AFTER].map(|time| now + stretched(time));
    let (mut tried, mut proved) = (BTreeSet::new(), BTreeSet::new());
    while let Some(mut request) = next(&requests, begins, &tried) {
        request.open.retain(|id| !proved.contains(id));
        let options = Options {
            properties: Some(request.open),
            all: true,
            dump: false,
            ..options.clone()
        };
        tried.insert(request.loops.clone());
        let is_over = on_big_stack(|| {
            let mut listener = Listener(&answers);
            let mut check = Check::new(program, &options, &mut listener)?;
            check.tells = Some(answers.clone());
            let is_over = check.prove_alone(&request.loops, request.bound)?;
            check.tell_proofs();
            let settled = program
                .properties
                .ids()
                .filter(|id| check.verdicts[*id].is_some());
            proved.extend(settled);
            Ok(is_over)
        })?;
        if is_over {
            cancel_search.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// How long the search of a program has no help.
fn begins_after(program: &Program) -> Duration {
    let statements = u32::try_from(program.statements().count()).unwrap_or(u32::MAX);
    BEGINS_AFTER_EACH.saturating_mul(statements).min(BEGINS_AFTER)
}

/// The latest request for other loops than were tried, once it may begin: earlier where they are known to run
/// on. None when the search has ended. Those that have ended since are followed to their end then.
fn next(requests: &Receiver<Request>, begins: [Instant; 2], tried: &BTreeSet<Loops>) -> Option<Request> {
    let mut request = requests.recv().ok()?;
    loop {
        let now = Instant::now();
        let begin = begins[usize::from(request.bound < BEGINS_PAST)];
        let is_new = !tried.contains(&request.loops);
        let wait = begin.saturating_duration_since(now);
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

/// Passes on what proofs rest on.
struct Listener<'a>(&'a Sender<Answer>);

impl Progress for Listener<'_> {
    fn obligation(&mut self, obligation: Obligation) {
        let _ = self.0.send(Answer::Obligation(obligation));
    }
}

impl Check<'_> {
    /// Tells the thread beside the search which loops go on past the present bound.
    pub(super) fn prove_beside(&mut self) {
        if self.beside.is_none() || !self.engine.contracts.is_empty() {
            return;
        }
        let Some(loops) = self.loops_that_go_on() else {
            return;
        };
        self.take_over_what_is_told();
        let (open, bound) = (self.open_properties(), self.bound);
        if let Some(beside) = &self.beside {
            // An error means that it has ended.
            let _ = beside.requests.send(Request { loops, bound, open });
        }
    }

    /// Takes over what was proved beside the search so far; true where nothing is open any more.
    pub(super) fn take_over_what_is_told(&mut self) -> bool {
        let told = self.beside.iter().flat_map(|beside| beside.answers.try_iter());
        let told: Vec<Answer> = told.collect();
        let is_told = !told.is_empty();
        for answer in told {
            self.take_over(answer);
        }
        is_told && self.open_properties().is_empty()
    }

    /// Ends the proofs beside the search, and takes over what else was proved.
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

    pub(super) fn take_over(&mut self, answer: Answer) {
        match answer {
            Answer::Obligation(obligation) => self.progress.obligation(obligation),
            Answer::Proofs(proofs) => {
                self.decider.queries += proofs.queries;
                self.solved_beside += proofs.time;
                let mut proved = proofs.proved;
                proved.retain(|(id, _)| self.verdicts[*id].is_none());
                // Else nothing rests on it.
                if !proved.is_empty() {
                    self.note_invariants(proofs.invariants);
                    self.assumed_beside.extend(proofs.assumptions);
                }
                for (id, argument) in proved {
                    self.settle(id, Verdict::Holds { argument });
                }
            }
        }
    }

    /// Tells the search beside which this is done what is proved: again, where it was told before. What was
    /// not asked for was not looked at, even where every run was seen.
    pub(super) fn tell_proofs(&mut self) {
        let Some(search) = &self.tells else {
            return;
        };
        let verdicts = self.program.properties.ids().zip(self.verdicts.iter());
        let asked = verdicts.filter(|(id, _)| self.options.checks(*id));
        let proved = asked.filter_map(|(id, verdict)| match verdict {
            Some(Verdict::Holds { argument }) => Some((id, argument.clone())),
            _ => None,
        });
        let proofs = Proofs {
            proved: proved.collect(),
            invariants: self.invariants.clone(),
            assumptions: { self.assumed_beside.iter() }
                .chain(&self.engine.run.record.assumptions)
                .cloned()
                .collect(),
            queries: std::mem::take(&mut self.decider.queries),
            time: std::mem::take(&mut self.decider.time) + std::mem::take(&mut self.solved_beside),
        };
        // An error means that the search has ended.
        let _ = search.send(Answer::Proofs(proofs));
    }

    /// Proves what it can by the invariants of these loops, and of those that turn out to go on past the
    /// bound; true when that is everything.
    fn prove_alone(&mut self, loops: &Loops, bound: u32) -> Result<bool, InternalError> {
        let mut time = stretched(FIRST_TIME);
        self.bound = bound;
        if self.execute_induction(loops.clone(), (bound, 0)).is_err() {
            return Ok(false);
        }
        let share = self.until_deadline(time) / SHARES_OF_CONCLUSION;
        let share = share.clamp(stretched(LEAST_TO_CONCLUDE), stretched(MOST_TO_CONCLUDE));
        let truth = self.engine.terms.true_();
        if self.conclude_inductive((truth, &[]), Argument::Induction { k: 0 }, Some(share)) {
            return Ok(true);
        }
        self.tell_proofs();
        let slicer = self.slicer();
        if self.prove_in_slices(slicer.as_ref(), Attempt::Short)? {
            return Ok(true);
        }
        let mut is_first = true;
        loop {
            let started = Instant::now();
            let before = (self.open(), self.memory.broken_together());
            time = self.until_deadline(time);
            if self.prove_with_invariants(0, time) {
                return Ok(true);
            }
            if std::mem::take(&mut is_first) && self.prove_in_slices(slicer.as_ref(), Attempt::Long)? {
                return Ok(true);
            }
            let is_stuck = before == (self.open(), self.memory.broken_together());
            let is_through = started.elapsed() < time && self.memory.unfinished.is_none();
            if is_through || is_stuck || limits::check(self.options, true).is_err() {
                return Ok(false);
            }
            time *= 2;
        }
    }

    /// The same where loops that end soon are followed to their end, if there are any.
    fn prove_alone_without_short_loops(&mut self, loops: &Loops) -> Result<(), InternalError> {
        if limits::check(self.options, true).is_err() || self.engine.unwind(SHORT).is_err() {
            return Ok(());
        }
        match self.loops_that_go_on() {
            Some(others) if others != *loops && self.engine.contracts.is_empty() => {
                self.prove_alone(&others, SHORT).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// So much time, and no more than is left.
    pub(super) fn until_deadline(&self, time: Duration) -> Duration {
        let now = Instant::now();
        let left = self
            .options
            .deadline
            .map(|deadline| deadline.saturating_duration_since(now));
        left.map_or(time, |left| left.min(time))
    }

    /// Proves what it can so, and leaves the rest unknown. Where no loop goes on, every path is followed.
    pub(super) fn run_alone(mut self) -> Result<Report, InternalError> {
        self.bound = 1;
        let executed = self.engine.unwind(1);
        let loops = self.loops_that_go_on();
        if executed.is_ok() && loops.as_ref().is_none_or(Loops::is_empty) {
            return self.run();
        }
        self.tell_asked();
        self.progress.bound(1);
        match (executed, loops) {
            (Err(reason), _) => self.open_because = Some(reason),
            (Ok(()), loops) => {
                let mut cuts = self.engine.run.record.cuts.iter();
                let cut = cuts.find(|path| path.cut.is_unwinding()).cloned();
                self.open_because = cut.map(|cut| self.past_bound(&cut));
                if let Some(loops) = loops.filter(|_| self.engine.contracts.is_empty())
                    && !self.prove_alone(&loops, 1)?
                {
                    self.prove_alone_without_short_loops(&loops)?;
                }
            }
        }
        Ok(self.report())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use kripke_elts::{Id as _, PropertyId};
    use kripke_model::{Argument, Verdict};

    use super::super::{Next, check};
    use super::{Answer, Beside, Check, Proofs};
    use crate::options::{Options, Silent};

    const TWO: &str = "elts 1
machine pointer 32 int 32 long 32 little \"test\"
entry main
file0 \"test.c\"
p0 assertion \"one\" in main @1:1
p1 assertion \"two\" in main @2:1
function main() -> () entry l0 exit l1 @1:1 {
local i8 x;
l0 \"\": when true { x = nondet input \"in\"; assert(x == 0i8) p0; assert(x == x) p1; } goto l1;
l1 \"\":
}
";

    fn proved(id: PropertyId, assumption: &str) -> Answer {
        Answer::Proofs(Proofs {
            proved: vec![(id, Argument::Invariants { k: 0 })],
            invariants: Vec::new(),
            assumptions: BTreeSet::from([assumption.to_owned()]),
            queries: 1,
            time: Duration::ZERO,
        })
    }

    #[test]
    fn a_proof_settles_its_property_and_no_other_and_is_named_with_what_it_assumes() {
        let program = kripke_elts::text::parse(TWO).expect("parses");
        let (options, mut silent) = (Options::default(), Silent);
        let mut check = Check::new(&program, &options, &mut silent).expect("a check");
        // What users call properties need not tell them apart.
        let name = check.properties[PropertyId::new(0)].id.clone();
        check.properties[PropertyId::new(1)].id = name;
        check.take_over(proved(PropertyId::new(1), "first"));
        check.take_over(proved(PropertyId::new(1), "second"));
        assert!(check.verdicts[PropertyId::new(0)].is_none());
        assert!(matches!(
            check.verdicts[PropertyId::new(1)],
            Some(Verdict::Holds { .. })
        ));
        assert_eq!(check.assumptions(), ["first"]);
    }

    #[test]
    fn nothing_is_executed_any_more_once_everything_is_told() {
        let program = kripke_elts::text::parse(TWO).expect("parses");
        let (options, mut silent) = (Options::default(), Silent);
        let mut check = Check::new(&program, &options, &mut silent).expect("a check");
        let ((requests, _heard), (told, answers)) = (channel(), channel());
        check.beside = Some(Beside {
            requests,
            answers,
            cancel: Arc::default(),
        });
        assert!(!check.take_over_what_is_told());
        told.send(proved(PropertyId::new(0), "first"))
            .expect("it listens");
        assert!(!check.take_over_what_is_told());
        told.send(proved(PropertyId::new(1), "second"))
            .expect("it listens");
        assert!(matches!(check.try_bound(1), Ok(Next::Finished)));
        assert!(check.engine.run.record.violations.is_empty() && check.engine.run.record.events.is_empty());
    }

    /// Loops after each other, each of which counts on from where the one before ended.
    fn many_loops(count: u32) -> String {
        let mut text = TWO.split("function").next().expect("a head").to_owned();
        text += "function main() -> () entry l0 exit l1 @1:1 {\nlocal i32 x;\n";
        text += "l0 \"\": when true { x = 0i32; } goto l2;\nl1 \"\":\n";
        for number in 1..=count {
            let (head, end) = (2 * number, 10 * number);
            let (body, next) = (head + 1, head + 2);
            text += &format!("l{head} \"\": when x <u {end}i32 {{}} goto l{body};\n");
            text += &format!("when !(x <u {end}i32) {{}} goto l{next};\n");
            text += &format!("l{body} \"\": when true {{ x = x + 1i32; }} goto l{head};\n");
        }
        let (last, end) = (2 * count + 2, 10 * count);
        let asserted = format!("assert(x == {end}i32) p0; assert(x <u {end}i32) p1;");
        text + &format!("l{last} \"\": when true {{ {asserted} }} goto l1;\n}}\n")
    }

    #[test]
    fn bounds_at_many_loops_prove_what_holds_and_nothing_else() {
        for count in [7, 8, 12] {
            let program = kripke_elts::text::parse(&many_loops(count)).expect("parses");
            let options = Options {
                only_invariants: true,
                all: true,
                ..Options::default()
            };
            let report = check(&program, &options, &mut Silent).expect("a report");
            let holds = |number: usize| matches!(report.results[number].verdict, Verdict::Holds { .. });
            assert!(holds(0) && !holds(1), "{count}");
        }
    }
}
