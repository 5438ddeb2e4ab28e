//! How fast this thread gets on beside others.
//!
//! Idea: how long a question may take before something else is tried is meant in time of work. On a machine
//! that does other things as well the same work takes longer, and what is proved must not depend on that. The
//! system says how long a thread has worked, and how long it waited for a processor though it had work.
//!
//! Invariant: only for shares that a search gives itself: limits that somebody set are on the clock.
//!
//! Source: Linux, Documentation/scheduler/sched-stats (`/proc/<pid>/schedstat`), proc_loadavg(5).

use std::cell::Cell;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Times are stretched at most so much.
const MOST: f64 = 8.0;
/// Nanoseconds of work after which a thread's own figures count, not those of the machine.
const ENOUGH: f64 = 2e7;

/// How long a thread keeps what the system said.
const FRESH: Duration = Duration::from_millis(100);

thread_local! {
    /// The last factor of this thread, and when the system was asked for it.
    static LAST: Cell<Option<(Instant, f64)>> = const { Cell::new(None) };
}

/// How long work is likely to take that takes so long on a machine that does nothing else.
#[must_use]
pub fn stretched(work: Duration) -> Duration {
    work.mul_f64(LAST.with(|last| {
        let kept = last.get().filter(|(asked, _)| asked.elapsed() < FRESH);
        let (asked, factor) = kept.unwrap_or_else(|| (Instant::now(), factor()));
        last.set(Some((asked, factor)));
        factor
    }))
}

/// How much longer than on a machine that does nothing else, as the system says now.
fn factor() -> f64 {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let processors = thread::available_parallelism().map_or(1.0, |count| count.get() as f64);
    let of_thread = of_thread(&read("/proc/thread-self/schedstat"));
    let factor = of_thread.unwrap_or_else(|| of_machine(&read("/proc/loadavg"), processors));
    factor.clamp(1.0, MOST)
}

/// Time worked and waited for each second worked, where the thread has worked enough to tell.
fn of_thread(statistics: &str) -> Option<f64> {
    let mut fields = statistics
        .split_whitespace()
        .map_while(|field| field.parse::<f64>().ok());
    let (worked, waited) = (fields.next()?, fields.next()?);
    (worked >= ENOUGH).then(|| (worked + waited) / worked)
}

/// How many threads there were for each processor in the last minute; none where the system does not tell.
fn of_machine(loads: &str, processors: f64) -> f64 {
    let load: Option<f64> = loads.split_whitespace().next().and_then(|load| load.parse().ok());
    load.unwrap_or(0.0) / processors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_stretches_time() {
        let factor = |statistics: &str| of_thread(statistics).map(|factor| (factor * 100.0).round() as u32);
        assert_eq!(factor("100000000 0 7"), Some(100));
        assert_eq!(factor("100000000 50000000 7"), Some(150));
        assert_eq!(factor("100000000 1900000000 7"), Some(2000));
    }

    #[test]
    fn a_young_thread_takes_the_load_of_the_machine() {
        assert_eq!(of_thread("1000 50000 1"), None);
        assert!((of_machine("6.00 1.00 0.50 3/99 1234", 2.0) - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn what_the_system_does_not_tell_stretches_nothing() {
        for statistics in ["", "0 500 1", "no numbers", "5"] {
            assert_eq!(of_thread(statistics), None, "{statistics}");
        }
        assert!(of_machine("", 2.0) < 1.0);
        let second = Duration::from_secs(1);
        assert!((second..=second * 8).contains(&stretched(second)));
    }
}
