//! Ends the process where what it does looks at no limits.
//!
//! Idea: engines look at their limits and end with partial results. A compiler pass, a static analysis or a
//! library's long call may not, and then it is better to report what was settled until then than to take the
//! machine. So a thread looks at the limits as well, and has some patience, in which an engine that does look
//! ends by itself.
//!
//! Invariant: it settles nothing by itself, does nothing before the limits are passed, and leaves no process
//! behind (a solver that still thinks).

use std::process::exit;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use kripke_limits::{Exhausted, Limits, end_processes, resident};

use crate::output;

/// How long after the deadline an engine may still end by itself.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The part of the memory limit by which it may be passed: one in so many.
const SLACK: u64 = 50;
/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(4);
/// Exit code where nothing was found out.
const INCONCLUSIVE: i32 = 2;

/// Watches until it is dropped.
pub struct Watchdog {
    /// Its end tells the thread that there is nothing to watch any more.
    _watched: mpsc::Sender<()>,
}

impl Watchdog {
    /// Watches over the limits of one command that reports nothing when they are passed.
    pub fn start(limits: &Limits) -> Watchdog {
        Self::start_with(limits, |_| INCONCLUSIVE)
    }

    /// The same; `last_words` report what there is to report, and give the exit code.
    pub fn start_with(
        limits: &Limits,
        last_words: impl FnOnce(Exhausted) -> i32 + Send + 'static,
    ) -> Watchdog {
        let (watched, end) = mpsc::channel();
        let deadline = limits.deadline.map(|deadline| deadline + PATIENCE);
        let memory = limits.memory.map(|limit| limit + limit / SLACK);
        let watch = move || {
            while end.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                let passed = if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                    Exhausted::Time
                } else if memory.is_some_and(|limit| resident().is_some_and(|used| used > limit)) {
                    Exhausted::Memory
                } else {
                    continue;
                };
                note(passed);
                let code = last_words(passed);
                end_processes();
                exit(code);
            }
        };
        // Without a thread there is no watch; the engines look for themselves.
        let _ = thread::Builder::new().name("watchdog".into()).spawn(watch);
        Watchdog { _watched: watched }
    }
}

fn note(passed: Exhausted) {
    let limit = match passed {
        Exhausted::Memory => "the memory limit was reached (raise --memory-limit)",
        _ => "the time limit was reached (raise --timeout)",
    };
    output::note(&format!(
        "{limit}, in the midst of a step that cannot be interrupted: what is not settled is unknown"
    ));
}
