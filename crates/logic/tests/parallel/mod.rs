//! Seeds, shared out among the processors.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many of `seeds` pass a filter, which runs on all processors. A panic of the filter is the caller's.
pub fn count_in_parallel(seeds: std::ops::Range<u64>, filter: impl Fn(u64) -> bool + Sync) -> u64 {
    let (next, count) = (AtomicU64::new(seeds.start), AtomicU64::new(0));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let done = seed - seeds.start;
            if done > 0 && done.is_multiple_of(10_000) {
                eprintln!("{done} of {}", seeds.end - seeds.start);
            }
            count.fetch_add(u64::from(filter(seed)), Ordering::Relaxed);
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    count.into_inner()
}
